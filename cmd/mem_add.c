/* mem add: stores a memory (requirement: memory and knowledge, memory_add). */
#include "json/json.h"
#include "memories/memories.h"
#include "reply/plain_for_model.h"
#include "reply/time_param.h"

struct args {
	struct audit audit;
	struct str content, type, source, happened, expires, supersedes, speaker;
	struct strs tags, files;
	const struct val *metadata;
	double importance, confidence;
	int64_t turn;
	int layer, kind, redaction, status, provenance;
	bool anyway;
};

/* Only a person's command line may claim to be the person. */
static bool mem_add_offers_provenance(const struct conf *conf, size_t choice)
{
	(void)conf;
	return choice != MEMORY_BY_USER;
}

static const struct param params[] = {
	PARAM(content, .flags = ARG | REQUIRED | STDIN | OR_STDIN | WORDS, .meta = "text",
	      .help = "The content to remember"),
	PARAM(layer, .also = "scope", .letter = 'l', .choices = memory_layers, .def = "user",
	      .flags = CONFIGURED, .offers = mem_offers_layer,
	      .help = "Memory scope; a correction keeps its scope"),
	PARAM(tags, .letter = 't', .option = "tag", .meta = "tag", .max = MEMORY_TAG_MAX,
	      .help = "Tags for categorization"),
	PARAM(metadata, .flags = RARE, .meta = "json", .help = "Additional metadata"),
	PARAM(kind, .letter = 'k', .choices = memory_kinds_added, .def = "fact",
	      .help = "the kind of memory"),
	PARAM(type, .flags = RARE, .meta = "word", .min = 1, .max = MEMORY_NAME_MAX,
	      .help = "its type, such as observation, user_preference or goal"),
	PARAM(source, .flags = RARE, .meta = "text", .min = 1, .max = MEMORY_NAME_MAX,
	      .help = "its source"),
	PARAM(files, .letter = 'f', .option = "file", .meta = "path[:lines]", .flags = RARE | PATHS,
	      .min = 1, .max = OS_PATH_MAX,
	      .help = "a file of the repository that it speaks of, with :A or :A:B only these "
		      "lines; ikm says when they have changed"),
	PARAM(importance, .def = "0.5", .flags = RARE | CONFIGURED, .min = 0, .max = 1,
	      .help = "its importance"),
	PARAM(confidence, .flags = RARE, .min = 0, .max = 1,
	      .help = "how sure it is; default: by kind"),
	PARAM(redaction, .flags = RARE, .choices = memory_redactions, .def = "internal",
	      .help = "sensitive: only for tools that may see sensitive memories"),
	PARAM(provenance, .flags = RARE, .offers = mem_add_offers_provenance,
	      .choices = memory_provenances_said, .tool_help = "who said it; default: agent",
	      .help = "who said it; default: user on a command line, agent elsewhere"),
	PARAM(happened, .flags = RARE, .meta = "time", .min = 1, .max = 64,
	      .help = "when it happened; default: now"),
	PARAM(expires, .flags = RARE, .meta = "time", .min = 1, .max = 64,
	      .help = "when it expires: a date, a time, or 12h, 7d, 2w from now"),
	PARAM(supersedes, .meta = "id", .min = 1, .max = 256,
	      .help = "the id of the memory that this corrects"),
	PARAM(speaker, .flags = RARE, .meta = "name", .min = 1, .max = MEMORY_NAME_MAX,
	      .help = "who speaks, in a conversation"),
	PARAM(turn, .flags = RARE, .meta = "number", .min = 1, .max = 1000000000,
	      .help = "the number of the turn in the conversation"),
	PARAM(status, .flags = RARE, .choices = memory_statuses,
	      .help = "the status of a scratch note; default: active"),
	PARAM(anyway, .flags = CLI_ONLY,
	      .help = "store it also when a person has rejected it before"),
	PARAMS_AUDIT,
	{0},
};

struct result {
	bool success;
	struct str memoryId;
	struct str message;
	struct memory_told told;
	struct str event;
	bool replayed;
};

static const struct field result[] = {
	FIELD(success, "the memory is stored"),
	FIELD(memoryId, "its id"),
	FIELD(message, "the result as a sentence"),
	FIELD_AS(struct result, told.existing, "existing",
		 "the same memory existed; new members were added to it", .flags = IF_ANY),
	FIELD_AS(struct result, told.merged, "merged", "members that changed the existing memory",
		 .flags = IF_ANY),
	FIELD_AS(struct result, told.kept, "kept",
		 "members that differ; the existing memory keeps its values", .flags = IF_ANY),
	FIELD_AS(struct result, told.inherited, "inherited",
		 "members that were copied from the superseded memory", .flags = IF_ANY),
	FIELD_MEMORY_EVENT(struct result),
	FIELD_REPLAYED(replayed),
	{0},
};

