/* The content of each file as an event would leave it, and the edits that a person decides. */
#include "agent/internal.h"
#include "json/json.h"
#include "knowledge/load.h"
#include "toml/toml.h"
#include "waive/waive.h"

#define CONTENT_MAX ((size_t)64 << 20)
#define LINKS_MAX   16

/* The path below a folder; p NULL: it is not below it. */
static struct str agent_path_relative_to(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	if (!strcmp(folder, "/"))
		n = 0;
	if (strncmp(folder, path, n) || path[n] != '/')
		return (struct str){NULL, 0};
	return str_of(path + n + 1);
}

/* ---- edits of what judges: no agent changes its own judge without a person ---- */

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

/* Notes an edit of Git's hooks, of a host's settings, of ikm's settings or of exemptions. */
static void agent_note_protected_edit(struct agent *g, const struct agent_repo *r, const char *path,
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

/* ---- where a path leads, before anything is opened ---- */

struct agent_place {
	const char *name;   /* absolute; its folder without links */
	const char *target; /* the same, or where the link of that name leads */
	const char *folder; /* the nearest folder of `target` that exists */
	bool link;
	struct os_stat st; /* of target */
};

/*
 * The folder without links: the kernel resolves what exists, and the parts behind it are joined.
 */
static struct err *place_folder(struct arena *a, struct str folder, const char **out,
				const char **exists)
{
	struct str have = folder, rest, part;
	const char *real = NULL;
	struct buf b = buf_in(a);

	while (!real) {
		struct err *e = os_realpath(a, have.n ? str_c(a, have) : "/", &real);

		if (e && (!have.n ||
			  (err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NOT_A_FILE)))
			return e;
		if (e)
			have = str_dir(have);
	}
	*exists = real;
	buf_puts(&b, strcmp(real, "/") ? real : "");
	rest = str_sub(folder, have.n, folder.n);
	while (str_next_part(&rest, '/', &part)) {
		if (!part.n || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			b.n = str_dir(buf_as_str(&b)).n;
			continue;
		}
		buf_putc(&b, '/');
		buf_put(&b, part);
	}
	*out = b.n ? buf_as_cstr(&b) : "/";
	return NULL;
}

static struct err *place_one(struct arena *a, const char *cwd, struct str path, const char **out,
			     const char **exists)
{
	struct str whole =
		str_starts(path, STR("/")) ? path : str_fmt(a, "%s/%.*s", cwd, STR_ARG(path));
	struct str name = str_base(whole);
	const char *folder;

	if (!name.n || str_is(name, ".") || str_is(name, "..") || str_has_nul(path) ||
	    whole.n >= OS_PATH_MAX)
		return err_new(E_BAD_PATH, "'%.*s' is no path of a file",
			       STR_ARG(str_utf8_head(path, 200)));
	TRY(place_folder(a, str_dir(whole), &folder, exists));
	*out = str_fmt(a, "%s/%.*s", strcmp(folder, "/") ? folder : "", STR_ARG(name)).p;
	return NULL;
}

/* BAD_PATH: the path names no file. */
static struct err *edits_resolve(struct arena *a, const char *cwd, struct str path,
				 struct agent_place *out)
{
	struct str target;

	*out = (struct agent_place){0};
	TRY(place_one(a, cwd, path, &out->name, &out->folder));
	out->target = out->name;
	for (int i = 0; i < LINKS_MAX; i++) {
		TRY(os_stat(out->target, false, &out->st));
		if (out->st.kind != OS_LINK)
			return NULL;
		out->link = true;
		TRY(os_readlink(a, out->target, &target));
		TRY(place_one(a, str_c(a, str_dir(str_of(out->target))), target, &out->target,
			      &out->folder));
	}
	return err_new(E_BAD_PATH, "'%.*s' leads to more than %d links", STR_ARG(path), LINKS_MAX);
}

/* ---- adding an edit ---- */

static struct judge_edit *edits_find(struct agent_repo *r, struct str path)
{
	for (size_t i = 0; i < r->edits.n; i++)
		if (str_eq(r->edits.p[i].path, path))
			return &r->edits.p[i];
	return NULL;
}

/*
 * Files that Git ignores get no decision. The working tree's .gitignore files are the agent's to
 * write, so HEAD's must ignore the file too. What Git tracks, and a decision, is never ignored.
 */
static struct err *edits_is_ignored(struct agent *g, struct agent_repo *r, struct str path,
				    bool *ignored)
{
	struct strs excludes = {0};
	struct tree *head, *index;
	struct tree_file f;
	bool tracked = false;

	TRY(tree_folder_ignores_path(r->disk, path, ignored));
	if (!*ignored)
		return NULL;
	*ignored = false;
	if (knowledge_path_is_in_source(r->conf, path))
		return NULL;
	TRY(git_tree_head(r->git, &head));
	if (head)
		TRY(tree_find(head, path, &f, &tracked));
	/* An index that cannot be read as one, such as in a conflict, may have every file. */
	if (tracked || git_tree_index(r->git, &index))
		return NULL;
	TRY(tree_find(index, path, &f, &tracked));
	if (tracked)
		return NULL;
	*ignored = true;
	if (!head)
		return NULL;
	TRY(git_excludes(r->git, &excludes, &excludes));
	return tree_ignores(g->a, head, &excludes, path, ignored);
}

static struct err *edits_add_name(struct agent *g, const char *path, const char *folder,
				  struct str was, struct str now, uint32_t mode)
{
	struct agent_repo *r;
	struct str inner;
	struct judge_edit *e;
	bool ignored;

	TRY(agent_repo_of_folder(g, folder, &r));
	agent_note_protected_edit(g, r, path, was, now);
	if (!r)
		return NULL;
	inner = agent_path_relative_to(git_top(r->git), path);
	if (!inner.p || !str_is_text(inner) || str_starts(inner, STR(".git/")))
		return NULL;
	/* A file of an earlier edit of the same event is changed further. */
	e = edits_find(r, inner);
	if (e) {
		e->now = now;
		return NULL;
	}
	TRY(edits_is_ignored(g, r, inner, &ignored));
	if (ignored)
		return NULL;
	*VEC_PUSH(g->a, &r->edits) = (struct judge_edit){
		.path = inner, .kind = mode & 0100 ? TREE_EXEC : TREE_FILE, .was = was, .now = now};
	return NULL;
}

/* A link is judged by its target and by its own name, which may be the name of a manifest. */
static struct err *edits_add(struct agent *g, const struct agent_place *p, struct str was,
			     struct str now)
{
	TRY(edits_add_name(g, p->target, p->folder, was, now, p->st.mode));
	return p->link ? edits_add_name(g, p->name, str_parent(g->a, p->name), was, now, p->st.mode)
		       : NULL;
}

struct err *agent_edits_add_file(struct agent *g, struct str path, struct str named, struct str was,
				 struct str now)
{
	struct agent_place p;

	TRY(edits_resolve(g->a, g->cwd, path, &p));
	TRY(edits_add_name(g, p.name, p.folder, was, now, p.st.mode));
	if (!named.n)
		return NULL;
	TRY(edits_resolve(g->a, g->cwd, named, &p));
	if (!strcmp(p.name, str_c(g->a, path)))
		return NULL;
	return edits_add_name(g, p.name, str_parent(g->a, p.name), was, now, p.st.mode);
}

/* The file as it is now, or as an earlier part of the event would leave it. out->p NULL: none. */
static struct err *edits_was(struct agent *g, const char *cwd, struct str path,
			     struct agent_place *p, struct str *out)
{
	struct agent_repo *r;
	struct judge_edit *e;
	struct str inner;

	TRY(edits_resolve(g->a, cwd, path, p));
	*out = (struct str){NULL, 0};
	TRY(agent_repo_of_folder(g, p->folder, &r));
	inner = r ? agent_path_relative_to(git_top(r->git), p->target) : *out;
	e = inner.p ? edits_find(r, inner) : NULL;
	if (e) {
		*out = e->now;
		return NULL;
	}
	if (p->st.kind == OS_NONE)
		return NULL;
	return os_read_path(g->a, p->target, CONTENT_MAX, out);
}

/* ikm judges an edit that it cannot compute by the added text alone. */
static struct err *edits_added(struct agent *g, const struct agent_place *p, struct str removed,
			       struct str added, struct str why)
{
	strs_push(g->a, &g->doubts, why);
	return edits_add(g, p, removed, added);
}

/* ---- replacements ---- */

static size_t edits_count(struct str text, struct str what)
{
	size_t n = 0;

	for (size_t at = str_find(text, what, 0); at != SIZE_MAX && n < 2;
	     at = str_find(text, what, at + what.n))
		n++;
	return n;
}

static struct str edits_swap(struct arena *a, struct str text, struct str old, struct str new)
{
	struct buf b = buf_in(a);
	size_t from = 0, at;

	while ((at = str_find(text, old, from)) != SIZE_MAX) {
		buf_put(&b, str_sub(text, from, at));
		buf_put(&b, new);
		from = at + old.n;
	}
	buf_put(&b, str_sub(text, from, text.n));
	return b.n ? buf_as_str(&b) : STR("");
}

/* Hosts show a file with LF and put its CRLF back. */
static bool edits_replace(struct arena *a, const struct host_replacement *e, struct str *text)
{
	struct str was = *text;
	size_t n;
	bool crlf = false;

	if (!e->old.n && !was.n) {
		*text = e->new;
		return true;
	}
	if (!e->old.n)
		return false;
	n = edits_count(was, e->old);
	if (!n && str_holds(was, "\r\n")) {
		crlf = true;
		was = edits_swap(a, was, STR("\r\n"), STR("\n"));
		n = edits_count(was, e->old);
	}
	if (!n || (n > 1 && !e->all))
		return false;
	was = edits_swap(a, was, e->old, e->new);
	*text = crlf ? edits_swap(a, was, STR("\n"), STR("\r\n")) : was;
	return true;
}

/* ---- patches ---- */

static struct err *edits_patch_file(struct agent *g, const char *cwd,
				    const struct host_patch_file *f)
{
	struct str was, now = {NULL, 0};
	struct agent_place p, to;
	struct err *e;

	TRY(edits_was(g, cwd, f->path, &p, &was));
	if (f->kind == HOST_PATCH_ADD)
		now = f->content.p ? f->content : STR("");
	if (f->kind != HOST_PATCH_UPDATE)
		return edits_add(g, &p, was, now);
	e = host_patch_apply(g->a, f, was, &now);
	if (e || !was.p)
		return edits_added(g, &p, STR(""), host_patch_added(g->a, f),
				   str_fmt(g->a, "the patch does not apply: %s",
					   e ? err_message(e) : "the file is missing"));
	if (!f->move_to.n)
		return edits_add(g, &p, was, now);
	TRY(edits_add(g, &p, was, (struct str){NULL, 0}));
	TRY(edits_was(g, cwd, f->move_to, &to, &was));
	return edits_add(g, &to, was, now);
}

static struct err *edits_patch(struct agent *g, const char *cwd, struct str text)
{
	struct host_patch patch;

	TRY(host_patch_read(g->a, text, &patch));
	for (size_t i = 0; i < patch.n; i++)
		TRY(edits_patch_file(g, cwd, &patch.p[i]));
	return NULL;
}

/* ---- notebooks ---- */

/* The cell by its id; "cell-N" is the place of one without. NULL: none. */
static struct val *notebook_cell(struct val *cells, struct str id)
{
	int64_t at = -1, i = 0;

	if (str_starts(id, STR("cell-")) && !str_int(str_sub(id, 5, id.n), &at))
		at = -1;
	VAL_EACH(cells, cell) {
		if (str_eq(val_get_str(cell, "id"), id) || i++ == at)
			return cell;
	}
	return NULL;
}

static void notebook_set_source(struct arena *a, struct val *cell, struct str text)
{
	struct val *source = val_get(cell, "source");

	if (!source)
		source = val_set(a, cell, "source", val_str(a, text));
	source->type = VAL_STR;
	source->s = text;
	source->first = source->last = NULL;
	source->n = 0;
}

static bool notebook_edit(struct arena *a, const struct host_event *e, struct str was,
			  struct str *now)
{
	bool insert = str_is(e->cell_mode, "insert"), gone = str_is(e->cell_mode, "delete");
	struct val *v, *cells, *cell;
	struct buf b = buf_in(a);

	if (json_read(a, was, &(struct json_limits){.halves = true}, &v))
		return false;
	cells = val_get(v, "cells");
	if (!cells || cells->type != VAL_LIST)
		return false;
	cell = e->cell.n ? notebook_cell(cells, e->cell) : NULL;
	if (!cell && (e->cell.n || !insert))
		return false;
	if (insert || gone) {
		struct val all = *cells, *next;

		/* The list without the cell; or with a new one behind it. */
		cells->first = cells->last = NULL;
		cells->n = 0;
		if (insert && !cell) {
			next = val_add(cells, val_map(a));
			notebook_set_source(a, next, e->content);
		}
		for (struct val *c = all.first; c; c = next) {
			next = c->next;
			c->next = NULL;
			if (insert || c != cell)
				val_add(cells, c);
			if (insert && c == cell)
				notebook_set_source(a, val_add(cells, val_map(a)), e->content);
		}
	} else {
		notebook_set_source(a, cell, e->content);
	}
	json_write(&b, v, 1);
	*now = buf_as_str(&b);
	return true;
}

/* ---- shell commands ---- */

/* The folder that a path names from another; an empty path names that one. */
static const char *edits_folder(struct arena *a, const char *from, struct str path)
{
	if (!path.n)
		return from;
	return path.p[0] == '/' ? str_c(a, path) : os_join(a, from, str_c(a, path));
}

/* Packages are judged by the rules of the folder in which the command runs. */
static struct err *edits_shell(struct agent *g, struct str *skips)
{
	struct str patch_cwd, patch;
	struct agent_shell shell;
	struct agent_repo *r;

	if (host_patch_in_command(g->e.command, &patch_cwd, &patch))
		return edits_patch(g, edits_folder(g->a, g->cwd, patch_cwd), patch);
	agent_shell_command_parse(g->a, g->e.command, &shell);
	*skips = shell.skips;
	if (!shell.deps.n)
		return NULL;
	TRY(agent_repo_of_folder(g, edits_folder(g->a, g->cwd, g->e.path), &r));
	if (r) {
		r->edits.deps = shell.deps.p;
		r->edits.deps_n = shell.deps.n;
	}
	return NULL;
}

/* ---- all kinds ---- */

struct err *agent_edits_collect(struct agent *g, struct str *skips)
{
	struct host_event *e = &g->e;
	struct str was, now = {NULL, 0};
	struct agent_place p;

	switch (e->kind) {
	case HOST_WRITE:
	case HOST_DELETE:
		if (!e->path.n)
			return NULL;
		if (e->kind == HOST_WRITE)
			now = e->content.p ? e->content : STR("");
		TRY(edits_was(g, g->cwd, e->path, &p, &was));
		return edits_add(g, &p, was, now);
	case HOST_EDIT:
	case HOST_MULTI_EDIT:
		for (size_t i = 0; i < e->edits.n; i++) {
			const struct host_replacement *one = &e->edits.p[i];
			struct str path = one->path.n ? one->path : e->path;

			if (!path.n)
				continue;
			TRY(edits_was(g, g->cwd, path, &p, &was));
			now = was;
			TRY(edits_replace(g->a, one, &now)
				    ? edits_add(g, &p, was, now)
				    : edits_added(g, &p, one->old, one->new,
						  str_fmt(g->a,
							  "the text to replace is not exactly once "
							  "in '%s'",
							  p.target)));
		}
		return NULL;
	case HOST_NOTEBOOK:
		if (!e->path.n)
			return NULL;
		TRY(edits_was(g, g->cwd, e->path, &p, &was));
		return notebook_edit(g->a, e, was, &now)
			       ? edits_add(g, &p, was, now)
			       : edits_added(g, &p, STR(""), e->content,
					     str_fmt(g->a, "'%s' has no such cell", p.target));
	case HOST_PATCH: return e->patch.n ? edits_patch(g, g->cwd, e->patch) : NULL;
	case HOST_SHELL: return edits_shell(g, skips);
	case HOST_SERVER:
	case HOST_ANY_TOOL: break;
	}
	return NULL;
}
