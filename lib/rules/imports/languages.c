/* The programming languages, and which of them have a reader of imports. */
#include "imports/internal.h"
#include "out/out.h"

const char *const imports_kinds[] = {IMPORTS_KINDS(ENUM_NAME) NULL};

static const struct imports_language languages[] = {
	{"JavaScript", "/", imports_read_javascript, imports_resolve_javascript, true},
	{"TypeScript", "/", imports_read_javascript, imports_resolve_javascript, true},
	{"Python", ".", imports_read_python, imports_resolve_python},
	{"Go", "/", imports_read_go, imports_resolve_go},
	{"Rust", ":", imports_read_rust, imports_resolve_rust},
	{"Java", ".", imports_read_java},
	{"Kotlin", ".", imports_read_kotlin},
	{"C and C++", "/", imports_read_c, imports_resolve_c},
	{"Objective-C", "/", imports_read_c, imports_resolve_c},
	{"C#", ".", imports_read_csharp, imports_resolve_csharp},
	{"Ruby", "/", imports_read_ruby, imports_resolve_ruby},
	{"PHP", "\\/", imports_read_php, imports_resolve_php},
	{"shell", "/", imports_read_shell, imports_resolve_shell},
	{"Scala", ".", imports_read_scala},
	{"Swift", ".", imports_read_swift},
	{"Vue, Svelte and Astro", "/", imports_read_markup, imports_resolve_javascript, true},
	{"HTML", "/", imports_read_markup, imports_resolve_javascript},
	{"MDX", "/", imports_read_javascript, imports_resolve_javascript, true},
	{"CSS", "/", imports_read_css, imports_resolve_javascript},
	{"SCSS and Less", "/", imports_read_css, imports_resolve_javascript, true},
	{"Sass", "/", imports_read_css, imports_resolve_javascript, true},
	{"Jupyter notebook", ".", imports_read_python, imports_resolve_python},
	{0},
};

bool imports_may_be_script(struct str path)
{
	return str_rfind_char(str_base(path), '.') == SIZE_MAX;
}

static const struct imports_language *language_of(const struct lexer_form *f)
{
	for (const struct imports_language *l = languages; f && f->name && l->name; l++)
		if (!strcmp(l->name, f->name))
			return l;
	return NULL;
}

const struct lexer_form *imports_language(struct str path, struct str text)
{
	const struct lexer_form *f = lexer_form(path, text);

	return f && f->name ? f : NULL;
}

bool imports_is_read(const struct lexer_form *l)
{
	return language_of(l) != NULL;
}

/* ---- what is found ---- */

size_t imports_add(struct lexer *r, enum imports_kind kind, struct str module, struct span at)
{
	struct imports *out = imports_of_lexer(r);

	if (!module.n)
		return SIZE_MAX;
	*VEC_PUSH(r->a, out) =
		(struct import){.kind = kind, .module = module, .at = lexer_source_span(r, at)};
	return out->n - 1;
}

void imports_add_imported_name(struct lexer *r, size_t of, struct str name, const char *between,
			       struct span at)
{
	struct imports *out = imports_of_lexer(r);
	struct str module;
	size_t i;

	if (of == SIZE_MAX || !name.n)
		return;
	module = out->p[of].module;
	i = imports_add(r, IMPORTS_MEMBER,
			str_fmt(r->a, "%.*s%s%.*s", STR_ARG(module), between, STR_ARG(name)), at);
	out->p[of].members += i != SIZE_MAX;
}

/* ---- what readers and names share ---- */

struct str imports_dotted_text(struct lexer *l, struct lexer_name *n)
{
	struct str name = lexer_name_text(l, n);

	if (!str_ends(name, STR(".")))
		return name;
	n->at.to--;
	return str_sub(name, 0, name.n - 1);
}

struct str imports_shell_after_dirname(struct str text)
{
	static const char *const heads[] = {
		"$(dirname $0)/",
		"$(dirname -- $0)/",
		"$(dirname $BASH_SOURCE)/",
		"$(dirname ${BASH_SOURCE})/",
		"$(dirname ${BASH_SOURCE[0]})/",
		"$(dirname -- ${BASH_SOURCE[0]})/",
		"`dirname $0`/",
		"${0%/*}/",
		"${BASH_SOURCE%/*}/",
		"${BASH_SOURCE[0]%/*}/",
		"${0:h}/",
		"${0:A:h}/",
		"${0:a:h}/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct str rest = str_sub(text, strlen(heads[i]), text.n);

		if (str_starts(text, str_of(heads[i])) && str_find_char(rest, '$', 0) == SIZE_MAX &&
		    str_find_char(rest, '`', 0) == SIZE_MAX)
			return rest;
	}
	return (struct str){"", 0};
}

