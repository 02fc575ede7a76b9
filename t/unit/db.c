/* The store: opened on first use, created once, atomic transactions, rows that end. */
#include "db/db.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"

static struct err *meta(struct db *db, struct arena *a, const char *key, struct str *out)
{
	*out = (struct str){0};
	DB_EACH(rows, db, Q_META_GET, DB_S(str_of(key)))
		*out = db_str(rows, a, 0);
	return NULL;
}

struct put {
	struct db *db;
	const char *key;
	struct str value;
	bool fail, careless; /* careless: ignores a failure of the inner transaction */
	struct put *inner;
};

static struct err *put(void *ctx)
{
	struct put *p = ctx;

	TRY(db_do(p->db, Q_META_PUT, NULL, DB_S(str_of(p->key)), DB_S(p->value)));
	if (p->inner) {
		struct err *e = db_write(p->db, put, p->inner);

		if (e && !p->careless)
			return e;
	}
	return p->fail ? err_new(E_NOT_TEXT, "on purpose") : NULL;
}

static void test_reading_makes_nothing(struct arena *a, const char *dir)
{
	const char *path = os_join(a, dir, "none/ikm.db");
	struct db *reader = db_new(a, path), *writer = db_new(a, path);
	struct os_stat st;
	struct str got;

	works(meta(reader, a, "k", &got), "a store that is not there can be asked");
	ok(!got.p, "and is empty");
	works(os_stat(os_join(a, dir, "none"), true, &st), "stat");
	ok(st.kind == OS_NONE, "nothing was made");
	works(db_write(writer, put, &(struct put){writer, "k", STR("v")}), "written");
	works(meta(reader, a, "k", &got), "asked again");
	is_str(got, STR("v"), "who found none sees it when it is made");
	works(os_stat(os_join(a, dir, "none"), true, &st), "stat");
	is_int(st.mode & 0777, 0700, "the folder is private");
	works(os_stat(path, true, &st), "stat");
	is_int(st.mode & 0777, 0600, "the file is private");
	works(os_stat(str_fmt(a, "%s-wal", path).p, true, &st), "stat");
	is_int(st.mode & 0777, 0600, "and so is what SQLite puts beside it");
}

enum leave { TO_THE_END, BY_BREAK, BY_RETURN, BY_TRY };

static struct err *leave(struct db *db, enum leave how, int *rows_seen)
{
	*rows_seen = 0;
	DB_EACH(rows, db, Q_META_GET, DB_S(STR("k"))) {
		++*rows_seen;
		if (how == BY_BREAK)
			break;
		if (how == BY_RETURN)
			return NULL;
		if (how == BY_TRY)
			TRY(err_new(E_NOT_TEXT, "on purpose"));
	}
	return NULL;
}

/* A statement that still has rows aborts when it is asked again. */
static void test_each(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "each.db"));
	int rows_seen;

	works(db_write(db, put, &(struct put){db, "k", STR("v")}), "written");
	for (enum leave how = TO_THE_END; how <= BY_TRY; how++) {
		struct err *e = leave(db, how, &rows_seen);

		ok(!e == (how != BY_TRY), "a loop that is left in way %d gives its error", how);
		is_int(rows_seen, 1, "and its row");
		works(leave(db, TO_THE_END, &rows_seen), "its statement can be asked again");
	}
}

static void test_transactions(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "t.db"));
	struct put inner = {db, "inner", STR("1")}, bad = {db, "bad", STR("1"), .fail = true};
	struct str got;

	fails(db_write(db, put, &bad), E_NOT_TEXT, "fn's error comes out");
	works(meta(db, a, "bad", &got), "ask");
	ok(!got.p, "and nothing was written");
	works(db_write(db, put, &(struct put){db, "outer", STR("1"), .inner = &inner}), "nested");
	works(meta(db, a, "inner", &got), "ask");
	is_str(got, STR("1"), "both were written");
	fails(db_write(db, put, &(struct put){db, "o2", STR("1"), .inner = &bad}), E_NOT_TEXT,
	      "an inner failure is the outer's");
	works(meta(db, a, "o2", &got), "ask");
	ok(!got.p, "and takes it back");
	works(db_write(db, put, &(struct put){db, "o3", STR("1"), .inner = &bad, .careless = true}),
	      "unless that goes on");
	works(meta(db, a, "o3", &got), "ask");
	ok(got.p, "then its own part stays");
	works(meta(db, a, "bad", &got), "ask");
	ok(!got.p, "and only that");
	works(db_write(db, put, &(struct put){db, "nul", {"a\0b", 3}}), "a NUL in a value");
	works(meta(db, a, "nul", &got), "ask");
	is_str(got, ((struct str){"a\0b", 3}), "is data");
	works(db_write(db, put, &(struct put){db, "empty", {0}}), "an empty value");
	works(meta(db, a, "empty", &got), "ask");
	ok(got.p && !got.n, "is not NULL");
}

/* One transaction in steps: committed, left to its arena, and committed before that ends. */
static void test_steps(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "steps.db"));
	struct arena *net = arena_new();
	struct db_txn *t;
	struct str got;

	works(db_begin(db, net, &t), "begin");
	ok(db_is_writing(db), "is open");
	works(db_write(db, put, &(struct put){db, "one", STR("1")}), "a part of it");
	works(db_commit(t), "commit");
	ok(!db_is_writing(db), "is over");
	works(db_begin(db, net, &t), "another in the same arena");
	works(db_write(db, put, &(struct put){db, "two", STR("2")}), "a part of it");
	arena_free(net);
	ok(!db_is_writing(db), "it ends with the arena");
	works(meta(db, a, "one", &got), "ask");
	is_str(got, STR("1"), "what was committed is there");
	works(meta(db, a, "two", &got), "ask");
	ok(!got.p, "and what was not is rolled back");
}

