/* Lists every exception of a tree. */
#include "judge/judge.h"
#include "report/show.h"

/* Those with a problem come first. */
ORDER_OF(by_end, struct waive_listed,
	 (c = (b->problem.n > 0) - (a->problem.n > 0)) || ORDER_UP(waiver.ends) ||
		 ORDER_STR(waiver.file) || ORDER_UP(waiver.line))

#define L struct waive_listed
const struct field waive_listed_fields[] = {
	FIELD_AS(L, waiver.item, "item", "the item, as the exception names it"),
	FIELD_OF(L, id, "the item's id; empty: it names no item"),
	FIELD_AS(L, waiver.constraint, "constraint",
		 "the number of the rule; without it all rules of the item", .flags = IF_ANY),
	FIELD_AS(L, waiver.paths, "paths", "globs of the files"),
	FIELD_AS(L, waiver.found, "found", "the packages or texts that it covers", .flags = IF_ANY),
	FIELD_AS(L, waiver.reason, "reason", "why"),
	FIELD_AS(L, waiver.owner, "owner", "the person or team that answers for it",
		 .flags = IF_ANY),
	FIELD_AS(L, waiver.expires, "expires", "the last day, in UTC"),
	FIELD_OF(L, days, "days until the end; negative: it has ended"),
	FIELD_OF(L, ended, "it has ended and waives nothing"),
	FIELD_AS(L, waiver.file, "file", ".ikm/waivers.yaml, or the file with the comment"),
	FIELD_AS(L, waiver.line, "line", "from 1"),
	FIELD_OF(L, problem, "why it waives nothing", .flags = IF_ANY),
	{0},
};
#undef L

const struct field waive_unread_fields[] = {
	FIELD_AS(struct waive_unread, path, "file", "a file that was not searched"),
	FIELD_AS(struct waive_unread, message, "reason", "why"),
	{0},
};

struct listing {
	struct arena *a;
	struct git *git;
	struct tree *tree;
	const struct knowledge *k;
	int64_t today;
	size_t max_file;
	struct waive_list *out;
};

static struct err *waive_list_add(struct listing *l, const struct waiver *w)
{
	struct waive_listed *x = VEC_PUSH(l->a, l->out);

	x->waiver = *w;
	x->problem = w->problem;
	if (w->problem.n)
		return NULL;
	waive_resolve(l->a, l->k, NULL, NULL, &x->waiver);
	if (x->waiver.unknown.n) {
		const struct waiver *same = NULL;

		/* The answer for the same name above: the search reads the history. */
		for (size_t i = 0; i + 1 < l->out->n && !same; i++)
			if (str_eq(l->out->p[i].waiver.item, w->item))
				same = &l->out->p[i].waiver;
		if (!same)
			TRY(waive_resolve_former(l->a, l->git, NULL, l->tree, l->k, &x->waiver));
		x->waiver.ids = same ? same->ids : x->waiver.ids;
		x->waiver.unknown = same ? same->unknown : x->waiver.unknown;
	}
	x->id = x->waiver.ids.n ? x->waiver.ids.p[0] : STR("");
	x->problem = x->waiver.unknown;
	x->days = waive_days_left(w, l->today);
	x->ended = x->days < 0;
	return NULL;
}

/* A file that cannot be read is named, and the others are listed. */
static struct err *waive_list_file(void *ctx, const struct tree_file *f)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct listing *l = ctx;
	struct allows allows = {0};
	struct str text;
	struct err *e;

	if (f->kind != TREE_FILE && f->kind != TREE_EXEC)
		return NULL;
	e = tree_read(l->tree, scratch, f, l->max_file, &text);
	if (e && err_reason(e) != E_TOO_BIG && err_reason(e) != E_PERMISSION)
		return e;
	if (e)
		*VEC_PUSH(l->a, &l->out->unread) = (struct waive_unread){
			str_dup(l->a, f->path),
			err_reason(e) == E_PERMISSION
				? STR("ikm has no permission to read it")
				: str_fmt(l->a, "it is larger than check.maxFileSize, %zu bytes",
					  l->max_file)};
	else
		allows_read_comments(l->a, f->path, text, l->today, &allows);
	for (size_t i = 0; i < allows.n; i++)
		TRY(waive_list_add(l, &allows.p[i].w));
	return NULL;
}

static struct err *waive_list_entries(struct listing *l)
{
	struct waivers list = {0};

	TRY(waivers_read_yaml_of_tree(l->a, l->tree, l->today, false, &list));
	for (size_t i = 0; i < list.n; i++)
		TRY(waive_list_add(l, &list.p[i]));
	return NULL;
}

struct err *waivers_list(struct arena *a, struct git *g, struct tree *t, const struct knowledge *k,
			 size_t max_file, struct waive_list *out)
{
	struct listing l = {a, g, t, k, waive_today(), max_file, out};

	TRY(waive_list_entries(&l));
	TRY(tree_foreach(t, STR(""), waive_list_file, &l));
	VEC_SORT(out, by_end);
	return NULL;
}

struct err *waivers_of_item(struct arena *a, struct git *g, struct tree *t,
			    const struct knowledge *k, struct str id, struct waive_list *out)
{
	struct waive_list all = {0};
	struct listing l = {a, g, t, k, waive_today(), 0, &all};

	TRY(waive_list_entries(&l));
	for (size_t i = 0; i < all.n; i++)
		if (strs_has(&all.p[i].waiver.ids, id))
			*VEC_PUSH(a, out) = all.p[i];
	VEC_SORT(out, by_end);
	return NULL;
}

void waivers_list_text(struct out *o, const struct waive_list *list)
{
	struct arena *a ARENA_LOCAL = arena_new();

	VEC_EACH(const struct waive_listed, x, list) {
		const struct waiver *w = &x->waiver;

		if (x->problem.n) {
			out_styled(o, OUT_RED, STR("broken"));
			out_puts(o, "      ");
		} else {
			out_styled(o, x->ended ? OUT_RED : OUT_PLAIN, w->expires);
			out_puts(o, "  ");
		}
		if (x->ended)
			out_styled(o, OUT_RED, STR("ended  "));
		else if (!x->problem.n)
			out_fmt(o, "%4lld d  ", (long long)x->days);
		out_styled(o, OUT_BOLD, x->id.n ? x->id : w->item);
		if (w->constraint)
			out_fmt(o, " #%lld", (long long)w->constraint);
		out_puts(o, w->item.n ? "  " : "");
		out_safe(o, waive_entry_place_text(a, w), false);
		if (!w->in_comment && w->paths.n) {
			out_puts(o, "  in ");
			out_safe(o, str_join(a, &w->paths, ", "), false);
		}
		if (w->owner.n) {
			out_puts(o, "  ");
			out_safe(o, w->owner, false);
		}
		out_puts(o, ": ");
		out_safe_line(o, x->problem.n ? x->problem : w->reason);
	}
}
