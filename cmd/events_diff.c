/* events diff: what the changes of a conversation, or since a time, did to each file: one diff. */
#include "memories/conversation_changes.h"
#include "reply/plain_for_model.h"
#include "app/print_warnings.h"

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
	bool later, others, byHand;
};

static const char *const statuses[] = {"created", "changed", "removed", "unchanged", NULL};
enum { CREATED, CHANGED, REMOVED, UNCHANGED };

#define DIFF_FILE(...) FIELD_OF(struct diff_file, __VA_ARGS__)
static const struct field diff_file_fields[] = {
	DIFF_FILE(path, "the file or asset"),
	DIFF_FILE(from, "its name before", .flags = IF_ANY),
	DIFF_FILE(status, "what was done with it", .choices = statuses),
	DIFF_FILE(events, "the number of changes"),
	DIFF_FILE(byHand, "between these changes it was changed by no event; the diff has that too",
		  .flags = IF_ANY),
	DIFF_FILE(others,
		  "between these changes others changed it by events; the diff has that too",
		  .flags = IF_ANY),
	DIFF_FILE(later, "somebody changed it since; the diff ends before that", .flags = IF_ANY),
	{0},
};

/* A change of a memory that is in place. */
struct mem_change {
	struct str id, op, event;
	struct str content; /* of the memory now; empty: it is deleted */
};
#define CHANGE(...) FIELD_OF(struct mem_change, __VA_ARGS__)
static const struct field mem_change_fields[] = {
	FIELD_AS(struct mem_change, id, "memoryId", "the memory"),
	CHANGE(op, "what was done with it"),
	CHANGE(event, "the event"),
	CHANGE(content, "its text now; missing: it is deleted", .flags = IF_ANY),
	{0},
};

struct result {
	struct str diff;
	struct VEC(struct diff_file) files;
	struct VEC(struct mem_change) memories;
	bool others;
	struct str conversation;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD(diff, "a unified diff of all changes"),
	FIELD_RECORDS(struct result, files, "files", diff_file_fields, "every changed file"),
	FIELD_RECORDS(struct result, memories, "memories", mem_change_fields,
		      "every change of a memory", .flags = IF_ANY),
	FIELD_EVENT_OTHERS,
	FIELD(warnings,
	      "files whose contents are not kept, or are no text, or are in another repository",
	      .flags = IF_ANY),
	{0},
};

static const char *diff_left_out(const struct session_file *s)
{
	if (s->before.hash.n && !s->before.content.p)
		return "its content before the changes is not kept any more";
	if (s->after.hash.n && !s->after.content.p)
		return "its content after the changes is not kept, and somebody changed it since";
	return "it is no text";
}

/* The caller's own changes of memories, oldest first. */
static struct err *diff_memories(struct call *c, const struct event_filter *filter,
				 struct result *r)
{
	struct event_list events;
	struct memories *m;

	TRY(mem_open_change(c, 0, &m));
	TRY(mem_session_events(c, m, filter, &events));
	if (events.n)
		TRY(mem_find_current_project(c, m));
	for (size_t i = events.n; i-- > 0;) {
		const struct event *e = &events.p[i];
		struct memory one = {0};
		struct err *gone;

		mem_session_as(c, m, e);
		gone = memory_get(m, c->a, e->entity_id, false, &one);
		*VEC_PUSH(c->a, &r->memories) = (struct mem_change){
			.id = e->entity_id,
			.op = e->op,
			.event = e->id,
			.content = gone ? STR("") : one.content,
		};
	}
	return NULL;
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

	TRY(event_open_files_recording(c, &f));
	TRY(event_session_make_filter(c, f, &q, &filter, &r->others));
	if (!args->session.n)
		r->conversation = audit_guessed_session_text(c);
	TRY(session_changes(f, &filter, &all));
	r->warnings = all.left_out;
	VEC_EACH(const struct session_file, s, &all) {
		bool same = str_eq(s->first, s->last);
		const char *status = statuses[same          ? (s->from.n ? CHANGED : UNCHANGED)
					      : !s->first.n ? CREATED
					      : !s->last.n  ? REMOVED
							    : CHANGED];

		*VEC_PUSH(c->a, &r->files) = (struct diff_file){
			.path = s->path,
			.from = s->from,
			.events = s->events,
			.status = status,
			.later = s->later,
			.others = s->by_others,
			.byHand = s->by_hand,
		};
		TRY(event_session_diff_two_versions(c->a, s->from.n ? s->from : s->path, &s->before,
						    s->path, &s->after, &one));
		buf_put(&b, one);
		if (!one.n && !same)
			strs_push(c->a, &r->warnings,
				  str_fmt(c->a, "'%.*s' was %s, and is not in the diff: %s",
					  STR_ARG(str_utf8(c->a, s->path)), status,
					  diff_left_out(s)));
	}
	r->diff = str_utf8(c->a, buf_as_str(&b));
	return diff_memories(c, &filter, r);
}

#define DIFF_BETWEEN                                                                               \
	"{?byHand:; the diff has also what no event did, between these changes}"                   \
	"{?others:; the diff has also what others did, between these changes}"

static const struct plain diff_plain = {
	.body = "diff",
	.template =
		"{/files:{path}: {status}" DIFF_BETWEEN "{?later:; somebody changed it since}\n}"
		"{?!files&!^memories:no changes\n}" PLAIN_OTHERS,
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
	.template = "{diff%t}{2:{/files:{status%-9} {path}{?from: from {from}}, {events} change"
		    "{?!events=1:s}" DIFF_BETWEEN "{?later:; somebody changed it since}\n}"
		    "{/memories:{op%-9} {memoryId}  {content%.60}\n}"
		    "{?!files&!memories:no changes\n}" PLAIN_OTHERS "}" TEMPLATE_WARNINGS,
	.plain = &diff_plain,
};
