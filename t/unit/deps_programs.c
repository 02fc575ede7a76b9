/* Manifests that are programs: literal declarations are read, all others are unresolved. */
#include "deps.h"

#define COMPUTED " a program computes the name\n"

/* clang-format off */
static const struct row ruby[] = {
	{"calls, versions, options, blocks", "Gemfile",
	 "source 'https://rubygems.org'\ngem 'rails', '~> 7.0', '>= 7.0.1' # why\ngem \"pg\"\n"
	 "group :test do\n  gem('rspec', require: false)\n  gem 'a', git: 'https://x/y', branch: 'b'\nend\n"
	 "gem 'b',\n  '1.0',\n  platforms: [:mri] if ENV['X']\nplugin 'c'\ngem 'd', ['>= 1', '< 2']\ngemspec\n",
	 "rails ~> 7.0, >= 7.0.1 2:6\npg - 3:6\nrspec - 5:8\na - 6:8\nb 1.0 8:6\nc - 11:9\n"
	 "d >= 1, < 2 12:6\n"},
	/* https://bundler.io/guides/bundler_in_a_single_file_ruby_script.html */
	{"a script with its gems", "tool.rb",
	 "require 'bundler/inline'\n\ngemfile do\n  source 'https://rubygems.org'\n"
	 "  gem 'json', require: false\n  gem \"nap\", '~> 1.0'\nend\n\n"
	 "puts 'The nap gem is at version'\nputs gem if gems.any? { |gem| gem.name }\n",
	 "json - 5:8\nnap ~> 1.0 6:8\n"},
	{"what is not a call", "gems.rb",
	 "# gem 'a'\n=begin\ngem 'b'\n=end\nx = { gem: 'c' }\ngem = 'd'\nputs \"gem 'e'\"\n"
	 "y =~ /gem 'f'/\nputs <<~T\n  gem 'g'\nT\nz = %q(gem 'h')\n__END__\ngem 'i'\n", ""},
	{"what a program decides", "Gemfile",
	 "gem name\ngem \"a#{b}\"\ngem 'c' + d\n%w[e f].each { |g| gem g }\nsend(:gem, 'g')\ngem ENV['X'] || 'h'\n"
	 "eval_gemfile 'x/y.rb'\ngem 'i', VERSION\ndef gem(x)\nend\n",
	 "i - 8:6\n? gem name 1:1 a program computes the name\n"
	 "? gem \"a#{b}\" 2:1 a program computes the name\n"
	 "? gem 'c' + d 3:1 a program computes the name\n"
	 "? gem g 4:20 a program computes the name\n? gem, 'g' 5:7 a program makes the call\n"
	 "? gem ENV['X'] || 'h' 6:1 a program computes the name\n"
	 "? eval_gemfile 'x/y.rb' 7:1 it includes a file that ikm does not read as a Gemfile\n"
	 "? gem(x) 9:5 the program gives this word another meaning\n"},
	{"strings over lines, and without an end", "Gemfile",
	 "x = 'a\ngem \"hidden\"\n'\ngem 'b'\ny = 'c\n",
	 "b - 4:6\n?  1:6 a string over several lines contains 'gem'\n"
	 "?  5:5 a string or comment begins here and does not end\n"},
	{"characters and variables that look like quotes", "Gemfile",
	 "q = ?'\ngem 'a'\nq = ?\"\ngem 'b'\nq = $'\ngem 'c'\nq = $\"\ngem 'd'\nq = $`\ngem 'e'\n"
	 "q = [?`, /`'/]\ngem 'f'\nq = :'it\"s' # '\ngem 'g'\nx ? 'y' : ?'\ngem 'h'\n"
	 "q = %q(it's (') \")\ngem 'i'\nputs %{'}, x / 2, \"#{y['/']}\"\ngem 'j'\n",
	 "a - 2:6\nb - 4:6\nc - 6:6\nd - 8:6\ne - 10:6\nf - 12:6\ng - 14:6\nh - 16:6\ni - 18:6\nj - 20:6\n"},
	{"quotes in regular expressions, and lists with <<", "Gemfile",
	 "if RUBY_VERSION =~ /'/\n  gem 'a'\nend\nlist <<item\ngem 'b'\nx = 4 / 2; gem 'c'\n",
	 "a - 2:8\nb - 5:6\nc - 6:17\n"},
	{"a specification", "x.gemspec",
	 "Gem::Specification.new do |s|\n  s.name = 'x'\n  s.add_dependency 'a', '~> 1.0'\n"
	 "  s.add_runtime_dependency(%q<b>.freeze, [\">= 1\".freeze, \"< 2\"])\n"
	 "  s.add_development_dependency \"c\"\n  s.add_dependency n, '1'\n  s.add_dependency 'd', *REQ\nend\n",
	 "a ~> 1.0 3:21\nb >= 1, < 2 4:31\nc - 5:33\nd - 7:21\n"
	 "? add_dependency n, '1' 6:5 a program computes the name\n"},
	{"a specification that RubyGems wrote asks for its methods", "x.gemspec",
	 "if s.respond_to? :add_runtime_dependency then\n  s.add_runtime_dependency(%q<a>.freeze, [\">= 0\"])\n"
	 "elsif s.respond_to?(:add_dependency)\n  s.add_dependency 'b'\nend\n:add_dependency\ns.send(:add_dependency, x)\n",
	 "a >= 0 2:31\nb - 4:21\n? add_dependency 6:2 a program makes the call\n"
	 "? add_dependency, x 7:9 a program makes the call\n"},
};
static const struct row evals[] = {
	{"another Gemfile of the tree", "Gemfile", "eval_gemfile 'Gemfile.shared'\neval_gemfile 'x.gemfile'\n",
	 "? eval_gemfile 'Gemfile.shared' 1:1 it includes a file that ikm does not read as a Gemfile\n"},
};
static const struct beside files[] = {{"x.gemfile", "gem 'a'\n"}, {"Gemfile.shared", ""}};
static const struct row gradle[] = {
	{"Groovy: configurations, maps, platforms, blocks, several", "a/build.gradle",
	 "buildscript {\n dependencies { classpath 'g:c:1' }\n}\nplugins {\n id 'java'\n id 'org.x' version '2'\n}\n"
	 "dependencies {\n  implementation 'mysql:mysql-connector-java:8.0.33'\n"
	 "  testImplementation(\"g:b\") {\n    exclude group: 'no', module: 'no'\n  }\n"
	 "  api group: 'g', name: 'd', version: '1.+'\n  implementation platform('g:e:1')\n"
	 "  runtimeOnly 'g:f:1:cls@jar', 'g:h:1'\n  implementation project(':x')\n"
	 "  constraints {\n    api('g:i:1') { because 'x' }\n  }\n  if (y) { api 'g:j:1' } else { api 'g:k:1' }\n"
	 "  implementation \"g:l:${v}\" // 'g:no:1'\n  implementation gradleApi()\n}\n",
	 "g:c 1 2:28\norg.x 2 6:6\nmysql:mysql-connector-java 8.0.33 9:19\ng:b - 10:23\n"
	 "g:d 1.+ 13:26\ng:e 1 14:28\ng:f 1 15:16\ng:h 1 15:33\ng:i 1 18:10\ng:j 1 20:17\n"
	 "g:k 1 20:38\ng:l - 21:19\n"},
	{"Groovy: what a program decides", "build.gradle",
	 "dependencies {\n  implementation deps.x\n  implementation \"$g:a:1\"\n  api files('a.jar')\n  api y\n"
	 "  implementation libs.none\n}\napply from: 'https://x/y.gradle'\napply from: 'other.gradle'\n",
	 "? deps.x 2:18 a program computes the name\n"
	 "? \"$g:a:1\" 3:19 a program computes the name\n"
	 "? files('a.jar') 4:7 it is a file, and ikm does not open archives\n"
	 "? y 5:7 a program computes the name\n"
	 "? libs.none 6:18 the version catalog of the tree does not have it\n"
	 "? apply from: 'https://x/y.gradle' 8:1 it applies a script that ikm does not read\n"},
	{"Groovy: literals elsewhere", "x.gradle",
	 "ext.libs = [db: 'mysql:mysql:8.0', home: 'http://x:80/y']\n/* 'g:no:1' */\n"
	 "configurations.all { resolutionStrategy { force 'g:a:1' } }\n",
	 "mysql:mysql 8.0 1:18\ng:a 1 3:50\n"},
	{"Kotlin", "build.gradle.kts",
	 "plugins {\n  `java-library`\n  kotlin(\"jvm\") version \"1.9\"\n  id(\"org.y\")\n}\n/* /* */ 'x */\n"
	 "dependencies {\n  implementation(\"g:a:1\")\n  \"custom\"(\"g:b:1\")\n  add(\"c\", \"g:c:1\")\n"
	 "  implementation(kotlin(\"stdlib\"))\n  implementation(platform(\"g:d:1\"))\n"
	 "  implementation(group = \"g\", name = \"e\", version = \"1\")\n  implementation(x)\n}\n",
	 "org.jetbrains.kotlin.jvm 1.9 3:11 elsewhere\norg.y - 4:7\ng:a 1 8:19\ng:b 1 9:13\n"
	 "g:c 1 10:13\norg.jetbrains.kotlin:kotlin-stdlib - 11:26 elsewhere\ng:d 1 12:28\n"
	 "g:e 1 13:39\n? x 14:18 a program computes the name\n"},
	/*
	 * docs.gradle.org/current/userguide/declaring_dependencies_basics.html and
	 * dependency_constraints.html: a text, a map, a list of texts, of maps, of both, several in
	 * one call, over lines; in Kotlin named arguments and arguments by their place; add(),
	 * create(), platform().
	 */
	{"Groovy: each form of the guide", "build.gradle",
	 "dependencies {\n  api group: 'g', name: 'a', version: '1'\n  api(\n    [group: 'g', name: 'b', version: '1'],\n    [group: 'g', name: 'c']\n  )\n"
	 "  api([[group: 'g', name: 'd'], ['group': 'g', 'name': 'e']])\n  api(\n    'g:f:1',\n    'g:g:1'\n  )\n"
	 "  api 'g:h:1', 'g:i:1'\n  api(['g:j:1', [group: 'g', name: 'k']])\n  api([group: 'g', name: 'l']) { exclude group: 'no', module: 'no' }\n"
	 "  api platform([group: 'g', name: 'm'])\n  add('api', [group: 'g', name: 'n'])\n  api create(group: 'g', name: 'o')\n  api([group: x, name: 'p'])\n}\n",
	 "g:a 1 2:26\ng:b 1 4:25\ng:c - 5:25\ng:d - 7:28\ng:e - 7:57\ng:f 1 9:6\ng:g 1 10:6\ng:h 1 12:8\ng:i 1 12:17\n"
	 "g:j 1 13:9\ng:k - 13:37\ng:l - 14:27\ng:m - 15:36\ng:n - 16:34\ng:o - 17:33\n"
	 "? group: x 18:8 a program computes the name\n? name: 'p' 18:18 a program computes the name\n"},
	{"Kotlin: each form of the guide", "build.gradle.kts",
	 "dependencies {\n  api(\"g\", \"a\", \"1.0\")\n  api(\"g\", \"b\")\n  api(\n    \"g\",\n    \"c\",\n    version = \"2\"\n  )\n"
	 "  add(\"api\", \"g:d:1\")\n  api(group = \"g\", name = \"e\")\n  api(create(\"g\", \"f\", \"1\"))\n  api(\"g\", \"h\", libs.versions.h.get())\n  api(\"g\", x, \"1\")\n}\n",
	 "g:a 1.0 2:13\ng:b - 3:13\ng:c 2 6:6\ng:d 1 9:15\ng:e - 10:28\ng:f 1 11:20\ng:h - 12:13\n"
	 "? \"g\" 13:8 a program computes the name\n? x 13:12 a program computes the name\n? \"1\" 13:16 a program computes the name\n"},
	{"settings", "settings.gradle.kts",
	 "dependencyResolutionManagement { versionCatalogs { create(\"libs\") {\n"
	 "library(\"a\", \"g:a:1\")\nlibrary(\"b\", \"g\", \"b\").version(\"1\")\n} } }\n",
	 "g:b 1 3:20\ng:a 1 2:15\n"},
	{"settings: catalogs of files, of a registry, of a program", "a/settings.gradle",
	 "dependencyResolutionManagement {\n  defaultLibrariesExtensionName = 'projectLibs'\n  versionCatalogs {\n"
	 "    tools { from(files('../gradle/tools.versions.toml')) }\n    create('far') {\n      from('g:catalog:1')\n      plugin('p', 'org.p').version('1')\n    }\n"
	 "    create('out') { from(files('../../x.versions.toml')) }\n    create('odd') { from(files(\"$x/y.versions.toml\")); library('z', coordinates) }\n"
	 "    list.each { name -> create(name) { from(files(name)) } }\n    create(x) { }\n  }\n}\n",
	 "org.p - 7:20\ng:catalog 1 6:13\n"
	 "? from('g:catalog:1') 6:7 the catalog is in no file of the repository\n"
	 "? from(files('../../x.versions.toml')) 9:21 it is no file of the repository that ikm reads as a version catalog\n"
	 "? from(files(\"$x/y.versions.toml\")) 10:21 it is no file of the repository that ikm reads as a version catalog\n"
	 "? library('z', coordinates) 10:56 a program computes the catalog\n"
	 "? list.each { name -> create(name) { from(files(name)) } } 11:5 a program computes the catalog\n"
	 "? create(x) { } 12:5 a program computes the catalog\n"},
	{"a string without an end", "build.gradle", "dependencies {\n api 'g:a:1\n}\n",
	 "? api 2:2 a program computes the name\n"
	 "?  2:6 a string or comment begins here and does not end\n"
	 "? ' 2:6 a program computes the name\n"},
	{"Groovy: regular expressions and dollar strings", "build.gradle",
	 "x = /it's/\ny = $/it's " "\"/$\nz = a / b\ndependencies {\n api 'g:a:1' // it's\n}\n",
	 "g:a 1 5:7\n"},
	{"a carriage return ends a line of Groovy and Kotlin", "build.gradle.kts",
	 "// c\rdependencies { implementation(\"g:a:1\") }\n",
	 "g:a 1 1:37\n"},
	{"a lockfile", "gradle.lockfile",
	 "# comment\ng:a:1.0=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n",
	 "g:a 1.0 2:1 locked\n"},
	{"a library without a name", "libs.versions.toml", "[libraries]\na = { group = 'x' }\n",
	 "?  2:5 the file does not read as its name says: 'a' names no package\n"},
	{"a library of one word", "libs.versions.toml", "[libraries]\na = 'x'\n",
	 "?  2:5 the file does not read as its name says: 'a' names no package\n"},
	{"a loop and a block in the block", "build.gradle",
	 "dependencies {\n  api \"g:m:1.$v\"\n  afterEvaluate {\n    api 'g:a'\n  }\n  list.each { api it }\n}\n",
	 "g:m - 2:8\ng:a - 4:10\n? list.each { api it } 6:3 a program computes the name\n"},
	{"a catalog", "gradle/libs.versions.toml",
	 "[versions]\nv = \"1.0\"\nw = { strictly = \"[1,2)\" }\n[libraries]\na = \"g:a:1\"\n"
	 "b = { module = \"g:b\", version.ref = \"v\" }\nc = { group = \"g\", name = \"c\", version.ref = \"w\" }\n"
	 "[bundles]\nx = [\"a\"]\n[plugins]\np = { id = \"org.p\", version = \"2\" }\nq = \"org.q:3\"\n",
	 "g:a 1 5:6\ng:b 1.0 6:17\ng:c [1,2) 7:28\norg.p 2 11:13\norg.q 3 12:6\n"},
};
static const struct row forms[] = {
	{"a catalog with a byte order mark", "gradle/libs.versions.toml",
	 "\xef\xbb\xbf[libraries]\na = \"g:a:1\"\n", "g:a 1 2:6\n"},
	/* toml.io/en/v1.0.0#keys, #inline-table */
	{"a catalog of dotted keys", "gradle/libs.versions.toml",
	 "versions.v = '1'\nlibraries.a.module = 'g:a'\nlibraries.b = 'g:b:2'\nlibraries.c = {group = 'g', name = 'c', version.ref = 'v'}\n"
	 "plugins.p.id = 'org.p'\nplugins.q = 'org.q:3'\n",
	 "g:a - 2:23\ng:b 2 3:16\ng:c 1 4:37\norg.p - 5:17\norg.q 3 6:14\n"},
	{"a catalog of inline tables", "gradle/libs.versions.toml",
	 "libraries = { a = 'g:a:1', b.module = 'g:b' }\nplugins = { p = 'org.p:1' }\n",
	 "g:a 1 1:20\ng:b - 1:40\norg.p 1 2:18\n"},
};
/* docs.gradle.org/current/userguide/plugins_intermediate.html and the API of PluginAware */
static const struct row applied[] = {
	{"Groovy: plugins that are applied", "build.gradle",
	 "apply plugin: 'org.a'\napply(plugin: 'org.b')\napply([plugin: 'org.c'])\napply {\n  plugin 'org.d'\n  if (x) {\n    plugin('org.e')\n  }\n}\n"
	 "plugins.apply('org.f')\npluginManager.apply 'org.g'\nallprojects { apply plugin: 'org.h' }\nproject.getPluginManager().apply('org.i')\n"
	 "subprojects { p -> p.apply plugin: 'org.j'; p.apply { plugin 'org.k'; from 'no' } }\napply 'plugin': 'shadow', to: x\n"
	 "apply plugin: 'java'\napply plugin: \"java-library\"\nx.each { it.pluginManager.apply('org.l') }\n"
	 "plugins.apply(\n  'org.m'\n)\napply(\n  // 'no'\n  plugin:\n  'org.n')\napply {\n  plugin(\n    'org.o'\n  )\n}\n",
	 "org.a - 1:16\norg.b - 2:16\norg.c - 3:17\norg.d - 5:11\norg.e - 7:13\norg.f - 10:16\norg.g - 11:22\n"
	 "org.h - 12:30\norg.i - 13:35\norg.j - 14:37\norg.k - 14:63\nshadow - 15:18\norg.l - 18:34\n"
	 "org.m - 20:4\norg.n - 25:4\norg.o - 28:6\n"},
	{"Groovy: a block of apply that begins the file", "build.gradle", "apply {\n  plugin 'org.a'\n}\n", "org.a - 2:11\n"},
	{"Groovy: what a program applies", "build.gradle",
	 "apply plugin: x\napply plugin: \"org.${x}\"\napply plugin: JavaPlugin\nplugins.apply(a.B)\n['org.a'].each { apply plugin: it }\n"
	 "apply plugin: 'org' + '.a'\napply { from 'https://x/y.gradle' }\napply plugin: 'org.a', from: 'y'\n",
	 "org.a - 8:16\n"
	 "? apply plugin: x 1:1 a program computes the name\n? apply plugin: \"org.${x}\" 2:1 a program computes the name\n"
	 "? apply plugin: JavaPlugin 3:1 a program computes the name\n? apply(a.B) 4:9 a program computes the name\n"
	 "? apply plugin: it 5:18 a program computes the name\n? apply plugin: 'org' + '.a' 6:1 a program computes the name\n"
	 "? from 'https://x/y.gradle' 7:9 it applies a script that ikm does not read\n"
	 "? apply plugin: 'org.a', from: 'y' 8:1 it applies a script that ikm does not read\n"},
	{"Groovy: another apply", "build.gradle",
	 "class P implements Plugin<Project> { void apply(Project project) { project.tasks } }\n"
	 "copySpec.apply { from 'dir' }\nplugins { id 'org.a' apply false }\nx.apply(y)\nstyle.apply('a.b')\nx = apply\n",
	 "org.a - 3:15\n"},
	{"Kotlin: plugins that are applied", "build.gradle.kts",
	 "apply(plugin = \"org.a\")\napply(\n  plugin = \"org.b\"\n)\napply { plugin(\"org.c\") }\nplugins.apply(\"org.d\")\n"
	 "with(pluginManager) { apply(\"org.e\") }\nsubprojects { apply(plugin = \"org.f\") }\napply(plugin = libs.plugins.my.p.get().pluginId)\n"
	 "apply<JavaPlugin>()\napply(mapOf(\"plugin\" to \"org.g\"))\nclass P : Plugin<Project> { override fun apply(target: Project) {} }\nx.apply { y() }\n",
	 "org.a - 1:17\norg.b - 3:13\norg.c - 5:17\norg.d - 6:16\norg.e - 7:30\norg.f - 8:31\nx - 9:16 elsewhere as libs.plugins.my.p.get\n"
	 "? apply<JavaPlugin>() 10:1 a program computes the name\n? apply(mapOf(\"plugin\" to \"org.g\")) 11:1 a program computes the name\n"},
	/* kotlinlang.org/docs/multiplatform/multiplatform-add-dependencies.html */
	{"blocks and calls of a member", "build.gradle.kts",
	 "kotlin { sourceSets { commonMain.dependencies { implementation(\"g:a\"); api(libs.my.db) } } }\n"
	 "project.dependencies { api(\"g:b\") }\ndependencies.add(\"api\", \"g:c\")\ndependencies.api(\"g:d\")\nbuildscript.dependencies.classpath(\"g:e\")\n"
	 "p.dependencies.add(\"api\", x)\ndependencies.api(libs.my.db)\nconfigurations.api.dependencies.all { y }\ndependencies.api(platform(\"g:f\"))\ndependencies.api \"g:g\"\n",
	 "g:a - 1:65\nmysql:mysql - 1:76 elsewhere as libs.my.db\ng:b - 2:29\ng:c - 3:26\ng:d - 4:19\ng:e - 5:37\n"
	 "mysql:mysql - 7:18 elsewhere as libs.my.db\ng:f - 9:28\ng:g - 10:19\n? x 6:27 a program computes the name\n"},
	/* docs.gradle.org/current/userguide/resolution_rules.html */
	{"Groovy: rules that put a package in the place of another", "settings.gradle",
	 "pluginManagement { plugins.id('org.a').version('1'); resolutionStrategy { eachPlugin {\n useModule('g:a:1')\n useModule(x)\n} } }\n"
	 "c.eachDependency { d ->\n d.useTarget(group: 'g', name: 'b', version: '1')\n d.useTarget group: 'g', name: x\n}\n",
	 "org.a 1 1:32\ng:a 1 2:13\ng:b 1 6:33\n? x 3:12 a program computes the name\n"
	 "? group: 'g' 7:14 a program computes the name\n? name: x 7:26 a program computes the name\n"},
	{"Groovy: functions that take a block or a method", "build.gradle",
	 "apply {\n it.plugin 'org.a'\n}\n['org.b'].each(plugins.&apply)\ndependencies.with { api 'g:a' }\nwith(dependencies) { api 'g:b' }\n"
	 "switch (x) { case 1: apply plugin: 'org.c' }\nplugins {\n id(\n'org.d'\n)\n}\n",
	 "org.a - 2:13\ng:a - 5:26\ng:b - 6:27\norg.c - 7:37\norg.d - 10:2\n"
	 "? apply 4:25 a program computes the name\n"},
	{"Kotlin: functions that take a block or a method", "build.gradle.kts",
	 "listOf(\"org.a\").forEach(plugins::apply)\ndependencies.apply { add(\"api\", \"g:a\") }\n",
	 "g:a - 2:34\n? apply 1:34 a program computes the name\n"},
	{"the plugins that a project offers are not its own", "build.gradle",
	 "gradlePlugin {\n website = 'x'\n plugins {\n  create('x') { id = 'org.a' }\n }\n}\ngradlePlugin.plugins { y { id = 'org.b' } }\nplugins { id 'org.c' }\n",
	 "org.c - 8:15\n"},
	{"Kotlin: arguments on lines of their own", "build.gradle.kts",
	 "plugins {\n  id(\n    \"org.a\"\n  ).version(\n    \"1\"\n  )\n}\ndependencies {\n  add(\n    \"api\",\n    \"g:a\"\n  )\n"
	 "  api(kotlin(\n    \"stdlib\"\n  ))\n}\ndependencies.api(\n  \"g:b\"\n)\n",
	 "org.a 1 3:6\ng:a - 11:6\norg.jetbrains.kotlin:kotlin-stdlib - 14:6 elsewhere\ng:b - 18:4\n"},
	{"settings: arguments on lines of their own", "settings.gradle.kts",
	 "dependencyResolutionManagement { versionCatalogs { create(\n\"libs\"\n) {\n"
	 "library(\n\"b\",\n\"g\",\n\"b\"\n)\nfrom(\nfiles(\n\"none.versions.toml\"\n)\n)\n} } }\n",
	 "g:b - 7:2\n? from(\nfiles(\n\"none.versions.toml\"\n)\n) 9:1 it is no file of the repository that ikm reads as a version catalog\n"},
	{"a script of settings applies plugins", "settings.gradle.kts",
	 "pluginManagement { plugins { id(\"org.a\") version \"1\" } }\nplugins { id(\"org.b\") }\napply(plugin = \"org.c\")\n",
	 "org.a 1 1:34\norg.b - 2:15\norg.c - 3:17\n"},
	{"a script before the build", "x.init.gradle",
	 "initscript { dependencies { classpath 'g:a' } }\nallprojects { apply plugin: 'org.a' }\n",
	 "g:a - 1:40\norg.a - 2:30\n"},
};
static const struct row aliases[] = {
	{"aliases of the catalog", "a/build.gradle",
	 "plugins { alias(libs.plugins.my.p) }\ndependencies {\n  api libs.my.db\n  api libs.bundles.all\n"
	 "  api(libs.none)\n}\n",
	 "x - 1:17 elsewhere as libs.plugins.my.p\nmysql:mysql - 3:7 elsewhere as libs.my.db\n"
	 "mysql:mysql - 4:7 elsewhere as libs.bundles.all\n"
	 "? libs.none 5:7 the version catalog of the tree does not have it\n"},
	{"aliases of the catalogs that settings declare", "b/app/build.gradle.kts",
	 "plugins { alias(tools.plugins.my.p) }\ndependencies {\n  api(tools.my.db)\n  api(own.x.y)\n  api(own.z)\n  api(own.bundles.all)\n"
	 "  api(far.x)\n  api(projectLibs.q)\n  api(libs.q)\n  api(other.x)\n  api(platform(by.b))\n}\n",
	 "x - 1:17 elsewhere as tools.plugins.my.p\nmysql:mysql - 3:7 elsewhere as tools.my.db\ng:y - 4:7 elsewhere as own.x.y\ng:z - 5:7 elsewhere as own.z\ng:z - 6:7 elsewhere as own.bundles.all\ng:q - 8:7 elsewhere as projectLibs.q\n"
	 "g:b - 11:16 elsewhere as by.b\n"
	 "? far.x 7:7 its version catalog has a part that ikm does not read\n"
	 "? libs.q 9:7 a program computes the name\n? other.x 10:7 a program computes the name\n"},
};
static const struct beside catalog[] = {{"gradle/libs.versions.toml",
	 "[libraries]\nmy-db = 'mysql:mysql:8'\n[bundles]\nall = ['my-db']\n[plugins]\nmy_p = 'x:1'\n"},
	{"b/settings.gradle.kts",
	 "dependencyResolutionManagement {\n  versionCatalogs {\n    create(\"tools\") { from(files(\"../gradle/libs.versions.toml\")) }\n"
	 "    create(\"own\") {\n      library(\"x-y\", \"g:y:1\")\n      library(\"z\", \"g\", \"z\").withoutVersion()\n      bundle(\"all\", listOf(\"z\"))\n    }\n"
	 "    create(\"far\") { from(\"g:catalog:1\") }\n    val by by creating { library(\"b\", \"g:b:1\") }\n  }\n  versionCatalogs.create(\"libs\") { library(\"q\", \"g:q:1\") }\n"
	 "  defaultLibrariesExtensionName = \"projectLibs\"\n}\n"}};
