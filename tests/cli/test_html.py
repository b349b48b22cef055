# SPDX-License-Identifier: Apache-2.0
"""
The report for browsers: read by a parser that forgives nothing, compared with the report as JSON and
with the sources themselves, and looked at in a real browser.
"""

import base64
import collections
import functools
import hashlib
import itertools
import json
import os
import re

import html5lib
import pytest
from support import browser, cli, env

CASES = env.SOURCE / "tests/rules/cases"
WAVE = env.SOURCE / "examples/wave"
SUGGESTIONS = env.SOURCE / "tests/rules/suggestions"
SECTIONS = [
    "1. Verdict",
    "2. What works (SCALES)",
    "3. What blocks (BLOCKS)",
    "4. What's fixable (REFACTOR)",
    "5. Compatibility and cost notes (INFO)",
    "6. API support gaps",
    "7. Decision-framework summary",
    "8. Recommended next steps",
]
#: Text that wants to be something else.
EVIL = "</script><script>boom()</script><img src=x onerror=boom()>"
HOSTILE = f"""import numpy as np
import scipy.special as sp


def f(n: int, steps: int):
    d = {{"{EVIL}": np.zeros(n)}}
    for _ in range(steps):
        t = float(d["{EVIL}"].sum())  # </style> ]]> <!-- & "double" 'single' &lt;
        if d["k"].max() > t:\t# tab \u202e turned \u061c \x1b[31m
            t = sp.erf(d["{EVIL}"])
    return t
"""


def report(form, *arguments, cwd=None):
    return cli.ok("assess", "--manifest=carried", "--format", form, *arguments, cwd=cwd).out


def found_in(*arguments, cwd=None):
    return json.loads(report("json", *arguments, cwd=cwd))


