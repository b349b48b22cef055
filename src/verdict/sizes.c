/* SPDX-License-Identifier: Apache-2.0 */
/* How large the arrays are that the code tells the size of. */
#include <string.h>

#include "base/alloc.h"
#include "verdict/tally.h"
#include "verdict/words.h"

static unsigned item_bytes(const mst_value *value) {
  switch ((mst_dtype_class)value->dtype) {
  case MST_D_BOOL: return 1;
  case MST_D_COMPLEX: return 16;
  default: return 8;
  }
}

/* Different allocations that one function has names for, as far as a short list tells. */
typedef struct storages {
  uint32_t seen[64];
  unsigned length;
} storages;

static void note_storage(storages *list, uint32_t storage) {
  for (unsigned i = 0; i < list->length; i++)
    if (list->seen[i] == storage) return;
  if (list->length < sizeof list->seen / sizeof *list->seen) list->seen[list->length++] = storage;
}

static const char *text_of(mst_arena *arena, mst_place place) {
  char text[64];
  mst_str str = {0};
  mst_add_text(place, &str, sizeof text - 4);
  const char *found = mst_str_text(&str);
  const size_t length = strnlen(found, sizeof text - 1);
  for (size_t i = 0; i < length; i++)
    text[i] = found[i];
  const bool failed = str.failed;
  mst_str_reset(&str); /* before the arena's way out can be taken */
  if (failed) mst_arena_give_up(arena);
  return mst_arena_text(arena, text, length);
}

static void note_size(mst_tally *tally, mst_size *size, mst_place place, const mst_value *value,
                      int64_t elements) {
  if (elements < 0) {
    size->unknown++;
    return;
  }
  size->known++;
  if (elements <= size->elements) return;
  const int64_t first = value->rank > 0 ? mst_extent(&place.program->values, value, 0) : 0;
  size->elements = elements;
  size->slab = first > 0 && elements < INT64_MAX ? elements / first : 0;
  size->item_bytes = item_bytes(value);
  size->site = mst_site_of(place);
  size->site.path = tally->weights.data[tally->weights.length - 1].path;
  size->text = text_of(tally->arena, place);
}

/* Arrays that are surely alive at once: those of the largest size, or of unknown size, that one
 * function has names for. Temporaries come and go. */
static void count_arrays(mst_tally *tally, const mst_program *program, const mst_module *module,
                         const mst_tally_scratch *scratch) {
  const mst_tree *tree = module->tree;
  const int64_t largest = tally->anywhere.elements > tally->largest_before
                              ? tally->anywhere.elements
                              : tally->largest_before;
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_value *value = &module->values[id];
    const mst_kind kind = mst_kind_of(tree, id);
    if (kind != MST_K_NAME && kind != MST_K_ATTRIBUTE) continue;
    if (!mst_is_target_array(value) || value->storage == 0) continue;
    const int64_t elements = mst_element_total(&program->values, value);
    if (elements >= 0 && elements < largest / 2) continue;
    void **list = &scratch->arrays[module->function_of[id]];
    if (*list == NULL) *list = mst_arena_new(scratch->arena, sizeof(storages));
    storages *named = *list;
    note_storage(named, value->storage);
    mst_size *size = mst_is_hot_path(mst_heat_at((mst_place){program, module, id}))
                         ? &tally->hot
                         : &tally->anywhere;
    if (named->length > size->arrays) size->arrays = named->length;
  }
}

static void note_sizes(mst_tally *tally, const mst_program *program, const mst_module *module) {
  for (mst_node_id id = 1; id < module->tree->count; id++) {
    const mst_value *value = &module->values[id];
    if (mst_is_deferred(value)) tally->array_count++;
    if (!mst_is_target_array(value)) continue;
    const mst_place place = {program, module, id};
    const int64_t elements = mst_element_total(&program->values, value);
    tally->array_count++;
    note_size(tally, &tally->anywhere, place, value, elements);
    if (mst_is_hot_path(mst_heat_at(place))) note_size(tally, &tally->hot, place, value, elements);
  }
}

void mst_tally_sizes(mst_tally *tally, const mst_program *program, const mst_module *module,
                     const mst_tally_scratch *scratch) {
  note_sizes(tally, program, module);
  count_arrays(tally, program, module, scratch);
}

int64_t mst_largest_array(const mst_program *program, mst_module_range modules) {
  int64_t largest = 0;
  for (uint32_t m = modules.first; m < modules.end; m++) {
    const mst_module *module = &program->modules[m];
    for (mst_node_id id = 1; id < module->tree->count; id++) {
      const mst_value *value = &module->values[id];
      if (!mst_is_target_array(value) || value->extents == 0) continue;
      const int64_t elements = mst_element_total(&program->values, value);
      if (elements > largest) largest = elements;
    }
  }
  return largest;
}
