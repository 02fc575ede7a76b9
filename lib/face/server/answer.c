/*
 * A tool's result, as the content of an answer. No answer is longer than the setting
 * mcp.resultTokens. An answer that was cut names what it lacks, and the parameter to continue with.
 */
#include "internal.h"
#include "reply/plain_for_model.h"
#include "reply/result_fit.h"
#include "paths/read_truncate.h"
#include "json/json.h"

/* A longer answer of a program is sent as text only, because no schema requires an object. */
#define TWICE_MAX ((size_t)16 << 10)
/* The size limit of a picture in bytes. As base64 it must fit into a message. */
#define IMAGE_MAX ((size_t)700 << 10)

static struct val *server_answer_without_copies(struct val *map, struct arena *a,
						const struct field *fields)
{
	struct val *v = val_map(a);
	bool any = false;

	for (const struct field *f = fields; f && f->name; f++)
		any = any || f->flags & COPY;
	if (!any)
		return map;

	VAL_EACH(map, m) {
		const struct field *f = fields;

		while (f->name && !str_is(m->key, f->name))
			f++;
		if (!f->name || !(f->flags & COPY))
			val_set_key(v, m->key, val_copy_shallow(a, m));
	}
	return v;
}

static void server_answer_set_member(struct arena *a, struct val *map, const char *name,
				     struct val *v)
{
	struct val *m = val_get(map, name);

	if (!m) {
		val_set(a, map, name, v);
		return;
	}
	m->type = v->type;
	m->b = v->b;
	m->s = v->s;
}

/* ---- how to get the rest ---- */

/* The parameters that can make an answer shorter. */
static struct str server_answer_other_params(struct arena *a, const struct server_answer *an)
{
	const struct cmd *cmd = an->cmd;
	struct strs names = {0};

	VAL_EACH(val_get(an->schema, "properties"), p)
		strs_push(a, &names, p->key);
	for (const struct param *p = cmd ? cmd->params : NULL; p && p->name; p++)
		if (!(p->flags & (CLI_ONLY | HIDDEN | REQUIRED)) && p->type != P_BOOL)
			strs_push(a, &names, str_of(p->name));
	return str_join(a, &names, ", ");
}

static struct str server_answer_how_to_go_on(struct arena *a, const struct server_answer *an,
					     struct val *v, const struct fit_cut *cut)
{
	const struct param *page = an->cmd ? an->cmd->params : NULL;
	struct str others = server_answer_other_params(a, an);
	const struct val *to;

	while (page && page->name && (!page->page || page->flags & CLI_ONLY))
		page++;
	/* Only a list of the result itself has pages. */
	if (page && page->name && cut->list && val_get_key(v, cut->name) == cut->list &&
	    cut->list->n) {
		if (!page->page[0])
			return str_fmt(a, "call again with \"%s\": %jd for the next", page->name,
				       (intmax_t)(val_get_int(an->input, page->name) +
						  (int64_t)cut->list->n));
		to = val_get(cut->list->last, page->page);
		if (to) {
			server_answer_set_member(a, v, "next", val_copy_shallow(a, to));
			return str_fmt(a, "call again with \"%s\": %.*s for the next", page->name,
				       STR_ARG(json_text(a, to)));
		}
	}
	if (others.n)
		return str_fmt(a, "ask for less with %.*s", STR_ARG(others));
	return STR("ask for less");
}

/* True when it cut something. limit: the number to name. *said describes the cut, and how to
 * continue. */
static bool server_answer_cut(const struct server_answer *an, size_t limit, struct val *v,
			      struct str *said)
{
	struct arena *a = an->fit->a;
	struct fit_cut cut;

	fit_result(an->fit, v, &cut);
	if (!cut.said.n)
		return false;
	*said = str_fmt(a, "cut to about %zu tokens: %.*s; %.*s%s", limit,
			STR_ARG(str_join(a, &cut.said, ", ")),
			STR_ARG(server_answer_how_to_go_on(a, an, v, &cut)),
			an->cmd && limit < FIT_MOST ? ", or give maxTokens" : "");
	if (v->type == VAL_MAP) {
		server_answer_set_member(a, v, "truncated", val_bool(a, true));
		server_answer_set_member(a, v, "more", val_str(a, *said));
	}
	return true;
}

