#include "base/build.h"
#include "conf/internal.h"
#include "json/json.h"
#include "os/os.h"

#define SYSTEM_FILE   IKM_SYSCONFDIR "/ikigai/config.json"
#define USER_FILE     "config.json"
#define GARDEN_FOLDER "garden"
#define SHOWN_MAX     64 /* bytes of a value in a message */

/* Short forms for the members of a row. */
#define REPO                      .repo = true
#define LINE(most)                .max = (most)
#define NAME(most)                .min = 1, .max = (most)
#define FOLDER(most)              .max = (most), .folder = true
#define RANGE(least, most, unit_) .min = (least), .max = (most), .unit = (unit_)
#define RECENCY                   RANGE(1, 36500, "days")
#define WORDS(list)                                                                                \
	.choices = (const char *const[])                                                           \
	{                                                                                          \
		list(ENUM_NAME, ) NULL                                                             \
	}
#define BLOCK_OR_WARN WORDS(CONF_SEVERITIES), .min = 1

/* clang-format off */
#define TYPE_OF(member)                                                                            \
	_Generic(((struct conf *)0)->member, int64_t: CONF_INT, bool: CONF_BOOL,                   \
		unsigned: CONF_CHOICE, struct str: CONF_STR, struct strs: CONF_STRS,               \
		struct conf_parts: CONF_PARTS)
/* clang-format on */

const struct conf_setting conf_settings[CONF_SETTINGS] = {
#define SETTING(member, ctype, key_, def_, ...)                                                    \
	{.key = key_,                                                                              \
	 .def = def_,                                                                              \
	 .env = #member,                                                                           \
	 .type = TYPE_OF(member),                                                                  \
	 .offset = offsetof(struct conf, member),                                                  \
	 __VA_ARGS__},
#include "conf/settings.h"
#undef SETTING
};

const char *conf_type_name(const struct conf_setting *s)
{
	static const char *const names[] = {"integer", "boolean", "string",
					    "string",  "list",    "list"};

	return s->objects ? "object list" : names[s->type];
}

const char *conf_origin_name(enum conf_origin o)
{
	static const char *const names[] = {"built in",   "system",      "user",
					    "repository", "environment", "command line"};

	return names[o];
}

/* NULL: no row has the key. */
static const struct conf_setting *conf_row_find(struct str key)
{
	for (size_t i = 0; i < CONF_SETTINGS; i++)
		if (str_is(key, conf_settings[i].key))
			return &conf_settings[i];
	return NULL;
}

/* Returns "; did you mean 'check.minSeverity'?", or the empty string. */
static struct str conf_meant(struct arena *a, struct str key)
{
	size_t dot = str_find_char(key, '.', 0);
	struct strs keys = {0}, groups = {0}, leaves = {0};
	struct str near;

	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		struct str one = str_of(conf_settings[i].key);
		struct str group = str_sub(one, 0, str_find_char(one, '.', 0));

		if (str_eq(key, group))
			return str_fmt(a, "; it is a group of settings, such as '%s'",
				       conf_settings[i].key);
		strs_push(a, &keys, one);
		if (!strs_has(&groups, group))
			strs_push(a, &groups, group);
		if (dot != SIZE_MAX && str_eq(group, str_sub(key, 0, dot)))
			strs_push(a, &leaves, str_sub(one, dot + 1, one.n));
	}
	/* Within a group its name makes all of them alike. */
	near = leaves.n ? str_nearest(str_sub(key, dot + 1, key.n), &leaves) : STR("");
	if (near.n)
		near = str_fmt(a, "%.*s.%.*s", STR_ARG(str_sub(key, 0, dot)), STR_ARG(near));
	if (!leaves.n)
		strs_add_all(a, &keys, &groups);
	return str_did_you_mean(a, leaves.n ? near : str_nearest(key, &keys));
}

/* ---- allowed values ---- */

const char *const *conf_choices(const struct conf_setting *s)
{
	return s->choices ? s->choices + s->min : NULL;
}

int conf_choice_index(const struct conf_setting *s, const struct val *v)
{
	for (int i = (int)s->min; v->type == VAL_STR && s->choices[i]; i++)
		if (str_ieq(v->s, str_of(s->choices[i])))
			return i;
	return -1;
}

/* Rejects blank text, because a blank id looks like a missing id. */
static bool conf_is_line(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return str_is_utf8(s) && (!s.n || str_trim(s).n);
}

