/* Versions of memories that lost: what the store keeps of them. */
#include "json/json.h"
#include "sync/remote.h"

struct err *remote_conflicts(struct db *db, struct arena *a, int64_t number,
			     struct remote_conflicts *out)
{
	*out = (struct remote_conflicts){0};
	DB_EACH(rows, db, Q_CONFLICT_EACH, DB_I(number)) {
		struct remote_conflict *c = VEC_PUSH(a, out);
		struct str text = db_str(rows, a, 6);
		struct val *lost;

		*c = (struct remote_conflict){
			.number = db_int(rows, 0),
			.id = db_str(rows, a, 1),
			.type = db_str(rows, a, 2),
			.found = db_int(rows, 3),
			.machine = db_str(rows, a, 4),
			.winner = db_str(rows, a, 5),
		};
		if (!text.p)
			continue;
		TRY(json_read(a, text, NULL, &lost));
		c->lost = lost;
	}
	return NULL;
}

struct err *remote_conflicts_drop(struct db *db, int64_t number, int64_t *dropped)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db));
	TRY(db_do(db, Q_CONFLICT_DROP, dropped, DB_I(number)));
	return db_commit(&t);
}
