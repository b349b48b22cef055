/* SPDX-License-Identifier: Apache-2.0 */
#include "load/contents.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "formats/columns.h"

#define HEAD_BYTES 4096

void mst_contents_reset(mst_contents *contents) {
  for (size_t i = 0; i < contents->each.length; i++) {
    mst_free(contents->each.data[i].name);
    mst_free(contents->each.data[i].instead);
    mst_free(contents->each.data[i].shape);
  }
  mst_vec_reset(&contents->each);
  *contents = (mst_contents){0};
}

/* An entry with a copy of the name; NULL: no memory. */
static mst_content *add_content(mst_contents *contents, const char *name) {
  const mst_content content = {.name = mst_strdup(name)};
  if (content.name != NULL && mst_vec_push(&contents->each, content))
    return &contents->each.data[contents->each.length - 1];
  mst_free(content.name);
  contents->failed = true;
  return NULL;
}

static void set_numbers(mst_contents *contents, mst_content *content, const muster_dtype *dtype,
                        size_t rank, const uint64_t *shape) {
  if (dtype->type != MUSTER_NO_TYPE) (void)muster_dtype_name(dtype, content->dtype);
  content->rank = rank;
  if (rank == 0) return;
  content->shape = mst_calloc(rank, sizeof *shape);
  if (content->shape != NULL)
    memcpy(content->shape, shape, rank * sizeof *shape);
  else
    contents->failed = true;
}

static void set_instead(mst_contents *contents, mst_content *content, const char *instead) {
  content->instead = mst_strdup(instead);
  contents->failed = contents->failed || content->instead == NULL;
}

/* ---- columns ------------------------------------------------------------------------------------- */

static void see_columns(void *user, const mst_column *columns, size_t count) {
  mst_contents *contents = user;
  for (size_t i = 0; i < count; i++) {
    const mst_column *column = &columns[i];
    if (contents->each.length == MST_MOST_CONTENTS) {
      contents->left_out = count - i;
      return;
    }
    mst_content *content = add_content(contents, column->name);
    if (content == NULL) return;
    content->hidden = column->hidden;
    if (column->kind != NULL)
      set_instead(contents, content, column->kind);
    else
      set_numbers(contents, content, &column->dtype, column->rank, column->shape);
  }
}

/* ---- one file ------------------------------------------------------------------------------------ */

/* A file that is looked into. */
typedef struct mst_look {
  const mst_format *format;
  mst_source source;
  mst_stat stat;
  unsigned char head[HEAD_BYTES];
  void *context;
} mst_look;

static muster_status find_format(mst_look *look, muster_error *error) {
  const mst_probe probe = {
      .path = look->source.path, .head = look->head, .head_length = look->source.head_length};
  const char *named = look->source.options->format;
  if (named != NULL)
    look->format = mst_format_named(named);
  else if (look->stat.is_directory)
    return mst_format_of_folder(look->source.path, &look->format, error);
  else
    look->format = mst_format_probe(&probe);
  return MUSTER_OK;
}

static muster_status look_at(mst_look *look, muster_error *error) {
  mst_source *source = &look->source;
  source->stat = &look->stat;
  source->head = look->head;
  muster_status status = mst_io_fstat(source->fd, source->path, &look->stat, error);
  if (status == MUSTER_OK && look->stat.is_regular)
    status = mst_io_read_some(source->fd, source->path, 0, look->head, HEAD_BYTES,
                              &source->head_length, error);
  if (status == MUSTER_OK) status = find_format(look, error);
  return status;
}

/* The metadata of what the source names; *schema is not filled when there are none of numbers. */
static muster_status inspect(const mst_look *look, mst_schema *schema, muster_error *error) {
  mst_shard shard = {.path = NULL, .stat = look->stat};
  mst_str note = {0};
  const muster_status status = look->format->inspect(&look->source, schema, &shard, &note, error);
  if (shard.detail != NULL) look->format->forget(shard.detail);
  mst_free(shard.member);
  mst_str_reset(&note);
  return status;
}

static muster_status add_array(mst_look *look, const char *name, mst_contents *contents,
                               muster_error *error) {
  mst_schema schema = {0};
  mst_content *content = add_content(contents, name);
  if (content == NULL) return mst_fail_memory(error);
  look->source.member = name;
  muster_error fault = {.offset = -1};
  const muster_status status = inspect(look, &schema, &fault);
  if (status == MUSTER_ERR_MEMORY) return mst_fail_memory(error);
  if (status == MUSTER_OK)
    set_numbers(contents, content, &schema.dtype, schema.rank, schema.shape);
  else
    set_instead(contents, content, fault.message);
  return MUSTER_OK;
}

static muster_status add_arrays(mst_look *look, mst_contents *contents, muster_error *error) {
  mst_names names = {0};
  muster_status status =
      look->format->list_members(look->source.path, look->source.options, &names, error);
  for (size_t i = 0; status == MUSTER_OK && i < names.length && i < MST_MOST_CONTENTS; i++)
    status = add_array(look, names.data[i], contents, error);
  if (names.length > MST_MOST_CONTENTS) contents->left_out = names.length - MST_MOST_CONTENTS;
  mst_names_reset(&names);
  return status;
}

static muster_status add_columns(mst_look *look, mst_contents *contents, muster_error *error) {
  mst_schema schema;
  contents->are_columns = true;
  look->source.see_columns = see_columns;
  look->source.see_user = contents;
  return inspect(look, &schema, error);
}

static muster_status add_contents(mst_look *look, mst_contents *contents, muster_error *error) {
  const mst_format *format = look->format;
  const bool has_columns = format != NULL && (format->takes & MST_TAKES_COLUMNS) != 0;
  if (!has_columns && (format == NULL || format->list_members == NULL)) return MUSTER_OK;
  const mst_setup setup = {.options = look->source.options, .folder = look->source.path};
  muster_status status = MUSTER_OK;
  if (format->prepare != NULL) status = format->prepare(&setup, &look->context, error);
  if (status != MUSTER_OK) return status;
  look->source.context = look->context;
  status = has_columns ? add_columns(look, contents, error) : add_arrays(look, contents, error);
  if (format->release != NULL) format->release(look->context);
  return status;
}

muster_status mst_contents_find(const char *path, const muster_open_options *options,
                                mst_contents *contents, muster_error *error) {
  muster_open_options own = *options;
  own.dataset = NULL;
  own.strict = false;
  *contents = (mst_contents){0};
  mst_look look = {.source = {.path = path, .options = &own}};
  muster_error fault = {.offset = -1};
  muster_status status = mst_io_open(path, &look.source.fd, &fault);
  if (status == MUSTER_OK) {
    status = look_at(&look, &fault);
    if (status == MUSTER_OK) status = add_contents(&look, contents, &fault);
    mst_io_close(look.source.fd);
  }
  return status == MUSTER_ERR_MEMORY || contents->failed ? mst_fail_memory(error) : MUSTER_OK;
}
