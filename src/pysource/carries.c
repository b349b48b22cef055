/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one turn of a loop hands to the next: elements of arrays it walks, numbers, whole arrays.
 * A running sum or product (prev + g, prev * g, where g reads nothing that is carried) has a form
 * in NumPy; anything else that is carried by elements is a recurrence.
 */
#include <string.h>

#include "pysource/walks.h"

#define MAX_CARRIED 64

/* A name that a turn reads before it writes it. */
typedef struct mst_carried {
  mst_symbol name;
  bool is_array;
  bool is_host; /* an array that lies there */
  bool is_unknown;
  bool assigned_under_test; /* in a branch: `if x[i] > best: best = x[i]` */
} mst_carried;

typedef struct mst_carrier {
  const mst_walk *walk;
  mst_node_id begin, end; /* of the body */
  mst_carried carried[MAX_CARRIED];
  unsigned count;
  mst_carry result;
} mst_carrier;

static const mst_node *at(const mst_carrier *carrier, mst_node_id node) {
  return &carrier->walk->tree->nodes[node];
}

static const mst_value *value_at(const mst_carrier *carrier, mst_node_id node) {
  return &carrier->walk->module->values[node];
}

/* ---- names that are carried ------------------------------------------------------------------------------ */

static bool is_counter(const mst_carrier *carrier, mst_symbol name) {
  for (size_t i = 0; i < carrier->walk->derived.length; i++)
    if (carrier->walk->derived.data[i] == name) return true;
  return false;
}

/* True when the statement is within a branch, seen from the loop's body. */
static bool is_conditional(const mst_carrier *carrier, mst_node_id node) {
  for (mst_node_id up = at(carrier, node)->parent; up != 0 && up != carrier->walk->loop->node;
       up = at(carrier, up)->parent)
    if (at(carrier, up)->kind == MST_K_IF) return true;
  return false;
}

/* The statement that binds a NAME with STORE, and the expression it is given; 0: a loop's target.
 */
static mst_node_id given_to(const mst_carrier *carrier, mst_node_id name) {
  const mst_node_id parent = at(carrier, name)->parent;
  switch ((mst_kind)at(carrier, parent)->kind) {
  case MST_K_ASSIGN: return mst_last_child(carrier->walk->tree, parent);
  case MST_K_AUG_ASSIGN: return mst_child(carrier->walk->tree, parent, 1);
  case MST_K_TUPLE: {
    const mst_node_id statement = at(carrier, parent)->parent;
    return at(carrier, statement)->kind == MST_K_ASSIGN
               ? mst_last_child(carrier->walk->tree, statement)
               : 0;
  }
  default: return 0;
  }
}

/* ---- what the last turn left -------------------------------------------------------------------------- */

/* The target of a comprehension lives in it alone. */
static bool is_in_comprehension_target(const mst_carrier *carrier, mst_node_id name) {
  mst_node_id up = at(carrier, name)->parent;
  while (at(carrier, up)->kind == MST_K_TUPLE || at(carrier, up)->kind == MST_K_LIST ||
         at(carrier, up)->kind == MST_K_STAR)
    up = at(carrier, up)->parent;
  return at(carrier, up)->kind == MST_K_COMP_FOR;
}

static void find_carried(mst_carrier *carrier) {
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    const mst_node *node = at(carrier, id);
    if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) == 0) continue;
    if (is_in_comprehension_target(carrier, id)) continue;
    if (is_counter(carrier, node->name)) continue;
    bool known = false;
    for (unsigned i = 0; i < carrier->count; i++)
      known |= carrier->carried[i].name == node->name;
    if (known || carrier->count == MAX_CARRIED) continue;
    mst_carried carried = {.name = node->name};
    bool assigned = false;
    if (!mst_reads_before(carrier->walk->tree, carrier->begin, node->name, &assigned)) continue;
    carried.assigned_under_test = is_conditional(carrier, id);
    const mst_value *value = value_at(carrier, id);
    carried.is_array = value->kind == MST_V_ARRAY && (value->flags & MST_VF_MAYBE_ELEMENT) == 0;
    carried.is_unknown = value->kind == MST_V_UNKNOWN || value->kind == MST_V_OBJECT;
    carried.is_host = value->library == MST_LIB_HOST;
    carrier->carried[carrier->count++] = carried;
  }
}

