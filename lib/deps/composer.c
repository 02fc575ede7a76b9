#include "deps/reader.h"

/* composer.json and composer.lock of PHP. Names without a vendor are parts of the platform. */

bool composer_is_platform(struct str name)
{
	static const char *const names[] = {"php", "hhvm", "composer"};
	static const char *const heads[] = {"ext-", "lib-", "php-", "composer-"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_ieq(name, str_of(names[i])))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (name.n > strlen(heads[i]) &&
		    str_ieq(str_sub(name, 0, strlen(heads[i])), str_of(heads[i])))
			return str_find_char(name, '/', 0) == SIZE_MAX;
	return false;
}

enum deps_kind composer_kind(struct str name)
{
	struct str head = str_sub(name, 0, 4);

	return composer_is_platform(name) && !str_ieq(head, STR("ext-")) &&
			       !str_ieq(head, STR("lib-"))
		       ? DEPS_RUNTIME
		       : DEPS_PACKAGE;
}

static struct dep *composer_add(struct reader *r, const struct val *v)
{
	struct dep *d = reader_add(r, v->key, reader_key_span(r, v));

	d->kind = composer_kind(v->key);
	d->reach = DEPS_DIRECT;
	return d;
}

/* PHP writes an empty object as an empty list. */
static struct err *composer_map(struct reader *r, const struct val *top, const char *in,
				const char *key, struct val **out)
{
	const struct val *m = val_get(top, key);

	*out = NULL;
	return m && m->type == VAL_LIST && !m->n ? NULL
						 : reader_member(r, top, in, key, VAL_MAP, out);
}

/* "dev-main as 1.0.x-dev" is the branch; the alias only satisfies others. */
static struct str composer_constraint(struct str s)
{
	size_t as = str_find(s, STR(" as "), 0);

	return str_trim(str_sub(s, 0, as));
}

static struct err *composer_section(struct reader *r, const struct val *top, const char *key)
{
	struct val *map;

	TRY(composer_map(r, top, "", key, &map));
	VAL_EACH(map, v) {
		TRY(reader_want(r, v, VAL_STR, "%s.%.*s", key, STR_ARG(v->key)));
		composer_add(r, v)->version = composer_constraint(v->s);
	}
	return NULL;
}

/* The package in a repository of type "package" is written in the file itself. */
static struct err *composer_inline(struct reader *r, const struct val *v)
{
	if (v->type == VAL_LIST) {
		VAL_EACH(v, m)
			TRY(composer_inline(r, m));
	} else if (v->type == VAL_MAP) {
		const struct val *name = val_get(v, "name");
		struct dep *d;

		if (!name || name->type != VAL_STR)
			return NULL;
		d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));
		d->version = val_get_str(v, "version");
		d->locked = d->version.n > 0;
	}
	return NULL;
}

/*
 * Repositories beside packagist.org. A folder and a Git repository name their packages in their own
 * composer.json, and Composer refuses a package of another name, so a name in "require" is certain.
 */
static struct err *composer_repositories(struct reader *r, const struct val *top)
{
	const struct val *list = val_get(top, "repositories");

	if (list && list->type != VAL_LIST && list->type != VAL_MAP)
		return reader_bad(r, list->at.from, "repositories is %s, and must be a list",
				  val_type_name(list->type));
	VAL_EACH(list, v) {
		const struct val *package = val_get(v, "package");

		if (package && str_is(val_get_str(v, "type"), "package"))
			TRY(composer_inline(r, package));
	}
	return NULL;
}

struct err *composer_manifest(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	TRY(composer_section(r, top, "require"));
	TRY(composer_section(r, top, "require-dev"));
	return composer_repositories(r, top);
}

static struct err *composer_locked(struct reader *r, const struct val *top, const char *key)
{
	struct val *list;

	TRY(reader_member(r, top, "", key, VAL_LIST, &list));
	VAL_EACH(list, v) {
		struct val *name, *version;
		struct dep *d;

		TRY(reader_want(r, v, VAL_MAP, "an item of %s", key));
		TRY(reader_member(r, v, key, "name", VAL_STR, &name));
		TRY(reader_member(r, v, key, "version", VAL_STR, &version));
		if (!name)
			return reader_bad(r, v->at.from, "a package of %s has no name", key);
		d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));
		d->version = version ? version->s : STR("");
		d->locked = d->version.n > 0;
	}
	return NULL;
}

struct err *composer_lock(struct reader *r)
{
	struct val *top;

	TRY(reader_json(r, &top));
	TRY(composer_locked(r, top, "packages"));
	TRY(composer_locked(r, top, "packages-dev"));
	TRY(composer_section(r, top, "platform"));
	return composer_section(r, top, "platform-dev");
}
