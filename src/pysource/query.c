/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to a finished model. */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "pysource/interp.h"

/* ---- values and calls ------------------------------------------------------------------------------------ */

static const mst_value unknown_value = {.kind = MST_V_UNKNOWN, .rank = -1};

bool mst_is_mentioned(const mst_module *module, mst_symbol name) {
  for (uint32_t i = 0; i < module->symbol_count; i++)
    if (module->symbols[i] == name) return true;
  return false;
}

const mst_value *mst_value_at(mst_place place) {
  const mst_value *value = &place.module->values[place.node];
  return value->kind == MST_V_BOTTOM ? &unknown_value : value;
}

const char *mst_called_name(mst_place call) {
  const mst_symbol name = call.module->names[call.node];
  return name != 0 ? mst_symbol_text(&call.program->symbols, name) : NULL;
}

const mst_api *mst_called_api(mst_place call) {
  const mst_symbol name = call.module->names[call.node];
  if (name == 0) return NULL;
  const mst_api *known = name < call.program->api_capacity ? call.program->apis[name] : NULL;
  if (known != NULL) return known->name[0] != '\0' ? known : NULL;
  return mst_api_find(mst_symbol_text(&call.program->symbols, name));
}

const char *mst_expression_name(mst_place place) {
  const mst_value *value = mst_value_at(place);
  if (value->kind != MST_V_API && !(value->kind == MST_V_MODULE && value->self == 0)) return NULL;
  return mst_symbol_text(&place.program->symbols, value->ref);
}

const mst_function *mst_called_function(mst_place call) {
  const uint32_t function = call.module->calls[call.node];
  if (function == 0 || mst_kind_of(call.module->tree, call.node) != MST_K_CALL) return NULL;
  return &call.program->functions.data[function - 1];
}

mst_place mst_call_place(const mst_program *program, const mst_call_site *site) {
  const mst_function *caller = &program->functions.data[site->function];
  return (mst_place){program, &program->modules[caller->module], site->node};
}

/* Parameters come first among the locals; one without a name, or named twice, has no slot of its
 * own. */
uint32_t mst_parameter_by_slot(const mst_function *function, uint32_t slot) {
  uint32_t i = slot;
  while (i < function->parameter_count && function->parameters[i].slot != slot)
    i++;
  return i < function->parameter_count ? i : function->parameter_count;
}

uint32_t mst_parameter_by_name(const mst_function *function, mst_symbol name) {
  return mst_parameter_by_slot(function, mst_local_slot(function, name));
}

mst_node_id mst_given_to(mst_place call, const mst_function *function, uint32_t parameter) {
  const bool is_bound = function->class_ != 0 && !function->is_static;
  if (is_bound && parameter == 0) return 0;
  if (mst_kind_of(call.module->tree, call.node) != MST_K_CALL ||
      mst_called_function(call) != function)
    return 0;
  return mst_argument(
      call, (int)parameter - is_bound,
      mst_symbol_text(&call.program->symbols, function->parameters[parameter].name));
}

mst_node_id mst_argument(mst_place call, int position, const char *keyword) {
  return mst_argument_node(call.module->tree, &call.program->symbols, call.node, position, keyword);
}

unsigned mst_positional_count(mst_place call) {
  const mst_tree *tree = call.module->tree;
  unsigned count = 0;
  for (mst_node_id child = tree->nodes[tree->nodes[call.node].first].next; child != 0;
       child = tree->nodes[child].next) {
    const mst_kind kind = mst_kind_of(tree, child);
    if (kind == MST_K_STAR || kind == MST_K_DOUBLE_STAR) break;
    count += kind != MST_K_KEYWORD;
  }
  return count;
}

mst_node_id mst_receiver(mst_place call) {
  const mst_tree *tree = call.module->tree;
  const mst_node_id function = tree->nodes[call.node].first;
  return mst_kind_of(tree, function) == MST_K_ATTRIBUTE ? tree->nodes[function].first : 0;
}

bool mst_is_number(mst_place place, double wanted) {
  const mst_value *value = mst_value_at(place);
  return mst_knows_number(value) && value->number == wanted;
}

/* ---- loops and functions ------------------------------------------------------------------------------------ */

const mst_loop *mst_loop_at(mst_place place) {
  const uint32_t loop = place.module->loop_of[place.node];
  return loop != 0 ? &place.program->loops.data[loop - 1] : NULL;
}

const mst_loop *mst_loop_outside(const mst_program *program, const mst_loop *loop) {
  return loop->outer != 0 ? &program->loops.data[loop->outer - 1] : NULL;
}

const mst_loop *mst_loop_by_node(mst_place place) {
  const uint32_t module = (uint32_t)(place.module - place.program->modules);
  size_t low = 0, high = place.program->loops.length;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const mst_loop *loop = &place.program->loops.data[middle];
    if (loop->module < module || (loop->module == module && loop->node < place.node))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == place.program->loops.length) return NULL;
  const mst_loop *loop = &place.program->loops.data[low];
  return loop->module == module && loop->node == place.node ? loop : NULL;
}

