/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/availability.h"

#include <string.h>

/* ---- the section of the docstring ------------------------------------------------------------ */

static mst_slice next_line(mst_slice *rest) {
  const char *stop = memchr(rest->at, '\n', rest->length);
  const size_t length = stop != NULL ? (size_t)(stop - rest->at) : rest->length;
  const mst_slice line = {rest->at, length};
  const size_t used = length + (stop != NULL);
  *rest = (mst_slice){rest->at + used, rest->length - used};
  return mst_slice_trim(line);
}

/* What numpydoc takes for the line under a heading. */
static bool is_underline(mst_slice line) {
  for (size_t i = 0; i < line.length; i++)
    if (line.at[i] != '-') return false;
  return line.length >= 3;
}

/* Without what closes the docstring. */
static mst_slice without_quotes(mst_slice text) {
  while (text.length > 0 && strchr("\"'", text.at[text.length - 1]) != NULL)
    text.length--;
  return mst_slice_trim(text);
}

mst_slice mst_availability_text(mst_slice docstring) {
  mst_slice rest = docstring;
  while (rest.length > 0 && strchr("\"'", rest.at[0]) != NULL)
    rest.at++, rest.length--;
  bool heading = false;
  while (rest.length > 0) {
    const mst_slice line = next_line(&rest);
    if (heading && is_underline(line)) {
      mst_slice text = {rest.at, 0};
      while (rest.length > 0) {
        const mst_slice more = without_quotes(next_line(&rest));
        if (more.length == 0) break;
        text.length = (size_t)(more.at + more.length - text.at);
      }
      return mst_slice_trim(text);
    }
    heading = mst_slice_is(line, "Availability");
  }
  return (mst_slice){0};
}

/* ---- its words ------------------------------------------------------------------------------- */

typedef enum amount { NOT_SAID, ONE, PARTLY, SEVERAL } amount;

typedef struct words {
  amount gpus;
  amount cpus;
} words;

/* "Multiple GPUs (partial)": how many, of what, perhaps in part. */
static void read_part(mst_slice part, words *out) {
  const mst_slice many = mst_slice_identifier(part);
  const mst_slice rest =
      mst_slice_trim((mst_slice){part.at + many.length, part.length - many.length});
  const mst_slice what = mst_slice_identifier(rest);
  amount how_many = NOT_SAID;
  if (mst_slice_is(many, "Multiple")) how_many = SEVERAL;
  if (mst_slice_is(many, "Single")) how_many = ONE;
  if (how_many != NOT_SAID && mst_slice_has_word(rest, (mst_slice){"partial", 7}))
    how_many = PARTLY;
  if (mst_slice_is(what, "GPU") || mst_slice_is(what, "GPUs")) out->gpus = how_many;
  if (mst_slice_is(what, "CPU") || mst_slice_is(what, "CPUs")) out->cpus = how_many;
}

static const struct {
  amount gpus, cpus;
  mst_api_level level;
  const char *note;
} meanings[] = {
    {SEVERAL, SEVERAL, MST_API_MULTI, ""},
    {SEVERAL, NOT_SAID, MST_API_MULTI, ""},
    {SEVERAL, PARTLY, MST_API_MULTI, "several CPUs in part only"},
    {SEVERAL, ONE, MST_API_MULTI, "one CPU only"},
    {PARTLY, SEVERAL, MST_API_PARTIAL, "several GPUs in part only"},
    {PARTLY, NOT_SAID, MST_API_PARTIAL, "several GPUs in part only"},
    {PARTLY, PARTLY, MST_API_PARTIAL, "several GPUs or CPUs in part only"},
    {PARTLY, ONE, MST_API_PARTIAL, "several GPUs in part only, one CPU only"},
    {ONE, SEVERAL, MST_API_SINGLE, "one GPU, but several CPUs"},
    {ONE, NOT_SAID, MST_API_SINGLE, ""},
    {ONE, PARTLY, MST_API_SINGLE, "one GPU, several CPUs in part"},
    {ONE, ONE, MST_API_SINGLE, ""},
    {NOT_SAID, SEVERAL, MST_API_SINGLE, "not on GPUs; several CPUs"},
    {NOT_SAID, PARTLY, MST_API_SINGLE, "not on GPUs; several CPUs in part"},
    {NOT_SAID, ONE, MST_API_SINGLE, "not on GPUs; one CPU only"},
};

bool mst_availability_level(mst_slice text, mst_api_level *level, const char **note) {
  words said = {NOT_SAID, NOT_SAID};
  while (text.length > 0) {
    size_t length = 0;
    while (length < text.length && text.at[length] != ',' && text.at[length] != '\n')
      length++;
    read_part(mst_slice_trim((mst_slice){text.at, length}), &said);
    const size_t used = length + (length < text.length);
    text = (mst_slice){text.at + used, text.length - used};
  }
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
    if (meanings[i].gpus != said.gpus || meanings[i].cpus != said.cpus) continue;
    *level = meanings[i].level;
    *note = meanings[i].note;
    return true;
  }
  return false;
}
