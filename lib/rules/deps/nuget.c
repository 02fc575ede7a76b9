#include "deps/reader.h"
#include "deps/range.h"

/*
 * .NET: projects of MSBuild and their imported files, packages.config, packages.lock.json,
 * specifications and tools. MSBuild takes names in any case.
 */

struct nuget {
	struct reader *r;
	struct names properties; /* of struct nuget_property, by lower-case name */
	struct names central;    /* struct val: version of a lower-case package, of
				  * Directory.Packages.props */
};

struct nuget_property {
	struct str value;
	size_t above; /* the file that set it */
	bool certain;
};

/*
 * MSBuild reads the nearest Directory.Build.props and Directory.Packages.props above a project.
 * Which conditions hold, and which other files are imported, only MSBuild knows: a property with a
 * condition, or with two values, is not certain.
 */

#define NUGET_FILE_MAX       ((size_t)8 << 20)
#define NUGET_PROPERTIES_MAX 4096 /* a hostile file may have millions */

static bool nuget_is(const struct xml *v, const char *name)
{
	return str_ieq(v->name, str_of(name));
}

/* A value of the project replaces one of a file above it. */
static void nuget_property(struct nuget *n, const struct xml *p, bool certain, size_t above)
{
	struct str name = str_lower(n->r->a, p->name);
	const struct nuget_property *had = name_map_get(&n->properties, name);
	struct nuget_property *now;

	if (!had && n->properties.n >= NUGET_PROPERTIES_MAX)
		return;
	now = ARENA_NEW(n->r->a, struct nuget_property);
	*now = (struct nuget_property){p->text, above,
				       certain && !p->first && !xml_attr(p, "Condition", NULL).n &&
					       !(had && (!had->certain || had->above == above))};
	name_map_put(n->r->a, &n->properties, name, now);
}

/* Which conditions hold only MSBuild knows: values behind them are not certain. */
static void nuget_properties(struct nuget *n, const struct xml *v, bool certain, size_t above)
{
	XML_EACH(v, c)
	{
		bool plain = certain && !xml_attr(c, "Condition", NULL).n;

		if (nuget_is(c, "PropertyGroup")) {
			XML_EACH(c, p)
			nuget_property(n, p, plain, above);
		} else if (nuget_is(c, "Choose") || nuget_is(c, "When") ||
			   nuget_is(c, "Otherwise") || nuget_is(c, "Target")) {
			nuget_properties(n, c, false, above);
		}
	}
}

static void nuget_versions(struct nuget *n, const struct xml *v)
{
	XML_EACH(v, c)
	{
		if (nuget_is(c, "PackageVersion")) {
			struct str name = xml_attr(c, "Include", NULL);
			struct str version = xml_attr(c, "Version", NULL);

			if (!version.n)
				version = xml_child_text(c, "Version");
			name = str_lower(n->r->a, str_trim(name));
			if (name.n && !name_map_get(&n->central, name))
				name_map_put(n->r->a, &n->central, name, val_str(n->r->a, version));
		} else if (c->first) {
			nuget_versions(n, c);
		}
	}
}

/* The nearest file of that name, in the project's folder or above it; NULL: none that is XML. */
static struct err *nuget_above(struct nuget *n, const char *name, struct xml **out)
{
	struct str folder = n->r->path, path, text;
	bool found = false;

	*out = NULL;
	while (!found && reader_path_to_parent_folder(&folder)) {
		path = reader_join_path(n->r, folder, name);
		if (str_eq(path, n->r->path))
			return NULL;
		TRY(reader_read_other_file(n->r, path, &text, &found));
	}
	if (found && (text.n > NUGET_FILE_MAX || xml_read(n->r->a, text, out)))
		*out = NULL;
	return NULL;
}

/* @(…) and %(…) are lists and metadata, which MSBuild makes. */
static bool nuget_is_plain(struct str text)
{
	return !str_holds(text, "@(") && !str_holds(text, "%(");
}

static bool nuget_value(void *ctx, struct str name, struct str *value)
{
	struct nuget *n = ctx;
	const struct nuget_property *p =
		name_map_get(&n->properties, str_lower(n->r->a, str_trim(name)));

	*value = p ? p->value : STR("");
	return p && p->certain && nuget_is_plain(*value);
}

