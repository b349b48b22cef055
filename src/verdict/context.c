/* SPDX-License-Identifier: Apache-2.0 */
/* The context table: what was said, and each default that stands for what was not. */
#include <string.h>

#include "base/str.h"
#include "verdict/tally.h"
#include "verdict/words.h"

typedef struct line_maker {
  const mst_context *context;
  mst_context_line *lines;
  unsigned count;
} line_maker;

static bool is_among(const char *id, const char *const *ids, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (strcmp(ids[i], id) == 0) return true;
  return false;
}

/* `option`: what sets it. */
static void add(line_maker *maker, const char *option, const char *item, const char *value,
                bool is_default) {
  const mst_context *context = maker->context;
  const bool is_configured =
      !is_default && is_among(option, context->configured, context->configured_count);
  maker->lines[maker->count++] = (mst_context_line){
      .item = item, .value = value, .is_default = is_default, .is_configured = is_configured};
}

static void add_size(line_maker *maker, const mst_assessment_result *result, mst_arena *arena) {
  char text[24];
  const mst_context *context = &result->context;
  if (context->elements > 0)
    add(maker, "elements", "array size",
        mst_words(arena, "%s elements%s%s", mst_words_count(context->elements, text),
                  context->elements_text != NULL ? ", given as " : "",
                  context->elements_text != NULL ? context->elements_text : ""),
        false);
  else if (result->reading.elements > 0)
    add(maker, "elements", "array size",
        mst_words(arena, "%s elements, found in the code",
                  mst_words_count((uint64_t)result->reading.elements, text)),
        true);
  else
    add(maker, "elements", "array size", "30 to 50 million elements assumed", true);
}

static void add_target(line_maker *maker, const mst_context *context, mst_arena *arena) {
  char text[24];
  if (context->cpu_only)
    add(maker, "cpu-only", "target", "CPUs only", false);
  else if (context->gpus > 0)
    add(maker, "gpus", "GPUs",
        mst_words(arena, "%u%s", context->gpus, context->nodes > 1 ? " on each node" : ""), false);
  else
    add(maker, "gpus", "GPUs", "1 to 4", true);
  add(maker, "nodes", "nodes", mst_words(arena, "%u", context->nodes > 0 ? context->nodes : 1),
      context->nodes == 0);
  if (!context->cpu_only)
    add(maker, "gpu-model", "GPU model",
        context->gpu_model != NULL ? context->gpu_model : "Volta or newer assumed",
        context->gpu_model == NULL);
  if (context->fbmem > 0)
    add(maker, "fbmem", "memory of a GPU",
        mst_words(arena, "%s", mst_human_bytes((double)context->fbmem, text)), false);
  if (context->sysmem > 0)
    add(maker, "sysmem", "memory of a node",
        mst_words(arena, "%s", mst_human_bytes((double)context->sysmem, text)), false);
}

static void add_system(line_maker *maker, const mst_context *context, mst_arena *arena) {
  if (!context->cpu_only)
    add(maker, "cuda", "CUDA",
        context->cuda > 0 ? mst_words(arena, "%u", context->cuda) : "12 or 13", context->cuda == 0);
  add(maker, "os", "system", context->os != NULL ? context->os : "Linux", context->os == NULL);
}

bool mst_is_listed(const mst_context *context, const char *rule) {
  if (context->rules != NULL && !is_among(rule, context->rules, context->rule_count)) return false;
  return !is_among(rule, context->ignored_rules, context->ignored_rule_count);
}

static void add_filter(line_maker *maker, const mst_context *context, mst_arena *arena) {
  if (!mst_is_filtered(context)) return;
  const char *const only =
      context->rules != NULL ? mst_words_list(arena, context->rules, context->rule_count) : "all";
  add(maker, context->rules != NULL ? "rule" : "ignore", "findings listed",
      mst_words(arena, "%s%s%s; all are judged", only,
                context->ignored_rule_count > 0 ? " but " : "",
                mst_words_list(arena, context->ignored_rules, context->ignored_rule_count)),
      false);
}

void mst_conclude_context(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena) {
  bool fails, mixed;
  const mst_context *context = &result->context;
  line_maker maker = {.context = context, .lines = mst_arena_new(arena, 16 * sizeof *maker.lines)};
  const mst_compute_pattern pattern = mst_main_pattern(tally, context, &fails, &mixed);
  const char *name = mst_compute_pattern_name(pattern);
  add_size(&maker, result, arena);
  add_target(&maker, context, arena);
  add(&maker, "pattern", "pattern",
      context->pattern != NULL ? context->pattern
      : name != NULL           ? mst_words(arena, "%s, inferred", name)
                               : "none found",
      context->pattern == NULL);
  add_system(&maker, context, arena);
  add_filter(&maker, context, arena);
  if (context->baseline != NULL) add(&maker, "baseline", "baseline", context->baseline, false);
  if (context->changed_since != NULL)
    add(&maker, "diff-base", "lines changed since", context->changed_since, false);
  if (context->date != NULL) add(&maker, "date", "date", context->date, false);
  result->context_lines = maker.lines;
  result->context_line_count = maker.count;
}
