#include "keyval/keyval.h"
#include "json/json.h"
#include "toml/toml.h"
#include "yaml/yaml.h"
#include <search.h>

struct keyvals {
	struct arena *a;
	struct str text;
	struct buf path; /* the keys down to here; then the line */
	keyval_fn *fn;
	void *ctx;
};

enum keyval_ini {
	KEYVAL_INI,      /* deeper indented lines continue a value */
	KEYVAL_INI_FLAT, /* a line is a setting: npm, EditorConfig */
	KEYVAL_INI_GIT,  /* values have quotes and escapes, and a backslash continues them */
};

/* ---- lines ---- */

/* BAD_CONFIG with the place. */
static struct err *keyval_bad(const struct keyvals *k, size_t at, const char *what)
{
	struct place p = str_place_of_offset(k->text, at);

	return err_new(E_BAD_CONFIG, "line %zu, column %zu: %s", p.line, p.column, what);
}

static struct err *keyval_too_long(const struct keyvals *k, size_t at)
{
	struct place p = str_place_of_offset(k->text, at);

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
	k->fn(k->ctx, &(struct keyval){buf_as_str(&k->path), n, inner, at});
	k->path.n = n;
}

/* PREFIX.KEY=VALUE; without a prefix KEY=VALUE. */
static struct err *keyval_give(struct keyvals *k, struct str prefix, struct str key,
			       struct str value, size_t at)
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

static size_t keyval_offset(const struct keyvals *k, struct str s)
{
	return (size_t)(s.p - k->text.p);
}

/* A byte order mark is no part of the first key. */
static struct str keyval_begin(const struct keyvals *k)
{
	return str_sub(k->text, str_starts(k->text, STR("\xef\xbb\xbf")) ? 3 : 0, k->text.n);
}

/* ---- INI ---- */

/* The value without a comment behind a blank, and without quotes around it. */
static struct str ini_value(struct str s)
{
	s = str_trim(s);
	if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'')) {
		size_t end = str_find_char(s, s.p[0], 1);
		struct str rest = str_trim(str_sub(s, end == SIZE_MAX ? s.n : end + 1, s.n));

		if (end != SIZE_MAX && (!rest.n || rest.p[0] == '#' || rest.p[0] == ';'))
			return str_sub(s, 1, end);
	}
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] == '#' || s.p[i] == ';') && (!i || ascii_is_any_space(s.p[i - 1])))
			return str_trim(str_sub(s, 0, i));
	return s;
}

/* [section], [section "name"]: section.name */
static struct str ini_section(struct arena *a, struct str s)
{
	size_t quote = str_find_char(s, '"', 0);
	struct buf b = buf_in(a);

	s = str_trim(s);
	if (quote == SIZE_MAX || !str_ends(s, STR("\"")) || quote + 1 >= s.n)
		return s;
	buf_fmt(&b, "%.*s.%.*s", STR_ARG(str_trim(str_sub(s, 0, quote))),
		STR_ARG(str_sub(s, quote + 1, s.n - 1)));
	return buf_as_str(&b);
}

/* A value that may go on in the lines below it. */
struct ini_open {
	struct str section, key;
	struct buf value;
	size_t at, indent;
	bool any;
};

static struct err *ini_close(struct keyvals *k, struct ini_open *o)
{
	if (!o->any)
		return NULL;
	o->any = false;
	return keyval_give(k, o->section, o->key, buf_as_str(&o->value), o->at);
}

/*
 * A value of Git's files, in the text at *i; moves *i behind its last line. Quotes stand anywhere,
 * a comment begins outside of them, and a backslash at the end of a line continues the value.
 */
static struct err *ini_git_value(struct keyvals *k, size_t *i, struct buf *b)
{
	struct str s = k->text;
	size_t from = *i, keep = 0; /* keep: the bytes that blanks at the end do not belong to */
	bool quoted = false;

