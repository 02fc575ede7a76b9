"""Holds the rows of t/imports/c.txt against the preprocessor of gcc."""
import re
import subprocess
import sys


def main():
    count = bad = 0
    rows = open(sys.argv[1], encoding='latin-1').read()
    for row in re.split('^### ', rows, flags=re.M)[1:]:
        head, rest = row.split('\n', 1)
        text, want = ('\n' + rest).split('\n===\n', 1)
        # gcc evaluates conditions and macros, and "#import" of C++ and Objective-C is another one.
        if not head.startswith('a.c ') or '#if' in text or ' ? ' in want:
            continue
        text = re.sub(r'\\([0-7]{3})', lambda m: chr(int(m[1], 8)), text[1:] + '\n')
        out = subprocess.run(['gcc', '-nostdinc', '-I.', '-M', '-MG', '-w', '-x', 'c', '-'],
                             input=text.encode('latin-1'), capture_output=True, check=False)
        theirs = out.stdout.decode('latin-1').replace('\\\n', ' ').split(':', 1)[-1].split()
        theirs = sorted(t for t in theirs if t != '-')
        ours = sorted(line.split(' ', 2)[2] for line in want.splitlines())
        count += 1
        if ours != theirs:
            bad += 1
            print(f'# {head}\n# rows: {ours}\n# gcc: {theirs}')
    print(f'{count} rows, {bad} differ')
    sys.exit(1 if bad or not count else 0)


main()
