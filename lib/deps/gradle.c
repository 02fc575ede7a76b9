#include "deps/gradle.h"

/*
 * Gradle: builds in Groovy and Kotlin. ikm reads literal declarations in blocks "dependencies" and
 * "plugins", and takes a literal "group:artifact:version" for a package wherever it stands. Any
 * other declaration is unresolved.
 */

#define GRADLE_COMPUTED   "a program computes the name"
#define GRADLE_NESTED     "it is nested too deeply"
#define GRADLE_NESTED_MAX 64

/* ---- coordinates ---- */

bool gradle_split(struct str s, struct str *name, struct str *artifact, struct str *version)
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

struct dep *gradle_add(struct gradle *g, struct str name, struct span at)
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

void gradle_unknown(struct gradle *g, size_t i, size_t end, const char *why)
{
	reader_unresolved(g->r, program_source(g->r, &g->v, i, end), token_at(&g->v.p[i]), "%s",
			  why);
}

/* ---- the block "dependencies" ---- */

static size_t gradle_skip_lines(const struct tokens *v, size_t i)
{
	while (v->p[i].type == TOKEN_LINE)
		i++;
	return i;
}

/*
 * The bracket that closes the one at i, at most `end`: one that is open would reach to the end of
 * the file, and each statement behind it would be read twice.
 */
static size_t gradle_close(const struct gradle *g, size_t i, size_t end)
{
	return size_min(program_close(&g->v, i) - 1, end);
}

/* The literal behind "key:" or "key =" among the tokens; its index, or 0. */
static size_t gradle_named(struct gradle *g, size_t i, size_t end, const char *key)
{
	for (; i + 2 < end; i++)
		if (token_is(&g->v.p[i], key) &&
		    (token_is(&g->v.p[i + 1], ":") || token_is(&g->v.p[i + 1], "=")))
			return g->v.p[i + 2].type == TOKEN_STRING && g->v.p[i + 2].plain ? i + 2
											 : 0;
	return 0;
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

static bool gradle_is_one(const struct token *t, const char *const *words)
{
	for (; t->type == TOKEN_WORD && *words; words++)
		if (str_is(t->s, *words))
			return true;
	return false;
}

static struct err *gradle_arguments(struct gradle *g, size_t i, size_t end);

/* One argument [i, end) of a configuration. */
static struct err *gradle_argument(struct gradle *g, size_t i, size_t end)
{
	const struct token *t = &g->v.p[i];
	bool known = false;

	if (t->type == TOKEN_STRING) {
		known = (i + 1 >= end || token_is(&g->v.p[i + 1], "{")) && gradle_coordinates(g, i);
	} else if (gradle_is_one(t, gradle_own)) {
		known = true;
	} else if (gradle_is_one(t, gradle_wrappers)) {
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
		   g->v.p[i + 2].type == TOKEN_STRING && g->v.p[i + 2].plain) {
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

	i = gradle_skip_lines(&g->v, i);
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
		i = gradle_skip_lines(&g->v, to + (to < end && token_is(&g->v.p[to], ",")));
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

	if (gradle_is_one(&g->v.p[i], others))
		return NULL;
	/* Any other word before a block may be a loop, so its statements are read. */
	if (gradle_is_one(&g->v.p[i], blocks) || token_is(&g->v.p[i], "}") ||
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
	    t->type != TOKEN_STRING || !t->plain) {
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

		if (token_is(&g->v.p[at], "version") && g->v.p[v].type == TOKEN_STRING &&
		    g->v.p[v].plain)
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
		if (t->type == TOKEN_BROKEN)
			reader_unresolved(r, STR(""), token_at(t),
					  "a string or comment begins here and does not end");
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
