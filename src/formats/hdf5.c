/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5: formats/hdf5 holds what reads it. docs/formats/hdf5.md says what is read and refused. */
#include "formats/flat.h"
#include "formats/hdf5/format.h"
#include "formats/hdf5/reader.h"
#include "formats/members.h"

static int probe(const mst_probe *p) {
  if (mst_h5_has_magic(p)) return MST_PROBE_MAGIC;
  return mst_has_extension(p->path, ".h5 .hdf5") ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

static muster_status list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error) {
  return mst_h5_list_members(path, options, members, error, false);
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  return mst_h5_inspect(source, schema, shard, note, error, false);
}

/* NumPy's rules for the types of products and sums are those of the conventions. */
static void add_decoded(const mst_python_shards *python, mst_str *out) {
  mst_str_add(out, "    variable = h5py.File(path, \"r\")[");
  mst_members_add_python(out, python);
  mst_str_add(out, "]\n    data, attributes = variable[()], variable.attrs\n");
  mst_str_add(out,
              "    missing = [attributes.get(name, ()) for name in (\"_FillValue\", "
              "\"missing_value\")]\n"
              "    is_missing = np.isin(data, np.concatenate([np.ravel(m) for m in missing]))\n");
  if (mst_h5_is_unsigned(&python->shards[0]))
    mst_str_add(out, "    data = data.view(data.dtype.str.replace(\"i\", \"u\"))\n");
  mst_str_addf(out,
               "    scale = np.ravel(attributes.get(\"scale_factor\", 1))[0]\n"
               "    offset = np.ravel(attributes.get(\"add_offset\", 0))[0]\n"
               "    data = (data * scale + offset).astype(\"%s\")\n"
               "    data[is_missing] = np.nan\n"
               "    return data%s\n",
               python->schema->dtype.type == MUSTER_FLOAT32 ? "float32" : "float64",
               python->stack ? "[np.newaxis]" : "");
}

static void add_python(const mst_python_shards *python, mst_str *out) {
  if (mst_h5_is_decoded(&python->shards[0])) {
    add_decoded(python, out);
    return;
  }
  mst_str_add(out, "    return h5py.File(path, \"r\")[");
  mst_members_add_python(out, python);
  mst_str_addf(out, "]%s\n", python->stack ? "[()][np.newaxis]" : "");
}

const mst_format mst_format_hdf5 = {
    .name = "hdf5",
    .summary = "HDF5 datasets, contiguous and chunked, with the usual filters",
    .extensions = ".h5 .hdf5",
    .takes = MST_TAKES_CF | MST_TAKES_EXTERNAL,
    .is_fragile = true,
    .probe = probe,
    .list_members = list_members,
    .inspect = inspect,
    .forget = mst_h5_forget,
    .open = mst_h5_reader_open,
    .close = mst_h5_reader_close,
    .band = mst_h5_band,
    .read_elements = mst_flat_read_elements,
    .read_rows = mst_h5_read_rows,
    .write = mst_h5_write,
    .python_first = "# Before Legate, after whose HDF5 library this one would not start.\n"
                    "import h5py\n\n",
    .python_member = mst_h5_python_member,
    .add_python = add_python,
};
