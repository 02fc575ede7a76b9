#include "base/build.h"
#include "conf/conf.h"
#include "conf/settings.h"
#include "json/json.h"
#include "os/os.h"

#define CONF_BYTES_MAX ((size_t)1 << 20)
#define SYSTEM_FILE    IKM_SYSCONFDIR "/ikigai/config.json"
#define USER_FILE      "config.json"

enum type { INT, STR, BOOL, STRS, OBJECTS };

/* The types of settings.h that say more than a type. */
#define WORD(...)                                                                                  \
	STR, .words = (const char *const[])                                                        \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}
#define WITHIN(least_, most_) INT, .least = (least_), .most = (most_)

static const struct setting {
	const char *key;
	enum type type;
	const char *const *words; /* NULL: any string */
	int64_t least, most;      /* most 0: no range */
	const char *def;
	bool repo;
	const char *help;
} settings[] = {
#define X(key_, type_, def_, repo_, help_)                                                         \
	{.key = key_, .type = type_, .def = def_, .repo = repo_, .help = help_},
	CONF_SETTINGS(X)
#undef X
};

#define SETTINGS ARRAY_SIZE(settings)

struct origin_value {
	struct val *value;
	enum conf_origin origin;
	struct str where;
};

struct conf {
	/* Of each setting, what each origin says; a list setting's parts add up. */
	struct {
		struct origin_value *p;
		size_t n, cap;
	} of[SETTINGS];
};

size_t conf_settings(void)
{
	return SETTINGS;
}

const char *conf_key(size_t i)
{
	return settings[i].key;
}

const char *conf_help(size_t i)
{
	return settings[i].help;
}

const char *conf_type(size_t i)
{
	static const char *const names[] = {"integer", "string", "boolean", "list", "object list"};

	return names[settings[i].type];
}

bool conf_repo_may(size_t i)
{
	return settings[i].repo;
}

const char *conf_origin_name(enum conf_origin o)
{
	static const char *const names[] = {"built in",   "system",      "user",
					    "repository", "environment", "command line"};

	return names[o];
}

static size_t setting_of(struct str key)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (str_is(key, settings[i].key))
			return i;
	return SIZE_MAX;
}

static bool conf_fits(enum type t, const struct val *v)
{
	int64_t n;

	switch (t) {
	case INT:
		return val_as_int(v, &n) && n >= 0;
	case STR:
		return v->type == VAL_STR;
	case BOOL:
		return v->type == VAL_BOOL;
	case STRS:
	case OBJECTS:
		if (v->type != VAL_LIST)
			return false;
		VAL_EACH(v, m)
			if (m->type != (t == STRS ? VAL_STR : VAL_MAP))
				return false;
		return true;
	}
	return false;
}

static struct str nearest_key(struct arena *a, struct str key)
{
	struct strs keys = {0};

	for (size_t i = 0; i < SETTINGS; i++)
		strs_push(a, &keys, str_of(settings[i].key));
	/* A group of settings too: "knowledge" of knowledge.sources. */
	for (size_t i = 0; i < SETTINGS; i++) {
		struct str group = str_of(settings[i].key);

		group.n = size_min(group.n, str_find_char(group, '.', 0));
		if (!strs_has(&keys, group))
			strs_push(a, &keys, group);
	}
	return str_nearest(key, &keys);
}

struct reading {
	struct arena *a;
	struct conf *conf;
	enum conf_origin origin;
	struct str where, text;
};

static struct err *conf_bad(struct reading *r, enum err_reason reason, const struct val *at,
			    const char *fmt, ...) PRINTF(4, 5);

static struct err *conf_bad(struct reading *r, enum err_reason reason, const struct val *at,
			    const char *fmt, ...)
{
	struct buf b = buf_in(r->a);
	struct place place = str_place(r->text, at ? at->at.from : 0);
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	if (!at || !r->text.n)
		return err_new(reason, "%.*s: %s", STR_ARG(r->where), buf_c(&b));
	e = err_new(reason, "%.*s, line %zu: %s", STR_ARG(r->where), place.line, buf_c(&b));
	err_detail(e, "file", r->where);
	return err_detail_int(e, "line", (int64_t)place.line);
}

