# SPDX-License-Identifier: Apache-2.0
"""
Writes a file whose chunks are not filtered where they stick out of the array, which h5py does not
offer: by the HDF5 library itself. partial_chunks.py FILE; exit status 77: it is not there.
"""

import ctypes as c
import sys

import numpy as np

DONT_FILTER_PARTIAL_CHUNKS = 2
V110 = 2


def main(path):
    try:
        library = c.CDLL("libhdf5_serial.so.103")
    except OSError:
        return 77

    def call(name, *arguments):
        function = getattr(library, name)
        function.restype = c.c_int64
        made = function(*arguments)
        assert made >= 0, name
        return c.c_int64(made)

    def number(name):
        return c.c_int64.in_dll(library, name)

    def sizes(*values):
        return (c.c_uint64 * len(values))(*values)

    call("H5open")
    access = call("H5Pcreate", number("H5P_CLS_FILE_ACCESS_ID_g"))
    call("H5Pset_libver_bounds", access, V110, V110)
    file = call("H5Fcreate", path.encode(), 2, c.c_int64(0), access)
    creation = call("H5Pcreate", number("H5P_CLS_DATASET_CREATE_ID_g"))
    call("H5Pset_chunk", creation, 2, sizes(4, 3))
    call("H5Pset_chunk_opts", creation, DONT_FILTER_PARTIAL_CHUNKS)
    call("H5Pset_deflate", creation, 6)
    data = np.arange(35, dtype="i4").reshape(7, 5)
    space = call("H5Screate_simple", 2, sizes(*data.shape), None)
    kind, none = number("H5T_NATIVE_INT32_g"), c.c_int64(0)
    dataset = call("H5Dcreate2", file, b"x", kind, space, none, creation, none)
    call("H5Dwrite", dataset, kind, none, none, none, c.c_void_p(data.ctypes.data))
    call("H5Dclose", dataset)
    call("H5Fclose", file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
