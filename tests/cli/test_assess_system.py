# SPDX-License-Identifier: Apache-2.0
"""What muster assess asks of the system: it reads, and nothing else; and what it does not depend on."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from support import cli, env, hostile

FORMS = ("json", "markdown", "text", "html", "sarif", "github", "junit", "agent")

needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None or cli.sanitized(),
    reason="strace is missing, or sanitizers make calls of their own",
)

#: Calls that change what is on disk, whatever their arguments.
CHANGES = (
    "creat|unlink|rename|mkdir|rmdir|link|symlink|mknod|chmod|fchmod|chown|fchown|lchown|truncate|"
    "ftruncate|fallocate|utime|utimes|futimes|utimensat|futimesat|setxattr|fsetxattr|lsetxattr|removexattr|"
    "copy_file_range|sendfile|splice|mount|umount|umount2|chroot|pwrite64|pwritev|pwritev2|io_uring_setup"
)
CHANGE = re.compile(rf"(?:{CHANGES}|(?:rename|unlink|mkdir|link|symlink|mknod|fchmod|fchown)at2?)$")
NETWORK = re.compile(r"(socket|socketpair|connect|bind|listen|accept4?|send(to|msg|mmsg)|recv(from|msg|mmsg))$")


@pytest.fixture
def tree(tmp_path):
    """A package, a notebook, files that are passed over, and one that is no text."""
    folder = tmp_path / "tree"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg/__init__.py").write_text("from .step import step\n")
    (folder / "pkg/step.py").write_text(hostile.HEAD + hostile.PLAIN + "\n\ndef step(a):\n    return plain(a, 3)\n")
    (folder / "run.py").write_text("import numpy as np\nfrom pkg import step\n\nstep(np.zeros((8, 9)))\n")
    cell = {"cell_type": "code", "source": hostile.HEAD + hostile.PLAIN}
    (folder / "book.ipynb").write_text(str({"cells": [cell]}).replace("'", '"'))
    (folder / "İstanbul_ıI.py").write_text("import numpy as np\n\nİI = np.sin(np.zeros(3))\n")
    (folder / "plain.py").write_text("import os\n\nos.remove('pkg/step.py')\n")
    (folder / "binary.py").write_bytes(b"\0" * 9)
    (folder / "muster.toml").write_text("")
    for i in range(60):
        (folder / f"m{i}.py").write_text(hostile.HEAD + hostile.PLAIN)
    return folder


def snapshot(folder):
    """Everything that can be seen of it but for the times of access."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            path = os.path.join(root, name)
            s = os.lstat(path)
            kept = (s.st_mode, s.st_size, s.st_ino, s.st_nlink, s.st_mtime_ns, s.st_ctime_ns)
            found[path] = kept + ((open(path, "rb").read(),) if os.path.isfile(path) else ())
    return found


# ---- what is asked of the system -------------------------------------------------------------------------


def traced(folder, *arguments, cwd):
    """(call, its text) for every system call of a run."""
    logs = folder / "strace"  # one file a thread: no call is interrupted by those of others
    logs.mkdir()
    command = ["strace", "-ff", "-qq", "-y", "-s", "4096", "-o", logs / "log", env.PROGRAM, *arguments]
    done = subprocess.run(command, cwd=cwd, env=cli.CLEAN, capture_output=True, text=True)
    if "ptrace" in done.stderr.lower():
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    lines = [line for log in logs.iterdir() for line in log.read_text("utf-8", "replace").splitlines()]
    calls = [re.match(r"(\w+)\((.*)", line) for line in lines]
    return [(c[1], c[2]) for c in calls if c is not None]


def opened_to_write(calls):
    return [text for name, text in calls if name in ("open", "openat", "openat2") and re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)", text)]


@needs_strace
@pytest.mark.parametrize("form", FORMS)
def test_it_only_reads(tree, tmp_path, form):
    before = snapshot(tree)
    calls = traced(tmp_path, "assess", f"--format={form}", "-j2", ".", cwd=tree)
    names = [name for name, _ in calls]
    assert len(names) > 100 and any("step.py" in text for _, text in calls)
    assert [n for n in names if n.startswith("exec")] == ["execve"]
    assert not [n for n in names if n in ("fork", "vfork", "ptrace", "kill", "tkill")]
    assert all("CLONE_THREAD" in text for name, text in calls if name in ("clone", "clone3"))
    assert not [c for c in calls if NETWORK.match(c[0])]
    assert not [c for c in calls if CHANGE.match(c[0])]
    assert opened_to_write(calls) == []
    written = {text.split(",")[0] for name, text in calls if name in ("write", "writev")}
    assert written and all(re.match(r"[12]<", w) for w in written)
    assert snapshot(tree) == before


@needs_strace
def test_only_the_report_is_written(tree, tmp_path):
    (tmp_path / "out").mkdir()
    calls = traced(tmp_path, "assess", "-j2", ".", "-o", tmp_path / "out/report.md", cwd=tree)
    out = str(tmp_path / "out")
    assert all(out in text for text in opened_to_write(calls))
    changes = [(name, text) for name, text in calls if CHANGE.match(name)]
    assert changes and all(out in text for _, text in changes)
    assert not [c for c in calls if NETWORK.match(c[0])]
    assert os.listdir(out) == ["report.md"]