/* "block, warn", or "0 to 9": what the setting's value may be beyond its type; empty: anything. */
static struct str setting_allowed(struct arena *a, const struct setting *s, const struct val *v)
{
	struct strs words = {0};
	int64_t n = 0;

	for (const char *const *w = s->words; w && *w; w++) {
		if (str_is(v->s, *w))
			return STR("");
		strs_push(a, &words, str_of(*w));
	}
	if (s->words)
		return str_join(a, &words, ", ");
	if (!s->most || (val_as_int(v, &n) && n >= s->least && n <= s->most))
		return STR("");
	return str_fmt(a, "%jd to %jd", (intmax_t)s->least, (intmax_t)s->most);
}

/* How a value of each type is written. */
static const char *const forms[] = {"a whole number from 0", "a string", "true or false",
				    "a list of strings, as [\"a\", \"b\"]",
				    "a list of objects, as [{\"path\": \"docs/adr\"}]"};

/* What the value is; of a list, what in it is not of the type. */
static struct str conf_misfit(struct arena *a, enum type t, const struct val *v)
{
	enum val_type member = t == STRS ? VAL_STR : VAL_MAP;

	if (v->type == VAL_LIST && (t == STRS || t == OBJECTS))
		VAL_EACH(v, m)
			if (m->type != member)
				return str_fmt(a, "a list with %s in it", val_type_name(m->type));
	return str_of(val_type_name(v->type));
}

static struct err *conf_put(struct reading *r, struct str key, struct val *v)
{
	size_t i = setting_of(key);
	struct origin_value *o;
	struct str allowed;

	if (i == SIZE_MAX) {
		struct str near = nearest_key(r->a, key);

		return err_help(conf_bad(r, E_BAD_CONFIG, v, "unknown setting '%.*s'%s%.*s%s",
					 STR_ARG(key), near.n ? "; did you mean '" : "",
					 STR_ARG(near), near.n ? "'?" : ""),
				"run 'ikm config list' for all settings");
	}
	if (r->origin == CONF_REPO && !settings[i].repo)
		return err_help(conf_bad(r, E_UNTRUSTED_CONFIG, v,
					 "a repository may not set '%.*s'", STR_ARG(key)),
				"set it in ~/.ikigai/config.json if you want it");
	if (!conf_fits(settings[i].type, v))
		return conf_bad(r, E_BAD_CONFIG, v, "'%.*s' must be %s, not %.*s", STR_ARG(key),
				forms[settings[i].type],
				STR_ARG(conf_misfit(r->a, settings[i].type, v)));
	allowed = setting_allowed(r->a, &settings[i], v);
	if (allowed.n)
		return conf_bad(r, E_BAD_CONFIG, v, "'%.*s' is '%.*s'; allowed: %.*s", STR_ARG(key),
				STR_ARG(v->s), STR_ARG(allowed));
	o = VEC_PUSH(r->a, &r->conf->of[i]);
	*o = (struct origin_value){v, r->origin, r->where};
	return NULL;
}

static bool is_group(struct str key)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (str_starts(str_of(settings[i].key), key) && settings[i].key[key.n] == '.')
			return true;
	return false;
}

/* {"check": {"minSeverity": …}}: objects are walked until a key of the table is complete. */
static struct err *conf_walk(struct reading *r, struct str at, const struct val *map)
{
	VAL_EACH(map, m) {
		struct str key =
			at.n ? str_fmt(r->a, "%.*s.%.*s", STR_ARG(at), STR_ARG(m->key)) : m->key;

		if (!at.n && str_is(key, "$schema"))
			continue;
		if (setting_of(key) == SIZE_MAX && m->type == VAL_MAP && (m->n || is_group(key)))
			TRY(conf_walk(r, key, m));
		else
			TRY(conf_put(r, key, m));
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
		return err_in(e, "%.*s", STR_ARG(r->where));
	if (v->type != VAL_MAP)
		return conf_bad(r, E_BAD_CONFIG, v, "must hold an object, not %s",
				val_type_name(v->type));
	return conf_walk(r, (struct str){"", 0}, v);
}

static struct err *read_file(struct arena *a, struct conf *c, enum conf_origin origin,
			     const char *path)
{
	struct reading r = {.a = a, .conf = c, .origin = origin, .where = str_of(path)};
	struct err *e = os_read(a, path, CONF_BYTES_MAX, &r.text);

	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	return e ? e : conf_read_text(&r);
}

/* What is typed or stands in the environment: JSON when it is JSON, a string when it is not. */
static struct val *typed(struct arena *a, size_t i, struct str text)
{
	struct val *v, *list;
	struct str part;
	struct err *e;

