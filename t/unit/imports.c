/*
 * What source files import: the rows of t/imports/LANGUAGE.txt, which t/rules/0523-imports.t holds
 * against the languages' own parsers. Then what no row can say: long texts, and names of modules.
 */
#include "tap.h"
#include "imports/imports.h"
#include "os/os.h"
#include <dirent.h>

static struct str imports_text(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct buf b = buf_in(a);
	char part[4096];
	size_t n;

	if (!f)
		BUG("%s cannot be read", path);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(&b, (struct str){part, n});
	fclose(f);
	return buf_as_str(&b);
}

/* "\377" is one byte; another backslash stands for itself. */
static struct str imports_bytes(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++) {
		bool octal = s.p[i] == '\\' && i + 3 < s.n;

		for (size_t j = 1; octal && j <= 3; j++)
			octal = s.p[i + j] >= '0' && s.p[i + j] <= '7';
		if (octal) {
			buf_putc(&b, (char)((s.p[i + 1] - '0') * 64 + (s.p[i + 2] - '0') * 8 +
					    (s.p[i + 3] - '0')));
			i += 3;
		} else {
			buf_putc(&b, s.p[i]);
		}
	}
	return buf_as_str(&b);
}

/* The result as the rows have it. */
static struct str imports_shown(struct arena *a, struct str text, const struct imports *m)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < m->n; i++) {
		struct place at = str_place_of_offset(text, m->p[i].at.from);

		buf_fmt(&b, "%zu:%zu %s ", at.line, at.column, imports_kinds[m->p[i].kind]);
		buf_put(&b, m->p[i].module);
		buf_putc(&b, '\n');
	}
	for (size_t i = 0; i < m->unknown.n; i++) {
		struct place at = str_place_of_offset(text, m->unknown.p[i].at.from);

		buf_fmt(&b, "%zu:%zu ? ", at.line, at.column);
		buf_put(&b, m->unknown.p[i].text);
		buf_putc(&b, '\n');
	}
	return buf_as_str(&b);
}

static struct str imports_of_lexer(struct arena *a, struct str path, struct str text)
{
	const struct lexer_form *l = imports_language(path, text);
	struct imports m;

	if (!l || !imports_is_read(l))
		return STR("not read");
	imports_read(a, l, path, text, &m);
	return imports_shown(a, text, &m);
}

static unsigned imports_rows(struct arena *a, const char *file)
{
	struct str rest = imports_text(a, file), line;
	unsigned rows = 0;

	while (str_next_line(&rest, &line)) {
		struct str head = line, path, text, want;
		size_t end;

		if (!str_starts(line, STR("### ")))
			continue;
		head = str_sub(head, 4, head.n);
		if (str_starts(head, STR("!")))
			head = str_sub(head, 1, head.n);
		str_next_part(&head, ' ', &path);
		end = str_starts(rest, STR("===\n")) ? 0 : str_find(rest, STR("\n===\n"), 0) + 1;
		text = imports_bytes(a, str_sub(rest, 0, end));
		rest = str_sub(rest, end + 4, rest.n);
		end = str_starts(rest, STR("### ")) ? 0 : str_find(rest, STR("\n### "), 0);
		want = str_sub(rest, 0, end == SIZE_MAX ? rest.n : end ? end + 1 : 0);
		rest = str_sub(rest, want.n, rest.n);
		rows++;
		if (!str_eq(imports_of_lexer(a, path, text), imports_bytes(a, want)))
			fprintf(stderr, "# %s: %.*s\n", file, STR_ARG(text));
		tap_str(imports_of_lexer(a, path, text), imports_bytes(a, want), __FILE__, __LINE__,
			str_c(a, str_fmt(a, "%s: %.*s", file, STR_ARG(head))));
	}
	return rows;
}

static void imports_all_rows(struct arena *a)
{
	DIR *d = opendir("t/imports");

	if (!d)
		BUG("t/imports cannot be read");
	for (struct dirent *e; (e = readdir(d));)
		if (str_ends(str_of(e->d_name), STR(".txt")))
			ok(imports_rows(a, str_c(a, str_fmt(a, "t/imports/%s", e->d_name))) >= 30,
			   "%s has thirty rows", e->d_name);
	closedir(d);
}

/* ---- long texts ---- */

/* clang-format off */
static const struct {
	const char *path, *part; /* the part again and again */
} long_texts[] = {
	{"a.js", "`${"},
	{"a.js", "require("},
	{"a.js", "/["},
	{"a.js", "<a>"},
	{"a.jsx", "<a b={"},
	{"a.js", "'"},
	{"a.js", "\\u{"},
	{"a.js", "import {"},
	{"a.js", "/* "},
	{"a.js", "<x>("},
	{"a.js", "a\"b"},
	{"a.js", "import 'a';"},
	{"a.js", "{[("},
	{"a.html", "<script>"},
	{"a.html", "<script></script>"},
	{"a.html", "<a b='"},
	{"a.vue", "{<style>"},
	{"a.mdx", "` `` "},
	{"a.mdx", "\nimport"},
	{"a.mdx", "\n\nexport "},
	{"a.mdx", "<a>{"},
	{"a.mdx", "- "},
	{"a.mdx", "```\n"},
	{"a.js", "///"},
	{"a.py", "f'{"},
	{"a.py", "("},
	{"a.py", "import a"},
	{"a.py", "\"\"\""},
	{"a.py", "f\"{a:{"},
	{"a.py", "import_module("},
	{"a.py", "a.b, "},
	{"a.py", "\\"},
	{"a.go", "import ("},
	{"a.go", "`a"},
	{"a.rs", "use a::{"},
	{"a.rs", "r#\""},
	{"a.rs", "'a"},
	{"a.rs", "/*"},
	{"A.java", "\"\"\""},
	{"A.java", "import a."},
	{"a.kt", "\"${"},
	{"a.kt", "\"${}\""},
	{"a.c", "\\'"},
	{"a.c", "#include <"},
	{"a.cc", "R\"("},
	{"a.c", "\\\n"},

	{"a.sh", ". \"$("},
	{"a.sh", "<<A\n"},
	{"a.sh", "`"},
	{"a.sh", "${x:-"},
	{"a.sh", "$((("},
	{"a.sh", "case x in x)"},
	{"a.sh", ". a;"},
	{"a.sh", "x<<A\n$("},
	{"a.sh", "@("},
	{"a.sh", "if "},

	{"a.sh", "`\\`"},
	{"a.sh", "\\"},
	{"a.sh", "# shellcheck source=a "},

	{"a.scala", "<a>"},
	{"a.scala", "s\"${"},
	{"a.scala", " <a {"},
	{"a.scala", "import a.{"},
	{"a.scala", "{ <!-- "},
	{"a.scala", "'a"},
	{"a.scala", "import a.b,"},
	{"a.swift", "\"\\("},
	{"a.swift", "#"},
	{"a.swift", "#\""},
	{"a.swift", " /a("},
	{"a.swift", "#/a"},
	{"a.swift", "##/\n#/a"},
	{"a.swift", "#\"\"\"a"},
	{"a.swift", "/*"},
	{"a.swift", "import a."},
	{"a.vue", "<script>"},
	{"a.vue", "<!--"},
	{"a.vue", "{import("},
	{"a.vue", "<p a='"},
	{"a.astro", "---"},
	{"a.vue", "<script"},
	{"a.vue", "{require('"},
	{"a.js", "import.meta.glob("},

	{"a.cs", "$\"{"},     {"a.cs", "$@"},
	{"a.cs", "\"\"\""},   {"a.cs", "@\"\""},
	{"a.cs", "using a."}, {"a.cs", "$\"{{{a:"},
	{"a.cs", "using a<"}, {"a.cs", "#if"},

	{"a.php", "<?php \"{$a"}, {"a.php", "<?= `${"},
	{"a.php", "<?php use a\\{"}, {"a.php", "<?php require $a "},
	{"a.php", "<?php <<<A\n"}, {"a.php", "<?php include ("},
	{"a.php", "<?php class {"}, {"a.php", "<?php 'a"},

	{"a.rb", "\"#{"}, {"a.rb", "<<A\n"},
	{"a.rb", "require a "}, {"a.rb", "require (("},
	{"a.rb", "a /b "}, {"a.rb", "%("},
	{"a.rb", "a?"}, {"a.rb", "<<A;\"#{\n"},
	{"a.rb", "alias "}, {"a.rb", "def a."},

	{"a.scss", "@import "}, {"a.scss", "\"#{"},
	{"a.css", "url("}, {"a.css", "@import url("},
	{"a.sass", "  // "}, {"a.sass", " //\n"},
	{"a.less", "@import ("}, {"a.scss", "a.load-css("},
};

