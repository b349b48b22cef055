/* SPDX-License-Identifier: Apache-2.0 */
/* The six gates of the decision framework. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "verdict/hardware.h"
#include "verdict/tally.h"
#include "verdict/words.h"

#define BREAK_EVEN 1000000 /* elements for a GPU that certainly pass */
#define PRODUCTION_BYTES 80e9

uint64_t mst_fewest_gpus(const mst_context *context) {
  const uint64_t gpus = context->gpus > 0 ? context->gpus : 1;
  return gpus * (context->nodes > 0 ? context->nodes : 1);
}

typedef struct gate_maker {
  const mst_tally *tally;
  const mst_surroundings *surroundings;
  const mst_assessment_result *result;
  const mst_context *context;
  mst_arena *arena;
} gate_maker;

static void set(mst_gate *gate, mst_gate_status status, const char *reason) {
  gate->status = status;
  gate->reason = reason;
}

/* ---- 1: hardware ----------------------------------------------------------------------------------- */

static bool is_foreign_os(const char *os) {
  return strcasecmp(os, "macos") == 0 || strcasecmp(os, "darwin") == 0 ||
         strcasecmp(os, "windows") == 0;
}

uint64_t mst_gpu_memory(const mst_context *context) {
  if (context->fbmem > 0) return context->fbmem;
  const mst_gpu_model *model =
      context->gpu_model != NULL ? mst_gpu_model_find(context->gpu_model) : NULL;
  return model != NULL ? (uint64_t)model->memory_gb * 1000000000u : 0;
}

/* Memory is compared only where both it and the number of GPUs were said. */
static bool gate_memory(const gate_maker *maker, mst_gate *gate) {
  char total_text[24], alive_text[24];
  const mst_context *context = maker->context;
  const mst_reading *reading = &maker->result->reading;
  const bool on_cpu = context->cpu_only;
  const uint64_t each = on_cpu ? context->sysmem : mst_gpu_memory(context);
  if (each == 0 || (!on_cpu && context->gpus == 0 && context->fbmem == 0)) return false;
  const uint64_t nodes = context->nodes > 0 ? context->nodes : 1;
  const double total = (double)each * (double)(on_cpu ? nodes : mst_fewest_gpus(context));
  mst_human_bytes(total, total_text);
  if (reading->bytes_alive > 0 && (double)reading->bytes_alive > total) {
    mst_human_bytes((double)reading->bytes_alive, alive_text);
    const bool is_said = context->elements > 0;
    set(gate, is_said ? MST_GATE_FAIL : MST_GATE_UNCERTAIN,
        mst_words(maker->arena, "the arrays take at least %s, the target has %s%s", alive_text,
                  total_text,
                  reading->smallest_gpus > 0
                      ? mst_words(maker->arena, "; %" PRId64 " GPUs would hold them",
                                  reading->smallest_gpus)
                      : ""));
    return true;
  }
  if (on_cpu || total >= PRODUCTION_BYTES) return false;
  set(gate, MST_GATE_UNCERTAIN,
      mst_words(maker->arena, "the GPUs have %s of memory in total; production wants about 80 GB",
                total_text));
  return true;
}

static bool gate_system(const gate_maker *maker, mst_gate *gate) {
  const mst_context *context = maker->context;
  if (context->os != NULL && is_foreign_os(context->os)) {
    if (context->cpu_only)
      set(gate, MST_GATE_UNCERTAIN,
          mst_words(maker->arena, "%s: see whether the CPU-only package is there for it",
                    context->os));
    else
      set(gate, MST_GATE_FAIL,
          mst_words(maker->arena,
                    "STOP: %s is not supported; the CPU-only variant is the way out, or Linux%s",
                    context->os, strcasecmp(context->os, "windows") == 0 ? " in WSL2" : ""));
    return true;
  }
  if (context->cpu_only || context->cuda == 0 || context->cuda == 12 || context->cuda == 13)
    return false;
  set(gate, MST_GATE_FAIL,
      mst_words(
          maker->arena,
          "STOP: CUDA %u is not supported, 12 and 13 are; the CPU-only variant is the way out",
          context->cuda));
  return true;
}

static bool gate_model(const gate_maker *maker, mst_gate *gate) {
  const mst_context *context = maker->context;
  if (context->cpu_only || context->gpu_model == NULL) return false;
  const mst_gpu_model *model = mst_gpu_model_find(context->gpu_model);
  if (model == NULL) {
    set(gate, MST_GATE_UNCERTAIN,
        mst_words(maker->arena,
                  "the GPU model `%s` is not known here; it needs compute capability "
                  "7.0 or more",
                  context->gpu_model));
    return true;
  }
  if (model->capability >= 70) return false;
  set(gate, MST_GATE_FAIL,
      mst_words(
          maker->arena,
          "STOP: %s (%s) has compute capability %u.%u, and 7.0 (Volta) is needed; the CPU-only "
          "variant is the way out",
          context->gpu_model, model->family, model->capability / 10, model->capability % 10));
  return true;
}

