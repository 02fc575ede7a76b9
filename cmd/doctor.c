/* doctor: what is wrong with the home and its store, and mending it. */
#include "base/build.h"
#include "doctor/doctor.h"
#include "common/memories.h"

static const char *const levels[] = DOCTOR_LEVELS;

struct args {
	bool salvage, rebuild;
};

static const struct param params[] = {
	PARAM(salvage, .help = "read what can be read of a damaged store into a new one; the old "
			       "file is kept"),
	PARAM(rebuild, .help = "move damaged memories aside, and make index and vocabulary anew"),
	{0},
};

static const struct field finding_fields[] = {
	{"level", "a problem should be mended, a note only be known", F_STR, .choices = levels},
	{"area", "home, store, rows, index or files", F_STR},
	{"message", "what is wrong", F_STR},
	{"step", "what to do", F_STR, OPTIONAL},
	{0},
};
static const struct field table_fields[] = {
	{"table", "its name", F_STR},
	{"rows", "that the new store has", F_INT},
	{"damaged", "rows that were set aside", F_INT},
	{"lost", "pages could not be read, with an unknown number of rows", F_BOOL},
	{0},
};
static const struct field salvage_fields[] = {
	{"kept", "the old file", F_STR, OPTIONAL},
	{"finished", "an interrupted salvage was finished", F_BOOL},
	{"tables", "what was read", F_LIST, .sub = table_fields},
	{0},
};
static const struct field rebuilt_fields[] = {
	{"moved", "damaged rows that were moved aside", F_INT},
	{"indexed", "memories in the new index", F_INT},
	{0},
};
static const struct field result[] = {
	{"success", "always true", F_BOOL},
	{"healthy", "no problem was found", F_BOOL},
	{"version", "of ikm", F_STR},
	{"sqlite", "the version of SQLite", F_STR},
	{"home", "the folder", F_STR},
	{"schema", "of the store; 0: there is none, or it cannot be read", F_INT},
	{"memories", "how many the store has, of everybody", F_INT},
	{"findings", "in the order of the checks", F_LIST, .sub = finding_fields},
	{"salvaged", "what was done", F_OBJ, OPTIONAL, .sub = salvage_fields},
	{"rebuilt", "what was done", F_OBJ, OPTIONAL, .sub = rebuilt_fields},
	{0},
};

/* ---- the work ---- */

static void doctor_advance(void *ctx, uint64_t done, uint64_t all)
{
	struct progress *p = ctx;

	p->total = all;
	progress_at(p, done);
}

/* *missing: the new store lacks something that the old one had. */
static struct err *doctor_run_salvage(struct call *c, struct doctor *d, struct val *out,
				      bool *missing)
{
	struct db_salvaged s;
	struct val *v, *list;

	TRY(doctor_salvage(d, &s));
	/* Nobody knows any more what the one that was interrupted could not read. */
	*missing = s.finished;
	v = val_set(c->a, out, "salvaged", val_map(c->a));
	if (s.kept)
		val_set(c->a, v, "kept", val_str(c->a, str_utf8(c->a, str_of(s.kept))));
	val_set(c->a, v, "finished", val_bool(c->a, s.finished));
	list = val_set(c->a, v, "tables", val_list(c->a));
	for (size_t i = 0; i < s.n; i++) {
		struct val *t = val_add(list, val_map(c->a));

		val_set(c->a, t, "table", val_str(c->a, s.p[i].name));
		val_set(c->a, t, "rows", val_int(c->a, s.p[i].rows));
		val_set(c->a, t, "damaged", val_int(c->a, s.p[i].damaged));
		val_set(c->a, t, "lost", val_bool(c->a, s.p[i].lost));
		*missing = *missing || s.p[i].lost || s.p[i].damaged;
	}
	return NULL;
}

static struct err *doctor_run_rebuild(struct call *c, struct doctor *d, struct val *out)
{
	struct doctor_rebuilt done;
	struct progress p;
	struct err *e;
	struct val *v;

	progress_start(&p, "indexing", 0);
	e = doctor_rebuild(d, doctor_advance, &p, &done);
	progress_end(&p);
	TRY(e);
	v = val_set(c->a, out, "rebuilt", val_map(c->a));
	val_set(c->a, v, "moved", val_int(c->a, done.moved));
	val_set(c->a, v, "indexed", val_int(c->a, done.indexed));
	return NULL;
}

static void doctor_findings(struct call *c, const struct doctor *d, struct val *out)
{
	struct val *list = val_set(c->a, out, "findings", val_list(c->a));

	for (size_t i = 0; i < d->n; i++) {
		struct val *v = val_add(list, val_map(c->a));

		val_set(c->a, v, "level", val_str(c->a, str_of(levels[d->p[i].level])));
		val_set(c->a, v, "area", val_str(c->a, str_of(d->p[i].area)));
		val_set(c->a, v, "message", val_str(c->a, d->p[i].what));
		if (d->p[i].step.n)
			val_set(c->a, v, "step", val_str(c->a, d->p[i].step));
	}
}

