/* The policy: the faults that only a change has, and which faults of it block it. */
#include "garden/doc.h"
#include "garden/section_edit.h"
#include "os/os.h"

/* ---- faults that only a change has ---- */

struct comparer {
	struct arena *a;
	const struct garden_path *path;
	const struct garden_doc *before, *after;
	struct garden_problems *out;
	/* the headings of each text that can have an anchor, and the anchors of the text after */
	struct garden_names old_headings, new_headings, new_anchors;
};

#define SAY(c, rule, at, subject, ...)                                                             \
	garden_problem_add((c)->a, (c)->out, GARDEN_RULE_##rule, (at), (subject), __VA_ARGS__)

static struct str compare_slice(const struct garden_doc *d, struct span at)
{
	return str_sub(d->text, at.from, at.to);
}

/* ---- anchors ---- */

static void compare_headings(struct arena *a, const struct garden_doc *d, struct garden_names *out)
{
	for (size_t i = 0; i < d->sections.n; i++)
		if (!d->sections.p[i].nested)
			*VEC_PUSH(a, out) = (struct garden_name){d->sections.p[i].heading, i};
	garden_names_sort(out);
}

/* The section that the anchor belongs to, or NULL. */
static const struct md_section *compare_owner(const struct garden_doc *d,
					      const struct md_anchor *at)
{
	size_t low = 0;

	/* The last heading that begins before the anchor is the only one that it can belong to. */
	BISECT(low, mid, d->sections.n, d->sections.p[mid].at.from < at->at.from);
	/* A heading in a quote or list item is text between an anchor and the heading above. */
	if (!low || d->sections.p[low - 1].nested)
		return NULL;
	low--;
	return d->sections.p[low].anchor.n && d->sections.p[low].anchor_at.from == at->at.from
		       ? &d->sections.p[low]
		       : NULL;
}

/* The place of a section among those with the same heading, and their number. */
static size_t compare_ordinal(const struct garden_names *headings, const struct garden_doc *d,
			      const struct md_section *s, size_t *of)
{
	const struct garden_name *first = garden_names_find(headings, s->heading, of);
	size_t at = (size_t)(s - d->sections.p), low = 0;

	BISECT(low, mid, *of, first[mid].i < at);
	return low;
}

/* The text without blanks at its ends, and runs of blanks as one. */
static void compare_put_words(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_any_space(s.p[i]))
			buf_putc(out, s.p[i]);
		else if (out->n && out->p[out->n - 1] != ' ')
			buf_putc(out, ' ');
}

static struct str compare_words(struct arena *a, const struct garden_doc *d, struct span at)
{
	struct buf b = buf_in(a);

	compare_put_words(&b, compare_slice(d, at));
	return str_trim(buf_as_str(&b));
}

/*
 * Whether the anchor still has its heading. With another heading of the same words, it has if it
 * is the same one of them by number, or has its text still. A heading may get other words: then the
 * former words are gone, and the new ones are not those of a former heading. An anchor may also
 * come home, to the heading that the grammar gives it.
 */
static bool compare_keeps_heading(struct comparer *c, const struct md_section *old,
				  const struct md_section *new)
{
	const struct garden_form *form = c->after->form;
	const struct garden_section *home = garden_form_find_section(form, STR(""), new->anchor);
	size_t old_at, new_at, old_n, new_n;

	if (old->level != new->level)
		return false;
	if (str_eq(old->heading, new->heading)) {
		old_at = compare_ordinal(&c->old_headings, c->before, old, &old_n);
		new_at = compare_ordinal(&c->new_headings, c->after, new, &new_n);
		/* Or the text below the heading and its anchors is the same but for blanks. */
		return old_at == new_at ||
		       (old_n != new_n && str_eq(compare_words(c->a, c->before, old->body),
						 compare_words(c->a, c->after, new->body)));
	}
	garden_names_find(&c->new_headings, old->heading, &old_n);
	garden_names_find(&c->old_headings, new->heading, &new_n);
	if (!old_n && !new_n)
		return true;
	return home && str_is(new->heading, home->heading);
}

