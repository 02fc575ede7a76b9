/* Mends what `ikm lint --fix` may mend in a garden: headings, anchors, whitespace. */
#include "garden/doc.h"

static void fix_add(struct arena *a, struct garden_edits *out, enum garden_rule rule, size_t of,
		    struct span at, struct str new)
{
	*VEC_PUSH(a, out) = (struct garden_edit){rule, of, at, new};
}

/* The end of the line that contains the offset, without its line end. */
static size_t fix_end_of_line(struct str text, size_t at)
{
	while (at < text.n && text.p[at] != '\n' && text.p[at] != '\r')
		at++;
	return at;
}

/* The line end that most lines of the text have: what md_whitespace_fixes_find() makes of all but a
 * lone CR. */
static const char *fix_line_end(struct str text)
{
	size_t lf = 0, crlf = 0;

	for (size_t i = 0; (i = str_find_char(text, '\n', i)) != SIZE_MAX; i++)
		++*(i && text.p[i - 1] == '\r' ? &crlf : &lf);
	return crlf > lf ? "\r\n" : "\n";
}

/* ---- headings ---- */

/*
 * The source of a heading "## TEXT" or "## TEXT ##", without the marks; empty: the line has another
 * form. A line of hyphens makes a heading of all text above it, so only such a line is surely a
 * heading and nothing else.
 */
static struct str fix_marked(struct str line)
{
	size_t at = 0, n;
	struct str s;

	while (at < 3 && at < line.n && line.p[at] == ' ')
		at++;
	if (!str_starts(str_sub(line, at, line.n), STR("##")) || at + 2 == line.n ||
	    !ascii_is_any_space(line.p[at + 2]))
		return STR("");
	s = str_trim(str_sub(line, at + 2, line.n));
	for (n = s.n; n && s.p[n - 1] == '#';)
		n--;
	if (n < s.n && (!n || ascii_is_any_space(s.p[n - 1])))
		s = str_trim(str_sub(s, 0, n));
	return s;
}

/* The text in lower case, with single blanks, without punctuation at its end. */
static struct str fix_folded(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	while (s.n && (ascii_is_any_space(s.p[s.n - 1]) || strchr(".,:;!?", s.p[s.n - 1])))
		s.n--;
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_any_space(s.p[i]))
			buf_putc(&b, ascii_lower(s.p[i]));
		else if (b.n && b.p[b.n - 1] != ' ')
			buf_putc(&b, ' ');
	return buf_as_str(&b);
}

static bool fix_is_alike(struct arena *a, struct str x, struct str y)
{
	return str_eq(fix_folded(a, x), fix_folded(a, y));
}

/*
 * The canonical section that the heading is for sure; NULL: none. Its source is compared, not what
 * a reader sees: a link, a tag or a comment would be lost with the line. Between a heading and an
 * anchor that says something else, a person must choose.
 */
static const struct garden_section *fix_meant(struct arena *a, const struct garden_doc *d,
					      const struct md_section *s)
{
	const struct garden_section *k = d->form->sections;

	if (s->nested || s->level != 2 || !s->heading.n)
		return NULL;
	while (k->heading && !str_is(s->heading, k->heading) &&
	       !fix_is_alike(a,
			     fix_marked(str_sub(d->text, s->heading_at.from,
						fix_end_of_line(d->text, s->heading_at.from))),
			     str_of(k->heading)))
		k++;
	if (!k->heading ||
	    (s->anchor.n && !str_eq(s->anchor, garden_anchor(a, str_of(k->heading)))))
		return NULL;
	return k;
}

static void fix_sections(struct arena *a, const struct garden_doc *d, struct garden_edits *out)
{
	size_t count[ARRAY_SIZE(d->form->sections)] = {0};

	/* Counts what each one may be meant to be: by its heading, by its anchor. */
	VEC_EACH(const struct md_section, s, &d->sections) {
		const struct garden_section *heading, *anchor;

		if (s->nested || s->level != 2)
			continue;
		heading = garden_form_find_section(d->form, STR(""), garden_anchor(a, s->heading));
		anchor = garden_form_find_section(d->form, STR(""), s->anchor);
		if (heading)
			count[heading - d->form->sections]++;
		if (anchor && anchor != heading)
			count[anchor - d->form->sections]++;
	}
	VEC_EACH(const struct md_section, s, &d->sections) {
		const struct garden_section *k = fix_meant(a, d, s);
		size_t of = s->heading_at.from, end;
		struct str anchor;

		/* Of two that mean the same section a person must choose. */
		if (!k || count[k - d->form->sections] > 1)
			continue;
		end = fix_end_of_line(d->text, s->heading_at.to);
		if (!str_is(s->heading, k->heading))
			fix_add(a, out, GARDEN_RULE_HEADING, of, (struct span){of, end},
				str_fmt(a, "## %s", k->heading));
		anchor = garden_anchor(a, str_of(k->heading));
		if (s->anchor.n || garden_doc_has_anchor(d, anchor))
			continue;
		/* A CR without an LF ends a line, and no edit changes it. */
		fix_add(a, out, GARDEN_RULE_ANCHOR_MISSING, of, (struct span){end, end},
			str_fmt(a, "%s<!-- @anchor: %.*s -->",
				(end < d->text.n && d->text.p[end] == '\r' &&
				 (end + 1 == d->text.n || d->text.p[end + 1] != '\n'))
					? "\r"
					: fix_line_end(d->text),
				STR_ARG(anchor)));
	}
}

