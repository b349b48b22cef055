/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: what they bind, and how the states of branches and loops come together. */
#include <string.h>

#include "pysource/interp.h"

#define MAX_PASSES 3      /* over a loop's body, until nothing changes */
#define MAX_DEEP_PASSES 1 /* where loops are nested deeply */
#define DEEP 4

/* ---- states ---------------------------------------------------------------------------------------- */

static mst_state *saved(const mst_interp *in) { return mst_state_share(in->env); }

/* Goes on from a state that was put aside. */
static void go_back(mst_interp *in, mst_state *state) {
  mst_state_drop(&in->states, in->env);
  in->env = mst_state_share(state);
}

/* The state that was put aside is done with. */
static void let_go(mst_interp *in, mst_state *state) { mst_state_drop(&in->states, state); }

static bool join_env(mst_interp *in, mst_state **into, mst_state *other) {
  return mst_state_join(&in->states, into, other);
}

/* ---- binding ---------------------------------------------------------------------------------------- */

/* What one step over an iterable gives. */
mst_value mst_iterate(mst_interp *in, const mst_value *iterable) {
  switch ((mst_value_kind)iterable->kind) {
  case MST_V_BOTTOM: return *iterable;
  case MST_V_RANGE: {
    mst_value number = mst_value_of_kind(MST_V_NUMBER);
    number.flags = MST_VF_INTEGER;
    return number;
  }
  case MST_V_STRING: return *iterable;
  case MST_V_DICT: return mst_value_unknown(); /* its keys */
  case MST_V_LIST:
  case MST_V_TUPLE:
  case MST_V_SET:
  case MST_V_ITERATOR: return mst_value_any_item(in->values, iterable);
  case MST_V_ARRAY: {
    mst_value row = *iterable;
    if (row.dtype == MST_D_OBJECT && row.rank <= 1) return mst_value_unknown();
    /* What can be iterated is no element. */
    row.flags = (uint16_t)((row.flags & ~(MST_VF_FRESH | MST_VF_INDEX | MST_VF_MAYBE_ELEMENT)) |
                           MST_VF_VIEW | MST_VF_ELEMENT);
    row.extents = 0;
    if (row.rank == 1) {
      row.kind = MST_V_DEFERRED;
      row.rank = 0;
    } else if (row.rank > 1) {
      int64_t rest[16];
      for (int i = 1; i < iterable->rank && i < 16; i++)
        rest[i - 1] = mst_extent(in->values, iterable, i);
      row.rank--;
      if (iterable->extents != 0 && row.rank < 16)
        row.extents = mst_extents(in->values, row.rank, rest);
    } else {
      row.flags |= MST_VF_MAYBE_ELEMENT;
    }
    return row;
  }
  default: return mst_value_unknown();
  }
}

static void bind_sequence(mst_interp *in, mst_node_id target, const mst_value *value) {
  const bool known = value->kind == MST_V_TUPLE || value->kind == MST_V_LIST;
  const mst_value each = mst_iterate(in, value);
  int64_t at = 0;
  bool starred = false;
  MST_EACH_CHILD(in->tree, child, target) {
    if (mst_kind_of(in->tree, child) == MST_K_STAR) {
      starred = true;
      mst_bind(in, mst_child(in->tree, child, 0),
               mst_value_container_of(in->values, MST_V_LIST, each));
      continue;
    }
    mst_bind(in, child, known && !starred ? mst_value_item(in->values, value, at) : each);
    at++;
  }
}

void mst_bind(mst_interp *in, mst_node_id target, mst_value value) {
  in->module->values[target] = value;
  switch (mst_kind_of(in->tree, target)) {
  case MST_K_NAME:
    mst_bind_name(in, in->unit->bindings[target], mst_in_node(in, target)->name, value);
    break;
  case MST_K_TUPLE:
  case MST_K_LIST: bind_sequence(in, target, &value); break;
  case MST_K_ATTRIBUTE: {
    const mst_value object = mst_eval(in, mst_child(in->tree, target, 0));
    mst_store_attribute(in, &object, mst_in_node(in, target)->name, value);
    break;
  }
  case MST_K_SUBSCRIPT: mst_store_subscript(in, target, value); break;
  case MST_K_STAR: mst_bind(in, mst_child(in->tree, target, 0), value); break;
  default: break;
  }
}

/* ---- simple statements ---------------------------------------------------------------------------------- */

