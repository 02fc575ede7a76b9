#include "deps/manifest_tokens.h"

/*
 * Terraform and OpenTofu: providers that a configuration requires, modules that it calls, and the
 * lockfile of providers. In HCL, and in JSON.
 */

/* Whether the text has so many slashes, with a part before and behind each, as in a registry. */
static bool terraform_is_path(struct str s, size_t least, size_t most)
{
	size_t slashes = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool slash = s.p[i] == '/';

		if (slash ? !i || i + 1 == s.n || s.p[i - 1] == '/'
			  : !ascii_is_alnum(s.p[i]) && !strchr("-_.:", s.p[i]))
			return false;
		slashes += slash;
	}
	return slashes >= least && slashes <= most;
}

/* A provider by its source, or by its local name: hashicorp is the namespace of those without one.
 */
static struct err *terraform_provider(struct reader *r, struct str local, struct str source,
				      struct str version, struct span at)
{
	struct str name = source.n ? source : local;
	struct dep *d;

	if (!str_holds(name, "/"))
		name = str_fmt(r->a, "hashicorp/%.*s", STR_ARG(name));
	if (!terraform_is_path(name, 1, 2))
		return reader_add_unresolved(
			r, name, at, "it is no source of a provider: [HOST/]NAMESPACE/NAME");
	d = reader_add_dep(r, name, at);
	d->reach = DEPS_DIRECT;
	d->version = version;
	if (local.n && !str_eq(deps_short_name(DEPS_TERRAFORM, name), local))
		d->written = local;
	return NULL;
}

/* The member behind the "?" of an address; the last one counts. */
static struct str terraform_query(struct str s, const char *keys)
{
	struct str part, address, rest, value = {"", 0};

	reader_split_at(s, '?', 0, &address, &rest);
	while (str_next_part(&rest, '&', &part))
		if (reader_starts_with_any_of(part, keys))
			value = reader_skip_prefix(part, keys);
	return value;
}

/* The address of a repository, without the words that say how it is fetched. */
static bool terraform_repository(struct reader *r, struct str s, struct str *name)
{
	bool forced = reader_starts_with_any_of(s, "git::|hg::"), hosted;
	size_t sub;

	s = reader_skip_prefix(reader_skip_prefix(reader_until(s, "?"), "git::"), "hg::");
	hosted = reader_starts_with_any_of(s, "github.com/|bitbucket.org/");
	/* The folder in the repository stands behind two slashes. */
	sub = str_find(s, STR("://"), 0);
	sub = str_find(s, STR("//"), sub == SIZE_MAX ? 0 : sub + 3);
	s = str_sub(s, 0, sub);
	*name = str_sub(s, 0, s.n - reader_suffix_word_length(s, ".git"));
	return hosted || ((forced || url_is_scp(s) || str_starts(s, STR("ssh://"))) &&
			  url_repo_address(r->a, s, name));
}

static struct err *terraform_module(struct reader *r, struct str source, struct str version,
				    struct span at)
{
	struct str name = source, outside, registry;
	/* A folder of a registry's module stands behind two slashes, too. */
	struct str oci = reader_until(reader_skip_prefix(source, "oci://"), "?");
	struct dep *d;

	if (reader_starts_with_any_of(source, "./|../") || reader_is_any_of_words(source, ".|..")) {
		if (!reader_resolve_path(r, source, &outside))
			reader_add_unresolved(r, source, at, "its folder is not in the repository");
		return NULL;
	}
	registry = str_sub(source, 0, str_find(source, STR("//"), 0));
	oci = str_sub(oci, 0, str_find(oci, STR("//"), 0));
	if (terraform_repository(r, source, &name)) {
		version = terraform_query(source, "ref=|rev=");
	} else if (str_starts(source, STR("oci://")) && oci.n && oci.p[0] != '/') {
		/* oci://HOST/REPOSITORY//FOLDER?tag=1.2.3, in a registry of containers */
		name = oci;
		version = terraform_query(source, "tag=");
	} else if (terraform_is_path(registry, 2, 3)) { /* [HOST/]NAMESPACE/NAME/PROVIDER */
		name = registry;
	} else {
		return reader_add_unresolved(r, source, at,
					     "an address, which does not name its module");
	}
	d = reader_add_dep(r, name, reader_span_of_slice_or(r, name, at));
	d->reach = DEPS_DIRECT;
	d->version = reader_skip_prefix(version, "v");
	return NULL;
}

/* ---- HCL ---- */

/* A literal that is the whole value of an attribute. */
static const struct token *terraform_literal(const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *next = t + 1;

	return token_is_literal(t) && (next->type == TOKEN_LINE || next->type == TOKEN_END ||
				       token_is(next, "}|,"))
		       ? t
		       : NULL;
}

