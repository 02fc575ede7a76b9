/* The Git commit of one garden write. */
#include "saga/internal.h"

#define SUBJECT_MOST ((size_t)72)

/* "replace_section users/ada/parts/p1/profile.md", and the rationale as the body. */
static struct str saga_message(struct saga *s, struct arena *a, const struct saga_commit *c)
{
	struct str below = saga_path_below_garden(s, c->path);
	struct buf b = buf_in(a);
	struct str subject;

	subject = str_fmt(a, "%.*s %.*s", STR_ARG(c->op), STR_ARG(below.n ? below : c->path));
	/* The end of a long path says more than its beginning. */
	if (subject.n > SUBJECT_MOST)
		subject =
			str_fmt(a, "%.*s ...%.*s", STR_ARG(c->op),
				STR_ARG(str_utf8(a, str_sub(subject, subject.n - 40, subject.n))));
	buf_fmt(&b, "%.*s", STR_ARG(str_utf8(a, subject)));
	if (c->rationale.n)
		buf_fmt(&b, "\n\n%.*s", STR_ARG(c->rationale));
	return buf_as_str(&b);
}

static void saga_trailer(struct git_trailer *t, size_t *n, const char *name, struct str value)
{
	if (value.n)
		t[(*n)++] = (struct git_trailer){str_of(name), value};
}

struct err *saga_commit(struct saga *s, struct arena *a, const struct saga_commit *c,
			struct str *oid, struct str *warning)
{
	struct git_trailer *trailers = arena_array(a, c->others_n + 4, sizeof(*trailers));
	struct str at = c->path_to.n ? c->path_to : c->path;
	struct git_commit_ask q = {.message = saga_message(s, a, c), .trailers = trailers};
	struct saga_copies left = {0};
	struct git_committed done;
	struct git_put *puts;

	TRY(saga_open_git(s));
	if (saga_path_keeps_history_copy(saga_path_below_garden(s, at)))
		TRY(saga_history_copies_not_in_head(s, a, at, c->copy, &left));
	q.puts = puts = arena_array(a, left.n + 3, sizeof(*puts));

	/* A move may lead out of the garden, or into it. */
	if (saga_path_below_garden(s, at).n) {
		struct os_stat st;

		puts[q.n] = (struct git_put){.path = at, .bytes = c->content};
		TRY(os_stat(str_c(a, at), false, &st));
		puts[q.n].executable = st.kind == OS_FILE && st.mode & 0100;
		q.n++;
	}
	if (c->path_to.n && saga_path_below_garden(s, c->path).n)
		puts[q.n++] = (struct git_put){.path = c->path};
	if (c->copy.n)
		puts[q.n++] = (struct git_put){c->copy, c->copy_content, false};
	for (size_t i = 0; i < left.n; i++)
		puts[q.n++] = left.p[i];
	saga_trailer(trailers, &q.trailers_n, "Ikm-Event", c->event);
	for (size_t i = 0; i < c->others_n; i++)
		saga_trailer(trailers, &q.trailers_n, "Ikm-Event", c->others[i]);
	saga_trailer(trailers, &q.trailers_n, "Ikm-Tool", c->tool);
	saga_trailer(trailers, &q.trailers_n, "Ikm-Agent", c->agent);
	if (c->forced)
		saga_trailer(trailers, &q.trailers_n, "Ikm-Rationale", c->rationale);
	TRY(git_commit_paths(s->own->git, a, &q, &done));
	/* What stops it stops no write; the next one tries again. */
	(void)!git_packs_merge(s->own->git, a);
	*oid = str_dup(s->a, done.oid);
	s->own->detached = done.oid.n && !done.branch.n;
	*warning = done.index_why;
	return NULL;
}

void saga_history_copy_commit(struct saga *s, struct arena *a, const struct event *e,
			      struct str copy, struct str content)
{
	const struct saga_commit c = {
		.event = e->id,
		.op = STR_INIT("snapshot"),
		.tool = e->tool,
		.agent = e->agent,
		.path = copy,
		.content = content,
	};
	struct str oid, warning;

	/* The event is settled already; the next write of this content commits the copy, too. */
	(void)!saga_commit(s, a, &c, &oid, &warning);
}
