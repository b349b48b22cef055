/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/apart.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

#define MEMORY_LIMIT ((rlim_t)4 << 30)
#define SECONDS_LIMIT ((rlim_t)120)

/* Sanitizers take address space by the terabyte. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

static void limit(__rlimit_resource_t resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_cur > most) now.rlim_cur = most;
  (void)setrlimit(resource, &now);
}

typedef struct mst_apart {
  mst_cli *cli;
  bool limited;
  sigset_t watched; /* what ends or stops a program, and SIGCHLD */
  sigset_t before;  /* the mask of the process */
  pid_t parent;
  pid_t child;
  int handed_on; /* the last signal that was; 0: none */
} mst_apart;

/* A group of its own: what the terminal sends comes to the parent, and from there once. */
static _Noreturn void be_child(const mst_apart *apart, int (*work)(void *context), void *context) {
  sigset_t mask = apart->before;
  sigaddset(&mask, SIGTTOU); /* to write to the terminal all the same */
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);                /* not to outlive whoever waits for it */
  if (getppid() != apart->parent) _exit(MST_EXIT_WRONG); /* it ended before */
  (void)sigprocmask(SIG_SETMASK, &mask, NULL);
  limit(RLIMIT_CORE, 0);
  if (apart->limited) limit(RLIMIT_CPU, SECONDS_LIMIT);
  if (apart->limited && LIMITS_MEMORY) limit(RLIMIT_AS, MEMORY_LIMIT);
  int status = work(context);
  if (!mst_cli_flush(apart->cli)) status = MST_EXIT_WRONG;
  if (*mst_signals_flag() != 0) status = MST_EXIT_SIGNAL + *mst_signals_flag();
  _exit(status);
}

/* Both stop, and both go on when the parent is woken. */
static void stop_both(const mst_apart *apart) {
  (void)kill(apart->child, SIGSTOP);
  (void)raise(SIGSTOP);
  (void)kill(apart->child, SIGCONT);
}

/* The status of the child, as from waitpid. */
static int attend(mst_apart *apart) {
  int status = 0;
  while (waitpid(apart->child, &status, WNOHANG) == 0) {
    const int number = sigwaitinfo(&apart->watched, NULL);
    if (number == SIGTSTP) stop_both(apart);
    if (number <= 0 || number == SIGCHLD || number == SIGTSTP) continue;
    apart->handed_on = number;
    (void)kill(apart->child, number);
  }
  return status;
}

static int tell_crash(mst_cli *cli, int number) {
  muster_error error = {.offset = -1};
  const char *path = cli->paths.length > 0 ? cli->paths.data[0] : NULL;
  if (number == SIGXCPU)
    (void)mst_fail(&error, MUSTER_ERR_FORMAT, path,
                   "the library that reads it found no end within %d seconds: the file may be "
                   "damaged",
                   (int)SECONDS_LIMIT);
  else
    (void)mst_fail(&error, MUSTER_ERR_FORMAT, path,
                   "the library that reads it crashed (signal %d): the file is damaged: copy it "
                   "again",
                   number);
  return mst_cli_fail(cli, &error);
}

int mst_in_child(mst_cli *cli, bool limited, int (*work)(void *context), void *context) {
  mst_apart apart = {.cli = cli, .limited = limited, .parent = getpid()};
  struct sigaction usual = {.sa_handler = SIG_DFL}, old;
  sigemptyset(&usual.sa_mask);
  mst_signals_all(&apart.watched);
  sigaddset(&apart.watched, SIGTSTP);
  sigaddset(&apart.watched, SIGCHLD);
  (void)sigaction(SIGCHLD, &usual, &old); /* where it is ignored nobody learns how a child ended */
  (void)sigprocmask(SIG_BLOCK, &apart.watched, &apart.before);
  apart.child = fork();
  if (apart.child == 0) be_child(&apart, work, context);
  const int status = apart.child > 0 ? attend(&apart) : 0;
  (void)sigprocmask(SIG_SETMASK, &apart.before, NULL);
  (void)sigaction(SIGCHLD, &old, NULL);
  if (apart.child < 0) return work(context);
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  return number == apart.handed_on ? MST_EXIT_SIGNAL + number : tell_crash(cli, number);
}
