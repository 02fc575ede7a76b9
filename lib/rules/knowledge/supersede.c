/* Writes both sides of a retirement: "superseded by" in the old item, "supersedes" in the new. */
#include "knowledge/item_edit.h"
#include "knowledge/field_edit.h"
#include "os/os.h"

/* ---- whether it may be ---- */

/* Whether item `from` supersedes `to`, directly or through others. */
static bool pair_reaches(const struct knowledge *k, const struct kn_item *from,
			 const struct kn_item *to, struct strs *seen, struct arena *a)
{
	for (size_t i = 0; i < from->supersedes.n; i++) {
		struct str id = from->supersedes.p[i];
		const struct kn_item *next;

		if (str_eq(id, to->id))
			return true;
		if (strs_has(seen, id))
			continue;
		strs_push(a, seen, id);
		next = knowledge_find(k, id, -1);
		if (next && pair_reaches(k, next, to, seen, a))
			return true;
	}
	return false;
}

struct err *knowledge_may_supersede(struct arena *a, const struct knowledge *k,
				    const struct kn_item *old, const struct kn_item *successor)
{
	struct strs seen = {0};

	if (old == successor || str_eq(old->id, successor->id))
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("successor"),
					      "'%.*s' cannot supersede itself", STR_ARG(old->id)),
				"give two items; to begin the new one: ikm know new adr 'TITLE'");
	if (pair_reaches(k, old, successor, &seen, a))
		return err_help(
			err_for_param(
				E_BAD_ARGUMENT, STR("successor"),
				"'%.*s' supersedes '%.*s' already, so the other way round would be "
				"a cycle",
				STR_ARG(old->id), STR_ARG(successor->id)),
			"if that is right, nothing is to be done; else correct 'supersedes' and "
			"the status in '%.*s' and '%.*s' first",
			STR_ARG(old->shown_path), STR_ARG(successor->shown_path));
	TRY(knowledge_may_become(a, k, old, KN_STATUS_SUPERSEDED));
	if (successor->broken)
		return knowledge_may_become(a, k, successor, successor->status);
	if (successor->status != KN_STATUS_ACCEPTED && successor->status != KN_STATUS_PROPOSED)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("successor"),
				      "'%.*s' is %s; allowed for a successor: accepted, "
				      "proposed",
				      STR_ARG(successor->id), kn_statuses[successor->status]),
			"'ikm know status %.*s' shows what may follow", STR_ARG(successor->id));
	return NULL;
}

/* ---- links ---- */

/* The second path as a link in the first file. */
static struct str pair_link(struct arena *a, const char *from, const char *to)
{
	struct str base = str_sub(str_of(from), 0, str_rfind_char(str_of(from), '/') + 1),
		   path = str_of(to), rest;
	struct buf b = buf_in(a);
	size_t same = 0;

	for (size_t i = 0; i < base.n && i < path.n && base.p[i] == path.p[i]; i++)
		if (base.p[i] == '/')
			same = i + 1;
	for (size_t i = same; i < base.n; i++)
		if (base.p[i] == '/')
			buf_puts(&b, "../");
	rest = str_sub(path, same, path.n);
	for (size_t i = 0; i < rest.n; i++)
		if ((unsigned char)rest.p[i] <= ' ' || strchr("()<>%#?\\", rest.p[i]))
			buf_fmt(&b, "%%%02X", (unsigned char)rest.p[i]);
		else
			buf_putc(&b, rest.p[i]);
	return buf_as_str(&b);
}

/*
 * "[5. Title](0005-title.md)", or the id alone. The reader takes the first link of a paragraph for
 * all of its lines, so only an item of a list and a section's text get a link.
 */
