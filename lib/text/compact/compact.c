#include "compact/compact.h"
#include "md/md.h"

#define REPEATED_MIN ((size_t)80) /* characters */
#define PASSES_MAX   8

/* The changes that a line allows. */
enum line_kind {
	LINE_OTHER,    /* in no block of cmark: definitions, lone markers. Blank lines may go */
	LINE_RAW,      /* stays byte for byte, even when it is blank */
	LINE_INTERIOR, /* inside a paragraph: two blanks at the end are a hard break */
	LINE_LAST, /* the last line of a paragraph, or a heading: blanks at the end have no meaning
		    */
};

struct line {
	size_t from, to; /* with its LF */
	enum line_kind kind;
	bool covered; /* inside a block */
};

struct spans VEC(struct span);

struct pass {
	struct arena *a;
	struct str text;
	size_t body;
	struct md md;
	bool *gone; /* by block: it is removed */
	struct VEC(struct line) lines;
	struct spans cuts; /* the removed spans, in order */
};

/* ---- lines ---- */

static size_t compact_line_at(const struct pass *p, size_t offset)
{
	size_t low = 0;

	BISECT(low, mid, p->lines.n, p->lines.p[mid].from <= offset);
	return low - (low > 0);
}

static struct str line_text(const struct pass *p, size_t i)
{
	return str_sub(p->text, p->lines.p[i].from, p->lines.p[i].to);
}

static struct str slice(const struct pass *p, const struct md_block *b)
{
	return str_sub(p->text, b->at.from, b->at.to);
}

static size_t compact_first_line(const struct pass *p, const struct md_block *b)
{
	return compact_line_at(p, b->at.from);
}

static size_t last_line(const struct pass *p, const struct md_block *b)
{
	return compact_line_at(p, b->at.to > b->at.from ? b->at.to - 1 : b->at.from);
}

/* The run of fence characters at the start of the line, if there are three or more. */
static struct str compact_fence(struct str line)
{
	struct str s = str_trim(line);
	size_t n = 0;

	while (n < s.n && (s.p[n] == '`' || s.p[n] == '~') && s.p[n] == s.p[0])
		n++;
	return str_sub(s, 0, n >= 3 ? n : 0);
}

/* clang-format off */
#define RAW_ENDS                                                                                   \
	{STR_INIT("</script>"), STR_INIT("</pre>"), STR_INIT("</style>"), STR_INIT("</textarea>")}
/* The kinds of HTML that do not end at a blank line, and the text in their last line. */
static const struct {
	struct str begin, end[4];
} html_kinds[] = {
	{STR_INIT("<!--"), {STR_INIT("-->")}},
	{STR_INIT("<![CDATA["), {STR_INIT("]]>")}},
	{STR_INIT("<!"), {STR_INIT(">")}},
	{STR_INIT("<?"), {STR_INIT("?>")}},
	{STR_INIT("<script"), RAW_ENDS},
	{STR_INIT("<pre"), RAW_ENDS},
	{STR_INIT("<style"), RAW_ENDS},
	{STR_INIT("<textarea"), RAW_ENDS},
};
/* clang-format on */

static bool html_closed(struct str begin, struct str last)
{
	for (size_t i = 0; i < ARRAY_SIZE(html_kinds); i++) {
		if (!str_ieq(str_sub(begin, 0, html_kinds[i].begin.n), html_kinds[i].begin))
			continue;
		for (size_t j = 0; j < 4 && html_kinds[i].end[j].n; j++)
			if (str_find(last, html_kinds[i].end[j], 0) != SIZE_MAX)
				return true;
		return false;
	}
	return true;
}

/*
 * True when the code or HTML is closed. Blank lines behind an unclosed block belong to it. A block
 * in a list or quote counts as unclosed, so these lines stay.
 */
static bool is_closed(const struct pass *p, const struct md_block *b)
{
	struct str last = line_text(p, last_line(p, b)), open, close = compact_fence(last);

	if (b->depth)
		return false;
	if (b->type == MD_HTML)
		return html_closed(str_trim(slice(p, b)), str_lower(p->a, last));
	open = compact_fence(line_text(p, compact_first_line(p, b)));
	return !open.n || (last_line(p, b) > compact_first_line(p, b) && close.n >= open.n &&
			   close.p[0] == open.p[0]);
}

