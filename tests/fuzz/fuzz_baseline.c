/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a baseline: it is refused, or what is written after it knows all there is. */
#include <string.h>

#include "fuzz.h"
#include "muster/assess.h"

static const char program[] = "import numpy as np\n"
                              "def f(u: np.ndarray, n: int):\n"
                              "    for _ in range(n):\n"
                              "        if u.max() > 1: u = u + np.interp(u, u, u[::2])\n"
                              "        if u.max() > 1: u = u + np.interp(u, u, u[::2])\n"
                              "    return u\n";

static muster_status assess(const char *text, size_t length, muster_assessment **out,
                            muster_error *error) {
  muster_assess_options options;
  muster_assess_options_init(&options);
  options.threads = 1;
  options.text = program;
  options.text_length = strlen(program);
  options.text_name = "a.py";
  options.baseline_text = text;
  options.baseline_length = length;
  return muster_assess(NULL, 0, &options, out, error);
}

static char *next_baseline(const muster_assessment *assessment) {
  char *text = NULL;
  ALWAYS(muster_assessment_baseline(assessment, &text, NULL) == MUSTER_OK);
  return text;
}

static void write_some(const muster_assessment *assessment) {
  static const char *const formats[] = {"json", "markdown", "sarif"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    char *text = NULL;
    ALWAYS(muster_assessment_write(assessment, formats[i], NULL, &text, NULL) == MUSTER_OK);
    for (const char *at = text; *at != '\0'; at++)
      ALWAYS((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t');
    muster_text_free(text);
  }
}

/* With what was written all is known, nothing is fixed, and the next one is the same. */
static void go_on(const muster_assessment *first) {
  char *text = next_baseline(first);
  muster_assessment *second = NULL;
  muster_error error = {.offset = -1};
  ALWAYS(assess(text, strlen(text), &second, &error) == MUSTER_OK);
  ALWAYS(muster_assessment_count(second, MUSTER_COUNTING_FINDINGS) == 0);
  ALWAYS(muster_assessment_count(second, MUSTER_FIXED) == 0);
  ALWAYS(muster_assessment_verdict(second) == MUSTER_VERDICT_READY);
  char *again = next_baseline(second);
  ALWAYS(strcmp(text, again) == 0);
  muster_text_free(again);
  muster_text_free(text);
  muster_assessment_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  muster_assessment *assessment = NULL;
  muster_error error = {.offset = -1};
  const muster_status status = assess((const char *)data, size, &assessment, &error);
  if (status == MUSTER_OK) {
    write_some(assessment);
    go_on(assessment);
  } else {
    check_error(status, &error, size);
  }
  muster_assessment_free(assessment);
  return 0;
}
