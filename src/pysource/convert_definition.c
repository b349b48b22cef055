/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, classes, parameters and imports: what binds names. */
#include "pysource/convert.h"

/* Recursion ends at MST_SYNTAX_DEPTH. */

/* ---- parameters ---------------------------------------------------------------------------------- */

/* Where the name of a parameter stands; 0 for Python 2's tuples. */
static uint32_t name_of(mst_convert *convert, uint32_t at, uint16_t *flags) {
  while (at != 0) {
    switch (mst_ts_symbol(convert, at)) {
    case sym_identifier: return at;
    case sym_list_splat_pattern: *flags |= MST_F_STAR; break;
    case sym_dictionary_splat_pattern: *flags |= MST_F_DOUBLE_STAR; break;
    case sym_typed_parameter:
    case sym_default_parameter:
    case sym_typed_default_parameter: break;
    default:
      mst_add_fault(convert, mst_ts_at(convert, at)->start, "python2",
                    "a tuple among the parameters is Python 2");
      return 0;
    }
    at = mst_ts_first(convert, at);
  }
  return 0;
}

static uint32_t default_of(const mst_convert *convert, uint32_t at, uint32_t annotation) {
  switch (mst_ts_symbol(convert, at)) {
  case sym_default_parameter: return mst_ts_next(convert, at, mst_ts_first(convert, at));
  case sym_typed_default_parameter: return mst_ts_next(convert, at, annotation);
  default: return 0;
  }
}

static uint16_t convert_parameter(mst_convert *convert, mst_open *parent, uint32_t at,
                                  uint16_t flags) {
  const mst_symbol name = mst_ts_name(convert, name_of(convert, at, &flags));
  mst_open open = mst_open_node(convert, parent, MST_K_PARAMETER, at);
  mst_opened(convert, open)->name = name;
  mst_opened(convert, open)->flags = flags;
  const uint32_t annotation = mst_ts_find(convert, at, sym_type);
  mst_convert_expression(convert, &open, annotation, 0);
  mst_convert_expression(convert, &open, default_of(convert, at, annotation), 0);
  return flags;
}

void mst_convert_parameters(mst_convert *convert, mst_open *parent, uint32_t at) {
  if (at == 0) { /* a lambda without any */
    const uint32_t place = mst_opened(convert, *parent)->start;
    mst_open_span(convert, parent, MST_K_PARAMETERS, place, place);
    return;
  }
  mst_open open = mst_open_node(convert, parent, MST_K_PARAMETERS, at);
  uint16_t keyword_only = 0;
  MST_EACH_TS(convert, child, at) {
    const uint16_t symbol = mst_ts_symbol(convert, child);
    if (symbol == sym_keyword_separator) keyword_only = MST_F_KEYWORD_ONLY;
    if (symbol == sym_keyword_separator || symbol == sym_positional_separator) continue;
    if ((convert_parameter(convert, &open, child, keyword_only) & MST_F_STAR) != 0)
      keyword_only = MST_F_KEYWORD_ONLY;
  }
}

/* ---- functions and classes ------------------------------------------------------------------------ */

static void convert_bases(mst_convert *convert, mst_open *parent, uint32_t at, uint32_t name) {
  if (at != 0) {
    mst_open open = mst_open_node(convert, parent, MST_K_BASES, at);
    mst_convert_arguments(convert, &open, at);
  } else {
    const uint32_t place = mst_ts_at(convert, name)->end;
    mst_open_span(convert, parent, MST_K_BASES, place, place);
  }
}

static void add_decorators(mst_convert *convert, mst_open *open, uint32_t decorated) {
  if (decorated == 0) return;
  MST_EACH_TS(convert, child, decorated)
  if (mst_ts_symbol(convert, child) == sym_decorator)
    mst_convert_expression(convert, open, mst_ts_first(convert, child), 0);
}

