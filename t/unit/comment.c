/* Which texts of a file are comments, in each language; the traps are texts that only look so. */
#include "tap.h"
#include "check/comment.h"

#define X "ikm:allow"

/* want: the numbers of the lines whose word stands in a comment. */
static const struct {
	const char *path, *text, *want;
} cases[] = {
	/* C */
	{"a.c", "// " X "\nint a; /* " X " */ \"// " X "\"\n", "1 2"},
	{"a.c", "char *s = \"/* \"; // " X "\n", "1"},
	{"a.c", "char c = '\"'; // " X "\nchar d = '\\''; // " X "\n", "1 2"},
	{"a.cc", "int n = 1'000'000; // " X "\n", "1"},
	{"a.cc", "auto s = R\"x(\n// " X "\n)\" // " X "\n)x\"; // " X "\n", "4"},
	{"a.c", "/* /* " X " */ " X "\n", "1"},
	{"a.c", "\"a\\\"// " X "\"; // " X "\n", "1"},
	{"a.c", "s = \"open\n// " X "\n", "2"},
	{"a.c", "/* " X "\nnever closed", ""},
	{"a.c", "#error don't\n// " X "\n", "2"},
	{"a.h", "// a\n/*\n * " X "\n */\n", "3"},
	/* Rust, Go, Java, Kotlin, Swift, C# */
	{"a.rs", "/* a /* b */ " X " */ x\n", "1"},
	{"a.rs", "fn f<'a>(x: &'a str) {} // " X "\nlet c = '\"'; // " X "\n", "1 2"},
	{"a.rs", "r#\"\n// " X " \"quoted\"\n\"# // " X "\n", "3"},
	{"a.rs", "\"a\n// " X "\n\"; // " X "\n", "3"},
	{"a.go", "`\n// " X "\n` // " X "\n", "3"},
	{"go.mod", "require a v1 // " X "\n", "1"},
	{"A.java", "String s = \"\"\"\n  // " X "\n  \"\"\"; // " X "\n", "3"},
	{"a.kt", "/* /* */ " X " */ val a = '\\u0022' // " X "\n", "1 1"},
	{"a.swift", "let s = \"\\\"\" // " X "\n", "1"},
	{"a.cs", "var s = @\"c:\\\"; // " X "\nvar t = @\"a\"\"// " X "\";\n", "1"},
	/* JavaScript */
	{"a.js", "`${'`'} // " X "` // " X "\n", "1"},
	{"a.js", "`a ${b ? `// " X "` : {}} // " X "` // " X "\n", "1"},
	{"a.js", "x = /[/\"]/; // " X "\n", "1"},
	{"a.js", "x = a / b; // " X " /\n", "1"},
	{"a.js", "return /\"/.test(s) // " X "\n", "1"},
	{"a.js", "x = s.replace(/\\/\\/ " X "/, '')\n", ""},
	{"a.ts", "const s = 'http://x/ " X "'; // " X "\n", "1"},
	{"a.jsonc", "{\"a\": \"// " X "\" // " X "\n}", "1"},
	{"a.json", "// " X "\n", "no form"},
	{"package.json", "", "no form"},
	/* CSS, PHP, SQL */
	{"a.css", "a { content: \"/* " X " */\"; } /* " X " */\n// " X "\n", "1"},
	{"a.scss", "a { b: url(http://x/" X ") } // " X "\n", "1"},
	{"a.php", "# " X "\n<?php # " X "\n$s = <<<E\n# " X "\nE;\n?>\n// " X "\n<? // " X "\n",
	 "2 8"},
	{"a.sql", "select 'it''s -- " X "' -- " X "\n", "1"},
	{"a.sql", "select $f$ -- " X " $f$; /* /* */ " X " */\n", "1"},
	{"a.sql", "select 'a\\'; -- " X "\n", "1"},
	/* Python, Ruby, Perl */
	{"a.py", "\"\"\"\n# " X "\n\"\"\" # " X "\n", "3"},
	{"a.py", "s = '# " X "' # " X "\n", "1"},
	{"a.py", "'''a\"\"\"\n# " X "\n''' # " X "\n", "3"},
	{"tool", "#!/usr/bin/env -S python3 -u\n# " X "\n", "2"},
	{"tool", "# " X "\n", "no form"},
	{"a.rb", "s = \"#{a} # " X "\" # " X "\nx = <<~E\n  # " X "\n  E\n# " X "\n", "1 5"},
	{"a.rb", "=begin\n# " X "\n=end\n# " X "\n", "4"},
	{"Gemfile", "gem 'a' # " X "\n", "1"},
	{"a.pl", "$#a # " X "\n=pod\n\n# " X "\n\n=cut\n# " X "\n", "1 7"},
	/* shell */
	{"a.sh", "echo a#b " X "; echo $# # " X "\n", "1"},
	{"a.sh", "echo '# " X "\n# " X "' # " X "\n", "2"},
	{"a.sh", "cat <<'E' # " X "\n# " X "\nE\n# " X "\n", "1 4"},
	{"a.sh", "cat <<-E; cat <<F\n# " X "\n\tE\n# " X "\nF\n# " X "\n", "6"},
	{"a.sh", "cat <<<E\n# " X "\n", "2"},
	{"a.sh", "echo $((1<<n))\n# " X "\n", "2"},
	{"a.sh", "echo it\\'s # " X "\n", "1"},
	/* YAML */
	{"a.yml", "a: b # " X "\nc: d#" X "\ne: 'x # " X "'\n", "1"},
	{"a.yml", "run: |\n  # " X "\n\n  # " X "\nb: 1 # " X "\n", "5"},
	{"a.yml", "- run: >-  # " X "\n    # " X "\n  name: a # " X "\n", "1 3"},
	{"a.yml", "- |\n  # " X "\n- b # " X "\n", "3"},
	{"a.yml", "a: !!str |\n  # " X "\nb: 1\n", ""},
	{"a.yml", "a: it's # " X "\nb: isn't # " X "\n", "1 2"},
	{"a.yml", "a: 'it''s # " X "'\nb: \"\\\" # " X "\"\n", ""},
	{"a.yml", "a: x | y\n# " X "\n", "2"},
	/* TOML, INI and others with # */
	{"pyproject.toml", "a = \"# " X "\" # " X "\nb = 'c:\\' # " X "\n", "1 2"},
	{"a.toml", "a = '''\n# " X "\n''' # " X "\n", "3"},
	{"a.ini", "a = b ; " X "\n; " X "\n  # " X "\n", "2 3"},
	{"requirements-dev.txt", "a==1 # " X "\nb @ http://x#" X "\n", "1"},
	{"notes.txt", "# " X "\n", "no form"},
	{"Dockerfile", "RUN echo # " X "\n# " X "\nRUN <<E\n# " X "\nE\n", "2"},
	{"Makefile", "a: b # " X "\nc = \\# " X "\n", "1"},
	{"CMakeLists.txt", "set(a [=[\n# " X "\n]=]) # " X "\n#[[ " X " ]]\n", "3 4"},
	{"a.jl", "#= #= =# " X " =# \"# " X "\"\n", "1"},
	{"a.ps1", "<# " X " #> 'it''s # " X "' # " X "\n", "1 1"},
	{"a.ex", "\"\"\"\n# " X "\n\"\"\" # " X "\n", "3"},
	{"a.tf", "a = <<E\n# " X "\nE\n// " X "\n", "4"},
	/* -- ; % */
	{"a.lua", "s = [[\n-- " X "\n]] -- " X "\n--[==[ " X " ]] ]==]\n", "3 4"},
	{"a.hs", "a --> b -- " X "\n{- {- -} " X " -} '\"' -- " X "\n", "1 2 2"},
	{"a.hs", "a --> " X "\n", ""},
	{"a.el", "\"; " X "\" ; " X "\n?; " X " \n", "1 2"},
	{"a.clj", "\\; " X "\n\\\" ; " X "\n", "2"},
	{"a.tex", "50\\% " X " % " X "\n", "1"},
	/* markup, ML */
	{"pom.xml", "<a t='<!-- " X " -->'><!-- " X " --><![CDATA[<!-- " X " -->]]>\n", "1"},
	{"a.csproj", "<!-- " X " -->\n", "1"},
	{"a.html", "<script>\n// " X "\n</script>\n// " X "\n<!-- " X " -->\n", "2 5"},
	{"a.vue", "<style>\n/* " X " */\n</style><p title=\"<!-- " X " -->\">", "2"},
	{"a.md", "```\n<!-- " X " -->\n```\n`<!-- " X " -->` <!-- " X " -->\n", "4"},
	{"a.html",
	 "<textarea><!-- " X " --></textarea>\n<title><!-- " X " --></title><!-- " X " -->", "2"},
	{"a.md", "`a` ```\n<!-- " X " -->\n", "2"},
	{"a.md", "``` a ` b `` c ` d `` <!-- " X " -->\n", ""},
	{"a.md", "x ``` a `` b ` <!-- " X " --> ` `` <!-- " X " -->\n", "1"},
	{"a.md", "it is ` alone <!-- " X " -->\n", "1"},
	{"a.ml", "(* (* *) " X " *) '\"' (* " X " *) \"(* " X " *)\"\n", "1 1"},
	{"a.pas", "{ " X " } 'it''s // " X "' // " X "\n", "1 1"},
};

static struct str lines_of(struct arena *a, const char *path, const char *text)
{
	const struct comment_form *f = comment_form(str_of(path), str_of(text));
	struct comments found = {0};
	struct buf b = buf_in(a);

	if (!f)
		return STR("no form");
	comments_find(a, f, str_of(text), STR(X), &found);
	for (size_t i = 0; i < found.n; i++) {
		size_t at = str_find(str_of(text), STR(X), found.p[i].text.from);

		buf_fmt(&b, "%s%zu", i ? " " : "", str_place(str_of(text), at).line);
	}
	return b.n ? buf_str(&b) : STR("");
}

int main(void)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(lines_of(a, cases[i].path, cases[i].text), str_of(cases[i].want),
		       str_c(a, str_fmt(a, "%s, case %zu", cases[i].path, i)));
	arena_free(a);
	return tap_done();
}
