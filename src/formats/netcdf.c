/* SPDX-License-Identifier: Apache-2.0 */
/* NetCDF-4: HDF5 with conventions on top. docs/formats/netcdf.md says what is read and refused. */
#include <string.h>

#include "formats/flat.h"
#include "formats/hdf5/format.h"
#include "formats/hdf5/reader.h"
#include "formats/members.h"

/* What the library of NetCDF writes into each file, near its beginning. */
#define MARK "_NCProperties"

static bool has_mark(const mst_probe *p) {
  return memmem(p->head, p->head_length, MARK, strlen(MARK)) != NULL;
}

static int probe(const mst_probe *p) {
  const bool is_named = mst_has_extension(p->path, ".nc .nc4");
  /* More than the format beneath it. */
  if (mst_h5_has_magic(p)) return is_named || has_mark(p) ? MST_PROBE_MAGIC + 1 : MST_PROBE_NO;
  /* Older files of that name are told apart by their refusal. */
  const bool is_old = p->head_length >= 3 && memcmp(p->head, "CDF", 3) == 0;
  return is_named && !is_old ? MST_PROBE_EXTENSION : MST_PROBE_NO;
}

static muster_status list_members(const char *path, const muster_open_options *options,
                                  mst_names *members, muster_error *error) {
  return mst_h5_list_members(path, options, members, error, true);
}

static muster_status inspect(const mst_source *source, mst_schema *schema, mst_shard *shard,
                             mst_str *note, muster_error *error) {
  return mst_h5_inspect(source, schema, shard, note, error, true);
}

/* What is masked becomes NaN, as it does here; then all of a file is read at once. */
static void add_decoded(const mst_python_shards *python, mst_str *out) {
  mst_str_add(out, "    with LOCK, netCDF4.Dataset(path) as file:\n        data = file[");
  mst_members_add_python(out, python);
  mst_str_addf(out,
               "][...].astype(\"%s\")\n"
               "    return np.ma.filled(data, np.nan)%s\n",
               python->schema->dtype.type == MUSTER_FLOAT32 ? "float32" : "float64",
               python->stack ? "[np.newaxis]" : "");
}

static void add_python(const mst_python_shards *python, mst_str *out) {
  if (mst_h5_is_decoded(&python->shards[0])) {
    add_decoded(python, out);
    return;
  }
  mst_str_add(out, "    with LOCK, netCDF4.Dataset(path) as file:\n        variable = file[");
  mst_members_add_python(out, python);
  mst_str_add(out, "]\n\n"
                   "        class Rows:\n"
                   "            dtype, shape = variable.dtype, variable.shape\n\n"
                   "            def __getitem__(self, rows: slice) -> np.ndarray:\n"
                   "                with LOCK, netCDF4.Dataset(path) as file:\n"
                   "                    variable = file[");
  mst_members_add_python(out, python);
  mst_str_addf(out,
               "]\n"
               "                    variable.set_auto_maskandscale(False)\n"
               "                    return variable[rows]\n\n"
               "    return Rows()%s\n",
               python->stack ? "[...][np.newaxis]" : "");
}

const mst_format mst_format_netcdf = {
    .name = "netcdf",
    .summary = "NetCDF-4 variables",
    .extensions = ".nc .nc4",
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
    .python_first = "import threading\n\n"
                    "# Before Legate, after whose HDF5 library this one would not start.\n"
                    "import netCDF4\n\n"
                    "LOCK = threading.Lock()  # no two threads may use that at once\n\n",
    .python_member = mst_h5_python_member,
    .add_python = add_python,
};
