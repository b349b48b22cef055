/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "base/fault.h"

/* What the disk has seen need not survive a power cut here: thousands of syncs take minutes. */
int fsync(int fd) { return fd >= 0 ? 0 : -1; }
int syncfs(int fd) { return fd >= 0 ? 0 : -1; }

/* The tests' own failures are no findings. */
static void must(bool worked, const char *what) {
  if (worked) return;
  fprintf(stderr, "test support: %s: %s\n", what, strerror(errno));
  abort();
}

static void *memory(size_t bytes) {
  void *block = calloc(bytes + 1, 1);
  must(block != NULL, "memory");
  return block;
}

/* ---- findings ------------------------------------------------------------------------------- */

#define MOST_SHOWN 12

static struct {
  char trying[256];
  size_t count;
} findings;

void findings_begin(void) { findings.count = 0; }

void trying(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(findings.trying, sizeof findings.trying, format, args);
  va_end(args);
}

void problem(const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (findings.count++ < MOST_SHOWN) print_error("%s: %s\n", findings.trying, text);
}

void findings_end(void) {
  if (findings.count > 0) fail_msg("%zu problems", findings.count);
}

/* ---- memory --------------------------------------------------------------------------------- */

static struct {
  int64_t live;
  uint64_t bytes;
} before;

void memory_begin(void) {
  mst_fault_arm(MST_FAULT_NONE, 0, 0);
  before.live = mst_fault_live_allocs();
  before.bytes = mst_fault_peak_bytes();
}

void memory_end(void) {
  (void)mst_fault_disarm();
  const int64_t leaked = mst_fault_live_allocs() - before.live;
  const uint64_t peak = mst_fault_peak_bytes() - before.bytes;
  if (leaked != 0) problem("%lld allocations leaked", (long long)leaked);
  if (peak >= MOST_BYTES) problem("%llu bytes of memory", (unsigned long long)peak);
}

/* ---- the folder of the test ----------------------------------------------------------------- */

static char home[4096];
static char own_folder[] = "fault-XXXXXX";

int fs_begin(void **state) {
  (void)state;
  must(getcwd(home, sizeof home) != NULL, "getcwd");
  must(mkdtemp(own_folder) != NULL, "mkdtemp");
  must(chdir(own_folder) == 0, own_folder);
  return 0;
}

int fs_end(void **state) {
  (void)state;
  fs_clear();
  must(chdir(home) == 0, home);
  must(rmdir(own_folder) == 0, own_folder);
  return 0;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const tree_entry *)a)->path, ((const tree_entry *)b)->path);
}

static void remember(tree *t, const char *path, bool contents) {
  struct stat info;
  must(lstat(path, &info) == 0, path);
  t->entries = realloc(t->entries, (t->count + 1) * sizeof *t->entries);
  must(t->entries != NULL, "memory");
  tree_entry *entry = &t->entries[t->count++];
  *entry = (tree_entry){.path = strdup(path)};
  entry->changed.seconds = info.st_mtim.tv_sec;
  entry->changed.nanoseconds = info.st_mtim.tv_nsec;
  if (S_ISREG(info.st_mode) && contents) entry->data = fs_read(path, &entry->length);
}

/* Folders stand before what is in them. */
static void walk(tree *t, const char *folder, bool contents) {
  DIR *opened = opendir(folder);
  must(opened != NULL, folder);
  for (const struct dirent *found; (found = readdir(opened)) != NULL;) {
    char path[1024];
    if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) continue;
    const bool top = strcmp(folder, ".") == 0;
    snprintf(path, sizeof path, "%s%s%s", top ? "" : folder, top ? "" : "/", found->d_name);
    remember(t, path, contents);
    if (found->d_type == DT_DIR) walk(t, path, contents);
  }
  closedir(opened);
}

static tree take(bool contents) {
  tree t = {0};
  walk(&t, ".", contents);
  if (t.count > 0) qsort(t.entries, t.count, sizeof *t.entries, by_path);
  return t;
}

tree tree_take(void) { return take(true); }

void tree_free(tree *t) {
  for (size_t i = 0; i < t->count; i++) {
    free(t->entries[i].path);
    free(t->entries[i].data);
  }
  free(t->entries);
  *t = (tree){0};
}

void fs_clear(void) {
  tree t = take(false);
  for (size_t i = t.count; i-- > 0;)
    must(remove(t.entries[i].path) == 0, t.entries[i].path);
  tree_free(&t);
}

void fs_mkdir(const char *path) { must(mkdir(path, 0777) == 0 || errno == EEXIST, path); }

