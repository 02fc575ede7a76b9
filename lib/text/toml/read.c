/* Parses TOML documents: keys, tables, inline tables and lists. */
#include "toml/toml.h"
#include <search.h>

/*
 * The tokens: blanks, comments, keys, strings, numbers, dates. Each function reads at s->p and
 * moves it behind the token. The caller has checked that the text is UTF-8.
 */
struct scan {
	struct arena *arena;
	struct str text;
	const char *p, *end;
};

static struct span scan_span(const struct scan *s, const char *from)
{
	return (struct span){(size_t)(from - s->text.p), (size_t)(s->p - s->text.p)};
}

/* The byte at s->p, or NUL at the end; no grammar rule expects a NUL. */
static char scan_peek(const struct scan *s)
{
	return s->p < s->end ? *s->p : 0;
}

PRINTF(4, 5)
static struct err *scan_bad(const struct scan *s, const char *at, enum err_reason reason,
			    const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(reason, str_place_of_offset(s->text, (size_t)(at - s->text.p)), fmt,
			    ap);
	va_end(ap);
	return e;
}

/* The error "expected WHAT, found …" at s->p. */
static struct err *scan_expected(const struct scan *s, const char *what)
{
	uint32_t code = 0;
	char c = scan_peek(s);

	if (s->p == s->end)
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, but the text ends", what);
	if (c == '\n' || c == '\r')
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, but the line ends", what);
	if (c > ' ' && c < 0x7f)
		return scan_bad(s, s->p, E_BAD_TOML, "expected %s, found '%c'", what, c);
	str_utf8_char(s->p, (size_t)(s->end - s->p), &code);
	return scan_bad(s, s->p, E_BAD_TOML, "expected %s, found U+%04X", what, (unsigned)code);
}

/* Skips spaces and tabs. */
static void scan_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

