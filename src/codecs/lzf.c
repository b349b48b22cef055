/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LZF, as HDF5 files of h5py have it. A control byte below 32 is followed by one byte more than it
 * says; any other goes back: its three upper bits are the length less 2 (7: a byte follows that is
 * added), its five lower bits and the next byte the distance less 1.
 */
#include <string.h>

#include "codecs/codec.h"

/* Bytes that are copied at once, where there is room behind what is wanted. */
#define STRIDE 16

/* `room` bytes may be written. Copies that overlap repeat what they have just written. */
static inline void copy_back(unsigned char *to, size_t distance, size_t length, size_t room) {
  const unsigned char *from = to - distance;
  size_t i = 0;
  if (distance >= STRIDE && room >= length + STRIDE) {
    for (; i < length; i += STRIDE)
      memcpy(to + i, from + i, STRIDE);
  } else if (distance == 1) {
    memset(to, *from, length);
  } else {
    for (; i < length; i++)
      to[i] = from[i];
  }
}

static inline void copy_literal(unsigned char *to, const unsigned char *from, size_t length,
                                size_t room, size_t there) {
  enum { MOST = 32 };
  if (room >= MOST && there >= MOST)
    memcpy(to, from, MOST);
  else
    memcpy(to, from, length);
}

/* Moves *in past one piece and *got past what it stands for; false when it is damaged. */
static inline bool decode_piece(const unsigned char **in, const unsigned char *end,
                                unsigned char *out, size_t room, size_t *got) {
  const unsigned control = *(*in)++;
  size_t count;
  if (control < 32) {
    count = control + 1;
    if (count > (size_t)(end - *in) || count > room - *got) return false;
    copy_literal(out + *got, *in, count, room - *got, (size_t)(end - *in));
    *in += count;
  } else {
    count = (control >> 5) + 2;
    if (control >> 5 == 7 && *in < end) count += *(*in)++;
    if (*in == end) return false;
    const size_t distance = ((control & 31U) << 8 | *(*in)++) + 1U;
    if (distance > *got || count > room - *got) return false;
    copy_back(out + *got, distance, count, room - *got);
  }
  *got += count;
  return true;
}

muster_status mst_decode_lzf(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error) {
  const unsigned char *in = src, *const end = in + length;
  size_t made = 0; /* not *got, which any byte that is written could change */
  bool sound = true;
  while (sound && in < end)
    sound = decode_piece(&in, end, dst, room, &made);
  *got = made;
  return sound ? MUSTER_OK : mst_codec_damaged(decoder, "lzf", error);
}
