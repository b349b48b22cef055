/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the analysis knows about a Python value. Values are small and passed by value; what does
 * not fit (elements of containers, extents, chains of evidence) lies in tables of the program, each
 * entry once, so that equal values are equal integers.
 */
#ifndef MST_PYSOURCE_VALUES_H
#define MST_PYSOURCE_VALUES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pysource/syntax.h"

typedef enum mst_value_kind {
  MST_V_BOTTOM, /* nothing was seen to get here */
  MST_V_UNKNOWN,
  MST_V_NONE,
  MST_V_NUMBER, /* a number of the host: int, float, complex, bool */
  MST_V_STRING,
  MST_V_DTYPE,
  MST_V_SLICE,
  MST_V_RANGE, /* range() or something that counts like it */
  MST_V_LIST,
  MST_V_TUPLE,
  MST_V_SET,
  MST_V_DICT,     /* its elements are its values */
  MST_V_ITERATOR, /* zip, enumerate, map, a generator */
  MST_V_MODULE,   /* ref: the module's full name, or index for one of ours */
  MST_V_API,      /* something of a library: ref is its full name, "numpy.zeros" */
  MST_V_FUNCTION, /* ref: index of a function of ours; with `self` if it is bound */
  MST_V_CLASS,    /* ref: index of a class of ours */
  MST_V_INSTANCE, /* ref: index of its class */
  MST_V_OBJECT,   /* made by a library: ref is the full name of its type or maker */
  MST_V_DEFERRED, /* 0-d array: a reduction, or one element */
  MST_V_ARRAY
} mst_value_kind;

/* Who owns an array. */
typedef enum mst_library {
  MST_LIB_TARGET, /* NumPy's that is to become, or is already, cuPyNumeric's */
  MST_LIB_HOST,   /* NumPy's beside cuPyNumeric, or a host library's */
  MST_LIB_CUPY
} mst_library;

typedef enum mst_dtype_class {
  MST_D_UNKNOWN,
  MST_D_BOOL,
  MST_D_INT,
  MST_D_FLOAT,
  MST_D_COMPLEX,
  MST_D_OBJECT,
  MST_D_STRING,
  MST_D_TIME,
  MST_D_LONG_DOUBLE,
  MST_D_STRUCT
} mst_dtype_class;

/* How sure it is that a value is what it is said to be; section 4 of the rules' contract. */
typedef enum mst_confidence { MST_POSSIBLE, MST_LIKELY, MST_CERTAIN } mst_confidence;

enum {
  MST_VF_FRESH = 1,          /* allocated by the expression itself */
  MST_VF_VIEW = 2,           /* of what `storage` names */
  MST_VF_COPY_OF_VIEW = 4,   /* a view in NumPy, a copy on the target: flip, ravel, ... */
  MST_VF_INDEX = 8,          /* made by nonzero, argwhere, one-argument where */
  MST_VF_MAYBE_ELEMENT = 16, /* a[i] of unknown rank: an element or a row */
  MST_VF_FROM_DEFAULT = 32,  /* a number, or extents, known from a default argument only */
  MST_VF_NUMBER = 64,        /* `number` is known */
  MST_VF_INTEGER = 128,      /* the number is an int */
  MST_VF_ELEMENT = 256,     /* an element read by index, a row that a loop takes, or made of such */
  MST_VF_PARAMETER = 512,   /* came in as a parameter of the function at hand */
  MST_VF_VECTORIZED = 1024, /* API: made by np.vectorize or np.frompyfunc */
  MST_VF_ONE_D_DIAG = 2048, /* diag of a 1-d array: a copy in NumPy too */
  MST_VF_DECLARED = 4096,   /* INSTANCE that an annotation names: a subclass's may come as well */
  MST_VF_ITEM_SIZE = 8192,  /* NUMBER that came from an extent of an array: x.shape[0], len(x) */
  MST_VF_JIT = 16384,       /* FUNCTION compiled by numba */
  MST_VF_SEVERAL = 32768,   /* UNKNOWN: things that do not go together; stays so but for arrays */
  MST_VF_STEP = 2           /* SLICE, which is no view: with a step other than 1 */
};

