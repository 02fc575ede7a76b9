#!/bin/sh
# check --all with 20 rules on settings over 6,000 files in six formats, against ripgrep with the
# same words. The files have the words of no rule.
# Usage: check-config.sh IKM PAIR
set -eu
command -v rg >/dev/null || { echo "check-config: ripgrep is not installed" >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
mkdir -p "$dir/repo/.ikm" "$dir/repo/docs/adr"
cd "$dir/repo"
mkdir json yaml toml ini env properties
awk 'BEGIN {
	for (f = 0; f < 1000; f++) {
		json = "json/" f ".json"; yaml = "yaml/" f ".yaml"; toml = "toml/" f ".toml"
		ini = "ini/" f ".ini"; env = "env/" f ".env"; properties = "properties/" f ".properties"
		printf "{" >json
		for (s = 0; s < 10; s++) {
			printf "%s\n  \"service%d\": {\"image\": \"example/part%d:1.%d\", \"replicas\": %d, \"labels\": [\"a\", \"b%d\"]}", s ? "," : "", s, s, f, s, f >json
			printf "service%d:\n  image: example/part%d:1.%d\n  replicas: %d\n  labels: [a, b%d]\n", s, s, f, s, f >yaml
			printf "[service%d]\nimage = \"example/part%d:1.%d\"\nreplicas = %d\nlabels = [\"a\", \"b%d\"]\n", s, s, f, s, f >toml
			printf "[service%d]\nimage = example/part%d:1.%d\nreplicas = %d\nlabels = a b%d\n", s, s, f, s, f >ini
			printf "SERVICE%d_IMAGE=example/part%d:1.%d\nSERVICE%d_REPLICAS=%d\n", s, s, f, s, s >env
			printf "service%d.image=example/part%d:1.%d\nservice%d.replicas=%d\n", s, s, f, s, s >properties
		}
		printf "\n}\n" >json
		close(json); close(yaml); close(toml); close(ini); close(env); close(properties)
	}
}'
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
{
	printf -- '---\nstatus: accepted\nconstraints:\n'
	for name in privileged hostNetwork strictNullChecks allowJs debugger telemetry verbose \
		autoescape insecure plaintext password anonymous readonly obsolete experimental \
		unstable deprecated nightly unsafe legacy; do
		echo "$name" >>"$dir/words"
		printf '  - {operator: must_not_use, target: config, pattern: "%s=(true|yes|1)"}\n' "$name"
	done
	printf -- '---\n# Settings\n'
} >docs/adr/0001-settings.md
git init -q .
git add -A
git -c user.name=Perf -c user.email=perf@example.org commit -qm all
"$2" check-config 9 "$1" check --all -- rg -n -F --no-heading --hidden -g '!.git' -f "$dir/words" .
