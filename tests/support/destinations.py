# SPDX-License-Identifier: Apache-2.0
"""Strided destinations in memory that shows when a byte beside them was touched."""

import numpy as np

CANARY = 0xA5


class Destination:
    """
    An array of `shape` inside a larger block: axes in any order in memory, padded, stepped and
    reversed, at any offset. `axes` holds, for each axis from the outermost in memory, (axis, step,
    padding before, padding after), with a negative step for a reversed axis.
    """

    def __init__(self, shape, dtype, axes, offset=0):
        self.dtype = np.dtype(dtype)
        self.void = np.dtype(f"V{self.dtype.itemsize}")
        lengths, slices = [], []
        for axis, step, before, after in axes:
            span = shape[axis] * abs(step)
            lengths.append(before + span + after)
            slices.append(slice(before, before + span, abs(step)))
        count = int(np.prod(lengths, dtype=int))
        self.block = np.full(offset + count * self.dtype.itemsize + 64, CANARY, np.uint8)
        inner = self.block[offset : offset + count * self.dtype.itemsize].view(self.void)
        view = inner.reshape(lengths)[tuple(slices)]
        view = view[tuple(slice(None, None, 1 if a[1] > 0 else -1) for a in axes)]
        self.raw = view.transpose(np.argsort([a[0] for a in axes]))
        self.array = self.raw.view(self.dtype)
        assert self.array.shape == tuple(shape)

    def check(self, expected):
        """The array is `expected`, byte by byte, and nothing else in the block was touched."""
        assert np.ascontiguousarray(self.raw).tobytes() == np.ascontiguousarray(expected).tobytes()
        self.untouched()

    def untouched(self):
        self.raw[...] = np.frombuffer(bytes([CANARY]) * self.void.itemsize, self.void)[0]
        outside = np.flatnonzero(self.block != CANARY)
        assert not len(outside), f"bytes outside the destination were written: {outside[:10]}"
