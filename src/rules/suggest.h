/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suggestions: the user's own lines before and after. Texts are whole lines of the source, less
 * the indentation of the first, without a newline at the end. A head that is followed by a line
 * one level further in stands for the whole loop.
 */
#ifndef MST_RULES_SUGGEST_H
#define MST_RULES_SUGGEST_H

#include "rules/rule.h"

/* A node of the source and what is to stand in its place. */
typedef struct mst_edit {
  mst_node_id node;
  const char *text;
} mst_edit;

/* printf into the arena. */
const char *mst_format_text(mst_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The whole source text of a node, as it stands there. */
const char *mst_source_of(const mst_rule_context *context, mst_place place);
/* The lines of a node; of a compound statement all of it. */
const char *mst_lines_of(const mst_rule_context *context, mst_place place);
/* The same with edits made; they lie within the node, do not overlap, and are in source order. */
const char *mst_lines_with(const mst_rule_context *context, mst_place place, const mst_edit *edits,
                           unsigned count);
/* The lines of a FUNCTION from its first decorator on, and where that begins. */
const char *mst_decorated_lines(const mst_rule_context *context, mst_place function);
uint32_t mst_decorated_start(mst_place function);
/* The source text of an expression, in parentheses where it needs them: as an operand or before a
 * dot
 * (`is_operand`) unless it is a name, a call and the like, and always when it has several lines. */
const char *mst_operand_text(const mst_rule_context *context, mst_place place, bool is_operand);
/* `text`, whose further lines stand as they do in the source, as the lines of the statement do. */
const char *mst_unindented(const mst_rule_context *context, mst_place statement, const char *text);
/* The head of a compound statement, as it stands there, up to the colon. */
const char *mst_head_of(const mst_rule_context *context, mst_place statement);
/* `lines`, each moved in by one level, as the source at the place is. */
const char *mst_indented(const mst_rule_context *context, mst_place place, const char *lines);
/* An identifier that the program does not use, made of `wish`. */
const char *mst_unused_name(const mst_rule_context *context, const char *wish);
/* The name that the module itself gives to NumPy, and that stands for it at the place; NULL when it
 * has none. */
const char *mst_numpy_alias(mst_place place);
/* Gives the finding its suggestion; nothing happens when the two are the same or too long to be
 * of use (30 lines). Safe with a finding that is NULL. */
void mst_suggest(mst_rule_context *context, mst_finding *finding, const char *before,
                 const char *after, bool is_safe);
/* The same for a statement that stands where it stood: where that is the margin, strings of several
 * lines may be in it. */
void mst_suggest_unmoved(mst_rule_context *context, mst_finding *finding, mst_place statement,
                         const char *before, const char *after, bool is_safe);

#endif
