# SPDX-License-Identifier: Apache-2.0
"""libmuster: where it is found, that it is the one these declarations are of, and its errors."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any

from muster import errors
from muster._ffi import ffi as ffi

_KINDS: dict[str, type[errors.Error]] = {
    "MUSTER_ERR_USAGE": errors.UsageError,
    "MUSTER_ERR_MEMORY": errors.OutOfMemoryError,
    "MUSTER_ERR_IO": errors.FileError,
    "MUSTER_ERR_NOT_FOUND": errors.NotFoundError,
    "MUSTER_ERR_EXISTS": errors.FileError,
    "MUSTER_ERR_FORMAT": errors.DataError,
    "MUSTER_ERR_UNSUPPORTED": errors.DataError,
    "MUSTER_ERR_MISMATCH": errors.DataError,
    "MUSTER_ERR_CHANGED": errors.ChangedError,
    "MUSTER_ERR_CHECK": errors.CheckError,
    "MUSTER_ERR_CANCELLED": errors.CancelledError,
}


def _structs() -> dict[str, int]:
    """Sizes and offsets by the declarations, named as the library names them."""
    found = {}
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        if kind.kind != "struct":
            continue
        try:
            found[name] = ffi.sizeof(name)
        except ffi.error:  # opaque
            continue
        for field, _ in kind.fields:
            found[f"{name}.{field}"] = ffi.offsetof(name, field)
    del found["muster_layout"], found["muster_layout.name"], found["muster_layout.bytes"]
    return found


def _check(library: Any, path: str) -> None:
    """An older or newer library would be given, and give, other structs than these declarations say."""
    count = ffi.new("size_t *")
    theirs = library.muster_layouts(count)
    layout = {ffi.string(theirs[i].name).decode(): theirs[i].bytes for i in range(count[0])}
    if library.muster_abi_version() != library.MUSTER_ABI_VERSION or layout != _structs():
        version = ffi.string(library.muster_version()).decode()
        raise ImportError(f"{path}: libmuster {version} is not the one that this package is made for")


def _open() -> Any:
    beside = pathlib.Path(__file__).with_name("libmuster.so")
    path = os.environ.get("MUSTER_LIBRARY") or (str(beside) if beside.exists() else "libmuster.so.0")
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"{path}: libmuster cannot be loaded: {error}") from None
    _check(library, path)
    return library


lib: Any = _open()

#: Statuses by their numbers.
_STATUSES = dict(ffi.typeof("muster_status").elements)


def text(pointer: Any) -> str:
    """A string of the library's: names of files need not be UTF-8."""
    return os.fsdecode(ffi.string(pointer))


def advice(message: str) -> str:
    """The program's words for its options, such as --allow-gaps, as arguments of Python."""

    def argument(match: re.Match[str]) -> str:
        name, value = match[1].replace("-", "_"), match[2]
        if name in ("allow_gaps", "stack", "strict", "decode_cf", "follow_external"):
            return f"{name}=True{value or ''}"
        if value and value.strip() not in ("and", "or", "converts", "makes"):
            word = value.strip()
            return f"{name}={word}" if word.isdigit() else f'{name}="{word}"'
        return f"{name}={value or ''}"

    return re.sub(r"--([a-z][a-z-]*)( [\w]+)?", argument, message)


def error_of(fault: Any) -> errors.Error:
    """The exception for a muster_error that was filled."""
    error = _KINDS[_STATUSES[fault.status]](
        advice(text(fault.message)),
        text(fault.path) or None,
        fault.offset if fault.offset >= 0 else None,
        text(fault.found) or None,
        text(fault.expected) or None,
        fault.errnum,
    )
    error.status = text(lib.muster_status_name(fault.status))
    return error


def call(function: Any, *arguments: Any) -> None:
    """Calls what returns a muster_status and takes a muster_error last; raises what it tells."""
    fault = ffi.new("muster_error *")
    if function(*arguments, fault) != lib.MUSTER_OK:
        raise error_of(fault)


def options(name: str, **values: Any) -> Any:
    """A struct of options, by its own defaults and those of the values that are not None."""
    made = ffi.new(f"{name} *")
    getattr(lib, f"{name}_init")(made)
    for field, value in values.items():
        if value is not None:
            put(made, field, value)
    return made


def put(made: Any, field: str, value: Any) -> None:
    """Sets a field, or says which argument cannot be one."""
    try:
        setattr(made, field, value)
    except (TypeError, OverflowError):
        raise errors.UsageError(f"{field}: {value!r} makes no sense") from None