static void compare_anchor_gone(struct comparer *c, const struct md_anchor *at,
				const struct md_section *owner)
{
	const struct garden_name *same;
	const struct md_section *s = NULL;
	struct garden_problem *p;
	size_t n;

	same = owner ? garden_names_find(&c->new_headings, owner->heading, &n) : NULL;
	if (same)
		s = &c->after->sections.p[same->i];
	if (s && s->anchor.n)
		p = SAY(c, ANCHOR, s->anchor_at.from, at->name,
			"the anchor of '%.*s' was changed from '%.*s' to '%.*s'",
			STR_ARG(s->heading), STR_ARG(at->name), STR_ARG(s->anchor));
	else if (s)
		p = SAY(c, ANCHOR, s->at.from, at->name, "the anchor '%.*s' of '%.*s' was removed",
			STR_ARG(at->name), STR_ARG(s->heading));
	else if (owner)
		p = SAY(c, ANCHOR, SIZE_MAX, at->name,
			"the anchor '%.*s' was removed with its section '%.*s'", STR_ARG(at->name),
			STR_ARG(str_utf8_head(owner->heading, 80)));
	else
		p = SAY(c, ANCHOR, SIZE_MAX, at->name, "the anchor '%.*s' was removed",
			STR_ARG(at->name));
	p->d.fix =
		str_fmt(c->a, "put back '%.*s'%s%.*s%s", STR_ARG(compare_slice(c->before, at->at)),
			owner ? " on the line below '" : "",
			STR_ARG(owner ? owner->heading : STR("")), owner ? "'" : "");
}

static void compare_anchor(struct comparer *c, const struct md_anchor *at)
{
	const struct md_section *old = compare_owner(c->before, at), *new = NULL;
	struct str bytes = compare_slice(c->before, at->at);
	bool same = false, kept = !old;
	const struct garden_name *found;
	const struct md_anchor *last;
	struct garden_problem *p;
	size_t n;

	found = garden_names_find(&c->new_anchors, at->name, &n);
	if (!found) {
		compare_anchor_gone(c, at, old);
		return;
	}
	last = &c->after->anchors.p[found->i];
	for (size_t i = 0; i < n; i++) {
		last = &c->after->anchors.p[found[i].i];
		same = same || str_eq(bytes, compare_slice(c->after, last->at));
		new = compare_owner(c->after, last);
		kept = kept || (new &&compare_keeps_heading(c, old, new));
	}
	if (!same)
		SAY(c, ANCHOR, last->at.from, at->name,
		    "the anchor '%.*s' was written anew as '%.*s'", STR_ARG(at->name),
		    STR_ARG(compare_slice(c->after, last->at)))
			->d.fix = str_fmt(c->a, "write it as before: '%.*s'", STR_ARG(bytes));
	if (kept)
		return;
	p = new ? SAY(c, ANCHOR_MOVED, last->at.from, at->name,
		      str_eq(old->heading, new->heading)
			      ? "the anchor '%.*s' was moved from '%.*s' to another '%.*s'"
			      : "the anchor '%.*s' was moved from '%.*s' to '%.*s'",
		      STR_ARG(at->name), STR_ARG(str_utf8_head(old->heading, 80)),
		      STR_ARG(str_utf8_head(new->heading, 80)))
		: SAY(c, ANCHOR_MOVED, last->at.from, at->name,
		      "the anchor '%.*s' no longer stands on the line below '%.*s'",
		      STR_ARG(at->name), STR_ARG(old->heading));
	p->d.fix = str_fmt(c->a, "put it on the line below '%.*s'", STR_ARG(old->heading));
}

