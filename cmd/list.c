/* list and glob: list files (requirement: garden, fs.list). */
#include "paths/open_files_for_call.h"
#include "reply/plain_for_model.h"
#include "reply/result_fit.h"
#include "app/print_warnings.h"
#include "file/search.h"

#define MAX_JSON ((size_t)10000) /* the limit of paths in JSON */

struct args {
	struct str path, pattern, glob, type;
	struct strs globs, types;
	bool all, dirs, zero;
	int64_t depth, limit, offset;
};

/* clang-format off */
#define PARAMS                                                                                     \
	PARAM(globs, .flags = RARE, .letter = 'g', .option = "glob", .meta = "GLOB", .min = 1,                    \
	      .max = RE_PATTERN_MAX, .help = "only matching paths; ! excludes; may be repeated"),  \
	PARAM(type, .flags = RARE | JSON_ONLY,                                          \
	      .help = "only files of this type, such as c, py or md"),                             \
	PARAM(types, .flags = RARE, .letter = 't', .option = "type", .meta = "TYPE",                              \
	      .help = "only files of this type; may be repeated"),    \
	PARAM(dirs, .letter = 'd', .help = "also list folders, with a slash at the end"),          \
	PARAM(depth, .meta = "N", .min = 1, .max = OS_PATH_MAX,                                    \
	      .help = "the depth; 1: only files of the folder itself"),                            \
	PARAM(limit, .letter = 'n', .min = 1, .max = 1000000,                                      \
	      .tool_help = "maximum number of paths; default: 10000",                              \
	      .help = "maximum number of paths; default: 10000 in JSON, all in text"),             \
	PARAM(offset, .flags = JSON_ONLY, .min = 0, .max = 100000000, .page = "",                  \
	      .help = "skip this many paths"),                                                     \
	PARAM(all, .letter = 'a', .help = "also list files that .gitignore excludes, and " \
					  "history copies of the garden"), \
	PARAM(zero, .letter = 'z', .flags = CLI_ONLY,                                              \
	      .help = "end each path with a NUL instead of a newline"),                            \
	{0}
/* clang-format on */

#define PATH_HELP "the folder, or ikigai:///FOLDER for stored assets"

static const struct param list_params[] = {
	PARAM(path, .flags = ARG | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX, .def = ".",
	      .complete = uri_complete, .help = PATH_HELP),
	PARAM(glob, .flags = JSON_ONLY | LIST_OR_ONE, .min = 1, .max = RE_PATTERN_MAX,
	      .help = "only paths in the folder that match; ! excludes"),
	PARAMS,
};

static const struct param glob_params[] = {
	PARAM(pattern, .flags = ARG | REQUIRED, .min = 1, .max = RE_PATTERN_MAX,
	      .help = "a glob of paths relative to the folder: * ? [a-z] {a,b} **; without a "
		      "slash it matches at any depth"),
	PARAM(path, .letter = 'p', .flags = PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .def = ".", .complete = uri_complete, .help = PATH_HELP),
	PARAMS,
};

struct result {
	size_t total;
	bool truncated;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD_EMITTED("paths", F_STRS, NULL, "the files, relative to the folder, in byte order"),
	FIELD(total, "the number of all paths"),
	FIELD(truncated, "true: there are more paths than limit"),
	FIELD(warnings, "folders that could not be read, or were left out"),
	{0},
};

struct listing {
	struct call *c;
	struct file_ref ref;
	struct file_pick pick;
	bool file;
	size_t skip, max, n;
	struct strs *warnings;
	enum err_reason why; /* of the first warning */
};

static struct err *list_cmd_add(void *ctx, const struct tree_file *f)
{
	struct listing *l = ctx;
	struct arena *a ARENA_LOCAL = NULL;
	struct str shown;

	if (!l->file && ((f->kind == TREE_FOLDER && l->pick.types.n) ||
			 !file_filter_matches(&l->pick, f->path)))
		return NULL;
	if (l->n++ < l->skip || l->n - 1 - l->skip >= l->max)
		return NULL;
	a = arena_new();
	shown = file_path_shown(a, &l->ref, l->file, f->path);
	if (f->kind == TREE_FOLDER)
		shown = str_fmt(a, "%.*s/", STR_ARG(shown));
	return cmd_emit_row(l->c, &shown);
}

