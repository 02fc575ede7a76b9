#include "keyval/keyval.h"
#include "json/json.h"
#include "toml/toml.h"
#include "yaml/yaml.h"
#include <search.h>

enum keyval_format {
	FORMAT_NONE,
	FORMAT_JSON,
	FORMAT_YAML,
	FORMAT_TOML,
	FORMAT_INI,
	FORMAT_FLAT,
	FORMAT_GIT,
	FORMAT_ENV,
	FORMAT_PROPERTIES
};

/* Every name of a file of settings; a star stands for any text in one part of the path. */
/* clang-format off */
#define KEYVAL_FORMATS(READ, NONE) \
	READ("*.json", JSON) READ("*.jsonc", JSON) READ(".babelrc", JSON) \
	READ("*.yaml", YAML) READ("*.yml", YAML) READ(".clang-format", YAML) \
	READ(".clang-tidy", YAML) READ(".eslintrc", YAML) READ(".prettierrc", YAML) \
	READ(".stylelintrc", YAML) \
	READ("*.toml", TOML) READ("Pipfile", TOML) \
	READ("*.ini", INI) READ("*.cfg", INI) READ(".flake8", INI) READ(".pylintrc", INI) \
	READ(".coveragerc", INI) READ("pip.conf", INI) \
	READ(".npmrc", FLAT) READ(".editorconfig", FLAT) READ(".gitconfig", GIT) \
	READ(".gitmodules", GIT) \
	READ(".env", ENV) READ(".env.*", ENV) READ("*.env", ENV) \
	READ("*.properties", PROPERTIES) \
	NONE("*.json5") NONE("*.conf") NONE("*.cnf") NONE("*.hocon") NONE("*.plist") \
	NONE("*.hcl") NONE("*.tfvars") NONE("*.edn") NONE("*.ron") NONE("*.kdl") NONE("*.cue") \
	NONE("*.dhall") NONE("*.jsonnet") NONE("*.libsonnet") NONE("*.xml") NONE("*.config") \
	NONE("*.reg") NONE(".envrc")
/* clang-format on */

static const struct {
	const char *pattern;
	enum keyval_format format;
} keyval_formats[] = {
#define READ(pattern, format) {pattern, FORMAT_##format},
#define NONE(pattern)         {pattern, FORMAT_NONE},
	KEYVAL_FORMATS(READ, NONE)
#undef READ
#undef NONE
};

/* "*.json, *.yaml, …": the names that ikm reads, for messages. */
static const char *keyval_names(void)
{
#define READ(pattern, format) ", " pattern
#define NONE(pattern)         ""
	return &KEYVAL_FORMATS(READ, NONE)[2];
#undef READ
#undef NONE
}

static bool keyval_fits(const char *pattern, struct str name)
{
	const char *star = strchr(pattern, '*');
	struct str head, tail;

	if (!star)
		return str_ieq(name, str_of(pattern));
	head = (struct str){pattern, (size_t)(star - pattern)};
	tail = str_of(star + 1);
	return name.n > head.n + tail.n && str_ieq(str_sub(name, 0, head.n), head) &&
	       str_ieq(str_sub(name, name.n - tail.n, name.n), tail);
}

static size_t keyval_row(struct str path)
{
	size_t slash = str_rfind_char(path, '/'), i = 0;
	struct str name = str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n);

	while (i < ARRAY_SIZE(keyval_formats) && !keyval_fits(keyval_formats[i].pattern, name))
		i++;
	return i;
}

enum keyval_kind keyval_kind(struct str path)
{
	size_t i = keyval_row(path);

	if (i == ARRAY_SIZE(keyval_formats))
		return KEYVAL_NONE;
	return keyval_formats[i].format == FORMAT_NONE ? KEYVAL_UNREAD : KEYVAL_READ;
}

/* ---- lines ---- */

struct err *keyval_bad(const struct keyvals *k, size_t at, const char *what)
{
	struct place p = str_place(k->text, at);

	return err_new(E_BAD_CONFIG, "line %zu, column %zu: %s", p.line, p.column, what);
}

