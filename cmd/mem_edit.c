/* mem edit: changes members of a memory, but not its text. */
#include "memories/memories.h"
#include "reply/time_param.h"

struct args {
	struct audit audit;
	struct str memoryId, source, expires;
	struct strs addTags, removeTags;
	const struct val *metadata;
	double importance, confidence;
	int layer, redaction;
};

static const struct param params[] = {
	PARAM_MEMORY(struct args),
	PARAM(addTags, .letter = 't', .option = "tag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .also = "tags", .help = "tags to add"),
	PARAM(removeTags, .letter = 'T', .option = "untag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .help = "tags to remove"),
	PARAM(importance, .min = 0, .max = 1, .help = "its importance"),
	PARAM(confidence, .min = 0, .max = 1, .help = "how sure it is"),
	PARAM(redaction, .choices = memory_redactions,
	      .help = "how confidential it is; only a person may make it less confidential"),
	PARAM(expires, .meta = "time", .min = 1, .max = 64,
	      .help = "when it expires: a date, a time, 12h or 7d from now, or never"),
	PARAM(metadata, .flags = RARE, .meta = "json",
	      .help = "keys to set in its metadata; null removes a key"),
	PARAM(source, .flags = RARE, .meta = "text", .max = MEMORY_NAME_MAX,
	      .help = "its source; empty: none"),
	PARAM(layer, .letter = 'l', .choices = memory_layers, .help = "the layer to move it to"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool success;
	struct memory memory;
	struct memory_edited told;
	struct str event;
	bool replayed;
};

static const struct field result[] = {
	FIELD(success, "the memory has these members"),
	FIELD_RECORD(struct result, memory, "memory", memory_shown, "the memory after the change"),
	FIELD_AS(struct result, told.changed, "changed",
		 "members that changed; none: it was like this already"),
	FIELD_AS(struct result, told.absent, "absent", "tags to remove that it did not have",
		 .flags = IF_ANY),
	FIELD_MEMORY_EVENT(struct result),
	FIELD_REPLAYED(replayed),
	{0},
};

#define EDIT_TEXT "a text never changes; replace it: ikm mem add TEXT --supersedes"

static struct err *mem_edit_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memory_edit how = {
		.add_tags = args->addTags,
		.remove_tags = args->removeTags,
		.importance = isnan(args->importance) ? -1 : args->importance,
		.confidence = isnan(args->confidence) ? -1 : args->confidence,
		.layer = args->layer,
		.redaction = args->redaction,
		.source = args->source,
		.metadata = args->metadata,
		.may_publish = c->face == FACE_ARGV,
	};
	struct mem_repeat_ask ask = {
		.audit = &args->audit,
		.layers = args->layer < 0 ? 0 : 1u << args->layer,
		.args = p,
	};
	struct event_replay repeat;
	struct memories *m;
	struct memory one;

	if (!args->addTags.n && !args->removeTags.n && !args->metadata && !args->source.p &&
	    !args->expires.p && isnan(args->importance) && isnan(args->confidence) &&
	    args->layer < 0 && args->redaction < 0) {
		struct str usage = cmd_usage(c->a, c->cmd);

		return err_help(err_help(err_new(E_MISSING_PARAMETER,
						 "nothing is given to change in the memory"),
					 "%.*s", STR_ARG(usage)),
				EDIT_TEXT " %.*s", STR_ARG(args->memoryId));
	}
	how.expires.given = args->expires.p;
	if (!str_is(args->expires, "never"))
		TRY(when_read_future(args->expires, "expires", &how.expires.n));
	TRY(mem_open_change(c, ask.layers, &m));
	TRY(mem_idempotent_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed)
		return NULL;
	TRY(mem_get_for_change(c, m, args->memoryId, false, &one));
	r->success = true;
	TRY(memory_edit_members(m, c->a, one.id, &how, &r->memory, &r->told));
	r->event = m->event;
	return mem_idempotent_end(c, m, &repeat, r);
}

static void mem_edit_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	mem_print(c, &r->memory);
	if (r->told.changed.n)
		out_fmt(c->out, "  changed: %.*s\n",
			STR_ARG(str_join(c->a, &r->told.changed, ", ")));
	else
		out_puts(c->err, "nothing changed: it was like this already\n");
	for (size_t i = 0; i < r->told.absent.n; i++) {
		out_puts(c->err, "it did not have the tag '");
		out_safe(c->err, r->told.absent.p[i], false);
		out_puts(c->err, "'\n");
	}
}

const struct cmd cmd_mem_edit = {
	.name = "mem edit",
	.surplus = EDIT_TEXT " ID",
	.tool = "memory_edit",
	.toolset = SET_MEMORY,
	.traits = TOOL_IDEMPOTENT,
	.summary = "change tags, importance, expiry and the like of a memory",
	.description =
		"Change tags, importance, confidence, redaction, expiry, metadata, source or "
		"layer of a memory. Its text never changes: to correct it, call memory_add "
		"with supersedes.",
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_edit_run,
	.text = mem_edit_text,
};
