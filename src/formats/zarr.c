/* SPDX-License-Identifier: Apache-2.0 */
/* Zarr 2 and 3, one folder an array, or a group of arrays. docs/formats/zarr.md. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shape.h"
#include "base/status.h"
#include "codecs/codec.h"
#include "formats/members.h"
#include "formats/zarr/chunks.h"
#include "formats/zarr/store.h"
#include "formats/zarr/write.h"

/* As many files are looked for to know whether chunks are missing. */
#define FILES_LOOKED_FOR 64

/* What is kept of a shard. */
typedef struct mst_zarr_detail {
  char *folder;   /* of the array */
  char *metadata; /* the file that describes it, and what it was */
  mst_stat stat;
  mst_zarr_array array;
} mst_zarr_detail;

/* ---- stores in one file --------------------------------------------------------------------------- */

static int probe(const mst_probe *p) {
  const bool is_zip = p->head_length >= 4 && memcmp(p->head, "PK\003\004", 4) == 0;
  if (!is_zip) return MST_PROBE_NO;
  static const char *const names[] = {"zarr.json", ".zarray", ".zgroup", ".zattrs"};
  bool is_store = mst_has_extension(p->path, ".zarr.zip");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_store = is_store || memmem(p->head, p->head_length, names[i], strlen(names[i])) != NULL;
  return is_store ? MST_PROBE_MAGIC + 1 : MST_PROBE_NO; /* an archive is also what npz is */
}

/* ---- which array ------------------------------------------------------------------------------------ */

static muster_status refuse_folder(const char *path, muster_error *error) {
  return mst_fail(error, MUSTER_ERR_NOT_FOUND, path,
                  "no Zarr array or group: there is no zarr.json, .zarray or .zgroup in it");
}

/* The only array of a group, or the one that is wanted and is not there: then what there is. */
static muster_status choose_listed(const char *path, const char *wanted, char **folder,
                                   muster_error *error) {
  mst_names names = {0};
  size_t index;
  muster_status status = mst_zarr_list(path, &names, error);
  if (status == MUSTER_OK) status = mst_members_find(path, &names, wanted, "array", &index, error);
  if (status == MUSTER_OK) *folder = mst_zarr_join(path, names.data[index]);
  if (status == MUSTER_OK && *folder == NULL) status = mst_fail_memory(error);
  mst_names_reset(&names);
  return status;
}

static muster_status choose_named(const char *path, const char *wanted, char **folder,
                                  muster_error *error) {
  if (!mst_is_inside(wanted))
    return mst_fail(error, MUSTER_ERR_USAGE, path, "'%.100s' is no name of an array in it", wanted);
  *folder = mst_zarr_join(path, wanted);
  if (*folder == NULL) return mst_fail_memory(error);
  mst_zarr_node node;
  muster_status status = mst_zarr_look(*folder, &node, NULL, NULL, error);
  if (status != MUSTER_OK || node == MST_ZARR_ARRAY) return status;
  mst_free(*folder);
  *folder = NULL;
  return choose_listed(path, wanted, folder, error);
}

/* The folder of the array that is meant. */
static muster_status choose_array(const mst_source *source, char **folder, muster_error *error) {
  const char *wanted = source->member != NULL ? source->member : source->options->dataset;
  if (wanted != NULL) wanted += strspn(wanted, "/");
  if (wanted != NULL && wanted[0] != '\0') return choose_named(source->path, wanted, folder, error);
  mst_zarr_node node;
  const muster_status status = mst_zarr_look(source->path, &node, NULL, NULL, error);
  if (status != MUSTER_OK) return status;
  if (node == MST_ZARR_NO_NODE) return refuse_folder(source->path, error);
  if (node == MST_ZARR_GROUP) return choose_listed(source->path, NULL, folder, error);
  *folder = mst_zarr_join(source->path, "");
  return *folder != NULL ? MUSTER_OK : mst_fail_memory(error);
}

static muster_status list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error) {
  (void)options;
  return mst_zarr_list(path, members, error);
}

/* ---- chunks that are not there ----------------------------------------------------------------------- */

/* The number of files that all chunks take; many: more than are looked for. */
static uint64_t count_files(const mst_zarr_array *array, uint64_t *along) {
  uint64_t files = 1;
  for (size_t i = 0; i < array->grid.rank; i++) {
    const uint64_t chunks = mst_chunks_along(&array->grid, i);
    const uint64_t per_file = mst_zarr_per_file(array, i);
    along[i] = chunks / per_file + (chunks % per_file > 0);
    if (along[i] == 0) return 0;
    files = along[i] > FILES_LOOKED_FOR ? FILES_LOOKED_FOR + 1 : files * along[i];
    if (files > FILES_LOOKED_FOR) files = FILES_LOOKED_FOR + 1;
  }
  return files;
}

