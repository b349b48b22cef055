/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault injection, in builds with MST_FAULTS only: counts every allocation and every call of the
 * I/O seam, and makes the N-th one fail. Compiled out of the product. Not for several tests at
 * once in one process; the code under test may use any number of threads.
 */
#ifndef MST_BASE_FAULT_H
#define MST_BASE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef MST_FAULTS

typedef enum mst_fault_kind {
  MST_FAULT_NONE = 0,
  MST_FAULT_ALLOC, /* the N-th allocation returns NULL */
  MST_FAULT_IO,    /* the N-th I/O call fails with errnum */
  MST_FAULT_SHORT, /* the N-th I/O call moves one byte only (read, write), else is left alone */
} mst_fault_kind;

/* Starts counting from zero; the at-th (from 1) call of the kind fails; 0: count only. */
void mst_fault_arm(mst_fault_kind kind, uint64_t at, int errnum);
/* Stops, and says whether the fault was met. */
bool mst_fault_disarm(void);
/* Calls seen since mst_fault_arm. */
uint64_t mst_fault_allocs(void);
uint64_t mst_fault_io_calls(void);
/* Allocations not yet freed, over the whole life of the process. */
int64_t mst_fault_live_allocs(void);
/* The largest sum of bytes alive at once since mst_fault_arm. */
uint64_t mst_fault_peak_bytes(void);

/* For alloc.c and system.c. */
bool mst_fault_hit_alloc(void);
/* Returns an errno to fail with, or 0; *length may be cut. */
int mst_fault_hit_io(size_t *length);
void mst_fault_track(int64_t bytes);

#endif
#endif
