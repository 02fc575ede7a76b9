#include "yaml/yaml.h"
#include <search.h>
#include <yaml.h>

#define BYTES_MAX  ((size_t)64 << 20)
#define DEPTH_MAX  ((size_t)128)
#define NODES_MAX  ((size_t)1000000)
#define MARK_EVERY ((size_t)64)

/* The cost of reading a whole value. An alias costs the value it names, each time it is used. */
struct cost {
	size_t nodes, height;
};

struct anchor {
	struct str name;
	const struct val *v; /* NULL until its value is complete */
	struct cost cost;
};

struct reader {
	struct arena *a, *scratch;
	struct str text, whole;
	size_t offset;
	yaml_parser_t parser;
	yaml_event_t event; /* the current event */
	size_t *marks;      /* the byte offset of every 64th character; NULL: all ASCII */
	void *anchors;      /* tsearch tree of struct anchor */
	size_t nodes;
	struct val key; /* of the current member: a map keeps only its text and place */
};

/* libyaml counts characters, and spans count bytes. */
static size_t byte_of(const struct reader *r, size_t index)
{
	size_t at, left;

	if (!r->marks)
		return size_min(index, r->text.n);
	at = r->marks[index / MARK_EVERY];
	left = index % MARK_EVERY;
	while (at < r->text.n && left) {
		at++;
		while (at < r->text.n && ((unsigned char)r->text.p[at] & 0xc0) == 0x80)
			at++;
		left--;
	}
	return at;
}

static void index_marks(struct reader *r)
{
	size_t chars = 0, last = 0;
	bool ascii = true;

	for (size_t i = 0; i < r->text.n && ascii; i++)
		ascii = (unsigned char)r->text.p[i] < 0x80;
	if (ascii)
		return;
	r->marks = arena_array(r->scratch, r->text.n / MARK_EVERY + 2, sizeof(*r->marks));
	for (size_t i = 0; i < r->text.n; i++) {
		if (((unsigned char)r->text.p[i] & 0xc0) == 0x80)
			continue;
		if (chars % MARK_EVERY == 0)
			r->marks[last++] = i;
		chars++;
	}
	/* The marks that are left point behind the last character. */
	while (last < r->text.n / MARK_EVERY + 2)
		r->marks[last++] = r->text.n;
}

PRINTF(4, 5)
static struct err *yaml_bad(const struct reader *r, enum err_reason reason, size_t at,
			    const char *fmt, ...)
{
	struct place p = r->whole.n ? str_place_of_offset(r->whole, r->offset + at)
				    : str_place_of_offset(r->text, at);
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(reason, p, fmt, ap);
	va_end(ap);
	return e;
}

static struct err *yaml_next(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *problem;
	size_t at;

	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return NULL;
	problem = p->problem ? p->problem : "this is not YAML";
	if (p->error == YAML_MEMORY_ERROR)
		out_of_memory(r->text.n);
	if (p->error == YAML_READER_ERROR)
		return yaml_bad(r, E_BAD_YAML, p->problem_offset, "%s", problem);
	at = byte_of(r, p->problem_mark.index);
	if (at < r->text.n && r->text.p[at] == '\t')
		return yaml_bad(r, E_BAD_YAML, at, "a tab cannot stand here: indent with spaces");
	/* Regular expressions often begin so, and libyaml's message does not help. */
	if (at < r->text.n && strchr("@`%", r->text.p[at]) && r->text.p[at])
		return yaml_bad(r, E_BAD_YAML, at, "text that begins with %c must be in quotes",
				r->text.p[at]);
	if (p->context && !strcmp(p->context, "while scanning an alias"))
		return yaml_bad(r, E_BAD_YAML, at, "text that begins with * must be in quotes");
	return yaml_bad(r, E_BAD_YAML, at, "%s%s%s", problem, p->context ? " " : "",
			p->context ? p->context : "");
}

static struct span event_span(const struct reader *r)
{
	struct span s = {byte_of(r, r->event.start_mark.index),
			 byte_of(r, r->event.end_mark.index)};

	s.to = size_max(s.from, s.to);
	return s;
}

static struct err *yaml_count(struct reader *r, size_t nodes)
{
	size_t at = byte_of(r, r->event.start_mark.index);

	r->nodes += nodes;
	if (r->nodes > NODES_MAX)
		return yaml_bad(r, E_TOO_LONG, at, "more than %zu values, with aliases expanded",
				NODES_MAX);
	return NULL;
}

static struct err *too_deep(const struct reader *r)
{
	return yaml_bad(r, E_TOO_DEEP, byte_of(r, r->event.start_mark.index),
			"more than %zu levels of lists and mappings", DEPTH_MAX);
}

/* ---- anchors ---- */

ORDER_OF(anchor_cmp, struct anchor, ORDER_STR(name))

static struct anchor *anchor_new(struct reader *r, const yaml_char_t *name)
{
	struct anchor *mine, **there;

	if (!name)
		return NULL;
	mine = ARENA_NEW(r->scratch, struct anchor);
	mine->name = str_dup(r->scratch, str_of((const char *)name));
	there = tsearch(mine, &r->anchors, anchor_cmp);
	if (!there)
		BUG("no memory for an anchor");
	/* An anchor's name may be defined again. An alias means the last definition before it. */
	(*there)->v = NULL;
	return *there;
}

