/* SPDX-License-Identifier: Apache-2.0 */
/* Imports, names and attributes: from what is written to what it stands for. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

#define NAME_BYTES 256
#define MAX_BASES_DEPTH 8

char *mst_join_name(char *text, size_t size, const char *a, const char *b) {
  size_t used = 0;
  for (; *a != '\0' && used + 1 < size; a++)
    text[used++] = *a;
  if (used > 0 && *b != '\0' && used + 1 < size) text[used++] = '.';
  for (; *b != '\0' && used + 1 < size; b++)
    text[used++] = *b;
  text[used] = '\0';
  return text;
}

const char *mst_ref_text(const mst_interp *in, const mst_value *value) {
  return mst_symbol_text(&in->program->symbols, value->ref);
}

/* ---- libraries -------------------------------------------------------------------------------------- */

/* cuPyNumeric is NumPy here; NumPy beside it is the host's. */
static const char *canonical(const mst_interp *in, const char *name, char text[NAME_BYTES]) {
  static const char *const ported[] = {"cupynumeric", "cunumeric", "legate.numpy"};
  for (size_t i = 0; i < sizeof ported / sizeof *ported; i++)
    if (mst_is_in_package(name, ported[i])) {
      const char *rest = name + strlen(ported[i]);
      mst_join_name(text, NAME_BYTES, "numpy", *rest == '.' ? rest + 1 : rest);
      return text;
    }
  /* Python 3's names for Python 2. */
  static const char *const moved[] = {"six.moves.", "future.builtins.", "past.builtins."};
  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
    if (mst_starts_with(name, moved[i])) {
      mst_join_name(text, NAME_BYTES, "builtins", name + strlen(moved[i]));
      return text;
    }
  if (in->module->numpy_is_host && mst_is_in_package(name, "numpy")) {
    mst_join_name(text, NAME_BYTES, "host", name);
    return text;
  }
  return name;
}

static mst_value named(mst_interp *in, mst_value_kind kind, const char *name) {
  mst_value value = mst_value_of_kind(kind);
  value.ref = mst_symbol_of(&in->program->symbols, name, strlen(name));
  return value;
}

static bool known_constant(const char *name, double *number) {
  static const struct {
    const char *name;
    double number;
  } constants[] = {{"numpy.pi", 3.14159265358979323846},
                   {"math.pi", 3.14159265358979323846},
                   {"numpy.e", 2.71828182845904523536},
                   {"math.e", 2.71828182845904523536},
                   {"math.tau", 6.28318530717958647692},
                   {"numpy.inf", HUGE_VAL},
                   {"numpy.Inf", HUGE_VAL},
                   {"numpy.infty", HUGE_VAL},
                   {"math.inf", HUGE_VAL},
                   {"numpy.euler_gamma", 0.57721566490153286}};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (strcmp(name, constants[i].name) == 0) {
      *number = constants[i].number;
      return true;
    }
  return false;
}

mst_value mst_library_value(mst_interp *in, const char *name) {
  const char *plain = strncmp(name, "host.", 5) == 0 ? name + 5 : name;
  double number;
  if (known_constant(plain, &number)) return mst_value_number(number, false);
  if (strcmp(plain, "numpy.nan") == 0 || strcmp(plain, "math.nan") == 0 ||
      strcmp(plain, "numpy.NaN") == 0)
    return mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(plain, "numpy.newaxis") == 0) return mst_value_of_kind(MST_V_NONE);
  if (strcmp(name, "mpi4py.MPI.COMM_WORLD") == 0 || strcmp(name, "mpi4py.MPI.COMM_SELF") == 0)
    return named(in, MST_V_OBJECT, "mpi4py.MPI.Comm");
  return named(in, MST_V_API, name);
}

/* ---- modules of ours ---------------------------------------------------------------------------------- */

static mst_value our_module(uint32_t index) {
  mst_value value = mst_value_of_kind(MST_V_MODULE);
  value.ref = index;
  value.self = 1;
  return value;
}

/* Bytes of the path up to the last slash. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) : 0;
}

/* Modules of one name in several folders are scripts: the one beside the importer is meant. */
static bool find_module(const mst_interp *in, const char *path, uint32_t *index) {
  const mst_program *program = in->program;
  const mst_symbol symbol = mst_symbol_find(&program->symbols, path);
  if (symbol == 0 || symbol >= in->symbol_count || in->modules[symbol] == 0) return false;
  const char *own = in->tree->source->path;
  const size_t folder = folder_length(own);
  *index = in->modules[symbol] - 1;
  for (uint32_t at = in->modules[symbol]; at != 0; at = in->next_module[at - 1]) {
    const char *other = program->modules[at - 1].tree->source->path;
    if (folder_length(other) != folder || strncmp(own, other, folder) != 0) continue;
    *index = at - 1;
    break;
  }
  return true;
}

