/*
 * The name of this home on the server. A copied or restored home gets a new one: a machine's rows
 * of the record have its name and their place, which two homes must not share.
 */
#include "event/ulid.h"
#include "os/os.h"
#include "sync/exchange_internal.h"
#include <sys/utsname.h>

struct err *machine_name(struct exchange *x)
{
	struct utsname u;

	x->label = uname(&u) ? STR("") : str_utf8(x->a, str_dup(x->a, str_of(u.nodename)));
	DB_EACH(rows, x->ask->m->db, Q_META_GET, DB_S(STR("machine")))
		x->machine = db_column_str(rows, x->a, 0);
	return NULL;
}

/* A row of the record here. */
struct record_row {
	int64_t seq;
	struct str event, number;
};

/* The last row up to that place. seq 0: there is none. */
static struct err *record_row_before(struct exchange *x, int64_t upto, struct record_row *out)
{
	*out = (struct record_row){.seq = 0};
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_EVENT_UP_TO, DB_I(upto))
		*out = (struct record_row){
			.seq = db_column_int(rows, 0),
			.event = db_column_str(rows, x->a, 1),
			.number = str_fmt(x->a, "%jd", (intmax_t)db_column_int(rows, 2)),
		};
	return NULL;
}

static struct err *record_server_has(struct exchange *x, const struct record_row *row, bool *has)
{
	struct pg_rows rows;

	TRY(pg_ask(x->ask->pg, x->a, PG_RECORD_HAS, &rows, x->ask->share.tenant, x->machine,
		   str_fmt(x->a, "%jd", (intmax_t)row->seq), row->event, row->number));
	*has = rows.n > 0;
	return NULL;
}

/* Whether the server's last row of this machine is another one than that here. */
static struct err *record_differs(struct exchange *x, bool *out)
{
	struct record_row row;
	struct pg_rows rows;
	int64_t last;
	bool has;

	*out = false;
	TRY(pg_ask(x->ask->pg, x->a, PG_RECORD_LAST, &rows, x->ask->share.tenant, x->machine));
	if (!rows.n)
		return NULL;
	last = pg_cell_int(&rows, 0, 0);
	TRY(record_row_before(x, last, &row));
	*out = row.seq != last;
	if (*out)
		return NULL;
	TRY(record_server_has(x, &row, &has));
	*out = !has;
	return NULL;
}

/* Copies have the same rows up to some place, and other ones behind it: it is found by halves. */
struct err *machine_compare_with_server(struct exchange *x, struct record_match *out)
{
	struct record_row row;
	int64_t low = 0, high;

	*out = (struct record_match){.differs = false};
	DB_EACH(rows, x->ask->m->db, Q_MACHINE_NAMES)
		low = db_column_int(rows, 0) - 1;
	TRY(record_row_before(x, INT64_MAX, &row));
	high = row.seq;
	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;
		bool has = true;

		TRY(record_row_before(x, middle, &row));
		if (row.seq > low)
			TRY(record_server_has(x, &row, &has));
		if (has)
			low = middle;
		else
			high = row.seq - 1;
	}
	out->upto = low;
	return record_differs(x, &out->differs);
}

struct err *machine_rename(struct exchange *x, const struct record_match *match)
{
	struct db *db = x->ask->m->db;
	struct str name = ulid_new(x->a, os_now(), STR(""));

	if (!x->machine.n) {
		/* A change that is recorded meanwhile may have given the home its name. */
		TRY(db_do(db, Q_META_PUT, NULL, DB_S(STR("machine")), DB_S(name)));
		return machine_name(x);
	}
	x->machine = name;
	x->out->renamed = true;
	TRY(db_do(db, Q_META_SET, NULL, DB_S(STR("machine")), DB_S(name)));
	return db_do(db, Q_MACHINE_NAME_PUT, NULL, DB_I(match->upto + 1), DB_S(name));
}