/* "." or "docs/adr": neither absolute nor led out by "..", and empty for none. */
static bool conf_is_folder(struct str s)
{
	struct str part;

	if (!s.n || str_is(s, "."))
		return true;
	if (str_ends(s, STR("/")))
		return false;
	while (str_next_part(&s, '/', &part))
		if (!part.n || str_is(part, ".") || str_is(part, "..") ||
		    str_ieq(part, STR(".git")))
			return false;
	return true;
}

static bool conf_allows_member(const struct conf_setting *s, const struct val *v)
{
	return s->choices ? conf_choice_index(s, v) >= 0
			  : v->type == (s->objects ? VAL_MAP : VAL_STR);
}

bool conf_setting_allows_value(const struct conf_setting *s, const struct val *v)
{
	int64_t n;

	switch (s->type) {
	case CONF_INT: return val_as_int(v, &n) && n >= s->min && n <= s->max;
	case CONF_BOOL: return v->type == VAL_BOOL;
	case CONF_CHOICE: return conf_choice_index(s, v) >= 0;
	case CONF_STR:
		return v->type == VAL_STR && v->s.n >= (uint64_t)s->min &&
		       v->s.n <= (uint64_t)s->max && conf_is_line(v->s) &&
		       (!s->folder || conf_is_folder(v->s));
	case CONF_STRS:
	case CONF_PARTS:
		VAL_EACH(v, m)
			if (!conf_allows_member(s, m))
				return false;
		return v->type == VAL_LIST;
	}
	return false;
}

struct str conf_allowed_values_text(struct arena *a, const struct conf_setting *s)
{
	struct strs words = {0};

	for (const char *const *w = conf_choices(s); w && *w; w++)
		strs_push(a, &words, str_of(*w));
	switch (s->type) {
	case CONF_INT:
		return str_fmt(a, "a whole number, %jd to %jd %s", (intmax_t)s->min,
			       (intmax_t)s->max, s->unit);
	case CONF_BOOL: return STR("true or false");
	case CONF_CHOICE: return str_join(a, &words, ", ");
	case CONF_STR:
		if (s->folder)
			return STR(
				"a folder of the repository, such as docs/people, or '.' for its top");
		return str_fmt(a, "one line of text, not blank, %s%jd bytes",
			       s->min ? "1 to " : "at most ", (intmax_t)s->max);
	case CONF_STRS:
	case CONF_PARTS: break;
	}
	if (words.n)
		return str_fmt(a, "a list of these words: %.*s",
			       STR_ARG(str_join(a, &words, ", ")));
	return s->objects ? STR("a list of objects, such as [{\"path\": \"docs/adr\"}]")
			  : STR("a list of strings, such as [\"a\", \"b\"]");
}

struct str conf_shown(struct arena *a, const struct conf_setting *s, const struct val *v)
{
	struct str head = str_utf8_head(v->s, SHOWN_MAX);
	const char *more = head.n < v->s.n ? "..." : "";

	if (v->type == VAL_LIST && s->type >= CONF_STRS)
		VAL_EACH(v, m)
			if (!conf_allows_member(s, m))
				return str_fmt(a, "a list with %.*s in it",
					       STR_ARG(conf_shown(a, s, m)));
	if (v->type == VAL_STR && s->server && conf_server_check_url(v->s) == CONF_SERVER_SECRET)
		return STR("a text with a password");
	if (v->type == VAL_STR)
		return str_fmt(a, "'%.*s'%s", STR_ARG(head), more);
	if (v->type == VAL_NUM)
		return str_fmt(a, "%.*s%s", STR_ARG(head), more);
	return str_of(v->type == VAL_BOOL ? v->b ? "true" : "false" : val_type_name(v->type));
}

/* ---- reading ---- */

struct reading {
	struct arena *a;
	struct conf *conf;
	enum conf_origin origin;
	struct str where, text;
};

static PRINTF(4, 5) struct err *conf_bad(struct reading *r, enum err_reason reason,
					 const struct val *at, const char *fmt, ...)
{
	struct buf b = buf_in(r->a);
	struct place place = str_place_of_offset(r->text, at ? at->at.from : 0);
	struct err *e;

	BUF_ARGS(&b, fmt);
	if (!at || !r->text.n)
		return err_new(reason, "%.*s: %s", STR_ARG(r->where), buf_as_cstr(&b));
	e = err_new(reason, "%.*s, line %zu: %s", STR_ARG(r->where), place.line, buf_as_cstr(&b));
	err_add_detail(e, "file", r->where);
	return err_detail_int(e, "line", (int64_t)place.line);
}

