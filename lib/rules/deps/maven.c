#include "deps/reader.h"
#include "deps/range.h"

/*
 * pom.xml of Maven. Everything that it makes Maven fetch is listed: dependencies, managed ones,
 * plugins with their own dependencies, build extensions, and a parent that the tree does not have.
 * Profiles count as if they were active.
 */

#define MAVEN_PARENTS_MAX 32

/* One pom.xml: the manifest itself, or one of its parents. */
struct maven_pom {
	struct str path;
	const struct xml *project, *parent; /* parent: the element; or NULL */
};

struct maven {
	struct reader *r;
	struct maven_pom poms[MAVEN_PARENTS_MAX]; /* the manifest, its parent, and so on */
	size_t n;
	/* The raw value of each property, null: not known; the version of each "group:artifact". */
	struct names properties, managed; /* of struct val; read on first use */
	bool properties_read, managed_read;
	/* The first parent that ikm did not read: its element, and why; NULL: the tree lacks it. */
	const struct xml *missing;
	const char *why;
};

#define MAVEN_PARENT_MAX ((size_t)8 << 20)

/* ---- parents ---- */

/* Reads the parent that the tree has, if it does. */
static struct err *maven_add_parent(struct maven *m, bool *more)
{
	struct maven_pom *pom = &m->poms[m->n - 1];
	const struct xml *parent = pom->parent, *relative = xml_get(parent, "relativePath");
	struct str to = relative ? relative->text : STR("../pom.xml"), own = m->r->path, path, text;
	struct str group;
	struct xml *project;
	bool found;

	*more = false;
	m->missing = parent;
	if (!parent || !to.n) /* without a path it comes from a registry */
		return NULL;
	m->r->path = pom->path;
	found = reader_resolve_path(m->r, to, &path);
	m->r->path = own;
	if (!found)
		return NULL;
	/* A file, or a folder with a pom.xml. */
	TRY(reader_read_other_file(m->r, path, &text, &found));
	if (!found) {
		path = reader_join_path(m->r, path, "pom.xml");
		TRY(reader_read_other_file(m->r, path, &text, &found));
	}
	if (!found)
		return NULL;
	if (text.n > MAVEN_PARENT_MAX || xml_read(m->r->a, text, &project)) {
		m->why = "its parent in the tree cannot be read";
		return NULL;
	}
	/* Maven takes it for the parent only when group and artifact are those of the element. */
	group = xml_child_text(project, "groupId");
	if (!group.n)
		group = xml_child_text(xml_get(project, "parent"), "groupId");
	if (!str_is(project->name, "project") ||
	    !str_eq(group, xml_child_text(parent, "groupId")) ||
	    !str_eq(xml_child_text(project, "artifactId"), xml_child_text(parent, "artifactId")))
		return NULL;
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->poms[i].path, path) || m->n == MAVEN_PARENTS_MAX) {
			m->why = "its parents form a circle, or are more than 32";
			return NULL;
		}
	m->poms[m->n++] = (struct maven_pom){path, project, xml_get(project, "parent")};
	*more = true;
	return NULL;
}

/* ---- properties ---- */

/* The value of a pom counts, and not that of its parents. */
static void maven_set(struct maven *m, struct names *v, struct str name, struct val *value)
{
	if (!name_map_get(v, name))
		name_map_put(m->r->a, v, name, value);
}

/* The raw value. */
static bool maven_property(void *ctx, struct str name, struct str *out)
{
	struct maven *m = ctx;
	const struct maven_pom *pom = &m->poms[0];
	const struct val *v;
	size_t parent = reader_starts_with_any_of(name, "project.parent.|parent.");

	if (!m->properties_read) {
		for (size_t i = 0; i < m->n; i++) {
			const struct xml *project = m->poms[i].project;

			/* Only Maven knows which profiles are active, and set another value. */
			XML_EACH(xml_get(project, "profiles"), profile)
			XML_EACH(xml_get(profile, "properties"), p)
			maven_set(m, &m->properties, p->name, val_null(m->r->a));
			XML_EACH(xml_get(project, "properties"), p)
			maven_set(m, &m->properties, p->name, val_str(m->r->a, p->text));
		}
	}
	m->properties_read = true;
	v = name_map_get(&m->properties, name);
	*out = v ? v->s : STR("");
	if (v)
		return v->type == VAL_STR;
	/* project.groupId and such: of the manifest itself, or inherited. */
	if (parent) {
		*out = xml_child_text(pom->parent, str_c(m->r->a, str_sub(name, parent, name.n)));
		return out->n;
	}
	name = reader_skip_prefix(name, "project.|pom.");
	if (reader_is_any_of_words(name, "groupId|artifactId|version"))
		*out = xml_child_text(pom->project, str_c(m->r->a, name));
	if (!out->n && reader_is_any_of_words(name, "groupId|version"))
		*out = xml_child_text(pom->parent, str_c(m->r->a, name));
	return out->n;
}

