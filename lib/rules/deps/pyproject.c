#include "deps/pypi_requirement.h"

/* pdm's editable requirements are options of pip. */
static struct err *pyproject_item(struct reader *r, const struct val *v)
{
	struct origin o;

	if (v->type != VAL_STR || !str_starts(v->s, STR("-e")))
		return pypi_item(r, v);
	o = origin_of_toml_string(r, v);
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
		       : reader_error_at(r, v->at.from,
					 "a table in %s must be { include-group = \"…\" }", r->in);
}

/* A requirement, or a table with conditions that has one. */
static struct err *pyproject_table(struct reader *r, const struct val *v)
{
	const struct val *inner = val_get(v, "requirement");

	if (!inner)
		inner = val_get(v, "value");
	return inner && inner->type != VAL_STR
		       ? reader_require_type(r, inner, VAL_STR, "an item of %s", r->in)
		       : pyproject_item(r, inner ? inner : v);
}

/* A line of pip; {replace = "ref"} takes a list that is read at its own place. */
static struct err *pyproject_tox(struct reader *r, const struct val *v)
{
	struct origin o = origin_of_toml_string(r, v);

	if (v->type == VAL_STR)
		return pypi_line(r, &o, v->s);
	return str_is(val_get_str(v, "replace"), "ref")
		       ? NULL
		       : reader_add_unresolved(r, STR("tool.tox"), v->at, "tox computes it");
}

static struct err *pyproject_tox_ini(struct reader *r, const struct val *v)
{
	if (v->type != VAL_STR || !(str_holds(v->s, "deps") || str_holds(v->s, "requires")))
		return NULL;
	return reader_add_unresolved(r, STR("legacy_tox_ini"), v->at, "ikm does not read tox.ini");
}

/* One entry for each platform or Python version is a list. */
static struct err *pyproject_poetry(struct reader *r, const struct val *v)
{
	static const struct tree_row entry = {"", .version = "version", .is = TREE_TEXT};

	if (str_ieq(v->key, STR("python"))) {
		const struct val *version = v->type == VAL_MAP ? val_get(v, "version") : v;

		if (version && version->type == VAL_STR)
			reader_add_runtime(r, v->key, STR(""), version->s, reader_key_span(r, v));
		return NULL;
	}
	if (v->type != VAL_LIST)
		return reader_read_deps_by_table(r, v, &entry, 1);
	VAL_EACH(v, one) {
		struct val named = *one;

		named.key = v->key;
		named.key_at = v->key_at;
		TRY(reader_read_deps_by_table(r, &named, &entry, 1));
	}
	return NULL;
}

/* One file, a list of files, or a table with files: judged by themselves, or unresolved. */
static struct err *dynamic_files(struct reader *r, const struct val *v, bool *any)
{
	if (v && v->type == VAL_STR) {
		*any = true;
		return pypi_check_include(r, v->s, reader_val_span(r, v));
	}
	VAL_EACH(v, m)
		TRY(dynamic_files(r, m, any));
	return NULL;
}

/*
 * Fields that are filled in at build time. setuptools, and hatch with a plugin, can read them from
 * files; manifests among these are read. Poetry reads them from its own tables.
 */
static struct err *pyproject_dynamic(struct reader *r, const struct val *v)
{
	bool any = reader_get_path(r->top, "tool.poetry.dependencies");
	const struct val *set;

	if (v->type != VAL_STR ||
	    !reader_is_any_of_words(v->s, "dependencies|optional-dependencies"))
		return NULL;
	set = val_get_key(reader_get_path(r->top, "tool.setuptools.dynamic"), v->s);
	if (set && set->type == VAL_MAP) {
		TRY(dynamic_files(r, val_get(set, "file"), &any));
		VAL_EACH(set, extra)
			if (extra->type == VAL_MAP)
				TRY(dynamic_files(r, val_get(extra, "file"), &any));
	}
	set = reader_get_path(r->top, "tool.hatch.metadata.hooks.requirements_txt");
	TRY(dynamic_files(
		r, val_get(set, str_is(v->s, "dependencies") ? "files" : "optional-dependencies"),
		&any));
	return any ? NULL
		   : reader_add_unresolved(r, v->s, reader_val_span(r, v),
					   "a program decides these when the project is built");
}

