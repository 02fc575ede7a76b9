/* Adds memories: finds the scope, merges repeats, makes room, supersedes. */
#include "event/ulid.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/repository_ties.h"
#include "os/os.h"

/* How many expired memories one call drops: few, so that adding stays fast. */
#define EXPIRED_MOST ((size_t)8)
#define SHOWN        120 /* bytes of a rejected content in a message */

struct add {
	struct memories *m;
	struct arena *a;
	const struct memory_list *asked; /* as the caller gave them */
	const struct memory_list *in;    /* checked */
	struct memory_list *out;
	struct memory_told told; /* about the last memory */
	bool anyway;             /* also what was rejected */
};

/* ---- repeats ---- */

/* Whether the two are of the same person, as far as the store knows. */
static bool memory_same_person(const struct memory *one, const struct memory *other)
{
	return str_eq(one->owner, other->owner) && str_eq(one->user, other->user);
}

struct err *memory_find_repeat(struct memories *m, struct arena *a, const struct memory *one,
			       int64_t hash, struct memory *out, bool *found)
{
	*found = false;
	if (!memory_kind_rules[one->kind].merges)
		return NULL;
	DB_EACH(rows, m->db, Q_MEMORY_REPEATS, DB_I(one->scope), DB_I(hash)) {
		DB_ROW(m->db, memory_row(m, a, rows, out), continue);
		/* Each person keeps their own: what one says is not to go to a server as another's.
		 */
		*found = out->state == MEMORY_CURRENT && memory_same_person(out, one) &&
			 out->kind == one->kind && str_eq(out->type, one->type) &&
			 str_eq(out->content, one->content);
		if (*found)
			break;
	}
	return NULL;
}

/* Adds new keys to the existing metadata. A key that exists keeps its value. */
static struct err *merge_metadata(struct arena *a, struct str given, struct memory *now,
				  struct memory_told *told)
{
	struct val *ours = val_map(a), *theirs;
	bool added = false;

	if (!given.n)
		return NULL;
	TRY(json_read(a, given, NULL, &theirs));
	if (now->metadata.n)
		TRY(json_read(a, now->metadata, NULL, &ours));
	VAL_EACH(theirs, member) {
		const struct val *was = val_get_key(ours, member->key);

		if (was && !val_eq(was, member))
			strs_push(a, &told->kept,
				  str_fmt(a, "metadata.%.*s", STR_ARG(member->key)));
		if (was)
			continue;
		val_set_key(ours, str_dup(a, member->key), val_copy_shallow(a, member));
		added = true;
	}
	if (!added)
		return NULL;
	now->metadata = json_text(a, ours);
	strs_push(a, &told->merged, STR("metadata"));
	return NULL;
}

/* Keeps the higher of two shares; a lower one is only reported. */
static void merge_share(struct arena *a, double given, double *now, const char *name,
			struct memory_told *told)
{
	if (given < 0 || given == *now)
		return;
	strs_push(a, given > *now ? &told->merged : &told->kept, str_of(name));
	if (given > *now)
		*now = given;
}

/*
 * The existing memory gets all tags, the stricter redaction, the later expiry, the higher
 * importance and confidence, new keys of metadata, a source if it had none, and the files. In
 * `one`, importance and confidence below 0 and happened 0 mean: not given. told lists what is
 * merged, and what differs and keeps its value.
 */
struct err *memory_merge(struct memories *m, struct arena *a, const struct memory *one,
			 struct memory *was, struct memory_told *told)
{
	struct memory now = *was;
	struct strs tags = {0};

