/*
 * Joins the small packs that commits of ikm leave, one each. git does the same in `git gc --auto`
 * from 50 packs on, but nobody may ever call git in a garden.
 */
#include "git/commit_paths.h"
#include "git/pack.h"
#include "os/os.h"
#include <unistd.h>

#define JOIN_PACKS   16   /* from so many small packs on */
#define JOIN_OBJECTS 2000 /* a pack with more objects stays as it is */

static const char *const join_suffixes[] = {".idx", ".pack", ".rev"};

struct join {
	const char *dir;
	struct strs files;  /* in dir */
	struct strs joined; /* the names of packs, without a suffix */
	struct object_ids ids;
};

/* Nothing else belongs to the pack: a .keep, a .promisor, a .bitmap. */
static bool join_is_plain(const struct join *j, struct str name)
{
	for (size_t i = 0; i < j->files.n; i++) {
		bool known = false;

		if (!str_starts(j->files.p[i], name))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(join_suffixes); k++)
			known |= str_is(str_sub(j->files.p[i], name.n, SIZE_MAX), join_suffixes[k]);
		if (!known)
			return false;
	}
	return true;
}

static struct err *join_find(const struct git *g, struct arena *a, struct join *j)
{
	struct str start = str_fmt(a, "%s/", j->dir);
	struct pack *p;

	TRY(os_list(a, j->dir, &j->files));
	/* It names packs, and would miss them. */
	if (strs_has(&j->files, STR("multi-pack-index")))
		return NULL;
	for (size_t i = 0;; i++) {
		struct str name;

		TRY(packs_get_nth_pack(g, i, &p));
		if (!p)
			return NULL;
		name = str_of(p->name);
		if (p->version != 2 || p->n >= JOIN_OBJECTS || !str_starts(name, start) ||
		    !join_is_plain(j, str_sub(name, start.n, name.n)))
			continue;
		strs_push(a, &j->joined, str_dup(a, name));
		for (size_t k = 0; k < p->n; k++)
			memcpy(*VEC_PUSH(a, &j->ids), p->names + k * g->id_len, g->id_len);
	}
}

/* Whether the new pack, and not an old one, has each object. */
static struct err *join_holds(const struct git *g, const struct join *j, const char *name,
			      bool *holds)
{
	struct pack *p = NULL;

	*holds = false;
	for (size_t i = 0; !p || strcmp(p->name, name); i++) {
		TRY(packs_get_nth_pack(g, i, &p));
		if (!p)
			return NULL;
	}
	for (size_t i = 0; i < j->ids.n; i++) {
		size_t offset;

		TRY(pack_lookup(g, p, j->ids.p[i], &offset, holds));
		if (!*holds)
			return NULL;
	}
	return NULL;
}

struct err *git_packs_merge(struct git *g, struct arena *a)
{
	struct join j = {.dir = os_join(a, g->objects.p[0].p, "pack")};
	const char *name;
	bool holds;

	if (!put_can_use_libgit2(g, a))
		return NULL;
	TRY(join_find(g, a, &j));
	if (j.joined.n < JOIN_PACKS)
		return NULL;
	TRY(libgit2_pack_put(g, a, &j.ids, &name));
	TRY(join_holds(g, &j, name, &holds));
	for (size_t i = 0; holds && i < j.joined.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(join_suffixes); k++)
			if (!str_is(j.joined.p[i], name) && os_fault("removal of a joined pack"))
				unlink(str_fmt(a, "%.*s%s", STR_ARG(j.joined.p[i]),
					       join_suffixes[k])
					       .p);
	packs_mark_changed(g);
	return NULL;
}
