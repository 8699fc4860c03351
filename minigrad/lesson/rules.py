"""The rules of the course by name, and texts that say which of them a mistake breaks."""

from __future__ import annotations

from collections.abc import Collection

RULES = {
    "direction": "A gradient says which way and how fast the loss moves when the value moves.",
    "multiply": "Along a path, the local slopes are multiplied.",
    "local": "Each operation has its own local slope for each of its inputs.",
    "fills": "backward() fills .grad; only a step moves a number.",
    "record": "An operation that runs leaves one node, if an input requires a gradient.",
    "leaf": "A leaf is a value that no recorded operation made.",
    "add": "Where paths meet, what arrives is added.",
    "wait": "A node passes its gradient on only after all of it has arrived.",
    "accumulate": "backward() adds to .grad; it does not replace what is there.",
    "ran": "Only what ran counts: a line or a branch that did not run leaves nothing.",
    "shape": "A gradient has the shape of its tensor.",
    "align": "Shapes are aligned at the right, and lengths of 1 are stretched.",
    "freed": "A backward pass frees what was saved; another needs a new forward pass.",
}
"""Each rule in one sentence, in the order in which the lessons teach them."""

TAUGHT = {
    "direction": 0,
    "multiply": 0,
    "local": 0,
    "fills": 0,
    "record": 1,
    "leaf": 1,
    "add": 2,
    "wait": 2,
    "accumulate": 2,
    "ran": 3,
    "shape": 4,
    "align": 4,
    "freed": 5,
}
"""The lesson in which each rule is first taught. What comes later is not offered before."""


class Broke(str):
    """A text about a mistake, which knows the ``rule`` that was broken."""

    __slots__ = ("rule",)
    rule: str


def broke(rule: str, text: str) -> Broke:
    """The ``text`` about a mistake, marked with the rule of the course that the mistake breaks.

    Made for the values of ``mistakes`` and for what a judge returns. It is a str like any other.
    In a notebook the page asks which rule was broken before it shows the text. ValueError: no
    such rule is in ``RULES``. TypeError: the text is none.

    >>> import minigrad as torch
    >>> said = torch.lesson.broke("add", "That is only the path through c.")
    >>> said, said.rule
    ('That is only the path through c.', 'add')
    >>> torch.lesson.RULES[said.rule]
    'Where paths meet, what arrives is added.'
    """
    if rule not in RULES:
        raise ValueError(f"no rule is called {rule!r}: choose one of {', '.join(RULES)}")
    if not isinstance(text, str):
        raise TypeError(f"broke(rule, text): the text must be a str, not {type(text).__name__}")
    marked = Broke(text)
    marked.rule = rule
    return marked


def rule_of(text: str) -> str:
    """The rule that a text is marked with; "" if there is none."""
    return text.rule if isinstance(text, Broke) else ""


def either(one: str, other: str) -> str:
    """Two mistakes that come to the same answer, as one text; and their rule, if they share it."""
    text = f"{one} Or: {other}"
    rule = rule_of(one)
    return broke(rule, text) if rule and rule == rule_of(other) else text


def offered(rule: str, without: Collection[str] = ()) -> list[str]:
    """Three rules to choose from: this one, and the two nearest that are taught by then.

    ``without``: rules that are no choice where the question is asked. The order is always the
    same, and the right one stands first for some rules, second or third for others.

    >>> offered("add")
    ['add', 'wait', 'accumulate']
    >>> offered("add", without=["accumulate", "record", "leaf", "fills"])
    ['add', 'wait', 'local']
    """
    names = list(RULES)
    place = names.index(rule)

    def far(other: str) -> tuple[int, int]:
        return TAUGHT[rule] - TAUGHT[other], abs(names.index(other) - place)

    known = [name for name in names if TAUGHT[name] <= TAUGHT[rule] and name not in without]
    nearest = sorted((name for name in known if name != rule), key=far)
    three = nearest[:2]
    three.insert(place % 3, rule)
    return three
