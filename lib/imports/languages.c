/* The programming languages, and which of them have a reader of imports. */
#include "imports/lexer.h"
#include "out/out.h"

const char *const imports_kinds[] = {IMPORTS_KINDS(ENUM_NAME) NULL};

const struct imports_language imports_languages[] = {
	{"JavaScript", "/", imports_read_javascript, imports_resolve_javascript},
	{"TypeScript", "/", imports_read_javascript, imports_resolve_javascript},
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
	{"Vue, Svelte and Astro", "/", imports_read_markup, imports_resolve_javascript},
	{"HTML", "/", imports_read_markup, imports_resolve_javascript},
	{"MDX", "/", imports_read_javascript, imports_resolve_javascript},
	{"Jupyter notebook", ".", imports_read_python, imports_resolve_python},
	{"Clojure"},
	{"CoffeeScript"},
	{"Cython"},
	{"D"},
	{"Dart"},
	{"Elixir"},
	{"Erlang"},
	{"F#"},
	{"Groovy"},
	{"Haskell"},
	{"Julia"},
	{"Lua"},
	{"Nim"},
	{"OCaml"},
	{"Perl"},
	{"PowerShell"},
	{"Protocol Buffers"},
	{"R"},
	{"Solidity"},
	{"Starlark"},
	{"Visual Basic"},
	{"Zig"},
	{0},
};

static struct str imports_base(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n);
}

bool imports_may_be_script(struct str path)
{
	return str_rfind_char(imports_base(path), '.') == SIZE_MAX;
}

static const struct imports_language *imports_language_of(const struct lexer_form *f)
{
	for (const struct imports_language *l = imports_languages; f && f->name && l->name; l++)
		if (!strcmp(l->name, f->name))
			return l;
	return NULL;
}

const struct imports_language *imports_language(struct str path, struct str text)
{
	return imports_language_of(lexer_form(path, text));
}

const char *imports_language_name(const struct imports_language *l)
{
	return l->name;
}

bool imports_is_read(const struct imports_language *l)
{
	return l->read != NULL;
}

/* A region of a file; styles import nothing. All cells of one language are told once. */
static void imports_region(struct lexer *l)
{
	static const char unread[] = "ikm does not read the imports of this language";
	const struct imports_language *of = imports_language_of(l->form);
	size_t n = l->unknown->n;

	if (l->src.to && str_find_char(lexer_slice(l, l->src.from, l->src.to), '{', 0) != SIZE_MAX)
		lexer_unknown(l, l->src, "a program decides which module this is");
	else if (l->src.to)
		imports_add(l, strcmp(l->file->name, "HTML") ? IMPORTS_STATIC : IMPORTS_REFERENCE,
			    lexer_slice(l, l->src.from, l->src.to), l->src);
	if (str_ends(l->path, STR(".importmap")))
		imports_read_importmap(l);
	else if (of && of->read)
		of->read(l);
	else if (of && (!n || l->unknown->p[n - 1].reason != unread))
		lexer_unknown(l, (struct span){l->at, size_min(l->at + 20, l->text.n)}, unread);
}

void imports_read(struct arena *a, const struct imports_language *l, struct str path,
		  struct str text, struct imports *out)
{
	struct lexer lexer = {.unknown = &out->unknown, .ctx = out};

	*out = (struct imports){0};
	lexer_begin(&lexer, a, lexer_form_named(l->name), path, text);
	lexer_regions(&lexer, imports_region);
}

bool imports_leading(const struct imports_language *l, const struct imports_name *name, size_t *end)
{
	struct str s = name->name;
	size_t i = *end;
	/* In a path the suffix of the file is a part of its own: "src/db/user" names user.ts. */
	size_t dot = name->path ? str_rfind_char(s, '.') : SIZE_MAX;

	if (i >= s.n)
		return false;
	for (i++; i < s.n; i++)
		/* "::" and ".." are one separator. */
		if (s.p[i] != s.p[i - 1] &&
		    (name->path ? s.p[i] == '/' || i == dot
				: s.p[i] && strchr(l ? l->separators : "/.:\\", s.p[i])))
			break;
	*end = i;
	return true;
}

/* ---- the manual ---- */

static void imports_mdoc_list(struct out *o, bool read)
{
	for (const struct imports_language *l = imports_languages; l->name; l++) {
		struct str rest = str_of(lexer_form_named(l->name)->suffixes), word;

		if (imports_is_read(l) != read)
			continue;
		out_fmt(o, ".It %s\n.Pa", l->name);
		for (const char *sep = ""; str_split(&rest, ' ', &word); sep = " ,")
			out_fmt(o, "%s *.%.*s", sep, STR_ARG(word));
		out_puts(o, "\n");
	}
}

void imports_mdoc(struct out *o)
{
	out_puts(o, ".Bl -tag -width Ds -compact\n");
	imports_mdoc_list(o, true);
	out_puts(o, ".El\n.Pp\nThese languages are not read yet:\n.Bl -tag -width Ds -compact\n");
	imports_mdoc_list(o, false);
	out_puts(o, ".El\n");
}