/* The package that `level` dots name, seen from this module, then the path behind them. */
static void relative_path(const mst_interp *in, unsigned level, const char *path,
                          char text[NAME_BYTES]) {
  mst_join_name(text, NAME_BYTES, in->module->name, "");
  const char *file = in->tree->source->path;
  const size_t length = strlen(file);
  const bool is_package = length >= 11 && strcmp(file + length - 11, "__init__.py") == 0;
  for (unsigned i = is_package ? 1 : 0; i < level; i++) {
    char *dot = strrchr(text, '.');
    if (dot == NULL) {
      text[0] = '\0';
      break;
    }
    *dot = '\0';
  }
  const size_t used = strlen(text);
  char package[NAME_BYTES];
  memcpy(package, text, used + 1);
  mst_join_name(text, NAME_BYTES, package, path);
}

static const char *symbol_text(const mst_interp *in, mst_symbol symbol) {
  return symbol != 0 ? mst_symbol_text(&in->program->symbols, symbol) : "";
}

static mst_value module_value(mst_interp *in, const char *path) {
  uint32_t index;
  if (find_module(in, path, &index)) return our_module(index);
  char text[NAME_BYTES];
  return named(in, MST_V_MODULE, canonical(in, path, text));
}

static mst_value module_member(mst_interp *in, uint32_t module_index, mst_symbol name) {
  const mst_module *module = &in->program->modules[module_index];
  const mst_binding found = mst_scope_find(in, module->function, name);
  if (found.owner != MST_UNBOUND) {
    const mst_value *value = &in->program->functions.data[found.owner].summary[found.slot];
    return mst_value_because(in->values, *value, MST_STEP_GLOBAL, in->module_index, 0);
  }
  char path[NAME_BYTES];
  mst_join_name(path, sizeof path, module->name, symbol_text(in, name));
  uint32_t inner_module;
  if (find_module(in, path, &inner_module)) return our_module(inner_module);
  const mst_module_notes *unit = &in->notes[module_index];
  for (uint32_t i = unit->star_count; i-- > 0;) {
    mst_value star = unit->stars[i];
    if (star.self == 0 || star.ref == module_index) continue;
    const mst_binding inner = mst_scope_find(in, in->program->modules[star.ref].function, name);
    if (inner.owner != MST_UNBOUND)
      return in->program->functions.data[inner.owner].summary[inner.slot];
  }
  return mst_value_unknown();
}

/* ---- imports -------------------------------------------------------------------------------------------- */

void mst_bind_name(mst_interp *in, mst_binding binding, mst_symbol name, mst_value value) {
  if (binding.owner == MST_UNBOUND) return;
  if (binding.owner >= MST_BOUND_CLASS) {
    mst_store_class_attribute(in, binding.owner - MST_BOUND_CLASS, name, value);
    return;
  }
  if (binding.owner == in->function_index) in->env[binding.slot] = value;
  mst_value *summary = &in->program->functions.data[binding.owner].summary[binding.slot];
  const mst_value joined = mst_value_join(in->values, *summary, value);
  if (mst_value_equal(&joined, summary)) return;
  *summary = joined;
  mst_note_local_change(in, binding.owner, name);
}

static void bind_symbol(mst_interp *in, mst_symbol name, mst_value value) {
  mst_bind_name(in, mst_scope_find(in, in->function_index, name), name, value);
}

static void add_star(mst_interp *in, mst_value module) {
  mst_module_notes *unit = in->unit;
  for (uint32_t i = 0; i < unit->star_count; i++)
    if (mst_value_equal(&unit->stars[i], &module)) return;
  if (unit->star_count == unit->star_capacity) {
    unit->stars = mst_arena_grow(in->arena, unit->stars, unit->star_count * sizeof *unit->stars,
                                 (unit->star_count + 4) * sizeof *unit->stars);
    unit->star_capacity = unit->star_count + 4;
  }
  unit->stars[unit->star_count++] = module;
}

static void exec_from(mst_interp *in, mst_node_id node) {
  const mst_node *from = mst_in_node(in, node);
  char path[NAME_BYTES];
  if (from->op > 0)
    relative_path(in, from->op, symbol_text(in, from->path), path);
  else
    mst_join_name(path, sizeof path, symbol_text(in, from->path), "");
  uint32_t index;
  const bool is_ours = find_module(in, path, &index);
  if ((from->flags & MST_F_STAR) != 0) add_star(in, module_value(in, path));
  MST_EACH_CHILD(in->tree, alias, node) {
    const mst_node *name = mst_in_node(in, alias);
    mst_value value;
    if (is_ours) {
      value = module_member(in, index, name->path);
    } else {
      char full[NAME_BYTES], text[NAME_BYTES];
      mst_join_name(full, sizeof full, path, symbol_text(in, name->path));
      uint32_t module;
      if (find_module(in, full, &module))
        value = our_module(module);
      else
        value = mst_library_value(in, canonical(in, full, text));
    }
    bind_symbol(in, name->name, value);
  }
}

