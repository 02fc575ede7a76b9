/*
 * Installs and removes hooks: shims in a folder, or commands in git's configuration. An earlier
 * hook is moved, never copied, so a restore brings back its content, mode, links and times. ikm
 * first checks all hooks, and writes only if nothing prevents it.
 */
#include "hook/internal.h"

#define LOCK_MS 5000

const char *const hook_actions[] = {HOOK_ACTIONS(ENUM_NAME) NULL};

/*
 * The hooks of a repository that ikm does not use, for install --global. Not in the list:
 * push-to-checkout and proc-receive, whose mere presence changes git's behaviour; and
 * reference-transaction, which would start a shell three times for every ref of a fetch.
 */
static const char *const passed[] = {
	"applypatch-msg",
	"pre-applypatch",
	"post-applypatch",
	"prepare-commit-msg",
	"commit-msg",
	"pre-rebase",
	"post-checkout",
	"post-merge",
	"pre-receive",
	"update",
	"post-receive",
	"post-update",
	"pre-auto-gc",
	"post-rewrite",
	"sendemail-validate",
	"p4-changelist",
	"p4-prepare-changelist",
	"p4-post-changelist",
	"p4-pre-submit",
	"post-index-change",
};

static struct hook_change *change_row(struct arena *a, struct hook_changes *out, size_t i,
				      enum hook_action action)
{
	struct hook_change *c = VEC_PUSH(a, &out->hooks);

	c->name = (enum hook_name)i;
	c->action = action;
	out->changed = out->changed || action == HOOK_INSTALLED || action == HOOK_UPDATED ||
		       action == HOOK_REMOVED || action == HOOK_RESTORED;
	return c;
}

/* ---- in git's configuration ---- */

#define SINCE   "2.54"
#define SECTION "hook.ikm-"

struct configured_plan {
	struct arena *a;
	struct git *g;     /* NULL: the user's configuration */
	const char *scope; /* "--local" */
	struct hook_configuration now;
	struct hook_changes *out;
};

static struct hook_change *configured_row(struct configured_plan *p, size_t i,
					  enum hook_action action)
{
	struct hook_change *c = change_row(p->a, p->out, i, action);

	c->path = str_fmt(p->a, SECTION "%s", hook_names[i]).p;
	c->configuration = p->scope + 2;
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
	*p = (struct configured_plan){.a = a, .g = o->global ? NULL : g, .out = out};
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

