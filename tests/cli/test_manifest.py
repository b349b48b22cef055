# SPDX-License-Identifier: Apache-2.0
"""The table of API support: the one carried, and new ones from packages and pages."""

import os
import textwrap

import pytest
from support import cli, env

DATE = "2026-11-30"


def levels(*names, options=()):
    got = cli.ok("manifest", "show", "--json", *options, *names).json["names"]
    return [row["level"] for row in got]


# ---- the carried table ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, level",
    [
        # What the specification of `assess` and the documentation of 26.06 say.
        ("numpy.interp", "none"),
        ("numpy.random.choice", "none"),
        ("numpy.linalg.qr", "single"),
        ("numpy.linalg.svd", "single"),
        ("numpy.flip", "single"),
        ("numpy.fft.fft", "partial"),
        ("numpy.fft.fftfreq", "none"),
        ("numpy.add", "multi"),
        ("ndarray.sort", "multi"),
        ("numpy.float64", "multi"),
        ("numpy.float128", "none"),
        ("numpy.mgrid", "unlisted"),
        ("numpy.r_", "unlisted"),
        ("numpy.ma.masked_array", "unlisted"),
        # Removed from NumPy 2: their successors' levels.
        ("numpy.product", "multi"),
        ("numpy.in1d", "multi"),
        ("numpy.trapz", "none"),
        # As people write them.
        ("np.interp", "none"),
        ("interp", "none"),
        ("numpy.ndarray.sort", "multi"),
        ("numpy.no_such_name", "unlisted"),
    ],
)
def test_carried_levels(name, level):
    assert levels(name, options=["--manifest=carried"]) == [level]


def test_carried_table_has_five_sections_and_about_620_names():
    got = cli.ok("manifest", "show", "--json", "--manifest=carried").json
    assert {row["section"] for row in got["names"]} == {
        "module-level",
        "multi-dimensional-array",
        "linear-algebra",
        "discrete-fourier-transform",
        "random-sampling",
    }
    assert 600 <= len(got["names"]) <= 640
    assert sum(got["counts"].values()) == len(got["names"])
    assert all(row["cupynumeric"] for row in got["names"] if row["level"] != "none")
    assert all(row["note"] for row in got["names"] if row["level"] == "partial")


def test_carried_table_is_the_file_of_the_source_tree():
    rows = cli.ok("manifest", "show", "--json", "--manifest=carried").json["names"]
    lines = (env.SOURCE / "data/api_support.txt").read_text().splitlines()
    listed = {line.split("\t")[1] for line in lines if "\t" in line and "\tunlisted" not in line}
    assert {row["name"] for row in rows} == listed


def test_show_as_text():
    out = cli.ok("manifest", "show", "np.interp", "np.product", "np.qr").out
    assert out.splitlines() == [
        "✗   none      numpy.interp",
        "✓✓  multi     numpy.product = numpy.prod",
        "-   unlisted  numpy.qr",
    ]


def test_an_old_table_warns_with_the_way_out():
    """The carried table was fetched some day: 90 days later it is fresh, a year later it is not."""
    fetched = cli.ok("manifest", "show", "--json", "numpy.add").json["fetched"]
    year = int(fetched[:4])
    assert cli.ok("manifest", "show", "numpy.add", "--date", fetched).err == ""
    old = cli.ok("manifest", "show", "numpy.add", "--date", f"{year + 1}{fetched[4:]}")
    assert "365 days old" in old.err and "muster manifest refresh" in old.err


# ---- from a package ------------------------------------------------------------------------------

CONFIG = """
SKIP = {"skipped", "max"}  # a comment, "of no name"
NUMPY_CONFIGS = [
    SectionConfig("Module-Level", None),
    SectionConfig("Multi-Dimensional Array", "ndarray"),
    SectionConfig("Linear Algebra", "linalg"),
    SectionConfig("Discrete Fourier Transform", "fft"),
    SectionConfig("Random Sampling", "random"),
]
GROUPED_CONFIGS = [SectionConfig("Convolve", None, names=CONVOLVE)]
"""

