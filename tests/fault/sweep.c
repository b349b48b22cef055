/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep: an operation is run once to count its allocations and I/O calls, and then once for
 * each of them, which fails.
 */
#include "fault/support.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fault.h"

char data_folder[128];
char new_folder[128];

typedef struct fault {
  const char *name;
  mst_fault_kind kind;
  int errnum;
  bool harmless; /* the operation must succeed all the same */
} fault;

static const fault faults[] = {
    {"allocation", MST_FAULT_ALLOC, 0, false},    {"EINTR", MST_FAULT_IO, EINTR, true},
    {"short transfer", MST_FAULT_SHORT, 0, true}, {"EIO", MST_FAULT_IO, EIO, false},
    {"ENOSPC", MST_FAULT_IO, ENOSPC, false},      {"EACCES", MST_FAULT_IO, EACCES, false},
    {"EINVAL", MST_FAULT_IO, EINVAL, false},      {"EOPNOTSUPP", MST_FAULT_IO, EOPNOTSUPP, false},
};

/* Bytes added to the names of the folders. The first goes with all faults, the others with failing
 * allocations only: growing strings ask for more memory at other places then. */
static const int paddings[] = {0, 17, 34, 51};

static struct {
  const operation *op;
  const fault *fault; /* NULL: none */
  uint64_t at;
  int padding;
  bool reports;
} now;

/* ---- crashes -------------------------------------------------------------------------------- */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
static struct sigaction first_action; /* before cmocka: a sanitizer's, or none */
static sigjmp_buf before_run;

static void crashed(int number) {
  (void)number;
  siglongjmp(before_run, 1);
}

/* A crash is a finding like any other. Sanitizers tell more about it: they come first. */
static void watch_crashes(void) {
  struct sigaction own = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
  sigemptyset(&own.sa_mask);
  const bool sanitized = first_action.sa_handler != SIG_DFL;
  for (size_t i = 0; i < COUNT_OF(crashes); i++)
    (void)sigaction(crashes[i], sanitized ? &first_action : &own, NULL);
}

static void free_outcome(outcome *out) {
  free(out->result);
  free(out->notes);
  free(out->text);
  *out = (outcome){0};
}

static bool has_text(const outcome *out, const char *text) {
  return out->text != NULL && strstr(out->text, text) != NULL;
}

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct sweep_state {
  tree before;
  tree after;
  char *result;
  char *notes;
  uint64_t allocs;
  uint64_t io_calls;
} sweep_state;

/* Whether everything is as after a success. */
static bool work_is_done(const sweep_state *sweep) {
  tree found = tree_take();
  const bool same = tree_difference(&found, &sweep->after) == NULL;
  tree_free(&found);
  return same && now.op->effect != READS;
}

static void check_tree(const sweep_state *sweep, bool done) {
  tree found = tree_take();
  const bool partly = !done && now.op->effect == REMOVES;
  const tree *wanted = done ? &sweep->after : &sweep->before;
  const char *wrong = partly ? tree_stranger(&found, wanted) : tree_difference(&found, wanted);
  if (wrong != NULL) problem("after %s %s", done ? "success" : "failure", wrong);
  tree_free(&found);
}

/* Runs the operation, armed already. False when it crashed. */
static bool survives(outcome *out) {
  *out = (outcome){0};
  if (sigsetjmp(before_run, 1) != 0) {
    (void)mst_fault_disarm();
    problem("crashed");
    *out = (outcome){0};
    return false;
  }
  now.op->run(now.op, out);
  (void)mst_fault_disarm();
  return true;
}

/* Both from a little before the first byte that differs. */
static void compare(const char *what, const char *found, const char *wanted) {
  size_t same = 0;
  if (found == NULL || wanted == NULL) return;
  while (found[same] != '\0' && found[same] == wanted[same])
    same++;
  if (found[same] == wanted[same]) return;
  const size_t from = same > 40 ? same - 40 : 0;
  problem("another %s: '%.80s' instead of '%.80s'", what, found + from, wanted + from);
}

/* A failure that comes after the work: that of a report, or of making the work last. */
static bool failed_late(const sweep_state *sweep, const outcome *out) {
  if (out->done || !work_is_done(sweep)) return false;
  const bool report = now.reports && now.fault->kind == MST_FAULT_ALLOC;
  return report || has_text(out, "what was written is in its place");
}

/* Whether the result itself, or a note beside it, says what went wrong. */
static bool is_told(const outcome *out) {
  if (!out->is_told || now.fault == NULL) return false;
  const bool alloc = now.fault->kind == MST_FAULT_ALLOC;
  const char *reason = alloc ? "memory" : strerror(now.fault->errnum);
  return strstr(out->result, reason) != NULL ||
         (out->notes != NULL && strstr(out->notes, reason) != NULL);
}

/* Runs it and checks what holds after a success and after a failure alike. */
static bool run_checked(const sweep_state *sweep, outcome *out) {
  const int64_t live = mst_fault_live_allocs();
  if (!survives(out)) return false;
  const int64_t leaked = mst_fault_live_allocs() - live;
  if (leaked != 0) problem("%lld allocations leaked", (long long)leaked);
  check_tree(sweep, out->done || failed_late(sweep, out));
  /* A second go at removing counts what the first one has left. */
  if (out->done && now.op->effect != REMOVES && !is_told(out))
    compare("result", out->result, sweep->result);
  const bool excused = out->notes != NULL && strstr(out->notes, "memory") != NULL;
  if (out->done && !excused && !is_told(out)) compare("note", out->notes, sweep->notes);
  return true;
}