static struct err *conf_put(struct reading *r, const struct conf_setting *s, const struct val *v)
{
	struct err *e;
	void *at;

	if (r->origin == CONF_REPO && !s->repo)
		return err_help(
			conf_bad(r, E_UNTRUSTED_CONFIG, v, "a repository may not set '%s'", s->key),
			"take it out there; you can set it for yourself in ~/.ikigai/config.json");
	/* ikm knows no user before it asks the system, so the default of a name may be empty. */
	if (!conf_setting_allows_value(s, v) && (r->origin != CONF_BUILT_IN || *s->def)) {
		e = conf_bad(r, E_BAD_CONFIG, v, "'%s' is %.*s; allowed: %.*s", s->key,
			     STR_ARG(conf_shown(r->a, s, v)),
			     STR_ARG(conf_allowed_values_text(r->a, s)));
		err_add_detail(e, "setting", str_of(s->key));
		return err_help(e, "correct it there, or leave it out%s%s",
				*s->def ? ": the default is " : "", s->def);
	}
	*VEC_PUSH(r->a, &r->conf->said[s - conf_settings]) =
		(struct conf_part){v, r->origin, r->where};
	at = (char *)r->conf + s->offset;
	switch (s->type) {
	case CONF_INT: val_as_int(v, at); break;
	case CONF_BOOL: *(bool *)at = v->b; break;
	case CONF_CHOICE: *(unsigned *)at = (unsigned)conf_choice_index(s, v); break;
	case CONF_STR: *(struct str *)at = v->s; break;
	case CONF_STRS:
		*(struct strs *)at = (struct strs){0};
		VAL_EACH(v, m)
			strs_push(r->a, at, m->s);
		break;
	case CONF_PARTS:
		VAL_EACH(v, m)
			*VEC_PUSH(r->a, (struct conf_parts *)at) =
				(struct conf_part){m, r->origin, r->where};
	}
	return NULL;
}

static struct err *conf_put_key(struct reading *r, struct str key, const struct val *v)
{
	const struct conf_setting *s = conf_row_find(key);

	struct err *e;

	if (s)
		return conf_put(r, s, v);
	e = conf_bad(r, E_BAD_CONFIG, v, "unknown setting '%.*s'%.*s", STR_ARG(key),
		     STR_ARG(conf_meant(r->a, key)));
	/* Nearly every command reads the file first, 'ikm config list' too. */
	return r->origin == CONF_USER || r->origin == CONF_REPO
		       ? err_help(e, "correct its name, or remove it: ikm config unset %s%.*s",
				  r->origin == CONF_REPO ? "--repo " : "", STR_ARG(key))
		       : err_help(e, "'ikm config list' lists all settings");
}

/*
 * Reads nested objects like {"check": {"minSeverity": …}}. It descends until the path of names is a
 * key of the table.
 */
static struct err *conf_walk(struct reading *r, struct str at, const struct val *map)
{
	VAL_EACH(map, m) {
		struct str key =
			at.n ? str_fmt(r->a, "%.*s.%.*s", STR_ARG(at), STR_ARG(m->key)) : m->key;

		if (!at.n && str_is(key, "$schema"))
			continue;
		if (!conf_row_find(key) && m->type == VAL_MAP && (m->n || conf_is_group(key)))
			TRY(conf_walk(r, key, m));
		else
			TRY(conf_put_key(r, key, m));
	}
	return NULL;
}

static struct err *conf_read_text(struct reading *r)
{
	struct json_limits limits = {.bytes = CONF_BYTES_MAX};
	struct val *v;
	struct err *e;

	if (str_starts(r->text, STR("\xef\xbb\xbf")))
		r->text = str_sub(r->text, 3, r->text.n);
	e = json_read(r->a, r->text, &limits, &v);
	if (e)
		return err_add_context(e, "%.*s", STR_ARG(r->where));
	if (v->type != VAL_MAP)
		return conf_bad(r, E_BAD_CONFIG, v, "must hold an object, not %s",
				val_type_name(v->type));
	return conf_walk(r, (struct str){"", 0}, v);
}

