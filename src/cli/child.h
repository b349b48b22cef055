/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another program that this one runs and reads from. It does not outlive this one: a signal that
 * ends this program ends it and all that it has started, launchers and ranks, first.
 */
#ifndef MST_CLI_CHILD_H
#define MST_CLI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct mst_child {
  pid_t pid;
  int output; /* what it prints; -1: closed */
  bool ended;
  int status;  /* as from waitpid; once it has ended */
  size_t left; /* bytes that are still read after its end */
} mst_child;

/* Runs words[0], found by PATH; the last word is NULL. Returns errno, or 0: end it in any case. */
int mst_child_start(mst_child *child, char *const *words);

/*
 * What it prints next, at least one byte. False when there is no more to come: it has ended, even
 * if something that it has left behind keeps its output open, or *cancel is no longer 0.
 */
bool mst_child_read(mst_child *child, const volatile int *cancel, void *data, size_t length,
                    size_t *got);

/*
 * Waits for its end and returns its status as from waitpid. When *cancel is not 0, or becomes so,
 * it and all its descendants are asked to end, and killed when they do not within some seconds.
 */
int mst_child_end(mst_child *child, const volatile int *cancel);

#endif
