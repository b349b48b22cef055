/* SPDX-License-Identifier: Apache-2.0 */
/* What annotations and docstrings say that a parameter, a variable or a field is. */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

#define MOST_DOCUMENTED (4u << 20) /* bytes of a docstring times parameters to be found in it */

/* ---- annotations ------------------------------------------------------------------------------------------ */

static bool has_word(const char *text, size_t length, const char *word) {
  const size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++)
    if (strncmp(text + i, word, size) == 0 && (i == 0 || !isalnum((unsigned char)text[i - 1])) &&
        (i + size == length || !isalnum((unsigned char)text[i + size])))
      return true;
  return false;
}

static mst_value annotated_array(mst_interp *in, mst_node_id annotation, const char *text,
                                 size_t length) {
  mst_value value = mst_value_array(-1, MST_CERTAIN);
  if (has_word(text, length, "cp") || has_word(text, length, "cupy")) value.library = MST_LIB_CUPY;
  const mst_value of = mst_kind_of(in->tree, annotation) == MST_K_STRING ? mst_value_unknown()
                                                                         : mst_eval(in, annotation);
  if (of.kind == MST_V_API && strncmp(mst_ref_text(in, &of), "host.", 5) == 0)
    value.library = MST_LIB_HOST;
  return mst_value_because(in->values, value, MST_STEP_ANNOTATED, in->module_index, annotation);
}

static bool begins_with_any(const char *text, const char *const *names) {
  for (; *names != NULL; names++)
    if (strncmp(text, *names, strlen(*names)) == 0) return true;
  return false;
}

static mst_value declared(uint32_t class_index) {
  mst_value instance = mst_value_of_kind(MST_V_INSTANCE);
  instance.ref = class_index;
  instance.flags = MST_VF_DECLARED;
  return instance;
}

/* "Grid", which may be defined further down; also `Optional["Grid"]` and "Grid | None" as a whole.
 */
static mst_value declared_by_text(mst_interp *in, mst_node_id string) {
  const mst_node *node = mst_in_node(in, string);
  const char *text = in->tree->source->text + node->start;
  size_t length = node->end - node->start, size = 0;
  while (length > 0 && (*text == '"' || *text == '\''))
    text++, length--;
  if (length > 9 && strncmp(text, "Optional[", 9) == 0) text += 9, length -= 9;
  while (size < length && (isalnum((unsigned char)text[size]) || text[size] == '_'))
    size++;
  static const char *const ends[] = {"\"", "'", "]", " | None", NULL};
  if (size == 0 || (size < length && !begins_with_any(text + size, ends)))
    return mst_value_unknown();
  const mst_symbol name = mst_symbol_of(&in->program->symbols, text, size);
  const mst_binding binding = mst_scope_find(in, in->function_index, name);
  if (binding.owner == MST_UNBOUND || (binding.owner & MST_BOUND_CLASS) != 0)
    return mst_value_unknown();
  const mst_value of = in->program->functions.data[binding.owner].summary[binding.slot];
  return of.kind == MST_V_CLASS ? declared(of.ref) : mst_value_unknown();
}

/* What is declared besides None: the X of `Optional[X]` and `X | None`; else the whole. */
static mst_node_id without_none(const mst_interp *in, mst_node_id annotation) {
  const mst_node *node = mst_in_node(in, annotation);
  const mst_node_id second = mst_child(in->tree, annotation, 1);
  if (node->kind == MST_K_SUBSCRIPT &&
      strcmp(mst_symbol_text(&in->program->symbols, mst_in_node(in, node->first)->name),
             "Optional") == 0)
    return second;
  const bool is_either = node->kind == MST_K_BINARY && node->op == MST_OP_BIT_OR;
  return is_either && mst_kind_of(in->tree, second) == MST_K_NULL ? node->first : annotation;
}

/* Any, Callable and their like. */
static bool says_little(const char *type) {
  return mst_starts_with(type, "builtins.") || mst_starts_with(type, "typing.") ||
         mst_starts_with(type, "collections.abc.");
}

/* By its words, whatever they stand for. BOTTOM: what it is, its use tells; UNKNOWN: none is known.
 */
static mst_value annotated_by_words(mst_interp *in, mst_node_id annotation) {
  static const char *const lists[] = {"list",        "List",  "Sequence", "Iterable",
                                      "typing.List", "tuple", "Tuple",    "collections.abc",
                                      NULL};
  static const char *const dicts[] = {"dict", "Dict", "Mapping", "typing.Dict", NULL};
  static const char *const numbers[] = {"float",  "int",      "bool", "complex", "np.float",
                                        "np.int", "numbers.", "Real", NULL};
  const mst_node *node = mst_in_node(in, annotation);
  const char *text = in->tree->source->text + node->start;
  size_t length = node->end - node->start;
  while (length > 0 && (*text == '"' || *text == '\''))
    text++, length--;
  if (strncmp(text, "Optional[", 9) == 0) text += 9, length -= 9;
  if (has_word(text, length, "ModuleType")) return mst_value_of_kind(MST_V_BOTTOM);
  /* np.array is the function, but what is meant is plain. */
  const bool array = has_word(text, length, "ndarray") || has_word(text, length, "NDArray") ||
                     has_word(text, length, "ArrayLike") || has_word(text, length, "np.array") ||
                     has_word(text, length, "numpy.array");
  if (begins_with_any(text, lists) || begins_with_any(text, dicts)) {
    const mst_value_kind kind = begins_with_any(text, dicts) ? MST_V_DICT : MST_V_LIST;
    if (!array) return mst_value_of_kind(kind);
    return mst_value_container_of(in->values, kind, annotated_array(in, annotation, text, length));
  }
  if (array) return annotated_array(in, annotation, text, length);
  if (begins_with_any(text, numbers)) return mst_value_of_kind(MST_V_NUMBER);
  return mst_value_of_kind(strncmp(text, "str", 3) == 0 ? MST_V_STRING : MST_V_UNKNOWN);
}