static void anchor_set(struct anchor *anchor, const struct val *v, struct cost cost)
{
	if (!anchor)
		return;
	anchor->v = v;
	anchor->cost = cost;
}

static struct err *read_alias(struct reader *r, size_t depth, struct val **out, struct cost *cost)
{
	struct anchor want = {.name = str_of((const char *)r->event.data.alias.anchor)};
	struct anchor **there = tfind(&want, &r->anchors, anchor_cmp);
	struct span at = event_span(r);

	if (!there)
		return yaml_bad(r, E_BAD_YAML, at.from,
				"'*' begins an alias, but no anchor '&%.*s' stands above it: "
				"put text that begins with * in quotes",
				STR_ARG(want.name));
	if (!(*there)->v)
		return yaml_bad(r, E_BAD_YAML, at.from,
				"alias '*%.*s' is inside the value it names", STR_ARG(want.name));
	*cost = (*there)->cost;
	if (depth + cost->height > DEPTH_MAX)
		return too_deep(r);
	TRY(yaml_count(r, cost->nodes));
	/* The copy shares the members, so a small text cannot become a large tree. */
	*out = val_copy_shallow(r->a, (*there)->v);
	(*out)->key = (struct str){"", 0};
	(*out)->key_at = (struct span){0, 0};
	(*out)->at = (struct span){r->offset + at.from, r->offset + at.to};
	return NULL;
}

/* ---- values ---- */

static struct err *yaml_scalar_read(struct reader *r, struct val *v, struct cost *cost)
{
	static const char *const core[] = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:bool",
					   "tag:yaml.org,2002:int", "tag:yaml.org,2002:float",
					   NULL};
	const yaml_event_t *ev = &r->event;
	const char *tag = (const char *)ev->data.scalar.tag;
	struct str text = {(const char *)ev->data.scalar.value, ev->data.scalar.length};
	yaml_scalar_style_t style = ev->data.scalar.style;
	struct span at = event_span(r);

	TRY(yaml_count(r, 1));
	text = str_dup(r->a, text);
	v->plain = style == YAML_PLAIN_SCALAR_STYLE;
	v->type = VAL_STR;
	v->s = text;
	if (tag ? str_is_any(str_of(tag), core) : v->plain)
		yaml_resolve(v, text);
	/* libyaml reports the start of the next token as the end of a block scalar. */
	if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
		at.to = at.from + str_trim(str_sub(r->text, at.from, at.to)).n;
	v->at = (struct span){r->offset + at.from, r->offset + at.to};
	*cost = (struct cost){1, 0};
	anchor_set(anchor_new(r, ev->data.scalar.anchor), v, *cost);
	return NULL;
}

static struct err *read_node(struct reader *r, size_t depth, struct val **out, struct cost *cost);

static struct err *read_key(struct reader *r, size_t depth, struct val **key)
{
	struct cost cost;

	*key = &r->key;
	if (r->event.type == YAML_SCALAR_EVENT) {
		r->key = (struct val){0};
		if (r->event.data.scalar.anchor)
			*key = ARENA_NEW(r->a, struct val);
		return yaml_scalar_read(r, *key, &cost);
	}
	if (r->event.type != YAML_ALIAS_EVENT)
		return yaml_bad(r, E_BAD_YAML, byte_of(r, r->event.start_mark.index),
				"a key must be a word or a string, not a list or a mapping");
	TRY(read_alias(r, depth, key, &cost));
	if ((*key)->type == VAL_LIST || (*key)->type == VAL_MAP)
		return yaml_bad(r, E_BAD_YAML, (*key)->at.from - r->offset,
				"a key must be a word or a string, not %s",
				val_type_name((*key)->type));
	return NULL;
}

static void end_span(const struct reader *r, struct val *v, bool flow)
{
	size_t end = r->offset + byte_of(r, r->event.end_mark.index);

	/* libyaml reports the start of the next token as the end of a block collection. */
	if (!flow && v->last)
		end = size_max(v->last->at.to, v->last->key_at.to);
	v->at.to = size_max(end, v->at.from);
}

static struct err *read_map(struct reader *r, size_t depth, struct val *v, struct cost *cost)
{
	bool flow = r->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	struct arena *scratch ARENA_LOCAL = NULL;
	const struct val *twice;

	for (;;) {
		struct val *key, *value;
		struct span at;
		struct str name;
		struct cost c;

		TRY(yaml_next(r));
		if (r->event.type == YAML_MAPPING_END_EVENT)
			break;
		TRY(read_key(r, depth, &key));
		name = key->s;
		at = key->at;
		TRY(yaml_next(r));
		TRY(read_node(r, depth, &value, &c));
		value->key_at = at;
		val_set_key(v, name, value);
		cost->nodes += c.nodes + 1;
		cost->height = size_max(cost->height, c.height + 1);
	}
	end_span(r, v, flow);
	/* An arena of its own: r->scratch would grow with every mapping of a large file. */
	scratch = v->n > 8 ? arena_new() : NULL;
	twice = val_duplicate_key(scratch, v);
	if (!twice)
		return NULL;
	return yaml_bad(r, E_BAD_YAML, twice->key_at.from - r->offset,
			"key '%.100s' is given twice in one mapping",
			str_c(r->scratch, twice->key));
}

