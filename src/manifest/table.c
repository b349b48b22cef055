/* SPDX-License-Identifier: Apache-2.0 */
/* The table as text: reading, writing, and making it from what was read elsewhere. */
#include "manifest/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"
#include "manifest/carried.h"

#define FIRST_LINE "muster API support 1"
#define MAX_TABLE ((size_t)4 << 20)
#define MAX_NAME 200

void mst_manifest_reset(mst_manifest *manifest) {
  mst_free(manifest->text);
  mst_free(manifest->entries);
  *manifest = (mst_manifest){0};
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The text is cut in place: ends of lines and fields become NUL. */
typedef struct table_reader {
  const char *path;
  char *text;
  char *end;
  char *line; /* the one being looked at */
  char *next;
  MST_VEC(mst_api_support) entries;
  muster_error *error;
} table_reader;

static muster_status bad(const table_reader *reader, const char *at, const char *what) {
  return mst_fail_at(reader->error, MUSTER_ERR_FORMAT, reader->path, at - reader->text,
                     "no table of API support: %s", what);
}

static bool next_line(table_reader *reader) {
  if (reader->next >= reader->end) return false;
  reader->line = reader->next;
  char *stop = memchr(reader->line, '\n', (size_t)(reader->end - reader->line));
  reader->next = stop != NULL ? stop + 1 : reader->end;
  if (stop == NULL) stop = reader->end; /* there is a NUL already */
  *stop = '\0';
  while (stop > reader->line && stop[-1] == '\r')
    *--stop = '\0';
  return true;
}

static muster_status read_header(table_reader *reader, mst_manifest *out) {
  const struct {
    const char *key;
    const char **value;
  } fields[] = {{"Source: ", &out->source},
                {"cuPyNumeric: ", &out->cupynumeric},
                {"NumPy: ", &out->numpy},
                {"Fetched: ", &out->fetched}};
  if (!next_line(reader) || strcmp(reader->line, FIRST_LINE) != 0)
    return bad(reader, reader->text, "the first line is not '" FIRST_LINE "'");
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const size_t length = strlen(fields[i].key);
    if (!next_line(reader) || !mst_starts_with(reader->line, fields[i].key) ||
        reader->line[length] == '\0')
      return bad(reader, reader->line,
                 "it begins with the lines Source, cuPyNumeric, NumPy and Fetched");
    *fields[i].value = reader->line + length;
  }
  if (!mst_is_date(out->fetched))
    return bad(reader, out->fetched, "Fetched is no date such as 2026-01-31");
  return MUSTER_OK;
}

static bool is_name(const char *text) {
  const size_t length = strlen(text);
  return length > 0 && length <= MAX_NAME &&
         strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.") == length;
}

/* Cuts the line at its tabs; the number of fields, at most `room`. */
static size_t split(char *line, char **fields, size_t room) {
  size_t count = 0;
  for (char *at = line; at != NULL && count < room; count++) {
    fields[count] = at;
    at = strchr(at, '\t');
    if (at != NULL) *at++ = '\0';
  }
  return count;
}

static muster_status read_row(table_reader *reader) {
  char *field[6] = {NULL};
  const size_t count = split(reader->line, field, 6);
  if (count < 4 || count > 5)
    return bad(reader, reader->line,
               "a row has a section, two names, a level and perhaps a note, with tabs");
  mst_api_support entry = {.name = field[1], .note = count == 5 ? field[4] : ""};
  if (!mst_api_section_parse(field[0], &entry.section))
    return bad(reader, field[0], "unknown section");
  if (!is_name(field[1])) return bad(reader, field[1], "a name has letters, digits, _ and dots");
  if (strcmp(field[2], "-") != 0) {
    if (!is_name(field[2])) return bad(reader, field[2], "a name has letters, digits, _ and dots");
    entry.cupynumeric_name = field[2];
  }
  if (!mst_api_level_parse(field[3], &entry.level)) return bad(reader, field[3], "unknown level");
  const bool listed = entry.section != MST_API_OTHER;
  if (listed != (entry.level != MST_API_UNLISTED))
    return bad(reader, field[3], "section and level contradict each other");
  if (entry.cupynumeric_name == NULL && entry.level > MST_API_NONE)
    return bad(reader, field[3], "a missing name cannot have this level");
  return mst_vec_push(&reader->entries, entry) ? MUSTER_OK : mst_fail_memory(reader->error);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const mst_api_support *)a)->name, ((const mst_api_support *)b)->name);
}

static muster_status sort_entries(const table_reader *reader) {
  if (reader->entries.length == 0) return bad(reader, reader->text, "it has no names");
  qsort(reader->entries.data, reader->entries.length, sizeof *reader->entries.data, by_name);
  for (size_t i = 1; i < reader->entries.length; i++) {
    const mst_api_support *entry = &reader->entries.data[i];
    if (strcmp(entry[-1].name, entry->name) == 0)
      return bad(reader, entry->name, "a name stands there twice");
  }
  return MUSTER_OK;
}

