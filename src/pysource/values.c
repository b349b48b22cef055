/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/values.h"

#include <string.h>

#define FIRST_SLOTS 256

/* ---- tables in which each entry stands once ---------------------------------------------------- */

static uint32_t hash_value(uint32_t hash, const mst_value *value) {
  uint64_t number;
  memcpy(&number, &value->number, sizeof number);
  hash = mst_mix(hash, number);
  hash = mst_mix(hash, ((uint64_t)value->flags << 8) | value->confidence);
  hash = mst_mix(hash, ((uint64_t)value->kind << 32) | ((uint64_t)value->library << 24) |
                           ((uint64_t)value->dtype << 16) | (uint8_t)value->rank);
  hash = mst_mix(hash, ((uint64_t)value->ref << 32) | value->items);
  return mst_mix(hash, ((uint64_t)value->extents << 32) | value->storage);
}

/* Slots of a table that has just grown beyond three quarters are made anew by the caller. */
static uint32_t *new_slots(mst_values *values, uint32_t count) {
  return mst_arena_new(values->arena, count * sizeof(uint32_t));
}

void mst_values_init(mst_values *values, mst_arena *arena) {
  memset(values, 0, sizeof *values);
  values->arena = arena;
  mst_arena_push(arena, &values->items, (mst_items){0});
  mst_arena_push(arena, &values->extents, NULL);
  mst_arena_push(arena, &values->steps, (mst_step){0});
  values->item_slots = new_slots(values, values->item_slot_count = FIRST_SLOTS);
  values->extent_slots = new_slots(values, values->extent_slot_count = FIRST_SLOTS);
  values->step_slots = new_slots(values, values->step_slot_count = FIRST_SLOTS);
}

static bool same_items(const mst_items *a, const mst_items *b) {
  if (a->hash != b->hash || a->count != b->count || !mst_value_equal(&a->any, &b->any))
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (!mst_value_equal(&a->each[i], &b->each[i])) return false;
  return true;
}

static uint32_t hash_items(const mst_items *items) {
  uint32_t hash = hash_value(items->count, &items->any);
  for (uint32_t i = 0; i < items->count; i++)
    hash = hash_value(hash, &items->each[i]);
  return hash;
}

static void grow_item_slots(mst_values *values) {
  const uint32_t count = values->item_slot_count * 2;
  uint32_t *slots = new_slots(values, count);
  for (uint32_t i = 1; i < values->items.length; i++) {
    uint32_t at = values->items.data[i].hash & (count - 1);
    while (slots[at] != 0)
      at = (at + 1) & (count - 1);
    slots[at] = i;
  }
  values->item_slots = slots;
  values->item_slot_count = count;
}

static uint32_t intern_items(mst_values *values, mst_items *items) {
  if (values->items.length * 4 > values->item_slot_count * 3ull) grow_item_slots(values);
  const uint32_t mask = values->item_slot_count - 1;
  items->hash = hash_items(items);
  uint32_t at = items->hash & mask;
  for (; values->item_slots[at] != 0; at = (at + 1) & mask)
    if (same_items(items, &values->items.data[values->item_slots[at]]))
      return values->item_slots[at];
  mst_items kept = *items;
  if (items->count > 0)
    kept.each = mst_arena_grow(values->arena, items->each, items->count * sizeof *items->each,
                               items->count * sizeof *items->each);
  const uint32_t index = (uint32_t)values->items.length;
  mst_arena_push(values->arena, &values->items, kept);
  values->item_slots[at] = index;
  return index;
}

/* ---- values --------------------------------------------------------------------------------------- */

mst_value mst_value_of_kind(mst_value_kind kind) {
  return (mst_value){.kind = (uint8_t)kind, .rank = -1, .confidence = MST_CERTAIN};
}

mst_value mst_value_unknown(void) { return mst_value_of_kind(MST_V_UNKNOWN); }

mst_value mst_value_number(double number, bool integer) {
  mst_value value = mst_value_of_kind(MST_V_NUMBER);
  value.number = number;
  value.flags = (uint16_t)(MST_VF_NUMBER | (integer ? MST_VF_INTEGER : 0));
  return value;
}