static void check_memory_failure(const outcome *out) {
  if (out->has_error && out->error.status != MUSTER_ERR_MEMORY)
    problem("status '%s': %s", muster_status_name(out->error.status), out->text);
  if (!has_text(out, "memory")) problem("the message does not speak of memory: %s", out->text);
}

static void check_io_failure(const outcome *out) {
  const char *reason = strerror(now.fault->errnum);
  if (!has_text(out, reason)) problem("the message lacks '%s': %s", reason, out->text);
  if (!out->has_error) return;
  const muster_error *error = &out->error;
  if (error->status != MUSTER_ERR_IO || error->errnum != now.fault->errnum)
    problem("status '%s', errno %d: %s", muster_status_name(error->status), error->errnum,
            out->text);
  if (error->path[0] == '\0') problem("no path: %s", out->text);
  const bool transfer = strncmp(error->message, "cannot read:", 12) == 0 ||
                        strncmp(error->message, "cannot write:", 13) == 0;
  if (transfer && error->offset < 0) problem("no offset: %s", out->text);
}

static void check_outcome(const outcome *out) {
  if (out->done) return;
  if (now.fault->harmless)
    problem("failed: %s", out->text);
  else if (now.fault->kind == MST_FAULT_ALLOC)
    check_memory_failure(out);
  else
    check_io_failure(out);
}

/* What a failure leaves behind must not be in the way. */
static void run_again(const sweep_state *sweep) {
  outcome out;
  mst_fault_arm(MST_FAULT_NONE, 0, 0);
  const bool survived = run_checked(sweep, &out);
  /* Of a folder that is left empty no record tells any more whose it is. */
  const bool excused = now.op->effect == REMOVES && rmdir(data_folder) == 0;
  if (survived && !out.done && !excused) problem("failed the second time, too: %s", out.text);
  free_outcome(&out);
}

static void run_with_fault(const sweep_state *sweep) {
  outcome out;
  trying("%s: %s %llu (padding %d)", now.op->name, now.fault->name, (unsigned long long)now.at,
         now.padding);
  mst_fault_arm(now.fault->kind, now.at, now.fault->errnum);
  const bool survived = run_checked(sweep, &out);
  const bool again = survived && !out.done && !work_is_done(sweep);
  if (survived) check_outcome(&out);
  free_outcome(&out);
  if (again) run_again(sweep);
  if (now.op->effect != READS || !survived) tree_restore(&sweep->before);
}

/* ---- all runs ------------------------------------------------------------------------------- */

static void set_names(int padding) {
  static const char filling[] =
      "-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  snprintf(data_folder, sizeof data_folder, "data%.*s", padding, filling);
  snprintf(new_folder, sizeof new_folder, "deep%.*s/new", padding, filling);
  now.padding = padding;
}

/* The run without faults, which must be right. */
static void begin_sweep(sweep_state *sweep) {
  outcome out = {0};
  trying("%s: no fault (padding %d)", now.op->name, now.padding);
  fs_clear();
  now.op->prepare(now.op);
  *sweep = (sweep_state){.before = tree_take()};
  const int64_t live = mst_fault_live_allocs();
  mst_fault_arm(MST_FAULT_NONE, 0, 0);
  if (!survives(&out) || !out.done)
    fail_msg("%s fails without any fault: %s", now.op->name, out.text != NULL ? out.text : "");
  sweep->allocs = mst_fault_allocs();
  sweep->io_calls = mst_fault_io_calls();
  if (mst_fault_live_allocs() != live) problem("leaks");
  sweep->after = tree_take();
  sweep->result = out.result;
  sweep->notes = out.notes;
  out.result = out.notes = NULL;
  const char *changed = tree_difference(&sweep->after, &sweep->before);
  if ((changed != NULL) != (now.op->effect != READS)) problem("changes on disk: %s", changed);
  free_outcome(&out);
  tree_restore(&sweep->before);
}

static void sweep_faults(const sweep_state *sweep) {
  for (size_t i = 0; i < COUNT_OF(faults); i++) {
    now.fault = &faults[i];
    const bool alloc = now.fault->kind == MST_FAULT_ALLOC;
    if (!alloc && now.padding > 0) continue;
    const uint64_t count = alloc ? sweep->allocs : sweep->io_calls;
    for (now.at = 1; now.at <= count; now.at++)
      run_with_fault(sweep);
  }
  now.fault = NULL;
  now.at = 0;
}

static void sweep_operation(void **state) {
  now.op = *state;
  findings_begin();
  watch_crashes();
  for (size_t i = 0; i < COUNT_OF(paddings); i++) {
    sweep_state sweep;
    set_names(paddings[i]);
    begin_sweep(&sweep);
    if (i == 0)
      print_message("%s: %llu allocations, %llu I/O calls\n", now.op->name,
                    (unsigned long long)sweep.allocs, (unsigned long long)sweep.io_calls);
    sweep_faults(&sweep);
    tree_free(&sweep.before);
    tree_free(&sweep.after);
    free(sweep.result);
    free(sweep.notes);
  }
  findings_end();
}

int sweep(const char *group, const operation *operations, size_t count, bool reports) {
  now.reports = reports;
  (void)sigaction(SIGSEGV, NULL, &first_action);
  struct CMUnitTest *tests = calloc(count, sizeof *tests);
  if (tests == NULL) return 1;
  for (size_t i = 0; i < count; i++)
    tests[i] = (struct CMUnitTest){operations[i].name, sweep_operation, NULL, NULL,
                                   (void *)(uintptr_t)&operations[i]};
  const int failed = _cmocka_run_group_tests(group, tests, count, fs_begin, fs_end);
  free(tests);
  return failed;
}
