/*
 * The history of one file. It follows renames separately on each line of descent. So a rename on
 * one branch does not hide changes on another branch. (git log --follow uses one name for all
 * branches.)
 */
#include "git/internal.h"
#include "os/os.h"

struct state {
	bool present;
	enum tree_kind kind;
	unsigned char id[ID_MAX];
};

struct visit {
	unsigned char id[ID_MAX];
	int64_t time;
	struct str path;
	struct state state; /* of the file in that commit */
};

struct history {
	struct git *g;
	struct arena *a; /* for the walk; the caller's arena holds only the result */
	struct {
		struct visit *p;
		size_t n, cap;
	} heap;           /* newest first */
	struct str *seen; /* hashes of id and path of every visit, and of the id of every result */
	size_t seen_n, seen_cap;
	struct strs shallow; /* commits whose parents are missing (shallow clone) */
};

/* ---- which commit comes next ---- */

static bool newer(const struct visit *x, const struct visit *y)
{
	return x->time > y->time;
}

static void log_swap(struct visit *x, struct visit *y)
{
	struct visit t = *x;

	*x = *y;
	*y = t;
}

static void heap_push(struct history *h, struct visit v)
{
	size_t i = h->heap.n;

	*VEC_PUSH(h->a, &h->heap) = v;
	for (; i && newer(&h->heap.p[i], &h->heap.p[(i - 1) / 2]); i = (i - 1) / 2)
		log_swap(&h->heap.p[i], &h->heap.p[(i - 1) / 2]);
}

static struct visit heap_pop(struct history *h)
{
	struct visit top = h->heap.p[0], *p = h->heap.p;
	size_t n = --h->heap.n, i = 0;

	p[0] = p[n];
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < n && newer(&p[child + 1], &p[child]))
			child++;
		if (child >= n || !newer(&p[child], &p[i]))
			return top;
		log_swap(&p[child], &p[i]);
		i = child;
	}
}

static struct str *seen_slot(struct str *table, size_t cap, struct str key)
{
	size_t i = str_hash(key) & (cap - 1);

	while (table[i].p && !str_eq(table[i], key))
		i = (i + 1) & (cap - 1);
	return &table[i];
}

static bool first_visit(struct history *h, const struct visit *v)
{
	struct buf key = buf_in(h->a);
	struct str *slot;

	buf_put(&key, (struct str){(const char *)v->id, h->g->id_len});
	buf_put(&key, v->path);
	if (2 * h->seen_n >= h->seen_cap) {
		size_t cap = h->seen_cap ? 2 * h->seen_cap : 256;
		struct str *table = arena_array(h->a, cap, sizeof(*table));

		for (size_t i = 0; i < h->seen_cap; i++)
			if (h->seen[i].p)
				*seen_slot(table, cap, h->seen[i]) = h->seen[i];
		h->seen = table;
		h->seen_cap = cap;
	}
	slot = seen_slot(h->seen, h->seen_cap, buf_str(&key));
	if (slot->p)
		return false;
	*slot = buf_str(&key);
	h->seen_n++;
	return true;
}

/* ---- one commit ---- */

static struct err *log_read_state(struct history *h, const unsigned char *tree, struct str path,
				  struct state *out)
{
	struct arena *scratch = arena_new();
	struct item i;
	struct err *e = object_at(h->g, scratch, tree, path, &i, &out->present);

	if (!e && out->present) {
		out->kind = i.kind;
		memcpy(out->id, i.id, h->g->id_len);
	}
	arena_free(scratch);
	return e;
}

static bool same_state(struct history *h, const struct state *x, const struct state *y)
{
	if (!x->present || !y->present)
		return x->present == y->present;
	return x->kind == y->kind && id_eq(x->id, y->id, h->g->id_len);
}

/* The file's name in the parent if the commit renamed it; otherwise the same name. */
static struct err *name_before(struct history *h, const struct commit *parent,
			       const struct commit *now, struct str *path)
{
	struct git *g = h->g;
	struct tree *old = commit_tree_new(g, parent->tree, STR("the parent"));
	struct tree *new = commit_tree_new(g, now->tree, STR("the commit"));
	struct tree_changes changes = {0};

	TRY(tree_diff(h->a, old, new, &changes));
	TRY(tree_find_renames(h->a, old, new, 0, &changes));
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.p[i];

		if (c->renamed && str_eq(c->new.path, *path)) {
			*path = c->old.path;
			return NULL;
		}
	}
	return NULL;
}

