#!/bin/sh
# Manifests of a real repository: each is read, and holds the names that another program finds in it.
. "$(dirname "$0")/../lib.sh"

data=${IKM_SHARED:-$TOP/../shared}/data/manifests
export data
[ -d "$data" ] || { echo "1..0 # SKIP no manifests in $data (IKM_SHARED)"; exit 0; }

all() { # tests of find: every such manifest; must be some
	find "$data" -type f \( "$@" \) | sort >files
	[ -s files ]
}

found() { # FILE<TAB>NAME, as ikm finds them in files
	xargs "$BUILD/tool/deps" <files >out
	cut -f1,2 out | sort
}

try 'every manifest is read, and places are where the names stand' <<'E'
all -name package.json -o -name package-lock.json -o -name 'requirements*.txt' \
	-o -name pyproject.toml -o -name go.mod -o -name Cargo.toml -o -name Cargo.lock
[ "$(wc -l <files)" -gt 100 ]
found >names
[ "$(wc -l <names)" -gt 1000 ]
# A crate's real name may stand in the workspace's table; all else stands where it is said to.
awk -F '\t' '
	$1 != file { file = $1; n = 0; while ((getline l <file) > 0) line[++n] = l }
	substr(line[$4], $5, length($2)) != $2 && !$6 { print; bad = 1 }
	END { exit bad }' out
E

try 'package.json as jq reads it' <<'E'
all -name package.json
xargs jq -r '[.dependencies, .devDependencies, .peerDependencies, .optionalDependencies]
	| map(values | keys[]) | .[] | [input_filename, .] | @tsv' <files | sort >want
same "$(cat want)" "$(found)"
E

try 'go.mod as awk reads it' <<'E'
all -name go.mod
xargs grep -L '^replace' <files >without
mv without files
xargs awk '/^require \(/ { on = 1; next } /^\)/ { on = 0 }
	on && NF { print FILENAME "\t" $1 } /^require [^(]/ { print FILENAME "\t" $2 }' <files |
	sort >want
same "$(cat want)" "$(found)"
E

# What Cargo.toml, Cargo.lock and pyproject.toml hold, by Python's own reader.
cat >"$T/names.py" <<'P'
import re, sys, tomllib

def real(key, spec, shared):
    if isinstance(spec, dict) and spec.get("workspace") is True:
        spec = shared.get(key, spec)
    return spec.get("package", key) if isinstance(spec, dict) else key

def crates(table, shared):
    for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
        yield from (real(k, v, shared) for k, v in table.get(kind, {}).items())

def cargo(top):
    shared = top.get("workspace", {}).get("dependencies", {})
    yield from crates(top, shared)
    for table in top.get("target", {}).values():
        yield from crates(table, shared)
    for table in [shared, *top.get("patch", {}).values()]:
        yield from crates({"dependencies": table}, {})

def lock(top):
    packages = top.get("package", [])
    needed = {d.split(" ")[0] for p in packages for d in p.get("dependencies", [])}
    yield from (p["name"] for p in packages if "source" in p or p["name"] in needed)

def python(top):
    project = top.get("project", {})
    groups = [top.get("build-system", {}).get("requires", []), project.get("dependencies", [])]
    groups.extend(project.get("optional-dependencies", {}).values())
    groups.extend(top.get("dependency-groups", {}).values())
    groups.append(top.get("tool", {}).get("uv", {}).get("dev-dependencies", []))
    yield from (re.match(r"[\w.-]+", d)[0] for g in groups for d in g if isinstance(d, str))

for path in sys.argv[1:]:
    with open(path, "rb") as f:
        top = tomllib.load(f)
    reader = lock if path.endswith(".lock") else cargo if path.endswith("Cargo.toml") else python
    for name in reader(top):
        print(path, name, sep="\t")
P

if python3 -c 'import tomllib' 2>/dev/null; then
	for name in Cargo.toml Cargo.lock pyproject.toml; do
		export name
		try "$name as Python's tomllib reads it" <<'E'
all -name "$name"
xargs python3 "$T/names.py" <files | sort >want
same "$(cat want)" "$(found)"
E
	done
else
	skip 'TOML as tomllib reads it' 'no python3 with tomllib'
fi
done_testing
