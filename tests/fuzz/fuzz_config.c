/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of options: alone, and as `muster config` reads it. */
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/toml.h"
#include "file.h"

#define TABLE "tool.muster"

/* ---- as TOML ------------------------------------------------------------------------------------ */

static bool is_same(const mst_toml_entry *a, const mst_toml_entry *b) {
  return strcmp(a->key, b->key) == 0 && strcmp(a->text, b->text) == 0 && a->kind == b->kind &&
         a->line == b->line;
}

/* What is asked for is what all of it has of that. */
static void compare(const mst_toml *all, const mst_toml *part) {
  size_t next = 0;
  for (size_t i = 0; i < all->entries.length; i++) {
    const mst_toml_entry *entry = &all->entries.data[i];
    ALWAYS(entry->line > 0);
    if (strncmp(entry->key, TABLE, strlen(TABLE)) != 0) continue;
    ALWAYS(next < part->entries.length && is_same(entry, &part->entries.data[next]));
    next++;
  }
  ALWAYS(next == part->entries.length);
}

static void parse(const char *text, size_t size) {
  mst_toml all = {0}, part = {0};
  muster_error error = {.offset = -1};
  const muster_status status = mst_toml_parse(&all, "a.toml", text, size, "", &error);
  if (status != MUSTER_OK) check_error(status, &error, size);
  const muster_status of_part = mst_toml_parse(&part, "a.toml", text, size, TABLE, &error);
  if (of_part != MUSTER_OK) check_error(of_part, &error, size);
  if (status == MUSTER_OK) {
    ALWAYS(of_part == MUSTER_OK);
    compare(&all, &part);
  }
  mst_toml_reset(&all);
  mst_toml_reset(&part);
}

/* ---- as options --------------------------------------------------------------------------------- */

/* Whatever was set, or one line that may be shown on a terminal. */
static void check_output(const mst_cli *cli, int status, const char *said, size_t length) {
  if (status == MST_EXIT_DONE) {
    ALWAYS(length == 0 && !cli->result.failed);
    yyjson_doc *doc = yyjson_read(mst_str_text(&cli->result), cli->result.length, 0);
    ALWAYS(!cli->json || doc != NULL);
    yyjson_doc_free(doc);
    return;
  }
  ALWAYS(status == MST_EXIT_USAGE && cli->result.length == 0);
  ALWAYS(length > 0 && said[length - 1] == '\n');
  for (size_t i = 0; i + 1 < length; i++)
    ALWAYS((unsigned char)said[i] >= ' ');
}

static void configure(char *path, char *format) {
  char name[] = "config", option[] = "--config";
  char *arguments[] = {name, option, path, format, NULL};
  char *said = NULL;
  size_t length = 0;
  mst_cli cli;
  mst_cli_init(&cli);
  cli.err = (mst_term){.stream = open_memstream(&said, &length), .columns = 80};
  ALWAYS(cli.err.stream != NULL);
  const int status = mst_cli_run(&cli, format != NULL ? 4 : 3, arguments);
  ALWAYS(fclose(cli.err.stream) == 0);
  check_output(&cli, status, said, length);
  mst_cli_reset(&cli);
  free(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64], json[] = "--json";
  const bool is_project = memmem(data, size, TABLE, strlen(TABLE)) != NULL;
  char *text = malloc(size + 1); /* as files are read: with a NUL behind */
  ALWAYS(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  parse(text, size);
  free(text);
  snprintf(path, sizeof path, "/dev/shm/muster-fuzz-%d", (int)getpid());
  (void)mkdir(path, 0700);
  strcat(path, is_project ? "/pyproject.toml" : "/muster.toml");
  write_input(path, data, size);
  configure(path, size % 2 == 0 ? json : NULL);
  unlink(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
  return 0;
}
