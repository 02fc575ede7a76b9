/* find: names of files and stored assets by a few letters (seed 000, "Fuzzy finders"). */
#include "find.h"
#include "expand/expand.h"
#include "fuzzy/fuzzy.h"
#include "warnings.h"

struct args {
	struct str query;
	int64_t limit;
	bool zero;
};

static const struct param params[] = {
	PARAM(query, .flags = ARG | REQUIRED, .max = FUZZY_QUERY_MAX, .complete = find_complete,
	      .help = "letters of the name; @ before them for markers, @@ for stored assets"),
	PARAM(limit, .letter = 'n', .min = 0, .max = 10000000, .def = "20",
	      .help = "how many at the most; 0 for all"),
	PARAM(zero, .letter = 'z', .flags = CLI_ONLY,
	      .help = "end each with a NUL instead of a newline"),
	{0},
};

static const struct field match[] = {
	{"path", "what read and the others take: a path, or ikigai:///…", F_STR},
	{"marker", "what stands for its content in a prompt", F_STR},
	{"score", "how well it matches", F_INT},
	{0},
};

static const struct field result[] = {
	{"matches", "the best first", F_LIST, .sub = match},
	{"warnings", "folders that could not be read", F_STRS},
	{0},
};

struct gather {
	struct call *c;
	struct strs *names, *warnings;
	size_t skip;     /* bytes of the folder where we stand, which names do not begin with */
	struct str home; /* ikm's own folder below it, with a slash; or empty */
};

static struct err *gather_file(void *ctx, const struct tree_file *file)
{
	struct gather *g = ctx;
	struct str path = str_sub(file->path, g->skip, file->path.n);

	/* A submodule is a folder, and what is in it belongs to another repository. */
	if (file->kind != TREE_SUBMODULE && !(g->home.n && str_starts(path, g->home)))
		strs_push(g->c->a, g->names, path);
	return NULL;
}

static void find_trouble(void *ctx, struct str path, const struct err *e)
{
	struct gather *g = ctx;

	(void)path;
	strs_push(g->c->a, g->warnings, str_dup(g->c->a, str_of(err_message(e))));
}

static struct err *from_git(struct gather *g, bool whole)
{
	struct str prefix = whole ? (struct str){"", 0} : git_prefix(g->c->git);
	const char *home = os_ikigai_home(g->c->a);
	const char *at = whole ? git_top(g->c->git) : g->c->cwd;
	struct tree *t;

	if (home && str_starts(str_of(home), str_fmt(g->c->a, "%s/", at)))
		g->home = str_fmt(g->c->a, "%s/", home + strlen(at) + 1);
	g->skip = prefix.n;
	TRY(git_tree_worktree_but(g->c->git, find_trouble, g, &t));
	return tree_foreach(t, str_sub(prefix, 0, prefix.n - (prefix.n > 0)), gather_file, g);
}

struct err *find_files(struct call *c, struct files *f, bool whole, struct strs *names,
		       struct strs *warnings)
{
	struct gather g = {.c = c, .names = names, .warnings = warnings};
	const struct file_walk walk = {.trouble = find_trouble, .ctx = &g};
	struct file_ref here;
	struct file_stat st;
	struct tree *t;
	bool file;

	TRY(file_ref(f, STR("."), &here));
	TRY(file_stat(f, &here, &st)); /* OUTSIDE_ROOTS */
	if (c->git && git_top(c->git))
		return from_git(&g, whole);
	TRY(file_tree(f, &here, &walk, &t, &file));
	return tree_foreach(t, STR(""), gather_file, &g);
}

struct err *find_names(struct call *c, bool asset, struct strs *names, struct strs *warnings)
{
	struct asset_list list = {0};
	struct files *f;

	TRY(files_open(c, &f));
	if (!asset)
		return find_files(c, f, false, names, warnings);
	TRY(asset_each(f->assets, c->a, STR(""), &list));
	for (size_t i = 0; i < list.n; i++)
		strs_push(c->a, names, list.p[i].path);
	return NULL;
}

bool find_is_asset(struct str *query)
{
	bool asset = str_starts(*query, STR("@@"));

	if (str_starts(*query, STR("@")))
		*query = str_sub(*query, 1 + asset, query->n);
	if (str_starts(*query, STR("\"")))
		*query = str_sub(*query, 1,
				 query->n - (query->n > 1 && str_ends(*query, STR("\""))));
	return asset;
}

static struct err *find_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct str query = args->query;
	struct strs names = {0}, warnings = {0};
	struct fuzzy_hits hits;
	struct val *list;
	bool asset;

	asset = find_is_asset(&query);
	TRY(find_names(c, asset, &names, &warnings));
	TRY(fuzzy_rank(c->a, query, &names, (size_t)args->limit, &hits));
	*out = val_map(c->a);
	list = val_set(c->a, *out, "matches", val_list(c->a));
	for (size_t i = 0; i < hits.n; i++) {
		struct str name = names.p[hits.p[i].index];
		struct val *v = val_add(list, val_map(c->a));

		val_set(c->a, v, "path",
			val_str(c->a, asset ? asset_uri(c->a, name) : str_utf8(c->a, name)));
		val_set(c->a, v, "marker",
			val_str(c->a, str_utf8(c->a, expand_marker(c->a, asset, name))));
		val_set(c->a, v, "score", val_int(c->a, hits.p[i].score));
	}
	val_set(c->a, *out, "warnings", val_strs(c->a, &warnings));
	return hits.n ? NULL : warnings_none(c, warnings.n, 0, &warnings);
}

/* What was asked for with @ is given with it. */
static void find_text(struct call *c, const void *p, const struct val *r)
{
	const struct args *args = p;
	bool marker = str_starts(args->query, STR("@"));
	const char *what = marker ? "marker" : "path";

	VAL_EACH(val_get(r, "matches"), m) {
		struct str s = val_get_str(m, what);

		/* A marker has quotes and escapes of its own. */
		if (marker && str_find_char(s, '\n', 0) == SIZE_MAX) {
			out_raw(c->out, s);
			out_bytes(c->out, args->zero ? (struct str){"", 1} : STR("\n"));
		} else {
			out_path(c->out, s, args->zero ? 0 : '\n');
		}
	}
	warnings_of(c, r);
}

const struct cmd cmd_finder = {
	.name = "find",
	.tool = "find",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_CORE,
	.summary = "find files and stored assets by a few letters of their names",
	.description = "Find files (@letters) or stored assets (@@letters) whose path has these "
		       "letters in this order, the best match first: letters that stand together, "
		       "at the start of words and folders, in short names.",
	.need = FIND_NEED,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run = find_run,
	.text = find_text,
};
