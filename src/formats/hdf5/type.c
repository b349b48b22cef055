/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/type.h"

#include <string.h>

#include "base/dtype.h"
#include "base/status.h"
#include "base/str.h"

/* A type of elements being looked at. */
typedef struct mst_h5_query {
  const mst_h5 *library;
  const char *path;
  mst_h5_id type;
  mst_h5_type *out;
  muster_error *error;
} mst_h5_query;

static muster_status refuse(const mst_h5_query *query, const char *what) {
  return mst_fail(query->error, MUSTER_ERR_UNSUPPORTED, query->path,
                  "the dataset holds %s: muster loads numbers", what);
}

static bool is_swapped(const mst_h5 *library, mst_h5_id type) {
  const mst_h5_enum host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? MST_H5_BIG : MST_H5_LITTLE;
  return library->type_order(type) != host;
}

static void set_dtype(mst_h5_query *query, muster_type type) {
  query->out->dtype = (muster_dtype){.type = type};
  query->out->dtype.swapped = mst_swap_unit(type) > 1 && is_swapped(query->library, query->type);
}

/* Whether all bits of an element count, in one of the two usual byte orders. */
static bool is_plain(const mst_h5_query *query) {
  const mst_h5 *library = query->library;
  const mst_h5_enum order = library->type_order(query->type);
  const size_t size = library->type_size(query->type);
  return library->type_precision(query->type) == 8 * size &&
         library->type_bit_offset(query->type) == 0 &&
         (order == MST_H5_LITTLE || order == MST_H5_BIG || size == 1);
}

/* ---- numbers ----------------------------------------------------------------------------------- */

static muster_type integer_of(size_t size, bool is_signed) {
  switch (size) {
  case 1: return is_signed ? MUSTER_INT8 : MUSTER_UINT8;
  case 2: return is_signed ? MUSTER_INT16 : MUSTER_UINT16;
  case 4: return is_signed ? MUSTER_INT32 : MUSTER_UINT32;
  case 8: return is_signed ? MUSTER_INT64 : MUSTER_UINT64;
  default: return MUSTER_NO_TYPE;
  }
}

/* What the library makes of a number whose bits lie in no usual way. */
static muster_status read_native(mst_h5_query *query, muster_status (*again)(mst_h5_query *query)) {
  const mst_h5_id native = query->library->type_native(query->type, MST_H5_ASCENDING);
  if (native < 0 || query->out->is_converted) {
    if (native >= 0) (void)query->library->type_close(native);
    return refuse(query, "numbers of a kind that NumPy has not");
  }
  mst_h5_query native_query = *query;
  native_query.type = native;
  query->out->is_converted = true;
  const muster_status status = again(&native_query);
  (void)query->library->type_close(native);
  return status;
}

static muster_status read_integer(mst_h5_query *query) {
  const mst_h5 *library = query->library;
  const bool is_signed = library->type_kind(query->type) == MST_H5_INTEGER &&
                         library->type_sign(query->type) != MST_H5_UNSIGNED;
  const muster_type type = integer_of(library->type_size(query->type), is_signed);
  if (type == MUSTER_NO_TYPE || !is_plain(query)) return read_native(query, read_integer);
  set_dtype(query, type);
  return MUSTER_OK;
}

/* Where the parts of a floating-point number are, in bits. */
typedef struct mst_h5_float {
  muster_type type;
  bool has_implied_bit;
  size_t size, precision, sign, exponent, exponent_bits, mantissa_bits, bias;
} mst_h5_float;

static const mst_h5_float floats[] = {
    {MUSTER_FLOAT16, true, 2, 16, 15, 10, 5, 10, 15},
    {MUSTER_FLOAT32, true, 4, 32, 31, 23, 8, 23, 127},
    {MUSTER_FLOAT64, true, 8, 64, 63, 52, 11, 52, 1023},
    {MUSTER_BFLOAT16, true, 2, 16, 15, 7, 8, 7, 127},
    {MUSTER_LONGDOUBLE, false, 16, 80, 79, 64, 15, 64, 16383},
};

