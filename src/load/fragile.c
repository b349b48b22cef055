/* SPDX-License-Identifier: Apache-2.0 */
#include "load/fragile.h"

#include "formats/format.h"
#include "load/listing.h"

#define HEAD_BYTES 4096
/* Files that no format knows before one that is known: seldom any. */
#define MOST_TRIED 16

static const mst_format *format_of(const char *path) {
  unsigned char head[HEAD_BYTES];
  mst_probe probe = {.path = path, .head = head};
  int fd = -1;
  if (mst_io_open(path, &fd, NULL) != MUSTER_OK) return NULL;
  const bool read =
      mst_io_read_some(fd, path, 0, head, sizeof head, &probe.head_length, NULL) == MUSTER_OK;
  mst_io_close(fd);
  return read ? mst_format_probe(&probe) : NULL;
}

bool mst_is_fragile(const char *const *inputs, size_t count, const muster_open_options *options) {
  if (options->format != NULL) {
    const mst_format *named = mst_format_named(options->format);
    return named != NULL && named->is_fragile;
  }
  mst_listing listing = {0};
  const mst_format *format = NULL;
  if (mst_listing_make(&listing, inputs, count, options, NULL) == MUSTER_OK)
    for (size_t i = 0; format == NULL && i < listing.paths.length && i < MOST_TRIED; i++)
      format = format_of(listing.paths.data[i]);
  mst_listing_reset(&listing);
  return format != NULL && format->is_fragile;
}
