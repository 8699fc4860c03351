"""The exercise of notebook 06 on the first two of its five moves: a hypothesis, and a tool."""

from __future__ import annotations

from typing import Any

from minigrad import lesson

from .nb06_choices import in_words, say_unknown, still_open

CAUSES = {
    "nothing arrives": "no gradient reaches the weights",
    "nothing steps": "gradients reach the weights, and no step uses them",
    "too long": "each step is too long, and leads past the best place",
}
TOOLS = {
    "longer": "train for 500 steps, and look at the loss",
    "weights": "compare the weights before and after the training",
    "grad": "look into .grad after backward()",
}
ASKED = {
    "ruled out": ("Which of these three causes does the symptom rule out already?", CAUSES),
    "tool": ("Which of these three tools tells the two other causes apart?", TOOLS),
}
RIGHT_MOVES = {"ruled out": "too long", "tool": "grad"}
NOT_SO = {
    "nothing arrives": "the optimizer has nothing to work with then, so the weights stay, and the "
    "loss with them. That is the symptom.",
    "nothing steps": "the weights stay then, and the loss with them. That is the symptom.",
    "longer": "which curve would you see in each of the two cases?",
    "weights": "in both cases the weights are the same before and after.",
}


def show_moves() -> None:
    """Two questions, each with three words to choose from."""
    for name, (question, choices) in ASKED.items():
        print(f"{name}: {question}")
        for word, text in choices.items():
            print(f"   {word!r:18} {text}")


def judge_moves(attempt: Any) -> str | None:
    if not isinstance(attempt, dict) or set(attempt) != set(ASKED):
        return "two words are wanted, one behind 'ruled out' and one behind 'tool'."
    for name, (_, choices) in ASKED.items():
        said = attempt[name]
        if said is ... or said == RIGHT_MOVES[name]:
            continue
        if said not in list(choices):
            say_unknown(name, said, choices)
            return None
        return f"{name}: {NOT_SO[said]}"
    return None if still_open(attempt) else ""


moves = lesson.Exercise(
    "first moves",
    answer=in_words(RIGHT_MOVES),
    judge=judge_moves,
    hint="Play one step through in your head, once for each cause: what happens to the weights, "
    "and to the next loss? A tool is of use where the two causes would show different things.",
    because="Steps that are too long move the weights, so the loss would jump about. The two "
    "others leave the weights where they are, and differ only in what backward() has brought.",
)
