/* refs: lists the references in a text, and the references to it (requirement: assets,
 * "Cross-References"). */
#include "expand/resolve_refs.h"
#include "file/types.h"
#include "paths/find_candidates.h"
#include "app/print_warnings.h"

struct args {
	struct str path;
	bool to, check, external;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,
	      .meta = "PATH|URI", .complete = uri_complete,
	      .help = "the file or stored asset; with check, default: all"),
	PARAM(to, .letter = 't', .help = "only references to it; it need not exist"),
	PARAM(check, .letter = 'c', .tool_help = "only broken references",
	      .help = "only broken references; exit status 1 if there are any"),
	PARAM(external, .help = "also list links to other sites; ikm does not check them"),
	{0},
};

#define REFERENCE(member, name, help, ...)                                                         \
	FIELD_AS(struct refs_reference, member, name, help, __VA_ARGS__)
static const struct field reference[] = {
	REFERENCE(from, "from", "the text that has it"),
	REFERENCE(at.line, "line", "its line, from 1"),
	REFERENCE(at.column, "column", "in bytes, from 1"),
	FIELD_NAMED(struct refs_reference, kind, "kind", refs_kinds, "how it is written"),
	REFERENCE(target, "target", "its target: a path, ikigai:///…, or a URL"),
	REFERENCE(fragment, "fragment", "the heading or anchor in it", .flags = OPTIONAL),
	REFERENCE(broken, "broken", "the target does not exist"),
	REFERENCE(why, "reason", "why it is broken", .flags = OPTIONAL),
	{0},
};

struct result {
	struct refs_list references, referrers;
	struct maybe_int broken, checked, texts;
	struct strs warnings;
};

static const struct field result[] = {
	FIELD_RECORDS(struct result, references, "references", reference,
		      "the references in the text, in order; not with to", .flags = OPTIONAL),
	FIELD_RECORDS(struct result, referrers, "referrers", reference,
		      "the references to the text; not with check", .flags = OPTIONAL),
	FIELD(broken, "the number of broken references; not with to", .flags = OPTIONAL),
	FIELD(checked, "with check: the number of references", .flags = OPTIONAL),
	FIELD(texts, "with check: the number of texts", .flags = OPTIONAL),
	FIELD(warnings, "texts that could not be read", .flags = IF_ANY),
	{0},
};

/* An empty list is present in the result. */
static void refs_there(struct arena *a, struct refs_list *list)
{
	list->p = list->p ? list->p : arena_alloc(a, sizeof(*list->p));
}

/* The repository's files, relative to the current folder, and all assets. */
static struct err *all_texts(struct call *c, struct files *f, bool markdown, struct strs *out,
			     struct strs *warnings)
{
	struct strs files = {0}, assets = {0};
	bool whole = c->git && git_top(c->git);

	TRY(find_candidate_files(c, f, &(struct find_where){.whole = true, .copies = true}, &files,
				 warnings));
	TRY(find_list_names_to_rank(c, &(struct find_where){.asset = true}, &assets, warnings));
	for (size_t i = 0; i < files.n; i++)
		if (!markdown || file_is_markdown(files.p[i]))
			strs_push(c->a, out,
				  whole ? str_fmt(c->a, "%s/%.*s", git_top(c->git),
						  STR_ARG(files.p[i]))
					: files.p[i]);
	for (size_t i = 0; i < assets.n; i++)
		strs_push(c->a, out, asset_uri(c->a, assets.p[i]));
	return NULL;
}

/* Checks every readable text. An unreadable text is an error only if the caller named it. */
static struct err *check_all(struct call *c, struct refs *r, struct refs_list *out, size_t *n,
			     struct strs *warnings)
{
	struct strs texts = {0};
	struct progress progress PROGRESS = {0};

	*n = 0;
	TRY(all_texts(c, r->f, true, &texts, warnings));
	progress = progress_start("texts checked", texts.n);
	for (size_t i = 0; i < texts.n; i++) {
		struct err *e = refs_of(r, texts.p[i], out);

		progress_at(&progress, i);
		if (e && !refs_error_means_not_text(e))
			return e;
		*n += !e;
		if (e && (err_reason(e) == E_PERMISSION || err_reason(e) == E_TOO_BIG))
			strs_push(c->a, warnings, str_dup(c->a, str_of(err_message(e))));
	}
	return NULL;
}

static struct err *refs_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct refs r = {.top = c->git ? git_top(c->git) : NULL, .external = args->external};
	struct result *res = out;
	struct strs texts = {0};
	int64_t broken = 0;
	size_t n = 1;

	if (!args->path.p && !args->check)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("path"), "path is missing"),
				"name a file or ikigai:///…, or check all of them with --check");
	TRY(ERR_EXCLUSIVE(args->to ? "to" : NULL, args->check ? "check" : NULL));
	TRY(files_open(c, &r.f));
	if (!args->to) {
		if (args->path.p)
			TRY(refs_of(&r, args->path, &res->references));
		else
			TRY(check_all(c, &r, &res->references, &n, &res->warnings));
		for (size_t i = 0; i < res->references.n; i++)
			broken += res->references.p[i].broken;
		res->broken = (struct maybe_int){broken, true};
		refs_there(c->a, &res->references);
	}
	if (args->check) {
		res->checked = (struct maybe_int){(int64_t)res->references.n, true};
		res->texts = (struct maybe_int){(int64_t)n, true};
		res->references.n = 0;
		for (int64_t i = 0; i < res->checked.n; i++)
			if (res->references.p[i].broken)
				res->references.p[res->references.n++] = res->references.p[i];
	} else {
		TRY(all_texts(c, r.f, false, &texts, &res->warnings));
		TRY(refs_to(&r, args->path, &texts, &res->referrers));
		refs_there(c->a, &res->referrers);
	}
	c->negative = args->check && broken;
	return NULL;
}
#define TEMPLATE_REFERENCE                                                                         \
	"{from}:{line}:{column}: {target}{?fragment:#{fragment}}{?reason:: {!reason}}\n"

const struct cmd cmd_refs = {
	.name = "refs",
	.tool = "refs",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_EVERY_ROOT,
	.summary = "list a text's references, the references to it, and broken ones",
	.description =
		"List the references in a file or stored asset (relative links and images, paths "
		"of code, ikigai:// URIs) and the references to it. With check, lists only broken "
		"ones; without a path, in all Markdown files and assets.",
	.need = FIND_NEED,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = refs_run,
	.template =
		"{/references:" TEMPLATE_REFERENCE "}{/referrers:" TEMPLATE_REFERENCE
		"}" TEMPLATE_WARNINGS
		"{?^checked&!broken:{2:{checked} {?checked=1:reference|references} in {texts} {?texts=1:text|texts}, none broken\n}}",
};
