/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Datasets: one array that lies on disk as many files.
 *
 * A dataset is an ordered list of shards of one dtype and one trailing shape, shape[1:]. Rows along
 * axis 0 may differ from shard to shard. Concatenated along axis 0 they are one array of shape
 * (rows,) + trailing shape. Nothing but metadata is read until rows are asked for.
 *
 *   muster_dataset *dataset = NULL;
 *   muster_error error;
 *   const char *input = "shards/";
 *   if (muster_open(&input, 1, NULL, &dataset, &error) != MUSTER_OK) ...
 *   muster_read_rows(dataset, lo, hi, buffer, NULL, &error);    any thread, any number of them
 *   muster_dataset_free(dataset);
 *
 * Units: rows and elements are counts, offsets and strides are bytes. Row ranges are half open.
 * Structs that callers fill begin with struct_size, so that they can grow; the _init functions set
 * it and every default.
 */
#ifndef MUSTER_DATASET_H
#define MUSTER_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dtypes -------------------------------------------------------------------------------- */

/* The element types of NumPy that hold numbers, and three that files carry and NumPy lacks. */
typedef enum muster_type {
  MUSTER_NO_TYPE = 0,
  MUSTER_BOOL,
  MUSTER_INT8,
  MUSTER_INT16,
  MUSTER_INT32,
  MUSTER_INT64,
  MUSTER_UINT8,
  MUSTER_UINT16,
  MUSTER_UINT32,
  MUSTER_UINT64,
  MUSTER_FLOAT16,
  MUSTER_FLOAT32,
  MUSTER_FLOAT64,
  MUSTER_LONGDOUBLE, /* x87 extended in 16 bytes, as NumPy on x86-64 stores it; see muster_type_size
                      */
  MUSTER_COMPLEX64,
  MUSTER_COMPLEX128,
  MUSTER_CLONGDOUBLE,
  MUSTER_DATETIME64,    /* int64 counts of muster_dtype.unit since 1970-01-01 */
  MUSTER_TIMEDELTA64,   /* int64 counts of muster_dtype.unit */
  MUSTER_BFLOAT16,      /* source only: becomes float32 or what is asked for */
  MUSTER_FLOAT8_E4M3FN, /* source only, likewise */
  MUSTER_FLOAT8_E5M2,   /* source only, likewise */
  MUSTER_TYPE_COUNT
} muster_type;

typedef struct muster_dtype {
  muster_type type;
  bool swapped;  /* bytes are in the other order than this machine's; never for results */
  char unit[24]; /* of datetime64 and timedelta64 ("ns", "25s", "generic"), else "" */
} muster_dtype;

#define MUSTER_MAX_RANK 64 /* NumPy 2's own limit (NPY_MAXDIMS) */

/* Bytes of one element; 0 for MUSTER_NO_TYPE. Any thread. */
MUSTER_API size_t muster_type_size(muster_type type);

/*
 * Reads a dtype as NumPy writes it: "float32", "f4", "<f4", ">i2", "|b1", "datetime64[ns]",
 * "<M8[D]", and "bfloat16", "float8_e4m3fn", "float8_e5m2". "=" and no prefix mean native order.
 * MUSTER_ERR_USAGE when it is none of them. Any thread.
 */
MUSTER_API muster_status muster_dtype_parse(const char *text, muster_dtype *out,
                                            muster_error *error);

/*
 * Writes the dtype's name ("float32", "datetime64[ns]"; big-endian ones as ">f4") into text,
 * which holds at least 48 bytes, and returns text. Any thread.
 */
MUSTER_API char *muster_dtype_name(const muster_dtype *dtype, char text[48]);

/* ---- opening ------------------------------------------------------------------------------- */

typedef struct muster_dataset muster_dataset;

typedef enum muster_order {
  MUSTER_ORDER_AUTO = 0, /* by number where names are numbered; a list of files as it stands */
  MUSTER_ORDER_NUMBER,   /* by the number that differs between the names */
  MUSTER_ORDER_NAME,     /* by name, bytewise */
  MUSTER_ORDER_MTIME,    /* oldest first; equal times by name */
  MUSTER_ORDER_LIST      /* as given */
} muster_order;

/*
 * Whether large reads of uncompressed files go past the page cache (O_DIRECT), where the file
 * system can. That is faster for data that are not in memory, and leaves in memory what is there;
 * but the next load reads from the disk again.
 */
