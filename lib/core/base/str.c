#include "base/base.h"

bool str_ieq(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (ascii_lower(a.p[i]) != ascii_lower(b.p[i]))
			return false;
	return true;
}

int str_cmp_ptr(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

size_t str_find(struct str s, struct str needle, size_t from)
{
	static const char often[] = " etaoinsrlcdpumhfgybvw";
	size_t rare = 0, rare_rank = 0, misses = 0, at;
	const char *q;

	if (from > s.n || s.n - from < needle.n)
		return SIZE_MAX;
	if (!needle.n)
		return from;
	/* The byte of a needle that most texts have least often: searched first. */
	for (size_t i = 0; i < needle.n; i++) {
		const char *p = memchr(often, needle.p[i], sizeof(often) - 1);
		size_t rank = p ? (size_t)(p - often) : sizeof(often);

		if (rank > rare_rank) {
			rare = i;
			rare_rank = rank;
		}
	}
	for (at = from; misses <= 8 + (at - from) / 16; misses++) {
		at = str_find_char(s, needle.p[rare], at + rare);
		if (at == SIZE_MAX || s.n - (at - rare) < needle.n)
			return SIZE_MAX;
		at -= rare;
		if (!memcmp(s.p + at, needle.p, needle.n))
			return at;
		at++;
	}
	/* memmem() is linear even when many places look like the needle. */
	q = memmem(s.p + at, s.n - at, needle.p, needle.n);
	return q ? (size_t)(q - s.p) : SIZE_MAX;
}

size_t str_rfind_char(struct str s, char c)
{
	const char *q = s.n ? memrchr(s.p, c, s.n) : NULL;

	return q ? (size_t)(q - s.p) : SIZE_MAX;
}

struct str str_base(struct str path)
{
	return str_sub(path, str_rfind_char(path, '/') + 1, path.n);
}

struct str str_dir(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, 0, slash == SIZE_MAX ? 0 : slash);
}

struct str str_trim(struct str s)
{
	while (s.n && ascii_is_any_space(s.p[0]))
		s.p++, s.n--;
	while (s.n && ascii_is_any_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_next_line(struct str *rest, struct str *line)
{
	if (!str_next_part(rest, '\n', line))
		return false;
	if (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

struct str str_line_from(struct str s, size_t at)
{
	size_t lf = str_find_char(s, '\n', at);

	return str_sub(s, at, lf == SIZE_MAX ? s.n : lf + 1);
}

bool str_next_part(struct str *rest, char sep, struct str *part)
{
	size_t at;

	if (!rest->n)
		return false;
	at = str_find_char(*rest, sep, 0);
	*part = str_sub(*rest, 0, at);
	*rest = at == SIZE_MAX ? str_sub(*rest, rest->n, rest->n) : str_sub(*rest, at + 1, rest->n);
	return true;
}

struct str str_dup(struct arena *a, struct str s)
{
	return (struct str){str_c(a, s), s.n};
}

char *str_c(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	if (s.n)
		memcpy(p, s.p, s.n);
	return p;
}

bool str_is_zeros(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '0')
			return false;
	return true;
}

bool str_is_text(struct str s)
{
	return str_is_utf8(s) && !str_has_nul(s);
}

struct str str_lower(struct arena *a, struct str s)
{
	char *p = str_c(a, s);

	for (size_t i = 0; i < s.n; i++)
		p[i] = ascii_lower(p[i]);
	return (struct str){p, s.n};
}

struct str str_upper(struct arena *a, struct str s)
{
	char *p = str_c(a, s);

	for (size_t i = 0; i < s.n; i++)
		p[i] = ascii_upper(p[i]);
	return (struct str){p, s.n};
}

struct str str_fmt(struct arena *a, const char *fmt, ...)
{
	char most[128]; /* most texts are shorter */
	va_list ap, again;
	int n;
	char *p;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(most, sizeof(most), fmt, ap);
	va_end(ap);
	if (n < 0)
		BUG("cannot format '%s'", fmt);
	p = arena_alloc(a, (size_t)n + 1);
	if ((size_t)n < sizeof(most))
		memcpy(p, most, (size_t)n + 1);
	else
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return (struct str){p, (size_t)n};
}

struct str str_join(struct arena *a, const struct strs *v, const char *sep)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < v->n; i++) {
		if (i)
			buf_puts(&b, sep);
		buf_put(&b, v->p[i]);
	}
	return buf_as_str(&b);
}

bool str_int(struct str s, int64_t *out)
{
	bool neg = s.n && s.p[0] == '-';
	uint64_t v = 0, max = neg ? (uint64_t)1 << 63 : INT64_MAX;

	if (neg || (s.n && s.p[0] == '+'))
		s = str_sub(s, 1, s.n);
	if (!s.n)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned d = (unsigned char)s.p[i] - (unsigned)'0';

		if (d > 9 || v > (max - d) / 10)
			return false;
		v = v * 10 + d;
	}
	*out = neg ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

bool str_parse_hex(struct str s, uint32_t *out)
{
	*out = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		unsigned d = c - (unsigned)'0';

		if (d > 9) {
			d = (c | 0x20u) - 'a';
			if (d > 5)
				return false;
			d += 10;
		}
		*out = *out << 4 | d;
	}
	return s.n > 0 && s.n <= 8;
}

