#include "doctor/doctor.h"
#include "event/schema.h"
#include "os/os.h"

const char *const doctor_levels[] = {DOCTOR_LEVELS(ENUM_NAME) NULL};

/* ---- findings ---- */

static struct str doctor_text(struct doctor *d, const char *fmt, va_list ap)
{
	struct buf b = buf_in(d->a);

	buf_vfmt(&b, fmt, ap);
	return str_utf8(d->a, buf_str(&b));
}

PRINTF(4, 0)
static void doctor_say(struct doctor *d, enum doctor_level level, const char *area, const char *fmt,
		       va_list ap)
{
	*VEC_PUSH(d->a, d) = (struct doctor_finding){
		.level = level, .area = area, .what = doctor_text(d, fmt, ap), .step = STR("")};
	d->problems += level == DOCTOR_PROBLEM;
}

void doctor_problem(struct doctor *d, const char *area, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	doctor_say(d, DOCTOR_PROBLEM, area, fmt, ap);
	va_end(ap);
}

void doctor_note(struct doctor *d, const char *area, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	doctor_say(d, DOCTOR_NOTE, area, fmt, ap);
	va_end(ap);
}

void doctor_step(struct doctor *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->p[d->n - 1].step = doctor_text(d, fmt, ap);
	va_end(ap);
}

/* ---- all checks ---- */

struct err *doctor_check(struct doctor *d)
{
	if (!d->home)
		return err_help(err_new(E_NO_HOME, "there is no home folder"),
				"set HOME, or set IKIGAI_HOME to the folder for the store");
	if (!doctor_home(d))
		return NULL;
	doctor_garden(d);
	return doctor_store(d);
}

static struct err *doctor_move(struct doctor *d, struct doctor_rebuilt *out)
{
	struct db_damaged_rows damaged = {0};
	struct db_txn t DB_TXN = {0};
	struct memory_verified v;

	TRY(db_begin(&t, d->m->db));
	TRY(doctor_verify(d, &v, &damaged));
	for (size_t i = 0; i < damaged.n; i++) {
		const struct db_damaged_row *row = &damaged.p[i];

		if (!doctor_is_movable(row))
			continue;
		TRY(db_set_aside(d->m->db, row->table, row->key, row->is, str_c(d->a, row->why)));
		out->moved++;
	}
	return db_commit(&t);
}

static struct err *doctor_mend(struct doctor *d, struct doctor_rebuilt *out)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, d->m->db));
	TRY(event_schema_mend(d->m->db, d->a, &out->mended));
	return db_commit(&t);
}

struct err *doctor_rebuild(struct doctor *d,
			   void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			   struct doctor_rebuilt *out)
{
	*out = (struct doctor_rebuilt){0};
	TRY(doctor_mend(d, out));
	TRY(doctor_move(d, out));
	return memory_reindex(d->m, d->a, progress, ctx, &out->indexed);
}

/* ---- salvage ---- */

static struct err *doctor_copy_rows(void *ctx, struct db *fresh)
{
	struct doctor *d = ctx;
	struct memories m = *d->m;
	struct arena *a = arena_new();
	int64_t indexed;
	struct err *e;

	m.db = fresh;
	m.words = NULL;
	m.vectors = NULL;
	e = memory_reindex(&m, a, NULL, NULL, &indexed);
	arena_free(a);
	return e;
}

struct err *doctor_salvage(struct doctor *d, struct db_salvaged *out)
{
	return db_salvage(d->a, db_path(d->m->db), doctor_copy_rows, d, out);
}