static muster_status read_float(mst_h5_query *query) {
  const mst_h5 *library = query->library;
  const mst_h5_id type = query->type;
  mst_h5_float is = {.size = library->type_size(type), .precision = library->type_precision(type)};
  size_t mantissa = 0;
  const mst_h5_enum order = library->type_order(type);
  const bool known = (order == MST_H5_LITTLE || order == MST_H5_BIG) &&
                     library->type_bit_offset(type) == 0 &&
                     library->type_fields(type, &is.sign, &is.exponent, &is.exponent_bits,
                                          &mantissa, &is.mantissa_bits) >= 0 &&
                     mantissa == 0;
  is.bias = library->type_bias(type);
  is.has_implied_bit = library->type_norm(type) == MST_H5_NORM_IMPLIED;
  for (size_t i = 0; known && i < sizeof floats / sizeof *floats; i++) {
    const mst_h5_float *at = &floats[i];
    if (is.size != at->size || is.precision != at->precision || is.sign != at->sign ||
        is.exponent != at->exponent || is.exponent_bits != at->exponent_bits ||
        is.mantissa_bits != at->mantissa_bits || is.bias != at->bias ||
        is.has_implied_bit != at->has_implied_bit)
      continue;
    set_dtype(query, at->type);
    return MUSTER_OK;
  }
  return read_native(query, read_float);
}

/* ---- what numbers are wrapped in --------------------------------------------------------------- */

static bool member_is(const mst_h5_query *query, unsigned index, const char *name, uint8_t value) {
  uint8_t found = (uint8_t)~value;
  char *text = query->library->type_member_name(query->type, index);
  const bool is = text != NULL && strcmp(text, name) == 0 &&
                  query->library->type_member_value(query->type, index, &found) >= 0 &&
                  found == value;
  if (text != NULL) (void)query->library->free_memory(text);
  return is;
}

/* FALSE and TRUE in one byte are how h5py stores bool; all others are the numbers they stand for.
 */
static muster_status read_enumerated(mst_h5_query *query) {
  const mst_h5 *library = query->library;
  if (library->type_size(query->type) == 1 && library->type_members(query->type) == 2 &&
      member_is(query, 0, "FALSE", 0) && member_is(query, 1, "TRUE", 1)) {
    query->out->dtype = (muster_dtype){.type = MUSTER_BOOL};
    return MUSTER_OK;
  }
  mst_h5_query base = *query;
  base.type = library->type_super(query->type);
  if (base.type < 0) return refuse(query, "an enumeration that cannot be read");
  const muster_status status =
      is_plain(&base) ? read_integer(&base) : refuse(query, "an enumeration of odd integers");
  (void)library->type_close(base.type);
  return status;
}

static muster_status refuse_compound(const mst_h5_query *query) {
  mst_str names = {0};
  const int count = query->library->type_members(query->type);
  for (int i = 0; i < count && i < 20; i++) {
    char *name = query->library->type_member_name(query->type, (unsigned)i);
    mst_str_addf(&names, "%s%.40s", i > 0 ? ", " : "", name != NULL ? name : "?");
    if (name != NULL) (void)query->library->free_memory(name);
  }
  const muster_status status =
      mst_fail(query->error, MUSTER_ERR_UNSUPPORTED, query->path,
               "the dataset holds records, not numbers: write one dataset for each of its fields: "
               "%.300s",
               mst_str_text(&names));
  mst_str_reset(&names);
  return status;
}

/* The part of a complex number, if this is one. */
static muster_type part_of(mst_h5_query *query, unsigned index, const char *name, bool *swapped) {
  const mst_h5 *library = query->library;
  char *text = library->type_member_name(query->type, index);
  const bool is = text != NULL && strcmp(text, name) == 0;
  if (text != NULL) (void)library->free_memory(text);
  const mst_h5_id type = is ? library->type_member_type(query->type, index) : -1;
  if (type < 0) return MUSTER_NO_TYPE;
  mst_h5_type known = {0};
  mst_h5_query part = {.library = library, .path = query->path, .type = type, .out = &known};
  const bool is_float = library->type_kind(type) == MST_H5_FLOAT &&
                        read_float(&part) == MUSTER_OK && !known.is_converted;
  const bool in_place =
      library->type_member_offset(query->type, index) == index * library->type_size(type);
  (void)library->type_close(type);
  *swapped = known.dtype.swapped;
  return is_float && in_place ? known.dtype.type : MUSTER_NO_TYPE;
}

