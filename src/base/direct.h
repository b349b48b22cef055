/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a part of a file from front to back past the page cache. Such reads want aligned
 * offsets, lengths and addresses, so they go to a window of memory, out of which pieces are copied.
 * One thread.
 */
#ifndef MST_BASE_DIRECT_H
#define MST_BASE_DIRECT_H

#include "base/io.h"

typedef struct mst_direct mst_direct;

/*
 * For reading [begin, end) of the file that is open as fd, at path. *direct keeps its window from
 * file to file; NULL at first. unless_cached: what the page cache holds is taken from there. False:
 * the file system cannot, or there is no memory, or another file stands at the path by now; read as
 * usual then. fd stays the caller's, and open until mst_direct_end.
 */
bool mst_direct_begin(mst_direct **direct, int fd, const char *path, uint64_t begin, uint64_t end,
                      bool unless_cached);
/* Done with the file; NULL is allowed. */
void mst_direct_end(mst_direct *direct);
void mst_direct_free(mst_direct *direct);

/* As mst_io_read, with which it shares its errors. */
muster_status mst_direct_read(mst_direct *direct, uint64_t offset, void *data, size_t length,
                              muster_error *error);

#endif