	if (settings[i].type == STR)
		return val_str(a, text);
	e = json_read(a, text, NULL, &v);
	if (!e && (v->type != VAL_STR || settings[i].type != STRS))
		return v;
	if (settings[i].type != STRS)
		return val_str(a, text);
	list = val_list(a);
	while (str_split(&text, ',', &part))
		val_add(list, val_str(a, part));
	return list;
}

/* Variables of ikm's that are no settings. */
static bool is_own_env(struct str name)
{
	static const char *const own[] = {"IKM_API_KEY",    "IKM_ASKED_BY_IKM", "IKM_DATABASE_URL",
					  "IKM_EMBED_KEY",  "IKM_FAULT",        "IKM_HOOKS",
					  "IKM_HOOK_PROBE", "IKM_IMPORT_LINES", "IKM_INDEX_BITS",
					  "IKM_KNOWLEDGE",  "IKM_NOW",          "IKM_TOKEN",
					  "IKM_WATCH_MS"};

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (str_is(name, own[i]))
			return true;
	return false;
}

static struct str env_name(struct arena *a, const char *key)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "IKM_");
	for (const char *s = key; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			buf_putc(&b, '_');
		buf_putc(&b, *s == '.' ? '_' : *s >= 'a' && *s <= 'z' ? (char)(*s & ~0x20) : *s);
	}
	return buf_str(&b);
}

/* A variable that looks like a setting but is none would be without effect, in silence. */
static struct err *check_env(struct arena *a)
{
	struct strs given = {0}, names = {0};

	os_env_names(a, "IKM_", &given);
	if (!given.n)
		return NULL;
	for (size_t i = 0; i < SETTINGS; i++)
		strs_push(a, &names, env_name(a, settings[i].key));
	for (size_t i = 0; i < given.n; i++) {
		struct str near = {0};

		if (!strs_has(&names, given.p[i]) && !is_own_env(given.p[i]))
			near = str_nearest(given.p[i], &names);
		if (near.n)
			return err_help(err_new(E_BAD_CONFIG,
						"the environment variable %.*s is no setting; did "
						"you mean '%.*s'?",
						STR_ARG(given.p[i]), STR_ARG(near)),
					"run 'ikm config list' for all settings");
	}
	return NULL;
}

static struct err *read_env(struct arena *a, struct conf *c)
{
	TRY(check_env(a));
	for (size_t i = 0; i < SETTINGS; i++) {
		struct str name = env_name(a, settings[i].key);
		const char *value = os_env(str_c(a, name));
		struct reading r = {.a = a, .conf = c, .origin = CONF_ENV, .where = name};

		if (value)
			TRY(conf_put(&r, str_of(settings[i].key), typed(a, i, str_of(value))));
	}
	return NULL;
}

static struct err *read_args(struct arena *a, struct conf *c, const struct strs *args)
{
	for (size_t i = 0; i < args->n; i++) {
		struct str arg = args->p[i];
		size_t eq = str_find_char(arg, '=', 0), s;
		struct str key = str_sub(arg, 0, eq), value = {"", 0};
		struct reading r = {.a = a,
				    .conf = c,
				    .origin = CONF_ARG,
				    .where = str_fmt(a, "-c %.*s", STR_ARG(key))};

		if (eq == SIZE_MAX)
			return err_new(E_BAD_ARGUMENT, "-c '%.*s' has no '='; write -c KEY=VALUE",
				       STR_ARG(arg));
		value = str_sub(arg, eq + 1, arg.n);
		s = setting_of(key);
		TRY(conf_put(&r, key, s == SIZE_MAX ? val_str(a, value) : typed(a, s, value)));
	}
	return NULL;
}

struct err *conf_load(struct arena *a, const struct conf_input *in, struct conf **out)
{
	struct conf *c = ARENA_NEW(a, struct conf);
	const char *home = in->no_user ? NULL : os_ikigai_home(a);

