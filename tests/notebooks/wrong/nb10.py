"""Wrong solutions of notebook 10's exercises, each with a part of what it is told."""

LOOK_UP = "[values[one] if isinstance(one, str) else one for one in operands]"


def capture(numbers=LOOK_UP, value=None, last="values[lines[-1].name]", end="program"):
    value = value or "nb10_runs.OPERATIONS[operation](*numbers)"
    return f"""
def capture(f, **example):
    lines = nb10_runs.notes(f, **example)

    def program(**inputs):
        values = dict(inputs)
        for name, operation, operands in lines:
            numbers = {numbers}
            values[name] = {value}
        return {last}

    return {end}


check(nb10.capture, capture)
"""


def two(*numbers):
    return f"mine = [{', '.join(numbers)}]\n\ncheck(nb10.two, mine)\n"


def lines(*numbers):
    return f"mine = [{', '.join(numbers)}]\n\ncheck(nb10.lines, mine)\n"


def repair(*body):
    inside = "\n    ".join(body)
    return f"""
seen = []


def cost(km, rate):
    loss = ((rate * km - 15) ** 2).mean()
    {inside}


check(nb10.repair, cost)
"""


def own(*body, given="torch.randn(8, 3), torch.randn(8, 1)"):
    inside = "\n    ".join(body)
    return f"""
seen = []
w = torch.randn(3, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)


def my_step(x, y):
    {inside}


given = [{given}]

check(nb10.own, (my_step, *given))
"""


SUBTRACTS = "w.sub_(0.01 * w.grad)"
LOSS = "loss = ((x @ w - y) ** 2).mean()"
STEP = ("optimizer.zero_grad()", LOSS, "loss.backward()", "optimizer.step()")

