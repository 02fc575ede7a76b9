/* events query: lists the changes that tools made, newest first (requirement: garden,
 * events.query). */
#include "common/event_result.h"
#include "file/undo.h"
#include "common/time_param.h"

struct args {
	struct str path, op, agent, user, session, tool, text, since, until, before;
	int status;
	int64_t limit;
};

static const struct param params[] = {
	PARAM(path, .letter = 'p', .flags = PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "only changes of this file or stored asset, or in this folder"),
	PARAM(op, .min = 1, .max = 64,
	      .help = "only this kind: write, edit, append, patch, compact, move, undo and so on"),
	PARAM(agent, .option = "by-agent", .meta = "id", .max = 256,
	      .help = "only changes by this agent"),
	PARAM(user, .option = "by-user", .meta = "id", .max = 256,
	      .help = "only changes by this user"),
	PARAM(session, .option = "in-session", .meta = "id", .max = 256,
	      .help = "only changes in this conversation"),
	PARAM(tool, .min = 1, .max = 64, .help = "only changes by this tool"),
	PARAM(status, .choices = event_statuses, .help = "only changes with this status"),
	PARAM(text, .letter = 't', .min = 1, .max = 4096,
	      .help = "only with this text in path, op, tool or error; case is ignored"),
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "the earliest time: " WHEN_HELP),
	PARAM(until, .meta = "time", .min = 1, .max = 64,
	      .help = "only changes from before this time"),
	PARAM(before, .meta = "id", .min = 1, .max = 64, .page = "event_id",
	      .help = "only events older than this one (the next page)"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000,
	      .help = "maximum number of events"),
	{0},
};

struct result {
	struct event_list rows;
	struct str next;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, rows, "rows", event_fields, "the events, newest first"),
	FIELD(next, "pass it as before to get the next page", .flags = IF_ANY),
	{0},
};

/* The path as it is recorded: without links, even if the file is gone. */
static struct err *recorded_path(struct call *c, struct files *f, struct str text, struct str *out)
{
	bool asset = str_starts(text, STR(ASSET_SCHEME));
	const char *whole, *real, *dir;
	struct file_ref r;
	size_t slash;

	*out = text;
	if (!text.p || str_is(text, ASSET_SCHEME "/"))
		return NULL;
	if (asset && str_ends(text, STR("/")))
		text = str_sub(text, 0, text.n - 1);
	TRY(file_ref(f, text, &r));
	if (asset) {
		*out = asset_uri(c->a, r.path);
		return NULL;
	}
	whole = text.p[0] == '/' ? str_c(c->a, text) : os_join(c->a, c->cwd, str_c(c->a, text));
	*out = str_of(whole);
	if (!os_realpath(c->a, whole, &real)) {
		*out = str_of(real);
		return NULL;
	}
	slash = str_rfind_char(*out, '/');
	dir = str_c(c->a, str_sub(*out, 0, size_max(slash, 1)));
	if (!os_realpath(c->a, dir, &real))
		*out = str_of(os_join(c->a, real, whole + slash + 1));
	return NULL;
}

static struct err *events_query_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct event_filter f = {
		.op = args->op,
		.agent = args->agent,
		.user = args->user,
		.session = args->session,
		.tool = args->tool,
		.text = args->text,
		.status = args->status,
		.before_id = args->before,
		.limit = (size_t)args->limit + 1,
	};
	struct result *r = out;
	struct files *files;

	TRY(events_open(c, &files));
	TRY(recorded_path(c, files, args->path, &f.path));
	TRY(when_read(args->since, "since", &f.since));
	TRY(when_read(args->until, "until", &f.until));
	TRY(event_query(files->events, c->a, &f, &r->rows));
	if (r->rows.n > (size_t)args->limit) {
		r->rows.n = (size_t)args->limit;
		r->next = r->rows.p[r->rows.n - 1].id;
	}
	for (size_t i = 0; i < r->rows.n; i++) {
		/* An event that cannot be settled now stays pending: its folder is gone, or we have
		 * no permission. */
		struct err *unsettled = file_settle(files, &r->rows.p[i]);

		(void)unsettled;
	}
	return NULL;
}

static void events_query_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct event *e = &r->rows.p[i];

		out_fmt(c->out, "%.*s  %.*s  %-9s  %-8.*s ", STR_ARG(e->id),
			STR_ARG(os_time_text(c->a, e->time, true)), event_statuses[e->status],
			STR_ARG(e->op));
		out_styled(c->out, OUT_BOLD, e->path);
		if (e->path_to.n) {
			out_puts(c->out, " -> ");
			out_styled(c->out, OUT_BOLD, e->path_to);
		}
		out_puts(c->out, "  ");
		out_safe(c->out, e->agent, false);
		out_puts(c->out, "\n");
	}
	if (!r->rows.n)
		out_puts(c->err, "no events\n");
	else if (r->next.n)
		out_fmt(c->err, "more events: add --before %.*s\n", STR_ARG(r->next));
}

const struct cmd cmd_events_query = {
	.name = "events query",
	.tool = "events_query",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list changes that tools made, newest first",
	.description = "List recorded changes of files and stored assets, newest first: agent, "
		       "time, tool, and the hashes before and after.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_query_run,
	.text = events_query_text,
};
