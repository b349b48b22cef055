/* SPDX-License-Identifier: Apache-2.0 */
/* What Python's builtins, and methods of its containers and strings, give back. */
#include "pysource/builtins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* ---- shared with the standard library ---------------------------------------------------------------------- */

mst_value mst_call_reduce(const mst_named_call *call) {
  mst_interp *in = call->in;
  const mst_value *function = &call->first;
  const mst_value over = mst_argument_at(in, call->node, 1);
  const mst_value each = mst_iterate(in, &over);
  if (function->kind == MST_V_FUNCTION) return in->program->functions.data[function->ref].result;
  const bool is_numpy =
      function->kind == MST_V_API && mst_starts_with(mst_ref_text(in, function), "numpy.");
  if (!is_numpy || each.kind == MST_V_NUMBER || each.kind == MST_V_DEFERRED) return each;
  const mst_value made =
      mst_value_array(-1, each.kind == MST_V_ARRAY ? each.confidence : MST_LIKELY);
  return mst_value_because(in->values, made, MST_STEP_MADE, in->module_index, call->node);
}

mst_value mst_value_collected(mst_interp *in, const mst_value *over, mst_value_kind kind) {
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

static mst_value iterator_of(mst_interp *in, const mst_value *each, uint32_t count) {
  return mst_value_container_of(in->values, MST_V_ITERATOR,
                                mst_value_container(in->values, MST_V_TUPLE, each, count));
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static mst_value call_len(const mst_named_call *call) {
  mst_interp *in = call->in;
  const mst_value *of = &call->first;
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
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

/* int, float, complex ... */
static mst_value call_conversion(const mst_named_call *call) {
  const mst_value *of = &call->first;
  const bool integer = strcmp(call->name, "int") == 0;
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  if (mst_knows_number(of)) {
    value = mst_value_number(integer ? trunc(of->number) : of->number, integer);
    value.flags |= of->flags & (MST_VF_FROM_DEFAULT | MST_VF_ITEM_SIZE);
  } else if (integer) {
    value.flags = MST_VF_INTEGER | (of->flags & MST_VF_ITEM_SIZE);
  }
  return value;
}

static mst_value call_abs(const mst_named_call *call) {
  mst_value value = call->first;
  if (mst_knows_number(&value)) value.number = fabs(value.number);
  return value;
}

static mst_value call_pow(const mst_named_call *call) {
  return mst_eval_binary_values(call->in, MST_OP_POW, call->first,
                                mst_argument_at(call->in, call->node, 1), call->node);
}

/* max, min, sum, any, all: over one iterable, or of several arguments. */
static mst_value call_fold(const mst_named_call *call) {
  mst_interp *in = call->in;
  const char *name = call->name;
  const mst_value second = mst_argument_at(in, call->node, 1);
  const bool picks = strcmp(name, "max") == 0 || strcmp(name, "min") == 0;
  if (picks && second.kind != MST_V_BOTTOM) {
    mst_value value = call->first;
    for (int i = 1; i < 8; i++)
      value = mst_value_join(in->values, value, mst_argument_at(in, call->node, i));
    if (value.kind == MST_V_NUMBER) {
      value.flags &= (uint16_t)~MST_VF_NUMBER;
      value.number = 0;
    }
    return value;
  }
  mst_value each = mst_iterate(in, &call->first);
  each.flags &= (uint16_t)~MST_VF_NUMBER;
  each.number = each.kind == MST_V_NUMBER ? 0 : each.number;
  if (strcmp(name, "any") == 0 || strcmp(name, "all") == 0) {
    if (call->first.kind != MST_V_ARRAY) return mst_value_of_kind(MST_V_NUMBER);
    each.kind = MST_V_DEFERRED;
    each.rank = 0;
  }
  return each;
}

/* ---- iterables ------------------------------------------------------------------------------------------- */

static mst_value call_zip(const mst_named_call *call) {
  mst_interp *in = call->in;
  mst_value each[16];
  uint32_t count = 0;
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call->node, 0))->next;
       child != 0 && count < 16; child = mst_in_node(in, child)->next)
    if (mst_kind_of(in->tree, child) != MST_K_KEYWORD)
      each[count++] = mst_iterate(in, &in->module->values[child]);
  return iterator_of(in, each, count);
}

static mst_value call_enumerate(const mst_named_call *call) {
  mst_value index = mst_value_of_kind(MST_V_NUMBER);
  index.flags = MST_VF_INTEGER;
  const mst_value each[2] = {index, mst_iterate(call->in, &call->first)};
  return iterator_of(call->in, each, 2);
}

