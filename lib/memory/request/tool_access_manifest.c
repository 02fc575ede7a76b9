/* Reads one manifest: YAML into struct manifest, with all problems in it. */
#include "request/tool_access_manifest.h"
#include "crypt/crypt.h"
#include "yaml/yaml.h"

#define PROBLEMS_MAX 50
#define NAMES_MAX    256 /* members of a list, and bytes of each member */

const char *const access_types[] = {ACCESS_TYPES(ENUM_NAME) NULL};
const char *const access_fallbacks[] = {ACCESS_FALLBACKS(ENUM_NAME) NULL};

struct reading {
	struct arena *a;
	struct str text;
	struct manifest_problems *problems;
	struct strs *ignored;
};

PRINTF(3, 4)
static void manifest_wrong(struct reading *r, size_t at, const char *fmt, ...)
{
	struct buf b = buf_in(r->a);

	if (r->problems->n == PROBLEMS_MAX) {
		r->problems->more++;
		return;
	}
	BUF_ARGS(&b, fmt);
	*VEC_PUSH(r->a, r->problems) = (struct manifest_problem){
		.at = str_place_of_offset(r->text, at),
		.message = str_utf8(r->a, buf_as_str(&b)),
	};
}

static void manifest_unknown(struct reading *r, size_t at, const char *what, struct str found,
			     struct strs allowed)
{
	struct str near = str_nearest(found, &allowed);
	struct str shown = str_sub(found, 0, 64);

	manifest_wrong(r, at, "%s '%.*s' is unknown%s%.*s%s; allowed: %.*s", what, STR_ARG(shown),
		       near.n ? ": did you mean '" : "", STR_ARG(near), near.n ? "'?" : "",
		       STR_ARG(str_join(r->a, &allowed, ", ")));
}

/* ---- the rows ---- */

#define ACCESS(member, help, ...) FIELD_OF(struct access, member, help, __VA_ARGS__)
#define RANGE(most)               .min = 1, .max = (most)
const struct field access_fields[] = {
	FIELD_NAMED(struct access, type, "memory_type", access_types, "the memory type"),
	ACCESS(enabled, "the tool may read it"),
	ACCESS(query_types, "only these types; absent: any", RANGE(NAMES_MAX), .flags = IF_ANY),
	ACCESS(tags, "only with one of these tags; absent: any", RANGE(NAMES_MAX), .flags = IF_ANY),
	ACCESS(max_queries, "per request; absent: no limit", RANGE(10000), .flags = OPTIONAL),
	ACCESS(max_budget_tokens, "per query; absent: 1000", RANGE(ACCESS_BUDGET_MAX),
	       .flags = OPTIONAL),
	ACCESS(sensitive, "whether it may read sensitive memories", .flags = DEFAULTED),
	FIELD_NAMED(struct access, fallback, "fallback", access_fallbacks,
		    "what a query gets that matches nothing: none, or the most recent memories",
		    .flags = DEFAULTED),
	FIELD_SET(struct access, layers, "layers", memory_layers,
		  "further layers; the agent's own is always open", RANGE(NAMES_MAX),
		  .flags = DEFAULTED),
	FIELD_SET(struct access, provenances, "provenance", memory_provenances,
		  "only memories of these provenances; absent: of all", RANGE(NAMES_MAX),
		  .flags = IF_ANY),
	{0},
};
#define TYPE(type, name)                                                                           \
	FIELD_RECORD(struct manifest, access[type], name, access_fields + 1, "any",                \
		     .flags = OPTIONAL),
static const struct field type_rows[] = {ACCESS_TYPES(TYPE){0}};
static const struct field tool_rows[] = {
	FIELD_AS(struct manifest, tool_id, "id", "the tool"),
	/* YAML reads 1.0 without quotes as a number; it is valid as a version. */
	FIELD_OF(struct manifest, version, "the version of the tool",
		 .flags = OPTIONAL | OR_NUMBER),
	FIELD_GROUP("memory_access", type_rows, "what it may read", .flags = OPTIONAL),
	{0},
};
static const struct field manifest_rows[] = {FIELD_GROUP("tool", tool_rows, "the tool"), {0}};

