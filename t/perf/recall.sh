#!/bin/sh
# Recall on texts of many shapes (t/perf/shapes.h), against FTS5 as sqlite3 runs it (porter, stop
# words dropped, OR, bm25), in one run. It prints a table: for each shape R@5, R@10 and MRR at the
# default threshold 0.7, at 0, and of FTS5; the differences with intervals of 95 %; what the
# threshold costs; how many questions about something else find nothing; and the part of the right
# texts within 500, 1,000 and 2,000 tokens.
# LoCoMo and the decision records are outside of this tree. The manual pages are those of this
# machine. The RFCs of Rust are those of a checkout that IKM_RFCS names:
#	git clone https://github.com/rust-lang/rfcs
#	git -C rfcs checkout 354518a8c9025f40be6f730452c1bfe71a12dc22
# The questions were written for this commit. Where texts are not there, recall says so and leaves
# their shapes out.
# Usage: recall.sh IKM PAIR
set -eu
build=$(dirname "$2")
here=$(cd "$(dirname "$0")" && pwd)
data=${IKM_SHARED:-$here/../../../shared}/data
command -v sqlite3 >/dev/null || { echo 'recall: sqlite3 is not installed: skipped' >&2; exit 0; }
command -v jq >/dev/null || { echo 'recall: jq is not installed: skipped' >&2; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if [ -d "$data/adrs" ]; then
	(cd "$data/adrs" && find . -name '*.md' | LC_ALL=C sort | while read -r file; do
		jq -cRs --arg id "${file#./}" '{id: $id, text: .}' "$file"
	done) | jq -c 'select(.text | test("\\S"))' >"$dir/decisions.jsonl"
fi
# A page may say .so and name another page; such a page has no text of its own.
packages='coreutils util-linux procps findutils diffutils bsdutils bsdextrautils psmisc
	binutils-common sed grep tar gzip strace valgrind patch bc file ed less man-db login passwd
	libc-bin'
if command -v mandoc >/dev/null; then
	# shellcheck disable=SC2086
	{ dpkg -L $packages 2>/dev/null || :; } | grep '/man/man1/.*\.gz$' | LC_ALL=C sort -u |
		while read -r file; do
			if [ ! -f "$file" ] || [ -L "$file" ]; then
				continue
			fi
			zcat "$file" | mandoc -T utf8 2>/dev/null | sed "s/.$(printf '\b')//g" >"$dir/page"
			[ "$(wc -c <"$dir/page")" -gt 600 ] || continue
			head -c 60000 "$dir/page" | iconv -c -f UTF-8 -t UTF-8 |
				jq -cRs --arg id "$(basename "$file" .gz)" '{id: $id, text: .}' >&3
			awk '/^NAME/ { p = 1 } /^[A-Z]/ { p = /^(NAME|DESCRIPTION)/; n = 0 } p && n++ < 20' \
				"$dir/page" | iconv -c -f UTF-8 -t UTF-8 |
				jq -cRs --arg id "$(basename "$file" .gz)" '{id: $id, text: .}' >&4
		done 3>"$dir/pages.jsonl" 4>"$dir/openings.jsonl"
	[ -s "$dir/pages.jsonl" ] || rm "$dir/pages.jsonl" "$dir/openings.jsonl"
fi

# The opening of an RFC: its summary, and the first ten lines of its motivation.
if [ -d "${IKM_RFCS-}/text" ]; then
	for file in "$IKM_RFCS"/text/*.md; do
		jq -cRs --arg id "$(basename "$file")" '{id: $id, text: .}' "$file" >&3
		awk 'NR > 60 || (p && n++ == 10) { exit } /^#+ *Motivation/ { p = 1 } 1' "$file" |
			jq -cRs --arg id "$(basename "$file")" '{id: $id, text: .}' >&4
	done 3>"$dir/rfcs.jsonl" 4>"$dir/rfc-openings.jsonl"
else
	echo 'recall: IKM_RFCS names no checkout of github.com/rust-lang/rfcs' >&2
fi

mkdir "$dir/stores"
set -- "$here/shapes" "$dir" "$data/locomo"
"$build/recall" sql "$@" | sqlite3 :memory: >"$dir/theirs"
"$build/recall" ours "$@" "$dir/stores" >"$dir/ours" 2>/dev/null
"$build/recall" table "$@" "$dir/ours" "$dir/theirs" 2>/dev/null
[ -z "${PERF_CURVE-}" ] || "$build/recall" curve "$@" "$dir/ours" 2>/dev/null
