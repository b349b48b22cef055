/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bands: rows that a format decodes together. Reads that end within one, as those of two tiles do,
 * share what was decoded. A band is kept until all its rows were delivered, or room is needed.
 */
#ifndef MST_LOAD_BANDS_H
#define MST_LOAD_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "muster/error.h"

typedef struct mst_bands mst_bands;

/* NULL: no memory. */
mst_bands *mst_bands_new(void);
/* NULL is allowed. No band may be held. */
void mst_bands_free(mst_bands *bands);

typedef struct mst_band_key {
  size_t shard;
  uint64_t lo, hi; /* rows of the shard */
  uint64_t bytes;  /* decoded */
} mst_band_key;

/* Whether a band is in memory, or may be kept there; asked before it is held. `is_whole`: without
 * that each reader would have to decode all of it for itself. */
bool mst_bands_fits(mst_bands *bands, const mst_band_key *key, bool is_whole);

/* Decodes the whole band into dense memory. */
typedef muster_status (*mst_decode_fn)(void *context, void *dst, muster_error *error);

/*
 * The decoded rows of a band, from memory or by decode; whoever asks for a band that another thread
 * decodes waits for it. To be given back by mst_bands_release, with the number of its rows that
 * were delivered. Any thread.
 */
muster_status mst_bands_hold(mst_bands *bands, const mst_band_key *key, mst_decode_fn decode,
                             void *context, const void **data, muster_error *error);
void mst_bands_release(mst_bands *bands, const mst_band_key *key, uint64_t rows);

#endif