/* Makers of one store at once, from nothing. */
static void test_makers(struct arena *a, const char *dir)
{
	const char *path = os_join(a, dir, "many.db");
	int good = 0, fds[2];
	struct str got;

	if (pipe(fds))
		BUG("pipe");
	for (int i = 0; i < 16; i++)
		if (!fork()) {
			struct arena *mine = arena_new();
			struct db *db = db_new(mine, path);
			struct err *e;
			char c, *key = str_c(mine, str_fmt(mine, "k%d", i));

			close(fds[1]);
			if (read(fds[0], &c, 1))
				_exit(2);
			e = db_write(db, put, &(struct put){db, key, STR("v")});
			if (e)
				fprintf(stderr, "# %s\n", err_message(e));
			arena_free(mine);
			_exit(e != NULL);
		}
	close(fds[0]);
	close(fds[1]); /* all start */
	for (int i = 0, status; i < 16; i++)
		good += wait(&status) > 0 && !status;
	is_int(good, 16, "sixteen processes that make it at once all succeed");
	for (int i = 0; i < 16; i++) {
		struct db *db = db_new(a, path);

		if (meta(db, a, str_fmt(a, "k%d", i).p, &got) || !got.p)
			good--;
	}
	is_int(good, 16, "and each finds what it wrote");
}

static void test_errors(struct arena *a, const char *dir)
{
	struct str got;

	fails(meta(db_new(a, NULL), a, "k", &got), E_NO_HOME, "no home");
	fails(meta(db_new(a, dir), a, "k", &got), E_DB_CORRUPT, "a folder");
}

struct snapshot {
	struct db *db, *other;
	struct arena *a;
};

static struct err *look_twice(void *ctx)
{
	struct snapshot *s = ctx;
	struct str first, second;

	TRY(meta(s->db, s->a, "late", &first));
	TRY(db_write(s->other, put, &(struct put){s->other, "late", STR("v")}));
	TRY(meta(s->db, s->a, "late", &second));
	ok(!first.p && !second.p, "what is committed meanwhile is not seen");
	return NULL;
}

static void test_snapshot(struct arena *a, const char *dir)
{
	const char *path = os_join(a, dir, "snapshot.db");
	struct snapshot s = {db_new(a, path), db_new(a, path), a};
	int64_t none, before, same, after;
	struct str got;

	works(db_version(s.db, &none), "the version of a store that is not there");
	is_int(none, 0, "is none");
	works(db_write(s.other, put, &(struct put){s.other, "k", STR("v")}), "written");
	works(db_version(s.db, &before), "version");
	works(db_version(s.db, &same), "version");
	is_int(same, before, "the version stays while nothing is committed");
	works(db_read(s.db, look_twice, &s), "a read transaction");
	works(db_version(s.db, &after), "version");
	ok(after != before, "and changes when another handle commits");
	works(db_version(s.other, &before), "version of the writer");
	works(db_write(s.other, put, &(struct put){s.other, "own", STR("v")}), "written");
	works(db_version(s.other, &after), "version of the writer");
	ok(after != before, "and by what it commits itself");
	works(meta(s.db, a, "late", &got), "asked after it");
	is_str(got, STR("v"), "then it is seen");
	works(db_vacuum(s.other), "rewritten");
	works(meta(s.db, a, "late", &got), "asked after that");
	is_str(got, STR("v"), "and all is there");
	is_str(str_of(db_path(s.db)), str_of(path), "a handle knows its path");
}

static void add_word(void *ctx, struct str word, size_t from, size_t to)
{
	buf_fmt(ctx, "%.*s@%zu-%zu ", STR_ARG(word), from, to);
}

static void test_words(struct arena *a)
{
	struct buf got = buf_in(a), big = buf_in(a);
	struct db_words *w;
	size_t words = 0;

	works(db_words_new(a, &w), "tokenizers");
	db_words_split(w, STR("Zo\xc3\xab's Caf\xc3\xa9, 12\0dogs \xff!"), add_word, &got);
	is_str(buf_str(&got), STR("zoe@0-4 s@5-6 cafe@7-12 12@14-16 dogs@17-21 "), "words");
	is_str(db_words_stem(w, STR("educations")), STR("educ"), "a stem");
	is_str(db_words_stem(w, STR("ab")), STR("ab"), "a word too short for one");
	is_str(db_words_stem(w, STR("a-b")), STR("a"), "only the first of several");
	/* Over what SQLite is given at once. */
	for (int i = 0; i < 3000000; i++)
		buf_puts(&big, "word ab ");
	got.n = 0;
	db_words_split(w, buf_str(&big), add_word, &got);
	for (size_t i = 0; i < got.n; i++)
		words += got.p[i] == ' ';
	is_int((long long)words, 6000000, "a text that is cut in pieces has the same words");
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	test_reading_makes_nothing(a, dir);
	test_each(a, dir);
	test_transactions(a, dir);
	test_steps(a, dir);
	test_makers(a, dir);
	test_errors(a, dir);
	test_snapshot(a, dir);
	test_words(a);
	arena_free(a);
	return tap_done();
}