	TRY(hook_shim_text(p->a, SHIM_CONFIGURED, name, &command));
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

static struct err *hook_configured_install(struct arena *a, struct git *g,
					   const struct hook_options *o, struct hook_changes *out)
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
		enum hook_owner owner = p.now.hook[i].owner;

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

/* Without `config` adds no row for a hook that the configuration does not have. */
static struct err *hook_configured_uninstall(struct arena *a, struct git *g,
					     const struct hook_options *o, struct hook_changes *out,
					     bool *left)
{
	struct configured_plan p;
	unsigned names;

	TRY(configured_choose(a, g, o, &names));
	TRY(configured_begin(a, g, o, &p, out));
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		enum hook_owner owner = p.now.hook[i].owner;
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

/* ---- the folder that core.hooksPath names ---- */

/* HOOKS_ELSEWHERE unless the folder serves only this repository, or the options allow more. */
static struct err *hook_place_check(const struct hook_place *p, const struct hook_options *o)
{
	struct os_stat st;
	struct err *e;

	TRY(os_stat(p->dir, true, &st));
	if (!*p->dir || (p->scope != SCOPE_UNSET && !p->value.n) ||
	    (st.kind != OS_NONE && st.kind != OS_DIR))
		return err_help(err_new(E_HOOKS_ELSEWHERE,
					"core.hooksPath is '%.*s', which is not a folder: git runs "
					"no hooks here",
					STR_ARG(p->value)),
				"to find the setting: git config --show-origin core.hooksPath");
	if (p->scope != SCOPE_ELSEWHERE || o->force)
		return NULL;
	if (str_is(p->origin, "command"))
		return err_help(err_new(E_HOOKS_ELSEWHERE,
					"core.hooksPath is '%.*s' for this "
					"command only",
					STR_ARG(p->value)),
				"run the command without -c core.hooksPath and GIT_CONFIG_* "
				"variables");
	e = err_new(E_HOOKS_ELSEWHERE,
		    "git looks for hooks in '%.*s' (core.hooksPath of the %.*s configuration), "
		    "which serves every repository",
		    STR_ARG(p->value), STR_ARG(p->origin));
	if (p->global)
		return err_help(e, "to set the global core.hooksPath instead: add --force");
	err_help(e, "for all your repositories: ikm hook install --global");
	err_help(e, "for this repository only, without the hooks of that folder: git config "
		    "core.hooksPath \"$(git rev-parse --git-common-dir)/hooks\" && ikm hook "
		    "install");
	err_help(e, "or call ikm from the hooks there: ikm hook run pre-commit, "
		    "ikm hook run pre-merge-commit, ikm hook run pre-push -- \"$@\"");
	return err_help(e, "or write into that folder anyway: add --force");
}

static struct err *config_set(struct arena *a, const char *key, const char *value)
{
	const char *const set[] = {"config", "--global", key, value, NULL};
	const char *const unset[] = {"config", "--global", "--unset", key, NULL};
	struct git_said r;

	TRY(git_ask(NULL, a, &(struct git_ask){.args = value ? set : unset}, &r));
	if (r.status)
		return err_new(E_GIT_FAILED, "git config --global %s: %.*s", key,
			       STR_ARG(str_trim(r.err)));
	return NULL;
}

/* Sets the global core.hooksPath, or unsets it again. */
static struct err *hook_place_set(struct arena *a, const struct hook_place *p, bool on)
{
	TRY(config_set(a, "core.hooksPath", on ? p->dir : NULL));
	return config_set(a, SET_BY_US, on ? p->dir : NULL);
}

/* ---- files ---- */

struct plan {
	struct arena *a;
	const struct hook_options *o;
	struct hook_place place;
	struct hook_file file[HOOK_COUNT];
	struct str shim[HOOK_COUNT];
	unsigned names;
	struct hook_changes *out;
};

static bool is_chosen(const struct plan *p, size_t i)
{
	return p->names & 1u << i;
}

static struct err *install_read_state(struct arena *a, struct git *g, const struct hook_options *o,
				      struct plan *p, struct hook_changes *out)
{
	*p = (struct plan){.a = a, .o = o, .out = out};
	*out = (struct hook_changes){0};
	TRY(hook_choose_names(a, g, o, &p->names));
	TRY(hook_place_find(a, g, o->global, &p->place));
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct hook_file *f = &p->file[i];
		bool global = o->global;

		TRY(hook_file_read(a, p->place.dir, hook_names[i], f));
		/* A shim for all repositories stays such a shim when a repository renews it. */
		if (f->owner == OWNER_OURS && str_holds(f->text, " scope=global "))
			global = true;
		TRY(hook_shim_text(a, global ? SHIM_GLOBAL : SHIM_REPOSITORY, hook_names[i],
				   &p->shim[i]));
	}
	out->directory = p->place.dir;
	return NULL;
}

static struct hook_change *install_row(struct plan *p, size_t i, enum hook_action action)
{
	struct hook_change *c = change_row(p->a, p->out, i, action);

	c->path = p->file[i].path;
	return c;
}

static void install_note(struct plan *p, struct str s)
{
	strs_push(p->a, &p->out->notes, s);
}

/* Writes down which hooks in the folder are ikm's, for hook_lost(). */
static struct err *install_mark(struct arena *a, struct git *g, const char *dir)
{
	const char *mark = os_join(a, git_common_dir(g), HOOK_MARK);
	struct buf b = buf_in(a);

	for (size_t i = 0; i < HOOK_COUNT; i++) {
		struct hook_file f;

		TRY(hook_file_read(a, dir, hook_names[i], &f));
		if (HOOK_CLIENT & 1u << i && (f.owner == OWNER_OURS || f.legacy))
			buf_fmt(&b, "%s\n", hook_names[i]);
	}
	return b.n ? os_write(mark, buf_as_str(&b), 0) : os_remove(mark);
}

/* ---- install ---- */

static bool is_current(const struct plan *p, size_t i)
{
	const struct hook_file *f = &p->file[i];

	return f->owner == OWNER_OURS && f->executable && str_eq(f->text, p->shim[i]);
}

/*
 * Whether all chosen hooks call ikm already. Their place was allowed when they were installed. A
 * shim of --global that only calls the repository's own hook was not.
 */
static bool are_ours(const struct plan *p)
{
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (is_chosen(p, i) &&
		    (p->file[i].owner != OWNER_OURS || !str_holds(p->file[i].text, "\nikm=")))
			return false;
	return true;
}

static struct err *check_file(const struct hook_file *f)
{
	if (f->owner == OWNER_EDITED)
		return err_help(err_new(E_EXISTS, "'%s' was changed after ikm wrote it", f->path),
				"to write it again without the changes: add --force");
	if (f->owner == OWNER_OTHER && f->has_prev)
		return err_help(err_new(E_EXISTS,
					"'%s' was replaced by another hook after ikm wrote it, and "
					"the hook from before ikm is kept as '%s'",
					f->path, f->prev),
				"remove the hook that you do not need; or keep both (only the "
				"newer one runs) and install: add --force");
	return NULL;
}

/* *managed: another manager calls ikm, so there is nothing to do. *silent: git does not run that
 * manager for some hook. */
static struct err *check_manager(struct plan *p, bool *managed, bool *silent)
{
	const char *from = NULL;
	struct hook_change *c;
	struct hook_managed m;
	unsigned open = 0, optional;
	bool all = true;

