/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and tables for people. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "cli/cli.h"

void mst_add_count(mst_str *out, uint64_t count) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) mst_str_add(out, ",");
    mst_str_add_bytes(out, digits + i, 1);
  }
}

void mst_add_size(mst_str *out, double bytes) {
  char text[24];
  mst_str_add(out, mst_human_bytes(bytes, text));
}

void mst_add_exact_size(mst_str *out, uint64_t bytes) {
  mst_add_size(out, (double)bytes);
  mst_str_add(out, " (");
  mst_add_count(out, bytes);
  mst_str_add(out, ")");
}

void mst_add_counted(mst_str *out, uint64_t count, const char *noun) {
  mst_add_count(out, count);
  mst_str_addf(out, " %s%s", noun, count == 1 ? "" : "s");
}

void mst_table_take(mst_table *table, mst_str *cell) {
  char *text = mst_str_take(cell);
  if (text == NULL || !mst_vec_push(&table->cells, text)) {
    mst_free(text);
    table->failed = true;
  }
}

void mst_table_add(mst_table *table, const char *cell) {
  mst_str text = {0};
  mst_str_add(&text, cell);
  mst_table_take(table, &text);
}

void mst_table_pair(mst_table *table, const char *name, mst_str *value) {
  mst_table_add(table, name);
  mst_table_take(table, value);
}

static void print_cell(mst_str *out, const char *cell, size_t width, bool right, bool last) {
  const size_t own = mst_text_width(cell);
  const int pad = own < width ? (int)(width - own) : 0;
  if (right) mst_str_addf(out, "%*s", pad, "");
  mst_str_add(out, cell);
  if (!right && !last) mst_str_addf(out, "%*s", pad, "");
  mst_str_add(out, last ? "\n" : "  ");
}

static size_t column_width(const mst_table *table, size_t column, size_t columns) {
  size_t width = 0;
  for (size_t i = column; i < table->cells.length; i += columns) {
    const size_t own = mst_text_width(table->cells.data[i]);
    if (own > width) width = own;
  }
  return width;
}

#define MAX_COLUMNS 8

void mst_table_print(mst_table *table, mst_str *out, int indent) {
  const size_t columns = strlen(table->align);
  size_t widths[MAX_COLUMNS] = {0};
  for (size_t i = 0; i < columns && i < MAX_COLUMNS; i++) {
    widths[i] = column_width(table, i, columns);
  }
  for (size_t i = 0; columns > 0 && i < table->cells.length && !table->failed; i++) {
    const size_t column = i % columns;
    if (column == 0) mst_str_addf(out, "%*s", indent, "");
    print_cell(out, table->cells.data[i], widths[column], table->align[column] == 'r',
               column + 1 == columns);
  }
  if (table->failed) out->failed = true;
  for (size_t i = 0; i < table->cells.length; i++)
    mst_free(table->cells.data[i]);
  mst_vec_reset(&table->cells);
}

double mst_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
