"""Holds the rows of t/imports/shell.txt against bash: it runs each row, where "source" and "."
only tell their file."""
import re
import subprocess
import sys
import tempfile

PRELUDE = r'''
function source { printf '%s\0' "$1" >&3; }
function . { source "$1"; }
function builtin {
	while [[ $1 == -p ]]; do shift; done
	if [[ $1 == . || $1 == source ]]; then source "$2"; fi
}
function command { builtin "$@"; }
function cat { while IFS= read -r _; do :; done; }
exec 3>&1 >/dev/null </dev/null
eval "$1"
'''


def main():
    count = bad = 0
    rows = open(sys.argv[1], encoding='utf-8').read()
    for row in re.split('^### ', rows, flags=re.M)[1:]:
        head, rest = row.split('\n', 1)
        text, want = ('\n' + rest).split('\n===\n', 1)
        # A program decides: bash tells what it decided here.
        if head.startswith('!') or re.search(r' \? |\$', want):
            continue
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run(['bash', '-O', 'extglob', '-c', PRELUDE, 'row', text[1:] + '\n'],
                                 cwd=folder, env={'PATH': f'{folder}/none'},
                                 capture_output=True, check=False, executable=sys.argv[2])
        theirs = sorted(ran.stdout.decode().split('\0')[:-1])
        ours = sorted(re.sub(r'\\([0-7]{3})', lambda m: chr(int(m[1], 8)),
                             line.split(' ', 2)[2]) for line in want.splitlines())
        count += 1
        if ours != theirs:
            bad += 1
            print(f'# {head}\n# rows: {ours}\n# bash: {theirs}\n# {ran.stderr.decode()}')
    print(f'{count} rows, {bad} differ')
    sys.exit(1 if bad or not count else 0)


main()
