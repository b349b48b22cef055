/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes: of classes and their instances, modules, arrays, and what the line before gave. */
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

/* Each class once: bases that have bases in common would be looked through over and over. */
static uint32_t add_line(const mst_program *program, uint32_t class_index, uint32_t *line,
                         uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (line[i] == class_index) return count;
  if (count == MST_MOST_BASES) return count;
  line[count++] = class_index;
  const mst_class *class_ = &program->classes.data[class_index];
  for (uint32_t i = 0; i < class_->base_count; i++)
    if (class_->bases[i].kind == MST_V_CLASS)
      count = add_line(program, class_->bases[i].ref, line, count);
  return count;
}

uint32_t mst_class_line(const mst_program *program, uint32_t class_index,
                        uint32_t line[MST_MOST_BASES]) {
  return add_line(program, class_index, line, 0);
}

const mst_value *mst_own_attribute(const mst_class *class_, mst_symbol name) {
  const uint32_t place = mst_index_find(&class_->attribute_index, name);
  return place != 0 ? &class_->attributes.data[place - 1].value : NULL;
}

mst_value mst_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name) {
  const mst_value *own = mst_own_attribute(&in->program->classes.data[class_index], name);
  if (own != NULL) return *own;
  uint32_t line[MST_MOST_BASES];
  const uint32_t count = mst_class_line(in->program, class_index, line);
  for (uint32_t i = 1; i < count; i++) {
    const mst_value *value = mst_own_attribute(&in->program->classes.data[line[i]], name);
    if (value != NULL && value->kind != MST_V_BOTTOM) return *value;
  }
  return mst_value_of_kind(MST_V_BOTTOM);
}

void mst_store_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name,
                               mst_value value) {
  mst_class *class_ = &in->program->classes.data[class_index];
  if (value.kind == MST_V_BOTTOM) return;
  value.flags &= (uint16_t) ~(MST_VF_FRESH | MST_VF_PARAMETER);
  const uint32_t place = mst_index_find(&class_->attribute_index, name);
  if (place != 0) {
    struct mst_attribute *attribute = &class_->attributes.data[place - 1];
    if (attribute->is_declared && mst_is_target_array(&value)) {
      value.confidence = attribute->value.confidence;
      attribute->value = value;
      attribute->is_declared = false;
      mst_note_change(in, name);
      return;
    }
    const mst_value joined = mst_value_join(in->values, attribute->value, value);
    if (mst_value_equal(&joined, &attribute->value)) return;
    attribute->value = joined;
    mst_note_change(in, name);
    return;
  }
  mst_arena_push(in->arena, &class_->attributes, (struct mst_attribute){name, value, false});
  mst_index_add(in->arena, &class_->attribute_index, name, (uint32_t)class_->attributes.length);
  mst_note_change(in, name);
}

void mst_declare_attribute(mst_interp *in, uint32_t class_index, mst_symbol name, mst_value value) {
  mst_class *class_ = &in->program->classes.data[class_index];
  const uint32_t place = mst_index_find(&class_->attribute_index, name);
  if (place != 0 && mst_is_array(&class_->attributes.data[place - 1].value)) return;
  mst_store_class_attribute(in, class_index, name, value);
  if (place == 0) class_->attributes.data[class_->attributes.length - 1].is_declared = true;
}

/* shape: a tuple of as many numbers as there are axes. */
static mst_value shape_of(mst_interp *in, const mst_value *array) {
  mst_value each[16];
  const int rank = array->rank;
  mst_value one = mst_value_of_kind(MST_V_NUMBER);
  one.flags = MST_VF_INTEGER | MST_VF_ITEM_SIZE;
  if (array->kind != MST_V_ARRAY || rank < 0 || rank > 16)
    return mst_value_container_of(in->values, MST_V_TUPLE, one);
  for (int i = 0; i < rank; i++) {
    const int64_t extent = mst_extent(in->values, array, i);
    each[i] = extent >= 0 ? mst_value_number((double)extent, true) : one;
    each[i].flags |= MST_VF_ITEM_SIZE;
    /* The size that some caller passes, often a demonstration's. */
    if ((array->flags & MST_VF_PARAMETER) != 0) each[i].flags |= MST_VF_FROM_DEFAULT;
  }
  return mst_value_container(in->values, MST_V_TUPLE, each, (uint32_t)rank);
}

