/*
 * propose: what a writing tool would do, without doing it (requirement: garden, propose_change).
 * The tool's own code runs up to the first effect, so its answer is that of the real call.
 */
#include "git/git.h"
#include "paths/open_files_for_call.h"

struct args {
	struct str operation;
	const struct val *input;
};

static const struct param params[] = {
	PARAM(operation, .flags = ARG | REQUIRED, .also = "toolName op", .min = 1, .max = 64,
	      .help = "the tool whose change is proposed, such as md_patch_section or file_edit"),
	PARAM(input, .flags = ARG | REQUIRED | STDIN, .meta = "json", .also = "arguments args",
	      .help = "the parameters of that tool, as a JSON object"),
	{0},
};

struct propose_file {
	struct str path, path_to, op;
	struct str before, after; /* hashes; empty: no file */
	size_t tokens_before, tokens_after;
	struct str diff;
};
struct propose_result {
	struct str diff, report;
	struct str repeats;
	bool repeats_key; /* it is a key */
	bool requires_approval, blocked;
	struct strs reasons, warnings;
	struct garden_diagnostics diagnostics;
	struct VEC(struct propose_file) files;
};

#define PROPOSED(...) FIELD_AS(struct propose_file, __VA_ARGS__)
static const struct field propose_file_fields[] = {
	PROPOSED(path, "path", "the file or stored asset"),
	PROPOSED(path_to, "path_to", "its new name", .flags = IF_ANY),
	PROPOSED(op, "op", "the kind of change"),
	PROPOSED(before, "before_hash", "sha256 of the content before",
		 .flags = NULLABLE | OMIT_EMPTY),
	PROPOSED(after, "after_hash", "sha256 of the content after",
		 .flags = NULLABLE | OMIT_EMPTY),
	PROPOSED(tokens_before, "tokensBefore", "its tokens before, estimated"),
	PROPOSED(tokens_after, "tokensAfter", "its tokens after"),
	{0},
};

#define PROPOSE(...) FIELD_AS(struct propose_result, __VA_ARGS__)
static const struct field propose_fields[] = {
	PROPOSE(diff, "diff", "a unified diff of all that would change; empty: nothing would"),
	PROPOSE(report, "safetyReport", "what the policies say, and the effect on tokens, as text"),
	PROPOSE(requires_approval, "requiresApproval", "always false"),
	PROPOSE(blocked, "blocked", "the change would be refused"),
	PROPOSE(repeats, "repeats",
		"the event that the call repeats, or its key: nothing would be done",
		.flags = IF_ANY),
	PROPOSE(reasons, "blockedReasons", "why", .flags = IF_ANY),
	PROPOSE(warnings, "warnings", "what the change would be warned of", .flags = IF_ANY),
	FIELD_RECORDS(struct propose_result, diagnostics, "diagnostics", garden_diagnostic_fields,
		      "what the garden's policy says"),
	FIELD_RECORDS(struct propose_result, files, "files", propose_file_fields,
		      "the files that would change, and the folder that would be made (op mkdir)"),
	{0},
};

/* The name under which its changes are proposed; people may propose commands that are no tools. */
static const char *propose_name(const struct call *c, const struct cmd *cmd)
{
	return cmd->tool || c->face != FACE_ARGV ? cmd->tool : cmd->name;
}

static bool propose_is_writer(const struct call *c, const struct cmd *cmd)
{
	for (const struct param *p = cmd ? cmd->params : NULL; p && p->name; p++)
		if (!strcmp(p->name, "idempotencyKey") && p->flags & AUDIT)
			return propose_name(c, cmd);
	return false;
}

static struct err *propose_find(struct call *c, struct str tool, const struct cmd **out)
{
	struct strs names = {0};
	struct err *e;

	*out = cmd_find_tool(tool);
	if (!*out)
		*out = cmd_find(tool);
	if (propose_is_writer(c, *out))
		return NULL;
	for (size_t i = 0; cmd_table[i]; i++)
		if (propose_is_writer(c, cmd_table[i]))
			strs_push(c->a, &names, str_of(propose_name(c, cmd_table[i])));
	e = err_for_param(E_NOT_IN_ENUM, STR("operation"),
			  "'%.*s' is no tool whose change can be proposed; allowed: %.*s",
			  STR_ARG(tool), STR_ARG(str_join(c->a, &names, ", ")));
	return err_detail_list(e, "allowed", &names);
}

static struct err *propose_file(struct call *c, const struct file_proposal *p,
				struct propose_result *out)
{
	struct propose_file *f = VEC_PUSH(c->a, &out->files);
	const char *from = str_c(c->a, str_utf8(c->a, p->path));
	const char *to = p->path_to.n ? str_c(c->a, str_utf8(c->a, p->path_to)) : from;
	bool text =
		(!p->before.p || str_is_text(p->before)) && (!p->after.p || str_is_text(p->after));

