/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dtype.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

typedef struct mst_type_row {
  const char *name; /* NumPy's */
  const char *code; /* of an npy header, without the byte order; "" where it has none */
  size_t size;
  size_t swap_unit;
} mst_type_row;

static const mst_type_row types[MUSTER_TYPE_COUNT] = {
    [MUSTER_NO_TYPE] = {"", "", 0, 1},
    [MUSTER_BOOL] = {"bool", "b1", 1, 1},
    [MUSTER_INT8] = {"int8", "i1", 1, 1},
    [MUSTER_INT16] = {"int16", "i2", 2, 2},
    [MUSTER_INT32] = {"int32", "i4", 4, 4},
    [MUSTER_INT64] = {"int64", "i8", 8, 8},
    [MUSTER_UINT8] = {"uint8", "u1", 1, 1},
    [MUSTER_UINT16] = {"uint16", "u2", 2, 2},
    [MUSTER_UINT32] = {"uint32", "u4", 4, 4},
    [MUSTER_UINT64] = {"uint64", "u8", 8, 8},
    [MUSTER_FLOAT16] = {"float16", "f2", 2, 2},
    [MUSTER_FLOAT32] = {"float32", "f4", 4, 4},
    [MUSTER_FLOAT64] = {"float64", "f8", 8, 8},
    [MUSTER_LONGDOUBLE] = {"float128", "f16", 16, 16},
    [MUSTER_COMPLEX64] = {"complex64", "c8", 8, 4},
    [MUSTER_COMPLEX128] = {"complex128", "c16", 16, 8},
    [MUSTER_CLONGDOUBLE] = {"complex256", "c32", 32, 16},
    [MUSTER_DATETIME64] = {"datetime64", "M8", 8, 8},
    [MUSTER_TIMEDELTA64] = {"timedelta64", "m8", 8, 8},
    [MUSTER_BFLOAT16] = {"bfloat16", "", 2, 2},
    [MUSTER_FLOAT8_E4M3FN] = {"float8_e4m3fn", "", 1, 1},
    [MUSTER_FLOAT8_E5M2] = {"float8_e5m2", "", 1, 1},
};

static const mst_type_row *row_of(muster_type type) {
  return &types[type > MUSTER_NO_TYPE && type < MUSTER_TYPE_COUNT ? type : MUSTER_NO_TYPE];
}

size_t muster_type_size(muster_type type) { return row_of(type)->size; }
size_t mst_swap_unit(muster_type type) { return row_of(type)->swap_unit; }

bool mst_is_time(muster_type type) {
  return type == MUSTER_DATETIME64 || type == MUSTER_TIMEDELTA64;
}

bool mst_is_source_only(muster_type type) {
  return type == MUSTER_BFLOAT16 || type == MUSTER_FLOAT8_E4M3FN || type == MUSTER_FLOAT8_E5M2;
}