/* Statements that import "a" once, or a module that is not known. */
static const struct {
	const char *path, *statement;
} statements[] = {
	{"a.js", "import 'a';"},
	{"a.js", "require("},
	{"a.ts", "import 'a';"},
	{"a.py", "import a;"},
	{"a.go", "import `a`;"},
	{"a.rs", "use a;"},
	{"A.java", "import a.b;"},
	{"a.kt", "import a.b;"},
	{"a.cc", "import a;"},
	{"a.m", "@import a;"},
	{"a.sh", ". a;"},
	{"a.scala", "import a.b;"},
	{"a.swift", "import a;"},
	{"a.swift", "#\"\"\"#;import a;"},
	{"a.cc", "import <a>;"},
	{"a.rb", "require 'a';?\\u{          ;"},
	{"a.vue", "<script>import 'a'</script>"},
	{"a.astro", "<script>import 'a'</script>"},
	{"a.cs", "using a;"},
	{"a.php", "<?php use a;"},
	{"a.rb", "require 'a'\n"},
	{"a.scss", "@use 'a';"},
	{"a.sass", "@import a;"},
};
/* clang-format on */

/* One line of a million bytes in each: no recursion, and time that grows with the length only. */
static void imports_long(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(long_texts); i++) {
		struct arena *a = arena_new();
		const struct lexer_form *l = imports_language(str_of(long_texts[i].path), STR(""));
		struct buf b = buf_in(a);
		struct imports m;

		while (b.n < 1000000)
			buf_puts(&b, long_texts[i].part);
		imports_read(a, l, str_of(long_texts[i].path), buf_as_str(&b), &m);
		ok(m.n + m.unknown.n < 1000000, "%s: a line of '%s'", long_texts[i].path,
		   long_texts[i].part);
		arena_free(a);
	}
}

/* Ten million bytes without the end of a line, or a third of them. */
static void imports_ten_million(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(statements); i++) {
		struct arena *a = arena_new();
		struct str path = str_of(statements[i].path);
		const struct lexer_form *l = imports_language(path, STR(""));
		struct buf b = buf_in(a);
		struct imports m;
		size_t n = 0;

		for (; b.n < tap_share(10000000); n++)
			buf_puts(&b, statements[i].statement);
		imports_read(a, l, path, buf_as_str(&b), &m);
		ok(m.n == n ? !m.unknown.n && str_starts(m.p[n - 1].module, STR("a"))
			    : !m.n && m.unknown.n == n - 1,
		   "%s: all in one long line", statements[i].path);
		arena_free(a);
	}
}

/* ---- names ---- */

