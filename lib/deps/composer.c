#include "deps/reader.h"

bool composer_is_platform(struct str name)
{
	static const char *const heads[] = {"ext-", "lib-", "php-", "composer-"};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (name.n > strlen(heads[i]) &&
		    str_ieq(str_sub(name, 0, strlen(heads[i])), str_of(heads[i])))
			return str_find_char(name, '/', 0) == SIZE_MAX;
	return str_ieq(name, STR("php")) || str_ieq(name, STR("hhvm")) ||
	       str_ieq(name, STR("composer"));
}

enum deps_kind composer_kind(struct str name)
{
	struct str head = str_sub(name, 0, 4);
	bool part = str_ieq(head, STR("ext-")) || str_ieq(head, STR("lib-"));

	return composer_is_platform(name) && !part ? DEPS_RUNTIME : DEPS_PACKAGE;
}

/* "dev-main as 1.0.x-dev" is the branch; the alias only satisfies others. */
static struct err *composer_entry(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	d->kind = composer_kind(v->key);
	d->version = str_trim(str_sub(v->s, 0, str_find(v->s, STR(" as "), 0)));
	return NULL;
}

/* The package in a repository of type "package" is written in the file itself. */
static struct err *composer_inline(struct reader *r, const struct val *v)
{
	if (v->type == VAL_LIST) {
		VAL_EACH(v, m)
			TRY(composer_inline(r, m));
	} else if (v->type == VAL_MAP) {
		const struct val *name = reader_get_str(v, "name");

		if (name)
			reader_lock(reader_add_val(r, name), val_get_str(v, "version"));
	}
	return NULL;
}

/*
 * Repositories beside packagist.org. A folder and a Git repository name their packages in their own
 * composer.json, and Composer refuses a package of another name, so a name in "require" is certain.
 */
static struct err *composer_repositories(struct reader *r, const struct val *list)
{
	if (list->type != VAL_LIST && list->type != VAL_MAP)
		return reader_bad(r, list->at.from, "%s is %s, and must be a list",
				  tree_name(r, list), val_type_name(list->type));
	VAL_EACH(list, v) {
		const struct val *package = val_get(v, "package");

		if (package && str_is(val_get_str(v, "type"), "package"))
			TRY(composer_inline(r, package));
	}
	return NULL;
}

#define COMPOSER_ENTRY  .is = TREE_DIRECT | TREE_TEXT, .each = composer_entry
#define COMPOSER_LOCKED .name = "name", .version = "version", .is = TREE_LOCKED

TREE_READER(composer_manifest, json, {"require{}", COMPOSER_ENTRY},
	    {"require-dev{}", COMPOSER_ENTRY}, {"repositories", .read = composer_repositories})

TREE_READER(composer_lock, json, {"packages[]", COMPOSER_LOCKED},
	    {"packages-dev[]", COMPOSER_LOCKED}, {"platform{}", COMPOSER_ENTRY},
	    {"platform-dev{}", COMPOSER_ENTRY})
