/*
 * pypi: requirements as Python writes them, shared by requirements files and pyproject.toml;
 * private to the module.
 */
#ifndef IKM_DEPS_PYPI_H
#define IKM_DEPS_PYPI_H

#include "deps/reader.h"

/* A text and where it stands. exact: byte i of it is at.from + i; else only `at` is known. */
struct origin {
	struct str whole;
	struct span at;
	bool exact;
};

/* Of a string in TOML. */
struct origin origin_of(const struct reader *r, const struct val *v);

/* `s`, a slice of o's text, is one PEP 508 requirement: name[extras] >= 1 ; marker, or name @ url.
 */
struct err *pypi_requirement(struct reader *r, const struct origin *o, struct str s) MUST_USE;
/* As a line of a requirements file: also options, URLs, paths, comments, and nothing. */
struct err *pypi_line(struct reader *r, const struct origin *o, struct str s) MUST_USE;

#endif
