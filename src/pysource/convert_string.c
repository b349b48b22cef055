/* SPDX-License-Identifier: Apache-2.0 */
/* Literals: strings, what is interpolated in them, and numbers. */
#include "pysource/convert.h"

/* Recursion ends at MST_SYNTAX_DEPTH. */

/* ---- strings ------------------------------------------------------------------------------------- */

typedef struct mst_prefix {
  bool formatted, bytes, unicode, raw;
  char quote;
} mst_prefix;

static mst_prefix prefix_of(const mst_convert *convert, uint32_t string) {
  mst_prefix prefix = {0};
  const mst_ts_node *node = mst_ts_at(convert, string);
  for (uint32_t at = node->start; at < node->end; at++) {
    switch (convert->source->text[at]) {
    case 'f':
    case 'F': prefix.formatted = true; break;
    case 'b':
    case 'B': prefix.bytes = true; break;
    case 'u':
    case 'U': prefix.unicode = true; break;
    case 'r':
    case 'R': prefix.raw = true; break;
    default: prefix.quote = convert->source->text[at]; return prefix;
    }
  }
  return prefix;
}

static void note_python2(mst_convert *convert, uint32_t string, mst_prefix prefix) {
  const uint32_t start = mst_ts_at(convert, string)->start;
  if (prefix.quote == '`')
    mst_add_fault(convert, start, "python2", "backquotes are Python 2: write repr()");
  else if (prefix.unicode && prefix.raw)
    mst_add_fault(convert, start, "python2", "the prefix 'ur' is Python 2");
}

/* What stands within a string's braces, and in the format specifications there. */
static void convert_interpolations(mst_convert *convert, mst_open *open, uint32_t at) {
  const mst_ts_node *nodes = convert->from.nodes;
  for (uint32_t child = at + 1; child < nodes[at].next;) {
    switch (nodes[child].symbol) {
    case sym_interpolation:
    case alias_sym_format_expression:
    case sym_format_specifier: child++; break; /* whose children are looked at next */
    case MST_TS_ERROR: child = nodes[child].next; break;
    case sym_named_expression: /* {x:=5} is x, with the format =5 */
      mst_convert_expression(convert, open, mst_ts_first(convert, child), 0);
      child = nodes[child].next;
      break;
    default:
      if ((nodes[child].flags & MST_TS_TOKEN) == 0) mst_convert_expression(convert, open, child, 0);
      child = nodes[child].next;
    }
  }
}

void mst_convert_string(mst_convert *convert, mst_open *parent, uint32_t at) {
  const bool joined = mst_ts_symbol(convert, at) == sym_concatenated_string;
  const uint32_t first = joined ? mst_ts_first(convert, at) : at;
  bool formatted = false;
  for (uint32_t piece = first; piece != 0; piece = joined ? mst_ts_next(convert, at, piece) : 0) {
    const mst_prefix prefix = prefix_of(convert, piece);
    formatted = formatted || prefix.formatted;
    note_python2(convert, piece, prefix);
  }
  mst_open open = mst_open_node(convert, parent, formatted ? MST_K_FSTRING : MST_K_STRING, at);
  if (first != 0 && prefix_of(convert, first).bytes) mst_opened(convert, open)->flags = MST_F_BYTES;
  if (!formatted) return;
  for (uint32_t piece = first; piece != 0; piece = joined ? mst_ts_next(convert, at, piece) : 0)
    convert_interpolations(convert, &open, piece);
}

/* ---- numbers ------------------------------------------------------------------------------------- */

/* 0777: octal once; 00 is zero still. */
static bool is_old_octal(const char *text, uint32_t length) {
  if (length < 2 || text[0] != '0') return false;
  bool nonzero = false;
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] != '_' && (text[i] < '0' || text[i] > '9')) return false;
    nonzero = nonzero || (text[i] >= '1' && text[i] <= '9');
  }
  return nonzero;
}

void mst_convert_number(mst_convert *convert, mst_open *parent, uint32_t at) {
  const mst_ts_node *from = mst_ts_at(convert, at);
  const char *text = convert->source->text + from->start;
  const uint32_t length = from->end - from->start;
  const char last = length > 0 ? text[length - 1] : '\0';
  mst_node *node = mst_opened(convert, mst_open_node(convert, parent, MST_K_NUMBER, at));
  if (last == 'j' || last == 'J')
    node->flags = MST_F_IMAGINARY;
  else if (from->symbol == sym_float)
    node->flags = MST_F_FLOAT;
  if (from->symbol == sym_integer && is_old_octal(text, length))
    mst_add_fault(convert, from->start, "python2",
                  "a number that begins with 0 is Python 2: 0o...");
  if (last == 'l' || last == 'L')
    mst_add_fault(convert, from->start, "python2", "a number that ends in L is Python 2");
}
