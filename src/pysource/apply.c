/* SPDX-License-Identifier: Apache-2.0 */
/* Results of NumPy's functions and methods, by the effects of api.def. */
#include <assert.h>
#include <string.h>

#include "pysource/apply.h"

static mst_value several(const mst_applied *applied, uint32_t count, mst_value_kind kind) {
  mst_value each[16];
  mst_value array = mst_apply_fresh(applied, -1);
  for (uint32_t i = 0; i < count; i++)
    each[i] = array;
  if (count == 0) return mst_value_container_of(applied->in->values, kind, array);
  return mst_value_container(applied->in->values, kind, each, count);
}

static mst_value pair(const mst_applied *applied) {
  const char *name = applied->api->name;
  mst_value each[2] = {mst_apply_fresh(applied, -1), mst_apply_fresh(applied, -1)};
  if (strcmp(name, "numpy.linalg.qr") == 0) each[0].rank = each[1].rank = 2;
  if (strcmp(name, "numpy.linalg.eigh") == 0 || strcmp(name, "numpy.linalg.eig") == 0)
    each[0].rank = 1, each[1].rank = 2;
  if (strcmp(name, "numpy.histogram") == 0) each[0].rank = each[1].rank = 1;
  if (strcmp(name, "numpy.linalg.slogdet") == 0) each[0] = each[1] = mst_apply_scalar(applied);
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 2);
}

static mst_value triple(const mst_applied *applied) {
  const mst_value vectors = mst_argument_value(applied->in, applied->call, -1, "compute_uv");
  if (mst_knows_number(&vectors) && vectors.number == 0) return mst_apply_fresh(applied, 1);
  mst_value each[3] = {mst_apply_fresh(applied, 2), mst_apply_fresh(applied, 1),
                       mst_apply_fresh(applied, 2)};
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 3);
}

/* meshgrid: as many as arguments, each of their rank. */
static mst_value arrays(const mst_applied *applied) {
  uint32_t count = 0;
  mst_node_id child =
      mst_in_node(applied->in, mst_child(applied->in->tree, applied->call, 0))->next;
  for (; child != 0; child = mst_in_node(applied->in, child)->next)
    if (mst_kind_of(applied->in->tree, child) != MST_K_KEYWORD) count++;
  if (strcmp(applied->api->name, "numpy.meshgrid") != 0 || count == 0 || count > 16)
    return several(applied, 0, MST_V_LIST);
  mst_value each[16];
  for (uint32_t i = 0; i < count; i++)
    each[i] = mst_apply_fresh(applied, (int)count);
  return mst_value_container(applied->in->values, MST_V_LIST, each, count);
}

static mst_value object_of(const mst_applied *applied) {
  mst_value value = mst_value_of_kind(MST_V_OBJECT);
  const char *name = applied->api->name;
  if (strcmp(name, "numpy.random.default_rng") == 0) name = "numpy.random.Generator";
  char host[64] = "host.";
  if (applied->library == MST_LIB_HOST && strlen(name) < 58) name = strcat(host, name);
  value.ref = mst_symbol_of(&applied->in->program->symbols, name, strlen(name));
  if (strstr(name, "numpy.nd") != NULL) return mst_value_of_kind(MST_V_ITERATOR);
  return value;
}

static mst_value vectorized(const mst_applied *applied) {
  mst_value value = mst_value_of_kind(MST_V_API);
  value.flags = MST_VF_VECTORIZED;
  value.ref = mst_symbol_of(&applied->in->program->symbols, "numpy.vectorize()", 17);
  value.storage = applied->in->module->node_base + applied->call;
  return value;
}

static mst_value with_dtype(const mst_applied *applied, mst_value value) {
  if (value.kind != MST_V_ARRAY && value.kind != MST_V_DEFERRED) return value;
  const mst_interp *in = applied->in;
  const mst_node_id given = mst_argument_node(in->tree, &in->program->symbols, applied->call,
                                              applied->api->dtype_at, "dtype");
  if (given != 0 && mst_kind_of(in->tree, given) != MST_K_NULL)
    value.dtype = (uint8_t)mst_apply_dtype(applied, applied->api->dtype_at);
  return value;
}

