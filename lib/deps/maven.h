/* maven: the model of a pom.xml with its parents in the tree. Private to deps. */
#ifndef IKM_DEPS_MAVEN_H
#define IKM_DEPS_MAVEN_H

#include "deps/reader.h"

#define MAVEN_PARENTS_MAX 32

/* One pom.xml: the manifest itself, or one of its parents. */
struct maven_pom {
	struct str path;
	const struct xml *project, *parent; /* parent: the element; or NULL */
	struct val *properties;             /* name and raw value; made on first use */
	struct val *managed;                /* "group:artifact" and version; made on first use */
	struct strs profiles;               /* sorted: properties that some profile sets too */
};

struct maven {
	struct reader *r;
	struct maven_pom poms[MAVEN_PARENTS_MAX]; /* the manifest, its parent, and so on */
	size_t n;
	/* The first parent that ikm did not read: its element, and why; NULL: the tree lacks it. */
	const struct xml *missing;
	const char *why;
};

/* Reads the parents that the tree has. */
struct err *maven_load(struct maven *m, const struct xml *project) MUST_USE;

/*
 * Replaces all ${…} of the text. False when a property is not in the poms, may have another value
 * in a profile, or refers to itself; *unknown is its name then.
 */
bool maven_expand(struct maven *m, struct str text, struct str *out, struct str *unknown);

/* The version that the poms manage for the package; empty: none. */
struct str maven_managed(struct maven *m, struct str name);

#endif
