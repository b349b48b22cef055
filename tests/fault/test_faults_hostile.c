/* SPDX-License-Identifier: Apache-2.0 */
/* Headers, sidecars and records that were made to do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"

/* ---- texts ---------------------------------------------------------------------------------- */

/* A text with a part in the middle that is there many times. */
typedef struct text {
  const char *name;
  const char *begin;
  const char *middle; /* NULL: nothing */
  size_t times;
  const char *end;
} text;

static char *make_text(const text *t, size_t *length) {
  const size_t width = t->middle != NULL ? strlen(t->middle) : 0;
  *length = strlen(t->begin) + t->times * width + strlen(t->end);
  char *made = memory(*length);
  char *at = stpcpy(made, t->begin);
  for (size_t i = 0; i < t->times; i++, at += width)
    memcpy(at, t->middle, width);
  strcpy(at, t->end);
  return made;
}

/* ---- one try -------------------------------------------------------------------------------- */

static muster_status open_folder(const char *folder, bool stack, muster_error *error) {
  muster_dataset *dataset = NULL;
  muster_open_options options;
  muster_open_options_init(&options);
  options.threads = 1;
  options.stack = stack;
  const muster_status status = muster_open(&folder, 1, &options, &dataset, error);
  muster_dataset_free(dataset);
  return status;
}

static bool has_control_bytes(const char *message) {
  while ((unsigned char)*message >= ' ' && *message != 0x7f)
    message++;
  return *message != '\0';
}

static void expect_error(muster_status status, const muster_error *error) {
  if (status != MUSTER_OK && has_control_bytes(error->message)) problem("control bytes");
  if (status == MUSTER_OK)
    problem("is accepted");
  else if (status == MUSTER_ERR_MEMORY || status == MUSTER_ERR_IO)
    problem("is no such error: %s", error->message);
  else if (error->message[0] == '\0' || error->path[0] == '\0')
    problem("nothing is said: '%s' '%s'", error->path, error->message);
}

/* The folder must be refused, with and without --stack. */
static void expect_refusal(void) {
  for (int stack = 0; stack <= 1; stack++) {
    muster_error error = {0};
    memory_begin();
    const muster_status status = open_folder("data", stack != 0, &error);
    memory_end();
    expect_error(status, &error);
  }
}

/* ---- npy headers ---------------------------------------------------------------------------- */

#define DICT(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }"
#define F4(shape) DICT("<f4", shape)
#define TIMES16(x) x x x x x x x x x x x x x x x x

