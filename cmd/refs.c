/* refs: what a text refers to, and what refers to it (requirement: assets,
 * "Cross-References"). */
#include "expand/refs.h"
#include "file/types.h"
#include "common/find_names.h"
#include "app/warnings.h"

struct args {
	struct str path;
	bool to, check, external;
};

static const struct param params[] = {
	PARAM(path, .flags = ARG | PATHS, .min = 1, .max = OS_PATH_MAX, .meta = "PATH|URI",
	      .help = "the file or stored asset; with --check none is all of them"),
	PARAM(to, .letter = 't', .help = "only what refers to it, which need not exist"),
	PARAM(check, .letter = 'c', .help = "only what is broken; 1 if there is any"),
	PARAM(external, .help = "links to other sites too; these are not looked at"),
	{0},
};

static const char *const kinds[] = REFS_KINDS;

static const struct field reference[] = {
	{"from", "whose text it is in", F_STR},
	{"line", "where it stands, from 1", F_INT},
	{"column", "in bytes, from 1", F_INT},
	{"kind", "how it is written", F_STR, .choices = kinds},
	{"target", "what it leads to: a path, ikigai:///…, or a URL", F_STR},
	{"fragment", "the heading or anchor in it", F_STR, OPTIONAL},
	{"broken", "it leads nowhere", F_BOOL},
	{"reason", "why it does", F_STR, OPTIONAL},
	{0},
};

static const struct field result[] = {
	{"references", "what it refers to, in order; but with --to", F_LIST, OPTIONAL,
	 .sub = reference},
	{"referrers", "what refers to it; but with --check", F_LIST, OPTIONAL, .sub = reference},
	{"broken", "how many references are broken; but with --to", F_INT, OPTIONAL},
	{"checked", "with --check: how many references were looked at", F_INT, OPTIONAL},
	{"texts", "with --check: in how many texts", F_INT, OPTIONAL},
	{"warnings", "what could not be read", F_STRS, OPTIONAL},
	{0},
};

static struct val *list_of(struct arena *a, const struct refs_list *list, bool only_broken)
{
	struct val *out = val_list(a);

	for (size_t i = 0; i < list->n; i++) {
		const struct refs_reference *r = &list->p[i];
		struct val *v;

		if (only_broken && !r->broken)
			continue;
		v = val_add(out, val_map(a));
		val_set(a, v, "from", val_str(a, str_utf8(a, r->from)));
		val_set(a, v, "line", val_int(a, (int64_t)r->at.line));
		val_set(a, v, "column", val_int(a, (int64_t)r->at.column));
		val_set(a, v, "kind", val_str(a, str_of(kinds[r->kind])));
		val_set(a, v, "target", val_str(a, str_utf8(a, r->target)));
		if (r->fragment.p)
			val_set(a, v, "fragment", val_str(a, str_utf8(a, r->fragment)));
		val_set(a, v, "broken", val_bool(a, r->broken));
		if (r->broken)
			val_set(a, v, "reason", val_str(a, str_of(r->why)));
	}
	return out;
}

/* Files of the repository as they would be typed where we stand, and all assets. */
static struct err *all_texts(struct call *c, struct files *f, bool markdown, struct strs *out,
			     struct strs *warnings)
{
	struct strs files = {0}, assets = {0};
	bool whole = c->git && git_top(c->git);

	TRY(find_files(c, f, true, &files, warnings));
	TRY(find_names(c, true, &assets, warnings));
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

/* All that can be read: what cannot is an error only where it was named. */
static struct err *check_all(struct call *c, struct refs *r, struct refs_list *out, size_t *n,
			     struct strs *warnings)
{
	struct strs texts = {0};

