/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The abstract interpreter behind mst_model_build: each function is run over values instead of
 * data, again and again until nothing changes. What the files of it share.
 */
#ifndef MST_PYSOURCE_INTERP_H
#define MST_PYSOURCE_INTERP_H

#include "pysource/model.h"
#include "pysource/states.h"

/* Where a NAME node is bound. */
typedef struct mst_binding {
  uint32_t owner; /* function index; MST_BOUND_CLASS + class index; or MST_UNBOUND */
  uint32_t slot;  /* of the function's locals */
} mst_binding;

#define MST_UNBOUND UINT32_MAX
#define MST_BOUND_CLASS ((uint32_t)1 << 31)

/* What the build knows of a module besides what rules may ask. */
typedef struct mst_module_notes {
  mst_binding *bindings; /* by node */
  mst_value *stars;      /* modules whose names came in by `import *` */
  uint32_t star_count, star_capacity;
  struct {
    mst_value *data;
    size_t length, capacity;
  } arguments;              /* of add_argument() calls */
  mst_index argument_index; /* by name */
  mst_index sites;          /* of calls, by callee and node: among the callee's callers */
  uint32_t tensors, frames; /* names of the module that stand for other libraries' arrays */
} mst_module_notes;

/* The places a loop's flow goes to besides its end. */
typedef struct mst_flow {
  struct mst_flow *outer;
  mst_state *exits; /* join of the states at break and continue; NULL: none */
} mst_flow;

typedef struct mst_interp {
  mst_program *program;
  mst_arena *arena;
  mst_values *values;
  mst_module_notes *notes; /* by module */
  uint32_t module_index, function_index;
  mst_module *module;
  mst_module_notes *unit;
  mst_tree *tree;
  mst_states states;
  mst_state *env;        /* of the function at hand */
  mst_node_id *next_use; /* presume.c's, by node, while it collects */
  bool dead;             /* behind return, raise, break or continue */
  mst_flow *flow;
  uint32_t class_index; /* 1-based: class whose body is run; 0: none */
  unsigned loop_depth;
  uint32_t called_before;   /* what the call at hand called when it was last run: see calls */
  uint32_t *slot_by_symbol; /* scope.c's, while it collects */
  uint32_t *stamps;         /* by symbol of the trees: when a binding of that name last changed */
  uint32_t symbol_count;    /* of the trees */
  uint32_t now;             /* counts runs of functions */
  uint64_t steps;           /* what was executed and evaluated */
  uint64_t most_steps;
  uint8_t *builtins;     /* by symbol: whether it names one */
  uint32_t *modules;     /* by symbol: 1-based first module of that name */
  uint32_t *next_module; /* by module: 1-based next one of the same name */
  struct {
    mst_value *data;
    size_t length, capacity;
  } members;              /* of libraries: attributes.c's */
  mst_index member_index; /* by library and name */
  mst_index plain_calls;  /* by full name of a library's function: the type of what it gives back,
                             where  nothing but the name tells */
  bool has_numpy;         /* some module imports arrays, or is handed the module that makes them */
} mst_interp;

/* model.c */
_Noreturn void mst_end_of_steps(mst_interp *in);

static inline mst_function *mst_interp_function(const mst_interp *in) {
  return &in->program->functions.data[in->function_index];
}
/* Takes the arena's way out when there were too many. */
static inline void mst_count_step(mst_interp *in) {
  if (++in->steps + in->states.looks > in->most_steps) mst_end_of_steps(in);
}
static inline const mst_node *mst_in_node(const mst_interp *in, mst_node_id id) {
  return &in->tree->nodes[id];
}

/* modules.c: makes the modules; each tree's symbols become the program's. */
void mst_add_modules(mst_interp *in, mst_tree *const *trees, const char *const *names,
                     uint32_t count, unsigned threads);

/* scope.c: finds functions, classes, locals, and binds every NAME. */
void mst_scope_build(mst_interp *in, uint32_t module_index);
/* Name by symbol from the function outwards, as Python looks it up. */
mst_binding mst_scope_find(const mst_interp *in, uint32_t function, mst_symbol name);