/* A small tree for the settings. */
static const struct {
	const char *path, *text;
} tree_files[] = {
	{"tsconfig.json", "{ // paths\n\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\n"
			  "\"@/*\": [\"./src/*\"], \"db\": [\"src/db/index.ts\"],},},}"},
	{"package.json", "{\"imports\": {\"#db/*\": {\"node\": \"./src/db/*.js\", \"default\": "
			 "\"./src/web/*.js\"}, \"#x\": \"./x.js\"}}"},
	{"web/tsconfig.json", "{\"extends\": \"./base\", \"compilerOptions\": {}}"},
	{"web/base.json", "{\"compilerOptions\": {\"paths\": {\"~/*\": [\"lib/*\"]}}}"},
	{"src/db/pool.ts", ""},
	{"svc/go.mod", "// a\nmodule acme.org/svc // b\n\ngo 1.22\n"},
	{"src/ui/b.h", ""},
	{"src/db/_user.scss", ""},
	{"src/ui/theme.less", ""},
	{"src/ui/mix/_index.scss", ""},
	{"broken/tsconfig.json", "{"},
	/* create-vite and create-vue: a file that only refers to others. */
	{"vue/tsconfig.json",
	 "{\"files\": [], \"references\": [{\"path\": \"./tsconfig.node.json\"}, "
	 "{\"path\": \"./tsconfig.app.json\"}, {\"path\": \"./none.json\"}]}"},
	{"vue/tsconfig.app.json", "{\"extends\": \"@vue/tsconfig/tsconfig.dom.json\", "
				  "\"compilerOptions\": {\"paths\": {\"@/*\": [\"./src/*\"]}}}"},
	{"vue/tsconfig.node.json", "{\"extends\": [\"@tsconfig/node24/tsconfig.json\"], "
				   "\"compilerOptions\": {\"paths\": {\"@/*\": [\"./node/*\"]}}}"},
	{"kit/tsconfig.json", "{\"extends\": \"./.svelte-kit/tsconfig.json\"}"},
	{"nuxt/tsconfig.json", "{\"extends\": \"./.nuxt/tsconfig.json\"}"},
	{"nuxt4/tsconfig.json", "{\"files\": [], \"references\": [{\"path\": "
				"\"./.nuxt/tsconfig.app.json\"}]}"},
	/* Settings of frameworks are programs, and the tsconfig.json that they write is not there.
	 */
	{"kit2/package.json", "{}"},
	{"kit2/jsconfig.json", "{\"extends\": \"./.svelte-kit/tsconfig.json\"}"},
	{"kit2/svelte.config.js",
	 "import adapter from '@sveltejs/adapter-auto';\n"
	 "/** @type {import('@sveltejs/kit').Config} */\n"
	 "const config = { kit: { adapter: adapter(), files: { lib: 'src/shared' },\n"
	 "alias: { $routes: './src/routes', '$db/*': 'src/db/*', // alias: computed\n"
	 "'$one': \"src/one.js\", } } };\nexport default config;\n"},
	{"nuxt3/package.json", "{\"dependencies\": {\"nuxt\": \"3\"}}"},
	{"nuxt3/nuxt.config.ts",
	 "import { fileURLToPath } from 'node:url'\nexport default defineNuxtConfig({\n"
	 "srcDir: 'client/', alias: {\n'images': fileURLToPath(new URL('./assets/images', "
	 "import.meta.url)), data: '~/data', '@db': `../src/db` } })\n"},
	{"nuxt3/tsconfig.json", "{\"extends\": \"./.nuxt/tsconfig.json\"}"},
	{"nuxt5/package.json", "{}"},
	{"nuxt5/nuxt.config.ts", "export default defineNuxtConfig({ alias: { db: dir + '/db',\n"
				 "...more }, devtools: { enabled: true } })\n"},
	{"nuxt5/tsconfig.json", "{\"extends\": \"./.nuxt/tsconfig.json\"}"},
	{"vite/package.json", "{}"},
	{"vite/vite.config.ts", "export default defineConfig({ plugins: [a({ b: [1] })], "
				"resolve: { alias: [\n{ find: '@', replacement: path.resolve("
				"__dirname, 'src', 'x') },\n{ replacement: 'src/y/', find: "
				"'~y/', }\n] }, build: { lib: { entry: x } } })\n"},
	{"webpack/package.json", "{}"},
	{"webpack/webpack.config.js", "const path = require('path');\nmodule.exports = {resolve: "
				      "{alias: {db$: path.join(__dirname, '../src/db'), fs: "
				      "false, up: __dirname}, extensions: ['.js']}};\n"},
	{"next/package.json", "{}"},
	{"next/next.config.mjs", "export default { webpack(c) { c.resolve.alias['@db'] = "
				 "path.join(dir, 'db'); return c; } };\n"},
	{"vue2/package.json", "{}"},
	{"vue2/vue.config.js", "const alias = { '@db': 'src/db' };\n"
			       "module.exports = { configureWebpack: { resolve: { alias } } };\n"},
	{"astro/package.json", "{}"},
	{"astro/astro.config.mjs", "import { alias } from './alias.js';\n"
				   "export default { vite: { resolve: { alias } } };\n"},
	{"pack/package.json", "{\"workspaces\": [\"apps/*\", \"packages/*\"]}"},
	{"pack/packages/tsconfig/package.json", "{\"name\": \"@acme/tsconfig\"}"},
	{"pack/packages/tsconfig/base.json",
	 "{\"compilerOptions\": {\"paths\": {\"~data/*\": [\"${configDir}/src/db/*\"]}}}"},
	{"pack/packages/tsconfig/more.json",
	 "{\"compilerOptions\": {\"paths\": {\"#more/*\": [\"./more/*\"]}}}"},
	/* Packages of settings that name their files. */
	{"pack/packages/base/package.json",
	 "{\"name\": \"@acme/base\", \"tsconfig\": \"./conf/own.json\"}"},
	{"pack/packages/base/conf/own.json",
	 "{\"compilerOptions\": {\"paths\": {\"~own/*\": [\"${configDir}/own/*\"]}}}"},
	{"pack/packages/exp/package.json",
	 "{\"name\": \"@acme/exp\", \"exports\": {\".\": \"./conf/own.json\", \"./web\": "
	 "{\"default\": \"./conf/web.json\"}, \"./in/*\": \"./conf/*.json\"}}"},
	{"pack/packages/exp/conf/own.json",
	 "{\"compilerOptions\": {\"paths\": {\"~a/*\": [\"${configDir}/a/*\"]}}}"},
	{"pack/packages/exp/conf/web.json",
	 "{\"compilerOptions\": {\"paths\": {\"~b/*\": [\"${configDir}/b/*\"]}}}"},
	{"pack/apps/own/tsconfig.json", "{\"extends\": \"@acme/base\"}"},
	{"pack/apps/exp/tsconfig.json", "{\"extends\": \"@acme/exp\"}"},
	{"pack/apps/web/tsconfig.json", "{\"extends\": \"@acme/exp/web\"}"},
	{"pack/apps/in/tsconfig.json", "{\"extends\": \"@acme/exp/in/web\"}"},
	{"pack/apps/none/tsconfig.json", "{\"extends\": \"@acme/exp/none\"}"},
	{"pack/packages/data/package.json",
	 "{\"name\": \"@acme/db\", \"exports\": {\".\": \"./src/index.ts\", \"./user\": "
	 "{\"types\": \"./src/user.d.ts\", \"default\": \"./src/user.ts\"}, \"./in/*\": "
	 "\"./src/in/*.ts\"}}"},
	{"pack/packages/data/test/package.json", "{\"name\": \"react\"}"},
	{"pnpm/pnpm-workspace.yaml", "packages: ['libs/**', '!**/test/**']\n"},
	{"pnpm/libs/shared/db/package.json", "{\"name\": \"db\"}"},
	{"pnpm/libs/test/db/package.json", "{\"name\": \"db\"}"},
	{"deno/one/deno.json", "{\"name\": \"@acme/one\", \"exports\": \"./mod.ts\"}"},
	{"pack/packages/data/src/user.ts", ""},
	{"wide/package.json",
	 "{\"workspaces\": [\"libs/a*\", \"libs/b*\", \"libs/b/in/*\", \"./libs/c\", \"libs/c/d\"]}"},
	{"wide/libs/b/package.json", "{\"name\": \"bee\"}"},
	{"wide/libs/c/d/package.json", "{\"name\": \"dee\"}"},
	{"own/package.json", "{\"name\": \"own\", \"exports\": {\"./db\": \"./src/db/index.ts\"}}"},
	{"pack/apps/a/tsconfig.json",
	 "{\"extends\": [\"@acme/tsconfig/more\", \"@acme/tsconfig/base.json\"]}"},
	{"pack/apps/b/tsconfig.json", "{\"extends\": \"@acme/tsconfig/more\"}"},
	{"roots/tsconfig.json", "{\"compilerOptions\": {\"rootDirs\": [\"src\", \"gen\"]}}"},
	{"loop/tsconfig.json", "{\"extends\": [\"./tsconfig\", \"./tsconfig.json\"], "
			       "\"references\": [{\"path\": \"./tsconfig.json\"}]}"},
	{"deno/deno.json",
	 "{\"workspace\": [\"./one\"], \"imports\": {\"@/\": \"./src/\", \"db\": \"./src/db.ts\", "
	 "\"pg\": \"npm:pg@8\"}, \"scopes\": {\"./a/\": {\"in/\": \"./in/\"}}}"},
	{"map/deno.jsonc",
	 "{ // as older projects have it\n\"importMap\": \"./maps/import_map.json\"}"},
	{"map/maps/import_map.json", "{\"imports\": {\"@/\": \"../src/\"}}"},
	{"gem/lib/acme/db.rb", ""},
	{"part/whole/tsconfig.json", "{}"},
	{"part/away/tsconfig.json", ""},
	{"part/extends/away/base.json", ""},
	{"part/php/away/composer.json", ""},
	{"part/php/away/tsconfig.json", ""},
	{"part/go/away/go.mod", ""},
	{"part/go/away/in/go.mod", "module acme.org/in\n"},
	{"part/extends/tsconfig.json", "{\"extends\": \"./away/base.json\"}"},
	{"part/work/package.json", "{\"workspaces\": [\"away/*\"]}"},
	{"part/work/away/b/package.json", ""},
	{"part/work/own/tsconfig.json", "{}"},
	{"part/php/whole/tsconfig.json", "{}"},
	/* An alias for all names: packages fit it too. */
	{"any/tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"*\": [\"gen/*\", \"src/*\"], "
			      "\"q/*\": [\"src/q/*\"]}}}"},
	{"any/src/db/user.ts", ""},
	{"anyphp/composer.json", "{\"autoload\": {\"psr-4\": {\"\": [\"lib/\", \"src\"]}}}"},
	{"anyphp/lib/db/User.php", ""},
	/* Generated by a framework, and none that the tree has, in both orders. */
	{"two/a/tsconfig.json", "{\"extends\": [\"./.nuxt/tsconfig.json\", \"./gone.json\"]}"},
	{"two/b/tsconfig.json", "{\"extends\": [\"./gone.json\", \"./.nuxt/tsconfig.json\"]}"},
	{"cargo/Cargo.toml", ""},
	/* Settings that do not parse; an empty file gives no names. */
	{"bad/tsconfig.json", "{\"files\": [],, \"compilerOptions\": {}}"},
	{"bad/jsconfig.json", "{}"},
	{"bad/in/tsconfig.json", "\xef\xbb\xbf{}"},
	{"bad/package/package.json", "{\n<<<<<<< HEAD\n\"name\": \"a\"}"},
	{"bad/package/tsconfig.json", "{}"},
	{"bad/deno/deno.json", "{"},
	{"bad/deno/tsconfig.json", "{}"},
	{"bad/pnpm/pnpm-workspace.yaml", "packages: ['a"},
	{"bad/pnpm/tsconfig.json", "{}"},
	{"bad/php/composer.json", "{\"name\": \"a/b\",, \"autoload\": {}}"},
	{"bad/extends/tsconfig.json", "{\"extends\": \"./base.json\"}"},
	{"bad/extends/base.json", "{"},
	{"bad/empty/tsconfig.json", "{}"},
	{"bad/empty/package.json", " \n"},
	{"bad/list/tsconfig.json", "{}"},
	{"bad/list/package.json", "[]"},
	{"cargo/src/tool/Cargo.toml", ""},
	{"conditions/package.json",
	 "{\"name\": \"n\", \"exports\": {\"a\": \"./1\", \"b\": \"./2\", \"c\": \"./3\", "
	 "\"d\": \"./4\", \"e\": \"./5\", \"f\": \"./6\", \"g\": \"./1\", \"default\": "
	 "\"./1\"}}"},
	{"conditions/more/package.json",
	 "{\"name\": \"n\", \"exports\": {\"a\": \"./1\", \"b\": \"./2\", \"c\": \"./3\", "
	 "\"d\": \"./4\", \"e\": \"./5\", \"f\": \"./6\", \"g\": \"./1\", \"default\": "
	 "\"./src/index.ts\"}}"},
	{"shared/package.json",
	 "{\"workspaces\": [\"libs/*\"], \"dependencies\": {\"up\": \"1\"}}"},
	{"shared/libs/one/package.json", "{\"name\": \"one\"}"},
	{"shared/a/package.json", "{\"dependencies\": {\"x\": \"file:../libs/a\"}}"},
	{"shared/b/package.json", "{\"dependencies\": {\"x\": \"link:../libs/b\"}}"},
	{"shared/tsconfig.json", "{\"extends\": \"./none.json\"}"},
	{"closed/package.json", "{\"workspaces\": [\"libs/*\"]}"},
	{"closed/tsconfig.json", "{}"},
	{"gone/package.json", "{\"workspaces\": [\"libs/*\"]}"},
	{"gone/tsconfig.json", "{}"},
	{"php/composer.json", "{\"autoload\": {\"psr-4\": {\"Acme\\\\\": \"src/\", "
			      "\"Acme\\\\Db\\\\\": [\"db\", \"lib/db/\"], \"Top\\\\\": \"\"}}, "
			      "\"autoload-dev\": {\"psr-4\": {\"Tests\\\\\": \"./tests\"}}}"},
};

