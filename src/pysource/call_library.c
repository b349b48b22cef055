/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of Python's standard library and of other packages give back. */
#include <string.h>

#include "base/str.h"
#include "pysource/builtins.h"

static mst_value object(mst_interp *in, const char *type) {
  mst_value value = mst_value_of_kind(MST_V_OBJECT);
  const size_t length = strlen(type);
  value.ref = mst_symbol_of(&in->program->symbols, type, length < 120 ? length : 120);
  return value;
}

static mst_value number(void) { return mst_value_of_kind(MST_V_NUMBER); }

static mst_value host_array(mst_confidence confidence) {
  mst_value value = mst_value_array(-1, confidence);
  value.library = MST_LIB_HOST;
  return value;
}

static bool has_array_argument(mst_interp *in, mst_node_id call) {
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next)
    if (mst_is_array(&in->module->values[child])) return true;
  return false;
}

/* ---- the standard library ---------------------------------------------------------------------------------- */

/* itertools.product(a, b), product(a, repeat=n) */
static mst_value call_product(const mst_named_call *call) {
  mst_interp *in = call->in;
  const mst_value repeat = mst_argument_value(in, call->node, -1, "repeat");
  mst_value each[16];
  uint32_t count = 0;
  for (int i = 0; i < 8; i++) {
    const mst_value over = mst_argument_at(in, call->node, i);
    if (over.kind == MST_V_BOTTOM) break;
    each[count++] = mst_iterate(in, &over);
  }
  if (mst_knows_number(&repeat) && count == 1)
    for (; count < 16 && count < repeat.number; count++)
      each[count] = each[0];
  return mst_value_container_of(in->values, MST_V_ITERATOR,
                                mst_value_container(in->values, MST_V_TUPLE, each, count));
}

static bool call_itertools(const mst_named_call *call, mst_value *value) {
  static const char *const in_pairs[] = {"permutations", "pairwise", NULL};
  static const char *const one_by_one[] = {"islice", "cycle", "chain", NULL};
  mst_values *values = call->in->values;
  if (strcmp(call->name, "product") == 0) {
    *value = call_product(call);
    return true;
  }
  const mst_value one = mst_iterate(call->in, &call->first);
  if (mst_starts_with(call->name, "combinations") || mst_one_of(call->name, in_pairs)) {
    const mst_value each[2] = {one, one};
    const mst_value pair = mst_value_container(values, MST_V_TUPLE, each, 2);
    *value = mst_value_container_of(values, MST_V_ITERATOR, pair);
  } else if (mst_one_of(call->name, one_by_one)) {
    *value = mst_value_container_of(values, MST_V_ITERATOR, one);
  } else {
    const bool is_count = strcmp(call->name, "count") == 0;
    *value = mst_value_of_kind(is_count ? MST_V_RANGE : MST_V_ITERATOR);
  }
  return true;
}

static bool is_progress_bar(const char *name) {
  const char *last = strrchr(name, '.');
  last = last != NULL ? last + 1 : name;
  return strcmp(last, "tqdm") == 0 || strcmp(last, "tqdm_notebook") == 0 ||
         strcmp(name, "rich.progress.track") == 0 || strcmp(last, "progressbar") == 0;
}

static mst_value strings(mst_interp *in) {
  return mst_value_container_of(in->values, MST_V_LIST, mst_value_of_kind(MST_V_STRING));
}

static bool gives_number(const mst_named_call *call, mst_value *value) {
  (void)call;
  *value = number();
  return true;
}

/* copy.copy, copy.deepcopy */
static bool call_copy(const mst_named_call *call, mst_value *value) {
  *value = call->first;
  if (mst_is_array(value)) {
    value->flags = MST_VF_FRESH;
    value->storage = call->in->module->node_base + call->node;
  }
  return strcmp(call->name, "deepcopy") == 0 || strcmp(call->name, "copy") == 0;
}

/* partial, lru_cache, wraps ... of a function: the function */
static bool call_functools(const mst_named_call *call, mst_value *value) {
  *value = strcmp(call->name, "reduce") == 0 ? mst_call_reduce(call) : call->first;
  return true;
}

static bool call_collections(const mst_named_call *call, mst_value *value) {
  mst_interp *in = call->in;
  if (strcmp(call->name, "deque") == 0)
    *value = mst_value_collected(in, &call->first, MST_V_LIST);
  else
    *value = mst_value_container_of(in->values, MST_V_DICT, mst_value_unknown());
  return strstr(call->name, "amedtuple") == NULL;
}