static bool is_there(const mst_zarr_detail *detail, const uint64_t *index) {
  mst_str path = {0};
  bool found = true; /* what cannot be looked at is told when it is read */
  mst_str_addf(&path, "%s/", detail->folder);
  mst_zarr_add_key(&path, &detail->array, index);
  if (!path.failed && mst_io_find(path.data, &found, NULL) != MUSTER_OK) found = true;
  mst_str_reset(&path);
  return found;
}

/* Whether a name in the array's folder is a key, or where one begins. */
static bool begins_key(const mst_zarr_array *array, const char *name) {
  const bool nested = array->separator == '/';
  if (array->has_prefix) {
    if (*name++ != 'c') return false;
    if (nested || array->grid.rank == 0) return *name == '\0' || *name == '/';
    if (*name++ != '.') return false;
  }
  const size_t digits = strspn(name, "0123456789");
  const char end = name[digits];
  if (digits == 0) return false;
  return nested || array->grid.rank <= 1 ? end == '\0' || end == '/' : end == '.';
}

static bool has_any_chunk(const mst_zarr_detail *detail) {
  mst_names names = {0};
  bool any = mst_io_list(detail->folder, &names, NULL) != MUSTER_OK;
  for (size_t i = 0; !any && i < names.length; i++)
    any = begins_key(&detail->array, names.data[i]);
  mst_names_reset(&names);
  return any;
}

/* Steps to the next file in C order. */
static void next_file(size_t rank, const uint64_t *along, uint64_t *index) {
  for (size_t i = rank; i-- > 0 && ++index[i] == along[i];)
    index[i] = 0;
}

/* Files of chunks that are not there; of more than are looked for, all or nothing. */
typedef struct mst_zarr_missing {
  uint64_t files;
  uint64_t missing; /* 0, too, when nobody has counted */
  bool all;
} mst_zarr_missing;

static mst_zarr_missing count_missing(const mst_zarr_detail *detail) {
  uint64_t along[MUSTER_MAX_RANK], index[MUSTER_MAX_RANK] = {0};
  mst_zarr_missing found = {.files = count_files(&detail->array, along)};
  if (found.files == 0) return found;
  if (found.files > FILES_LOOKED_FOR) {
    found.all = !is_there(detail, index) && !has_any_chunk(detail);
    return found;
  }
  for (uint64_t k = 0; k < found.files; k++) {
    found.missing += !is_there(detail, index);
    next_file(detail->array.grid.rank, along, index);
  }
  found.all = found.missing == found.files;
  return found;
}

static void add_missing(mst_str *out, const mst_zarr_detail *detail,
                        const mst_zarr_missing *found) {
  const uint64_t first[MUSTER_MAX_RANK] = {0};
  if (found->all) {
    mst_str_add(out, "no chunk is there, the first would be the file ");
    mst_zarr_add_key(out, &detail->array, first);
  } else {
    mst_str_addf(out, "%" PRIu64 " of %" PRIu64 " %s are not there", found->missing, found->files,
                 detail->array.level_count > 0 ? "shards" : "chunks");
  }
}

static void note_missing(const mst_source *source, const mst_zarr_detail *detail, mst_str *note) {
  const mst_zarr_missing found = count_missing(detail);
  if (!found.all && found.missing == 0) return;
  add_missing(note, detail, &found);
  if (source->options->strict)
    mst_str_add(note, ", which --strict makes an error where they are read");
  else
    mst_str_add(note, found.all ? ": all is the fill value" : ", and read as the fill value");
}

/* ---- metadata ------------------------------------------------------------------------------------------ */

static void forget(void *pointer) {
  mst_zarr_detail *detail = pointer;
  if (detail == NULL) return;
  mst_free(detail->folder);
  mst_free(detail->metadata);
  mst_free(detail);
}

