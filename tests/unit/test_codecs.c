/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding what the libraries' own compressors made; damaged data; too little room. */
#include "unit/unit.h"

#include "codecs/codec.h"
#include "codecs/shuffle.h"
#include "formats/hdf5/filters.h"

#ifdef MST_HAVE_DEFLATE
#include <libdeflate.h>
#endif
#ifdef MST_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef MST_HAVE_LZ4
#include <lz4.h>
#endif
#ifdef MST_HAVE_BLOSC
#include <blosc.h>
#endif

#define LENGTH ((size_t)100000)
#define ROOM (2 * LENGTH + 1024)

typedef size_t (*encode_fn)(const void *src, size_t length, void *dst, size_t room);

/* ---- compressing ----------------------------------------------------------------------------- */

#ifdef MST_HAVE_DEFLATE
typedef size_t (*deflate_fn)(struct libdeflate_compressor *, const void *, size_t, void *, size_t);

static size_t by_libdeflate(deflate_fn compress, const void *src, size_t length, void *dst,
                            size_t room) {
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
  const size_t made = compress(compressor, src, length, dst, room);
  libdeflate_free_compressor(compressor);
  return made;
}

static size_t deflate(const void *src, size_t length, void *dst, size_t room) {
  return by_libdeflate(libdeflate_deflate_compress, src, length, dst, room);
}

static size_t zlib(const void *src, size_t length, void *dst, size_t room) {
  return by_libdeflate(libdeflate_zlib_compress, src, length, dst, room);
}

/* As two files one behind the other. */
static size_t gzip(const void *src, size_t length, void *dst, size_t room) {
  const size_t half = length / 2;
  const size_t made = by_libdeflate(libdeflate_gzip_compress, src, half, dst, room);
  return made + by_libdeflate(libdeflate_gzip_compress, (const char *)src + half, length - half,
                              (char *)dst + made, room - made);
}
#endif

#ifdef MST_HAVE_ZSTD
static size_t zstd(const void *src, size_t length, void *dst, size_t room) {
  return ZSTD_compress(dst, room, src, length, 3);
}
#endif

#ifdef MST_HAVE_LZ4
static size_t lz4(const void *src, size_t length, void *dst, size_t room) {
  return (size_t)LZ4_compress_default(src, dst, (int)length, (int)room);
}
#endif

#ifdef MST_HAVE_BLOSC
static size_t blosc(const void *src, size_t length, void *dst, size_t room) {
  return (size_t)blosc_compress_ctx(5, BLOSC_SHUFFLE, 4, length, src, dst, room, "lz4", 0, 1);
}

static size_t blosc_bits(const void *src, size_t length, void *dst, size_t room) {
  return (size_t)blosc_compress_ctx(5, BLOSC_BITSHUFFLE, 8, length, src, dst, room, "zstd", 0, 1);
}
#endif

typedef struct {
  const char *name;
  encode_fn encode;
  mst_decode_fn decode;
  bool has_checksum; /* one changed byte is always found */
} codec;

static const codec codecs[] = {
#ifdef MST_HAVE_DEFLATE
    {"deflate", deflate, mst_decode_deflate, false},
    {"zlib", zlib, mst_decode_zlib, true},
    {"gzip", gzip, mst_decode_gzip, false},
#endif
#ifdef MST_HAVE_ZSTD
    {"zstd", zstd, mst_decode_zstd, false},
#endif
#ifdef MST_HAVE_LZ4
    {"lz4", lz4, mst_decode_lz4, false},
#endif
#ifdef MST_HAVE_BLOSC
    {"blosc", blosc, mst_decode_blosc, false},
    {"blosc with bits", blosc_bits, mst_decode_blosc, false},
#endif
    {NULL, NULL, NULL, false},
};

/* ---- the tests ------------------------------------------------------------------------------- */

static unsigned char *make_data(void) {
  unsigned char *data = malloc(LENGTH);
  uint32_t seed = 1;
  for (size_t i = 0; i < LENGTH; i++) {
    seed = seed * 1664525U + 1013904223U;
    data[i] = i % 4 == 0 ? (unsigned char)(seed >> 29) : (unsigned char)(i / 1000);
  }
  return data;
}

