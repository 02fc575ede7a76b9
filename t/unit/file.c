/* Files and stored assets: references, edits, hashes, sections, and changes. */
#include "tap.h"
#include "dir.h"
#include "file_changes.h"
#include "file/backend.h"

#define EMPTY_HASH "text:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* ---- what needs no file ---- */

static void refs(struct arena *a)
{
	struct files f = {.a = a};
	struct file_ref r;
	char longname[OS_PATH_MAX + 2];

	works(file_ref_resolve(&f, STR("src/x.c"), &r), "a relative path");
	ok(r.backend == &backend_fs, "is a file");
	is_str(r.path, STR("src/x.c"), "as it is");
	works(file_ref_resolve(&f, STR("ikigai:///blocks/x.md"), &r), "a URI");
	ok(r.backend == &backend_asset, "is an asset");
	is_str(r.path, STR("blocks/x.md"), "without slash");
	works(file_ref_resolve(&f, STR("ikigai://blocks/x.md"), &r), "with two slashes");
	is_str(r.path, STR("blocks/x.md"), "is the same");
	works(file_ref_resolve(&f, STR("a:b"), &r), "a colon is no scheme");
	works(file_ref_resolve(&f, STR("./http://x"), &r), "nor is one inside");
	works(file_ref_resolve(&f, STR("1x://y"), &r), "nor one that begins with a digit");
	works(file_ref_resolve(&f, STR("a b://y"), &r), "nor one with a blank");
	fails(file_ref_resolve(&f, STR(""), &r), E_BAD_PATH, "nothing");
	fails(file_ref_resolve(&f, STR("a\0b"), &r), E_BAD_PATH, "a NUL");
	fails(file_ref_resolve(&f, STR("http://x"), &r), E_BAD_PATH, "another scheme");
	fails(file_ref_resolve(&f, STR("ikigai:x"), &r), E_BAD_PATH, "too few slashes");
	fails(file_ref_resolve(&f, STR("ikigai:///../x"), &r), E_BAD_PATH, "a way up");
	memset(longname, 'x', sizeof(longname));
	fails(file_ref_resolve(&f, (struct str){longname, OS_PATH_MAX + 1}, &r), E_TOO_LONG,
	      "too long");
	works(file_ref_resolve(&f, (struct str){longname, OS_PATH_MAX}, &r), "just not too long");
}

