/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header is the text of a Python dict with three keys. It is read here by hand, without
 * recursion and without copying: it comes from strangers.
 */
#include "formats/npy_header.h"

#include <inttypes.h>
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

/* ---- a cursor over the text ------------------------------------------------------------------ */

typedef struct mst_cursor {
  const char *path;
  const char *text;
  size_t length;
  size_t at;
  size_t base; /* offset of text in the file */
  muster_error *error;
} mst_cursor;

static muster_status bad(const mst_cursor *cursor, const char *what) {
  return mst_fail_at(cursor->error, MUSTER_ERR_FORMAT, cursor->path,
                     (muster_offset)(cursor->base + cursor->at), "damaged npy header: %s", what);
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static char peek(mst_cursor *cursor) {
  while (cursor->at < cursor->length && is_space(cursor->text[cursor->at]))
    cursor->at++;
  return cursor->at < cursor->length ? cursor->text[cursor->at] : '\0';
}

static bool take(mst_cursor *cursor, char c) {
  if (peek(cursor) != c || cursor->at >= cursor->length) return false;
  cursor->at++;
  return true;
}

/* A quoted string; the view is without quotes. Escapes stay as they are: no legal name needs one.
 */
static bool take_string(mst_cursor *cursor, const char **view, size_t *length) {
  const char quote = peek(cursor);
  if (quote != '\'' && quote != '"') return false;
  const size_t begin = ++cursor->at;
  while (cursor->at < cursor->length && cursor->text[cursor->at] != quote) {
    cursor->at += cursor->text[cursor->at] == '\\' ? 2 : 1;
  }
  if (cursor->at >= cursor->length) {
    cursor->at = cursor->length;
    return false;
  }
  *view = cursor->text + begin;
  *length = cursor->at++ - begin;
  return true;
}

static bool take_word(mst_cursor *cursor, const char *word) {
  const size_t length = strlen(word);
  (void)peek(cursor);
  if (cursor->length - cursor->at < length) return false;
  if (memcmp(cursor->text + cursor->at, word, length) != 0) return false;
  cursor->at += length;
  return true;
}

/* ---- the three values ------------------------------------------------------------------------- */

static muster_status read_size(mst_cursor *cursor, uint64_t *out) {
  if (peek(cursor) == '-') return bad(cursor, "a negative size in the shape");
  const size_t begin = cursor->at;
  uint64_t value = 0;
  while (cursor->at < cursor->length) {
    const char c = cursor->text[cursor->at];
    if (c < '0' || c > '9') break;
    if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(c - '0'), &value))
      return bad(cursor, "a size in the shape does not fit into 64 bits");
    cursor->at++;
  }
  if (cursor->at == begin) return bad(cursor, "the shape is not a tuple of whole numbers");
  /* Octal in Python 2, an error in Python 3. */
  if (cursor->text[begin] == '0' && cursor->at - begin > 1)
    return bad(cursor, "a size in the shape begins with a zero");
  /* Python 2 wrote long integers with an L. */
  if (cursor->at < cursor->length && cursor->text[cursor->at] == 'L') cursor->at++;
  *out = value;
  return MUSTER_OK;
}

static muster_status read_shape(mst_cursor *cursor, mst_npy_header *header) {
  if (!take(cursor, '(')) return bad(cursor, "the shape is not a tuple");
  mst_schema *schema = &header->schema;
  schema->rank = 0;
  bool comma = false;
  while (!take(cursor, ')')) {
    if (schema->rank > 0 && !comma) return bad(cursor, "a comma is missing in the shape");
    if (schema->rank == MUSTER_MAX_RANK) return bad(cursor, "more than 64 axes");
    const muster_status status = read_size(cursor, &schema->shape[schema->rank]);
    if (status != MUSTER_OK) return status;
    schema->rank++;
    comma = take(cursor, ',');
  }
  if (schema->rank == 1 && !comma) return bad(cursor, "the shape is a number, not a tuple");
  return MUSTER_OK;
}

