/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/assess_options.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "manifest/table.h"
#include "rules/rule.h"

enum {
  KEY_ELEMENTS = 0x200,
  KEY_GPUS,
  KEY_NODES,
  KEY_GPU_MODEL,
  KEY_FBMEM,
  KEY_SYSMEM,
  KEY_CPU_ONLY,
  KEY_PATTERN,
  KEY_CUDA,
  KEY_OS,
  KEY_FORMAT,
  KEY_FAIL_ON,
  KEY_STDIN_NAME,
  KEY_DATE,
  KEY_UNLISTED,
  KEY_RULE,
  KEY_IGNORE,
  KEY_NO_IGNORE,
  KEY_MANIFEST,
  KEY_EXPLAIN,
  KEY_BASELINE,
  KEY_DIFF_BASE,
  KEY_CONFIG,
  KEY_ISOLATED,
  KEY_UNSAFE,
  KEY_DOCTOR
};

#define MOST_GPUS 1000000

static const struct argp_option options_table[] = {
    {.name = "elements",
     .key = KEY_ELEMENTS,
     .arg = "N",
     .doc = "Elements of the arrays on the hot path, 16M or 16384x16384 (default: found in the "
            "code, else 30 to 50 million)"},
    {.name = "pattern",
     .key = KEY_PATTERN,
     .arg = "NAME",
     .doc = "The dominant pattern, such as stencil, gemm or fft (default: inferred)"},
    {.name = "gpus", .key = KEY_GPUS, .arg = "N", .doc = "GPUs on each node (default: 1 to 4)"},
    {.name = "nodes", .key = KEY_NODES, .arg = "N", .doc = "Nodes (default: 1)"},
    {.name = "gpu-model",
     .key = KEY_GPU_MODEL,
     .arg = "NAME",
     .doc = "Such as H100 (default: Volta or newer)"},
    {.name = "fbmem", .key = KEY_FBMEM, .arg = "BYTES", .doc = "Memory of one GPU, 80G"},
    {.name = "cpu-only", .key = KEY_CPU_ONLY, .doc = "The target has no GPUs"},
    {.name = "sysmem",
     .key = KEY_SYSMEM,
     .arg = "BYTES",
     .doc = "With --cpu-only: memory of one node, 512G"},
    {.name = "cuda", .key = KEY_CUDA, .arg = "N", .doc = "CUDA of the target (default: 12 or 13)"},
    {.name = "os",
     .key = KEY_OS,
     .arg = "NAME",
     .doc = "System of the target: linux, wsl2, macos or windows (default: linux)"},
    {.name = "format",
     .key = KEY_FORMAT,
     .arg = "NAME",
     .doc = "text, markdown, json, html, sarif, github, junit, agent or patch (default: text on a "
            "terminal, markdown elsewhere)"},
    {.name = "unsafe-suggestions",
     .key = KEY_UNSAFE,
     .doc = "With --format patch: also suggestions that change when or how something is computed"},
    {.name = "output",
     .key = 'o',
     .arg = "FILE",
     .doc = "Write the report, or the explanation, here (-: to standard output)"},
    {.name = "fail-on",
     .key = KEY_FAIL_ON,
     .arg = "WHAT",
     .doc = "Exit with 1 for this verdict or a worse one: light, significant, not-recommended"},
    {.name = "explain",
     .key = KEY_EXPLAIN,
     .arg = "FILE:LINE",
     .doc = "Instead of a report: why something is found on this line, or why not "
            "(FILE:CELL:LINE in a notebook)"},
    {.name = "rule",
     .key = KEY_RULE,
     .arg = "ID,...",
     .doc = "List only findings of these rules; all are judged"},
    {.name = "ignore",
     .key = KEY_IGNORE,
     .arg = "ID,...",
     .doc = "List no findings of these rules; all are judged"},
    {.name = "baseline",
     .key = KEY_BASELINE,
     .arg = "FILE",
     .doc = "What is in this file is known: it is listed apart and does not count (see 'muster "
            "baseline')"},
    {.name = "diff-base",
     .key = KEY_DIFF_BASE,
     .arg = "REV",
     .doc = "Only findings on lines that differ from this revision of git count"},
    {.name = "config",
     .key = KEY_CONFIG,
     .arg = "FILE",
     .doc = "Take options from this file (default: the nearest muster.toml, or pyproject.toml with "
            "[tool.muster.assess])"},
    {.name = "isolated", .key = KEY_ISOLATED, .doc = "Take no options from files"},
    {.name = "no-ignore",
     .key = KEY_NO_IGNORE,
     .doc = "Look also at what .gitignore hides, hidden folders and virtual environments"},
    {.name = "stdin-name",
     .key = KEY_STDIN_NAME,
     .arg = "NAME",
     .doc = "What reports call the program from standard input, which then stands for a file of "
            "that name"},
    {.name = "manifest",
     .key = KEY_MANIFEST,
     .arg = "FILE",
     .doc = "This table of API support; 'carried' is the one within the program"},
    {.name = "doctor",
     .key = KEY_DOCTOR,
     .arg = "FILE",
     .doc = "JSON that cuPyNumeric's Doctor wrote of a run: which findings it confirms, and what "
            "only the run saw"},
    {.name = "unlisted",
     .key = KEY_UNLISTED,
     .doc = "Note also names that the table does not list and the package does not have"},
    {.name = "date",
     .key = KEY_DATE,
     .arg = "DATE",
     .doc = "A date for the report, such as 2026-01-31"},
    {.name = "threads", .key = 'j', .arg = "N", .doc = "Threads (default: by the machine)"},
    {0}};

