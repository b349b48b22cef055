/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Python file: its text, and its tree. */
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "pysource/source.h"
#include "pysource/syntax.h"

#define BUDGET ((size_t)64 << 20)
enum { ANY = 1000000000, DEPTH = 400 };

/* How many children the rest of the analysis may count on: see kinds.def. */
static const struct {
  unsigned least, most;
} arity[MST_KINDS] = {
    [MST_K_MODULE] = {0, ANY},    [MST_K_BLOCK] = {0, ANY},       [MST_K_FUNCTION] = {3, ANY},
    [MST_K_CLASS] = {2, ANY},     [MST_K_BASES] = {0, ANY},       [MST_K_PARAMETERS] = {0, ANY},
    [MST_K_PARAMETER] = {2, 2},   [MST_K_RETURN] = {1, 1},        [MST_K_DELETE] = {0, ANY},
    [MST_K_ASSIGN] = {2, ANY},    [MST_K_AUG_ASSIGN] = {2, 2},    [MST_K_ANN_ASSIGN] = {3, 3},
    [MST_K_FOR] = {4, 4},         [MST_K_WHILE] = {3, 3},         [MST_K_IF] = {3, 3},
    [MST_K_WITH] = {2, ANY},      [MST_K_WITH_ITEM] = {2, 2},     [MST_K_RAISE] = {2, 2},
    [MST_K_TRY] = {3, ANY},       [MST_K_EXCEPT] = {2, 2},        [MST_K_ASSERT] = {2, 2},
    [MST_K_IMPORT] = {1, ANY},    [MST_K_IMPORT_FROM] = {0, ANY}, [MST_K_GLOBAL] = {1, ANY},
    [MST_K_NONLOCAL] = {1, ANY},  [MST_K_EXPRESSION] = {1, 1},    [MST_K_MATCH] = {1, ANY},
    [MST_K_CASE] = {3, 3},        [MST_K_PRINT] = {1, ANY},       [MST_K_EXEC] = {1, ANY},
    [MST_K_ERROR] = {0, ANY},     [MST_K_FSTRING] = {0, ANY},     [MST_K_ATTRIBUTE] = {1, 1},
    [MST_K_CALL] = {1, ANY},      [MST_K_KEYWORD] = {1, 1},       [MST_K_STAR] = {1, 1},
    [MST_K_DOUBLE_STAR] = {1, 1}, [MST_K_SUBSCRIPT] = {2, ANY},   [MST_K_SLICE] = {3, 3},
    [MST_K_BINARY] = {2, 2},      [MST_K_UNARY] = {1, 1},         [MST_K_NOT] = {1, 1},
    [MST_K_BOOLEAN] = {2, 2},     [MST_K_COMPARE] = {2, ANY},     [MST_K_CONDITIONAL] = {3, 3},
    [MST_K_LAMBDA] = {2, 2},      [MST_K_TUPLE] = {0, ANY},       [MST_K_LIST] = {0, ANY},
    [MST_K_SET] = {0, ANY},       [MST_K_DICT] = {0, ANY},        [MST_K_PAIR] = {2, 2},
    [MST_K_LIST_COMP] = {2, ANY}, [MST_K_SET_COMP] = {2, ANY},    [MST_K_DICT_COMP] = {2, ANY},
    [MST_K_GENERATOR] = {2, ANY}, [MST_K_COMP_FOR] = {2, 2},      [MST_K_COMP_IF] = {1, 1},
    [MST_K_AWAIT] = {1, 1},       [MST_K_YIELD] = {1, 1},         [MST_K_WALRUS] = {2, 2},
};

static void check_node(const mst_tree *tree, mst_node_id id, uint16_t *depths) {
  const mst_node *node = mst_node_at(tree, id);
  ALWAYS(node->kind > MST_K_NONE && node->kind < MST_KINDS);
  ALWAYS(node->parent < id && (node->parent > 0 || id == 1));
  ALWAYS(node->first == 0 || node->first == id + 1);
  ALWAYS(node->start <= node->end && node->end <= tree->source->length);
  ALWAYS(node->name < tree->symbols.count && node->path < tree->symbols.count);
  const unsigned children = mst_child_count(tree, id);
  ALWAYS(children >= arity[node->kind].least && children <= arity[node->kind].most);
  ALWAYS(id + 1 == mst_subtree_end(tree, id) || node->first != 0);
  depths[id] = id == 1 ? 0 : (uint16_t)(depths[node->parent] + 1);
  ALWAYS(depths[id] <= DEPTH);
}

static void check_tree(const mst_tree *tree, mst_arena *arena) {
  uint16_t *depths = mst_arena_new(arena, tree->count * sizeof *depths);
  ALWAYS(tree->count >= 2 && mst_kind_of(tree, 1) == MST_K_MODULE);
  for (mst_node_id id = 1; id < tree->count; id++)
    check_node(tree, id, depths);
  ALWAYS(tree->faults.length <= 50 && tree->faults.length <= tree->fault_count);
  for (size_t i = 0; i < tree->faults.length; i++) {
    ALWAYS(tree->faults.data[i].start <= tree->source->length);
    ALWAYS(i == 0 || tree->faults.data[i - 1].start <= tree->faults.data[i].start);
  }
}

static void parse(const mst_source *source, mst_arena *arena) {
  mst_arena_init(arena, BUDGET);
  if (setjmp(arena->way_out) != 0) return;
  mst_tree tree;
  muster_error error = {.offset = -1};
  const muster_status status = mst_syntax_parse(source, BUDGET, 2, arena, &tree, &error);
  if (status == MUSTER_OK)
    check_tree(&tree, arena);
  else
    check_error(status, &error, source->length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mst_source source;
  muster_error error = {.offset = -1};
  const muster_status status =
      mst_source_from_bytes(&source, "a.py", (const char *)data, size, &error);
  if (status == MUSTER_OK) {
    mst_arena arena;
    parse(&source, &arena);
    mst_arena_reset(&arena);
  } else {
    check_error(status, &error, size);
  }
  mst_source_reset(&source);
  return 0;
}