static void exec_return(mst_interp *in, mst_node_id node) {
  const mst_node_id child = mst_child(in->tree, node, 0);
  mst_value value = mst_value_of_kind(MST_V_NONE);
  if (child != 0 && mst_kind_of(in->tree, child) != MST_K_EMPTY) value = mst_eval(in, child);
  value.flags &= (uint16_t)~MST_VF_PARAMETER;
  mst_function *function = mst_interp_function(in);
  if (!function->is_generator)
    function->result = mst_value_join(in->values, function->result, value);
  in->dead = true;
}

static void exec_assign(mst_interp *in, mst_node_id node) {
  const mst_node_id last = mst_last_child(in->tree, node);
  const mst_value value = mst_eval(in, last);
  MST_EACH_CHILD(in->tree, target, node)
  if (target != last) mst_bind(in, target, mst_unpacked(in, target, last, value));
}

static void exec_annotated(mst_interp *in, mst_node_id node) {
  const mst_node_id target = mst_child(in->tree, node, 0);
  const mst_node_id given = mst_child(in->tree, node, 2);
  const mst_value noted = mst_presume_annotation(in, mst_child(in->tree, node, 1));
  mst_value value = noted;
  if (given != 0 && mst_kind_of(in->tree, given) != MST_K_EMPTY) {
    value = mst_eval(in, given);
    if (value.kind == MST_V_UNKNOWN || value.kind == MST_V_NONE) value = noted;
  } else if (noted.kind == MST_V_NUMBER) {
    return; /* a field of a data class: the number that it is given says more */
  } else if (mst_is_target_array(&noted) && in->class_index != 0 &&
             mst_kind_of(in->tree, target) == MST_K_NAME) {
    in->module->values[target] = noted;
    mst_declare_attribute(in, in->class_index - 1, mst_in_node(in, target)->name, noted);
    return;
  }
  mst_bind(in, target, value);
}

/* In place: an array keeps its memory and its names. */
static void exec_augmented(mst_interp *in, mst_node_id node) {
  const mst_node_id target = mst_child(in->tree, node, 0);
  const mst_value old = mst_eval(in, target);
  const mst_value operand = mst_eval(in, mst_child(in->tree, node, 1));
  mst_value value =
      mst_eval_binary_values(in, (mst_op)mst_in_node(in, node)->op, old, operand, node);
  if (mst_is_array(&old) && mst_is_array(&value)) {
    value.storage = old.storage;
    value.flags = old.flags;
    value.dtype = old.dtype;
    value.rank = old.rank;
    value.extents = old.extents;
  }
  /* What nobody has put there yet is not known by what is added to it. */
  const bool is_yet_to_come =
      old.kind == MST_V_BOTTOM && mst_kind_of(in->tree, target) == MST_K_ATTRIBUTE;
  if (!is_yet_to_come) mst_bind(in, target, value);
  in->module->values[target] = old;
}

static void exec_leave(mst_interp *in, mst_node_id node) {
  (void)node;
  if (in->flow != NULL && !in->dead) {
    if (in->flow->exits == NULL)
      in->flow->exits = saved(in);
    else
      join_env(in, &in->flow->exits, in->env);
  }
  in->dead = true;
}

/* ---- branches ------------------------------------------------------------------------------------------- */

static void exec_optional(mst_interp *in, mst_node_id block) {
  if (block != 0 && mst_kind_of(in->tree, block) != MST_K_EMPTY) mst_exec_block(in, block);
}

/* Joins the state of a branch that ended with one that was put aside. */
static void meet(mst_interp *in, mst_state *other, bool other_dead) {
  if (in->dead && !other_dead)
    go_back(in, other);
  else if (!other_dead || in->dead)
    join_env(in, &in->env, other);
  in->dead = in->dead && other_dead;
  let_go(in, other);
}

static void exec_if(mst_interp *in, mst_node_id node) {
  mst_eval(in, mst_child(in->tree, node, 0));
  mst_state *before = saved(in);
  mst_narrow(in, mst_child(in->tree, node, 0), false);
  mst_exec_block(in, mst_child(in->tree, node, 1));
  mst_state *then = saved(in);
  const bool then_dead = in->dead;
  go_back(in, before);
  let_go(in, before);
  in->dead = false;
  mst_narrow(in, mst_child(in->tree, node, 0), true);
  exec_optional(in, mst_child(in->tree, node, 2));
  meet(in, then, then_dead);
}

static void exec_handler(mst_interp *in, mst_node_id node) {
  const mst_node_id type = mst_child(in->tree, node, 0);
  if (mst_kind_of(in->tree, type) != MST_K_EMPTY) mst_eval(in, type);
  mst_exec_block(in, mst_child(in->tree, node, 1));
}

