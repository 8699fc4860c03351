"""How programs ask, several times in one run, whether something is refused."""

from __future__ import annotations


def refusal(attempt, *args, **options):
    """The kind of error that this raises, with the first words of its message, or "accepted"."""
    try:
        attempt(*args, **options)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split()[:4])}"
    return "accepted"
