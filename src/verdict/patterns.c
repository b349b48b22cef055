/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gate 4's measure: of the statements on the hot path that touch arrays or a pattern's own objects,
 * weighted by loop depth + 1, how many belong to which pattern.
 */
#include <string.h>

#include "verdict/tally.h"

static const struct {
  const char *name, *words, *tool;
} patterns[] = {
#define PATTERN(id, name, words, tool) {name, words, tool},
#include "verdict/patterns.def"
#undef PATTERN
};

const char *mst_compute_pattern_name(mst_compute_pattern pattern) {
  return pattern < MST_PATTERN_COUNT ? patterns[pattern].name : NULL;
}

const char *mst_compute_pattern_words(mst_compute_pattern pattern) {
  return pattern < MST_PATTERN_COUNT ? patterns[pattern].words : NULL;
}

const char *mst_compute_pattern_tool(mst_compute_pattern pattern) {
  return pattern < MST_PATTERN_COUNT ? patterns[pattern].tool : NULL;
}

mst_compute_pattern mst_compute_pattern_by_name(const char *name) {
  unsigned i = 0;
  while (i < MST_PATTERN_COUNT && strcmp(patterns[i].name, name) != 0)
    i++;
  return (mst_compute_pattern)i;
}

/* ---- whose things they are ---------------------------------------------------------------------- */

/* The first prefix that fits decides. */
static const struct {
  const char *prefix;
  mst_compute_pattern pattern;
} owners[] = {{"scipy.sparse.csgraph", MST_PATTERN_GRAPH},
              {"scipy.sparse", MST_PATTERN_SPARSE},
              {"pyamg", MST_PATTERN_SPARSE},
              {"sparse", MST_PATTERN_SPARSE},
              {"networkx", MST_PATTERN_GRAPH},
              {"igraph", MST_PATTERN_GRAPH},
              {"graph_tool", MST_PATTERN_GRAPH},
              {"rustworkx", MST_PATTERN_GRAPH},
              {"heapq", MST_PATTERN_GRAPH},
              {"torch.nn", MST_PATTERN_ML},
              {"torch.optim", MST_PATTERN_ML},
              {"torch.utils.data", MST_PATTERN_ML},
              {"torchvision", MST_PATTERN_ML},
              {"tensorflow", MST_PATTERN_ML},
              {"jax", MST_PATTERN_ML},
              {"keras", MST_PATTERN_ML},
              {"sklearn.datasets", MST_PATTERN_NONE}, /* data and helpers, no estimators */
              {"sklearn.model_selection", MST_PATTERN_NONE},
              {"sklearn.metrics", MST_PATTERN_NONE},
              {"sklearn.utils", MST_PATTERN_NONE},
              {"sklearn", MST_PATTERN_ML},
              {"flax", MST_PATTERN_ML},
              {"xgboost", MST_PATTERN_ML},
              {"lightgbm", MST_PATTERN_ML},
              {"transformers", MST_PATTERN_ML},
              {"re", MST_PATTERN_STRING},
              {"regex", MST_PATTERN_STRING},
              {"nltk", MST_PATTERN_STRING},
              {"spacy", MST_PATTERN_STRING},
              {"gensim", MST_PATTERN_STRING},
              {"pandas", MST_PATTERN_DATAFRAME},
              {"polars", MST_PATTERN_DATAFRAME},
              {"dask.dataframe", MST_PATTERN_DATAFRAME}};

mst_compute_pattern mst_compute_pattern_of_name(const char *name) {
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
    if (mst_is_in_package(name, owners[i].prefix)) return owners[i].pattern;
  return MST_PATTERN_NONE;
}

static uint8_t pattern_of_name(const char *name) {
  return (uint8_t)mst_compute_pattern_of_name(name);
}

