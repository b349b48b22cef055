/* SPDX-License-Identifier: Apache-2.0 */
/* Levels and forms by the documentation of cuPyNumeric 26.06, ages by the calendar. */
#include "unit/unit.h"

#include "manifest/availability.h"
#include "manifest/forms.h"
#include "manifest/outline.h"
#include "manifest/table.h"

#define HEAD "muster API support 1\nSource: a test\ncuPyNumeric: 1.0\nNumPy: 2.0\n"
#define SMALL                                                                     \
  HEAD "Fetched: 2026-01-31\n\n"                                                  \
       "module-level\tnumpy.prod\tcupynumeric.prod\tmulti\n"                      \
       "module-level\tnumpy.interp\t-\tnone\n"                                    \
       "module-level\tnumpy.in1d\tcupynumeric.in1d\tsingle\tas it is\n"           \
       "module-level\tnumpy.isin\tcupynumeric.isin\tmulti\n"                      \
       "multi-dimensional-array\tndarray.sort\tcupynumeric.ndarray.sort\tmulti\n" \
       "unlisted\tnumpy.ma\t-\tunlisted\n"

static void parse(const char *text, mst_manifest *out) {
  muster_error error;
  CHECK(mst_manifest_parse("t", text, strlen(text), out, &error) == MUSTER_OK, "%s", error.message);
}

static void test_find(void **state) {
  (void)state;
  static const struct {
    const char *asked, *found;
    mst_api_level level;
  } table[] = {
      {"numpy.prod", "numpy.prod", MST_API_MULTI},
      {"numpy.product", "numpy.prod", MST_API_MULTI},
      {"numpy.interp", "numpy.interp", MST_API_NONE},
      {"numpy.in1d", "numpy.in1d", MST_API_SINGLE}, /* listed itself, so not by isin */
      {"ndarray.sort", "ndarray.sort", MST_API_MULTI},
      {"numpy.ndarray.sort", "ndarray.sort", MST_API_MULTI},
      {"numpy.ma", NULL, MST_API_UNLISTED},
      {"numpy.pro", NULL, MST_API_UNLISTED},
      {"numpy.prods", NULL, MST_API_UNLISTED},
      {"numpy", NULL, MST_API_UNLISTED},
      {"prod", NULL, MST_API_UNLISTED},
      {"", NULL, MST_API_UNLISTED},
      {"numpy.alltrue", NULL, MST_API_UNLISTED}, /* its successor is not listed here */
  };
  mst_manifest manifest;
  parse(SMALL, &manifest);
  for (size_t i = 0; i < COUNT(table); i++) {
    const mst_api_support *found = mst_manifest_find(&manifest, table[i].asked);
    CHECK((found != NULL) == (table[i].found != NULL), "%s", table[i].asked);
    if (found == NULL) continue;
    CHECK(strcmp(found->name, table[i].found) == 0, "%s: %s", table[i].asked, found->name);
    CHECK(found->level == table[i].level, "%s", table[i].asked);
  }
  assert_null(mst_manifest_find(&manifest, "numpy.interp")->cupynumeric_name);
  assert_string_equal(mst_manifest_find(&manifest, "numpy.in1d")->note, "as it is");
  mst_manifest_reset(&manifest);
  mst_manifest_reset(&manifest);
  assert_null(mst_manifest_find(&manifest, "numpy.prod"));
}

static void test_seen_absent(void **state) {
  (void)state;
  mst_manifest manifest;
  parse(SMALL, &manifest);
  assert_true(mst_manifest_seen_absent(&manifest, "numpy.ma"));
  assert_true(mst_manifest_seen_absent(&manifest, "numpy.ma.masked_array.filled"));
  assert_false(mst_manifest_seen_absent(&manifest, "numpy.matrix"));
  assert_false(mst_manifest_seen_absent(&manifest, "numpy.interp"));
  assert_false(mst_manifest_seen_absent(&manifest, "numpy.prod.reduce"));
  assert_false(mst_manifest_seen_absent(&manifest, ""));
  mst_manifest_reset(&manifest);
}

/* Every entry finds itself, and the file is what the table writes. */
static void test_carried(void **state) {
  (void)state;
  mst_manifest manifest, again;
  muster_error error;
  assert_int_equal(mst_manifest_carried(&manifest, &error), MUSTER_OK);
  assert_int_equal(mst_manifest_check(&manifest, "t", &error), MUSTER_OK);
  for (size_t i = 0; i < manifest.length; i++) {
    const mst_api_support *entry = &manifest.entries[i];
    const mst_api_support *found = mst_manifest_find(&manifest, entry->name);
    CHECK(found == (entry->level != MST_API_UNLISTED ? entry : NULL), "%s", entry->name);
    CHECK(mst_manifest_seen_absent(&manifest, entry->name) == (found == NULL), "%s", entry->name);
  }
  mst_str text = {0}, twice = {0};
  mst_manifest_write(&manifest, &text);
  parse(mst_str_text(&text), &again);
  mst_manifest_write(&again, &twice);
  assert_string_equal(mst_str_text(&text), mst_str_text(&twice));
  mst_str_reset(&text);
  mst_str_reset(&twice);
  mst_manifest_reset(&manifest);
  mst_manifest_reset(&again);
}

