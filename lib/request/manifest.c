/* Reads one manifest: YAML into struct manifest, with all problems in it. */
#include "request/manifest.h"
#include "crypt/crypt.h"
#include "yaml/yaml.h"

#define PROBLEMS_MAX 50
#define NAMES_MAX    256 /* members of a list, and bytes of each member */

const char *const access_types[] = {ACCESS_TYPES(ENUM_NAME) NULL};

struct reading {
	struct arena *a;
	struct str text;
	struct manifest_problems *problems;
};

PRINTF(3, 4)
static void manifest_wrong(struct reading *r, size_t at, const char *fmt, ...)
{
	struct buf b = buf_in(r->a);
	va_list ap;

	if (r->problems->n == PROBLEMS_MAX) {
		r->problems->more++;
		return;
	}
	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	*VEC_PUSH(r->a, r->problems) = (struct manifest_problem){
		.at = str_place(r->text, at),
		.message = str_utf8(r->a, buf_str(&b)),
	};
}

static void manifest_unknown(struct reading *r, size_t at, const char *what, struct str found,
			     const struct strs *allowed)
{
	struct str near = str_nearest(found, allowed);
	struct str shown = str_sub(found, 0, 64);

	manifest_wrong(r, at, "%s '%.*s' is unknown%s%.*s%s; allowed: %.*s", what, STR_ARG(shown),
		       near.n ? ": did you mean '" : "", STR_ARG(near), near.n ? "'?" : "",
		       STR_ARG(str_join(r->a, allowed, ", ")));
}

/* Checks the keys of a mapping against a list of names; each other key is a problem. */
static bool mapping(struct reading *r, const struct val *v, const char *what,
		    const char *const *names)
{
	struct strs allowed = strs_of(r->a, names);

	if (v->type != VAL_MAP) {
		manifest_wrong(r, v->at.from, "%s must be a mapping, not %s; allowed in it: %.*s",
			       what, val_type_name(v->type),
			       STR_ARG(str_join(r->a, &allowed, ", ")));
		return false;
	}
	VAL_EACH(v, m)
		if (!strs_has(&allowed, m->key))
			manifest_unknown(r, m->key_at.from, "key", m->key, &allowed);
	return true;
}

static void manifest_wrong_type(struct reading *r, const struct val *v, const char *what)
{
	manifest_wrong(r, v->at.from, "'%.*s' must be %s, not %s", STR_ARG(v->key), what,
		       val_type_name(v->type));
}

static void read_bool(struct reading *r, const struct val *v, bool *out)
{
	if (v && v->type != VAL_BOOL)
		manifest_wrong_type(r, v, "true or false");
	else if (v)
		*out = v->b;
}

static void read_count(struct reading *r, const struct val *v, int64_t max, struct maybe_int *out)
{
	if (!v)
		return;
	out->given = v->type == VAL_NUM && val_as_int(v, &out->n);
	if (!out->given)
		manifest_wrong_type(r, v, "a whole number");
	else if (out->n < 1 || out->n > max)
		manifest_wrong(r, v->at.from, "'%.*s' is %.*s; allowed: 1 to %jd", STR_ARG(v->key),
			       STR_ARG(v->s), (intmax_t)max);
}

/* Whether v is a list of strings that is not empty. */
static bool manifest_list(struct reading *r, const struct val *v, const char *empty)
{
	if (v->type != VAL_LIST) {
		manifest_wrong_type(r, v, "a list of strings");
		return false;
	}
	if (!v->n)
		manifest_wrong(r, v->at.from, "'%.*s' is empty: %s", STR_ARG(v->key), empty);
	if (v->n > NAMES_MAX)
		manifest_wrong(r, v->at.from, "'%.*s' has %zu members; allowed: 1 to %d",
			       STR_ARG(v->key), v->n, NAMES_MAX);
	return v->n && v->n <= NAMES_MAX;
}

static bool manifest_name(struct reading *r, const struct val *list, const struct val *m)
{
	if (m->type != VAL_STR)
		manifest_wrong(r, m->at.from, "'%.*s' must be a list of strings, but has %s%s",
			       STR_ARG(list->key), val_type_name(m->type),
			       m->plain ? ": put it in quotes" : "");
	else if (!m->s.n || m->s.n > NAMES_MAX)
		manifest_wrong(r, m->at.from, "'%.*s' has a string of %zu bytes; allowed: 1 to %d",
			       STR_ARG(list->key), m->s.n, NAMES_MAX);
	else
		return true;
	return false;
}

static void manifest_read_names(struct reading *r, const struct val *v, struct strs *out)
{
	if (!v || !manifest_list(r, v, "leave it out to allow any, or set 'enabled: false'"))
		return;
	VAL_EACH(v, m)
		if (manifest_name(r, v, m) && !strs_has(out, m->s))
			strs_push(r->a, out, m->s);
	strs_sort(out);
}

static void manifest_read_bits(struct reading *r, const struct val *v, const char *const *choices,
			       unsigned *out)
{
	struct strs allowed = strs_of(r->a, choices);

	if (!v || !manifest_list(r, v, "leave it out"))
		return;
	VAL_EACH(v, m) {
		size_t i = 0;

		if (!manifest_name(r, v, m))
			continue;
		while (choices[i] && !str_is(m->s, choices[i]))
			i++;
		if (choices[i])
			*out |= 1u << i;
		else
			manifest_unknown(r, m->at.from, str_c(r->a, v->key), m->s, &allowed);
	}
}

