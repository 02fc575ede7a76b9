/* sync conflicts: versions that lost against a change of another machine. */
#include "memories/memories.h"
#include "exchange/sync_common.h"
#include "json/json.h"

struct args {
	int64_t number;
	bool drop, take;
};
static const struct param params[] = {
	PARAM(number, .flags = ARG, .min = 1, .max = INT64_MAX, .help = "only this one"),
	PARAM(take, .help = "give the memory the lost values of this one"),
	PARAM(drop, .help = "forget it, or all of them: they are kept no longer"),
	{0},
};

struct result {
	bool success;
	int64_t dropped;
	struct memory *taken; /* NULL: none was asked for */
	struct remote_conflicts conflicts;
};

#define L struct remote_lost
static const struct field lost_fields[] = {
	FIELD_OF(L, member, "the member"),
	FIELD_OF(L, lost, "the value that was lost; null: it had none", .flags = NULLABLE),
	FIELD_OF(L, kept, "the value that holds", .flags = NULLABLE),
	{0},
};
#undef L
#define C struct remote_conflict
static const struct field conflict_fields[] = {
	FIELD_OF(C, number, "its number, for this command"),
	FIELD_OF(C, type, "memory or asset"),
	FIELD_OF(C, id, "the memory's id, or the asset's path"),
	FIELD_TIME(C, found, "foundAt", "when a sync found it"),
	FIELD_OF(C, machine, "where the lost version was made"),
	FIELD_OF(C, winner, "where the version was made that won"),
	FIELD_RECORDS(C, members, "members", lost_fields,
		      "what both have changed; none: a whole version was lost", .flags = IF_ANY),
	FIELD_OF(C, lost, "the lost version; null: it was a deletion", .flags = NULLABLE),
	{0},
};
#undef C
static const struct field result[] = {
	FIELD(success, "always true"),
	FIELD(dropped, "how many were forgotten"),
	FIELD_RECORD_AT(struct result, taken, "taken", memory_shown,
			"with take: the memory with the values that it had lost",
			.flags = OPTIONAL),
	FIELD_RECORDS(struct result, conflicts, "conflicts", conflict_fields,
		      "versions that lost, the oldest first"),
	{0},
};

static struct err *sync_conflicts_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memories *m;

	if (args->take && !args->number)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("number"),
					      "--take needs the number of a conflict"),
				"'ikm sync conflicts' lists them");
	TRY(args->take ? mem_open_change(c, 0, &m) : mem_open(c, &m));
	TRY(remote_conflicts(m->db, c->a, args->number, &r->conflicts));
	if (args->number && !r->conflicts.n)
		return err_help(err_new(E_NO_SUCH_VERSION, "there is no conflict %jd",
					(intmax_t)args->number),
				"'ikm sync conflicts' lists them");
	r->success = true;
	if (args->take) {
		r->taken = ARENA_NEW(c->a, struct memory);
		TRY(remote_conflict_take(m, c->a, &r->conflicts.p[0], r->taken));
	}
	return args->drop || args->take ? remote_conflicts_drop(m->db, args->number, &r->dropped)
					: NULL;
}

static void sync_conflicts_text(struct call *c, const void *p, const void *out)
{
	const struct args *args = p;
	const struct result *r = out;

	if (r->taken)
		mem_print(c, r->taken);
	for (size_t i = 0; !args->take && i < r->conflicts.n; i++) {
		const struct remote_conflict *one = &r->conflicts.p[i];

		out_fmt(c->out, "%jd  %.*s  %.*s", (intmax_t)one->number,
			STR_ARG(os_time_text(c->a, one->found, false)), STR_ARG(one->id));
		out_puts(c->out, one->members.n ? "\n" : "  ");
		VEC_EACH(const struct remote_lost, l, &one->members) {
			out_fmt(c->out, "   %.*s: ", STR_ARG(l->member));
			out_safe(c->out, l->lost ? json_text(c->a, l->lost) : STR("none"), false);
			out_puts(c->out, " was lost, ");
			out_safe(c->out, l->kept ? json_text(c->a, l->kept) : STR("none"), false);
			out_puts(c->out, " holds\n");
		}
		if (!one->members.n)
			out_safe_line(c->out,
				      one->lost ? one->content : STR("(it was deleted there)"));
	}
	if (args->drop)
		out_fmt(c->err, "%jd forgotten\n", (intmax_t)r->dropped);
	else if (!r->conflicts.n)
		out_puts(c->err, "no conflicts\n");
	else if (!args->take && r->conflicts.p[0].members.n)
		out_fmt(c->err, "to have the lost values: ikm sync conflicts %jd --take\n",
			(intmax_t)r->conflicts.p[0].number);
}

const struct cmd cmd_sync_conflicts = {
	.name = "sync conflicts",
	.summary = "list versions that lost against a change of another machine",
	.description =
		"When two machines change the same member of a memory, the later value holds, "
		"and the other one is kept here. Changes of different members never "
		"conflict.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = sync_conflicts_run,
	.text = sync_conflicts_text,
};