typedef enum muster_direct {
  MUSTER_DIRECT_AUTO = 0, /* what is not in the cache, of data larger than half the free memory */
  MUSTER_DIRECT_NEVER,
  MUSTER_DIRECT_ALWAYS
} muster_direct;

/* Rows [lo, hi) as in Python: negative counts from the end, INT64_MAX as hi is the end. */
typedef struct muster_row_range {
  int64_t lo;
  int64_t hi;
} muster_row_range;

#define MUSTER_ALL_ROWS \
  { 0, INT64_MAX }

/*
 * Called for each thing that keeps shards from being one dataset, in shard order, before
 * muster_open returns; the fault is valid during the call. See also muster_dataset_note.
 */
typedef void (*muster_fault_fn)(void *user, const muster_error *fault);

typedef struct muster_open_options {
  size_t struct_size;
  const char *format;       /* NULL: found out by content, then by extension */
  const char *sidecar;      /* JSON description of raw files; NULL: shard_meta.json, _meta.json */
  const char *source_dtype; /* what the bytes are where the file does not say; NULL */
  const char *dtype;        /* what the result shall be, converted while reading; NULL: as stored */
  const uint64_t *row_shape; /* raw: trailing shape; used when row_shape_set */
  size_t row_rank;           /* raw: number of entries of row_shape; 0 for one value a row */
  bool row_shape_set;
  uint64_t header_bytes; /* raw: bytes to pass over at the start of each file */
  bool header_bytes_set;
  muster_order order;
  bool allow_gaps;          /* holes in numbered names are noted, not refused */
  bool stack;               /* each shard becomes one index of a new first axis */
  muster_row_range rows;    /* the part of the array that the dataset stands for */
  unsigned threads;         /* for reading metadata; 0: sized to the machine */
  muster_fault_fn on_fault; /* NULL: only the summary in the error */
  void *on_fault_user;
  muster_direct direct;
  /* Files that hold several arrays: which one ("/train/x", "arr_0"); * and ? stand for letters, and
   * what they match are shards in the order of their numbers. NULL: the only one, or all where they
   * are numbered. */
  const char *dataset;
  const char *const *columns; /* tables: these columns in this order; NULL: all numeric ones */
  size_t column_count;
  const char
      *null_value; /* tables: what nulls of integer columns become, as text; NULL: an error */
  bool strict;     /* Zarr: a chunk that is not there is an error, not the fill value */
  bool decode_cf;  /* NetCDF and HDF5: apply scale_factor, add_offset, _FillValue and _Unsigned */
  bool follow_external; /* HDF5: read files outside the dataset's folder that it refers to */
} muster_open_options;

MUSTER_API void muster_open_options_init(muster_open_options *options);

/*
 * Finds the shards that the inputs name, reads their metadata in parallel and checks that they
 * fit together. An input is a file, a folder, a glob, "@list.txt" (a file of paths, one a line,
 * relative to that file), or "null:SHAPE[:DTYPE[:SHARDS]]" (zeros without any file, for measuring
 * overhead). options may be NULL. The strings are copied.
 *
 * On success *out is a dataset that the caller frees. MUSTER_ERR_NOT_FOUND: nothing there, or no
 * shards. MUSTER_ERR_FORMAT, _UNSUPPORTED, _MISMATCH, _IO: the first fault found, with the number
 * of others; on_fault is told of the first 20. MUSTER_ERR_USAGE: an option makes no sense.
 */
MUSTER_API muster_status muster_open(const char *const *inputs, size_t input_count,
                                     const muster_open_options *options, muster_dataset **out,
                                     muster_error *error);

/*
 * A reader of the caller's own: shards that no format of muster describes. All functions may be
 * called from several threads at once, and return a muster_status; when it is not MUSTER_OK they
 * should have filled the error.
 */
typedef struct muster_reader {
  size_t struct_size;
  void *user;
  uint64_t shard_count;
  size_t trailing_rank;           /* shape[1:] of every shard */
  const uint64_t *trailing_shape; /* trailing_rank entries; copied */
  muster_dtype dtype;             /* of the bytes that read_rows delivers */
  /* Rows of one shard. */
  muster_status (*shard_rows)(void *user, uint64_t shard, uint64_t *rows, muster_error *error);
  /* Rows [lo, hi) of one shard into dst, dense in C order: (hi - lo) * row bytes. */
  muster_status (*read_rows)(void *user, uint64_t shard, uint64_t lo, uint64_t hi, void *dst,
                             muster_error *error);
  /* Called once when the dataset is freed, also when muster_open_reader fails. NULL: nothing. */
  void (*release)(void *user);
} muster_reader;

