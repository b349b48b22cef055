/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of strangers as one line that does no harm: control characters, marks that turn the
 * direction of writing, and bytes that are no UTF-8 are spelled out.
 */
#ifndef MST_BASE_PRINTABLE_H
#define MST_BASE_PRINTABLE_H

#include "base/str.h"

void mst_add_printable(mst_str *out, const char *text);
void mst_add_printable_bytes(mst_str *out, const char *text, size_t length);

#endif
