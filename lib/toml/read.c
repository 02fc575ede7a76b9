/* Parses TOML documents: keys, tables, inline tables and lists. */
#include "toml/toml.h"
#include "toml/scan.h"
#include "toml/table.h"

#define DEPTH_MAX 128

struct key {
	struct str name;
	struct span at;
};

static struct err *read_value(struct scan *s, unsigned depth, struct val **out);

/* Names the kind of a key's first value, for the error about its second definition. */
static const char *value_kind(struct val *v)
{
	const struct table *t = table_of(v);

	if (!t)
		return val_type_name(v->type);
	switch (t->made) {
	case BY_HEADER:
	case BY_PARENT: return "a table";
	case BY_DOT: return "a table made by dotted keys";
	case INLINE: return "an inline table, to which nothing can be added";
	case ARRAY: return "a list, to which nothing can be added";
	case TABLES: return "a list of tables";
	}
	return "";
}

static struct err *already_defined(const struct scan *s, const struct key *key, struct val *old)
{
	struct str name = str_sub(s->text, key->at.from, key->at.to);
	size_t n = size_min(name.n, 100);

	while (n < name.n && n && ((unsigned char)name.p[n] & 0xc0) == 0x80)
		n--;
	return scan_bad(s, name.p, E_BAD_TOML, "%.*s%s is already %s (line %zu)", (int)n, name.p,
			n < name.n ? "..." : "", value_kind(old),
			str_place(s->text, old->key_at.from).line);
}

static struct err *check_depth(struct scan *s, const char *at, unsigned depth)
{
	if (depth <= DEPTH_MAX)
		return NULL;
	return scan_bad(s, at, E_TOO_DEEP, "more than %d levels of lists and tables", DEPTH_MAX);
}

static struct err *add_table(struct scan *s, struct table *in, const struct key *key,
			     enum made made, struct table **out)
{
	struct table *t;

	TRY(check_depth(s, s->text.p + key->at.from, in->depth + 1));
	t = table_new(s->arena, made, in->depth + 1);
	t->v.key = key->name;
	t->v.key_at = t->v.at = key->at;
	t->v.plain = made == BY_DOT;
	table_add(s->arena, in, &t->v);
	*out = t;
	return NULL;
}

/* Moves *t to the table that a part of a dotted key names, and makes the table if it is missing. */
static struct err *enter_dotted(struct scan *s, struct table **t, const struct key *key)
{
	struct val *old = table_get(*t, key->name);
	struct table *in = old ? table_of(old) : NULL;

	if (!old)
		return add_table(s, *t, key, BY_DOT, t);
	/* A table with a header is complete. A table that a longer header made is now defined. */
	if (!in || (in->made != BY_DOT && in->made != BY_PARENT))
		return already_defined(s, key, old);
	in->made = BY_DOT;
	*t = in;
	return NULL;
}

static struct err *read_pair(struct scan *s, struct table *t)
{
	struct key key;
	struct val *v, *old;

	for (;;) {
		TRY(scan_key(s, &key.name, &key.at));
		scan_blanks(s);
		if (scan_peek(s) != '.')
			break;
		s->p++;
		scan_blanks(s);
		TRY(enter_dotted(s, &t, &key));
	}
	if (scan_peek(s) != '=')
		return scan_expected(s, "'=' or '.' after a key");
	old = table_get(t, key.name);
	if (old)
		return already_defined(s, &key, old);
	s->p++;
	scan_blanks(s);
	TRY(read_value(s, t->depth, &v));
	v->key = key.name;
	v->key_at = key.at;
	table_add(s->arena, t, v);
	return NULL;
}

static struct err *toml_read_inline(struct scan *s, struct table *t)
{
	s->p++;
	scan_blanks(s);
	if (scan_peek(s) == '}') {
		s->p++;
		return NULL;
	}
	for (;;) {
		TRY(read_pair(s, t));
		scan_blanks(s);
		if (scan_peek(s) == '}') {
			s->p++;
			return NULL;
		}
		if (scan_peek(s) != ',')
			return scan_expected(s, "',' or '}' in an inline table");
		s->p++;
		scan_blanks(s);
	}
}

static struct err *read_array(struct scan *s, struct table *list)
{
	s->p++;
	TRY(scan_gap(s));
	while (scan_peek(s) != ']') {
		struct val *v;

		TRY(read_value(s, list->depth, &v));
		val_add(&list->v, v);
		TRY(scan_gap(s));
		if (scan_peek(s) == ',')
			s->p++;
		else if (scan_peek(s) != ']')
			return scan_expected(s, "',' or ']' in a list");
		TRY(scan_gap(s));
	}
	s->p++;
	return NULL;
}