/* As muster_open, for the caller's own reader; of the options dtype, rows and threads count. */
MUSTER_API muster_status muster_open_reader(const muster_reader *reader,
                                            const muster_open_options *options,
                                            muster_dataset **out, muster_error *error);

/* Frees the dataset. NULL is allowed. No other call on it may be under way. */
MUSTER_API void muster_dataset_free(muster_dataset *dataset);

/* ---- what a dataset is --------------------------------------------------------------------- */
/* All of these may be called from any thread; pointers live as long as the dataset. */

MUSTER_API size_t muster_dataset_rank(const muster_dataset *dataset);
/* rank entries; shape[0] is the number of rows. */
MUSTER_API const uint64_t *muster_dataset_shape(const muster_dataset *dataset);
MUSTER_API uint64_t muster_dataset_rows(const muster_dataset *dataset);
/* Bytes of one row of the result, dense; 0 when the trailing shape holds a 0. */
MUSTER_API uint64_t muster_dataset_row_bytes(const muster_dataset *dataset);
/* The result's dtype, in native order. */
MUSTER_API muster_dtype muster_dataset_dtype(const muster_dataset *dataset);
/* What the files hold. */
MUSTER_API muster_dtype muster_dataset_source_dtype(const muster_dataset *dataset);
/* Name of the format ("npy"). */
MUSTER_API const char *muster_dataset_format(const muster_dataset *dataset);

typedef struct muster_shard {
  const char *path;   /* of the file, or a name in angle brackets where there is none */
  const char *member; /* which array of the file; NULL: it holds one, or options name it */
  uint64_t rows;      /* of the whole shard */
  uint64_t first_row; /* its first row in the concatenation of all shards */
  uint64_t bytes;     /* size of the file; 0: it is a folder */
  int64_t mtime_ns;   /* when it was last modified, since 1970 */
} muster_shard;

/* All shards, also those outside the row range that the dataset was opened with. */
MUSTER_API size_t muster_dataset_shard_count(const muster_dataset *dataset);
/* MUSTER_ERR_USAGE when there is no such shard. */
MUSTER_API muster_status muster_dataset_shard(const muster_dataset *dataset, size_t index,
                                              muster_shard *out);

/* Remarks on the way to the dataset: files passed over, gaps in numbers, trailing bytes. */
MUSTER_API size_t muster_dataset_note_count(const muster_dataset *dataset);
/* One line; NULL when there is no such note. */
MUSTER_API const char *muster_dataset_note(const muster_dataset *dataset, size_t index);

/* ---- reading ------------------------------------------------------------------------------- */

/*
 * Reads rows [row_lo, row_hi) into dst. strides: rank entries in bytes, negative ones allowed;
 * NULL: dense, in C order. dst need not be aligned. May be called from any number of threads at
 * once on one dataset, as long as the destinations do not overlap; uses one thread, and no memory
 * that grows with the range, except one whole row where a Fortran-order file is converted.
 * Each shard touched is opened once per call.
 *
 * MUSTER_ERR_USAGE: the range is not in the dataset. MUSTER_ERR_CHANGED: a shard is not the file
 * that was discovered. MUSTER_ERR_IO, MUSTER_ERR_MEMORY. After an error the contents of dst are
 * undefined.
 */
MUSTER_API muster_status muster_read_rows(const muster_dataset *dataset, uint64_t row_lo,
                                          uint64_t row_hi, void *dst, const int64_t *strides,
                                          muster_error *error);

/* Faults in what was never touched of the memory, at once instead of page by page while it is
 * filled: into large fresh memory that is half as fast again. A hint; contents stay. Any thread. */
MUSTER_API void muster_populate(void *memory, size_t bytes);

/* Bytes that this process may still allocate, by what the kernel says and the limits of its
 * container; UINT64_MAX: unknown. Any thread. */
MUSTER_API uint64_t muster_available_memory(void);

/* ---- planning ------------------------------------------------------------------------------ */

typedef struct muster_plan_options {
  size_t struct_size;
  uint64_t procs;          /* processors that share the rows; at least 1 */
  uint64_t over_decompose; /* tiles per processor; at least 1 */
  uint64_t tile_rows; /* 0: ceil(rows / (procs * over_decompose)), or up to an eighth more where
                       * tiles then end with chunks that are decoded as a whole */
} muster_plan_options;

