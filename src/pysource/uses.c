/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/uses.h"

#include <string.h>

#include "base/str.h"

/* ---- use ---------------------------------------------------------------------------------------------- */

static void use_attribute(mst_use *use, const char *name, mst_node_id node) {
  static const char *const arrays[] = {"shape",  "T",     "ndim",    "dtype",     "reshape",
                                       "astype", "ravel", "flatten", "transpose", "squeeze",
                                       "nbytes", "conj",  NULL};
  /* Series and tensors have them, too. */
  static const char *const shared[] = {"size",   "mean", "sum",  "dot",    "std",
                                       "max",    "min",  "var",  "real",   "argmax",
                                       "argmin", "imag", "fill", "cumsum", NULL};
  if (mst_one_of(name, shared)) {
    use->shared++;
    use->evidence = node;
  }
  static const char *const lists[] = {"append", "extend", "insert", "pop", "remove", NULL};
  static const char *const dicts[] = {"items",      "keys",   "values", "get",
                                      "setdefault", "update", NULL};
  static const char *const strings[] = {"split",   "strip",  "lower",      "upper",
                                        "replace", "format", "startswith", "endswith",
                                        "join",    "encode", NULL};
  static const char *const frames[] = {"iloc",     "loc",      "columns", "groupby", "index",
                                       "iterrows", "to_numpy", "fillna",  "dropna",  NULL};
  if (mst_one_of(name, arrays)) {
    use->array++;
    use->evidence = node;
  }
  use->list += mst_one_of(name, lists);
  use->dict += mst_one_of(name, dicts);
  use->string += mst_one_of(name, strings);
  use->frame += mst_one_of(name, frames);
}

static bool makes_indices(mst_interp *in, uint32_t function, mst_node_id call) {
  char text[160];
  while (mst_kind_of(in->tree, call) == MST_K_SUBSCRIPT) /* np.where(m)[0] */
    call = mst_child(in->tree, call, 0);
  if (mst_kind_of(in->tree, call) != MST_K_CALL) return false;
  const char *name = mst_dotted_name(in, function, mst_child(in->tree, call, 0), text, sizeof text);
  const mst_api *api = name != NULL ? mst_api_find(name) : NULL;
  return api != NULL &&
         (api->effect == MST_E_WHERE || api->effect == MST_E_INDICES || api->effect == MST_E_INDEX);
}

/* Only an array takes np.where(...) as an index, directly or by a name that holds it. */
static bool is_index_array(mst_interp *in, uint32_t function, mst_node_id index) {
  if (makes_indices(in, function, index)) return true;
  if (mst_kind_of(in->tree, index) != MST_K_NAME) return false;
  const mst_symbol name = mst_in_node(in, index)->name;
  for (mst_node_id id = in->program->functions.data[function].node; id < index; id++) {
    if (mst_kind_of(in->tree, id) != MST_K_ASSIGN) continue;
    const mst_node *target = mst_in_node(in, mst_in_node(in, id)->first);
    if (target->kind == MST_K_NAME && target->name == name &&
        makes_indices(in, function, mst_last_child(in->tree, id)))
      return true;
  }
  return false;
}

static void use_subscript(mst_interp *in, uint32_t function, mst_use *use, mst_node_id subscript) {
  const mst_node_id index = mst_in_node(in, mst_child(in->tree, subscript, 0))->next;
  if (mst_in_node(in, index)->next != 0) {
    use->array++;
    use->evidence = subscript;
    return;
  }
  if (mst_kind_of(in->tree, index) == MST_K_STRING) use->dict++;
  if (mst_kind_of(in->tree, index) == MST_K_COMPARE || is_index_array(in, function, index)) {
    use->array++;
    use->evidence = subscript;
  }
  if (mst_kind_of(in->tree, index) != MST_K_SLICE) return;
  const mst_node *parent = mst_in_node(in, mst_in_node(in, subscript)->parent);
  const bool in_arithmetic = parent->kind == MST_K_BINARY || parent->kind == MST_K_UNARY ||
                             parent->kind == MST_K_AUG_ASSIGN ||
                             (mst_in_node(in, subscript)->flags & MST_F_STORE) != 0;
  if (in_arithmetic) {
    use->slice++;
    use->evidence = subscript;
  }
}

const char *mst_dotted_name(mst_interp *in, uint32_t function, mst_node_id node, char *text,
                            size_t size) {
  if (mst_kind_of(in->tree, node) == MST_K_ATTRIBUTE) {
    const char *before = mst_dotted_name(in, function, mst_child(in->tree, node, 0), text, size);
    if (before == NULL) return NULL;
    char inner[160];
    memcpy(inner, text, strlen(text) + 1);
    return mst_join_name(text, size, inner,
                         mst_symbol_text(&in->program->symbols, mst_in_node(in, node)->name));
  }
  if (mst_kind_of(in->tree, node) != MST_K_NAME) return NULL;
  const mst_binding binding = mst_scope_find(in, function, mst_in_node(in, node)->name);
  mst_value value;
  if (binding.owner == MST_UNBOUND)
    value = mst_eval_name(in, node);
  else
    value = in->program->functions.data[binding.owner].summary[binding.slot];
  if ((value.kind != MST_V_MODULE && value.kind != MST_V_API) || value.self != 0) return NULL;
  return mst_join_name(text, size, mst_ref_text(in, &value), "");
}

/* Functions that are given a size first, or a shape. */
static bool takes_sizes(const mst_api *api) {
  static const char *const names[] = {"numpy.indices",      "numpy.diag_indices",
                                      "numpy.tril_indices", "numpy.triu_indices",
                                      "numpy.mask_indices", NULL};
  return mst_one_of(api->name, names);
}

