/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of NumPy give back, and which kind of work they are: one table, api.def. */
#ifndef MST_PYSOURCE_API_H
#define MST_PYSOURCE_API_H

#include <stdint.h>

/* How the result follows from the arguments. */
typedef enum mst_effect {
  MST_E_UNKNOWN,
  MST_E_SHAPED,    /* an array of the shape in argument 0 */
  MST_E_LIKE,      /* as argument 0, fresh */
  MST_E_CONVERTED, /* argument 0 as an array */
  MST_E_RANGE,     /* 1-d, fresh */
  MST_E_MATRIX,    /* 2-d, fresh */
  MST_E_DRAW,      /* random: the shape in size= or the last positional argument */
  MST_E_DRAW_DIMS, /* random: one argument an axis (rand, randn) */
  MST_E_UFUNC,     /* elementwise, broadcast over all arguments */
  MST_E_REDUCED,   /* argument 0 less axis= (argument 1); all axes: 0-d */
  MST_E_SCANNED,   /* as argument 0; without axis= 1-d */
  MST_E_SAME,      /* rank and shape of argument 0, another array */
  MST_E_SAME_RANK,
  MST_E_COORDINATES, /* one array for each axis of the shape given */
  MST_E_ARRAY,       /* an array of unknown rank */
  MST_E_VECTOR,      /* 1-d */
  MST_E_RESHAPED,
  MST_E_RAVELLED,
  MST_E_TRANSPOSED,
  MST_E_EXPANDED,
  MST_E_SQUEEZED,
  MST_E_FLIPPED, /* a view in NumPy, a copy on the target */
  MST_E_DIAGONAL,
  MST_E_STACKED, /* of the arrays in argument 0 */
  MST_E_WHERE,
  MST_E_INDICES, /* a tuple of index arrays */
  MST_E_INDEX,   /* one index array */
  MST_E_PRODUCT, /* dot and its like: by the ranks of arguments 0 and 1 */
  MST_E_SOLVED,  /* as argument 1 */
  MST_E_TRUTH,   /* one truth value, on the target */
  MST_E_SCALAR,  /* 0-d on the target: norm without axis=, det, trace */
  MST_E_NUMBER,  /* a number or other value of the host */
  MST_E_PAIR,    /* a tuple of two arrays */
  MST_E_TRIPLE,
  MST_E_ARRAYS,  /* a list of arrays */
  MST_E_LOADED,  /* an array from a file */
  MST_E_NOTHING, /* None */
  MST_E_VECTORIZED,
  MST_E_DTYPE,
  MST_E_OBJECT, /* an object of the library's */
  MST_EFFECTS
} mst_effect;

/* Kinds of work, for the rules. */
enum {
  MST_T_ELEMENTWISE = 1 << 0,
  MST_T_REDUCTION = 1 << 1,
  MST_T_PRODUCT = 1 << 2,
  MST_T_CONDITIONAL = 1 << 3,
  MST_T_CREATES = 1 << 4, /* allocation whose shape an argument gives */
  MST_T_RANDOM = 1 << 5,
  MST_T_STACKS = 1 << 6,
  MST_T_RESHAPES = 1 << 7,
  MST_T_FFT = 1 << 8,
  MST_T_LINALG = 1 << 9,
  MST_T_INDICES = 1 << 10,
  MST_T_TRUTH = 1 << 11,
  MST_T_IO = 1 << 12,
  MST_T_ORDER = 1 << 13,        /* takes order= */
  MST_T_ORDER_RAISES = 1 << 14, /* and raises when it is given */
  MST_T_COPIES = 1 << 15,
  MST_T_UFUNC = 1 << 16
};

typedef struct mst_api {
  const char *name; /* "numpy.zeros", "ndarray.sum" */
  mst_effect effect;
  uint32_t traits;
  int8_t dtype_at; /* position of the dtype argument; -1: keyword only or none */
  int8_t order_at; /* position of the order argument */
  int8_t out_at;   /* position of the out argument */
} mst_api;

/* By full name, NULL when unknown. Methods are looked up as "ndarray.sum". Any thread. */
const mst_api *mst_api_find(const char *name);
#endif
