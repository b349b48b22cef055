/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a recipe, part by part in its order. Only what the dataset at hand needs is written,
 * and laid out as `ruff format` lays it out.
 */
#include "load/recipe_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/python_text.h"

/* ---- what is asked of the facts ------------------------------------------------------------- */

static bool is_widened(const mst_recipe_facts *facts) {
  return facts->dataset->source.dtype.type == MUSTER_BFLOAT16;
}

static bool has_other_dtype(const mst_recipe_facts *facts) {
  return !mst_dtype_equal(&facts->dataset->source.dtype, &facts->dtype);
}

/* The first or last file holds rows that the array is without. */
static bool is_cut(const mst_recipe_facts *facts) {
  return facts->rows_in_files != facts->dataset->shape[0];
}

/* NumPy's name of the elements of the files; it has none for bfloat16. */
static void add_source_dtype(mst_str *out, const mst_recipe_facts *facts) {
  char name[48];
  mst_str_add(out,
              is_widened(facts) ? "V2" : muster_dtype_name(&facts->dataset->source.dtype, name));
}

static void add_array_dtype(mst_str *out, const mst_recipe_facts *facts) {
  char name[48];
  mst_str_add(out, muster_dtype_name(&facts->dtype, name));
}

static void add_array_shape(mst_str *out, const mst_recipe_facts *facts) {
  mst_add_shape(out, muster_dataset_rank(facts->dataset), facts->dataset->shape);
}

/* ---- head ----------------------------------------------------------------------------------- */

void mst_recipe_add_command(mst_str *out, uint64_t sysmem, const char *file) {
  mst_str_addf(out, "legate --cpus 4 --gpus 0 --sysmem %" PRIu64 " %s", sysmem, file);
}

static void add_summary(mst_str *out, const mst_recipe_facts *facts) {
  char size[24];
  const char *format = facts->dataset->format->name;
  const size_t count = facts->python.count;
  mst_str_addf(out, "\"\"\"Loads %zu ", count);
  if (facts->by_member)
    mst_str_addf(out, "arrays in %s files", format);
  else
    mst_str_addf(out, "%s file%s", format, count == 1 ? "" : "s");
  mst_str_add(out, " as one cuPyNumeric array, in parallel.\n\n");
  mst_str_add(out, "The array is ");
  add_array_dtype(out, facts);
  mst_str_add(out, " of shape ");
  add_array_shape(out, facts);
  mst_str_addf(out, ", %s. Start this program by\n\n    ",
               mst_human_bytes((double)facts->bytes, size));
  mst_recipe_add_command(out, facts->sysmem, facts->file);
  mst_str_add(
      out, "\n\n"
           "or with another number of CPUs. sysmem, in MiB, is enough for this array alone: add\n"
           "what your own arrays take. On GPUs, say --gpus N and the fbmem of each of them in\n"
           "place of these; CuPy must be installed there.\n"
           "\"\"\"\n\n");
}

static void add_imports(mst_str *out, const mst_format *format) {
  if (format->python_first != NULL) mst_str_add(out, format->python_first);
  mst_str_add(out, "from bisect import bisect_right\n\n"
                   "import cupynumeric as cn\n"
                   "import numpy as np\n"
                   "from legate.core import (\n"
                   "    TaskContext,\n"
                   "    VariantCode,\n"
                   "    as_logical_array,\n"
                   "    get_legate_runtime,\n"
                   "    get_machine,\n"
                   ")\n"
                   "from legate.core.task import OutputStore, task\n\n");
}

/* ---- constants ------------------------------------------------------------------------------ */

/* The file of a shard, and which array of it if that must be said; false: out of memory. */
static bool takes_description(const mst_recipe_facts *facts) {
  return (facts->dataset->format->takes & MST_TAKES_DESCRIPTION) != 0;
}

static bool add_entry(mst_names *entries, const mst_recipe_facts *facts, const mst_shard *shard) {
  mst_str entry = {0};
  mst_str_add(&entry, shard->path);
  if (facts->by_member) {
    mst_str_add(&entry, MST_RECIPE_SEPARATOR);
    mst_str_add(&entry, facts->dataset->format->python_member(shard));
  }
  return mst_names_take(entries, mst_str_take(&entry));
}

static void add_files(mst_str *out, const mst_recipe_facts *facts) {
  const size_t count = facts->python.count;
  mst_names entries = {0};
  bool failed = false;
  for (size_t i = 0; i < count && !failed; i++)
    failed = !add_entry(&entries, facts, &facts->python.shards[i]);
  if (failed) {
    out->failed = true;
    mst_names_reset(&entries);
    return;
  }
  mst_str_addf(out, "# In the order of their rows%s.\n",
               entries.data[0][0] == '/' ? "" : ", found from the folder where this is started");
  if (facts->by_member) mst_str_add(out, "# Behind a file stands which of its arrays is meant.\n");
  if (facts->left_out) mst_str_add(out, "# Files without rows are left out.\n");
  if (facts->is_part) mst_str_add(out, "# Only those that hold the rows asked for.\n");
  mst_add_python_list(out, "FILES", (const char *const *)entries.data, count);
  mst_names_reset(&entries);
}

