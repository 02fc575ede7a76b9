#!/bin/sh
# Reading manifests and settings: milliseconds for 50 MB of each format, beside the bar of a second
# for that.
# Usage: manifests.sh IKM
set -eu
tool=$(dirname "$2")/tool/deps
[ -x "$tool" ] || {
	echo 'manifests: no build/tool/deps (make test-build); skipped' >&2
	exit 0
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# fill NAME HEAD LINE TAIL [SEP]: writes a file of 20,000 times LINE, in which awk replaces each %% by
# a number.
fill() {
	mkdir -p "$dir/$(dirname "$1")"
	awk -v head="$2" -v line="$3" -v tail="$4" -v sep="${5-}" 'BEGIN {
		printf "%s", head
		for (i = 1; i <= 20000; i++) {
			l = line
			gsub(/%%/, i, l)
			printf "%s%s", l, i < 20000 ? sep : ""
		}
		printf "%s", tail
	}' >"$dir/$1"
}

# report OPTION PREFIX NAME LEAST: fails when fewer than LEAST entries are found.
report() {
	"$tool" "$1" "$dir/$3" | awk -v name="$2-$3" -v least="$4" '{
		if ($3 < least) { print name ": only " $3 " entries" >"/dev/stderr"; exit 1 }
		printf "%s %.0f 1000 %.2f\n", name, 50000 / $(NF - 1), 50 / $(NF - 1)
	}'
}

measure() {
	fill "$@"
	report -t manifest "$1" 20000
}

settings() {
	fill "$@"
	report -k settings "$1" 20000
}

measure pom.xml '<project><dependencies>' \
	'<dependency>\n  <groupId>org.example</groupId>\n  <artifactId>part-%%</artifactId>\n  <version>1.0.%%</version>\n</dependency>\n' \
	'</dependencies></project>'
measure a.csproj '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>' \
	'\n    <PackageReference Include="Example.Part%%" Version="1.0.%%" />' '</ItemGroup></Project>'
measure packages.lock.json '{"version": 1, "dependencies": {"net8.0": {' \
	'"Part%%": {"type": "Transitive", "resolved": "1.0.%%", "contentHash": "0123456789abcdef0123456789=="}' \
	'}}}' ,
measure composer.lock '{"packages": [' \
	'{"name": "example/part%%", "version": "1.0.%%", "source": {"type": "git", "url": "https://example.org/%%"}}' \
	']}' ,
measure Gemfile 'source "https://rubygems.org"\n' 'gem "example-part-%%", "~> 1.%%", require: false # why\n' ''
measure build.gradle 'dependencies {\n' '    implementation "org.example:part-%%:1.0.%%" // why\n' '}\n'
measure gradle.lockfile '# comment\n' 'org.example:part-%%:1.0.%%=compileClasspath,runtimeClasspath\n' 'empty=\n'
measure libs.versions.toml '[versions]\nv = "1"\n[libraries]\n' \
	'part-%% = { module = "org.example:part-%%", version.ref = "v" }\n' ''
measure Pipfile.lock '{"default": {' '"part-%%": {"version": "==1.0.%%", "hashes": ["sha256:0123456789abcdef0123456789"]}' '}}' ,
measure go.sum '' 'example.org/part%% v1.0.%% h1:0123456789abcdef0123456789abcdef0123456789=\n' ''
measure bun.lock '{"packages": {' '"part-%%": ["part-%%@1.0.%%", "", {}, "sha512-0123456789abcdef"]' ',}}' ,
measure setup.py 'setup(install_requires=[\n' '    "part-%%>=1.0.%%",\n' '])\n'
measure setup.cfg '[options]\ninstall_requires =\n' '    part-%%>=1.0.%%\n' ''

measure package.json '{"dependencies": {' '"part-%%": "^1.0.%%"' '}}' ,
measure package-lock.json '{"lockfileVersion": 3, "packages": {"": {},' \
	'"node_modules/part-%%": {"version": "1.0.%%", "resolved": "https://registry.npmjs.org/part-%%/-/part-%%-1.0.%%.tgz"}' \
	'}}' ,