/* The arena of whoever asks, and how often a question whether a file exists came with another one.
 */
struct asker {
	const struct arena *a;
	unsigned asked, foreign;
	struct strs listed; /* folders and names, each once */
	struct strs texts;  /* of the folder own, each once */
	unsigned listed_twice, read_twice;
};

/* Files at a limit and behind it: references to 31 and 40 files, 1,000 and 1,001 aliases. */
static bool tree_files_made(struct arena *a, struct str path, struct str *text)
{
	static const struct {
		const char *file, *begin, *each, *end;
		size_t n;
	} made[] = {
		{"refs/31/tsconfig.json", "{\"references\": [0", ", {\"path\": \"./r%zu.json\"}",
		 "]}", 31},
		{"refs/40/tsconfig.json", "{\"references\": [0", ", {\"path\": \"./r%zu.json\"}",
		 "]}", 40},
		{"many/1000/tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"a\": []",
		 ", \"n%zu\": [\"x\"]", "}}}", 1000},
		{"many/1001/tsconfig.json", "{\"compilerOptions\": {\"paths\": {\"a\": []",
		 ", \"n%zu\": [\"x\"]", "}}}", 1001},
	};
	struct buf b = buf_in(a);

	/* A loop back to the file that refers to it is read once. */
	if (str_starts(path, STR("refs/")) && str_starts(str_base(path), STR("r")))
		buf_puts(&b, "{\"extends\": \"./tsconfig.json\"}");
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		if (!str_is(path, made[i].file))
			continue;
		buf_puts(&b, made[i].begin);
		for (size_t k = 0; k < made[i].n; k++)
			buf_fmt(&b, made[i].each, k);
		buf_puts(&b, made[i].end);
	}
	if (text)
		*text = buf_as_str(&b);
	return b.n;
}

static struct err *tree_files_read(void *ctx, struct arena *a, struct str path, struct str *text,
				   bool *found)
{
	struct asker *asker = ctx;

	asker->asked += !text;
	asker->foreign += !text && a != asker->a;
	if (text && str_starts(path, STR("own/"))) {
		asker->read_twice += strs_has(&asker->texts, path);
		strs_push(a, &asker->texts, str_dup(a, path));
	}
	*found = tree_files_made(a, path, text);
	for (size_t i = 0; i < ARRAY_SIZE(tree_files); i++)
		if (str_is(path, tree_files[i].path)) {
			if (text && str_find(path, STR("/away/"), 0) != SIZE_MAX &&
			    !tree_files[i].text[0])
				return err_new(E_IO_ERROR, "'%.*s' is not here", STR_ARG(path));
			*found = true;
			if (text)
				*text = str_of(tree_files[i].text);
		}
	return NULL;
}