/* ---- what depends on what -------------------------------------------------------------------------------- */

#define MAX_TAINT 128

typedef struct mst_taint {
  mst_symbol names[MAX_TAINT];
  unsigned count;
} mst_taint;

static bool is_tainted(const mst_taint *taint, mst_symbol name) {
  for (unsigned i = 0; i < taint->count; i++)
    if (taint->names[i] == name) return true;
  return false;
}

static bool reads_tainted(const mst_carrier *carrier, const mst_taint *taint,
                          mst_node_id expression) {
  const mst_node_id end = mst_subtree_end(carrier->walk->tree, expression);
  for (mst_node_id id = expression; id < end; id++) {
    const mst_node *node = at(carrier, id);
    if ((node->kind == MST_K_NAME || node->kind == MST_K_ATTRIBUTE) &&
        is_tainted(taint, node->name))
      return true;
  }
  return false;
}

/* All names whose value in a turn follows from the tainted ones; elements of arrays as well. */
static void spread(const mst_carrier *carrier, mst_taint *taint) {
  bool changed = true;
  for (int pass = 0; pass < 6 && changed; pass++) {
    changed = false;
    for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
      const mst_node *node = at(carrier, id);
      if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) == 0) continue;
      if (is_tainted(taint, node->name) || taint->count == MAX_TAINT) continue;
      const mst_node_id given = given_to(carrier, id);
      if (given == 0 || !reads_tainted(carrier, taint, given)) continue;
      taint->names[taint->count++] = node->name;
      changed = true;
    }
  }
}

/* ---- running sums and products ------------------------------------------------------------------------------ */

static bool is_name(const mst_carrier *carrier, mst_node_id node, mst_symbol name) {
  return at(carrier, node)->kind == MST_K_NAME && at(carrier, node)->name == name;
}

/* prev + g, g + prev, prev - g, prev * g, prev / g in an expression tree of one kind of operator.
 */
static bool is_running(const mst_carrier *carrier, mst_node_id expression, mst_symbol name,
                       mst_node_id previous, const mst_taint *taint, bool *product) {
  if (expression == previous || (name != 0 && is_name(carrier, expression, name))) return true;
  const mst_node *node = at(carrier, expression);
  if (node->kind != MST_K_BINARY) return false;
  const mst_node_id left = node->first, right = at(carrier, left)->next;
  const bool additive = node->op == MST_OP_ADD || node->op == MST_OP_SUB;
  const bool multiplicative = node->op == MST_OP_MUL || node->op == MST_OP_DIV;
  if (!additive && !multiplicative) return false;
  bool inner_product = multiplicative;
  if (is_running(carrier, left, name, previous, taint, &inner_product) &&
      !reads_tainted(carrier, taint, right) && inner_product == multiplicative) {
    *product = multiplicative;
    return true;
  }
  const bool commutes = node->op == MST_OP_ADD || node->op == MST_OP_MUL;
  inner_product = multiplicative;
  if (commutes && is_running(carrier, right, name, previous, taint, &inner_product) &&
      !reads_tainted(carrier, taint, left) && inner_product == multiplicative) {
    *product = multiplicative;
    return true;
  }
  return false;
}

/* The taint of a name alone, for asking whether g reads it. */
static mst_taint taint_of(const mst_carrier *carrier, mst_symbol name) {
  mst_taint taint = {.names = {name}, .count = 1};
  spread(carrier, &taint);
  return taint;
}