static void compare_anchors(struct comparer *c)
{
	const struct md_anchors *old = &c->before->anchors, *new = &c->after->anchors;
	struct garden_names names = {0};
	size_t n;

	compare_headings(c->a, c->before, &c->old_headings);
	compare_headings(c->a, c->after, &c->new_headings);
	for (size_t i = 0; i < new->n; i++)
		*VEC_PUSH(c->a, &c->new_anchors) = (struct garden_name){new->p[i].name, i};
	garden_names_sort(&c->new_anchors);
	for (size_t i = 0; i < old->n; i++)
		*VEC_PUSH(c->a, &names) = (struct garden_name){old->p[i].name, i};
	garden_names_sort(&names);
	for (size_t i = 0; i < names.n; i += n) {
		const struct garden_name *first = garden_names_find(&names, names.p[i].name, &n);

		/* Of an anchor that the text before had twice, the change may keep any. */
		if (n == 1)
			compare_anchor(c, &old->p[first->i]);
		else if (!garden_names_find(&c->new_anchors, first->name, &(size_t){0}))
			compare_anchor_gone(c, &old->p[first->i], NULL);
	}
}

/* ---- identity ---- */

/* 7 and "7" are different ids to readers of YAML. */
static bool compare_same_value(const struct val *a, const struct val *b)
{
	bool plain = a->type != VAL_LIST && a->type != VAL_MAP && b->type != VAL_LIST &&
		     b->type != VAL_MAP;

	if (plain)
		return a->type == b->type && str_eq(a->s, b->s);
	if (a->type != b->type || a->n != b->n)
		return false;
	if (a->type != VAL_LIST)
		return val_eq(a, b);
	for (a = a->first, b = b->first; a; a = a->next, b = b->next)
		if (!compare_same_value(a, b))
			return false;
	return true;
}

/*
 * A tag or an anchor of YAML before the value, or a tab around it: readers of YAML understand these
 * differently, fail, or run what a tag names. So an identity field has one plain spelling.
 */
static bool compare_is_odd(const struct garden_doc *d, const struct val *v)
{
	size_t from = v->at.from, to = v->at.to;

	if (v->type == VAL_LIST || v->type == VAL_MAP) {
		VAL_EACH(v, one)
			if (compare_is_odd(d, one))
				return true;
		return false;
	}
	if (from >= d->text.n || d->text.p[from] == '!' || d->text.p[from] == '&')
		return from < d->text.n;
	while (from && d->text.p[from - 1] != '\n') {
		char at = d->text.p[--from];

		if (at == '!' || at == '&' || at == '\t')
			return true;
	}
	while (to < d->text.n && (d->text.p[to] == ' ' || d->text.p[to] == '\t'))
		if (d->text.p[to++] == '\t')
			return true;
	return false;
}

static void compare_identity(struct comparer *c)
{
	/* Without fields that can be compared, that is the fault of the text after. */
	if (!c->after->front && (c->after->has_front || !c->after->form->free))
		return;
	for (const struct garden_field *f = c->after->form->fields; f->name; f++) {
		const struct val *old = val_get(c->before->front, f->name);
		const struct val *new = val_get(c->after->front, f->name);
		struct str was, want = garden_field_value_from_path(c->path, f);

		if (!(f->flags & GARDEN_IDENTITY) || !old)
			continue;
		was = str_utf8_head(compare_slice(c->before, old->at), 80);
		if (!new)
			SAY(c, IDENTITY, SIZE_MAX, str_of(f->name),
			    "'%s' was removed from the front matter", f->name)
				->d.fix =
				str_fmt(c->a, "put back '%s: %.*s'", f->name, STR_ARG(was));
		/* After a move the former id does not fit the path, and whoever mends that changes
		 * it. */
		else if (!compare_same_value(old, new) &&
			 (str_eq(old->s, new->s) || !want.n || new->type == VAL_LIST ||
			  new->type == VAL_MAP || !str_eq(new->s, want)))
			SAY(c, IDENTITY, new->at.from, str_of(f->name),
			    "'%s' of the front matter was changed", f->name)
				->d.fix =
				str_fmt(c->a, "write '%s: %.*s' as before", f->name, STR_ARG(was));
		else if (compare_is_odd(c->after, new) && !compare_is_odd(c->before, old))
			SAY(c, IDENTITY, new->at.from, str_of(f->name),
			    "'%s' of the front matter has a tag, an anchor or a tab now", f->name)
				->d.fix =
				str_fmt(c->a, "write '%s: %.*s' as before", f->name, STR_ARG(was));
	}
}

