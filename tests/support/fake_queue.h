/* SPDX-License-Identifier: Apache-2.0 */
/* The copies that a fake driver has been asked for and has not made yet. The caller holds a lock.
 */
#ifndef SUPPORT_FAKE_QUEUE_H
#define SUPPORT_FAKE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fake_job {
  struct fake_job *next;
  int stream;
  uint64_t ticket;
  const char *from; /* NULL: `value` is put */
  char *to;
  size_t from_pitch, to_pitch, width, height;
  uint64_t hash; /* of what was to be copied */
  char value;
} fake_job;

/* Of all streams, in the order of tickets, which count from 1. Zeroed memory is an empty one. */
typedef struct fake_queue {
  fake_job *first, *last;
  uint64_t tickets, under_way, most_under_way;
} fake_queue;

void fake_queue_reset(fake_queue *queue);
/* Adds a copy of it, with the next ticket. */
void fake_queue_add(fake_queue *queue, const fake_job *job);
/* Makes all copies of the stream up to that ticket. False: what was to be copied had changed. */
bool fake_queue_run(fake_queue *queue, int stream, uint64_t ticket);

#endif
