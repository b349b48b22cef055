/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an Arrow file or stream; the first one chooses what is asked of it. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const columns[] = {"a", "b", "c"};
  if (size == 0) return 0;
  muster_open_options options;
  muster_open_options_init(&options);
  options.format = "arrow";
  options.columns = (data[0] & 3) == 0 ? NULL : columns;
  options.column_count = data[0] & 3;
  if ((data[0] & 4) != 0) options.null_value = "7";
  if ((data[0] & 8) != 0) options.dtype = "float64";
  if ((data[0] & 16) != 0) options.columns = columns + 2, options.column_count = 1;
  fuzz_file(data + 1, size - 1, &options);
  return 0;
}
