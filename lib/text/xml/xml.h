/*
 * xml: reads XML 1.0 into a tree of elements with spans in bytes, for manifests of Maven and .NET.
 * expat parses. This module refuses document types, so a text cannot define entities and cannot
 * name another file.
 */
#pragma once

#include "base/base.h"

struct xml_attr {
	struct str name, value; /* without the prefix of a namespace; decoded */
};

struct xml {
	struct str name;     /* without the prefix of a namespace */
	struct str text;     /* decoded and trimmed; empty for an element with children */
	struct span at;      /* of the start tag */
	struct span text_at; /* of the text, untrimmed and with its escapes */
	struct xml_attr *attrs;
	size_t attrs_n;
	struct xml *first, *last, *next; /* the children in order of appearance */
};

#define XML_EACH(v, it) for (const struct xml *it = (v) ? (v)->first : NULL; it; it = it->next)

/*
 * *out is the top element. The tree lives in the arena and may borrow from `text`, which must
 * outlive it. Blanks before the XML declaration are skipped. Encodings: UTF-8, UTF-16, ISO-8859-1
 * and US-ASCII.
 *
 * Errors: BAD_XML for a text that is not well-formed, has a document type or another encoding;
 * TOO_DEEP over 256 levels; TOO_LONG over two million elements. The message begins "line L, column
 * C: ", and the details have line and column.
 */
struct err *xml_read(struct arena *a, struct str text, struct xml **out) MUST_USE;

/* The first child of that name; NULL when v is NULL or has none. Names of XML have a case. */
const struct xml *xml_get(const struct xml *v, const char *name);
/* The text of that child; empty when there is none. */
struct str xml_child_text(const struct xml *v, const char *name);
/* The value of the attribute in any case; *found (may be NULL): whether the element has it. */
struct str xml_attr(const struct xml *v, const char *name, bool *found);
/*
 * The span of the attribute's value without its quotes; the span of the tag when the element does
 * not have it, and for a text in UTF-16.
 */
struct span xml_attr_span(struct str text, const struct xml *v, const char *name);
/* The span of the trimmed text of an element; of its tag when it has no text. */
struct span xml_text_span(struct str text, const struct xml *v);
