#include "deps/manifest_tokens.h"
#include "toml/toml.h"

/*
 * Gradle: builds in Groovy and Kotlin. ikm reads literal declarations in blocks "dependencies" and
 * "plugins", and plugins that "apply" names. It takes a literal "group:artifact:version" for a
 * package wherever it stands. Any other declaration is unresolved.
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
	struct VEC(struct gradle_catalog) catalogs;
	bool looked;
	bool list; /* catalogs of the manifest itself are listed, those of its build are not */
	unsigned nested;
	size_t bundled; /* packages that bundles have brought */
	size_t applied; /* the end of the outermost block "apply" */
	bool receiver;  /* the latest one is a member of something */
};

/* ---- coordinates ---- */

/* "group:artifact", with or without ":version[:classifier][@type]". */
static bool gradle_split(struct str s, struct str *name, struct str *artifact, struct str *version)
{
	struct str group = reader_until(s, ":");

	*artifact = reader_until(str_sub(s, group.n + 1, s.n), ":@");
	*name = str_sub(s, 0, group.n + 1 + artifact->n);
	*version = STR("");
	if (name->n < s.n && s.p[name->n] == ':')
		*version = reader_until(str_sub(s, name->n + 1, s.n), ":@");
	version->n -=
		reader_suffix_word_length(*version, "!!"); /* Gradle's short form of "strictly" */
	if (!group.n || !artifact->n || version->n > 200)
		return false;
	for (size_t i = 0; i < name->n; i++)
		if (!ascii_is_alnum(name->p[i]) && !strchr(".-_:", name->p[i]))
			return false;
	return true;
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
		d = reader_add_dep(g->r, name, (struct span){t->at.from, t->at.from + name.n});
		if (!str_eq(str_sub(g->r->text, d->at.from, d->at.to), name))
			d->at = token_span(t);
		d->version = version;
	}
	g->listed[i] = true;
	return true;
}

/* The tokens [i, end) are unresolved. */
static struct err *gradle_unknown(struct gradle *g, size_t i, size_t end, const char *why)
{
	return reader_add_unresolved(g->r, program_tokens_text(g->r, &g->v, i, end),
				     token_span(&g->v.p[i]), "%s", why);
}

/* The same, of the statement at i. Only the manifest itself is listed, and not its settings. */
static void gradle_catalog_unknown(struct gradle *g, size_t i, const char *why)
{
	if (g->list)
		gradle_unknown(g, i, program_statement_end_near(&g->v, i), why);
}

/*
 * ---- version catalogs ----
 *
 * *.versions.toml, the catalogs that settings.gradle declares, and the references of builds to
 * them. The catalog "libs" is gradle/libs.versions.toml beside it.
 */

#define CATALOG_COMPUTED "a program computes the catalog"
#define CATALOGS_MAX     64
#define BUNDLED_MAX      100000

/* Gradle reads "-" and "_" of an alias as dots. */
static void catalog_put(struct arena *a, struct val *table, struct str alias, struct val *v)
{
	val_set_key(table, reader_replace_chars(a, alias, "-_", '.'), v);
}

static void catalog_copy(struct arena *a, struct val *table, const struct val *from)
{
	VAL_EACH(from, v)
		catalog_put(a, table, v->key, val_copy_shallow(a, v));
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

	TRY(reader_read_other_file(g->r, path, &text, found));
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

	for (i = program_call_argument(v, i); n < max && token_is_literal(&v->p[i]);
	     i = program_skip_line_ends(v, i + 1)) {
		out[n++] = &v->p[i];
		i = open ? program_skip_line_ends(v, i + 1) : i + 1;
		if (!token_is(&v->p[i], ","))
			return open && !token_is(&v->p[i], ")") ? 0 : n;
	}
	return 0;
}

