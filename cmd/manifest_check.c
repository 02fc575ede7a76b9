/* manifest check: reports every problem of manifests. */
#include "app/app.h"
#include "request/tool_access_manifest.h"

struct args {
	struct strs paths;
};
static const struct param params[] = {
	PARAM(paths, .flags = ARG | PATHS, .meta = "path", .min = 1, .max = OS_PATH_MAX,
	      .help = "the manifests; default: those of all tools"),
	{0},
};

struct problem {
	struct str path;
	struct place at;
	struct str message;
};

static const struct field problem_fields[] = {
	FIELD_OF(struct problem, path, "the manifest"),
	FIELD_AS(struct problem, at.line, "line", "from 1; 0: the file as a whole"),
	FIELD_AS(struct problem, at.column, "column", "from 1"),
	FIELD_OF(struct problem, message, "the problem, and the allowed values"),
	{0},
};

struct result {
	size_t checked;
	struct VEC(struct problem) problems;
	struct strs ignored;
};

static const struct field result[] = {
	FIELD(checked, "the number of manifests"),
	FIELD_RECORDS(struct result, problems, "problems", problem_fields,
		      "the problems, in the order of the text"),
	FIELD(ignored, "keys beside memory_access that ikm does not read, with their places",
	      .flags = IF_ANY),
	{0},
};

static struct err *manifest_check_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct manifests all = {.files = args->paths};
	struct result *r = out;

	if (!args->paths.n)
		TRY(manifests_load_access(c->a, os_ikigai_home(c->a), &all));
	r->checked = all.files.n;
	for (size_t i = 0; i < all.files.n; i++) {
		struct str path = all.files.p[i];
		struct manifest_problems found;
		struct manifest m;
		struct str text;

		TRY(os_read_path(c->a, str_c(c->a, path), MANIFEST_BYTES_MAX, &text));
		manifest_validate(c->a, text, path, &m, &found);
		for (size_t k = 0; k < found.n; k++)
			*VEC_PUSH(c->a, &r->problems) =
				(struct problem){path, found.p[k].at, found.p[k].message};
		for (size_t k = 0; k < m.ignored.n; k++)
			strs_push(
				c->a, &r->ignored,
				str_fmt(c->a, "%.*s:%.*s", STR_ARG(path), STR_ARG(m.ignored.p[k])));
		if (found.more)
			*VEC_PUSH(c->a, &r->problems) = (struct problem){
				.path = path,
				.message = str_fmt(c->a, "%zu more problem%s", found.more,
						   PLURAL(found.more))};
	}
	for (size_t i = 0; i < all.misplaced.n; i++)
		*VEC_PUSH(c->a, &r->problems) = (struct problem){.message = all.misplaced.p[i]};
	c->negative = r->problems.n;
	return NULL;
}

const struct cmd cmd_manifest_check = {
	.name = "manifest check",
	.summary = "report every problem of tools' manifests",
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = manifest_check_run,
	.template = "{/problems:{path}{?line::{line}:{column}}{?path:: }{message}\n}"
		    "{/ignored:{2:ignored {.}: ikm reads only memory_access\n}}"
		    "{?!problems:{2:{checked} checked, no problems\n}}",
};