static const text headers[] = {
    {"the largest size", F4("(9223372036854775807,)"), NULL, 0, ""},
    {"the largest unsigned size", F4("(18446744073709551615,)"), NULL, 0, ""},
    {"a size beyond 64 bits", F4("(18446744073709551616,)"), NULL, 0, ""},
    {"a size of 1000 digits", "{'descr': '<f4', 'fortran_order': False, 'shape': (", "9", 1000,
     ",), }"},
    {"a product beyond 64 bits", F4("(4294967296, 4294967296)"), NULL, 0, ""},
    {"a product that wraps to little", F4("(4294967296, 4294967296, 3)"), NULL, 0, ""},
    {"zero times too much", F4("(0, 9223372036854775807, 9223372036854775807)"), NULL, 0, ""},
    {"rows of too much", F4("(0, 9223372036854775807)"), NULL, 0, ""},
    {"more than the file", F4("(1099511627776,)"), NULL, 0, ""},
    {"an exabyte of rows without bytes", F4("(1152921504606846976, 1)"), NULL, 0, ""},
    {"65 axes", "{'descr': '<f4', 'fortran_order': False, 'shape': (", "1, ", 65, "), }"},
    {"200000 axes", "{'descr': '<f4', 'fortran_order': False, 'shape': (", "1, ", 200000, "), }"},
    {"a negative size", F4("(-1,)"), NULL, 0, ""},
    {"a size in other digits", F4("(0x10,)"), NULL, 0, ""},
    {"a size with an exponent", F4("(1e3,)"), NULL, 0, ""},
    {"a size that is True", F4("(True,)"), NULL, 0, ""},
    {"a shape in a shape", F4("((3,),)"), NULL, 0, ""},
    {"a shape that is a number", F4("(3)"), NULL, 0, ""},
    {"a shape that is a list", F4("[3]"), NULL, 0, ""},
    {"deep tuples", "{'descr': '<f4', 'fortran_order': False, 'shape': ", "(", 100000, ""},
    {"deep lists", "{'descr': ", "[", 100000, ""},
    {"deep lists of fields", "{'descr': ", "[('a', ", 100000, ""},
    {"deep dicts", "", "{'descr': ", 90000, ""},
    {"many fields", "{'descr': [", "('name', '<f4'), ", 50000,
     "], 'fortran_order': False, 'shape': (3,), }"},
    {"a string without an end", "{'descr': '", "<f4", 100000, ""},
    {"a string of backslashes", "{'descr': '", "\\", 99999, ""},
    {"nothing but blanks", "", " ", 100000, ""},
    {"a million keys", "{", "'x': 1, ", 100000, "}"},
    {"a key twice", "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
     NULL, 0, ""},
    {"a key too few", "{'descr': '<f4', 'shape': (3,), }", NULL, 0, ""},
    {"a key too many", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1, }", NULL, 0,
     ""},
    {"something behind it", F4("(3,)") " + __import__('os').abort()", NULL, 0, ""},
    {"code for a value", "{'descr': '<f4', 'fortran_order': not 1, 'shape': (3,), }", NULL, 0, ""},
    {"an order that is 0", "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }", NULL, 0, ""},
    {"a pickle", DICT("|O", "(3,)"), NULL, 0, ""},
    {"text", DICT("<U8", "(3,)"), NULL, 0, ""},
    {"no dtype", DICT("", "(3,)"), NULL, 0, ""},
    {"a dtype of no bytes", DICT("V0", "(3,)"), NULL, 0, ""},
    {"a dtype of a gigabyte", DICT("V999999999", "(3,)"), NULL, 0, ""},
    {"a dtype of many digits", "{'descr': 'V", "9", 5000,
     "', 'fortran_order': False, "
     "'shape': (3,), }"},
    {"a time of many units", "{'descr': '<M8[", "9", 5000,
     "s]', 'fortran_order': False, "
     "'shape': (3,), }"},
    {"terminal escapes", DICT("\x1b[31m\x07", "(3,)"), NULL, 0, ""},
};

static void test_headers(void **state) {
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(headers); i++) {
    size_t length;
    char *dict = make_text(&headers[i], &length);
    fs_clear();
    fs_mkdir("data");
    trying("a header with %s", headers[i].name);
    npy_write("data/a.npy", length > 60000 ? 2 : 1, dict, 12);
    expect_refusal();
    free(dict);
  }
  findings_end();
}

/* Bytes from the start of a file that is as long as told, mostly a hole. */
typedef struct beginning {
  const char *name;
  const char *bytes;
  size_t count;
  off_t size;
} beginning;

#define BEGINNING(name, bytes, size) \
  { name, bytes, sizeof(bytes) - 1, size }

static const beginning beginnings[] = {
    BEGINNING("nothing", "", 0),
    BEGINNING("half of the magic", "\x93NUM", 4),
    BEGINNING("no version", "\x93NUMPY", 6),
    BEGINNING("no length", "\x93NUMPY\1\0", 8),
    BEGINNING("half a length", "\x93NUMPY\2\0\xff\xff", 10),
    BEGINNING("version 0", "\x93NUMPY\0\0\x76\0{", 256),
    BEGINNING("version 4", "\x93NUMPY\4\0\x76\0\0\0{", 256),
    BEGINNING("version 1.1", "\x93NUMPY\1\1\x76\0{", 256),
    BEGINNING("a header of no bytes", "\x93NUMPY\1\0\0\0", 256),
    BEGINNING("a header longer than the file", "\x93NUMPY\1\0\xff\xff{", 256),
    BEGINNING("a header of 4 GiB in a small file", "\x93NUMPY\2\0\xff\xff\xff\xff{", 256),
    BEGINNING("a header of 4 GiB in a large file", "\x93NUMPY\2\0\xff\xff\xff\xff{",
              (off_t)5 << 30),
    BEGINNING("a header of 2 MiB", "\x93NUMPY\3\0\0\0\x20\0{", 4 << 20),
    BEGINNING("a header of NUL bytes", "\x93NUMPY\2\0\0\0\x0f\0", 4 << 20),
};

