# SPDX-License-Identifier: Apache-2.0
"""
Headers and dtypes of npy files: cases 1 to 4 of the specification of the formats. Odd and hostile
headers are written by hand; where NumPy reads one, its array is what is expected.
"""

import itertools
import os

import ml_dtypes
import numpy as np
import pytest
from support import libmuster, reference
from support.libmuster import FORMAT, MISMATCH, UNSUPPORTED, MusterError
from support.reading import KEYS, by_numpy, header, read, reads_as_numpy, refused, said
from support.reference import npy, put

DATA = np.arange(6, dtype="<f4").tobytes()
LIMIT = 2**20
BAD_FILE = (FORMAT, UNSUPPORTED)


# ---- 1: headers ----------------------------------------------------------------------------------

NUMPYS = {
    "as NumPy writes it": header() + "   \n",
    "no spaces": header("{{{}}}", sep=",", colon=":") + "\n",
    "no trailing comma": header("{{{}}}") + "\n",
    "many spaces": header("{{   {}   ,   }}", sep="   ,   ", colon="   :   ") + "\n",
    "double quotes": header(quote='"') + "\n",
    "no newline": header(),
    "spaces, no newline": header() + " " * 30,
    "newlines at the end": header() + "\n\n\n",
    "one extent, comma": header(shape="(6,)") + "\n",
    "one extent, comma and space": header(shape="(6, )") + "\n",
    "trailing comma in shape": header(shape="(3, 2,)") + "\n",
    "no space in shape": header(shape="(3,2)") + "\n",
    "spaces in shape": header(shape="(  3  ,  2  )") + "\n",
    "Python 2 long": header(shape="(3L, 2L)") + "\n",
    "Python 2 long, one extent": header(shape="(6L,)") + "\n",
    "Fortran order": header(fortran_order="True") + "\n",
    "rank 64": header(shape="(3, 2, " + "1, " * 62 + ")") + "\n",
} | {f"order {'-'.join(keys)}": header(keys=keys) + "\n" for keys in itertools.permutations(KEYS)}


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)], ids="v{0[0]}".format)
@pytest.mark.parametrize("text", NUMPYS.values(), ids=NUMPYS)
def test_01_odd_but_legal_headers_are_read(folder, text, version):
    if version == (3, 0) and "L" in text:
        pytest.skip("Python 2 never wrote version 3, and NumPy refuses it there")
    reads_as_numpy(folder, npy(text, DATA, version))


DESCRS = "|b1 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 <f2 <f4 <f8 <f16 <c8 <c16 <c32 <M8[ns] <m8[25s] <M8 <M8[D]".split()


@pytest.mark.parametrize("descr", DESCRS + [">" + d[1:] for d in DESCRS if d[0] == "<"])
def test_01_every_descr_that_numpy_writes(folder, descr):
    data = (np.arange(6) % 2).astype(descr).tobytes()
    reads_as_numpy(folder, npy(header(descr=f"'{descr}'") + "\n", data))


#: Legal for NumPy because it evaluates Python. An honest refusal is as good, a wrong array is not.
RARE = {
    "prefix u": "{u'descr': u'<f4', u'fortran_order': False, u'shape': (3, 2)}",
    "newlines inside": "{'descr': '<f4',\n 'fortran_order': False,\n 'shape': (3, 2)}",
    "tabs": "{\t'descr':\t'<f4',\t'fortran_order':\tFalse,\t'shape':\t(3,\t2)\t}",
    "leading space": "  " + header(),
    "hexadecimal": header(shape="(0x3, 0o2)"),
    "underscores": header(shape="(0_3, 2)"),
    "bool extent": header(shape="(True, 6)"),
    "sum": header(shape="(1+2, 2)"),
    "plus sign": header(shape="(+3, 2)"),
    "minus minus": header(shape="(--3, 2)"),
    "escapes in strings": "{'\\x64escr': '<f\\x34', 'fortran_order': False, 'shape': (3, 2)}",
    "concatenated strings": "{'des' 'cr': '<f4', 'fortran_order': False, 'shape': (3, 2)}",
    "triple quotes": "{'''descr''': '<f4', 'fortran_order': False, 'shape': (3, 2)}",
    "raw string": "{r'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}",
    "parentheses": "({'descr': ('<f4'), 'fortran_order': (False), 'shape': ((3, 2))})",
    "comment": header() + " # hello",
    "zeros": header(shape="(000, 2)"),
    "form feed": header() + "\f",
    "descr =": header(descr="'=f4'"),
    "descr |": header(descr="'|f4'"),
    "descr bare": header(descr="'f4'"),
    "descr word": header(descr="'float32'"),
    "descr letter": header(descr="'f'"),
    "descr sub-array": header(descr="'(2,)<f4'", shape="(3,)"),
    "descr pair": header(descr="('<f4', (2,))", shape="(3,)"),
    "descr repeated": header(descr="'2f4'", shape="(3,)"),
    "descr list of one": header(descr="[('', '<f4')]"),
    "descr with a space": header(descr="' <f4'"),
    "descr bytes": header(descr="b'<f4'"),
    "descr None": header(descr="None", shape="(3, 1)"),
    "big descr '!'": header(descr="'!f4'"),
    "huge zero product": header(shape="(0, 4611686018427387904)"),
}