static void use_in_api(mst_use *use, const mst_api *api, unsigned position, mst_node_id call) {
  switch (api->effect) {
  case MST_E_SHAPED:
  case MST_E_RANGE:
  case MST_E_MATRIX:
  case MST_E_DRAW:
  case MST_E_DRAW_DIMS: use->number++; return;
  case MST_E_CONVERTED:
  case MST_E_LOADED:
  case MST_E_STACKED:
  case MST_E_DTYPE:
  case MST_E_OBJECT: return;
  case MST_E_NUMBER: /* np.isscalar(x) and its like ask what it is */
    if (strcmp(api->name, "numpy.shape") != 0) return;
    use->array++;
    break;
  case MST_E_UFUNC:
  case MST_E_WHERE: use->ufunc++; break;
  default:
    if (position != 0 && api->effect != MST_E_PRODUCT) return;
    if (takes_sizes(api)) return;
    use->array++;
    break;
  }
  use->evidence = call;
}

static void use_argument(mst_interp *in, uint32_t function, mst_use *use, mst_node_id call,
                         mst_node_id argument) {
  char text[160];
  const char *name = mst_dotted_name(in, function, mst_child(in->tree, call, 0), text, sizeof text);
  if (name == NULL) return;
  unsigned position = 0;
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next;
       child != 0 && child != argument; child = mst_in_node(in, child)->next)
    position++;
  const mst_api *api = mst_api_find(strncmp(name, "host.", 5) == 0 ? name + 5 : name);
  if (api != NULL) {
    use_in_api(use, api, position, call);
    return;
  }
  static const char *const numbers[] = {"builtins.range",
                                        "builtins.int",
                                        "builtins.float",
                                        "builtins.round",
                                        "builtins.xrange",
                                        "builtins.bool",
                                        NULL};
  if (mst_one_of(name, numbers) || strncmp(name, "math.", 5) == 0) use->number++;
  if (strcmp(name, "builtins.open") == 0 || strncmp(name, "os.", 3) == 0) use->string++;
}

/* A bare test of an array would raise: so it is a number. */
static bool is_tested(const mst_interp *in, mst_node_id node) {
  mst_node_id at = node;
  for (;;) {
    const mst_node_id parent = mst_in_node(in, at)->parent;
    switch (mst_kind_of(in->tree, parent)) {
    case MST_K_COMPARE:
      if (mst_in_node(in, parent)->op == MST_OP_IS ||
          mst_in_node(in, parent)->op == MST_OP_IS_NOT ||
          mst_in_node(in, parent)->op == MST_OP_IN || mst_in_node(in, parent)->op == MST_OP_NOT_IN)
        return false;
      break;
    case MST_K_NOT:
    case MST_K_BOOLEAN: break;
    case MST_K_IF:
    case MST_K_WHILE:
    case MST_K_ASSERT: return mst_child(in->tree, parent, 0) == at;
    case MST_K_CONDITIONAL: return mst_child(in->tree, parent, 1) == at;
    default: return false;
    }
    at = parent;
  }
}

/* One place where the parameter or attribute is read. */
void mst_note_use(mst_interp *in, uint32_t function, mst_use *use, mst_node_id node) {
  const mst_node_id parent = mst_in_node(in, node)->parent;
  const mst_node *around = mst_in_node(in, parent);
  switch ((mst_kind)around->kind) {
  case MST_K_ATTRIBUTE: {
    const char *name = mst_symbol_text(&in->program->symbols, around->name);
    use_attribute(use, name, parent);
    char full[160];
    mst_join_name(full, sizeof full, "numpy", name);
    use->module += mst_api_find(full) != NULL || strcmp(name, "linalg") == 0 ||
                   strcmp(name, "random") == 0 || strcmp(name, "fft") == 0 ||
                   strcmp(name, "pi") == 0 || strcmp(name, "ndarray") == 0;
    break;
  }
  case MST_K_SUBSCRIPT:
    if (around->first == node)
      use_subscript(in, function, use, parent);
    else
      use->number++;
    break;
  case MST_K_CALL:
    if (around->first != node) use_argument(in, function, use, parent, node);
    break;
  case MST_K_BINARY:
  case MST_K_AUG_ASSIGN:
    if (around->op == MST_OP_MATMUL) {
      use->array++;
      use->evidence = parent;
    }
    break;
  default: break;
  }
  if (is_tested(in, node)) use->number++;
}

bool mst_is_module_name(mst_symbol name) {
  return name == MST_SYM_np || name == MST_SYM_xp || name == MST_SYM_num;
}

mst_value mst_value_from_use(mst_interp *in, const mst_use *use, mst_symbol name) {
  if (use->module > 0 && mst_is_module_name(name)) {
    mst_value value = mst_value_of_kind(MST_V_MODULE);
    value.ref = mst_symbol_of(&in->program->symbols, "numpy", 5);
    return value;
  }
  if (use->frame > 0) {
    mst_value value = mst_value_of_kind(MST_V_OBJECT);
    value.ref = mst_symbol_of(&in->program->symbols, "pandas.DataFrame", 16);
    return value;
  }
  if (use->list > 0) return mst_value_of_kind(MST_V_LIST);
  if (use->string > 0 || use->dict > 0) return mst_value_unknown();
  const bool sure = use->array > 0 || use->shared > 0 || (use->slice > 0 && use->number == 0);
  if (sure || (use->ufunc > 0 && use->number == 0)) {
    mst_value value = mst_value_array(-1, MST_LIKELY);
    return mst_value_because(in->values, value, MST_STEP_USED, in->module_index, use->evidence);
  }
  return mst_value_unknown();
}
