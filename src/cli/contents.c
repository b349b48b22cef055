/* SPDX-License-Identifier: Apache-2.0 */
/* What a file holds, as inspect shows it. */
#include "cli/contents.h"

static void add_array(mst_table *table, const mst_content *content) {
  mst_str shape = {0};
  mst_add_shape(&shape, content->rank, content->shape);
  mst_table_take(table, &shape);
  mst_table_add(table, content->dtype[0] != '\0' ? content->dtype : "no dtype of NumPy");
}

/* "float32 (3,)": of a column the rows are not its own. */
static void add_column(mst_table *table, const mst_content *content) {
  mst_str text = {0};
  mst_str_add(&text, content->dtype);
  if (content->rank > 0) {
    mst_str_add(&text, " ");
    mst_add_shape(&text, content->rank, content->shape);
  }
  if (content->hidden) mst_str_add(&text, ", when it is named");
  mst_table_take(table, &text);
}

static void add_safe_cell(mst_table *table, const char *words) {
  mst_str cell = {0};
  mst_add_safe(&cell, words);
  mst_table_take(table, &cell);
}

void mst_add_contents(mst_str *out, const mst_contents *contents) {
  mst_table table = {.align = contents->are_columns ? "ll" : "lll"};
  for (size_t i = 0; i < contents->each.length; i++) {
    const mst_content *content = &contents->each.data[i];
    add_safe_cell(&table, content->name);
    if (content->instead != NULL && !contents->are_columns) mst_table_add(&table, "");
    if (content->instead != NULL)
      add_safe_cell(&table, content->instead);
    else if (contents->are_columns)
      add_column(&table, content);
    else
      add_array(&table, content);
  }
  mst_table_print(&table, out, 2);
  if (contents->left_out > 0) mst_str_addf(out, "  and %zu more\n", contents->left_out);
}

static void add_json(yyjson_mut_doc *doc, yyjson_mut_val *item, const mst_content *content) {
  mst_json_add_text(doc, item, "name", content->name);
  if (content->instead == NULL)
    mst_json_add_shape(doc, item, "shape", content->shape, content->rank);
  else
    yyjson_mut_obj_add_null(doc, item, "shape");
  mst_json_add_text(doc, item, "dtype", content->dtype[0] != '\0' ? content->dtype : NULL);
  mst_json_add_text(doc, item, "instead", content->instead);
  yyjson_mut_obj_add_bool(doc, item, "hidden", content->hidden);
}

void mst_json_add_contents(yyjson_mut_doc *doc, yyjson_mut_val *root,
                           const mst_contents *contents) {
  if (contents->each.length == 0) {
    yyjson_mut_obj_add_null(doc, root, "contents");
    return;
  }
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "contents");
  for (size_t i = 0; i < contents->each.length; i++)
    add_json(doc, yyjson_mut_arr_add_obj(doc, list), &contents->each.data[i]);
}
