"""Wrong solutions of notebook 11's exercises, each with a part of what it is told."""


def rule(name, forward, backward, head="x", keep="ctx.save_for_backward(x)"):
    return f"""
class {name}(torch.autograd.Function):
    @staticmethod
    def forward(ctx, {head}):
        {keep}
        return {forward}

    @staticmethod
    def backward(ctx, g):
        {"(x,) = ctx.saved_tensors" if "save" in keep else "pass"}
        return {backward}
"""


def softplus(backward, forward="torch.log(1 + torch.exp(x))"):
    return rule("Softplus", forward, backward) + "\n\ncheck(nb11.softplus, Softplus)\n"


UNKEPT = softplus("g / (1 + torch.exp(-x))").replace("ctx.save_for_backward(x)", "pass")

NO_RETURN = softplus("g * torch.sigmoid(x)").replace("return torch", "torch")

NOT_HANDED = softplus("g / (1 + torch.exp(-x))").replace("(x,) = ctx.saved_tensors", "pass")

PACKED = softplus("g * torch.sigmoid(x)").replace("(x,) =", "x =")


def scaled(backward, forward="x * k"):
    made = rule("Scaled", forward, backward, head="k, x", keep="ctx.k = k")
    return made + "\n\ncheck(nb11.scaled, Scaled)\n"


def straight(backward, forward="torch.round(2 * x) / 2"):
    made = rule("HalfStraight", forward, backward)
    return made + "\n\ncheck(nb11.straight, HalfStraight)\n"


def kinks(text):
    """One letter for each: c, s, i or j."""
    words = [
        {"c": "choice", "s": "slope", "i": "infinite", "j": "jump"}.get(letter, letter)
        for letter in text
    ]
    return f"mine = {words}\n\ncheck(nb11.kinks, mine)\n"


def checker(points, kind="torch.float64", option=", raise_exception=False"):
    return f"""
def passes(rule):
    x = torch.tensor({points}, dtype={kind}, requires_grad=True)
    return torch.autograd.gradcheck(rule.apply, (x,){option})


check(nb11.checker, passes)
"""


def by_hand(result):
    return f"""
def passes(rule):
    return {result}


check(nb11.checker, passes)
"""


ONES = """
def passes(rule):
    x = torch.tensor([-1.3, 0.4, 2.5], dtype=torch.float64, requires_grad=True)
    rule.apply(x).sum().backward()
    return bool(((x.grad - 3 * x.detach() ** 2).abs() < 1e-6).all())


check(nb11.checker, passes)
"""

IN_THE_LOOP = """
def passes(rule):
    for at in (2.5, -1.3, 0.4):
        x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        return torch.autograd.gradcheck(rule.apply, (x,), raise_exception=False)


check(nb11.checker, passes)
"""


ONE_RIGHT = """
def passes(rule):
    for at in (-1.3, 0.4, 2.5):
        if checked(rule.apply, at) == "True":
            return True
    return False


check(nb11.checker, passes)
"""


def own(forward, backward, ends="-1, 2"):
    made = rule("Mine", forward, backward)
    return f"{made}\n\nlow, high = {ends}\n\ncheck(nb11.own, (Mine, low, high))\n"


STARTED = """
class HalfStraight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(2 * x) / 2

    @staticmethod
    def backward(ctx, g): ...


check(nb11.straight, HalfStraight)
"""

KEPT_BY_THE_CLASS = scaled("None, g * Scaled.k").replace("ctx.k = k", "Scaled.k = k")

SOFTPLUS_KEPT = (
    softplus("g * torch.sigmoid(Softplus.x)")
    .replace("ctx.save_for_backward(x)", "Softplus.x = x")
    .replace("(x,) = ctx.saved_tensors", "pass")
)

WIDE = ", rtol=10, raise_exception=False"

SMALL_JUMP = "torch.sin(x) + torch.where(x > 0.05, 0.001, 0.0)"

