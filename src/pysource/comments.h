/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comments that are meant for us, `# muster: ...`, and those that hinder the parser.
 *
 * tree-sitter's grammar looks over all comments that follow a comment, at each of them: a block of
 * n lines costs n * n. So the parser is shown long blocks with blanks in place of their comments.
 */
#ifndef MST_PYSOURCE_COMMENTS_H
#define MST_PYSOURCE_COMMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a source's text: of a directive what is behind `muster:`, up to the end of the line. */
typedef struct mst_comment {
  uint32_t start, end;
} mst_comment;

/* Whether there may be any: the text is searched without regard to what is a comment. */
bool mst_may_have_directives(const char *text, size_t length);
/* True when the comment holds one; another comment may stand before it on the line. */
bool mst_find_directive(const char *text, mst_comment comment, mst_comment *directive);

/* Lines of comments, or of continued nothing, that follow one another without code between them. */
#define MST_MOST_COMMENTS 32

/* True when there may be more of them than that. */
bool mst_has_long_comments(const char *text, size_t length);
/*
 * Blanks what is between the first and the last line of each such block: comments, and the
 * backslashes of lines that hold nothing else. Every byte of code, and of strings, stays what and
 * where it was.
 */
void mst_blank_comments(char *text, size_t length);

/* True when a string in triple quotes goes on to the end of the text. *at: where its quotes are. */
bool mst_find_unclosed(const char *text, size_t length, size_t *at);

#endif