const mst_function *mst_function_at(mst_place place) {
  return &place.program->functions.data[place.module->function_of[place.node]];
}

/* ---- expressions ----------------------------------------------------------------------------------------------- */

static bool binds(const mst_tree *tree, mst_node_id body, mst_node_id end, const mst_node *wanted) {
  for (mst_node_id id = body; id < end; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->name != wanted->name || (node->flags & MST_F_STORE) == 0) continue;
    if (node->kind == wanted->kind) return true;
  }
  return false;
}

/* x[...] = v and x += v write x. */
static bool writes(const mst_tree *tree, mst_node_id body, mst_node_id end,
                   const mst_node *wanted) {
  for (mst_node_id id = body; id < end; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind != MST_K_SUBSCRIPT || (node->flags & MST_F_STORE) == 0) continue;
    const mst_node *base = &tree->nodes[node->first];
    if (base->kind == wanted->kind && base->name == wanted->name) return true;
  }
  return false;
}

bool mst_is_invariant(mst_place place, const mst_loop *loop) {
  const mst_tree *tree = place.module->tree;
  const mst_node_id end = mst_subtree_end(tree, loop->body);
  const mst_node_id stop = mst_subtree_end(tree, place.node);
  for (mst_node_id id = place.node; id < stop; id++) {
    const mst_node *node = &tree->nodes[id];
    if (node->kind == MST_K_YIELD || node->kind == MST_K_AWAIT) return false;
    if (node->kind != MST_K_NAME && node->kind != MST_K_ATTRIBUTE) continue;
    if (binds(tree, loop->body, end, node)) return false;
    if (loop->iterable != 0 && node->kind == MST_K_NAME) {
      const mst_node_id target =
          mst_kind_of(tree, loop->node) == MST_K_FOR ? mst_child(tree, loop->node, 0) : loop->node;
      if (binds(tree, target, mst_subtree_end(tree, target), node)) return false;
    }
    /* Its shape does not change with its contents. */
    const mst_node *parent = &tree->nodes[node->parent];
    const bool only_shape = parent->kind == MST_K_ATTRIBUTE &&
                            (parent->name == MST_SYM_shape || parent->name == MST_SYM_dtype ||
                             parent->name == MST_SYM_size || parent->name == MST_SYM_ndim);
    if (!only_shape && writes(tree, loop->body, end, node)) return false;
  }
  return true;
}

bool mst_same_expression(mst_place a, mst_place b) {
  const mst_tree *x = a.module->tree, *y = b.module->tree;
  const mst_node_id x_end = mst_subtree_end(x, a.node), y_end = mst_subtree_end(y, b.node);
  if (x_end - a.node != y_end - b.node) return false;
  for (mst_node_id i = 0; a.node + i < x_end; i++) {
    const mst_node *p = &x->nodes[a.node + i], *q = &y->nodes[b.node + i];
    if (p->kind != q->kind || p->name != q->name || p->op != q->op) return false;
    if (p->kind == MST_K_NUMBER || p->kind == MST_K_STRING) {
      const uint32_t length = p->end - p->start;
      if (length != q->end - q->start ||
          memcmp(x->source->text + p->start, y->source->text + q->start, length) != 0)
        return false;
    }
  }
  return true;
}

static bool add_path(mst_place place, char *text, size_t size) {
  const mst_node *node = &place.module->tree->nodes[place.node];
  const char *name = mst_symbol_text(&place.program->symbols, node->name);
  if (node->kind == MST_K_NAME) return (size_t)snprintf(text, size, "%s", name) < size;
  if (node->kind != MST_K_ATTRIBUTE) return false;
  if (!add_path(mst_place_at(place, node->first), text, size)) return false;
  const size_t used = strlen(text);
  return (size_t)snprintf(text + used, size - used, ".%s", name) < size - used;
}

const char *mst_path_of(mst_place place, char text[MST_PATH_BYTES]) {
  return add_path(place, text, MST_PATH_BYTES) ? text : NULL;
}

/* White space, or a backslash that only continues a line. */
static bool is_blank(const char *text, uint32_t at, uint32_t end) {
  const char c = text[at];
  if (c == '\\') return at + 1 < end && (text[at + 1] == '\n' || text[at + 1] == '\r');
  return c == ' ' || c == '\t' || c == '\n';
}

/* Of a character of several bytes, which is not cut. */
static bool is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

void mst_add_text(mst_place place, mst_str *out, size_t limit) {
  const mst_node *node = &place.module->tree->nodes[place.node];
  const char *text = place.module->tree->source->text;
  size_t used = 0;
  for (uint32_t at = node->start; at < node->end;) {
    if (is_blank(text, at, node->end)) {
      at++;
      continue;
    }
    const bool is_apart = used > 0; /* by a blank from the word before */
    size_t length = 0;              /* of the word, as far as it fits */
    while (at + length < node->end && !is_blank(text, at + (uint32_t)length, node->end) &&
           (used + length + (is_apart && length > 0) + 4 <= limit || is_inside(text[at + length])))
      length++;
    if (length > 0 && is_apart) mst_str_add(out, " ");
    mst_str_add_bytes(out, text + at, length);
    used += length + is_apart;
    at += (uint32_t)length;
    if (at < node->end && !is_blank(text, at, node->end)) {
      mst_str_add(out, "...");
      return;
    }
  }
}