/* A new file, not the old one emptied: ext4 would write that to the disk at once. */
void fs_write(const char *path, const void *data, size_t length) {
  (void)unlink(path);
  FILE *file = fopen(path, "wb");
  must(file != NULL, path);
  must(fwrite(data, 1, length, file) == length && fclose(file) == 0, path);
}

void fs_print(const char *path, const char *format, ...) {
  va_list args;
  FILE *file = fopen(path, "wb");
  must(file != NULL, path);
  va_start(args, format);
  must(vfprintf(file, format, args) >= 0, path);
  must(fclose(file) == 0, path);
  va_end(args);
}

char *fs_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  struct stat info;
  must(fstat(fileno(file), &info) == 0, path);
  char *data = memory((size_t)info.st_size);
  *length = fread(data, 1, (size_t)info.st_size, file);
  fclose(file);
  return data;
}

bool fs_exists(const char *path) { return access(path, F_OK) == 0; }

static bool same_entry(const tree_entry *a, const tree_entry *b) {
  if (a->data == NULL || b->data == NULL) return a->data == b->data;
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static const char *difference(const char *path, const char *what) {
  static char text[1200];
  snprintf(text, sizeof text, "%s %s", path, what);
  return text;
}

static const tree_entry *find_entry(const tree *t, const char *path) {
  const tree_entry key = {.path = (char *)(uintptr_t)path};
  return t->count > 0 ? bsearch(&key, t->entries, t->count, sizeof key, by_path) : NULL;
}

static void put_back(const tree_entry *entry) {
  if (entry->data == NULL) {
    fs_mkdir(entry->path);
    return;
  }
  const struct timespec changed = {entry->changed.seconds, entry->changed.nanoseconds};
  const struct timespec times[2] = {changed, changed};
  fs_write(entry->path, entry->data, entry->length);
  must(utimensat(AT_FDCWD, entry->path, times, 0) == 0, entry->path);
}

void tree_restore(const tree *t) {
  tree found = tree_take();
  for (size_t i = found.count; i-- > 0;) {
    const tree_entry *wanted = find_entry(t, found.entries[i].path);
    if (wanted == NULL || !same_entry(&found.entries[i], wanted))
      must(remove(found.entries[i].path) == 0, found.entries[i].path);
  }
  for (size_t i = 0; i < t->count; i++) {
    const tree_entry *there = find_entry(&found, t->entries[i].path);
    if (there == NULL || !same_entry(there, &t->entries[i])) put_back(&t->entries[i]);
  }
  tree_free(&found);
}

const char *tree_stranger(const tree *found, const tree *whole) {
  for (size_t i = 0; i < found->count; i++) {
    const tree_entry *entry = &found->entries[i];
    const tree_entry *wanted = find_entry(whole, entry->path);
    if (wanted == NULL) return difference(entry->path, "should not be there");
    if (!same_entry(entry, wanted)) return difference(entry->path, "has other contents");
  }
  return NULL;
}

const char *tree_difference(const tree *found, const tree *wanted) {
  for (size_t i = 0; i < wanted->count; i++) {
    const char *path = wanted->entries[i].path;
    if (find_entry(found, path) == NULL) return difference(path, "is missing");
  }
  return tree_stranger(found, wanted);
}

/* ---- numbers -------------------------------------------------------------------------------- */

int64_t value_of(uint64_t index) { return (int64_t)(index % 1000) * 7 - 300; }

size_t size_of_type(const char *type) { return (size_t)strtoul(type + 1, NULL, 10); }

#define PUT(code, ctype)                 \
  if (strcmp(type, code) == 0) {         \
    const ctype number = (ctype)value;   \
    memcpy(out, &number, sizeof number); \
  }

void put_number(const char *type, int64_t value, void *out){
    PUT("i2", int16_t) PUT("i4", int32_t) PUT("i8", int64_t) PUT("f4", float) PUT("f8", double)}

uint64_t checksum_of(const void *data, size_t bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i * 8 < bytes; i++) {
    uint64_t word = 0;
    const size_t left = bytes - i * 8;
    memcpy(&word, (const char *)data + i * 8, left < 8 ? left : 8);
    const uint64_t x = word + (i + 1) * 0x9E3779B97F4A7C15u;
    const uint64_t y = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    sum += y ^ y >> 29;
  }
  return sum;
}

