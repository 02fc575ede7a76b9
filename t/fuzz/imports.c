/*
 * The imports of a source file: a byte chooses the language, the rest is the text. The result does
 * not depend on what stands behind the text in memory, every place lies in the text, and members
 * follow their module.
 */
#include "base/base.h"
#include "imports/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void imports_check(const struct imports *m, struct str text)
{
	size_t members = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct import *x = &m->p[i];

		if (x->at.from > x->at.to || x->at.to > text.n)
			BUG("%zu to %zu in %zu", x->at.from, x->at.to, text.n);
		if (!x->module.n)
			BUG("an empty module");
		if ((x->kind == IMPORTS_MEMBER) != (members > 0))
			BUG("a member without its module, or a module among members");
		members = members ? members - 1 : x->members;
	}
	if (members)
		BUG("%zu members are missing", members);
	for (size_t i = 0; i < m->unknown.n; i++)
		if (m->unknown.p[i].at.from > text.n || m->unknown.p[i].at.to > text.n)
			BUG("a place outside of the text");
}

/* Names end, and each leading part is longer than the one before. */
static void imports_check_names(struct arena *a, struct imports_tree *tree,
				const struct lexer_form *l, struct str path, const struct import *x)
{
	struct imports_names names;

	imports_names_of_module(a, tree, l, path, x, &names);
	for (size_t i = 0; i < names.n; i++)
		for (size_t end = 0, last = 0; imports_next_leading_part(l, &names.p[i], &end);
		     last = end)
			if (end <= last || end > names.p[i].name.n)
				BUG("part %zu after %zu", end, last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct lexer_form *l = lexer_forms;
	struct imports_tree *tree;
	struct imports once, twice;
	struct arena *a;
	struct str text, copy, path;
	const char *suffixes;
	size_t rows = 0;

	while (l[rows].suffixes)
		rows++;
	if (!size)
		return 0;
	l += data[0] % rows;
	while (!imports_is_read(l))
		l = l[1].suffixes ? l + 1 : lexer_forms;
	a = arena_new();
	tree = imports_tree_new(a, NULL);
	suffixes = l->suffixes;
	path = str_fmt(a, "src/ui/a.%.*s", (int)strcspn(suffixes, " "), suffixes);
	text = (struct str){(const char *)data + 1, size - 1};
	copy = str_fmt(a, "%.*s' */ \"\"\"", STR_ARG(text));
	if (str_has_nul(text))
		copy = text;
	copy.n = text.n;
	imports_read(a, l, path, text, &once);
	imports_read(a, l, path, copy, &twice);
	imports_check(&once, text);
	if (once.n != twice.n || once.unknown.n != twice.unknown.n)
		BUG("bytes behind the text count");
	for (size_t i = 0; i < once.n; i++) {
		if (!str_eq(once.p[i].module, twice.p[i].module))
			BUG("not the same module");
		if (i < 50)
			imports_check_names(a, tree, l, path, &once.p[i]);
	}
	arena_free(a);
	return 0;
}