static muster_status read_table(table_reader *reader, mst_manifest *out) {
  muster_status status = read_header(reader, out);
  while (status == MUSTER_OK && next_line(reader))
    if (reader->line[0] != '\0') status = read_row(reader);
  return status == MUSTER_OK ? sort_entries(reader) : status;
}

muster_status mst_manifest_parse(const char *path, const char *text, size_t length,
                                 mst_manifest *out, muster_error *error) {
  *out = (mst_manifest){0};
  const char *nul = length > 0 ? memchr(text, '\0', length) : NULL;
  if (nul != NULL || length > MAX_TABLE)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "no table of API support: %s",
                    nul != NULL ? "it has NUL bytes" : "it is larger than 4 MiB");
  out->text = mst_strndup(text, length);
  if (out->text == NULL) return mst_fail_memory(error);
  table_reader reader = {.path = path,
                         .text = out->text,
                         .line = out->text,
                         .next = out->text,
                         .end = out->text + length,
                         .error = error};
  const muster_status status = read_table(&reader, out);
  out->entries = reader.entries.data;
  out->length = reader.entries.length;
  if (status != MUSTER_OK) mst_manifest_reset(out);
  return status;
}

muster_status mst_manifest_read(const char *path, mst_manifest *out, muster_error *error) {
  char *text;
  size_t length;
  *out = (mst_manifest){0};
  muster_status status = mst_io_read_file(path, MAX_TABLE, &text, &length, error);
  if (status != MUSTER_OK) return status;
  status = mst_manifest_parse(path, text, length, out, error);
  mst_free(text);
  return status;
}

muster_status mst_manifest_carried(mst_manifest *out, muster_error *error) {
  return mst_manifest_parse("the carried table", (const char *)mst_carried_table,
                            mst_carried_table_length, out, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void add_header(mst_str *out, const char *source, const char *cupynumeric, const char *numpy,
                       const char *fetched) {
  mst_str_addf(out, FIRST_LINE "\nSource: %s\ncuPyNumeric: %s\nNumPy: %s\nFetched: %s\n", source,
               cupynumeric, numpy, fetched);
}

static void add_row(mst_str *out, const mst_api_support *row) {
  mst_str_addf(out, "%s\t%s\t%s\t%s%s%s\n", mst_api_section_id(row->section), row->name,
               row->cupynumeric_name != NULL ? row->cupynumeric_name : "-",
               mst_api_level_name(row->level), row->note[0] != '\0' ? "\t" : "", row->note);
}

void mst_manifest_write(const mst_manifest *manifest, mst_str *out) {
  add_header(out, manifest->source, manifest->cupynumeric, manifest->numpy, manifest->fetched);
  for (int section = MST_API_MODULE; section <= MST_API_OTHER; section++) {
    bool any = false;
    for (size_t i = 0; i < manifest->length; i++) {
      if ((int)manifest->entries[i].section != section) continue;
      if (!any) mst_str_add(out, "\n");
      any = true;
      add_row(out, &manifest->entries[i]);
    }
  }
}

/* ---- drafts ---------------------------------------------------------------------------------- */

void mst_draft_add(mst_manifest_draft *draft, mst_api_section section, const char *numpy_name,
                   const char *cupynumeric_name, mst_api_level level, const char *note) {
  const mst_api_support row = {.name = numpy_name,
                               .cupynumeric_name = cupynumeric_name,
                               .note = note,
                               .level = level,
                               .section = section};
  add_row(&draft->rows, &row);
}

muster_status mst_draft_finish(mst_manifest_draft *draft, const char *path, const char *source,
                               const char *cupynumeric, const char *numpy, const char *fetched,
                               mst_manifest *out, muster_error *error) {
  mst_str text = {0};
  *out = (mst_manifest){0};
  add_header(&text, source, cupynumeric, numpy, fetched);
  mst_str_add_bytes(&text, mst_str_text(&draft->rows), draft->rows.length);
  const bool failed = text.failed || draft->rows.failed;
  const bool empty = draft->rows.length == 0;
  mst_str_reset(&draft->rows);
  muster_status status = MUSTER_OK;
  if (failed)
    status = mst_fail_memory(error);
  else if (!empty) /* else the check says what is missing */
    status = mst_manifest_parse(path, text.data, text.length, out, error);
  if (status == MUSTER_OK) status = mst_manifest_check(out, path, error);
  if (status != MUSTER_OK) mst_manifest_reset(out);
  mst_str_reset(&text);
  return status;
}
