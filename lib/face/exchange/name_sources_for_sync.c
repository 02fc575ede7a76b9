/* Names the sources of knowledge so that every machine gives them the same name. */
#include "name_sources_for_sync.h"
#include "decisions/know.h"
#include "memories/memories.h"

/* ---- sources ---- */

/* A repository that several sources share is opened once. */
struct naming {
	struct call *c;
	const char *repo;
	struct git *git;
	struct str id;
};

static struct err *naming_open(struct naming *n, const char *repo)
{
	if (n->repo && str_is(str_of(n->repo), repo))
		return NULL;
	TRY(git_open(n->c->a, repo, &n->git));
	TRY(mem_git_repository_id(n->c->a, n->git, app_store(n->c), &n->id));
	n->repo = repo;
	return NULL;
}

static struct err *naming_source(struct naming *n, const struct kn_source *s,
				 struct sync_source *out)
{
	struct arena *a = n->c->a;
	struct err *e;

	*out = (struct sync_source){.source = s};
	if (!s->repo) {
		out->key = str_fmt(a, "file:%s", s->folder ? s->folder : "");
		return NULL;
	}
	TRY(naming_open(n, s->repo));
	if (n->id.n)
		out->key = str_fmt(a, "%.*s:%.*s", STR_ARG(n->id), STR_ARG(s->prefix));
	else
		out->key = str_fmt(a, "file:%s/%.*s", s->repo, STR_ARG(s->prefix));
	e = git_rev_id(n->git, a, s->ref ? s->ref : "HEAD", &out->commit);
	/* Before the first commit there is none. */
	if (e)
		out->commit = STR("");
	return NULL;
}

struct err *sync_open_sources(struct call *c, struct sync_ask *out)
{
	const struct strs given = {0};
	struct naming n = {.c = c};
	struct knowledge *k;

	*out = (struct sync_ask){.began = os_ticks()};
	TRY(know_load_list_missing(c, &given, &out->missing, &k));
	out->k = k;
	TRY(mem_open(c, &out->m));
	TRY(mem_find_current_project(c, out->m));
	if (c->git)
		out->place = str_of(git_common_dir(c->git));
	for (size_t i = 0; i < k->configured.n; i++)
		TRY(naming_source(&n, k->configured.p[i], VEC_PUSH(c->a, &out->sources)));
	return NULL;
}

/* ---- failures ---- */

#define F struct sync_failure
const struct field sync_failure_fields[] = {
	FIELD_OF(F, item, "the item's id", .flags = IF_ANY),
	FIELD_AS(F, path, "file", "its file, or the source"),
	FIELD_NAMED(F, layer, "layer", kn_layers, "the item's layer", .flags = OPTIONAL),
	FIELD_NAMED(F, type, "type", kn_types, "the item's type", .flags = OPTIONAL),
	FIELD_OF(F, reason, "why, as in an error's details"),
	FIELD_OF(F, message, "what is wrong"),
	{0},
};
#undef F
