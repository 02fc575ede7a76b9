/* The content of each file as an event would leave it. */
#include "agent/internal.h"
#include "json/json.h"
#include "knowledge/load.h"

#define CONTENT_MAX ((size_t)64 << 20)

/* ---- adding an edit ---- */

static struct judge_edit *edits_find(struct agent_repo *r, struct str path)
{
	for (size_t i = 0; i < r->edits.n; i++)
		if (str_eq(r->edits.p[i].path, path))
			return &r->edits.p[i];
	return NULL;
}

/* An index that cannot be read as one, such as in a conflict, may have every file. */
static struct err *edits_is_tracked(struct agent_repo *r, struct tree *head, struct str path,
				    bool *tracked)
{
	struct tree_file f;
	struct tree *index;
	struct err *e;

	*tracked = false;
	if (head)
		TRY(tree_find(head, path, &f, tracked));
	if (*tracked)
		return NULL;
	e = git_tree_index(r->git, &index);
	*tracked = true;
	return e ? NULL : tree_find(index, path, &f, tracked);
}

/*
 * Files that Git ignores get no decision. The working tree's .gitignore files are the agent's to
 * write, so HEAD's must ignore the file too. What Git tracks, and a decision, is never ignored.
 */
static struct err *edits_is_ignored(struct agent *g, struct agent_repo *r, struct str path,
				    bool *ignored)
{
	struct strs excludes = {0};
	struct tree *head;
	bool tracked;

	TRY(tree_folder_ignores_path(r->disk, path, ignored));
	if (!*ignored)
		return NULL;
	*ignored = false;
	if (knowledge_path_is_in_source(r->conf, path))
		return NULL;
	TRY(git_tree_head(r->git, &head));
	TRY(edits_is_tracked(r, head, path, &tracked));
	if (tracked)
		return NULL;
	*ignored = true;
	if (!head)
		return NULL;
	TRY(git_excludes(r->git, &excludes, &excludes));
	return tree_ignores(g->a, head, &excludes, path, ignored);
}

/* A file of an earlier edit of the same event is changed further. */
static struct err *edits_add_at(struct agent *g, struct agent_repo *r, struct str path,
				struct str was, struct str now, uint32_t mode)
{
	struct judge_edit *e = edits_find(r, path);
	bool ignored;

	if (e) {
		e->now = now;
		return NULL;
	}
	TRY(edits_is_ignored(g, r, path, &ignored));
	if (ignored)
		return NULL;
	*VEC_PUSH(g->a, &r->edits) = (struct judge_edit){
		.path = path, .kind = mode & 0100 ? TREE_EXEC : TREE_FILE, .was = was, .now = now};
	return NULL;
}

static struct err *edits_add_name(struct agent *g, const char *path, const char *folder,
				  struct str was, struct str now, uint32_t mode)
{
	struct agent_repo *r;
	struct str inner;

	TRY(agent_repo_of_folder(g, folder, &r));
	agent_note_protected_edit(g, r, path, was, now);
	if (!r)
		return NULL;
	inner = agent_path_relative_to(git_top(r->git), path);
	if (!inner.p || !str_is_text(inner) || str_starts(inner, STR(".git/")))
		return NULL;
	return edits_add_at(g, r, inner, was, now, mode);
}

/* A link is judged by its target and by its own name, which may be the name of a manifest. */
static struct err *edits_add(struct agent *g, const struct agent_place *p, struct str was,
			     struct str now)
{
	size_t slash = str_rfind_char(str_of(p->name), '/');
	const char *folder = str_c(g->a, str_sub(str_of(p->name), 0, size_max(slash, 1)));

	TRY(edits_add_name(g, p->target, p->folder, was, now, p->st.mode));
	return p->link ? edits_add_name(g, p->name, folder, was, now, p->st.mode) : NULL;
}

struct err *agent_edits_add_file(struct agent *g, struct str path, struct str named, struct str was,
				 struct str now)
{
	struct agent_place p;
	size_t slash;

	TRY(agent_path_resolve(g->a, g->cwd, path, &p));
	TRY(edits_add_name(g, p.name, p.folder, was, now, p.st.mode));
	if (!named.n)
		return NULL;
	TRY(agent_path_resolve(g->a, g->cwd, named, &p));
	if (!strcmp(p.name, str_c(g->a, path)))
		return NULL;
	slash = str_rfind_char(str_of(p.name), '/');
	return edits_add_name(g, p.name,
			      str_c(g->a, str_sub(str_of(p.name), 0, size_max(slash, 1))), was, now,
			      p.st.mode);
}

