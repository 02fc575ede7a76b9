/* sync conflicts: versions that lost against a change of another machine. */
#include "common/memories.h"
#include "common/sync_server.h"

struct args {
	int64_t number;
	bool drop;
};
static const struct param params[] = {
	PARAM(number, .flags = ARG, .min = 1, .max = INT64_MAX, .help = "only this one"),
	PARAM(drop, .help = "forget it, or all of them: they are kept no longer"),
	{0},
};

struct result {
	bool success;
	int64_t dropped;
	struct remote_conflicts conflicts;
};

#define C struct remote_conflict
static const struct field conflict_fields[] = {
	FIELD_OF(C, number, "its number, for this command"),
	FIELD_OF(C, type, "memory or asset"),
	FIELD_OF(C, id, "the memory's id, or the asset's path"),
	FIELD_TIME(C, found, "foundAt", "when a sync found it"),
	FIELD_OF(C, machine, "where the lost version was made"),
	FIELD_OF(C, winner, "where the version was made that won"),
	FIELD_OF(C, lost, "the lost version; null: it was a deletion", .flags = NULLABLE),
	{0},
};
#undef C
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(dropped, "how many were forgotten"),
	FIELD_RECORDS(struct result, conflicts, "conflicts", conflict_fields,
		      "versions that lost, the oldest first"),
	{0},
};

static struct err *sync_conflicts_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;

	TRY(mem_open(c, &m));
	TRY(remote_conflicts(m->db, c->a, args->number, &r->conflicts));
	if (args->number && !r->conflicts.n)
		return err_help(err_new(E_NO_SUCH_VERSION, "there is no conflict %jd",
					(intmax_t)args->number),
				"'ikm sync conflicts' lists them");
	r->success = true;
	return args->drop ? remote_conflicts_drop(m->db, args->number, &r->dropped) : NULL;
}

const struct cmd cmd_sync_conflicts = {
	.name = "sync conflicts",
	.summary = "list versions that lost against a change of another machine",
	.description = "When two machines change the same memory, the later change wins, and the "
		       "other version is kept here.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_conflicts_run,
	.template = "{/conflicts:{number}  {foundAt}  {id}  {?^lost.content:{lost.content}|(it "
		    "was deleted there)}\n}{?@drop:{2:{dropped} forgotten\n}"
		    "|{?!conflicts:{2:no conflicts\n}}}",
};
