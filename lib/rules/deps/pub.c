#include "deps/reader.h"

/*
 * pubspec.yaml, pubspec_overrides.yaml and pubspec.lock of Dart. Packages of an SDK count too: a
 * team may forbid flutter_driver. They have no version of their own.
 */

/* "sdk" is Dart's; the others have their names. */
static struct err *pub_environment(struct reader *r, const struct val *v)
{
	VAL_EACH(v->type == VAL_MAP ? v : NULL, m)
		if (m->type == VAL_STR)
			reader_add_runtime(r, str_is(m->key, "sdk") ? STR("dart") : m->key,
					   str_is(m->key, "sdk") ? m->key : STR(""), m->s,
					   reader_key_span(r, m));
	return NULL;
}

static struct err *pub_locked(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	d->reach =
		str_is(val_get_str(v, "dependency"), "transitive") ? DEPS_TRANSITIVE : DEPS_DIRECT;
	if (str_is(val_get_str(v, "source"), "sdk"))
		reader_set_locked_version(d, STR(""));
	return NULL;
}

#define PUB_ENTRY                                                                                  \
	.version = "version", .any = "any", .real = "hosted.name",                                 \
	.is = TREE_DIRECT | TREE_TEXT | TREE_NULL

TREE_READER(pub_manifest, yaml, {"dependencies{}", PUB_ENTRY}, {"dev_dependencies{}", PUB_ENTRY},
	    {"dependency_overrides{}", PUB_ENTRY}, {"environment", .read = pub_environment})

TREE_READER(pub_lock, yaml,
	    {"packages{}", .version = "version", .real = "description.name", .is = TREE_LOCKED,
	     .each = pub_locked})
