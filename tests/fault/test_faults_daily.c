/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation and I/O call fails once where an assessment has more than sources to go by:
 * options in files, baselines, what the Doctor wrote, sources for patches, what git tells, what a
 * client of muster mcp asks for, and what is made of the option tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

#include "fault/command.c"

#include "cli/changes.h"
#include "muster/assess.h"

/* ---- what lies there ------------------------------------------------------------------------ */

static const char source[] = "import numpy as np\n\n\n"
                             "def f(u: np.ndarray, n: int):\n"
                             "    x = np.zeros(40)\n"
                             "    y = np.ones(40)\n"
                             "    for _ in range(n):\n"
                             "        x = x + y\n"
                             "        if u[::2].max() > 1:\n"
                             "            u = np.interp(u, u, u)\n"
                             "    return x\n";
static const char options[] = "[tool.muster.assess]\n"
                              "gpus = 4\n"
                              "rule = [\"R106\", \"R202\"]\n"
                              "manifest = \"carried\"\n";
/* Of another file: an update keeps it. */
static const char known[] =
    "{\"schema\": \"muster.baseline/1\", \"entries\": [{\"path\": \"elsewhere.py\", "
    "\"rule\": \"R101\", \"function\": null, \"name\": null, \"hash\": \"00000000000000ff\", "
    "\"ordinal\": 1}]}\n";
static const char doctor[] =
    "[{\"filename\": \"/x/a.py\", \"lineno\": 9, \"description\": \"use of nonzero\"},"
    " {\"filename\": \"/x/b.py\", \"lineno\": 1, \"description\": \"what is new\"}]\n";

static void put(const char *folder, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  fs_write(path, text, strlen(text));
}

static void make(const char *folder) {
  char path[300];
  fs_mkdir(folder);
  put(folder, "a.py", source);
  put(folder, "known.json", known);
  put(folder, "doctor.json", doctor);
  snprintf(path, sizeof path, "%s/.git", folder);
  fs_mkdir(path);
}

static void make_configured(const char *folder) {
  make(folder);
  put(folder, "pyproject.toml", options);
}

/* ---- a git ---------------------------------------------------------------------------------- */

/* It lies in the folder that the sweep runs in, and answers as git does, for a tree in which line 8
 * of a.py differs. */
static const char git[] = "#!/bin/sh\n"
                          "case \"$*\" in\n"
                          "*--show-toplevel*) cd \"$6\" && pwd -P ;;\n"
                          "*--verify*) echo 0123456789 ;;\n"
                          "*ls-files*) printf 'new.py\\0' ;;\n"
                          "*) printf '+++ b/a.py\\n@@ -7,0 +8,1 @@\\n+        x = x + y\\n' ;;\n"
                          "esac\n";

static void make_compared(const char *folder) {
  char here[200], path[300];
  make(folder);
  put(folder, "git", git);
  snprintf(path, sizeof path, "%s/git", folder);
  must(chmod(path, 0755) == 0, path);
  must(getcwd(here, sizeof here) != NULL, "getcwd");
  snprintf(path, sizeof path, "%s/%s:/usr/bin:/bin", here, folder);
  must(setenv("PATH", path, 1) == 0, "PATH");
}

/* What is asked of git, alone: it is started four times. */
static void ask_git(const operation *op, outcome *result) {
  size_t length;
  mst_cli cli;
  mst_changes changes = {0};
  const char *path = data_folder;
  (void)op;
  *result = (outcome){0};
  mst_cli_init(&cli);
  cli.err.stream = open_memstream(&result->text, &length);
  must(cli.err.stream != NULL, "open_memstream");
  cli.paths.data = &path;
  cli.paths.length = 1;
  result->done = mst_changes_find(&cli, "HEAD", &changes) == MST_GO_ON;
  must(fclose(cli.err.stream) == 0, "fclose");
  if (result->done) {
    free(result->text);
    result->text = NULL;
    result->result = memory(400);
    for (size_t i = 0; i < changes.lines.length && i < 2; i++)
      snprintf(strchr(result->result, '\0'), 200, "%.150s:%u-%u\n", changes.lines.data[i].path,
               changes.lines.data[i].first, changes.lines.data[i].last);
    if (strstr(result->result, "/a.py:8-8\n") == NULL) problem("not asked: %s", result->result);
  }
  mst_changes_reset(&changes);
  cli.paths.data = NULL;
  mst_cli_reset(&cli);
}

