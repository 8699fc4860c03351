"""All numbers of a value, as long as the program has them: found, marked, and given in slices."""

from __future__ import annotations

import base64
import gc
import warnings

import numpy as np
import pytest

from minigrad.tape.held import Held, Recent, asked_for, hold, memory_of, recent
from minigrad.tape.slices import FEW, MOST, STORED, first_slices, slice_of
from minigrad.tape.values import capture, summary


def numbers(made):
    """The numbers of a slice, as a page reads them."""
    kind = "<f4" if made["narrow"] else "<f8"
    read = np.frombuffer(base64.b64decode(made["numbers"]), kind)
    return read.reshape(made["shown"])


def asked(value):
    """What a page finds that asks for the rest of a value."""
    return asked_for[summary(value)["more"]]


# ---------------------------------------------------------------------------------- held


def test_of_a_large_value_all_numbers_are_found_as_long_as_the_program_has_them():
    array = np.arange(2000.0).reshape(2, 4, 25, 10)
    found, why = asked(capture(array)).look()
    assert found is array
    assert why == ""


def test_what_the_program_has_dropped_is_found_until_newer_values_need_the_room(monkeypatch):
    small = Recent(3000)
    monkeypatch.setattr("minigrad.tape.held.recent", small)
    held = asked(capture(np.ones((5, 5, 5, 2))))
    gc.collect()
    assert held.look()[0] is not None
    capture(np.ones((5, 5, 5, 2)))
    assert held.look() == (None, "gone")
    assert small.size <= small.room


def test_a_value_larger_than_all_the_room_is_not_held():
    before = recent.size
    held = hold(np.empty(recent.room + 1, np.int8))
    assert recent.size == before
    assert held.look() == (None, "gone")


def test_an_array_that_is_seen_twice_takes_its_room_once():
    small = Recent(1000)
    array = np.ones(100, np.float32)
    small.add(array)
    small.add(array)
    assert small.size == array.nbytes


def test_for_a_while_there_is_more_room_and_then_the_oldest_go():
    small = Recent(1000)
    with small.roomier(2000):
        for _ in range(4):
            small.add(np.ones(100))
        assert small.size == 2400
    assert small.size == 800


def test_a_view_takes_the_room_of_what_it_is_a_view_of():
    base = np.zeros((1000, 10))
    assert memory_of(base[3][None].T) == base.nbytes


@pytest.mark.parametrize("number", [1.0, np.nan, np.inf, 1e30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int64, bool])
def test_a_value_that_was_written_to_is_not_shown_as_what_it_was(number, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.full((3, 10, 10), number).astype(dtype)
    held = asked(capture(array))
    assert held.look()[1] == ""
    array[2, 9, 9] = 0
    assert held.look() == (None, "written")


def test_the_mark_tells_what_is_not_finite_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert capture(np.full((20, 20), 1e38, np.float32)).flaw == ""
        assert capture(np.full((20, 20), np.inf, np.float32)).flaw == "inf"
        assert capture(np.full((20, 20), np.nan)).flaw == "nan"
        assert capture(np.full((20, 20), 60000, np.float16)).flaw == ""


def test_a_value_that_is_shown_whole_needs_no_more():
    for shape in [(), (3,), (8, 8), (1, 1, 8, 8)]:
        assert "more" not in summary(capture(np.ones(shape)))


def test_few_numbers_in_three_dimensions_can_all_be_asked_for():
    held = asked(capture(np.arange(8).reshape(2, 2, 2)))
    gc.collect()
    assert held.look()[0].tolist() == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]


def test_what_a_large_graph_leaves_out_of_a_corner_can_be_asked_for():
    told = summary(capture(np.arange(25.0).reshape(5, 5)), 3)
    assert told["shown"] == [3, 3]
    assert asked_for[told["more"]].look()[0].tolist() == np.arange(25.0).reshape(5, 5).tolist()


def test_a_number_is_that_of_one_value_only():
    one, other = (summary(capture(np.ones((9, 9))))["more"] for _ in range(2))
    assert one != other
    held = Held(lambda: None)
    assert held.number == 0


# ---------------------------------------------------------------------------------- slices


def test_a_slice_is_the_matrix_at_a_place_with_all_its_digits():
    array = np.random.default_rng(0).normal(size=(4, 3, 20, 30)).astype(np.float32)
    made = slice_of(array, (2, 1))
    assert made["at"] == [2, 1]
    assert (numbers(made) == array[2, 1]).all()
    wide = np.array([[1e300, np.nan, -np.inf]])
    assert np.array_equal(numbers(slice_of(wide)), wide, equal_nan=True)


def test_a_vector_is_a_matrix_of_one_row():
    assert slice_of(np.arange(20))["shown"] == [1, 20]


def test_of_a_large_matrix_rows_and_columns_are_left_out_and_no_number_is_made_up():
    array = np.arange(300 * 200.0).reshape(300, 200)
    made = slice_of(array)
    assert made["step"] == [3, 3]  # the same: an image is not distorted
    assert (numbers(made) == array[::3, ::3]).all()
    long = slice_of(np.zeros((10, 3000)))
    assert long["step"] == [1, 24]  # no row of a long matrix is left out


def test_a_part_of_a_large_matrix_is_given_number_by_number():
    array = np.arange(300 * 200.0).reshape(300, 200)
    made = slice_of(array, (), (290, 100), (1, 1))
    assert (numbers(made) == array[290:, 100:200]).all()
    assert slice_of(array, (), (0, 0), (1, 1))["shown"] == [MOST, MOST]


@pytest.mark.parametrize("at", [(), (4, 0), (-1, 0), (0, 0, 0)])
def test_there_is_no_slice_at_a_place_that_there_is_not(at):
    with pytest.raises(IndexError):
        slice_of(np.zeros((4, 3, 2, 2)), at)


def test_stored_are_the_first_slices_as_many_as_there_is_room_for():
    small = first_slices(np.zeros((2, 4, 12, 12)))
    assert [one["at"] for one in small[:3]] == [[0, 0], [0, 1], [0, 2]]
    assert len(small) == 8
    images = first_slices(np.zeros((32, 3, 64, 64)))
    assert [one["shown"] for one in images] == [[STORED, STORED]] * (FEW // STORED**2)
    assert first_slices(np.zeros((3, 0, 4))) == []
