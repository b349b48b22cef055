/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions as a unified diff, which `git apply` and `patch -p1` take: docs/assess.md. */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "report/hunks.h"
#include "report/report.h"

typedef struct patch {
  const mst_assessment_result *result;
  const mst_report_options *options;
  mst_str *out;
  MST_VEC(const mst_change *) changes;      /* of the file at hand, in the order of places */
  MST_VEC(const mst_result_finding *) from; /* whose they are */
  bool is_absolute;                         /* one of the paths */
} patch;

/* ---- notes -------------------------------------------------------------------------------------- */

static void begin_note(patch *to, const mst_result_finding *finding) {
  mst_str place = {0};
  mst_add_place(&place, &finding->site);
  mst_add_printable(to->options->notes, mst_str_text(&place));
  mst_str_addf(to->options->notes, " %s: ", finding->rule->id);
  if (place.failed) to->options->notes->failed = true;
  mst_str_reset(&place);
}

static void note(patch *to, const mst_result_finding *finding, const char *reason) {
  if (to->options->notes == NULL) return;
  begin_note(to, finding);
  mst_str_addf(to->options->notes, "left out: %s\n", reason);
}

static void note_overlap(patch *to, const mst_result_finding *finding,
                         const mst_result_finding *other) {
  if (to->options->notes == NULL) return;
  begin_note(to, finding);
  mst_str_addf(to->options->notes,
               "left out: it overlaps with that for %s of line %" PRIu32
               "; assess again once the patch is applied\n",
               other->rule->id, other->site.line);
}

/* ---- names -------------------------------------------------------------------------------------- */

static bool needs_quotes(const char *path) {
  for (const char *at = path; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f || *at == '"' || *at == '\\')
      return true;
  return false;
}

static void add_quoted(mst_str *out, const char *path) {
  for (const char *at = path; *at != '\0'; at++) {
    const unsigned char byte = (unsigned char)*at;
    if (byte == '"' || byte == '\\')
      mst_str_addf(out, "\\%c", byte);
    else if (byte < 0x20 || byte >= 0x7f)
      mst_str_addf(out, "\\%03o", byte);
    else
      mst_str_add_bytes(out, at, 1);
  }
}

/* As git writes names: in quotes where they are odd, and with a tab behind blanks, which would else
 * end them. */
static void add_name(mst_str *out, const char *sign, const char *side, const char *path) {
  const bool is_quoted = needs_quotes(path);
  mst_str_addf(out, "%s %s%s", sign, is_quoted ? "\"" : "", side);
  if (is_quoted)
    add_quoted(out, path);
  else
    mst_str_add(out, path);
  mst_str_add(out, is_quoted ? "\"" : strchr(path, ' ') != NULL ? "\t" : "");
  mst_str_add(out, "\n");
}

/* The path without what leads nowhere; false: it leads out of the folder. */
static bool add_relative(mst_str *out, const char *path) {
  for (const char *at = path; *at != '\0';) {
    const size_t length = strcspn(at, "/");
    if (length == 2 && at[0] == '.' && at[1] == '.') return false;
    if (length > 0 && (length != 1 || *at != '.')) {
      if (out->length > 0) mst_str_add(out, "/");
      mst_str_add_bytes(out, at, length);
    }
    at += length + (at[length] == '/');
  }
  return true;
}

/* ---- which changes are made ----------------------------------------------------------------------- */

static bool is_before(const mst_change *a, const mst_change *b) {
  return a->start != b->start ? a->start < b->start : a->end < b->end;
}

static bool overlap(const mst_change *a, const mst_change *b) {
  if (a->start == a->end && b->start == b->end) return false;
  return a->start < b->end && b->start < a->end;
}