static struct err *doctor_cmd_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct doctor d = {.a = c->a, .home = os_ikigai_home(c->a)};
	struct val *done = val_map(c->a);
	bool missing = false;

	if (args->salvage && args->rebuild)
		return err_new(E_BAD_ARGUMENT,
			       "--salvage and --rebuild exclude each other: a salvage "
			       "makes the index anew");
	d.m = ARENA_NEW(c->a, struct memories);
	d.m->db = db_new(c->a, d.home ? os_join(c->a, d.home, "ikm.db") : NULL);
	d.m->model = c->conf->tokens_model;
	if (args->salvage)
		TRY(doctor_run_salvage(c, &d, done, &missing));
	if (args->rebuild)
		TRY(doctor_run_rebuild(c, &d, done));
	/* With a handle of its own, whose damage is what is still there. */
	d.m->db = db_new(c->a, db_path(d.m->db));
	TRY(doctor_check(&d));
	*out = val_map(c->a);
	val_set(c->a, *out, "success", val_bool(c->a, true));
	val_set(c->a, *out, "healthy", val_bool(c->a, !d.problems));
	val_set(c->a, *out, "version", val_str(c->a, STR(IKM_VERSION)));
	val_set(c->a, *out, "sqlite", val_str(c->a, str_of(db_sqlite())));
	val_set(c->a, *out, "home", val_str(c->a, str_utf8(c->a, str_of(d.home))));
	val_set(c->a, *out, "schema", val_int(c->a, d.schema));
	val_set(c->a, *out, "memories", val_int(c->a, d.memories));
	doctor_findings(c, &d, *out);
	VAL_EACH(done, it)
		val_set(c->a, *out, str_c(c->a, it->key), val_copy(c->a, it));
	c->negative = d.problems || missing;
	return NULL;
}

/* ---- for people ---- */

static void doctor_cmd_text(struct call *c, const void *args, const struct val *r)
{
	const struct val *salvaged = val_get(r, "salvaged"), *rebuilt = val_get(r, "rebuilt");
	size_t problems = 0;

	(void)args;
	out_fmt(c->out, "ikm %.*s, SQLite %.*s, home ", STR_ARG(val_get_str(r, "version")),
		STR_ARG(val_get_str(r, "sqlite")));
	out_safe(c->out, val_get_str(r, "home"), false);
	out_puts(c->out, "\n");
	VAL_EACH(val_get(salvaged, "tables"), t)
		out_fmt(c->out, "salvaged %jd rows of %.*s%s%s\n", (intmax_t)val_get_int(t, "rows"),
			STR_ARG(val_get_str(t, "table")),
			val_get_int(t, "damaged") ? "; damaged rows are set aside" : "",
			val_get(t, "lost")->b ? "; some pages could not be read" : "");
	if (val_get_str(salvaged, "kept").n) {
		out_puts(c->out, "the old store is kept as ");
		out_safe(c->out, val_get_str(salvaged, "kept"), false);
		out_puts(c->out, "\n");
	}
	if (rebuilt)
		out_fmt(c->out, "moved %jd damaged rows aside, indexed %jd memories\n",
			(intmax_t)val_get_int(rebuilt, "moved"),
			(intmax_t)val_get_int(rebuilt, "indexed"));
	VAL_EACH(val_get(r, "findings"), f) {
		bool problem = str_is(val_get_str(f, "level"), "problem");

		problems += problem;
		out_styled(c->out, problem ? OUT_RED : OUT_YELLOW, val_get_str(f, "level"));
		out_puts(c->out, ": ");
		out_safe(c->out, val_get_str(f, "message"), false);
		out_puts(c->out, "\n");
		if (!val_get(f, "step"))
			continue;
		out_puts(c->out, "  ");
		out_safe(c->out, val_get_str(f, "step"), false);
		out_puts(c->out, "\n");
	}
	if (c->negative && salvaged && val_get(salvaged, "finished")->b)
		out_puts(c->out,
			 "an interrupted salvage was finished; rows may be missing, and it is not "
			 "known which: compare with the old store\n");
	else if (c->negative && salvaged)
		out_puts(c->out,
			 "rows are missing in the new store: bring them back from an export, if "
			 "you have one\n");
	if (problems)
		out_fmt(c->out, "%zu %s found\n", problems, problems == 1 ? "problem" : "problems");
	else
		out_fmt(c->out,
			c->negative ? "no problem left in the new store: schema %jd, %jd memories\n"
				    : "no problem found: schema %jd, %jd memories\n",
			(intmax_t)val_get_int(r, "schema"), (intmax_t)val_get_int(r, "memories"));
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "find what is wrong with the home and the store, and mend it",
	.description =
		"Check the store, its rows and its index, permissions, leftover files and the "
		"file system, and say what to do.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = doctor_cmd_run,
	.text_val = doctor_cmd_text,
};