/* library("alias", "group:artifact:version"), library("alias", "group", "artifact") */
static void catalog_library(struct gradle *g, struct gradle_catalog *c, size_t i)
{
	const struct token *t[3], *chained;
	struct arena *a = g->r->a;
	size_t n = catalog_literals(&g->v, i, t, 3), at = g->v.p[i + 1].close;
	struct str name = {"", 0}, artifact, version;
	struct dep *d;

	if (n == 3)
		name = str_fmt(a, "%.*s:%.*s", STR_ARG(t[1]->s), STR_ARG(t[2]->s));
	else if (n != 2 || !gradle_split(t[1]->s, &name, &artifact, &version))
		n = 0;
	if (!n)
		gradle_catalog_unknown(g, i, CATALOG_COMPUTED);
	/* A text with a version is listed wherever it stands. */
	if (n == 3 && g->list) {
		d = reader_add_dep(g->r, name, token_span(t[2]));
		/* library(…).version("1") */
		chained = &g->v.p[at];
		if (at && at + 3 < g->v.n && token_is(chained, ".") &&
		    token_is(chained + 1, "version") && token_is(chained + 2, "(") &&
		    token_is_literal(chained + 3))
			d->version = chained[3].s;
	}
	if (n)
		catalog_put(a, c->libraries, t[0]->s, val_str(a, name));
	else
		c->more = true;
}

/* from(files("x.versions.toml")); any other source is not read. */
static struct err *catalog_from(struct gradle *g, struct gradle_catalog *c, size_t i)
{
	size_t at = program_call_argument(&g->v, i);
	bool files = token_is(&g->v.p[at], "files"), found = false, known, there;
	const struct token *file;
	struct str path;

	if (files && catalog_literals(&g->v, at, &file, 1) &&
	    reader_resolve_path(g->r, file->s, &path)) {
		if (!g->list) {
			TRY(catalog_file(g, c, path, &found));
		} else {
			/* ikm reads the file as a manifest of its own. */
			TRY(reader_has_file(g->r, path, &known, &there));
			found = deps_is_manifest(path) && (!known || there);
		}
	}
	if (!found)
		gradle_catalog_unknown(g, i,
				       files ? "it is no file of the repository that ikm reads as "
					       "a version catalog"
					     : "the catalog is in no file of the repository");
	c->more |= !found;
	return NULL;
}

/* "alias", listOf("a", "b") or ['a', 'b'] at i. Computed members make it null. */
static void catalog_bundle(struct gradle *g, struct gradle_catalog *c, size_t i, size_t end)
{
	struct val *members = val_list(g->r->a);
	const struct token *t = &g->v.p[i + 1], *stop;

	for (stop = &g->v.p[size_min(program_statement_end(&g->v, i), end)]; t < stop; t++) {
		if (token_is_literal(t))
			val_add(members, val_str(g->r->a, t->s));
		else if (t->type != TOKEN_LINE && !token_is(t, ",|listOf|setOf|(|)|[|]"))
			break;
	}
	catalog_put(g->r->a, c->bundles, g->v.p[i].s, t == stop ? members : val_null(g->r->a));
	c->more |= t != stop;
}

/* The block of one catalog, whose bracket is at i, up to the end of its statement. */
static struct err *catalog_block(struct gradle *g, struct gradle_catalog *c, size_t i, size_t end)
{
	unsigned depth = g->v.p[i].depth + 1;
	const struct token *literal[2];

	end = size_min(program_closing_bracket(&g->v, i), end);
	for (i++; i + 2 < end; i++) {
		const struct token *t = &g->v.p[i];

		if (t->depth != depth || t->type != TOKEN_WORD || token_is(t - 1, "."))
			continue;
		if (token_is(t, "from")) {
			TRY(catalog_from(g, c, i));
		} else if (token_is(t, "library")) {
			catalog_library(g, c, i);
		} else if (token_is(t, "plugin")) { /* plugin("alias", "id") */
			if (catalog_literals(&g->v, i, literal, 2) != 2) {
				gradle_catalog_unknown(g, i, CATALOG_COMPUTED);
				c->more = true;
				continue;
			}
			if (g->list)
				reader_add_dep(g->r, literal[1]->s, token_span(literal[1]));
			catalog_put(g->r->a, c->plugins, literal[0]->s,
				    val_str(g->r->a, literal[1]->s));
		} else if (token_is(t, "bundle") &&
			   token_is_literal(&g->v.p[program_call_argument(&g->v, i)])) {
			catalog_bundle(g, c, program_call_argument(&g->v, i), end);
		}
	}
	return NULL;
}

