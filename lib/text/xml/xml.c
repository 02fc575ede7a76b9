#include "xml/xml.h"
#include <expat.h>

#define XML_DEPTH_MAX 256
#define XML_NODES_MAX 2000000

/* Expat 2.9 deprecates the functions whose places do not have 64 bits everywhere. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define xml_byte_index(parser) XML_GetCurrentByteIndex64(parser)
#define xml_byte_count(parser) XML_GetCurrentByteCount64(parser)
#else
#define xml_byte_index(parser) XML_GetCurrentByteIndex(parser)
#define xml_byte_count(parser) XML_GetCurrentByteCount(parser)
#endif

struct xml_reader {
	struct arena *a;
	struct str whole, text; /* text: without the blanks before the declaration */
	XML_Parser parser;
	struct xml *path[XML_DEPTH_MAX];
	struct buf copies[XML_DEPTH_MAX]; /* of texts that are no slice of the input */
	size_t depth, nodes;
	struct xml *top;
	struct err *failed;
};

static size_t xml_offset(const struct xml_reader *r)
{
	int64_t i = xml_byte_index(r->parser);

	return (r->whole.n - r->text.n) + size_min(i < 0 ? 0 : (size_t)i, r->text.n);
}

PRINTF(3, 4)
static struct err *xml_bad(const struct xml_reader *r, enum err_reason reason, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(reason, str_place_of_offset(r->whole, xml_offset(r)), fmt, ap);
	va_end(ap);
	return e;
}

static void xml_fail(struct xml_reader *r, struct err *e)
{
	if (!r->failed)
		r->failed = e;
	XML_StopParser(r->parser, XML_FALSE);
}

static struct str xml_local(struct arena *a, const char *name)
{
	const char *colon = strrchr(name, ':');

	return str_dup(a, str_of(colon ? colon + 1 : name));
}

static void XMLCALL xml_on_start(void *ctx, const char *name, const char **attrs)
{
	struct xml_reader *r = ctx;
	struct xml *v, *parent = r->depth ? r->path[r->depth - 1] : NULL;
	size_t at = xml_offset(r), colon;
	struct str there;

	if (r->failed)
		return;
	if (r->depth == XML_DEPTH_MAX) {
		xml_fail(r,
			 xml_bad(r, E_TOO_DEEP, "more than %d levels of elements", XML_DEPTH_MAX));
		return;
	}
	if (++r->nodes > XML_NODES_MAX) {
		xml_fail(r, xml_bad(r, E_TOO_LONG, "more than %d elements", XML_NODES_MAX));
		return;
	}
	v = ARENA_NEW(r->a, struct xml);
	/* Mostly the name is a slice of the text, because there are many. */
	there = str_sub(r->whole, at + 1, at + 1 + strlen(name));
	colon = str_find_char(there, ':', 0);
	v->name = !str_is(there, name) ? xml_local(r->a, name)
		  : colon == SIZE_MAX  ? there
				       : str_sub(there, colon + 1, there.n);
	v->at = (struct span){at, at + (size_t)xml_byte_count(r->parser)};
	for (size_t i = 0; attrs[i]; i += 2)
		v->attrs_n++;
	if (v->attrs_n)
		v->attrs = arena_array(r->a, v->attrs_n, sizeof(*v->attrs));
	for (size_t i = 0; i < v->attrs_n; i++)
		v->attrs[i] = (struct xml_attr){xml_local(r->a, attrs[2 * i]),
						str_dup(r->a, str_of(attrs[2 * i + 1]))};
	if (!parent) {
		r->top = v;
	} else if (parent->last) {
		parent->last = parent->last->next = v;
	} else {
		parent->first = parent->last = v;
		parent->text = STR("");
	}
	r->copies[r->depth].n = 0;
	r->path[r->depth++] = v;
}

static void XMLCALL xml_on_end(void *ctx, const char *name)
{
	struct xml_reader *r = ctx;
	struct xml *v;

	(void)name;
	if (r->failed)
		return;
	v = r->path[--r->depth];
	if (v->first)
		v->text = STR("");
	else if (r->copies[r->depth].n)
		v->text = str_dup(r->a, buf_as_str(&r->copies[r->depth]));
	v->text = str_trim(v->text);
}

/* A piece of text. Mostly it is a slice of the input behind the piece before it. */
static void XMLCALL xml_on_text(void *ctx, const char *s, int n)
{
	struct xml_reader *r = ctx;
	struct str piece = {s, (size_t)n}, raw;
	struct xml *v = r->depth ? r->path[r->depth - 1] : NULL;
	struct buf *copy;
	size_t at = xml_offset(r);
	size_t end = at + (size_t)xml_byte_count(r->parser);

	if (r->failed || !v || v->first)
		return;
	copy = &r->copies[r->depth - 1];
	raw = str_sub(r->whole, at, end);
	if (str_is(raw, "\n") || str_is(raw, "\r\n") || str_is(raw, "\r"))
		piece = raw;
	if (!v->text.n && !copy->n)
		v->text_at.from = at;
	v->text_at.to = size_max(end, v->text_at.from);
	if (!copy->n && !v->text.n && piece.p >= r->whole.p && piece.p < r->whole.p + r->whole.n) {
		v->text = piece;
	} else if (!copy->n && v->text.p && piece.p == v->text.p + v->text.n) {
		v->text.n += piece.n;
	} else {
		if (!copy->n)
			buf_put(copy, v->text);
		buf_put(copy, piece);
	}
}

