/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/hdf5/layout.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"

void mst_h5_layout_free(mst_h5_layout *layout) {
  if (layout == NULL) return;
  mst_free(layout->name);
  mst_free(layout);
}

/* A dataset being described. */
typedef struct mst_h5_study {
  const mst_h5_subject *subject;
  const mst_h5 *library;
  const char *path;
  mst_h5_id list; /* how it was created */
  mst_h5_type type;
  size_t rank; /* of the dataset */
  mst_h5_size shape[MST_H5_MAX_RANK];
  mst_h5_size most[MST_H5_MAX_RANK];
  uint64_t bytes;
  mst_h5_layout *layout;
  muster_error *error;
} mst_h5_study;

static muster_status fail(const mst_h5_study *study, const char *what) {
  return mst_h5_file_fail(study->subject->file, what, study->error);
}

/* ---- shape and dtype --------------------------------------------------------------------------- */

static muster_status read_space(mst_h5_study *study) {
  const mst_h5 *library = study->library;
  const mst_h5_id space = library->dataset_space(study->subject->dataset);
  if (space < 0) return fail(study, "read its shape");
  const mst_h5_enum kind = library->space_kind(space);
  int rank = 0;
  if (kind == MST_H5_SIMPLE) rank = library->space_rank(space);
  const bool done = kind >= 0 && rank >= 0 && rank <= MST_H5_MAX_RANK &&
                    (rank == 0 || library->space_shape(space, study->shape, study->most) == rank);
  (void)library->space_close(space);
  if (!done) return fail(study, "read its shape");
  study->rank = (size_t)rank;
  if (kind != MST_H5_NULL) return MUSTER_OK;
  return mst_fail(study->error, MUSTER_ERR_UNSUPPORTED, study->path,
                  "the dataset %.150s is empty: it has a type, and no shape", study->subject->name);
}

static muster_status read_type(mst_h5_study *study) {
  const mst_h5_id type = study->library->dataset_type(study->subject->dataset);
  if (type < 0) return fail(study, "read its type");
  const muster_status status =
      mst_h5_type_read(study->library, study->path, type, &study->type, study->error);
  (void)study->library->type_close(type);
  return status;
}

static muster_status fill_schema(mst_h5_study *study, mst_schema *schema) {
  if (study->rank + study->type.rank > MUSTER_MAX_RANK)
    return mst_fail(study->error, MUSTER_ERR_UNSUPPORTED, study->path, "has more than 64 axes");
  schema->dtype = study->type.dtype;
  schema->rank = study->rank + study->type.rank;
  for (size_t i = 0; i < study->rank; i++)
    schema->shape[i] = study->shape[i];
  for (size_t i = 0; i < study->type.rank; i++)
    schema->shape[study->rank + i] = study->type.shape[i];
  const size_t itemsize = muster_type_size(schema->dtype.type);
  uint64_t elements;
  if (!mst_shape_elements(schema->rank, schema->shape, itemsize, &elements))
    return mst_fail(study->error, MUSTER_ERR_FORMAT, study->path, "the shape is too large");
  study->bytes = elements * itemsize;
  return MUSTER_OK;
}

/* ---- chunks ------------------------------------------------------------------------------------ */

static muster_status refuse_filter(const mst_h5_study *study, int id, const char *stored) {
  const char *name = mst_h5_filter_name(id);
  if (name == NULL) name = stored[0] != '\0' ? stored : "of no known name";
  return mst_fail(study->error, MUSTER_ERR_UNSUPPORTED, study->path,
                  "its chunks went through filter %d (%.60s), which is not there: install it "
                  "(PyPI: hdf5plugin) and name its folder in HDF5_PLUGIN_PATH, or write the file "
                  "again with gzip",
                  id, name);
}

/* Also whether all of them can be undone here; otherwise the library must be able to. */
static muster_status read_filters(mst_h5_study *study, bool *can_undo) {
  mst_h5_layout *layout = study->layout;
  const int count = study->library->filter_count(study->list);
  if (count < 0) return fail(study, "read its filters");
  *can_undo = count <= MST_H5_MAX_FILTERS;
  for (int i = 0; i < count; i++) {
    unsigned flags, config;
    char stored[64] = "";
    mst_h5_filter filter = {.count = 0};
    size_t values = MST_H5_FILTER_VALUES;
    filter.id = study->library->filter(study->list, (unsigned)i, &flags, &values, filter.values,
                                       sizeof stored, stored, &config);
    if (filter.id < 0) return fail(study, "read its filters");
    filter.count = (unsigned)mst_smaller(values, MST_H5_FILTER_VALUES);
    stored[sizeof stored - 1] = '\0';
    const bool known = mst_h5_can_undo(filter.id);
    if (!known && study->library->filter_is_there(filter.id) <= 0)
      return refuse_filter(study, filter.id, stored);
    *can_undo = *can_undo && known;
    if (*can_undo) layout->filters.list[layout->filters.count++] = filter;
  }
  return MUSTER_OK;
}

