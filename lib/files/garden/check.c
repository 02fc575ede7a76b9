/* The faults that a text of the garden has by itself. */
#include "garden/doc.h"
#include "crypt/crypt.h"
#include "os/os.h"
#include "words/words.h"

struct checker {
	struct arena *a;
	const struct garden_path *path;
	const struct garden_doc *d;
	struct garden_problems *out;
};

#define SAY(c, rule, at, subject, ...)                                                             \
	garden_problem_add((c)->a, (c)->out, GARDEN_RULE_##rule, (at), (subject), __VA_ARGS__)

/* ---- frontmatter ---- */

static bool check_is_text(const struct val *v)
{
	return v && v->type != VAL_LIST && v->type != VAL_MAP && v->type != VAL_NULL && v->s.n;
}

static void check_field_missing(struct checker *c, const struct garden_field *f)
{
	struct str want = garden_field_value_from_path(c->path, f), subject = str_of(f->name);
	struct garden_problem *p;
	struct strs names = {0};
	struct str near;

	if (want.n) {
		p = SAY(c, IDENTITY, SIZE_MAX, subject, "the front matter has no '%s'", f->name);
		p->d.fix = str_fmt(c->a, "add the line '%s: %.*s'", f->name, STR_ARG(want));
		return;
	}
	VAL_EACH(c->d->front, it)
		strs_push(c->a, &names, it->key);
	near = str_nearest(subject, &names);
	SAY(c, FIELD, SIZE_MAX, subject, "the front matter has no '%s'%.*s", f->name,
	    STR_ARG(str_did_you_mean(c->a, near)))
		->d.fix = str_fmt(c->a, "add a line '%s: …'", f->name);
}

static void check_field(struct checker *c, const struct garden_field *f)
{
	const struct val *v = val_get(c->d->front, f->name);
	struct str want = garden_field_value_from_path(c->path, f), subject = str_of(f->name);
	struct garden_problem *p;
	size_t texts = 0;
	int64_t ms;

	if (!v) {
		if (!(f->flags & GARDEN_OPTIONAL))
			check_field_missing(c, f);
		return;
	}
	if (want.n && !(check_is_text(v) && str_eq(v->s, want))) {
		p = SAY(c, IDENTITY, v->at.from, subject,
			"'%s' of the front matter is '%.*s', and the path says '%.*s'", f->name,
			STR_ARG(str_utf8_head(str_sub(c->d->text, v->at.from, v->at.to), 80)),
			STR_ARG(want));
		p->d.fix = str_fmt(c->a, "write '%s: %.*s'", f->name, STR_ARG(want));
	} else if (f->flags & GARDEN_LIST) {
		VAL_EACH(v, it)
			texts += check_is_text(it);
		if (v->type != VAL_LIST || texts != v->n || v->n < 2)
			SAY(c, FIELD, v->at.from, subject,
			    "'%s' of the front matter must be a list of at least two names",
			    f->name)
				->d.fix = str_fmt(c->a, "write '%s: [ONE, TWO]'", f->name);
	} else if (!check_is_text(v)) {
		SAY(c, FIELD, v->at.from, subject, "'%s' of the front matter must be a text",
		    f->name)
			->d.fix = str_fmt(c->a, "write '%s: TEXT' on one line", f->name);
	} else if ((f->flags & GARDEN_DATE) && !os_time_read(v->s, &ms)) {
		p = SAY(c, FIELD, v->at.from, subject, "'%s' of the front matter is no date",
			f->name);
		p->d.fix = STR("write it as 2026-01-31 or 2026-01-31T12:00:00Z");
	}
}

static void check_front(struct checker *c)
{
	const struct garden_doc *d = c->d;
	struct garden_problem *p;

	if (d->front_wrong.n) {
		p = SAY(c, FRONT_MATTER, SIZE_MAX, STR(""), "%.*s", STR_ARG(d->front_wrong));
		p->d.line = d->front_line;
		return;
	}
	if (!d->has_front) {
		if (d->form->free)
			return;
		p = SAY(c, FRONT_MATTER, SIZE_MAX, STR(""), "the file has no front matter");
		p->d.fix = STR("begin it with a line '---', its fields, and a line '---'");
		return;
	}
	for (const struct garden_field *f = d->form->fields; f->name; f++)
		check_field(c, f);
	VAL_EACH(d->front, v) {
		/* Readers that ignore case, or what nobody sees, take such a key for the field. */
		for (const struct garden_field *f = c->d->form->fields; f->name; f++) {
			struct str name = str_of(f->name);

			if (f->flags & GARDEN_IDENTITY && words_key_is_like(c->a, v->key, name))
				SAY(c, IDENTITY, v->at.from, name,
				    "a key of the front matter is another spelling of '%s'",
				    f->name)
					->d.fix = str_fmt(
					c->a, "remove the line, or name it otherwise than '%s'",
					f->name);
		}
	}
}

/* ---- headings and anchors ---- */

static void check_titles(struct checker *c)
{
	size_t titles = 0;

	VEC_EACH(const struct md_section, s, &c->d->sections) {
		if (s->nested || s->level != 1)
			continue;
		if (++titles == 2)
			SAY(c, HEADING, s->at.from, STR(""), "this is a second heading of level 1")
				->d.fix = STR("make it a section: '##', with an anchor");
	}
	if (!titles)
		SAY(c, TITLE, SIZE_MAX, STR(""), "the file has no title");
}

static void check_heading(struct checker *c, const struct md_section *s,
			  const struct garden_section *canonical)
{
	struct strs names = {0};
	struct garden_problem *p;

	if (canonical && str_is(s->heading, canonical->heading))
		return;
	p = SAY(c, HEADING, s->at.from, s->anchor.n ? s->anchor : s->heading,
		"the heading '%.*s' is not canonical", STR_ARG(str_utf8_head(s->heading, 80)));
	/* The canonical section whose heading differs in case, blanks, or what is in parentheses.
	 */
	canonical = canonical ? canonical
			      : garden_form_find_section(c->d->form, STR(""),
							 garden_anchor(c->a, s->heading));
	if (canonical) {
		p->d.fix = str_fmt(c->a, "write '## %s'", canonical->heading);
		p->d.fixable = true;
		return;
	}
	for (const struct garden_section *k = c->d->form->sections; k->heading; k++)
		strs_push(c->a, &names, str_of(k->heading));
	p->d.fix = str_fmt(c->a, "choose one of %.*s; free text belongs below Extensions%.*s",
			   STR_ARG(str_join(c->a, &names, ", ")),
			   STR_ARG(str_did_you_mean(c->a, str_nearest(s->heading, &names))));
}

static void check_section_anchor(struct checker *c, const struct md_section *s,
				 const struct garden_section *canonical)
{
	struct str want = garden_anchor(c->a, str_of(canonical->heading));
	const struct garden_section *other;
	struct garden_problem *p;

	if (str_eq(s->anchor, want))
		return;
	other = s->anchor.n ? garden_form_find_section(c->d->form, STR(""), s->anchor) : NULL;
	if (other) {
		SAY(c, ANCHOR_MOVED, s->anchor_at.from, s->anchor,
		    "the anchor '%.*s' stands under '%.*s'; it belongs to '%s'", STR_ARG(s->anchor),
		    STR_ARG(s->heading), other->heading)
			->d.fix = str_fmt(c->a, "put it on the line below '## %s'", other->heading);
		return;
	}
	p = SAY(c, ANCHOR_MISSING, s->at.from, want,
		s->anchor.n ? "the section '%.*s' has another anchor than '%.*s'"
			    : "the section '%.*s' has no anchor '%.*s'",
		STR_ARG(s->heading), STR_ARG(want));
	p->d.fixable = !s->anchor.n && !garden_doc_has_anchor(c->d, want);
	p->d.fix = str_fmt(c->a,
			   s->anchor.n    ? "write '<!-- @anchor: %.*s -->' in its place"
			   : p->d.fixable ? "write '<!-- @anchor: %.*s -->' on the line below"
					  : "move '<!-- @anchor: %.*s -->' to the line below",
			   STR_ARG(want));
}

/* The canonical section of a heading of level 2, by its text or its anchor; NULL: none. */
static const struct garden_section *check_canonical_of(const struct garden_doc *d,
						       const struct md_section *s)
{
	const struct garden_section *by_heading;

	if (s->nested || s->level != 2)
		return NULL;
	by_heading = garden_form_find_section(d->form, s->heading, STR(""));
	return by_heading ? by_heading : garden_form_find_section(d->form, STR(""), s->anchor);
}

static void check_sections(struct checker *c)
{
	const struct garden_section *all = c->d->form->sections;
	bool seen[ARRAY_SIZE(c->d->form->sections)] = {false};
	size_t last = 0;

	VEC_EACH(const struct md_section, s, &c->d->sections) {
		const struct garden_section *canonical;
		size_t at;

		if (s->nested || s->level != 2)
			continue;
		canonical = check_canonical_of(c->d, s);
		check_heading(c, s, canonical);
		if (!canonical)
			continue;
		at = (size_t)(canonical - all);
		if (seen[at]) {
			SAY(c, HEADING, s->at.from, s->heading, "the section '%s' appears twice",
			    canonical->heading);
			continue;
		}
		seen[at] = true;
		check_section_anchor(c, s, canonical);
		if (at < last)
			SAY(c, SECTION_ORDER, s->at.from, str_of(canonical->heading),
			    "the section '%s' belongs before '%s'", canonical->heading,
			    all[last].heading);
		last = size_max(last, at);
	}
	for (size_t i = 0; all[i].heading; i++)
		if (!seen[i]) {
			struct garden_problem *p =
				SAY(c, SECTION_MISSING, SIZE_MAX, str_of(all[i].heading),
				    "the section '%s' is missing", all[i].heading);

			if (all[i].flags & GARDEN_CHANGE_LOG)
				p->d.severity = GARDEN_WARNING;
		}
}

static void check_anchors(struct checker *c)
{
	const struct md_anchors *v = &c->d->anchors;
	struct garden_names names = {0};
	size_t n;

	for (size_t i = 0; i < v->n; i++)
		*VEC_PUSH(c->a, &names) = (struct garden_name){v->p[i].name, i};
	garden_names_sort(&names);
	for (size_t i = 0; i < names.n; i += n) {
		const struct garden_name *first = garden_names_find(&names, names.p[i].name, &n);

		if (n > 1)
			SAY(c, ANCHOR_TWICE, v->p[first[1].i].at.from, first->name,
			    "the anchor '%.*s' appears %zu times", STR_ARG(first->name), n)
				->measure = n;
	}
}

/* Whether only blanks stand between the offset and the next line end, or the end of the span. */
static bool check_is_blank_behind(struct str text, struct span at)
{
	while (at.from < at.to && (text.p[at.from] == ' ' || text.p[at.from] == '\t'))
		at.from++;
	return at.from == at.to || text.p[at.from] == '\n' || text.p[at.from] == '\r';
}

static bool check_is_blank_before(struct str text, struct span at)
{
	while (at.to > at.from && (text.p[at.to - 1] == ' ' || text.p[at.to - 1] == '\t'))
		at.to--;
	return at.from == at.to || text.p[at.to - 1] == '\n' || text.p[at.to - 1] == '\r';
}

/*
 * Readers see text beside an anchor, and tools do not: "<!-- @anchor: needs v1 --> ## Fake" is HTML
 * and no heading. Other anchors may stand on the line.
 */
static void check_anchor_lines(struct checker *c)
{
	const struct md_anchors *v = &c->d->anchors;
	struct str text = c->d->text;

	for (size_t i = 0; i < v->n; i++) {
		struct span before = {i ? v->p[i - 1].at.to : 0, v->p[i].at.from};
		struct span behind = {v->p[i].at.to, i + 1 < v->n ? v->p[i + 1].at.from : text.n};

		if (check_is_blank_before(text, before) && check_is_blank_behind(text, behind))
			continue;
		SAY(c, ANCHOR_LINE, v->p[i].at.from, v->p[i].name,
		    "the line of the anchor '%.*s' has other text, which tools take for a part of "
		    "the anchor",
		    STR_ARG(str_utf8_head(v->p[i].name, 80)));
	}
}

/*
 * Comments that look like anchors to whoever searches the text, and are none: in a quotation, a
 * list item, a tag or another comment.
 */
static void check_anchor_copies(struct checker *c)
{
	const struct md_anchors *v = &c->d->anchors;

	for (size_t i = 0, next = 0; i < c->d->md.n; i++) {
		const struct md_block *b = &c->d->md.p[i];
		size_t at = b->at.from;
		struct str text = str_sub(c->d->text, 0, b->at.to);

		if (b->type != MD_HTML)
			continue;
		for (; (at = str_find(text, STR("@anchor:"), at)) != SIZE_MAX; at++) {
			while (next < v->n && v->p[next].at.to <= at)
				next++;
			if ((next < v->n && v->p[next].at.from < at) ||
			    !str_ends(str_trim(str_sub(text, b->at.from, at)), STR("<!--")))
				continue;
			SAY(c, ANCHOR_LINE, at, STR("copy"),
			    "this looks like an anchor, and is none in a quotation, a list, a tag "
			    "or a comment")
				->d.fix = STR("remove it, or write it as code");
		}
	}
}

/* Anchors that stand below no heading: a tool would not find their section. */
static void check_loose_anchors(struct checker *c)
{
	const struct garden_doc *d = c->d;
	struct strs names = {0}; /* the anchors of the form's sections, once they are listed */
	bool listed = false;
	size_t s = 0;

	VEC_EACH(const struct md_anchor, at, &d->anchors) {
		while (s < d->sections.n && (d->sections.p[s].anchor_at.to <= at->at.from))
			s++;
		if (s < d->sections.n && d->sections.p[s].anchor_at.from == at->at.from)
			continue;
		if (garden_form_find_section(d->form, STR(""), at->name))
			SAY(c, ANCHOR_MOVED, at->at.from, at->name,
			    "the anchor '%.*s' stands below no heading", STR_ARG(at->name))
				->d.fix = STR("put it on the line below its heading, or remove it "
					      "where nobody uses it");
		else {
			for (const struct garden_section *k = d->form->sections;
			     !listed && k->heading; k++)
				strs_push(c->a, &names, garden_anchor(c->a, str_of(k->heading)));
			listed = true;
			SAY(c, ANCHOR_UNKNOWN, at->at.from, at->name,
			    "the anchor '%.*s' names no section of the grammar%.*s",
			    STR_ARG(str_utf8_head(at->name, 80)),
			    STR_ARG(str_did_you_mean(c->a, str_nearest(at->name, &names))));
		}
	}
}

/* ---- words ---- */

/* Blanks above ASCII. A character that joins, or has no width inside a word, is none. */
static bool measure_is_blank(uint32_t c)
{
	return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) ||
	       c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Characters of scripts that are written without blanks count as a word each. */
static bool measure_is_wide(uint32_t c)
{
	return (c >= 0x3041 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
	       (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

struct measure {
	size_t words;
	struct str word; /* the one that is being read */
	bool says;       /* it has more than marks of Markdown */
	bool begun;      /* the line has more than markers */
};

static void measure_end_word(struct measure *m)
{
	size_t i = 0;
	bool number;

	while (i < m->word.n && ascii_is_digit(m->word.p[i]))
		i++;
	/* "12." or "12)": the marker of a list, where a line begins. */
	number = i && i + 1 == m->word.n && (m->word.p[i] == '.' || m->word.p[i] == ')');
	if (m->says && (m->begun || !number)) {
		m->words++;
		m->begun = true;
	}
	m->word.n = 0;
	m->says = false;
}

static void measure_text(struct measure *m, struct str s)
{
	uint32_t c;

	for (size_t i = 0, n; i < s.n; i += n) {
		n = size_max(str_utf8_char(s.p + i, s.n - i, &c), 1);
		if (n == 1 ? ascii_is_any_space(s.p[i]) : measure_is_blank(c)) {
			measure_end_word(m);
			m->begun = m->begun && s.p[i] != '\n';
		} else if (n > 1 && measure_is_wide(c)) {
			measure_end_word(m);
			m->words++;
			m->begun = true;
		} else {
			if (!m->word.n)
				m->word.p = s.p + i;
			m->word.n += n;
			m->says = m->says || n > 1 || ascii_is_alnum(s.p[i]);
		}
	}
	measure_end_word(m);
}

/*
 * The words of the source in that place. Anchors and the marks of Markdown are none; HTML and link
 * definitions count, for they are a place for text, too.
 */
static size_t garden_doc_word_count(const struct garden_doc *d, struct span at)
{
	struct measure m = {0};
	size_t low = 0, from = at.from;

	BISECT(low, mid, d->anchors.n, d->anchors.p[mid].at.to <= at.from);
	for (; low < d->anchors.n && d->anchors.p[low].at.from < at.to; low++) {
		struct span anchor = d->anchors.p[low].at;

		measure_text(&m, str_sub(d->text, from, size_max(from, anchor.from)));
		from = size_max(from, anchor.to);
	}
	if (from < at.to)
		measure_text(&m, str_sub(d->text, from, at.to));
	return m.words;
}

/* ---- the content of sections ---- */

static void check_cap(struct checker *c, const struct md_section *s, enum garden_rule rule,
		      size_t n, const char *what, size_t cap)
{
	if (n > cap)
		garden_problem_add(c->a, c->out, rule, s->at.from,
				   s->anchor.n ? s->anchor : s->heading,
				   "the section '%.*s' has %zu %s; the cap is %zu",
				   STR_ARG(str_utf8_head(s->heading, 80)), n, what, cap)
			->measure = n;
}

/*
 * Finds the next "ev:" with something behind it, where a word begins. *token is that word, *code
 * whether it begins a code span.
 */
static bool check_next_token(struct str text, size_t *at, size_t end, struct str *token, bool *code)
{
	while ((*at = str_find(str_sub(text, 0, end), STR("ev:"), *at)) != SIZE_MAX) {
		size_t from = *at, to = from + 3;
		char prev = from ? text.p[from - 1] : ' ';

		while (to < end &&
		       (ascii_is_alnum(text.p[to]) || text.p[to] == '-' || text.p[to] == '_'))
			to++;
		*at = to;
		if (to == from + 3 || !(ascii_is_any_space(prev) || strchr("([{\"'`,;*_<>", prev)))
			continue;
		*token = str_sub(text, from, to);
		*code = prev == '`';
		return true;
	}
	return false;
}

static void check_tokens(struct checker *c)
{
	const struct md *md = &c->d->md;
	struct str token;
	bool code;

	for (size_t i = 0; i < md->n; i++) {
		size_t at = md->p[i].at.from;

		if (md->p[i].type != MD_PARAGRAPH)
			continue;
		while (check_next_token(c->d->text, &at, md->p[i].at.to, &token, &code))
			if (!code && !garden_is_evidence_token(token))
				SAY(c, EVIDENCE_TOKEN, at - token.n, token,
				    "'%.*s' is no evidence token",
				    STR_ARG(str_utf8_head(token, 80)));
	}
}

static void check_evidence(struct checker *c, const struct md_section *s)
{
	size_t at = s->at.from, line_end = at, lines = 0;
	struct garden_items items;
	struct str token;
	bool code;

	/* Evidence may also stand in paragraphs, quotes or nested lists: the lines that have a
	 * token. */
	while (check_next_token(c->d->text, &at, s->at.to, &token, &code)) {
		if (lines && at <= line_end)
			continue;
		lines++;
		line_end = size_min(str_find_char(c->d->text, '\n', at), s->at.to);
	}
	garden_doc_items(c->a, c->d, s->at, &items);
	for (size_t i = 0; i < items.n; i++) {
		at = items.p[i]->at.from;
		if (check_next_token(c->d->text, &at, items.p[i]->at.to, &token, &code))
			continue;
		SAY(c, EVIDENCE_TOKEN, items.p[i]->at.from, items.p[i]->text,
		    "the evidence '%.*s' has no token",
		    STR_ARG(str_utf8_head(items.p[i]->text, 40)));
	}
	check_cap(c, s, GARDEN_RULE_EVIDENCE_CAP, size_max(items.n, lines), "items",
		  GARDEN_EVIDENCE_MAX);
}

static void check_contents(struct checker *c)
{
	const struct md_section *log = garden_doc_log(c->d);
	struct garden_items items;

	VEC_EACH(const struct md_section, s, &c->d->sections) {
		const struct garden_section *canonical = check_canonical_of(c->d, s);

		if (s->nested || s->level != 2 || s == log)
			continue;
		if (canonical && (canonical->flags & GARDEN_EVIDENCE))
			check_evidence(c, s);
		else if (!canonical || !canonical->flags)
			check_cap(
				c, s, GARDEN_RULE_WORDS_CAP,
				garden_doc_word_count(c->d, (struct span){s->body.from, s->at.to}),
				"words", GARDEN_WORDS_MAX);
	}
	if (!log)
		return;
	garden_doc_items(c->a, c->d, log->at, &items);
	for (size_t i = 0; i < items.n; i++)
		if (!garden_is_log_item(items.p[i]->text))
			SAY(c, CHANGE_LOG_FORM, items.p[i]->at.from, items.p[i]->text,
			    "the item '%.*s' of the Change Log has no time",
			    STR_ARG(str_utf8_head(items.p[i]->text, 40)));
}

/* Formatters put one empty line between a heading and a comment; more is drift. */
static void check_anchor_gap(struct checker *c, const struct md_anchor *anchor)
{
	struct str before = str_sub(c->d->text, 0, anchor->at.from);
	size_t n = 0, line;

	for (; before.n && ascii_is_any_space(before.p[before.n - 1]); before.n--)
		n += before.p[before.n - 1] == '\n';
	line = str_rfind_char(before, '\n') + 1;
	if (n > 2 && line < before.n && before.p[line] == '#')
		SAY(c, WHITESPACE, anchor->at.from, anchor->name,
		    "%zu empty lines stand between the heading and the anchor '%.*s'", n - 1,
		    STR_ARG(str_utf8_head(anchor->name, 80)))
			->d.fix = STR("write the anchor on the line below the heading");
}

static void check_whitespace(struct checker *c)
{
	static const char *const what[MD_BLANKS][2] = {
		[MD_TRAILING_BLANKS] = {"line ends in blanks", "lines end in blanks"},
		[MD_LINE_ENDS] = {"line ends in another way than most",
				  "lines end in another way than most"},
		[MD_FINAL_NEWLINE] = {"last line has no line end", ""},
	};
	struct md_blank_edits edits = {0};

	if (str_starts(c->d->text, STR("\xef\xbb\xbf")))
		SAY(c, WHITESPACE, 0, STR("BOM"), "the file begins with a byte order mark")->d.fix =
			STR("save it as UTF-8 without a byte order mark");
	for (size_t i = 0; i < c->d->anchors.n; i++) {
		size_t at = c->d->anchors.p[i].at.from;

		if (at && (c->d->text.p[at - 1] == ' ' || c->d->text.p[at - 1] == '\t') &&
		    check_is_blank_before(c->d->text, (struct span){0, at}))
			SAY(c, WHITESPACE, at, c->d->anchors.p[i].name,
			    "blanks stand before the anchor '%.*s'",
			    STR_ARG(str_utf8_head(c->d->anchors.p[i].name, 80)))
				->d.fix = STR("begin the line with the anchor");
		check_anchor_gap(c, &c->d->anchors.p[i]);
	}
	md_whitespace_fixes_find(c->a, c->d->text, c->d->body, &c->d->md, &edits);
	for (int kind = 0; kind < MD_BLANKS; kind++) {
		size_t n = 0, first = 0;
		struct garden_problem *p;

		for (size_t i = 0; i < edits.n; i++) {
			if ((int)edits.p[i].kind != kind)
				continue;
			first = n++ ? first : edits.p[i].at.from;
		}
		if (!n)
			continue;
		p = SAY(c, WHITESPACE, first, str_of(what[kind][0]), "%zu %s", n,
			what[kind][n > 1]);
		if (kind == MD_FINAL_NEWLINE)
			p->d.message = STR("the last line has no line end");
		p->measure = n;
		p->d.fixable = true;
		p->d.fix = str_fmt(c->a, "run ikm lint --fix %.*s/%.*s", STR_ARG(c->path->folder),
				   STR_ARG(c->path->file));
	}
}

void garden_doc_check(struct arena *a, const struct garden_path *path, const struct garden_doc *doc,
		      struct garden_problems *out)
{
	struct checker c = {.a = a, .path = path, .d = doc, .out = out};

	if (doc->form->frozen) {
		struct str hash = crypt_content_hash(c.a, c.d->text);

		if (!str_starts(str_sub(hash, sizeof("sha256:") - 1, hash.n), c.path->hash))
			SAY(&c, HISTORY, SIZE_MAX, STR(""),
			    "the content of the history copy does not have the hash in its name");
		return;
	}
	if (doc->unreadable.n) {
		SAY(&c, TEXT, SIZE_MAX, STR(""), "%.*s", STR_ARG(doc->unreadable));
		return;
	}
	check_front(&c);
	check_anchors(&c);
	check_anchor_lines(&c);
	check_anchor_copies(&c);
	if (!doc->form->free) {
		check_titles(&c);
		check_sections(&c);
		check_loose_anchors(&c);
		check_contents(&c);
	}
	check_tokens(&c);
	check_whitespace(&c);
}

/* ---- forms ---- */

bool garden_is_evidence_token(struct str s)
{
	static const char form[] = "ev:ddddddddTddddddZ-";
	struct str ulid = str_sub(s, sizeof(form) - 1, s.n);
	char time[21];
	int64_t ms;

	if (s.n != sizeof(form) - 1 + 26)
		return false;
	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'd' ? !ascii_is_digit(s.p[i]) : s.p[i] != form[i])
			return false;
	snprintf(time, sizeof(time), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", s.p + 3, s.p + 7, s.p + 9,
		 s.p + 12, s.p + 14, s.p + 16);
	/* 26 characters of 5 bits are two more than 128: the first has three bits. */
	if (!os_time_read(str_of(time), &ms) || ulid.p[0] > '7')
		return false;
	for (size_t i = 0; i < ulid.n; i++)
		if (!ulid.p[i] ||
		    !strchr("0123456789ABCDEFGHJKMNPQRSTVWXYZ", ascii_upper(ulid.p[i])))
			return false;
	return true;
}

bool garden_is_log_item(struct str item)
{
	size_t end = str_find(item, STR(": "), 0);
	int64_t ms;

	return end != SIZE_MAX && os_time_read(str_sub(item, 0, end), &ms) &&
	       str_trim(str_sub(item, end + 2, item.n)).n;
}