/*
 * One catalog, whose statement is [i, end): create("x") {, x {, val x by creating {. Any other
 * statement computes it.
 */
static struct err *catalog_statement(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i], *literal;
	size_t block = 0; /* its bracket */
	struct str name = t->s;
	struct gradle_catalog *c;

	if (token_is(t, "create|register|maybeCreate|named|getByName")) {
		if (catalog_literals(&g->v, i, &literal, 1)) {
			name = literal->s;
			block = token_is(t + 1, "(") ? t[1].close : i + 2;
			block = token_is(&g->v.p[block], "{") ? block : 0;
		}
	} else if (token_is(t, "val") && i + 4 < g->v.n && token_is(t + 2, "by") &&
		   token_is(t + 4, "{")) {
		name = t[1].s;
		block = i + 4;
	} else if (t->type == TOKEN_WORD && token_is(t + 1, "{")) {
		block = i + 1;
	}
	c = block ? catalog_new(g, name) : NULL;
	if (c)
		return catalog_block(g, c, block, end);
	gradle_catalog_unknown(g, i, CATALOG_COMPUTED);
	return NULL;
}

/* versionCatalogs { … } or versionCatalogs.create("x") { … } at i. *end: behind it. */
static struct err *catalog_settings(struct gradle *g, size_t i, size_t *end)
{
	const struct token *open = &g->v.p[i + 1];

	*end = i + 1;
	if (token_is(open, ".")) {
		*end = program_statement_end(&g->v, i);
		return catalog_statement(g, i + 2, *end);
	}
	if (!token_is(open, "{"))
		return NULL;
	*end = program_closing_bracket(&g->v, i + 1);
	for (i += 2; i + 1 < *end;) {
		size_t to = size_max(program_statement_end(&g->v, i), i + 1);

		if (g->v.p[i].type != TOKEN_LINE && !token_is(&g->v.p[i], ";"))
			TRY(catalog_statement(g, i, to));
		i = to;
	}
	return NULL;
}

/* Adds the catalogs that the text of settings.gradle declares to those of the build. */
static struct err *catalog_from_settings(struct gradle *g, struct str path, struct str text)
{
	struct reader r = *g->r;
	struct gradle s = {.r = &r};

	r.path = path;
	r.text = text;
	r.begin = 0;
	memcpy(&s.catalogs, &g->catalogs, sizeof(s.catalogs));
	program_tokens(&r, str_ends(path, STR(".kts")) ? PROGRAM_KOTLIN : PROGRAM_GROOVY, &s.v);
	for (size_t i = 0; i + 2 < s.v.n; i++) {
		const struct token *t = &s.v.p[i];

		if (token_is(t, "versionCatalogs")) {
			TRY(catalog_settings(&s, i, &i));
			i--;
		} else if (token_is(t, "defaultLibrariesExtensionName") && token_is(t + 1, "=") &&
			   token_is_literal(t + 2) && catalog_get(&s, STR("libs"))) {
			catalog_get(&s, STR("libs"))->name = t[2].s;
		}
	}
	memcpy(&g->catalogs, &s.catalogs, sizeof(s.catalogs));
	return NULL;
}

/* The top of the build is the nearest folder above with settings or a catalog. */
static struct err *catalog_load(struct gradle *g)
{
	static const char *const settings[] = {"settings.gradle.kts", "settings.gradle"};
	struct gradle_catalog *libs = catalog_new(g, STR("libs"));
	struct str folder = g->r->path, path, text;
	bool found = false, here;

