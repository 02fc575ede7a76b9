#include "json/json.h"
#include <endian.h>

/* The lists and maps that contain the current value, the outermost first. */
struct open VEC(struct val *);

struct reader {
	struct arena *arena, *scratch;
	struct str text;
	const char *p, *end;
	size_t depth;
	bool halves;
	struct open open;
};

static PRINTF(4, 5) struct err *json_read_bad_at(const struct reader *r, const char *at,
						 enum err_reason reason, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(reason, str_place_of_offset(r->text, (size_t)(at - r->text.p)), fmt,
			    ap);
	va_end(ap);
	return e;
}

/* The error when the text at r->p does not fit the grammar. `what` is the expected text. */
static struct err *json_read_expected(const struct reader *r, const char *what)
{
	unsigned char c;
	uint32_t code;

	if (r->p == r->end)
		return json_read_bad_at(r, r->p, E_BAD_JSON, "expected %s, but the text ends",
					what);
	c = (unsigned char)*r->p;
	if (c > ' ' && c < 0x7f)
		return json_read_bad_at(r, r->p, E_BAD_JSON, "expected %s, found '%c'", what, c);
	if (!str_utf8_char(r->p, (size_t)(r->end - r->p), &code))
		return json_read_bad_at(r, r->p, E_BAD_UTF8,
					"expected %s, found byte 0x%02X (not UTF-8)", what, c);
	return json_read_bad_at(r, r->p, E_BAD_JSON, "expected %s, found U+%04X", what,
				(unsigned)code);
}