/* A picture becomes image content; one that is too large for a message is left out and named. */
static void server_answer_image(struct arena *a, struct val *v, struct val *content)
{
	struct str base64 = val_get_str(v, "content");
	const char *type = read_image_type(a, base64);
	bool fits = base64.n / 4 * 3 <= IMAGE_MAX;
	struct val *image;

	if (!type)
		return;
	server_answer_set_member(a, v, "content", val_str(a, STR("")));
	server_answer_set_member(a, v, "tokens", val_int(a, 0));
	if (fits) {
		image = val_add(content, val_map(a));
		val_set(a, image, "type", val_str(a, STR("image")));
		val_set(a, image, "data", val_str(a, base64));
		val_set(a, image, "mimeType", val_str(a, str_of(type)));
		val_set(a, v, "image", val_str(a, str_of(type)));
	} else {
		server_answer_set_member(a, v, "truncated", val_bool(a, true));
		server_answer_set_member(
			a, v, "more",
			val_str(a, str_fmt(a,
					   "this %s has %jd bytes; a message carries pictures "
					   "of at most %zu",
					   type, (intmax_t)val_get_int(v, "size"), IMAGE_MAX)));
	}
}

/* ---- the answer ---- */

static void server_answer_add_text(struct arena *a, struct val *content, struct str text)
{
	struct val *one = val_add(content, val_map(a));

	val_set(a, one, "type", val_str(a, STR("text")));
	val_set(a, one, "text", val_str(a, text));
}

/* The text of a result, which may be too long. */
static struct str server_answer_plain(const struct server_answer *an, const struct val *v,
				      struct str *body)
{
	struct str rest;

	*body = STR("");
	if (an->failed)
		return plain_error(an->fit->a, v);
	plain_result_text(an->fit->a, an->cmd->plain ? an->cmd->plain : &plain_data,
			  an->cmd->result, v, body, &rest);
	return rest;
}

/*
 * Sets the answer as text, without structuredContent. The JSON of a result is longer than its text,
 * so it may have as much more room when it is cut.
 */
static void server_answer_text(struct mcp_call *m, const struct server_answer *an, struct val *v,
			       struct val *content)
{
	struct fit fit = *an->fit;
	struct server_answer wide = *an;
	struct str body, rest = server_answer_plain(an, v, &body), said;

	for (int tries = 0; tries < 3; tries++) {
		size_t cost = fit_cost(an->fit, rest) + (body.n ? fit_cost(an->fit, body) : 0);

		if (cost <= an->fit->tokens)
			break;
		/* Each try leaves less room, for the estimate of a part is not exact. */
		fit.tokens = an->fit->tokens * fit_cost(an->fit, json_text(m->a, v)) / cost *
			     (size_t)(19 - 4 * tries) / 20;
		wide.fit = &fit;
		if (!server_answer_cut(&wide, an->fit->tokens, v, &said))
			break;
		rest = server_answer_plain(an, v, &body);
	}
	if (body.n)
		server_answer_add_text(m->a, content, body);
	if (rest.n || !content->n)
		server_answer_add_text(m->a, content, rest);
}

void server_set_result(struct mcp_call *m, const struct server_answer *an, struct val *v)
{
	struct val *content = val_list(m->a);
	bool failed = an->failed, cut = false;
	struct str text, said = {0};

	if (an->cmd && an->cmd->result && v->type == VAL_MAP && !failed)
		v = server_answer_without_copies(v, m->a, an->cmd->result);
	if (!failed && an->cmd && str_is(val_get_str(v, "encoding"), "base64"))
		server_answer_image(m->a, v, content);
	if (!an->structured && v->type == VAL_MAP && (an->failed || an->cmd)) {
		server_answer_text(m, an, v, content);
		m->result = val_map(m->a);
		val_set(m->a, m->result, "content", content);
		val_set(m->a, m->result, "isError", val_bool(m->a, failed));
		return;
	}
	text = json_text(m->a, v);
	if (!fit_has_room(an->fit, text)) {
		cut = server_answer_cut(an, an->fit->tokens, v, &said);
		text = json_text(m->a, v);
	}
	if (text.n > FIT_BYTES) {
		struct arena *a = an->fit->a;
		struct err *e =
			err_new(E_TOO_BIG, "the answer has %zu bytes and cannot be cut", text.n);
		struct str others = server_answer_other_params(a, an);

		/* The answer for a result that no cut makes small enough, such as a long list of
		 * numbers. */
		if (others.n)
			e = err_help(e, "ask for less with %.*s", STR_ARG(others));
		v = err_envelope(a, e);
		text = json_text(m->a, v);
		failed = true;
	}
	server_answer_add_text(m->a, content, text);
	if (cut && v->type != VAL_MAP)
		server_answer_add_text(m->a, content, said);
	m->result = val_map(m->a);
	val_set(m->a, m->result, "content", content);
	/* Clients validate it with the schema of a successful result. */
	if (!failed && an->structured &&
	    (m->revision == MCP_2026_07_28 ||
	     (m->revision >= MCP_2025_06_18 && v->type == VAL_MAP)) &&
	    (an->cmd || text.n <= TWICE_MAX))
		val_set(m->a, m->result, "structuredContent", val_copy_shallow(m->a, v));
	val_set(m->a, m->result, "isError", val_bool(m->a, failed));
}
