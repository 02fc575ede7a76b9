/* Dates as people write them, converted to ISO 8601. */
#include "knowledge/read.h"

struct day {
	unsigned y, m, d;
};

/* Reads digits at the front of s and removes them. Returns how many, 0 to 9. */
static size_t take_number(struct str *s, unsigned *out)
{
	size_t n = 0;

	*out = 0;
	while (n < s->n && n < 9 && ascii_is_digit(s->p[n]))
		*out = *out * 10 + (unsigned)(s->p[n++] - '0');
	*s = str_sub(*s, n, s->n);
	return n;
}

static struct str date_take_word(struct str *s)
{
	size_t n = 0;
	struct str word;

	while (n < s->n && ascii_is_letter(s->p[n]))
		n++;
	word = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	return word;
}

static void date_skip(struct str *s, const char *set)
{
	while (s->n && s->p[0] && strchr(set, s->p[0]))
		*s = str_sub(*s, 1, s->n);
}

static bool date_month_of(struct str word, unsigned *m)
{
	static const char *const months[] = {"january",   "february", "march",    "april",
					     "may",       "june",     "july",     "august",
					     "september", "october",  "november", "december"};

	for (unsigned i = 0; i < 12; i++) {
		struct str name = str_of(months[i]);

		if (str_ieq(word, name) || str_ieq(word, str_sub(name, 0, 3)) ||
		    (i == 8 && str_ieq(word, STR("sept")))) {
			*m = i + 1;
			return true;
		}
	}
	return false;
}

static bool is_weekday(struct str word)
{
	static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
					   "friday", "saturday", "sunday"};

	for (size_t i = 0; i < ARRAY_SIZE(days); i++)
		if (word.n >= 3 && str_ieq(word, str_sub(str_of(days[i]), 0, word.n)))
			return true;
	return false;
}

static bool is_day(const struct day *t)
{
	static const unsigned days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = t->y % 4 == 0 && (t->y % 100 != 0 || t->y % 400 == 0);

	return t->y >= 1900 && t->y <= 9999 && t->m >= 1 && t->m <= 12 && t->d >= 1 &&
	       t->d <= days[t->m - 1] && (t->m != 2 || t->d < 29 || leap);
}

/* 2 January 2019, 2nd of Jan 2019, 2-Jan-2019; the caller has read the day's number. */
static bool after_day(struct str *s, struct day *t)
{
	struct str word = date_take_word(s);

	if (str_ieq(word, STR("st")) || str_ieq(word, STR("nd")) || str_ieq(word, STR("rd")) ||
	    str_ieq(word, STR("th"))) {
		date_skip(s, " -.");
		word = date_take_word(s);
	}
	if (str_ieq(word, STR("of"))) {
		date_skip(s, " ");
		word = date_take_word(s);
	}
	if (!date_month_of(word, &t->m))
		return false;
	date_skip(s, " -.,");
	return take_number(s, &t->y) == 4;
}

/* Reads January 2, 2019; also a weekday before it, or before 2 January 2019. */
static bool month_first(struct str *s, struct day *t)
{
	struct str word = date_take_word(s), suffix;
	size_t n;

	if (is_weekday(word)) {
		date_skip(s, " ,.");
		if (s->n && ascii_is_digit(s->p[0])) {
			n = take_number(s, &t->d);
			date_skip(s, " -.");
			return n <= 2 && after_day(s, t);
		}
		word = date_take_word(s);
	}
	if (!date_month_of(word, &t->m))
		return false;
	date_skip(s, " .");
	n = take_number(s, &t->d);
	suffix = date_take_word(s);
	date_skip(s, " ,");
	return n && n <= 2 && suffix.n <= 2 && take_number(s, &t->y) == 4;
}

static bool numbers(struct str *s, struct day *t)
{
	unsigned a, b, c;
	size_t n = take_number(s, &a), m;
	char sep;

	if (n == 8) {
		*t = (struct day){a / 10000, a / 100 % 100, a % 100};
		return true;
	}
	if ((n != 4 && n > 2) || !s->n)
		return false;
	sep = s->p[0];
	if (n <= 2 && (sep == ' ' || ascii_is_letter(sep) ||
		       (sep == '-' && s->n > 1 && ascii_is_letter(s->p[1])))) {
		date_skip(s, " -.");
		t->d = a;
		return after_day(s, t);
	}
	if (sep != '-' && sep != '/' && sep != '.')
		return false;
	str_take_char(s, sep);
	m = take_number(s, &b);
	if (!m || m > 2 || !str_take_char(s, sep))
		return false;
	m = take_number(s, &c);
	if (n == 4) {
		*t = (struct day){a, b, c};
		return m && m <= 2;
	}
	if (m != 2 && m != 4)
		return false;
	/* The day comes first, unless only the other order is a date. */
	*t = (struct day){m == 2 ? 2000 + c : c, b, a};
	if (b > 12 && a <= 12)
		*t = (struct day){t->y, a, b};
	return true;
}

/* Reads a time: T10:20, 10:20:30.5Z, 10:20 +01:00. If no time follows, *s stays as it is. */
static void date_time_of(struct str *s, struct buf *out)
{
	struct str rest = *s;
	unsigned h, m, sec = 0, zone;
	size_t n;

	if ((!str_take_char(&rest, 'T') && !str_take_char(&rest, 't') &&
	     !str_take_char(&rest, ' ')) ||
	    take_number(&rest, &h) != 2 || !str_take_char(&rest, ':') ||
	    take_number(&rest, &m) != 2 ||
	    (str_take_char(&rest, ':') && take_number(&rest, &sec) != 2))
		return;
	if (str_take_char(&rest, '.'))
		while (rest.n && ascii_is_digit(rest.p[0]))
			rest = str_sub(rest, 1, rest.n);
	if (h > 23 || m > 59 || sec > 60)
		return;
	buf_fmt(out, "T%02u:%02u:%02u", h, m, sec);
	*s = rest;
	date_skip(&rest, " ");
	if (str_take_char(&rest, 'Z') || str_take_char(&rest, 'z')) {
		buf_putc(out, 'Z');
		*s = rest;
	} else if (rest.n && (rest.p[0] == '+' || rest.p[0] == '-')) {
		char sign = rest.p[0];

		str_take_char(&rest, sign);
		n = take_number(&rest, &zone);
		if (n == 2 && str_take_char(&rest, ':')) {
			n += take_number(&rest, &m);
			zone = zone * 100 + m;
		} else if (n == 2) {
			zone *= 100;
			n = 4;
		}
		if (n == 4 && zone / 100 < 24 && zone % 100 < 60) {
			buf_fmt(out, "%c%02u:%02u", sign, zone / 100, zone % 100);
			*s = rest;
		}
	}
}

bool kn_date(struct arena *a, struct str text, struct str *iso)
{
	struct str s = str_trim(text);
	struct buf out = buf_in(a);
	struct day t = {0};

	date_skip(&s, "[(\"'`");
	if (!s.n || !(ascii_is_letter(s.p[0]) ? month_first(&s, &t) : numbers(&s, &t)) ||
	    !is_day(&t))
		return false;
	buf_fmt(&out, "%04u-%02u-%02u", t.y, t.m, t.d);
	date_time_of(&s, &out);
	/* 2019-01-021 and 1.2.2019.4 are no dates; "2019-01-02, amended" is a date. */
	if (s.n && (ascii_is_alnum(s.p[0]) ||
		    (s.n > 1 && strchr("./-", s.p[0]) && s.p[0] && ascii_is_digit(s.p[1]))))
		return false;
	*iso = buf_as_str(&out);
	return true;
}
