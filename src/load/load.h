/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MST_LOAD_LOAD_H
#define MST_LOAD_LOAD_H

#include "load/dataset.h"
#include "sinks/sink.h"

/* muster_load with any sink; the caller opens and closes it. result may be NULL. */
muster_status mst_load_into(const muster_dataset *dataset, const mst_sink *sink,
                            const muster_load_options *options, muster_load_result *result,
                            muster_error *error);

#endif