static void read_access(struct reading *r, const struct val *v, struct access *out)
{
	static const char *const keys[] = {"enabled",     "query_types",       "tags",
					   "max_queries", "max_budget_tokens", "sensitive",
					   "layers",      "provenance",        NULL};
	char *what = str_c(r->a, str_fmt(r->a, "'%.*s'", STR_ARG(v->key)));

	if (!mapping(r, v, what, keys))
		return;
	if (!val_get(v, "enabled"))
		manifest_wrong(r, v->key_at.from, "%s has no 'enabled': set it to true or false",
			       what);
	read_bool(r, val_get(v, "enabled"), &out->enabled);
	manifest_read_names(r, val_get(v, "query_types"), &out->query_types);
	manifest_read_names(r, val_get(v, "tags"), &out->tags);
	read_count(r, val_get(v, "max_queries"), 10000, &out->max_queries);
	read_count(r, val_get(v, "max_budget_tokens"), ACCESS_BUDGET_MAX, &out->max_budget_tokens);
	read_bool(r, val_get(v, "sensitive"), &out->sensitive);
	manifest_read_bits(r, val_get(v, "layers"), memory_layers, &out->layers);
	manifest_read_bits(r, val_get(v, "provenance"), memory_provenances, &out->provenances);
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

static void read_tool(struct reading *r, const struct val *v, struct manifest *out)
{
	static const char *const keys[] = {"id", "version", "memory_access", NULL};
	const struct val *id, *version, *access;

	if (!mapping(r, v, "'tool'", keys))
		return;
	id = val_get(v, "id");
	version = val_get(v, "version");
	access = val_get(v, "memory_access");
	if (!id)
		manifest_wrong(r, v->key_at.from, "'tool' has no 'id'");
	else if (id->type != VAL_STR)
		manifest_wrong_type(r, id, "a string");
	else if (!manifest_is_id(id->s))
		manifest_wrong(r, id->at.from,
			       "'id' is '%.*s'; allowed: letters, digits and '_', inside also "
			       "'-' and '.', 1 to 128",
			       STR_ARG(str_sub(id->s, 0, 160)));
	else
		out->tool_id = id->s;
	/* YAML reads 1.0 without quotes as a number; it is valid as a version. */
	if (version && version->type != VAL_STR && version->type != VAL_NUM)
		manifest_wrong_type(r, version, "a string");
	else if (version)
		out->version = version->s;
	if (!access || !mapping(r, access, "'memory_access'", access_types))
		return;
	for (size_t i = 0; i < ACCESS_TYPES_END; i++)
		if (val_get(access, access_types[i]))
			read_access(r, val_get(access, access_types[i]), &out->access[i]);
}

static int manifest_by_place(const void *x, const void *y)
{
	const struct manifest_problem *a = x, *b = y;

	if (a->at.line != b->at.line)
		return a->at.line < b->at.line ? -1 : 1;
	if (a->at.column != b->at.column)
		return a->at.column < b->at.column ? -1 : 1;
	return str_cmp(a->message, b->message);
}

/* libyaml reports only its first error, and ikm cannot read the text after it. */
static void broken_yaml(struct reading *r, const struct err *e)
{
	struct str message = str_of(err_message(e));
	size_t end;
	struct place at = {1, 1};
	struct str rest = message, part;
	int64_t n;

	/* Moves the place out of "line L, column C: …" to where the other problems have it. */
	if (str_starts(message, STR("line ")) && str_split(&rest, ',', &part) &&
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

bool manifest_check(struct arena *a, struct str text, struct str path, struct manifest *out,
		    struct manifest_problems *problems)
{
	static const char *const keys[] = {"tool", NULL};
	struct reading r = {.a = a, .text = text, .problems = problems};
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
	if (mapping(&r, v, "a manifest", keys)) {
		if (val_get(v, "tool"))
			read_tool(&r, val_get(v, "tool"), out);
		else
			manifest_wrong(&r, 0, "the key 'tool' is missing");
	}
	if (problems->n)
		qsort(problems->p, problems->n, sizeof(*problems->p), manifest_by_place);
	out->digest = crypt_content_hash(a, text);
	return !problems->n;
}

PRINTF(2, 3)
static struct err *manifest_bad(struct place at, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_at(E_BAD_MANIFEST, at, fmt, ap);
	va_end(ap);
	return e;
}

struct err *manifest_read(struct arena *a, struct str text, struct str path, struct manifest *out)
{
	struct manifest_problems problems;
	struct err *e;
	size_t more;

	if (manifest_check(a, text, path, out, &problems))
		return NULL;
	more = problems.n - 1 + problems.more;
	if (more)
		e = manifest_bad(problems.p[0].at, "%.*s (and %zu more)",
				 STR_ARG(problems.p[0].message), more);
	else
		e = manifest_bad(problems.p[0].at, "%.*s", STR_ARG(problems.p[0].message));
	return err_help(e, "run 'ikm manifest check %.*s' for all that is wrong", STR_ARG(path));
}