static void mark_lines(struct pass *p)
{
	VEC_EACH(const struct md_block, b, &p->md) {
		size_t from = compact_first_line(p, b), to = last_line(p, b);
		bool raw = b->type == MD_CODE || b->type == MD_HTML;
		struct str s = slice(p, b);
		enum line_kind inner = LINE_INTERIOR;

		if (b->type == MD_ITEM)
			continue;
		/* In text with code, tags or titles blanks at a line's end have a meaning. */
		if (raw || str_holds(s, "`") || str_holds(s, "<") || str_holds(s, "](") ||
		    str_holds(s, "]:"))
			inner = LINE_RAW;
		for (size_t j = from; j <= to; j++) {
			p->lines.p[j].covered = true;
			p->lines.p[j].kind = j < to || raw ? inner : LINE_LAST;
		}
		if (raw && !is_closed(p, b))
			while (++to < p->lines.n && str_is_blank(line_text(p, to)))
				p->lines.p[to].kind = LINE_RAW;
	}
}

/* ---- removals ---- */

/* The end of the comment at `from`, or SIZE_MAX. */
static size_t comment_end(struct str s, size_t from)
{
	size_t close = str_starts(str_sub(s, from, s.n), STR("<!--"))
			       ? str_find(s, STR("-->"), from + 4)
			       : SIZE_MAX;

	return close == SIZE_MAX ? SIZE_MAX : close + 3;
}

static bool is_anchor(struct str comment)
{
	return str_starts(str_trim(str_sub(comment, 4, comment.n)), STR("@anchor:"));
}

/* True for text that has only comments, without an anchor. */
static bool is_comments(struct str s)
{
	size_t at = 0, end;

	for (;;) {
		while (at < s.n && ascii_is_space(s.p[at]))
			at++;
		if (at == s.n)
			return s.n > 0;
		end = comment_end(s, at);
		if (end == SIZE_MAX || is_anchor(str_sub(s, at, end)))
			return false;
		at = end;
	}
}

static size_t characters(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += (s.p[i] & 0xc0) != 0x80;
	return n;
}

/* A hash table of the paragraphs so far. */
struct seen {
	struct str *p;
	size_t mask;
};

static bool was_seen(struct seen *seen, struct str s)
{
	size_t i = (size_t)str_hash(s) & seen->mask;

	for (; seen->p[i].n; i = (i + 1) & seen->mask)
		if (str_eq(seen->p[i], s))
			return true;
	seen->p[i] = s;
	return false;
}

static bool may_go(const struct pass *p, const struct md_block *before, size_t i)
{
	size_t line = last_line(p, &p->md.p[i]) + 1;
	struct str next;

	/*
	 * A list, a quote and indented code continue behind a blank line. A comment may be what
	 * separates two of them.
	 */
	if (!before || (before->type != MD_ITEM && !before->depth &&
			(before->type != MD_CODE || before->info.n || before->body.n)))
		return true;
	while (line < p->lines.n && str_is_blank(line_text(p, line)))
		line++;
	if (line == p->lines.n)
		return true;
	next = line_text(p, line);
	return !ascii_is_space(next.p[0]) && (i + 1 == p->md.n || p->md.p[i + 1].type != MD_ITEM);
}

/* Removes comments and repeated paragraphs that stand alone. A blank line stays at their place. */
static void cut_blocks(struct pass *p)
{
	struct seen seen = {.mask = 15};
	const struct md_block *before = NULL;

	while (seen.mask < p->md.n * 2)
		seen.mask = seen.mask * 2 + 1;
	seen.p = arena_array(p->a, seen.mask + 1, sizeof(*seen.p));
	for (size_t i = 0; i < p->md.n; i++) {
		const struct md_block *b = &p->md.p[i];
		struct str s = slice(p, b);
		size_t line = compact_first_line(p, b);
		bool go = false;

		if (!b->depth && b->type == MD_HTML)
			go = is_comments(s);
		else if (!b->depth && b->type == MD_PARAGRAPH && !b->comments &&
			 !str_holds(s, "]:") && characters(s) > REPEATED_MIN)
			go = was_seen(&seen, s);
		/* The line before is in no block: it may be a definition that this block ends. */
		if (go && line && !p->lines.p[line - 1].covered &&
		    !str_is_blank(line_text(p, line - 1)))
			go = false;
		if (!go || !may_go(p, before, i)) {
			before = b;
			continue;
		}
		p->gone[i] = true;
		*VEC_PUSH(p->a, &p->cuts) = (struct span){p->lines.p[line].from, b->at.to};
		p->lines.p[last_line(p, b)].kind = LINE_OTHER;
	}
}

