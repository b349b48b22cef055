/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by which a finding is known again after lines have moved: its rule, its function and the
 * text of its line, and which of several it is that have the same of all these in one file.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/report.h"

static uint64_t mix(uint64_t digest, const char *text) {
  for (const char *at = text != NULL ? text : ""; *at != '\0'; at++)
    digest = (digest ^ (unsigned char)*at) * UINT64_C(1099511628211);
  return (digest ^ 0xff) * UINT64_C(1099511628211); /* where one text ends: no byte of UTF-8 */
}

static int by_file_and_number(const void *left, const void *right) {
  const mst_fingerprint *a = left, *b = right;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static int by_index(const void *left, const void *right) {
  const mst_fingerprint *a = left, *b = right;
  return (a->index > b->index) - (a->index < b->index);
}

static void number_alike(mst_fingerprint *prints, size_t count) {
  if (count == 0) return;
  qsort(prints, count, sizeof *prints, by_file_and_number);
  for (size_t i = 0; i < count; i++) {
    const bool is_alike =
        i > 0 && prints[i - 1].file == prints[i].file && prints[i - 1].number == prints[i].number;
    prints[i].ordinal = is_alike ? prints[i - 1].ordinal + 1 : 1;
  }
  qsort(prints, count, sizeof *prints, by_index);
}

mst_fingerprint *mst_fingerprints_of_findings(const mst_result_finding *findings, size_t count) {
  mst_fingerprint *prints = mst_calloc(count + 1, sizeof *prints);
  if (prints == NULL) return NULL;
  for (size_t i = 0, file = 0; i < count; i++) {
    const mst_result_finding *finding = &findings[i];
    if (i > 0 && strcmp(finding->site.path, finding[-1].site.path) != 0) file = i;
    const uint64_t number = mix(mix(finding->line_digest, finding->rule->id), finding->function);
    prints[i] = (mst_fingerprint){.file = file, .index = i, .number = number};
  }
  number_alike(prints, count);
  return prints;
}

mst_fingerprint *mst_fingerprints_of_gaps(const mst_result_gap *gaps, size_t count) {
  mst_fingerprint *prints = mst_calloc(count + 1, sizeof *prints);
  if (prints == NULL) return NULL;
  for (size_t i = 0, file = 0; i < count; i++) {
    const mst_result_gap *gap = &gaps[i];
    if (i > 0 && strcmp(gap->site.path, gap[-1].site.path) != 0) file = i;
    prints[i] =
        (mst_fingerprint){.file = file, .index = i, .number = mix(gap->line_digest, gap->name)};
  }
  number_alike(prints, count);
  return prints;
}
