/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/cf.h"

#include <math.h>
#include <string.h>

#include "base/convert.h"
#include "base/status.h"
#include "formats/hdf5/file.h"
#include "formats/hdf5/type.h"

static muster_type unsigned_of(muster_type type) {
  switch (type) {
  case MUSTER_INT8: return MUSTER_UINT8;
  case MUSTER_INT16: return MUSTER_UINT16;
  case MUSTER_INT32: return MUSTER_UINT32;
  case MUSTER_INT64: return MUSTER_UINT64;
  default: return type;
  }
}

static bool is_float(muster_type type) { return type == MUSTER_FLOAT32 || type == MUSTER_FLOAT64; }

static bool can_be_packed(muster_type type) {
  return (type >= MUSTER_INT8 && type <= MUSTER_UINT64) || is_float(type);
}

/* Whether float32 holds all numbers of the type. */
static bool fits_single(muster_type type) {
  return type == MUSTER_FLOAT32 || (can_be_packed(type) && muster_type_size(type) <= 2);
}

/* ---- attributes -------------------------------------------------------------------------------- */

/* An attribute of numbers that is open. */
typedef struct mst_cf_attribute {
  mst_h5_id id;
  muster_type type;
  size_t count;
} mst_cf_attribute;

static void close_attribute(const mst_h5 *library, mst_cf_attribute *attribute) {
  if (attribute->id >= 0) (void)library->attribute_close(attribute->id);
  attribute->id = -1;
}

/* False when there is none of that name, or it holds no numbers; then nothing is to be closed. */
static bool open_attribute(const mst_h5 *library, mst_h5_id dataset, const char *name,
                           mst_cf_attribute *attribute) {
  *attribute = (mst_cf_attribute){.id = -1};
  if (library->attribute_exists(dataset, name) <= 0) return false;
  attribute->id = library->attribute_open(dataset, name, MST_H5_DEFAULT);
  if (attribute->id < 0) return false;
  const mst_h5_id type = library->attribute_type(attribute->id);
  const mst_h5_id space = library->attribute_space(attribute->id);
  mst_h5_type known = {0};
  if (type >= 0 && mst_h5_type_read(library, "", type, &known, NULL) == MUSTER_OK &&
      known.rank == 0 && can_be_packed(known.dtype.type))
    attribute->type = known.dtype.type;
  const int64_t count = space >= 0 ? library->space_elements(space) : -1;
  attribute->count = count > 0 ? (size_t)count : 0;
  if (type >= 0) (void)library->type_close(type);
  if (space >= 0) (void)library->space_close(space);
  if (attribute->type != MUSTER_NO_TYPE && attribute->count > 0) return true;
  close_attribute(library, attribute);
  return false;
}

/* Attributes of other types say nothing that could be applied. */
static bool is_unusable(const mst_h5 *library, mst_h5_id dataset, const char *name, bool is_used) {
  return !is_used && library->attribute_exists(dataset, name) > 0;
}

/* A single number; *single stays true when it is a float32. */
static bool read_number(const mst_h5 *library, mst_h5_id dataset, const char *name, double *value,
                        bool *single) {
  mst_cf_attribute attribute;
  if (!open_attribute(library, dataset, name, &attribute)) return false;
  const bool done = attribute.count == 1 &&
                    library->attribute_read(attribute.id, library->double_type, value) >= 0;
  if (done && attribute.type != MUSTER_FLOAT32) *single = false;
  close_attribute(library, &attribute);
  return done;
}

static double number_at(muster_type type, const unsigned char *at) {
  const muster_dtype from = {.type = type}, to = {.type = MUSTER_FLOAT64};
  double value = 0;
  const mst_convert_fn convert = mst_converter(&from, &to);
  if (convert != NULL) convert(at, &value, sizeof value, 1);
  return value;
}

/* Values that the stored type does not have are missing nowhere, and NaN stays what it is. */
static void read_missing(const mst_h5 *library, mst_h5_id dataset, const char *name,
                         muster_type stored, mst_cf *cf) {
  mst_cf_attribute attribute;
  if (!open_attribute(library, dataset, name, &attribute)) return;
  unsigned char values[MST_CF_MISSING * 8];
  double wide[MST_CF_MISSING];
  const size_t size = muster_type_size(stored);
  const muster_dtype native = {.type = stored};
  const mst_h5_id type = mst_h5_type_for(library, &native);
  const bool done = type >= 0 && attribute.count <= MST_CF_MISSING &&
                    library->attribute_read(attribute.id, type, values) >= 0 &&
                    library->attribute_read(attribute.id, library->double_type, wide) >= 0;
  for (size_t i = 0; done && i < attribute.count && cf->missing_count < MST_CF_MISSING; i++) {
    const double found = number_at(stored, values + i * size);
    if (!(found >= wide[i] && found <= wide[i])) continue;
    memcpy(cf->missing[cf->missing_count++], values + i * size, size);
  }
  if (type >= 0) (void)library->type_close(type);
  close_attribute(library, &attribute);
}

static bool is_unsigned(const mst_h5 *library, mst_h5_id dataset) {
  return mst_h5_has_text(library, dataset, "_Unsigned", "true") ||
         mst_h5_has_text(library, dataset, "_Unsigned", "True");
}

static void tell(const mst_h5 *library, mst_h5_id dataset, mst_str *note) {
  static const char *const names[] = {"scale_factor", "add_offset", "_FillValue", "missing_value",
                                      "_Unsigned"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (library->attribute_exists(dataset, names[i]) <= 0) continue;
    mst_str_addf(note, "%s%s", count++ > 0 ? ", " : note->length > 0 ? "; " : "", names[i]);
  }
  if (count > 0) mst_str_add(note, " not applied: --decode-cf does it");
}

