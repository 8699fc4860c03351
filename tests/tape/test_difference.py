"""Two runs of one function side by side: aligned by place, told apart in one sentence."""

from __future__ import annotations

import textwrap

import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.tape import diff, recorder
from minigrad.tape.difference import LONGEST, aligned


@pytest.fixture
def program(tmp_path):
    """A function ``f`` from its source, whose first line is line 1."""

    def define(source):
        file = tmp_path / "program.py"
        file.write_text(textwrap.dedent(source).lstrip())
        namespace = {"torch": torch}
        exec(compile(file.read_text(), str(file), "exec"), namespace)
        return namespace["f"]

    return define


def kinds(found):
    return [kind for kind, _, _ in found.rows]


LOOP = """
    def f(a):
        x = a
        while x < 10:
            x = x * 2
            x = x + 1
        if x > 11:
            y = x * 3
        else:
            y = x ** 2 - 1
        return y
"""


def test_a_branch_and_a_further_pass_are_named_with_their_lines(program):
    assert diff(program(LOOP), {"a": 1.9}, {"a": 1.2}).summary() == (
        "6 operations against 7; the branch at line 6 differs; "
        "1 more pass through lines 4-5 on the right"
    )


def test_the_further_pass_is_the_last_one_not_the_first(program):
    found = diff(program(LOOP), {"a": 1.9}, {"a": 1.2})
    assert kinds(found) == ["value"] * 5 + ["left"] * 2 + ["right"] * 3


def test_every_node_of_both_runs_stands_in_exactly_one_row(program):
    found = diff(program(LOOP), {"a": 1.9}, {"a": 1.2})
    assert [i for _, i, _ in found.rows if i >= 0] == list(range(len(found.left.nodes)))
    assert [j for _, _, j in found.rows if j >= 0] == list(range(len(found.right.nodes)))


def test_equal_runs_are_equal_in_places_and_values(program):
    found = diff(program(LOOP), {"a": 1.9}, {"a": 1.9})
    assert set(kinds(found)) == {"same"}
    assert found.summary() == "6 operations on both sides, in the same places; with the same values"


def test_the_same_way_with_other_numbers_counts_the_values_that_differ(program):
    f = program("def f(a):\n    return (a * 2 - a * 2) * 3")
    assert diff(f, {"a": 1.0}, {"a": 2.0}).summary() == (
        "4 operations on both sides, in the same places; 2 with other values"
    )


def test_another_shape_is_told_from_another_value(program):
    f = program("""
        def f(a, n):
            b = torch.ones(n) if n > 1 else torch.ones(1)
            c = a * 2
            return c * b
    """)
    same = "operations on both sides, in the same places"
    found = diff(f, {"a": 1.0, "n": 1}, {"a": 1.0, "n": 3}).summary()
    assert found == f"2 {same}; 1 with another shape"
    found = diff(f, {"a": 1.0, "n": 1}, {"a": 2.0, "n": 3}).summary()
    assert found == f"2 {same}; 1 with other values; 1 with another shape"


def test_a_branch_inside_a_loop_taken_in_another_order_is_a_branch_not_a_pass(program):
    f = program("""
        def f(a):
            for _ in range(5):
                if a > 3:
                    a = a + 1
                else:
                    a = a * 2
            return a
    """)
    assert diff(f, {"a": 0.2}, {"a": 2.0}).summary() == (
        "5 operations against 5; the branch at line 3 differs"
    )


def test_a_branch_that_each_pass_takes_belongs_to_the_pass(program):
    f = program("""
        def f(a, n):
            for _ in range(n):
                a = a + 1
                if n > 1:
                    a = a * 2
            return a
    """)
    assert diff(f, {"a": 0.5, "n": 3}, {"a": 0.5, "n": 5}).summary() == (
        "6 operations against 10; 2 more passes through lines 3, 5 on the right"
    )


def test_what_follows_an_early_return_belongs_to_its_branch(program):
    f = program("def f(a):\n    if a > 0:\n        return a * 2\n    return a * 3")
    assert diff(f, {"a": 1.0}, {"a": -1.0}).summary() == (
        "1 operation against 1; the branch at line 2 differs"
    )


