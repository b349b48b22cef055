# SPDX-License-Identifier: Apache-2.0
"""The tests' binding is what a C compiler makes of the public header."""

import re
import subprocess

import numpy as np
import pytest
from support import env, libmuster, reference


def test_structs_are_laid_out_as_in_the_header(tmp_path):
    """Sizes, offsets, type numbers and statuses, as a C program prints them."""
    lines = []
    for name, struct in libmuster.STRUCTS.items():
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        lines += [f'printf("%zu\\n", offsetof({name}, {f}));' for f, *_ in struct._fields_]
    names = ["MUSTER_OK"] + [f"MUSTER_ERR_{s}" for s in libmuster.STATUSES[1:]]
    names += [f"MUSTER_ORDER_{o.upper()}" for o in libmuster.ORDERS]
    names += [f"MUSTER_TO_{d.upper()}" for d in libmuster.DESTINATIONS]
    names += [f"MUSTER_VERDICT_{v.upper()}" for v in libmuster.VERDICTS]
    names += [f"MUSTER_{of.upper()}" for of in libmuster.LISTS]
    names += ["MUSTER_TYPE_COUNT", "MUSTER_MAX_RANK"]
    lines += [f'printf("%d\\n", (int){n});' for n in names]
    source = tmp_path / "sizes.c"
    source.write_text(
        "#include <stdio.h>\n#include <muster/muster.h>\nint main(void) {\n"
        + "\n".join(lines)
        + "\nreturn 0; }\n"
    )
    program = tmp_path / "sizes"
    include = f"-I{env.SOURCE / 'include'}"
    subprocess.run(["cc", "-std=c17", include, source, "-o", program], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout

    expected = []
    for struct in libmuster.STRUCTS.values():
        expected.append(libmuster.c.sizeof(struct))
        expected += [getattr(struct, f).offset for f, *_ in struct._fields_]
    expected += list(range(len(libmuster.STATUSES)))
    expected += libmuster.ORDERS.values()
    expected += libmuster.DESTINATIONS.values()
    expected += range(len(libmuster.VERDICTS))
    expected += range(len(libmuster.LISTS))
    expected += [len(libmuster.TYPES), 64]
    assert [int(line) for line in printed.split()] == expected


def test_every_public_function_is_bound():
    declared = set()
    for header in (env.SOURCE / "include/muster").glob("*.h"):
        text = re.sub(r"/\*.*?\*/|^#.*?$", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        declared |= set(re.findall(r"MUSTER_API[^;]*?\b(muster_\w+)\(", text))
    assert declared == set(libmuster.PROTOTYPES)


def test_version_is_that_of_the_header():
    text = (env.SOURCE / "include/muster/version.h").read_text()
    parts = re.findall(r"#define MUSTER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
    assert libmuster.lib().muster_version().decode() == ".".join(parts)
    abi = re.search(r"#define MUSTER_ABI_VERSION (\d+)", text)[1]
    assert libmuster.lib().muster_abi_version() == int(abi)


NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longdouble "
    "complex64 complex128 clongdouble datetime64[ns] timedelta64[25s] datetime64[D]"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_dtype_parse_reads_what_numpy_writes(name):
    dtype = np.dtype(name)
    spellings = [name, dtype.str, dtype.str[1:], "=" + dtype.str[1:]]
    for text in spellings:
        parsed = libmuster.dtype_parse(text)
        assert libmuster.numpy_dtype(parsed) == dtype, text
        assert libmuster.lib().muster_type_size(parsed.type) == dtype.itemsize
        again = libmuster.dtype_parse(libmuster.dtype_name(parsed))
        assert libmuster.numpy_dtype(again) == dtype
    big = dtype.newbyteorder(">")
    parsed = libmuster.dtype_parse(big.str)
    assert libmuster.numpy_dtype(parsed) == big
    assert libmuster.dtype_name(parsed).startswith(">") == (big != dtype)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f",
        "f3",
        "float31",
        "<<f4",
        "f4 ",
        " f4",
        "O",
        "|O",
        "S4",
        "U4",
        "V2",
        "M8[xs]",
        "M8[-1s]",
        "M8[2147483648s]",
        "M8[",
        "M8[s",
        "m8[s]]",
        "M8[99999999999999999999s]",
        "float32\n",
        "i16",
        "b2",
        "c4",
        "x" * 5000,
        "f4,i4",
        "float32x",
        "M8[" + "1" * 100 + "s]",
    ],
)
def test_dtype_parse_refuses_everything_else(text):
    with pytest.raises(libmuster.MusterError) as error:
        libmuster.dtype_parse(text)
    assert error.value.status == libmuster.USAGE


def test_status_names_are_there_and_differ():
    names = [libmuster.lib().muster_status_name(i) for i in range(len(libmuster.STATUSES))]
    assert all(names) and len(set(names)) == len(names)
    for beyond in (-1, len(names), 2**31 - 1):
        assert libmuster.lib().muster_status_name(beyond)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 63, 64, 65, 4096, 100003])
def test_checksum_is_the_documented_sum(size):
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    assert libmuster.checksum(data) == reference.checksum(data)
    if size:
        changed = data.copy()
        changed[size // 2] ^= 1
        assert libmuster.checksum(changed) != reference.checksum(data)


def test_checksum_sees_words_that_changed_places():
    data = np.arange(64, dtype=np.uint64)
    swapped = data.copy()
    swapped[[3, 40]] = swapped[[40, 3]]
    assert libmuster.checksum(data) != libmuster.checksum(swapped)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, 2**64 - 1])
def test_seeded_is_splitmix64(seed):
    indices = np.array([0, 1, 2, 63, 2**32, 2**63, 2**64 - 1], np.uint64)
    got = [libmuster.lib().muster_seeded(seed, int(i)) for i in indices]
    assert got == reference.seeded(seed, indices).tolist()


def test_seeded_zero_is_the_published_sequence():
    """The first outputs of splitmix64 seeded with 1234567, as its authors print them."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [libmuster.lib().muster_seeded(1234567, i) for i in range(3)] == published


def test_formats_are_described():
    lib, names = libmuster.lib(), []
    for index in range(lib.muster_format_count()):
        info = libmuster.CFormatInfo()
        assert lib.muster_format(index, libmuster.c.byref(info)) == 0
        names.append(info.name.decode())
        assert info.summary and b"\n" not in info.summary
        assert all(e.startswith(".") for e in info.extensions.decode().split())
    assert {"npy", "raw"} <= set(names) and len(set(names)) == len(names)
    beyond = lib.muster_format(len(names), libmuster.c.byref(libmuster.CFormatInfo()))
    assert libmuster.STATUSES[beyond] == libmuster.USAGE


def test_free_functions_accept_null():
    libmuster.lib().muster_dataset_free(None)
    libmuster.lib().muster_plan_free(None)
    libmuster.lib().muster_gpu_close(None)
    libmuster.lib().muster_assessment_free(None)
    libmuster.lib().muster_text_free(None)
