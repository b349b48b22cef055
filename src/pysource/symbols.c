/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "pysource/syntax.h"

enum { FIRST_SLOTS = 256 }; /* a power of two, more than twice the known symbols */

static uint32_t hash_of(const char *text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

/* The slot that holds the text, or the free one where it would go. */
static uint32_t *slot_of(const mst_symbols *symbols, const char *text, size_t length,
                         uint32_t hash) {
  const uint32_t mask = symbols->slot_count - 1;
  for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
    const mst_symbol symbol = symbols->slots[at];
    if (symbol == 0) return &symbols->slots[at];
    const char *other = symbols->texts[symbol];
    if (symbols->hashes[symbol] == hash && strncmp(other, text, length) == 0 &&
        other[length] == '\0')
      return &symbols->slots[at];
  }
}

static void grow_slots(mst_symbols *symbols) {
  symbols->slot_count *= 2;
  symbols->slots = mst_arena_new(symbols->arena, symbols->slot_count * sizeof *symbols->slots);
  const uint32_t mask = symbols->slot_count - 1;
  for (mst_symbol symbol = 1; symbol < symbols->count; symbol++) {
    uint32_t at = symbols->hashes[symbol] & mask;
    while (symbols->slots[at] != 0)
      at = (at + 1) & mask;
    symbols->slots[at] = symbol;
  }
}

static void grow_texts(mst_symbols *symbols) {
  const uint32_t capacity = symbols->capacity * 2;
  symbols->texts =
      mst_arena_grow(symbols->arena, symbols->texts, symbols->count * sizeof *symbols->texts,
                     capacity * sizeof *symbols->texts);
  symbols->hashes =
      mst_arena_grow(symbols->arena, symbols->hashes, symbols->count * sizeof *symbols->hashes,
                     capacity * sizeof *symbols->hashes);
  symbols->capacity = capacity;
}

static mst_symbol add_symbol(mst_symbols *symbols, uint32_t *slot, const char *text,
                             uint32_t hash) {
  if (symbols->count == symbols->capacity) grow_texts(symbols);
  const mst_symbol symbol = symbols->count++;
  symbols->texts[symbol] = text;
  symbols->hashes[symbol] = hash;
  *slot = symbol;
  if (symbols->count > symbols->slot_count / 2) grow_slots(symbols);
  return symbol;
}

mst_symbol mst_symbol_of(mst_symbols *symbols, const char *text, size_t length) {
  if (length == 0) return MST_SYM_NONE;
  const uint32_t hash = hash_of(text, length);
  uint32_t *slot = slot_of(symbols, text, length, hash);
  if (*slot != 0) return *slot;
  return add_symbol(symbols, slot, mst_arena_text(symbols->arena, text, length), hash);
}

mst_symbol mst_symbol_adopt(mst_symbols *symbols, const mst_symbols *from, mst_symbol symbol) {
  const char *text = from->texts[symbol];
  const uint32_t hash = from->hashes[symbol];
  const uint32_t mask = symbols->slot_count - 1;
  for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
    const mst_symbol known = symbols->slots[at];
    if (known == 0) return add_symbol(symbols, &symbols->slots[at], text, hash);
    if (symbols->hashes[known] == hash && strcmp(symbols->texts[known], text) == 0) return known;
  }
}

mst_symbol mst_symbol_find(const mst_symbols *symbols, const char *text) {
  const size_t length = strlen(text);
  return length > 0 ? *slot_of(symbols, text, length, hash_of(text, length)) : MST_SYM_NONE;
}

void mst_symbols_init(mst_symbols *symbols, mst_arena *arena) {
  static const char *const known[] = {
#define SYMBOL(name) #name,
#include "pysource/symbols.def"
#undef SYMBOL
  };
  *symbols = (mst_symbols){.arena = arena, .count = 1, .capacity = 128, .slot_count = FIRST_SLOTS};
  symbols->texts = mst_arena_new(arena, symbols->capacity * sizeof *symbols->texts);
  symbols->hashes = mst_arena_new(arena, symbols->capacity * sizeof *symbols->hashes);
  symbols->slots = mst_arena_new(arena, FIRST_SLOTS * sizeof *symbols->slots);
  symbols->texts[0] = "";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t length = strlen(known[i]);
    const uint32_t hash = hash_of(known[i], length);
    add_symbol(symbols, slot_of(symbols, known[i], length, hash), known[i], hash);
  }
}
