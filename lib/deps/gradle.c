#include "deps/program.h"
#include "toml/toml.h"

/*
 * Gradle: builds in Groovy and Kotlin. ikm reads literal declarations in blocks "dependencies" and
 * "plugins", and takes a literal "group:artifact:version" for a package wherever it stands. Any
 * other declaration is unresolved.
 */

#define GRADLE_COMPUTED   "a program computes the name"
#define GRADLE_NESTED     "it is nested too deeply"
#define GRADLE_NESTED_MAX 64

/* A version catalog that builds refer to: libs.a.b. Names have dots for - and _. */
struct gradle_catalog {
	struct str name;
	struct val *libraries, *bundles, *plugins;
	bool more; /* a part of it comes from where ikm does not look */
};

struct gradle {
	struct reader *r;
	struct tokens v;
	bool *listed; /* strings that the list has already */
	struct {
		struct gradle_catalog *p;
		size_t n, cap;
	} catalogs;
	bool looked;
	unsigned nested;
};

/* ---- coordinates ---- */

/* "group:artifact", with or without ":version[:classifier][@type]". */
static bool gradle_split(struct str s, struct str *name, struct str *artifact, struct str *version)
{
	size_t one = str_find_char(s, ':', 0), two;

	*version = STR("");
	if (one == SIZE_MAX || !one || one + 1 == s.n)
		return false;
	two = str_find_char(s, ':', one + 1);
	if (two == SIZE_MAX)
		two = str_find_char(s, '@', one + 1);
	*name = str_sub(s, 0, two);
	*artifact = str_sub(s, one + 1, two);
	if (two != SIZE_MAX && s.p[two] == ':')
		*version = str_sub(
			s, two + 1,
			size_min(str_find_char(s, ':', two + 1), str_find_char(s, '@', two + 1)));
	if (str_ends(*version, STR("!!")))
		version->n -= 2; /* Gradle's short form of "strictly" */
	if (!artifact->n || version->n > 200)
		return false;
	for (size_t i = 0; i < name->n; i++)
		if (!ascii_is_alnum(name->p[i]) && !strchr(".-_:", name->p[i]))
			return false;
	return true;
}

static struct dep *gradle_add(struct gradle *g, struct str name, struct span at)
{
	struct dep *d = reader_add(g->r, name, at);

	d->reach = DEPS_DIRECT;
	return d;
}

/* A literal with a computed version names its package too: "g:a:$v". */
static bool gradle_coordinates(struct gradle *g, size_t i)
{
	const struct token *t = &g->v.p[i];
	struct str s = t->s, name, artifact, version;
	struct dep *d;

	if (!t->plain) {
		size_t two = str_find_char(s, ':', str_find_char(s, ':', 0) + 1);

		if (two == SIZE_MAX || two > str_find_char(s, '$', 0) ||
		    str_find_char(str_sub(g->r->text, t->at.from, t->at.to), '\\', 0) != SIZE_MAX)
			return false;
		s = str_sub(s, 0, two);
	}
	if (!gradle_split(s, &name, &artifact, &version))
		return false;
	if (!g->listed[i]) {
		d = gradle_add(g, name, (struct span){t->at.from, t->at.from + name.n});
		if (!str_eq(str_sub(g->r->text, d->at.from, d->at.to), name))
			d->at = token_at(t);
		d->version = version;
	}
	g->listed[i] = true;
	return true;
}

/* The tokens [i, end) are unresolved. */
static void gradle_unknown(struct gradle *g, size_t i, size_t end, const char *why)
{
	reader_unresolved(g->r, program_source(g->r, &g->v, i, end), token_at(&g->v.p[i]), "%s",
			  why);
}

/*
 * ---- version catalogs ----
 *
 * *.versions.toml, the catalogs that settings.gradle declares, and the references of builds to
 * them. The catalog "libs" is gradle/libs.versions.toml beside it.
 */

#define CATALOG_COMPUTED "a program computes the catalog"
#define CATALOGS_MAX     64

/* ---- tables ---- */

