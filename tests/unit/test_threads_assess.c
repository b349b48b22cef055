/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that threads share, and programs that are looked at in parts. */
#include "unit/unit.h"

#include "assess/assessment.h"
#include "base/alloc.h"
#include "base/str.h"
#include "report/report.h"

#define MUCH ((size_t)1 << 30)

enum { PACKAGES = 4, MODULES_OF_EACH = 60, MODULES = PACKAGES * MODULES_OF_EACH };

static const unsigned thread_counts[] = {1, 2, 5};

/* ---- programs ------------------------------------------------------------------------------------- */

/* Imports its neighbours in this package and the next; one loop over elements. */
static void put_module(unsigned package, unsigned index) {
  const unsigned next = (index + 1) % MODULES_OF_EACH, other = (package + 1) % PACKAGES;
  char path[80], text[1200];
  snprintf(path, sizeof path, "all/p%u/m%02u.py", package, index);
  snprintf(text, sizeof text,
           "import numpy as np\n"
           "from .m%02u import smooth as near\n"
           "from all.p%u.m%02u import smooth as far\n\n\n"
           "def smooth(u, steps):\n"
           "    for t in range(steps):\n"
           "        u[1:-1] = 0.5 * (u[:-2] + u[2:])\n"
           "    return near(u, 1) if steps > 1 else u\n\n\n"
           "def total(n):\n"
           "    a = np.zeros((n, %u))\n"
           "    b = np.ones(%u)\n"
           "    s = 0.0\n"
           "    for i in range(len(b)):\n"
           "        s += b[i]\n"
           "    return s + far(a, 3).sum()\n",
           next, other, index, index + 2, 1000 * package + 17 * index + 20);
  put_text(path, text);
}

static int make_programs(void **state) {
  if (enter_folder(state) != 0 || mkdir("all", 0700) != 0) return -1;
  put_text("all/__init__.py", "");
  for (unsigned p = 0; p < PACKAGES; p++) {
    char path[80];
    snprintf(path, sizeof path, "all/p%u", p);
    if (mkdir(path, 0700) != 0) return -1;
    snprintf(path, sizeof path, "all/p%u/__init__.py", p);
    put_text(path, "");
    for (unsigned i = 0; i < MODULES_OF_EACH; i++)
      put_module(p, i);
  }
  return 0;
}

/* ---- assessing ------------------------------------------------------------------------------------ */

typedef struct outcome {
  char *report;
  size_t element_loops, assessed, budget_diagnostics;
} outcome;

static size_t element_loops(const mst_assessment_result *result) {
  size_t count = 0;
  for (size_t i = 0; i < result->finding_count; i++)
    count += strcmp(result->findings[i].rule->id, "R101") == 0;
  return count;
}

static size_t budget_diagnostics(const mst_assessment_result *result) {
  size_t count = 0;
  for (size_t i = 0; i < result->diagnostic_count; i++)
    count += strcmp(result->diagnostics[i].kind, "budget") == 0;
  return count;
}

static outcome assess(const char *path, const mst_assess_limits *limits, unsigned threads) {
  muster_assess_options options;
  muster_assessment *assessment = mst_calloc(1, sizeof *assessment);
  outcome got = {0};
  muster_assess_options_init(&options);
  options.threads = threads;
  assert_non_null(assessment);
  assert_int_equal(mst_assessment_make(assessment, &path, 1, &options, limits, NULL), MUSTER_OK);
  assert_int_equal(muster_assessment_write(assessment, "json", NULL, &got.report, NULL), MUSTER_OK);
  got.element_loops = element_loops(&assessment->result);
  got.assessed = mst_files_with(&assessment->result, "assessed");
  got.budget_diagnostics = budget_diagnostics(&assessment->result);
  muster_assessment_free(assessment);
  return got;
}

static outcome assess_with_all(const char *path, const mst_assess_limits *limits) {
  const outcome first = assess(path, limits, thread_counts[0]);
  for (size_t i = 1; i < COUNT(thread_counts); i++) {
    const outcome other = assess(path, limits, thread_counts[i]);
    CHECK(strcmp(first.report, other.report) == 0, "%u threads", thread_counts[i]);
    muster_text_free(other.report);
  }
  return first;
}

/* ---- tests ------------------------------------------------------------------------------------------ */

static void test_threads_share_a_program(void **state) {
  (void)state;
  const mst_assess_limits alone = {.model = MUCH, .slice = MUCH, .large = SIZE_MAX};
  const mst_assess_limits shared = {.model = MUCH, .slice = MUCH, .large = 0};
  const outcome got = assess_with_all("all", &shared);
  const outcome by_one = assess("all", &alone, 3);
  assert_int_equal(got.element_loops, MODULES);
  assert_int_equal(got.budget_diagnostics, 0);
  assert_string_equal(got.report, by_one.report);
  muster_text_free(got.report);
  muster_text_free(by_one.report);
}

/* Each package fits, all of them do not. */
static void test_parts_of_a_program(void **state) {
  (void)state;
  const mst_assess_limits limits = {.model = (size_t)1 << 20, .slice = MUCH, .large = 0};
  const outcome got = assess_with_all("all", &limits);
  assert_int_equal(got.element_loops, MODULES);
  assert_true(got.assessed >= MODULES);
  assert_true(got.budget_diagnostics >= 1);
  assert_non_null(strstr(got.report, "they are looked at in 4 parts"));
  muster_text_free(got.report);
}

/* Threads give up their slices; of a part there is less to be found at once. */
static void test_parts_for_slices(void **state) {
  (void)state;
  const mst_assess_limits limits = {.model = MUCH, .slice = (size_t)300 << 10, .large = 0};
  const outcome got = assess_with_all("all", &limits);
  assert_int_equal(got.element_loops, MODULES);
  assert_true(got.assessed >= MODULES);
  assert_true(got.budget_diagnostics >= 1);
  muster_text_free(got.report);
}

/* Its size says that it fits, its model does not: tried again file by file, and one is given up. */
static void test_parts_after_all(void **state) {
  (void)state;
  mst_str dense = {0};
  mst_str_add(&dense, "import numpy as np\nimport plain\nx = np.array([0");
  for (int i = 0; i < 20000; i++)
    mst_str_add(&dense, ",0");
  mst_str_add(&dense, "])\n");
  assert_false(dense.failed);
  assert_int_equal(mkdir("dense", 0700), 0);
  put_text("dense/table.py", mst_str_text(&dense));
  put_text("dense/plain.py", "import numpy as np\n\n\ndef f(a: np.ndarray):\n    s = 0\n"
                             "    for i in range(len(a)):\n        s += a[i]\n    return s\n");
  const mst_assess_limits limits = {.model = (size_t)1 << 20, .slice = MUCH, .large = 0};
  const outcome got = assess_with_all("dense", &limits);
  assert_int_equal(got.element_loops, 1);
  assert_int_equal(got.assessed, 1);
  assert_int_equal(got.budget_diagnostics, 2);
  assert_non_null(strstr(got.report, "its model takes more memory than is allowed"));
  muster_text_free(got.report);
  mst_str_reset(&dense);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_share_a_program),
      cmocka_unit_test(test_parts_of_a_program),
      cmocka_unit_test(test_parts_for_slices),
      cmocka_unit_test(test_parts_after_all),
  };
  return cmocka_run_group_tests(tests, make_programs, leave_folder);
}