	for (; *i < s.n && s.p[*i] != '\n'; ++*i) {
		char c = s.p[*i], next = *i + 1 < s.n ? s.p[*i + 1] : '\n';

		if (c == '\r' && next == '\n')
			continue;
		if (!quoted && (c == '#' || c == ';')) {
			*i = size_min(str_find_char(s, '\n', *i), s.n);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			keep = b->n;
			continue;
		}
		if (c == '\\') {
			++*i;
			if (next == '\r' && *i + 1 < s.n && s.p[*i + 1] == '\n')
				++*i;
			else if (next != '\n')
				buf_putc(b, next == 'n'   ? '\n'
					    : next == 't' ? '\t'
					    : next == 'b' ? '\b'
							  : next);
			keep = b->n;
			continue;
		}
		/* Blanks before the first byte, also of a line that goes on, are no part of it. */
		if (!quoted && !b->n && ascii_is_any_space(c))
			continue;
		buf_putc(b, c);
		if (quoted || !ascii_is_any_space(c))
			keep = b->n;
	}
	if (quoted)
		return keyval_bad(k, from, "a value begins here whose quote does not end");
	b->n = keep;
	return NULL;
}

/* Moves *rest behind a value of Git, which may have several lines. */
static struct err *ini_key(struct keyvals *k, struct ini_open *o, struct str line, size_t indent,
			   enum keyval_ini form, struct str *rest)
{
	struct str s = str_trim(line);
	size_t equals = str_find_char(s, '=', 0);

	if (form == KEYVAL_INI)
		equals = size_min(equals, str_find_char(s, ':', 0));
	o->key = str_trim(str_sub(s, 0, equals));
	/* A key alone may have a comment behind it. */
	if (equals == SIZE_MAX)
		o->key = ini_value(s);
	o->value.n = 0;
	o->at = keyval_offset(k, s);
	o->indent = indent;
	o->any = true;
	if (equals == SIZE_MAX)
		return NULL;
	s = str_trim(str_sub(s, equals + 1, s.n));
	if (form == KEYVAL_INI_GIT) {
		size_t i = keyval_offset(k, s);

		TRY(ini_git_value(k, &i, &o->value));
		*rest = str_sub(k->text, size_min(i, k->text.n - 1) + 1, k->text.n);
	} else {
		buf_put(&o->value, ini_value(s));
	}
	return NULL;
}

static struct err *keyval_ini(struct keyvals *k, enum keyval_ini form)
{
	struct str rest = keyval_begin(k), line;
	struct ini_open o = {.section = {"", 0}, .value = buf_in(k->a)};

	while (str_next_line(&rest, &line)) {
		struct str s = str_trim(line);
		size_t indent = (size_t)(s.p - line.p), close;

		if (!s.n || s.p[0] == '#' || s.p[0] == ';')
			continue;
		if (form == KEYVAL_INI && o.any && indent > o.indent) {
			buf_putc(&o.value, '\n');
			buf_put(&o.value, ini_value(s));
			continue;
		}
		TRY(ini_close(k, &o));
		if (s.p[0] == '[') {
			close = str_rfind_char(str_sub(s, 0, str_find(s, STR("] "), 0) + 1), ']');
			if (close == SIZE_MAX)
				close = str_rfind_char(s, ']');
			if (close == SIZE_MAX)
				return keyval_bad(k, keyval_offset(k, s),
						  "a section begins with [ and must end with ]");
			o.section = ini_section(k->a, str_sub(s, 1, close));
			/* Git allows a key behind it. */
			s = str_trim(str_sub(s, close + 1, s.n));
			if (form == KEYVAL_INI || !s.n || s.p[0] == '#' || s.p[0] == ';')
				continue;
		}
		TRY(ini_key(k, &o, s, indent, form, &rest));
	}
	return ini_close(k, &o);
}

/* ---- .env ---- */

/* Behind the opening quote; it may end on another line. Moves *rest behind its line. */
static struct err *env_quoted(struct keyvals *k, struct str *rest, struct str value,
			      struct str *out)
{
	char quote = value.p[0];
	struct buf b = buf_in(k->a);
	struct str line = {"", 0};
	size_t i = keyval_offset(k, value) + 1, from = i;

