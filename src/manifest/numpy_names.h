/* SPDX-License-Identifier: Apache-2.0 */
/* The public names of NumPy, by its stubs. */
#ifndef MST_MANIFEST_NUMPY_NAMES_H
#define MST_MANIFEST_NUMPY_NAMES_H

#include "base/io.h"
#include "manifest/modules.h"

/* Adds the strings of a module's __all__; none when it has none. */
muster_status mst_public_names(mst_modules *modules, const char *module, mst_names *names,
                               muster_error *error);

/* Adds the public methods of a class, those of its first base in the same file as well; properties
 * are no methods. */
muster_status mst_public_methods(const mst_found *found, mst_names *names, muster_error *error);
/* The class in its module has a function of this name, itself or by its first base. */
bool mst_class_has(const mst_found *found, const char *name);

/* Whether a name of the type declarations (.pyi) can be called: a function, a class, or a value
 * whose type says so. */
muster_status mst_is_callable(mst_modules *modules, const mst_found *found, bool *callable,
                              muster_error *error);

#endif