/*
 * Replaces all $(…). False when a property is unknown or has a condition, or when the text has an
 * expression: @(…), %(…), a function.
 */
static bool nuget_expand(struct nuget *n, struct str text, struct str *out)
{
	struct str unknown;

	*out = text;
	return nuget_is_plain(text) &&
	       reader_expand_variables(n->r, text, "$(", ')', nuget_value, n, out, &unknown) &&
	       !str_holds(*out, "$(");
}

/* ---- projects ---- */

/* "1.0" alone is installed as 1.0; "[1.0,2.0)", "1.*" and lists leave a choice. */
static void nuget_version(struct dep *d, struct str version)
{
	d->version = str_trim(version);
	d->locked = d->version.n && reader_until(d->version, "[](),*;").n == d->version.n;
}

/* Include="A;B": several packages. The version stands in an attribute or an element. */
static void nuget_items(struct nuget *n, const struct xml *v, const char *attr)
{
	static const char *const places[] = {"VersionOverride", "Version"};
	bool found, same;
	struct str list = xml_attr(v, attr, &found), rest = list, part, version = {"", 0}, name;
	struct span at;

	if (!found)
		return;
	at = xml_attr_span(n->r->text, v, attr);
	same = str_eq(str_sub(n->r->text, at.from, at.to), list);
	for (size_t i = 0; i < ARRAY_SIZE(places) && !version.n; i++) {
		version = xml_attr(v, places[i], NULL);
		if (!version.n)
			version = xml_child_text(v, places[i]);
	}
	while (str_next_part(&rest, ';', &part)) {
		const struct val *central;
		struct str known = version;
		struct span here = at;
		struct dep *d;

		part = str_trim(part);
		if (same && part.n) {
			here.from += (size_t)(part.p - list.p);
			here.to = here.from + part.n;
		}
		if (!nuget_expand(n, part, &name)) {
			reader_add_unresolved(n->r, part, here,
					      "only MSBuild knows the value of this expression");
			continue;
		}
		if (!name.n)
			continue;
		d = reader_add_dep(n->r, name, here);
		central = name_map_get(&n->central, str_lower(n->r->a, name));
		if (!version.n && central)
			known = central->s;
		if (nuget_expand(n, known, &known))
			nuget_version(d, known);
	}
}

/*
 * Sdk="Name/1.0;Other" of a project. An SDK without a version is a part of .NET, or global.json has
 * its version and lists it.
 */
static void nuget_sdks(struct nuget *n, const struct xml *v)
{
	bool found;
	struct str list = xml_attr(v, "Sdk", &found), rest = list, part, name, version;
	struct span at = found ? xml_attr_span(n->r->text, v, "Sdk") : v->at;
	bool same = str_eq(str_sub(n->r->text, at.from, at.to), list);

	while (str_next_part(&rest, ';', &part)) {
		struct span here = at;

		if (!reader_split_at(part, '/', 0, &name, &version))
			version = xml_attr(v, "Version", NULL);
		name = str_trim(name);
		if (!name.n || !version.n)
			continue;
		if (same) {
			here.from += (size_t)(name.p - list.p);
			here.to = here.from + name.n;
		}
		nuget_version(reader_add_dep(n->r, name, here), version);
	}
}

static void nuget_walk(struct nuget *n, const struct xml *v)
{
	struct str name = str_lower(n->r->a, v->name);

	if (reader_is_any_of_words(name, "project|import"))
		nuget_sdks(n, v);
	if (str_is(name, "import") && !xml_attr(v, "Sdk", NULL).n) {
		struct str project = xml_attr(v, "Project", NULL);

		/*
		 * Another file: ikm reads it under its own name, or does not know what is in it.
		 * GetPathOfFileAbove() looks for Directory.Build.props above.
		 */
		if (project.n && !str_holds(project, "GetPathOfFileAbove(") &&
		    !deps_is_manifest(reader_replace_chars(n->r->a, project, "\\", '/')))
			reader_add_unresolved(
				n->r, project, xml_attr_span(n->r->text, v, "Project"),
				"it is no file that ikm reads as a part of a project");
	}
	if (str_is(name, "sdk"))
		nuget_items(n, v, "Name");
	if (reader_is_any_of_words(name, "packagereference|packageversion|globalpackagereference|"
					 "packagedownload|dotnetclitoolreference")) {
		nuget_items(n, v, "Include");
		nuget_items(n, v, "Update");
	}
	XML_EACH(v, c)
	nuget_walk(n, c); /* XML limits the depth */
}