#: Availability, level, a word of the note.
SPELLINGS = {
    "both": ("Multiple GPUs, Multiple CPUs", "multi", None),
    "turned": ("Multiple CPUs, Multiple GPUs", "multi", None),
    "one_gpu": ("Single GPU, Multiple CPUs", "single", "several CPUs"),
    "one_cpu": ("Multiple GPUs, Single CPU", "multi", "one CPU"),
    "one_each": ("Single CPU, Single GPU", "single", None),
    "host": ("Single CPU", "single", "not on GPUs"),
    "partly": ("Multiple GPUs (partial)", "partial", "in part"),
}


def documented(name, availability, indent=""):
    text = f'''
    @add_boilerplate("a", x={{"b": ")"}})
    def {name}(a: dict[str, int], sep: str = "):") -> "None":
        """
        A title.

        See Also
        --------
        numpy.{name}

        Availability
        ------------
        {availability}
        """
        def availability_of_another(): pass
    '''
    return textwrap.indent(textwrap.dedent(text), indent)


@pytest.fixture
def site(tmp_path):
    """A small cuPyNumeric and a small NumPy, as they lie in site-packages."""
    many = [f"f{i}" for i in range(100)]
    files = {
        "cupynumeric/__init__.py": """
            from . import linalg, random
            from ._array.array import ndarray
            from ._module import *
            from ._ufunc import *
            from numpy import (
                float64,  # noqa: F401
            )
            same = both
            if True:
                also = both
        """,
        "cupynumeric/_version.py": "__version__ = version = '99.1.2'\n",
        "cupynumeric/_sphinxext/_comparison_config.py": CONFIG,
        "cupynumeric/_module/__init__.py": "from .many import *\nfrom .more import *\n",
        "cupynumeric/_module/many.py": "from typing import TYPE_CHECKING\n"
        + "".join(documented(n, "Multiple GPUs, Multiple CPUs") for n in many),
        "cupynumeric/_module/more.py": "from .many import f1 as renamed\n"
        + "if TYPE_CHECKING:\n    from .many import typed_only\n"
        + "".join(documented(n, v[0]) for n, v in SPELLINGS.items())
        + "def _private(): pass\n"
        + "def silent(a): return a\n",
        "cupynumeric/_ufunc/__init__.py": "from .math import *\n",
        "cupynumeric/_ufunc/math.py": 'from .ufunc import create\nsin = create("Sine", "sin")\n',
        "cupynumeric/_ufunc/ufunc.py": '''
            _DOC = """{}

            Availability
            --------
            Multiple GPUs, Multiple CPUs
            """

            def create(summary, name):
                return ufunc(name, _DOC.format(summary))
        ''',
        "cupynumeric/_array/array.py": "class ndarray:\n"
        + documented("sort", "Single GPU, Single CPU", "    ")
        + "    def both(self): return 1\n"
        + "    def getfield(self, dtype) -> None:\n        raise NotImplementedError('no')\n"
        + "    @property\n    def shape(self): return 1\n",
        "cupynumeric/linalg/__init__.py": "from .linalg import *\n",
        "cupynumeric/linalg/linalg.py": "from .._module.more import both\n"
        + documented("qr", "Single GPU, Single CPU"),
        "cupynumeric/random/__init__.py": "from ._random import *\n",
        "cupynumeric/random/_random.py": """
            class Generator:
                def normal(self): pass
            class RandomState:
                def __init__(self): pass
        """,
        "numpy/__init__.pyi": f"""
            from typing import Final
            from numpy import linalg, ma, random
            from ._core.names import (  # a comment, with a comma
                both, turned, one_gpu, one_cpu, one_each, host, partly,
                silent, missing, renamed, also, {", ".join(many)},
            )
            class ufunc:
                def __call__(self): ...
            class _Meta:
                pass
            class _Common:
                def sort(self, /) -> None: ...
                def gone(self): ...
                def both(self): ...
            class ndarray(_Common, Generic[_T]):
                @property
                def shape(self) -> tuple: ...
                @shape.setter
                def shape(self, value) -> None: ...
                @overload
                def getfield(self, a): ...
                @overload
                def getfield(self): ...
            class float64: ...
            sin: ufunc[L["sin"], 1]
            pi: Final[float] = ...
            mgrid: Final[_Meta] = ...
            same = both
            typed_only: Final[Callable[..., object]] = ...
            __all__ = ["linalg", "ma", "random", "ndarray", "float64", "sin", "pi", "mgrid", "same",
                "typed_only", "_private", "skipped", "silent", "missing", "renamed", "also",
                {", ".join(repr(n) for n in [*SPELLINGS, *many])}]
        """,
        "numpy/_core/names.pyi": "".join(
            f"def {n}() -> None: ...\n"
            for n in [*SPELLINGS, "silent", "missing", "renamed", "also", *many]
        ),
        "numpy/version.py": 'version = "9.8.7"\n__version__ = version\n',
        "numpy/version.pyi": "version: Final[LiteralString] = ...\n",
        "numpy/linalg/__init__.pyi": """
            from ._linalg import both, qr, solve
            __all__ = ["both", "qr", "solve"]
        """,
        "numpy/linalg/_linalg.pyi": "def qr(): ...\ndef solve(): ...\ndef both(): ...\n",
        "numpy/fft/__init__.pyi": "def fft(): ...\n__all__ = ['fft']\n",
        "numpy/random/__init__.pyi": """
            class Generator:
                def normal(self): ...
                def choice(self): ...
            class RandomState:
                def rand(self): ...
            _rand: RandomState
            rand = _rand.rand
            __all__ = ["Generator", "RandomState", "rand"]
        """,
    }
    for name, text in files.items():
        path = tmp_path / "env/lib/python3.12/site-packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path / "env/lib/python3.12/site-packages"


