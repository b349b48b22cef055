/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LZF, as HDF5 files of h5py have it. A control byte below 32 is followed by one byte more than it
 * says; any other goes back: its three upper bits are the length less 2 (7: a byte follows that is
 * added), its five lower bits and the next byte the distance less 1.
 */
#include <string.h>

#include "codecs/codec.h"

/* Copies that overlap repeat what they have just written. */
static void copy_back(unsigned char *to, size_t distance, size_t length) {
  for (size_t i = 0; i < length; i++)
    to[i] = to[(ptrdiff_t)i - (ptrdiff_t)distance];
}

/* Moves *in past one piece and *got past what it stands for; false when it is damaged. */
static bool decode_piece(const unsigned char **in, const unsigned char *end, unsigned char *out,
                         size_t room, size_t *got) {
  const unsigned control = *(*in)++;
  size_t count;
  if (control < 32) {
    count = control + 1;
    if (count > (size_t)(end - *in) || count > room - *got) return false;
    memcpy(out + *got, *in, count);
    *in += count;
  } else {
    count = (control >> 5) + 2;
    if (control >> 5 == 7 && *in < end) count += *(*in)++;
    if (*in == end) return false;
    const size_t distance = ((control & 31U) << 8 | *(*in)++) + 1U;
    if (distance > *got || count > room - *got) return false;
    copy_back(out + *got, distance, count);
  }
  *got += count;
  return true;
}

muster_status mst_decode_lzf(mst_decoder *decoder, const void *src, size_t length, void *dst,
                             size_t room, size_t *got, muster_error *error) {
  const unsigned char *in = src, *const end = in + length;
  *got = 0;
  while (in < end)
    if (!decode_piece(&in, end, dst, room, got)) return mst_codec_damaged(decoder, "lzf", error);
  return MUSTER_OK;
}
