/*
 * The history of one file. It follows renames separately on each line of descent. So a rename on
 * one branch does not hide changes on another branch. (git log --follow uses one name for all
 * branches.)
 */
#include "git/walk.h"

/* ---- one commit ---- */

static struct err *changes_with_renames(struct git *g, struct arena *a, const struct commit *parent,
					const struct commit *now, struct tree_changes *changes)
{
	struct tree *old = commit_tree_new(g, parent->tree, STR("the parent"));
	struct tree *new = commit_tree_new(g, now->tree, STR("the commit"));

	TRY(tree_diff(a, old, new, changes));
	return tree_find_renames(old, new, 0, changes);
}

/* Frees the memory of each commit: there may be a million. */
struct parent {
	struct commit c;
	struct walk_visit v;
};

static struct err *read_parent(struct walk *h, struct arena *a, const struct commit *now, size_t i,
			       const struct walk_visit *from, struct parent *p)
{
	*p = (struct parent){.v.path = from->path};
	memcpy(p->v.id, now->parents + i * h->g->id_len, h->g->id_len);
	TRY(commit_read(h->g, a, p->v.id, &p->c));
	p->v.time = p->c.committed;
	if (id_eq(p->c.tree, now->tree, h->g->id_len)) {
		p->v.state = from->state;
		return NULL;
	}
	return tree_read_entry_state(h->g, a, p->c.tree, from->path, &p->v.state);
}

/* *changed: the commit differs from every parent. Queues the parents that continue the history. */
static struct err *log_visit(struct walk *h, struct arena *a, const struct walk_visit *v,
			     struct commit *c, bool *changed)
{
	struct parent *parents;

	TRY(commit_read(h->g, a, v->id, c));
	if (walk_is_shallow(h, v->id))
		c->parents_n = 0;
	parents = arena_array(a, c->parents_n, sizeof(*parents));
	*changed = c->parents_n ? true : v->state.there;
	for (size_t i = 0; i < c->parents_n; i++) {
		TRY(read_parent(h, a, c, i, v, &parents[i]));
		if (!entry_same(h->g, &parents[i].v.state, &v->state))
			continue;
		/* A merge that took this parent's version: the other parents do not matter. */
		*changed = false;
		if (walk_is_first_visit(h, &parents[i].v))
			walk_push_commit(h, parents[i].v);
		return NULL;
	}
	for (size_t i = 0; i < c->parents_n; i++) {
		struct parent *p = &parents[i];

		if (v->state.there && !p->v.state.there) {
			struct tree_changes changes = {0};

			/* Its name in the parent if the commit renamed it; else the same name. */
			TRY(changes_with_renames(h->g, h->a, &p->c, c, &changes));
			VEC_EACH(const struct tree_change, one, &changes)
				if (one->renamed && str_eq(one->new.path, p->v.path)) {
					p->v.path = one->old.path;
					break;
				}
			TRY(tree_read_entry_state(h->g, a, p->c.tree, p->v.path, &p->v.state));
		}
		if (walk_is_first_visit(h, &p->v))
			walk_push_commit(h, p->v);
	}
	return NULL;
}

static void log_add_commit(struct arena *a, struct walk *h, const struct walk_visit *v,
			   const struct commit *c, struct git_log *out)
{
	struct walk_visit once = *v;
	struct git_commit *to;
	char hex[HEX_MAX];
	struct str id = str_of(id_hex(v->id, h->g->id_len, hex));

	/* The walk may reach it again under another name. */
	once.path = STR("");
	if (!walk_is_first_visit(h, &once))
		return;
	to = VEC_PUSH(a, out);
	*to = (struct git_commit){.id = str_dup(a, id),
				  .author = str_dup(a, c->author),
				  .email = str_dup(a, c->email),
				  .message = str_dup(a, c->message),
				  .time = c->time > INT64_MAX / 1000 || c->time < INT64_MIN / 1000
						  ? 0
						  : c->time * 1000,
				  .path = str_dup(a, v->path)};
}

