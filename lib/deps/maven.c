#include "deps/maven.h"

/*
 * pom.xml of Maven. Everything that it makes Maven fetch is listed: dependencies, managed ones,
 * plugins with their own dependencies, build extensions, and a parent that the tree does not have.
 * Profiles count as if they were active.
 */

/* Of plugins without a group. */
#define MAVEN_PLUGINS STR_INIT("org.apache.maven.plugins")

static struct str maven_name(struct maven *m, struct str group, struct str artifact)
{
	char *p = arena_alloc(m->r->a, group.n + artifact.n + 1);

	if (group.n)
		memcpy(p, group.p, group.n);
	p[group.n] = ':';
	if (artifact.n)
		memcpy(p + group.n + 1, artifact.p, artifact.n);
	return (struct str){p, group.n + artifact.n + 1};
}

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

	TRY(reader_xml(r, &project));
	if (!str_is(project->name, "project"))
		return reader_bad(r, project->at.from,
				  "the top element is '%.*s', and must be 'project'",
				  STR_ARG(str_sub(project->name, 0, 100)));
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

	TRY(reader_xml(r, &top));
	if (!str_is(top->name, "extensions"))
		return reader_bad(r, top->at.from,
				  "the top element is '%.*s', and must be 'extensions'",
				  STR_ARG(str_sub(top->name, 0, 100)));
	m->r = r;
	m->poms[m->n++] = (struct maven_pom){.path = r->path, .project = top};
	maven_list(m, top, "extension", STR(""));
	return NULL;
}
