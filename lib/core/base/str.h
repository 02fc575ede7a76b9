/*
 * str: a borrowed run of bytes. It owns nothing, has no NUL at its end, and may hold NUL bytes.
 * Pass it by value. A function that copies takes the arena for the copy.
 */
#pragma once

struct str {
	const char *p;
	size_t n;
};

struct strs VEC(struct str);

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
/* clang-format off */
#define STR_INIT(literal) {"" literal, sizeof(literal) - 1}
/* clang-format on */
/* For printf: "%.*s", STR_ARG(s). Cuts at INT_MAX and at a NUL. */
#define STR_ARG(s) (int)size_min((s).n, INT32_MAX), (s).p ? (s).p : ""

/* What ends a noun: "1 file", "2 files". */
#define PLURAL(n) ((n) == 1 ? "" : "s")

/* The class of a byte in ASCII, whatever the locale is. */
static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool ascii_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}
static inline bool ascii_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}
static inline bool ascii_is_letter(char c)
{
	return ascii_is_lower(c) || ascii_is_upper(c);
}
static inline bool ascii_is_alnum(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}
static inline bool ascii_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_';
}
static inline char ascii_lower(char c)
{
	return ascii_is_upper(c) ? (char)(c | 0x20) : c;
}
static inline char ascii_upper(char c)
{
	return ascii_is_lower(c) ? (char)(c & ~0x20) : c;
}
/* Space, tab, CR or LF: white space in JSON and Markdown. */
static inline bool ascii_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
/* Space, tab, CR, LF, vertical tab or form feed: isspace() in the C locale. */
static inline bool ascii_is_any_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* NULL gives the empty string. */
static inline struct str str_of(const char *cstr)
{
	return cstr ? (struct str){cstr, strlen(cstr)} : (struct str){"", 0};
}
static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n));
}
static inline bool str_is(struct str a, const char *b)
{
	return a.n ? b && *b == *a.p && str_eq(a, str_of(b)) : !b || !*b;
}
/* ASCII case only; bytes above 127 compare as they are. */
bool str_ieq(struct str a, struct str b);
/* The order of memcmp(); a prefix comes first. str_cmp_ptr is for qsort(). */
static inline int str_cmp(struct str a, struct str b)
{
	size_t n = size_min(a.n, b.n);
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}
int str_cmp_ptr(const void *a, const void *b);
/* As ORDER_BY(), of two texts. */
#define ORDER_BY_STR(a, b)                                                                         \
	do {                                                                                       \
		int by_ = str_cmp((a), (b));                                                       \
		if (by_)                                                                           \
			return by_;                                                                \
	} while (0)
static inline bool str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (!prefix.n || !memcmp(s.p, prefix.p, prefix.n));
}
static inline bool str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && (!suffix.n || !memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n));
}
/* The offset of the first match at or after `from`, or SIZE_MAX. An empty needle is at `from`. */
size_t str_find(struct str s, struct str needle, size_t from);
static inline size_t str_find_char(struct str s, char c, size_t from)
{
	const char *q = from < s.n ? memchr(s.p + from, c, s.n - from) : NULL;

	return q ? (size_t)(q - s.p) : SIZE_MAX;
}
size_t str_rfind_char(struct str s, char c);
/* The bytes from a up to b, without b; both are limited to the string. */
static inline struct str str_sub(struct str s, size_t a, size_t b)
{
	b = size_min(b, s.n);
	a = size_min(a, b);
	return (struct str){s.p ? s.p + a : "", b - a};
}
/* The part of a path behind its last slash; the part before it, or "". */
struct str str_base(struct str path);
struct str str_dir(struct str path);
/* The string without ASCII blanks (see ascii_is_any_space) at both ends. */
struct str str_trim(struct str s);
/* Removes the character when s begins with it. */
static inline bool str_take_char(struct str *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = str_sub(*s, 1, s->n);
	return true;
}
bool str_holds(struct str s, const char *part);
/* Whether there is nothing but ascii_is_space(); stops at the first other one. */
bool str_is_blank(struct str s);
/* Whether it is one of the words, which end with NULL. */
bool str_is_any(struct str s, const char *const *words);
/* One line of UTF-8, without what could end it or a quotation around it. */
struct str str_plain_line(struct arena *a, struct str s);
/* The text as one word of a shell's command line, in quotes where it needs them. */
struct str str_shell_word(struct arena *a, struct str s);
/* Whether the path is the folder, or below it. Both are in the same form; dir is not "/". */
bool str_is_below(struct str path, struct str dir);
/* The folder above, "/" of "/x"; a path without '/' itself. */
const char *str_parent(struct arena *a, const char *path);
/* Takes the next line off *rest, without its LF or CRLF. False when nothing is left. */
bool str_next_line(struct str *rest, struct str *line);
/* The line from the offset on, with its line end. */
struct str str_line_from(struct str s, size_t at);
/* Takes the part up to the next `sep` off *rest. False when nothing is left. */
bool str_next_part(struct str *rest, char sep, struct str *part);

