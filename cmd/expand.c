/* expand: replaces the markers of a prompt by the contents that they name (requirement: assets,
 * "Prompt Expansion"). */
#include "app/client_info.h"
#include "crypt/crypt.h"
#include "expand/expand.h"
#include "paths/find_candidates.h"

struct args {
	struct str text;
	bool strict;
};

static const struct param params[] = {
	PARAM(text, .flags = ARG | REQUIRED | STDIN | OR_STDIN | WORDS,
	      .complete = find_print_completions, .help = "the prompt"),
	PARAM(strict, .help = "fail if a marker names something that does not exist"),
	{0},
};

struct reference {
	struct str marker, target;
	size_t line, column, size;
	bool missing;
	enum err_reason why;
	const char *reason;
	struct str nearest;
};

struct result {
	struct str text;
	const char *encoding;
	size_t tokens;
	struct {
		struct reference *p;
		size_t n;
	} references;
	struct strs missing;
};

#define REFERENCE(...) FIELD_OF(struct reference, __VA_ARGS__)
static const struct field reference[] = {
	REFERENCE(marker, "the marker as it is in the prompt"),
	REFERENCE(target, "a path, or ikigai:///…"),
	REFERENCE(line, "its line in the prompt, from 1"),
	REFERENCE(column, "its column in bytes, from 1"),
	REFERENCE(size, "the bytes that replaced it"),
	REFERENCE(missing, "true: it was not replaced"),
	REFERENCE(reason, "why it is missing", .flags = OPTIONAL),
	REFERENCE(nearest, "the most similar marker", .flags = IF_ANY),
	{0},
};

static const struct field result[] = {
	FIELD(text, "the expanded prompt"),
	FIELD(encoding, "base64, when the text is not UTF-8", .flags = OPTIONAL),
	FIELD(tokens, "its tokens, estimated"),
	FIELD_RECORDS(struct result, references, "references", reference, "every marker, in order"),
	FIELD(missing, "the markers that name nothing"),
	{0},
};

static struct err *expand_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	const struct expand_options options = {
		.strict = args->strict,
		.max_bytes = (size_t)c->conf->expand_max_bytes,
		.max_total = (size_t)c->conf->expand_max_total,
		.also = c->client ? &c->client->roots : NULL,
	};
	struct places places = {.text = args->text};
	struct expand_references refs = {0};
	struct result *r = out;
	struct files *f;
	struct err *e;

	TRY(files_open(c, &f));
	/* When this fails, refs holds the references up to the failure. */
	e = expand_text(f, args->text, &options, &r->text, &refs);
	for (size_t i = 0; c->rootless && i < refs.n; i++)
		if (refs.p[i].why == E_OUTSIDE_ROOTS)
			return app_no_roots_error(c);
	TRY(e);
	r->tokens = token_estimate(r->text, f->assets->model);
	if (!cmd_emits_text(c) && !str_is_text(r->text)) {
		r->text = crypt_base64(c->a, r->text);
		r->encoding = "base64";
	}
	r->references.p = arena_array(c->a, refs.n, sizeof(*r->references.p));
	r->references.n = refs.n;
	for (size_t i = 0; i < refs.n; i++) {
		const struct expand_reference *x = &refs.p[i];
		struct place at = str_place_of_next_offset(&places, x->at.from);

		r->references.p[i] = (struct reference){
			.marker = x->marker,
			.target = x->target,
			.line = at.line,
			.column = at.column,
			.size = x->size,
			.missing = x->missing,
			.why = x->why,
			.reason = x->missing ? err_reason_name(x->why) : NULL,
			.nearest = x->missing ? x->near : (struct str){0},
		};
		if (x->missing)
			strs_push(c->a, &r->missing, x->marker);
	}
	return NULL;
}

/* Prints the bytes unchanged, and the missing references on standard error. */
static void expand_cmd_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;

	(void)args;
	out_bytes_unchanged(c->out, r->text);
	if (!str_ends(r->text, STR("\n")))
		out_puts(c->out, "\n");
	VEC_EACH(const struct reference, one, &r->references) {
		if (!one->missing)
			continue;
		out_styled(c->err, OUT_YELLOW, STR("warning"));
		out_puts(c->err, ": ");
		out_safe(c->err, one->marker, false);
		out_fmt(c->err, " was not replaced: %s", expand_missing_reason(one->why));
		if (one->nearest.n) {
			out_puts(c->err, "; did you mean ");
			out_safe(c->err, one->nearest, false);
			out_puts(c->err, "?");
		}
		out_puts(c->err, "\n");
	}
}

const struct cmd cmd_expand = {
	.name = "expand",
	.tool = "expand",
	.toolset = SET_FILES,
	.traits = TOOL_READS,
	.summary = "replace a prompt's markers by files and stored assets",
	.description =
		"Expand a prompt: @path becomes the content of that file (or the listing of that "
		"folder), @@name that of the stored asset. Write @\"a b\" for names with blanks, "
		"\\@ for a plain @. Reads only files of the repository and of named roots.",
	.need = NEED_CONFINED | NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct result, result),
	.run = expand_cmd_run,
	.text = expand_cmd_text,
};