static void add_dtypes(mst_str *out, const mst_recipe_facts *facts) {
  const muster_type type = facts->dataset->source.dtype.type;
  if (mst_is_time(type) && facts->dtype.type == MUSTER_INT64)
    mst_str_add(out, "# cuPyNumeric has no times: these are their counts of units.\n");
  mst_str_add(out, "DTYPE = np.dtype(\"");
  add_array_dtype(out, facts);
  mst_str_add(out, "\")\n");
  if (takes_description(facts) || !has_other_dtype(facts)) return;
  mst_str_add(out, "DTYPE_IN_FILES = np.dtype(\"");
  add_source_dtype(out, facts);
  mst_str_addf(out, "\")%s\n", is_widened(facts) ? "  # bfloat16, which NumPy has not" : "");
}

static void add_constants(mst_str *out, const mst_recipe_facts *facts) {
  add_files(out, facts);
  mst_str_add(out, "SHAPE = ");
  add_array_shape(out, facts);
  mst_str_add(out, "\n");
  add_dtypes(out, facts);
  if (is_cut(facts)) mst_str_addf(out, "ROWS_IN_FILES = %" PRIu64 "\n", facts->rows_in_files);
  if (facts->rows_before > 0)
    mst_str_addf(out, "ROWS_BEFORE = %" PRIu64 "  # in the first file, that are not wanted\n",
                 facts->rows_before);
  mst_str_addf(out, "PIECE = %" PRIu64 "  # rows that are read at a time\n\n\n", facts->piece);
}

/* ---- the files ------------------------------------------------------------------------------ */

static void add_open_shard(mst_str *out, const mst_recipe_facts *facts) {
  mst_str_add(out, "def open_shard(path: str) -> np.ndarray:\n"
                   "    \"\"\"The array of a file; only rows that are sliced are read.\"\"\"\n");
  if (facts->by_member)
    mst_str_add(out, "    path, _, member = path.rpartition(\"" MST_RECIPE_SEPARATOR "\")\n");
  facts->dataset->format->add_python(&facts->python, out);
  mst_str_add(out, "\n\n");
}

static void add_read_rows(mst_str *out, const mst_recipe_facts *facts) {
  const bool converts = facts->swapped || has_other_dtype(facts);
  mst_str_add(out, "def read_rows(path: str, lo: int, hi: int) -> np.ndarray:\n"
                   "    \"\"\"Rows lo to hi of a file, as they are in the array.\"\"\"\n");
  if (is_widened(facts)) {
    mst_str_addf(out,
                 "    # A bfloat16 is the upper half of a float32.\n"
                 "    halves = open_shard(path)[lo:hi].view(\"%cu2\").astype(\"uint32\")\n"
                 "    return (halves << 16).view(\"float32\")",
                 facts->swapped ? '>' : '<');
    mst_str_add(out, facts->dtype.type == MUSTER_FLOAT32 ? "\n" : ".astype(DTYPE)\n");
  } else {
    mst_str_addf(out, "    return open_shard(path)[lo:hi]%s\n",
                 converts ? ".astype(DTYPE, copy=False)" : "");
  }
  mst_str_add(out, "\n\n");
}

/* Files that do not say what they hold can only be of another size. */
static void add_comparison(mst_str *out, const mst_recipe_facts *facts) {
  if (takes_description(facts)) return;
  mst_str_addf(out,
               "        dtype = shard.dtype%s\n"
               "        if shard.shape[1:] != SHAPE[1:] or dtype != %s:\n"
               "            raise ValueError(f\"{path} has become {dtype}, {shard.shape}\")\n",
               facts->swapped ? ".newbyteorder(\"=\")" : "",
               has_other_dtype(facts) ? "DTYPE_IN_FILES" : "DTYPE");
}

static void add_find_rows(mst_str *out, const mst_recipe_facts *facts) {
  mst_str_addf(
      out,
      "def find_rows() -> list[int]:\n"
      "    \"\"\"The row of the array at which each file begins, and the last one ends.\n\n"
      "    What is wrong with a file is found here, before there are tasks.\n"
      "    \"\"\"\n"
      "    starts = [%s]\n"
      "    for path in FILES:\n"
      "        try:\n"
      "            shard = open_shard(path)\n"
      "        except ValueError as error:\n"
      "            error.add_note(f\"in the file {path}\")\n"
      "            raise\n",
      facts->rows_before > 0 ? "-ROWS_BEFORE" : "0");
  add_comparison(out, facts);
  mst_str_add(out, "        starts.append(starts[-1] + shard.shape[0])\n");
  const char *rows = is_cut(facts) ? "ROWS_IN_FILES" : "SHAPE[0]";
  mst_str_addf(out,
               "    rows = starts[-1] - starts[0]\n"
               "    if rows != %s:\n"
               "        raise ValueError(f\"the files have {rows} rows, not {%s}\")\n"
               "    return starts\n\n\n"
               "STARTS = find_rows()\n\n\n",
               rows, rows);
}