static void catalog_put(struct arena *a, struct val *table, struct str alias, struct val *v)
{
	char *name = str_c(a, alias);

	/* Gradle reads "-" and "_" of an alias as dots. */
	for (size_t i = 0; i < alias.n; i++)
		if (name[i] == '-' || name[i] == '_')
			name[i] = '.';
	val_set_key(table, (struct str){name, alias.n}, v);
}

static void catalog_copy(struct arena *a, struct val *table, const struct val *from)
{
	VAL_EACH(from, v)
		catalog_put(a, table, v->key, val_copy(a, v));
}

static struct gradle_catalog *catalog_get(struct gradle *g, struct str name)
{
	for (size_t i = 0; i < g->catalogs.n; i++)
		if (str_eq(g->catalogs.p[i].name, name))
			return &g->catalogs.p[i];
	return NULL;
}

/* NULL: there are too many. */
static struct gradle_catalog *catalog_new(struct gradle *g, struct str name)
{
	struct gradle_catalog *c = catalog_get(g, name);

	if (c)
		return c;
	if (g->catalogs.n == CATALOGS_MAX)
		return NULL;
	c = VEC_PUSH(g->r->a, &g->catalogs);
	*c = (struct gradle_catalog){.name = name,
				     .libraries = val_map(g->r->a),
				     .bundles = val_map(g->r->a),
				     .plugins = val_map(g->r->a)};
	return c;
}

/* The file of a catalog. *found is false for a file that is missing or does not parse. */
static struct err *catalog_file(struct gradle *g, struct gradle_catalog *c, struct str path,
				bool *found)
{
	struct str text;
	struct val *top;

	TRY(reader_file(g->r, path, &text, found));
	*found = *found && !toml_read(g->r->a, text, &top);
	if (!*found)
		return NULL;
	catalog_copy(g->r->a, c->libraries, val_get(top, "libraries"));
	catalog_copy(g->r->a, c->bundles, val_get(top, "bundles"));
	catalog_copy(g->r->a, c->plugins, val_get(top, "plugins"));
	return NULL;
}

/* ---- settings.gradle ---- */

/* The literals of WORD("a", "b", …) at i, or of WORD "a", "b"; returns how many. */
static size_t catalog_literals(const struct tokens *v, size_t i, const struct token **out,
			       size_t max)
{
	bool open = token_is(&v->p[i + 1], "(");
	size_t n = 0;

	for (i += 1 + open; n < max && token_is_literal(&v->p[i]); i += 2) {
		out[n++] = &v->p[i];
		if (!token_is(&v->p[i + 1], ","))
			return open && !token_is(&v->p[i + 1], ")") ? 0 : n;
	}
	return 0;
}

/* The literal of library(…).version("1"), with `library` at i. */
static struct str catalog_chained(const struct tokens *v, size_t i)
{
	size_t at = v->p[i + 1].close;

	return at && at + 3 < v->n && token_is(&v->p[at], ".") &&
			       token_is(&v->p[at + 1], "version") && token_is(&v->p[at + 2], "(") &&
			       v->p[at + 3].type == TOKEN_STRING && v->p[at + 3].plain
		       ? v->p[at + 3].s
		       : STR("");
}

/* library("alias", "group:artifact:version"), library("alias", "group", "artifact") */
static void catalog_library(struct gradle *g, struct gradle_catalog *c, size_t i, bool list)
{
	const struct token *t[3];
	struct arena *a = g->r->a;
	size_t n = catalog_literals(&g->v, i, t, 3);
	struct str name = {"", 0}, artifact, version;

	if (n == 3)
		name = str_fmt(a, "%.*s:%.*s", STR_ARG(t[1]->s), STR_ARG(t[2]->s));
	else if (n != 2 || !gradle_split(t[1]->s, &name, &artifact, &version))
		n = 0;
	if (!n && list)
		gradle_unknown(g, i, program_near_end(&g->v, i), CATALOG_COMPUTED);
	/* A text with a version is listed wherever it stands. */
	if (n == 3 && list)
		gradle_add(g, name, token_at(t[2]))->version = catalog_chained(&g->v, i);
	if (n)
		catalog_put(a, c->libraries, t[0]->s, val_str(a, name));
	else
		c->more = true;
}

