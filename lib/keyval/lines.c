/* Formats of lines: INI, .env, properties. */
#include "keyval/keyval.h"

static size_t keyval_offset(const struct keyvals *k, struct str s)
{
	return (size_t)(s.p - k->text.p);
}

/* A byte order mark is no part of the first key. */
static struct str keyval_begin(const struct keyvals *k)
{
	return str_sub(k->text, str_starts(k->text, STR("\xef\xbb\xbf")) ? 3 : 0, k->text.n);
}

/* ---- INI ---- */

/* The value without a comment behind a blank, and without quotes around it. */
static struct str ini_value(struct str s)
{
	s = str_trim(s);
	if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'')) {
		size_t end = str_find_char(s, s.p[0], 1);
		struct str rest = str_trim(str_sub(s, end == SIZE_MAX ? s.n : end + 1, s.n));

		if (end != SIZE_MAX && (!rest.n || rest.p[0] == '#' || rest.p[0] == ';'))
			return str_sub(s, 1, end);
	}
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] == '#' || s.p[i] == ';') && (!i || ascii_is_blank(s.p[i - 1])))
			return str_trim(str_sub(s, 0, i));
	return s;
}

static size_t ini_indent(struct str line)
{
	size_t n = 0;

	while (n < line.n && ascii_is_blank(line.p[n]))
		n++;
	return n;
}

/* [section], [section "name"]: section.name */
static struct str ini_section(struct arena *a, struct str s)
{
	size_t quote = str_find_char(s, '"', 0);
	struct buf b = buf_in(a);

	s = str_trim(s);
	if (quote == SIZE_MAX || !str_ends(s, STR("\"")) || quote + 1 >= s.n)
		return s;
	buf_fmt(&b, "%.*s.%.*s", STR_ARG(str_trim(str_sub(s, 0, quote))),
		STR_ARG(str_sub(s, quote + 1, s.n - 1)));
	return buf_str(&b);
}

/* A value that may go on in the lines below it. */
struct ini_open {
	struct str section, key;
	struct buf value;
	size_t at, indent;
	bool any;
};

static struct err *ini_close(struct keyvals *k, struct ini_open *o)
{
	if (!o->any)
		return NULL;
	o->any = false;
	return keyval_give(k, o->section, o->key, buf_str(&o->value), o->at);
}

/*
 * A value of Git's files, in the text at *i; moves *i behind its last line. Quotes stand anywhere,
 * a comment begins outside of them, and a backslash at the end of a line continues the value.
 */
static struct err *ini_git_value(struct keyvals *k, size_t *i, struct buf *b)
{
	struct str s = k->text;
	size_t from = *i, keep = 0; /* keep: the bytes that blanks at the end do not belong to */
	bool quoted = false;

	for (; *i < s.n && s.p[*i] != '\n'; ++*i) {
		char c = s.p[*i], next = *i + 1 < s.n ? s.p[*i + 1] : '\n';

		if (c == '\r' && next == '\n')
			continue;
		if (!quoted && (c == '#' || c == ';')) {
			*i = size_min(str_find_char(s, '\n', *i), s.n);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			keep = b->n;
			continue;
		}
		if (c == '\\') {
			++*i;
			if (next == '\r' && *i + 1 < s.n && s.p[*i + 1] == '\n')
				++*i;
			else if (next != '\n')
				buf_putc(b, next == 'n'   ? '\n'
					    : next == 't' ? '\t'
					    : next == 'b' ? '\b'
							  : next);
			keep = b->n;
			continue;
		}
		/* Blanks before the first byte, also of a line that goes on, are no part of it. */
		if (!quoted && !b->n && ascii_is_blank(c))
			continue;
		buf_putc(b, c);
		if (quoted || !ascii_is_blank(c))
			keep = b->n;
	}
	if (quoted)
		return keyval_bad(k, from, "a value begins here whose quote does not end");
	b->n = keep;
	return NULL;
}

