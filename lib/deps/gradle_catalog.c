#include "deps/gradle.h"
#include "toml/toml.h"

/*
 * Version catalogs of Gradle: *.versions.toml, the catalogs that settings.gradle declares, and the
 * references of builds to them. The catalog "libs" is gradle/libs.versions.toml beside it.
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

	for (i += 1 + open; n < max && v->p[i].type == TOKEN_STRING && v->p[i].plain; i += 2) {
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

struct err *gradle_settings(struct gradle *g, size_t i, size_t *end)
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
			   t[2].type == TOKEN_STRING && t[2].plain &&
			   catalog_get(&s, STR("libs"))) {
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

struct err *gradle_reference(struct gradle *g, size_t i, size_t end, const char **why)
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

static struct err *catalog_entry(struct reader *r, const struct val *v, const char *in, bool plugin)
{
	struct str name = {"", 0}, artifact = {"", 0}, version = {"", 0};
	const struct val *at = v->type == VAL_STR ? v : val_get(v, plugin ? "id" : "module");
	struct dep *d;

	if (v->type != VAL_STR)
		TRY(tree_want(r, v, in, VAL_MAP));
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

static struct err *catalog_entry_library(struct reader *r, const struct val *v, const char *in)
{
	return catalog_entry(r, v, in, false);
}

static struct err *catalog_entry_plugin(struct reader *r, const struct val *v, const char *in)
{
	return catalog_entry(r, v, in, true);
}

TREE_READER(gradle_catalog, toml, {"libraries{}", .read = catalog_entry_library},
	    {"plugins{}", .read = catalog_entry_plugin})
