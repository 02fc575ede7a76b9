/* mem import: stores memories from JSON lines, or from the files of another program. */
#include "memories/memories.h"
#include "cmd/result_template.h"
#include "memory/foreign.h"
#include <errno.h>
#include <unistd.h>

struct args {
	struct str path;
	int from, layer, kind;
	bool dryRun;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | PATHS, .meta = "file", .min = 1, .max = OS_PATH_MAX,
	      .help = "a file, or a folder of notes; default, or -: JSON lines from standard "
		      "input"),
	PARAM(from, .choices = memory_formats,
	      .help = "the program that wrote it: ikm, mcp (the reference memory server), mem0 or "
		      "notes (Markdown); default: by name and content"),
	PARAM(layer, .letter = 'l', .choices = memory_layers, .def = "user",
	      .help = "the layer of lines that name none"),
	PARAM(kind, .letter = 'k', .choices = memory_kinds_added, .def = "fact",
	      .help = "the kind of lines that name none"),
	PARAM(dryRun, .letter = 'n', .help = "only check that every line can be imported"),
	{0},
};

struct result {
	bool success;
	struct memory_imported done;
	struct VEC(struct memory_left) left;
	size_t more;
	struct str event;
};

#define DONE(member, help, ...) FIELD_AS(struct result, done.member, #member, help, __VA_ARGS__)
static const struct field result[] = {
	FIELD(success, "always true"),
	DONE(lines, "lines that were read, without blank lines"),
	DONE(added, "memories that were stored"),
	DONE(existing, "memories that existed, or duplicates"),
	DONE(tombstones, "deletions that were new"),
	DONE(pointers, "knowledge pointers that were skipped: only sync creates them",
	     .flags = IF_ANY),
	DONE(rejected, "lines that were skipped: a person has rejected the same statement",
	     .flags = IF_ANY),
	DONE(differing, "duplicates whose members differ from the stored memory, which stays",
	     .flags = IF_ANY),
	DONE(circular, "memories that supersede nothing, because what they name has replaced them",
	     .flags = IF_ANY),
	DONE(others, "deletions that were skipped: you do not see the memories", .flags = IF_ANY),
	FIELD_RECORDS(struct result, left, "left", memory_left_record,
		      "what could not be taken over from the other program", .flags = IF_ANY),
	FIELD(more, "how many of these are not listed", .flags = IF_ANY),
	FIELD_MEMORY_EVENT(struct result),
	{0},
};

struct input {
	struct str path; /* p NULL: standard input */
	const char *name;
	struct os_stat st;
	int fd; /* -1: a folder */
};

static struct err *import_open(struct call *c, const struct args *args, struct input *in)
{
	*in = (struct input){.name = "standard input", .fd = STDIN_FILENO};
	if (!args->path.p && c->face != FACE_ARGV)
		return err_for_param(E_MISSING_PARAMETER, STR("path"),
				     "path is required, because standard input has the parameters");
	if ((!args->path.p || str_is(args->path, "-")) && args->from > MEMORY_OWN)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("path"),
					      "path is required with --from %s",
					      memory_formats[args->from]),
				"name the file or the folder");
	if (!args->path.p || str_is(args->path, "-")) {
		cmd_stdin_prompt("memories, one JSON object a line");
		return NULL;
	}
	in->path = args->path;
	in->name = str_c(c->a, args->path);
	TRY(os_roots_stat(NULL, c->cwd, args->path, &in->st));
	in->fd = -1;
	if (in->st.kind == OS_DIR && args->from)
		return NULL;
	return os_open_file_in_roots(NULL, c->cwd, args->path, &in->fd);
}

/* Notes are in a folder; the name and the beginning of a file tell its format. */
static struct err *import_format(struct arena *a, int from, const struct input *in,
				 enum memory_format *out)
{
	char *head = arena_alloc(a, MEMORY_FOREIGN_HEAD);
	size_t n = 0;