static void test_beginnings(void **state) {
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(beginnings); i++) {
    const beginning *b = &beginnings[i];
    fs_clear();
    fs_mkdir("data");
    trying("a file with %s", b->name);
    fs_write("data/a.npy", b->bytes, b->count);
    must(truncate("data/a.npy", b->size) == 0, b->name);
    expect_refusal();
  }
  findings_end();
}

/* Legal, if only just. */
static void test_legal_headers(void **state) {
  static const text legal[] = {
      {"64 axes", "{'descr': '<f4', 'fortran_order': False, 'shape': (", "1, ", 64, "), }"},
      {"a megabyte of blanks", F4("(3,)"), " ", 1000000, ""},
      {"no rows of many columns", F4("(0, 1000000000)"), NULL, 0, ""},
      {"2**60 rows of nothing", F4("(1152921504606846976, 0)"), NULL, 0, ""},
  };
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(legal); i++) {
    size_t length;
    muster_error error = {0};
    char *dict = make_text(&legal[i], &length);
    fs_clear();
    fs_mkdir("data");
    trying("a header with %s", legal[i].name);
    npy_write("data/a.npy", length > 60000 ? 2 : 1, dict, 12);
    memory_begin();
    const muster_status status = open_folder("data", false, &error);
    memory_end();
    if (status != MUSTER_OK) problem("is refused: %s", error.message);
    free(dict);
  }
  findings_end();
}

/* ---- sidecars ------------------------------------------------------------------------------- */

#define ROWS(rows) "{\"dtype\": \"float32\", \"trailing_shape\": [], \"per_shard_rows\": " rows
#define SHAPE(shape) "{\"dtype\": \"float32\", \"trailing_shape\": " shape "}"
#define WITH(more) "{\"dtype\": \"float32\", \"trailing_shape\": [], " more "}"