WRONG = {
    "capture": [
        (capture(last="values[lines[0].name]"), "that is the value of its first line"),
        (capture(numbers=LOOK_UP + "[::-1]"), "in the other order"),
        (capture(end="program(**example)"), "and not the function `program`"),
        (capture(last="values"), "returns a dict"),
        (
            capture(numbers="[{**inputs, **values, **example}.get(one, one) for one in operands]"),
            "which is the result for the example",
        ),
        (capture(value="numbers[0]"), "and the function says"),
        (capture(numbers="[values[one] for one in operands]"), "as if it were a name"),
        (capture(last='values["v2"]'), "the value of v2, and the program has 3 lines"),
        (capture(value="nb10_runs.OPERATIONS[operation](numbers)"), "take a list apart"),
        (
            capture(numbers="[inputs[o] if isinstance(o, str) else o for o in operands]"),
            "v1 is looked up where it is not",
        ),
        (
            capture(numbers="[inputs.get(one, one) for one in operands]"),
            "the text “v1” has arrived",
        ),
        (capture(numbers="operands"), "the texts “rate” and “km” have arrived"),
        (capture(value="operation(*numbers)"), "a text is called here"),
        (capture(numbers="[values.get(o) for o in operands]"), "None has arrived"),
        (capture(value="sum(numbers)"), "if each line does the same"),
        (capture(last="values[-1]"), "not by their places"),
        (capture(value="nb10_runs.OPERATIONS[name](*numbers)"), "A line has three parts"),
        (capture(numbers=LOOK_UP.replace("else one", "else 0")), "if 0 arrives in the place"),
        (capture(value="f(*numbers)"), "calls the function again. It should know"),
    ],
    "two programs": [
        (two("300", "310", "320", "330", "340", "350"), "they leave 1 program"),
        (two("300", "310", "320", "600", "610", "620"), "the other 1 times"),
        (two("400", "401", "402", "-200", "-201", "-202"), "the other 3 times"),
        (two("-400", "300", "350", "360", "370", "380"), "the only one of its kind comes first"),
        (two("300", "310", "160", "600", "610", "620"), "they leave 3 programs"),
        (two("300", "300", "310", "-300", "-310", "-320"), "two of them are equal"),
        (two("300", "-300"), "there are 2 readings in the list"),
        (two("300", "310", "0", "-300", "-310", "-320"), "never becomes loud"),
        (two("300", "310", "'loud'", "-300", "-310", "-320"), "has to be a number"),
        (two("300", "310", "float('nan')", "-300", "-310", "-320"), "are no readings"),
    ],
    "five lines": [
        (lines("1", "3", "5", "2", "4"), "A: one number becomes 64"),
        (lines("3", "4", "5", "2", "1"), "B: v7 is the error"),
        (lines("3", "1", "2", "5", "4"), "C: the matrix w2"),
        (lines("3", "1", "5", "4", "2"), "D: which shape"),
        (lines("3", "1", "5", "2", "2"), "is wanted once"),
        (lines("3", "1", "5"), "a list of five numbers"),
        (lines("3", "1", "5", "2", "6"), "E: 6 is none"),
    ],
    "repair": [
        (repair("seen.append(loss.item())", "return loss"), "The list is still filled inside"),
        (repair("return loss.item()"), "The tensor is turned into a number"),
        (repair("seen.append(loss)", "return loss"), "the call has changed `seen`"),
        (repair("return loss"), "What may leave a program in the place of"),
        (repair("return float(loss)"), "float() takes a number"),
        (repair("global last", "last = loss", "return loss"), "A variable outside keeps"),
        (repair("print(loss)", "return loss.detach()"), "print() asks for the numbers"),
        (repair("return rate.detach()"), "Which tensor is the loss?"),
        (repair("loss = loss * 1"), "it returns nothing"),
        (repair("return loss.detach() * 2"), "and the loss is"),
        (repair("rate.requires_grad_(False)", "return loss"), "requires no gradient any more"),
        (repair("return ((rate * km - 15) ** 2).detach()"), "one number is wanted"),
        (repair("return ((2 * km - 15) ** 2).mean()"), "Does your function still ask for"),
    ],
    "own step": [
        (own(LOSS, "loss.backward()", "seen.append(loss.item())", "return 1"), "item() takes"),
        (own("optimizer.zero_grad()", LOSS, "loss.backward()", "return loss"), "every weight is"),
        (own(LOSS, "loss.backward()", "optimizer.step()", "return loss"), "added to the gradients"),
        (own("optimizer.zero_grad()", LOSS, "loss.backward()", "optimizer.step()"), "returns None"),
        (
            own(
                "with torch.no_grad():",
                "    h = x @ w - y * 2",
                *["    h = torch.tanh(h) * 2 + y"] * 3,
                "return h",
            ),
            "Where is backward()?",
        ),
        (own("seen.append(1)", LOSS, "loss.backward()", "return 1"), "changed `seen`"),
        (own("return x @ y"), "RuntimeError"),
        (
            own(LOSS, "loss.backward()", "w -= 0.01 * w.grad", "return loss"),
            "the step assigns to w",
        ),
        (
            own(
                LOSS, "loss.backward()", "optimizer.zero_grad()", "optimizer.step()", "return loss"
            ),
            "thrown away before anything has used",
        ),
        (
            own(
                *("w.grad = None", LOSS, "loss.backward()", "with torch.no_grad():"),
                *("    w.add_(0.1 * w.grad)", "return loss"),
            ),
            "the loss has risen",
        ),
        (
            own(
                *("w.grad = None", "h = x @ w", "loss = ((h - y) ** 2).mean()"),
                *("loss.backward()", "with torch.no_grad():", f"    {SUBTRACTS}", "return y"),
            ),
            "is not one number in a tensor",
        ),
        (
            own(
                *("w.grad = None", LOSS, "loss.backward()", "with torch.no_grad():"),
                *(f"    {SUBTRACTS}", "return y.mean()"),
            ),
            "stays the same when the weights are moved",
        ),
        (
            own(
                *("model = torch.nn.Linear(3, 1)", "mine = torch.optim.SGD(model.parameters())"),
                *("loss = ((model(x) - y) ** 2).mean()", "loss.backward()", "mine.step()"),
                "return loss",
            ),
            "Where are the weights made",
        ),
        (
            own("global w", LOSS, "loss.backward()", "w = w - 0.1 * w.grad", "return loss"),
            "is no leaf any more",
        ),
        (
            own(
                *("global w", LOSS, "loss.backward()", "with torch.no_grad():"),
                *("    w = w - 0.1 * w.grad", "return loss"),
            ),
            "put a tensor without a gradient",
        ),
        (
            own(
                *("w.grad = None", LOSS, "loss.backward()", "with torch.no_grad():"),
                *("    w.sub_(1e12 * w.grad)", "return loss"),
            ),
            "no finite number any more",
        ),
        (own(LOSS, "return loss"), "a result still has its graph"),
        (
            own(STEP[0], LOSS.replace("((x", "-((x"), *STEP[2:], "return loss"),
            "Look at its sign",
        ),
        (own(*STEP, "print(loss)", "return loss"), "Who else could print it"),
        (own(LOSS, "return loss", given="torch.randn(8, 3)"), "it is defined with (x, y)"),
    ],
}
