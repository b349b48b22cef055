/* SPDX-License-Identifier: Apache-2.0 */
/* By what lines that findings stand on are known again, since reports see no source. */
#include <string.h>

#include "verdict/tally.h"

#define MOST_AROUND ((uint32_t)512) /* bytes of a line, before a place and behind it */

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\r';
}

/* FNV-1a. Where blanks stand is a matter of formatting. */
uint64_t mst_line_digest(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_source *source = tree->source;
  const uint32_t at = mst_node_at(tree, place.node)->start;
  uint32_t byte = source->line_starts[mst_source_line(source, at)];
  uint64_t digest = UINT64_C(14695981039346656037);
  if (at - byte > MOST_AROUND) byte = at - MOST_AROUND;
  for (; byte < source->length && byte < at + MOST_AROUND && source->text[byte] != '\n'; byte++)
    if (!is_blank(source->text[byte]))
      digest = (digest ^ (unsigned char)source->text[byte]) * UINT64_C(1099511628211);
  return digest;
}
