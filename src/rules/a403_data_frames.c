/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

static bool is_data_frame_library(const char *path) {
  static const char *const names[] = {"pandas", "polars", "dask.dataframe", "modin.pandas",
                                      "vaex",   "cudf",   "geopandas",      NULL};
  return mst_one_of(path, names);
}

static void visit(mst_rule_context *context, mst_place place) {
  const mst_symbol path = mst_place_node(place)->path;
  if (mst_place_is(place, MST_K_ALIAS) && !mst_place_is(mst_place_parent(place), MST_K_IMPORT))
    return;
  if (path == 0 || !(place.module->imports_numpy || place.module->imports_cupynumeric)) return;
  const char *name = mst_symbol_text(&place.program->symbols, path);
  if (!is_data_frame_library(name)) return;
  mst_add_finding(context, mst_standing(place), NULL,
                  "data frames of %s stay on the host: each column that goes in or out is copied",
                  name);
}

const mst_rule mst_rule_a403 = {
    .id = "A403",
    .name = "data frames at the boundary",
    .category = MST_AUDIT,
    .outcome = MST_OUTCOME_NONE,
    .counts = MST_COUNTS_NEVER,
    .summary = "pandas and other data frames beside array code",
    .why = "Frames are loaded and kept by one process; convert once, to numeric arrays, and stay "
           "with these.",
    .kinds = (const uint8_t[]){MST_K_ALIAS, MST_K_IMPORT_FROM, MST_K_NONE},
    .visit = visit,
};
