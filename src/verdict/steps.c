/* SPDX-License-Identifier: Apache-2.0 */
/* What to do next: recipes in the order in which they are applied, each once. */
#include <string.h>

#include "verdict/tally.h"
#include "verdict/words.h"

#define MOST_RULES 8
#define MOST_STEPS 40

typedef struct next_step {
  unsigned rank; /* place in the order */
  const char *recipe;
  const char *rules[MOST_RULES];
  unsigned rule_count;
  unsigned sites;
  mst_advice advice;
} next_step;

typedef struct step_list {
  next_step steps[MOST_STEPS];
  unsigned count;
} step_list;

/* Recipes stand in the order in which they are applied. */
static unsigned rank_of(const mst_result_finding *finding) {
  unsigned rank = 0;
  if (finding->recipe == NULL) return mst_recipe_count;
  while (rank < mst_recipe_count && strcmp(mst_recipes[rank].id, finding->recipe) != 0)
    rank++;
  return rank;
}

/* ---- collecting ------------------------------------------------------------------------------------ */

static next_step *step_at(step_list *list, const mst_result_finding *finding) {
  const unsigned rank = rank_of(finding);
  unsigned at = 0;
  while (at < list->count && list->steps[at].rank < rank)
    at++;
  if (at < list->count && list->steps[at].rank == rank) return &list->steps[at];
  if (list->count == MOST_STEPS) return &list->steps[MOST_STEPS - 1];
  memmove(&list->steps[at + 1], &list->steps[at], (list->count - at) * sizeof *list->steps);
  list->count++;
  list->steps[at] = (next_step){.rank = rank, .recipe = mst_recipe_name(finding->recipe)};
  return &list->steps[at];
}

static void add_rule(next_step *step, const char *id) {
  unsigned at = 0;
  while (at < step->rule_count && strcmp(step->rules[at], id) < 0)
    at++;
  if (at < step->rule_count && strcmp(step->rules[at], id) == 0) return;
  if (step->rule_count == MOST_RULES) return;
  for (unsigned i = step->rule_count; i > at; i--)
    step->rules[i] = step->rules[i - 1];
  step->rules[at] = id;
  step->rule_count++;
}

static void collect(const mst_assessment_result *result, step_list *list) {
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (!mst_weighs(finding)) continue;
    next_step *at = step_at(list, finding);
    add_rule(at, finding->rule->id);
    at->sites++;
    mst_advice_add(&at->advice, finding);
  }
}

void mst_advice_add(mst_advice *advice, const mst_result_finding *finding) {
  const mst_recipe *recipe = finding->recipe != NULL ? mst_recipe_find(finding->recipe) : NULL;
  if (finding->advice != NULL)
    advice->special = finding->advice;
  else
    advice->general = recipe != NULL ? recipe->text : finding->rule->why;
}

static const char *text_of(const next_step *step, mst_arena *arena) {
  const mst_advice *advice = &step->advice;
  if (advice->special == NULL) return advice->general;
  if (advice->general == NULL) return advice->special;
  return mst_words(arena, "%s %s", advice->general, advice->special);
}

const char *mst_recipe_name(const char *id) {
  const mst_recipe *recipe = id != NULL ? mst_recipe_find(id) : NULL;
  return recipe != NULL && recipe->is_unnamed ? NULL : id;
}

/* ---- effort ------------------------------------------------------------------------------------------ */

static const char *effort_of(const next_step *step) {
  static const char *const efforts[] = {"minutes", "hours", "a day or two", "days"};
  static const struct {
    const char *recipe;
    unsigned level;
  } recipes[] = {{"RR-mpi", 2},   {"RR-loop", 1},  {"RR-broadcast", 0},
                 {"RR-batch", 1}, {"RR-where", 0}, {"RR-host-fallback", 1}};
  unsigned level = 0;
  for (size_t i = 0; step->recipe != NULL && i < sizeof recipes / sizeof *recipes; i++)
    if (strcmp(recipes[i].recipe, step->recipe) == 0) level = recipes[i].level;
  if (step->recipe == NULL && step->rule_count > 0 && strcmp(step->rules[0], "R107") == 0)
    level = 2;
  if (step->sites > 4) level++;
  if (step->sites > 20) level++;
  return efforts[level < 4 ? level : 3];
}

