/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_cufile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cufile.h"
#include "support/fake_cuda.h"

enum { FILES = 64, ALIGNMENT = 4096 };

static struct {
  pthread_mutex_t lock;
  int files[FILES]; /* descriptor + 1; 0: free */
  uint64_t calls, fail_at, bytes;
  ssize_t code;
  int errnum;
  size_t most;
  bool started;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .most = SIZE_MAX};

#define CUFILE_FUNCTION(member, result, symbol, parameters) result symbol parameters;
#include "gpu/cufile.def"
#undef CUFILE_FUNCTION

static bool fails(void) {
  (void)pthread_mutex_lock(&fake.lock);
  const bool hit = ++fake.calls == fake.fail_at;
  (void)pthread_mutex_unlock(&fake.lock);
  return hit;
}

static mst_cufile_result result(int code) { return (mst_cufile_result){.code = code}; }

mst_cufile_result cuFileDriverOpen(void) {
  if (fails()) return result((int)fake.code);
  const bool again = fake.started;
  fake.started = true;
  return result(again ? MST_CUFILE_DRIVER_ALREADY_OPEN : MST_CUFILE_SUCCESS);
}

mst_cufile_result cuFileHandleRegister(mst_cufile_handle *handle,
                                       mst_cufile_descriptor *descriptor) {
  if (fails()) return result((int)fake.code);
  const int fd = descriptor->file.fd;
  if (descriptor->type != MST_CUFILE_OPAQUE_FD || descriptor->operations != NULL)
    fake_cuda_complain("cuFileHandleRegister: not a plain descriptor");
  if ((fcntl(fd, F_GETFL) & O_DIRECT) == 0)
    fake_cuda_complain("cuFileHandleRegister: not opened past the page cache");
  (void)pthread_mutex_lock(&fake.lock);
  int at = 0;
  while (fake.files[at] != 0)
    at++;
  fake.files[at] = fd + 1;
  *handle = &fake.files[at];
  (void)pthread_mutex_unlock(&fake.lock);
  return result(MST_CUFILE_SUCCESS);
}

void cuFileHandleDeregister(mst_cufile_handle handle) {
  (void)pthread_mutex_lock(&fake.lock);
  int *file = handle;
  if (*file == 0 || fcntl(*file - 1, F_GETFL) < 0)
    fake_cuda_complain("cuFileHandleDeregister: no such file, or closed before");
  *file = 0;
  (void)pthread_mutex_unlock(&fake.lock);
}

/* By whole pages, as O_DIRECT wants it. */
static ssize_t read_pages(int fd, char *out, size_t bytes, off_t offset) {
  const off_t begin = offset / ALIGNMENT * ALIGNMENT;
  const size_t skipped = (size_t)(offset - begin);
  const size_t length = (skipped + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *pages = aligned_alloc(ALIGNMENT, length);
  if (pages == NULL) return -1;
  const ssize_t got = pread(fd, pages, length, begin);
  const ssize_t wanted = got <= (ssize_t)skipped ? 0 : got - (ssize_t)skipped;
  const ssize_t count = wanted < (ssize_t)bytes ? wanted : (ssize_t)bytes;
  memcpy(out, pages + skipped, (size_t)count);
  free(pages);
  return got < 0 ? -1 : count;
}

ssize_t cuFileRead(mst_cufile_handle handle, void *memory, size_t bytes, off_t file_offset,
                   off_t memory_offset) {
  if (fails()) {
    errno = fake.errnum;
    return fake.code;
  }
  const size_t count = bytes < fake.most ? bytes : fake.most;
  char *out = fake_cuda_memory((uint64_t)(uintptr_t)memory + (uint64_t)memory_offset, count);
  if (out == NULL) {
    fake_cuda_complain("cuFileRead: not into memory of the current context");
    return -1;
  }
  const ssize_t got = read_pages(*(int *)handle - 1, out, count, file_offset);
  (void)pthread_mutex_lock(&fake.lock);
  if (got > 0) fake.bytes += (uint64_t)got;
  (void)pthread_mutex_unlock(&fake.lock);
  return got;
}

void fake_cufile_reset(void) {
  memset(fake.files, 0, sizeof fake.files);
  fake.calls = fake.fail_at = fake.bytes = 0;
  fake.most = SIZE_MAX;
  fake.started = false;
}

void fake_cufile_arm(uint64_t at, ssize_t code, int errnum) {
  fake.calls = 0;
  fake.fail_at = at;
  fake.code = code;
  fake.errnum = errnum;
}

void fake_cufile_set_most(size_t bytes) { fake.most = bytes; }
uint64_t fake_cufile_calls(void) { return fake.calls; }
uint64_t fake_cufile_bytes(void) { return fake.bytes; }

int fake_cufile_alive(void) {
  int alive = 0;
  for (int i = 0; i < FILES; i++)
    alive += fake.files[i] != 0;
  return alive;
}
