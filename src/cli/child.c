/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "cli/cli.h"

/* How often it is looked whether the program or one of its descendants has ended. */
#define LOOK_MS 20
/* A pipe holds so much at most: what comes later was printed after the end of the program. */
#define PIPE_BYTES ((size_t)1 << 20)
/* Launchers need time to end ranks on other nodes; what survives SIGKILL hangs in the system. */
#define ASKED_MS 10000
#define KILLED_MS 5000
#define STEP_MS 100

/* ---- starting --------------------------------------------------------------------------------- */

bool mst_child_add_word(mst_names *words, const char *format, ...) {
  mst_str word = {0};
  va_list args;
  va_start(args, format);
  mst_str_addv(&word, format, args);
  va_end(args);
  return mst_names_take(words, mst_str_take(&word));
}

/* What the new program has as its standard files; -1: what this one has. */
typedef struct standard_files {
  int input;
  int output;
  int errors;
} standard_files;

static bool put(int file, int place) { return file < 0 || dup2(file, place) >= 0; }

/* In the new process. SIGTERM, should this program be killed: launchers pass it on. */
static _Noreturn void become(char *const *words, const standard_files *files, int report,
                             pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  errno = ECHILD;
  if (getppid() == parent && put(files->input, STDIN_FILENO) && put(files->output, STDOUT_FILENO) &&
      put(files->errors, STDERR_FILENO))
    execvp(words[0], words);
  const int failed = errno;
  (void)mst_io_write_next(report, &failed, sizeof failed);
  _exit(127);
}

/* The new process reports a failure by a pipe that closes by itself when there is none. */
static int fork_child(mst_child *child, char *const *words, const standard_files *files) {
  int report[2];
  const pid_t parent = getpid();
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  child->pid = fork();
  if (child->pid == 0) become(words, files, report[1], parent);
  int failed = child->pid < 0 ? errno : 0;
  size_t got;
  int errnum;
  mst_io_close(report[1]);
  if (child->pid > 0 && mst_io_read_next(report[0], &failed, sizeof failed, &got, &errnum))
    (void)waitpid(child->pid, NULL, 0);
  mst_io_close(report[0]);
  return failed;
}

static void prepare(mst_child *child) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigemptyset(&usual.sa_mask);
  /* Whose parents end becomes a child of this process, and is not lost. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigaction(SIGCHLD, &usual, &child->before); /* where it is ignored no end is ever told */
}

