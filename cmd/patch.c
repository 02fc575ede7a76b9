/* patch: a unified diff, applied to files or stored assets (requirement: garden, fs.patch). */
#include "common/change_result.h"
#include "file/patch.h"

struct args {
	struct str path, diffText, ifMatch;
	int encoding;
	int64_t strip, fuzz;
	bool reverse, dryRun, forward, breakLinks;
};

static const char *const statuses[] = FILE_PATCH_STATUSES;

static const struct param params[] = {
	PARAM(path, .flags = ARG | PATHS, .min = 1, .max = OS_PATH_MAX, .also = "file_path",
	      .help = "the one file to change, or a stored asset as ikigai:///NAME; without it those "
		      "that the diff names"),
	PARAM(diffText, .option = "diff", .flags = REQUIRED | STDIN | OR_STDIN, .meta = "text",
	      .also = "diff", .help = "a unified diff"),
	PARAM_ENCODING("the diff is"),
	PARAM(strip, .letter = 'p', .min = -1, .max = OS_PATH_MAX, .def = "-1",
	      .help = "how many leading parts to take off the names in the diff; -1: one where they "
		      "begin with a/ and b/ or git made the diff, else none"),
	PARAM(fuzz, .letter = 'F', .min = 0, .max = 1000, .def = "2",
	      .help = "how many lines at each end of a hunk may differ"),
	PARAM(reverse, .letter = 'R', .help = "take the diff back"),
	PARAM(forward, .letter = 'N',
	      .help = "leave files alone that the diff is applied to already"),
	PARAM(dryRun, .also = "dry_run", .help = "only tell what would be done"),
	PARAM_IF_MATCH,
	PARAM_BREAK_LINKS,
	{0},
};

static const struct field files_fields[] = {
	{"path", "the file", F_STR},
	{"from", "its former name, when it was renamed", F_STR, OPTIONAL},
	{"status", "what was done", F_STR, .choices = statuses},
	{"hunks", "how many the diff has for it", F_INT},
	{"offset", "lines that the hunk was moved that was moved farthest", F_INT},
	{"fuzz", "lines at an end of a hunk that were let differ, at most", F_INT},
	{"newHash", "sha256 of the content then; not for a file that is gone", F_STR, OPTIONAL},
	{"event", "the record of the change, for undo; of a rename too", F_STR, OPTIONAL},
	{0},
};

static const struct field result[] = {
	{"newHash", "sha256 of the content then, when it is one file that is still there", F_STR,
	 OPTIONAL},
	{"files", "every file of the diff", F_LIST, .sub = files_fields},
	{"warnings", "what of the diff was not done, and what of a file could not be kept", F_STRS,
	 OPTIONAL},
	{0},
};

static struct val *patch_cmd_row(struct call *c, const struct file_patched *f)
{
	struct val *v = val_map(c->a);

	val_set(c->a, v, "path", val_str(c->a, str_utf8(c->a, f->path)));
	if (f->from.n)
		val_set(c->a, v, "from", val_str(c->a, str_utf8(c->a, f->from)));
	val_set(c->a, v, "status", val_str(c->a, str_of(statuses[f->status])));
	val_set(c->a, v, "hunks", val_int(c->a, (int64_t)f->hunks));
	val_set(c->a, v, "offset", val_int(c->a, f->offset));
	val_set(c->a, v, "fuzz", val_int(c->a, f->fuzz));
	if (f->hash.n)
		val_set(c->a, v, "newHash", val_str(c->a, f->hash));
	if (f->event.n)
		val_set(c->a, v, "event", val_str(c->a, f->event));
	return v;
}

static struct err *patch_cmd_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct file_patch patch = {
		.path = args->path,
		.strip = (int)args->strip,
		.fuzz = (unsigned)args->fuzz,
		.reverse = args->reverse,
		.forward = args->forward,
		.dry = args->dryRun,
		.keeps = c->face != FACE_ARGV && !c->maintainer,
		.if_match = args->ifMatch,
		.flags = args->breakLinks ? OS_BREAK_LINKS : 0,
	};
	struct file_patch_result done;
	struct val *list = val_list(c->a);
	struct files *f;

	TRY(written_bytes(c, args->encoding, "diffText", args->diffText, &patch.diff));
	TRY(files_open(c, &f));
	TRY(file_patch(f, &patch, &done));
	for (size_t i = 0; i < done.n; i++)
		val_add(list, patch_cmd_row(c, &done.p[i]));
	*out = val_map(c->a);
	if (done.n == 1 && done.p[0].hash.n)
		val_set(c->a, *out, "newHash", val_str(c->a, done.p[0].hash));
	val_set(c->a, *out, "files", list);
	if (done.warnings.n)
		val_set(c->a, *out, "warnings", val_strs(c->a, &done.warnings));
	return NULL;
}

/* What went as the diff says is not worth more than its name. */
static void patch_cmd_text(struct call *c, const void *p, const struct val *r)
{
	VAL_EACH(val_get(r, "files"), f) {
		int64_t offset = val_get_int(f, "offset"), fuzz = val_get_int(f, "fuzz");

		out_safe(c->out, val_get_str(f, "status"), false);
		out_puts(c->out, " ");
		out_safe(c->out, val_get_str(f, "path"), false);
		if (val_get(f, "from")) {
			out_puts(c->out, " from ");
			out_safe(c->out, val_get_str(f, "from"), false);
		}
		if (offset)
			out_fmt(c->out, " (moved by %lld lines)", (long long)offset);
		if (fuzz)
			out_fmt(c->out, " (fuzz %lld)", (long long)fuzz);
		out_puts(c->out, "\n");
	}
	written_text(c, p, r);
}

const struct cmd cmd_patch = {
	.name = "patch",
	.tool = "fs_patch",
	.toolset = SET_FILES,
	.tool_also = "file_patch",
	.summary = "apply a unified diff to files or stored assets",
	.description =
		"Apply a unified diff, as diff -u and git diff print it: to the file or stored "
		"asset of path, or, without a path, to all files that it names. All hunks of "
		"all files are applied, or nothing is changed. Only maintainers delete and "
		"rename files.",
	.need = NEED_ROOTS | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = patch_cmd_run,
	.text_val = patch_cmd_text,
};