	*f = (struct propose_file){
		.path = p->path,
		.path_to = p->path_to,
		.op = str_of(p->op),
		.before = p->before_hash,
		.after = p->after_hash,
		.tokens_before = p->before.p ? token_estimate(p->before, c->conf->tokens_model) : 0,
		.tokens_after = p->after.p ? token_estimate(p->after, c->conf->tokens_model) : 0,
		.diff = STR(""),
	};
	if (!p->before.p && !p->after.p)
		return NULL; /* a folder */
	if (!text)
		f->diff = str_fmt(c->a, "Binary files %s and %s differ\n", from, to);
	else if (!p->before.p || !p->after.p || !str_eq(p->before, p->after))
		return git_diff_contents(c->a, p->before.p ? from : "/dev/null", p->before,
					 p->after.p ? to : "/dev/null", p->after, 3, &f->diff);
	return NULL;
}

static struct str propose_report(struct call *c, const struct propose_result *r)
{
	struct buf b = buf_in(c->a);

	for (size_t i = 0; i < r->reasons.n; i++)
		buf_fmt(&b, "blocked: %.*s\n", STR_ARG(r->reasons.p[i]));
	for (size_t i = 0; i < r->warnings.n; i++)
		buf_fmt(&b, "warning: %.*s\n", STR_ARG(r->warnings.p[i]));
	VEC_EACH(const struct propose_file, f, &r->files) {
		if (!f->before.n && !f->after.n)
			buf_fmt(&b, "%.*s: the folder would be made\n",
				STR_ARG(str_utf8(c->a, f->path)));
		else
			buf_fmt(&b, "%.*s: tokens before: about %zu, after: %zu\n",
				STR_ARG(str_utf8(c->a, f->path)), f->tokens_before,
				f->tokens_after);
	}
	if (r->repeats.n)
		buf_fmt(&b, "a repeat of %s %.*s: ", r->repeats_key ? "the key" : "event",
			STR_ARG(r->repeats));
	if (!r->files.n && !r->blocked)
		buf_puts(&b, "nothing would change\n");
	else if (!r->blocked && !r->warnings.n)
		buf_puts(&b, "no rule is broken\n");
	return buf_as_str(&b);
}

/* A change that a policy or a budget forbids is an answer with `blocked`; any other error is that
 * of the real call. */
static struct err *propose_run(struct call *c, const void *p, void *result)
{
	const struct args *asked = p;
	struct propose_result *out = result;
	struct files_proposal q = {0};
	const struct saga_judgement *judged;
	struct call sub = *c;
	const void *args;
	void *given, *answer;
	struct err *e;
	size_t n;

	*out = (struct propose_result){.diff = STR("")};
	TRY(propose_find(c, asked->operation, &sub.cmd));
	TRY(cmd_parse_json_new_args(c->a, sub.cmd, asked->input, &given));
	args = given;
	TRY(app_garden_file_resolve_args(c, sub.cmd, &args));
	if (sub.cmd->expose == EXPOSE_MAINTAINER && !c->maintainer)
		return err_help(
			err_new(E_NOT_ALLOWED, "'ikm %s' is for maintainers", sub.cmd->name),
			"to run it as one, add --maintainer");
	answer = arena_alloc(c->a, size_max(sub.cmd->result_size, 1));
	sub.args = args;
	sub.result = answer;
	sub.proposed = &q;
	e = sub.cmd->run(&sub, args, answer);
	if (e && err_code(e) != CODE_BLOCKED && err_code(e) != CODE_BUDGET_EXCEEDED)
		return e;
	out->blocked = e != NULL;
	out->repeats = q.repeats;
	out->repeats_key = q.repeats_key;
	if (e) {
		strs_push(c->a, &out->reasons, str_dup(c->a, str_of(err_message(e))));
	} else {
		const struct val *v =
			val_get(record_val(c->a, sub.cmd->result, answer), "warnings");

		/* The warnings that the tool's own answer has. */
		if (v && v->type == VAL_LIST)
			VAL_EACH(v, m)
				if (m->type == VAL_STR)
					strs_push(c->a, &out->warnings, m->s);
	}
	judged = q.saga ? saga_last_judgements(q.saga, &n) : NULL;
	for (size_t i = 0; judged && i < n; i++)
		for (size_t k = 0; k < judged[i].diagnostics.n; k++)
			*VEC_PUSH(c->a, &out->diagnostics) = judged[i].diagnostics.p[k];
	for (size_t i = 0; i < q.files.n; i++)
		TRY(propose_file(c, &q.files.p[i], out));
	for (size_t i = 0; i < out->files.n; i++)
		out->diff = str_fmt(c->a, "%.*s%.*s", STR_ARG(out->diff),
				    STR_ARG(out->files.p[i].diff));
	out->report = propose_report(c, out);
	return NULL;
}

const struct cmd cmd_propose = {
	.name = "propose",
	.tool = "propose_change",
	.toolset = SET_GARDEN,
	.traits = TOOL_READS,
	.summary = "show what a write would do, without doing it",
	.description = "Preview a change: runs a writing tool (file_write, file_edit, fs_append, "
		       "fs_patch, md_patch_section, md_curate_list and so on) with its parameters "
		       "up to the first effect. Gives the diff, what the policies say, and whether "
		       "the change would be refused. Not required before a write.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct propose_result, propose_fields),
	.run = propose_run,
	.template = "{diff%t}{2:{safetyReport%t}}",
};