@pytest.mark.parametrize("text", RARE.values(), ids=RARE)
def test_01_rare_spellings_are_refused_or_read_as_numpy_does(folder, text):
    content = npy(text + "\n", DATA)
    try:
        expected = by_numpy(content)
    except Exception as error:
        expected = None
        print("NumPy:", error)
    path = put(folder, "x.npy", content)
    try:
        got = read(path)
    except MusterError as error:
        assert error.status in BAD_FILE
    else:
        assert expected is not None and reference.same(got, expected)


WRONG = {
    "empty": "",
    "only a newline": "\n",
    "no dict": "'descr'",
    "list": "[" + header()[1:-1] + "]",
    "empty dict": "{}",
    "no descr": header(keys=["fortran_order", "shape"]),
    "no shape": header(keys=["descr", "fortran_order"]),
    "no order": header(keys=["descr", "shape"]),
    "duplicate key, same value": header(keys=["descr", "fortran_order", "shape", "shape"]),
    "duplicate key, other value": header("{{{}, 'descr': '<i4'}}"),
    "unknown key": header("{{{}, 'endian': 'little'}}"),
    "key in capitals": header().replace("descr", "Descr"),
    "key not a string": header("{{{}, 1: 2}}"),
    "open brace": header("{{{}"),
    "two closing braces": header("{{{}}}}}"),
    "text behind": header() + " x",
    "text before": "x" + header(),
    "two commas": header("{{{},,}}"),
    "no colon": header(colon=" "),
    "open string": header(descr="'<f4"),
    "mixed quotes": header(descr="'<f4\""),
    "NUL inside": header() + "\0",
    "NUL in descr": header(descr="'<f4\0'"),
    "order 0": header(fortran_order="0"),
    "order string": header(fortran_order="'False'"),
    "order lower case": header(fortran_order="false"),
    "order None": header(fortran_order="None"),
    "shape list": header(shape="[3, 2]"),
    "shape number": header(shape="6"),
    "shape in parentheses": header(shape="(6)"),
    "shape string": header(shape="'(3, 2)'"),
    "shape float": header(shape="(3.0, 2)"),
    "shape None": header(shape="(None, 2)"),
    "shape nested": header(shape="((3, 2),)"),
    "shape two commas": header(shape="(3,, 2)"),
    "shape comma first": header(shape="(, 3)"),
    "shape only a comma": header(shape="(,)"),
    "shape leading zero": header(shape="(03, 2)"),
    "shape L alone": header(shape="(L, 2)"),
    "shape LL": header(shape="(3LL, 2)"),
    "shape without a comma": header(shape="(3 2)"),
    "descr number": header(descr="4"),
    "descr list": header(descr="['<f4']"),
    "descr unknown kind": header(descr="'<x4'"),
    "descr odd size": header(descr="'<f3'"),
    "descr no size": header(descr="'<'"),
    "descr empty": header(descr="''"),
    "descr size 0": header(descr="'<f0'"),
    "descr huge size": header(descr="'<f99999999999999999999'"),
    "descr two orders": header(descr="'<>f4'"),
    "descr unit of a float": header(descr="'<f4[ns]'"),
    "descr unknown unit": header(descr="'<M8[xx]'"),
    "descr open unit": header(descr="'<M8[ns'"),
    "descr empty unit": header(descr="'<M8[]'"),
    "descr of 4-byte times": header(descr="'<M4[ns]'"),
    "descr of 8-byte bools": header(descr="'|b8'"),
    "not ASCII": header(descr="'<f4\xe9'"),
    "deep nesting": header(shape="(" * 5000 + ")" * 5000),
    "deeper nesting": "{" * 60000,
}


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)], ids="v{0[0]}".format)
@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_01_wrong_headers_are_refused(folder, text, version):
    """NumPy refuses them too, but for duplicates, of which it takes the last."""
    content = npy(text + "\n", DATA, version)
    if text.count("'shape'") < 2 and text.count("'descr'") < 2:
        with pytest.raises(Exception):
            by_numpy(content)
    error = refused(put(folder, "x.npy", content), *BAD_FILE)
    assert error.name == "x.npy"


@pytest.mark.parametrize("version", [(2, 0), (3, 0)], ids="v{0[0]}".format)
def test_01_headers_up_to_a_mebibyte_are_read(folder, version):
    text, preamble = header(), 12
    reads_as_numpy(
        folder, npy(text + " " * (LIMIT - preamble - len(text) - 1) + "\n", DATA, version)
    )
    content = npy(text + " " * (LIMIT - len(text)) + "\n", DATA, version)
    said(refused(put(folder, "x.npy", content), *BAD_FILE), "header")
    shape = ("1, " * 60).ljust(LIMIT - 200)
    reads_as_numpy(folder, npy(header(shape=f"(3, 2, {shape})") + "\n", DATA, version))


