/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/source.h"

#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "base/str.h"
#include "pysource/decode.h"
#include "pysource/notebook.h"

#define BLOCK ((uint32_t)1024) /* bytes between two counts of `inside` */

void mst_source_reset(mst_source *source) {
  mst_free(source->path);
  mst_free(source->text);
  mst_free(source->line_starts);
  mst_free(source->inside);
  mst_free(source->cells);
  mst_free(source->note);
  *source = (mst_source){0};
}

/* ---- making ---------------------------------------------------------------------------------- */

/* A newline ends a line; behind the last one there is none, unless the text is empty. */
static bool find_lines(mst_source *source) {
  const char *const end = source->text + source->length;
  uint32_t count = 0;
  for (const char *at = source->text; at < end; count++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop != NULL ? stop + 1 : end;
  }
  source->line_count = count > 0 ? count : 1;
  source->line_starts = mst_calloc(source->line_count, sizeof *source->line_starts);
  if (source->line_starts == NULL) return false;
  const char *at = source->text;
  for (uint32_t line = 1; line < count; line++) {
    at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    source->line_starts[line] = (uint32_t)(at - source->text);
  }
  return true;
}

static bool is_inside_character(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

static uint32_t count_inside(const char *text, uint32_t length) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < length; i++)
    count += is_inside_character(text[i]);
  return count;
}

static bool is_ascii(const mst_source *source) {
  uint64_t word, all = 0;
  uint32_t at = 0;
  for (; at + sizeof word <= source->length; at += sizeof word) {
    memcpy(&word, source->text + at, sizeof word);
    all |= word;
  }
  for (; at < source->length; at++)
    all |= (unsigned char)source->text[at] & 0x80u;
  return (all & UINT64_C(0x8080808080808080)) == 0;
}

/* Bytes inside of characters before each block: a line may be as long as the file, and have as
 * many positions asked for. */
static bool find_characters(mst_source *source) {
  if (is_ascii(source)) return true;
  const uint32_t blocks = source->length / BLOCK + 1;
  source->inside = mst_calloc(blocks, sizeof *source->inside);
  if (source->inside == NULL) return false;
  for (uint32_t i = 1; i < blocks; i++)
    source->inside[i] =
        source->inside[i - 1] + count_inside(source->text + (size_t)(i - 1) * BLOCK, BLOCK);
  return true;
}

static muster_status take_notebook(mst_source *source, const char *path, mst_str *text,
                                   muster_error *error) {
  mst_notebook notebook = {0};
  const muster_status status =
      mst_notebook_read(path, mst_str_text(text), text->length, &notebook, error);
  if (status == MUSTER_OK) {
    mst_str_reset(text);
    *text = notebook.text;
    notebook.text = (mst_str){0};
    source->cells = notebook.cells.data;
    source->cell_count = (uint32_t)notebook.cells.length;
    notebook.cells.data = NULL;
  }
  mst_notebook_reset(&notebook);
  return status;
}

static muster_status fill(mst_source *source, const char *path, const char *bytes, size_t length,
                          mst_str *text, mst_str *note, muster_error *error) {
  const bool is_notebook = mst_ends_with(path, ".ipynb");
  muster_status status = mst_decode(path, bytes, length, !is_notebook, text, note, error);
  if (status == MUSTER_OK && is_notebook) status = take_notebook(source, path, text, error);
  if (status != MUSTER_OK) return status;
  source->length = (uint32_t)text->length;
  source->path = mst_strdup(path);
  source->text = mst_str_take(text);
  if (source->path == NULL || source->text == NULL || note->failed || !find_lines(source) ||
      !find_characters(source))
    return mst_fail_memory(error);
  if (note->length == 0) return MUSTER_OK;
  source->note = mst_str_take(note);
  return source->note != NULL ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status refuse_large(const char *path, uint64_t length, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_FORMAT, path, "%llu bytes: above the limit of %zu MiB",
                  (unsigned long long)length, MST_SOURCE_LIMIT >> 20);
}

muster_status mst_source_from_bytes(mst_source *source, const char *path, const char *bytes,
                                    size_t length, muster_error *error) {
  *source = (mst_source){0};
  if (length > MST_SOURCE_LIMIT) return refuse_large(path, length, error);
  mst_str text = {0};
  mst_str note = {0};
  const muster_status status = fill(source, path, bytes, length, &text, &note, error);
  mst_str_reset(&text);
  mst_str_reset(&note);
  if (status != MUSTER_OK) mst_source_reset(source);
  return status;
}

/* The error of another function, about the file as it is reported. */
static void show_as(const char *shown, muster_error *error) {
  if (error == NULL) return;
  const size_t length = strnlen(shown, sizeof error->path - 1);
  memcpy(error->path, shown, length);
  error->path[length] = '\0';
}

muster_status mst_source_read(mst_source *source, const char *path, const char *shown,
                              muster_error *error) {
  *source = (mst_source){0};
  mst_stat info = {0};
  char *bytes = NULL;
  size_t length = 0;
  muster_status status = mst_io_stat(path, &info, error);
  if (status == MUSTER_OK && info.is_regular && info.size > MST_SOURCE_LIMIT)
    return refuse_large(shown, info.size, error);
  if (status == MUSTER_OK)
    status = mst_io_read_file(path, MST_SOURCE_LIMIT, &bytes, &length, error);
  if (status == MUSTER_OK)
    status = mst_source_from_bytes(source, shown, bytes, length, error);
  else if (status != MUSTER_ERR_MEMORY)
    show_as(shown, error);
  mst_free(bytes);
  return status;
}

/* ---- positions ------------------------------------------------------------------------------- */

uint32_t mst_source_line(const mst_source *source, uint32_t byte) {
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (source->line_starts[middle] <= byte)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The last cell that begins at or before the line; NULL: not a notebook. */
static const mst_cell *cell_of(const mst_source *source, uint32_t line) {
  if (source->cell_count == 0) return NULL;
  uint32_t low = 0, high = source->cell_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (source->cells[middle].first_line <= line)
      low = middle;
    else
      high = middle;
  }
  return &source->cells[low];
}

/* Characters that begin before the byte. */
static uint32_t characters_before(const mst_source *source, uint32_t byte) {
  if (source->inside == NULL) return byte;
  const uint32_t block = byte / BLOCK;
  return byte - source->inside[block] -
         count_inside(source->text + (size_t)block * BLOCK, byte % BLOCK);
}

mst_position mst_source_position(const mst_source *source, uint32_t byte) {
  if (byte >= source->length) {
    byte = source->length;
    /* Not on the line behind the last newline, which nobody sees. */
    if (byte > 0 && source->text[byte - 1] == '\n') byte--;
  }
  const uint32_t line = mst_source_line(source, byte);
  while (byte > 0 && is_inside_character(source->text[byte]))
    byte--;
  mst_position position = {.line = line + 1};
  position.column =
      1 + characters_before(source, byte) - characters_before(source, source->line_starts[line]);
  const mst_cell *cell = cell_of(source, line);
  if (cell == NULL) return position;
  position.cell = cell->number;
  position.line -= cell->first_line;
  position.column += cell->indent;
  return position;
}
