/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what the Doctor wrote: refused, or beside the findings, of which none changes. */
#include <string.h>

#include "file.h"
#include "muster/assess.h"

static const char program[] = "import numpy as np\n"
                              "def f(u: np.ndarray, n: int):\n"
                              "    for i in range(u.shape[0]):\n"
                              "        u[i] = u[i] * 2\n"
                              "    for _ in range(n):\n"
                              "        s = u.max().item()\n"
                              "        u = np.vstack([u, u[np.nonzero(u)]])\n"
                              "    return u, s\n";

static muster_status assess(const char *doctor, muster_assessment **out, muster_error *error) {
  muster_assess_options options;
  muster_assess_options_init(&options);
  options.threads = 1;
  options.text = program;
  options.text_length = strlen(program);
  options.text_name = "a.py";
  options.keep_lines = true;
  options.doctor = doctor;
  return muster_assess(NULL, 0, &options, out, error);
}

static void write_all(const muster_assessment *assessment) {
  const char *format;
  for (size_t i = 0; (format = muster_report_format(i)) != NULL; i++) {
    char *text = NULL;
    if (strcmp(format, "patch") == 0) continue;
    ALWAYS(muster_assessment_write(assessment, format, NULL, &text, NULL) == MUSTER_OK);
    for (const char *at = text; *at != '\0'; at++)
      ALWAYS((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t');
    muster_text_free(text);
  }
}

static void compare(const muster_assessment *with, const muster_assessment *without) {
  static const muster_assessment_list counts[] = {MUSTER_FINDINGS, MUSTER_COUNTING_FINDINGS};
  ALWAYS(muster_assessment_verdict(with) == muster_assessment_verdict(without));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    ALWAYS(muster_assessment_count(with, counts[i]) == muster_assessment_count(without, counts[i]));
  ALWAYS(strcmp(muster_assessment_sentence(with), muster_assessment_sentence(without)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  muster_assessment *with = NULL, *without = NULL;
  muster_error error = {.offset = -1};
  snprintf(path, sizeof path, "/dev/shm/muster-fuzz-%d", (int)getpid());
  write_input(path, data, size);
  const muster_status status = assess(path, &with, &error);
  unlink(path);
  if (status == MUSTER_OK) {
    ALWAYS(assess(NULL, &without, &error) == MUSTER_OK);
    compare(with, without);
    write_all(with);
  } else {
    check_error(status, &error, size);
  }
  muster_assessment_free(with);
  muster_assessment_free(without);
  return 0;
}