/*
 * The tables of uv and of hatch are in pyproject.toml, or in a file of their own:
 * docs.astral.sh/uv/concepts/configuration-files/, hatch.pypa.io/latest/intro/#configuration
 */
/* clang-format off */
TREE_TABLE(uv_tables,
	{"dev-dependencies[]", .read = pyproject_item},
	{"constraint-dependencies[]", .read = pyproject_item},
	{"override-dependencies[]", .read = pyproject_item},
	{"build-constraint-dependencies[]", .read = pyproject_item},
	{"extra-build-dependencies*[]", .read = pyproject_table},
	{"dependency-metadata*.requires-dist[]", .read = pyproject_item})

TREE_TABLE(hatch_tables,
	{"envs*.dependencies[]", .read = pyproject_item},
	{"envs*.extra-dependencies[]", .read = pyproject_item},
	{"build.dependencies[]", .read = pyproject_item},
	{"build.targets*.dependencies[]", .read = pyproject_item},
	{"build.hooks*.dependencies[]", .read = pyproject_item},
	{"build.targets*.hooks*.dependencies[]", .read = pyproject_item},
	{"env.requires[]", .read = pyproject_item},
	{"envs*.overrides**.dependencies[]", .read = pyproject_table},
	{"envs*.overrides**.set-dependencies[]", .read = pyproject_table},
	{"envs*.overrides**.extra-dependencies[]", .read = pyproject_table},
	{"envs*.overrides**.set-extra-dependencies[]", .read = pyproject_table})
/* clang-format on */

/* The top of such a file is the tool's table. */
static struct err *pyproject_top(struct reader *r, const struct val *v)
{
	struct str name = str_base(r->path);

	if (str_ieq(name, STR("uv.toml")))
		return uv_tables(r, v);
	return str_ieq(name, STR("hatch.toml")) ? hatch_tables(r, v) : NULL;
}

/* clang-format off */
TREE_READER(pypi_pyproject, toml,
	{"", .read = pyproject_top},
	{"build-system.requires[]", .read = pyproject_item},
	{"project.requires-python", .runtime = "python"},
	{"tool.flit.metadata.requires-python", .runtime = "python"},
	{"project.dependencies[]", .read = pyproject_item},
	{"project.optional-dependencies*[]", .read = pyproject_item},
	{"dependency-groups*[]", .read = pyproject_group},
	{"tool.poetry.dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.dev-dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.group*.dependencies{}", .read = pyproject_poetry},
	{"tool.poetry.requires-plugins{}", .read = pyproject_poetry},
	{"tool.uv", .read = uv_tables},
	{"tool.pdm.dev-dependencies*[]", .read = pyproject_item},
	{"tool.pdm.resolution.overrides{}", .read = pyproject_poetry},
	{"tool.rye.dev-dependencies[]", .read = pyproject_item},
	{"tool.flit.metadata.requires[]", .read = pyproject_item},
	{"tool.flit.metadata.requires-extra*[]", .read = pyproject_item},
	{"tool.hatch", .read = hatch_tables},
	{"tool.pixi", .read = pixi_tables},
	{"tool.tox.legacy_tox_ini", .read = pyproject_tox_ini},
	{"tool.tox.requires[]", .read = pyproject_tox},
	{"tool.tox.env_run_base.deps[]", .read = pyproject_tox},
	{"tool.tox.env_base*.deps[]", .read = pyproject_tox},
	{"tool.tox.env*.deps[]", .read = pyproject_tox},
	{"project.dynamic[]", .read = pyproject_dynamic})
/* clang-format on */
