#include "md/md.h"
#include <cmark.h>

#define BYTES_MAX  ((size_t)16 << 20)
#define DEPTH_MAX  ((size_t)128)
#define IMAGES_MAX ((size_t)10000)

struct positions VEC(size_t);

struct reader {
	struct arena *a;
	struct str text;
	size_t offset;
	struct positions lines; /* start of each line, as cmark counts, and the text's end */
	struct positions items; /* the open list items, as indexes into out */
	unsigned depth;
	struct md *out;
	size_t block; /* index of the block whose inline text is read now */
	struct buf inl;
	struct positions tildes; /* the places of "~~" in inl, except in code */
};

/* Where memory lacks, cmark would abort. Before main(), for no thread may parse yet. */
__attribute__((constructor)) static void md_set_memory(void)
{
	*cmark_get_default_mem_allocator() = (cmark_mem){mem_zeroed, mem_resized, free};
}

/* ---- input that must not reach cmark ---- */

/* The length of a quote or list marker at i, or 0. */
static size_t md_marker_length(struct str s, size_t i)
{
	size_t from = i;

	if (s.p[i] == '>')
		return 1;
	if (s.p[i] == '-' || s.p[i] == '+' || s.p[i] == '*') {
		i++;
	} else {
		while (i < s.n && i < from + 9 && ascii_is_digit(s.p[i]))
			i++;
		if (i == from || i == s.n || (s.p[i] != '.' && s.p[i] != ')'))
			return 0;
		i++;
	}
	return i == s.n || ascii_is_space(s.p[i]) ? i - from : 0;
}

/* An upper bound of the number of quotes and lists that this line opens. */
static size_t nesting(struct str line)
{
	size_t i = 0, columns = 0, markers = 0, n;
	char first = 0;
	bool rule = true;

	while (i < line.n) {
		if (ascii_is_space(line.p[i])) {
			columns += line.p[i] == '\t' ? 4 : 1;
			i++;
		} else if ((n = md_marker_length(line, i))) {
			first = markers ? first : line.p[i];
			rule = rule && line.p[i] == first && n == 1 && first != '>';
			markers++;
			i += n;
		} else {
			rule = false;
			break;
		}
	}
	/* A line "* * *" is a thematic break, however many stars it has. */
	if (!markers || (rule && markers >= 3))
		return 0;
	return markers + (columns > markers ? columns - markers : 0) / 2;
}

/* ---- where a block is ---- */

/* The line with this number from cmark. Limited to the text, because cmark may count too many. */
static struct str md_line_of(const struct reader *r, int number)
{
	size_t last = r->lines.n - 1, i = number > 0 ? (size_t)number - 1 : 0;

	i = size_min(i, last);
	return str_sub(r->text, r->lines.p[i], r->lines.p[size_min(i + 1, last)]);
}

/* Whether the line is the underline of a setext heading. `depth`: quotes may stand before it. */
static bool md_is_underline(struct str line, unsigned depth)
{
	size_t indent = 0;
	struct str mark;

	while (depth && indent < line.n &&
	       (line.p[indent] == '>' || ascii_is_space(line.p[indent])))
		indent++;
	mark = str_trim(str_sub(line, indent, line.n));
	if (!mark.n || (mark.p[0] != '=' && mark.p[0] != '-') ||
	    (!depth && (size_t)(mark.p - line.p) > 3))
		return false;
	for (size_t i = 0; i < mark.n; i++)
		if (mark.p[i] != mark.p[0])
			return false;
	return true;
}

/*
 * cmark reports a wrong last line for a block of HTML that "-->" closes: the line before. For a
 * setext heading it may report the line behind the underline.
 */
static int end_line(const struct reader *r, cmark_node *node)
{
	int line = cmark_node_get_start_line(node), last = cmark_node_get_end_line(node);
	struct str s;

	if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
		for (int i = line + 1; i <= last; i++)
			if (md_is_underline(md_line_of(r, i), r->depth))
				return i;
		return last;
	}
	if (cmark_node_get_type(node) != CMARK_NODE_HTML_BLOCK)
		return last;
	s = str_of(cmark_node_get_literal(node));
	for (size_t i = 0; i + 1 < s.n; i++)
		line += s.p[i] == '\n' || (s.p[i] == '\r' && s.p[i + 1] != '\n');
	return line;
}

/* The number of fence characters at the start of a line that is a code fence, else 0. */
static size_t md_fence(struct str line)
{
	size_t n = 0;

	if (line.n && (line.p[0] == '`' || line.p[0] == '~'))
		while (n < line.n && line.p[n] == line.p[0])
			n++;
	return n >= 3 ? n : 0;
}

