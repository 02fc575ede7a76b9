/* Puts a new text into a section, and checks that nothing else has changed. */
#include "garden/text_edit.h"

/* A heading behind a text shows whether the text leaves a block open. */
#define SENTINEL "# x\n"

/* ---- lines ---- */

/* The length of the line end at i, or 0: for Markdown LF, CR LF and CR end a line. */
static size_t text_line_end(struct str s, size_t i)
{
	if (i >= s.n || (s.p[i] != '\n' && s.p[i] != '\r'))
		return 0;
	return s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
}

size_t text_next_line_start(struct str s, size_t at)
{
	while (at < s.n && !text_line_end(s, at))
		at++;
	return at + text_line_end(s, at);
}

struct span text_trim_blank_lines(struct str s, struct span at)
{
	size_t line;

	while (at.from < at.to) {
		line = size_min(text_next_line_start(s, at.from), at.to);
		if (!str_is_blank(str_sub(s, at.from, line)))
			break;
		at.from = line;
	}
	for (line = at.to; line > at.from && ascii_is_space(s.p[line - 1]); line--)
		;
	at.to = line > at.from ? size_min(text_next_line_start(s, line), at.to) : at.from;
	return at;
}

static size_t text_line_of(struct str s, size_t at)
{
	return str_place_of_offset(s, at).line;
}

struct err *text_check_one_line(struct str s, const char *param)
{
	if (!str_is_text(s))
		return err_for_param(E_BAD_UTF8, str_of(param), "%s must be UTF-8 text without NUL",
				     param);
	if (str_is_blank(s))
		return err_for_param(E_BAD_ARGUMENT, str_of(param), "%s must not be empty", param);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n' || s.p[i] == '\r')
			return err_for_param(
				E_BAD_ARGUMENT, str_of(param),
				"%s must be one line: a line break could add headings and "
				"anchors",
				param);
		else if (((unsigned char)s.p[i] < ' ' && s.p[i] != '\t') || s.p[i] == 0x7f)
			return err_for_param(E_BAD_ARGUMENT, str_of(param),
					     "%s has the control character 0x%02x", param,
					     (unsigned)s.p[i]);
	return NULL;
}

/* ---- begin ---- */

struct err *text_error_add_lines(struct arena *a, struct err *e, const int64_t *lines, size_t n)
{
	size_t shown = size_min(n, TEXT_LINES_MAX);
	struct strs words = {0};

	for (size_t i = 0; i < shown; i++)
		strs_push(a, &words, str_fmt(a, "%lld", (long long)lines[i]));
	err_detail_ints(e, "lines", lines, shown);
	err_detail_int(e, "count", (int64_t)n);
	return err_help(e, "they are in the lines %.*s%s", STR_ARG(str_join(a, &words, ", ")),
			n > shown ? " and later" : "");
}

struct err *text_edit_begin(struct arena *a, struct str text, struct str section,
			    struct text_edit *t)
{
	const struct md_section *s;
	int64_t lines[TEXT_LINES_MAX];
	size_t next, n = 0;

	*t = (struct text_edit){.a = a, .text = text};
	if (!str_is_text(text))
		return err_new(E_NOT_TEXT, "only UTF-8 text without NUL has sections");
	TRY(md_sections(a, text, &t->sections));
	TRY(md_hidden_anchors(a, text, &t->anchors));
	TRY(md_section_pick(a, &t->sections, section, &t->section));
	s = t->section;
	/* An anchor that appears twice names nothing, even if only one is below a heading. */
	for (size_t i = 0; s->anchor.n && i < t->anchors.n; i++) {
		if (!str_eq(t->anchors.p[i].name, s->anchor))
			continue;
		if (n < TEXT_LINES_MAX)
			lines[n] = (int64_t)text_line_of(text, t->anchors.p[i].at.from);
		n++;
	}
	if (n > 1)
		return err_help(text_error_add_lines(a,
						     err_new(E_NOT_UNIQUE,
							     "the anchor '%.*s' appears %zu times",
							     STR_ARG(s->anchor), n),
						     lines, n),
				"remove the anchors that are wrong from the file");
	t->next = s->at.to < text.n;
	t->core = text_trim_blank_lines(text, s->body);
	next = text_next_line_start(text, s->at.from);
	t->eol = str_ends(str_sub(text, 0, next), STR("\r\n")) ? "\r\n"
		 : next && text.p[next - 1] == '\r'            ? "\r"
							       : "\n";
	return NULL;
}

/* ---- the check of the result ---- */

