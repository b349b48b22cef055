/* SPDX-License-Identifier: Apache-2.0 */
/* What to do about findings, in the order in which it is best done. */
#include <string.h>

#include "rules/rule.h"

const mst_recipe mst_recipes[] = {
    {"RR-mpi",
     "Take out the MPI communication: the runtime distributes arrays by itself. Make the arrays "
     "global again, drop halos and gathers, and write the update on whole-array slices.",
     false},
    {"RR-loop",
     "Replace the loop by whole-array expressions: `out[:] = f(a)` for elements, a reduction with "
     "`axis=` for rows, `np.cumsum` or `np.cumprod` for running sums and products.",
     false},
    {"RR-broadcast",
     "Give the vector a unit axis and let broadcasting do the rows: `out[:] = m * w[:, None]`.",
     false},
    {"RR-batch",
     "Stack the independent pieces along a leading axis and make one call: `solve`, `eigh` and the "
     "FFTs take whole batches, and batches are what spreads over GPUs.",
     false},
    {"RR-where",
     "Write the function with whole-array operations: branches become `np.where`, calls of `math` "
     "become NumPy's; then call it on the array itself.",
     false},
    {"RR-sync",
     "Keep the value on the device (a 0-d array works in arithmetic), and read it on the host only "
     "every so many steps, or once after the loop.",
     false},
    {"RR-converge",
     "Test for convergence only every so many steps, so that the host waits rarely; for values of "
     "an array use `np.where` instead of a branch.",
     false},
    {"RR-stack",
     "Allocate the result once, before the loop, and write each piece into its place; or collect "
     "the pieces in a list and stack them once, behind the loop.",
     false},
    {"RR-alloc",
     "Allocate before the loop and reuse the buffer: `out=`, `buffer[:] = ...`, `buffer.fill(0)`.",
     false},
    {"RR-inplace", "Update in place: `x += y`, or the ufunc with `out=x`.", false},
    {"RR-mask",
     "Index with the boolean mask itself, or use `np.where` with three arguments: no index arrays "
     "are made and moved.",
     false},
    {"RR-reshape", "Reshape once, before the loop: on the target a reshape may move the data.",
     false},
    {"RR-slice",
     "Slices with a step raise: use a boolean mask that is built once on the host, index "
     "arithmetic, or `np.flip` for a reversed axis.",
     true},
    {"RR-numeric",
     "Keep the data in numeric arrays: one array for each field of a record, offsets and flat "
     "values for ragged data, integers for times.",
     true},
    {"RR-order",
     "Drop `order=`; where another library needs a layout, make that copy on the host, at the "
     "boundary.",
     true},
    {"RR-write-through",
     "Write to the original array by index: on the target the result is a copy.", true},
    {"RR-one-runtime",
     "Do the whole loop in one runtime, and convert once before and once after it.", true},
    {"RR-host-fallback",
     "Move the call of the host library out of the loop, replace it by NumPy functions that the "
     "target has, or hand it larger pieces at a time.",
     false},
};

const unsigned mst_recipe_count = sizeof mst_recipes / sizeof *mst_recipes;

const mst_recipe *mst_recipe_find(const char *id) {
  for (unsigned i = 0; i < mst_recipe_count; i++)
    if (strcmp(mst_recipes[i].id, id) == 0) return &mst_recipes[i];
  return NULL;
}
