/* Changes a status in the text of an item, and reads the result again before anybody writes it. */
#include "knowledge/item_edit.h"
#include "knowledge/field_edit.h"
#include "os/os.h"

struct err *knowledge_file(struct arena *a, const struct kn_item *item, const char **path)
{
	const struct kn_source *s = item->source;

	if (!s->folder)
		return err_help(err_new(E_BAD_ARGUMENT,
					"'%.*s' is read from '%.*s', which is no folder on disk",
					STR_ARG(item->id), STR_ARG(s->name)),
				"change it in a working tree of its own repository");
	*path = os_join(a, s->folder, str_c(a, item->path));
	return NULL;
}

/* ---- transitions ---- */

#define NEXT(status) (1u << KN_STATUS_##status)
static const unsigned next_statuses[] = {
	[KN_STATUS_DRAFT] = NEXT(PROPOSED) | NEXT(REJECTED),
	[KN_STATUS_PROPOSED] = NEXT(ACCEPTED) | NEXT(REJECTED),
	[KN_STATUS_ACCEPTED] = NEXT(DEPRECATED) | NEXT(SUPERSEDED),
	[KN_STATUS_DEPRECATED] = NEXT(ACCEPTED),
	[KN_STATUS_SUPERSEDED] = 0,
	[KN_STATUS_REJECTED] = 0,
};

unsigned knowledge_next_statuses(enum kn_status from)
{
	return next_statuses[from];
}

struct err *rewrite_broken_item_error(const struct knowledge *k, const struct kn_item *item)
{
	VEC_EACH(const struct kn_note, n, &k->notes)
		if (n->kind == KN_BROKEN && str_eq(n->path, item->shown_path))
			return err_help(err_new(E_BAD_MARKDOWN,
						"%.*s:%zu: the item is broken knowledge: %.*s",
						STR_ARG(n->path), n->line, STR_ARG(n->message)),
					"correct the file first");
	return err_new(E_BAD_MARKDOWN, "'%.*s' is broken knowledge: correct the file first",
		       STR_ARG(item->shown_path));
}

struct err *knowledge_may_become(struct arena *a, const struct knowledge *k,
				 const struct kn_item *item, enum kn_status to)
{
	struct strs allowed = {0};
	struct err *e;

	if (item->broken)
		return rewrite_broken_item_error(k, item);
	if (next_statuses[item->status] & 1u << to)
		return NULL;
	if (item->status == KN_STATUS_SUPERSEDED && item->superseded_by.n)
		return err_help(err_new(E_SUPERSEDED, "'%.*s' is superseded by '%.*s' already",
					STR_ARG(item->id), STR_ARG(item->superseded_by.p[0])),
				"'ikm know show %.*s' shows the successor",
				STR_ARG(item->superseded_by.p[0]));
	for (int s = 0; kn_statuses[s]; s++)
		if (next_statuses[item->status] & 1u << s)
			strs_push(a, &allowed, str_of(kn_statuses[s]));
	e = err_for_param(E_BAD_ARGUMENT, STR("status"),
			  "'%.*s' is %s, and cannot become %s; %s%.*s", STR_ARG(item->id),
			  kn_statuses[item->status], kn_statuses[to],
			  allowed.n ? "allowed: " : "no status follows this one",
			  STR_ARG(str_join(a, &allowed, ", ")));
	err_add_detail(e, "from", str_of(kn_statuses[item->status]));
	err_detail_list(e, "allowed", &allowed);
	return err_help(e, allowed.n ? "give a status that is allowed"
				     : "write a new item: 'ikm know new --help'");
}

/* ---- reading again ---- */

struct err *rewrite_parse_item(struct arena *a, const struct kn_item *as, struct str text,
			       struct knowledge *k, size_t *at)
{
	struct kn_reading r = {.a = a,
			       .k = k,
			       .text = text,
			       .in_tree = as->in_tree,
			       .layer_fixed = true,
			       .type_fixed = true,
			       .named = as->source->files != NULL};

