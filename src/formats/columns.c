/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/columns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/printable.h"
#include "base/shape.h"
#include "base/status.h"

#define MOST_LISTED 20

struct mst_table {
  pthread_mutex_t lock;
  mst_names names; /* of the first good shard; not changed once there are some */
  char *first;     /* its file */
};

mst_table *mst_table_new(void) {
  mst_table *table = mst_calloc(1, sizeof *table);
  if (table != NULL) pthread_mutex_init(&table->lock, NULL);
  return table;
}

void mst_table_free(mst_table *table) {
  if (table == NULL) return;
  pthread_mutex_destroy(&table->lock);
  mst_names_reset(&table->names);
  mst_free(table->first);
  mst_free(table);
}

muster_status mst_table_prepare(const mst_setup *setup, void **context, muster_error *error) {
  (void)setup;
  *context = mst_table_new();
  return *context != NULL ? MUSTER_OK : mst_fail_memory(error);
}

void mst_table_release(void *context) { mst_table_free(context); }

void mst_choice_reset(mst_choice *choice) {
  mst_free(choice->taken);
  *choice = (mst_choice){0};
}

/* One call of mst_columns_choose. */
typedef struct mst_choosing {
  const mst_source *source;
  const mst_column *columns;
  size_t count;
  mst_choice *choice;
  const mst_names *reference; /* the first shard's names; NULL: this is the first */
  const char *first;          /* its file */
} mst_choosing;

static const mst_column *taken_column(const mst_choosing *choosing, size_t i) {
  return &choosing->columns[choosing->choice->taken[i].index];
}

/* ---- lists for errors ----------------------------------------------------------------------- */

typedef bool (*mst_column_test)(const mst_column *column);

static bool is_numbers(const mst_column *column) { return column->kind == NULL; }
static bool is_other(const mst_column *column) { return column->kind != NULL; }
static bool is_open(const mst_column *column) { return !column->hidden; }

static void add_what(mst_str *out, const mst_column *column) {
  char name[48];
  mst_str_addf(out, " (%s",
               column->kind != NULL ? column->kind : muster_dtype_name(&column->dtype, name));
  if (column->rank > 0) {
    mst_str_add(out, " ");
    mst_add_shape(out, column->rank, column->shape);
  }
  mst_str_add(out, ")");
}

/* A list within an error: whole items only, because its reader copies them. */
typedef struct mst_column_list {
  mst_str text;
  const char *separator;
  bool with_types;
  size_t room; /* bytes, about; the first item may take more */
  size_t listed, more;
} mst_column_list;

static void add_column(mst_column_list *list, const mst_column *column) {
  const size_t mark = list->text.length;
  if (list->listed > 0) mst_str_add(&list->text, list->separator);
  mst_add_printable(&list->text, column->name);
  if (list->with_types) add_what(&list->text, column);
  const bool fits = list->listed == 0 || list->text.length <= list->room;
  if (list->more == 0 && list->listed < MOST_LISTED && fits) {
    list->listed++;
    return;
  }
  mst_str_cut(&list->text, mark);
  list->more++;
}

static const char *end_list(mst_column_list *list) {
  if (list->more > 0) mst_str_addf(&list->text, " and %zu more", list->more);
  return mst_str_text(&list->text);
}

/* The columns that pass the test, of those that are not hidden. */
static const char *list_columns(mst_column_list *list, const mst_choosing *choosing,
                                mst_column_test test) {
  for (size_t i = 0; i < choosing->count; i++)
    if (!choosing->columns[i].hidden && test(&choosing->columns[i]))
      add_column(list, &choosing->columns[i]);
  return end_list(list);
}

