#include "deps/reader.h"
#include "json/json.h"
#include "toml/toml.h"
#include "yaml/yaml.h"

struct dep *reader_add_dep(struct reader *r, struct str name, struct span at)
{
	struct dep *d = VEC_PUSH(r->a, r->out);

	d->ecosystem = r->ecosystem;
	d->name = name;
	d->normal = deps_normal(r->a, r->ecosystem, name);
	d->brief = deps_short_name(r->ecosystem, name);
	d->at = at;
	d->reach = r->reach;
	return d;
}

struct dep *reader_add_runtime(struct reader *r, struct str name, struct str written,
			       struct str version, struct span at)
{
	struct dep *d = reader_add_dep(r, name, at);

	d->kind = DEPS_RUNTIME;
	d->reach = DEPS_DIRECT;
	d->written = written;
	d->version = version;
	return d;
}

struct dep *reader_add_dep_slice(struct reader *r, struct str name)
{
	return reader_add_dep(r, name, reader_slice_span(r, name));
}

struct dep *reader_add_dep_val(struct reader *r, const struct val *v)
{
	return reader_add_dep(r, v->s, reader_val_span(r, v));
}

struct dep *reader_add_dep_key(struct reader *r, const struct val *v)
{
	return reader_add_dep(r, v->key, reader_key_span(r, v));
}

struct dep *reader_add_dep_in_ecosystem(struct reader *r, enum deps_ecosystem e, struct str name,
					struct span at)
{
	enum deps_ecosystem own = r->ecosystem;
	struct dep *d;

	r->ecosystem = e;
	d = reader_add_dep(r, name, at);
	r->ecosystem = own;
	return d;
}

void reader_set_real_name(struct reader *r, struct dep *d, struct str name, struct span at)
{
	if (!str_eq(name, d->name))
		d->written = d->name;
	d->name = name;
	d->normal = deps_normal(r->a, d->ecosystem, name);
	d->brief = deps_short_name(d->ecosystem, name);
	d->at = at;
}

void reader_set_locked_version(struct dep *d, struct str version)
{
	d->version = version;
	d->locked = version.n > 0;
}

struct err *reader_add_unresolved(struct reader *r, struct str name, struct span at,
				  const char *reason, ...)
{
	struct buf b = buf_with_max(r->a, 1024);

	BUF_ARGS(&b, reason);
	*VEC_PUSH(r->a, &r->out->unresolved) =
		(struct deps_unresolved){.name = name, .reason = buf_as_str(&b), .at = at};
	return NULL;
}

static struct err *deps_reader_bad_at(struct reader *r, struct place at, const char *what)
{
	struct err *e;

	at.column += at.line == 1 ? r->begin : 0;
	e = err_new(E_BAD_MANIFEST, "'%.*s': line %zu, column %zu: %s", STR_ARG(r->path), at.line,
		    at.column, what);
	r->bad = at;
	r->why = str_dup(r->a, str_of(what));
	err_add_detail(e, "path", r->path);
	err_detail_int(e, "line", (int64_t)at.line);
	return err_detail_int(e, "column", (int64_t)at.column);
}

struct err *reader_error_at(struct reader *r, size_t offset, const char *fmt, ...)
{
	struct buf b = buf_with_max(r->a, 1024);

	BUF_ARGS(&b, fmt);
	return deps_reader_bad_at(r, str_place_of_offset(r->text, offset), buf_as_cstr(&b));
}

struct err *reader_bad_line(struct reader *r, struct str line, const char *what)
{
	return reader_error_at(r, reader_slice_span(r, line).from, "'%.*s' %s",
			       STR_ARG(str_sub(line, 0, 200)), what);
}

struct err *reader_lines(struct reader *r, struct err *(*line)(struct reader *r, struct str line))
{
	struct str rest = r->text, one;

	while (str_next_line(&rest, &one))
		TRY(line(r, str_trim(one)));
	return NULL;
}

/* Errors of the parsers begin with the place; it moves into the details. */
static struct err *wrap(struct reader *r, const struct err *e)
{
	const char *message = err_message(e);
	struct place at;
	int skip = 0;

