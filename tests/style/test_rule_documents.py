# SPDX-License-Identifier: Apache-2.0
"""Every rule has a document that says what its descriptor says, and cases that show it.

The descriptors are read as users see them, from `muster explain`. As in test_layers.py each check
is a function from text to a list of complaints.
"""

import dataclasses
import functools
import re

import pytest

from support import cli, env

DOCUMENTS = env.SOURCE / "docs/rules"
CASES = env.SOURCE / "tests/rules/cases"
#: How documents say the category: after it comes the effect, or what to do.
WORDS = {"SCALES": "SCALES: ", "BLOCKS": "BLOCKS. ", "REFACTOR": "REFACTOR. ", "INFO": "INFO. "}
WORDS["AUDIT"] = "Audit note. "
SECTIONS = {
    "SCALES": ["What it finds", "Why it scales on Legate", "How to keep it so", "What it does not flag"],
    "AUDIT": ["What it finds", "Why it matters on Legate", "What to do", "What it does not flag"],
}
OTHER_SECTIONS = ["What it finds", "Why it matters on Legate", "How to fix it", "What it does not flag"]


# ---- descriptors -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Rule:
    id: str
    name: str
    category: str
    effect: str  # "cost", "raises", "wrong"; empty: none
    summary: str
    recipe: str  # "RR-loop"; empty: none, or one without a name


def rule_of(text):
    """A rule from what `muster explain ID` prints: head, summary, reason, and perhaps a recipe."""
    head, summary, _, *recipe = text.strip().split("\n\n")
    title, kind = head.split("\n")
    identifier, name = title.split(" ", 1)
    category, effect = re.match(r"(\w+)(?:, (\w+))?; ", kind).groups()
    named = re.match(r"(RR-[\w-]+): ", recipe[0]) if recipe else None
    return Rule(identifier, name, category, effect or "", summary, named[1] if named else "")


def ids_of(listing):
    """The ids of the first part of what `muster explain` prints."""
    return re.findall(r"^  (\w+)  ", listing.split("\n\n")[0], flags=re.M)


@functools.cache
def rules():
    return [rule_of(cli.ok("explain", identifier).out) for identifier in ids_of(cli.ok("explain").out)]


# ---- documents -------------------------------------------------------------------------------------


def section(text, title):
    """The text below the first heading that begins so, with the heading."""
    found = re.search(rf"^## {re.escape(title)}.*?(?=^## |\Z)", text, flags=re.M | re.S)
    return found[0] if found else ""


def wrong_document(rule, text):
    """Complains about a document of a rule."""
    lines = text.split("\n")
    headings = [line[3:].split(":")[0] for line in lines if line.startswith("## ")]
    kind = lines[2] if len(lines) > 2 else ""
    checks = {
        "title": lines[0] == f"# {rule.id} {rule.name}",
        "category": kind.startswith(WORDS[rule.category]),
        "sections": headings == SECTIONS.get(rule.category, OTHER_SECTIONS),
        "recipe": rule.recipe in section(text, "How to fix it"),
    }
    if rule.category in {"BLOCKS", "REFACTOR"}:
        effects = set(re.findall(r"\b(?:cost|raises|wrong)\b", kind))
        checks["effect"] = rule.effect in effects
    return [f"{rule.id}.md: {what}" for what, right in checks.items() if not right]


def row_of(rule):
    """The line of the index that stands for the rule."""
    cells = [f"[{rule.id}]({rule.id}.md) {rule.name}", rule.summary]
    if rule.effect:
        cells += [rule.effect, rule.recipe]
    return re.sub(r" +", " ", f"| {' | '.join(cells)} |")


def wrong_index(listed, text):
    """Complains about rows of the index that differ from the rules, or are in another order."""
    rows = [line for line in text.split("\n") if line.startswith("| [")]
    wanted = [row_of(rule) for rule in listed]
    more = [f"not a rule: {row}" for row in rows if row not in wanted]
    missing = [f"missing: {row}" for row in wanted if row not in rows]
    return more + missing or ([] if rows == wanted else ["not in the order of ids"])


def test_every_rule_is_listed_once():
    ids = [rule.id for rule in rules()]
    assert len(ids) >= 34
    assert len(ids) == len(set(ids))


def test_every_document_is_that_of_a_rule():
    names = {path.stem for path in DOCUMENTS.glob("*.md")} - {"README"}
    assert names == {rule.id for rule in rules()}


def test_documents_say_what_the_rules_say():
    complaints = []
    for rule in rules():
        complaints += wrong_document(rule, (DOCUMENTS / f"{rule.id}.md").read_text())
    assert complaints == []