def test_an_elif_is_a_third_way_of_its_if(program):
    f = program("""
        def f(a):
            if a > 2:
                return a * 2
            elif a > 1:
                return a * 3
            else:
                return a * 4
    """)
    found = diff(f, {"a": 3.0}, {"a": 0.5})
    assert found.branches == [2]
    assert [len(fork.ways) for fork in found.forks] == [3]


def test_a_conditional_expression_is_a_branch(program):
    f = program("def f(a):\n    return a * 2 if a > 0 else a * 3")
    assert diff(f, {"a": 1.0}, {"a": -1.0}).branches == [2]


def test_recursion_counts_passes_without_any_loop(program):
    f = program("""
        def f(a, n):
            if n == 0:
                return a
            return f(a * 2, n - 1)
    """)
    assert diff(f, {"a": 1.0, "n": 1}, {"a": 1.0, "n": 4}).passes == {-3: [4]}


def test_the_text_marks_rows_by_signs_and_folds_long_stretches(program):
    f = program("""
        def f(a, n):
            for _ in range(n):
                a = a * 0.5
            return a
    """)
    assert str(diff(f, {"a": 2.0, "n": 40}, {"a": 2.0, "n": 41})).splitlines() == [
        "40 operations against 41; 1 more pass through line 3 on the right",
        "",
        "   line  a = 2.0, n = 40                 a = 2.0, n = 41",
        "=        a                    2          a                2",
        "=  3     a = a * 0.5          1          a = a * 0.5      1",
        "=  …     37 equal operations",
        "=  3     a = a * 0.5          3.638e-12  a = a * 0.5      3.638e-12",
        "=  3     a = a * 0.5          1.819e-12  a = a * 0.5      1.819e-12",
        ">  3                                     a = a * 0.5      9.095e-13",
    ]


def test_two_results_are_compared_too_as_far_as_their_graphs_remember(program):
    f = program(LOOP)
    one, other = (f(torch.tensor(value, requires_grad=True)) for value in (1.9, 1.2))
    assert diff(one, other).summary() == "6 operations against 7"
    reader = torch.tape.tape.watch()
    try:
        one, other = (f(torch.tensor(value, requires_grad=True)) for value in (1.9, 1.2))
    finally:
        torch.tape.tape.release(reader)
    assert "the branch at line 6 differs" in diff(one, other).summary()


def test_a_run_that_does_not_end_is_stopped_and_an_error_is_the_functions_own(program):
    with pytest.raises(RuntimeError, match="MG114"):
        diff(program("def f(a):\n    while a < 1:\n        a = a * 2"), {"a": 2.0}, {"a": 0.0})
    with pytest.raises(ZeroDivisionError):
        diff(program("def f(a):\n    return a * (1 / 0)"), {"a": 2.0}, {"a": 0.0})
    assert Watch.observer is None


def test_nothing_is_kept_and_nothing_is_changed(program):
    a = torch.tensor(2.0, requires_grad=True)
    diff(program(LOOP), {"a": a}, {"a": a})
    assert a.grad is None and Watch.observer is None


def test_runs_without_any_operation_are_no_problem(program):
    f = program("def f(a):\n    return a")
    assert "0 operations on both sides" in diff(f, {"a": 1.0}, {"a": 2.0}).summary()


def test_very_long_different_middles_are_aligned_without_a_search():
    one, other = ([i % 3 for i in range(LONGEST + 9)], [7 + i % 2 for i in range(LONGEST + 9)])
    rows = list(aligned(["x", *one, "z"], ["x", *other, "z"]))
    assert rows[0] == ("", 0, 0) and rows[-1] == ("", len(one) + 1, len(other) + 1)
    assert len(rows) == 2 + len(one) + len(other)


def test_a_run_is_whole_though_the_program_holds_more_than_the_tape_keeps(program, monkeypatch):
    expected = diff(program(LOOP), {"a": 1.9}, {"a": 1.2}).summary()
    monkeypatch.setattr(recorder, "LIMIT", 30)
    reader = torch.tape.tape.watch()
    held = [torch.ones(1, requires_grad=True) * 2 for _ in range(40)]
    found = diff(program(LOOP), {"a": 1.9}, {"a": 1.2})
    torch.tape.tape.release(reader)
    assert found.summary() == expected and len(held) == 40
