/* SPDX-License-Identifier: Apache-2.0 */
/* The multi-GPU reading: what sizes mean for memory and for the number of GPUs. */
#include <string.h>

#include "base/str.h"
#include "verdict/tally.h"
#include "verdict/words.h"

static const char *tier_of(int64_t elements) {
  if (elements <= 0) return NULL;
  if (elements < 1000000) return "below 1M: NumPy is likely faster";
  if (elements < 10000000) return "1M to 10M: break-even";
  if (elements < 100000000) return "10M to 100M: faster on one GPU";
  if (elements < 1000000000) return "100M and more: several GPUs help";
  return "1B and more: several nodes may be needed";
}

#define LARGE 1000000 /* elements */

/* Small arrays of known size beside larger ones that are not known tell nothing. A large one that
 * is made off the hot path, where no size is known, is most likely what goes there. */
static const mst_size *found_size(const mst_tally *tally) {
  const mst_size *hot = &tally->hot, *anywhere = &tally->anywhere;
  const mst_size *size = hot->known + hot->unknown > 0 ? hot : anywhere;
  if (hot->elements <= 0 && anywhere->elements >= LARGE) size = anywhere;
  if (size->elements <= 0) return NULL;
  return size->elements >= LARGE || size->known >= size->unknown ? size : NULL;
}

/* The side of "16384x16384", or what one index of the first axis holds. */
static int64_t slab_of(const mst_context *context, const mst_size *size) {
  if (context->elements == 0) return size != NULL ? size->slab : 0;
  const char *by = context->elements_text != NULL ? strpbrk(context->elements_text, "xX*") : NULL;
  if (by == NULL) return 0;
  uint64_t first = 0;
  for (const char *c = context->elements_text; *c >= '0' && *c <= '9' && first < UINT32_MAX; c++)
    first = first * 10 + (uint64_t)(*c - '0');
  return first > 0 ? (int64_t)(context->elements / first) : 0;
}

static bool has_rule(const mst_assessment_result *result, const char *id) {
  for (size_t i = 0; i < result->finding_count; i++)
    if (strcmp(result->findings[i].rule->id, id) == 0) return true;
  return false;
}

/* INT64_MAX: that many or more. */
static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

static void read_memory(mst_reading *reading, const mst_context *context) {
  const uint64_t fbmem = mst_gpu_memory(context);
  const uint64_t gpus = mst_fewest_gpus(context);
  if (reading->bytes_alive <= 0) return;
  reading->bytes_per_gpu = (int64_t)((uint64_t)reading->bytes_alive / gpus);
  if (fbmem > 0 && reading->bytes_alive < INT64_MAX)
    reading->smallest_gpus = (int64_t)(((uint64_t)reading->bytes_alive - 1) / fbmem + 1);
}

static void add_notes(mst_reading *reading, const mst_assessment_result *result, mst_arena *arena) {
  const char **notes = mst_arena_new(arena, 4 * sizeof *notes);
  char text[24];
  if (reading->bytes_alive > 0)
    notes[reading->note_count++] = "arrays alive are counted at least: temporaries live until the "
                                   "runtime catches up with the program";
  if (reading->masked_copy_bytes > 0)
    notes[reading->note_count++] =
        mst_words(arena, "a boolean index makes a copy of up to %s",
                  mst_human_bytes((double)reading->masked_copy_bytes, text));
  if (result->context.elements == 0 && reading->elements > 0)
    notes[reading->note_count++] = "the size is that of the source; literals are often demo sizes";
  reading->notes = notes;
}

void mst_conclude_size(const mst_tally *tally, mst_assessment_result *result, mst_arena *arena) {
  const mst_context *context = &result->context;
  const mst_size *size = found_size(tally);
  mst_reading *reading = &result->reading;
  *reading = (mst_reading){.elements = -1,
                           .bytes_per_array = -1,
                           .arrays_alive = -1,
                           .bytes_alive = -1,
                           .bytes_per_gpu = -1,
                           .halo_bytes = -1,
                           .masked_copy_bytes = -1};
  if (context->elements > 0)
    reading->elements = (int64_t)context->elements;
  else if (size != NULL)
    reading->elements = size->elements;
  if (reading->elements <= 0) return;
  const int64_t item = size != NULL && size->item_bytes > 0 ? size->item_bytes : 8;
  const uint64_t arrays = tally->hot.arrays > 0 ? tally->hot.arrays : tally->anywhere.arrays;
  const int64_t slab = slab_of(context, size);
  reading->gpu_memory = mst_gpu_memory(context);
  reading->gpus = mst_fewest_gpus(context);
  reading->tier = tier_of(reading->elements);
  reading->largest_gpus = reading->elements / MST_GPU_FLOOR;
  reading->bytes_per_array = product(reading->elements, item);
  reading->arrays_alive = arrays > 0 ? (int64_t)arrays : 1;
  reading->bytes_alive = product(reading->bytes_per_array, reading->arrays_alive);
  if (slab > 0 && has_rule(result, "R005")) reading->halo_bytes = product(slab, 2 * item);
  if (has_rule(result, "R007")) reading->masked_copy_bytes = reading->bytes_per_array;
  read_memory(reading, context);
  add_notes(reading, result, arena);
}
