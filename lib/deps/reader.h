/*
 * reader: what the readers of deps share; private to the module. A reader is one function per
 * format, named in the table of formats.c, and one file per ecosystem or format. It walks the text
 * and calls reader_add() for each package that the file asks for.
 */
#ifndef IKM_DEPS_READER_H
#define IKM_DEPS_READER_H

#include "base/base.h"
#include "deps/deps.h"

struct reader_lookup;

struct reader {
	struct arena *a;
	struct str path, text; /* text: without a byte order mark, at the same offsets */
	enum deps_ecosystem ecosystem;
	struct deps *out;
	const struct deps_files *files; /* or NULL */
	struct place bad;               /* of the error; line 0: there is none */
	struct str why;                 /* its message without the place */
	/* npm's: the manifest, and what has catalogs of its workspace; read when first asked
	 * for. */
	const struct val *top;
	bool catalogs_loaded;
	struct reader_lookup *lookup; /* reader_find()'s; NULL: nothing was looked up */
	struct {
		const struct val **p;
		size_t n, cap;
	} catalogs;
};

typedef struct err *reader_fn(struct reader *r);

/* A new entry with its normal name; the caller adds version and written. */
struct dep *reader_add(struct reader *r, struct str name, struct span at);
/* name: as written, or empty. The reason as deps.h says. */
void reader_unresolved(struct reader *r, struct str name, struct span at, const char *reason, ...)
	PRINTF(4, 5);

/* BAD_MANIFEST, "'path': line L, column C: …", for what stands at the offset. */
struct err *reader_bad(struct reader *r, size_t offset, const char *fmt, ...) PRINTF(3, 4) MUST_USE;

/* The text as a tree; the top must be a map. Errors as BAD_MANIFEST. */
struct err *reader_json(struct reader *r, struct val **out) MUST_USE;
struct err *reader_toml(struct reader *r, struct val **out) MUST_USE;
/* An empty document is a map without members. */
struct err *reader_yaml(struct reader *r, struct val **out) MUST_USE;

/*
 * Where `part`, a slice of the decoded string `whole`, stands in the file, when `at` is the span
 * of the string with its quotes. All of `at` when the string is written with escapes.
 */
struct span reader_span(const struct reader *r, struct span at, struct str whole, struct str part);
struct span reader_key_span(const struct reader *r, const struct val *v);

/* BAD_MANIFEST when v is of another type; `what` names it: "dependencies.foo". */
struct err *reader_want(struct reader *r, const struct val *v, enum val_type type, const char *fmt,
			...) PRINTF(4, 5) MUST_USE;
/*
 * *out is the member when it is there and of the type, NULL when it is missing or null (TOML has
 * no null). `in` names v in the message: "package.json's pnpm"; empty for the top.
 */
struct err *reader_member(struct reader *r, const struct val *v, const char *in, const char *key,
			  enum val_type type, struct val **out) MUST_USE;

/*
 * val_get_key() for maps that are asked many times: a large map is sorted once. The map must not
 * change afterwards.
 */
const struct val *reader_find(struct reader *r, const struct val *map, struct str key);

/* ---- other files of the tree ---- */

/*
 * The path of `to`, as it is written in the manifest, from the top of the tree, without "." and
 * "..". False when it leads outside: above the top, or from the root.
 */
bool reader_beside(struct reader *r, struct str to, struct str *path);
/* Its text. *found is false when there is none, or when no other files are known. */
struct err *reader_file(struct reader *r, struct str path, struct str *text, bool *found) MUST_USE;
/* Is it in the tree? *known is false when no other files are known. */
struct err *reader_has(struct reader *r, struct str path, bool *known, bool *found) MUST_USE;

/* ---- formats ---- */

reader_fn npm_manifest, pnpm_workspace, npm_lock, yarn_lock, pnpm_lock, pypi_requirements,
	pypi_pyproject, pypi_lock, go_mod, cargo_manifest, cargo_lock, gem_lock;

/* ---- what a URL tells of a package ---- */

/* Does it begin with scheme://? */
bool url_has_scheme(struct str s);
/* Is it user@host:path, Git's short form? */
bool url_is_scp(struct str s);
/*
 * The package a tarball URL of an npm registry names (…/NAME/-/BASE-VERSION.tgz), as slices of the
 * URL. False when it is none. Escapes must be decoded before.
 */
bool url_npm_tarball(struct str url, struct str *name, struct str *version);
/* Without %xx escapes; the same slice when there are none. */
struct str url_decoded(struct arena *a, struct str url);
/* The recorded name, when the address has it without the @ of its scope; else `name`, a slice of
 * it. */
struct str npm_full_name(struct str url, struct str name, struct str recorded);
/* The last part of the path of a Git or archive URL, without .git; empty if there is none. */
struct str url_repo(struct str url);
/* NAME-VERSION of a wheel's or source archive's file name; false when it is none. */
bool url_pypi_file(struct str url, struct str *name, struct str *version);

#endif
