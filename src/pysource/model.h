/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The semantic model of a program: a set of files that import one another. Built once by
 * mst_model_build, then only read, by any number of threads: rules ask it what a name is, how hot a
 * place is, what a loop does. Everything lies in one arena.
 */
#ifndef MST_PYSOURCE_MODEL_H
#define MST_PYSOURCE_MODEL_H

#include "base/str.h"
#include "pysource/api.h"
#include "pysource/index.h"
#include "pysource/syntax.h"
#include "pysource/values.h"

/* ---- heat: how often a place runs -------------------------------------------------------------- */

typedef enum mst_heat {
  MST_HEAT_BOUNDARY, /* set-up, reports, input and output */
  MST_HEAT_PERIODIC, /* in a hot loop, but only every so often */
  MST_HEAT_UNKNOWN,  /* in a loop over nobody knows what */
  MST_HEAT_PRESUMED, /* in a function that is not seen in a loop */
  MST_HEAT_HOT
} mst_heat;

/* Hot or presumed: what reports and the verdict call the hot path. */
static inline bool mst_is_hot_path(mst_heat heat) {
  return heat == MST_HEAT_HOT || heat == MST_HEAT_PRESUMED;
}
/* "hot", "presumed", ... as reports spell it. */
const char *mst_heat_name(mst_heat heat);

/* ---- functions and classes -------------------------------------------------------------------- */

typedef struct mst_parameter {
  mst_symbol name;
  mst_node_id node;   /* PARAMETER */
  uint32_t slot;      /* of the function's locals */
  mst_value passed;   /* join of what callers pass; BOTTOM: no caller seen */
  mst_value tried;    /* the same of the numbers that tests and examples pass */
  mst_value presumed; /* by annotation, docstring, default and use */
  bool is_left_out;   /* some call leaves it to its default */
  bool is_open;       /* it may be given what is not seen: by a library, in **options */
} mst_parameter;

typedef struct mst_call_site {
  uint32_t function; /* in which the call stands */
  mst_node_id node; /* CALL, or the expression that hands the function to something that calls it */
  bool driven;      /* by a library, again and again: scipy.optimize.minimize(f, ...) */
} mst_call_site;

typedef struct mst_function {
  uint32_t module;
  mst_node_id node;     /* FUNCTION, LAMBDA or MODULE */
  mst_symbol name;      /* 0 for lambdas and modules */
  uint32_t parent;      /* the function around it; modules: themselves */
  uint32_t class_;      /* 1-based: whose method; 0: none */
  uint32_t global_name; /* symbol of "Solver.advance", for reports */
  mst_symbol *locals;   /* by slot */
  uint32_t local_count;
  uint32_t *table; /* hash table of slots + 1 */
  uint32_t table_mask;
  mst_value *summary; /* by slot: join of all that is ever bound to it */
  mst_parameter *parameters;
  uint32_t parameter_count;
  uint32_t star;    /* index of *args; UINT32_MAX: it has none */
  mst_value result; /* join of what it returns; generators: an iterator */
  struct {
    mst_call_site *data;
    size_t length, capacity;
  } callers;
  bool is_static, is_class_method, is_property;
  bool is_generator;
  bool is_jit;    /* compiled by numba: its body is not assessed */
  bool is_opaque; /* under a decorator that cannot be seen through */
  bool does_io;   /* prints, plots, reads or writes files itself */
  bool has_inner; /* functions within it may read its locals; so for all modules */
  bool is_needed; /* stands where arrays are spoken of, or is called from there */
  bool is_dirty;
  uint32_t last_run; /* 0: never */
  mst_heat heat;     /* of its body, outside its own loops */
  uint32_t depth;    /* of the hot loops around its hottest call, through all callers */
} mst_function;

#define MST_MOST_BASES 64 /* classes that are looked through for an attribute */

typedef struct mst_class {
  uint32_t module;
  mst_node_id node;
  mst_symbol name;
  mst_value *bases;
  uint32_t base_count;
  struct {
    struct mst_attribute {
      mst_symbol name;
      mst_value value;
      bool is_declared; /* the value is what an annotation says: what is given says more */
    } * data;
    size_t length, capacity;
  } attributes;              /* methods and class attributes among them */
  mst_index attribute_index; /* by name */
} mst_class;

/* ---- loops -------------------------------------------------------------------------------------- */

/* What a loop does to arrays; the words of `loops` in reports. */
typedef enum mst_loop_status {
  MST_LOOP_PLAIN,      /* no array is touched */
  MST_LOOP_VECTORISED, /* its body works on whole arrays */
  MST_LOOP_ELEMENTS,   /* R101: walks arrays by elements */
  MST_LOOP_ROWS,       /* R101: walks arrays by independent rows or windows */
  MST_LOOP_SWEEP,      /* R101: slabs that carry state along an array's own axis */
  MST_LOOP_SCAN,       /* R101: a running sum or product */
  MST_LOOP_ITERATES,   /* R103: over the array itself */
  MST_LOOP_RECURRENCE, /* each step needs the one before */
  MST_LOOP_TIME,       /* whole arrays carried from step to step, a count as bound */
  MST_LOOP_SMALL,      /* at most 16 turns, known */
  MST_LOOP_PART        /* inside a loop that has the finding */
} mst_loop_status;
const char *mst_loop_status_name(mst_loop_status status);

