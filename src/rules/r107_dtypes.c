/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/places.h"
#include "rules/turns.h"

/* What a dtype is called in messages; NULL for one that is distributed. */
static const char *class_name(unsigned dtype) {
  switch (dtype) {
  case MST_D_OBJECT: return "Python objects";
  case MST_D_STRING: return "strings";
  case MST_D_TIME: return "dates or time spans";
  case MST_D_LONG_DOUBLE: return "extended-precision numbers";
  case MST_D_STRUCT: return "records";
  default: return NULL;
  }
}

/* ---- dtypes as they are written ---------------------------------------------------------------- */

static const struct {
  const char *name;
  mst_dtype_class dtype;
} names[] = {
    {"builtins.object", MST_D_OBJECT},
    {"numpy.object_", MST_D_OBJECT},
    {"numpy.object", MST_D_OBJECT},
    {"numpy.object0", MST_D_OBJECT},
    {"builtins.str", MST_D_STRING},
    {"builtins.bytes", MST_D_STRING},
    {"numpy.str_", MST_D_STRING},
    {"numpy.bytes_", MST_D_STRING},
    {"numpy.string_", MST_D_STRING},
    {"numpy.unicode_", MST_D_STRING},
    {"numpy.datetime64", MST_D_TIME},
    {"numpy.timedelta64", MST_D_TIME},
    {"numpy.longdouble", MST_D_LONG_DOUBLE},
    {"numpy.clongdouble", MST_D_LONG_DOUBLE},
    {"numpy.longfloat", MST_D_LONG_DOUBLE},
    {"numpy.longcomplex", MST_D_LONG_DOUBLE},
    {"numpy.float128", MST_D_LONG_DOUBLE},
    {"numpy.float96", MST_D_LONG_DOUBLE},
    {"numpy.complex256", MST_D_LONG_DOUBLE},
    {"numpy.void", MST_D_STRUCT},
};

static mst_dtype_class class_of_name(const char *name) {
  for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i].name) == 0) return names[i].dtype;
  return MST_D_UNKNOWN;
}

static bool is_digits(const char *text) { return text[strspn(text, "0123456789")] == '\0'; }

/* A dtype's text without quotes: "O", "<U10", "datetime64[s]", "i4,f8". */
static mst_dtype_class class_of_text(const char *text) {
  static const char *const long_doubles[] = {
      "g", "G", "longdouble", "clongdouble", "float128", "complex256", "f16", "c32", NULL};
  static const char *const objects[] = {"O", "object", "object_", "O8", NULL};
  static const char *const strings[] = {"str", "bytes", "str_", "bytes_", "unicode", NULL};
  if (strchr(text, ',') != NULL) return MST_D_STRUCT;
  text += strspn(text, "<>=|");
  if (mst_one_of(text, objects)) return MST_D_OBJECT;
  if (mst_one_of(text, strings)) return MST_D_STRING;
  if (mst_one_of(text, long_doubles)) return MST_D_LONG_DOUBLE;
  if (mst_starts_with(text, "datetime64") || mst_starts_with(text, "timedelta64") ||
      mst_starts_with(text, "M8") || mst_starts_with(text, "m8"))
    return MST_D_TIME;
  if (text[0] != '\0' && strchr("SUa", text[0]) != NULL && is_digits(text + 1)) return MST_D_STRING;
  return text[0] == 'V' && is_digits(text + 1) ? MST_D_STRUCT : MST_D_UNKNOWN;
}

static mst_dtype_class class_of_string(mst_place place) {
  const mst_node *node = mst_place_node(place);
  const char *text = place.module->tree->source->text + node->start;
  const size_t length = node->end - node->start;
  char inner[32];
  const char *quote = memchr(text, '\'', length);
  if (quote == NULL) quote = memchr(text, '"', length);
  if (quote == NULL) return MST_D_UNKNOWN;
  const char *begin = quote + 1;
  const char *end = memchr(begin, *quote, length - (size_t)(begin - text));
  if (end == NULL || (size_t)(end - begin) >= sizeof inner) return MST_D_UNKNOWN;
  memcpy(inner, begin, (size_t)(end - begin));
  inner[end - begin] = '\0';
  return class_of_text(inner);
}

static mst_dtype_class class_of_dtype(mst_place place, bool follow);

static bool is_parameter(mst_place name) {
  const mst_function *function = mst_function_at(name);
  for (uint32_t i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].name == mst_place_node(name)->name) return true;
  return false;
}

