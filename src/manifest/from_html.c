/* SPDX-License-Identifier: Apache-2.0 */
/* The table by the comparison page of cuPyNumeric's documentation. */
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/status.h"
#include "manifest/rating.h"
#include "manifest/table.h"

#ifndef MST_HAVE_GUMBO

const char *mst_manifest_html_unavailable(void) {
  return "built without gumbo, the library that reads HTML (Debian: libgumbo-dev)";
}

muster_status mst_manifest_from_html(const char *path, const char *html, size_t length,
                                     const char *fetched, const mst_manifest *known,
                                     mst_manifest *out, muster_error *error) {
  (void)html;
  (void)length;
  (void)fetched;
  (void)known;
  *out = (mst_manifest){0};
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, path, "cannot be read: muster was %s",
                  mst_manifest_html_unavailable());
}

#else

#include <gumbo.h>

const char *mst_manifest_html_unavailable(void) { return NULL; }

/* Tags and texts of a page of this size need about ten times as much. */
#define MAX_PAGE ((size_t)4 << 20)
#define TREE_BUDGET ((size_t)256 << 20)
#define MAX_CELL 200
/* What a cell holds and what holds a row; more is no such page, and would take long. */
#define MAX_CELL_NODES 64
#define MAX_ROW_DEPTH 64
#define MAX_OPEN_TAGS 8192

typedef struct page {
  mst_manifest_draft draft;
  const mst_manifest *known;
  char version[32]; /* "" until the title is seen */
} page;

/* ---- the tree, without recursion: a page may be nested as deep as it likes ------------------- */

static bool is_element(const GumboNode *node) {
  return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}

/* The node after this one in the order of the text, within `root`; NULL at the end. */
static const GumboNode *following(const GumboNode *node, const GumboNode *root) {
  if (is_element(node) && node->v.element.children.length > 0)
    return node->v.element.children.data[0];
  for (; node != root; node = node->parent) {
    const GumboVector *siblings = &node->parent->v.element.children;
    if (node->index_within_parent + 1 < siblings->length)
      return siblings->data[node->index_within_parent + 1];
  }
  return NULL;
}

/* The text in a node, without blanks at its ends and without the backslashes that escape. */
static void text_of(const GumboNode *root, char out[MAX_CELL]) {
  size_t length = 0, nodes = 0;
  for (const GumboNode *n = root; n != NULL && nodes < MAX_CELL_NODES;
       n = following(n, root), nodes++) {
    if (n->type != GUMBO_NODE_TEXT) continue;
    for (const char *c = n->v.text.text; *c != '\0'; c++) {
      if (*c == '\\' || (length == 0 && strchr(" \t\r\n", *c) != NULL)) continue;
      if (length + 1 < MAX_CELL) out[length++] = *c;
    }
  }
  while (length > 0 && strchr(" \t\r\n", out[length - 1]) != NULL)
    length--;
  out[length] = '\0';
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef enum token { TOKEN_NONE, TOKEN_WORKS, TOKEN_FAILS, TOKEN_PARTIAL } token;

static token token_of(const char *cell) {
  static const struct {
    const char *text;
    token token;
  } tokens[] = {{"1", TOKEN_WORKS},   {"\u2713", TOKEN_WORKS},      {"\u2714", TOKEN_WORKS},
                {"2", TOKEN_FAILS},   {"\u274C", TOKEN_FAILS},      {"\u2717", TOKEN_FAILS},
                {"3", TOKEN_PARTIAL}, {"\U0001F7E1", TOKEN_PARTIAL}};
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
    if (strcmp(cell, tokens[i].text) == 0) return tokens[i].token;
  return TOKEN_NONE;
}

/* A name of the table; false when the cell holds none. */
static bool name_of(const char *cell, const char *root) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
  const size_t length = strlen(cell);
  return mst_starts_with(cell, root) && length > strlen(root) && strspn(cell, letters) == length;
}

/* False when the page says nothing of a name that is there. */
static bool level_of(const page *p, const char *name, token one, token many, mst_api_level *level) {
  if (many == TOKEN_NONE && one == TOKEN_NONE) return false;
  if (many == TOKEN_WORKS) {
    *level = MST_API_MULTI;
  } else if (many == TOKEN_PARTIAL || one == TOKEN_PARTIAL) {
    *level = MST_API_PARTIAL;
  } else if (one == TOKEN_WORKS) {
    *level = MST_API_SINGLE;
  } else {
    const mst_api_support *known = p->known != NULL ? mst_manifest_find(p->known, name) : NULL;
    *level = known != NULL ? known->level : MST_API_NONE;
  }
  return true;
}

static const char *note_of(const page *p, const char *name, mst_api_section section, token one,
                           token many, mst_api_level level) {
  if (level == MST_API_PARTIAL && one != TOKEN_FAILS)
    return section == MST_API_FFT ? mst_note_batch : "several GPUs in part only";
  if (one != TOKEN_FAILS || many != TOKEN_FAILS || level <= MST_API_NONE) return "";
  const mst_api_support *known = mst_manifest_find(p->known, name);
  return known != NULL ? known->note : "";
}

