/* SPDX-License-Identifier: Apache-2.0 */
/* Making an array of Zarr 3. */
#ifndef MST_FORMATS_ZARR_WRITE_H
#define MST_FORMATS_ZARR_WRITE_H

#include "formats/format.h"

/* As mst_format.write: a folder with zarr.json and the chunks, which are whole rows, not
 * compressed.
 */
muster_status mst_zarr_write(const mst_new_shard *shard, muster_error *error);

#endif
