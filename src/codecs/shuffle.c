/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codecs/codec.h"

/* Elements that are put together at a time: their bytes come from `itemsize` places at once. */
#define AT_ONCE 1024

void mst_unshuffle(const void *src, void *dst, size_t length, size_t itemsize) {
  const size_t count = itemsize > 0 ? length / itemsize : 0;
  if (itemsize <= 1 || count <= 1) {
    memcpy(dst, src, length);
    return;
  }
  const unsigned char *from = src;
  unsigned char *to = dst;
  for (size_t begin = 0; begin < count; begin += AT_ONCE) {
    const size_t end = count - begin < AT_ONCE ? count : begin + AT_ONCE;
    for (size_t i = 0; i < itemsize; i++) {
      const unsigned char *bytes = from + i * count;
      unsigned char *place = to + i;
      for (size_t k = begin; k < end; k++)
        place[k * itemsize] = bytes[k];
    }
  }
  memcpy(to + count * itemsize, from + count * itemsize, length - count * itemsize);
}