static struct err *keyval_too_long(const struct keyvals *k, size_t at)
{
	struct place p = str_place(k->text, at);

	return err_new(E_TOO_LONG, "line %zu, column %zu: the path of keys has over %zu bytes",
		       p.line, p.column, KEYVAL_PATH_MAX);
}

/* The line of the path in the buffer; inner: without a value. */
static void keyval_put(struct keyvals *k, struct str value, bool inner, size_t at)
{
	size_t n = k->path.n;

	if (!inner) {
		buf_putc(&k->path, '=');
		buf_put(&k->path, value);
	}
	k->fn(k->ctx, &(struct keyval){buf_str(&k->path), n, inner, at});
	k->path.n = n;
}

struct err *keyval_give(struct keyvals *k, struct str prefix, struct str key, struct str value,
			size_t at)
{
	k->path.n = 0;
	if (prefix.n + key.n > KEYVAL_PATH_MAX)
		return keyval_too_long(k, at);
	buf_put(&k->path, prefix);
	if (prefix.n && key.n)
		buf_putc(&k->path, '.');
	buf_put(&k->path, key);
	keyval_put(k, value, false, at);
	return NULL;
}

/* ---- trees ---- */

static struct err *keyval_tree(struct keyvals *k, const struct val *v, size_t at);

static struct err *keyval_member(struct keyvals *k, const struct val *m, size_t at)
{
	size_t n = k->path.n;
	struct err *e;

	if (n + m->key.n + 1 > KEYVAL_PATH_MAX)
		return keyval_too_long(k, at);
	if (n)
		buf_putc(&k->path, '.');
	buf_put(&k->path, m->key);
	e = keyval_tree(k, m, at);
	k->path.n = n;
	return e;
}

/* The names that a map has so far, its own and merged ones. */
struct keyval_have {
	void *names;
};

