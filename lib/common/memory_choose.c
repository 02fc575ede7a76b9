/* Chooses memories by options, and asks a person before they are deleted. */
#include "confirm.h"
#include "memories.h"

#define LISTED_MAX 20 /* memories that are listed before the question */

struct choosing {
	struct call *c;
	struct strs *ids;
	bool list;
};

static struct err *choose_one(void *ctx, struct arena *a, const struct memory *one)
{
	struct choosing *w = ctx;

	(void)a;
	if (w->list && w->ids->n < LISTED_MAX)
		mem_print(w->c, one);
	strs_push(w->c->a, w->ids, str_dup(w->c->a, one->id));
	return NULL;
}

static struct err *choose_ask(struct call *c, size_t n, bool *yes)
{
	struct str question = str_fmt(c->a, "remove %zu %s?", n, n == 1 ? "memory" : "memories");

	if (n > LISTED_MAX)
		out_fmt(c->out, "and %zu more\n", n - LISTED_MAX);
	return n && confirm_asks(c) ? confirm(c, str_c(c->a, question), yes) : NULL;
}

struct err *mem_choose(struct call *c, struct memories *m, const struct mem_filter *filter,
		       bool *yes, struct strs *ids)
{
	struct choosing w = {.c = c, .ids = ids, .list = !*yes && cmd_emits_text(c)};
	struct memory_filter f = mem_filter_of(filter);

	*ids = (struct strs){0};
	TRY(memory_each(m, &f, choose_one, &w));
	return *yes ? NULL : choose_ask(c, ids->n, yes);
}
