"""Random steps leave the same behind, compiled; more of them: ``random_steps.py --count 2000``."""

from __future__ import annotations

import warnings

import pytest
from random_steps import difference, step_of


@pytest.mark.parametrize("seed", range(300))
def test_a_random_step_does_the_same_compiled(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = step_of(seed)
        wrong, _ = difference(seed, text)
    assert not wrong, f"{wrong}\n{text}"


def test_most_random_steps_are_served_by_programs():
    kinds = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(60):
            _, found = difference(seed, step_of(seed))
            kinds.update({seed: "served" in found})
    assert sum(kinds.values()) > 0.7 * len(kinds)