static struct str pair_named(struct arena *a, const struct knowledge_side *from,
			     const struct knowledge_side *to, const struct kn_spot *s)
{
	struct str text = s->style == KN_SECTION ? to->item->title : to->item->id;
	struct buf b = buf_in(a);

	if (s->style == KN_LINE && (!s->marker.n || s->marker.p[0] == '|'))
		return to->item->id;

	buf_putc(&b, '[');
	for (size_t i = 0; i < text.n; i++) {
		if (strchr("[]\\`*_<", text.p[i]) && text.p[i])
			buf_putc(&b, '\\');
		buf_putc(&b, text.p[i]);
	}
	buf_fmt(&b, "](%.*s)", STR_ARG(pair_link(a, from->path, to->path)));
	return buf_as_str(&b);
}

/* ---- a list in the front matter ---- */

/* Adds an id to a member that is missing, empty, one id, or a list in either form. */
static void pair_front_add(struct arena *a, const struct kn_text *t, const char *key, struct str id,
			   struct kn_edits *edits)
{
	const struct val *v = val_get(t->front, key);
	struct str scalar = kn_yaml_scalar_text(a, id);
	const char *const keys[] = {key, NULL};
	struct kn_spot s = kn_spot_in_front(t, keys);
	struct span at = s.value;
	struct str lead;

	if (!v) {
		kn_front_add(a, t, key, scalar, edits);
	} else if (v->type == VAL_LIST && at.to > at.from && t->text.p[at.from] == '[') {
		kn_edit_add(a, edits, (struct span){at.to - 1, at.to - 1},
			    str_fmt(a, "%s%.*s", v->n ? ", " : "", STR_ARG(scalar)));
	} else if (v->type == VAL_LIST && v->n) {
		lead = str_sub(t->text, kn_line_at(t->text, v->last->at.from).from,
			       v->last->at.from);
		kn_edit_add(a, edits, (struct span){v->last->at.to, v->last->at.to},
			    str_fmt(a, "%s%.*s%.*s", t->nl, STR_ARG(lead), STR_ARG(scalar)));
	} else if (v->type == VAL_NULL || !str_trim(v->s).n) {
		kn_spot_set_value(a, &s, id, edits);
	} else {
		kn_edit_add(a, edits, at,
			    str_fmt(a, "[%.*s, %.*s]", STR_ARG(str_sub(t->text, at.from, at.to)),
				    STR_ARG(scalar)));
	}
}

/* ---- the two files ---- */

static struct err *pair_old(struct arena *a, struct knowledge_side *old,
			    const struct knowledge_side *successor, struct kn_text *t,
			    struct kn_spot *s, struct kn_item *before)
{
	struct kn_edits edits = {0};
	struct str was, rest;
	struct span at;

	TRY(rewrite_read_before(a, old->item, old->text, before));
	TRY(kn_text_parse(a, old->text, t));
	*s = kn_spot_of_member(t, KN_STATUS);
	if (s->style == KN_LINE || s->style == KN_SECTION) {
		bool more;

		TRY(rewrite_find_status_word(a, before, t, s, &at));
		was = str_sub(t->text, at.from, at.to);
		rest = str_trim(str_sub(t->text, at.to, s->value.to));
		/* "accepted by Ada": the sentence stays whole behind the new status. */
		more = rest.n && (ascii_is_alnum(rest.p[0]) || (unsigned char)rest.p[0] >= 0x80);
		kn_edit_add(a, &edits, more ? (struct span){at.from, at.from} : at,
			    str_fmt(a, "%s%.*s %.*s%s", s->before,
				    STR_ARG(kn_word_in_case_of(a, "superseded by", was)),
				    STR_ARG(pair_named(a, old, successor, s)), more ? "; " : ""));
	} else {
		TRY(rewrite_replace_status_word(a, before, t, s, kn_statuses[KN_STATUS_SUPERSEDED],
						&edits));
		pair_front_add(a, t, "supersededBy", successor->item->id, &edits);
	}
	rewrite_updated(a, t, &edits, &old->notes);
	old->out = kn_edits_apply(a, old->text, &edits);
	return NULL;
}

