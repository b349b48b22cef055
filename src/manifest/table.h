/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of API support: which names of NumPy cuPyNumeric has, and how far each scales. It is
 * a text, one line a name, so that two of them can be compared by eye and by diff:
 *
 *   muster API support 1
 *   Source: cupynumeric package
 *   cuPyNumeric: 26.6.1
 *   NumPy: 2.4.6
 *   Fetched: 2026-11-30
 *
 *   module-level<TAB>numpy.add<TAB>cupynumeric.add<TAB>multi
 *   linear-algebra<TAB>numpy.linalg.qr<TAB>cupynumeric.linalg.qr<TAB>single<TAB>note
 *   module-level<TAB>numpy.interp<TAB>-<TAB>none
 *
 * Methods are named ndarray.sort. docs/manifest.md says where each level comes from.
 */
#ifndef MST_MANIFEST_TABLE_H
#define MST_MANIFEST_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "base/vec.h"
#include "muster/error.h"

/* From worst to best. Text and glyph: mst_api_level_name, mst_api_level_glyph. */
typedef enum mst_api_level {
  MST_API_UNLISTED, /* the package was seen not to have it; no part of the comparison */
  MST_API_NONE,     /* listed, not implemented on the distributed path */
  MST_API_PARTIAL,  /* implemented with a limit, which the note names */
  MST_API_SINGLE,   /* on one GPU or CPU only */
  MST_API_MULTI
} mst_api_level;

#define MST_API_LEVELS 5

/* The sections of the comparison, in its order. */
typedef enum mst_api_section {
  MST_API_MODULE,
  MST_API_NDARRAY,
  MST_API_LINALG,
  MST_API_FFT,
  MST_API_RANDOM,
  MST_API_OTHER /* names of level unlisted */
} mst_api_section;

#define MST_API_SECTIONS 5 /* those of the comparison */

typedef struct mst_api_support {
  const char *name;             /* "numpy.linalg.qr", "ndarray.sort" */
  const char *cupynumeric_name; /* NULL: missing */
  const char *note;             /* "": none */
  mst_api_level level;
  mst_api_section section;
} mst_api_support;

/* Zeroed memory is an empty one. Never changes once parsed: any thread may look names up. */
typedef struct mst_manifest {
  char *text;               /* what all names point into */
  const char *source;       /* in words */
  const char *cupynumeric;  /* version, or "unknown" */
  const char *numpy;        /* version that the names come from, or "unknown" */
  const char *fetched;      /* "2026-11-30" */
  mst_api_support *entries; /* sorted by name, bytewise */
  size_t length;
} mst_manifest;

void mst_manifest_reset(mst_manifest *manifest);

/* The table that muster carries. */
muster_status mst_manifest_carried(mst_manifest *out, muster_error *error);
/* `path` is for errors, which tell the byte; the text is copied. */
muster_status mst_manifest_parse(const char *path, const char *text, size_t length,
                                 mst_manifest *out, muster_error *error);
muster_status mst_manifest_read(const char *path, mst_manifest *out, muster_error *error);
/* Appends the table as a file holds it: sections in order, each sorted by name. */
void mst_manifest_write(const mst_manifest *manifest, mst_str *out);

/*
 * By full name: "numpy.linalg.qr", "ndarray.sort", "numpy.ndarray.sort". What NumPy 2 removed is
 * found under its successor ("numpy.product" gives numpy.prod), unless it is listed itself. NULL:
 * unlisted. Borrowed from the manifest; does not allocate.
 */
const mst_api_support *mst_manifest_find(const mst_manifest *manifest, const char *numpy_name);
/* True when the package was seen not to have an unlisted name, or the module that holds it
 * ("numpy.ma.masked_array" by numpy.ma). */
bool mst_manifest_seen_absent(const mst_manifest *manifest, const char *numpy_name);

/* Called for each name that is listed in one table only (the other is NULL), or with another level
 * or note. In order of names. */
typedef void mst_difference_fn(void *context, const mst_api_support *old,
                               const mst_api_support *new_one);
void mst_manifest_compare(const mst_manifest *old, const mst_manifest *new_one,
                          mst_difference_fn *tell, void *context);

/* Names of one section at one level. */
size_t mst_manifest_count(const mst_manifest *manifest, mst_api_section section,
                          mst_api_level level);
/* Names that are listed and not missing. */
size_t mst_manifest_implemented(const mst_manifest *manifest);

/* Fewer implemented names than this are no table: what it was read from has changed its shape. */
#define MST_MANIFEST_LEAST 100
/* MUSTER_ERR_FORMAT for a table that was read anew and holds fewer. */
muster_status mst_manifest_check(const mst_manifest *manifest, const char *path,
                                 muster_error *error);

/*
 * Days from `fetched` to `today` ("2026-11-30"); false when `today` is no date. The library reads
 * no clock: the caller says what day it is.
 */
bool mst_manifest_age(const mst_manifest *manifest, const char *today, long *days);
#define MST_MANIFEST_FRESH_DAYS 90
/* Appends the warning about an old table, one line without a newline; false when it is fresh. */
bool mst_manifest_add_age_warning(const mst_manifest *manifest, const char *today, mst_str *out);
/* True for a day of the calendar, written as 2026-11-30. */
bool mst_is_date(const char *text);

/* "multi"; "✓✓", "-" for unlisted. Static. */
const char *mst_api_level_name(mst_api_level level);
const char *mst_api_level_glyph(mst_api_level level);
bool mst_api_level_parse(const char *name, mst_api_level *out);
/* "linear-algebra": the id of the section in the documentation; "unlisted" for the rest. */
const char *mst_api_section_id(mst_api_section section);
bool mst_api_section_parse(const char *id, mst_api_section *out);

/* ---- tables read anew: from_package.c, from_html.c ---- */

/* What a table is written from, before it is one. Zeroed memory is empty. */
typedef struct mst_manifest_draft {
  mst_str rows;
} mst_manifest_draft;

/* cupynumeric_name NULL: missing; note "": none. */
void mst_draft_add(mst_manifest_draft *draft, mst_api_section section, const char *numpy_name,
                   const char *cupynumeric_name, mst_api_level level, const char *note);
/* Turns the draft into a table, checks it, and empties the draft, also on failure. */
muster_status mst_draft_finish(mst_manifest_draft *draft, const char *path, const char *source,
                               const char *cupynumeric, const char *numpy, const char *fetched,
                               mst_manifest *out, muster_error *error);

/*
 * Reads an installed cuPyNumeric as text: nothing of it is imported or run. `place` is a virtual
 * environment, its site-packages, or the folder of the package; NumPy must be beside it.
 */
muster_status mst_manifest_from_package(const char *place, const char *fetched, mst_manifest *out,
                                        muster_error *error);

/*
 * Reads the comparison page of the documentation. Where the page says that a name works on
 * neither one GPU nor several (it does so for types, and for what runs on one CPU), the level is
 * that of `known`, which may be NULL, if the name is implemented there, else none.
 */
muster_status mst_manifest_from_html(const char *path, const char *html, size_t length,
                                     const char *fetched, const mst_manifest *known,
                                     mst_manifest *out, muster_error *error);
/* NULL, or why this build cannot read HTML. */
const char *mst_manifest_html_unavailable(void);

/* The documentation's own address is the only one that is fetched; *html is freed by mst_free. */
bool mst_manifest_is_url(const char *place);
muster_status mst_manifest_fetch(const char *url, char **html, size_t *length, muster_error *error);

#endif