/*
 * Replaces all ${…} of the text. False when a property is not in the poms, may have another value
 * in a profile, or refers to itself; *unknown is its name then.
 */
static bool maven_expand(struct maven *m, struct str text, struct str *out, struct str *unknown)
{
	return reader_expand_variables(m->r, text, "${", '}', maven_property, m, out, unknown);
}

/* ---- managed versions ---- */

static struct str maven_name(struct maven *m, struct str group, struct str artifact)
{
	struct str parts[] = {group, artifact};
	struct strs both = {.p = parts, .n = 2};

	return str_join(m->r->a, &both, ":");
}

static void maven_read_managed(struct maven *m)
{
	struct str group, artifact, unknown;

	for (size_t i = 0; i < m->n; i++) {
		const struct xml *managed = xml_get(m->poms[i].project, "dependencyManagement");

		XML_EACH(xml_get(managed, "dependencies"), d)
		{
			if (!maven_expand(m, xml_child_text(d, "groupId"), &group, &unknown) ||
			    !maven_expand(m, xml_child_text(d, "artifactId"), &artifact, &unknown))
				continue;
			maven_set(m, &m->managed, maven_name(m, group, artifact),
				  val_str(m->r->a, xml_child_text(d, "version")));
		}
	}
}

/* ---- what Maven fetches ---- */

/* Of plugins without a group. */
#define MAVEN_PLUGINS STR_INIT("org.apache.maven.plugins")

static struct span maven_at(struct maven *m, const struct xml *v)
{
	const struct xml *artifact = xml_get(v, "artifactId");

	return xml_text_span(m->r->text, artifact ? artifact : v);
}

/* An element with groupId, artifactId and version. group: when the element has none. */
static void maven_add(struct maven *m, const struct xml *v, struct str group)
{
	struct reader *r = m->r;
	struct str artifact = xml_child_text(v, "artifactId"), unknown = {"", 0};
	const struct xml *given = xml_get(v, "version");
	struct span at = maven_at(m, v);
	const struct val *managed;
	struct dep *d;
	bool known;

	if (xml_get(v, "groupId"))
		group = xml_child_text(v, "groupId");
	known = maven_expand(m, artifact, &artifact, &unknown);
	known = maven_expand(m, group, &group, &unknown) && known;
	if (!known)
		reader_add_unresolved(r, maven_name(m, group, artifact), at,
				      "the poms of the tree do not tell the value of the property "
				      "'%.*s'",
				      STR_ARG(str_sub(unknown, 0, 200)));
	if (!artifact.n && !group.n) {
		reader_add_unresolved(r, STR(""), at, "it has no groupId and no artifactId");
		return;
	}
	d = reader_add_dep(r, maven_name(m, group, artifact), at);
	d->reach = DEPS_DIRECT;
	if (!given && !m->managed_read)
		maven_read_managed(m);
	m->managed_read = m->managed_read || !given;
	managed = given ? NULL : name_map_get(&m->managed, d->name);
	if ((given || managed) &&
	    !maven_expand(m, given ? given->text : managed->s, &d->version, &unknown))
		d->version = STR("");
}

static void maven_list(struct maven *m, const struct xml *list, const char *name)
{
	XML_EACH(list, v)
	if (str_is(v->name, name))
		maven_add(m, v, STR(""));
}

static void maven_dependencies(struct maven *m, const struct xml *v)
{
	maven_list(m, xml_get(v, "dependencies"), "dependency");
}