/* The length of the line end at p: LF, CRLF, or 0 for none. A CR alone ends no line. */
static size_t toml_scan_line_end(const char *p, const char *end)
{
	if (p < end && *p == '\n')
		return 1;
	return end - p >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

static struct err *toml_scan_comment(struct scan *s)
{
	scan_blanks(s);
	if (scan_peek(s) != '#')
		return NULL;
	while (s->p < s->end && !toml_scan_line_end(s->p, s->end)) {
		if (is_control(*s->p))
			return scan_bad(s, s->p, E_BAD_TOML,
					"control character 0x%02X in a comment", (unsigned)*s->p);
		s->p++;
	}
	return NULL;
}

/* Skips all blanks, comments and line ends. */
static struct err *scan_gap(struct scan *s)
{
	size_t n;

	do {
		TRY(toml_scan_comment(s));
		n = toml_scan_line_end(s->p, s->end);
		s->p += n;
	} while (n);
	return NULL;
}

/* Reads the escape at *p, behind its backslash, in a string up to `end`; moves *p behind it. */
static struct err *toml_scan_read_escape(void *ctx, const char **p, const char *end,
					 struct buf *out)
{
	const struct scan *s = ctx;
	static const char names[] = "\"\\bfnrt", codes[] = "\"\\\b\f\n\r\t";
	const char *at = *p - 1, *name = memchr(names, **p, sizeof(names) - 1);
	size_t n = **p == 'u' ? 4 : **p == 'U' ? 8 : 0;
	uint32_t code;

	if (name) {
		*p += 1;
		buf_putc(out, codes[name - names]);
		return NULL;
	}
	if (!n)
		return scan_bad(s, at, E_BAD_TOML,
				"a backslash may only stand before one of \"\\bfnrtuU");
	if ((size_t)(end - *p) <= n || !str_parse_hex((struct str){*p + 1, n}, &code))
		return scan_bad(s, at, E_BAD_TOML, "expected %zu hexadecimal digits after \\%c", n,
				**p);
	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return scan_bad(s, at, E_BAD_TOML, "U+%04X is not a character", (unsigned)code);
	*p += n + 1;
	buf_utf8(out, code);
	return NULL;
}

/*
 * The same in a string of several lines, where a line end behind a backslash is skipped, with all
 * blanks and line ends around it.
 */
static struct err *toml_scan_read_multi(void *ctx, const char **p, const char *end, struct buf *out)
{
	const char *q = *p;
	bool lines = false;

	for (;;) {
		size_t n = toml_scan_line_end(q, end);

		lines = lines || n;
		if (!n && (q == end || (*q != ' ' && *q != '\t')))
			break;
		q += n ? n : 1;
	}
	if (!lines)
		return toml_scan_read_escape(ctx, p, end, out);
	*p = q;
	return NULL;
}

/* Moves to the closing quotes of the string that was opened at `open`. */
static struct err *find_close(struct scan *s, const char *open, bool multi, bool *escaped)
{
	char quote = *open;

	for (; s->p < s->end; s->p++) {
		if (*s->p == quote) {
			size_t n = 1;

			if (!multi)
				return NULL;
			/* Up to two quotes before the closing three belong to the text. */
			while (n < 5 && s->p + n < s->end && s->p[n] == quote)
				n++;
			if (n >= 3) {
				s->p += n - 3;
				return NULL;
			}
			s->p += n - 1;
		} else if (*s->p == '\\' && quote == '"') {
			/*
			 * The next byte does not end the string; toml_scan_read_escape() validates
			 * it.
			 */
			*escaped = true;
			s->p += s->p + 1 < s->end;
		} else if (is_control(*s->p)) {
			size_t n = toml_scan_line_end(s->p, s->end);

			if (n && !multi)
				break;
			if (!n)
				return scan_bad(s, s->p, E_BAD_TOML,
						"control character 0x%02X in a string",
						(unsigned)*s->p);
			s->p += n - 1;
		}
	}
	return scan_bad(s, open, E_BAD_TOML,
			multi ? "this string is not closed by %c%c%c"
			      : "this string is not closed by %c in its line",
			quote, quote, quote);
}

static struct err *toml_scan_read_string(struct scan *s, bool multi, struct str *out)
{
	const char *open = s->p, *from;
	bool escaped = false;

	s->p += multi ? 3 : 1;
	if (multi)
		s->p += toml_scan_line_end(s->p, s->end);
	from = s->p;
	TRY(find_close(s, open, multi, &escaped));
	*out = (struct str){from, (size_t)(s->p - from)};
	if (escaped)
		TRY(buf_unescape(s->arena, *out,
				 multi ? toml_scan_read_multi : toml_scan_read_escape, s, out));
	s->p += multi ? 3 : 1;
	return NULL;
}

/* Reads one part of a key and decodes it; *at includes its quotes. */
static struct err *scan_key(struct scan *s, struct str *key, struct span *at)
{
	const char *from = s->p;

	if (scan_peek(s) == '"' || scan_peek(s) == '\'') {
		TRY(toml_scan_read_string(s, false, key));
	} else {
		while (s->p < s->end && (ascii_is_word(*s->p) || *s->p == '-'))
			s->p++;
		if (s->p == from)
			return scan_expected(s, "a key");
		*key = (struct str){from, (size_t)(s->p - from)};
	}
	*at = scan_span(s, from);
	return NULL;
}

/*
 * The lists and tables of a document while it is read. Each records how it was made, because that
 * decides whether more may be added to it.
 */
enum made {
	BY_HEADER, /* [x], and each element of [[x]] */
	BY_PARENT, /* x in [x.y]: may get its own header later */
	BY_DOT,    /* x in x.y = 1 */
	INLINE,    /* { }: nothing can be added */
	ARRAY,     /* [ ]: nothing can be added */
	TABLES,    /* the list of all [[x]] */
};

/* Every VAL_LIST and VAL_MAP of the reader is the first member of a struct table. */
struct table {
	struct val v;
	enum made made;
	unsigned depth;
	void *index; /* a tsearch tree, which is balanced; only for a map with many members */
};

/* Removes exactly n digits from the front; false when they are not there. */
static bool scalar_parse_digits(struct str *s, size_t n, unsigned *number)
{
	*number = 0;
	if (s->n < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned char)s->p[i] - (unsigned)'0';

		if (d > 9)
			return false;
		*number = *number * 10 + d;
	}
	*s = str_sub(*s, n, s->n);
	return true;
}

/* Returns NULL, or the text of the error. */
static const char *scalar_parse_date(struct str *s)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned year, month, day;
	bool leap;

	if (!scalar_parse_digits(s, 4, &year) || !str_take_char(s, '-') ||
	    !scalar_parse_digits(s, 2, &month) || !str_take_char(s, '-') ||
	    !scalar_parse_digits(s, 2, &day))
		return "a date is written 1979-05-27";
	if (month < 1 || month > 12)
		return "a month is between 01 and 12";
	leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	if (day < 1 || day > days[month - 1] + (leap ? 1u : 0u))
		return "this month does not have that day";
	return NULL;
}

