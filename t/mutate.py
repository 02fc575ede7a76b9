"""Changes conditions, one at a time, and asks whether a test notices. Called by `make mutate`.

usage: mutate.py NUMBER SEED [PLACE...]   PLACE: a beginning of file:line, as lib/memory/recall

The SEED draws NUMBER changes from the conditions of the places: a condition is negated, a comparison
takes or leaves its limit, or an operand of && or || is dropped. A change that gives the same object
code does not count. A copy of the tree is built once with all of them: each condition asks mutant(n)
which of its forms holds. Each test runs first without a change, and tells which conditions it asks,
then once for each of these that no test has noticed yet, up to its first failure. A test that takes 5
times as long as without the change, and 20 seconds, has noticed it too. TESTS= has other tests than all.
"""
import array, glob, hashlib, mmap, os, pathlib, re, select, shutil, signal, subprocess, sys, tempfile
import time

PLACES = ['lib/rules/judge/', 'lib/memory/', 'lib/store/']
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\''
                   r'|\w+|->|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|\S', re.S | re.M)
ENDS = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', ',', ';', '?', ':', 'return'}
LIMIT = {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}

def regions(text):
    """Each stretch of tokens between two delimiters: its tokens, and whether C asks if it is true."""
    tokens = [m for m in TOKEN.finditer(text) if not re.match(r'\s*#|/[*/]', m[0])]
    levels = [{'tokens': [], 'of': '', 'part': 0}]
    fixed = False                       # what must be a constant has no call
    for i, m in enumerate(tokens):
        t, level = m[0], levels[-1]
        fixed = t in ('static', '_Static_assert', 'enum', 'case', 'sizeof') or (
            fixed and t != ';' and not (t == '{' and tokens[i - 1][0] == ')'))
        if t in ENDS or t in ')]}{':
            asked = t == '?' or (t == ')' and level['of'] in ('if', 'while')) or \
                (t == ';' and level['of'] == 'for' and level['part'] == 1)
            if level['tokens'] and len(levels) > 1 and not fixed:
                yield level['tokens'], asked
            level['tokens'] = []
            level['part'] += t == ';'
            if t in ')]}' and len(levels) > 1:
                levels.pop()
                levels[-1]['tokens'] += [m] if t != '}' else []
        else:
            level['tokens'].append(m)
        if t in '([{':
            levels.append({'tokens': [], 'of': tokens[i - 1][0] if t == '(' else '', 'part': 0})

def changes(path):
    """The changes of a file: its line, from, to, the new text, and what it does."""
    text = open(path).read()
    for tokens, asked in regions(text):
        depth, top = 0, []
        for m in tokens:
            depth -= m[0] in ')]'
            top += [m] if depth == 0 else []
            depth += m[0] in '(['
        words = [m[0] for m in top]
        split = '||' if '||' in words else '&&' if '&&' in words else None
        if not (asked or split or any(w in LIMIT or w in ('==', '!=') for w in words)):
            continue
        begin, end = tokens[0].start(), tokens[-1].end()
        old = text[begin:end]
        found = [('negate', f'!({old})')]
        found += [(f'{m[0]} to {LIMIT[m[0]]}', text[begin:m.start()] + LIMIT[m[0]] + text[m.end():end])
                  for m in top if m[0] in LIMIT]
        if split:
            cuts = [begin, *(p for m in top if m[0] == split for p in m.span()), end]
            parts = [text[cuts[k]:cuts[k + 1]] for k in range(0, len(cuts), 2)]
            found += [(f'drop {p}', split.join(parts[:k] + parts[k + 1:])) for k, p in enumerate(parts)]
        line = text.count('\n', 0, begin) + 1
        for what, new in found:
            yield f'{path}:{line}', begin, end, new, ' '.join(f'{what}: {old}'.split())[:90]

def with_changes(text, chosen):
    """The text with a question at each chosen condition; lines keep their numbers."""
    for n, (_, begin, end, new, _) in sorted(chosen, key=lambda c: -c[1][1]):
        text = f'{text[:begin]}(mutant({n}) ? !!({new}) : !!({text[begin:end]})){text[end:]}'
    return text

def object_of(change, is_made):
    """The object code of a file with the change, or without it."""
    path = change[0].split(':')[0]
    with open(path + '.orig') as f, open('one.c', 'w') as one:
        one.write(f'#define mutant(n) {is_made}\n#line 1 "{path}"\n{with_changes(f.read(), [(1, change)])}')
    flags = open('build/compile.flags').read().split()
    subprocess.run([*flags, '-O1', '-g0', '-w', '-I' + os.path.dirname(path), '-c', '-o', 'one.o', 'one.c'],
                   check=True)
    return open('one.o', 'rb').read()

def draw(number, seed, places):
    """So many changes that give other code, none within another."""
    found = [c for path in sorted(glob.glob('lib/*/*/*.c')) for c in changes(path)
             if c[0].startswith(tuple(places))]
    lot = lambda *what: hashlib.sha256(repr((seed, what)).encode()).digest()
    found.sort(key=lambda c: (lot(c[0], c[1]), lot(c)))
    drawn = []
    for c in found:
        if len(drawn) < number and not any(
                d[0].split(':')[0] == c[0].split(':')[0] and d[1] < c[2] and c[1] < d[2] for d in drawn):
            drawn.append(c)
    return drawn