static struct err *read_file(struct arena *a, struct conf *c, enum conf_origin origin,
			     const char *path)
{
	struct reading r = {.a = a, .conf = c, .origin = origin, .where = str_of(path)};
	struct err *e = os_read_path(a, path, CONF_BYTES_MAX, &r.text);

	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	TRY(e);
	e = conf_read_text(&r);
	return e && !err_has_help(e)
		       ? err_help(e, "correct it there, or do without it: mv '%s' '%s.old'", path,
				  path)
		       : e;
}

struct val *conf_typed(struct arena *a, const struct conf_setting *s, struct str text)
{
	bool strings = s->type >= CONF_STRS && !s->objects;
	struct val *v, *list;
	struct str part;

	if (s->type == CONF_STR || s->type == CONF_CHOICE)
		return val_str(a, text);
	if (!json_read(a, text, NULL, &v) && (v->type != VAL_STR || !strings))
		return v;
	if (!strings)
		return val_str(a, text);
	list = val_list(a);
	while (str_next_part(&text, ',', &part))
		val_add(list, val_str(a, part));
	return list;
}

/* Variables of ikm that are not settings. */
static const char *const own_env[] = {
	"IKM_API_KEY",      "IKM_ASKED_BY_IKM", "IKM_DATABASE_URL", "IKM_EMBED_KEY",
	"IKM_FAULT",        "IKM_HOOKS",        "IKM_HOOK_PROBE",   "IKM_PAGER",
	"IKM_IMPORT_LINES", "IKM_INDEX_BITS",   "IKM_KNOWLEDGE",    "IKM_NOW",
	"IKM_RUN_BY_IKM",   "IKM_TOKEN",        "IKM_WATCH_MS",     NULL};

/* Whether the name, which begins with IKM_, is the setting's. Every call asks for each pair. */
static bool env_is(struct str name, const struct conf_setting *s)
{
	const char *env = s->env;

	for (size_t i = strlen("IKM_"); i < name.n; i++)
		if (name.p[i] != ascii_upper(*env++))
			return false;
	return !*env;
}

/* The setting of the name's variable, or NULL. */
static const struct conf_setting *env_setting(struct str name)
{
	for (size_t i = 0; i < CONF_SETTINGS; i++)
		if (env_is(name, &conf_settings[i]))
			return &conf_settings[i];
	return NULL;
}

static struct err *read_env(struct arena *a, struct conf *c)
{
	struct strs given = {0}, names = {0};

	os_env_names(a, "IKM_", &given);
	/* An error for a variable that looks like a setting. Otherwise it would silently have no
	 * effect. */
	for (size_t i = 0; i < given.n; i++) {
		struct str near;

		if (env_setting(given.p[i]) || str_is_any(given.p[i], own_env))
			continue;
		for (size_t k = 0; names.n < CONF_SETTINGS; k++)
			strs_push(a, &names,
				  str_upper(a, str_fmt(a, "IKM_%s", conf_settings[k].env)));
		near = str_nearest(given.p[i], &names);
		if (near.n)
			return err_help(
				err_new(E_BAD_CONFIG,
					"the environment variable '%.*s' is not a setting; did "
					"you mean '%.*s'?",
					STR_ARG(given.p[i]), STR_ARG(near)),
				"'ikm config list' lists all settings");
	}
	for (size_t i = 0; i < given.n; i++) {
		const struct conf_setting *s = env_setting(given.p[i]);
		const char *value = s ? os_env(given.p[i].p) : NULL;
		struct reading r = {.a = a, .conf = c, .origin = CONF_ENV, .where = given.p[i]};

		if (value)
			TRY(conf_put(&r, s, conf_typed(a, s, str_of(value))));
	}
	return NULL;
}

static struct err *read_args(struct arena *a, struct conf *c, const struct strs *args)
{
	for (size_t i = 0; i < args->n; i++) {
		struct str arg = args->p[i];
		size_t eq = str_find_char(arg, '=', 0);
		struct str key = str_sub(arg, 0, eq), value;
		const struct conf_setting *s = conf_row_find(key);
		struct reading r = {.a = a,
				    .conf = c,
				    .origin = CONF_ARG,
				    .where = str_fmt(a, "-c %.*s", STR_ARG(key))};

		if (eq == SIZE_MAX)
			return err_help(
				err_new(E_BAD_ARGUMENT, "-c '%.*s' has no '='", STR_ARG(arg)),
				"write -c KEY=VALUE");
		value = str_sub(arg, eq + 1, arg.n);
		TRY(conf_put_key(&r, key, s ? conf_typed(a, s, value) : val_str(a, value)));
	}
	return NULL;
}

