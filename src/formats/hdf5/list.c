/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in a file. Groups are visited once each, however many links lead to them, and links by
 * name are not followed, so that loops of links end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vec.h"
#include "formats/hdf5/file.h"
#include "formats/hdf5/type.h"

/* A link to an object, by its full path. */
typedef struct mst_h5_place {
  char *path;
  mst_h5_address address;
} mst_h5_place;

typedef MST_VEC(mst_h5_place) mst_h5_places;

/* Addresses that were visited: open addressing, never more than half full. */
typedef struct mst_h5_seen {
  mst_h5_address *slots; /* address + 1; 0: empty */
  size_t capacity;
  size_t length;
} mst_h5_seen;

typedef struct mst_h5_listing {
  mst_h5_file *file;
  mst_h5_choice choice;
  mst_names *names;
  mst_h5_places groups; /* still to be visited, the next one last */
  mst_h5_places links;  /* of the group at hand */
  mst_h5_seen seen;
  const char *group;
  bool failed; /* out of memory */
} mst_h5_listing;

static void put(mst_h5_seen *seen, mst_h5_address key) {
  size_t at = (size_t)(key * 0x9E3779B97F4A7C15U) & (seen->capacity - 1);
  while (seen->slots[at] != 0 && seen->slots[at] != key)
    at = (at + 1) & (seen->capacity - 1);
  if (seen->slots[at] == 0) seen->length++;
  seen->slots[at] = key;
}

static bool grow(mst_h5_seen *seen) {
  mst_h5_seen wider = {.capacity = seen->capacity > 0 ? seen->capacity * 2 : 64};
  wider.slots = mst_calloc(wider.capacity, sizeof *wider.slots);
  if (wider.slots == NULL) return false;
  for (size_t i = 0; i < seen->capacity; i++)
    if (seen->slots[i] != 0) put(&wider, seen->slots[i]);
  mst_free(seen->slots);
  *seen = wider;
  return true;
}

/* Whether this is the first time. */
static bool is_new(mst_h5_listing *listing, mst_h5_address address) {
  mst_h5_seen *seen = &listing->seen;
  if (seen->length * 2 >= seen->capacity && !grow(seen)) {
    listing->failed = true;
    return false;
  }
  const size_t before = seen->length;
  put(seen, address + 1);
  return seen->length > before;
}

static mst_h5_result take_link(mst_h5_id group, const char *name, const mst_h5_link *link,
                               void *data) {
  (void)group;
  mst_h5_listing *listing = data;
  if (link->kind != MST_H5_HARD_LINK || !is_new(listing, link->address))
    return listing->failed ? -1 : 0;
  mst_str path = {0};
  mst_str_add(&path, listing->group);
  mst_str_add(&path, "/");
  mst_str_add(&path, name);
  mst_h5_place place = {.path = mst_str_take(&path), .address = link->address};
  if (place.path != NULL && mst_vec_push(&listing->links, place)) return 0;
  mst_free(place.path);
  listing->failed = true;
  return -1;
}

static bool is_wanted(const mst_h5_listing *listing, mst_h5_id dataset) {
  const mst_h5 *library = listing->file->library;
  if (listing->choice == MST_H5_ALL_DATASETS) return true;
  if (listing->choice == MST_H5_VARIABLES &&
      mst_h5_has_text(library, dataset, "CLASS", "DIMENSION_SCALE"))
    return false;
  const mst_h5_id space = library->dataset_space(dataset);
  const bool is_array = space >= 0 && library->space_kind(space) != MST_H5_NULL;
  if (space >= 0) (void)library->space_close(space);
  const mst_h5_id type = is_array ? library->dataset_type(dataset) : -1;
  mst_h5_type known;
  const bool is_number =
      type >= 0 && mst_h5_type_read(library, "", type, &known, NULL) == MUSTER_OK;
  if (type >= 0) (void)library->type_close(type);
  return is_number;
}

/* Keeps a dataset, puts a group off, drops what is neither. What cannot be opened is kept: whoever
 * wants to read it is told why. */
static void settle(mst_h5_listing *listing, mst_h5_place *place) {
  const mst_h5 *library = listing->file->library;
  const mst_h5_id object = library->object_open(listing->file->file, place->path, MST_H5_DEFAULT);
  const mst_h5_enum kind = object >= 0 ? library->object_kind(object) : -1;
  bool taken = true;
  if (kind == MST_H5_IS_GROUP) {
    taken = mst_vec_push(&listing->groups, *place);
    if (taken) place->path = NULL;
  } else if (object < 0 || (kind == MST_H5_IS_DATASET && is_wanted(listing, object))) {
    taken = mst_names_take(listing->names, place->path);
    place->path = NULL;
  }
  if (!taken) listing->failed = true;
  if (object >= 0) (void)library->object_close(object);
  mst_free(place->path);
}

static muster_status visit(mst_h5_listing *listing, const char *path, muster_error *error) {
  const mst_h5 *library = listing->file->library;
  const mst_h5_id group =
      library->object_open(listing->file->file, path[0] != '\0' ? path : "/", MST_H5_DEFAULT);
  listing->group = path;
  listing->links.length = 0;
  const bool done = group >= 0 && library->iterate(group, MST_H5_BY_NAME, MST_H5_INCREASING, NULL,
                                                   take_link, listing) >= 0;
  const muster_status status =
      done || listing->failed ? MUSTER_OK : mst_h5_file_fail(listing->file, "list it", error);
  if (group >= 0) (void)library->object_close(group);
  const size_t first = listing->groups.length;
  for (size_t i = 0; i < listing->links.length; i++)
    settle(listing, &listing->links.data[i]);
  listing->links.length = 0;
  /* The last one is visited next. */
  for (size_t i = first, k = listing->groups.length; i + 1 < k; i++, k--) {
    const mst_h5_place kept = listing->groups.data[i];
    listing->groups.data[i] = listing->groups.data[k - 1];
    listing->groups.data[k - 1] = kept;
  }
  return status;
}

static void reset(mst_h5_listing *listing) {
  for (size_t i = 0; i < listing->groups.length; i++)
    mst_free(listing->groups.data[i].path);
  mst_vec_reset(&listing->groups);
  mst_vec_reset(&listing->links);
  mst_free(listing->seen.slots);
}

muster_status mst_h5_list(mst_h5_file *file, mst_h5_choice choice, mst_names *names,
                          muster_error *error) {
  mst_h5_listing listing = {.file = file, .choice = choice, .names = names};
  muster_status status = visit(&listing, "", error);
  while (status == MUSTER_OK && !listing.failed && listing.groups.length > 0) {
    char *path = listing.groups.data[--listing.groups.length].path;
    status = visit(&listing, path, error);
    mst_free(path);
  }
  if (listing.failed) status = mst_fail_memory(error);
  reset(&listing);
  return status;
}
