"""Exercises of notebook 07 about trees: a value by recursion, and a network for nested lists."""

from __future__ import annotations

import ast
import contextlib
import dis
import itertools
import re
from typing import Any

import minigrad as torch
from minigrad import lesson, nn
from minigrad.lesson import broke
from minigrad.lesson.attempt import told
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .code_names import names_in
from .graphs import nodes
from .nb07_runs import exact, tree_of

# ------------------------------------------------------------------------- a value by recursion

TEXTS = (
    "True",
    "False",
    "not True",
    "not False",
    "False and False",
    "True and False",
    "False or True",
    "False or False",
    "True and True",
    "True or True",
    "not (True and not False)",
    "True and True and False",
    "not (False or (True and not (False or False)))",
)


OP_TEXTS = {"and", "or", "not"}


def never_equal(function: Any) -> str:
    """Why no comparison of tree.op with a class or a text holds; "" if there is none."""
    if not compares(function):
        return ""
    constants = getattr(getattr(function, "__code__", None), "co_consts", ())
    texts = [one for one in constants if isinstance(one, str)]
    if any(one.strip(" <>()").lower() in OP_TEXTS for one in texts):
        return TEXT_OF_OP
    return CLASS_OF_OP


def compares(function: Any) -> bool:
    """Does a function ask with == or `is`?"""
    asks = {"COMPARE_OP", "IS_OP"}
    return any(one.opname in asks for one in dis.get_instructions(function))


AND_OR = TEXTS[4:8]  # one operation with two sides
THREE_SIDES = "True and True and False"


def judge_value(value: Any) -> str | None:
    """Gives it expressions of growing depth, as trees."""
    if not callable(value):
        return "a function is wanted."
    if "eval" in names_in(value):
        return (
            "Python's eval() works all of it out: so it has done the recursion, which you were to "
            "write. Ask for the value of each side by calling value() itself."
        )
    for text in TEXTS:
        try:
            result = value(tree_of(text))
        except NotImplementedError:
            return None
        except RecursionError:
            return (
                f"for {text} it calls itself without end. Each call has to get a smaller tree than "
                "the one before: is one of the sides handed on, or the tree itself?"
            )
        except Exception as error:
            return f"for {text} {told(error)}{why_raised(error, value, text)}"
        if is_open(result) or is_stub(value, result):
            return None
        if result is None:
            return f"for {text} it returns nothing." + (
                never_equal(value) or " Does each way through it return a value?"
            )
        if isinstance(result, ast.AST):
            return f"for {text} it returns a piece of the tree, and not a value."
        if isinstance(result, (list, tuple, map)):
            return (
                f"for {text} it returns a {type(result).__name__} with a value for each side, and "
                "one value is wanted."
            )
        if type(result) is int and result < 0:
            return f"for {text} it gives {result}: {SIGNS[result < -1]} {AS_NUMBERS}"
        if type(result) is int and result > 1:
            return (
                f"for {text} it gives {result}, and the value of an expression is True or False. "
                f"{AS_NUMBERS}"
            )
        if bool(result) != eval(text):
            return said_of(text, bool(result), value)
    return ""


CLASS_OF_OP = (
    " (Which of your conditions comes true? `tree.op` is an object of a class, and never the class "
    "itself, so `==` and `is` find that they differ. Ask for its class as the first line does.)"
)


TEXT_OF_OP = (
    " (Which of your conditions comes true? `tree.op` is an object of a class, never a text, so "
    "a comparison with a text fails. Ask for its class as the first line does.)"
)
NO_OP = (
    " (`tree.op` says which of the two it is, and your function never looks there: `tree` itself "
    "is a `BoolOp` in both cases.)"
)
SIGNS = (
    "a minus makes a negative number of what is true.",
    "the sign ~ turns the binary digits of a number round.",
)
AS_NUMBERS = "(In Python True counts as the number 1, and any number but 0 counts as true.)"


