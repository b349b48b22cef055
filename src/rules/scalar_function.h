/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of numbers, written for whole arrays: `v if v > 0 else 0.1 * v` is `np.where(v > 0, v,
 * 0.1 * v)`. What cannot be written so has no form; where it may compute something else than the
 * function does element by element, there is a doubt.
 */
#ifndef MST_RULES_SCALAR_FUNCTION_H
#define MST_RULES_SCALAR_FUNCTION_H

#include "rules/places.h"
#include "rules/suggest.h"

#define MST_MOST_NAMES 16

/* What a number of the function is, or what all of them are. */
typedef enum mst_scalar_type {
  MST_S_ANY,    /* an element of nobody knows which type */
  MST_S_FLOAT,  /* float64, or Python's float */
  MST_S_INT,    /* a whole number of the code */
  MST_S_NUMBER, /* whole or not */
  MST_S_MIXED,  /* whole for some elements only */
  MST_S_BOOL
} mst_scalar_type;

typedef struct mst_scalar {
  const char *text; /* NULL: it has no form for whole arrays */
  mst_scalar_type type;
  uint32_t needs;   /* the parameters that it is made of, a bit for each; 0: a constant */
  bool is_atom;     /* needs no parentheses anywhere */
  bool is_argument; /* an argument itself: no new array */
  bool is_positive; /* never below zero */
  char joint;       /* & or | that joins it; 0: none */
} mst_scalar;

typedef struct mst_scalar_function {
  mst_rule_context *context;
  mst_place place;   /* FUNCTION or LAMBDA */
  const char *np;    /* what NumPy is called */
  const char *doubt; /* NULL: none */
  bool has_branches; /* of which all are computed */
  bool has_risk;     /* among constants, of which Python may make an error */
  unsigned count;    /* of names: parameters first, then locals */
  mst_symbol names[MST_MOST_NAMES];
  mst_scalar values[MST_MOST_NAMES];
} mst_scalar_function;

/* scalar_expression.c: an expression of the function. */
mst_scalar mst_scalar_expression(mst_scalar_function *function, mst_node_id node);
/* The value of the first test that holds; else the last of the `count + 1` values. */
mst_scalar mst_scalar_choice(mst_scalar_function *function, const mst_scalar *tests,
                             const mst_scalar *values, unsigned count);
/* `left op right`, of which `text` is the text. */
mst_scalar mst_scalar_binary(mst_scalar_function *function, unsigned op, const mst_scalar *left,
                             const mst_scalar *right, const char *text);
/* True for literals, and for names that are bound to nothing else. */
bool mst_is_python_number(mst_place place);
/* scalar_calls.c: a call in the function, of one that NumPy has, too. */
mst_scalar mst_scalar_call(mst_scalar_function *function, mst_place call);
/* What the number is where it is computed with: of an unknown type, with doubt, a float. */
mst_scalar mst_scalar_number(mst_scalar_function *function, mst_scalar scalar);
mst_scalar_type mst_scalar_join(mst_scalar_type a, mst_scalar_type b);
/* The text as it may stand beside an operator. */
const char *mst_scalar_operand(const mst_scalar_function *function, const mst_scalar *scalar);
void mst_scalar_doubt(mst_scalar_function *function, const char *doubt);
/* The source with other texts for some of its nodes, on one line; NULL: comments are in it. */
const char *mst_scalar_text(const mst_scalar_function *function, mst_place place,
                            const mst_edit *edits, unsigned count);

/* scalar_function.c: fills in names and values of the parameters, of types given by `types`; false:
 * there are others than plain ones, or too many. */
bool mst_scalar_parameters(mst_scalar_function *function, const mst_scalar_type *types);
/* The whole body: statements before the result in *lines, NULL: none. result.text NULL: it has no
 * form for whole arrays. */
mst_scalar mst_scalar_body(mst_scalar_function *function, const char **lines);

#endif
