#include "tap.h"
#include "re/re.h"
#include <sys/stat.h>
#include <unistd.h>

static uint64_t seed = 20261122;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 20) % n);
}

static struct arena *arena;

static void match(const char *pattern, const char *path, bool want)
{
	struct glob *g = NULL;

	if (!works(glob_new(arena, str_of(pattern), &g), pattern))
		return;
	ok(glob_match(g, str_of(path)) == want, "%s %s %s", pattern,
	   want ? "matches" : "does not match", path);
}

static void cases(void)
{
	match("*.c", "a.c", true);
	match("*.c", "x/y/a.c", true);
	match("*.c", "a.cc", false);
	match("src", "src/a/b.c", true);
	match("src", "lib/src/b.c", true);
	match("src/", "src", false);
	match("src/", "src/a", true);
	match("/src", "lib/src/b.c", false);
	match("lib/src", "lib/src/b.c", true);
	match("lib/src", "a/lib/src", false);
	match("a/*/c", "a/b/c", true);
	match("a/*/c", "a/b/b/c", false);
	match("a/**/c", "a/c", true);
	match("a/**/c", "a/b/b/c", true);
	match("a/**/c", "ac", false);
	match("a/**", "a", false);
	match("a/**", "a/b/c", true);
	match("a/**/", "a/b", false);
	match("a/**/", "a/b/c", true);
	match("**/c", "c", true);
	match("**/c", "a/b/c", true);
	match("x/a**", "x/ab/c", true);
	match("x/a**", "x/a", true);
	match("a**/b", "ax/y/b", true);
	match("?**/b", "ax/y/b", false);
	match("**", "a/b", true);
	match("/**", "a", true);
	match("*", "a/b", true);
	match("/*/x", "a/x", true);
	match("/*/x", "a/b/x", false);
	match("a?c", "abc", true);
	match("a?c", "a/c", false);
	match("a[!b]c", "a/c", false);
	match("[a-c]x", "bx", true);
	match("[]-]x", "]x", true);
	match("[a-*b]", "a", true);
	match("[a-*b]", "+", false);
	match("[[:digit:]]", "7", true);
	match("[\\]]", "]", true);
	match("\\*", "*", true);
	match("\\*", "a", false);
	match("*a*b*c", "xxaxxbxxbxc", true);
	match("**/a/*/b", "a/a/x/b", true);
	match("**/a/**/b", "x/a/y/a/z/b", true);
	match("x\xff*", "x\xff\xfe", true);
	match("./src/*.c", "src/a.c", true);
	match("./src/*.c", "x/src/a.c", false);
	match("A", "a", false);
	match("*.{c,h}", "x/a.h", true);
	match("*.{c,h}", "x/a.o", false);
	match("{a,b{c,d}}x", "bdx", true);
	match("{a,b{c,d}}x", "bx", false);
	match("{,x}y", "y", true);
	match("{a}", "{a}", true);
	match("{a}", "a", false);
	match("{}{a,b}", "{}b", true);
	match("\\{a,b}", "{a,b}", true);
	match("[{]a,b", "{a,b", true);
	match("{[,],b}c", ",c", true);
	match("src/{a,b}/**", "src/b/c", true);
	match("{{cookie.name}}/*.py", "{{cookie.name}}/a.py", true);
}