	if (!libs)
		BUG("the first catalog of Gradle finds no room");
	g->looked = true;
	while (!found && reader_path_to_parent_folder(&folder)) {
		TRY(catalog_file(g, libs,
				 reader_join_path(g->r, folder, "gradle/libs.versions.toml"),
				 &found));
		for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
			path = reader_join_path(g->r, folder, settings[i]);
			TRY(reader_read_other_file(g->r, path, &text, &here));
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

/* Lists what an entry of the catalog names, at the place of its use. False: it names nothing. */
static bool catalog_use(struct gradle *g, const struct val *v, bool plugin, struct span at)
{
	const struct val *id = v && v->type == VAL_MAP ? val_get(v, "id") : v;
	struct str name, artifact;
	struct dep *d;

	if (plugin && id && id->type == VAL_STR)
		name = reader_until(id->s, ":");
	else if (plugin || !v || !catalog_entry_name(g->r->a, v, &name, &artifact))
		return false;
	d = reader_add_dep(g->r, name, at);
	d->written = str_sub(g->r->text, at.from, at.to);
	return true;
}

/*
 * CATALOG.a.b at i, up to end: lists what the catalog has under that name. The tokens from `begin`
 * are unresolved when it does not have it.
 */
static struct err *gradle_reference(struct gradle *g, size_t begin, size_t i, size_t end)
{
	struct buf b = buf_in(g->r->a);
	const struct gradle_catalog *c;
	const struct val *bundle;
	size_t to = i + 1;
	struct span at;
	struct str path;
	bool all, plugin;

	if (!g->looked)
		TRY(catalog_load(g));
	c = catalog_get(g, g->v.p[i].s);
	if (!c)
		return gradle_unknown(g, begin, end, GRADLE_COMPUTED);
	for (; to + 1 < end && token_is(&g->v.p[to], ".") && g->v.p[to + 1].type == TOKEN_WORD;
	     to += 2)
		buf_fmt(&b, "%s%.*s", b.n ? "." : "", STR_ARG(g->v.p[to + 1].s));
	path = buf_as_str(&b);
	path.n -= reader_suffix_word_length(path, ".get");
	at = (struct span){g->v.p[i].at.from, g->v.p[to - 1].at.to};
	if (reader_starts_with_any_of(path, "bundles.")) {
		bundle = reader_find_map_member(g->r, c->bundles,
						reader_skip_prefix(path, "bundles."));
		all = bundle && bundle->type == VAL_LIST;
		VAL_EACH(bundle, v)
			all &= v->type == VAL_STR && g->bundled++ < BUNDLED_MAX &&
			       catalog_use(g,
					   reader_find_map_member(
						   g->r, c->libraries,
						   reader_replace_chars(g->r->a, v->s, "-_", '.')),
					   false, at);
	} else {
		plugin = reader_starts_with_any_of(path, "plugins.");
		all = catalog_use(g,
				  reader_find_map_member(g->r, plugin ? c->plugins : c->libraries,
							 reader_skip_prefix(path, "plugins.")),
				  plugin, at);
	}
	if (all)
		return NULL;
	return gradle_unknown(g, begin, end,
			      c->more ? "its version catalog has a part that ikm does not read"
				      : "the version catalog of the tree does not have it");
}

/* ---- *.versions.toml ---- */

/* A version: a text, a table of conditions, or a reference to [versions]. */
static struct str catalog_version(struct reader *r, const struct val *v)
{
	static const char *const rich[] = {"strictly", "require", "prefer"};
	const struct val *ref = reader_get_str(v, "ref");

	if (ref)
		v = reader_find_map_member(r, val_get(r->top, "versions"), ref->s);
	if (v && v->type == VAL_STR)
		return v->s;
	for (size_t i = 0; i < ARRAY_SIZE(rich); i++)
		if (val_get_str(v, rich[i]).n)
			return val_get_str(v, rich[i]);
	return STR("");
}

static struct err *catalog_entry(struct reader *r, const struct val *v)
{
	bool plugin = !strcmp(r->in, "plugins");
	struct str name = {"", 0}, artifact = {"", 0}, version = {"", 0};
	const struct val *at = v->type == VAL_STR ? v : val_get(v, plugin ? "id" : "module");
	struct dep *d;

	if (v->type != VAL_STR)
		TRY(reader_require_entry_type(r, v, VAL_MAP));
	if (plugin && at && at->type == VAL_STR) {
		size_t colon = v->type == VAL_STR ? str_rfind_char(at->s, ':') : SIZE_MAX;

		name = str_sub(at->s, 0, colon);
		version = colon == SIZE_MAX ? version : str_sub(at->s, colon + 1, at->s.n);
	} else if (plugin || !catalog_entry_name(r->a, v, &name, &artifact) ||
		   (v->type == VAL_STR && !gradle_split(v->s, &name, &artifact, &version))) {
		return reader_error_at(r, v->at.from, "'%.*s' names no package", STR_ARG(v->key));
	}
	if (!at)
		at = val_get(v, "name");
	d = reader_add_dep(r, name,
			   reader_string_part_span(
				   r, at->at, at->s,
				   str_starts(at->s, name) ? str_sub(at->s, 0, name.n) : at->s));
	d->reach = DEPS_DIRECT;
	d->version = version.n ? version : catalog_version(r, val_get(v, "version"));
	return NULL;
}

TREE_READER(gradle_catalog, toml, {"libraries{}", .read = catalog_entry},
	    {"plugins{}", .read = catalog_entry})

/* ---- the block "dependencies" ---- */

/*
 * The bracket that closes the one at i, at most `end`: one that is open would reach to the end of
 * the file, and each statement behind it would be read twice.
 */
static size_t gradle_close(const struct gradle *g, size_t i, size_t end)
{
	return size_min(program_closing_bracket(&g->v, i) - 1, end);
}

/* group: 'g', name: 'a', version: 'v', or Kotlin's "g", "a", "v" */
static bool gradle_map(struct gradle *g, size_t i, size_t end)
{
	static const char *const keys[] = {"group", "name", "version"};
	unsigned depth = g->v.p[i].depth;
	const struct token *value[3];
	struct dep *d;

	for (size_t k = 0; k < 3; k++) {
		size_t at = program_call_option(&g->v, i, end, depth, keys[k]);
		const struct token *t = &g->v.p[i];

		if (!at && i < end && t->type == TOKEN_STRING && !str_holds(t->s, ":") &&
		    !token_is(t + 1, ":|=")) {
			at = i;
			i = program_skip_line_ends(&g->v, i + 1);
			i = program_skip_line_ends(&g->v, i + token_is(&g->v.p[i], ","));
		}
		value[k] = at && token_is_literal(&g->v.p[at]) ? &g->v.p[at] : NULL;
		if (!value[k] && k < 2)
			return false;
	}
	d = reader_add_dep(
		g->r, str_fmt(g->r->a, "%.*s:%.*s", STR_ARG(value[0]->s), STR_ARG(value[1]->s)),
		token_span(value[1]));
	if (value[2])
		d->version = value[2]->s;
	return true;
}

static struct err *gradle_arguments(struct gradle *g, size_t i, size_t end);

/* One argument [i, end) of a configuration. */
static struct err *gradle_argument(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i];
	size_t open = i + !token_is(t, "[");
	bool bracket = token_is(&g->v.p[open], "(|[");

	while (end > i + 1 && g->v.p[end - 1].type == TOKEN_LINE)
		end--;
	if (t->type == TOKEN_STRING && (i + 1 >= end || token_is(t + 1, "{")) &&
	    gradle_coordinates(g, i))
		return NULL;
	if (token_is(t, "project|projects|localGroovy|gradleApi|gradleTestKit|gradleKotlinDsl"))
		return NULL;
	/* What wraps packages: a list, a map, and words. */
	if (token_is(t, "[|platform|enforcedPlatform|testFixtures|variantOf|create")) {
		if (g->nested == GRADLE_NESTED_MAX)
			return gradle_unknown(g, i, i + 1, GRADLE_NESTED);
		g->nested++;
		TRY(gradle_arguments(g, open + bracket,
				     bracket ? gradle_close(g, open, end) : end));
		g->nested--;
		return NULL;
	}
	if (token_is(t, "kotlin") && token_is(t + 1, "(") &&
	    token_is_literal(&g->v.p[program_call_argument(&g->v, i)])) {
		t = &g->v.p[program_call_argument(&g->v, i)];
		reader_add_dep(g->r,
			       str_fmt(g->r->a, "org.jetbrains.kotlin:kotlin-%.*s", STR_ARG(t->s)),
			       token_span(t));
		return NULL;
	}
	if (t->type == TOKEN_WORD && token_is(t + 1, "."))
		return gradle_reference(g, i, i, end);
	return gradle_unknown(g, i, end,
			      token_is(t, "files|fileTree")
				      ? "it is a file, and ikm does not open archives"
				      : GRADLE_COMPUTED);
}

/* Arguments with commas between; blocks behind them hold no packages. */
static struct err *gradle_arguments(struct gradle *g, size_t i, size_t end)
{
	unsigned depth;