static void convert_definition(mst_convert *convert, mst_open *parent, uint32_t at,
                               uint32_t decorated) {
  const bool is_class = mst_ts_symbol(convert, at) == sym_class_definition;
  const uint32_t name = mst_ts_first(convert, at);
  const mst_symbol symbol = mst_ts_name(convert, name);
  mst_open open = mst_open_node(convert, parent, is_class ? MST_K_CLASS : MST_K_FUNCTION, at);
  mst_opened(convert, open)->name = symbol;
  if (is_class) {
    convert_bases(convert, &open, mst_ts_find(convert, at, sym_argument_list), name);
  } else {
    if (mst_ts_find(convert, at, anon_sym_async) != 0)
      mst_opened(convert, open)->flags = MST_F_ASYNC;
    mst_convert_parameters(convert, &open, mst_ts_find(convert, at, sym_parameters));
    mst_convert_expression(convert, &open, mst_ts_find(convert, at, sym_type), 0);
  }
  mst_convert_block(convert, &open, mst_ts_find(convert, at, sym_block));
  add_decorators(convert, &open, decorated);
}

void mst_convert_definition(mst_convert *convert, mst_open *parent, uint32_t at) {
  convert_definition(convert, parent, at, 0);
}

void mst_convert_decorated(mst_convert *convert, mst_open *parent, uint32_t at) {
  uint32_t definition = mst_ts_find(convert, at, sym_function_definition);
  if (definition == 0) definition = mst_ts_find(convert, at, sym_class_definition);
  if (definition != 0)
    convert_definition(convert, parent, definition, at);
  else
    mst_convert_error(convert, parent, at);
}

/* ---- imports ------------------------------------------------------------------------------------- */

/* The part before the first dot. */
static mst_symbol first_part(mst_convert *convert, uint32_t dotted) {
  return dotted != 0 ? mst_ts_name(convert, mst_ts_first(convert, dotted)) : 0;
}

/* `import a.b` binds a; `from m import a` binds a. */
static void convert_alias(mst_convert *convert, mst_open *parent, uint32_t at, bool is_from) {
  const bool has_as = mst_ts_symbol(convert, at) == sym_aliased_import;
  const uint32_t dotted = has_as ? mst_ts_first(convert, at) : at;
  const mst_symbol path = mst_ts_path(convert, dotted);
  const mst_symbol name = has_as    ? mst_ts_name(convert, mst_ts_next(convert, at, dotted))
                          : is_from ? path
                                    : first_part(convert, dotted);
  mst_node *node = mst_opened(convert, mst_open_node(convert, parent, MST_K_ALIAS, at));
  node->path = path;
  node->name = name;
  node->flags = has_as ? MST_F_AS : 0;
}

void mst_convert_import(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_IMPORT, at);
  MST_EACH_TS(convert, child, at) convert_alias(convert, &open, child, false);
}

static uint8_t level_of(const mst_convert *convert, uint32_t relative) {
  const uint32_t prefix = mst_ts_find(convert, relative, sym_import_prefix);
  if (prefix == 0) return 0;
  const mst_ts_node *node = mst_ts_at(convert, prefix);
  unsigned dots = 0;
  for (uint32_t at = node->start; at < node->end; at++)
    dots += convert->source->text[at] == '.';
  return (uint8_t)(dots < UINT8_MAX ? dots : UINT8_MAX);
}

/* Sets path and level; returns the first of the names. */
static uint32_t convert_module(mst_convert *convert, mst_open open, uint32_t at) {
  const uint32_t first = mst_ts_first(convert, at);
  const uint16_t symbol = first != 0 ? mst_ts_symbol(convert, first) : 0;
  if (mst_ts_symbol(convert, at) == sym_future_import_statement) {
    const mst_symbol path = mst_symbol_of(&convert->tree->symbols, "__future__", 10);
    mst_opened(convert, open)->path = path;
    return first;
  }
  const bool relative = symbol == sym_relative_import;
  const uint32_t dotted = relative ? mst_ts_find(convert, first, sym_dotted_name) : first;
  const mst_symbol path = mst_ts_path(convert, dotted);
  mst_node *node = mst_opened(convert, open);
  node->path = path;
  node->op = relative ? level_of(convert, first) : 0;
  return mst_ts_next(convert, at, first);
}

void mst_convert_import_from(mst_convert *convert, mst_open *parent, uint32_t at) {
  mst_open open = mst_open_node(convert, parent, MST_K_IMPORT_FROM, at);
  for (uint32_t child = convert_module(convert, open, at); child != 0;
       child = mst_ts_next(convert, at, child)) {
    if (mst_ts_symbol(convert, child) == sym_wildcard_import)
      mst_opened(convert, open)->flags |= MST_F_STAR;
    else
      convert_alias(convert, &open, child, true);
  }
}
