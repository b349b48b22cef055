/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manifest_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"

muster_status mst_manifest_home(char **out, muster_error *error) {
  mst_str path = {0};
  const char *data = getenv("XDG_DATA_HOME");
  const char *home = getenv("HOME");
  *out = NULL;
  if (data != NULL && data[0] == '/') { /* others are to be ignored, says its specification */
    mst_str_add(&path, data);
  } else if (home != NULL && home[0] != '\0') {
    mst_str_addf(&path, "%s/.local/share", home);
  } else {
    return MUSTER_OK;
  }
  mst_str_add(&path, "/muster/api_support.txt");
  *out = mst_str_take(&path);
  return *out != NULL ? MUSTER_OK : mst_fail_memory(error);
}

/* What other people's folders hide, as in a container that runs for another user, is not there. */
static bool is_out_of_reach(muster_status status, const muster_error *error) {
  return status != MUSTER_OK && (error->errnum == EACCES || error->errnum == EPERM);
}

/* Takes the refreshed table in place of the carried one when it is as new. */
static muster_status prefer_refreshed(const char *path, mst_manifest *out, bool *is_taken,
                                      muster_error *error) {
  bool found = false;
  mst_manifest refreshed = {0};
  *is_taken = false;
  muster_status status = mst_io_find(path, &found, error);
  if (status == MUSTER_OK && found) status = mst_manifest_read(path, &refreshed, error);
  if (is_out_of_reach(status, error)) return MUSTER_OK;
  if (status == MUSTER_OK && found && strcmp(refreshed.fetched, out->fetched) >= 0) {
    const mst_manifest carried = *out;
    *out = refreshed;
    refreshed = carried;
    *is_taken = true;
  }
  mst_manifest_reset(&refreshed);
  return status;
}

/* With the carried table in *out. */
static muster_status look_at_home(mst_manifest *out, mst_manifest_origin *origin,
                                  muster_error *error) {
  char *home = NULL;
  bool is_taken = false;
  muster_error fault;
  muster_status status = mst_manifest_home(&home, error);
  if (status != MUSTER_OK || home == NULL) return status;
  status = prefer_refreshed(home, out, &is_taken, &fault);
  if (status != MUSTER_OK && status != MUSTER_ERR_MEMORY && origin != NULL) {
    origin->is_unusable = true;
    origin->unusable = fault;
    status = MUSTER_OK;
  }
  if (status != MUSTER_OK)
    (void)mst_fail_at(error, status, fault.path, fault.offset,
                      "%s; --manifest carried is the table within the program", fault.message);
  if (origin != NULL && (is_taken || origin->is_unusable))
    origin->path = home;
  else
    mst_free(home);
  return status;
}

static muster_status open_named(const char *file, mst_manifest *out, mst_manifest_origin *origin,
                                muster_error *error) {
  if (origin != NULL) {
    origin->path = mst_strdup(file);
    if (origin->path == NULL) return mst_fail_memory(error);
  }
  return mst_manifest_read(file, out, error);
}

muster_status mst_manifest_open(const char *file, mst_manifest *out, mst_manifest_origin *origin,
                                muster_error *error) {
  *out = (mst_manifest){0};
  if (origin != NULL) *origin = (mst_manifest_origin){0};
  if (file != NULL && strcmp(file, MST_CARRIED) != 0) return open_named(file, out, origin, error);
  muster_status status = mst_manifest_carried(out, error);
  if (status == MUSTER_OK && file == NULL) status = look_at_home(out, origin, error);
  if (status != MUSTER_OK) mst_manifest_reset(out);
  return status;
}

/* The folders above the file, as far as they are missing. */
static muster_status make_missing(char *path, muster_error *error) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    bool found = false;
    *slash = '\0';
    muster_status status = mst_io_find(path, &found, error);
    if (status == MUSTER_OK && !found) status = mst_io_make_folder(path, error);
    *slash = '/';
    if (status != MUSTER_OK) return status;
  }
  return MUSTER_OK;
}

muster_status mst_manifest_save(const mst_manifest *manifest, char *path, bool make_folders,
                                muster_error *error) {
  mst_str text = {0};
  mst_new_file file = {0};
  mst_manifest_write(manifest, &text);
  muster_status status = text.failed ? mst_fail_memory(error) : MUSTER_OK;
  if (status == MUSTER_OK && make_folders) status = make_missing(path, error);
  if (status == MUSTER_OK) status = mst_new_file_begin(&file, path, text.length, error);
  if (status == MUSTER_OK)
    status = mst_io_write(file.fd, file.temporary, 0, text.data, text.length, error);
  if (status == MUSTER_OK) status = mst_new_file_commit(&file, error);
  mst_new_file_reset(&file);
  mst_str_reset(&text);
  return status;
}

void mst_today(char out[11]) {
  const time_t now = time(NULL);
  struct tm day = {0};
  gmtime_r(&now, &day);
  if (strftime(out, 11, "%Y-%m-%d", &day) != 10) memcpy(out, "1970-01-01", 11);
}

void mst_cli_warn_age(mst_cli *cli, const mst_manifest *manifest, const char *today) {
  mst_str warning = {0};
  if (mst_manifest_add_age_warning(manifest, today, &warning) && !warning.failed)
    mst_cli_note(cli, mst_str_text(&warning));
  mst_str_reset(&warning);
}
