/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format plug: one format is one file with a const mst_format and one line in formats.def.
 * docs/add-a-format.md walks through it.
 *
 * A format knows one shard at a time and nothing of datasets: it says what a file holds, and moves
 * bytes of the file's own dtype and byte order. Conversion, strides, blocks and threads are the
 * business of load/.
 */
#ifndef MST_FORMATS_FORMAT_H
#define MST_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/direct.h"
#include "base/io.h"
#include "muster/dataset.h"

/* The array that one shard holds, as the file describes it. */
typedef struct mst_schema {
  muster_dtype dtype;
  size_t opaque; /* dtype.type is MUSTER_NO_TYPE: bytes of an element whose meaning is unknown */
  size_t rank;
  uint64_t shape[MUSTER_MAX_RANK];
} mst_schema;

/* What is kept of a shard. There may be millions: small. */
typedef struct mst_shard {
  char *path;   /* of the file or folder, or the words that stand for a shard without one */
  char *member; /* which array of the file; NULL: the one that options name, or the only one */
  uint64_t rows;
  uint64_t first_row;   /* in the dataset */
  uint64_t data_offset; /* for flat files */
  mst_stat stat;        /* of the file when its metadata was read */
  bool swapped;         /* other byte order than this machine's */
  bool fortran;         /* the first axis varies fastest; then read_rows is used */
  bool by_rows;         /* not elements one behind the other: read_rows is used */
  void *detail;         /* what the format keeps of it (mst_format.forget frees it), or NULL */
} mst_shard;

/* A file whose format is being found out. */
typedef struct mst_probe {
  const char *path;
  const unsigned char *head; /* its first bytes */
  size_t head_length;
  bool is_described; /* a sidecar or options say what the bytes are */
} mst_probe;

/* Scores of a probe. */
enum {
  MST_PROBE_NO = 0,
  MST_PROBE_EXTENSION = 10, /* only the name says so */
  MST_PROBE_DESCRIBED = 20,
  MST_PROBE_MAGIC = 100 /* the content says so */
};

/* The dataset that a format prepares itself for. */
typedef struct mst_setup {
  const muster_open_options *options;
  const char *folder;      /* where a sidecar would lie */
  const mst_shard *shards; /* in order; only the paths are known */
  size_t shard_count;
} mst_setup;

struct mst_column;

/* A shard whose metadata are read. */
typedef struct mst_source {
  const char *path;
  const char *member; /* as in mst_shard */
  int fd;             /* of the file or folder; -1 for shards without one */
  const mst_stat *stat;
  const unsigned char *head; /* the first bytes of the file */
  size_t head_length;
  size_t index;        /* in the dataset */
  bool is_joined;      /* rows of other shards lie before or behind its own */
  const void *context; /* from prepare */
  const muster_open_options *options;
  /* Told of all columns of a table before any are chosen; NULL: nobody wants to know. */
  void (*see_columns)(void *user, const struct mst_column *columns, size_t count);
  void *see_user;
} mst_source;

/* A shard that is being read. */
typedef struct mst_open_shard {
  const mst_shard *shard;
  const mst_schema *schema; /* of the dataset: shape[0] is not this shard's */
  int fd;
  const void *context;
  void *state;        /* the format's own, from its open to its close */
  mst_direct **kept;  /* the reader's, for all the shards that it reads; NULL: it has none */
  mst_direct *direct; /* its bytes are read past the page cache; NULL: as usual */
} mst_open_shard;

/* The shards that a loader in plain Python shall read: some, or all, of a dataset. */
typedef struct mst_python_shards {
  const mst_schema *schema; /* of the dataset: shape[0] is no shard's */
  const mst_shard *shards;
  size_t count;
  const char *member; /* the array of each file; NULL: not the same, or files hold one */
  bool stack;         /* each shard is one index of a new first axis, which schema has already */
} mst_python_shards;

/* A shard to be written. */
typedef struct mst_new_shard {
  const char *path;
  mst_schema schema;
  /* Fills `out` with elements [first, first + count) of the shard, in the schema's byte order. */
  void (*fill)(void *context, void *out, uint64_t first, size_t count);
  void *context;
  const volatile int *cancel; /* NULL: never */
} mst_new_shard;

/* Options of a dataset that only some formats heed; to others they are an error. */
typedef enum mst_takes {
  MST_TAKES_DESCRIPTION = 1, /* sidecars, row shape and header bytes, which say what it holds */
  MST_TAKES_COLUMNS = 2,     /* which columns, and what nulls become */
  MST_TAKES_STRICT = 4,
  MST_TAKES_CF = 8,
  MST_TAKES_EXTERNAL = 16
} mst_takes;