/* plugin("alias", "id") */
static void catalog_plugin(struct gradle *g, struct gradle_catalog *c, size_t i, bool list)
{
	const struct token *t[2];

	if (catalog_literals(&g->v, i, t, 2) != 2) {
		if (list)
			gradle_unknown(g, i, program_near_end(&g->v, i), CATALOG_COMPUTED);
		c->more = true;
		return;
	}
	if (list)
		gradle_add(g, t[1]->s, token_at(t[1]));
	catalog_put(g->r->a, c->plugins, t[0]->s, val_str(g->r->a, t[1]->s));
}

/* from(files("x.versions.toml")); any other source is not read. */
static struct err *catalog_from(struct gradle *g, struct gradle_catalog *c, size_t i, bool list)
{
	size_t at = i + 1 + token_is(&g->v.p[i + 1], "(");
	bool files = token_is(&g->v.p[at], "files"), found = false;
	const struct token *file;
	struct str path;

	if (files && catalog_literals(&g->v, at, &file, 1) && reader_beside(g->r, file->s, &path)) {
		bool known, there;

		if (!list) {
			TRY(catalog_file(g, c, path, &found));
		} else {
			/* ikm reads the file as a manifest of its own. */
			TRY(reader_has(g->r, path, &known, &there));
			found = deps_is_manifest(path) && (!known || there);
		}
	}
	if (!found && list)
		gradle_unknown(g, i, program_near_end(&g->v, i),
			       files ? "it is no file of the repository that ikm reads as a "
				       "version catalog"
				     : "the catalog is in no file of the repository");
	c->more |= !found;
	return NULL;
}

/* The block of one catalog, whose bracket is at i, up to the end of its statement. */
static struct err *catalog_block(struct gradle *g, struct gradle_catalog *c, size_t i, size_t end,
				 bool list)
{
	unsigned depth = g->v.p[i].depth + 1;

	end = size_min(program_close(&g->v, i), end);
	for (i++; i + 2 < end; i++) {
		const struct token *t = &g->v.p[i];

		if (t->depth != depth || t->type != TOKEN_WORD || token_is(&g->v.p[i - 1], "."))
			continue;
		if (token_is(t, "from"))
			TRY(catalog_from(g, c, i, list));
		else if (token_is(t, "library"))
			catalog_library(g, c, i, list);
		else if (token_is(t, "plugin"))
			catalog_plugin(g, c, i, list);
		else if (token_is(t, "bundle") && g->v.p[i + 2].type == TOKEN_STRING)
			catalog_put(g->r->a, c->bundles, g->v.p[i + 2].s, val_null(g->r->a));
	}
	return NULL;
}

/*
 * The name of the catalog that the statement at i declares, and the bracket of its block:
 * create("x") {, x {, val x by creating {. Returns 0 when a program computes it.
 */
static size_t catalog_declared(const struct tokens *v, size_t i, struct str *name)
{
	static const char *const verbs[] = {"create", "register", "maybeCreate", "named",
					    "getByName"};
	const struct token *t = &v->p[i], *literal;
	bool verb = false;

	for (size_t k = 0; k < ARRAY_SIZE(verbs); k++)
		verb |= token_is(t, verbs[k]);
	if (verb && catalog_literals(v, i, &literal, 1)) {
		*name = literal->s;
		i = token_is(t + 1, "(") ? t[1].close : i + 2;
		return i && token_is(&v->p[i], "{") ? i : 0;
	}
	if (token_is(t, "val") && i + 4 < v->n && token_is(t + 2, "by") && token_is(t + 4, "{")) {
		*name = t[1].s;
		return i + 4;
	}
	*name = t->s;
	return !verb && t->type == TOKEN_WORD && token_is(t + 1, "{") ? i + 1 : 0;
}

/* One catalog, whose statement is [i, end). */
static struct err *catalog_statement(struct gradle *g, size_t i, size_t end, bool list)
{
	struct str name;
	size_t block = catalog_declared(&g->v, i, &name);
	struct gradle_catalog *c = block ? catalog_new(g, name) : NULL;

	if (c)
		return catalog_block(g, c, block, end, list);
	if (list)
		gradle_unknown(g, i, program_near_end(&g->v, i), CATALOG_COMPUTED);
	return NULL;
}

/*
 * versionCatalogs { … } or versionCatalogs.create("x") { … } at i. list: the file is the manifest
 * itself, and not that of a build. *end: behind it.
 */