static bool is_extreme(const mst_carrier *carrier, mst_node_id call, mst_symbol name) {
  const mst_symbol called =
      at(carrier, call)->kind == MST_K_CALL ? carrier->walk->module->names[call] : 0;
  if (called == 0) return false;
  const char *text = mst_symbol_text(&carrier->walk->program->symbols, called);
  if (strcmp(text, "builtins.max") != 0 && strcmp(text, "builtins.min") != 0 &&
      strcmp(text, "numpy.maximum") != 0 && strcmp(text, "numpy.minimum") != 0)
    return false;
  MST_EACH_CHILD(carrier->walk->tree, child, call)
  if (is_name(carrier, child, name)) return true;
  return false;
}

/* How the assignments of a carried number make it: a sum or product, a maximum, or else. */
typedef enum mst_carry_form { MST_FORM_SUM, MST_FORM_EXTREME, MST_FORM_OTHER } mst_carry_form;

static mst_carry_form form_of(const mst_carrier *carrier, const mst_carried *carried) {
  mst_taint taint = taint_of(carrier, carried->name);
  mst_carry_form form = MST_FORM_SUM;
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    if (!is_name(carrier, id, carried->name) || (at(carrier, id)->flags & MST_F_STORE) == 0)
      continue;
    const mst_node_id statement = at(carrier, id)->parent;
    const mst_node_id given = given_to(carrier, id);
    if (given == 0) return MST_FORM_OTHER;
    bool product;
    if (at(carrier, statement)->kind == MST_K_AUG_ASSIGN) {
      const mst_op op = (mst_op)at(carrier, statement)->op;
      const bool runs =
          op == MST_OP_ADD || op == MST_OP_SUB || op == MST_OP_MUL || op == MST_OP_DIV;
      if (!runs || reads_tainted(carrier, &taint, given)) return MST_FORM_OTHER;
    } else if (at(carrier, statement)->kind != MST_K_ASSIGN) {
      return MST_FORM_OTHER;
    } else if (!is_running(carrier, given, carried->name, 0, &taint, &product)) {
      if (is_extreme(carrier, given, carried->name) ||
          (carried->assigned_under_test && !reads_tainted(carrier, &taint, given)))
        form = MST_FORM_EXTREME;
      else
        return MST_FORM_OTHER;
    }
  }
  return form;
}

/* ---- stores ----------------------------------------------------------------------------------------------------- */

/* True when some element or row that the turn writes follows from the name. */
static bool is_stored(const mst_carrier *carrier, const mst_taint *taint) {
  const mst_walk *walk = carrier->walk;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (!access->is_store || access->follow == MST_FOLLOW_NOT) continue;
    const mst_node_id statement = mst_statement_of(walk->tree, access->node);
    const mst_node_id given = mst_last_child(walk->tree, statement);
    if (reads_tainted(carrier, taint, given)) return true;
  }
  return false;
}

/* The same, or in a list. */
static bool is_kept(const mst_carrier *carrier, const mst_taint *taint) {
  const mst_walk *walk = carrier->walk;
  if (is_stored(carrier, taint)) return true;
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    if (at(carrier, id)->kind != MST_K_CALL) continue;
    const mst_symbol called = walk->module->names[id];
    if (called == 0 || strcmp(mst_symbol_text(&walk->program->symbols, called), "list.append") != 0)
      continue;
    if (reads_tainted(carrier, taint, id)) return true;
  }
  return false;
}

/* In the statement itself, not in the blocks that it holds. */
static bool head_reads(const mst_carrier *carrier, const mst_taint *taint, mst_node_id statement) {
  const mst_node_id end = mst_subtree_end(carrier->walk->tree, statement);
  for (mst_node_id id = statement; id < end; id++) {
    const mst_node *node = at(carrier, id);
    if (node->kind == MST_K_BLOCK && id > statement)
      id = mst_subtree_end(carrier->walk->tree, id) - 1;
    else if (node->kind == MST_K_NAME && is_tainted(taint, node->name))
      return true;
  }
  return false;
}

static bool reads_walked(const mst_carrier *carrier, const mst_taint *taint) {
  const mst_walk *walk = carrier->walk;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (!access->is_read || access->follow == MST_FOLLOW_NOT) continue;
    if (head_reads(carrier, taint, mst_statement_of(walk->tree, access->node))) return true;
  }
  return false;
}

