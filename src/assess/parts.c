/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which units are looked at together: programs, and parts of those that are too large. A part of a
 * program is what lies in one folder; what it imports from elsewhere is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "assess/run.h"
#include "base/str.h"
#include "verdict/words.h"

#define MODEL_BYTES_PER_BYTE 16 /* the model takes about 13 for a byte of source */

/* ---- programs ---------------------------------------------------------------------------------------- */

static int by_component(const void *left, const void *right, void *context) {
  const mst_unit *units = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const uint32_t of_a = units[a].component, of_b = units[b].component;
  if (of_a != of_b) return of_a < of_b ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool find_programs(mst_assess_run *run) {
  const mst_unit *list = run->units.list.data;
  for (uint32_t i = 0; i < run->units.list.length; i++)
    if (list[i].is_relevant && list[i].reason == NULL) run->members[run->member_count++] = i;
  qsort_r(run->members, run->member_count, sizeof *run->members, by_component,
          run->units.list.data);
  for (uint32_t i = 0; i < run->member_count; i++) {
    const bool is_new =
        i == 0 || list[run->members[i]].component != list[run->members[i - 1]].component;
    if (is_new && !mst_vec_push(&run->parts, (mst_program_part){.first = i})) return false;
    run->parts.data[run->parts.length - 1].count++;
  }
  return true;
}

size_t mst_part_bytes(const mst_assess_run *run, const mst_program_part *part) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < part->count; i++)
    bytes += run->units.list.data[run->members[part->first + i]].bytes;
  return bytes;
}

static bool is_expected_to_fit(const mst_assess_run *run, const mst_program_part *part) {
  return mst_part_bytes(run, part) <= run->limits.model / MODEL_BYTES_PER_BYTE;
}

bool mst_parts_make(mst_assess_run *run) {
  run->members = mst_calloc(run->units.list.length + 1, sizeof *run->members);
  if (run->members == NULL || !mst_units_group(&run->units) || !find_programs(run)) return false;
  for (size_t i = 0; i < run->parts.length; i++) {
    const mst_program_part *part = &run->parts.data[i];
    if (part->count > 1 && !is_expected_to_fit(run, part) && !mst_part_split(run, i)) return false;
  }
  return true;
}

/* ---- parts of programs ------------------------------------------------------------------------------- */

/* The folder around all files of a part. */
typedef struct folder {
  const mst_unit *units;
  size_t length; /* of the start of each key, with the slash */
} folder;

static folder folder_of(const mst_assess_run *run, const mst_program_part *part) {
  const mst_unit *units = run->units.list.data;
  const uint32_t *members = run->members + part->first;
  const char *key = units[members[0]].key;
  size_t length = (size_t)(mst_base_name(key) - key);
  for (uint32_t i = 1; i < part->count; i++) {
    while (strncmp(units[members[i]].key, key, length) != 0) {
      length--;
      while (length > 0 && key[length - 1] != '/')
        length--;
    }
  }
  return (folder){units, length};
}

/* Bytes of the next folder's name, with its slash; 0: the file lies in the folder itself. */
static size_t next_length(const folder *around, uint32_t unit) {
  const char *rest = around->units[unit].key + around->length;
  const char *slash = strchr(rest, '/');
  return slash != NULL ? (size_t)(slash + 1 - rest) : 0;
}

/* The folder's own files first, then folder by folder. */
static int by_folder(const void *left, const void *right, void *context) {
  const folder *around = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const bool is_own_a = next_length(around, a) == 0, is_own_b = next_length(around, b) == 0;
  if (is_own_a != is_own_b) return is_own_a ? -1 : 1;
  const int order = strcmp(around->units[a].key, around->units[b].key);
  return order != 0 ? order : (a > b) - (a < b);
}

static bool are_together(const folder *around, uint32_t a, uint32_t b) {
  const size_t length = next_length(around, a);
  return length == next_length(around, b) &&
         strncmp(around->units[a].key + around->length, around->units[b].key + around->length,
                 length) == 0;
}

/* Takes the way out of the result's arena. */
static bool note_split(mst_assess_run *run, const folder *around, uint32_t any, uint32_t files,
                       size_t parts, bool is_too_long) {
  mst_arena *arena = &run->assessment->arena;
  const char *key = around->units[any].key;
  const char *path = around->length > 1 ? mst_arena_text(arena, key, around->length - 1)
                                        : mst_arena_text(arena, around->length == 1 ? "/" : ".", 1);
  const char *message =
      mst_words(arena,
                "%u files that import one another take more %s allowed: they are looked at in "
                "%zu parts, and what these import from one another is not known",
                files, is_too_long ? "steps than are" : "memory than is", parts);
  return mst_add_diagnostic(run, (mst_site){.path = path}, "budget", message);
}

bool mst_part_split(mst_assess_run *run, size_t index) {
  const mst_program_part whole = run->parts.data[index];
  const size_t before = run->parts.length;
  uint32_t *members = run->members + whole.first;
  folder around = folder_of(run, &whole);
  qsort_r(members, whole.count, sizeof *members, by_folder, &around);
  const bool is_flat = next_length(&around, members[whole.count - 1]) == 0;
  for (uint32_t i = 0; i < whole.count; i++) {
    const bool is_new = i == 0 || is_flat || !are_together(&around, members[i - 1], members[i]);
    if (is_new && !mst_vec_push(&run->parts, (mst_program_part){.first = whole.first + i}))
      return false;
    run->parts.data[run->parts.length - 1].count++;
  }
  run->parts.data[index].count = 0;
  return note_split(run, &around, members[0], whole.count, run->parts.length - before,
                    whole.is_too_long);
}
