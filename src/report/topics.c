/* SPDX-License-Identifier: Apache-2.0 */
/* What rules, recipes and gates are about, from their descriptors. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "report/report.h"

static const struct {
  const char *name, *text;
} gates[] = {
    {"hardware",
     "Pass: compute capability 7.0 or more (Volta, Turing, Ampere, Ada, Hopper, "
     "Blackwell), CUDA 12 or 13, Linux or WSL2, and memory for the code's arrays; "
     "production wants about 80 GB of GPU memory in total.\n"
     "Fail: Pascal or older, macOS, native Windows. The CPU-only variant is the way out."},
    {"problem size",
     "Elements for each GPU: those of the arrays divided by the smallest number of "
     "GPUs of the target.\n"
     "Pass: at least 1M. Uncertain: 65,536 to 1M, likely slower than NumPy.\n"
     "Fail: below 65,536, the runtime's smallest piece for a GPU, where the user gave "
     "the size (--elements). A small size found in the code is only uncertain: "
     "literals are often demo sizes.\n"
     "Tiers: 1M to 10M break-even; 10M to 100M faster on one GPU; from 100M several "
     "GPUs help; from 1B several nodes may be needed."},
    {"workload shape", "Pass: what the rules found amounts to READY or LIGHT REFACTOR. Uncertain: "
                       "SIGNIFICANT REFACTOR."},
    {"compute pattern",
     "Measured: statements on the hot path that touch arrays or a pattern's own "
     "objects, weighted by loop depth + 1.\n"
     "Pass: stencil, dense linear algebra, reductions, elementwise work, Monte "
     "Carlo, batched FFT. Uncertain: mostly SciPy.\n"
     "Fail: at least half is sparse, graph traversal, machine learning frameworks, "
     "strings, a sequential recurrence, or data frames; the report names the better "
     "tool."},
    {"boundary cost", "Host touch points (files, SciPy, plots, prints) are counted, with the loops "
                      "they stand in. Pass: few, and none in hot loops. Uncertain: some are."},
    {"operational readiness",
     "A list to go through: a representative input, a benchmark, a test that "
     "compares whole results, the launcher, the Doctor. Mostly uncertain, as "
     "the source does not tell."}};

static void add_rule(const mst_rule *rule, mst_str *out) {
  static const char *const where[] = {[MST_COUNTS_NEVER] = "never counts in the verdict",
                                      [MST_COUNTS_HOT] = "counts in hot places",
                                      [MST_COUNTS_HOT_PATH] = "counts in hot and presumed places",
                                      [MST_COUNTS_ANYWHERE] = "counts wherever it stands"};
  const char *effect = mst_outcome_name(rule->outcome);
  const mst_recipe *recipe = rule->recipe != NULL ? mst_recipe_find(rule->recipe) : NULL;
  mst_str_addf(out, "%s %s\n%s%s%s; %s\n\n%s\n\n%s\n", rule->id, rule->name,
               mst_category_name(rule->category), effect != NULL ? ", " : "",
               effect != NULL ? effect : "", where[rule->counts], rule->summary, rule->why);
  if (recipe == NULL) return;
  const char *name = mst_recipe_name(recipe->id);
  mst_str_addf(out, "\n%s%s%s\n", name != NULL ? name : "", name != NULL ? ": " : "", recipe->text);
}

static void add_recipe(const mst_recipe *recipe, mst_str *out) {
  mst_str_addf(out, "%s\n\n%s\n\nFor:\n", recipe->id, recipe->text);
  for (unsigned i = 0; i < mst_rule_count; i++) {
    const mst_rule *rule = mst_rules[i];
    if (rule->recipe != NULL && strcmp(rule->recipe, recipe->id) == 0)
      mst_str_addf(out, "  %s %s\n", rule->id, rule->name);
  }
}

/* "gate 2", "gate2"; 0: none. */
static unsigned gate_number(const char *topic) {
  if (strncasecmp(topic, "gate", 4) != 0) return 0;
  topic += 4;
  while (*topic == ' ' || *topic == '-')
    topic++;
  return topic[0] >= '1' && topic[0] <= '6' && topic[1] == '\0' ? (unsigned)(topic[0] - '0') : 0;
}

bool mst_explain_topic(const char *topic, mst_str *out) {
  const unsigned gate = gate_number(topic);
  if (gate > 0) {
    mst_str_addf(out, "Gate %u: %s\n\n%s\n", gate, gates[gate - 1].name, gates[gate - 1].text);
    return true;
  }
  for (unsigned i = 0; i < mst_rule_count; i++) {
    if (strcasecmp(topic, mst_rules[i]->id) != 0) continue;
    add_rule(mst_rules[i], out);
    return true;
  }
  for (unsigned i = 0; i < mst_recipe_count; i++) {
    if (strcasecmp(topic, mst_recipes[i].id) != 0 || mst_recipes[i].is_unnamed) continue;
    add_recipe(&mst_recipes[i], out);
    return true;
  }
  return false;
}