/* What settings of plugins fetch: processors of annotations, and files to copy. */
static void maven_configuration(struct maven *m, const struct xml *v)
{
	const struct xml *c = xml_get(v, "configuration");
	const struct xml *processors = xml_get(c, "annotationProcessorPaths");

	maven_list(m, processors, "path");
	maven_list(m, processors, "annotationProcessorPath");
	maven_list(m, xml_get(c, "artifactItems"), "artifactItem");
}

static void maven_plugins(struct maven *m, const struct xml *v)
{
	XML_EACH(xml_get(v, "plugins"), plugin)
	{
		if (!str_is(plugin->name, "plugin"))
			continue;
		maven_add(m, plugin, (struct str)MAVEN_PLUGINS);
		maven_dependencies(m, plugin);
		maven_configuration(m, plugin);
		XML_EACH(xml_get(plugin, "executions"), execution)
		maven_configuration(m, execution);
	}
}

/* The project, or one of its profiles. */
static void maven_model(struct maven *m, const struct xml *v)
{
	const struct xml *build = xml_get(v, "build");

	maven_dependencies(m, v);
	maven_dependencies(m, xml_get(v, "dependencyManagement"));
	maven_plugins(m, build);
	maven_plugins(m, xml_get(build, "pluginManagement"));
	maven_list(m, xml_get(build, "extensions"), "extension");
	maven_plugins(m, xml_get(v, "reporting"));
}

struct err *maven_project(struct reader *r)
{
	struct maven *m = ARENA_NEW(r->a, struct maven);
	const struct xml *parent;
	struct xml *project;

	TRY(reader_xml(r, "project", &project));
	m->r = r;
	parent = xml_get(project, "parent");
	m->poms[m->n++] = (struct maven_pom){r->path, project, parent};
	for (bool more = true; more;)
		TRY(maven_add_parent(m, &more));
	/* The pom that has the parent lists it; its place there is no place of this file. */
	if (m->missing && m->missing == parent)
		maven_add(m, parent, STR(""));
	if (m->missing && m->why)
		reader_add_unresolved(r, xml_child_text(parent, "artifactId"), maven_at(m, parent),
				      "%s", m->why);
	maven_model(m, project);
	XML_EACH(xml_get(project, "profiles"), profile)
	maven_model(m, profile);
	return NULL;
}

/* .mvn/extensions.xml: extensions of Maven itself, without properties. */
struct err *maven_extensions(struct reader *r)
{
	struct maven *m = ARENA_NEW(r->a, struct maven);
	struct xml *top;

	TRY(reader_xml(r, "extensions", &top));
	m->r = r;
	m->poms[m->n++] = (struct maven_pom){.path = r->path, .project = top};
	maven_list(m, top, "extension");
	return NULL;
}

/*
 * Versions of Maven: tokens between dots, hyphens, underscores, and between digits and letters.
 * Words have an order of their own: alpha < beta < milestone < rc < snapshot < the release < sp <
 * any other word < a number behind a hyphen < a number behind a dot. Zeros and words for "release"
 * do not count at the end, and before a hyphen.
 *
 * A key: one byte for the kind of each token and its data; at the end the byte of the release.
 */

#define MAVEN_TOKENS_MAX 64
#define MAVEN_END        6 /* the release: between snapshot and sp */

static const struct {
	const char *word;
	char rank;
} maven_words[] = {{"alpha", 1}, {"beta", 2},     {"milestone", 3}, {"rc", 4},
		   {"cr", 4},    {"snapshot", 5}, {"", 6},          {"final", 6},
		   {"ga", 6},    {"release", 6},  {"sp", 7}};

struct maven_token {
	struct str s;
	bool dot; /* the separator before it; a hyphen otherwise */
	bool number;
	char rank; /* of a word; 0: a word without a rank */
};

struct maven_tokens {
	struct maven_token p[MAVEN_TOKENS_MAX];
	size_t n;
};

static void maven_trim(struct maven_tokens *v)
{
	const struct maven_token *t;

	for (; v->n > 1; v->n--) {
		t = &v->p[v->n - 1];
		if (t->number ? !str_is_zeros(t->s) : t->rank != MAVEN_END)
			break;
	}
}

static char maven_rank(struct str word, bool digit_follows)
{
	static const char letters[] = "abm";
	char c = word.n == 1 ? ascii_lower(word.p[0]) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(maven_words); i++)
		if (str_ieq(word, str_of(maven_words[i].word)))
			return maven_words[i].rank;
	return c && digit_follows && strchr(letters, c) ? (char)(strchr(letters, c) - letters + 1)
							: 0;
}