/* tolist() gives a list, the others numbers of the host. */
static mst_value hosted(const mst_applied *applied) {
  if (strcmp(applied->api->name, "ndarray.tolist") == 0)
    return mst_value_container_of(applied->in->values, MST_V_LIST, mst_value_of_kind(MST_V_NUMBER));
  if (strcmp(applied->api->name, "numpy.shape") == 0) {
    const mst_value array = mst_apply_given(applied, 0, "a");
    if (mst_is_array(&array))
      return mst_attribute_of(applied->in, applied->call, array, MST_SYM_shape);
    return mst_value_container_of(applied->in->values, MST_V_TUPLE,
                                  mst_value_of_kind(MST_V_NUMBER));
  }
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  if (strcmp(applied->api->name, "numpy.size") == 0) value.flags |= MST_VF_ITEM_SIZE;
  return value;
}

/* True when a keyword is given something other than False. */
static bool is_asked_for(const mst_applied *applied, const char *keyword) {
  const mst_value given = mst_argument_value(applied->in, applied->call, -1, keyword);
  return mst_apply_is_given(&given) && !(mst_knows_number(&given) && given.number == 0);
}

/* linspace(a, b, n, retstep=True): the step is a number of the host. */
static mst_value with_step(const mst_applied *applied, mst_value array) {
  if (!is_asked_for(applied, "retstep")) return array;
  mst_value each[2] = {array, mst_value_of_kind(MST_V_NUMBER)};
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, 2);
}

/* unique(a, return_counts=True): as many arrays more as are asked for. */
static mst_value vector(const mst_applied *applied) {
  static const char *const more[] = {"return_index", "return_inverse", "return_counts"};
  mst_value each[4] = {mst_apply_fresh(applied, 1)};
  uint32_t count = 1;
  if (strcmp(applied->api->name, "numpy.unique") != 0) return each[0];
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (is_asked_for(applied, more[i])) each[count++] = mst_apply_fresh(applied, 1);
  if (count == 1) return each[0];
  return mst_value_container(applied->in->values, MST_V_TUPLE, each, count);
}

/* ---- by effect --------------------------------------------------------------------------------------------- */

static mst_value shaped(const mst_applied *applied) {
  return mst_apply_shaped(applied, mst_apply_given(applied, 0, "shape"));
}

static mst_value like(const mst_applied *applied) { return mst_apply_like(applied, true); }

static mst_value of_same_rank(const mst_applied *applied) { return mst_apply_like(applied, false); }

static mst_value range(const mst_applied *applied) {
  mst_value value = mst_apply_fresh(applied, 1);
  const bool single = applied->api->name[6] == 'a'; /* arange */
  const mst_value stop = mst_apply_given(applied, single ? 0 : 2, NULL);
  const mst_value second = mst_apply_given(applied, 1, NULL);
  const int64_t extent = mst_apply_range_extent(applied, single);
  value.extents = mst_extents(applied->in->values, 1, &extent);
  value.dtype = single ? MST_D_UNKNOWN : MST_D_FLOAT;
  if (single && (stop.flags & MST_VF_INTEGER) != 0 && !mst_apply_is_given(&second))
    value.dtype = MST_D_INT;
  value.flags |= (stop.flags | second.flags) & MST_VF_FROM_DEFAULT;
  return single ? value : with_step(applied, value);
}

static mst_value matrix(const mst_applied *applied) { return mst_apply_fresh(applied, 2); }

static mst_value of_any_rank(const mst_applied *applied) { return mst_apply_fresh(applied, -1); }

static mst_value expanded(const mst_applied *applied) { return mst_apply_expanded(applied, 1); }

static mst_value squeezed(const mst_applied *applied) { return mst_apply_expanded(applied, -1); }