struct str str_utf8_head(struct str s, size_t most)
{
	size_t n = s.n < most ? s.n : most;

	while (n && n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return str_sub(s, 0, n);
}

size_t str_utf8_char(const char *p, size_t n, uint32_t *code)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t len;
	uint32_t c, min;

	if (!n)
		return 0;
	if (u[0] < 0x80) {
		*code = u[0];
		return 1;
	}
	if (u[0] >= 0xc2 && u[0] < 0xe0)
		len = 2, c = u[0] & 0x1f, min = 0x80;
	else if ((u[0] & 0xf0) == 0xe0)
		len = 3, c = u[0] & 0x0f, min = 0x800;
	else if (u[0] >= 0xf0 && u[0] < 0xf5)
		len = 4, c = u[0] & 0x07, min = 0x10000;
	else
		return 0;
	if (n < len)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < min || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return len;
}

/* The offset of the first byte that is not part of valid UTF-8, or s.n. */
static size_t utf8_valid(struct str s)
{
	size_t i = 0;
	uint32_t code;

	while (i < s.n) {
		uint64_t w;

		/* Text is mostly ASCII: check eight bytes at a time. */
		while (s.n - i >= 8) {
			memcpy(&w, s.p + i, 8);
			if (w & 0x8080808080808080u)
				break;
			i += 8;
		}
		if (i == s.n)
			break;
		size_t len = str_utf8_char(s.p + i, s.n - i, &code);

		if (!len)
			return i;
		i += len;
	}
	return i;
}

bool str_is_utf8(struct str s)
{
	return utf8_valid(s) == s.n;
}

static bool is_odd(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f || c == '"' || c == '\\';
}

bool str_needs_quotes(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (is_odd(name.p[i]))
			return true;
	return false;
}

struct str str_quoted(struct arena *a, struct str name)
{
	static const char plain[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
	struct buf b;

	if (!str_needs_quotes(name))
		return name;
	b = buf_in(a);
	buf_putc(&b, '"');
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		const char *at = c ? strchr(plain, c) : NULL;

		if (!is_odd(c))
			buf_putc(&b, c);
		else if (at)
			buf_fmt(&b, "\\%c", letters[at - plain]);
		else
			buf_fmt(&b, "\\%03o", (unsigned)(unsigned char)c);
	}
	buf_putc(&b, '"');
	return buf_as_str(&b);
}

struct str str_utf8(struct arena *a, struct str s)
{
	struct buf b;
	size_t ok = utf8_valid(s);

	if (ok == s.n)
		return s;
	b = buf_in(a);
	while (s.n) {
		buf_put(&b, str_sub(s, 0, ok));
		if (ok == s.n)
			break;
		buf_puts(&b, "\xef\xbf\xbd");
		s = str_sub(s, ok + 1, s.n);
		ok = utf8_valid(s);
	}
	return buf_as_str(&b);
}

struct place str_place_of_next_offset(struct places *w, size_t offset)
{
	/* Do not search beyond the offset: many offsets may be on one long line. */
	struct str before = str_sub(w->text, 0, offset);

	while ((w->at = str_find_char(before, '\n', w->at)) != SIZE_MAX) {
		w->lines++;
		w->start = ++w->at;
	}
	w->at = before.n;
	return (struct place){w->lines + 1, before.n - w->start + 1};
}

struct place str_place_of_offset(struct str text, size_t offset)
{
	struct places w = {.text = text};

	return str_place_of_next_offset(&w, offset);
}

void strs_add_all(struct arena *a, struct strs *v, const struct strs *other)
{
	for (size_t i = 0; i < other->n; i++)
		strs_push(a, v, other->p[i]);
}

struct strs strs_of(struct arena *a, const char *const *names)
{
	struct strs v = {0};

	for (size_t i = 0; names[i]; i++)
		strs_push(a, &v, str_of(names[i]));
	return v;
}

bool strs_has(const struct strs *v, struct str s)
{
	for (size_t i = 0; i < v->n; i++)
		if (str_eq(v->p[i], s))
			return true;
	return false;
}

/* With its first bytes as a number, which decides most comparisons without reading the string. */
struct sorted_str {
	uint64_t begin;
	struct str s;
};

