/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another program that this one runs and reads from. It does not outlive this one: a signal that
 * ends this program ends it and all that it has started, launchers and ranks, first.
 */
#ifndef MST_CLI_CHILD_H
#define MST_CLI_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/io.h"
#include "base/str.h"

/* Whether a child is to end before its work is done; asked often while it runs. */
typedef struct mst_child_cancel {
  bool (*is_wanted)(void *context);
  void *context;
} mst_child_cancel;

typedef struct mst_child {
  mst_child_cancel cancel;
  bool is_cancelled; /* that was wanted once */
  pid_t pid;
  int output; /* what it prints; -1: closed */
  int errors; /* a file in memory with what it says on stderr; -1: that goes where ours goes */
  int errnum; /* why its output could not be read any more, or 0 */
  bool ended;
  int status;              /* as from waitpid; once it has ended */
  size_t left;             /* bytes that are still read after its end */
  struct sigaction before; /* what SIGCHLD did */
} mst_child;

/* One more word of a command line; false when there is no memory. */
__attribute__((format(printf, 2, 3))) bool mst_child_add_word(mst_names *words, const char *format,
                                                              ...);

/* A cancel that is wanted once a signal has come that ends this program. */
extern const mst_child_cancel mst_child_until_signal;

/* Runs words[0], found by PATH; the last word is NULL. Returns errno, or 0: end it in any case. */
int mst_child_start(mst_child *child, char *const *words, mst_child_cancel cancel);
/* The same with nothing to read on its standard input, and what it says on stderr kept for
 * mst_child_take_errors, which is to be called once it has ended. */
int mst_child_start_apart(mst_child *child, char *const *words, mst_child_cancel cancel);

/*
 * What it prints next, at least one byte. False when there is no more to come: it has ended, even
 * if something that it has left behind keeps its output open, or it is
 * cancelled, or that cannot be read: then child->errnum says why.
 */
bool mst_child_read(mst_child *child, void *data, size_t length, size_t *got);

/*
 * Waits for its end and returns its status as from waitpid. When it is cancelled, it and all its
 * descendants are asked to end, and killed when they do not within some seconds.
 */
int mst_child_end(mst_child *child);
/* Then, of one that was started apart: appends at most `most` bytes of what it has said on stderr,
 * and forgets all of it; true when nothing is left out. */
bool mst_child_take_errors(mst_child *child, size_t most, mst_str *out);

#endif
