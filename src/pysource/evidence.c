/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of evidence: why a value is said to be an array. */
#include "pysource/values.h"

#define MAX_CHAIN 8

static uint32_t hash_step(const mst_step *step) {
  return mst_mix(mst_mix(step->kind, ((uint64_t)step->module << 32) | step->node), step->before);
}

static void grow_step_slots(mst_values *values) {
  const uint32_t count = values->step_slot_count * 2;
  uint32_t *slots = mst_arena_new(values->arena, count * sizeof *slots);
  for (uint32_t i = 1; i < values->steps.length; i++) {
    uint32_t at = hash_step(&values->steps.data[i]) & (count - 1);
    while (slots[at] != 0)
      at = (at + 1) & (count - 1);
    slots[at] = i;
  }
  values->step_slots = slots;
  values->step_slot_count = count;
}

static uint32_t intern_step(mst_values *values, const mst_step *step) {
  if (values->steps.length * 4 > values->step_slot_count * 3ull) grow_step_slots(values);
  const uint32_t mask = values->step_slot_count - 1;
  uint32_t at = hash_step(step) & mask;
  for (; values->step_slots[at] != 0; at = (at + 1) & mask) {
    const mst_step *other = &values->steps.data[values->step_slots[at]];
    if (other->kind == step->kind && other->module == step->module && other->node == step->node &&
        other->before == step->before)
      return values->step_slots[at];
  }
  const uint32_t index = (uint32_t)values->steps.length;
  mst_arena_push(values->arena, &values->steps, *step);
  values->step_slots[at] = index;
  return index;
}

mst_value mst_value_because(mst_values *values, mst_value value, mst_step_kind kind,
                            uint32_t module, mst_node_id node) {
  if (!mst_is_array(&value) && value.kind != MST_V_DEFERRED) return value;
  const mst_step *before = &values->steps.data[value.why];
  if (before->length >= MAX_CHAIN) return value;
  /* The same place twice is a cycle: through a loop, or through recursion. */
  for (uint32_t at = value.why; at != 0; at = values->steps.data[at].before)
    if (values->steps.data[at].node == node && values->steps.data[at].module == module)
      return value;
  const mst_step step = {.kind = (uint8_t)kind,
                         .length = (uint8_t)(before->length + 1),
                         .module = module,
                         .node = node,
                         .before = value.why};
  value.why = intern_step(values, &step);
  return value;
}

mst_value mst_value_because_again(mst_values *values, mst_value value, mst_step_kind kind,
                                  uint32_t module, mst_node_id node, uint32_t likely) {
  if (!mst_is_array(&value) && value.kind != MST_V_DEFERRED) return value;
  const mst_step *last = &values->steps.data[likely];
  if (likely == 0 || last->kind != kind || last->module != module || last->node != node ||
      last->before != value.why)
    return mst_value_because(values, value, kind, module, node);
  value.why = likely;
  return value;
}