	strs_add_all(a, &tags, &was->tags);
	strs_add_all(a, &tags, &one->tags);
	now.tags = memory_tags_sorted(a, &tags);
	TRY(memory_check_tags(&now.tags));
	if (now.tags.n > was->tags.n)
		strs_push(a, &told->merged, STR("tags"));
	if (one->supersedes.n && !str_eq(one->supersedes, was->id)) {
		strs_push(a, was->supersedes.n ? &told->kept : &told->merged, STR("supersedes"));
		/* The existing memory supersedes the other one from now on. */
		if (!was->supersedes.n)
			now.supersedes = one->supersedes;
	}
	if (one->redaction > was->redaction) {
		strs_push(a, &told->merged, STR("redaction"));
		now.redaction = one->redaction;
	}
	if (was->expires && (!one->expires || one->expires > was->expires)) {
		strs_push(a, &told->merged, STR("expires"));
		now.expires = one->expires;
	}
	merge_share(a, one->importance, &now.importance, "importance", told);
	merge_share(a, one->confidence, &now.confidence, "confidence", told);
	if (one->source.n && !str_eq(one->source, was->source)) {
		strs_push(a, was->source.n ? &told->kept : &told->merged, STR("source"));
		if (!was->source.n)
			now.source = one->source;
	}
	if (one->happened && one->happened != was->happened)
		strs_push(a, &told->kept, STR("happened"));
	TRY(memory_ties_merge(m->ground, a, one, &now, &told->merged));
	TRY(merge_metadata(a, one->metadata, &now, told));
	if (!told->merged.n)
		return NULL;
	TRY(memory_change(m, a, was, &now));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "merge", .was = was, .now = &now}));
	*was = now;
	return NULL;
}

/* ---- limits ---- */

struct err *memory_make_room(struct memories *m, struct arena *a, const struct memory *one)
{
	const struct memory_kind_rules *k = &memory_kind_rules[one->kind];
	struct memory_list oldest = {0};
	int64_t *docs = arena_array(a, k->most, sizeof(*docs));
	size_t n = 0;

	if (!k->most || (k->has_status && one->status != MEMORY_ACTIVE))
		return NULL;
	DB_EACH(rows, m->db, Q_MEMORY_SHORT, DB_S(one->user), DB_S(one->agent),
		DB_S(str_of(memory_kinds[one->kind])), DB_I(os_now()))
		if (n++ < k->most)
			docs[n - 1] = db_column_int(rows, 0);
	if (n < k->most)
		return NULL;
	if (!k->most_drops) {
		struct err *e =
			err_new(E_TOO_MANY_MEMORIES,
				"the agent '%.*s' has %zu active memories of kind '%s'; at most %u "
				"are allowed",
				STR_ARG(one->agent), n, memory_kinds[one->kind], k->most);

		err_detail_int(e, "limit", k->most);
		err_help(e, "'ikm mem list --kind %s --status active' lists them",
			 memory_kinds[one->kind]);
		return err_help(e, "resolve finished notes: ikm mem mark ID resolved");
	}
	/* An import may have stored more than the limit. */
	TRY(memory_get_by_numbers(m, a, docs, size_min(n - k->most + 1, k->most), &oldest));
	for (size_t i = 0; i < oldest.n; i++)
		TRY(memory_drop_for_good(m, a, &oldest.p[i]));
	return NULL;
}

/* ---- adding ---- */

static struct err *add_new(struct add *t, struct memory *one)
{
	int64_t now = os_now();
	struct str last = STR("");

	/* Ids grow, also when the clock goes back. */
	DB_EACH(rows, t->m->db, Q_MEMORY_LAST_ID)
		last = str_sub(db_column_str(rows, t->a, 0), strlen(MEMORY_ID), SIZE_MAX);
	one->id = str_fmt(t->a, MEMORY_ID "%.*s", STR_ARG(ulid_new(t->a, now, last)));
	TRY(db_do(t->m->db, Q_MEMORY_SET_LAST_ID, NULL, DB_S(one->id)));
	one->created = one->updated = now;
	one->tokens = (int64_t)token_estimate(one->content, t->m->model);
	TRY(memory_make_room(t->m, t->a, one));
	TRY(memory_put(t->m, t->a, one));
	return memory_log_change(t->m, t->a, &(struct memory_log){.op = "add", .now = one});
}

static struct err *memory_rejected_error(struct arena *a, const struct memory *old)
{
	struct str who = old->owner.n ? old->owner : STR("a person");
	struct err *e =
		err_new(E_REJECTED, "%.*s rejected this statement on %s: memory '%.*s', '%.*s'",
			STR_ARG(who), str_c(a, os_day_text(a, old->updated)), STR_ARG(old->id),
			STR_ARG(str_utf8_head(old->content, SHOWN)));

	err_add_detail(e, "rejected", old->id);
	return err_help(e,
			"only a person can store it again, with --anyway, or take the verdict "
			"back, with 'ikm mem mark %.*s active'",
			STR_ARG(old->id));
}

