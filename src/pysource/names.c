/* SPDX-License-Identifier: Apache-2.0 */
/* Imports, names and attributes: from what is written to what it stands for. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

#define MOST_STARS 32 /* of one module that are searched for a name */

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
static const char *canonical(const mst_interp *in, const char *name, char text[MST_NAME_BYTES]) {
  static const char *const ported[] = {"cupynumeric", "cunumeric", "legate.numpy"};
  for (size_t i = 0; i < sizeof ported / sizeof *ported; i++)
    if (mst_is_in_package(name, ported[i])) {
      const char *rest = name + strlen(ported[i]);
      mst_join_name(text, MST_NAME_BYTES, "numpy", *rest == '.' ? rest + 1 : rest);
      return text;
    }
  /* Python 3's names for Python 2. */
  static const char *const moved[] = {"six.moves.", "future.builtins.", "past.builtins."};
  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
    if (mst_starts_with(name, moved[i])) {
      mst_join_name(text, MST_NAME_BYTES, "builtins", name + strlen(moved[i]));
      return text;
    }
  if (in->module->numpy_is_host && mst_is_in_package(name, "numpy")) {
    mst_join_name(text, MST_NAME_BYTES, "host", name);
    return text;
  }
  return name;
}

mst_value mst_named(mst_interp *in, mst_value_kind kind, const char *name) {
  mst_value value = mst_value_of_kind(kind);
  value.ref = mst_symbol_of(&in->program->symbols, name, strlen(name));
  return value;
}

static bool known_constant(const char *name, double *number) {
  if (!mst_starts_with(name, "numpy.") && !mst_starts_with(name, "math.")) return false;
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
  const char *plain = mst_starts_with(name, "host.") ? name + 5 : name;
  double number;
  if (known_constant(plain, &number)) return mst_value_number(number, false);
  if (strcmp(plain, "numpy.nan") == 0 || strcmp(plain, "math.nan") == 0 ||
      strcmp(plain, "numpy.NaN") == 0)
    return mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(plain, "numpy.newaxis") == 0) return mst_value_of_kind(MST_V_NONE);
  if (strcmp(name, "mpi4py.MPI.COMM_WORLD") == 0 || strcmp(name, "mpi4py.MPI.COMM_SELF") == 0)
    return mst_named(in, MST_V_OBJECT, "mpi4py.MPI.Comm");
  if (strcmp(name, "numpy.random.mtrand._rand") == 0) /* behind the functions of numpy.random */
    return mst_named(in, MST_V_OBJECT, "numpy.random.RandomState");
  if (strcmp(name, "itertools.izip") == 0) return mst_named(in, MST_V_API, "builtins.zip");
  if (strcmp(name, "itertools.imap") == 0) return mst_named(in, MST_V_API, "builtins.map");
  return mst_named(in, MST_V_API, name);
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
                          char text[MST_NAME_BYTES]) {
  mst_join_name(text, MST_NAME_BYTES, in->module->name, "");
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
  char package[MST_NAME_BYTES];
  memcpy(package, text, used + 1);
  mst_join_name(text, MST_NAME_BYTES, package, path);
}

static const char *symbol_text(const mst_interp *in, mst_symbol symbol) {
  return symbol != 0 ? mst_symbol_text(&in->program->symbols, symbol) : "";
}

static mst_value module_value(mst_interp *in, const char *path) {
  uint32_t index;
  if (find_module(in, path, &index)) return our_module(index);
  char text[MST_NAME_BYTES];
  return mst_named(in, MST_V_MODULE, canonical(in, path, text));
}

