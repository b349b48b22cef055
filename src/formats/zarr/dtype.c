/* SPDX-License-Identifier: Apache-2.0 */
/* The dtypes and fill values of Zarr. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/convert.h"
#include "base/dtype.h"
#include "base/status.h"
#include "formats/zarr/array.h"

/* ---- dtypes ------------------------------------------------------------------------------------- */

static muster_status refuse_dtype(const char *path, const char *name, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
                  "dtype '%.60s': text, objects and other things that are no numbers are not read",
                  name);
}

static muster_status refuse_structured(const char *path, yyjson_val *fields, muster_error *error) {
  mst_str names = {0};
  size_t i, count;
  yyjson_val *field;
  yyjson_arr_foreach(fields, i, count, field) {
    const char *name = yyjson_get_str(yyjson_arr_get_first(field));
    mst_str_addf(&names, "%s%.60s", i > 0 ? ", " : "", name != NULL ? name : "?");
  }
  const muster_status status =
      mst_fail(error, MUSTER_ERR_UNSUPPORTED, path,
               "a structured dtype with the fields %.300s: save each field as an array of its own",
               mst_str_text(&names));
  mst_str_reset(&names);
  return status;
}

muster_status mst_zarr_dtype_v2(const char *path, yyjson_val *value, mst_schema *schema,
                                muster_error *error) {
  if (yyjson_is_arr(value)) return refuse_structured(path, value, error);
  const char *text = yyjson_get_str(value);
  if (text == NULL) return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: it tells no dtype");
  if (mst_dtype_read(text, yyjson_get_len(value), &schema->dtype, &schema->opaque))
    return MUSTER_OK;
  return refuse_dtype(path, text, error);
}

/* {"name": "numpy.datetime64", "configuration": {"unit": "ns", "scale_factor": 1}} */
static bool read_time(yyjson_val *value, const char *name, muster_dtype *out) {
  yyjson_val *configuration = yyjson_obj_get(value, "configuration");
  const char *unit = yyjson_get_str(yyjson_obj_get(configuration, "unit"));
  yyjson_val *factor = yyjson_obj_get(configuration, "scale_factor");
  if (!mst_starts_with(name, "numpy.") || unit == NULL || !yyjson_is_uint(factor)) return false;
  mst_str text = {0};
  size_t opaque;
  mst_str_addf(&text, "%.20s[%llu%.10s]", name + strlen("numpy."),
               (unsigned long long)yyjson_get_uint(factor), unit);
  if (yyjson_get_uint(factor) == 1 || strcmp(unit, "generic") == 0) {
    mst_str_reset(&text);
    mst_str_addf(&text, "%.20s[%.10s]", name + strlen("numpy."), unit);
  }
  const bool read = !text.failed && mst_dtype_read(text.data, text.length, out, &opaque);
  mst_str_reset(&text);
  return read && mst_is_time(out->type);
}

/* "r16" is two bytes. */
static bool read_raw(const char *name, size_t *opaque) {
  char *end;
  if (name[0] != 'r' || name[1] < '1' || name[1] > '9') return false;
  const unsigned long bits = strtoul(name + 1, &end, 10);
  if (*end != '\0' || bits % 8 != 0 || bits / 8 > 1U << 20) return false;
  *opaque = bits / 8;
  return true;
}

static bool read_name(yyjson_val *value, const char *name, mst_schema *schema) {
  static const char *const names[] = {
      "bool",      "int8",       "int16",    "int32",         "int64",       "uint8",
      "uint16",    "uint32",     "uint64",   "float16",       "float32",     "float64",
      "complex64", "complex128", "bfloat16", "float8_e4m3fn", "float8_e5m2", NULL};
  if (mst_one_of(name, names))
    return mst_dtype_read(name, strlen(name), &schema->dtype, &schema->opaque);
  return read_raw(name, &schema->opaque) || read_time(value, name, &schema->dtype);
}

muster_status mst_zarr_dtype_v3(const char *path, yyjson_val *value, mst_schema *schema,
                                muster_error *error) {
  const char *name = yyjson_get_str(yyjson_is_obj(value) ? yyjson_obj_get(value, "name") : value);
  if (name == NULL)
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "damaged: it tells no data_type");
  return read_name(value, name, schema) ? MUSTER_OK : refuse_dtype(path, name, error);
}

