/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/tally.h"

#include <string.h>

#include "verdict/suppress.h"
#include "verdict/words.h"

/* ---- sites --------------------------------------------------------------------------------------- */

mst_site mst_site_of(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const mst_node *node = mst_node_at(tree, place.node);
  const mst_position start = mst_source_position(tree->source, node->start);
  const uint32_t last = node->end > node->start ? node->end - 1 : node->start;
  return (mst_site){.path = tree->source->path,
                    .cell = start.cell,
                    .line = start.line,
                    .column = start.column,
                    .end_line = mst_source_position(tree->source, last).line};
}

void mst_sites_add(mst_sites *sites, mst_site site) {
  if (sites->length < MST_MOST_SITES) sites->data[sites->length++] = site;
}

/* Paths of sources outlive their programs only as copies; a file's sites share one. */
static mst_site kept(mst_tally *tally, mst_site site) {
  const size_t count = tally->weights.length;
  for (size_t i = count; i > 0; i--) {
    const char *path = tally->weights.data[i - 1].path;
    if (strcmp(path, site.path) != 0) continue;
    site.path = path;
    return site;
  }
  site.path = mst_words_copy(tally->arena, site.path);
  return site;
}

static void keep_sites(mst_tally *tally, mst_sites *sites) {
  for (unsigned i = 0; i < sites->length; i++)
    sites->data[i] = kept(tally, sites->data[i]);
}

/* ---- findings ---------------------------------------------------------------------------------- */

static const mst_suggestion *copy_suggestion(mst_arena *arena, const mst_suggestion *suggestion) {
  if (suggestion == NULL) return NULL;
  mst_suggestion *copy = mst_arena_new(arena, sizeof *copy);
  *copy = (mst_suggestion){.before = mst_words_copy(arena, suggestion->before),
                           .after = mst_words_copy(arena, suggestion->after),
                           .is_safe = suggestion->is_safe};
  return copy;
}

static const char *function_name(mst_arena *arena, mst_place place) {
  const mst_function *function = mst_function_at(place);
  if (function == NULL || function->global_name == 0) return NULL;
  return mst_words_copy(arena, mst_symbol_text(&place.program->symbols, function->global_name));
}

static void add_finding(mst_tally *tally, const mst_program *program, const mst_finding *finding,
                        mst_suppressions *suppressions) {
  mst_arena *arena = tally->arena;
  const mst_place place = {program, finding->module, finding->node};
  const char **evidence = mst_arena_new(arena, (finding->evidence_count + 1) * sizeof *evidence);
  for (unsigned i = 0; i < finding->evidence_count; i++)
    evidence[i] = mst_words_copy(arena, finding->evidence[i]);
  const mst_result_finding kept_finding = {
      .rule = finding->rule,
      .site = kept(tally, mst_site_of(place)),
      .function = function_name(arena, place),
      .outcome = finding->outcome,
      .heat = finding->heat,
      .confidence = finding->confidence,
      .counts = finding->counts,
      .message = mst_words_copy(arena, finding->message),
      .evidence = evidence,
      .evidence_count = finding->evidence_count,
      .recipe = mst_words_copy(arena, finding->recipe),
      .advice = mst_words_copy(arena, finding->advice),
      .suggestion = copy_suggestion(arena, finding->suggestion),
      .replacement = mst_replacement_of(arena, place, finding->suggestion),
      .line_digest = mst_line_digest(place),
      .suppression = mst_suppression_at(suppressions, place, finding->rule->id, false)};
  mst_arena_push(arena, &tally->findings, kept_finding);
}

/* ---- gaps -------------------------------------------------------------------------------------- */

/* Nothing between the place and its function decides whether it runs. */
static bool is_unconditional(mst_place place) {
  const mst_tree *tree = place.module->tree;
  for (mst_node_id id = place.node; id != 0; id = mst_node_at(tree, id)->parent) {
    switch (mst_kind_of(tree, id)) {
    case MST_K_FUNCTION:
    case MST_K_MODULE: return true;
    case MST_K_IF:
    case MST_K_CONDITIONAL:
    case MST_K_EXCEPT:
    case MST_K_CASE: return false;
    default: break;
    }
  }
  return true;
}

/* What it gives is used, and it is no input or output. */
static bool is_used(mst_place place) {
  const mst_tree *tree = place.module->tree;
  const bool is_call = mst_kind_of(tree, place.node) == MST_K_CALL;
  const mst_api *api = is_call ? mst_called_api(place) : NULL;
  if (api != NULL && (api->traits & MST_T_IO) != 0) return false;
  return is_unconditional(place) &&
         mst_kind_of(tree, mst_node_at(tree, place.node)->parent) != MST_K_EXPRESSION;
}

