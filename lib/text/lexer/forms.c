/* The forms of all languages: how their files are named, and how they are read. */
#include "lexer/lexer.h"

#define SLASHES .line = {"//"}, .block = {{"/*", "*/", false}}
#define NESTED  .line = {"//"}, .block = {{"/*", "*/", true}}
#define HASH    .line = {"#"}
#define MARKUP  .block = {{"<!--", "-->", false}}
#define XML     MARKUP, .text = {{"<![CDATA[", "]]>"}, {"<?", "?>"}}
#define POWERSHELL                                                                                 \
	HASH, .block = {{"<#", "#>", false}},                                                      \
	      .text = {{"@\"", "\n\"@"}, {"@'", "\n'@"}, {"--%", "\n"}}, .escapes = "`",           \
	      .code = "$("
#define LEXEMES .next = lexer_next_generic
#define ENDS_JS (LEXER_CR | LEXER_LS)

/* clang-format off */
const struct lexer_form lexer_forms[] = {
	{"JavaScript", "js jsx mjs cjs es6", NULL, "node deno bun", ENDS_JS,
	 .next = lexer_next_javascript},
	{"TypeScript", "ts tsx mts cts", NULL, "tsx ts-node zx", ENDS_JS,
	 .next = lexer_next_javascript},
	{NULL, "jsonc json5 importmap", NULL, NULL, ENDS_JS, S_DOUBLE | S_SINGLE, SLASHES},
	{"Python", "py pyi pyw", "SConstruct SConscript wscript", "python* pypy* ipython* uv pipx", LEXER_CR,
	 .next = lexer_next_python},
	{"Go", "go", NULL, NULL, 0, T_CHAR | T_BACKTICK, LEXEMES},
	{NULL, "", "go.mod go.work", NULL, 0, S_DOUBLE | S_CHAR | S_BACKTICK, SLASHES},
	{"Rust", "rs", NULL, NULL, 0, T_NESTED | T_CHAR | T_LINES | T_RUST, LEXEMES},
	{"Java", "java", NULL, NULL, LEXER_CR | LEXER_ESCAPES, T_CHAR | T_TRIPLE | T_ESCAPES,
	 LEXEMES},
	{"Kotlin", "kt kts", NULL, NULL, LEXER_CR,
	 T_NESTED | T_CHAR | T_TRIPLE | T_NAME | T_DOLLAR | T_NEWLINE, LEXEMES},
	{"C and C++", "c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp ino cu cuh cppm ixx", NULL, NULL,
	 LEXER_CR, .next = lexer_next_c},
	{"Objective-C", "m mm", NULL, NULL, LEXER_CR, .next = lexer_next_c},
	{NULL, "metal", NULL, NULL, LEXER_CR, .next = lexer_next_c},
	{"C#", "cs csx", NULL, "dotnet-script", LEXER_CR | LEXER_LS | LEXER_NEL,
	 T_CHAR | T_TRIPLE | T_CSHARP, LEXEMES},
	{"Ruby", "rb rake gemspec ru", "Gemfile Rakefile Vagrantfile Podfile Brewfile", "ruby*",
	 .next = lexer_next_ruby},
	{"PHP", "php phtml php3 php4 php5 php7", NULL, "php*", LEXER_CR, .next = lexer_next_php},
	{"shell", "sh bash zsh ksh", ".bashrc .bash_profile .profile .zshrc PKGBUILD",
	 "sh bash zsh ksh dash ash mksh", .next = lexer_next_shell},
	{"Scala", "scala sc sbt mill", NULL, "scala", LEXER_CR,
	 T_NESTED | T_CHAR | T_TRIPLE | T_NAME | T_SCALA | T_NEWLINE, LEXEMES},
	{"Swift", "swift", NULL, "swift", LEXER_CR,
	 T_NESTED | T_TRIPLE | T_ESCAPES | T_NAME | T_SWIFT | T_NEWLINE, LEXEMES},
	{"Vue, Svelte and Astro", "vue svelte astro", NULL, NULL, ENDS_JS, F_TAGS | F_BRACES, XML,
	 .cut = lexer_cut_tagged_regions},
	{"HTML", "html htm xhtml", NULL, NULL, ENDS_JS, F_TAGS, XML, .cut = lexer_cut_tagged_regions},
	{"MDX", "mdx", NULL, NULL, ENDS_JS, .next = lexer_next_javascript, .cut = lexer_cut_mdx},
	{"CSS", "css pcss postcss", NULL, NULL, LEXER_CR, T_SINGLE | T_CSS, LEXEMES},
	{"SCSS and Less", "scss less", NULL, NULL, LEXER_CR, T_SINGLE | T_CSS | T_SASS, LEXEMES},
	{"Sass", "sass", NULL, NULL, LEXER_CR,
	 T_SINGLE | T_CSS | T_SASS | T_INDENTED | T_NEWLINE, LEXEMES},
	{"Clojure", "clj cljs cljc", NULL, NULL, 0, S_DOUBLE | S_LINES,
	 .line = {";"}, .escapes = "\\"},
	{NULL, "edn", NULL, NULL, 0, S_DOUBLE | S_LINES, .line = {";"}, .escapes = "\\"},
	{NULL, "el", NULL, NULL, 0, S_DOUBLE | S_LINES, .line = {";"}, .escapes = "?\\"},
	{NULL, "lisp lsp scm rkt", NULL, NULL, 0, S_DOUBLE | S_LINES,
	 .line = {";"}, .block = {{"#|", "|#", true}}, .text = {{"|", "|"}, {"#<", NULL}},
	 .escapes = "\\"},
	{"CoffeeScript", "coffee", NULL, "coffee"},
	{"Cython", "pyx pxd"},
	{"D", "d"},
	{"Dart", "dart", NULL, "dart", LEXER_CR, S_DOUBLE | S_SINGLE | S_TRIPLE, NESTED,
	 .text = {{"r\"\"\"", "\"\"\""}, {"r'''", "'''"}, {"r\"", "\""}, {"r'", "'"}},
	 .code = "${"},
	{"Elixir", "ex exs", NULL, "elixir", 0,
	 T_SINGLE | T_TRIPLE | T_ESCAPES | T_LINES | T_HASH | T_ELIXIR | T_NEWLINE, LEXEMES},
	{"Erlang", "erl hrl", NULL, "escript", 0, S_DOUBLE | S_SINGLE | S_LINES,
	 .line = {"%"}, .text = {{"~", NULL}, {"\"\"\"", NULL}}, .escapes = "$"},
	{"F#", "fs fsi fsx", NULL, NULL, LEXER_CR,
	 S_DOUBLE | S_CHAR | S_LINES | S_TRIPLE | S_VERBATIM,
	 .line = {"//"}, .block = {{"(*", "*)", true}}, .text = {{"``", "``"}}},
	{"Groovy", "groovy gradle gvy", "Jenkinsfile", "groovy", LEXER_CR,
	 T_SINGLE | T_TRIPLE | T_ESCAPES | T_DOLLAR | T_GROOVY | T_NEWLINE, LEXEMES},
	{"Haskell", "hs lhs", NULL, "runghc runhaskell", 0,
	 S_DOUBLE | S_CHAR | S_TRIPLE | S_LINES | C_DASHES | F_QUASI,
	 .line = {"--"}, .block = {{"{-", "-}", true}}},
	{NULL, "elm", NULL, NULL, 0, S_DOUBLE | S_CHAR | S_TRIPLE | C_DASHES | F_QUASI,
	 .line = {"--"}, .block = {{"{-", "-}", true}}},
	{"Julia", "jl", NULL, "julia", 0, S_DOUBLE | S_CHAR | S_BACKTICK | S_LINES | S_TRIPLE,
	 HASH, .block = {{"#=", "=#", true}}, .code = "$("},
	{"Jupyter notebook", "ipynb", .cut = lexer_cut_notebook},
	{"Lua", "lua", NULL, "lua*", LEXER_CR, S_DOUBLE | S_SINGLE | S_LINES | S_LONG, .line = {"--"},
	 .text = {{"`", NULL}}},
	{"Nim", "nim nims"},
	{"OCaml", "ml mli", NULL, "ocaml", 0, S_DOUBLE | S_CHAR | S_LINES | F_BARS,
	 .block = {{"(*", "*)", true}}},
	{"Perl", "pl pm psgi", NULL, "perl*", 0,
	 S_DOUBLE | S_SINGLE | S_LINES | S_HEREDOC | S_REGEX | F_PERL, HASH,
	 .text = {{"__END__", NULL}, {"__DATA__", NULL}}, .escapes = "$"},
	{"PowerShell", "ps1 psm1", NULL, "pwsh", LEXER_CR,
	 S_DOUBLE | S_SINGLE | S_NO_ESCAPE | S_TICK | S_LINES | C_WORD, POWERSHELL},
	{NULL, "psd1", NULL, NULL, LEXER_CR,
	 S_DOUBLE | S_SINGLE | S_NO_ESCAPE | S_TICK | S_LINES | C_WORD, POWERSHELL},
	{"Protocol Buffers", "proto", NULL, NULL, 0, S_DOUBLE | S_SINGLE, SLASHES},
	{NULL, "thrift", NULL, NULL, 0, S_DOUBLE | S_SINGLE, SLASHES},
	{"R", "r", ".Rprofile", "Rscript", 0, S_DOUBLE | S_SINGLE | S_LINES, HASH,
	 .text = {{"`", "`"}, {"%", "%"}, {"r\"", NULL}, {"r'", NULL}, {"R\"", NULL}, {"R'", NULL}}},
	{"Solidity", "sol", NULL, NULL, ENDS_JS, S_DOUBLE | S_SINGLE, SLASHES},
	{"Starlark", "bzl star bazel", "BUILD WORKSPACE", NULL, 0, S_DOUBLE | S_SINGLE | S_TRIPLE,
	 HASH},
	{"Visual Basic", "vb"},
	{"Zig", "zig"},
	{NULL, "tf tfvars hcl", NULL, NULL, 0, T_HASH | T_HCL | T_NEWLINE, LEXEMES},
	{NULL, "pas dpr", NULL, NULL, LEXER_CR, S_SINGLE | S_NO_ESCAPE,
	 .line = {"//"}, .block = {{"{", "}", false}, {"(*", "*)", false}}},
	{NULL, "yaml yml", ".clang-format .clang-tidy", NULL, LEXER_CR,
	 S_DOUBLE | S_SINGLE | S_RAW_SINGLE | S_LINES | C_WORD | F_YAML, HASH},
	{NULL, "toml", "Pipfile Cargo.lock poetry.lock uv.lock", NULL, 0,
	 S_DOUBLE | S_SINGLE | S_RAW_SINGLE | S_TRIPLE, HASH},
	{NULL, "", "requirements*.txt constraints*.txt requirements*.in", NULL, LEXER_CR, C_WORD,
	 HASH},
	{NULL, "ini cfg editorconfig", ".editorconfig .npmrc .gitconfig .gitmodules", NULL, LEXER_CR,
	 C_START, .line = {"#", ";"},
	 .escapes = "\\"},
	{NULL, "conf", NULL, NULL, 0, S_DOUBLE | S_SINGLE | S_UNSURE | C_START, HASH,
	 .escapes = "\\"},
	{NULL, "properties gitignore gitattributes",
	 ".gitignore .gitattributes .dockerignore CODEOWNERS", NULL, 0, C_START, HASH,
	 .escapes = "\\"},
	{NULL, "env", ".env .env.*", NULL, 0,
	 S_DOUBLE | S_SINGLE | S_RAW_SINGLE | S_BACKTICK | S_LINES | S_ASSIGN | C_START, HASH},
	{NULL, "dockerfile", "Dockerfile Dockerfile.* Containerfile Containerfile.*", NULL, 0,
	 C_START | S_HEREDOC, HASH},
	{NULL, "mk mak", "Makefile makefile GNUmakefile Makefile.*", "make", 0, F_MAKE | S_UNSURE,
	 HASH,
	 .text = {{"define ", "\nendef"}, {"define\t", "\nendef"}, {".RECIPEPREFIX", NULL},
		  {".ONESHELL", NULL}},
	 .escapes = "\\", .code = "$("},
	{NULL, "cmake", "CMakeLists.txt", NULL, 0, S_DOUBLE | S_LINES | S_LONG, HASH,
	 .escapes = "\\"},
	{NULL, "graphql gql", NULL, NULL, LEXER_CR, S_DOUBLE, HASH,
	 .text = {{"\"\"\"", "\"\"\""}}},
	{NULL, "awk", NULL, "awk gawk mawk", 0, S_DOUBLE | S_REGEX, HASH},
	{NULL, "sql", NULL, NULL, LEXER_CR,
	 S_DOUBLE | S_SINGLE | S_NO_ESCAPE | S_LINES | S_DOLLAR | S_DIALECTS,
	 .line = {"--"}, .block = {{"/*", "*/", true}}, .text = {{"`", "`"}, {"q'", NULL}, {"Q'", NULL}}},
	{NULL, "adb ads vhd vhdl", NULL, NULL, LEXER_CR, S_DOUBLE | S_CHAR | S_NO_ESCAPE,
	 .line = {"--"}, .text = {{"\\", "\\"}}},
	{NULL, "tex sty cls", NULL, NULL, LEXER_CR, 0, .line = {"%"},
	 .text = {{"\\begin{verbatim", "\\end{verbatim"}, {"\\begin{alltt", "\\end{alltt"},
		  {"\\begin{lstlisting", "\\end{lstlisting"},
		  {"\\begin{minted", "\\end{minted"}, {"\\begin{filecontents", "\\end{filecontents"},
		  {"\\begin{Verbatim", "\\end{Verbatim"}, {"\\verb", "\n"}, {"\\lstinline", "\n"},
		  {"\\mintinline", "\n"}, {"\\url", "\n"}, {"\\MakeShortVerb", NULL},
		  {"\\DefineShortVerb", NULL}, {"\\catcode`\\%", NULL}, {"\\catcode`%", NULL}},
	 .escapes = "\\"},
	{NULL, "xml xsd xsl xslt svg xaml csproj fsproj vbproj vcxproj props targets nuspec resx "
	 "plist", "packages.config web.config app.config", NULL, 0, F_TAGS, XML},
	{NULL, "md markdown", NULL, NULL, 0, F_MARKDOWN, MARKUP, .escapes = "\\",
	 .cut = lexer_cut_markdown},
	{0},
};
/* clang-format on */

