/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that suggestions are for, as they are: their bytes, and where in these the suggestions
 * belong. Sources are UTF-8 with '\n' line ends, so a place is found again by line and column.
 */
#include <string.h>

#include "assess/run.h"
#include "base/io.h"
#include "pysource/decode.h"
#include "verdict/words.h"

#define MOST_BYTES ((size_t)256 << 20) /* of all files that are kept */

/* One file while its changes are placed. */
typedef struct original {
  mst_arena *arena;
  const char *bytes;
  size_t length;
  mst_encoding encoding;
  size_t *line_starts;
  uint32_t line_count;
} original;

/* ---- lines ---------------------------------------------------------------------------------------- */

/* Bytes of the line's end at `at`; 0: there is none. */
static size_t end_length(const original *file, size_t at) {
  if (at >= file->length) return 0;
  if (file->bytes[at] == '\n') return 1;
  if (file->bytes[at] != '\r') return 0;
  return at + 1 < file->length && file->bytes[at + 1] == '\n' ? 2 : 1;
}

/* Fills line_starts, if there are some, and counts. */
static void find_lines(original *file, size_t mark) {
  uint32_t count = 0;
  size_t start = mark;
  for (size_t at = mark; at <= file->length;) {
    const size_t end = end_length(file, at);
    if (end == 0 && at < file->length) {
      at++;
      continue;
    }
    if (file->line_starts != NULL) file->line_starts[count] = start;
    count++;
    if (at == file->length) break;
    at += end;
    start = at;
  }
  file->line_count = count;
}

static bool is_inside_character(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

/* SIZE_MAX: there is no such place. */
static size_t byte_at(const original *file, uint32_t line, uint32_t column) {
  if (line == 0 || line > file->line_count) return SIZE_MAX;
  size_t at = file->line_starts[line - 1];
  for (uint32_t i = 1; i < column; i++) {
    if (at >= file->length || end_length(file, at) > 0) return SIZE_MAX;
    at++;
    while (file->encoding == MST_UTF_8 && at < file->length && is_inside_character(file->bytes[at]))
      at++;
  }
  return at;
}

/* The end of the line, or of the one before it where the file ends without one. */
static const char *line_end(const original *file, uint32_t line, size_t *length) {
  for (; line > 0; line--) {
    size_t at = file->line_starts[line - 1];
    while (at < file->length && end_length(file, at) == 0)
      at++;
    *length = end_length(file, at);
    if (*length > 0) return file->bytes + at;
  }
  *length = 1;
  return "\n";
}

/* ---- texts ---------------------------------------------------------------------------------------- */

/* Where the text, in the file's encoding, ends if it stands at `at`; SIZE_MAX: it does not. */
static size_t end_of(const original *file, size_t at, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const size_t step = text[i] == '\n' ? end_length(file, at) : 1;
    if (step == 0 || at >= file->length) return SIZE_MAX;
    if (text[i] != '\n' && file->bytes[at] != text[i]) return SIZE_MAX;
    at += step;
  }
  return at;
}

/* NULL: the encoding cannot hold it. */
static const char *encoded(const original *file, const char *text, size_t *length) {
  char *bytes = mst_arena_new(file->arena, strlen(text) + 1);
  *length = mst_encode(file->encoding, text, bytes);
  return *length != SIZE_MAX ? bytes : NULL;
}

static const char *with_line_ends(const original *file, uint32_t line, const char *text,
                                  size_t *length) {
  size_t end_bytes, count = 0;
  const char *end = line_end(file, line, &end_bytes);
  char *bytes = mst_arena_new(file->arena, *length * end_bytes + 1);
  for (size_t i = 0; i < *length; i++) {
    const size_t step = text[i] == '\n' ? end_bytes : 1;
    memcpy(bytes + count, text[i] == '\n' ? end : text + i, step);
    count += step;
  }
  *length = count;
  return bytes;
}

static bool place_one(const original *file, const mst_replacement *replacement,
                      mst_change *change) {
  size_t old_length;
  const char *old_text = encoded(file, replacement->old_text, &old_length);
  const char *text = encoded(file, replacement->text, &change->length);
  if (old_text == NULL || text == NULL) return false;
  change->start = byte_at(file, replacement->line, replacement->column);
  if (change->start == SIZE_MAX) return false;
  change->end = end_of(file, change->start, old_text, old_length);
  change->bytes = with_line_ends(file, replacement->line, text, &change->length);
  return change->end != SIZE_MAX;
}

