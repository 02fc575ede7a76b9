/* Completes ids of knowledge items in the shell. */
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

struct err *know_complete(struct call *c, struct str typed)
{
	static const struct cmd cmd = {
		.name = "--complete", .need = MAY_GIT, .run = know_complete_run};
	struct cmd_common common = {0};
	struct val *none = NULL;

	c->cmd = &cmd;
	return app_run(c, &common, &typed, &none);
}