	*n = 0;
	TRY(all_texts(c, r->f, true, &texts, warnings));
	for (size_t i = 0; i < texts.n; i++) {
		struct err *e = refs_of(r, texts.p[i], out);

		if (e && !refs_is_no_text(e))
			return e;
		*n += !e;
		if (e && (err_reason(e) == E_PERMISSION || err_reason(e) == E_TOO_BIG))
			strs_push(c->a, warnings, str_dup(c->a, str_of(err_message(e))));
	}
	return NULL;
}

static struct err *refs_run(struct call *c, const void *p, struct val **out)
{
	const struct args *args = p;
	struct refs r = {.top = c->git ? git_top(c->git) : NULL, .external = args->external};
	struct refs_list references = {0}, referrers = {0};
	struct strs texts = {0}, warnings = {0};
	int64_t broken = 0;
	size_t n = 1;

	if (!args->path.p && !args->check)
		return err_help(err_detail(err_new(E_MISSING_PARAMETER, "path is missing"),
					   "parameter", STR("path")),
				"name a file or ikigai:///…, or check all of them with --check");
	if (args->to && args->check)
		return err_detail(err_new(E_BAD_ARGUMENT,
					  "'to' and 'check' exclude each other: only "
					  "what it refers to can be broken"),
				  "parameter", STR("to"));
	TRY(files_open(c, &r.f));
	*out = val_map(c->a);
	if (!args->to) {
		if (args->path.p)
			TRY(refs_of(&r, args->path, &references));
		else
			TRY(check_all(c, &r, &references, &n, &warnings));
		for (size_t i = 0; i < references.n; i++)
			broken += references.p[i].broken;
		val_set(c->a, *out, "references", list_of(c->a, &references, args->check));
	}
	if (!args->check) {
		TRY(all_texts(c, r.f, false, &texts, &warnings));
		TRY(refs_to(&r, args->path, &texts, &referrers));
		val_set(c->a, *out, "referrers", list_of(c->a, &referrers, false));
	}
	if (!args->to)
		val_set(c->a, *out, "broken", val_int(c->a, broken));
	if (args->check) {
		val_set(c->a, *out, "checked", val_int(c->a, (int64_t)references.n));
		val_set(c->a, *out, "texts", val_int(c->a, (int64_t)n));
	}
	if (warnings.n)
		val_set(c->a, *out, "warnings", val_strs(c->a, &warnings));
	c->negative = args->check && broken;
	return NULL;
}

/* As grep and compilers have it: a place, and what is there, always on one line: what a text leads
 * to is decoded, and may have any byte in it. */
static void refs_print(struct out *o, const struct val *v)
{
	out_safe(o, val_get_str(v, "from"), false);
	out_fmt(o, ":%jd:%jd: ", (intmax_t)val_get_int(v, "line"),
		(intmax_t)val_get_int(v, "column"));
	out_safe(o, val_get_str(v, "target"), false);
	if (val_get_str(v, "fragment").n) {
		out_puts(o, "#");
		out_safe(o, val_get_str(v, "fragment"), false);
	}
	if (val_get_str(v, "reason").n) {
		out_puts(o, ": ");
		out_styled(o, OUT_RED, val_get_str(v, "reason"));
	}
	out_puts(o, "\n");
}

static void refs_text(struct call *c, const void *args, const struct val *r)
{
	(void)args;
	VAL_EACH(val_get(r, "references"), v)
		refs_print(c->out, v);
	VAL_EACH(val_get(r, "referrers"), v)
		refs_print(c->out, v);
	warnings_of(c, r);
	if (val_get(r, "checked") && !c->negative)
		out_fmt(c->err, "%jd references in %jd texts: none is broken\n",
			(intmax_t)val_get_int(r, "checked"), (intmax_t)val_get_int(r, "texts"));
}

const struct cmd cmd_refs = {
	.name = "refs",
	.tool = "refs",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "list what a text refers to, what refers to it, and what is broken",
	.description =
		"List what a file or stored asset refers to (relative links and images, paths "
		"of code, ikigai:// URIs) and what refers to it. With check only broken "
		"references, of all Markdown files and assets if no path is given.",
	.need = FIND_NEED,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = refs_run,
	.text_val = refs_text,
};
