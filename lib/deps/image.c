#include "deps/image.h"
#include "deps/range.h"

#define IMAGE_DEPTH 16
/* No name is so long. Variables that name others could make any text longer than memory. */
#define IMAGE_MAX ((size_t)4096)

/* ---- variables ---- */

static void image_put(struct reader *r, struct buf *b, struct str s, char escape,
		      image_value_fn *value, void *ctx, unsigned depth);

static bool image_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_';
}

static void image_put_value(struct buf *b, struct str name, image_value_fn *value, void *ctx)
{
	struct str v;

	if (value(ctx, name, &v))
		buf_put(b, v);
	else
		buf_putc(b, IMAGE_UNKNOWN);
}

/* The offset of the brace that closes the one before `from`. */
static size_t image_brace(struct str s, size_t from)
{
	unsigned open = 1;

	for (size_t i = from; i < s.n; i++) {
		if (s.p[i] == '{')
			open++;
		else if (s.p[i] == '}' && !--open)
			return i;
	}
	return SIZE_MAX;
}

/* What stands inside of ${…}. */
static void image_put_braces(struct reader *r, struct buf *b, struct str s, char escape,
			     image_value_fn *value, void *ctx, unsigned depth)
{
	struct str name, v;
	size_t n = 0;
	bool colon;

	while (n < s.n && image_is_word(s.p[n]))
		n++;
	name = str_sub(s, 0, n);
	s = str_sub(s, n, s.n);
	colon = str_starts(s, STR(":-"));
	if (!s.n && n) {
		image_put_value(b, name, value, ctx);
	} else if (n && (colon || s.p[0] == '-')) {
		if (value(ctx, name, &v) && (v.n || !colon))
			buf_put(b, v);
		else
			image_put(r, b, str_sub(s, 1 + colon, s.n), escape, value, ctx, depth + 1);
	} else {
		buf_putc(b, IMAGE_UNKNOWN);
	}
}

static void image_put(struct reader *r, struct buf *b, struct str s, char escape,
		      image_value_fn *value, void *ctx, unsigned depth)
{
	for (size_t i = 0; i < s.n && buf_str(b).n <= IMAGE_MAX;) {
		char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : 0;
		size_t to = i + 1;

		if (c == escape && next == '$') {
			buf_putc(b, '$');
			to = i + 2;
		} else if (c == '$' && next == '{') {
			size_t end = image_brace(s, i + 2);

			if (end == SIZE_MAX || depth == IMAGE_DEPTH) {
				buf_putc(b, IMAGE_UNKNOWN);
				return;
			}
			image_put_braces(r, b, str_sub(s, i + 2, end), escape, value, ctx, depth);
			to = end + 1;
		} else if (c == '$' && (ascii_is_letter(next) || next == '_')) {
			while (to < s.n && image_is_word(s.p[to]))
				to++;
			image_put_value(b, str_sub(s, i + 1, to), value, ctx);
		} else {
			buf_putc(b, c);
		}
		i = to;
	}
}

struct str image_expand(struct reader *r, struct str s, char escape, image_value_fn *value,
			void *ctx)
{
	struct buf b = buf_in(r->a);

	if (str_find_char(s, '$', 0) == SIZE_MAX)
		return s;
	image_put(r, &b, s, escape, value, ctx, 0);
	return buf_str(&b).n <= IMAGE_MAX ? buf_str(&b) : STR("\x01");
}

/* ---- names: [registry/]path[:tag][@digest] ---- */

static bool image_is_name(struct str s)
{
	bool part = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '/' && !part)
			return false;
		if (c != '/' && !ascii_is_alnum(c) && !strchr("._-:[]", c))
			return false;
		part = c != '/';
	}
	return part;
}

/* Where the name, a part of the text, stands in the file. */
static struct span image_place(const struct reader *r, struct str name, struct span at)
{
	struct str raw = str_sub(r->text, at.from, at.to);
	size_t i = str_find(raw, name, 0);

	if (i == SIZE_MAX)
		return at;
	return (struct span){at.from + i, at.from + i + name.n};
}

struct dep *image_add(struct reader *r, struct str expanded, struct span at)
{
	size_t digest = str_find_char(expanded, '@', 0), slash, colon;
	struct str name = str_sub(expanded, 0, digest), tag = {"", 0};
	struct dep *d;

	slash = str_rfind_char(name, '/');
	colon = str_find_char(name, ':', slash == SIZE_MAX ? 0 : slash);
	if (colon != SIZE_MAX) {
		tag = str_sub(name, colon + 1, name.n);
		name = str_sub(name, 0, colon);
	}
	if (str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX || !image_is_name(name)) {
		reader_unresolved(r, str_utf8_head(str_sub(r->text, at.from, at.to), 200), at,
				  str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX
					  ? "a variable without a known value is part of the name"
					  : "it is no name of an image");
		return NULL;
	}
	d = reader_add_as(r, DEPS_DOCKER, name, image_place(r, name, at));
	d->reach = DEPS_DIRECT;
	/* A digest alone does not tell the version. */
	if (str_find_char(tag, IMAGE_UNKNOWN, 0) == SIZE_MAX)
		d->version = tag;
	return d;
}

/* ---- ranges of tags: "8" and "8-alpine" are 8 and all tags below it ---- */

struct str tag_rewritten(struct arena *a, struct str text)
{
	size_t from = str_starts(text, STR("v")), to;
	struct buf b = buf_in(a);

	to = from;
	while (to < text.n &&
	       (ascii_is_digit(text.p[to]) ||
		(text.p[to] == '.' && to + 1 < text.n && ascii_is_digit(text.p[to + 1]))))
		to++;
	/* A rule may also have a list: "1.2 || 1.4". */
	if (to == from || str_find_char(text, '|', to) != SIZE_MAX ||
	    str_find_char(text, ',', to) != SIZE_MAX || str_find_char(text, '*', to) != SIZE_MAX)
		return text;
	buf_fmt(&b, "==%.*s.*", STR_ARG(str_sub(text, from, to)));
	return buf_str(&b);
}
