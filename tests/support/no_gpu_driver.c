/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver without devices, built as libcuda.so.1: cuPyNumeric is linked with the driver's
 * library and does not start where that is missing. With this one it finds no GPU and runs on the
 * processors, on every machine alike. Only for tests: who has a driver must not be given this one.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NO_DEVICE = 100 };
enum { DRIVER_VERSION = 13000 };

typedef void any_function(void);

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetCount(int *count);
int cuGetErrorName(int error, const char **name);
int cuGetErrorString(int error, const char **text);
int cuMemFree_v2(unsigned long long pointer);
int cuMemFreeHost(void *pointer);
int cuGetProcAddress(const char *name, any_function **function, int version, uint64_t flags);
int cuGetProcAddress_v2(const char *name, any_function **function, int version, uint64_t flags,
                        int *found);

int cuInit(unsigned flags) {
  (void)flags;
  return CUDA_ERROR_NO_DEVICE;
}

int cuDriverGetVersion(int *version) {
  *version = DRIVER_VERSION;
  return CUDA_SUCCESS;
}

int cuDeviceGetCount(int *count) {
  *count = 0;
  return CUDA_SUCCESS;
}

int cuGetErrorName(int error, const char **name) {
  *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR_NO_DEVICE";
  return CUDA_SUCCESS;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == CUDA_SUCCESS ? "no error" : "no CUDA-capable device is detected";
  return CUDA_SUCCESS;
}

int cuMemFree_v2(unsigned long long pointer) {
  return pointer == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int cuMemFreeHost(void *pointer) {
  return pointer == NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static int no_device(void) { return CUDA_ERROR_NO_DEVICE; }

/* Callers look up hundreds of functions when they start, and call none of them before cuInit(). */
static any_function *look_up(const char *name) {
  static const struct {
    const char *name;
    any_function *function;
  } known[] = {
      {"cuInit", (any_function *)cuInit},
      {"cuDriverGetVersion", (any_function *)cuDriverGetVersion},
      {"cuDeviceGetCount", (any_function *)cuDeviceGetCount},
      {"cuGetErrorName", (any_function *)cuGetErrorName},
      {"cuGetErrorString", (any_function *)cuGetErrorString},
      {"cuMemFree", (any_function *)cuMemFree_v2},
      {"cuMemFreeHost", (any_function *)cuMemFreeHost},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i].name, name) == 0) {
      return known[i].function;
    }
  }
  return (any_function *)no_device;
}

int cuGetProcAddress(const char *name, any_function **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

int cuGetProcAddress_v2(const char *name, any_function **function, int version, uint64_t flags,
                        int *found) {
  (void)version;
  (void)flags;
  *function = look_up(name);
  /* The runtime looks this function up by its own name, to call it from then on. */
  if (strcmp(name, "cuGetProcAddress") == 0) {
    *function = (any_function *)cuGetProcAddress_v2;
  }
  if (found != NULL) {
    *found = 0; /* CU_GET_PROC_ADDRESS_SUCCESS */
  }
  return CUDA_SUCCESS;
}