static struct err *catalog_settings(struct gradle *g, size_t i, bool list, size_t *end)
{
	const struct token *open = &g->v.p[i + 1];

	*end = i + 1;
	if (token_is(open, ".")) {
		*end = program_statement_end(&g->v, i);
		return catalog_statement(g, i + 2, *end, list);
	}
	if (!token_is(open, "{"))
		return NULL;
	*end = program_close(&g->v, i + 1);
	for (i += 2; i + 1 < *end;) {
		size_t to = size_max(program_statement_end(&g->v, i), i + 1);

		if (g->v.p[i].type != TOKEN_LINE && !token_is(&g->v.p[i], ";"))
			TRY(catalog_statement(g, i, to, list));
		i = to;
	}
	return NULL;
}

/* versionCatalogs { … } at i: lists what its catalogs declare. *end: behind it. */
static struct err *gradle_settings(struct gradle *g, size_t i, size_t *end)
{
	/* References find the catalogs by catalog_load(): maps that were searched must not grow. */
	struct gradle listing = *g;

	memset(&listing.catalogs, 0, sizeof(listing.catalogs));
	return catalog_settings(&listing, i, true, end);
}

/* Adds the catalogs that the text of settings.gradle declares to those of the build. */
static struct err *catalog_from_settings(struct gradle *g, struct str path, struct str text)
{
	struct reader r = *g->r;
	struct gradle s = {.r = &r};

	r.path = path;
	r.text = text;
	r.begin = 0;
	s.catalogs.p = g->catalogs.p;
	s.catalogs.n = g->catalogs.n;
	s.catalogs.cap = g->catalogs.cap;
	program_tokens(&r, str_ends(path, STR(".kts")) ? PROGRAM_KOTLIN : PROGRAM_GROOVY, &s.v);
	for (size_t i = 0; i + 2 < s.v.n; i++) {
		const struct token *t = &s.v.p[i];

		if (token_is(t, "versionCatalogs")) {
			TRY(catalog_settings(&s, i, false, &i));
			i--;
		} else if (token_is(t, "defaultLibrariesExtensionName") && token_is(t + 1, "=") &&
			   token_is_literal(t + 2) && catalog_get(&s, STR("libs"))) {
			catalog_get(&s, STR("libs"))->name = t[2].s;
		}
	}
	g->catalogs.p = s.catalogs.p;
	g->catalogs.n = s.catalogs.n;
	g->catalogs.cap = s.catalogs.cap;
	return NULL;
}

/* The top of the build is the nearest folder above with settings or a catalog. */
static struct err *catalog_load(struct gradle *g)
{
	static const char *const settings[] = {"settings.gradle.kts", "settings.gradle"};
	struct gradle_catalog *libs = catalog_new(g, STR("libs"));
	struct str folder = g->r->path, path, text;
	bool found = false;

	if (!libs)
		BUG("the first catalog of Gradle finds no room");
	g->looked = true;
	while (!found && reader_up(&folder)) {
		TRY(catalog_file(g, libs, reader_inside(g->r, folder, "gradle/libs.versions.toml"),
				 &found));
		for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
			bool here = false;

			path = reader_inside(g->r, folder, settings[i]);
			TRY(reader_file(g->r, path, &text, &here));
			if (here)
				TRY(catalog_from_settings(g, path, text));
			found |= here;
		}
	}
	return NULL;
}

/* ---- references ---- */

/* name: of the package that an entry of a catalog's libraries names. */
static bool catalog_entry_name(struct arena *a, const struct val *v, struct str *name,
			       struct str *artifact)
{
	struct str version;
	const struct val *module = v->type == VAL_STR ? v : val_get(v, "module");

	if (module && module->type == VAL_STR)
		return gradle_split(module->s, name, artifact, &version);
	*artifact = val_get_str(v, "name");
	*name = str_fmt(a, "%.*s:%.*s", STR_ARG(val_get_str(v, "group")), STR_ARG(*artifact));
	return artifact->n && val_get_str(v, "group").n;
}

/*
 * CATALOG.a.b at i, up to end: lists what the catalog has under that name. *why becomes NULL, or
 * the reason when a catalog of that name does not have it; else it stays.
 */
