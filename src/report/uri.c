/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as references by RFC 3986. */
#include <string.h>

#include "report/report.h"

static void add_segment(mst_str *out, const char *bytes, size_t length) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  for (size_t i = 0; i < length; i++) {
    if (memchr(plain, bytes[i], sizeof plain - 1) != NULL)
      mst_str_add_bytes(out, bytes + i, 1);
    else
      mst_str_addf(out, "%%%02X", (unsigned char)bytes[i]);
  }
}

bool mst_add_uri(mst_str *out, const char *path) {
  bool is_below = *path != '/', is_first = is_below;
  if (!is_below) mst_str_add(out, "file://");
  for (const char *at = path; *at != '\0';) {
    const size_t length = strcspn(at, "/");
    const bool is_nothing = length == 0 || (length == 1 && *at == '.');
    if (length == 2 && at[0] == '.' && at[1] == '.') is_below = false;
    if (!is_nothing) {
      if (!is_first) mst_str_add(out, "/");
      add_segment(out, at, length);
      is_first = false;
    }
    at += length + (at[length] == '/');
  }
  return is_below;
}
