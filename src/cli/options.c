/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/numbers.h"

enum {
  KEY_FORMAT = 0x200,
  KEY_SIDECAR,
  KEY_SOURCE_DTYPE,
  KEY_DTYPE,
  KEY_ROW_SHAPE,
  KEY_HEADER_BYTES,
  KEY_ORDER,
  KEY_ALLOW_GAPS,
  KEY_STACK,
  KEY_ROWS,
  KEY_DIRECT,
  KEY_DATASET,
  KEY_COLUMNS,
  KEY_NULL,
  KEY_STRICT,
  KEY_DECODE_CF,
  KEY_FOLLOW_EXTERNAL
};

/* More threads than any machine has processors are a slip of the hand. */
#define MOST_THREADS 4096

static const struct argp_option options[] = {
    {.name = "format", .key = KEY_FORMAT, .arg = "NAME", .doc = "Files are of this format"},
    {.name = "sidecar", .key = KEY_SIDECAR, .arg = "FILE", .doc = "JSON description of raw files"},
    {.name = "source-dtype",
     .key = KEY_SOURCE_DTYPE,
     .arg = "T",
     .doc = "What the bytes are, where files do not say: raw, bfloat16 saved as V2"},
    {.name = "dtype", .key = KEY_DTYPE, .arg = "T", .doc = "Convert to this dtype while reading"},
    {.name = "row-shape",
     .key = KEY_ROW_SHAPE,
     .arg = "S",
     .doc = "Raw files: shape of one row, 4,5 or 4x5; () for one value a row"},
    {.name = "header-bytes",
     .key = KEY_HEADER_BYTES,
     .arg = "N",
     .doc = "Raw files: bytes before the first row"},
    {.name = "order",
     .key = KEY_ORDER,
     .arg = "HOW",
     .doc = "Order of the files: auto, number, name, mtime or list (as given)"},
    {.name = "allow-gaps", .key = KEY_ALLOW_GAPS, .doc = "Accept holes in numbered names"},
    {.name = "stack", .key = KEY_STACK, .doc = "Each file is one index of a new first axis"},
    {.name = "rows",
     .key = KEY_ROWS,
     .arg = "LO:HI",
     .doc = "Only these rows; negative counts from the end"},
    {.name = "direct",
     .key = KEY_DIRECT,
     .arg = "WHEN",
     .doc = "Read large files past the page cache: auto (what is not in it, of data larger than "
            "half the free memory), always or never"},
    {.name = "dataset",
     .key = KEY_DATASET,
     .arg = "NAME",
     .doc = "Files with several arrays: which one; with * or ? those that match are shards"},
    {.name = "columns",
     .key = KEY_COLUMNS,
     .arg = "A,B",
     .doc = "Tables: these columns, in this order (a comma in a name: \\,)"},
    {.name = "null",
     .key = KEY_NULL,
     .arg = "VALUE",
     .doc = "Tables: what nulls of integer columns become (with --dtype float64 they are NaN)"},
    {.name = "strict", .key = KEY_STRICT, .doc = "Zarr: a missing chunk is an error"},
    {.name = "decode-cf",
     .key = KEY_DECODE_CF,
     .doc = "NetCDF, HDF5: apply scale_factor, add_offset, _FillValue and _Unsigned"},
    {.name = "follow-external",
     .key = KEY_FOLLOW_EXTERNAL,
     .doc = "HDF5: read files outside the dataset's folder that it refers to"},
    {.name = "threads", .key = 'j', .arg = "N", .doc = "Threads (default: by the machine)"},
    {0}};

error_t mst_option_check(mst_cli *cli, const char *option, const char *text, const char *wrong) {
  if (wrong == NULL) return 0;
  (void)mst_cli_usage(cli, "--%s: '%s' %s", option, text, wrong);
  return EINVAL;
}

error_t mst_option_count(mst_cli *cli, const char *option, const char *text, uint64_t low,
                         uint64_t high, uint64_t *out) {
  const char *wrong = mst_parse_count(text, out);
  if (wrong == NULL && *out < low) wrong = "is too small";
  if (wrong == NULL && *out > high) wrong = "is too large";
  return mst_option_check(cli, option, text, wrong);
}

error_t mst_option_threads(mst_cli *cli, const char *text, unsigned *out) {
  uint64_t count = 0;
  const error_t failed = mst_option_count(cli, "threads", text, 1, MOST_THREADS, &count);
  *out = (unsigned)count;
  return failed;
}

/* The index of the word among the `count` ones that the option knows; -1: it is none of them. */
static int word_of(const char *const words[], size_t count, const char *text) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, words[i]) == 0) return (int)i;
  return -1;
}

static const char *const orders[] = {[MUSTER_ORDER_AUTO] = "auto",
                                     [MUSTER_ORDER_NUMBER] = "number",
                                     [MUSTER_ORDER_NAME] = "name",
                                     [MUSTER_ORDER_MTIME] = "mtime",
                                     [MUSTER_ORDER_LIST] = "list"};