static struct err *gradle_reference(struct gradle *g, size_t i, size_t end, const char **why)
{
	struct buf b = buf_in(g->r->a);
	struct str path, name, artifact;
	const struct gradle_catalog *c;
	const struct val *v;
	size_t to = i + 1;

	if (!g->looked)
		TRY(catalog_load(g));
	c = catalog_get(g, g->v.p[i].s);
	if (!c)
		return NULL;
	for (; to + 1 < end && token_is(&g->v.p[to], ".") && g->v.p[to + 1].type == TOKEN_WORD;
	     to += 2)
		buf_fmt(&b, "%s%.*s", b.n ? "." : "", STR_ARG(g->v.p[to + 1].s));
	path = buf_str(&b);
	if (str_ends(path, STR(".get")))
		path.n -= 4;
	*why = c->more ? "its version catalog has a part that ikm does not read"
		       : "the version catalog of the tree does not have it";
	/* The catalog lists its packages itself; here the place matters. */
	if (str_starts(path, STR("bundles."))) {
		if (reader_find(g->r, c->bundles, str_sub(path, 8, path.n)))
			*why = NULL;
	} else if (str_starts(path, STR("plugins."))) {
		if (reader_find(g->r, c->plugins, str_sub(path, 8, path.n)))
			*why = NULL;
	} else if ((v = reader_find(g->r, c->libraries, path)) &&
		   catalog_entry_name(g->r->a, v, &name, &artifact)) {
		struct dep *d =
			gradle_add(g, name, (struct span){g->v.p[i].at.from, g->v.p[to - 1].at.to});

		d->written = str_sub(g->r->text, d->at.from, d->at.to);
		*why = NULL;
	}
	return NULL;
}

/* ---- *.versions.toml ---- */

/* A version: a text, a table of conditions, or a reference to [versions]. */
static struct str catalog_version(struct reader *r, const struct val *top, const struct val *v)
{
	static const char *const rich[] = {"strictly", "require", "prefer"};
	const struct val *ref = val_get(v, "ref");

	if (ref && ref->type == VAL_STR)
		v = reader_find(r, val_get(top, "versions"), ref->s);
	if (v && v->type == VAL_STR)
		return v->s;
	for (size_t i = 0; i < ARRAY_SIZE(rich); i++)
		if (val_get_str(v, rich[i]).n)
			return val_get_str(v, rich[i]);
	return STR("");
}

static struct err *catalog_entry(struct reader *r, const struct val *v, bool plugin)
{
	struct str name = {"", 0}, artifact = {"", 0}, version = {"", 0};
	const struct val *at = v->type == VAL_STR ? v : val_get(v, plugin ? "id" : "module");
	struct dep *d;

	if (v->type != VAL_STR)
		TRY(tree_want(r, v, VAL_MAP));
	if (plugin && at && at->type == VAL_STR) {
		size_t colon = v->type == VAL_STR ? str_rfind_char(at->s, ':') : SIZE_MAX;

		name = str_sub(at->s, 0, colon);
		version = colon == SIZE_MAX ? version : str_sub(at->s, colon + 1, at->s.n);
	} else if (plugin || !catalog_entry_name(r->a, v, &name, &artifact) ||
		   (v->type == VAL_STR && !gradle_split(v->s, &name, &artifact, &version))) {
		return reader_bad(r, v->at.from, "'%.*s' names no package", STR_ARG(v->key));
	}
	if (!at)
		at = val_get(v, "name");
	d = reader_add(r, name,
		       reader_span(r, at->at, at->s,
				   str_starts(at->s, name) ? str_sub(at->s, 0, name.n) : at->s));
	d->reach = DEPS_DIRECT;
	d->version = version.n ? version : catalog_version(r, r->top, val_get(v, "version"));
	return NULL;
}

static struct err *catalog_entry_library(struct reader *r, const struct val *v)
{
	return catalog_entry(r, v, false);
}

static struct err *catalog_entry_plugin(struct reader *r, const struct val *v)
{
	return catalog_entry(r, v, true);
}

TREE_READER(gradle_catalog, toml, {"libraries{}", .read = catalog_entry_library},
	    {"plugins{}", .read = catalog_entry_plugin})

