"""Wrong solutions of notebook 12's exercises, each with a part of what it is told."""

SLOPE = """
    place = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(place), place, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, place, retain_graph=True)"""


def second(result):
    return f"def second(f, x):{SLOPE}\n    return {result}\n\n\ncheck(nb12.second, second)\n"


def newton(result):
    return f"def newton(f, x):{SLOPE}\n    return {result}\n\n\ncheck(nb12.newton, newton)\n"


def product(result):
    return f"""
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    return {result}


check(nb12.product, product)
"""


def one_number(number):
    return product(f"torch.autograd.grad({number}, parameters)")


ALONG = "sum((s * d).sum() for s, d in zip(slopes, direction))"


def own(curve, start):
    return f"""
def curve(x):
    return {curve}


start = {start}

check(nb12.own, (curve, start))
"""


def after(result):
    return f"""
def loss_after(loss_of, start, lr):
    slope = nb12_runs.slope_of(loss_of, start)
    return {result}


check(nb12.after, loss_after)
"""


SHORTENED = "direction = direction / direction.norm()"


def most_curved(*lines, returned="direction"):
    body = "\n        ".join(lines)
    return f"""
def most_curved(times, direction):
    for _ in range(20):
        {body}
    return {returned}


check(nb12.most_curved, most_curved)
"""


ACCUMULATED = """
def second(f, x):
    x = torch.tensor(x, requires_grad=True)
    f(x).backward(create_graph=True)
    x.grad.backward()
    return x.grad.item()


check(nb12.second, second)
"""
RETAINED = """
def second(f, x):
    x = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(x), x, retain_graph=True)
    return torch.autograd.grad(slope, x)[0].item()


check(nb12.second, second)
"""

NO_LEAF = """
def second(f, x):
    x = torch.tensor(x)
    (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.autograd.grad(slope, x)[0].item()


check(nb12.second, second)
"""
NO_SECOND_LEAF = """
def second(f, x):
    place = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(place), place, create_graph=True)
    return torch.autograd.grad(slope, torch.tensor(x))[0].item()


check(nb12.second, second)
"""
PLAIN_AT_THE_SECOND = NO_SECOND_LEAF.replace("slope, torch.tensor(x)", "slope, x")
AT_THE_SLOPE = NO_SECOND_LEAF.replace("slope, torch.tensor(x)", "f(slope), slope")
PLAIN_SLOPE = NO_SECOND_LEAF.replace("slope, torch.tensor(x)", "slope.item(), place")
NOT_CALLED = """
def second(f, x):
    x = torch.tensor(x, requires_grad=True)
    return torch.autograd.grad(torch.tensor(1.0), x)[0].item()


check(nb12.second, second)
"""
NO_RETURN = """
def second(f, x):
    x = torch.tensor(x, requires_grad=True)
    torch.autograd.grad(f(x), x, create_graph=True)


check(nb12.second, second)
"""
TEN_STEPS = """
def newton(f, x):
    for _ in range(10):
        place = torch.tensor(x, requires_grad=True)
        (slope,) = torch.autograd.grad(f(place), place, create_graph=True)
        (curvature,) = torch.autograd.grad(slope, place)
        x = x - (slope / curvature).item()
    return x


check(nb12.newton, newton)
"""
NO_LEAF_STEP = """
def newton(f, x):
    place = torch.tensor(x)
    (slope,) = torch.autograd.grad(f(place), place, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, place)
    return x - (slope / curvature).item()


check(nb12.newton, newton)
"""
PLAIN = """
def second(f, x):
    (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.autograd.grad(slope, x)[0].item()


check(nb12.second, second)
"""
AFTER_A_BREAK = """
def newton(f, x):
    place = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(place), place)
    return x - slope.item() / second(f, x)


del second
check(nb12.newton, newton)
"""
IN_GRAD = """
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    for p, slope in zip(parameters, slopes):
        p.grad = slope.detach().clone()
    sum((slope * d).sum() for slope, d in zip(slopes, direction)).backward()
    return [p.grad for p in parameters]


check(nb12.product, product)
"""
EACH_BY_ITSELF = """
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    return [
        torch.autograd.grad((slope * d).sum(), p, retain_graph=True)[0]
        for slope, d, p in zip(slopes, direction, parameters)
    ]


check(nb12.product, product)
"""
EACH_BY_A_PASS = """
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    return [
        torch.autograd.grad((slope * d).sum(), p)[0]
        for slope, d, p in zip(slopes, direction, parameters)
    ]


check(nb12.product, product)
"""
UNRECORDED = """
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters)
    dot = sum((slope * d).sum() for slope, d in zip(slopes, direction))
    return torch.autograd.grad(dot, parameters)


check(nb12.product, product)
"""