static void edits(struct arena *a)
{
	const struct {
		struct str content, old, new, want;
		bool all;
		size_t count;
	} good[] = {
		{STR_INIT("one two"), STR_INIT("two"), STR_INIT("2"), STR_INIT("one 2"), false, 1},
		{STR_INIT("one"), STR_INIT("one"), STR_INIT(""), STR_INIT(""), false, 1},
		{STR_INIT("aaaa"), STR_INIT("aa"), STR_INIT("b"), STR_INIT("bb"), true, 2},
		{STR_INIT("aaa"), STR_INIT("aa"), STR_INIT("aaa"), STR_INIT("aaaa"), true, 1},
		{STR_INIT("a\0b"), STR_INIT("\0"), STR_INIT("\xff\0"), STR_INIT("a\xff\0b"), false,
		 1},
		{STR_INIT("x\r\ny"), STR_INIT("\r\n"), STR_INIT("\n"), STR_INIT("x\ny"), false, 1},
		{STR_INIT("abcabc"), STR_INIT("c"), STR_INIT(""), STR_INIT("abab"), true, 2},
		{STR_INIT("a\r\nb\r\nc\r\n"), STR_INIT("a\nb"), STR_INIT("x\ny\nz"),
		 STR_INIT("x\r\ny\r\nz\r\nc\r\n"), false, 1},
		{STR_INIT("a\r\nb\r\n"), STR_INIT("b"), STR_INIT("B\nB2"),
		 STR_INIT("a\r\nB\r\nB2\r\n"), false, 1},
		{STR_INIT("a\r\nb\r\n"), STR_INIT("\nb"), STR_INIT(""), STR_INIT("a\r\n"), false,
		 1},
		{STR_INIT("a\r\nb\r\n"), STR_INIT("b"), STR_INIT("x\r\ny\nz"),
		 STR_INIT("a\r\nx\r\ny\r\nz\r\n"), false, 1},
		{STR_INIT("a\r\nb\r\n"), STR_INIT("a\r\n"), STR_INIT("a\n"), STR_INIT("a\nb\r\n"),
		 false, 1},
		{STR_INIT("a\nb\nc\n"), STR_INIT("a\r\nb"), STR_INIT("x\r\ny"),
		 STR_INIT("x\ny\nc\n"), false, 1},
		{STR_INIT("a\nb\n"), STR_INIT("\n"), STR_INIT("\r\n"), STR_INIT("a\r\nb\r\n"), true,
		 2},
		{STR_INIT("a\nb\r\nc"), STR_INIT("c"), STR_INIT("c\nd"), STR_INIT("a\nb\r\nc\r\nd"),
		 false, 1},
		/* A byte order mark that only the two texts have is not put in. */
		{STR_INIT("a\nb\n"), STR_INIT(FILE_BOM "a\nb"), STR_INIT(FILE_BOM "x\nb"),
		 STR_INIT("x\nb\n"), false, 1},
		{STR_INIT(FILE_BOM "a\nb\nc\n"), STR_INIT(FILE_BOM "b\nc"),
		 STR_INIT(FILE_BOM "x\nc"), STR_INIT(FILE_BOM "a\nx\nc\n"), false, 1},
		{STR_INIT(FILE_BOM "a\nb\n"), STR_INIT("a\n"), STR_INIT("x\n"),
		 STR_INIT(FILE_BOM "x\nb\n"), false, 1},
		{STR_INIT("a\nb\n"), STR_INIT("a\n"), STR_INIT(FILE_BOM "x\n"),
		 STR_INIT(FILE_BOM "x\nb\n"), false, 1},
		/* Both line ends: a line that is kept keeps its own. */
		{STR_INIT("a\nb\r\nc\n"), STR_INIT("b"), STR_INIT("b\nx"),
		 STR_INIT("a\nb\r\nx\r\nc\n"), false, 1},
		{STR_INIT("a\r\nb\nc\r\n"), STR_INIT("b\nc"), STR_INIT("b"), STR_INIT("a\r\nb\n"),
		 false, 1},
		{STR_INIT("a\r\nb\nc\r\n"), STR_INIT("\nc"), STR_INIT(""), STR_INIT("a\r\nb\n"),
		 false, 1},
		{STR_INIT("a\nb\r\nc\nd\n"), STR_INIT("\nc"), STR_INIT(""), STR_INIT("a\nb\r\nd\n"),
		 false, 1},
		{STR_INIT("b\nc\r\nb\nc\n"), STR_INIT("b\nc"), STR_INIT("b"), STR_INIT("b\nb\n"),
		 true, 2},
		/* All places, also those that differ in their line ends. */
		{STR_INIT("b\nc\r\nb\r\nc\nb\nc"), STR_INIT("b\nc"), STR_INIT("x"),
		 STR_INIT("x\r\nx\nx"), true, 3},
		{STR_INIT("b\r\nc\nb\nc\n"), STR_INIT("b\nc"), STR_INIT("b\nd"),
		 STR_INIT("b\r\nd\nb\nd\n"), true, 2},
		{STR_INIT("b\r\nc\n"), STR_INIT("b\nc\r\n"), STR_INIT("x\n"), STR_INIT("x\n"), true,
		 1},
		{STR_INIT("b\r\nc\n"), STR_INIT("\nc"), STR_INIT("c"), STR_INIT("bc\n"), true, 1},
		{STR_INIT("b\rc\r\nb\r\nc\n"), STR_INIT("b\r"), STR_INIT("x\n"),
		 STR_INIT("x\r\nc\r\nx\r\n\nc\n"), true, 2},
		{STR_INIT("a\n\r\n"), STR_INIT("\n"), STR_INIT("\r\n"), STR_INIT("a\r\n\r\n"), true,
		 1},
		{STR_INIT("x x\r\nx\n"), STR_INIT("x"), STR_INIT("x\ny"),
		 STR_INIT("x\r\ny x\r\ny\r\nx\ny\n"), true, 3},
		{STR_INIT("a\r\nb\n"), STR_INIT("a\r\n"), STR_INIT("a\n"), STR_INIT("a\nb\n"),
		 false, 1},
		{STR_INIT("a\r\nb\r\nc\n"), STR_INIT("\r\n"), STR_INIT("\n"), STR_INIT("a\nb\nc\n"),
		 true, 2},
		{STR_INIT("a\r\nb\nc\n"), STR_INIT("a\nb"), STR_INIT("x"), STR_INIT("x\nc\n"),
		 false, 1},
		{STR_INIT("a\r\n\0b"), STR_INIT("b"), STR_INIT("b\n"), STR_INIT("a\r\n\0b\n"),
		 false, 1},
	};
	const struct {
		struct str content, old, new;
		enum err_reason reason;
	} bad[] = {
		{STR_INIT("abc"), STR_INIT(""), STR_INIT("x"), E_BAD_ARGUMENT},
		{STR_INIT("abc"), STR_INIT("b"), STR_INIT("b"), E_BAD_ARGUMENT},
		{STR_INIT("abc"), STR_INIT("d"), STR_INIT("x"), E_NO_SUCH_TEXT},
		{STR_INIT(""), STR_INIT("d"), STR_INIT("x"), E_NO_SUCH_TEXT},
		{STR_INIT("abc"), STR_INIT("\n\n"), STR_INIT("x"), E_NO_SUCH_TEXT},
		{STR_INIT("aaa"), STR_INIT("aa"), STR_INIT("x"), E_NOT_UNIQUE},
		{STR_INIT("a\r\nb\r\n"), STR_INIT("a\nb"), STR_INIT("a\r\nb"), E_BAD_ARGUMENT},
	};
	const struct file_edit bytes = {STR("b"), STR("b\n"), false, true};
	struct file_edited done;
	struct str out;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct file_edit e = {good[i].old, good[i].new, good[i].all, false};

		works(file_edit_text(a, good[i].content, &e, &out, &done), "an edit");
		is_str(out, good[i].want, "its text");
		ok(out.p && done.count == good[i].count, "its count");
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct file_edit e = {bad[i].old, bad[i].new, false, false};

		fails(file_edit_text(a, bad[i].content, &e, &out, &done), bad[i].reason, "no edit");
	}
	works(file_edit_text(a, STR("a\r\nb\r\n"), &bytes, &out, &done), "bytes");
	is_str(out, STR("a\r\nb\n\r\n"), "are put in as they are");
	ok(!done.ends && !done.mixed, "without a word");
}