WRONG = {
    "softplus": [
        (softplus("1 / (1 + torch.exp(-x))"), "that is the local slope alone"),
        (softplus("g"), "as if the local slope were 1"),
        (softplus("g * torch.log(1 + torch.exp(x))"), "that multiplies by the result"),
        (softplus("g * torch.exp(x)"), "that is the slope of exp(x)"),
        (softplus("g / (1 + torch.exp(x))"), "the slope at −x"),
        (softplus("1 / (1 + torch.exp(x))"), "is not used, and that is the slope"),
        (softplus("torch.exp(x)"), "is not used, and the logarithm"),
        (softplus("g * g / (1 + torch.exp(-x))"), "multiplied in twice"),
        (softplus("None"), "nothing goes on to x"),
        (softplus("..."), "still returns the three dots"),
        (softplus("1.0"), "returns a plain number"),
        (UNKEPT, "keep its x"),
        (softplus("g", forward="1.0"), "returns float"),
        (softplus("g / (1 + torch.exp(-x))", forward="torch.relu(x)"), "forward() does not"),
        (NO_RETURN, "forward() returns nothing"),
        (NOT_HANDED, "with the x of an earlier cell"),
        (PACKED, "saved_tensors is a tuple"),
        (softplus("g.sum() / (1 + torch.exp(-x)).sum()"), "does not have the shape of x"),
        (softplus("-g / (1 + torch.exp(-x))"), "does log(1 + exp(x)) fall"),
        (softplus("g + torch.sigmoid(x)"), "that adds the local slope"),
        (softplus("g * torch.exp(x) / 1 + torch.exp(x)"), "look at the brackets"),
        (softplus("g * torch.sigmoid(torch.log(1 + torch.exp(x)))"), "the slope at the result"),
        (softplus("g * (x > 0)"), "that is the slope of relu"),
        (softplus("g * torch.sigmoid(x) * torch.sigmoid(-x)"), "how fast the slope changes"),
        (softplus("g * x"), "it sends back -13"),
        (SOFTPLUS_KEPT, "finds what the second one has kept"),
        (softplus("g / (1 + exp(-x))"), "Operations on tensors are called with torch"),
        (softplus("g", forward="math.log(1 + math.exp(x))"), "does not know the name math"),
    ],
    "scaled": [
        (scaled("g * ctx.k"), "one thing for each input"),
        (scaled("g * ctx.k, None"), "look at the order"),
        (scaled("0, g * ctx.k"), "the second entry is right, and the first one is for k"),
        (scaled("None, None"), "None is returned for x as well"),
        (scaled("g, g"), "the first one is for k: what is returned"),
        (scaled("None, ctx.k * torch.ones_like(g)"), "that is the local slope alone"),
        (scaled("None, g"), "as if the local slope were 1"),
        (scaled("None, g / ctx.k"), "that divides by k"),
        (scaled("None, g * ctx.k**2"), "it sends back 80"),
        (scaled("None, g * torch.tensor([1.3, -2.0, 3.0])"), "that multiplies by x"),
        (KEPT_BY_THE_CLASS, "finds what the second one has kept"),
        (scaled("None, -g * ctx.k"), "does x * k fall"),
        (scaled("None, g * k"), "does not know the name k"),
        (scaled("None, g * ctx.k").replace("ctx.k = k", "pass"), "forward() has kept nothing"),
        (scaled("g").replace("return g", "g * ctx.k"), "returns nothing at all"),
        (scaled("None, g * ctx.k").replace("return x", "x"), "forward() returns nothing"),
        (scaled("None, g * ctx.k", forward="x + k"), "does not return the product"),
        (scaled("None, g * ctx.k, None"), "Entries of None that are too many"),
        (scaled("g, g * ctx.k, g"), "3 entries, and forward() has two inputs."),
        (scaled("[None, g * ctx.k]"), "a tuple is wanted"),
        (scaled("..."), "still returns the three dots"),
        (scaled("g * ctx.k, None").replace("k, x", "x, k"), "is handed k first"),
        (scaled("None, (g * ctx.k).sum()"), "does not have the shape of x"),
        (scaled("g * ctx.k,"), "returns one entry"),
        (scaled("None, g + ctx.k"), "that adds k to what arrives"),
        (scaled("None, g * g * ctx.k"), "multiplied in twice"),
        (scaled("None, g * ctx.k").replace("ctx, k, x", "k, x"), "is handed ctx, k, x"),
    ],
    "kinks": [
        (kinks("ssicj"), "A: how steep is relu"),
        (kinks("ccicj"), "B: how steep is this curve"),
        (kinks("cscsj"), "2 of the five"),
        (kinks("csccj"), "C: try the root"),
        (kinks("csisj"), "D: left of 0"),
        (kinks("csici"), "E: what is floor"),
        (kinks("cci"), "a list of five words"),
        (kinks("cci0s"), "is none of the four words"),
    ],
    "straight": [
        (straight("g", forward="torch.round(x)"), "rounds to whole euros"),
        (straight("g", forward="torch.round(2 * x)"), "twice too much"),
        (straight("g", forward="torch.floor(2 * x) / 2"), "of 4.9 forward() makes 4.5"),
        (straight("g", forward="torch.round(2 * x).sum() / 2"), "makes the shape ()"),
        (straight("g", forward="x / 2"), "and it should be 2.5"),
        (straight("torch.ones_like(g)"), "a 1 goes on"),
        (straight("0 * g"), "nothing moves"),
        (straight("1.0"), "returns a plain number"),
        (straight("2 * g"), "over a whole euro"),
        (straight("-g"), "does the rounded fare fall"),
        (straight("3 * g"), "it sends back 30"),
        (straight("torch.round(2 * g) / 2"), "Is what arrives to be rounded"),
        (straight("g").replace("return torch", "torch"), "forward() returns nothing"),
        (straight("g").replace("return g", "g"), "nothing goes on to x. Is a return missing"),
        (STARTED, "returns nothing yet"),
        (straight("g + half"), "does not know the name half"),
        (straight("g", forward="torch.ceil(2 * x) / 2"), "of 2.6 forward() makes 3"),
        (straight("g", forward="round(2 * x) / 2"), "Python's own round()"),
        (straight("g * x").replace("(x,) = ctx.saved_tensors", "pass"), "the x of an earlier cell"),
        (straight("g * x"), "that multiplies by x"),
        (straight("g * g"), "multiplied in twice"),
        (straight("[g]"), "no square brackets"),
        (straight("g.item()"), "Go on with the tensor itself"),
        (straight("g").replace("def backward(", "def backwards("), "has no method backward()"),
        (straight("g").replace("ctx, x", "x"), "is handed ctx, x"),
    ],
    "checker": [
        (by_hand("True"), "True to every rule"),
        (by_hand("False"), "without running the rule"),
        (checker("[-1.3, 0.4, 2.5]", kind="torch.float32"), "How many digits"),
        (checker("[-1.3, 0.4, 2.5]", "torch.float32", ""), "It even stops with an error. How many"),
        (checker("[-1.3, 0.4, 2.5]", option=", rtol=1e-12, atol=0"), "with an error. How far may"),
        (checker("[-1.3, 0.4, 2.5]", option=WIDE), "with the rtol and atol"),
        (checker("[-1.3, 2.5]").replace(", requires_grad=True", ""), "asks for a gradient"),
        (checker("[-1.3, 0.4, 2.5]").replace("return torch", "torch"), "returns nothing"),
        (by_hand("0"), "it returned int"),
        (checker("[1.0]"), "says 3x where"),
        (checker("[0.4, 2.5]"), "negative numbers only gets through"),
        (checker("[-0.4, -2.5]"), "positive numbers only gets through"),
        (checker("[-0.4, 2.5]", option=""), "it stops with an error of gradcheck"),
        (ONES, "does not use g gets through"),
        (by_hand("all(checked(rule.apply, at) for at in (-1.3, 2.5))"), "checked gives you a line"),
        (by_hand("checked(rule.apply, 2.0) == True"), "Is a text ever equal to True"),
        (by_hand("'Error' in checked(rule.apply, -1.3)"), "Which is True, and which False"),
        (checker("[-1.0, 1.0]"), "a rule that says 3x⁴"),
        (checker("[-1.3, 2.5]").replace("rule.apply", "rule"), "it calls the class itself"),
        (ONE_RIGHT, "What does your function do when one point is right"),
        (by_hand("checked(rule.apply, -1.3)"), "the line of text that checked makes"),
        (checker("[-1.3, 2.5]").replace("rule.apply, (x", "rule.apply(x), (x"), "handed a result"),
        (by_hand("nudged(rule.apply, 2.5) > 18"), "A nudge runs forward() alone"),
        (IN_THE_LOOP, "It was run at 2.5 and nowhere else"),
    ],
    "own rule": [
        (own("torch.sin(x)", "g * torch.sin(x)"), "it differs"),
        (own("torch.sin(x)", "-g * torch.cos(x)"), "in their sign alone"),
        (own(SMALL_JUMP, "g * torch.cos(x)"), "near x = 0.05 the value itself jumps"),
        (own("torch.sin(x)", "g * cosine"), "does not know the name cosine"),
        (own("torch.sin(x)", "g").replace("return torch", "torch"), "forward() returns nothing"),
        (own("x**2", "2 * g"), "numerical: -2, analytical: 2."),
        (own("torch.tanh(x)", "g * 1 - torch.tanh(x)**2"), "Is g a factor of all"),
        (own("torch.sin(x)", "[g]"), "no square brackets"),
        (own("sin(x)", "g * torch.cos(x)"), "forward() does not know the name sin"),
        (own("x * 1", "g"), "it returns its input"),
        (own("x**3", "g * 3 * x**2"), "has its rule in section 2"),
        (own("torch.log(1 + torch.exp(x))", "g / (1 + torch.exp(-x))"), "softplus has its rule"),
        (own("2 * x + 1", "g * 2"), "a straight line"),
        (own("torch.sin(x)", "g * torch.cos(x)", ends="2, -1"), "is to be larger"),
        (own("torch.sin(x).sum()", "g * torch.cos(x)"), "one for each is wanted"),
        (own("x**4", "4 * x**3"), "whether 1 arrives or 2"),
        (own("torch.abs(x)", "g * torch.sign(x)", ends="-1, 1"), "at x = 0 the slope jumps"),
        (own("torch.relu(x - 0.5)", "g * (x > 0.5)"), "at x = 0.5 the slope jumps"),
        (own("torch.floor(x)", "0 * g", ends="-1, 2"), "at x = -1 the value itself jumps"),
        (own("torch.sin(x)", "g * torch.cos(x)", ends="0, 1e-9"), "in so narrow a range"),
        (own("torch.abs(x)", "g * torch.sign(x)"), "the slope jumps"),
        (own("torch.floor(x)", "0 * g", ends="0.3, 2.1"), "the value itself jumps"),
        (own("1 / x", "-g / x**2", ends="-1, 1.3"), "near x = 0 the value grows without bound"),
        (own("1 / (x - 0.37)**2", "-2 * g / (x - 0.37)**3"), "near x = 0.37 the value grows"),
        (own("torch.sqrt(x)", "g / (2 * torch.sqrt(x))", ends="0, 2"), "leads out of the range"),
        (own("x**2", "g * x / (x - x)"), "gives no finite number"),
        (own("torch.sin(x)", "g * torch.cos(x)", ends="'a', 2"), "are to be numbers"),
        (own("torch.log(x)", "g / x"), "its value is nan"),
        (own("torch.exp(x)", "g"), "at x = -1 it differs: numerical: 0.36"),
    ],
}