def refresh(tmp_path, *options):
    out = tmp_path / "table.txt"
    cli.ok("manifest", "refresh", "-o", out, "--date", DATE, *options)
    rows = cli.ok("manifest", "show", "--json", "--manifest", out).json
    return rows, {row["name"]: row for row in rows["names"]}


def test_refresh_from_a_package(site, tmp_path):
    got, rows = refresh(tmp_path, "--from-package", site)
    assert (got["cupynumeric"], got["numpy"], got["fetched"]) == ("99.1.2", "9.8.7", DATE)
    for name, (_, level, note) in SPELLINGS.items():
        row = rows[f"numpy.{name}"]
        assert (row["level"], row["cupynumeric"]) == (level, f"cupynumeric.{name}")
        assert row["note"] is None if note is None else note in row["note"]
    found = {name: row["level"] for name, row in rows.items() if not name.startswith("numpy.f")}
    assert {n: v for n, v in found.items() if n.removeprefix("numpy.") not in SPELLINGS} == {
        "numpy.also": "multi",  # below a condition that is not TYPE_CHECKING
        "numpy.missing": "none",
        "numpy.ndarray": "multi",
        "numpy.renamed": "multi",
        "numpy.same": "multi",
        "numpy.silent": "multi",
        "numpy.sin": "multi",  # by the template that its maker names
        "numpy.typed_only": "none",
        "ndarray.both": "multi",  # as the function of that name
        "ndarray.getfield": "none",  # raises at once
        "ndarray.gone": "none",
        "ndarray.sort": "single",
        "numpy.linalg.both": "multi",  # imported there, so it is there
        "numpy.linalg.qr": "single",
        "numpy.linalg.solve": "none",
        "numpy.random.Generator": "multi",
        "numpy.random.RandomState": "partial",
        "numpy.random.rand": "none",
    }
    assert rows["numpy.float64"]["level"] == "multi"
    assert rows["numpy.fft.fft"]["level"] == "none"
    absent = {
        line.split("\t")[1]
        for line in (tmp_path / "table.txt").read_text().splitlines()
        if line.startswith("unlisted\t")
    }
    assert absent == {
        "numpy.ma",
        "numpy.mgrid",
        "numpy.pi",
        "numpy.skipped",
        "numpy.random.Generator.choice",
        "numpy.random.RandomState.rand",
    }


@pytest.mark.parametrize("up", ["", "cupynumeric", "../../.."])
def test_ways_to_name_a_package(site, tmp_path, up):
    _, rows = refresh(tmp_path, "--from-package", site / up)
    assert len(rows) > 100


def test_a_place_without_a_package(site, tmp_path):
    ran = cli.fails(1, "manifest", "refresh", "--from-package", tmp_path, "-o", tmp_path / "t")
    assert "no cuPyNumeric" in ran.err
    (site / "numpy/__init__.pyi").unlink()
    ran = cli.fails(1, "manifest", "refresh", "--from-package", site, "-o", tmp_path / "t")
    assert "no NumPy" in ran.err


