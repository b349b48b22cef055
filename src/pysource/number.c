/* SPDX-License-Identifier: Apache-2.0 */
/* Literals of numbers. */
#include <stdlib.h>

#include "pysource/interp.h"

/* 12, 0.25: what a double holds exactly over a power of ten that it holds too, and so what strtod
 * would say. False: written otherwise, or longer. */
static bool read_plain_number(const char *text, double *number) {
  static const double tens[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  uint64_t digits = 0;
  size_t length = 0, behind = 0;
  for (bool has_point = false; *text != '\0'; text++) {
    if (*text == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (*text < '0' || *text > '9' || ++length >= sizeof tens / sizeof *tens) return false;
    digits = digits * 10 + (uint64_t)(*text - '0');
    behind += has_point;
  }
  *number = (double)digits / tens[behind];
  return true;
}

mst_value mst_eval_number(const mst_interp *in, mst_node_id node) {
  const mst_value *before = &in->module->values[node];
  if (before->kind == MST_V_NUMBER) return *before; /* a literal stays what it was */
  const mst_node *literal = mst_in_node(in, node);
  char text[64];
  size_t length = 0;
  for (uint32_t i = literal->start; i < literal->end && length + 1 < sizeof text; i++)
    if (in->tree->source->text[i] != '_') text[length++] = in->tree->source->text[i];
  text[length] = '\0';
  if ((literal->flags & MST_F_IMAGINARY) != 0) {
    mst_value value = mst_value_of_kind(MST_V_NUMBER);
    value.dtype = MST_D_COMPLEX;
    return value;
  }
  const bool integer = (literal->flags & MST_F_FLOAT) == 0;
  if (integer && text[0] == '0' &&
      (text[1] == 'o' || text[1] == 'O' || text[1] == 'b' || text[1] == 'B')) {
    const int base = text[1] == 'o' || text[1] == 'O' ? 8 : 2;
    return mst_value_number((double)strtoull(text + 2, NULL, base), true);
  }
  if (integer && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return mst_value_number((double)strtoull(text + 2, NULL, 16), true);
  double number;
  if (!read_plain_number(text, &number)) number = strtod(text, NULL);
  return mst_value_number(number, integer);
}