/* presume.c: what parameters are by annotation, docstring, default and use. */
void mst_presume_parameters(mst_interp *in, uint32_t function);
/* What stands behind the `=` of a parameter; BOTTOM: nothing, or None. */
mst_value mst_default_value(mst_interp *in, mst_node_id otherwise);
/* annotations.c: the part of it that is written down. BOTTOM: nothing is. */
mst_value mst_presume_annotation(mst_interp *in, mst_node_id annotation);
/* By "name : (N,) ndarray" or "name (np.ndarray): ..." in the function's docstring. *is_like: set
 * where it is said to be array_like, which lists are as well. */
mst_value mst_presume_docstring(mst_interp *in, const mst_function *function, const char *name,
                                bool *is_like);
/* Attributes of unknown value that the methods use like arrays. */
void mst_presume_attributes(mst_interp *in, uint32_t class_index);

/* passed.c: hands a value to parameter `at` of a function; call 0: no evidence is kept. */
void mst_pass(mst_interp *in, uint32_t function, uint32_t at, mst_value value, mst_node_id call);
/* What the call gives to no parameter from `first` on is left to defaults. */
void mst_note_left_out(mst_interp *in, mst_node_id call, uint32_t function, uint32_t first);
/* The parameters from `first` on may be given anything. */
void mst_note_open(mst_interp *in, uint32_t function, uint32_t first);
/* What a field of a class without __init__ holds, by what its call gives; BOTTOM: nothing. */
mst_value mst_field_value(mst_interp *in, uint32_t class_index, mst_symbol name, mst_value given);
/* A parameter as its function is entered. */
mst_value mst_parameter_value(mst_interp *in, const mst_parameter *parameter);

/* exec.c: runs the body of one function. */
void mst_exec_function(mst_interp *in, uint32_t function);
void mst_bind(mst_interp *in, mst_node_id target, mst_value value);
void mst_exec_block(mst_interp *in, mst_node_id block);
/* define.c: `def` and `class`. */
void mst_exec_function_definition(mst_interp *in, mst_node_id node);
void mst_exec_class_definition(mst_interp *in, mst_node_id node);
/* Binds a comprehension's or for loop's target to what iterating `iterable` gives. */
mst_value mst_iterate(mst_interp *in, const mst_value *iterable);
/* narrow.c: in the branch of a type test a name is what the test says; `otherwise`: in the other
 * branch, for the tests' opposites. */
void mst_narrow(mst_interp *in, mst_node_id test, bool otherwise);

/* names.c: imports, names and attributes. */
/* "a.b", or one of them when the other is empty; cut where it does not fit. Returns text. */
char *mst_join_name(char *text, size_t size, const char *a, const char *b);
void mst_exec_import(mst_interp *in, mst_node_id node);
/* Gives a name the value: in the state at hand, and in what functions within may read. */
void mst_bind_name(mst_interp *in, mst_binding binding, mst_symbol name, mst_value value);
mst_value mst_eval_name(mst_interp *in, mst_node_id node);
mst_value mst_eval_attribute(mst_interp *in, mst_node_id node);
mst_value mst_attribute_of(mst_interp *in, mst_node_id node, mst_value object, mst_symbol name);
void mst_store_attribute(mst_interp *in, const mst_value *object, mst_symbol name, mst_value value);
mst_value mst_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name);
void mst_store_class_attribute(mst_interp *in, uint32_t class_index, mst_symbol name,
                               mst_value value);
/* `name: np.ndarray` in the class's body. */
void mst_declare_attribute(mst_interp *in, uint32_t class_index, mst_symbol name, mst_value value);
mst_value mst_library_value(mst_interp *in, const char *name);
void mst_find_builtins(mst_interp *in);
/* What is bound to the name has changed: functions that mention it are run again. */
static inline void mst_note_change(mst_interp *in, mst_symbol name) {
  if (name != 0 && name < in->symbol_count) in->stamps[name] = in->now;
}
/* The same for a local of a function: nobody else sees it but functions within. */
static inline void mst_note_local_change(mst_interp *in, uint32_t function, mst_symbol name) {
  if (in->program->functions.data[function].has_inner) mst_note_change(in, name);
}
const char *mst_ref_text(const mst_interp *in, const mst_value *value);
/* The value with a step of evidence at a node, most often the one that the node had before. */
static inline mst_value mst_because(mst_interp *in, mst_value value, mst_step_kind kind,
                                    mst_node_id node) {
  return mst_value_because_again(in->values, value, kind, in->module_index, node,
                                 in->module->values[node].why);
}