	*managed = false;
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (is_chosen(p, i) && p->file[i].owner != OWNER_OURS)
			open |= 1u << i;
	TRY(hook_manager_find(p->a, &p->place, p->file, &m));
	optional = hook_manager_optional_hooks(&m, p->o, &p->file[HOOK_POST_COMMIT]);
	open &= ~optional & (p->o->names ? ~m.never : ~0u);
	if (p->o->server || !open || !m.by || m.in_front)
		return NULL;
	/* With --force ikm may replace a manager that git does not run. */
	for (size_t i = 0; i < HOOK_COUNT; i++)
		all = all && (!(open & ~m.never & 1u << i) ||
			      (m.runs_ikm[i] && (m.installed[i] || !p->o->force)));
	if (!all && !p->o->force)
		return hook_manager_refuse(p->a, &m, open);
	if (!all)
		return NULL;
	*managed = true;
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		if (is_chosen(p, i) && open & m.never & 1u << i)
			install_row(p, i, HOOK_LEFT)->why = str_fmt(
				p->a, "%s cannot call ikm there: ikm hook install --hook %s",
				m.name, hook_names[i]);
		else if (is_chosen(p, i) && open & 1u << i) {
			c = install_row(p, i, HOOK_MANAGED);
			if (!m.installed[i]) {
				c->why = hook_manager_not_installed_text(p->a, &m,
									 (enum hook_name)i);
				*silent = true;
			}
			from = from ? from : m.from[i];
		} else if (is_chosen(p, i) && optional & 1u << i)
			install_row(p, i, HOOK_LEFT)->why = STR(HOOK_WHY_OPTIONAL);
		else if (is_chosen(p, i))
			install_row(p, i, HOOK_UNCHANGED);
	}
	if (from && !*silent)
		install_note(p,
			     str_fmt(p->a, "%s calls ikm already, according to %s", m.name, from));
	return NULL;
}

static struct err *install_move_in(struct plan *p, const struct hook_file *f, const char *fresh)
{
	struct os_stat st;
	struct str name;
	struct err *e;
	unsigned n = 1;

	if (f->owner != OWNER_OTHER)
		return os_rename(fresh, f->path);
	/* A kept hook moves to a free name, because another hook takes its place. */
	if (f->has_prev) {
		do {
			name = str_fmt(p->a, "%s-%u", f->prev, n++);
			TRY(os_stat(name.p, false, &st));
		} while (st.kind != OS_NONE);
		TRY(os_rename(f->prev, name.p));
		install_note(p, str_fmt(p->a, "an older kept hook is now '%s' and does not run",
					name.p));
	}
	TRY(os_rename(f->path, f->prev));
	e = os_rename(fresh, f->path);
	if (e && os_rename(f->prev, f->path))
		return err_help(e, "the earlier hook is kept as '%s'", f->prev);
	return e;
}

/*
 * Writes the shim under another name first, so that a full disk is found before anything moves.
 * Between the two renames there is no hook; after a kill at that moment, install or uninstall
 * repairs it.
 */
static struct err *put_shim(struct plan *p, const struct hook_file *f, struct str shim)
{
	const char *fresh = str_fmt(p->a, "%s.ikm-new", f->path).p;
	struct err *e;

	TRY(os_remove(fresh));
	e = os_write(fresh, shim, OS_EXECUTABLE | OS_BREAK_LINKS);
	if (!e)
		e = install_move_in(p, f, fresh);
	if (e && os_remove(fresh))
		return err_help(e, "'%s' can be removed", fresh);
	return e;
}