typedef struct mst_loop {
  uint32_t module, function;
  mst_node_id node;     /* FOR, WHILE or a comprehension */
  mst_node_id body;     /* BLOCK, or the comprehension's element */
  mst_node_id iterable; /* FOR and comprehensions: of the (first) target */
  mst_node_id taken;    /* where it iterates over an array: that iterable */
  uint32_t outer;       /* 1-based loop around it in the same function; 0: none */
  mst_symbol *counters; /* what counts: targets over numbers, and `while` counters */
  uint32_t counter_count;
  int64_t trips;        /* known from literals and module constants; -1: not known */
  bool is_hot;          /* by its own kind: may run many times */
  bool is_unknown;      /* over an iterable of unknown kind and length */
  bool is_small;        /* at most 16 trips */
  bool only_draws;      /* over plots */
  bool bound_from_axis; /* its bound is read from an array's own axis */
  bool iterates;        /* over an array itself */
  mst_loop_status status;
  const char *reason;          /* one line for reports */
  const struct mst_walk *walk; /* how it was judged (walks.h); NULL: it was not */
  mst_symbol *walked;          /* the arrays it walks (names or attributes' last names) */
  uint32_t walked_count;
} mst_loop;

/* ---- modules and the program ---------------------------------------------------------------------- */

typedef struct mst_module {
  mst_tree *tree;
  const mst_symbol *symbols; /* those that it mentions */
  uint32_t symbol_count;
  const char *name;   /* dotted, as others import it */
  mst_symbol symbol;  /* of that name */
  uint32_t function;  /* index of its MODULE function */
  uint32_t node_base; /* global number of node n: node_base + n */
  bool imports_numpy, imports_cupynumeric, imports_cupy;
  bool speaks_of_arrays; /* imports one of them, or uses np or xp, or takes names by a star */
  bool numpy_is_host;    /* cupynumeric stands beside numpy under another name */
  mst_value *values;     /* by node: what the expression is; for stores, what is bound */
  mst_symbol *names;     /* by node: symbol of the full name that a CALL calls; 0: unknown */
  uint32_t *calls;       /* by node: 1-based function of ours that a CALL calls; 0: none */
  uint32_t *loop_of;     /* by node: 1-based innermost loop whose body holds it */
  uint32_t *function_of; /* by node: index of the function whose body holds it */
  atomic_uchar *heats;   /* by node: heat + 1 once it was asked for; NULL until it is settled */
  mst_node_id *leaving;  /* by BLOCK: its first IF that ends by leaving the turn; 0: none */
} mst_module;

typedef struct mst_program {
  mst_arena *arena;
  bool is_out_of_steps; /* the way out was taken because it takes too long */
  const mst_api **apis; /* by symbol, for those that are full names; filled when they come up */
  uint32_t api_capacity;
  mst_symbols symbols;
  mst_values values;
  mst_module *modules;
  uint32_t module_count;
  struct {
    mst_function *data;
    size_t length, capacity;
  } functions;
  struct {
    mst_class *data;
    size_t length, capacity;
  } classes;
  struct {
    mst_loop *data;
    size_t length, capacity;
  } loops; /* by module and node */
} mst_program;

/* attributes.c: the class and what it inherits from, depth first, each once. Returns how many. */
uint32_t mst_class_line(const mst_program *program, uint32_t class_index,
                        uint32_t line[MST_MOST_BASES]);
/* What the class itself has under a name; NULL: nothing. */
const mst_value *mst_own_attribute(const mst_class *class_, mst_symbol name);

/* Some modules of a program, one after the other: what one thread looks at. */
typedef struct mst_module_range {
  uint32_t first, end;
} mst_module_range;

static inline mst_module_range mst_all_modules(const mst_program *program) {
  return (mst_module_range){0, program->module_count};
}

/*
 * Builds the model of the trees, which belong together; trees are changed (their symbols become
 * the program's). Takes the arena's way out when memory or steps end: both are counted, no clock is
 * read. `names[i]` is the dotted module name
 * of tree i (relative to the root it was found under).
 */
void mst_model_build(mst_program *program, mst_arena *arena, mst_tree *const *trees,
                     const char *const *names, uint32_t count, unsigned threads);

/* ---- questions ------------------------------------------------------------------------------------ */

/* A node of a module, as the questions below want it. */
typedef struct mst_place {
  const mst_program *program;
  const mst_module *module;
  mst_node_id node;
} mst_place;

