/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/api.h"

#include <stdlib.h>
#include <string.h>

static const mst_api table[] = {
#define API(name, effect, traits, dtype_at, order_at, out_at) \
  {name, MST_E_##effect, traits, dtype_at, order_at, out_at},
#include "pysource/api.def"
#undef API
};

static int by_name(const void *name, const void *entry) {
  return strcmp(name, ((const mst_api *)entry)->name);
}

const mst_api *mst_api_find(const char *name) {
  return bsearch(name, table, sizeof table / sizeof *table, sizeof *table, by_name);
}
