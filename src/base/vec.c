/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdint.h>

void *mst_vec_room(void *data, size_t *capacity, size_t length, size_t element) {
  if (length < *capacity) return data;
  const size_t wanted = *capacity > 0 ? *capacity * 2 : 16;
  if (wanted > SIZE_MAX / element) return data;
  void *grown = mst_realloc(data, wanted * element);
  if (grown == NULL) return data;
  *capacity = wanted;
  return grown;
}
