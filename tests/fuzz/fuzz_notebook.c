/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Python file and as a notebook; and, in a notebook, as the text of a cell. */
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "fuzz.h"
#include "pysource/source.h"

static void check_lines(const mst_source *source) {
  ALWAYS(strlen(source->text) == source->length);
  ALWAYS(strchr(source->text, '\r') == NULL);
  ALWAYS(source->line_count >= 1 && source->line_starts[0] == 0);
  for (uint32_t line = 1; line < source->line_count; line++) {
    ALWAYS(source->line_starts[line] > source->line_starts[line - 1]);
    ALWAYS(source->line_starts[line] < source->length);
    ALWAYS(source->text[source->line_starts[line] - 1] == '\n');
  }
}

static void check_cells(const mst_source *source) {
  for (uint32_t i = 0; i < source->cell_count; i++) {
    const mst_cell *cell = &source->cells[i];
    ALWAYS(cell->number > (i > 0 ? cell[-1].number : 0));
    ALWAYS(i > 0 ? cell->first_line > cell[-1].first_line : cell->first_line == 0);
    ALWAYS(cell->first_line < source->line_count);
    const mst_position position =
        mst_source_position(source, source->line_starts[cell->first_line]);
    ALWAYS(position.cell == cell->number && position.line == 1);
    ALWAYS(position.column == 1 + cell->indent);
  }
  const mst_position end = mst_source_position(source, UINT32_MAX);
  ALWAYS(end.line >= 1 && end.column >= 1 && (end.cell == 0) == (source->cell_count == 0));
}

static void read_as(const char *path, const char *bytes, size_t size) {
  mst_source source;
  muster_error error = {.offset = -1};
  const muster_status status = mst_source_from_bytes(&source, path, bytes, size, &error);
  if (status == MUSTER_OK) {
    check_lines(&source);
    check_cells(&source);
  } else {
    check_error(status, &error, 2 * size + 4); /* Latin-1 grows on its way to UTF-8 */
  }
  mst_source_reset(&source);
  mst_source_reset(&source);
}

static void read_as_cell(const char *bytes, size_t size) {
  mst_str json = {0};
  mst_str_add(&json, "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"");
  for (size_t i = 0; i < size; i++)
    mst_str_addf(&json, "\\u%04x", (unsigned char)bytes[i]);
  mst_str_add(&json, "\"}, {\"cell_type\": \"code\", \"source\": \"last\"}]}");
  mst_source source;
  ALWAYS(mst_source_from_bytes(&source, "a.ipynb", json.data, json.length, NULL) == MUSTER_OK);
  check_lines(&source);
  check_cells(&source);
  ALWAYS(source.cell_count == 2 && mst_ends_with(source.text, "\nlast\n"));
  mst_source_reset(&source);
  mst_str_reset(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* A copy of its own, so that nobody reads behind it. */
  char *bytes = mst_alloc(size > 0 ? size : 1);
  if (size > 0) memcpy(bytes, data, size);
  read_as("a.py", bytes, size);
  read_as("a.ipynb", bytes, size);
  if (size < 1000) read_as_cell(bytes, size);
  mst_free(bytes);
  return 0;
}
