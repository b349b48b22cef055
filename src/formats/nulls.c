/* SPDX-License-Identifier: Apache-2.0 */
/* What nulls of tables become. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/dtype.h"
#include "base/printable.h"
#include "base/status.h"
#include "formats/columns.h"

typedef struct mst_integer {
  bool is_negative;
  uint64_t magnitude;
} mst_integer;

static bool read_integer(const char *text, mst_integer *out) {
  out->is_negative = *text == '-';
  text += *text == '-' || *text == '+';
  if (*text < '0' || *text > '9') return false;
  char *end;
  errno = 0;
  out->magnitude = strtoull(text, &end, 10);
  out->is_negative = out->is_negative && out->magnitude > 0;
  return *end == '\0' && errno == 0;
}

static bool fits(const mst_integer *integer, muster_type type) {
  if (type == MUSTER_BOOL) return !integer->is_negative && integer->magnitude <= 1;
  const size_t bits = 8 * muster_type_size(type);
  const bool is_signed = type <= MUSTER_INT64;
  const uint64_t half = (uint64_t)1 << (bits - 1);
  if (is_signed) return integer->magnitude <= (integer->is_negative ? half : half - 1);
  return !integer->is_negative && integer->magnitude <= half - 1 + half;
}

static void store_integer(const mst_integer *integer, size_t size, void *out) {
  const uint64_t bits = integer->is_negative ? 0 - integer->magnitude : integer->magnitude;
  const uint8_t bits_8 = (uint8_t)bits;
  const uint16_t bits_16 = (uint16_t)bits;
  const uint32_t bits_32 = (uint32_t)bits;
  switch (size) {
  case 1: memcpy(out, &bits_8, size); break;
  case 2: memcpy(out, &bits_16, size); break;
  case 4: memcpy(out, &bits_32, size); break;
  default: memcpy(out, &bits, size);
  }
}

/* As a count in an array of floats. */
static void store_number(const mst_integer *integer, const muster_dtype *dtype, void *out) {
  const muster_dtype from = {.type = MUSTER_FLOAT64};
  double number = (double)integer->magnitude;
  if (integer->is_negative) number = -number;
  mst_converter(&from, dtype)(&number, out, (int64_t)muster_type_size(dtype->type), 1);
}

static void set_nan(const muster_dtype *dtype, mst_null_value *null) {
  const muster_dtype from = {.type = MUSTER_FLOAT64};
  const double not_a_number = __builtin_nan("");
  mst_converter(&from, dtype)(&not_a_number, null->bytes, (int64_t)muster_type_size(dtype->type),
                              1);
  null->is_set = true;
}

static void set_not_a_time(mst_null_value *null) {
  const int64_t not_a_time = INT64_MIN;
  memcpy(null->bytes, &not_a_time, sizeof not_a_time);
  null->is_set = true;
}

bool mst_is_nan_text(const char *text) { return strcasecmp(text, "nan") == 0; }

muster_status mst_settle_nulls(const mst_source *source, mst_choice *choice, muster_error *error) {
  const muster_dtype *dtype = &choice->dtype;
  const char *text = source->options->null_value;
  if (mst_is_time(dtype->type)) set_not_a_time(&choice->other_null);
  if (mst_is_inexact(dtype->type)) {
    set_nan(dtype, &choice->float_null);
    choice->other_null = choice->float_null;
  }
  mst_integer integer;
  char name[48];
  if (text == NULL || mst_is_time(dtype->type)) return MUSTER_OK;
  if (mst_is_nan_text(text)) {
    if (mst_is_inexact(dtype->type)) return MUSTER_OK;
    return mst_fail(error, MUSTER_ERR_USAGE, source->path,
                    "nulls cannot become NaN in %s, which has none: --dtype float64 makes them NaN",
                    muster_dtype_name(dtype, name));
  }
  const bool is_integer = read_integer(text, &integer);
  if (!is_integer || (!mst_is_inexact(dtype->type) && !fits(&integer, dtype->type)))
    return mst_fail(error, MUSTER_ERR_USAGE, source->path,
                    "nulls cannot become '%.40s', which is no integer that %s holds", text,
                    muster_dtype_name(dtype, name));
  choice->other_null.is_set = true;
  if (mst_is_inexact(dtype->type))
    store_number(&integer, dtype, choice->other_null.bytes);
  else
    store_integer(&integer, muster_type_size(dtype->type), choice->other_null.bytes);
  return MUSTER_OK;
}

muster_status mst_refuse_null(const char *path, const char *column, const muster_dtype *dtype,
                              muster_error *error) {
  mst_str shown = {0};
  char name[48];
  mst_add_printable(&shown, column);
  const muster_status status =
      mst_fail(error, MUSTER_ERR_MISMATCH, path,
               "column '%.100s' holds nulls, for which %s has no value: say what they become with "
               "--null, or load it with --dtype float64, as NaN",
               mst_str_text(&shown), muster_dtype_name(dtype, name));
  mst_str_reset(&shown);
  return status;
}
