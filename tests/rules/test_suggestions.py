# SPDX-License-Identifier: Apache-2.0
"""Every before and after of `muster assess`, put into the programs that they are for.

The programs in `suggestions/` are written for it. Their marks say what is expected of a finding:

    #> R202 safe     there is a suggestion, it is said to be safe, and the results stay the same
    #> R201 same     it asks the reader to look, and the results stay the same
    #> R202 look     it asks the reader to look, with reason: here the results would be others
    #> R105 later    a loop ends some turns later: the program runs
    #> R105 none     no suggestion

A mark stands on the finding's statement. What is suggested elsewhere is a mistake.
"""

import ast
import json
import pathlib
import re

import numpy as np
import pytest
from support import cli

PROGRAMS = sorted(pathlib.Path(__file__).with_name("suggestions").glob("*.py"))
MARK = re.compile(r"#>((?: R\d{3} [a-z]+)+)\s*$")
WORDS = {"safe", "same", "look", "later", "none"}


# ---- reading ---------------------------------------------------------------------------------------


def statement_of(tree, line):
    """(first, last) line of the innermost statement of a line; of one with a body, of its head."""
    best = (line, line)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if node.lineno <= line <= last:
                best = node.lineno, last
    return best


def expected(text):
    """{(first line of the statement, rule): word}"""
    marks = {}
    tree = ast.parse(text)
    for number, line in enumerate(text.splitlines(), start=1):
        found = MARK.search(line)
        words = found[1].split() if found else []
        for rule, word in zip(words[::2], words[1::2]):
            assert word in WORDS
            marks[statement_of(tree, number)[0], rule] = word
    return marks


def findings_of(path):
    return cli.ok("assess", "--format", "json", path).json["findings"]


# ---- putting a suggestion in -----------------------------------------------------------------------


def margin(line):
    return line[: len(line) - len(line.lstrip())]


def moved(lines, indent):
    return [indent + line if line else line for line in lines]


def same_lines(source, at, lines):
    """Whether the lines stand in the source from `at` on; more may follow on the last of them."""
    if at + len(lines) > len(source):
        return False
    here = [line.strip() for line in source[at : at + len(lines)]]
    want = [line.strip() for line in lines]
    return here[:-1] == want[:-1] and here[-1].startswith(want[-1])


def head_length(lines):
    """Lines of the head that a text begins with; 0: it begins with none."""
    for count in range(1, len(lines) + 1):
        text = "\n".join(lines[:count])
        if text.endswith(":") and compiles(text + "\n  pass") and lines[0].split()[0] in ("for", "while", "if"):
            return count
    return 0