/* By what its name stands for: a class of ours, or a type of a library. */
static mst_value annotated_by_name(mst_interp *in, mst_node_id annotation) {
  const mst_node_id one = without_none(in, annotation);
  if (mst_kind_of(in->tree, one) == MST_K_STRING) return declared_by_text(in, one);
  const mst_value of = mst_eval(in, one);
  if (of.kind == MST_V_CLASS) return declared(of.ref);
  if (of.kind != MST_V_API || says_little(mst_ref_text(in, &of))) return mst_value_unknown();
  mst_value object = of;
  object.kind = MST_V_OBJECT;
  return object;
}

mst_value mst_presume_annotation(mst_interp *in, mst_node_id annotation) {
  if (annotation == 0 || mst_kind_of(in->tree, annotation) == MST_K_EMPTY)
    return mst_value_of_kind(MST_V_BOTTOM);
  const mst_value value = annotated_by_words(in, annotation);
  return value.kind != MST_V_UNKNOWN ? value : annotated_by_name(in, annotation);
}

/* ---- docstrings ------------------------------------------------------------------------------------------- */

static const char *const functions[] = {"callable", "Callable", "function", "func ", NULL};

/* STRING that a function begins with; 0: none. */
static mst_node_id docstring_of(const mst_tree *tree, const mst_function *function) {
  if (mst_kind_of(tree, function->node) != MST_K_FUNCTION) return 0;
  const mst_node_id first = mst_child(tree, mst_child(tree, function->node, 2), 0);
  if (first == 0 || mst_kind_of(tree, first) != MST_K_EXPRESSION) return 0;
  const mst_node_id string = mst_child(tree, first, 0);
  return mst_kind_of(tree, string) == MST_K_STRING ? string : 0;
}

/* What a line says of a parameter: from behind its name to the line's end; NULL: nothing. */
static const char *documented_type(const char *line, const char *line_end, const char *name,
                                   size_t size) {
  const char *at = line;
  while (at < line_end && (isspace((unsigned char)*at) || *at == '*' || *at == '-'))
    at++;
  if (strncmp(at, ":param ", 7) == 0) at += 7;
  if ((size_t)(line_end - at) <= size || strncmp(at, name, size) != 0 ||
      strchr(" :(,", at[size]) == NULL || at[size] == '\0')
    return NULL;
  const char *type = at + size;
  while (type < line_end && (*type == ' ' || *type == ':' || *type == '('))
    type++;
  return type > at + size && strchr("( :", type[-1]) != NULL ? type : NULL;
}

static mst_value value_of_type(mst_interp *in, const char *type, size_t length,
                               mst_node_id string) {
  static const char *const lists[] = {"list", "tuple", "sequence", NULL};
  static const char *const numbers[] = {"float", "int", "bool", "scalar", NULL};
  if (begins_with_any(type, lists)) return mst_value_of_kind(MST_V_LIST);
  if (begins_with_any(type, functions)) return mst_value_unknown(); /* returning an array */
  if (has_word(type, length, "ndarray") || has_word(type, length, "array") ||
      has_word(type, length, "array_like") || has_word(type, length, "matrix"))
    return mst_value_because(in->values, mst_value_array(-1, MST_LIKELY), MST_STEP_ANNOTATED,
                             in->module_index, string);
  if (begins_with_any(type, numbers)) return mst_value_of_kind(MST_V_NUMBER);
  if (strncmp(type, "str", 3) == 0) return mst_value_of_kind(MST_V_STRING);
  if (strncmp(type, "dict", 4) == 0) return mst_value_of_kind(MST_V_DICT);
  return mst_value_of_kind(MST_V_BOTTOM);
}

/* array_like: what an array can be made of, lists too. */
static bool may_be_list(const char *type, size_t length) {
  return (has_word(type, length, "array_like") || has_word(type, length, "array-like")) &&
         !has_word(type, length, "ndarray");
}

/* "name : (N,) ndarray" or "name (np.ndarray): ..." in the function's docstring. */
mst_value mst_presume_docstring(mst_interp *in, const mst_function *function, const char *name,
                                bool *is_like) {
  mst_value value = mst_value_of_kind(MST_V_BOTTOM);
  const mst_node_id string = docstring_of(in->tree, function);
  if (string == 0) return value;
  const char *text = in->tree->source->text + mst_in_node(in, string)->start;
  const char *end = in->tree->source->text + mst_in_node(in, string)->end;
  const size_t size = strlen(name);
  if ((uint64_t)(end - text) * function->parameter_count > MOST_DOCUMENTED) return value;
  while (text < end && value.kind == MST_V_BOTTOM) {
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    if (line_end == NULL) line_end = end;
    const char *type = documented_type(text, line_end, name, size);
    if (type != NULL) {
      value = value_of_type(in, type, (size_t)(line_end - type), string);
      *is_like = may_be_list(type, (size_t)(line_end - type));
    }
    text = line_end + 1;
  }
  return value;
}