static void exec_try(mst_interp *in, mst_node_id node) {
  mst_state *before = saved(in);
  mst_exec_block(in, mst_child(in->tree, node, 0));
  join_env(in, &before, in->env); /* a handler may begin anywhere in the body */
  mst_node_id child = mst_in_node(in, mst_child(in->tree, node, 0))->next;
  mst_state *end = saved(in);
  bool end_dead = in->dead;
  for (; child != 0 && mst_kind_of(in->tree, child) == MST_K_EXCEPT;
       child = mst_in_node(in, child)->next) {
    go_back(in, before);
    in->dead = false;
    exec_handler(in, child);
    meet(in, end, end_dead);
    end = saved(in);
    end_dead = in->dead;
  }
  let_go(in, before);
  let_go(in, end);
  in->dead = end_dead;
  for (; child != 0; child = mst_in_node(in, child)->next) {
    const bool dead = in->dead;
    in->dead = false;
    exec_optional(in, child);
    in->dead |= dead;
  }
}

static void exec_with(mst_interp *in, mst_node_id node) {
  MST_EACH_CHILD(in->tree, child, node) {
    if (mst_kind_of(in->tree, child) != MST_K_WITH_ITEM) {
      mst_exec_block(in, child);
      continue;
    }
    const mst_value value = mst_eval(in, mst_child(in->tree, child, 0));
    const mst_node_id target = mst_child(in->tree, child, 1);
    if (target != 0 && mst_kind_of(in->tree, target) != MST_K_EMPTY) mst_bind(in, target, value);
  }
}

static void exec_match(mst_interp *in, mst_node_id node) {
  const mst_node_id subject = mst_child(in->tree, node, 0);
  mst_eval(in, subject);
  mst_state *before = saved(in);
  mst_state *end = saved(in);
  for (mst_node_id child = mst_in_node(in, subject)->next; child != 0;
       child = mst_in_node(in, child)->next) {
    go_back(in, before);
    in->dead = false;
    const mst_node_id guard = mst_child(in->tree, child, 1);
    if (guard != 0 && mst_kind_of(in->tree, guard) != MST_K_EMPTY) mst_eval(in, guard);
    exec_optional(in, mst_child(in->tree, child, 2));
    if (!in->dead) join_env(in, &end, in->env);
  }
  go_back(in, end);
  in->dead = false;
  let_go(in, before);
  let_go(in, end);
}

/* ---- loops ---------------------------------------------------------------------------------------------- */

static void enter_loop(mst_interp *in, mst_flow *flow) {
  flow->outer = in->flow;
  in->flow = flow;
  in->loop_depth++;
}

static void end_loop(mst_interp *in) {
  if (in->flow->exits != NULL) let_go(in, in->flow->exits);
  in->flow = in->flow->outer;
  in->loop_depth--;
}

/* Runs a loop's body until the state at its head does not change any more. */
static void exec_body(mst_interp *in, mst_node_id test, mst_node_id target, mst_node_id iterable,
                      mst_node_id block) {
  mst_flow flow = {0};
  enter_loop(in, &flow);
  const int passes = in->loop_depth > DEEP ? MAX_DEEP_PASSES : MAX_PASSES;
  mst_state *head = saved(in);
  for (int pass = 0; pass < passes; pass++) {
    if (test != 0) mst_eval(in, test);
    if (target != 0) mst_bind(in, target, mst_iterate(in, &in->module->values[iterable]));
    mst_exec_block(in, block);
    const bool changed = !in->dead && join_env(in, &head, in->env);
    bool changed_by_exit = false;
    if (flow.exits != NULL) changed_by_exit = join_env(in, &head, flow.exits);
    in->dead = false;
    go_back(in, head);
    if (!changed && !changed_by_exit) break;
  }
  if (test != 0) mst_eval(in, test);
  let_go(in, head);
  end_loop(in);
}

static void exec_for(mst_interp *in, mst_node_id node) {
  const mst_node_id iterable = mst_child(in->tree, node, 1);
  mst_eval(in, iterable);
  exec_body(in, 0, mst_child(in->tree, node, 0), iterable, mst_child(in->tree, node, 2));
  exec_optional(in, mst_child(in->tree, node, 3));
}

static void exec_while(mst_interp *in, mst_node_id node) {
  exec_body(in, mst_child(in->tree, node, 0), 0, 0, mst_child(in->tree, node, 1));
  exec_optional(in, mst_child(in->tree, node, 2));
}

/* ---- all of them ------------------------------------------------------------------------------------------ */

static void eval_children(mst_interp *in, mst_node_id node) {
  MST_EACH_CHILD(in->tree, child, node)
  if (mst_kind_of(in->tree, child) != MST_K_EMPTY) mst_eval(in, child);
}

static void exec_raise(mst_interp *in, mst_node_id node) {
  eval_children(in, node);
  in->dead = true;
}

