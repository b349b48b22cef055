/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cufile.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"

/* What cuFile itself takes at once unless configured otherwise (max_direct_io_size_kb). */
#define PIECE_BYTES ((uint64_t)16 << 20)

typedef struct mst_cufile_functions {
/* A declarator takes no more parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define CUFILE_FUNCTION(member, result, symbol, parameters) result(*member) parameters;
#include "gpu/cufile.def"
#undef CUFILE_FUNCTION
} mst_cufile_functions;

struct mst_cufile {
  void *library;
  mst_cufile_functions call;
  pthread_mutex_t lock; /* of what follows */
  bool tried, started;
};

static const struct {
  const char *symbol;
  size_t offset; /* of the member */
} functions[] = {
#define CUFILE_FUNCTION(member, result, symbol, parameters) \
  {#symbol, offsetof(mst_cufile_functions, member)},
#include "gpu/cufile.def"
#undef CUFILE_FUNCTION
};

static bool resolve(mst_cufile *cufile) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *const found = dlsym(cufile->library, functions[i].symbol);
    if (found == NULL) return false;
    memcpy((char *)&cufile->call + functions[i].offset, &found, sizeof found);
  }
  return true;
}

mst_cufile *mst_cufile_open(const char *library) {
  mst_cufile *cufile = mst_calloc(1, sizeof *cufile);
  if (cufile == NULL) return NULL;
  (void)pthread_mutex_init(&cufile->lock, NULL);
  cufile->library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (cufile->library != NULL && resolve(cufile)) return cufile;
  mst_cufile_close(cufile);
  return NULL;
}

void mst_cufile_close(mst_cufile *cufile) {
  if (cufile == NULL) return;
  if (cufile->library != NULL) (void)dlclose(cufile->library);
  (void)pthread_mutex_destroy(&cufile->lock);
  mst_free(cufile);
}

/* Once, at the first read: only then is a context sure to be current. */
static bool start(mst_cufile *cufile) {
  (void)pthread_mutex_lock(&cufile->lock);
  if (!cufile->tried) {
    const int code = cufile->call.driver_open().code;
    cufile->started = code == MST_CUFILE_SUCCESS || code == MST_CUFILE_DRIVER_ALREADY_OPEN;
    cufile->tried = true;
  }
  const bool started = cufile->started;
  (void)pthread_mutex_unlock(&cufile->lock);
  return started;
}

/* ---- one file ---------------------------------------------------------------------------------- */

/* Past the page cache, as cuFile wants it; -1: not to be had. */
static int open_past_cache(const mst_open_shard *open) {
  const mst_shard *shard = open->shard;
  const int fd = mst_io_open_direct(shard->path);
  mst_stat now;
  if (fd < 0) return -1;
  if (mst_io_fstat(fd, shard->path, &now, NULL) == MUSTER_OK && now.inode == shard->stat.inode &&
      now.device == shard->stat.device)
    return fd;
  mst_io_close(fd);
  return -1;
}

static muster_status fail_read(const char *path, uint64_t offset, ssize_t got, int errnum,
                               uint64_t left, muster_error *error) {
  const muster_offset at = (muster_offset)offset;
  if (got == 0)
    return mst_fail_at(error, MUSTER_ERR_CHANGED, path, at,
                       "the file ends here, %llu bytes early: it was cut while it was being read",
                       (unsigned long long)left);
  if (got == -1) return mst_fail_errno(error, path, at, errnum, "read into GPU memory");
  return mst_fail_at(error, MUSTER_ERR_IO, path, at,
                     "cannot read into GPU memory: cuFileRead: error %lld of cuFile: read without "
                     "direct_storage, and see cufile.log",
                     (long long)-got);
}

static muster_status read_pieces(const mst_cufile *cufile, mst_cufile_handle handle,
                                 const char *path, uint64_t offset, mst_cu_address to,
                                 uint64_t length, bool *refused, muster_error *error) {
  void *memory;
  memcpy(&memory, &to, sizeof memory);
  for (uint64_t done = 0; done < length;) {
    const size_t piece = (size_t)mst_smaller(length - done, PIECE_BYTES);
    errno = 0;
    const ssize_t got =
        cufile->call.read(handle, memory, piece, (off_t)(offset + done), (off_t)done);
    const int errnum = errno;
    if (got == -1 && errnum == EINTR) continue;
    if (got <= 0 || (size_t)got > piece) {
      *refused = done == 0;
      if (*refused) return MUSTER_OK;
      return fail_read(path, offset + done, got, errnum, length - done, error);
    }
    done += (uint64_t)got;
  }
  return MUSTER_OK;
}

muster_status mst_cufile_read(mst_cufile *cufile, const mst_open_shard *open, uint64_t offset,
                              mst_cu_address to, uint64_t length, bool *refused,
                              muster_error *error) {
  *refused = true;
  if (!start(cufile)) return MUSTER_OK;
  const int fd = open_past_cache(open);
  if (fd < 0) return MUSTER_OK;
  mst_cufile_descriptor descriptor = {.type = MST_CUFILE_OPAQUE_FD, .file.fd = fd};
  mst_cufile_handle handle;
  muster_status status = MUSTER_OK;
  if (cufile->call.add_file(&handle, &descriptor).code == MST_CUFILE_SUCCESS) {
    *refused = false;
    status = read_pieces(cufile, handle, open->shard->path, offset, to, length, refused, error);
    cufile->call.remove_file(handle);
  }
  mst_io_close(fd);
  return status;
}
