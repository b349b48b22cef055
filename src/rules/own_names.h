/* SPDX-License-Identifier: Apache-2.0 */
/* Names that nobody but the function at hand sees, and what is known of them: what a suggestion
 * stands on that is to compute the same in every case. When in doubt, the answer is no. */
#ifndef MST_RULES_OWN_NAMES_H
#define MST_RULES_OWN_NAMES_H

#include "rules/places.h"

/* True for a NAME that is a local of the function around it, and that no function within it and no
 * other module mentions: nothing that is called can bind it anew, or read it. */
bool mst_is_own_name(mst_place name);
/* True when the name of NAME is bound or deleted within the subtree, also by a loop or a pattern.
 */
bool mst_is_bound_in(mst_place name, mst_node_id root);
/* True when the function gives the name another value anywhere; of a parameter: after the call. */
bool mst_is_bound_anew(mst_place name);
/* True when the value is a number of the host for sure, and not only by a default argument, in
 * whose place callers may give an array: unless an annotation says float or int. */
bool mst_is_sure_number(mst_place place);
/* True for a NAME that is seen to be an array, and neither a number nor a list: it was made here,
 * or it is used like nothing else. */
bool mst_is_seen_array(mst_place name);
/* True when what is known of the value was seen here, and does not rest on what callers hand over.
 */
bool mst_is_known_here(const mst_program *program, const mst_value *value);
/* True when all that the function binds to the local NAME, which is no parameter, are new arrays:
 * made here, or by an operator or a ufunc. */
bool mst_owns_array(mst_place name);
/* True when none of what the function binds to NAME can be an array that has another name, too; it
 * may be a parameter, or come from around. */
bool mst_is_apart(mst_place name);
/* True for an operator, and for a call of NumPy that gives back memory of its own. */
bool mst_makes_new_array(mst_place value);
/* True for a call of a ufunc, and for a reduction of NumPy's that are given no array for their
 * result, in whatever place. */
bool mst_is_new_of_ufunc(mst_place call);
bool mst_is_new_reduction(mst_place call);
/* True when what is bound where NAME stands is a new array, or the one that it was. */
bool mst_binds_new_array(mst_place name);
/* True when the shape, the type or the size of the array is set in place within the subtree. */
bool mst_is_reshaped_in(mst_place name, mst_node_id root);
/* True when the statement stands where an exception may be caught, or where a manager is at work.
 */
bool mst_may_be_caught(mst_place statement);
/* True when the function of the place asks for all names there are, or runs text: locals(), eval().
 */
bool mst_sees_names(mst_place place);
/* A module's own name may be read from other modules. */
bool mst_is_seen_from_outside(mst_place name);

#endif