	i = program_skip_line_ends(&g->v, i);
	if (i >= end || gradle_map(g, i, end))
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
			to = size_min(program_closing_bracket(&g->v, to), end);
		i = program_skip_line_ends(&g->v, to + (to < end && token_is(&g->v.p[to], ",")));
		if (to >= end || i <= to)
			break;
	}
	return NULL;
}

static struct err *gradle_block(struct gradle *g, size_t i, size_t end);

/* One statement [i, end) of the block: a configuration and its arguments. */
static struct err *gradle_statement(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i];
	size_t at;

	if (token_is(t, "modules|components|artifactTypes|attributesSchema|def|val|var|exclude|"
			"because|import"))
		return NULL;
	/* Any other word before a block may be a loop, so its statements are read. */
	if (token_is(t, "constraints|if|else|for|try|finally|while|}") || token_is(t + 1, "{")) {
		if (g->nested == GRADLE_NESTED_MAX)
			return gradle_unknown(g, i, i + 1, GRADLE_NESTED);
		g->nested++;
		/* "if (x) { … } else { … }" is one statement with two blocks. */
		for (size_t open = i; open < end; open++)
			if (token_is(&g->v.p[open], "{") && g->v.p[open].depth == t->depth)
				TRY(gradle_block(g, open + 1, gradle_close(g, open, end)));
		g->nested--;
		return NULL;
	}
	at = program_call_argument(&g->v, i);
	if (token_is(t, "add") && token_is(t + 1, "(") && g->v.p[at].type == TOKEN_STRING &&
	    token_is(&g->v.p[at + 1], ","))
		return gradle_arguments(g, at + 2, gradle_close(g, i + 1, end));
	if (t->type != TOKEN_WORD && t->type != TOKEN_STRING)
		return gradle_unknown(g, i, end, GRADLE_COMPUTED);
	if (token_is(t + 1, "("))
		return gradle_arguments(g, i + 2, gradle_close(g, i + 1, end));
	if (token_is(t + 1, ".|=") || i + 1 >= end)
		return gradle_unknown(g, i, end, GRADLE_COMPUTED);
	return gradle_arguments(g, i + 1, end);
}