static void test_round_trips(void **state) {
  (void)state;
  unsigned char *data = make_data(), *packed = malloc(ROOM), *out = malloc(ROOM);
  for (const codec *row = codecs; row->name != NULL; row++) {
    mst_decoder decoder = {.path = "x"};
    static const size_t lengths[] = {LENGTH, LENGTH - 3, 1000, 100};
    for (size_t i = 0; i < COUNT(lengths); i++) {
      size_t got;
      const size_t made = row->encode(data, lengths[i], packed, ROOM);
      CHECK(made > 0 && made < ROOM, "%s", row->name);
      CHECK(row->decode(&decoder, packed, made, out, lengths[i], &got, NULL) == MUSTER_OK,
            "%s of %zu", row->name, lengths[i]);
      CHECK(got == lengths[i] && memcmp(out, data, got) == 0, "%s of %zu", row->name, lengths[i]);
      CHECK(row->decode(&decoder, packed, made, out, ROOM, &got, NULL) == MUSTER_OK, "%s",
            row->name);
      CHECK(got == lengths[i], "%s with more room", row->name);
    }
    mst_decoder_reset(&decoder);
  }
  free(data), free(packed), free(out);
}

/* The room is a block of its own, so that sanitizers see a byte too many. */
static void test_too_little_room(void **state) {
  (void)state;
  unsigned char *data = make_data(), *packed = malloc(ROOM);
  for (const codec *row = codecs; row->name != NULL; row++) {
    mst_decoder decoder = {.path = "x"};
    const size_t made = row->encode(data, LENGTH, packed, ROOM);
    static const size_t rooms[] = {LENGTH - 1, LENGTH / 2, 17, 1, 0};
    for (size_t i = 0; i < COUNT(rooms); i++) {
      unsigned char *out = malloc(rooms[i]);
      size_t got;
      muster_error error;
      CHECK(row->decode(&decoder, packed, made, out, rooms[i], &got, &error) == MUSTER_ERR_FORMAT,
            "%s into %zu", row->name, rooms[i]);
      CHECK(strstr(error.message, "damaged") != NULL, "%s: %s", row->name, error.message);
      free(out);
    }
    mst_decoder_reset(&decoder);
  }
  free(data), free(packed);
}

/* Any one byte, and any end: an error, or data of some length within the room. */
static void test_damage(void **state) {
  (void)state;
  unsigned char *data = make_data(), *packed = malloc(ROOM);
  for (const codec *row = codecs; row->name != NULL; row++) {
    mst_decoder decoder = {.path = "x"};
    const size_t made = row->encode(data, 4000, packed, ROOM);
    for (size_t i = 0; i < made; i++) {
      for (int kind = 0; kind < 2; kind++) {
        const size_t length = kind == 0 ? made : i;
        unsigned char *copy = malloc(length), *out = malloc(4000);
        memcpy(copy, packed, length);
        if (kind == 0) copy[i] ^= (unsigned char)(1U << i % 8);
        size_t got = 0;
        const muster_status status = row->decode(&decoder, copy, length, out, 4000, &got, NULL);
        CHECK(status == MUSTER_OK || status == MUSTER_ERR_FORMAT, "%s at %zu", row->name, i);
        CHECK(got <= 4000, "%s at %zu", row->name, i);
        if (status == MUSTER_OK && row->has_checksum)
          CHECK(memcmp(out, data, got) == 0, "%s at %zu", row->name, i);
        free(copy), free(out);
      }
    }
    mst_decoder_reset(&decoder);
  }
  free(data), free(packed);
}

static void test_crc32c(void **state) {
  (void)state;
  /* RFC 3720, appendix B.4, and the customary check value. */
  unsigned char bytes[32] = {0};
  assert_int_equal(mst_crc32c(0, "123456789", 9), 0xE3069283U);
  assert_int_equal(mst_crc32c(0, bytes, 32), 0x8A9136AAU);
  memset(bytes, 0xFF, 32);
  assert_int_equal(mst_crc32c(0, bytes, 32), 0x62A8AB43U);
  for (size_t i = 0; i < 32; i++)
    bytes[i] = (unsigned char)i;
  assert_int_equal(mst_crc32c(0, bytes, 32), 0x46DD794EU);
  assert_int_equal(mst_crc32c(0, "", 0), 0);
  for (size_t i = 0; i <= 9; i++) {
    const char digits[] = "123456789";
    const uint32_t begun = mst_crc32c(0, digits, i);
    assert_int_equal(mst_crc32c(begun, &digits[i], 9 - i), 0xE3069283U);
  }
}

