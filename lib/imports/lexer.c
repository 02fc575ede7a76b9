/* What the readers of the languages share. */
#include "imports/lexer.h"

/* ---- what is found ---- */

size_t imports_add(struct lexer *r, enum imports_kind kind, struct str module, struct span at)
{
	struct imports *out = imports_of(r);

	if (!module.n)
		return SIZE_MAX;
	*VEC_PUSH(r->a, out) =
		(struct import){.kind = kind, .module = module, .at = lexer_place(r, at)};
	return out->n - 1;
}

void imports_add_member(struct lexer *r, size_t of, struct str name, const char *between,
			struct span at)
{
	struct imports *out = imports_of(r);
	struct str module;
	size_t i;

	if (of == SIZE_MAX || !name.n)
		return;
	module = out->p[of].module;
	i = imports_add(r, IMPORTS_MEMBER,
			str_fmt(r->a, "%.*s%s%.*s", STR_ARG(module), between, STR_ARG(name)), at);
	out->p[of].members += i != SIZE_MAX;
}

/* ---- paths ---- */

struct str imports_folder(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, 0, slash == SIZE_MAX ? 0 : slash);
}

bool imports_join(struct arena *a, struct str folder, struct str rest, struct str *out)
{
	struct buf b = buf_in(a);
	struct str part;

	buf_put(&b, folder);
	while (str_split(&rest, '/', &part)) {
		if (str_is(part, "..")) {
			size_t slash = str_rfind_char(buf_str(&b), '/');

			if (!b.n)
				return false;
			b.n = slash == SIZE_MAX ? 0 : slash;
		} else if (part.n && !str_is(part, ".")) {
			if (b.n)
				buf_putc(&b, '/');
			buf_put(&b, part);
		}
	}
	*out = buf_str(&b);
	return out->n > 0;
}

struct str imports_slashes(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		buf_putc(&b, s.p[i] == '\\' ? '/' : s.p[i]);
	return buf_str(&b);
}

void imports_name_add(struct imports_names *out, struct str name, bool path)
{
	if (!name.n || out->n == IMPORTS_NAMES)
		return;
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i].name, name) && out->p[i].path == path)
			return;
	out->p[out->n++] = (struct imports_name){name, path};
}
