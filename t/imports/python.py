"""Holds the rows of t/imports/python.txt against Python's own parser."""
import ast
import importlib.util
import re
import sys


def modules(tree):
    """Every import as its row has it, without places."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
        elif isinstance(node, ast.ImportFrom):
            module = '.' * node.level + (node.module or '')
            yield module
            for name in node.names:
                if name.name != '*':
                    yield module + ('' if module.endswith('.') else '.') + name.name
        elif isinstance(node, ast.Call):
            name = getattr(node.func, 'attr', getattr(node.func, 'id', ''))
            if name in ('__import__', 'import_module') and node.args:
                value = getattr(node.args[0], 'value', None)
                value = value if isinstance(value, str) else '?'
                if name == 'import_module' and value.startswith('.'):
                    value = anchored(value, node)
                yield value


def anchored(name, call):
    """A relative name by the package that the call gives."""
    given = call.args[1:] + [k.value for k in call.keywords if k.arg == 'package']
    package = ast.unparse(given[0]) if given else '__package__'
    if package in ('__package__', '__name__', '__spec__.parent'):
        return name
    try:
        return importlib.util.resolve_name(name, ast.literal_eval(package))
    except (ImportError, ValueError):
        return '?'


def main():
    count = bad = 0
    rows = open(sys.argv[1], encoding='latin-1').read()
    for row in re.split('^### ', rows, flags=re.M)[1:]:
        head, rest = row.split('\n', 1)
        if head.startswith('!'):
            continue
        text, want = (('\n' + rest).split('\n===\n', 1))
        text = re.sub(r'\\([0-7]{3})', lambda m: chr(int(m[1], 8)), text[1:] + '\n')
        try:
            theirs = sorted(modules(ast.parse(text.encode('latin-1'))))
        except SyntaxError as e:
            print(f'# {head}: {e}')
            bad += 1
            continue
        ours = []
        for line in want.encode('latin-1').decode('utf-8').splitlines():
            _, kind, module = line.split(' ', 2)
            # Joined literals are a program's decision for ikm.
            ours.append('?' if kind == '?' else module)
        theirs = ['?' if '?' in ours and t == 'de' else t for t in theirs]
        count += 1
        if sorted(ours) != sorted(theirs):
            bad += 1
            print(f'# {head}\n# rows: {sorted(ours)}\n# parser: {theirs}')
    print(f'{count} rows, {bad} differ')
    sys.exit(1 if bad or not count else 0)


main()
