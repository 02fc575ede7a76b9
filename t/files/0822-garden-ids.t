#!/bin/sh
# Ids of new files: what looks the same is one id, and no id is an option, a device or a folder's
# name. Python is the referee of Unicode's form NFC. What exists stays as it is.
. "$(dirname "$0")/../lib.sh"
export IKM_USER=ada
ikm init --home-only --garden >/dev/null || exit
G=$HOME/.ikigai/garden
export G

long 'normalization agrees with another implementation' <<'E'
cat >cases.py <<'P'
import random, sys, unicodedata as u
later = set(open('later', encoding='utf-8', newline='').read())
every = [chr(c) for c in range(1, 0x110000) if not 0xd800 <= c < 0xe000 and chr(c) not in later]
pairs = [x for x in every if u.decomposition(x) or u.combining(x)]
random.seed(1)
bases = [x for x in pairs if len(u.normalize('NFD', x)) > 1]
marks = [x for x in pairs if u.combining(x)] + list('\u1161\u11a8\u09be\u0bd7\u102e')
texts = [x for x in pairs]
texts += [u.normalize('NFD', x) for x in bases]
for _ in range(6000):
    texts.append(random.choice(bases + ['a', 'e', '\uac00', '\u1100']) +
                 ''.join(random.choice(marks) for _ in range(random.randrange(4))))
singles = set(x for x in pairs if not u.decomposition(x).startswith('<')
              and u.decomposition(x) and x not in u.normalize('NFC', x))
texts = [t for t in texts if all(u.category(c) != 'Cn' for c in t)]
with open('in', 'w', encoding='utf-8') as i, open('want', 'w', encoding='utf-8') as w:
    for t in texts:
        never = next((c for c in t if c in singles), None)
        i.write(t + '\n')
        w.write(('! ' + never if never else u.normalize('NFC', t)) + '\n')
P
# What came after Unicode 14, which utf8proc of Debian 12 knows; and line ends, which the cases cannot have.
perl -CO -e 'for (1 .. 0x10ffff) { next if $_ >= 0xd800 && $_ < 0xe000; my $c = chr; print $c
	if $c =~ /[\r\n]/ || $c =~ /\P{Present_In: 14.0}/ && $c =~ /\P{Cn}/ }' >later
python3 cases.py
least 9000 in
"$BUILD/tool/words" nfc <in >got
cmp want got || { diff want got | head; false; }
E

long 'a new file is refused under a misleading id, with what is allowed' <<'E'
while IFS='|' read -r id why; do
	fails_for GARDEN_POLICY ikm md new part --json -- "$id" >out
	jq -r .message out >message
	grep -qF -e "$why" message || { cat message; false; } || exit
	not test -e "$G/users/ada/parts/$id"
done <<R
--help|begins with '-'
-x|begins with '-'
~|begins with '~'
CON|is the name of a device
p.|ends with a dot
$(printf 'e\314\201')|write '$(printf '\303\251')', in form NFC
R
for id in . .. .git 'a b' a/b; do
	fails_for BAD_ARGUMENT ikm md new part --json -- "$id" >out
	jq -e '.help.steps[0] | contains("begins with a letter, a digit or _")' out
done
same 6 "$(ikm events query --type audit --json | grep -o garden-id: | wc -l | tr -d ' ')"
E

try 'every way to make a file or folder asks the same' <<'E'
for tool in 'file_write "parents":true,"content":"x"' 'fs_ensure_dir "path":"g"'; do
	file=notes.md
	[ "${tool%% *}" != fs_ensure_dir ] || file=
	echo "{${tool#* },\"path\":\"$G/users/ada/parts/-x/$file\"}" | jq . >in
	fails_for GARDEN_POLICY ikm call "${tool%% *}" <in
done
same '' "$(find "$G/users/ada" -name '-*')"
ikm lint "$G" >out
same '' "$(cat out)"
E

try 'an id that differs from another one only in case is refused' <<'E'
ikm md new part lower >/dev/null
fails 4 ikm md new part LOWER 2>err
grep "there is 'lower' already, and some systems take 'LOWER' for the same name" err
[ ! -e "$G/users/ada/parts/LOWER" ]
ikm md new part lowest >/dev/null
E

try 'what is there keeps its id, and lint names it' <<'E'
mkdir -p "$G/users/ada/parts/-x"
echo x >"$G/users/ada/parts/-x/notes.md"
git -C "$G" add -A
git -C "$G" commit -qm 'by a person'
ikm append "$G/users/ada/parts/-x/notes.md" --text y
ikm lint "$G" >out
grep -q "warning garden-id: the id '-x' begins with '-'" out
E
done_testing