/*
 * True when the comment [from, to) in a paragraph can be removed with the blanks before it. There
 * must be words before it on its line, so the rest does not become a heading, list or definition. A
 * blank or the end of the line must follow, so emphasis does not begin or end elsewhere.
 */
static bool is_apart(struct str s, size_t from, size_t to)
{
	size_t start = from, word = 0;

	if (!from || (s.p[from - 1] != ' ' && s.p[from - 1] != '\t'))
		return false;
	if (to < s.n && !ascii_is_space(s.p[to]))
		return false;
	while (start && s.p[start - 1] != '\n')
		start--;
	for (size_t i = start; i < from; i++)
		word += ascii_is_letter(s.p[i]) || (unsigned char)s.p[i] >= 0x80;
	while (from > start && (s.p[from - 1] == ' ' || s.p[from - 1] == '\t'))
		from--;
	return word && s.p[start] != '[' && from > start && s.p[from - 1] != '\\' &&
	       (unsigned char)s.p[from - 1] > ' ';
}

static void cut_inline(struct pass *p)
{
	struct spans blocks = p->cuts;
	size_t next = 0;

	p->cuts = (struct spans){0};
	VEC_EACH(const struct md_block, b, &p->md) {
		struct str s = slice(p, b);
		size_t line = compact_first_line(p, b), n = 0, end;

		for (; next < blocks.n && blocks.p[next].from < b->at.from; next++)
			*VEC_PUSH(p->a, &p->cuts) = blocks.p[next];
		for (size_t at = 0; b->comments && (at = str_find(s, STR("<!--"), at)) != SIZE_MAX;
		     at += 4)
			n++;
		/* An "<!--" is no comment (in code, escaped): the comments are ambiguous. */
		if (!n || n != b->comments || b->depth || str_holds(s, "]:"))
			continue;
		if (line && !p->lines.p[line - 1].covered && !str_is_blank(line_text(p, line - 1)))
			continue;
		for (size_t at = 0; (at = str_find(s, STR("<!--"), at)) != SIZE_MAX; at = end) {
			size_t from = at;

			end = comment_end(s, at);
			if (end == SIZE_MAX)
				break;
			if (is_anchor(str_sub(s, at, end)) || !is_apart(s, at, end))
				continue;
			while (s.p[from - 1] == ' ' || s.p[from - 1] == '\t')
				from--;
			*VEC_PUSH(p->a, &p->cuts) =
				(struct span){b->at.from + from, b->at.from + end};
		}
	}
	for (; next < blocks.n; next++)
		*VEC_PUSH(p->a, &p->cuts) = blocks.p[next];
}

/* ---- the new text ---- */

static size_t content(struct str line)
{
	size_t n = line.n;

	if (n && line.p[n - 1] == '\n')
		n--;
	if (n && line.p[n - 1] == '\r')
		n--;
	return n;
}

static void compact_put_line(struct buf *out, struct str line, enum line_kind kind)
{
	size_t n = content(line), end = n;
	bool hard = n >= 2 && line.p[n - 1] == ' ' && line.p[n - 2] == ' ';

	while (end && (line.p[end - 1] == ' ' || line.p[end - 1] == '\t'))
		end--;
	/* Without the blanks, a backslash would be a hard break, and a form feed a blank. */
	if (kind == LINE_RAW || kind == LINE_OTHER ||
	    (end && (line.p[end - 1] == '\\' || (unsigned char)line.p[end - 1] < ' ')))
		end = n;
	buf_put(out, str_sub(line, 0, end));
	if (hard && kind == LINE_INTERIOR && end < n)
		buf_puts(out, "  ");
	buf_put(out, str_sub(line, n, line.n));
}

static struct str put_all(struct pass *p)
{
	struct buf out = buf_in(p->a), line = buf_in(p->a);
	struct str blank = STR("");
	size_t next = 0, at, end;

