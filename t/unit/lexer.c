/* Which texts of a file are comments, in each language; the traps are texts that only look so. */
#include "tap.h"
#include "lexer/lexer.h"

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
	{"a.c", "// a \\\n// " X "\n#define A 'b // " X "\n", "2 3"},
	{"a.c", "// a \\\n\" b\n// " X "\n", "3"},
	{"a.cc", "#include <a//b> // " X "\nR\"(\" // " X ")\"; u8R\"x()\" )x\" // " X "\n", "1 2"},
	{"a.c", "#include A(b) /* " X " */\n#include // " X "\n", "1 2"},
	{"a.c", "/* /* " X " */ " X "\n", "1"},
	{"a.c", "\"a\\\"// " X "\"; // " X "\n", "1"},
	{"a.c", "s = \"open\n// " X "\n", "2 told"},
	{"a.c", "/* " X "\nnever closed", "told"},
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
	{"a.jsx", "const x = <p>Press the ` key</p>;\nimport a from 'b'; // " X "\n", "2"},
	{"a.jsx", "const x = <p>it's</p>; // " X "\n", "1"},
	{"a.jsx", "const x = <p>\n// " X "\n/* " X " */\n{a /* " X " */}\n</p>;\n", "4"},
	{"a.tsx", "<a b='//' // " X "\n c={`${1 /* " X " */}`}>// " X "</a>; // " X "\n", "1 2 2"},
	{"a.ts", "const f = <T>(a: T) => a; // " X "\n", "1"},
	{"a.js", "if (a) /`/.test(b);\nimport a from 'b'; // " X "\n", "2"},
	{"a.js", "while (a) /[\"`]/.test(b); // " X "\n", "1"},
	{"a.js", "x = (a) / `// " X "`; // " X "\n", "1"},
	{"a.js", "x = a++ / 2; y = '/'; // " X "\n", "1"},
	{"a.vue", "<script lang=\"ts\">\nif (a) /`/.test(b); // " X "\n</script>\n", "2"},
	{"a.vue", "<script lang=\"ts\">\nconst a = <A>b; // " X "\n</script>\n", "2"},
	{"a.vue", "<script lang='tsx'>\nconst a = <A>it's</A>; // " X "\n</script>\n", "2"},
	{"a.vue", "<script src=\"a.js\" />\n<style lang=\"scss\">\n// " X "\n</style>\n", "3"},
	{"a.svelte", "<script>\nlet a = b<c; // " X "\n</script>\n// " X "\n", "2"},
	{"a.astro", "---\nimport a from 'a'; // " X "\n---\n// " X "\n<!-- " X " -->\n", "2 5"},
	{"a.html", "<script>\n// a\r// " X "\n</script>\n", "2"},
	{"a.html",
	 "<p a=\"<script>\">// " X "</p><script type=text/x>// " X "</script><!-- " X " -->", "1"},
	{"a.mdx", "import a from 'a' // " X "\n\n// " X "\n{/* " X " */} `{/* " X " */}`\n", "1 4"},
	{"a.mdx", "```js\n{/* " X " */}\n// " X "\n```\n<A b={1 /* " X " */}>// " X "</A>\n", "5"},
	{"a.mdx", "<!-- " X " -->\n\\{/* " X " */}\n1 < 2 {/* " X " */}\n", "1 3"},
	{"a.ipynb",
	 "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"# " X "\\n\",\n\"s = '# " X
	 "'\"]},\n"
	 "{\"cell_type\": \"markdown\", \"source\": \"# " X "\"},\n"
	 "{\"cell_type\": \"code\", \"source\": \"%%bash\\n'\\n# " X "\\n'\\n# " X "\"}]}",
	 "2 5"},
	{"a.ipynb", "{\"cells\": [\n# " X "\n", "from 1 to 3: the notebook is no JSON"},
	{"a.ipynb",
	 "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"# " X
	 "\\n\",\n\"'''\\n\",\n\"# " X "\"]},"
	 "\n{\"cell_type\": \"code\", \"source\": [\"%%x\\n\",\n\"# " X "\"]},\n"
	 "{\"cell_type\": \"code\", \"source\": \"# " X "\"}]}",
	 "2 from 3 to 4: the string that begins here does not end "
	 "from 5 to 6: ikm does not know the language of this cell 7"},
	{"a.vue",
	 "<script>\nlet a = `\n// " X "\n</script>\n<!-- " X " -->\n<script lang=\"x\">\n// " X
	 "\n</script>\n<style>\n'\n/* " X " */</style>",
	 "from 2 to 4: the template that begins here does not end 5 "
	 "from 6 to 8: ikm does not read the language of this script "
	 "from 10 to 11: the string that begins here does not end 11"},
	{"a.jsonc", "{\"a\": \"// " X "\" // " X "\n}", "1"},
	{"a.json", "// " X "\n", "no form"},
	{"package.json", "", "no form"},
	/* CSS, PHP, SQL */
	{"a.css", "a { content: \"/* " X " */\"; } /* " X " */\n// " X "\n", "1"},
	{"a.scss", "a { b: url(http://x/" X ") } // " X "\n", "1"},
	{"a.less", "@a: ~\"// " X "\"; .b { c: url( \"//" X "\" ) } /* " X " */\n", "1"},
	{"a.sass", "a\n  // b\n    " X "\n  c: d // " X "\n", "3 4"},
	{"a.php", "# " X "\n<?php # " X "\n$s = <<<E\n# " X "\nE;\n?>\n// " X "\n<? // " X "\n",
	 "2 8"},
	{"a.sql", "select 'it''s -- " X "' -- " X "\n", "1"},
	{"a.sql", "select $f$ -- " X " $f$ -- " X "\n/* /* */ " X " */\n", "1 told"},
	/* In some dialects the backslash escapes the quote. */
	{"a.sql", "-- " X "\nselect 'a\\'; -- " X "\n", "1 told"},
	/* Python, Ruby, Perl */
	{"a.py", "\"\"\"\n# " X "\n\"\"\" # " X "\n", "3"},
	{"a.py", "s = '# " X "' # " X "\n", "1"},
	{"a.py", "'''a\"\"\"\n# " X "\n''' # " X "\n", "3"},
	{"tool", "#!/usr/bin/env -S python3 -u\n# " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S npx -y tsx\n// " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S pnpm dlx tsx\n// " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S yarn node\n// " X "\n", "2"},
	{"tool", "#!/usr/bin/env zx\n// " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S conda run -n x python3\n# " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S uvx --from x python\n# " X "\n", "2"},
	{"tool", "#!/usr/bin/env -u X python3\n# " X "\n", "2"},
	{"tool", "#!/usr/bin/env -S -C / poetry run python\n# " X "\n", "2"},
	{"tool", "#!/usr/bin/env ipython\n# " X "\n", "2"},
	{"tool", "# " X "\n", "no form"},
	{"a.rb", "s = \"#{a} # " X "\" # " X "\nx = <<~E\n  # " X "\n  E\n# " X "\n", "1 5"},
	{"a.rb", "=begin\n# " X "\n=end\n# " X "\n", "4"},
	{"a.rb", "q = ?\"\nr = ?' # " X "\nrequire 'a' # " X "\n", "2 3"},
	{"a.rb", "q = %q(it's) # " X "\nr = %w[\"] # " X "\n", "1 2"},
	{"a.rb", "q = $' # " X "\nr = $\" # " X "\ns = $` # " X "\n", "1 2 3"},
	{"a.rb", "a = [/'/, b / 2] # " X "\nc = :'d#e' # " X "\n", "1 2"},
	{"a.php", "<?php\n#[A('x')] " X "\n# " X " ?> it's <?php // " X "\n", "3 3"},
	{"a.php", "<?php $a = \"{$b['c']}\"; // " X "\n__halt_compiler(); # " X "\n", "1"},
	{"Gemfile", "gem 'a' # " X "\n", "1"},
	{"a.pl", "$#a # " X "\n=pod\n\n# " X "\n\n=cut\n# " X "\n", "1 7"},
	/* shell */
	{"a.sh", "echo a#b " X "; echo $# # " X "\n", "1"},
	{"a.sh", "echo '# " X "\n# " X "' # " X "\n", "2"},
	{"a.sh", "cat <<'E' # " X "\n# " X "\nE\n# " X "\n", "1 4"},
	{"a.sh", "cat <<-E; cat <<F\n# " X "\n\tE\n# " X "\nF\n# " X "\n", "6"},
	{"Dockerfile", "RUN <<-E\n# " X "\n  E\n# " X "\n\tE\n# " X "\n", "6"},
	{"a.pl", "print <<~E;\n# " X "\n  E\n# " X "\n", "4"},
	{"a.sh", "cat <<<E\n# " X "\n", "2"},
	{"a.sh", "echo $((1<<n))\n# " X "\n", "2"},
	{"a.sh", "echo it\\'s # " X "\n", "1"},
	{"a.sh", "a=\"$(b \"it's\" \"\\' $c '\")\"\n# " X "\n", "2"},
	{"a.sh", "a=`b \"it's\"` # " X "\n", "1"},
	{"a.sh", "cat <<E\n$(b # " X "\n)\nE\n", "2"},
	{"a.sh", "case $x in\na) b ;; # " X "\nesac\n", "2"},
	{"a.sh", "a=${b#c} # " X "\n", "1"},
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
	{"a.ini", "a = b ; " X "\n; " X "\n  # " X "\n", "2 3 told"},
	{"requirements-dev.txt", "a==1 # " X "\nb @ http://x#" X "\n", "1"},
	{"notes.txt", "# " X "\n", "no form"},
	{"Dockerfile", "RUN echo # " X "\n# " X "\nRUN <<E\n# " X "\nE\n", "2 told"},
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
	{"a.el", "\"; " X "\" ; " X "\n?; " X " \n", "1"},
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
	{"a.md", "``` a ` b `` c ` d `` <!-- " X " -->\n", "1"},
	{"a.md", "x ``` a `` b ` <!-- " X " --> ` `` <!-- " X " -->\n", "1"},
	{"a.md", "it is ` alone <!-- " X " -->\n", "1"},
	{"a.ml", "(* (* *) " X " *) '\"' (* " X " *) \"(* " X " *)\"\n", "1 1"},
	{"a.pas", "{ " X " } 'it''s // " X "' // " X "\n", "1 1"},
	/* Forms of strings that one language has, and what ikm cannot tell in them. */
	{"a.pl", "$a = q{\n# " X "\n{} # " X "\n}; # " X "\n", "4"},
	{"a.pl", "$a = qq (\n# " X "\n) . qw[\n# " X "\n]; # " X "\n", "5"},
	{"a.pl", "s{a}\n{\n# " X "\n}e; tr/a/#/; y|a|'|; m<\n# " X "\n>; # " X "\n", "6"},
	{"a.pl", "$s{a} = {s => 1, y=> 2}; $x->y(1); sub q { -s $f } # " X "\n", "1"},
	{"a.pl", "$h{s} = $_{y}; local $\" = $'; # " X "\nuse Test; isn't($a); # " X "\n", "1 2"},
	{"a.pl", "print <<\"A B\", <<~ 'C D';\n# " X "\nA B\n# " X "\n  C D\n# " X "\n", "6"},
	{"a.pl", "s/a//s; /b/s # it's " X "\n&& m/c/s # " X "\n", "1 2"},
	{"a.pl", "{ $x{q}# " X "\n}# " X "\n@$#; $#a # " X "\n", "1 2 3"},
	{"a.pl", "format A::B =\n@<< it's # " X "\n$a\n# " X "\n.\n# " X "\n", "6 told"},
	{"a.pl", "format =\n.\n# " X "\n{$x->format =\n'a'}; # " X "\n", "3 5 told"},
	{"a.pl", "format =\n# " X "\n", "told"},
	{"a.pl", "# " X "\n__END__\n# " X "\n", "1 told"},
	{"a.pl", "# " X "\nq{ # " X "\n", "1 told"},
	{"a.pl", "s{a} # b {\n{c} # " X "\n", "told"},
	{"a.ml", "x = {|\n(* " X " *)\n|} (* " X " *) {a_b|\n|} (* " X " *) |a_b} (* " X " *)\n",
	 "3 4"},
	{"a.ml", "{a|1} (* " X " *)\n", "told"},
	{"a.ml", "(* \"*)\" " X " *) \"(* " X " *)\" (* it's {x|*)|x} " X " *)\n", "1 1"},
	{"a.fs", "(* \"*)\" " X " *) ``a // " X "`` // " X "\n", "1 1"},
	{"a.fs", "let a = $@\"\\\" // " X "\nlet b = \"\"\"\\\"\"\" // " X "\n", "1 2"},
	{"Makefile", "a:\n\techo \"# " X "\"; b\n\techo '# " X "'; b\n\tc # " X "\n", "4"},
	{"Makefile", "a: b; echo \"# " X "\"\nA = \"# " X "\n\t@# " X "\n", "2 3"},
	{"Makefile", "a:\n\techo \"a \\\n# " X "\" \\\n\t'\\\n# " X "' # " X "\nb = 'c # " X "\n",
	 "5 6"},
	{"Makefile", "A = 'a;b # " X "\nB = $(shell c \"# " X "\") it's # " X "\n", "1 2"},
	{"a.yml", "- echo \"it's a list:\"\n- {\"a\":\"# " X "\"} # " X "\n", "2"},
	{"Makefile", "define a\n# " X "\nendef\n# " X "\n", "4"},
	{"Makefile", ".RECIPEPREFIX = >\n# " X "\n", "told"},
	{"a.dart", "r'\\' // " X "\nr'''\\''' // " X "\n'${a['// " X "']}' // " X "\n", "1 2 3"},
	{"a.jl", "`\n# " X "\n` # " X "\n```\n# " X "\n``` \"$(f(\"# " X "\"))\" # " X "\n", "3 6"},
	{"a.r", "`a # " X "` R'[\"]' # " X "\n", "told"},
	{"a.r", "# " X "\na <- r\"(\" # " X ")\"\n", "1 told"},
	{"a.ps1", "@\"\n\" # " X "\n\"@ # " X "\n@'\n' # " X "\n'@\n\"`\" # " X "\" # " X "\n",
	 "3 7"},
	{"a.ps1", "\"$(f \"# " X "\") # " X "\" # " X "\na `\" # " X "\n", "1 2"},
	{"a.elm", "\"\"\"\n-- " X "\n\"\"\" -- " X "\n", "3"},
	{"a.hs", "[r|\n-- " X "\n|] -- " X "\n[x | x <- y] -- " X "\n", "3 4"},
	{"a.erl", "$\" % " X "\n$% % " X "\n\"\"\"\n% " X "\n\"\"\" % " X "\n", "1 2 told"},
	{"a.erl", "~s(\n% " X "\n)\n", "told"},
	{"a.el", "?\" ; " X "\n(a?b \"; " X "\")\n", "1"},
	{"a.scm", "|a ; " X "| ; " X "\n", "1"},
	{"a.rkt", "#<<E\n; " X "\nE\n", "told"},
	{"a.adb", "'\"' & \"-- " X "\" -- " X "\n", "1"},
	{"a.sql", "`a -- " X "` q'[it's -- " X "]'\n", "told"},
	{"CMakeLists.txt", "a(\\\" \"# " X "\") # " X "\n", "1"},
	{"a.toml", "a = [\"\"\"a\"\"\"\", \"# " X "\"] # " X "\nb = '''\\''' # " X "\n", "1 2"},
	{"a.yml", "a: !!str \"x # " X "\" # " X "\nb: &c 'd # " X "'\n", "1"},
	{"a.properties", "a = b\\\n# " X "\nc = d\n# " X "\n", "4 told"},
	{".env", "A=\"\n# " X "\n\"\nB=it's\n# " X "\n", "5"},
	{".env", "A='# " X "'\n# " X "\nB=c # " X "\n", "2 told"},
	{"a.tex", "\\begin{verbatim}\n% " X "\n\\end{verbatim}\n% " X "\n\\verb|%| % " X "\n",
	 "4 told"},
	{"a.tex", "\\begin{alltt}\n% " X "\n\\end{alltt}\n% " X "\n", "4"},
	{"a.lua", "\"a\\z\n -- " X "\" -- " X "\n", "2"},
	/* Forms that are rare, or may be read in two ways. */
	{"a.ex", "~s(#{f(\")\")} # " X ") # " X "\n~S(#{) # " X "\n~s{#{%{}} # " X "}\n", "1 2"},
	{"a.ex", "~s\"\"\"\n# " X " \"\"\" x\n# " X "\n  \"\"\" # " X "\n", "4"},
	{"a.ex", "\"\"\"\n\"\"\" # " X "\n~r/\\\\/ # " X "\n", "2 3"},
	{"a.groovy", "return /a\n# " X "\\\\/ ${'/'} /* " X " */ x $b/ // " X "\n", "2"},
	{"a.html", "<? a=\"<!-- " X " -->\" ?> <!-- " X " -->\n", "1"},
	{"a.ps1", "@\"\n$(@\"\n\"@\n) # " X "\n\"@\n", "told"},
	{"build.gradle", "b = i++ / 2\nc = i-- / 2 // " X "\nd = + /\n/ // " X "\n", "2 4"},
	{"a.groovy", "a = /foo\n// " X "\n/ // " X "\n", ""},
	{"a.groovy", "a = /${x / y} // " X "/\n", ""},
	{"a.groovy", "a = $/ a $/$ // " X " /$\n", ""},
	{"a.html", "<xmp><!-- " X " --></xmp>\n", ""},
	{"a.html", "<iframe><!-- " X " --></iframe>\n", ""},
	{"a.svelte", "<p>{\"<!-- " X " -->\"}</p>\n",
	 "from 1 to 2: ikm cannot read the code that begins here"},
	{"a.vue", "<template>{{ \"<!-- " X " -->\" }}</template>\n",
	 "from 1 to 2: ikm cannot read the code that begins here"},
	{"a.astro", "<p>{\"<!-- " X " -->\"}</p>\n",
	 "from 1 to 2: ikm cannot read the code that begins here"},
	{"a.jl", "`a \\` # " X "` # " X "\n", "1"},
	{"a.jl", "`$(\"`\") # " X "`\n", ""},
	{"a.fs", "{| A = 1 // " X "\n   B = 2 |} // " X "\n", "1 2"},
	{"a.fs", "let f = (*) \n// " X "\n", "2"},
	{"a.pl", "$x =~ /\n # " X "\n/x; # " X "\n", "told"},
	{"a.pl", "if (1) { } /# " X "/;\n", "told"},
	{"a.pl", "print'a # " X "'; # " X "\n", "told"},
	{"a.pl", "=begin x\n# " X "\n=end x\n# " X "\n=cut\n# " X "\n", "6"},
	{"a.pl", "print <<\"\";\n# " X "\n\n# " X "\n", "4"},
	{"a.pl", "1; __END__\n# " X "\n", "told"},
	{"a.pl", "print <<A,<<B,<<C,<<D,<<E,<<F,<<G,<<H,<<I;\nA\nB\nC\nD\nE\nF\nG\nH\n# " X "\nI\n",
	 "told"},
	{"a.pl", "$x = $a / $b; # it / " X "\n", "1"},
	{"a.pl", "$h{x} / 2; \"a\"; # / " X "\n", "told"},
	{"a.pl", "%h = (s => 1, y => 2, q => 3); # " X "\n", "1"},
	{"a.pl", "package Foo::s; sub y { 1 } # " X "\n", "1"},
	{"a.pl", "keys %s; @y; &q; # " X "\n", "1"},
	{"a.pl", "foo(-s => 1); print {$s} 1; # " X "\n", "1"},
	{"a.pl", "<$fh>; <STDIN>; glob(\"*/#\"); # " X "\n", "1"},
	{"a.pl", "$x->{y}{s}[1]; $h{ s }; # " X "\n", "1"},
	{"a.ps1", "Write-Host \342\200\234a # " X "\342\200\235 # " X "\n", "told"},
	{"a.ps1", "cmd --% a # " X "\n# " X "\n", "2"},
	{"a.ps1", "'it\342\200\231s' # " X "'\n", "told"},
	{"a.r", "x %# " X "% y\n", ""},
	{"a.r", "`a\\` # " X "` # " X "\n", "told"},
	{"a.pas", "a := '''\n  // " X "\n  '''; // " X "\n", "told"},
	{"a.pas", "a := '''\r\n  // " X "\r\n  '''; // " X "\r\n", "told"},
	{"a.pas", "a := '''''''\n  // " X "\n  '''''''; // " X "\n", "told"},
	{"a.pas", "a := 'b'''#13'''c' // " X "\n", "1"},
	{"a.adb", "a := \"b -- " X "\n-- " X "\n", "told"},
	{"a.pp", "class a { \n" X "\n }\n", "no form"},
	{"a.yml", "--- |\n# " X "\n", ""},
	{"a.conf", "log_format main \"$a\n# " X "\n\";\n", "told"},
	{"a.conf", "a = it's\n# " X "\n", "2"},
	{"Makefile", "override define A\n# " X "\nendef\n", ""},
	{"Makefile", "define a\ndefine b\nendef\n# " X "\nendef\n", "told"},
	{"Makefile", "a:\n\techo $$'it\\' # " X "'\n", "told"},
	{"Makefile", ".ONESHELL:\na:\n\tcat <<E\n\t# " X "\n\tE\n", "told"},
	{"Makefile", "a:\n\techo \"`echo \" # " X "\"`\"\n", "told"},
	{"Makefile", "a:\n\techo \"$$(echo \" # " X "\")\"\n", ""},
	{"Makefile", "a:\n\techo \"$${x:-\" # " X "\"}\"\n", "told"},
	{"a.graphql", "\"\"\"a \\\"\"\" # " X " \"\"\" # " X "\n", "told"},
	{"a.awk", "if ($1) /# " X "/ { }\n", "told"},
	{"a.awk", "$1 ~ /# " X "/ { } # " X "\n", "1"},
	{"a.awk", "x = a / b # / " X "\n", "1"},
	{"a.sql", "# it's\nselect 'a -- " X "';\n", "told"},
	{"a.sql", "select [a -- " X "] from t\n", "told"},
	{"a.sql", "select [a -- " X "\n] from t\n", "told"},
	{"a.sql", "select nq'[it's -- " X "]' from t\n", "told"},
	{"a.tex", "\\begin{filecontents*}{a}\n% " X "\n\\end{filecontents*}\n% " X "\n", "4"},
	{"a.tex", "\\begin{Verbatim}\n% " X "\n\\end{Verbatim}\n% " X "\n", "4"},
	{"a.tex", "\\MakeShortVerb{\\|}\n|% " X "|\n", "told"},
	{"a.tex", "\\catcode`\\%=12\n% " X "\n", "told"},
	{"a.xml", "<?a > <!-- " X " --> ?>\n<!-- " X " -->\n", "2"},
	{"a.xml",
	 "<!DOCTYPE a [ <!ENTITY x \"<!-- " X " -->\"> <!ENTITY y '<!-- " X " -->'> ]>\n<!-- " X
	 " -->\n",
	 "2"},
	{"a.md", "    <!-- " X " -->\n\n- a\n\n    <!-- " X " -->\n", "5"},
	{"a.md", "```md\n> ```\n<!-- " X " -->\n```\n<!-- " X " -->\n", "5"},
	{"a.md", "```\n    ```\n<!-- " X " -->\n```\n<!-- " X " -->\n", "5"},
	{"a.md", "> ```\n> <!-- " X " -->\n\n<!-- " X " -->\n", "4"},
	{"a.md", "> ```\n<!-- " X " -->\n", "2"},
	{"a.md", "- ```\n  <!-- " X " -->\n\n<!-- " X " -->\n", "4"},
	{"a.md", "1. a\n\n   ```\n<!-- " X " -->\n", "4"},
	{"a.md", "~~~ `\n<!-- " X " -->\n~~~~\n<!-- " X " -->\n", "4"},
	{"a.md", "``` `a\n<!-- " X " -->\n", "2"},
	{"a.md", "5 o` clock.\n\n`<!-- " X " -->` <!-- " X " -->\n", "3"},
	{"a.md", "5 o` clock\n\n<!-- " X " -->\n\n6 o` clock\n", "3"},
	{"a.md", "# a `\n<!-- " X " -->\n- ` <!-- " X " -->\n- `\n", "2 3"},
	{"a.md", "<p>`\n<!-- " X " -->\n`</p>\n", "2"},
	{"a.md", "<!--\n" X "\n\n" X "\n```\n-->\n", "2"},
	{"a.md", "---\na: '<!-- " X " -->'\n---\n<!-- " X " -->\r\n", "4"},
	{"a.md", "- ~~~\n  <!-- " X " -->\n  ~~~\n", ""},
	{"a.md", "```x```\n\n```\n<!-- " X " -->\n```\n", ""},
	{"a.md", "- ```\n  <!-- " X " -->\n  ````\n", ""},
	{"a.md", "> ```\n> <!-- " X " -->\n> ```\n", ""},
	{"a.md", "\\<!-- " X " -->\n", ""},
	{"a.md", "[a](b \"<!-- " X " -->\")\n",
	 "from 1 to 2: ikm cannot read the code that begins here"},
	{"a.md", "\\` <!-- " X " --> `\n", "1"},
	{"a.scm", "|a\\| ; " X "| ; " X "\n", "told"},
	{"a.svelte", "{a < b} <b c={() => `> <!-- " X " -->`} /> <!-- " X " -->\n", "1"},
	{"a.adb", "'\\', '\"' & \"-- " X "\" -- " X "\n", "1"},
	{"Makefile", "a:\n\techo \"\\\"`c 'd'`\" # " X "\n", "2"},
	{"a.sql", "select array[\n'a', 'b'] -- " X "\n", "2"},
	{"a.sql", "select a[1], array['b'], c #> d -- " X "\n", "1"},
	{"a.scm", "#<#E\n; " X "\nE\n", "told"},
	{"a.lua", "`{ -- " X "}`\n", "told"},
};

/* What ends a line, and with it a comment, for the compilers of each language. */
static const struct {
	const char *paths;
	const char *comment; /* what begins one */
	const char *ends;    /* c: CR; l: U+2028 and U+2029; n: U+0085 */
} line_ends[] = {
	{"a.js a.jsx a.mjs a.ts a.tsx a.jsonc", "//", "cl"},
	{"a.cs", "//", "cln"},
	{"a.java a.kt a.swift a.scala a.groovy build.gradle a.dart a.c a.cpp", "//", "c"},
	{"a.py a.yaml", "#", "c"},
	{"a.php", "<?php //", "c"},
	{"a.php", "<?php #", "c"},
	{"a.lua a.sql", "--", "c"},
	{"a.go a.rs", "//", ""},
	{"a.rb a.sh a.pl", "#", ""},
};

static struct str lines_of(struct arena *a, const char *path, const char *text)
{
	const struct lexer_form *f = lexer_form(str_of(path), str_of(text));
	struct lexer_comments found = {0};
	struct buf b = buf_in(a);
	bool told = false;

	if (!f || !lexer_has_comments(f))
		return STR("no form");
	lexer_comments(a, f, str_of(path), str_of(text), STR(X), &found);
	for (size_t i = 0; i < found.n; i++) {
		const struct lexer_comment *c = &found.p[i];
		size_t at = str_find(str_of(text), STR(X), c->text.from);

		if (c->unread && f->cut)
			buf_fmt(&b, "%sfrom %zu to %zu: %s", b.n ? " " : "",
				str_place_of_offset(str_of(text), c->at.from).line,
				str_place_of_offset(str_of(text), c->at.to).line, c->unread);
		else if (!c->unread)
			buf_fmt(&b, "%s%zu", b.n ? " " : "",
				str_place_of_offset(str_of(text), at).line);
		told = told || (c->unread && !f->cut);
	}
	if (told)
		buf_puts(&b, b.n ? " told" : "told");
	return b.n ? buf_as_str(&b) : STR("");
}

/* Whether a comment before `end` is over behind it: a second one begins there. */
static void line_end_is(struct arena *a, struct str path, const char *begin, const char *end,
			bool ends)
{
	struct str text = str_fmt(a, "%s a%sb " X "\n", begin, end);
	struct lexer_comments found = {0};

	lexer_comments(a, lexer_form(path, text), path, text, STR(X), &found);
	ok(found.n == (ends ? 0 : 1), "%s: '%s' and %s", str_c(a, path), begin,
	   str_c(a,
		 str_fmt(a, "%zu bytes that %s a line", strlen(end), ends ? "end" : "do not end")));
}

static void all_line_ends(struct arena *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(line_ends); i++) {
		struct str rest = str_of(line_ends[i].paths), path;
		const char *begin = line_ends[i].comment, *ends = line_ends[i].ends;

		while (str_next_part(&rest, ' ', &path)) {
			line_end_is(a, path, begin, "\n", true);
			line_end_is(a, path, begin, "\r\n", true);
			line_end_is(a, path, begin, "\r", strchr(ends, 'c'));
			line_end_is(a, path, begin, "\u2028", strchr(ends, 'l'));
			line_end_is(a, path, begin, "\u2029", strchr(ends, 'l'));
			line_end_is(a, path, begin, "\xc2\x85", strchr(ends, 'n'));
			line_end_is(a, path, begin, "\f", false);
		}
	}
}

/* Java decodes \u0041 before all else; places stay those of the file. */
static void escapes(struct arena *a)
{
	struct str text = STR("\\u002f\\uu002f a \\u000a x /\\u002f " X "\n");
	struct lexer_comments found = {0};

	lexer_comments(a, lexer_form(STR("A.java"), text), STR("A.java"), text, STR(X), &found);
	is_int((int64_t)found.n, 1, "an escape ends the first comment, and another begins one");
	is_str(str_sub(text, found.p[0].at.from, found.p[0].at.to), STR("/\\u002f " X),
	       "the comment's place in the file");
	text = STR("String s = \"\\\\u0022; // " X "\";\n");
	found.n = 0;
	lexer_comments(a, lexer_form(STR("A.java"), text), STR("A.java"), text, STR(X), &found);
	is_int((int64_t)found.n, 0, "behind a backslash a backslash begins no escape");
}

int main(void)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(lines_of(a, cases[i].path, cases[i].text), str_of(cases[i].want),
		       str_c(a, str_fmt(a, "%s, case %zu", cases[i].path, i)));
	all_line_ends(a);
	escapes(a);
	arena_free(a);
	return tap_done();
}