static const char *scalar_parse_time(struct str *s)
{
	unsigned hour, minute, second, digit;

	if (!scalar_parse_digits(s, 2, &hour) || !str_take_char(s, ':') ||
	    !scalar_parse_digits(s, 2, &minute) || !str_take_char(s, ':') ||
	    !scalar_parse_digits(s, 2, &second))
		return "a time is written 07:32:00";
	/* RFC 3339 allows second 60, for leap seconds. */
	if (hour > 23 || minute > 59 || second > 60)
		return "a time is between 00:00:00 and 23:59:60";
	if (!str_take_char(s, '.'))
		return NULL;
	if (!scalar_parse_digits(s, 1, &digit))
		return "a second's fraction needs a digit";
	while (scalar_parse_digits(s, 1, &digit))
		;
	return NULL;
}

static const char *scalar_parse_offset(struct str *s)
{
	unsigned hour, minute;

	if (str_take_char(s, 'Z') || str_take_char(s, 'z') ||
	    !(str_take_char(s, '+') || str_take_char(s, '-')))
		return NULL;
	if (!scalar_parse_digits(s, 2, &hour) || !str_take_char(s, ':') ||
	    !scalar_parse_digits(s, 2, &minute))
		return "an offset is written Z or +07:00";
	return hour > 23 || minute > 59 ? "an offset is between -23:59 and +23:59" : NULL;
}

/* A date, a time, or both with or without an offset, as in RFC 3339. */
static struct err *toml_scalar_read_time(struct scan *s, struct val *v)
{
	const char *from = s->p, *wrong = NULL;
	struct str rest = {from, (size_t)(s->end - from)};
	bool date = from[2] != ':', time = !date;

	if (date) {
		wrong = scalar_parse_date(&rest);
		/* A blank belongs to the value only when a digit follows it. */
		if (!wrong && rest.n > 1 && rest.p[0] == ' ' && rest.p[1] >= '0' &&
		    rest.p[1] <= '9')
			time = str_take_char(&rest, ' ');
		else if (!wrong)
			time = str_take_char(&rest, 'T') || str_take_char(&rest, 't');
	}
	if (!wrong && time)
		wrong = scalar_parse_time(&rest);
	if (!wrong && time && date)
		wrong = scalar_parse_offset(&rest);
	if (wrong)
		return scan_bad(s, from, E_BAD_TOML, "%s", wrong);
	s->p = rest.p;
	v->type = VAL_TIME;
	v->s = (struct str){from, (size_t)(rest.p - from)};
	return NULL;
}

static bool toml_scalar_is_digit(char c, unsigned base)
{
	uint32_t digit;

	return str_parse_hex((struct str){&c, 1}, &digit) && digit < base;
}

/* Removes digits with single underscores between them; false when there are none. */
static bool scalar_skip_digits(struct str *s, unsigned base)
{
	size_t n = 0;

	while (n < s->n && (toml_scalar_is_digit(s->p[n], base) ||
			    (s->p[n] == '_' && n && toml_scalar_is_digit(s->p[n - 1], base) &&
			     n + 1 < s->n && toml_scalar_is_digit(s->p[n + 1], base))))
		n++;
	*s = str_sub(*s, n, s->n);
	return n;
}

/* Returns the number without its underscores and its plus sign. */
static struct str cleaned(struct scan *s, struct str word)
{
	struct buf b;

	str_take_char(&word, '+');
	if (str_find_char(word, '_', 0) == SIZE_MAX)
		return word;
	b = buf_in(s->arena);
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] != '_')
			buf_putc(&b, word.p[i]);
	return buf_as_str(&b);
}

static struct err *out_of_range(const struct scan *s, struct str word)
{
	return scan_bad(s, word.p, E_BAD_TOML,
			"an integer is between -9223372036854775808 and 9223372036854775807");
}

/* Sets v to the decimal text of 0xff, 0o17 or 0b11. */
static struct err *read_based(struct scan *s, struct str word, unsigned base, struct val *v)
{
	uint64_t n = 0;

	for (size_t i = 2; i < word.n; i++) {
		uint32_t d;

		if (!str_parse_hex(str_sub(word, i, i + 1), &d))
			continue; /* an underscore */
		if (n > ((uint64_t)INT64_MAX - d) / base)
			return out_of_range(s, word);
		n = n * base + d;
	}
	v->s = str_fmt(s->arena, "%llu", (unsigned long long)n);
	return NULL;
}