/* Skips blanks. Returns the next byte, or NUL at the end; no grammar rule expects a NUL. */
static char json_read_peek(struct reader *r)
{
	const uint64_t blanks = ' ' * (uint64_t)0x0101010101010101u;
	const char *p = r->p;
	uint64_t w;

	if (p < r->end && (unsigned char)*p > ' ')
		return *p;
	/* Indentation: skip eight blanks at a time. */
	if (p < r->end && *p == '\n')
		p++;
	while (r->end - p >= 8 && (memcpy(&w, p, 8), w == blanks))
		p += 8;
	while (p < r->end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	r->p = p;
	return p < r->end ? *p : 0;
}

/* Skips the plain bytes of a string: eight at a time while all of them are printable ASCII. */
static const char *skip_plain(const char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
	uint64_t w, quote, backslash, control, hit;

	while (end - p >= 8) {
		memcpy(&w, p, 8);
		w = le64toh(w);
		quote = w ^ '"' * ones;
		backslash = w ^ '\\' * ones;
		/* x - 1 sets the high bit when x is 0; `w` has it when x had it before. */
		control = w - ' ' * ones;
		hit = ((quote - ones) | (backslash - ones) | control | w) & high;
		/* The lowest of these bits is exact: a borrow goes to higher bytes only. */
		if (hit)
			return p + __builtin_ctzll(hit) / 8;
		p += 8;
	}
	while (p < end && (unsigned char)*p >= ' ' && (unsigned char)*p < 0x80 && *p != '"' &&
	       *p != '\\')
		p++;
	return p;
}

static bool hex4(const char *p, const char *end, uint32_t *code)
{
	return end - p >= 4 && str_parse_hex((struct str){p, 4}, code);
}

/* Reads the escape at *p, behind its backslash; moves *p behind it. */
static struct err *json_read_escape(void *ctx, const char **p, const char *end, struct buf *out)
{
	const struct reader *r = ctx;
	static const char names[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
	const char *at = *p - 1, *name = memchr(names, **p, sizeof(names) - 1);
	uint32_t code, low;

	if (name) {
		*p += 1;
		buf_putc(out, codes[name - names]);
		return NULL;
	}
	if (**p != 'u')
		return json_read_bad_at(r, at, E_BAD_JSON,
					"a backslash may only stand before one of \"\\/bfnrtu");
	if (!hex4(*p + 1, end, &code))
		return json_read_bad_at(r, at, E_BAD_JSON,
					"expected four hexadecimal digits after \\u");
	*p += 5;
	if (code >= 0xd800 && code < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' &&
	    hex4(*p + 2, end, &low) && low >= 0xdc00 && low < 0xe000) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		*p += 6;
	}
	if (code >= 0xd800 && code < 0xe000) {
		if (!r->halves)
			return json_read_bad_at(r, at, E_BAD_UTF8,
						"\\u%04x is half a surrogate pair, not a character",
						(unsigned)code);
		code = 0xfffd;
	}
	buf_utf8(out, code);
	return NULL;
}

/* Reads a string; r->p is at its opening quote. A string without escapes borrows from the text. */
static struct err *json_read_string(struct reader *r, struct str *out, struct span *span)
{
	const char *open = r->p, *p = open + 1;
	bool escaped = false;
	uint32_t code;

	for (;;) {
		size_t len = 1;

		p = skip_plain(p, r->end);
		if (p == r->end)
			return json_read_bad_at(r, open, E_BAD_JSON,
						"this string has no closing quote");
		if (*p == '"')
			break;
		if ((unsigned char)*p < ' ')
			return json_read_bad_at(
				r, p, E_BAD_JSON,
				"control character 0x%02X in a string: write \\u%04x", (unsigned)*p,
				(unsigned)*p);
		if (*p == '\\') {
			/* The next byte cannot end the string; json_read_escape() validates it. */
			escaped = true;
			len += r->end - p > 1 && (unsigned char)p[1] < 0x80 &&
			       (unsigned char)p[1] >= ' ';
		} else {
			len = str_utf8_char(p, (size_t)(r->end - p), &code);
		}
		if (!len)
			return json_read_bad_at(r, p, E_BAD_UTF8,
						"byte 0x%02X in a string is not UTF-8",
						(unsigned)(unsigned char)*p);
		p += len;
	}
	r->p = p + 1;
	*span = (struct span){(size_t)(open - r->text.p), (size_t)(r->p - r->text.p)};
	*out = (struct str){open + 1, (size_t)(p - open - 1)};
	return escaped ? buf_unescape(r->arena, *out, json_read_escape, r, out) : NULL;
}

static bool json_read_is_digit(const struct reader *r)
{
	return r->p < r->end && ascii_is_digit(*r->p);
}

static struct err *read_digits(struct reader *r)
{
	if (!json_read_is_digit(r))
		return json_read_expected(r, "a digit");
	while (json_read_is_digit(r))
		r->p++;
	return NULL;
}

static struct err *json_read_number(struct reader *r, struct val *v)
{
	const char *start = r->p;

	v->type = VAL_NUM;
	if (*r->p == '-')
		r->p++;
	if (r->p < r->end && *r->p == '0') {
		r->p++;
		if (json_read_is_digit(r))
			return json_read_bad_at(r, start, E_BAD_JSON,
						"a number may not begin with 0");
	} else {
		TRY(read_digits(r));
	}
	if (r->p < r->end && *r->p == '.') {
		r->p++;
		TRY(read_digits(r));
	}
	if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
		r->p++;
		if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
			r->p++;
		TRY(read_digits(r));
	}
	v->s = (struct str){start, (size_t)(r->p - start)};
	return NULL;
}

static bool json_read_word(struct reader *r, const char *word)
{
	struct str rest = {r->p, (size_t)(r->end - r->p)}, w = str_of(word);

	if (!str_starts(rest, w))
		return false;
	r->p += w.n;
	return true;
}

/* Reads a whole scalar, or the opening bracket of a list or a map. */
static struct err *read_start(struct reader *r, struct val *v)
{
	char c = json_read_peek(r);

	v->at.from = (size_t)(r->p - r->text.p);
	if (c == '"') {
		v->type = VAL_STR;
		return json_read_string(r, &v->s, &v->at);
	}
	if (c == '{' || c == '[') {
		v->type = c == '{' ? VAL_MAP : VAL_LIST;
		r->p++;
	} else if (c == '-' || ascii_is_digit(c)) {
		TRY(json_read_number(r, v));
	} else if (json_read_word(r, "true") || json_read_word(r, "false")) {
		v->type = VAL_BOOL;
		v->b = c == 't';
	} else if (!json_read_word(r, "null")) {
		return json_read_expected(r, "a value");
	}
	v->at.to = (size_t)(r->p - r->text.p);
	return NULL;
}

