/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fault.h"

#ifdef MST_FAULTS

#include <stdatomic.h>

static struct {
  atomic_int kind;
  atomic_ullong at;
  atomic_int errnum;
  atomic_ullong allocs;
  atomic_ullong io_calls;
  atomic_bool hit;
  atomic_llong live_allocs;
  atomic_llong live_bytes;
  atomic_llong peak_bytes;
} g;

void mst_fault_arm(mst_fault_kind kind, uint64_t at, int errnum) {
  atomic_store(&g.at, at);
  atomic_store(&g.errnum, errnum);
  atomic_store(&g.allocs, 0);
  atomic_store(&g.io_calls, 0);
  atomic_store(&g.hit, false);
  atomic_store(&g.peak_bytes, atomic_load(&g.live_bytes));
  atomic_store(&g.kind, (int)kind);
}

bool mst_fault_disarm(void) {
  atomic_store(&g.kind, MST_FAULT_NONE);
  return atomic_load(&g.hit);
}

uint64_t mst_fault_allocs(void) { return atomic_load(&g.allocs); }
uint64_t mst_fault_io_calls(void) { return atomic_load(&g.io_calls); }
int64_t mst_fault_live_allocs(void) { return atomic_load(&g.live_allocs); }
uint64_t mst_fault_peak_bytes(void) { return (uint64_t)atomic_load(&g.peak_bytes); }

bool mst_fault_hit_alloc(void) {
  const uint64_t number = atomic_fetch_add(&g.allocs, 1) + 1;
  if (atomic_load(&g.kind) != MST_FAULT_ALLOC || number != atomic_load(&g.at)) return false;
  atomic_store(&g.hit, true);
  return true;
}

int mst_fault_hit_io(size_t *length) {
  const uint64_t number = atomic_fetch_add(&g.io_calls, 1) + 1;
  const int kind = atomic_load(&g.kind);
  if ((kind != MST_FAULT_IO && kind != MST_FAULT_SHORT) || number != atomic_load(&g.at)) return 0;
  atomic_store(&g.hit, true);
  if (kind == MST_FAULT_IO) return atomic_load(&g.errnum);
  if (length != NULL && *length > 1) *length = 1;
  return 0;
}

void mst_fault_track(int64_t bytes) {
  atomic_fetch_add(&g.live_allocs, bytes > 0 ? 1 : -1);
  const long long live = atomic_fetch_add(&g.live_bytes, bytes) + bytes;
  long long peak = atomic_load(&g.peak_bytes);
  while (live > peak && !atomic_compare_exchange_weak(&g.peak_bytes, &peak, live)) {
  }
}

#else
typedef int mst_fault_unused; /* ISO C wants a declaration in every file */
#endif