/* What the function or the module says that a name is: `record = np.dtype([...])`. */
static mst_dtype_class class_of_variable(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_symbol name = mst_place_node(place)->name;
  mst_node_id store = 0;
  mst_turns turns;
  if (is_parameter(place)) return MST_D_UNKNOWN;
  if (mst_function_turns(&turns, place) && mst_next_store(&turns, name, &store) &&
      mst_place_is(mst_place_parent(mst_place_at(place, store)), MST_K_ASSIGN))
    return class_of_dtype(mst_place_at(place, mst_last_child(tree, tree->nodes[store].parent)),
                          false);
  MST_EACH_CHILD(tree, statement, 1) {
    const mst_node_id target = tree->nodes[statement].first;
    if (mst_kind_of(tree, statement) == MST_K_ASSIGN && mst_kind_of(tree, target) == MST_K_NAME &&
        tree->nodes[target].name == name)
      return class_of_dtype(mst_place_at(place, mst_last_child(tree, statement)), false);
  }
  return MST_D_UNKNOWN;
}

static mst_dtype_class class_of_call(mst_place call, bool follow) {
  static const char *const makers[] = {"numpy.dtype", NULL};
  const mst_node_id argument = mst_argument(call, 0, "dtype");
  if (!mst_one_of(mst_called_name(call), makers) || argument == 0) return MST_D_UNKNOWN;
  return class_of_dtype(mst_place_at(call, argument), follow);
}

/* `follow`: variables too, once. */
static mst_dtype_class class_of_dtype(mst_place place, bool follow) {
  const mst_value *value = mst_value_at(place);
  if (value->kind == MST_V_DTYPE && class_name(value->dtype) != NULL)
    return (mst_dtype_class)value->dtype;
  if (value->kind == MST_V_LIST) return MST_D_STRUCT;
  const char *name = mst_expression_name(place);
  switch (mst_place_kind(place)) {
  case MST_K_STRING: return class_of_string(place);
  case MST_K_DICT: return MST_D_STRUCT;
  case MST_K_CALL: return class_of_call(place, follow);
  case MST_K_NAME: return name == NULL && follow ? class_of_variable(place) : class_of_name(name);
  default: return class_of_name(name);
  }
}

/* ---- arrays made of what they cannot hold -------------------------------------------------------- */

/* Elements of a list that NumPy makes an array of objects or strings of. */
static mst_dtype_class class_of_items(const mst_program *program, const mst_value *container,
                                      unsigned depth) {
  if (container->kind != MST_V_LIST && container->kind != MST_V_TUPLE) return MST_D_UNKNOWN;
  const mst_value item = mst_value_any_item(&program->values, container);
  switch ((mst_value_kind)item.kind) {
  case MST_V_STRING: return MST_D_STRING;
  case MST_V_INSTANCE:
  case MST_V_FUNCTION:
  case MST_V_DICT:
  case MST_V_SET: return MST_D_OBJECT;
  case MST_V_LIST:
  case MST_V_TUPLE: return depth < 4 ? class_of_items(program, &item, depth + 1) : MST_D_UNKNOWN;
  default: return MST_D_UNKNOWN;
  }
}

static mst_dtype_class class_of_contents(mst_place call) {
  static const char *const makers[] = {"numpy.array", "numpy.asarray", "numpy.asanyarray", NULL};
  const mst_node_id argument = mst_argument(call, 0, "object");
  if (argument == 0 || !mst_one_of(mst_called_name(call), makers)) return MST_D_UNKNOWN;
  return class_of_items(call.program, mst_value_at(mst_place_at(call, argument)), 0);
}

/* ---- the rule -------------------------------------------------------------------------------------- */

static void visit(mst_rule_context *context, mst_place place) {
  static const char *const no_arrays[] = {"numpy.dtype", "numpy.vectorize",  "numpy.finfo",
                                          "numpy.iinfo", "numpy.issubdtype", NULL};
  if (!mst_is_called_under(place, "numpy.") && !mst_is_called_under(place, "ndarray.")) return;
  if (mst_one_of(mst_called_name(place), no_arrays)) return;
  const mst_api *api = mst_called_api(place);
  const mst_node_id argument = mst_argument(place, api != NULL ? api->dtype_at : -1, "dtype");
  const mst_dtype_class dtype = argument != 0 ? class_of_dtype(mst_place_at(place, argument), true)
                                              : class_of_contents(place);
  const char *what = class_name(dtype);
  if (what == NULL) return;
  mst_add_finding(context, mst_standing(place), NULL,
                  "`%s` makes an array of %s, which the target does not have",
                  mst_text_of(context, place), what);
}

const mst_rule mst_rule_r107 = {
    .id = "R107",
    .name = "dtype outside the distributed set",
    .category = MST_BLOCKS,
    .outcome = MST_OUTCOME_RAISES,
    .counts = MST_COUNTS_ANYWHERE,
    .recipe = "RR-numeric",
    .summary = "arrays of objects, records, strings, dates or extended-precision numbers",
    .why = "Arrays are spread over GPUs as plain numbers of fixed size; any other dtype is refused "
           "when the array is made.",
    .kinds = (const uint8_t[]){MST_K_CALL, MST_K_NONE},
    .visit = visit,
};
