/* Names the sources of knowledge so that every machine gives them the same name. */
#include "name_sources_for_sync.h"
#include "decisions/know.h"
#include "memories/memories.h"

/* ---- sources ---- */

struct err *sync_open_sources(struct call *c, struct sync_ask *out)
{
	const struct strs given = {0};
	const char *repo = NULL; /* one that several sources share is opened once */
	struct str id = {0};
	struct git *git = NULL;
	struct knowledge *k;

	*out = (struct sync_ask){.began = os_ticks()};
	TRY(know_load_list_missing(c, &given, &out->missing, &k));
	out->k = k;
	TRY(mem_open(c, &out->m));
	TRY(mem_find_current_project(c, out->m));
	if (c->git)
		out->place = str_of(git_common_dir(c->git));
	for (size_t i = 0; i < k->configured.n; i++) {
		const struct kn_source *s = k->configured.p[i];
		struct sync_source *one = VEC_PUSH(c->a, &out->sources);

		*one = (struct sync_source){.source = s};
		if (!s->repo) {
			one->key = str_fmt(c->a, "file:%s", s->folder ? s->folder : "");
			continue;
		}
		if (!repo || strcmp(repo, s->repo) != 0) {
			TRY(git_open(c->a, s->repo, &git));
			TRY(mem_git_repository_id(c->a, git, app_store(c), &id));
			repo = s->repo;
		}
		if (id.n)
			one->key = str_fmt(c->a, "%.*s:%.*s", STR_ARG(id), STR_ARG(s->prefix));
		else
			one->key = str_fmt(c->a, "file:%s/%.*s", s->repo, STR_ARG(s->prefix));
		/* Before the first commit there is none. */
		if (git_rev_id(git, c->a, s->ref ? s->ref : "HEAD", &one->commit))
			one->commit = STR("");
	}
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
