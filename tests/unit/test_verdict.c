/* SPDX-License-Identifier: Apache-2.0 */
/* The order of verdicts, demotions, gates and steps, each row worked out from the rules by hand. */
#include "unit/unit.h"

#include "verdict/hardware.h"
#include "verdict/tally.h"
#include "verdict/words.h"

typedef struct fixture {
  mst_arena arena;
  mst_tally tally;
  mst_assessment_result result;
  mst_result_finding findings[32];
  mst_result_gap gaps[4];
} fixture;

static int begin(void **state) {
  fixture *f = calloc(1, sizeof *f);
  if (f == NULL) return -1;
  mst_arena_init(&f->arena, 16 << 20);
  f->tally.arena = &f->arena;
  f->tally.array_count = 1;
  f->tally.array_weight = 10;
  f->result.findings = f->findings;
  f->result.gaps = f->gaps;
  *state = f;
  return 0;
}

static int end(void **state) {
  fixture *f = *state;
  mst_arena_reset(&f->arena);
  free(f);
  return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* A counting finding; each in a function of its own when `function` is NULL. */
static void add(fixture *f, const char *id, const char *function) {
  const mst_rule *rule = mst_rule_find(id);
  assert_non_null(rule);
  mst_result_finding *finding = &f->findings[f->result.finding_count];
  *finding = (mst_result_finding){
      .rule = rule,
      .site = {.path = "a.py", .line = (uint32_t)(f->result.finding_count + 1), .column = 1},
      .function = function != NULL ? function
                                   : mst_words(&f->arena, "f%u", (unsigned)f->result.finding_count),
      .outcome = rule->outcome,
      .heat = MST_HEAT_HOT,
      .confidence = MST_CERTAIN,
      .counts = true,
      .message = "m",
      .recipe = rule->recipe};
  f->result.finding_count++;
}

static void add_gap(fixture *f, const char *level, mst_heat heat, bool central) {
  f->gaps[f->result.gap_count++] = (mst_result_gap){.name = "numpy.interp",
                                                    .level = level,
                                                    .site = {.path = "a.py", .line = 9},
                                                    .heat = heat,
                                                    .central = central};
}

static void conclude(fixture *f) {
  const mst_surroundings none = {0};
  mst_conclude(&f->tally, &none, &f->result, &f->arena);
}

/* ---- shape ----------------------------------------------------------------------------------- */

static const struct {
  const char *ids; /* blank-separated */
  mst_verdict verdict;
} shapes[] = {
    {"", MST_VERDICT_READY},
    {"R001 R005 A401 A405", MST_VERDICT_READY},
    {"R201", MST_VERDICT_LIGHT},
    {"R201 R202 R203 R204 R205 R206", MST_VERDICT_LIGHT},
    {"R301", MST_VERDICT_LIGHT},
    {"R101", MST_VERDICT_LIGHT},
    {"R101 R101 R101 R101", MST_VERDICT_LIGHT},
    {"R101 R104", MST_VERDICT_LIGHT},
    {"R101 R104 R201", MST_VERDICT_LIGHT},
    {"R101 R104 R105", MST_VERDICT_SIGNIFICANT},
    {"R101 R102 R103 R104 R105 R106 R107 R109 R110 R111", MST_VERDICT_SIGNIFICANT},
    {"R108", MST_VERDICT_SIGNIFICANT},
};

static void add_all(fixture *f, const char *ids, const char *function) {
  char copy[128];
  snprintf(copy, sizeof copy, "%s", ids);
  for (char *id = strtok(copy, " "); id != NULL; id = strtok(NULL, " "))
    add(f, id, function);
}

static void kinds_of_findings_make_the_verdict(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < COUNT(shapes); i++) {
    f->result.finding_count = 0;
    add_all(f, shapes[i].ids, "f");
    conclude(f);
    CHECK(f->result.verdict == shapes[i].verdict, "%s: %s", shapes[i].ids,
          mst_verdict_name(f->result.verdict));
  }
}

static void what_does_not_count_has_no_say(void **state) {
  fixture *f = *state;
  add_all(f, "R101 R104 R105", "f");
  for (size_t i = 0; i < f->result.finding_count; i++)
    f->findings[i].counts = false;
  conclude(f);
  assert_int_equal(f->result.verdict, MST_VERDICT_READY);
}