static mst_value transposed(mst_interp *in, mst_value array) {
  int64_t extents[16];
  for (int i = 0; array.rank > 0 && array.rank <= 16 && i < array.rank; i++)
    extents[i] = mst_extent(in->values, &array, array.rank - 1 - i);
  array.extents = array.rank > 0 && array.rank <= 16 && array.extents != 0
                      ? mst_extents(in->values, array.rank, extents)
                      : 0;
  return array;
}

static const char *array_prefix(const mst_value *array) {
  if (array->library == MST_LIB_HOST) return "host.ndarray";
  return array->library == MST_LIB_CUPY ? "cupy.ndarray" : "ndarray";
}

static mst_value member(mst_interp *in, mst_value_kind kind, const char *owner, mst_symbol name) {
  char full[MST_NAME_BYTES];
  mst_join_name(full, sizeof full, owner, mst_symbol_text(&in->program->symbols, name));
  return mst_named(in, kind, full);
}

static mst_value array_attribute(mst_interp *in, const mst_value *array, mst_symbol name) {
  mst_value view = *array;
  view.flags = (uint16_t)((view.flags & ~(MST_VF_FRESH | MST_VF_INDEX)) | MST_VF_VIEW);
  switch (name) {
  case MST_SYM_shape: return shape_of(in, array);
  case MST_SYM_size:
  case MST_SYM_nbytes:
  case MST_SYM_itemsize: {
    mst_value number = mst_value_of_kind(MST_V_NUMBER);
    const int64_t count = name == MST_SYM_size ? mst_element_count(in->values, array) : -1;
    if (count >= 0) number = mst_value_number((double)count, true);
    number.flags |= MST_VF_INTEGER | (name == MST_SYM_size ? MST_VF_ITEM_SIZE : 0);
    return number;
  }
  case MST_SYM_ndim:
    if (array->kind == MST_V_ARRAY && array->rank >= 0) return mst_value_number(array->rank, true);
    return mst_value_of_kind(MST_V_NUMBER);
  case MST_SYM_dtype: return mst_value_of_kind(MST_V_DTYPE);
  case MST_SYM_strides:
    return mst_value_container_of(in->values, MST_V_TUPLE, mst_value_of_kind(MST_V_NUMBER));
  case MST_SYM_T: return array->kind == MST_V_ARRAY ? transposed(in, view) : view;
  case MST_SYM_flat:
    view.rank = array->kind == MST_V_ARRAY ? 1 : view.rank;
    view.extents = 0;
    return view;
  case MST_SYM_real:
  case MST_SYM_imag:
    if (view.dtype == MST_D_COMPLEX) view.dtype = MST_D_FLOAT;
    return view;
  default: return member(in, MST_V_API, array_prefix(array), name);
  }
}

static mst_value instance_attribute(mst_interp *in, const mst_value *object, mst_symbol name) {
  mst_value value = mst_class_attribute(in, object->ref, name);
  if (value.kind != MST_V_FUNCTION) return value;
  const mst_function *function = &in->program->functions.data[value.ref];
  if (function->is_property) return mst_call_function(in, 0, value.ref, object);
  if (!function->is_static) value.self = 1;
  value.extents = object->ref + 1; /* whose method: kept where functions have no extents */
  return value;
}