static void judge_numbers(mst_carrier *carrier) {
  for (unsigned i = 0; i < carrier->count; i++) {
    const mst_carried *carried = &carrier->carried[i];
    const mst_taint taint = taint_of(carrier, carried->name);
    if (carried->is_array) {
      carrier->result.slabs = true;
      carrier->result.foreign |= carried->is_host;
      continue;
    }
    /* Of a library that is not known it may be an array, too. */
    if (carried->is_unknown && form_of(carrier, carried) == MST_FORM_OTHER)
      carrier->result.slabs = true;
    const bool kept = is_kept(carrier, &taint);
    if (!kept && !reads_walked(carrier, &taint)) continue; /* time += dt */
    const mst_carry_form form = form_of(carrier, carried);
    if (form == MST_FORM_OTHER || (form == MST_FORM_EXTREME && kept)) {
      carrier->result.recurrence = true;
    } else if (kept) {
      carrier->result.scan = true;
    }
  }
}

/* buf.append(x); out[i] = buf.popleft(): what earlier turns have put there. */
static void judge_containers(mst_carrier *carrier) {
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    const mst_symbol name = mst_walk_grown_container(carrier->walk, id);
    if (name == 0 || !mst_walk_hands_on(carrier->walk, name)) continue;
    const mst_taint taint = taint_of(carrier, name);
    if (is_stored(carrier, &taint)) carrier->result.recurrence = true;
  }
}

/* ---- elements and rows of the walked arrays ------------------------------------------------------------------- */

/* out[i] = out[i - 1] + g, out[i] = out[i - 1] * g */
static bool is_running_store(const mst_carrier *carrier, const mst_access *store,
                             const mst_access *load) {
  const mst_tree *tree = carrier->walk->tree;
  const mst_node_id statement = mst_statement_of(tree, store->node);
  if (!mst_is_within(tree, load->node, statement)) return false;
  const mst_node_id given = mst_last_child(tree, statement);
  const mst_taint taint = {.names = {store->name}, .count = 1};
  bool product;
  if (at(carrier, statement)->kind == MST_K_AUG_ASSIGN)
    return given == load->node &&
           (at(carrier, statement)->op == MST_OP_ADD || at(carrier, statement)->op == MST_OP_SUB ||
            at(carrier, statement)->op == MST_OP_MUL);
  return is_running(carrier, given, 0, load->node, &taint, &product);
}

/* Whether the load sees what an earlier turn stored: by offsets along the axis that the counter
 * indexes, in the direction in which it counts. */
static bool sees_earlier(const mst_walk *walk, const mst_access *store, const mst_access *load) {
  if (!store->affine || !load->affine || store->axis != load->axis) return false;
  const mst_linear *to = &store->at, *from = &load->at;
  if (to->factor != from->factor || to->unit != from->unit || to->rest != from->rest) return false;
  /* In a flat array, another place of a row of unknown length: only what goes over all of the row
   * sees it. */
  if (to->aside != from->aside && !mst_walk_fills_slab(walk, store)) return false;
  int64_t behind;
  if (__builtin_sub_overflow(to->offset, from->offset, &behind)) return false;
  const bool downwards = walk->descending != (to->factor < 0);
  return (to->factor == -1 || behind % to->factor == 0) && (downwards ? behind < 0 : behind > 0);
}

static void judge_pair(mst_carrier *carrier, const mst_access *store, const mst_access *load) {
  const mst_walk *walk = carrier->walk;
  /* x[i] = b[i] - L[i, :i] @ x[:i]: all that was stored before. What `x[j] += ...` reads of itself
   * is a sum, in whatever order. */
  if (mst_is_same_array(store, load) && load->follow == MST_FOLLOW_REST && load->is_behind &&
      !load->is_store && store->follow == MST_FOLLOW_POINT) {
    if (store->is_element && load->is_element)
      carrier->result.recurrence = true;
    else
      carrier->result.slabs = true;
    return;
  }
  if (!mst_is_same_array(store, load) || !sees_earlier(walk, store, load)) return;
  if (mst_walk_is_apart(walk, store, load)) return;
  if (!store->is_element || !load->is_element) {
    carrier->result.slabs = true;
    return;
  }
  if (mst_walk_fills_slab(walk, store)) {
    carrier->result.grid = true;
  } else if (is_running_store(carrier, store, load)) {
    carrier->result.scan = true;
  } else {
    carrier->result.recurrence = true;
  }
}

