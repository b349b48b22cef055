/* SPDX-License-Identifier: Apache-2.0 */
/* The order of verdicts: the first that matches wins. */
#include <string.h>

#include "verdict/tally.h"
#include "verdict/words.h"

/* With more functions than these to change, a light refactor is none. */
#define MOST_LIGHT_FUNCTIONS 8

#define MOST_IDS 32

const char *mst_aside_name(mst_aside aside) {
  switch (aside) {
  case MST_ASIDE_SUPPRESSED: return "suppressed";
  case MST_ASIDE_KNOWN: return "known";
  case MST_ASIDE_UNCHANGED: return "unchanged";
  case MST_ASIDE_NOT: break;
  }
  return NULL;
}

const char *mst_verdict_name(mst_verdict verdict) {
  switch (verdict) {
  case MST_VERDICT_READY: return "READY";
  case MST_VERDICT_LIGHT: return "LIGHT REFACTOR";
  case MST_VERDICT_SIGNIFICANT: return "SIGNIFICANT REFACTOR";
  case MST_VERDICT_NOT_RECOMMENDED: return "NOT RECOMMENDED";
  case MST_VERDICT_NONE: break;
  }
  return NULL;
}

/* ---- what has a say -------------------------------------------------------------------------------- */

static bool is_rule(const mst_result_finding *finding, const char *id) {
  return strcmp(finding->rule->id, id) == 0;
}

/* Any communication by MPI has to go, wherever it stands. */
bool mst_weighs(const mst_result_finding *finding) {
  const mst_category category = finding->rule->category;
  if (category == MST_SCALES || category == MST_AUDIT) return false;
  return finding->counts || (is_rule(finding, "R108") && finding->confidence >= MST_LIKELY);
}

bool mst_is_block(const mst_result_finding *finding) {
  return finding->rule->category == MST_BLOCKS;
}

/* ---- kinds, and how far they are spread ------------------------------------------------------------ */

typedef struct id_set {
  const char *ids[MOST_IDS];
  unsigned count;
} id_set;

/* In order. */
static void add_id(id_set *set, const char *id) {
  unsigned at = 0;
  while (at < set->count && strcmp(set->ids[at], id) < 0)
    at++;
  if (set->count == MOST_IDS || (at < set->count && strcmp(set->ids[at], id) == 0)) return;
  memmove(&set->ids[at + 1], &set->ids[at], (set->count - at) * sizeof *set->ids);
  set->ids[at] = id;
  set->count++;
}

typedef struct shape {
  id_set blocks, refactors;
  unsigned functions; /* with blocks; counted up to one more than a light refactor has */
  bool has_mpi;
} shape;

static bool same_function(const mst_result_finding *a, const mst_result_finding *b) {
  if (strcmp(a->site.path, b->site.path) != 0) return false;
  const char *of_a = a->function != NULL ? a->function : "";
  return strcmp(of_a, b->function != NULL ? b->function : "") == 0;
}

typedef struct function_list {
  const mst_result_finding *seen[MOST_LIGHT_FUNCTIONS + 1];
  unsigned count;
} function_list;

static void add_function(function_list *list, const mst_result_finding *finding) {
  for (unsigned i = 0; i < list->count; i++)
    if (same_function(list->seen[i], finding)) return;
  if (list->count <= MOST_LIGHT_FUNCTIONS) list->seen[list->count++] = finding;
}

static shape look_at(const mst_assessment_result *result, const bool *skip) {
  shape found = {0};
  function_list functions = {0};
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if ((skip != NULL && skip[i]) || !mst_weighs(finding)) continue;
    add_id(mst_is_block(finding) ? &found.blocks : &found.refactors, finding->rule->id);
    if (mst_is_block(finding)) add_function(&functions, finding);
    found.has_mpi = found.has_mpi || is_rule(finding, "R108");
  }
  found.functions = functions.count;
  return found;
}

/* ---- demotion ----------------------------------------------------------------------------------------- */

