/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/gaps.h"

#include <stdio.h>
#include <string.h>

#include "manifest/forms.h"
#include "rules/places.h"

#define NAME_BYTES 160

typedef struct mst_gap_search {
  const mst_manifest *manifest;
  mst_arena *arena;
  mst_gaps *gaps;
  bool unlisted;
} mst_gap_search;

/* ---- what is found ------------------------------------------------------------------------------- */

/* Gaps of one statement lie together at the end: nodes are visited in order. */
static bool is_known(const mst_gaps *gaps, mst_place place, const char *name) {
  const mst_node_id statement = mst_standing(place).node;
  for (size_t i = gaps->length; i > 0; i--) {
    const mst_gap *gap = &gaps->data[i - 1];
    if (gap->module != place.module) return false;
    const mst_node_id other = mst_statement_of(place.module->tree, gap->node);
    if (other < statement) return false;
    if (other == statement && strcmp(gap->name, name) == 0) return true;
  }
  return false;
}

static void add(mst_gap_search *search, mst_place place, mst_gap gap) {
  if (is_known(search->gaps, place, gap.name)) return;
  gap.module = place.module;
  gap.node = place.node;
  gap.heat = mst_heat_at(place);
  mst_arena_push(search->arena, search->gaps, gap);
}

static void add_form(mst_gap_search *search, mst_place place, mst_form_kind kind,
                     const char *numpy_name, const char *detail) {
  const mst_call_form *form = &mst_call_forms[kind];
  char name[NAME_BYTES];
  mst_str text = {0};
  mst_call_form_add_name(&text, form, numpy_name, detail);
  snprintf(name, sizeof name, "%s", mst_str_text(&text));
  const bool failed = text.failed;
  mst_str_reset(&text); /* before the arena may jump out */
  if (failed) mst_arena_give_up(search->arena);
  add(search, place,
      (mst_gap){.name = mst_arena_text(search->arena, name, strlen(name)),
                .level = mst_api_level_name(MST_API_NONE),
                .note = form->effect,
                .raises = true});
}

/* ---- names ----------------------------------------------------------------------------------------- */

static bool is_of_numpy(const char *name) {
  return mst_starts_with(name, "numpy.") || mst_starts_with(name, "ndarray.");
}

/* R102 and R103 say it already. */
static bool has_rule(const char *name) {
  static const char *const names[] = {"numpy.vectorize",   "numpy.frompyfunc", "numpy.nditer",
                                      "numpy.ndenumerate", "numpy.ndindex",    NULL};
  return mst_one_of(name, names);
}

/* What only sets or tells how NumPy itself works is no work on the path of any array. */
static bool is_setting(const char *name) {
  static const char *const names[] = {"numpy.set_printoptions", "numpy.get_printoptions",
                                      "numpy.printoptions",     "numpy.seterr",
                                      "numpy.geterr",           "numpy.errstate",
                                      "numpy.seterrcall",       "numpy.geterrcall",
                                      "numpy.setbufsize",       "numpy.getbufsize",
                                      "numpy.show_config",      "numpy.show_runtime",
                                      "numpy.get_include",      "numpy.info",
                                      "numpy.isdtype",          "numpy.mintypecode",
                                      "numpy.typename",         NULL};
  return mst_one_of(name, names);
}

static void look_up(mst_gap_search *search, mst_place place, const char *name) {
  if (!is_of_numpy(name) || has_rule(name)) return;
  const mst_api_support *found = mst_manifest_find(search->manifest, name);
  if (found != NULL) {
    if (found->level == MST_API_MULTI) return;
    add(search, place,
        (mst_gap){.name = found->name,
                  .level = mst_api_level_name(found->level),
                  .is_setting = is_setting(found->name),
                  .note = found->note[0] != '\0' ? found->note : NULL});
  } else if (search->unlisted && mst_manifest_seen_absent(search->manifest, name)) {
    add(search, place,
        (mst_gap){.name = mst_arena_text(search->arena, name, strlen(name)),
                  .level = mst_api_level_name(MST_API_UNLISTED)});
  }
}

