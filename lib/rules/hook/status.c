/* Reports the file at each hook's path, and probes that git calls ikm there. Finds lost hooks. */
#include "hook/internal.h"

#define PROBE_MS    10000
#define PROGRAM_MAX ((size_t)256 << 20)

const char *const hook_states[] = {HOOK_STATES(ENUM_NAME) NULL};
const char *const hook_proofs[] = {
	[HOOK_FIRES] = "yes", [HOOK_FIRES_NOT] = "no", [HOOK_UNPROVEN] = "unproven", NULL};

/* "ikm-hook-probe TOKEN PROGRAM": the program's path, or p NULL when the token is not there. */
static struct str find_answer(struct str said, struct str answer)
{
	size_t at = str_find(said, answer, 0);
	struct str line = {0};

	if (at == SIZE_MAX)
		return line;
	said = str_sub(said, at + answer.n, said.n);
	return str_next_line(&said, &line) ? line : STR("");
}

/*
 * The settings with which git runs one hook of ikm alone: the file, or the configured hook. Hooks
 * of other tools do not run. git's command line cannot switch off a name with "=" or a line feed;
 * then nothing is proven.
 */
static bool status_alone(struct arena *a, const struct hook_configuration *c, size_t name,
			 bool configured, const char *const **out)
{
	const char **off = arena_array(a, c->others.n + HOOK_COUNT + 2, sizeof(*off));
	size_t n = 0;

	for (size_t i = 0; i < c->others.n; i++) {
		struct str other = c->others.p[i];

		if (str_find_char(other, '=', 0) != SIZE_MAX ||
		    str_find_char(other, '\n', 0) != SIZE_MAX)
			return false;
		off[n++] = str_fmt(a, "hook.%.*s.enabled=false", STR_ARG(other)).p;
	}
	if (configured)
		off[n++] = "core.hooksPath=/dev/null";
	else if (c->hook[name].command.p)
		off[n++] = str_fmt(a, "hook.ikm-%s.enabled=false", hook_names[name]).p;
	off[n] = NULL;
	*out = off;
	return true;
}

/* Calls the hook as git would. git before 2.36 has no command for that; then ikm runs the file in
 * the folder where git would run it. */
static struct err *call_hook(struct arena *a, struct git *g, const struct hook_place *p,
			     const struct hook_file *f, const char *name, const char *probe,
			     const char *const *alone, struct git_said *said)
{
	const char *const args[] = {"hook", "run", "--ignore-missing", name, NULL};
	const char *const direct[] = {f ? f->path : "", NULL};
	const char *const env[] = {probe, "IKM_HOOKS", NULL};
	const struct git_ask q = {
		.args = args, .env = env, .timeout_ms = PROBE_MS, .settings = alone};
	const struct os_spawn s = {
		.argv = direct, .env = env, .timeout_ms = PROBE_MS, .cwd = p->top};
	struct os_result r;

	TRY(git_ask(g, a, &q, said));
	if (!f || said->status != 1 || !str_holds(said->err, "is not a git command"))
		return NULL;
	TRY(os_run(a, &s, &r));
	*said = (struct git_said){r.status, r.out, r.err};
	return NULL;
}

/* f NULL: the hook of git's configuration. */
static struct err *probe_hook(struct arena *a, struct git *g, const struct hook_place *p,
			      const struct hook_file *f, const struct hook_configuration *c,
			      struct hook_found *out)
{
	const char *const *alone, *probe;
	struct str token, answer, program;
	struct git_said r = {0};
	uint64_t half[2];
	struct err *e;

	os_random(half, sizeof(half));
	token = str_fmt(a, "%016llx%016llx", (unsigned long long)half[0],
			(unsigned long long)half[1]);
	answer = str_fmt(a, HOOK_PROBE_ANSWER "%.*s ", STR_ARG(token));
	probe = str_fmt(a, HOOK_PROBE_ENV "=%.*s", STR_ARG(token)).p;
	if (!status_alone(a, c, out->name, !f, &alone)) {
		out->fires = HOOK_UNPROVEN;
		out->why = STR("git's configuration has a hook with \"=\" in its name, which ikm "
			       "cannot keep from running in a test");
		return NULL;
	}
	e = call_hook(a, g, p, f, hook_names[out->name], probe, alone, &r);
	if (e && err_reason(e) != E_TOOK_TOO_LONG && err_reason(e) != E_NO_PROGRAM)
		return e;
	program = find_answer(r.err, answer);
	if (!program.p)
		program = find_answer(r.out, answer);
	if (program.p) {
		out->fires = HOOK_FIRES;
		out->program = program;
		return NULL;
	}
	if (e)
		out->why = str_dup(a, str_of(err_message(e)));
	else if (f && !f->executable)
		out->why =
			STR("it is not executable, so git ignores it: chmod +x, or install again");
	else if (r.err.n || r.out.n)
		out->why = str_trim(r.err.n ? r.err : r.out);
	else
		out->why = STR("git does not run it, or it found no ikm");
	return NULL;
}