bool mst_gap_demotes(const mst_assessment_result *result, const mst_result_gap *gap) {
  if (gap->is_setting) return false;
  if (strcmp(gap->level, "none") == 0) return mst_is_hot_path(gap->heat);
  return strcmp(gap->level, "single") == 0 && gap->central && result->context.nodes > 1;
}

static const mst_result_gap *demoting_gap(const mst_assessment_result *result) {
  const mst_result_gap *found = NULL;
  for (size_t i = 0; i < result->gap_count; i++) {
    const mst_result_gap *gap = &result->gaps[i];
    if (!mst_gap_demotes(result, gap)) continue;
    if (found == NULL || (gap->central && !found->central)) found = gap;
  }
  return found;
}

static mst_verdict verdict_of_shape(const shape *found) {
  if (found->has_mpi || found->blocks.count >= 3) return MST_VERDICT_SIGNIFICANT;
  if (found->functions > MOST_LIGHT_FUNCTIONS) return MST_VERDICT_SIGNIFICANT;
  return found->blocks.count > 0 || found->refactors.count > 0 ? MST_VERDICT_LIGHT
                                                               : MST_VERDICT_READY;
}

mst_verdict mst_shape_verdict(const mst_assessment_result *result, const bool *skip,
                              bool skip_gaps) {
  const shape found = look_at(result, skip);
  const mst_verdict verdict = verdict_of_shape(&found);
  if (skip_gaps || verdict == MST_VERDICT_SIGNIFICANT || demoting_gap(result) == NULL)
    return verdict;
  return verdict == MST_VERDICT_READY ? MST_VERDICT_LIGHT : MST_VERDICT_SIGNIFICANT;
}

bool mst_gate_failed(const mst_assessment_result *result, unsigned number) {
  return result->gates[number - 1].status == MST_GATE_FAIL;
}

/* ---- what has no say ------------------------------------------------------------------------------------ */

static void count_aside(const mst_assessment_result *result, mst_aside why, unsigned *count,
                        unsigned *raising) {
  for (size_t i = 0; i < result->all_finding_count; i++) {
    const mst_result_finding *finding = &result->all_findings[i];
    if (finding->aside != why || finding->rule->category == MST_SCALES) continue;
    ++*count;
    *raising += finding->outcome == MST_OUTCOME_RAISES && finding->confidence >= MST_LIKELY;
  }
  for (size_t i = 0; i < result->all_gap_count; i++) {
    const mst_result_gap *gap = &result->all_gaps[i];
    if (gap->aside != why) continue;
    ++*count;
    *raising += gap->raises;
  }
}

/* What stands there and is not counted is no reason to say that nothing does. */
bool mst_has_aside(const mst_assessment_result *result) {
  unsigned count = 0, raising = 0;
  for (unsigned why = MST_ASIDE_SUPPRESSED; why <= MST_ASIDE_UNCHANGED; why++)
    count_aside(result, (mst_aside)why, &count, &raising);
  return count > 0;
}

static unsigned raising_aside(const mst_assessment_result *result, mst_aside why) {
  unsigned count = 0, raising = 0;
  count_aside(result, why, &count, &raising);
  return raising;
}

/* ---- the sentence --------------------------------------------------------------------------------------- */

static const char *ids_of(mst_arena *arena, const id_set *set) {
  return mst_words_list(arena, set->ids, set->count);
}

static bool scales(const mst_assessment_result *result) {
  for (size_t i = 0; i < result->finding_count; i++)
    if (result->findings[i].rule->category == MST_SCALES) return true;
  return false;
}