static void gate_hardware(const gate_maker *maker, mst_gate *gate) {
  const mst_context *context = maker->context;
  if (gate_system(maker, gate) || gate_model(maker, gate) || gate_memory(maker, gate)) return;
  const char *os = context->os != NULL ? context->os : "Linux";
  if (context->cpu_only)
    set(gate, MST_GATE_PASS, mst_words(maker->arena, "CPU only, on %s", os));
  else if (context->gpu_model == NULL)
    set(gate, MST_GATE_PASS,
        mst_words(maker->arena, "no GPU model given: assumed Volta or newer, on %s", os));
  else
    set(gate, MST_GATE_PASS,
        mst_words(maker->arena, "%s (%s), on %s", context->gpu_model,
                  mst_gpu_model_find(context->gpu_model)->family, os));
}

/* ---- 2: problem size --------------------------------------------------------------------------------- */

/* The size of the arrays as it is best known, and where it comes from. */
static void gate_size(const gate_maker *maker, mst_gate *gate) {
  char count[24], share[24], wanted[24];
  const mst_context *context = maker->context;
  const mst_assessment_result *result = maker->result;
  const bool is_said = context->elements > 0;
  const uint64_t gpus = mst_fewest_gpus(context);
  if (!is_said && result->reading.elements <= 0) {
    set(gate, MST_GATE_PASS,
        "no size was given and the code tells none: 30 to 50 million elements are assumed");
    return;
  }
  const uint64_t elements = is_said ? context->elements : (uint64_t)result->reading.elements;
  const mst_size *size =
      maker->tally->hot.elements > 0 ? &maker->tally->hot : &maker->tally->anywhere;
  const char *from = is_said
                         ? "given"
                         : mst_words(maker->arena, "found in the code: `%s` at %s:%u", size->text,
                                     mst_path_text(maker->arena, size->site.path), size->site.line);
  mst_words_count(elements, count);
  mst_words_count(elements / gpus, share);
  mst_words_count(MST_GPU_FLOOR * gpus, wanted);
  const char *each = gpus == 1
                         ? "on one GPU"
                         : mst_words(maker->arena, "%s for each of %" PRIu64 " GPUs", share, gpus);
  if (!is_said && elements >= INT64_MAX) {
    set(gate, MST_GATE_UNCERTAIN,
        mst_words(maker->arena, "%s elements (%s), which no machine holds: say the real size",
                  count, from));
    return;
  }
  if (elements / gpus >= BREAK_EVEN) {
    set(gate, MST_GATE_PASS,
        mst_words(maker->arena, "%s elements (%s), %s; tier %s", count, from, each,
                  result->reading.tier));
    return;
  }
  if (elements / gpus >= MST_GPU_FLOOR) {
    set(gate, MST_GATE_UNCERTAIN,
        mst_words(maker->arena, "%s elements (%s), %s: likely slower than NumPy", count, from,
                  each));
    return;
  }
  set(gate, is_said ? MST_GATE_FAIL : MST_GATE_UNCERTAIN,
      mst_words(maker->arena,
                "%s elements (%s), %s, are below the runtime's floor of 65,536 for a GPU; "
                "%s%s elements in one array (a batch of %llu such) would pass it",
                count, from, each,
                is_said ? ""
                        : "literals in source are often demo sizes, say the real one by "
                          "--elements; ",
                wanted, (unsigned long long)((MST_GPU_FLOOR * gpus + elements - 1) / elements)));
}

/* ---- 3: workload shape ---------------------------------------------------------------------------------- */

static void gate_shape(const gate_maker *maker, mst_verdict shape, mst_gate *gate) {
  set(gate, shape == MST_VERDICT_SIGNIFICANT ? MST_GATE_UNCERTAIN : MST_GATE_PASS,
      mst_words(maker->arena, "what the rules found amounts to %s", mst_verdict_name(shape)));
}

/* ---- 4: compute pattern ----------------------------------------------------------------------------------- */

static const mst_site *copy_sites(mst_arena *arena, const mst_sites *sites) {
  mst_site *copy = mst_arena_new(arena, (sites->length + 1) * sizeof *copy);
  memcpy(copy, sites->data, sites->length * sizeof *copy);
  return copy;
}

static uint64_t failing_weight(const mst_tally *tally) {
  uint64_t weight = 0;
  for (unsigned i = MST_PATTERN_SPARSE; i < MST_PATTERN_COUNT; i++)
    weight += tally->patterns[i].weight;
  return weight;
}