/* ---- what is wrong with a member ---- */

static void manifest_wrong_type(struct reading *r, const struct record_problem *p)
{
	static const char *const wants[] = {[F_STR] = "be a string",
					    [F_INT] = "be a whole number",
					    [F_BOOL] = "be true or false",
					    [F_STRS] = "be a list of strings",
					    [F_OBJ] = "be a mapping"};
	struct strs names = p->fields ? record_field_names(r->a, p->fields) : (struct strs){0};

	if (p->in && p->in->at->type == VAL_LIST)
		manifest_wrong(r, p->at->at.from, "'%s' must be a list of strings, but has %s%s",
			       p->field->name, val_type_name(p->at->type),
			       p->at->plain ? ": put it in quotes" : "");
	else
		manifest_wrong(
			r, p->at->at.from, "%.*s must %s, not %s%s%.*s",
			STR_ARG(p->in ? str_fmt(r->a, "'%s'", p->field->name) : STR("a manifest")),
			wants[p->in ? p->field->type : F_OBJ], val_type_name(p->at->type),
			names.n ? "; allowed in it: " : "", STR_ARG(str_join(r->a, &names, ", ")));
}

static void manifest_out_of_range(struct reading *r, const struct record_problem *p)
{
	const struct field *f = p->field;
	const struct val *v = p->at;
	struct str is = v->type == VAL_LIST  ? str_fmt(r->a, "has %zu members", v->n)
			: v->type == VAL_STR ? str_fmt(r->a, "has a string of %zu bytes", v->s.n)
					     : str_fmt(r->a, "is %.*s", STR_ARG(v->s));

	if (v->type == VAL_LIST && !v->n)
		manifest_wrong(r, v->at.from, "'%s' is empty: leave it out%s", f->name,
			       f->kind == K_SET ? "" : " to allow any, or set 'enabled: false'");
	else
		manifest_wrong(r, v->at.from, "'%s' %.*s; allowed: %jd to %jd", f->name,
			       STR_ARG(is), (intmax_t)f->min, (intmax_t)f->max);
}

/*
 * A manifest may declare more about its tool than ikm reads. A key that ikm would have to know is
 * still a mistake: any key of memory_access, and one that is nearly a key of ikm.
 */
static bool manifest_may_ignore(struct reading *r, const struct record_problem *p)
{
	struct strs names = record_field_names(r->a, p->fields);

	if (p->fields != tool_rows && p->fields != manifest_rows)
		return false;
	strs_push(r->a, &names, STR("memory_access"));
	return !str_nearest(p->at->key, &names).n;
}

/* Notes the problem. Reading continues. */
static struct err *manifest_problem(void *ctx, const struct record_problem *p)
{
	struct reading *r = ctx;
	const struct val *v = p->at;
	const struct field *f = p->field;

	if (p->reason == E_UNKNOWN_PARAMETER && manifest_may_ignore(r, p)) {
		struct place at = str_place_of_offset(r->text, v->key_at.from);

		if (r->ignored->n < PROBLEMS_MAX)
			strs_push(
				r->a, r->ignored,
				str_utf8(r->a, str_fmt(r->a, "%zu:%zu: '%.*s'", at.line, at.column,
						       STR_ARG(str_sub(v->key, 0, 64)))));
	} else if (p->reason == E_UNKNOWN_PARAMETER)
		manifest_unknown(r, v->key_at.from, "key", v->key,
				 record_field_names(r->a, p->fields));
	else if (p->reason == E_NOT_IN_ENUM)
		manifest_unknown(r, v->at.from, f->name, v->s, strs_of(r->a, f->choices));
	else if (p->reason == E_OUT_OF_RANGE)
		manifest_out_of_range(r, p);
	else if (p->reason == E_WRONG_TYPE)
		manifest_wrong_type(r, p);
	else if (p->in->in)
		manifest_wrong(r, v->key_at.from, "'%.*s' has no '%s'%s", STR_ARG(v->key), f->name,
			       f->type == F_BOOL ? ": set it to true or false" : "");
	else
		manifest_wrong(r, 0, "the key '%s' is missing", f->name);
	return NULL;
}