/* ---- the Change Log ---- */

/* What the text says: without headings of level 2, anchors, blanks, and the Change Log. */
static struct str compare_substance(struct arena *a, const struct garden_doc *d)
{
	const struct md_section *log = garden_doc_log(d);
	struct buf out = buf_in(a);
	size_t at = d->body, anchor = 0, section = 0;

	for (;;) {
		struct span skip = {d->text.n, d->text.n};

		while (anchor < d->anchors.n && d->anchors.p[anchor].at.to <= at)
			anchor++;
		while (section < d->sections.n &&
		       (d->sections.p[section].heading_at.to <= at ||
			d->sections.p[section].level != 2 || d->sections.p[section].nested))
			section++;
		if (anchor < d->anchors.n)
			skip = d->anchors.p[anchor].at;
		if (section < d->sections.n && d->sections.p[section].at.from <= skip.from)
			skip = &d->sections.p[section] == log ? log->at
							      : d->sections.p[section].heading_at;
		if (log && log->at.from >= at && log->at.from <= skip.from && log->at.to > at)
			skip = log->at;
		compare_put_words(&out, str_sub(d->text, at, size_max(at, skip.from)));
		if (skip.from >= d->text.n)
			break;
		compare_put_words(&out, STR(" "));
		at = size_max(at, skip.to);
	}
	return str_trim(buf_as_str(&out));
}

/*
 * Whether the texts differ in what they say: not in dates, blanks, headings, anchors, and the
 * Change Log alone. False when either has front matter that does not parse.
 */
static bool garden_change_is_material(struct arena *a, const struct garden_doc *before,
				      const struct garden_doc *after)
{
	const struct val *fronts[] = {before->front, after->front};

	/* Then the text begins at another place, and nothing can be said. */
	if (before->front_wrong.n || after->front_wrong.n)
		return false;

	for (size_t k = 0; k < 2 && fronts[0] && fronts[1]; k++)
		VAL_EACH(fronts[k], it) {
			const struct val *other = val_get_key(fronts[1 - k], it->key);
			const struct garden_field *f = after->form->fields;

			while (f->name && !str_is(it->key, f->name))
				f++;
			if (f->name && (f->flags & GARDEN_DATE))
				continue;
			if (!other || !compare_same_value(it, other))
				return true;
		}
	return !str_eq(compare_substance(a, before), compare_substance(a, after));
}

static struct garden_names compare_item_names(struct comparer *c, const struct garden_doc *d,
					      const struct garden_items *v)
{
	struct garden_names names = {0};

	for (size_t i = 0; i < v->n; i++)
		*VEC_PUSH(c->a, &names) =
			(struct garden_name){compare_words(c->a, d, v->p[i]->at), i};
	garden_names_sort(&names);
	return names;
}

/* How many items of one log the other one does not have; equal items are counted. */
static size_t compare_lost_items(struct comparer *c, const struct garden_doc *of,
				 const struct garden_items *v, const struct garden_doc *in,
				 const struct garden_items *other)
{
	const struct garden_names mine = compare_item_names(c, of, v),
				  names = compare_item_names(c, in, other);
	size_t lost = 0, n, m;

	for (size_t i = 0; i < mine.n; i += n) {
		garden_names_find(&mine, mine.p[i].name, &n);
		garden_names_find(&names, mine.p[i].name, &m);
		lost += n > m ? n - m : 0;
	}
	return lost;
}

static bool compare_log_time(const struct md_block *item, int64_t *ms)
{
	return os_time_read(str_sub(item->text, 0, str_find(item->text, STR(": "), 0)), ms);
}

