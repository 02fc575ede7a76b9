/* Finds dates in questions, and compares the times of memories with them. */
#include "memory/plan.h"

#define DAY   ((int64_t)86400000)
#define CYCLE 146097 /* days in 400 years */

/*
 * People tell within days what happened on a day, or last month: a time near the date counts in
 * part.
 */
enum { DAY_BEFORE = 1, DAYS_AFTER = 7 };
#define NEAR_DAY   0.5
#define NEAR_MONTH 0.3
#define YEAR       0.5

static const char *const months[] = {"january",   "february", "march",    "april",
				     "may",       "june",     "july",     "august",
				     "september", "october",  "november", "december"};
static const char *const weekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
				       "thursday", "friday", "saturday"};

/* Days from 1970 to a date of the Gregorian calendar. The formula counts months from March. */
static int64_t day_of(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return y * 365 + y / 4 - y / 100 + y / 400 + in_year - 719468;
}

static int64_t floor_day(int64_t ms)
{
	return ms / DAY - (ms % DAY < 0);
}

static void calendar(int64_t ms, int *year, int *month, int *day)
{
	int64_t days = floor_day(ms);
	int64_t round = days / CYCLE - (days % CYCLE < 0);
	int64_t y = 1970;

	days -= round * CYCLE; /* skip whole cycles of the calendar, so that the loop is short */
	while (day_of(y + 1, 1, 1) <= days)
		y++;
	*month = 1;
	while (*month < 12 && day_of(y, *month + 1, 1) <= days)
		++*month;
	*day = (int)(days - day_of(y, *month, 1)) + 1;
	*year = (int)(y + round * 400);
}

static int dates_month_of(struct str w)
{
	for (size_t i = 0; i < ARRAY_SIZE(months); i++) {
		struct str name = str_of(months[i]);

		if (str_eq(w, name) || (w.n == 3 && str_starts(name, w)) ||
		    (i == 8 && str_is(w, "sept")))
			return (int)i + 1;
	}
	return 0;
}

static bool dates_one_of(struct str w, const char *const *list, size_t n, size_t *which)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(w, list[i])) {
			if (which)
				*which = i;
			return true;
		}
	return false;
}

/* The number in w: at most `digits` digits, perhaps with "st", "nd", "rd" or "th". 0: none. */
static int dates_number_of(struct str w, size_t digits)
{
	static const char *const ends[] = {"", "st", "nd", "rd", "th"};
	int n = 0;
	size_t i = 0;

	for (; i < w.n && i < digits && ascii_is_digit(w.p[i]); i++)
		n = n * 10 + (w.p[i] - '0');
	return i && dates_one_of(str_sub(w, i, w.n), ends, digits > 2 ? 1 : ARRAY_SIZE(ends), NULL)
		       ? n
		       : 0;
}

static int day_number(struct str w)
{
	int n = dates_number_of(w, 2);

	return n <= 31 ? n : 0;
}

static int year_number(struct str w)
{
	int n = w.n == 4 ? dates_number_of(w, 4) : 0;

	return n >= 1900 && n < 2200 ? n : 0;
}

static void dates_add(struct dates *d, struct date one)
{
	if (d->n < DATES_MAX)
		d->p[d->n++] = one;
}

static void add_days(struct dates *d, int64_t from, int64_t to)
{
	dates_add(d, (struct date){.from = from * DAY, .to = to * DAY, .weight = 1});
}

static void add_date(struct dates *d, int year, int month, int day)
{
	if (!year)
		dates_add(d, (struct date){.month = month, .day = day, .weight = 1});
	else if (day)
		add_days(d, day_of(year, month, day), day_of(year, month, day) + 1);
	else
		add_days(d, day_of(year, month, 1),
			 month < 12 ? day_of(year, month + 1, 1) : day_of(year + 1, 1, 1));
}

struct reader {
	const struct word_list *words;
	struct dates *out;
	int64_t now;
};

static struct str dates_word(const struct reader *r, size_t i)
{
	return i < r->words->n ? r->words->p[i].text : STR("");
}

