#!/bin/sh
# Runs the shell tests with an ikm, test programs and fuzz targets that print nothing and exit with 1.
# A test that passes all the same proves nothing of ikm. t/hollow.fair lists those that may pass: they
# test the sources, the test library or the inputs of other tests. Called by `make check-hollow`.
#
#   t/hollow.sh BUILD       the build is only read for the names of its programs; with PART=2/8 in
#                           the environment the second of eight parts
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/ikm-hollow.XXXXXX")
# shellcheck disable=SC2154
trap 'rc=$?; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"; exit $rc' EXIT
trap 'exit 1' INT TERM HUP

mkdir "$work/build" "$work/tmp"
for folder in test tool fuzz; do
	mkdir "$work/build/$folder"
	for program in "$build/$folder"/*; do
		case $program in *.d) continue ;; esac
		printf '#!/bin/sh\nexit 1\n' >"$work/build/$folder/${program##*/}"
		chmod +x "$work/build/$folder/${program##*/}"
	done
done

export IKM_LONG=1 IKM_TOP="$top" IKM_BUILD="$work/build" IKM_SHARED="${IKM_SHARED:-$top/../shared}" \
	IKM_NPM="${IKM_NPM:-$top/build/npm}" TMPDIR="$work/tmp"
cd "$top"
cat >"$work/one" <<'E'
timeout 40 sh "$1" </dev/null 2>/dev/null | grep '^ok ' | grep -v '# SKIP\|# TODO' |
	sed "s|^ok [0-9]* - |$1: |" >"$2/${1##*/}.passed" || :
E
printf '%s\n' t/*/[0-9]*.t | awk -v part="${PART-}" -f t/part.awk |
	xargs -P "${JOBS:-$(($(nproc) + 1))}" -I'{}' sh "$work/one" '{}' "$work"
cat "$work"/*.passed | sort >"$work/passed"
grep -v '^#' t/hollow.fair | sort >"$work/fair"
# A line of the list that ends with a star stands for every test of its file.
awk 'NR == FNR { if (sub(/: \*$/, "")) file[$0] = 1; else fair[$0] = 1; next }
	{ name = $0; sub(/: .*/, "", name) } !(name in file) && !($0 in fair)' \
	"$work/fair" "$work/passed" >"$work/hollow"
echo "$(wc -l <"$work/passed") tests pass without ikm, $(wc -l <"$work/hollow") of them prove nothing"
cat "$work/hollow"
[ ! -s "$work/hollow" ]