def why_raised(error: Exception, value: Any, text: str) -> str:
    """What is added to an error that came of an expression."""
    if text == THREE_SIDES and isinstance(error, (TypeError, ValueError)):
        return "\n  (The list `values` may hold more than two sides, and here it does.)"
    return why_no_attribute(error, value)


def why_no_attribute(error: Exception, value: Any) -> str:
    """What is added if a piece of the tree was asked for what it does not have."""
    if not isinstance(error, AttributeError):
        return ""
    if why := never_equal(value):
        return f"\n {why}"
    if isinstance(error.obj, ast.AST):
        return (
            f"\n  (The tree is a {type(error.obj).__name__} there. A `Constant` has a `value`, a "
            "`UnaryOp` an `operand`, a `BoolOp` a list of `values`.)"
        )
    return f"\n  (value() takes a tree, and it was given a {type(error.obj).__name__}.)"


def said_of(text: str, result: bool, value: Any) -> str:
    begins = f"`{text}` is {not result}, and your value gives {result}"
    if text in ("not False", "False and False"):
        return (
            f"{begins}: are the sides values, or still pieces of the tree? (A piece "
            "of a tree counts as true.)"
        )
    if text in ("not True", "not False"):
        return f"{begins}: what becomes of the `not`, once its side is worked out?"
    if text in AND_OR:
        return begins + mixed_up(value)
    if text == "True and True":
        return begins + always("and", value)
    if text == THREE_SIDES:
        return f"{begins}: one `and` may have more than two sides."
    if "(" in text:
        return f"{begins}: it goes wrong where operations are nested."
    return f"{begins}."


def mixed_up(value: Any) -> str:
    """What is said if an and, an or, or both are taken for the other."""
    try:
        found = {text: bool(value(tree_of(text))) for text in AND_OR}
    except Exception:
        return "."
    if found["True and False"] and not value(tree_of("False and True")):
        return ": only the first side is looked at."
    taken = {word: is_other(found, word) for word in ("and", "or")}
    if all(taken.values()):
        return ": `and` and `or` have changed places."
    for word, wrong in taken.items():
        if wrong:
            return f": `{word}` is treated like the other word.{why_alike(value)}"
    return always("or", value)


def always(word: str, value: Any) -> str:
    """What is said if a word comes out the same whatever its sides are; else a full stop."""
    sides = itertools.product((True, False), repeat=2)
    found = {bool(value(tree_of(f"{one} {word} {other}"))) for one, other in sides}
    if len(found) > 1:
        return "."
    return (
        f": `{word}` comes out as {found.pop()} whatever its sides are. Does your function begin "
        "with a value that no side can change?"
    )


def why_alike(value: Any) -> str:
    """What is added if a function does not tell an and from an or."""
    if "op" not in names_in(value):
        return NO_OP
    return never_equal(value)


def is_other(found: dict[str, bool], word: str) -> bool:
    """Has this word everywhere the value that the other one would have?"""
    texts = [text for text in found if f" {word} " in text]
    other = {"and": " or ", "or": " and "}[word]
    return all(found[text] == eval(text.replace(f" {word} ", other)) for text in texts)


value = lesson.Exercise(
    "value",
    judge=judge_value,
    hint="For a constant the answer is tree.value. For all others, first ask value() about each "
    "side, and then put the answers together: with not, all() or any().",
    because="`not value(tree.operand)` for a UnaryOp; all(…) of the values of the sides for an "
    "And, any(…) for an Or.",
)

# ------------------------------------------------------------------------- something nested

NUMBER = 3.0
FLAT = [1.0, 2.0]
THREE = [1.0, 2.0, 3.0]
RIGHT = [1.0, [2.0, 3.0]]
LEFT = [[1.0, 2.0], 3.0]
BELOW_0 = [1.0, 2.0, -2.0]
BOTH_SIDES = [[1.0, 2.0], [3.0, 4.0]]
DEEP = [1.0, [2.0, [3.0, [4.0, [5.0, [6.0, 7.0]]]]]]