static struct err *memory_add_one(struct add *t, size_t i, struct memory *out)
{
	struct memory one = t->in->p[i], old = {0}, asked = t->asked->p[i];
	struct str replaces = {0};
	bool rejected = false;

	t->told = (struct memory_told){0};
	one.user = t->m->who.user;
	one.agent = t->m->who.agent;
	one.session = t->m->who.session;
	one.state = MEMORY_CURRENT;
	TRY(memory_scope_of_layer(t->m, t->a, one.layer, true, &one.scope));
	if (one.supersedes.n) {
		TRY(memory_get(t->m, t->a, one.supersedes, false, &old));
		replaces = old.id;
		/*
		 * A correction takes over redaction, tags and expiry. It must not publish a memory,
		 * lose its tags, or make it permanent. Another person's tags stay theirs.
		 */
		if (old.redaction > one.redaction) {
			one.redaction = old.redaction;
			strs_push(t->a, &t->told.inherited, STR("redaction"));
		}
		if (!asked.tags.n && old.tags.n && memory_same_person(&old, &one)) {
			one.tags = old.tags;
			strs_push(t->a, &t->told.inherited, STR("tags"));
		}
		if (!asked.expires && old.expires) {
			one.expires = old.expires;
			strs_push(t->a, &t->told.inherited, STR("expires"));
		}
	}
	one.supersedes = replaces;
	TRY(memory_find_repeat(t->m, t->a, &one, memory_hash(&one), out, &t->told.existing));
	if (t->told.existing) {
		asked.tags = one.tags;
		asked.redaction = one.redaction;
		asked.expires = one.expires;
		asked.supersedes = one.supersedes;
		TRY(memory_merge(t->m, t->a, &asked, out, &t->told));
	} else {
		if (!t->anyway)
			TRY(memory_find_rejected(t->m, t->a, &one, &old, &rejected));
		if (rejected)
			return memory_rejected_error(t->a, &old);
		TRY(add_new(t, &one));
		*out = one;
	}
	/* Other machines know when a new memory was made, and derive the same time. */
	return replaces.n ? memory_supersede(t->m, t->a, replaces, out,
					     t->told.existing ? os_now() : out->created)
			  : NULL;
}

static struct err *add_checked(struct add *t)
{
	struct memory_list checked = {0};
	struct db_txn txn DB_TXN = {0};
	size_t dropped, most = t->m->content_most ? t->m->content_most : MEMORY_CONTENT_MAX;

	for (size_t i = 0; i < t->in->n; i++)
		TRY(memory_check(t->a, &t->in->p[i], most, VEC_PUSH(t->a, &checked)));
	t->asked = t->in;
	t->in = &checked;
	*t->out = (struct memory_list){0};
	TRY(memory_begin(&txn, t->m, t->a));
	TRY(memory_drop_expired(t->m, t->a, EXPIRED_MOST, &dropped));
	for (size_t i = 0; i < t->in->n; i++)
		TRY(memory_add_one(t, i, VEC_PUSH(t->a, t->out)));
	return memory_commit(&txn, t->m, t->a);
}

struct err *memory_add_all(struct memories *m, struct arena *a, const struct memory_list *in,
			   struct memory_list *out)
{
	struct add t = {.m = m, .a = a, .in = in, .out = out};

	return add_checked(&t);
}

static struct err *add_told(struct memories *m, struct arena *a, const struct memory *in,
			    bool anyway, struct memory *out, struct memory_told *told)
{
	struct memory copy = *in;
	struct memory_list one = {&copy, 1, 1}, stored;
	struct add t = {.m = m, .a = a, .in = &one, .out = &stored, .anyway = anyway};

	TRY(add_checked(&t));
	*out = stored.p[0];
	*told = t.told;
	return NULL;
}

struct err *memory_add(struct memories *m, struct arena *a, const struct memory *in,
		       struct memory *out, struct memory_told *told)
{
	return add_told(m, a, in, false, out, told);
}

struct err *memory_add_even_if_rejected(struct memories *m, struct arena *a,
					const struct memory *in, struct memory *out,
					struct memory_told *told)
{
	return add_told(m, a, in, true, out, told);
}