/* ---- fill values: numbers ------------------------------------------------------------------------ */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "0x7fc00000": the bits of the number, the highest first. */
static bool read_bits(const char *text, size_t size, unsigned char *out) {
  if (text[0] != '0' || text[1] != 'x' || strlen(text) != 2 + 2 * size) return false;
  for (size_t i = 0; i < size; i++) {
    const int high = hex_digit(text[2 + 2 * i]), low = hex_digit(text[3 + 2 * i]);
    if (high < 0 || low < 0) return false;
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    out[big ? i : size - 1 - i] = (unsigned char)(high << 4 | low);
  }
  return true;
}

static bool read_real(yyjson_val *value, double *out) {
  const char *text = yyjson_get_str(value);
  *out = yyjson_get_num(value);
  if (text == NULL) return yyjson_is_num(value);
  if (strcmp(text, "NaN") == 0)
    *out = (double)NAN;
  else if (strcmp(text, "Infinity") == 0)
    *out = (double)INFINITY;
  else if (strcmp(text, "-Infinity") == 0)
    *out = -(double)INFINITY;
  else
    return false;
  return true;
}

/* Types that nothing is converted to: the code that stands for the number. */
static bool find_code(double number, muster_type type, unsigned char *out) {
  const muster_dtype from = {.type = type}, to = {.type = MUSTER_FLOAT64};
  const mst_convert_fn convert = mst_converter(&from, &to);
  const unsigned end = type == MUSTER_BFLOAT16 ? 1U << 16 : 1U << 8;
  for (unsigned code = 0; code < end; code++) {
    const uint16_t wide = (uint16_t)code;
    const uint8_t narrow = (uint8_t)code;
    double value;
    if (end > 256)
      convert(&wide, &value, 8, 1);
    else
      convert(&narrow, &value, 8, 1);
    const bool same =
        isnan(number) ? isnan(value) : number == value && signbit(number) == signbit(value);
    if (!same) continue;
    if (end > 256)
      memcpy(out, &wide, sizeof wide);
    else
      *out = narrow;
    return true;
  }
  return false;
}

static bool fill_float(yyjson_val *value, muster_type type, unsigned char *out) {
  const char *text = yyjson_get_str(value);
  if (text != NULL && read_bits(text, muster_type_size(type), out)) return true;
  double number;
  if (!read_real(value, &number)) return false;
  if (mst_is_source_only(type)) return find_code(number, type, out);
  const muster_dtype from = {.type = MUSTER_FLOAT64}, to = {.type = type};
  const mst_convert_fn convert = mst_converter(&from, &to);
  if (convert == NULL) return false;
  convert(&number, out, (int64_t)muster_type_size(type), 1);
  return true;
}

static muster_type part_of_complex(muster_type type) {
  switch (type) {
  case MUSTER_COMPLEX64: return MUSTER_FLOAT32;
  case MUSTER_COMPLEX128: return MUSTER_FLOAT64;
  case MUSTER_CLONGDOUBLE: return MUSTER_LONGDOUBLE;
  default: return MUSTER_NO_TYPE;
  }
}

/* [real, imaginary], or the real part alone. */
static bool fill_complex(yyjson_val *value, muster_type part, unsigned char *out) {
  if (!yyjson_is_arr(value)) return fill_float(value, part, out);
  return yyjson_arr_size(value) == 2 && fill_float(yyjson_arr_get(value, 0), part, out) &&
         fill_float(yyjson_arr_get(value, 1), part, out + muster_type_size(part));
}

typedef struct mst_int_range {
  int64_t least;
  uint64_t most;
} mst_int_range;

static mst_int_range range_of(muster_type type) {
  switch (type) {
  case MUSTER_BOOL: return (mst_int_range){0, 1};
  case MUSTER_INT8: return (mst_int_range){INT8_MIN, INT8_MAX};
  case MUSTER_INT16: return (mst_int_range){INT16_MIN, INT16_MAX};
  case MUSTER_INT32: return (mst_int_range){INT32_MIN, INT32_MAX};
  case MUSTER_UINT8: return (mst_int_range){0, UINT8_MAX};
  case MUSTER_UINT16: return (mst_int_range){0, UINT16_MAX};
  case MUSTER_UINT32: return (mst_int_range){0, UINT32_MAX};
  case MUSTER_UINT64: return (mst_int_range){0, UINT64_MAX};
  default: return (mst_int_range){INT64_MIN, INT64_MAX};
  }
}