	if (sscanf(message, "line %zu, column %zu: %n", &at.line, &at.column, &skip) == 2 && skip)
		return deps_reader_bad_at(r, at, message + skip);
	return err_new(E_BAD_MANIFEST, "'%.*s': %s", STR_ARG(r->path), message);
}

static struct err *deps_reader_top(struct reader *r, struct err *e, struct val **top)
{
	if (e)
		return wrap(r, e);
	if ((*top)->type != VAL_MAP)
		return reader_error_at(r, (*top)->at.from,
				       "the file holds %s, and must hold an object",
				       val_type_name((*top)->type));
	return NULL;
}

struct err *reader_json(struct reader *r, struct val **out)
{
	*out = NULL;
	return deps_reader_top(r, json_read(r->a, r->text, NULL, out), out);
}

struct err *reader_jsonc(struct reader *r, struct val **out)
{
	struct str raw = r->text;
	struct err *e;

	r->text = json_uncommented(r->a, raw);
	e = reader_json(r, out);
	r->text = raw;
	return e;
}

struct err *reader_toml(struct reader *r, struct val **out)
{
	*out = NULL;
	return deps_reader_top(r, toml_read(r->a, r->text, out), out);
}

struct err *reader_yaml(struct reader *r, struct val **out)
{
	*out = NULL;
	struct err *e = yaml_read(r->a, r->text, r->text, 0, out);

	if (!e && (*out)->type == VAL_NULL)
		*out = val_map(r->a);
	return deps_reader_top(r, e, out);
}

struct err *reader_xml(struct reader *r, const char *name, struct xml **out)
{
	struct err *e = xml_read(r->a, r->text, out);

	if (e)
		return wrap(r, e);
	if (str_ieq((*out)->name, str_of(name)))
		return NULL;
	return reader_error_at(r, (*out)->at.from, "the top element is '%.*s', and must be '%s'",
			       STR_ARG(str_sub((*out)->name, 0, 100)), name);
}

/* Properties can double at each level. */
#define EXPAND_TEXT_MAX   1024
#define EXPAND_STEPS_MAX  256
#define EXPAND_NESTED_MAX 32

struct reader_expansion {
	const char *open;
	char close;
	reader_variable_value_fn *value;
	void *ctx;
	struct buf text;
	unsigned steps, nested;
	struct str unknown;
};

static bool reader_expand_into(struct reader_expansion *x, struct str text)
{
	size_t i = 0, at;

	while ((at = str_find(text, str_of(x->open), i)) != SIZE_MAX) {
		size_t end = str_find_char(text, x->close, at);
		struct str value;
		bool works;

		if (end == SIZE_MAX)
			break;
		x->unknown = str_sub(text, at + strlen(x->open), end);
		if (++x->steps > EXPAND_STEPS_MAX || x->nested == EXPAND_NESTED_MAX ||
		    !x->value(x->ctx, x->unknown, &value))
			return false;
		buf_put(&x->text, str_sub(text, i, at));
		x->nested++;
		works = reader_expand_into(x, value);
		x->nested--;
		if (!works)
			return false;
		i = end + 1;
	}
	buf_put(&x->text, str_sub(text, i, text.n));
	return !x->text.cut;
}

bool reader_expand_variables(struct reader *r, struct str text, const char *open, char close,
			     reader_variable_value_fn *value, void *ctx, struct str *out,
			     struct str *unknown)
{
	struct reader_expansion x = {open, close, value, ctx,
				     .text = buf_with_max(r->a, EXPAND_TEXT_MAX)};

	*out = text;
	if (!str_holds(text, open))
		return true;
	if (!reader_expand_into(&x, text)) {
		*unknown = x.unknown;
		return false;
	}
	*out = str_trim(buf_as_str(&x.text));
	return true;
}

struct span reader_string_part_span(const struct reader *r, struct span at, struct str whole,
				    struct str part)
{
	struct str raw = str_sub(r->text, at.from, at.to);
	size_t i = 0;