/* The time of the commit that the log need not go behind; INT64_MIN: none. */
static struct err *log_oldest(struct walk *h, const char *since, int64_t *out)
{
	unsigned char id[ID_MAX];
	struct commit c;
	struct err *e;

	*out = INT64_MIN;
	if (!since || !id_parse(str_of(since), id, h->g->id_len))
		return NULL;
	e = commit_read(h->g, h->a, id, &c);
	/* It was rewritten, or a shallow clone lacks it. Then the number of commits is the bound.
	 */
	if (e && err_reason(e) == E_NO_SUCH_OBJECT)
		return NULL;
	TRY(e);
	*out = c.committed;
	return NULL;
}

static struct err *log_walk(struct walk *h, struct arena *a, const unsigned char *id,
			    const struct git_log_ask *q, struct git_log *out)
{
	struct walk_visit first = {.path = q->path};
	int64_t oldest;
	struct commit c;

	TRY(git_shallow_commits(h->g, h->a, &h->shallow));
	memcpy(first.id, id, h->g->id_len);
	TRY(commit_read(h->g, h->a, id, &c));
	TRY(log_oldest(h, q->since, &oldest));
	TRY(tree_read_entry_state(h->g, h->a, c.tree, q->path, &first.state));
	first.time = c.committed;
	walk_push_commit(h, first);
	while (h->heap.n && (!q->max || out->n < q->max)) {
		struct walk_visit v = walk_pop(h);
		struct arena *scratch ARENA_LOCAL = NULL;
		bool changed = false, edge = q->most && walk_is_shallow(h, v.id);

		if (v.time < oldest)
			break;
		/* A shallow clone does not tell whether its oldest commit changed the file. */
		out->cut = edge || (q->most && out->read == q->most);
		if (out->cut)
			break;
		out->read++;
		scratch = arena_new();
		TRY(log_visit(h, scratch, &v, &c, &changed));
		if (changed)
			log_add_commit(a, h, &v, &c, out);
	}
	return NULL;
}

struct err *git_file_log_limited(struct git *g, struct arena *a, const struct git_log_ask *q,
				 struct git_log *out)
{
	struct walk h = {.g = g};
	unsigned char id[ID_MAX];
	enum object_type type;
	struct err *e;

	TRY(rev_resolve(g, q->rev, id, &type));
	if (type != OBJECT_COMMIT)
		return err_new(E_BAD_REVISION, "'%s' in '%s' is no commit", q->rev, g->dir);
	h.a = arena_new();
	e = log_walk(&h, a, id, q, out);
	arena_free(h.a);
	return e ? err_add_context(e, "history of '%.*s'", STR_ARG(q->path)) : NULL;
}

struct err *git_file_log(struct git *g, struct arena *a, const char *rev, struct str path,
			 size_t max, struct git_log *out)
{
	const struct git_log_ask q = {.rev = rev, .path = path, .max = max};

	return git_file_log_limited(g, a, &q, out);
}

struct err *git_file_renamed_to(struct git *g, struct arena *a, const char *commit, struct str path,
				struct str *out)
{
	unsigned char id[ID_MAX];
	struct commit now, parent;
	struct tree_changes changes = {0};

	*out = STR("");
	if (!id_parse(str_of(commit), id, g->id_len))
		BUG("'%s' is no commit's id", commit);
	TRY(commit_read(g, a, id, &now));
	if (!now.parents_n)
		return NULL;
	TRY(commit_read(g, a, now.parents, &parent));
	TRY(changes_with_renames(g, a, &parent, &now, &changes));
	for (size_t i = 0; i < changes.n; i++)
		if (changes.p[i].renamed && str_eq(changes.p[i].old.path, path))
			*out = str_dup(a, changes.p[i].new.path);
	return NULL;
}
