/* SPDX-License-Identifier: Apache-2.0 */
#include "load/output.h"

#include <string.h>

#include "base/status.h"
#include "formats/sidecar.h"
#include "load/record.h"

static bool is_description(const char *name) {
  for (size_t i = 0; mst_sidecar_names[i] != NULL; i++)
    if (strcmp(name, mst_sidecar_names[i]) == 0) return true;
  return strcmp(name, MST_WRITE_RECORD) == 0;
}

muster_status mst_check_output(const muster_dataset *dataset, const char *output,
                               muster_error *error) {
  mst_stat info;
  const muster_status status = mst_io_stat(output, &info, error);
  if (status == MUSTER_ERR_NOT_FOUND) return MUSTER_OK;
  if (status != MUSTER_OK) return status;
  if (is_description(mst_base_name(output)))
    return mst_fail(error, MUSTER_ERR_USAGE, output,
                    "describes a dataset and is not replaced; write elsewhere");
  for (size_t i = 0; i < dataset->shard_count; i++) {
    const mst_stat *shard = &dataset->shards[i].stat;
    if (shard->inode == info.inode && shard->device == info.device)
      return mst_fail(error, MUSTER_ERR_USAGE, output, "is one of the shards; write elsewhere");
  }
  return MUSTER_OK;
}