/* ---- edits ---- */

/* Blanks go from a heading's line before its anchor follows; a line end comes last. */
ORDER_OF(fix_edit_cmp, struct garden_edit, ORDER_UP(at.from) || ORDER_UP(at.to) || ORDER_UP(rule))

struct str garden_edits_apply(struct arena *a, struct str text, const struct garden_edits *edits)
{
	struct buf b = buf_in(a);
	size_t at = 0;

	for (size_t i = 0; i < edits->n; i++) {
		buf_put(&b, str_sub(text, at, edits->p[i].at.from));
		buf_put(&b, edits->p[i].new);
		at = edits->p[i].at.to;
	}
	buf_put(&b, str_sub(text, at, text.n));
	return buf_as_str(&b);
}

/*
 * Whether the edit changes white space only, or a heading's own text, or adds an anchor. It looks
 * at the bytes, and not at how they were found.
 */
static bool fix_is_kept(struct arena *a, struct str text, const struct garden_edit *e)
{
	struct str old = str_sub(text, e->at.from, e->at.to), s;

	switch (e->rule) {
	case GARDEN_RULE_WHITESPACE: return !str_trim(old).n && !str_trim(e->new).n;
	case GARDEN_RULE_HEADING:
		s = fix_marked(old);
		return fix_end_of_line(old, 0) == old.n && s.n &&
		       fix_is_alike(a, s, fix_marked(e->new));
	case GARDEN_RULE_ANCHOR_MISSING:
		s = str_trim(e->new);
		return !old.n && str_starts(s, STR("<!-- @anchor: ")) &&
		       str_find(s, STR("-->"), 0) == s.n - 3;
	default: return false;
	}
}

/*
 * Whether the edits change nothing but what they are for, and the policy lets a tool make them.
 * Outside of the edits no byte changes.
 */
static bool fix_is_safe(struct arena *a, struct str path, struct str text,
			const struct garden_edits *edits)
{
	const struct garden_ask q = {
		.path = path, .before = text, .after = garden_edits_apply(a, text, edits)};
	struct garden_diagnostics d;
	struct garden_doc x, y;
	struct garden_path p;

	for (size_t i = 0; i < edits->n; i++)
		if (!fix_is_kept(a, text, &edits->p[i]))
			return false;
	if (!garden_path_read(path, &p))
		return false;
	garden_doc_read(a, &garden_grammar[p.kind], q.before, &x);
	garden_doc_read(a, &garden_grammar[p.kind], q.after, &y);
	if (x.unreadable.n || y.unreadable.n || x.sections.n != y.sections.n)
		return false;
	/* Both have the same headings, but for case, blanks and punctuation. */
	for (size_t i = 0; i < x.sections.n; i++)
		if (x.sections.p[i].level != y.sections.p[i].level ||
		    x.sections.p[i].nested != y.sections.p[i].nested ||
		    !fix_is_alike(a, x.sections.p[i].heading, y.sections.p[i].heading))
			return false;
	return !garden_judge_change(a, &q, &d) && !garden_diagnostics_any_blocks(&d);
}

void garden_fix(struct arena *a, struct str path, struct str text, struct garden_edits *out)
{
	struct md_blank_edits blanks = {0};
	struct garden_path p;
	struct garden_doc d;
	size_t n = 0, end = 0;

	*out = (struct garden_edits){0};
	if (!garden_path_read(path, &p) || garden_grammar[p.kind].frozen)
		return;
	garden_doc_read(a, &garden_grammar[p.kind], text, &d);
	if (d.unreadable.n)
		return;
	if (!d.form->free)
		fix_sections(a, &d, out);
	md_whitespace_fixes_find(a, text, d.body, &d.md, &blanks);
	for (size_t i = 0; i < blanks.n; i++)
		fix_add(a, out, GARDEN_RULE_WHITESPACE, blanks.p[i].at.from, blanks.p[i].at,
			blanks.p[i].new);
	VEC_SORT(out, fix_edit_cmp);
	/* Whitespace inside a heading that is written anew needs no edit of its own. */
	for (size_t i = 0; i < out->n; i++) {
		if (out->p[i].at.from < end)
			continue;
		end = out->p[i].at.to;
		out->p[n++] = out->p[i];
	}
	out->n = n;
	if (!out->n || fix_is_safe(a, path, text, out))
		return;
	n = 0;
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i].rule == GARDEN_RULE_WHITESPACE)
			out->p[n++] = out->p[i];
	out->n = n;
	if (!fix_is_safe(a, path, text, out))
		out->n = 0;
}

void garden_mark_fixable(struct arena *a, struct str path, struct str text,
			 struct garden_diagnostics *found)
{
	struct places places = {.text = text};
	struct garden_edits edits;
	size_t n = 0, *lines;

	for (size_t i = 0; i < found->n; i++)
		n += found->p[i].fixable;
	if (!n)
		return;
	garden_fix(a, path, text, &edits);
	lines = arena_array(a, edits.n + 1, sizeof(*lines));
	for (size_t i = 0; i < edits.n; i++)
		lines[i] = str_place_of_next_offset(&places, edits.p[i].of).line;
	VEC_EACH(struct garden_diagnostic, d, found) {
		bool mended = false;

		for (size_t k = 0; k < edits.n && d->fixable && !mended; k++)
			mended = edits.p[k].rule == d->rule &&
				 (d->rule == GARDEN_RULE_WHITESPACE || lines[k] == d->line);
		d->fixable = mended;
	}
}
