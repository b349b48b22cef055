/* SPDX-License-Identifier: Apache-2.0 */
/*
 * git is started without a shell, with the paths behind `--` and a revision that it has turned into
 * the name of a commit before; it pages, colours, filters and locks nothing.
 */
#include "cli/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/status.h"

#define MOST_OUTPUT ((size_t)256 << 20)

void mst_changes_reset(mst_changes *changes) {
  for (size_t i = 0; i < changes->paths.length; i++)
    mst_free(changes->paths.data[i]);
  mst_vec_reset(&changes->paths);
  mst_vec_reset(&changes->lines);
}

/* ---- running git ---------------------------------------------------------------------------------- */

typedef MST_VEC(const char *) word_list;

typedef struct mst_git {
  mst_cli *cli;
  const char *folder;          /* where it runs */
  const char *const *subjects; /* paths behind `--` */
  size_t subject_count;
} mst_git;

static bool add_words(word_list *words, const char *const *more, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!mst_vec_push(words, more[i])) return false;
  return true;
}

static bool make_words(const mst_git *git, const char *const *arguments, word_list *words) {
  const char *const always[] = {
      "git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", git->folder};
  size_t count = 0;
  while (arguments[count] != NULL)
    count++;
  return add_words(words, always, sizeof always / sizeof *always) &&
         add_words(words, arguments, count) &&
         (git->subject_count == 0 || mst_vec_push(words, "--")) &&
         add_words(words, git->subjects, git->subject_count) && mst_vec_push(words, NULL);
}