/* "Fast Splittable Pseudorandom Number Generators", seed 0. */
static uint64_t splitmix64(uint64_t index) {
  uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* ---- files by hand -------------------------------------------------------------------------- */

/* Magic, version, length and the text, padded to a multiple of 64. */
static unsigned char *frame(unsigned version, const char *dict, size_t *length) {
  const size_t field = version == 1 ? 2 : 4;
  const size_t total = (8 + field + strlen(dict) + 1 + 63) / 64 * 64;
  const size_t text = total - 8 - field;
  unsigned char *bytes = memory(total);
  memcpy(bytes, "\x93NUMPY", 6);
  bytes[6] = (unsigned char)version;
  for (size_t i = 0; i < field; i++)
    bytes[8 + i] = (unsigned char)(text >> 8 * i);
  memset(bytes + 8 + field, ' ', text);
  memcpy(bytes + 8 + field, dict, strlen(dict));
  bytes[total - 1] = '\n';
  *length = total;
  return bytes;
}

static unsigned char *larger(unsigned char *bytes, size_t length) {
  unsigned char *moved = realloc(bytes, length);
  must(moved != NULL, "memory");
  return moved;
}

void npy_write(const char *path, unsigned version, const char *dict, size_t data_bytes) {
  size_t length;
  unsigned char *bytes = frame(version, dict, &length);
  bytes = larger(bytes, length + data_bytes);
  memset(bytes + length, 0, data_bytes);
  fs_write(path, bytes, length + data_bytes);
  free(bytes);
}

static unsigned char *header_of(const array *a, size_t *length) {
  char shape[128] = "";
  char dict[256];
  *length = 0;
  if (a->version == 0) return memory(0);
  for (size_t i = 0; i < a->rank; i++)
    snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%llu", i > 0 ? ", " : "",
             (unsigned long long)a->shape[i]);
  snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s%s), }", a->descr,
           a->fortran ? "True" : "False", shape, a->rank == 1 ? "," : "");
  return frame(a->version, dict, length);
}

/* Where the element with the C-order number `index` stands in the file. */
static uint64_t place_of(const array *a, uint64_t index) {
  if (!a->fortran) return index;
  uint64_t place = 0, step[4], stride = 1;
  for (size_t i = 0; i < a->rank; i++) {
    step[i] = stride;
    stride *= a->shape[i];
  }
  for (size_t i = a->rank; i-- > 0;) {
    place += index % a->shape[i] * step[i];
    index /= a->shape[i];
  }
  return place;
}

static void put_element(const array *a, uint64_t index, unsigned char *out) {
  const char *type = a->descr + 1;
  const size_t size = size_of_type(type);
  const uint64_t random = splitmix64(a->first + index);
  put_number(type, a->seeded ? (int64_t)random : value_of(a->first + index), out);
  for (size_t i = 0; a->descr[0] == '>' && i < size / 2; i++) {
    const unsigned char byte = out[i];
    out[i] = out[size - 1 - i];
    out[size - 1 - i] = byte;
  }
}

unsigned char *array_make(const array *a, size_t *length) {
  size_t header;
  uint64_t elements = 1;
  for (size_t i = 0; i < a->rank; i++)
    elements *= a->shape[i];
  const size_t size = size_of_type(a->descr + 1);
  unsigned char *bytes = header_of(a, &header);
  *length = header + elements * size + a->behind;
  bytes = larger(bytes, *length + 1);
  for (uint64_t i = 0; i < elements; i++)
    put_element(a, i, bytes + header + place_of(a, i) * size);
  memset(bytes + *length - a->behind, '#', a->behind);
  return bytes;
}

void array_write(const char *path, const array *a) {
  size_t length;
  unsigned char *bytes = array_make(a, &length);
  fs_write(path, bytes, length);
  free(bytes);
}

/* ---- folders of shards ---------------------------------------------------------------------- */

uint64_t fixture_row_elements(const fixture *f) {
  uint64_t elements = 1;
  for (size_t i = 0; i < f->trailing_rank; i++)
    elements *= f->trailing[i];
  return elements;
}

uint64_t fixture_rows(const fixture *f) {
  uint64_t rows = 0;
  for (size_t i = 0; i < f->shards; i++)
    rows += f->rows[i];
  return rows;
}

unsigned char *fixture_rows_as(const fixture *f, const char *type, uint64_t lo, uint64_t hi,
                               size_t *length) {
  const size_t size = size_of_type(type);
  const uint64_t width = fixture_row_elements(f);
  *length = (size_t)((hi - lo) * width) * size;
  unsigned char *bytes = memory(*length);
  for (uint64_t i = lo * width; i < hi * width; i++) {
    const int64_t value = f->recorded ? (int64_t)splitmix64(i) : value_of(i);
    put_number(type, value, bytes + (i - lo * width) * size);
  }
  return bytes;
}