static struct str hook_status_why_not(struct arena *a, const struct hook_file *f,
				      enum hook_state state, enum hook_name name,
				      const struct hook_managed *m)
{
	const char *install =
		name == HOOK_PRE_RECEIVE ? "ikm hook install --server" : "ikm hook install";
	bool kept = f->legacy && f->has_prev;

	switch (state) {
	case HOOK_IS_EDITED:
		return STR("it was changed after ikm wrote it, so ikm does not run it");
	case HOOK_IS_MANAGED:
		if (!m->installed[name])
			return hook_manager_not_installed_text(a, m, name);
		return str_fmt(a,
			       "%s should call ikm, according to %s; ikm does not run it, because "
			       "it may run other commands%s%s",
			       m->name, m->from[name],
			       kept ? "; it does not run the earlier hook " : "",
			       kept ? f->prev : "");
	case HOOK_IS_OTHER:
		if (m->by && !m->in_front)
			return str_fmt(
				a,
				"%s wrote it, and %s; 'ikm hook install' prints the lines to "
				"add",
				m->name,
				m->file ? "does not call ikm"
					: "has its configuration in no usual place, so ikm "
					  "cannot see whether it calls ikm");
		return str_fmt(a, "another hook is there; '%s' puts ikm in front of it", install);
	case HOOK_IS_ABSENT:
		return f->has_prev
			       ? str_fmt(a, "an install was interrupted: run '%s' again", install)
		       : m->never & 1u << name
			       ? str_fmt(a,
					 "not installed, and %s cannot call ikm there: %s --hook %s",
					 m->name, install, hook_names[name])
			       : str_fmt(a, "not installed: %s", install);
	case HOOK_IS_OURS: break;
	}
	return str_fmt(a,
		       "it runs another program or another version of ikm, so ikm does not run it; "
		       "'%s' renews it",
		       install);
}

/*
 * Whether running the hook runs ikm and nothing else. A repository may bring a hook with a forged
 * digest. So the file must be exactly a shim of ikm, and name a copy of this program. If that copy
 * is gone, the shim uses PATH.
 */
static bool status_is_this_ikm(struct arena *a, struct str program)
{
	const char *self = os_self(a), *path = str_c(a, program);
	struct str mine, other;
	struct os_stat st, own;
	struct arena *scratch ARENA_LOCAL = NULL;

	if (path[0] != '/' || (self && !strcmp(path, self)))
		return true;
	if (os_stat(path, true, &st) || !self || os_stat(self, true, &own))
		return false;
	if (st.kind == OS_NONE || (st.dev == own.dev && st.ino == own.ino))
		return true;
	if (st.kind != OS_FILE || st.size != own.size)
		return false;
	scratch = arena_new();
	return !os_read_path(scratch, path, PROGRAM_MAX, &other) &&
	       !os_read_path(scratch, self, PROGRAM_MAX, &mine) && str_eq(mine, other);
}

/* The file in the hooks folder is not ikm's, so the configured hook judges. */
static struct err *hook_status_configured(struct arena *a, struct git *g,
					  const struct hook_place *p,
					  const struct hook_configuration *c,
					  struct hook_found *out)
{
	const struct hook_configured *h = &c->hook[out->name];
	struct str program, version;
	bool runs;

	TRY(hook_git_supports_config_hooks(a, &runs, &version));
	out->why = hook_configured_why_off(a, h, out->name);
	if (!runs)
		out->why =
			str_fmt(a,
				"the %.*s configuration calls ikm, and git %.*s does not run hooks "
				"of its configuration: ikm hook install",
				STR_ARG(h->scope), STR_ARG(version));
	else if (!h->event)
		out->why = str_fmt(a, "hook.ikm-%s.event is missing: ikm hook install --git-config",
				   hook_names[out->name]);
	if (out->why.p)
		return NULL;
	if (hook_shim_program(a, h->command, SHIM_CONFIGURED, hook_names[out->name], &program) &&
	    status_is_this_ikm(a, program))
		return probe_hook(a, g, p, NULL, c, out);
	out->fires = HOOK_UNPROVEN;
	out->why =
		str_fmt(a,
			"hook.ikm-%s.command of the %.*s configuration runs another program or "
			"another version of ikm, or was changed, so ikm does not run it; 'ikm hook "
			"install --git-config' renews it",
			hook_names[out->name], STR_ARG(h->scope));
	return NULL;
}

