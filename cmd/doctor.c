/* doctor: checks the home and its store, and repairs them. */
#include "base/build.h"
#include "app/app.h"
#include "doctor/doctor.h"
#include "memories/memories.h"
#include "hook/hook.h"

struct args {
	bool salvage, rebuild;
};

static const struct param params[] = {
	PARAM(salvage, .help = "copy all readable rows of a damaged store into a new store; keep "
			       "the old file"),
	PARAM(rebuild, .help = "make missing indexes and triggers again, move damaged memories "
			       "aside, and rebuild index and vocabulary"),
	{0},
};

#define FINDING(member, name, help, ...)                                                           \
	FIELD_AS(struct doctor_finding, member, name, help, __VA_ARGS__)
static const struct field finding_fields[] = {
	FIELD_NAMED(struct doctor_finding, level, "level", doctor_levels,
		    "problem: needs a repair; note: for information"),
	FINDING(area, "area",
		"home, settings, repository, hooks, garden, record, store, rows, index, files or "
		"memories"),
	FINDING(what, "message", "the defect"),
	FINDING(step, "step", "the next step", .flags = IF_ANY),
	{0},
};
#define TABLE(member, name, help) FIELD_AS(struct db_salvaged_table, member, name, help)
static const struct field table_fields[] = {
	TABLE(name, "table", "its name"),
	TABLE(rows, "rows", "rows in the new store"),
	TABLE(damaged, "damaged", "rows that were moved aside"),
	TABLE(lost, "lost", "whether pages were unreadable; their rows are unknown"),
	{0},
};
struct salvaged {
	struct db_salvaged s;
};
static const struct field salvage_fields[] = {
	FIELD_AS(struct salvaged, s.kept, "kept", "the old file", .flags = OPTIONAL),
	FIELD_AS(struct salvaged, s.finished, "finished",
		 "whether an interrupted salvage was completed"),
	FIELD_RECORDS(struct salvaged, s, "tables", table_fields, "the tables of the new store"),
	{0},
};
static const struct field rebuilt_fields[] = {
	FIELD_OF(struct doctor_rebuilt, moved, "damaged rows that were moved aside"),
	FIELD_OF(struct doctor_rebuilt, indexed, "memories in the new index"),
	FIELD_OF(struct doctor_rebuilt, mended,
		 "tables, indexes, triggers and views that were made again, or removed",
		 .flags = IF_ANY),
	{0},
};
struct result {
	bool success, healthy;
	const char *version, *sqlite;
	struct doctor d;
	struct salvaged *salvaged;
	struct doctor_rebuilt *rebuilt;
};
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(healthy, "whether ikm found no problem"),
	FIELD(version, "the version of ikm"),
	FIELD(sqlite, "the version of SQLite"),
	FIELD_AS(struct result, d.home, "home", "the home folder"),
	FIELD_AS(struct result, d.schema, "schema", "the store's schema; 0: no readable store"),
	FIELD_AS(struct result, d.memories, "memories", "the store's memories, of all users"),
	FIELD_RECORDS(struct result, d, "findings", finding_fields,
		      "the findings, in the order of the checks"),
	FIELD_RECORD_AT(struct result, salvaged, "salvaged", salvage_fields, "the result",
			.flags = OPTIONAL),
	FIELD_RECORD_AT(struct result, rebuilt, "rebuilt", rebuilt_fields, "the result",
			.flags = OPTIONAL),
	{0},
};

/* ---- the commands ---- */

/* Broken settings, or a repository that cannot be read, are findings like all others. */
static struct err *doctor_open(struct call *c, struct doctor *d)
{
	const struct conf_input built_in = {.no_user = true};
	struct err *e = git_open(c->a, NULL, &c->git);