static void XMLCALL xml_on_doctype(void *ctx, const char *name, const char *system,
				   const char *public, int internal)
{
	struct xml_reader *r = ctx;

	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	xml_fail(r, xml_bad(r, E_BAD_XML,
			    "a document type (<!DOCTYPE) may define entities, and ikm reads none"));
}

static void xml_free(void *p)
{
	XML_ParserFree(p);
}

struct err *xml_read(struct arena *a, struct str text, struct xml **out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct xml_reader *r = ARENA_NEW(scratch, struct xml_reader);
	enum XML_Status status;

	*out = NULL;
	r->a = a;
	r->whole = r->text = text;
	if (text.n > INT32_MAX)
		return err_new(E_TOO_BIG, "XML of %zu bytes; ikm reads at most %d", text.n,
			       INT32_MAX);
	while (r->text.n && ascii_is_space(r->text.p[0]))
		r->text = str_sub(r->text, 1, r->text.n);
	for (size_t i = 0; i < XML_DEPTH_MAX; i++)
		r->copies[i] = buf_in(scratch);
	r->parser = XML_ParserCreate(NULL);
	if (!r->parser)
		out_of_memory(text.n);
	arena_defer(scratch, xml_free, r->parser);
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, xml_on_start, xml_on_end);
	XML_SetCharacterDataHandler(r->parser, xml_on_text);
	XML_SetStartDoctypeDeclHandler(r->parser, xml_on_doctype);
	status = XML_Parse(r->parser, r->text.p, (int)r->text.n, XML_TRUE);
	if (r->failed)
		return r->failed;
	if (status != XML_STATUS_OK) {
		enum XML_Error why = XML_GetErrorCode(r->parser);

		if (why == XML_ERROR_NO_MEMORY)
			out_of_memory(r->text.n);
		if (why == XML_ERROR_UNKNOWN_ENCODING || why == XML_ERROR_INCORRECT_ENCODING)
			return xml_bad(r, E_BAD_XML,
				       "ikm cannot read this encoding: write it in UTF-8");
		return xml_bad(r, E_BAD_XML, "%s", XML_ErrorString(why));
	}
	*out = r->top;
	return NULL;
}

/* ---- the tree ---- */

const struct xml *xml_get(const struct xml *v, const char *name)
{
	XML_EACH(v, c)
	if (str_is(c->name, name))
		return c;
	return NULL;
}

struct str xml_child_text(const struct xml *v, const char *name)
{
	const struct xml *c = xml_get(v, name);

	return c ? c->text : STR("");
}

struct str xml_attr(const struct xml *v, const char *name, bool *found)
{
	for (size_t i = 0; v && i < v->attrs_n; i++)
		if (str_ieq(v->attrs[i].name, str_of(name))) {
			if (found)
				*found = true;
			return v->attrs[i].value;
		}
	if (found)
		*found = false;
	return STR("");
}

static size_t xml_skip_blanks(struct str s, size_t i)
{
	while (i < s.n && ascii_is_space(s.p[i]))
		i++;
	return i;
}

/* expat has read the tag before, so it is known to be well-formed. */
struct span xml_attr_span(struct str text, const struct xml *v, const char *name)
{
	struct str tag = str_sub(text, v->at.from, v->at.to), key;
	size_t i = 0;

	while (i < tag.n && !ascii_is_space(tag.p[i]))
		i++;
	for (;;) {
		size_t from, colon, end;

		from = i = xml_skip_blanks(tag, i);
		while (i < tag.n && tag.p[i] != '=' && !ascii_is_space(tag.p[i]))
			i++;
		key = str_sub(tag, from, i);
		colon = str_rfind_char(key, ':');
		if (colon != SIZE_MAX)
			key = str_sub(key, colon + 1, key.n);
		i = xml_skip_blanks(tag, i);
		if (i == tag.n || tag.p[i] != '=')
			return v->at;
		i = xml_skip_blanks(tag, i + 1);
		if (i == tag.n || (tag.p[i] != '"' && tag.p[i] != '\''))
			return v->at;
		end = str_find_char(tag, tag.p[i], i + 1);
		if (end == SIZE_MAX)
			return v->at;
		if (str_ieq(key, str_of(name)))
			return (struct span){v->at.from + i + 1, v->at.from + end};
		i = end + 1;
	}
}

struct span xml_text_span(struct str text, const struct xml *v)
{
	struct span s = v->text_at;

	if (!v->text.n)
		return v->at;
	while (s.from < s.to && ascii_is_any_space(text.p[s.from]))
		s.from++;
	while (s.to > s.from && ascii_is_any_space(text.p[s.to - 1]))
		s.to--;
	return s;
}