static array shard_of(const fixture *f, size_t index) {
  array a = {.descr = f->descr,
             .fortran = f->fortran,
             .version = f->version,
             .rank = f->trailing_rank + 1,
             .shape = {f->rows[index]},
             .seeded = f->recorded,
             .behind = f->companions && index == 0 ? 5 : 0};
  for (size_t i = 0; i < f->trailing_rank; i++)
    a.shape[i + 1] = f->trailing[i];
  for (size_t i = 0; i < index; i++)
    a.first += f->rows[i] * fixture_row_elements(f);
  return a;
}

static void shard_name(const fixture *f, size_t index, char name[32]) {
  snprintf(name, 32, "shard_%04zu.%s", index, f->version == 0 ? "bin" : "npy");
}

static void add_trailing(FILE *out, const fixture *f) {
  for (size_t i = 0; i < f->trailing_rank; i++)
    fprintf(out, "%s%llu", i > 0 ? ", " : "", (unsigned long long)f->trailing[i]);
}

static void make_sidecar(const fixture *f, const char *folder) {
  char path[256], name[32];
  snprintf(path, sizeof path, "%s/shard_meta.json", folder);
  FILE *out = fopen(path, "w");
  must(out != NULL, path);
  fprintf(out, "{\"dtype\": \"%s\", \"byte_order\": \"%s\", \"header_bytes\": 0, ", f->descr + 1,
          f->descr[0] == '>' ? "big" : "little");
  fprintf(out, "\"trailing_shape\": [");
  add_trailing(out, f);
  fprintf(out, "], \"per_shard_rows\": [");
  for (size_t i = 0; i < f->shards; i++)
    fprintf(out, "%s%llu", i > 0 ? ", " : "", (unsigned long long)f->rows[i]);
  fprintf(out, "], \"files\": [");
  for (size_t i = 0; i < f->shards; i++) {
    shard_name(f, i, name);
    fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", name);
  }
  fprintf(out, "]}\n");
  must(fclose(out) == 0, path);
}

/* The entries of both records: name, rows and bytes, and the checksum in the seal. */
static void add_record_entry(FILE *out, const fixture *f, size_t index, bool sealed) {
  char name[32];
  size_t length;
  const array a = shard_of(f, index);
  unsigned char *bytes = array_make(&a, &length);
  const XXH128_hash_t hash = XXH3_128bits(bytes, length);
  const unsigned header = f->version == 0   ? 0
                          : f->version == 1 ? 10u + bytes[8] + 256u * bytes[9]
                                            : 12u + bytes[8] + 256u * bytes[9];
  free(bytes);
  shard_name(f, index, name);
  fprintf(out, "%s{\"name\": \"%s\", \"rows\": %llu, \"bytes\": %zu", index > 0 ? ", " : "", name,
          (unsigned long long)f->rows[index], length);
  if (sealed)
    fprintf(out, ", \"dtype\": \"%s\", \"data_offset\": %u",
            f->descr[0] == '>' ? f->descr : "int64", header);
  if (sealed)
    fprintf(out, ", \"xxh3_128\": \"%016llx%016llx\"", (unsigned long long)hash.high64,
            (unsigned long long)hash.low64);
  fprintf(out, "}");
}

static void make_record(const fixture *f, const char *folder, bool sealed) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, sealed ? "_muster_seal.json" : "_muster_write.json");
  FILE *out = fopen(path, "w");
  must(out != NULL, path);
  fprintf(out, "{\"schema\": \"muster.%s-record/1\", \"format\": \"%s\", ",
          sealed ? "seal" : "write", f->version == 0 ? "raw" : "npy");
  fprintf(out, "\"dtype\": \"int64\", \"seed\": 0, \"trailing_shape\": [");
  add_trailing(out, f);
  fprintf(out, "], ");
  if (f->version == 0 && !sealed) {
    struct stat sidecar;
    snprintf(path, sizeof path, "%s/shard_meta.json", folder);
    must(stat(path, &sidecar) == 0, path);
    fprintf(out, "\"sidecar_bytes\": %lld, ", (long long)sidecar.st_size);
  }
  fprintf(out, "\"%s\": [", sealed ? "shards" : "files");
  for (size_t i = 0; i < f->shards; i++)
    add_record_entry(out, f, i, sealed);
  fprintf(out, "]}\n");
  must(fclose(out) == 0, path);
}

void fixture_make(const fixture *f, const char *folder) {
  char path[256], name[32];
  fs_mkdir(folder);
  for (size_t i = 0; i < f->shards; i++) {
    const array a = shard_of(f, i);
    shard_name(f, i, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    array_write(path, &a);
  }
  if (f->version == 0) make_sidecar(f, folder);
  if (f->recorded) make_record(f, folder, false);
  if (f->recorded) make_record(f, folder, true);
  snprintf(path, sizeof path, "%s/README.md", folder);
  if (f->companions) fs_print(path, "Nothing to load here.\n");
}