/* Reads a value that is inside `depth` levels of lists and tables. */
static struct err *read_value(struct scan *s, unsigned depth, struct val **out)
{
	const char *from = s->p;
	char c = scan_peek(s);
	struct table *t;

	if (c == '[' || c == '{') {
		TRY(check_depth(s, from, depth + 1));
		t = table_new(s->arena, c == '[' ? ARRAY : INLINE, depth + 1);
		TRY(c == '[' ? read_array(s, t) : toml_read_inline(s, t));
		t->v.at = scan_span(s, from);
		*out = &t->v;
		return NULL;
	}
	*out = ARENA_NEW(s->arena, struct val);
	return c == '"' || c == '\'' ? scan_string(s, *out) : scan_scalar(s, *out);
}

/* Moves *t to the table that a part of a header names. The last part has its own functions. */
static struct err *enter_parent(struct scan *s, struct table **t, const struct key *key)
{
	struct val *old = table_get(*t, key->name);
	struct table *in = old ? table_of(old) : NULL;

	if (!old)
		return add_table(s, *t, key, BY_PARENT, t);
	if (!in || in->made == INLINE || in->made == ARRAY)
		return already_defined(s, key, old);
	*t = in->made == TABLES ? table_of(in->v.last) : in;
	return NULL;
}

/* [x]: the table that the last part of a header names. */
static struct err *open_table(struct scan *s, struct table **t, const struct key *key)
{
	struct val *old = table_get(*t, key->name);
	struct table *in = old ? table_of(old) : NULL;

	if (!old)
		return add_table(s, *t, key, BY_HEADER, t);
	if (!in || in->made != BY_PARENT)
		return already_defined(s, key, old);
	in->made = BY_HEADER;
	in->v.key_at = key->at;
	*t = in;
	return NULL;
}

/* [[x]]: a new element of the list that the last part of a header names. */
static struct err *open_element(struct scan *s, struct table **t, const struct key *key,
				struct table **list)
{
	struct val *old = table_get(*t, key->name);

	*list = old ? table_of(old) : NULL;
	if (!old)
		TRY(add_table(s, *t, key, TABLES, list));
	else if (!*list || (*list)->made != TABLES)
		return already_defined(s, key, old);
	TRY(check_depth(s, s->text.p + key->at.from, (*list)->depth + 1));
	*t = table_new(s->arena, BY_HEADER, (*list)->depth + 1);
	val_add(&(*list)->v, &(*t)->v);
	return NULL;
}

static struct err *toml_read_header(struct scan *s, struct table **t)
{
	const char *from = s->p;
	struct table *list = NULL;
	struct key key;
	bool element;

	s->p++;
	/* No blank may stand between the two brackets. */
	element = scan_peek(s) == '[';
	s->p += element;
	for (;;) {
		scan_blanks(s);
		TRY(scan_key(s, &key.name, &key.at));
		scan_blanks(s);
		if (scan_peek(s) != '.')
			break;
		s->p++;
		TRY(enter_parent(s, t, &key));
	}
	if (scan_peek(s) != ']')
		return scan_expected(s, "']' or '.' after a table's name");
	s->p++;
	if (element) {
		if (scan_peek(s) != ']')
			return scan_expected(s, "a second ']'");
		s->p++;
	}
	TRY(element ? open_element(s, t, &key, &list) : open_table(s, t, &key));
	(*t)->v.at = scan_span(s, from);
	if (list && list->v.n == 1)
		list->v.at = (*t)->v.at;
	return NULL;
}

static struct err *toml_read_all(struct scan *s, struct table *root)
{
	struct table *t = root;

	for (;;) {
		TRY(scan_gap(s));
		if (s->p == s->end)
			return NULL;
		if (*s->p == '[') {
			t = root;
			TRY(toml_read_header(s, &t));
		} else {
			TRY(read_pair(s, t));
		}
		TRY(scan_line_end(s));
	}
}

static struct err *check_utf8(const struct scan *s)
{
	const char *p = s->p;
	uint32_t code;
	size_t n;

	if (str_is_utf8(s->text))
		return NULL;
	while ((n = str_utf8_char(p, (size_t)(s->end - p), &code)))
		p += n;
	return scan_bad(s, p, E_BAD_UTF8, "byte 0x%02X is not UTF-8", (unsigned)(unsigned char)*p);
}

struct err *toml_read(struct arena *a, struct str text, struct val **out)
{
	struct scan s = {.arena = a, .text = {text.p ? text.p : "", text.n}};
	struct table *root = table_new(a, BY_HEADER, 1);

	s.p = s.text.p;
	s.end = s.p + text.n;
	TRY(check_utf8(&s));
	if (str_starts(s.text, STR("\xef\xbb\xbf")))
		s.p += 3;
	TRY(toml_read_all(&s, root));
	root->v.at = (struct span){0, text.n};
	*out = &root->v;
	return NULL;
}
