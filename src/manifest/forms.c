/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/forms.h"

#include <string.h>

const mst_call_form mst_call_forms[MST_FORM_COUNT] = {
#define FORM(kind, reported, effect) {MST_FORM_##kind, reported, effect},
#include "manifest/forms.def"
#undef FORM
};

void mst_call_form_add_name(mst_str *out, const mst_call_form *form, const char *numpy_name,
                            const char *detail) {
  for (const char *at = form->reported; *at != '\0';) {
    const size_t plain = strcspn(at, "%");
    mst_str_add_bytes(out, at, plain);
    at += plain;
    if (*at == '\0') break;
    const char *put = at[1] == 'N' ? numpy_name : detail;
    if (put != NULL) mst_str_add(out, put);
    at += 2;
  }
}

static bool is_among(const char *word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

bool mst_is_raising_ufunc_method(const char *method) {
  static const char *const methods[] = {"at", "outer", "accumulate", "reduceat"};
  return is_among(method, methods, sizeof methods / sizeof *methods);
}

bool mst_is_float_only_product(const char *numpy_name) {
  static const char *const names[] = {"numpy.matmul", "numpy.dot", "numpy.tensordot",
                                      "numpy.einsum"};
  return is_among(numpy_name, names, sizeof names / sizeof *names);
}