	for (; i < k->text.n && k->text.p[i] != quote; i++) {
		char c = k->text.p[i], next = i + 1 < k->text.n ? k->text.p[i + 1] : 0;

		if (c == '\\' && quote == '"' && next) {
			buf_putc(&b, next == 'n'   ? '\n'
				     : next == 'r' ? '\r'
				     : next == 't' ? '\t'
						   : next);
			i++;
		} else {
			buf_putc(&b, c);
		}
	}
	if (i == k->text.n)
		return keyval_bad(k, from - 1, "a quote begins here and does not end");
	*rest = str_sub(k->text, i + 1, k->text.n);
	str_next_line(rest, &line);
	/* A shell reads "a"b as ab. */
	line = str_trim(line);
	if (line.n && line.p[0] != '#')
		buf_put(&b, line);
	*out = buf_as_str(&b);
	return NULL;
}

static struct err *keyval_env(struct keyvals *k)
{
	struct str rest = keyval_begin(k), line;

	while (str_next_line(&rest, &line)) {
		struct str s = str_trim(line), key, value;
		size_t equals, at;

		if (!s.n || s.p[0] == '#')
			continue;
		if (str_starts(s, STR("export ")) || str_starts(s, STR("export\t")))
			s = str_trim(str_sub(s, 7, s.n));
		if (!s.n)
			continue;
		at = keyval_offset(k, s);
		equals = str_find_char(s, '=', 0);
		key = str_trim(str_sub(s, 0, equals));
		value = equals == SIZE_MAX ? STR("") : str_trim(str_sub(s, equals + 1, s.n));
		if (value.n && (value.p[0] == '"' || value.p[0] == '\'' || value.p[0] == '`')) {
			TRY(env_quoted(k, &rest, value, &value));
		} else {
			for (size_t i = 0; i < value.n; i++)
				if (value.p[i] == '#' &&
				    (!i || ascii_is_any_space(value.p[i - 1]))) {
					value = str_trim(str_sub(value, 0, i));
					break;
				}
		}
		TRY(keyval_give(k, STR(""), key, value, at));
	}
	return NULL;
}

/* ---- properties ---- */

static bool properties_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

/* What follows the backslash at *i; moves *i behind it. */
static struct err *properties_escape(struct keyvals *k, struct str s, size_t *i, struct buf *b)
{
	char c = s.p[*i];
	uint32_t code, low;

	if (c == '\n' || c == '\r') {
		/* The indentation of the next line is no part of it. */
		*i += c == '\r' && *i + 1 < s.n && s.p[*i + 1] == '\n' ? 2 : 1;
		while (*i < s.n && properties_blank(s.p[*i]))
			++*i;
		return NULL;
	}
	if (c == 'u') {
		if (*i + 5 > s.n || !str_parse_hex(str_sub(s, *i + 1, *i + 5), &code))
			return keyval_bad(k, *i - 1, "\\u must have four hexadecimal digits");
		*i += 5;
		if (code >> 10 == 0xd800 >> 10 && str_is(str_sub(s, *i, *i + 2), "\\u") &&
		    *i + 6 <= s.n && str_parse_hex(str_sub(s, *i + 2, *i + 6), &low) &&
		    low >> 10 == 0xdc00 >> 10) {
			code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
			*i += 6;
		}
		buf_utf8(b, code);
		return NULL;
	}
	buf_putc(b, c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c);
	*i += 1;
	return NULL;
}

/* A key up to its separator, or a value up to the end of the line. */
static struct err *properties_part(struct keyvals *k, struct str s, size_t *i, bool key,
				   struct str *out)
{
	struct buf b = buf_in(k->a);

	while (*i < s.n && s.p[*i] != '\n' && s.p[*i] != '\r') {
		char c = s.p[*i];

		if (key && (c == '=' || c == ':' || properties_blank(c)))
			break;
		*i += 1;
		if (c != '\\')
			buf_putc(&b, c);
		else if (*i < s.n)
			TRY(properties_escape(k, s, i, &b));
	}
	*out = buf_as_str(&b);
	return NULL;
}

static struct err *keyval_properties(struct keyvals *k)
{
	struct str s = k->text, key, value;
	size_t i = k->text.n - keyval_begin(k).n, at;