static struct err *tree_files_list(void *ctx, struct arena *a, struct str folder, const char *name,
				   struct strs *out)
{
	struct asker *asker = ctx;
	struct str asked = str_fmt(a, "%s %.*s", name, STR_ARG(folder));

	asker->listed_twice += strs_has(&asker->listed, asked);
	strs_push(a, &asker->listed, asked);
	if (str_starts(folder, STR("closed/")))
		return err_new(E_PERMISSION, "no right to list '%.*s'", STR_ARG(folder));
	if (str_starts(folder, STR("gone/")))
		return err_new(E_FILE_NOT_FOUND, "no '%.*s'", STR_ARG(folder));
	for (size_t i = 0; i < ARRAY_SIZE(tree_files); i++)
		if (str_starts(str_of(tree_files[i].path), folder) &&
		    str_ends(str_of(tree_files[i].path), str_of(name)))
			strs_push(a, out, str_of(tree_files[i].path));
	return NULL;
}

static const struct {
	const char *path, *module, *want; /* want: the names, and all leading parts of the last */
	enum imports_kind kind;
} names[] = {
	{"src/ui/a.ts", "../db/user", "../db/user|src/db/user: src src/db src/db/user"},
	{"src/ui/a.ts", "../db.old/x", "../db.old/x|src/db.old/x: src src/db.old src/db.old/x"},
	{"src/ui/a.ts", "./b.js", "./b.js|src/ui/b.js: src src/ui src/ui/b src/ui/b.js"},
	{"a.js", "../x", "../x: .. ../x"},
	{"a/b.js", "..", "..: .."},
	{"a/b/c.js", "..", "..|a: a"},
	{"a.js", "lodash/fp", "lodash/fp: lodash lodash/fp"},
	{"a.js", "@acme/ui/x", "@acme/ui/x: @acme @acme/ui @acme/ui/x"},
	{"a.js", "lodash.get", "lodash.get: lodash.get"},
	{"a.js", "node:fs/promises", "node:fs/promises|fs/promises: fs fs/promises"},
	{"a.ts", "npm:react@18.2.0/jsx", "npm:react@18.2.0/jsx|react/jsx: react react/jsx"},
	{"a.ts", "npm:@a/b@1", "npm:@a/b@1|@a/b: @a @a/b"},
	{"a.js", "./a.svg?url", "./a.svg?url|./a.svg|a.svg: a a.svg"},
	{"src/a.ts", "@/db/user", "@/db/user|src/db/user: src src/db src/db/user"},
	{"a.ts", "db", "db|src/db/index.ts: src src/db src/db/index src/db/index.ts"},
	{"a.ts", "src/db/pool", "src/db/pool|src/db/pool: src src/db src/db/pool"},
	{"a.ts", "src/db/none", "src/db/none: src src/db src/db/none"},
	{"src/a.js", "#db/pool",
	 "#db/pool|src/db/pool.js|src/web/pool.js: src src/web src/web/pool "
	 "src/web/pool.js"},
	{"src/a.js", "#none", "#none: #none"},
	{"web/deep/a.ts", "~/x", "~/x|web/lib/x: web web/lib web/lib/x"},
	{"broken/a.ts", "@/x", "@/x|src/x: src src/x"},
	{"vue/src/a.ts", "@/db", "@/db|vue/node/db|vue/src/db: vue vue/src vue/src/db"},
	{"kit/src/a.ts", "$lib/db",
	 "$lib/db|kit/src/lib/db: kit kit/src kit/src/lib kit/src/lib/db"},
	{"nuxt/a.ts", "~/db", "~/db|nuxt/app/db|nuxt/db: nuxt nuxt/db"},
	{"nuxt4/app/a.ts", "~~/db", "~~/db|nuxt4/db: nuxt4 nuxt4/db"},
	{"kit2/src/a.ts", "$lib/db",
	 "$lib/db|kit2/src/shared/db: kit2 kit2/src kit2/src/shared kit2/src/shared/db"},
	{"kit2/src/a.ts", "$routes", "$routes|kit2/src/routes: kit2 kit2/src kit2/src/routes"},
	{"kit2/src/a.ts", "$routes/x",
	 "$routes/x|kit2/src/routes/x: kit2 kit2/src kit2/src/routes kit2/src/routes/x"},
	{"kit2/src/a.ts", "$db/x", "$db/x|kit2/src/db/x: kit2 kit2/src kit2/src/db kit2/src/db/x"},
	{"kit2/src/a.ts", "$db", "$db: $db"},
	{"kit2/src/a.ts", "$one",
	 "$one|kit2/src/one.js: kit2 kit2/src kit2/src/one kit2/src/one.js"},
	{"nuxt3/client/a.vue", "~/x", "~/x|nuxt3/client/x: nuxt3 nuxt3/client nuxt3/client/x"},
	{"nuxt3/client/a.vue", "images",
	 "images|nuxt3/assets/images: nuxt3 nuxt3/assets nuxt3/assets/images"},
	{"nuxt3/client/a.vue", "data/x",
	 "data/x|nuxt3/client/data/x: nuxt3 nuxt3/client nuxt3/client/data nuxt3/client/data/x"},
	{"nuxt3/client/a.vue", "@db/x", "@db/x|src/db/x: src src/db src/db/x"},
	{"nuxt3/client/a.vue", "@@/x", "@@/x|nuxt3/x: nuxt3 nuxt3/x"},
	{"vite/src/a.ts", "@/u", "@/u|src/u|vite/src/x/u: vite vite/src vite/src/x vite/src/x/u"},
	{"vite/src/a.ts", "~y/u", "~y/u|vite/src/y/u: vite vite/src vite/src/y vite/src/y/u"},
	{"webpack/a.js", "db", "db|src/db/index.ts|src/db: src src/db"},
	{"webpack/a.js", "db/x", "db/x: db db/x"},
	{"webpack/a.js", "up/x", "up/x|webpack/x: webpack webpack/x"},
	{"vue2/a.js", "@/x", "@/x|src/x|vue2/src/x: vue2 vue2/src vue2/src/x"},
	{"vue2/a.js", "@db/x", "@db/x|vue2/src/db/x: vue2 vue2/src vue2/src/db vue2/src/db/x"},
	{"pack/apps/a/x.ts", "~data/u",
	 "~data/u|pack/apps/a/src/db/u: pack pack/apps pack/apps/a pack/apps/a/src "
	 "pack/apps/a/src/db pack/apps/a/src/db/u"},
	{"pack/apps/own/x.ts", "~own/u",
	 "~own/u|pack/apps/own/own/u: pack pack/apps pack/apps/own pack/apps/own/own "
	 "pack/apps/own/own/u"},
	{"pack/apps/exp/x.ts", "~a/u",
	 "~a/u|pack/apps/exp/a/u: pack pack/apps pack/apps/exp pack/apps/exp/a "
	 "pack/apps/exp/a/u"},
	{"pack/apps/web/x.ts", "~b/u",
	 "~b/u|pack/apps/web/b/u: pack pack/apps pack/apps/web pack/apps/web/b "
	 "pack/apps/web/b/u"},
	{"pack/apps/in/x.ts", "~b/u",
	 "~b/u|pack/apps/in/b/u: pack pack/apps pack/apps/in pack/apps/in/b pack/apps/in/b/u"},
	{"pack/apps/b/x.ts", "#more/u",
	 "#more/u|pack/packages/tsconfig/more/u: pack pack/packages pack/packages/tsconfig "
	 "pack/packages/tsconfig/more pack/packages/tsconfig/more/u"},
	{"pack/apps/a/x.ts", "@acme/db",
	 "@acme/db|pack/packages/data|pack/packages/data/src/index.ts: pack pack/packages "
	 "pack/packages/data pack/packages/data/src pack/packages/data/src/index "
	 "pack/packages/data/src/index.ts"},
	{"pack/apps/a/x.ts", "@acme/db/user",
	 "@acme/db/user|pack/packages/data/user|pack/packages/data/src/user.d.ts|"
	 "pack/packages/data/src/user.ts: pack pack/packages pack/packages/data "
	 "pack/packages/data/src pack/packages/data/src/user pack/packages/data/src/user.ts"},
	{"pack/apps/a/x.ts", "@acme/db/in/a",
	 "@acme/db/in/a|pack/packages/data/in/a|pack/packages/data/src/in/a.ts: pack "
	 "pack/packages pack/packages/data pack/packages/data/src pack/packages/data/src/in "
	 "pack/packages/data/src/in/a pack/packages/data/src/in/a.ts"},
	{"pack/apps/a/x.ts", "@acme/db/x",
	 "@acme/db/x|pack/packages/data/x: pack pack/packages pack/packages/data "
	 "pack/packages/data/x"},
	{"pack/apps/a/x.ts", "react", "react: react"},
	{"pnpm/app/x.ts", "db",
	 "db|src/db/index.ts|pnpm/libs/shared/db: pnpm pnpm/libs pnpm/libs/shared "
	 "pnpm/libs/shared/db"},
	{"deno/a.ts", "@acme/one",
	 "@acme/one|deno/one|deno/one/mod.ts: deno deno/one deno/one/mod deno/one/mod.ts"},
	{"pack/packages/data/x.ts", "/src/user",
	 "/src/user|pack/packages/data/src/user: pack pack/packages pack/packages/data "
	 "pack/packages/data/src pack/packages/data/src/user"},
	{"src/ui/a.ts", "/src/none", "/src/none: /src /src/none"},
	{"own/src/a.ts", "own/db",
	 "own/db|own/db|own/src/db/index.ts: own own/src own/src/db own/src/db/index "
	 "own/src/db/index.ts"},
	{"roots/src/ui/a.ts", "../db",
	 "../db|roots/src/db|roots/gen/db: roots roots/gen roots/gen/db"},
	{"loop/a.ts", "x", "x: x"},
	{"deno/a.ts", "@/db.ts",
	 "@/db.ts|src/db.ts|deno/src/db.ts: deno deno/src deno/src/db deno/src/db.ts"},
	{"deno/a.ts", "db",
	 "db|src/db/index.ts|deno/src/db.ts: deno deno/src deno/src/db deno/src/db.ts"},
	{"deno/a.ts", "pg", "pg: pg"},
	{"deno/a.ts", "in/x", "in/x|deno/in/x: deno deno/in deno/in/x"},
	{"map/a.ts", "@/db", "@/db|src/db|map/src/db: map map/src map/src/db"},
	{"src/a.ts", "b.d.ts", "b.d.ts|src/b.d.ts: src src/b.d src/b.d.ts", IMPORTS_REFERENCE},
	{"svc/api/a.go", "acme.org/svc/db", "acme.org/svc/db|svc/db: svc svc/db"},
	{"svc/api/a.go", "acme.org/svc", "acme.org/svc|svc: svc"},
	{"svc/api/a.go", "acme.org/svcx/db",
	 "acme.org/svcx/db: acme.org acme.org/svcx "
	 "acme.org/svcx/db"},
	{"svc/a/b.go", "../db", "../db|svc/db: svc svc/db"},
	{"a.rs", "std::io::Read", "std::io::Read: std std::io std::io::Read"},
	{"x/src/ui/a.rs", "crate::db::user",
	 "crate::db::user|x/src/db/user: x x/src x/src/db "
	 "x/src/db/user"},
	{"src/x/src/ui/a.rs", "crate::db",
	 "crate::db|src/x/src/db: src src/x src/x/src src/x/src/db"},
	{"cargo/src/x/src/a.rs", "crate::db",
	 "crate::db|cargo/src/db: cargo cargo/src cargo/src/db"},
	{"cargo/x/src/a.rs", "crate::db",
	 "crate::db|cargo/x/src/db: cargo cargo/x cargo/x/src cargo/x/src/db"},
	{"cargo/src/tool/src/ui/a.rs", "crate::db",
	 "crate::db|cargo/src/tool/src/db: cargo cargo/src cargo/src/tool cargo/src/tool/src "
	 "cargo/src/tool/src/db"},
	{"cargo/src/tool/a.rs", "crate::db", "crate::db: crate crate::db"},
	{"src/ui/page.rs", "super::db", "super::db|src/ui/db: src src/ui src/ui/db"},
	{"src/ui/mod.rs", "super::db", "super::db|src/db: src src/db"},
	{"src/ui/page.rs", "self::x",
	 "self::x|src/ui/page/x: src src/ui src/ui/page src/ui/page/x"},
	{"src/a.rs", "b.rs", "b.rs|src/b.rs: src src/b src/b.rs", IMPORTS_INCLUDE},
	{"A.java", "java.util.List", "java.util.List: java java.util java.util.List"},
	{"A.cs", "System.Text", "System.Text: System System.Text"},
	{"A.cs", "global::A.B", "global::A.B|A.B: A A.B"},
	{"src/a.csx", "../b/c.csx", "../b/c.csx|b/c.csx: b b/c b/c.csx", IMPORTS_INCLUDE},
	{"a.php", "A\\B\\C", "A\\B\\C: A A\\B A\\B\\C"},
	{"wide/a.ts", "bee/x", "bee/x|wide/libs/b/x: wide wide/libs wide/libs/b wide/libs/b/x"},
	{"wide/a.ts", "dee", "dee|wide/libs/c/d: wide wide/libs wide/libs/c wide/libs/c/d"},
	{"any/src/a.ts", "db/user",
	 "db/user|any/src/db/user: any any/src any/src/db any/src/db/user"},
	{"any/src/a.ts", "react", "react: react"},
	{"any/src/a.ts", "q/x", "q/x|any/src/q/x: any any/src any/src/q any/src/q/x"},
	{"anyphp/a.php", "db\\User",
	 "db\\User|anyphp/lib/db/User: anyphp anyphp/lib anyphp/lib/db anyphp/lib/db/User"},
	{"anyphp/a.php", "Symfony\\User", "Symfony\\User: Symfony Symfony\\User"},
	{"php/x/a.php", "Acme\\Ui\\Page",
	 "Acme\\Ui\\Page|php/src/Ui/Page: php php/src php/src/Ui php/src/Ui/Page"},
	{"php/a.php", "Acme\\Db\\User",
	 "Acme\\Db\\User|php/db/User|php/lib/db/User: php php/lib php/lib/db php/lib/db/User"},
	{"php/a.php", "Top\\A", "Top\\A|php/A: php php/A"},
	{"php/a.php", "Tests\\A", "Tests\\A|php/tests/A: php php/tests php/tests/A"},
	{"php/a.php", "Acmes\\A", "Acmes\\A: Acmes Acmes\\A"},
	{"src/ui/a.php", "__DIR__/../db/b.php",
	 "__DIR__/../db/b.php|src/db/b.php: src src/db src/db/b src/db/b.php", IMPORTS_INCLUDE},
	{"src/a.php", "lib/b.php", "lib/b.php|src/lib/b.php|lib/b.php: lib lib/b lib/b.php",
	 IMPORTS_INCLUDE},
	{"a.php", "phar://a/b.php", "phar://a/b.php: phar: phar://a phar://a/b.php",
	 IMPORTS_INCLUDE},
	{"a.rb", "rails/all", "rails/all: rails rails/all", IMPORTS_REQUIRE},
	{"gem/spec/a_spec.rb", "acme/db",
	 "acme/db|gem/lib/acme/db: gem gem/lib gem/lib/acme "
	 "gem/lib/acme/db",
	 IMPORTS_REQUIRE},
	{"lib/ui/a.rb", "../db/b", "../db/b|lib/db/b: lib lib/db lib/db/b", IMPORTS_RELATIVE},
	{"lib/ui/a.rb", "__dir__/../c", "__dir__/../c|lib/c: lib lib/c", IMPORTS_REQUIRE},
	{"a/b.rb", "./c.rb", "./c.rb|c.rb: c c.rb", IMPORTS_REQUIRE},
	{"src/ui/a.c", "../db/user.h",
	 "../db/user.h|src/db/user.h: src src/db src/db/user "
	 "src/db/user.h",
	 IMPORTS_INCLUDE},
	{"src/ui/a.c", "sys/types.h", "sys/types.h: sys sys/types.h"},
	{"src/ui/a.c", "b.h", "b.h|src/ui/b.h: src src/ui src/ui/b src/ui/b.h", IMPORTS_INCLUDE},
	{"src/ui/a.c", "none.h", "none.h: none.h", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "../db/user",
	 "../db/user|src/db/user|src/db/_user: src src/db src/db/_user", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "../db/_user.scss",
	 "../db/_user.scss|src/db/user.scss|src/db/_user.scss: src src/db src/db/_user "
	 "src/db/_user.scss",
	 IMPORTS_INCLUDE},
	{"src/ui/a.sass", "theme", "theme|src/ui/theme: src src/ui src/ui/theme", IMPORTS_INCLUDE},
	{"src/ui/a.less", "src/ui/theme.less",
	 "src/ui/theme.less|src/ui/theme.less: src src/ui src/ui/theme src/ui/theme.less",
	 IMPORTS_INCLUDE},
	{"src/ui/a.scss", "mix", "mix|src/ui/mix: src src/ui src/ui/mix", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "none", "none: none", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "@/db", "@/db|src/db: src src/db", IMPORTS_INCLUDE},
	{"src/ui/a.css", "~@/db/x", "~@/db/x|@/db/x|src/db/x: src src/db src/db/x",
	 IMPORTS_INCLUDE},
	{"src/ui/a.less", "~ant/a.less", "~ant/a.less|ant/a.less: ant ant/a.less", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "pkg:bootstrap", "pkg:bootstrap|bootstrap: bootstrap", IMPORTS_INCLUDE},
	{"src/ui/a.scss", "sass:math", "sass:math: sass:math", IMPORTS_INCLUDE},
	{"a.css", "https://a/b.css", "https://a/b.css: https: https://a https://a/b.css",
	 IMPORTS_INCLUDE},
	{"a.css", "//a/b.css", "//a/b.css: //a //a/b.css", IMPORTS_INCLUDE},
	{"src/ui/a.vue", "theme", "theme|src/ui/theme: src src/ui src/ui/theme", IMPORTS_INCLUDE},
	{"src/ui/a.py", ".b", ".b|src/ui/b: src src/ui src/ui/b"},
	{"src/ui/a.py", "..db.user", "..db.user|src/db/user: src src/db src/db/user"},
	{"src/ui/a.py", "..", "..|src: src"},
	{"a.py", "..x", "..x: ..x"},
	{"a.py", "django.db", "django.db|django/db: django django/db"},
	{"bin/a.sh", "$(dirname $0)/../lib/b.sh",
	 "$(dirname $0)/../lib/b.sh|lib/b.sh: lib lib/b lib/b.sh"},
	{"bin/a.sh", "lib/b.sh", "lib/b.sh|bin/lib/b.sh|lib/b.sh: lib lib/b lib/b.sh"},
	{"bin/a.sh", "/etc/b.sh", "/etc/b.sh: /etc /etc/b.sh"},
	{"src/app/ui/a.py", "app.db", "app.db|app/db|src/app/db: src src/app src/app/db"},
	{"shared/a/a.ts", "one", "one|shared/libs/one: shared shared/libs shared/libs/one"},
	{"shared/b/b.ts", "x", "x|shared/libs/b: shared shared/libs shared/libs/b"},
	{"shared/a/a.ts", "x", "x|shared/libs/a: shared shared/libs shared/libs/a"},
	{"shared/a.ts", "x", "x: x"},
};

