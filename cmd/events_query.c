/* events query: what tools changed, newest first (requirement: garden, events.query). */
#include "common/event_result.h"
#include "file/undo.h"
#include "common/time_param.h"

static const char *const statuses[] = EVENT_STATUSES;

struct args {
	struct str path, op, agent, user, session, tool, text, since, until, before;
	int status;
	int64_t limit;
};

static const struct param params[] = {
	PARAM(path, .letter = 'p', .flags = PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "of this file or stored asset, or of what is in this folder"),
	PARAM(op, .min = 1, .max = 64,
	      .help = "of this kind: write, edit, append, patch, compact, move, undo and so on"),
	PARAM(agent, .option = "by-agent", .meta = "id", .max = 256, .help = "of this agent"),
	PARAM(user, .option = "by-user", .meta = "id", .max = 256, .help = "of this user"),
	PARAM(session, .option = "in-session", .meta = "id", .max = 256,
	      .help = "of this conversation"),
	PARAM(tool, .min = 1, .max = 64, .help = "by this tool"),
	PARAM(status, .choices = statuses, .help = "of this status"),
	PARAM(text, .letter = 't', .min = 1, .max = 4096,
	      .help = "with this text in path, op, tool or error, in any case of letters"),
	PARAM(since, .meta = "time", .min = 1, .max = 64, .help = "not before: " WHEN_HELP),
	PARAM(until, .meta = "time", .min = 1, .max = 64, .help = "before"),
	PARAM(before, .meta = "id", .min = 1, .max = 64, .page = "event_id",
	      .help = "older than this event: the next page"),
	PARAM(limit, .letter = 'n', .def = "50", .min = 1, .max = 10000, .help = "how many"),
	{0},
};

static const struct field result[] = {
	{"rows", "the events, newest first", F_LIST, .sub = event_fields},
	{"next", "give it as before to get the next page", F_STR, OPTIONAL},
	{0},
};

/* As it is recorded: without links, though what is asked for may be gone. */
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

static struct err *events_query_run(struct call *c, const void *p, struct val **out)
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
	struct event_list all;
	struct files *files;
	struct val *rows;
	size_t n;

	TRY(events_open(c, &files));
	TRY(recorded_path(c, files, args->path, &f.path));
	TRY(when_read(args->since, "since", &f.since));
	TRY(when_read(args->until, "until", &f.until));
	TRY(event_query(files->events, c->a, &f, &all));
	n = size_min(all.n, (size_t)args->limit);
	*out = val_map(c->a);
	rows = val_set(c->a, *out, "rows", val_list(c->a));
	for (size_t i = 0; i < n; i++) {
		/* What cannot be settled now (its folder is gone, or not ours to touch) stays
		 * pending. */
		struct err *unsettled = file_settle(files, &all.p[i]);

		(void)unsettled;
		val_add(rows, event_val(c->a, &all.p[i]));
	}
	if (all.n > n)
		val_set(c->a, *out, "next", val_str(c->a, all.p[n - 1].id));
	return NULL;
}

static void events_query_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "rows"), v) {
		struct str status = val_get_str(v, "status");

		out_fmt(c->out, "%.*s  %.*s  %-9.*s  %-8.*s ", STR_ARG(val_get_str(v, "event_id")),
			STR_ARG(val_get_str(v, "ts")), STR_ARG(status),
			STR_ARG(val_get_str(v, "op")));
		out_styled(c->out, OUT_BOLD, val_get_str(v, "path"));
		if (val_get(v, "path_to")) {
			out_puts(c->out, " -> ");
			out_styled(c->out, OUT_BOLD, val_get_str(v, "path_to"));
		}
		out_puts(c->out, "  ");
		out_safe(c->out, val_get_str(v, "agent_id"), false);
		out_puts(c->out, "\n");
	}
	if (!val_get(r, "rows")->n)
		out_puts(c->err, "no events\n");
	else if (val_get(r, "next"))
		out_fmt(c->err, "there are more: --before %.*s\n", STR_ARG(val_get_str(r, "next")));
}

const struct cmd cmd_events_query = {
	.name = "events query",
	.tool = "events_query",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list what tools changed, newest first",
	.description = "List recorded changes of files and stored assets, newest first: who, when, "
		       "with which tool, from which content to which.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = events_query_run,
	.text_val = events_query_text,
};
