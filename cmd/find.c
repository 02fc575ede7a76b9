/* find: finds files and stored assets by a few letters of their names (requirement: assets, "Prompt
 * Expansion"). */
#include "reply/plain_for_model.h"
#include "paths/find_candidates.h"
#include "expand/expand.h"
#include "app/print_warnings.h"

struct args {
	struct str query;
	int64_t limit;
	bool zero, all;
};

static const struct param params[] = {
	PARAM(query, .flags = ARG | REQUIRED, .max = FUZZY_QUERY_MAX,
	      .complete = find_print_completions,
	      .help = "letters of the name; @ in front: print markers, @@: stored assets"),
	PARAM(limit, .letter = 'n', .min = 0, .max = 10000000, .def = "20",
	      .help = "maximum number of results; 0 for all"),
	PARAM(all, .flags = RARE, .letter = 'a',
	      .help = "also find files that .gitignore excludes, and history copies of the garden"),
	PARAM(zero, .letter = 'z', .flags = CLI_ONLY,
	      .help = "end each name with a NUL instead of a newline"),
	{0},
};

struct match {
	struct str path, marker;
	int64_t score;
};

struct result {
	struct {
		struct match *p;
		size_t n;
	} matches;
	struct strs warnings;
};

static const struct field match[] = {
	FIELD_OF(struct match, path, "the path for read and other commands, or ikigai:///…"),
	FIELD_OF(struct match, marker, "the marker that stands for it in a prompt"),
	FIELD_OF(struct match, score, "how well it matches"),
	{0},
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, matches, "matches", match, "the best first"),
	FIELD(warnings, "folders that could not be read, and copies that were left out"),
	{0},
};

static struct err *find_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct str query = args->query;
	struct strs names = {0};
	struct fuzzy_hits hits;
	struct find_where where = {.all = args->all};

	where.asset = find_query_strip_marker(&query);
	where.copies = str_holds(query, "history");
	TRY(find_list_names_to_rank(c, &where, &names, &r->warnings));
	TRY(find_rank(c, query, &names, (size_t)args->limit, &hits));
	r->matches.p = arena_array(c->a, hits.n, sizeof(*r->matches.p));
	for (; r->matches.n < hits.n; r->matches.n++) {
		struct str name = names.p[hits.p[r->matches.n].index];

		r->matches.p[r->matches.n] =
			(struct match){where.asset ? asset_uri(c->a, name) : name,
				       expand_marker_for_path(c->a, where.asset, name),
				       hits.p[r->matches.n].score};
	}
	if (!hits.n)
		TRY(warnings_report_no_match(c, r->warnings.n, E_PERMISSION, &r->warnings));
	return NULL;
}

/* A query with @ gets markers as its answer. */
static void find_text(struct call *c, const void *p, const void *found)
{
	const struct args *args = p;
	const struct result *r = found;
	bool marker = str_starts(args->query, STR("@"));

	VEC_EACH(const struct match, m, &r->matches) {
		/* A marker has its own quotes and escapes. */
		if (marker && str_find_char(m->marker, '\n', 0) == SIZE_MAX) {
			out_safe_if_terminal(c->out, m->marker);
			out_bytes_unchanged(c->out, args->zero ? (struct str){"", 1} : STR("\n"));
		} else {
			out_path(c->out, marker ? m->marker : m->path, args->zero ? 0 : '\n');
		}
	}
	warnings_print(c, &r->warnings);
}

static const struct plain find_plain = {
	.template = "{/matches:{path}\n}{?!matches:nothing matches\n}",
};

const struct cmd cmd_finder = {
	.name = "find",
	.tool = "find",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "find files and stored assets by a few letters of their names",
	.description = "Find files (@letters) or stored assets (@@letters) whose path has these "
		       "letters in this order, best first. Letters rank higher when they are "
		       "adjacent, start a word or folder, or the name is short.",
	.need = FIND_NEED,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = find_run,
	.text = find_text,
	.plain = &find_plain,
};
