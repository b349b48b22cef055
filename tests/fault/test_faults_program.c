/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation and I/O call of the program's commands fails once: see support.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault/support.h"

/* One source a program: see cmake/tests.cmake. */
#include "fault/support.c"
#include "fault/sweep.c"

#include "fault/command.c"

/* ---- datasets ------------------------------------------------------------------------------- */

#define UNEVEN .shards = 3, .rows = {3, 1, 4}
#define WIDE .trailing_rank = 2, .trailing = {2, 3}

static const fixture plain = {"<f4", false, 1, WIDE, UNEVEN, .companions = true};
static const fixture fortran = {">i4", true, 2, WIDE, UNEVEN};
static const fixture equal = {"<i2", false, 1, WIDE, .shards = 2, .rows = {2, 2}};
static const fixture raw = {"<i4", false, 0, WIDE, UNEVEN};
static const fixture written = {
    "<i8",          false,           1, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {3, 2}, .recorded = true};
static const fixture written_raw = {
    "<i8",          false,           0, .trailing_rank = 1, .trailing = {3}, .shards = 2,
    .rows = {3, 2}, .recorded = true};

/* ---- the table ------------------------------------------------------------------------------ */

static const operation operations[] = {
    COMMAND("inspect", READS, .fixture = &plain, .expect = "(8, 2, 3)",
            WORDS("inspect", "DATA", "-j1")),
    COMMAND("inspect --json", READS, .fixture = &plain, .expect = "\"float32\"", .tells = true,
            WORDS("inspect", "DATA", "-j1", "--json")),
    COMMAND("inspect raw --json", READS, .fixture = &raw, .expect = "\"int32\"", .tells = true,
            WORDS("inspect", "DATA", "-j1", "--json")),
    COMMAND("plan", READS, .fixture = &plain, .expect = "3 tiles for 3 processors",
            WORDS("plan", "DATA", "-j1", "--procs", "3")),
    COMMAND("plan --json", READS, .fixture = &fortran, .expect = "\"tile_count\": 3",
            WORDS("plan", "DATA", "-j1", "--procs", "3", "--json")),
    COMMAND("recipe", READS, .fixture = &plain, .expect = "FILES = [",
            WORDS("recipe", "DATA", "-j1", "--dtype", "float64")),
    COMMAND("recipe --json", READS, .fixture = &raw, .expect = "muster.recipe/1",
            WORDS("recipe", "DATA", "-j1", "--rows", "1:7", "--json")),
    COMMAND("recipe -o", REPLACES, .fixture = &fortran, .expect = "recipe written to",
            WORDS("recipe", "DATA", "-j1", "-o", "out.npy")),
    COMMAND("load", READS, .fixture = &plain, .checksum_of = "f4", WORDS("load", "DATA", "-j1")),
    COMMAND("load --json", READS, .fixture = &raw, .checksum_of = "i4",
            WORDS("load", "DATA", "-j1", "--json")),
    COMMAND("load --dtype float64 --to null", READS, .fixture = &fortran, .checksum_of = "f8",
            WORDS("load", "DATA", "-j1", "--dtype", "float64", "--to", "null")),
    COMMAND("load --stack", READS, .fixture = &equal, .checksum_of = "i2", .expect = "(2, 2, 2, 3)",
            WORDS("load", "DATA", "-j1", "--stack")),
    COMMAND("load --verify", READS, .fixture = &written, .checksum_of = "i8",
            .expect = "2 shards as sealed", WORDS("load", "DATA", "-j1", "--verify")),
    COMMAND("load -o", REPLACES, .fixture = &plain, .checksum_of = "f4",
            WORDS("load", "DATA", "-j1", "-o", "out.npy")),
    COMMAND("load -o --json", REPLACES, .fixture = &fortran, .checksum_of = "i8",
            WORDS("load", "DATA", "-j1", "--dtype", "int64", "-o", "out.npy", "--json")),
    COMMAND("write", REPLACES, .expect = "2 shards",
            WORDS("write", "NEW", "-j1", "--dtype", "int64", "--row-shape", "3", "--shard-rows",
                  "3,2")),
    COMMAND(
        "write --format raw --json", REPLACES, .expect = "\"raw\"",
        WORDS("write", "NEW", "-j1", "--format", "raw", "--rows", "9", "--shards", "2", "--json")),
    COMMAND("seal", REPLACES, .fixture = &written, .remove = "_muster_seal.json", .expect = "seal",
            WORDS("seal", "DATA", "-j1")),
    COMMAND("seal -o --json", REPLACES, .fixture = &written_raw, .expect = "muster.seal/1",
            WORDS("seal", "DATA", "-j1", "-o", "seal.json", "--json")),
    COMMAND("verify", READS, .fixture = &written, .expect = "seed: 15 cells",
            WORDS("verify", "DATA", "-j1")),
    COMMAND("verify --json", READS, .fixture = &written_raw, .expect = "\"right\": true",
            WORDS("verify", "DATA", "-j1", "--json")),
    COMMAND("clean", REMOVES, .fixture = &written, .remove = "_muster_seal.json",
            .expect = "removed, and the folder", WORDS("clean", "DATA")),
    COMMAND("clean --json", REMOVES, .fixture = &written_raw, .remove = "_muster_seal.json",
            .expect = "\"complete\": true", WORDS("clean", "DATA", "--json")),
    COMMAND("formats", READS, .expect = "npy", WORDS("formats")),
    COMMAND("formats --json", READS, .expect = "muster.formats/1", WORDS("formats", "--json")),
};

int main(void) { return sweep("faults in the program", operations, COUNT_OF(operations), true); }