static int start(const word_list *words, int out, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int failed = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (failed == 0)
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failed == 0)
    failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (failed == 0)
    failed =
        posix_spawnp(child, "git", &actions, NULL, (char *const *)(uintptr_t)words->data, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* All of it, or an error: half of a diff would take lines that changed for old ones. */
static muster_status read_output(int from, mst_str *out, muster_error *error) {
  char piece[65536];
  size_t got;
  int errnum;
  while (mst_io_read_next(from, piece, sizeof piece, &got, &errnum)) {
    if (out->length + got > MOST_OUTPUT)
      return mst_fail(error, MUSTER_ERR_FORMAT, "git", "tells of more changes than can be kept");
    mst_str_add_bytes(out, piece, got);
  }
  if (errnum != 0) return mst_fail_errno(error, "git", -1, errnum, "read what it says");
  return out->failed ? mst_fail_memory(error) : MUSTER_OK;
}

static int tell(const mst_git *git, muster_status status, const char *what) {
  muster_error error;
  (void)mst_fail(&error, status, "git", "%s", what);
  return mst_cli_fail_with(git->cli, &error, MST_EXIT_USAGE);
}

static int run_words(const mst_git *git, const word_list *words, mst_str *out, bool *succeeded) {
  int ends[2], status = 0;
  pid_t child;
  muster_error error;
  muster_status got = MUSTER_OK;
  if (pipe2(ends, O_CLOEXEC) != 0) return tell(git, MUSTER_ERR_IO, "no pipe could be made for it");
  const int failed = start(words, ends[1], &child);
  mst_io_close(ends[1]);
  if (failed == 0) got = read_output(ends[0], out, &error);
  mst_io_close(ends[0]);
  if (failed == ENOENT)
    return tell(git, MUSTER_ERR_NOT_FOUND, "is in no folder of PATH: --diff-base needs it");
  if (failed != 0) return tell(git, MUSTER_ERR_IO, "could not be started");
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  *succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return got == MUSTER_OK ? MST_GO_ON : mst_cli_fail(git->cli, &error);
}

/* Runs it with the arguments (up to NULL); *succeeded: its status was 0. */
static int run(const mst_git *git, const char *const *arguments, mst_str *out, bool *succeeded) {
  word_list words = {0};
  const int status = make_words(git, arguments, &words) ? run_words(git, &words, out, succeeded)
                                                        : mst_cli_fail_memory(git->cli);
  mst_vec_reset(&words);
  return status;
}

/* The one line that it prints. */
static int ask(const mst_git *git, const char *const *arguments, mst_str *out, bool *succeeded) {
  const int status = run(git, arguments, out, succeeded);
  if (out->length > 0 && out->data[out->length - 1] == '\n') out->data[--out->length] = '\0';
  return status;
}

/* ---- names of files ------------------------------------------------------------------------------ */

typedef struct naming {
  mst_cli *cli;
  mst_changes *changes;
  const char *top; /* the work tree's */
  char **reals;    /* of cli->paths, without links */
  size_t real_count;
} naming;

/* What a report calls a file that lies `rest` behind the path that was named. */
static char *shown_name(const char *named, const char *rest) {
  mst_str name = {0};
  mst_str_add(&name, named);
  if (*rest != '\0') mst_str_addf(&name, "%s%s", mst_ends_with(named, "/") ? "" : "/", rest);
  return mst_str_take(&name);
}

/* Adds lines of a file of the work tree under each name that it may have in reports. */
static bool add_lines(naming *names, const char *file, uint32_t first, uint32_t last) {
  mst_str real = {0};
  mst_str_addf(&real, "%s%s%s", names->top, mst_ends_with(names->top, "/") ? "" : "/", file);
  const char *path = mst_str_text(&real);
  bool done = !real.failed;
  for (size_t i = 0; done && i < names->real_count; i++) {
    const size_t length = strlen(names->reals[i]);
    const bool is_root = strcmp(names->reals[i], "/") == 0;
    if (!mst_starts_with(path, names->reals[i])) continue;
    if (path[length] != '\0' && path[length] != '/' && !is_root) continue;
    const char *rest = path + length + (path[length] == '/');
    char *shown = shown_name(names->cli->paths.data[i], rest);
    done = shown != NULL && mst_vec_push(&names->changes->paths, shown);
    if (!done) mst_free(shown);
    done = done && mst_vec_push(&names->changes->lines, (muster_changed_lines){shown, first, last});
  }
  mst_str_reset(&real);
  return done;
}

/* ---- reading a diff -------------------------------------------------------------------------------- */

/* A name as git quotes it; else as it stands, up to a tab. NULL: no memory. */
static char *unquoted(const char *text, size_t length) {
  mst_str name = {0};
  const bool is_quoted = length > 0 && *text == '"';
  mst_str_add(&name, "");
  for (size_t i = is_quoted; i < length && text[i] != (is_quoted ? '"' : '\t'); i++) {
    static const char letters[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
    char byte = text[i];
    if (is_quoted && byte == '\\' && i + 1 < length) {
      const char *found = strchr(letters, text[++i]);
      byte = found != NULL && *found != '\0' ? values[found - letters] : text[i];
      if (text[i] >= '0' && text[i] <= '3' && i + 2 < length) {
        byte = (char)((text[i] - '0') << 6 | (text[i + 1] - '0') << 3 | (text[i + 2] - '0'));
        i += 2;
      }
    }
    mst_str_add_bytes(&name, &byte, 1);
  }
  return mst_str_take(&name);
}

/* "12,3" or "12", up to a blank. */
static const char *read_range(const char *at, uint32_t *first, uint32_t *count) {
  char *end;
  *first = (uint32_t)strtoul(at, &end, 10);
  *count = *end == ',' ? (uint32_t)strtoul(end + 1, &end, 10) : 1;
  return end;
}

/* "@@ -1,2 +3,4 @@": *skipped is how many lines of text follow. */
static void read_hunk(const char *line, uint32_t *first, uint32_t *count, uint64_t *skipped) {
  uint32_t old_first, old_count;
  const char *at = read_range(line + strlen("@@ -"), &old_first, &old_count);
  at += strspn(at, " +");
  (void)read_range(at, first, count);
  *skipped = (uint64_t)old_count + *count;
}

static bool take_diff(naming *names, const mst_str *diff) {
  const char *end = mst_str_text(diff) + diff->length;
  char *file = NULL;
  uint64_t skipped = 0;
  bool done = true;
  for (const char *line = mst_str_text(diff); done && line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    const size_t length = (size_t)((stop != NULL ? stop : end) - line);
    uint32_t first, count;
    if (skipped > 0 && *line != '\\') {
      skipped--;
    } else if (mst_starts_with(line, "+++ ")) {
      mst_free(file);
      file = unquoted(line + 4, length - 4);
      done = file != NULL;
    } else if (mst_starts_with(line, "@@ -") && file != NULL) {
      read_hunk(line, &first, &count, &skipped);
      if (count > 0 && mst_starts_with(file, "b/"))
        done = add_lines(names, file + 2, first, first + count - 1);
    }
    line += length + (stop != NULL);
  }
  mst_free(file);
  return done;
}

/* Names that end in NUL, of files that are new as a whole. */
static bool take_names(naming *names, const mst_str *list) {
  const char *at = mst_str_text(list);
  const char *end = at + list->length;
  bool done = true;
  for (; done && at < end; at += strlen(at) + 1)
    done = add_lines(names, at, 1, UINT32_MAX);
  return done;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static int find_commit(const mst_git *git, const char *revision, mst_str *commit) {
  mst_git alone = *git;
  mst_str wanted = {0};
  bool is_known = false;
  alone.subject_count = 0; /* a revision, no paths */
  mst_str_addf(&wanted, "%s^{commit}", revision);
  const char *const arguments[] = {"rev-parse", "--verify", "--quiet", mst_str_text(&wanted), NULL};
  int status =
      wanted.failed ? mst_cli_fail_memory(git->cli) : ask(&alone, arguments, commit, &is_known);
  mst_str_reset(&wanted);
  if (status == MST_GO_ON && !is_known)
    status = mst_cli_usage(git->cli, "--diff-base: git knows no revision '%s' here", revision);
  return status;
}

static int find_in_tree(const mst_git *git, naming *names, const char *revision) {
  mst_str commit = {0}, diff = {0}, others = {0};
  bool done = false, is_listed = false;
  int status = find_commit(git, revision, &commit);
  const char *const of_diff[] = {"diff",
                                 "--unified=0",
                                 "--no-color",
                                 "--no-ext-diff",
                                 "--no-textconv",
                                 "--no-renames",
                                 "--text",
                                 "--ignore-submodules",
                                 "-O/dev/null",
                                 "--src-prefix=a/",
                                 "--dst-prefix=b/",
                                 mst_str_text(&commit),
                                 NULL};
  const char *const of_others[] = {"ls-files", "--others", "-z", NULL};
  if (status == MST_GO_ON) status = run(git, of_diff, &diff, &done);
  if (status == MST_GO_ON) status = run(git, of_others, &others, &is_listed);
  if (status == MST_GO_ON && !(done && is_listed))
    status = tell(git, MUSTER_ERR_IO, "could not compare the paths: are all in one repository?");
  if (status == MST_GO_ON && !(take_diff(names, &diff) && take_names(names, &others)))
    status = mst_cli_fail_memory(git->cli);
  mst_str_reset(&commit);
  mst_str_reset(&diff);
  mst_str_reset(&others);
  return status;
}

/* A folder that git can be asked in: the path, or the one around it. */
static int find_folder(mst_cli *cli, const char *path, char **folder) {
  mst_stat there = {0};
  muster_error error;
  const muster_status status = mst_io_stat(path, &there, &error);
  if (status != MUSTER_OK && status != MUSTER_ERR_NOT_FOUND) return mst_cli_fail(cli, &error);
  size_t length = strlen(path);
  if (!there.is_directory) length = (size_t)(mst_base_name(path) - path);
  *folder = length == 0 ? mst_strdup(".") : mst_strndup(path, length);
  return *folder != NULL ? MST_GO_ON : mst_cli_fail_memory(cli);
}

static int find_with_names(mst_cli *cli, naming *names, const char *revision) {
  mst_str top = {0};
  bool is_tree = false;
  char *folder = NULL;
  const char *const arguments[] = {"rev-parse", "--show-toplevel", NULL};
  int status = find_folder(cli, cli->paths.data[0], &folder);
  mst_git asked = {.cli = cli, .folder = folder};
  if (status == MST_GO_ON) status = ask(&asked, arguments, &top, &is_tree);
  if (status == MST_GO_ON && !is_tree)
    status = mst_cli_usage(cli, "--diff-base: '%s' is in no repository of git", folder);
  if (status == MST_GO_ON) {
    names->top = asked.folder = mst_str_text(&top);
    mst_git compared = asked;
    compared.subjects = (const char *const *)names->reals;
    compared.subject_count = names->real_count;
    status = find_in_tree(&compared, names, revision);
  }
  mst_str_reset(&top);
  mst_free(folder);
  return status;
}

int mst_changes_find(mst_cli *cli, const char *revision, mst_changes *changes) {
  naming names = {.cli = cli, .changes = changes};
  if (*revision == '-') return mst_cli_usage(cli, "--diff-base: '%s' is no revision", revision);
  names.reals = mst_calloc(cli->paths.length + 1, sizeof *names.reals);
  if (names.reals == NULL) return mst_cli_fail_memory(cli);
  int status = MST_GO_ON;
  for (size_t i = 0; i < cli->paths.length && status == MST_GO_ON; i++) {
    names.reals[i] = mst_io_resolve(cli->paths.data[i]);
    names.real_count += names.reals[i] != NULL;
    if (names.reals[i] == NULL) status = mst_cli_fail_memory(cli);
  }
  if (status == MST_GO_ON) status = find_with_names(cli, &names, revision);
  for (size_t i = 0; i < names.real_count; i++)
    mst_free(names.reals[i]);
  mst_free(names.reals);
  return status;
}