def judge_nest(kind: Any) -> str | None:
    """Reads a number and lists in lists: same shape, another graph, and each parameter in use."""
    if not isinstance(kind, type) or not issubclass(kind, nn.Module):
        return "a class is wanted, made from nn.Module."
    torch.manual_seed(5)
    net = kind()
    nothing = not list(net.parameters())
    if nothing and (where := hidden_layers(net)):
        return f"it has no parameters: {where}"
    for thing in (NUMBER, FLAT):
        try:
            found = net(thing)
        except Exception as error:
            return raised(thing, error)
        if is_open(found) or is_stub(kind.forward, found):
            return None
        if found is None:
            return f"for {thing} forward() returns nothing. Does each way through it return a row?"
    if nothing:
        return "it has no parameters: there is nothing to be learned."
    if not isinstance(found, torch.Tensor):
        return f"for [1.0, 2.0] it returns a {type(found).__name__}, and a tensor is wanted."
    if found.grad_fn is None:
        why = f"for [1.0, 2.0] it returns nothing that has a history.{cut_off(kind)}"
        return broke("record", why)
    try:
        three = net(THREE)
    except Exception as error:
        said = wrong_width(error, THREE_IN_A_ROW) or told(error)
        return f"a list may have more than two things; for [1.0, 2.0, 3.0] {said}"
    if not isinstance(three, torch.Tensor):
        return "for [1.0, 2.0, 3.0] it returns no tensor."
    for thing in (RIGHT, LEFT, BELOW_0):
        try:
            net(thing)
        except Exception as error:
            return raised(thing, error)
    if any(not torch.equal(net(thing), net(thing)) for thing in (FLAT, THREE, RIGHT)):
        return "it reads the same list twice, and gives two results: " + what_is_new(kind)
    shapes = {tuple(net(thing).shape) for thing in (NUMBER, FLAT, THREE, RIGHT, DEEP)}
    if len(shapes) > 1:
        return (
            f"a number and lists get the shapes {', '.join(map(str, sorted(shapes)))}. What is "
            "inside of a list has to look like the list itself, whatever that holds."
        )
    sizes = [len(nodes(net(thing))) for thing in (FLAT, RIGHT, DEEP)]
    if not sizes[0] < sizes[1] < sizes[2]:
        return (
            f"[1.0, 2.0], a list in a list, and one of depth 6 leave {sizes} nodes: the graph does "
            "not grow with what is nested." + cut_off(kind)
        )
    if lost := lost_number(net):
        return lost
    if any(torch.allclose(three, net([*FLAT, last]), atol=1e-6) for last in (4.0, -2.0)):
        return "[1, 2, 3] and [1, 2, 4] get the same result: of a list, only two things are read."
    right, left = net(RIGHT), net(LEFT)
    if torch.allclose(right, left, atol=1e-6):
        return (
            "[1, [2, 3]] and [[1, 2], 3] get the same result: what is nested where is lost on the "
            "way."
        )
    net.zero_grad()
    right.sum().backward()
    unused = [name for name, p in net.named_parameters() if p.grad is None]
    if unused:
        why = cut_off(kind) or " Does forward() use all layers?"
        return f"no gradient arrives for [1, [2, 3]] at: {', '.join(unused)}.{why}"
    if differs_from_nudging(net):
        return broke(
            "record",
            "for [[1, 2], [3, 4]] backward() does not find the slopes that nudging finds: a part "
            f"of the history is missing.{cut_off(kind)}",
        )
    return ""


def differs_from_nudging(net: Any, nudge: float = 1e-5) -> bool:
    """Moves each parameter a little, in a direction of its own: is the slope the one of .grad?

    False also where the network cannot compute with sixteen digits.
    """
    with contextlib.suppress(Exception), exact(net) as net:
        net.zero_grad()
        net(BOTH_SIDES).sum().backward()
        return any(abs(slope_along(net, p, nudge)) > 1e-4 for p in net.parameters())
    return False