/* Recursion is bounded by DEPTH_MAX. */
static struct err *read_node(struct reader *r, size_t depth, struct val **out, struct cost *cost)
{
	bool map = r->event.type == YAML_MAPPING_START_EVENT, flow;
	struct anchor *anchor;
	struct val *v, *value;
	struct cost c;

	if (r->event.type == YAML_ALIAS_EVENT)
		return read_alias(r, depth, out, cost);
	if (r->event.type == YAML_SCALAR_EVENT) {
		*out = ARENA_NEW(r->a, struct val);
		return yaml_scalar_read(r, *out, cost);
	}
	if (depth == DEPTH_MAX)
		return too_deep(r);
	TRY(yaml_count(r, 1));
	v = *out = map ? val_map(r->a) : val_list(r->a);
	v->at.from = r->offset + byte_of(r, r->event.start_mark.index);
	*cost = (struct cost){1, 1};
	anchor = anchor_new(r, map ? r->event.data.mapping_start.anchor
				   : r->event.data.sequence_start.anchor);
	if (map) {
		TRY(read_map(r, depth + 1, v, cost));
	} else {
		flow = r->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
		for (;;) {
			TRY(yaml_next(r));
			if (r->event.type == YAML_SEQUENCE_END_EVENT)
				break;
			TRY(read_node(r, depth + 1, &value, &c));
			val_add(v, value);
			cost->nodes += c.nodes;
			cost->height = size_max(cost->height, c.height + 1);
		}
		end_span(r, v, flow);
	}
	anchor_set(anchor, v, *cost);
	return NULL;
}

static void yaml_nothing(void *p)
{
	(void)p;
}

/* All documents as a list, or the only one. */
static struct err *read_stream(struct reader *r, bool all, struct val **out)
{
	struct cost cost;
	size_t n = 0;

	*out = all ? val_list(r->a) : val_null(r->a);
	if (!all)
		(*out)->at = (struct span){r->offset, r->offset};
	TRY(yaml_next(r)); /* skip the stream's start */
	TRY(yaml_next(r));
	while (r->event.type != YAML_STREAM_END_EVENT) {
		struct val *document;

		if (!all && n++)
			return yaml_bad(r, E_BAD_YAML, byte_of(r, r->event.start_mark.index),
					"a second document begins, but only one is allowed");
		TRY(yaml_next(r)); /* skip the document's start */
		TRY(read_node(r, 0, &document, &cost));
		if (all)
			val_add(*out, document);
		else
			*out = document;
		tdestroy(r->anchors, yaml_nothing);
		r->anchors = NULL;
		TRY(yaml_next(r)); /* skip to the document's end */
		TRY(yaml_next(r));
	}
	return NULL;
}

static void yaml_release(void *p)
{
	struct reader *r = p;

	yaml_event_delete(&r->event);
	yaml_parser_delete(&r->parser);
	tdestroy(r->anchors, yaml_nothing);
}

static struct err *yaml_read_by(struct arena *a, struct str text, struct str whole, size_t offset,
				bool all, struct val **out)
{
	struct arena *scratch ARENA_LOCAL = NULL;
	struct reader *r;
	struct err *e;

	/* libyaml takes a byte order mark for a column, and the first key for an inner one. */
	if (str_starts(text, STR("\xef\xbb\xbf"))) {
		whole = whole.n ? whole : text;
		text = str_sub(text, 3, text.n);
		offset += 3;
	}
	if (text.n > BYTES_MAX)
		return err_new(E_TOO_LONG, "the YAML text has %zu bytes; at most %zu are allowed",
			       text.n, BYTES_MAX);
	scratch = arena_new();
	r = ARENA_NEW(scratch, struct reader);
	*r = (struct reader){
		.a = a, .scratch = scratch, .text = text, .whole = whole, .offset = offset};
	if (!str_is_utf8(text)) {
		size_t at = 0, len;
		uint32_t code;

		while ((len = str_utf8_char(text.p + at, text.n - at, &code)))
			at += len;
		e = yaml_bad(r, E_BAD_UTF8, at, "this byte is not UTF-8");
	} else if (!yaml_parser_initialize(&r->parser)) {
		out_of_memory(sizeof(r->parser));
	} else {
		arena_defer(scratch, yaml_release, r);
		/* Set the encoding: libyaml would guess, and take two zero bytes for UTF-16. */
		yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.p, text.n);
		index_marks(r);
		e = read_stream(r, all, out);
	}
	return e;
}

struct err *yaml_read(struct arena *a, struct str text, struct str whole, size_t offset,
		      struct val **out)
{
	return yaml_read_by(a, text, whole, offset, false, out);
}

struct err *yaml_read_all(struct arena *a, struct str text, struct val **out)
{
	return yaml_read_by(a, text, STR(""), 0, true, out);
}
