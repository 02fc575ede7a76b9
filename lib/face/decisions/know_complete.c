/* Completes ids of knowledge items, and ranges of commits, in the shell. */
#include "paths/open_files_for_call.h"
#include "know.h"

static struct err *know_complete_run(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct strs none = {0}, told = {0};
	struct knowledge *k;

	(void)result;
	TRY(know_load(c, &none, &k));
	/* The most specific item of an id comes last. */
	for (size_t i = k->items.n; i-- > 0;) {
		const struct kn_item *item = &k->items.p[i];

		/* Each candidate is one line, and a tab ends its word. An id has no blanks. */
		if (strs_has(&told, item->id) || !str_is_text(item->id) ||
		    str_find_char(item->id, '\n', 0) != SIZE_MAX ||
		    str_find_char(item->id, '\t', 0) != SIZE_MAX)
			continue;
		strs_push(c->a, &told, item->id);
		cmd_candidate(c->out, typed, item->id, item->title);
	}
	return NULL;
}

/* "main..fea" becomes "main..feature". */
static struct err *know_complete_range(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	size_t dots = str_find(typed, STR(".."), 0);
	struct str begin = str_sub(typed, 0, dots == SIZE_MAX ? 0 : dots + 2);
	struct strs names = {0};

	(void)result;
	strs_push(c->a, &names, STR("HEAD"));
	if (c->git)
		git_list_ref_names(c->git, c->a, &names);
	for (size_t i = 0; i < names.n; i++)
		cmd_candidate(c->out, typed,
			      str_fmt(c->a, "%.*s%.*s%s", STR_ARG(begin), STR_ARG(names.p[i]),
				      begin.n ? "" : ".."),
			      STR("a commit"));
	return NULL;
}

struct err *know_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, MAY_GIT, know_complete_run);
}

struct err *commit_range_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, MAY_GIT, know_complete_range);
}
