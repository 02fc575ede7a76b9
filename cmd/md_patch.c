/* md patch, md curate: replace or append to a section of a Markdown text, or change its list
 * (requirement: garden, md.patch_section, md.curate_list). */
#include "garden/section_edit.h"
#include "md/md.h"
#include "paths/change_common.h"

#define TEXT_HASH "text:sha256:"

struct change {
	struct str replace, append, tombstone;
};

struct args {
	struct audit audit;
	struct str path, sectionAnchor, ifMatch;
	struct str replace, append, tombstone; /* md patch */
	struct cmd_list change;
	struct str op, reason; /* md curate */
	struct strs ops, items;
	bool breakLinks;
};

#define PARAM_SECTION_ANCHOR                                                                       \
	PARAM(sectionAnchor, .flags = ARG | REQUIRED, .meta = "ANCHOR", .min = 1, .max = 4096,     \
	      .also = "section_anchor section anchor", .complete = section_complete_names,         \
	      .help = "the section: its anchor, heading or slug; NAME:LINE when several fit")
#define PARAM_SECTION_IF_MATCH                                                                     \
	PARAM(ifMatch, .meta = "hash", .also = "if_match",                                         \
	      .help = "only if the file has this hash, or the section this text:sha256:...")

struct result {
	struct written written;
	struct str before, after; /* text:sha256 of the section */
	struct garden_text_done done;
};

/* clang-format off */
#define FIELDS_SECTION_WRITTEN                                                                     \
	FIELD_AS(struct result, before, "beforeHash",                                      \
		 "text:sha256 of the section before, as fs_hash gives it"),                        \
	FIELD_AS(struct result, after, "afterHash", "text:sha256 of the section now"),     \
	FIELD_AS(struct result, done.heading, "heading", "the heading of the section"),    \
	FIELD_AS(struct result, done.anchor, "anchor", "its anchor", .flags = IF_ANY)
/* clang-format on */

/* ---- the change of a section ---- */

/* Computes the new text. *op is what the event will say; it may be changed. */
typedef struct err *section_compute_fn(void *ctx, struct arena *a, struct str old,
				       struct garden_text_done *done, const char **op);

static struct err *section_compute(struct file_change *change, struct str if_match,
				   section_compute_fn *compute, void *ctx, struct result *s)
{
	struct str file;

	TRY(compute(ctx, change->a, change->old, &s->done, &change->w.op));
	TRY(file_text_hash(change->a, s->done.before, &s->before));
	/* The hash of canonical text may be that of the file or of the section; a byte hash is the
	 * file's. */
	if (str_starts(if_match, STR(TEXT_HASH)) && !str_eq(if_match, s->before)) {
		TRY(file_text_hash(change->a, change->old, &file));
		if (!str_eq(if_match, file))
			return err_help(
				err_add_detail(err_new(E_CHANGED, "the section '%.*s' has changed",
						       STR_ARG(s->done.heading)),
					       "current", s->before),
				"read it again; its hash is now %.*s", STR_ARG(s->before));
	}
	return file_text_hash(change->a, s->done.after, &s->after);
}

/*
 * Changes a section of a file or asset under its lock, so that two changes of two sections at once
 * both survive. The anchors that the change removed become a warning.
 */