/* True where a name only tells a type apart: isinstance(), annotations, except. */
static bool is_only_named(mst_place place) {
  static const char *const tests[] = {"builtins.isinstance", "builtins.issubclass",
                                      "numpy.issubdtype", NULL};
  const mst_tree *tree = place.module->tree;
  mst_node_id id = place.node;
  for (mst_node_id parent = tree->nodes[id].parent; parent != 0;
       id = parent, parent = tree->nodes[id].parent) {
    switch (mst_kind_of(tree, parent)) {
    case MST_K_CALL:
      if (mst_one_of(mst_called_name(mst_place_at(place, parent)), tests)) return true;
      break;
    case MST_K_PARAMETER:
    case MST_K_EXCEPT: return mst_child(tree, parent, 0) == id;
    case MST_K_FUNCTION:
    case MST_K_ANN_ASSIGN: return mst_child(tree, parent, 1) == id;
    default:
      if (mst_is_statement(mst_kind_of(tree, parent))) return false;
    }
  }
  return false;
}

/* What is called is looked at with its call, `np.linalg` with the name that it is part of. */
static bool is_part_of_name(mst_place place) {
  const mst_place parent = mst_place_parent(place);
  if (mst_place_node(parent)->first != place.node) return false;
  return mst_place_is(parent, MST_K_CALL) ||
         (mst_place_is(parent, MST_K_ATTRIBUTE) && mst_expression_name(place) != NULL);
}

/* A function that is handed on, a dtype, an attribute of an array: whatever is not called here. */
static void look_at_name(mst_gap_search *search, mst_place place) {
  if (is_part_of_name(place) || (mst_place_node(place)->flags & (MST_F_STORE | MST_F_DEL)) != 0)
    return;
  const char *name = mst_expression_name(place);
  char attribute[NAME_BYTES];
  if (name == NULL && mst_place_is(place, MST_K_ATTRIBUTE) &&
      mst_is_target_array(mst_value_at(mst_place_child(place, 0)))) {
    snprintf(attribute, sizeof attribute, "ndarray.%s", mst_place_name(place));
    name = attribute;
  }
  if (name == NULL || !is_of_numpy(name) || is_only_named(place)) return;
  look_up(search, place, name);
}

/* ---- forms of call ---------------------------------------------------------------------------------- */

static bool is_ufunc(const char *name) {
  const mst_api *api = name != NULL && is_of_numpy(name) ? mst_api_find(name) : NULL;
  return api != NULL && (api->traits & MST_T_UFUNC) != 0;
}

static bool look_at_ufunc_method(mst_gap_search *search, mst_place call) {
  const mst_place callee = mst_place_child(call, 0);
  if (!mst_place_is(callee, MST_K_ATTRIBUTE)) return false;
  const char *ufunc = mst_expression_name(mst_place_child(callee, 0));
  const char *method = mst_place_name(callee);
  if (!is_ufunc(ufunc) || !mst_is_raising_ufunc_method(method)) return false;
  add_form(search, call, MST_FORM_UFUNC_METHOD, ufunc, method);
  return true;
}

static void look_at_where(mst_gap_search *search, mst_place call, const char *name) {
  const mst_node_id where = mst_argument(call, -1, "where");
  if (where == 0 || !is_ufunc(name) || mst_kind_of(call.module->tree, where) == MST_K_TRUE) return;
  add_form(search, call, MST_FORM_UFUNC_WHERE, name, NULL);
}

/* The dtype that a product raises on, when both operands are known to be of such; NULL otherwise.
 */
static const char *raising_dtype(mst_place left, mst_place right) {
  const mst_value *values[] = {mst_value_at(left), mst_value_at(right)};
  bool all_bool = true;
  for (size_t i = 0; i < 2; i++) {
    if (!mst_is_sure_array(values[i])) return NULL;
    if (values[i]->dtype != MST_D_INT && values[i]->dtype != MST_D_BOOL) return NULL;
    all_bool = all_bool && values[i]->dtype == MST_D_BOOL;
  }
  return all_bool ? "bool" : "int64";
}

