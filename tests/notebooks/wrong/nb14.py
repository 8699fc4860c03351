"""Wrong solutions of notebook 14's exercises, each with a part of what it is told."""

RIGHT = [True, True, True, True, False, False, False, True]


def same(*wrong):
    mine = [one != (number in wrong) for number, one in enumerate(RIGHT, 1)]
    return f"mine = {mine}\n\ncheck(nb14.same, mine)\n"


def data(*lines):
    body = "".join(f"    {line}\n" for line in lines)
    return (
        f"def digits_for(torch):\n    digits = minigrad.datasets.digits()\n{body}\n\n"
        "check(nb14.data, digits_for)\n"
    )


def port(line, *more, program="import minigrad as torch"):
    text = "\n".join(
        [
            "",
            program,
            "w = torch.tensor(2.0, requires_grad=True)",
            "(w * w).backward()",
            "print(w.grad)",
            "print(w)",
            *more,
            "",
        ]
    )
    return f"program = {text!r}\nimports = {line!r}\n\ncheck(nb14.port, (program, imports))\n"


BOTH = "import minigrad as torch\nfrom minigrad import nn"
X, Y = "torch.from_numpy(digits.x.numpy())", "torch.from_numpy(digits.y.numpy())"

WRONG = {
    "same": [
        (same(1), "Look at line 1"),
        (same(2), "Look at line 2"),
        (same(3, 4), "2 answers are not right yet. Look at line 3"),
        (same(5), "Look at line 5"),
        (same(6, 7), "Look at line 6"),
        (same(8), "Look at line 8"),
        ("check(nb14.same, [True, False])", "a list of 8 answers"),
        ('check(nb14.same, ["same"] * 8)', "each answer is True or False"),
    ],
    "data": [
        (data("return digits.x, digits.y"), "which PyTorch cannot compute with"),
        (data(f"return {X}"), "two things are wanted"),
        (data(f"print({X}, {Y})"), "it returns None. Does it end with a return?"),
        (data("return torch.asarray(digits.x), digits.y"), "it asks for "),
        (data("return digits.x.numpy(), digits.y.numpy()"), "it returns ndarray and ndarray"),
        (
            data(f"return {X}, {Y}.float()"),
            "the labels were torch.int64, and now they are torch.float32",
        ),
        (data(f"return {X}.flatten(1), {Y}"), "; in minigrad's data it is (1437, "),
        (data(f"return {Y}, {X}"), "the labels come first"),
        (data(f"return {X}, {Y}[:9]"), "one digit for each image"),
        (data(f"return {X}.requires_grad_(), {Y}"), "the images require a gradient"),
        (data(f"return {X}, {Y}.flip(0)"), "the labels are not those of minigrad's data"),
        (data(f"return {X} / 16, {Y}"), "Were they changed on the way"),
        (data(f"return {X}[:100], {Y}[:100]"), "there are 100 of each, and all 1437 are wanted"),
        (data("return torch.from_numpy(digits.x), digits.y"), "takes an array of NumPy's"),
        (
            data("own = torch.datasets.digits()", "return own.x, own.y"),
            "and PyTorch has no such name",
        ),
    ],
    "port": [
        (port("import minigrad as torch", "print(1)"), "line 1 of the new ones still takes torch"),
        (
            port("import torch", "print(1)", program=BOTH),
            "line 3 of the program brings the name nn, which is minigrad's there, and no new line",
        ),
        (
            port("import torch\nfrom minigrad import nn", "print(1)", program=BOTH),
            "line 2 of the new ones still takes nn from minigrad",
        ),
        (
            port("import torch", "print(1)", program=f"{BOTH}, datasets"),
            "line 3 of the program takes datasets from minigrad, and PyTorch has no such name",
        ),
        (port("import torch"), "it prints 2 of the 3 lines"),
        (port("import torch", "print(1)").replace(".backward()", ""), "it computes no gradient"),
        (port("import troch", "print(1)"), "They bring troch."),
        (port("import pytorch as torch", "print(1)"), "line 1 of them raises ModuleNotFound"),
        (port("import torch as pt", "print(1)"), "no new line brings torch"),
        (port("import torch", "print(1)", program="import torch"), "so there is none to change"),
        (
            port("import torch", "print(1)", program="import minigrad\nimport torch"),
            "line 3 of the program imports PyTorch already",
        ),
        (
            port(
                "import torch\nimport torch.nn as F",
                "print(F.relu(w))",
                program="import minigrad as torch\nimport minigrad.nn.functional as F",
            ),
            "in the program, F stands for minigrad.nn.functional",
        ),
        (
            port(
                "import torch\nfrom torch.lesson import check",
                "print(1)",
                program="import minigrad as torch\nfrom minigrad.lesson import check",
            ),
            "line 3 of the program takes lesson from minigrad",
        ),
        (
            port("import torch", "print((w * 2).grad_fn.saved)"),
            "line 7 of the program asks a node for .saved",
        ),
        (port("import torch", 'print("a\nb")'), "write r in front of the quotation marks"),
        (port("import torch", "print(torch.nothing)"), "before anything is moved, line 7 raises"),
        (port("import torch", "print(input())"), "line 7 of the program waits for something"),
        (port("\n...\n", "print(1)"), "Its new import lines are missing"),
        (
            "check(nb14.port, ('import minigrad as torch', 'import torch'))\n",
            "the new import lines are there. Your program is missing",
        ),
        (port("import torch", "x = ("), "line 7 raises SyntaxError"),
        (port("import torch", "print(torch.randn(2))"), "let them begin from a seed"),
        (port("import torch", "print(torch.datasets)"), "That name is minigrad's own"),
        (port("import torch", "print(torch.__name__)"), "line 3 of what it prints is 'minigrad'"),
        (port("torch", "print(1)"), "only lines that import something are wanted"),
    ],
}
