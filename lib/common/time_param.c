#include "time_param.h"
#include "os/os.h"

static struct err *when_read_time(struct str text, const char *name, bool ahead, int64_t *out)
{
	static const struct {
		char unit;
		int64_t ms;
	} units[] = {{'s', 1000}, {'m', 60000}, {'h', 3600000}, {'d', 86400000}};
	int64_t n;

	if (!text.p || os_time_read(text, out))
		return NULL;
	for (size_t i = 0; text.n > 1 && i < ARRAY_SIZE(units); i++)
		if (text.p[text.n - 1] == units[i].unit &&
		    str_int(str_sub(text, 0, text.n - 1), &n) && n >= 0 && n <= 36500) {
			*out = os_now() + (ahead ? n : -n) * units[i].ms;
			return NULL;
		}
	return err_help(err_param(E_BAD_ARGUMENT, str_of(name), "%s is '%.*s', which is not a time",
				  name, STR_ARG(text)),
			"write 2026-01-31, 2026-01-31T12:00:00Z, or 30m, 12h, 7d for a time %s",
			ahead ? "from now" : "ago");
}

struct err *when_read(struct str text, const char *name, int64_t *out)
{
	return when_read_time(text, name, false, out);
}

struct err *when_read_stated(struct str text, const char *name, int64_t *out)
{
	TRY(when_read(text, name, out));
	if (text.p && !*out)
		return err_param(E_BAD_ARGUMENT, str_of(name),
				 "%s is 1970-01-01T00:00:00Z, which ikm takes for no time", name);
	return NULL;
}

struct err *when_read_span(struct str since, struct str until, int64_t *from, int64_t *to)
{
	TRY(when_read(since, "since", from));
	TRY(when_read(until, "until", to));
	/* 0 is no limit; nothing lies between the two. */
	if (until.p && !*to)
		*to = -1;
	if (since.p && until.p && *to < *from)
		return err_param(E_BAD_ARGUMENT, STR("until"),
				 "until is '%.*s', which is before since, '%.*s'", STR_ARG(until),
				 STR_ARG(since));
	return NULL;
}

struct err *when_read_ahead(struct str text, const char *name, int64_t *out)
{
	return when_read_time(text, name, true, out);
}
