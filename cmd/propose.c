/* propose: shows what a write would do, and does not do it (requirement: garden, propose_change).
 */
#include "paths/propose.h"

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

static struct err *propose_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;

	return propose_preview_tool_call(c, args->operation, args->input, out);
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