static const char *const directs[] = {[MUSTER_DIRECT_AUTO] = "auto",
                                      [MUSTER_DIRECT_NEVER] = "never",
                                      [MUSTER_DIRECT_ALWAYS] = "always"};

const char *mst_order_word(muster_order order) { return orders[order]; }
const char *mst_direct_word(muster_direct direct) { return directs[direct]; }

static error_t parse_order(mst_cli *cli, const char *text, muster_order *out) {
  const int found = word_of(orders, sizeof orders / sizeof *orders, text);
  if (found >= 0) *out = (muster_order)found;
  return mst_option_check(cli, "order", text,
                          found < 0 ? "is none of auto, number, name, mtime and list" : NULL);
}

static error_t parse_direct(mst_cli *cli, const char *text, muster_direct *out) {
  const int found = word_of(directs, sizeof directs / sizeof *directs, text);
  if (found >= 0) *out = (muster_direct)found;
  return mst_option_check(cli, "direct", text,
                          found < 0 ? "is none of auto, always and never" : NULL);
}

static error_t parse_row_shape(mst_data_options *data, const char *text) {
  const char *wrong = mst_parse_shape(text, data->row_shape, &data->open.row_rank);
  data->open.row_shape = data->row_shape;
  data->open.row_shape_set = true;
  return mst_option_check(data->cli, "row-shape", text, wrong);
}

static error_t parse_header_bytes(mst_data_options *data, const char *text) {
  data->open.header_bytes_set = true;
  return mst_option_count(data->cli, "header-bytes", text, 0, UINT64_MAX, &data->open.header_bytes);
}

/* Cuts the text at its commas, in place; "\\," is a comma of a name. */
static error_t parse_columns(mst_data_options *data, char *text) {
  size_t count = 0;
  char *to = text;
  data->columns[count++] = to;
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == ',') {
      if (count == MST_MOST_COLUMNS)
        return mst_option_check(data->cli, "columns", text, "begins more than 4096 names");
      *to++ = '\0';
      data->columns[count++] = to;
    } else {
      if (at[0] == '\\' && at[1] == ',') at++;
      *to++ = *at;
    }
  }
  *to = '\0';
  data->open.columns = data->columns;
  data->open.column_count = count;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  mst_data_options *data = state->input;
  muster_open_options *open = &data->open;
  switch (key) {
  case KEY_FORMAT: open->format = arg; return 0;
  case KEY_SIDECAR: open->sidecar = arg; return 0;
  case KEY_SOURCE_DTYPE: open->source_dtype = arg; return 0;
  case KEY_DTYPE: open->dtype = arg; return 0;
  case KEY_ALLOW_GAPS: open->allow_gaps = true; return 0;
  case KEY_STACK: open->stack = true; return 0;
  case KEY_ROW_SHAPE: return parse_row_shape(data, arg);
  case KEY_HEADER_BYTES: return parse_header_bytes(data, arg);
  case KEY_DIRECT: return parse_direct(data->cli, arg, &open->direct);
  case KEY_ORDER: return parse_order(data->cli, arg, &open->order);
  case KEY_ROWS: return mst_option_check(data->cli, "rows", arg, mst_parse_rows(arg, &open->rows));
  case KEY_DATASET: open->dataset = arg; return 0;
  case KEY_COLUMNS: return parse_columns(data, arg);
  case KEY_NULL: open->null_value = arg; return 0;
  case KEY_STRICT: open->strict = true; return 0;
  case KEY_DECODE_CF: open->decode_cf = true; return 0;
  case KEY_FOLLOW_EXTERNAL: open->follow_external = true; return 0;
  case 'j': return mst_option_threads(data->cli, arg, &open->threads);
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp mst_data_argp = {.options = options, .parser = parse};

void mst_data_options_init(mst_data_options *data, mst_cli *cli) {
  *data = (mst_data_options){.cli = cli};
  muster_open_options_init(&data->open);
  data->open.on_fault = mst_cli_keep_fault;
  data->open.on_fault_user = cli;
}

int mst_data_open(mst_data_options *data, muster_dataset **out, muster_error *error) {
  muster_error own;
  mst_cli *cli = data->cli;
  muster_error *fault = error != NULL ? error : &own;
  const muster_status status =
      muster_open(cli->paths.data, cli->paths.length, &data->open, out, fault);
  if (status != MUSTER_OK) {
    if (error == NULL) return mst_cli_fail(cli, fault);
    return status == MUSTER_ERR_USAGE ? MST_EXIT_USAGE : MST_EXIT_WRONG;
  }
  mst_cli_print_notes(cli, *out);
  return MST_EXIT_DONE;
}

int mst_data_check_whole(const mst_data_options *data) {
  const muster_open_options *open = &data->open;
  const bool all_rows = open->rows.lo == 0 && open->rows.hi == INT64_MAX;
  if (all_rows && open->dtype == NULL && !open->stack) return MST_GO_ON;
  return mst_cli_usage(data->cli, "files are checked as a whole and as they are: --rows, --dtype "
                                  "and --stack have no meaning here");
}