/* ---- the block "dependencies" ---- */

/*
 * The bracket that closes the one at i, at most `end`: one that is open would reach to the end of
 * the file, and each statement behind it would be read twice.
 */
static size_t gradle_close(const struct gradle *g, size_t i, size_t end)
{
	return size_min(program_close(&g->v, i) - 1, end);
}

/* The literal of an option among the tokens; its index, or 0. */
static size_t gradle_named(struct gradle *g, size_t i, size_t end, const char *key)
{
	size_t at = program_option(&g->v, i, end, UINT32_MAX, key);

	return at && token_is_literal(&g->v.p[at]) ? at : 0;
}

/* group: 'g', name: 'a', version: 'v' */
static bool gradle_map(struct gradle *g, size_t i, size_t end)
{
	size_t group = gradle_named(g, i, end, "group"), name = gradle_named(g, i, end, "name");
	size_t version = gradle_named(g, i, end, "version");
	struct dep *d;

	if (!group || !name)
		return false;
	d = gradle_add(
		g, str_fmt(g->r->a, "%.*s:%.*s", STR_ARG(g->v.p[group].s), STR_ARG(g->v.p[name].s)),
		token_at(&g->v.p[name]));
	if (version)
		d->version = g->v.p[version].s;
	return true;
}

/* Words that wrap a package, or name what is no package. */
static const char *const gradle_wrappers[] = {"platform", "enforcedPlatform", "testFixtures",
					      "variantOf", NULL};
static const char *const gradle_own[] = {"project",   "projects",      "localGroovy",
					 "gradleApi", "gradleTestKit", "gradleKotlinDsl",
					 NULL};

static struct err *gradle_arguments(struct gradle *g, size_t i, size_t end);

/* One argument [i, end) of a configuration. */
static struct err *gradle_argument(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i];
	bool known = false;

	if (t->type == TOKEN_STRING) {
		known = (i + 1 >= end || token_is(&g->v.p[i + 1], "{")) && gradle_coordinates(g, i);
	} else if (token_is_one(t, gradle_own)) {
		known = true;
	} else if (token_is_one(t, gradle_wrappers)) {
		bool open = token_is(&g->v.p[i + 1], "(");

		if (g->nested == GRADLE_NESTED_MAX) {
			gradle_unknown(g, i, i + 1, GRADLE_NESTED);
			return NULL;
		}
		g->nested++;
		TRY(gradle_arguments(g, i + 1 + open, open ? gradle_close(g, i + 1, end) : end));
		g->nested--;
		return NULL;
	} else if (token_is(t, "kotlin") && token_is(&g->v.p[i + 1], "(") &&
		   token_is_literal(&g->v.p[i + 2])) {
		struct str part = g->v.p[i + 2].s;
		struct str artifact = str_fmt(g->r->a, "kotlin-%.*s", STR_ARG(part));

		gradle_add(g, str_fmt(g->r->a, "org.jetbrains.kotlin:%.*s", STR_ARG(artifact)),
			   token_at(&g->v.p[i + 2]));
		known = true;
	} else if (t->type == TOKEN_WORD && token_is(&g->v.p[i + 1], ".")) {
		const char *why = GRADLE_COMPUTED;

		TRY(gradle_reference(g, i, end, &why));
		if (why)
			gradle_unknown(g, i, end, why);
		return NULL;
	}
	if (!known)
		gradle_unknown(g, i, end,
			       token_is(t, "files") || token_is(t, "fileTree")
				       ? "it is a file, and ikm does not open archives"
				       : GRADLE_COMPUTED);
	return NULL;
}

/* Arguments with commas between; blocks behind them hold no packages. */
static struct err *gradle_arguments(struct gradle *g, size_t i, size_t end)
{
	unsigned depth;

	i = program_skip_lines(&g->v, i);
	if (i >= end)
		return NULL;
	if (gradle_map(g, i, end))
		return NULL;
	depth = g->v.p[i].depth;
	while (i < end) {
		size_t to = i;

		while (to < end && !(g->v.p[to].depth == depth &&
				     (token_is(&g->v.p[to], ",") || token_is(&g->v.p[to], "{"))))
			to++;
		if (to > i)
			TRY(gradle_argument(g, i, to));
		if (to < end && token_is(&g->v.p[to], "{"))
			to = size_min(program_close(&g->v, to), end);
		i = program_skip_lines(&g->v, to + (to < end && token_is(&g->v.p[to], ",")));
		if (to >= end || i <= to)
			break;
	}
	return NULL;
}

