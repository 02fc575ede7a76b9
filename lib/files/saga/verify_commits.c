/* Compares the record with the commits and the history copies of the garden. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "os/os.h"

const char *const saga_doubts[] = {SAGA_DOUBTS(ENUM_NAME) NULL};

struct named {
	struct str event, commit;
};
struct touched {
	struct str path;
	size_t i; /* of the event */
};
struct prove {
	struct saga *s;
	struct arena *a;
	struct saga_proof *out;
	struct event_list events;       /* those that say that they are committed, oldest first */
	struct str *at;                 /* the commit that has each of them; empty: none */
	struct VEC(struct named) named; /* by the trailers of what HEAD leads to, sorted by event */
	struct strs commits;            /* what HEAD leads to, sorted */
	struct VEC(struct touched) touched; /* sorted */
	bool shallow;
};

static void prove_doubt(struct prove *p, enum saga_doubt kind, const struct event *e,
			struct str commit, const char *fmt, ...)
{
	struct saga_doubted one = {.kind = kind, .commit = commit};
	struct buf b = buf_in(p->a);

	p->out->count[kind]++;
	if (p->out->count[kind] > SAGA_DOUBTS_MOST)
		return;
	BUF_ARGS(&b, fmt);
	one.what = buf_as_str(&b);
	if (e)
		one.event = e->id;
	if (e)
		one.path = saga_event_path(e);
	*VEC_PUSH(p->a, &p->out->doubts) = one;
}

/* ---- what Git has ---- */

ORDER_OF(prove_by_event, struct named, ORDER_STR(event))

static struct err *prove_walk(struct prove *p)
{
	static const char *const args[] = {
		"rev-list", "--format=%(trailers:key=Ikm-Event,valueonly,separator=%x20)", "HEAD",
		"--", NULL};
	struct git *g = p->s->own->git;
	struct git_head head;
	struct str out, line, id, commit = STR("");
	struct os_stat st;

	TRY(os_stat(os_join(p->a, git_common_dir(g), "shallow"), true, &st));
	p->shallow = st.kind == OS_FILE;
	TRY(git_head(g, p->a, &head));
	if (!head.commit.n)
		return NULL;
	TRY(git_run(g, p->a, args, STR(""), &out));
	while (str_next_line(&out, &line)) {
		if (str_starts(line, STR("commit "))) {
			commit = str_sub(line, strlen("commit "), line.n);
			strs_push(p->a, &p->commits, commit);
			continue;
		}
		while (str_next_part(&line, ' ', &id))
			if (id.n)
				*VEC_PUSH(p->a, &p->named) = (struct named){id, commit};
	}
	strs_sort(&p->commits);
	VEC_SORT(&p->named, prove_by_event);
	return NULL;
}

/* The event's file below the top. left: it was moved out of the garden, so this is where it was. */
static struct str prove_path(const struct prove *p, const struct event *e, bool *left)
{
	struct str top = str_of(git_top(p->s->own->git)), path = saga_event_path(e);

	*left = !str_is_below(path, top);
	return str_sub(*left ? e->path : path, top.n + 1, SIZE_MAX);
}

/* Whether the commit has what the event wrote, be it with the line ends of the working tree. */
static struct err *prove_has(struct prove *p, const char *commit, const struct event *e, bool *has)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str text;
	struct buf crlf = buf_in(a);
	struct tree_file f;
	struct tree *t;
	bool found, left;

	TRY(git_tree_at(p->s->own->git, commit, &t));
	TRY(tree_find(t, prove_path(p, e, &left), &f, &found));
	*has = found == (e->after.n > 0 && !left);
	if (!found || !*has)
		return NULL;
	TRY(tree_read(t, a, &f, FILE_BYTES_MAX, &text));
	*has = str_eq(crypt_content_hash(a, text), e->after);
	if (*has)
		return NULL;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n')
			buf_putc(&crlf, '\r');
		buf_putc(&crlf, text.p[i]);
	}
	*has = str_eq(crypt_content_hash(a, buf_as_str(&crlf)), e->after);
	return NULL;
}

/* ---- the events ---- */

ORDER_OF(prove_by_path, struct touched, ORDER_STR(path) || ORDER_UP(i))

/* The next event of the file that the event wrote; events.n: none. */
static size_t prove_next(const struct prove *p, size_t i)
{
	const struct touched key = {saga_event_path(&p->events.p[i]), i};
	size_t low = 0;

	BISECT(low, mid, p->touched.n, prove_by_path(&p->touched.p[mid], &key) <= 0);
	return low < p->touched.n && str_eq(p->touched.p[low].path, key.path) ? p->touched.p[low].i
									      : p->events.n;
}

/* No commit that HEAD leads to names the event: it was squashed, or taken back. */
static struct err *prove_lost(struct prove *p, const struct event *e, bool last)
{
	struct git_log log = {0};
	bool has = false;