/* A region of a file. All cells of one language are told once. */
static void imports_region(struct lexer *l)
{
	static const char unread[] = "ikm does not read the imports of this language";
	const struct imports_language *of = language_of(l->form);
	size_t n = l->unknown->n;

	if (l->src.to && str_find_char(lexer_slice(l, l->src.from, l->src.to), '{', 0) != SIZE_MAX)
		lexer_note_unknown(l, l->src, "a program decides which module this is");
	else if (l->src.to)
		imports_add(l, strcmp(l->file->name, "HTML") ? IMPORTS_STATIC : IMPORTS_REFERENCE,
			    lexer_slice(l, l->src.from, l->src.to), l->src);
	if (str_ends(l->path, STR(".importmap")))
		imports_read_importmap(l);
	else if (of)
		of->read(l);
	else if (l->form && l->form->name && (!n || l->unknown->p[n - 1].reason != unread))
		lexer_note_unknown(l, (struct span){l->at, size_min(l->at + 20, l->text.n)},
				   unread);
}

void imports_read(struct arena *a, const struct lexer_form *l, struct str path, struct str text,
		  struct imports *out)
{
	struct lexer lexer = {.unknown = &out->unknown, .ctx = out};

	*out = (struct imports){0};
	lexer_begin(&lexer, a, l, path, text);
	lexer_each_region(&lexer, imports_region);
}

/* The dot of the suffix of a path; or SIZE_MAX. */
static size_t name_dot(struct str path)
{
	size_t dot = str_rfind_char(path, '.');

	return dot == SIZE_MAX || dot < path.n - str_base(path).n ? SIZE_MAX : dot;
}

static size_t name_end(const struct imports_language *of, struct str path)
{
	const struct lexer_form *f = imports_language(path, STR(""));
	const struct imports_language *file = language_of(f);
	struct str s = f ? str_sub(path, 0, name_dot(path)) : path;

	return of->index && (!f || (file && file->index)) && str_ends(s, STR("/index")) ? s.n - 6
											: s.n;
}

void imports_names_of_module(struct arena *a, struct imports_tree *tree, const struct lexer_form *l,
			     struct str path, const struct import *m, struct imports_names *out)
{
	const struct imports_language *of = language_of(l);
	size_t folder = size_max(path.n - str_base(path).n, 1) - 1;
	const struct imports_asked q = {a, tree, path, str_sub(path, 0, folder), m, out};

	*out = (struct imports_names){.p = {{m->module, false}}, .n = m->module.n > 0};
	if (of && of->resolve)
		of->resolve(&q);
	for (size_t i = 0; i < out->n; i++)
		out->p[i].end =
			of && out->p[i].path ? name_end(of, out->p[i].name) : out->p[i].name.n;
}

struct str imports_identity_of_import(const struct lexer_form *l, const struct imports_names *names)
{
	const struct imports_language *of = language_of(l);
	struct str name = names->p[0].name;
	/* "app.db" of Python has paths that are guesses. */
	bool sure = (of && strchr(of->separators, '/')) || str_starts(name, STR("."));
	size_t i = 1;

	while (i < names->n && !names->p[i].path)
		i++;
	if (!sure || i >= names->n)
		return name;
	return str_sub(names->p[i].name, 0, names->p[i].end);
}

bool imports_next_leading_part(const struct lexer_form *l, const struct imports_name *name,
			       size_t *end)
{
	const struct imports_language *of = language_of(l);
	struct str s = name->name;
	size_t i = *end;
	/* In a path the suffix of the file is a part of its own: "src/db/user" names user.ts. */
	size_t dot = name->path ? name_dot(s) : SIZE_MAX;

	if (i >= s.n)
		return false;
	for (i++; i < s.n; i++)
		/* "::" and ".." are one separator. */
		if (s.p[i] != s.p[i - 1] &&
		    (name->path ? s.p[i] == '/' || i == dot
				: s.p[i] && strchr(of ? of->separators : "/.:\\", s.p[i])))
			break;
	*end = i;
	return true;
}

/* ---- the manual ---- */

static void imports_mdoc_list(struct out *o, bool read)
{
	for (const struct lexer_form *l = lexer_forms; l->suffixes; l++) {
		struct str rest = str_of(l->suffixes), word;

		if (!l->name || imports_is_read(l) != read)
			continue;
		out_fmt(o, ".It %s\n.Pa", l->name);
		for (const char *sep = ""; str_next_part(&rest, ' ', &word); sep = " ,")
			out_fmt(o, "%s *.%.*s", sep, STR_ARG(word));
		out_puts(o, "\n");
	}
}

void imports_print_languages_mdoc(struct out *o)
{
	out_puts(o, ".Bl -tag -width Ds -compact\n");
	imports_mdoc_list(o, true);
	out_puts(o, ".El\n.Pp\nThese languages are not read yet:\n.Bl -tag -width Ds -compact\n");
	imports_mdoc_list(o, false);
	out_puts(o, ".El\n");
}
