/*
 * md: where things are in a CommonMark text, as cmark sees it. Gives a flat list of blocks in
 * document order, and the sections that headings make; knows nothing of what they mean.
 */
#ifndef IKM_MD_H
#define IKM_MD_H

#include "base/base.h"

enum md_type { MD_HEADING, MD_PARAGRAPH, MD_ITEM, MD_CODE, MD_HTML, MD_BREAK };

struct md_block {
	enum md_type type;
	unsigned level;    /* HEADING: 1 to 6 */
	unsigned depth;    /* how many quotes and list items are around it */
	struct str text;   /* inline text without markup and inline HTML, its lines parted by LF;
			      ITEM: that of a paragraph it begins with, which follows as a block of
			      its own too; CODE and HTML: the content. Always UTF-8 */
	struct str struck; /* what stood in ~~strikethrough~~ is left out of text and is here */
	struct str link;   /* the first link's destination, or empty */
	struct str info;   /* CODE: the fence's info string; empty for an indented block */
	struct str body; /* CODE: content as a slice of the source when the fence is not indented */
	struct span at;  /* bytes of the source, from the line's start to its end */
	size_t comments; /* HEADING, PARAGRAPH: inline HTML comments in it */
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

/* ---- anchors and sections: of a whole text, frontmatter included; offsets are the text's ---- */

/* Where the blocks begin: behind the frontmatter; an unclosed one is a thematic break. */
size_t md_body(struct str text);

/*
 * A name for tools that readers do not see (requirement: garden, "Hidden anchors and headings"),
 * in a comment outside code:
 * "<!-- @anchor: concerns v1 -->", or a line "[//]: # (anchor: concerns v1)".
 */
struct md_anchor {
	struct str name; /* "concerns v1" */
	struct span at;  /* the comment or the definition, without what is around it */
};
struct md_anchors {
	struct md_anchor *p;
	size_t n, cap;
};
/* In order of appearance. Errors as md_read(). */
struct err *md_anchors(struct arena *a, struct str text, struct md_anchors *out) MUST_USE;
/* The earlier result of md_read() for the text, or NULL. */
void md_anchors_in(struct arena *a, struct str text, const struct md *md, struct md_anchors *out);

struct md_section {
	struct str
		anchor;  /* on the line after the heading (blank lines may be between), or empty */
	struct str slug; /* as GitHub makes it; "-1", "-2" behind one that was there before */
	struct str heading; /* its text without markup */
	unsigned level;     /* 1 to 6 */
	size_t line;        /* of the heading, from 1 */
	struct span at;     /* from the heading to the next of the same or a higher level */
	struct span body;   /* the same without the heading and its anchor */
};
struct md_sections {
	struct md_section *p;
	size_t n, cap;
};
/*
 * In order of appearance. A heading in a quote or list item is a place to link to, no section: it
 * ends with its own line, and has no anchor. Errors as md_read().
 */
struct err *md_sections(struct arena *a, struct str text, struct md_sections *out) MUST_USE;

#endif
