/* md snapshot: copies a file to a history/ folder beside it (requirement: garden,
 * md.snapshot_history). */
#include "app/print_warnings.h"
#include "paths/change_common.h"
#include "crypt/crypt.h"
#include "garden/section_edit.h"
#include "os/os.h"

struct args {
	struct audit audit;
	struct str path;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAMS_AUDIT_GARDEN,
	{0},
};

struct result {
	struct str historyPath;
	struct file_done done;
	bool replayed;
};

#define DONE(member, name, ...) FIELD_AS(struct result, done.member, name, __VA_ARGS__)
static const struct field result[] = {
	FIELD(historyPath, "the copy"),
	DONE(created, "created", "false: an equal copy existed already"),
	DONE(hash, "hash", "sha256 of the copied content"),
	DONE(event, "event", "the record of the change", .flags = IF_ANY),
	DONE(committed, "committed",
	     "only in the garden: whether there is a Git commit of the copy", .flags = OPTIONAL),
	DONE(commit, "commit", "its id", .flags = IF_ANY),
	DONE(uncommitted, "reason", "why there is no commit", .flags = IF_ANY),
	FIELD_REPLAYED(replayed),
	DONE(warnings, "warnings", "what could not be kept", .flags = IF_ANY),
	{0},
};

struct snapshot {
	struct arena *a;
	struct files *f;
	struct str path, name, content; /* of the file */
	struct strs copies;             /* names of copies that may be equal */
};

static struct err *md_snapshot_entry(void *ctx, const struct tree_file *file)
{
	struct snapshot *s = ctx;

	if (garden_text_is_history_path(file->path, s->name, s->content))
		strs_push(s->a, &s->copies, str_dup(s->a, file->path));
	return NULL;
}

/* Finds a copy with the same content. *path is empty when there is none. */
static struct err *md_snapshot_find(struct snapshot *s, struct str folder, struct str *path)
{
	struct file_walk walk = {.all = true, .depth = 1};
	struct file_ref ref;
	struct tree *t;
	struct err *e;
	bool file;

	*path = STR("");
	s->copies = (struct strs){0};
	TRY(file_ref_or_folder(s->f, folder, &ref));
	e = file_tree(s->f, &ref, &walk, &t, &file);
	if (e && err_code(e) == CODE_NOT_FOUND)
		return NULL;
	TRY(e);
	TRY(tree_foreach(t, STR(""), md_snapshot_entry, s));
	for (size_t i = 0; i < s->copies.n; i++) {
		struct str at =
			str_fmt(s->a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(s->copies.p[i]));
		struct str content;

		TRY(file_ref_resolve(s->f, at, &ref));
		TRY(file_read(s->f, s->a, &ref, FILE_BYTES_MAX, &content));
		if (str_eq(content, s->content))
			*path = at;
	}
	return NULL;
}

/* Looks again under the lock of the folder, so that two snapshots at once make one copy. */
static struct err *md_snapshot_write(struct snapshot *s, struct str copy, struct result *r)
{
	struct file_write w = {.op = "snapshot", .flags = OS_PARENTS | OS_EXCLUSIVE};
	struct str folder = str_sub(copy, 0, str_rfind_char(copy, '/'));
	struct file_change *change;
	struct file_ref ref;
	struct err *e;

	TRY(md_snapshot_find(s, folder, &r->historyPath));
	if (r->historyPath.n)
		return NULL;
	TRY(file_ref_resolve(s->f, copy, &ref));
	TRY(file_begin(s->f, &ref, &w, &change));
	e = md_snapshot_find(s, folder, &r->historyPath);
	if (e || r->historyPath.n)
		return file_abort(change, e);
	r->historyPath = copy;
	return file_commit(change, s->content, &r->done);
}

static struct err *md_snapshot_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct snapshot s = {.a = c->a, .f = f, .path = args->path};
	struct file_ref ref;

	s.name = str_base(args->path);
	TRY(file_ref_resolve(s.f, args->path, &ref));
	TRY(file_read(s.f, c->a, &ref, FILE_BYTES_MAX, &s.content));
	TRY(md_snapshot_write(&s, garden_text_history_path(c->a, args->path, s.content, os_now()),
			      r));
	if (!r->done.hash.n)
		r->done.hash = crypt_content_hash(c->a, s.content);
	return NULL;
}

static struct err *md_snapshot_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	/* A repeat finds the equal copy by itself, so only a key asks for the former answer. */
	const struct files_write w = {.audit = &args->audit, .run = md_snapshot_do};

	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_md_snapshot = {
	.name = "md snapshot",
	.tool = "md_snapshot_history",
	.toolset = SET_GARDEN,
	.traits = TOOL_ADDS | TOOL_IDEMPOTENT,
	.summary = "copy a file to the folder history beside it",
	.description = "Copy a file or stored asset as it is now to the folder history beside it. "
		       "The name has the time and the hash. An equal copy that exists is returned.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_snapshot_run,
	.template = "{historyPath%q}\n{?!created:{2:ikm: this copy existed already\n"
		    "}}" TEMPLATE_WARNINGS,
};
