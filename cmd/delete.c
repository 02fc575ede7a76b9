/* delete: removes a file or stored asset. For maintainers: tools never delete (requirement: garden,
 * "Contracts and policies"). */
#include "paths/change_common.h"
#include "app/print_warnings.h"

struct args {
	struct audit audit;
	struct str path, ifMatch;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM_IF_MATCH,
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool ok;
	struct file_done done;
	bool replayed;
};

static const struct field result[] = {
	FIELD(ok, "always true"),
	FIELD_AS(struct result, done.event, "event", "the record of the removal, for undo",
		 .flags = IF_ANY),
	FIELDS_KEPT(struct result, done),
	FIELD_REPLAYED(replayed),
	FIELD_AS(struct result, done.warnings, "warnings", "what else there is to know",
		 .flags = IF_ANY),
	{0},
};

static struct err *delete_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	const struct file_write w = {.op = "remove", .if_match = args->ifMatch, .existing = true};
	struct result *r = out;
	struct file_ref ref;

	/* Outside the garden too: without a record nothing could be undone. */
	if (!f->events && c->conf->undo_days) {
		f->events = files_event_recorder_new(c, f);
		TRY(audit_ids_for_event(c->a, &args->audit, &f->events->ids));
	}
	TRY(file_ref_resolve(f, args->path, &ref));
	r->ok = true;
	return file_put(f, &ref, &w, (struct str){0}, &r->done);
}

static struct err *delete_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {.audit = &args->audit, .path = args->path, .run = delete_do};

	return files_run_write_tool(c, &w, p, out);
}

static struct err *delete_refused(struct call *c, const void *p, struct err *why)
{
	const struct args *args = p;
	const struct saga_attempt q = {.op = "remove", .path = args->path};

	return files_record_refusal(c, &args->audit, &q, why);
}

const struct cmd cmd_delete = {
	.name = "delete",
	.summary = "remove a file or stored asset",
	.expose = EXPOSE_MAINTAINER,
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = delete_run,
	.refused = delete_refused,
	.template =
		TEMPLATE_WARNINGS "{?event:{2:to undo: ikm events undo --maintainer {event}\n}}",
};
