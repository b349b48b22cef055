/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that work on elements i of arrays, or i and j, and what stands for the elements when all
 * are worked on at once: a[i - 1] of `for i in range(1, len(a) - 1)` is a[:-2].
 */
#ifndef MST_RULES_ELEMENT_LOOP_H
#define MST_RULES_ELEMENT_LOOP_H

#include "rules/map_lengths.h"
#include "rules/suggest.h"

#define MST_MOST_EDITS 32
#define MST_MOST_ARRAYS 12

/* for i in range(first, length - cut) */
typedef struct mst_counted {
  mst_symbol counter;
  mst_place end;     /* the length, less what is cut off */
  mst_place last;    /* all of it */
  mst_length length; /* what that goes back to */
  int64_t first, cut;
} mst_counted;

typedef struct mst_indexed {
  mst_place place; /* NAME or path, where it is indexed first */
  bool is_written, is_shifted, is_longer;
} mst_indexed;

typedef struct mst_element_loop {
  mst_place loop, body; /* the outer loop, the block of the inner one */
  mst_counted axes[2];
  int rank; /* of axes: 1 or 2 */
  mst_edit edits[MST_MOST_EDITS];
  unsigned edit_count;
  mst_indexed arrays[MST_MOST_ARRAYS];
  unsigned array_count;
  bool on_diagonal;       /* a[i, i] */
  bool has_unsure_number; /* a default argument, in whose place callers may give an array */
} mst_element_loop;

/* False for a loop, or a nest of two, that counts in another way, or whose counter is read behind
 * it. */
bool mst_read_element_loop(mst_place place, const mst_loop *loop, mst_element_loop *out);
/* Reads an expression of elements, constants, arithmetic and ufuncs, or the element that is
 * written; adds an edit for each element. False for anything else. */
bool mst_add_elements(mst_rule_context *context, mst_element_loop *loop, mst_node_id expression);
bool mst_add_element(mst_rule_context *context, mst_element_loop *loop, mst_node_id subscript);
/* a[i] < b[i], also joined by and, or, not; *text says it of whole arrays. */
bool mst_add_condition(mst_rule_context *context, mst_element_loop *loop, mst_node_id test,
                       const char **text);
/* The node with those edits made that lie in it. */
const char *mst_with_elements(const mst_rule_context *context, const mst_element_loop *loop,
                              mst_node_id node);
/* Why it may be something else with whole arrays; NULL: it is seen to be the same. */
const char *mst_doubt_about(const mst_element_loop *loop);
/* True when all arrays are seen to hold floating-point numbers. */
bool mst_are_floats(const mst_element_loop *loop);

#endif