muster_status mst_cf_read(const mst_h5 *library, const char *path, mst_h5_id dataset, bool wanted,
                          mst_schema *schema, mst_cf *cf, mst_str *note, muster_error *error) {
  const muster_type stored = schema->dtype.type;
  *cf = (mst_cf){.type = stored, .scale = 1, .is_swapped = schema->dtype.swapped};
  if (!wanted) {
    if (note != NULL) tell(library, dataset, note);
    return MUSTER_OK;
  }
  if (!can_be_packed(stored)) return MUSTER_OK;
  bool single = true;
  const bool has_scale = read_number(library, dataset, "scale_factor", &cf->scale, &single);
  const bool scale_is_single = has_scale && single;
  const bool has_offset = read_number(library, dataset, "add_offset", &cf->offset, &single);
  read_missing(library, dataset, "_FillValue", stored, cf);
  read_missing(library, dataset, "missing_value", stored, cf);
  const bool is_other_sign = is_unsigned(library, dataset) && unsigned_of(stored) != stored;
  cf->is_scaled = has_scale || has_offset;
  cf->is_applied = cf->is_scaled || cf->missing_count > 0 || is_other_sign;
  const bool is_unknown = is_unusable(library, dataset, "scale_factor", has_scale) ||
                          is_unusable(library, dataset, "add_offset", has_offset);
  if (!cf->is_applied && !is_unknown) return MUSTER_OK;
  if (is_unknown || isnan(cf->scale) || isnan(cf->offset))
    return mst_fail(error, MUSTER_ERR_FORMAT, path,
                    "scale_factor or add_offset is no single number: read it without --decode-cf");
  if (is_other_sign) cf->type = unsigned_of(stored);
  cf->is_unsigned = is_other_sign;
  cf->scales_single = scale_is_single && fits_single(cf->type);
  cf->is_single = single && fits_single(cf->type);
  schema->dtype = (muster_dtype){.type = cf->is_single ? MUSTER_FLOAT32 : MUSTER_FLOAT64};
  return MUSTER_OK;
}

/* ---- decoding ---------------------------------------------------------------------------------- */

/* The loops for one type of stored elements, and of the result. */
#define DECODER(name, stored_type, result_type)                                                   \
  static void name(const mst_cf *cf, const char *src, char *dst, int64_t step, size_t count) {    \
    stored_type missing[MST_CF_MISSING];                                                          \
    const result_type scale = (result_type)cf->scale, offset = (result_type)cf->offset;           \
    for (size_t m = 0; m < cf->missing_count; m++)                                                \
      memcpy(&missing[m], cf->missing[m], sizeof *missing);                                       \
    for (size_t i = 0; i < count; i++, src += sizeof(stored_type), dst += step) {                 \
      stored_type value;                                                                          \
      memcpy(&value, src, sizeof value);                                                          \
      result_type result = (result_type)value;                                                    \
      if (cf->is_scaled) {                                                                        \
        result = cf->scales_single ? (result_type)((float)value * (float)scale) : result * scale; \
        result += offset;                                                                         \
      }                                                                                           \
      for (size_t m = 0; m < cf->missing_count; m++)                                              \
        if (value >= missing[m] && value <= missing[m]) result = (result_type)NAN;                \
      memcpy(dst, &result, sizeof result);                                                        \
    }                                                                                             \
  }

DECODER(from_int8, int8_t, float)
DECODER(from_uint8, uint8_t, float)
DECODER(from_int16, int16_t, float)
DECODER(from_uint16, uint16_t, float)
DECODER(from_float32, float, float)
DECODER(wide_from_int8, int8_t, double)
DECODER(wide_from_uint8, uint8_t, double)
DECODER(wide_from_int16, int16_t, double)
DECODER(wide_from_uint16, uint16_t, double)
DECODER(wide_from_int32, int32_t, double)
DECODER(wide_from_uint32, uint32_t, double)
DECODER(wide_from_int64, int64_t, double)
DECODER(wide_from_uint64, uint64_t, double)
DECODER(wide_from_float32, float, double)
DECODER(wide_from_float64, double, double)

typedef void (*mst_cf_fn)(const mst_cf *cf, const char *src, char *dst, int64_t step, size_t count);

static mst_cf_fn decoder_of(const mst_cf *cf) {
  switch (cf->type) {
  case MUSTER_INT8: return cf->is_single ? from_int8 : wide_from_int8;
  case MUSTER_UINT8: return cf->is_single ? from_uint8 : wide_from_uint8;
  case MUSTER_INT16: return cf->is_single ? from_int16 : wide_from_int16;
  case MUSTER_UINT16: return cf->is_single ? from_uint16 : wide_from_uint16;
  case MUSTER_INT32: return wide_from_int32;
  case MUSTER_UINT32: return wide_from_uint32;
  case MUSTER_INT64: return wide_from_int64;
  case MUSTER_UINT64: return wide_from_uint64;
  case MUSTER_FLOAT32: return cf->is_single ? from_float32 : wide_from_float32;
  default: return wide_from_float64;
  }
}

void mst_cf_decode(const mst_cf *cf, void *src, void *dst, int64_t step, size_t count) {
  if (cf->is_swapped) mst_swap_bytes(src, count, cf->type);
  decoder_of(cf)(cf, src, dst, step, count);
}