static void errors(void)
{
	struct glob *g = NULL;
	char big[RE_PATTERN_MAX + 1];
	struct err *e = glob_new(arena, STR("src/[ab"), &g);

	fails(e, E_BAD_PATTERN, "[ without ]");
	ok(e && strstr(err_message(e), "src/[ab"), "names the glob: %s", err_message(e));
	fails(glob_new(arena, STR(""), &g), E_BAD_PATTERN, "nothing");
	fails(glob_new(arena, STR("/"), &g), E_BAD_PATTERN, "a slash alone");
	fails(glob_new(arena, STR("a\\"), &g), E_BAD_PATTERN, "a backslash at the end");
	fails(glob_new(arena, STR("{a,b"), &g), E_BAD_PATTERN, "{ without }");
	fails(glob_new(arena, STR("[[:nope:]]"), &g), E_BAD_PATTERN, "an unknown class");
	fails(glob_new(arena, STR("a/../b"), &g), E_BAD_PATTERN, "a part that no path has");
	fails(glob_new(arena, STR("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"), &g),
	      E_BAD_PATTERN, "2048 alternatives");
	works(glob_new(arena, STR("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"), &g),
	      "1024 are allowed");
	ok(glob_match(g, STR("abababbbba")) && !glob_match(g, STR("abababbbbc")),
	   "and all are tried");
	memset(big, ',', sizeof(big));
	big[0] = '{';
	big[sizeof(big) - 2] = '}';
	fails(glob_new(arena, (struct str){big, sizeof(big) - 1}, &g), E_BAD_PATTERN, "4093 more");
	fails(glob_new(arena, (struct str){big, sizeof(big)}, &g), E_TOO_LONG, "4097 bytes");
	memset(big, 'a', sizeof(big));
	memcpy(big, "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 35);
	fails(glob_new(arena, (struct str){big, sizeof(big) - 1}, &g), E_BAD_PATTERN,
	      "few alternatives that are long");
}

/* The test is that this ends. */
static void no_blow_up(void)
{
	struct buf pattern = buf_in(arena), path = buf_in(arena), dirs = buf_in(arena);
	struct glob *g = NULL;

	for (int i = 0; i < 500; i++)
		buf_puts(&pattern, "*a");
	buf_puts(&pattern, "b");
	for (int i = 0; i < 4000; i++)
		buf_puts(&path, "a");
	works(glob_new(arena, buf_as_str(&pattern), &g), "many stars");
	ok(!glob_match(g, buf_as_str(&path)), "do not match");
	pattern.n = path.n = 0;
	for (int i = 0; i < 300; i++)
		buf_puts(&pattern, "**/a/");
	buf_puts(&pattern, "b");
	for (int i = 0; i < 2000; i++)
		buf_puts(&dirs, "a/");
	buf_puts(&dirs, "c");
	works(glob_new(arena, buf_as_str(&pattern), &g), "many folders");
	ok(!glob_match(g, buf_as_str(&dirs)), "do not match either");
}

static bool in_list(const char *const *patterns, const char *path)
{
	struct strs v = {0};
	struct globs g;

	for (; *patterns; patterns++)
		strs_push(arena, &v, str_of(*patterns));
	if (globs_new(arena, &v, &g))
		BUG("bad list");
	return globs_match(&g, str_of(path));
}

static void lists(void)
{
	struct strs bad = {0};
	struct globs g;

	ok(in_list((const char *[]){NULL}, "a"), "an empty list matches everything");
	ok(in_list((const char *[]){"*.c", "!x.c", NULL}, "a.c"), "a list");
	ok(!in_list((const char *[]){"*.c", "!x.c", NULL}, "x.c"), "with an exception");
	ok(!in_list((const char *[]){"*.c", "!x.c", NULL}, "a.h"), "and nothing else");
	ok(in_list((const char *[]){"!x.c", "*.c", NULL}, "x.c"), "the last one counts");
	ok(in_list((const char *[]){"!x.c", NULL}, "a.h"), "exceptions alone are from everything");
	ok(!in_list((const char *[]){"!x.c", "!y", NULL}, "y/z"), "also two");
	strs_push(arena, &bad, STR("!"));
	fails(globs_new(arena, &bad, &g), E_BAD_PATTERN, "an exception of nothing");
}

/* ---- held against git ---- */

static const char *const pieces[] = {"a",   "b",     "ab",          "*",   "**",   "?",    "/",
				     "/",   "/",     "**/",         "/**", "[ab]", "[!a]", "\\a",
				     "\\*", "a*",    "*b",          "[",   "]",    "[a-",  "x.c",
				     "*.c", "{a,b}", "[[:alpha:]]", "\\",  "-",    "***",  "[]a]"};
static const char *const names[] = {"a", "b",     "ab", "aab", "x.c", "ba",
				    "*", "{a,b}", "-",  "]",   "[",   "bb"};

static struct str pattern_of(void)
{
	struct buf b = buf_in(arena);

	do {
		b.n = 0;
		for (unsigned n = 1 + rnd(5); n; n--)
			buf_puts(&b, pieces[rnd(ARRAY_SIZE(pieces))]);
	} while (!b.n);
	return buf_as_str(&b);
}

static struct str path_of(void)
{
	struct buf b = buf_in(arena);

	for (unsigned n = 1 + rnd(4); n; n--)
		buf_fmt(&b, "%s%s", b.n ? "/" : "", names[rnd(ARRAY_SIZE(names))]);
	return buf_as_str(&b);
}

static void put(const char *path, struct str text)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text.p, 1, text.n, f) != text.n || fclose(f))
		BUG("cannot write %s", path);
}