static struct err *list_row(struct call *c, const void *p, const void *path)
{
	const struct args *args = p;

	out_path(c->out, *(const struct str *)path, args->zero ? 0 : '\n');
	return NULL;
}

static void list_trouble(void *ctx, struct str path, const struct err *e)
{
	struct listing *l = ctx;

	(void)path;
	if (!l->warnings->n)
		l->why = err_reason(e);
	strs_push(l->c->a, l->warnings, str_fmt(l->c->a, "%s", err_message(e)));
}

static struct err *list_folders(struct listing *l, const struct args *args)
{
	struct strs globs = {0}, types = args->types;
	struct call *c = l->c;
	struct file_walk walk = {
		.all = args->all,
		.folders = args->dirs,
		.depth = (unsigned)args->depth,
		.trouble = list_trouble,
		.ctx = l,
	};
	struct file_left left = {0}, shown = {0};
	struct files *f;
	struct str odd;
	struct tree *t;

	if (args->pattern.p)
		strs_push(c->a, &globs, args->pattern);
	if (args->glob.p)
		strs_push(c->a, &globs, args->glob);
	strs_add_all(c->a, &globs, &args->globs);
	if (args->type.p)
		strs_push(c->a, &types, args->type);
	TRY(file_filter_new(c->a, &globs, &types, args->all, &l->pick));
	walk.copies = files_globs_want_history(&globs);
	walk.left = &left;
	TRY(files_open(c, &f));
	TRY(file_ref_or_folder(f, args->path, &l->ref));
	TRY(file_tree(f, &l->ref, &walk, &t, &l->file));
	TRY(tree_foreach(t, STR(""), list_cmd_add, l));
	odd = files_glob_list_warning(c, args->glob.p ? args->glob : args->pattern);
	if (!l->n && odd.p)
		strs_push(c->a, l->warnings, odd);
	else if (!l->n && (globs.n || types.n || l->warnings->n))
		TRY(warnings_report_no_match(c, l->warnings->n, l->why, l->warnings));
	file_left_out_add(c->a, &l->ref, &l->pick, &left, &shown);
	files_warn_left_out(c, &shown, l->warnings);
	return NULL;
}

static struct err *list_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct listing l = {.c = c, .skip = (size_t)args->offset, .warnings = &r->warnings};

	l.max = cmd_emits_text(c) ? SIZE_MAX : MAX_JSON;
	if (args->limit)
		l.max = (size_t)args->limit;
	/* Each costs a token at least. */
	if (answer_limit_of_call(c))
		l.max = size_min(l.max, answer_limit_of_call(c)->tokens);
	cmd_emit_begin_list(c, "paths");
	TRY(list_folders(&l, args));
	r->total = l.n;
	r->truncated = l.n - size_min(l.n, l.skip) > l.max;
	return NULL;
}

static const struct plain list_plain = {
	.template = "{/paths:{.}\n}{?!paths:no files\n|"
		    "{?truncated:[{#paths} of {total} paths]\n}}",
	.hidden = "total truncated",
};

#define LIST                                                                                       \
	.need = NEED_ROOTS | NEED_CONF, .args_size = sizeof(struct args), .result = result,        \
	.result_size = sizeof(struct result), .run = list_cmd_run, .row = list_row,                \
	.template = TEMPLATE_WARNINGS, .plain = &list_plain

const struct cmd cmd_list = {
	.name = "list",
	.tool = "fs_list",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "list files",
	.description = "List all files below a folder, at any depth, or the stored assets, without "
		       "files that .gitignore excludes, and without the garden's history copies.",
	.params = list_params,
	LIST,
};

const struct cmd cmd_glob = {
	.name = "glob",
	.tool = "glob",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_EVERY_ROOT | TOOL_SYNONYM,
	.summary = "list files whose paths match a glob",
	.description = "List the files below a folder, or the stored assets, whose paths match a "
		       "glob, without files that .gitignore excludes.",
	.params = glob_params,
	LIST,
};
