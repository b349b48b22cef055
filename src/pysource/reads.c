/* SPDX-License-Identifier: Apache-2.0 */
#include "pysource/reads.h"

mst_node_id mst_only_store(const mst_tree *tree, mst_node_id root, mst_symbol name) {
  const mst_node_id end = mst_subtree_end(tree, root);
  mst_node_id store = 0;
  if (end - root > MST_LONG_BODY) return 0;
  for (mst_node_id id = root; id < end; id++) {
    const mst_node *node = mst_node_at(tree, id);
    if (node->kind != MST_K_NAME || node->name != name || (node->flags & MST_F_STORE) == 0)
      continue;
    if (store != 0) return 0;
    store = id;
  }
  return store;
}

static bool reads_in(const mst_tree *tree, mst_node_id expression, mst_symbol name) {
  const mst_node_id end = mst_subtree_end(tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if (mst_node_at(tree, id)->kind == MST_K_NAME && mst_node_at(tree, id)->name == name &&
        (mst_node_at(tree, id)->flags & MST_F_STORE) == 0)
      return true;
  return false;
}

bool mst_binds_in(const mst_tree *tree, mst_node_id expression, mst_symbol name) {
  const mst_node_id end = mst_subtree_end(tree, expression);
  for (mst_node_id id = expression; id < end; id++)
    if (mst_node_at(tree, id)->kind == MST_K_NAME && mst_node_at(tree, id)->name == name &&
        (mst_node_at(tree, id)->flags & MST_F_STORE) != 0)
      return true;
  return false;
}

static bool block_reads_before(const mst_tree *tree, mst_node_id block, mst_symbol name,
                               bool *assigned) {
  MST_EACH_CHILD(tree, child, block)
  if (mst_reads_before(tree, child, name, assigned)) return true;
  return false;
}

static bool leaves(const mst_tree *tree, mst_node_id block) {
  const mst_node_id last = mst_last_child(tree, block);
  const mst_kind kind = last != 0 ? mst_kind_of(tree, last) : MST_K_NONE;
  return kind == MST_K_CONTINUE || kind == MST_K_BREAK || kind == MST_K_RETURN ||
         kind == MST_K_RAISE;
}

/* Both branches have to write it; one that leaves the turn counts as if it did. */
static bool if_reads_before(const mst_tree *tree, mst_node_id node, mst_symbol name,
                            bool *assigned) {
  const mst_node_id test = mst_node_at(tree, node)->first;
  const mst_node_id then = mst_node_at(tree, test)->next;
  const mst_node_id other = mst_node_at(tree, then)->next;
  if (!*assigned && reads_in(tree, test, name)) return true;
  bool first = *assigned;
  if (block_reads_before(tree, then, name, &first)) return true;
  bool second = *assigned;
  const bool has_other = other != 0 && mst_node_at(tree, other)->kind == MST_K_BLOCK;
  if (has_other && block_reads_before(tree, other, name, &second)) return true;
  first |= leaves(tree, then);
  second |= has_other && leaves(tree, other);
  *assigned = first && second;
  return false;
}

/* True when the name is read while a turn has not surely written it yet. */
bool mst_reads_before(const mst_tree *tree, mst_node_id node, mst_symbol name, bool *assigned) {
  switch ((mst_kind)mst_node_at(tree, node)->kind) {
  case MST_K_BLOCK: return block_reads_before(tree, node, name, assigned);
  case MST_K_IF: return if_reads_before(tree, node, name, assigned);
  case MST_K_AUG_ASSIGN:
    if (!*assigned && (reads_in(tree, node, name) ||
                       (mst_node_at(tree, mst_node_at(tree, node)->first)->kind == MST_K_NAME &&
                        mst_node_at(tree, mst_node_at(tree, node)->first)->name == name)))
      return true;
    break;
  case MST_K_FOR:
  case MST_K_WHILE: {
    bool inner = *assigned;
    MST_EACH_CHILD(tree, child, node) {
      if (mst_node_at(tree, child)->kind == MST_K_BLOCK) {
        if (block_reads_before(tree, child, name, &inner)) return true;
      } else if (!inner && reads_in(tree, child, name)) {
        return true;
      } else {
        inner |= mst_binds_in(tree, child, name);
      }
    }
    return false;
  }
  case MST_K_WITH:
  case MST_K_TRY: return block_reads_before(tree, node, name, assigned);
  default: break;
  }
  if (!*assigned && reads_in(tree, node, name)) return true;
  *assigned |= mst_binds_in(tree, node, name);
  return false;
}
