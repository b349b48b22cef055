/* SPDX-License-Identifier: Apache-2.0 */
#include "load/name_pattern.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

typedef struct mst_segment {
  const char *begin;
  size_t length;
  char separator; /* behind it; '\0' at the end */
} mst_segment;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static bool is_separator(char c) { return c != '\0' && strchr("-_./ ", c) != NULL; }

/* 8-4-4-4-12 hexadecimal digits: one segment, though it has separators within. */
static bool is_uuid(const char *text) {
  static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  for (size_t i = 0; shape[i] != '\0'; i++) {
    if (shape[i] == 'x' ? !is_hex(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

/* The next segment; the last one takes the rest when there are too many. */
static mst_segment next_segment(const char **at, size_t number) {
  const char *begin = *at;
  size_t length = is_uuid(begin) ? 36 : 0;
  const bool takes_all = number + 1 >= MST_MAX_SEGMENTS;
  while (begin[length] != '\0' && (takes_all || !is_separator(begin[length])))
    length++;
  const char separator = begin[length];
  *at = begin + length + (separator != '\0');
  return (mst_segment){begin, length, separator};
}

/* Hexadecimal, not short, with a digit: no word that happens to be made of a to f. */
static bool is_tag(mst_segment segment) {
  bool digit = false;
  for (size_t i = 0; i < segment.length; i++) {
    if (!is_hex(segment.begin[i]) && segment.begin[i] != '-') return false;
    digit = digit || is_digit(segment.begin[i]);
  }
  return segment.length >= 4 && digit;
}

static size_t digits_at(mst_segment segment, size_t at) {
  size_t length = 0;
  while (at + length < segment.length && is_digit(segment.begin[at + length]))
    length++;
  return length;
}

/* True when both are equal but for runs of digits; the runs that differ are added to *varies. */
static bool same_but_digits(mst_segment a, mst_segment b, uint64_t *varies) {
  uint64_t differ = 0;
  unsigned run = 0;
  size_t i = 0, j = 0;
  while (i < a.length && j < b.length) {
    const size_t in_a = digits_at(a, i), in_b = digits_at(b, j);
    if (in_a > 0 && in_b > 0) {
      const bool equal = in_a == in_b && memcmp(a.begin + i, b.begin + j, in_a) == 0;
      if (!equal && run < 64) differ |= (uint64_t)1 << run;
      run++;
      i += in_a;
      j += in_b;
    } else if (a.begin[i++] != b.begin[j++]) {
      return false;
    }
  }
  if (i < a.length || j < b.length) return false;
  *varies |= differ;
  return true;
}

static size_t shared_folder(char *const *paths, size_t count) {
  size_t shared = strlen(paths[0]);
  for (size_t i = 1; i < count; i++) {
    size_t same = 0;
    while (same < shared && paths[i][same] == paths[0][same])
      same++;
    shared = same;
  }
  while (shared > 0 && paths[0][shared - 1] != '/')
    shared--;
  return shared;
}

/* Digits of ".h5" or ".mp4" number nothing; ".3" does. */
static bool has_number(const char *name) {
  const char *dot = strrchr(name, '.');
  const bool extension = dot != NULL && isalpha((unsigned char)dot[1]);
  for (const char *at = name; *at != '\0' && !(extension && at == dot); at++)
    if (is_digit(*at)) return true;
  return false;
}

static bool follows(mst_pattern *pattern, const char *first, const char *name) {
  const char *at_first = first, *at_name = name;
  for (size_t i = 0;; i++) {
    const mst_segment a = next_segment(&at_first, i);
    const mst_segment b = next_segment(&at_name, i);
    if (a.separator != b.separator) return false;
    if (!same_but_digits(a, b, &pattern->varies[i])) {
      if (!is_tag(a) || !is_tag(b)) return false;
      pattern->tag[i] = true;
    }
    if (a.separator == '\0') {
      pattern->segments = i + 1;
      return true;
    }
  }
}

bool mst_pattern_follows(const mst_pattern *pattern, char *const *paths, size_t index) {
  mst_pattern unused = {0};
  return follows(&unused, paths[pattern->like] + pattern->prefix, paths[index] + pattern->prefix);
}

/* Those that do not follow `like`. */
static void count_odd(mst_pattern *pattern, char *const *paths, size_t count) {
  pattern->odd_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (mst_pattern_follows(pattern, paths, i)) continue;
    if (pattern->odd_count++ == 0) pattern->odd = i;
  }
}

/* Of more than half of the names one is left when each is struck out with one that is unlike it. */
static void find_majority(mst_pattern *pattern, char *const *paths, size_t count) {
  size_t left = 0;
  pattern->like = 0;
  for (size_t i = 0; i < count; i++) {
    if (left == 0) pattern->like = i;
    if (mst_pattern_follows(pattern, paths, i))
      left++;
    else
      left--;
  }
  count_odd(pattern, paths, count);
  if (pattern->odd_count < count - pattern->odd_count) return;
  pattern->like = 0;
  count_odd(pattern, paths, count);
}

void mst_pattern_find(mst_pattern *pattern, char *const *paths, size_t count) {
  *pattern = (mst_pattern){.followed = true};
  if (count == 0) return;
  pattern->prefix = shared_folder(paths, count);
  for (size_t i = 0; i < count; i++) {
    const char *name = paths[i] + pattern->prefix;
    pattern->any_digits = pattern->any_digits || has_number(name);
    pattern->followed = pattern->followed && follows(pattern, paths[0] + pattern->prefix, name);
  }
  if (!pattern->followed) find_majority(pattern, paths, count);
  for (size_t i = 0; i < pattern->segments; i++)
    if (!pattern->tag[i]) pattern->numbers += (size_t)__builtin_popcountll(pattern->varies[i]);
}

void mst_pattern_numbers(const mst_pattern *pattern, const char *path, mst_digits *out) {
  const char *at = path + pattern->prefix;
  for (size_t i = 0; i < pattern->segments; i++) {
    const mst_segment segment = next_segment(&at, i);
    unsigned run = 0;
    for (size_t k = 0; k < segment.length && !pattern->tag[i];) {
      const size_t length = digits_at(segment, k);
      if (length > 0 && run < 64 && (pattern->varies[i] >> run & 1) != 0)
        *out++ = (mst_digits){(uint32_t)(segment.begin + k - path), (uint32_t)length};
      run += length > 0;
      k += length > 0 ? length : 1;
    }
  }
}

static mst_digits without_zeros(const char *text, mst_digits digits) {
  while (digits.length > 1 && text[digits.at] == '0') {
    digits.at++;
    digits.length--;
  }
  return digits;
}

int mst_digits_compare(const char *a, mst_digits in_a, const char *b, mst_digits in_b) {
  in_a = without_zeros(a, in_a);
  in_b = without_zeros(b, in_b);
  if (in_a.length != in_b.length) return in_a.length < in_b.length ? -1 : 1;
  return memcmp(a + in_a.at, b + in_b.at, in_a.length);
}

bool mst_digits_value(const char *text, mst_digits digits, uint64_t *value) {
  *value = 0;
  for (uint32_t i = 0; i < digits.length; i++) {
    if (__builtin_mul_overflow(*value, (uint64_t)10, value) ||
        __builtin_add_overflow(*value, (uint64_t)(text[digits.at + i] - '0'), value))
      return false;
  }
  return true;
}
