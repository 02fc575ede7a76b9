/* nuget: properties and central versions of .NET projects. Private to deps. */
#ifndef IKM_DEPS_NUGET_H
#define IKM_DEPS_NUGET_H

#include "deps/reader.h"

struct nuget {
	struct reader *r;
	const struct xml *top;
	struct val *properties; /* lower-case name and raw value; VAL_NULL: not certain */
	struct val *central;    /* lower-case package and version, of Directory.Packages.props */
};

/* Reads the properties of the project, and those files above it that MSBuild reads by itself. */
struct err *nuget_load(struct nuget *n) MUST_USE;
/*
 * Replaces all $(…). False when a property is unknown or has a condition, or when the text has an
 * expression: @(…), %(…), a function.
 */
bool nuget_expand(struct nuget *n, struct str text, struct str *out);
/* The version that Directory.Packages.props gives to the package; empty: none. */
struct str nuget_central(struct nuget *n, struct str name);

#endif