/* ---- the steps of the result ------------------------------------------------------------------------- */

/* The verdict when the findings of all steps up to this rank are gone. */
static mst_verdict verdict_after(const mst_assessment_result *result, unsigned rank,
                                 bool without_gaps, mst_arena *arena) {
  if (mst_gate_failed(result, 1) || mst_gate_failed(result, 2) || mst_gate_failed(result, 4))
    return MST_VERDICT_NOT_RECOMMENDED;
  bool *skip = mst_arena_new(arena, result->finding_count + 1);
  for (size_t i = 0; i < result->finding_count; i++)
    skip[i] = mst_weighs(&result->findings[i]) && rank_of(&result->findings[i]) <= rank;
  return mst_shape_verdict(result, skip, without_gaps);
}

static bool is_missing(const mst_result_gap *gap) {
  return gap->raises || strcmp(gap->level, "none") == 0;
}

/* One step for all that the target lacks. */
static bool gap_step(const mst_assessment_result *result, mst_next_step *out, mst_arena *arena) {
  const char *names[6];
  unsigned count = 0, sites = 0;
  for (size_t i = 0; i < result->gap_count; i++) {
    if (!is_missing(&result->gaps[i])) continue;
    unsigned at = 0;
    while (at < count && strcmp(names[at], result->gaps[i].name) != 0)
      at++;
    if (at == count && count < 6) names[count++] = result->gaps[i].name;
    sites++;
  }
  if (sites == 0) return false;
  *out = (mst_next_step){
      .sites = sites,
      .effort = sites > 4 ? "a day or two" : "hours",
      .text = mst_words(arena,
                        "Replace what the target lacks or where its form raises (%s): write it in "
                        "names that are implemented, or do it on the host at the boundary.",
                        mst_words_list(arena, names, count)),
      .verdict_after = verdict_after(result, UINT32_MAX, true, arena)};
  return true;
}

static void choose_pilot(const mst_tally *tally, mst_assessment_result *result) {
  uint64_t most = 0;
  for (size_t i = 0; i < tally->weights.length; i++) {
    const mst_weight_of_file *file = &tally->weights.data[i];
    if (file->weight < most || file->weight == 0) continue;
    if (file->weight == most && strcmp(file->path, result->pilot) >= 0) continue;
    most = file->weight;
    result->pilot = file->path;
  }
}

void mst_conclude_steps(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena) {
  step_list *list = mst_arena_new(arena, sizeof *list);
  collect(result, list);
  mst_next_step *steps = mst_arena_new(arena, (list->count + 1) * sizeof *steps);
  for (unsigned i = 0; i < list->count; i++) {
    const next_step *from = &list->steps[i];
    const char **rules = mst_arena_new(arena, (from->rule_count + 1) * sizeof *rules);
    memcpy(rules, from->rules, from->rule_count * sizeof *rules);
    steps[i] = (mst_next_step){.recipe = from->recipe,
                               .rules = rules,
                               .rule_count = from->rule_count,
                               .sites = from->sites,
                               .effort = effort_of(from),
                               .text = text_of(from, arena),
                               .verdict_after = verdict_after(result, from->rank, false, arena)};
  }
  result->next_step_count = list->count;
  if (gap_step(result, &steps[list->count], arena)) result->next_step_count++;
  result->next_steps = steps;
  choose_pilot(tally, result);
  result->hand_off = "CUPYNUMERIC_DOCTOR=1 CUPYNUMERIC_DOCTOR_FORMAT=json "
                     "CUPYNUMERIC_DOCTOR_FILENAME=doctor.json legate --gpus 1 main.py";
}
