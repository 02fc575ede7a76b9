/* Parses the names of files in diffs, with their quotes, dates and prefixes. */
#include "patch/internal.h"

/* ---- quoted names ---- */

static char escape(char c)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : 0;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

bool patch_unquote(struct arena *a, struct str *rest, struct str *out)
{
	struct str s = *rest;
	struct buf b = buf_in(a);
	size_t i = 1;

	if (!s.n || s.p[0] != '"')
		return false;
	for (; i < s.n && s.p[i] != '"'; i++) {
		if (s.p[i] != '\\') {
			buf_putc(&b, s.p[i]);
		} else if (i + 3 < s.n && s.p[i + 1] <= '3' && is_octal(s.p[i + 1]) &&
			   is_octal(s.p[i + 2]) && is_octal(s.p[i + 3])) {
			buf_putc(&b, (char)((s.p[i + 1] - '0') << 6 | (s.p[i + 2] - '0') << 3 |
					    (s.p[i + 3] - '0')));
			i += 3;
		} else if (i + 1 < s.n && escape(s.p[i + 1])) {
			buf_putc(&b, escape(s.p[++i]));
		} else {
			return false;
		}
	}
	if (i == s.n)
		return false;
	*out = buf_as_str(&b);
	*rest = str_sub(s, i + 1, s.n);
	return true;
}

/* ---- dates ---- */

/* Parses a zone like "+0130" into seconds. Without a zone it succeeds and sets *given to false. */
static bool zone_of(const char *s, int *seconds, bool *given)
{
	unsigned hours, minutes;
	char sign;
	int end = 0;

	*given = sscanf(s, " %c%2u%2u %n", &sign, &hours, &minutes, &end) == 3;
	if (*given) {
		*seconds = (int)(hours * 3600 + minutes * 60) * (sign == '-' ? -1 : 1);
		return !s[end] && (sign == '+' || sign == '-');
	}
	return !s[strspn(s, " ")];
}

static bool is_epoch(struct arena *a, struct str stamp)
{
	char *s = str_c(a, str_sub(str_trim(stamp), 0, 64));
	int year, month = 1, day, hour, minute, second, end = 0, zone = 0, at;
	char name[4] = "";
	bool zoned;

	if (sscanf(s, "%4d-%2d-%2d %2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second,
		   &end) == 6) {
		if (s[end] == '.')
			end += 1 + (int)strspn(s + end + 1, "0");
	} else if (sscanf(s, "%*3s %3s %2d %2d:%2d:%2d %4d%n", name, &day, &hour, &minute, &second,
			  &year, &end) == 6) {
		month = !strcmp(name, "Dec") ? 12 : !strcmp(name, "Jan") ? 1 : 0;
	} else {
		return false;
	}
	if (year == 1970 && month == 1 && day == 1)
		at = 0;
	else if (year == 1969 && month == 12 && day == 31)
		at = -24 * 3600;
	else
		return false;
	at += hour * 3600 + minute * 60 + second;
	/* Without a zone the local time is unknown; the dates of these two days are near enough. */
	return zone_of(s + end, &zone, &zoned) && (!zoned || at == zone);
}

/* True when a blank and a date are at i: they end a name without quotes when there is no tab. */
static bool date_at(struct str s, size_t i)
{
	static const char *const days[] = {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
	struct str rest = str_sub(s, i + 1, s.n);

	if (s.p[i] != ' ')
		return false;
	for (size_t d = 0; d < ARRAY_SIZE(days); d++)
		if (str_starts(rest, str_of(days[d])))
			return true;
	for (size_t d = 0; d < 10; d++)
		if (d >= rest.n ||
		    (d == 4 || d == 7 ? rest.p[d] != '-' : rest.p[d] < '0' || rest.p[d] > '9'))
			return false;
	return true;
}

/* ---- names ---- */

struct str patch_name(struct arena *a, struct str rest, bool *epoch)
{
	struct str name;
	size_t end = str_find_char(rest, '\t', 0);

	if (patch_unquote(a, &rest, &name)) {
		*epoch = is_epoch(a, rest);
	} else {
		for (size_t i = 0; end == SIZE_MAX && i < rest.n; i++)
			end = date_at(rest, i) ? i : SIZE_MAX;
		name = str_sub(rest, 0, end);
		*epoch = end != SIZE_MAX && is_epoch(a, str_sub(rest, end, rest.n));
		while (name.n && name.p[name.n - 1] == ' ')
			name.n--;
	}
	return str_is(name, "/dev/null") ? (struct str){0} : name;
}

struct str patch_strip(struct str name, unsigned strip)
{
	struct str none = {0};
	size_t at = 0;

	for (; strip; strip--) {
		at = str_find_char(name, '/', at);
		if (at == SIZE_MAX)
			return none;
		/* Several slashes in a row count as one. */
		while (at < name.n && name.p[at] == '/')
			at++;
	}
	return at < name.n ? str_sub(name, at, name.n) : none;
}

static struct str prefixed(struct arena *a, struct str prefix, struct str name)
{
	struct buf b = buf_in(a);

	buf_put(&b, prefix);
	buf_put(&b, name);
	return buf_as_str(&b);
}

bool patch_git_names(struct arena *a, struct str rest, struct str from, struct str to,
		     struct str *old, struct str *new)
{
	struct str one, two, tail = rest;

	bool quoted = patch_unquote(a, &tail, &one);
	struct str x;

	if (from.p && to.p) {
		/* `from` and `to` have no prefixes. When the line has prefixes, add them. */
		bool bare = quoted ? str_eq(one, from)
				   : str_starts(rest, from) &&
					     str_starts(str_sub(rest, from.n, rest.n), STR(" "));

		*old = bare ? from : prefixed(a, STR("a/"), from);
		*new = bare ? to : prefixed(a, STR("b/"), to);
		return true;
	}
	if (quoted && str_starts(tail, STR(" "))) {
		two = tail = str_sub(tail, 1, tail.n);
		patch_unquote(a, &tail, &two);
	} else if (rest.n % 2 && rest.p[rest.n / 2] == ' ') {
		one = str_sub(rest, 0, rest.n / 2);
		two = str_sub(rest, rest.n / 2 + 1, rest.n);
	} else {
		return false;
	}
	*old = one;
	*new = two;
	x = patch_strip(one, 1);
	return str_eq(one, two) || (x.p && str_eq(x, patch_strip(two, 1)));
}
