/* SPDX-License-Identifier: Apache-2.0 */
/* How far a name scales, by the "Availability" section of its docstring. */
#ifndef MST_MANIFEST_AVAILABILITY_H
#define MST_MANIFEST_AVAILABILITY_H

#include "manifest/outline.h"
#include "manifest/table.h"

/* The text under the heading, up to an empty line; empty when there is no such section. */
mst_slice mst_availability_text(mst_slice docstring);

/*
 * "Multiple GPUs, Multiple CPUs", "Single CPU" and so on, in any order. *note is static, "" when
 * the level says it all. False when none of the words is known.
 */
bool mst_availability_level(mst_slice text, mst_api_level *level, const char **note);

#endif