static void appends(struct arena *a)
{
	const struct {
		struct str content, text, want;
		enum file_ends ends;
		bool mixed;
	} all[] = {
		{STR_INIT("a"), STR_INIT("b"), STR_INIT("a\nb"), FILE_ENDS_NONE, false},
		{STR_INIT("a\n"), STR_INIT("b"), STR_INIT("a\nb"), FILE_ENDS_NONE, false},
		{STR_INIT("a"), STR_INIT(""), STR_INIT("a"), FILE_ENDS_NONE, false},
		{STR_INIT(""), STR_INIT("b\r\n"), STR_INIT("b\r\n"), FILE_ENDS_NONE, false},
		{STR_INIT("a\r\nb"), STR_INIT("c"), STR_INIT("a\r\nb\r\nc"), FILE_ENDS_NONE, false},
		{STR_INIT("a\r\n"), STR_INIT("c\nd\n"), STR_INIT("a\r\nc\r\nd\r\n"), FILE_ENDS_CRLF,
		 false},
		{STR_INIT("a\n"), STR_INIT("c\r\nd"), STR_INIT("a\nc\nd"), FILE_ENDS_LF, false},
		{STR_INIT("a\nb\r\n"), STR_INIT("c\n"), STR_INIT("a\nb\r\nc\n"), FILE_ENDS_NONE,
		 true},
		{STR_INIT("a"), STR_INIT("b\r\nc\n"), STR_INIT("a\nb\r\nc\n"), FILE_ENDS_NONE,
		 true},
		{STR_INIT("a\nb\r"), STR_INIT("c"), STR_INIT("a\nb\r\nc"), FILE_ENDS_NONE, true},
		{STR_INIT("a\nb\r"), STR_INIT(""), STR_INIT("a\nb\r"), FILE_ENDS_NONE, false},
		{STR_INIT("a\r\nb\r"), STR_INIT("c"), STR_INIT("a\r\nb\r\nc"), FILE_ENDS_NONE,
		 false},
	};
	struct file_edited done;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		is_str(file_content_append(a, all[i].content, all[i].text, false, &done),
		       all[i].want, "an append");
		ok(done.ends == all[i].ends && done.mixed == all[i].mixed, "what it tells");
	}
	is_str(file_content_append(a, STR("a\r\n"), STR("b\n"), true, &done), STR("a\r\nb\n"),
	       "bytes");
	ok(!done.ends && !done.mixed, "without a word");
	ok(file_content_append(a, STR(""), STR(""), false, &done).p,
	   "nothing to nothing is not to remove it");
}

