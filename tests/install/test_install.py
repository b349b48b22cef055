# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` lays down serves programs in C and C++, wherever it is moved to."""

import os
import re
import shlex
import shutil
import subprocess

import numpy as np
import pytest
from support import env, reference

EXAMPLES = env.SOURCE / "examples"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# As C++ sees it: prints the shape and the dtype of a dataset.
CPP_MAIN = """
#include <muster/muster.h>
#include <cstdio>

int main(int argc, char **argv) {
  muster_open_options options;
  muster_open_options_init(&options);
  muster_dataset *dataset = nullptr;
  muster_error error = {};
  const char *input = argc > 1 ? argv[1] : "";
  if (muster_open(&input, 1, &options, &dataset, &error) != MUSTER_OK) {
    std::fprintf(stderr, "%s: %s\\n", muster_status_name(error.status), error.message);
    return 1;
  }
  const muster_dtype dtype = muster_dataset_dtype(dataset);
  char name[48];
  std::printf("%zu %llu %s %s\\n", muster_dataset_rank(dataset),
              (unsigned long long)muster_dataset_rows(dataset), muster_dtype_name(&dtype, name),
              muster_version());
  muster_dataset_free(dataset);
  return 0;
}
"""

CPP_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(muster 0.1 REQUIRED)
add_executable(user main.cpp)
target_link_libraries(user PRIVATE ${MUSTER_TARGET})
"""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def clean_environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PKG_CONFIG", "CMAKE_", "LD_", "DESTDIR"))}
    return {**kept, **more}


class Place:
    """An installed tree."""

    def __init__(self, prefix):
        self.prefix = prefix
        (found,) = prefix.glob("**/pkgconfig/muster.pc")
        self.libdir = found.parent.parent
        self.pkg_config_path = found.parent

    def pkg_config(self, *arguments):
        environment = clean_environment(PKG_CONFIG_PATH=str(self.pkg_config_path))
        return shlex.split(run("pkg-config", *arguments, "muster", env=environment))

    def use_shared(self, program, *arguments):
        return run(program, *arguments, env=clean_environment(LD_LIBRARY_PATH=str(self.libdir)))


def install(prefix, **environment):
    run("cmake", "--install", env.BUILD, "--prefix", prefix, env=clean_environment(**environment))


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """The tree where it was installed, moved to another place, and staged in DESTDIR."""
    base = tmp_path_factory.mktemp("installed")
    install(base / "here")
    install(base / "before")
    (base / "moved" / "far away").mkdir(parents=True)
    shutil.move(base / "before", base / "moved" / "far away" / "muster")
    install("/opt/muster", DESTDIR=str(base / "stage"))
    return {
        "here": Place(base / "here"),
        "moved": Place(base / "moved" / "far away" / "muster"),
        "staged": Place(base / "stage" / "opt" / "muster"),
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Shards of unequal rows, and files of points for the reader of one's own."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(3)
    whole = rng.standard_normal((101, 7))
    for i, part in enumerate(np.split(whole, [40, 41])):
        np.save(folder / f"s{i}.npy", part)
    points = rng.standard_normal((50, 3)).astype("f4")
    for i, part in enumerate(np.split(points, [9, 9])):
        (folder / f"p{i}.points").write_bytes(b"POINTS %d\n" % len(part) + part.tobytes())
    return folder, whole, points


def check_examples(place, folder, data):
    """The programs in `folder` say what NumPy says."""
    source, whole, points = data
    tile = -(-len(whole) // 4)
    for rank in range(4):
        rows = whole[rank * tile : (rank + 1) * tile]
        last = rank * tile + len(rows)
        out = place.use_shared(folder / "load_rows", rank, 4, f"{source}/*.npy")
        expected = f"rows {rank * tile} to {last} of shape (101, 7), dtype float64, "
        assert out == f"{expected}first {rows[0, 0]:.17g}, last {rows[-1, -1]:.17g}\n"
    files = sorted(source.glob("*.points"))
    out = place.use_shared(folder / "own_format", *files)
    x, y, z = points[-1]
    assert out == f"50 points, checksum {reference.checksum(points):016x}, last ({x:g}, {y:g}, {z:g})\n"


def build_with_pkg_config(place, folder, static):
    libs = place.pkg_config("--static", "--libs") if static else place.pkg_config("--libs")
    flags = [*place.pkg_config("--cflags"), *STRICT, "-std=c17"]
    for name in ("load_rows", "own_format"):
        how = ["-static"] if static else []
        run("cc", *how, *flags, EXAMPLES / f"{name}.c", "-o", folder / name, *libs)


def build_with_cmake(place, folder, static, source=EXAMPLES):
    target = "muster::muster_static" if static else "muster::muster"
    options = [f"-DCMAKE_PREFIX_PATH={place.prefix}", f"-DMUSTER_TARGET={target}"]
    options += ["-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={' '.join(STRICT)}"]
    run("cmake", "-G", "Ninja", "-S", source, "-B", folder, *options, env=clean_environment())
    run("cmake", "--build", folder, env=clean_environment())


def needs_muster(program):
    return "libmuster.so.0" in run("readelf", "-d", program)


STATIC = pytest.mark.parametrize("static", [False, True], ids=["shared", "static"])


@pytest.mark.parametrize("where", ["here", "moved", "staged"])
@STATIC
def test_examples_by_pkg_config(places, data, tmp_path, where, static):
    build_with_pkg_config(places[where], tmp_path, static)
    assert needs_muster(tmp_path / "load_rows") != static
    check_examples(places[where], tmp_path, data)


@pytest.mark.parametrize("where", ["moved", "staged"])
@STATIC
def test_examples_by_cmake(places, data, tmp_path, where, static):
    build_with_cmake(places[where], tmp_path, static)
    assert needs_muster(tmp_path / "load_rows") != static
    check_examples(places[where], tmp_path, data)


@STATIC
def test_a_cpp_program_by_pkg_config(places, data, tmp_path, static):
    place = places["moved"]
    (tmp_path / "main.cpp").write_text(CPP_MAIN)
    libs = place.pkg_config("--static", "--libs") if static else place.pkg_config("--libs")
    flags = [*place.pkg_config("--cflags"), *STRICT, "-std=c++17", *(["-static"] if static else [])]
    run("c++", *flags, tmp_path / "main.cpp", "-o", tmp_path / "user", *libs)
    assert place.use_shared(tmp_path / "user", f"{data[0]}/*.npy") == f"2 101 float64 {version()}\n"


@STATIC
def test_a_cpp_project_by_cmake(places, data, tmp_path, static):
    place = places["moved"]
    (tmp_path / "main.cpp").write_text(CPP_MAIN)
    (tmp_path / "CMakeLists.txt").write_text(CPP_PROJECT)
    build_with_cmake(place, tmp_path / "build", static, source=tmp_path)
    assert needs_muster(tmp_path / "build" / "user") != static
    assert place.use_shared(tmp_path / "build" / "user", f"{data[0]}/*.npy") == f"2 101 float64 {version()}\n"


ASSESS_MAIN = """
#include <muster/assess.h>
#include <stdio.h>