/* ---- values ----------------------------------------------------------------------------------------- */

static const char *parse_elements(const char *text, uint64_t *out) {
  char factor[64];
  *out = 1;
  for (const char *at = text;;) {
    uint64_t count = 0;
    const size_t length = strcspn(at, "xX*");
    if (length >= sizeof factor) return "is no number";
    memcpy(factor, at, length);
    factor[length] = '\0';
    const char *wrong = mst_parse_count(factor, &count);
    if (wrong != NULL) return wrong;
    if (count == 0) return "is too small";
    if (*out > INT64_MAX / count) return "is too large";
    *out *= count;
    at += length;
    if (*at == '\0') return NULL;
    at++;
  }
}

static error_t parse_small(mst_cli *cli, const char *option, const char *text, unsigned *out) {
  uint64_t count = 0;
  const error_t failed = mst_option_count(cli, option, text, 1, MOST_GPUS, &count);
  *out = (unsigned)count;
  return failed;
}

static error_t refuse(mst_cli *cli, const char *option, const char *text,
                      const char *const *names) {
  const char *near = mst_nearest(text, names);
  mst_str list = {0};
  for (size_t i = 0; names[i] != NULL; i++)
    mst_str_addf(&list, "%s%s", i == 0 ? "" : names[i + 1] == NULL ? " and " : ", ", names[i]);
  if (near != NULL)
    (void)mst_cli_usage(cli, "--%s: '%s' is unknown; did you mean '%s'?", option, text, near);
  else
    (void)mst_cli_usage(cli, "--%s: '%s' is none of %s", option, text, mst_str_text(&list));
  mst_str_reset(&list);
  return EINVAL;
}

static error_t parse_name(mst_cli *cli, const char *option, const char *text,
                          const char *const *names, const char **out) {
  *out = text;
  return mst_one_of(text, names) ? 0 : refuse(cli, option, text, names);
}

static error_t parse_os(mst_assess_args *args, const char *text) {
  static const char *const names[] = {"linux", "wsl2", "macos", "windows", NULL};
  static const char *const shown[] = {"Linux", "WSL2", "macOS", "Windows"};
  for (size_t i = 0; names[i] != NULL; i++) {
    if (strcasecmp(text, names[i]) != 0) continue;
    args->options.os = shown[i];
    return 0;
  }
  return refuse(args->cli, "os", text, names);
}

static error_t parse_pattern(mst_assess_args *args, const char *text) {
  const char *names[32] = {0};
  for (size_t i = 0; i < 31; i++) {
    names[i] = muster_assess_pattern(i);
    if (names[i] == NULL) break;
  }
  return parse_name(args->cli, "pattern", text, names, &args->options.pattern);
}

