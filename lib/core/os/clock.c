#include "os/os.h"
#include <sys/random.h>
#include <errno.h>

/* Takes `n` decimal digits off *s. */
static bool clock_digits(struct str *s, size_t n, int64_t *out)
{
	for (*out = 0; n && s->n && ascii_is_digit(*s->p); n--, s->p++, s->n--)
		*out = *out * 10 + (*s->p - '0');
	return !n;
}

static bool clock_skip(struct str *s, const char *any)
{
	if (!s->n || !memchr(any, s->p[0], strlen(any)))
		return false;
	*s = str_sub(*s, 1, s->n);
	return true;
}

/* "+01:00" in minutes */
static bool zone(struct str *s, int64_t *minutes)
{
	int64_t h, m;
	bool west = s->n && s->p[0] == '-';

	*minutes = 0;
	if (clock_skip(s, "Zz"))
		return true;
	if (!clock_skip(s, "+-") || !clock_digits(s, 2, &h) || !str_take_char(s, ':') ||
	    !clock_digits(s, 2, &m) || h > 23 || m > 59)
		return false;
	*minutes = (west ? -1 : 1) * (h * 60 + m);
	return true;
}

bool os_time_read(struct str s, int64_t *ms)
{
	int64_t year, month, day, h = 0, m = 0, sec = 0, frac = 0, off = 0, scale = 100, digit;
	struct tm tm = {0};
	bool whole_day;
	time_t t;

	if (!clock_digits(&s, 4, &year) || !str_take_char(&s, '-') ||
	    !clock_digits(&s, 2, &month) || !str_take_char(&s, '-') || !clock_digits(&s, 2, &day))
		return false;
	whole_day = !s.n;
	if (!whole_day) {
		if (!clock_skip(&s, "Tt ") || !clock_digits(&s, 2, &h) || !str_take_char(&s, ':') ||
		    !clock_digits(&s, 2, &m) || !str_take_char(&s, ':') ||
		    !clock_digits(&s, 2, &sec))
			return false;
		if (str_take_char(&s, '.'))
			for (; clock_digits(&s, 1, &digit); scale /= 10)
				frac += digit * scale;
		if (!zone(&s, &off) || s.n)
			return false;
	}
	if (h > 23 || m > 59 || sec > 59)
		return false;
	tm.tm_year = (int)year - 1900;
	tm.tm_mon = (int)month - 1;
	tm.tm_mday = (int)day;
	tm.tm_hour = (int)h;
	tm.tm_min = (int)m;
	tm.tm_sec = (int)sec;
	t = timegm(&tm);
	/* It turns February 31 into March 3; that is an error here. */
	if (tm.tm_mon != month - 1 || tm.tm_mday != day)
		return false;
	tm.tm_isdst = -1;
	*ms = ((int64_t)(whole_day ? mktime(&tm) : t) - off * 60) * 1000 + frac;
	return true;
}

bool os_time_read_any(struct str text, int64_t *ms)
{
	char whole[64];
	struct tm tm;
	time_t t;

	if (os_time_read(text, ms))
		return true;
	/* Read as if it were UTC, it gives the numbers on the clock of the user. */
	if (text.n > 40 || memchr(text.p, 0, text.n))
		return false;
	snprintf(whole, sizeof(whole), "%.*s%s", STR_ARG(text), text.n == 16 ? ":00Z" : "Z");
	if (!os_time_read(str_of(whole), ms))
		return false;
	t = (time_t)(*ms / 1000);
	if (!gmtime_r(&t, &tm))
		return false;
	tm.tm_isdst = -1;
	*ms = (int64_t)mktime(&tm) * 1000 + *ms % 1000;
	return true;
}

int64_t os_zone(int64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm tm = {0};

	return localtime_r(&t, &tm) ? tm.tm_gmtoff * INT64_C(1000) : 0;
}

struct str os_day_text(struct arena *a, int64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm tm = {0};

	localtime_r(&t, &tm);
	return str_fmt(a, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

int64_t os_now(void)
{
	struct timespec t;
#ifdef IKM_TEST
	const char *set = os_env("IKM_NOW");
	int64_t ms;

	if (set && !os_time_read(str_of(set), &ms))
		BUG("IKM_NOW=%s is not a time as in RFC 3339", set);
	if (set)
		return ms;
#endif
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct str os_time_text(struct arena *a, int64_t ms, bool millis)
{
	/* RFC 3339 years have four digits. */
	const int64_t first = -62167219200000, last = 253402300799999;
	int64_t rest;
	struct tm tm;
	time_t t;

	ms = ms < first ? first : ms > last ? last : ms;
	rest = (ms % 1000 + 1000) % 1000;
	t = (time_t)((ms - rest) / 1000);
	gmtime_r(&t, &tm);
	return str_fmt(a,
		       millis ? "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ"
			      : "%04d-%02d-%02dT%02d:%02d:%02dZ",
		       tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
		       tm.tm_sec, (int)rest);
}

uint64_t os_ticks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void os_sleep(unsigned ms)
{
	const struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

	os_critical_check_wait("sleep");
	nanosleep(&t, NULL);
}

void os_random(void *p, size_t n)
{
	unsigned char *at = p;

	while (n) {
		ssize_t got = getrandom(at, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			BUG("the kernel gives no random bytes (error %d)", errno);
		at += got;
		n -= (size_t)got;
	}
}
