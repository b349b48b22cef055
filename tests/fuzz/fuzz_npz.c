/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an npz archive; the first one chooses what is asked of it. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  muster_open_options options;
  muster_open_options_init(&options);
  options.format = "npz";
  options.stack = (data[0] & 1) != 0;
  options.dataset = (data[0] & 2) != 0 ? "x" : (data[0] & 4) != 0 ? "*" : NULL;
  fuzz_file(data + 1, size - 1, &options);
  return 0;
}
