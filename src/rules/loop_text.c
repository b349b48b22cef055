/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/loop_text.h"

#include "rules/suggest.h"

#define MOST_NAMES 4

const char *mst_loop_text(const mst_rule_context *context, mst_place loop) {
  const mst_tree *tree = loop.module->tree;
  const mst_place first = mst_place_at(loop, mst_child(tree, loop.node, 0));
  const mst_place second = mst_place_at(loop, mst_child(tree, loop.node, 1));
  switch (mst_kind_of(tree, loop.node)) {
  case MST_K_FOR:
    return mst_format_text(context->arena, "for %s in %s", mst_text_of(context, first),
                           mst_text_of(context, second));
  case MST_K_WHILE: return mst_format_text(context->arena, "while %s", mst_text_of(context, first));
  default: return mst_text_of(context, loop);
  }
}

const char *mst_walked_text(const mst_rule_context *context, const mst_loop *loop) {
  const uint32_t count = loop->walked_count < MOST_NAMES ? loop->walked_count : MOST_NAMES;
  const char *text = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const char *name = mst_symbol_text(&context->program->symbols, loop->walked[i]);
    const char *joint = i + 1 == loop->walked_count ? " and" : ",";
    text = text == NULL ? mst_format_text(context->arena, "`%s`", name)
                        : mst_format_text(context->arena, "%s%s `%s`", text, joint, name);
  }
  return count < loop->walked_count ? mst_format_text(context->arena, "%s and others", text) : text;
}

static bool counts(const mst_loop *loop, mst_symbol name) {
  for (uint32_t i = 0; i < loop->counter_count; i++)
    if (loop->counters[i] == name) return true;
  return false;
}

const char *mst_counter_around(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_loop *loop = mst_loop_at(place);
  if (loop == NULL || mst_kind_of(tree, loop->node) != MST_K_FOR) return NULL;
  /* Of `for i, x in enumerate(...)` it is the first one. */
  const mst_node *target = mst_node_at(tree, mst_node_at(tree, loop->node)->first);
  if (target->kind == MST_K_TUPLE) target = mst_node_at(tree, target->first);
  if (target->kind != MST_K_NAME || !counts(loop, target->name)) return NULL;
  return mst_symbol_text(&place.program->symbols, target->name);
}
