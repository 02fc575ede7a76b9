/* find: names of files and stored assets by a few letters (requirement: assets,
 * "Prompt Expansion"). */
#include "common/find_names.h"
#include "expand/expand.h"
#include "fuzzy/fuzzy.h"
#include "app/warnings.h"

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
	.run_val = find_run,
	.text_val = find_text,
};