static const text sidecars[] = {
    {"nothing in it", "", NULL, 0, ""},
    {"a number", "42", NULL, 0, ""},
    {"a list", "[]", NULL, 0, ""},
    {"no keys", "{}", NULL, 0, ""},
    {"a byte order mark only", "\xef\xbb\xbf", NULL, 0, ""},
    {"something behind it", WITH("\"header_bytes\": 0") "{}", NULL, 0, ""},
    {"a million rows", ROWS("[0"), ", 0", 1000000, "]}"},
    {"a million lists", ROWS("["), "[],", 1000000, "0]}"},
    {"a million keys", "{", "\"x\": 0, ", 200000, "\"y\": 0}"},
    {"a million files", WITH("\"per_shard_rows\": [3], \"files\": [\"a\""), ",\"a\"", 200000, "]}"},
    {"deep lists", ROWS(""), "[", 100000, "}"},
    {"closed deep lists", "{\"dtype\": ", "[", 100000, ""},
    {"deep dicts", "", "{\"dtype\": ", 100000, ""},
    {"a long key", "{\"", "x", 1000000, "\": 0}"},
    {"a long dtype", "{\"trailing_shape\": [], \"dtype\": \"", "f", 1000000, "\"}"},
    {"NaN rows", ROWS("[NaN]}"), NULL, 0, ""},
    {"infinitely many rows", ROWS("[Infinity]}"), NULL, 0, ""},
    {"1e400 rows", ROWS("[1e400]}"), NULL, 0, ""},
    {"3.0 rows", ROWS("[3.0]}"), NULL, 0, ""},
    {"-3 rows", ROWS("[-3]}"), NULL, 0, ""},
    {"\"3\" rows", ROWS("[\"3\"]}"), NULL, 0, ""},
    {"true rows", ROWS("[true]}"), NULL, 0, ""},
    {"null rows", ROWS("null}"), NULL, 0, ""},
    {"2^62 rows", ROWS("[4611686018427387904]}"), NULL, 0, ""},
    {"2^63 rows", ROWS("[9223372036854775808]}"), NULL, 0, ""},
    {"2^64 - 1 rows", ROWS("[18446744073709551615]}"), NULL, 0, ""},
    {"2^64 rows", ROWS("[18446744073709551616]}"), NULL, 0, ""},
    {"2^64 + 3 rows", ROWS("[18446744073709551619]}"), NULL, 0, ""},
    {"the wrong number of rows", ROWS("[4]}"), NULL, 0, ""},
    {"no list of rows", ROWS("3}"), NULL, 0, ""},
    {"64 axes", "{\"dtype\": \"float32\", \"trailing_shape\": [1", ", 1", 63, "]}"},
    {"a row of 2^63 bytes", SHAPE("[2305843009213693952]"), NULL, 0, ""},
    {"a row of 2^64 elements", SHAPE("[4294967296, 4294967296]"), NULL, 0, ""},
    {"a row of 2^64 and nothing", SHAPE("[0, 4294967296, 4294967296]"), NULL, 0, ""},
    {"a row of nothing", SHAPE("[0]"), NULL, 0, ""},
    {"a row that does not divide the file", SHAPE("[5]"), NULL, 0, ""},
    {"a row of -1", SHAPE("[-1]"), NULL, 0, ""},
    {"a shape that is no list", SHAPE("3"), NULL, 0, ""},
    {"header bytes of 2^64", WITH("\"header_bytes\": 18446744073709551616"), NULL, 0, ""},
    {"header bytes of 2^64 - 1", WITH("\"header_bytes\": 18446744073709551615"), NULL, 0, ""},
    {"header bytes of 2^63 - 1", WITH("\"header_bytes\": 9223372036854775807"), NULL, 0, ""},
    {"header bytes behind the end", WITH("\"header_bytes\": 13"), NULL, 0, ""},
    {"header bytes of NaN", WITH("\"header_bytes\": NaN"), NULL, 0, ""},
    {"a byte order that is none", WITH("\"byte_order\": \"middle\""), NULL, 0, ""},
    {"a byte order that is 1", WITH("\"byte_order\": 1"), NULL, 0, ""},
    {"a dtype that is a list", "{\"trailing_shape\": [], \"dtype\": [\"float32\"]}", NULL, 0, ""},
    {"a dtype of objects", "{\"trailing_shape\": [], \"dtype\": \"O\"}", NULL, 0, ""},
    {"a dtype with a NUL", "{\"trailing_shape\": [], \"dtype\": \"float32\\u0000x\"}", NULL, 0, ""},
    {"a file elsewhere", WITH("\"per_shard_rows\": [3], \"files\": [\"../a.bin\"]"), NULL, 0, ""},
    {"a file of the root", WITH("\"per_shard_rows\": [3], \"files\": [\"/etc/passwd\"]"), NULL, 0,
     ""},
    {"a file that is no name", WITH("\"per_shard_rows\": [3], \"files\": [7]"), NULL, 0, ""},
    {"a file that is ..", WITH("\"per_shard_rows\": [3], \"files\": [\"..\"]"), NULL, 0, ""},
    {"a file with a NUL", WITH("\"per_shard_rows\": [3], \"files\": [\"a.bin\\u0000\"]"), NULL, 0,
     ""},
    {"more files than rows", WITH("\"per_shard_rows\": [3], \"files\": [\"a.bin\", \"b\"]"), NULL,
     0, ""},
    {"files without rows", WITH("\"files\": [\"a.bin\"]"), NULL, 0, ""},
    {"bytes that are no UTF-8", "{\"dtype\": \"\xff\xfe\", \"trailing_shape\": []}", NULL, 0, ""},
    {"half a surrogate", "{\"dtype\": \"\\ud800\", \"trailing_shape\": []}", NULL, 0, ""},
};

static void test_sidecars(void **state) {
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(sidecars); i++) {
    size_t length;
    char *json = make_text(&sidecars[i], &length);
    fs_clear();
    fs_mkdir("data");
    trying("a sidecar with %s", sidecars[i].name);
    fs_write("data/a.bin", "abcdefghijkl", 12);
    fs_write("data/shard_meta.json", json, length);
    muster_error error = {0};
    memory_begin();
    const muster_status status = open_folder("data", false, &error);
    memory_end();
    expect_error(status, &error);
    free(json);
  }
  findings_end();
}

