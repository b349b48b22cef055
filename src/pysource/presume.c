/* SPDX-License-Identifier: Apache-2.0 */
/* What a parameter or an attribute is, when no caller tells: by its default, by its use. */
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"
#include "pysource/reads.h"
#include "pysource/uses.h"

/* ---- defaults ------------------------------------------------------------------------------------------------ */

mst_value mst_default_value(mst_interp *in, mst_node_id node) {
  if (node == 0 || mst_kind_of(in->tree, node) == MST_K_EMPTY)
    return mst_value_of_kind(MST_V_BOTTOM);
  mst_value value = in->module->values[node];
  if (value.kind == MST_V_BOTTOM) value = mst_eval(in, node);
  if (value.kind == MST_V_NONE) return mst_value_of_kind(MST_V_BOTTOM);
  return mst_value_as_default(in->values, value);
}

/* ---- items --------------------------------------------------------------------------------------- */

#define MOST_NESTED 3 /* levels of containers: octaves of images */

static mst_value items_by_use(mst_interp *in, uint32_t function, mst_symbol name, mst_node_id root,
                              unsigned depth);

/* A list of what the loop uses its target as; UNKNOWN: that does not tell. */
static mst_value list_of_target(mst_interp *in, uint32_t function, mst_node_id target,
                                mst_node_id block, unsigned depth) {
  const mst_symbol name = mst_in_node(in, target)->name;
  const mst_node_id end = mst_subtree_end(in->tree, block);
  mst_use use = {0};
  if (mst_kind_of(in->tree, target) != MST_K_NAME) return mst_value_unknown();
  for (mst_node_id id = block; id < end; id++) {
    const mst_node *node = mst_in_node(in, id);
    if (node->kind != MST_K_NAME || node->name != name) continue;
    if ((node->flags & MST_F_STORE) != 0) return mst_value_unknown();
    mst_note_use(in, function, &use, id);
  }
  mst_value item = use.array > 0 ? mst_value_from_use(in, &use, name) : mst_value_unknown();
  if (!mst_is_array(&item)) item = items_by_use(in, function, name, block, depth);
  return item.kind == MST_V_UNKNOWN ? item : mst_value_container_of(in->values, MST_V_LIST, item);
}

/* The same for `for target in iterable`, where the iterable goes over the name. */
static mst_value list_of_items(mst_interp *in, uint32_t function, mst_symbol name,
                               mst_node_id iterable, mst_node_id target, mst_node_id block,
                               unsigned depth) {
  const mst_node *node = mst_in_node(in, iterable);
  if (node->kind == MST_K_SUBSCRIPT) node = mst_in_node(in, node->first); /* octave[1:] */
  if (node->kind == MST_K_NAME && node->name == name)
    return list_of_target(in, function, target, block, depth);
  if (node->kind != MST_K_CALL) return mst_value_unknown();
  const mst_node *callee = mst_in_node(in, node->first);
  const char *called = mst_symbol_text(&in->program->symbols, callee->name);
  const bool is_zip = strcmp(called, "zip") == 0, counts = strcmp(called, "enumerate") == 0;
  mst_node_id part = target;
  if (is_zip || counts) {
    if (mst_kind_of(in->tree, target) != MST_K_TUPLE) return mst_value_unknown();
    part = mst_child(in->tree, target, counts ? 1 : 0);
  } else if (strcmp(called, "reversed") != 0 && strcmp(called, "tqdm") != 0) {
    return mst_value_unknown();
  }
  mst_value value = mst_value_unknown();
  for (mst_node_id argument = callee->next; argument != 0 && part != 0;
       argument = mst_in_node(in, argument)->next) {
    value = list_of_items(in, function, name, argument, part, block, depth);
    if (!is_zip || value.kind != MST_V_UNKNOWN) break;
    part = mst_in_node(in, part)->next;
  }
  return value;
}

/* What a parameter is whose items are used like arrays, or hold such items. */
static mst_value items_by_use(mst_interp *in, uint32_t function, mst_symbol name, mst_node_id root,
                              unsigned depth) {
  const mst_node_id end = mst_subtree_end(in->tree, root);
  if (depth == 0 || end - root > MST_LONG_BODY) return mst_value_unknown();
  for (mst_node_id id = root; id < end; id++) {
    if (mst_kind_of(in->tree, id) != MST_K_FOR) continue;
    const mst_value value =
        list_of_items(in, function, name, mst_child(in->tree, id, 1), mst_child(in->tree, id, 0),
                      mst_child(in->tree, id, 2), depth - 1);
    if (value.kind != MST_V_UNKNOWN) return value;
  }
  return mst_value_unknown();
}

/* ---- parameters and attributes ----------------------------------------------------------------------------- */

/* Where NumPy is not the only one with arrays, x.shape is no evidence. */
enum { OTHER_TENSORS = 1, OTHER_FRAMES = 2 };

static unsigned other_libraries(const mst_interp *in) {
  return (in->unit->tensors > 0 ? OTHER_TENSORS : 0) | (in->unit->frames > 0 ? OTHER_FRAMES : 0);
}

