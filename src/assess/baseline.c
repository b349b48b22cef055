/* SPDX-License-Identifier: Apache-2.0 */
#include "assess/baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assess/units.h"
#include "base/status.h"
#include "report/report.h"
#include "verdict/suppress.h"

#define SCHEMA "muster.baseline/1"

static void files_reset(mst_known_files *files) {
  for (size_t i = 0; i < files->length; i++) {
    mst_free(files->data[i].full);
    mst_free(files->data[i].plain);
  }
  mst_vec_reset(files);
}

void mst_baseline_reset(mst_baseline *baseline) {
  yyjson_doc_free(baseline->doc);
  files_reset(&baseline->files);
  mst_known_paths_reset(&baseline->paths);
  mst_vec_reset(&baseline->list);
  *baseline = (mst_baseline){0};
}

static int by_what(const void *left, const void *right) {
  const mst_known *a = left, *b = right;
  int order = strcmp(a->path, b->path);
  if (order == 0) order = strcmp(a->rule, b->rule);
  if (order != 0) return order;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* A text, or null where that is allowed. */
static bool take_text(yyjson_val *object, const char *key, bool is_optional, const char **out) {
  yyjson_val *value = yyjson_obj_get(object, key);
  *out = yyjson_get_str(value);
  return *out != NULL || (is_optional && yyjson_is_null(value));
}

static bool take_hash(yyjson_val *object, uint64_t *out) {
  const char *text = yyjson_get_str(yyjson_obj_get(object, "hash"));
  if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
  *out = strtoull(text, NULL, 16);
  return true;
}

static bool take_entry(yyjson_val *object, mst_known *out) {
  *out = (mst_known){0};
  yyjson_val *ordinal = yyjson_obj_get(object, "ordinal");
  if (!yyjson_is_uint(ordinal) || yyjson_get_uint(ordinal) - 1 >= UINT32_MAX) return false;
  out->ordinal = (uint32_t)yyjson_get_uint(ordinal);
  return take_text(object, "path", false, &out->path) &&
         take_text(object, "rule", false, &out->rule) &&
         take_text(object, "function", true, &out->function) &&
         take_text(object, "name", true, &out->name) && take_hash(object, &out->hash);
}

static muster_status take_entries(mst_baseline *baseline, const char *path, muster_error *error) {
  yyjson_val *root = yyjson_doc_get_root(baseline->doc);
  yyjson_val *entries = yyjson_obj_get(root, "entries"), *value;
  const char *schema = yyjson_get_str(yyjson_obj_get(root, "schema"));
  if (schema == NULL || strcmp(schema, SCHEMA) != 0 || !yyjson_is_arr(entries))
    return mst_fail(error, MUSTER_ERR_FORMAT, path,
                    "is no baseline (%s): 'muster baseline update' writes one", SCHEMA);
  size_t index, count;
  yyjson_arr_foreach(entries, index, count, value) {
    mst_known entry;
    if (!take_entry(value, &entry))
      return mst_fail(error, MUSTER_ERR_FORMAT, path, "entry %zu of the baseline is damaged",
                      index + 1);
    if (!mst_vec_push(&baseline->list, entry)) return mst_fail_memory(error);
  }
  return MUSTER_OK;
}

static void drop_repeated(mst_baseline *baseline) {
  size_t kept = 0;
  if (baseline->list.length == 0) return;
  qsort(baseline->list.data, baseline->list.length, sizeof *baseline->list.data, by_what);
  for (size_t i = 1; i < baseline->list.length; i++)
    if (by_what(&baseline->list.data[kept], &baseline->list.data[i]) != 0)
      baseline->list.data[++kept] = baseline->list.data[i];
  baseline->list.length = kept + 1;
}

muster_status mst_baseline_read(mst_baseline *baseline, const muster_assess_options *options,
                                muster_error *error) {
  const char *path = options->baseline != NULL ? options->baseline : "baseline";
  if (options->baseline == NULL && options->baseline_text == NULL) return MUSTER_OK;
  baseline->is_there = true;
  if (!mst_known_paths_init(&baseline->paths, options->baseline)) return mst_fail_memory(error);
  muster_status status = options->baseline != NULL
                             ? mst_json_read_file(path, &baseline->doc, error)
                             : mst_json_parse(path, options->baseline_text,
                                              options->baseline_length, &baseline->doc, error);
  if (status == MUSTER_OK) status = take_entries(baseline, path, error);
  drop_repeated(baseline);
  return status;
}

/* ---- files --------------------------------------------------------------------------------------- */

static bool name_files(const mst_known_paths *paths, const mst_assessment_result *result,
                       mst_known_files *files) {
  mst_str full = {0}, plain = {0};
  bool done = true;
  for (size_t i = 0; done && i < result->file_count; i++) {
    mst_known_file file = {.file = &result->files[i]};
    done = mst_known_path(paths, result->files[i].path, &full, &plain);
    if (!done) break;
    file.full = mst_str_take(&full);
    file.plain = mst_str_take(&plain);
    done = file.full != NULL && file.plain != NULL && mst_vec_push(files, file);
    if (done) continue;
    mst_free(file.full);
    mst_free(file.plain);
  }
  mst_str_reset(&full);
  mst_str_reset(&plain);
  return done;
}

static int by_path(const void *path, const void *file) {
  return strcmp(path, ((const mst_known_file *)file)->file->path);
}

/* NULL: it is no file, but standard input. */
static const mst_known_file *file_of(const mst_known_files *files, const char *path) {
  if (files->length == 0) return NULL;
  return bsearch(path, files->data, files->length, sizeof *files->data, by_path);
}

static const char *full_name(const mst_known_files *files, const char *path) {
  const mst_known_file *file = file_of(files, path);
  return file != NULL ? file->full : path;
}

/* ---- what is known ------------------------------------------------------------------------------- */

static mst_known *find_entry(mst_baseline *baseline, const char *path, const char *rule,
                             const mst_fingerprint *print) {
  const mst_known wanted = {
      .path = path, .rule = rule, .hash = print->number, .ordinal = print->ordinal};
  if (baseline->list.length == 0) return NULL;
  return bsearch(&wanted, baseline->list.data, baseline->list.length, sizeof *baseline->list.data,
                 by_what);
}

static bool knows(mst_baseline *baseline, const mst_site *site, const char *rule,
                  const mst_fingerprint *print) {
  const mst_known_file *file = file_of(&baseline->files, site->path);
  mst_known *found = find_entry(baseline, file != NULL ? file->full : site->path, rule, print);
  if (found == NULL && file != NULL) found = find_entry(baseline, file->plain, rule, print);
  if (found != NULL) found->is_found = true;
  return found != NULL;
}

typedef MST_VEC(mst_known *) known_pointers;

/* A file of which the baseline knows nothing may be one that went by another name; each has been
 * one at most. */
static bool may_be_moved(const mst_baseline *baseline, const mst_known_file *file,
                         const char *from) {
  if (file->moved_from != NULL) return strcmp(file->moved_from, from) == 0;
  for (size_t i = 0; i < baseline->files.length; i++) {
    const char *other = baseline->files.data[i].moved_from;
    if (other != NULL && strcmp(other, from) == 0) return false;
  }
  for (size_t i = 0; i < baseline->list.length; i++)
    if (strcmp(baseline->list.data[i].path, file->full) == 0) return false;
  return true;
}

static bool knows_moved(mst_baseline *baseline, const known_pointers *gone, const mst_site *site,
                        const char *rule, const mst_fingerprint *print) {
  mst_known_file *file = (mst_known_file *)file_of(&baseline->files, site->path);
  for (size_t i = 0; file != NULL && i < gone->length; i++) {
    mst_known *known = gone->data[i];
    if (known->is_found || known->hash != print->number || known->ordinal != print->ordinal ||
        strcmp(known->rule, rule) != 0 || !may_be_moved(baseline, file, known->path))
      continue;
    file->moved_from = known->path;
    return known->is_found = true;
  }
  return false;
}

static bool is_known(mst_baseline *baseline, const known_pointers *gone, const mst_site *site,
                     const char *rule, const mst_fingerprint *print) {
  return gone != NULL ? knows_moved(baseline, gone, site, rule, print)
                      : knows(baseline, site, rule, print);
}

/* By these entries of files that are gone; NULL: by all, each for its own file. */
static bool set_known_aside(mst_baseline *baseline, const known_pointers *gone,
                            mst_assessment_result *result) {
  mst_fingerprint *of_findings =
      mst_fingerprints_of_findings(result->findings, result->finding_count);
  mst_fingerprint *of_gaps = mst_fingerprints_of_gaps(result->gaps, result->gap_count);
  const bool done = of_findings != NULL && of_gaps != NULL;
  for (size_t i = 0; done && i < result->finding_count; i++) {
    mst_result_finding *finding = &result->findings[i];
    if (gone != NULL && finding->aside != MST_ASIDE_NOT) continue;
    if (is_known(baseline, gone, &finding->site, finding->rule->id, &of_findings[i]) &&
        finding->aside == MST_ASIDE_NOT)
      finding->aside = MST_ASIDE_KNOWN;
  }
  for (size_t i = 0; done && i < result->gap_count; i++) {
    mst_result_gap *gap = &result->gaps[i];
    if (gone != NULL && gap->aside != MST_ASIDE_NOT) continue;
    if (is_known(baseline, gone, &gap->site, MST_GAP_ID, &of_gaps[i]) &&
        gap->aside == MST_ASIDE_NOT)
      gap->aside = MST_ASIDE_KNOWN;
  }
  mst_free(of_findings);
  mst_free(of_gaps);
  return done;
}

bool mst_baseline_apply(mst_baseline *baseline, mst_assessment_result *result) {
  return !baseline->is_there || (name_files(&baseline->paths, result, &baseline->files) &&
                                 set_known_aside(baseline, NULL, result));
}

/* ---- what is fixed ------------------------------------------------------------------------------- */

static int by_full_name(const void *left, const void *right) {
  const mst_known_file *a = left, *b = right;
  return strcmp(a->full, b->full);
}

/* In the folder, which may be "" for the one that all is relative to. */
static bool is_below(const char *path, const char *folder) {
  const size_t length = strlen(folder);
  if (length == 0) return path[0] != '/' && !mst_starts_with(path, "../");
  return mst_starts_with(path, folder) &&
         (path[length] == '/' || path[length] == '\0' || folder[length - 1] == '/');
}

/* The entry is of a file that was looked at, or that is gone from below a path that was named. */
static bool is_seen(const mst_known *known, const mst_known_files *files, mst_str *const folders,
                    size_t count) {
  mst_known_file wanted = {.full = (char *)known->path};
  const mst_known_file *found = files->length > 0 ? bsearch(&wanted, files->data, files->length,
                                                            sizeof *files->data, by_full_name)
                                                  : NULL;
  if (found != NULL) return strcmp(found->file->status, "not assessed") != 0;
  for (size_t i = 0; i < count; i++)
    if (is_below(known->path, mst_str_text(&folders[i]))) return true;
  return false;
}

static bool name_folders(const mst_known_paths *paths, const char *const *shown, size_t count,
                         mst_str *folders) {
  mst_str plain = {0};
  bool done = true;
  for (size_t i = 0; done && i < count; i++)
    done = mst_known_path(paths, shown[i], &folders[i], &plain);
  mst_str_reset(&plain);
  return done;
}

/* ---- what has moved ------------------------------------------------------------------------------ */

#define MOST_MOVED 4096 /* entries: each is compared with each finding */

/* True when no file goes by the path any more. */
static bool is_gone(const mst_baseline *baseline, const mst_known *known, mst_str *const folders,
                    size_t count) {
  for (size_t i = 0; i < baseline->files.length; i++)
    if (strcmp(baseline->files.data[i].full, known->path) == 0 ||
        strcmp(baseline->files.data[i].plain, known->path) == 0)
      return false;
  for (size_t i = 0; i < count; i++)
    if (is_below(known->path, mst_str_text(&folders[i]))) return true;
  return false;
}

/* Entries of files that are gone are those of files that came. */
static bool find_moved(mst_baseline *baseline, mst_str *const folders, size_t count,
                       mst_assessment_result *result) {
  known_pointers gone = {0};
  const char *path = NULL; /* of the entry before: they are sorted by it */
  bool done = true, is_of_gone = false;
  for (size_t i = 0; done && i < baseline->list.length && gone.length < MOST_MOVED; i++) {
    mst_known *known = &baseline->list.data[i];
    if (known->is_found) continue;
    if (path == NULL || strcmp(path, known->path) != 0)
      is_of_gone = is_gone(baseline, known, folders, count);
    path = known->path;
    if (is_of_gone) done = mst_vec_push(&gone, known);
  }
  if (done && gone.length > 0) done = set_known_aside(baseline, &gone, result);
  mst_vec_reset(&gone);
  return done;
}

bool mst_baseline_find_fixed(mst_baseline *baseline, const char *const *paths, size_t count,
                             mst_assessment_result *result, mst_arena *arena) {
  mst_fixed *fixed = mst_arena_new(arena, (baseline->list.length + 1) * sizeof *fixed);
  mst_str *folders = mst_calloc(count + 1, sizeof *folders);
  const bool done = folders != NULL && name_folders(&baseline->paths, paths, count, folders) &&
                    find_moved(baseline, folders, count, result);
  if (baseline->files.length > 1)
    qsort(baseline->files.data, baseline->files.length, sizeof *baseline->files.data, by_full_name);
  for (size_t i = 0; done && i < baseline->list.length; i++) {
    mst_known *known = &baseline->list.data[i];
    if (known->is_found || !is_seen(known, &baseline->files, folders, count)) continue;
    known->is_found = true; /* it is accounted for */
    fixed[result->fixed_count++] = (mst_fixed){
        .rule = known->rule, .path = known->path, .function = known->function, .name = known->name};
  }
  for (size_t i = 0; folders != NULL && i < count; i++)
    mst_str_reset(&folders[i]);
  mst_free(folders);
  files_reset(&baseline->files);
  result->fixed = fixed;
  return done;
}

/* ---- writing ------------------------------------------------------------------------------------- */

typedef MST_VEC(mst_known) known_list;

static bool add_findings(known_list *list, const mst_known_files *files,
                         const mst_assessment_result *result) {
  const size_t count = result->all_finding_count;
  mst_fingerprint *prints = mst_fingerprints_of_findings(result->all_findings, count);
  bool done = prints != NULL;
  for (size_t i = 0; done && i < count; i++) {
    const mst_result_finding *finding = &result->all_findings[i];
    if (!mst_is_complaint(finding) || finding->aside == MST_ASIDE_SUPPRESSED) continue;
    done = mst_vec_push(list, (mst_known){.path = full_name(files, finding->site.path),
                                          .rule = finding->rule->id,
                                          .function = finding->function,
                                          .hash = prints[i].number,
                                          .ordinal = prints[i].ordinal});
  }
  mst_free(prints);
  return done;
}

static bool add_gaps(known_list *list, const mst_known_files *files,
                     const mst_assessment_result *result) {
  const size_t count = result->all_gap_count;
  mst_fingerprint *prints = mst_fingerprints_of_gaps(result->all_gaps, count);
  bool done = prints != NULL;
  for (size_t i = 0; done && i < count; i++) {
    const mst_result_gap *gap = &result->all_gaps[i];
    if (gap->aside == MST_ASIDE_SUPPRESSED) continue;
    done = mst_vec_push(list, (mst_known){.path = full_name(files, gap->site.path),
                                          .rule = MST_GAP_ID,
                                          .name = gap->name,
                                          .hash = prints[i].number,
                                          .ordinal = prints[i].ordinal});
  }
  mst_free(prints);
  return done;
}

static bool add_unseen(known_list *list, const mst_baseline *old) {
  bool done = true;
  for (size_t i = 0; done && i < old->list.length; i++)
    done = old->list.data[i].is_found || mst_vec_push(list, old->list.data[i]);
  return done;
}

static void add_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                     const char *text) {
  yyjson_mut_obj_add_val(doc, object, key,
                         text != NULL ? mst_json_lasting_name(doc, text) : yyjson_mut_null(doc));
}