static void note_previous(struct hook_change *c, const struct hook_file *f)
{
	bool other = f->owner == OWNER_OTHER;

	if (f->has_prev || other)
		c->previous = (struct hook_previous){f->prev,
						     {other ? f->executable : f->prev_runs, true}};
}

static struct err *install_one(struct plan *p, size_t i)
{
	const struct hook_file *f = &p->file[i];
	bool ours = f->owner == OWNER_OURS || f->owner == OWNER_EDITED;

	if (!is_current(p, i))
		TRY(put_shim(p, f, p->shim[i]));
	note_previous(install_row(p, i,
				  is_current(p, i) ? HOOK_UNCHANGED
				  : ours           ? HOOK_UPDATED
						   : HOOK_INSTALLED),
		      f);
	return NULL;
}

/* With core.hooksPath git no longer runs any hook of the repositories' own folders. These shims
 * call them. */
static struct err *install_passed(struct plan *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(passed); i++) {
		struct hook_file f;
		struct str shim;

		TRY(hook_shim_text(p->a, SHIM_PASS, passed[i], &shim));
		TRY(hook_file_read(p->a, p->place.dir, passed[i], &f));
		if (f.owner == OWNER_NONE ||
		    (f.owner == OWNER_OURS && !(f.executable && str_eq(f.text, shim)))) {
			TRY(put_shim(p, &f, shim));
			p->out->changed = true;
		}
	}
	return NULL;
}

/* A folder of the working tree that Git does not ignore is a part of the commits. */
static struct err *install_note_tracked(struct plan *p, struct git *g)
{
	const char *args[] = {"ls-files", "-co", "--exclude-standard", "--", p->place.dir, NULL};
	struct git_said said;

	if (!p->out->changed || !p->place.top || !p->place.value.n || p->place.value.p[0] == '/')
		return NULL;
	TRY(git_ask(g, p->a, &(struct git_ask){.args = args}, &said));
	if (said.status || !said.out.n)
		return NULL;
	install_note(p, str_fmt(p->a,
				"core.hooksPath is '%.*s', a folder of the working tree: these "
				"files are part of your commits, and a branch or linked worktree "
				"without them runs no hook",
				STR_ARG(p->place.value)));
	return NULL;
}

static struct err *install_write_all(struct plan *p)
{
	struct os_lock *lock;
	struct err *e = NULL;

	TRY(os_mkdirs(p->place.dir, 0777));
	TRY(os_lock_dir(p->a, p->place.dir, LOCK_MS, &lock));
	for (size_t i = 0; i < HOOK_COUNT && !e; i++)
		if (is_chosen(p, i))
			e = install_one(p, i);
	if (!e && p->place.global && (!p->place.is_set || p->place.is_made))
		e = install_passed(p);
	os_unlock(lock);
	TRY(e);
	if (!p->place.global || p->place.is_set)
		return NULL;
	p->out->changed = true;
	TRY(hook_place_set(p->a, &p->place, true));
	install_note(
		p,
		STR("the global core.hooksPath names this folder now; each repository's own hooks "
		    "run as before, except reference-transaction, push-to-checkout and "
		    "proc-receive"));
	return NULL;
}

struct err *hook_install(struct arena *a, struct git *g, const struct hook_options *o,
			 struct hook_changes *out, bool *silent)
{
	struct str version;
	struct plan p;
	bool managed, runs;

	*silent = false;
	if (o->config) {
		*out = (struct hook_changes){0};
		return hook_configured_install(a, g, o, out);
	}
	TRY(install_read_state(a, g, o, &p, out));
	if (!are_ours(&p))
		TRY(hook_place_check(&p.place, o));
	TRY(check_manager(&p, &managed, silent));
	for (size_t i = 0; i < HOOK_COUNT && !o->force && !managed; i++)
		if (is_chosen(&p, i))
			TRY(check_file(&p.file[i]));
	if (!managed)
		TRY(install_write_all(&p));
	if (g && !o->global && !o->server) {
		TRY(install_mark(a, g, p.place.dir));
		TRY(install_note_tracked(&p, g));
	}
	if (!out->changed || o->server)
		return NULL;
	TRY(hook_git_supports_config_hooks(a, &runs, &version));
	if (runs)
		install_note(&p, str_fmt(a,
					 "this git (%.*s) can also call ikm from its "
					 "configuration, beside other tools' hooks: ikm hook "
					 "install --git-config",
					 STR_ARG(version)));
	return NULL;
}