typedef struct mst_value {
  uint8_t kind; /* mst_value_kind */
  uint8_t library;
  uint8_t dtype;
  uint8_t confidence;
  int8_t rank;  /* -1: unknown */
  uint8_t self; /* FUNCTION: bound */
  uint16_t flags;
  uint32_t ref;     /* see the kinds */
  uint32_t items;   /* containers: the table entry of elements; FUNCTION: of further functions */
  uint32_t extents; /* ARRAY: the table entry of its shape; 0: unknown */
  uint32_t storage; /* who allocated it: a global node number, shared by views; 0: unknown */
  uint32_t why;     /* last step of the evidence; not part of what makes values equal */
  uint32_t unused;  /* 0, where there would be padding: states compare values byte by byte */
  double number;    /* with MST_VF_NUMBER */
} mst_value;

static_assert(offsetof(mst_value, number) == offsetof(mst_value, unused) + sizeof(uint32_t) &&
                  sizeof(mst_value) == offsetof(mst_value, number) + sizeof(double),
              "a value has no padding");

/* Elements of a container: `count` known ones in order, or only what any of them is. */
typedef struct mst_items {
  uint32_t count; /* 0: length unknown */
  uint32_t hash;
  mst_value any; /* join of all */
  const mst_value *each;
} mst_items;

/* A step of evidence: "`u` is an ndarray: returned by np.zeros" and where. */
typedef enum mst_step_kind {
  MST_STEP_MADE,      /* by the call or operator at the node */
  MST_STEP_PARAMETER, /* passed as parameter at the call node */
  MST_STEP_RETURNED,  /* by a function of ours, at the call node */
  MST_STEP_ATTRIBUTE, /* kept in an attribute; node: where it was stored */
  MST_STEP_ANNOTATED, /* parameter whose annotation or docstring says so */
  MST_STEP_USED,      /* parameter that is used like an array at the node */
  MST_STEP_GLOBAL,
  MST_STEP_ELEMENT
} mst_step_kind;

typedef struct mst_step {
  uint8_t kind;
  uint8_t length; /* of the chain */
  uint32_t module;
  mst_node_id node;
  uint32_t before; /* earlier step; 0: none */
} mst_step;

typedef struct mst_values {
  mst_arena *arena;
  struct {
    mst_items *data;
    size_t length, capacity;
  } items;
  struct {
    const int64_t **data;
    size_t length, capacity;
  } extents; /* [0]: rank, then extents; -1: unknown */
  struct {
    mst_step *data;
    size_t length, capacity;
  } steps;
  uint32_t *item_slots, *extent_slots, *step_slots; /* hash tables of the three */
  uint32_t item_slot_count, extent_slot_count, step_slot_count;
} mst_values;

void mst_values_init(mst_values *values, mst_arena *arena);

mst_value mst_value_unknown(void);
mst_value mst_value_of_kind(mst_value_kind kind);
mst_value mst_value_number(double number, bool integer);
/* An array of the target; rank -1: unknown. */
mst_value mst_value_array(int rank, mst_confidence confidence);

bool mst_value_equal(const mst_value *a, const mst_value *b);
/* What is either a or b; the more array-like wins, because a place that may see an array has to be
 * looked at as if it did. */
mst_value mst_value_join(mst_values *values, mst_value a, mst_value b);
/* What any part of a container is, of which some are a and others b: a step in one of its slices
 * is a step in the whole. */
mst_value mst_value_join_parts(mst_values *values, mst_value a, mst_value b);

enum { MST_MOST_KNOWN = 16 }; /* elements of a container that are told apart */

/* The value as one that may be another: its numbers and extents are no constants. */
mst_value mst_value_as_default(mst_values *values, mst_value value);

