/* pypi_requirement: Python requirements, shared by requirements files and pyproject.toml. Private
 * to deps. */
#pragma once

#include "deps/reader.h"

/* Where a part of a joined line begins: in the text, and in the file. */
struct piece {
	size_t in_text, in_file;
};

/*
 * A text and its place. exact: byte i is at at.from + i; with pieces: these give the place;
 * otherwise only `at` is known.
 */
struct origin {
	struct str whole;
	struct span at;
	bool exact;
	const struct piece *pieces;
	size_t pieces_n;
};

/* Of a string in TOML. */
struct origin origin_of_toml_string(const struct reader *r, const struct val *v);

/*
 * Lists `s`, a slice of o's text with one PEP 508 requirement: name[extras] >= 1 ; marker, or name
 * @ url.
 */
struct err *pypi_requirement(struct reader *r, const struct origin *o, struct str s) MUST_USE;
/* Lists an address or a path in place of a requirement. */
struct err *pypi_add_address(struct reader *r, const struct origin *o, struct str s) MUST_USE;
/* Lists a line of a requirements file: also options, URLs, paths, comments, and empty lines. */
struct err *pypi_line(struct reader *r, const struct origin *o, struct str s) MUST_USE;

/* An included requirements file: either it is judged under its own name, or it is unresolved. */
struct err *pypi_check_include(struct reader *r, struct str file, struct span at) MUST_USE;
/* One requirement of a list. */
tree_fn pypi_item;

/* Whether the path has the name of a requirements file. */
bool deps_is_requirements(struct str path);
/* The tables of pixi: the top of pixi.toml, or "tool.pixi" of pyproject.toml */
tree_fn pixi_tables;
/* Whether pip reads s as an address: it begins with a scheme, or with a prefix such as "git+". */
bool pypi_is_address(struct str s);
