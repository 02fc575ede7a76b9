#include "deps/nuget.h"

/*
 * .NET: projects of MSBuild and their imported files, packages.config, packages.lock.json,
 * specifications and tools. MSBuild takes names in any case.
 */

#define NUGET_PROGRAM "only MSBuild knows the value of this expression"

/* "1.0" alone is installed as 1.0; "[1.0,2.0)", "1.*" and lists leave a choice. */
static void nuget_version(struct dep *d, struct str version)
{
	d->version = str_trim(version);
	d->locked = d->version.n > 0;
	for (size_t i = 0; i < d->version.n; i++)
		if (memchr("[](),*;", d->version.p[i], 7))
			d->locked = false;
}

/* Of a reference: attributes or elements. */
static struct str nuget_given(const struct xml *v)
{
	static const char *const places[] = {"VersionOverride", "Version"};
	struct str version = {"", 0};

	for (size_t i = 0; i < ARRAY_SIZE(places) && !version.n; i++) {
		version = xml_attr(v, places[i], NULL);
		if (!version.n)
			version = xml_text(v, places[i]);
	}
	return version;
}

static void nuget_add(struct nuget *n, struct str name, struct str version, struct span at)
{
	struct str known;
	struct dep *d;

	if (!nuget_expand(n, name, &known)) {
		reader_unresolved(n->r, name, at, NUGET_PROGRAM);
		return;
	}
	if (!known.n)
		return;
	d = reader_add(n->r, known, at);
	d->reach = DEPS_DIRECT;
	if (!version.n)
		version = nuget_central(n, known);
	if (nuget_expand(n, version, &version))
		nuget_version(d, version);
}

/* Include="A;B": several packages. */
static void nuget_items(struct nuget *n, const struct xml *v, const char *attr)
{
	bool found, same;
	struct str list = xml_attr(v, attr, &found), rest = list, part, version;
	struct span at;

	if (!found)
		return;
	at = xml_attr_at(n->r->text, v, attr);
	same = str_eq(str_sub(n->r->text, at.from, at.to), list);
	version = nuget_given(v);
	while (str_split(&rest, ';', &part)) {
		struct span here = at;

		part = str_trim(part);
		if (same && part.n) {
			here.from += (size_t)(part.p - list.p);
			here.to = here.from + part.n;
		}
		nuget_add(n, part, version, here);
	}
}

/*
 * Sdk="Name/1.0;Other" of a project. An SDK without a version is a part of .NET, or global.json has
 * its version and lists it.
 */
static void nuget_sdks(struct nuget *n, const struct xml *v)
{
	bool found;
	struct str list = xml_attr(v, "Sdk", &found), rest = list, part;
	struct str given = xml_attr(v, "Version", NULL);
	struct span at = found ? xml_attr_at(n->r->text, v, "Sdk") : v->at;
	bool same = str_eq(str_sub(n->r->text, at.from, at.to), list);

	while (str_split(&rest, ';', &part)) {
		size_t slash = str_find_char(part, '/', 0);
		struct str name = str_trim(str_sub(part, 0, slash));
		struct str version = slash == SIZE_MAX ? given : str_sub(part, slash + 1, part.n);
		struct span here = at;
		struct dep *d;

		if (!name.n || !version.n)
			continue;
		if (same) {
			here.from += (size_t)(name.p - list.p);
			here.to = here.from + name.n;
		}
		d = reader_add(n->r, name, here);
		d->reach = DEPS_DIRECT;
		nuget_version(d, version);
	}
}

static void nuget_walk(struct nuget *n, const struct xml *v)
{
	static const char *const items[] = {"PackageReference", "PackageVersion",
					    "GlobalPackageReference", "PackageDownload",
					    "DotNetCliToolReference"};

	if (str_ieq(v->name, STR("Project")) || str_ieq(v->name, STR("Import")))
		nuget_sdks(n, v);
	if (str_ieq(v->name, STR("Sdk")))
		nuget_items(n, v, "Name");
	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		if (str_ieq(v->name, str_of(items[i]))) {
			nuget_items(n, v, "Include");
			nuget_items(n, v, "Update");
		}
	XML_EACH(v, c)
	nuget_walk(n, c); /* XML limits the depth */
}

static struct err *nuget_top(struct reader *r, const char *name, struct xml **top)
{
	TRY(reader_xml(r, top));
	if (str_ieq((*top)->name, str_of(name)))
		return NULL;
	return reader_bad(r, (*top)->at.from, "the top element is '%.*s', and must be '%s'",
			  STR_ARG(str_sub((*top)->name, 0, 100)), name);
}

struct err *nuget_project(struct reader *r)
{
	struct nuget n = {.r = r};
	struct xml *top;