static struct err *section_change(struct call *c, struct files *f, const struct args *args,
				  section_compute_fn *compute, void *ctx, struct result *out)
{
	struct file_write w = {.op = "edit", .existing = true};
	struct file_change *change;
	struct file_ref ref;
	struct err *e;
	struct strs gone = {0}, removed = {0};

	out->written.path = args->path;
	w.flags = args->breakLinks ? OS_BREAK_LINKS : 0;
	if (!str_starts(args->ifMatch, STR(TEXT_HASH)))
		w.if_match = args->ifMatch;
	TRY(file_ref_resolve(f, args->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = section_compute(change, args->ifMatch, compute, ctx, out);
	if (e)
		return file_abort(change, err_add_context(e, "'%.*s'", STR_ARG(args->path)));
	/* The change's arena ends with it: what the answer needs moves to the call's. */
	out->before = str_dup(c->a, out->before);
	out->after = str_dup(c->a, out->after);
	out->done.heading = str_dup(c->a, out->done.heading);
	out->done.anchor = str_dup(c->a, out->done.anchor);
	for (size_t i = 0; i < out->done.gone.n; i++)
		strs_push(c->a, &gone, str_dup(c->a, out->done.gone.p[i]));
	for (size_t i = 0; i < out->done.removed.n; i++)
		strs_push(c->a, &removed, str_dup(c->a, out->done.removed.p[i]));
	out->done.gone = gone;
	out->done.removed = removed;
	change->w.anchor = out->done.anchor.n ? out->done.anchor : out->done.heading;
	TRY(file_commit(change, out->done.text, &out->written.done));
	if (out->done.adapted)
		out->written.ends = written_ends[out->done.crlf];
	if (out->done.gone.n)
		strs_push(c->a, &out->written.done.warnings,
			  str_fmt(c->a, "the text that was replaced had the anchor%s '%.*s'",
				  out->done.gone.n > 1 ? "s" : "",
				  STR_ARG(str_join(c->a, &out->done.gone, "', '"))));
	return NULL;
}

/* A file that cannot be read completes to nothing. */
static struct err *section_complete_run(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct md_sections all = {0};
	struct strs names;
	struct files *f;
	struct file_ref ref;
	struct str text, path;
	const struct cmd *cmd;
	size_t used;
	char **words = arena_array(c->a, c->words.n + 1, sizeof(*words));

	(void)result;
	for (size_t i = 0; i < c->words.n; i++)
		words[i] = str_c(c->a, c->words.p[i]);
	cmd = c->words.n ? cmd_find_words(words + 1, c->words.n - 1, &used) : NULL;
	path = cmd ? cmd_nth_positional_word(c->a, cmd, &c->words, 0) : STR("");
	if (!path.n)
		return NULL;
	TRY(files_open(c, &f));
	TRY(app_garden_file_resolve(c, path, &path));
	TRY(file_ref_resolve(f, path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &text));
	TRY(md_sections(c->a, text, &all));
	md_section_names(c->a, &all, &names);
	for (size_t i = 0; i < all.n; i++) {
		struct str name = names.p[i];
		size_t blank = str_find_char(name, ' ', 0);
		const struct md_section *found = NULL;

		/* A shell takes a blank for the end of the word; the version is seldom needed. */
		if (blank != SIZE_MAX &&
		    !md_section_pick(c->a, &all, str_sub(name, 0, blank), &found) &&
		    found == &all.p[i])
			name = str_sub(name, 0, blank);
		if (!all.p[i].nested && str_find_char(name, '\n', 0) == SIZE_MAX &&
		    str_find_char(name, '\t', 0) == SIZE_MAX)
			cmd_candidate(c->out, typed, name, all.p[i].heading);
	}
	return NULL;
}

/* The names of sections of the file that is the command's first argument. */
static struct err *section_complete_names(struct call *c, struct str typed)
{
	return complete_word(c, typed, NEED_ROOTS | NEED_CONF, section_complete_run);
}

/* ---- md patch ---- */

#define CHANGE(member, ...) PARAM_OF(struct change, member, __VA_ARGS__)
static const struct param change_params[] = {
	CHANGE(replace, .help = "the new body, without heading and anchor"),
	CHANGE(append, .help = "what is added at the end of the body"),
	CHANGE(tombstone, .help = "why the section is given up: one line that replaces the body"),
	{0},
};

static const struct param patch_params[] = {
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

static const struct field patch_result[] = {
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

	TRY(md_patch_given(c, args, &patch));
	return section_change(c, f, args, md_patch_compute, &patch, out);
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
	CMD_PARAMS(struct args, patch_params),
	CMD_RESULT(struct result, patch_result),
	.run = md_patch_run,
	.template = TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
};

/* ---- md curate ---- */

static const struct param curate_params[] = {
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

static const struct field curate_result[] = {
	FIELDS_SECTION_WRITTEN,
	FIELD_AS(struct result, done.added, "added", "the number of new items"),
	FIELD_AS(struct result, done.removed, "removed", "the items that are gone",
		 .flags = IF_ANY),
	FIELD_AS(struct result, done.tombstone, "tombstone",
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
	return section_change(c, f, args, md_curate_compute, &cu, out);
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
	CMD_PARAMS(struct args, curate_params),
	CMD_RESULT(struct result, curate_result),
	.run = md_curate_run,
	.template = "{/removed:removed {.}\n}{?tombstone:{2:ikm: the section '{heading}' has no "
		    "items now; a line in it says why\n}}" TEMPLATE_LINE_ENDS TEMPLATE_WARNINGS,
};