	while (i < s.n) {
		while (i < s.n && (properties_blank(s.p[i]) || s.p[i] == '\n' || s.p[i] == '\r'))
			i++;
		if (i < s.n && (s.p[i] == '#' || s.p[i] == '!')) {
			while (i < s.n && s.p[i] != '\n' && s.p[i] != '\r')
				i++;
			continue;
		}
		if (i == s.n)
			break;
		at = i;
		TRY(properties_part(k, s, &i, true, &key));
		while (i < s.n && properties_blank(s.p[i]))
			i++;
		if (i < s.n && (s.p[i] == '=' || s.p[i] == ':'))
			i++;
		while (i < s.n && properties_blank(s.p[i]))
			i++;
		TRY(properties_part(k, s, &i, false, &value));
		TRY(keyval_give(k, STR(""), key, value, at));
	}
	return NULL;
}

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
	struct str name = str_base(path);
	size_t i = 0;

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

static void keyval_nothing(void *p)
{
	(void)p;
}

static void keyval_have_free(void *p)
{
	tdestroy(*(void **)p, keyval_nothing);
}

/*
 * have: the names that a map has so far, its own and merged ones. False: the map has a member of
 * that name, perhaps this one: aliases share their members.
 */
static bool keyval_have_add(void **have, const struct val *m)
{
	if (tfind(&m->key, have, str_cmp_ptr))
		return false;
	if (!tsearch(&m->key, have, str_cmp_ptr))
		BUG("no memory for a name");
	return true;
}

/* The members of a merged map whose names the map, and maps merged before it, do not have. */
static struct err *keyval_merge(struct keyvals *k, const struct val *from, void **have)
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
	if (v->type == VAL_MAP) {
		const struct val *merge = val_get(v, "<<");
		void **have = NULL;

		if (merge && merge->type != VAL_MAP && merge->type != VAL_LIST)
			merge = NULL;
		if (merge) {
			have = ARENA_NEW(k->a, void *);
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
	if (n + 2 > KEYVAL_PATH_MAX)
		return keyval_too_long(k, at);
	buf_puts(&k->path, "[]");
	VAL_EACH(v, m)
		TRY(keyval_tree(k, m, m->at.from));
	k->path.n = n;
	return NULL;
}

struct err *keyval_read(struct arena *scratch, struct str path, struct str text, keyval_fn *fn,
			void *ctx)
{
	size_t i = keyval_row(path);
	enum keyval_format format =
		i < ARRAY_SIZE(keyval_formats) ? keyval_formats[i].format : FORMAT_NONE;
	struct keyvals k = {
		.a = scratch, .text = text, .path = buf_in(scratch), .fn = fn, .ctx = ctx};
	struct val *v;

	if (str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff")))
		return err_new(E_BAD_UTF8, "it is UTF-16, and ikm reads settings in UTF-8");
	if (format == FORMAT_INI || format == FORMAT_FLAT || format == FORMAT_ENV) {
		size_t at = str_find_char(text, '\r', 0);
		char *p = NULL;

		/*
		 * Carriage returns that stand alone end a line for the programs that read INI and
		 * .env. Offsets stay.
		 */
		for (; at != SIZE_MAX; at = str_find_char(text, '\r', at + 1)) {
			if (at + 1 < text.n && text.p[at + 1] == '\n')
				continue;
			p = p ? p : str_c(scratch, text);
			p[at] = '\n';
		}
		k.text = p ? (struct str){p, text.n} : text;
	}
	switch (format) {
	case FORMAT_JSON:
		TRY(json_read(scratch, json_uncommented(scratch, text), NULL, &v));
		return keyval_tree(&k, v, v->at.from);
	case FORMAT_YAML:
		TRY(yaml_read_all(scratch, text, &v));
		VAL_EACH(v, document) {
			/* An empty document has no setting. */
			if (document->type != VAL_NULL)
				TRY(keyval_tree(&k, document, document->at.from));
		}
		return NULL;
	case FORMAT_TOML:
		TRY(toml_read(scratch, text, &v));
		return v->n ? keyval_tree(&k, v, 0) : NULL;
	case FORMAT_INI: return keyval_ini(&k, KEYVAL_INI);
	case FORMAT_FLAT: return keyval_ini(&k, KEYVAL_INI_FLAT);
	case FORMAT_GIT: return keyval_ini(&k, KEYVAL_INI_GIT);
	case FORMAT_ENV: return keyval_env(&k);
	case FORMAT_PROPERTIES: return keyval_properties(&k);
	case FORMAT_NONE: break;
	}
	return err_new(E_BAD_CONFIG, "ikm reads settings of %s", keyval_names());
}