static void exec(mst_interp *in, mst_node_id node);

/* What is left of text that is no Python. */
static void exec_error(mst_interp *in, mst_node_id node) {
  MST_EACH_CHILD(in->tree, child, node) exec(in, child);
}

static void exec_nothing(mst_interp *in, mst_node_id node) {
  (void)in;
  (void)node;
}

/* What is none of these is an expression. */
static void (*const statements[MST_KINDS])(mst_interp *in, mst_node_id node) = {
    [MST_K_FUNCTION] = mst_exec_function_definition,
    [MST_K_CLASS] = mst_exec_class_definition,
    [MST_K_RETURN] = exec_return,
    [MST_K_ASSIGN] = exec_assign,
    [MST_K_AUG_ASSIGN] = exec_augmented,
    [MST_K_ANN_ASSIGN] = exec_annotated,
    [MST_K_FOR] = exec_for,
    [MST_K_WHILE] = exec_while,
    [MST_K_IF] = exec_if,
    [MST_K_WITH] = exec_with,
    [MST_K_TRY] = exec_try,
    [MST_K_MATCH] = exec_match,
    [MST_K_IMPORT] = mst_exec_import,
    [MST_K_IMPORT_FROM] = mst_exec_import,
    [MST_K_RAISE] = exec_raise,
    [MST_K_BREAK] = exec_leave,
    [MST_K_CONTINUE] = exec_leave,
    [MST_K_BLOCK] = mst_exec_block,
    [MST_K_ERROR] = exec_error,
    [MST_K_EXPRESSION] = eval_children,
    [MST_K_ASSERT] = eval_children,
    [MST_K_PRINT] = eval_children,
    [MST_K_EXEC] = eval_children,
    [MST_K_DELETE] = eval_children,
    [MST_K_GLOBAL] = exec_nothing,
    [MST_K_NONLOCAL] = exec_nothing,
    [MST_K_PASS] = exec_nothing};

static void exec(mst_interp *in, mst_node_id node) {
  mst_count_step(in);
  void (*const run)(mst_interp *, mst_node_id) = statements[mst_kind_of(in->tree, node)];
  if (run != NULL)
    run(in, node);
  else
    mst_eval(in, node);
}

/* Statements behind a return are run as well, so that nothing is left without values. */
void mst_exec_block(mst_interp *in, mst_node_id block) {
  bool dead = in->dead;
  MST_EACH_CHILD(in->tree, child, block) {
    exec(in, child);
    dead |= in->dead;
    in->dead = false;
  }
  in->dead = dead;
}

/* ---- functions --------------------------------------------------------------------------------------------- */

static void bind_parameters(mst_interp *in) {
  const mst_function *function = mst_interp_function(in);
  for (uint32_t i = 0; i < function->parameter_count; i++) {
    const mst_parameter *parameter = &function->parameters[i];
    if (parameter->slot == UINT32_MAX) continue;
    const mst_value value = mst_parameter_value(in, parameter);
    in->module->values[parameter->node] = value;
    mst_state_set(&in->states, &in->env, parameter->slot, value);
    mst_value *summary = &function->summary[parameter->slot];
    const mst_value joined = mst_value_join(in->values, *summary, value);
    if (mst_value_equal(&joined, summary)) continue;
    *summary = joined;
    mst_note_local_change(in, in->function_index, parameter->name);
  }
}

void mst_exec_function(mst_interp *in, uint32_t index) {
  mst_function *function = &in->program->functions.data[index];
  in->function_index = index;
  in->module_index = function->module;
  in->module = &in->program->modules[function->module];
  in->unit = &in->notes[function->module];
  in->tree = in->module->tree;
  mst_states_begin(&in->states, function->local_count);
  in->env = mst_state_new(&in->states);
  in->dead = false;
  in->flow = NULL;
  in->class_index = 0;
  bind_parameters(in);
  switch (mst_kind_of(in->tree, function->node)) {
  case MST_K_MODULE: mst_exec_block(in, function->node); break;
  case MST_K_LAMBDA: {
    const mst_value value = mst_eval(in, mst_child(in->tree, function->node, 1));
    function = &in->program->functions.data[index];
    function->result = mst_value_join(in->values, function->result, value);
    break;
  }
  default: {
    mst_exec_block(in, mst_child(in->tree, function->node, 2));
    function = &in->program->functions.data[index];
    if (!in->dead && !function->is_generator)
      function->result =
          mst_value_join(in->values, function->result, mst_value_of_kind(MST_V_NONE));
    break;
  }
  }
  let_go(in, in->env);
  in->env = NULL;
}
