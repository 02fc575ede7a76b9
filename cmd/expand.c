/* expand: a prompt with what its markers stand for (requirement: assets, "Prompt
 * Expansion"). */
#include "crypt/crypt.h"
#include "expand/expand.h"
#include "common/find_names.h"

struct args {
	struct str text;
	bool strict;
};

static const struct param params[] = {
	PARAM(text, .flags = ARG | REQUIRED | STDIN | OR_STDIN | WORDS, .complete = find_complete,
	      .help = "the prompt"),
	PARAM(strict, .help = "fail when something that a marker names is missing"),
	{0},
};

static const struct field reference[] = {
	{"marker", "as it stands in the prompt", F_STR},
	{"target", "what it names: a path, or ikigai:///…", F_STR},
	{"line", "where it stands, from 1", F_INT},
	{"column", "in bytes, from 1", F_INT},
	{"size", "bytes that took its place", F_INT},
	{"missing", "it stayed as it was typed", F_BOOL},
	{"reason", "why it is missing", F_STR, OPTIONAL},
	{"nearest", "the marker that was probably meant", F_STR, OPTIONAL},
	{0},
};

static const struct field result[] = {
	{"text", "the prompt with everything in its place", F_STR},
	{"encoding", "base64, when the text is not UTF-8", F_STR, OPTIONAL},
	{"tokens", "about how many tokens that is", F_INT},
	{"references", "every marker that names something, in order", F_LIST, .sub = reference},
	{"missing", "the markers that lead nowhere", F_STRS},
	{0},
};

static void put_references(struct call *c, struct str prompt, const struct expand_references *refs,
			   struct val *out)
{
	struct val *list = val_set(c->a, out, "references", val_list(c->a));
	struct val *missing = val_set(c->a, out, "missing", val_list(c->a));
	struct places places = {.text = prompt};

	for (size_t i = 0; i < refs->n; i++) {
		const struct expand_reference *r = &refs->p[i];
		struct str marker = str_utf8(c->a, r->marker);
		struct place at = str_places(&places, r->at.from);
		struct val *v = val_add(list, val_map(c->a));

		val_set(c->a, v, "marker", val_str(c->a, marker));
		val_set(c->a, v, "target", val_str(c->a, str_utf8(c->a, r->target)));
		val_set(c->a, v, "line", val_int(c->a, (int64_t)at.line));
		val_set(c->a, v, "column", val_int(c->a, (int64_t)at.column));
		val_set(c->a, v, "size", val_int(c->a, (int64_t)r->size));
		val_set(c->a, v, "missing", val_bool(c->a, r->missing));
		if (!r->missing)
			continue;
		val_set(c->a, v, "reason", val_str(c->a, str_of(err_reason_name(r->why))));
		if (r->near.n)
			val_set(c->a, v, "nearest", val_str(c->a, str_utf8(c->a, r->near)));
		val_add(missing, val_str(c->a, marker));
	}
}

/* refs is filled as far as it came, also when this fails. */
static struct err *expand_cmd_expand(struct call *c, const struct args *args, struct str *text,
				     struct expand_references *refs, enum token_model *model)
{
	const int64_t each = conf_int(c->conf, "expand.maxBytes");
	const int64_t all = conf_int(c->conf, "expand.maxTotal");
	struct expand_options options = {args->strict, (size_t)each, (size_t)all};
	struct files *f;
	struct err *e;

	if (each < 0 || all < 0)
		return err_new(E_BAD_CONFIG, "expand.%s is %lld: a number of bytes is 0 or more",
			       each < 0 ? "maxBytes" : "maxTotal",
			       (long long)(each < 0 ? each : all));
	TRY(files_open(c, &f));
	*model = f->assets->model;
	e = expand_text(f, args->text, &options, text, refs);
	for (size_t i = 0; c->rootless && i < refs->n; i++)
		if (refs->p[i].why == E_OUTSIDE_ROOTS)
			return app_rootless(c);
	return e;
}

static struct err *expand_cmd_run(struct call *c, const void *args, struct val **out)
{
	struct expand_references refs = {0};
	enum token_model model;
	struct str text;

	TRY(expand_cmd_expand(c, args, &text, &refs, &model));
	*out = val_map(c->a);
	if (str_is_text(text)) {
		val_set(c->a, *out, "text", val_str(c->a, text));
	} else {
		val_set(c->a, *out, "text", val_str(c->a, crypt_base64(c->a, text)));
		val_set(c->a, *out, "encoding", val_str(c->a, STR("base64")));
	}
	val_set(c->a, *out, "tokens", val_int(c->a, (int64_t)token_estimate(text, model)));
	put_references(c, ((const struct args *)args)->text, &refs, *out);
	return NULL;
}

/* Bytes as they are, and what is missing on standard error. */
static struct err *expand_cmd_stream(struct call *c, const void *args)
{
	struct expand_references refs = {0};
	enum token_model model;
	struct str text;

	TRY(expand_cmd_expand(c, args, &text, &refs, &model));
	out_bytes(c->out, text);
	if (!str_ends(text, STR("\n")))
		out_puts(c->out, "\n");
	for (size_t i = 0; i < refs.n; i++) {
		if (!refs.p[i].missing)
			continue;
		out_styled(c->err, OUT_YELLOW, STR("warning"));
		out_puts(c->err, ": ");
		out_safe(c->err, refs.p[i].marker, false);
		out_fmt(c->err, " stays as it is: %s", expand_why(refs.p[i].why));
		if (refs.p[i].near.n) {
			out_puts(c->err, "; did you mean ");
			out_safe(c->err, refs.p[i].near, false);
			out_puts(c->err, "?");
		}
		out_puts(c->err, "\n");
	}
	return NULL;
}

const struct cmd cmd_expand = {
	.name = "expand",
	.tool = "expand",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "put files and stored assets in the place of a prompt's markers",
	.description =
		"Expand a prompt: @path becomes the content of that file (or the listing of "
		"that folder), @@name that of the stored asset. @\"a b\" is for names with "
		"blanks, \\@ for a plain @. Only files of the repository and of named roots.",
	.need = NEED_CONFINED | NEED_CONF,
	.args_size = sizeof(struct args),
	.params = params,
	.result = result,
	.run_val = expand_cmd_run,
	.stream = expand_cmd_stream,
};
