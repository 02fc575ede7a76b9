#include "tap.h"
#include "git/git.h"
#include "match/match.h"

static struct arena *a;

/* The new content; "(gone)" for none, or the reason why not. */
static struct str apply_with(const char *diff, struct str old, struct patch_options options)
{
	struct patch p;
	struct str new;
	struct err *e = patch_read(a, str_of(diff), &p);

	if (!e)
		e = patch_apply(a, &p.p[0], old, &options, &new, NULL);
	if (e)
		return str_fmt(a, "%s", err_reason_name(err_reason(e)));
	return new.p ? new : STR("(gone)");
}

static struct str apply(const char *diff, const char *old)
{
	return apply_with(diff, old ? str_of(old) : (struct str){0},
			  (struct patch_options){2, false});
}

#define NAMES "--- a\n+++ b\n"

/* With `held`, a hunk needs a line at its place. */
static void holds(void)
{
	static const struct {
		const char *diff, *old, *want, *loose;
	} rows[] = {
		{NAMES "@@ -1,2 +1,3 @@\n x\n+n\n y\n", "a\nb\n", "HUNK_FAILED", "a\nn\nb\n"},
		{NAMES "@@ -1,2 +1,3 @@\n a\n+n\n y\n", "a\nb\n", "a\nn\nb\n", "a\nn\nb\n"},
		{NAMES "@@ -1,2 +1,3 @@\n a\n+n\n y\n", "a\r\nb\r\n", "a\r\nn\r\nb\r\n",
		 "a\r\nn\r\nb\r\n"},
		{NAMES "@@ -1,3 +1,4 @@\n x\n+n\n \n y\n", "a\n\nb\n", "HUNK_FAILED",
		 "a\nn\n\nb\n"},
		{NAMES "@@ -1,2 +1,3 @@\n \n+n\n \n", "\n\n", "\nn\n\n", "\nn\n\n"},
		{NAMES "@@ -2 +2 @@\n-b\n+c\n", "a\nb\n", "a\nc\n", "a\nc\n"},
		{NAMES "@@ -1,0 +2 @@\n+n\n", "a\n", "HUNK_FAILED", "a\nn\n"},
		{NAMES "@@ -0,0 +1 @@\n+n\n", "", "n\n", "n\n"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct patch_options o = {.fuzz = 2};

		is_str(apply_with(rows[i].diff, str_of(rows[i].old), o), str_of(rows[i].loose),
		       rows[i].diff);
		o.held = true;
		is_str(apply_with(rows[i].diff, str_of(rows[i].old), o), str_of(rows[i].want),
		       "… held");
	}
}

/* Context behind the end of a file so large that a block of memory ends where its lines do. */
static void beyond(void)
{
	struct patch_options options = {.fuzz = 3};
	struct buf old = buf_in(a), want = buf_in(a);
	size_t lines = (size_t)1 << 17;

	for (size_t i = 1; i <= lines; i++) {
		buf_fmt(&old, "l%zu\n", i);
		buf_fmt(&want, "l%zu\n%s", i, i + 1 == lines ? "new\n" : "");
	}
	is_str(apply_with(NAMES "@@ -131069,6 +131069,7 @@\n l131069\n l131070\n l131071\n+new\n"
				" l131072\n beyond1\n beyond2\n",
			  buf_as_str(&old), options),
	       buf_as_str(&want), "context behind the end of a large file");
}

static void hunks(void)
{
	is_str(apply(NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nb\nc\n"), STR("a\nB\nc\n"),
	       "plain");
	is_str(apply(NAMES "@@ -2 +2 @@\n-b\n+B\n", "a\nb\nc\n"), STR("a\nB\nc\n"), "no counts");
	is_str(apply("@@ -2 +2 @@ int main()\n-b\n+B\n", "a\nb\nc\n"), STR("a\nB\nc\n"),
	       "no names");
	is_str(apply(NAMES "@@ -1,3 +1,3 @@\n \n-b\n+B\n\n", "\nb\n\n"), STR("\nB\n\n"),
	       "an empty line that lost its blank");
	is_str(apply(NAMES "@@ -1,3 +1,3 @@\n \n-b\n+B\n", "\nb\n\n"), STR("\nB\n\n"),
	       "an empty line that was cut off");
	is_str(apply(NAMES "@@ -1,3 +1,3 @@\n a\n\tx\n-b\n+B\n", "a\n\tx\nb\n"), STR("a\n\tx\nB\n"),
	       "a tab that lost its blank");
	is_str(apply(NAMES "@@ -1 +1 @@\n-b\n+B", "b\n"), STR("B\n"),
	       "a diff without a last newline");
	is_str(apply(NAMES "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+B\n", "b"), STR("B\n"),
	       "a newline is added");
	is_str(apply(NAMES "@@ -1 +1 @@\n-b\n+B\n\\ Kein Zeilenumbruch\n", "b\n"), STR("B"),
	       "a newline is taken away");
	is_str(apply(NAMES "@@ -1 +1 @@\n-b\n+B\n", "b"), STR("HUNK_FAILED"), "it is not ignored");
	is_str(apply(NAMES "@@ -1 +1 @@\n-b\n+B\n\n@@ -3 +3 @@\n-d\n+D\n", "b\nc\nd\n"),
	       STR("B\nc\nD\n"), "an empty line between hunks");
	is_str(apply("Hello\n\n" NAMES "@@ -1 +1 @@\n-b\n+B\n-- \n2.39.5\n", "b\n"), STR("B\n"),
	       "a mail");
	is_str(apply(NAMES "@@ -0,0 +1 @@\n+x\n", "b\n"), STR("x\nb\n"), "added at the start");
	is_str(apply(NAMES "@@ -1,0 +2 @@\n+x\n", "b\n"), STR("b\nx\n"), "added at the end");
	is_str(apply(NAMES "@@ -9,0 +10 @@\n+x\n", "b\n"), STR("HUNK_FAILED"),
	       "added behind the end");
	is_str(apply(NAMES "@@ -1,2 +1,3 @@\n a\n b\n+x\n\\ No newline at end of file\n",
		     "a\nc\nd\n"),
	       STR("a\nc\nx\nd\n"), "what turns out not to be the last line gets its end");
}

static void bad(const char *diff, int line, const char *what)
{
	struct patch p;
	struct err *e = patch_read(a, str_of(diff), &p);
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "line %d,", line);
	ok(e && err_reason(e) == E_BAD_PATCH &&
		   (!line || str_starts(str_of(err_message(e)), str_of(prefix))),
	   "%s: %s", what, e ? err_message(e) : "success");
}

static void malformed(void)
{
	bad("", 0, "nothing");
	bad("hello\n", 0, "no diff");
	bad("1c1\n< a\n---\n> b\n", 0, "a normal diff");
	bad("*** a\n--- b\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n", 1,
	    "a context diff");
	bad("diff --cc x\nindex a,b..c\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n", 1,
	    "a combined diff");
	bad(NAMES "-b\n+B\n", 3, "no header");
	bad(NAMES "@@\n-b\n+B\n", 3, "an empty header");
	bad(NAMES "@@ ... @@\n-b\n+B\n", 3, "a header in words");
	bad(NAMES "@@ -1 +1\n-b\n+B\n", 3, "half a header");
	bad(NAMES "@@ -99999999999999999999 +1 @@\n-b\n+B\n", 3, "a line over all numbers");
	bad(NAMES "@@ -1,6 +1,6 @@\n-b\n+B\n", 5, "too few lines");
	bad(NAMES "@@ -1,2 +1 @@\n-b\n+B\n@@ -4 +3 @@\n-x\n+y\n", 6, "too few lines, and a hunk");
	bad(NAMES "@@ -1 +1 @@\n-b\n+B\n+C\n", 6, "too many lines");
	bad(NAMES "@@ -1,2 +1 @@\n-b\n+B\n+C\n", 6, "too many new lines");
	bad(NAMES "@@ -1 +1,2 @@\n-b\n-c\n+C\n", 5, "too many old lines");
	bad(NAMES "@@ -1,2 +1,2 @@\n b\n c\n", 3, "no change");
	bad(NAMES "@@ -1,0 +1,0 @@\n", 3, "no line");
	bad("--- /dev/null\n+++ b\n@@ -1 +1 @@\n-b\n+B\n", 1, "a new file with old lines");
	bad("--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+B\n", 1, "no file at all");
	bad("diff --git a/x y b/z\nold mode 100644\nnew mode 100755\n", 1,
	    "names that cannot be told");
}

static void names(void)
{
	struct patch p;
	const char *diff =
		"--- \"a/tab\\there \\303\\244 \\\"q\\\"\"\t2024-01-01 00:00:00.000000000 +0000\n"
		"+++ b/with blank\n@@ -1 +1 @@\n-a\n+b\n"
		"--- old name 2024-01-01 00:00:00\n+++ new\t1970-01-01 00:00:00.000000000 +0000\n"
		"@@ -1 +0,0 @@\n-a\n"
		"--- x\tThu Jan  1 01:00:00 1970 +0100\n+++ y\tSat Nov 21 10:00:00 2026\n"
		"@@ -0,0 +1 @@\n+a\n"
		"diff --git a/m b/m\nold mode 100644\nnew mode 100755\n"
		"diff --git a/from here b/to there\nsimilarity index 100%\nrename from from here\n"
		"rename to to there\n"
		"diff --git \"a/\\t\" \"b/\\n\"\nsimilarity index 90%\ncopy from \"\\t\"\ncopy to \"\\n\"\n"
		"index 1..2 100644\n--- \"a/\\t\"\n+++ \"b/\\n\"\n@@ -1 +1 @@\n-a\n+b\n"
		"diff --git a/bin b/bin\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 1\n"
		"IcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n"
		"diff --git a/e b/e\ndeleted file mode 100755\nindex e69de29..0000000\n"
		"Only in x: y\nBinary files a/one and b/two differ\n"
		"--- e\t1970-01-01 00:00:00 +0100\n+++ e\n@@ -0,0 +1 @@\n+a\n";

	if (!works(patch_read(a, str_of(diff), &p), "names") ||
	    !is_int((long long)p.n, 10, "sections"))
		return;
	is_str(p.p[0].old_path, STR("a/tab\there \303\244 \"q\""), "quoted");
	is_str(p.p[0].new_path, STR("b/with blank"), "without a date");
	ok(!p.p[0].creates && !p.p[0].removes, "neither new nor gone");
	is_str(p.p[1].old_path, STR("old name"), "a date behind a blank");
	ok(p.p[1].removes, "removed by the date");
	ok(p.p[2].creates, "new by another form of date");
	ok(p.p[3].git && p.p[3].old_mode == 0100644 && p.p[3].new_mode == 0100755, "modes");
	is_str(p.p[3].new_path, STR("b/m"), "names of a section without hunks");
	ok(p.p[4].renames, "renames");
	is_str(p.p[4].old_path, STR("a/from here"), "from");
	is_str(p.p[4].new_path, STR("b/to there"), "to");
	ok(p.p[5].copies && p.p[5].n == 1, "copies");
	is_str(p.p[5].new_path, STR("b/\n"), "a newline in a name");
	ok(p.p[6].binary && p.p[6].creates, "binary");
	is_str(p.p[6].new_path, STR("b/bin"), "its name");
	ok(p.p[7].removes && !p.p[7].new_path.p, "an empty file goes away");
	ok(p.p[8].binary, "binary, of diff");
	ok(!p.p[9].creates, "an hour before 1970 is no sign");
	is_str(patch_strip(STR("a//b/c"), 1), STR("b/c"), "strip");
	ok(!patch_strip(STR("a/b"), 2).p && !patch_strip(STR("a/"), 1).p, "strip too much");
}

static void ends(void)
{
	const char *lf = NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";
	const char *crlf = "--- a\r\n+++ b\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+B\r\n c\r\n";
	const char *body = NAMES "@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n c\r\n";

	is_str(apply(lf, "a\r\nb\r\nc\r\n"), STR("a\r\nB\r\nc\r\n"), "LF to CR LF");
	is_str(apply(crlf, "a\r\nb\r\nc\r\n"), STR("a\r\nB\r\nc\r\n"), "CR LF to CR LF");
	is_str(apply(crlf, "a\nb\nc\n"), STR("a\nB\nc\n"), "CR LF to LF");
	is_str(apply(body, "a\nb\nc\n"), STR("a\nB\nc\n"), "CR LF in the hunk only, to LF");
	is_str(apply(body, "a\r\nb\r\nc\r\n"), STR("a\r\nB\r\nc\r\n"), "and to CR LF");
	is_str(apply(NAMES "@@ -1 +1 @@\n-a\r\n+a\n", "a\r\n"), STR("a\n"),
	       "the ends are the change");
	is_str(apply(NAMES "@@ -2,0 +3,2 @@\n+c\n+d\n", "a\r\nb\r\n"), STR("a\r\nb\r\nc\r\nd\r\n"),
	       "no line with a line end: that of the file");
	is_str(apply(NAMES "@@ -3 +3,2 @@\n-c\n\\ No newline at end of file\n+c\n+d\n"
			   "\\ No newline at end of file\n",
		     "a\r\nb\r\nc"),
	       STR("a\r\nb\r\nc\r\nd"), "and one without");
	is_str(apply(NAMES "@@ -1 +1 @@\n-a\r\n+A\r\n@@ -2,0 +3 @@\n+c\n", "a\r\nb\r\n"),
	       STR("A\r\nb\r\nc\n"), "a diff with CR LF elsewhere means its LF");
	is_str(apply(NAMES "@@ -1 +1 @@\n-a\n+A\n@@ -2,0 +3 @@\n+c\n", "a\nb\r\n"),
	       STR("A\nb\r\nc\r\n"), "added without context: as the line before ends");
	is_str(apply(NAMES "@@ -0,0 +1 @@\n+n\n@@ -2 +3 @@\n-\xEF\xBB\xBF"
			   "b\n+c\n",
		     "\xEF\xBB\xBF"
		     "a\n\xEF\xBB\xBF"
		     "b\n"),
	       STR("\xEF\xBB\xBF"
		   "n\na\nc\n"),
	       "a mark in another line is not that of the file");
	is_str(apply(lf, "x\na\r\nb\r\nc\r\n"), STR("x\na\r\nB\r\nc\r\n"), "moved");
	is_str(apply(NAMES "@@ -1,2 +1,3 @@\n a\n+\n b\n", "a\r\nb\r\n"), STR("a\r\n\r\nb\r\n"),
	       "an empty line");
}

static void files(void)
{
	const char *made = "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n";
	const char *gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
	struct patch_options back = {0, true};

	is_str(apply(made, NULL), STR("x\n"), "made");
	is_str(apply(made, "y\n"), STR("EXISTS"), "it is there");
	is_str(apply(gone, "x\n"), STR("(gone)"), "removed");
	is_str(apply(gone, NULL), STR("FILE_NOT_FOUND"), "it is not there");
	is_str(apply(gone, "x\ny\n"), STR("HUNK_FAILED"), "it has more");
	is_str(apply_with(made, STR("x\n"), back), STR("(gone)"), "unmade");
	is_str(apply_with(gone, (struct str){0}, back), STR("x\n"), "put back");
	is_str(apply(NAMES "@@ -0,0 +1 @@\n+x\n", NULL), STR("x\n"), "made without a sign");
	is_str(apply(NAMES "@@ -1 +1 @@\n-x\n+y\n", NULL), STR("FILE_NOT_FOUND"),
	       "nothing to change");
	is_str(apply("diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", NULL),
	       STR(""), "an empty file");
	is_str(apply("diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", "x"),
	       STR("BAD_PATCH"), "binary");
}

static void messages(void)
{
	struct patch_options options = {2, false};
	struct patch p;
	struct str new;
	struct err *e;

	(void)!patch_read(a, STR(NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), &p);
	e = patch_apply(a, &p.p[0], STR("x\nx\na\nb  b\nc\n"), &options, &new, NULL);
	is_str(str_of(e ? err_message(e) : ""),
	       STR("hunk 1 of 1 (line 3 of the diff) does not fit: expected 'b' at line 4, found 'b  b'"),
	       "the nearest is shown");
	e = patch_apply(a, &p.p[0], STR("a\nB\nc\n"), &options, &new, NULL);
	is_str(str_of(e ? err_message(e) : ""),
	       STR("the diff is applied already: its reverse fits the file"), "applied already");
	ok(patch_is_applied(&p.p[0], STR("a\nB\nc\n"), false), "it is");
	ok(!patch_is_applied(&p.p[0], STR("a\nb\nc\n"), false), "it is not");
	ok(patch_is_applied(&p.p[0], STR("a\nb\nc\n"), true), "reversed already");
	(void)!patch_read(a, STR(NAMES "@@ -2 +1,0 @@\n-b\n"), &p);
	ok(!patch_is_applied(&p.p[0], STR("a\nc\n"), false),
	   "what only takes lines away, without context, cannot be told to be applied");
}

/* Contents in which every place is nearly right: it takes some time, but not for ever. */
static void alike(void)
{
	struct patch_options options = {2, false};
	struct patch p;
	struct buf diff = buf_in(a), old = buf_in(a);
	struct str new;

	for (size_t i = 0; i < 1000000; i++)
		buf_puts(&old, "\n");
	buf_puts(&diff, NAMES "@@ -1,5001 +1,5002 @@\n");
	for (size_t i = 0; i < 5000; i++)
		buf_puts(&diff, " \n");
	buf_puts(&diff, "-x\n+y\n+z\n");
	works(patch_read(a, buf_as_str(&diff), &p), "a long hunk");
	fails(patch_apply(a, &p.p[0], buf_as_str(&old), &options, &new, NULL), E_HUNK_FAILED,
	      "a line that is nowhere");
	old.n = 0;
	for (size_t i = 0; i < 400000; i++)
		buf_puts(&old, i % 2 ? "a\n" : "b\n");
	diff.n = 0;
	buf_puts(&diff, NAMES "@@ -1,200001 +1,200002 @@\n");
	for (size_t i = 0; i < 200000; i++)
		buf_puts(&diff, i % 2 ? " a\n" : " b\n");
	buf_puts(&diff, "-a\n+y\n+z\n");
	works(patch_read(a, buf_as_str(&diff), &p), "a hunk that almost repeats");
	fails(patch_apply(a, &p.p[0], buf_as_str(&old), &options, &new, NULL), E_HUNK_FAILED,
	      "is given up");
}

static void diffs(void)
{
	struct str out;

	(void)!git_diff_contents(a, "x", STR("a\nb\n"), "y", STR("a\nB"), 3, &out);
	is_str(out,
	       STR("--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n"),
	       "diff");
	(void)!git_diff_contents(a, "x", STR("a\n"), "y", STR("a\n"), 3, &out);
	is_str(out, STR(""), "no difference");
	(void)!git_diff_contents(a, "/dev/null", (struct str){0}, "a b", STR("\0\n"), 0, &out);
	is_str(out, STR("--- /dev/null\n+++ a b\t\n@@ -0,0 +1 @@\n+\0\n"),
	       "from nothing, with a NUL");
	(void)!git_diff_contents(a, "\"\n", STR("a\n"), "\\", STR("b\n"), 0, &out);
	is_str(str_sub(out, 0, 27), STR("--- \"\\\"\\012\"\n+++ \"\\\\\"\n@@ -1"), "odd names");
}

int main(void)
{
	a = arena_new();
	hunks();
	holds();
	beyond();
	malformed();
	names();
	ends();
	files();
	messages();
	alike();
	diffs();
	arena_free(a);
	return tap_done();
}