/* Adds the quoted names that begin each tuple of a list such as [('x', '<f4'), ('y', '<i2')]. */
static void add_field_names(mst_cursor *cursor, mst_str *names) {
  int depth = 0;
  bool first = false;
  while (peek(cursor) != '\0' && cursor->at < cursor->length) {
    const char c = cursor->text[cursor->at];
    const char *view;
    size_t length;
    if (c == '\'' || c == '"') {
      if (!take_string(cursor, &view, &length)) return;
      if (depth == 2 && first) {
        mst_str_add(names, names->length > 0 ? ", " : "");
        mst_str_add_bytes(names, view, length);
      }
      first = false;
      continue;
    }
    if (c == '(' || c == '[') {
      depth++;
      first = true;
    }
    if (c == ')' || c == ']') depth--;
    cursor->at++;
    if (depth == 0) return;
  }
}

static muster_status refuse_structured(mst_cursor *cursor) {
  mst_str names = {0};
  add_field_names(cursor, &names);
  (void)mst_fail(
      cursor->error, MUSTER_ERR_UNSUPPORTED, cursor->path,
      "a structured dtype with the fields %.300s: save each field as an array of its own",
      mst_str_text(&names));
  mst_str_reset(&names);
  return MUSTER_ERR_UNSUPPORTED;
}

static muster_status refuse_dtype(const mst_cursor *cursor, const char *view, size_t length) {
  const char kind = length > 1 && strchr("<>=|", view[0]) != NULL ? view[1] : view[0];
  const int width = length < 60 ? (int)length : 60;
  const char *why = "no dtype that muster knows";
  if (kind == 'O')
    why = "Python objects, kept as a pickle, which is a program and is never read: convert the "
          "array to numbers and save it again";
  if (kind == 'S' || kind == 'U' || kind == 'a') why = "text: muster loads numbers only";
  return mst_fail(cursor->error,
                  kind == 'O' || kind == 'S' || kind == 'U' || kind == 'a' ? MUSTER_ERR_UNSUPPORTED
                                                                           : MUSTER_ERR_FORMAT,
                  cursor->path, "dtype '%.*s': %s", width, view, why);
}

static muster_status read_descr(mst_cursor *cursor, mst_npy_header *header) {
  if (peek(cursor) == '[') return refuse_structured(cursor);
  const char *view;
  size_t length;
  if (!take_string(cursor, &view, &length)) return bad(cursor, "the dtype is not a string");
  if (length == 0) return bad(cursor, "the dtype is empty");
  mst_schema *schema = &header->schema;
  if (!mst_dtype_read(view, length, &schema->dtype, &schema->opaque) ||
      mst_is_source_only(schema->dtype.type))
    return refuse_dtype(cursor, view, length);
  return MUSTER_OK;
}

static muster_status read_order(mst_cursor *cursor, mst_npy_header *header) {
  if (take_word(cursor, "True"))
    header->fortran = true;
  else if (take_word(cursor, "False"))
    header->fortran = false;
  else
    return bad(cursor, "fortran_order is neither True nor False");
  return MUSTER_OK;
}

/* ---- the dict ----------------------------------------------------------------------------------- */

typedef struct mst_key {
  const char *name;
  muster_status (*read)(mst_cursor *cursor, mst_npy_header *header);
} mst_key;

