/* SPDX-License-Identifier: Apache-2.0 */
/* What parameters are: what callers pass, what they leave out, and what nobody sees passed. */
#include <string.h>

#include "base/str.h"
#include "pysource/interp.h"
#include "pysource/walk.h"

/* ---- tests and examples ------------------------------------------------------------------------------------ */

static bool is_folder_of_trials(const char *part, size_t length) {
  static const char *const names[] = {"test",     "tests", "testing", "example",
                                      "examples", "demo",  "demos",   NULL};
  for (int i = 0; names[i] != NULL; i++)
    if (strlen(names[i]) == length && memcmp(names[i], part, length) == 0) return true;
  return false;
}

static bool is_test_file(const char *path) {
  return mst_holds_tests(path) || strcmp(mst_base_name(path), "conftest.py") == 0;
}

/* The path from the folder that holds both files. */
static const char *beside(const char *path, const char *other) {
  const char *own = path;
  for (; *path != '\0' && *path == *other; path++, other++)
    if (*path == '/') own = path + 1;
  return own;
}

static bool is_trial_of(const char *caller, const char *callee) {
  if (is_test_file(callee)) return false;
  const char *part = beside(caller, callee);
  for (const char *end = strchr(part, '/'); end != NULL; end = strchr(part, '/')) {
    if (is_folder_of_trials(part, (size_t)(end - part))) return true;
    part = end + 1;
  }
  return is_test_file(part);
}

static bool is_test_function(const mst_program *program, const mst_function *function) {
  return function->name != 0 &&
         mst_starts_with(mst_symbol_text(&program->symbols, function->name), "test_");
}

/* Small numbers in tests of a program say nothing of how it is used. */
static bool is_tried(const mst_interp *in, const mst_function *callee) {
  const mst_module *own = &in->program->modules[callee->module];
  if (own != in->module) return is_trial_of(in->tree->source->path, own->tree->source->path);
  return !is_test_file(own->tree->source->path) &&
         is_test_function(in->program, mst_interp_function(in)) &&
         !is_test_function(in->program, callee);
}

/* Sizes and counts: what tells how often loops turn. */
static bool counts(const mst_values *values, const mst_value *value) {
  if (value->kind == MST_V_NUMBER) return true;
  if (value->kind != MST_V_TUPLE && value->kind != MST_V_LIST && value->kind != MST_V_RANGE)
    return false;
  return value->kind == MST_V_RANGE || mst_value_any_item(values, value).kind == MST_V_NUMBER;
}

/* ---- what callers pass --------------------------------------------------------------------------------------- */

void mst_pass(mst_interp *in, uint32_t function, uint32_t at, mst_value value, mst_node_id call) {
  mst_function *callee = &in->program->functions.data[function];
  if (at >= callee->parameter_count || value.kind == MST_V_BOTTOM) return;
  mst_parameter *parameter = &callee->parameters[at];
  const mst_node *node = &in->program->modules[callee->module].tree->nodes[parameter->node];
  value.flags &= (uint16_t) ~(MST_VF_FRESH | MST_VF_PARAMETER);
  if (value.kind == MST_V_ARRAY) value.storage = 0; /* another name there */
  /* An element or row that a loop takes out of an array belongs to that loop's finding, also in
   * here. */
  if ((value.kind == MST_V_DEFERRED || value.kind == MST_V_ARRAY) &&
      (value.flags & MST_VF_ELEMENT) != 0)
    value.confidence = MST_POSSIBLE;
  const bool tried = is_tried(in, callee);
  mst_value *known = tried && counts(in->values, &value) ? &parameter->tried : &parameter->passed;
  if (tried) value = mst_value_as_default(in->values, value);
  if (call != 0)
    value = mst_value_because_again(in->values, value, MST_STEP_PARAMETER, in->module_index, call,
                                    known->why);
  if ((node->flags & MST_F_STAR) != 0)
    value = mst_value_container_of(in->values, MST_V_TUPLE, value);
  else if ((node->flags & MST_F_DOUBLE_STAR) != 0)
    value = mst_value_container_of(in->values, MST_V_DICT, value);
  const mst_value joined = mst_value_join(in->values, *known, value);
  if (mst_value_equal(&joined, known)) return;
  *known = joined;
  callee->is_dirty = true;
}

mst_value mst_field_value(mst_interp *in, uint32_t class_index, mst_symbol name, mst_value given) {
  const mst_class *class_ = &in->program->classes.data[class_index];
  const char *path = in->program->modules[class_->module].tree->source->path;
  const bool tried = &in->program->modules[class_->module] != in->module &&
                     is_trial_of(in->tree->source->path, path);
  if (given.kind != MST_V_BOTTOM && !tried) return given;
  const mst_value *own = mst_own_attribute(class_, name);
  if (given.kind == MST_V_BOTTOM && own != NULL) given = *own;
  return counts(in->values, &given) ? mst_value_as_default(in->values, given) : given;
}

/* What a call gives: by position, by name, and what else may be in its *args and **options. */
typedef struct given {
  uint32_t positional;
  bool is_open; /* behind those there may be more */
} given;