static muster_status inspect_folder(const mst_source *source, mst_zarr_detail *detail,
                                    muster_error *error) {
  mst_zarr_node node;
  muster_status status = choose_array(source, &detail->folder, error);
  if (status == MUSTER_OK)
    status = mst_zarr_look(detail->folder, &node, &detail->array, &detail->metadata, error);
  if (status == MUSTER_OK && node != MST_ZARR_ARRAY) status = refuse_folder(detail->folder, error);
  if (status == MUSTER_OK) status = mst_io_stat(detail->metadata, &detail->stat, error);
  return status;
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  if (!source->stat->is_directory)
    return mst_fail(error, MUSTER_ERR_UNSUPPORTED, source->path,
                    "a Zarr store in one file is not read: unpack it into a folder (unzip -d)");
  mst_zarr_detail *detail = mst_calloc(1, sizeof *detail);
  if (detail == NULL) return mst_fail_memory(error);
  shard->detail = detail;
  const muster_status status = inspect_folder(source, detail, error);
  if (status != MUSTER_OK) return status;
  *schema = detail->array.schema;
  shard->by_rows = true;
  note_missing(source, detail, note);
  return MUSTER_OK;
}

/* Whether a missing chunk is an error is all that shards have in common. */
static muster_status prepare(const mst_setup *setup, void **context, muster_error *error) {
  bool *strict = mst_alloc(sizeof *strict);
  if (strict == NULL) return mst_fail_memory(error);
  *strict = setup->options->strict;
  *context = strict;
  return MUSTER_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* A store that is not there any more would read as fill values. */
static muster_status check_unchanged(const mst_zarr_detail *detail, muster_error *error) {
  mst_stat now;
  const muster_status status = mst_io_stat(detail->metadata, &now, error);
  const mst_stat *then = &detail->stat;
  if (status != MUSTER_OK && status != MUSTER_ERR_NOT_FOUND) return status;
  if (status == MUSTER_OK && now.size == then->size && now.mtime_ns == then->mtime_ns &&
      now.inode == then->inode && now.device == then->device)
    return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_CHANGED, detail->metadata,
                  "was changed since the dataset was opened: open it again");
}

static muster_status open_shard(mst_open_shard *open, muster_error *error) {
  const mst_zarr_detail *detail = open->shard->detail;
  const muster_status status = check_unchanged(detail, error);
  if (status != MUSTER_OK) return status;
  open->state = mst_zarr_reader_new(detail->folder, &detail->array, *(const bool *)open->context);
  return open->state != NULL ? MUSTER_OK : mst_fail_memory(error);
}

static void close_shard(mst_open_shard *open) { mst_zarr_reader_free(open->state); }

/* Rows of plain chunks that are as wide as the array can be read by themselves. */
static bool band(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi) {
  const mst_zarr_detail *detail = shard->detail;
  const mst_chunk_grid *grid = &detail->array.grid;
  bool has_bands = !mst_zarr_is_plain(&detail->array);
  for (size_t i = 1; i < grid->rank; i++)
    has_bands = has_bands || grid->chunk[i] != grid->shape[i];
  if (has_bands) mst_chunks_band(grid, row, lo, hi);
  return has_bands;
}

static muster_status read_rows(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                               const int64_t *strides, muster_error *error) {
  return mst_zarr_read(open->state, lo, hi, dst, strides, error);
}

/* ---- in Python ----------------------------------------------------------------------------------------- */

/* The array's folder is the shard's, or below it. */
static const char *python_member(const mst_shard *shard) {
  const mst_zarr_detail *detail = shard->detail;
  const char *below = detail->folder + mst_smaller(strlen(shard->path), strlen(detail->folder));
  return below + strspn(below, "/");
}

static void add_python(const mst_python_shards *python, mst_str *out) {
  const bool is_root = python->member != NULL && python->member[0] == '\0';
  mst_str_add(out, "    import zarr\n\n    return zarr.open_array(path");
  if (!is_root) mst_str_add(out, ", path=");
  if (!is_root) mst_members_add_python(out, python);
  mst_str_addf(out, ", mode=\"r\")%s\n", python->stack ? "[...][np.newaxis]" : "");
}

const mst_format mst_format_zarr = {
    .name = "zarr",
    .summary = "Zarr 2 and 3: arrays in chunks, compressed or not, also sharded; groups of "
               "them" MST_WITHOUT_DEFLATE MST_WITHOUT_ZSTD MST_WITHOUT_LZ4 MST_WITHOUT_BLOSC
                   MST_WITHOUT_BZ2 MST_WITHOUT_LZMA,
    .extensions = ".zarr",
    .takes = MST_TAKES_STRICT,
    .probe = probe,
    .owns_folder = mst_zarr_owns_folder,
    .list_members = list_members,
    .prepare = prepare,
    .release = mst_free,
    .inspect = inspect,
    .forget = forget,
    .open = open_shard,
    .close = close_shard,
    .band = band,
    .read_rows = read_rows,
    .write = mst_zarr_write,
    .python_member = python_member,
    .add_python = add_python,
};