	buf_put(&out, str_sub(p->text, 0, p->body));
	for (size_t i = 0; i < p->lines.n; i++) {
		const struct line *l = &p->lines.p[i];

		for (at = l->from; at < l->to;) {
			while (next < p->cuts.n && p->cuts.p[next].to <= at)
				next++;
			if (next < p->cuts.n && p->cuts.p[next].from <= at) {
				at = size_min(p->cuts.p[next].to, l->to);
				continue;
			}
			end = next < p->cuts.n ? size_min(p->cuts.p[next].from, l->to) : l->to;
			buf_put(&line, str_sub(p->text, at, end));
			at = end;
		}
		/* A removed line end joins the line to the next line. */
		if (!line.n || (line.p[line.n - 1] != '\n' && i + 1 < p->lines.n))
			continue;
		if (l->kind != LINE_RAW && str_is_blank(buf_as_str(&line))) {
			struct str s = buf_as_str(&line);

			if (!blank.n)
				blank = str_dup(p->a, str_sub(s, content(s), s.n));
		} else {
			/* Text must not become frontmatter. */
			if (out.n || (blank.n && str_starts(buf_as_str(&line), STR("---"))))
				buf_put(&out, blank);
			compact_put_line(&out, buf_as_str(&line), l->kind);
			blank = STR("");
		}
		line.n = 0;
	}
	return buf_as_str(&out);
}

/* ---- the check that the content is the same ---- */

static bool same_words(struct str a, struct str b)
{
	size_t i = 0, j = 0;

	for (;;) {
		size_t from = i, to = j;

		while (i < a.n && ascii_is_space(a.p[i]))
			i++;
		while (j < b.n && ascii_is_space(b.p[j]))
			j++;
		if (i == a.n || j == b.n)
			return i == a.n && j == b.n;
		if ((i > from) != (j > to) && from && to)
			return false;
		while (i < a.n && j < b.n && !ascii_is_space(a.p[i]) && a.p[i] == b.p[j])
			i++, j++;
		if ((i < a.n && !ascii_is_space(a.p[i])) || (j < b.n && !ascii_is_space(b.p[j])))
			return false;
	}
}

static bool same_block(const struct md_block *a, const struct md_block *b)
{
	if (a->type != b->type || a->level != b->level || a->depth != b->depth ||
	    !str_eq(a->link, b->link) || !str_eq(a->info, b->info))
		return false;
	return a->type == MD_CODE || a->type == MD_HTML ? str_eq(a->text, b->text)
							: same_words(a->text, b->text);
}

static struct err *compact_same(const struct pass *p, struct str after, bool *is)
{
	size_t body = md_body_offset(after), n = 0;
	struct md md;

	*is = false;
	if (!str_eq(str_sub(after, 0, body), str_sub(p->text, 0, p->body)))
		return NULL;
	TRY(md_read(p->a, str_sub(after, body, after.n), body, &md));
	for (size_t i = 0; i < p->md.n; i++) {
		if (p->gone[i])
			continue;
		if (n == md.n || !same_block(&p->md.p[i], &md.p[n]))
			return NULL;
		n++;
	}
	*is = n == md.n;
	return NULL;
}

static struct err *compact_pass(struct arena *a, struct str text, struct str *out)
{
	struct pass p = {.a = a, .text = text, .body = md_body_offset(text)};
	struct str after;
	bool is;

	*out = text;
	TRY(md_read(a, str_sub(text, p.body, text.n), p.body, &p.md));
	p.gone = arena_array(a, p.md.n + 1, sizeof(*p.gone));
	for (size_t at = p.body, end; at < p.text.n; at = end) {
		end = at + str_line_from(p.text, at).n;
		*VEC_PUSH(p.a, &p.lines) = (struct line){.from = at, .to = end};
	}
	if (!p.lines.n)
		return NULL;
	mark_lines(&p);
	cut_blocks(&p);
	cut_inline(&p);
	after = put_all(&p);
	/* cmark makes the final check of the rules above. */
	TRY(compact_same(&p, after, &is));
	if (is)
		*out = after;
	return NULL;
}

static bool has_lone_cr(struct str s)
{
	for (size_t i = 0; (i = str_find_char(s, '\r', i)) != SIZE_MAX; i++)
		if (i + 1 == s.n || s.p[i + 1] != '\n')
			return true;
	return false;
}

struct err *compact_text(struct arena *a, struct str text, struct str *out)
{
	*out = text;
	/* For cmark, an invalid byte swallows the blanks behind it. */
	if (has_lone_cr(text) || !str_is_utf8(text))
		return NULL;
	/* After a pass, another paragraph may have become a repetition. */
	for (int i = 0; i < PASSES_MAX; i++) {
		struct arena *scratch ARENA_LOCAL = arena_new();
		size_t before = out->n;
		struct err *e = compact_pass(scratch, *out, out);

		*out = str_dup(a, *out);
		TRY(e);
		if (out->n == before)
			break;
	}
	return NULL;
}