static struct conf *conf_new(struct arena *a)
{
	struct conf *c = ARENA_NEW(a, struct conf);

	c->said = arena_array(a, CONF_SETTINGS, sizeof(*c->said));
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		struct reading r = {
			.a = a, .conf = c, .origin = CONF_BUILT_IN, .where = STR("built in")};

		if (conf_put(&r, s, conf_typed(a, s, str_of(s->def))))
			BUG("the default of %s", s->key);
	}
	return c;
}

struct err *conf_check_override_args(struct arena *a, const struct strs *args)
{
	return args->n ? read_args(a, conf_new(a), args) : NULL;
}

struct err *conf_load(struct arena *a, const struct conf_input *in, struct conf **out)
{
	struct conf *c = conf_new(a);
	const char *user = in->no_user ? NULL : conf_user_path(a);

	if (!in->no_user)
		TRY(read_file(a, c, CONF_SYSTEM, SYSTEM_FILE));
	if (user)
		TRY(read_file(a, c, CONF_USER, user));
	if (in->repo_text.p) {
		struct reading r = {.a = a,
				    .conf = c,
				    .origin = CONF_REPO,
				    .where = in->repo_name,
				    .text = in->repo_text};

		TRY(conf_read_text(&r));
	}
	if (!in->no_user) {
		TRY(read_env(a, c));
		TRY(read_args(a, c, &in->args));
	}
	*out = c;
	return NULL;
}

const char *conf_user_path(struct arena *a)
{
	const char *home = os_ikigai_home(a);

	return home ? os_join(a, home, USER_FILE) : NULL;
}

const char *conf_garden_folder(struct arena *a, const struct conf *c)
{
	const char *home = os_ikigai_home(a), *set = str_c(a, c->garden_path);

	if (*set == '/')
		return set;
	if (!strncmp(set, "~/", 2))
		return os_home() ? os_join(a, os_home(), set + 2) : NULL;
	return home ? os_join(a, home, *set ? set : GARDEN_FOLDER) : NULL;
}

void conf_stamp(struct arena *a, struct os_stamps *s)
{
	const char *user = conf_user_path(a);

	os_stamps_add(a, s, SYSTEM_FILE, OS_STAMP_TEXT);
	if (user)
		os_stamps_add(a, s, user, OS_STAMP_TEXT);
}

/* ---- the rows ---- */

struct err *conf_find(struct arena *a, struct str key, const struct conf_setting **out)
{
	*out = conf_row_find(key);
	if (*out)
		return NULL;
	return err_help(err_new(E_NO_SUCH_SETTING, "no such setting '%.*s'%.*s", STR_ARG(key),
				STR_ARG(conf_meant(a, key))),
			"'ikm config list' lists all settings");
}

const struct conf_part *conf_highest_value(const struct conf *c, const struct conf_setting *s)
{
	const struct conf_parts *said = &c->said[s - conf_settings];

	return &said->p[said->n - 1];
}

void conf_value_parts(const struct conf *c, struct arena *a, const struct conf_setting *s,
		      struct conf_parts *out)
{
	const struct conf_part *last = conf_highest_value(c, s);

	*out = (struct conf_parts){0};
	if (s->type == CONF_PARTS)
		*out = *(const struct conf_parts *)((const char *)c + s->offset);
	else if (s->type == CONF_STRS)
		VAL_EACH(last->value, m)
			*VEC_PUSH(a, out) = (struct conf_part){m, last->origin, last->where};
	else
		*VEC_PUSH(a, out) = *last;
}

const struct val *conf_value(const struct conf *c, struct arena *a, const struct conf_setting *s)
{
	struct conf_parts parts;
	struct val *list;

	if (s->type != CONF_PARTS)
		return conf_highest_value(c, s)->value;
	conf_value_parts(c, a, s, &parts);
	list = val_list(a);
	for (size_t i = 0; i < parts.n; i++)
		val_add(list, val_copy_shallow(a, parts.p[i].value));
	return list;
}

bool conf_is_on(const struct conf *c, const struct conf_setting *s)
{
	if (s->type != CONF_BOOL)
		BUG("'%s' is not a boolean", s->key);
	return *(const bool *)((const char *)c + s->offset);
}
