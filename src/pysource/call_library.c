/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of Python's builtins, its standard library and other packages give back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"

static mst_value object(mst_interp *in, const char *type) {
  mst_value value = mst_value_of_kind(MST_V_OBJECT);
  const size_t length = strlen(type);
  value.ref = mst_symbol_of(&in->program->symbols, type, length < 120 ? length : 120);
  return value;
}

static mst_value argument(mst_interp *in, mst_node_id call, int position) {
  return mst_argument_value(in, call, position, NULL);
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

/* ---- builtins ------------------------------------------------------------------------------------------ */

static mst_value call_len(mst_interp *in, const mst_value *of) {
  mst_value value = number();
  if (of->kind == MST_V_INSTANCE) {
    const mst_value method = mst_class_attribute(in, of->ref, MST_SYM___len__);
    if (method.kind == MST_V_FUNCTION) return mst_call_function(in, 0, method.ref, of);
  }
  if (of->kind == MST_V_ARRAY) {
    const int64_t extent = of->rank > 0 ? mst_extent(in->values, of, 0) : -1;
    if (extent >= 0) value = mst_value_number((double)extent, true);
    value.flags |= MST_VF_ITEM_SIZE;
    if ((of->flags & MST_VF_PARAMETER) != 0) value.flags |= MST_VF_FROM_DEFAULT;
  } else if (mst_is_container(of)) {
    const uint32_t count = mst_value_item_count(in->values, of);
    if (count > 0) value = mst_value_number(count, true);
  }
  value.flags |= MST_VF_INTEGER;
  return value;
}

static mst_value convert(const char *to, const mst_value *of) {
  mst_value value = number();
  if (mst_knows_number(of)) {
    const bool integer = strcmp(to, "int") == 0;
    value = mst_value_number(integer ? trunc(of->number) : of->number, integer);
    value.flags |= of->flags & (MST_VF_FROM_DEFAULT | MST_VF_ITEM_SIZE);
  } else if (strcmp(to, "int") == 0) {
    value.flags = MST_VF_INTEGER | (of->flags & MST_VF_ITEM_SIZE);
  }
  return value;
}

/* max, min, sum, any, all: over one iterable, or of several arguments. */
static mst_value fold(mst_interp *in, mst_node_id call, const char *name) {
  const mst_value first = argument(in, call, 0);
  const mst_value second = argument(in, call, 1);
  const bool picks = strcmp(name, "max") == 0 || strcmp(name, "min") == 0;
  if (picks && second.kind != MST_V_BOTTOM) {
    mst_value value = first;
    for (int i = 1; i < 8; i++)
      value = mst_value_join(in->values, value, argument(in, call, i));
    if (value.kind == MST_V_NUMBER) {
      value.flags &= (uint16_t)~MST_VF_NUMBER;
      value.number = 0;
    }
    return value;
  }
  mst_value each = mst_iterate(in, &first);
  each.flags &= (uint16_t)~MST_VF_NUMBER;
  each.number = each.kind == MST_V_NUMBER ? 0 : each.number;
  if (strcmp(name, "any") == 0 || strcmp(name, "all") == 0) {
    if (first.kind != MST_V_ARRAY) return number();
    each.kind = MST_V_DEFERRED;
    each.rank = 0;
  }
  return each;
}

static mst_value call_zip(mst_interp *in, mst_node_id call) {
  mst_value each[16];
  uint32_t count = 0;
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next;
       child != 0 && count < 16; child = mst_in_node(in, child)->next)
    if (mst_kind_of(in->tree, child) != MST_K_KEYWORD)
      each[count++] = mst_iterate(in, &in->module->values[child]);
  return mst_value_container_of(in->values, MST_V_ITERATOR,
                                mst_value_container(in->values, MST_V_TUPLE, each, count));
}

static mst_value call_enumerate(mst_interp *in, const mst_value *over) {
  mst_value index = number();
  index.flags = MST_VF_INTEGER;
  const mst_value each[2] = {index, mst_iterate(in, over)};
  return mst_value_container_of(in->values, MST_V_ITERATOR,
                                mst_value_container(in->values, MST_V_TUPLE, each, 2));
}

static mst_value call_map(mst_interp *in, mst_node_id call) {
  const mst_value function = argument(in, call, 0);
  mst_value each = mst_value_unknown();
  if (function.kind == MST_V_FUNCTION)
    each = in->program->functions.data[function.ref].result;
  else if (function.kind == MST_V_API) {
    const char *name = mst_ref_text(in, &function);
    if (strcmp(name, "builtins.float") == 0 || strcmp(name, "builtins.int") == 0) each = number();
    if (strcmp(name, "builtins.str") == 0) each = mst_value_of_kind(MST_V_STRING);
  }
  return mst_value_container_of(in->values, MST_V_ITERATOR, each);
}