void mst_exec_import(mst_interp *in, mst_node_id node) {
  if (mst_kind_of(in->tree, node) == MST_K_IMPORT_FROM) {
    exec_from(in, node);
    return;
  }
  MST_EACH_CHILD(in->tree, alias, node) {
    const mst_node *name = mst_in_node(in, alias);
    const char *path = symbol_text(in, name->path);
    char first[NAME_BYTES];
    mst_join_name(first, sizeof first, path, "");
    /* `import a.b` binds a; `import a.b as c` binds a.b. */
    if ((name->flags & MST_F_AS) == 0) first[strcspn(first, ".")] = '\0';
    bind_symbol(in, name->name, module_value(in, first));
  }
}

/* ---- names ------------------------------------------------------------------------------------------------ */

void mst_find_builtins(mst_interp *in) {
  static const char *const names[] = {
      "abs",       "all",     "any",     "bin",       "bool",       "bytes",      "bytearray",
      "callable",  "chr",     "complex", "dict",      "dir",        "divmod",     "enumerate",
      "filter",    "float",   "format",  "frozenset", "getattr",    "hasattr",    "hash",
      "hex",       "id",      "input",   "int",       "isinstance", "issubclass", "iter",
      "len",       "list",    "map",     "max",       "min",        "next",       "object",
      "oct",       "open",    "ord",     "pow",       "print",      "range",      "repr",
      "reversed",  "round",   "set",     "setattr",   "slice",      "sorted",     "str",
      "sum",       "super",   "tuple",   "type",      "vars",       "xrange",     "zip",
      "raw_input", "unicode", "long",    "reduce"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const mst_symbol symbol = mst_symbol_find(&in->program->symbols, names[i]);
    if (symbol < in->symbol_count) in->builtins[symbol] = symbol != 0;
  }
}

/* A name that no scope binds: brought by a star, or a builtin. */
static mst_value unbound(mst_interp *in, mst_symbol symbol) {
  const char *name = mst_symbol_text(&in->program->symbols, symbol);
  char full[NAME_BYTES];
  for (uint32_t i = in->unit->star_count; i-- > 0;) {
    const mst_value star = in->unit->stars[i];
    if (star.self != 0) {
      const mst_value member = module_member(in, star.ref, symbol);
      if (member.kind != MST_V_UNKNOWN && member.kind != MST_V_BOTTOM) return member;
      continue;
    }
    const char *library = mst_ref_text(in, &star);
    mst_join_name(full, sizeof full, library, name);
    const char *plain = strncmp(full, "host.", 5) == 0 ? full + 5 : full;
    double number;
    if (mst_api_find(plain) != NULL || known_constant(plain, &number) ||
        (strcmp(library, "math") == 0 && !in->builtins[symbol]) ||
        strcmp(plain, "numpy.newaxis") == 0 || strcmp(plain, "numpy.linalg") == 0 ||
        strcmp(plain, "numpy.random") == 0 || strcmp(plain, "numpy.fft") == 0 ||
        strcmp(plain, "numpy.mgrid") == 0 || strcmp(plain, "numpy.ogrid") == 0 ||
        strcmp(plain, "numpy.r_") == 0 || strcmp(plain, "numpy.c_") == 0 ||
        strcmp(plain, "numpy.ndarray") == 0)
      return mst_library_value(in, full);
  }
  if (symbol >= in->symbol_count || !in->builtins[symbol]) return mst_value_unknown();
  mst_join_name(full, sizeof full, "builtins", name);
  return named(in, MST_V_API, full);
}

mst_value mst_eval_name(mst_interp *in, mst_node_id node) {
  const mst_binding binding = in->unit->bindings[node];
  if (binding.owner == MST_UNBOUND) return unbound(in, mst_in_node(in, node)->name);
  if (binding.owner >= MST_BOUND_CLASS)
    return mst_class_attribute(in, binding.owner - MST_BOUND_CLASS, mst_in_node(in, node)->name, 0);
  if (binding.owner == in->function_index) {
    const mst_value value = in->env[binding.slot];
    if (value.kind != MST_V_BOTTOM || binding.owner != in->module->function) return value;
    /* Read before it is bound: Python 2's `exec`, or a name that shadows a builtin later on. */
    const mst_value summary = mst_interp_function(in)->summary[binding.slot];
    return summary.kind != MST_V_BOTTOM ? summary : unbound(in, mst_in_node(in, node)->name);
  }
  const mst_function *owner = &in->program->functions.data[binding.owner];
  mst_value value = owner->summary[binding.slot];
  value.flags &= (uint16_t) ~(MST_VF_FRESH | MST_VF_PARAMETER);
  return value;
}