	/* Usually none or one quote; TOML's long strings have three and a line end. */
	if (str_starts(str_sub(raw, 1, raw.n), whole))
		i = 1;
	else if (!str_starts(raw, whole))
		i = str_find(raw, whole, 0);
	if (!part.n || i == SIZE_MAX)
		return at;
	at.from += i + (size_t)(part.p - whole.p);
	at.to = at.from + part.n;
	return at;
}

struct span reader_key_span(const struct reader *r, const struct val *v)
{
	return reader_string_part_span(r, v->key_at, v->key, v->key);
}

struct span reader_val_span(const struct reader *r, const struct val *v)
{
	return reader_string_part_span(r, v->at, v->s, v->s);
}

struct span reader_part_span(const struct reader *r, const struct val *v, struct str part)
{
	return reader_string_part_span(r, v->at, v->s, part);
}

struct span reader_span_of_slice_or(const struct reader *r, struct str s, struct span at)
{
	if (s.p < r->text.p || s.p + s.n > r->text.p + r->text.n)
		return at;
	return (struct span){(size_t)(s.p - r->text.p), (size_t)(s.p - r->text.p) + s.n};
}

struct span reader_slice_span(const struct reader *r, struct str slice)
{
	return reader_span_of_slice_or(r, slice, (struct span){0});
}

bool reader_split_at(struct str s, char c, size_t from, struct str *head, struct str *tail)
{
	size_t at = str_find_char(s, c, from);

	*head = str_sub(s, 0, at);
	*tail = at == SIZE_MAX ? STR("") : str_sub(s, at + 1, s.n);
	return at != SIZE_MAX;
}

/* Takes the next word off *words. */
static bool reader_word(const char **words, struct str *word)
{
	*word = (struct str){*words, strcspn(*words, "|")};
	*words += word->n + ((*words)[word->n] == '|');
	return word->n > 0;
}

bool reader_is_any_of_words(struct str s, const char *words)
{
	/* Readers ask it of every token, and mostly the first byte tells. */
	for (struct str word; *words;) {
		size_t n = 0;

		while (n < s.n && words[n] && words[n] == s.p[n] && s.p[n] != '|')
			n++;
		if (n && n == s.n && (!words[n] || words[n] == '|'))
			return true;
		reader_word(&words, &word);
	}
	return false;
}

size_t reader_starts_with_any_of(struct str s, const char *words)
{
	for (struct str word; reader_word(&words, &word);)
		if (str_starts(s, word))
			return word.n;
	return 0;
}

size_t reader_suffix_word_length(struct str s, const char *words)
{
	for (struct str word; reader_word(&words, &word);)
		if (str_ends(s, word))
			return word.n;
	return 0;
}

struct str reader_skip_prefix(struct str s, const char *words)
{
	return str_sub(s, reader_starts_with_any_of(s, words), s.n);
}

struct str reader_until(struct str s, const char *ends)
{
	size_t n = 0;

	while (n < s.n && !(s.p[n] && strchr(ends, s.p[n])))
		n++;
	return str_sub(s, 0, n);
}

struct str reader_replace_chars(struct arena *a, struct str s, const char *of, char by)
{
	char *copy = str_c(a, s);

	for (size_t i = 0; i < s.n; i++)
		if (copy[i] && strchr(of, copy[i]))
			copy[i] = by;
	return (struct str){copy, s.n};
}

struct str reader_unquote(struct str s)
{
	bool quoted = s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[0] == s.p[s.n - 1];

	return quoted ? str_sub(s, 1, s.n - 1) : s;
}

struct err *reader_require_type(struct reader *r, const struct val *v, enum val_type type,
				const char *fmt, ...)
{
	struct buf b = buf_with_max(r->a, 256);

	if (v->type == type)
		return NULL;
	BUF_ARGS(&b, fmt);
	return reader_error_at(r, v->at.from, "%s is %s, and must be %s", buf_as_cstr(&b),
			       val_type_name(v->type), val_type_name(type));
}