def compiles(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def replace_plain(source, at, before, after):
    """Lines for lines; the rest of the last line stays, and what stands before on the first."""
    indent = margin(source[at])
    first, column = source[at], source[at].find(before[0].strip())
    assert column >= 0 and same_lines([first[column:], *source[at + 1 :]], 0, before)
    last = source[at + len(before) - 1]
    start = column if len(before) == 1 else last.find(before[-1].strip())
    rest = last[start + len(before[-1].strip()) :]
    new = moved(after, indent)
    new[0] = first[:column] + new[0].lstrip()
    new[-1] += rest
    return source[:at] + new + source[at + len(before) :]


def end_of_loop(source, at):
    for node in ast.walk(ast.parse("\n".join(source))):
        if isinstance(node, (ast.For, ast.While, ast.If)) and node.lineno == at + 1:
            return node.end_lineno
    raise AssertionError("no compound statement")


def replace_head(source, at, before, after):
    """A head alone: what follows it in `after` begins the body."""
    indent = margin(source[at])
    assert same_lines(source, at, before)
    begin = next(i for i in range(len(after)) if head_length(after[i:]))
    count = head_length(after[begin:])
    inner = [line.strip() for line in after[begin + count :]]
    body = margin(source[at + len(before)])
    head = moved(after[: begin + count], indent)
    return source[:at] + head + moved(inner, body) + source[at + len(before) :]


def replace_within(source, at, before, after, count):
    """A head and one statement of its body: the loop's other lines stay."""
    statement, inner_margin = before[count:], margin(source[at])
    assert margin(statement[0]) and same_lines(source, at, statement)
    head = next(i for i in range(at, -1, -1) if same_lines(source, i, before[:count]))
    end = end_of_loop(source, head)
    indent = margin(source[head])
    begin = next(i for i in range(len(after)) if after[i : i + count] == before[:count])
    rest = after[begin + count :]
    inner = [line.strip() for line in rest if margin(line)]
    behind = [line for line in rest if not margin(line)]
    return (
        source[:head] + moved(after[:begin], indent) + source[head:at] + moved(inner, inner_margin)
        + source[at + len(statement) : end] + moved(behind, indent) + source[end:]
    )


def declared(source, at, after):
    """`turn += 1  # turn = 0 before the loop`"""
    found = re.match(r"\w+ \+= 1  # (\w+ = 0) before the loop", after[0])
    if not found:
        return source
    loop = max(i for i in range(at) if re.match(r"\s*(for|while) ", source[i]))
    return source[:loop] + [margin(source[loop]) + found[1]] + source[loop:]


def put_in(text, finding):
    """The program with the suggestion in the place that it is for."""
    source, at = text.splitlines(), finding["line"] - 1
    before = finding["suggestion"]["before"].splitlines()
    after = finding["suggestion"]["after"].splitlines()
    count = head_length(before)
    if count == len(before) > 0:
        new = replace_head(source, at, before, after)
        new = declared(new, at, after)
    elif count and not same_lines(source, at, before):
        new = replace_within(source, at, before, after, count)
    else:
        new = replace_plain(source, at, before, after)
    return "\n".join(new) + "\n"


# ---- running ---------------------------------------------------------------------------------------


def run(text, name):
    names = {"__name__": name}
    exec(compile(text, name, "exec"), names)  # noqa: S102: programs of our own
    return names["main"]()


def equal(a, b):
    return len(a) == len(b) and all(
        np.shape(x) == np.shape(y) and np.allclose(x, y, rtol=1e-12, atol=0, equal_nan=True) for x, y in zip(a, b)
    )


def outcome(text, name):
    try:
        return run(text, name)
    except (ValueError, TypeError, IndexError, ArithmeticError) as error:
        return error


# ---- tests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_suggestions(path):
    text = path.read_text()
    marks, tree, wrong = expected(text), ast.parse(text), []
    right = run(text, path.stem)
    for finding in findings_of(path):
        key = statement_of(tree, finding["line"])[0], finding["id"]
        suggestion = finding["suggestion"]
        word = marks.pop(key, "none") if suggestion or key in marks else None
        if suggestion is None:
            if word not in (None, "none"):
                wrong.append(f"{key}: no suggestion, expected {word}")
            continue
        if word == "none":
            wrong.append(f"{key}: unexpected\n{suggestion['before']}\n->\n{suggestion['after']}")
            continue
        if suggestion["safe"] != (word == "safe"):
            wrong.append(f"{key}: safe is {suggestion['safe']}, expected {word}")
        new = put_in(text, finding)
        found = outcome(new, path.stem)
        if word in ("safe", "same") and (isinstance(found, Exception) or not equal(found, right)):
            wrong.append(f"{key}: other results ({found!r})\n{suggestion['after']}")
        if word == "look" and not isinstance(found, Exception) and equal(found, right):
            wrong.append(f"{key}: the program does not show why one has to look")
        if word == "later" and isinstance(found, Exception):
            wrong.append(f"{key}: {found!r}")
    wrong += [f"{key}: no finding" for key in marks]
    assert not wrong, "\n".join(wrong)


def fixed(text, replacements):
    """The text with the replacements of a fix of SARIF made: lines and columns from 1, the end excluded."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]

    def place(region, which):
        return starts[region[which + "Line"] - 1] + region[which + "Column"] - 1

    for one in sorted(replacements, key=lambda r: place(r["deletedRegion"], "start"), reverse=True):
        region = one["deletedRegion"]
        start, end = place(region, "start"), place(region, "end")
        text = text[:start] + one["insertedContent"]["text"] + text[end:]
    return text


def fixes_of(path):
    """[(line, rule, replacements)]"""
    (run,) = json.loads(cli.ok("assess", "--format", "sarif", path).out)["runs"]
    found = []
    for result in run["results"]:
        for fix in result.get("fixes", []):
            (replacements,) = [change["replacements"] for change in fix["artifactChanges"]]
            line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
            found.append((line, result["ruleId"], replacements))
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_fixes_of_sarif_are_the_safe_suggestions(path):
    """All of them, but one of several lines that begins behind another statement."""
    text = path.read_text()
    safe = {
        (one["line"], one["id"]): one
        for one in findings_of(path)
        if one["suggestion"] and one["suggestion"]["safe"]
    }
    left = set(safe)
    for line, rule, replacements in fixes_of(path):
        left.remove((line, rule))
        new = fixed(text, replacements)
        assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(put_in(text, safe[line, rule])))
        assert equal(run(new, path.stem), run(text, path.stem))
    assert left == ({(10, "R202")} if path.stem == "r202_rebindings" else set())


def test_fixes_stand_where_columns_are_odd(tmp_path):
    """Tabs, wide characters, comments and further statements on the line, line ends of Windows, a BOM."""
    head = "import numpy as np\n\n\ndef f(n: int, steps: int):\n\tx = np.zeros(40)\n\ty = np.ones(40)\n\tfor _ in range(steps):\n"
    lines = {
        "\t\tx = x + y\n": "\t\tx += y\n",
        "\t\tx = x + y  # 😀 x = x + y\n": "\t\tx += y  # 😀 x = x + y\n",
        "\t\ts = '😀ü'; x = x + y; t = '😀'\n": "\t\ts = '😀ü'; x += y; t = '😀'\n",
        "\t\tx = x + \\\n  y\n": None,
        "\t\tx = x + y": "\t\tx += y",
    }
    for line, right in lines.items():
        for end in ("\n", "\r\n"):
            for mark in ("", "\ufeff"):
                tail = "\treturn x\n" if line.endswith("\n") else ""
                text = head + line + tail
                path = tmp_path / "a.py"
                path.write_bytes((mark + text).replace("\n", end).encode())
                found = [fixed(text, r) for _, rule, r in fixes_of(path) if rule == "R202"]
                if right is not None:
                    assert found == [head + right + tail], (line, end, mark)
                for new in found:
                    ast.parse(new)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_findings_are_marked_once(path):
    """A misspelt mark would be a check that is not made."""
    text = path.read_text()
    marked = [line for line in text.splitlines() if "#>" in line]
    assert all(MARK.search(line) for line in marked)
    assert sum(len(MARK.search(line)[1].split()) // 2 for line in marked) == len(expected(text))


def test_every_rule_that_suggests_is_tried():
    """A rule whose source makes suggestions has a program."""
    sources = pathlib.Path(__file__).parents[2] / "src/rules"
    rules = {p.name[:4] for p in sources.glob("r*.c") if "mst_suggest" in p.read_text()}
    assert rules == {path.name[:4] for path in PROGRAMS}


CASES = pathlib.Path(__file__).with_name("cases")


def test_suggestions_for_cases_compile():
    """Also those of the cases can be put in."""
    texts = {path.name: path.read_text() for path in CASES.glob("*.py")}
    names = [name for name in sorted(texts) if compiles(texts[name])]
    found = json.loads(cli.ok("assess", "--format", "json", *names, cwd=CASES).out)["findings"]
    found = [finding for finding in found if finding["suggestion"]]
    assert found
    for finding in found:
        new = put_in(texts[finding["path"]], finding)
        assert compiles(new), f"{finding['path']}:{finding['line']}: {finding['suggestion']}"
