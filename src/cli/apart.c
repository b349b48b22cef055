/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/apart.h"

#include <errno.h>
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

static _Noreturn void be_child(mst_cli *cli, int (*work)(void *context), void *context) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* not to outlive whoever waits for it */
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, SECONDS_LIMIT);
  if (LIMITS_MEMORY) limit(RLIMIT_AS, MEMORY_LIMIT);
  int status = work(context);
  if (!mst_cli_flush(cli)) status = MST_EXIT_WRONG;
  _exit(status);
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

int mst_in_child(mst_cli *cli, int (*work)(void *context), void *context) {
  const pid_t child = fork();
  if (child < 0) return work(context);
  if (child == 0) be_child(cli, work, context);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? tell_crash(cli, WTERMSIG(status)) : WEXITSTATUS(status);
}
