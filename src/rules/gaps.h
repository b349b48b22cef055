/* SPDX-License-Identifier: Apache-2.0 */
/* Uses of what the target lacks, or has with a limit, by the table of API support. */
#ifndef MST_RULES_GAPS_H
#define MST_RULES_GAPS_H

#include "manifest/table.h"
#include "rules/rule.h"

/*
 * Appends one gap for each name and statement, in order of modules and nodes: names of level none,
 * partial and single, and forms of call that raise. What a rule reports already is left out.
 * `unlisted`: also names that the package was seen not to have, at level "unlisted". Names and
 * notes lie in the arena or are the manifest's.
 */
void mst_find_gaps(const mst_program *program, mst_module_range modules,
                   const mst_manifest *manifest, bool unlisted, mst_arena *arena, mst_gaps *out);

#endif
