# SPDX-License-Identifier: Apache-2.0
"""Functions that may crash, run in a copy of this process with limits."""

import os
import pickle
import resource
import signal

SECONDS = 20


def run(function, *arguments, memory=None):
    """
    ("done", result), ("failed", exception's text), or ("ended", number of the signal). `memory`
    limits what the copy may allocate on top of what this process has.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            _report(pipe, function, arguments, memory)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "ended", os.WTERMSIG(status)
    return pickle.loads(content)


def _report(pipe, function, arguments, memory):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    signal.alarm(SECONDS)
    if memory is not None:
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))
    try:
        outcome = "done", function(*arguments)
    except Exception as error:
        outcome = "failed", f"{type(error).__name__}: {error}"
    pickle.dump(outcome, pipe)