static void read_row(page *p, mst_api_section section, char cells[4][MAX_CELL]) {
  if (!name_of(cells[0], "numpy.")) return;
  const char *name = cells[0];
  if (mst_starts_with(name, "numpy.ndarray.")) name += strlen("numpy.");
  if (!name_of(cells[1], "cupynumeric.")) {
    mst_draft_add(&p->draft, section, name, NULL, MST_API_NONE, "");
    return;
  }
  const token one = token_of(cells[2]), many = token_of(cells[3]);
  mst_api_level level;
  if (level_of(p, name, one, many, &level))
    mst_draft_add(&p->draft, section, name, cells[1], level,
                  note_of(p, name, section, one, many, level));
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool section_of(const GumboNode *node, mst_api_section *section) {
  for (size_t up = 0; up < MAX_ROW_DEPTH && is_element(node); node = node->parent, up++) {
    const GumboAttribute *id = gumbo_get_attribute(&node->v.element.attributes, "id");
    if (id != NULL && mst_api_section_parse(id->value, section) && *section != MST_API_OTHER)
      return true;
  }
  return false;
}

/* Ids may stand on the section or, in older pages, on a heading's block around the table. */
static void visit_row(page *p, const GumboNode *row) {
  char cells[4][MAX_CELL];
  size_t count = 0;
  mst_api_section section;
  const GumboVector *children = &row->v.element.children;
  for (unsigned i = 0; i < children->length && count < 4; i++) {
    const GumboNode *cell = children->data[i];
    if (is_element(cell) && cell->v.element.tag == GUMBO_TAG_TD) text_of(cell, cells[count++]);
  }
  if (count == 4 && section_of(row, &section)) read_row(p, section, cells);
}

/* "NumPy vs cuPyNumeric - NVIDIA cuPyNumeric 26.06": the first number with a dot. */
static void visit_title(page *p, const GumboNode *title) {
  char text[MAX_CELL];
  text_of(title, text);
  for (const char *at = strpbrk(text, "0123456789"); at != NULL;) {
    const size_t length = strspn(at, "0123456789.");
    if (memchr(at, '.', length) != NULL && length < sizeof p->version) {
      memcpy(p->version, at, length);
      p->version[length] = '\0';
      return;
    }
    at = strpbrk(at + length, "0123456789");
  }
}

static void visit_all(page *p, const GumboNode *root) {
  for (const GumboNode *node = root; node != NULL; node = following(node, root)) {
    if (node->type != GUMBO_NODE_ELEMENT) continue;
    if (node->v.element.tag == GUMBO_TAG_TR) visit_row(p, node);
    if (node->v.element.tag == GUMBO_TAG_TITLE && p->version[0] == '\0') visit_title(p, node);
  }
}

static void *take(void *arena, size_t bytes) { return mst_arena_new(arena, bytes); }
static void leave(void *arena, void *memory) {
  (void)arena;
  (void)memory;
}

/* Gumbo's time grows with the square of the depth, so depth is guessed first: start tags without
 * an end tag. A page that leaves the optional ones out has some thousands. */
static bool is_too_deep(const char *html, size_t length) {
  long open = 0;
  const char *end = html + length;
  for (const char *at = html; (at = memchr(at, '<', (size_t)(end - at))) != NULL; at++) {
    if (end - at < 2) break;
    if (at[1] == '/')
      open -= open > 0;
    else if (at[1] != '!' && ++open > MAX_OPEN_TAGS)
      return true;
  }
  return false;
}

/* The tree lies in an arena: gumbo looks at no allocation, and frees trees by recursion. */
static muster_status read_page(page *p, const char *html, size_t length, mst_arena *arena,
                               muster_error *error) {
  mst_arena_init(arena, TREE_BUDGET);
  if (setjmp(arena->way_out) != 0) return mst_fail_memory(error);
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = take;
  options.deallocator = leave;
  options.userdata = arena;
  options.max_errors = 0;
  visit_all(p, gumbo_parse_with_options(&options, html, length)->root);
  return MUSTER_OK;
}

muster_status mst_manifest_from_html(const char *path, const char *html, size_t length,
                                     const char *fetched, const mst_manifest *known,
                                     mst_manifest *out, muster_error *error) {
  *out = (mst_manifest){0};
  if (length > MAX_PAGE || is_too_deep(html, length))
    return mst_fail(error, MUSTER_ERR_FORMAT, path, "is %s for that page; the old table is kept",
                    length > MAX_PAGE ? "larger than 4 MiB, too large" : "nested too deep");
  page p = {.known = known};
  mst_arena arena;
  muster_status status = read_page(&p, html, length, &arena, error);
  mst_arena_reset(&arena);
  if (status == MUSTER_OK)
    status = mst_draft_finish(&p.draft, path, "comparison page of the documentation",
                              p.version[0] != '\0' ? p.version : "unknown", "unknown", fetched, out,
                              error);
  mst_str_reset(&p.draft.rows);
  return status;
}

#endif