mst_value mst_value_array(int rank, mst_confidence confidence) {
  mst_value value = mst_value_of_kind(MST_V_ARRAY);
  value.rank = (int8_t)rank;
  value.confidence = (uint8_t)confidence;
  return value;
}

bool mst_value_equal(const mst_value *a, const mst_value *b) {
  return a->kind == b->kind && a->library == b->library && a->dtype == b->dtype &&
         a->confidence == b->confidence && a->rank == b->rank && a->self == b->self &&
         a->flags == b->flags && a->ref == b->ref && a->items == b->items &&
         a->extents == b->extents && a->storage == b->storage &&
         memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

/* The order in which values grow when they meet: of two levels the higher one stays; two different
 * things of one level go to the next unknown. Going up only is what brings a program to rest. */
typedef enum mst_level {
  MST_LEVEL_BOTTOM,
  MST_LEVEL_PLAIN, /* numbers, strings, None */
  MST_LEVEL_UNKNOWN,
  MST_LEVEL_DECLARED, /* what an annotation says, until somebody hands over the thing itself */
  MST_LEVEL_THING,    /* what has a structure of its own */
  MST_LEVEL_SEVERAL,  /* things that do not go together */
  MST_LEVEL_DEFERRED,
  MST_LEVEL_ARRAY,
  MST_LEVEL_TARGET /* an array of the target: a place that may see one is looked at as if it did */
} mst_level;

static mst_level level_of(const mst_value *value) {
  switch ((mst_value_kind)value->kind) {
  case MST_V_BOTTOM: return MST_LEVEL_BOTTOM;
  case MST_V_NUMBER:
  case MST_V_STRING:
  case MST_V_NONE: return MST_LEVEL_PLAIN;
  case MST_V_UNKNOWN:
    return (value->flags & MST_VF_SEVERAL) != 0 ? MST_LEVEL_SEVERAL : MST_LEVEL_UNKNOWN;
  case MST_V_DEFERRED: return MST_LEVEL_DEFERRED;
  case MST_V_ARRAY: return value->library == MST_LIB_TARGET ? MST_LEVEL_TARGET : MST_LEVEL_ARRAY;
  case MST_V_INSTANCE:
    return (value->flags & MST_VF_DECLARED) != 0 ? MST_LEVEL_DECLARED : MST_LEVEL_THING;
  default: return MST_LEVEL_THING;
  }
}

static mst_value join_numbers(mst_value a, mst_value b) {
  const uint16_t both = a.flags & b.flags;
  const uint16_t either = (a.flags | b.flags) & (MST_VF_FROM_DEFAULT | MST_VF_ITEM_SIZE);
  if ((both & MST_VF_NUMBER) != 0 && a.number != b.number) {
    a.flags = both & (uint16_t)~MST_VF_NUMBER;
    a.number = 0;
  } else {
    a.flags = both;
    if ((both & MST_VF_NUMBER) == 0) a.number = 0;
  }
  a.flags |= either;
  return a;
}

static mst_value join_arrays(mst_value a, mst_value b) {
  if (a.rank != b.rank) a.rank = -1;
  if (a.extents != b.extents) a.extents = 0;
  if (a.dtype != b.dtype) a.dtype = MST_D_UNKNOWN;
  if (a.storage != b.storage) a.storage = 0;
  /* An array at some caller is likely one. */
  if (a.confidence != b.confidence) a.confidence = MST_LIKELY;
  const uint16_t both = a.flags & b.flags;
  a.flags = (uint16_t)(both | ((a.flags | b.flags) &
                               (MST_VF_VIEW | MST_VF_MAYBE_ELEMENT | MST_VF_PARAMETER)));
  return a;
}

static mst_value join_containers(mst_values *values, mst_value a, mst_value b) {
  if (a.items == b.items && a.kind == b.kind) return a;
  const mst_items *x = &values->items.data[a.items];
  const mst_items *y = &values->items.data[b.items];
  mst_value each[MST_MOST_KNOWN];
  const mst_value_kind kind = a.kind == b.kind ? (mst_value_kind)a.kind : MST_V_LIST;
  if (a.items != 0 && b.items != 0 && x->count == y->count && x->count > 0) {
    const uint32_t count = x->count;
    for (uint32_t i = 0; i < count; i++) /* the tables may move while joining */
      each[i] = mst_value_join(values, values->items.data[a.items].each[i],
                               values->items.data[b.items].each[i]);
    return mst_value_container(values, kind, each, count);
  }
  return mst_value_container_of(
      values, kind,
      mst_value_join(values, mst_value_any_item(values, &a), mst_value_any_item(values, &b)));
}

/* Two different functions: both are kept as alternatives. */
static mst_value join_functions(mst_values *values, mst_value a, mst_value b) {
  mst_value each[MST_MOST_KNOWN];
  uint32_t count = 0;
  const mst_value *sides[2] = {&a, &b};
  for (int s = 0; s < 2; s++) {
    mst_value plain = *sides[s];
    const mst_items more = values->items.data[plain.items];
    plain.items = 0;
    for (uint32_t i = 0; i <= more.count; i++) {
      const mst_value one = i == 0 ? plain : more.each[i - 1];
      bool known = false;
      for (uint32_t k = 0; k < count; k++)
        known |= each[k].ref == one.ref;
      if (!known && count < MST_MOST_KNOWN) each[count++] = one;
    }
  }
  mst_value joined = each[0];
  if (count > 1) {
    mst_items more = {.count = count - 1, .any = mst_value_unknown(), .each = each + 1};
    joined.items = intern_items(values, &more);
  }
  return joined;
}

static mst_value several(void) {
  mst_value value = mst_value_unknown();
  value.flags = MST_VF_SEVERAL;
  return value;
}

static mst_value join_same_kind(mst_values *values, mst_value a, mst_value b) {
  switch ((mst_value_kind)a.kind) {
  case MST_V_NUMBER: return join_numbers(a, b);
  case MST_V_ARRAY: return join_arrays(a, b);
  case MST_V_DEFERRED: {
    if (a.dtype != b.dtype) a.dtype = MST_D_UNKNOWN;
    if (a.confidence != b.confidence) a.confidence = MST_LIKELY;
    a.flags &= b.flags;
    return a;
  }
  case MST_V_SLICE: a.flags &= b.flags; return a;
  case MST_V_FUNCTION: return join_functions(values, a, b);
  case MST_V_INSTANCE:
  case MST_V_CLASS:
  case MST_V_MODULE:
  case MST_V_API:
  case MST_V_OBJECT: return a.ref == b.ref ? a : several();
  default: return mst_is_container(&a) ? join_containers(values, a, b) : a;
  }
}

/* An array or element that is something else at times is only likely one. */
static mst_value join_lower(mst_value a, const mst_value *b) {
  if (a.confidence == MST_CERTAIN) a.confidence = MST_LIKELY;
  a.flags &= (uint16_t) ~(MST_VF_FRESH | MST_VF_INDEX);
  if (a.kind == MST_V_ARRAY && b->kind == MST_V_DEFERRED) a.flags |= MST_VF_MAYBE_ELEMENT;
  if (a.kind == MST_V_ARRAY && b->kind == MST_V_ARRAY) {
    if (a.rank != b->rank) a.rank = -1;
    if (a.extents != b->extents) a.extents = 0;
  }
  return a;
}

mst_value mst_value_join(mst_values *values, mst_value a, mst_value b) {
  if (mst_value_equal(&a, &b)) return a;
  const mst_level first = level_of(&a), second = level_of(&b);
  if (second > first) return mst_value_join(values, b, a);
  if (second == MST_LEVEL_BOTTOM) return a;
  if (a.kind == b.kind && a.library == b.library && first == second)
    return join_same_kind(values, a, b);
  if (first >= MST_LEVEL_DEFERRED) return b.kind == MST_V_NONE ? a : join_lower(a, &b);
  if (first > second) return a;
  if (a.kind == MST_V_NONE) return b;
  if (b.kind == MST_V_NONE) return a;
  if (mst_is_container(&a) && mst_is_container(&b)) return join_containers(values, a, b);
  return first >= MST_LEVEL_DECLARED ? several() : mst_value_unknown();
}

mst_value mst_value_join_parts(mst_values *values, mst_value a, mst_value b) {
  mst_value joined = mst_value_join(values, a, b);
  if (joined.kind != MST_V_SLICE) return joined;
  if (a.kind == MST_V_SLICE) joined.flags |= a.flags & MST_VF_STEP;
  if (b.kind == MST_V_SLICE) joined.flags |= b.flags & MST_VF_STEP;
  return joined;
}

/* ---- containers ------------------------------------------------------------------------------------ */

/* Deep nests of containers would make values without end. */
static mst_value shallow(const mst_values *values, mst_value value, int depth) {
  if (!mst_is_container(&value) || value.items == 0) return value;
  if (depth == 0) return mst_value_of_kind((mst_value_kind)value.kind);
  const mst_value any = values->items.data[value.items].any;
  if (mst_is_container(&any)) {
    const mst_value inner = shallow(values, any, depth - 1);
    if (!mst_value_equal(&inner, &any)) return mst_value_of_kind((mst_value_kind)value.kind);
  }
  return value;
}

mst_value mst_value_container(mst_values *values, mst_value_kind kind, const mst_value *each,
                              uint32_t count) {
  mst_value kept[MST_MOST_KNOWN];
  mst_value any = mst_value_of_kind(MST_V_BOTTOM);
  for (uint32_t i = 0; i < count; i++) {
    const mst_value one = shallow(values, each[i], 2);
    if (count <= MST_MOST_KNOWN) kept[i] = one;
    any = mst_value_join(values, any, one);
  }
  mst_items items = {.count = count <= MST_MOST_KNOWN ? count : 0,
                     .any = any,
                     .each = count <= MST_MOST_KNOWN ? kept : NULL};
  mst_value value = mst_value_of_kind(kind);
  value.items = intern_items(values, &items);
  return value;
}

mst_value mst_value_container_again(mst_values *values, mst_value_kind kind, const mst_value *each,
                                    uint32_t count, const mst_value *likely) {
  const mst_items *items = &values->items.data[likely->items];
  bool same = likely->kind == kind && likely->items != 0 && items->count == count && count > 0;
  for (uint32_t i = 0; i < count && same; i++) {
    const mst_value one = shallow(values, each[i], 2);
    same = mst_value_equal(&one, &items->each[i]);
  }
  if (!same) return mst_value_container(values, kind, each, count);
  mst_value value = mst_value_of_kind(kind);
  value.items = likely->items;
  return value;
}

mst_value mst_value_container_of(mst_values *values, mst_value_kind kind, mst_value any) {
  mst_items items = {.any = shallow(values, any, 2)};
  mst_value value = mst_value_of_kind(kind);
  value.items = intern_items(values, &items);
  return value;
}

mst_value mst_value_any_item(const mst_values *values, const mst_value *container) {
  if (container->items == 0) return mst_value_unknown();
  return values->items.data[container->items].any;
}

mst_value mst_value_item(const mst_values *values, const mst_value *container, int64_t index) {
  const mst_items *items = &values->items.data[container->items];
  if (index < 0) index += items->count;
  if (container->items == 0 || index < 0 || index >= (int64_t)items->count)
    return mst_value_any_item(values, container);
  return items->each[index];
}

uint32_t mst_value_item_count(const mst_values *values, const mst_value *container) {
  return values->items.data[container->items].count;
}

mst_value mst_value_as_default(mst_values *values, mst_value value) {
  if (value.kind == MST_V_NUMBER || value.kind == MST_V_ARRAY) value.flags |= MST_VF_FROM_DEFAULT;
  const uint32_t count = value.kind == MST_V_TUPLE || value.kind == MST_V_LIST
                             ? mst_value_item_count(values, &value)
                             : 0;
  if (count == 0) return value;
  mst_value each[MST_MOST_KNOWN];
  for (uint32_t i = 0; i < count; i++) {
    each[i] = mst_value_item(values, &value, i);
    if (each[i].kind == MST_V_NUMBER) each[i].flags |= MST_VF_FROM_DEFAULT;
  }
  value.items = mst_value_container(values, (mst_value_kind)value.kind, each, count).items;
  return value;
}

bool mst_value_add_items(const mst_values *values, const mst_value *tuple,
                         mst_value each[MST_MOST_KNOWN], uint32_t *count) {
  const uint32_t more = tuple->kind == MST_V_TUPLE ? mst_value_item_count(values, tuple) : 0;
  if (more == 0 || more > MST_MOST_KNOWN || *count > MST_MOST_KNOWN - more) return false;
  for (uint32_t i = 0; i < more; i++)
    each[(*count)++] = mst_value_item(values, tuple, i);
  return true;
}

bool mst_holds_rows(const mst_values *values, const mst_value *tuple) {
  const uint32_t count = tuple->kind == MST_V_TUPLE ? mst_value_item_count(values, tuple) : 0;
  for (uint32_t i = 0; i < count; i++) {
    const mst_value item = mst_value_item(values, tuple, i);
    if ((mst_is_target_array(&item) || mst_is_deferred(&item)) &&
        (item.flags & MST_VF_ELEMENT) != 0)
      return true;
  }
  return false;
}

/* ---- extents ---------------------------------------------------------------------------------------- */

static uint32_t hash_extents(const int64_t *extents) {
  uint32_t hash = 1;
  for (int64_t i = 0; i <= extents[0]; i++)
    hash = mst_mix(hash, (uint64_t)extents[i]);
  return hash;
}

static void grow_extent_slots(mst_values *values) {
  const uint32_t count = values->extent_slot_count * 2;
  uint32_t *slots = new_slots(values, count);
  for (uint32_t i = 1; i < values->extents.length; i++) {
    uint32_t at = hash_extents(values->extents.data[i]) & (count - 1);
    while (slots[at] != 0)
      at = (at + 1) & (count - 1);
    slots[at] = i;
  }
  values->extent_slots = slots;
  values->extent_slot_count = count;
}

uint32_t mst_extents(mst_values *values, int rank, const int64_t *extents) {
  bool known = false;
  for (int i = 0; i < rank; i++)
    known |= extents[i] >= 0;
  if (!known) return 0;
  if (values->extents.length * 4 > values->extent_slot_count * 3ull) grow_extent_slots(values);
  const size_t bytes = ((size_t)rank + 1) * sizeof(int64_t);
  int64_t entry[65];
  if (rank > 64) return 0;
  entry[0] = rank;
  memcpy(entry + 1, extents, bytes - sizeof *extents);
  const uint32_t mask = values->extent_slot_count - 1;
  uint32_t at = hash_extents(entry) & mask;
  for (; values->extent_slots[at] != 0; at = (at + 1) & mask) {
    const int64_t *other = values->extents.data[values->extent_slots[at]];
    if (other[0] == rank && memcmp(other, entry, bytes) == 0) return values->extent_slots[at];
  }
  const uint32_t index = (uint32_t)values->extents.length;
  mst_arena_push(values->arena, &values->extents,
                 mst_arena_grow(values->arena, entry, bytes, bytes));
  values->extent_slots[at] = index;
  return index;
}

int64_t mst_extent(const mst_values *values, const mst_value *array, int axis) {
  if (array->extents == 0) return -1;
  const int64_t *extents = values->extents.data[array->extents];
  if (axis < 0) axis += (int)extents[0];
  return axis >= 0 && axis < extents[0] ? extents[axis + 1] : -1;
}

int64_t mst_element_total(const mst_values *values, const mst_value *array) {
  if (array->extents == 0) return -1;
  const int64_t *extents = values->extents.data[array->extents];
  int64_t count = 1;
  bool is_empty = false, is_too_large = false;
  for (int64_t i = 1; i <= extents[0]; i++) {
    if (extents[i] < 0) return -1;
    is_empty = is_empty || extents[i] == 0;
    is_too_large = is_too_large || __builtin_mul_overflow(count, extents[i], &count);
  }
  return is_empty ? 0 : is_too_large ? INT64_MAX : count;
}

int64_t mst_element_count(const mst_values *values, const mst_value *array) {
  const int64_t total = mst_element_total(values, array);
  return total < INT64_MAX ? total : -1;
}
