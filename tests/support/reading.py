# SPDX-License-Identifier: Apache-2.0
"""
What tests of single files ask: is it read as NumPy reads it, or refused with the right words?
"""

import io

import numpy as np
import pytest
from support import reference
from support.libmuster import Dataset, MusterError
from support.reference import put


KEYS = {"descr": "'<f4'", "fortran_order": "False", "shape": "(3, 2)"}


def header(
    form="{{{}, }}",
    keys=("descr", "fortran_order", "shape"),
    sep=", ",
    colon=": ",
    quote="'",
    **values,
):
    """The dictionary of an npy header, spelt in one way or another."""
    values = KEYS | values
    return form.format(sep.join(f"{quote}{k}{quote}{colon}{values[k]}" for k in keys)).replace(
        "'", quote
    )


def by_numpy(content):
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False, max_header_size=2**22)


def refused(inputs, *statuses, **options):
    """The error with which the inputs are refused."""
    with pytest.raises(MusterError) as error, Dataset(inputs, **options) as dataset:
        print(dataset.shape, dataset.dtype, dataset.notes)
    assert error.value.status in statuses, error.value
    return error.value


def said(error, *words):
    """The message, or one of the faults', holds each of the words."""
    text = " ".join([str(error), *map(str, error.faults)])
    for word in words:
        assert str(word) in text, f"no {word!r} in: {text}"


def read(inputs, **options):
    with Dataset(inputs, **options) as dataset:
        array = dataset.read()
        assert reference.same(dataset.load()[0], array)
        return array


def reads_as_numpy(folder, content, **options):
    path = put(folder, "x.npy", content)
    expected = by_numpy(content)
    assert reference.same(read(path, **options), expected)