/* "two kinds of blockers (R101 and R104) stand in 3 functions". */
static const char *reason_of_shape(const mst_assessment_result *result, mst_arena *arena) {
  const shape found = look_at(result, NULL);
  const unsigned blocks = found.blocks.count;
  if (found.has_mpi)
    return mst_words(arena,
                     "arrays are moved between processes by mpi4py (%s); the runtime does that "
                     "itself, so this layer has to go",
                     ids_of(arena, &found.blocks));
  if (blocks >= 3)
    return mst_words(arena, "%u kinds of blockers (%s) have to go first", blocks,
                     ids_of(arena, &found.blocks));
  if (found.functions > MOST_LIGHT_FUNCTIONS)
    return mst_words(arena, "%s (%s), spread over more than %d functions",
                     blocks == 1 ? "one kind of blocker" : "two kinds of blockers",
                     ids_of(arena, &found.blocks), MOST_LIGHT_FUNCTIONS);
  if (blocks > 0)
    return mst_words(arena, "%s (%s) in %u function%s, with known ways out",
                     blocks == 1 ? "one kind of blocker" : "two kinds of blockers",
                     ids_of(arena, &found.blocks), found.functions, mst_plural(found.functions));
  if (found.refactors.count > 0)
    return mst_words(arena, "nothing%s blocks; %s cost%s time and have known recipes",
                     mst_has_aside(result) ? " that counts" : "", ids_of(arena, &found.refactors),
                     found.refactors.count == 1 ? "s" : "");
  if (demoting_gap(result) != NULL)
    return mst_has_aside(result) ? "of what counts, only API support is in the way"
                                 : "only API support is in the way";
  if (mst_has_aside(result)) return "nothing has to change but what is not counted";
  return scales(result) ? "whole-array code; nothing has to change before it is tried"
                        : "nothing was found that has to change before it is tried";
}

static const char *place_of(mst_arena *arena, const char *what, const mst_site *site) {
  const char *path = mst_path_text(arena, site->path);
  if (site->cell > 0)
    return mst_words(arena, "%s at %s, cell %u, line %u", what, path, site->cell, site->line);
  return mst_words(arena, "%s at %s:%u", what, path, site->line);
}

static const char *gap_clause(const mst_assessment_result *result, mst_arena *arena) {
  const mst_result_gap *gap = demoting_gap(result);
  if (gap == NULL) return "";
  return mst_words(arena, "; %s %s%s",
                   place_of(arena, mst_words(arena, "`%s`", gap->name), &gap->site),
                   strcmp(gap->level, "none") == 0 ? "is not implemented on the distributed path"
                                                   : "runs on one GPU only",
                   gap->central && gap->is_used ? " and the result needs it"
                   : gap->heat == MST_HEAT_HOT  ? " and stands in a hot loop"
                                                : "");
}

/* Gate 2's, where it is uncertain for a size that was found. */
static const char *size_clause(const mst_assessment_result *result, mst_arena *arena) {
  const mst_gate *gate = &result->gates[1];
  if (gate->status != MST_GATE_UNCERTAIN) return "";
  return mst_words(arena, "; the size is uncertain: %s", gate->reason);
}

static const char *sentence(const mst_assessment_result *result, mst_verdict shape_verdict,
                            mst_arena *arena) {
  const char *name = mst_verdict_name(result->verdict);
  if (mst_gate_failed(result, 1))
    return mst_words(arena, "%s on this hardware: %s. On supported hardware it would be %s.", name,
                     result->gates[0].reason,
                     mst_gate_failed(result, 4) || mst_gate_failed(result, 2)
                         ? mst_verdict_name(MST_VERDICT_NOT_RECOMMENDED)
                         : mst_verdict_name(shape_verdict));
  if (mst_gate_failed(result, 4)) return mst_words(arena, "%s: %s.", name, result->gates[3].reason);
  if (mst_gate_failed(result, 2)) return mst_words(arena, "%s: %s.", name, result->gates[1].reason);
  return mst_words(arena, "%s: %s%s%s.", name, reason_of_shape(result, arena),
                   gap_clause(result, arena), size_clause(result, arena));
}

/* ---- would it run --------------------------------------------------------------------------------------- */

static bool finding_raises(const mst_result_finding *finding) {
  return finding->outcome == MST_OUTCOME_RAISES && mst_weighs(finding);
}

/* Where nothing that counts raises. A comment that suppresses says that its reader knows better; a
 * baseline does not. */