def test_the_index_says_what_the_rules_say():
    assert wrong_index(rules(), (DOCUMENTS / "README.md").read_text()) == []


def test_links_lead_to_rules():
    ids = {rule.id for rule in rules()}
    for path in DOCUMENTS.glob("*.md"):
        for shown, target in re.findall(r"\[([RA]\d{3})\]\((\w+)\.md\)", path.read_text()):
            assert shown == target and target in ids, path.name


# ---- cases -----------------------------------------------------------------------------------------


def files_of(case):
    return [path for path in case.rglob("*") if path.is_file()] if case.is_dir() else [case]


@functools.cache
def marks():
    """The ids that are marked in each case, by its name."""
    found = {}
    for case in CASES.iterdir():
        text = "".join(p.read_text() for p in files_of(case) if p.suffix in {".py", ".ipynb"})
        lines = re.findall(r"#>((?: +[RA]\d{3}~?)+)", text)
        found[case.name] = set(re.findall(r"[RA]\d{3}", " ".join(lines)))
    return found


def wrong_cases(rule, marked):
    """Complains when a rule has too few cases; audit notes are not compared, so they have none."""
    hits = [name for name, ids in marked.items() if rule.id in ids]
    misses = [name for name in marked if name.startswith(f"{rule.id.lower()}_miss_")]
    complaints = []
    if rule.category != "AUDIT" and len(hits) < 2:
        complaints.append(f"{rule.id}: fewer than two cases in which it fires")
    if rule.category not in {"AUDIT", "SCALES"} and not misses:
        complaints.append(f"{rule.id}: no case in which it must not fire")
    return complaints


def test_every_rule_has_cases():
    assert [line for rule in rules() for line in wrong_cases(rule, marks())] == []


# ---- the checks themselves -------------------------------------------------------------------------

EXPLAINED = """R104 waiting in a loop
BLOCKS, cost; counts in hot places

a value comes to the host

The host waits.

RR-sync: Keep it.
"""
RULE = Rule("R104", "waiting in a loop", "BLOCKS", "cost", "a value comes to the host", "RR-sync")
DOCUMENT = """# R104 waiting in a loop

BLOCKS. Effect: cost. Counts in hot places.

## What it finds

## Why it matters on Legate

## How to fix it: RR-sync

## What it does not flag
"""


def test_descriptors_are_read():
    assert rule_of(EXPLAINED) == RULE
    unnamed = EXPLAINED.replace("RR-sync: ", "")
    assert rule_of(unnamed) == dataclasses.replace(RULE, recipe="")
    scales = "R001 x, y\nSCALES; never counts in the verdict\n\na: b\n\nc\n"
    assert rule_of(scales) == Rule("R001", "x, y", "SCALES", "", "a: b", "")
    assert ids_of("Rules\n  R104  BLOCKS  x\n  A401  AUDIT  y\n\nRecipes\n  RR-x\n") == ["R104", "A401"]


@pytest.mark.parametrize(
    "what, old, new",
    [
        ("title", "waiting", "standing"),
        ("category", "BLOCKS", "INFO"),
        ("sections", "## Why it matters on Legate\n", ""),
        ("recipe", "RR-sync", "RR-loop"),
        ("effect", "cost", "raises"),
    ],
)
def test_each_difference_of_a_document_is_seen(what, old, new):
    assert wrong_document(RULE, DOCUMENT) == []
    assert wrong_document(RULE, DOCUMENT.replace(old, new)) == [f"R104.md: {what}"]


def test_differences_of_the_index_are_seen():
    other = dataclasses.replace(RULE, id="R105", recipe="")
    row = "| [R104](R104.md) waiting in a loop | a value comes to the host | cost | RR-sync |"
    next_row = "| [R105](R105.md) waiting in a loop | a value comes to the host | cost | |"
    assert wrong_index([RULE, other], f"{row}\n{next_row}\n") == []
    assert wrong_index([RULE, other], f"{next_row}\n{row}\n") == ["not in the order of ids"]
    assert wrong_index([RULE], f"{row}\n{next_row}\n") == [f"not a rule: {next_row}"]
    assert wrong_index([RULE], "") == [f"missing: {row}"]


def test_missing_cases_are_seen():
    hits = {"r104_a.py": {"R104"}, "b": {"R104", "R201"}}
    assert wrong_cases(RULE, hits | {"r104_miss_c.py": set()}) == []
    assert wrong_cases(RULE, hits) == ["R104: no case in which it must not fire"]
    assert wrong_cases(RULE, {"r104_miss_c.py": {"R104"}}) == [
        "R104: fewer than two cases in which it fires"
    ]