static error_t parse_format(mst_assess_args *args, const char *text) {
  const char *names[16] = {0};
  for (size_t i = 0; i < 15; i++) {
    names[i] = muster_report_format(i);
    if (names[i] == NULL) break;
  }
  return parse_name(args->cli, "format", text, names, &args->format);
}

static error_t parse_fail_on(mst_assess_args *args, const char *text) {
  static const char *const names[] = {"light", "significant", "not-recommended", NULL};
  for (unsigned i = 0; names[i] != NULL; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    args->fail_on = (muster_verdict)(MUSTER_VERDICT_LIGHT + i);
    return 0;
  }
  return refuse(args->cli, "fail-on", text, names);
}

/* An id, with blanks around it, which the list takes. */
static error_t take_id(mst_assess_args *args, const char *text, size_t length, bool ignored) {
  const char *names[128] = {0};
  while (length > 0 && text[0] == ' ')
    text++, length--;
  while (length > 0 && text[length - 1] == ' ')
    length--;
  char *word = mst_strndup(text, length);
  if (word == NULL || !mst_vec_push(&args->words, word)) {
    mst_free(word);
    return ENOMEM;
  }
  const char *option = ignored ? "ignore" : "rule";
  if (length == 0) {
    (void)mst_cli_usage(args->cli, "--%s: an id is missing, such as R104", option);
    return EINVAL;
  }
  for (unsigned i = 0; i < mst_rule_count && i < 127; i++)
    names[i] = mst_rules[i]->id;
  if (mst_rule_find(word) == NULL) return refuse(args->cli, option, word, names);
  const bool done = ignored ? mst_vec_push(&args->ignored, word) : mst_vec_push(&args->rules, word);
  return done ? 0 : ENOMEM;
}

/* "R101,R104", added to a list. */
static error_t parse_ids(mst_assess_args *args, const char *text, bool ignored) {
  for (const char *at = text;;) {
    const size_t length = strcspn(at, ",");
    const error_t failed = take_id(args, at, length, ignored);
    if (failed != 0 || at[length] == '\0') return failed;
    at += length + 1;
  }
}

/* "12"; of "12.4" only the first number matters. */
static error_t parse_cuda(mst_assess_args *args, const char *text) {
  const size_t digits = strspn(text, "0123456789");
  if (digits > 0 && text[digits] == '.')
    return mst_option_check(args->cli, "cuda", text, "is no major version, such as 12");
  return parse_small(args->cli, "cuda", text, &args->options.cuda);
}

static error_t parse_text(mst_cli *cli, const char *option, const char *text, const char **out) {
  *out = text;
  return mst_option_check(cli, option, text, *text == '\0' ? "is empty" : NULL);
}

static error_t parse_date(mst_assess_args *args, const char *text) {
  args->options.date = text;
  const char *wrong = mst_is_date(text) ? NULL : "is no date, such as 2026-01-31";
  return mst_option_check(args->cli, "date", text, wrong);
}

/* The number behind the last colon, which is cut off; 0: there is none. */
static uint32_t cut_number(char *text) {
  char *colon = strrchr(text, ':');
  uint64_t number = 0;
  if (colon == NULL || colon == text || mst_parse_count(colon + 1, &number) != NULL) return 0;
  if (number > UINT32_MAX) return 0;
  *colon = '\0';
  return (uint32_t)number;
}

static error_t parse_explain(mst_assess_args *args, const char *text) {
  if (args->explain != NULL) {
    (void)mst_cli_usage(args->cli, "--explain is for one line: give it once");
    return EINVAL;
  }
  args->explain = mst_strdup(text);
  if (args->explain == NULL) return ENOMEM;
  args->options.explain_path = args->explain;
  args->options.explain_line = cut_number(args->explain);
  if (args->options.explain_line == 0) {
    (void)mst_cli_usage(args->cli, "--explain: '%s' is no FILE:LINE", text);
    return EINVAL;
  }
  args->options.explain_cell = cut_number(args->explain);
  return 0;
}

