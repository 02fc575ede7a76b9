#!/bin/sh
# Attempts to bring in forbidden text and forbidden paths.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

# ---- how the text is written ----

while IFS='|' read -r want words line; do
	case $want in '' | '#'*) continue ;; esac
	attempt "$line" "$want" "$words" <<E
lfs() { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 40\n' 1; }
$line
E
done <<'ROWS'
stopped|lib/x.js:1|echo 'eval (1)' >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)' >lib/x.js
stopped|lib/x.js:2|printf '// \0\neval (1)\n' >lib/x.js
stopped|lib/x.js:1|printf 'e\0val (1)\n' >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)\n\0' >lib/x.js
stopped|tool:2|printf '#!/bin/sh\neval (1) \0\n' >tool
stopped|tool:1|printf 'eval (1) \0\n' >tool
stopped|lib/x.js:1|printf 'eval (1)\n' | iconv -t UTF-16 >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)\n' | iconv -t UTF-16LE >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)\n' | iconv -t UTF-16BE >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)\n' | iconv -t UTF-32 >lib/x.js
stopped|lib/x.js:1|printf 'eval (1)\n' | iconv -t UTF-32BE >lib/x.js
stopped|lib/x.js:1|printf '\357\273\277eval (1)\n' >lib/x.js
stopped|lib/x.js|printf 'a\reval (1)\rb' >lib/x.js
stopped|lib/x.js|printf 'a\r\neval (1)\r\n' >lib/x.js
stopped|lib/x.js|printf 'eval\n\n  (1)\n' >lib/x.js
stopped|lib/x.js|{ head -c 900000 /dev/zero | tr '\0' 'a'; echo ';eval (1)'; } >lib/x.js
stopped|lib/x.js|{ printf '\377\376 not UTF-16 '; echo 'eval (1)'; } >lib/x.js
stopped|lib/x.js|printf '\xff\xc3 eval (1) \xe2\n' >lib/x.js
stopped|lib/x.js|{ head -c 9000 /dev/zero | tr '\0' 'a'; printf '\0;eval (1)\n'; } >lib/x.js
stopped|lib/x.unknown|echo 'eval (1)' >lib/x.unknown
stopped|eval.png|echo 'eval (1)' >eval.png
stopped|LICENSE|echo 'eval (1)' >LICENSE
stopped|.hidden|echo 'eval (1)' >.hidden
stopped|x.svg|echo '<svg onload="eval (1)"/>' >x.svg
stopped|x.md|echo 'eval (1)' >x.md
stopped|docs/x.md|echo 'eval (1)' >docs/x.md
told|docs/adr/0009-x.md|printf '# x\n\neval (1)\n' >docs/adr/0009-x.md
either|docs/adr/README.md|printf '# x\n\neval (1)\n' >docs/adr/README.md
stopped|docs/adr/x.js|printf 'eval (1)\n' >docs/adr/x.js
either|docs/adr/x.md/x.js|printf 'eval (1)\n' | put docs/adr/x.md/x.js
# sizes
told|big.js|{ head -c 12000000 /dev/zero | tr '\0' '\n'; echo 'eval (1)'; } >big.js
told|big|{ head -c 12000000 /dev/zero | tr '\0' '\n'; echo 'eval (1)'; } >big
# attributes
stopped|lib/x.js|echo '*.js binary' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js -diff' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js -text' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js diff=none' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js filter=lfs diff=lfs merge=lfs -text' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js eol=crlf' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js ident export-subst export-ignore' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js linguist-documentation linguist-detectable=false' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js linguist-language=Text' >.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo 'x.js working-tree-encoding=UTF-16' >.gitattributes; echo 'eval (1)' | iconv -t UTF-16 >lib/x.js
told|this change adds the attribute|echo '*.js linguist-generated' >.gitattributes; echo 'eval (1)' >lib/x.js
told|this change adds the attribute|echo '*.js linguist-vendored=true' | put lib/.gitattributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|printf '[attr]g linguist-generated\n*.js g\n' >.gitattributes; echo 'eval (1)' >lib/x.js
told|lib/x.js|echo '*.js linguist-generated' >.gitattributes; skipped; echo 'eval (1)' >lib/x.js
told|lib/x.js|echo '*.js linguist-vendored' >.gitattributes; skipped; echo 'eval (1)' >lib/x.js
either|lib/x.js|printf '[attr]g linguist-generated\nlib/** g\n' >.gitattributes; skipped; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js linguist-generated' >.git/info/attributes; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js linguist-generated' >a; git config core.attributesFile "$PWD/a"; echo 'eval (1)' >lib/x.js
told|lib/x.js|lfs >lib/x.js
stopped|lib/x.js|{ lfs; echo 'eval (1)'; } >lib/x.js
stopped|lib/x.js|{ echo 'version https://git-lfs.github.com/spec/v1'; echo 'eval (1)'; } >lib/x.js
# links and repositories
told|lib/x.js|echo 'eval (1)' >../x.js; ln -s ../../x.js lib/x.js
stopped|data|echo 'eval (1)' >data; ln -s ../data lib/x.js
told|lib/x.js|ln -s 'eval (1)' lib/x.js
told|lib/sub|git init -q lib/sub; echo 'eval (1)' >lib/sub/x.js; git -C lib/sub add -A; git -C lib/sub commit -qm x
told|lib/sub|git init -q lib/sub; echo x >lib/sub/x.js; git -C lib/sub add -A; git -C lib/sub commit -qm x; skipped; echo 'eval (1)' >lib/sub/x.js; git -C lib/sub commit -qam y
# what was there before
stopped|lib/b.js|echo 'eval (1)' >lib/x.js; skipped; cp lib/x.js lib/b.js
stopped|lib/x.js:2|echo 'eval (1)' >lib/x.js; skipped; echo 'eval (1)' >>lib/x.js
stopped|lib/x.js|echo 'eval (1)' >lib/x.js; skipped; seq 500 >lib/x.js; echo 'eval (1); eval (2)' >>lib/x.js
stopped|lib/b.js|{ seq 100; echo 'eval (1)'; } >lib/x.js; skipped; git mv lib/x.js lib/b.js; echo 'eval (3)' >>lib/b.js
stopped|lib/c.js|{ seq 100; echo 'eval (1)'; } >lib/x.js; skipped; git mv lib/x.js lib/b.js; cp lib/b.js lib/c.js
stopped|lib/a.js|git mv lib/a.js lib/b.js; echo 'eval (1)' >lib/a.js
stopped|lib/x.js|printf 'eval (1)\n\0' >lib/x.bin; skipped; git mv lib/x.bin lib/x.js
stopped|lib/x.js|echo 'eval (1)' >lib/x.js; chmod +x lib/x.js
stopped|lib/x.js|lfs >lib/x.js; skipped; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|ln -s a.js lib/x.js; skipped; rm lib/x.js; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|git init -q lib/x.js; git -C lib/x.js commit -q --allow-empty -m x; skipped; rm -rf lib/x.js; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|echo '*.js linguist-generated' >.gitattributes; echo 'eval (1)' >lib/x.js; skipped; rm .gitattributes; echo 'eval (2)' >>lib/x.js
# names
stopped|x|echo 'eval (1)' >"$(printf 'lib/a\nb.js')"
stopped|x|echo 'eval (1)' >'lib/"x".js'
stopped|x|echo 'eval (1)' >"$(printf 'lib/\377.js')"
stopped|x|echo 'eval (1)' >'lib/ x .js '
stopped|x|echo 'eval (1)' >"$(printf 'lib/\033[2J.js')"
stopped|x|echo 'eval (1)' >'lib/*.js'
stopped|x|echo 'eval (1)' >'-x.js'
stopped|x|echo 'eval (1)' | put "$(printf 'd/%0200d/%0200d/%0200d' 1 2 3)/x.js"
stopped|x|echo 'eval (1)' | put .ikm/x.js
stopped|x|echo 'eval (1)' | put .github/x.js
stopped|x|echo 'eval (1)' | put node_modules/x/x.js
stopped|x|echo 'eval (1)' | put vendor/x.min.js
# the index
stopped|lib/x.js|echo 'eval (1)' >lib/x.js; git add -N lib/x.js
stopped|lib/x.js|echo 'eval (1)' >lib/x.js; git add lib/x.js; git update-index --skip-worktree lib/x.js; echo x >lib/x.js
stopped|lib/x.js|echo 'eval (1)' >lib/x.js; git add lib/x.js; git update-index --assume-unchanged lib/x.js; rm lib/x.js
stopped|lib/x.js|git update-index --split-index; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|git update-index --index-version 4; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|git config core.untrackedCache true; git config core.fsmonitor true; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|git config feature.manyFiles true; echo 'eval (1)' >lib/x.js
stopped|lib/x.js|git update-index --add --cacheinfo 100755,$(echo 'eval (1)' | git hash-object -w --stdin),lib/x.js; judge_index; done_here
told|lib/x.js|git update-index --add --cacheinfo 120000,$(echo 'eval (1)' | git hash-object -w --stdin),lib/x.js; judge_index; done_here
# paths
stopped|key.pem|echo x >key.pem
stopped|key.pem|echo x | put a/b/key.pem
stopped|.pem|echo x >.pem
stopped|key.pem|: >key.pem
stopped|key.pem|ln -s nowhere key.pem
stopped|key.pem|git init -q key.pem; git -C key.pem commit -q --allow-empty -m x
stopped|key.pem|git mv lib/a.js key.pem
stopped|key.pem|echo '*.pem linguist-generated binary' >.gitattributes; echo x >key.pem
stopped|key.pem|echo '*.pem' >.gitignore; echo x >key.pem; git add -f key.pem
stopped|x|echo x >"$(printf 'a\nb.pem')"
stopped|docs/adr/key.pem|echo x >docs/adr/key.pem
stopped|KEY.PEM|git config core.ignorecase true; echo x >KEY.PEM
stopped|b/key.pem|echo x | put a/key.pem; skipped; cp -r a b
ROWS
attempt 'a folder by the name of a key' stopped 'key.pem' <<'E'
echo x | put key.pem/x
E
attempt 'a must_match rule: a new file without it' stopped 'src/b.c' <<'E'
rule 0004-spdx "operator: must_match, target: code, pattern: SPDX, appliesTo: [src/*.c]"; skipped
echo 'int x;' >src/b.c
E
attempt 'a must_match rule: it is taken out' stopped 'src/b.c' <<'E'
echo '/* SPDX */' >src/b.c
rule 0004-spdx "operator: must_match, target: code, pattern: SPDX, appliesTo: [src/*.c]"; skipped
echo 'int x;' >src/b.c
E
attempt 'a must_match rule: the new file is empty' stopped 'src/b.c' <<'E'
rule 0004-spdx "operator: must_match, target: code, pattern: SPDX, appliesTo: [src/*.c]"; skipped
: >src/b.c
E
attempt 'a must_match rule: the new file is binary' either 'src/b.c' <<'E'
rule 0004-spdx "operator: must_match, target: code, pattern: SPDX, appliesTo: [src/*.c]"; skipped
printf '\0\1\2' >src/b.c
E
attempt 'a must_match rule: the new file is a link' either 'src/b.c' <<'E'
rule 0004-spdx "operator: must_match, target: code, pattern: SPDX, appliesTo: [src/*.c]"; skipped
ln -s a.c src/b.c
E
attempt 'a must_use rule: the last file with it goes' stopped '0004-use' <<'E'
echo log >src/b.c; rule 0004-use "operator: must_use, target: code, pattern: log, appliesTo: [src/*.c]"; skipped
git rm -q src/b.c
E
attempt 'a must_exist rule: the file goes' stopped '0004-licence' <<'E'
echo log >LICENSE; rule 0004-licence "operator: must_exist, target: file, pattern: LICENSE"; skipped
git rm -q LICENSE
E
attempt 'a must_use rule: the dependency goes' stopped '0004-pg' <<'E'
rule 0004-pg "operator: must_use, target: dependency, pattern: pg"; skipped
echo '{}' >package.json
E
attempt 'an allow-list: an address under an allowed name' either 'package.json' <<'E'
rule 0004-list "operator: must_match, target: dependency, pattern: 'pg|@acme/.*'"; skipped
echo '{"dependencies": {"@acme/x": "https://evil.example/x.tgz"}}' >package.json
E
attempt 'an allow-list: an alias under an allowed name' stopped 'package.json' <<'E'
rule 0004-list "operator: must_match, target: dependency, pattern: 'pg|@acme/.*'"; skipped
echo '{"dependencies": {"@acme/x": "npm:evil@1"}}' >package.json
E
attempt 'appliesTo in another case, where git ignores case' stopped 'Src/b.c' <<'E'
git config core.ignorecase true
rule 0004-use "operator: must_not_use, target: code, pattern: log, appliesTo: [src/*.c]"; skipped
git update-index --add --cacheinfo "100644,$(echo log | git hash-object -w --stdin),Src/b.c"
judge_index; done_here
E
attempt 'the match limit was reached before' either 'lib/x.js' <<'E'
rule 0004-slow "operator: must_not_use, target: code, pattern: '(a+)+\$'"; skipped
{ head -c 60000 /dev/zero | tr '\0' a; echo b; } >lib/x.js; skipped
echo 'aaa' >>lib/x.js
E

done_testing
