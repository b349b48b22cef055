/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rules/rule.h"

#define RULE(name) extern const mst_rule mst_rule_##name;
#include "rules/rules.def"
#undef RULE

#define RULE(name) &mst_rule_##name,
const mst_rule *const mst_rules[] = {
#include "rules/rules.def"
};
#undef RULE

const unsigned mst_rule_count = sizeof mst_rules / sizeof *mst_rules;

const mst_rule *mst_rule_find(const char *id) {
  for (unsigned i = 0; i < mst_rule_count; i++)
    if (strcmp(mst_rules[i]->id, id) == 0) return mst_rules[i];
  return NULL;
}

const char *mst_category_name(mst_category category) {
  static const char *const names[] = {
      [MST_SCALES] = "SCALES", [MST_BLOCKS] = "BLOCKS", [MST_REFACTOR] = "REFACTOR",
      [MST_INFO] = "INFO",     [MST_AUDIT] = "AUDIT",
  };
  return names[category];
}

const char *mst_outcome_name(mst_outcome outcome) {
  static const char *const names[] = {
      [MST_OUTCOME_NONE] = NULL,
      [MST_OUTCOME_RAISES] = "raises",
      [MST_OUTCOME_WRONG] = "wrong",
      [MST_OUTCOME_COST] = "cost",
  };
  return names[outcome];
}

const char *mst_confidence_name(mst_confidence confidence) {
  static const char *const names[] = {
      [MST_POSSIBLE] = "possible",
      [MST_LIKELY] = "likely",
      [MST_CERTAIN] = "certain",
  };
  return names[confidence];
}