static const mst_key keys[] = {
    {"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
#define KEY_COUNT (sizeof keys / sizeof *keys)

static muster_status read_entry(mst_cursor *cursor, mst_npy_header *header, bool seen[KEY_COUNT]) {
  const char *view;
  size_t length;
  if (!take_string(cursor, &view, &length)) return bad(cursor, "a key is not a string");
  for (size_t i = 0; i < KEY_COUNT; i++) {
    if (strlen(keys[i].name) != length || memcmp(view, keys[i].name, length) != 0) continue;
    if (seen[i]) return bad(cursor, "a key stands there twice");
    seen[i] = true;
    if (!take(cursor, ':')) return bad(cursor, "a colon is missing");
    return keys[i].read(cursor, header);
  }
  return bad(cursor, "a key other than descr, fortran_order and shape");
}

static muster_status read_dict(mst_cursor *cursor, mst_npy_header *header) {
  if (!take(cursor, '{')) return bad(cursor, "no dict");
  bool seen[KEY_COUNT] = {false};
  bool comma = true;
  while (!take(cursor, '}')) {
    if (!comma) return bad(cursor, "a comma is missing");
    const muster_status status = read_entry(cursor, header, seen);
    if (status != MUSTER_OK) return status;
    comma = take(cursor, ',');
  }
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (!seen[i]) return bad(cursor, "descr, fortran_order or shape is missing");
  if (peek(cursor) != '\0' || cursor->at < cursor->length)
    return bad(cursor, "something stands behind the dict");
  return MUSTER_OK;
}

/* ---- the frame around it --------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char *bytes, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++)
    value |= (uint32_t)bytes[i] << 8 * i;
  return value;
}

/* Bytes of the length field of a version, 0 for one that does not exist. */
static size_t length_field(const unsigned char *bytes) {
  if (bytes[7] != 0) return 0;
  return bytes[6] == 1 ? 2 : bytes[6] == 2 || bytes[6] == 3 ? 4 : 0;
}

muster_status mst_npy_header_length(const char *path, const unsigned char *bytes, size_t length,
                                    uint64_t file_size, size_t *header_length,
                                    muster_error *error) {
  if (file_size == 0)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, 0,
                       "is empty (0 bytes): copy the file again");
  if (length < MST_NPY_MAGIC_LENGTH || memcmp(bytes, MST_NPY_MAGIC, MST_NPY_MAGIC_LENGTH) != 0)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, 0,
                       "no npy header; if this is raw data say what it is, such as --format raw "
                       "--source-dtype float32 --row-shape 1024");
  const size_t field = length >= 8 ? length_field(bytes) : 2;
  if (field == 0)
    return mst_fail_at(error, MUSTER_ERR_UNSUPPORTED, path, 6,
                       "npy version %u.%u; versions 1.0, 2.0 and 3.0 are known", bytes[6],
                       bytes[7]);
  if (length < 8 + field)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)length,
                       "truncated: %zu bytes, the npy header alone takes more", length);
  const uint64_t total = 8 + field + little_endian(bytes + 8, field);
  if (total > MST_NPY_MAX_HEADER)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, 8,
                       "the npy header would take %" PRIu64 " bytes; at most 1 MiB is read", total);
  if (total > file_size)
    return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)file_size,
                       "truncated: expected an npy header of %" PRIu64 " bytes, found %" PRIu64,
                       total, file_size);
  *header_length = (size_t)total;
  return MUSTER_OK;
}

muster_status mst_npy_header_parse(const char *path, const unsigned char *bytes, size_t length,
                                   mst_npy_header *out, muster_error *error) {
  *out = (mst_npy_header){0};
  size_t total = 0;
  muster_status status = mst_npy_header_length(path, bytes, length, length, &total, error);
  if (status != MUSTER_OK) return status;
  const size_t base = 8 + length_field(bytes);
  mst_cursor cursor = {.path = path,
                       .text = (const char *)bytes + base,
                       .length = total - base,
                       .base = base,
                       .error = error};
  status = read_dict(&cursor, out);
  if (status != MUSTER_OK) return status;
  out->data_offset = total;
  out->ends_in_newline = bytes[total - 1] == '\n';
  const mst_schema *schema = &out->schema;
  const size_t itemsize =
      schema->dtype.type != MUSTER_NO_TYPE ? muster_type_size(schema->dtype.type) : schema->opaque;
  uint64_t elements;
  if (!mst_shape_elements(schema->rank, schema->shape, itemsize, &elements))
    return bad(&cursor, "the shape describes more bytes than 64 bits can count");
  return MUSTER_OK;
}

void mst_npy_header_write(mst_str *out, const mst_schema *schema) {
  char descr[48];
  mst_str dict = {0};
  mst_str_addf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': ",
               mst_dtype_descr(&schema->dtype, descr));
  mst_add_shape(&dict, schema->rank, schema->shape);
  mst_str_add(&dict, ", }");
  /* Padded so that the data begin at a multiple of 64, as memory maps like it. */
  const size_t fixed = MST_NPY_MAGIC_LENGTH + 4;
  while ((fixed + dict.length + 1) % 64 != 0 && !dict.failed)
    mst_str_add(&dict, " ");
  mst_str_add(&dict, "\n");
  const unsigned char frame[4] = {1, 0, (unsigned char)(dict.length & 0xff),
                                  (unsigned char)(dict.length >> 8)};
  mst_str_add(out, MST_NPY_MAGIC);
  mst_str_add_bytes(out, (const char *)frame, sizeof frame);
  mst_str_add_bytes(out, mst_str_text(&dict), dict.length);
  if (dict.failed) out->failed = true;
  mst_str_reset(&dict);
}