static const char *list_taken(mst_column_list *list, const mst_choosing *choosing) {
  for (size_t i = 0; i < choosing->choice->count; i++)
    add_column(list, taken_column(choosing, i));
  return end_list(list);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The columns by name, so that many are found in little time. */
typedef struct mst_name_index {
  const mst_column **sorted;
  size_t count;
} mst_name_index;

/* Columns of one name stay in their order. */
static int compare_columns(const void *x, const void *y) {
  const mst_column *a = *(const mst_column *const *)x, *b = *(const mst_column *const *)y;
  const int names = strcmp(a->name, b->name);
  return names != 0 ? names : (a > b) - (a < b);
}

static bool index_names(const mst_choosing *choosing, mst_name_index *index) {
  index->count = choosing->count;
  index->sorted = mst_calloc(mst_larger(choosing->count, 1), sizeof *index->sorted);
  if (index->sorted == NULL) return false;
  for (size_t i = 0; i < choosing->count; i++)
    index->sorted[i] = &choosing->columns[i];
  qsort(index->sorted, index->count, sizeof *index->sorted, compare_columns);
  return true;
}

/* The first of that name, NULL: none; *repeated: there are others. */
static const mst_column *find_column(const mst_name_index *index, const char *name,
                                     bool *repeated) {
  size_t lo = 0, hi = index->count;
  while (lo < hi) {
    const size_t middle = lo + (hi - lo) / 2;
    if (strcmp(index->sorted[middle]->name, name) < 0)
      lo = middle + 1;
    else
      hi = middle;
  }
  if (lo == index->count || strcmp(index->sorted[lo]->name, name) != 0) return NULL;
  *repeated = lo + 1 < index->count && strcmp(index->sorted[lo + 1]->name, name) == 0;
  return index->sorted[lo];
}

static muster_status refuse_missing(const mst_choosing *choosing, const char *name,
                                    muster_error *error) {
  mst_str shown = {0};
  mst_column_list list = {.separator = ", ", .room = 300};
  mst_add_printable(&shown, name);
  const char *names = list_columns(&list, choosing, is_open);
  muster_status status;
  if (choosing->source->options->columns != NULL)
    status = mst_fail(error, MUSTER_ERR_NOT_FOUND, choosing->source->path,
                      "no column '%.100s'; there are %.350s", mst_str_text(&shown), names);
  else
    status = mst_fail(error, MUSTER_ERR_MISMATCH, choosing->source->path,
                      "no column '%.100s', which the first shard, %.150s, has",
                      mst_str_text(&shown), choosing->first);
  mst_str_reset(&shown);
  mst_str_reset(&list.text);
  return status;
}

static muster_status about_name(const mst_choosing *choosing, const char *name, const char *format,
                                muster_error *error) {
  mst_str shown = {0};
  mst_add_printable(&shown, name);
  const muster_status status = mst_fail(error, MUSTER_ERR_MISMATCH, choosing->source->path,
                                        "column '%.100s' %s", mst_str_text(&shown), format);
  mst_str_reset(&shown);
  return status;
}

/* Names twice in the first shard stand there for one and the same place. */
static muster_status take_named(const mst_choosing *choosing, const char *const *names,
                                size_t count, muster_error *error) {
  mst_name_index index;
  if (!index_names(choosing, &index)) return mst_fail_memory(error);
  muster_status status = MUSTER_OK;
  for (size_t i = 0; status == MUSTER_OK && i < count; i++) {
    bool repeated = false;
    const mst_column *column = find_column(&index, names[i], &repeated);
    if (column == NULL)
      status = refuse_missing(choosing, names[i], error);
    else if (repeated)
      status = about_name(choosing, names[i], "is there more than once: rename it", error);
    else
      choosing->choice->taken[i].index = (size_t)(column - choosing->columns);
  }
  mst_free(index.sorted);
  return status;
}

static size_t count_open(const mst_choosing *choosing) {
  size_t count = 0;
  for (size_t i = 0; i < choosing->count; i++)
    count += !choosing->columns[i].hidden;
  return count;
}

static void take_all(const mst_choosing *choosing) {
  size_t next = 0;
  for (size_t i = 0; i < choosing->count; i++)
    if (!choosing->columns[i].hidden) choosing->choice->taken[next++].index = i;
}

/* A column that the first shard has not, where all others are there. */
static muster_status refuse_extra(const mst_choosing *choosing, muster_error *error) {
  bool *is_taken = mst_calloc(choosing->count, sizeof *is_taken);
  if (is_taken == NULL) return mst_fail_memory(error);
  for (size_t i = 0; i < choosing->choice->count; i++)
    is_taken[choosing->choice->taken[i].index] = true;
  size_t extra = 0;
  while (choosing->columns[extra].hidden || is_taken[extra])
    extra++;
  mst_free(is_taken);
  mst_str text = {0};
  mst_str_addf(&text, "is not in the first shard, %.150s: choose with --columns", choosing->first);
  const muster_status status =
      about_name(choosing, choosing->columns[extra].name, mst_str_text(&text), error);
  mst_str_reset(&text);
  return status;
}

static bool is_like_first(const mst_choosing *choosing) {
  size_t at = 0;
  for (size_t i = 0; i < choosing->count; i++) {
    if (choosing->columns[i].hidden) continue;
    if (at == choosing->reference->length ||
        strcmp(choosing->columns[i].name, choosing->reference->data[at++]) != 0)
      return false;
  }
  return at == choosing->reference->length;
}

static muster_status take_columns(const mst_choosing *choosing, muster_error *error) {
  const muster_open_options *options = choosing->source->options;
  const size_t there = count_open(choosing);
  const bool by_reference = choosing->reference != NULL && options->columns == NULL;
  size_t count = options->columns != NULL ? options->column_count : there;
  if (by_reference) count = choosing->reference->length;
  if (count == 0)
    return mst_fail(error, MUSTER_ERR_MISMATCH, choosing->source->path, "has no columns");
  choosing->choice->taken = mst_calloc(count, sizeof *choosing->choice->taken);
  if (choosing->choice->taken == NULL) return mst_fail_memory(error);
  choosing->choice->count = count;
  if (options->columns != NULL) return take_named(choosing, options->columns, count, error);
  if (!by_reference || is_like_first(choosing)) {
    take_all(choosing);
    return MUSTER_OK;
  }
  const muster_status status =
      take_named(choosing, (const char *const *)choosing->reference->data, count, error);
  return status == MUSTER_OK && there > count ? refuse_extra(choosing, error) : status;
}

/* ---- what they are together ----------------------------------------------------------------- */

static muster_status refuse_named(const mst_choosing *choosing, const mst_column *column,
                                  muster_error *error) {
  mst_str shown = {0};
  mst_add_printable(&shown, column->name);
  const muster_status status = mst_fail(
      error, MUSTER_ERR_UNSUPPORTED, choosing->source->path,
      "column '%.100s' is %.60s: only numbers, times and fixed-size lists of them are read",
      mst_str_text(&shown), column->kind);
  mst_str_reset(&shown);
  return status;
}

static muster_status refuse_others(const mst_choosing *choosing, muster_error *error) {
  mst_column_list others = {.separator = ", ", .with_types = true, .room = 180};
  mst_column_list numbers = {.separator = ",", .room = 180};
  const char *listed = list_columns(&others, choosing, is_other);
  const char *wanted = list_columns(&numbers, choosing, is_numbers);
  muster_status status;
  if (numbers.listed == 0)
    status = mst_fail(error, MUSTER_ERR_UNSUPPORTED, choosing->source->path,
                      "no column of numbers: %.400s", listed);
  else
    status = mst_fail(error, MUSTER_ERR_UNSUPPORTED, choosing->source->path,
                      "columns that are no numbers: %.200s; name the others: --columns %.200s",
                      listed, wanted);
  mst_str_reset(&others.text);
  mst_str_reset(&numbers.text);
  return status;
}

static muster_status check_numbers(const mst_choosing *choosing, muster_error *error) {
  for (size_t i = 0; i < choosing->choice->count; i++) {
    const mst_column *column = taken_column(choosing, i);
    if (column->kind == NULL) continue;
    return choosing->source->options->columns != NULL ? refuse_named(choosing, column, error)
                                                      : refuse_others(choosing, error);
  }
  return MUSTER_OK;
}

static muster_status refuse_together(const mst_choosing *choosing, const char *what,
                                     const char *advice, muster_error *error) {
  mst_column_list list = {.separator = ", ", .with_types = true, .room = 260};
  const char *taken = list_taken(&list, choosing);
  const muster_status status = mst_fail(error, MUSTER_ERR_MISMATCH, choosing->source->path,
                                        "%s: %.300s; %s", what, taken, advice);
  mst_str_reset(&list.text);
  return status;
}

static muster_status settle_shape(const mst_choosing *choosing, mst_schema *schema,
                                  muster_error *error) {
  const mst_column *first = taken_column(choosing, 0);
  const size_t count = choosing->choice->count;
  for (size_t i = 1; i < count; i++) {
    const mst_column *column = taken_column(choosing, i);
    if (!mst_same_shape(first->rank, first->shape, column->rank, column->shape))
      return refuse_together(choosing, "columns of several shapes", "choose some with --columns",
                             error);
  }
  schema->rank = 1;
  if (count > 1) schema->shape[schema->rank++] = count;
  memcpy(schema->shape + schema->rank, first->shape, first->rank * sizeof *first->shape);
  schema->rank += first->rank;
  uint64_t row;
  if (!mst_shape_elements(first->rank, first->shape, 1, &choosing->choice->elements) ||
      !mst_shape_elements(schema->rank - 1, schema->shape + 1, 32, &row))
    return mst_fail(error, MUSTER_ERR_FORMAT, choosing->source->path, "the rows are too large");
  return MUSTER_OK;
}

static bool all_equal(const mst_choosing *choosing) {
  for (size_t i = 1; i < choosing->choice->count; i++)
    if (!mst_dtype_equal(&taken_column(choosing, 0)->dtype, &taken_column(choosing, i)->dtype))
      return false;
  return true;
}

/* Counts of different units are not to be mixed up among integers. */
static bool has_several_times(const mst_choosing *choosing) {
  const muster_dtype *time = NULL;
  for (size_t i = 0; i < choosing->choice->count; i++) {
    const muster_dtype *dtype = &taken_column(choosing, i)->dtype;
    if (!mst_is_time(dtype->type)) continue;
    if (time != NULL && !mst_dtype_equal(time, dtype)) return true;
    time = dtype;
  }
  return false;
}

/* Nulls of integers become NaN on the way to floats. */
static bool wants_nan(const mst_choosing *choosing, const muster_dtype *wanted) {
  const muster_type type = taken_column(choosing, 0)->dtype.type;
  const char *null = choosing->source->options->null_value;
  if ((null != NULL && !mst_is_nan_text(null)) || !mst_is_inexact(wanted->type)) return false;
  if (mst_is_inexact(type) || mst_is_time(type)) return false;
  for (size_t i = 0; i < choosing->choice->count; i++)
    if (taken_column(choosing, i)->nullable) return true;
  return false;
}

static muster_status settle_converters(const mst_choosing *choosing, muster_error *error) {
  mst_choice *choice = choosing->choice;
  for (size_t i = 0; i < choice->count; i++) {
    const muster_dtype *from = &taken_column(choosing, i)->dtype;
    choice->taken[i].is_float = mst_is_inexact(from->type);
    choice->taken[i].convert = mst_converter(from, &choice->dtype);
    if (choice->taken[i].convert == NULL)
      return refuse_together(choosing, "columns that do not all become what --dtype says",
                             "numbers are cast as NumPy's same_kind allows", error);
  }
  if (has_several_times(choosing))
    return refuse_together(choosing, "times of several kinds", "choose some with --columns", error);
  return MUSTER_OK;
}

static muster_status settle_dtype(const mst_choosing *choosing, muster_error *error) {
  const char *asked = choosing->source->options->dtype;
  muster_dtype wanted = {0};
  if (asked != NULL) {
    const muster_status status = muster_dtype_parse(asked, &wanted, error);
    if (status != MUSTER_OK) return status;
  }
  const bool is_one = all_equal(choosing);
  /* What cannot be a result is refused by the caller. */
  const bool usable = asked != NULL && !wanted.swapped && !mst_is_source_only(wanted.type);
  choosing->choice->dtype = taken_column(choosing, 0)->dtype;
  if (!is_one && !usable)
    return refuse_together(choosing, "columns of several types",
                           "say what they shall become with --dtype, or choose with --columns",
                           error);
  if (usable && (!is_one || wants_nan(choosing, &wanted))) choosing->choice->dtype = wanted;
  return settle_converters(choosing, error);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static muster_status choose(const mst_choosing *choosing, mst_schema *schema, muster_error *error) {
  muster_status status = take_columns(choosing, error);
  if (status == MUSTER_OK) status = check_numbers(choosing, error);
  if (status == MUSTER_OK) status = settle_shape(choosing, schema, error);
  if (status == MUSTER_OK) status = settle_dtype(choosing, error);
  if (status == MUSTER_OK) status = mst_settle_nulls(choosing->source, choosing->choice, error);
  schema->dtype = choosing->choice->dtype;
  return status;
}

/* The first good shard is what the others must be like. */
static muster_status remember(mst_table *table, const mst_choosing *choosing, muster_error *error) {
  muster_status status = MUSTER_OK;
  pthread_mutex_lock(&table->lock);
  if (table->first == NULL) {
    table->first = mst_strdup(mst_base_name(choosing->source->path));
    if (table->first == NULL) status = mst_fail_memory(error);
    for (size_t i = 0; status == MUSTER_OK && i < choosing->count; i++)
      if (!choosing->columns[i].hidden &&
          !mst_names_take(&table->names, mst_strdup(choosing->columns[i].name)))
        status = mst_fail_memory(error);
  }
  pthread_mutex_unlock(&table->lock);
  return status;
}

muster_status mst_columns_choose(mst_table *table, const mst_source *source,
                                 const mst_column *columns, size_t count, mst_choice *choice,
                                 mst_schema *schema, muster_error *error) {
  *choice = (mst_choice){0};
  if (source->see_columns != NULL) source->see_columns(source->see_user, columns, count);
  mst_choosing choosing = {.source = source, .columns = columns, .count = count, .choice = choice};
  pthread_mutex_lock(&table->lock);
  if (table->first != NULL) {
    choosing.reference = &table->names;
    choosing.first = table->first;
  }
  pthread_mutex_unlock(&table->lock);
  const muster_status status = choose(&choosing, schema, error);
  if (status != MUSTER_OK || choosing.reference != NULL) return status;
  return remember(table, &choosing, error);
}