measure yarn.lock '# yarn lockfile v1\n\n' \
	'part-%%@^1.0.0:\n  version "1.0.%%"\n  resolved "https://registry.yarnpkg.com/part-%%/-/part-%%-1.0.%%.tgz#0"\n\n' ''
measure pnpm-lock.yaml 'lockfileVersion: "9.0"\n\npackages:\n' \
	'\n  part-%%@1.0.%%:\n    resolution: {integrity: sha512-0123456789abcdef}\n' ''
measure package.yaml 'dependencies:\n' '  part-%%: ^1.0.%%\n' ''
measure pnpm-workspace.yaml 'catalog:\n' '  part-%%: ^1.0.%%\n' ''
measure deno.json '{"imports": {' '"part-%%": "npm:part-%%@^1.0.%%"' ',}}' ,
measure deno.lock '{"version": "4", "npm": {' '"part-%%@1.0.%%": {"integrity": "sha512-0123456789abcdef"}' '}}' ,
measure requirements.txt '' 'part-%%>=1.0.%% # why\n' ''
measure pyproject.toml '[project]\nname = "x"\ndependencies = [\n' '    "part-%%>=1.0.%%",\n' ']\n'
measure uv.lock 'version = 1\n' \
	'\n[[package]]\nname = "part-%%"\nversion = "1.0.%%"\nsource = { registry = "https://pypi.org/simple" }\n' ''
measure poetry.lock '' '[[package]]\nname = "part-%%"\nversion = "1.0.%%"\noptional = false\n\n' ''
measure Pipfile '[packages]\n' 'part-%% = ">=1.0.%%"\n' ''
measure a.py '# /// script\n# dependencies = [\n' '#     "part-%%>=1.0.%%",\n' '# ]\n# ///\n'
measure environment.yml 'dependencies:\n' '  - part-%%=1.0.%%\n' ''
measure go.mod 'module example.org/x\nrequire (\n' '\texample.org/part%% v1.0.%% // indirect\n' ')\n'
measure vendor/modules.txt '' '# example.org/part%% v1.0.%%\n## explicit; go 1.21\nexample.org/part%%/x\n' ''
measure Cargo.toml '[dependencies]\n' 'part-%% = { version = "1.0.%%", features = ["x"] }\n' ''
measure Cargo.lock 'version = 3\n' \
	'\n[[package]]\nname = "part-%%"\nversion = "1.0.%%"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n' ''
measure Gemfile.lock 'GEM\n  remote: https://rubygems.org/\n  specs:\n' '    part-%% (1.0.%%)\n' ''
measure a.gemspec 'Gem::Specification.new do |s|\n' '  s.add_dependency "part-%%", "~> 1.%%"\n' 'end\n'
measure settings.gradle.kts 'plugins {\n' '    id("org.example.part%%") version "1.0.%%"\n' '}\n'
measure build.gradle.kts 'dependencies {\n' '    implementation("org.example:part-%%:1.0.%%")\n' '}\n'
measure packages.config '<packages>' '\n  <package id="Example.Part%%" version="1.0.%%" targetFramework="net48" />' '</packages>'
measure composer.json '{"require": {' '"example/part%%": "^1.0.%%"' '}}' ,
measure project.assets.json '{"version": 3, "libraries": {' \
	'"Part%%/1.0.%%": {"type": "package", "path": "part%%/1.0.%%", "sha512": "0123456789abcdef0123456789=="}' '}}' ,
measure paket.dependencies 'source https://api.nuget.org/v3/index.json\n' 'nuget Part%% ~> 1.0.%%\n' ''
measure paket.references '' 'Part%%\n' ''
measure paket.lock 'NUGET\n  remote: https://api.nuget.org/v3/index.json\n' '    Part%% (1.0.%%)\n      Other (>= 1.0)\n' ''
measure pubspec.yaml 'dependencies:\n' '  part%%: ^1.0.%%\n' ''
measure pubspec.lock 'packages:\n' \
	'  part%%:\n    dependency: transitive\n    description:\n      name: part%%\n      url: "https://pub.dev"\n    source: hosted\n    version: "1.0.%%"\n' ''