static void more_than_eight_functions_are_significant(void **state) {
  fixture *f = *state;
  for (int i = 0; i < 8; i++)
    add(f, "R104", NULL);
  conclude(f);
  assert_int_equal(f->result.verdict, MST_VERDICT_LIGHT);
  add(f, "R104", NULL);
  conclude(f);
  assert_int_equal(f->result.verdict, MST_VERDICT_SIGNIFICANT);
}

/* ---- gaps -------------------------------------------------------------------------------------- */

static const struct {
  const char *ids, *level;
  mst_heat heat;
  bool central;
  unsigned nodes;
  mst_verdict verdict;
} demotions[] = {
    {"", "none", MST_HEAT_HOT, true, 0, MST_VERDICT_LIGHT},
    {"", "none", MST_HEAT_PRESUMED, false, 0, MST_VERDICT_LIGHT},
    {"", "none", MST_HEAT_BOUNDARY, false, 0, MST_VERDICT_READY},
    {"", "none", MST_HEAT_PERIODIC, false, 0, MST_VERDICT_READY},
    {"R104", "none", MST_HEAT_HOT, true, 0, MST_VERDICT_SIGNIFICANT},
    {"R101 R104 R105", "none", MST_HEAT_HOT, true, 0, MST_VERDICT_SIGNIFICANT},
    {"", "single", MST_HEAT_HOT, true, 0, MST_VERDICT_READY},
    {"", "single", MST_HEAT_HOT, true, 1, MST_VERDICT_READY},
    {"", "single", MST_HEAT_HOT, true, 2, MST_VERDICT_LIGHT},
    {"", "single", MST_HEAT_PRESUMED, false, 2, MST_VERDICT_READY},
    {"", "partial", MST_HEAT_HOT, true, 2, MST_VERDICT_READY},
};

static void gaps_demote_by_one(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < COUNT(demotions); i++) {
    f->result.finding_count = f->result.gap_count = 0;
    f->result.context = (mst_context){.nodes = demotions[i].nodes};
    add_all(f, demotions[i].ids, "f");
    add_gap(f, demotions[i].level, demotions[i].heat, demotions[i].central);
    conclude(f);
    CHECK(f->result.verdict == demotions[i].verdict, "row %zu: %s", i,
          mst_verdict_name(f->result.verdict));
  }
}

/* ---- gates --------------------------------------------------------------------------------------- */

static const struct {
  mst_context context;
  unsigned gate;
  mst_gate_status status;
} gates[] = {
    {{0}, 1, MST_GATE_PASS},
    {{.gpu_model = "Tesla P100-PCIE-16GB"}, 1, MST_GATE_FAIL},
    {{.gpu_model = "K80"}, 1, MST_GATE_FAIL},
    {{.gpu_model = "M40"}, 1, MST_GATE_FAIL},
    {{.gpu_model = "GTX 1080 Ti"}, 1, MST_GATE_FAIL},
    {{.gpu_model = "v100"}, 1, MST_GATE_PASS},
    {{.gpu_model = "NVIDIA H100 80GB HBM3"}, 1, MST_GATE_PASS},
    {{.gpu_model = "RTX 4090"}, 1, MST_GATE_PASS},
    {{.gpu_model = "XYZ-9"}, 1, MST_GATE_UNCERTAIN},
    {{.gpu_model = "P100", .cpu_only = true}, 1, MST_GATE_PASS},
    {{.os = "macOS"}, 1, MST_GATE_FAIL},
    {{.os = "Windows"}, 1, MST_GATE_FAIL},
    {{.os = "Linux"}, 1, MST_GATE_PASS},
    {{.cuda = 11}, 1, MST_GATE_FAIL},
    {{.cuda = 13}, 1, MST_GATE_PASS},
    {{0}, 2, MST_GATE_PASS},
    {{.elements = 65535}, 2, MST_GATE_FAIL},
    {{.elements = 65536}, 2, MST_GATE_UNCERTAIN},
    {{.elements = 999999}, 2, MST_GATE_UNCERTAIN},
    {{.elements = 1000000}, 2, MST_GATE_PASS},
    {{.elements = 1000000, .gpus = 2}, 2, MST_GATE_UNCERTAIN},
    {{.elements = 1000000, .gpus = 4, .nodes = 4}, 2, MST_GATE_FAIL},
    {{.pattern = "graph"}, 4, MST_GATE_FAIL},
    {{.pattern = "stencil"}, 4, MST_GATE_PASS},
    {{0}, 6, MST_GATE_UNCERTAIN},
};

