# SPDX-License-Identifier: Apache-2.0
"""muster_assess and what belongs to it, as a program calls them: muster/assess.h."""

import ctypes
import json
import threading

import pytest
from support import declarations, hostile, libmuster
from support.libmuster import Assessment, MusterError

LIGHT = (hostile.HEAD + hostile.PLAIN).encode()
LINE = LIGHT.split(b"\n").index(b"        a /= float(a.sum())") + 1
BLOCKED = LIGHT + b"    a = a[::2]\n    return a.astype(object)\n"


def names_of(function):
    names = []
    while (name := getattr(libmuster.lib(), function)(len(names))) is not None:
        names.append(name.decode())
    return names


def test_a_text_is_assessed():
    with Assessment(text=LIGHT) as found:
        assert found.verdict == "LIGHT REFACTOR" and found.runs
        assert found.sentence.startswith("LIGHT REFACTOR") and "\n" not in found.sentence
        report = json.loads(found.write("json"))
        assert [f["id"] for f in report["findings"] if f["counts"]] == ["R104"]
        for of in ("findings", "gaps", "loops", "files", "diagnostics"):
            assert found.count(of) == len(report[of]), of
        assert found.count("counting_findings") == 1 and found.count("assessed_files") == 1
        assert libmuster.lib().muster_assessment_count(found.handle, 99) == 0
        assert found.explanation is None


def test_the_text_ends_where_it_is_said_to():
    whole = LIGHT + b"\n\nx = np.zeros(3, dtype=object)\n"
    with Assessment(text=whole[: len(LIGHT)]) as cut, Assessment(text=whole) as found:
        assert cut.runs and not found.runs


def test_files_and_a_text_are_one_program(tmp_path):
    (tmp_path / "a.py").write_bytes(LIGHT)
    with Assessment(tmp_path, text=b"print(1)\n", text_name="b.py") as found:
        report = json.loads(found.write("json"))
        assert {f["path"]: f["status"] for f in report["files"]} == {
            f"{tmp_path}/a.py": "assessed",
            "b.py": "skipped",
        }


def test_every_report_has_the_verdict():
    forms = names_of("muster_report_format")
    assert {"markdown", "text", "json"} <= set(forms)
    with Assessment(text=LIGHT) as found:
        for form in set(forms) - {"patch"}:
            assert "LIGHT REFACTOR" in found.write(form)
        assert "\x1b" in found.write("text", colour=True)
        for width in (1, 40, 2**32 - 1):
            assert "LIGHT" in found.write("text", width=width)
        for form in ("", "JSON", "pdf", "patch"):
            with pytest.raises(MusterError) as error:
                found.write(form)
            assert error.value.status == libmuster.USAGE


def test_a_patch_needs_originals():
    text = b"import numpy as np\nx = np.zeros(40)\nfor i in range(99999):\n    x = x + 1\n"
    with Assessment(text=text, text_name="a.py", keep_originals=True) as found:
        assert "-    x = x + 1\n+    x += 1\n" in found.write("patch")


def test_patterns_are_named_and_taken():
    patterns = names_of("muster_assess_pattern")
    assert {"stencil", "gemm", "monte-carlo", "reduction", "fft"} <= set(patterns)
    assert len(set(patterns)) == len(patterns)
    for pattern in patterns:
        with Assessment(text=LIGHT, pattern=pattern) as found:
            assert json.loads(found.write("json"))["gates"][3]["pattern"] == pattern


def test_verdicts_are_named():
    name = libmuster.lib().muster_verdict_name
    assert [name(v) for v in range(5)] == [
        None,
        b"READY",
        b"LIGHT REFACTOR",
        b"SIGNIFICANT REFACTOR",
        b"NOT RECOMMENDED",
    ]


def test_rules_are_chosen():
    with Assessment(text=LIGHT) as found:
        whole, counting = found.count("findings"), found.count("counting_findings")
    with Assessment(text=LIGHT, ignored_rules=["R104"]) as found:
        assert found.verdict == "LIGHT REFACTOR" and found.count("findings") == whole - counting
    with Assessment(text=LIGHT, rules=["R101", "R105"]) as found:
        assert found.verdict == "LIGHT REFACTOR" and found.count("findings") == 0


def test_a_line_is_explained():
    with Assessment(text=LIGHT, text_name="a.py", explain_path="a.py", explain_line=LINE) as found:
        assert "R104" in found.explanation
    with Assessment(text=LIGHT, text_name="a.py", explain_path="b.py", explain_line=LINE) as found:
        assert found.explanation is None


@pytest.mark.parametrize("topic, word", [("R104", "RR-sync"), ("RR-loop", "R101"), ("gate 2", "65,536")])
def test_topics_are_explained(topic, word):
    assert word in libmuster.take_text("muster_explain", topic.encode())


@pytest.mark.parametrize("topic", ["", "R999", "gate", "gate 7", "\xff"])
def test_there_are_no_other_topics(topic):
    with pytest.raises(MusterError) as error:
        libmuster.take_text("muster_explain", topic.encode())
    assert error.value.status == libmuster.NOT_FOUND