static int keyval_name_cmp(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void keyval_nothing(void *p)
{
	(void)p;
}

static void keyval_have_free(void *p)
{
	tdestroy(((struct keyval_have *)p)->names, keyval_nothing);
}

/* False: the map has a member of that name, perhaps this one: aliases share their members. */
static bool keyval_have_add(struct keyval_have *have, const struct val *m)
{
	if (tfind(&m->key, &have->names, keyval_name_cmp))
		return false;
	if (!tsearch(&m->key, &have->names, keyval_name_cmp))
		BUG("no memory for a name");
	return true;
}

/* The members of a merged map whose names the map, and maps merged before it, do not have. */
static struct err *keyval_merge(struct keyvals *k, const struct val *from, struct keyval_have *have)
{
	VAL_EACH(from->type == VAL_MAP ? from : NULL, m)
		if (!str_is(m->key, "<<") && keyval_have_add(have, m))
			TRY(keyval_member(k, m, m->key_at.from));
	VAL_EACH(from->type == VAL_MAP ? from : NULL, m) {
		if (!str_is(m->key, "<<"))
			continue;
		if (m->type == VAL_MAP)
			TRY(keyval_merge(k, m, have));
		VAL_EACH(m->type == VAL_LIST ? m : NULL, one)
			TRY(keyval_merge(k, one, have));
	}
	return NULL;
}

static struct err *keyval_map(struct keyvals *k, const struct val *v)
{
	const struct val *merge = val_get(v, "<<");
	struct keyval_have *have = NULL;

	if (merge && merge->type != VAL_MAP && merge->type != VAL_LIST)
		merge = NULL;
	if (merge) {
		have = ARENA_NEW(k->a, struct keyval_have);
		arena_defer(k->a, keyval_have_free, have);
	}
	VAL_EACH(v, m) {
		if (m == merge)
			continue;
		if (merge)
			keyval_have_add(have, m);
		TRY(keyval_member(k, m, m->key_at.from));
	}
	if (!merge)
		return NULL;
	if (merge->type == VAL_MAP)
		return keyval_merge(k, merge, have);
	VAL_EACH(merge, one)
		TRY(keyval_merge(k, one, have));
	return NULL;
}

/* Recursion is bounded: the readers allow 128 levels, with aliases expanded. */
static struct err *keyval_tree(struct keyvals *k, const struct val *v, size_t at)
{
	size_t n = k->path.n;

	switch (v->type) {
	case VAL_NULL: keyval_put(k, STR("null"), false, at); return NULL;
	case VAL_BOOL: keyval_put(k, v->b ? STR("true") : STR("false"), false, at); return NULL;
	case VAL_NUM:
	case VAL_STR:
	case VAL_TIME: keyval_put(k, v->s, false, at); return NULL;
	case VAL_LIST:
	case VAL_MAP: break;
	}
	if (!v->n) {
		keyval_put(k, v->type == VAL_MAP ? STR("{}") : STR("[]"), false, at);
		return NULL;
	}
	if (n)
		keyval_put(k, STR(""), true, at);
	if (v->type == VAL_MAP)
		return keyval_map(k, v);
	if (n + 2 > KEYVAL_PATH_MAX)
		return keyval_too_long(k, at);
	buf_puts(&k->path, "[]");
	VAL_EACH(v, m)
		TRY(keyval_tree(k, m, m->at.from));
	k->path.n = n;
	return NULL;
}

static struct err *keyval_json(struct keyvals *k)
{
	struct val *v;

	TRY(json_read(k->a, json_uncommented(k->a, k->text), NULL, &v));
	return keyval_tree(k, v, v->at.from);
}

static struct err *keyval_yaml(struct keyvals *k)
{
	struct val *documents;

	TRY(yaml_read_all(k->a, k->text, &documents));
	VAL_EACH(documents, v) {
		/* An empty document has no setting. */
		if (v->type != VAL_NULL)
			TRY(keyval_tree(k, v, v->at.from));
	}
	return NULL;
}

static struct err *keyval_toml(struct keyvals *k)
{
	struct val *v;

	TRY(toml_read(k->a, k->text, &v));
	return v->n ? keyval_tree(k, v, 0) : NULL;
}

/*
 * The text with line feeds for carriage returns that stand alone, which end a line for the programs
 * that read INI and .env. Offsets stay.
 */
static struct str keyval_lines(struct arena *a, struct str text)
{
	size_t at = str_find_char(text, '\r', 0);
	char *p = NULL;

	for (; at != SIZE_MAX; at = str_find_char(text, '\r', at + 1)) {
		if (at + 1 < text.n && text.p[at + 1] == '\n')
			continue;
		p = p ? p : str_c(a, text);
		p[at] = '\n';
	}
	return p ? (struct str){p, text.n} : text;
}

struct err *keyval_read(struct arena *scratch, struct str path, struct str text, keyval_fn *fn,
			void *ctx)
{
	size_t i = keyval_row(path);
	enum keyval_format format =
		i < ARRAY_SIZE(keyval_formats) ? keyval_formats[i].format : FORMAT_NONE;
	struct keyvals k = {
		.a = scratch, .text = text, .path = buf_in(scratch), .fn = fn, .ctx = ctx};

	if (str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff")))
		return err_new(E_BAD_UTF8, "it is UTF-16, and ikm reads settings in UTF-8");
	if (format == FORMAT_INI || format == FORMAT_FLAT || format == FORMAT_ENV)
		k.text = keyval_lines(scratch, text);
	switch (format) {
	case FORMAT_JSON: return keyval_json(&k);
	case FORMAT_YAML: return keyval_yaml(&k);
	case FORMAT_TOML: return keyval_toml(&k);
	case FORMAT_INI: return keyval_ini(&k, KEYVAL_INI);
	case FORMAT_FLAT: return keyval_ini(&k, KEYVAL_INI_FLAT);
	case FORMAT_GIT: return keyval_ini(&k, KEYVAL_INI_GIT);
	case FORMAT_ENV: return keyval_env(&k);
	case FORMAT_PROPERTIES: return keyval_properties(&k);
	case FORMAT_NONE: break;
	}
	return err_new(E_BAD_CONFIG, "ikm reads settings of %s", keyval_names());
}