/* ---- uninstall ---- */

static struct err *uninstall_one(struct plan *p, size_t i, const struct hook_managed *m, bool *left)
{
	const struct hook_file *f = &p->file[i];
	bool take = f->owner == OWNER_OURS || (f->owner == OWNER_EDITED && p->o->force);
	bool back = f->legacy && f->has_prev && m->runs_legacy && m->installed[i];
	struct hook_change *c;

	/* The manager would have moved the earlier hook there. */
	if (back)
		TRY(os_rename(f->prev, f->legacy));
	else if (f->legacy)
		TRY(os_remove(f->legacy));
	if (back) {
		install_row(p, i, HOOK_RESTORED)->why =
			str_fmt(p->a, "%s runs the earlier hook, as '%s'", m->name, f->legacy);
	} else if (f->owner == OWNER_EDITED && !take) {
		c = install_row(p, i, HOOK_LEFT);
		c->why = STR("it was changed after ikm wrote it; --force removes it");
		note_previous(c, f);
		*left = true;
	} else if (f->owner == OWNER_OTHER && f->has_prev) {
		install_row(p, i, HOOK_LEFT)->why =
			str_fmt(p->a,
				"another hook replaced ikm's; the hook from before ikm is kept as "
				"'%s', and does not run: remove the hook that you do not need",
				f->prev);
		*left = true;
	} else if (f->has_prev) {
		/* Even without a shim: a killed install may have left the kept hook. */
		TRY(os_rename(f->prev, f->path));
		install_row(p, i, HOOK_RESTORED);
	} else if (take || f->legacy) {
		if (take)
			TRY(os_remove(f->path));
		install_row(p, i, HOOK_REMOVED);
	} else {
		install_row(p, i, HOOK_ABSENT);
	}
	return NULL;
}

/* Unsets core.hooksPath only when none of our hooks is left there. */
static struct err *take_back(struct plan *p)
{
	for (size_t i = 0; i < HOOK_COUNT; i++) {
		TRY(hook_file_read(p->a, p->place.dir, hook_names[i], &p->file[i]));
		if (HOOK_CLIENT & 1u << i && p->file[i].owner != OWNER_NONE)
			return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(passed); i++) {
		struct hook_file f;

		TRY(hook_file_read(p->a, p->place.dir, passed[i], &f));
		if (f.owner != OWNER_OURS)
			continue;
		TRY(os_remove(f.path));
		p->out->changed = true;
	}
	p->out->changed = true;
	install_note(p, STR("the global core.hooksPath is unset again"));
	return hook_place_set(p->a, &p->place, false);
}

struct err *hook_uninstall(struct arena *a, struct git *g, const struct hook_options *o,
			   struct hook_changes *out, bool *left)
{
	struct hook_managed m;
	struct os_lock *lock;
	struct err *e = NULL;
	struct os_stat st;
	struct plan p;

	*left = false;
	if (o->config) {
		*out = (struct hook_changes){0};
		return hook_configured_uninstall(a, g, o, out, left);
	}
	TRY(install_read_state(a, g, o, &p, out));
	if (p.place.scope == SCOPE_ELSEWHERE && !o->force)
		return err_help(err_new(E_HOOKS_ELSEWHERE,
					"git looks for hooks in '%.*s' (core.hooksPath of the %.*s "
					"configuration), which serves every repository",
					STR_ARG(p.place.value), STR_ARG(p.place.origin)),
				"to remove ikm from all of them: ikm hook uninstall --global");
	p.names |= hook_commit_msg_without_garden(a, o, &p.file[HOOK_COMMIT_MSG]);
	TRY(os_stat(p.place.dir, true, &st));
	if (st.kind == OS_DIR) {
		TRY(hook_manager_find(a, &p.place, p.file, &m));
		TRY(os_lock_dir(a, p.place.dir, LOCK_MS, &lock));
		for (size_t i = 0; i < HOOK_COUNT && !e; i++)
			if (is_chosen(&p, i))
				e = uninstall_one(&p, i, &m, left);
		os_unlock(lock);
		TRY(e);
	}
	if (p.place.is_made)
		TRY(take_back(&p));
	if (g && !o->global && !o->server)
		TRY(install_mark(a, g, p.place.dir));
	return o->server || o->names & 1u << HOOK_PRE_RECEIVE
		       ? NULL
		       : hook_configured_uninstall(a, g, o, out, left);
}