/* A method whose name alone tells, on something that is no array or object of ours. */
static mst_compute_pattern pattern_of_method(mst_place call, bool has_graphs, bool has_text) {
  static const char *const of_strings[] = {
      "split",    "rsplit",     "strip",    "lstrip",  "rstrip",  "lower", "upper",
      "casefold", "splitlines", "tokenize", "isalpha", "isdigit", NULL};
  /* Elsewhere these take options and file names apart. */
  static const char *const of_texts[] = {"startswith", "endswith", NULL};
  static const char *const of_graphs[] = {
      "neighbors",       "successors",  "predecessors",    "edges",     "nodes",      "adjacency",
      "number_of_nodes", "to_directed", "is_directed",     "in_degree", "out_degree", "degree",
      "is_multigraph",   "subgraph",    "number_of_edges", NULL};
  const mst_node_id receiver = mst_receiver(call);
  if (receiver == 0) return MST_PATTERN_NONE;
  const mst_value *value = mst_value_at(mst_place_at(call, receiver));
  if (value->kind != MST_V_UNKNOWN && value->kind != MST_V_STRING && value->kind != MST_V_BOTTOM)
    return MST_PATTERN_NONE;
  const mst_tree *tree = call.module->tree;
  const mst_node_id function = mst_node_at(tree, call.node)->first;
  const char *name = mst_symbol_text(&call.program->symbols, mst_node_at(tree, function)->name);
  const bool is_text = has_text || mst_depth_at(call) > 0;
  if (is_text && mst_one_of(name, of_strings)) return MST_PATTERN_STRING;
  if (has_text && mst_one_of(name, of_texts)) return MST_PATTERN_STRING;
  return has_graphs && mst_one_of(name, of_graphs) ? MST_PATTERN_GRAPH : MST_PATTERN_NONE;
}

/* ---- what a node does ------------------------------------------------------------------------------ */

enum { TOUCHES_ARRAY = 1, CALLS_SCIPY = 2 };

#define FAILS(pattern) (4u << (pattern))

typedef struct work_scan {
  const mst_program *program;
  const mst_module *module;
  bool has_graphs, has_text;
  const mst_tally_scratch *scratch;
} work_scan;

static mst_compute_pattern pattern_of_symbol(const work_scan *scan, mst_symbol symbol) {
  return (mst_compute_pattern)mst_symbol_ask(&scan->program->symbols, symbol, pattern_of_name,
                                             scan->scratch->patterns);
}

static bool lives_on_target(const mst_value *value) {
  return mst_is_target_array(value) || mst_is_deferred(value);
}

/* Names and attributes alone are no work. */
static bool is_operation(mst_kind kind) {
  switch (kind) {
  case MST_K_CALL:
  case MST_K_BINARY:
  case MST_K_UNARY:
  case MST_K_SUBSCRIPT:
  case MST_K_COMPARE:
  case MST_K_AUG_ASSIGN: return true;
  default: return false;
  }
}

static bool works_on_array(const work_scan *scan, mst_node_id id) {
  const mst_tree *tree = scan->module->tree;
  if (!is_operation(mst_kind_of(tree, id))) return false;
  if (lives_on_target(&scan->module->values[id])) return true;
  MST_EACH_CHILD(tree, child, id) {
    if (lives_on_target(&scan->module->values[child])) return true;
  }
  return false;
}

static unsigned bits_of_pattern(mst_compute_pattern pattern) {
  return pattern != MST_PATTERN_NONE ? FAILS(pattern) : 0;
}

/* What brings arrays to tensors and back is no work on them. */
static const char *const exchange[] = {"torch.from_numpy",
                                       "torch.as_tensor",
                                       "torch.tensor",
                                       "torch.Tensor",
                                       "torch.device",
                                       "torch.manual_seed",
                                       "torch.set_default_dtype",
                                       "torch.cuda.is_available",
                                       "torch.no_grad",
                                       "torch.is_tensor",
                                       NULL};

/* Work on tensors; where cuPyNumeric stands beside them, they are what is exchanged with it. */
static unsigned bits_of_tensors(const work_scan *scan, const char *name) {
  const bool is_work = !scan->module->imports_cupynumeric && mst_is_in_package(name, "torch") &&
                       !mst_one_of(name, exchange);
  return is_work ? FAILS(MST_PATTERN_ML) : 0;
}