/* Moves *rest behind a value of Git, which may have several lines. */
static struct err *ini_key(struct keyvals *k, struct ini_open *o, struct str line, size_t indent,
			   enum keyval_ini form, struct str *rest)
{
	struct str s = str_trim(line);
	size_t equals = str_find_char(s, '=', 0);

	if (form == KEYVAL_INI)
		equals = size_min(equals, str_find_char(s, ':', 0));
	o->key = str_trim(str_sub(s, 0, equals));
	/* A key alone may have a comment behind it. */
	if (equals == SIZE_MAX)
		o->key = ini_value(s);
	o->value.n = 0;
	o->at = keyval_offset(k, s);
	o->indent = indent;
	o->any = true;
	if (equals == SIZE_MAX)
		return NULL;
	s = str_trim(str_sub(s, equals + 1, s.n));
	if (form == KEYVAL_INI_GIT) {
		size_t i = keyval_offset(k, s);

		TRY(ini_git_value(k, &i, &o->value));
		*rest = str_sub(k->text, size_min(i, k->text.n - 1) + 1, k->text.n);
	} else {
		buf_put(&o->value, ini_value(s));
	}
	return NULL;
}

struct err *keyval_ini(struct keyvals *k, enum keyval_ini form)
{
	struct str rest = keyval_begin(k), line;
	struct ini_open o = {.section = {"", 0}, .value = buf_in(k->a)};

	while (str_line(&rest, &line)) {
		size_t indent = ini_indent(line), close;
		struct str s = str_trim(line);

		if (!s.n || s.p[0] == '#' || s.p[0] == ';')
			continue;
		if (form == KEYVAL_INI && o.any && indent > o.indent) {
			buf_putc(&o.value, '\n');
			buf_put(&o.value, ini_value(s));
			continue;
		}
		TRY(ini_close(k, &o));
		if (s.p[0] == '[') {
			close = str_rfind_char(str_sub(s, 0, str_find(s, STR("] "), 0) + 1), ']');
			if (close == SIZE_MAX)
				close = str_rfind_char(s, ']');
			if (close == SIZE_MAX)
				return keyval_bad(k, keyval_offset(k, s),
						  "a section begins with [ and must end with ]");
			o.section = ini_section(k->a, str_sub(s, 1, close));
			/* Git allows a key behind it. */
			s = str_trim(str_sub(s, close + 1, s.n));
			if (form == KEYVAL_INI || !s.n || s.p[0] == '#' || s.p[0] == ';')
				continue;
		}
		TRY(ini_key(k, &o, s, indent, form, &rest));
	}
	return ini_close(k, &o);
}

/* ---- .env ---- */

/* Behind the opening quote; it may end on another line. Moves *rest behind its line. */
static struct err *env_quoted(struct keyvals *k, struct str *rest, struct str value,
			      struct str *out)
{
	char quote = value.p[0];
	struct buf b = buf_in(k->a);
	struct str line = {"", 0};
	size_t i = keyval_offset(k, value) + 1, from = i;

	for (; i < k->text.n && k->text.p[i] != quote; i++) {
		char c = k->text.p[i], next = i + 1 < k->text.n ? k->text.p[i + 1] : 0;

		if (c == '\\' && quote == '"' && next) {
			buf_putc(&b, next == 'n'   ? '\n'
				     : next == 'r' ? '\r'
				     : next == 't' ? '\t'
						   : next);
			i++;
		} else {
			buf_putc(&b, c);
		}
	}
	if (i == k->text.n)
		return keyval_bad(k, from - 1, "a quote begins here and does not end");
	*rest = str_sub(k->text, i + 1, k->text.n);
	str_line(rest, &line);
	/* A shell reads "a"b as ab. */
	line = str_trim(line);
	if (line.n && line.p[0] != '#')
		buf_put(&b, line);
	*out = buf_str(&b);
	return NULL;
}

struct err *keyval_env(struct keyvals *k)
{
	struct str rest = keyval_begin(k), line;