measure mix.exs 'defp deps do\n  [\n' '    {:part_%%, "~> 1.0.%%", only: :test},\n' '  ]\nend\n'
measure mix.lock '%{\n' '  "part_%%": {:hex, :part_%%, "1.0.%%", "0123456789abcdef", [:mix], [], "hexpm", "0123"},\n' '}\n'
measure Package.swift 'let package = Package(dependencies: [\n' \
	'    .package(url: "https://github.com/example/part%%.git", from: "1.0.%%"),\n' '])\n'
measure Package.resolved '{"pins": [' \
	'{"identity": "part%%", "kind": "remoteSourceControl", "location": "https://github.com/example/part%%", "state": {"revision": "0123", "version": "1.0.%%"}}' \
	'], "version": 2}' ,
measure vcpkg.json '{"dependencies": [' '{"name": "part-%%", "version>=": "1.0.%%"}' ']}' ,
measure conanfile.txt '[requires]\n' 'part%%/1.0.%%\n' ''
measure .gitmodules '' '[submodule "part%%"]\n\tpath = part%%\n\turl = https://github.com/example/part%%.git\n' ''
measure Dockerfile 'ARG BASE=example\n' 'FROM registry.example.org/part%%:1.0.%% AS stage%%\nRUN make && make install # %%\n' ''
measure compose.yaml 'services:\n' '  part%%:\n    image: registry.example.org/part%%:1.0.%%\n    restart: always\n' ''
measure .github/workflows/ci.yml 'jobs:\n  a:\n    steps:\n' '      - uses: example/part%%@v1.0.%%\n        with: {a: b}\n' ''
measure main.tf '' 'module "part%%" {\n  source  = "example/part%%/aws"\n  version = "~> 1.0.%%"\n}\n' ''
measure main.tf.json '{"module": {' '"part%%": {"source": "example/part%%/aws", "version": "~> 1.0.%%"}' '}}' ,
measure .terraform.lock.hcl '' \
	'provider "registry.terraform.io/example/part%%" {\n  version = "1.0.%%"\n  hashes = [\n    "h1:0123456789abcdef",\n  ]\n}\n' ''
# A wrap has one package, and the lines of its section.
fill subprojects/part.wrap '[wrap-file]\ndirectory = part-1.0\n' 'diff_files = part-%%/0001-fix.patch\n' '[provide]\n'
report -t manifest subprojects/part.wrap 1
measure pixi.toml '[dependencies]\n' 'part-%% = { version = "1.0.%%", channel = "c" }\n' ''
measure pixi.lock 'version: 6\npackages:\n' \
	'- conda: https://conda.anaconda.org/conda-forge/linux-64/part-%%-1.0.%%-h0_0.conda\n  sha256: 0123456789abcdef\n' ''
measure conda-lock.yml 'version: 1\npackage:\n' \
	'- name: part-%%\n  version: 1.0.%%\n  manager: conda\n  platform: linux-64\n  url: https://conda.anaconda.org/x\n' ''
measure conda-linux-64.lock '@EXPLICIT\n' 'https://conda.anaconda.org/conda-forge/linux-64/part-%%-1.0.%%-h0_0.conda#0123\n' ''

settings a.json '{' '"part-%%": {"level": "debug", "size": 1%%}' '}' ,
settings a.yaml '' 'part-%%:\n  level: debug\n  size: 1%%\n' ''
settings a.toml '' '[part-%%]\nlevel = "debug"\nsize = 1%%\n' ''
settings a.ini '' '[part-%%]\nlevel = debug ; why\nsize = 1%%\n' ''
settings .gitconfig '' '[part "x%%"]\n\tlevel = debug ; why\n\tsize = 1%%\n' ''
settings .env '' 'PART_%%="debug \\"x\\"" # why\n' ''
settings a.properties '' 'part.%%.level = debug \\\n  more\n' ''
