/* Prints the results of lib/rules/deps in rows, for the tests of the formats. */
#pragma once

#include "tap.h"
#include "deps/deps.h"

#define UNNAMED  " the included file is not named like a requirements file\n"
#define VARIABLE " a variable of the environment is part of the name\n"

struct row {
	const char *what, *path, *text, *want;
};

/* Another file of the tree. */
struct beside {
	const char *path, *text;
};
struct besides {
	const struct beside *p;
	size_t n;
};

static inline struct err *beside_read(void *ctx, struct arena *a, struct str path, struct str *text,
				      bool *found)
{
	const struct besides *b = ctx;

	(void)a;
	*found = false;
	for (size_t i = 0; i < b->n && !*found; i++) {
		*found = str_is(path, b->p[i].path);
		if (*found && text)
			*text = str_of(b->p[i].text);
	}
	return NULL;
}

/*
 * One line each: NAME VERSION LINE:COLUMN, "elsewhere" when the place does not hold just the name,
 * "as WRITTEN", "runtime", "transitive", "locked"; - for an empty version. Then
 * "? NAME LINE:COLUMN REASON".
 */
static inline struct str shown(struct arena *a, struct str text, const struct deps *d)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < d->n; i++) {
		const struct dep *x = &d->p[i];
		struct place at = str_place_of_offset(text, x->at.from);
		struct str there = str_sub(text, x->at.from, x->at.to);

		buf_fmt(&b, "%.*s %.*s %zu:%zu", STR_ARG(x->name),
			STR_ARG(x->version.n ? x->version : STR("-")), at.line, at.column);
		if (!str_eq(there, x->name) && !(x->brief.n && str_eq(there, x->brief)))
			buf_puts(&b, " elsewhere");
		if (x->written.n)
			buf_fmt(&b, " as %.*s", STR_ARG(x->written));
		if (x->kind == DEPS_RUNTIME)
			buf_puts(&b, " runtime");
		if (x->reach == DEPS_TRANSITIVE)
			buf_puts(&b, " transitive");
		buf_puts(&b, x->locked ? " locked\n" : "\n");
	}
	for (size_t i = 0; i < d->unresolved.n; i++) {
		const struct deps_unresolved *u = &d->unresolved.p[i];

		buf_fmt(&b, "? %.*s %zu:%zu %.*s\n", STR_ARG(u->name), u->place.line,
			u->place.column, STR_ARG(u->reason));
	}
	return buf_as_str(&b);
}

/* besides NULL: no other files are known. */
static inline void reads_in(struct arena *a, struct besides *besides, const struct row *rows,
			    size_t n)
{
	struct deps_files files = {beside_read, besides};

	for (size_t i = 0; i < n; i++) {
		struct str text = str_of(rows[i].text);
		struct deps d;

		if (works(deps_read(a, str_of(rows[i].path), text, besides ? &files : NULL, &d),
			  rows[i].what))
			is_str(shown(a, text, &d), str_of(rows[i].want), rows[i].what);
	}
}

static inline void reads(struct arena *a, const struct row *rows, size_t n)
{
	reads_in(a, NULL, rows, n);
}

/* want: a part of the message. */
static inline void refuses(struct arena *a, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct deps d;
		struct err *e = deps_read(a, str_of(rows[i].path), str_of(rows[i].text), NULL, &d);

		fails(e, E_BAD_MANIFEST, rows[i].what);
		ok(!d.n && !d.unresolved.n, "%s: nothing is found", rows[i].what);
		ok(e && strstr(err_message(e), rows[i].want), "%s: '%s' says '%s'", rows[i].what,
		   e ? err_message(e) : "success", rows[i].want);
	}
}