static muster_status read_chunks(mst_h5_study *study) {
  mst_h5_layout *layout = study->layout;
  mst_h5_size chunk[MST_H5_MAX_RANK + 1];
  const int rank = study->library->chunk(study->list, MST_H5_MAX_RANK, chunk);
  unsigned options = 0;
  if (rank < 0 || (size_t)rank != study->rank ||
      study->library->chunk_options(study->list, &options) < 0)
    return fail(study, "read how it is chunked");
  for (size_t i = 0; i < study->rank; i++)
    layout->grid.chunk[i] = chunk[i];
  layout->partial_unfiltered = (options & MST_H5_PARTIAL_UNFILTERED) != 0;
  layout->has_chunks = true;
  bool can_undo = false;
  muster_status status = read_filters(study, &can_undo);
  if (status == MUSTER_OK) status = mst_chunks_check(&layout->grid, study->path, study->error);
  if (can_undo && !study->type.is_converted) layout->way = MST_H5_IN_CHUNKS;
  return status;
}

/* ---- what was never written -------------------------------------------------------------------- */

/* Zeros where none is defined, or where it is said that it is never used. */
static muster_status read_fill(mst_h5_study *study) {
  const mst_h5 *library = study->library;
  mst_h5_enum status = MST_H5_FILL_UNDEFINED, time = MST_H5_FILL_NEVER;
  if (library->fill_status(study->list, &status) < 0 || library->fill_time(study->list, &time) < 0)
    return fail(study, "read its fill value");
  if (status == MST_H5_FILL_UNDEFINED || time == MST_H5_FILL_NEVER || study->type.rank > 0)
    return MUSTER_OK;
  const mst_h5_id type = library->dataset_type(study->subject->dataset);
  const bool fits = type >= 0 && library->type_size(type) <= sizeof study->layout->grid.fill;
  const bool done = !fits || study->type.is_converted ||
                    library->fill_value(study->list, type, study->layout->grid.fill) >= 0;
  if (type >= 0) (void)library->type_close(type);
  return done ? MUSTER_OK : fail(study, "read its fill value");
}

/* ---- the ways ---------------------------------------------------------------------------------- */

static muster_status check_flat(const mst_h5_study *study, uint64_t offset) {
  const uint64_t found = study->subject->file->access.size;
  if (offset <= found && study->bytes <= found - offset) return MUSTER_OK;
  (void)mst_fail_at(study->error, MUSTER_ERR_FORMAT, study->path, (muster_offset)found,
                    "truncated: the dataset %.100s lies at %" PRIu64 " and has %" PRIu64
                    " bytes, but the file has %" PRIu64 ": copy it again",
                    study->subject->name, offset, study->bytes, found);
  return mst_tell_sizes(study->error, MUSTER_ERR_FORMAT, found, offset + study->bytes);
}

static muster_status study_contiguous(mst_h5_study *study, uint64_t *offset) {
  mst_h5_layout *layout = study->layout;
  const int files = study->library->external_count(study->list);
  if (files < 0) return fail(study, "read where it lies");
  if (files > 0)
    return mst_h5_check_external(study->subject->file, study->list, study->bytes, study->error);
  if (study->type.is_converted) return MUSTER_OK;
  layout->way = MST_H5_EMPTY;
  /* Behind a user block the library gives an offset even to what has none. */
  if (study->library->dataset_bytes(study->subject->dataset) == 0) return MUSTER_OK;
  const mst_h5_address at = study->library->dataset_offset(study->subject->dataset);
  if (at == MST_H5_NO_ADDRESS) return MUSTER_OK;
  layout->way = MST_H5_FLAT;
  *offset = layout->data_offset = at;
  return check_flat(study, at);
}

static muster_status study_virtual(mst_h5_study *study) {
  bool counts_blocks = false;
  const muster_status status =
      mst_h5_check_virtual(study->subject->file, study->list, &counts_blocks, study->error);
  study->layout->is_virtual = !counts_blocks;
  return status;
}