/* ---- records -------------------------------------------------------------------------------- */

/* The files of the dataset are 10 bytes each, and so is everything that must stay. */
#define TEN_BYTES "0123456789"
#define RECORD(files)                                                                     \
  "{\"schema\": \"muster.write-record/1\", \"format\": \"npy\", \"dtype\": \"float32\", " \
  "\"seed\": 0, \"trailing_shape\": [], \"files\": [" files "]}"
#define FILE_ENTRY(name) "{\"name\": \"" name "\", \"rows\": 1, \"bytes\": 10}"

static const text records[] = {
    {"the folder above", RECORD(FILE_ENTRY("../bystander")), NULL, 0, ""},
    {"the folder above, behind a folder", RECORD(FILE_ENTRY("sub/../../bystander")), NULL, 0, ""},
    {"a folder below", RECORD(FILE_ENTRY("sub/other.npy")), NULL, 0, ""},
    {"a folder by its name", RECORD(FILE_ENTRY("sub")), NULL, 0, ""},
    {"the folder itself", RECORD(FILE_ENTRY(".")), NULL, 0, ""},
    {"two dots", RECORD(FILE_ENTRY("..")), NULL, 0, ""},
    {"no name", RECORD(FILE_ENTRY("")), NULL, 0, ""},
    {"a slash", RECORD(FILE_ENTRY("/")), NULL, 0, ""},
    {"a file of the system", RECORD(FILE_ENTRY("/etc/passwd")), NULL, 0, ""},
    {"a NUL in a name", RECORD(FILE_ENTRY("other.npy\\u0000x")), NULL, 0, ""},
    {"a name with escapes", RECORD(FILE_ENTRY("\\u002e\\u002e\\u002fbystander")), NULL, 0, ""},
    {"a link that leads out", RECORD(FILE_ENTRY("link")), NULL, 0, ""},
    {"another size", RECORD("{\"name\": \"other.npy\", \"rows\": 1, \"bytes\": 11}"), NULL, 0, ""},
    {"no size", RECORD("{\"name\": \"other.npy\", \"rows\": 1}"), NULL, 0, ""},
    {"a size of -1", RECORD("{\"name\": \"other.npy\", \"rows\": 1, \"bytes\": -1}"), NULL, 0, ""},
    {"a size of 2^64 + 10",
     RECORD("{\"name\": \"other.npy\", \"rows\": 1, \"bytes\": 18446744073709551626}"), NULL, 0,
     ""},
    {"a size of NaN", RECORD("{\"name\": \"other.npy\", \"rows\": 1, \"bytes\": NaN}"), NULL, 0,
     ""},
    {"a name that is a list", RECORD("{\"name\": [\"other.npy\"], \"bytes\": 10}"), NULL, 0, ""},
    {"a file that is a name", RECORD("\"other.npy\""), NULL, 0, ""},
    {"files that are a dict",
     "{\"schema\": \"muster.write-record/1\", \"files\": {\"name\": "
     "\"other.npy\", \"bytes\": 10}}",
     NULL, 0, ""},
    {"another schema", "{\"schema\": \"muster.write-record/2\", \"files\": [", NULL, 0,
     FILE_ENTRY("other.npy") "]}"},
    {"no schema", "{\"files\": [" FILE_ENTRY("other.npy") "]}", NULL, 0, ""},
    {"many files", "{\"schema\": \"muster.write-record/1\", \"files\": [",
     FILE_ENTRY("../bystander") ",", 20000, FILE_ENTRY("other.npy") "]}"},
    {"deep lists", "{\"schema\": \"muster.write-record/1\", \"files\": ", "[", 100000, ""},
    {"nothing in it", "", NULL, 0, ""},
};

static void make_surroundings(const char *record, size_t length) {
  static const char *const files[] = {"bystander", "data/other.npy", "data/sub/other.npy"};
  fs_clear();
  fs_mkdir("data");
  fs_mkdir("data/sub");
  for (size_t i = 0; i < COUNT_OF(files); i++)
    fs_write(files[i], TEN_BYTES, strlen(TEN_BYTES));
  must(symlink("../bystander", "data/link") == 0, "symlink");
  fs_write("data/_muster_write.json", record, length);
}