/* eval.c: expressions. */
mst_value mst_eval(mst_interp *in, mst_node_id node);

/* operators.c */
mst_value mst_broadcast(mst_interp *in, mst_value a, mst_value b);
mst_dtype_class mst_result_dtype(mst_op op, const mst_value *a, const mst_value *b);
mst_value mst_eval_binary_values(mst_interp *in, mst_op op, mst_value a, mst_value b,
                                 mst_node_id node);

/* picked.c: an element by indices that count no turns of a loop, or what is made of such. */
bool mst_is_picked(const mst_interp *in, mst_node_id node);

/* number.c: a NUMBER. */
mst_value mst_eval_number(const mst_interp *in, mst_node_id node);

/* subscript.c */
mst_value mst_eval_subscript(mst_interp *in, mst_node_id node);
/* A slice object with that step; BOTTOM: none was given. */
mst_value mst_slice_value(const mst_value *step);
void mst_store_subscript(mst_interp *in, mst_node_id node, mst_value value);
/* Rows of the SLICE n - 1:n + 2, whatever n is; -1: not told like this. */
int64_t mst_window_extent(mst_place slice);
void mst_put_into(mst_interp *in, mst_node_id base, mst_value value);

/* call.c, call_library.c */
mst_value mst_eval_call(mst_interp *in, mst_node_id node);
mst_value mst_call_function(mst_interp *in, mst_node_id call, uint32_t function,
                            const mst_value *self);
/* a, b = f(): what is unpacked has as many items as there are targets. */
mst_value mst_unpacked(mst_interp *in, mst_node_id target, mst_node_id given, mst_value value);
mst_value mst_call_library(mst_interp *in, mst_node_id call, mst_symbol full,
                           const mst_value *receiver);
/* The table's entry of a full name, remembered by symbol. */
const mst_api *mst_api_of(mst_interp *in, mst_symbol name);
/* The value of an argument that was evaluated already: see mst_argument. BOTTOM: not given. */
mst_value mst_argument_value(mst_interp *in, mst_node_id call, int position, const char *keyword);
mst_node_id mst_argument_node(const mst_tree *tree, const mst_symbols *symbols, mst_node_id call,
                              int position, const char *keyword);

/* apply.c: results of the kinds of api.h. */
mst_value mst_apply_api(mst_interp *in, mst_node_id call, const mst_api *api,
                        const mst_value *receiver, mst_library library);
mst_value mst_array_of_shape(mst_interp *in, const mst_value *shape);

/* trips.c: n - 1 as n, with -1 as offset. */
mst_node_id mst_without_offset(const mst_module *module, mst_node_id node, double *offset);
#define MST_NAME_BYTES 256 /* of a full name that is put together; what is longer is cut */

/* Something of a library by its full name; `kind`: MST_V_API, MST_V_MODULE or MST_V_OBJECT. */
mst_value mst_named(mst_interp *in, mst_value_kind kind, const char *name);
/* The module of the program that goes by a dotted path. */
bool mst_our_module(const mst_interp *in, const char *path, mst_value *module);
/* What a module of the program has under a name; UNKNOWN when it has nothing. */
mst_value mst_module_member(mst_interp *in, uint32_t module_index, mst_symbol name);
/* loops.c: after the values are known. */
void mst_find_loops(mst_program *program);
/* plots.c: true for a `for` whose turns draw, and neither keep nor hand on what they compute. */
bool mst_only_draws(mst_place loop, mst_node_id body);
/* heat.c */
void mst_find_heat(mst_program *program, unsigned threads);
/* walks.c */
void mst_classify_loops(mst_program *program);

#endif