/* Each row goes behind a good header. */
static void test_bad_rows(void **state) {
  (void)state;
  static const struct {
    const char *row, *told;
  } table[] = {
      {"", "it has no names"},
      {"module-level\tnumpy.prod\tmulti", "a row has"},
      {"module-level\tnumpy.prod\tcupynumeric.prod\tmulti\ta note\r\tmore", "a row has"},
      {"module\tnumpy.prod\tcupynumeric.prod\tmulti", "unknown section"},
      {"module-level\tnumpy prod\tcupynumeric.prod\tmulti", "a name has"},
      {"module-level\tnumpy.prod\t\tmulti", "a name has"},
      {"module-level\tnumpy.prod\tcupynumeric.prod\tmany", "unknown level"},
      {"module-level\tnumpy.prod\t-\tunlisted", "contradict"},
      {"module-level\tnumpy.prod\t-\tmulti", "a missing name"},
      {"module-level\tnumpy.prod\t-\tnone\nmodule-level\tnumpy.prod\t-\tnone", "twice"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_manifest manifest;
    muster_error error = {.offset = -1};
    mst_str text = {0};
    mst_str_addf(&text, HEAD "Fetched: 2026-01-31\n\n%s\n", table[i].row);
    CHECK(mst_manifest_parse("t", text.data, text.length, &manifest, &error) == MUSTER_ERR_FORMAT,
          "%s", table[i].row);
    CHECK(strstr(error.message, table[i].told) != NULL, "%s: %s", table[i].row, error.message);
    mst_str_reset(&text);
  }
}

static void test_too_few(void **state) {
  (void)state;
  mst_manifest manifest;
  muster_error error;
  parse(SMALL, &manifest);
  assert_int_equal(mst_manifest_check(&manifest, "t", &error), MUSTER_ERR_FORMAT);
  assert_non_null(strstr(error.message, "only 4 implemented names"));
  mst_manifest_reset(&manifest);
}

static void test_age(void **state) {
  (void)state;
  static const struct {
    const char *today;
    long days;
    bool warns;
  } table[] = {
      {"2026-01-31", 0, false},  {"2026-02-01", 1, false},    {"2026-01-30", -1, false},
      {"2026-05-01", 90, false}, {"2026-05-02", 91, true},    {"2027-01-31", 365, true},
      {"2028-03-01", 760, true}, {"2126-01-31", 36524, true},
  };
  mst_manifest manifest;
  parse(SMALL, &manifest);
  for (size_t i = 0; i < COUNT(table); i++) {
    long days = -9999;
    mst_str text = {0};
    CHECK(mst_manifest_age(&manifest, table[i].today, &days) && days == table[i].days, "%s: %ld",
          table[i].today, days);
    CHECK(mst_manifest_add_age_warning(&manifest, table[i].today, &text) == table[i].warns, "%s",
          table[i].today);
    CHECK((strstr(mst_str_text(&text), "muster manifest refresh") != NULL) == table[i].warns, "%s",
          table[i].today);
    mst_str_reset(&text);
  }
  long days;
  assert_false(mst_manifest_age(&manifest, "today", &days));
  mst_manifest_reset(&manifest);
}

static void test_dates(void **state) {
  (void)state;
  static const char *const good[] = {"2026-01-01", "2024-02-29", "2000-02-29", "2026-12-31"};
  static const char *const bad[] = {"",           "2026-1-1",    "2026-02-29", "1900-02-29",
                                    "2026-13-01", "2026-00-01",  "2026-04-31", "2026-01-00",
                                    "2026/01/01", "2026-01-011", "+026-01-01"};
  for (size_t i = 0; i < COUNT(good); i++)
    CHECK(mst_is_date(good[i]), "%s", good[i]);
  for (size_t i = 0; i < COUNT(bad); i++)
    CHECK(!mst_is_date(bad[i]), "%s", bad[i]);
}

static void test_availability(void **state) {
  (void)state;
  static const struct {
    const char *doc;
    mst_api_level level; /* MST_API_UNLISTED: nothing is said */
  } table[] = {
      {"\"\"\"T.\n\n  Availability\n  --------\n  Multiple GPUs, Multiple CPUs\n  \"\"\"",
       MST_API_MULTI},
      {"\"\"\"T.\n\nAvailability\n------------\nMultiple CPUs, Multiple GPUs\"\"\"", MST_API_MULTI},
      {"'''Availability\n---\nSingle GPU,\nMultiple CPUs\n'''", MST_API_SINGLE},
      {"'''Availability\n---\nMultiple GPUs, Single CPU\n\nSingle GPU'''", MST_API_MULTI},
      {"'''Availability\n---\nSingle CPU'''", MST_API_SINGLE},
      {"'''Availability\n---\nMultiple GPUs (partial)\r\n'''", MST_API_PARTIAL},
      {"'''Availability\n---\nSoon'''", MST_API_UNLISTED},
      {"'''Availability\n\nMultiple GPUs'''", MST_API_UNLISTED}, /* no heading */
      {"'''Multiple GPUs, Multiple CPUs'''", MST_API_UNLISTED},
      {"'''Availability\n---'''", MST_API_UNLISTED},
      {"", MST_API_UNLISTED},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_api_level level = MST_API_UNLISTED;
    const char *note;
    const mst_slice doc = {table[i].doc, strlen(table[i].doc)};
    const bool said = mst_availability_level(mst_availability_text(doc), &level, &note);
    CHECK(said == (table[i].level != MST_API_UNLISTED) && level == table[i].level, "%s",
          table[i].doc);
  }
}

/* What Python's own parser says of this text. */
static void test_outline(void **state) {
  (void)state;
  static const char text[] = "'''Doc'''\n"
                             "import os.path, sys as system\n"
                             "from . import (a, # no, c\n  b as B,)\n"
                             "from ..x.y import *\n"
                             "@property\n"
                             "def f(x=')', y={1: 2}) -> 'int':\n"
                             "\n"
                             "  r\"\"\"Doc of f\n"
                             "def no(): pass\"\"\"\n"
                             "  def inner(): pass\n"
                             "\n"
                             "# def no2(): pass\n"
                             "class C(Base, metaclass=M):\n"
                             "    'Doc of C'\n"
                             "    def m(self): pass\n"
                             "    class Inner:\n"
                             "        def no3(self): pass\n"
                             "    v: int = 3\n"
                             "if TYPE_CHECKING:\n"
                             "    import typing_only\n"
                             "else:\n"
                             "    late = 1\n"
                             "p = q = [1,\n'two']\n"
                             "p == q\n"
                             "t: Final[int]\n"
                             "async def g(): pass\n"
                             "s = 'not \\'closed\n";
  static const struct {
    mst_binding_kind kind;
    const char *name;
    bool member;
  } expected[] = {
      {MST_BIND_IMPORT, "os", false},  {MST_BIND_IMPORT, "system", false},
      {MST_BIND_IMPORT, "a", false},   {MST_BIND_IMPORT, "B", false},
      {MST_BIND_STAR, "", false},      {MST_BIND_PROPERTY, "f", false},
      {MST_BIND_CLASS, "C", false},    {MST_BIND_FUNCTION, "m", true},
      {MST_BIND_CLASS, "Inner", true}, {MST_BIND_VALUE, "v", true},
      {MST_BIND_VALUE, "late", false}, {MST_BIND_VALUE, "p", false},
      {MST_BIND_VALUE, "q", false},    {MST_BIND_VALUE, "t", false},
      {MST_BIND_FUNCTION, "g", false}, {MST_BIND_VALUE, "s", false},
  };
  mst_outline outline;
  assert_true(mst_outline_make(&outline, text, strlen(text)));
  for (size_t i = 0; i < COUNT(expected) && i < outline.bindings.length; i++) {
    const mst_bound_name *binding = &outline.bindings.data[i];
    CHECK(binding->kind == expected[i].kind && mst_slice_is(binding->name, expected[i].name) &&
              (binding->in_class != MST_NO_CLASS) == expected[i].member,
          "%zu: %.*s", i, (int)binding->name.length, binding->name.at);
  }
  assert_int_equal(outline.bindings.length, COUNT(expected));
  assert_true(mst_slice_is(outline.bindings.data[4].module, "..x.y"));
  assert_true(mst_slice_is(outline.bindings.data[5].doc, "\"\"\"Doc of f\ndef no(): pass\"\"\""));
  assert_true(mst_slice_is(outline.bindings.data[6].doc, "'Doc of C'"));
  mst_outline_reset(&outline);
}

static void test_forms(void **state) {
  (void)state;
  static const struct {
    mst_form_kind kind;
    const char *name, *detail, *reported;
  } table[] = {
      {MST_FORM_UFUNC_METHOD, "numpy.add", "at", "numpy.add.at"},
      {MST_FORM_UFUNC_WHERE, "numpy.add", NULL, "numpy.add(where=)"},
      {MST_FORM_PRODUCT_DTYPE, "numpy.matmul", "int64", "numpy.matmul(int64)"},
      {MST_FORM_RANK, NULL, "7", "rank 7"},
  };
  for (size_t i = 0; i < COUNT(table); i++) {
    mst_str text = {0};
    const mst_call_form *form = &mst_call_forms[table[i].kind];
    assert_int_equal(form->kind, table[i].kind);
    mst_call_form_add_name(&text, form, table[i].name, table[i].detail);
    assert_string_equal(mst_str_text(&text), table[i].reported);
    mst_str_reset(&text);
  }
  assert_true(mst_is_raising_ufunc_method("outer") && !mst_is_raising_ufunc_method("reduce"));
  assert_true(mst_is_float_only_product("numpy.dot") && !mst_is_float_only_product("numpy.sum"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find),    cmocka_unit_test(test_seen_absent),
      cmocka_unit_test(test_carried), cmocka_unit_test(test_bad_rows),
      cmocka_unit_test(test_too_few), cmocka_unit_test(test_age),
      cmocka_unit_test(test_dates),   cmocka_unit_test(test_availability),
      cmocka_unit_test(test_outline), cmocka_unit_test(test_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
