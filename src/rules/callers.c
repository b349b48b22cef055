/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/callers.h"

/* 1-based; 0: no parameter has the name. */
static uint32_t parameter_of(const mst_function *function, mst_symbol name) {
  for (uint32_t i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].name == name) return i + 1;
  return 0;
}

bool mst_callers_agree(mst_place name, unsigned depth, mst_argument_test test) {
  const mst_program *program = name.program;
  const mst_function *function = mst_function_at(name);
  const mst_symbol symbol = mst_node_at(name.module->tree, name.node)->name;
  const uint32_t parameter = parameter_of(function, symbol);
  if (parameter == 0 || depth == 0) return true;
  const bool is_bound = function->class_ != 0 && !function->is_static;
  const int position = (int)parameter - 1 - (is_bound ? 1 : 0);
  if (position < 0) return true;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_call_site *site = &function->callers.data[i];
    const mst_function *caller = &program->functions.data[site->function];
    const mst_place call = {program, &program->modules[caller->module], site->node};
    if (mst_kind_of(call.module->tree, call.node) != MST_K_CALL) continue;
    if (mst_called_function(call) != function || mst_heat_at(call) != MST_HEAT_HOT) continue;
    const mst_node_id given =
        mst_argument(call, position, mst_symbol_text(&program->symbols, symbol));
    if (given != 0 && !test(mst_place_at(call, given), depth - 1)) return false;
  }
  return true;
}