/* And an assessment that goes by it. */
static void assess_changes(const operation *op, outcome *result) {
  static const muster_changed_lines changed[] = {{"a.py", 8, 8}, {"b.py", 1, 3}};
  muster_assess_options assess_options;
  muster_assessment *assessment = NULL;
  char *text = NULL;
  (void)op;
  *result = (outcome){0};
  muster_assess_options_init(&assess_options);
  assess_options.threads = 1;
  assess_options.text = source;
  assess_options.text_length = strlen(source);
  assess_options.text_name = "a.py";
  assess_options.changed_since = "HEAD";
  assess_options.changed = changed;
  assess_options.changed_count = COUNT_OF(changed);
  muster_status status = muster_assess(NULL, 0, &assess_options, &assessment, &result->error);
  if (status == MUSTER_OK)
    status = muster_assessment_write(assessment, "json", NULL, &text, &result->error);
  result->done = status == MUSTER_OK;
  if (result->done && strstr(text, "\"unchanged\"") == NULL) problem("nothing is unchanged");
  if (result->done) result->result = strdup(text);
  if (!result->done) result->text = strdup(result->error.message);
  muster_text_free(text);
  muster_assessment_free(assessment);
}

/* ---- a client ------------------------------------------------------------------------------- */

static const char asked[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                            "\"protocolVersion\":\"2025-06-18\"}}\n"
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n"
                            "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n";
static const char called[] =
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
    "\"name\":\"explain_rule\",\"arguments\":{\"id\":\"RR-mask\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n";

/* A call runs this program anew, see main: faults are those of the server. */
static void serve(const operation *op, const char *lines, outcome *result) {
  const int kept = dup(STDIN_FILENO);
  const int file = memfd_create("asked", 0);
  must(kept >= 0 && file >= 0, "standard input");
  must(write(file, lines, strlen(lines)) == (ssize_t)strlen(lines), "standard input");
  must(lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO, "dup2");
  run(op, result);
  must(dup2(kept, STDIN_FILENO) == STDIN_FILENO, "dup2");
  (void)close(kept);
  (void)close(file);
}

static void ask(const operation *op, outcome *result) { serve(op, asked, result); }
static void call(const operation *op, outcome *result) { serve(op, called, result); }

/* ---- the table ------------------------------------------------------------------------------ */

#define OF(maker) .make = (maker), .is_told = true
#define CLIENT OF(make), .tells = true, .expect = "\"id\":4", WORDS("mcp")
#define ASSESS(...) WORDS("assess", "DATA/a.py", "-j1", "--manifest=carried", __VA_ARGS__)

static const operation operations[] = {
    COMMAND("config", READS, OF(make_configured), .expect = "pyproject.toml:2",
            WORDS("config", "DATA/a.py")),
    COMMAND("config --json", READS, OF(make_configured), .expect = "\"line\": 3",
            WORDS("config", "DATA/a.py", "--json")),
    COMMAND("assess with options in a file", READS, OF(make_configured),
            .expect = "GPUs: 4 (configured);",
            WORDS("assess", "DATA/a.py", "-j1", "--format", "agent")),
    COMMAND(
        "baseline update", REPLACES, OF(make), .expect = "5 known findings",
        WORDS("baseline", "update", "DATA/known.json", "DATA/a.py", "-j1", "--manifest=carried")),
    COMMAND("baseline update --json, a new one", REPLACES, OF(make), .remove = "known.json",
            .expect = "\"entries\": 4",
            WORDS("baseline", "update", "DATA/known.json", "DATA/a.py", "-j1", "--json",
                  "--manifest=carried")),
    COMMAND("assess --baseline", READS, OF(make), .expect = "R106",
            ASSESS("--baseline", "DATA/known.json", "--format", "agent")),
    COMMAND("assess --doctor", READS, OF(make), .expect = "what is new",
            ASSESS("--doctor", "DATA/doctor.json", "--json")),
    COMMAND("assess --format patch", READS, OF(make), .expect = "+        x += y",
            ASSESS("--format", "patch")),
    {"changes, by git", READS, prepare, ask_git, &(const command){OF(make_compared)}},
    {"assess of changes", READS, prepare, assess_changes, &(const command){OF(make)}},
    COMMAND("completion fish", READS, OF(make), .expect = "-l doctor", WORDS("completion", "fish")),
    COMMAND("man", READS, OF(make), .expect = "doctor", WORDS("man", "assess")),
    {"mcp", READS, prepare, ask, &(const command){CLIENT}},
    {"mcp, a call", READS, prepare, call, &(const command){CLIENT}},
};

int main(int argc, char **argv) {
  if (argc > 1) return mst_cli_main(argc, argv);
  return sweep("faults in daily work", operations, COUNT_OF(operations), true);
}