static const char *sentence_of_running(const mst_assessment_result *result, unsigned missing,
                                       unsigned aside, mst_arena *arena) {
  if (aside > 0)
    return mst_words(arena,
                     "As it stands it would not run: %u place%s that %s not counted raise%s.",
                     aside, mst_plural(aside), aside == 1 ? "is" : "are", aside == 1 ? "s" : "");
  if (missing > 0)
    return "Whether it runs as it stands depends on the version: names that are not implemented "
           "fall back to the host or raise.";
  return raising_aside(result, MST_ASIDE_SUPPRESSED) > 0
             ? "As it stands it would run if what is suppressed does: nothing else in it is known "
               "to raise."
             : "As it stands it would run: nothing in it is known to raise.";
}

static void conclude_runs(mst_assessment_result *result, mst_arena *arena) {
  const char *first = NULL;
  unsigned count = 0, missing = 0;
  for (size_t i = 0; i < result->finding_count; i++) {
    const mst_result_finding *finding = &result->findings[i];
    if (!finding_raises(finding)) continue;
    if (count++ == 0) first = place_of(arena, finding->rule->id, &finding->site);
  }
  for (size_t i = 0; i < result->gap_count; i++) {
    const mst_result_gap *gap = &result->gaps[i];
    if (!gap->raises && strcmp(gap->level, "none") == 0) missing++;
    if (!gap->raises) continue;
    if (count++ == 0) first = place_of(arena, mst_words(arena, "`%s`", gap->name), &gap->site);
  }
  const unsigned aside =
      raising_aside(result, MST_ASIDE_KNOWN) + raising_aside(result, MST_ASIDE_UNCHANGED);
  result->runs = count == 0 && aside == 0;
  result->runs_sentence =
      count > 0 ? mst_words(arena, "As it stands it would not run: %u place%s raise%s, such as %s.",
                            count, mst_plural(count), count == 1 ? "s" : "", first)
                : sentence_of_running(result, missing, aside, arena);
}

/* Behind the sentence about running: "Not counted: 2 suppressed and 5 known, of which 1 raises." */
static void tell_of_aside(mst_assessment_result *result, mst_arena *arena) {
  const char *parts[3];
  unsigned part_count = 0, raising = 0;
  for (unsigned why = MST_ASIDE_SUPPRESSED; why <= MST_ASIDE_UNCHANGED; why++) {
    unsigned count = 0;
    count_aside(result, (mst_aside)why, &count, &raising);
    if (count > 0)
      parts[part_count++] = mst_words(arena, "%u %s", count, mst_aside_name((mst_aside)why));
  }
  if (part_count == 0) return;
  const char *list = mst_words_list(arena, parts, part_count);
  const char *raises =
      raising > 0 ? mst_words(arena, ", of which %u raise%s", raising, raising == 1 ? "s" : "")
                  : "";
  result->runs_sentence =
      mst_words(arena, "%s Not counted: %s%s.", result->runs_sentence, list, raises);
}

/* ---- the composite --------------------------------------------------------------------------------------- */

static bool is_strong(const char *pattern) {
  return pattern != NULL && strcmp(pattern, "fft") != 0;
}

