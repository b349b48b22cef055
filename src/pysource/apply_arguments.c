/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a call to NumPy, and the plainest results. */
#include <string.h>

#include "pysource/apply.h"

/* Argument counted with the array as number 0, also for methods. */
mst_value mst_apply_given(const mst_applied *applied, int position, const char *keyword) {
  if (applied->receiver != NULL) {
    if (position == 0) return *applied->receiver;
    position--;
  }
  return mst_argument_value(applied->in, applied->call, position, keyword);
}

bool mst_apply_is_given(const mst_value *value) { return value->kind != MST_V_BOTTOM; }

static mst_dtype_class dtype_by_name(const char *name) {
  static const struct {
    const char *begin;
    mst_dtype_class dtype;
  } names[] = {{"bool", MST_D_BOOL},
               {"?", MST_D_BOOL},
               {"int", MST_D_INT},
               {"uint", MST_D_INT},
               {"i", MST_D_INT},
               {"u", MST_D_INT},
               {"g", MST_D_LONG_DOUBLE},
               {"G", MST_D_LONG_DOUBLE},
               {"f16", MST_D_LONG_DOUBLE},
               {"c32", MST_D_LONG_DOUBLE},
               {"long", MST_D_LONG_DOUBLE},
               {"float128", MST_D_LONG_DOUBLE},
               {"complex256", MST_D_LONG_DOUBLE},
               {"clongdouble", MST_D_LONG_DOUBLE},
               {"float", MST_D_FLOAT},
               {"f", MST_D_FLOAT},
               {"d", MST_D_FLOAT},
               {"double", MST_D_FLOAT},
               {"single", MST_D_FLOAT},
               {"half", MST_D_FLOAT},
               {"complex", MST_D_COMPLEX},
               {"c", MST_D_COMPLEX},
               {"object", MST_D_OBJECT},
               {"O", MST_D_OBJECT},
               {"str", MST_D_STRING},
               {"S", MST_D_STRING},
               {"U", MST_D_STRING},
               {"bytes", MST_D_STRING},
               {"datetime64", MST_D_TIME},
               {"timedelta64", MST_D_TIME},
               {"M8", MST_D_TIME},
               {"m8", MST_D_TIME},
               {"void", MST_D_STRUCT}};
  mst_dtype_class found = MST_D_UNKNOWN;
  size_t longest = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t length = strlen(names[i].begin);
    if (length > longest && strncmp(name, names[i].begin, length) == 0) {
      found = names[i].dtype;
      longest = length;
    }
  }
  return found;
}

/* dtype= as a value: np.float32, "f8", float, a name. */
mst_dtype_class mst_apply_dtype(const mst_applied *applied, int position) {
  mst_interp *in = applied->in;
  const mst_node_id node =
      mst_argument_node(in->tree, &in->program->symbols, applied->call, position, "dtype");
  if (node == 0) return MST_D_UNKNOWN;
  const mst_value *value = &in->module->values[node];
  if (mst_kind_of(in->tree, node) == MST_K_ATTRIBUTE &&
      mst_in_node(in, node)->name == MST_SYM_dtype) {
    const mst_value *array = &in->module->values[mst_child(in->tree, node, 0)];
    return mst_is_array(array) ? (mst_dtype_class)array->dtype : MST_D_UNKNOWN;
  }
  if ((value->flags & MST_VF_PARAMETER) != 0) return MST_D_UNKNOWN; /* a default tells little */
  if (value->kind == MST_V_API) {
    const char *name = strrchr(mst_ref_text(in, value), '.');
    return name != NULL ? dtype_by_name(name + 1) : MST_D_UNKNOWN;
  }
  if (mst_kind_of(in->tree, node) != MST_K_STRING) return MST_D_UNKNOWN;
  const char *text = in->tree->source->text + mst_in_node(in, node)->start;
  while (*text == '"' || *text == '\'' || *text == '<' || *text == '>' || *text == '=' ||
         *text == '|')
    text++;
  return dtype_by_name(text);
}

mst_value mst_apply_fresh(const mst_applied *applied, int rank) {
  mst_value value = mst_value_array(rank, MST_CERTAIN);
  value.library = (uint8_t)applied->library;
  value.flags = MST_VF_FRESH;
  value.storage = applied->in->module->node_base + applied->call;
  return mst_because(applied->in, value, MST_STEP_MADE, applied->call);
}

mst_value mst_apply_scalar(const mst_applied *applied) {
  mst_value value = mst_apply_fresh(applied, 0);
  value.kind = MST_V_DEFERRED;
  value.flags = 0;
  value.storage = 0;
  return value;
}

/* Whether an argument may be more than one number. */
bool mst_may_be_array(const mst_value *value) {
  return value->kind == MST_V_ARRAY || value->kind == MST_V_LIST || value->kind == MST_V_TUPLE ||
         value->kind == MST_V_UNKNOWN || value->kind == MST_V_OBJECT ||
         value->kind == MST_V_ITERATOR || value->kind == MST_V_RANGE;
}

mst_confidence mst_apply_trust(const mst_value *value) {
  if (mst_is_arrayish(value)) return (mst_confidence)value->confidence;
  return value->kind == MST_V_UNKNOWN || value->kind == MST_V_BOTTOM ? MST_LIKELY : MST_CERTAIN;
}
