#include "time_param.h"
#include "os/os.h"

/* "2h30m": numbers with a unit, each unit smaller than the one before. */
static bool when_read_age(struct str text, int64_t *ms)
{
	static const struct {
		char unit;
		int64_t ms;
	} units[] = {{'w', 604800000}, {'d', 86400000}, {'h', 3600000}, {'m', 60000}, {'s', 1000}};
	size_t at = 0;

	*ms = 0;
	for (size_t i = 0; i < ARRAY_SIZE(units) && text.n; i++) {
		int64_t n;

		while (at < text.n && ascii_is_digit(text.p[at]))
			at++;
		if (at == text.n)
			return false;
		if (text.p[at] != units[i].unit)
			continue;
		if (!str_int(str_sub(text, 0, at), &n) || n > 36500)
			return false;
		*ms += n * units[i].ms;
		text = str_sub(text, at + 1, text.n);
		at = 0;
	}
	return !text.n;
}

static struct err *when_read_time(struct str text, const char *name, bool ahead, int64_t *out)
{
	int64_t ms;

	if (!text.p || os_time_read_any(text, out))
		return NULL;
	if (text.n && when_read_age(text, &ms)) {
		*out = os_now() + (ahead ? ms : -ms);
		return NULL;
	}
	return err_help(err_for_param(E_BAD_ARGUMENT, str_of(name),
				      "%s is '%.*s', which is not a time", name, STR_ARG(text)),
			"write 2026-01-31, 2026-01-31T12:00, 2026-01-31T12:00:00Z, or 30m, 2h30m, "
			"7d, 1w for a time %s",
			ahead ? "from now" : "ago");
}

struct err *when_read(struct str text, const char *name, int64_t *out)
{
	return when_read_time(text, name, false, out);
}

struct err *when_read_nonzero(struct str text, const char *name, int64_t *out)
{
	TRY(when_read(text, name, out));
	if (text.p && !*out)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, str_of(name),
				      "%s is 1970-01-01T00:00:00Z, which ikm takes for no time",
				      name),
			"give a later time, or leave it out");
	return NULL;
}

struct err *when_read_since_until(struct str since, struct str until, int64_t *from, int64_t *to)
{
	TRY(when_read(since, "since", from));
	TRY(when_read(until, "until", to));
	/* 0 is no limit; nothing lies between the two. */
	if (until.p && !*to)
		*to = -1;
	if (since.p && until.p && *to < *from)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("until"),
					      "until is '%.*s', which is before since, '%.*s'",
					      STR_ARG(until), STR_ARG(since)),
				"exchange the two, or leave out one");
	return NULL;
}

struct err *when_read_future(struct str text, const char *name, int64_t *out)
{
	TRY(when_read_time(text, name, true, out));
	if (!text.p || *out > os_now())
		return NULL;
	return err_for_param(E_OUT_OF_RANGE, str_of(name), "%s is '%.*s', which is in the past",
			     name, STR_ARG(text));
}