/*
 * The offset of a block that is still open at the end of the text: a code fence, a comment. False
 * when every block is closed.
 */
static struct err *text_open_block(struct arena *a, struct str s, bool *open, struct md_block *out)
{
	struct str all = str_fmt(a, "%.*s\n\n" SENTINEL, STR_ARG(s));
	struct md md;

	*open = false;
	TRY(md_read(a, all, 0, &md));
	if (!md.n)
		return NULL;
	*out = md.p[md.n - 1];
	*open = out->type != MD_HEADING;
	return NULL;
}

static struct err *text_left_open(struct arena *a, const struct text_edit *t, struct str given)
{
	struct md_block b = {0};
	struct str body = str_sub(t->text, t->section->body.from, t->section->body.to);
	bool open;
	struct err *e;

	TRY(text_open_block(a, given.p ? given : STR(""), &open, &b));
	if (open) {
		e = err_new(E_BAD_MARKDOWN,
			    "line %zu of the text begins a block of %s that does not end: the "
			    "sections behind it would become part of it",
			    text_line_of(given, b.at.from), b.type == MD_CODE ? "code" : "HTML");
		return err_help(e, "end the block in the text: %s",
				b.type == MD_CODE ? "close its code fence"
						  : "close its comment or tag");
	}
	TRY(text_open_block(a, body, &open, &b));
	if (open)
		return err_help(
			err_new(E_BAD_MARKDOWN,
				"the section '%.*s' has in line %zu a block of %s that does not end",
				STR_ARG(t->section->heading),
				text_line_of(t->text, t->section->body.from + b.at.from),
				b.type == MD_CODE ? "code" : "HTML"),
			"replace the section, or close the block, before anything is added");
	return err_help(
		err_new(E_BAD_MARKDOWN,
			"with this text, other sections or anchors of the file would change"),
		"give Markdown that ends its own blocks");
}

static bool text_anchor_same(const struct md_anchor *x, const struct md_anchor *y, size_t shift,
			     size_t back)
{
	return str_eq(x->name, y->name) && x->at.from + shift == y->at.from + back &&
	       x->at.to + shift == y->at.to + back;
}

/*
 * Whether all sections and anchors outside the old body are where they were, but for the bytes that
 * the body grew (shift) or shrank (back). Blocks depend on nothing behind the heading before them,
 * so their contents need no comparison.
 */
static bool text_others_same(const struct text_edit *t, struct span body,
			     const struct md_sections *now, const struct md_anchors *anchors,
			     size_t shift, size_t back)
{
	const struct md_sections *was = &t->sections;
	size_t n = 0, end = was->n, from = 0, to = t->anchors.n;

	while (n < was->n && was->p[n].at.from < body.from)
		n++;
	while (end > n && was->p[end - 1].at.from >= body.to)
		end--;
	while (from < t->anchors.n && t->anchors.p[from].at.from < body.from)
		from++;
	while (to > from && t->anchors.p[to - 1].at.from >= body.to)
		to--;
	if (now->n < n + was->n - end || anchors->n < from + t->anchors.n - to)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct md_section *x = &was->p[i], *y = &now->p[i];
		bool own = x == t->section && !x->anchor.n;

		if (x->at.from != y->at.from || x->level != y->level || x->nested != y->nested ||
		    !(own || str_eq(x->anchor, y->anchor)))
			return false;
	}
	for (size_t i = end; i < was->n; i++) {
		const struct md_section *x = &was->p[i], *y = &now->p[now->n - was->n + i];

		if (x->at.from + shift != y->at.from + back || x->level != y->level ||
		    x->nested != y->nested || !str_eq(x->anchor, y->anchor) ||
		    x->body.from + shift != y->body.from + back)
			return false;
	}
	for (size_t i = 0; i < from; i++)
		if (!text_anchor_same(&t->anchors.p[i], &anchors->p[i], 0, 0))
			return false;
	for (size_t i = to; i < t->anchors.n; i++)
		if (!text_anchor_same(&t->anchors.p[i], &anchors->p[anchors->n - t->anchors.n + i],
				      shift, back))
			return false;
	return true;
}

/* A heading of the section's level or above it in the new body begins a section beside it. */
static struct err *text_begins_other(const struct text_edit *t, struct span body,
				     const struct md_sections *now)
{
	VEC_EACH(const struct md_section, s, now)
		if (!s->nested && s->at.from >= body.from && s->at.from < body.to &&
		    s->level <= t->section->level)
			return err_help(
				err_new(E_BAD_ARGUMENT,
					"the text has the heading '%.*s' of level %d, which would "
					"end the section '%.*s' and begin another",
					STR_ARG(s->heading), (int)s->level,
					STR_ARG(t->section->heading)),
				"give headings of a deeper level; change another section with a "
				"call of its own");
	return NULL;
}

