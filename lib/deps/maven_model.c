#include "deps/maven.h"

#define MAVEN_TEXT_MAX   1024 /* of an expanded text */
#define MAVEN_STEPS_MAX  256  /* replacements in one text: properties can double at each level */
#define MAVEN_NESTED_MAX 32
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

struct err *maven_load(struct maven *m, const struct xml *project)
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
static bool maven_property(struct maven *m, struct str name, struct str *out)
{
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

struct maven_expansion {
	struct maven *m;
	struct buf text;
	unsigned steps, nested;
	struct str unknown;
};

static bool maven_expand_into(struct maven_expansion *x, struct str text)
{
	size_t i = 0, at;

	while ((at = str_find(text, STR("${"), i)) != SIZE_MAX) {
		size_t end = str_find_char(text, '}', at);
		struct str value;
		bool works;

		if (end == SIZE_MAX)
			break;
		x->unknown = str_sub(text, at + 2, end);
		if (++x->steps > MAVEN_STEPS_MAX || x->nested == MAVEN_NESTED_MAX ||
		    !maven_property(x->m, x->unknown, &value))
			return false;
		buf_put(&x->text, str_sub(text, i, at));
		x->nested++;
		works = maven_expand_into(x, value);
		x->nested--;
		if (!works)
			return false;
		i = end + 1;
	}
	buf_put(&x->text, str_sub(text, i, text.n));
	return !x->text.cut;
}

bool maven_expand(struct maven *m, struct str text, struct str *out, struct str *unknown)
{
	struct maven_expansion x = {.m = m};

	*out = text;
	if (str_find(text, STR("${"), 0) == SIZE_MAX)
		return true;
	x.text = buf_max(m->r->a, MAVEN_TEXT_MAX);
	if (!maven_expand_into(&x, text)) {
		*unknown = x.unknown;
		return false;
	}
	*out = str_trim(buf_str(&x.text));
	return true;
}

/* ---- managed versions ---- */

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

struct str maven_managed(struct maven *m, struct str name)
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
