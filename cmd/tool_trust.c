/* tool trust, tool untrust: a person's decision about folders of programs. */
#include "toolbox/all_tools.h"

struct args {
	struct str dir;
};

/* Completes trusted folders, as they are stored, or relative to the current folder. */
static struct err *tool_trust_complete(struct call *c, struct str typed)
{
	const char *home = os_ikigai_home(c->a), *cwd;
	struct strs dirs;
	struct str here;

	if (!home)
		return NULL;
	TRY(os_cwd(c->a, &cwd));
	TRY(tool_trusted_folders(c->a, home, &dirs));
	here = str_fmt(c->a, "%s/", cwd);
	out_puts(c->out, ":paths\n");
	for (size_t i = 0; i < dirs.n; i++) {
		struct str dir = dirs.p[i];

		if (typed.n && typed.p[0] != '/' && str_starts(dir, here))
			dir = str_sub(dir, here.n, dir.n);
		/* Each candidate is one line, and a tab ends its word. */
		if (str_find_char(dir, '\n', 0) == SIZE_MAX &&
		    str_find_char(dir, '\t', 0) == SIZE_MAX)
			cmd_candidate(c->out, typed, dir, STR(""));
	}
	return NULL;
}

static const struct param trust_params[] = {
	PARAM(dir, .flags = ARG | PATHS, .meta = "DIR", .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder; default: list the trusted folders"),
	{0},
};

static const struct param untrust_params[] = {
	PARAM(dir, .flags = ARG | REQUIRED, .meta = "DIR", .min = 1, .max = OS_PATH_MAX,
	      .complete = tool_trust_complete, .help = "the folder, which may be gone"),
	{0},
};

struct trust_result {
	struct strs folders;
	bool changed;
};

static const struct field trust_result[] = {
	FIELD_OF(struct trust_result, folders, "the trusted folders; later folders win"),
	FIELD_OF(struct trust_result, changed, "whether the list changed"),
	{0},
};

static struct err *tool_trust_change(struct call *c, struct str dir, bool trust,
				     struct trust_result *r)
{
	const char *home = os_ikigai_home(c->a);
	struct err *e;

	if (!home)
		return err_new(E_NO_HOME, "there is no home folder to store the list of trusted "
					  "folders");
	if (str_has_nul(dir))
		return err_new(E_BAD_PATH, "a path cannot contain a NUL");
	if (dir.p && trust)
		TRY(tool_trust_folder(c->a, home, str_c(c->a, dir), &r->changed));
	else if (dir.p)
		TRY(tool_untrust_folder(c->a, home, str_c(c->a, dir), &r->changed));
	e = tool_trusted_folders(c->a, home, &r->folders);
	return e && r->changed ? err_add_context(e, "the list is written") : e;
}

static struct err *tool_trust_run(struct call *c, const void *p, void *out)
{
	return tool_trust_change(c, ((const struct args *)p)->dir, true, out);
}

static struct err *tool_untrust_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct trust_result *r = out;

	TRY(tool_trust_change(c, args->dir, false, r));
	c->negative = !r->changed;
	return NULL;
}

const struct cmd cmd_tool_trust = {
	.name = "tool trust",
	.summary = "use the programs in a folder as tools",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, trust_params),
	CMD_RESULT(struct trust_result, trust_result),
	.run = tool_trust_run,
	.template = "{/folders:{.%r}\n}",
};

const struct cmd cmd_tool_untrust = {
	.name = "tool untrust",
	.summary = "stop using the programs in a folder as tools",
	.expose = EXPOSE_PERSON,
	CMD_PARAMS(struct args, untrust_params),
	CMD_RESULT(struct trust_result, trust_result),
	.run = tool_untrust_run,
	.template = "{?!changed:{2:{@dir%r} was not trusted\n}}",
};
