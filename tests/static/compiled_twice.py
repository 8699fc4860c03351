"""Two runs of one program, as it stands and compiled, and what they leave behind, bit for bit."""

from __future__ import annotations

import warnings

import minigrad as torch


def bits(thing):
    """What can be seen of a result: of tensors the numbers, types, shapes and gradients."""
    if isinstance(thing, torch.Tensor):
        array = thing.detach().numpy()
        facts = array.shape, array.dtype.name, array.tobytes()
        return facts, thing.requires_grad, bits(thing._grad)
    if isinstance(thing, (list, tuple)):
        return [bits(part) for part in thing]
    if isinstance(thing, dict):
        return {key: bits(part) for key, part in thing.items()}
    return repr(thing)


def outcome(step, arguments):
    try:
        return bits(step(*arguments))
    except Exception as error:
        return type(error).__name__, str(error)


def histories(make, arguments, calls=5):
    """What each call leaves behind, as it stands and compiled; and the compiled function.

    ``make()`` returns a step and a function that says what to look at after it.
    """
    found = []
    for compiling in (False, True):
        torch.manual_seed(0)
        step, look = make()
        if compiling:
            step = torch.compile(step)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            history = [(outcome(step, arguments(call)), bits(look())) for call in range(calls)]
        found.append([*history, bits(torch.get_rng_state())])
    return *found, step


def served(compiled):
    """How many calls were served by programs."""
    return sum(program.served for program in compiled.programs)


def refusals(compiled):
    """Why calls were refused: the first line of each reason."""
    return [why.partition("\n")[0] for why in compiled.refused.values()]
