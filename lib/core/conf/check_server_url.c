/* Judges the value of sync.url, as libpq reads such a value, without libpq. */
#include "conf/internal.h"

static bool server_is_secret(struct str key)
{
	return str_is(key, "password") || str_is(key, "sslpassword");
}

/* ---- postgresql://ROLE:PASSWORD@HOST/DATABASE?password=… ---- */

static struct str server_percent(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++) {
		uint32_t c;
		bool is =
			s.p[i] == '%' && i + 2 < s.n && str_parse_hex(str_sub(s, i + 1, i + 3), &c);

		buf_putc(&b, is ? (char)c : s.p[i]);
		i += is ? 2 : 0;
	}
	return buf_as_str(&b);
}

static bool server_url_is_secret(struct arena *a, struct str rest)
{
	size_t end = 0, query;
	struct str one;

	/* libpq looks for the end of the role and the password at the first of these. */
	while (end < rest.n && rest.p[end] != '@' && rest.p[end] != '/')
		end++;
	if (end < rest.n && rest.p[end] == '@') {
		size_t colon = str_find_char(str_sub(rest, 0, end), ':', 0);

		if (colon != SIZE_MAX && colon + 1 < end)
			return true;
		/* The name of a role may have a "?". */
		rest = str_sub(rest, end + 1, rest.n);
	}
	query = str_find_char(rest, '?', 0);
	rest = query == SIZE_MAX ? STR("") : str_sub(rest, query + 1, rest.n);
	while (str_next_part(&rest, '&', &one)) {
		size_t eq = str_find_char(one, '=', 0);

		if (eq != SIZE_MAX && eq + 1 < one.n &&
		    server_is_secret(server_percent(a, str_sub(one, 0, eq))))
			return true;
	}
	return false;
}

/* ---- host=… password='…' ---- */

static size_t server_skip(struct str s, size_t at)
{
	while (at < s.n && ascii_is_space(s.p[at]))
		at++;
	return at;
}

/* The end of a value: of a quoted one behind its quote. A backslash escapes. */
static size_t server_value_end(struct str s, size_t at)
{
	bool quoted = at < s.n && s.p[at] == '\'';

	for (at += quoted; at < s.n; at++) {
		if (s.p[at] == '\\')
			at++;
		else if (quoted && s.p[at] == '\'')
			return at + 1;
		else if (!quoted && ascii_is_space(s.p[at]))
			return at;
	}
	return s.n;
}

static bool server_is_key(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alnum(s.p[i]) && s.p[i] != '_')
			return false;
	return s.n;
}

enum conf_server conf_server_check_url(struct str url)
{
	static const char *const schemes[] = {"postgresql://", "postgres://"};
	struct arena *a ARENA_LOCAL = arena_new();
	size_t at;
	bool bad = false;

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (str_starts(url, str_of(schemes[i])))
			return server_url_is_secret(a, str_sub(url, strlen(schemes[i]), url.n))
				       ? CONF_SERVER_SECRET
				       : CONF_SERVER_GOOD;
	at = server_skip(url, 0);
	while (at < url.n) {
		size_t from = at, value;
		struct str key;

		while (at < url.n && url.p[at] != '=' && !ascii_is_space(url.p[at]))
			at++;
		key = str_sub(url, from, at);
		at = server_skip(url, at);
		if (at >= url.n || url.p[at] != '=')
			return CONF_SERVER_BAD;
		bad = bad || !server_is_key(key);
		value = server_skip(url, at + 1);
		at = server_value_end(url, value);
		if (server_is_secret(key) && at > value && !str_is(str_sub(url, value, at), "''"))
			return CONF_SERVER_SECRET;
		at = server_skip(url, at);
	}
	return bad ? CONF_SERVER_BAD : CONF_SERVER_GOOD;
}