/* The first node of each list that in->next_use goes on with. */
typedef mst_node_id *mst_uses;

/* Where a function uses its parameters, by slot. */
static mst_uses uses_of_parameters(mst_interp *in, uint32_t index) {
  const mst_function *function = &in->program->functions.data[index];
  mst_uses uses = mst_arena_new(in->arena, (function->parameter_count + 1) * sizeof *uses);
  for (mst_node_id id = mst_subtree_end(in->tree, function->node); id-- > function->node;) {
    const mst_binding binding = in->unit->bindings[id];
    if (mst_in_node(in, id)->kind != MST_K_NAME || binding.owner != index ||
        binding.slot >= function->parameter_count)
      continue;
    in->next_use[id] = uses[binding.slot];
    uses[binding.slot] = id;
  }
  return uses;
}

/* Where a class uses its attributes by `self`, in their order. */
static mst_uses uses_of_attributes(mst_interp *in, const mst_class *class_) {
  mst_uses uses = mst_arena_new(in->arena, (class_->attributes.length + 1) * sizeof *uses);
  for (mst_node_id id = mst_subtree_end(in->tree, class_->node); id-- > class_->node;) {
    const mst_node *node = mst_in_node(in, id);
    if (node->kind != MST_K_ATTRIBUTE) continue;
    const mst_node *object = mst_in_node(in, node->first);
    if (object->kind != MST_K_NAME || object->name != MST_SYM_self) continue;
    const uint32_t place = mst_index_find(&class_->attribute_index, node->name);
    if (place == 0) continue;
    in->next_use[id] = uses[place - 1];
    uses[place - 1] = id;
  }
  return uses;
}

/* np.array([f(v) for v in x]): where the function makes an array of the items, x is none yet. */
static bool is_converted(mst_interp *in, uint32_t function, mst_node_id use) {
  char text[160];
  mst_node_id parent = mst_in_node(in, use)->parent;
  if (mst_kind_of(in->tree, parent) != MST_K_COMP_FOR || mst_child(in->tree, parent, 1) != use)
    return false;
  parent = mst_in_node(in, mst_in_node(in, parent)->parent)->parent;
  if (mst_kind_of(in->tree, parent) != MST_K_CALL) return false;
  const char *name =
      mst_dotted_name(in, function, mst_child(in->tree, parent, 0), text, sizeof text);
  const mst_api *api = name != NULL ? mst_api_find(name) : NULL;
  return api != NULL && api->effect == MST_E_CONVERTED;
}

/* The first use that makes an array of the parameter's items; 0: none. */
static mst_node_id conversion_of(mst_interp *in, uint32_t function, mst_node_id uses) {
  mst_node_id id = uses;
  while (id != 0 && !is_converted(in, function, id))
    id = in->next_use[id];
  return id;
}

/* Where the parameter's name no longer stands for what was given: x = np.asarray(x). */
static mst_node_id end_of_material(const mst_interp *in, mst_node_id conversion) {
  const mst_node_id statement = mst_statement_of(in->tree, conversion);
  const mst_node *target = mst_in_node(in, mst_in_node(in, statement)->first);
  const bool is_rebound = mst_kind_of(in->tree, statement) == MST_K_ASSIGN &&
                          target->kind == MST_K_NAME &&
                          target->name == mst_in_node(in, conversion)->name;
  return is_rebound ? mst_subtree_end(in->tree, statement) : in->tree->count;
}

/* True when some use stands in what a `for` goes over: most parameters need no further search. */
static bool is_iterated(const mst_interp *in, mst_node_id uses) {
  for (mst_node_id id = uses; id != 0; id = in->next_use[id]) {
    mst_node_id up = id, parent = mst_in_node(in, id)->parent;
    while (mst_kind_of(in->tree, parent) == MST_K_CALL ||
           mst_kind_of(in->tree, parent) == MST_K_SUBSCRIPT) {
      up = parent;
      parent = mst_in_node(in, parent)->parent;
    }
    if (mst_kind_of(in->tree, parent) == MST_K_FOR && mst_child(in->tree, parent, 1) == up)
      return true;
  }
  return false;
}

/* What a parameter is by its place: self, cls, *rest, **options. BOTTOM: that does not tell. */
static mst_value by_place(const mst_interp *in, const mst_function *function,
                          const mst_parameter *parameter, uint32_t number) {
  if (function->class_ != 0 && number == 0 && !function->is_static) {
    mst_value self = mst_value_of_kind(function->is_class_method ? MST_V_CLASS : MST_V_INSTANCE);
    self.ref = function->class_ - 1;
    return self;
  }
  const uint16_t flags = mst_in_node(in, parameter->node)->flags;
  if ((flags & MST_F_STAR) != 0) return mst_value_of_kind(MST_V_TUPLE);
  return mst_value_of_kind((flags & MST_F_DOUBLE_STAR) != 0 ? MST_V_DICT : MST_V_BOTTOM);
}

/* Whether an annotation says enough. A class that says what a module of arrays has does not: which
 * one it is, its use tells. */
