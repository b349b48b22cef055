/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cuda.h"

#include <dlfcn.h>
#include <string.h>

#include "base/status.h"

static const struct {
  const char *symbol;
  size_t offset; /* of the member */
} functions[] = {
#define CUDA_FUNCTION(member, symbol, parameters) {#symbol, offsetof(mst_cuda, member)},
#include "gpu/cuda.def"
#undef CUDA_FUNCTION
};

/* The first function that the library lacks, NULL: it has all. */
static const char *resolve(mst_cuda *cuda) {
  const char *missing = NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *const found = dlsym(cuda->library, functions[i].symbol);
    memcpy((char *)cuda + functions[i].offset, &found, sizeof found);
    if (found == NULL && missing == NULL) missing = functions[i].symbol;
  }
  return missing;
}

static const char *name_of(const mst_cuda *cuda, mst_cu_result code) {
  const char *name = NULL;
  if (cuda->error_name == NULL || cuda->error_name(code, &name) != MST_CU_SUCCESS || name == NULL)
    return "an unknown error";
  return name;
}

static const char *text_of(const mst_cuda *cuda, mst_cu_result code) {
  const char *text = NULL;
  if (cuda->error_text == NULL || cuda->error_text(code, &text) != MST_CU_SUCCESS || text == NULL)
    return "no description";
  return text;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static muster_status start(const mst_cuda *cuda, muster_error *error) {
  const mst_cu_result code = cuda->init(0);
  if (code != MST_CU_SUCCESS)
    return mst_fail(
        error, MUSTER_ERR_UNSUPPORTED, NULL,
        "no GPU can be used: cuInit: %s (%s): load into host memory, or mend the driver",
        name_of(cuda, code), text_of(cuda, code));
  int count = 0;
  if (cuda->device_count(&count) == MST_CU_SUCCESS && count > 0) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                  "the CUDA driver sees no GPU: load into host memory, or make one visible to this "
                  "process");
}

muster_status mst_cuda_open(mst_cuda *cuda, const char *library, muster_error *error) {
  *cuda = (mst_cuda){0};
  /* The driver may leave threads running: it is never unmapped. */
  cuda->library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (cuda->library == NULL)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                    "no CUDA driver: %s: install it, or load into host memory", dlerror());
  const char *missing = resolve(cuda);
  /* A driver without a device is told as such, whatever else it lacks. */
  if (cuda->init != NULL && cuda->device_count != NULL) {
    const muster_status status = start(cuda, error);
    if (status != MUSTER_OK) return status;
  }
  if (missing == NULL) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, NULL,
                  "the CUDA driver %s has no %s: install a newer one, or load into host memory",
                  library, missing);
}

void mst_cuda_close(mst_cuda *cuda) {
  if (cuda->library != NULL) (void)dlclose(cuda->library);
  *cuda = (mst_cuda){0};
}

/* ---- errors ------------------------------------------------------------------------------------ */

typedef struct mst_advice {
  mst_cu_result code;
  muster_status status;
  const char *text;
} mst_advice;

static const mst_advice advices[] = {
    {MST_CU_INVALID_VALUE, MUSTER_ERR_USAGE,
     "the destination must be memory of the current context that holds all rows by its strides"},
    {MST_CU_OUT_OF_MEMORY, MUSTER_ERR_MEMORY,
     "each call under way pins 16 MiB of host memory: make fewer at once"},
    {MST_CU_INVALID_CONTEXT, MUSTER_ERR_USAGE, "make a live context current on this thread"},
    {MST_CU_CONTEXT_IS_DESTROYED, MUSTER_ERR_USAGE, "make a live context current on this thread"},
    {MST_CU_INVALID_HANDLE, MUSTER_ERR_USAGE, "the stream must be one of the current context"},
    {MST_CU_STREAM_CAPTURE_UNSUPPORTED, MUSTER_ERR_USAGE, "the stream must not be capturing"},
    {MST_CU_ILLEGAL_ADDRESS, MUSTER_ERR_IO,
     "this or earlier work touched memory that is not there: start the process again"},
    {MST_CU_LAUNCH_FAILED, MUSTER_ERR_IO,
     "earlier work on the GPU crashed: start the process again"},
};

static const mst_advice otherwise = {
    0, MUSTER_ERR_IO, "the driver has more about it in the system's log (dmesg, nvidia-smi -q)"};

muster_status mst_cuda_check(const mst_cuda *cuda, mst_cu_result code, const char *call,
                             muster_error *error) {
  if (code == MST_CU_SUCCESS) return MUSTER_OK;
  const mst_advice *advice = &otherwise;
  for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
    if (advices[i].code == code) advice = &advices[i];
  return mst_fail(error, advice->status, NULL, "%s: %s (%s): %s", call, name_of(cuda, code),
                  text_of(cuda, code), advice->text);
}
