#!/bin/sh
# Words: megabytes a second of words_count() against FTS5's tokenizers alone (unicode61, Porter);
# passages of the Chinese and Japanese manuals that a word is found in, against those that contain
# it; the vocabulary's size at 80,000 words against its bar of 25 MB, and the time of words_near()
# in ms against its bar of 1. Usage: words.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
words=$(dirname "$2")/words
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

row() { # name ours theirs
	awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%s %s %s %.2f\n", n, a, b, a / b }'
}

for _ in 1 2 3 4 5 6 7 8; do
	cat "$here"/../../README.md "$here"/../../man/* "$here"/../../lib/*/*/*.h
done >"$dir/text"
speed=$("$words" speed <"$dir/text")
row words-MB/s "${speed% *}" "${speed#* }"

# Passages of 120 characters: lines of such a length, whatever is in them.
for page in /usr/share/man/ja/man*/*.gz /usr/share/man/zh_CN/man*/*.gz; do
	[ ! -e "$page" ] || gzip -dc "$page"
done 2>/dev/null | tr '\n' ' ' | LC_ALL=C.UTF-8 grep -oP '.{120}' >"$dir/passages" || true
if [ -s "$dir/passages" ]; then
	for word in データベース 設定 目录 値 文件 サーバー; do
		found=$("$words" find "$word" <"$dir/passages")
		row "found-$word" "${found% *}" "${found#* }"
	done
else
	echo "words: the packages manpages-ja and manpages-zh are not installed" >&2
fi

# shellcheck disable=SC2046 # three figures
set -- $("$words" vocabulary "$dir/ikm.db" 80000)
row vocabulary-seconds "$1" 2
row vocabulary-MB "$(stat -c %s "$dir/ikm.db" | awk '{ printf "%.1f", $1 / 1e6 }')" 25
row near-mean-ms "$(awk -v us="$2" 'BEGIN { print us / 1000 }')" 1
row near-p99-ms "$(awk -v us="$3" 'BEGIN { print us / 1000 }')" 1
