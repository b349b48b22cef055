/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Python file binds at its top level and in its classes, with docstrings: enough to know the
 * public names of a package without running it. Bodies of functions are passed over. Blocks under
 * `if TYPE_CHECKING:` are no bindings; those under any other condition are.
 */
#ifndef MST_MANIFEST_OUTLINE_H
#define MST_MANIFEST_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A part of the text that the outline was made of. */
typedef struct mst_slice {
  const char *at;
  size_t length;
} mst_slice;

bool mst_slice_is(mst_slice slice, const char *text);
bool mst_slice_same(mst_slice a, mst_slice b);
/* Without spaces, tabs, ends of lines and backslashes that continue them, at both ends. */
mst_slice mst_slice_trim(mst_slice slice);
/* The identifier that the text begins with; empty when there is none. */
mst_slice mst_slice_identifier(mst_slice slice);
/* True when the word stands in the text, not as a part of a longer one. */
bool mst_slice_has_word(mst_slice slice, mst_slice word);

typedef enum mst_binding_kind {
  MST_BIND_FUNCTION,
  MST_BIND_PROPERTY, /* a function with @property or @NAME.setter */
  MST_BIND_CLASS,
  MST_BIND_VALUE,
  MST_BIND_IMPORT, /* of a module when `member` is empty, else of a member of it */
  MST_BIND_STAR    /* from MODULE import * */
} mst_binding_kind;

#define MST_NO_CLASS ((size_t)-1)

typedef struct mst_bound_name {
  mst_binding_kind kind;
  mst_slice name;   /* empty for a star */
  size_t in_class;  /* index of the class that it is a member of, or MST_NO_CLASS */
  mst_slice module; /* imports: as written, leading dots included */
  mst_slice member; /* imports */
  mst_slice type;   /* values: the annotation */
  mst_slice value;  /* values: what stands right of the =; classes: the bases */
  mst_slice doc;    /* functions and classes: the literal, quotes included */
  mst_slice body;   /* functions: behind the colon of the signature */
} mst_bound_name;

typedef struct mst_outline {
  MST_VEC(mst_bound_name) bindings; /* in the order of the file */
} mst_outline;

/* Borrows the text. False when there is no memory. Any bytes will do. */
bool mst_outline_make(mst_outline *outline, const char *text, size_t length);
void mst_outline_reset(mst_outline *outline);
/* The last binding of the name, at the top level or in a class; NULL when there is none. */
const mst_bound_name *mst_outline_find(const mst_outline *outline, size_t in_class, mst_slice name);

/* The next string literal of a list, tuple or set; false when there is none. *rest moves on. */
bool mst_next_string(mst_slice *rest, mst_slice *content);

#endif