static void put_back(const mst_child *child) {
  sigaction(SIGCHLD, &child->before, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static int start(mst_child *child, char *const *words, mst_child_cancel cancel, int input,
                 int errors) {
  int output[2];
  *child = (mst_child){.cancel = cancel, .output = -1, .errors = errors, .left = PIPE_BYTES};
  if (pipe2(output, O_CLOEXEC) != 0) return errno;
  prepare(child);
  const standard_files files = {.input = input, .output = output[1], .errors = errors};
  const int failed = fork_child(child, words, &files);
  mst_io_close(output[1]);
  if (failed == 0) {
    child->output = output[0];
  } else {
    mst_io_close(output[0]);
    put_back(child);
  }
  return failed;
}

int mst_child_start(mst_child *child, char *const *words, mst_child_cancel cancel) {
  return start(child, words, cancel, -1, -1);
}

int mst_child_start_apart(mst_child *child, char *const *words, mst_child_cancel cancel) {
  muster_error error;
  int input;
  if (mst_io_open("/dev/null", &input, &error) != MUSTER_OK)
    return error.errnum != 0 ? error.errnum : ENOMEM;
  const int errors = memfd_create("errors", MFD_CLOEXEC);
  const int failed = errors < 0 ? errno : start(child, words, cancel, input, errors);
  mst_io_close(input);
  if (failed != 0) mst_io_close(errors);
  return failed;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool signal_came(void *context) {
  (void)context;
  return *mst_signals_flag() != 0;
}

const mst_child_cancel mst_child_until_signal = {.is_wanted = signal_came};

static bool is_cancelled(mst_child *child) {
  if (!child->is_cancelled) child->is_cancelled = child->cancel.is_wanted(child->cancel.context);
  return child->is_cancelled;
}

static void look(mst_child *child) {
  if (!child->ended) child->ended = waitpid(child->pid, &child->status, WNOHANG) == child->pid;
}

bool mst_child_read(mst_child *child, void *data, size_t length, size_t *got) {
  struct pollfd output = {.fd = child->output, .events = POLLIN};
  int ready = 0;
  while (ready <= 0 && !is_cancelled(child)) {
    look(child);
    ready = poll(&output, 1, child->ended ? 0 : LOOK_MS);
    if (ready == 0 && child->ended) return false;
  }
  if (child->is_cancelled || child->left == 0) return false;
  if (child->ended && length > child->left) length = child->left;
  if (!mst_io_read_next(child->output, data, length, got, &child->errnum)) return false;
  if (child->ended) child->left -= *got;
  return true;
}

/* ---- ending ----------------------------------------------------------------------------------- */

typedef struct process {
  pid_t pid;
  pid_t parent;
  bool is_ours;
} process;

typedef MST_VEC(process) processes;

/* Of "1234 (name) S 1200 ...", where the name may hold anything; 0: it is gone. */
static pid_t parent_of(const char *pid) {
  char path[64];
  char text[512] = "";
  size_t got;
  int fd;
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  if (mst_io_open(path, &fd, NULL) != MUSTER_OK) return 0;
  (void)mst_io_read_some(fd, path, 0, text, sizeof text - 1, &got, NULL);
  mst_io_close(fd);
  const char *name_end = strrchr(text, ')');
  return name_end != NULL && strlen(name_end) > 4 ? (pid_t)strtol(name_end + 4, NULL, 10) : 0;
}

static void list_processes(processes *all) {
  mst_names names = {0};
  if (mst_io_list("/proc", &names, NULL) == MUSTER_OK) {
    for (size_t i = 0; i < names.length; i++) {
      const pid_t pid = (pid_t)strtol(names.data[i], NULL, 10);
      const pid_t parent = pid > 0 ? parent_of(names.data[i]) : 0;
      if (parent > 0 && !mst_vec_push(all, (process){.pid = pid, .parent = parent})) break;
    }
  }
  mst_names_reset(&names);
}

static bool is_ours(const processes *all, pid_t pid) {
  for (size_t i = 0; i < all->length; i++)
    if (all->data[i].pid == pid) return all->data[i].is_ours;
  return false;
}

/* Children, their children, and so on, until no further ones are found. */
static void mark_descendants(processes *all) {
  const pid_t self = getpid();
  bool found = true;
  while (found) {
    found = false;
    for (size_t i = 0; i < all->length; i++) {
      process *one = &all->data[i];
      if (one->is_ours || (one->parent != self && !is_ours(all, one->parent))) continue;
      one->is_ours = found = true;
    }
  }
}

/* The child at least, should the system not tell the others. */
static void signal_all(const mst_child *child, int number) {
  processes all = {0};
  if (!child->ended) kill(child->pid, number);
  list_processes(&all);
  mark_descendants(&all);
  for (size_t i = 0; i < all.length; i++)
    if (all.data[i].is_ours && all.data[i].pid != child->pid) kill(all.data[i].pid, number);
  mst_vec_reset(&all);
}

/* Until no descendant is left, since orphans are ours; false when time is up. */
static bool wait_for_all(mst_child *child, int milliseconds) {
  for (int waited = 0; waited < milliseconds; waited += LOOK_MS) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid != child->pid) continue;
      child->ended = true;
      child->status = status;
    }
    if (pid < 0 && errno == ECHILD) return true;
    poll(NULL, 0, LOOK_MS);
  }
  return false;
}

static void end_all(mst_child *child) {
  signal_all(child, SIGTERM);
  bool ended = wait_for_all(child, ASKED_MS);
  for (int waited = 0; !ended && waited < KILLED_MS; waited += STEP_MS) {
    signal_all(child, SIGKILL);
    ended = wait_for_all(child, STEP_MS);
  }
}

int mst_child_end(mst_child *child) {
  mst_io_close(child->output);
  child->output = -1;
  for (look(child); !child->ended && !is_cancelled(child); look(child))
    poll(NULL, 0, LOOK_MS);
  if (is_cancelled(child)) end_all(child);
  put_back(child);
  return child->status;
}

bool mst_child_take_errors(mst_child *child, size_t most, mst_str *out) {
  char piece[4096];
  uint64_t at = 0;
  size_t got = sizeof piece;
  while (at <= most && got == sizeof piece) {
    if (mst_io_read_some(child->errors, "stderr", at, piece, sizeof piece, &got, NULL) != MUSTER_OK)
      break;
    mst_str_add_bytes(out, piece, got < most - at ? got : (size_t)(most - at));
    at += got;
  }
  mst_io_close(child->errors);
  child->errors = -1;
  return at <= most;
}
