/* SPDX-License-Identifier: Apache-2.0 */
#include "report/hunks.h"

#include <string.h>

#include "base/vec.h"

#define CONTEXT ((size_t)3)

typedef struct hunks {
  mst_str *out;
  const char *bytes;
  size_t length;
  MST_VEC(size_t) starts; /* of lines, and the end of the last */
  size_t line_count;
  mst_str body;  /* of the hunk at hand */
  mst_str added; /* new lines that come behind the old ones, of which there may be more */
  bool is_open;
  size_t first;                /* line, from 0 */
  size_t next;                 /* line, from 0: what follows those in the body */
  size_t old_count, new_count; /* lines of the hunk */
  size_t old_total, new_total; /* lines of those before */
} hunks;

/* ---- lines ------------------------------------------------------------------------------------------ */

static bool find_lines(hunks *to) {
  const char *const end = to->bytes + to->length;
  for (const char *at = to->bytes; at < end;) {
    if (!mst_vec_push(&to->starts, (size_t)(at - to->bytes))) return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop != NULL ? stop + 1 : end;
  }
  to->line_count = to->starts.length;
  return mst_vec_push(&to->starts, to->length);
}

/* Of a byte behind the last line that line. */
static size_t line_of(const hunks *in, size_t byte) {
  size_t low = 0, high = in->line_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (in->starts.data[middle] <= byte)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static size_t first_line(const char *text, size_t length) {
  const char *stop = length > 0 ? memchr(text, '\n', length) : NULL;
  return stop != NULL ? (size_t)(stop - text) + 1 : length;
}

static size_t last_line(const char *text, size_t length) {
  size_t start = length > 0 ? length - 1 : 0;
  while (start > 0 && text[start - 1] != '\n')
    start--;
  return length - start;
}

/* Returns how many lines there are. */
static size_t add_lines(mst_str *out, char sign, const char *text, size_t length) {
  size_t count = 0;
  while (length > 0) {
    const size_t line = first_line(text, length);
    mst_str_add_bytes(out, &sign, 1);
    mst_str_add_bytes(out, text, line);
    if (text[line - 1] != '\n') mst_str_add(out, "\n\\ No newline at end of file\n");
    text += line;
    length -= line;
    count++;
  }
  return count;
}

/* ---- hunks ------------------------------------------------------------------------------------------ */

static void put_added(hunks *to) {
  mst_str_add_bytes(&to->body, mst_str_text(&to->added), to->added.length);
  if (to->added.failed) to->body.failed = true;
  mst_str_reset(&to->added);
}

static void add_context(hunks *to, size_t end) {
  if (end == to->next) return;
  put_added(to);
  const size_t from = to->starts.data[to->next];
  const size_t count = add_lines(&to->body, ' ', to->bytes + from, to->starts.data[end] - from);
  to->old_count += count;
  to->new_count += count;
  to->next = end;
}

/* Lines count from 1; of none the one before is given. */
static void add_range(mst_str *out, char sign, size_t first, size_t count) {
  mst_str_addf(out, "%c%zu,%zu", sign, count > 0 ? first + 1 : first, count);
}

static void close_hunk(hunks *to) {
  const size_t left = to->line_count - to->next;
  if (!to->is_open) return;
  add_context(to, to->next + (left < CONTEXT ? left : CONTEXT));
  put_added(to);
  mst_str_add(to->out, "@@ ");
  add_range(to->out, '-', to->first, to->old_count);
  mst_str_add(to->out, " ");
  add_range(to->out, '+', to->first + to->new_total - to->old_total, to->new_count);
  mst_str_add(to->out, " @@\n");
  mst_str_add_bytes(to->out, mst_str_text(&to->body), to->body.length);
  if (to->body.failed) to->out->failed = true;
  mst_str_reset(&to->body);
  to->old_total += to->old_count;
  to->new_total += to->new_count;
  to->old_count = to->new_count = 0;
  to->is_open = false;
}

static void open_hunk(hunks *to, size_t line) {
  to->first = to->next = line - (line < CONTEXT ? line : CONTEXT);
  to->is_open = true;
}

/* These lines have become the text. */
static void add_block(hunks *to, size_t line, size_t end, const char *text, size_t length) {
  const char *bytes = to->bytes + to->starts.data[line];
  size_t old_length = to->starts.data[end] - to->starts.data[line];
  for (size_t same; old_length > 0 && length > 0; line++) {
    same = first_line(bytes, old_length);
    if (same != first_line(text, length) || memcmp(bytes, text, same) != 0) break;
    bytes += same, old_length -= same;
    text += same, length -= same;
  }
  for (size_t same; old_length > 0 && length > 0; end--) {
    same = last_line(bytes, old_length);
    if (same != last_line(text, length) ||
        memcmp(bytes + old_length - same, text + length - same, same) != 0)
      break;
    old_length -= same, length -= same;
  }
  if (old_length == 0 && length == 0) return;
  if (to->is_open && line - to->next > 2 * CONTEXT) close_hunk(to);
  if (!to->is_open) open_hunk(to, line);
  add_context(to, line);
  to->old_count += add_lines(&to->body, '-', bytes, old_length);
  to->new_count += add_lines(&to->added, '+', text, length);
  to->next = end;
}

/* ---- all of it -------------------------------------------------------------------------------------- */

static size_t end_line(const hunks *in, const mst_change *change) {
  return 1 + line_of(in, change->end > change->start ? change->end - 1 : change->start);
}

/* Changes on lines that they share; returns how many. */
static size_t add_changes(hunks *to, const mst_change *const *changes, size_t count) {
  const size_t line = line_of(to, changes[0]->start);
  size_t end = line, at = to->starts.data[line], used = 0;
  mst_str text = {0};
  for (; used < count && (used == 0 || line_of(to, changes[used]->start) < end); used++) {
    const mst_change *change = changes[used];
    mst_str_add_bytes(&text, to->bytes + at, change->start - at);
    mst_str_add_bytes(&text, change->bytes, change->length);
    at = change->end;
    if (end_line(to, change) > end) end = end_line(to, change);
  }
  mst_str_add_bytes(&text, to->bytes + at, to->starts.data[end] - at);
  if (text.failed)
    to->out->failed = true;
  else
    add_block(to, line, end, mst_str_text(&text), text.length);
  mst_str_reset(&text);
  return used;
}

bool mst_add_hunks(mst_str *out, const mst_original *original, const mst_change *const *changes,
                   size_t count) {
  hunks to = {.out = out, .bytes = original->bytes, .length = original->length};
  const bool done = find_lines(&to);
  for (size_t i = 0; i < count && done && to.line_count > 0;)
    i += add_changes(&to, changes + i, count - i);
  if (done) close_hunk(&to);
  mst_str_reset(&to.body);
  mst_str_reset(&to.added);
  mst_vec_reset(&to.starts);
  return done && !out->failed;
}
