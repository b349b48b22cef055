/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation and I/O call of an assessment fails once: see support.h. A file that cannot be
 * read is told in the report, and the others are assessed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

#include "fault/command.c"

/* ---- programs ------------------------------------------------------------------------------- */

static const char solver[] = "import numpy as np\n"
                             "from helpers import norm\n\n\n"
                             "class Solver:\n"
                             "    def __init__(self, n):\n"
                             "        self.u = np.zeros((n, 4096), dtype=object)\n\n"
                             "    def run(self, steps):\n"
                             "        for t in range(steps):\n"
                             "            tmp = np.zeros(self.u.shape)\n"
                             "            tmp[1:-1] = self.u[:-2] + self.u[2:]\n"
                             "            if norm(tmp) < 1e-6:\n"
                             "                break\n"
                             "            self.u = np.interp(tmp, tmp, tmp)\n"
                             "        return np.linalg.svd(self.u)\n\n\n"
                             "Solver(4096).run(1000)\n";
static const char helpers[] = "import numpy as np\n\n\n"
                              "def norm(a: np.ndarray):\n"
                              "    total = 0.0\n"
                              "    for i in range(len(a)):\n"
                              "        total += a[i]\n"
                              "    return float(np.sqrt((a * a).sum()))\n"
                              "def broken(:\n";
static const char notebook[] =
    "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"x\"}, {\"cell_type\": \"code\", "
    "\"source\": [\"%time\\n\", \"import numpy as np\\n\", \"a = np.zeros(10**6)\"]}, "
    "{\"cell_type\": \"code\", \"source\": \"for i in range(len(a)):\\n    a[i] = 2 * a[i]\"}]}";

static void put(const char *folder, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  fs_write(path, text, strlen(text));
}

static void make_program(const char *folder) {
  fs_mkdir(folder);
  put(folder, "solver.py", solver);
  put(folder, "helpers.py", helpers);
  put(folder, "plain.py", "print('no arrays')\n");
}

static void make_notebook(const char *folder) {
  fs_mkdir(folder);
  put(folder, "book.ipynb", notebook);
  put(folder, "latin.py", "# coding: latin-1\r\nimport numpy as np\r\nx = np.ones(3) # \xe9\r\n");
  put(folder, ".gitignore", "*.bak\n!keep.bak\n");
}

/* ---- the table ------------------------------------------------------------------------------ */

#define OF(maker) .make = (maker), .is_told = true

static const operation operations[] = {
    COMMAND("assess", READS, OF(make_program), .expect = "## 8. Recommended next steps",
            WORDS("assess", "DATA", "-j1", "--manifest=carried")),
    COMMAND("assess --json", READS, OF(make_program), .expect = "\"R104\"",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--json")),
    COMMAND("assess --format text, a notebook", READS, OF(make_notebook), .expect = "R101",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "text")),
    COMMAND("assess -o, a notebook", READS, OF(make_notebook), .report = "report.md",
            .expect = "RR-loop",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "-o", "report.md")),
    COMMAND("assess -o --json", READS, OF(make_program), .report = "report.json",
            .expect = "\"gaps\"",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--json", "-o", "report.json")),
    COMMAND("assess --format sarif", READS, OF(make_program), .expect = "partialFingerprints",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "sarif")),
    COMMAND("assess --format github", READS, OF(make_program), .expect = "::error file=",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "github")),
    COMMAND("assess --format html", READS, OF(make_program), .expect = "</html>",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "html")),
    COMMAND("assess --format html, a notebook", READS, OF(make_notebook), .expect = "id=\"s1-",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "html")),
    COMMAND("assess --format junit", READS, OF(make_program), .expect = "</testsuites>",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "junit")),
    COMMAND("assess --format agent", READS, OF(make_program), .expect = "in the verdict: ",
            WORDS("assess", "DATA", "-j1", "--manifest=carried", "--format", "agent")),
    COMMAND("explain", READS, .expect = "R104", WORDS("explain")),
    COMMAND("explain R104 --json", READS, .expect = "RR-sync", WORDS("explain", "R104", "--json")),
};

int main(void) { return sweep("faults in assess", operations, COUNT_OF(operations), true); }
