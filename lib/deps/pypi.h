/*
 * pypi: requirements as Python writes them, shared by requirements files and pyproject.toml;
 * private to the module.
 */
#ifndef IKM_DEPS_PYPI_H
#define IKM_DEPS_PYPI_H

#include "deps/reader.h"

/* Where the parts of a joined line begin: in the text, and in the file. */
struct piece {
	size_t in_text, in_file;
};

/*
 * A text and where it stands. exact: byte i of it is at.from + i; with pieces: those say where it
 * is; else only `at` is known.
 */
struct origin {
	struct str whole;
	struct span at;
	bool exact;
	const struct piece *pieces;
	size_t pieces_n;
};

/* The place of a slice of the text. */
struct span origin_span(const struct origin *o, struct str part);

/* Of a string in TOML. */
struct origin origin_of(const struct reader *r, const struct val *v);

/* `s`, a slice of o's text, is one PEP 508 requirement: name[extras] >= 1 ; marker, or name @
 * url. */
struct err *pypi_requirement(struct reader *r, const struct origin *o, struct str s) MUST_USE;
/* An address or a path in place of a requirement. */
struct err *pypi_address(struct reader *r, const struct origin *o, struct str s) MUST_USE;
/* As a line of a requirements file: also options, URLs, paths, comments, and nothing. */
struct err *pypi_line(struct reader *r, const struct origin *o, struct str s) MUST_USE;

/* pip's ${NAME}, or what begins like one; an empty string when there is none. */
struct str pypi_variable(struct str s);
/* NAME and what can only follow one: most lines, so this is worth a look before the others. */
bool pypi_is_plain(struct str s);
/* Does the name of the path say that it is a requirements file? */
bool deps_is_requirements(struct str path);
/* Is it an address for pip: a scheme, or a version control system's? */
bool pypi_is_address(struct str s);

#endif
