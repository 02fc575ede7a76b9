/*
 * Hooks in git's configuration. git 2.54 and newer run hook.NAME.command for each hook.NAME.event,
 * before the file in the hooks folder. Then they run the file too, whatever the result was. So
 * nothing of other tools moves, and core.hooksPath does not matter. ikm's NAME is "ikm-" and the
 * event, because git refuses the name of an event.
 */
#include "hook/internal.h"

#define SINCE   "2.54"
#define SECTION "hook.ikm-"

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

/* ---- reading ---- */

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

static enum hook_owner hook_configured_owner(struct arena *a, const struct hook_configured *h,
					     enum hook_name name)
{
	return h->command.p ? hook_text_owner(a, h->command, hook_names[name]) : OWNER_NONE;
}

/* ---- install ---- */

struct configured_plan {
	struct arena *a;
	struct git *g; /* NULL: the user's configuration */
	const struct hook_options *o;
	const char *scope; /* "--local" */
	struct hook_configuration now;
	struct hook_changes *out;
};

static struct hook_change *configured_row(struct configured_plan *p, size_t i,
					  enum hook_action action)
{
	struct hook_change *c = VEC_PUSH(p->a, &p->out->hooks);

	c->name = (enum hook_name)i;
	c->path = str_fmt(p->a, SECTION "%s", hook_names[i]).p;
	c->configuration = p->scope + 2;
	c->action = action;
	p->out->changed = p->out->changed || action == HOOK_INSTALLED || action == HOOK_UPDATED ||
			  action == HOOK_REMOVED;
	return c;
}

static struct err *configured_change(struct configured_plan *p, const char *word, const char *key,
				     const char *value)
{
	const char *const args[] = {"config", p->scope, word, key, value, NULL};
	struct git_said r;

	TRY(git_ask(p->g, p->a, &(struct git_ask){.args = args}, &r));
	if (r.status)
		return err_new(E_GIT_FAILED, "git config %s %s %s: %.*s", p->scope, word, key,
			       STR_ARG(str_trim(r.err)));
	return NULL;
}

static struct err *configured_begin(struct arena *a, struct git *g, const struct hook_options *o,
				    struct configured_plan *p, struct hook_changes *out)
{
	*p = (struct configured_plan){.a = a, .g = o->global ? NULL : g, .o = o, .out = out};
	p->scope = o->global ? "--global" : "--local";
	if (!o->global && !g)
		return err_help(err_new(E_NO_REPOSITORY, "this is not a Git repository"),
				"run ikm inside a repository, use -C DIR, or --global");
	return hook_configured_read(a, p->g, p->scope, &p->now);
}

static struct err *configured_choose(struct arena *a, struct git *g, const struct hook_options *o,
				     unsigned *names)
{
	if (o->server || o->names & 1u << HOOK_PRE_RECEIVE)
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"pre-receive is a file in its repository, not --git-config"),
			"ikm hook install --server");
	return hook_choose_names(a, g, o, names);
}

static struct err *configured_install_one(struct configured_plan *p, size_t i)
{
	const struct hook_configured *h = &p->now.hook[i];
	const char *name = hook_names[i];
	struct hook_change *c;
	struct str command;

	TRY(hook_shim_config_command(p->a, name, &command));
	c = configured_row(p, i,
			   !h->command.p                             ? HOOK_INSTALLED
			   : h->event && str_eq(h->command, command) ? HOOK_UNCHANGED
								     : HOOK_UPDATED);
	c->why = hook_configured_why_off(p->a, h, (enum hook_name)i);
	/* git runs a hook with an event and no command never, and stops. */
	if (!str_eq(h->command, command))
		TRY(configured_change(p, "--replace-all",
				      str_fmt(p->a, SECTION "%s.command", name).p,
				      str_c(p->a, command)));
	return h->event ? NULL
			: configured_change(p, "--add", str_fmt(p->a, SECTION "%s.event", name).p,
					    name);
}

struct str hook_configured_why_off(struct arena *a, const struct hook_configured *h,
				   enum hook_name name)
{
	if (!h->off && !h->event_off)
		return (struct str){0};
	return str_fmt(a, "git does not run it while hook.%s%s.enabled is false",
		       h->off ? "ikm-" : "", hook_names[name]);
}

struct err *hook_configured_install(struct arena *a, struct git *g, const struct hook_options *o,
				    struct hook_changes *out)
{
	struct hook_clone clone = {0};
	const struct hook_managed *m = &clone.managed;
	struct configured_plan p;
	struct str version;
	unsigned names;
	bool runs;

	TRY(configured_choose(a, g, o, &names));
	TRY(hook_git_supports_config_hooks(a, &runs, &version));
	if (!runs)
		return err_help(
			err_new(E_GIT_UNSUPPORTED,
				"git %.*s does not run hooks of its configuration; git " SINCE
				" and newer do",
				STR_ARG(version)),
			"a file in the hooks folder works with every git: ikm hook "
			"install%s",
			o->global ? " --global" : "");
	TRY(configured_begin(a, g, o, &p, out));
	/* With another manager that calls ikm, git would judge twice. */
	if (!o->global && !o->force)
		TRY(hook_clone_read(a, g, &clone));
	for (size_t i = 0; i < HOOK_COUNT && !o->force; i++) {
		enum hook_owner owner = hook_configured_owner(a, &p.now.hook[i], (enum hook_name)i);

		if (names & 1u << i && (owner == OWNER_EDITED || owner == OWNER_OTHER))
			return err_help(err_new(E_EXISTS,
						SECTION "%s.command was changed after ikm wrote it",
						hook_names[i]),
					"to write it again without the changes: add --force");
	}
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		if (!(names & 1u << i))
			continue;
		if (m->runs_ikm[i] && m->installed[i] && !p.now.hook[i].command.p)
			configured_row(&p, i, HOOK_MANAGED)->why = str_fmt(
				a, "%s calls ikm already, according to %s", m->name, m->file);
		else
			TRY(configured_install_one(&p, i));
	}
	return NULL;
}

struct err *hook_configured_uninstall(struct arena *a, struct git *g, const struct hook_options *o,
				      struct hook_changes *out, bool *left)
{
	struct configured_plan p;
	unsigned names;

	TRY(configured_choose(a, g, o, &names));
	TRY(configured_begin(a, g, o, &p, out));
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		const struct hook_configured *h = &p.now.hook[i];
		enum hook_owner owner = hook_configured_owner(a, h, (enum hook_name)i);
		struct str section = str_fmt(a, SECTION "%s", hook_names[i]);

		if (!(names & 1u << i) || (owner == OWNER_NONE && !o->config))
			continue;
		if (owner == OWNER_NONE) {
			configured_row(&p, i, HOOK_ABSENT);
		} else if (owner == OWNER_OURS || o->force) {
			TRY(configured_change(&p, "--remove-section", section.p, NULL));
			configured_row(&p, i, HOOK_REMOVED);
		} else {
			configured_row(&p, i, HOOK_LEFT)->why = STR(
				"its command was changed after ikm wrote it; --force removes it");
			*left = true;
		}
	}
	return NULL;
}

struct err *hook_configured_offer(struct arena *a, struct strs *notes)
{
	struct str version;
	bool runs;

	TRY(hook_git_supports_config_hooks(a, &runs, &version));
	if (runs)
		strs_push(
			a, notes,
			str_fmt(a,
				"this git (%.*s) can also call ikm from its configuration, beside "
				"other tools' hooks: ikm hook install --git-config",
				STR_ARG(version)));
	return NULL;
}
