#include "deps/pypi.h"

/* How a place of pyproject.toml lists packages. */
enum shape {
	REQUIREMENTS, /* a list of PEP 508 strings */
	GROUP,        /* the same, with {include-group = "…"} between them (PEP 735) */
	POETRY, /* a table: name = "^1.0", { version = "…", … } or a list of such tables */
};

/* A star is any key. */
static const struct {
	const char *path;
	enum shape shape;
} places[] = {
	{"build-system.requires", REQUIREMENTS},
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
	{"tool.pdm.dev-dependencies.*", REQUIREMENTS},
	{"tool.pdm.resolution.overrides", POETRY},
	{"tool.rye.dev-dependencies", REQUIREMENTS},
	{"tool.flit.metadata.requires", REQUIREMENTS},
	{"tool.flit.metadata.requires-extra.*", REQUIREMENTS},
	{"tool.hatch.envs.*.dependencies", REQUIREMENTS},
	{"tool.hatch.envs.*.extra-dependencies", REQUIREMENTS},
	{"tool.hatch.build.dependencies", REQUIREMENTS},
	{"tool.hatch.build.targets.*.dependencies", REQUIREMENTS},
};

static struct err *requirements(struct reader *r, const struct val *list, const char *path,
				bool group)
{
	TRY(reader_want(r, list, VAL_LIST, "%s", path));
	VAL_EACH(list, v) {
		struct origin o;

		if (group && v->type == VAL_MAP) {
			const struct val *name = val_get(v, "include-group");

			/* The group itself is listed where it stands. */
			if (!name || name->type != VAL_STR || v->n != 1)
				return reader_bad(r, v->at.from,
						  "a table in %s must be { include-group = \"…\" }",
						  path);
			continue;
		}
		TRY(reader_want(r, v, VAL_STR, "an item of %s", path));
		o = origin_of(r, v);
		if (str_starts(v->s, STR("-e"))) /* pdm's editable ones */
			TRY(pypi_line(r, &o, v->s));
		else
			TRY(pypi_requirement(r, &o, v->s));
	}
	return NULL;
}

/* What a poetry entry says of the version. */
static struct err *poetry_entry(struct reader *r, const struct val *named, const struct val *v,
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

static struct err *poetry(struct reader *r, const struct val *map, const char *path)
{
	TRY(reader_want(r, map, VAL_MAP, "%s", path));
	VAL_EACH(map, v) {
		if (str_ieq(v->key, STR("python")))
			continue; /* the interpreter */
		if (v->type != VAL_LIST)
			TRY(poetry_entry(r, v, v, path));
		else
			VAL_EACH(v, one) /* one for each platform or Python */
				TRY(poetry_entry(r, v, one, path));
	}
	return NULL;
}

static struct err *walk(struct reader *r, const struct val *v, struct str rest, const char *path,
			enum shape shape)
{
	struct str part;

	if (!str_split(&rest, '.', &part))
		return shape == POETRY ? poetry(r, v, path)
				       : requirements(r, v, path, shape == GROUP);
	/* The path up to here, without its dot; the top is a map for certain. */
	TRY(reader_want(r, v, VAL_MAP, "%.*s", (int)(part.p - path) - 1, path));
	VAL_EACH(v, m)
		if (str_is(part, "*") || str_eq(m->key, part))
			TRY(walk(r, m, rest, path, shape));
	return NULL;
}

/* setuptools can take a dynamic field from files; those that are manifests are read as such. */
static bool from_manifests(const struct val *top, struct str field)
{
	const struct val *v = val_get(val_get(val_get(top, "tool"), "setuptools"), "dynamic");
	const struct val *file = val_get(val_get_key(v, field), "file");

	if (!file)
		return false;
	if (file->type == VAL_STR)
		return deps_is_manifest(file->s);
	VAL_EACH(file, f)
		if (f->type != VAL_STR || !deps_is_manifest(f->s))
			return false;
	return file->n > 0;
}

/* Fields that a program fills in when the project is built. */
static struct err *dynamic(struct reader *r, const struct val *top)
{
	struct val *list;

	TRY(reader_member(r, val_get(top, "project"), "project", "dynamic", VAL_LIST, &list));
	VAL_EACH(list, v)
		if (v->type == VAL_STR &&
		    (str_is(v->s, "dependencies") || str_is(v->s, "optional-dependencies")) &&
		    !from_manifests(top, v->s))
			reader_unresolved(r, v->s, reader_span(r, v->at, v->s, v->s),
					  "a program decides these when the project is built");
	return NULL;
}

struct err *pypi_pyproject(struct reader *r)
{
	struct val *top;

	TRY(reader_toml(r, &top));
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		TRY(walk(r, top, str_of(places[i].path), places[i].path, places[i].shape));
	return dynamic(r, top);
}
