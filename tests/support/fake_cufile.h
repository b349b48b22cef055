/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cuFile for tests, which reads files into the memory of fake_cuda.h: past the page cache only,
 * and from files that were registered. It can fail any one call.
 */
#ifndef SUPPORT_FAKE_CUFILE_H
#define SUPPORT_FAKE_CUFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

void fake_cufile_reset(void);

/* The at-th call from here on (from 1) fails; 0: none. A read then returns `code`, with errnum if
 * that is -1; others return it as their error. */
void fake_cufile_arm(uint64_t at, ssize_t code, int errnum);
/* Reads move at most so many bytes at once. */
void fake_cufile_set_most(size_t bytes);

uint64_t fake_cufile_calls(void);
uint64_t fake_cufile_bytes(void);
/* Files registered and not released. */
int fake_cufile_alive(void);

#endif