	*out = from >= 0 ? (enum memory_format)from : MEMORY_OWN;
	if (in->fd < 0 && from > MEMORY_OWN && from != MEMORY_NOTES)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("path"),
					      "'%s' is a folder; only notes are in a folder",
					      in->name),
				"name a file in it, or import the folder with --from notes");
	if (in->fd < 0)
		*out = MEMORY_NOTES;
	if (in->fd < 0 || from >= 0 || !in->path.p)
		return NULL;
	TRY(os_read_some(in->fd, in->name, head, MEMORY_FOREIGN_HEAD, &n));
	*out = memory_foreign_format(in->path, (struct str){head, n});
	if (lseek(in->fd, 0, SEEK_SET))
		return err_errno(errno, "read '%s'", in->name);
	return NULL;
}

/* Reads the other program's memories, unless they are ikm's own lines. */
static struct err *import_foreign(struct call *c, const struct args *args, const struct input *in,
				  struct memory_import *how, struct result *r)
{
	struct str name = str_base(in->path);
	enum memory_format format;
	struct memory_foreign f;

	TRY(import_format(c->a, args->from, in, &format));
	if (format == MEMORY_OWN)
		return NULL;
	if (in->fd < 0 && !str_starts(in->path, STR("/")))
		name = str_of(os_join(c->a, c->cwd, in->name));
	else if (in->fd < 0)
		name = in->path;
	else if (in->st.size > MEMORY_FOREIGN_MAX)
		return err_new(E_TOO_BIG, "'%s' is over the limit of %zu bytes", in->name,
			       MEMORY_FOREIGN_MAX);
	TRY(memory_foreign_format_read(c->a, format, name, in->fd, how, &f));
	how->text = f.lines;
	r->left.p = f.left.p;
	r->left.n = f.left.n;
	r->more = f.all - f.left.n;
	c->negative = f.whole;
	return NULL;
}

static struct err *mem_import_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct memory_import how = {
		.layer = (enum memory_layer)args->layer,
		.kind = (enum memory_kind)args->kind,
		.dry_run = args->dryRun,
	};
	struct memories *m;
	struct input in;
	struct err *e;

	TRY(mem_open_change(c, 0, &m));
	TRY(mem_find_current_project(c, m));
	TRY(import_open(c, args, &in));
	e = import_foreign(c, args, &in, &how, r);
	if (!e)
		e = memory_import(m, in.fd, in.name, &how, &r->done);
	if (in.fd > STDIN_FILENO)
		close(in.fd);
	r->success = true;
	r->event = str_dup(c->a, str_of(r->done.event));
	return e;
}

/* A script keeps the id from JSON. */
static void mem_import_text(struct call *c, const void *args, const void *p)
{
	(void)args;
	if (out_is_terminal(c->err))
		template_print_record(
			c, "{?event:{2:ikm: 'ikm events undo {event}' takes the import back\n}}",
			result, p);
}

const struct cmd cmd_mem_import = {
	.name = "mem import",
	.summary = "store memories from JSON lines, or from another program",
	.description = "Store the output of 'mem export', any JSON lines with a content each, or "
		       "the memories of another program. Importing the same again adds nothing.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF | MAY_GIT,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = mem_import_run,
	.template = "{2:{/left:ikm: {file}{?line::{line}}: {what}\n}"
		    "{?more:ikm: and {more} more that are left out\n}}"
		    "{?@dryRun:{lines} {?lines=1:line|lines} can be imported; nothing was stored\n"
		    "|{added} added, {existing} existed, {tombstones} deleted\n"
		    "{2:{?pointers:ikm: {pointers} {?pointers=1:knowledge pointer was skipped: "
		    "only sync creates them|knowledge pointers were skipped: only sync creates "
		    "them}\n}{?rejected:ikm: {rejected} {?rejected=1:line was skipped: a person "
		    "has rejected the same statement|lines were skipped: a person has rejected "
		    "the same statements}\n}{?differing:ikm: {differing} {?differing=1:duplicate "
		    "differs in source, metadata or the like from the stored memory, which keeps "
		    "its values|duplicates differ in source, metadata or the like from the stored "
		    "memories, which keep their values}\n}"
		    "{?circular:ikm: {circular} {?circular=1:of the memories supersedes nothing: "
		    "what it names has replaced it|of the memories supersede nothing: what they "
		    "name has replaced them}\n}{?others:ikm: {others} {?others=1:deletion was "
		    "skipped: the memory is not among those that you see|deletions were skipped: "
		    "the memories are not among those that you see}\n}"
		    "{?others:  to delete as another user or agent: --user, --agent\n}}}",
	.text = mem_import_text,
};