/* By their definitions; CRC-32 and Adler-32 of these digits are in the articles on them. */
static void test_other_checksums(void **state) {
  (void)state;
  assert_int_equal(mst_crc32("123456789", 9), 0xCBF43926U);
  assert_int_equal(mst_adler32("123456789", 9), 0x091E01DEU);
  unsigned char *data = make_data();
  for (size_t length = 0; length <= LENGTH; length = length * 3 + 1) {
    uint32_t first = 0, second = 0;
    for (size_t i = 0; i < length; i += 2) {
      const uint32_t word = (uint32_t)data[i] << 8 | (i + 1 < length ? data[i + 1] : 0U);
      first = (first + word) % 65535;
      second = (second + first) % 65535;
    }
    /* In ones' complement what is left of a multiple of 65535 is not 0. */
    const uint32_t found = mst_fletcher32(data, length);
    CHECK((found & 0xFFFF) % 65535 == first && (found >> 16) % 65535 == second, "%zu", length);
  }
  free(data);
}

static void test_unshuffle(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 3, 4, 7, 8, 4096, 5000, 40003};
  unsigned char *data = make_data();
  for (size_t size = 0; size <= 17; size++)
    for (const size_t *EACH(length, lengths)) {
      unsigned char *shuffled = malloc(*length + 1), *out = malloc(*length + 1);
      const size_t count = size > 0 ? *length / size : 0;
      memcpy(shuffled, data, *length);
      for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < size; i++)
          shuffled[i * count + k] = data[k * size + i];
      out[*length] = 0xAB;
      mst_unshuffle(shuffled, out, *length, size);
      CHECK(memcmp(out, data, *length) == 0, "%zu bytes in elements of %zu", *length, size);
      assert_int_equal(out[*length], 0xAB);
      free(shuffled), free(out);
    }
  free(data);
}

typedef struct {
  size_t width;
  size_t (*items)(const unsigned char *from, unsigned char *to, size_t count, size_t itemsize);
  size_t (*bits)(const unsigned char *from, unsigned char *to, size_t pitch);
} vectors;

/* Whole vectors, and not a byte behind them. */
static void check_items(const vectors *row, const unsigned char *data, size_t count, size_t size) {
  enum { MOST = 100 * 8 };
  unsigned char src[MOST] = {0}, out[MOST + 1];
  const size_t whole = count / row->width * row->width;
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < size; i++)
      src[i * count + k] = data[k * size + i];
  memset(out, 0xAB, sizeof out);
  const size_t expected = size == 2 || size == 4 || size == 8 ? whole : 0;
  assert_int_equal(row->items(src, out, count, size), expected);
  CHECK(memcmp(out, data, expected * size) == 0, "%zu of %zu bytes by %zu", count, size,
        row->width);
  assert_int_equal(out[expected * size], 0xAB);
}

static void check_bits(const vectors *row, const unsigned char *data, size_t pitch) {
  enum { MOST = 100 * 8 };
  unsigned char src[MOST] = {0}, out[MOST + 1];
  const size_t whole = pitch / row->width * row->width;
  for (size_t k = 0; k < pitch * 8; k++)
    for (size_t i = 0; i < 8; i++)
      src[i * pitch + k / 8] |= (unsigned char)((data[k] >> i & 1) << k % 8);
  memset(out, 0xAB, sizeof out);
  assert_int_equal(row->bits(src, out, pitch), whole);
  CHECK(memcmp(out, data, whole * 8) == 0, "rows of %zu bytes by %zu", pitch, row->width);
  assert_int_equal(out[whole * 8], 0xAB);
}

/* Processors with AVX2 would not show what the others do. */
static void test_vectors(void **state) {
  (void)state;
  static const vectors rows[] = {
    {16, mst_unshuffle_by_16, mst_unshuffle_bits_by_16},
#if defined(__x86_64__)
    {32, mst_unshuffle_by_32, mst_unshuffle_bits_by_32},
#endif
  };
  unsigned char *data = make_data();
  for (const vectors *EACH(row, rows)) {
#if defined(__x86_64__)
    if (row->width == 32 && !__builtin_cpu_supports("avx2")) continue;
#endif
    for (size_t count = 0; count < 100; count++) {
      for (size_t size = 1; size <= 8; size++)
        check_items(row, data, count, size);
      check_bits(row, data, count);
    }
  }
  free(data);
}