MUSTER_API void muster_plan_options_init(muster_plan_options *options);

/*
 * How the rows are cut into tiles: tile i is rows [row_lo, row_hi). Tiles have equal rows but for
 * the last, unless a tile is a shard: when all shards have equal rows, there are as many as
 * processors, and over_decompose is 1. There are never more tiles than rows.
 */
typedef struct muster_plan muster_plan;

typedef struct muster_tile {
  uint64_t row_lo;
  uint64_t row_hi;
  size_t slice_count; /* shards that it touches, those without rows left out */
} muster_tile;

/* Part of a tile: rows [file_lo, file_hi) of a shard go to rows [dst_lo, dst_hi) of the tile. */
typedef struct muster_slice {
  size_t shard;
  uint64_t file_lo;
  uint64_t file_hi;
  uint64_t dst_lo;
  uint64_t dst_hi;
} muster_slice;

/* The dataset must outlive the plan. MUSTER_ERR_USAGE: procs or over_decompose is 0. */
MUSTER_API muster_status muster_plan_new(const muster_dataset *dataset,
                                         const muster_plan_options *options, muster_plan **out,
                                         muster_error *error);
MUSTER_API void muster_plan_free(muster_plan *plan);
MUSTER_API uint64_t muster_plan_tile_count(const muster_plan *plan);
/* MUSTER_ERR_USAGE when there is no such tile, or no such slice of it. */
MUSTER_API muster_status muster_plan_tile(const muster_plan *plan, uint64_t tile, muster_tile *out);
MUSTER_API muster_status muster_plan_slice(const muster_plan *plan, uint64_t tile, size_t slice,
                                           muster_slice *out);

/* ---- loading everything with the library's own threads ------------------------------------- */

typedef struct muster_progress {
  uint64_t rows_done;
  uint64_t rows;
  uint64_t bytes_done; /* of the result */
  uint64_t bytes;
} muster_progress;

typedef enum muster_destination {
  MUSTER_TO_MEMORY = 0, /* the caller's memory: dst, strides */
  MUSTER_TO_NPY,        /* the file `path`, appearing whole or not at all */
  MUSTER_TO_NULL        /* nowhere: to measure, or for the checksum */
} muster_destination;

typedef struct muster_load_options {
  size_t struct_size;
  muster_destination to;
  void *dst;              /* MUSTER_TO_MEMORY: as in muster_read_rows */
  const int64_t *strides; /* likewise */
  bool populate;    /* dst is pages never touched: ask for huge ones, fault them in by the block */
  const char *path; /* MUSTER_TO_NPY: the file; an existing one is replaced at the end */
  unsigned threads; /* 0: sized to the machine */
  uint64_t tile_rows; /* as in muster_plan_options, the threads being the processors */
  uint64_t over_decompose;
  bool checksum;              /* compute muster_load_result.checksum */
  const volatile int *cancel; /* stop soon after this becomes non-zero; NULL: never */
  /* Called now and then, never from two threads at once, last when all is done. NULL: nobody. */
  void (*progress)(void *user, const muster_progress *progress);
  void *progress_user;
} muster_load_options;

MUSTER_API void muster_load_options_init(muster_load_options *options);

typedef struct muster_load_result {
  uint64_t rows;
  uint64_t bytes;
  uint64_t checksum; /* see muster_checksum; 0 unless asked for */
} muster_load_result;

/*
 * Loads all rows of the dataset. result may be NULL. Errors as muster_read_rows; with several
 * faults that of the first row is reported. After an error, or a cancellation, no file appears
 * and an existing one is untouched, but for one case: when the new file is in its place, whole,
 * and only its folder cannot be synced, the error says so.
 */
MUSTER_API muster_status muster_load(const muster_dataset *dataset,
                                     const muster_load_options *options, muster_load_result *result,
                                     muster_error *error);

/*
 * The checksum of `bytes` bytes of array data, as muster_load computes it: the sum over all 64-bit
 * little-endian words w[i] (the last one padded with zeros) of mix(w[i] + (i + 1) * K), modulo
 * 2^64, with K = 0x9E3779B97F4A7C15 and mix(x) = y ^ y >> 29, y = (x ^ x >> 32) *
 * 0xD6E8FEB86659FD93. Being a sum, it can be made in any order and in parallel. Any thread.
 */
MUSTER_API uint64_t muster_checksum(const void *data, size_t bytes);

