/* mem delete: removes memories (requirement: memory and knowledge, memory_delete). */
#include "memories/memories.h"
#include "cmd/result_template.h"
#include "reply/ask_person.h"

#define LISTED_MAX 20 /* memories that are listed before the question */

struct choosing {
	struct call *c;
	struct strs *ids;
	bool list;
};

static struct err *choose_one(void *ctx, struct arena *a, const struct memory *one)
{
	struct choosing *w = ctx;

	(void)a;
	if (w->list && w->ids->n < LISTED_MAX)
		mem_print(w->c, one);
	strs_push(w->c->a, w->ids, str_dup(w->c->a, one->id));
	return NULL;
}

struct args {
	struct audit audit;
	struct strs memoryIds;
	struct str memoryId;
	struct mem_filter filter;
	bool yes;
};

static const struct param params[] = {
	PARAM(memoryId, .flags = JSON_ONLY | REQUIRED, .min = 1, .max = 256,
	      .help = "ID of the memory to delete"),
	PARAM(memoryIds, .flags = ARG, .meta = "id", .min = 1, .max = 256,
	      .complete = memory_ids_complete,
	      .help = "ids of memories, or unique prefixes; ikm deletes all of them or none"),
	PARAMS_FILTER(CLI_ONLY),
	PARAM(yes, .letter = 'y', .flags = CLI_ONLY,
	      .help = "remove what the options choose; without it ikm only lists it, or asks"),
	PARAMS_AUDIT,
	{0},
};

struct deleted {
	struct str id, content, event;
	struct str supersedes; /* no member of the result */
};
struct result {
	bool success;
	struct str message;
	struct deleted first;
	struct VEC(struct deleted) deleted;
	struct mem_revived_list revived;
	size_t matches;
	bool replayed;
};

static const struct field deleted_fields[] = {
	FIELD_AS(struct deleted, id, "memoryId", "the id of the deleted memory"),
	FIELD_OF(struct deleted, content, "the beginning of its content"),
	FIELD_OF(struct deleted, event, "the record of the change, for undo", .flags = IF_ANY),
	{0},
};

static bool delete_is_one(const void *p)
{
	return ((const struct result *)p)->deleted.n == 1;
}
static bool delete_is_several(const void *p)
{
	return ((const struct result *)p)->deleted.n > 1;
}

static const struct field result[] = {
	FIELD(success, "the memories are deleted"),
	FIELD(message, "the result as a sentence"),
	FIELD_AS(struct result, first.id, "memoryId", "the id of the deleted memory",
		 .flags = OPTIONAL, .given = delete_is_one),
	FIELD_AS(struct result, first.content, "content", "the beginning of its content",
		 .flags = OPTIONAL, .given = delete_is_one),
	FIELD_AS(struct result, first.event, "event", "the record of the change, for undo",
		 .flags = IF_ANY),
	FIELD_RECORDS(struct result, deleted, "deleted", deleted_fields,
		      "the deleted memories, when there are several", .flags = OPTIONAL,
		      .given = delete_is_several),
	FIELD_REVIVED(struct result),
	FIELD_REPLAYED(replayed),
	FIELD(matches, "how many memories the options choose; none is deleted without --yes",
	      .flags = IF_ANY),
	{0},
};

#define SHOWN_MAX 200 /* bytes of the content in the result */
/* Others may write between two transactions of so many deletions. */
#define BATCH 256

/* ---- deleting ---- */

static struct err *delete_ids(struct call *c, struct memories *m, const struct strs *ids,
			      struct result *r)
{
	struct memory_list gone;
	struct strs events;

	TRY(memory_delete_by_ids(m, c->a, ids, &gone, &events));
	for (size_t i = 0; i < gone.n; i++)
		*VEC_PUSH(c->a, &r->deleted) = (struct deleted){
			gone.p[i].id, str_utf8_head(gone.p[i].content, SHOWN_MAX),
			i < events.n ? events.p[i] : STR(""), gone.p[i].supersedes};
	return NULL;
}

static struct err *delete_chosen(struct call *c, const struct args *args, struct memories *m,
				 struct result *r)
{
	const struct memory_filter f = mem_filter_of(&args->filter);
	struct strs ids = {0};
	/* Without --yes a person sees the first of them, and is asked. */
	struct choosing w = {.c = c, .ids = &ids, .list = !args->yes && cmd_emits_text(c)};
	bool yes = args->yes;

