/* git's identity: the person of a commit and of a line in the reflog. */
#include "git/commit.h"
#include "os/os.h"
#include <time.h>

struct str ident_clean(struct arena *a, struct str name)
{
	static const char crud[] = ".,:;<>\"\\'";
	struct buf b = buf_in(a);

	while (name.n && ((unsigned char)name.p[0] <= ' ' || strchr(crud, name.p[0])))
		name = str_sub(name, 1, name.n);
	while (name.n &&
	       ((unsigned char)name.p[name.n - 1] <= ' ' || strchr(crud, name.p[name.n - 1])))
		name.n--;
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] && name.p[i] != '\n' && name.p[i] != '<' && name.p[i] != '>')
			buf_putc(&b, name.p[i]);
	return buf_str(&b);
}

struct str ident_text(struct arena *a, const struct ident *i)
{
	return str_fmt(a, "%.*s <%.*s> %.*s", STR_ARG(i->name), STR_ARG(i->email),
		       STR_ARG(i->date));
}

/* ---- dates ---- */

static bool ident_is_zone(struct str s)
{
	if (s.n != 5 || (s.p[0] != '+' && s.p[0] != '-'))
		return false;
	for (size_t i = 1; i < 5; i++)
		if (!ascii_is_digit(s.p[i]))
			return false;
	return true;
}

static struct err *ident_date(struct arena *a, const char *env, struct str *out)
{
	struct str given = str_of(os_env(env)), seconds, zone = given;
	/* Git calls a commit from before 1970 an error. */
	int64_t n = os_now() < 0 ? 0 : os_now() / 1000, ms;
	time_t now = (time_t)n;
	long offset;
	struct tm tm;

	if (given.n && given.p[0] == '@')
		zone = str_sub(given, 1, given.n);
	if (given.n && str_split(&zone, ' ', &seconds) && str_int(seconds, &n) && n >= 0 &&
	    (!zone.n || ident_is_zone(zone))) {
		*out = str_fmt(a, "%lld %.*s", (long long)n, STR_ARG(zone.n ? zone : STR("+0000")));
		return NULL;
	}
	if (given.n && os_time_read(given, &ms) && ms >= 0) {
		*out = str_fmt(a, "%lld +0000", (long long)(ms / 1000));
		return NULL;
	}
	if (given.n)
		return err_new(E_BAD_ARGUMENT,
			       "%s is '%.*s', and ikm reads 'SECONDS ZONE' (1700000000 +0100) and "
			       "RFC 3339 (2026-01-31T12:00:00Z) only, not before 1970",
			       env, STR_ARG(given));
	if (!localtime_r(&now, &tm))
		return err_new(E_BAD_CONFIG, "the clock shows no date");
	offset = tm.tm_gmtoff / 60;
	*out = str_fmt(a, "%lld %c%02ld%02ld", (long long)now, offset < 0 ? '-' : '+',
		       labs(offset) / 60, labs(offset) % 60);
	return NULL;
}

/* ---- names ---- */

static struct err *ident_part(struct git *g, struct arena *a, const char *env, const char *own,
			      const char *common, struct str *out)
{
	const char *value = os_env(env);

	if (!value)
		TRY(git_setting(g, a, own, &value));
	if (!value)
		TRY(git_setting(g, a, common, &value));
	*out = ident_clean(a, str_of(value));
	return NULL;
}

struct err *ident_of(struct git *g, struct arena *a, enum ident_role role, struct ident *out)
{
	bool author = role == IDENT_AUTHOR;
	struct err *e;

	TRY(ident_part(g, a, author ? "GIT_AUTHOR_NAME" : "GIT_COMMITTER_NAME",
		       author ? "author.name" : "committer.name", "user.name", &out->name));
	TRY(ident_part(g, a, author ? "GIT_AUTHOR_EMAIL" : "GIT_COMMITTER_EMAIL",
		       author ? "author.email" : "committer.email", "user.email", &out->email));
	if (!out->email.n)
		out->email = ident_clean(a, str_of(os_env("EMAIL")));
	if (out->name.n && out->email.n)
		return ident_date(a, author ? "GIT_AUTHOR_DATE" : "GIT_COMMITTER_DATE", &out->date);
	e = err_new(E_NOT_CONFIGURED,
		    "git does not know the %s for the %s of a commit in '%s': %s is not set",
		    out->name.n ? "e-mail address" : "name", author ? "author" : "committer",
		    g->top ? g->top : g->dir, out->name.n ? "user.email" : "user.name");
	if (!out->name.n)
		err_help(e, "git config --global user.name 'YOUR NAME'");
	return out->email.n ? e : err_help(e, "git config --global user.email YOU@EXAMPLE.ORG");
}