static bool is_settled(const mst_value *annotated, mst_symbol name) {
  const bool is_protocol = (annotated->flags & MST_VF_DECLARED) != 0 && mst_is_module_name(name);
  return annotated->kind != MST_V_BOTTOM && annotated->kind != MST_V_UNKNOWN && !is_protocol;
}

/* An array that a docstring promises may be that of another library. */
static bool is_foreign(const mst_interp *in, const mst_value *documented, unsigned others) {
  return mst_is_array(documented) && (others & OTHER_TENSORS) != 0 && !in->module->imports_numpy &&
         !in->module->imports_cupynumeric;
}

/* How the parameter is used up to the node `end`, as far as that is evidence. */
static mst_use count_uses(mst_interp *in, uint32_t index, mst_node_id first, mst_node_id end,
                          unsigned others) {
  mst_use use = {0};
  for (mst_node_id id = first; id != 0 && id < end; id = in->next_use[id])
    mst_note_use(in, index, &use, id);
  /* Where nobody has NumPy, x.shape may be of anything. */
  if ((others & OTHER_TENSORS) != 0 || !in->has_numpy) use.array = use.slice = 0;
  if (others != 0 || !in->has_numpy) use.shared = 0;
  return use;
}

/* By use, from the first one on, and by the default; `conversion`: of its items to an array. */
static mst_value by_use(mst_interp *in, uint32_t index, const mst_parameter *parameter,
                        mst_node_id first, mst_node_id conversion, unsigned others) {
  const mst_value otherwise = mst_default_value(in, mst_child(in->tree, parameter->node, 1));
  const mst_node_id end = conversion != 0 ? end_of_material(in, conversion) : in->tree->count;
  const mst_use use = count_uses(in, index, first, end, others);
  const mst_value value = mst_value_from_use(in, &use, parameter->name);
  const bool has_default = otherwise.kind != MST_V_BOTTOM;
  const bool is_told = value.kind != MST_V_UNKNOWN || has_default || use.dict > 0 || use.string > 0;
  if (!is_told && is_iterated(in, first) && others == 0 && in->has_numpy)
    return items_by_use(in, index, parameter->name, in->program->functions.data[index].node,
                        MOST_NESTED);
  if (value.kind == MST_V_UNKNOWN && has_default) return otherwise;
  const bool is_like_array = use.array > 0 || use.shared > 0 || use.slice > 0;
  return otherwise.kind == MST_V_NUMBER && !is_like_array ? otherwise : value;
}

static mst_value presume(mst_interp *in, uint32_t index, const mst_parameter *parameter,
                         uint32_t number, unsigned others, mst_uses *uses) {
  const mst_function *function = &in->program->functions.data[index];
  const mst_value placed = by_place(in, function, parameter, number);
  if (placed.kind != MST_V_BOTTOM) return placed;
  const mst_value annotated = mst_presume_annotation(in, mst_child(in->tree, parameter->node, 0));
  if (is_settled(&annotated, parameter->name)) return annotated;
  bool is_like = false;
  const char *name = mst_symbol_text(&in->program->symbols, parameter->name);
  const mst_value documented = mst_presume_docstring(in, function, name, &is_like);
  const bool is_open = documented.kind == MST_V_BOTTOM || is_foreign(in, &documented, others);
  if (*uses == NULL && (is_like || is_open)) *uses = uses_of_parameters(in, index);
  const bool is_used = *uses != NULL && parameter->slot < function->parameter_count;
  const mst_node_id first = is_used ? (*uses)[parameter->slot] : 0;
  const mst_node_id conversion = is_like ? conversion_of(in, index, first) : 0;
  if (!is_open && conversion == 0) return documented;
  return by_use(in, index, parameter, first, conversion, others);
}

void mst_presume_parameters(mst_interp *in, uint32_t index) {
  mst_function *function = &in->program->functions.data[index];
  const unsigned others = other_libraries(in);
  mst_uses uses = NULL; /* until they are asked for */
  for (uint32_t i = 0; i < function->parameter_count; i++) {
    function = &in->program->functions.data[index];
    if (function->parameters[i].name == 0) continue;
    const mst_value value = presume(in, index, &function->parameters[i], i, others, &uses);
    in->program->functions.data[index].parameters[i].presumed = value;
  }
}

void mst_presume_attributes(mst_interp *in, uint32_t class_index) {
  mst_class *class_ = &in->program->classes.data[class_index];
  if (!in->has_numpy || (other_libraries(in) & OTHER_TENSORS) != 0) return;
  mst_uses uses = uses_of_attributes(in, class_);
  for (size_t i = 0; i < class_->attributes.length; i++) {
    struct mst_attribute *attribute = &class_->attributes.data[i];
    if (attribute->value.kind != MST_V_UNKNOWN && attribute->value.kind != MST_V_NONE) continue;
    mst_use use = {0};
    for (mst_node_id id = uses[i]; id != 0; id = in->next_use[id])
      mst_note_use(in, in->module->function_of[id], &use, id);
    const mst_value value = mst_value_from_use(in, &use, attribute->name);
    if (!mst_is_array(&value)) continue;
    class_->attributes.data[i].value = value;
    mst_note_change(in, attribute->name);
  }
}
