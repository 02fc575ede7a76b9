#!/bin/sh
# Completion of @ and @@ through the finder: what ikm offers, and what a real bash makes of it.
. "$(dirname "$0")/lib.sh"

git init -q repo
cd repo || exit 1
mkdir -p src/net docs 'odd dir'
touch src/auth.c src/author.c src/net/queue.c docs/quick-start.md README.md 'odd dir/a b.c'
git add -A

offers() { # the word, as the last of: ikm expand
	ikm --complete 2 ikm expand "$1" | cut -f1
}

try 'what begins as typed is offered up to the next slash' <<'E'
same '@README.md
@docs/
@"odd dir/
@src/' "$(offers @)"
same '@src/auth.c
@src/author.c
@src/net/' "$(offers @src/)"
same '@src/auth.c
@src/author.c' "$(offers @src/a)"
E

try 'else what the finder finds' <<'E'
same '@src/net/queue.c
@docs/quick-start.md' "$(offers @qu)"
same '' "$(offers @zzz)"
same '' "$(offers nothing)"
same '' "$(offers user@src)"
same '@src/net/queue.c' "$(ikm --complete 2 ikm find @nqu | cut -f1)"
E

try 'a marker at the end of a text' <<'E'
same 'fix @src/net/queue.c' "$(offers 'fix @src/net/')"
same 'fix @a and @README.md' "$(offers 'fix @a and @RE')"
E

try 'names that need quotes' <<'E'
same '@"odd dir/a b.c"' "$(offers '@"odd dir/')"
same '@"odd dir/a b.c"' "$(offers '@odd')"
touch '../repo/odd dir/second'
same '@"odd dir/a b.c"
@"odd dir/second"' "$(offers '@"odd')"
rm '../repo/odd dir/second'
E

try 'in a folder of the repository, and without one' <<'E'
cd src
same '@auth.c
@author.c' "$(offers @au)"
mkdir -p ../../plain/x
cd ../../plain
touch x/file
same '@x/file' "$(offers @)"
E

# Types the keys into an interactive bash; prints the words that ikm is then started with.
keys() {
	cat >"$T/bashrc" <<'E'
. "$TOP/cmd/complete.bash"
PS1= PS2=
ikm() { case $1 in --complete) command ikm "$@" ;; *) printf '<%s>' "$@"; echo ;; esac; }
E
	printf '%b\nexit\n' "$1" | INPUTRC=/dev/null TERM=dumb bash --rcfile "$T/bashrc" -i 2>&1 |
		grep -a '^<'
}

if command -v bash >/dev/null; then
	try 'bash puts in the only candidate, and the only one of a folder' <<'E'
same '<expand><@README.md><x>' "$(keys 'ikm expand @READ\tx')"
same '<expand><@src/net/queue.c><x>' "$(keys 'ikm expand @src/n\tx')"
same '<expand><@src/net/queue.c>' "$(keys 'ikm expand @queue\t')"
same '<find><--limit=3><@README.md>' "$(keys 'ikm find --limit=3 @READ\t')"
E

	try 'bash puts in what several share, and leaves what was typed when they share less' <<'E'
same '<expand><@src/auth>' "$(keys 'ikm expand @src/a\t')"
same '<expand><@qu>' "$(keys 'ikm expand @qu\t')"
keys 'ikm expand @qu\t\t' >../out
keys 'ikm expand @\t' >../out
same '<expand><@>' "$(cat ../out)"
E

	try 'bash in quotes, and names with blanks' <<'E'
same '<expand><fix @src/net/queue.c>' "$(keys "ikm expand 'fix @src/n\t")"
same '<expand><@"odd dir/a b.c">' "$(keys 'ikm expand @odd\t')"
E
fi
done_testing