static struct err *no_scalar(const struct scan *s, struct str word)
{
	if (!word.n)
		return scan_expected(s, "a value");
	return scan_bad(s, word.p, E_BAD_TOML,
			"'%.*s' is not a number, a date, true or false; a string needs quotes",
			(int)size_min(word.n, 60), word.p);
}

static struct err *toml_scalar_read_number(struct scan *s, struct str word, struct val *v)
{
	struct str rest = word, digits;
	char prefix = word.n > 1 && word.p[0] == '0' ? word.p[1] : 0;
	unsigned base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 0;
	int64_t n;

	v->type = VAL_NUM;
	if (base) {
		rest = str_sub(word, 2, word.n);
		return scalar_skip_digits(&rest, base) && !rest.n ? read_based(s, word, base, v)
								  : no_scalar(s, word);
	}
	if (!str_take_char(&rest, '-'))
		str_take_char(&rest, '+');
	v->s = cleaned(s, word);
	if (str_is(rest, "nan"))
		v->s = rest;
	if (str_is(rest, "inf") || str_is(rest, "nan"))
		return NULL;
	digits = rest;
	if (!scalar_skip_digits(&rest, 10) || (digits.p[0] == '0' && digits.n - rest.n > 1))
		return no_scalar(s, word);
	if (!rest.n) {
		if (!str_int(v->s, &n))
			return out_of_range(s, word);
		if (!n)
			v->s = STR("0");
		return NULL;
	}
	if (str_take_char(&rest, '.') && !scalar_skip_digits(&rest, 10))
		return no_scalar(s, word);
	if (str_take_char(&rest, 'e') || str_take_char(&rest, 'E')) {
		if (!str_take_char(&rest, '-'))
			str_take_char(&rest, '+');
		if (!scalar_skip_digits(&rest, 10))
			return no_scalar(s, word);
	}
	return rest.n ? no_scalar(s, word) : NULL;
}

/* Reads a number, date, time or boolean. Sets v's type, text and span. */
static struct err *scan_scalar(struct scan *s, struct val *v)
{
	const char *from = s->p;
	struct str word, date, time;
	unsigned n;

	while (s->p < s->end && (ascii_is_word(*s->p) || memchr("+-.:", *s->p, 4)))
		s->p++;
	date = time = word = (struct str){from, (size_t)(s->p - from)};
	if (str_is(word, "true") || str_is(word, "false")) {
		v->type = VAL_BOOL;
		v->b = word.n == 4;
	} else if ((scalar_parse_digits(&date, 4, &n) && str_take_char(&date, '-')) ||
		   (scalar_parse_digits(&time, 2, &n) && str_take_char(&time, ':'))) {
		s->p = from;
		TRY(toml_scalar_read_time(s, v));
	} else {
		/* s->p is still at the word, so errors point at it. */
		s->p = word.n ? s->p : from;
		TRY(toml_scalar_read_number(s, word, v));
	}
	v->at = scan_span(s, from);
	return NULL;
}

#define FEW 8

ORDER_OF(member_cmp, struct val, ORDER_STR(key))

static void member_keep(void *p)
{
	(void)p;
}

static void index_free(void *p)
{
	tdestroy(((struct table *)p)->index, member_keep);
}

static struct table *table_new(struct arena *a, enum made made, unsigned depth)
{
	struct table *t = ARENA_NEW(a, struct table);

	t->v.type = made == ARRAY || made == TABLES ? VAL_LIST : VAL_MAP;
	t->made = made;
	t->depth = depth;
	return t;
}

/* The struct table that contains v; NULL when v is neither list nor map. */
static struct table *table_of(struct val *v)
{
	return v->type == VAL_LIST || v->type == VAL_MAP ? (struct table *)v : NULL;
}

/* Finds a member in logarithmic time, even when an attacker chose the keys. */
static struct val *table_get(const struct table *t, struct str key)
{
	struct val want = {.key = key}, **there;

	if (!t->index)
		return val_get_key(&t->v, key);
	there = tfind(&want, &t->index, member_cmp);
	return there ? *there : NULL;
}

/* Adds a member whose key must be new. */
static void table_add(struct arena *a, struct table *t, struct val *v)
{
	bool index = t->index;

	val_add(&t->v, v);
	if (!index && t->v.n <= FEW)
		return;
	if (!index)
		arena_defer(a, index_free, t);
	for (struct val *m = index ? v : t->v.first; m; m = m->next)
		if (!tsearch(m, &t->index, member_cmp))
			out_of_memory(sizeof(*m));
}

