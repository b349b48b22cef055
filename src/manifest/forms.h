/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of call that raise although the name is implemented. They count as gaps. */
#ifndef MST_MANIFEST_FORMS_H
#define MST_MANIFEST_FORMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef enum mst_form_kind {
#define FORM(kind, reported, effect) MST_FORM_##kind,
#include "manifest/forms.def"
#undef FORM
  MST_FORM_COUNT
} mst_form_kind;

typedef struct mst_call_form {
  mst_form_kind kind;
  const char *reported; /* %N: the name called; %D: the detail that makes it raise */
  const char *effect;   /* one sentence: what happens, and what to write instead */
} mst_call_form;

/* By kind, and in order of kinds. */
extern const mst_call_form mst_call_forms[MST_FORM_COUNT];

/* Appends the name that the gap is reported under: "numpy.add.at", "numpy.matmul(int64)",
 * "rank 7". What the form has no place for may be NULL. */
void mst_call_form_add_name(mst_str *out, const mst_call_form *form, const char *numpy_name,
                            const char *detail);

/* "at", "outer", "accumulate", "reduceat": methods of a ufunc that raise. */
bool mst_is_raising_ufunc_method(const char *method);
/* "numpy.matmul", "numpy.dot", "numpy.tensordot", "numpy.einsum": raise on integers and bools. */
bool mst_is_float_only_product(const char *numpy_name);
/* The most dimensions that an array may have. */
#define MST_TARGET_MAX_RANK 6

#endif