static struct str fenced_body(const struct reader *r, cmark_node *node)
{
	struct str open = md_line_of(r, cmark_node_get_start_line(node));
	struct str close = md_line_of(r, cmark_node_get_end_line(node)), mark = str_trim(close);
	size_t from = (size_t)(open.p - r->text.p) + open.n;
	size_t to = (size_t)(close.p - r->text.p) + close.n, n = md_fence(mark);

	if (!md_fence(open))
		return (struct str){"", 0};
	/* The end of the text also closes a fence. */
	if (close.p > open.p && n >= md_fence(open) && n == mark.n && mark.p[0] == open.p[0])
		to -= close.n;
	return str_sub(r->text, from, size_max(from, to));
}

/* ---- inline text ---- */

static void inline_text(struct reader *r, const char *literal)
{
	struct str s = str_of(literal);

	for (size_t i = 0, n; i < s.n; i += n) {
		n = 1;
		if (s.p[i] != '~')
			continue;
		while (i + n < s.n && s.p[i + n] == '~')
			n++;
		if (n == 2)
			*VEC_PUSH(r->a, &r->tildes) = r->inl.n + i;
	}
	buf_put(&r->inl, s);
}

/*
 * CommonMark has no strikethrough, so cmark leaves "~~" in the text. Pairs of "~~" are removed
 * here. No blank may stand inside the pair next to either "~~".
 */
static void inline_end(struct reader *r, struct md_block *b)
{
	struct str s = buf_as_str(&r->inl);
	struct buf text = buf_in(r->a), struck = buf_in(r->a);
	size_t done = 0;

	for (size_t i = 0; i < r->tildes.n; i++) {
		size_t open = r->tildes.p[i], close = 0, j;

		if (open < done || open + 2 >= s.n || ascii_is_space(s.p[open + 2]))
			continue;
		for (j = i + 1; j < r->tildes.n && !close; j++)
			if (!ascii_is_space(s.p[r->tildes.p[j] - 1]))
				close = r->tildes.p[j];
		/* There is no closing "~~" for this pair, so there is none for the later ones. */
		if (!close)
			break;
		buf_put(&text, str_sub(s, done, open));
		if (struck.n)
			buf_putc(&struck, ' ');
		buf_put(&struck, str_sub(s, open + 2, close));
		done = close + 2;
	}
	buf_put(&text, str_sub(s, done, s.n));
	b->text = str_trim(buf_as_str(&text));
	b->struck = buf_as_str(&struck);
}

/* ---- blocks ---- */

static struct md_block *block_new(struct reader *r, enum md_type type, cmark_node *node)
{
	struct str first = md_line_of(r, cmark_node_get_start_line(node));
	struct str last = md_line_of(r, end_line(r, node));
	size_t from = (size_t)(first.p - r->text.p), to = (size_t)(last.p - r->text.p) + last.n;
	struct md_block *b = VEC_PUSH(r->a, r->out), *before = r->out->n > 1 ? b - 1 : NULL;

	/* For cmark the blank lines behind a list item belong to it. */
	while (to > from && ascii_is_space(r->text.p[to - 1]))
		to--;
	*b = (struct md_block){.type = type,
			       .depth = r->depth,
			       .at = {r->offset + from, r->offset + size_max(from, to)}};
	/* For cmark the line that ends a quote or an item belongs to an open fence in it. */
	if (before && before->type == MD_CODE && before->at.to > b->at.from)
		before->at.to = b->at.from - (b->at.from > before->at.from);
	b->text = b->struck = b->link = b->info = b->body = (struct str){"", 0};
	return b;
}