/* ---- attributes ------------------------------------------------------------------------------------------- */

mst_value mst_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name, int depth) {
  const mst_class *class_ = &in->program->classes.data[class_index];
  for (size_t i = 0; i < class_->attributes.length; i++)
    if (class_->attributes.data[i].name == name) return class_->attributes.data[i].value;
  for (uint32_t i = 0; depth < MAX_BASES_DEPTH && i < class_->base_count; i++) {
    if (class_->bases[i].kind != MST_V_CLASS) continue;
    const mst_value value = mst_class_attribute(in, class_->bases[i].ref, name, depth + 1);
    if (value.kind != MST_V_BOTTOM) return value;
  }
  return mst_value_of_kind(MST_V_BOTTOM);
}

void mst_store_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name,
                               mst_value value) {
  mst_class *class_ = &in->program->classes.data[class_index];
  if (value.kind == MST_V_BOTTOM) return;
  value.flags &= (uint16_t) ~(MST_VF_FRESH | MST_VF_PARAMETER);
  for (size_t i = 0; i < class_->attributes.length; i++) {
    struct mst_attribute *attribute = &class_->attributes.data[i];
    if (attribute->name != name) continue;
    const mst_value joined = mst_value_join(in->values, attribute->value, value);
    if (mst_value_equal(&joined, &attribute->value)) return;
    attribute->value = joined;
    mst_note_change(in, name);
    return;
  }
  mst_arena_push(in->arena, &class_->attributes, (struct mst_attribute){name, value});
  mst_note_change(in, name);
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
  char full[NAME_BYTES];
  mst_join_name(full, sizeof full, owner, mst_symbol_text(&in->program->symbols, name));
  return named(in, kind, full);
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
  mst_value value = mst_class_attribute(in, object->ref, name, 0);
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
    mst_value value = mst_value_unknown();
    for (size_t i = 0; i < in->unit->arguments.length; i++)
      if (in->unit->arguments.data[i].name == name) value = in->unit->arguments.data[i].value;
    return value;
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
  char full[NAME_BYTES];
  mst_join_name(full, sizeof full, type, text);
  return named(in, MST_V_OBJECT, strlen(type) > 100 ? type : full);
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

mst_value mst_attribute_of(mst_interp *in, mst_node_id node, mst_value object, mst_symbol name) {
  char full[NAME_BYTES];
  switch ((mst_value_kind)object.kind) {
  case MST_V_BOTTOM: return object;
  case MST_V_MODULE:
    if (object.self != 0) return module_member(in, object.ref, name);
    __attribute__((fallthrough));
  case MST_V_API: {
    mst_join_name(full, sizeof full, mst_ref_text(in, &object),
                  mst_symbol_text(&in->program->symbols, name));
    uint32_t index;
    if (object.kind == MST_V_MODULE && find_module(in, full, &index)) return our_module(index);
    return mst_library_value(in, full);
  }
  case MST_V_INSTANCE: {
    const mst_value value = instance_attribute(in, &object, name);
    return mst_value_because(in->values, value, MST_STEP_ATTRIBUTE, in->module_index, node);
  }
  case MST_V_CLASS: {
    const mst_value value = mst_class_attribute(in, object.ref, name, 0);
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

/* What the same block has given to self.x just before, if nothing in between may have changed it;
 * 0: what the whole class gives it. */
static mst_node_id given_just_before(const mst_interp *in, mst_node_id node) {
  const mst_node *attribute = mst_in_node(in, node);
  const mst_symbol self = mst_in_node(in, attribute->first)->name;
  const mst_node_id statement = mst_statement_of(in->tree, node);
  const mst_node_id block = mst_in_node(in, statement)->parent;
  if (mst_kind_of(in->tree, statement) == MST_K_WHILE) return 0; /* its test comes back */
  const mst_node_id stop = statement > NODES_LOOKED_BACK ? statement - NODES_LOOKED_BACK : 0;
  for (mst_node_id id = statement - 1; id > stop && id > block; id--) {
    const mst_node *other = mst_in_node(in, id);
    if (calls_own_method(in, id, self)) return 0;
    if (other->kind != MST_K_ATTRIBUTE || other->name != attribute->name ||
        (other->flags & MST_F_STORE) == 0 || mst_in_node(in, other->first)->name != self)
      continue;
    const mst_node *assignment = mst_in_node(in, other->parent);
    const bool is_plain = assignment->kind == MST_K_ASSIGN && assignment->parent == block;
    return is_plain ? mst_last_child(in->tree, other->parent) : 0;
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

void mst_store_attribute(mst_interp *in, const mst_value *object, mst_symbol name,
                         mst_value value) {
  if (object->kind == MST_V_INSTANCE || object->kind == MST_V_CLASS)
    mst_store_class_attribute(in, object->ref, name, value);
}
