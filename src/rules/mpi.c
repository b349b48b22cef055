/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/mpi.h"

#include <ctype.h>
#include <string.h>

#include "rules/places.h"

static const char *const buffer_calls[] = {"Send",
                                           "Bsend",
                                           "Ssend",
                                           "Rsend",
                                           "Recv",
                                           "Isend",
                                           "Ibsend",
                                           "Issend",
                                           "Irsend",
                                           "Irecv",
                                           "Sendrecv",
                                           "Sendrecv_replace",
                                           "Send_init",
                                           "Recv_init",
                                           "Bcast",
                                           "Ibcast",
                                           "Scatter",
                                           "Scatterv",
                                           "Iscatter",
                                           "Iscatterv",
                                           "Gather",
                                           "Gatherv",
                                           "Igather",
                                           "Igatherv",
                                           "Allgather",
                                           "Allgatherv",
                                           "Iallgather",
                                           "Iallgatherv",
                                           "Alltoall",
                                           "Alltoallv",
                                           "Alltoallw",
                                           "Ialltoall",
                                           "Ialltoallv",
                                           "Reduce",
                                           "Ireduce",
                                           "Allreduce",
                                           "Iallreduce",
                                           "Reduce_scatter",
                                           "Scan",
                                           "Iscan",
                                           "Exscan",
                                           "Reduce_scatter_block",
                                           "Neighbor_allgather",
                                           "Neighbor_alltoall",
                                           "Put",
                                           "Get",
                                           "Accumulate",
                                           "Get_accumulate",
                                           NULL};

static const char *const object_calls[] = {
    "send",   "bsend",     "ssend",    "isend",  "issend",    "sendrecv", "bcast",  "scatter",
    "gather", "allgather", "alltoall", "reduce", "allreduce", "scan",     "exscan", NULL};

static bool is_mpi(const char *path) {
  return strcmp(path, "mpi4py") == 0 || mst_starts_with(path, "mpi4py.");
}

/* Imports stand at the beginning: it is looked for once for each call. */
#define MAX_NODES 8192

bool mst_imports_mpi(const mst_module *module, const mst_program *program, mst_node_id *import) {
  const mst_tree *tree = module->tree;
  for (mst_node_id id = 1; id < tree->count && id < MAX_NODES; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind != MST_K_ALIAS && node->kind != MST_K_IMPORT_FROM) continue;
    if (node->path == 0 || !is_mpi(mst_symbol_text(&program->symbols, node->path))) continue;
    if (node->kind == MST_K_ALIAS && mst_kind_of(tree, node->parent) != MST_K_IMPORT) continue;
    *import = mst_statement_of(tree, id);
    return true;
  }
  return false;
}

/* "comm", "self.comm_cart", "MPI.COMM_WORLD": how communicators are called whose origin is not
 * seen. */
static bool is_named_like_communicator(mst_place receiver) {
  if (mst_place_kind(receiver) != MST_K_NAME && mst_place_kind(receiver) != MST_K_ATTRIBUTE)
    return false;
  const char *name = mst_place_name(receiver);
  char lower[32] = "";
  for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof lower; i++)
    lower[i] = (char)tolower((unsigned char)name[i]);
  return strstr(lower, "comm") != NULL || strcmp(lower, "world") == 0 || strcmp(lower, "cart") == 0;
}

/* The method that a call makes of a communicator; NULL when it is no such call. */
static const char *communicator_method(mst_place call) {
  const char *name = mst_called_name(call);
  if (name != NULL) {
    const char *dot = strrchr(name, '.');
    return mst_starts_with(name, "mpi4py.") ? dot + 1 : NULL;
  }
  const mst_place function = mst_place_child(call, 0);
  if (mst_called_function(call) != NULL || !mst_place_is(function, MST_K_ATTRIBUTE)) return NULL;
  const mst_place receiver = mst_place_child(function, 0);
  if (mst_value_at(receiver)->kind > MST_V_UNKNOWN || !is_named_like_communicator(receiver))
    return NULL;
  mst_node_id import;
  const char *method = mst_place_name(function);
  if (!mst_one_of(method, buffer_calls) && !mst_one_of(method, object_calls)) return NULL;
  return mst_imports_mpi(call.module, call.program, &import) ? method : NULL;
}

/* An array, or a list with arrays such as [u, MPI.DOUBLE]. */
static bool holds_array(mst_place place) {
  const mst_value *value = mst_value_at(place);
  if (mst_is_target_array(value) || mst_is_deferred(value)) return true;
  if (value->kind != MST_V_LIST && value->kind != MST_V_TUPLE) return false;
  const mst_value item = mst_value_any_item(&place.program->values, value);
  return mst_is_target_array(&item) || mst_is_deferred(&item);
}

static mst_node_id array_argument(mst_place call) {
  const mst_tree *tree = call.module->tree;
  for (mst_node_id child = tree->nodes[mst_place_node(call)->first].next; child != 0;
       child = tree->nodes[child].next) {
    const bool is_keyword = mst_kind_of(tree, child) == MST_K_KEYWORD;
    const mst_node_id value = is_keyword ? tree->nodes[child].first : child;
    if (holds_array(mst_place_at(call, value))) return value;
  }
  return 0;
}

bool mst_is_array_communication(mst_place call, mst_node_id *data) {
  const char *method = communicator_method(call);
  if (method == NULL) return false;
  if (mst_one_of(method, buffer_calls)) {
    *data = array_argument(call);
    return true;
  }
  if (!mst_one_of(method, object_calls)) return false;
  *data = array_argument(call);
  return *data != 0;
}
