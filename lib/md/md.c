#include "md/md.h"
#include <cmark.h>

#define BYTES_MAX  ((size_t)16 << 20)
#define DEPTH_MAX  ((size_t)128)
#define IMAGES_MAX ((size_t)10000)

struct positions {
	size_t *p;
	size_t n, cap;
};

struct reader {
	struct arena *a;
	struct str text;
	size_t offset;
	struct positions lines; /* where each line starts, as cmark counts them, and the end */
	struct positions items; /* the list items that are open, as indexes into out */
	unsigned depth;
	struct md *out;
	size_t block; /* whose inline text is being read */
	struct buf inl;
	struct positions tildes; /* every "~~" in inl that is text, not code */
};

/* ---- what must not reach cmark ---- */

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

/* An upper bound of how many quotes and lists are open in this line, if it opens any. */
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
	/* "* * *" is a thematic break, however long. */
	if (!markers || (rule && markers >= 3))
		return 0;
	return markers + (columns > markers ? columns - markers : 0) / 2;
}

static struct err *check_nesting(const struct reader *r)
{
	size_t images = 0, at = 0;

	for (size_t i = 0; i + 1 < r->lines.n; i++)
		if (nesting(str_sub(r->text, r->lines.p[i], r->lines.p[i + 1])) > DEPTH_MAX)
			return err_new(E_TOO_DEEP,
				       "line %zu: over %zu quotes and lists in each other", i + 1,
				       DEPTH_MAX);
	while ((at = str_find(r->text, STR("!["), at)) != SIZE_MAX)
		images++, at += 2;
	if (images > IMAGES_MAX)
		return err_new(E_BAD_MARKDOWN, "%zu times '![': over %zu cannot be read", images,
			       IMAGES_MAX);
	return NULL;
}

/* cmark ends lines with LF, CRLF and CR alike. */
static void find_lines(struct reader *r)
{
	struct str s = r->text;

	*VEC_PUSH(r->a, &r->lines) = 0;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n' || (s.p[i] == '\r' && (i + 1 == s.n || s.p[i + 1] != '\n')))
			*VEC_PUSH(r->a, &r->lines) = i + 1;
	if (r->lines.p[r->lines.n - 1] != s.n)
		*VEC_PUSH(r->a, &r->lines) = s.n;
}

/* ---- where a block is ---- */

/* The line with its number from cmark; clipped, so that no count of cmark's can lead outside. */
static struct str md_line_of(const struct reader *r, int number)
{
	size_t last = r->lines.n - 1, i = number > 0 ? (size_t)number - 1 : 0;

	i = size_min(i, last);
	return str_sub(r->text, r->lines.p[i], r->lines.p[size_min(i + 1, last)]);
}

/* For cmark a block of HTML that is closed on a line ("-->") ends on the line before. */
static int end_line(cmark_node *node)
{
	int line = cmark_node_get_start_line(node);
	struct str s;

	if (cmark_node_get_type(node) != CMARK_NODE_HTML_BLOCK)
		return cmark_node_get_end_line(node);
	s = str_of(cmark_node_get_literal(node));
	for (size_t i = 0; i + 1 < s.n; i++)
		line += s.p[i] == '\n' || (s.p[i] == '\r' && s.p[i + 1] != '\n');
	return line;
}

static struct span span_of(const struct reader *r, cmark_node *node)
{
	struct str first = md_line_of(r, cmark_node_get_start_line(node));
	struct str last = md_line_of(r, end_line(node));
	size_t from = (size_t)(first.p - r->text.p), to = (size_t)(last.p - r->text.p) + last.n;

	/* A list item ends, for cmark, with the blank lines behind it. */
	while (to > from && ascii_is_space(r->text.p[to - 1]))
		to--;
	return (struct span){r->offset + from, r->offset + size_max(from, to)};
}

/* The number of fence characters that a line begins with, when it is a fence. */
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
	/* A fence may also be ended by the end of the text. */
	if (close.p > open.p && n >= md_fence(open) && n == mark.n && mark.p[0] == open.p[0])
		to -= close.n;
	return str_sub(r->text, from, size_max(from, to));
}

/* ---- inline text ---- */

