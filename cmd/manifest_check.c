/* manifest check: everything that is wrong with manifests. */
#include "app/app.h"
#include "request/manifest.h"

struct args {
	struct strs paths;
};
static const struct param params[] = {
	PARAM(paths, .flags = ARG | PATHS, .meta = "path", .min = 1, .max = OS_PATH_MAX,
	      .help = "the manifest, or several; without it, all that tools have"),
	{0},
};

static const struct field problem_fields[] = {
	{"path", "the manifest", F_STR},
	{"line", "from 1; 0: the file as a whole", F_INT},
	{"column", "from 1", F_INT},
	{"message", "what is wrong, and what is allowed", F_STR},
	{0},
};
static const struct field result[] = {
	{"checked", "how many manifests", F_INT},
	{"problems", "what is wrong, in the order of the text", F_LIST, .sub = problem_fields},
	{0},
};

static void problem(struct arena *a, struct val *list, struct str path, struct place at,
		    struct str message)
{
	struct val *v = val_add(list, val_map(a));

	val_set(a, v, "path", val_str(a, str_utf8(a, path)));
	val_set(a, v, "line", val_int(a, (int64_t)at.line));
	val_set(a, v, "column", val_int(a, (int64_t)at.column));
	val_set(a, v, "message", val_str(a, str_utf8(a, message)));
}

static struct err *manifest_check_file(struct arena *a, struct str path, struct val *problems)
{
	struct manifest_problems found;
	struct manifest m;
	struct str text;

	TRY(os_read(a, str_c(a, path), MANIFEST_BYTES_MAX, &text));
	manifest_check(a, text, path, &m, &found);
	for (size_t i = 0; i < found.n; i++)
		problem(a, problems, path, found.p[i].at, found.p[i].message);
	if (found.more)
		problem(a, problems, path, (struct place){0},
			str_fmt(a, "there are %zu more", found.more));
	return NULL;
}

static struct err *manifest_check_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct manifests all = {.files = args->paths};
	struct val *problems = val_list(c->a);

	if (!args->paths.n)
		TRY(manifests_load(c->a, os_ikigai_home(c->a), &all));
	for (size_t i = 0; i < all.files.n; i++)
		TRY(manifest_check_file(c->a, all.files.p[i], problems));
	for (size_t i = 0; i < all.misplaced.n; i++)
		problem(c->a, problems, STR(""), (struct place){0}, all.misplaced.p[i]);
	c->negative = problems->n;
	*out = val_map(c->a);
	val_set(c->a, *out, "checked", val_int(c->a, (int64_t)all.files.n));
	val_set(c->a, *out, "problems", problems);
	return NULL;
}

static void manifest_check_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "problems"), v) {
		struct str path = val_get_str(v, "path");

		out_safe(c->out, path, false);
		if (val_get_int(v, "line"))
			out_fmt(c->out, ":%jd:%jd", (intmax_t)val_get_int(v, "line"),
				(intmax_t)val_get_int(v, "column"));
		out_puts(c->out, path.n ? ": " : "");
		out_safe(c->out, val_get_str(v, "message"), false);
		out_puts(c->out, "\n");
	}
	if (!val_get(r, "problems")->n)
		out_fmt(c->err, "%jd checked, nothing is wrong\n",
			(intmax_t)val_get_int(r, "checked"));
}

const struct cmd cmd_manifest_check = {
	.name = "manifest check",
	.summary = "say everything that is wrong with tools' manifests",
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = manifest_check_run,
	.text_val = manifest_check_text,
};
