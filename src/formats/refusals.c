/* SPDX-License-Identifier: Apache-2.0 */
/* Files that people have, muster does not read, and what to do then. */
#include <string.h>

#include "formats/format.h"

typedef struct mst_refusal_row {
  const char *extensions;
  const char *magic; /* NULL: by extension only */
  size_t magic_length;
  const char *text;
} mst_refusal_row;

#define PICKLE "a pickle is a program and is never read: save the array with numpy.save"
#define PAGE "a page of the web, not data: a download has failed; fetch the file again"

static const mst_refusal_row rows[] = {
    {"", "PK\003\004", 4, "a zip archive that is no npz: unpack it first"},
    {".npy.gz .gz", "\037\213", 2, "compressed with gzip: unpack it first (gunzip)"},
    {".zst", "(\265/\375", 4, "compressed with zstd: unpack it first (unzstd)"},
    {".bz2", "BZh", 3, "compressed with bzip2: unpack it first (bunzip2)"},
    {".xz", "\3757zXZ\0", 6, "compressed with xz: unpack it first (unxz)"},
    {"", "version https://git-lfs", 23,
     "a pointer of Git LFS, not the file itself: fetch that first (git lfs pull)"},
    {"", "<!DOCTYPE", 9, PAGE},
    {"", "<!doctype", 9, PAGE},
    {"", "<html", 5, PAGE},
    {"", "<?xml", 5, PAGE},
    {"zarr.json .zarray .zgroup .zattrs .zmetadata", NULL, 0,
     "holds metadata of Zarr: name the folder that it lies in"},
    {".nc .cdf", "CDF", 3, "NetCDF-3 is not read: convert it once (nccopy -k nc4 OLD.nc NEW.nc)"},
    {".feather", "FEA1", 4,
     "Feather v1 is not read: write it again with pyarrow.feather.write_feather(version=2)"},
    {".csv .tsv", NULL, 0,
     "CSV and other text is not read: convert it once (numpy.loadtxt, numpy.save)"},
    {".tif .tiff", "II*\0", 4, "TIFF is not read: convert it once (tifffile.imread, numpy.save)"},
    {".tif .tiff", "MM\0*", 4, "TIFF is not read: convert it once (tifffile.imread, numpy.save)"},
    {".fits .fit", "SIMPLE  =", 9,
     "FITS is not read: convert it once (astropy.io.fits.getdata, numpy.save)"},
    {".mat", "MATLAB", 6, "MATLAB files are not read: convert once (scipy.io.loadmat, numpy.save)"},
    {".pkl .pickle", "\200\004\225", 3, PICKLE},
    {".pkl .pickle", "\200\005\225", 3, PICKLE},
    {".pkl .pickle", "\200\003", 2, PICKLE},
};

const char *mst_refusal(const mst_probe *probe) {
  const size_t count = sizeof rows / sizeof *rows;
  for (size_t i = 0; i < count; i++) {
    const mst_refusal_row *row = &rows[i];
    if (row->magic != NULL && probe->head_length >= row->magic_length &&
        memcmp(probe->head, row->magic, row->magic_length) == 0)
      return row->text;
  }
  for (size_t i = 0; i < count; i++)
    if (mst_has_extension(probe->path, rows[i].extensions)) return rows[i].text;
  return NULL;
}

bool mst_is_named_as_data(const char *path) {
  for (size_t i = 0; i < mst_format_count(); i++)
    if (mst_has_extension(path, mst_format_at(i)->extensions)) return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (mst_has_extension(path, rows[i].extensions)) return true;
  return false;
}