#define DEPTH_MAX 128

struct key {
	struct str name;
	struct span at;
};

static struct err *read_value(struct scan *s, unsigned depth, struct val **out);

/* Names the kind of the key's first value. */
static struct err *already_defined(const struct scan *s, const struct key *key, struct val *old)
{
	static const char *const kinds[] = {
		[BY_HEADER] = "a table",
		[BY_PARENT] = "a table",
		[BY_DOT] = "a table made by dotted keys",
		[INLINE] = "an inline table, to which nothing can be added",
		[ARRAY] = "a list, to which nothing can be added",
		[TABLES] = "a list of tables",
	};
	struct str name = str_sub(s->text, key->at.from, key->at.to);
	const struct table *t = table_of(old);
	size_t n = size_min(name.n, 100);

	while (n < name.n && n && ((unsigned char)name.p[n] & 0xc0) == 0x80)
		n--;
	return scan_bad(s, name.p, E_BAD_TOML, "%.*s%s is already %s (line %zu)", (int)n, name.p,
			n < name.n ? "..." : "", t ? kinds[t->made] : val_type_name(old->type),
			str_place_of_offset(s->text, old->key_at.from).line);
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

/*
 * Moves *t to the table that a part of a key names, and makes the table if it is missing. made: how
 * this part makes it.
 */
static struct err *table_enter(struct scan *s, struct table **t, const struct key *key,
			       enum made made)
{
	struct val *old = table_get(*t, key->name);
	struct table *in = old ? table_of(old) : NULL;
	bool may;

	if (!old)
		return add_table(s, *t, key, made, t);
	/* A table with a header is complete. A table that a longer header made is now defined. */
	if (made == BY_PARENT)
		may = in && in->made != INLINE && in->made != ARRAY;
	else
		may = in && (in->made == BY_PARENT || (in->made == BY_DOT && made == BY_DOT));
	if (!may)
		return already_defined(s, key, old);
	if (made != BY_PARENT)
		in->made = made;
	if (made == BY_HEADER)
		in->v.key_at = key->at;
	*t = in->made == TABLES ? table_of(in->v.last) : in;
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
		TRY(table_enter(s, &t, &key, BY_DOT));
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
	struct val *v;

	if (c == '[' || c == '{') {
		TRY(check_depth(s, from, depth + 1));
		t = table_new(s->arena, c == '[' ? ARRAY : INLINE, depth + 1);
		TRY(c == '[' ? read_array(s, t) : toml_read_inline(s, t));
		t->v.at = scan_span(s, from);
		*out = &t->v;
		return NULL;
	}
	v = *out = ARENA_NEW(s->arena, struct val);
	if (c != '"' && c != '\'')
		return scan_scalar(s, v);
	v->type = VAL_STR;
	TRY(toml_scan_read_string(s, s->end - from >= 3 && from[1] == c && from[2] == c, &v->s));
	v->at = scan_span(s, from);
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
		TRY(table_enter(s, t, &key, BY_PARENT));
	}
	if (scan_peek(s) != ']')
		return scan_expected(s, "']' or '.' after a table's name");
	s->p++;
	if (element) {
		if (scan_peek(s) != ']')
			return scan_expected(s, "a second ']'");
		s->p++;
	}
	TRY(element ? open_element(s, t, &key, &list) : table_enter(s, t, &key, BY_HEADER));
	(*t)->v.at = scan_span(s, from);
	if (list && list->v.n == 1)
		list->v.at = (*t)->v.at;
	return NULL;
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
	struct scan scan = {.arena = a, .text = {text.p ? text.p : "", text.n}}, *s = &scan;
	struct table *root = table_new(a, BY_HEADER, 1), *t = root;

	s->p = s->text.p;
	s->end = s->p + text.n;
	TRY(check_utf8(s));
	if (str_starts(s->text, STR("\xef\xbb\xbf")))
		s->p += 3;
	for (;;) {
		size_t n;

		TRY(scan_gap(s));
		if (s->p == s->end)
			break;
		if (*s->p == '[') {
			t = root;
			TRY(toml_read_header(s, &t));
		} else {
			TRY(read_pair(s, t));
		}
		TRY(toml_scan_comment(s));
		n = toml_scan_line_end(s->p, s->end);
		if (!n && s->p < s->end)
			return scan_expected(s, "the end of the line");
		s->p += n;
	}
	root->v.at = (struct span){0, text.n};
	*out = &root->v;
	return NULL;
}