struct err *reader_get_member(struct reader *r, const struct val *v, const char *in,
			      const char *key, enum val_type type, struct val **out)
{
	struct val *m = val_get(v, key);

	*out = NULL;
	if (!m || m->type == VAL_NULL)
		return NULL;
	TRY(reader_require_type(r, m, type, "%s%s%s", in, *in ? "." : "", key));
	*out = m;
	return NULL;
}

const struct val *reader_get_path(const struct val *v, const char *path)
{
	struct str rest = str_of(path), key;

	while (v && str_next_part(&rest, '.', &key))
		v = val_get_key(v, key);
	return v;
}

const struct val *reader_get_str(const struct val *v, const char *path)
{
	v = reader_get_path(v, path);
	return v && v->type == VAL_STR ? v : NULL;
}

bool reader_path_to_parent_folder(struct str *path)
{
	bool more = path->n > 0;

	*path = str_dir(*path);
	return more;
}

struct str reader_join_path(struct reader *r, struct str folder, const char *name)
{
	return str_fmt(r->a, "%.*s%s%s", STR_ARG(folder), folder.n ? "/" : "", name);
}

bool reader_resolve_path(struct reader *r, struct str to, struct str *path)
{
	struct str folder = r->path, part;
	struct strs parts = {0};

	to = reader_replace_chars(r->a, to, "\\", '/');
	if (str_starts(to, STR("/")) || (to.n > 1 && to.p[1] == ':') || str_has_nul(to))
		return false;
	reader_path_to_parent_folder(&folder);
	while (str_next_part(&folder, '/', &part))
		strs_push(r->a, &parts, part);
	while (str_next_part(&to, '/', &part)) {
		if (!part.n || str_is(part, "."))
			continue;
		if (!str_is(part, ".."))
			strs_push(r->a, &parts, part);
		else if (!parts.n)
			return false;
		else
			parts.n--;
	}
	*path = str_join(r->a, &parts, "/");
	return true;
}

struct err *reader_read_other_file(struct reader *r, struct str path, struct str *text, bool *found)
{
	*found = false;
	return r->files && path.n ? r->files->read(r->files->ctx, r->a, path, text, found) : NULL;
}

struct err *reader_has_file(struct reader *r, struct str path, bool *known, bool *found)
{
	*known = r->files;
	return reader_read_other_file(r, path, NULL, found);
}

static struct name *names_slot(const struct names *v, struct str name)
{
	size_t i = (size_t)str_hash(name) & (v->cap - 1);

	while (v->p[i].value && !str_eq(v->p[i].name, name))
		i = (i + 1) & (v->cap - 1);
	return &v->p[i];
}

void name_map_put(struct arena *a, struct names *v, struct str name, const void *value)
{
	struct names old = *v;
	struct name *slot;

	if (v->n >= v->cap / 2) {
		v->cap = old.cap ? old.cap * 2 : 16;
		v->p = arena_array(a, v->cap, sizeof(*v->p));
		for (size_t i = 0; i < old.cap; i++)
			if (old.p[i].value)
				*names_slot(v, old.p[i].name) = old.p[i];
	}
	slot = names_slot(v, name);
	v->n += !slot->value;
	*slot = (struct name){name, value};
}

const void *name_map_get(const struct names *v, struct str name)
{
	return v->cap ? names_slot(v, name)->value : NULL;
}

/* With fewer members, a linear search is faster than hashing. */
#define LOOKUP_FEW 16

const struct val *reader_find_map_member(struct reader *r, const struct val *map, struct str key)
{
	struct str where = {(const char *)&map, sizeof(map)};
	struct lookup {
		struct names names;
		size_t n; /* members of the map when it was read */
	} * l;

	if (!map || map->type != VAL_MAP || map->n < LOOKUP_FEW)
		return val_get_key(map, key);
	l = (void *)(uintptr_t)name_map_get(&r->lookup, where);
	if (!l || l->n != map->n) {
		l = ARENA_NEW(r->a, struct lookup);
		l->n = map->n;
		VAL_EACH(map, m)
			if (!name_map_get(&l->names, m->key))
				name_map_put(r->a, &l->names, m->key, m);
		name_map_put(r->a, &r->lookup, str_dup(r->a, where), l);
	}
	return name_map_get(&l->names, key);
}