static const struct row bad[] = {
	{"a line of something else", "gradle.lockfile", "x\n", "'x' is no group:artifact:version"},
};
/* clang-format on */

/* Deep and long texts end, in linear time. */
static void programs_hostile(struct arena *a)
{
	static const struct {
		const char *path, *part;
		bool quiet; /* no declaration */
	} texts[] = {
		{"build.gradle", "dependencies { if (x) { "},
		{"build.gradle", "api platform(", true},
		{"build.gradle", "dependencies { api(platform("},
		{"settings.gradle", "versionCatalogs { x { ", true},
		{"settings.gradle.kts", "versionCatalogs.create(\"x\") { ", true},
		{"settings.gradle", "versionCatalogs { x { from(files("},
		{"build.gradle.kts", "/* { ( "},
		{"build.gradle", "apply ", true},
		{"build.gradle", "apply { ", true},
		{"build.gradle", "apply { plugin("},
		{"build.gradle", "plugins.apply("},
		{"Gemfile", "gem x "},
		{"Gemfile", "\\/", true},
		{"Gemfile", "gem 'a', ["},
		{"Gemfile", "<<A ", true},
		{"Gemfile", "%w[ "},
		{"setup.py", "install_requires=["},
		{"setup.py", "install_requires=x "},
		{"x.gemspec", "add_dependency("},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct buf b = buf_in(a);
		struct deps d;

		for (int k = 0; k < 100000; k++)
			buf_puts(&b, texts[i].part);
		works(deps_read(a, str_of(texts[i].path), buf_as_str(&b), NULL, &d), texts[i].part);
		ok(d.n + d.unresolved.n > 0 || texts[i].quiet, "and something is told");
	}
}

int main(void)
{
	struct arena *a = arena_new();
	struct besides beside = {files, ARRAY_SIZE(files)};

	reads(a, ruby, ARRAY_SIZE(ruby));
	reads_in(a, &beside, evals, ARRAY_SIZE(evals));
	beside = (struct besides){catalog, ARRAY_SIZE(catalog)};
	reads(a, gradle, ARRAY_SIZE(gradle));
	reads(a, forms, ARRAY_SIZE(forms));
	reads_in(a, &beside, aliases, ARRAY_SIZE(aliases));
	reads_in(a, &beside, applied, ARRAY_SIZE(applied));
	refuses(a, bad, ARRAY_SIZE(bad));
	programs_hostile(a);
	arena_free(a);
	return tap_done();
}
