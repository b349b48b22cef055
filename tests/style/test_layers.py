# SPDX-License-Identifier: Apache-2.0
"""The rooms of docs/architecture.md keep their order, their seams and the public contract.

Each check is a function from text to a list of complaints; it is run over the tree, where it must
find nothing, and over a bad snippet, where it must find something.
"""

import os
import pathlib
import re
import subprocess

import pytest

from support import env

HEADERS = sorted((env.SOURCE / "include/muster").glob("*.h"))
SOURCES = sorted(p for p in (env.SOURCE / "src").rglob("*") if p.suffix in {".c", ".h", ".def"})

# A room may use itself and what stands before it in a row.
ROWS = [
    "base pysource manifest rules verdict report assess cli".split(),
    "base codecs formats load gpu cli".split(),
    "base sinks load gpu cli".split(),
]
ROOMS = {room for row in ROWS for room in row}
# What the reader and the writer of a format share.
SHARED = {("sinks", "formats/npy_header.h")}

STANDARD_HEADERS = {
    f"{name}.h"
    for name in "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp"
    " signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath"
    " threads time uchar wchar wctype".split()
}

# The seams: only this file may call these functions, so that a test can make each call fail.
IO = """access chmod close closedir creat dup fchmod fcntl fdatasync fdopen fdopendir fopen freopen
    fstat fstatat fsync ftruncate getdents64 link linkat lseek lstat mkdir mkdirat mkdtemp mkostemp
    mkstemp nftw open openat opendir pread preadv pwrite pwritev read readdir readlink readlinkat
    readv realpath remove rename renameat renameat2 rmdir scandir stat statfs statvfs statx symlink
    sync_file_range truncate unlink unlinkat utimensat write writev"""
MEMORY = """aligned_alloc asprintf calloc free getdelim getline malloc memalign mmap mremap munmap
    posix_memalign realloc reallocarray strdup strndup valloc vasprintf"""
SEAMS = {"base/system.c": IO.split(), "base/alloc.c": MEMORY.split()}
EXCEPTIONS = {
    ("base/system.c", "free"),  # what realpath() returned
    ("cli/main.c", "fcntl"),  # main() fills descriptors 0 to 2 before the library runs
    ("cli/main.c", "open"),
}


def code_of(text):
    """The text without comments and string literals; line numbers stay."""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    return re.sub(pattern, lambda m: " " + "\n" * m[0].count("\n"), text, flags=re.S)


def includes(text):
    return re.findall(r"^\s*#\s*include\s*([<\"])([^>\"]+)", text, flags=re.M)


def wrong_rooms(path, text):
    """Complains about includes against the order of rooms. `path` is relative to src/."""
    room = path.split("/")[0]
    if room not in ROOMS:
        return [f"{path}: {room} is no room"]
    usable = {"muster"}.union(*(row[: row.index(room) + 1] for row in ROWS if room in row))
    return [
        f"{path}: {room} must not use {target}"
        for quote, target in includes(text)
        if quote == '"' and target.split("/")[0] not in usable and (room, target) not in SHARED
    ]


def wrong_public_includes(name, text):
    """Complains about what a public header includes beside its kind and the standard library."""
    ours = {f"muster/{header.name}" for header in HEADERS}
    return [
        f"{name}: includes {target}"
        for quote, target in includes(text)
        if target not in (ours if quote == '"' else STANDARD_HEADERS)
    ]


def wrong_calls(path, text):
    """Complains about calls around a seam. Members (format->open) are other functions."""
    complaints = []
    for seam, names in SEAMS.items():
        call = re.compile(r"(?<![\w.])(?<!->)(" + "|".join(names) + r")\s*\(")
        if path != seam:
            complaints += [
                f"{path}:{number}: {match[1]}() belongs to {seam}"
                for number, line in enumerate(code_of(text).split("\n"), 1)
                for match in call.finditer(line)
                if (path, match[1]) not in EXCEPTIONS
            ]
    return complaints