/* Inline nodes that are not listed add no text of their own, only their children. */
static void md_enter(struct reader *r, cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);
	struct md_block *b;
	struct str tag;

	switch (type) {
	case CMARK_NODE_BLOCK_QUOTE: r->depth++; break;
	case CMARK_NODE_ITEM:
		block_new(r, MD_ITEM, node);
		*VEC_PUSH(r->a, &r->items) = r->out->n - 1;
		r->depth++;
		break;
	case CMARK_NODE_HEADING:
	case CMARK_NODE_PARAGRAPH:
		b = block_new(r, type == CMARK_NODE_HEADING ? MD_HEADING : MD_PARAGRAPH, node);
		b->level = type == CMARK_NODE_HEADING ? (unsigned)cmark_node_get_heading_level(node)
						      : 0;
		r->block = r->out->n - 1;
		r->inl = buf_in(r->a);
		r->tildes.n = 0;
		break;
	case CMARK_NODE_CODE_BLOCK:
		b = block_new(r, MD_CODE, node);
		b->text = str_dup(r->a, str_of(cmark_node_get_literal(node)));
		b->info = str_dup(r->a, str_of(cmark_node_get_fence_info(node)));
		if (!r->depth)
			b->body = fenced_body(r, node);
		break;
	case CMARK_NODE_HTML_BLOCK:
		b = block_new(r, MD_HTML, node);
		b->text = str_dup(r->a, str_of(cmark_node_get_literal(node)));
		break;
	case CMARK_NODE_THEMATIC_BREAK: block_new(r, MD_BREAK, node); break;
	case CMARK_NODE_TEXT: inline_text(r, cmark_node_get_literal(node)); break;
	case CMARK_NODE_CODE: buf_puts(&r->inl, cmark_node_get_literal(node)); break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK: buf_putc(&r->inl, '\n'); break;
	case CMARK_NODE_HTML_INLINE:
		tag = str_of(cmark_node_get_literal(node));
		b = &r->out->p[r->block];
		b->comments += str_starts(tag, STR("<!--"));
		if (str_ieq(str_sub(tag, 0, 3), STR("<br")))
			buf_putc(&r->inl, '\n');
		break;
	case CMARK_NODE_LINK:
		b = &r->out->p[r->block];
		if (!b->link.n)
			b->link = str_dup(r->a, str_of(cmark_node_get_url(node)));
		break;
	default: break;
	}
}

static void md_leave(struct reader *r, cmark_node *node)
{
	struct md_block *b, *item;

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_BLOCK_QUOTE: r->depth--; break;
	case CMARK_NODE_ITEM:
		r->items.n--;
		r->depth--;
		break;
	case CMARK_NODE_HEADING:
	case CMARK_NODE_PARAGRAPH:
		b = &r->out->p[r->block];
		inline_end(r, b);
		/* The first paragraph of a list item gives the item its text. */
		if (b->type != MD_PARAGRAPH || !r->items.n || cmark_node_previous(node) ||
		    cmark_node_get_type(cmark_node_parent(node)) != CMARK_NODE_ITEM)
			break;
		item = &r->out->p[r->items.p[r->items.n - 1]];
		item->text = b->text;
		item->struck = b->struck;
		item->link = b->link;
		break;
	default: break;
	}
}

struct err *md_read(struct arena *a, struct str text, size_t offset, struct md *out)
{
	struct reader r = {.a = a, .text = text, .offset = offset, .out = out};
	cmark_node *root;
	cmark_iter *iter;
	cmark_event_type event;
	size_t images = 0, at = 0;

	*out = (struct md){0};
	if (!text.n)
		return NULL;
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_LONG,
			       "the Markdown text has %zu bytes; at most %zu are allowed", text.n,
			       BYTES_MAX);
	/* For cmark LF, CRLF and CR end a line. */
	*VEC_PUSH(a, &r.lines) = 0;
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\n' ||
		    (text.p[i] == '\r' && (i + 1 == text.n || text.p[i + 1] != '\n')))
			*VEC_PUSH(a, &r.lines) = i + 1;
	if (r.lines.p[r.lines.n - 1] != text.n)
		*VEC_PUSH(a, &r.lines) = text.n;
	/* cmark would take quadratic time for a deep nesting. */
	for (size_t i = 0; i + 1 < r.lines.n; i++)
		if (nesting(str_sub(text, r.lines.p[i], r.lines.p[i + 1])) > DEPTH_MAX)
			return err_new(E_TOO_DEEP,
				       "line %zu: more than %zu levels of quotes and lists", i + 1,
				       DEPTH_MAX);
	while ((at = str_find(text, STR("!["), at)) != SIZE_MAX)
		images++, at += 2;
	if (images > IMAGES_MAX)
		return err_new(E_BAD_MARKDOWN, "'![' occurs %zu times; at most %zu are allowed",
			       images, IMAGES_MAX);
	root = cmark_parse_document(text.p, text.n, CMARK_OPT_VALIDATE_UTF8);
	/* Iterate, do not recurse: emphasis may be nested as deep as the text is long. */
	iter = cmark_iter_new(root);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE)
		if (event == CMARK_EVENT_ENTER)
			md_enter(&r, cmark_iter_get_node(iter));
		else
			md_leave(&r, cmark_iter_get_node(iter));
	cmark_iter_free(iter);
	cmark_node_free(root);
	return NULL;
}
