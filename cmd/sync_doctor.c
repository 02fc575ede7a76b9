/* sync doctor: compares the server with what ikm would make, and says what to run. */
#include "exchange/sync_common.h"

struct result {
	bool success, healthy;
	int64_t schema;
	struct str role;
	struct doctor_answers {
		struct doctor_answer {
			struct str what, then;
		} * p;
		size_t n, cap;
	} problems, unseen;
};

#define A struct doctor_answer
static const struct field problem_fields[] = {
	FIELD_AS(A, what, "message", "what is wrong"),
	FIELD_AS(A, then, "statement", "the SQL that ends it"),
	{0},
};
static const struct field unseen_fields[] = {
	FIELD_AS(A, what, "what", "what was not looked at"),
	FIELD_AS(A, then, "who", "a role that can"),
	{0},
};
#undef A
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(healthy, "all was looked at, and there was no problem"),
	FIELD(schema, "the version of the schema"),
	FIELD(role, "who looked, and in which database"),
	FIELD_RECORDS(struct result, problems, "problems", problem_fields, "what is wrong"),
	FIELD_RECORDS(struct result, unseen, "unseen", unseen_fields, "what was not looked at"),
	{0},
};

struct looking {
	struct call *c;
	struct pg *pg;
	struct result *r;
};

static struct err *sync_doctor_ask(struct looking *l, enum pg_query query,
				   struct doctor_answers *out)
{
	struct pg_rows rows;

	TRY(pg_ask(l->pg, l->c->a, query, &rows));
	for (size_t i = 0; i < rows.n; i++)
		*VEC_PUSH(l->c->a, out) = (struct doctor_answer){
			.what = pg_cell_str(&rows, i, 0),
			.then = pg_cell_str(&rows, i, 1),
		};
	return NULL;
}

static struct err *sync_doctor_look(void *ctx)
{
	struct looking *l = ctx;
	struct result *r = l->r;

	TRY(sync_doctor_ask(l, PG_DOCTOR_UNSEEN, &r->unseen));
	TRY(pg_schema_make_temporary(l->pg, l->c->a));
	TRY(pg_do(l->pg, l->c->a, PG_DOCTOR_PATH, NULL));
	TRY(sync_doctor_ask(l, PG_DOCTOR_SCHEMA, &r->problems));
	/* A role that cannot see the members cannot see rows, either. */
	if (r->unseen.n < 2)
		TRY(sync_doctor_ask(l, PG_DOCTOR_ROLES, &r->problems));
	return r->unseen.n ? NULL : sync_doctor_ask(l, PG_DOCTOR_ROWS, &r->problems);
}

static struct err *sync_doctor_run(struct call *c, const void *p, void *out)
{
	struct looking l = {.c = c, .r = out};
	struct pg_schema schema;

	(void)p;
	TRY(sync_connect(c, &l.pg));
	TRY(pg_schema_check(l.pg, c->a, &schema));
	TRY(pg_transaction_dry_run(l.pg, c->a, sync_doctor_look, &l));
	l.r->success = true;
	l.r->healthy = !l.r->problems.n && !l.r->unseen.n;
	l.r->schema = schema.version;
	l.r->role = pg_role_and_database(l.pg);
	c->negative = !l.r->healthy;
	return NULL;
}

const struct cmd cmd_sync_doctor = {
	.name = "sync doctor",
	.summary = "find problems of the server, and say what to run",
	.description = "Compares the schema, the rights and the settings of roles with what ikm "
		       "would make. It changes nothing. Run it as a superuser, who sees all.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_RESULT(struct result, result),
	.run = sync_doctor_run,
	.template = "{/problems:{!'problem'}: {message}\n  {statement%t};\n}"
		    "{/unseen:{~'not looked at'}: {what}; {who}\n}"
		    "{?healthy:no problem found: schema {schema}\n}",
};
