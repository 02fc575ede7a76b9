/* hash: prints the hash of the canonical text of a file, stored asset or section (requirement:
 * garden, fs.hash). */
#include "paths/open_files_for_call.h"

struct args {
	struct str path, section;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM_SECTION,
	{0},
};

struct result {
	struct str hash;
};

static const struct field result[] = {
	FIELD(hash, "text:sha256:... over LF lines without trailing blanks"),
	{0},
};

static struct err *hash_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *done = out;
	struct files *f;
	struct file_ref r;
	struct str text;
	struct err *e;

	TRY(files_open(c, &f));
	TRY(file_ref_resolve(f, args->path, &r));
	TRY(file_read(f, c->a, &r, FILE_BYTES_MAX, &text));
	e = args->section.p ? file_section(c->a, text, args->section, &text) : NULL;
	if (!e)
		e = file_text_hash(c->a, text, &done->hash);
	return e ? err_add_context(e, "'%.*s'", STR_ARG(args->path)) : NULL;
}

const struct cmd cmd_hash = {
	.name = "hash",
	.tool = "fs_hash",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.tool_also = "file_hash",
	.summary = "print the canonical hash of a text or section",
	.description = "Hash a text file, stored asset or section, ignoring line ends and trailing "
		       "blanks. For whole texts every writing tool accepts the hash as ifMatch.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = hash_run,
	.template = "{hash}\n",
};
