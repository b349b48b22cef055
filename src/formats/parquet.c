/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet: columns of numbers side by side as one array. docs/formats/parquet.md. */
#include "formats/parquet/parquet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

static int probe(const mst_probe *p) {
  if (p->head_length >= 4 && memcmp(p->head, "PAR1", 4) == 0) return MST_PROBE_MAGIC;
  return mst_has_extension(p->path, ".parquet .pq") ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

/* ---- keys in the names of folders ----------------------------------------------------------------- */

/* A key of a Hive-partitioned folder: a column whose elements are all the same. */
typedef struct mst_key {
  muster_dtype dtype; /* MUSTER_NO_TYPE: text */
  unsigned char value[8];
} mst_key;

/* The next component "key=value/" of a path; false: there is none. */
static bool next_key(const char **path, const char **name, const char **value) {
  for (const char *end; (end = strchr(*path, '/')) != NULL;) {
    *name = *path;
    *path = end + 1;
    *value = memchr(*name, '=', (size_t)(end - *name));
    if (*value != NULL && *value > *name) return true;
  }
  return false;
}

static size_t count_keys(const char *path) {
  const char *name, *value;
  size_t count = 0;
  while (next_key(&path, &name, &value))
    count++;
  return count;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Letters that a path cannot have are written as %2F and the like. NULL: no memory. */
static char *unescape(const char *text, size_t length) {
  char *out = mst_alloc(length + 1);
  if (out == NULL) return NULL;
  size_t made = 0;
  for (size_t i = 0; i < length; i++) {
    const bool is_escape = text[i] == '%' && i + 2 < length && digit_of(text[i + 1]) >= 0 &&
                           digit_of(text[i + 2]) >= 0;
    const int code = is_escape ? digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]) : 0;
    out[made++] = code != 0 ? (char)code : text[i];
    if (code != 0) i += 2;
  }
  out[made] = '\0';
  return out;
}

static void parse_key(const char *text, mst_key *key) {
  char *end;
  *key = (mst_key){0};
  const bool begins_so = strchr("+-.0123456789", text[0]) != NULL && text[0] != '\0';
  errno = 0;
  const long long whole = strtoll(text, &end, 10);
  if (begins_so && *end == '\0' && errno == 0) {
    const int64_t value = whole;
    key->dtype.type = MUSTER_INT64;
    memcpy(key->value, &value, sizeof value);
    return;
  }
  const double real = strtod(text, &end);
  if (!begins_so || *end != '\0') return;
  key->dtype.type = MUSTER_FLOAT64;
  memcpy(key->value, &real, sizeof real);
}

/* Adds the keys as columns behind those of the file; *keys has room for them. */
static muster_status add_keys(const char *path, mst_parquet_columns *columns, mst_key *keys,
                              muster_error *error) {
  const char *name, *value;
  for (size_t i = 0; next_key(&path, &name, &value); i++) {
    mst_column *column = &columns->columns[columns->count++];
    char *text = unescape(value + 1, (size_t)(path - value) - 2);
    column->name = unescape(name, (size_t)(value - name));
    if (text == NULL || column->name == NULL) {
      mst_free(text);
      return mst_fail_memory(error);
    }
    parse_key(text, &keys[i]);
    const bool is_null = strcmp(text, "__HIVE_DEFAULT_PARTITION__") == 0;
    mst_free(text);
    column->hidden = true;
    column->dtype = keys[i].dtype;
    if (column->dtype.type == MUSTER_NO_TYPE)
      column->kind = is_null ? "null in the names of folders" : "text in the names of folders";
  }
  return MUSTER_OK;
}

/* ---- one file ---------------------------------------------------------------------------------------- */

typedef struct mst_inspection {
  const mst_source *source;
  mst_parquet_footer footer;
  mst_parquet_columns columns; /* those of the file, then the keys */
  mst_key *keys;
  size_t key_count;
} mst_inspection;

