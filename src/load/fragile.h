/* SPDX-License-Identifier: Apache-2.0 */
/* Whether files are better looked at in a process of their own. */
#ifndef MST_LOAD_FRAGILE_H
#define MST_LOAD_FRAGILE_H

#include <stdbool.h>
#include <stddef.h>

#include "muster/dataset.h"

/* True when the format of the inputs, as muster_open would find it, is read by a library that may
 * crash on damaged files. What cannot be found out is not fragile. */
bool mst_is_fragile(const char *const *inputs, size_t count, const muster_open_options *options);

#endif