def test_too_few_names_keep_the_old_table(site, tmp_path):
    (tmp_path / "t").write_text("the old one")
    (site / "cupynumeric/_module/many.py").write_text("")
    ran = cli.fails(1, "manifest", "refresh", "--from-package", site, "-o", tmp_path / "t")
    assert "old table is kept" in ran.err
    assert (tmp_path / "t").read_text() == "the old one"


def test_the_refreshed_table_is_used_unless_the_carried_one_is_newer(site, tmp_path):
    data = {"env": {"XDG_DATA_HOME": str(tmp_path / "data")}}
    options = ["manifest", "refresh", "--from-package", site, "--date"]
    cli.ok(*options, "2999-01-01", **data)
    assert (tmp_path / "data/muster/api_support.txt").exists()
    shown = cli.ok("manifest", "show", "--json", "np.sin", **data).json
    assert shown["cupynumeric"] == "99.1.2"
    cli.ok(*options, "2001-01-01", **data)
    assert cli.ok("manifest", "show", "--json", "np.sin", **data).json["cupynumeric"] != "99.1.2"
    (tmp_path / "data/muster/api_support.txt").write_text("no table\n")
    told = cli.fails(1, "manifest", "show", "np.sin", **data).err
    assert "no table of API support" in told and "--manifest carried" in told


@pytest.mark.parametrize("kind", ["empty", "text", "folder", "fifo"])
def test_a_damaged_refreshed_table_is_told_and_the_carried_one_used(tmp_path, kind):
    (tmp_path / "a.py").write_text("import numpy as np\n\nu = np.zeros(3)\n")
    home = {"cwd": tmp_path, "env": {"XDG_DATA_HOME": str(tmp_path / "data")}}
    place = tmp_path / "data/muster/api_support.txt"
    place.parent.mkdir(parents=True)
    if kind == "folder":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.write_text("" if kind == "empty" else "no table\n")
    ran = cli.ok("assess", "a.py", **home)
    assert str(place) in ran.err and "manifest refresh" in ran.err
    assert "carried table" in ran.out and str(tmp_path) not in ran.out
    for form in ("text", "html", "sarif", "github", "junit", "agent"):
        told = " ".join(cli.ok("assess", "a.py", "--format", form, **home).out.split())
        assert "carried table of API support is used" in told
        assert "api_support.txt" not in told or form in ("text", "html", "junit", "agent")  # no file to look at
    found = cli.ok("assess", "a.py", "--json", **home).json
    assert [(d["path"], d["kind"]) for d in found["diagnostics"]] == [("api_support.txt", "manifest")]
    carried = cli.ok("assess", "a.py", "--json", "--manifest=carried", **home).json
    assert found["manifest"] == carried["manifest"] and carried["diagnostics"] == []


def test_a_refreshed_table_that_may_not_be_read_is_absent(tmp_path):
    (tmp_path / "data/muster").mkdir(parents=True)
    (tmp_path / "data/muster/api_support.txt").write_text("no table\n")
    (tmp_path / "data").chmod(0)
    (tmp_path / "a.py").write_text("import numpy as np\n\nu = np.zeros(3)\n")
    with open(tmp_path / "a.py") as program:
        ran = cli.ok(
            "assess",
            "--json",
            "-",
            env={"XDG_DATA_HOME": str(tmp_path / "data")},
            stdin=program,
            preexec_fn=(lambda: os.setresuid(65534, 65534, 65534)) if os.geteuid() == 0 else None,
        )
    (tmp_path / "data").chmod(0o700)
    assert ran.err == "" and ran.json["diagnostics"] == []


# ---- from a page ---------------------------------------------------------------------------------


def page(rows, title="NumPy vs cuPyNumeric &#8212; NVIDIA cuPyNumeric 77.03"):
    """rows: (section, numpy, cupynumeric, one GPU, several GPUs)."""
    sections = {}
    for section, *cells in rows:
        cells = "".join(f"<td><p>{c}</p></td>" for c in cells)
        sections.setdefault(section, []).append(f"<tr>{cells}</tr>")
    head = "<thead><tr>" + "<th>x</th>" * 4 + "</tr></thead>"
    body = "".join(
        f'<section id="{id}"><h3>{id}</h3><table>{head}<tbody>{"".join(lines)}</tbody></table>'
        "<p>Number of functions</p></section>"
        for id, lines in sections.items()
    )
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"