static unsigned bits_of_call(const work_scan *scan, mst_place call) {
  const char *name = mst_called_name(call);
  if (name == NULL)
    return bits_of_pattern(pattern_of_method(call, scan->has_graphs, scan->has_text));
  if (mst_is_type_test(name)) return 0;
  /* Counter counts words where there is text, and votes elsewhere. */
  if (scan->has_text && strcmp(name, "collections.Counter") == 0) return FAILS(MST_PATTERN_STRING);
  const mst_symbol symbol = call.module->names[call.node];
  const unsigned bits =
      bits_of_pattern(pattern_of_symbol(scan, symbol)) | bits_of_tensors(scan, name);
  return bits == 0 && mst_is_in_package(name, "scipy") ? CALLS_SCIPY : bits;
}

/* What comes of a sparse matrix, a graph or a data frame goes on being that kind of work, also
 * where the model does not know what it is. */
static unsigned bits_of_name(const work_scan *scan, mst_node_id id) {
  const mst_node *node = mst_node_at(scan->module->tree, id);
  const bool is_known = scan->module->values[id].kind > MST_V_UNKNOWN;
  if (is_known || (node->flags & MST_F_STORE) != 0) return 0;
  const bool is_here = scan->scratch->made_in[node->name] == scan->module->function_of[id];
  return is_here ? scan->scratch->made_from[node->name] : 0;
}

static unsigned bits_of_node(const work_scan *scan, mst_node_id id) {
  const mst_value *value = &scan->module->values[id];
  unsigned bits = works_on_array(scan, id) ? TOUCHES_ARRAY : 0;
  if (value->kind == MST_V_OBJECT && value->ref != 0)
    bits |= bits_of_pattern(pattern_of_symbol(scan, value->ref)) |
            bits_of_tensors(scan, mst_symbol_text(&scan->program->symbols, value->ref));
  switch (mst_kind_of(scan->module->tree, id)) {
  case MST_K_CALL: return bits | bits_of_call(scan, (mst_place){scan->program, scan->module, id});
  case MST_K_NAME: return bits | bits_of_name(scan, id);
  default: return bits;
  }
}

/* The names that an assignment binds, if what they are is not known. */
static void note_targets(const work_scan *scan, mst_node_id statement, unsigned bits) {
  const mst_tree *tree = scan->module->tree;
  const mst_kind kind = mst_kind_of(tree, statement);
  if ((kind != MST_K_ASSIGN && kind != MST_K_FOR) || bits < FAILS(MST_PATTERN_SPARSE)) return;
  const mst_node_id end = mst_subtree_end(tree, statement);
  for (mst_node_id id = statement + 1; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind == MST_K_BLOCK) return;
    if (node->kind != MST_K_NAME || (node->flags & MST_F_STORE) == 0) continue;
    if (scan->module->values[id].kind > MST_V_UNKNOWN) continue;
    scan->scratch->made_from[node->name] = bits & ~(FAILS(MST_PATTERN_SPARSE) - 1);
    scan->scratch->made_in[node->name] = scan->module->function_of[id];
  }
}

/* ---- statements -------------------------------------------------------------------------------------- */

static bool is_in_recurrence(mst_place place) {
  const mst_loop *loop = mst_loop_at(place);
  for (; loop != NULL; loop = mst_loop_outside(place.program, loop))
    if (loop->status == MST_LOOP_RECURRENCE) return true;
  return false;
}

/* What scales, by the findings of SCALES that stand there; INFO tells of fft and random draws. */
static mst_compute_pattern pattern_of_rule(const char *id) {
  static const struct {
    const char *id;
    mst_compute_pattern pattern;
  } table[] = {{"R001", MST_PATTERN_ELEMENTWISE}, {"R002", MST_PATTERN_REDUCTION},
               {"R003", MST_PATTERN_GEMM},        {"R004", MST_PATTERN_ELEMENTWISE},
               {"R005", MST_PATTERN_STENCIL},     {"R006", MST_PATTERN_ELEMENTWISE},
               {"R007", MST_PATTERN_ELEMENTWISE}, {"R302", MST_PATTERN_GEMM},
               {"R303", MST_PATTERN_FFT},         {"R304", MST_PATTERN_MONTE_CARLO},
               {"R305", MST_PATTERN_GEMM}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].id, id) == 0) return table[i].pattern;
  return MST_PATTERN_NONE;
}

