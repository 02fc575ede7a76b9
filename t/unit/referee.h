/*
 * referee: judges lib/core/json by cJSON, for t/unit/json_referee.c and t/fuzz/json.c. Both readers
 * get the same text. Where both accept it, the values must be equal. Every known difference is a
 * row of REFEREE_VERDICTS, with a test of its own that looks at the text and not at our message
 * alone; any other difference is a mistake in one of the readers.
 */
#ifndef REFEREE_H
#define REFEREE_H

#include "base/base.h"
#include "json/json.h"
#include <cjson/cJSON.h>
#include <math.h>

#define REFEREE_VERDICTS(V)                                                                        \
	V(EQUAL, "both read the same value")                                                       \
	V(REFUSED, "both refuse it")                                                               \
	/* Both accept it. */                                                                      \
	V(NUL, "cJSON ends a string at its NUL")                                                   \
	V(DIGITS, "cJSON loses digits of an integer")                                              \
	/* cJSON alone accepts it. */                                                              \
	V(AFTER, "cJSON ignores text after the value")                                             \
	V(UTF8, "cJSON takes bytes that are not UTF-8")                                            \
	V(CONTROL, "cJSON takes control characters in strings and as blanks")                      \
	V(NUMBER, "cJSON takes numbers that JSON does not have, such as 01 and 1.")                \
	V(HEX, "cJSON takes \\u without four hexadecimal digits, as NUL")                          \
	V(DUPLICATE, "cJSON takes the same name twice in an object")                               \
	V(DEEP, "cJSON takes more than 128 levels")                                                \
	/* ikm alone accepts it. */                                                                \
	V(LONG, "cJSON reads 63 characters of a number at the most")                               \
	V(MARK, "cJSON skips a byte order mark only in five bytes and more")                       \
	V(UNKNOWN, "a difference that nobody knows")

#define REFEREE_NAME(name, text) REFEREE_##name,
#define REFEREE_TEXT(name, text) text,
enum referee_verdict { REFEREE_VERDICTS(REFEREE_NAME) };

static const char *const referee_texts[] = {REFEREE_VERDICTS(REFEREE_TEXT)};

static inline void referee_free(void *tree)
{
	cJSON_Delete(tree);
}

static inline bool referee_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Equal, or only as far as the first NUL. */
static inline bool referee_str_eq(struct str ours, const char *theirs, enum referee_verdict *v)
{
	size_t n = strnlen(ours.p, ours.n);

	if (n < ours.n)
		*v = REFEREE_NUL;
	return str_eq((struct str){ours.p, n}, str_of(theirs));
}

static inline bool referee_num_eq(const struct val *ours, double theirs, enum referee_verdict *v)
{
	char text[64];
	int64_t n;

	if (ours->s.n >= sizeof(text))
		return false;
	memcpy(text, ours->s.p, ours->s.n);
	text[ours->s.n] = 0;
	if (val_as_int(ours, &n) && (long double)n != (long double)theirs)
		*v = REFEREE_DIGITS;
	return strtod(text, NULL) == theirs;
}

/* False when they differ. A difference that cJSON is known for goes into *v. */
static inline bool referee_eq(const struct val *ours, const cJSON *theirs, enum referee_verdict *v)
{
	const cJSON *item = theirs->child;

	switch (ours->type) {
	case VAL_NULL: return cJSON_IsNull(theirs);
	case VAL_BOOL: return ours->b ? cJSON_IsTrue(theirs) : cJSON_IsFalse(theirs);
	case VAL_NUM: return cJSON_IsNumber(theirs) && referee_num_eq(ours, theirs->valuedouble, v);
	case VAL_STR:
		return cJSON_IsString(theirs) && referee_str_eq(ours->s, theirs->valuestring, v);
	case VAL_LIST:
	case VAL_MAP:
		if (!(ours->type == VAL_MAP ? cJSON_IsObject(theirs) : cJSON_IsArray(theirs)))
			return false;
		VAL_EACH(ours, m) {
			if (!item || !referee_eq(m, item, v))
				return false;
			if (ours->type == VAL_MAP && !referee_str_eq(m->key, item->string, v))
				return false;
			item = item->next;
		}
		return !item;
	case VAL_TIME: break;
	}
	return false;
}