	if (p->shallow) {
		prove_doubt(p, SAGA_ELSEWHERE, e, e->commit,
			    "this shallow clone does not reach it");
		return NULL;
	}
	if (last) {
		bool left;

		if (p->commits.n)
			TRY(git_file_log(p->s->own->git, p->a, "HEAD", prove_path(p, e, &left), 0,
					 &log));
		for (size_t i = 0; i < log.n && !has; i++)
			TRY(prove_has(p, str_c(p->a, log.p[i].id), e, &has));
	}
	if (has || !last)
		prove_doubt(p, SAGA_ELSEWHERE, e, STR(""),
			    "its commit was rewritten, and the history goes on");
	else
		prove_doubt(p, SAGA_CONTRADICTED, e, e->commit,
			    "no commit of HEAD has what it wrote: its commit was taken back");
	return NULL;
}

static struct err *prove_event(struct prove *p, size_t i)
{
	const struct event *e = &p->events.p[i];
	size_t next = prove_next(p, i), same = next;
	struct str commit = p->at[i];
	bool has;

	if (!commit.n)
		return prove_lost(p, e, next == p->events.n);
	TRY(prove_has(p, str_c(p->a, commit), e, &has));
	/* Of several changes in one commit, the last one is what the commit has. */
	for (; !has && same < p->events.n && str_eq(p->at[same], commit);
	     same = prove_next(p, same))
		TRY(prove_has(p, str_c(p->a, commit), &p->events.p[same], &has));
	if (!has) {
		prove_doubt(p, SAGA_CONTRADICTED, e, commit,
			    "the commit has another content than the event wrote");
		return NULL;
	}
	if (str_eq(commit, e->commit))
		p->out->proven++;
	else
		prove_doubt(p, SAGA_ELSEWHERE, e, commit, "the commit was rewritten, and is equal");
	if (next < p->events.n)
		return NULL;
	TRY(prove_has(p, "HEAD", e, &has));
	if (!has)
		prove_doubt(p, SAGA_BY_HAND, e, STR(""), "the file was changed by hand since");
	return NULL;
}

static struct err *prove_copy(struct prove *p, const struct event *e)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str copy, content;
	struct os_stat st;

	if (!e->before.n || str_eq(e->before, e->after) ||
	    !saga_path_keeps_history_copy(saga_path_below_garden(p->s, e->path)))
		return NULL;
	/* A file that was moved may have taken its copies along. */
	TRY(os_stat(str_c(a, e->path), false, &st));
	if (st.kind != OS_FILE)
		return NULL;
	TRY(saga_history_copy_read(a, e->path, e->before, &copy, &content));
	if (!copy.n)
		prove_doubt(p, SAGA_CONTRADICTED, e, STR(""),
			    "the history copy of what it replaced is gone or changed");
	return NULL;
}

/* Trailers that no row of this machine is about: another machine's, or invented. */
static struct err *prove_strangers(struct prove *p)
{
	struct event e;
	struct err *err;

	for (size_t i = 0; i < p->named.n; i++) {
		struct str id = p->named.p[i].event;

		err = event_get(p->s->log, p->a, id, &e);
		if (err && err_reason(err) != E_NO_SUCH_EVENT && err_reason(err) != E_BAD_ARGUMENT)
			return err;
		if (err || !str_eq(e.id, id))
			prove_doubt(p, SAGA_ELSEWHERE, NULL, p->named.p[i].commit,
				    "it names the event %.*s, which this machine did not record",
				    STR_ARG(str_utf8(p->a, str_utf8_head(id, 40))));
	}
	return NULL;
}

struct err *saga_verify_commits(struct saga *s, struct arena *a, struct saga_proof *out)
{
	struct event_filter q = {.status = EVENT_COMMITTED, .limit = SIZE_MAX};
	struct prove p = {.s = s, .a = a, .out = out};
	struct event_list list;

	*out = (struct saga_proof){0};
	TRY(saga_find_garden(s));
	if (!s->own->real)
		return NULL;
	TRY(saga_open_git(s));
	out->looked = true;
	q.path = str_of(s->own->users);
	TRY(event_query(s->log, a, &q, &list));
	for (size_t i = list.n; i--;)
		if (list.p[i].commit.n)
			*VEC_PUSH(a, &p.events) = list.p[i];
	TRY(prove_walk(&p));
	p.at = arena_array(a, p.events.n + 1, sizeof(*p.at));
	for (size_t i = 0; i < p.events.n; i++) {
		const struct event *e = &p.events.p[i];
		const struct named key = {.event = e->id}, *found = NULL;

		if (p.named.n)
			found = bsearch(&key, p.named.p, p.named.n, sizeof(key), prove_by_event);
		p.at[i] = strs_sorted_has(&p.commits, e->commit) ? e->commit
			  : found                                ? found->commit
								 : STR("");
	}
	for (size_t i = 0; i < p.events.n; i++) {
		*VEC_PUSH(p.a, &p.touched) = (struct touched){p.events.p[i].path, i};
		if (p.events.p[i].path_to.n)
			*VEC_PUSH(p.a, &p.touched) = (struct touched){p.events.p[i].path_to, i};
	}
	VEC_SORT(&p.touched, prove_by_path);
	for (size_t i = 0; i < p.events.n; i++) {
		TRY(prove_event(&p, i));
		TRY(prove_copy(&p, &p.events.p[i]));
	}
	return prove_strangers(&p);
}