MUTANT_C = '''#include <fcntl.h>
#include <sys/mman.h>
int mutant(int n);
static unsigned alone[SIZE], *asked = alone;
__attribute__((constructor)) static void mutant_begin(void)
{
	int fd = open(PATH, O_RDWR | O_CLOEXEC);
	void *p = mmap(0, sizeof(alone), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	asked = p == MAP_FAILED ? alone : p;
}
int mutant(int n) { return asked[n]++, asked[0] == (unsigned)n; }
'''

def build(drawn, shared):
    """The program and the tests; element 0 of the shared file says which change holds."""
    for path in {c[0].split(':')[0] for c in drawn}:
        chosen = [(n, c) for n, c in enumerate(drawn, 1) if c[0].startswith(path + ':')]
        shutil.copy(path, path + '.orig')
        text = with_changes(open(path).read(), chosen)
        pathlib.Path(path).write_text(f'int mutant(int n);\n#line 1\n{text}')
    pathlib.Path('lib/core/base/mutant.c').write_text(
        f'#define SIZE {len(drawn) + 1}\n#define PATH "{shared}"\n{MUTANT_C}')
    pathlib.Path(shared).write_bytes(bytes(4 * (len(drawn) + 1)))
    made = subprocess.run('env -u MAKEFLAGS -u MAKELEVEL make -s -j$(nproc) mutate-build 2>&1', shell=True,
                          text=True, stdout=subprocess.PIPE)
    made.returncode and sys.exit(made.stdout[:2000])

def run(test, limit, home):
    """Runs a test up to its first failure: whether it passed, and the seconds that it took."""
    began, said, failed = time.monotonic(), b'', False
    command = [test] if test.startswith('build/') else ['sh', test]
    os.mkdir(home)
    if os.getuid() == 0:                # no rights, and no other processes: a change may concern kill()
        shutil.chown(home, 'nobody')
        command = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c',
                   'setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=-all -- "$@"; exit $?',
                   'sh', *command]
    env = os.environ | {'HOME': home, 'TMPDIR': home, 'IKM_BUILD': os.getcwd() + '/build', 'IKM_LONG': '1'}
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, start_new_session=True) as child:
        while not failed:
            left = max(0, began + limit - time.monotonic())
            failed = not select.select([child.stdout], [], [], left)[0]
            more = b'' if failed else os.read(child.stdout.fileno(), 65536)
            if not more:
                break
            said += more
            failed = re.search(rb'^not ok (?!.*# TODO).*\n', said, re.M) is not None
        if failed:
            os.killpg(child.pid, signal.SIGKILL)
    subprocess.run(['rm', '-rf', home], stderr=subprocess.DEVNULL)
    return not failed and child.returncode == 0, time.monotonic() - began

def try_all(drawn, tests, work):
    with open(work + '/asked', 'r+b') as f:
        asked = memoryview(mmap.mmap(f.fileno(), 0)).cast('I')
    tests_of, alive, unfit = [0] * len(asked), list(range(1, len(asked))), []
    row = lambda n, end: print(f'{drawn[n - 1][0]}\t{drawn[n - 1][4]}\t{end}', flush=True)
    try:
        for test in tests:
            asked[:] = array.array('I', bytes(asked.nbytes))
            passed, seconds = run(test, 600, work + '/tmp')
            if any(asked) and not passed:
                unfit.append(test)
            for n in [n for n in alive if asked[n] and passed]:
                asked[0], tests_of[n] = n, tests_of[n] + 1
                if not run(test, 20 + 5 * seconds, work + '/tmp')[0]:
                    alive.remove(n)
                    row(n, 'noticed by ' + test)
    finally:                            # who stops it sees what no test has noticed up to then
        noticed = len(drawn) - len(alive)
        alive = [n for n in alive if object_of(drawn[n - 1], 0) != object_of(drawn[n - 1], 1)]
        for n in alive:
            row(n, f'SURVIVED {tests_of[n]} tests')
        count = noticed + len(alive)
        print(f'{noticed} of {count} noticed: {100 * noticed // max(count, 1)} %; {len(drawn) - count} more',
              'give the same code; without a change fail:', *unfit or ['none'])

def main(number, seed, *places):
    """Tests of functions come first, then those of the areas, and small files before large ones."""
    top, work, places = os.getcwd(), tempfile.mkdtemp(prefix='ikm-mutate.'), places or PLACES
    areas = {place.split('/')[1] for place in places}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ.setdefault('IKM_SHARED', top + '/../shared')
    try:
        shutil.copytree(top, work + '/src', symlinks=True, ignore=lambda folder, names:
                        ['build', '.git'] if folder == top else [])
        os.chdir(work + '/src')
        drawn = draw(int(number), seed, places)
        build(drawn, work + '/asked')
        if os.getuid() == 0:
            subprocess.run(['chown', '-R', 'nobody', work], check=True)
        tests = os.environ.get('TESTS', '').split() or glob.glob('t/*/[01]*.t') + \
            [p for p in glob.glob('build/unit/*') if '.' not in p]
        tests.sort(key=lambda t: (t[0] != 'b', t.split('/')[1] not in areas, os.path.getsize(t)))
        try_all(drawn, tests, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)

main(*sys.argv[1:])
