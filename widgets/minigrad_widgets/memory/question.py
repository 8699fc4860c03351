"""The prediction that ``MemoryTape`` asks for before it shows the curve: how high is the peak?"""

from __future__ import annotations

from typing import Any

UNITS = {"MiB": 1024**2, "KiB": 1024, "bytes": 1}
NEAR = 0.1  # of the true number


def question_of(data: dict[str, Any]) -> dict[str, Any]:
    """The question, as the page gets it (``Question`` in ``question.ts``)."""
    peak = data["peak"]["bytes"]
    unit = unit_of(peak)
    says = {"MiB": "1 MiB is 1,024 KiB", "KiB": "1 KiB is 1,024 bytes", "bytes": ""}[unit]
    text = number(peak, unit)
    return {
        "version": 1,
        "question": f"How many {unit} have the operations saved at the peak, when most is there?"
        + (f" ({says}.)" if says else ""),
        "choices": None,
        "answer": {"text": f"{text} {unit}", "value": {"number": near(text)}},
        "mistakes": mistakes(data, unit),
        "tolerance": NEAR,
        "hint": "Count the arrays that are needed for the backward pass and are there at one time, "
        "each once: its numbers, times the bytes of one (4 in float32). Parameters do not count.",
        "because": because(data),
        "unread": "",
    }


def unit_of(count: int) -> str:
    if count >= UNITS["MiB"] / 2:
        return "MiB"
    return "KiB" if count >= 512 or not count else "bytes"


def number(count: float, unit: str) -> str:
    """In this unit, as it is typed: "12", "1.53"."""
    return f"{count / UNITS[unit]:.4g}"


def near(text: str) -> str:
    """The same number, so written that one near to it counts too: a whole one must be exact."""
    return text if "." in text or "e" in text else f"{text}.0"


def mistakes(data: dict[str, Any], unit: str) -> list[dict[str, Any]]:
    """What is answered if one counts something else; nothing that is near to what is right."""
    peak = data["peak"]["bytes"]
    at = data["peak"]["at"]
    buffers = data["buffers"]
    there = [one for one in buffers if one["made"] <= at < (one["freed"] or at + 1)]
    each = sum(one["bytes"] * max(1, len(one["by"])) for one in there)
    known = [
        (
            sum(one["bytes"] for one in buffers),
            "That is all that was ever saved. Some of it was freed before the rest came.",
        ),
        (
            each,
            "That counts some arrays twice: what two operations have saved is there only once.",
        ),
        (
            peak + data["leaves"],
            "That counts the parameters that operations have saved. They are there anyway.",
        ),
        (peak / 4, "That is how many numbers there are. In float32 each takes 4 bytes."),
        (
            data["curve"][-1],
            "That is what is left at the end. The peak is the most that was there at one time.",
        ),
    ]
    found: list[dict[str, Any]] = []
    taken = [float(peak)]
    for value, why in known:
        if all(abs(value - one) > 2 * NEAR * max(value, one, 1) for one in taken):
            taken.append(float(value))
            text = number(value, unit)
            about = {"number": near(text)}
            found.append({"text": f"{text} {unit}", "value": about, "why": why})
    return found


def because(data: dict[str, Any]) -> str:
    """Where the peak was."""
    line = data["peak"]["line"]
    if not data["peak"]["bytes"]:
        return "No operation has saved an array for a backward pass."
    where = ""
    if line >= 0:
        place = data["lines"][line]
        where = f", {place['file']} line {place['line']}: `{place['text']}`"
    return f"The peak is at moment {data['peak']['at']}{where}."