static void inline_begin(struct reader *r)
{
	r->inl = buf_in(r->a);
	r->tildes.n = 0;
}

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
 * Strikethrough is no CommonMark, so cmark leaves its tildes in the text: pairs of "~~" are taken
 * out here, the first with blank-free insides on both edges.
 */
static void inline_end(struct reader *r, struct md_block *b)
{
	struct str s = buf_str(&r->inl);
	struct buf text = buf_in(r->a), struck = buf_in(r->a);
	size_t done = 0;

	for (size_t i = 0; i < r->tildes.n; i++) {
		size_t open = r->tildes.p[i], close = 0, j;

		if (open < done || open + 2 >= s.n || ascii_is_space(s.p[open + 2]))
			continue;
		for (j = i + 1; j < r->tildes.n && !close; j++)
			if (!ascii_is_space(s.p[r->tildes.p[j] - 1]))
				close = r->tildes.p[j];
		/* No closing one for this, so none for those behind it. */
		if (!close)
			break;
		buf_put(&text, str_sub(s, done, open));
		if (struck.n)
			buf_putc(&struck, ' ');
		buf_put(&struck, str_sub(s, open + 2, close));
		done = close + 2;
	}
	buf_put(&text, str_sub(s, done, s.n));
	b->text = str_trim(buf_str(&text));
	b->struck = buf_str(&struck);
}

/* An inline node; what is not named here has nothing of its own, only its members. */
static void md_read_inline(struct reader *r, cmark_node *node)
{
	struct md_block *b = &r->out->p[r->block];
	struct str tag;

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT: inline_text(r, cmark_node_get_literal(node)); break;
	case CMARK_NODE_CODE: buf_puts(&r->inl, cmark_node_get_literal(node)); break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK: buf_putc(&r->inl, '\n'); break;
	case CMARK_NODE_HTML_INLINE:
		tag = str_of(cmark_node_get_literal(node));
		b->comments += str_starts(tag, STR("<!--"));
		if (str_ieq(str_sub(tag, 0, 3), STR("<br")))
			buf_putc(&r->inl, '\n');
		break;
	case CMARK_NODE_LINK:
		if (!b->link.n)
			b->link = str_dup(r->a, str_of(cmark_node_get_url(node)));
		break;
	default: break;
	}
}

/* ---- blocks ---- */

static struct md_block *block_new(struct reader *r, enum md_type type, cmark_node *node)
{
	struct md_block *b = VEC_PUSH(r->a, r->out);

	*b = (struct md_block){.type = type, .depth = r->depth, .at = span_of(r, node)};
	b->text = b->struck = b->link = b->info = b->body = (struct str){"", 0};
	return b;
}

static void md_enter(struct reader *r, cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);
	struct md_block *b;

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
		inline_begin(r);
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
	case CMARK_NODE_DOCUMENT:
	case CMARK_NODE_LIST: break;
	default: md_read_inline(r, node); break;
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
		/* The paragraph that a list item begins with speaks for the item. */
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

static void free_node(void *p)
{
	cmark_node_free(p);
}

static void free_iter(void *p)
{
	cmark_iter_free(p);
}

struct err *md_read(struct arena *a, struct str text, size_t offset, struct md *out)
{
	struct reader r = {.a = a, .text = text, .offset = offset, .out = out};
	struct arena *scratch;
	cmark_node *root;
	cmark_iter *iter;
	cmark_event_type event;

	*out = (struct md){0};
	if (!text.n)
		return NULL;
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_LONG, "the Markdown text has %zu bytes, and %zu are allowed",
			       text.n, BYTES_MAX);
	find_lines(&r);
	TRY(check_nesting(&r));
	scratch = arena_new();
	root = cmark_parse_document(text.p, text.n, CMARK_OPT_VALIDATE_UTF8);
	arena_defer(scratch, free_node, root);
	/* Iterated, not recursed: emphasis may nest as deep as the text is long. */
	iter = cmark_iter_new(root);
	arena_defer(scratch, free_iter, iter);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE)
		if (event == CMARK_EVENT_ENTER)
			md_enter(&r, cmark_iter_get_node(iter));
		else
			md_leave(&r, cmark_iter_get_node(iter));
	arena_free(scratch);
	return NULL;
}