static bool call_random(const mst_named_call *call, mst_value *value) {
  const bool is_sample = strcmp(call->name, "sample") == 0 || strcmp(call->name, "choices") == 0;
  if (strcmp(call->name, "choice") == 0)
    *value = mst_iterate(call->in, &call->first);
  else
    *value = is_sample ? mst_value_collected(call->in, &call->first, MST_V_LIST) : number();
  return true;
}

static bool call_os(const mst_named_call *call, mst_value *value) {
  const bool is_path = mst_starts_with(call->name, "path.");
  *value = is_path ? mst_value_of_kind(MST_V_STRING) : strings(call->in);
  return is_path || strcmp(call->name, "listdir") == 0;
}

static bool call_glob(const mst_named_call *call, mst_value *value) {
  *value = strings(call->in);
  return true;
}

static bool call_argparse(const mst_named_call *call, mst_value *value) {
  *value = object(call->in, "argparse.Namespace");
  return strcmp(call->name, "ArgumentParser.parse_args") == 0;
}

/* `call` says whether it knows what comes back. */
static const struct {
  const char *prefix;
  bool (*call)(const mst_named_call *call, mst_value *value);
} modules[] = {{"math.", gives_number},
               {"cmath.", gives_number},
               {"time.", gives_number},
               {"itertools.", call_itertools},
               {"functools.", call_functools},
               {"collections.", call_collections},
               {"copy.", call_copy},
               {"random.", call_random},
               {"os.", call_os},
               {"glob.", call_glob},
               {"argparse.", call_argparse}};

/* False: it is not of the standard library, or what comes back is not known. */
static bool call_standard(mst_interp *in, mst_node_id node, const char *name, mst_value *value) {
  mst_named_call call = {in, node, name, mst_argument_at(in, node, 0)};
  *value = call.first;
  if (is_progress_bar(name)) return true;
  *value = mst_value_of_kind(MST_V_RANGE);
  if (strstr(name, "tqdm") != NULL && strstr(name, "trange") != NULL) return true;
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    if (!mst_starts_with(name, modules[i].prefix)) continue;
    call.name = name + strlen(modules[i].prefix);
    return modules[i].call(&call, value);
  }
  *value = strings(in);
  return strstr(name, ".glob") != NULL;
}

/* ---- packages ------------------------------------------------------------------------------------------------ */

static mst_value call_mpi(mst_interp *in, mst_node_id call, const char *method) {
  static const char *const communicators[] = {"Split", "Create_cart", "Dup", "Create", "Sub", NULL};
  static const char *const values[] = {"bcast", "reduce", "allreduce", "scan", NULL};
  if (mst_one_of(method, communicators)) return object(in, "mpi4py.MPI.Comm");
  if (mst_one_of(method, values)) return mst_argument_at(in, call, 0);
  if (mst_starts_with(method, "Get_")) return number();
  if (method[0] >= 'A' && method[0] <= 'Z') return mst_value_of_kind(MST_V_NONE);
  return mst_value_unknown();
}

static mst_value call_host_package(mst_interp *in, mst_node_id call, mst_symbol full) {
  const char *name = mst_symbol_text(&in->program->symbols, full);
  static const char *const arrays[] = {"scipy.ndimage.", "scipy.signal.", "scipy.fft.",
                                       "scipy.fftpack.", "scipy.linalg.", "scipy.special.",
                                       "skimage.",       "cv2.",          NULL};
  if (mst_starts_with(name, "scipy.special.") && !has_array_argument(in, call)) return number();
  bool takes_arrays = false;
  for (int i = 0; arrays[i] != NULL; i++)
    takes_arrays = takes_arrays || mst_starts_with(name, arrays[i]);
  if (takes_arrays && has_array_argument(in, call)) return host_array(MST_LIKELY);
  if (strstr(name, "imread") != NULL || mst_starts_with(name, "skimage.data."))
    return host_array(MST_LIKELY);
  if (strstr(name, ".to_numpy") != NULL || strstr(name, ".numpy") != NULL ||
      strstr(name, ".toarray") != NULL || strstr(name, ".as_matrix") != NULL)
    return host_array(MST_CERTAIN);
  if (mst_starts_with(name, "pandas.")) return object(in, "pandas.DataFrame");
  if (mst_starts_with(name, "scipy.sparse.linalg.") && strstr(name, "matrix") == NULL)
    return host_array(MST_LIKELY);
  if (mst_is_type_test(name)) return number();
  if (mst_starts_with(name, "scipy.sparse.")) return object(in, "scipy.sparse.matrix");
  const mst_value value = object(in, name);
  if (!takes_arrays) mst_index_add(in->arena, &in->plain_calls, full, value.ref);
  return value;
}