static struct strs text_names(struct arena *a, const struct md_anchors *anchors)
{
	struct strs names = {0};

	for (size_t i = 0; i < anchors->n; i++)
		strs_push(a, &names, anchors->p[i].name);
	strs_sort(&names);
	return names;
}

/* A text that repeats the heading or an anchor of its file makes names that fit two places. */
static struct err *text_repeats(const struct text_edit *t, struct str given,
				const struct md_anchors *now)
{
	struct strs names = text_names(t->a, now);
	struct md_sections own = {0};
	struct md_anchors anchors = {0};

	TRY(md_sections(t->a, given, &own));
	if (own.n && !own.p[0].at.from && own.p[0].level == t->section->level &&
	    str_eq(own.p[0].heading, t->section->heading))
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"the text begins with the heading '%.*s', which the section "
				"has already",
				STR_ARG(own.p[0].heading)),
			"give only what stands below the heading and its anchor");
	TRY(md_hidden_anchors(t->a, given, &anchors));
	for (size_t i = 0; i < anchors.n; i++)
		if (strs_sorted_count_of(&names, anchors.p[i].name) > 1)
			return err_help(
				err_new(E_BAD_ARGUMENT,
					"with this text the anchor '%.*s' would appear twice",
					STR_ARG(anchors.p[i].name)),
				"leave the anchor out of the text");
	return NULL;
}

static void text_gone(const struct text_edit *t, struct span body, const struct md_anchors *now,
		      struct strs *gone)
{
	struct strs names = text_names(t->a, now);

	VEC_EACH(const struct md_anchor, x, &t->anchors)
		if (x->at.from >= body.from && x->at.from < body.to &&
		    !strs_sorted_has(&names, x->name))
			strs_push(t->a, gone, x->name);
}

struct err *text_edit_end(const struct text_edit *t, struct str core, struct str given,
			  struct garden_text_done *out)
{
	const struct md_section *s = t->section;
	struct span body = s->body, now_body;
	struct buf b = buf_in(t->a);
	struct str lead = str_sub(t->text, body.from, t->core.from);
	struct str tail = str_sub(t->text, t->core.to, body.to);
	bool empty = t->core.from == t->core.to, open = false;
	struct md_block block;
	struct md_sections now = {0};
	struct md_anchors anchors = {0};
	size_t shift, back;

	out->heading = s->heading;
	out->anchor = s->anchor;
	out->line = s->line;
	out->before = out->after = str_sub(t->text, s->at.from, s->at.to);
	out->text = t->text;
	if (str_eq(core, str_sub(t->text, t->core.from, t->core.to)))
		return NULL;
	buf_put(&b, str_sub(t->text, 0, body.from));
	if (b.n && b.p[b.n - 1] != '\n' && b.p[b.n - 1] != '\r')
		buf_puts(&b, t->eol);
	if (core.n) {
		if (empty)
			buf_puts(&b, t->eol);
		else
			buf_put(&b, lead);
		buf_put(&b, core);
		if (!empty && tail.n)
			buf_put(&b, tail);
		else if (t->next)
			buf_puts(&b, t->eol);
	} else if (t->next) {
		buf_puts(&b, t->eol);
	}
	now_body = (struct span){body.from, b.n};
	buf_put(&b, str_sub(t->text, body.to, t->text.n));
	out->text = buf_as_str(&b);
	shift = now_body.to > body.to ? now_body.to - body.to : 0;
	back = body.to > now_body.to ? body.to - now_body.to : 0;
	TRY(md_sections(t->a, out->text, &now));
	TRY(md_hidden_anchors(t->a, out->text, &anchors));
	if (!text_others_same(t, body, &now, &anchors, shift, back))
		return text_left_open(t->a, t, given);
	if (!t->next)
		TRY(text_open_block(t->a,
				    str_sub(out->text, md_body_offset(out->text), out->text.n),
				    &open, &block));
	if (open)
		return text_left_open(t->a, t, given);
	if (given.p)
		TRY(text_repeats(t, given, &anchors));
	TRY(text_begins_other(t, now_body, &now));
	text_gone(t, body, &anchors, &out->gone);
	s = &now.p[s - t->sections.p];
	out->after = str_sub(out->text, s->at.from, s->at.to);
	return NULL;
}