static void add_work(mst_work *work, mst_place place, uint64_t weight) {
  work->weight += weight;
  mst_sites_add(&work->sites, mst_site_of(place));
}

static void count_statement(mst_tally *tally, mst_place place, unsigned bits,
                            mst_compute_pattern scales) {
  const mst_function *function = mst_function_at(place);
  if (function != NULL && function->is_jit) return;
  if (is_in_recurrence(place)) bits |= FAILS(MST_PATTERN_SEQUENTIAL);
  if (bits == 0) return;
  const bool is_hot_path = mst_is_hot_path(mst_heat_at(place));
  const uint64_t weight = mst_depth_at(place) + 1;
  mst_weight_of_file *file = &tally->weights.data[tally->weights.length - 1];
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++) {
    if ((bits & FAILS(i)) == 0) continue;
    add_work(is_hot_path ? &tally->patterns[i] : &tally->cold_patterns[i], place, weight);
    return;
  }
  if (!is_hot_path) {
    tally->cold_array_weight += weight;
    return;
  }
  tally->array_weight += weight;
  file->weight += weight;
  if ((bits & CALLS_SCIPY) != 0) tally->scipy_weight += weight;
  if (scales != MST_PATTERN_NONE) add_work(&tally->patterns[scales], place, weight);
}

static bool is_counted(mst_kind kind) {
  return mst_is_statement(kind) && kind != MST_K_FUNCTION && kind != MST_K_CLASS &&
         kind != MST_K_IMPORT && kind != MST_K_IMPORT_FROM && kind != MST_K_MODULE;
}

/* Findings are in the order of modules. */
static size_t first_of_module(const mst_findings *findings, const mst_module *module) {
  size_t low = 0, high = findings->length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (findings->data[middle].module < module)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* By statement: the first of the patterns that scale. */
static uint8_t *scaling_patterns(mst_arena *arena, const mst_module *module,
                                 const mst_findings *findings) {
  const mst_tree *tree = module->tree;
  uint8_t *scales = mst_arena_new(arena, tree->count);
  memset(scales, MST_PATTERN_NONE, tree->count);
  for (size_t i = first_of_module(findings, module); i < findings->length; i++) {
    const mst_finding *finding = &findings->data[i];
    if (finding->module != module) break;
    const mst_compute_pattern pattern = pattern_of_rule(finding->rule->id);
    const mst_node_id statement = mst_statement_of(tree, finding->node);
    if (pattern < scales[statement]) scales[statement] = (uint8_t)pattern;
  }
  return scales;
}

/* Whether the module imports something of this pattern. */
static bool imports_pattern(const mst_program *program, const mst_module *module,
                            mst_compute_pattern pattern) {
  for (mst_node_id id = 1; id < module->tree->count; id++) {
    const mst_node *node = mst_node_at(module->tree, id);
    if ((node->kind != MST_K_ALIAS && node->kind != MST_K_IMPORT_FROM) || node->path == 0) continue;
    const char *path = mst_symbol_text(&program->symbols, node->path);
    if (mst_compute_pattern_of_name(path) == pattern && !mst_is_in_package(path, "heapq"))
      return true;
  }
  return false;
}

/* Fills bits by statement. In source order: names are bound before they are used. */
static void scan_statements(const work_scan *scan, unsigned *bits) {
  const mst_tree *tree = scan->module->tree;
  uint32_t *statement = mst_arena_new(scan->scratch->arena, tree->count * sizeof *statement);
  mst_node_id last = 0;
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = mst_node_at(tree, id);
    statement[id] = mst_is_statement((mst_kind)node->kind) ? id : statement[node->parent];
    if (statement[id] != last) note_targets(scan, last, bits[last]);
    last = statement[id];
    bits[last] |= bits_of_node(scan, id);
  }
}

