#include "deps/npm_spec.h"
#include "json/json.h"
#include "yaml/yaml.h"

/*
 * Catalogs: pnpm has them in pnpm-workspace.yaml, yarn in .yarnrc.yml, bun in package.json, each at
 * the top of the workspace. So ikm searches from the manifest's folder upwards.
 */

static bool catalog_is_version(const struct val *v)
{
	return v->type == VAL_STR || (v->type == VAL_NUM && v->plain);
}

static const struct val *catalog_in(struct reader *r, const struct val *v, struct str catalog,
				    struct str package)
{
	const struct val *set = NULL, *named;

	if (!catalog.n || str_is(catalog, "default"))
		set = reader_find(r, reader_find(r, v, STR("catalog")), package);
	if (set)
		return catalog_is_version(set) ? set : NULL;
	named = reader_find(r, reader_find(r, v, STR("catalogs")),
			    catalog.n ? catalog : STR("default"));
	set = reader_find(r, named, package);
	return set && catalog_is_version(set) ? set : NULL;
}

/* The three files of one folder; a file that cannot be read has no catalogs. */
static struct err *catalog_load(struct reader *r, struct str folder)
{
	static const char *const names[] = {"pnpm-workspace.yaml", ".yarnrc.yml", "package.json"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct str path =
			str_fmt(r->a, "%.*s%s%s", STR_ARG(folder), folder.n ? "/" : "", names[i]);
		struct str text;
		struct val *top;
		bool found;

		if (str_eq(path, r->path))
			continue;
		TRY(reader_file(r, path, &text, &found));
		if (!found)
			continue;
		if (i < 2 ? yaml_read(r->a, text, STR(""), 0, &top)
			  : json_read(r->a, text, NULL, &top))
			continue;
		*VEC_PUSH(r->a, &r->catalogs) = top;
	}
	return NULL;
}

static struct err *catalog_load_all(struct reader *r)
{
	size_t slash = str_rfind_char(r->path, '/');
	struct str folder = str_sub(r->path, 0, slash == SIZE_MAX ? 0 : slash);

	r->catalogs_loaded = true;
	*VEC_PUSH(r->a, &r->catalogs) = r->top;
	for (;;) {
		TRY(catalog_load(r, folder));
		if (!folder.n)
			return NULL;
		slash = str_rfind_char(folder, '/');
		folder = str_sub(folder, 0, slash == SIZE_MAX ? 0 : slash);
	}
}

struct err *npm_catalog(struct reader *r, struct str catalog, struct str package,
			const struct val **out)
{
	*out = NULL;
	if (!r->catalogs_loaded)
		TRY(catalog_load_all(r));
	for (size_t i = 0; i < r->catalogs.n && !*out; i++) {
		const struct val *top = r->catalogs.p[i];

		*out = catalog_in(r, top, catalog, package);
		if (!*out)
			*out = catalog_in(r, reader_find(r, top, STR("workspaces")), catalog,
					  package);
	}
	return NULL;
}
