/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_queue.h"

#include <stdlib.h>
#include <string.h>

void fake_queue_reset(fake_queue *queue) {
  for (fake_job *job = queue->first, *next; job != NULL; job = next) {
    next = job->next;
    free(job);
  }
  *queue = (fake_queue){0};
}

static uint64_t hash_of(const fake_job *job) {
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
  for (size_t line = 0; line < job->height; line++)
    for (size_t i = 0; i < job->width; i++)
      hash = (hash ^ (unsigned char)job->from[line * job->from_pitch + i]) * 0x100000001b3u;
  return hash;
}

void fake_queue_add(fake_queue *queue, const fake_job *job) {
  fake_job *added = malloc(sizeof *added);
  if (added == NULL) abort();
  *added = *job;
  added->next = NULL;
  added->ticket = ++queue->tickets;
  if (job->from != NULL) added->hash = hash_of(job);
  if (queue->first == NULL)
    queue->first = added;
  else
    queue->last->next = added;
  queue->last = added;
  queue->under_way += job->width * job->height;
  if (queue->under_way > queue->most_under_way) queue->most_under_way = queue->under_way;
}

/* False when its source is not what it was. */
static bool make(const fake_job *job) {
  const bool same = job->from == NULL || hash_of(job) == job->hash;
  for (size_t line = 0; line < job->height; line++) {
    char *to = job->to + line * job->to_pitch;
    if (job->from == NULL)
      memset(to, job->value, job->width);
    else
      memcpy(to, job->from + line * job->from_pitch, job->width);
  }
  return same;
}

bool fake_queue_run(fake_queue *queue, int stream, uint64_t ticket) {
  bool same = true;
  queue->last = NULL;
  for (fake_job **at = &queue->first; *at != NULL;) {
    fake_job *job = *at;
    if (job->stream != stream || job->ticket > ticket) {
      queue->last = job;
      at = &job->next;
      continue;
    }
    same = make(job) && same;
    queue->under_way -= job->width * job->height;
    *at = job->next;
    free(job);
  }
  return same;
}