static struct err *hook_status_one(struct arena *a, struct git *g, const struct hook_place *p,
				   const struct hook_file *f, const struct hook_managed *m,
				   const struct hook_configuration *c, struct hook_found *out)
{
	const char *name = hook_names[out->name];
	struct str program;

	out->path = f->path;
	out->state = f->owner == OWNER_OURS     ? HOOK_IS_OURS
		     : f->owner == OWNER_EDITED ? HOOK_IS_EDITED
		     : m->runs_ikm[out->name]   ? HOOK_IS_MANAGED
		     : f->owner == OWNER_OTHER  ? HOOK_IS_OTHER
						: HOOK_IS_ABSENT;
	out->executable = f->executable;
	out->fires = HOOK_FIRES_NOT;
	if (f->has_prev && !f->legacy)
		out->previous = (struct hook_previous){f->prev, {f->prev_runs, true}};
	out->configured = c->hook[out->name].scope;
	if (out->state == HOOK_IS_OURS &&
	    (hook_shim_program(a, f->text, SHIM_REPOSITORY, name, &program) ||
	     hook_shim_program(a, f->text, SHIM_GLOBAL, name, &program)) &&
	    status_is_this_ikm(a, program))
		return probe_hook(a, g, p, f, c, out);
	if (out->configured.p && out->state != HOOK_IS_OURS)
		return hook_status_configured(a, g, p, c, out);
	if (out->state == HOOK_IS_OURS || out->state == HOOK_IS_EDITED ||
	    (out->state == HOOK_IS_MANAGED && m->installed[out->name]))
		out->fires = HOOK_UNPROVEN;
	out->why = hook_status_why_not(a, f, out->state, out->name, m);
	return NULL;
}

struct err *hook_status(struct arena *a, struct git *g, const struct hook_options *o,
			struct hook_report *out, bool *silent)
{
	const char *hooks = os_env("IKM_HOOKS");
	struct hook_file file[HOOK_COUNT];
	struct hook_configuration c;
	struct hook_managed m;
	struct hook_place p;
	unsigned names, optional;

	*silent = false;
	TRY(hook_choose_names(a, g, o, &names));
	TRY(hook_place_find(a, g, o->global, &p));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		TRY(hook_file_read(a, p.dir, hook_names[i], &file[i]));
	TRY(hook_configured_read(a, o->global ? NULL : g, o->global ? "--global" : NULL, &c));
	m = (struct hook_managed){0};
	if (!o->server)
		TRY(hook_manager_find(a, &p, file, &m));
	optional = hook_manager_optional_hooks(&m, o, &file[HOOK_POST_COMMIT]);
	names |= hook_commit_msg_without_garden(a, o, &file[HOOK_COMMIT_MSG]);
	*out = (struct hook_report){
		.directory = p.dir,
		.hooks_path = p.value,
		.manager = m.name,
		.skipped = hooks && !strcmp(hooks, "0") && !o->server,
	};
	if (p.value.p)
		out->scope = p.origin;
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct hook_found *one;

		if (!(names & 1u << i))
			continue;
		one = VEC_PUSH(a, &out->hooks);
		one->name = (enum hook_name)i;
		TRY(hook_status_one(a, g, &p, &file[i], &m, &c, one));
		if (one->fires != HOOK_FIRES_NOT)
			continue;
		if (optional & 1u << i && !one->configured.p)
			one->why = STR(HOOK_WHY_OPTIONAL);
		else
			*silent = true;
	}
	return NULL;
}

/* ---- hooks that this clone should have, and lacks ---- */

#define MARK_MAX 1024

struct err *hook_missing(struct arena *a, struct git *g, struct strs *out)
{
	struct hook_clone m;

	TRY(hook_clone_read(a, g, &m));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (m.managed.runs_ikm[i] && !m.managed.installed[i] &&
		    m.file[i].owner != OWNER_OURS)
			strs_push(
				a, out,
				hook_manager_not_installed_text(a, &m.managed, (enum hook_name)i));
	return NULL;
}

struct str hook_lost(struct arena *a, struct git *g)
{
	const struct hook_options all = {0};
	struct str text, line;
	struct strs lost = {0};
	struct hook_clone m;

	if (os_read_path(a, os_join(a, git_common_dir(g), HOOK_MARK), MARK_MAX, &text) ||
	    hook_clone_read(a, g, &m))
		return STR("");
	while (str_next_line(&text, &line))
		for (size_t i = 0; i < HOOK_COUNT; i++)
			if (str_is(line, hook_names[i]) &&
			    !((m.file[i].owner == OWNER_OURS || m.file[i].owner == OWNER_EDITED) &&
			      m.file[i].executable) &&
			    !(m.managed.runs_ikm[i] && m.managed.installed[i]) &&
			    !(hook_manager_optional_hooks(&m.managed, &all, &m.file[i]) & 1u << i))
				strs_push(a, &lost, line);
	if (!lost.n)
		return STR("");
	return str_fmt(a,
		       "this clone had ikm's hooks, and Git does not call ikm any more for "
		       "%.*s%s%s: run 'ikm hook install', or 'ikm hook uninstall' if that "
		       "is meant",
		       STR_ARG(str_join(a, &lost, ", ")), m.managed.name ? ", since " : "",
		       m.managed.name ? str_fmt(a, "%s is here", m.managed.name).p : "");
}
