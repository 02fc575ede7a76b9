/* md new: makes a file of the garden, with its frontmatter, sections and anchors (requirement:
 * garden, "Allowed path roots", "Hidden anchors and headings"). */
#include "paths/change_common.h"
#include "garden/section_edit.h"

struct args {
	struct audit audit;
	int kind;
	struct str id, part, relationship, title, type, polarityLevel, status;
	struct strs participants;
};

static const struct param params[] = {
	PARAM(kind, .flags = ARG | REQUIRED, .choices = garden_new_kinds, .help = "what to make"),
	PARAM(id, .flags = ARG, .min = 1, .max = 128,
	      .help = "the id of the part or relationship: the name of its folder"),
	PARAM(title, .letter = 't', .min = 1, .max = 500,
	      .help = "the title, and the name of a part; the default is made of the ids"),
	PARAM(participants, .option = "participant", .meta = "ID", .min = 1, .max = 500,
	      .help = "a participant of a relationship; give two or more"),
	PARAM(type, .min = 1, .max = 500, .help = "the type of a relationship; default: open"),
	PARAM(polarityLevel, .min = 1, .max = 100, .help = "the polarity level of a relationship"),
	PARAM(status, .min = 1, .max = 100, .help = "the status of a part; default: active"),
	PARAM(part, .meta = "ID", .min = 1, .max = 128, .help = "notes: those of this part"),
	PARAM(relationship, .meta = "ID", .min = 1, .max = 128,
	      .help = "notes: those of this relationship"),
	PARAMS_AUDIT_GARDEN,
	{0},
};

struct result {
	struct written written;
};
static const struct field result[] = {
	FIELDS_WRITTEN,
	{0},
};

/* A parameter that the kind does not have would be dropped in silence. */
static struct err *md_new_check(const struct args *args)
{
	enum garden_kind kind = (enum garden_kind)args->kind;
	bool part = kind == GARDEN_PART, relation = kind == GARDEN_RELATIONSHIP;
	const struct {
		const char *name;
		bool given, allowed;
	} all[] = {
		{"id", args->id.p, part || relation},
		{"participants", args->participants.p, relation},
		{"type", args->type.p, relation},
		{"polarityLevel", args->polarityLevel.p, relation},
		{"status", args->status.p, part},
		{"part", args->part.p, kind == GARDEN_NOTES && !args->relationship.p},
		{"relationship", args->relationship.p, kind == GARDEN_NOTES && !args->part.p},
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].given && !all[i].allowed)
			return err_for_param(
				E_BAD_ARGUMENT, str_of(all[i].name), "%s is not for %s%s",
				all[i].name, garden_new_kinds[args->kind],
				kind == GARDEN_NOTES ? ", or not with another owner" : "");
	if ((part || relation) && !args->id.p)
		return err_help(err_missing(NULL, STR("id"), "the name of its folder", NULL),
				"give a short name, such as 'work' or 'ada_bob'");
	return NULL;
}

/* The path of the new file. */
static struct err *md_new_path(struct call *c, const struct args *args, const struct garden_new *n,
			       struct str *out)
{
	enum garden_kind beside = args->part.p              ? GARDEN_PART
				  : args->relationship.p    ? GARDEN_RELATIONSHIP
				  : n->kind == GARDEN_NOTES ? GARDEN_OVERVIEW
							    : n->kind;
	struct os_stat st = {0};
	const char *top;
	struct str path;

	TRY(garden_new_file_path(c->a, n->kind, beside, n->user, n->id, &path));
	TRY(app_load_conf(c));
	top = app_garden_path(c);
	if (!top)
		return err_help(err_new(E_NO_HOME, "there is no home for the garden"),
				"set HOME or IKIGAI_HOME, or garden.path");
	/* A file without a garden around it would be judged by nobody. */
	TRY(os_stat(top, true, &st));
	if (st.kind != OS_DIR)
		return err_help(err_new(E_NOT_CONFIGURED, "there is no garden at '%s'", top),
				"make it: ikm init --garden");
	*out = str_of(os_join(c->a, top, str_c(c->a, path)));
	return NULL;
}

/* The ids of the parts or relationships that the user has, for messages. */
static void md_new_ids(struct call *c, enum garden_kind kind, struct str user, struct strs *out)
{
	struct str path;

	if (garden_new_file_path(c->a, kind, kind, user, STR("x"), &path))
		return;
	/* "users/ada/parts/x/profile.md": without its last two parts. */
	path.n = str_rfind_char(path, '/');
	path.n = str_rfind_char(path, '/');
	if (os_list(c->a, os_join(c->a, app_garden_path(c), str_c(c->a, path)), out))
		*out = (struct strs){0};
}

