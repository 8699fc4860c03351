"""What notebook 00 asks for."""

from __future__ import annotations

from functools import partial

from minigrad import lesson

# Questions stand here and not in the notebook, so that their answers are not read there.

one_plus_one = partial(
    lesson.predict,
    "How many nodes does one + one add to the graph?",
    1,
    choices=[0, 1, 2, 3],
    mistakes={
        0: "That would be so if nothing required a gradient.",
        2: "The two inputs are one tensor, and it is no operation.",
        3: "Inputs are no operations: only the addition is.",
    },
    because="One operation, one node. Its two edges lead to the same tensor.",
)

its_gradient = partial(
    lesson.predict,
    "What will one.grad be after two.backward()?",
    2.0,
    mistakes={1.0: "That is what one edge carries. Two edges lead to the leaf."},
    because="two = 2 * one, so it moves twice as far as one does.",
)

square = lesson.Exercise(
    "square",
    answer=9.0,
    mistakes={
        6.0: "that is 3 + 3. Multiply 3 by itself.",
        3.0: "that is a alone. Multiply it by itself.",
        1.0: "that is 3 / 3. Multiply 3 by itself.",
        27.0: "that is 3 * 3 * 3: one factor too many.",
    },
)