struct str str_dup(struct arena *a, struct str s);
/* A copy with a NUL at its end. A NUL inside makes the C string shorter: see str_has_nul. */
char *str_c(struct arena *a, struct str s);
static inline bool str_has_nul(struct str s)
{
	return s.n && memchr(s.p, 0, s.n);
}
/* True when every byte is the digit 0, and for the empty string. */
bool str_is_zeros(struct str s);
struct str str_lower(struct arena *a, struct str s);
struct str str_upper(struct arena *a, struct str s);
struct str str_fmt(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
struct str str_join(struct arena *a, const struct strs *v, const char *sep);

/* The whole string as a decimal integer; false when it is no integer or does not fit. */
bool str_int(struct str s, int64_t *out);

/* The value of one to eight hexadecimal digits; false for other strings. */
bool str_parse_hex(struct str s, uint32_t *out);

/* Valid UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool str_is_utf8(struct str s);
/* Valid UTF-8 without NUL: ikm writes such text into JSON unchanged. */
bool str_is_text(struct str s);
/* Length in bytes (1 to 4) of the valid UTF-8 character at p, or 0. */
size_t str_utf8_char(const char *p, size_t n, uint32_t *code);
/* The beginning of a UTF-8 text: at most `most` bytes, cut between two characters. */
struct str str_utf8_head(struct str s, size_t most);
/* Replaces every invalid byte by U+FFFD. Returns s itself when all of it is valid. */
struct str str_utf8(struct arena *a, struct str s);
/*
 * A name as git prints it. A name with a control character, a quote or a backslash is put in quotes
 * and escaped: \n, \t, \", \\, octal \001. Every other name stays unchanged, UTF-8 or not.
 */
struct str str_quoted(struct arena *a, struct str name);
bool str_needs_quotes(struct str name);

/* The line of the offset, and its column in bytes, both from 1. Takes O(offset) time. */
struct place {
	size_t line, column;
};
struct place str_place_of_offset(struct str text, size_t offset);
/* As str_place_of_offset(), for many offsets in ascending order: O(text) for all. Start: {.text =
 * text}. */
struct places {
	struct str text;
	size_t at, lines, start; /* the current line's start; `lines`: number before it */
};
struct place str_place_of_next_offset(struct places *w, size_t offset);
/* The lines of the text; the last one may have no end. */
size_t str_line_count(struct str text);

static inline void strs_push(struct arena *a, struct strs *v, struct str s)
{
	*VEC_PUSH(a, v) = s;
}
/* Adds the strings of another list. */
void strs_add_all(struct arena *a, struct strs *v, const struct strs *other);
/* The strings of a list with NULL at its end, borrowed. */
struct strs strs_of(struct arena *a, const char *const *names);
bool strs_has(const struct strs *v, struct str s);
void strs_sort(struct strs *v);
/* Binary search in a list that strs_sort() has sorted. */
bool strs_sorted_has(const struct strs *v, struct str s);
/* How often such a list has the string. */
size_t strs_sorted_count_of(const struct strs *v, struct str s);

/* Damerau-Levenshtein distance, for "did you mean". SIZE_MAX when a string is over 64 bytes. */
size_t str_distance(struct str a, struct str b);
/* The nearest candidate when it is near enough to be a typing error, else the empty string. */
struct str str_nearest(struct str s, const struct strs *candidates);
/* "; did you mean 'NEAR'?" for messages; empty when near is empty. */
struct str str_did_you_mean(struct arena *a, struct str near);

uint64_t str_hash(struct str s);