static void add_gap(mst_tally *tally, const mst_program *program, const mst_gap *gap,
                    mst_suppressions *suppressions) {
  mst_arena *arena = tally->arena;
  const mst_place place = {program, gap->module, gap->node};
  const bool on_path = gap->heat == MST_HEAT_PRESUMED && is_unconditional(place);
  const bool is_central = gap->heat == MST_HEAT_HOT || on_path;
  const mst_result_gap copy = {.name = mst_words_copy(arena, gap->name),
                               .level = mst_words_copy(arena, gap->level),
                               .note = mst_words_copy(arena, gap->note),
                               .site = kept(tally, mst_site_of(place)),
                               .heat = gap->heat,
                               .raises = gap->raises,
                               .central = is_central && !gap->is_setting,
                               .is_used = is_used(place),
                               .is_setting = gap->is_setting,
                               .line_digest = mst_line_digest(place),
                               .suppression =
                                   mst_suppression_at(suppressions, place, gap->name, true)};
  mst_arena_push(arena, &tally->gaps, copy);
}

/* ---- loops and touch points --------------------------------------------------------------------- */

size_t mst_first_loop(const mst_program *program, uint32_t module) {
  size_t low = 0, high = program->loops.length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (program->loops.data[middle].module < module)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_loop(mst_tally *tally, const mst_program *program, const mst_loop *loop) {
  const mst_place place = {program, &program->modules[loop->module], loop->node};
  const mst_result_loop copy = {.site = kept(tally, mst_site_of(place)),
                                .heat = mst_loop_heat(place),
                                .status = mst_loop_status_name(loop->status),
                                .reason = mst_words_copy(tally->arena, loop->reason)};
  mst_arena_push(tally->arena, &tally->loops, copy);
}

static const struct {
  const char *prefix, *kind;
} touch_owners[] = {{"matplotlib", "plot"},   {"pylab", "plot"},        {"seaborn", "plot"},
                    {"plotly", "plot"},       {"scipy", "SciPy"},       {"cv2", "image"},
                    {"PIL", "image"},         {"imageio", "image"},     {"skimage", "image"},
                    {"h5py", "file"},         {"netCDF4", "file"},      {"zarr", "file"},
                    {"pandas", "data frame"}, {"polars", "data frame"}, {"sklearn", "scikit-learn"},
                    {"logging", "log"}};

enum { TOUCH_OWNERS = sizeof touch_owners / sizeof *touch_owners };

/* Index in touch_owners; TOUCH_OWNERS: none. */
static uint8_t touch_owner(const char *name) {
  uint8_t i = 0;
  while (i < TOUCH_OWNERS && !mst_is_in_package(name, touch_owners[i].prefix))
    i++;
  return i;
}

/* print() of something that lives on the target. */
static bool prints_array(mst_place call, const char *name) {
  if (strcmp(name, "builtins.print") != 0) return false;
  const mst_tree *tree = call.module->tree;
  const mst_node_id end = mst_subtree_end(tree, call.node);
  for (mst_node_id id = call.node + 1; id < end; id++) {
    const mst_value *value = &call.module->values[id];
    if (mst_is_target_array(value) || mst_is_deferred(value)) return true;
  }
  return false;
}

/* NULL: the call touches nothing of the host's. */
static const char *touch_kind(mst_place call, atomic_uchar *owners) {
  const mst_symbol name = call.module->names[call.node];
  const uint8_t owner = mst_symbol_ask(&call.program->symbols, name, touch_owner, owners);
  if (owner < TOUCH_OWNERS) return touch_owners[owner].kind;
  const mst_api *api = mst_called_api(call);
  if (api != NULL && (api->traits & MST_T_IO) != 0) return "file";
  return prints_array(call, mst_called_name(call)) ? "print" : NULL;
}

static void add_touches(mst_tally *tally, const mst_program *program, const mst_module *module,
                        const mst_tally_scratch *scratch) {
  for (mst_node_id id = 1; id < module->tree->count; id++) {
    if (mst_kind_of(module->tree, id) != MST_K_CALL || module->names[id] == 0) continue;
    const mst_place place = {program, module, id};
    const char *kind = touch_kind(place, scratch->touches);
    if (kind == NULL) continue;
    const mst_touch touch = {.kind = kind,
                             .name = mst_words_copy(tally->arena, mst_called_name(place)),
                             .site = kept(tally, mst_site_of(place)),
                             .heat = mst_heat_at(place)};
    mst_arena_push(tally->arena, &tally->touches, touch);
  }
}

/* ---- all of it ------------------------------------------------------------------------------------ */

static mst_tally_scratch make_scratch(const mst_program *program, mst_arena *arena) {
  const size_t symbols = program->symbols.count;
  mst_tally_scratch scratch = {.arena = arena};
  scratch.made_from = mst_arena_new(arena, symbols * sizeof *scratch.made_from);
  scratch.made_in = mst_arena_new(arena, symbols * sizeof *scratch.made_in);
  scratch.patterns = mst_arena_new(arena, symbols * sizeof *scratch.patterns);
  scratch.touches = mst_arena_new(arena, symbols * sizeof *scratch.touches);
  scratch.arrays = mst_arena_new(arena, program->functions.length * sizeof *scratch.arrays);
  return scratch;
}

static void add_findings_and_gaps(mst_tally *tally, const mst_program *program,
                                  mst_module_range modules, const mst_findings *findings,
                                  const mst_gaps *gaps, mst_arena *arena) {
  const uint32_t count = modules.end - modules.first;
  mst_suppressions **of_module = mst_arena_new(arena, count * sizeof *of_module);
  for (uint32_t i = 0; i < count; i++)
    of_module[i] = mst_suppressions_read(tally, &program->modules[modules.first + i], arena);
  for (size_t i = 0; i < findings->length; i++) {
    const ptrdiff_t module = findings->data[i].module - program->modules;
    add_finding(tally, program, &findings->data[i], of_module[module - modules.first]);
  }
  for (size_t i = 0; i < gaps->length; i++) {
    const ptrdiff_t module = gaps->data[i].module - program->modules;
    add_gap(tally, program, &gaps->data[i], of_module[module - modules.first]);
  }
  for (uint32_t i = 0; i < count; i++)
    mst_suppressions_finish(of_module[i], tally);
}

void mst_tally_add(mst_tally *tally, const mst_program *program, mst_module_range modules,
                   const mst_findings *findings, const mst_gaps *gaps, mst_arena *arena) {
  const mst_tally_scratch scratch = make_scratch(program, arena);
  for (uint32_t i = modules.first; i < modules.end; i++) {
    const mst_module *module = &program->modules[i];
    const char *path = mst_words_copy(tally->arena, module->tree->source->path);
    mst_arena_push(tally->arena, &tally->weights, (mst_weight_of_file){.path = path});
    tally->imports_cupynumeric = tally->imports_cupynumeric || module->imports_cupynumeric;
    mst_tally_sizes(tally, program, module, &scratch);
    mst_tally_work(tally, program, module, findings, &scratch);
    add_touches(tally, program, module, &scratch);
    if (tally->keeps_lines) mst_tally_lines(tally, program, module, path, findings, gaps, arena);
  }
  add_findings_and_gaps(tally, program, modules, findings, gaps, arena);
  const size_t loops_end = mst_first_loop(program, modules.end);
  for (size_t i = mst_first_loop(program, modules.first); i < loops_end; i++)
    add_loop(tally, program, &program->loops.data[i]);
  for (unsigned i = 0; i < MST_PATTERN_COUNT; i++) {
    keep_sites(tally, &tally->patterns[i].sites);
    keep_sites(tally, &tally->cold_patterns[i].sites);
  }
}

/* Arrays of another program count from where a larger one is found: both are not alive at once. */
static void merge_size(mst_size *size, const mst_size *from, bool is_same_program) {
  const mst_size own = *size;
  const bool is_larger = from->elements > own.elements;
  if (is_larger) *size = *from;
  size->known = own.known + from->known;
  size->unknown = own.unknown + from->unknown;
  const bool counts = from->arrays > own.arrays && (is_larger || is_same_program);
  size->arrays = counts ? from->arrays : own.arrays;
}

static void merge_work(mst_work *work, const mst_work *from) {
  work->weight += from->weight;
  for (unsigned i = 0; i < from->sites.length; i++)
    mst_sites_add(&work->sites, from->sites.data[i]);
}

static void merge(mst_tally *tally, const mst_tally *from, bool is_same_program) {
#define MOVE(list)                               \
  for (size_t i = 0; i < from->list.length; i++) \
  mst_arena_push(tally->arena, &tally->list, from->list.data[i])
  MOVE(findings);
  MOVE(gaps);
  MOVE(loops);
  MOVE(diagnostics);
  MOVE(touches);
  MOVE(weights);
  MOVE(texts);
#undef MOVE
  for (unsigned i = 0; i < MST_PATTERN_COUNT; i++) {
    merge_work(&tally->patterns[i], &from->patterns[i]);
    merge_work(&tally->cold_patterns[i], &from->cold_patterns[i]);
  }
  tally->cold_array_weight += from->cold_array_weight;
  tally->array_weight += from->array_weight;
  tally->scipy_weight += from->scipy_weight;
  tally->array_count += from->array_count;
  merge_size(&tally->hot, &from->hot, is_same_program);
  merge_size(&tally->anywhere, &from->anywhere, is_same_program);
  tally->imports_cupynumeric = tally->imports_cupynumeric || from->imports_cupynumeric;
}

void mst_tally_join(mst_tally *tally, const mst_tally *from) { merge(tally, from, true); }

void mst_tally_merge(mst_tally *tally, const mst_tally *from) { merge(tally, from, false); }
