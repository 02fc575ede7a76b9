/*
 * meaning.h: what cmark reads in a text, as a text to compare: its tree with all that is rendered,
 * without comments, with runs of blanks as one outside code, and each paragraph of the top once.
 */
#ifndef MEANING_H
#define MEANING_H

#include "base/base.h"
#include <cmark.h>

static inline bool meaning_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline void meaning_words(struct buf *b, const char *text)
{
	for (; *text; text++)
		if (!meaning_blank(*text))
			buf_putc(b, *text);
		else if (b->n && !meaning_blank(b->p[b->n - 1]))
			buf_putc(b, ' ');
}

static inline void meaning_trim(struct buf *b)
{
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
}

/* Nothing but comments, and none of them an anchor. */
static inline bool meaning_comments(struct str s)
{
	size_t close = 0;

	for (s = str_trim(s); s.n; s = str_trim(str_sub(s, close + 3, s.n))) {
		close = str_starts(s, STR("<!--")) ? str_find(s, STR("-->"), 4) : SIZE_MAX;
		if (close == SIZE_MAX || str_starts(str_trim(str_sub(s, 4, s.n)), STR("@anchor:")))
			return false;
	}
	return true;
}

static inline void meaning_enter(struct buf *b, cmark_node *node)
{
	struct str literal = str_of(cmark_node_get_literal(node));

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT: meaning_words(b, cmark_node_get_literal(node)); return;
	case CMARK_NODE_SOFTBREAK: meaning_words(b, " "); return;
	case CMARK_NODE_LINEBREAK:
		meaning_trim(b);
		buf_puts(b, "<br> ");
		return;
	case CMARK_NODE_HTML_INLINE:
		if (!meaning_comments(literal))
			buf_fmt(b, "{%s}", cmark_node_get_literal(node));
		return;
	case CMARK_NODE_PARAGRAPH:
	case CMARK_NODE_HEADING: meaning_trim(b); break;
	default: break;
	}
	buf_fmt(b, "<%s", cmark_node_get_type_string(node));
	if (cmark_node_get_heading_level(node))
		buf_fmt(b, " %d", cmark_node_get_heading_level(node));
	if (cmark_node_get_type(node) == CMARK_NODE_LIST)
		buf_fmt(b, " %d %d %d %d", cmark_node_get_list_type(node),
			cmark_node_get_list_start(node), cmark_node_get_list_delim(node),
			cmark_node_get_list_tight(node));
	if (cmark_node_get_fence_info(node))
		buf_fmt(b, " info=%s", cmark_node_get_fence_info(node));
	if (cmark_node_get_url(node))
		buf_fmt(b, " url=%s title=%s", cmark_node_get_url(node),
			cmark_node_get_title(node));
	buf_puts(b, ">");
	buf_put(b, literal);
}

static inline struct str meaning_of(struct arena *a, struct str text)
{
	cmark_node *root =
		cmark_parse_document(text.p ? text.p : "", text.n, CMARK_OPT_VALIDATE_UTF8);
	cmark_iter *iter = cmark_iter_new(root);
	cmark_event_type event;
	struct buf b = buf_in(a);
	struct strs seen = {0};
	size_t from = 0;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		bool top = cmark_node_parent(node) == root;
		cmark_node_type type = cmark_node_get_type(node);

		if (top && type == CMARK_NODE_HTML_BLOCK &&
		    meaning_comments(str_of(cmark_node_get_literal(node))))
			continue;
		if (event == CMARK_EVENT_ENTER) {
			from = top ? b.n : from;
			meaning_enter(&b, node);
			continue;
		}
		if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING)
			meaning_trim(&b);
		buf_fmt(&b, "</%s>", cmark_node_get_type_string(node));
		if (top && type == CMARK_NODE_PARAGRAPH) {
			struct str p = str_dup(a, str_sub(buf_as_str(&b), from, b.n));

			if (strs_has(&seen, p))
				b.n = from;
			strs_push(a, &seen, p);
		}
	}
	cmark_iter_free(iter);
	cmark_node_free(root);
	return buf_as_str(&b);
}

#endif