def link(name):
    return f'<a class="reference external" href="x"><code><span>{name}</span></code></a>'


MANY = [("module-level", f"numpy.f{i}", f"cupynumeric.f{i}", "✓", "✓") for i in range(100)]

needs_html = pytest.mark.skipif(
    b"libgumbo" not in env.PROGRAM.read_bytes(), reason="built without gumbo"
)


@needs_html
def test_refresh_from_a_page(tmp_path):
    rows = MANY + [
        ("module-level", link("numpy.words"), link("cupynumeric.words"), "1", "1"),
        ("module-level", "numpy.ix\\_", "cupynumeric.ix\\_", "✓", "✓"),
        ("module-level", "numpy.interp", "", "", ""),
        ("module-level", "numpy.dashed", "-", "", ""),
        ("module-level", "numpy.listed", "<ul><li></li></ul>", "", ""),
        ("module-level", "numpy.flip", "cupynumeric.flip", "✓", "❌"),
        ("module-level", "numpy.two", "cupynumeric.two", "1", "2"),
        ("module-level", "numpy.float64", "cupynumeric.float64", "❌", "❌"),
        ("module-level", "numpy.unknown", "cupynumeric.unknown", "2", "2"),
        ("module-level", "numpy.blank", "cupynumeric.blank", "", ""),
        ("multi-dimensional-array", "numpy.ndarray.sort", "cupynumeric.ndarray.sort", "1", "1"),
        ("linear-algebra", "numpy.linalg.qr", "cupynumeric.linalg.qr", "✓", "❌"),
        ("discrete-fourier-transform", "numpy.fft.fft", "cupynumeric.fft.fft", "🟡", "🟡"),
        ("random-sampling", "numpy.random.f", "cupynumeric.random.f", "1", "3"),
        ("elsewhere", "numpy.lost", "cupynumeric.lost", "✓", "✓"),
        ("module-level", "numpy.short", "cupynumeric.short", "✓"),
        ("module-level", "no name", "cupynumeric.x", "✓", "✓"),
    ]
    (tmp_path / "page.html").write_text(page(rows))
    got, found = refresh(tmp_path, "--from-html", tmp_path / "page.html")
    assert (got["cupynumeric"], got["fetched"]) == ("77.03", DATE)
    rest = {n: r["level"] for n, r in found.items() if n not in {m[1] for m in MANY}}
    assert rest == {
        "numpy.words": "multi",
        "numpy.ix_": "multi",
        "numpy.interp": "none",
        "numpy.dashed": "none",
        "numpy.listed": "none",
        "numpy.flip": "single",
        "numpy.two": "single",
        "numpy.float64": "multi",  # as in the carried table
        "numpy.unknown": "none",
        "ndarray.sort": "multi",
        "numpy.linalg.qr": "single",
        "numpy.fft.fft": "partial",
        "numpy.random.f": "partial",
    }
    assert "batch" in found["numpy.fft.fft"]["note"]


@needs_html
@pytest.mark.parametrize("content", [page(MANY[:99]), "", "no HTML at all", "<div>" * 50000])
def test_a_page_of_another_shape_keeps_the_old_table(tmp_path, content):
    (tmp_path / "page.html").write_text(content)
    (tmp_path / "t").write_text("the old one")
    options = ["--from-html", tmp_path / "page.html", "-o", tmp_path / "t"]
    ran = cli.fails(1, "manifest", "refresh", *options)
    assert "old table is kept" in ran.err
    assert (tmp_path / "t").read_text() == "the old one"


@pytest.mark.parametrize(
    "url",
    [
        "http://docs.nvidia.com/cupynumeric/latest/api/comparison.html",
        "https://docs.nvidia.com.example.org/cupynumeric/latest/api/comparison.html",
        "https://example.org/?https://docs.nvidia.com/cupynumeric/latest/api/comparison.html",
        "https://docs.nvidia.com/cupynumeric/../x/api/comparison.html",
        "https://docs.nvidia.com/cupynumeric/latest/api/comparison.html?x",
        "file:///etc/passwd",
    ],
)
def test_no_other_address_is_fetched(url, tmp_path):
    ran = cli.fails(2, "manifest", "refresh", "--from-html", url, "-o", tmp_path / "t")
    assert "https://docs.nvidia.com/cupynumeric/latest/api/comparison.html" in ran.err
    assert not (tmp_path / "t").exists()