/* The same of a part that begins at byte `offset` of the array, a multiple of 8: the sums of parts
 * that make up an array, modulo 2^64, are that of the array. Any thread. */
MUSTER_API uint64_t muster_checksum_part(const void *data, size_t bytes, uint64_t offset);

/* ---- writing, checking ---------------------------------------------------------------------- */

typedef struct muster_write_options {
  size_t struct_size;
  const char *format;        /* "npy", "raw" or "hdf5" */
  const char *dtype;         /* "float32"; ">f4" writes big-endian */
  const uint64_t *row_shape; /* trailing shape, row_rank entries */
  size_t row_rank;
  uint64_t shards;            /* number of files; ignored when shard_rows is given */
  uint64_t rows;              /* in total */
  const uint64_t *shard_rows; /* rows of each file, shard_rows_count entries; NULL: see equal */
  size_t shard_rows_count;
  bool equal; /* equal rows (the first ones get the rest); else unequal by the seed */
  uint64_t seed;
  unsigned threads;           /* 0: sized to the machine */
  const volatile int *cancel; /* as in muster_load_options */
} muster_write_options;

MUSTER_API void muster_write_options_init(muster_write_options *options);

/*
 * Writes a deterministic dataset into the new folder `dir`: the same options give the same bytes
 * on every machine. The cell with index i of the whole array (C order) holds muster_seeded(seed,
 * i) as docs/json.md describes for each dtype. The folder is made aside and renamed; it
 * holds _muster_write.json, which records how it was made. MUSTER_ERR_EXISTS when `dir` is there.
 */
MUSTER_API muster_status muster_write(const char *dir, const muster_write_options *options,
                                      muster_error *error);

/* splitmix64 of seed + (index + 1) * 0x9E3779B97F4A7C15: the 64 random bits of a cell. */
MUSTER_API uint64_t muster_seeded(uint64_t seed, uint64_t index);

typedef struct muster_verify_result {
  bool seed_checked; /* the cells were compared with the recorded seed */
  bool seal_checked; /* the files were compared with recorded checksums */
  uint64_t cells;    /* compared */
  uint64_t wrong_cells;
  uint64_t first_wrong; /* index in C order of the first wrong cell; only if wrong_cells > 0 */
  uint64_t shards;      /* whose checksums were compared */
  uint64_t wrong_shards;
} muster_verify_result;

/*
 * Checks the folder against what `write` recorded (cell by cell) and what `seal` recorded (by
 * checksum), whichever is there. MUSTER_ERR_CHECK with the first wrong cell or file when they
 * differ (result is filled then, too); MUSTER_ERR_NOT_FOUND when nothing was recorded. result may
 * be NULL. Of the options, threads, format and the like count as in muster_open.
 */
MUSTER_API muster_status muster_verify(const char *dir, const muster_open_options *options,
                                       muster_verify_result *result, muster_error *error);

/*
 * Records size and XXH3-128 checksum of each shard of the dataset in DIR/_muster_seal.json, or in
 * the file `output` when it is not NULL. The file appears whole or not at all.
 */
MUSTER_API muster_status muster_seal(const char *dir, const muster_open_options *options,
                                     const char *output, muster_error *error);

/*
 * Compares the shards of an open dataset with the seal in `seal` (a path), all of them or those
 * that hold the dataset's rows. MUSTER_ERR_CHECK names the first that differs.
 */
MUSTER_API muster_status muster_check_seal(const muster_dataset *dataset, const char *seal,
                                           unsigned threads, muster_verify_result *result,
                                           muster_error *error);

/*
 * Removes what muster_write made, by its record: those files, a seal of them, then the folder if
 * nothing else is in it. Files that were changed since (other size) and files of others are left;
 * then MUSTER_ERR_CHANGED or MUSTER_ERR_EXISTS names the first. *removed counts the shards removed.
 */
MUSTER_API muster_status muster_clean(const char *dir, uint64_t *removed, muster_error *error);

/* ---- formats -------------------------------------------------------------------------------- */

typedef struct muster_format_info {
  const char *name;
  const char *summary;    /* one line */
  const char *extensions; /* ".npy", separated by spaces; "" for none */
  bool can_write;
  const char *unavailable; /* NULL: usable; else why not in this build */
} muster_format_info;

MUSTER_API size_t muster_format_count(void);
/* MUSTER_ERR_USAGE when there is no such format. Strings are static. */
MUSTER_API muster_status muster_format(size_t index, muster_format_info *out);

#ifdef __cplusplus
}
#endif
#endif
