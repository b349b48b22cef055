/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/callers.h"

bool mst_callers_agree(mst_place name, unsigned depth, mst_argument_test test) {
  const mst_function *function = mst_function_at(name);
  const mst_symbol symbol = mst_node_at(name.module->tree, name.node)->name;
  const uint32_t parameter = mst_parameter_by_name(function, symbol);
  if (parameter == function->parameter_count || depth == 0) return true;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_place call = mst_call_place(name.program, &function->callers.data[i]);
    const mst_node_id given = mst_given_to(call, function, parameter);
    if (given == 0 || mst_heat_at(call) != MST_HEAT_HOT) continue;
    if (!test(mst_place_at(call, given), depth - 1)) return false;
  }
  return true;
}
