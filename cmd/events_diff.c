/* events diff: what the changes of a conversation, or since a time, did to each file: one diff. */
#include "common/memory_session.h"
#include "common/plain.h"
#include "app/warnings.h"

struct args {
	struct str session, since, path;
};

static const struct param params[] = {
	PARAMS_EVENT_SESSION,
	{0},
};

struct diff_file {
	struct str path, from;
	size_t events;
	const char *status;
	bool later;
};

static const char *const statuses[] = {"created", "changed", "removed", "unchanged", NULL};
enum { CREATED, CHANGED, REMOVED, UNCHANGED };

#define DIFF_FILE(...) FIELD_OF(struct diff_file, __VA_ARGS__)
static const struct field diff_file_fields[] = {
	DIFF_FILE(path, "the file or asset"),
	DIFF_FILE(from, "its name before", .flags = IF_ANY),
	DIFF_FILE(status, "what was done with it", .choices = statuses),
	DIFF_FILE(events, "the number of changes"),
	DIFF_FILE(later, "somebody changed it since; the diff ends before that", .flags = IF_ANY),
	{0},
};

struct result {
	struct str diff;
	struct {
		struct diff_file *p;
		size_t n, cap;
	} files;
	struct mem_session_changes memories;
	bool others;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD(diff, "a unified diff of all changes"),
	FIELD_RECORDS(struct result, files, "files", diff_file_fields, "every changed file"),
	FIELD_RECORDS(struct result, memories, "memories", mem_session_fields,
		      "every change of a memory", .flags = IF_ANY),
	FIELD_EVENT_OTHERS,
	FIELD(warnings,
	      "files whose contents are not kept, or are no text, or are in another repository",
	      .flags = IF_ANY),
	{0},
};

static int diff_status(const struct session_file *s)
{
	if (str_eq(s->first, s->last))
		return s->from.n ? CHANGED : UNCHANGED;
	return !s->first.n ? CREATED : !s->last.n ? REMOVED : CHANGED;
}

static const char *diff_left_out(const struct session_file *s)
{
	if (s->before.hash.n && !s->before.content.p)
		return "its content before the changes is not kept any more";
	if (s->after.hash.n && !s->after.content.p)
		return "its content after the changes is not kept, and somebody changed it since";
	return "it is no text";
}

static struct err *events_diff_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct event_session_ask q = {
		.session = args->session, .since = args->since, .path = args->path};
	struct result *r = out;
	struct session_files all;
	struct event_filter filter;
	struct buf b = buf_in(c->a);
	struct files *f;
	struct str one;

	TRY(events_open(c, &f));
	TRY(event_session_filter(c, f, &q, &filter, &r->others));
	TRY(session_changes(f, &filter, &all));
	r->warnings = all.left_out;
	for (size_t i = 0; i < all.n; i++) {
		const struct session_file *s = &all.p[i];
		int status = diff_status(s);

		*VEC_PUSH(c->a, &r->files) = (struct diff_file){
			.path = s->path,
			.from = s->from,
			.events = s->events,
			.status = statuses[status],
			.later = s->later,
		};
		TRY(event_session_diff(c->a, s->from.n ? s->from : s->path, &s->before, s->path,
				       &s->after, &one));
		buf_put(&b, one);
		if (!one.n && !str_eq(s->first, s->last))
			strs_push(c->a, &r->warnings,
				  str_fmt(c->a, "'%.*s' was %s, and is not in the diff: %s",
					  STR_ARG(str_utf8(c->a, s->path)), statuses[status],
					  diff_left_out(s)));
	}
	r->diff = str_utf8(c->a, buf_str(&b));
	return mem_session_changes(c, &filter, &r->memories);
}

static void events_diff_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_safe(c->out, r->diff, true);
	for (size_t i = 0; i < r->files.n; i++) {
		const struct diff_file *f = &r->files.p[i];

		out_fmt(c->err, "%-9s ", f->status);
		out_safe(c->err, f->path, false);
		if (f->from.n) {
			out_puts(c->err, " from ");
			out_safe(c->err, f->from, false);
		}
		out_fmt(c->err, ", %zu change%s%s\n", f->events, f->events == 1 ? "" : "s",
			f->later ? "; somebody changed it since" : "");
	}
	for (size_t i = 0; i < r->memories.n; i++) {
		const struct mem_session_change *m = &r->memories.p[i];

		out_fmt(c->err, "%-9.*s %.*s  ", STR_ARG(m->op), STR_ARG(m->id));
		out_safe(c->err, str_sub(m->content, 0, size_min(60, m->content.n)), false);
		out_puts(c->err, "\n");
	}
	if (!r->files.n && !r->memories.n)
		out_puts(c->err, "no changes\n");
	event_session_others(c, r->others);
	warnings_print(c, &r->warnings);
}

static void events_diff_plain(struct arena *a, struct buf *b, const struct val *v)
{
	(void)a;
	VAL_EACH(val_get(v, "files"), f)
		buf_fmt(b, "%.*s: %.*s%s\n", STR_ARG(val_get_str(f, "path")),
			STR_ARG(val_get_str(f, "status")),
			val_get(f, "later") ? "; somebody changed it since" : "");
	if ((!val_get(v, "files") || !val_get(v, "files")->n) && !val_get(v, "memories"))
		buf_puts(b, "no changes\n");
	plain_others(b, v);
}

static const struct plain diff_plain = {
	.body = "diff",
	.print = events_diff_plain,
	.shown = "files others",
};

const struct cmd cmd_events_diff = {
	.name = "events diff",
	.tool = "events_diff",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS,
	.summary = "show all changes of a conversation as one diff",
	.description =
		"Show what recorded changes of this conversation did, as one diff: all of them, "
		"since a time, or of a file. events_undo with the same time or file takes them "
		"back.",
	.need = NEED_ROOTS | NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = events_diff_run,
	.text = events_diff_text,
	.plain = &diff_plain,
};