static struct err *gradle_block(struct gradle *g, size_t i, size_t end)
{
	while (i < end) {
		size_t to = i + 1;

		if (g->v.p[i].type != TOKEN_LINE && !token_is(&g->v.p[i], ";")) {
			to = size_max(to, size_min(program_statement_end(&g->v, i), end));
			TRY(gradle_statement(g, i, to));
		}
		i = to;
	}
	return NULL;
}

/* ---- the block "plugins" ---- */

/* id 'x' version 'y', id("x"), kotlin("jvm"), alias(libs.plugins.x) */
static struct err *gradle_plugin(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i];
	size_t at = program_call_argument(&g->v, i);
	struct str name = g->v.p[at].s;
	bool kotlin = token_is(t, "kotlin");
	struct dep *d;

	if (token_is(t, "alias") && g->v.p[at].type == TOKEN_WORD)
		return gradle_reference(g, i, at, end);
	if (t->type == TOKEN_STRING || (t->type == TOKEN_WORD && i + 1 >= end) || token_is(t, "`"))
		return NULL; /* a plugin of Gradle itself: java, `java-library` */
	if (!token_is(t, "id|kotlin") || !token_is_literal(&g->v.p[at]))
		return gradle_unknown(g, i, end, GRADLE_COMPUTED);
	if (!kotlin && !str_holds(name, "."))
		return NULL; /* a plugin of Gradle itself */
	if (kotlin)
		name = str_fmt(g->r->a, "org.jetbrains.kotlin.%.*s", STR_ARG(name));
	d = reader_add_dep(g->r, name, token_span(&g->v.p[at]));
	for (at++; at + 1 < end; at++) {
		const struct token *version = &g->v.p[program_call_argument(&g->v, at)];

		if (token_is(&g->v.p[at], "version") && token_is_literal(version))
			d->version = version->s;
	}
	return NULL;
}

/* ---- apply ---- */

