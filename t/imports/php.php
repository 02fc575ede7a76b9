<?php
// Holds the rows of t/imports/php.txt against PHP's own tokens: php php.php ROWS

const HERE = '/a/b/c/d/e/f';

// "/a/b/../c" is "/a/c".
function normal(string $path): string
{
	$parts = [];
	foreach (explode('/', $path) as $part) {
		if ($part === '..' && $parts && !in_array(end($parts), ['', '..'], true)) {
			array_pop($parts);
		} elseif ($part !== '.' && ($part !== '' || !$parts)) {
			$parts[] = $part;
		}
	}
	return implode('/', $parts);
}

// The files of one "require": what PHP makes of its expression, or "?".
function required(array $tokens, int $i): string
{
	$code = '';
	$depth = 0;
	for (; isset($tokens[$i]); $i++) {
		$t = $tokens[$i];
		if ($depth === 0 && $t->is([';', ',', ')', ']', '}', ':', T_CLOSE_TAG])) {
			break;
		}
		$depth += $t->is('(') ? 1 : ($t->is(')') ? -1 : 0);
		$name = strtolower(ltrim($t->text, '\\'));
		if ($t->is(T_FILE)) {
			$code .= var_export(HERE . '/x.php', true);
		} elseif ($t->is(T_DIR)) {
			$code .= var_export(HERE, true);
		} elseif ($t->is([T_CONSTANT_ENCAPSED_STRING, T_LNUMBER, '.', '(', ')', ','])) {
			$code .= $t->text;
		} elseif ($t->is([T_STRING, T_NAME_FULLY_QUALIFIED]) &&
				in_array($name, ['dirname', 'directory_separator'], true)) {
			$code .= strtoupper($name) === 'DIRNAME' ? 'dirname' : "'/'";
		} elseif ($t->is([T_STRING, T_NAME_FULLY_QUALIFIED]) && $name === 'realpath') {
			$code .= 'strval';
		} else {
			return '?';
		}
	}
	return normal(eval("return $code;"));
}

// The names of one "use": [module, member...].
function used(array $tokens, int $i): array
{
	$found = [];
	$root = '';
	$alias = false;
	for (; isset($tokens[$i]) && !$tokens[$i]->is([';', T_CLOSE_TAG]); $i++) {
		$t = $tokens[$i];
		if ($t->is(T_AS)) {
			$alias = true;
		} elseif ($t->is(',')) {
			$alias = false;
		} elseif ($t->is('{')) {
			$root = end($found) . '\\';
		} elseif ($t->is([T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED]) && !$alias) {
			$found[] = $root . ltrim($t->text, '\\');
		}
	}
	return $found;
}

// Every import of a text, sorted.
function imported(string $text): array
{
	$tokens = array_values(array_filter(PhpToken::tokenize($text, TOKEN_PARSE),
		fn ($t) => !$t->isIgnorable()));
	$found = [];
	$open = [];    // brackets: true for the braces of a class
	$class = null; // how many are open where a class begins
	foreach ($tokens as $i => $t) {
		$before = $i ? $tokens[$i - 1] : null;
		if ($t->is([T_CLASS, T_TRAIT, T_INTERFACE, T_ENUM]) && !$before?->is(T_DOUBLE_COLON)) {
			$classes[count($open)] = true;
		} elseif ($t->is(['{', '(', '[', T_ATTRIBUTE, T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
			$class = $t->is('{') && isset($classes[count($open)]);
			if ($class) {
				unset($classes[count($open)]);
			}
			$open[] = $class;
		} elseif ($t->is(['}', ')', ']'])) {
			array_pop($open);
		} elseif ($t->is(T_USE) && !end($open) && !$tokens[$i + 1]->is('(')) {
			array_push($found, ...used($tokens, $i + 1));
		} elseif ($t->is([T_REQUIRE, T_REQUIRE_ONCE, T_INCLUDE, T_INCLUDE_ONCE])) {
			$found[] = required($tokens, $i + 1);
		}
	}
	sort($found);
	return $found;
}

$bytes = fn (string $s) => preg_replace_callback('/\\\\([0-7]{3})/',
	fn ($m) => chr(octdec($m[1])), $s);
$count = $bad = 0;
foreach (array_slice(preg_split('/^### /m', file_get_contents($argv[1])), 1) as $row) {
	[$head, $rest] = explode("\n", $row, 2);
	[$text, $want] = explode("\n===\n", "\n$rest", 2);
	if ($head[0] === '!') {
		continue;
	}
	try {
		$theirs = imported($bytes(substr($text, 1) . "\n"));
	} catch (Error $e) {
		$theirs = [$e->getMessage()];
	}
	$ours = [];
	foreach (explode("\n", rtrim($want, "\n")) as $line) {
		if ($line === '') {
			continue;
		}
		[, $kind, $module] = explode(' ', $bytes($line), 3);
		$module = preg_replace('/^__DIR__/', HERE, $module);
		$ours[] = $kind === '?' ? '?' : ($kind === 'include' ? normal($module) : $module);
	}
	sort($ours);
	$count++;
	if ($ours !== $theirs) {
		$bad++;
		$diff = fn ($a, $b) => implode(' | ', array_diff($a, $b));
		echo "# $head\n# rows: {$diff($ours, $theirs)}\n# php: {$diff($theirs, $ours)}\n",
			'# ', count($ours), ' and ', count($theirs), "\n";
	}
}
echo "$count rows, $bad differ\n";
exit($bad || !$count ? 1 : 0);