/* Former items stay together in their order; new ones stand below or above them, and are newer. */
static void compare_log_order(struct comparer *c, const struct garden_items *was,
			      const struct garden_items *is)
{
	size_t first = 0, same = 0;
	int64_t last = INT64_MIN, ms;

	for (; first + was->n <= is->n && same < was->n; first += same < was->n)
		for (same = 0; same < was->n; same++)
			if (!str_eq(compare_words(c->a, c->before, was->p[same]->at),
				    compare_words(c->a, c->after, is->p[first + same]->at)))
				break;
	for (size_t i = 0; i < was->n; i++)
		if (compare_log_time(was->p[i], &ms) && ms > last)
			last = ms;
	for (size_t i = 0; i < is->n; i++) {
		bool moved = same < was->n;

		if (!moved && ((i >= first && i < first + was->n) ||
			       !compare_log_time(is->p[i], &ms) || ms >= last))
			continue;
		SAY(c, CHANGE_LOG_FORM, is->p[i]->at.from, is->p[i]->text,
		    moved ? "former items of the Change Log have another order, or a new item "
			    "between them"
			  : "the new item '%.*s' of the Change Log is older than a former one",
		    STR_ARG(str_utf8_head(is->p[i]->text, 40)))
			->d.fix = STR("keep the former lines in their order, and add new ones "
				      "below them");
		return;
	}
}

static void compare_log(struct comparer *c)
{
	const struct md_section *old = garden_doc_log(c->before), *new = garden_doc_log(c->after);
	struct garden_items was = {0}, is = {0};
	size_t lost;

	if (old)
		garden_doc_items(c->a, c->before, old->at, &was);
	if (new)
		garden_doc_items(c->a, c->after, new->at, &is);
	if (old && !new) {
		SAY(c, CHANGE_LOG_GONE, SIZE_MAX, STR(""), "the Change Log was removed")->d.fix =
			STR("put back the section; new lines go below the former ones");
		return;
	}
	if (was.n && !is.n) {
		SAY(c, CHANGE_LOG_GONE, new->at.from, STR(""), "the Change Log was emptied");
		return;
	}
	lost = compare_lost_items(c, c->before, &was, c->after, &is);
	if (lost)
		SAY(c, CHANGE_LOG_PAST, new->at.from, STR(""),
		    "%zu former item%s of the Change Log %s changed or removed", lost, PLURAL(lost),
		    lost == 1 ? "was" : "were");
	else
		compare_log_order(c, &was, &is);
	if (!compare_lost_items(c, c->after, &is, c->before, &was) &&
	    garden_change_is_material(c->a, c->before, c->after))
		SAY(c, CHANGE_LOG_LINE, new ? new->at.from : SIZE_MAX, STR(""),
		    "the change adds no line to the Change Log");
}

/* The faults that only a change has: it loses anchors, identity, the Change Log. */
static void garden_doc_compare(struct arena *a, const struct garden_path *path,
			       const struct garden_doc *before, const struct garden_doc *after,
			       struct garden_problems *out)
{
	struct comparer c = {.a = a, .path = path, .before = before, .after = after, .out = out};

	if (before->unreadable.n || after->unreadable.n)
		return;
	compare_anchors(&c);
	compare_identity(&c);
	if (!after->form->free)
		compare_log(&c);
}

/* ---- dates ---- */

struct str garden_text_set_dates(struct arena *a, enum garden_kind kind, struct str before,
				 struct str after, int64_t now)
{
	const struct garden_form *form = &garden_grammar[kind];
	struct str time = os_time_text(a, now, false), date = {0};
	struct garden_doc old, new;
	int64_t ms;
	size_t at;

