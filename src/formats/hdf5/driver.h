/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the HDF5 library gets at files: by base/io.h, like the rest of muster. So it takes no locks,
 * opens nothing that it may not, and can be asked where raw data lie instead of reading them.
 */
#ifndef MST_FORMATS_HDF5_DRIVER_H
#define MST_FORMATS_HDF5_DRIVER_H

#include "base/io.h"
#include "formats/hdf5/library.h"

/* One opening of a file, for as long as the library has it open. */
typedef struct mst_h5_access {
  const char *path;
  int fd;               /* borrowed */
  uint64_t size;        /* when it was opened */
  bool follow_external; /* it may refer to files outside its folder */
  bool is_new;          /* it is being written */
  bool only_notes;      /* raw data are not read; where they lie is noted */
  bool has_note;
  uint64_t noted_offset;
  uint64_t noted_length;
  bool missed;    /* another file was looked for and not opened */
  bool has_fault; /* what a callback met with, which the library knows nothing of */
  muster_error fault;
} mst_h5_access;

extern const mst_h5_driver mst_h5_reading;
extern const mst_h5_driver_1_14 mst_h5_reading_1_14;

/* Whether a file that another refers to lies in the folder of that one, or below it. */
bool mst_h5_is_inside(const char *path, const char *other);

#endif