/* functools.reduce(np.minimum, arrays) */
static mst_value call_reduce(mst_interp *in, mst_node_id call) {
  const mst_value function = argument(in, call, 0);
  const mst_value over = argument(in, call, 1);
  const mst_value each = mst_iterate(in, &over);
  if (function.kind == MST_V_FUNCTION) return in->program->functions.data[function.ref].result;
  const bool is_numpy =
      function.kind == MST_V_API && mst_starts_with(mst_ref_text(in, &function), "numpy.");
  if (!is_numpy || each.kind == MST_V_NUMBER || each.kind == MST_V_DEFERRED) return each;
  const mst_value made =
      mst_value_array(-1, each.kind == MST_V_ARRAY ? each.confidence : MST_LIKELY);
  return mst_value_because(in->values, made, MST_STEP_MADE, in->module_index, call);
}

static mst_value collected(mst_interp *in, const mst_value *over, mst_value_kind kind) {
  if (over->kind == MST_V_BOTTOM)
    return mst_value_container_of(in->values, kind, mst_value_of_kind(MST_V_BOTTOM));
  const uint32_t known = mst_is_container(over) ? mst_value_item_count(in->values, over) : 0;
  if (known > 0 && kind != MST_V_SET) {
    mst_value copy = *over;
    copy.kind = (uint8_t)kind;
    return copy;
  }
  return mst_value_container_of(in->values, kind, mst_iterate(in, over));
}

static mst_value call_pow(mst_interp *in, mst_node_id call) {
  return mst_eval_binary_values(in, MST_OP_POW, argument(in, call, 0), argument(in, call, 1), call);
}

static mst_value absolute(mst_value value) {
  if (mst_knows_number(&value)) value.number = fabs(value.number);
  return value;
}

mst_value mst_call_builtin(mst_interp *in, mst_node_id call, const char *name) {
  static const char *const numbers[] = {"isinstance", "issubclass", "hasattr", "callable", "hash",
                                        "id",         "ord",        "divmod",  NULL};
  static const char *const strings[] = {"str", "repr", "input", "raw_input", "format", "chr",
                                        "hex", "bin",  "oct",   "unicode",   NULL};
  const mst_value first = argument(in, call, 0);
  if (strcmp(name, "len") == 0) return call_len(in, &first);
  if (strcmp(name, "range") == 0 || strcmp(name, "xrange") == 0)
    return mst_value_of_kind(MST_V_RANGE);
  if (strcmp(name, "float") == 0 || strcmp(name, "int") == 0 || strcmp(name, "bool") == 0 ||
      strcmp(name, "complex") == 0 || strcmp(name, "round") == 0 || strcmp(name, "long") == 0)
    return convert(name, &first);
  if (strcmp(name, "abs") == 0) return absolute(first);
  if (strcmp(name, "pow") == 0) return call_pow(in, call);
  if (strcmp(name, "max") == 0 || strcmp(name, "min") == 0 || strcmp(name, "sum") == 0 ||
      strcmp(name, "any") == 0 || strcmp(name, "all") == 0)
    return fold(in, call, name);
  if (strcmp(name, "enumerate") == 0) return call_enumerate(in, &first);
  if (strcmp(name, "zip") == 0) return call_zip(in, call);
  if (strcmp(name, "map") == 0) return call_map(in, call);
  if (strcmp(name, "filter") == 0) {
    const mst_value over = argument(in, call, 1);
    return collected(in, &over, MST_V_ITERATOR);
  }
  if (strcmp(name, "list") == 0 || strcmp(name, "sorted") == 0)
    return collected(in, &first, MST_V_LIST);
  if (strcmp(name, "tuple") == 0) return collected(in, &first, MST_V_TUPLE);
  if (strcmp(name, "set") == 0 || strcmp(name, "frozenset") == 0)
    return collected(in, &first, MST_V_SET);
  if (strcmp(name, "reversed") == 0)
    return first.kind == MST_V_RANGE ? first : collected(in, &first, MST_V_ITERATOR);
  if (strcmp(name, "dict") == 0)
    return mst_value_container_of(in->values, MST_V_DICT, mst_value_of_kind(MST_V_UNKNOWN));
  if (strcmp(name, "iter") == 0) return first;
  if (strcmp(name, "next") == 0) return mst_iterate(in, &first);
  if (strcmp(name, "reduce") == 0) return call_reduce(in, call);
  if (strcmp(name, "slice") == 0) {
    const mst_value step = argument(in, call, 2);
    return mst_slice_value(&step);
  }
  if (strcmp(name, "print") == 0 || strcmp(name, "setattr") == 0)
    return mst_value_of_kind(MST_V_NONE);
  if (strcmp(name, "open") == 0) return object(in, "io.file");
  if (mst_one_of(name, numbers)) return number();
  if (mst_one_of(name, strings)) return mst_value_of_kind(MST_V_STRING);
  return mst_value_unknown();
}

