#include "deps/pypi.h"

/* The form in which a place of pyproject.toml lists packages. */
enum shape {
	REQUIREMENTS, /* a list of PEP 508 strings */
	GROUP,        /* the same, with {include-group = "…"} between them (PEP 735) */
	TABLES,       /* the same, or tables with such a string as "requirement" or "value" */
	PYTHON,       /* the version of Python, a string */
	POETRY, /* a table: name = "^1.0", { version = "…", … } or a list of such tables */
};

/* A star matches any key, or any item of a list. */
static const struct {
	const char *path;
	enum shape shape;
} places[] = {
	{"build-system.requires", REQUIREMENTS},
	{"project.requires-python", PYTHON},
	{"tool.flit.metadata.requires-python", PYTHON},
	{"project.dependencies", REQUIREMENTS},
	{"project.optional-dependencies.*", REQUIREMENTS},
	{"dependency-groups.*", GROUP},
	{"tool.poetry.dependencies", POETRY},
	{"tool.poetry.dev-dependencies", POETRY},
	{"tool.poetry.group.*.dependencies", POETRY},
	{"tool.poetry.requires-plugins", POETRY},
	{"tool.uv.dev-dependencies", REQUIREMENTS},
	{"tool.uv.constraint-dependencies", REQUIREMENTS},
	{"tool.uv.override-dependencies", REQUIREMENTS},
	{"tool.uv.build-constraint-dependencies", REQUIREMENTS},
	{"tool.uv.extra-build-dependencies.*", TABLES},
	{"tool.uv.dependency-metadata.*.requires-dist", REQUIREMENTS},
	{"tool.pdm.dev-dependencies.*", REQUIREMENTS},
	{"tool.pdm.resolution.overrides", POETRY},
	{"tool.rye.dev-dependencies", REQUIREMENTS},
	{"tool.flit.metadata.requires", REQUIREMENTS},
	{"tool.flit.metadata.requires-extra.*", REQUIREMENTS},
	{"tool.hatch.envs.*.dependencies", REQUIREMENTS},
	{"tool.hatch.envs.*.extra-dependencies", REQUIREMENTS},
	{"tool.hatch.build.dependencies", REQUIREMENTS},
	{"tool.hatch.build.targets.*.dependencies", REQUIREMENTS},
	{"tool.hatch.build.hooks.*.dependencies", REQUIREMENTS},
	{"tool.hatch.build.targets.*.hooks.*.dependencies", REQUIREMENTS},
	{"tool.hatch.env.requires", REQUIREMENTS},
	{"tool.hatch.envs.*.overrides.*.*.dependencies", TABLES},
	{"tool.hatch.envs.*.overrides.*.*.set-dependencies", TABLES},
	{"tool.hatch.envs.*.overrides.*.*.extra-dependencies", TABLES},
	{"tool.hatch.envs.*.overrides.*.*.set-extra-dependencies", TABLES},
};

/* The requirement of a table with conditions. */
static const struct val *requirement_of_table(const struct val *v)
{
	const struct val *in = val_get(v, "requirement");

	return in ? in : val_get(v, "value");
}

static struct err *read_requirement_list(struct reader *r, const struct val *list, const char *path,
					 enum shape shape)
{
	TRY(reader_want(r, list, VAL_LIST, "%s", path));
	VAL_EACH(list, item) {
		const struct val *v = item;
		struct origin o;

		if (shape == TABLES && v->type == VAL_MAP && requirement_of_table(v))
			v = requirement_of_table(v);
		if (shape == GROUP && v->type == VAL_MAP) {
			const struct val *name = val_get(v, "include-group");

			/* The group itself is listed at its own place. */
			if (!name || name->type != VAL_STR || v->n != 1)
				return reader_bad(r, v->at.from,
						  "a table in %s must be { include-group = \"…\" }",
						  path);
			continue;
		}
		TRY(reader_want(r, v, VAL_STR, "an item of %s", path));
		o = origin_of(r, v);
		if (str_starts(v->s, STR("-e"))) /* pdm's editable requirements */
			TRY(pypi_line(r, &o, v->s));
		else
			TRY(pypi_requirement(r, &o, v->s));
	}
	return NULL;
}

/* Reads the version of a poetry entry. */
static struct err *read_poetry_entry(struct reader *r, const struct val *named, const struct val *v,
				     const char *path)
{
	struct val *version = NULL;
	struct dep *d;

	if (v->type == VAL_MAP)
		TRY(reader_member(r, v, path, "version", VAL_STR, &version));
	else if (v->type != VAL_STR)
		return reader_bad(r, v->at.from, "%s.%.*s is %s, and must be a string or a table",
				  path, STR_ARG(named->key), val_type_name(v->type));
	d = reader_add(r, named->key, reader_key_span(r, named));
	d->version = v->type == VAL_STR ? v->s : version ? version->s : (struct str){"", 0};
	return NULL;
}