/* As 64 bits of two's complement, so that one copy serves all types. */
static bool read_whole(yyjson_val *value, const mst_int_range *range, uint64_t *out) {
  if (yyjson_is_bool(value)) *out = yyjson_get_bool(value);
  if (yyjson_is_bool(value)) return true;
  if (yyjson_is_uint(value)) *out = yyjson_get_uint(value);
  if (yyjson_is_uint(value)) return *out <= range->most;
  if (yyjson_is_sint(value)) *out = (uint64_t)yyjson_get_sint(value);
  if (yyjson_is_sint(value)) return yyjson_get_sint(value) >= range->least;
  const double number = yyjson_get_real(value);
  if (!yyjson_is_real(value) || !(fabs(number) <= 9007199254740992.0) || floor(number) != number)
    return false;
  *out = (uint64_t)(int64_t)number;
  return number < 0 ? (int64_t)number >= range->least : (uint64_t)number <= range->most;
}

static bool fill_whole(yyjson_val *value, muster_type type, unsigned char *out) {
  const mst_int_range range = range_of(type);
  const size_t size = muster_type_size(type);
  uint64_t number = 0;
  if (mst_is_time(type) && yyjson_equals_str(value, "NaT"))
    number = (uint64_t)INT64_MIN;
  else if (!read_whole(value, &range, &number))
    return false;
  const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  for (size_t i = 0; i < size; i++)
    out[big ? size - 1 - i : i] = (unsigned char)(number >> 8 * i);
  return true;
}

/* ---- fill values: bytes -------------------------------------------------------------------------- */

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool fill_base64(const char *text, size_t size, unsigned char *out) {
  unsigned bits = 0, held = 0;
  size_t made = 0;
  for (; *text != '\0' && *text != '='; text++) {
    const int digit = base64_digit(*text);
    if (digit < 0) return false;
    bits = bits << 6 | (unsigned)digit;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    if (made == size) return false;
    out[made++] = (unsigned char)(bits >> held);
  }
  return made == size;
}

static bool fill_bytes(yyjson_val *value, size_t size, unsigned char *out) {
  if (size > MST_MAX_ITEM) return true; /* refused by its dtype */
  if (yyjson_is_str(value)) return fill_base64(yyjson_get_str(value), size, out);
  if (yyjson_is_uint(value)) return yyjson_get_uint(value) == 0;
  if (!yyjson_is_arr(value) || yyjson_arr_size(value) != size) return false;
  size_t i, count;
  yyjson_val *byte;
  yyjson_arr_foreach(value, i, count, byte) {
    if (!yyjson_is_uint(byte) || yyjson_get_uint(byte) > UINT8_MAX) return false;
    out[i] = (unsigned char)yyjson_get_uint(byte);
  }
  return true;
}

static bool fill_any(yyjson_val *value, const mst_schema *schema, unsigned char *out) {
  const muster_type type = schema->dtype.type;
  switch (type) {
  case MUSTER_NO_TYPE: return fill_bytes(value, schema->opaque, out);
  case MUSTER_COMPLEX64:
  case MUSTER_COMPLEX128:
  case MUSTER_CLONGDOUBLE: return fill_complex(value, part_of_complex(type), out);
  case MUSTER_FLOAT16:
  case MUSTER_FLOAT32:
  case MUSTER_FLOAT64:
  case MUSTER_LONGDOUBLE:
  case MUSTER_BFLOAT16:
  case MUSTER_FLOAT8_E4M3FN:
  case MUSTER_FLOAT8_E5M2: return fill_float(value, type, out);
  default: return fill_whole(value, type, out);
  }
}

muster_status mst_zarr_fill(const char *path, yyjson_val *value, const mst_schema *schema,
                            unsigned char fill[MST_MAX_ITEM], muster_error *error) {
  memset(fill, 0, MST_MAX_ITEM);
  if (value == NULL || yyjson_is_null(value)) return MUSTER_OK;
  if (!fill_any(value, schema, fill))
    return mst_fail(error, MUSTER_ERR_FORMAT, path,
                    "its fill_value is none of its dtype: correct it in this file");
  if (schema->dtype.swapped) mst_swap_bytes(fill, 1, schema->dtype.type);
  return MUSTER_OK;
}
