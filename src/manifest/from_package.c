/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table by an installed cuPyNumeric: the sections and skipped names of its documentation's
 * comparison, NumPy's public names, and what its own docstrings say of each.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "manifest/numpy_names.h"
#include "manifest/rating.h"

#define CONFIG "cupynumeric._sphinxext._comparison_config"

typedef struct package {
  char *site; /* the folder that holds cupynumeric and numpy */
  mst_modules numpy;
  mst_modules cupynumeric;
  mst_slice skipped; /* the set of names that are no part of the comparison */
  mst_slice sections;
  mst_manifest_draft draft;
  muster_error *error;
} package;

static void reset(package *p) {
  mst_modules_reset(&p->numpy);
  mst_modules_reset(&p->cupynumeric);
  mst_str_reset(&p->draft.rows);
  mst_free(p->site);
}

/* ---- where it lies --------------------------------------------------------------------------- */

static char *joined(const char *folder, const char *name) {
  mst_str path = {0};
  mst_str_addf(&path, "%s%s%s", folder, mst_ends_with(folder, "/") ? "" : "/", name);
  return mst_str_take(&path);
}

/* Takes `folder`: it is the site when it holds cupynumeric. */
static muster_status try_site(package *p, char *folder) {
  if (folder == NULL) return mst_fail_memory(p->error);
  bool found = false;
  char *file = joined(folder, "cupynumeric/__init__.py");
  const muster_status status =
      file != NULL ? mst_io_find(file, &found, p->error) : mst_fail_memory(p->error);
  mst_free(file);
  if (status == MUSTER_OK && found)
    p->site = folder;
  else
    mst_free(folder);
  return status;
}

/* VENV/lib/python3.N/site-packages, the N that has it. */
static muster_status try_environment(package *p, const char *place) {
  char *lib = joined(place, "lib");
  bool found = false;
  mst_names names = {0};
  muster_status status =
      lib != NULL ? mst_io_find(lib, &found, p->error) : mst_fail_memory(p->error);
  if (status == MUSTER_OK && found) status = mst_io_list(lib, &names, p->error);
  for (size_t i = 0; status == MUSTER_OK && p->site == NULL && i < names.length; i++) {
    if (!mst_starts_with(names.data[i], "python3")) continue;
    char *python = joined(lib, names.data[i]);
    status =
        python != NULL ? try_site(p, joined(python, "site-packages")) : mst_fail_memory(p->error);
    mst_free(python);
  }
  mst_names_reset(&names);
  mst_free(lib);
  return status;
}

static muster_status find_site(package *p, const char *place) {
  mst_stat info;
  muster_status status = mst_io_stat(place, &info, p->error);
  if (status == MUSTER_OK) status = try_site(p, mst_strdup(place));
  if (status == MUSTER_OK && p->site == NULL) status = try_environment(p, place);
  /* The folder of the package itself. */
  if (status == MUSTER_OK && p->site == NULL) status = try_site(p, joined(place, ".."));
  if (status != MUSTER_OK || p->site != NULL) return status;
  return mst_fail(p->error, MUSTER_ERR_NOT_FOUND, place,
                  "no cuPyNumeric there: name a virtual environment, its site-packages, or the "
                  "folder of the package");
}

/* ---- what its documentation compares --------------------------------------------------------- */

static muster_status find_value(package *p, const char *name, mst_slice *out) {
  mst_found found;
  const muster_status status = mst_modules_find(&p->cupynumeric, CONFIG, name, &found, p->error);
  if (status != MUSTER_OK) return status;
  if (found.binding == NULL || found.binding->kind != MST_BIND_VALUE)
    return mst_fail(p->error, MUSTER_ERR_UNSUPPORTED, p->site,
                    "this cuPyNumeric does not say what its comparison with NumPy holds (%s in its "
                    "_sphinxext/_comparison_config.py)",
                    name);
  *out = found.binding->value;
  return MUSTER_OK;
}

static bool is_skipped(const package *p, const char *name) {
  mst_slice rest = p->skipped, skipped;
  while (mst_next_string(&rest, &skipped))
    if (mst_slice_is(skipped, name)) return true;
  return false;
}

#define MAX_PART 32

/* The id that the documentation makes of a title; no section has a longer one. */
static bool section_of(mst_slice title, mst_api_section *section) {
  char id[64];
  if (title.length >= sizeof id) return false;
  for (size_t i = 0; i < title.length; i++) {
    const char c = title.at[i];
    id[i] = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
  }
  id[title.length] = '\0';
  return mst_api_section_parse(id, section) && *section != MST_API_OTHER;
}