static muster_status take_column(const mst_inspection *inspection, mst_parquet_file *file,
                                 size_t at, muster_error *error) {
  const mst_taken *how = &file->choice.taken[at];
  const mst_column *column = &inspection->columns.columns[how->index];
  mst_parquet_taken *taken = &file->columns[at];
  const size_t in_file = inspection->columns.count - inspection->key_count;
  taken->name = mst_strdup(column->name);
  if (taken->name == NULL) return mst_fail_memory(error);
  const bool is_same = mst_dtype_equal(&column->dtype, &file->choice.dtype);
  taken->dtype_bytes = (uint8_t)muster_type_size(column->dtype.type);
  if (how->index < in_file) {
    taken->layout = inspection->columns.layouts[how->index];
    taken->convert = is_same ? NULL : how->convert;
    file->has_lists = file->has_lists || taken->layout.max_repetition > 0;
    return MUSTER_OK;
  }
  taken->is_constant = true;
  how->convert(inspection->keys[how->index - in_file].value, taken->constant,
               (int64_t)muster_type_size(file->choice.dtype.type), 1);
  return MUSTER_OK;
}

static muster_status choose(const mst_inspection *inspection, mst_parquet_file *file,
                            mst_schema *schema, muster_error *error) {
  const mst_source *source = inspection->source;
  mst_table *table = (mst_table *)source->context;
  muster_status status =
      mst_columns_choose(table, source, inspection->columns.columns, inspection->columns.count,
                         &file->choice, schema, error);
  if (status != MUSTER_OK) return status;
  schema->shape[0] = inspection->footer.rows;
  file->columns = mst_calloc(file->choice.count, sizeof *file->columns);
  if (file->columns == NULL) return mst_fail_memory(error);
  for (size_t i = 0; status == MUSTER_OK && i < file->choice.count; i++)
    status = take_column(inspection, file, i, error);
  if (status != MUSTER_OK) return status;
  uint64_t elements;
  if (!mst_shape_elements(schema->rank, schema->shape, 32, &elements))
    return mst_fail(error, MUSTER_ERR_FORMAT, source->path, "the shape is too large");
  file->row_bytes =
      file->choice.count * file->choice.elements * muster_type_size(schema->dtype.type);
  return mst_parquet_read_groups(source, &inspection->footer, inspection->columns.leaves, file,
                                 error);
}

static muster_status inspect_columns(mst_inspection *inspection, mst_schema *schema,
                                     mst_shard *shard, muster_error *error) {
  const char *path = inspection->source->path;
  inspection->key_count = count_keys(path);
  inspection->keys = mst_calloc(mst_larger(inspection->key_count, 1), sizeof *inspection->keys);
  if (inspection->keys == NULL) return mst_fail_memory(error);
  muster_status status = mst_parquet_find_columns(&inspection->footer, inspection->key_count,
                                                  &inspection->columns, error);
  if (status == MUSTER_OK) status = add_keys(path, &inspection->columns, inspection->keys, error);
  if (status != MUSTER_OK) return status;
  mst_parquet_file *file = mst_calloc(1, sizeof *file);
  if (file == NULL) return mst_fail_memory(error);
  shard->detail = file;
  return choose(inspection, file, schema, error);
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  (void)note;
  mst_inspection inspection = {.source = source};
  muster_status status = mst_parquet_read_footer(source, &inspection.footer, error);
  if (status == MUSTER_OK) status = inspect_columns(&inspection, schema, shard, error);
  mst_parquet_footer_reset(&inspection.footer);
  mst_parquet_columns_reset(&inspection.columns);
  mst_free(inspection.keys);
  return status;
}

static void forget(void *detail) { mst_parquet_file_free(detail); }

/* ---- in Python ----------------------------------------------------------------------------------------- */

/* Bytes that Python decodes are the same name, whatever is in it. */
static void add_python_name(mst_str *out, const char *name) {
  bool is_plain = true;
  for (const char *c = name; *c != '\0'; c++)
    is_plain = is_plain && *c >= ' ' && *c <= '~';
  mst_str_add(out, is_plain ? "\"" : "b\"");
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      mst_str_addf(out, "\\%c", *c);
    else if (*c >= ' ' && *c <= '~')
      mst_str_addf(out, "%c", *c);
    else
      mst_str_addf(out, "\\x%02x", (unsigned)(unsigned char)*c);
  }
  mst_str_add(out, is_plain ? "\"" : "\".decode()");
}

/* ".fill_null(...)", where nulls of integers have a value. */
static void add_fill(const mst_choice *choice, mst_str *out) {
  const muster_dtype to = {.type = MUSTER_INT64};
  const muster_type type = choice->dtype.type;
  if (!choice->other_null.is_set || type < MUSTER_BOOL || type > MUSTER_UINT64) return;
  int64_t value = 0;
  mst_converter(&choice->dtype, &to)(choice->other_null.bytes, &value, 8, 1);
  if (type == MUSTER_BOOL)
    mst_str_addf(out, ".fill_null(%s)", value != 0 ? "True" : "False");
  else if (type == MUSTER_UINT64)
    mst_str_addf(out, ".fill_null(%" PRIu64 ")", (uint64_t)value);
  else
    mst_str_addf(out, ".fill_null(%" PRId64 ")", value);
}