def parse(text):
    """The page, which must be without faults and within itself."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False, strict=False)
    page = parser.parse(text)
    assert [fault for fault in parser.errors if fault[1] != "invalid-codepoint"] == []
    check_within_itself(page)
    return page


@functools.cache
def page_of(folder):
    return parse(report("html", ".", cwd=folder))


def text_of(element):
    return "".join(element.itertext())


def words_of(element):
    return " ".join(text_of(element).split())


def having(page, name, value=None, tag=None):
    """Elements with an attribute; of class, with this word in it."""
    for element in page.iter():
        if not isinstance(element.tag, str) or (tag is not None and element.tag != tag):
            continue
        attribute = element.get(name)
        if attribute is None:
            continue
        if value is None or attribute == value or (name == "class" and value in attribute.split()):
            yield element


def one(page, name, value):
    (element,) = having(page, name, value)
    return element


#: All that a page is made of: text of strangers adds nothing to it.
ELEMENTS = set(
    "html head meta title style body a header h1 h2 h3 button nav ul ol li main section table caption "
    "thead tbody tr th td p strong b code pre del ins br div span details summary form label input "
    "output abbr script svg figure figcaption".split()
)
DRAWN = set("circle path rect line text title desc svg".split())


def check_within_itself(page):
    ids = [element.get("id") for element in having(page, "id")]
    assert len(set(ids)) == len(ids)
    for element in page.iter():
        if not isinstance(element.tag, str):
            continue
        tag = element.tag.rsplit("}", 1)[-1]
        assert tag in ELEMENTS | DRAWN, element.tag
        for name, value in element.attrib.items():
            assert name != "style" and not name.startswith("on") and name not in ("src", "srcset", "action")
            assert not re.match(r"\s*(https?:|//|javascript:|data:)", value), (tag, name, value)
            if name == "href":
                assert value[0] == "#" and value[1:] in ids, value
            if name in ("aria-labelledby", "for"):
                assert set(value.split()) <= set(ids), value
    for kind in ("script", "style"):
        (element,) = page.iter(kind)
        assert not re.search(r"url\(|@import|https?:|fetch\(|XMLHttp|import\(|eval\(|innerHTML", element.text)


# ---- what there is ---------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [WAVE, CASES, SUGGESTIONS], ids=lambda path: path.name)
def test_sections_and_landmarks(folder):
    page = page_of(folder)
    assert [text_of(h) for h in page.iter("h2")] == [*SECTIONS, "All findings", "Sources"]
    assert [len(list(page.iter(tag))) for tag in ("h1", "main", "header", "nav")] == [1, 1, 1, 1]
    assert page.get("lang") == "en"
    for section in page.iter("section"):
        assert section.get("aria-labelledby") or section.get("aria-label")
    for table in page.iter("table"):
        assert all(th.get("scope") in ("col", "row") for th in table.iter("th"))
    levels = [int(e.tag[1]) for e in page.iter() if isinstance(e.tag, str) and re.fullmatch("h[1-6]", e.tag)]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_only_its_own_style_and_script_are_allowed():
    page = parse(report("html", WAVE))
    (policy,) = [m.get("content") for m in page.iter("meta") if m.get("http-equiv")]
    rules = dict(rule.split(None, 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for kind in ("style", "script"):
        (element,) = page.iter(kind)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert rules.pop(f"{kind}-src") == f"'sha256-{digest}'"
    assert set(rules) == {"default-src", "base-uri", "form-action"}


def test_verdict_gates_and_steps_are_those_of_the_result():
    for case in ("composite_weak.py", "composite_significant.py"):
        found, page = found_in(CASES / case), parse(report("html", CASES / case))
        verdict = one(page, "class", "verdict")
        assert next(verdict.iter("strong")).text == found["verdict"]
        gates = [words_of(gate).split()[-1] for gate in having(page, "class", "gate")]
        assert gates == [gate["status"] for gate in found["gates"]]
        steps = list(one(page, "id", "steps").iter("strong"))
        assert [step.text for step in steps] == [step["verdict_after"] for step in found["next_steps"]]


def place_of(entry):
    if entry["cell"] is not None:
        return f"{entry['path']}, cell {entry['cell']}, line {entry['line']}"
    return f"{entry['path']}:{entry['line']}"


def rows_of(page):
    body = next(one(page, "id", "findings-table").iter("tbody"))
    return [[words_of(cell) for cell in row.iter("td")] for row in body.iter("tr")]


def row_of(entry):
    message = " ".join(entry["message"].replace("`", "").split())
    counts = "yes" if entry["counts"] else "no"
    return [place_of(entry), entry["id"], entry["effect"] or "note", entry["heat"], counts, message]


@pytest.mark.parametrize("folder", [WAVE, CASES, SUGGESTIONS], ids=lambda path: path.name)
def test_the_table_has_every_finding(folder):
    found, page = found_in(".", cwd=folder), page_of(folder)
    complaints = [entry for entry in found["findings"] if entry["category"] != "SCALES"]
    assert len(complaints) < 4000
    assert rows_of(page) == [row_of(entry) for entry in complaints]
    blocks = list(having(page, "class", "finding"))
    assert len(blocks) == len(complaints)
    evidence = {words_of(li) for chain in having(page, "class", "evidence") for li in chain.iter("li")}
    for entry in complaints:
        for line in entry["evidence"]:
            assert line == entry["heat"] or " ".join(line.replace("`", "").split()) in evidence, line
    changes = [entry for entry in complaints if entry["suggestion"]]
    assert len(list(having(page, "class", "diff"))) == len(changes)


# ---- sources ---------------------------------------------------------------------------------------


def sources_of(page):
    """By path: lines as (cell, number, kind, text)."""
    sources = {}
    for source in having(page, "class", "source"):
        path = text_of(next(next(source.iter("summary")).iter("code")))
        lines = sources[path] = []
        for line in having(source, "class", "line"):
            numbers = line.get("id").split("-")[1:]
            cell = int(numbers[0]) if len(numbers) == 2 else None
            kind = line.get("class").split()[1].removeprefix("k-")
            lines.append((cell, int(numbers[-1]), kind, text_of(next(line.iter("code")))))
    return sources


WORST = ["raises", "wrong", "cost", "host", "change", "note", "recurrence", "scales"]


def kinds_of(entry):
    """How a finding is coloured: by its effect, then by its category."""
    if entry["category"] == "SCALES":
        return "scales"
    if entry["effect"] in ("raises", "wrong"):
        return entry["effect"]
    if entry["id"] == "R301":
        return "host"
    return {"BLOCKS": "cost", "REFACTOR": "change"}.get(entry["category"], "note")


@pytest.mark.parametrize("folder", [WAVE, CASES], ids=lambda path: path.name)
def test_sources_are_shown_as_they_are(folder):
    found, page = found_in(".", cwd=folder), page_of(folder)
    kinds = collections.defaultdict(set)
    for entry in found["findings"]:
        kinds[entry["path"], entry["cell"], entry["line"]].add(kinds_of(entry))
    spoken = {entry["path"] for name in ("findings", "gaps", "loops") for entry in found[name]}
    assert set(sources_of(page)) == spoken
    for loop in found["loops"]:
        if loop["status"] == "recurrence":
            for line in range(loop["line"], loop["end_line"] + 1):
                kinds[loop["path"], loop["cell"], line].add("recurrence")
    gaps = {(gap["path"], gap["cell"], gap["line"]) for gap in found["gaps"]}
    for path, lines in sources_of(page).items():
        if not path.endswith(".ipynb"):
            with open(folder / path, encoding="utf-8", newline=None) as file:
                content = file.read().removesuffix("\n").split("\n")
            if all(line.isprintable() for line in content):
                assert [line[3] for line in lines] == content
        for cell, number, kind, _ in lines:
            if (path, cell, number) not in gaps:
                expected = kinds[path, cell, number] or {"none"}
                assert kind == min(expected, key=lambda k: WORST.index(k) if k in WORST else 99)


def test_loops_say_what_they_are():
    found, page = found_in(".", cwd=CASES), page_of(CASES)
    said = [words_of(e) for e in having(page, "class", "loop")]
    assert len(said) == len(found["loops"]) > 50
    for text, loop in zip(said, found["loops"]):
        assert text.startswith(f"loop, {loop['heat']}: {loop['status']}")


def test_a_notebook_has_its_cells(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": "x"},
        {"cell_type": "code", "source": "import numpy as np\na = np.zeros(10**6)"},
        {"cell_type": "code", "source": "for i in range(len(a)):\n    a[i] = 2 * a[i]"},
    ]
    (tmp_path / "book.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    page = parse(report("html", "book.ipynb", cwd=tmp_path))
    lines = sources_of(page)["book.ipynb"]
    assert [(cell, number, text) for cell, number, _, text in lines] == [
        (2, 1, "import numpy as np"),
        (2, 2, "a = np.zeros(10**6)"),
        (3, 1, "for i in range(len(a)):"),
        (3, 2, "    a[i] = 2 * a[i]"),
    ]
    assert [words_of(e) for e in having(page, "class", "skip")] == ["cell 2", "cell 3"]
    assert rows_of(page)[0][0] == "book.ipynb, cell 3, line 1"


def test_of_long_files_what_stands_around_findings(tmp_path):
    filler = "".join(f"v{i} = {i}\n" for i in range(6000))
    loop = "for i in range(a.size):\n    a[i] = 2 * a[i]\n"
    (tmp_path / "long.py").write_text("import numpy as np\na = np.zeros(10**7)\n" + filler + loop + filler)
    page = parse(report("html", "long.py", cwd=tmp_path))
    numbers = [line[1] for line in sources_of(page)["long.py"]]
    assert 6003 in numbers and len(numbers) < 40
    hidden = [int(text.split()[0]) for text in map(words_of, having(page, "class", "skip"))]
    assert sum(hidden) + len(numbers) == 12004


def test_long_lines_end_early_between_characters(tmp_path):
    (tmp_path / "a.py").write_text("import numpy as np\na = np.zeros(9)\nb = a + 1  #" + "ü" * 5000 + "\n")
    page = parse(report("html", "a.py", cwd=tmp_path))
    line = sources_of(page)["a.py"][2][3]
    assert re.fullmatch(r"b = a \+ 1  #ü+", line) and 150 < len(line) < 500


def test_large_trees_stay_within_bounds(tmp_path):
    block = "def f{}(a: np.ndarray):\n    return a + 1\n" + "# " + "x" * 300 + "\n"
    for i in range(40):
        text = "import numpy as np\n" + "".join(block.format(k) for k in range(900))
        (tmp_path / f"m{i:02}.py").write_text(text)
    counts = "import numpy as np\na = np.zeros(9)\nfor i in range(9000):\n    t = float(a.sum())\n"
    (tmp_path / "z.py").write_text(counts)
    text = report("html", ".", cwd=tmp_path)
    assert len(text) < 20 << 20
    shown = re.findall(r'<details class="source"(?: open)?><summary><code>(.*?)</code>', text)
    assert "z.py" in shown and 0 < len(shown) < 41  # what counts comes first
    assert "further files no lines are shown" in text


# ---- strangers' text -------------------------------------------------------------------------------

NAMES = [
    b"<img src=x onerror=boom()>.py",
    b"\"' onmouseover='boom().py",
    b"&lt;b&gt;.py",
    b"a b#%20?.py",
    b"new\nline.py",
    b"bad\xff\xfebytes.py",
    "rtl\u202eyp.py".encode(),
    "nonchar\uffff\ufffe.py".encode(),
    b"esc\x1b[31m.py",
    b"back`tick`.py",
    b"--><script>boom()<.py",
]


#: Control characters, marks that turn the direction of writing, bytes that are no text.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[2:-1])
def test_names_of_files_are_text(name, tmp_path):
    with open(os.fsencode(tmp_path) + b"/" + name, "w") as file:
        file.write(HOSTILE)
    text = report("html", ".", cwd=tmp_path)
    page = parse(text)
    plain = found_in(".", cwd=tmp_path)
    assert len(rows_of(page)) == sum(entry["category"] != "SCALES" for entry in plain["findings"]) >= 3
    assert not UNSEEN.search(text)
    (shown,) = sources_of(page)
    if name.isascii() and name.decode().isprintable():
        assert shown == name.decode()


def test_lines_are_text_and_what_cannot_be_seen_is_spelled_out(tmp_path):
    (tmp_path / "a.py").write_text(HOSTILE)
    page = parse(report("html", "a.py", cwd=tmp_path))
    lines = [line[3] for line in sources_of(page)["a.py"]]
    spelled = HOSTILE.replace("\u202e", r"\u202e").replace("\u061c", r"\u061c").replace("\x1b", r"\x1b")
    assert lines == spelled.splitlines()
    assert any(EVIL[:20] in row[5] for row in rows_of(page))


def test_the_same_bytes_whatever_the_threads(tmp_path):
    for folder in (WAVE, CASES):
        first = report("html", "-j1", folder)
        assert first == report("html", "-j2", folder) == report("html", "-j7", folder)
    # One program of several slices, which threads share.
    for i in range(40):
        used = f"from m{i - 1:02} import f0 as g\n" if i > 0 else ""
        functions = "".join(f"def f{k}(a: np.ndarray):\n    return a[{k}] + {i}\n" for k in range(500))
        (tmp_path / f"m{i:02}.py").write_text("import numpy as np\n" + used + functions)
    first = report("html", "-j1", ".", cwd=tmp_path)
    assert first == report("html", "-j3", ".", cwd=tmp_path) and 'id="s40-' in first
    assert report("html", "-o", tmp_path / "r.html", WAVE) == ""
    assert (tmp_path / "r.html").read_text() == report("html", WAVE)


def test_without_arrays_all_sections_are_there(tmp_path):
    (tmp_path / "a.py").write_text("print('no arrays')\n")
    page = parse(report("html", "a.py", cwd=tmp_path))
    assert [text_of(h) for h in page.iter("h2")][:8] == SECTIONS
    assert words_of(one(page, "id", "steps")).endswith("n/a - see verdict")
    assert sources_of(page) == {}


# ---- charts ----------------------------------------------------------------------------------------


def bars_of(page, chart):
    """Colour and text of each bar, and the names of the marks."""
    (figure,) = [f for f in page.iter("figure") if list(having(f, "id", f"{chart}-title"))]
    drawn = [(e.tag.rsplit("}", 1)[-1], e) for e in figure.iter() if isinstance(e.tag, str)]
    colours = [e.get("class") for tag, e in drawn if tag == "rect"]
    texts = [e for tag, e in drawn if tag == "text"]
    values = [e.text for e in texts if e.get("class") is None]
    return colours, values, [e.text for e in texts if e.get("class") == "mark"]


def test_charts_compare_memory_and_work_with_what_a_gpu_has(tmp_path):
    # Two arrays of 2**27 doubles: 2 GiB, so 3 GPUs of 0.8 GB are needed; 2**27 / 65536 is 2048.
    (tmp_path / "a.py").write_text(
        "import numpy as np\n\na = np.zeros(2**27)\nb = np.ones(2**27)\nfor _ in range(9999):\n    a += b\n"
    )
    page = parse(report("html", "--fbmem=800M", "--gpus=4", "a.py", cwd=tmp_path))
    colours, values, marks = bars_of(page, "memory")
    assert values[0] == "2.15 GB" and values[2] == "537 MB" and marks == ["a GPU has 800 MB"]
    assert colours == ["bad", "bad", *["good"] * 5]
    small = parse(report("html", "--elements=4M", "a.py", cwd=tmp_path))
    colours, values, marks = bars_of(small, "elements")
    assert marks == ["floor: 65,536", "1M"]
    assert colours == ["good"] * 3 + ["fair"] * 3 + ["bad"]  # 4M, 2M, 1M, 500k, 250k, 125k, 62500
    assert bars_of(small, "memory")[2] == []
    assert list(parse(report("html", "--cpu-only", "a.py", cwd=tmp_path)).iter("figure")) == []


# ---- in a browser ----------------------------------------------------------------------------------

needs_browser = pytest.mark.skipif(browser.PROGRAM is None, reason="chromium is missing")


@pytest.fixture(scope="module")
def chromium():
    with browser.Browser() as found:
        yield found


@pytest.fixture
def wave(chromium, tmp_path):
    chromium.prefer("light")
    (tmp_path / "wave.html").write_text(report("html", "--elements=16384x16384", "--fbmem=80G", WAVE))
    chromium.open(tmp_path / "wave.html")
    yield chromium
    assert chromium.complaints == []
    assert {url.split("#")[0] for url in chromium.requests} == {(tmp_path / "wave.html").as_uri()}


def column(page, number):
    rows = "[...document.querySelectorAll('#findings-table tbody tr:not([hidden])')]"
    return page.eval(f"{rows}.map(row => row.cells[{number}].innerText)")


def click_header(page, number):
    page.eval(f"document.querySelectorAll('#findings-table th button')[{number}].click()")
    headers = "[...document.querySelectorAll('#findings-table th')]"
    return page.eval(f"{headers}.map(header => header.getAttribute('aria-sort'))")


@needs_browser
def test_the_table_is_sorted_by_a_click(wave):
    places, rules = column(wave, 0), column(wave, 1)
    assert len(set(rules)) > 2 and rules != sorted(rules)
    assert click_header(wave, 1) == [None, "ascending", None, None, None, None]
    assert column(wave, 1) == sorted(rules)
    assert click_header(wave, 1)[1] == "descending"
    assert column(wave, 1) == sorted(rules, reverse=True)
    click_header(wave, 0)
    assert column(wave, 0) == places


@needs_browser
def test_the_table_is_filtered_by_text(wave):
    rules = column(wave, 1)
    wave.eval("document.getElementById('filter').focus()")
    wave.call("Input.insertText", text="R104 HOT")
    assert column(wave, 1) == ["R104"]
    assert wave.eval("document.getElementById('matches').innerText") == f"1 of {len(rules)}"


@needs_browser
def test_evidence_comes_by_keyboard(wave):
    wave.eval("document.querySelector('.said a.chip').focus()")
    for expanded in ("true", "false"):
        wave.key("Enter", 13, "\r")
        assert wave.eval("document.activeElement.getAttribute('aria-expanded')") == expanded
        shown = wave.eval("document.querySelectorAll('.said + .evidence-here li').length")
        assert (shown > 0) == (expanded == "true")


@needs_browser
def test_a_link_opens_what_it_leads_to(wave):
    assert wave.eval("document.querySelectorAll('.finding[open]').length") == 0
    wave.eval("document.querySelector('#findings-table tbody a[href^=\"#f\"]').click()")
    wave.eval("new Promise(done => setTimeout(done, 200))")
    assert wave.eval("document.querySelector(location.hash).parentElement.open") is True


def colours(page):
    style = "getComputedStyle(document.body)"
    return page.eval(f"[{style}.backgroundColor, {style}.color]")


def brightness(colour):
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


@needs_browser
def test_light_and_dark(wave):
    paper, ink = map(brightness, colours(wave))
    assert paper > 600 > 200 > ink
    light = wave.screenshot()
    wave.eval("document.getElementById('theme').click()")
    paper, ink = map(brightness, colours(wave))
    assert paper < 150 and ink > 600
    assert wave.screenshot() != light
    wave.eval("document.getElementById('theme').click()")
    assert brightness(colours(wave)[0]) > 600
    wave.prefer("dark")
    assert brightness(colours(wave)[0]) > 600  # what was chosen stands
    wave.call("Page.reload")
    wave.eval("new Promise(done => setTimeout(done, 300))")
    assert brightness(colours(wave)[0]) < 150


@needs_browser
def test_it_fits_into_a_narrow_window(wave):
    wave.call("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=True)
    try:
        assert wave.eval("document.documentElement.scrollWidth") <= 420
    finally:
        wave.call("Emulation.clearDeviceMetricsOverride")


@needs_browser
def test_it_can_be_read_without_the_script(chromium, tmp_path):
    (tmp_path / "wave.html").write_text(report("html", WAVE))
    chromium.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.open(tmp_path / "wave.html")
        assert chromium.eval("getComputedStyle(document.getElementById('theme')).display") == "none"
        assert chromium.eval("getComputedStyle(document.querySelector('.filter')).display") == "none"
        summary = "document.querySelector('.finding summary')"
        chromium.eval(f"{summary}.focus()")
        chromium.key("Enter", 13, "\r")
        assert chromium.eval(f"{summary}.parentElement.open") is True
        assert chromium.eval("document.querySelector('.finding .more').getBoundingClientRect().height") > 20
        assert chromium.complaints == []
    finally:
        chromium.call("Emulation.setScriptExecutionDisabled", value=False)


@needs_browser
def test_hostile_text_does_nothing_in_a_browser(chromium, tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    for name in NAMES:
        with open(os.fsencode(folder) + b"/" + name, "w") as file:
            file.write(HOSTILE)
    (tmp_path / "hostile.html").write_text(report("html", ".", cwd=folder))
    chromium.open(tmp_path / "hostile.html")
    chromium.eval("document.querySelectorAll('.said a.chip').forEach(chip => chip.click())")
    click_header(chromium, 5)
    assert chromium.complaints == []
    assert chromium.requests == [(tmp_path / "hostile.html").as_uri()]
    assert chromium.eval("[document.images.length, document.scripts.length]") == [0, 1]
    assert chromium.eval("typeof boom") == "undefined"
    assert len(column(chromium, 0)) == 3 * len(NAMES)