def slope_along(net: Any, parameter: Any, nudge: float) -> float:
    """By how much the slope of a nudge differs from that of .grad, relative to its size."""
    way, start = torch.randn(parameter.shape), parameter.detach().clone()
    found = []
    with torch.no_grad():
        for step in (nudge, -nudge):
            parameter.copy_(start + step * way)
            found.append(net(BOTH_SIDES).sum().item())
        parameter.copy_(start)
        wanted = (parameter.grad * way).sum().item()
    nudged = (found[0] - found[1]) / (2 * nudge)
    return (nudged - wanted) / (1 + abs(nudged))


MAKES = {"Linear", "Embedding", "Parameter"}


def what_is_new(kind: Any) -> str:
    """What is said if two calls differ: has forward() made a layer, or drawn numbers?"""
    if kind.__name__ in names_in(kind.forward):
        return (
            f"forward() makes a whole new {kind.__name__} at each call, and nobody can train that "
            "one. What reads a part with the weights that are there already?"
        )
    if MAKES & names_in(kind.forward):
        return (
            "forward() makes a new layer at each call, which nobody can train. When does Logic "
            "make its own?"
        )
    return "something in forward() is drawn at random, and no training makes up for that."


def raised(thing: Any, error: Exception) -> str:
    """What is said of an error, with what was read; also why it may have come."""
    if isinstance(error, RecursionError):
        return (
            f"for {thing} forward() calls itself without end. Each call has to get something "
            "smaller than the one before: is a part of the list handed on, or the list itself?"
        )
    if known := rows_below(error) or too_few_dimensions(error) or no_such_row(error):
        return f"for {thing} {known}"
    if thing == FLAT and (known := wrong_width(error, NO_ROWS_YET, "2")):
        return f"for {thing} {known}"
    nested = isinstance(thing, list) and any(isinstance(part, list) for part in thing)
    also = "\n  (A part of a list may be a list itself. What reads such a part?)" * nested
    return f"for {thing} {told(error)}{also}"


def too_few_dimensions(error: Exception) -> str:
    """What is said if a number or a row has fewer dimensions than are wanted; else ""."""
    if "need to be at least 1D" in str(error):
        return (
            "a layer got a tensor without any dimension. How many pairs of brackets make one row "
            "of a number, a tensor of the shape (1, 1)?"
        )
    if "Dimension out of range (expected to be in range of [-1, 0]" in str(error):
        return (
            "rows were to be joined along dimension 1, and they have only the dimension 0: their "
            "shape is (n,). Made of a number in two pairs of brackets, a row has the shape (1, n)."
        )
    return ""


def no_such_row(error: Exception) -> str:
    """What is said if an Embedding has no row for a number; else ""."""
    if not isinstance(error, IndexError) or "index out of range in self" not in str(error):
        return ""
    return (
        "an Embedding has no row for one of the numbers. It has rows for 0, 1, 2 and so on, and a "
        "number in a list may be any number: which layer multiplies it instead?"
    )


THREE_IN_A_ROW = "A layer cannot become wider. How does Logic read an `and` with three sides?"
NO_ROWS_YET = "Has each part of the list been made a row by a layer, before two of them are joined?"


def wrong_width(error: Exception, why: str, columns: str = r"\d+") -> str:
    """What is said if a layer got one row with so many columns, and wants others; else ""."""
    met = re.search(rf"\(1x({columns}) and (\d+)x\d+\)", str(error))
    if not isinstance(error, RuntimeError) or met is None:
        return ""
    return f"a layer got a row of {met[1]} numbers, and it reads rows of {met[2]}. {why}"


