/* gradle: shared by the readers of Gradle's files; private to deps. */
#ifndef IKM_DEPS_GRADLE_H
#define IKM_DEPS_GRADLE_H

#include "deps/program.h"

/* A version catalog that builds refer to: libs.a.b. Names have dots for - and _. */
struct gradle_catalog {
	struct str name;
	struct val *libraries, *bundles, *plugins;
	bool more; /* a part of it comes from where ikm does not look */
};

struct gradle {
	struct reader *r;
	struct tokens v;
	bool *listed; /* strings that the list has already */
	struct {
		struct gradle_catalog *p;
		size_t n, cap;
	} catalogs;
	bool looked;
	unsigned nested;
};

/* "group:artifact", with or without ":version[:classifier][@type]". */
bool gradle_split(struct str s, struct str *name, struct str *artifact, struct str *version);
struct dep *gradle_add(struct gradle *g, struct str name, struct span at);
/* The tokens [i, end) are unresolved. */
void gradle_unknown(struct gradle *g, size_t i, size_t end, const char *why);

/* ---- gradle_catalog.c ---- */

/*
 * CATALOG.a.b at i, up to end: lists what the catalog has under that name. *why becomes NULL, or
 * the reason when a catalog of that name does not have it; else it stays.
 */
struct err *gradle_reference(struct gradle *g, size_t i, size_t end, const char **why) MUST_USE;
/* versionCatalogs { … } of settings.gradle at i: lists what its catalogs declare. *end: behind it.
 */
struct err *gradle_settings(struct gradle *g, size_t i, size_t *end) MUST_USE;

#endif