@needs_strace
def test_nothing_outside_is_read(tree, tmp_path):
    """But for what the C library looks at, and the user's own table of API support."""
    (tree / "run.py").write_text("import numpy as np\nfrom etc.passwd import *\nopen('/etc/shadow')\n")
    calls = traced(tmp_path, "assess", "--manifest=carried", "-j2", ".", cwd=tree)
    opened = [text for name, text in calls if name in ("open", "openat") and "= -1" not in text]
    paths = {re.search(r"= \d+<(.*)>", text)[1] for text in opened}
    # The path that -y shows is where the file is, all links followed.
    allowed = ("/lib", "/usr/lib", "/usr/share/", "/etc/ld.so", "/proc/", "/sys/", "/dev/", str(tree))
    assert any(p.startswith(str(tree)) for p in paths)
    assert {p for p in paths if not p.startswith(allowed)} == set()


def test_a_tree_that_may_not_be_written(tree):
    first = cli.ok("assess", "--json", "--manifest=carried", ".", cwd=tree).out
    paths = [tree, *tree.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    second = cli.ok("assess", "--json", "--manifest=carried", ".", cwd=tree).out
    for path in paths:
        path.chmod(0o755)
    assert first == second


# ---- what the report does not depend on ------------------------------------------------------------------


def reports(*arguments, cwd, **more):
    return [
        cli.ok("assess", "--manifest=carried", f"--format={form}", *arguments, cwd=cwd, **more).out
        for form in FORMS
    ]


def test_the_number_of_threads(tree):
    first = reports("-j1", ".", cwd=tree)
    for j in (2, 3, 16):
        assert reports(f"-j{j}", ".", cwd=tree) == first


def test_the_number_of_threads_where_one_file_is_large(tree):
    (tree / "large.py").write_text(hostile.text("elements_in_one_loop", 3))
    (tree / "deep.py").write_text(hostile.text("parentheses", 3))
    assert reports("-j1", ".", cwd=tree) == reports("-j2", ".", cwd=tree)


def test_the_folder_to_be_in(tree, tmp_path):
    (tmp_path / "other").mkdir()
    assert reports(tree, cwd=tree) == reports(tree, cwd=tmp_path / "other") == reports(tree, cwd="/")


def test_the_order_of_the_arguments(tree):
    (tree / "link").symlink_to("pkg")
    assert reports("link", "pkg", cwd=tree) == reports("pkg", "link", cwd=tree)


def test_the_order_in_which_files_were_made(tree, tmp_path):
    files = sorted(p.relative_to(tree) for p in tree.rglob("*") if p.is_file())
    for number, order in enumerate((files, files[::-1], files[1::2] + files[::2])):
        for file in order:
            target = tmp_path / f"copy{number}" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tree / file, target)
    first, *others = (reports(".", cwd=tmp_path / f"copy{number}") for number in range(3))
    assert others == [first, first]


@pytest.fixture(scope="module")
def locales(tmp_path_factory):
    """A folder with a Turkish and a German locale, if they can be made here."""
    folder = tmp_path_factory.mktemp("locales")
    for name in ("tr_TR", "de_DE"):
        if shutil.which("localedef") and os.path.exists(f"/usr/share/i18n/locales/{name}"):
            subprocess.run(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"], check=False)
    return folder


def test_the_locale(tree, locales):
    first = reports(".", cwd=tree)
    for name in ("C", "POSIX", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8", "xx_XX", ""):
        more = {"LC_ALL": name, "LANG": name, "LOCPATH": str(locales)}
        assert reports(".", cwd=tree, env=more) == first, name


def test_the_environment(tree):
    first = reports(".", cwd=tree)
    more = {
        "TZ": "Asia/Tokyo",
        "HOME": "/secret-home",
        "USER": "secret-user",
        "COLUMNS": "7",
        "TERM": "xterm-256color",
        "PYTHONPATH": "/secret-path",
        "MALLOC_PERTURB_": "165",
    }
    found = reports(".", cwd=tree, env=more)
    assert found == first and not any("secret" in report for report in found)


def test_addresses(tree):
    """Memory lies elsewhere in every run, and here also without that."""
    if shutil.which("setarch") is None:
        pytest.skip("setarch is missing")
    command = ["setarch", os.uname().machine, "-R", env.PROGRAM, "assess", "--json", "--manifest=carried", "."]
    done = subprocess.run(command, cwd=tree, env=cli.CLEAN, capture_output=True, text=True)
    if done.returncode != 0 and "personality" in done.stderr:
        pytest.skip("setarch may not do that here")
    assert done.stdout == reports(".", cwd=tree)[0], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_report_that_cannot_be_written(tree):
    for form in FORMS:
        with open("/dev/full", "wb") as full:
            ran = cli.run("assess", f"--format={form}", ".", cwd=tree, stdout=full)
        assert ran.status == 1 and "space" in ran.err
