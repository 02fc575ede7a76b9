#include "deps/pypi.h"

/* pdm's editable requirements are options of pip. */
static struct err *pyproject_item(struct reader *r, const struct val *v)
{
	struct origin o;

	if (v->type != VAL_STR || !str_starts(v->s, STR("-e")))
		return pypi_item(r, v);
	o = origin_of(r, v);
	return pypi_line(r, &o, v->s);
}

/* {include-group = "…"} between the requirements (PEP 735): the group is listed at its own place.
 */
static struct err *pyproject_group(struct reader *r, const struct val *v)
{
	if (v->type != VAL_MAP)
		return pyproject_item(r, v);
	return v->n == 1 && reader_get_str(v, "include-group")
		       ? NULL
		       : reader_bad(r, v->at.from,
				    "a table in %s must be { include-group = \"…\" }", r->in);
}

/* A requirement, or a table with conditions that has one. */
static struct err *pyproject_table(struct reader *r, const struct val *v)
{
	const struct val *inner = val_get(v, "requirement");

	if (!inner)
		inner = val_get(v, "value");
	return inner && inner->type != VAL_STR
		       ? reader_want(r, inner, VAL_STR, "an item of %s", r->in)
		       : pyproject_item(r, inner ? inner : v);
}

/* One entry for each platform or Python version is a list. */
static struct err *pyproject_poetry(struct reader *r, const struct val *v)
{
	static const struct tree_row entry = {"", .version = "version", .is = TREE_TEXT};

	if (str_ieq(v->key, STR("python"))) {
		const struct val *version = v->type == VAL_MAP ? val_get(v, "version") : v;

		if (version && version->type == VAL_STR)
			reader_runtime(r, v->key, STR(""), version->s, reader_key_span(r, v));
		return NULL;
	}
	if (v->type != VAL_LIST)
		return tree_rows(r, v, &entry, 1);
	VAL_EACH(v, one) {
		struct val named = *one;

		named.key = v->key;
		named.key_at = v->key_at;
		TRY(tree_rows(r, &named, &entry, 1));
	}
	return NULL;
}

/* One file, a list of files, or a table with files. */
static struct err *dynamic_files(struct reader *r, const struct val *v, bool *any)
{
	if (!v)
		return NULL;
	if (v->type == VAL_STR) {
		/* It is judged under its own name, or it is unresolved. */
		*any = true;
		return pypi_include(r, v->s, reader_span(r, v->at, v->s, v->s));
	}
	VAL_EACH(v, m)
		TRY(dynamic_files(r, m, any));
	return NULL;
}

/*
 * setuptools, and hatch with a plugin, can read a dynamic field from files; manifests among these
 * are read. Poetry reads it from its own tables. *any: such a source exists.
 */
static struct err *dynamic_source(struct reader *r, const struct val *top, struct str field,
				  bool *any)
{
	const struct val *v = val_get_key(reader_get(top, "tool.setuptools.dynamic"), field);

	if (v && v->type == VAL_MAP) {
		TRY(dynamic_files(r, val_get(v, "file"), any));
		VAL_EACH(v, extra)
			if (extra->type == VAL_MAP)
				TRY(dynamic_files(r, val_get(extra, "file"), any));
	}
	v = reader_get(top, "tool.hatch.metadata.hooks.requirements_txt");
	TRY(dynamic_files(
		r, val_get(v, str_is(field, "dependencies") ? "files" : "optional-dependencies"),
		any));
	if (reader_get(top, "tool.poetry.dependencies"))
		*any = true;
	return NULL;
}

/* Fields that a program fills in at build time. */
static struct err *pyproject_dynamic(struct reader *r, const struct val *v)
{
	bool any = false;

	if (v->type != VAL_STR ||
	    (!str_is(v->s, "dependencies") && !str_is(v->s, "optional-dependencies")))
		return NULL;
	TRY(dynamic_source(r, r->top, v->s, &any));
	if (!any)
		reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
				  "a program decides these when the project is built");
	return NULL;
}

/* clang-format off */
TREE_READER(pypi_pyproject, toml,
	{"build-system.requires[]", .read = pyproject_item},
	{"project.requires-python", .read = pypi_python},
	{"tool.flit.metadata.requires-python", .read = pypi_python},
	{"project.dependencies[]", .read = pyproject_item},
	{"project.optional-dependencies*[]", .read = pyproject_item},
	{"dependency-groups*[]", .read = pyproject_group},
	{"tool.poetry.dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.dev-dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.group*.dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.requires-plugins{}", .read = pyproject_poetry},
	{"tool.uv.dev-dependencies[]", .read = pyproject_item},
	{"tool.uv.constraint-dependencies[]", .read = pyproject_item},
	{"tool.uv.override-dependencies[]", .read = pyproject_item},
	{"tool.uv.build-constraint-dependencies[]", .read = pyproject_item},
	{"tool.uv.extra-build-dependencies*[]", .read = pyproject_table},
	{"tool.uv.dependency-metadata*.requires-dist[]", .read = pyproject_item},
	{"tool.pdm.dev-dependencies*[]", .read = pyproject_item},
	{"tool.pdm.resolution.overrides{}", .read = pyproject_poetry},
	{"tool.rye.dev-dependencies[]", .read = pyproject_item},
	{"tool.flit.metadata.requires[]", .read = pyproject_item},
	{"tool.flit.metadata.requires-extra*[]", .read = pyproject_item},
	{"tool.hatch.envs*.dependencies[]", .read = pyproject_item},
	{"tool.hatch.envs*.extra-dependencies[]", .read = pyproject_item},
	{"tool.hatch.build.dependencies[]", .read = pyproject_item},
	{"tool.hatch.build.targets*.dependencies[]", .read = pyproject_item},
	{"tool.hatch.build.hooks*.dependencies[]", .read = pyproject_item},
	{"tool.hatch.build.targets*.hooks*.dependencies[]", .read = pyproject_item},
	{"tool.hatch.env.requires[]", .read = pyproject_item},
	{"tool.hatch.envs*.overrides**.dependencies[]", .read = pyproject_table},
	{"tool.hatch.envs*.overrides**.set-dependencies[]", .read = pyproject_table},
	{"tool.hatch.envs*.overrides**.extra-dependencies[]", .read = pyproject_table},
	{"tool.hatch.envs*.overrides**.set-extra-dependencies[]", .read = pyproject_table},
	{"tool.pixi", .read = pixi_tables},
	{"project.dynamic[]", .read = pyproject_dynamic})
/* clang-format on */
