/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"

#define FILE_LIMIT ((size_t)64 << 20)

/* ---- reading ---- */

static void *read_malloc(void *context, size_t size) {
  (void)context;
  return mst_alloc(size);
}

static void *read_realloc(void *context, void *memory, size_t old_size, size_t size) {
  (void)context;
  (void)old_size;
  return mst_realloc(memory, size);
}

static void read_free(void *context, void *memory) {
  (void)context;
  mst_free(memory);
}

static const yyjson_alc read_alc = {
    .malloc = read_malloc, .realloc = read_realloc, .free = read_free, .ctx = NULL};

static muster_status parse(const char *path, const char *data, size_t length,
                           yyjson_read_flag flags, yyjson_doc **out, muster_error *error) {
  yyjson_read_err fault = {0};
  *out = NULL;
  if (length == 0) return mst_fail(error, MUSTER_ERR_FORMAT, path, "is empty, not JSON");
  /* Not written to without YYJSON_READ_INSITU. */
  yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)data, length, flags, &read_alc, &fault);
  if (doc != NULL) {
    *out = doc;
    return MUSTER_OK;
  }
  if (fault.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) return mst_fail_memory(error);
  return mst_fail_at(error, MUSTER_ERR_FORMAT, path, (muster_offset)fault.pos, "not JSON: %s",
                     fault.msg != NULL ? fault.msg : "damaged");
}

muster_status mst_json_parse(const char *path, const char *data, size_t length, yyjson_doc **out,
                             muster_error *error) {
  return parse(path, data, length, YYJSON_READ_NOFLAG, out, error);
}

muster_status mst_json_parse_python(const char *path, const char *data, size_t length,
                                    yyjson_doc **out, muster_error *error) {
  return parse(path, data, length, YYJSON_READ_ALLOW_INF_AND_NAN, out, error);
}

muster_status mst_json_read_file(const char *path, yyjson_doc **out, muster_error *error) {
  char *data = NULL;
  size_t length = 0;
  *out = NULL;
  muster_status status = mst_io_read_file(path, FILE_LIMIT, &data, &length, error);
  if (status == MUSTER_OK) status = mst_json_parse(path, data, length, out, error);
  mst_free(data);
  return status;
}

/* ---- writing ---- */

/*
 * A document's own allocator: it remembers that memory ran out, so that callers may ignore the
 * result of every single yyjson_mut_* call. It lives as long as the document, whose block is the
 * first one allocated and the last one freed.
 */
typedef struct doc_memory {
  void *doc;
  bool failed;
} doc_memory;

static void *doc_malloc(void *context, size_t size) {
  doc_memory *memory = context;
  void *block = mst_alloc(size);
  if (block == NULL) memory->failed = true;
  if (memory->doc == NULL) memory->doc = block;
  return block;
}

static void *doc_realloc(void *context, void *block, size_t old_size, size_t size) {
  doc_memory *memory = context;
  (void)old_size;
  void *grown = mst_realloc(block, size);
  if (grown == NULL) memory->failed = true;
  return grown;
}

static void doc_free(void *context, void *block) {
  doc_memory *memory = context;
  const bool last = block == memory->doc;
  mst_free(block);
  if (last) mst_free(memory);
}

yyjson_mut_doc *mst_json_new(void) {
  doc_memory *memory = mst_calloc(1, sizeof *memory);
  if (memory == NULL) return NULL;
  const yyjson_alc alc = {
      .malloc = doc_malloc, .realloc = doc_realloc, .free = doc_free, .ctx = memory};
  yyjson_mut_doc *doc = yyjson_mut_doc_new(&alc);
  if (doc == NULL) mst_free(memory);
  return doc;
}

bool mst_json_failed(const yyjson_mut_doc *doc) {
  const doc_memory *memory = doc->alc.ctx;
  return memory->failed;
}

muster_status mst_json_text(const yyjson_mut_doc *doc, mst_str *out, muster_error *error) {
  if (mst_json_failed(doc) || doc->root == NULL) return mst_fail_memory(error);
  size_t length = 0;
  yyjson_write_err fault = {0};
  char *text =
      yyjson_mut_write_opts(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                            &doc->alc, &length, &fault);
  if (text == NULL && fault.code == YYJSON_WRITE_ERROR_MEMORY_ALLOCATION) {
    return mst_fail_memory(error);
  }
  if (text == NULL) {
    return mst_fail(error, MUSTER_ERR_USAGE, NULL, "cannot write JSON: %s",
                    fault.msg != NULL ? fault.msg : "unknown value");
  }
  if (out->data == NULL && !out->failed) { /* nothing to be put behind: no copy */
    *out = (mst_str){.data = text, .length = length, .capacity = length + 1};
    return MUSTER_OK;
  }
  mst_str_add_bytes(out, text, length);
  doc->alc.free(doc->alc.ctx, text);
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}

/* ---- names ---- */

/* Length of the UTF-8 sequence at the start of text, by table 3-7 of the Unicode standard; 0: none.
 */
static size_t utf8_sequence(const unsigned char *text) {
  const unsigned char first = text[0];
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned low = 0x80;
  unsigned high = 0xbf;
  if (first == 0xe0) low = 0xa0;
  if (first == 0xed) high = 0x9f;
  if (first == 0xf0) low = 0x90;
  if (first == 0xf4) high = 0x8f;
  if (text[1] < low || text[1] > high) return 0;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (size_t i = 2; i < length; i++) {
    if (text[i] < 0x80 || text[i] > 0xbf) return 0;
  }
  return length;
}

/* Bytes of ASCII at the start, by eights: nearly all texts are nothing else. */
static size_t ascii_length(const char *text) {
  const size_t length = strlen(text);
  size_t at = 0;
  for (uint64_t eight; at + sizeof eight <= length; at += sizeof eight) {
    memcpy(&eight, text + at, sizeof eight);
    if ((eight & UINT64_C(0x8080808080808080)) != 0) break;
  }
  return at;
}

bool mst_json_can_hold(const char *text) {
  const unsigned char *at = (const unsigned char *)text + ascii_length(text);
  while (*at != '\0') {
    if (*at < 0x80) {
      at++;
      continue;
    }
    const size_t length = utf8_sequence(at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

yyjson_mut_val *mst_json_name(yyjson_mut_doc *doc, const char *name) {
  if (mst_json_can_hold(name)) return yyjson_mut_strcpy(doc, name);
  mst_str valid = {0};
  for (const char *c = name; *c != '\0';) {
    const size_t length = utf8_sequence((const unsigned char *)c);
    if (length > 0) mst_str_add_bytes(&valid, c, length);
    if (length == 0) mst_str_add(&valid, "\xef\xbf\xbd"); /* U+FFFD */
    c += length > 0 ? length : 1;
  }
  yyjson_mut_val *value =
      valid.failed ? NULL : yyjson_mut_strncpy(doc, mst_str_text(&valid), valid.length);
  /* The document's allocator did not see this failure. */
  if (valid.failed) ((doc_memory *)doc->alc.ctx)->failed = true;
  mst_str_reset(&valid);
  return value;
}

yyjson_mut_val *mst_json_lasting_name(yyjson_mut_doc *doc, const char *name) {
  return mst_json_can_hold(name) ? yyjson_mut_str(doc, name) : mst_json_name(doc, name);
}
