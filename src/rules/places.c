/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/places.h"

#include <string.h>

bool mst_is_simple_statement(mst_place statement) {
  MST_EACH_CHILD(statement.module->tree, child, statement.node)
  if (mst_kind_of(statement.module->tree, child) == MST_K_BLOCK) return false;
  return mst_is_statement(mst_place_kind(statement));
}

bool mst_is_called_under(mst_place call, const char *prefix) {
  const char *name = mst_called_name(call);
  return name != NULL && mst_starts_with(name, prefix);
}

mst_node_id mst_subject(mst_place call) {
  return mst_is_called_under(call, "ndarray.") ? mst_receiver(call) : mst_argument(call, 0, NULL);
}

mst_place mst_place_of_storage(const mst_program *program, uint32_t storage) {
  uint32_t low = 0, high = program->module_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (program->modules[middle].node_base <= storage)
      low = middle;
    else
      high = middle;
  }
  const mst_module *module = &program->modules[low];
  const uint32_t node = storage - module->node_base;
  return (mst_place){program, module, node < module->tree->count ? node : 0};
}

/* The next axis from `at` on that is not known to be of length one; the rank at the end. */
static int next_long_axis(const mst_values *values, const mst_value *array, int at) {
  while (at < array->rank && mst_extent(values, array, at) == 1)
    at++;
  return at;
}

/* The same lengths in the same order, units left out; unknown ones are taken to fit. */
static bool have_same_long_axes(const mst_values *values, const mst_value *a, const mst_value *b) {
  int i = next_long_axis(values, a, 0), j = next_long_axis(values, b, 0);
  while (i < a->rank && j < b->rank) {
    const int64_t in_a = mst_extent(values, a, i), in_b = mst_extent(values, b, j);
    if (in_a >= 0 && in_b >= 0 && in_a != in_b) return false;
    i = next_long_axis(values, a, i + 1);
    j = next_long_axis(values, b, j + 1);
  }
  return i == a->rank && j == b->rank;
}

/* An array of unknown rank that is made a row or column is taken for a vector. */
static bool is_row_or_column(const mst_values *values, const mst_value *array) {
  const int first = next_long_axis(values, array, 0);
  return array->rank > 1 && next_long_axis(values, array, first + 1) == array->rank;
}

bool mst_only_moves_unit_axes(mst_place reshape) {
  const mst_values *values = &reshape.program->values;
  const mst_node_id subject = mst_subject(reshape);
  const mst_value *after = mst_value_at(reshape);
  const mst_api *api = mst_called_api(reshape);
  if (api == NULL || (api->effect != MST_E_RESHAPED && api->effect != MST_E_RAVELLED)) return false;
  if (subject == 0 || after->rank < 0) return false;
  const mst_value *before = mst_value_at(mst_place_at(reshape, subject));
  if (before->rank < 0) return is_row_or_column(values, after);
  if (before->rank == after->rank) return after->rank == 1;
  return have_same_long_axes(values, before, after);
}

bool mst_may_stand(const mst_rule_context *context, mst_place place) {
  const mst_heat heat = mst_heat_at(place);
  switch (context->rule->counts) {
  case MST_COUNTS_HOT: return heat == MST_HEAT_HOT || heat == MST_HEAT_UNKNOWN;
  case MST_COUNTS_HOT_PATH: return heat >= MST_HEAT_UNKNOWN;
  default: return true;
  }
}

const mst_loop *mst_repeating_loop(mst_place place) {
  const mst_loop *loop = mst_loop_at(place);
  while (loop != NULL && !loop->is_hot && !loop->is_unknown)
    loop = mst_loop_outside(place.program, loop);
  return loop;
}

bool mst_gives_view(const mst_api *api) {
  switch (api->effect) {
  case MST_E_CONVERTED:
  case MST_E_RESHAPED:
  case MST_E_RAVELLED:
  case MST_E_TRANSPOSED:
  case MST_E_EXPANDED:
  case MST_E_SQUEEZED:
  case MST_E_FLIPPED:
  case MST_E_DIAGONAL:
  case MST_E_ARRAYS: return true;
  default: return false;
  }
}

bool mst_is_out(mst_place call, mst_place argument) {
  const mst_api *api = mst_called_api(call);
  if (mst_place_is(argument, MST_K_KEYWORD)) return strcmp(mst_place_name(argument), "out") == 0;
  if (api == NULL || api->out_at < 0) return false;
  for (int at = api->out_at;; at++) { /* np.modf has two */
    const mst_node_id given = mst_argument(call, at, NULL);
    if (given == 0 || given == argument.node) return given != 0;
  }
}

static bool is_index_trick(mst_place place) {
  static const char *const names[] = {"numpy.r_", "numpy.c_", NULL};
  return mst_place_is(place, MST_K_SUBSCRIPT) &&
         mst_one_of(mst_expression_name(mst_place_child(place, 0)), names);
}

bool mst_is_stacking(mst_place place) {
  if (!mst_place_is(place, MST_K_CALL)) return is_index_trick(place);
  const mst_api *api = mst_called_api(place);
  return api != NULL && (api->traits & MST_T_STACKS) != 0 && mst_is_called_under(place, "numpy.");
}