static void as_git(void)
{
	enum { PATTERNS = 500, PATHS = 20 };
	char dir[] = "/tmp/ikm-glob.XXXXXX";
	struct str pattern[PATTERNS];
	struct glob *globs[PATTERNS];
	struct buf list = buf_in(arena);
	char *line = NULL;
	size_t cap = 0, n = 0, wrong = 0, yes = 0;
	FILE *git;

	if (!mkdtemp(dir) || chdir(dir))
		BUG("no folder");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	unsetenv("GIT_DIR");
	if (system("git init -q ."))
		BUG("no git");
	for (size_t i = 0; i < PATTERNS; i++) {
		char name[64];

		snprintf(name, sizeof(name), "p%zu", i);
		mkdir(name, 0777);
		snprintf(name, sizeof(name), "p%zu/.gitignore", i);
		/* To Git braces are plain, and what is malformed matches nothing. */
		do
			pattern[i] = pattern_of();
		while (str_find_char(pattern[i], '{', 0) != SIZE_MAX ||
		       glob_new(arena, pattern[i], &globs[i]));
		put(name, pattern[i]);
		for (size_t k = 0; k < PATHS; k++) {
			struct str path = path_of();

			buf_fmt(&list, "p%zu/%.*s\n", i, STR_ARG(path));
		}
	}
	put("list", buf_as_str(&list));
	git = popen("git check-ignore --no-index -v -n --stdin <list", "r");
	while (git && getline(&line, &cap, git) > 0) {
		/* "source:line:pattern<TAB>path", "::<TAB>path" when nothing matches */
		struct str s = str_trim(str_of(line));
		size_t tab = str_rfind_char(s, '\t');
		struct str path = str_sub(s, tab + 1, s.n);
		size_t slash = str_find_char(path, '/', 0);
		bool want = !str_starts(s, STR("::")), got;
		int64_t i = 0;

		str_int(str_sub(path, 1, slash), &i);
		got = glob_match(globs[i], str_sub(path, slash + 1, path.n));
		n++;
		yes += want;
		if (got == want)
			continue;
		wrong++;
		printf("# '%.*s' on '%.*s': git %d, here %d\n", STR_ARG(pattern[i]), STR_ARG(path),
		       want, got);
	}
	free(line);
	ok(git && pclose(git) == 0 && n == PATTERNS * PATHS && yes > n / 10,
	   "git judged %zu of %d paths, %zu are ignored", n, PATTERNS * PATHS, yes);
	is_int((long long)wrong, 0, "and globs of .gitignore agree with it");
	if (chdir("/") || system(str_c(arena, str_fmt(arena, "rm -rf '%s'", dir))))
		BUG("cannot clean up");
}

int main(void)
{
	arena = arena_new();
	cases();
	errors();
	no_blow_up();
	lists();
	as_git();
	arena_free(arena);
	return tap_done();
}