	*at = k->items.n;
	if (!kn_read(&r, as->source, as->path, as->layer, as->owner, as->type))
		return err_new(E_BAD_ARGUMENT, "a file named '%.*s' is no item: ikm passes over it",
			       STR_ARG(as->path));
	return NULL;
}

struct err *rewrite_read_before(struct arena *a, const struct kn_item *item, struct str text,
				struct kn_item *out)
{
	struct knowledge k = {0};
	size_t i;

	TRY(rewrite_parse_item(a, item, text, &k, &i));
	*out = k.items.p[i];
	if (str_eq(k.items.p[i].id, item->id) &&
	    str_eq(k.items.p[i].status_text, item->status_text) &&
	    k.items.p[i].constraints_n == item->constraints_n)
		return NULL;
	return err_help(
		err_new(E_CHANGED, "'%.*s' was changed meanwhile", STR_ARG(item->shown_path)),
		"run the command again");
}

struct err *rewrite_failed_error(const struct kn_item *item, const struct kn_text *t,
				 const struct kn_spot *spot, const char *what)
{
	size_t line = str_place_of_offset(t->text, spot->value.from).line;

	return err_help(err_new(E_BAD_MARKDOWN,
				"'%.*s' was not changed: ikm cannot write %s at line %zu, in this "
				"form of the file",
				STR_ARG(item->shown_path), what, line),
			"change that line by hand");
}

bool rewrite_same_strs(const struct strs *one, const struct strs *two)
{
	size_t i = 0;

	while (i < one->n && i < two->n && str_eq(one->p[i], two->p[i]))
		i++;
	return i == one->n && i == two->n;
}

bool rewrite_kept_rest(const struct kn_item *was, const struct kn_item *now)
{
	return !now->broken && str_eq(was->id, now->id) && str_eq(was->title, now->title) &&
	       str_eq(was->summary, now->summary) && was->constraints_n == now->constraints_n;
}

struct err *knowledge_edit_kept(struct arena *a, const struct kn_item *item, struct str before,
				struct str after, bool *kept)
{
	struct knowledge k = {0};
	const struct kn_item *was, *now;
	size_t i, j;

	TRY(rewrite_parse_item(a, item, before, &k, &i));
	TRY(rewrite_parse_item(a, item, after, &k, &j));
	was = &k.items.p[i];
	now = &k.items.p[j];
	*kept = now->broken == was->broken && str_eq(was->id, now->id) &&
		str_eq(was->title, now->title) && str_eq(was->summary, now->summary) &&
		was->status == now->status && was->constraints_n == now->constraints_n &&
		rewrite_same_strs(&was->supersedes, &now->supersedes) &&
		rewrite_same_strs(&was->superseded_by, &now->superseded_by);
	return NULL;
}

/* ---- the status ---- */

struct err *knowledge_write_status(struct arena *a, const struct kn_item *item, struct str text,
				   enum kn_status to, struct str *out, struct strs *notes)
{
	struct kn_edits edits = {0};
	struct knowledge k = {0};
	struct kn_item was;
	struct kn_text t, now;
	struct kn_spot s;
	size_t i;

	TRY(rewrite_read_before(a, item, text, &was));
	TRY(kn_text_parse(a, text, &t));
	s = kn_spot_of_member(&t, KN_STATUS);
	TRY(rewrite_replace_status_word(a, &was, &t, &s, kn_statuses[to], &edits));
	rewrite_updated(a, &t, &edits, notes);
	*out = kn_edits_apply(a, text, &edits);
	TRY(rewrite_parse_item(a, item, *out, &k, &i));
	TRY(kn_text_parse(a, *out, &now));
	/*
	 * A file without a status reads as a draft, and one with a successor as superseded. So the
	 * written status has to be there: a comment that nothing ends would swallow it.
	 */
	if (k.items.p[i].status != to || !k.items.p[i].status_text.n ||
	    kn_spot_of_member(&now, KN_STATUS).style == KN_NOWHERE ||
	    !rewrite_kept_rest(&was, &k.items.p[i]) ||
	    !rewrite_same_strs(&was.supersedes, &k.items.p[i].supersedes))
		return rewrite_failed_error(item, &t, &s, "the status");
	return NULL;
}