mst_value mst_module_member(mst_interp *in, uint32_t module_index, mst_symbol name) {
  const mst_module *module = &in->program->modules[module_index];
  const mst_binding found = mst_scope_find(in, module->function, name);
  if (found.owner != MST_UNBOUND) {
    const mst_value *value = &in->program->functions.data[found.owner].summary[found.slot];
    return mst_value_because(in->values, *value, MST_STEP_GLOBAL, in->module_index, 0);
  }
  char path[MST_NAME_BYTES];
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

bool mst_our_module(const mst_interp *in, const char *path, mst_value *module) {
  uint32_t index;
  if (!find_module(in, path, &index)) return false;
  *module = our_module(index);
  return true;
}

/* ---- imports -------------------------------------------------------------------------------------------- */

/* Names of a module that stand for libraries with arrays of their own are counted. */
static void count_library(mst_interp *in, uint32_t owner, const mst_value *value, int by) {
  static const char *const tensors[] = {"torch", "tensorflow", "jax", "keras", "autograd", "mxnet"};
  if ((value->kind != MST_V_MODULE && value->kind != MST_V_API) || value->self) return;
  const uint32_t module = in->program->functions.data[owner].module;
  if (in->program->modules[module].function != owner) return;
  const char *name = mst_ref_text(in, value);
  bool is_tensor = false;
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
    is_tensor |= mst_starts_with(name, tensors[i]);
  in->notes[module].tensors += is_tensor ? (uint32_t)by : 0;
  in->notes[module].frames += mst_starts_with(name, "pandas") ? (uint32_t)by : 0;
}

void mst_bind_name(mst_interp *in, mst_binding binding, mst_symbol name, mst_value value) {
  if (binding.owner == MST_UNBOUND) return;
  if (binding.owner >= MST_BOUND_CLASS) {
    mst_store_class_attribute(in, binding.owner - MST_BOUND_CLASS, name, value);
    return;
  }
  if (binding.owner == in->function_index)
    mst_state_set(&in->states, &in->env, binding.slot, value);
  mst_value *summary = &in->program->functions.data[binding.owner].summary[binding.slot];
  const mst_value joined = mst_value_join(in->values, *summary, value);
  if (mst_value_equal(&joined, summary)) return;
  count_library(in, binding.owner, summary, -1);
  count_library(in, binding.owner, &joined, 1);
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
  if (unit->star_count == MOST_STARS) return;
  if (unit->star_count == unit->star_capacity) {
    unit->stars = mst_arena_grow(in->arena, unit->stars, unit->star_count * sizeof *unit->stars,
                                 (unit->star_count + 4) * sizeof *unit->stars);
    unit->star_capacity = unit->star_count + 4;
  }
  unit->stars[unit->star_count++] = module;
}

static void exec_from(mst_interp *in, mst_node_id node) {
  const mst_node *from = mst_in_node(in, node);
  char path[MST_NAME_BYTES];
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
      value = mst_module_member(in, index, name->path);
    } else {
      char full[MST_NAME_BYTES], text[MST_NAME_BYTES];
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
    char first[MST_NAME_BYTES];
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

/* Whether a star brings the name from a library: what the tables know, and what is no function. */
static bool is_brought(const mst_interp *in, const char *library, const char *full,
                       mst_symbol name) {
  static const char *const others[] = {
      "numpy.newaxis", "numpy.linalg", "numpy.random", "numpy.fft",     "numpy.mgrid",
      "numpy.ogrid",   "numpy.r_",     "numpy.c_",     "numpy.ndarray", NULL};
  const char *plain = mst_starts_with(full, "host.") ? full + 5 : full;
  double number;
  return mst_api_find(plain) != NULL || known_constant(plain, &number) ||
         (strcmp(library, "math") == 0 && !in->builtins[name]) || mst_one_of(plain, others);
}

/* A name that no scope binds: brought by a star, or a builtin. */
static mst_value unbound(mst_interp *in, mst_symbol symbol) {
  const char *name = mst_symbol_text(&in->program->symbols, symbol);
  char full[MST_NAME_BYTES];
  for (uint32_t i = in->unit->star_count; i-- > 0;) {
    const mst_value star = in->unit->stars[i];
    if (star.self != 0) {
      const mst_value member = mst_module_member(in, star.ref, symbol);
      if (member.kind != MST_V_UNKNOWN && member.kind != MST_V_BOTTOM) return member;
      continue;
    }
    const char *library = mst_ref_text(in, &star);
    mst_join_name(full, sizeof full, library, name);
    if (is_brought(in, library, full, symbol)) return mst_library_value(in, full);
  }
  if (symbol >= in->symbol_count || !in->builtins[symbol]) return mst_value_unknown();
  mst_join_name(full, sizeof full, "builtins", name);
  return mst_named(in, MST_V_API, full);
}

mst_value mst_eval_name(mst_interp *in, mst_node_id node) {
  const mst_binding binding = in->unit->bindings[node];
  if (binding.owner == MST_UNBOUND) return unbound(in, mst_in_node(in, node)->name);
  if (binding.owner >= MST_BOUND_CLASS)
    return mst_class_attribute(in, binding.owner - MST_BOUND_CLASS, mst_in_node(in, node)->name);
  if (binding.owner == in->function_index) {
    const mst_value value = *mst_state_get(&in->states, in->env, binding.slot);
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