static void gates_follow_the_context(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < COUNT(gates); i++) {
    f->result.context = gates[i].context;
    conclude(f);
    const mst_gate *gate = &f->result.gates[gates[i].gate - 1];
    CHECK(gate->status == gates[i].status, "row %zu: gate %u: %s", i, gates[i].gate, gate->reason);
    if (gates[i].gate != 6 && gates[i].status == MST_GATE_FAIL)
      CHECK(f->result.verdict == MST_VERDICT_NOT_RECOMMENDED, "row %zu", i);
  }
}

static void a_small_size_in_the_code_is_uncertain(void **state) {
  fixture *f = *state;
  f->tally.hot = (mst_size){
      .elements = 4096, .known = 3, .site = {.path = "a.py", .line = 3}, .text = "np.zeros(4096)"};
  conclude(f);
  assert_int_equal(f->result.gates[1].status, MST_GATE_UNCERTAIN);
  assert_int_equal(f->result.verdict, MST_VERDICT_READY);
  assert_non_null(strstr(f->result.verdict_sentence, "4,096"));
}

static void half_of_the_work_dominates(void **state) {
  fixture *f = *state;
  f->tally.patterns[MST_PATTERN_SPARSE].weight = 9;
  conclude(f);
  assert_int_equal(f->result.gates[3].status, MST_GATE_PASS);
  f->tally.patterns[MST_PATTERN_SPARSE].weight = 10;
  conclude(f);
  assert_int_equal(f->result.gates[3].status, MST_GATE_FAIL);
  assert_string_equal(f->result.gates[3].pattern, "sparse");
  assert_int_equal(f->result.verdict, MST_VERDICT_NOT_RECOMMENDED);
}

static void hardware_comes_before_all(void **state) {
  fixture *f = *state;
  f->result.context.gpu_model = "P40";
  add(f, "R104", NULL);
  conclude(f);
  assert_true(mst_starts_with(f->result.verdict_sentence, "NOT RECOMMENDED"));
  assert_non_null(strstr(f->result.verdict_sentence, "LIGHT REFACTOR"));
  assert_string_equal(f->result.composite, "no go");
}

/* ---- composite, runs ---------------------------------------------------------------------------- */

static const struct {
  const char *ids;
  uint64_t elements;
  const char *pattern, *composite;
} composites[] = {
    {"", 100000000, "stencil", "strong go"},   {"R104", 100000000, "gemm", "strong go"},
    {"", 99999999, "stencil", "weak go"},      {"", 9999999, "stencil", "no go"},
    {"R108", 100000000, "stencil", "weak go"}, {"", 0, NULL, "weak go"},
    {"", 100000000, "sparse", "no go"},
};

static void composites_are_the_first_that_matches(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < COUNT(composites); i++) {
    f->result.finding_count = 0;
    f->result.context =
        (mst_context){.elements = composites[i].elements, .pattern = composites[i].pattern};
    add_all(f, composites[i].ids, "f");
    conclude(f);
    CHECK(strcmp(f->result.composite, composites[i].composite) == 0, "row %zu: %s", i,
          f->result.composite);
  }
}

static void what_raises_does_not_run(void **state) {
  fixture *f = *state;
  conclude(f);
  assert_true(f->result.runs);
  add(f, "R106", NULL);
  f->findings[0].outcome = MST_OUTCOME_RAISES;
  conclude(f);
  assert_false(f->result.runs);
  f->result.finding_count = 0;
  add_gap(f, "none", MST_HEAT_BOUNDARY, false);
  conclude(f);
  assert_true(f->result.runs);
  f->gaps[0].raises = true;
  conclude(f);
  assert_false(f->result.runs);
}

/* ---- steps ----------------------------------------------------------------------------------------- */

