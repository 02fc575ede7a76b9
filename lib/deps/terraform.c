#include "deps/program.h"

/*
 * Terraform and OpenTofu: providers that a configuration requires, modules that it calls, and the
 * lockfile of providers. In HCL, and in JSON.
 */

/* ---- names ---- */

static struct dep *terraform_add(struct reader *r, struct str name, struct span at)
{
	struct dep *d = reader_add(r, name, at);

	d->reach = DEPS_DIRECT;
	return d;
}

/* Whether the text has so many slashes, with a part before and behind each, as in a registry. */
static bool terraform_is_path(struct str s, size_t least, size_t most)
{
	size_t slashes = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '/') {
			if (!ascii_is_alnum(s.p[i]) && !strchr("-_.:", s.p[i]))
				return false;
			continue;
		}
		if (!i || i + 1 == s.n || s.p[i - 1] == '/')
			return false;
		slashes++;
	}
	return slashes >= least && slashes <= most;
}

/* A provider by its source, or by its local name: hashicorp is the namespace of those without one.
 */
static void terraform_provider(struct reader *r, struct str local, struct str source,
			       struct str version, struct span at)
{
	struct str name = source.n ? source : local;
	struct dep *d;

	if (str_find_char(name, '/', 0) == SIZE_MAX)
		name = str_fmt(r->a, "hashicorp/%.*s", STR_ARG(name));
	if (!terraform_is_path(name, 1, 2)) {
		reader_unresolved(r, name, at,
				  "it is no source of a provider: [HOST/]NAMESPACE/NAME");
		return;
	}
	d = terraform_add(r, name, at);
	d->version = version;
	if (local.n && !str_eq(deps_brief(DEPS_TERRAFORM, name), local))
		d->written = local;
}