static struct str hash(struct arena *a, struct str text)
{
	struct str out = {"(error)", 7};

	return file_text_hash(a, text, &out) ? STR("(error)") : out;
}

static void hashes(struct arena *a)
{
	struct str want = hash(a, STR("a\n\nb\n")), out;
	const struct str same[] = {
		STR("a\n\nb"),       STR("a\r\n\r\nb\r\n"), STR("a\r\rb\r"),
		STR("a \n\t\nb\t "), STR("a\n\nb\n\n\n"),   STR("a\r\n \nb\n\t"),
	};
	const struct str differ[] = {STR("a\nb\n"), STR(" a\n\nb\n"), STR("\na\n\nb\n"),
				     STR("a\n\n\nb\n")};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		is_str(hash(a, same[i]), want, "the same text");
	for (size_t i = 0; i < ARRAY_SIZE(differ); i++)
		ok(!str_eq(hash(a, differ[i]), want), "another text");
	is_str(hash(a, STR("")), STR(EMPTY_HASH), "nothing");
	is_str(hash(a, STR(" \r\n\n")), STR(EMPTY_HASH), "and blanks are nothing");
	fails(file_text_hash(a, STR("a\0"), &out), E_NOT_TEXT, "a NUL");
	fails(file_text_hash(a, STR("a\xff"), &out), E_NOT_TEXT, "no UTF-8");
}

static void sections(struct arena *a)
{
	struct str text = STR("# Top\n\n## One\n<!-- @anchor: first v12 -->\n\nx\n\n## Two\n\ny\n"
			      "\n### Deep\nz\n");
	struct str out;

	works(file_section(a, text, STR("first v12"), &out), "an anchor");
	is_str(out, STR("## One\n<!-- @anchor: first v12 -->\n\nx\n\n"), "its section");
	works(file_section(a, text, STR("first"), &out), "without its version");
	works(file_section(a, text, STR("one"), &out), "the slug");
	ok(out.p > text.p && out.p < text.p + text.n, "a slice");
	works(file_section(a, text, STR("two"), &out), "one with another in it");
	is_str(out, STR("## Two\n\ny\n\n### Deep\nz\n"), "has that too");
	fails(file_section(a, text, STR("firs"), &out), E_NO_SUCH_SECTION, "no such name");
	fails(file_section(a, text, STR(""), &out), E_NO_SUCH_SECTION, "no name");
	fails(file_section(a, STR("plain"), STR("x"), &out), E_NO_SUCH_SECTION, "no headings");
	fails(file_section(a, STR("\xff"), STR("x"), &out), E_NOT_TEXT, "no text");
}