/* "may", "march" and short names ("jan", "mar") are months only beside other words of a date. */
static bool is_month(const struct reader *r, size_t i)
{
	static const char *const before[] = {"in",     "by",    "of",    "since", "until",
					     "during", "last",  "next",  "this",  "from",
					     "before", "after", "early", "late"};
	struct str w = dates_word(r, i), left = i ? dates_word(r, i - 1) : STR("");

	if (!dates_month_of(w))
		return false;
	if (w.n > 4 && !str_is(w, "march"))
		return true;
	if (str_is(w, "june") || str_is(w, "july") || str_is(left, "of") || day_number(left) ||
	    day_number(dates_word(r, i + 1)) || year_number(dates_word(r, i + 1)))
		return true;
	return (str_is(w, "may") || str_is(w, "march")) &&
	       dates_one_of(left, before, ARRAY_SIZE(before), NULL);
}

/*
 * Reads "8 May 2023", "8th of May", "May 8, 2023", "May 2023", "May", "2023-05-08", "2023-05",
 * "2023". Returns the number of words; 0: no date.
 */
static size_t calendar_date(const struct reader *r, size_t i)
{
	int day = day_number(dates_word(r, i)), year = year_number(dates_word(r, i)), month;
	size_t at = i + (day ? 1 + str_is(dates_word(r, i + 1), "of") : 0);

	if (year) {
		int m = dates_number_of(dates_word(r, i + 1), 2),
		    d = day_number(dates_word(r, i + 2));

		if (m >= 1 && m <= 12 && dates_word(r, i + 1).n == 2) {
			d = dates_word(r, i + 2).n == 2 ? d : 0;
			add_date(r->out, year, m, d);
			return d ? 3 : 2;
		}
		dates_add(r->out, (struct date){.from = day_of(year, 1, 1) * DAY,
						.to = day_of(year + 1, 1, 1) * DAY,
						.weight = YEAR});
		return 1;
	}
	if (!is_month(r, at))
		return 0;
	month = dates_month_of(dates_word(r, at++));
	if (!day && (day = day_number(dates_word(r, at))))
		at++;
	if ((year = year_number(dates_word(r, at))))
		at++;
	add_date(r->out, year, month, day);
	return at - i;
}

/* The first day of the month that is n calendar months before now. */
static int64_t months_before(int64_t now, int n)
{
	int year, month, day;
	int64_t all;

	calendar(now, &year, &month, &day);
	all = (int64_t)year * 12 + month - 1 - n;
	return day_of(all / 12, (int)(all % 12) + 1, 1);
}

/* Adds the day, week, month or year that is `ago` units before the present one. */
static void add_unit(const struct reader *r, size_t unit, int ago)
{
	int64_t today = floor_day(r->now);
	int64_t monday = today - (today + 3) % 7;
	int year, month, day;

	calendar(r->now, &year, &month, &day);
	switch (unit) {
	case 0: add_days(r->out, today - ago, today - ago + 1); break;
	case 1: add_days(r->out, monday - 7 * (int64_t)ago, monday - 7 * (int64_t)ago + 7); break;
	case 2: add_days(r->out, months_before(r->now, ago), months_before(r->now, ago - 1)); break;
	default: add_days(r->out, day_of(year - ago, 1, 1), day_of(year - ago + 1, 1, 1));
	}
}

/*
 * Reads "yesterday", "last week", "this month", "three days ago", "last Friday". Returns the number
 * of words; 0: no date.
 */
