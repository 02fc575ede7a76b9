/* What manifests say of the interpreter, the compiler and the package manager: the kind runtime. */
#include "deps.h"

/* clang-format off */
static const struct row npm[] = {
	{"engines", "package.json", "{\"engines\": {\n\"node\": \">=18 <23\",\n\"pnpm\": \"^9\", \"vscode\": 1}}",
	 "node >=18 <23 2:2 runtime\npnpm ^9 3:2 runtime\n"},
	{"engines of old npm", "package.json", "{\"engines\": [\"node >= 0.6\"]}", ""},
	{"the package manager", "package.json", "{\n\"packageManager\": \"pnpm@9.1.0+sha512.abc\"}",
	 "pnpm 9.1.0 2:20 as packageManager runtime locked\n"},
	{"engines for developers", "package.json",
	 "{\"devEngines\": {\"runtime\": {\n\"name\": \"node\", \"version\": \"^22\"}, \"packageManager\": [{\n\"name\": \"npm\"}]}}",
	 "node ^22 2:10 runtime\nnpm - 3:10 runtime\n"},
};
static const struct row python[] = {
	{"pyproject.toml", "pyproject.toml", "[project]\nname = \"x\"\nrequires-python = \">=3.9\"\n",
	 "python >=3.9 3:1 elsewhere as requires-python runtime\n"},
	{"Poetry", "pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.9\"\nrequests = \"*\"\n",
	 "python ^3.9 2:1 runtime\nrequests * 3:1\n"},
	{"Pipenv", "Pipfile", "[requires]\npython_version = \"3.11\"\n",
	 "python ==3.11.* 2:1 elsewhere as python_version runtime\n"},
	{"Pipenv, a whole version", "Pipfile", "[requires]\npython_full_version = \"3.11.4\"\n",
	 "python 3.11.4 2:1 elsewhere as python_full_version runtime locked\n"},
	{"setup.cfg", "setup.cfg", "[options]\npython_requires = >=3.7\ninstall_requires =\n  six\n",
	 "python >=3.7 2:1 elsewhere as python_requires runtime\nsix - 4:3\n"},
	{"setup.py", "setup.py", "setup(python_requires='>=3.7')\n",
	 "python >=3.7 1:7 elsewhere as python_requires runtime\n"},
	{"a script", "a.py", "# /// script\n# requires-python = \">=3.11\"\n# dependencies = [\"six\"]\n# ///\n",
	 "python >=3.11 2:3 elsewhere as requires-python runtime\nsix - 3:20\n"},
	{"a lockfile of uv", "uv.lock", "version = 1\nrequires-python = \">=3.9\"\n",
	 "python >=3.9 2:1 elsewhere as requires-python runtime\n"},
};
static const struct row others[] = {
	{"go.mod", "go.mod", "module x\n\ngo 1.22\ntoolchain go1.22.3\n", "go 1.22 3:1 runtime\ntoolchain 1.22.3 4:1 runtime\n"},
	{"a toolchain of the machine", "go.mod", "module x\ntoolchain default\n", "toolchain - 2:1 runtime\n"},
	{"Cargo.toml", "Cargo.toml", "[package]\nrust-version = \"1.70\"\n", "rust 1.70 2:1 elsewhere as rust-version runtime\n"},
	{"a Gemfile", "Gemfile", "ruby \"3.2.0\"\ngem 'a'\n", "ruby 3.2.0 1:1 runtime\na - 2:6\n"},
	{"a Gemfile with a range", "Gemfile", "ruby '>= 3.1', '< 4', engine: 'jruby'\n", "ruby >= 3.1, < 4 1:1 runtime\n"},
	{"a Gemfile with a file", "Gemfile", "ruby file: '.ruby-version'\n", "ruby - 1:1 runtime\n"},
	{"other words ruby", "Gemfile", "gem 'a', platforms: :ruby\nruby = 3\nputs ruby\n", "a - 1:6\n"},
	{"a gemspec", "a.gemspec", "Gem::Specification.new do |s|\n  s.required_ruby_version = ['>= 3.0', '< 4']\nend\n",
	 "ruby >= 3.0, < 4 2:5 elsewhere as required_ruby_version runtime\n"},
	{"a gemspec with an object", "a.gemspec", "s.required_ruby_version = Gem::Requirement.new('>= 3.0')\n",
	 "ruby >= 3.0 1:3 elsewhere as required_ruby_version runtime\n"},
	{"Gemfile.lock", "Gemfile.lock", "RUBY VERSION\n   ruby 3.2.2p53\n", "ruby 3.2.2 2:4 runtime locked\n"},
	{"pubspec.yaml", "pubspec.yaml", "environment:\n  sdk: ^3.0.0\n  flutter: '>=3.10.0'\n",
	 "dart ^3.0.0 2:3 elsewhere as sdk runtime\nflutter >=3.10.0 3:3 runtime\n"},
};
/* clang-format on */

int main(void)
{
	struct arena *a = arena_new();

	reads(a, npm, ARRAY_SIZE(npm));
	reads(a, python, ARRAY_SIZE(python));
	reads(a, others, ARRAY_SIZE(others));
	arena_free(a);
	return tap_done();
}
