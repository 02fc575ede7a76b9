#include "deps/reader.h"

/*
 * pubspec.yaml, pubspec_overrides.yaml and pubspec.lock of Dart. Packages of an SDK count too: a
 * team may forbid flutter_driver. They have no version of their own.
 */

/* The name in a registry, when the entry has another one: hosted: {name: x}. */
static const struct val *pub_hosted_name(const struct val *v)
{
	const struct val *name = val_get(val_get(v, "hosted"), "name");

	return name && name->type == VAL_STR ? name : NULL;
}

static struct err *pub_add(struct reader *r, const struct val *v, const char *in)
{
	const struct val *real = pub_hosted_name(v);
	struct val *version = NULL;
	struct dep *d;

	if (v->type == VAL_MAP)
		TRY(reader_member(r, v, in, "version", VAL_STR, &version));
	else if (v->type != VAL_NULL && !(v->type == VAL_NUM && v->plain))
		TRY(reader_want(r, v, VAL_STR, "%s.%.*s", in, STR_ARG(v->key)));
	d = real ? reader_add(r, real->s, reader_span(r, real->at, real->s, real->s))
		 : reader_add(r, v->key, reader_key_span(r, v));
	if (!str_eq(d->name, v->key))
		d->written = v->key;
	d->reach = DEPS_DIRECT;
	if (version)
		d->version = version->s;
	else if (v->type == VAL_STR || v->type == VAL_NUM)
		d->version = v->s;
	if (str_is(d->version, "any"))
		d->version = STR("");
	return NULL;
}

struct err *pub_manifest(struct reader *r)
{
	static const char *const sections[] = {"dependencies", "dev_dependencies",
					       "dependency_overrides"};
	struct val *top, *map;

	TRY(reader_yaml(r, &top));
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		TRY(reader_member(r, top, "", sections[i], VAL_MAP, &map));
		VAL_EACH(map, v)
			TRY(pub_add(r, v, sections[i]));
	}
	/* "sdk" is Dart's; the others have their names. */
	map = val_get(top, "environment");
	VAL_EACH(map && map->type == VAL_MAP ? map : NULL, v)
		if (v->type == VAL_STR)
			reader_runtime(r, str_is(v->key, "sdk") ? STR("dart") : v->key,
				       str_is(v->key, "sdk") ? v->key : STR(""), v->s,
				       reader_key_span(r, v));
	return NULL;
}

struct err *pub_lock(struct reader *r)
{
	struct val *top, *packages;

	TRY(reader_yaml(r, &top));
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &packages));
	VAL_EACH(packages, v) {
		const struct val *real;
		struct str kind;
		struct dep *d;

		TRY(reader_want(r, v, VAL_MAP, "packages.%.*s", STR_ARG(v->key)));
		real = val_get(val_get(v, "description"), "name");
		d = real && real->type == VAL_STR
			    ? reader_add(r, real->s, reader_span(r, real->at, real->s, real->s))
			    : reader_add(r, v->key, reader_key_span(r, v));
		if (!str_eq(d->name, v->key))
			d->written = v->key;
		kind = val_get_str(v, "dependency");
		d->reach = str_is(kind, "transitive") ? DEPS_TRANSITIVE : DEPS_DIRECT;
		if (!str_is(val_get_str(v, "source"), "sdk"))
			d->version = val_get_str(v, "version");
		d->locked = d->version.n > 0;
	}
	return NULL;
}
