/* The programming languages: how their files are named, and which of them have a lexer. */
#include "imports/lexer.h"
#include "out/out.h"

const char *const imports_kinds[] = {IMPORTS_KINDS(ENUM_NAME) NULL};

/* clang-format off */
const struct imports_language imports_languages[] = {
	{"JavaScript", "js jsx mjs cjs es6", NULL, "node deno bun", "/",
	 imports_read_javascript, imports_resolve_javascript},
	{"TypeScript", "ts tsx mts cts", NULL, "tsx ts-node", "/",
	 imports_read_javascript, imports_resolve_javascript},
	{"Python", "py pyi pyw", "SConstruct SConscript wscript", "python* pypy*", ".",
	 imports_read_python, imports_resolve_python},
	{"Go", "go", NULL, NULL, "/", imports_read_go, imports_resolve_go},
	{"Rust", "rs", NULL, NULL, ":", imports_read_rust, imports_resolve_rust},
	{"Java", "java", NULL, NULL, ".", imports_read_java, NULL},
	{"Kotlin", "kt kts", NULL, NULL, ".", imports_read_kotlin, NULL},
	{"C and C++", "c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp ino cu cuh cppm ixx", NULL,
	 NULL, "/", imports_read_c, imports_resolve_c},
	{"Objective-C", "m mm", NULL, NULL, "/", imports_read_c, imports_resolve_c},
	{"C#", "cs csx", NULL, "dotnet-script", ".", imports_read_csharp, imports_resolve_csharp},
	{"Ruby", "rb rake gemspec ru", "Gemfile Rakefile Vagrantfile Podfile Brewfile", "ruby*", "/",
	 imports_read_ruby, imports_resolve_ruby},
	{"PHP", "php phtml php3 php4 php5 php7", NULL, "php*", "\\/", imports_read_php,
	 imports_resolve_php},
	{"shell", "sh bash zsh ksh", ".bashrc .bash_profile .profile .zshrc PKGBUILD",
	 "sh bash zsh ksh dash ash mksh", "/", imports_read_shell, imports_resolve_shell},
	{"Scala", "scala sc sbt mill", NULL, "scala", ".", imports_read_scala, NULL},
	{"Swift", "swift", NULL, "swift", ".", imports_read_swift, NULL},
	{"Vue, Svelte and Astro", "vue svelte astro", NULL, NULL, "/", imports_read_component,
	 imports_resolve_javascript},
	{"Clojure", "clj cljs cljc", NULL, NULL, ".", NULL, NULL},
	{"CoffeeScript", "coffee", NULL, "coffee", "/", NULL, NULL},
	{"Cython", "pyx pxd", NULL, NULL, ".", NULL, NULL},
	{"D", "d", NULL, NULL, ".", NULL, NULL},
	{"Dart", "dart", NULL, "dart", "/", NULL, NULL},
	{"Elixir", "ex exs", NULL, "elixir", ".", NULL, NULL},
	{"Erlang", "erl hrl", NULL, "escript", "/", NULL, NULL},
	{"F#", "fs fsi fsx", NULL, NULL, ".", NULL, NULL},
	{"Groovy", "groovy gradle gvy", "Jenkinsfile", "groovy", ".", NULL, NULL},
	{"Haskell", "hs lhs", NULL, "runghc runhaskell", ".", NULL, NULL},
	{"Julia", "jl", NULL, "julia", ".", NULL, NULL},
	{"Jupyter notebook", "ipynb", NULL, NULL, ".", NULL, NULL},
	{"Lua", "lua", NULL, "lua*", ".", NULL, NULL},
	{"Nim", "nim nims", NULL, NULL, "/", NULL, NULL},
	{"OCaml", "ml mli", NULL, "ocaml", ".", NULL, NULL},
	{"Perl", "pl pm psgi", NULL, "perl*", ":", NULL, NULL},
	{"PowerShell", "ps1 psm1", NULL, "pwsh", "/", NULL, NULL},
	{"Protocol Buffers", "proto", NULL, NULL, "/", NULL, NULL},
	{"R", "r", ".Rprofile", "Rscript", "/", NULL, NULL},
	{"Solidity", "sol", NULL, NULL, "/", NULL, NULL},
	{"Starlark", "bzl star bazel", "BUILD WORKSPACE", NULL, "/", NULL, NULL},
	{"Visual Basic", "vb", NULL, NULL, ".", NULL, NULL},
	{"Zig", "zig", NULL, NULL, "/", NULL, NULL},
	{0},
};
/* clang-format on */

/* "x*y" fits names that begin with x and end with y. */
static bool imports_fits(struct str word, struct str name)
{
	size_t star = str_find_char(word, '*', 0);

	if (star == SIZE_MAX)
		return str_ieq(word, name);
	return name.n >= word.n - 1 && str_starts(name, str_sub(word, 0, star)) &&
	       str_ends(name, str_sub(word, star + 1, word.n));
}

bool imports_word_fits(const char *list, struct str name)
{
	struct str rest = str_of(list), word;

	while (list && name.n && str_split(&rest, ' ', &word))
		if (imports_fits(word, name))
			return true;
	return false;
}

struct str imports_program(struct str text)
{
	struct str line, word, name = {"", 0};
	size_t slash;

	if (!str_starts(text, STR("#!")) || !str_line(&text, &line))
		return name;
	line = str_trim(str_sub(line, 2, line.n));
	while (str_split(&line, ' ', &word)) {
		if (!word.n || (name.n && word.p[0] == '-'))
			continue;
		slash = str_rfind_char(word, '/');
		name = str_sub(word, slash == SIZE_MAX ? 0 : slash + 1, word.n);
		if (!str_is(name, "env"))
			break;
	}
	return name;
}

static struct str imports_base(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n);
}

bool imports_may_be_script(struct str path)
{
	return str_rfind_char(imports_base(path), '.') == SIZE_MAX;
}

const struct imports_language *imports_language(struct str path, struct str text)
{
	struct str name = imports_base(path), suffix, program;
	size_t dot = str_rfind_char(name, '.');

	suffix = dot == SIZE_MAX ? STR("") : str_sub(name, dot + 1, name.n);
	program = dot == SIZE_MAX ? imports_program(text) : STR("");
	for (const struct imports_language *l = imports_languages; l->name; l++)
		if (imports_word_fits(l->suffixes, suffix) || imports_word_fits(l->names, name) ||
		    imports_word_fits(l->programs, program))
			return l;
	return NULL;
}

const char *imports_language_name(const struct imports_language *l)
{
	return l->name;
}

bool imports_is_read(const struct imports_language *l)
{
	return l->read != NULL;
}

void imports_read(struct arena *a, const struct imports_language *l, struct str path,
		  struct str text, struct imports *out)
{
	struct imports_reader r = {.a = a, .language = l, .path = path, .text = text, .out = out};

	*out = (struct imports){0};
	if (str_starts(text, STR("\xef\xbb\xbf")))
		r.at = 3;
	l->read(&r);
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
		struct str rest = str_of(l->suffixes), word;

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