void mst_tally_work(mst_tally *tally, const mst_program *program, const mst_module *module,
                    const mst_findings *findings, const mst_tally_scratch *scratch) {
  const mst_tree *tree = module->tree;
  work_scan scan = {.program = program,
                    .module = module,
                    .has_graphs = imports_pattern(program, module, MST_PATTERN_GRAPH),
                    .has_text = imports_pattern(program, module, MST_PATTERN_STRING),
                    .scratch = scratch};
  const uint8_t *scales = scaling_patterns(scratch->arena, module, findings);
  unsigned *bits = mst_arena_new(scratch->arena, tree->count * sizeof *bits);
  scan_statements(&scan, bits);
  for (mst_node_id id = 1; id < tree->count; id++) {
    if (!is_counted(mst_kind_of(tree, id))) continue;
    count_statement(tally, (mst_place){program, module, id}, bits[id],
                    (mst_compute_pattern)scales[id]);
  }
}

/* ---- the pattern of the whole ----------------------------------------------------------------------- */

/* Reductions and elementwise work are part of every program: they give their name only to those in
 * which nothing else weighs a third as much. */
static mst_compute_pattern heaviest(const mst_tally *tally, unsigned first, unsigned end) {
  mst_compute_pattern best = MST_PATTERN_NONE;
  for (unsigned i = first; i < end; i++) {
    const uint64_t weight = tally->patterns[i].weight;
    const bool is_common = i == MST_PATTERN_REDUCTION || i == MST_PATTERN_ELEMENTWISE;
    const uint64_t most = best != MST_PATTERN_NONE ? tally->patterns[best].weight : 0;
    if (weight > (is_common ? 3 * most : most)) best = (mst_compute_pattern)i;
  }
  return best;
}

#define LEAST_COLD_WEIGHT 5
#define LEAST_OWN_WEIGHT 3

/* Text is handled in every program's margin: it dominates only where it does so in the whole. */
static bool is_dominated(const mst_tally *tally) {
  uint64_t failing = 0, strings = tally->cold_patterns[MST_PATTERN_STRING].weight;
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++)
    failing += tally->patterns[i].weight;
  if (failing == 0 || failing < tally->array_weight) return false;
  if (failing > tally->patterns[MST_PATTERN_STRING].weight) return true;
  return failing + strings >= tally->array_weight + tally->cold_array_weight;
}

/* Sparse matrices, graphs and networks are what such a program is about; text and frames are also
 * the margin of programs about something else. */
static bool is_plainly_dominated(const mst_tally *tally) {
  uint64_t own = 0, margin = 0;
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++) {
    const bool is_margin = i == MST_PATTERN_STRING || i == MST_PATTERN_DATAFRAME;
    *(is_margin ? &margin : &own) += tally->cold_patterns[i].weight;
  }
  if (own >= LEAST_OWN_WEIGHT && own >= tally->cold_array_weight) return true;
  return own + margin >= LEAST_COLD_WEIGHT && own + margin >= 2 * tally->cold_array_weight;
}

/* A script without functions and loops has no hot path: then all of it is looked at. */
void mst_tally_settle(mst_tally *tally) {
  uint64_t hot = tally->array_weight;
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++)
    hot += tally->patterns[i].weight;
  if (hot > 0 || !is_plainly_dominated(tally)) return;
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++)
    tally->patterns[i] = tally->cold_patterns[i];
  tally->array_weight = tally->cold_array_weight;
}

mst_compute_pattern mst_main_pattern(const mst_tally *tally, const mst_context *context,
                                     bool *fails, bool *mixed) {
  *fails = is_dominated(tally);
  *mixed = !*fails && tally->scipy_weight > 0 && 2 * tally->scipy_weight >= tally->array_weight;
  if (context->pattern != NULL) {
    const mst_compute_pattern said = mst_compute_pattern_by_name(context->pattern);
    *fails = said >= MST_PATTERN_SPARSE && said < MST_PATTERN_COUNT;
    return said;
  }
  return *fails ? heaviest(tally, MST_PATTERN_SPARSE, MST_PATTERN_COUNT)
                : heaviest(tally, 0, MST_PATTERN_SPARSE);
}
