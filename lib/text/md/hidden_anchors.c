/* Finds the anchors of a Markdown text: comments and link definitions that readers do not see. */
#include "md/md.h"

#define DEFINITION "[//]: # (anchor:"

size_t md_body_offset(struct str text)
{
	struct str yaml, body;
	bool unclosed;

	if (!md_frontmatter(text, &yaml, &body, &unclosed) || unclosed)
		return 0;
	return text.n - body.n;
}

static void anchor_add(struct arena *a, struct str text, struct span at, size_t name_from,
		       size_t name_to, struct md_anchors *out)
{
	struct str name = str_trim(str_sub(text, name_from, name_to));

	if (name.n)
		*VEC_PUSH(a, out) = (struct md_anchor){name, at};
}

/* Adds the comment at `from` when it is an anchor. Returns where the comment ends. */
static size_t anchor_comment(struct arena *a, struct str text, size_t from, size_t end,
			     struct md_anchors *out)
{
	size_t close = str_find(str_sub(text, 0, end), STR("-->"), from + 4), inner = from + 4;

	if (close == SIZE_MAX)
		return end;
	while (inner < close && ascii_is_space(text.p[inner]))
		inner++;
	if (str_starts(str_sub(text, inner, close), STR("@anchor:")))
		anchor_add(a, text, (struct span){from, close + 3}, inner + 8, close, out);
	return close + 3;
}

/*
 * cmark gives the number of comments in a paragraph, not their places. When "<!--" occurs exactly
 * as often, each occurrence is a comment. When it occurs more often (in a code span, escaped), the
 * paragraph gives no anchors.
 */
static void inline_comments(struct arena *a, struct str text, const struct md_block *b,
			    struct md_anchors *out)
{
	struct str s = str_sub(text, 0, b->at.to);
	size_t n = 0;

	for (size_t i = b->at.from; (i = str_find(s, STR("<!--"), i)) != SIZE_MAX; i += 4)
		n++;
	if (n != b->comments)
		return;
	for (size_t i = b->at.from; (i = str_find(s, STR("<!--"), i)) != SIZE_MAX;)
		i = anchor_comment(a, text, i, b->at.to, out);
}

/*
 * True for "[//]: # (anchor: x)" alone on the line that begins at `from`. *close is the place of
 * its closing parenthesis.
 */
static bool definition(struct str text, size_t from, size_t *open, size_t *close, size_t *next)
{
	size_t at = from, end = from;

	while (at < text.n && at < from + 3 && text.p[at] == ' ')
		at++;
	while (end < text.n && text.p[end] != '\n' && text.p[end] != '\r')
		end++;
	*next = end + (end + 1 < text.n && text.p[end] == '\r' && text.p[end + 1] == '\n') + 1;
	while (end > at && (text.p[end - 1] == ' ' || text.p[end - 1] == '\t'))
		end--;
	*open = at;
	*close = end - (end > at);
	/* With a parenthesis or a backslash inside, it is another definition, or none. */
	return str_starts(str_sub(text, at, end), STR(DEFINITION)) && text.p[*close] == ')' &&
	       str_find_char(text, ')', at) == *close &&
	       str_find_char(str_sub(text, 0, *close), '(', at + sizeof(DEFINITION) - 1) ==
		       SIZE_MAX &&
	       str_find_char(str_sub(text, 0, *close), '\\', at) == SIZE_MAX;
}

/*
 * cmark makes no block of a link definition. A definition stands between blocks, or at the
 * beginning of the paragraph behind it. In the middle of a paragraph the same line is text.
 */
static void definitions(struct arena *a, struct str text, size_t body, const struct md *md,
			struct md_anchors *out)
{
	const struct md_block **leaves = arena_array(a, md->n + 1, sizeof(const struct md_block *));
	size_t n = 0, run = 0, open, close, next, line;

	for (size_t i = 0; i < md->n; i++)
		if (md->p[i].type != MD_ITEM)
			leaves[n++] = &md->p[i];
	for (size_t at = body; (at = str_find(text, STR(DEFINITION), at)) != SIZE_MAX; at++) {
		const struct md_block *b = NULL;
		size_t low = 0;

		BISECT(low, mid, n, leaves[mid]->at.to <= at);
		if (low < n && leaves[low]->at.from <= at)
			b = leaves[low];
		for (line = at; line && at - line < 3 && text.p[line - 1] == ' ';)
			line--;
		/* More than three spaces, or text, precede it. */
		if ((line && text.p[line - 1] != '\n' && text.p[line - 1] != '\r') ||
		    (b && b->type != MD_PARAGRAPH))
			continue;
		/* run: all lines of the paragraph before this offset are definitions */
		if (b && b->at.from > run)
			run = b->at.from;
		while (b && run < line && definition(text, run, &open, &close, &next))
			run = next;
		if ((!b || run == line) && definition(text, line, &open, &close, &next))
			anchor_add(a, text, (struct span){open, close + 1},
				   open + sizeof(DEFINITION) - 1, close, out);
	}
}

ORDER_OF(anchor_by_place, struct md_anchor, ORDER_UP(at.from))

void md_hidden_anchors_of_parsed(struct arena *a, struct str text, const struct md *md,
				 struct md_anchors *out)
{
	*out = (struct md_anchors){0};
	VEC_EACH(const struct md_block, b, md)
		if (b->type == MD_HTML) {
			size_t at = b->at.from;

			/* Only comments at its beginning: later ones belong to a tag. */
			for (;;) {
				while (at < b->at.to && ascii_is_space(text.p[at]))
					at++;
				if (!str_starts(str_sub(text, at, b->at.to), STR("<!--")))
					break;
				at = anchor_comment(a, text, at, b->at.to, out);
			}
		} else if (b->comments) {
			inline_comments(a, text, b, out);
		}
	definitions(a, text, md_body_offset(text), md, out);
	VEC_SORT(out, anchor_by_place);
}

struct err *md_hidden_anchors(struct arena *a, struct str text, struct md_anchors *out)
{
	size_t body = md_body_offset(text);
	struct md md;

	TRY(md_read(a, str_sub(text, body, text.n), body, &md));
	md_hidden_anchors_of_parsed(a, text, &md, out);
	return NULL;
}
