/* lexer: what the readers of the languages share. Private to this module. */
#ifndef IKM_IMPORTS_LEXER_H
#define IKM_IMPORTS_LEXER_H

#include "imports/imports.h"

struct imports_reader {
	struct arena *a;
	const struct imports_language *language;
	struct str path; /* of the file */
	struct str text;
	size_t at; /* the next byte */
	struct imports *out;
	bool told; /* a literal that does not end was told: the rest may be wrong for it */
};

struct imports_language {
	const char *name;
	const char *suffixes;   /* divided by blanks */
	const char *names;      /* whole names of files, or NULL */
	const char *programs;   /* names in #! lines, or NULL */
	const char *separators; /* characters between the parts of a module's name */
	void (*read)(struct imports_reader *r); /* NULL: no lexer yet */
	/* Adds the paths that a module may mean; NULL: its names are no paths. */
	void (*resolve)(struct arena *a, struct imports_tree *t, struct str path,
			const struct import *m, struct imports_names *out);
};
/* languages.c: the table; a row without a name ends it. */
extern const struct imports_language imports_languages[];

/* The readers of the languages. */
void imports_read_javascript(struct imports_reader *r);
void imports_read_python(struct imports_reader *r);
void imports_read_go(struct imports_reader *r);
void imports_read_rust(struct imports_reader *r);
void imports_read_java(struct imports_reader *r);
void imports_read_kotlin(struct imports_reader *r);
void imports_read_c(struct imports_reader *r);
void imports_read_shell(struct imports_reader *r);
void imports_read_csharp(struct imports_reader *r);
void imports_read_php(struct imports_reader *r);
void imports_read_ruby(struct imports_reader *r);
void imports_read_component(struct imports_reader *r);
void imports_read_scala(struct imports_reader *r);
void imports_read_swift(struct imports_reader *r);

/* JavaScript or TypeScript from r->at to the end of r->text. jsx: "<a>" begins an element. */
void imports_read_script(struct imports_reader *r, bool jsx);

/* The paths that the modules of a language mean. */
void imports_resolve_javascript(struct arena *a, struct imports_tree *t, struct str path,
				const struct import *m, struct imports_names *out);
void imports_resolve_python(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out);
void imports_resolve_go(struct arena *a, struct imports_tree *t, struct str path,
			const struct import *m, struct imports_names *out);
void imports_resolve_rust(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out);
void imports_resolve_c(struct arena *a, struct imports_tree *t, struct str path,
		       const struct import *m, struct imports_names *out);
void imports_resolve_shell(struct arena *a, struct imports_tree *t, struct str path,
			   const struct import *m, struct imports_names *out);
void imports_resolve_csharp(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out);
void imports_resolve_php(struct arena *a, struct imports_tree *t, struct str path,
			 const struct import *m, struct imports_names *out);
void imports_resolve_ruby(struct arena *a, struct imports_tree *t, struct str path,
			  const struct import *m, struct imports_names *out);
/* What stands behind "$(dirname $0)/" and its like; empty: no such beginning. */
struct str imports_shell_beside(struct str text);

/* ---- characters ---- */

static inline char imports_char(const struct imports_reader *r, size_t at)
{
	return at < r->text.n ? r->text.p[at] : 0;
}

/* Letters, digits, "_" and every byte of a character beyond ASCII. */
static inline bool imports_is_word(char c)
{
	/* A bit for each byte of ASCII: every lexer asks this of most bytes. */
	static const uint32_t words[] = {0, 0x03ff0000, 0x87fffffe, 0x07fffffe};
	unsigned char u = (unsigned char)c;

	return u >= 0x80 || (words[u >> 5] >> (u & 31) & 1);
}

static inline bool imports_is(const struct imports_reader *r, size_t at, const char *what)
{
	size_t n = strlen(what);

	return at <= r->text.n && n <= r->text.n - at && !memcmp(r->text.p + at, what, n);
}

/* The offset of the next such byte at or behind `at`, or the end. */
static inline size_t imports_find(const struct imports_reader *r, char c, size_t at)
{
	const char *p = at < r->text.n ? memchr(r->text.p + at, c, r->text.n - at) : NULL;

	return p ? (size_t)(p - r->text.p) : r->text.n;
}

static inline struct str imports_slice(const struct imports_reader *r, size_t from, size_t to)
{
	return str_sub(r->text, from, to);
}

static inline bool imports_same(struct str word, const char *text)
{
	size_t n = strlen(text);

	return word.n == n && !memcmp(word.p, text, n);
}

/* ---- what is found ---- */

/* The entry's index. An empty module is left out: SIZE_MAX. */
size_t imports_add(struct imports_reader *r, enum imports_kind kind, struct str module,
		   struct span at);
/* A member of the last entry that is none. */
void imports_add_member(struct imports_reader *r, size_t of, struct str name, const char *between,
			struct span at);
void imports_add_unknown(struct imports_reader *r, struct span at, const char *reason);
/* The literal that begins at `at` does not end. Told once for each file. */
void imports_add_unended(struct imports_reader *r, size_t at, const char *reason);
/*
 * The text between the quotes, with escapes of the C family decoded: \n, \x41, \101, \u0041,
 * \U00000041, \u{41}, and a line that a backslash continues. Borrows when it has none.
 */
struct str imports_unescape(struct arena *a, struct str s);
/*
 * The offset behind the string whose quote stands at `at`; a backslash escapes. lines: it may have
 * several lines. SIZE_MAX: it does not end; *stop is where reading goes on.
 */
size_t imports_string_end(const struct imports_reader *r, size_t at, bool lines, size_t *stop);
/* The offset behind the comment that begins at `at` with two bytes; tells one that does not end. */
size_t imports_comment_end(struct imports_reader *r, size_t at, const char *open, const char *close,
			   bool nests);

/* ---- paths ---- */

/* The folder of a path, without its slash; empty for the top. */
struct str imports_folder(struct str path);
/*
 * "src/ui" and "../db/x" give "src/db/x". False: it leaves the top, or is the top itself.
 */
bool imports_join(struct arena *a, struct str folder, struct str rest, struct str *out);
/* "a\b" gives "a/b". */
struct str imports_slashes(struct arena *a, struct str s);
/* Adds a name that the list does not have yet. */
void imports_name_add(struct imports_names *out, struct str name, bool path);

#endif
