#include "deps/nuget.h"

/*
 * MSBuild reads the nearest Directory.Build.props and Directory.Packages.props above a project.
 * Which conditions hold, and which other files are imported, only MSBuild knows: a property with a
 * condition, or with two values, is not certain.
 */

#define NUGET_TEXT_MAX   1024
#define NUGET_STEPS_MAX  256
#define NUGET_NESTED_MAX 32
#define NUGET_FILE_MAX   ((size_t)8 << 20)

static bool nuget_is(const struct xml *v, const char *name)
{
	return str_ieq(v->name, str_of(name));
}

/* A value of the project replaces one of a file above it. */
static void nuget_property(struct nuget *n, const struct xml *p, bool certain, size_t above)
{
	struct str name = str_lower(n->r->a, p->name);
	struct val *had = val_get_key(n->properties, name), *v;

	certain = certain && !p->first && !xml_attr(p, "Condition", NULL).n;
	if (had && (had->type != VAL_STR || had->at.from == above)) {
		had->type = VAL_NULL;
		return;
	}
	if (had && certain) {
		had->s = p->text;
		had->at.from = above;
		return;
	}
	if (had) {
		had->type = VAL_NULL;
		return;
	}
	v = certain ? val_str(n->r->a, p->text) : val_null(n->r->a);
	v->at.from = above; /* the file that set it */
	val_set_key(n->properties, name, v);
}

/* *left bounds the work: a property group has few members, but a hostile one may have millions. */
static void nuget_properties(struct nuget *n, const struct xml *v, bool certain, size_t above)
{
	XML_EACH(v, c)
	{
		bool plain = certain && !xml_attr(c, "Condition", NULL).n;

		if (nuget_is(c, "PropertyGroup")) {
			XML_EACH(c, p)
			if (n->properties->n < 4096)
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
				version = xml_text(c, "Version");
			if (name.n)
				val_set_key(n->central, str_lower(n->r->a, str_trim(name)),
					    val_str(n->r->a, version));
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
	while (!found && reader_up(&folder)) {
		path = reader_inside(n->r, folder, name);
		if (str_eq(path, n->r->path))
			return NULL;
		TRY(reader_file(n->r, path, &text, &found));
	}
	if (found && (text.n > NUGET_FILE_MAX || xml_read(n->r->a, text, out)))
		*out = NULL;
	return NULL;
}

struct err *nuget_load(struct nuget *n)
{
	struct xml *build, *packages;

	n->properties = val_map(n->r->a);
	n->central = val_map(n->r->a);
	TRY(nuget_above(n, "Directory.Build.props", &build));
	TRY(nuget_above(n, "Directory.Packages.props", &packages));
	nuget_properties(n, build, true, 1);
	nuget_properties(n, packages, true, 2);
	nuget_properties(n, n->top, true, 3);
	nuget_versions(n, packages);
	return NULL;
}

struct nuget_expansion {
	struct nuget *n;
	struct buf text;
	unsigned steps, nested;
};

static bool nuget_expand_into(struct nuget_expansion *x, struct str text)
{
	size_t i = 0, at;

	if (str_find(text, STR("@("), 0) != SIZE_MAX || str_find(text, STR("%("), 0) != SIZE_MAX)
		return false;
	while ((at = str_find(text, STR("$("), i)) != SIZE_MAX) {
		size_t end = str_find_char(text, ')', at);
		const struct val *v;
		bool works;

		if (end == SIZE_MAX || ++x->steps > NUGET_STEPS_MAX ||
		    x->nested == NUGET_NESTED_MAX)
			return false;
		v = reader_find(x->n->r, x->n->properties,
				str_lower(x->n->r->a, str_trim(str_sub(text, at + 2, end))));
		if (!v || v->type != VAL_STR)
			return false;
		buf_put(&x->text, str_sub(text, i, at));
		x->nested++;
		works = nuget_expand_into(x, v->s);
		x->nested--;
		if (!works)
			return false;
		i = end + 1;
	}
	buf_put(&x->text, str_sub(text, i, text.n));
	return !x->text.cut;
}

bool nuget_expand(struct nuget *n, struct str text, struct str *out)
{
	struct nuget_expansion x = {.n = n};

	*out = text;
	if (str_find_char(text, '(', 0) == SIZE_MAX)
		return true;
	x.text = buf_max(n->r->a, NUGET_TEXT_MAX);
	if (!nuget_expand_into(&x, text))
		return false;
	*out = str_trim(buf_str(&x.text));
	return true;
}

struct str nuget_central(struct nuget *n, struct str name)
{
	const struct val *v = reader_find(n->r, n->central, str_lower(n->r->a, name));

	return v ? v->s : STR("");
}