/* Two floats r and i are a complex number, as h5py and netCDF store it. */
static muster_status read_compound(mst_h5_query *query) {
  static const struct {
    muster_type part, whole;
  } pairs[] = {{MUSTER_FLOAT32, MUSTER_COMPLEX64},
               {MUSTER_FLOAT64, MUSTER_COMPLEX128},
               {MUSTER_LONGDOUBLE, MUSTER_CLONGDOUBLE}};
  bool first = false, second = false;
  if (query->library->type_members(query->type) != 2) return refuse_compound(query);
  const muster_type real = part_of(query, 0, "r", &first);
  const muster_type imaginary = part_of(query, 1, "i", &second);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (real != pairs[i].part || imaginary != real || first != second ||
        query->library->type_size(query->type) != muster_type_size(pairs[i].whole))
      continue;
    query->out->dtype = (muster_dtype){.type = pairs[i].whole, .swapped = first};
    return MUSTER_OK;
  }
  return refuse_compound(query);
}

#define NUMPY_TAG "NUMPY:"

/* Dates of NumPy are bytes with a label, as h5py stores them. */
static muster_status read_opaque(mst_h5_query *query) {
  char *tag = query->library->type_tag(query->type);
  size_t opaque = 0;
  muster_dtype dtype = {0};
  const bool known =
      tag != NULL && mst_starts_with(tag, NUMPY_TAG) &&
      mst_dtype_read(tag + strlen(NUMPY_TAG), strlen(tag) - strlen(NUMPY_TAG), &dtype, &opaque) &&
      mst_is_time(dtype.type) &&
      query->library->type_size(query->type) == muster_type_size(dtype.type);
  if (tag != NULL) (void)query->library->free_memory(tag);
  if (!known) return refuse(query, "opaque bytes");
  query->out->dtype = dtype;
  return MUSTER_OK;
}

static muster_status read_scalar(mst_h5_query *query) {
  switch (query->library->type_kind(query->type)) {
  case MST_H5_INTEGER: return read_integer(query);
  case MST_H5_FLOAT: return read_float(query);
  case MST_H5_BITS: return read_integer(query);
  case MST_H5_ENUMERATED: return read_enumerated(query);
  case MST_H5_COMPOUND: return read_compound(query);
  case MST_H5_OPAQUE: return read_opaque(query);
  case MST_H5_TIME: return refuse(query, "times of HDF5's own kind");
  case MST_H5_STRING: return refuse(query, "strings");
  case MST_H5_REFERENCE: return refuse(query, "references");
  case MST_H5_VARIABLE: return refuse(query, "lists of different lengths");
  case MST_H5_ARRAY: return refuse(query, "arrays within arrays");
  default: return refuse(query, "elements of an unknown type");
  }
}

/* The axes of elements that are arrays come behind those of the dataset. */
static muster_status read_array(mst_h5_query *query) {
  const mst_h5 *library = query->library;
  mst_h5_size shape[MST_H5_MAX_RANK];
  const int rank = library->type_array_rank(query->type);
  mst_h5_query base = *query;
  base.type = library->type_super(query->type);
  if (rank < 1 || rank > MST_H5_MAX_RANK || base.type < 0 ||
      library->type_array_shape(query->type, shape) < 0) {
    if (base.type >= 0) (void)library->type_close(base.type);
    return refuse(query, "arrays that cannot be read");
  }
  muster_status status = read_scalar(&base);
  (void)library->type_close(base.type);
  if (status == MUSTER_OK && query->out->is_converted)
    status = refuse(query, "arrays of odd numbers");
  query->out->rank = (size_t)rank;
  for (size_t i = 0; i < (size_t)rank; i++)
    query->out->shape[i] = shape[i];
  return status;
}

