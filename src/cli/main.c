/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program muster, and where everything is:
 *
 *   include/muster/     the public interface: errors, assessing, datasets, loading, checking
 *   src/base/           what all rooms stand on: memory, status, strings, files, threads; alloc.c
 *                       is the only place that allocates, system.c the one that opens files
 *
 *   src/pysource/       Python files and notebooks, their trees, and the semantic model
 *   src/manifest/       the table of API support: what it says, and where it comes from
 *   src/rules/          one rule = one file + one row in rules.def; gaps in API support
 *   src/verdict/        sizes, gates, verdict, next steps
 *   src/report/         one output = one file + one row in reports.def
 *   src/assess/         puts these together; assess.c is the way of an assessment
 *
 *   src/codecs/         undoing compression, one codec = one file
 *   src/formats/        one format = one file + one row in formats.def
 *   src/sinks/          one destination of rows = one file + one row in sinks.def
 *   src/load/           finding the shards, cutting them into tiles, loading, writing, checking
 *
 *   src/cli/            this program, on top of the public interface:
 *     commands.def      one command = one file cmd_NAME.c + one row here
 *     cli.c             the table of commands, help, version; cli.h is what commands share
 *     args.c            command lines: argp, and messages that help
 *     options.c         the options that say which dataset; numbers.c reads their values
 *     assess_options.c  those of `assess`; manifest_file.c: which table of API support
 *     config.c          options in files, by toml.c; assessing.c: all that makes an assessment
 *     changes.c         lines that differ from a revision, as git tells them
 *     output.c          errors, notes and results; result.c: JSON; text.c: tables
 *     term.c            colour, width, safe names; progress.c: the bar
 *     signals.c         Ctrl-C leaves nothing half-written
 *     mcp_tools.c       what `mcp` serves; mcp_call.c: each call is a run of this program
 *     legate.c          loading under the program `legate`; child.c: which never outlives this one
 *
 *   tests/, bench/      the tests of each room; comparison with other ways to load
 *   docs/               architecture.md first; json.md and schemas/ describe the JSON
 *
 * A room uses only what stands before it in its row:
 *   base < pysource < manifest < rules < verdict < report < assess < cli
 *   base < codecs < formats, sinks < load < cli
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

/*
 * A file opened later must not become descriptor 0, 1 or 2 because the shell closed one (>&-):
 * messages would go into it. Opened the wrong way round, they fail as they would have before.
 */
static void fill_standard_files(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
      (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
  }
}

int main(int argc, char **argv) {
  fill_standard_files();
  const int status = mst_cli_main(argc, argv);
  if (status > MST_EXIT_SIGNAL) {
    signal(status - MST_EXIT_SIGNAL, SIG_DFL);
    raise(status - MST_EXIT_SIGNAL);
  }
  return status;
}