/* Notes stand beside a profile: without it they are of nobody. */
static struct err *md_new_owner(struct call *c, const struct args *args, struct str user)
{
	enum garden_kind kind = args->part.p ? GARDEN_PART : GARDEN_RELATIONSHIP;
	struct str id = args->part.p ? args->part : args->relationship, near;
	const char *what = args->part.p ? "part" : "relationship";
	struct os_stat st = {0};
	struct strs all = {0};
	struct str path;

	if (!id.p)
		return NULL;
	TRY(garden_new_file_path(c->a, kind, kind, user, id, &path));
	TRY(os_stat(os_join(c->a, app_garden_path(c), str_c(c->a, path)), true, &st));
	if (st.kind == OS_FILE)
		return NULL;
	md_new_ids(c, kind, user, &all);
	near = str_nearest(id, &all);
	return err_help(err_new(E_FILE_NOT_FOUND, "there is no %s '%.*s'%.*s", what, STR_ARG(id),
				STR_ARG(str_did_you_mean(c->a, near))),
			"make it first: ikm md new %s %.*s%s", what, STR_ARG(str_quoted(c->a, id)),
			kind == GARDEN_PART ? "" : " --participant ONE --participant TWO");
}

static struct garden_new md_new_of(struct call *c, const struct args *args)
{
	return (struct garden_new){
		.kind = (enum garden_kind)args->kind,
		.user = app_user(c),
		.id = args->id.p     ? args->id
		      : args->part.p ? args->part
				     : args->relationship,
		.title = args->title,
		.participants = args->participants,
		.type = args->type,
		.polarity_level = args->polarityLevel,
		.status = args->status,
		.now = os_now(),
	};
}

static struct err *md_new_do(struct call *c, struct files *f, const void *p, void *out)
{
	struct file_write w = {.op = "write", .flags = OS_PARENTS | OS_EXCLUSIVE};
	const struct args *args = p;
	struct garden_new n = md_new_of(c, args);
	struct result *r = out;
	struct file_ref ref;
	struct str text;
	struct err *e;
	struct strs all = {0};

	TRY(garden_text_new(c->a, &n, &text));
	TRY(md_new_path(c, args, &n, &r->written.path));
	TRY(md_new_owner(c, args, n.user));
	TRY(file_ref_resolve(f, r->written.path, &ref));
	e = file_put(f, &ref, &w, text, &r->written.done);
	if (e && err_reason(e) == E_EXISTS)
		err_help(e, "change it with 'ikm md patch'");
	TRY(e);
	/* A participant may be anyone, such as a person without a part: this is only a warning. */
	md_new_ids(c, GARDEN_PART, n.user, &all);
	for (size_t i = 0; i < args->participants.n; i++) {
		struct str one = args->participants.p[i];

		if (strs_has(&all, one) || str_eq(one, n.user))
			continue;
		strs_push(
			c->a, &r->written.done.warnings,
			str_fmt(c->a,
				"the participant '%.*s' is none of your parts%.*s; if it is meant "
				"to be one, make it: ikm md new part %.*s",
				STR_ARG(one),
				STR_ARG(str_did_you_mean(c->a, str_nearest(one, &all))),
				STR_ARG(str_quoted(c->a, one))));
	}
	return NULL;
}

static struct err *md_new_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct garden_new n = md_new_of(c, args);
	struct files_write w = {.audit = &args->audit, .run = md_new_do};
	struct str text;
	struct strs all = {0};

	TRY(md_new_check(args));
	TRY(garden_text_new(c->a, &n, &text));
	TRY(md_new_path(c, args, &n, &w.path));
	/* "critic" and "CRITIC" are one folder on macOS and Windows. */
	if (n.kind == GARDEN_PART || n.kind == GARDEN_RELATIONSHIP)
		md_new_ids(c, n.kind, n.user, &all);
	for (size_t i = 0; i < all.n; i++)
		if (str_ieq(all.p[i], n.id) && !str_eq(all.p[i], n.id))
			return err_help(
				err_new(E_EXISTS,
					"there is '%.*s' already, and some systems take '%.*s' for "
					"the same name",
					STR_ARG(all.p[i]), STR_ARG(n.id)),
				"take another id");
	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_md_new = {
	.name = "md new",
	.tool = "md_new",
	.toolset = SET_GARDEN,
	.traits = TOOL_ADDS,
	.summary = "make a file of the garden with its sections and anchors",
	.description =
		"Make your overview, a part, a relationship or notes in the garden, with all "
		"sections and anchors. The file must not exist.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_new_run,
	.template = "{path%q}\n" TEMPLATE_WARNINGS,
};
