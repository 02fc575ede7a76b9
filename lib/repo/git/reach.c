/* Whether HEAD leads to given commits: one walk from HEAD for all of them. */
#include "crypt/crypt.h"
#include "git/commit_paths.h"
#include "git/walk.h"
#include "os/os.h"

/*
 * Where clocks differ, a commit may be dated before its parent. The walk goes on this long behind
 * the oldest commit that it looks for.
 */
#define SKEW_S ((int64_t)24 * 60 * 60)

struct reach {
	struct walk w;
	struct git_sought *sought;
	unsigned char *ids; /* id_len bytes for each of them */
	bool *missing;      /* which of them are in no object store */
	size_t n, left, most, read;
	int64_t oldest;
	bool edge; /* the walk met the edge of a shallow clone, or its limit */
};

static struct str reach_change(struct arena *a, const struct commit *c)
{
	struct str text = str_fmt(a, "%.*s\n%.*s\n%jd\n%.*s", STR_ARG(c->author), STR_ARG(c->email),
				  (intmax_t)c->time, STR_ARG(c->message));

	return str_fmt(a, "%016jx", (uintmax_t)crypt_short_hash('c', text));
}

struct err *git_head(struct git *g, struct arena *a, struct git_head *out)
{
	const struct str heads = STR("refs/heads/");
	struct head h;
	struct commit c;
	struct str name;
	char hex[HEX_MAX];

	*out = (struct git_head){.commit = STR(""), .branch = STR(""), .change = STR("")};
	TRY(head_read(g, a, &h));
	name = str_of(h.name);
	if (str_starts(name, heads))
		out->branch = str_dup(a, str_sub(name, heads.n, name.n));
	if (h.unborn)
		return NULL;
	TRY(commit_read(g, a, h.id, &c));
	out->commit = str_dup(a, str_of(id_hex(h.id, g->id_len, hex)));
	out->change = reach_change(a, &c);
	return NULL;
}

/* The time of a sought commit bounds the walk. A pruned commit has the time of its memory. */
static struct err *reach_begin(struct reach *r)
{
	struct git *g = r->w.g;

	r->oldest = INT64_MAX;
	for (size_t i = 0; i < r->n; i++) {
		struct git_sought *s = &r->sought[i];
		unsigned char *id = r->ids + i * g->id_len;
		int64_t time = s->made / 1000;
		struct commit c;
		struct err *e;

		s->reach = GIT_NOT_REACHED;
		r->missing[i] = true;
		if (!id_parse(s->commit, id, g->id_len))
			continue;
		e = commit_read(g, r->w.a, id, &c);
		if (!e)
			time = c.committed < time ? c.committed : time;
		else if (err_reason(e) != E_NO_SUCH_OBJECT)
			return e;
		r->missing[i] = e != NULL;
		r->left++;
		if (time < r->oldest)
			r->oldest = time;
	}
	return NULL;
}

static void reach_found(struct reach *r, const struct walk_visit *v)
{
	const size_t len = r->w.g->id_len;

	for (size_t i = 0; i < r->n; i++) {
		struct git_sought *s = &r->sought[i];

		if (s->reach == GIT_REACHED)
			continue;
		if (id_eq(v->id, r->ids + i * len, len)) {
			r->left -= s->reach != GIT_REWRITTEN;
			s->reach = GIT_REACHED;
		} else if (s->reach != GIT_REWRITTEN && str_eq(s->change, v->change)) {
			r->left--;
			s->reach = GIT_REWRITTEN;
		}
	}
}

/* A parent's time is known when it was read, so it is queued with its own time. */
static struct err *reach_push(struct reach *r, struct arena *a, const unsigned char *id)
{
	struct walk_visit v = {.path = STR("")};
	struct commit c;

	memcpy(v.id, id, r->w.g->id_len);
	if (!walk_is_first_visit(&r->w, &v))
		return NULL;
	TRY(commit_read(r->w.g, a, id, &c));
	v.time = c.committed;
	v.parents = str_dup(r->w.a,
			    (struct str){(const char *)c.parents, c.parents_n * r->w.g->id_len});
	v.change = str_dup(r->w.a, reach_change(a, &c));
	walk_push_commit(&r->w, v);
	return NULL;
}