struct err *nuget_project(struct reader *r)
{
	struct nuget n = {.r = r};
	struct xml *top, *build, *packages;

	TRY(reader_xml(r, "Project", &top));
	TRY(nuget_above(&n, "Directory.Build.props", &build));
	TRY(nuget_above(&n, "Directory.Packages.props", &packages));
	r->reach = DEPS_DIRECT;
	nuget_properties(&n, build, true, 1);
	nuget_properties(&n, packages, true, 2);
	nuget_properties(&n, top, true, 3);
	nuget_versions(&n, packages);
	nuget_walk(&n, top);
	return NULL;
}

/* One element with the package's name and version in attributes. */
static struct err *nuget_element(struct reader *r, const struct xml *v, bool locked)
{
	bool found;
	struct str id = str_trim(xml_attr(v, "id", &found));
	struct dep *d;

	if (!id.n)
		return reader_error_at(r, v->at.from, "the element '%.*s' must have an id",
				       STR_ARG(str_sub(v->name, 0, 100)));
	if (id.p[0] == '$')
		return reader_add_unresolved(r, id, xml_attr_span(r->text, v, "id"),
					     "a program gives its value when the package is made");
	d = reader_add_dep(r, id, xml_attr_span(r->text, v, "id"));
	d->version = str_trim(xml_attr(v, "version", NULL));
	d->locked = locked && d->version.n;
	return NULL;
}

/* packages.config has no list of what the project itself asked for. */
struct err *nuget_config(struct reader *r)
{
	struct xml *top;

	TRY(reader_xml(r, "packages", &top));
	XML_EACH(top, v)
	if (str_ieq(v->name, STR("package")))
		TRY(nuget_element(r, v, true));
	return NULL;
}

static struct err *nuget_spec_list(struct reader *r, const struct xml *list)
{
	XML_EACH(list, v)
	{
		if (str_ieq(v->name, STR("dependency")))
			TRY(nuget_element(r, v, false));
		else if (str_ieq(v->name, STR("group")))
			TRY(nuget_spec_list(r, v));
	}
	return NULL;
}

struct err *nuget_spec(struct reader *r)
{
	struct xml *top;

	TRY(reader_xml(r, "package", &top));
	r->reach = DEPS_DIRECT;
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
static struct err *assets_groups(struct reader *r, const struct val *groups)
{
	TRY(reader_require_entry_type(r, groups, VAL_MAP));
	r->loaded = true;
	VAL_EACH(groups, group)
		VAL_EACH(group, v) {
			struct str s = v->type == VAL_STR ? v->s : STR("");

			name_map_put(r->a, &r->shared, str_lower(r->a, reader_until(s, " ")), v);
		}
	return NULL;
}

static struct err *assets_library(struct reader *r, const struct val *v)
{
	struct str name, version;
	struct val *type;
	struct dep *d;

	TRY(reader_require_entry_type(r, v, VAL_MAP));
	TRY(reader_get_member(r, v, reader_entry_name(r, v), "type", VAL_STR, &type));
	if (type && str_is(type->s, "project"))
		return NULL;
	if (!reader_split_at(v->key, '/', 0, &name, &version) || !name.n)
		return reader_error_at(r, v->key_at.from, "'%.*s' is no package with its version",
				       STR_ARG(str_sub(v->key, 0, 200)));
	d = reader_add_dep(r, name, reader_string_part_span(r, v->key_at, v->key, name));
	d->version = version;
	d->locked = true;
	if (r->loaded)
		d->reach = name_map_get(&r->shared, str_lower(r->a, name)) ? DEPS_DIRECT
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

/*
 * C# without a project: "#:package Name@1.0" and "#:sdk Name@1.0"; in scripts, also of F#,
 * "#r \"nuget: Name, 1.0\"".
 */
struct err *nuget_script(struct reader *r)
{
	struct str rest = r->text, line, name;
	struct dep *d;

