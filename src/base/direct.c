/* SPDX-License-Identifier: Apache-2.0 */
#include "base/direct.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"

/* Measured: from here on a read costs the disk more than asking for it. */
#define WINDOW_BYTES ((size_t)8 << 20)

struct mst_direct {
  int fd;       /* the caller's, through the page cache */
  int past;     /* past it */
  bool refused; /* the file system took the file, but not the read */
  bool unless_cached;
  const char *path;
  uint64_t end;
  /* what the window holds: [at, at + held) of the file */
  uint64_t at;
  size_t held;
  unsigned char *window; /* in huge pages: a disk takes few scattered pieces at once */
};

static bool is_same_file(int fd, int past, const char *path) {
  mst_stat ours, theirs;
  return mst_io_fstat(fd, path, &ours, NULL) == MUSTER_OK &&
         mst_io_fstat(past, path, &theirs, NULL) == MUSTER_OK && ours.inode == theirs.inode &&
         ours.device == theirs.device;
}

static mst_direct *new_window(void) {
  mst_direct *direct = mst_calloc(1, sizeof *direct);
  unsigned char *window = mst_pages_new(WINDOW_BYTES);
  if (direct != NULL && window != NULL) {
    *direct = (mst_direct){.past = -1, .window = window};
    return direct;
  }
  mst_pages_free(window, WINDOW_BYTES);
  mst_free(direct);
  return NULL;
}

bool mst_direct_begin(mst_direct **direct, int fd, const char *path, uint64_t begin, uint64_t end,
                      bool unless_cached) {
  if (end - begin < WINDOW_BYTES) return false;
  if (*direct == NULL) *direct = new_window();
  if (*direct == NULL) return false;
  const int past = mst_io_open_direct(path);
  if (past < 0 || !is_same_file(fd, past, path)) {
    mst_io_close(past);
    return false;
  }
  **direct = (mst_direct){.fd = fd,
                          .past = past,
                          .unless_cached = unless_cached,
                          .path = path,
                          .end = end,
                          .window = (*direct)->window};
  return true;
}

void mst_direct_end(mst_direct *direct) {
  if (direct == NULL) return;
  mst_io_close(direct->past);
  direct->past = -1;
}

void mst_direct_free(mst_direct *direct) {
  if (direct == NULL) return;
  mst_direct_end(direct);
  mst_pages_free(direct->window, WINDOW_BYTES);
  mst_free(direct);
}

/* The window from the offset on; *held is 0 where the file ends or such reads are refused. */
static muster_status fill(mst_direct *direct, uint64_t offset, muster_error *error) {
  direct->at = offset / MST_DIRECT_ALIGNMENT * MST_DIRECT_ALIGNMENT;
  direct->held = 0;
  const uint64_t left = direct->end - direct->at;
  const uint64_t whole =
      mst_ceil_divide(left, MST_DIRECT_ALIGNMENT) * (uint64_t)MST_DIRECT_ALIGNMENT;
  muster_error why = {0};
  const muster_status status =
      mst_io_read_aligned(direct->past, direct->path, direct->at, direct->window,
                          (size_t)mst_smaller(whole, WINDOW_BYTES), &direct->held, &why);
  direct->refused = status != MUSTER_OK && why.errnum == EINVAL;
  if (status == MUSTER_OK || direct->refused) return MUSTER_OK;
  if (error != NULL) *error = why;
  return status;
}

static size_t take(const mst_direct *direct, uint64_t offset, void *data, size_t length) {
  if (offset < direct->at || offset >= direct->at + direct->held) return 0;
  const size_t skipped = (size_t)(offset - direct->at);
  const size_t count = (size_t)mst_smaller(direct->held - skipped, length);
  memcpy(data, direct->window + skipped, count);
  return count;
}

static bool is_cached(const mst_direct *direct, uint64_t offset, size_t length) {
  return direct->unless_cached && mst_io_is_cached(direct->fd, offset) &&
         mst_io_is_cached(direct->fd, offset + length - 1);
}

muster_status mst_direct_read(mst_direct *direct, uint64_t offset, void *data, size_t length,
                              muster_error *error) {
  size_t done = take(direct, offset, data, length);
  while (done < length && !direct->refused && offset + done < direct->end &&
         !is_cached(direct, offset + done, length - done)) {
    const muster_status status = fill(direct, offset + done, error);
    if (status != MUSTER_OK) return status;
    const size_t more = take(direct, offset + done, (char *)data + done, length - done);
    if (more == 0) break;
    done += more;
  }
  if (done == length) return MUSTER_OK;
  /* What is in the cache, what is left when the way past it is barred, and the file's end. */
  return mst_io_read(direct->fd, direct->path, offset + done, (char *)data + done, length - done,
                     error);
}
