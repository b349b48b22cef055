/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled, never run, where the headers of HDF5 1.10 are: what src/formats/hdf5 declares of the
 * library is what they declare. Each function of library.def is assigned to a pointer of its
 * parameters, spelt with the real types; sizes, offsets and numbers are compared with ours.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <hdf5.h>

#include "formats/hdf5/library.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_FIELD(ours, mine, theirs, field)                                   \
  _Static_assert(offsetof(ours, mine) == offsetof(theirs, field) &&             \
                     sizeof(((ours *)0)->mine) == sizeof(((theirs *)0)->field), \
                 #field)
#define SAME_NUMBER(mine, theirs) \
  _Static_assert((unsigned long long)(mine) == (unsigned long long)(theirs), #theirs)

_Static_assert(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 10, "the headers are of another version");

SAME_SIZE(mst_h5_id, hid_t);
SAME_SIZE(mst_h5_result, herr_t);
SAME_SIZE(mst_h5_result, htri_t);
SAME_SIZE(mst_h5_enum, H5T_class_t);
SAME_SIZE(mst_h5_size, hsize_t);
SAME_SIZE(mst_h5_address, haddr_t);
SAME_SIZE(bool, hbool_t);
SAME_SIZE(int64_t, off_t);

SAME_SIZE(mst_h5_error, H5E_error2_t);
SAME_FIELD(mst_h5_error, text, H5E_error2_t, desc);
SAME_SIZE(mst_h5_link, H5L_info_t);
SAME_FIELD(mst_h5_link, kind, H5L_info_t, type);
SAME_FIELD(mst_h5_link, address, H5L_info_t, u.address);
SAME_SIZE(mst_h5_variable, hvl_t);
SAME_FIELD(mst_h5_variable, data, hvl_t, p);

SAME_SIZE(mst_h5_driver_file, H5FD_t);
#define FILE_FIELD(mine, field) SAME_FIELD(mst_h5_driver_file, mine, H5FD_t, field)
FILE_FIELD(driver, driver_id);
FILE_FIELD(kind, cls);
FILE_FIELD(number, fileno);
FILE_FIELD(flags, access_flags);
FILE_FIELD(features, feature_flags);
FILE_FIELD(most, maxaddr);
FILE_FIELD(base, base_addr);
FILE_FIELD(threshold, threshold);
FILE_FIELD(alignment, alignment);
FILE_FIELD(in_pages, paged_aggr);

SAME_SIZE(mst_h5_driver, H5FD_class_t);
#define DRIVER_FIELD(mine, field) SAME_FIELD(mst_h5_driver, mine, H5FD_class_t, field)
DRIVER_FIELD(head.name, name);
DRIVER_FIELD(head.most, maxaddr);
DRIVER_FIELD(head.close_degree, fc_degree);
DRIVER_FIELD(head.info_size, fapl_size);
DRIVER_FIELD(head.info_get, fapl_get);
DRIVER_FIELD(head.info_copy, fapl_copy);
DRIVER_FIELD(head.info_free, fapl_free);
DRIVER_FIELD(head.open, open);
DRIVER_FIELD(head.close, close);
DRIVER_FIELD(head.compare, cmp);
DRIVER_FIELD(head.query, query);
DRIVER_FIELD(head.get_end, get_eoa);
DRIVER_FIELD(head.set_end, set_eoa);
DRIVER_FIELD(head.file_end, get_eof);
DRIVER_FIELD(head.read, read);
DRIVER_FIELD(head.write, write);
DRIVER_FIELD(tail.truncate, truncate);
DRIVER_FIELD(tail.lock, lock);
DRIVER_FIELD(tail.unlock, unlock);
DRIVER_FIELD(map, fl_map);

SAME_NUMBER(MST_H5_UNLIMITED, H5S_UNLIMITED);
SAME_NUMBER(MST_H5_NO_ADDRESS, HADDR_UNDEF);
SAME_NUMBER(MST_H5_MAX_RANK, H5S_MAX_RANK);
SAME_NUMBER(MST_H5_CLOSE_STRONG, H5F_CLOSE_STRONG);
SAME_NUMBER(MST_H5_COMPACT, H5D_COMPACT);
SAME_NUMBER(MST_H5_CONTIGUOUS, H5D_CONTIGUOUS);
SAME_NUMBER(MST_H5_CHUNKED, H5D_CHUNKED);
SAME_NUMBER(MST_H5_VIRTUAL, H5D_VIRTUAL);
SAME_NUMBER(MST_H5_PARTIAL_UNFILTERED, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
SAME_NUMBER(MST_H5_ALLOC_EARLY, H5D_ALLOC_TIME_EARLY);
SAME_NUMBER(MST_H5_FILL_NEVER, H5D_FILL_TIME_NEVER);
SAME_NUMBER(MST_H5_FILL_UNDEFINED, H5D_FILL_VALUE_UNDEFINED);
SAME_NUMBER(MST_H5_SCALAR, H5S_SCALAR);
SAME_NUMBER(MST_H5_SIMPLE, H5S_SIMPLE);
SAME_NUMBER(MST_H5_NULL, H5S_NULL);
SAME_NUMBER(MST_H5_SELECT_SET, H5S_SELECT_SET);
SAME_NUMBER(MST_H5_LITTLE, H5T_ORDER_LE);
SAME_NUMBER(MST_H5_BIG, H5T_ORDER_BE);
SAME_NUMBER(MST_H5_UNSIGNED, H5T_SGN_NONE);
SAME_NUMBER(MST_H5_NORM_IMPLIED, H5T_NORM_IMPLIED);
SAME_NUMBER(MST_H5_ASCENDING, H5T_DIR_ASCEND);
SAME_NUMBER(MST_H5_BY_NAME, H5_INDEX_NAME);
SAME_NUMBER(MST_H5_INCREASING, H5_ITER_INC);
SAME_NUMBER(MST_H5_HARD_LINK, H5L_TYPE_HARD);
SAME_NUMBER(MST_H5_IS_GROUP, H5I_GROUP);
SAME_NUMBER(MST_H5_IS_DATASET, H5I_DATASET);
SAME_NUMBER(MST_H5_INTEGER, H5T_INTEGER);
SAME_NUMBER(MST_H5_FLOAT, H5T_FLOAT);
SAME_NUMBER(MST_H5_TIME, H5T_TIME);
SAME_NUMBER(MST_H5_STRING, H5T_STRING);
SAME_NUMBER(MST_H5_BITS, H5T_BITFIELD);
SAME_NUMBER(MST_H5_OPAQUE, H5T_OPAQUE);
SAME_NUMBER(MST_H5_COMPOUND, H5T_COMPOUND);
SAME_NUMBER(MST_H5_REFERENCE, H5T_REFERENCE);
SAME_NUMBER(MST_H5_ENUMERATED, H5T_ENUM);
SAME_NUMBER(MST_H5_VARIABLE, H5T_VLEN);
SAME_NUMBER(MST_H5_ARRAY, H5T_ARRAY);
SAME_NUMBER(MST_H5_MEMORY_KINDS, H5FD_MEM_NTYPES);
SAME_NUMBER(MST_H5_RAW_DATA, H5FD_MEM_DRAW);
SAME_NUMBER(MST_H5_ACCUMULATES, H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA);

/* The compiler complains of a cast when number, width or kind of the parameters differ. */
#define HDF5_FUNCTION(result, member, symbol, parameters) \
  result(*declared_##member(void)) parameters;            \
  result(*declared_##member(void)) parameters { return (result(*) parameters)symbol; }
#define HDF5_VARIABLE(member, symbol)   \
  const hid_t *variable_##member(void); \
  const hid_t *variable_##member(void) { return &symbol; }
#include "formats/hdf5/library.def"