/* Put together by hand: three letters as they are, and copies of what went before. */
static void test_lzf(void **state) {
  (void)state;
  static const struct {
    const char *packed;
    size_t length;
    const char *expected; /* NULL: damaged */
  } rows[] = {
      {"", 0, ""},
      {"\002abc", 4, "abc"},
      {"\002abc\200\002", 6, "abcabcabc"},
      {"\002abc\340\003\002", 7, "abcabcabcabcabc"},
      {"\000a\040\000", 4, "aaaa"},
      {"\002ab", 3, NULL},              /* fewer letters than are told */
      {"\002", 1, NULL},                /* none */
      {"\002abc\200", 5, NULL},         /* no distance */
      {"\002abc\340\003", 6, NULL},     /* likewise */
      {"\002abc\200\003", 6, NULL},     /* from before the beginning */
      {"\002abc\340\017\002", 7, NULL}, /* more than there is room for */
  };
  mst_decoder decoder = {.path = "x"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    char out[16];
    size_t got = 0;
    muster_error error;
    const muster_status status =
        mst_decode_lzf(&decoder, rows[i].packed, rows[i].length, out, sizeof out, &got, &error);
    CHECK((status == MUSTER_OK) == (rows[i].expected != NULL), "row %zu", i);
    if (rows[i].expected == NULL) continue;
    CHECK(got == strlen(rows[i].expected) && memcmp(out, rows[i].expected, got) == 0, "row %zu", i);
  }
}

/* Letters, and a piece that goes back to the first of them again and again, until there is as much
 * as told: with no room behind it, and with plenty. */
static void test_lzf_repeats(void **state) {
  (void)state;
  enum { WHOLE = 130, PLENTY = 64 };
  mst_decoder decoder = {.path = "x"};
  for (size_t distance = 1; distance <= 32; distance++)
    for (size_t room = WHOLE; room <= WHOLE + PLENTY; room += PLENTY) {
      unsigned char packed[40] = {(unsigned char)(distance - 1)}, out[WHOLE + PLENTY + 1];
      for (size_t i = 0; i < distance; i++)
        packed[1 + i] = (unsigned char)('A' + i);
      packed[1 + distance] = 7 << 5;
      packed[2 + distance] = (unsigned char)(WHOLE - distance - 9);
      packed[3 + distance] = (unsigned char)(distance - 1);
      size_t got = 0;
      muster_error error;
      memset(out, 0xAB, sizeof out);
      assert_int_equal(mst_decode_lzf(&decoder, packed, 4 + distance, out, room, &got, &error),
                       MUSTER_OK);
      assert_int_equal(got, WHOLE);
      for (size_t i = 0; i < WHOLE; i++)
        CHECK(out[i] == 'A' + i % distance, "distance %zu, byte %zu", distance, i);
      assert_int_equal(out[room], 0xAB);
    }
}

/* Bit b of byte i of element k lies in the bits of all elements, of the same b and i. */
static void test_bit_unshuffle(void **state) {
  (void)state;
  enum { MOST = 296, LARGEST = 9 };
  unsigned char *data = make_data();
  for (size_t size = 1; size <= LARGEST; size++)
    for (size_t count = 8; count <= MOST; count += 24) {
      unsigned char src[MOST * LARGEST] = {0}, out[MOST * LARGEST], scratch[MOST * LARGEST];
      for (size_t at = 0; at < count * size * 8; at++) {
        const size_t k = at / (size * 8), place = at % (size * 8);
        const unsigned bit = data[k * size + place / 8] >> place % 8 & 1;
        src[place * count / 8 + k / 8] |= (unsigned char)(bit << k % 8);
      }
      mst_h5_bit_unshuffle(src, out, count, size, scratch);
      CHECK(memcmp(out, data, count * size) == 0, "%zu elements of %zu bytes", count, size);
    }
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lzf),
      cmocka_unit_test(test_lzf_repeats),
      cmocka_unit_test(test_bit_unshuffle),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_too_little_room),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_crc32c),
      cmocka_unit_test(test_unshuffle),
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_other_checksums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
