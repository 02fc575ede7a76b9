#!/bin/sh
# ikm list, ikm glob: the files that git and find see, in folders and in the store.
. "$(dirname "$0")/../lib.sh"
gen=$TOP/t/tool
export gen

cat >"$T/same-names" <<'S'
#!/bin/sh
# two files of names that end with NUL
cmp -s "$1" "$2" && exit
tr '\0\n' '\n?' <"$1" >want.txt
tr '\0\n' '\n?' <"$2" >got.txt
diff -u want.txt got.txt
exit 1
S
chmod +x "$T/same-names"
PATH=$T:$PATH

try 'what git would add, in byte order: generated trees with .gitignore files' <<'E'
seed=1 files=0
while [ $seed -le $((25 / share)) ]; do
	rm -rf tree excludes
	perl "$gen/ignore-tree.pl" $seed
	rm -rf tree/.git
	git init -q tree
	! [ -e excludes ] || cp excludes tree/.git/info/exclude
	git -C tree ls-files -co -z --exclude-standard | sort -z >want
	(cd tree && ikm list -z) >got
	same-names want got || { echo "seed $seed"; exit 1; }
	files=$((files + $(tr -cd '\0' <got | wc -c)))
	seed=$((seed + 1))
done
[ $files -gt $((100 / share)) ]
E

more 'below a folder: with the rules of the folders above it' <<'E'
seed=30 folders=0
while [ $seed -le 40 ]; do
	rm -rf tree excludes
	perl "$gen/ignore-tree.pl" $seed
	rm -rf tree/.git
	git init -q tree
	(cd tree && ikm list -z) >all
	# Only folders whose names fit on one line.
	perl -0ne 'chomp; while (s{/[^/]*\z}{}) { print "$_\n" unless m{[^!-~]} }' all | sort -u >folders
	while IFS= read -r folder; do
		FOLDER=$folder perl -0ne 'print substr($_, length($ENV{FOLDER}) + 1)
			if index($_, "$ENV{FOLDER}/") == 0' all >want
		(cd "tree/$folder" && ikm list -z) >got
		same-names want got || { echo "seed $seed, folder $folder"; exit 1; }
		folders=$((folders + 1))
	done <folders
	seed=$((seed + 1))
done
[ $folders -gt 20 ]
E

more 'the user and the clone have their say too, and --all hears nobody' <<'E'
git init -q r
cd r
mkdir -p src/deep "$HOME/.config/git"
touch a.o a.c a.tmp a.own src/b.o src/b.c src/deep/c.tmp src/deep/c.own
echo '*.o' >.gitignore
echo '/src/deep/*.own' >.git/info/exclude
echo '*.tmp' >"$HOME/.config/git/ignore"
same "$(git ls-files -co --exclude-standard | sort)" "$(ikm list)"
same '.gitignore a.c a.own src/b.c ' "$(ikm list | tr '\n' ' ')"
same b.c "$(cd src && ikm list)"
ikm list src/deep >../out
same '' "$(cat ../out)"
git config core.excludesFile "$PWD/../mine"
echo '*.c' >../mine
same '.gitignore a.own a.tmp src/deep/c.tmp ' "$(ikm list | tr '\n' ' ')"
same "$(find . -type f -not -path './.git/*' | sed 's/..//' | sort)" "$(ikm list --all)"
rm "$HOME/.config/git/ignore"
E

more 'a folder that is named is listed though it is ignored itself' <<'E'
git init -q r3
cd r3
mkdir -p build/x
touch build/x/a build/b.o
printf 'build/\n*.o\n' >.gitignore
same .gitignore "$(ikm list)"
same build/x/a "$(ikm list build)"
E

more 'without a repository: what find sees' <<'E'
mkdir -p d/a/b d/.hidden
touch d/x d/a/y d/a/b/z d/.hidden/h d/a.b
ln -s x d/link
ln -s . d/loop
ln -s nowhere d/dangling
(cd d && find . \( -type f -o -type l \) -print | sed 's/..//' | sort) >want
(cd d && ikm list) >got
diff want got
same "$(sed 's/^/d\//' want)" "$(ikm list d)"
same "$(sed "s|^|$PWD/d/|" want)" "$(ikm list "$PWD/d/")"
same "$(sed 's/^/.\/d\//' want)" "$(ikm list ./d)"
E