static void imports_test_names(struct arena *a)
{
	struct asker asker = {.a = a};
	struct deps_files files = {tree_files_read, &asker, tree_files_list};
	struct imports_tree *tree = imports_tree_new(a, &files);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct str path = str_of(names[i].path);
		const struct lexer_form *l = imports_language(path, STR(""));
		struct import m = {.kind = names[i].kind, .module = str_of(names[i].module)};
		struct imports_names got;
		struct buf b = buf_in(a);

		imports_names_of_module(a, tree, l, path, &m, &got);
		for (size_t j = 0; j < got.n; j++)
			buf_fmt(&b, "%s%.*s", j ? "|" : "", STR_ARG(got.p[j].name));
		buf_putc(&b, ':');
		for (size_t end = 0; imports_next_leading_part(l, &got.p[got.n - 1], &end);)
			buf_fmt(&b, " %.*s", (int)end, got.p[got.n - 1].name.p);
		tap_str(buf_as_str(&b), str_of(names[i].want), __FILE__, __LINE__,
			str_c(a, str_fmt(a, "%s in %s", names[i].module, names[i].path)));
	}
	/* It is asked without a lock, and threads share the tree's arena. */
	ok(asker.asked > 10 && !asker.foreign, "a file is looked for in the caller's arena");
	ok(strs_has(&asker.listed, STR("package.json wide/libs")) && !asker.listed_twice &&
		   !strs_has(&asker.listed, STR("package.json wide/libs/b/in")),
	   "the globs of a workspace walk a folder once");
	ok(asker.texts.n > 10 && !asker.read_twice, "settings are read once for a folder");
}

