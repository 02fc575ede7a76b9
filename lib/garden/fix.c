/* Mends what `ikm lint --fix` may mend in a garden: headings, anchors, whitespace. */
#include "garden/doc.h"

static void fix_add(struct arena *a, struct garden_edits *out, enum garden_rule rule,
		    struct span at, struct str new)
{
	*VEC_PUSH(a, out) = (struct garden_edit){rule, at, new};
}

/* The line end that most lines of the text have. */
static const char *fix_line_end(struct str text)
{
	size_t lf = 0, crlf = 0;

	for (size_t i = 0; (i = str_find_char(text, '\n', i)) != SIZE_MAX; i++)
		++*(i && text.p[i - 1] == '\r' ? &crlf : &lf);
	return crlf > lf ? "\r\n" : "\n";
}

/* The end of the line that contains the offset, without its line end. */
static size_t fix_end_of_line(struct str text, size_t at)
{
	while (at < text.n && text.p[at] != '\n' && text.p[at] != '\r')
		at++;
	return at;
}

static bool fix_has_anchor(const struct garden_doc *d, struct str name)
{
	for (size_t i = 0; i < d->anchors.n; i++)
		if (str_eq(d->anchors.p[i].name, name))
			return true;
	return false;
}

/* The canonical section that the heading is meant to be; NULL: none, or not for sure. */
static const struct garden_section *fix_meant(struct arena *a, const struct garden_doc *d,
					      const struct md_section *s)
{
	const struct garden_section *k = garden_doc_canonical(d, s);

	if (k || s->nested || s->level != 2)
		return k;
	return garden_section_of(d->form, STR(""), garden_anchor(a, s->heading));
}

static void fix_sections(struct arena *a, const struct garden_doc *d, struct garden_edits *out)
{
	const char *eol = fix_line_end(d->text);
	size_t count[ARRAY_SIZE(d->form->sections)] = {0};

	for (size_t i = 0; i < d->sections.n; i++) {
		const struct garden_section *k = fix_meant(a, d, &d->sections.p[i]);

		if (k)
			count[k - d->form->sections]++;
	}
	for (size_t i = 0; i < d->sections.n; i++) {
		const struct md_section *s = &d->sections.p[i];
		const struct garden_section *k = fix_meant(a, d, s);
		struct str anchor;
		size_t end;

		/* Of two that mean the same section a person must choose. */
		if (!k || count[k - d->form->sections] > 1)
			continue;
		end = fix_end_of_line(d->text, s->heading_at.to);
		if (!str_is(s->heading, k->heading))
			fix_add(a, out, GARDEN_RULE_HEADING, (struct span){s->heading_at.from, end},
				str_fmt(a, "## %s", k->heading));
		anchor = garden_anchor(a, str_of(k->heading));
		if (s->anchor.n || fix_has_anchor(d, anchor))
			continue;
		fix_add(a, out, GARDEN_RULE_ANCHOR_MISSING, (struct span){end, end},
			str_fmt(a, "%s<!-- @anchor: %.*s -->", eol, STR_ARG(anchor)));
	}
}

static int fix_edit_cmp(const void *x, const void *y)
{
	const struct garden_edit *a = x, *b = y;

	if (a->at.from != b->at.from)
		return a->at.from < b->at.from ? -1 : 1;
	/* Blanks go from a heading's line before its anchor follows; a line end comes last. */
	if (a->at.to != b->at.to)
		return a->at.to < b->at.to ? -1 : 1;
	return (int)a->rule - (int)b->rule;
}

struct str garden_edited(struct arena *a, struct str text, const struct garden_edits *edits)
{
	struct buf b = buf_in(a);
	size_t at = 0;

	for (size_t i = 0; i < edits->n; i++) {
		buf_put(&b, str_sub(text, at, edits->p[i].at.from));
		buf_put(&b, edits->p[i].new);
		at = edits->p[i].at.to;
	}
	buf_put(&b, str_sub(text, at, text.n));
	return buf_str(&b);
}

/* Sorts the edits. Whitespace inside a heading that is written anew needs no edit of its own. */
static void fix_sort(struct garden_edits *v)
{
	size_t n = 0, end = 0;

	if (v->n)
		qsort(v->p, v->n, sizeof(*v->p), fix_edit_cmp);
	for (size_t i = 0; i < v->n; i++) {
		if (v->p[i].at.from < end)
			continue;
		end = v->p[i].at.to;
		v->p[n++] = v->p[i];
	}
	v->n = n;
}

/* Whether the policy lets a tool make the edits. */
static bool fix_is_safe(struct arena *a, struct str path, struct str text,
			const struct garden_edits *edits)
{
	const struct garden_ask q = {
		.path = path, .before = text, .after = garden_edited(a, text, edits)};
	struct garden_diagnostics d;

	return !garden_policy(a, &q, &d) && !garden_blocks(&d);
}

void garden_fix(struct arena *a, struct str path, struct str text, struct garden_edits *out)
{
	struct md_blank_edits blanks = {0};
	struct garden_path p;
	struct garden_doc d;
	size_t n = 0;

	*out = (struct garden_edits){0};
	if (!garden_path_read(path, &p) || garden_grammar[p.kind].frozen)
		return;
	garden_doc_read(a, &garden_grammar[p.kind], text, &d);
	if (d.unreadable.n)
		return;
	if (!d.form->free)
		fix_sections(a, &d, out);
	md_blanks(a, text, d.body, &d.md, &blanks);
	for (size_t i = 0; i < blanks.n; i++)
		fix_add(a, out, GARDEN_RULE_WHITESPACE, blanks.p[i].at, blanks.p[i].new);
	fix_sort(out);
	if (!out->n || fix_is_safe(a, path, text, out))
		return;
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i].rule == GARDEN_RULE_WHITESPACE)
			out->p[n++] = out->p[i];
	out->n = n;
	if (!fix_is_safe(a, path, text, out))
		out->n = 0;
}