static void look_at_product(mst_gap_search *search, mst_place place, const char *name,
                            mst_node_id left, mst_node_id right) {
  if (left == 0 || right == 0) return;
  const char *dtype = raising_dtype(mst_place_at(place, left), mst_place_at(place, right));
  if (dtype != NULL) add_form(search, place, MST_FORM_PRODUCT_DTYPE, name, dtype);
}

static void look_at_product_call(mst_gap_search *search, mst_place call, const char *name) {
  if (strcmp(name, "ndarray.dot") == 0) {
    look_at_product(search, call, "numpy.dot", mst_receiver(call), mst_argument(call, 0, "b"));
  } else if (mst_is_float_only_product(name)) {
    const int first = strcmp(name, "numpy.einsum") == 0 ? 1 : 0; /* behind the subscripts */
    look_at_product(search, call, name, mst_argument(call, first, NULL),
                    mst_argument(call, first + 1, NULL));
  }
}

/* The place where an array comes to have too many axes, not what is made of it afterwards. */
static void look_at_rank(mst_gap_search *search, mst_place place) {
  const mst_value *value = mst_value_at(place);
  if (!mst_is_target_array(value) || value->rank <= MST_TARGET_MAX_RANK) return;
  const mst_tree *tree = place.module->tree;
  const mst_node_id receiver =
      mst_place_is(place, MST_K_CALL) ? mst_receiver(place) : mst_place_node(place)->first;
  if (receiver != 0 && mst_value_at(mst_place_at(place, receiver))->rank > MST_TARGET_MAX_RANK)
    return;
  MST_EACH_CHILD(tree, child, place.node)
  if (mst_value_at(mst_place_at(place, child))->rank > MST_TARGET_MAX_RANK) return;
  char rank[8];
  snprintf(rank, sizeof rank, "%d", value->rank);
  add_form(search, place, MST_FORM_RANK, NULL, rank);
}

/* ---- the search -------------------------------------------------------------------------------------- */

static void look_at_call(mst_gap_search *search, mst_place call) {
  if (look_at_ufunc_method(search, call)) return;
  const char *name = mst_called_name(call);
  look_at_rank(search, call);
  if (name == NULL) return;
  look_up(search, call, name);
  look_at_where(search, call, name);
  look_at_product_call(search, call, name);
}

static void look_at_attribute(mst_gap_search *search, mst_place place) {
  const mst_node *node = mst_place_node(place);
  const bool is_store = (node->flags & MST_F_STORE) != 0;
  if (is_store && node->name == MST_SYM_shape &&
      mst_is_target_array(mst_value_at(mst_place_child(place, 0))))
    add_form(search, place, MST_FORM_SHAPE_ASSIGNMENT, NULL, NULL);
  else
    look_at_name(search, place);
}

static void look_at(mst_gap_search *search, mst_place place) {
  const mst_node *node = mst_place_node(place);
  switch (node->kind) {
  case MST_K_CALL: look_at_call(search, place); break;
  case MST_K_NAME: look_at_name(search, place); break;
  case MST_K_ATTRIBUTE: look_at_attribute(search, place); break;
  case MST_K_SUBSCRIPT: look_at_rank(search, place); break;
  case MST_K_BINARY:
  case MST_K_AUG_ASSIGN:
    if (node->op == MST_OP_MATMUL)
      look_at_product(search, place, "numpy.matmul", node->first,
                      mst_last_child(place.module->tree, place.node));
    break;
  default: break;
  }
}

void mst_find_gaps(const mst_program *program, mst_module_range modules,
                   const mst_manifest *manifest, bool unlisted, mst_arena *arena, mst_gaps *out) {
  mst_gap_search search = {manifest, arena, out, unlisted};
  for (uint32_t i = modules.first; i < modules.end; i++) {
    const mst_module *module = &program->modules[i];
    for (mst_node_id id = 1; id < module->tree->count; id++) {
      /* What numba compiles stays on the host. */
      if (program->functions.data[module->function_of[id]].is_jit) continue;
      look_at(&search, (mst_place){program, module, id});
    }
  }
}
