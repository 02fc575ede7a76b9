/*
 * md: finds the blocks of a CommonMark text with cmark. It returns a flat list of blocks in
 * document order, and the sections below the headings. It does not interpret the text.
 */
#pragma once

#include "base/base.h"

enum md_type { MD_HEADING, MD_PARAGRAPH, MD_ITEM, MD_CODE, MD_HTML, MD_BREAK };

struct md_block {
	enum md_type type;
	unsigned level;    /* HEADING: 1 to 6 */
	unsigned depth;    /* number of quotes and list items around it */
	struct str text;   /* inline text without markup and inline HTML, its lines separated by LF.
			      ITEM: the text of the paragraph that begins it, which also follows as a
			      block. CODE and HTML: the content. Always UTF-8 */
	struct str struck; /* the text inside ~~strikethrough~~, which `text` leaves out */
	struct str link;   /* the first link's destination, or empty */
	struct str info;   /* CODE: the fence's info string; empty for an indented block */
	struct str
		body; /* CODE: the content as a slice of the source, if the fence is not indented */
	struct span at;  /* bytes of the source, from the start of its first line to its end */
	size_t comments; /* HEADING, PARAGRAPH: number of inline HTML comments */
};

struct md VEC(struct md_block);

/*
 * Reads a text without frontmatter: cut it off before with md_frontmatter(). `offset` is added to
 * every offset.
 *
 * Errors: TOO_LONG over 16 MiB. TOO_DEEP over 128 levels of quotes and lists, and BAD_MARKDOWN over
 * 10,000 times "![": cmark takes quadratic time for such texts, and nobody writes them.
 */
struct err *md_read(struct arena *a, struct str text, size_t offset, struct md *out) MUST_USE;

/*
 * Finds YAML frontmatter: from a first line "---" (a BOM before it is skipped) to a line "---" or
 * "...". Returns false when there is none. When the fence never ends, sets `unclosed`; yaml is then
 * the rest of the text, and body is empty. yaml and body are slices of text.
 */
bool md_frontmatter(struct str text, struct str *yaml, struct str *body, bool *unclosed);

/* A link's new target; empty: its text stays, without a link. */
typedef struct str md_link_target_fn(void *ctx, struct str url);
/*
 * The text as HTML that is XML too. Raw HTML is left out. Images become links, so that the result
 * loads nothing; `link` chooses the target of each link and image. Errors: as md_read().
 */
struct err *md_to_html(struct arena *a, struct str text, md_link_target_fn *link, void *ctx,
		       struct str *out) MUST_USE;

/* ---- anchors and sections of a whole text, frontmatter included; offsets are in that text ---- */

/* The offset of the first block: behind the frontmatter. An unclosed "---" is a thematic break. */
size_t md_body_offset(struct str text);

/*
 * An anchor is a name for tools, which readers do not see (requirement: garden, "Hidden anchors and
 * headings"). It has two forms, both outside code:
 *   "<!-- @anchor: concerns v1 -->" and a line "[//]: # (anchor: concerns v1)".
 */
struct md_anchor {
	struct str name; /* "concerns v1" */
	struct span at;  /* the comment or the definition itself */
};
struct md_anchors VEC(struct md_anchor);
/* Returns the anchors in order of appearance. Errors as md_read(). */
struct err *md_hidden_anchors(struct arena *a, struct str text, struct md_anchors *out) MUST_USE;
/* As md_hidden_anchors(), with the result of md_read() for the text behind md_body_offset(). */
void md_hidden_anchors_of_parsed(struct arena *a, struct str text, const struct md *md,
				 struct md_anchors *out);

struct md_section {
	struct str anchor; /* the anchor below the heading (blank lines may be between), or empty */
	struct str slug;   /* GitHub's slug; "-1", "-2" are appended when the slug exists already */
	struct str base;   /* the slug without that number */
	struct str heading;     /* the text of the heading without markup */
	unsigned level;         /* 1 to 6 */
	size_t line;            /* line of the heading, from 1 */
	bool nested;            /* the heading stands in a quote or list item */
	struct span anchor_at;  /* of the anchor; empty: none */
	struct span heading_at; /* of the heading, from the start of its first line */
	struct span at;   /* from the heading to the next heading of the same or a higher level */
	struct span body; /* `at` without the heading and all anchors directly below it */
};
struct md_sections VEC(struct md_section);
/*
 * Returns the sections in order of appearance. A heading in a quote or list item can be a link's
 * target, but it has no section and no anchor. Its span is only the heading. Errors as md_read().
 */
struct err *md_sections(struct arena *a, struct str text, struct md_sections *out) MUST_USE;
/* As md_sections(), with the results of md_read() and md_hidden_anchors_of_parsed(). */
void md_sections_of_parsed(struct arena *a, struct str text, const struct md *md,
			   const struct md_anchors *anchors, struct md_sections *out);

/* ---- blanks and line ends ---- */

enum md_blank {
	MD_TRAILING_BLANKS, /* blanks at a line's end that say nothing */
	MD_LINE_ENDS,       /* a line ends in LF and most lines in CR LF, or the reverse */
	MD_FINAL_NEWLINE,   /* the last line does not end */
	MD_BLANKS
};
/* An edit that mends one place: `at` is replaced by `new`. */
struct md_blank_edit {
	enum md_blank kind;
	struct span at;
	struct str new;
};
struct md_blank_edits VEC(struct md_blank_edit);
/*
 * Finds drift of white space, in order of place. Blanks stay in the first `body` bytes
 * (frontmatter), in code and HTML, behind a backslash, and where two of them break a line. md: the
 * result of md_read() for the text behind `body`, which must be UTF-8 without NUL.
 */
void md_whitespace_fixes_find(struct arena *a, struct str text, size_t body, const struct md *md,
			      struct md_blank_edits *out);

/*
 * Finds a section by a name, for reading. It tries the anchor ("concerns v1"), the anchor without
 * its version, the slug, the heading's text, then the heading's text ignoring ASCII case. The first
 * match counts. Errors: NO_SUCH_SECTION lists the names.
 */
struct err *md_section_find(struct arena *a, const struct md_sections *all, struct str name,
			    const struct md_section **out) MUST_USE;
/*
 * As md_section_find(), for a change: a name that may mean several sections is the error
 * NOT_UNIQUE, which lists their lines. "NAME:LINE" picks the section whose heading is on that line.
 * Headings in quotes and list items are not found: they have no section.
 */
struct err *md_section_pick(struct arena *a, const struct md_sections *all, struct str name,
			    const struct md_section **out) MUST_USE;
/*
 * The names by which md_section_pick() finds each section, in their order: the anchor, else the
 * slug, else "SLUG:LINE".
 */
void md_section_names(struct arena *a, const struct md_sections *all, struct strs *out);