	TRY(memory_each(m, &f, choose_one, &w));
	if (!yes && ids.n > LISTED_MAX)
		out_fmt(c->out, "and %zu more\n", ids.n - LISTED_MAX);
	if (!yes && ids.n && confirm_can_ask(c))
		TRY(confirm(c,
			    str_c(c->a, str_fmt(c->a, "remove %zu %s?", ids.n,
						ids.n == 1 ? "memory" : "memories")),
			    &yes));
	r->matches = yes ? 0 : ids.n;
	for (size_t i = 0; yes && i < ids.n; i += BATCH) {
		struct strs some = {.p = ids.p + i, .n = size_min(BATCH, ids.n - i)};
		struct err *e = delete_ids(c, m, &some, r);

		if (e)
			return err_add_context(e, "after %zu of %zu memories", r->deleted.n, ids.n);
	}
	return NULL;
}

static struct err *delete_named(struct call *c, const struct args *args, struct memories *m,
				struct result *r)
{
	struct strs ids = {0};
	struct memory one;

	if (args->memoryId.n)
		strs_push(c->a, &ids, args->memoryId);
	strs_add_all(c->a, &ids, &args->memoryIds);
	for (size_t i = 0; i < ids.n; i++) {
		TRY(mem_get_for_change(c, m, ids.p[i], false, &one));
		ids.p[i] = one.id;
	}
	return delete_ids(c, m, &ids, r);
}

static struct str delete_message(struct call *c, const struct result *r)
{
	if (r->deleted.n == 1)
		return STR("Memory deleted successfully");
	if (r->deleted.n)
		return str_fmt(c->a, "%zu memories deleted", r->deleted.n);
	if (r->matches)
		return str_fmt(c->a, "%zu %s; nothing is deleted without --yes", r->matches,
			       r->matches == 1 ? "memory matches" : "memories match");
	return STR("no memory matches");
}

static struct err *mem_delete_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct mem_repeat_ask ask = {.audit = &args->audit, .args = p};
	struct result *r = out;
	bool named = args->memoryId.n || args->memoryIds.n,
	     chosen = mem_filter_is_given(&args->filter);
	struct event_replay repeat;
	struct memories *m;

	if (named && chosen)
		return ERR_EXCLUSIVE("ids", "options that choose memories");
	if (!named && !chosen) {
		struct str usage = cmd_usage(c->a, c->cmd);

		return err_help(err_help(err_for_param(E_MISSING_PARAMETER, STR("memoryIds"),
						       "ID is missing: which memories to delete"),
					 "%.*s", STR_ARG(usage)),
				"or choose them by options, such as --tag TAG or --in-session ID");
	}
	/* Options choose other memories the next time, and many are not deleted at once. */
	if (chosen && args->audit.idempotencyKey.n)
		return err_help(
			err_for_param(
				E_BAD_ARGUMENT, STR("idempotencyKey"),
				"idempotencyKey is for ids, not for options that choose memories"),
			"give the ids of the memories, or leave it out");
	TRY(mem_open_change(c, args->filter.layer.bits, &m));
	TRY(mem_idempotent_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed) {
		/* The answer has one memory without the list. */
		if (r->first.id.n)
			*VEC_PUSH(c->a, &r->deleted) = r->first;
		return NULL;
	}
	TRY(named ? delete_named(c, args, m, r) : delete_chosen(c, args, m, r));
	for (size_t i = 0; i < r->deleted.n; i++)
		TRY(mem_revived_add(c, m, r->deleted.p[i].supersedes, &r->revived));
	r->success = r->deleted.n;
	c->negative = !r->success;
	r->message = delete_message(c, r);
	if (r->deleted.n == 1)
		r->first = r->deleted.p[0];
	return mem_idempotent_end(c, m, &repeat, r);
}

static void mem_delete_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	for (size_t i = 0; i < r->deleted.n; i++) {
		struct str text = r->deleted.p[i].content, line = text;

		out_puts(c->out, "deleted ");
		out_styled(c->out, OUT_BOLD, r->deleted.p[i].id);
		if (r->deleted.n == 1)
			out_fmt(c->out,
				"; to undo, before any 'ikm mem purge': ikm mem restore %.*s",
				STR_ARG(r->first.id));
		str_next_line(&text, &line);
		out_puts(c->out, "\n  ");
		out_safe_line(c->out, line);
	}
	if (r->deleted.n > 1)
		out_fmt(c->err,
			"%zu memories deleted; to undo, before any 'ikm mem purge': "
			"ikm mem restore ID\n",
			r->deleted.n);
	else if (!r->deleted.n)
		out_fmt(c->err, "%.*s\n", STR_ARG(r->message));
	template_print_record(c, TEMPLATE_REVIVED, result, r);
}

const struct cmd cmd_mem_delete = {
	.name = "mem delete",
	.tool = "memory_delete",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "remove memories",
	.description = "Delete a memory that is no longer relevant or was stored incorrectly. Use "
		       "this sparingly: memories usually remain valuable for context.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_delete_run,
	.text = mem_delete_text,
};
