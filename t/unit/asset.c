/* Stored assets: names, changes, versions, pins, the budget. Counts come from token_estimate(), so
 * nothing here depends on how well it estimates. */
#include "asset/asset.h"
#include "crypt/crypt.h"
#include "dir.h"
#include "os/os.h"
#include "tap.h"

/* One change, as the files of both backends make it; p NULL removes. add: behind what is there. */
static struct err *put_in(struct assets *s, struct arena *a, const char *path, struct str text,
			  bool add)
{
	struct db_txn t DB_TXN = {0};
	struct asset old;
	bool there;

	TRY(db_begin(&t, s->db));
	TRY(asset_get(s, a, str_of(path), true, &old, &there));
	if (add)
		text = str_fmt(a, "%.*s%.*s", STR_ARG(old.content), STR_ARG(text));
	if (text.p)
		TRY(asset_put(s, a, str_of(path), there ? &old : NULL, "write", text,
			      crypt_content_hash(a, text)));
	else
		TRY(asset_remove(s, &old, "remove"));
	return db_commit(&t);
}

static struct err *put(struct assets *s, struct arena *a, const char *path, struct str text)
{
	struct arena *own = arena_new();
	struct err *e = put_in(s, own, path, text, false);

	(void)a;
	arena_free(own);
	return e;
}

static struct err *move_in(struct assets *s, struct arena *a, const char *from, const char *to)
{
	struct db_txn t DB_TXN = {0};
	struct asset old;
	bool there;

	TRY(db_begin(&t, s->db));
	TRY(asset_get(s, a, str_of(from), false, &old, &there));
	TRY(asset_rename(s, &old, str_of(to)));
	return db_commit(&t);
}

static struct err *move(struct assets *s, const char *from, const char *to)
{
	struct arena *own = arena_new();
	struct err *e = move_in(s, own, from, to);

	arena_free(own);
	return e;
}

static struct asset get(struct assets *s, struct arena *a, const char *path)
{
	struct asset out;
	bool found;

	if (asset_get(s, a, str_of(path), true, &out, &found) || !found)
		return (struct asset){0};
	return out;
}

static struct asset_budget budget(struct assets *s, struct arena *a)
{
	struct asset_list all = {0};

	works(asset_list_pinned(s, a, false, &all), "what is pinned");
	return asset_budget_of_pinned(s, &all);
}

static struct assets store(struct arena *a, const char *dir, const char *name)
{
	return (struct assets){.db = db_new(a, os_join(a, dir, name)),
			       .agent = STR("one"),
			       .budget = 1000000,
			       .keep_versions = 100,
			       .keep_days = 365};
}

/* ---- names ---- */

static void test_paths(struct arena *a)
{
	static const struct {
		const char *text;
		bool bare;
		const char *want; /* NULL: BAD_PATH */
	} cases[] = {
		{"ikigai:///blocks/x.md", false, "blocks/x.md"},
		{"ikigai://blocks/x.md", false, "blocks/x.md"},
		{"ikigai:///x", true, "x"},
		{"blocks/x.md", true, "blocks/x.md"},
		{"blocks/x.md", false, NULL},
		{"a b/\xc3\xa9.md", true, "a b/\xc3\xa9.md"},
		{"...", true, "..."},
		{"ikigai://", true, NULL},
		{"ikigai:///", true, NULL},
		{"ikigai:////x", true, NULL},
		{"", true, NULL},
		{"/x", true, NULL},
		{"x/", true, NULL},
		{"a//b", true, NULL},
		{"./a", true, NULL},
		{"a/.", true, NULL},
		{"a/../b", true, NULL},
		{"ikigai:///../b", true, NULL},
		{"http://a/b", true, NULL},
		{"ikigai:/x", false, NULL},
		{"\xff", true, NULL},
	};
	struct str out;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err *e = asset_path_read(a, str_of(cases[i].text), cases[i].bare, &out);

		if (cases[i].want)
			ok(!e && str_is(out, cases[i].want), "'%s' is a path", cases[i].text);
		else
			fails(e, E_BAD_PATH, cases[i].text);
	}
	fails(asset_path_read(a, (struct str){"a\0b", 3}, true, &out), E_BAD_PATH,
	      "a NUL in a path");
	fails(asset_path_read(a, str_fmt(a, "%05000d", 1), true, &out), E_TOO_LONG, "a long path");
	is_str(asset_uri(a, STR("a/b")), STR("ikigai:///a/b"), "the URI");
}