static bool maven_is_mark(char c)
{
	return c == '.' || c == '-' || c == '_';
}

static struct str maven_key_of(struct arena *a, const struct maven_tokens *v, bool end)
{
	struct buf b = buf_in(a);

	/* A single zero counts as no token. */
	for (size_t i = v->n == 1 && v->p[0].number && str_is_zeros(v->p[0].s); i < v->n; i++) {
		const struct maven_token *t = &v->p[i];

		if (t->number)
			key_append_part(&b, t->dot ? 11 : 10, t->s, true);
		else if (t->rank)
			buf_putc(&b, t->rank);
		else
			key_append_part(&b, 8, str_lower(a, t->s), false);
	}
	if (end)
		buf_putc(&b, MAVEN_END);
	return buf_as_str(&b);
}

static bool maven_version_key(struct arena *a, struct str text, struct str *key)
{
	struct maven_tokens v;
	char mark = '.';

	v.n = 0;
	if (!text.n || !ascii_is_alnum(text.p[0]))
		return false;
	for (size_t i = 0; i < text.n;) {
		struct maven_token *t;
		size_t from = i;

		if (v.n == MAVEN_TOKENS_MAX || text.p[i] <= ' ' || strchr("[](),:$", text.p[i]))
			return false;
		if (mark == '-')
			maven_trim(&v);
		t = &v.p[v.n];
		*t = (struct maven_token){.dot = mark != '-', .number = ascii_is_digit(text.p[i])};
		while (i < text.n && !maven_is_mark(text.p[i]) &&
		       ascii_is_digit(text.p[i]) == t->number) {
			if (text.p[i] <= ' ' || strchr("[](),:$", text.p[i]))
				return false;
			i++;
		}
		t->s = str_sub(text, from, i);
		if (!t->number)
			t->rank = maven_rank(t->s, i < text.n && ascii_is_digit(text.p[i]));
		v.n++;
		mark = '-'; /* between digits and letters */
		if (i < text.n && maven_is_mark(text.p[i]))
			mark = text.p[i++] == '-' ? '-' : '.';
	}
	maven_trim(&v);
	*key = maven_key_of(a, &v, true);
	return true;
}

/* Gradle's "1.2.+": all versions that begin so. */
static bool maven_prefix(struct arena *a, struct str text, struct str *lo, struct str *hi)
{
	struct maven_tokens v = {0};
	struct str rest = text, part;

	while (str_next_part(&rest, '.', &part)) {
		struct str digits, s = part;

		if (v.n == MAVEN_TOKENS_MAX || !number_take_digits(&s, &digits) || s.n)
			return false;
		v.p[v.n++] = (struct maven_token){digits, true, true, 0};
	}
	if (!v.n)
		return false;
	*lo = maven_key_of(a, &v, false);
	v.p[v.n - 1].s = number_plus_one(a, v.p[v.n - 1].s);
	*hi = maven_key_of(a, &v, false);
	return true;
}

static bool maven_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	/* Names of a version that only the registry knows. */
	if (reader_is_any_of_words(text, "LATEST|RELEASE|+|*") ||
	    reader_starts_with_any_of(text, "latest.")) {
		*out = (struct cuts){
			.lo = STR(""), .hi = CUT_HIGHEST, .equal = true, .whole = true};
		return true;
	}
	if (str_ends(text, STR("+")) &&
	    maven_prefix(a, str_sub(text, 0, text.n - 1 - str_ends(text, STR(".+"))), &out->lo,
			 &out->hi))
		return true;
	if (!maven_version_key(a, text, &out->lo))
		return false;
	out->hi = version_bound_above_prefix(a, out->lo);
	return true;
}

const struct versions versions_maven = {
	.key = maven_version_key,
	.cuts = maven_version_bounds,
	.operators = ">= <= != == > < =",
	.ends = ",<>=!",
	.skipped = "",
	.is = RANGE_BRACKETS | RANGE_SIDES,
	.lowest = STR_INIT(""),
	.syntax = "1.2, [1.0,2.0), (,1.5], [1.2], 1.+; also >=1 <2 and ||",
};
