/* SPDX-License-Identifier: Apache-2.0 */
#include "load/bands.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/status.h"

/* What is kept for readers to come, besides what is being read. */
#define KEPT_BYTES ((uint64_t)128 << 20)
/* A band up to here is always decoded as a whole; larger ones where there is plenty of memory. */
#define USUAL_BYTES ((uint64_t)64 << 20)

typedef enum mst_band_state { MST_BAND_DECODING, MST_BAND_READY, MST_BAND_FAILED } mst_band_state;

typedef struct mst_band {
  mst_band_key key;
  mst_band_state state;
  muster_error error; /* MST_BAND_FAILED */
  size_t holders;     /* the one who decodes and those who wait are among them */
  uint64_t left;      /* rows that were not delivered yet */
  void *data;
  struct mst_band *next; /* used longer ago */
} mst_band;

struct mst_bands {
  pthread_mutex_t lock;
  pthread_cond_t decoded;
  mst_band *first;
  uint64_t bytes;
};

mst_bands *mst_bands_new(void) {
  mst_bands *bands = mst_calloc(1, sizeof *bands);
  if (bands == NULL) return NULL;
  pthread_mutex_init(&bands->lock, NULL);
  pthread_cond_init(&bands->decoded, NULL);
  return bands;
}

static void remove_band(mst_bands *bands, mst_band *band) {
  mst_band **link = &bands->first;
  while (*link != band)
    link = &(*link)->next;
  *link = band->next;
  bands->bytes -= band->key.bytes;
  mst_free(band->data);
  mst_free(band);
}

void mst_bands_free(mst_bands *bands) {
  if (bands == NULL) return;
  while (bands->first != NULL)
    remove_band(bands, bands->first);
  pthread_cond_destroy(&bands->decoded);
  pthread_mutex_destroy(&bands->lock);
  mst_free(bands);
}

static mst_band *find(const mst_bands *bands, const mst_band_key *key) {
  mst_band *band = bands->first;
  while (band != NULL && (band->key.shard != key->shard || band->key.lo != key->lo))
    band = band->next;
  return band;
}

bool mst_bands_fits(mst_bands *bands, const mst_band_key *key, bool is_whole) {
  if (bands == NULL) return false;
  if (key->bytes <= USUAL_BYTES) return true;
  pthread_mutex_lock(&bands->lock);
  const bool is_there = find(bands, key) != NULL;
  pthread_mutex_unlock(&bands->lock);
  return is_there || key->bytes <= mst_io_available_memory() / (is_whole ? 3 : 8);
}

static void move_to_front(mst_bands *bands, mst_band *band) {
  mst_band **link = &bands->first;
  while (*link != band)
    link = &(*link)->next;
  *link = band->next;
  band->next = bands->first;
  bands->first = band;
}

/* Those used longest ago go first. */
static void make_room(mst_bands *bands, uint64_t bytes) {
  while (bands->first != NULL && bands->bytes + bytes > KEPT_BYTES) {
    mst_band *oldest = NULL;
    for (mst_band *band = bands->first; band != NULL; band = band->next)
      if (band->holders == 0) oldest = band;
    if (oldest == NULL) return;
    remove_band(bands, oldest);
  }
}

static mst_band *add_band(mst_bands *bands, const mst_band_key *key) {
  make_room(bands, key->bytes);
  mst_band *band = mst_calloc(1, sizeof *band);
  if (band == NULL) return NULL;
  *band = (mst_band){.key = *key, .left = key->hi - key->lo, .next = bands->first};
  bands->first = band;
  bands->bytes += key->bytes;
  return band;
}

/* Called with the lock, which is let go meanwhile. */
static void decode_band(mst_bands *bands, mst_band *band, mst_decode_fn decode, void *context) {
  pthread_mutex_unlock(&bands->lock);
  muster_error error = {.offset = -1};
  void *data = mst_alloc((size_t)band->key.bytes);
  const muster_status status =
      data != NULL ? decode(context, data, &error) : mst_fail_memory(&error);
  pthread_mutex_lock(&bands->lock);
  band->data = data;
  band->error = error;
  band->state = status == MUSTER_OK ? MST_BAND_READY : MST_BAND_FAILED;
  pthread_cond_broadcast(&bands->decoded);
}

static void let_go(mst_bands *bands, mst_band *band, uint64_t rows) {
  band->holders--;
  band->left -= rows < band->left ? rows : band->left;
  if (band->holders == 0 && (band->left == 0 || band->state == MST_BAND_FAILED))
    remove_band(bands, band);
}

muster_status mst_bands_hold(mst_bands *bands, const mst_band_key *key, mst_decode_fn decode,
                             void *context, const void **data, muster_error *error) {
  pthread_mutex_lock(&bands->lock);
  mst_band *band = find(bands, key);
  const bool is_new = band == NULL;
  if (is_new) band = add_band(bands, key);
  if (band == NULL) {
    pthread_mutex_unlock(&bands->lock);
    return mst_fail_memory(error);
  }
  band->holders++;
  if (is_new)
    decode_band(bands, band, decode, context);
  else
    move_to_front(bands, band);
  while (band->state == MST_BAND_DECODING)
    pthread_cond_wait(&bands->decoded, &bands->lock);
  muster_status status = MUSTER_OK;
  if (band->state == MST_BAND_FAILED) {
    status = band->error.status;
    if (error != NULL) *error = band->error;
    let_go(bands, band, 0);
  } else {
    *data = band->data;
  }
  pthread_mutex_unlock(&bands->lock);
  return status;
}

void mst_bands_release(mst_bands *bands, const mst_band_key *key, uint64_t rows) {
  pthread_mutex_lock(&bands->lock);
  mst_band *band = find(bands, key);
  if (band != NULL) let_go(bands, band, rows);
  pthread_mutex_unlock(&bands->lock);
}