/* A partial clone lacks some files of settings: the folders whose files they are for say so. */
static const struct {
	const char *path, *module, *file;
} lost[] = {
	{"part/away/a.ts", "x/y", "part/away/tsconfig.json"},
	{"part/away/in/a.ts", "x/y", "part/away/tsconfig.json"},
	{"part/whole/a.ts", "x/y", NULL},
	{"part/extends/a.ts", "x/y", "part/extends/away/base.json"},
	{"part/work/own/a.ts", "x/y", "part/work/away/b/package.json"},
	{"part/php/away/a.php", "X\\Y", "part/php/away/composer.json"},
	{"part/php/away/a.ts", "x/y", "part/php/away/tsconfig.json"},
	{"part/php/whole/a.ts", "x/y", NULL},
	{"part/go/away/a.go", "acme.org/x", "part/go/away/go.mod"},
	{"part/go/away/a.go", "net/http", NULL},
	{"part/go/away/in/a.go", "acme.org/in/x", NULL},
	{"pack/apps/none/a.ts", "x/y", "pack/packages/exp/none.json"},
	{"nuxt5/app/a.ts", "db/x", "nuxt5/nuxt.config.ts"},
	{"nuxt5/app/a.ts", "#imports", NULL},
	{"nuxt5/app/a.ts", "#app/x", NULL},
	{"nuxt5/app/a.ts", "~/x", NULL},
	{"kit2/src/a.ts", "x", NULL},
	{"kit2/src/a.ts", "$app/navigation", NULL},
	{"nuxt3/client/a.ts", "x", NULL},
	{"vite/src/a.ts", "x", NULL},
	{"webpack/src/a.ts", "x", NULL},
	{"vue2/src/a.ts", "x", NULL},
	{"next/a.ts", "@db/x", "next/next.config.mjs"},
	{"astro/src/a.ts", "@/x", NULL},
	{"astro/src/a.ts", "x", "astro/astro.config.mjs"},
	{"astro/src/a.ts", "astro:content", NULL},
	{"broken/a.ts", "x/y", "broken/tsconfig.json"},
	{"broken/a.ts", "@/x", NULL},
	{"bad/a.ts", "x/y", "bad/tsconfig.json"},
	{"bad/a.ts", "fs", NULL},
	{"two/a/a.ts", "x/y", "two/a/gone.json"},
	{"two/b/a.ts", "x/y", "two/b/gone.json"},
	{"bad/in/a.ts", "x/y", NULL},
	{"bad/package/a.ts", "x/y", "bad/package/package.json"},
	{"bad/deno/a.ts", "x/y", "bad/deno/deno.json"},
	{"bad/pnpm/a.ts", "x/y", "bad/pnpm/pnpm-workspace.yaml"},
	{"bad/php/a.php", "X\\Y", "bad/php/composer.json"},
	{"bad/extends/a.ts", "x/y", "bad/extends/base.json"},
	{"bad/empty/a.ts", "x/y", NULL},
	{"bad/list/a.ts", "x/y", NULL},
	{"cargo/src/tool/a.rs", "crate::db", "cargo/src/tool/a.rs"},
	{"cargo/src/tool/src/a.rs", "crate::db", NULL},
	{"refs/31/a.ts", "x/y", NULL},
	{"refs/40/a.ts", "x/y", "refs/40/r39.json"},
	{"loop/a.ts", "x/y", NULL},
	{"many/1000/a.ts", "x/y", NULL},
	{"many/1001/a.ts", "x/y", "n1000"},
	{"conditions/a.ts", "n", NULL},
	{"conditions/more/a.ts", "n", "conditions/more/src/index.ts"},
	{"shared/a/a.ts", "up", NULL},
	{"shared/a.ts", "x", "shared/none.json"},
	{"shared/a/a.ts", "y", "shared/none.json"},
	{"closed/a.ts", "x/y", "closed/libs"},
	{"gone/a.ts", "x/y", NULL},
};

