/* Edits of what judges: no agent changes its own judge without a person. */
#include "agent/internal.h"
#include "waive/waive.h"
#include "json/json.h"
#include "toml/toml.h"

static void protect_note(struct agent *g, struct str path, const char *what)
{
	struct str note = str_fmt(g->a, "'%.*s' %s", STR_ARG(path), what);

	if (!strs_has(&g->protected, note))
		strs_push(g->a, &g->protected, note);
}

/* ---- Git's own files ---- */

static void protect_git(struct agent *g, struct str path)
{
	struct str rest = path, part;
	bool found = false;

	/* What follows the first ".git/" of the path. */
	while (!found && str_next_part(&rest, '/', &part))
		found = str_ieq(part, STR(".git"));
	if (!found)
		return;
	part = str_base(rest);
	if (str_is(part, "config") || str_is(part, "config.worktree"))
		protect_note(g, path, "has Git's settings, which say where hooks are");
	while (str_next_part(&rest, '/', &part))
		if (str_is(part, "hooks"))
			protect_note(g, path, "is a hook of Git");
}

/* ---- hook managers ---- */

/* The lines that have one of two words, in their order. */
static struct str protect_lines(struct arena *a, struct str text, const char *word,
				const char *other)
{
	struct strs lines = {0};
	struct str line;

	while (str_next_line(&text, &line))
		if (str_holds(line, word) || str_holds(line, other))
			strs_push(a, &lines, str_trim(line));
	return str_join(a, &lines, "\n");
}

/* A file of a hook manager that calls ikm must go on to do so; what else is in it is free. */
static void protect_manager(struct agent *g, const struct agent_repo *r, struct str inner,
			    struct str was, struct str now)
{
	static const char *const files[] = {"lefthook.yml",           "lefthook.yaml",
					    "lefthook.toml",          "lefthook.json",
					    ".lefthook.yml",          ".pre-commit-config.yaml",
					    ".pre-commit-hooks.yaml", NULL};
	bool manager = str_starts(inner, STR(".husky/")) || str_is_any(inner, files);
	const char *hooks = NULL;

	if (!str_holds(was, "ikm"))
		return;
	if (!manager && !git_setting(r->git, g->a, "core.hooksPath", &hooks) && hooks)
		manager = str_starts(inner, str_fmt(g->a, "%s/", hooks)) ||
			  agent_path_relative_to(hooks,
						 os_join(g->a, git_top(r->git), str_c(g->a, inner)))
				  .p;
	if (manager &&
	    !str_eq(protect_lines(g->a, was, "ikm", "ikm"), protect_lines(g->a, now, "ikm", "ikm")))
		protect_note(g, inner, "calls ikm from Git's hooks");
}

/* ---- settings of hosts ---- */

static const struct val *protect_parse(struct arena *a, enum host_file_form form, struct str text,
				       bool *bad)
{
	struct val *v = NULL;
	struct err *e;

	*bad = false;
	if (!text.p || !str_trim(text).n)
		return NULL;
	e = form == HOST_TOML ? toml_read(a, text, &v) : json_read(a, text, NULL, &v);
	*bad = e;
	return e ? NULL : v;
}

static bool protect_same_hooks(struct arena *a, const struct host_file *f, struct str was,
			       struct str now)
{
	const struct val *old, *new;
	bool old_bad, new_bad;

	if (!f->members[0])
		return false;
	old = protect_parse(a, f->form, was, &old_bad);
	new = protect_parse(a, f->form, now, &new_bad);
	if (old_bad || new_bad)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(f->members) && f->members[i]; i++) {
		const struct val *x = val_get(old, f->members[i]);
		const struct val *y = val_get(new, f->members[i]);

		if (!x != !y || (x && !val_eq(x, y)))
			return false;
	}
	return true;
}

/* The path below the folder of the user's settings of this host; p NULL: it is elsewhere. */
static struct str protect_user_path(struct arena *a, const struct host_file *f, const char *path)
{
	const char *home = os_home(), *env = f->env ? os_env(f->env) : NULL;
	struct str below;