static mst_value call_map(const mst_named_call *call) {
  const mst_value *function = &call->first;
  mst_value each = mst_value_unknown();
  if (function->kind == MST_V_FUNCTION) {
    each = call->in->program->functions.data[function->ref].result;
  } else if (function->kind == MST_V_API) {
    const char *name = mst_ref_text(call->in, function);
    if (strcmp(name, "builtins.float") == 0 || strcmp(name, "builtins.int") == 0)
      each = mst_value_of_kind(MST_V_NUMBER);
    if (strcmp(name, "builtins.str") == 0) each = mst_value_of_kind(MST_V_STRING);
  }
  return mst_value_container_of(call->in->values, MST_V_ITERATOR, each);
}

static mst_value call_filter(const mst_named_call *call) {
  const mst_value over = mst_argument_at(call->in, call->node, 1);
  return mst_value_collected(call->in, &over, MST_V_ITERATOR);
}

static mst_value call_list(const mst_named_call *call) {
  return mst_value_collected(call->in, &call->first, MST_V_LIST);
}

static mst_value call_tuple(const mst_named_call *call) {
  return mst_value_collected(call->in, &call->first, MST_V_TUPLE);
}

static mst_value call_set(const mst_named_call *call) {
  return mst_value_collected(call->in, &call->first, MST_V_SET);
}

static mst_value call_dict(const mst_named_call *call) {
  return mst_value_container_of(call->in->values, MST_V_DICT, mst_value_unknown());
}

static mst_value call_reversed(const mst_named_call *call) {
  if (call->first.kind == MST_V_RANGE) return call->first;
  return mst_value_collected(call->in, &call->first, MST_V_ITERATOR);
}

static mst_value call_iter(const mst_named_call *call) { return call->first; }

static mst_value call_next(const mst_named_call *call) {
  return mst_iterate(call->in, &call->first);
}

/* ---- others ---------------------------------------------------------------------------------------------- */

static mst_value call_slice(const mst_named_call *call) {
  const mst_value step = mst_argument_at(call->in, call->node, 2);
  return mst_slice_value(&step);
}

static mst_value call_open(const mst_named_call *call) {
  return mst_named(call->in, MST_V_OBJECT, "io.file");
}

typedef mst_value mst_builtin(const mst_named_call *call);

/* In order of their names, bytewise. */
static const struct builtin {
  const char *name;
  mst_builtin *call;
  mst_value_kind kind; /* of what it gives back, where `call` is NULL */
} builtins[] = {{"abs", call_abs, MST_V_UNKNOWN},
                {"all", call_fold, MST_V_UNKNOWN},
                {"any", call_fold, MST_V_UNKNOWN},
                {"bin", NULL, MST_V_STRING},
                {"bool", call_conversion, MST_V_UNKNOWN},
                {"callable", NULL, MST_V_NUMBER},
                {"chr", NULL, MST_V_STRING},
                {"complex", call_conversion, MST_V_UNKNOWN},
                {"dict", call_dict, MST_V_UNKNOWN},
                {"divmod", NULL, MST_V_NUMBER},
                {"enumerate", call_enumerate, MST_V_UNKNOWN},
                {"filter", call_filter, MST_V_UNKNOWN},
                {"float", call_conversion, MST_V_UNKNOWN},
                {"format", NULL, MST_V_STRING},
                {"frozenset", call_set, MST_V_UNKNOWN},
                {"hasattr", NULL, MST_V_NUMBER},
                {"hash", NULL, MST_V_NUMBER},
                {"hex", NULL, MST_V_STRING},
                {"id", NULL, MST_V_NUMBER},
                {"input", NULL, MST_V_STRING},
                {"int", call_conversion, MST_V_UNKNOWN},
                {"isinstance", NULL, MST_V_NUMBER},
                {"issubclass", NULL, MST_V_NUMBER},
                {"iter", call_iter, MST_V_UNKNOWN},
                {"len", call_len, MST_V_UNKNOWN},
                {"list", call_list, MST_V_UNKNOWN},
                {"long", call_conversion, MST_V_UNKNOWN},
                {"map", call_map, MST_V_UNKNOWN},
                {"max", call_fold, MST_V_UNKNOWN},
                {"min", call_fold, MST_V_UNKNOWN},
                {"next", call_next, MST_V_UNKNOWN},
                {"oct", NULL, MST_V_STRING},
                {"open", call_open, MST_V_UNKNOWN},
                {"ord", NULL, MST_V_NUMBER},
                {"pow", call_pow, MST_V_UNKNOWN},
                {"print", NULL, MST_V_NONE},
                {"range", NULL, MST_V_RANGE},
                {"raw_input", NULL, MST_V_STRING},
                {"reduce", mst_call_reduce, MST_V_UNKNOWN},
                {"repr", NULL, MST_V_STRING},
                {"reversed", call_reversed, MST_V_UNKNOWN},
                {"round", call_conversion, MST_V_UNKNOWN},
                {"set", call_set, MST_V_UNKNOWN},
                {"setattr", NULL, MST_V_NONE},
                {"slice", call_slice, MST_V_UNKNOWN},
                {"sorted", call_list, MST_V_UNKNOWN},
                {"str", NULL, MST_V_STRING},
                {"sum", call_fold, MST_V_UNKNOWN},
                {"tuple", call_tuple, MST_V_UNKNOWN},
                {"unicode", NULL, MST_V_STRING},
                {"xrange", NULL, MST_V_RANGE},
                {"zip", call_zip, MST_V_UNKNOWN}};

