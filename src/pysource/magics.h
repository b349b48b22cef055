/* SPDX-License-Identifier: Apache-2.0 */
/* What IPython understands beyond Python, taken out of a cell so that only Python is left. */
#ifndef MST_PYSOURCE_MAGICS_H
#define MST_PYSOURCE_MAGICS_H

#include <stdbool.h>
#include <stdint.h>

/* Shifts a cell whose first line is indented to the left, in place; returns by how many blanks. */
uint32_t mst_magics_dedent(char *cell);

/*
 * Overwrites magics, shell escapes and help with blanks, in place and without moving anything else:
 * columns stay. Magics that run Python (%time, %%timeit ...) leave it:
 *
 *   %time x = f()          ->  0;    x = f()        the statement stays at the line's indentation
 *   %time for i in a: f()  ->  for       i in a: f()
 *   x = %time f()          ->  x =       f()
 *   x = !ls                ->  x = __               a name that is never bound, so unknown
 *   if x:                  ->  if x:
 *       !ls                        0                the block must not be empty
 *
 * False when the cell ends within a bracket or a string: it then is blank, because it would swallow
 * the cells behind it.
 */
bool mst_magics_blank(char *cell);

#endif
