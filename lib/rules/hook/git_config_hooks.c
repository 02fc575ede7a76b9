/*
 * Hooks in git's configuration. git 2.54 and newer run hook.NAME.command for each hook.NAME.event,
 * before the file in the hooks folder. Then they run the file too, whatever the result was. So
 * nothing of other tools moves, and core.hooksPath does not matter. ikm's NAME is "ikm-" and the
 * event, because git refuses the name of an event.
 */
#include "hook/internal.h"

struct err *hook_git_supports_config_hooks(struct arena *a, bool *runs, struct str *version)
{
	static const char *const ask[] = {"version", NULL};
	static const struct str before = STR_INIT("git version ");
	int64_t major, minor;
	struct str rest, part;

	TRY(git_run(NULL, a, ask, (struct str){0}, version));
	*version = str_trim(*version);
	if (str_starts(*version, before))
		*version = str_sub(*version, before.n, version->n);
	/* "2.54.0", "2.55.GIT", "2.39.5 (Apple Git-154)" */
	rest = *version;
	*runs = str_next_part(&rest, '.', &part) && str_int(part, &major) &&
		str_next_part(&rest, '.', &part) && str_int(part, &minor) &&
		(major > 2 || (major == 2 && minor >= 54));
	return NULL;
}

/* git's words for false; an empty value is one of them. */
static bool configured_is_false(struct str v)
{
	return !v.n || str_ieq(v, STR("false")) || str_ieq(v, STR("no")) ||
	       str_ieq(v, STR("off")) || str_is(v, "0");
}

/* hook.NAME.VARIABLE = value. git has the variable in lower case. */
static void configured_take(struct arena *a, struct hook_configuration *out, struct str scope,
			    struct str name, struct str variable, struct str value)
{
	bool ours = false;

	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct hook_configured *h = &out->hook[i];

		if (str_is(variable, "enabled") && str_is(name, hook_names[i]))
			h->event_off = configured_is_false(value);
		if (!str_eq(name, str_fmt(a, "ikm-%s", hook_names[i])))
			continue;
		ours = true;
		if (str_is(variable, "command")) {
			h->command = value;
			h->owner = hook_text_owner(a, value, hook_names[i]);
			h->scope = scope;
		} else if (str_is(variable, "enabled")) {
			h->off = configured_is_false(value);
		} else if (str_is(variable, "event") &&
			   (!value.n || str_is(value, hook_names[i]))) {
			h->event = value.n != 0;
		}
	}
	if (!ours && str_is(variable, "event"))
		strs_push(a, &out->others, name);
}

struct err *hook_configured_read(struct arena *a, struct git *g, const char *scope,
				 struct hook_configuration *out)
{
	const char *const args[] = {"config",
				    scope ? scope : "--includes",
				    "-z",
				    "--show-scope",
				    "--get-regexp",
				    "^hook\\.",
				    NULL};
	struct git_said r;
	struct str from, entry;

	*out = (struct hook_configuration){0};
	TRY(git_ask(g, a, &(struct git_ask){.args = args}, &r));
	if (r.status > 1)
		return err_new(E_GIT_FAILED, "git config --get-regexp ^hook: %.*s",
			       STR_ARG(str_trim(r.err)));
	/* "scope NUL key LF value NUL"; a key without a value has no LF, and means true. */
	while (str_next_part(&r.out, 0, &from) && str_next_part(&r.out, 0, &entry)) {
		size_t lf = str_find_char(entry, '\n', 0);
		struct str key = lf == SIZE_MAX ? entry : str_sub(entry, 0, lf);
		size_t first = str_find_char(key, '.', 0), last = str_rfind_char(key, '.');

		if (last == first)
			continue; /* hook.jobs */
		configured_take(a, out, from, str_sub(key, first + 1, last),
				str_sub(key, last + 1, key.n),
				lf == SIZE_MAX ? STR("true") : str_sub(entry, lf + 1, entry.n));
	}
	return NULL;
}

struct str hook_configured_why_off(struct arena *a, const struct hook_configured *h,
				   enum hook_name name)
{
	if (!h->off && !h->event_off)
		return (struct str){0};
	return str_fmt(a, "git does not run it while hook.%s%s.enabled is false",
		       h->off ? "ikm-" : "", hook_names[name]);
}