static muster_status study_layout(mst_h5_study *study, uint64_t *offset) {
  mst_h5_layout *layout = study->layout;
  layout->way = MST_H5_BY_LIBRARY;
  switch (study->library->layout(study->list)) {
  case MST_H5_COMPACT: return MUSTER_OK;
  case MST_H5_CONTIGUOUS: return study_contiguous(study, offset);
  case MST_H5_CHUNKED: return read_chunks(study);
  case MST_H5_VIRTUAL: return study_virtual(study);
  default: return fail(study, "read how it is laid out");
  }
}

static muster_status new_layout(mst_h5_study *study, const mst_schema *schema) {
  mst_h5_layout *layout = mst_calloc(1, sizeof *layout);
  if (layout == NULL) return mst_fail_memory(study->error);
  study->layout = layout;
  layout->name = mst_strdup(study->subject->name);
  layout->space_rank = study->rank;
  layout->is_converted = study->type.is_converted;
  layout->follow_external = study->subject->options->follow_external;
  layout->grid.rank = schema->rank;
  layout->grid.itemsize = muster_type_size(schema->dtype.type);
  memcpy(layout->grid.shape, schema->shape, schema->rank * sizeof *schema->shape);
  memcpy(layout->grid.chunk, schema->shape, schema->rank * sizeof *schema->shape);
  memcpy(layout->padded, schema->shape, schema->rank * sizeof *schema->shape);
  return layout->name != NULL ? MUSTER_OK : mst_fail_memory(study->error);
}

static muster_status pad(mst_h5_study *study, mst_schema *schema) {
  mst_h5_layout *layout = study->layout;
  if (!study->subject->is_netcdf) return MUSTER_OK;
  const muster_status status = mst_h5_pad(study->subject->file, study->subject->dataset,
                                          study->rank, study->most, schema->shape, study->error);
  if (status != MUSTER_OK) return status;
  layout->is_padded =
      memcmp(schema->shape, layout->grid.shape, schema->rank * sizeof *schema->shape) != 0;
  memcpy(layout->padded, schema->shape, schema->rank * sizeof *schema->shape);
  uint64_t elements;
  if (mst_shape_elements(schema->rank, schema->shape, layout->grid.itemsize, &elements))
    return MUSTER_OK;
  return mst_fail(study->error, MUSTER_ERR_FORMAT, study->path, "the shape is too large");
}

/* Those of what grows from file to file are parts; of all else each file has the same. */
static void note_coordinate(const mst_h5_study *study, mst_str *note) {
  const mst_h5_subject *subject = study->subject;
  if (!subject->is_joined || study->rank != 1 || study->most[0] == MST_H5_UNLIMITED) return;
  if (!mst_h5_has_text(study->library, subject->dataset, "CLASS", "DIMENSION_SCALE")) return;
  mst_str_add(note, "a coordinate of fixed length: where each file holds a copy of it, the copies "
                    "are joined, one behind the other");
}

static muster_status study_all(mst_h5_study *study, mst_schema *schema, uint64_t *offset,
                               mst_str *note) {
  const mst_h5_subject *subject = study->subject;
  muster_status status = read_space(study);
  if (status == MUSTER_OK) status = read_type(study);
  if (status == MUSTER_OK) status = fill_schema(study, schema);
  if (status == MUSTER_OK) status = new_layout(study, schema);
  if (status == MUSTER_OK) status = study_layout(study, offset);
  if (status == MUSTER_OK) status = read_fill(study);
  if (status == MUSTER_OK) status = pad(study, schema);
  if (status != MUSTER_OK) return status;
  if (subject->is_netcdf) note_coordinate(study, note);
  return mst_cf_read(study->library, study->path, subject->dataset, subject->options->decode_cf,
                     schema, &study->layout->cf, note, study->error);
}

muster_status mst_h5_describe(const mst_h5_subject *subject, mst_schema *schema,
                              uint64_t *data_offset, mst_h5_layout **layout, mst_str *note,
                              muster_error *error) {
  mst_h5_study study = {.subject = subject,
                        .library = subject->file->library,
                        .path = subject->file->access.path,
                        .error = error};
  study.list = study.library->dataset_creation(subject->dataset);
  if (study.list < 0) return fail(&study, "read how it was made");
  const muster_status status = study_all(&study, schema, data_offset, note);
  (void)study.library->list_close(study.list);
  const bool is_flat = study.layout != NULL && study.layout->way == MST_H5_FLAT &&
                       !study.layout->cf.is_applied && !study.layout->is_padded;
  if (status != MUSTER_OK || is_flat) {
    mst_h5_layout_free(study.layout);
    study.layout = NULL;
  }
  *layout = study.layout;
  return status;
}