static void gate_pattern(const gate_maker *maker, mst_gate *gate) {
  bool fails, mixed;
  const mst_tally *tally = maker->tally;
  const mst_compute_pattern pattern = mst_main_pattern(tally, maker->context, &fails, &mixed);
  const uint64_t failing = failing_weight(tally);
  const uint64_t all = failing + tally->array_weight;
  const unsigned percent = all > 0 ? (unsigned)(100 * failing / all) : 0;
  gate->pattern = mst_compute_pattern_name(pattern);
  if (pattern != MST_PATTERN_NONE) {
    gate->sites = copy_sites(maker->arena, &tally->patterns[pattern].sites);
    gate->site_count = tally->patterns[pattern].sites.length;
  }
  if (fails && maker->context->pattern != NULL)
    set(gate, MST_GATE_FAIL,
        mst_words(maker->arena, "%s, as given by --pattern; the better tool is %s", gate->pattern,
                  mst_compute_pattern_tool(pattern)));
  else if (fails)
    set(gate, MST_GATE_FAIL,
        mst_words(
            maker->arena,
            "%s work dominates (%u %% of the hot path, weighted by loop depth); the better tool "
            "is %s",
            gate->pattern, percent, mst_compute_pattern_tool(pattern)));
  else if (mixed)
    set(gate, MST_GATE_UNCERTAIN,
        "mixed: at least half of the work on the hot path goes through SciPy, which runs on the "
        "host");
  else if (failing > 0)
    set(gate, MST_GATE_PASS,
        mst_words(
            maker->arena,
            "%s; a part (%u %%) is not dense array work and stays where it is, the dense part "
            "is apart from it",
            gate->pattern != NULL ? gate->pattern : "dense arrays", percent));
  else
    set(gate, MST_GATE_PASS,
        gate->pattern != NULL
            ? mst_words(maker->arena, "mostly %s, a pattern that scales",
                        mst_compute_pattern_words(mst_compute_pattern_by_name(gate->pattern)))
            : "dense arrays; no pattern stands out");
}

/* ---- 5: boundary cost --------------------------------------------------------------------------------------- */

/* "3 file, 1 plot": kinds in the order of their first place. */
static const char *inventory(const gate_maker *maker) {
  const char *kinds[16];
  unsigned counts[16] = {0}, length = 0;
  for (size_t i = 0; i < maker->tally->touches.length; i++) {
    unsigned k = 0;
    while (k < length && strcmp(kinds[k], maker->tally->touches.data[i].kind) != 0)
      k++;
    if (k == length && length < 16) kinds[length++] = maker->tally->touches.data[i].kind;
    if (k < length) counts[k]++;
  }
  const char *words[16];
  for (unsigned k = 0; k < length; k++)
    words[k] = mst_words(maker->arena, "%u %s", counts[k], kinds[k]);
  return mst_words_list(maker->arena, words, length);
}

static void gate_boundary(const gate_maker *maker, mst_gate *gate) {
  const size_t count = maker->tally->touches.length;
  mst_sites sites = {0};
  unsigned hot = 0;
  for (size_t i = 0; i < count; i++) {
    const mst_touch *touch = &maker->tally->touches.data[i];
    mst_sites_add(&sites, touch->site);
    if (touch->heat == MST_HEAT_HOT) hot++;
  }
  gate->sites = copy_sites(maker->arena, &sites);
  gate->site_count = sites.length;
  if (count == 0)
    set(gate, MST_GATE_PASS, "no place was found where arrays go to the host or come from it");
  else if (hot == 0)
    set(gate, MST_GATE_PASS,
        mst_words(maker->arena, "%zu place%s where arrays meet the host (%s), none in a hot loop",
                  count, mst_plural(count), inventory(maker)));
  else
    set(gate, MST_GATE_UNCERTAIN,
        mst_words(
            maker->arena,
            "%zu place%s where arrays meet the host (%s), %s: the share of array time cannot be "
            "told from the source",
            count, mst_plural(count), inventory(maker),
            hot < count  ? mst_words(maker->arena, "%u of them in hot loops", hot)
            : count == 1 ? "in a hot loop"
                         : "all of them in hot loops"));
}

/* ---- 6: operational readiness -------------------------------------------------------------------------------- */

static void gate_readiness(const gate_maker *maker, mst_gate *gate) {
  const char *test = maker->surroundings->golden_test;
  const char *found =
      test != NULL ? mst_words(maker->arena,
                               "tests were found (%s): see that they compare whole results", test)
                   : "no test was found among the files: write one that compares whole results";
  set(gate, MST_GATE_UNCERTAIN,
      mst_words(
          maker->arena,
          "%s. Not to be told from the source: a representative input, a benchmark to compare "
          "with, the launcher (legate), a run of the Doctor",
          found));
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

void mst_conclude_gates(const mst_tally *tally, const mst_surroundings *surroundings,
                        mst_verdict shape, mst_assessment_result *result, mst_arena *arena) {
  static const char *const names[] = {"hardware",        "problem size",  "workload shape",
                                      "compute pattern", "boundary cost", "operational readiness"};
  const gate_maker maker = {tally, surroundings, result, &result->context, arena};
  mst_gate *gates = mst_arena_new(arena, 6 * sizeof *gates);
  for (unsigned i = 0; i < 6; i++)
    gates[i] = (mst_gate){.number = i + 1, .name = names[i]};
  gate_hardware(&maker, &gates[0]);
  gate_size(&maker, &gates[1]);
  gate_shape(&maker, shape, &gates[2]);
  gate_pattern(&maker, &gates[3]);
  gate_boundary(&maker, &gates[4]);
  gate_readiness(&maker, &gates[5]);
  result->gates = gates;
}
