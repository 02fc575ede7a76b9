#include "deps/reader.h"

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
	struct val *properties;             /* name and raw value; made on first use */
	struct val *managed;                /* "group:artifact" and version; made on first use */
	struct strs profiles;               /* sorted: properties that some profile sets too */
};

struct maven {
	struct reader *r;
	struct maven_pom poms[MAVEN_PARENTS_MAX]; /* the manifest, its parent, and so on */
	size_t n;
	/* The first parent that ikm did not read: its element, and why; NULL: the tree lacks it. */
	const struct xml *missing;
	const char *why;
};

#define MAVEN_PARENT_MAX ((size_t)8 << 20)

/* ---- parents ---- */

/* Maven takes a file for the parent only when group and artifact are those of the element. */
static bool maven_is_parent(const struct xml *project, const struct xml *parent)
{
	struct str group = xml_text(project, "groupId");

	if (!group.n)
		group = xml_text(xml_get(project, "parent"), "groupId");
	return str_is(project->name, "project") && str_eq(group, xml_text(parent, "groupId")) &&
	       str_eq(xml_text(project, "artifactId"), xml_text(parent, "artifactId"));
}

/* The path of the parent's pom.xml from the top of the tree; false: it comes from a registry. */
static bool maven_parent_path(struct maven *m, const struct maven_pom *pom, struct str *path)
{
	const struct xml *relative = xml_get(pom->parent, "relativePath");
	struct str to = relative ? relative->text : STR("../pom.xml"), own = m->r->path;
	bool inside;

	if (relative && !to.n)
		return false;
	m->r->path = pom->path;
	inside = reader_beside(m->r, to, path);
	m->r->path = own;
	return inside;
}

/* relativePath names a file, or a folder with a pom.xml. */
static struct err *maven_parent_text(struct maven *m, struct str path, struct str *from,
				     struct str *text, bool *found)
{
	*from = path;
	TRY(reader_file(m->r, path, text, found));
	if (*found)
		return NULL;
	*from = reader_inside(m->r, path, "pom.xml");
	return reader_file(m->r, *from, text, found);
}

static struct err *maven_add_parent(struct maven *m, bool *more)
{
	struct maven_pom *pom = &m->poms[m->n - 1];
	struct str path, from, text;
	struct xml *project;
	bool found;

	*more = false;
	m->missing = pom->parent;
	if (!pom->parent || !maven_parent_path(m, pom, &path))
		return NULL;
	TRY(maven_parent_text(m, path, &from, &text, &found));
	if (!found)
		return NULL;
	if (text.n > MAVEN_PARENT_MAX || xml_read(m->r->a, text, &project)) {
		m->why = "its parent in the tree cannot be read";
		return NULL;
	}
	if (!maven_is_parent(project, pom->parent))
		return NULL;
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->poms[i].path, from) || m->n == MAVEN_PARENTS_MAX) {
			m->why = "its parents form a circle, or are more than 32";
			return NULL;
		}
	m->poms[m->n++] = (struct maven_pom){
		.path = from, .project = project, .parent = xml_get(project, "parent")};
	*more = true;
	return NULL;
}

/* Reads the parents that the tree has. */
static struct err *maven_load(struct maven *m, const struct xml *project)
{
	bool more = true;

	m->poms[0] = (struct maven_pom){
		.path = m->r->path, .project = project, .parent = xml_get(project, "parent")};
	m->n = 1;
	while (more)
		TRY(maven_add_parent(m, &more));
	return NULL;
}

/* ---- properties ---- */

static void maven_read_properties(struct maven *m, struct maven_pom *pom)
{
	struct arena *a = m->r->a;

	pom->properties = val_map(a);
	XML_EACH(xml_get(pom->project, "properties"), p)
	{
		struct val *v = val_str(a, p->text);

		val_set_key(pom->properties, p->name, v);
	}
	XML_EACH(xml_get(pom->project, "profiles"), profile)
	XML_EACH(xml_get(profile, "properties"), p)
	strs_push(a, &pom->profiles, p->name);
	strs_sort(&pom->profiles);
}

/* project.groupId and such: of the manifest itself, or inherited. */
static bool maven_project_value(struct maven *m, struct str name, struct str *out)
{
	static const char *const own[] = {"groupId", "artifactId", "version"};
	const struct maven_pom *pom = &m->poms[0];

	if (str_starts(name, STR("project.parent.")) || str_starts(name, STR("parent."))) {
		name = str_sub(name, str_find(name, STR("parent."), 0) + 7, name.n);
		*out = xml_text(pom->parent, str_c(m->r->a, name));
		return out->n > 0;
	}
	if (str_starts(name, STR("project.")))
		name = str_sub(name, 8, name.n);
	else if (str_starts(name, STR("pom.")))
		name = str_sub(name, 4, name.n);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		if (!str_is(name, own[i]))
			continue;
		*out = xml_text(pom->project, own[i]);
		if (!out->n && i != 1)
			*out = xml_text(pom->parent, own[i]);
		return out->n > 0;
	}
	return false;
}

/* The raw value. A profile may set another one, and only Maven knows which profiles are active. */
static bool maven_property(void *ctx, struct str name, struct str *out)
{
	struct maven *m = ctx;

	for (size_t i = 0; i < m->n; i++) {
		struct maven_pom *pom = &m->poms[i];
		const struct val *v;

		if (!pom->properties)
			maven_read_properties(m, pom);
		if (strs_sorted_has(&pom->profiles, name))
			return false;
		v = reader_find(m->r, pom->properties, name);
		if (v) {
			*out = v->s;
			return true;
		}
	}
	return maven_project_value(m, name, out);
}

