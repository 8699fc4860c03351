"""Programs about copies that share memory."""

from __future__ import annotations

import copy

EXPRESSIONS = ""


def a_shallow_copy_shares_memory_also_of_a_single_number(torch):
    number, vector = torch.tensor(1.0), torch.zeros(2)
    twins = copy.copy(number), copy.copy(vector)
    for twin in twins:
        twin.add_(5)
    return [number, vector, *twins]


PROGRAMS = (a_shallow_copy_shares_memory_also_of_a_single_number,)
