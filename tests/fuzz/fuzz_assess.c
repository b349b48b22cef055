/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a program to assess, with all reports of it. A first line "#@ OPTION..." chooses
 * options; pieces behind lines "#@ file NAME" are modules of one program, which is also modelled
 * and searched as a whole.
 */
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "muster/assess.h"
#include "pysource/model.h"
#include "rules/gaps.h"

enum { MOST_PIECES = 8 };
#define PARSE_BUDGET ((size_t)64 << 20)
#define MODEL_BUDGET ((size_t)256 << 20)
static const char mark[] = "\n#@ file ";

/* ---- through the public functions ----------------------------------------------------------- */

static bool has_option(const char *bytes, size_t size, const char *option) {
  const char *end = memchr(bytes, '\n', size);
  const size_t length = end != NULL ? (size_t)(end - bytes) : size;
  return length > 2 && memcmp(bytes, "#@", 2) == 0 &&
         memmem(bytes, length, option, strlen(option)) != NULL;
}

static void choose(muster_assess_options *options, const char *bytes, size_t size) {
  const bool is_notebook = size > 0 && (bytes[0] == '{' || bytes[0] == '[');
  muster_assess_options_init(options);
  options->threads = 1;
  options->keep_originals = true;
  options->text = bytes;
  options->text_length = size;
  options->text_name = options->explain_path = is_notebook ? "a.ipynb" : "a.py";
  options->explain_cell = is_notebook ? 1 + (uint32_t)(size % 3) : 0;
  options->explain_line = 1 + (uint32_t)(size % 40);
  options->unlisted = has_option(bytes, size, "unlisted");
  options->keep_lines = !has_option(bytes, size, "no-lines");
  options->cpu_only = has_option(bytes, size, "cpu-only");
  if (has_option(bytes, size, "small")) options->elements = 4096;
  if (has_option(bytes, size, "large")) options->elements = UINT64_C(1) << 40;
  if (has_option(bytes, size, "nodes")) options->nodes = 64;
  if (has_option(bytes, size, "gpus")) options->gpus = 8;
  if (has_option(bytes, size, "pascal")) options->gpu_model = "P100";
  if (has_option(bytes, size, "date")) options->date = "2027-11-30";
}

static void check_counts(const muster_assessment *assessment) {
  const size_t findings = muster_assessment_count(assessment, MUSTER_FINDINGS);
  const size_t counting = muster_assessment_count(assessment, MUSTER_COUNTING_FINDINGS);
  ALWAYS(counting <= findings);
  ALWAYS(muster_assessment_count(assessment, MUSTER_FILES) == 1);
  if (muster_assessment_verdict(assessment) == MUSTER_VERDICT_READY) ALWAYS(counting == 0);
  const char *sentence = muster_assessment_sentence(assessment);
  ALWAYS(sentence != NULL && sentence[0] != '\0' && strchr(sentence, '\n') == NULL);
}

/* No report may take over a terminal; a patch has the bytes of the file. */
static void check_text(const char *text) {
  for (const char *at = text; *at != '\0'; at++)
    ALWAYS((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t');
}

static void write_all(const muster_assessment *assessment) {
  const char *format;
  for (size_t i = 0; (format = muster_report_format(i)) != NULL; i++) {
    char *text = NULL, *notes = NULL;
    muster_report_options options;
    muster_report_options_init(&options);
    options.unsafe_suggestions = true;
    options.notes = &notes;
    ALWAYS(muster_assessment_write(assessment, format, &options, &text, NULL) == MUSTER_OK);
    check_text(strcmp(format, "patch") == 0 ? notes : text);
    muster_text_free(text);
    muster_text_free(notes);
  }
}

static void assess(const char *bytes, size_t size) {
  muster_assess_options options;
  muster_assessment *assessment = NULL;
  muster_error error = {.offset = -1};
  choose(&options, bytes, size);
  muster_status status = muster_assess(NULL, 0, &options, &assessment, &error);
  if (status == MUSTER_ERR_USAGE) { /* there is no such line to explain */
    options.explain_path = NULL;
    status = muster_assess(NULL, 0, &options, &assessment, &error);
  }
  if (status == MUSTER_OK) {
    check_counts(assessment);
    write_all(assessment);
  } else {
    ALWAYS(status == MUSTER_ERR_NOT_FOUND); /* the only thing named could not be read */
    check_error(status, &error, size);
  }
  muster_assessment_free(assessment);
}

/* ---- several modules ------------------------------------------------------------------------ */

typedef struct pieces {
  mst_source sources[MOST_PIECES];
  char names[MOST_PIECES][16];
  uint32_t count;
} pieces;

static void add_piece(pieces *p, const char *name, size_t name_length, const char *text,
                      size_t length) {
  char *kept = p->names[p->count];
  const size_t most = sizeof p->names[0] - 1;
  memset(kept, 0, most + 1);
  for (size_t i = 0; i < name_length && i < most && name[i] > ' ' && name[i] < 127; i++)
    kept[i] = name[i];
  if (mst_source_from_bytes(&p->sources[p->count], "a.py", text, length, NULL) == MUSTER_OK)
    p->count++;
}

static void cut(pieces *p, const char *bytes, size_t size) {
  const char *name = "main", *at = bytes, *end = bytes + size;
  size_t name_length = strlen(name);
  while (at != NULL && p->count < MOST_PIECES) {
    const char *next = memmem(at, (size_t)(end - at), mark, strlen(mark));
    add_piece(p, name, name_length, at, (size_t)((next != NULL ? next : end) - at));
    if (next == NULL) return;
    name = next + strlen(mark);
    at = memchr(name, '\n', (size_t)(end - name));
    name_length = (size_t)((at != NULL ? at : end) - name);
  }
}

static void search(const pieces *p, mst_arena *arena) {
  mst_arena_init(arena, MODEL_BUDGET);
  if (setjmp(arena->way_out) != 0) return;
  mst_tree trees[MOST_PIECES];
  mst_tree *pointers[MOST_PIECES];
  const char *names[MOST_PIECES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    if (mst_syntax_parse(&p->sources[i], PARSE_BUDGET, 5, arena, &trees[count], NULL) != MUSTER_OK)
      continue;
    pointers[count] = &trees[count];
    names[count++] = p->names[i];
  }
  mst_program program;
  mst_findings findings = {0};
  mst_gaps gaps = {0};
  mst_manifest manifest = {0};
  memset(&program, 0, sizeof program);
  mst_model_build(&program, arena, pointers, names, count, 1);
  if (count == 0) return;
  mst_run_rules(&program, mst_all_modules(&program), arena, &findings);
  mst_find_gaps(&program, mst_all_modules(&program), &manifest, true, arena, &gaps);
}

static void assess_pieces(const char *bytes, size_t size) {
  pieces p = {0};
  mst_arena arena = {0};
  cut(&p, bytes, size);
  if (p.count > 1) search(&p, &arena);
  mst_arena_reset(&arena);
  for (uint32_t i = 0; i < p.count; i++)
    mst_source_reset(&p.sources[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *bytes = (const char *)data;
  assess(bytes, size);
  if (memmem(bytes, size, mark, strlen(mark)) != NULL) assess_pieces(bytes, size);
  return 0;
}