/* A container of `count` known elements (at most MST_MOST_KNOWN), or of any number of `any`. */
mst_value mst_value_container(mst_values *values, mst_value_kind kind, const mst_value *each,
                              uint32_t count);
mst_value mst_value_container_of(mst_values *values, mst_value_kind kind, mst_value any);
/* The first of the two, found sooner when `likely` is what comes out. */
mst_value mst_value_container_again(mst_values *values, mst_value_kind kind, const mst_value *each,
                                    uint32_t count, const mst_value *likely);
/* What any element of the container is; BOTTOM for an empty one, UNKNOWN when nothing is known. */
mst_value mst_value_any_item(const mst_values *values, const mst_value *container);
/* Element `index` of a container, from behind when negative; any item where that is unknown. */
mst_value mst_value_item(const mst_values *values, const mst_value *container, int64_t index);
uint32_t mst_value_item_count(const mst_values *values, const mst_value *container);
/* Adds the elements of a tuple to `each`; false: they are not known one by one, or too many. */
bool mst_value_add_items(const mst_values *values, const mst_value *tuple,
                         mst_value each[MST_MOST_KNOWN], uint32_t *count);

/* True for a tuple in which a row or element of an array stands: what zip(a, b) gives. */
bool mst_holds_rows(const mst_values *values, const mst_value *tuple);

/* Table entry of a shape. */
uint32_t mst_extents(mst_values *values, int rank, const int64_t *extents);
/* Extent of one axis; -1: unknown. */
int64_t mst_extent(const mst_values *values, const mst_value *array, int axis);
/* Elements of the whole array; -1: unknown, INT64_MAX: that many or more. */
int64_t mst_element_total(const mst_values *values, const mst_value *array);
/* The same; -1 also where they cannot be counted. */
int64_t mst_element_count(const mst_values *values, const mst_value *array);

/* `value` with one more step of evidence. */
mst_value mst_value_because(mst_values *values, mst_value value, mst_step_kind kind,
                            uint32_t module, mst_node_id node);
/* The same, found sooner when `likely` is the chain that comes out: what it was the last time. */
mst_value mst_value_because_again(mst_values *values, mst_value value, mst_step_kind kind,
                                  uint32_t module, mst_node_id node, uint32_t likely);

static inline bool mst_is_array(const mst_value *value) { return value->kind == MST_V_ARRAY; }
static inline bool mst_is_target_array(const mst_value *value) {
  return value->kind == MST_V_ARRAY && value->library == MST_LIB_TARGET;
}
/* An array or 0-d array of any library. */
static inline bool mst_is_arrayish(const mst_value *value) {
  return value->kind == MST_V_ARRAY || value->kind == MST_V_DEFERRED;
}
/* A 0-d value that lives on the target: reading it on the host waits. */
static inline bool mst_is_deferred(const mst_value *value) {
  return value->kind == MST_V_DEFERRED && value->library == MST_LIB_TARGET;
}
static inline bool mst_is_container(const mst_value *value) {
  return value->kind >= MST_V_LIST && value->kind <= MST_V_ITERATOR;
}
/* x.shape[0], len(x) */
static inline bool mst_is_item_size(const mst_value *value) {
  return value->kind == MST_V_NUMBER && (value->flags & MST_VF_ITEM_SIZE) != 0;
}
/* The number as an integer; beyond 1e15, where nothing is counted, 1e15 of its sign; 0 for NaN. */
static inline int64_t mst_whole(double number) {
  const double most = 1e15;
  if (number >= most || number <= -most) return number > 0 ? (int64_t)most : -(int64_t)most;
  return number == number ? (int64_t)number : 0;
}
static inline bool mst_knows_number(const mst_value *value) {
  return value->kind == MST_V_NUMBER && (value->flags & MST_VF_NUMBER) != 0;
}

/* For the tables: a hash that takes in one more word. */
static inline uint32_t mst_mix(uint32_t hash, uint64_t word) {
  const uint64_t x = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(x ^ (x >> 32));
}

#endif