	if (e && err_reason(e) != E_NO_REPOSITORY)
		doctor_error(d, "repository", e);
	if (c->git)
		doctor_check_locks(d, "repository", git_dir(c->git));
	if (c->git && !git_is_bare(c->git)) {
		struct str lost = hook_lost(c->a, c->git);
		struct strs missing = {0};

		/* What a check would tell of the hooks of this clone. */
		if (lost.n) {
			doctor_problem(d, "hooks", "%.*s", STR_ARG(lost));
			doctor_set_remedy(d, "'ikm hook status' says why");
		}
		TRY(hook_missing(c->a, c->git, &missing));
		for (size_t i = 0; i < missing.n; i++)
			doctor_problem(d, "hooks", "%.*s", STR_ARG(missing.p[i]));
	}
	e = app_load_conf(c);
	if (e) {
		doctor_error(d, "settings", e);
		TRY(conf_load(c->a, &built_in, &c->conf));
	}
	d->conf = c->conf;
	return NULL;
}

static struct err *doctor_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct doctor *d = &r->d;
	bool missing = false; /* the new store lacks rows that the old store had */

	if (args->salvage && args->rebuild)
		return err_help(ERR_EXCLUSIVE("--salvage", "--rebuild"),
				"--salvage rebuilds the index too");
	*d = (struct doctor){.a = c->a, .home = os_ikigai_home(c->a)};
	TRY(doctor_open(c, d));
	d->m = ARENA_NEW(c->a, struct memories);
	d->m->db = db_new(c->a, d->home ? os_join(c->a, d->home, "ikm.db") : NULL);
	d->m->model = c->conf->tokens_model;
	if (args->salvage) {
		struct db_salvaged *done;

		r->salvaged = ARENA_NEW(c->a, struct salvaged);
		done = &r->salvaged->s;
		TRY(doctor_salvage(d, done));
		/* An interrupted salvage left no record of the rows that it could not read. */
		missing = done->finished;
		for (size_t i = 0; i < done->n; i++)
			missing |= done->p[i].lost || done->p[i].damaged;
	}
	if (args->rebuild) {
		r->rebuilt = ARENA_NEW(c->a, struct doctor_rebuilt);
		TRY(doctor_rebuild(d, r->rebuilt));
	}
	/* A new handle counts only the damage that is still there. */
	d->m->db = db_new(c->a, db_path(d->m->db));
	TRY(doctor_check_all(d));
	if (!d->problems) {
		struct memories *own;

		TRY(mem_open(c, &own));
		TRY(doctor_stale_memories(d, own));
	}
	r->success = true;
	r->healthy = !d->problems;
	r->version = IKM_VERSION;
	r->sqlite = db_sqlite_version();
	c->negative = d->problems || missing;
	return NULL;
}

/* ---- text for people ---- */

static void doctor_cmd_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	const struct salvaged *done = r->salvaged;

	(void)args;
	if (c->negative && done)
		out_puts(c->out,
			 done->s.finished
				 ? "an interrupted salvage was completed; rows may be missing: "
				   "compare the new store with the old one\n"
				 : "the new store lacks some rows: restore them from an export, if "
				   "you have one\n");
	if (r->d.problems)
		out_fmt(c->out, "%zu %s found\n", r->d.problems,
			r->d.problems == 1 ? "problem" : "problems");
	else
		out_fmt(c->out,
			c->negative ? "no problem left in the new store: schema %jd, %jd %s\n"
				    : "no problem found: schema %jd, %jd %s\n",
			(intmax_t)r->d.schema, (intmax_t)r->d.memories,
			r->d.memories == 1 ? "memory" : "memories");
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "find problems of the home and the store, and repair them",
	.description =
		"Check the store, its rows and its index, permissions, leftover files and the file "
		"system, and give the next steps.",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = doctor_cmd_run,
	.template =
		"ikm {version}, SQLite {sqlite}, home {home}\n"
		"{/salvaged.tables:salvaged {rows} {?rows=1:row|rows} of {table}{?damaged:; damaged rows "
		"were moved aside}{?lost:; some pages could not be read}\n}"
		"{?salvaged.kept:the old store is kept as {salvaged.kept}\n}"
		"{/rebuilt.mended:{.}\n}{?^rebuilt:moved {rebuilt.moved} damaged {?rebuilt.moved=1:row|rows} aside, "
		"indexed {rebuilt.indexed} {?rebuilt.indexed=1:memory|memories}\n}"
		"{/findings:{?level='problem':{!level}|{~level}}: {message}\n{?step:  {step}\n"
		"}}",
	.text = doctor_cmd_text,
};