	r->reach = DEPS_DIRECT;
	while (str_next_line(&rest, &line)) {
		size_t n = reader_starts_with_any_of(line,
						     "#:package |#:sdk |#r \"nuget:|#r \"nuget ");
		bool script = n && line.p[1] == 'r';

		if (!n)
			continue;
		line = str_trim(str_sub(line, n, script ? str_find_char(line, '"', n) : line.n));
		name = str_trim(reader_until(line, script ? "," : "@"));
		if (!name.n)
			continue;
		d = reader_add_dep_slice(r, name);
		line = str_sub(line, (size_t)(name.p - line.p) + name.n, line.n);
		nuget_version(d,
			      str_trim(str_sub(line, str_find_char(line, script ? ',' : '@', 0) + 1,
					       line.n)));
	}
	return NULL;
}

static bool nuget_label(struct arena *a, struct str s, struct buf *b)
{
	struct str part, digits, word;
	bool number;

	if (!s.n || s.p[s.n - 1] == '.')
		return false;
	while (str_next_part(&s, '.', &part)) {
		for (size_t i = 0; i < part.n; i++)
			if (!ascii_is_alnum(part.p[i]) && part.p[i] != '-')
				return false;
		word = part;
		if (!part.n)
			return false;
		number = number_take_digits(&word, &digits) && !word.n;
		key_append_part(b, number ? 1 : 2, number ? digits : str_lower(a, part), number);
	}
	return true;
}

static bool nuget_version_key(struct arena *a, struct str text, struct str *key)
{
	struct buf b = buf_in(a);
	struct str digits;
	unsigned n = 0;

	text = reader_until(reader_skip_prefix(text, "v|V"), "+");
	do {
		if (n == 4 || !number_take_digits(&text, &digits))
			return false;
		key_append_number(&b, digits);
		n++;
		digits = text;
		text = reader_skip_prefix(text, ".");
	} while (text.n < digits.n);
	for (; n < 4; n++)
		key_append_number(&b, STR("0"));
	if (text.n && text.p[0] != '-')
		return false;
	buf_putc(&b, text.n ? 1 : 2);
	if (text.n && !nuget_label(a, str_sub(text, 1, text.n), &b))
		return false;
	buf_putc(&b, 0);
	*key = buf_as_str(&b);
	return true;
}

/* "1.2.*", and "1.2.3-*" for all pre-releases and the release. */
static bool nuget_prefix(struct arena *a, struct str text, struct str *lo, struct str *hi)
{
	struct buf b = buf_in(a);
	struct str rest = text, part, last = {"", 0};
	size_t before = 0;

	if (text.n && text.p[text.n - 1] == '-')
		rest = str_sub(text, 0, text.n - 1);
	for (unsigned n = 0; str_next_part(&rest, '.', &part); n++) {
		struct str s = part;

		before = b.n;
		if (n == 4 || !number_take_digits(&s, &last) || s.n)
			return false;
		key_append_number(&b, last);
	}
	if (!last.n)
		return false;
	*lo = str_dup(a, buf_as_str(&b));
	b.n = before;
	key_append_number(&b, number_plus_one(a, last));
	*hi = buf_as_str(&b);
	return true;
}

static bool nuget_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	if (str_is(text, "*")) {
		*out = (struct cuts){
			.lo = STR(""), .hi = CUT_HIGHEST, .equal = true, .whole = true};
		return true;
	}
	if (text.n > 1 && str_ends(text, STR("*")) &&
	    nuget_prefix(a, str_sub(text, 0, text.n - 1 - str_ends(text, STR(".*"))), &out->lo,
			 &out->hi))
		return true;
	if (!nuget_version_key(a, text, &out->lo))
		return false;
	out->hi = version_bound_above_prefix(a, out->lo);
	out->bare = ">="; /* alone it is the lowest version, and not the only one */
	return true;
}

const struct versions versions_nuget = {
	.key = nuget_version_key,
	.cuts = nuget_version_bounds,
	.operators = ">= <= != == > < =",
	.ends = ",<>=!",
	.skipped = "",
	.is = RANGE_BRACKETS | RANGE_SIDES,
	.lowest = STR_INIT(""),
	.syntax = "1.0 (or higher), [1.0,2.0), (,1.5], [1.2], 1.*; also >=1 <2 and ||",
};
