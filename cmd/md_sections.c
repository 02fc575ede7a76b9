/* md sections: lists the sections of a Markdown text (requirement: garden, md.list_sections). */
#include "paths/open_files_for_call.h"
#include "md/md.h"

struct args {
	struct str path;
};

static const struct param params[] = {
	PARAM_FILE,
	{0},
};

struct listed {
	struct str anchor, heading, name;
	size_t startLine, level;
};

#define L(member, ...) FIELD_OF(struct listed, member, __VA_ARGS__)
static const struct field listed_fields[] = {
	L(anchor, "its anchor; empty: it has none"),
	L(heading, "the heading, without markup"),
	L(startLine, "the line of the heading, from 1"),
	L(level, "1 to 6"),
	L(name, "what names this section alone, when the anchor does not", .flags = IF_ANY),
	{0},
};

struct result {
	struct VEC(struct listed) sections;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, sections, "sections", listed_fields,
		      "in the order of the text"),
	{0},
};

static struct err *md_sections_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct md_sections all = {0};
	struct strs names;
	struct files *f;
	struct file_ref ref;
	struct str text;
	struct err *e;

	TRY(files_open(c, &f));
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &text));
	if (!str_is_text(text))
		return err_new(E_NOT_TEXT, "'%.*s' is no UTF-8 text, so it has no sections",
			       STR_ARG(args->path));
	e = md_sections(c->a, text, &all);
	if (e)
		return err_add_context(e, "'%.*s'", STR_ARG(args->path));
	md_section_names(c->a, &all, &names);
	for (size_t i = 0; i < all.n; i++) {
		const struct md_section *s = &all.p[i];

		/* A heading in a quote or list item has no section. */
		if (s->nested)
			continue;
		*VEC_PUSH(c->a, &r->sections) = (struct listed){
			.anchor = s->anchor,
			.heading = s->heading,
			.name = str_eq(names.p[i], s->anchor) ? STR("") : names.p[i],
			.startLine = s->line,
			.level = s->level,
		};
	}
	return NULL;
}

static void md_sections_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	size_t width = 0;

	(void)args;
	VEC_EACH(const struct listed, l, &r->sections)
		width = size_max(width, size_min(40, (l->name.n ? l->name : l->anchor).n));
	VEC_EACH(const struct listed, l, &r->sections) {
		struct str name = l->name.n ? l->name : l->anchor;

		out_fmt(c->out, "%5zu  ", l->startLine);
		out_safe(c->out, name, false);
		out_fmt(c->out, "%*s  %.*s ", (int)(width - size_min(width, name.n)), "",
			(int)l->level, "######");
		out_safe_line(c->out, l->heading);
	}
}

const struct cmd cmd_md_sections = {
	.name = "md sections",
	.tool = "md_list_sections",
	.toolset = SET_GARDEN,
	.traits = TOOL_READS,
	.summary = "list the sections of a Markdown file",
	.description = "List the sections of a Markdown file or stored asset, each with the anchor "
		       "or name that md_patch_section and md_curate_list take.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_sections_run,
	.text = md_sections_text,
};
