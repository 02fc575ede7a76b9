#!/bin/sh
# Reading manifests: milliseconds for 50 MB of each format, beside the bar of a second for that.
# Usage: manifests.sh IKM
set -eu
tool=$(dirname "$1")/tool/deps
[ -x "$tool" ] || {
	echo 'manifests: no build/tool/deps (make test-build); skipped' >&2
	exit 0
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# measure NAME HEAD LINE TAIL: a file of 20,000 times LINE, in which awk replaces each %% by a number.
measure() {
	awk -v head="$2" -v line="$3" -v tail="$4" -v sep="${5-}" 'BEGIN {
		printf "%s", head
		for (i = 1; i <= 20000; i++) {
			l = line
			gsub(/%%/, i, l)
			printf "%s%s", l, i < 20000 ? sep : ""
		}
		printf "%s", tail
	}' >"$dir/$1"
	"$tool" -t "$dir/$1" | awk -v name="$1" '{
		if ($3 < 20000) { print name ": only " $3 " dependencies" >"/dev/stderr"; exit 1 }
		printf "manifest-%s %.0f 1000 %.2f\n", name, 50000 / $(NF - 1), 50 / $(NF - 1)
	}'
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
