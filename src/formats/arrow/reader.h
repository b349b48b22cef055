/* SPDX-License-Identifier: Apache-2.0 */
/* Within the format arrow: what reads of one shard share, and how its buffers come into memory. */
#ifndef MST_FORMATS_ARROW_READER_H
#define MST_FORMATS_ARROW_READER_H

#include "codecs/codec.h"
#include "formats/arrow/arrow.h"

/* The values of a dictionary, as they are in the array. */
typedef struct mst_arrow_dictionary {
  unsigned char *entries;
  bool *is_null;
  size_t count;
  size_t begin, end; /* the messages that it was made from, among the shard's; both 0: none yet */
} mst_arrow_dictionary;

/* A column between two rows of a batch: dense, or bits. */
typedef struct mst_arrow_piece {
  const unsigned char *values;
  unsigned values_bit;                             /* of the first byte */
  const unsigned char *validity[MST_ARROW_LEVELS]; /* NULL: no nulls */
  unsigned validity_bit[MST_ARROW_LEVELS];
} mst_arrow_piece;

/* Memory for what a compressed buffer unpacks to, used again for that of the next batch. */
typedef struct mst_arrow_slot {
  unsigned char *bytes;
  size_t room;
  bool is_filled;
} mst_arrow_slot;

typedef struct mst_arrow_reader {
  mst_arrow_file file;
  const mst_arrow_detail *detail;
  size_t itemsize;              /* of the array */
  const mst_arrow_batch *batch; /* whose message is in memory; NULL: none */
  mst_arrow_message message;
  mst_arrow_view view;
  mst_arrow_place *places;            /* of the columns in it */
  mst_arrow_piece *pieces;            /* of the columns, of the rows at hand */
  mst_arrow_dictionary *dictionaries; /* of the columns */
  mst_arrow_slot *slots;              /* of a compressed batch: detail->rank + 2 for each column */
  mst_decoder decoder;
  unsigned char *packed; /* compressed bytes on their way */
  size_t packed_room;
  unsigned char *staging; /* pieces that were read from the file */
  size_t staging_room, staged;
} mst_arrow_reader;

static inline bool mst_bit(const unsigned char *bits, uint64_t index) {
  return (bits[index / 8] >> (index % 8) & 1) != 0;
}

/* The whole of a compressed buffer: into dst where that is not NULL and exactly what comes out fits
 * there, else into the slot. *out says where. */
muster_status mst_arrow_unpack(mst_arrow_reader *reader, mst_arrow_codec codec,
                               const mst_arrow_buffer *buffer, void *dst, mst_arrow_slot *slot,
                               const unsigned char **out, muster_error *error);

/* The dictionary of a column as it is for a batch. */
muster_status mst_arrow_load_dictionary(mst_arrow_reader *reader, size_t column, size_t batch,
                                        muster_error *error);
void mst_arrow_dictionary_reset(mst_arrow_dictionary *dictionary);

/* Elements [first, first + count) of a piece as elements of the array, dense: entries of its
 * dictionary. Places that are null get anything. */
muster_status mst_arrow_look_up(const mst_arrow_reader *reader, size_t column, uint64_t first,
                                size_t count, unsigned char *out, muster_error *error);

/* Whether an element of a piece is null, by itself or by a list that it is in. */
bool mst_arrow_is_null(const mst_arrow_reader *reader, size_t column, uint64_t element);

#endif
