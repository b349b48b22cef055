/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/manifest_file.h"

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

/* Takes the refreshed table in place of the carried one when it is as new. */
static muster_status prefer_refreshed(const char *path, mst_manifest *out, muster_error *error) {
  bool found = false;
  mst_manifest refreshed = {0};
  muster_status status = mst_io_find(path, &found, error);
  if (status != MUSTER_OK || !found) return status;
  status = mst_manifest_read(path, &refreshed, error);
  if (status == MUSTER_OK && strcmp(refreshed.fetched, out->fetched) >= 0) {
    const mst_manifest carried = *out;
    *out = refreshed;
    refreshed = carried;
  }
  mst_manifest_reset(&refreshed);
  return status;
}

muster_status mst_manifest_open(const char *file, mst_manifest *out, muster_error *error) {
  if (file != NULL && strcmp(file, MST_CARRIED) != 0) return mst_manifest_read(file, out, error);
  muster_status status = mst_manifest_carried(out, error);
  char *home = NULL;
  if (status == MUSTER_OK && file == NULL) status = mst_manifest_home(&home, error);
  if (status == MUSTER_OK && home != NULL) status = prefer_refreshed(home, out, error);
  mst_free(home);
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
  mst_str line = {0};
  if (cli->quiet || cli->json) return;
  mst_str warning = {0};
  if (mst_manifest_add_age_warning(manifest, today, &warning)) {
    mst_str_addf(&line, "muster: %snote:%s ", mst_term_style(&cli->err, MST_YELLOW),
                 mst_term_style(&cli->err, MST_PLAIN));
    mst_add_safe(&line, mst_str_text(&warning));
    if (!line.failed && !warning.failed) fprintf(cli->err.stream, "%s\n", mst_str_text(&line));
  }
  mst_str_reset(&warning);
  mst_str_reset(&line);
}