def compile_alone(text, language, standard):
    """What the compiler has against a file that holds only the text."""
    compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-std={standard}"]
    command = [compiler, *flags, f"-I{env.SOURCE / 'include'}", "-x", language, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


def declared(text):
    """The functions that a public header promises."""
    return set(re.findall(r"^MUSTER_API\b[^;(]*\b(\w+)\s*\(", code_of(text), flags=re.M))


def exported(library):
    """The symbols that a shared library offers, less the name of its version."""
    command = ["nm", "-D", "--defined-only", "--format=posix", str(library)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name.split("@")[0] for name, kind, *_ in map(str.split, lines) if kind != "A"}


def over_tree(check):
    """The complaints about all sources, a line each; the empty text when there are none."""
    complaints = []
    for path in SOURCES:
        complaints += check(path.relative_to(env.SOURCE / "src").as_posix(), path.read_text())
    return "\n".join(complaints)


def test_rooms_are_used_in_order():
    assert SOURCES
    assert over_tree(wrong_rooms) == ""


@pytest.mark.parametrize(
    "path, target, right",
    [
        ("load/read.c", "base/io.h", True),
        ("load/read.c", "formats/format.h", True),
        ("load/read.c", "muster/error.h", True),
        ("cli/main.c", "verdict/gates.h", True),
        ("sinks/npy_file.c", "formats/npy_header.h", True),
        ("sinks/npy_file.c", "formats/format.h", False),
        ("formats/npy.c", "sinks/sink.h", False),
        ("base/io.c", "load/read.h", False),
        ("rules/r101.c", "formats/format.h", False),
        ("load/read.c", "read.h", False),
        ("gpu/gpu.c", "load/read.h", True),
        ("load/read.c", "gpu/staging.h", False),
    ],
)
def test_the_order_of_rooms_is_told_from_disorder(path, target, right):
    assert (wrong_rooms(path, f'#include "{target}"\n') == []) == right


def test_public_headers_include_only_each_other_and_the_standard_library():
    assert HEADERS
    assert [c for h in HEADERS for c in wrong_public_includes(h.name, h.read_text())] == []
    bad = '#include <stdio.h>\n#include <sys/stat.h>\n# include "base/io.h"\n'
    assert wrong_public_includes("x.h", bad) == ["x.h: includes sys/stat.h", "x.h: includes base/io.h"]


def test_calls_of_the_system_go_through_the_seams():
    assert over_tree(wrong_calls) == ""


def test_calls_around_the_seams_are_seen():
    bad = '/* open(\n */ x = open(p);\nfree (q); f->open(p); s.read(p); mst_free(q); puts("read(");'
    assert wrong_calls("load/read.c", bad) == [
        "load/read.c:2: open() belongs to base/system.c",
        "load/read.c:3: free() belongs to base/alloc.c",
    ]
    assert wrong_calls("base/system.c", "x = open(p);") == []


@pytest.mark.parametrize("language, standard", [("c", "c17"), ("c++", "c++17")])
@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_public_headers_compile_alone(header, language, standard):
    assert compile_alone(f'#include "muster/{header.name}"\n', language, standard) == ""


@pytest.mark.parametrize("language, standard", [("c", "c17"), ("c++", "c++17")])
def test_a_header_that_needs_another_is_seen(language, standard):
    assert "size_t" in compile_alone("size_t muster_count(void);\n", language, standard)


def test_the_library_exports_what_the_headers_declare():
    promised = set().union(*(declared(header.read_text()) for header in HEADERS))
    offered = exported(env.LIBRARY)
    assert sorted(offered - promised) == []
    assert sorted(promised - offered) == []
    assert [name for name in offered if not name.startswith("muster_")] == []


def test_exports_and_declarations_are_seen(tmp_path):
    header = "#define MUSTER_API x(\nMUSTER_API char *muster_a(int (*f)(void)); /* MUSTER_API int b(); */"
    assert declared(header) == {"muster_a"}
    library = pathlib.Path(tmp_path, "lib.so")
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input="int muster_a; int b(void) { return 0; }", text=True, check=True)
    assert exported(library) == {"muster_a", "b"}