static given count_given(const mst_interp *in, mst_node_id call, uint32_t first) {
  given counted = {.positional = first};
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next) {
    const mst_kind kind = mst_kind_of(in->tree, child);
    const uint32_t items =
        kind == MST_K_STAR ? mst_value_item_count(in->values, &in->module->values[child]) : 0;
    counted.is_open |= kind == MST_K_DOUBLE_STAR || (kind == MST_K_STAR && items == 0);
    counted.positional += kind == MST_K_STAR ? items : kind != MST_K_KEYWORD && !counted.is_open;
  }
  return counted;
}

static bool is_named(const mst_interp *in, mst_node_id call, mst_symbol name) {
  for (mst_node_id child = mst_in_node(in, mst_child(in->tree, call, 0))->next; child != 0;
       child = mst_in_node(in, child)->next)
    if (mst_kind_of(in->tree, child) == MST_K_KEYWORD && mst_in_node(in, child)->name == name)
      return true;
  return false;
}

void mst_note_left_out(mst_interp *in, mst_node_id call, uint32_t function, uint32_t first) {
  mst_function *callee = &in->program->functions.data[function];
  if (is_tried(in, callee)) return;
  const given counted = count_given(in, call, first);
  for (uint32_t i = counted.positional; i < callee->parameter_count; i++) {
    mst_parameter *parameter = &callee->parameters[i];
    bool *noted = counted.is_open ? &parameter->is_open : &parameter->is_left_out;
    if (*noted || is_named(in, call, parameter->name)) continue;
    *noted = callee->is_dirty = true;
  }
}

void mst_note_open(mst_interp *in, uint32_t function, uint32_t first) {
  mst_function *callee = &in->program->functions.data[function];
  for (uint32_t i = first; i < callee->parameter_count; i++) {
    if (callee->parameters[i].is_open) continue;
    callee->parameters[i].is_open = callee->is_dirty = true;
  }
}

/* ---- what they are then ---------------------------------------------------------------------------------------- */

/* True for two known counts or sizes, of which the larger one tells more. */
static bool are_counts(const mst_value *a, const mst_value *b) {
  return mst_knows_number(a) && mst_knows_number(b) && a->number > 1 && b->number > 1 &&
         (a->flags & b->flags & MST_VF_INTEGER) != 0;
}

/* A number that some calls pass, with the default that others leave it to, or may: what is passed
 * is no constant then, and of two counts the larger one stands for both. */
static mst_value with_default(mst_interp *in, mst_value value, const mst_value *otherwise,
                              bool is_left_out) {
  if (are_counts(&value, otherwise)) {
    if (!is_left_out && otherwise->number <= value.number) return value;
    value.flags |= MST_VF_FROM_DEFAULT;
    if (is_left_out && otherwise->number > value.number) value.number = otherwise->number;
    return value;
  }
  return is_left_out ? mst_value_join(in->values, value, *otherwise) : value;
}

/* The same where tests and examples alone pass something, or nobody does: a count is then what it
 * is by default. */
static mst_value from_trials(mst_interp *in, const mst_parameter *parameter,
                             const mst_value *otherwise) {
  if (parameter->tried.kind == MST_V_BOTTOM) /* `n: int = 512` says more than `int` */
    return parameter->presumed.kind == otherwise->kind ? *otherwise : parameter->tried;
  if (mst_knows_number(otherwise) && otherwise->number > 1) return *otherwise;
  return mst_value_join(in->values, parameter->tried, *otherwise);
}

/* What all callers give, seen or not. */
static mst_value of_all_callers(mst_interp *in, const mst_parameter *parameter) {
  mst_value value = parameter->passed;
  const bool is_passed = value.kind != MST_V_BOTTOM;
  if (is_passed && !counts(in->values, &value)) return value;
  const mst_value otherwise = mst_default_value(in, mst_child(in->tree, parameter->node, 1));
  const bool has_default = counts(in->values, &otherwise);
  if (!is_passed) return has_default ? from_trials(in, parameter, &otherwise) : parameter->tried;
  const bool is_left_out = parameter->is_left_out || parameter->is_open;
  if (has_default) value = with_default(in, value, &otherwise, is_left_out);
  if (!parameter->is_open || !mst_knows_number(&value) || (value.flags & MST_VF_FROM_DEFAULT) != 0)
    return value;
  value.flags = (uint16_t)((value.flags & ~MST_VF_NUMBER) | MST_VF_FROM_DEFAULT);
  value.number = 0;
  return value;
}

mst_value mst_parameter_value(mst_interp *in, const mst_parameter *parameter) {
  mst_value value = of_all_callers(in, parameter);
  const mst_value *presumed = &parameter->presumed;
  const bool passed_nothing =
      value.kind == MST_V_BOTTOM || value.kind == MST_V_UNKNOWN || value.kind == MST_V_NONE;
  if (passed_nothing) {
    value = *presumed;
  } else if (presumed->confidence == MST_CERTAIN && mst_is_array(presumed) &&
             !mst_is_array(&value) && value.kind != MST_V_OBJECT) {
    value = mst_value_join(in->values, value, *presumed);
  }
  if (value.kind == MST_V_BOTTOM) value = mst_value_unknown();
  value.flags = (uint16_t)((value.flags & ~(MST_VF_FRESH | MST_VF_INDEX)) | MST_VF_PARAMETER);
  if (value.kind == MST_V_ARRAY && value.storage == 0)
    value.storage = in->module->node_base + parameter->node;
  return value;
}
