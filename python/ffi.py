# SPDX-License-Identifier: Apache-2.0
"""Makes muster/_ffi.py, the declarations of libmuster, out of its public headers.

python ffi.py INCLUDE_FOLDER OUTPUT.py
"""

import pathlib
import re
import sys

import cffi

#: In the order in which one needs the other.
HEADERS = ("error.h", "version.h", "dataset.h", "gpu.h")


def declarations(header: str) -> str:
    """What a compiler would see of a header, but for the constants, which cffi takes as they are."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    constants = re.findall(r"^#define +(MUSTER_\w+) +(\d+)$", text, flags=re.MULTILINE)
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.MULTILINE)
    text = text.replace("MUSTER_API ", "").replace("volatile ", "")
    return "".join(f"#define {name} {value}\n" for name, value in constants) + text


def main() -> None:
    include, output = map(pathlib.Path, sys.argv[1:])
    ffi = cffi.FFI()
    ffi.set_source("muster._ffi", None)
    for name in HEADERS:
        ffi.cdef(declarations((include / "muster" / name).read_text("utf-8")))
    output.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(output))


if __name__ == "__main__":
    main()