static struct err *reach_walk(struct reach *r)
{
	while (r->left && r->w.heap.n) {
		struct arena *a ARENA_LOCAL = NULL;
		struct walk_visit v = walk_pop(&r->w);

		if (v.time < r->oldest - SKEW_S)
			return NULL;
		if (r->read == r->most) {
			r->edge = true;
			break;
		}
		r->read++;
		reach_found(r, &v);
		if (!r->left)
			break;
		if (walk_is_shallow(&r->w, v.id)) {
			r->edge = true;
			continue;
		}
		a = arena_new();
		for (size_t at = 0; at < v.parents.n; at += r->w.g->id_len)
			TRY(reach_push(r, a, (const unsigned char *)v.parents.p + at));
	}
	for (size_t i = 0; i < r->n && r->edge; i++)
		if (r->sought[i].reach == GIT_NOT_REACHED)
			r->sought[i].reach = GIT_REACH_CUT;
	return NULL;
}

/* ---- further back ---- */

/*
 * libgit2 1.5 cannot read the commit-graph that git writes since 2.36, so git itself looks there.
 * LISTED: commits that HEAD does not lead to; an orphan branch has many.
 */
#define LISTED ((size_t)5000)

static bool reach_is_open(const struct reach *r, size_t i)
{
	return r->sought[i].reach == GIT_REACH_CUT && !r->missing[i];
}

/* A commit that git does not list is an ancestor of HEAD. */
static struct err *reach_further(struct reach *r)
{
	static const char *const files[] = {"info/commit-graph",
					    "info/commit-graphs/commit-graph-chain"};
	struct arena *a = r->w.a;
	const char **args = arena_array(a, r->n + 4, sizeof(*args));
	struct strs listed = {0};
	struct str text, line;
	size_t n = 0;
	struct os_stat st;
	bool graph = false;

	for (size_t i = 0; i < ARRAY_SIZE(files) && r->w.g->objects.n && !graph; i++) {
		TRY(os_stat(os_join(a, str_c(a, r->w.g->objects.p[0]), files[i]), true, &st));
		graph = st.kind == OS_FILE;
	}
	if (!graph)
		return NULL;
	args[n++] = "rev-list";
	args[n++] = str_c(a, str_fmt(a, "--max-count=%zu", LISTED));
	args[n++] = "^HEAD";
	for (size_t i = 0; i < r->n; i++)
		if (reach_is_open(r, i))
			args[n++] = str_c(a, r->sought[i].commit);
	if (n == 3)
		return NULL;
	TRY(git_run(r->w.g, a, args, STR(""), &text));
	while (str_next_line(&text, &line))
		strs_push(a, &listed, line);
	for (size_t i = 0; i < r->n && listed.n < LISTED; i++)
		if (reach_is_open(r, i) && !strs_has(&listed, r->sought[i].commit))
			r->sought[i].reach = GIT_REACHED;
	return NULL;
}

struct err *git_commits_are_reachable(struct git *g, struct git_sought *sought, size_t n,
				      size_t most, size_t *read)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct reach r = {.w = {.g = g, .a = scratch},
			  .sought = sought,
			  .ids = arena_array(scratch, n, ID_MAX),
			  .missing = arena_array(scratch, n, sizeof(bool)),
			  .n = n,
			  .most = most};
	struct head h;

	*read = 0;
	TRY(head_read(g, scratch, &h));
	TRY(git_shallow_commits(r.w.g, r.w.a, &r.w.shallow));
	TRY(reach_begin(&r));
	if (!r.left || h.unborn)
		return NULL;
	TRY(reach_push(&r, scratch, h.id));
	TRY(reach_walk(&r));
	*read = r.read;
	/* No graph tells about what a shallow clone lacks. */
	return r.edge && !r.w.shallow.n ? reach_further(&r) : NULL;
}
