/* SPDX-License-Identifier: Apache-2.0 */
#include "base/printable.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of the UTF-8 character at text, and its code point; 0 when it is none. */
static unsigned decode(const unsigned char *text, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned length = text[0] < 0x80       ? 1
                          : text[0] >> 5 == 6  ? 2
                          : text[0] >> 4 == 14 ? 3
                          : text[0] >> 3 == 30 ? 4
                                               : 0;
  *code = length == 1 ? text[0] : text[0] & (0x7fu >> length);
  for (unsigned i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (text[i] & 0x3fu);
  }
  const bool is_surrogate = *code >= 0xd800 && *code <= 0xdfff;
  return length > 0 && *code >= least[length] && *code <= 0x10ffff && !is_surrogate ? length : 0;
}

static bool is_harmless(uint32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  if (code >= 0x202a && code <= 0x202e) return false;
  if (code == 0x2028 || code == 0x2029 || code == 0x200e || code == 0x200f || code == 0x061c)
    return false;
  return code < 0x2066 || code > 0x2069;
}

void mst_add_printable(mst_str *out, const char *text) {
  mst_add_printable_bytes(out, text, strlen(text));
}

void mst_add_printable_bytes(mst_str *out, const char *text, size_t size) {
  const unsigned char *at = (const unsigned char *)text, *end = at + size;
  while (at < end) {
    size_t plain = 0; /* nearly all there is */
    while (at + plain < end && at[plain] >= 0x20 && at[plain] < 0x7f)
      plain++;
    mst_str_add_bytes(out, (const char *)at, plain);
    at += plain;
    if (at == end) return;
    uint32_t code;
    const unsigned length = decode(at, &code);
    if (length == 0)
      mst_str_addf(out, "\\x%02x", *at);
    else if (is_harmless(code))
      mst_str_add_bytes(out, (const char *)at, length);
    else if (code == '\n' || code == '\t')
      mst_str_add(out, code == '\n' ? "\\n" : "\\t");
    else
      mst_str_addf(out, code < 0x100 ? "\\x%02" PRIx32 : "\\u%04" PRIx32, code);
    at += length > 0 ? length : 1;
  }
}