static void imports_test_lost(struct arena *a)
{
	struct asker asker = {.a = a};
	struct deps_files files = {tree_files_read, &asker, tree_files_list};
	struct imports_tree *tree = imports_tree_new(a, &files);

	for (size_t i = 0; i < ARRAY_SIZE(lost); i++) {
		struct str path = str_of(lost[i].path);
		struct import m = {.module = str_of(lost[i].module)};
		struct imports_names got;

		imports_names_of_module(a, tree, imports_language(path, STR("")), path, &m, &got);
		ok(lost[i].file
			   ? str_find(got.lost, str_fmt(a, "'%s'", lost[i].file), 0) != SIZE_MAX
			   : !got.lost.n,
		   "%s: %.*s", lost[i].path, STR_ARG(got.lost));
	}
}

static const struct {
	const char *path, *text, *want;
} languages[] = {
	{"a.js", "", "JavaScript"},
	{"A.TSX", "", "TypeScript"},
	{"x/a.pyi", "", "Python"},
	{"tool", "#!/usr/bin/env -S python3 -u\n", "Python"},
	{"tool", "#!/usr/bin/node\n", "JavaScript"},
	{"tool", "#!/bin/sh\n", "shell"},
	{"tool", "#!/bin/sh\n'''exec' /a/bin/python3.12 \"$0\" \"$@\"\n' '''\n", "Python"},
	{"tool", "#!/bin/bash\n\"exec\" \"python3\" \"-u\" \"$0\"\n", "Python"},
	{"tool", "#!/bin/sh\n\"\"\":\"\nexec python3 \"$0\"\n\"\"\"\n", "Python"},
	{"tool", "#!/bin/sh\n\"exec\" \"make\"\n", "shell"},
	{"tool", "", ""},
	{"a.md", "", ""},
	{"Gemfile", "", "Ruby"},
	{"a.txt", "#!/usr/bin/env python3\n", ""},
	{"a.lua", "", "Lua"},
	{"a.csx", "", "C#"},
	{"a.css", "", "CSS"},
	{"a.html", "", "HTML"},
	{"a.mdx", "", "MDX"},
	{"a.ipynb", "", "Jupyter notebook"},
};

int main(void)
{
	struct arena *a = arena_new();

	imports_all_rows(a);
	imports_long();
	imports_ten_million();
	imports_test_names(a);
	imports_test_lost(a);
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		const struct lexer_form *l =
			imports_language(str_of(languages[i].path), str_of(languages[i].text));

		tap_str(str_of(l ? l->name : ""), str_of(languages[i].want), __FILE__, __LINE__,
			languages[i].path);
	}
	arena_free(a);
	return tap_done();
}