/* CuPy has NumPy's functions, on arrays of its own. */
static mst_value call_cupy(mst_interp *in, mst_node_id call, const char *name,
                           const mst_value *receiver) {
  if (strcmp(name, "cupy.asnumpy") == 0 || strcmp(name, "cupy.ndarray.get") == 0)
    return host_array(MST_CERTAIN);
  char twin[160];
  if (mst_starts_with(name, "cupy.ndarray."))
    mst_join_name(twin, sizeof twin, "ndarray", name + 13);
  else
    mst_join_name(twin, sizeof twin, "numpy", name + 5);
  const mst_api *api = mst_api_find(twin);
  if (api == NULL) return object(in, name);
  return mst_apply_api(in, call, api, receiver, MST_LIB_CUPY);
}

static mst_value call_numpy(mst_interp *in, mst_node_id call, const char *name, const mst_api *api,
                            const mst_value *receiver, mst_library library) {
  if (api != NULL) return mst_apply_api(in, call, api, receiver, library);
  /* np.add.reduce and its like */
  if (strstr(name, ".reduce") != NULL || strstr(name, ".accumulate") != NULL ||
      strstr(name, ".outer") != NULL)
    return mst_value_array(-1, MST_LIKELY);
  if (strstr(name, ".at") != NULL || mst_starts_with(name, "numpy.testing."))
    return mst_value_of_kind(MST_V_NONE);
  if (mst_starts_with(name, "numpy.vectorize()")) {
    mst_value value = mst_value_array(-1, MST_LIKELY);
    value.library = (uint8_t)library;
    value.flags = MST_VF_FRESH;
    return mst_because(in, value, MST_STEP_MADE, call);
  }
  return object(in, name);
}

const mst_api *mst_api_of(mst_interp *in, mst_symbol name) {
  static const mst_api none = {.name = ""};
  mst_program *program = in->program;
  if (name >= program->api_capacity) {
    const uint32_t capacity = program->symbols.count * 2;
    program->apis =
        mst_arena_grow(in->arena, program->apis, program->api_capacity * sizeof(mst_api *),
                       capacity * sizeof(mst_api *));
    program->api_capacity = capacity;
  }
  const mst_api **api = &program->apis[name];
  if (*api == NULL) {
    *api = mst_api_find(mst_symbol_text(&program->symbols, name));
    if (*api == NULL) *api = &none;
  }
  return *api != &none ? *api : NULL;
}

/* xp = cupy.get_array_module(x): NumPy where x is one of its arrays, as in code to be moved. */
static bool is_module_of(const char *name) {
  return mst_ends_with(name, ".get_array_module") || mst_ends_with(name, ".array_namespace");
}

mst_value mst_call_library(mst_interp *in, mst_node_id call, mst_symbol full,
                           const mst_value *receiver) {
  const char *name = mst_symbol_text(&in->program->symbols, full);
  const mst_api *api = mst_api_of(in, full); /* looked up for the rules as well */
  const uint32_t type = mst_index_find(&in->plain_calls, full);
  if (type != 0) {
    mst_value value = mst_value_of_kind(MST_V_OBJECT);
    value.ref = type;
    return value;
  }
  if (mst_starts_with(name, "host."))
    return call_numpy(in, call, name + 5, mst_api_find(name + 5), receiver, MST_LIB_HOST);
  if (mst_starts_with(name, "numpy.") || mst_starts_with(name, "ndarray."))
    return call_numpy(in, call, name, api, receiver, MST_LIB_TARGET);
  if (mst_starts_with(name, "builtins.")) return mst_call_builtin(in, call, name + 9);
  if (mst_starts_with(name, "str.")) return mst_call_string(in, name + 4);
  if (mst_starts_with(name, "list.") || mst_starts_with(name, "tuple.") ||
      mst_starts_with(name, "set.") || mst_starts_with(name, "dict.") ||
      mst_starts_with(name, "iterator."))
    return mst_call_container(in, call, strchr(name, '.') + 1, receiver);
  if (is_module_of(name)) return mst_named(in, MST_V_MODULE, "numpy");
  if (mst_starts_with(name, "cupy.")) return call_cupy(in, call, name, receiver);
  if (mst_starts_with(name, "mpi4py.MPI.Comm.")) return call_mpi(in, call, name + 16);
  mst_value value;
  return call_standard(in, call, name, &value) ? value : call_host_package(in, call, full);
}
