/* SPDX-License-Identifier: Apache-2.0 */
/* What muster/dataset.h does not say of dtypes: facts that only the library needs. */
#ifndef MST_BASE_DTYPE_H
#define MST_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "muster/dataset.h"

/*
 * Reads a dtype as muster_dtype_parse does, from text that need not end in '\0'. Also knows what
 * is no dtype of numbers: then `type` is MUSTER_NO_TYPE, and *opaque the bytes of a "V2" or "f1",
 * or 0. False when the text is no dtype at all, or one that muster has no word for.
 */
bool mst_dtype_read(const char *text, size_t length, muster_dtype *out, size_t *opaque);

bool mst_dtype_equal(const muster_dtype *a, const muster_dtype *b); /* byte order aside */
bool mst_is_time(muster_type type);
/* Types that are only decoded, never a result: bfloat16 and the float8s. */
bool mst_is_source_only(muster_type type);
/* Bytes that are reversed together to change the byte order: half an element for complex. */
size_t mst_swap_unit(muster_type type);

/* Writes as an npy header has it ("<f4", "|b1", "<M8[ns]"); text holds at least 48 bytes. */
char *mst_dtype_descr(const muster_dtype *dtype, char text[48]);

#endif