/* h[:, k] = h[:, k] - h @ w[:, k], also by a name: each row needs those that are written already.
 */
static bool needs_other_rows(const mst_carrier *carrier, const mst_access *store) {
  const mst_tree *tree = carrier->walk->tree;
  if (store->is_element || store->follow != MST_FOLLOW_POINT) return false;
  const mst_node_id storing = mst_statement_of(tree, store->node);
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    if (!mst_walk_is_whole_read(carrier->walk, id, store)) continue;
    const mst_node_id statement = mst_statement_of(tree, id);
    const mst_node_id target = at(carrier, statement)->first;
    if (statement == storing) return true;
    if (at(carrier, statement)->kind != MST_K_ASSIGN || at(carrier, target)->kind != MST_K_NAME)
      continue;
    const mst_taint taint = taint_of(carrier, at(carrier, target)->name);
    if (reads_tainted(carrier, &taint, mst_last_child(tree, storing))) return true;
  }
  return false;
}

/* out[i] = f(v), v read from out[i - 1] in an earlier statement, is seen by the pair as well: both
 * accesses are in the body. */
static void judge_elements(mst_carrier *carrier) {
  const mst_walk *walk = carrier->walk;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *store = &walk->accesses.data[i];
    if (!store->is_store || store->follow == MST_FOLLOW_NOT) continue;
    carrier->result.in_place |=
        mst_walk_in_place(walk, store) || mst_walk_writes_ahead(walk, store);
    carrier->result.slabs |= needs_other_rows(carrier, store);
    for (size_t k = 0; k < walk->accesses.length; k++)
      if (walk->accesses.data[k].is_read && walk->accesses.data[k].follow != MST_FOLLOW_NOT)
        judge_pair(carrier, store, &walk->accesses.data[k]);
  }
}

/* Whole arrays, changed in place by a turn and read by it: state of a time loop. */
static bool changes_whole(const mst_carrier *carrier) {
  const mst_walk *walk = carrier->walk;
  for (size_t i = 0; i < walk->accesses.length; i++) {
    const mst_access *access = &walk->accesses.data[i];
    if (access->is_store && access->follow == MST_FOLLOW_NOT && !access->is_element) return true;
  }
  for (mst_node_id id = carrier->begin; id < carrier->end; id++) {
    if (at(carrier, id)->kind != MST_K_AUG_ASSIGN) continue;
    const mst_node_id target = at(carrier, id)->first;
    const mst_kind kind = mst_kind_of(walk->tree, target);
    const mst_value *value = value_at(carrier, target);
    if ((kind != MST_K_NAME && kind != MST_K_ATTRIBUTE) || !mst_is_target_array(value) ||
        (value->flags & MST_VF_MAYBE_ELEMENT) != 0)
      continue;
    bool assigned = false; /* what a turn makes for itself it hands to nobody */
    if (kind == MST_K_ATTRIBUTE ||
        mst_reads_before(carrier->walk->tree, carrier->begin, at(carrier, target)->name, &assigned))
      return true;
  }
  return false;
}

bool mst_walk_hands_on(const mst_walk *walk, mst_symbol name) {
  bool assigned = false;
  return mst_reads_before(walk->tree, walk->loop->body, name, &assigned);
}

mst_carry mst_walk_carry(const mst_walk *walk) {
  mst_carrier carrier = {.walk = walk,
                         .begin = walk->loop->body,
                         .end = mst_subtree_end(walk->tree, walk->loop->body)};
  find_carried(&carrier);
  judge_numbers(&carrier);
  judge_containers(&carrier);
  judge_elements(&carrier);
  if (changes_whole(&carrier)) carrier.result.slabs = true;
  return carrier.result;
}
