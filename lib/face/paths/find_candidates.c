/* The names of files and stored assets that the finder ranks. */
#include "find_candidates.h"
#include "expand/expand.h"
#include "words/words.h"

struct gather {
	struct call *c;
	struct strs *names, *warnings;
	struct str prefix; /* of each name; or empty */
	struct str home;   /* ikm's own folder below the start, with a slash at the end; or empty */
};

static struct err *find_add_file(void *ctx, const struct tree_file *file)
{
	struct gather *g = ctx;

	if (g->home.n && str_starts(file->path, g->home))
		return NULL;
	strs_push(g->c->a, g->names,
		  str_fmt(g->c->a, "%.*s%.*s", STR_ARG(g->prefix), STR_ARG(file->path)));
	return NULL;
}

static void find_add_warning(void *ctx, struct str path, const struct err *e)
{
	struct gather *g = ctx;

	(void)path;
	strs_push(g->c->a, g->warnings, str_dup(g->c->a, str_of(err_message(e))));
}

struct err *find_candidate_files(struct call *c, struct files *f, const struct find_where *where,
				 struct strs *names, struct strs *warnings)
{
	struct gather g = {.c = c, .names = names, .warnings = warnings};
	struct file_left left = {0};
	const struct file_walk walk = {.trouble = find_add_warning,
				       .ctx = &g,
				       .left = &left,
				       .all = where->all,
				       .copies = where->copies};
	const char *top = where->whole && c->git ? git_top(c->git) : NULL;
	struct file_ref here;
	const char *home = os_ikigai_home(c->a), *start = top ? top : c->cwd;
	struct tree *t;
	struct err *e;
	bool file;

	e = top ? file_ref_or_folder(f, str_of(top), &here) : file_ref_resolve(f, STR("."), &here);
	e = e ? e : file_tree(f, &here, &walk, &t, &file);
	if (e && top && err_reason(e) == E_OUTSIDE_ROOTS) {
		g.prefix = git_prefix(c->git);
		start = c->cwd;
		e = file_ref_resolve(f, STR("."), &here);
		e = e ? e : file_tree(f, &here, &walk, &t, &file);
	}
	TRY(e);
	if (home && start && str_starts(str_of(home), str_fmt(c->a, "%s/", start)))
		g.home = str_fmt(c->a, "%s/", home + strlen(start) + 1);
	TRY(tree_foreach(t, STR(""), find_add_file, &g));
	/* A finder has them all the same. */
	for (size_t i = 0; i < left.tracked.n; i++)
		strs_push(c->a, names,
			  str_fmt(c->a, "%.*s%.*s", STR_ARG(g.prefix), STR_ARG(left.tracked.p[i])));
	if (left.tracked.n)
		strs_sort(names);
	left.tracked.n = 0;
	files_warn_left_out(c, &left, warnings);
	return NULL;
}

struct err *find_list_names_to_rank(struct call *c, const struct find_where *where,
				    struct strs *names, struct strs *warnings)
{
	struct asset_list list = {0};
	struct files *f;

	TRY(files_open(c, &f));
	if (!where->asset)
		return find_candidate_files(c, f, where, names, warnings);
	TRY(asset_list_by_prefix(f->assets, c->a, STR(""), &list));
	for (size_t i = 0; i < list.n; i++)
		strs_push(c->a, names, list.p[i].path);
	return NULL;
}

struct err *find_rank(struct call *c, struct str query, const struct strs *names, size_t limit,
		      struct fuzzy_hits *out)
{
	struct strs plain = {0};

	for (size_t i = 0; i < names->n; i++)
		strs_push(c->a, &plain, words_plain_letters(c->a, names->p[i]));
	return fuzzy_rank(c->a, words_plain_letters(c->a, query), &plain, limit, out);
}

bool find_query_strip_marker(struct str *query)
{
	bool asset = str_starts(*query, STR("@@"));

	if (str_starts(*query, STR("@")))
		*query = str_sub(*query, 1 + asset, query->n);
	if (str_starts(*query, STR("\"")))
		*query = str_sub(*query, 1,
				 query->n - (query->n > 1 && str_ends(*query, STR("\""))));
	return asset;
}

/* ---- the shell completes markers with them ---- */

static void find_complete_offer(struct call *c, struct str before, bool asset, struct str name)
{
	struct str marker = expand_marker_for_path(c->a, asset, name);

	/* Each candidate is one line, and a tab ends its word. */
	if (str_find_char(marker, '\n', 0) != SIZE_MAX ||
	    str_find_char(marker, '\t', 0) != SIZE_MAX)
		return;
	/* The name continues behind a folder, so the quote stays open. */
	if (str_ends(name, STR("/")) && str_ends(marker, STR("\"")))
		marker.n--;
	out_bytes_unchanged(c->out, before);
	out_bytes_unchanged(c->out, marker);
	out_puts(c->out, "\t\n");
}

/* The names that begin so, each up to the next slash. They are sorted, so the names of a folder
 * follow each other. */
static struct strs find_complete_parts(struct arena *a, const struct strs *names, struct str begin)
{
	struct strs parts = {0};

	for (size_t i = 0; i < names->n; i++) {
		size_t slash = str_find_char(names->p[i], '/', begin.n);
		struct str part = str_sub(names->p[i], 0, slash == SIZE_MAX ? slash : slash + 1);

		if (str_starts(names->p[i], begin) &&
		    (!parts.n || !str_eq(part, parts.p[parts.n - 1])))
			strs_push(a, &parts, part);
	}
	return parts;
}

static struct err *find_complete_run(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct str before = typed, query;
	struct strs names = {0}, warnings = {0}, parts;
	struct fuzzy_hits hits;
	struct find_where where = {0};

	(void)result;
	/* Up to the last @ that begins a word. */
	while (before.n &&
	       !(str_ends(before, STR("@")) && (before.n == 1 || before.p[before.n - 2] == ' ')))
		before.n--;
	if (!before.n)
		return NULL;
	before.n--;
	query = str_sub(typed, before.n, typed.n);
	where.asset = find_query_strip_marker(&query);
	where.copies = str_holds(query, "history");
	TRY(find_list_names_to_rank(c, &where, &names, &warnings));
	parts = find_complete_parts(c->a, &names, query);
	/* The shell would take a single folder for the end of the word, so descend into it. */
	while (parts.n == 1 && str_ends(parts.p[0], STR("/")))
		parts = find_complete_parts(c->a, &names, parts.p[0]);
	for (size_t i = 0; i < parts.n; i++)
		find_complete_offer(c, before, where.asset, parts.p[i]);
	if (parts.n)
		return NULL;
	TRY(find_rank(c, query, &names, 20, &hits));
	for (size_t i = 0; i < hits.n; i++)
		find_complete_offer(c, before, where.asset, names.p[hits.p[i].index]);
	return NULL;
}

struct err *find_print_completions(struct call *c, struct str typed)
{
	return complete_word(c, typed, FIND_NEED, find_complete_run);
}