/* ---- the parser ---------------------------------------------------------------------------------------- */

static error_t parse_target(mst_assess_args *args, int key, char *arg) {
  mst_cli *cli = args->cli;
  muster_assess_options *options = &args->options;
  switch (key) {
  case KEY_ELEMENTS:
    options->elements_text = arg;
    return mst_option_check(cli, "elements", arg, parse_elements(arg, &options->elements));
  case KEY_GPUS: return parse_small(cli, "gpus", arg, &options->gpus);
  case KEY_NODES: return parse_small(cli, "nodes", arg, &options->nodes);
  case KEY_CUDA: return parse_cuda(args, arg);
  case KEY_GPU_MODEL: return parse_text(cli, "gpu-model", arg, &options->gpu_model);
  case KEY_FBMEM: return mst_option_count(cli, "fbmem", arg, 1, UINT64_MAX, &options->fbmem);
  case KEY_SYSMEM: return mst_option_count(cli, "sysmem", arg, 1, UINT64_MAX, &options->sysmem);
  case KEY_CPU_ONLY: options->cpu_only = true; return 0;
  case KEY_PATTERN: return parse_pattern(args, arg);
  case KEY_OS: return parse_os(args, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_option(mst_assess_args *args, int key, char *arg) {
  muster_assess_options *options = &args->options;
  switch (key) {
  case KEY_FORMAT: return parse_format(args, arg);
  case 'o': return parse_text(args->cli, "output", arg, &args->output);
  case KEY_FAIL_ON: return parse_fail_on(args, arg);
  case KEY_STDIN_NAME: return parse_text(args->cli, "stdin-name", arg, &options->text_name);
  case KEY_DATE: return parse_date(args, arg);
  case KEY_UNLISTED: options->unlisted = true; return 0;
  case KEY_RULE: return parse_ids(args, arg, false);
  case KEY_IGNORE: return parse_ids(args, arg, true);
  case KEY_NO_IGNORE: options->no_ignore = true; return 0;
  case KEY_MANIFEST: args->manifest = arg; return 0;
  case KEY_EXPLAIN: return parse_explain(args, arg);
  case KEY_BASELINE: return parse_text(args->cli, "baseline", arg, &options->baseline);
  case KEY_DIFF_BASE: return parse_text(args->cli, "diff-base", arg, &args->diff_base);
  case KEY_CONFIG: return parse_text(args->cli, "config", arg, &args->config_file);
  case KEY_ISOLATED: args->isolated = true; return 0;
  case KEY_DOCTOR: return parse_text(args->cli, "doctor", arg, &options->doctor);
  case KEY_UNSAFE: args->unsafe_suggestions = true; return 0;
  case 'j': return mst_option_threads(args->cli, arg, &options->threads);
  default: return parse_target(args, key, arg);
  }
}

static const struct argp_option *option_of(int key) {
  for (const struct argp_option *option = options_table; option->name != NULL; option++)
    if (option->key == key) return option;
  return NULL;
}

static error_t note(mst_assess_args *args, const struct argp_option *option, const char *value) {
  const mst_setting setting = {option->name, value, args->config.line};
  if (!mst_vec_push(&args->settings, setting)) return ENOMEM;
  if (args->config.line == 0) return 0;
  return mst_vec_push(&args->configured, option->name) ? 0 : ENOMEM;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  mst_assess_args *args = state->input;
  const struct argp_option *option = option_of(key);
  if (option == NULL) return ARGP_ERR_UNKNOWN;
  const error_t failed = parse_option(args, key, arg);
  return failed != 0 ? failed : note(args, option, arg != NULL ? arg : "true");
}

/* ---- options in files ---------------------------------------------------------------------------------- */

/* What is of one run only, or of the file itself. */
static bool is_for_files(const struct argp_option *option) {
  static const char *const others[] = {"output", "explain",  "stdin-name", "diff-base",
                                       "config", "isolated", NULL};
  return !mst_one_of(option->name, others);
}

const struct argp_option *mst_assess_option(size_t index) {
  const struct argp_option *option = options_table;
  for (; option->name != NULL; option++)
    if (is_for_files(option) && index-- == 0) return option;
  return NULL;
}

const struct argp_option *mst_assess_option_find(const char *name) {
  const struct argp_option *option;
  for (size_t i = 0; (option = mst_assess_option(i)) != NULL; i++)
    if (strcmp(option->name, name) == 0) return option;
  return NULL;
}

void mst_assess_option_names(const char **names, size_t capacity) {
  const struct argp_option *option;
  size_t count = 0;
  while (count + 1 < capacity && (option = mst_assess_option(count)) != NULL)
    names[count++] = option->name;
  names[count] = NULL;
}

const mst_setting *mst_assess_setting(const mst_assess_args *args, const char *name) {
  for (size_t i = args->settings.length; i > 0; i--)
    if (strcmp(args->settings.data[i - 1].name, name) == 0) return &args->settings.data[i - 1];
  return NULL;
}

static bool is_on_command_line(const mst_assess_args *args, const char *name) {
  for (size_t i = 0; i < args->settings.length; i++)
    if (args->settings.data[i].line == 0 && strcmp(args->settings.data[i].name, name) == 0)
      return true;
  return false;
}

bool mst_assess_is_said(const mst_assess_args *args, const char *name) {
  static const char *const of_gpus[] = {"gpus", "gpu-model", "fbmem", NULL};
  static const char *const of_cpus[] = {"cpu-only", "sysmem", NULL};
  const bool says_gpus = is_on_command_line(args, "gpus") ||
                         is_on_command_line(args, "gpu-model") || is_on_command_line(args, "fbmem");
  if (is_on_command_line(args, name)) return true;
  if (mst_one_of(name, of_gpus) && is_on_command_line(args, "cpu-only")) return true;
  if (mst_one_of(name, of_cpus) && says_gpus) return true;
  if (strcmp(name, "format") == 0 && (args->cli->json || args->explain != NULL)) return true;
  return strcmp(name, "fail-on") == 0 && args->explain != NULL;
}

error_t mst_assess_option_set(mst_assess_args *args, const struct argp_option *option, char *value,
                              bool is_off) {
  mst_str origin = {0};
  error_t failed = 0;
  mst_str_addf(&origin, "%s:%u", args->config.path, args->config.line);
  args->cli->origin = mst_str_text(&origin);
  if (!is_off) failed = parse_option(args, option->key, value);
  args->cli->origin = NULL;
  mst_str_reset(&origin);
  return failed != 0 ? failed : note(args, option, value);
}

static const struct argp assess_argp = {.options = options_table, .parser = parse};
const struct argp_child mst_assess_children[] = {
    {.argp = &assess_argp, .header = "Assessment:", .group = 1},
    {.argp = &mst_common_argp, .header = "Output:", .group = 2},
    {0}};

error_t mst_assess_no_options(int key, char *arg, struct argp_state *state) {
  mst_assess_args *args = state->input;
  (void)arg;
  if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
  state->child_inputs[0] = args;
  state->child_inputs[1] = args->cli;
  return 0;
}

void mst_assess_args_init(mst_assess_args *args, mst_cli *cli) {
  *args = (mst_assess_args){.cli = cli};
  muster_assess_options_init(&args->options);
}

void mst_assess_args_settle(mst_assess_args *args) {
  muster_assess_options *options = &args->options;
  options->rules = args->rules.length > 0 ? args->rules.data : NULL;
  options->rule_count = args->rules.length;
  options->ignored_rules = args->ignored.data;
  options->ignored_rule_count = args->ignored.length;
  options->configured = args->configured.data;
  options->configured_count = args->configured.length;
}

void mst_assess_args_reset(mst_assess_args *args) {
  for (size_t i = 0; i < args->words.length; i++)
    mst_free(args->words.data[i]);
  mst_vec_reset(&args->words);
  mst_vec_reset(&args->rules);
  mst_vec_reset(&args->ignored);
  mst_vec_reset(&args->settings);
  mst_vec_reset(&args->configured);
  mst_toml_reset(&args->config.toml);
  mst_free(args->config.path);
  mst_free(args->explain);
}
