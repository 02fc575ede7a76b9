/* hash: of the canonical text of a file, stored asset or section (requirement: garden,
 * fs.hash). */
#include "common/files.h"

struct args {
	struct str path, section;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM_SECTION,
	{0},
};

static const struct field result[] = {
	{"hash", "text:sha256:... over LF lines without trailing blanks", F_STR},
	{0},
};

static struct err *hash_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct files *f;
	struct file_ref r;
	struct str text, hash;
	struct err *e;

	TRY(files_open(c, &f));
	TRY(file_ref(f, args->path, &r));
	TRY(file_read(f, c->a, &r, FILE_BYTES_MAX, &text));
	e = args->section.p ? file_section(c->a, text, args->section, &text) : NULL;
	if (!e)
		e = file_text_hash(c->a, text, &hash);
	if (e)
		return err_in(e, "'%.*s'", STR_ARG(args->path));
	*out = val_map(c->a);
	val_set(c->a, *out, "hash", val_str(c->a, hash));
	return NULL;
}

static void hash_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	out_bytes(c->out, val_get_str(r, "hash"));
	out_puts(c->out, "\n");
}

const struct cmd cmd_hash = {
	.name = "hash",
	.tool = "fs_hash",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.tool_also = "file_hash",
	.summary = "print the canonical hash of a text or section",
	.description =
		"Hash a text file, stored asset or section so that line ends and trailing "
		"blanks do not matter. Every writing tool takes it as ifMatch for whole texts.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = hash_run,
	.text_val = hash_text,
};