/* ---- paths -------------------------------------------------------------------------------------------------------- */

void mst_add_path(mst_str *out, const char *path) {
  for (;;) {
    const size_t length = strcspn(path, "`");
    mst_add_printable_bytes(out, path, length);
    if (path[length] == '\0') return;
    mst_str_add(out, "\\x60");
    path += length + 1;
  }
}

/* ---- explanations ------------------------------------------------------------------------------------------------- */

static void add_location(const mst_program *program, uint32_t module_index, mst_node_id node,
                         mst_str *out) {
  const mst_source *source = program->modules[module_index].tree->source;
  const mst_node *at = &program->modules[module_index].tree->nodes[node];
  const mst_position position = mst_source_position(source, at->start);
  mst_str_add(out, " (");
  mst_add_path(out, source->path);
  if (position.cell != 0) mst_str_addf(out, " cell %u", position.cell);
  mst_str_addf(out, ":%u)", position.line);
}

static void add_code(const mst_program *program, const mst_step *step, mst_node_id node,
                     mst_str *out) {
  const mst_place place = {
      .program = program, .module = &program->modules[step->module], .node = node};
  mst_str_add(out, "`");
  mst_add_text(place, out, 60);
  mst_str_add(out, "`");
}

static void add_step(const mst_program *program, const mst_step *step, mst_str *out) {
  switch ((mst_step_kind)step->kind) {
  case MST_STEP_MADE:
    mst_str_add(out, "array made by ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_PARAMETER:
    mst_str_add(out, "passed in ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_RETURNED:
    mst_str_add(out, "returned by ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_ATTRIBUTE:
    mst_str_add(out, "kept in ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_ANNOTATED:
    mst_str_add(out, "declared an array by ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_USED:
    mst_str_add(out, "used like an array in ");
    add_code(program, step, step->node, out);
    break;
  case MST_STEP_GLOBAL: mst_str_add(out, "of another module"); break;
  case MST_STEP_ELEMENT:
    mst_str_add(out, "element of ");
    add_code(program, step, step->node, out);
    break;
  }
  if (step->node != 0) add_location(program, step->module, step->node, out);
}

unsigned mst_explain_value(mst_place place, const mst_value *value, mst_str *lines,
                           unsigned limit) {
  const mst_program *program = place.program;
  const mst_step *chain[16];
  unsigned count = 0;
  for (uint32_t at = value->why; at != 0 && count < 16; at = program->values.steps.data[at].before)
    chain[count++] = &program->values.steps.data[at];
  unsigned shown = 0;
  for (unsigned i = count; i-- > 0 && shown < limit;) {
    if (chain[i]->node == 0) continue;
    add_step(program, chain[i], lines);
    mst_str_add(lines, "\n");
    shown++;
  }
  return shown;
}

static void add_loop_text(const mst_program *program, const mst_module *module,
                          const mst_loop *loop, mst_str *out) {
  const mst_tree *tree = module->tree;
  const mst_place place = {.program = program, .module = module, .node = loop->node};
  if (mst_kind_of(tree, loop->node) == MST_K_FOR) {
    mst_str_add(out, "`for ");
    mst_add_text(mst_place_at(place, mst_child(tree, loop->node, 0)), out, 30);
    mst_str_add(out, "` loop");
  } else {
    mst_str_add(out,
                mst_kind_of(tree, loop->node) == MST_K_WHILE ? "`while` loop" : "comprehension");
  }
  add_location(program, (uint32_t)(module - program->modules), loop->node, out);
}

void mst_explain_heat(mst_place place, mst_str *out) {
  const mst_heat heat = mst_heat_at(place);
  const mst_program *program = place.program;
  mst_str_addf(out, "%s", mst_heat_name(heat));
  for (const mst_loop *loop = mst_loop_at(place); loop != NULL;
       loop = mst_loop_outside(program, loop)) {
    if (!loop->is_hot && !(heat == MST_HEAT_UNKNOWN && loop->is_unknown)) continue;
    mst_str_add(out, ": body of the ");
    add_loop_text(program, place.module, loop, out);
    return;
  }
  const mst_function *function = mst_function_at(place);
  if (heat != MST_HEAT_HOT) return;
  for (size_t i = 0; i < function->callers.length; i++) {
    const mst_call_site *site = &function->callers.data[i];
    const mst_place call = mst_call_place(program, site);
    if (!site->driven && mst_heat_at(call) != MST_HEAT_HOT) continue;
    mst_str_addf(out, ": %s ", site->driven ? "driven by" : "called in");
    const uint32_t module = program->functions.data[site->function].module;
    const mst_step step = {.module = module, .node = site->node};
    add_code(program, &step, site->node, out);
    add_location(program, module, site->node, out);
    return;
  }
}