# ---- diff ----------------------------------------------------------------------------------------

HEAD = "muster API support 1\nSource: a test\ncuPyNumeric: {}\nNumPy: 2.0\nFetched: 2026-01-01\n\n"


def table(path, version, *rows):
    path.write_text(HEAD.format(version) + "".join("\t".join(r) + "\n" for r in rows))
    return path


def test_diff(tmp_path):
    gone = ("module-level", "numpy.gone", "cupynumeric.gone", "multi")
    same = ("module-level", "numpy.same", "cupynumeric.same", "single")
    old = table(
        tmp_path / "old",
        "1.0",
        gone,
        same,
        ("module-level", "numpy.better", "-", "none"),
        ("unlisted", "numpy.r_", "-", "unlisted"),
    )
    new = table(
        tmp_path / "new",
        "2.0",
        ("random-sampling", "numpy.random.fresh", "cupynumeric.random.fresh", "partial", "a limit"),
        ("module-level", "numpy.better", "cupynumeric.better", "multi"),
        same,
    )
    got = cli.ok("manifest", "diff", old, new, "--json").json
    assert (got["old"]["cupynumeric"], got["new"]["cupynumeric"]) == ("1.0", "2.0")
    changes = [(r["name"], r["old_level"], r["new_level"], r["new_note"]) for r in got["names"]]
    assert changes == [
        ("numpy.better", "none", "multi", None),
        ("numpy.gone", "multi", None, None),
        ("numpy.random.fresh", None, "partial", "a limit"),
    ]
    lines = cli.ok("manifest", "diff", old, new).out.splitlines()[2:]
    assert [" ".join(line.split()) for line in lines] == [
        "~ numpy.better none -> multi",
        "- numpy.gone multi",
        "+ numpy.random.fresh partial (a limit)",
    ]
    assert "no name differs" in cli.ok("manifest", "diff", old, old).out
    assert cli.ok("manifest", "diff", "carried", "carried", "--json").json["names"] == []


# ---- slips ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, word",
    [
        ([], "show"),
        (["shwo"], "'show'"),
        (["xyzzy"], "refresh"),
        (["refresh"], "--from-package"),
        (["refresh", "--from-package=a", "--from-html=b"], "excludes"),
        (["refresh", "x", "--from-package=a"], "'x'"),
        (["refresh", "--from-package=a", "-o", ""], "-o"),
        (["refresh", "--from-html=a.html", "-o", "a.html"], "the page itself"),
        (["show", ""], "an argument is empty"),
        (["refresh", "--from-package=a", "--date=2026-02-29"], "2026-02-29"),
        (["show", "--from-package=a"], "refresh"),
        (["diff", "a"], "OLD"),
        (["diff", "a", "b", "--manifest=c"], "--manifest"),
    ],
)
def test_slips_of_the_hand(arguments, word):
    assert word in cli.fails(2, "manifest", *arguments).err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "something else\n",
        HEAD.format("1"),
        HEAD.format("1") + "module-level\tnumpy.a\tcupynumeric.a\tgreat\n",
        HEAD.format("1") + "module-level\tnumpy.a\t-\tmulti\n",
        HEAD.format("1") + "nowhere\tnumpy.a\tcupynumeric.a\tmulti\n",
        HEAD.format("1") + "module-level\tnumpy a\tcupynumeric.a\tmulti\n",
        HEAD.format("1") + "module-level\tnumpy.a\n",
        HEAD.format("1") + 2 * "module-level\tnumpy.a\t-\tnone\n",
        HEAD.format("1").replace("2026", "today"),
    ],
)
def test_damaged_tables_are_refused(text, tmp_path):
    (tmp_path / "t").write_text(text)
    ran = cli.fails(1, "manifest", "show", "--manifest", tmp_path / "t")
    assert "no table of API support" in ran.err and "byte" in ran.err