static struct err *read_poetry(struct reader *r, const struct val *map, const char *path)
{
	TRY(reader_want(r, map, VAL_MAP, "%s", path));
	VAL_EACH(map, v) {
		if (str_ieq(v->key, STR("python"))) {
			const struct val *version = v->type == VAL_MAP ? val_get(v, "version") : v;

			if (version && version->type == VAL_STR)
				reader_runtime(r, v->key, STR(""), version->s,
					       reader_key_span(r, v));
			continue;
		}
		if (v->type != VAL_LIST)
			TRY(read_poetry_entry(r, v, v, path));
		else
			VAL_EACH(v, one) /* one entry for each platform or Python version */
				TRY(read_poetry_entry(r, v, one, path));
	}
	return NULL;
}

static struct err *pyproject_walk(struct reader *r, const struct val *v, struct str rest,
				  const char *path, enum shape shape)
{
	struct str part;

	if (!str_split(&rest, '.', &part)) {
		if (shape != PYTHON)
			return shape == POETRY ? read_poetry(r, v, path)
					       : read_requirement_list(r, v, path, shape);
		pypi_python(r, v);
		return NULL;
	}
	if (v->type == VAL_LIST && str_is(part, "*")) {
		VAL_EACH(v, m)
			TRY(pyproject_walk(r, m, rest, path, shape));
		return NULL;
	}
	/* The path so far, without its dot; the top is always a map. */
	TRY(reader_want(r, v, VAL_MAP, "%.*s", (int)(part.p - path) - 1, path));
	VAL_EACH(v, m)
		if (str_is(part, "*") || str_eq(m->key, part))
			TRY(pyproject_walk(r, m, rest, path, shape));
	return NULL;
}

/* A dynamic field comes from this file: it is judged under its own name, or it is unresolved. */
static struct err *dynamic_file(struct reader *r, const struct val *file)
{
	const char *why = NULL;
	struct str path;
	bool known, found;

	TRY(reader_want(r, file, VAL_STR, "the file of a dynamic field"));
	if (!reader_beside(r, file->s, &path)) {
		why = "the file lies outside the tree";
	} else {
		TRY(reader_has(r, path, &known, &found));
		if (known && !found)
			why = "the file is not in the tree";
		else if (!deps_is_requirements(path))
			why = "the file is not named like a requirements file";
		if (found && why)
			strs_push(r->a, &r->out->includes, path);
	}
	if (why)
		reader_unresolved(r, file->s, reader_span(r, file->at, file->s, file->s), "%s",
				  why);
	return NULL;
}

/* One file, a list of files, or a table with files. */
static struct err *dynamic_files(struct reader *r, const struct val *v, bool *any)
{
	if (!v)
		return NULL;
	if (v->type == VAL_STR) {
		*any = true;
		return dynamic_file(r, v);
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
	const struct val *tool = val_get(top, "tool"), *v;

	v = val_get_key(val_get(val_get(tool, "setuptools"), "dynamic"), field);
	if (v && v->type == VAL_MAP) {
		TRY(dynamic_files(r, val_get(v, "file"), any));
		VAL_EACH(v, extra)
			if (extra->type == VAL_MAP)
				TRY(dynamic_files(r, val_get(extra, "file"), any));
	}
	v = val_get(val_get(val_get(tool, "hatch"), "metadata"), "hooks");
	v = val_get(v, "requirements_txt");
	TRY(dynamic_files(
		r, val_get(v, str_is(field, "dependencies") ? "files" : "optional-dependencies"),
		any));
	if (val_get(val_get(tool, "poetry"), "dependencies"))
		*any = true;
	return NULL;
}

/* Fields that a program fills in at build time. */
static struct err *read_dynamic(struct reader *r, const struct val *top)
{
	struct val *list;

	TRY(reader_member(r, val_get(top, "project"), "project", "dynamic", VAL_LIST, &list));
	VAL_EACH(list, v) {
		bool any = false;

		if (v->type != VAL_STR ||
		    (!str_is(v->s, "dependencies") && !str_is(v->s, "optional-dependencies")))
			continue;
		TRY(dynamic_source(r, top, v->s, &any));
		if (!any)
			reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
					  "a program decides these when the project is built");
	}
	return NULL;
}

struct err *pypi_pyproject(struct reader *r)
{
	struct val *top;

	TRY(reader_toml(r, &top));
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		TRY(pyproject_walk(r, top, str_of(places[i].path), places[i].path,
				   places[i].shape));
	TRY(pixi_tool(r, val_get(val_get(top, "tool"), "pixi")));
	return read_dynamic(r, top);
}