	while (str_line(&rest, &line)) {
		struct str s = str_trim(line), key, value;
		size_t equals, at;

		if (!s.n || s.p[0] == '#')
			continue;
		if (str_starts(s, STR("export ")) || str_starts(s, STR("export\t")))
			s = str_trim(str_sub(s, 7, s.n));
		if (!s.n)
			continue;
		at = keyval_offset(k, s);
		equals = str_find_char(s, '=', 0);
		key = str_trim(str_sub(s, 0, equals));
		value = equals == SIZE_MAX ? STR("") : str_trim(str_sub(s, equals + 1, s.n));
		if (value.n && (value.p[0] == '"' || value.p[0] == '\'' || value.p[0] == '`')) {
			TRY(env_quoted(k, &rest, value, &value));
		} else {
			for (size_t i = 0; i < value.n; i++)
				if (value.p[i] == '#' && (!i || ascii_is_blank(value.p[i - 1]))) {
					value = str_trim(str_sub(value, 0, i));
					break;
				}
		}
		TRY(keyval_give(k, STR(""), key, value, at));
	}
	return NULL;
}

/* ---- properties ---- */

static bool properties_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

/* Behind a backslash at the end of a line: the indentation of the next line is no part of it. */
static size_t properties_next(struct str s, size_t i)
{
	i += s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
	while (i < s.n && properties_blank(s.p[i]))
		i++;
	return i;
}

/* What follows the backslash at *i; moves *i behind it. */
static struct err *properties_escape(struct keyvals *k, struct str s, size_t *i, struct buf *b)
{
	char c = s.p[*i];
	uint32_t code, low;

	if (c == '\n' || c == '\r') {
		*i = properties_next(s, *i);
		return NULL;
	}
	if (c == 'u') {
		if (*i + 5 > s.n || !str_hex(str_sub(s, *i + 1, *i + 5), &code))
			return keyval_bad(k, *i - 1, "\\u must have four hexadecimal digits");
		*i += 5;
		if (code >> 10 == 0xd800 >> 10 && str_is(str_sub(s, *i, *i + 2), "\\u") &&
		    *i + 6 <= s.n && str_hex(str_sub(s, *i + 2, *i + 6), &low) &&
		    low >> 10 == 0xdc00 >> 10) {
			code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
			*i += 6;
		}
		buf_utf8(b, code);
		return NULL;
	}
	buf_putc(b, c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c);
	*i += 1;
	return NULL;
}

/* A key up to its separator, or a value up to the end of the line. */
static struct err *properties_part(struct keyvals *k, struct str s, size_t *i, bool key,
				   struct str *out)
{
	struct buf b = buf_in(k->a);

	while (*i < s.n && s.p[*i] != '\n' && s.p[*i] != '\r') {
		char c = s.p[*i];

		if (key && (c == '=' || c == ':' || properties_blank(c)))
			break;
		*i += 1;
		if (c != '\\')
			buf_putc(&b, c);
		else if (*i < s.n)
			TRY(properties_escape(k, s, i, &b));
	}
	*out = buf_str(&b);
	return NULL;
}

struct err *keyval_properties(struct keyvals *k)
{
	struct str s = k->text, key, value;
	size_t i = k->text.n - keyval_begin(k).n, at;

	while (i < s.n) {
		while (i < s.n && (properties_blank(s.p[i]) || s.p[i] == '\n' || s.p[i] == '\r'))
			i++;
		if (i < s.n && (s.p[i] == '#' || s.p[i] == '!')) {
			while (i < s.n && s.p[i] != '\n' && s.p[i] != '\r')
				i++;
			continue;
		}
		if (i == s.n)
			break;
		at = i;
		TRY(properties_part(k, s, &i, true, &key));
		while (i < s.n && properties_blank(s.p[i]))
			i++;
		if (i < s.n && (s.p[i] == '=' || s.p[i] == ':'))
			i++;
		while (i < s.n && properties_blank(s.p[i]))
			i++;
		TRY(properties_part(k, s, &i, false, &value));
		TRY(keyval_give(k, STR(""), key, value, at));
	}
	return NULL;
}