/* SectionConfig("Linear Algebra", "linalg"): the title and the part of NumPy, "" for all of it. */
static bool next_section(mst_slice *rest, mst_api_section *section, char part[MAX_PART]) {
  mst_slice title, attribute;
  while (mst_next_string(rest, &title)) {
    if (!section_of(title, section)) continue;
    const mst_slice behind = *rest;
    const char *close = memchr(rest->at, ')', rest->length);
    const bool has_part = mst_next_string(rest, &attribute) && close != NULL &&
                          attribute.at < close && attribute.length < MAX_PART;
    snprintf(part, MAX_PART, "%.*s", has_part ? (int)attribute.length : 0,
             has_part ? attribute.at : "");
    if (!has_part) *rest = behind;
    return true;
  }
  return false;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A part of NumPy and the same part of cuPyNumeric: a module, or the class of arrays. */
typedef struct part_pair {
  mst_api_section section;
  char name[MAX_PART]; /* "", "ndarray", "linalg" ... */
  char numpy_module[64];
  char cupynumeric_module[64];
} part_pair;

static void add_row(package *p, const part_pair *part, mst_api_section section, const char *name,
                    const mst_rating *rating) {
  mst_str numpy = {0}, cupynumeric = {0};
  const char *dot = part->name[0] != '\0' ? "." : "";
  const char *root = part->section == MST_API_NDARRAY ? "" : "numpy.";
  mst_str_addf(&numpy, "%s%s%s%s", root, part->name, dot, name);
  mst_str_addf(&cupynumeric, "cupynumeric.%s%s%s", part->name, dot, name);
  mst_draft_add(&p->draft, section, mst_str_text(&numpy),
                rating->implemented ? mst_str_text(&cupynumeric) : NULL, rating->level,
                rating->note);
  if (numpy.failed || cupynumeric.failed) p->draft.rows.failed = true;
  mst_str_reset(&numpy);
  mst_str_reset(&cupynumeric);
}

/* The methods of NumPy's class that cuPyNumeric's lacks: not listed, but seen not to be there. */
static muster_status add_missing_methods(package *p, const part_pair *part, const char *name,
                                         const mst_found *theirs, const mst_found *ours) {
  static const mst_rating absent = {.level = MST_API_UNLISTED, .note = ""};
  mst_names methods = {0};
  const muster_status status = mst_public_methods(theirs, &methods, p->error);
  for (size_t i = 0; status == MUSTER_OK && i < methods.length; i++) {
    if (mst_class_has(ours, methods.data[i])) continue;
    mst_str full = {0};
    mst_str_addf(&full, "%s.%s", name, methods.data[i]);
    add_row(p, part, MST_API_OTHER, mst_str_text(&full), &absent);
    if (full.failed) p->draft.rows.failed = true;
    mst_str_reset(&full);
  }
  mst_names_reset(&methods);
  return status;
}

static bool is_class(const mst_found *found) {
  return found->binding != NULL && found->binding->kind == MST_BIND_CLASS;
}

static muster_status add_name(package *p, const part_pair *part, const char *name) {
  mst_found theirs, ours;
  bool callable = false;
  mst_rating rating = {.level = MST_API_UNLISTED, .note = ""};
  muster_status status = mst_modules_find(&p->numpy, part->numpy_module, name, &theirs, p->error);
  if (status == MUSTER_OK) status = mst_is_callable(&p->numpy, &theirs, &callable, p->error);
  if (status == MUSTER_OK)
    status = mst_modules_find(&p->cupynumeric, part->cupynumeric_module, name, &ours, p->error);
  if (status != MUSTER_OK) return status;
  if (!callable || is_skipped(p, name)) {
    if (ours.module == NULL) add_row(p, part, MST_API_OTHER, name, &rating);
    return MUSTER_OK;
  }
  status = mst_rate(&p->cupynumeric, &ours, &rating, p->error);
  if (status == MUSTER_OK) add_row(p, part, part->section, name, &rating);
  if (status == MUSTER_OK && part->section == MST_API_RANDOM && is_class(&theirs) &&
      is_class(&ours))
    status = add_missing_methods(p, part, name, &theirs, &ours);
  return status;
}

static muster_status add_module(package *p, const part_pair *part) {
  mst_names names = {0};
  muster_status status = mst_public_names(&p->numpy, part->numpy_module, &names, p->error);
  for (size_t i = 0; status == MUSTER_OK && i < names.length; i++)
    if (names.data[i][0] != '_') status = add_name(p, part, names.data[i]);
  mst_names_reset(&names);
  return status;
}

static muster_status add_method(package *p, const part_pair *part, const mst_found *ours,
                                const char *name) {
  mst_found method = {.module = ours->module};
  const mst_outline *outline = &ours->module->outline;
  mst_rating rating = {.level = MST_API_NONE, .note = ""};
  method.binding = mst_outline_find(outline, (size_t)(ours->binding - outline->bindings.data),
                                    (mst_slice){name, strlen(name)});
  if (method.binding == NULL) method.module = NULL;
  muster_status status = mst_rate(&p->cupynumeric, &method, &rating, p->error);
  /* Methods refer to the function of their name, and some have no docstring of their own. */
  if (status == MUSTER_OK && rating.not_said) {
    mst_found function;
    mst_rating other = {0};
    status = mst_modules_find(&p->cupynumeric, "cupynumeric", name, &function, p->error);
    if (status == MUSTER_OK) status = mst_rate(&p->cupynumeric, &function, &other, p->error);
    if (status == MUSTER_OK && other.implemented && !other.not_said) rating = other;
  }
  if (status == MUSTER_OK) add_row(p, part, part->section, name, &rating);
  return status;
}

static muster_status add_class(package *p, const part_pair *part) {
  mst_found theirs, ours;
  muster_status status = mst_modules_find(&p->numpy, "numpy", part->name, &theirs, p->error);
  if (status == MUSTER_OK)
    status = mst_modules_find(&p->cupynumeric, "cupynumeric", part->name, &ours, p->error);
  if (status != MUSTER_OK || !is_class(&theirs) || !is_class(&ours)) return status;
  mst_names names = {0};
  status = mst_public_methods(&theirs, &names, p->error);
  for (size_t i = 0; status == MUSTER_OK && i < names.length; i++)
    if (!is_skipped(p, names.data[i])) status = add_method(p, part, &ours, names.data[i]);
  mst_names_reset(&names);
  return status;
}

static muster_status add_sections(package *p) {
  mst_slice rest = p->sections;
  part_pair part;
  muster_status status = MUSTER_OK;
  while (status == MUSTER_OK && next_section(&rest, &part.section, part.name)) {
    const char *dot = part.name[0] != '\0' ? "." : "";
    snprintf(part.numpy_module, sizeof part.numpy_module, "numpy%s%s", dot, part.name);
    snprintf(part.cupynumeric_module, sizeof part.cupynumeric_module, "cupynumeric%s%s", dot,
             part.name);
    status = part.section == MST_API_NDARRAY ? add_class(p, &part) : add_module(p, &part);
  }
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool is_version(mst_slice text) {
  for (size_t i = 0; i < text.length; i++)
    if (text.at[i] <= ' ' || text.at[i] > '~') return false;
  return true;
}

/* The string that a version file binds; "unknown" when it binds none. */
static muster_status find_version(package *p, const char *module, const char *name, char *out,
                                  size_t room) {
  mst_found found;
  const muster_status status = mst_modules_find(&p->cupynumeric, module, name, &found, p->error);
  snprintf(out, room, "unknown");
  if (status != MUSTER_OK || found.binding == NULL) return status;
  mst_slice rest = found.binding->value, text;
  if (mst_next_string(&rest, &text) && text.length > 0 && text.length < room && is_version(text))
    snprintf(out, room, "%.*s", (int)text.length, text.at);
  return MUSTER_OK;
}

static muster_status check_numpy(package *p) {
  const mst_package_module *numpy;
  const muster_status status = mst_module_read(&p->numpy, "numpy", &numpy, p->error);
  if (status != MUSTER_OK || numpy->text != NULL) return status;
  return mst_fail(p->error, MUSTER_ERR_NOT_FOUND, p->site,
                  "there is no NumPy beside cuPyNumeric, and its names are needed");
}

static muster_status read_package(package *p, const char *place, const char *fetched,
                                  mst_manifest *out) {
  char cupynumeric[32], numpy[32];
  muster_status status = find_site(p, place);
  if (status != MUSTER_OK) return status;
  p->numpy = (mst_modules){.site = p->site, .stubs = true};
  p->cupynumeric = (mst_modules){.site = p->site};
  status = check_numpy(p);
  if (status == MUSTER_OK) status = find_value(p, "SKIP", &p->skipped);
  if (status == MUSTER_OK) status = find_value(p, "NUMPY_CONFIGS", &p->sections);
  if (status == MUSTER_OK) status = add_sections(p);
  if (status == MUSTER_OK)
    status =
        find_version(p, "cupynumeric._version", "__version__", cupynumeric, sizeof cupynumeric);
  if (status == MUSTER_OK)
    status = find_version(p, "numpy.version", "version", numpy, sizeof numpy);
  if (status != MUSTER_OK) return status;
  return mst_draft_finish(&p->draft, place, "docstrings of an installed package", cupynumeric,
                          numpy, fetched, out, p->error);
}

muster_status mst_manifest_from_package(const char *place, const char *fetched, mst_manifest *out,
                                        muster_error *error) {
  package p = {.error = error};
  *out = (mst_manifest){0};
  const muster_status status = read_package(&p, place, fetched, out);
  reset(&p);
  return status;
}