static mst_value object_attribute(mst_interp *in, const mst_value *object, mst_symbol name) {
  const char *type = mst_ref_text(in, object);
  if (strcmp(type, "argparse.Namespace") == 0) {
    const uint32_t place = mst_index_find(&in->unit->argument_index, name);
    return place != 0 ? in->unit->arguments.data[place - 1] : mst_value_unknown();
  }
  const char *text = mst_symbol_text(&in->program->symbols, name);
  if (mst_is_in_package(type, "sklearn.datasets") &&
      (strcmp(text, "data") == 0 || strcmp(text, "target") == 0)) {
    mst_value array = mst_value_array(-1, MST_LIKELY);
    array.library = MST_LIB_HOST;
    return array;
  }
  if (mst_is_in_package(type, "pandas") &&
      (strcmp(text, "values") == 0 || strcmp(text, "array") == 0)) {
    mst_value array = mst_value_array(-1, MST_CERTAIN);
    array.library = MST_LIB_HOST;
    return array;
  }
  char full[MST_NAME_BYTES];
  mst_join_name(full, sizeof full, type, text);
  return mst_named(in, MST_V_OBJECT, strlen(type) > 100 ? type : full);
}

static const char *container_type(const mst_value *value) {
  switch ((mst_value_kind)value->kind) {
  case MST_V_LIST: return "list";
  case MST_V_TUPLE: return "tuple";
  case MST_V_SET: return "set";
  case MST_V_DICT: return "dict";
  case MST_V_STRING: return "str";
  default: return "iterator";
  }
}

/* What a library has under a name is put together from texts once; which module of ours goes by
 * such a name depends on who asks. */
static mst_value library_attribute(mst_interp *in, const mst_value *object, mst_symbol name) {
  const bool is_module = object->kind == MST_V_MODULE;
  const uint64_t key = ((uint64_t)object->ref << 32 | name) << 1 | is_module;
  const uint32_t place = mst_index_find(&in->member_index, key);
  if (place != 0) return in->members.data[place - 1];
  char full[MST_NAME_BYTES];
  mst_value value;
  mst_join_name(full, sizeof full, mst_ref_text(in, object),
                mst_symbol_text(&in->program->symbols, name));
  if (is_module && mst_our_module(in, full, &value)) return value;
  value = mst_library_value(in, full);
  mst_arena_push(in->arena, &in->members, value);
  mst_index_add(in->arena, &in->member_index, key, (uint32_t)in->members.length);
  return value;
}

mst_value mst_attribute_of(mst_interp *in, mst_node_id node, mst_value object, mst_symbol name) {
  switch ((mst_value_kind)object.kind) {
  case MST_V_BOTTOM: return object;
  case MST_V_MODULE:
    if (object.self != 0) return mst_module_member(in, object.ref, name);
    __attribute__((fallthrough));
  case MST_V_API: return library_attribute(in, &object, name);
  case MST_V_INSTANCE: {
    const mst_value value = instance_attribute(in, &object, name);
    return mst_because(in, value, MST_STEP_ATTRIBUTE, node);
  }
  case MST_V_CLASS: {
    const mst_value value = mst_class_attribute(in, object.ref, name);
    return value.kind == MST_V_BOTTOM ? mst_value_unknown() : value;
  }
  case MST_V_ARRAY:
  case MST_V_DEFERRED: return array_attribute(in, &object, name);
  case MST_V_OBJECT: return object_attribute(in, &object, name);
  case MST_V_STRING:
  case MST_V_LIST:
  case MST_V_TUPLE:
  case MST_V_SET:
  case MST_V_DICT:
  case MST_V_ITERATOR: return member(in, MST_V_API, container_type(&object), name);
  case MST_V_NUMBER:
    if (name == MST_SYM_real || name == MST_SYM_imag) return mst_value_of_kind(MST_V_NUMBER);
    return mst_value_unknown();
  default: return mst_value_unknown();
  }
}

#define NODES_LOOKED_BACK 400

static bool calls_own_method(const mst_interp *in, mst_node_id call, mst_symbol self) {
  if (mst_kind_of(in->tree, call) != MST_K_CALL) return false;
  const mst_node *callee = mst_in_node(in, mst_in_node(in, call)->first);
  if (callee->kind != MST_K_ATTRIBUTE) return false;
  const mst_node *object = mst_in_node(in, callee->first);
  return object->kind == MST_K_NAME && object->name == self;
}

/* Arithmetic and .T tell that it is an array, whatever has made it. */
static bool is_used_as_array(const mst_interp *in, mst_node_id node) {
  const mst_node *around = mst_in_node(in, mst_in_node(in, node)->parent);
  return around->kind == MST_K_BINARY || around->kind == MST_K_UNARY ||
         (around->kind == MST_K_ATTRIBUTE &&
          (around->name == MST_SYM_T || around->name == MST_SYM_shape));
}

