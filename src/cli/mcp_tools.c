/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/mcp_tools.h"

#include <string.h>

#include "cli/cli.h"

/* ---- the tables ------------------------------------------------------------------------------- */

#define TEXT(name, option) \
  { name, option, NULL, MST_MCP_TEXT, false }
#define COUNT(name, option) \
  { name, option, NULL, MST_MCP_COUNT, false }
#define FLAG(name, option) \
  { name, option, NULL, MST_MCP_FLAG, false }
#define LIST(name, option, doc) \
  { name, option, doc, MST_MCP_TEXTS, false }
#define NEEDED(name, kind, option, doc) \
  { name, option, doc, kind, true }

#define CODE_PATHS                            \
  NEEDED("paths", MST_MCP_TEXTS, NULL,        \
         "Folders, Python files, notebooks: " \
         "best the folder of the whole program")
#define DATA_PATHS                               \
  NEEDED("paths", MST_MCP_TEXTS, NULL,           \
         "A folder of shards, files, globs, "    \
         "@list.txt (a file of paths), or null:" \
         "SHAPE[:DTYPE[:SHARDS]]")

static const mst_mcp_argument assess_arguments[] = {
    CODE_PATHS,
    TEXT("elements", "elements"),
    TEXT("pattern", "pattern"),
    COUNT("gpus", "gpus"),
    COUNT("nodes", "nodes"),
    TEXT("gpu_model", "gpu-model"),
    TEXT("fbmem", "fbmem"),
    TEXT("sysmem", "sysmem"),
    FLAG("cpu_only", "cpu-only"),
    COUNT("cuda", "cuda"),
    TEXT("os", "os"),
    LIST("rule", "rule", "List only findings of these rules, such as R104; all are judged"),
    LIST("ignore", "ignore", "List no findings of these rules; all are judged"),
    TEXT("baseline", "baseline"),
    TEXT("diff_base", "diff-base"),
    TEXT("manifest", "manifest"),
    TEXT("doctor", "doctor"),
    TEXT("config", "config"),
    FLAG("isolated", "isolated"),
    FLAG("no_ignore", "no-ignore"),
    {0}};

static const mst_mcp_argument rule_arguments[] = {
    NEEDED("id", MST_MCP_TEXT, NULL, "A rule (R104), a recipe (RR-sync) or a gate (gate 2)"), {0}};

static const mst_mcp_argument line_arguments[] = {
    CODE_PATHS,
    NEEDED("line", MST_MCP_TEXT, "explain",
           "FILE:LINE, in a notebook FILE:CELL:LINE; the file is among the paths"),
    TEXT("config", "config"),
    FLAG("isolated", "isolated"),
    FLAG("no_ignore", "no-ignore"),
    {0}};

#define DATA_OPTIONS                                                                          \
  TEXT("format", "format"), TEXT("sidecar", "sidecar"), TEXT("source_dtype", "source-dtype"), \
      TEXT("dtype", "dtype"), TEXT("row_shape", "row-shape"),                                 \
      COUNT("header_bytes", "header-bytes"), TEXT("order", "order"),                          \
      FLAG("allow_gaps", "allow-gaps"), FLAG("stack", "stack"), TEXT("rows", "rows"),         \
      TEXT("dataset", "dataset"), TEXT("columns", "columns"), TEXT("null", "null"),           \
      FLAG("strict", "strict"), FLAG("decode_cf", "decode-cf")

static const mst_mcp_argument inspect_arguments[] = {DATA_PATHS, DATA_OPTIONS, {0}};
static const mst_mcp_argument plan_arguments[] = {DATA_PATHS,
                                                  NEEDED("procs", MST_MCP_COUNT, "procs", NULL),
                                                  COUNT("over_decompose", "over-decompose"),
                                                  COUNT("tile_rows", "tile-rows"),
                                                  DATA_OPTIONS,
                                                  {0}};

static const mst_mcp_tool tools[] = {
    {.name = "assess",
     .title = "Assess NumPy code for cuPyNumeric",
     .doc = "Reads Python files and notebooks, never runs them, and says whether their NumPy code "
            "will scale on cuPyNumeric: verdict and reason, findings with file and line, what to "
            "change first, and the verdict after each change.",
     .command = "assess",
     .option = "--format=agent",
     .arguments = assess_arguments},
    {.name = "explain_rule",
     .title = "Explain a rule, a recipe or a gate",
     .doc = "What a rule, a recipe or a gate of an assessment is about, and what to do.",
     .command = "explain",
     .arguments = rule_arguments},
    {.name = "explain_line",
     .title = "Explain a line of code",
     .doc = "Why an assessment finds something on a line, or why not: what each name is, how that "
            "is known, and how hot the place is.",
     .command = "assess",
     .option = "--format=text",
     .arguments = line_arguments},
    {.name = "inspect",
     .title = "Inspect a dataset",
     .doc = "What a dataset of many files is: format, shards, shape, dtype, bytes, all that is "
            "wrong with it, and which tool is right for it.",
     .command = "inspect",
     .arguments = inspect_arguments},
    {.name = "plan",
     .title = "Plan a parallel load",
     .doc = "How the rows of a dataset are cut into tiles for several processors.",
     .command = "plan",
     .arguments = plan_arguments},
};