static void add_array(const mst_parquet_file *file, mst_str *out) {
  char dtype[48];
  bool converts = false;
  for (size_t i = 0; i < file->choice.count; i++)
    converts = converts || file->columns[i].convert != NULL || file->columns[i].is_constant;
  const size_t lists = file->columns[0].layout.max_repetition;
  mst_str_add(out, "np.asarray(table[name].combine_chunks()");
  for (size_t i = 0; i < lists; i++)
    mst_str_add(out, ".values");
  add_fill(&file->choice, out);
  mst_str_add(out, ")");
  if (lists > 0) mst_str_addf(out, ".reshape(-1, *SHAPE[-%zu:])", lists);
  if (converts) mst_str_addf(out, ".astype(\"%s\")", muster_dtype_name(&file->choice.dtype, dtype));
}

/* The row groups that hold rows lo to hi. */
static void add_group_search(mst_str *out) {
  mst_str_add(out, "            begin, first, groups = 0, 0, []\n"
                   "            for group in range(file.num_row_groups):\n"
                   "                end = begin + file.metadata.row_group(group).num_rows\n"
                   "                if begin < hi and lo < end:\n"
                   "                    first = first if groups else begin\n"
                   "                    groups.append(group)\n"
                   "                begin = end\n"
                   "            table = file.read_row_groups(groups, columns=names)\n");
}

/* The value of a key of a folder. */
static void add_key_search(mst_str *out) {
  mst_str_add(out, "        def value_of(self, key: str) -> np.generic:\n"
                   "            text = (\"/\" + path).split(\"/\" + key + \"=\")[1]\n"
                   "            return self.dtype.type(text.split(\"/\")[0])\n\n");
}

/* What pyarrow reads by itself are whole row groups. */
static void add_python(const mst_python_shards *python, mst_str *out) {
  const mst_parquet_file *file = python->shards[0].detail;
  char dtype[48];
  bool has_keys = false;
  mst_str_add(out, "    import pyarrow.parquet as pq\n\n    names = [");
  for (size_t i = 0; i < file->choice.count; i++) {
    if (i > 0) mst_str_add(out, ", ");
    add_python_name(out, file->columns[i].name);
    has_keys = has_keys || file->columns[i].is_constant;
  }
  mst_str_addf(out,
               "]\n"
               "    file = pq.ParquetFile(path)\n\n"
               "    class Rows:\n"
               "        dtype = np.dtype(\"%s\")\n"
               "        shape = (file.metadata.num_rows, *SHAPE[%d:])\n\n"
               "        def __len__(self) -> int:\n"
               "            return self.shape[0]\n\n",
               muster_dtype_name(&file->choice.dtype, dtype), python->stack ? 2 : 1);
  if (has_keys) add_key_search(out);
  mst_str_add(out, "        def __getitem__(self, rows: slice) -> np.ndarray:\n"
                   "            lo, hi, _ = rows.indices(self.shape[0])\n");
  add_group_search(out);
  mst_str_add(out, "            arrays = [\n                ");
  add_array(file, out);
  if (has_keys)
    mst_str_add(out, "\n                if name in table.column_names\n"
                     "                else np.full(table.num_rows, self.value_of(name))");
  mst_str_addf(out,
               "\n                for name in names\n            ]\n"
               "            return %s[lo - first : hi - first]\n\n"
               "    return Rows()%s\n",
               file->choice.count == 1 ? "arrays[0]" : "np.stack(arrays, axis=1)",
               python->stack ? "[:][np.newaxis]" : "");
}

const mst_format mst_format_parquet = {
    .name = "parquet",
    .summary = "Parquet: columns of numbers side by side, fixed-size lists, partitioned folders",
    .extensions = ".parquet .pq",
    .takes = MST_TAKES_COLUMNS,
    .probe = probe,
    .prepare = mst_table_prepare,
    .release = mst_table_release,
    .inspect = inspect,
    .forget = forget,
    .open = mst_parquet_open,
    .close = mst_parquet_close,
    .band = mst_parquet_band,
    .read_rows = mst_parquet_read_rows,
    .write = mst_parquet_write,
    .add_python = add_python,
};