static mst_value indices(const mst_applied *applied) {
  mst_value value = mst_apply_fresh(applied, strstr(applied->api->name, "flat") != NULL ? 1 : 2);
  value.flags |= MST_VF_INDEX;
  value.dtype = MST_D_INT;
  return value;
}

static mst_value solved(const mst_applied *applied) {
  const mst_value right = mst_apply_given(applied, 1, "b");
  return mst_apply_fresh(applied, right.kind == MST_V_ARRAY ? right.rank : -1);
}

static mst_value truth(const mst_applied *applied) {
  mst_value value = mst_apply_scalar(applied);
  value.dtype = MST_D_BOOL;
  return value;
}

static mst_value nothing(const mst_applied *applied) {
  (void)applied;
  return mst_value_of_kind(MST_V_NONE);
}

/* np.float64(x): of an array one, else a number. */
static mst_value of_dtype(const mst_applied *applied) {
  const mst_value of = mst_apply_given(applied, 0, NULL);
  return mst_is_arrayish(&of) ? of : mst_value_of_kind(MST_V_NUMBER);
}

static mst_value (*const results[])(const mst_applied *applied) = {
    [MST_E_UNKNOWN] = of_any_rank,
    [MST_E_SHAPED] = shaped,
    [MST_E_LIKE] = like,
    [MST_E_CONVERTED] = mst_apply_converted,
    [MST_E_RANGE] = range,
    [MST_E_MATRIX] = matrix,
    [MST_E_DRAW] = mst_apply_drawn,
    [MST_E_DRAW_DIMS] = mst_apply_drawn_by_axis,
    [MST_E_UFUNC] = mst_apply_elementwise,
    [MST_E_REDUCED] = mst_apply_reduced,
    [MST_E_SCANNED] = mst_apply_scanned,
    [MST_E_COORDINATES] = mst_apply_coordinates,
    [MST_E_SAME] = like,
    [MST_E_SAME_RANK] = of_same_rank,
    [MST_E_ARRAY] = of_any_rank,
    [MST_E_VECTOR] = vector,
    [MST_E_RESHAPED] = mst_apply_reshaped,
    [MST_E_RAVELLED] = mst_apply_ravelled,
    [MST_E_TRANSPOSED] = mst_apply_transposed,
    [MST_E_EXPANDED] = expanded,
    [MST_E_SQUEEZED] = squeezed,
    [MST_E_FLIPPED] = mst_apply_flipped,
    [MST_E_DIAGONAL] = mst_apply_diagonal,
    [MST_E_STACKED] = mst_apply_stacked,
    [MST_E_WHERE] = mst_apply_where,
    [MST_E_INDICES] = mst_apply_where,
    [MST_E_INDEX] = indices,
    [MST_E_PRODUCT] = mst_apply_product,
    [MST_E_SOLVED] = solved,
    [MST_E_TRUTH] = truth,
    [MST_E_SCALAR] = mst_apply_scalar,
    [MST_E_NUMBER] = hosted,
    [MST_E_PAIR] = pair,
    [MST_E_TRIPLE] = triple,
    [MST_E_ARRAYS] = arrays,
    [MST_E_LOADED] = of_any_rank,
    [MST_E_NOTHING] = nothing,
    [MST_E_VECTORIZED] = vectorized,
    [MST_E_DTYPE] = of_dtype,
    [MST_E_OBJECT] = object_of};

static_assert(sizeof results / sizeof *results == MST_EFFECTS, "each effect has its function");

mst_value mst_apply_api(mst_interp *in, mst_node_id call, const mst_api *api,
                        const mst_value *receiver, mst_library library) {
  const bool is_method = strncmp(api->name, "ndarray.", 8) == 0;
  const mst_applied applied = {
      .in = in,
      .call = call,
      .api = api,
      .receiver = is_method ? receiver : NULL,
      .library = is_method && receiver != NULL ? (mst_library)receiver->library : library};
  return with_dtype(&applied, results[api->effect](&applied));
}
