/* know for: the rules, decisions and memories that bind files, before somebody changes them. */
#include "decisions/know_binds.h"
#include "reply/plain_for_model.h"

#define FOR(member, ...) PARAM_OF(struct binds_args, member, __VA_ARGS__)
static const struct param for_params[] = {
	FOR(paths, .flags = ARG | REQUIRED | PATHS | LIST_OR_ONE, .also = "path", .meta = "PATH",
	    .min = 1, .max = 4096, .help = "files or folders; they need not exist"),
	FOR(tokens, .letter = 't', .min = 1, .max = 1000000, .def = "500",
	    .help = "how many tokens the text may have"),
	FOR(memories, .def = "true", .help = "list memories too"),
	PARAM_KNOWLEDGE(struct binds_args),
	{0},
};

static struct err *know_for_run(struct call *c, const void *args, void *out)
{
	struct binds_result *r = out;

	if (!((const struct binds_args *)args)->paths.n)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("paths"), "paths is empty"),
				"name the files that you are about to change, such as "
				"[\"src/main.c\"]");
	TRY(binds_find_for_path(c, args, r));
	c->negative = !r->rules.n && !r->decisions.n && !r->memories.n && c->face == FACE_ARGV;
	return NULL;
}

static void for_text(struct call *c, const void *args, const void *p)
{
	const struct binds_result *r = p;
	const struct binds_cut *cut = &r->cut;

	(void)args;
	for (size_t i = 0; i < r->rules.n; i++)
		out_safe_line(c->out, r->rules.p[i].line);
	for (size_t i = 0; i < r->decisions.n; i++)
		out_safe_line(c->out, r->decisions.p[i].line);
	for (size_t i = 0; i < r->memories.n; i++)
		out_safe_line(c->out, r->memories.p[i].line);
	if (cut->rules + cut->decisions + cut->memories)
		out_fmt(c->out,
			"cut: rules %jd, decisions %jd, memories %jd; --tokens shows more\n",
			(intmax_t)cut->rules, (intmax_t)cut->decisions, (intmax_t)cut->memories);
	if (r->noKnowledge)
		out_puts(c->err, KNOWLEDGE_NONE "\n");
	else if (c->negative)
		out_puts(c->err, "nothing binds these files\n");
	for (size_t i = 0; i < r->notes.n; i++)
		out_safe_line(c->err, r->notes.p[i]);
}

const struct cmd cmd_know_for = {
	.name = "know for",
	.tool = "knowledge_for",
	.toolset = SET_KNOWLEDGE,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "list what binds files: rules, decisions, memories",
	.description =
		"List the rules, decisions and memories that bind the files that you are about to "
		"change, within a budget of tokens. Use it before you edit a file.",
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct binds_args, for_params),
	CMD_RESULT(struct binds_result, binds_result_fields),
	.run = know_for_run,
	.text = for_text,
	.plain = &(struct plain){.hidden = "success tokens", .no = true},
};