bool mst_dtype_equal(const muster_dtype *a, const muster_dtype *b) {
  return a->type == b->type && strcmp(a->unit, b->unit) == 0;
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The units of numpy.datetime64, see NumPy's reference, "Datetime Units". */
static bool is_time_unit(const char *text, size_t length) {
  static const char *const units[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                      "ms", "us", "ns", "ps", "fs", "as"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (is_word(text, length, units[i])) return true;
  return false;
}

/* "[ns]", "[25s]" or nothing; the unit without brackets goes to out. */
static bool read_unit(const char *text, size_t length, char out[24]) {
  if (length == 0 || is_word(text, length, "[generic]")) {
    strcpy(out, "generic");
    return true;
  }
  if (length < 3 || length - 2 >= 24 || text[0] != '[' || text[length - 1] != ']') return false;
  size_t digits = 1;
  while (isdigit((unsigned char)text[digits]))
    digits++;
  if (digits > 1 && text[1] == '0') return false;
  if (strtoull(text + 1, NULL, 10) > INT32_MAX) return false; /* NumPy's multiples are ints */
  if (!is_time_unit(text + digits, length - 1 - digits)) return false;
  /* "1s" is "s", as NumPy has it. */
  const size_t skipped = digits == 2 && text[1] == '1' ? 2 : 1;
  memcpy(out, text + skipped, length - 1 - skipped);
  out[length - 1 - skipped] = '\0';
  return true;
}

/* "longdouble" and the like, where NumPy has a second word for a type. */
static muster_type type_of_alias(const char *text, size_t length) {
  static const struct {
    const char *word;
    muster_type type;
  } aliases[] = {{"?", MUSTER_BOOL},
                 {"bool_", MUSTER_BOOL},
                 {"half", MUSTER_FLOAT16},
                 {"single", MUSTER_FLOAT32},
                 {"float", MUSTER_FLOAT64},
                 {"double", MUSTER_FLOAT64},
                 {"int", MUSTER_INT64},
                 {"longdouble", MUSTER_LONGDOUBLE},
                 {"complex", MUSTER_COMPLEX128},
                 {"clongdouble", MUSTER_CLONGDOUBLE}};
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (is_word(text, length, aliases[i].word)) return aliases[i].type;
  return MUSTER_NO_TYPE;
}

static muster_type type_of_word(const char *text, size_t length) {
  if (length == 0) return MUSTER_NO_TYPE; /* some types have no code */
  for (int t = MUSTER_NO_TYPE + 1; t < MUSTER_TYPE_COUNT; t++) {
    if (mst_is_time((muster_type)t)) continue; /* these have a unit behind them */
    if (is_word(text, length, types[t].name) || is_word(text, length, types[t].code))
      return (muster_type)t;
  }
  return type_of_alias(text, length);
}

static bool read_time(const char *text, size_t length, muster_dtype *out) {
  for (int t = MUSTER_DATETIME64; t <= MUSTER_TIMEDELTA64; t++) {
    const char *const words[] = {types[t].name, types[t].code};
    for (size_t i = 0; i < 2; i++) {
      const size_t head = strlen(words[i]);
      if (length < head || memcmp(text, words[i], head) != 0) continue;
      out->type = (muster_type)t;
      return read_unit(text + head, length - head, out->unit);
    }
  }
  return false;
}

static bool read_opaque(const char *text, size_t length, size_t *opaque) {
  if (is_word(text, length, "f1")) { /* how ml_dtypes has NumPy write float8_e5m2 */
    *opaque = 1;
    return true;
  }
  if (length < 2 || length > 10 || text[0] != 'V') return false;
  *opaque = 0;
  for (size_t i = 1; i < length; i++) {
    if (!isdigit((unsigned char)text[i])) return false;
    *opaque = *opaque * 10 + (size_t)(text[i] - '0');
  }
  return *opaque > 0;
}

bool mst_dtype_read(const char *text, size_t length, muster_dtype *out, size_t *opaque) {
  *out = (muster_dtype){0};
  *opaque = 0;
  bool other_order = false;
  if (length > 0 && strchr("<>=|", text[0]) != NULL && text[0] != '\0') {
    other_order = text[0] == (BIG_ENDIAN_HERE ? '<' : '>');
    text++;
    length--;
  }
  out->type = type_of_word(text, length);
  if (out->type == MUSTER_NO_TYPE && !read_time(text, length, out)) {
    *out = (muster_dtype){0};
    return read_opaque(text, length, opaque);
  }
  out->swapped = other_order && mst_swap_unit(out->type) > 1;
  return true;
}

muster_status muster_dtype_parse(const char *text, muster_dtype *out, muster_error *error) {
  size_t opaque;
  if (mst_dtype_read(text, strlen(text), out, &opaque) && out->type != MUSTER_NO_TYPE)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, NULL,
                  "'%.40s' is no dtype of numbers: write it as NumPy does (float32, <i2, "
                  "datetime64[ns])",
                  text);
}

/* x87 numbers are called float128 on x86-64, where they fill 16 bytes. */
char *muster_dtype_name(const muster_dtype *dtype, char text[48]) {
  if (dtype->swapped) return mst_dtype_descr(dtype, text);
  const char *name = row_of(dtype->type)->name;
  if (mst_is_time(dtype->type) && strcmp(dtype->unit, "generic") != 0)
    snprintf(text, 48, "%s[%s]", name, dtype->unit);
  else
    snprintf(text, 48, "%s", name);
  return text;
}

char *mst_dtype_descr(const muster_dtype *dtype, char text[48]) {
  const mst_type_row *row = row_of(dtype->type);
  const char order = row->size == 1 ? '|' : dtype->swapped != BIG_ENDIAN_HERE ? '>' : '<';
  if (mst_is_time(dtype->type) && strcmp(dtype->unit, "generic") != 0)
    snprintf(text, 48, "%c%s[%s]", order, row->code, dtype->unit);
  else if (row->code[0] == '\0') /* no NumPy type: a swapped bfloat16 of a raw file */
    snprintf(text, 48, "%c%s", order, row->name);
  else
    snprintf(text, 48, "%c%s", order, row->code);
  return text;
}
