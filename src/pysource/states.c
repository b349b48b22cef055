/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/states.h"

#include <string.h>

#define BITS 4
#define WIDTH (1u << BITS)

struct mst_state {
  uint64_t version; /* another one whenever what is in it changes */
  uint64_t settled; /* the version of a node that was joined to it and changed nothing */
  uint64_t absorbs; /* the version of a node that becomes this one when this one is joined to it */
  uint32_t references;
  union {
    mst_state *next; /* of the spare ones */
    mst_state *children[WIDTH];
    mst_value values[WIDTH];
  } in;
};

#define HEAD_BYTES offsetof(mst_state, in)

static size_t node_bytes(unsigned level) {
  return HEAD_BYTES + (level == 0 ? sizeof(mst_value[WIDTH]) : sizeof(mst_state *[WIDTH]));
}

static mst_state **spares(mst_states *states, unsigned level) {
  return level == 0 ? &states->spare_leaves : &states->spare_inner;
}

static mst_state *new_node(mst_states *states, unsigned level) {
  mst_state **spare = spares(states, level);
  mst_state *node = *spare;
  if (node != NULL)
    *spare = node->in.next;
  else
    node = mst_arena_new(states->values->arena, node_bytes(level));
  node->version = ++states->versions;
  node->settled = node->absorbs = 0;
  node->references = 1;
  return node;
}

static mst_state *copy_node(mst_states *states, const mst_state *node, unsigned level) {
  mst_state *copy = new_node(states, level);
  memcpy(&copy->in, &node->in, node_bytes(level) - HEAD_BYTES);
  for (unsigned i = 0; level > 0 && i < WIDTH; i++)
    copy->in.children[i]->references++;
  return copy;
}

static void drop(mst_states *states, mst_state *node, unsigned level) {
  if (--node->references > 0) return;
  for (unsigned i = 0; level > 0 && i < WIDTH; i++)
    drop(states, node->in.children[i], level - 1);
  mst_state **spare = spares(states, level);
  node->in.next = *spare;
  *spare = node;
}

/* ---- states ---------------------------------------------------------------------------------------- */

static void make_bottom(mst_states *states, unsigned level) {
  mst_state *node = states->bottom[level] = new_node(states, level);
  if (level == 0) memset(node->in.values, 0, sizeof node->in.values);
  for (unsigned i = 0; level > 0 && i < WIDTH; i++)
    node->in.children[i] = mst_state_share(states->bottom[level - 1]);
}

void mst_states_begin(mst_states *states, uint32_t slots) {
  states->height = 0;
  for (uint32_t rest = slots > 0 ? slots - 1 : 0; rest >= WIDTH; rest >>= BITS)
    states->height++;
  for (unsigned level = 0; level <= states->height; level++)
    if (states->bottom[level] == NULL) make_bottom(states, level);
}

mst_state *mst_state_new(mst_states *states) {
  return mst_state_share(states->bottom[states->height]);
}

mst_state *mst_state_share(mst_state *state) {
  state->references++;
  return state;
}

void mst_state_drop(mst_states *states, mst_state *state) { drop(states, state, states->height); }

/* ---- slots ----------------------------------------------------------------------------------------- */

static unsigned place_in(uint32_t slot, unsigned level) {
  return (slot >> (level * BITS)) & (WIDTH - 1);
}

const mst_value *mst_state_get(const mst_states *states, const mst_state *state, uint32_t slot) {
  for (unsigned level = states->height; level > 0; level--)
    state = state->in.children[place_in(slot, level)];
  return &state->in.values[place_in(slot, 0)];
}

/* So that nobody else sees the change. */
static mst_state *own(mst_states *states, mst_state **link, unsigned level) {
  mst_state *node = *link;
  if (node->references > 1) {
    *link = copy_node(states, node, level);
    node->references--;
  } else {
    node->version = ++states->versions;
    node->settled = node->absorbs = 0;
  }
  return *link;
}

void mst_state_set(mst_states *states, mst_state **state, uint32_t slot, mst_value value) {
  if (memcmp(mst_state_get(states, *state, slot), &value, sizeof value) == 0) return;
  mst_state **link = state;
  for (unsigned level = states->height; level > 0; level--)
    link = &own(states, link, level)->in.children[place_in(slot, level)];
  own(states, link, 0)->in.values[place_in(slot, 0)] = value;
}

/* ---- joins ----------------------------------------------------------------------------------------- */

/* These return `into` itself if nothing in it changes, or a node of the caller's. */

static mst_state *join_leaf(mst_states *states, mst_state *into, const mst_state *other,
                            bool *changed) {
  mst_state *result = into;
  states->looks++;
  for (unsigned i = 0; i < WIDTH; i++) {
    const mst_value *a = &into->in.values[i], *b = &other->in.values[i];
    if (memcmp(a, b, sizeof *a) == 0) continue;
    const mst_value joined = mst_value_join(states->values, *a, *b);
    *changed |= !mst_value_equal(&joined, a);
    if (memcmp(&joined, a, sizeof joined) == 0) continue;
    if (result == into) result = copy_node(states, into, 0);
    result->in.values[i] = joined;
  }
  return result;
}

static mst_state *join(mst_states *states, mst_state *into, mst_state *other, unsigned level,
                       bool *changed);

static mst_state *join_inner(mst_states *states, mst_state *into, const mst_state *other,
                             unsigned level, bool *changed) {
  mst_state *result = into;
  for (unsigned i = 0; i < WIDTH; i++) {
    mst_state *child = into->in.children[i];
    mst_state *joined = join(states, child, other->in.children[i], level - 1, changed);
    if (joined == child) continue;
    if (result == into) result = copy_node(states, into, level);
    drop(states, child, level - 1);
    result->in.children[i] = joined;
  }
  return result;
}

static mst_state *join(mst_states *states, mst_state *into, mst_state *other, unsigned level,
                       bool *changed) {
  if (into == other || into->settled == other->version) return into;
  if (other->absorbs == into->version) {
    *changed = true;
    return mst_state_share(other);
  }
  bool here = false;
  mst_state *result = level == 0 ? join_leaf(states, into, other, &here)
                                 : join_inner(states, into, other, level, &here);
  *changed |= here;
  if (result == into) {
    into->settled = other->version;
  } else if (here && memcmp(&result->in, &other->in, node_bytes(level) - HEAD_BYTES) == 0) {
    drop(states, result, level);
    result = mst_state_share(other);
    other->absorbs = into->version;
  }
  return result;
}

bool mst_state_join(mst_states *states, mst_state **into, mst_state *other) {
  bool changed = false;
  mst_state *joined = join(states, *into, other, states->height, &changed);
  if (joined != *into) mst_state_drop(states, *into);
  *into = joined;
  return changed;
}