def rows_below(error: Exception) -> str:
    """What is said if a layer got its rows below each other; "" if that is not the error."""
    met = re.search(r"\((\d+)x(\d+) and (\d+)x\d+\)", str(error))
    if not isinstance(error, RuntimeError) or met is None:
        return ""
    rows, columns, wanted = map(int, met.groups())
    if rows < 2 or rows * columns != wanted:
        return ""
    return (
        f"a layer got {rows} rows of {columns} numbers, one below the other, and it reads one row "
        f"of {wanted}. In which direction does torch.cat join rows, if you do not tell it?"
    )


def lost_number(net: Any) -> str:
    """What is said if a number may be another one, and the result stays the same."""
    for one, other, why in (
        (1.0, 5.0, "the number itself is not read"),
        ([1.0, 2.0], [5.0, 2.0], "the first of the two is not read"),
        ([1.0, 2.0], [1.0, 5.0], "the second of the two is not read"),
    ):
        if torch.allclose(net(one), net(other), atol=1e-6):
            return f"{one} and {other} get the same result: {why}."
    return ""


def hidden_layers(net: Any) -> str:
    """What is said if layers stand where a module does not look for them."""
    for name, held in vars(net).items():
        inside = held.values() if isinstance(held, dict) else held
        plain = isinstance(held, (list, tuple, dict)) and not name.startswith("_")
        if plain and any(isinstance(one, nn.Module) for one in inside):
            kind = type(held).__name__
            return f"self.{name} is a plain {kind}, in which a module finds no layers."
    return ""


CUTS = {"detach", "item", "no_grad", "tolist", "data"}


def cut_off(kind: Any) -> str:
    """What is added if forward() calls something that leaves the history behind."""
    found = sorted(CUTS & names_in(kind.forward))
    return f" ({found[0]} leaves the history of what is inside behind.)" if found else ""


# ------------------------------------------------------------------------ something of one's own


class Example(nn.Module):
    """A network for nested things, drawn as long as a learner's own one has not passed."""

    def __init__(self) -> None:
        super().__init__()
        self.number = nn.Linear(1, 6)
        self.two = nn.Linear(12, 6)

    def forward(self, thing: Any) -> Any:
        if not isinstance(thing, list):
            return self.number(torch.tensor([[thing]]))
        first, *others = [self(part) for part in thing]
        for other in others:
            first = torch.tanh(self.two(torch.cat([first, other], 1)))
        return first


def described(thing: Any) -> Any:
    """Prints how many numbers a nested thing holds, and how deep; returns it with floats in it."""
    numbers, depth = measured(thing)
    lists = f"{numbers} numbers, and lists nested {depth} deep"
    print(lists if depth else "one number, and no list")
    return with_floats(thing)


def with_floats(thing: Any) -> Any:
    return [with_floats(part) for part in thing] if isinstance(thing, list) else float(thing)


def measured(thing: Any) -> tuple[int, int]:
    if isinstance(thing, tuple):
        raise ValueError(f"a list is wanted for what holds others: write [ ] for ( ) in {thing}")
    if not isinstance(thing, list):
        if isinstance(thing, bool) or not isinstance(thing, (int, float)):
            raise ValueError(f"numbers, and lists of such things, are wanted; this is {thing!r}")
        return 1, 0
    if len(thing) < 2:
        raise ValueError(f"a list has at least two things in it, and this is {thing}")
    parts = [measured(part) for part in thing]
    return sum(numbers for numbers, _ in parts), 1 + max(depth for _, depth in parts)


nest = lesson.Exercise(
    "nest",
    judge=judge_nest,
    hint="If thing is no list, one layer makes a row of it: from torch.tensor([[thing]]). If it is "
    "a list, ask self(…) about each thing in it, and join two rows at a time into one long row, "
    "for another layer.",
    because="As in Logic: one layer makes a row of a number, another one makes a row of two "
    "rows, joined by torch.cat([one, other], 1), and forward() calls itself for each thing in a "
    "list.",
)
