#include "memory/foreign.h"
#include "json/json.h"
#include "memory/foreign_text.h"
#include "os/os.h"

/* A result may be longer than its file, because each line repeats the place that it comes from. */
#define OUT_MAX ((size_t)1 << 30)

const char *const memory_formats[] = {MEMORY_FORMATS(ENUM_NAME) NULL};

const struct field memory_left_record[] = {
	FIELD_OF(struct memory_left, file, "the file"),
	FIELD_OF(struct memory_left, line, "the line, from 1; none: the whole file",
		 .flags = IF_ANY),
	FIELD_OF(struct memory_left, what, "what is left out, and why"),
	{0},
};

enum memory_format memory_foreign_format(struct str name, struct str head)
{
	struct str rest = str_trim(head), line = {0};
	size_t content;

	if (str_ends(name, STR(".md")) || str_ends(name, STR(".markdown")))
		return MEMORY_NOTES;
	if (str_starts(rest, STR("[")))
		return MEMORY_MEM0;
	if (!str_starts(rest, STR("{")))
		return MEMORY_OWN;
	/* A line of ours may have any of these names behind its content, in the metadata. */
	content = str_find(rest, STR("\"content\""), 0);
	if (str_find(rest, STR("\"results\""), 0) < content)
		return MEMORY_MEM0;
	(void)str_next_line(&rest, &line);
	if (content < line.n || str_find(line, STR("\"deletedAt\""), 0) != SIZE_MAX)
		return MEMORY_OWN;
	if (str_find(line, STR("\"entityType\""), 0) != SIZE_MAX ||
	    str_find(line, STR("\"relationType\""), 0) != SIZE_MAX)
		return MEMORY_MCP;
	return MEMORY_OWN;
}

/* The argument of foreign.py. */
static struct str foreign_task(struct arena *a, enum memory_format format, struct str path,
			       bool folder, const struct memory_import *how)
{
	struct val *task = val_map(a);

	val_set(a, task, "format", val_str(a, str_of(memory_formats[format])));
	val_set(a, task, "path", val_str(a, path));
	val_set(a, task, "folder", val_bool(a, folder));
	val_set(a, task, "kind", val_str(a, str_of(memory_kinds[how->kind])));
	val_set(a, task, "now", val_int(a, os_now()));
	val_set(a, task, "bytes", val_int(a, (int64_t)MEMORY_FOREIGN_MAX));
	val_set(a, task, "content", val_int(a, (int64_t)MEMORY_CONTENT_MAX));
	val_set(a, task, "name", val_int(a, MEMORY_NAME_MAX));
	val_set(a, task, "tags", val_int(a, MEMORY_TAGS_MAX));
	return json_text(a, task);
}

/* What foreign.py says on standard error; false: it is something else, a failure of python3. */
static bool foreign_left(struct arena *a, struct str said, struct memory_foreign *f)
{
	struct str line;

	while (str_next_line(&said, &line)) {
		struct val *v;

		if (json_read(a, line, NULL, &v) || v->type != VAL_MAP)
			return false;
		f->all++;
		f->whole += val_get_int(v, "whole") > 0;
		if (f->left.n < MEMORY_LEFT_MOST)
			*VEC_PUSH(a, &f->left) = (struct memory_left){
				.file = val_get_str(v, "file"),
				.line = val_get_int(v, "line"),
				.what = val_get_str(v, "what"),
			};
	}
	return true;
}

struct err *memory_foreign_format_read(struct arena *a, enum memory_format format, struct str path,
				       int fd, const struct memory_import *how,
				       struct memory_foreign *f)
{
	struct str task = foreign_task(a, format, path, fd < 0, how);
	/* -I: nothing that lies in the folder or in the environment changes what python3 runs. */
	const char *argv[] = {"python3", "-I", "-c", foreign_text, str_c(a, task), NULL};
	const struct os_spawn s = {.argv = argv, .in_fd = fd < 0 ? 0 : fd, .out_max = OUT_MAX};
	struct os_result r;
	struct err *e = os_run(a, &s, &r);

	*f = (struct memory_foreign){.lines = r.out.n ? r.out : STR("")};
	if (e && err_reason(e) == E_NO_PROGRAM)
		return err_help(err_help(e, "install python3: ikm reads the memories of other "
					    "programs with it"),
				"or make lines of JSON with a 'content' each: ikm mem import reads "
				"them by itself");
	TRY(e);
	if (r.status == 3)
		return err_for_param(E_BAD_ARGUMENT, STR("path"),
				     "the folder '%.*s' has no file *.md or *.markdown",
				     STR_ARG(path));
	if (r.status || !foreign_left(a, r.err, f))
		return err_help(err_new(E_PROGRAM_FAILED,
					"python3 could not read '%.*s' as %s: status %d, %.*s",
					STR_ARG(path), memory_formats[format], r.status,
					STR_ARG(str_trim(r.err))),
				"nothing was imported; ikm needs Python 3.7 or newer");
	return NULL;
}