static void conclude_composite(mst_assessment_result *result, mst_arena *arena) {
  char count[24];
  const uint64_t said = result->context.elements;
  const uint64_t elements = said > 0                       ? said
                            : result->reading.elements > 0 ? (uint64_t)result->reading.elements
                                                           : 0;
  const bool light = result->verdict == MST_VERDICT_READY || result->verdict == MST_VERDICT_LIGHT;
  for (unsigned i = 0; i < 6; i++) {
    if (result->gates[i].status != MST_GATE_FAIL) continue;
    result->composite = "no go";
    result->composite_reason = mst_words(arena, "gate %u (%s) fails", i + 1, result->gates[i].name);
    return;
  }
  if (said > 0 && said < 10000000) {
    result->composite = "no go";
    result->composite_reason = mst_words(arena,
                                         "%s elements are fewer than the 10M from which a "
                                         "GPU is faster",
                                         mst_words_count(said, count));
    return;
  }
  if (light && elements >= 100000000 && elements < INT64_MAX &&
      is_strong(result->gates[3].pattern)) {
    result->composite = "strong go";
    result->composite_reason =
        mst_words(arena, "%s elements and a pattern that scales (%s)",
                  mst_words_count(elements, count), result->gates[3].pattern);
    return;
  }
  result->composite = "weak go";
  result->composite_reason = "pilot first: move one module, measure it, then decide";
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

/* Files may have been left out, or understood in part: what was not read may hold arrays. */
static const char *unseen_part(const mst_assessment_result *result, mst_arena *arena) {
  size_t files = 0, faults = 0;
  for (size_t i = 0; i < result->file_count; i++)
    files += strcmp(result->files[i].status, "not assessed") == 0;
  for (size_t i = 0; i < result->diagnostic_count; i++)
    faults += strcmp(result->diagnostics[i].kind, "syntax") == 0;
  if (files > 0)
    return mst_words(arena,
                     "no NumPy or cuPyNumeric arrays were found, but %zu file%s not assessed",
                     files, files == 1 ? " was" : "s were");
  if (faults > 0)
    return "no NumPy or cuPyNumeric arrays were found in what could be understood of the sources";
  return NULL;
}

static const char *not_applicable(const mst_surroundings *surroundings,
                                  const mst_assessment_result *result, mst_arena *arena) {
  const char *unseen = unseen_part(result, arena);
  if (unseen != NULL) return unseen;
  if (surroundings->other_tool != NULL)
    return mst_words(arena,
                     "no NumPy or cuPyNumeric arrays were found; this is %s code, and the right "
                     "tool for it is %s",
                     surroundings->other_name, surroundings->other_tool);
  return "no NumPy or cuPyNumeric arrays were found; for plain Python the right tools are a "
         "profiler "
         "(cProfile, py-spy), then Numba, Cython or multiprocessing";
}

/* The reports show six gates even so. */
static void conclude_nothing(const mst_surroundings *surroundings, mst_assessment_result *result,
                             mst_arena *arena) {
  static const char *const names[] = {"hardware",        "problem size",  "workload shape",
                                      "compute pattern", "boundary cost", "operational readiness"};
  mst_gate *gates = mst_arena_new(arena, 6 * sizeof *gates);
  for (unsigned i = 0; i < 6; i++)
    gates[i] = (mst_gate){.number = i + 1,
                          .name = names[i],
                          .status = MST_GATE_UNCERTAIN,
                          .reason = "n/a: there are no arrays to assess"};
  result->gates = gates;
  result->runs = true;
  result->not_applicable = not_applicable(surroundings, result, arena);
  result->verdict_sentence = mst_words(arena, "No verdict: %s.", result->not_applicable);
  result->runs_sentence = unseen_part(result, arena) != NULL
                              ? "Nothing of what was read would move to cuPyNumeric."
                              : "Nothing of it would move to cuPyNumeric.";
}

void mst_conclude(const mst_tally *tally, const mst_surroundings *surroundings,
                  mst_assessment_result *result, mst_arena *arena) {
  result->imports_cupynumeric = tally->imports_cupynumeric;
  mst_conclude_size(tally, result, arena);
  mst_conclude_context(tally, result, arena);
  if (tally->array_count == 0) {
    conclude_nothing(surroundings, result, arena);
    return;
  }
  const mst_verdict shape_verdict = mst_shape_verdict(result, NULL, false);
  mst_conclude_gates(tally, surroundings, shape_verdict, result, arena);
  const bool failed =
      mst_gate_failed(result, 1) || mst_gate_failed(result, 2) || mst_gate_failed(result, 4);
  result->verdict = failed ? MST_VERDICT_NOT_RECOMMENDED : shape_verdict;
  result->verdict_sentence = sentence(result, shape_verdict, arena);
  conclude_runs(result, arena);
  tell_of_aside(result, arena);
  conclude_composite(result, arena);
  mst_conclude_steps(tally, result, arena);
}
