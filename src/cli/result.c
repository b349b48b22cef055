/* SPDX-License-Identifier: Apache-2.0 */
/* Results as JSON. The objects are described in docs/json.md and docs/schemas. */
#include "cli/cli.h"

bool mst_result_begin(mst_cli *cli, mst_result *result, const char *schema) {
  *result = (mst_result){.doc = mst_json_new()};
  if (result->doc == NULL) {
    (void)mst_cli_fail_memory(cli);
    return false;
  }
  result->root = yyjson_mut_obj(result->doc);
  yyjson_mut_doc_set_root(result->doc, result->root);
  mst_json_add_text(result->doc, result->root, "schema", schema);
  return true;
}

int mst_result_end(mst_cli *cli, mst_result *result) {
  muster_error error;
  const muster_status status = mst_json_text(result->doc, &cli->result, &error);
  yyjson_mut_doc_free(result->doc);
  *result = (mst_result){0};
  if (status == MUSTER_OK) return MST_EXIT_DONE;
  mst_str_reset(&cli->result); /* said now; not once more when there is nothing to print */
  return mst_cli_fail(cli, &error);
}

bool mst_json_line(yyjson_mut_doc *doc, mst_str *out) {
  size_t length = 0;
  char *line = mst_json_failed(doc) ? NULL
                                    : yyjson_mut_write_opts(doc, YYJSON_WRITE_NEWLINE_AT_END,
                                                            &doc->alc, &length, NULL);
  if (line == NULL) return false;
  mst_str_add_bytes(out, line, length);
  doc->alc.free(doc->alc.ctx, line);
  return !out->failed;
}

void mst_json_add_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       const char *text) {
  if (text == NULL) {
    yyjson_mut_obj_add_null(doc, object, key);
  } else {
    yyjson_mut_obj_add_val(doc, object, key, mst_json_name(doc, text));
  }
}

void mst_json_add_dtype(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        const muster_dtype *dtype) {
  char name[48];
  mst_json_add_text(doc, object, key, muster_dtype_name(dtype, name));
}

void mst_json_add_shape(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        const uint64_t *shape, size_t rank) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, key);
  for (size_t i = 0; i < rank; i++)
    yyjson_mut_arr_add_uint(doc, list, shape[i]);
}

void mst_json_add_paths(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_cli *cli) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, "inputs");
  for (size_t i = 0; i < cli->paths.length; i++) {
    yyjson_mut_arr_append(list, mst_json_name(doc, cli->paths.data[i]));
  }
}

void mst_json_add_notes(yyjson_mut_doc *doc, yyjson_mut_val *object,
                        const muster_dataset *dataset) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, "notes");
  const size_t count = dataset != NULL ? muster_dataset_note_count(dataset) : 0;
  for (size_t i = 0; i < count; i++) {
    yyjson_mut_arr_append(list, mst_json_name(doc, muster_dataset_note(dataset, i)));
  }
}

static void add_problem(yyjson_mut_doc *doc, yyjson_mut_val *list, const muster_error *error) {
  yyjson_mut_val *problem = yyjson_mut_arr_add_obj(doc, list);
  mst_json_add_text(doc, problem, "path", error->path[0] != '\0' ? error->path : NULL);
  mst_json_add_text(doc, problem, "status", muster_status_name(error->status));
  if (error->offset >= 0) {
    yyjson_mut_obj_add_int(doc, problem, "offset", error->offset);
  } else {
    yyjson_mut_obj_add_null(doc, problem, "offset");
  }
  mst_json_add_text(doc, problem, "message", error->message);
}

void mst_json_add_problems(yyjson_mut_doc *doc, yyjson_mut_val *object, const mst_cli *cli,
                           const muster_error *error) {
  yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, "problems");
  for (size_t i = 0; i < cli->faults.length; i++)
    add_problem(doc, list, &cli->faults.data[i]);
  if (cli->faults.length == 0 && error != NULL) add_problem(doc, list, error);
}