/* ---- changes, on both backends ---- */

static void changes(struct files *f, const char *path)
{
	struct file_write w = {.op = "write"}, once = {.op = "write", .flags = OS_EXCLUSIVE};
	struct file_write old = {.op = "write", .existing = true};
	struct file_change *c;
	struct file_done done;
	struct str nothing = {0};

	works(change(f, path, &w, nothing, &done), "to remove what is not there");
	ok(!done.changed && !done.created && !done.hash.n, "does nothing");
	ok(begin(f, path, &old, &c) != NULL, "what must be there, and is not");
	works(change(f, path, &once, STR("one"), &done), "new");
	ok(done.created && done.changed && done.size == 3 && !done.before.n, "is new");
	fails(change(f, path, &once, STR("two"), &done), E_EXISTS, "exclusively");
	works(begin(f, path, &old, &c), "begin");
	is_str(c->old, STR("one"), "gives what is there");
	ok(file_abort(c, NULL) == NULL, "drop");
	is_str(now(f, path), STR("one"), "changes nothing");
	works(change(f, path, &w, STR("one"), &done), "the same");
	ok(!done.changed && str_eq(done.before, done.hash), "is no change");
	w.if_match = done.hash;
	works(change(f, path, &w, STR("two"), &done), "a hash that is right");
	fails(change(f, path, &w, STR("three"), &done), E_CHANGED, "and is not any more");
	w.if_match = STR("none");
	fails(change(f, path, &w, STR("three"), &done), E_CHANGED, "nothing, but it is there");
	w.if_match = STR("sha256:x");
	fails(change(f, path, &w, STR("three"), &done), E_BAD_ARGUMENT, "no hash");
	w.if_match = nothing;
	works(change(f, path, &w, STR(""), &done), "to empty it");
	ok(done.changed && done.hash.n && !done.size, "is not to remove it");
	is_str(now(f, path), STR(""), "it is empty");
	works(change(f, path, &w, nothing, &done), "to remove it");
	ok(done.changed && !done.hash.n && done.before.n, "is a change");
	is_str(now(f, path), STR("(none)"), "it is gone");
}

/* Another program, which knows nothing of our lock, comes in between. */
static void intruder(struct files *f)
{
	struct file_write w = {.op = "write"};
	struct file_change *c;
	struct file_done done;

	works(begin(f, "theirs", &w, &c), "nothing is there");
	dir_put("theirs", "theirs");
	fails(file_commit(c, STR("ours"), &done), E_CHANGED, "made meanwhile");
	is_str(now(f, "theirs"), STR("theirs"), "is not overwritten");
}

static void parents(struct files *f)
{
	struct file_write w = {.op = "write", .flags = OS_PARENTS};
	struct file_change *c;
	struct file_done done;

	works(begin(f, "p/q/f", &w, &c), "begin");
	ok(!access("p/q", F_OK), "makes the folders that it locks");
	ok(!file_abort(c, NULL) && access("p", F_OK), "and drop removes them");
	works(change(f, "p/q/f", &w, STR("x"), &done), "written");
	is_str(now(f, "p/q/f"), STR("x"), "with its folders");
}