/* Where the change belongs: behind those before it, or at the same place. */
static size_t slot_of(const patch *to, const mst_change *change) {
  size_t low = 0, high = to->changes.length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(change, to->changes.data[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* What hinders the change; NULL: nothing. Those that are made do not overlap, so only neighbours
 * matter. */
static const mst_result_finding *in_the_way(const patch *to, const mst_change *change) {
  const size_t slot = slot_of(to, change);
  if (slot > 0 && overlap(to->changes.data[slot - 1], change)) return to->from.data[slot - 1];
  if (slot < to->changes.length && overlap(to->changes.data[slot], change))
    return to->from.data[slot];
  return NULL;
}

static bool insert(patch *to, const mst_change *change, const mst_result_finding *finding) {
  const size_t slot = slot_of(to, change), behind = to->changes.length - slot;
  if (!mst_vec_push(&to->changes, change) || !mst_vec_push(&to->from, finding)) return false;
  memmove(to->changes.data + slot + 1, to->changes.data + slot, behind * sizeof(void *));
  memmove(to->from.data + slot + 1, to->from.data + slot, behind * sizeof(void *));
  to->changes.data[slot] = change;
  to->from.data[slot] = finding;
  return true;
}

static bool is_same(const mst_change *a, const mst_change *b) {
  return a->start == b->start && a->end == b->end && a->length == b->length &&
         memcmp(a->bytes, b->bytes, a->length) == 0 && a->next == NULL && b->next == NULL;
}

/* All changes of a suggestion are made, or none. */
static bool take(patch *to, const mst_result_finding *finding) {
  for (const mst_change *at = finding->change; at != NULL; at = at->next) {
    const mst_result_finding *other = in_the_way(to, at);
    if (other == NULL) continue;
    if (!is_same(at, other->change)) note_overlap(to, finding, other);
    return true;
  }
  for (const mst_change *at = finding->change; at != NULL; at = at->next)
    if (!insert(to, at, finding)) return false;
  return true;
}

static bool is_wanted(const patch *to, const mst_result_finding *finding) {
  return finding->suggestion != NULL &&
         (finding->suggestion->is_safe || to->options->unsafe_suggestions);
}

static const char *why_not(const mst_result_finding *finding, const mst_original *original) {
  if (finding->site.cell > 0) return "a notebook, for which there are no patches";
  if (finding->replacement == NULL) return "its lines cannot be replaced as a whole";
  if (original != NULL && original->reason != NULL) return original->reason;
  return "the file has changed, or cannot hold the new text";
}

/* ---- all of it -------------------------------------------------------------------------------------- */

/* The findings from *index on that stand in the file of that one, which *index moves behind. */
static bool take_findings(patch *to, size_t *index, const mst_original *original) {
  const mst_assessment_result *result = to->result;
  const char *path = result->findings[*index].site.path;
  for (; *index < result->finding_count; ++*index) {
    const mst_result_finding *finding = &result->findings[*index];
    if (strcmp(finding->site.path, path) != 0) return true;
    if (!is_wanted(to, finding)) continue;
    if (finding->change == NULL)
      note(to, finding, why_not(finding, original));
    else if (!take(to, finding))
      return false;
  }
  return true;
}

static bool add_file(patch *to, const mst_original *original) {
  mst_str path = {0}, hunks = {0};
  if (to->changes.length == 0) return true;
  const bool is_below = add_relative(&path, original->path);
  bool done = !path.failed;
  if (done && !is_below)
    note(to, to->from.data[0], "the file is above the folder that muster runs in: run it there");
  else if (done)
    done = mst_add_hunks(&hunks, original, to->changes.data, to->changes.length);
  if (done && hunks.length > 0) {
    to->is_absolute = to->is_absolute || *original->path == '/';
    add_name(to->out, "---", "a/", mst_str_text(&path));
    add_name(to->out, "+++", "b/", mst_str_text(&path));
    mst_str_add_bytes(to->out, mst_str_text(&hunks), hunks.length);
  }
  mst_str_reset(&path);
  mst_str_reset(&hunks);
  return done;
}

static bool add_files(patch *to) {
  const mst_assessment_result *result = to->result;
  size_t next = 0;
  bool done = true;
  for (size_t i = 0; i < result->finding_count && done;) {
    const char *path = result->findings[i].site.path;
    const bool has_original =
        next < result->original_count && strcmp(result->originals[next].path, path) == 0;
    const mst_original *original = has_original ? &result->originals[next++] : NULL;
    to->changes.length = to->from.length = 0;
    done = take_findings(to, &i, original) && (original == NULL || add_file(to, original));
  }
  return done;
}

static void note_all(const patch *to) {
  if (to->options->notes == NULL) return;
  if (to->out->length == 0)
    mst_str_addf(to->options->notes, "the patch is empty: there are no %ssuggestions to apply\n",
                 to->options->unsafe_suggestions ? "" : "safe ");
  if (to->is_absolute)
    mst_str_add(to->options->notes,
                "paths are absolute: apply the patch in /, or name the files from the project's "
                "folder\n");
}

muster_status mst_write_patch(const mst_assessment_result *result,
                              const mst_report_options *options, mst_str *out,
                              muster_error *error) {
  patch to = {.result = result, .options = options, .out = out};
  if (!result->has_originals)
    return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                    "a patch needs an assessment that keeps the originals");
  const bool done = add_files(&to);
  if (done) note_all(&to);
  mst_vec_reset(&to.changes);
  mst_vec_reset(&to.from);
  return done && !out->failed ? MUSTER_OK : mst_fail_memory(error);
}