ORDER_OF(sorted_str_cmp, struct sorted_str, ORDER_UP(begin) || ORDER_STR(s))

void strs_sort(struct strs *v)
{
	if (v->n >= 256) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct sorted_str *p = arena_array(a, v->n, sizeof(*p));

		for (size_t i = 0; i < v->n; i++) {
			p[i].s = v->p[i];
			for (size_t k = 0; k < 8; k++)
				p[i].begin = p[i].begin << 8 |
					     (k < v->p[i].n ? (unsigned char)v->p[i].p[k] : 0);
		}
		qsort(p, v->n, sizeof(*p), sorted_str_cmp);
		for (size_t i = 0; i < v->n; i++)
			v->p[i] = p[i].s;
	} else if (v->n) {
		qsort(v->p, v->n, sizeof(*v->p), str_cmp_ptr);
	}
}

bool strs_sorted_has(const struct strs *v, struct str s)
{
	return v->n && bsearch(&s, v->p, v->n, sizeof(*v->p), str_cmp_ptr);
}

/* The number of strings that come before s, or, with `equal`, are s or come before it. */
static size_t strs_sorted_rank(const struct strs *v, struct str s, bool equal)
{
	size_t low = 0;

	BISECT(low, mid, v->n, str_cmp(v->p[mid], s) < (equal ? 1 : 0));
	return low;
}

size_t strs_sorted_count_of(const struct strs *v, struct str s)
{
	return strs_sorted_rank(v, s, true) - strs_sorted_rank(v, s, false);
}

#define DISTANCE_MAX 64

size_t str_distance(struct str a, struct str b)
{
	size_t rows[3][DISTANCE_MAX + 1];

	if (a.n > DISTANCE_MAX || b.n > DISTANCE_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *row = rows[i % 3], *up = rows[(i - 1) % 3], *up2 = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			size_t cost = a.p[i - 1] != b.p[j - 1];

			row[j] = size_min(size_min(up[j] + 1, row[j - 1] + 1), up[j - 1] + cost);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				row[j] = size_min(row[j], up2[j - 2] + 1);
		}
	}
	return rows[a.n % 3][b.n];
}

struct str str_nearest(struct str s, const struct strs *candidates)
{
	struct str best = {"", 0};
	/* A name of one character is like every other one. */
	size_t limit = s.n < 2 ? 0 : s.n <= 4 ? 1 : s.n <= 8 ? 2 : 3, least = limit + 1;

	for (size_t i = 0; i < candidates->n; i++) {
		size_t d = str_distance(s, candidates->p[i]);

		if (d < least)
			least = d, best = candidates->p[i];
	}
	return best;
}

struct str str_did_you_mean(struct arena *a, struct str near)
{
	return near.n ? str_fmt(a, "; did you mean '%.*s'?", STR_ARG(near)) : STR("");
}

uint64_t str_hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a; collisions are easy to make */

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static bool shell_word_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && !(s.p[i] && strchr("/._-+=:@%,", s.p[i])))
			return false;
	return s.n && s.p[0] != '-';
}

struct str str_shell_word(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	if (shell_word_is_plain(s))
		return s;
	buf_putc(&b, '\'');
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\'')
			buf_puts(&b, "'\\''");
		else
			buf_putc(&b, s.p[i]);
	buf_putc(&b, '\'');
	return buf_as_str(&b);
}

bool str_holds(struct str s, const char *part)
{
	return str_find(s, str_of(part), 0) != SIZE_MAX;
}

bool str_is_blank(struct str s)
{
	while (s.n && ascii_is_space(s.p[0]))
		s.p++, s.n--;
	return !s.n;
}

bool str_is_any(struct str s, const char *const *words)
{
	while (*words && !str_is(s, *words))
		words++;
	return *words;
}

size_t str_line_count(struct str text)
{
	size_t lines = text.n && text.p[text.n - 1] != '\n';

	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++)
		lines++;
	return lines;
}

bool str_is_below(struct str path, struct str dir)
{
	return str_starts(path, dir) && (path.n == dir.n || path.p[dir.n] == '/');
}

const char *str_parent(struct arena *a, const char *path)
{
	struct str p = str_of(path);

	return str_c(a, str_sub(p, 0, size_max(1, str_rfind_char(p, '/'))));
}

struct str str_plain_line(struct arena *a, struct str s)
{
	struct str line = str_utf8(a, s);
	char *p = str_c(a, line);

	for (size_t i = 0; i < line.n; i++)
		if ((unsigned char)p[i] < 0x20 || p[i] == 0x7f || p[i] == '`')
			p[i] = ' ';
	return str_trim((struct str){p, line.n});
}
