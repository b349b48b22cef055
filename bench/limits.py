# SPDX-License-Identifier: Apache-2.0
"""What loading is compared with at its best: bare reading and bare decoding, and memory for both."""

import ctypes as c
import dataclasses
import functools
import mmap
import os

import numpy as np
from support import env

CPUS = len(os.sched_getaffinity(0))
PAGE = 4096


@functools.cache
def reading():
    library = c.CDLL(str(env.BUILD / "bench-limit.so"))
    library.bench_pread.argtypes = [c.c_void_p] * 3 + [c.c_size_t, c.c_void_p, c.c_uint, c.c_bool]
    library.bench_cached.argtypes, library.bench_cached.restype = [c.c_char_p], c.c_int64
    return library


@functools.cache
def decoding():
    library = c.CDLL(str(env.BUILD / "bench-codecs.so"))
    library.bench_decode.argtypes = [c.c_char_p] + [c.c_void_p] * 4 + [c.c_size_t, c.c_uint]
    library.bench_decode.restype = c.c_bool
    return library


class Pieces:
    """Bytes of files, one behind the other in memory."""

    def __init__(self, paths, offsets, sizes):
        self.count = len(paths)
        self.paths = (c.c_char_p * self.count)(*map(os.fsencode, paths))
        self.offsets = (c.c_uint64 * self.count)(*offsets)
        self.sizes = (c.c_uint64 * self.count)(*sizes)

    def read(self, out, populate=False):
        failed = reading().bench_pread(
            self.paths, self.offsets, self.sizes, self.count, out.ctypes.data, CPUS, populate
        )
        assert not failed, os.strerror(failed)


@dataclasses.dataclass
class Compressed:
    """A piece of a file that a codec made smaller."""

    path: os.PathLike
    offset: int
    length: int
    size: int  # decoded


class Codec:
    """The compressed pieces of some files, in memory, and room for what they decode to."""

    def __init__(self, name, pieces):
        self.name, count = name.encode(), len(pieces)
        self.lengths = (c.c_uint64 * count)(*(piece.length for piece in pieces))
        self.sizes = (c.c_uint64 * count)(*(piece.size for piece in pieces))
        self.source = np.empty(sum(self.lengths), "u1")
        paths, offsets = [piece.path for piece in pieces], [piece.offset for piece in pieces]
        Pieces(paths, offsets, self.lengths).read(self.source)
        self.room = np.zeros(sum(self.sizes), "u1")
        self.pieces, self.places = addresses(self.source, self.lengths), addresses(self.room, self.sizes)

    def decode(self):
        arguments = [self.pieces, self.lengths, self.places, self.sizes, len(self.sizes), CPUS]
        assert decoding().bench_decode(self.name, *arguments), f"{self.name}: cannot be decoded"


def addresses(memory, lengths):
    begins = memory.ctypes.data + np.concatenate([[0], np.cumsum(lengths, dtype="i8")[:-1]])
    return (c.c_void_p * len(lengths))(*map(int, begins))


def evict(paths):
    """Out of the page cache; returns how many bytes stay there all the same."""
    for path in paths:
        with open(path, "rb") as opened:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return sum(reading().bench_cached(os.fsencode(path)) for path in paths)


def from_page(memory):
    """The bytes from the first whole page on: some processors copy slowly to a little behind one."""
    return memory.reshape(-1).view("u1")[-memory.ctypes.data % PAGE :]


def fresh(nbytes, huge=True):
    """Memory that this process never touched."""
    pages = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if huge:
        pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, "u1")
