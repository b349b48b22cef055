/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CUDA driver for tests, whose GPU is memory of the host. It does what the real one may do at
 * worst: an asynchronous copy is made as late as it can be, when its event or stream is waited for,
 * and device addresses are no addresses of the host. It checks each call: a context is current,
 * objects are alive and of that context, copies lie within one allocation and come from pinned
 * memory, and that memory does not change while a copy of it is under way.
 *
 * Any thread. Tests link with it and give its path to muster_gpu_open.
 */
#ifndef SUPPORT_FAKE_CUDA_H
#define SUPPORT_FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/cuda.h"

/* Back to the beginning: no context current on this thread, no objects, no problems, one device. */
void fake_cuda_reset(void);
void fake_cuda_set_devices(int count);

/* The context `index` (0 to 3) becomes current on this thread; -1: none. */
void fake_cuda_use(int index);
/* Memory of the current context, filled with FAKE_CUDA_BLANK. Not counted as alive. */
#define FAKE_CUDA_BLANK 0xa5
uint64_t fake_cuda_alloc(size_t bytes);
/* What lies there. A copy into that memory that is still under way is a problem. */
void fake_cuda_peek(uint64_t address, void *out, size_t bytes);
/* A stream of the current context, not counted as alive. */
void *fake_cuda_stream(void);
/* Puts bytes there, in the order of the stream, as late as a copy. */
void fake_cuda_poke_later(void *stream, uint64_t address, char value, size_t bytes);

/* Calls are counted from here on; the at-th (from 1) fails with the code, and all that follow if
 * `for_good`. 0: none. */
void fake_cuda_arm(uint64_t at, int code, bool for_good);
uint64_t fake_cuda_calls(void);
/* The name of the call that failed; NULL: none did. */
const char *fake_cuda_failed(void);

/* Pinned memory, streams, events and contexts pushed that are not given back. */
int fake_cuda_alive(void);
/* What was wrong, one line for the first; "" if nothing. */
const char *fake_cuda_problem(void);
/* Since the reset: copies (2-D ones count once), and the most bytes under way at once. */
uint64_t fake_cuda_copies(void);
uint64_t fake_cuda_most_under_way(void);

/* For fake_cufile.c: where a device address really is; NULL if [address, + bytes) is not within one
 * allocation, or no context is current. */
void *fake_cuda_memory(uint64_t address, size_t bytes);
void fake_cuda_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
