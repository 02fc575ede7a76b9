/* patch: applies a unified diff to files or stored assets (requirement: garden, fs.patch). */
#include "reply/plain_for_model.h"
#include "paths/change_common.h"
#include "decisions/know_write_common.h"
#include "app/print_warnings.h"
#include "file/patch.h"

struct args {
	struct audit audit;
	struct str path, diffText, ifMatch, encoding;
	int64_t strip, fuzz;
	bool reverse, dryRun, forward, breakLinks;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .also = "file_path", .complete = uri_complete,
	      .help = "the only file to change, or a stored asset as ikigai:///NAME; default: the "
		      "files that the diff names"),
	PARAM(diffText, .option = "diff", .flags = REQUIRED | STDIN | OR_STDIN, .meta = "text",
	      .also = "diff patch input patchText", .help = "a unified diff, or *** Begin Patch"),
	PARAM_ENCODING("the diff is"),
	PARAM(strip, .flags = RARE, .letter = 'p', .min = -1, .max = OS_PATH_MAX, .def = "-1",
	      .help = "leading folders to remove from names in the diff; -1: one if they begin "
		      "with a/ and b/ or git made the diff, else none"),
	PARAM(fuzz, .flags = RARE, .letter = 'F', .min = -1, .max = 1000, .def = "-1",
	      .help = "the number of lines at each end of a hunk that may differ; -1: 2 for a "
		      "command, 0 for a tool"),
	PARAM(reverse, .flags = RARE, .letter = 'R', .help = "apply the diff in reverse"),
	PARAM(forward, .flags = RARE, .letter = 'N',
	      .help = "skip files that have the changes already"),
	PARAM(dryRun, .also = "dry_run", .help = "only report the changes"),
	PARAM_IF_MATCH,
	PARAM_BREAK_LINKS,
	PARAMS_AUDIT,
	{0},
};

#define PATCHED(...) FIELD_AS(struct file_patched, __VA_ARGS__)
static const struct field patched_fields[] = {
	PATCHED(path, "path", "the file"),
	PATCHED(from, "from", "its former name, if it was renamed", .flags = IF_ANY),
	FIELD_NAMED(struct file_patched, status, "status", file_patch_statuses, "what was done"),
	PATCHED(hunks, "hunks", "the number of its hunks"),
	PATCHED(offset, "offset", "the largest distance of a moved hunk, in lines"),
	PATCHED(fuzz, "fuzz", "the most lines at an end of a hunk that differed"),
	PATCHED(tolerated, "tolerated",
		"what differed between the lines of the diff and the file, as indentation",
		.flags = IF_ANY),
	PATCHED(hash, "newHash", "sha256 of the new content; not for a deleted file",
		.flags = IF_ANY),
	PATCHED(event, "event", "the record of the change, for undo; of a rename too",
		.flags = IF_ANY),
	FIELDS_KEPT(struct file_patched, kept),
	{0},
};

struct result {
	struct str newHash;
	struct file_patch_result files;
	bool replayed;
};

static const struct field result[] = {
	FIELD(newHash, "sha256 of the new content, for a diff of one file", .flags = IF_ANY),
	FIELD_RECORDS(struct result, files, "files", patched_fields, "every file of the diff"),
	FIELD_REPLAYED(replayed),
	FIELD_AS(struct result, files.warnings, "warnings",
		 "parts of the diff that were not applied, and file properties that were not kept",
		 .flags = IF_ANY),
	{0},
};

static struct err *patch_cmd_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct file_patch patch = {
		.path = args->path,
		.strip = (int)args->strip,
		/* A model's diff may name context that is nowhere: only a person looks at fuzz. */
		.fuzz = args->fuzz >= 0        ? (unsigned)args->fuzz
			: c->face == FACE_ARGV ? 2
					       : 0,
		.reverse = args->reverse,
		.forward = args->forward,
		.dry = args->dryRun,
		.keeps = c->face != FACE_ARGV && !c->maintainer,
		.if_match = args->ifMatch,
		.encoding = written_is_base64(args->encoding) ? (struct str){0} : args->encoding,
		.flags = args->breakLinks ? OS_BREAK_LINKS : 0,
	};
	struct result *r = out;

	if (c->face == FACE_ARGV && args->path.p && !str_trim(args->diffText).n)
		return err_help(err_new(E_BAD_PATCH, "there is no diff for '%.*s'",
					STR_ARG(str_utf8(c->a, args->path))),
				"to apply the diff that is in a file: ikm patch <%.*s",
				STR_ARG(str_shell_word(c->a, args->path)));
	TRY(written_decode_param(c, args->encoding, "diffText", args->diffText, &patch.diff));
	TRY(file_patch(f, &patch, &r->files));
	if (r->files.n == 1)
		r->newHash = r->files.p[0].hash;
	return NULL;
}

static struct err *patch_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct files_write w = {
		.audit = &args->audit,
		.path = args->path,
		.dry = args->dryRun,
		.run = patch_cmd_do,
	};

	return files_run_write_tool(c, &w, p, out);
}

static const struct plain patch_plain = {
	.template = "{/files:{path}: {status}{?from: from {from}}{?newHash:, {newHash%h}}"
		    "{?offset:, moved by {offset} {?offset=1:line|lines}}{?fuzz:, fuzz {fuzz}}"
		    "{?tolerated:; the file has other {tolerated} than the diff}\n}",
	.hidden = "newHash",
};

const struct cmd cmd_patch = {
	.name = "patch",
	.tool = "fs_patch",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.tool_also = "file_patch",
	.summary = "apply a unified diff to files or stored assets",
	.description =
		"Apply a unified diff, as diff -u and git diff print it, to the file or stored "
		"asset path, or, without path, to all files that it names. Either all hunks of all "
		"files are applied, or nothing changes. Only maintainers delete and rename files.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = patch_cmd_run,
	.template =
		"{/files:{status} {path}{?from: from {from}}{?offset: (moved by {offset} "
		"{?offset=1:line|lines})}{?fuzz: (fuzz {fuzz})}{?tolerated: (other {tolerated})}\n}" TEMPLATE_WARNINGS,
	.plain = &patch_plain,
};