static struct err *gradle_block(struct gradle *g, size_t i, size_t end);

/* One statement [i, end) of the block: a configuration and its arguments. */
static struct err *gradle_statement(struct gradle *g, size_t i, size_t end)
{
	static const char *const blocks[] = {"constraints", "if",      "else",  "for",
					     "try",         "finally", "while", NULL};
	static const char *const others[] = {
		"modules", "components", "artifactTypes", "attributesSchema", "def", "val",
		"var",     "exclude",    "because",       "import",           NULL};
	size_t open;

	if (token_is_one(&g->v.p[i], others))
		return NULL;
	/* Any other word before a block may be a loop, so its statements are read. */
	if (token_is_one(&g->v.p[i], blocks) || token_is(&g->v.p[i], "}") ||
	    token_is(&g->v.p[i + 1], "{")) {
		/* "if (x) { … } else { … }" is one statement with two blocks. */
		if (g->nested == GRADLE_NESTED_MAX) {
			gradle_unknown(g, i, i + 1, GRADLE_NESTED);
			return NULL;
		}
		g->nested++;
		for (open = i; open < end; open++)
			if (token_is(&g->v.p[open], "{") && g->v.p[open].depth == g->v.p[i].depth)
				TRY(gradle_block(g, open + 1, gradle_close(g, open, end)));
		g->nested--;
		return NULL;
	}
	if (token_is(&g->v.p[i], "add") && token_is(&g->v.p[i + 1], "(") &&
	    g->v.p[i + 2].type == TOKEN_STRING && token_is(&g->v.p[i + 3], ","))
		return gradle_arguments(g, i + 4, gradle_close(g, i + 1, end));
	if (g->v.p[i].type != TOKEN_WORD && g->v.p[i].type != TOKEN_STRING) {
		gradle_unknown(g, i, end, GRADLE_COMPUTED);
		return NULL;
	}
	if (token_is(&g->v.p[i + 1], "("))
		return gradle_arguments(g, i + 2, gradle_close(g, i + 1, end));
	if (token_is(&g->v.p[i + 1], ".") || token_is(&g->v.p[i + 1], "=") || i + 1 >= end) {
		gradle_unknown(g, i, end, GRADLE_COMPUTED);
		return NULL;
	}
	return gradle_arguments(g, i + 1, end);
}

static struct err *gradle_block(struct gradle *g, size_t i, size_t end)
{
	while (i < end) {
		size_t to;

		if (g->v.p[i].type == TOKEN_LINE || token_is(&g->v.p[i], ";")) {
			i++;
			continue;
		}
		to = size_min(program_statement_end(&g->v, i), end);
		if (to == i)
			to++;
		TRY(gradle_statement(g, i, to));
		i = to;
	}
	return NULL;
}

/* ---- the block "plugins" ---- */

/* id 'x' version 'y', id("x"), kotlin("jvm"), alias(libs.plugins.x) */
static struct err *gradle_plugin(struct gradle *g, size_t i, size_t end)
{
	size_t at = i + 1 + token_is(&g->v.p[i + 1], "(");
	const struct token *t = &g->v.p[at];
	struct str name = t->s;
	struct dep *d;