NUDGED = """
def second(f, x):
    def slope(x):
        x = torch.tensor(x, requires_grad=True)
        return torch.autograd.grad(f(x), x)[0].item()

    return (slope(x + 0.01) - slope(x - 0.01)) / 0.02


check(nb12.second, second)
"""

WRONG = {
    "second": [
        (second("slope.item()"), "that is the slope. How does the slope move?"),
        (second("(slope * slope).item()"), "the square of the slope"),
        (RETAINED, "nothing recorded how"),
        (NO_LEAF, "does not ask for a gradient"),
        (PLAIN, "x comes as a float"),
        (NO_SECOND_LEAF, "is not the one that f was given"),
        (PLAIN_AT_THE_SECOND, "asked about something that is no tensor"),
        (AT_THE_SLOPE, "as if the slope were a place"),
        (PLAIN_SLOPE, "asked to differentiate a plain number"),
        (NOT_CALLED, "f was not called at all"),
        (NO_RETURN, "ends without returning anything"),
        (NUDGED, "that is a nudge"),
        (second("-curvature.item()"), "your function returns -8"),
        (second("2 * curvature.item()"), "your function returns 16"),
        (second("[curvature]"), "a number is wanted"),
    ],
    "newton": [
        (newton("x + (slope / curvature).item()"), "the other way"),
        (newton("x - (slope / curvature.abs()).item()"), "takes it for a number above 0"),
        (newton("x - (f(place) / slope).item()"), "where the curve itself is 0"),
        (newton("x - (slope * curvature).item()"), "is multiplied by the curvature"),
        (newton("x - (curvature / slope).item()"), "changed places"),
        (newton("(slope / curvature).item()"), "that is the length of the step"),
        (newton("-(slope / curvature).item()"), "that is the step."),
        (NO_LEAF_STEP, "does not ask for a gradient"),
        (AFTER_A_BREAK, "Run the cell of second again"),
        (newton("None"), "ends without returning anything"),
        (newton("x - slope.item()"), "a step by the slope alone"),
        (newton("x - curvature.item()"), "a step by the curvature alone"),
        (newton("x - slope.item() / 22"), "you divide by 22"),
        (newton("x - 0.1 * slope.item()"), "the step is -0.1 times the slope"),
        (newton("3.0"), "it returns 3, whichever curve"),
        (newton("x"), "so no step was taken"),
        (TEN_STEPS, "where several steps lead"),
        (newton("x - 0.5 * (slope / curvature).item()"), "it returns 0.6875"),
    ],
    "product": [
        (product("slopes"), "that is the gradient"),
        (product("None"), "ends without returning anything"),
        (UNRECORDED, "nothing recorded how"),
        (
            product("[s.detach() * d for s, d in zip(slopes, direction)]"),
            "each slope times its part",
        ),
        (product("slopes[0]"), "tensors are wanted"),
        (product("[s.sum() for s in slopes]"), "do not have the shapes"),
        (
            product("torch.autograd.grad(sum(s.sum() for s in slopes), parameters)"),
            "if all numbers grow alike",
        ),
        (
            product("torch.autograd.grad((slopes[0] * direction[0]).sum(), parameters)"),
            "1.weight alone is moved",
        ),
        (IN_GRAD, "both were added in .grad"),
        (EACH_BY_ITSELF, "each tensor is treated by itself"),
        (
            product("[2 * m for m in torch.autograd.grad(slopes, parameters, direction)]"),
            "it is 2 times how",
        ),
        (
            product("[m + 1 for m in torch.autograd.grad(slopes, parameters, direction)]"),
            "furthest off in",
        ),
        (product("torch.autograd.grad(loss, parameters, direction)"), "rror"),
        (one_number("sum(s @ d for s, d in zip(slopes, direction))"), "@ multiplies two matrices"),
        (one_number("sum(s * d for s, d in zip(slopes, direction))"), "of different shapes meet"),
        (one_number("sum((s * d).mean() for s, d in zip(slopes, direction))"), "A mean does that"),
        (one_number("sum((s * s).sum() for s in slopes)"), "were multiplied by themselves"),
        (product("[0 * s for s in slopes]"), "all these numbers are 0"),
        (product("torch.autograd.grad(loss, direction)"), "tensors that ask for no gradient"),
        (product(f"[{ALONG}]"), "that is one number, the slope"),
        (one_number(f"({ALONG}).item()"), "asked to differentiate a plain number"),
        (EACH_BY_A_PASS, "a graph was walked a second time"),
        (product("torch.autograd.grad(slopes, parameters)"), "from a whole tensor of slopes"),
    ],
    "most curved": [
        (most_curved("direction = times(direction)"), "but its length is 3.12e+27 and not 1"),
        (
            most_curved(SHORTENED, "direction = times(direction)"),
            "but its length is 23.7 and not 1",
        ),
        (
            most_curved("direction = times(direction)", returned="direction / direction.norm()"),
            "where no float can hold the squares",
        ),
        (
            most_curved("direction = 1e3 * times(direction)"),
            "until no float could hold them",
        ),
        (
            most_curved("new = times(direction)", "new = new / new.norm()", returned="new"),
            "of the direction that you were given",
        ),
        (most_curved(SHORTENED), "times is never called"),
        (most_curved("direction = times @ direction"), "times is a function, and no table"),
        (most_curved("direction = times(direction).norm()"), "something that is no direction"),
        (
            most_curved("direction = times(direction)", SHORTENED, "break"),
            "a single product was taken",
        ),
        (
            most_curved("direction = direction + times(direction)", SHORTENED),
            "in another one it is larger in size",
        ),
        (
            most_curved("direction = direction * times(direction)", SHORTENED),
            "one more product turns your direction by 15 degrees",
        ),
        (
            most_curved(
                "direction = times(direction)",
                SHORTENED,
                returned="(direction @ times(direction)).item()",
            ),
            "that is the curvature itself",
        ),
        (
            most_curved("direction = times(direction)", SHORTENED, returned="[direction]"),
            "one tensor with 2 numbers",
        ),
        (
            most_curved("direction = times(direction)", SHORTENED, returned="None"),
            "ends without returning anything",
        ),
    ],
    "recorded step": [
        (after("loss_of(start - lr.item() * slope)"), "it has no history"),
        (
            after("loss_of((start - lr * slope).detach().requires_grad_())"),
            "the learning rate does not occur in it",
        ),
        (after("loss_of(torch.tensor(start))"), "the loss before the step"),
        (after("start - lr * slope"), "the place to which the step leads"),
        (after("loss_of(start + lr * slope)"), "after a step uphill"),
        (after("loss_of(torch.tensor(start - slope))"), "as long as the slope"),
        (after("loss_of(lr * slope)"), "Where does it begin?"),
        (after("loss_of(-lr * slope)"), "the step begins at 0"),
        (after("loss_of(torch.tensor(start)) - lr * slope"), "and not the loss itself"),
        (after("loss_of(start - lr)"), "whatever the slope is"),
        (after("loss_of(start - 2 * lr * slope)"), "your function returns 3.24"),
        (after("[loss_of(start - lr * slope)]"), "this is a list"),
        (after("loss_of(torch.tensor(start - 0.1 * slope))"), "Where is lr in your step"),
        (after("None"), "ends without returning anything"),
        (
            after("loss_of(start - lr * slope) + lr - lr.detach()"),
            "and a nudge says",
        ),
    ],
    "own start": [
        (own("x ** 2", "3.0"), "that is downhill"),
        (own("(1 + x ** 2) ** 0.5", "2.0"), "sets out downhill"),
        (own("torch.cos(x)", "1.2"), "leaps over the hilltop"),
        (own("5 * x ** 4 - 10 * x ** 2 + 1", "0.3"), "the curve of section 3"),
        (own("torch.relu(x)", "0.3"), "a straight line"),
        (own("x ** 1.5", "1.0"), "a value that is nan"),
        (own("torch.log(x)", "-1.0"), "at your start the curve has no value"),
        (own("torch.cos(x)", "3.0"), "the curvature is above 0"),
        (own("torch.sin(x)", "1.5707963267948966"), "the slope is 0 already"),
        (own("sin(x)", "0.2"), "sin is not known here"),
        (own("x ** 2 * km", "0.2"), "a tensor of the shape (5,)"),
        (own("x ** 3", "0.0"), "the curvature is 0"),
        (own("torch.cos(x)", '"here"'), "the start is to be a number"),
        (own("x.item() ** 2", "1.0"), "It is a plain number"),
    ],
}