	TRY(nuget_top(r, "Project", &top));
	n.top = top;
	TRY(nuget_load(&n));
	nuget_walk(&n, top);
	return NULL;
}

/* One element with the package's name and version in attributes. */
static struct err *nuget_element(struct reader *r, const struct xml *v, const char *version,
				 bool locked)
{
	bool found;
	struct str id = str_trim(xml_attr(v, "id", &found));
	struct dep *d;

	if (!id.n)
		return reader_bad(r, v->at.from, "the element '%.*s' must have an id",
				  STR_ARG(str_sub(v->name, 0, 100)));
	if (id.p[0] == '$') {
		reader_unresolved(r, id, xml_attr_at(r->text, v, "id"),
				  "a program gives its value when the package is made");
		return NULL;
	}
	d = reader_add(r, id, xml_attr_at(r->text, v, "id"));
	d->version = str_trim(xml_attr(v, version, NULL));
	d->locked = locked && d->version.n;
	if (!locked)
		d->reach = DEPS_DIRECT;
	return NULL;
}

/* packages.config has no list of what the project itself asked for. */
struct err *nuget_config(struct reader *r)
{
	struct xml *top;

	TRY(nuget_top(r, "packages", &top));
	XML_EACH(top, v)
	if (str_ieq(v->name, STR("package")))
		TRY(nuget_element(r, v, "version", true));
	return NULL;
}

static struct err *nuget_spec_list(struct reader *r, const struct xml *list)
{
	XML_EACH(list, v)
	{
		if (str_ieq(v->name, STR("dependency")))
			TRY(nuget_element(r, v, "version", false));
		else if (str_ieq(v->name, STR("group")))
			TRY(nuget_spec_list(r, v));
	}
	return NULL;
}

struct err *nuget_spec(struct reader *r)
{
	struct xml *top;

	TRY(nuget_top(r, "package", &top));
	return nuget_spec_list(r, xml_get(xml_get(top, "metadata"), "dependencies"));
}

/* ---- JSON ---- */

static struct err *nuget_reach(struct reader *r, const struct val *v, struct dep *d)
{
	struct str type = val_get_str(v, "type");

	(void)r;
	if (type.n)
		d->reach = str_ieq(type, STR("Direct")) ? DEPS_DIRECT : DEPS_TRANSITIVE;
	return NULL;
}

/* The packages of each framework, but for projects of the same solution. */
TREE_READER(nuget_lock, json,
	    {"dependencies{}{}", .version = "resolved", .own = "type=Project", .is = TREE_LOCKED,
	     .each = nuget_reach})

/* ---- project.assets.json: what the last restore chose ---- */

/* "NAME >= 1.0" in the groups of frameworks: what the project itself asks for. */
static struct err *assets_groups(struct reader *r, const struct val *groups, const char *in)
{
	TRY(tree_want(r, groups, in, VAL_MAP));
	r->shared = val_map(r->a);
	VAL_EACH(groups, group)
		VAL_EACH(group, v) {
			struct str s = v->type == VAL_STR ? v->s : STR("");

			s = str_lower(r->a, str_sub(s, 0, str_find_char(s, ' ', 0)));
			val_set_key(r->shared, s, val_null(r->a));
		}
	return NULL;
}

static struct err *assets_library(struct reader *r, const struct val *v, const char *in)
{
	struct str name, version;
	struct val *type;
	struct dep *d;

	TRY(tree_want(r, v, in, VAL_MAP));
	TRY(reader_member(r, v, tree_name(r, v, in), "type", VAL_STR, &type));
	if (type && str_is(type->s, "project"))
		return NULL;
	if (!reader_cut(v->key, '/', 0, &name, &version) || !name.n)
		return reader_bad(r, v->key_at.from, "'%.*s' is no package with its version",
				  STR_ARG(str_sub(v->key, 0, 200)));
	d = reader_add(r, name, reader_span(r, v->key_at, v->key, name));
	d->version = version;
	d->locked = true;
	if (r->shared)
		d->reach = reader_find(r, r->shared, str_lower(r->a, name)) ? DEPS_DIRECT
									    : DEPS_TRANSITIVE;
	return NULL;
}

TREE_READER(nuget_assets, json, {"projectFileDependencyGroups", .read = assets_groups},
	    {"libraries{}", .read = assets_library})

static struct err *nuget_exact(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	(void)v;
	nuget_version(d, d->version);
	return NULL;
}

#define NUGET_ENTRY .version = "version", .is = TREE_DIRECT | TREE_TEXT, .each = nuget_exact

TREE_READER(nuget_tools, json, {"tools{}", NUGET_ENTRY})
TREE_READER(nuget_global, json, {"msbuild-sdks{}", NUGET_ENTRY})
