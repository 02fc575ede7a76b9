/* md curate: adds, removes and merges items of a section's list (requirement: garden,
 * md.curate_list). */
#include "paths/section_change.h"

struct args {
	struct audit audit;
	struct str path, sectionAnchor, op, reason, ifMatch;
	struct strs ops, items;
	bool breakLinks;
};

static const struct param params[] = {
	PARAM_FILE,
	PARAM_SECTION_ANCHOR,
	PARAM(op, .flags = ARG | REQUIRED | CLI_ONLY, .meta = "OPS", .choices = garden_text_ops,
	      .help = "what to do with the items; several are joined by commas"),
	PARAM(ops, .flags = JSON_ONLY | REQUIRED | LIST_OR_ONE, .also = "op",
	      .choices = garden_text_ops, .help = "one op for all items, or one for each"),
	PARAM(items, .flags = ARG | REQUIRED | LIST_OR_ONE, .also = "item", .min = 1, .max = 65536,
	      .help = "append: a line of text; prune: an item's ev: token or exact text; merge: "
		      "the items, then the new text"),
	PARAM(reason, .letter = 'm', .meta = "TEXT", .min = 1, .max = 500,
	      .help = "why, in one line; prune and merge need it"),
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
	FIELD_AS(struct result, section.done.added, "added", "the number of new items"),
	FIELD_AS(struct result, section.done.removed, "removed", "the items that are gone",
		 .flags = IF_ANY),
	FIELD_AS(struct result, section.done.tombstone, "tombstone",
		 "the last item is gone, and a line says why", .flags = IF_ANY),
	FIELDS_WRITTEN,
	FIELD_LINE_ENDS,
	{0},
};

static struct err *md_curate_compute(void *ctx, struct arena *a, struct str old,
				     struct garden_text_done *done, const char **op)
{
	const struct garden_curate *cu = ctx;
	bool appends = true;

	TRY(garden_text_curate_list(a, old, cu, done));
	for (size_t i = 0; i < cu->nops; i++)
		appends = appends && cu->ops[i] == GARDEN_TEXT_APPEND;
	*op = done->tombstone ? "tombstone_section" : appends ? "append_item" : "curate_items";
	return NULL;
}

static struct err *md_curate_do(struct call *c, struct files *f, const void *p, void *out)
{
	const struct args *args = p;
	struct garden_curate cu = {
		.section = args->sectionAnchor,
		.items = args->items,
		.reason = args->reason,
		.now = os_now(),
	};
	struct section_change q = {
		.path = args->path,
		.if_match = args->ifMatch,
		.break_links = args->breakLinks,
		.compute = md_curate_compute,
		.ctx = &cu,
	};
	struct result *r = out;
	struct strs words = args->ops;
	struct str rest = args->op, word;
	enum garden_text_op *ops;

	while (rest.n && str_next_part(&rest, ',', &word))
		strs_push(c->a, &words, word);
	ops = arena_array(c->a, words.n + 1, sizeof(*ops));
	for (size_t i = 0; i < words.n; i++) {
		int op = record_choice_index(garden_text_ops, words.p[i]);

		if (op < 0)
			return err_not_in_enum(c->a, STR("ops"), words.p[i], garden_text_ops);
		ops[i] = (enum garden_text_op)op;
	}
	cu.ops = ops;
	cu.nops = words.n;
	return section_change(c, f, &q, &r->written, &r->section);
}

/* Both are kept: the reason is about the items, the rationale about the change. */
static struct err *md_curate_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct audit audit = args->audit;
	const struct files_write w = {
		.audit = &audit,
		.path = args->path,
		.anchor = args->sectionAnchor,
		.run = md_curate_do,
	};

	if (!audit.rationale.n)
		audit.rationale = args->reason;
	else if (args->reason.n && !str_eq(args->reason, audit.rationale))
		audit.rationale = str_fmt(c->a, "%.*s; %.*s", STR_ARG(args->reason),
					  STR_ARG(audit.rationale));
	return files_run_write_tool(c, &w, p, out);
}

const struct cmd cmd_md_curate = {
	.name = "md curate",
	.tool = "md_curate_list",
	.toolset = SET_GARDEN,
	.summary = "add, remove and merge items of a section's list",
	.description = "Change the list of a section of a Markdown file or stored asset: append "
		       "items, prune items, or merge several into one, which keeps their ev: "
		       "tokens.",
	.need = NEED_ROOTS | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = md_curate_run,
	.template = "{/removed:removed {.}\n}{?tombstone:{2:ikm: the section '{heading}' has no "
		    "items now; a line in it says why\n}}" TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
};
