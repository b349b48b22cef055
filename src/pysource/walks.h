/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop does to arrays: every subscript of an array in its body, how its indices follow the
 * loop's counters, and what is carried from one turn to the next. What the files that share it do
 * is said at their functions; walks.c makes the verdict on a loop of it.
 */
#ifndef MST_PYSOURCE_WALKS_H
#define MST_PYSOURCE_WALKS_H

#include "pysource/interp.h"
#include "pysource/reads.h"

/* How one index of a subscript follows the loop. */
typedef enum mst_follow {
  MST_FOLLOW_NOT,
  MST_FOLLOW_POINT,  /* a[i], a[i + 1], a[idx[i]] */
  MST_FOLLOW_WINDOW, /* a[i - 1:i + 2]: as wide in every turn */
  MST_FOLLOW_SHIFT,  /* a[k:k + n - w]: nearly all of it, shifted */
  MST_FOLLOW_CHUNK,  /* a[lo:lo + size]: many rows at once */
  MST_FOLLOW_REST    /* a[i:], a[:i]: a part that grows or shrinks */
} mst_follow;

/* (factor * counter + offset) * unit + aside + rest, where equal numbers of `unit` and of `rest`
 * mean equal expressions: q + (i - 1) * w + 2. */
typedef struct mst_linear {
  int64_t factor, offset;
  uint64_t unit; /* of an expression that is not known as a number; 0: it is 1 */
  int64_t aside; /* 0 where the unit is 1 */
  uint64_t rest;
} mst_linear;

typedef struct mst_access {
  mst_node_id node; /* the outermost SUBSCRIPT of a chain a[i][j] */
  mst_node_id base; /* what is indexed */
  mst_symbol name;  /* last name of the base's path */
  mst_symbol array; /* the same, or that of the array which the base is a slice of */
  bool is_self;     /* base is an attribute */
  bool is_store;    /* written; an augmented assignment is read as well */
  bool is_read;
  bool is_element; /* one element, not a row or a slab */
  mst_follow follow;
  bool is_behind; /* REST that earlier turns have passed: x[:i], or x[j] of `for j in range(i)` */
  bool affine;    /* one index is known as a form of the counter */
  mst_linear at;
  unsigned axis; /* of that index */
  bool is_list;  /* no array but a list: it only matters for what is carried */
} mst_access;

typedef struct mst_walk {
  mst_program *program;
  mst_module *module;
  const mst_tree *tree;
  const mst_loop *loop;
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } derived; /* counters, and numbers made of them in the body */
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } rows; /* names that a turn gives to rows of walked arrays */
  struct {
    mst_symbol *data;
    size_t length, capacity;
  } behind;        /* counters of inner loops that stay behind the loop's own */
  bool descending; /* range(n, 0, -1) */
  bool strided;    /* range(lo, hi, size) with a step other than 1 and -1 */
  struct {
    mst_access *data;
    size_t length, capacity;
  } accesses;
} mst_walk;

/* accesses.c */
void mst_walk_begin(mst_walk *walk, mst_program *program, const mst_loop *loop);
bool mst_walk_follows(const mst_walk *walk, mst_node_id expression);
/* windows.c: true when the slice ends near the end of an axis, or is as wide as an array that does:
 * the counter shifts it, by however much. */
bool mst_walk_spans_axis(const mst_walk *walk, mst_node_id slice);
/* True when the slice of `base` is nearly as wide as the array. */
bool mst_walk_only_shifts(const mst_walk *walk, mst_node_id base, mst_node_id slice);
/* linear.c: false for anything that is no such form. */
bool mst_walk_linear(const mst_walk *walk, mst_node_id index, mst_linear *form);
mst_place mst_walk_place(const mst_walk *walk, mst_node_id node);
/* The FUNCTION, LAMBDA or MODULE that the loop stands in. */
static inline mst_node_id mst_walk_function(const mst_walk *walk) {
  return walk->program->functions.data[walk->loop->function].node;
}

static inline bool mst_is_same_array(const mst_access *a, const mst_access *b) {
  return a->array != 0 && a->array == b->array && a->is_self == b->is_self;
}

/* sweeps.c: true when an axis that the loop does not count along tells the two apart for sure:
 * u[n + 1, i] and u[n, i - 1]. */
bool mst_walk_is_apart(const mst_walk *walk, const mst_access *store, const mst_access *load);
/* True when an inner loop goes along another axis: the turn writes a slab, element by element. */
bool mst_walk_fills_slab(const mst_walk *walk, const mst_access *store);
/* True when inner loops fill arrays that the loop does not walk: a turn is more than an element. */
bool mst_walk_fills_others(const mst_walk *walk);
/* True when the store is part of a sweep in place. */
bool mst_walk_in_place(const mst_walk *walk, const mst_access *store);
/* True for a window of what later turns look at by elements:
 * s[i + 1:i + 1 + n] = 0 if s[i] else ... */
bool mst_walk_writes_ahead(const mst_walk *walk, const mst_access *store);
/* True when the NAME or ATTRIBUTE reads all of the array that the access is of. */
bool mst_walk_is_whole_read(const mst_walk *walk, mst_node_id node, const mst_access *of);
/* The name of the list or deque that a CALL puts something into, or turns around; 0: none. */
mst_symbol mst_walk_grown_container(const mst_walk *walk, mst_node_id node);

/* body.c */
typedef struct mst_body {
  bool any_array;     /* some array is touched at all */
  bool element;       /* a walked array by single elements */
  bool row;           /* by rows, windows or slabs */
  bool whole_row;     /* by what one value of the counter picks, not by what it shifts */
  bool stores_walked; /* something is written by the counter, or appended */
  bool whole_work;    /* arithmetic on arrays that the loop does not walk */
  bool state_work;    /* the same, where the array is small but the loop's own state */
  bool shifts;        /* nearly all of an array, as far as the counter says */
  bool only_shifts;   /* slices that the counter moves, nothing else follows it */
} mst_body;
mst_body mst_walk_body(mst_walk *walk);

/* walks.c: true for what R101 and R103 report. */
bool mst_is_walk_finding(mst_loop_status status);

/* carries.c: what one turn hands to the next. */
typedef struct mst_carry {
  bool recurrence; /* an element needs one of an earlier turn, in no form that NumPy has */
  bool in_place;   /* each element needs the whole array that the sweep is writing */
  bool grid;       /* slabs that inner loops fill by elements go from turn to turn */
  bool foreign;    /* arrays of the host go from turn to turn */
  bool scan;       /* a running sum or product that is kept in each turn */
  bool slabs;      /* whole rows, or whole arrays, go from turn to turn */
} mst_carry;
mst_carry mst_walk_carry(const mst_walk *walk);
/* carries.c: true when a turn reads the name before it binds it. */
bool mst_walk_hands_on(const mst_walk *walk, mst_symbol name);

#endif