#define TOOL_COUNT (sizeof tools / sizeof *tools)

const mst_mcp_tool *mst_mcp_find_tool(yyjson_val *name) {
  for (size_t i = 0; i < TOOL_COUNT; i++)
    if (yyjson_equals_str(name, tools[i].name)) return &tools[i];
  return NULL;
}

/* ---- as JSON ---------------------------------------------------------------------------------- */

typedef struct option_doc {
  const char *option;
  const char *doc;
} option_doc;

static void pass_command(void *context, const char *name, const struct argp *argp) {
  (void)context;
  (void)name;
  (void)argp;
}

static void match_option(void *context, const struct argp_option *option) {
  option_doc *wanted = context;
  if (strcmp(option->name, wanted->option) == 0) wanted->doc = option->doc;
}

/* NULL: there was no memory to find it. */
static const char *doc_of(const mst_mcp_tool *tool, const mst_mcp_argument *argument) {
  if (argument->doc != NULL) return argument->doc;
  option_doc wanted = {.option = argument->option, .doc = ""};
  const mst_describing describing = {
      .command = pass_command, .option = match_option, .context = &wanted};
  return mst_cli_describe(tool->command, &describing) ? wanted.doc : NULL;
}

static void add_type(yyjson_mut_doc *doc, yyjson_mut_val *property, mst_mcp_kind kind) {
  static const char *const types[] = {[MST_MCP_TEXT] = "string",
                                      [MST_MCP_TEXTS] = "array",
                                      [MST_MCP_COUNT] = "integer",
                                      [MST_MCP_FLAG] = "boolean"};
  yyjson_mut_obj_add_str(doc, property, "type", types[kind]);
  if (kind == MST_MCP_COUNT) yyjson_mut_obj_add_uint(doc, property, "minimum", 0);
  if (kind != MST_MCP_TEXTS) return;
  yyjson_mut_val *items = yyjson_mut_obj_add_obj(doc, property, "items");
  yyjson_mut_obj_add_str(doc, items, "type", "string");
  yyjson_mut_obj_add_uint(doc, property, "minItems", 1);
}

static bool add_schema(yyjson_mut_doc *doc, yyjson_mut_val *to, const mst_mcp_tool *tool) {
  yyjson_mut_val *schema = yyjson_mut_obj_add_obj(doc, to, "inputSchema");
  yyjson_mut_obj_add_str(doc, schema, "type", "object");
  yyjson_mut_val *properties = yyjson_mut_obj_add_obj(doc, schema, "properties");
  yyjson_mut_val *needed = yyjson_mut_obj_add_arr(doc, schema, "required");
  yyjson_mut_obj_add_bool(doc, schema, "additionalProperties", false);
  for (const mst_mcp_argument *argument = tool->arguments; argument->name != NULL; argument++) {
    yyjson_mut_val *property = yyjson_mut_obj_add_obj(doc, properties, argument->name);
    add_type(doc, property, argument->kind);
    const char *text = doc_of(tool, argument);
    if (text == NULL) return false;
    yyjson_mut_obj_add_str(doc, property, "description", text);
    if (argument->is_needed) yyjson_mut_arr_add_str(doc, needed, argument->name);
  }
  return true;
}

/* None of them writes anything, or looks beyond this machine. */
static void add_annotations(yyjson_mut_doc *doc, yyjson_mut_val *to, const mst_mcp_tool *tool) {
  yyjson_mut_val *annotations = yyjson_mut_obj_add_obj(doc, to, "annotations");
  yyjson_mut_obj_add_str(doc, annotations, "title", tool->title);
  yyjson_mut_obj_add_bool(doc, annotations, "readOnlyHint", true);
  yyjson_mut_obj_add_bool(doc, annotations, "openWorldHint", false);
}

bool mst_mcp_add_tools(yyjson_mut_doc *doc, yyjson_mut_val *list) {
  bool done = true;
  for (size_t i = 0; i < TOOL_COUNT && done; i++) {
    yyjson_mut_val *tool = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_str(doc, tool, "name", tools[i].name);
    yyjson_mut_obj_add_str(doc, tool, "description", tools[i].doc);
    done = add_schema(doc, tool, &tools[i]);
    add_annotations(doc, tool, &tools[i]);
  }
  return done;
}
