/* Completes markers in the shell, with the names that the finder gives. */
#include "find_candidates.h"
#include "expand/expand.h"

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