	for (size_t i = 0; i < SETTINGS; i++) {
		struct reading r = {
			.a = a, .conf = c, .origin = CONF_BUILT_IN, .where = STR("built in")};
		struct val *v;
		struct err *e = json_read(a, str_of(settings[i].def), NULL, &v);

		if (e || conf_put(&r, str_of(settings[i].key), v))
			BUG("the default of %s", settings[i].key);
	}
	if (!in->no_user)
		TRY(read_file(a, c, CONF_SYSTEM, SYSTEM_FILE));
	if (home)
		TRY(read_file(a, c, CONF_USER, os_join(a, home, USER_FILE)));
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

void conf_stamp(struct arena *a, struct os_stamps *s)
{
	const char *home = os_ikigai_home(a);

	os_stamp(a, s, SYSTEM_FILE, OS_STAMP_TEXT);
	if (home)
		os_stamp(a, s, os_join(a, home, USER_FILE), OS_STAMP_TEXT);
}

static const struct origin_value *winner(const struct conf *c, const char *key)
{
	size_t i = setting_of(str_of(key));

	if (i == SIZE_MAX)
		BUG("unknown setting '%s'", key);
	return &c->of[i].p[c->of[i].n - 1];
}

const struct val *conf_get(const struct conf *c, const char *key)
{
	return winner(c, key)->value;
}

struct str conf_str(const struct conf *c, const char *key)
{
	return winner(c, key)->value->s;
}

int64_t conf_int(const struct conf *c, const char *key)
{
	int64_t n = 0;

	if (!val_as_int(winner(c, key)->value, &n))
		BUG("'%s' is no integer", key);
	return n;
}

struct err *conf_int_within(const struct conf *c, const char *key, int64_t least, int64_t most,
			    int64_t *out)
{
	*out = conf_int(c, key);
	if (*out >= least && *out <= most)
		return NULL;
	return err_help(err_new(E_BAD_CONFIG, "the setting %s is %jd; allowed: %jd to %jd", key,
				(intmax_t)*out, (intmax_t)least, (intmax_t)most),
			"'ikm config list --show-origin' tells where it is from");
}

struct err *conf_id(const struct conf *c, const char *key, struct str *out)
{
	struct str id = *out = conf_str(c, key);
	const char *why = NULL;

	if (id.n > CONF_ID_MAX)
		why = "is longer than 256 bytes";
	else if (!str_is_utf8(id))
		why = "is not UTF-8";
	else if (id.n && !str_trim(id).n)
		why = "is blank";
	for (size_t i = 0; !why && i < id.n; i++)
		if ((unsigned char)id.p[i] < 0x20 || id.p[i] == 0x7f)
			why = "has a control character, such as a line feed";
	if (!why)
		return NULL;
	return err_help(err_new(E_BAD_CONFIG,
				"the setting %s %s; allowed: 1 to %d bytes of text in "
				"one line",
				key, why, CONF_ID_MAX),
			"'ikm config list --show-origin' tells where it is from");
}

bool conf_bool(const struct conf *c, const char *key)
{
	return winner(c, key)->value->b;
}

struct err *conf_find(struct arena *a, const struct conf *c, struct str key,
		      const struct val **value, enum conf_origin *origin, struct str *where)
{
	const struct origin_value *o;

	if (setting_of(key) == SIZE_MAX) {
		struct str near = nearest_key(a, key);

		return err_help(err_new(E_NO_SUCH_SETTING, "no such setting '%.*s'%s%.*s%s",
					STR_ARG(key), near.n ? "; did you mean '" : "",
					STR_ARG(near), near.n ? "'?" : ""),
				"run 'ikm config list' for all settings");
	}
	o = winner(c, str_c(a, key));
	*value = o->value;
	*origin = o->origin;
	*where = o->where;
	return NULL;
}

void conf_each(const struct conf *c, struct arena *a, const char *key, struct conf_parts *out)
{
	size_t i = setting_of(str_of(key));

	if (i == SIZE_MAX || settings[i].type < STRS)
		BUG("'%s' is no list setting", key);
	for (size_t k = 0; k < c->of[i].n; k++)
		VAL_EACH(c->of[i].p[k].value, m)
			*VEC_PUSH(a, out) =
				(struct conf_part){m, c->of[i].p[k].origin, c->of[i].p[k].where};
}
