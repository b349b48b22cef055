/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "formats/format.h"

#define FORMAT(name) extern const mst_format mst_format_##name;
#include "formats/formats.def"
#undef FORMAT

#define FORMAT(name) &mst_format_##name,
static const mst_format *const formats[] = {
#include "formats/formats.def"
};
#undef FORMAT

size_t mst_format_count(void) { return sizeof formats / sizeof *formats; }
const mst_format *mst_format_at(size_t index) { return formats[index]; }

const mst_format *mst_format_named(const char *name) {
  for (size_t i = 0; i < mst_format_count(); i++)
    if (strcmp(formats[i]->name, name) == 0) return formats[i];
  return NULL;
}

const mst_format *mst_format_of_scheme(const char *input) {
  for (size_t i = 0; i < mst_format_count(); i++)
    if (formats[i]->scheme != NULL && mst_starts_with(input, formats[i]->scheme)) return formats[i];
  return NULL;
}

muster_status mst_format_of_folder(const char *path, const mst_format **format,
                                   muster_error *error) {
  *format = NULL;
  for (size_t i = 0; i < mst_format_count() && *format == NULL; i++) {
    bool owns = false;
    if (formats[i]->owns_folder == NULL) continue;
    const muster_status status = formats[i]->owns_folder(path, &owns, error);
    if (status != MUSTER_OK) return status;
    if (owns) *format = formats[i];
  }
  return MUSTER_OK;
}

const mst_format *mst_format_probe(const mst_probe *probe) {
  const mst_format *best = NULL;
  int best_score = MST_PROBE_NO;
  for (size_t i = 0; i < mst_format_count(); i++) {
    const int score = formats[i]->probe != NULL ? formats[i]->probe(probe) : MST_PROBE_NO;
    if (score > best_score) {
      best = formats[i];
      best_score = score;
    }
  }
  return best;
}

bool mst_has_extension(const char *path, const char *extensions) {
  const size_t length = strlen(path);
  while (*extensions != '\0') {
    const size_t width = strcspn(extensions, " ");
    if (length > width && strncasecmp(path + length - width, extensions, width) == 0) return true;
    extensions += width;
    while (*extensions == ' ')
      extensions++;
  }
  return false;
}

size_t muster_format_count(void) { return mst_format_count(); }

muster_status muster_format(size_t index, muster_format_info *out) {
  if (index >= mst_format_count()) return MUSTER_ERR_USAGE;
  const mst_format *format = formats[index];
  *out = (muster_format_info){
      .name = format->name,
      .summary = format->summary,
      .extensions = format->extensions,
      .can_write = format->write != NULL,
      .unavailable = format->unavailable,
  };
  return MUSTER_OK;
}
