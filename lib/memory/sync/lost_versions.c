/* Versions of memories that lost: what the store keeps of them. */
#include "json/json.h"
#include "sync/sync_with_server.h"
#include "os/os.h"

static const struct val *conflict_value(const struct val *one, const char *which)
{
	const struct val *v = val_get(one, which);

	return v && v->type != VAL_NULL ? v : NULL;
}

static bool conflict_has(const struct remote_conflict *c, const char *member)
{
	for (size_t i = 0; i < c->members.n; i++)
		if (str_is(c->members.p[i].member, member))
			return true;
	return false;
}

struct err *remote_conflicts(struct db *db, struct arena *a, int64_t number,
			     struct remote_conflicts *out)
{
	*out = (struct remote_conflicts){0};
	DB_EACH(rows, db, Q_CONFLICT_EACH, DB_I(number)) {
		struct remote_conflict *c = VEC_PUSH(a, out);
		struct str text = db_column_str(rows, a, 6), members = db_column_str(rows, a, 7);
		struct val *lost;

		*c = (struct remote_conflict){
			.number = db_column_int(rows, 0),
			.id = db_column_str(rows, a, 1),
			.type = db_column_str(rows, a, 2),
			.found = db_column_int(rows, 3),
			.machine = db_column_str(rows, a, 4),
			.winner = db_column_str(rows, a, 5),
		};
		if (text.p) {
			TRY(json_read(a, text, NULL, &lost));
			c->lost = lost;
			c->content = val_get_str(lost, "content");
		}
		if (!members.p)
			continue;
		TRY(json_read(a, members, NULL, &lost));
		VAL_EACH(lost, one)
			*VEC_PUSH(a, &c->members) = (struct remote_lost){
				.member = one->key,
				.lost = conflict_value(one, "lost"),
				.kept = conflict_value(one, "kept"),
			};
	}
	return NULL;
}

/* The keys that make the former metadata of the present one, as an edit takes them. */
static struct err *conflict_metadata(struct arena *a, struct str was, struct str now,
				     const struct val **out)
{
	struct val *old = val_map(a), *present = val_map(a), *patch = val_map(a);

	if (was.n)
		TRY(json_read(a, was, NULL, &old));
	if (now.n)
		TRY(json_read(a, now, NULL, &present));
	VAL_EACH(present, key)
		if (!val_get_key(old, key->key))
			val_set_key(patch, key->key, val_null(a));
	VAL_EACH(old, key)
		val_set_key(patch, key->key, val_copy_shallow(a, key));
	*out = patch;
	return NULL;
}

struct err *remote_conflict_take(struct memories *m, struct arena *a,
				 const struct remote_conflict *c, struct memory *out)
{
	struct val *lost = val_map(a);
	struct memory_edit how = {.layer = -1, .redaction = -1};
	struct memory_edited told;
	struct memory was;

	if (!c->members.n)
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"the conflict %jd is about a whole version, which cannot be "
				"taken by members",
				(intmax_t)c->number),
			"what was deleted: ikm mem restore ID; what is to go: ikm mem delete ID");
	for (size_t i = 0; i < c->members.n; i++)
		if (c->members.p[i].lost)
			val_set_key(lost, c->members.p[i].member,
				    val_copy_shallow(a, c->members.p[i].lost));
	TRY(memory_get(m, a, c->id, false, &was));
	*out = was;
	/* A member that the lost version had not is null there. */
	if (conflict_has(c, "source"))
		out->source = STR("");
	if (conflict_has(c, "metadata"))
		out->metadata = STR("");
	if (conflict_has(c, "expiresAt"))
		out->expires = 0;
	TRY(memory_from_json(a, lost, out));
	how.importance = out->importance;
	how.confidence = out->confidence;
	how.source = out->source;
	how.expires = (struct maybe_int){.given = out->expires != was.expires, .n = out->expires};
	TRY(conflict_metadata(a, out->metadata, was.metadata, &how.metadata));
	if (conflict_has(c, "status"))
		TRY(memory_set_status(m, a, c->id, out->status, out));
	return memory_edit_members(m, a, c->id, &how, out, &told);
}

struct err *remote_conflicts_drop(struct db *db, int64_t number, int64_t *dropped)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db));
	TRY(db_do(db, Q_CONFLICT_DROP, dropped, DB_I(number)));
	return db_commit(&t);
}
