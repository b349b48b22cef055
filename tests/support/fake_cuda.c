/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_cuda.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_queue.h"

enum { CONTEXTS = 4, OBJECTS = 256 };
enum { NO_DEVICE = 100 };
/* Beyond what a process can address: who takes one for an address of the host crashes. */
#define DEVICE_BASE ((uint64_t)1 << 60)
#define DEVICE_STEP ((uint64_t)1 << 40)

typedef enum { CONTEXT, DEVICE_MEMORY, PINNED, STREAM, EVENT, KINDS } object_kind;

typedef struct {
  bool alive;
  bool tests; /* the test's own: not counted */
  int context;
  char *memory; /* DEVICE_MEMORY: where it really is */
  size_t bytes;
  int stream;      /* EVENT: where it was recorded; -1: nowhere */
  uint64_t ticket; /* EVENT: of the last copy before */
} object;

static struct {
  pthread_mutex_t lock;
  object objects[KINDS][OBJECTS];
  fake_queue queue;
  uint64_t calls, fail_at;
  int fail_code, devices, pushed;
  bool fail_for_good, started;
  const char *failed;
  char problem[256];
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .devices = 1};

static _Thread_local int current = -1;
static _Thread_local int below[8];
static _Thread_local int depth;

static void lock(void) { (void)pthread_mutex_lock(&fake.lock); }
static void unlock(void) { (void)pthread_mutex_unlock(&fake.lock); }

__attribute__((format(printf, 1, 0))) static void complain(const char *format, va_list args) {
  if (fake.problem[0] == '\0') vsnprintf(fake.problem, sizeof fake.problem, format, args);
}

/* With the lock held. */
__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...) {
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
}

void fake_cuda_complain(const char *format, ...) {
  va_list args;
  va_start(args, format);
  lock();
  complain(format, args);
  unlock();
  va_end(args);
}

/* ---- objects ----------------------------------------------------------------------------------- */

/* Handles are addresses of the table's entries. */
static void *handle_of(object_kind kind, int index) { return &fake.objects[kind][index]; }

static int index_of(object_kind kind, const void *handle) {
  for (int i = 0; i < OBJECTS; i++)
    if (&fake.objects[kind][i] == handle && fake.objects[kind][i].alive) return i;
  return -1;
}

static int new_object(object_kind kind, bool tests) {
  for (int i = 0; i < OBJECTS; i++) {
    object *o = &fake.objects[kind][i];
    if (o->alive) continue;
    *o = (object){.alive = true, .tests = tests, .context = current, .stream = -1};
    return i;
  }
  abort();
}

/* An object that must be alive and of the current context. */
static object *object_of(object_kind kind, const void *handle, const char *call) {
  const int index = index_of(kind, handle);
  if (index < 0) {
    wrong("%s: no such object, or not any more", call);
    return NULL;
  }
  object *o = &fake.objects[kind][index];
  if (o->context != current) wrong("%s: an object of another context", call);
  return o;
}

/* ---- failing ----------------------------------------------------------------------------------- */

/* Takes the lock. The code to fail with, or 0. */
static int enter(const char *call, bool needs_context) {
  lock();
  if (!fake.started && strcmp(call, "cuInit") != 0) wrong("%s before cuInit", call);
  if (needs_context && current < 0) wrong("%s: no context is current", call);
  fake.calls++;
  const bool hit = fake.fail_at > 0 &&
                   (fake.fail_for_good ? fake.calls >= fake.fail_at : fake.calls == fake.fail_at);
  if (hit && fake.failed == NULL) fake.failed = call;
  return hit ? fake.fail_code : 0;
}

static int leave(int code) {
  unlock();
  return code;
}

/* ---- copies ------------------------------------------------------------------------------------ */

static void run_until(int stream, uint64_t ticket) {
  if (!fake_queue_run(&fake.queue, stream, ticket))
    wrong("pinned memory was written to while a copy of it was under way");
}

/* Device memory of that address; NULL when not all of it is within one allocation. */
static char *device_memory(uint64_t address, size_t bytes) {
  const uint64_t index = (address - DEVICE_BASE) / DEVICE_STEP;
  if (address < DEVICE_BASE || index >= OBJECTS) return NULL;
  const object *o = &fake.objects[DEVICE_MEMORY][index];
  const uint64_t offset = (address - DEVICE_BASE) % DEVICE_STEP;
  if (!o->alive || o->context != current || bytes > o->bytes || offset > o->bytes - bytes)
    return NULL;
  return o->memory + offset;
}