/* docs.gradle.org/current/userguide/plugin_reference.html: plugins of Gradle itself. */
static const char gradle_own[] =
	"antlr|application|assembler|base|build-dashboard|build-init|c|checkstyle|codenarc|cpp|"
	"cpp-application|cpp-library|cpp-unit-test|distribution|ear|eclipse|eclipse-wtp|groovy|"
	"groovy-base|groovy-gradle-plugin|help-tasks|idea|ivy-publish|jacoco|"
	"jacoco-report-aggregation|java|java-base|java-gradle-plugin|java-library|"
	"java-library-distribution|java-platform|java-test-fixtures|jvm-ecosystem|jvm-test-suite|"
	"jvm-toolchains|kotlin-dsl|lifecycle-base|maven|maven-publish|objective-c|osgi|play|pmd|"
	"project-report|publishing|reporting-base|scala|scala-base|signing|swift-application|"
	"swift-library|test-report-aggregation|test-suite-base|version-catalog|visual-studio|war|"
	"wrapper|xcode|xctest";

/* What the statement [i, end) applies by its value at `at`: a plugin or a script. */
static struct err *gradle_applied(struct gradle *g, size_t i, size_t at, size_t end, bool script)
{
	const struct token *t = &g->v.p[at];

	if (script) {
		/* ikm reads the file of that name by itself. */
		return t->type == TOKEN_STRING && !str_holds(t->s, "://") && deps_is_manifest(t->s)
			       ? NULL
			       : gradle_unknown(g, i, end,
						"it applies a script that ikm does not read");
	}
	if (t->type == TOKEN_WORD && token_is(t + 1, "."))
		return gradle_reference(g, i, at, end);
	if (!token_is_literal(t) || token_is(t + 1, "+|."))
		return gradle_unknown(g, i, end, GRADLE_COMPUTED);
	if (!reader_is_any_of_words(t->s, gradle_own))
		reader_add_dep(g->r, t->s, token_span(t));
	return NULL;
}

/*
 * The word "apply" at i: apply plugin: 'x', from: 'y.gradle'; apply(plugin = "x");
 * plugins.apply("x"); apply { plugin 'x' }, whose statements follow.
 */
static struct err *gradle_apply(struct gradle *g, size_t i)
{
	static const char *const options[] = {"plugin", "from"};
	const struct token *t = &g->v.p[i];
	bool dot = i > 1 && token_is(t - 1, "."), any = false;
	bool container = dot && (token_is(t - 2, "plugins|pluginManager") ||
				 (i > 3 && token_is(t - 4, "getPlugins|getPluginManager")));
	size_t end = program_statement_end_near(&g->v, i), at = program_call_argument(&g->v, i);

	if (i && token_is(t - 1, "void|fun|def"))
		return NULL; /* the method of a plugin's class */
	/* plugins.&apply, plugins::apply */
	if (i > 1 && ((token_is(t - 1, "&") && token_is(t - 2, ".")) ||
		      (token_is(t - 1, ":") && token_is(t - 2, ":"))))
		return gradle_unknown(g, i, i + 1, GRADLE_COMPUTED);
	if (token_is(t + 1, "{")) {
		g->applied = size_max(g->applied, program_closing_bracket(&g->v, i + 1));
		g->receiver = dot;
		return NULL;
	}
	for (size_t k = 0; k < ARRAY_SIZE(options); k++) {
		size_t value = program_call_option(&g->v, at, end, t->depth + 2, options[k]);

		if (value)
			TRY(gradle_applied(g, i, value, end, k));
		any |= value;
	}
	t++;
	if (any || at >= end || token_is(&g->v.p[at], "true|false") || (dot && !container) ||
	    !(t->type == TOKEN_STRING || t->type == TOKEN_WORD || token_is(t, "(|<|[")))
		return NULL;
	return gradle_applied(g, i, at, end, false);
}

/* A declaration outside of the blocks: dependencies.add("api", "g:a"), useModule("g:a:1") */
static struct err *gradle_call(struct gradle *g, size_t i)
{
	const struct token *t = &g->v.p[i], *first;
	size_t end = program_statement_end_near(&g->v, i);

