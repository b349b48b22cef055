/* SPDX-License-Identifier: Apache-2.0 */
#include "load/members.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/shape.h"
#include "base/status.h"
#include "formats/members.h"
#include "load/order.h"

typedef struct mst_expansion {
  const muster_dataset *dataset;
  const muster_open_options *options;
  mst_names *members; /* one entry a file; empty: the file is one shard */
  mst_names *notes;   /* likewise: how its members were ordered */
} mst_expansion;

static bool is_pattern(const char *text) { return text != NULL && strpbrk(text, "*?[") != NULL; }

static const char *without_slashes(const char *name) { return name + strspn(name, "/"); }

static bool is_named(const char *name, const char *wanted) {
  return strcmp(without_slashes(name), without_slashes(wanted)) == 0;
}

/* A name may hold what patterns are made of. */
static bool is_among(const mst_names *names, const char *wanted) {
  for (size_t i = 0; i < names->length; i++)
    if (is_named(names->data[i], wanted)) return true;
  return false;
}

/* Those that match come first; returns how many. */
static size_t sort_out_matches(mst_names *names, const char *pattern) {
  const bool is_name = is_among(names, pattern);
  size_t kept = 0;
  for (size_t i = 0; i < names->length; i++) {
    char *name = names->data[i];
    if (is_name ? !is_named(name, pattern)
                : fnmatch(without_slashes(pattern), without_slashes(name), 0) != 0)
      continue;
    names->data[i] = names->data[kept];
    names->data[kept++] = name;
  }
  return kept;
}

static muster_status keep_matches(const char *path, mst_names *names, const char *pattern,
                                  muster_error *error) {
  const size_t kept = sort_out_matches(names, pattern);
  if (kept == 0) return mst_members_refuse_pattern(path, names, pattern, error);
  while (names->length > kept)
    mst_free(names->data[--names->length]);
  return MUSTER_OK;
}

static bool all_have_numbers(const mst_names *names) {
  for (size_t i = 0; i < names->length; i++) {
    const char *at = mst_base_name(names->data[i]);
    while (*at != '\0' && !isdigit((unsigned char)*at))
      at++;
    if (*at == '\0') return false;
  }
  return true;
}

/* In the order of their numbers; none are left where that makes no sense and nobody asked for it.
 */
static muster_status order_members(const mst_expansion *expansion, const char *path,
                                   mst_names *names, mst_names *notes, muster_error *error) {
  const char *pattern = expansion->options->dataset;
  muster_status status = MUSTER_OK;
  if (pattern != NULL) status = keep_matches(path, names, pattern, error);
  if (status != MUSTER_OK) return status;
  status = MUSTER_ERR_MISMATCH;
  if (pattern != NULL || all_have_numbers(names))
    status = mst_order_by_number(names, expansion->options->allow_gaps, notes, error);
  /* Members are ordered as paths are, but what is wrong is wrong with the file. */
  if (status != MUSTER_OK && error != NULL) snprintf(error->path, sizeof error->path, "%s", path);
  if (status == MUSTER_OK || pattern != NULL || status != MUSTER_ERR_MISMATCH) return status;
  mst_names_reset(names);
  mst_names_reset(notes);
  return MUSTER_OK;
}

/* What cannot be listed is told by inspect, together with the faults of other files. */
static muster_status list_members(void *context, uint64_t index, unsigned worker,
                                  muster_error *error) {
  (void)worker;
  const mst_expansion *expansion = context;
  const muster_dataset *dataset = expansion->dataset;
  const char *path = dataset->shards[index].path;
  mst_names *names = &expansion->members[index];
  muster_error fault;
  const muster_status status =
      dataset->format->list_members(path, expansion->options, names, &fault);
  if (status != MUSTER_OK) mst_names_reset(names);
  /* The next look may succeed, and find other arrays than the only one. */
  if (status == MUSTER_ERR_MEMORY || status == MUSTER_ERR_IO) {
    if (error != NULL) *error = fault;
    return status;
  }
  return names->length > 1 || is_pattern(expansion->options->dataset)
             ? order_members(expansion, path, names, &expansion->notes[index], error)
             : MUSTER_OK;
}

/* How members of many files were ordered is said once. */
static muster_status take_notes(muster_dataset *dataset, const mst_names *notes,
                                muster_error *error) {
  muster_status status = MUSTER_OK;
  const mst_names *said = NULL;
  for (size_t i = 0; status == MUSTER_OK && said == NULL && i < dataset->shard_count; i++) {
    if (notes[i].length > 0) said = &notes[i];
    for (size_t k = 0; status == MUSTER_OK && k < notes[i].length; k++) {
      mst_str note = {0};
      mst_str_addf(&note, "%s: its arrays: %s", dataset->shards[i].path, notes[i].data[k]);
      status = mst_dataset_take_note(dataset, mst_str_take(&note), error);
    }
  }
  return status;
}

/* Each member is a shard of its own; files without are one. */
static muster_status take_members(muster_dataset *dataset, mst_names *members,
                                  muster_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < dataset->shard_count; i++)
    count += mst_larger(members[i].length, 1);
  mst_shard *shards = mst_calloc(count, sizeof *shards);
  if (shards == NULL) return mst_fail_memory(error);
  mst_shard *next = shards;
  bool failed = false;
  for (size_t i = 0; i < dataset->shard_count; i++) {
    mst_names *of_file = &members[i];
    for (size_t k = 0; k < of_file->length; k++) {
      next->path = mst_strdup(dataset->shards[i].path);
      next->member = of_file->data[k];
      of_file->data[k] = NULL;
      failed |= next->path == NULL;
      next++;
    }
    if (of_file->length > 0)
      mst_free(dataset->shards[i].path);
    else
      *next++ = dataset->shards[i];
  }
  mst_free(dataset->shards);
  dataset->shards = shards;
  dataset->shard_count = count;
  return failed ? mst_fail_memory(error) : MUSTER_OK;
}

static muster_status expand(mst_expansion *expansion, muster_dataset *dataset,
                            muster_error *error) {
  const bool wants_many = is_pattern(expansion->options->dataset);
  muster_status status = wants_many ? MUSTER_OK : list_members(expansion, 0, 0, error);
  /* The first file tells whether all are to be opened once more to be listed. */
  if (status != MUSTER_OK || (!wants_many && expansion->members[0].length <= 1)) return status;
  mst_names_reset(&expansion->members[0]);
  mst_names_reset(&expansion->notes[0]);
  const unsigned threads = expansion->options->threads;
  status = mst_parallel_for(threads > 0 ? threads : mst_default_threads(), dataset->shard_count,
                            list_members, expansion, error);
  if (status == MUSTER_OK) status = take_notes(dataset, expansion->notes, error);
  return status == MUSTER_OK ? take_members(dataset, expansion->members, error) : status;
}

muster_status mst_members_expand(muster_dataset *dataset, const muster_open_options *options,
                                 muster_error *error) {
  if (dataset->format == NULL || dataset->format->list_members == NULL) return MUSTER_OK;
  if (options->dataset != NULL && !is_pattern(options->dataset)) return MUSTER_OK;
  const size_t count = dataset->shard_count;
  mst_expansion expansion = {.dataset = dataset,
                             .options = options,
                             .members = mst_calloc(2 * count, sizeof *expansion.members)};
  if (expansion.members == NULL) return mst_fail_memory(error);
  expansion.notes = expansion.members + count;
  const muster_status status = expand(&expansion, dataset, error);
  for (size_t i = 0; i < 2 * count; i++)
    mst_names_reset(&expansion.members[i]);
  mst_free(expansion.members);
  return status;
}
