/* The names that a module has besides the one that is written: paths of the repository. */
#include "imports/tree.h"

void imports_names(struct arena *a, struct imports_tree *tree, const struct imports_language *l,
		   struct str path, const struct import *m, struct imports_names *out)
{
	out->n = 0;
	imports_name_add(out, m->module, false);
	if (l->resolve)
		l->resolve(a, tree, path, m, out);
}

/* ---- JavaScript and TypeScript ---- */

static bool node_is_relative(struct str m)
{
	return str_is(m, ".") || str_is(m, "..") || str_starts(m, STR("./")) ||
	       str_starts(m, STR("../"));
}

/* "node:fs" is "fs"; "npm:react@18/jsx" is "react/jsx". */
static void node_scheme(struct arena *a, struct str m, struct imports_names *out)
{
	size_t at, end;

	if (str_starts(m, STR("node:")))
		imports_name_add(out, str_sub(m, 5, m.n), false);
	if (!str_starts(m, STR("npm:")) && !str_starts(m, STR("jsr:")))
		return;
	m = str_sub(m, 4, m.n);
	if (str_starts(m, STR("/")))
		m = str_sub(m, 1, m.n);
	at = str_find_char(m, '@', 1);
	end = at == SIZE_MAX ? SIZE_MAX : str_find_char(m, '/', at);
	imports_name_add(out,
			 end == SIZE_MAX ? str_sub(m, 0, at)
					 : str_fmt(a, "%.*s%.*s", STR_ARG(str_sub(m, 0, at)),
						   STR_ARG(str_sub(m, end, m.n))),
			 false);
}

/* With baseUrl, a name may be a file below it: only when the tree has that file. */
static void node_base(struct arena *a, struct imports_tree *t, const struct imports_settings *s,
		      struct str m, struct imports_names *out)
{
	static const char *const ends[] = {"",     ".ts",       ".tsx",      ".js",
					   ".jsx", "/index.ts", "/index.js", "/index.tsx"};
	struct str path;

	if (!s->has_base || !imports_join(a, s->base, m, &path))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (imports_has_file(a, t, str_fmt(a, "%.*s%s", STR_ARG(path), ends[i]))) {
			imports_name_add(out, path, true);
			return;
		}
}

void imports_resolve_javascript(struct arena *a, struct imports_tree *t, struct str path,
				const struct import *m, struct imports_names *out)
{
	struct str folder = imports_folder(path), module = m->module, to;
	const struct imports_settings *s;
	size_t query = str_find_char(module, '?', 0);

	/* Bundlers: "./a.svg?url", "!!raw-loader!./a". */
	module = str_sub(module, 0, query);
	if (str_rfind_char(module, '!') != SIZE_MAX)
		module = str_sub(module, str_rfind_char(module, '!') + 1, module.n);
	if (!str_eq(module, m->module))
		imports_name_add(out, module, false);
	if (node_is_relative(module) || m->kind == IMPORTS_REFERENCE) {
		if (imports_join(a, folder, module, &to))
			imports_name_add(out, to, true);
		return;
	}
	node_scheme(a, module, out);
	s = imports_settings(t, IMPORTS_OF_NODE, folder);
	if (!s)
		return;
	imports_add_aliases(a, str_starts(module, STR("#")) ? &s->imports : &s->paths, module, out);
	node_base(a, t, s, module, out);
}

/* ---- Python ---- */

static struct str python_slashes(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		buf_putc(&b, s.p[i] == '.' ? '/' : s.p[i]);
	return buf_str(&b);
}

/* "..db.user" in src/ui/a.py is src/db/user. */
static void python_relative(struct arena *a, struct str path, struct str m,
			    struct imports_names *out)
{
	struct str folder = imports_folder(path), to;
	size_t dots = 0;

	while (dots < m.n && m.p[dots] == '.')
		dots++;
	for (size_t i = 1; i < dots; i++) {
		if (!folder.n)
			return; /* above the top */
		folder = imports_folder(folder);
	}
	if (imports_join(a, folder, python_slashes(a, str_sub(m, dots, m.n)), &to))
		imports_name_add(out, to, true);
}

/*
 * "app.db" is app/db from the top, and src/app/db in a file of src/app: a module's first part is
 * often a folder that the file lies in.
 */
static void python_absolute(struct arena *a, struct str path, struct str m,
			    struct imports_names *out)
{
	struct str rest = imports_folder(path), part, to = python_slashes(a, m);
	struct str first = str_sub(m, 0, str_find_char(m, '.', 0));

	imports_name_add(out, to, true);
	for (struct str all = rest; str_split(&rest, '/', &part);) {
		size_t at = (size_t)(part.p - all.p);

		if (at && str_eq(part, first))
			imports_name_add(
				out,
				str_fmt(a, "%.*s%.*s", STR_ARG(str_sub(all, 0, at)), STR_ARG(to)),
				true);
	}
}

void imports_resolve_python(struct arena *a, struct imports_tree *t, struct str path,
			    const struct import *m, struct imports_names *out)
{
	(void)t;
	if (str_starts(m->module, STR(".")))
		python_relative(a, path, m->module, out);
	else
		python_absolute(a, path, m->module, out);
}
