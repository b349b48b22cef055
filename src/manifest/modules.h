/* SPDX-License-Identifier: Apache-2.0 */
/* Names across the files of installed Python packages: imports are followed, nothing is run. */
#ifndef MST_MANIFEST_MODULES_H
#define MST_MANIFEST_MODULES_H

#include "manifest/outline.h"
#include "muster/error.h"

typedef struct mst_package_module {
  char *name;      /* "numpy.linalg" */
  char *text;      /* NULL: there is no such file */
  bool is_package; /* its file is an __init__ */
  mst_outline outline;
} mst_package_module;

/* Modules that have been read, by name. Zeroed memory with `site` set is an empty one. */
typedef struct mst_modules {
  const char *site; /* folder that the packages lie in */
  bool stubs;       /* .pyi before .py; else .py only */
  MST_VEC(mst_package_module *) read;
  unsigned steps; /* of the lookup that goes on: no package can make it endless */
} mst_modules;

void mst_modules_reset(mst_modules *modules);

/* The module, read when it is first asked for. text is NULL when there is none. */
muster_status mst_module_read(mst_modules *modules, const char *name,
                              const mst_package_module **out, muster_error *error);

/* What a name stands for. */
typedef struct mst_found {
  const mst_package_module *module; /* where it is bound; NULL: nowhere */
  const mst_bound_name *binding; /* an import only when it leads to another package or to nothing;
                                 NULL: the name is the module itself */
} mst_found;

/* Follows imports and stars within the package; aliases are not followed. */
muster_status mst_modules_find(mst_modules *modules, const char *module, const char *name,
                               mst_found *out, muster_error *error);
/* The same for a name as it stands in that module. */
muster_status mst_module_find(mst_modules *modules, const mst_package_module *module,
                              mst_slice name, mst_found *out, muster_error *error);

#endif