/* ---- which form a file has ---- */

/* "x*y" fits names that begin with x and end with y. */
static bool form_fits(struct str word, struct str name)
{
	size_t star = str_find_char(word, '*', 0);

	if (star == SIZE_MAX)
		return str_ieq(word, name);
	return name.n >= word.n - 1 && str_starts(name, str_sub(word, 0, star)) &&
	       str_ends(name, str_sub(word, star + 1, word.n));
}

bool lexer_name_matches_list(const char *list, struct str name)
{
	const char *end;

	/* Every file asks this of the whole table, and most words begin with another letter. */
	for (const char *p = list; p && *p && name.n; p = end + (*end == ' ')) {
		for (end = p; *end && *end != ' ';)
			end++;
		if ((ascii_lower(*p) == ascii_lower(name.p[0]) || *p == '*') &&
		    form_fits((struct str){p, (size_t)(end - p)}, name))
			return true;
	}
	return false;
}

static const struct lexer_form *form_of_program(struct str name)
{
	const struct lexer_form *f = lexer_forms;

	while (f->suffixes && !lexer_name_matches_list(f->programs, name))
		f++;
	return f->suffixes ? f : NULL;
}

/* The program in "#!/usr/bin/env -S A=b npx tsx", without folder and version; or empty. */
static struct str lexer_program(struct str text)
{
	static const char runners[] = "env npx bunx pnpm yarn poetry pdm hatch rye pixi conda "
				      "mamba micromamba uvx";
	struct str line, word, name = {"", 0};
	bool runs = false;

