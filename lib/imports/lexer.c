/* What the readers of the languages share. */
#include "imports/lexer.h"

#define UNKNOWN_TEXT 60 /* bytes of a place that are shown */

/* ---- what is found ---- */

size_t imports_add(struct imports_reader *r, enum imports_kind kind, struct str module,
		   struct span at)
{
	if (!module.n)
		return SIZE_MAX;
	*VEC_PUSH(r->a, r->out) = (struct import){.kind = kind, .module = module, .at = at};
	return r->out->n - 1;
}

void imports_add_member(struct imports_reader *r, size_t of, struct str name, const char *between,
			struct span at)
{
	struct str module;
	size_t i;

	if (of == SIZE_MAX || !name.n)
		return;
	module = r->out->p[of].module;
	i = imports_add(r, IMPORTS_MEMBER,
			str_fmt(r->a, "%.*s%s%.*s", STR_ARG(module), between, STR_ARG(name)), at);
	r->out->p[of].members += i != SIZE_MAX;
}

void imports_add_unknown(struct imports_reader *r, struct span at, const char *reason)
{
	/* Calls stand in each other: a whole one would be read once for each of them. */
	size_t to = size_min(at.to, at.from + 2 * UNKNOWN_TEXT);
	struct str text = imports_slice(r, at.from, to), line;

	if (str_line(&text, &line))
		text = str_trim(str_utf8_head(line, UNKNOWN_TEXT));
	*VEC_PUSH(r->a, &r->out->unknown) =
		(struct imports_unknown){.at = at, .text = text, .reason = reason};
}

void imports_add_unended(struct imports_reader *r, size_t at, const char *reason)
{
	if (!r->told)
		imports_add_unknown(r, (struct span){at, size_min(at + 20, r->text.n)}, reason);
	r->told = true;
}

/* ---- literals ---- */

/* Hexadecimal digits, at most `most`; moves *p. */
static uint32_t lexer_hex(const char **p, const char *end, size_t most)
{
	uint32_t code = 0;

	for (size_t i = 0; i < most && *p < end; i++, ++*p) {
		uint32_t digit;

		if (!str_hex((struct str){*p, 1}, &digit))
			break;
		code = code << 4 | digit;
	}
	return code;
}

static void lexer_escape(struct buf *b, const char **p, const char *end)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char c = *(*p)++;
	const char *known = c ? strchr(from, c) : NULL;
	uint32_t code = 0;

	if (c == 'u' && *p < end && **p == '{') {
		++*p;
		buf_utf8(b, lexer_hex(p, end, 8));
		*p += *p < end;
	} else if (c == 'x' || c == 'u' || c == 'U') {
		buf_utf8(b, lexer_hex(p, end, c == 'x' ? 2 : c == 'u' ? 4 : 8));
	} else if (c >= '0' && c <= '7') {
		for (--*p; *p < end && **p >= '0' && **p <= '7' && code < 32; ++*p)
			code = code * 8 + (uint32_t)(**p - '0');
		buf_utf8(b, code);
	} else if (c == '\r' && *p < end && **p == '\n') {
		++*p;
	} else if (known) {
		buf_putc(b, to[known - from]);
	} else if (c != '\n' && c != '\r') {
		buf_putc(b, c);
	}
}

struct str imports_unescape(struct arena *a, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	struct buf b;

	if (str_find_char(s, '\\', 0) == SIZE_MAX)
		return s;
	b = buf_in(a);
	while (p < end) {
		if (*p != '\\') {
			buf_putc(&b, *p++);
		} else if (++p < end) {
			lexer_escape(&b, &p, end);
		}
	}
	return buf_str(&b);
}

size_t imports_string_end(const struct imports_reader *r, size_t at, bool lines, size_t *stop)
{
	char quote = r->text.p[at];

	for (at++; at < r->text.n; at++) {
		char c = r->text.p[at];

		if (c == quote)
			return at + 1;
		if (c == '\\') {
			at++;
			if (imports_char(r, at) == '\r' && imports_char(r, at + 1) == '\n')
				at++;
		} else if (c == '\n' && !lines) {
			break;
		}
	}
	*stop = size_min(at, r->text.n);
	return SIZE_MAX;
}

size_t imports_comment_end(struct imports_reader *r, size_t at, const char *open, const char *close,
			   bool nests)
{
	size_t depth = 1, i = at + strlen(open);

	while (i < r->text.n) {
		if (r->text.p[i] == close[0] && imports_is(r, i, close)) {
			i += strlen(close);
			if (!--depth)
				return i;
		} else if (nests && r->text.p[i] == open[0] && imports_is(r, i, open)) {
			i += strlen(open);
			depth++;
		} else {
			i++;
		}
	}
	imports_add_unended(r, at, "the comment that begins here does not end");
	return r->text.n;
}

/* ---- paths ---- */

struct str imports_folder(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, 0, slash == SIZE_MAX ? 0 : slash);
}

bool imports_join(struct arena *a, struct str folder, struct str rest, struct str *out)
{
	struct buf b = buf_in(a);
	struct str part;

	buf_put(&b, folder);
	while (str_split(&rest, '/', &part)) {
		if (str_is(part, "..")) {
			size_t slash = str_rfind_char(buf_str(&b), '/');

			if (!b.n)
				return false;
			b.n = slash == SIZE_MAX ? 0 : slash;
		} else if (part.n && !str_is(part, ".")) {
			if (b.n)
				buf_putc(&b, '/');
			buf_put(&b, part);
		}
	}
	*out = buf_str(&b);
	return out->n > 0;
}

struct str imports_slashes(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		buf_putc(&b, s.p[i] == '\\' ? '/' : s.p[i]);
	return buf_str(&b);
}

void imports_name_add(struct imports_names *out, struct str name, bool path)
{
	if (!name.n || out->n == IMPORTS_NAMES)
		return;
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i].name, name) && out->p[i].path == path)
			return;
	out->p[out->n++] = (struct imports_name){name, path};
}