/*
 * Replaces all ${…} of the text. False when a property is not in the poms, may have another value
 * in a profile, or refers to itself; *unknown is its name then.
 */
static bool maven_expand(struct maven *m, struct str text, struct str *out, struct str *unknown)
{
	return reader_expand(m->r, text, "${", '}', maven_property, m, out, unknown);
}

/* ---- managed versions ---- */

static struct str maven_name(struct maven *m, struct str group, struct str artifact)
{
	struct str parts[] = {group, artifact};
	struct strs both = {.p = parts, .n = 2};

	return str_join(m->r->a, &both, ":");
}

static void maven_read_managed(struct maven *m, struct maven_pom *pom)
{
	const struct xml *list =
		xml_get(xml_get(pom->project, "dependencyManagement"), "dependencies");

	pom->managed = val_map(m->r->a);
	XML_EACH(list, d)
	{
		struct str group, artifact, unknown;

		if (!maven_expand(m, xml_text(d, "groupId"), &group, &unknown) ||
		    !maven_expand(m, xml_text(d, "artifactId"), &artifact, &unknown))
			continue;
		val_set_key(pom->managed,
			    str_fmt(m->r->a, "%.*s:%.*s", STR_ARG(group), STR_ARG(artifact)),
			    val_str(m->r->a, xml_text(d, "version")));
	}
}

/* The version that the poms manage for the package; empty: none. */
static struct str maven_managed(struct maven *m, struct str name)
{
	for (size_t i = 0; i < m->n; i++) {
		struct maven_pom *pom = &m->poms[i];
		const struct val *v;

		if (!pom->managed)
			maven_read_managed(m, pom);
		v = reader_find(m->r, pom->managed, name);
		if (v)
			return v->s;
	}
	return STR("");
}

/* ---- what Maven fetches ---- */

/* Of plugins without a group. */
#define MAVEN_PLUGINS STR_INIT("org.apache.maven.plugins")

static struct span maven_at(struct maven *m, const struct xml *v)
{
	const struct xml *artifact = xml_get(v, "artifactId");

	return xml_text_at(m->r->text, artifact ? artifact : v);
}

static struct str maven_version(struct maven *m, const struct xml *v, struct str name)
{
	const struct xml *given = xml_get(v, "version");
	struct str version, unknown;

	if (!maven_expand(m, given ? given->text : maven_managed(m, name), &version, &unknown))
		return STR("");
	return version;
}

/* An element with groupId, artifactId and version. group: when the element has none. */
static void maven_add(struct maven *m, const struct xml *v, struct str group)
{
	struct reader *r = m->r;
	struct str artifact = xml_text(v, "artifactId"), unknown = {"", 0};
	struct span at = maven_at(m, v);
	struct dep *d;
	bool known;

	if (xml_get(v, "groupId"))
		group = xml_text(v, "groupId");
	known = maven_expand(m, artifact, &artifact, &unknown);
	known = maven_expand(m, group, &group, &unknown) && known;
	if (!known)
		reader_unresolved(r, maven_name(m, group, artifact), at,
				  "the poms of the tree do not tell the value of the property "
				  "'%.*s'",
				  STR_ARG(str_sub(unknown, 0, 200)));
	if (!artifact.n && !group.n) {
		reader_unresolved(r, STR(""), at, "it has no groupId and no artifactId");
		return;
	}
	d = reader_add(r, maven_name(m, group, artifact), at);
	d->reach = DEPS_DIRECT;
	d->version = maven_version(m, v, d->name);
}

static void maven_list(struct maven *m, const struct xml *list, const char *name, struct str group)
{
	XML_EACH(list, v)
	if (str_is(v->name, name))
		maven_add(m, v, group);
}

static void maven_dependencies(struct maven *m, const struct xml *v)
{
	maven_list(m, xml_get(v, "dependencies"), "dependency", STR(""));
}

/* What settings of plugins fetch: processors of annotations, and files to copy. */
static void maven_configuration(struct maven *m, const struct xml *v)
{
	static const struct {
		const char *list, *item;
	} lists[] = {{"annotationProcessorPaths", "path"},
		     {"annotationProcessorPaths", "annotationProcessorPath"},
		     {"artifactItems", "artifactItem"}};
	const struct xml *configuration = xml_get(v, "configuration");

	for (size_t i = 0; configuration && i < ARRAY_SIZE(lists); i++)
		maven_list(m, xml_get(configuration, lists[i].list), lists[i].item, STR(""));
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
	maven_list(m, xml_get(build, "extensions"), "extension", STR(""));
	maven_plugins(m, xml_get(v, "reporting"));
}

static void maven_missing_parent(struct maven *m)
{
	struct reader *r = m->r;
	const struct xml *own = m->poms[0].parent;

	if (!m->missing)
		return;
	/* The pom that has the parent lists it; its place there is no place of this file. */
	if (m->missing == own)
		maven_add(m, own, STR(""));
	if (m->why)
		reader_unresolved(r, xml_text(own, "artifactId"), maven_at(m, own), "%s", m->why);
}

struct err *maven_project(struct reader *r)
{
	struct maven *m = ARENA_NEW(r->a, struct maven);
	struct xml *project;

	TRY(reader_xml(r, "project", &project));
	m->r = r;
	TRY(maven_load(m, project));
	maven_missing_parent(m);
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
	maven_list(m, top, "extension", STR(""));
	return NULL;
}