	if (!str_starts(text, STR("#!")) || !str_next_line(&text, &line))
		return name;
	line = str_trim(str_sub(line, 2, line.n));
	while (str_next_part(&line, ' ', &word)) {
		if (!word.n || word.p[0] == '-' || str_find_char(word, '=', 0) != SIZE_MAX)
			continue;
		name = str_base(word);
		/* Behind a runner may stand its verb, and values of its options. */
		runs = runs || lexer_name_matches_list(runners, name);
		if (!runs || form_of_program(name))
			break;
	}
	/* To a shell a command that starts Python, to Python a string: pip writes such heads. */
	if (lexer_name_matches_list("sh bash dash", name) && str_next_line(&text, &line) &&
	    (str_starts(line, STR("\"\"\"")) || str_starts(line, STR("'''")) ||
	     str_starts(line, STR("\"exec\" \"python"))))
		return STR("python3");
	return name;
}

const struct lexer_form *lexer_form(struct str path, struct str text)
{
	size_t dot;
	struct str name = str_base(path), suffix;

	dot = str_rfind_char(name, '.');
	suffix = dot == SIZE_MAX ? STR("") : str_sub(name, dot + 1, name.n);
	for (const struct lexer_form *f = lexer_forms; f->suffixes; f++)
		if (lexer_name_matches_list(f->names, name))
			return f;
	for (const struct lexer_form *f = lexer_forms; f->suffixes; f++)
		if (lexer_name_matches_list(f->suffixes, suffix))
			return f;
	return dot == SIZE_MAX ? form_of_program(lexer_program(text)) : NULL;
}

const struct lexer_form *lexer_form_named(const char *name)
{
	const struct lexer_form *f = lexer_forms;

	while (f->suffixes && (!f->name || strcmp(f->name, name)))
		f++;
	return f->suffixes ? f : NULL;
}

bool lexer_has_comments(const struct lexer_form *f)
{
	return f->next || f->cut || f->line[0] || f->block[0].open;
}