/* ---- the task ------------------------------------------------------------------------------- */

static const char load_tile[] =
    "@task(variants=(VariantCode.CPU, VariantCode.OMP, VariantCode.GPU))\n"
    "def load_tile(ctx: TaskContext, out: OutputStore) -> None:\n"
    "    \"\"\"Fills one tile. Calls of cuPyNumeric in here would abort the program.\"\"\"\n"
    "    if ctx.get_variant_kind() == VariantCode.GPU:\n"
    "        import cupy as xp  # the tile lies in the memory of the GPU\n"
    "    else:\n"
    "        xp = np\n"
    "    tile = xp.asarray(out)\n"
    "    first, end = out.domain.lo[0], out.domain.hi[0] + 1  # of the whole array\n"
    "    row = first\n"
    "    while row < end:\n"
    "        i = bisect_right(STARTS, row) - 1\n"
    "        stop = min(end, row + PIECE, STARTS[i + 1])\n"
    "        rows = read_rows(FILES[i], row - STARTS[i], stop - STARTS[i])\n"
    "        tile[row - first : stop - first] = xp.asarray(rows)\n"
    "        row = stop\n"
    "    if xp is not np:\n"
    "        xp.cuda.get_current_stream().synchronize()\n\n\n";

static const char load[] =
    "def load() -> cn.ndarray:\n"
    "    \"\"\"The array, complete when this returns.\"\"\"\n"
    "    array = cn.empty(SHAPE, DTYPE)\n"
    "    runtime = get_legate_runtime()\n"
    "    tile_rows = -(-SHAPE[0] // get_machine().count())\n"
    "    # Not the number of processors: there may be fewer rows than those.\n"
    "    tile_count = -(-SHAPE[0] // tile_rows)\n"
    "    tiles = as_logical_array(array).data.partition_by_tiling((tile_rows, *SHAPE[1:]))\n"
    "    launch = runtime.create_manual_task(\n"
    "        load_tile.library, load_tile.task_id, (tile_count,)\n"
    "    )\n"
    "    launch.add_output(tiles)\n"
    "    # Without these, an exception in a task would abort the program.\n"
    "    launch.throws_exception(OSError)\n"
    "    launch.throws_exception(ValueError)\n"
    "    launch.execute()\n"
    "    runtime.issue_execution_fence(block=True)\n"
    "    return array\n\n\n";

/* ---- the check, and the end ----------------------------------------------------------------- */

static void add_check(mst_str *out, const mst_recipe_facts *facts) {
  mst_str_add(out, "def check(array: cn.ndarray) -> None:\n"
                   "    \"\"\"Compares all cells with the files: a sum would round, and hide "
                   "errors.\"\"\"\n"
                   "    for path, start, end in zip(FILES, STARTS, STARTS[1:]):\n");
  if (is_cut(facts)) mst_str_add(out, "        first, end = max(start, 0), min(end, SHAPE[0])\n");
  mst_str_addf(out,
               "        for row in range(%s, end, PIECE):\n"
               "            stop = min(row + PIECE, end)\n"
               "            wanted = read_rows(path, row - start, stop - start)\n"
               "            # Without copy(), Legate would put the whole array into one place.\n"
               "            found = np.asarray(array[row:stop].copy())\n"
               "            if found.tobytes() != wanted.tobytes():\n"
               "                raise RuntimeError(f\"rows {row} to {stop} are not as in "
               "{path}\")\n\n\n",
               is_cut(facts) ? "first" : "start");
}

static const char end[] =
    "if __name__ == \"__main__\":\n"
    "    array = load()\n"
    "    check(array)  # reads all files once more: leave it out when you trust the rest\n"
    "    print(f\"{array.shape} {array.dtype}: all cells as in the files\")\n";

/* ---- the whole ------------------------------------------------------------------------------ */

/* Nothing to read, nothing to launch. */
static void add_empty(mst_str *out, const mst_recipe_facts *facts) {
  mst_str_addf(out,
               "\"\"\"An array without elements, as the %s files hold none.\"\"\"\n\n"
               "import cupynumeric as cn\n\n"
               "array = cn.empty(",
               facts->dataset->format->name);
  add_array_shape(out, facts);
  mst_str_add(out, ", \"");
  add_array_dtype(out, facts);
  mst_str_add(out, "\")\n");
}

void mst_recipe_add_text(mst_str *out, const mst_recipe_facts *facts) {
  if (facts->bytes == 0) {
    add_empty(out, facts);
    return;
  }
  add_summary(out, facts);
  add_imports(out, facts->dataset->format);
  add_constants(out, facts);
  add_open_shard(out, facts);
  add_read_rows(out, facts);
  add_find_rows(out, facts);
  mst_str_add(out, load_tile);
  mst_str_add(out, load);
  add_check(out, facts);
  mst_str_add(out, end);
}
