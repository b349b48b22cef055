/* SPDX-License-Identifier: Apache-2.0 */
/* Short ways to ask about a place, for rules. */
#ifndef MST_RULES_PLACES_H
#define MST_RULES_PLACES_H

#include "rules/common.h"
#include "rules/rule.h"

static inline const mst_node *mst_place_node(mst_place place) {
  return mst_node_at(place.module->tree, place.node);
}
static inline mst_kind mst_place_kind(mst_place place) {
  return mst_kind_of(place.module->tree, place.node);
}
/* Child number `index`; node 0 when there is none. */
static inline mst_place mst_place_child(mst_place place, unsigned index) {
  return mst_place_at(place, mst_child(place.module->tree, place.node, index));
}
static inline mst_place mst_place_parent(mst_place place) {
  return mst_place_at(place, mst_place_node(place)->parent);
}
/* The identifier of a NAME, ATTRIBUTE, KEYWORD ...; "" when it has none. */
static inline const char *mst_place_name(mst_place place) {
  const mst_symbol symbol = mst_place_node(place)->name;
  return symbol != 0 ? mst_symbol_text(&place.program->symbols, symbol) : "";
}
static inline bool mst_place_is(mst_place place, mst_kind kind) {
  return place.node != 0 && mst_place_kind(place) == kind;
}

/* True for an operator, a test, a slice or a formatted text: it makes something else of what stands
 * directly in it, and keeps nothing of that. */
static inline bool mst_uses_up(mst_kind around) {
  static const bool kinds[MST_KINDS] = {
      [MST_K_BINARY] = true,  [MST_K_UNARY] = true,      [MST_K_NOT] = true,
      [MST_K_COMPARE] = true, [MST_K_SLICE] = true,      [MST_K_FSTRING] = true,
      [MST_K_PRINT] = true,   [MST_K_EXPRESSION] = true, [MST_K_IF] = true,
      [MST_K_WHILE] = true,   [MST_K_ASSERT] = true};
  return kinds[around];
}

/* True for a statement without a block: its lines can be shown as a whole. */
bool mst_is_simple_statement(mst_place statement);
/* True when the call's full name begins with the prefix. */
bool mst_is_called_under(mst_place call, const char *prefix);

/* The array that a function of NumPy works on: the object of a method, else the first argument; 0:
 * none. */
mst_node_id mst_subject(mst_place call);
/* Where the memory of an array was allocated: the value's storage; node 0 when that is not known.
 */
mst_place mst_place_of_storage(const mst_program *program, uint32_t storage);
/* True when a reshape of arrays seen to be such only adds or takes away axes of length one. */
bool mst_only_moves_unit_axes(mst_place reshape);

/* True when a finding of the rule at hand has a meaning at a place of this heat: rules about cost
 * say nothing of set-up code and of what runs every so often. */
bool mst_may_stand(const mst_rule_context *context, mst_place place);

/* The innermost loop of the function around the place that may run many times; NULL: none, what is
 * repeated is the function itself. */
const mst_loop *mst_repeating_loop(mst_place place);
/* True when the expression, an array or what a shape is made of, is seen to be of the same shape
 * whenever its place is reached again. */
bool mst_has_fixed_shape(mst_place expression);
/* True when the value may outlive one turn: it is returned, yielded, stored or appended, directly
 * or under the name that it is bound to. */
bool mst_is_kept(mst_place expression);
/* True when this use of an array may give it another name or owner: what is done to the array in
 * place later on would be seen there. */
bool mst_is_handed_on(mst_place use);

/* True for what gives back a view of an array, in NumPy or here. */
bool mst_gives_view(const mst_api *api);
/* True for a call of NumPy whose result may be its argument, or a view of it. */
bool mst_may_give_view(mst_place call, mst_place argument);
/* True when the call writes its result into the argument, by out= or by position. */
bool mst_is_out(mst_place call, mst_place argument);

/* np.concatenate, vstack, append ... and np.r_[...], np.c_[...]. */
bool mst_is_stacking(mst_place place);

#endif
