/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"
#include "sinks/sink.h"

#define SINK(destination, name) extern const mst_sink_type mst_sink_##name;
#include "sinks/sinks.def"
#undef SINK

muster_status mst_sink_open(mst_sink *sink, const mst_array *array,
                            const muster_load_options *options, muster_error *error) {
  *sink = (mst_sink){0};
  switch (options->to) {
#define SINK(destination, name)    \
  case destination:                \
    sink->type = &mst_sink_##name; \
    break;
#include "sinks/sinks.def"
#undef SINK
  }
  if (sink->type == NULL) return mst_fail(error, MUSTER_ERR_USAGE, NULL, "no such destination");
  return sink->type->open(array, options, &sink->state, error);
}