static size_t relative_date(const struct reader *r, size_t i)
{
	static const char *const unit_names[] = {"day",  "week",  "month",  "year",
						 "days", "weeks", "months", "years"};
	static const char *const counts[] = {"a",   "two",   "three", "four", "five",
					     "six", "seven", "eight", "nine", "ten"};
	struct str w = dates_word(r, i), next = dates_word(r, i + 1);
	bool last = str_is(w, "last") || str_is(w, "past"), this = str_is(w, "this");
	int64_t today = floor_day(r->now);
	size_t unit, k;
	int n;

	if (str_is(w, "today") || str_is(w, "tonight"))
		return add_unit(r, 0, 0), 1;
	if (str_is(w, "yesterday"))
		return add_unit(r, 0, 1), 1;
	if ((last || this) && dates_one_of(next, unit_names, 4, &unit) && unit)
		return add_unit(r, unit, last), 2;
	if (last && dates_one_of(next, weekdays, ARRAY_SIZE(weekdays), &k)) {
		int64_t back = (today + 4 - (int64_t)k + 6) % 7 + 1; /* 1970 began on a Thursday */

		add_days(r->out, today - back, today - back + 1);
		return 2;
	}
	n = dates_one_of(w, counts, ARRAY_SIZE(counts), &k) ? (int)k + 1 : dates_number_of(w, 3);
	if (n && dates_one_of(next, unit_names, ARRAY_SIZE(unit_names), &unit) &&
	    str_is(dates_word(r, i + 2), "ago"))
		return add_unit(r, unit % 4, n), 3;
	return 0;
}

void dates_read(const struct word_list *words, int64_t now, struct dates *out)
{
	struct reader r = {words, out, now};

	*out = (struct dates){0};
	for (size_t i = 0, took; i < words->n; i += took) {
		size_t known = out->n;

		took = relative_date(&r, i);
		if (!took)
			took = calendar_date(&r, i);
		if (out->n > known) {
			out->p[known].at = i;
			out->p[known].words = took;
		}
		took += !took;
	}
}

static struct date_span dates_in_year(const struct date *d, int year)
{
	int64_t from = day_of(year, d->month, d->day ? d->day : 1), to = from + 1;

	if (!d->day)
		to = d->month < 12 ? day_of(year, d->month + 1, 1) : day_of(year + 1, 1, 1);
	return (struct date_span){from * DAY, to * DAY};
}

size_t dates_spans(const struct dates *d, int64_t now, int years,
		   struct date_span out[DATES_MAX * DATES_YEARS])
{
	int year, month, day;
	size_t n = 0;

	calendar(now, &year, &month, &day);
	for (size_t i = 0; i < d->n; i++) {
		if (d->p[i].to)
			out[n++] = (struct date_span){d->p[i].from, d->p[i].to};
		for (int ago = 0; !d->p[i].to && ago < years; ago++)
			out[n++] = dates_in_year(&d->p[i], year - ago);
	}
	return n;
}

static double memory_dates_match(const struct date *d, int64_t t)
{
	int64_t days = (d->to - d->from) / DAY;
	int year, month, day;

	if (d->to) {
		if (t >= d->from && t < d->to)
			return 1;
		if (days <= 7 && t >= d->from - DAY_BEFORE * DAY && t < d->to + DAYS_AFTER * DAY)
			return NEAR_DAY;
		return days > 7 && days <= 31 && t >= d->to && t < d->to + 30 * DAY ? NEAR_MONTH
										    : 0;
	}
	calendar(t, &year, &month, &day);
	if (month == d->month)
		return !d->day || day == d->day;
	return !d->day && month == d->month % 12 + 1 ? NEAR_MONTH : 0;
}

double dates_match(const struct dates *d, int64_t happened)
{
	double best = 0;

	for (size_t i = 0; i < d->n; i++)
		best = fmax(best, memory_dates_match(&d->p[i], happened) * d->p[i].weight);
	return best;
}

double dates_fit(const struct dates *d, int64_t happened)
{
	double best = 0;

	for (size_t i = 0; i < d->n; i++)
		best = fmax(best, memory_dates_match(&d->p[i], happened));
	return best;
}

/* Comparing the first letter first rules out most words. */
static bool among(struct str w, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i][0] == w.p[0] && !strncmp(list[i], w.p, w.n) && !list[i][w.n])
			return true;
	return false;
}

bool date_is_told(struct str w)
{
	static const char *const telling[] = {
		"yesterday", "today",  "tomorrow", "tonight", "week",  "weekend",
		"month",     "year",   "ago",      "last",    "next",  "recently",
		"spring",    "summer", "fall",     "autumn",  "winter"};

	return w.n >= 3 &&
	       (among(w, telling, ARRAY_SIZE(telling)) ||
		among(w, weekdays, ARRAY_SIZE(weekdays)) || among(w, months, ARRAY_SIZE(months)));
}
