#include "event/json_export.h"
#include "crypt/crypt.h"
#include "event/row.h"

#define SHARE_NAME(column, name) name,
static const char *const share_names[] = {EVENT_COLUMNS(SHARE_NAME) NULL};

/* A path may have any bytes; JSON has text only. */
static struct val *share_value(struct arena *a, const struct db_arg *v)
{
	struct val *bytes;

	if (v->type == DB_INT)
		return val_int(a, v->i);
	if (str_is_text(v->s))
		return val_str(a, str_dup(a, v->s));
	bytes = val_map(a);
	val_set(a, bytes, "base64", val_str(a, crypt_base64(a, v->s)));
	return bytes;
}

void event_row_columns_for_sharing(struct arena *a, struct db_rows *rows, struct event_shared *out)
{
	*out = (struct event_shared){
		.seq = db_column_int(rows, COL_SEQ),
		.machine = db_column_str(rows, a, COL_MACHINE),
		.columns = val_map(a),
	};
	for (int i = 0; share_names[i]; i++) {
		struct db_arg v = db_column_value(rows, i);

		if (v.type != DB_NULL)
			val_set(a, out->columns, share_names[i], share_value(a, &v));
	}
}

struct err *event_export(struct events *log, struct arena *a, int64_t since,
			 struct err *(*fn)(void *ctx, const struct event_exported *row), void *ctx)
{
	struct buf b = buf_in(a);
	struct event_cells c;

	DB_EACH(rows, log->db, Q_EVENT_CHAIN, DB_I(INT64_MAX)) {
		struct arena *row ARENA_LOCAL = arena_new();
		struct event_exported out;
		struct db_arg bytes;

		event_cells_read(rows, &c);
		if (c.v[COL_TS].i < since)
			continue;
		b.n = 0;
		event_row_canonical(&b, &c);
		bytes = DB_S(buf_as_str(&b));
		out = (struct event_exported){
			.seq = c.v[COL_SEQ].i,
			.bytes = share_value(row, &bytes),
			.chain_hash = c.v[COL_CHAIN].type == DB_TEXT ? c.v[COL_CHAIN].s : STR(""),
		};
		TRY(fn(ctx, &out));
	}
	return NULL;
}