@pytest.mark.parametrize(
    "values",
    [
        {"rules": ["R999"]},
        {"ignored_rules": ["r104x"]},
        {"pattern": "stensil"},
        {"date": "2026-02-30"},
        {"elements": 2**64 - 1},
        {"threads": 2**32 - 1},
        {"struct_size": 3},
    ],
)
def test_options_without_sense(values):
    with pytest.raises(MusterError) as error:
        Assessment(text=LIGHT, **values)
    assert error.value.status == libmuster.USAGE


def test_nothing_was_named():
    with pytest.raises(MusterError) as error:
        Assessment()
    assert error.value.status == libmuster.USAGE


def test_what_does_not_exist(tmp_path):
    for path in (tmp_path / "absent.py", tmp_path):
        with pytest.raises(MusterError) as error:
            Assessment(path)
        assert error.value.status == libmuster.NOT_FOUND


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"no table\n", b"muster API support 1\n"])
def test_a_table_that_is_none(tmp_path, content):
    (tmp_path / "table").write_bytes(content)
    with pytest.raises(MusterError) as error:
        Assessment(text=LIGHT, manifest=tmp_path / "table")
    assert error.value.status == libmuster.FORMAT and error.value.name == "table"
    with Assessment(text=LIGHT, manifest=tmp_path / "table", manifest_is_optional=True) as found:
        assert found.verdict == "LIGHT REFACTOR" and found.count("diagnostics") == 1


def test_options_may_be_null(tmp_path):
    (tmp_path / "a.py").write_bytes(LIGHT)
    handle = ctypes.c_void_p()
    paths = libmuster.array_of(ctypes.c_char_p, [str(tmp_path).encode()])
    libmuster.call("muster_assess", paths, 1, None, ctypes.byref(handle))
    text = libmuster.take_text("muster_assessment_write", handle, b"markdown", None)
    libmuster.lib().muster_assessment_free(handle)
    assert text.startswith("# muster assess")


def test_strings_are_copied(tmp_path):
    """What the options pointed to may be gone when the report is written."""
    buffers = [ctypes.create_string_buffer(text) for text in (LIGHT, b"a.py", b"H100", b"2026-11-30")]
    made = libmuster.CAssessOptions()
    libmuster.lib().muster_assess_options_init(ctypes.byref(made))
    made.text, made.text_name, made.gpu_model, made.date = (
        ctypes.cast(b, ctypes.c_char_p) for b in buffers
    )
    made.text_length = len(LIGHT)
    handle = ctypes.c_void_p()
    libmuster.call("muster_assess", None, 0, ctypes.byref(made), ctypes.byref(handle))
    for buffer in buffers:
        ctypes.memset(buffer, ord("#"), len(buffer) - 1)
    report = json.loads(libmuster.take_text("muster_assessment_write", handle, b"json", None))
    libmuster.lib().muster_assessment_free(handle)
    assert report["context"]["gpu_model"] == "H100"
    assert {f["path"] for f in report["findings"]} == {"a.py"}
    assert "###" not in json.dumps(report["findings"])


def test_an_assessment_serves_many_threads():
    with Assessment(text=BLOCKED) as found:
        expected, reports = found.write("markdown"), []
        threads = [
            threading.Thread(target=lambda: reports.append(found.write("markdown"))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert reports == [expected] * 8


def test_assessments_beside_each_other():
    """No two calls share anything, the parser's memory included."""
    results = []

    def assess(text, verdict):
        for _ in range(20):
            with Assessment(text=text, threads=2) as found:
                results.append(found.verdict == verdict)

    threads = [
        threading.Thread(target=assess, args=pair)
        for pair in [(LIGHT, "LIGHT REFACTOR"), (b"import os\n", None)] * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 120


# ---- what has no say ---------------------------------------------------------------------------------


def test_a_baseline_as_text():
    with Assessment(text=LIGHT) as found:
        text = found.baseline.encode()
        assert found.verdict == "LIGHT REFACTOR" and found.count("known") == 0
        counting = found.count("counting_findings")
    with Assessment(text=b"\n" + LIGHT, baseline_text=text.decode(), baseline_length=len(text)) as found:
        assert found.verdict == "READY" and found.count("counting_findings") < counting
        assert found.count("known") > 0 and found.count("fixed") == 0
        assert found.baseline.encode() == text
    with Assessment(text=b"import numpy\n", baseline_text=text.decode(), baseline_length=len(text)) as found:
        assert found.count("fixed") > 0


def test_lines_that_changed():
    with Assessment(text=LIGHT, changed_since="before") as found:
        assert found.verdict == "READY" and found.count("unchanged") > 0
    lines = (declarations.CChangedLines * 1)(declarations.CChangedLines(b"./<stdin>", 1, 2**32 - 1))
    with Assessment(text=LIGHT, changed_since="before", changed=lines, changed_count=1) as found:
        assert found.verdict == "LIGHT REFACTOR" and found.count("unchanged") == 0
    for wrong in ({"changed": lines, "changed_count": 1}, {"baseline": "a", "baseline_text": "{}"}):
        with pytest.raises(MusterError) as error:
            Assessment(text=LIGHT, **wrong)
        assert error.value.status == libmuster.USAGE
