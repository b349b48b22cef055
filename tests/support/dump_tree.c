/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints syntax trees, for tests in Python: for each file `file PATH`, a line for each node in
 * order, and a line for each fault. Fields are parted by tabs:
 *
 *   node ID PARENT KIND OP FLAGS LINE START END NAME PATH
 *   fault LINE KIND MESSAGE
 *   failed MESSAGE
 *
 * `dump_tree --time FILE...` parses and prints seconds of processor time and bytes.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "pysource/source.h"
#include "pysource/syntax.h"

enum { BUDGET = 1 << 30 };

static const char *const kinds[] = {
#define KIND(name, children) #name,
#include "pysource/kinds.def"
#undef KIND
};

static void print_tree(const mst_tree *tree) {
  for (mst_node_id id = 1; id < tree->count; id++) {
    const mst_node *node = mst_node_at(tree, id);
    const uint32_t line = mst_source_line(tree->source, node->start) + 1;
    printf("node\t%u\t%u\t%s\t%u\t%u\t%u\t%u\t%u\t%s\t%s\n", id, node->parent, kinds[node->kind],
           node->op, node->flags, line, node->start, node->end,
           mst_symbol_text(&tree->symbols, node->name),
           mst_symbol_text(&tree->symbols, node->path));
  }
  for (size_t i = 0; i < tree->faults.length; i++) {
    const mst_syntax_fault *fault = &tree->faults.data[i];
    printf("fault\t%u\t%s\t%s\n", mst_source_line(tree->source, fault->start) + 1, fault->kind,
           fault->message);
  }
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Adds to *seconds; prints only when that is NULL. */
static void dump(const mst_source *source, double *seconds) {
  mst_arena arena;
  mst_tree tree;
  muster_error error;
  mst_arena_init(&arena, BUDGET);
  if (setjmp(arena.way_out) != 0) {
    printf("failed\tthe arena is full\n");
    mst_arena_reset(&arena);
    return;
  }
  const double start = processor_seconds();
  const muster_status status = mst_syntax_parse(source, BUDGET, 60, &arena, &tree, &error);
  if (seconds != NULL) *seconds += processor_seconds() - start;
  if (status != MUSTER_OK)
    printf("failed\t%s\n", error.message);
  else if (seconds == NULL)
    print_tree(&tree);
  mst_arena_reset(&arena);
}

int main(int count, char **arguments) {
  const bool timed = count > 1 && strcmp(arguments[1], "--time") == 0;
  double seconds = 0;
  size_t bytes = 0;
  for (int i = timed ? 2 : 1; i < count; i++) {
    mst_source source;
    muster_error error;
    if (!timed) printf("file\t%s\n", arguments[i]);
    if (mst_source_read(&source, arguments[i], arguments[i], &error) != MUSTER_OK) {
      printf("failed\t%s\n", error.message);
      continue;
    }
    dump(&source, timed ? &seconds : NULL);
    bytes += source.length;
    mst_source_reset(&source);
  }
  if (timed) printf("%.6f %zu\n", seconds, bytes);
  return 0;
}