static void test_resolve(struct arena *a, const char *dir)
{
	struct assets s = store(a, dir, "resolve.db");
	struct str path;
	struct err *e;

	works(put(&s, a, "blocks/both", STR("1")), "put");
	works(put(&s, a, "blocks/both.md", STR("2")), "put");
	works(put(&s, a, "blocks/patterns.md", STR("3")), "put");
	works(asset_resolve(&s, a, STR("blocks/patterns"), &path), "without .md");
	is_str(path, STR("blocks/patterns.md"), "it is found");
	works(asset_resolve(&s, a, STR("ikigai:///blocks/both"), &path), "with a scheme");
	is_str(path, STR("blocks/both"), "the exact name goes first");
	e = asset_resolve(&s, a, STR("blocks/paterns"), &path);
	fails(e, E_NO_SUCH_ASSET, "a slip of the hand");
	ok(strstr(val_get(err_envelope(a, e), "help")->first->first->s.p, "'blocks/patterns.md'"),
	   "is helped with the nearest");
	works(asset_resolve(&s, a, STR("patterns"), &path), "a block without its folder");
	is_str(path, STR("blocks/patterns.md"), "is found");
	e = asset_resolve(&s, a, STR("paterns"), &path);
	fails(e, E_NO_SUCH_ASSET, "a slip of the hand without the folder");
	ok(strstr(val_get(err_envelope(a, e), "help")->first->first->s.p, "'blocks/patterns.md'"),
	   "is helped too");
}

/* ---- changes ---- */

static void test_change(struct arena *a, const char *dir)
{
	struct assets s = store(a, dir, "change.db");
	struct asset_meta meta = {STR("what it is"), ASSET_PREFERENCE, 1};
	struct asset_meta thaw = {{0}, -1, 0};
	struct str text = STR("hello\n"), none = {0};
	struct asset it;

	works(put(&s, a, "blocks/x", text), "a new one");
	it = get(&s, a, "blocks/x");
	is_int(it.category, ASSET_BLOCK, "is a block");
	is_int(it.size, 6, "has its size");
	is_int(it.tokens, (long long)token_estimate(text, s.model), "and its tokens");
	is_str(it.hash, crypt_content_hash(a, text), "and its hash");
	works(put(&s, a, "skills/y", text), "a skill");
	is_int(get(&s, a, "skills/y").category, ASSET_SKILL, "by its folder");
	works(put(&s, a, "preferences/y", text), "a preference");
	is_int(get(&s, a, "preferences/y").category, ASSET_PREFERENCE, "by its folder");

	works(asset_set_description(&s, a, STR("blocks/x"), &meta, &it), "described");
	fails(asset_set_description(&s, a, STR("blocks/nope"), &meta, &it), E_NO_SUCH_ASSET,
	      "no such");
	works(asset_set_description(&s, a, STR("blocks/x"), &meta, &it), "described again");
	is_int(it.category, ASSET_PREFERENCE, "category");
	is_str(it.description, STR("what it is"), "description");
	fails(put(&s, a, "blocks/x", STR("other")), E_READ_ONLY_ASSET, "read-only: write");
	fails(put(&s, a, "blocks/x", none), E_READ_ONLY_ASSET, "read-only: remove");
	fails(move(&s, "blocks/x", "blocks/z"), E_READ_ONLY_ASSET, "read-only: move");
	works(asset_set_description(&s, a, STR("blocks/x"), &thaw, &it), "thawed");
	is_str(it.description, STR("what it is"), "what is left alone stays");
	works(put(&s, a, "blocks/x", STR("other")), "and written");
	fails(put(&s, a, "blocks/x", STR("a\xff")), E_NOT_TEXT, "no UTF-8");
	fails(put(&s, a, "blocks/x", ((struct str){"a\0b", 3})), E_NOT_TEXT, "a NUL");
	fails(put(&s, a, "blocks/x",
		  str_dup(a, (struct str){arena_alloc(a, (8 << 20) + 1), (8 << 20) + 1})),
	      E_TOO_LONG, "too long");
	is_str(get(&s, a, "blocks/x").content, STR("other"), "nothing of these was written");
	works(put(&s, a, "blocks/empty", STR("")), "an empty content");
	is_int(get(&s, a, "blocks/empty").size, 0, "is one");
}

static void test_list(struct arena *a, const char *dir)
{
	static const char *const names[] = {"blocks/b",  "blocks/a", "blocks/a/b", "blocks0",
					    "blocks.md", "c/d",      "\xc3\xa9"};
	struct assets s = store(a, dir, "list.db");
	struct asset_list all = {0}, some = {0}, none = {0};
	bool was;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		works(put(&s, a, names[i], STR("x")), names[i]);
	works(asset_pin(&s, STR("c/d"), &was), "pin");
	works(asset_pin(&s, STR("blocks/a"), &was), "pin");
	works(asset_list_by_prefix(&s, a, STR(""), &all), "all");
	is_int(all.n, ARRAY_SIZE(names), "are listed");
	works(asset_list_by_prefix(&s, a, STR("blocks"), &some), "a folder");
	is_int(some.n, 3, "what is in it");
	is_str(some.p[0].path, STR("blocks/a"), "sorted");
	is_str(some.p[1].path, STR("blocks/a/b"), "sorted");
	ok(some.p[0].pinned, "whether it is pinned");
	ok(!some.p[2].pinned, "or not");
	works(asset_list_by_prefix(&s, a, STR("block"), &none), "half a name");
	is_int(none.n, 0, "is no folder");
}

