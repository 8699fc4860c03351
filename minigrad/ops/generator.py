"""The source of random numbers: PyTorch's own, from the same seed.

The generator is the Mersenne Twister, which NumPy has too; what is written out here is how
PyTorch seeds it and reads it. Each number of ``rand`` uses up one word of 32 bits, the lower 24
of which make a float32; a float64 is made of two words. Integers are a word, or two if the range
is large, modulo the range. Normal numbers come in pairs (Box and Muller): from 16 on in blocks of
eight pairs, below that one pair after the other, whose second number waits in the generator.
"""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

from ..compat.arguments import ensure
from ..compat.devices import on_cpu
from ..engine.node import TensorBase, new_tensor

STATE = np.dtype("u8, i4, i4, u8, (624,)u8, f8, f8, f8, i8, u8")
"""A generator's state as PyTorch lays it out in bytes.

In this order: the seed; how many words are left; 1; which word is next; the twister's words; 0;
the waiting normal number; 0; whether there is one; 0.
"""


seeding = threading.RLock()
"""Held while a twister is made: two threads may both be the first to draw from a generator."""


class Generator:
    """A source of random numbers with a state of its own. Counterpart: ``torch.Generator``.

    >>> import minigrad as torch
    >>> source = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=source)
    tensor([0.4963, 0.7682])
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = on_cpu(device)
        self._twister: Any = None
        self._waiting: float | None = None  # the second normal number of a pair
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Start from this seed (its lower 32 bits count); returns the generator."""
        whole = isinstance(seed, (int, np.integer))
        ensure(whole, "manual_seed expected a long, but got {}", type(seed).__name__)
        fits = -(2**63) <= seed < 2**64
        ensure(fits, "Overflow when unpacking long long", error=ValueError)
        self._seed = int(seed) % 2**64
        self._twister = None
        self._waiting = None
        return self

    @property
    def _bits(self) -> Any:
        """NumPy's twister, made when it is first used: importing ``np.random`` takes a while."""
        if self._twister is None:
            with seeding:
                if self._twister is None:  # no other thread was quicker
                    twister: Any = np.random.MT19937(0)
                    # Of NumPy's two ways to seed, the older one is PyTorch's.
                    old = np.random.RandomState(self._seed % 2**32)
                    twister.state = old.get_state(legacy=False)
                    self._twister = twister  # complete: an interrupt may come at any time
        return self._twister

    def seed(self) -> int:
        """Start from a seed that nobody can foresee; returns it. Counterpart: ``torch.seed``.

        >>> import minigrad as torch
        >>> source = torch.Generator()
        >>> source.seed() == source.initial_seed()
        True
        """
        return self.manual_seed(int.from_bytes(os.urandom(8)) >> 11).initial_seed()

    def initial_seed(self) -> int:
        """The seed from which it started. Counterpart: ``torch.initial_seed``.

        >>> import minigrad as torch
        >>> torch.Generator().manual_seed(7).initial_seed()
        7
        """
        return self._seed

    def get_state(self) -> Any:
        """Its state as a tensor of bytes. Counterpart: ``torch.get_rng_state``.

        >>> import minigrad as torch
        >>> source = torch.Generator().manual_seed(0)
        >>> state = source.get_state()
        >>> first = torch.rand(2, generator=source)
        >>> _ = source.set_state(state)
        >>> torch.equal(first, torch.rand(2, generator=source))
        True
        """
        twister = self._bits.state["state"]
        used = int(twister["pos"])
        words = twister["key"]
        waiting = self._waiting
        waits = (0, waiting or 0, 0, waiting is not None, 0)
        state = np.array((self._seed, 625 - used, 1, used % 624, words, *waits), STATE)
        return new_tensor(np.frombuffer(state.tobytes(), np.uint8).copy())

    def set_state(self, new_state: Any) -> Generator:
        """Go on from a state that ``get_state`` returned; returns the generator.

        Counterpart: ``torch.set_rng_state``.

        >>> import minigrad as torch
        >>> source = torch.Generator().manual_seed(0)
        >>> state = source.get_state()
        >>> first = torch.rand(2, generator=source)
        >>> _ = source.set_state(state)
        >>> torch.equal(first, torch.rand(2, generator=source))
        True
        """
        if not isinstance(new_state, TensorBase) or new_state._array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        size = new_state._array.size
        ensure(size == 5056, "Expected a CPUGeneratorImplState of size 5056 but found {}", size)
        found = np.frombuffer(new_state._array.tobytes(), STATE)[0]
        self._seed = int(found[0])
        self._waiting = float(found[6]) if found[8] else None
        twister = {"key": found[4].astype(np.uint32), "pos": 625 - int(found[1])}
        self._bits.state = {"bit_generator": "MT19937", "state": twister}
        return self

    def words(self, count: int, bits: int = 32) -> Any:
        """The next words of 32 bits; or of 64, the higher half first."""
        if bits == 32:
            return self._bits.random_raw(count).astype(np.uint32)
        pairs = self._bits.random_raw(2 * count).reshape(count, 2)
        return pairs[:, 0] << np.uint64(32) | pairs[:, 1]

    def uniform(self, count: int, dtype: Any) -> Any:
        """Numbers from 0 up to, not including, 1."""
        if dtype == np.float32:
            numbers = (self.words(count) & 0xFFFFFF).view(np.int32).astype(dtype)
            numbers *= np.float32(2**-24)
            return numbers
        return (self.words(count, 64) & np.uint64(2**53 - 1)) * 2.0**-53

    def order(self, count: int) -> Any:
        """The integers in random order (Fisher and Yates): a place swaps with one not before it."""
        order = list(range(count))
        counts = np.arange(count, 1, -1, dtype=np.uint32)  # how many places it may swap with
        steps = self.words(counts.size) % counts
        for place, step in enumerate(steps.tolist()):
            order[place], order[place + step] = order[place + step], order[place]
        return np.array(order, np.int64)

    def normal_blocks(self, count: int, dtype: Any) -> Any:
        """At least 16 normal numbers."""
        rest = 16 if count % 16 else 0  # of an incomplete block, the last 16 are drawn afresh
        drawn = self.uniform(count + rest, dtype)
        box_muller(drawn[: count // 16 * 16])
        if rest:
            box_muller(drawn[count:])
            drawn[count - 16 : count] = drawn[count:]
        return drawn[:count]

    def normal_pairs(self, count: int) -> Any:
        """Normal numbers in float64, one pair after the other."""
        waiting: list[float] = [] if self._waiting is None else [self._waiting]
        drawn = self.uniform((count - len(waiting) + 1) // 2 * 2, np.float64).reshape(-1, 2)
        radius = np.sqrt(-2 * np.log1p(-drawn[:, 1]))
        angle = 2 * np.pi * drawn[:, 0]
        drawn[:, 0] = radius * np.cos(angle)
        drawn[:, 1] = radius * np.sin(angle)
        found = np.concatenate((waiting, drawn.reshape(-1)))
        self._waiting = None
        if found.size > count:
            self._waiting = float(found[count])
        return found[:count]


def box_muller(numbers: Any) -> None:
    """Turn uniform numbers into normal ones, in their place, in blocks of eight pairs."""
    pairs = numbers.reshape(-1, 2, 8)
    radius = np.sqrt(-2 * np.log(1 - pairs[:, 0]))
    angle = pairs[:, 1] * numbers.dtype.type(2 * np.pi)
    np.multiply(radius, np.cos(angle), out=pairs[:, 0])
    np.multiply(radius, np.sin(angle), out=pairs[:, 1])
