/* SPDX-License-Identifier: Apache-2.0 */
/* Communication by mpi4py: what R108 reports and A405 looks for. */
#ifndef MST_RULES_MPI_H
#define MST_RULES_MPI_H

#include "rules/rule.h"

/* True for a CALL that sends, receives or reduces arrays. *data: the argument that says so; 0: the
 * name of the call does. */
bool mst_is_array_communication(mst_place call, mst_node_id *data);
/* *import: the statement. */
bool mst_imports_mpi(const mst_module *module, const mst_program *program, mst_node_id *import);

#endif
