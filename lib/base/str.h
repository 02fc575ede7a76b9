/*
 * str: a borrowed run of bytes. It owns nothing, is not NUL-terminated, and NUL is data. Pass it by
 * value. A function copies into an arena that the caller gives.
 */
#ifndef IKM_STR_H
#define IKM_STR_H

struct str {
	const char *p;
	size_t n;
};

struct strs {
	struct str *p;
	size_t n, cap;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
/* clang-format off */
#define STR_INIT(literal) {"" literal, sizeof(literal) - 1}
/* clang-format on */
/* For printf: "%.*s", STR_ARG(s). Cuts at INT_MAX and at a NUL. */
#define STR_ARG(s) (int)size_min((s).n, INT32_MAX), (s).p ? (s).p : ""

/* What a byte is in ASCII, in any locale. */
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
static inline char ascii_lower(char c)
{
	return ascii_is_upper(c) ? (char)(c | 0x20) : c;
}
static inline char ascii_upper(char c)
{
	return ascii_is_lower(c) ? (char)(c & ~0x20) : c;
}
/* Space, tab, CR and LF, as JSON and Markdown have it. */
static inline bool ascii_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
/* These, vertical tab and form feed, as isspace() has it. */
static inline bool ascii_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* NULL gives the empty string. */
struct str str_of(const char *cstr);
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *b);
/* ASCII case only; bytes above 127 compare as they are. */
bool str_ieq(struct str a, struct str b);
/* Order of bytes as memcmp, a prefix first; for qsort see str_cmp_ptr. */
int str_cmp(struct str a, struct str b);
int str_cmp_ptr(const void *a, const void *b);
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
/* The offset of the first match at or after `from`, or SIZE_MAX. An empty needle matches at
 * from. */
size_t str_find(struct str s, struct str needle, size_t from);
size_t str_find_char(struct str s, char c, size_t from);
size_t str_rfind_char(struct str s, char c);
/* From a to b, both clipped to the string. */
struct str str_sub(struct str s, size_t a, size_t b);
/* Without ASCII blanks (space, tab, CR, LF, VT, FF) at both ends. */
struct str str_trim(struct str s);
/* Takes the next line off *rest, without its LF or CRLF. False when nothing is left. */
bool str_line(struct str *rest, struct str *line);
/* Takes the part up to the next `sep` off *rest. False when nothing is left. */
bool str_split(struct str *rest, char sep, struct str *part);

struct str str_dup(struct arena *a, struct str s);
/* A NUL-terminated copy. A NUL inside stays, so C sees a shorter string: check with str_has_nul. */
char *str_c(struct arena *a, struct str s);
bool str_has_nul(struct str s);
/* Nothing but the digit 0; also the empty string. */
bool str_is_zeros(struct str s);
struct str str_lower(struct arena *a, struct str s);
struct str str_upper(struct arena *a, struct str s);
struct str str_fmt(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
struct str str_join(struct arena *a, const struct strs *v, const char *sep);

/* Whole string as a decimal integer; false when it is not one or does not fit. */
bool str_int(struct str s, int64_t *out);

/* One to eight hexadecimal digits. */
bool str_hex(struct str s, uint32_t *out);

/* Valid UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool str_is_utf8(struct str s);
/* UTF-8 without NUL: what a JSON member can hold as it is. */
bool str_is_text(struct str s);
/* Length in bytes (1 to 4) of the valid UTF-8 character at p, or 0. */
size_t str_utf8_char(const char *p, size_t n, uint32_t *code);
/* The beginning of a UTF-8 text: at most so many bytes, and no part of a character. */
struct str str_utf8_head(struct str s, size_t most);
/* With every invalid byte replaced by U+FFFD; gives s itself when nothing had to change. */
struct str str_utf8(struct arena *a, struct str s);
/*
 * A name on a line of its own, as git writes it: in quotes, with \n, \t, \", \\ and octal \001,
 * when it has a control character, a quote or a backslash; else as it is, UTF-8 or not.
 */
struct str str_quoted(struct arena *a, struct str name);
bool str_needs_quotes(struct str name);

/* 1-based line, and column in bytes, of the offset; O(offset). */
struct place {
	size_t line, column;
};
struct place str_place(struct str text, size_t offset);
/* For offsets that come in order: O(text) for all together. Begins with the text alone. */
struct places {
	struct str text;
	size_t at, lines, start; /* lines before the one that begins at start */
};
struct place str_places(struct places *w, size_t offset);

void strs_push(struct arena *a, struct strs *v, struct str s);
/* Of a list that NULL ends; borrowed. */
struct strs strs_of(struct arena *a, const char *const *names);
bool strs_has(const struct strs *v, struct str s);
void strs_sort(struct strs *v);

/* Damerau-Levenshtein distance, for "did you mean"; strings over 64 bytes are at SIZE_MAX. */
size_t str_distance(struct str a, struct str b);
/* The nearest of the candidates when it is near enough to be a slip of the hand, else empty. */
struct str str_nearest(struct str s, const struct strs *candidates);

uint64_t str_hash(struct str s);

#endif
