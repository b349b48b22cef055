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

static void add_python(const mst_python_shards *python, mst_str *out) {
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