/* ---- versions ---- */

static void test_versions(struct arena *a, const char *dir)
{
	struct assets s = store(a, dir, "versions.db");
	struct asset_versions v = {0}, moved = {0}, left = {0};
	struct asset_version one;
	struct str none = {0};
	bool found;

	for (int i = 1; i <= 5; i++)
		works(put(&s, a, "b/x", str_fmt(a, "text %d", i)), "put");
	works(asset_history(&s, a, STR("b/x"), &v), "history");
	is_int(v.n, 4, "what was replaced is kept");
	is_int(v.p[0].number, 4, "newest first");
	is_str(v.p[0].op, STR("write"), "with what replaced it");
	works(asset_version(&s, a, STR("b/x"), 2, &one), "a version");
	is_str(one.content, STR("text 2"), "has its content");
	fails(asset_version(&s, a, STR("b/x"), 9, &one), E_NO_SUCH_VERSION, "none such");
	works(asset_version_by_hash(&s, a, STR("b/x"), crypt_content_hash(a, STR("text 3")), &one,
				    &found),
	      "by hash");
	ok(found && one.number == 3, "is found");

	works(put(&s, a, "b/x", none), "removed");
	ok(!get(&s, a, "b/x").path.p, "is gone");
	works(asset_version(&s, a, STR("b/x"), 5, &one), "and its last content");
	is_str(one.content, STR("text 5"), "is a version");
	works(put(&s, a, "b/x", one.content), "put back");

	/* A name that had its own versions before. */
	works(put(&s, a, "b/y", STR("y1")), "another");
	works(put(&s, a, "b/y", STR("y2")), "twice");
	works(put(&s, a, "b/y", none), "removed");
	works(asset_history(&s, a, STR("b/x"), &v), "history");
	works(move(&s, "b/x", "b/y"), "moved there");
	works(asset_history(&s, a, STR("b/y"), &moved), "history");
	works(asset_history(&s, a, STR("b/x"), &left), "history of the old name");
	is_int(left.n, 0, "is empty");
	is_int(moved.n, 2 + 5, "both histories are there");
	is_int(moved.p[0].number, 7, "numbered on");
	is_str(moved.p[0].hash, crypt_content_hash(a, STR("text 5")), "the latest first");
	is_str(moved.p[6].hash, crypt_content_hash(a, STR("y1")), "the oldest last");
	works(put(&s, a, "b/x", STR("new")), "the old name again");
	works(put(&s, a, "b/x", STR("new 2")), "changed");
	works(asset_history(&s, a, STR("b/x"), &left), "history");
	is_int(left.p[0].number, 6, "no number is given twice");
}

static void test_prune(struct arena *a, const char *dir)
{
	struct assets s = store(a, dir, "prune.db");
	struct asset_versions v = {0}, w = {0};

	s.keep_versions = 3;
	for (int i = 1; i <= 10; i++)
		works(put(&s, a, "b/x", str_fmt(a, "text %d", i)), "put");
	works(asset_history(&s, a, STR("b/x"), &v), "history");
	is_int(v.n, 3, "so many are kept");
	is_int(v.p[0].number, 9, "the newest");
	s.keep_days = 0;
	works(put(&s, a, "b/y", STR("1")), "another");
	works(put(&s, a, "b/x", STR("last")), "put");
	v.n = 0;
	works(asset_history(&s, a, STR("b/x"), &v), "history");
	is_int(v.n, 0, "none is kept for no day");
	s.keep_days = INT64_MAX;
	works(put(&s, a, "b/x", STR("after")), "put");
	works(asset_history(&s, a, STR("b/x"), &w), "history");
	is_int(w.n, 1, "for all days");
	is_int(w.p[0].number, 11, "numbers go on when versions are gone");
}

/* ---- the budget ---- */

static struct str words(struct arena *a, size_t tokens)
{
	struct buf b = buf_in(a);

	while (token_estimate(buf_as_str(&b), TOKEN_O200K) < tokens)
		for (size_t i = 0; i < tokens / 20 + 1; i++)
			buf_puts(&b, "the quick brown fox ");
	return buf_as_str(&b);
}

