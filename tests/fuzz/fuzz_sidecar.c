/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the sidecar of raw files. */
#include <string.h>

#include "formats/sidecar.h"
#include "fuzz.h"

__extension__ typedef unsigned __int128 wide;

static void check_shape(const mst_sidecar *sidecar) {
  ALWAYS(sidecar->rank < MUSTER_MAX_RANK);
  wide bytes = muster_type_size(sidecar->dtype.type);
  ALWAYS(bytes > 0);
  for (size_t i = 0; i < sidecar->rank; i++) {
    bytes *= sidecar->trailing[i] > 0 ? sidecar->trailing[i] : 1;
    ALWAYS(bytes <= INT64_MAX);
  }
  ALWAYS(sidecar->header_bytes <= INT64_MAX);
}

/* Names stay within the folder, and each is found with its rows. */
static void check_files(const mst_sidecar *sidecar) {
  uint64_t rows;
  ALWAYS(sidecar->has_rows == (sidecar->rows != NULL));
  ALWAYS(sidecar->files == NULL || sidecar->files_count == sidecar->rows_count);
  for (size_t i = 0; i < sidecar->files_count; i++) {
    const char *name = sidecar->files[i];
    ALWAYS(name[0] != '\0' && strchr(name, '/') == NULL);
    ALWAYS(strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
    ALWAYS(mst_sidecar_rows(sidecar, i, name, &rows) && rows == sidecar->rows[i]);
  }
  for (size_t i = 0; sidecar->files == NULL && i < sidecar->rows_count; i++)
    ALWAYS(mst_sidecar_rows(sidecar, i, "x", &rows) && rows == sidecar->rows[i]);
  ALWAYS(!mst_sidecar_rows(sidecar, sidecar->rows_count, "/", &rows));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mst_sidecar sidecar;
  muster_error error = {.offset = -1};
  const muster_status status =
      mst_sidecar_parse("shard_meta.json", (const char *)data, size, &sidecar, &error);
  if (status == MUSTER_OK) {
    check_shape(&sidecar);
    check_files(&sidecar);
  } else {
    check_error(status, &error, size);
  }
  mst_sidecar_reset(&sidecar);
  mst_sidecar_reset(&sidecar);
  return 0;
}