/* ---- methods of containers and strings ------------------------------------------------------------------ */

static void put_into(mst_interp *in, mst_node_id call, mst_value item) {
  mst_put_into(in, mst_child(in->tree, mst_child(in->tree, call, 0), 0), item);
}

static mst_value call_container(mst_interp *in, mst_node_id call, const char *method,
                                const mst_value *receiver) {
  const mst_value first = argument(in, call, 0);
  const mst_value any =
      receiver != NULL ? mst_value_any_item(in->values, receiver) : mst_value_unknown();
  if (strcmp(method, "append") == 0 || strcmp(method, "add") == 0 ||
      strcmp(method, "appendleft") == 0) {
    put_into(in, call, first);
    return mst_value_of_kind(MST_V_NONE);
  }
  if (strcmp(method, "extend") == 0 || strcmp(method, "insert") == 0 ||
      strcmp(method, "update") == 0) {
    const mst_value second = argument(in, call, 1);
    put_into(in, call, strcmp(method, "insert") == 0 ? second : mst_iterate(in, &first));
    return mst_value_of_kind(MST_V_NONE);
  }
  if (strcmp(method, "items") == 0) {
    const mst_value each[2] = {mst_value_unknown(), any};
    return mst_value_container_of(in->values, MST_V_ITERATOR,
                                  mst_value_container(in->values, MST_V_TUPLE, each, 2));
  }
  if (strcmp(method, "values") == 0) return mst_value_container_of(in->values, MST_V_ITERATOR, any);
  if (strcmp(method, "keys") == 0)
    return mst_value_container_of(in->values, MST_V_ITERATOR, mst_value_unknown());
  if (strcmp(method, "pop") == 0 || strcmp(method, "popleft") == 0) return any;
  if (strcmp(method, "get") == 0 || strcmp(method, "setdefault") == 0) {
    const mst_value second = argument(in, call, 1);
    return mst_value_join(in->values, any, second);
  }
  if (strcmp(method, "copy") == 0 && receiver != NULL) return *receiver;
  if (strcmp(method, "index") == 0 || strcmp(method, "count") == 0) return number();
  return mst_value_of_kind(MST_V_NONE);
}

static mst_value call_string(mst_interp *in, const char *method) {
  static const char *const lists[] = {"split",     "rsplit",     "splitlines",
                                      "partition", "rpartition", NULL};
  if (mst_one_of(method, lists))
    return mst_value_container_of(in->values, MST_V_LIST, mst_value_of_kind(MST_V_STRING));
  if (mst_starts_with(method, "is") || mst_starts_with(method, "find") ||
      mst_starts_with(method, "count") || mst_starts_with(method, "startswith") ||
      mst_starts_with(method, "endswith") || mst_starts_with(method, "index"))
    return number();
  return mst_value_of_kind(MST_V_STRING);
}

/* ---- the standard library ---------------------------------------------------------------------------------- */

static mst_value call_itertools(mst_interp *in, mst_node_id call, const char *name) {
  if (strcmp(name, "product") == 0) {
    const mst_value repeat = mst_argument_value(in, call, -1, "repeat");
    mst_value each[16];
    uint32_t count = 0;
    for (int i = 0; i < 8; i++) {
      const mst_value over = argument(in, call, i);
      if (over.kind == MST_V_BOTTOM) break;
      each[count++] = mst_iterate(in, &over);
    }
    if (mst_knows_number(&repeat) && count == 1)
      for (; count < 16 && count < repeat.number; count++)
        each[count] = each[0];
    return mst_value_container_of(in->values, MST_V_ITERATOR,
                                  mst_value_container(in->values, MST_V_TUPLE, each, count));
  }
  const mst_value first = argument(in, call, 0);
  const mst_value one = mst_iterate(in, &first);
  if (mst_starts_with(name, "combinations") || strcmp(name, "permutations") == 0 ||
      strcmp(name, "pairwise") == 0) {
    const mst_value each[2] = {one, one};
    return mst_value_container_of(in->values, MST_V_ITERATOR,
                                  mst_value_container(in->values, MST_V_TUPLE, each, 2));
  }
  if (strcmp(name, "count") == 0) return mst_value_of_kind(MST_V_RANGE);
  if (strcmp(name, "islice") == 0 || strcmp(name, "cycle") == 0 || strcmp(name, "chain") == 0)
    return mst_value_container_of(in->values, MST_V_ITERATOR, one);
  return mst_value_of_kind(MST_V_ITERATOR);
}