static bool is_pinned(const char *from, size_t bytes) {
  for (int i = 0; i < OBJECTS; i++) {
    const object *o = &fake.objects[PINNED][i];
    if (o->alive && o->context == current && from >= o->memory && bytes <= o->bytes &&
        from <= o->memory + o->bytes - bytes)
      return true;
  }
  return false;
}

/* Checks a copy and puts it into the stream. */
static int copy(const char *call, fake_job made, uint64_t to, mst_cu_stream stream) {
  const object *s = object_of(STREAM, stream, call);
  const size_t from_bytes = (made.height - 1) * made.from_pitch + made.width;
  if (s == NULL) return MST_CU_INVALID_HANDLE;
  if (made.width == 0 || made.height == 0) wrong("%s: nothing to copy", call);
  if (!is_pinned(made.from, from_bytes)) {
    wrong("%s: not from pinned memory", call);
    return MST_CU_INVALID_VALUE;
  }
  made.to = device_memory(to, (made.height - 1) * made.to_pitch + made.width);
  if (made.to == NULL) return MST_CU_INVALID_VALUE;
  made.stream = index_of(STREAM, stream);
  fake_queue_add(&fake.queue, &made);
  return MST_CU_SUCCESS;
}

/* ---- what the driver exports ------------------------------------------------------------------- */

#define CUDA_FUNCTION(member, symbol, parameters) mst_cu_result symbol parameters;
#include "gpu/cuda.def"
#undef CUDA_FUNCTION

mst_cu_result cuInit(unsigned flags) {
  const int code = enter("cuInit", false);
  if (code != 0) return leave(code);
  if (flags != 0) wrong("cuInit: flags");
  fake.started = fake.devices > 0;
  return leave(fake.devices > 0 ? MST_CU_SUCCESS : NO_DEVICE);
}

mst_cu_result cuGetErrorName(mst_cu_result code, const char **name) {
  switch (code) {
  case MST_CU_INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; break;
  case MST_CU_OUT_OF_MEMORY: *name = "CUDA_ERROR_OUT_OF_MEMORY"; break;
  case NO_DEVICE: *name = "CUDA_ERROR_NO_DEVICE"; break;
  case MST_CU_INVALID_HANDLE: *name = "CUDA_ERROR_INVALID_HANDLE"; break;
  case MST_CU_ILLEGAL_ADDRESS: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
  case 999: *name = "CUDA_ERROR_UNKNOWN"; break;
  default: *name = NULL; return MST_CU_INVALID_VALUE;
  }
  return MST_CU_SUCCESS;
}

mst_cu_result cuGetErrorString(mst_cu_result code, const char **text) {
  *text = code == MST_CU_OUT_OF_MEMORY ? "out of memory" : "the fake driver's words";
  return MST_CU_SUCCESS;
}

mst_cu_result cuDeviceGetCount(int *count) {
  const int code = enter("cuDeviceGetCount", false);
  if (code == 0) *count = fake.devices;
  return leave(code);
}

mst_cu_result cuCtxGetCurrent(mst_cu_context *context) {
  const int code = enter("cuCtxGetCurrent", false);
  if (code == 0) *context = current < 0 ? NULL : handle_of(CONTEXT, current);
  return leave(code);
}