/* Only a person's command line may claim to be the person. */
static struct err *provenance_of(const struct call *c, int said, enum memory_provenance *out)
{
	bool person = c->face == FACE_ARGV;
	struct strs others = strs_of(c->a, memory_provenances_said + 1);

	*out = said >= 0 ? (enum memory_provenance)said : person ? MEMORY_BY_USER : MEMORY_BY_AGENT;
	if (person || *out != MEMORY_BY_USER)
		return NULL;
	return err_for_param(
		E_BAD_ARGUMENT, STR("provenance"),
		"provenance is 'user', which only a command line can say; allowed: %.*s",
		STR_ARG(str_join(c->a, &others, ", ")));
}

/* A correction goes to the layer of the memory that it corrects. */
static struct err *open_for(struct call *c, const struct args *args, struct memories **m,
			    enum memory_layer *layer)
{
	struct memory old;

	*layer = args->layer < 0 ? MEMORY_USER : (enum memory_layer)args->layer;
	if (args->layer >= 0 || !args->supersedes.p)
		return mem_open_change(c, 1u << *layer, m);
	TRY(mem_open_change(c, 0, m));
	TRY(memory_get(*m, c->a, args->supersedes, false, &old));
	*layer = old.layer;
	return NULL;
}

static struct err *mem_add_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memory one = {
		.kind = (enum memory_kind)args->kind,
		.type = args->type,
		.content = args->content,
		.tags = args->tags,
		.metadata = args->metadata ? json_text(c->a, args->metadata) : STR(""),
		.source = args->source,
		.importance = isnan(args->importance) ? -1 : args->importance,
		.confidence = isnan(args->confidence) ? -1 : args->confidence,
		.redaction = (enum memory_redaction)args->redaction,
		.status = args->status < 0 ? MEMORY_ACTIVE : (enum memory_status)args->status,
		.speaker = args->speaker,
		.turn = args->turn,
		.supersedes = args->supersedes,
	};
	struct mem_repeat_ask ask = {.audit = &args->audit, .args = p};
	struct event_replay repeat;
	struct memories *m;
	struct memory done;
	struct memory_file *files;

	/* echo and here-documents add a newline, which is not part of the statement. */
	if (c->face == FACE_ARGV && str_ends(one.content, STR("\n")))
		one.content.n--;
	TRY(provenance_of(c, args->provenance, &one.provenance));
	TRY(when_read_nonzero(args->happened, "happened", &one.happened));
	TRY(when_read_future(args->expires, "expires", &one.expires));
	TRY(open_for(c, args, &m, &one.layer));
	ask.layers = 1u << one.layer;
	TRY(mem_idempotent_begin(c, m, &ask, r, &repeat));
	if (repeat.replayed)
		return NULL;
	files = arena_array(c->a, args->files.n + 1, sizeof(*files));
	for (size_t i = 0; i < args->files.n; i++)
		TRY(memory_file_from_spec(m->ground, c->a, c->roots, c->cwd, args->files.p[i],
					  &files[i]));
	if (args->files.n)
		one.files = memory_files_val(c->a, files, args->files.n);
	TRY(memory_ties_set_commit(m->ground, &one));
	TRY((args->anyway ? memory_add_even_if_rejected : memory_add)(m, c->a, &one, &done,
								      &r->told));
	r->success = true;
	r->event = m->event;
	r->memoryId = done.id;
	r->message =
		r->told.existing ? STR("Memory exists already") : STR("Memory stored successfully");
	return mem_idempotent_end(c, m, &repeat, r);
}

/* A model needs the id, and what differs from what it asked for. */
static const struct plain mem_add_plain = {
	.template = "{memoryId}\n{?existing:it existed already\n}{?merged:added to it: {merged}\n}"
		    "{?kept:it kept its own: {kept}\n}"
		    "{?inherited:copied from the superseded memory: {inherited}\n}",
	.hidden = "success message event",
};

const struct cmd cmd_mem_add = {
	.name = "mem add",
	.tool = "memory_add",
	.toolset = SET_MEMORY,
	.traits = TOOL_ADDS | TOOL_CORE,
	.summary = "store a memory",
	.description = "Store a piece of information in memory for future reference: user "
		       "preferences, project context, decisions, or anything that should persist "
		       "across sessions. To correct what is remembered, give supersedes.",
	.need = NEED_CONF | MAY_GIT | NEED_ROOTS,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_add_run,
	.template = "{*memoryId}\n{2:{?existing:ikm: the memory existed already\n}"
		    "{?merged:ikm: added to it: {merged}\n}{?kept:ikm: it kept its own: {kept}\n}"
		    "{?inherited:ikm: copied from the superseded memory: {inherited}\n}}",
	.plain = &mem_add_plain,
};