static inline mst_place mst_place_at(mst_place place, mst_node_id node) {
  place.node = node;
  return place;
}

/* False when the module nowhere mentions the identifier. */
bool mst_is_mentioned(const mst_module *module, mst_symbol name);

/* What the expression at the node is. */
const mst_value *mst_value_at(mst_place place);
/* Full name of what a CALL calls: "numpy.linalg.qr", "ndarray.copy" (method of a target array or
 * 0-d array), "cupy.asarray", "builtins.float", "math.sqrt", "scipy.signal.firwin",
 * "mpi4py.MPI.Comm.Sendrecv", "numpy.random.Generator.normal"; NULL when unknown or ours. NumPy of
 * the host (beside cupynumeric) is "host.numpy.zeros" and so is not taken for the target's; methods
 * of host arrays are "host.ndarray.copy", of CuPy's "cupy.ndarray.get". */
const char *mst_called_name(mst_place call);
/* True for functions that ask for a type alone, as isinstance does: scipy.sparse.issparse. */
static inline bool mst_is_type_test(const char *name) {
  return mst_starts_with(name, "scipy.sparse.is");
}
/* The table's entry of what a CALL calls; NULL when it has none. */
const mst_api *mst_called_api(mst_place call);
/* Full name of an expression that stands for something of a library ("numpy.newaxis"); or NULL. */
const char *mst_expression_name(mst_place place);
/* The function of ours that a CALL calls, or NULL. */
const mst_function *mst_called_function(mst_place call);
/* Where a function is called. */
mst_place mst_call_place(const mst_program *program, const mst_call_site *site);
/* Slot of a local; UINT32_MAX: it is none. */
uint32_t mst_local_slot(const mst_function *function, mst_symbol name);
/* Index of the parameter that has a slot, or goes by a name; parameter_count: none does. */
uint32_t mst_parameter_by_slot(const mst_function *function, uint32_t slot);
uint32_t mst_parameter_by_name(const mst_function *function, mst_symbol name);
/* What a CALL of the function gives to a parameter; 0: its default, or that is not seen. */
mst_node_id mst_given_to(mst_place call, const mst_function *function, uint32_t parameter);
/* Argument by position (less self; -1: keyword only) or keyword (NULL: none): the value's node, or
 * 0. Stops at *args. */
mst_node_id mst_argument(mst_place call, int position, const char *keyword);
/* Positional arguments, up to the first *args. */
unsigned mst_positional_count(mst_place call);
/* The object of a method call x.f(): node of x; 0 for others. */
mst_node_id mst_receiver(mst_place call);

/* The innermost loop whose body holds the node (tests and iterables of the loop itself belong to
 * the loop around it, a WHILE's test to its own body); NULL: none in this function. */
const mst_loop *mst_loop_at(mst_place place);
const mst_loop *mst_loop_outside(const mst_program *program, const mst_loop *loop);
/* The loop whose statement or comprehension the node is; NULL when it is none. */
const mst_loop *mst_loop_by_node(mst_place place);
const mst_function *mst_function_at(mst_place place);
/* How hot the place is: its own loops, guards, and the function's heat. */
mst_heat mst_heat_at(mst_place place);
/* Heat of a loop's body: that of a finding that stands at the loop. */
mst_heat mst_loop_heat(mst_place loop);
/* Nested hot loops around the place, through all callers, for weights. */
unsigned mst_depth_at(mst_place place);

/* True when nothing that the expression reads is bound or written in the loop's body. */
bool mst_is_invariant(mst_place expression, const mst_loop *loop);
/* True inside a loop with R101 or R103, when the expression is the element or row that the loop
 * itself walks, or is made of it: then that finding covers it. */
bool mst_is_walk_use(mst_place expression);
/* True when the number is known to be `wanted` from literals, module constants and the like. */
bool mst_is_number(mst_place expression, double wanted);
/* The name that an expression goes by: "u", "self.u"; NULL for anything else, and for what is too
 * long for `text`, where it is put. */
#define MST_PATH_BYTES 200
const char *mst_path_of(mst_place expression, char text[MST_PATH_BYTES]);
/* True when two expressions are the same name, attribute path or constant. */
bool mst_same_expression(mst_place a, mst_place b);
/* The source text of a node, cut at `limit` bytes with "...", newlines and runs of blanks as one
 * blank. */
void mst_add_text(mst_place place, mst_str *out, size_t limit);
/* A path within prose: on one line, and without a back-tick, which would begin code. */
void mst_add_path(mst_str *out, const char *path);

/* The chain of evidence of a value, first cause first, each as one line:
 * "`u` is an array: made by `np.zeros(n)` (a.py:12)". At most `limit` lines; returns how many. */
unsigned mst_explain_value(mst_place place, const mst_value *value, mst_str *lines, unsigned limit);
/* Why the place is hot, one line: "hot: body of the `for step` loop (a.py:20)". */
void mst_explain_heat(mst_place place, mst_str *out);

#endif