more 'names of any bytes; -z ends them with a NUL' <<'E'
mkdir odd
for name in 'new
line' 'tab	x' 'quote"' "it's" ' blank ' '-dash' '*' "$(printf 'bad\377byte')" "$(printf 'esc\033[31m')"; do
	: >"odd/$name"
done
(cd odd && find . -type f -print0 | sed -z 's/..//' | sort -z) >want
(cd odd && ikm list -z) >got
cmp want got
(cd odd && ikm list) >got
git -C odd init -q
git -C odd -c core.quotePath=false ls-files -o >want
diff want got
rm -rf odd/.git
same 9 "$(wc -l <got)"
(cd odd && ikm list --json) >out
same 9 "$(jq '.paths | length' out)"
same "new
line" "$(jq -r '.paths[] | select(startswith("new"))' out)"
same "$(printf 'bad\357\277\275byte')" "$(jq -r '.paths[] | select(startswith("bad"))' out)"
E

more 'folders, and how deep' <<'E'
mkdir -p f/a/b/c f/empty
touch f/top f/a/one f/a/b/two f/a/b/c/three f/a.x
cd f
same 'a.x a/ empty/ top ' "$(ikm list --dirs --depth 1 | tr '\n' ' ')"
same 'a.x top ' "$(ikm list --depth 1 | tr '\n' ' ')"
same 'a.x a/one top ' "$(ikm list --depth 2 | tr '\n' ' ')"
same 'a.x a/ a/b/ a/one empty/ top ' "$(ikm list --dirs --depth 2 | tr '\n' ' ')"
(find . -mindepth 1 -type d | sed 's/..//; s/$/\//'; find . -type f | sed 's/..//') | sort >../want
ikm list -d >../got
diff ../want ../got
same 'a/b/ a/b/c/ a/b/c/three a/b/two ' "$(ikm list -d -g 'a/b' | tr '\n' ' ')"
fails 2 ikm list --depth 0
E

more 'globs: ** { } ! and types, relative to the folder' <<'E'
mkdir -p g/src/in g/test
touch g/a.c g/a.h g/a.py g/src/b.c g/src/in/c.c g/src/in/c.h g/test/d.c g/Makefile
same 'g/a.c g/src/b.c g/src/in/c.c g/test/d.c ' "$(ikm glob '*.c' -p g | tr '\n' ' ')"
same 'g/a.c ' "$(ikm glob '/*.c' --path g | tr '\n' ' ')"
same 'g/src/b.c g/src/in/c.c ' "$(ikm glob 'src/**/*.c' -p g | tr '\n' ' ')"
same 'g/a.c g/a.h ' "$(ikm glob '/a.{c,h}' -p g | tr '\n' ' ')"
same 'g/a.c g/src/b.c g/src/in/c.c ' "$(ikm glob '*.c' -p g -g '!test/**' | tr '\n' ' ')"
same 'g/Makefile g/a.py ' "$(ikm list g -g '!*.[ch]' | tr '\n' ' ')"
same "$(ikm glob 'src/**/*.c' -p g)" "$(ikm list g --glob 'src/**/*.c')"
same "$(ikm list g -g '*.[ch]')" "$(ikm list g --type c)"
same 'g/Makefile g/a.py ' "$(ikm list g -t py -t make | tr '\n' ' ')"
fails 1 ikm glob '*.rs' -p g
ikm list g/src/in
fails 2 ikm glob '[z-' -p g
fails 2 ikm glob '' -p g
fails 2 ikm list g --type pyy 2>err
grep -q "did you mean 'py'" err
E

more 'a glob matches what git matches by it' <<'E'
git init -q gg
cd gg
for d in . a b a/b b/a a/b/c; do mkdir -p $d; touch $d/x.c $d/y.h $d/.z $d/a.b; done
for g in '*' '*.c' 'a/*' 'a/**' '**/a' '**/a/*.c' 'a/**/x.c' '/x.c' 'b/' '?.c' '[xy].*' '.*' 'a/b' \
	'/a/b/c/**'; do
	ikm glob "$g" -z >../got
	git ls-files -o -i -z -x "$g" | sort -z >../want
	same-names ../want ../got || { echo "$g"; exit 1; }
done
E

more 'nested repositories are entered, with their own rules only; .git never is' <<'E'
git init -q outer
cd outer
git init -q lib/inner
echo '*.o' >.gitignore
echo '*.tmp' >lib/inner/.gitignore
echo '*.own' >lib/inner/.git/info/exclude
touch a.o a.tmp lib/inner/b.o lib/inner/b.tmp lib/inner/b.own lib/c.o
same '.gitignore a.tmp lib/inner/.gitignore lib/inner/b.o ' "$(ikm list | tr '\n' ' ')"
ikm list --all >../out
! grep '\.git/' ../out
E

more 'a file, a link to a folder, and what is neither' <<'E'
mkdir real
touch real/f
ln -s real to
ln -s loop1 loop2
ln -s loop2 loop1
mkfifo fifo
same real/f "$(ikm list real/f)"
same to/f "$(ikm list to)"
fails 2 timeout 5 ikm list fifo --json >out
same NOT_A_FILE "$(jq -r .details.reason out)"
fails 3 ikm list nowhere --json >out
same FILE_NOT_FOUND "$(jq -r .details.reason out)"
if ikm list loop1; then exit 1; fi
fails 2 ikm list ''
fails 2 ikm list http://example.org/
E

more 'folders that may not be read are told, and the rest is listed' <<'E'
mkdir -p p/open p/closed p/shut
touch p/open/f p/closed/f p/z
chmod 0 p/closed p/shut
ikm list p >out 2>err
same 'p/open/f p/z ' "$(tr '\n' ' ' <out)"
same 2 "$(grep -c 'Permission denied' err)"
ikm list p --json >out
same 2 "$(jq '.warnings | length' out)"
fails 8 ikm list p/closed --json >out
same PERMISSION "$(jq -r .details.reason out)"
chmod 755 p/closed p/shut
E

more 'in JSON there is a limit, which is told; at most --limit' <<'E'
mkdir many
(cd many && seq 1 50 | xargs touch)
ikm list many --limit 10 --json >out
same '[10,50,true]' "$(jq -c '[(.paths | length), .total, .truncated]' out)"
same 10 "$(ikm list many -n 10 | wc -l)"
ikm list many --json >out
same '[50,50,false]' "$(jq -c '[(.paths | length), .total, .truncated]' out)"
same '{"paths":[],"total":0,"truncated":false,"warnings":[]}' "$(mkdir no && ikm list no --json)"
E

more 'as a tool: only what is inside the roots' <<'E'
git init -q repo
cd repo
mkdir -p sub/home
touch f sub/g sub/home/secret
ln -s /etc out
ln -s ../.. up
ln -s sub in
export IKIGAI_HOME=$PWD/sub/home
ask() { printf '{"path": "%s"}' "$1" | ikm call fs_list 2>/dev/null; }
same '["f","in","out","sub/g","up"]' "$(ask . | jq -c .paths)"
same '["in/g"]' "$(ask in | jq -c .paths)"
same "[\"$PWD/sub/g\"]" "$(ask "$PWD/sub" | jq -c .paths)"
for path in /etc out up .. / .git sub/home ../repo/.git /proc/self/cwd "$HOME"; do
	if ask "$path" >../out; then echo "$path"; exit 1; fi
	same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
done
printf '{"pattern": "*", "path": ".", "all": true, "dirs": true}' | ikm call glob >../out
same '["f","in","out","sub/","sub/g","up"]' "$(jq -c .paths ../out)"
E
done_testing