/* self.x.append(y), self.x[i] = y, at self.x */
static bool fills_container(const mst_interp *in, mst_node_id node) {
  const mst_node *around = mst_in_node(in, mst_in_node(in, node)->parent);
  return around->kind == MST_K_ATTRIBUTE ||
         (around->kind == MST_K_SUBSCRIPT && (around->flags & MST_F_STORE) != 0);
}

/* What the same block has given to self.x just before, if nothing in between may have changed it;
 * 0: what the whole class gives it. */
static mst_node_id given_just_before(const mst_interp *in, mst_node_id node) {
  const mst_node *attribute = mst_in_node(in, node);
  const mst_symbol self = mst_in_node(in, attribute->first)->name;
  const mst_node_id statement = mst_statement_of(in->tree, node);
  const mst_node_id block = mst_in_node(in, statement)->parent;
  if (mst_kind_of(in->tree, statement) == MST_K_WHILE) return 0; /* its test comes back */
  const mst_node_id stop = statement > NODES_LOOKED_BACK ? statement - NODES_LOOKED_BACK : 0;
  bool is_filled = false;
  for (mst_node_id id = statement - 1; id > stop && id > block; id--) {
    const mst_node *other = mst_in_node(in, id);
    if (calls_own_method(in, id, self)) return 0;
    if (other->kind != MST_K_ATTRIBUTE || other->name != attribute->name ||
        mst_in_node(in, other->first)->name != self)
      continue;
    is_filled |= fills_container(in, id);
    if ((other->flags & MST_F_STORE) == 0) continue;
    const mst_node *assignment = mst_in_node(in, other->parent);
    const bool is_plain = assignment->kind == MST_K_ASSIGN && assignment->parent == block;
    const mst_node_id given = is_plain ? mst_last_child(in->tree, other->parent) : 0;
    return is_filled && mst_is_container(&in->module->values[given]) ? 0 : given;
  }
  return 0;
}

mst_value mst_eval_attribute(mst_interp *in, mst_node_id node) {
  const mst_node_id first = mst_child(in->tree, node, 0);
  const mst_value object = mst_eval(in, first);
  if (object.kind == MST_V_INSTANCE && mst_kind_of(in->tree, first) == MST_K_NAME) {
    const mst_node_id given = given_just_before(in, node);
    mst_value value = in->module->values[given];
    value.flags &= (uint16_t)~MST_VF_FRESH;
    const bool is_vague = value.kind == MST_V_UNKNOWN || value.kind == MST_V_OBJECT;
    if (given != 0 && value.kind != MST_V_BOTTOM && !(is_vague && is_used_as_array(in, node)))
      return value;
  }
  return mst_attribute_of(in, node, object, mst_in_node(in, node)->name);
}

static bool is_placeholder(const mst_value *value) {
  return value != NULL && (value->kind == MST_V_NONE || value->kind == MST_V_NUMBER);
}

/* A base class that sets an attribute to None or a number works with what its subclasses put
 * there. */
static void fill_placeholders(mst_interp *in, uint32_t class_index, mst_symbol name,
                              mst_value value) {
  if (!mst_is_target_array(&value) && value.kind != MST_V_DEFERRED) return;
  uint32_t line[MST_MOST_BASES];
  const uint32_t count = mst_class_line(in->program, class_index, line);
  for (uint32_t i = 1; i < count; i++)
    if (is_placeholder(mst_own_attribute(&in->program->classes.data[line[i]], name)))
      mst_store_class_attribute(in, line[i], name, value);
}

void mst_store_attribute(mst_interp *in, const mst_value *object, mst_symbol name,
                         mst_value value) {
  if (object->kind == MST_V_INSTANCE) fill_placeholders(in, object->ref, name, value);
  if (object->kind == MST_V_INSTANCE || object->kind == MST_V_CLASS)
    mst_store_class_attribute(in, object->ref, name, value);
}