/* Reads a member's name and its colon. */
static struct err *json_read_name(struct reader *r, const struct val *map, struct val *v)
{
	if (json_read_peek(r) != '"')
		return json_read_expected(r, map->n ? "the next member's name in quotes"
						    : "a member's name in quotes, or '}'");
	TRY(json_read_string(r, &v->key, &v->key_at));
	if (json_read_peek(r) != ':')
		return json_read_expected(r, "':' after a member's name");
	r->p++;
	return NULL;
}

static struct err *close_container(struct reader *r)
{
	struct val *v = r->open.p[--r->open.n];
	const struct val *again;
	struct arena *own;
	struct buf name;

	v->at.to = (size_t)(++r->p - r->text.p);
	if (v->type == VAL_LIST)
		return NULL;
	/* An arena of its own: r->scratch would grow with every object of a large file. */
	own = v->n > 8 ? arena_new() : NULL;
	again = val_duplicate_key(own, v);
	arena_free(own);
	if (!again)
		return NULL;
	name = buf_with_max(r->scratch, 100);
	json_write_str(&name, again->key);
	return json_read_bad_at(
		r, r->text.p + again->key_at.from, E_BAD_JSON,
		"the name %s%s occurs twice in this object (first in line %zu)", buf_as_cstr(&name),
		name.cut ? "..." : "",
		str_place_of_offset(r->text, val_get_key(v, again->key)->key_at.from).line);
}

static struct err *json_read_all(struct reader *r, struct val **out)
{
	struct val *top = NULL;

	do {
		struct val *in = r->open.n ? r->open.p[r->open.n - 1] : NULL;
		struct val *v = ARENA_NEW(r->arena, struct val);

		if (in && in->type == VAL_MAP)
			TRY(json_read_name(r, in, v));
		TRY(read_start(r, v));
		if (in)
			val_add(in, v);
		else
			top = v;
		if (v->type == VAL_LIST || v->type == VAL_MAP) {
			if (r->open.n == r->depth)
				return json_read_bad_at(r, r->p - 1, E_TOO_DEEP,
							"more than %zu levels of lists and objects",
							r->depth);
			*VEC_PUSH(r->scratch, &r->open) = v;
			if (json_read_peek(r) != (v->type == VAL_MAP ? '}' : ']'))
				continue;
		}
		/* A value is complete: close what ends here, up to the next comma. */
		while (r->open.n) {
			bool map = r->open.p[r->open.n - 1]->type == VAL_MAP;
			char c = json_read_peek(r);

			if (c == ',') {
				r->p++;
				break;
			}
			if (c != (map ? '}' : ']'))
				return json_read_expected(r, map ? "',' or '}' after a member"
								 : "',' or ']' after a value");
			TRY(close_container(r));
		}
	} while (r->open.n);
	json_read_peek(r);
	if (r->p < r->end)
		return json_read_expected(r, "nothing after the value");
	*out = top;
	return NULL;
}

struct err *json_read(struct arena *a, struct str text, const struct json_limits *limits,
		      struct val **out)
{
	size_t max = limits && limits->bytes ? limits->bytes : JSON_BYTES_MAX;
	struct reader r = {
		.arena = a,
		.text = {text.p ? text.p : "", text.n},
		.depth = limits && limits->depth ? limits->depth : JSON_DEPTH_MAX,
		.halves = limits && limits->halves,
	};
	struct err *e;

	r.p = r.text.p;
	r.end = r.p + text.n;
	if (text.n > max)
		return json_read_bad_at(&r, r.p + max, E_TOO_LONG,
					"%zu bytes are more than the limit of %zu", text.n, max);
	if (str_starts(r.text, STR("\xef\xbb\xbf")))
		r.p += 3;
	r.scratch = arena_new();
	e = json_read_all(&r, out);
	arena_free(r.scratch);
	return e;
}