	if (env) {
		below = agent_path_relative_to(env, path);
		return below.p ? str_fmt(a, "%.*s/%.*s", (int)size_min(strcspn(f->path, "/"), 64),
					 f->path, STR_ARG(below))
			       : below;
	}
	return home ? agent_path_relative_to(home, path) : (struct str){NULL, 0};
}

static void protect_host(struct agent *g, const struct agent_repo *r, const char *path,
			 struct str was, struct str now)
{
	struct str inner =
		r ? agent_path_relative_to(git_top(r->git), path) : (struct str){NULL, 0};
	struct str here = agent_path_relative_to(g->cwd, path);

	for (const struct host_file *f = host_files; f->path; f++) {
		struct str user =
			f->user ? protect_user_path(g->a, f, path) : (struct str){NULL, 0};
		bool is = f->user ? user.p && host_file_matches_path(f, user)
				  : (inner.p && host_file_matches_path(f, inner)) ||
					    (here.p && host_file_matches_path(f, here));

		if (is && !protect_same_hooks(g->a, f, was, now))
			protect_note(
				g, str_of(path),
				str_fmt(g->a, "says which hooks %s runs", host_names[f->host]).p);
	}
}

/* ---- exemptions ---- */

/* Whether the edit adds a comment that waives a rule, or moves the end of one on. */
static bool protect_new_allow(struct arena *a, struct str path, struct str was, struct str now)
{
	struct allows before, after;
	bool found = true;

	allows_read_comments(a, path, now.p ? now : STR(""), waive_today(), &after);
	if (!after.n)
		return false;
	allows_read_comments(a, path, was.p ? was : STR(""), waive_today(), &before);
	for (size_t i = 0; i < after.n && found; i++) {
		const struct allow *x = &after.p[i];

		found = x->w.problem.n > 0;
		for (size_t k = 0; k < before.n && !found; k++) {
			struct allow *y = &before.p[k];

			found = allow_existed_before(x, y);
			y->taken = y->taken || found;
		}
	}
	return !found;
}

void agent_note_protected_edit(struct agent *g, const struct agent_repo *r, const char *path,
			       struct str was, struct str now)
{
	const char *home = os_ikigai_home(g->a);
	struct str inner;

	if (!was.p == !now.p && str_eq(was, now))
		return;
	protect_git(g, str_of(path));
	protect_host(g, r, path, was, now);
	if (home && agent_path_relative_to(home, path).p &&
	    !(g->garden && agent_path_relative_to(g->garden, path).p))
		protect_note(g, str_of(path), "is ikm's own");
	inner = r ? agent_path_relative_to(git_top(r->git), path) : (struct str){NULL, 0};
	if (!inner.p)
		return;
	if (str_is(inner, WAIVE_FILE))
		protect_note(g, inner, "has exceptions from rules");
	else if (str_starts(inner, STR(".ikm/")))
		protect_note(g, inner, "has ikm's settings");
	if (protect_new_allow(g->a, inner, was, now))
		protect_note(g, inner, "would get an exception from a rule (" WAIVE_WORD ")");
	if ((str_is(inner, ".gitattributes") || str_ends(inner, STR("/.gitattributes"))) &&
	    !str_eq(protect_lines(g->a, was, "linguist-generated", "linguist-vendored"),
		    protect_lines(g->a, now, "linguist-generated", "linguist-vendored")))
		protect_note(g, inner, "exempts files from rules");
	protect_manager(g, r, inner, was, now);
}

/* ---- rules ---- */

/*
 * An agent may write drafts and proposals, which only inform. A setting of the judge has been
 * noted with its file.
 */
void agent_protected_note_rule_edits(struct agent *g, const struct check_report *r)
{
	VEC_EACH(const struct rule_change, c, &r->rule_changes) {
		struct str what;

		if (c->kind == RULE_SETTING ||
		    (c->kind == RULE_ADDED && c->severity == KN_SEVERITY_INFO))
			continue;
		what = str_fmt(g->a, "has rule %u of %.*s, which would be %s%s%.*s", c->constraint,
			       STR_ARG(c->item), rule_change_kinds[c->kind], c->why.n ? ": " : "",
			       STR_ARG(c->why));
		protect_note(g, c->path, what.p);
	}
}