static inline bool referee_has_long_number(const struct val *v)
{
	if (v->type == VAL_NUM && v->s.n > 63)
		return true;
	VAL_EACH(v, m) {
		if (referee_has_long_number(m))
			return true;
	}
	return false;
}

static inline bool referee_has_duplicate(const cJSON *tree)
{
	for (const cJSON *m = tree->child; m; m = m->next) {
		if (referee_has_duplicate(m))
			return true;
		for (const cJSON *other = m->next; cJSON_IsObject(tree) && other;
		     other = other->next)
			if (!strcmp(m->string, other->string))
				return true;
	}
	return false;
}

/* The offset that an error's line and column name. */
static inline size_t referee_offset(struct arena *a, struct str text, const struct err *e)
{
	const struct val *details = val_get(err_envelope(a, e), "details");
	int64_t line = val_get_int(details, "line"), column = val_get_int(details, "column");
	size_t at = 0;

	for (; line > 1 && at < text.n; at++)
		if (text.p[at] == '\n')
			line--;
	return at + (size_t)column - 1;
}

/* ikm refuses the text with e; cJSON reads it up to `end`. */
static inline enum referee_verdict referee_theirs_alone(struct arena *a, struct str text,
							const struct err *e, const cJSON *theirs,
							size_t end)
{
	size_t at = referee_offset(a, text, e);
	unsigned char c = at < text.n ? (unsigned char)text.p[at] : 0;
	uint32_t code;

	while (end < text.n && referee_is_blank(text.p[end]))
		end++;
	if (err_reason(e) == E_TOO_DEEP)
		return c == '[' || c == '{' ? REFEREE_DEEP : REFEREE_UNKNOWN;
	if (at && strstr(err_message(e), "expected a digit") && strchr("-+.eE", text.p[at - 1]))
		return REFEREE_NUMBER;
	if (at >= text.n)
		return REFEREE_UNKNOWN;
	if (at >= end)
		return REFEREE_AFTER;
	if (c < ' ')
		return REFEREE_CONTROL;
	if (err_reason(e) == E_BAD_UTF8 && c >= 0x80)
		return REFEREE_UTF8;
	if (c == '\\' && text.n - at >= 6 && text.p[at + 1] == 'u' &&
	    !str_parse_hex((struct str){text.p + at + 2, 4}, &code))
		return REFEREE_HEX;
	if (c == '"' && referee_has_duplicate(theirs))
		return REFEREE_DUPLICATE;
	if (c == '0' || (c == '-' && text.n - at > 1 && text.p[at + 1] == '0'))
		return REFEREE_NUMBER;
	return REFEREE_UNKNOWN;
}

static inline enum referee_verdict referee_judge(struct arena *a, struct str text)
{
	const char *copy = str_c(a, text), *end = NULL;
	enum referee_verdict v = REFEREE_EQUAL;
	struct val *ours = NULL;
	struct err *e = json_read(a, text, NULL, &ours);
	cJSON *theirs = cJSON_ParseWithLengthOpts(copy, text.n, &end, false);

	arena_defer(a, referee_free, theirs);
	if (e)
		return theirs ? referee_theirs_alone(a, text, e, theirs, (size_t)(end - copy))
			      : REFEREE_REFUSED;
	if (referee_has_long_number(ours))
		return REFEREE_LONG;
	if (!theirs)
		return str_starts(text, STR("\xef\xbb\xbf")) && text.n < 5 ? REFEREE_MARK
									   : REFEREE_UNKNOWN;
	while (end < copy + text.n && referee_is_blank(*end))
		end++;
	return end == copy + text.n && referee_eq(ours, theirs, &v) ? v : REFEREE_UNKNOWN;
}

#endif