/* The literal of an attribute, or NULL; *computed: it has another value. */
static const struct token *terraform_text(const struct tokens *v, size_t i, const char *name,
					  size_t *computed)
{
	size_t at = program_call_option(v, i + 1, program_closing_bracket(v, i), v->p[i].depth + 1,
					name);
	const struct token *t = at ? terraform_literal(v, at) : NULL;

	*computed = at && !t ? at : 0;
	return t;
}

/* required_providers { NAME = { source = "…", version = "…" } }; i: the bracket. */
static void terraform_required(struct reader *r, const struct tokens *v, size_t i)
{
	size_t end = program_closing_bracket(v, i), computed, other;

	for (size_t k = i + 1; k + 2 < end; k++) {
		const struct token *name = &v->p[k], *value = &v->p[k + 2], *source, *version;
		struct span at = token_span(name);

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
			program_add_unresolved(r, v, computed, "it is no literal");
		else
			terraform_provider(r, name->s, source ? source->s : STR(""),
					   version ? version->s : STR(""),
					   source ? token_span(source) : at);
		if (!value->close)
			return;
		k = value->close - 1;
	}
}

/* The index of the bracket behind a block's word and labels; 0: it is no block. */
static size_t terraform_block(const struct tokens *v, size_t i, size_t labels)
{
	for (i++; labels && (v->p[i].type == TOKEN_WORD || v->p[i].type == TOKEN_STRING); labels--)
		i++;
	return !labels && token_is(&v->p[i], "{") ? i : 0;
}

struct err *terraform_config(struct reader *r)
{
	struct tokens v = {0};

	program_tokens(r, PROGRAM_HCL, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *t = &v.p[i], *version, *source;
		size_t block = terraform_block(&v, i, !t->depth), computed, other;

		if (!block || !token_is(t, t->depth ? "required_providers" : "module|provider") ||
		    t->depth > 1)
			continue;
		if (t->depth) {
			terraform_required(r, &v, block);
			continue;
		}
		version = terraform_text(&v, block, "version", &other);
		if (token_is(t, "module")) {
			source = terraform_text(&v, block, "source", &computed);
			if (computed)
				program_add_unresolved(r, &v, computed, "it is no literal");
			else if (source)
				terraform_module(r, source->s, version ? version->s : STR(""),
						 token_span(source));
		} else if (version) {
			/* Without a version it is no declaration: other files say its source. */
			terraform_provider(r, t[1].s, STR(""), version->s, token_span(t + 1));
		}
	}
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
			return reader_error_at(r, v.p[i].at.from,
					       "a string begins here and does not end");
		if (v.p[i].depth || !token_is(&v.p[i], "provider"))
			continue;
		block = terraform_block(&v, i, 1);
		if (!block || name->type != TOKEN_STRING || !v.p[block].close)
			return reader_error_at(r, v.p[i].at.from,
					       "a provider must have its address, and a block");
		version = terraform_text(&v, block, "version", &computed);
		d = reader_add_dep(r, name->s, token_span(name));
		d->version = version ? version->s : STR("");
		d->locked = d->version.n > 0;
		i = v.p[block].close - 1;
	}
	return NULL;
}

/* ---- JSON: blocks are objects, or lists of them ---- */

static struct err *terraform_json_provider(struct reader *r, const struct val *v)
{
	const struct val *source = reader_get_str(v, "source");

	return terraform_provider(r, v->key, val_get_str(v, "source"),
				  v->type == VAL_STR ? v->s : val_get_str(v, "version"),
				  source ? reader_val_span(r, source) : reader_key_span(r, v));
}

static struct err *terraform_json_module(struct reader *r, const struct val *v)
{
	const struct val *source = reader_get_str(v, "source");

	if (source && str_holds(source->s, "${"))
		return reader_add_unresolved(r, source->s, source->at, "it is no literal");
	return source ? terraform_module(r, source->s, val_get_str(v, "version"),
					 reader_val_span(r, source))
		      : NULL;
}

/* Calls the function for each member of the block's objects. */
static void terraform_json_each(struct reader *r, const struct val *block, tree_fn *fn)
{
	VAL_EACH(block && block->type == VAL_LIST ? block : NULL, v)
		if (v->type == VAL_MAP)
			terraform_json_each(r, v, fn);
	VAL_EACH(block && block->type == VAL_MAP ? block : NULL, v)
		fn(r, v);
}

static struct err *terraform_json_settings(struct reader *r, const struct val *v)
{
	if (str_is(v->key, "required_providers"))
		terraform_json_each(r, v, terraform_json_provider);
	return NULL;
}

struct err *terraform_json(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	terraform_json_each(r, val_get(top, "terraform"), terraform_json_settings);
	terraform_json_each(r, val_get(top, "module"), terraform_json_module);
	return NULL;
}