	if (!form->fields[0].name || !before.p || !after.p)
		return after;
	garden_doc_read(a, form, before, &old);
	garden_doc_read(a, form, after, &new);
	if (old.unreadable.n || new.unreadable.n || !old.front || !new.front ||
	    !garden_change_is_material(a, &old, &new))
		return after;
	/* A form has one date. */
	for (const struct garden_field *f = form->fields; f->name && !date.p; f++) {
		const struct val *was = val_get(old.front, f->name);
		const struct val *is = val_get(new.front, f->name);

		if (!(f->flags & GARDEN_DATE) || !was || !is || was->type == VAL_LIST ||
		    was->type == VAL_MAP || is->type != was->type || !str_eq(was->s, is->s) ||
		    !os_time_read(is->s, &ms))
			continue;
		/* Quotes around it stay. */
		at = str_find(str_sub(after, 0, is->at.to), is->s, is->at.from);
		if (at != SIZE_MAX)
			date = str_sub(after, at, at + is->s.n);
	}
	if (!date.p)
		return after;
	return str_fmt(a, "%.*s%.*s%.*s", (int)(date.p - after.p), after.p,
		       STR_ARG(str_sub(time, 0, date.n == sizeof("2026-01-31") - 1 ? 10 : time.n)),
		       STR_ARG(str_sub(after, (size_t)(date.p - after.p) + date.n, after.n)));
}

/* ---- whether a text says anything ---- */

static bool measure_shows(struct str s)
{
	uint32_t c;

	for (size_t i = 0, n; i < s.n; i += n) {
		n = size_max(str_utf8_char(s.p + i, s.n - i, &c), 1);
		if (n == 1 ? !ascii_is_any_space(s.p[i]) : !garden_char_is_invisible(c))
			return true;
	}
	return false;
}

/* Whether HTML has text outside of its comments and tags. */
static bool measure_html_shows(struct str s)
{
	for (size_t i = 0; i < s.n;) {
		bool comment = str_starts(str_sub(s, i, s.n), STR("<!--"));
		size_t end = str_find_char(s, '<', i);

		if (s.p[i] == '<') {
			end = comment ? str_find(s, STR("-->"), i + 4) : str_find_char(s, '>', i);
			if (end == SIZE_MAX)
				return false;
			i = end + (comment ? 3 : 1);
			continue;
		}
		end = end == SIZE_MAX ? s.n : end;
		if (measure_shows(str_sub(s, i, end)))
			return true;
		i = end;
	}
	return false;
}

/* Whether a reader would see nothing: no text but comments, tags and hidden characters. */
static bool garden_doc_is_empty(const struct garden_doc *d)
{
	if (d->unreadable.n)
		return false;
	VEC_EACH(const struct md_block, b, &d->md)
		if (b->type == MD_HTML
			    ? measure_html_shows(b->text)
			    : b->link.n || measure_shows(b->text) || measure_shows(b->struck))
			return false;
	return true;
}

/* ---- what a fault does ---- */

struct judge {
	struct arena *a;
	const struct garden_ask *q;
	struct garden_problems found; /* of the change */
	struct garden_problems had;   /* of the text before, sorted by rule and subject */
};

/* A fault of the file as a whole: at no place. */
#define FAULT(j, rule, subject, ...)                                                               \
	garden_problem_add((j)->a, &(j)->found, GARDEN_RULE_##rule, SIZE_MAX, (subject),           \
			   __VA_ARGS__)

ORDER_OF(policy_subject_cmp, struct garden_problem, ORDER_UP(d.rule) || ORDER_STR(subject))

static bool policy_had(const struct judge *j, const struct garden_problem *p)
{
	size_t low = 0;

	BISECT(low, mid, j->had.n, policy_subject_cmp(&j->had.p[mid], p) < 0);
	for (; low < j->had.n && !policy_subject_cmp(&j->had.p[low], p); low++)
		if (j->had.p[low].measure >= p->measure)
			return true;
	return false;
}