/* The file as it is now, or as an earlier part of the event would leave it. p NULL: none. */
static struct err *edits_was(struct agent *g, const struct agent_place *p, struct str *out)
{
	struct agent_repo *r;
	struct judge_edit *e;
	struct str inner;

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
	TRY(os_read_path(g->a, p->target, CONTENT_MAX, out));
	if (!out->p)
		*out = STR("");
	return NULL;
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

static struct err *edits_replacement(struct agent *g, const struct host_replacement *e,
				     struct str path)
{
	struct agent_place p;
	struct str was, now;

	TRY(agent_path_resolve(g->a, g->cwd, path, &p));
	TRY(edits_was(g, &p, &was));
	now = was;
	if (!edits_replace(g->a, e, &now))
		return edits_added(
			g, &p, e->old, e->new,
			str_fmt(g->a, "the text to replace is not exactly once in '%s'", p.target));
	return edits_add(g, &p, was, now);
}

/* ---- patches ---- */

static struct err *edits_patch_file(struct agent *g, const char *cwd,
				    const struct host_patch_file *f)
{
	struct str was, now = {NULL, 0};
	struct agent_place p, to;
	struct err *e;

	TRY(agent_path_resolve(g->a, cwd, f->path, &p));
	TRY(edits_was(g, &p, &was));
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
	TRY(agent_path_resolve(g->a, cwd, f->move_to, &to));
	TRY(edits_add(g, &p, was, (struct str){NULL, 0}));
	TRY(edits_was(g, &to, &was));
	return edits_add(g, &to, was, now);
}

struct err *agent_edits_add_patch(struct agent *g, const char *cwd, struct str text)
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

/* The list without the cell; or with a new one behind it. */
static void notebook_splice(struct arena *a, struct val *cells, struct val *at, bool insert,
			    struct str text)
{
	struct val all = *cells, *next;

	cells->first = cells->last = NULL;
	cells->n = 0;
	if (insert && !at) {
		next = val_add(cells, val_map(a));
		notebook_set_source(a, next, text);
	}
	for (struct val *cell = all.first; cell; cell = next) {
		next = cell->next;
		cell->next = NULL;
		if (insert || cell != at)
			val_add(cells, cell);
		if (insert && cell == at)
			notebook_set_source(a, val_add(cells, val_map(a)), text);
	}
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
	if (insert || gone)
		notebook_splice(a, cells, cell, insert, e->content);
	else
		notebook_set_source(a, cell, e->content);
	json_write(&b, v, 1);
	*now = buf_as_str(&b);
	return true;
}

static struct err *edits_notebook(struct agent *g)
{
	struct agent_place p;
	struct str was, now;

	TRY(agent_path_resolve(g->a, g->cwd, g->e.path, &p));
	TRY(edits_was(g, &p, &was));
	if (!notebook_edit(g->a, &g->e, was, &now))
		return edits_added(g, &p, STR(""), g->e.content,
				   str_fmt(g->a, "'%s' has no such cell", p.target));
	return edits_add(g, &p, was, now);
}

/* ---- all kinds ---- */

static struct err *edits_whole(struct agent *g)
{
	struct str now = g->e.kind == HOST_DELETE ? (struct str){NULL, 0}
			 : g->e.content.p         ? g->e.content
						  : STR("");
	struct agent_place p;
	struct str was;

	TRY(agent_path_resolve(g->a, g->cwd, g->e.path, &p));
	TRY(edits_was(g, &p, &was));
	return edits_add(g, &p, was, now);
}

struct err *agent_edits_collect(struct agent *g)
{
	struct host_event *e = &g->e;

	switch (e->kind) {
	case HOST_WRITE:
	case HOST_DELETE: return e->path.n ? edits_whole(g) : NULL;
	case HOST_EDIT:
	case HOST_MULTI_EDIT:
		for (size_t i = 0; i < e->edits.n; i++) {
			struct str path = e->edits.p[i].path.n ? e->edits.p[i].path : e->path;

			if (path.n)
				TRY(edits_replacement(g, &e->edits.p[i], path));
		}
		return NULL;
	case HOST_NOTEBOOK: return e->path.n ? edits_notebook(g) : NULL;
	case HOST_PATCH: return e->patch.n ? agent_edits_add_patch(g, g->cwd, e->patch) : NULL;
	case HOST_SHELL:
	case HOST_SERVER:
	case HOST_ANY_TOOL: break;
	}
	return NULL;
}
