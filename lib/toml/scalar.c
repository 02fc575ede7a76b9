/* Parses the scalars of TOML other than strings: numbers, booleans, dates and times. */
#include "toml/scan.h"

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

static bool toml_scalar_accept(struct str *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = str_sub(*s, 1, s->n);
	return true;
}

static unsigned days_in(unsigned year, unsigned month)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/* Returns NULL, or the text of the error. */
static const char *scalar_parse_date(struct str *s)
{
	unsigned year, month, day;

	if (!scalar_parse_digits(s, 4, &year) || !toml_scalar_accept(s, '-') ||
	    !scalar_parse_digits(s, 2, &month) || !toml_scalar_accept(s, '-') ||
	    !scalar_parse_digits(s, 2, &day))
		return "a date is written 1979-05-27";
	if (month < 1 || month > 12)
		return "a month is between 01 and 12";
	if (day < 1 || day > days_in(year, month))
		return "this month does not have that day";
	return NULL;
}

static const char *scalar_parse_time(struct str *s)
{
	unsigned hour, minute, second, digit;

	if (!scalar_parse_digits(s, 2, &hour) || !toml_scalar_accept(s, ':') ||
	    !scalar_parse_digits(s, 2, &minute) || !toml_scalar_accept(s, ':') ||
	    !scalar_parse_digits(s, 2, &second))
		return "a time is written 07:32:00";
	/* RFC 3339 allows second 60, for leap seconds. */
	if (hour > 23 || minute > 59 || second > 60)
		return "a time is between 00:00:00 and 23:59:60";
	if (!toml_scalar_accept(s, '.'))
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

	if (toml_scalar_accept(s, 'Z') || toml_scalar_accept(s, 'z') ||
	    !(toml_scalar_accept(s, '+') || toml_scalar_accept(s, '-')))
		return NULL;
	if (!scalar_parse_digits(s, 2, &hour) || !toml_scalar_accept(s, ':') ||
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
			time = toml_scalar_accept(&rest, ' ');
		else if (!wrong)
			time = toml_scalar_accept(&rest, 'T') || toml_scalar_accept(&rest, 't');
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
	unsigned char u = (unsigned char)c;

	if (base == 16)
		return ascii_is_digit((char)u) || ((u | 0x20) >= 'a' && (u | 0x20) <= 'f');
	return u >= '0' && u < '0' + base;
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

	toml_scalar_accept(&word, '+');
	if (str_find_char(word, '_', 0) == SIZE_MAX)
		return word;
	b = buf_in(s->arena);
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] != '_')
			buf_putc(&b, word.p[i]);
	return buf_str(&b);
}

static struct err *out_of_range(const struct scan *s, struct str word)
{
	return scan_bad(s, word.p, E_BAD_TOML,
			"an integer is between -9223372036854775808 and 9223372036854775807");
}

static unsigned base_of(char c)
{
	return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
}

/* Sets v to the decimal text of 0xff, 0o17 or 0b11. */
static struct err *read_based(struct scan *s, struct str word, unsigned base, struct val *v)
{
	uint64_t n = 0;

	for (size_t i = 2; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];
		unsigned d = c <= '9' ? c - (unsigned)'0' : (c | 0x20u) - 'a' + 10;

		if (c == '_')
			continue;
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
	unsigned base;
	int64_t n;

	v->type = VAL_NUM;
	base = word.n > 1 && word.p[0] == '0' ? base_of(word.p[1]) : 0;
	if (base) {
		rest = str_sub(word, 2, word.n);
		return scalar_skip_digits(&rest, base) && !rest.n ? read_based(s, word, base, v)
								  : no_scalar(s, word);
	}
	if (!toml_scalar_accept(&rest, '-'))
		toml_scalar_accept(&rest, '+');
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
	if (toml_scalar_accept(&rest, '.') && !scalar_skip_digits(&rest, 10))
		return no_scalar(s, word);
	if (toml_scalar_accept(&rest, 'e') || toml_scalar_accept(&rest, 'E')) {
		if (!toml_scalar_accept(&rest, '-'))
			toml_scalar_accept(&rest, '+');
		if (!scalar_skip_digits(&rest, 10))
			return no_scalar(s, word);
	}
	return rest.n ? no_scalar(s, word) : NULL;
}

static bool toml_scalar_is_word(char c)
{
	return toml_scalar_is_digit(c, 10) || ascii_is_letter(c) || c == '_' || c == '+' ||
	       c == '-' || c == '.' || c == ':';
}

/* Four digits and a dash, or two digits and a colon. */
static bool is_time(struct str word)
{
	unsigned n;
	struct str date = word, time = word;

	return (scalar_parse_digits(&date, 4, &n) && toml_scalar_accept(&date, '-')) ||
	       (scalar_parse_digits(&time, 2, &n) && toml_scalar_accept(&time, ':'));
}

struct err *scan_scalar(struct scan *s, struct val *v)
{
	const char *from = s->p;
	struct str word;

	while (s->p < s->end && toml_scalar_is_word(*s->p))
		s->p++;
	word = (struct str){from, (size_t)(s->p - from)};
	if (str_is(word, "true") || str_is(word, "false")) {
		v->type = VAL_BOOL;
		v->b = word.n == 4;
	} else if (is_time(word)) {
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
