/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of data/api_support.txt, made into C by cmake/embed.cmake when muster is built. */
#ifndef MST_MANIFEST_CARRIED_H
#define MST_MANIFEST_CARRIED_H

#include <stddef.h>

extern const unsigned char mst_carried_table[];
extern const size_t mst_carried_table_length;

#endif