static int by_name(const void *name, const void *builtin) {
  return strcmp(name, ((const struct builtin *)builtin)->name);
}

mst_value mst_call_builtin(mst_interp *in, mst_node_id node, const char *name) {
  const struct builtin *builtin =
      bsearch(name, builtins, sizeof builtins / sizeof *builtins, sizeof *builtins, by_name);
  if (builtin == NULL) return mst_value_unknown();
  if (builtin->call == NULL) return mst_value_of_kind(builtin->kind);
  const mst_named_call call = {in, node, name, mst_argument_at(in, node, 0)};
  mst_builtin *const run = builtin->call;
  return run(&call);
}

/* ---- methods of containers and strings ------------------------------------------------------------------ */

static void put_into(mst_interp *in, mst_node_id call, mst_value item) {
  mst_put_into(in, mst_child(in->tree, mst_child(in->tree, call, 0), 0), item);
}

mst_value mst_call_container(mst_interp *in, mst_node_id call, const char *method,
                             const mst_value *receiver) {
  const mst_value first = mst_argument_at(in, call, 0);
  const mst_value any =
      receiver != NULL ? mst_value_any_item(in->values, receiver) : mst_value_unknown();
  if (strcmp(method, "append") == 0 || strcmp(method, "add") == 0 ||
      strcmp(method, "appendleft") == 0) {
    put_into(in, call, first);
    return mst_value_of_kind(MST_V_NONE);
  }
  if (strcmp(method, "extend") == 0 || strcmp(method, "insert") == 0 ||
      strcmp(method, "update") == 0) {
    const mst_value second = mst_argument_at(in, call, 1);
    put_into(in, call, strcmp(method, "insert") == 0 ? second : mst_iterate(in, &first));
    return mst_value_of_kind(MST_V_NONE);
  }
  if (strcmp(method, "items") == 0) {
    const mst_value each[2] = {mst_value_unknown(), any};
    return iterator_of(in, each, 2);
  }
  if (strcmp(method, "values") == 0) return mst_value_container_of(in->values, MST_V_ITERATOR, any);
  if (strcmp(method, "keys") == 0)
    return mst_value_container_of(in->values, MST_V_ITERATOR, mst_value_unknown());
  if (strcmp(method, "pop") == 0 || strcmp(method, "popleft") == 0) return any;
  if (strcmp(method, "get") == 0 || strcmp(method, "setdefault") == 0) {
    const mst_value second = mst_argument_at(in, call, 1);
    return mst_value_join(in->values, any, second);
  }
  if (strcmp(method, "copy") == 0 && receiver != NULL) return *receiver;
  if (strcmp(method, "index") == 0 || strcmp(method, "count") == 0)
    return mst_value_of_kind(MST_V_NUMBER);
  return mst_value_of_kind(MST_V_NONE);
}

mst_value mst_call_string(mst_interp *in, const char *method) {
  static const char *const lists[] = {"split",     "rsplit",     "splitlines",
                                      "partition", "rpartition", NULL};
  if (mst_one_of(method, lists))
    return mst_value_container_of(in->values, MST_V_LIST, mst_value_of_kind(MST_V_STRING));
  if (mst_starts_with(method, "is") || mst_starts_with(method, "find") ||
      mst_starts_with(method, "count") || mst_starts_with(method, "startswith") ||
      mst_starts_with(method, "endswith") || mst_starts_with(method, "index"))
    return mst_value_of_kind(MST_V_NUMBER);
  return mst_value_of_kind(MST_V_STRING);
}
