/* SPDX-License-Identifier: Apache-2.0 */
/* Nowhere: what is left is the cost of reading. */
#include "sinks/sink.h"

static muster_status open_nothing(const mst_array *array, const muster_load_options *options,
                                  void **state, muster_error *error) {
  (void)array;
  (void)options;
  (void)error;
  *state = NULL;
  return MUSTER_OK;
}

static muster_status put(void *state, uint64_t offset, const void *data, size_t length,
                         muster_error *error) {
  (void)state;
  (void)offset;
  (void)data;
  (void)length;
  (void)error;
  return MUSTER_OK;
}

static void close_nothing(void *state) { (void)state; }

const mst_sink_type mst_sink_null = {
    .name = "null", .open = open_nothing, .put = put, .close = close_nothing};
