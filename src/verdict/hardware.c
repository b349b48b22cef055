/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/hardware.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Longer names before those that they begin with. Compute capabilities: NVIDIA's list of CUDA
 * GPUs. */
static const mst_gpu_model models[] = {{"GB300", 103, 0, "Blackwell"},
                                       {"GB200", 100, 0, "Blackwell"},
                                       {"B300", 103, 0, "Blackwell"},
                                       {"B200", 100, 0, "Blackwell"},
                                       {"B100", 100, 0, "Blackwell"},
                                       {"B40", 120, 0, "Blackwell"},
                                       {"GH200", 90, 0, "Hopper"},
                                       {"H200", 90, 141, "Hopper"},
                                       {"H100", 90, 80, "Hopper"},
                                       {"H800", 90, 80, "Hopper"},
                                       {"H20", 90, 96, "Hopper"},
                                       {"L40", 89, 48, "Ada"},
                                       {"L20", 89, 48, "Ada"},
                                       {"L4", 89, 24, "Ada"},
                                       {"A800", 80, 0, "Ampere"},
                                       {"A100", 80, 0, "Ampere"},
                                       {"A30", 80, 24, "Ampere"},
                                       {"A40", 86, 48, "Ampere"},
                                       {"A16", 86, 0, "Ampere"},
                                       {"A10", 86, 24, "Ampere"},
                                       {"A2", 86, 16, "Ampere"},
                                       {"T4", 75, 16, "Turing"},
                                       {"T1000", 75, 0, "Turing"},
                                       {"TITANRTX", 75, 24, "Turing"},
                                       {"TITANV", 70, 12, "Volta"},
                                       {"V100", 70, 0, "Volta"},
                                       {"GV100", 70, 32, "Volta"},
                                       {"QUADRORTX", 75, 0, "Turing"},
                                       {"RTXA", 86, 0, "Ampere"},
                                       {"RTXPRO", 120, 0, "Blackwell"},
                                       {"RTX50", 120, 0, "Blackwell"},
                                       {"RTX40", 89, 0, "Ada"},
                                       {"RTX30", 86, 0, "Ampere"},
                                       {"RTX20", 75, 0, "Turing"},
                                       {"GTX16", 75, 0, "Turing"},
                                       {"GTX10", 61, 0, "Pascal"},
                                       {"GTX9", 52, 0, "Maxwell"},
                                       {"GTX7", 35, 0, "Kepler"},
                                       {"GTX6", 30, 0, "Kepler"},
                                       {"TITANXP", 61, 12, "Pascal"},
                                       {"TITANX", 52, 12, "Maxwell or Pascal"},
                                       {"GP100", 60, 16, "Pascal"},
                                       {"P100", 60, 0, "Pascal"},
                                       {"P40", 61, 24, "Pascal"},
                                       {"P6000", 61, 24, "Pascal"},
                                       {"P5000", 61, 16, "Pascal"},
                                       {"P4", 61, 8, "Pascal"},
                                       {"M60", 52, 0, "Maxwell"},
                                       {"M40", 52, 0, "Maxwell"},
                                       {"M10", 50, 0, "Maxwell"},
                                       {"M6000", 52, 0, "Maxwell"},
                                       {"M4", 52, 4, "Maxwell"},
                                       {"K80", 37, 0, "Kepler"},
                                       {"K40", 35, 12, "Kepler"},
                                       {"K20", 35, 0, "Kepler"},
                                       {"K10", 30, 0, "Kepler"},
                                       {"C2075", 20, 6, "Fermi"}};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_separator(char c) { return c == ' ' || c == '-' || c == '_'; }

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* Where `name` goes on behind the word, separators in it not regarded; NULL: it begins otherwise.
 */
static const char *skip_word(const char *name, const char *word) {
  for (; *word != '\0'; word++, name++) {
    while (is_separator(*name))
      name++;
    if (upper(*name) != *word) return NULL;
  }
  return name;
}

static const char *skip_makers(const char *name) {
  static const char *const makers[] = {"NVIDIA", "TESLA", "GEFORCE"};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
    const char *rest = skip_word(name, makers[i]);
    if (rest != NULL) name = rest;
  }
  return name;
}

/* A name goes on behind its model ("H100SXM"), but its number does not ("A1000" is no A100).
 * Families like RTX40 stand for all numbers that begin so. */
static bool fits(const char *name, const char *model) {
  const char *rest = skip_word(name, model);
  const bool is_family = strncmp(model, "RTX", 3) == 0 || strncmp(model, "GTX", 3) == 0;
  return rest != NULL && (is_family || !is_digit(*rest));
}

const mst_gpu_model *mst_gpu_model_find(const char *name) {
  name = skip_makers(name);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (fits(name, models[i].name)) return &models[i];
  return NULL;
}
