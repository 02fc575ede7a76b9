#include "deps/reader.h"
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
	if (n && !s.n)
		image_put_value(b, name, value, ctx);
	else if (!n || (!colon && s.p[0] != '-'))
		buf_putc(b, IMAGE_UNKNOWN);
	else if (value(ctx, name, &v) && (v.n || !colon))
		buf_put(b, v);
	else
		image_put(r, b, str_sub(s, 1 + colon, s.n), escape, value, ctx, depth + 1);
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
			unsigned open = 1;

			for (to = i + 2; to < s.n && open; to++)
				open = open + (s.p[to] == '{') - (s.p[to] == '}');
			if (open || depth == IMAGE_DEPTH) {
				buf_putc(b, IMAGE_UNKNOWN);
				return;
			}
			image_put_braces(r, b, str_sub(s, i + 2, to - 1), escape, value, ctx,
					 depth);
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

/* Parts with slashes between, none of them empty. */
static bool image_is_name(struct str s)
{
	bool part = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '/' ? !part : !ascii_is_alnum(c) && !strchr("._-:[]", c))
			return false;
		part = c != '/';
	}
	return part;
}

struct dep *image_add(struct reader *r, struct str expanded, struct span at)
{
	struct str name = reader_until(expanded, "@"), tag;
	struct dep *d;
	size_t in;

	reader_cut(name, ':', str_rfind_char(name, '/') + 1, &name, &tag);
	if (str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX || !image_is_name(name)) {
		reader_unresolved(r, str_utf8_head(str_sub(r->text, at.from, at.to), 200), at,
				  str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX
					  ? "a variable without a known value is part of the name"
					  : "it is no name of an image");
		return NULL;
	}
	/* The name may be a part of the text, where it stands in the file. */
	in = str_find(str_sub(r->text, at.from, at.to), name, 0);
	if (in != SIZE_MAX)
		at = (struct span){at.from + in, at.from + in + name.n};
	d = reader_add_as(r, DEPS_DOCKER, name, at);
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
