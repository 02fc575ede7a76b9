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

struct err *when_read_ahead(struct str text, const char *name, int64_t *out)
{
	return when_read_time(text, name, true, out);
}
