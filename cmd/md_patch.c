/* md patch: replaces or appends to a section of a Markdown text (requirement: garden,
 * md.patch_section). */
#include "paths/section_change.h"

struct change {
	struct str replace, append, tombstone;
};

struct args {
	struct audit audit;
	struct str path, sectionAnchor, replace, append, tombstone, ifMatch;
	struct cmd_list change;
	bool breakLinks;
};

#define CHANGE(member, ...) PARAM_OF(struct change, member, __VA_ARGS__)
static const struct param change_params[] = {
	CHANGE(replace, .help = "the new body, without heading and anchor"),
	CHANGE(append, .help = "what is added at the end of the body"),
	CHANGE(tombstone, .help = "why the section is given up: one line that replaces the body"),
	{0},
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM_SECTION_ANCHOR,
	PARAM(change, .flags = JSON_ONLY | ONE, .sub = change_params,
	      .sub_size = sizeof(struct change), .help = "what to do; give one member"),
	PARAM(replace, .letter = 'r', .flags = STDIN | RARE, .meta = "text",
	      .help = "the new body, without heading and anchor"),
	PARAM(append, .letter = 'a', .flags = STDIN | RARE, .meta = "text",
	      .help = "what is added at the end of the body"),
	PARAM(tombstone, .flags = RARE, .meta = "why", .min = 1, .max = 500,
	      .help = "give the section up: one line that says why replaces the body"),
	PARAM_SECTION_IF_MATCH,
	PARAM_BREAK_LINKS,
	PARAMS_AUDIT_GARDEN,
	{0},
};

struct result {
	struct written written;
	struct section_written section;
};

static const struct field result[] = {
	FIELDS_SECTION_WRITTEN,
	FIELDS_WRITTEN,
	FIELD_LINE_ENDS,
	{0},
};

static struct err *md_patch_compute(void *ctx, struct arena *a, struct str old,
				    struct garden_text_done *done, const char **op)
{
	const struct garden_patch *p = ctx;

	*op = p->tombstone.p ? "tombstone_section"
	      : p->append.p  ? "append_section"
			     : "replace_section";
	return garden_text_update_section(a, old, p, done);
}

static struct err *md_patch_given(const struct call *c, const struct args *args,
				  struct garden_patch *p)
{
	const struct change *change = args->change.p;
	const struct {
		struct str flat, nested, *to;
	} all[] = {
		{args->replace, change ? change->replace : (struct str){0}, &p->replace},
		{args->append, change ? change->append : (struct str){0}, &p->append},
		{args->tombstone, change ? change->tombstone : (struct str){0}, &p->tombstone},
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		n += all[i].flat.p ? 1 : 0;
		n += all[i].nested.p ? 1 : 0;
		*all[i].to = all[i].flat.p ? all[i].flat : all[i].nested;
	}
	if (n == 1)
		return NULL;
	return err_help(err_for_param(n ? E_BAD_ARGUMENT : E_MISSING_PARAMETER, STR("change"),
				      n ? "give one change, not %zu" : "there is no change to make",
				      n),
			c->face == FACE_ARGV ? "give one of --replace, --append and --tombstone"
					     : "give one of replace, append and tombstone");
}

static struct err *md_patch_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct garden_patch patch = {.section = args->sectionAnchor, .now = os_now()};
	struct section_change q = {
		.path = args->path,
		.if_match = args->ifMatch,
		.break_links = args->breakLinks,
		.compute = md_patch_compute,
		.ctx = &patch,
	};
	struct result *r = out;

	TRY(md_patch_given(c, args, &patch));
	return section_change(c, f, &q, &r->written, &r->section);
}

/* The reason of a tombstone is the rationale, if no other is given. */
static struct err *md_patch_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct garden_patch patch = {0};
	struct audit audit = args->audit;
	const struct files_write w = {
		.audit = &audit,
		.path = args->path,
		.anchor = args->sectionAnchor,
		.run = md_patch_do,
	};

	TRY(md_patch_given(c, args, &patch));
	if (!audit.rationale.p)
		audit.rationale = patch.tombstone;
	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_md_patch = {
	.name = "md patch",
	.tool = "md_patch_section",
	.toolset = SET_GARDEN,
	.summary = "replace or append to a section of a Markdown file",
	.description =
		"Replace the body of a section of a Markdown file or stored asset, or append "
		"to it. Heading, anchor and all other sections stay as they are. In the "
		"garden the change is checked, recorded and committed.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_patch_run,
	.template = TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
};