/* The end of the call's arena releases everything that begin holds. */
static void net(struct files *f, const char *path)
{
	const struct file_write w = {.op = "write"};
	struct files own = *f;
	struct file_change *c;
	struct file_done done;

	own.a = arena_new();
	works(begin(&own, path, &w, &c), "begin");
	arena_free(own.a);
	works(change(f, path, &w, STR("after"), &done), "the next change does not wait");
	works(change(f, path, &w, (struct str){0}, &done), "and leaves no trace");
}

static void moves(struct files *f, const char *one, const char *two)
{
	const struct file_write w = {.op = "move"};
	struct file_ref from, to;
	struct file_change *c;
	struct file_done done;

	works(file_ref_resolve(f, str_of(one), &from), "a name");
	works(file_ref_resolve(f, str_of(two), &to), "another");
	ok(file_move(f, &from, &to, &w, &done) != NULL, "nothing to move");
	works(file_put(f, &from, &w, STR("text"), &done), "made");
	works(file_move(f, &from, &to, &w, &done), "moved");
	is_str(now(f, two), STR("text"), "is there");
	is_str(now(f, one), STR("(none)"), "and here no more");
	works(file_put(f, &from, &w, STR("new"), &done), "made again");
	fails(file_move(f, &from, &to, &w, &done), E_EXISTS, "a name that is taken");
	works(file_put(f, &to, &w, (struct str){0}, &done), "free again");
	works(file_begin_move(f, &from, &to, &w, false, &c), "a move with another text");
	is_str(c->old, STR("new"), "gives the text");
	works(file_commit(c, STR("newer"), &done), "moved and changed");
	is_str(now(f, two), STR("newer"), "both");
	works(file_put(f, &to, &w, (struct str){0}, &done), "removed");
}

/* Several files of both backends: all or none. */
static void several(struct files *f)
{
	const char *const names[] = {"d1/a", "d2/b", "ikigai:///d/c"};
	const struct file_write parents = {.op = "write", .flags = OS_PARENTS};
	struct file_item items[3], busy[3];
	struct file_step steps[3];
	struct file_change *c;
	struct file_done done;
	struct err *e;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		works(change(f, names[i], &parents, STR("old"), &done), names[i]);
		items[i] = (struct file_item){0};
		works(file_ref_resolve(f, str_of(names[i]), &items[i].ref), "its name");
		steps[i] = (struct file_step){
			.at = &items[i], .w = {.op = "patch"}, .new = STR_INIT("new")};
	}
	memcpy(busy, items, sizeof(busy));
	works(file_begin_all(f, items, ARRAY_SIZE(items), &c), "begin");
	works(file_commit_all(c, steps, ARRAY_SIZE(steps)), "commit");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		is_str(now(f, names[i]), STR("new"), names[i]);

	memcpy(items, busy, sizeof(items));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		steps[i].new = STR("newer");
	works(file_begin_all(f, items, ARRAY_SIZE(items), &c), "begin");
	ok(!rename("d2", "d3"), "a folder goes away");
	dir_put("d2", "a file has its name");
	ok(!link("d3/b", "d3/other"), "a file gets a second name");
	e = file_commit_all(c, steps, ARRAY_SIZE(steps));
	fails(e, E_HARD_LINKED, "the second file cannot be written");
	ok(e && strstr(err_message(e), "no file was changed"), "the answer says so");
	is_str(now(f, "d1/a"), STR("new"), "the first is put back");
	is_str(now(f, "d3/b"), STR("new"), "the second is as it was");
	is_str(now(f, "ikigai:///d/c"), STR("new"), "and so is the asset");
	ok(!system("rm -r d1 d2 d3"), "removed");
	works(change(f, names[2], &parents, (struct str){0}, &done), "removed");
}

/* ---- actions that are forbidden between begin and commit ---- */

static int wait_inside(void *ctx)
{
	const char *const argv[] = {"true", NULL};
	const struct os_spawn child = {.argv = argv};
	const struct file_write w = {.op = "write"};
	struct files *f = ctx;
	struct file_change *c;
	struct os_result r;

	return begin(f, "f", &w, &c) || os_run(f->a, &child, &r) ? 2 : 3;
}