static void add_entry(yyjson_mut_doc *doc, yyjson_mut_val *list, const mst_known *known) {
  char hash[17];
  yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, list);
  add_text(doc, object, "path", known->path);
  add_text(doc, object, "rule", known->rule);
  add_text(doc, object, "function", known->function);
  add_text(doc, object, "name", known->name);
  snprintf(hash, sizeof hash, "%016" PRIx64, known->hash);
  yyjson_mut_obj_add_strcpy(doc, object, "hash", hash);
  yyjson_mut_obj_add_uint(doc, object, "ordinal", known->ordinal);
}

static muster_status write_list(known_list *list, mst_str *out, muster_error *error) {
  yyjson_mut_doc *doc = mst_json_new();
  if (doc == NULL) return mst_fail_memory(error);
  yyjson_mut_val *root = yyjson_mut_obj(doc);
  yyjson_mut_doc_set_root(doc, root);
  add_text(doc, root, "schema", SCHEMA);
  yyjson_mut_val *entries = yyjson_mut_obj_add_arr(doc, root, "entries");
  if (list->length > 1) qsort(list->data, list->length, sizeof *list->data, by_what);
  for (size_t i = 0; i < list->length; i++)
    add_entry(doc, entries, &list->data[i]);
  const muster_status status = mst_json_text(doc, out, error);
  yyjson_mut_doc_free(doc);
  return status;
}

static bool collect(const mst_assessment_result *result, const mst_baseline *old,
                    mst_known_files *files, known_list *list) {
  mst_known_paths paths = {0};
  const bool done = (old->is_there || mst_known_paths_init(&paths, NULL)) &&
                    name_files(old->is_there ? &old->paths : &paths, result, files) &&
                    add_findings(list, files, result) && add_gaps(list, files, result) &&
                    add_unseen(list, old);
  mst_known_paths_reset(&paths);
  return done;
}

muster_status mst_baseline_write(const mst_assessment_result *result, const mst_baseline *old,
                                 mst_str *out, muster_error *error) {
  known_list list = {0};
  mst_known_files files = {0};
  muster_status status = MUSTER_OK;
  if (!collect(result, old, &files, &list)) status = mst_fail_memory(error);
  if (status == MUSTER_OK) status = write_list(&list, out, error);
  mst_vec_reset(&list);
  files_reset(&files);
  return status;
}