/* Sorted, each once. */
static void manifest_settle_names(struct arena *a, struct strs *v)
{
	struct strs once = {0};

	for (size_t i = 0; i < v->n; i++)
		if (!strs_has(&once, v->p[i]))
			strs_push(a, &once, v->p[i]);
	strs_sort(&once);
	*v = once;
}

bool manifest_is_id(struct str id)
{
	for (size_t i = 0; i < id.n; i++) {
		char c = id.p[i];
		bool word = ascii_is_alnum(c) || c == '_';

		if (!word && (!i || (c != '-' && c != '.')))
			return false;
	}
	return id.n && id.n <= 128;
}

ORDER_OF(manifest_by_place, struct manifest_problem,
	 ORDER_UP(at.line) || ORDER_UP(at.column) || ORDER_STR(message))

/* libyaml reports only its first error, and ikm cannot read the text after it. */
static void broken_yaml(struct reading *r, const struct err *e)
{
	struct str message = str_of(err_message(e));
	size_t end;
	struct place at = {1, 1};
	struct str rest = message, part;
	int64_t n;

	/* Moves the place out of "line L, column C: …" to where the other problems have it. */
	if (str_starts(message, STR("line ")) && str_next_part(&rest, ',', &part) &&
	    str_int(str_sub(part, 5, part.n), &n)) {
		at.line = (size_t)n;
		end = str_find_char(rest, ':', 0);
		if (str_starts(rest, STR(" column ")) && end != SIZE_MAX &&
		    str_int(str_sub(rest, 8, end), &n)) {
			at.column = (size_t)n;
			message = str_trim(str_sub(rest, end + 1, rest.n));
		}
	}
	*VEC_PUSH(r->a, r->problems) =
		(struct manifest_problem){.at = at, .message = str_dup(r->a, message)};
}

bool manifest_validate(struct arena *a, struct str text, struct str path, struct manifest *out,
		       struct manifest_problems *problems)
{
	struct reading r = {.a = a, .text = text, .problems = problems, .ignored = &out->ignored};
	const struct record_reader how = {
		.unknown = RECORD_REFUSED, .wrong = manifest_problem, .ctx = &r};
	const struct val *id;
	struct val *v = NULL;
	struct err *e = NULL;

	*problems = (struct manifest_problems){0};
	*out = (struct manifest){.tool_id = STR(""), .version = STR(""), .path = path};
	for (size_t i = 0; i < ACCESS_TYPES_END; i++)
		out->access[i].type = (enum access_type)i;
	if (text.n > MANIFEST_BYTES_MAX) {
		manifest_wrong(&r, 0, "it has %zu bytes; allowed: %zu", text.n, MANIFEST_BYTES_MAX);
		return false;
	}
	e = yaml_read(a, text, STR(""), 0, &v);
	if (e) {
		broken_yaml(&r, e);
		return false;
	}
	e = record_from_val(a, &how, manifest_rows, v, out);
	id = val_get(val_get(v, "tool"), "id");
	if (id && id->type == VAL_STR && !manifest_is_id(id->s))
		manifest_wrong(&r, id->at.from,
			       "'id' is '%.*s'; allowed: letters, digits and '_', inside also "
			       "'-' and '.', 1 to 128",
			       STR_ARG(str_sub(id->s, 0, 160)));
	for (size_t i = 0; i < ACCESS_TYPES_END; i++) {
		manifest_settle_names(a, &out->access[i].query_types);
		manifest_settle_names(a, &out->access[i].tags);
	}
	VEC_SORT(problems, manifest_by_place);
	out->digest = crypt_content_hash(a, text);
	return !e && !problems->n;
}
