# SPDX-License-Identifier: Apache-2.0
"""Running the program as a user would."""

import dataclasses
import functools
import json
import os
import signal
import subprocess

import jsonschema
import numpy as np
from support import env, reference

COMMANDS = "assess baseline config explain inspect plan load recipe write verify seal clean formats manifest mcp demo".split()

#: What a run of the program sees of the environment, so that ours does not matter.
CLEAN = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
CLEAN |= {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}


@functools.cache
def sanitized():
    """Sanitized programs use memory and time of their own, and know their reports."""
    content = env.PROGRAM.read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content


@dataclasses.dataclass
class Ran:
    status: int  # negative: ended by this signal
    out: str
    err: str

    @property
    def json(self):
        return parse(self.out)

    @property
    def errors(self):
        """The JSON objects on stderr, one a line."""
        return [parse(line) for line in self.err.splitlines()]


def decode(data):
    return data.decode("utf-8", "surrogateescape")


@functools.cache
def schema(name):
    """docs/schemas/NAME.json, for the value of "schema", muster.NAME/1."""
    path = env.SOURCE / "docs/schemas" / f"{name}.json"
    found = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def no_duplicates(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), f"a key twice: {pairs}"
    return dict(pairs)


def parse(text):
    """One JSON object of the program, checked against its schema."""

    def no_constant(name):
        raise AssertionError(f"{name} is no JSON")

    text.encode("utf-8")  # no lone surrogates: JSON is UTF-8
    value = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    name = value["schema"].removeprefix("muster.").split("/")[0]
    schema(name).validate(value)
    return value


def start(*arguments, **options):
    arguments = [os.fsencode(str(a) if not isinstance(a, bytes) else a) for a in arguments]
    options = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    } | options
    options["env"] = CLEAN | options.get("env", {})
    return subprocess.Popen([os.fsencode(env.PROGRAM), *arguments], **options)


def run(*arguments, timeout=60, **options):
    """Runs the program; a sanitizer's report or a crash is a failure, whatever was expected."""
    with start(*arguments, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    ran = Ran(process.returncode, decode(out or b""), decode(err or b""))
    assert "Sanitizer" not in ran.err and "runtime error:" not in ran.err, ran.err
    assert ran.status >= 0 or -ran.status in (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGPIPE,
        signal.SIGHUP,
    ), ran
    return ran


def ok(*arguments, **options):
    ran = run(*arguments, **options)
    assert ran.status == 0, f"{arguments}: exit {ran.status}: {ran.err}"
    return ran


def fails(status, *arguments, **options):
    """Exit status 1 or 2, a message, and no result on stdout."""
    ran = run(*arguments, **options)
    assert ran.status == status, f"{arguments}: exit {ran.status} for {status}: {ran.out}{ran.err}"
    assert ran.err.startswith(("muster", "{")), ran.err
    assert ran.err.endswith("\n")
    return ran


def npy_folder(path, parts, name="shard_{}.npy"):
    os.makedirs(path, exist_ok=True)
    for i, part in enumerate(parts):
        reference.put(path, name.format(i), np.asarray(part))
    return path


def files_of(folder):
    """Every file below the folder with its content."""
    return {
        os.path.relpath(os.path.join(root, name), folder): open(
            os.path.join(root, name), "rb"
        ).read()
        for root, _, names in os.walk(folder)
        for name in names
    }
