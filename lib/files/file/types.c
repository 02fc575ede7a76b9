#include "file/types.h"

const struct file_type file_types[] = {
	{"asm", ".s .S .asm .nasm"},
	{"c", ".c .h .inc .idc"},
	{"cmake", ".cmake CMakeLists.txt"},
	{"config", ".conf .cfg .ini .properties .env .editorconfig"},
	{"cpp", ".cc .cpp .cxx .c++ .h .hh .hpp .hxx .h++ .inl .ipp .tcc"},
	{"cs", ".cs .csx"},
	{"css", ".css .scss .sass .less"},
	{"csv", ".csv .tsv"},
	{"dart", ".dart"},
	{"docker", ".dockerfile Dockerfile Containerfile .dockerignore"},
	{"elixir", ".ex .exs .eex .heex"},
	{"erlang", ".erl .hrl"},
	{"go", ".go go.mod go.sum go.work"},
	{"graphql", ".graphql .gql"},
	{"groovy", ".groovy .gradle Jenkinsfile"},
	{"h", ".h .hh .hpp .hxx"},
	{"haskell", ".hs .lhs .cabal"},
	{"hcl", ".tf .tfvars .hcl"},
	{"html", ".html .htm .xhtml"},
	{"java", ".java .jsp .properties"},
	{"js", ".js .mjs .cjs .jsx"},
	{"json", ".json .jsonl .jsonc .json5 .ndjson .webmanifest"},
	{"julia", ".jl"},
	{"kotlin", ".kt .kts"},
	{"log", ".log"},
	{"lua", ".lua"},
	{"make", ".mk .mak Makefile makefile GNUmakefile"},
	{"man", ".1 .2 .3 .4 .5 .6 .7 .8 .mdoc .man"},
	{"md", ".md .markdown .mdown .mdx .mkd"},
	{"nix", ".nix"},
	{"objc", ".m .mm .h"},
	{"ocaml", ".ml .mli .mll .mly dune"},
	{"perl", ".pl .pm .t .pod .PL"},
	{"php", ".php .phtml .inc"},
	{"proto", ".proto"},
	{"ps", ".ps1 .psm1 .psd1"},
	{"py", ".py .pyi .pyx .pxd"},
	{"r", ".r .R .Rmd"},
	{"rst", ".rst"},
	{"ruby", ".rb .rake .gemspec .erb .ru Gemfile Rakefile Vagrantfile"},
	{"rust", ".rs"},
	{"scala", ".scala .sc .sbt"},
	{"sh", ".sh .bash .zsh .ksh .fish .bats .bashrc .zshrc .profile .bash_profile"},
	{"sql", ".sql .psql .ddl"},
	{"svelte", ".svelte"},
	{"swift", ".swift"},
	{"tex", ".tex .ltx .sty .cls .bib"},
	{"toml", ".toml Cargo.lock Pipfile poetry.lock"},
	{"ts", ".ts .tsx .mts .cts"},
	{"txt", ".txt .text README LICENSE COPYING NEWS AUTHORS"},
	{"vim", ".vim .vimrc"},
	{"vue", ".vue"},
	{"xml", ".xml .xsd .xsl .xslt .svg .plist .rng .pom"},
	{"yaml", ".yaml .yml"},
	{"zig", ".zig .zon"},
	{0},
};

static bool file_type_is(const struct file_type *t, struct str path)
{
	struct str name = str_base(path), words = str_of(t->files), word;

	while (str_next_part(&words, ' ', &word))
		if (word.p[0] == '.' ? str_ends(name, word) : str_eq(name, word))
			return true;
	return false;
}

static const struct file_type *type(const char *name)
{
	const struct file_type *t = file_types;

	while (strcmp(t->name, name))
		t++;
	return t;
}

bool file_is_markdown(struct str path)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return file_type_is(type("md"), str_lower(a, str_base(path)));
}

bool file_is_prose(struct str path)
{
	if (file_is_markdown(path) || file_type_is(type("txt"), path))
		return true;
	for (const struct file_type *t = file_types; t->name; t++)
		if (file_type_is(t, path))
			return false;
	return str_find_char(str_base(path), '.', 0) == SIZE_MAX;
}

struct err *file_filter_new(struct arena *a, const struct strs *globs, const struct strs *types,
			    bool all, struct file_pick *out)
{
	*out = (struct file_pick){.all = all};
	TRY(globs_new(a, globs, &out->globs));
	for (size_t i = 0; i < types->n; i++) {
		const struct file_type *t = file_types;
		struct strs names = {0};
		struct err *e;

		for (; t->name && !str_is(types->p[i], t->name); t++)
			strs_push(a, &names, str_of(t->name));
		if (!t->name) {
			e = err_for_param(
				E_NOT_IN_ENUM, STR("type"), "there is no file type '%.*s'%.*s",
				STR_ARG(types->p[i]),
				STR_ARG(str_did_you_mean(a, str_nearest(types->p[i], &names))));
			err_detail_list(e, "allowed", &names);
			return err_help(e, "'ikm search --type list' lists all types");
		}
		*VEC_PUSH(a, &out->types) = t;
	}
	return NULL;
}

bool file_filter_matches(const struct file_pick *p, struct str path)
{
	bool typed = !p->types.n;

	for (size_t i = 0; i < p->types.n && !typed; i++)
		typed = file_type_is(p->types.p[i], path);
	return typed && globs_match(&p->globs, path);
}
