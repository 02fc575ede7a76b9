/*
 * Merges versions of one memory that two machines have made from the same one, member by member.
 * What makes a memory less visible, or says that it holds no longer, is not taken back by a machine
 * that did not know of it.
 */
#include "json/json.h"
#include "memory/memories_of_other_machines.h"

struct merge_member {
	const char *name; /* in exports */
	bool (*same)(const struct memory *one, const struct memory *other);
	void (*take)(struct memory *to, const struct memory *from);
	/* NULL: none of two values is stricter; then the one that loses is kept for the person */
	bool (*stricter)(const struct memory *one, const struct memory *other);
	bool quiet; /* the later value is right, and the other one of no use */
};

/* Members, what makes two versions agree in them, and what is taken with them. */
#define MERGED(X)                                                                                  \
	X(importance, one->importance == other->importance, to->importance = from->importance)     \
	X(confidence, one->confidence == other->confidence, to->confidence = from->confidence)     \
	X(source, str_eq(one->source, other->source), to->source = from->source)                   \
	X(metadata, str_eq(one->metadata, other->metadata), to->metadata = from->metadata)         \
	X(status, one->status == other->status, to->status = from->status)                         \
	X(expires, one->expires == other->expires, to->expires = from->expires)                    \
	X(redaction, one->redaction == other->redaction, to->redaction = from->redaction)          \
	X(layer, one->scope == other->scope, (to->layer = from->layer, to->scope = from->scope))   \
	X(files,                                                                                   \
	  (one->files && other->files ? val_eq(one->files, other->files)                           \
				      : !one->files == !other->files),                             \
	  to->files = from->files)                                                                 \
	X(made, str_eq(one->commit, other->commit) && str_eq(one->branch, other->branch),          \
	  (to->repository = from->repository, to->commit = from->commit,                           \
	   to->branch = from->branch, to->change = from->change))                                  \
	X(state,                                                                                   \
	  merge_state(one) == merge_state(other) &&                                                \
		  str_eq(one->superseded_by, other->superseded_by),                                \
	  (to->state = from->state, to->superseded_by = from->superseded_by,                       \
	   to->superseded = from->superseded, to->supersedes = from->supersedes))

static int merge_state(const struct memory *one)
{
	static const int strict[] = {
		[MEMORY_CURRENT] = 0,    [MEMORY_EXPIRED] = 0,  [MEMORY_CONFLICT] = 1,
		[MEMORY_SUPERSEDED] = 2, [MEMORY_REJECTED] = 3,
	};

	return strict[one->state];
}

#define MERGE_SAME(member, equal, copy)                                                            \
	static bool merge_same_##member(const struct memory *one, const struct memory *other)      \
	{                                                                                          \
		return equal;                                                                      \
	}
#define MERGE_TAKE(member, equal, copy)                                                            \
	static void merge_take_##member(struct memory *to, const struct memory *from)              \
	{                                                                                          \
		copy;                                                                              \
	}
MERGED(MERGE_SAME)
MERGED(MERGE_TAKE)

static bool merge_more_secret(const struct memory *one, const struct memory *other)
{
	return one->redaction > other->redaction;
}

static bool merge_narrower(const struct memory *one, const struct memory *other)
{
	return one->layer < other->layer;
}

static bool merge_holds_less(const struct memory *one, const struct memory *other)
{
	return merge_state(one) > merge_state(other);
}

#define MERGE(member, key, ...)                                                                    \
	{                                                                                          \
		.name = (key), .same = merge_same_##member, .take = merge_take_##member,           \
		##__VA_ARGS__                                                                      \
	}
static const struct merge_member members[] = {
	MERGE(importance, "importance"),
	MERGE(confidence, "confidence"),
	MERGE(source, "source"),
	MERGE(metadata, "metadata"),
	MERGE(status, "status"),
	MERGE(expires, "expiresAt"),
	MERGE(redaction, "redaction", .stricter = merge_more_secret),
	MERGE(layer, "layer", .stricter = merge_narrower),
	MERGE(files, "files", .quiet = true),
	MERGE(made, "madeAt", .quiet = true),
	MERGE(state, "state", .stricter = merge_holds_less),
};

/* What both have, and what one has added to the base. */
static struct strs merge_tags(struct arena *a, const struct memory_versions *s)
{
	const struct strs *ours = &s->ours->tags, *theirs = &s->theirs->tags;
	struct strs tags = {0};

	for (size_t i = 0; i < ours->n; i++)
		if (!s->base || strs_has(theirs, ours->p[i]) ||
		    !strs_has(&s->base->tags, ours->p[i]))
			strs_push(a, &tags, ours->p[i]);
	for (size_t i = 0; i < theirs->n; i++)
		if (!strs_has(ours, theirs->p[i]) &&
		    (!s->base || !strs_has(&s->base->tags, theirs->p[i])))
			strs_push(a, &tags, theirs->p[i]);
	strs_sort(&tags);
	return tags;
}

/* Which side has the value that holds. *both: the other side has changed it, too. */
static const struct memory *merge_choose(const struct memory_versions *s,
					 const struct merge_member *m, bool *both)
{
	*both = false;
	if (s->base && m->same(s->base, s->ours))
		return s->theirs;
	if (s->base && m->same(s->base, s->theirs))
		return s->ours;
	if (m->stricter && m->stricter(s->ours, s->theirs))
		return s->ours;
	if (m->stricter && m->stricter(s->theirs, s->ours))
		return s->theirs;
	*both = true;
	return s->theirs_wins ? s->theirs : s->ours;
}

void memory_synced_merge_versions(struct arena *a, const struct memory_versions *s,
				  struct memory *out, struct str *lost)
{
	struct val *values = val_map(a);

	*out = *s->theirs;
	out->tags = merge_tags(a, s);
	out->updated =
		s->ours->updated > s->theirs->updated ? s->ours->updated : s->theirs->updated;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct merge_member *m = &members[i];
		const struct memory *from;
		bool both;

		if (m->same(s->ours, s->theirs))
			continue;
		from = merge_choose(s, m, &both);
		m->take(out, from);
		if (both && !m->quiet) {
			const struct memory *loser = from == s->ours ? s->theirs : s->ours;
			const struct val *was =
				val_get(record_val(a, memory_record, loser), m->name);
			const struct val *is = val_get(record_val(a, memory_record, from), m->name);
			struct val *one = val_map(a);

			val_set(a, one, "lost", was ? val_copy_shallow(a, was) : val_null(a));
			val_set(a, one, "kept", is ? val_copy_shallow(a, is) : val_null(a));
			val_set(a, values, m->name, one);
		}
	}
	*lost = values->n ? json_text(a, values) : STR("");
}
