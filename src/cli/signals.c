/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "cli/cli.h"

/* Ctrl-C and its kin, and what batch systems send before they kill. */
static const int caught_signals[MST_SIGNAL_COUNT] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                                     SIGXCPU, SIGUSR1, SIGUSR2};

/* The program's only mutable global: a signal handler can reach nothing else. */
static volatile sig_atomic_t caught = 0;

static void remember(int number) { caught = number; }

void mst_signals_begin(mst_signals *saved) {
  /* SA_RESETHAND: who presses Ctrl-C again does not want to wait. */
  struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++) {
    sigaction(caught_signals[i], NULL, &saved->old[i]);
    /* nohup and shells without job control ignore some of them, and that shall stay so. */
    if (saved->old[i].sa_handler == SIG_IGN) continue;
    sigaction(caught_signals[i], &action, NULL);
  }
}

void mst_signals_end(const mst_signals *saved) {
  for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++) {
    sigaction(caught_signals[i], &saved->old[i], NULL);
  }
}

void mst_signals_all(sigset_t *out) {
  sigemptyset(out);
  for (size_t i = 0; i < sizeof caught_signals / sizeof *caught_signals; i++)
    sigaddset(out, caught_signals[i]);
}

const volatile int *mst_signals_flag(void) { return &caught; }

void mst_signals_forget(void) { caught = 0; }