static void test_budget(struct arena *a, const char *dir)
{
	struct assets one = store(a, dir, "budget.db"), two = one;
	struct asset_budget used;
	struct str k95 = words(a, 9500), k8 = words(a, 8000), k2 = words(a, 2000);
	int64_t n95 = (int64_t)token_estimate(k95, TOKEN_O200K);
	int64_t n8 = (int64_t)token_estimate(k8, TOKEN_O200K);
	char want[200];
	struct err *e;
	bool was;

	one.budget = two.budget = n95 + 500;
	two.agent = STR("two");
	works(put(&one, a, "b/old", k95), "a block");
	works(asset_pin(&one, STR("b/old"), &was), "pinned");
	ok(!was, "it was not before");
	works(asset_pin(&one, STR("b/old"), &was), "twice is fine");
	ok(was, "and told");
	works(put(&one, a, "b/big", k8), "what is not pinned has no budget");
	e = asset_pin(&one, STR("b/big"), &was);
	fails(e, E_OVER_BUDGET, "pinning it has");
	snprintf(want, sizeof(want),
		 "Block budget exceeded: %dk/%dk tokens. This write would use %dk "
		 "tokens. Use /compact or /unpin to free space.",
		 (int)(n95 / 1000), (int)(one.budget / 1000), (int)(n8 / 1000));
	is_str(str_of(err_message(e)), str_of(want), "the required message, word for word");
	used = budget(&one, a);
	is_int(used.used, n95, "used");
	is_int(used.limit, one.budget, "limit");
	is_int(used.level, n95 * 100 > used.limit * 95 ? ASSET_CRITICAL : ASSET_WARNING, "level");

	works(asset_pin(&two, STR("b/big"), &was), "another agent has a budget of his own");
	fails(put(&one, a, "b/old", words(a, (size_t)n95 + 1000)), E_OVER_BUDGET, "growing it");
	works(put(&one, a, "b/big", words(a, (size_t)n95 + 1000)), "one may grow what two pinned");
	used = budget(&two, a);
	is_int(used.level, ASSET_OVER, "who is over then");
	fails(put(&two, a, "b/big", words(a, (size_t)n95 + 1100)), E_OVER_BUDGET,
	      "and cannot grow");
	works(put(&two, a, "b/big", words(a, (size_t)n95 + 600)), "but shrink, though still over");
	works(put(&one, a, "b/old", k2), "compacted");
	works(move(&one, "b/old", "b/new"), "moved");
	used = budget(&one, a);
	is_int(used.used, (long long)token_estimate(k2, TOKEN_O200K), "pins go along");
	one.budget = 3000;
	fails(put(&one, a, "b/new", k95), E_OVER_BUDGET, "restoring what was larger");
	works(asset_unpin(&one, STR("b/new"), &was), "unpinned");
	ok(was, "it was pinned");
	works(asset_unpin(&one, STR("b/new"), &was), "twice is fine");
	ok(!was, "and told");
	works(put(&one, a, "b/new", k95), "then it may come back");
	fails(asset_pin(&one, STR("b/nope"), &was), E_NO_SUCH_ASSET, "no such");
}

static void test_model(struct arena *a, const char *dir)
{
	struct assets s = store(a, dir, "model.db"), other = s;
	struct str text = words(a, 3000);
	struct asset_budget used;
	bool was;

	other.model = TOKEN_CL100K;
	works(put(&s, a, "b/x", text), "counted for one model");
	works(asset_pin(&s, STR("b/x"), &was), "pinned");
	used = budget(&other, a);
	is_int(used.used, (long long)token_estimate(text, TOKEN_CL100K), "is counted anew");
	is_int(get(&other, a, "b/x").tokens, used.used, "and so is what is listed");
}

/* ---- many at once ---- */

static void test_many(struct arena *a, const char *dir)
{
	int good = 0;
	struct assets s;

	for (int i = 0; i < 40; i++)
		if (!fork()) {
			struct arena *mine = arena_new();
			struct assets theirs = store(mine, dir, "many.db");
			struct err *e =
				put_in(&theirs, mine, "b/x", str_fmt(mine, "line %d\n", i), true);

			if (e)
				fprintf(stderr, "# %s\n", err_message(e));
			arena_free(mine);
			_exit(e != NULL);
		}
	for (int i = 0, status; i < 40; i++)
		good += wait(&status) > 0 && !status;
	is_int(good, 40, "forty processes change one asset");
	s = store(a, dir, "many.db");
	good = 0;
	for (int i = 0; i < 40; i++)
		good += str_find(get(&s, a, "b/x").content, str_fmt(a, "line %d\n", i), 0) !=
			SIZE_MAX;
	is_int(good, 40, "and no change is lost");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	test_paths(a);
	test_resolve(a, dir);
	test_change(a, dir);
	test_list(a, dir);
	test_versions(a, dir);
	test_prune(a, dir);
	test_budget(a, dir);
	test_model(a, dir);
	test_many(a, dir);
	arena_free(a);
	return tap_done();
}