typedef struct mst_format {
  const char *name;
  const char *summary;     /* one line */
  const char *extensions;  /* ".bin .raw", most usual first; "" for none */
  const char *unavailable; /* why this build cannot use it; NULL: it can */
  unsigned takes;          /* options that it heeds, of mst_takes */
  bool is_fragile;         /* its library may crash on damaged files: look at them in a child */
  const char *scheme; /* inputs that begin so are this format's, not files ("null:"); or NULL */

  /* The shards that an input with the scheme stands for. */
  muster_status (*expand)(const char *input, mst_names *paths, muster_error *error);
  /* How sure it is that a file is of this format. NULL: never by itself. */
  int (*probe)(const mst_probe *probe);
  /* Whether this folder is a shard of the format, or holds some; what cannot be looked at is an
   * error. NULL: shards are files. */
  muster_status (*owns_folder)(const char *path, bool *owns, muster_error *error);
  /* The names of all arrays of numbers in a file or folder. Without options->dataset those with
   * numbered names are shards, in that order; otherwise inspect gets no member and finds it itself:
   * see formats/members.h. NULL: a file is a shard. Many threads at once. */
  muster_status (*list_members)(const char *path, const muster_open_options *options,
                                mst_names *members, muster_error *error);
  /* Once for a dataset, before any inspect: reads what describes all shards. NULL: nothing. */
  muster_status (*prepare)(const mst_setup *setup, void **context, muster_error *error);
  void (*release)(void *context);
  /* Reads the metadata of one shard: fills the schema, and of *shard what concerns the format.
   * Remarks ("3 bytes behind the data") go to note, if any. Many threads at once. */
  muster_status (*inspect)(const mst_source *source, mst_schema *schema, mst_shard *shard,
                           mst_str *note, muster_error *error);
  /* Frees mst_shard.detail, also of a shard whose inspect failed. */
  void (*forget)(void *detail);
  /* Around the reads of one shard by one reader, who is in one thread at a time: state that they
   * share. When open fails, close is not called. NULL: nothing. */
  muster_status (*open)(mst_open_shard *open, muster_error *error);
  void (*close)(mst_open_shard *open);
  /* The band of a row: rows [*lo, *hi) that are decoded together, such as a row of chunks or a row
   * group. Reads of parts of a band are joined where memory allows, so that read_rows is asked for
   * whole bands mostly. NULL, or false: any row can be read by itself. */
  bool (*band)(const mst_shard *shard, uint64_t row, uint64_t *lo, uint64_t *hi);
  bool band_is_whole; /* a part of a band costs as much memory and time as all of it */
  /* Elements [first, first + count) of the shard in C order, dense. Many threads at once.
   * NULL, or the shard is fortran or by_rows: read_rows is used. */
  muster_status (*read_elements)(const mst_open_shard *open, uint64_t first, uint64_t count,
                                 void *dst, muster_error *error);
  /* Rows [lo, hi) of the shard into memory with strides (bytes), one for each axis that inspect
   * found; of a fortran shard, for each of open->schema. */
  muster_status (*read_rows)(const mst_open_shard *open, uint64_t lo, uint64_t hi, void *dst,
                             const int64_t *strides, muster_error *error);
  /* Writes one shard into a folder that is not in its place yet. NULL: cannot write. */
  muster_status (*write)(const mst_new_shard *shard, muster_error *error);
  /* Writes what describes the whole dataset into the folder. NULL: nothing to write. */
  muster_status (*write_sidecar)(const char *folder, const mst_schema *schema,
                                 const uint64_t *shard_rows, size_t shard_count,
                                 muster_error *error);

  /* The name by which Python finds the array in the file of a shard; "": the file is the array.
   * NULL: files hold one. */
  const char *(*python_member)(const mst_shard *shard);
  /* Lines of Python that have to come before Legate is imported; NULL: none. */
  const char *python_first;
  /* Appends the lines of a Python function, indented by 4, that returns for a file named `path`
   * what looks like an array: dtype, shape, and rows, which are read when they are sliced. They may
   * use `np` and SHAPE, that of the whole array, and take the name of the array from
   * mst_members_add_python. NULL: Python's usual packages cannot. */
  void (*add_python)(const mst_python_shards *shards, mst_str *out);
} mst_format;

/* The table of formats.def, in its order. */
size_t mst_format_count(void);
const mst_format *mst_format_at(size_t index);
/* NULL when there is none of that name. */
const mst_format *mst_format_named(const char *name);
/* The format with the highest score for a file; NULL when all say no. */
const mst_format *mst_format_probe(const mst_probe *probe);
/* The format whose scheme the input begins with, or NULL. */
const mst_format *mst_format_of_scheme(const char *input);
/* The format that a folder is a shard of; *format is NULL when it is of none. */
muster_status mst_format_of_folder(const char *path, const mst_format **format,
                                   muster_error *error);

/* Why the options hold one that the format does not heed, to be read behind its name; NULL: none.
 */
const char *mst_useless_option(const mst_format *format, const muster_open_options *options);

/* The format behind muster_open_reader; not in the table. Its context is a muster_reader. */
extern const mst_format mst_format_callback;

/* Why a file that no format knows is refused, and the way out; NULL: nothing known about it. */
const char *mst_refusal(const mst_probe *probe);

/* True when the name ends like data that muster reads, or refuses by name. */
bool mst_is_named_as_data(const char *path);

/* True when the name ends in one of the extensions ("" matches nothing). */
bool mst_has_extension(const char *path, const char *extensions);

#endif
