#include "deps/npm_locked.h"

/*
 * package-lock.json and npm-shrinkwrap.json. Version 1 nests "dependencies"; version 3 has a flat
 * map "packages" of folders; version 2 has both, which say the same, so "packages" is read.
 */

static struct err *add(struct reader *r, const struct val *entry, struct str name, struct span at)
{
	const struct val *version = val_get(entry, "version"), *alias = val_get(entry, "name");
	const struct val *resolved = val_get(entry, "resolved");
	struct str real = name, number = {"", 0};
	struct npm_locked l;
	size_t i;

	if (version && version->type != VAL_NULL) {
		TRY(reader_want(r, version, VAL_STR, "the version of %.*s", STR_ARG(name)));
		number = version->s;
	}
	if (alias && alias->type != VAL_NULL) {
		TRY(reader_want(r, alias, VAL_STR, "the name of %.*s", STR_ARG(name)));
		real = alias->s;
		at = reader_span(r, alias->at, alias->s, alias->s);
	} else if (str_starts(number, STR("npm:"))) {
		/* Version 1 writes an alias as "version": "npm:NAME@VERSION". */
		i = str_find_char(number, '@', 5);
		real = str_sub(number, 4, i);
		at = reader_span(r, version->at, version->s, real);
		number = i == SIZE_MAX ? STR("") : str_sub(number, i + 1, number.n);
	}
	l = (struct npm_locked){name, real, at, number, {0}, {0}};
	if (resolved && resolved->type == VAL_STR) {
		l.resolved = resolved->s;
		l.resolved_at = resolved->at;
	}
	npm_locked_add(r, l);
	return NULL;
}

static struct err *nested(struct reader *r, const struct val *map)
{
	VAL_EACH(map, m) {
		struct val *more;

		TRY(reader_want(r, m, VAL_MAP, "dependencies.%.*s", STR_ARG(m->key)));
		TRY(add(r, m, m->key, reader_key_span(r, m)));
		TRY(reader_member(r, m, "", "dependencies", VAL_MAP, &more));
		TRY(nested(r, more)); /* as deep as JSON may be */
	}
	return NULL;
}

/* "node_modules/a/node_modules/@s/b" is @s/b; "packages/a" is no dependency but a folder of ours.
 */
static struct str package_of(struct str folder)
{
	static const char mark[] = "node_modules/";
	size_t n = sizeof(mark) - 1;

	for (size_t i = folder.n; i-- > 0;)
		if (str_starts(str_sub(folder, i, folder.n), STR("node_modules/")) &&
		    (!i || folder.p[i - 1] == '/'))
			return str_sub(folder, i + n, folder.n);
	return (struct str){"", 0};
}

static struct err *flat(struct reader *r, const struct val *map)
{
	VAL_EACH(map, m) {
		struct str name = package_of(m->key);

		TRY(reader_want(r, m, VAL_MAP, "packages.%.*s", STR_ARG(m->key)));
		if (name.n)
			TRY(add(r, m, name, reader_span(r, m->key_at, m->key, name)));
	}
	return NULL;
}

struct err *npm_lock(struct reader *r)
{
	struct val *top, *map;

	TRY(reader_json(r, &top));
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &map));
	if (map)
		return flat(r, map);
	TRY(reader_member(r, top, "", "dependencies", VAL_MAP, &map));
	return nested(r, map);
}