mst_cu_result cuCtxPushCurrent_v2(mst_cu_context context) {
  const int code = enter("cuCtxPushCurrent", false);
  if (code != 0) return leave(code);
  const int index = index_of(CONTEXT, context);
  if (index < 0) wrong("cuCtxPushCurrent: no such context");
  below[depth++] = current;
  current = index;
  fake.pushed++;
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuCtxPopCurrent_v2(mst_cu_context *context) {
  const int code = enter("cuCtxPopCurrent", true);
  if (code != 0) return leave(code);
  if (depth == 0) wrong("cuCtxPopCurrent: none was pushed");
  *context = handle_of(CONTEXT, current);
  current = depth > 0 ? below[--depth] : -1;
  fake.pushed--;
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  const int code = enter("cuMemHostAlloc", true);
  if (code != 0) return leave(code);
  if (flags != MST_CU_HOST_ALLOC_PORTABLE) wrong("cuMemHostAlloc: flags");
  object *o = &fake.objects[PINNED][new_object(PINNED, false)];
  o->bytes = bytes;
  *memory = o->memory = malloc(bytes);
  return leave(o->memory != NULL ? MST_CU_SUCCESS : MST_CU_OUT_OF_MEMORY);
}

mst_cu_result cuMemFreeHost(void *memory) {
  const int code = enter("cuMemFreeHost", true);
  if (code != 0) return leave(code);
  for (int i = 0; i < OBJECTS; i++) {
    object *o = &fake.objects[PINNED][i];
    if (!o->alive || o->memory != memory) continue;
    if (o->context != current) wrong("cuMemFreeHost: memory of another context");
    for (const fake_job *j = fake.queue.first; j != NULL; j = j->next)
      if (j->from >= o->memory && j->from < o->memory + o->bytes)
        wrong("cuMemFreeHost: a copy of it is under way");
    free(memory);
    o->alive = false;
    return leave(MST_CU_SUCCESS);
  }
  wrong("cuMemFreeHost: no such memory");
  return leave(MST_CU_INVALID_VALUE);
}

mst_cu_result cuMemcpyHtoDAsync_v2(mst_cu_address to, const void *from, size_t bytes,
                                   mst_cu_stream stream) {
  const int code = enter("cuMemcpyHtoDAsync", true);
  if (code != 0) return leave(code);
  const fake_job made = {.from = from, .width = bytes, .height = 1};
  return leave(copy("cuMemcpyHtoDAsync", made, to, stream));
}

mst_cu_result cuMemcpy2DAsync_v2(const mst_cu_copy_2d *c, mst_cu_stream stream) {
  const int code = enter("cuMemcpy2DAsync", true);
  if (code != 0) return leave(code);
  if (c->from_memory != MST_CU_MEMORY_HOST || c->to_memory != MST_CU_MEMORY_DEVICE)
    wrong("cuMemcpy2DAsync: memory types");
  if ((c->from_x | c->from_y | c->to_x | c->to_y) != 0 || c->from_array != NULL ||
      c->to_array != NULL || c->from_device != 0 || c->to_host != NULL)
    wrong("cuMemcpy2DAsync: what has no meaning is not zero");
  if (c->width > c->from_pitch || c->width > c->to_pitch || c->to_pitch > INT32_MAX)
    return leave(MST_CU_INVALID_VALUE);
  const fake_job made = {.from = c->from_host,
                         .from_pitch = c->from_pitch,
                         .to_pitch = c->to_pitch,
                         .width = c->width,
                         .height = c->height};
  return leave(copy("cuMemcpy2DAsync", made, c->to_device, stream));
}

mst_cu_result cuStreamCreate(mst_cu_stream *stream, unsigned flags) {
  const int code = enter("cuStreamCreate", true);
  if (code != 0) return leave(code);
  if (flags != MST_CU_STREAM_NON_BLOCKING) wrong("cuStreamCreate: flags");
  *stream = handle_of(STREAM, new_object(STREAM, false));
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuStreamSynchronize(mst_cu_stream stream) {
  const int code = enter("cuStreamSynchronize", true);
  if (code != 0) return leave(code);
  if (object_of(STREAM, stream, "cuStreamSynchronize") == NULL) return leave(MST_CU_INVALID_HANDLE);
  run_until(index_of(STREAM, stream), UINT64_MAX);
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuStreamDestroy_v2(mst_cu_stream stream) {
  const int code = enter("cuStreamDestroy", true);
  if (code != 0) return leave(code);
  object *o = object_of(STREAM, stream, "cuStreamDestroy");
  if (o == NULL) return leave(MST_CU_INVALID_HANDLE);
  for (const fake_job *j = fake.queue.first; j != NULL; j = j->next)
    if (j->stream == index_of(STREAM, stream)) wrong("cuStreamDestroy: copies are under way");
  o->alive = false;
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuEventCreate(mst_cu_event *event, unsigned flags) {
  const int code = enter("cuEventCreate", true);
  if (code != 0) return leave(code);
  if ((flags & ~3u) != 0) wrong("cuEventCreate: flags");
  *event = handle_of(EVENT, new_object(EVENT, false));
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuEventRecord(mst_cu_event event, mst_cu_stream stream) {
  const int code = enter("cuEventRecord", true);
  if (code != 0) return leave(code);
  object *o = object_of(EVENT, event, "cuEventRecord");
  if (o == NULL || object_of(STREAM, stream, "cuEventRecord") == NULL)
    return leave(MST_CU_INVALID_HANDLE);
  o->stream = index_of(STREAM, stream);
  o->ticket = fake.queue.tickets;
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuEventSynchronize(mst_cu_event event) {
  const int code = enter("cuEventSynchronize", true);
  if (code != 0) return leave(code);
  const object *o = object_of(EVENT, event, "cuEventSynchronize");
  if (o == NULL) return leave(MST_CU_INVALID_HANDLE);
  if (o->stream < 0) wrong("cuEventSynchronize: never recorded, so it waits for nothing");
  run_until(o->stream, o->ticket);
  return leave(MST_CU_SUCCESS);
}

mst_cu_result cuEventDestroy_v2(mst_cu_event event) {
  const int code = enter("cuEventDestroy", true);
  if (code != 0) return leave(code);
  object *o = object_of(EVENT, event, "cuEventDestroy");
  if (o != NULL) o->alive = false;
  return leave(o != NULL ? MST_CU_SUCCESS : MST_CU_INVALID_HANDLE);
}

/* ---- what tests call --------------------------------------------------------------------------- */

void fake_cuda_reset(void) {
  lock();
  fake_queue_reset(&fake.queue);
  for (int i = 0; i < OBJECTS; i++) {
    if (fake.objects[DEVICE_MEMORY][i].alive) free(fake.objects[DEVICE_MEMORY][i].memory);
    if (fake.objects[PINNED][i].alive) free(fake.objects[PINNED][i].memory);
  }
  memset(fake.objects, 0, sizeof fake.objects);
  for (int i = 0; i < CONTEXTS; i++)
    fake.objects[CONTEXT][i] = (object){.alive = true, .tests = true};
  fake.calls = fake.fail_at = 0;
  fake.failed = NULL;
  fake.devices = 1;
  fake.pushed = 0;
  fake.started = false;
  fake.problem[0] = '\0';
  current = -1;
  depth = 0;
  unlock();
}

void fake_cuda_set_devices(int count) { fake.devices = count; }
void fake_cuda_use(int index) { current = index; }

uint64_t fake_cuda_alloc(size_t bytes) {
  lock();
  const int index = new_object(DEVICE_MEMORY, true);
  object *o = &fake.objects[DEVICE_MEMORY][index];
  o->bytes = bytes;
  o->memory = malloc(bytes + 1);
  if (o->memory == NULL) abort();
  memset(o->memory, FAKE_CUDA_BLANK, bytes);
  unlock();
  return DEVICE_BASE + (uint64_t)index * DEVICE_STEP;
}

void fake_cuda_peek(uint64_t address, void *out, size_t bytes) {
  lock();
  const char *memory = device_memory(address, bytes);
  if (memory == NULL) abort();
  for (const fake_job *j = fake.queue.first; j != NULL; j = j->next)
    if (j->to >= memory && j->to < memory + bytes) wrong("a copy is under way after the call");
  memcpy(out, memory, bytes);
  unlock();
}

void *fake_cuda_stream(void) {
  lock();
  void *stream = handle_of(STREAM, new_object(STREAM, true));
  unlock();
  return stream;
}

void fake_cuda_poke_later(void *stream, uint64_t address, char value, size_t bytes) {
  lock();
  const fake_job made = {.stream = index_of(STREAM, stream),
                         .to = device_memory(address, bytes),
                         .width = bytes,
                         .height = 1,
                         .value = value};
  fake_queue_add(&fake.queue, &made);
  unlock();
}

void fake_cuda_arm(uint64_t at, int code, bool for_good) {
  lock();
  fake.calls = 0;
  fake.failed = NULL;
  fake.fail_at = at;
  fake.fail_code = code;
  fake.fail_for_good = for_good;
  unlock();
}

uint64_t fake_cuda_calls(void) { return fake.calls; }
const char *fake_cuda_failed(void) { return fake.failed; }
const char *fake_cuda_problem(void) { return fake.problem; }
uint64_t fake_cuda_copies(void) { return fake.queue.tickets; }
uint64_t fake_cuda_most_under_way(void) { return fake.queue.most_under_way; }

int fake_cuda_alive(void) {
  int alive = fake.pushed;
  for (int kind = PINNED; kind < KINDS; kind++)
    for (int i = 0; i < OBJECTS; i++)
      alive += fake.objects[kind][i].alive && !fake.objects[kind][i].tests;
  return alive;
}

void *fake_cuda_memory(uint64_t address, size_t bytes) {
  lock();
  void *memory = device_memory(address, bytes);
  unlock();
  return memory;
}
