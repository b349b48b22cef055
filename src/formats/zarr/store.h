/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of Zarr: which hold arrays, which groups, and the arrays below a group. */
#ifndef MST_FORMATS_ZARR_STORE_H
#define MST_FORMATS_ZARR_STORE_H

#include "formats/zarr/array.h"

typedef enum mst_zarr_node {
  MST_ZARR_NO_NODE, /* no metadata of Zarr in this folder */
  MST_ZARR_GROUP,
  MST_ZARR_ARRAY
} mst_zarr_node;

/* What a folder is. Of an array *array is filled, if it is not NULL; *metadata becomes the path of
 * the file that says so (mst_free), if it is not NULL. */
muster_status mst_zarr_look(const char *folder, mst_zarr_node *node, mst_zarr_array *array,
                            char **metadata, muster_error *error);

/* Whether there is a metadata file in the folder. */
muster_status mst_zarr_owns_folder(const char *folder, bool *owns, muster_error *error);

/* The names of all arrays of numbers below a group, relative to it, in order of their bytes; none
 * for an array. Links are not followed. */
muster_status mst_zarr_list(const char *folder, mst_names *names, muster_error *error);

/* folder/name without a slash too many; NULL: no memory. */
char *mst_zarr_join(const char *folder, const char *name);

#endif