	if (token_is(t, "useModule|useTarget"))
		return gradle_statement(g, i, end);
	if (i + 3 >= end || !token_is(t + 1, "."))
		return NULL;
	if (token_is(t, "plugins") && token_is(t + 2, "id|kotlin|alias"))
		return gradle_plugin(g, i + 2, end);
	if (!token_is(t, "dependencies"))
		return NULL;
	if (!g->looked)
		TRY(catalog_load(g));
	/* Other calls take the packages that are there: dependencies.all { … }. */
	first = &g->v.p[program_call_argument(&g->v, i + 2)];
	if (first->type != TOKEN_STRING && !catalog_get(g, first->s) && !token_is(t + 2, "add") &&
	    !token_is(first, "platform|enforcedPlatform|kotlin"))
		return NULL;
	return gradle_statement(g, i + 2, end);
}

/*
 * The bracket of the block "dependencies" or "plugins" at i; 0: it is none. Functions of Groovy and
 * Kotlin have such blocks too: dependencies.with { }, with(dependencies) { }.
 */
static size_t gradle_opens(const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i];

	if (!token_is(t, "dependencies|plugins"))
		return 0;
	if (token_is(t + 1, "{"))
		return i + 1;
	if (token_is(t, "plugins") || i + 3 >= v->n)
		return 0;
	if (token_is(t + 1, ".") && token_is(t + 2, "with|apply|run|invoke"))
		return token_is(t + 3, "{") ? i + 3 : 0;
	return i > 1 && token_is(t - 2, "with") && token_is(t + 2, "{") ? i + 2 : 0;
}

struct err *gradle_build(struct reader *r)
{
	struct gradle g = {.r = r}, settings;
	size_t offered = 0; /* the end of the plugins that the project is */
	bool kotlin =
		str_ieq(str_sub(r->path, str_rfind_char(r->path, '.'), r->path.n), STR(".kts"));

	program_tokens(r, kotlin ? PROGRAM_KOTLIN : PROGRAM_GROOVY, &g.v);
	g.listed = arena_array(r->a, g.v.n, sizeof(*g.listed));
	r->reach = DEPS_DIRECT;
	for (size_t i = 0; i + 2 < g.v.n; i++) {
		const struct token *t = &g.v.p[i];
		size_t open = i + 1, end;

		if (token_is(t, "versionCatalogs")) {
			/* References find the catalogs by catalog_load(). */
			settings = g;
			memset(&settings.catalogs, 0, sizeof(settings.catalogs));
			settings.list = true;
			TRY(catalog_settings(&settings, i, &open));
			i = open - 1;
			continue;
		}
		if (token_is(t, "apply"))
			TRY(gradle_apply(&g, i));
		TRY(gradle_call(&g, i));
		if (token_is(t, "gradlePlugin") && token_is(t + 1, "{"))
			offered = program_closing_bracket(&g.v, open);
		if (token_is(t, "plugins") && (i < offered || token_is(t - (i > 0), ".")))
			continue;
		if (i > 1 && i < g.applied && (!token_is(t - 1, ".") || token_is(t - 2, "it")) &&
		    token_is(t, g.receiver ? "plugin" : "plugin|from"))
			TRY(gradle_applied(&g, i, program_call_argument(&g.v, i),
					   program_statement_end_near(&g.v, i),
					   token_is(t, "from")));
		open = gradle_opens(&g.v, i);
		if (!open)
			continue;
		end = program_closing_bracket(&g.v, open) - 1;
		if (token_is(t, "dependencies"))
			TRY(gradle_block(&g, open + 1, end));
		for (open++; token_is(t, "plugins") && open < end;) {
			size_t to = size_min(program_statement_end(&g.v, open), end);

			if (to > open)
				TRY(gradle_plugin(&g, open, to));
			open = to + 1;
		}
		i = end;
	}
	for (size_t i = 0; i < g.v.n; i++) {
		const struct token *t = &g.v.p[i];

		if (t->type == TOKEN_STRING && !g.listed[i] &&
		    str_find_char(t->s, ':', str_find_char(t->s, ':', 0) + 1) != SIZE_MAX)
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
	if (!gradle_split(reader_until(line, "="), &name, &artifact, &version))
		return reader_bad_line(r, line, "is no group:artifact:version");
	reader_set_locked_version(reader_add_dep_slice(r, name), version);
	return NULL;
}

LINE_READER(gradle_lock, gradle_lock_line)