/* The text behind the value on its line: a hard line break, or a table's bar. */
static struct str pair_rest(const struct kn_text *t, const struct kn_spot *s)
{
	struct str rest = str_sub(t->text, s->value.to, s->line.to);

	for (size_t i = 0; i < rest.n; i++)
		if (!strchr(" \t\\|", rest.p[i]) || !rest.p[i])
			return STR("");
	return rest;
}

static struct err *pair_new(struct arena *a, struct knowledge_side *successor,
			    const struct knowledge_side *old, struct kn_text *t, struct kn_spot *s,
			    struct kn_item *before)
{
	struct kn_edits edits = {0};

	TRY(rewrite_read_before(a, successor->item, successor->text, before));
	TRY(kn_text_parse(a, successor->text, t));
	*s = kn_spot_of_member(t, KN_STATUS);
	successor->out = successor->text;
	if (strs_has(&successor->item->supersedes, old->item->id))
		return NULL;
	if (s->style == KN_LINE) {
		bool row = str_starts(s->marker, STR("|"));
		size_t at = row ? s->end : s->line.to;

		kn_edit_add(a, &edits, (struct span){at, at},
			    str_fmt(a, "%s%.*s%.*sSupersedes%s%.*s%s%.*s%.*s", t->nl,
				    STR_ARG(s->marker), STR_ARG(s->emphasis), row ? "" : ":",
				    STR_ARG(s->emphasis), row ? " | " : " ",
				    STR_ARG(pair_named(a, successor, old, s)),
				    STR_ARG(pair_rest(t, s))));
	}
	if (s->style == KN_SECTION)
		kn_edit_add(a, &edits, (struct span){s->end, s->end},
			    str_fmt(a, "%s%s%.*sSupersedes %.*s", t->nl, s->marker.n ? "" : t->nl,
				    STR_ARG(s->marker), STR_ARG(pair_named(a, successor, old, s))));
	if (s->style == KN_FRONT || s->style == KN_NOWHERE)
		pair_front_add(a, t, "supersedes", old->item->id, &edits);
	rewrite_updated(a, t, &edits, &successor->notes);
	successor->out = kn_edits_apply(a, successor->text, &edits);
	return NULL;
}

static const struct kn_item *pair_item(const struct knowledge *k, const struct kn_item *like)
{
	for (size_t i = 0; i < k->items.n; i++)
		if (str_eq(k->items.p[i].path, like->path) && k->items.p[i].source == like->source)
			return &k->items.p[i];
	BUG("an item that was read is not there");
}

struct err *knowledge_write_superseding(struct arena *a, struct knowledge_side *old,
					struct knowledge_side *successor)
{
	struct kn_text old_text, new_text;
	struct kn_spot old_spot, new_spot;
	struct kn_item old_before, new_before;
	const struct kn_item *was, *now;
	struct knowledge k = {0};
	bool kept;
	size_t i;

	TRY(pair_old(a, old, successor, &old_text, &old_spot, &old_before));
	TRY(pair_new(a, successor, old, &new_text, &new_spot, &new_before));
	TRY(rewrite_parse_item(a, old->item, old->out, &k, &i));
	kept = rewrite_same_strs(&k.items.p[i].supersedes, &old_before.supersedes);
	TRY(rewrite_parse_item(a, successor->item, successor->out, &k, &i));
	knowledge_finish(a, &k);
	was = pair_item(&k, old->item);
	now = pair_item(&k, successor->item);
	if (!kept || was->status != KN_STATUS_SUPERSEDED || !rewrite_kept_rest(&old_before, was) ||
	    !strs_has(&was->superseded_by, successor->item->id) ||
	    was->superseded_by.n > old_before.superseded_by.n + 1)
		return rewrite_failed_error(old->item, &old_text, &old_spot, "its successor");
	if (now->status != successor->item->status || !rewrite_kept_rest(&new_before, now) ||
	    !strs_has(&now->supersedes, old->item->id))
		return rewrite_failed_error(successor->item, &new_text, &new_spot,
					    "what it supersedes");
	return NULL;
}
