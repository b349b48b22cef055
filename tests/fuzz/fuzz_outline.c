/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Python file of an installed package. */
#include <string.h>

#include "fuzz.h"
#include "manifest/availability.h"
#include "manifest/outline.h"

typedef struct input {
  const char *text;
  size_t size;
} input;

static void check_within(const input *in, mst_slice slice) {
  if (slice.length == 0) return;
  ALWAYS(slice.at >= in->text && slice.length <= in->size);
  ALWAYS((size_t)(slice.at - in->text) <= in->size - slice.length);
}

static void check_binding(const input *in, const mst_bound_name *binding) {
  const mst_slice slices[] = {binding->name,  binding->module, binding->member, binding->type,
                              binding->value, binding->doc,    binding->body};
  for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
    check_within(in, slices[i]);
  ALWAYS((binding->name.length == 0) == (binding->kind == MST_BIND_STAR));
  mst_slice rest = binding->value, content;
  while (mst_next_string(&rest, &content))
    check_within(in, content);
  const mst_slice availability = mst_availability_text(binding->doc);
  mst_api_level level;
  const char *note;
  check_within(in, availability);
  (void)mst_availability_level(availability, &level, &note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const input in = {(const char *)data, size};
  mst_outline outline;
  ALWAYS(mst_outline_make(&outline, in.text, size));
  for (size_t i = 0; i < outline.bindings.length; i++) {
    const mst_bound_name *binding = &outline.bindings.data[i];
    check_binding(&in, binding);
    ALWAYS(binding->in_class == MST_NO_CLASS || binding->in_class < i);
    if (binding->kind != MST_BIND_STAR)
      ALWAYS(mst_outline_find(&outline, binding->in_class, binding->name) >= binding);
  }
  mst_outline_reset(&outline);
  return 0;
}