/* The address of a repository, without the words that say how it is fetched. */
static bool terraform_repository(struct reader *r, struct str s, struct str *name, struct str *ref)
{
	static const char *const heads[] = {"git::", "hg::"};
	static const char *const hosts[] = {"github.com/", "bitbucket.org/"};
	size_t query = str_find_char(s, '?', 0), sub;
	bool forced = false, hosted = false;
	struct str part, rest = query == SIZE_MAX ? STR("") : str_sub(s, query + 1, s.n);

	while (str_split(&rest, '&', &part))
		if (str_starts(part, STR("ref=")) || str_starts(part, STR("rev=")))
			*ref = str_sub(part, 4, part.n);
	s = str_sub(s, 0, query);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (str_starts(s, str_of(heads[i]))) {
			s = str_sub(s, strlen(heads[i]), s.n);
			forced = true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		hosted = hosted || str_starts(s, str_of(hosts[i]));
	/* The folder in the repository stands behind two slashes. */
	sub = str_find(s, STR("://"), 0);
	sub = str_find(s, STR("//"), sub == SIZE_MAX ? 0 : sub + 3);
	s = str_sub(s, 0, sub);
	if (hosted) {
		*name = str_ends(s, STR(".git")) ? str_sub(s, 0, s.n - 4) : s;
		return true;
	}
	return (forced || url_is_scp(s) || str_starts(s, STR("ssh://"))) &&
	       url_address(r->a, s, name);
}

/* oci://HOST/REPOSITORY//FOLDER?tag=1.2.3: a repository of a registry of containers. */
static bool terraform_oci(struct str s, struct str *name, struct str *tag)
{
	struct str part, rest;
	size_t query;

	if (!str_starts(s, STR("oci://")))
		return false;
	s = str_sub(s, 6, s.n);
	query = str_find_char(s, '?', 0);
	rest = query == SIZE_MAX ? STR("") : str_sub(s, query + 1, s.n);
	while (str_split(&rest, '&', &part))
		if (str_starts(part, STR("tag=")))
			*tag = str_sub(part, 4, part.n);
	s = str_sub(s, 0, query);
	*name = str_sub(s, 0, str_find(s, STR("//"), 0));
	return name->n && name->p[0] != '/';
}

static void terraform_module(struct reader *r, struct str source, struct str version,
			     struct span at)
{
	struct str name = source, ref = {"", 0}, outside, registry;
	struct dep *d;

	if (str_starts(source, STR("./")) || str_starts(source, STR("../")) ||
	    str_is(source, ".") || str_is(source, "..")) {
		if (!reader_beside(r, source, &outside))
			reader_unresolved(r, source, at, "its folder is not in the repository");
		return;
	}
	/* A folder of a registry's module stands behind two slashes, too. */
	registry = str_sub(source, 0, str_find(source, STR("//"), 0));
	if (terraform_repository(r, source, &name, &ref)) {
		version = ref;
	} else if (terraform_oci(source, &name, &ref)) {
		version = ref;
	} else if (terraform_is_path(registry, 2, 3)) { /* [HOST/]NAMESPACE/NAME/PROVIDER */
		name = registry;
	} else {
		reader_unresolved(r, source, at, "an address, which does not name its module");
		return;
	}
	d = terraform_add(r, name, reader_place(r, name, at));
	if (str_starts(version, STR("v")))
		version = str_sub(version, 1, version.n);
	d->version = version;
}

/* ---- HCL ---- */

/* A literal that is the whole value of an attribute. */
static const struct token *terraform_literal(const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *next = t + 1;

	if (!token_is_literal(t))
		return NULL;
	return next->type == TOKEN_LINE || next->type == TOKEN_END || token_is(next, "}") ||
			       token_is(next, ",")
		       ? t
		       : NULL;
}

/* The literal of an attribute, or NULL; *computed: it has another value. */
static const struct token *terraform_text(const struct tokens *v, size_t i, const char *name,
					  size_t *computed)
{
	size_t at = program_option(v, i + 1, program_close(v, i), v->p[i].depth + 1, name);
	const struct token *t = at ? terraform_literal(v, at) : NULL;

	*computed = at && !t ? at : 0;
	return t;
}

/* required_providers { NAME = { source = "…", version = "…" } }; i: the bracket. */
static void terraform_required(struct reader *r, const struct tokens *v, size_t i)
{
	size_t end = program_close(v, i), computed, other;

	for (size_t k = i + 1; k + 2 < end; k++) {
		const struct token *name = &v->p[k], *value = &v->p[k + 2], *source, *version;
		struct span at = token_at(name);

		if ((name->type != TOKEN_WORD && name->type != TOKEN_STRING) ||
		    (!token_is(&v->p[k + 1], "=") && !token_is(&v->p[k + 1], ":")))
			continue;
		if (!token_is(value, "{")) { /* the form before version 0.13 */
			version = terraform_literal(v, k + 2);
			terraform_provider(r, name->s, STR(""), version ? version->s : STR(""), at);
			k += 2;
			continue;
		}
		source = terraform_text(v, k + 2, "source", &computed);
		version = terraform_text(v, k + 2, "version", &other);
		if (computed)
			program_unknown(r, v, computed, "it is no literal");
		else
			terraform_provider(r, name->s, source ? source->s : STR(""),
					   version ? version->s : STR(""),
					   source ? token_at(source) : at);
		if (!value->close)
			return;
		k = value->close - 1;
	}
}

/* module "NAME" { source = "…" }; i: the bracket. */
static void terraform_call(struct reader *r, const struct tokens *v, size_t i)
{
	size_t computed, other;
	const struct token *source = terraform_text(v, i, "source", &computed);
	const struct token *version = terraform_text(v, i, "version", &other);

	if (computed)
		program_unknown(r, v, computed, "it is no literal");
	else if (source)
		terraform_module(r, source->s, version ? version->s : STR(""), token_at(source));
}

/* The index of the bracket behind a block's word and labels; 0: it is no block. */
static size_t terraform_block(const struct tokens *v, size_t i, size_t labels)
{
	for (i++; labels && (v->p[i].type == TOKEN_WORD || v->p[i].type == TOKEN_STRING); labels--)
		i++;
	return !labels && token_is(&v->p[i], "{") ? i : 0;
}

static void terraform_top(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *version;
	size_t block, computed;

	if (t->depth == 0 && token_is(t, "module") && (block = terraform_block(v, i, 1))) {
		terraform_call(r, v, block);
	} else if (t->depth == 1 && token_is(t, "required_providers") &&
		   (block = terraform_block(v, i, 0))) {
		terraform_required(r, v, block);
	} else if (t->depth == 0 && token_is(t, "provider") && (block = terraform_block(v, i, 1))) {
		/* Without a version it is no declaration: other files say where it comes from. */
		version = terraform_text(v, block, "version", &computed);
		if (version)
			terraform_provider(r, v->p[i + 1].s, STR(""), version->s,
					   token_at(&v->p[i + 1]));
	}
}

struct err *terraform_config(struct reader *r)
{
	struct tokens v = {0};

	program_tokens(r, PROGRAM_HCL, &v);
	for (size_t i = 0; i + 2 < v.n; i++)
		if (v.p[i].type == TOKEN_WORD && v.p[i].depth < 2)
			terraform_top(r, &v, i);
	return NULL;
}

struct err *terraform_lock(struct reader *r)
{
	struct tokens v = {0};

	program_tokens(r, PROGRAM_HCL, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *name = &v.p[i + 1], *version;
		size_t block, computed;
		struct dep *d;

		if (v.p[i].type == TOKEN_BROKEN)
			return reader_bad(r, v.p[i].at.from,
					  "a string begins here and does not end");
		if (v.p[i].depth || !token_is(&v.p[i], "provider"))
			continue;
		block = terraform_block(&v, i, 1);
		if (!block || name->type != TOKEN_STRING || !v.p[block].close)
			return reader_bad(r, v.p[i].at.from,
					  "a provider must have its address, and a block");
		version = terraform_text(&v, block, "version", &computed);
		d = reader_add(r, name->s, token_at(name));
		d->version = version ? version->s : STR("");
		d->locked = d->version.n > 0;
		i = v.p[block].close - 1;
	}
	return NULL;
}

/* ---- JSON: blocks are objects, or lists of them ---- */

static void terraform_json_provider(struct reader *r, const struct val *v)
{
	const struct val *source = val_get(v, "source");
	struct span at = reader_key_span(r, v);

	if (source && source->type == VAL_STR)
		at = reader_span(r, source->at, source->s, source->s);
	terraform_provider(r, v->key, val_get_str(v, "source"),
			   v->type == VAL_STR ? v->s : val_get_str(v, "version"), at);
}

static void terraform_json_module(struct reader *r, const struct val *v)
{
	const struct val *source = val_get(v, "source");

	if (!source || source->type != VAL_STR)
		return;
	if (str_find(source->s, STR("${"), 0) != SIZE_MAX)
		reader_unresolved(r, source->s, source->at, "it is no literal");
	else
		terraform_module(r, source->s, val_get_str(v, "version"),
				 reader_span(r, source->at, source->s, source->s));
}

typedef void terraform_json_fn(struct reader *r, const struct val *v);

/* Calls the function for each member of the block's objects. */
static void terraform_json_each(struct reader *r, const struct val *block, terraform_json_fn *fn)
{
	if (!block || block->type < VAL_LIST)
		return;
	VAL_EACH(block, v) {
		if (block->type == VAL_LIST && v->type == VAL_MAP)
			VAL_EACH(v, m)
				fn(r, m);
		else if (block->type == VAL_MAP)
			fn(r, v);
	}
}

static void terraform_json_settings(struct reader *r, const struct val *v)
{
	if (str_is(v->key, "required_providers"))
		terraform_json_each(r, v, terraform_json_provider);
}

struct err *terraform_json(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	terraform_json_each(r, val_get(top, "terraform"), terraform_json_settings);
	terraform_json_each(r, val_get(top, "module"), terraform_json_module);
	return NULL;
}