/* NULL: the file is not what it was, or cannot hold the new text. */
static const mst_change *place(const original *file, const mst_replacement *replacement) {
  mst_change *first = NULL;
  const mst_change **end = NULL;
  for (; replacement != NULL; replacement = replacement->next) {
    mst_change *change = mst_arena_new(file->arena, sizeof *change);
    *change = (mst_change){0};
    if (!place_one(file, replacement, change)) return NULL;
    if (end != NULL)
      *end = change;
    else
      first = change;
    end = &change->next;
  }
  return first;
}

/* ---- files ---------------------------------------------------------------------------------------- */

/* Units are in the order of paths, but for what was handed over: the search goes on where it
 * stopped. */
static const mst_unit *unit_of(const mst_units *units, const char *path, size_t *at) {
  const size_t count = units->list.length;
  for (size_t i = 0; i < count; i++) {
    const mst_unit *unit = &units->list.data[(*at + i) % count];
    if (strcmp(unit->shown, path) != 0) continue;
    *at = (*at + i) % count;
    return unit;
  }
  return NULL;
}

/* NULL: bytes were read; else why not. */
static const char *read_bytes(mst_assess_run *run, const mst_unit *unit, original *file) {
  if (unit->text != NULL) {
    file->bytes = mst_arena_text(file->arena, unit->text, unit->text_length);
    file->length = unit->text_length;
    return NULL;
  }
  muster_error fault;
  const muster_status status =
      mst_io_read_file(unit->path, MST_SOURCE_LIMIT, &run->original, &file->length, &fault);
  if (status != MUSTER_OK) return mst_words_copy(file->arena, fault.message);
  file->bytes = mst_arena_text(file->arena, run->original, file->length);
  mst_free(run->original);
  run->original = NULL;
  return NULL;
}

static const char *read_original(mst_assess_run *run, const mst_unit *unit, original *file) {
  size_t mark;
  const char *reason = read_bytes(run, unit, file);
  if (reason != NULL) return reason;
  file->encoding = mst_encoding_of(file->bytes, file->length, &mark);
  if (file->encoding == MST_UTF_16_LE || file->encoding == MST_UTF_16_BE)
    return "in UTF-16, which no patch can hold";
  find_lines(file, mark);
  file->line_starts = mst_arena_new(file->arena, file->line_count * sizeof *file->line_starts);
  find_lines(file, mark);
  return NULL;
}

static bool is_same_file(const mst_result_finding *a, const mst_result_finding *b) {
  return strcmp(a->site.path, b->site.path) == 0;
}

/* Of the findings from `first` on those of one file; returns the first of another. */
static size_t keep_original(mst_assess_run *run, size_t first, size_t *unit_index, size_t *left) {
  mst_assessment_result *result = &run->assessment->result;
  mst_result_finding *findings = result->findings;
  original file = {.arena = &run->assessment->arena};
  mst_original *kept = &result->originals[result->original_count++];
  *kept = (mst_original){.path = findings[first].site.path};
  const mst_unit *unit = unit_of(&run->units, kept->path, unit_index);
  kept->reason = unit == NULL          ? "it is not there any more"
                 : unit->bytes > *left ? "more than 256 MiB of files have suggestions"
                                       : read_original(run, unit, &file);
  size_t end = first;
  for (; end < result->finding_count && is_same_file(&findings[first], &findings[end]); end++)
    if (kept->reason == NULL && findings[end].replacement != NULL)
      findings[end].change = place(&file, findings[end].replacement);
  if (kept->reason != NULL) return end;
  kept->bytes = file.bytes;
  kept->length = file.length;
  *left -= file.length < *left ? file.length : *left;
  return end;
}

static size_t files_with_replacements(const mst_assessment_result *result) {
  size_t count = 0;
  const char *last = "";
  for (size_t i = 0; i < result->finding_count; i++) {
    if (result->findings[i].replacement == NULL) continue;
    count += strcmp(last, result->findings[i].site.path) != 0;
    last = result->findings[i].site.path;
  }
  return count;
}

void mst_keep_originals(mst_assess_run *run) {
  mst_assessment_result *result = &run->assessment->result;
  const size_t count = files_with_replacements(result);
  size_t unit_index = 0, left = MOST_BYTES;
  result->has_originals = true;
  result->originals =
      mst_arena_new(&run->assessment->arena, (count + 1) * sizeof *result->originals);
  for (size_t i = 0; i < result->finding_count;) {
    if (result->findings[i].replacement != NULL)
      i = keep_original(run, i, &unit_index, &left);
    else
      i++;
  }
}