int main(void) {
  muster_assess_options options;
  muster_assessment *assessment = NULL;
  muster_error error;
  muster_assess_options_init(&options);
  options.text = "import numpy as np\\nx = np.sqrt(np.ones(3))\\n";
  options.text_length = 43;
  if (muster_assess(NULL, 0, &options, &assessment, &error) != MUSTER_OK) return 1;
  printf("%s\\n", muster_verdict_name(muster_assessment_verdict(assessment)));
  muster_assessment_free(assessment);
  return 0;
}
"""


@STATIC
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_program_that_assesses(places, tmp_path, language, static):
    """assess.h alone, from C and C++."""
    place = places["moved"]
    source = tmp_path / f"main.{language}"
    source.write_text(ASSESS_MAIN)
    compiler, standard = {"c": ("cc", "-std=c17"), "cpp": ("c++", "-std=c++17")}[language]
    libs = place.pkg_config("--static", "--libs") if static else place.pkg_config("--libs")
    flags = [*place.pkg_config("--cflags"), *STRICT, standard, *(["-static"] if static else [])]
    run(compiler, *flags, source, "-o", tmp_path / "user", *libs)
    assert place.use_shared(tmp_path / "user") == "READY\n"


def version():
    text = (env.SOURCE / "include/muster/version.h").read_text()
    return ".".join(re.search(rf"MUSTER_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def test_versions_agree(places, tmp_path):
    place = places["here"]
    assert place.pkg_config("--modversion") == [version()]
    assert version() in run(place.prefix / "bin" / "muster", "--version")
    major, minor, _ = version().split(".")
    wanted = [f"{major}.{minor}", f"{major}.{int(minor) + 1}", f"{int(major) + 1}.0"]
    script = "cmake_minimum_required(VERSION 3.25)\nproject(find LANGUAGES C)\n"
    for number in wanted:
        script += f"find_package(muster {number} QUIET)\nmessage(STATUS \"{number} found=${{muster_FOUND}}\")\n"
    (tmp_path / "CMakeLists.txt").write_text(script)
    options = [f"-DCMAKE_PREFIX_PATH={place.prefix}", "-G", "Ninja"]
    out = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", *options, env=clean_environment())
    assert re.findall(r"found=(\d)", out) == ["1", "0", "0"], out


def test_the_program_runs_from_anywhere(places, data):
    for place in places.values():
        out = run(place.prefix / "bin" / "muster", "inspect", f"{data[0]}/*.npy", env=clean_environment())
        assert "(101, 7)" in out


def files_of(place):
    return {p.relative_to(place.prefix): p for p in place.prefix.rglob("*") if p.is_file()}


def test_every_place_has_the_same_files(places):
    here, moved, staged = (files_of(places[name]) for name in ("here", "moved", "staged"))
    assert here.keys() == moved.keys() == staged.keys()
    public = {p.name for p in (env.SOURCE / "include/muster").glob("*.h")}
    assert {p.name for p in here if p.suffix == ".h"} == public
    assert {"libmuster.so", "libmuster.so.0", f"libmuster.so.{version()}", "libmuster.a"} <= {p.name for p in here}


def test_no_file_knows_where_it_was_made(places):
    """Nor where it was installed: text files name no absolute path, libraries search in none."""
    for relative, path in files_of(places["moved"]).items():
        if path.suffix in {".pc", ".cmake", ".h"} or relative.parts[0] == "share":
            text = path.read_text()
            for place in (env.SOURCE, env.BUILD, places["here"].prefix.parent, "/usr/local", "/opt/muster"):
                assert str(place) not in text, relative
        elif ".so" in path.name or path.name == "muster":
            assert not re.search(r"R(UN)?PATH", run("readelf", "-d", path)), relative