	if (token_is(&g->v.p[i], "alias") && t->type == TOKEN_WORD) {
		const char *why = GRADLE_COMPUTED;

		TRY(gradle_reference(g, at, end, &why));
		if (why)
			gradle_unknown(g, i, end, why);
		return NULL;
	}
	if (g->v.p[i].type == TOKEN_STRING || (g->v.p[i].type == TOKEN_WORD && i + 1 >= end) ||
	    token_is(&g->v.p[i], "`"))
		return NULL; /* a plugin of Gradle itself: java, `java-library` */
	if ((!token_is(&g->v.p[i], "id") && !token_is(&g->v.p[i], "kotlin")) ||
	    !token_is_literal(t)) {
		gradle_unknown(g, i, end, GRADLE_COMPUTED);
		return NULL;
	}
	if (token_is(&g->v.p[i], "id") && str_find_char(name, '.', 0) == SIZE_MAX)
		return NULL; /* a plugin of Gradle itself */
	if (token_is(&g->v.p[i], "kotlin"))
		name = str_fmt(g->r->a, "org.jetbrains.kotlin.%.*s", STR_ARG(name));
	d = gradle_add(g, name, token_at(t));
	for (at++; at + 1 < end; at++) {
		size_t v = at + 1 + token_is(&g->v.p[at + 1], "(");

		if (token_is(&g->v.p[at], "version") && token_is_literal(&g->v.p[v]))
			d->version = g->v.p[v].s;
	}
	return NULL;
}

static struct err *gradle_plugins(struct gradle *g, size_t i, size_t end)
{
	while (i < end) {
		size_t to = size_min(program_statement_end(&g->v, i), end);

		if (to > i)
			TRY(gradle_plugin(g, i, to));
		i = to + 1;
	}
	return NULL;
}

/* apply from: 'x.gradle': a file that ikm reads by itself, or something that it does not know. */
static void gradle_apply(struct gradle *g, size_t i)
{
	size_t end = program_near_end(&g->v, i);

	for (size_t k = i + 1; k + 2 < end; k++) {
		const struct token *t = &g->v.p[k + 2];

		if (!token_is(&g->v.p[k], "from"))
			continue;
		if (t->type != TOKEN_STRING || str_find(t->s, STR("://"), 0) != SIZE_MAX ||
		    !deps_is_manifest(t->s))
			gradle_unknown(g, i, end, "it applies a script that ikm does not read");
		return;
	}
}

struct err *gradle_build(struct reader *r)
{
	struct gradle g = {.r = r};
	size_t base = str_rfind_char(r->path, '.');

	program_tokens(r,
		       str_ieq(str_sub(r->path, base, r->path.n), STR(".kts")) ? PROGRAM_KOTLIN
									       : PROGRAM_GROOVY,
		       &g.v);
	g.listed = arena_array(r->a, g.v.n, sizeof(*g.listed));
	for (size_t i = 0; i + 2 < g.v.n; i++) {
		size_t open = i + 1;

		if (token_is(&g.v.p[i], "versionCatalogs")) {
			TRY(gradle_settings(&g, i, &open));
			i = open - 1;
			continue;
		}
		if (token_is(&g.v.p[i + 1], ".") || (i && token_is(&g.v.p[i - 1], ".")))
			continue;
		if (token_is(&g.v.p[i], "apply"))
			gradle_apply(&g, i);
		if (!token_is(&g.v.p[open], "{"))
			continue;
		if (token_is(&g.v.p[i], "dependencies"))
			TRY(gradle_block(&g, open + 1, program_close(&g.v, open) - 1));
		else if (token_is(&g.v.p[i], "plugins"))
			TRY(gradle_plugins(&g, open + 1, program_close(&g.v, open) - 1));
		else
			continue;
		i = program_close(&g.v, open) - 1;
	}
	for (size_t i = 0; i < g.v.n; i++) {
		const struct token *t = &g.v.p[i];
		size_t colons = 0;

		for (size_t k = 0; t->type == TOKEN_STRING && k < t->s.n; k++)
			colons += t->s.p[k] == ':';
		if (colons >= 2 && !g.listed[i])
			gradle_coordinates(&g, i);
	}
	return NULL;
}

/* ---- lockfiles ---- */

/* group:artifact:version=configuration,configuration */
static struct err *gradle_lock_line(struct reader *r, struct str line)
{
	struct str name, artifact, version;

	if (!line.n || line.p[0] == '#' || str_starts(line, STR("empty=")))
		return NULL;
	if (!gradle_split(str_sub(line, 0, str_find_char(line, '=', 0)), &name, &artifact,
			  &version))
		return reader_bad_line(r, line, "is no group:artifact:version");
	reader_lock(reader_add_slice(r, name), version);
	return NULL;
}

struct err *gradle_lock(struct reader *r)
{
	return reader_lines(r, gradle_lock_line);
}
