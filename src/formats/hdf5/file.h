/* SPDX-License-Identifier: Apache-2.0 */
/* A file that the HDF5 library has open, and what is in it. All of it under the library's lock. */
#ifndef MST_FORMATS_HDF5_FILE_H
#define MST_FORMATS_HDF5_FILE_H

#include "formats/hdf5/driver.h"

typedef struct mst_h5_file {
  const mst_h5 *library;
  mst_h5_access access;
  mst_h5_id file;
  mst_h5_id access_list;  /* to open more files with */
  mst_h5_id dataset_list; /* to open datasets with */
} mst_h5_file;

/* The access says which file. The structure must not be moved while it is open. */
muster_status mst_h5_file_open(mst_h5_file *file, const mst_h5 *library,
                               const mst_h5_access *access, muster_error *error);
/* Makes a new one over an empty file. */
muster_status mst_h5_file_create(mst_h5_file *file, const mst_h5 *library,
                                 const mst_h5_access *access, muster_error *error);
/* Also one that failed to open. False: what was to be written at the end could not be. */
bool mst_h5_file_close(mst_h5_file *file);

/* What a callback met with, else what the library says; `what` as in mst_h5_fail. */
muster_status mst_h5_file_fail(const mst_h5_file *file, const char *what, muster_error *error);

muster_status mst_h5_dataset_open(mst_h5_file *file, const char *name, mst_h5_id *dataset,
                                  muster_error *error);

typedef enum mst_h5_choice {
  MST_H5_ALL_DATASETS,
  MST_H5_NUMBERS,
  MST_H5_VARIABLES /* those numbers that are no coordinates (dimension scales) */
} mst_h5_choice;

/* The paths of datasets, each once, ordered by name within each group. */
muster_status mst_h5_list(mst_h5_file *file, mst_h5_choice choice, mst_names *names,
                          muster_error *error);

/* Whether the object has an attribute of one string that reads so. */
bool mst_h5_has_text(const mst_h5 *library, mst_h5_id object, const char *attribute,
                     const char *text);

/* The folder of a path, with its slash; "" when it has none. NULL: no memory. */
char *mst_h5_folder(const char *path);

#endif
