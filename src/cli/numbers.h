/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, row ranges and shapes as they are written on the command line. */
#ifndef MST_CLI_NUMBERS_H
#define MST_CLI_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "muster/muster.h"

/* Each returns NULL, or what is wrong with the text: "is no number" and the like. */

/* "64", "64k", "1G", "16Mi": k M G T are powers of 1000, Ki Mi Gi Ti of 1024. */
const char *mst_parse_count(const char *text, uint64_t *out);

/* "10:20", ":1M", "-5:", ":" as a slice of Python without a step. */
const char *mst_parse_rows(const char *text, muster_row_range *out);

/* "4,5", "4x5", "(4, 5)"; "()" and "scalar" have rank 0. */
const char *mst_parse_shape(const char *text, uint64_t shape[MUSTER_MAX_RANK], size_t *rank);

typedef MST_VEC(uint64_t) mst_counts;

/* "100,0,2k". The list may hold some numbers after a failure, too; without memory this returns
 * mst_no_memory. */
extern const char mst_no_memory[];
const char *mst_parse_counts(const char *text, mst_counts *out);

#endif