static void steps_follow_the_order_of_recipes(void **state) {
  static const char *const recipes[] = {"RR-mpi",     "RR-loop", "RR-sync", "RR-stack",
                                        "RR-inplace", "RR-mask", NULL,      "RR-host-fallback"};
  fixture *f = *state;
  add_all(f, "R301 R205 R204 R202 R203 R104 R103 R101 R108 R104", "f");
  conclude(f);
  assert_int_equal(f->result.next_step_count, COUNT(recipes));
  for (size_t i = 0; i < COUNT(recipes); i++) {
    const char *recipe = f->result.next_steps[i].recipe;
    if (recipes[i] == NULL)
      assert_null(recipe);
    else
      assert_string_equal(recipe, recipes[i]);
  }
  assert_int_equal(f->result.next_steps[1].rule_count, 2);
  assert_int_equal(f->result.next_steps[2].sites, 2);
}

static void the_verdict_gets_better_from_step_to_step(void **state) {
  fixture *f = *state;
  add_all(f, "R101 R104 R105 R201", "f");
  add_gap(f, "none", MST_HEAT_HOT, true);
  conclude(f);
  /* loop, sync, converge, alloc, gap; the gap costs a step until it is gone */
  static const mst_verdict after[] = {MST_VERDICT_SIGNIFICANT, MST_VERDICT_SIGNIFICANT,
                                      MST_VERDICT_SIGNIFICANT, MST_VERDICT_LIGHT,
                                      MST_VERDICT_READY};
  assert_int_equal(f->result.next_step_count, COUNT(after));
  for (size_t i = 0; i < COUNT(after); i++)
    CHECK(f->result.next_steps[i].verdict_after == after[i], "step %zu", i);
}

static void without_arrays_there_is_no_verdict(void **state) {
  fixture *f = *state;
  const mst_surroundings torch = {.other_name = "PyTorch", .other_tool = "PyTorch itself"};
  f->tally.array_count = 0;
  mst_conclude(&f->tally, &torch, &f->result, &f->arena);
  assert_int_equal(f->result.verdict, MST_VERDICT_NONE);
  assert_null(mst_verdict_name(f->result.verdict));
  assert_non_null(strstr(f->result.verdict_sentence, "PyTorch itself"));
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void memory_is_compared_with_the_target(void **state) {
  fixture *f = *state;
  f->tally.hot.arrays = 5;
  f->result.context = (mst_context){.elements = 10000000000, .gpus = 4, .fbmem = 80000000000};
  conclude(f); /* 5 arrays of 80 GB */
  assert_int_equal(f->result.reading.bytes_per_array, 80000000000);
  assert_int_equal(f->result.reading.bytes_alive, 400000000000);
  assert_int_equal(f->result.reading.smallest_gpus, 5);
  assert_int_equal(f->result.gates[0].status, MST_GATE_FAIL);
  f->result.context.gpus = 5;
  conclude(f);
  assert_int_equal(f->result.gates[0].status, MST_GATE_PASS);
  assert_int_equal(f->result.reading.largest_gpus, 10000000000 / 65536);
}

static void counts_are_written_short(void **state) {
  (void)state;
  static const struct {
    uint64_t count;
    const char *text;
  } rows[] = {{0, "0"},
              {999, "999"},
              {1000, "1,000"},
              {65536, "65,536"},
              {16000000, "16M"},
              {16777216, "16.78M"},
              {1000000000, "1B"},
              {1200000000, "1.2B"},
              {8000000000000, "8T"},
              {UINT64_C(20000000000000000), "2e+16"},
              {INT64_MAX, "9.22e+18 or more"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[24];
    assert_string_equal(mst_words_count(rows[i].count, text), rows[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(kinds_of_findings_make_the_verdict),
      TEST(what_does_not_count_has_no_say),
      TEST(more_than_eight_functions_are_significant),
      TEST(gaps_demote_by_one),
      TEST(gates_follow_the_context),
      TEST(a_small_size_in_the_code_is_uncertain),
      TEST(half_of_the_work_dominates),
      TEST(hardware_comes_before_all),
      TEST(composites_are_the_first_that_matches),
      TEST(what_raises_does_not_run),
      TEST(steps_follow_the_order_of_recipes),
      TEST(the_verdict_gets_better_from_step_to_step),
      TEST(without_arrays_there_is_no_verdict),
      TEST(memory_is_compared_with_the_target),
      TEST(counts_are_written_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