static int read_inside(void *ctx)
{
	const struct file_write w = {.op = "write"};
	struct files *f = ctx;
	struct file_change *c;
	struct str text;

	return begin(f, "f", &w, &c) || os_read_fd(f->a, 0, "-", 10, &text) ? 2 : 3;
}

static int begin_inside(void *ctx)
{
	const struct file_write w = {.op = "write"};
	struct files *f = ctx;
	struct file_change *c;

	return begin(f, "f", &w, &c) || begin(f, "g", &w, &c) ? 2 : 3;
}

static void bugs(struct files *f)
{
	ok(WIFSIGNALED(dir_fork(wait_inside, f, false)), "running a program is a BUG");
	ok(WIFSIGNALED(dir_fork(read_inside, f, false)), "reading standard input is a BUG");
	ok(WIFSIGNALED(dir_fork(begin_inside, f, false)), "another begin is a BUG");
}

/* Two processes lock the same two folders in opposite order, again and again. */
static void crossing(struct arena *a, const char *dir)
{
	const struct file_write w = {.op = "write", .flags = OS_PARENTS};
	struct files f = {.a = a};
	struct file_done done;
	int good = 0;

	works(change(&f, "x/1", &w, STR(""), &done), "a folder");
	works(change(&f, "y/1", &w, STR(""), &done), "another");
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			struct arena *mine = arena_new();
			struct files own = {.a = mine};
			int bad = 0;

			for (int n = 0; n < 100 && !bad; n++) {
				struct file_item items[2] = {0};
				struct file_step steps[2] = {0};
				struct file_change *c;

				bad = file_ref_resolve(&own, str_of(i ? "x/1" : "y/1"),
						       &items[0].ref) ||
				      file_ref_resolve(&own, str_of(i ? "y/1" : "x/1"),
						       &items[1].ref) ||
				      file_begin_all(&own, items, 2, &c);
				for (int k = 0; !bad && k < 2; k++)
					steps[k] = (struct file_step){
						.at = &items[k],
						.w = {.op = "append"},
						.new = str_fmt(mine, "%.*s.",
							       STR_ARG(items[k].content))};
				bad = bad || file_commit_all(c, steps, 2);
			}
			arena_free(mine);
			_exit(bad);
		}
	for (int i = 0, status; i < 2; i++)
		good += wait(&status) > 0 && !status;
	is_int(good, 2, "changes that cross do not wait for each other");
	is_int(now(&f, "x/1").n, 200, "and no part of them is lost");
	is_int(now(&f, "y/1").n, 200, "in either file");
	(void)dir;
}

int main(void)
{
	struct arena *a = arena_new();
	struct assets s = {
		.agent = STR_INIT("default"), .budget = 1000, .keep_versions = 10, .keep_days = 10};
	struct files f = {.a = a, .assets = &s};
	struct strs dirs = {0};
	struct os_roots *roots;
	const char *dir = dir_fresh(a);

	s.db = db_new(a, os_join(a, dir, "ikm.db"));
	refs(a);
	edits(a);
	appends(a);
	hashes(a);
	sections(a);
	changes(&f, "f");
	changes(&f, "ikigai:///t/f");
	intruder(&f);
	parents(&f);
	net(&f, "f");
	net(&f, "ikigai:///t/f");
	moves(&f, "f", "g");
	moves(&f, "ikigai:///t/f", "ikigai:///u/g");
	several(&f);
	bugs(&f);
	crossing(a, dir);
	strs_push(a, &dirs, str_of(dir));
	works(os_roots_new(a, &dirs, NULL, &roots), "roots");
	f.roots = roots;
	ok(!remove("theirs") && !system("rm -r p"), "again");
	changes(&f, "f");
	intruder(&f);
	parents(&f);
	arena_free(a);
	return tap_done();
}