static void policy_apply(const struct judge *j, struct garden_problem *p)
{
	const struct garden_ask *q = j->q;
	struct garden_diagnostic *d = &p->d;
	bool given = q->rationale.n > 0, allowed = false;

	if (d->old) {
		d->severity = d->severity == GARDEN_ERROR ? GARDEN_WARNING : d->severity;
		return;
	}
	switch (garden_rules[d->rule].force) {
	case GARDEN_FORCE_NEVER: break;
	case GARDEN_FORCE_PERSON: allowed = q->maintainer || (q->person && given); break;
	case GARDEN_FORCE_TOOL:
		if (q->person || q->maintainer)
			return;
		break;
	case GARDEN_FORCE_CAP:
		if ((q->person || q->maintainer) && !given)
			return;
		allowed = given;
		break;
	case GARDEN_FORCE_WARN: return;
	}
	d->overridden = allowed;
	d->blocks = !allowed;
	if (d->blocks)
		d->severity = GARDEN_ERROR;
}

ORDER_OF(policy_offset_cmp, struct garden_problem, ORDER_UP(at) || ORDER_UP(d.rule))

ORDER_OF(policy_place_cmp, struct garden_diagnostic,
	 ORDER_UP(line) || ORDER_UP(column) || ORDER_UP(rule) || ORDER_STR(message))

/* Gives the faults in the order of their places. judged: each also does what its rule says. */
static void policy_emit_diagnostics(struct judge *j, struct str text, bool judged,
				    struct garden_diagnostics *out)
{
	struct garden_problems *v = &j->found;
	struct places places = {.text = text};

	*out = (struct garden_diagnostics){0};
	if (!v->n)
		return;
	qsort(v->p, v->n, sizeof(*v->p), policy_offset_cmp);
	VEC_EACH(struct garden_problem, p, v) {
		if (p->at != SIZE_MAX) {
			struct place at = str_place_of_next_offset(&places, p->at);

			p->d.line = at.line;
			p->d.column = at.column;
		}
		p->d.subject = p->subject;
		if (judged)
			policy_apply(j, p);
		*VEC_PUSH(j->a, out) = p->d;
	}
	qsort(out->p, out->n, sizeof(*out->p), policy_place_cmp);
}

/* ---- a change ---- */

static void policy_path(struct judge *j)
{
	const struct garden_ask *q = j->q;
	struct garden_problem *p;

	/* A person may mend or remove what should not be there. */
	if (q->person && q->before.p && !q->after.p)
		return;
	p = FAULT(j, PATH, STR(""), "the garden's grammar has no path '%.*s'", STR_ARG(q->path));
	p->d.fix =
		str_fmt(j->a, "use one of %.*s; " GARDEN_ID_FORM, STR_ARG(garden_path_forms(j->a)));
	if (str_holds(q->path, "/history/"))
		p->d.fix = STR("history copies are made by ikm, at each write of a profile and by "
			       "md_snapshot_history");
	p->d.old = q->person && q->before.p;
}

static void policy_user(struct judge *j, struct str user)
{
	const struct garden_ask *q = j->q;

	if (!q->person && !q->maintainer && q->user.n && !str_eq(q->user, user))
		FAULT(j, OTHER_USER, STR(""), "'%.*s' is the folder of '%.*s', and '%.*s' asks",
		      STR_ARG(q->path), STR_ARG(user), STR_ARG(q->user));
}

/* Only new files are judged: files that have such an id already stay valid. */
static void policy_ids(struct judge *j, const struct garden_path *path)
{
	const struct str ids[] = {path->user, path->id};
	struct str why, fix;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		if (!ids[i].n || (i && str_eq(ids[0], ids[1])) ||
		    garden_id_check(j->a, ids[i], &why, &fix))
			continue;
		FAULT(j, ID, ids[i], "the id '%.*s' %.*s", STR_ARG(ids[i]), STR_ARG(why))->d.fix =
			fix.n ? fix : STR(GARDEN_ID_FORM);
	}
}

