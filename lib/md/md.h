/*
 * md: where things are in a CommonMark text, as cmark sees it. Gives a flat list of blocks in
 * document order; knows nothing of what a heading or a list item means.
 */
#ifndef IKM_MD_H
#define IKM_MD_H

#include "base/base.h"

enum md_type { MD_HEADING, MD_PARAGRAPH, MD_ITEM, MD_CODE, MD_HTML, MD_BREAK };

struct md_block {
	enum md_type type;
	unsigned level;     /* HEADING: 1 to 6 */
	unsigned depth;     /* how many quotes and list items are around it */
	struct str text;    /* inline text without markup and inline HTML, its lines parted by LF;
			       ITEM: that of a paragraph it begins with, which follows as a block of
			       its own too; CODE and HTML: the content. Always UTF-8 */
	struct str struck;  /* what stood in ~~strikethrough~~ is left out of text and is here */
	struct str link;    /* the first link's destination, or empty */
	struct str info;    /* CODE: the fence's info string; empty for an indented block */
	struct str body;    /* CODE: content as a slice of the source when the fence is not indented */
	struct span at;     /* bytes of the source, from the line's start to its end */
};

struct md {
	struct md_block *p;
	size_t n, cap;
};

/*
 * Frontmatter must be cut off before: see md_frontmatter. Offsets get `offset` added.
 * Errors: TOO_LONG over 16 MiB; TOO_DEEP and BAD_MARKDOWN for texts that cmark needs quadratic
 * time for, and that nobody writes: over 128 quotes and lists in each other, over 10,000 "![".
 */
struct err *md_read(struct arena *a, struct str text, size_t offset, struct md *out) MUST_USE;

/*
 * A YAML frontmatter fence: a first line "---" (a BOM before it is skipped) up to a line "---" or
 * "...". False when there is none. unclosed is set when the fence never ends: then yaml is all the
 * rest and body is empty. yaml and body are slices of text.
 */
bool md_frontmatter(struct str text, struct str *yaml, struct str *body, bool *unclosed);

#endif