muster_status mst_h5_type_read(const mst_h5 *library, const char *path, mst_h5_id type,
                               mst_h5_type *out, muster_error *error) {
  *out = (mst_h5_type){0};
  mst_h5_query query = {.library = library, .path = path, .type = type, .out = out, .error = error};
  return library->type_kind(type) == MST_H5_ARRAY ? read_array(&query) : read_scalar(&query);
}

/* ---- to write ---------------------------------------------------------------------------------- */

static mst_h5_id half_type(const mst_h5 *library) {
  const mst_h5_id type = library->type_copy(library->float_type);
  if (type >= 0 && library->type_set_fields(type, 15, 10, 5, 0, 10) >= 0 &&
      library->type_set_size(type, 2) >= 0 && library->type_set_bias(type, 15) >= 0)
    return type;
  if (type >= 0) (void)library->type_close(type);
  return -1;
}

static mst_h5_id number_type(const mst_h5 *library, muster_type type) {
  switch (type) {
  case MUSTER_INT8: return library->type_copy(library->int8_type);
  case MUSTER_INT16: return library->type_copy(library->int16_type);
  case MUSTER_INT32: return library->type_copy(library->int32_type);
  case MUSTER_INT64: return library->type_copy(library->int64_type);
  case MUSTER_UINT8: return library->type_copy(library->uint8_type);
  case MUSTER_UINT16: return library->type_copy(library->uint16_type);
  case MUSTER_UINT32: return library->type_copy(library->uint32_type);
  case MUSTER_UINT64: return library->type_copy(library->uint64_type);
  case MUSTER_FLOAT16: return half_type(library);
  case MUSTER_FLOAT32: return library->type_copy(library->float_type);
  case MUSTER_FLOAT64: return library->type_copy(library->double_type);
  case MUSTER_LONGDOUBLE: return library->type_copy(library->long_double_type);
  default: return -1;
  }
}

static mst_h5_id ordered_type(const mst_h5 *library, muster_type type, bool swapped) {
  const mst_h5_id made = number_type(library, type);
  const bool big = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  if (made >= 0 && swapped) (void)library->type_set_order(made, big ? MST_H5_BIG : MST_H5_LITTLE);
  return made;
}

static mst_h5_id bool_type(const mst_h5 *library) {
  const int8_t no = 0, yes = 1;
  const mst_h5_id type = library->type_enum_new(library->int8_type);
  if (type >= 0) {
    (void)library->type_enum_insert(type, "FALSE", &no);
    (void)library->type_enum_insert(type, "TRUE", &yes);
  }
  return type;
}

static mst_h5_id complex_type(const mst_h5 *library, muster_type part, bool swapped) {
  const size_t size = muster_type_size(part);
  const mst_h5_id member = ordered_type(library, part, swapped);
  const mst_h5_id type = member >= 0 ? library->type_new(MST_H5_COMPOUND, 2 * size) : -1;
  if (type >= 0) {
    (void)library->type_insert(type, "r", 0, member);
    (void)library->type_insert(type, "i", size, member);
  }
  if (member >= 0) (void)library->type_close(member);
  return type;
}

static mst_h5_id time_type(const mst_h5 *library, const muster_dtype *dtype) {
  char tag[48 + sizeof NUMPY_TAG] = NUMPY_TAG;
  (void)mst_dtype_descr(dtype, tag + strlen(NUMPY_TAG));
  const mst_h5_id type = library->type_new(MST_H5_OPAQUE, muster_type_size(dtype->type));
  if (type >= 0) (void)library->type_set_tag(type, tag);
  return type;
}

mst_h5_id mst_h5_type_for(const mst_h5 *library, const muster_dtype *dtype) {
  switch (dtype->type) {
  case MUSTER_BOOL: return bool_type(library);
  case MUSTER_COMPLEX64: return complex_type(library, MUSTER_FLOAT32, dtype->swapped);
  case MUSTER_COMPLEX128: return complex_type(library, MUSTER_FLOAT64, dtype->swapped);
  case MUSTER_CLONGDOUBLE: return complex_type(library, MUSTER_LONGDOUBLE, dtype->swapped);
  case MUSTER_DATETIME64:
  case MUSTER_TIMEDELTA64: return time_type(library, dtype);
  default: return ordered_type(library, dtype->type, dtype->swapped);
  }
}