static bool is_progress_bar(const char *name) {
  const char *last = strrchr(name, '.');
  last = last != NULL ? last + 1 : name;
  return strcmp(last, "tqdm") == 0 || strcmp(last, "tqdm_notebook") == 0 ||
         strcmp(name, "rich.progress.track") == 0 || strcmp(last, "progressbar") == 0;
}

static mst_value call_standard(mst_interp *in, mst_node_id call, const char *name, bool *known) {
  *known = true;
  const mst_value first = argument(in, call, 0);
  if (mst_starts_with(name, "math.") || mst_starts_with(name, "time.") ||
      mst_starts_with(name, "cmath."))
    return number();
  if (mst_starts_with(name, "itertools.")) return call_itertools(in, call, name + 10);
  if (is_progress_bar(name)) return first;
  if (strstr(name, "tqdm") != NULL && strstr(name, "trange") != NULL)
    return mst_value_of_kind(MST_V_RANGE);
  if (strcmp(name, "copy.deepcopy") == 0 || strcmp(name, "copy.copy") == 0) {
    mst_value value = first;
    if (mst_is_array(&value)) {
      value.flags = MST_VF_FRESH;
      value.storage = in->module->node_base + call;
    }
    return value;
  }
  if (strcmp(name, "functools.partial") == 0 && first.kind == MST_V_FUNCTION) return first;
  if (strcmp(name, "functools.reduce") == 0) return call_reduce(in, call);
  if (mst_starts_with(name, "functools.")) return first;
  if (strcmp(name, "collections.deque") == 0) return collected(in, &first, MST_V_LIST);
  if (mst_starts_with(name, "collections.") && strstr(name, "amedtuple") == NULL)
    return mst_value_container_of(in->values, MST_V_DICT, mst_value_unknown());
  if (mst_starts_with(name, "random.")) {
    if (strcmp(name, "random.choice") == 0) return mst_iterate(in, &first);
    if (strcmp(name, "random.sample") == 0 || strcmp(name, "random.choices") == 0)
      return collected(in, &first, MST_V_LIST);
    return number();
  }
  if (strcmp(name, "os.listdir") == 0 || mst_starts_with(name, "glob.") ||
      mst_starts_with(name, "os.path.") || strstr(name, ".glob") != NULL)
    return mst_starts_with(name, "os.path.")
               ? mst_value_of_kind(MST_V_STRING)
               : mst_value_container_of(in->values, MST_V_LIST, mst_value_of_kind(MST_V_STRING));
  if (strcmp(name, "argparse.ArgumentParser.parse_args") == 0)
    return object(in, "argparse.Namespace");
  *known = false;
  return mst_value_unknown();
}

/* ---- packages ------------------------------------------------------------------------------------------------ */

static mst_value call_mpi(mst_interp *in, mst_node_id call, const char *method) {
  static const char *const communicators[] = {"Split", "Create_cart", "Dup", "Create", "Sub", NULL};
  static const char *const values[] = {"bcast", "reduce", "allreduce", "scan", NULL};
  if (mst_one_of(method, communicators)) return object(in, "mpi4py.MPI.Comm");
  if (mst_one_of(method, values)) return argument(in, call, 0);
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
  if (mst_starts_with(name, "str.")) return call_string(in, name + 4);
  if (mst_starts_with(name, "list.") || mst_starts_with(name, "tuple.") ||
      mst_starts_with(name, "set.") || mst_starts_with(name, "dict.") ||
      mst_starts_with(name, "iterator."))
    return call_container(in, call, strchr(name, '.') + 1, receiver);
  if (is_module_of(name)) return mst_named(in, MST_V_MODULE, "numpy");
  if (mst_starts_with(name, "cupy.")) return call_cupy(in, call, name, receiver);
  if (mst_starts_with(name, "mpi4py.MPI.Comm.")) return call_mpi(in, call, name + 16);
  bool known;
  const mst_value value = call_standard(in, call, name, &known);
  return known ? value : call_host_package(in, call, full);
}