static bool holds_ten_bytes(const char *path) {
  size_t length = 0;
  char *data = fs_read(path, &length);
  const bool same = data != NULL && length == strlen(TEN_BYTES) && strcmp(data, TEN_BYTES) == 0;
  free(data);
  return same;
}

/* Not one file but the record and the link itself may go. */
static void test_records(void **state) {
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(records); i++) {
    size_t length;
    muster_error error = {0};
    char *record = make_text(&records[i], &length);
    make_surroundings(record, length);
    trying("a record with %s", records[i].name);
    memory_begin();
    const muster_status status = muster_clean("data", NULL, &error);
    memory_end();
    expect_error(status, &error);
    if (!holds_ten_bytes("bystander")) problem("a file outside is gone");
    if (!holds_ten_bytes("data/other.npy")) problem("another file is gone");
    if (!holds_ten_bytes("data/sub/other.npy")) problem("a file of a folder below is gone");
    free(record);
  }
  findings_end();
}

/* ---- seals ---------------------------------------------------------------------------------- */

#define SEAL(shards) "{\"schema\": \"muster.seal-record/1\", \"shards\": [" shards "]}"

static const text seals[] = {
    {"no shards", SEAL(""), NULL, 0, ""},
    {"no list", "{\"schema\": \"muster.seal-record/1\", \"shards\": 1}", NULL, 0, ""},
    {"a shard that is a number", SEAL("1"), NULL, 0, ""},
    {"a name that leads out", SEAL("{\"name\": \"../a.npy\", \"bytes\": 152, \"xxh3_128\": \"\"}"),
     NULL, 0, ""},
    {"a size of 2^64",
     SEAL("{\"name\": \"shard_0000.npy\", \"bytes\": 18446744073709551616, "
          "\"xxh3_128\": \"\"}"),
     NULL, 0, ""},
    {"no checksum", SEAL("{\"name\": \"shard_0000.npy\", \"bytes\": 152}"), NULL, 0, ""},
    {"an empty checksum",
     SEAL("{\"name\": \"shard_0000.npy\", \"bytes\": 140, "
          "\"xxh3_128\": \"\"}"),
     NULL, 0, ""},
    {"a long checksum",
     "{\"schema\": \"muster.seal-record/1\", \"shards\": [{\"name\": "
     "\"shard_0000.npy\", \"bytes\": 140, \"xxh3_128\": \"",
     "0", 1000000, "\"}]}"},
    {"many shards", "{\"schema\": \"muster.seal-record/1\", \"shards\": [",
     "{\"name\": \"a\", \"bytes\": 1, \"xxh3_128\": \"\"},", 20000,
     "{\"name\": \"a\", \"bytes\": 1, \"xxh3_128\": \"\"}]}"},
    {"deep lists", "{\"schema\": \"muster.seal-record/1\", \"shards\": ", "[", 100000, ""},
};

static void test_seals(void **state) {
  static const fixture one = {"<f4", false, 1, .shards = 1, .rows = {3}};
  (void)state;
  findings_begin();
  for (size_t i = 0; i < COUNT_OF(seals); i++) {
    size_t length;
    muster_error error = {0};
    muster_verify_result result = {0};
    char *seal = make_text(&seals[i], &length);
    fs_clear();
    fixture_make(&one, "data");
    fs_write("data/_muster_seal.json", seal, length);
    trying("a seal with %s", seals[i].name);
    memory_begin();
    const muster_status status = muster_verify("data", NULL, &result, &error);
    memory_end();
    expect_error(status, &error);
    free(seal);
  }
  findings_end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_headers),       cmocka_unit_test(test_beginnings),
      cmocka_unit_test(test_legal_headers), cmocka_unit_test(test_sidecars),
      cmocka_unit_test(test_records),       cmocka_unit_test(test_seals),
  };
  return cmocka_run_group_tests_name("hostile files", tests, fs_begin, fs_end);
}
