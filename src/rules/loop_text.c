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