def test_01_the_longest_header_of_version_1(folder):
    text = header()
    reads_as_numpy(folder, npy(text + " " * (65534 - len(text)) + "\n", DATA))


@pytest.mark.parametrize(
    "content",
    [npy(header(), DATA, version=v) for v in [(0, 0), (1, 1), (2, 1), (4, 0), (255, 255)]]
    + [npy(header(), DATA, magic=m) for m in [b"\x93NUMPX", b"\x93numpy", b"\x92NUMPY"]]
    + [npy(header(), DATA, version=(2, 0), length=n) for n in [0, 1, 2**31, 2**32 - 1]]
    + [npy(header(), b"", length=n) for n in [len(header()) + 1, 65535]]
    + [
        b"\x93NUMPY",
        b"\x93NUMPY\1",
        b"\x93NUMPY\1\0",
        b"\x93NUMPY\1\0\1",
        b"\x93NUMPY\2\0\1\0\0",
        b"\x93",
        b"\0" * 64,
    ],
)
def test_01_wrong_preambles_are_refused(folder, content):
    assert refused(put(folder, "x.npy", content), *BAD_FILE).name == "x.npy"


def test_01_version_3_with_text_outside_ascii_is_no_number(folder):
    content = npy(header(descr="[('größe', '<f4'), ('b', '<f4')]", shape="(3,)"), DATA, (3, 0))
    assert by_numpy(content).dtype.names == ("größe", "b")
    said(refused(put(folder, "x.npy", content), UNSUPPORTED), "b")


# ---- 2, 3, 4: dtypes -----------------------------------------------------------------------------


def test_02_structured_dtype_is_refused_with_its_fields(folder):
    array = np.zeros(3, [("energy", "<f8"), ("id", "<i4"), ("xyz", "<f4", (3,))])
    said(refused(put(folder, "x.npy", array), UNSUPPORTED), "energy", "id", "xyz")


def test_02_nested_and_titled_fields_are_refused(folder):
    for dtype in ([("a", [("b", "<f4"), ("c", "<f4")])], [(("title", "name"), "<f4")]):
        path = put(folder, "x.npy", np.zeros(3, dtype))
        refused(path, UNSUPPORTED)


def test_02_very_many_fields_do_not_burst_the_message(folder):
    array = np.zeros(1, [(f"field_{i:04}" + "x" * 50, "<f4") for i in range(500)])
    said(refused(put(folder, "x.npy", array), UNSUPPORTED), "field_0000")


@pytest.mark.parametrize("text", ["'|O'", "'O'", "'|O8'", "[('a', '|O')]"])
def test_03_object_dtype_is_always_refused(folder, text):
    error = refused(
        put(folder, "x.npy", npy(header(descr=text, shape="(1,)"), b"\x80\x04N.")), UNSUPPORTED
    )
    assert error.name == "x.npy"


def test_03_pickles_are_never_run(folder):
    """A file by NumPy whose pickle would leave a mark."""
    mark = folder / "mark"

    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(mark),)

    np.save(folder / "x.npy", np.array([Bomb()], object), allow_pickle=True)
    said(refused(folder / "x.npy", UNSUPPORTED), "object")
    assert not mark.exists()


@pytest.mark.parametrize("descr", ["|S4", "<U4", "|V4", "|V3", "|a4"])
def test_03_text_and_void_are_refused(folder, descr):
    refused(
        put(folder, "x.npy", npy(header(descr=f"'{descr}'", shape="(1,)"), bytes(16))), *BAD_FILE
    )


NARROW = [
    ("bfloat16", ml_dtypes.bfloat16),
    ("float8_e4m3fn", ml_dtypes.float8_e4m3fn),
    ("float8_e5m2", ml_dtypes.float8_e5m2),
]


@pytest.mark.parametrize("name, kind", NARROW)
def test_04_narrow_floats_need_a_source_dtype(folder, name, kind):
    array = np.array([[0, 1.5], [-2, 0.25]], kind)
    path = put(folder, "x.npy", array)
    said(refused(path, UNSUPPORTED), "source")
    assert reference.same(read(path, source_dtype=name), array.astype("f4"))
    assert reference.same(read(path, source_dtype=name, dtype="float64"), array.astype("f8"))


def test_04_source_dtype_must_have_the_size_of_the_void(folder):
    path = put(folder, "x.npy", np.zeros(4, ml_dtypes.bfloat16))
    for wrong in ("float8_e5m2", "float32"):
        refused(path, MISMATCH, UNSUPPORTED, FORMAT, source_dtype=wrong)


def test_04_source_dtype_does_not_overrule_a_file_that_says(folder):
    path = put(folder, "x.npy", np.array([1.5, 2.5], "f4"))
    refused(path, MISMATCH, source_dtype="int32")
    assert reference.same(read(path, source_dtype="float32"), np.array([1.5, 2.5], "f4"))


def test_04_narrow_results_are_refused(folder):
    path = put(folder, "x.npy", np.zeros(4, "f4"))
    for wrong in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        refused(path, MISMATCH, UNSUPPORTED, libmuster.USAGE, dtype=wrong)