static bool is_shallow(struct history *h, const unsigned char *id)
{
	char hex[HEX_MAX];

	return h->shallow.n && strs_has(&h->shallow, str_of(id_hex(id, h->g->id_len, hex)));
}

/* Frees the memory of each commit: there may be a million. */
struct parent {
	struct commit c;
	struct visit v;
};

static struct err *read_parent(struct history *h, struct arena *a, const struct commit *now,
			       size_t i, const struct visit *from, struct parent *p)
{
	*p = (struct parent){.v.path = from->path};
	memcpy(p->v.id, now->parents + i * h->g->id_len, h->g->id_len);
	TRY(commit_read(h->g, a, p->v.id, &p->c));
	p->v.time = p->c.committed;
	if (id_eq(p->c.tree, now->tree, h->g->id_len)) {
		p->v.state = from->state;
		return NULL;
	}
	return log_read_state(h, p->c.tree, from->path, &p->v.state);
}

/* *changed: the commit differs from every parent. Queues the parents that continue the history. */
static struct err *log_visit(struct history *h, struct arena *a, const struct visit *v,
			     struct commit *c, bool *changed)
{
	struct parent *parents;

	TRY(commit_read(h->g, a, v->id, c));
	if (is_shallow(h, v->id))
		c->parents_n = 0;
	parents = arena_array(a, c->parents_n, sizeof(*parents));
	*changed = c->parents_n ? true : v->state.present;
	for (size_t i = 0; i < c->parents_n; i++) {
		TRY(read_parent(h, a, c, i, v, &parents[i]));
		if (!same_state(h, &parents[i].v.state, &v->state))
			continue;
		/* A merge that took this parent's version: the other parents do not matter. */
		*changed = false;
		if (first_visit(h, &parents[i].v))
			heap_push(h, parents[i].v);
		return NULL;
	}
	for (size_t i = 0; i < c->parents_n; i++) {
		struct parent *p = &parents[i];

		if (v->state.present && !p->v.state.present) {
			TRY(name_before(h, &p->c, c, &p->v.path));
			TRY(log_read_state(h, p->c.tree, p->v.path, &p->v.state));
		}
		if (first_visit(h, &p->v))
			heap_push(h, p->v);
	}
	return NULL;
}

static void log_add_commit(struct arena *a, struct history *h, const struct visit *v,
			   const struct commit *c, struct git_log *out)
{
	struct visit once = *v;
	struct git_commit *to;
	char hex[HEX_MAX];
	struct str id = str_of(id_hex(v->id, h->g->id_len, hex));

	/* The walk may reach it again under another name. */
	once.path = STR("");
	if (!first_visit(h, &once))
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

static struct err *read_shallow(struct history *h)
{
	const char *file = os_join(h->a, h->g->common, "shallow");
	struct os_stat st;
	struct str text, line;

	TRY(os_stat(file, true, &st));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(os_read(h->a, file, CONFIG_MAX, &text));
	while (str_line(&text, &line))
		strs_push(h->a, &h->shallow, line);
	return NULL;
}

static struct err *log_walk(struct history *h, struct arena *a, const unsigned char *id,
			    struct str path, size_t max, struct git_log *out)
{
	struct visit first = {.path = path};
	struct commit c;

	TRY(read_shallow(h));
	memcpy(first.id, id, h->g->id_len);
	TRY(commit_read(h->g, h->a, id, &c));
	TRY(log_read_state(h, c.tree, path, &first.state));
	first.time = c.committed;
	heap_push(h, first);
	while (h->heap.n && (!max || out->n < max)) {
		struct visit v = heap_pop(h);
		struct arena *scratch = arena_new();
		bool changed = false;
		struct err *e = log_visit(h, scratch, &v, &c, &changed);

		if (!e && changed)
			log_add_commit(a, h, &v, &c, out);
		arena_free(scratch);
		if (e)
			return e;
	}
	return NULL;
}

struct err *git_file_log(struct git *g, struct arena *a, const char *rev, struct str path,
			 size_t max, struct git_log *out)
{
	struct history h = {.g = g};
	unsigned char id[ID_MAX];
	enum object_type type;
	struct err *e;

	TRY(rev_resolve(g, rev, id, &type));
	if (type != OBJECT_COMMIT)
		return err_new(E_BAD_REVISION, "'%s' in '%s' is no commit", rev, g->dir);
	h.a = arena_new();
	e = log_walk(&h, a, id, path, max, out);
	arena_free(h.a);
	return e ? err_in(e, "history of '%.*s'", STR_ARG(path)) : NULL;
}
