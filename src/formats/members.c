/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/members.h"

#include <string.h>

#include "base/python_text.h"
#include "base/status.h"

#define MOST_LISTED 20
#define ROOM 280 /* bytes of names in an error, about */

static const char *without_slashes(const char *name) { return name + strspn(name, "/"); }

/* Whole names only, because its reader copies them. */
static void add_names(mst_str *out, const mst_names *names) {
  size_t listed = 0;
  while (listed < names->length && listed < MOST_LISTED) {
    const size_t mark = out->length;
    mst_str_addf(out, "%s%s", listed > 0 ? ", " : "", names->data[listed]);
    if (listed > 0 && out->length > ROOM) {
      mst_str_cut(out, mark);
      break;
    }
    listed++;
  }
  if (listed < names->length) mst_str_addf(out, " and %zu more", names->length - listed);
}

static muster_status refuse(const char *path, const mst_names *names, const char *wanted,
                            const char *what, muster_error *error) {
  if (names->length == 0)
    return mst_fail(error, MUSTER_ERR_NOT_FOUND, path, "holds no %s of numbers", what);
  mst_str list = {0};
  add_names(&list, names);
  muster_status status;
  if (wanted != NULL)
    status = mst_fail(error, MUSTER_ERR_NOT_FOUND, path, "no %s '%.100s'; there is %.350s", what,
                      wanted, mst_str_text(&list));
  else
    status = mst_fail(error, MUSTER_ERR_MISMATCH, path,
                      "holds %zu %ss: say which with --dataset: %.380s", names->length, what,
                      mst_str_text(&list));
  mst_str_reset(&list);
  return status;
}

muster_status mst_members_find(const char *path, const mst_names *names, const char *wanted,
                               const char *what, size_t *index, muster_error *error) {
  *index = 0;
  if (wanted == NULL && names->length == 1) return MUSTER_OK;
  for (size_t i = 0; wanted != NULL && i < names->length; i++) {
    if (strcmp(without_slashes(names->data[i]), without_slashes(wanted)) != 0) continue;
    *index = i;
    return MUSTER_OK;
  }
  return refuse(path, names, wanted, what, error);
}

muster_status mst_members_refuse_pattern(const char *path, const mst_names *names,
                                         const char *pattern, muster_error *error) {
  mst_str list = {0};
  add_names(&list, names);
  const muster_status status =
      mst_fail(error, MUSTER_ERR_NOT_FOUND, path,
               "nothing in it matches --dataset '%.100s'; there is %.350s", pattern,
               names->length > 0 ? mst_str_text(&list) : "nothing of numbers");
  mst_str_reset(&list);
  return status;
}

void mst_members_add_python(mst_str *out, const mst_python_shards *python) {
  if (python->member != NULL)
    mst_add_python_string(out, python->member);
  else
    mst_str_add(out, "member");
}