/* The rules that need no look into the texts. True: nothing else is to be judged. */
static bool policy_file(struct judge *j, const struct garden_path *path)
{
	const struct garden_ask *q = j->q;

	policy_user(j, path->user);
	if (!garden_grammar[path->kind].frozen) {
		if (!q->before.p)
			policy_ids(j, path);
	} else if (q->before.p && q->after.p && !str_eq(q->before, q->after)) {
		FAULT(j, HISTORY, STR(""), "a history copy is never changed");
	} else if (!q->before.p && !q->snapshot && !q->person && !q->maintainer) {
		FAULT(j, HISTORY, STR(""), "history copies are written by snapshots only")->d.fix =
			str_fmt(j->a, "md_snapshot_history copies '%.*s/%.*s'",
				STR_ARG(path->folder), STR_ARG(path->file));
	}
	if (!q->after.p) {
		if (q->before.p)
			FAULT(j, DELETE, STR(""), "'%.*s' was deleted", STR_ARG(q->path));
		return true;
	}
	return false;
}

static void policy_texts(struct judge *j, const struct garden_path *path)
{
	const struct garden_form *form = &garden_grammar[path->kind];
	struct garden_doc before, after;

	garden_doc_read(j->a, form, j->q->after, &after);
	if (j->q->before.p) {
		garden_doc_read(j->a, form, j->q->before, &before);
		if (garden_doc_is_empty(&after) && !garden_doc_is_empty(&before)) {
			FAULT(j, EMPTY, STR(""), "'%.*s' was emptied", STR_ARG(j->q->path));
			return;
		}
	}
	garden_doc_check(j->a, path, &after, &j->found);
	if (j->q->before.p) {
		garden_doc_check(j->a, path, &before, &j->had);
		VEC_SORT(&j->had, policy_subject_cmp);
		for (size_t i = 0; i < j->found.n; i++)
			j->found.p[i].d.old = j->found.p[i].d.old || policy_had(j, &j->found.p[i]);
		garden_doc_compare(j->a, path, &before, &after, &j->found);
	}
}

struct err *garden_judge_change(struct arena *a, const struct garden_ask *q,
				struct garden_diagnostics *out)
{
	struct judge j = {.a = a, .q = q};
	struct garden_path path;

	*out = (struct garden_diagnostics){0};
	TRY(garden_rationale_check(q->rationale));
	if (!garden_path_read(q->path, &path))
		policy_path(&j);
	else if (!policy_file(&j, &path))
		policy_texts(&j, &path);
	policy_emit_diagnostics(&j, q->after, true, out);
	return NULL;
}

void garden_judge_place(struct arena *a, const struct garden_ask *q, bool folder,
			struct garden_diagnostics *out)
{
	struct judge j = {.a = a, .q = q};
	struct garden_path path;

	if (folder ? garden_path_is_folder(q->path, &path) : garden_path_read(q->path, &path)) {
		policy_user(&j, path.user);
		if (folder)
			policy_ids(&j, &path);
	} else if (folder) {
		FAULT(&j, PATH, STR(""), "the garden's grammar has no folder '%.*s'",
		      STR_ARG(q->path))
			->d.fix = str_fmt(a, "make one for a file of %.*s; " GARDEN_ID_FORM,
					  STR_ARG(garden_path_forms(a)));
	} else {
		policy_path(&j);
	}
	policy_emit_diagnostics(&j, STR(""), true, out);
}

/* ---- a text as it is ---- */

void garden_lint_text(struct arena *a, struct str path, struct str text,
		      struct garden_diagnostics *out)
{
	const struct garden_ask q = {.path = path, .after = text};
	struct judge j = {.a = a, .q = &q};
	struct garden_path p;
	struct garden_doc doc;

	if (!garden_path_read(path, &p)) {
		policy_path(&j);
	} else {
		garden_doc_read(a, &garden_grammar[p.kind], text, &doc);
		garden_doc_check(a, &p, &doc, &j.found);
		if (!doc.form->frozen)
			policy_ids(&j, &p);
	}
	policy_emit_diagnostics(&j, text, false, out);
}
