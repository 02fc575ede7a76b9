/* The store: opened on first use, created once, atomic transactions, rows that end. */
#include "db/db.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static struct err *meta(struct db *db, struct arena *a, const char *key, struct str *out)
{
	*out = (struct str){0};
	DB_EACH(rows, db, Q_META_GET, DB_S(str_of(key)))
		*out = db_column_str(rows, a, 0);
	return NULL;
}

struct put {
	struct db *db;
	const char *key;
	struct str value;
	bool fail, careless; /* careless: ignores a failure of the inner transaction */
	struct put *inner;
};

static struct err *put(struct put *p)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, p->db));
	TRY(db_do(p->db, Q_META_PUT, NULL, DB_S(str_of(p->key)), DB_S(p->value)));
	if (p->inner) {
		struct err *e = put(p->inner);

		if (e && !p->careless)
			return e;
	}
	TRY(p->fail ? err_new(E_NOT_TEXT, "on purpose") : NULL);
	return db_commit(&txn);
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
	works(put(&(struct put){writer, "k", STR("v")}), "written");
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

	works(put(&(struct put){db, "k", STR("v")}), "written");
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

	fails(put(&bad), E_NOT_TEXT, "fn's error comes out");
	works(meta(db, a, "bad", &got), "ask");
	ok(!got.p, "and nothing was written");
	works(put(&(struct put){db, "outer", STR("1"), .inner = &inner}), "nested");
	works(meta(db, a, "inner", &got), "ask");
	is_str(got, STR("1"), "both were written");
	fails(put(&(struct put){db, "o2", STR("1"), .inner = &bad}), E_NOT_TEXT,
	      "an inner failure is the outer's");
	works(meta(db, a, "o2", &got), "ask");
	ok(!got.p, "and takes it back");
	works(put(&(struct put){db, "o3", STR("1"), .inner = &bad, .careless = true}),
	      "unless that goes on");
	works(meta(db, a, "o3", &got), "ask");
	ok(got.p, "then its own part stays");
	works(meta(db, a, "bad", &got), "ask");
	ok(!got.p, "and only that");
	works(put(&(struct put){db, "nul", {"a\0b", 3}}), "a NUL in a value");
	works(meta(db, a, "nul", &got), "ask");
	is_str(got, ((struct str){"a\0b", 3}), "is data");
	works(put(&(struct put){db, "empty", {0}}), "an empty value");
	works(meta(db, a, "empty", &got), "ask");
	ok(got.p && !got.n, "is not NULL");
}

static struct err *put_one(struct db *db, const char *key)
{
	return db_do(db, Q_META_PUT, NULL, DB_S(str_of(key)), DB_S(STR("1")));
}

/* A block that is left in each way, in another block or by itself. */
static struct err *txn_leave(struct db *db, enum leave how, const char *key)
{
	for (int i = 0; i < 1; i++) {
		struct db_txn t DB_TXN = {0};

		TRY(db_begin(&t, db));
		TRY(put_one(db, key));
		if (how == BY_BREAK)
			break;
		if (how == BY_RETURN)
			return NULL;
		if (how == BY_TRY)
			TRY(err_new(E_NOT_TEXT, "on purpose"));
		TRY(db_commit(&t));
	}
	return NULL;
}

static struct err *txn_around(struct db *db, enum leave inner, const char *key)
{
	struct db_txn t DB_TXN = {0};
	struct err *e;

	TRY(db_begin(&t, db, .sync = DB_LATER, .wait_ms = 50));
	TRY(put_one(db, "around"));
	e = txn_leave(db, inner, key);
	ok(!e == (inner != BY_TRY), "the outer one gets the error of the inner, and goes on");
	TRY(put_one(db, "after"));
	return db_commit(&t);
}

static void has_key(struct arena *a, struct db *db, const char *key, bool there, const char *what)
{
	struct str got;

	works(meta(db, a, key, &got), "ask");
	ok(!got.p == !there, "%s: '%s'", what, key);
}

static void test_blocks(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "blocks.db"));

	for (enum leave how = TO_THE_END; how <= BY_TRY; how++) {
		const char *key = str_fmt(a, "own %d", how).p, *part = str_fmt(a, "in %d", how).p;
		struct err *e = txn_leave(db, how, key);

		ok(!e == (how != BY_TRY), "a block that is left in way %d gives its error", how);
		ok(!db_is_writing(db), "and its transaction is over");
		has_key(a, db, key, how == TO_THE_END, "only a commit stores");
		works(txn_around(db, how, part), "a block in a block");
		ok(!db_is_writing(db), "both are over");
		has_key(a, db, part, how == TO_THE_END, "a part is stored by its own commit");
		has_key(a, db, "around", true, "the outer part stays");
		has_key(a, db, "after", true, "and what came after the inner one");
	}
}

static struct err *txn_fault(struct db *db, const char *key, struct err **first)
{
	struct db_txn t DB_TXN = {0};

	*first = NULL;
	TRY(db_begin(&t, db));
	TRY(put_one(db, key));
	setenv("IKM_FAULT", "1", 1);
	*first = db_commit(&t);
	unsetenv("IKM_FAULT");
	ok(!db_is_writing(db), "a commit that fails ends the transaction");
	return *first;
}

/* The wait and the durability are the transaction's own, also when it never began. */
static void test_commit_fails(struct arena *a, const char *dir)
{
	const char *path = os_join(a, dir, "fault.db");
	struct db *db = db_new(a, path), *other = db_new(a, path);
	struct db_txn held DB_TXN = {0}, t DB_TXN = {0};
	struct err *first;

	works(txn_leave(db, TO_THE_END, "before"), "a store");
	ok(txn_fault(db, "lost", &first) && first, "the commit fails");
	has_key(a, db, "lost", false, "and stores nothing");
	works(db_begin(&held, other), "another process writes");
	fails(db_begin(&t, db, .wait_ms = 10), E_LOCKED, "a short wait ends");
	ok(!t.db && !db_is_writing(db), "nothing has begun");
	works(put_one(other, "held"), "the other one writes");
	db_end(&held);
	ok(!db_is_writing(other), "rolled back");
	db_end(&held);
	has_key(a, other, "held", false, "once, and for good");
	works(txn_leave(db, TO_THE_END, "again"), "the handle goes on");
}

/* A read sees one state, and a block in it is a part of it. */
static void test_read_block(struct arena *a, const char *dir)
{
	const char *path = os_join(a, dir, "read.db");
	struct db *db = db_new(a, path), *other = db_new(a, path);

	works(txn_leave(other, TO_THE_END, "one"), "a store");
	{
		struct db_txn t DB_TXN = {0}, inner DB_TXN = {0};

		works(db_begin_read(&t, db), "a read");
		has_key(a, db, "one", true, "sees what is stored");
		works(txn_leave(other, TO_THE_END, "two"), "another process writes");
		works(db_begin_read(&inner, db), "a read in it");
		db_end(&inner);
		has_key(a, db, "two", false, "the state is still the first one");
	}
	has_key(a, db, "two", true, "after the block it is not");
}

/*
 * A file that may not grow: SQLite rolls the whole transaction back by itself. A caller that goes
 * on stores nothing of it.
 */
static struct err *txn_too_big(struct db *db, struct arena *a)
{
	char *big = arena_alloc(a, 1 << 16);
	struct db_txn t DB_TXN = {0};
	struct err *e = NULL;

	memset(big, 'x', 1 << 16);
	TRY(db_begin(&t, db));
	for (int i = 0; i < 4000 && !e; i++)
		e = db_do(db, Q_META_PUT, NULL, DB_S(str_fmt(a, "big %d", i)),
			  DB_S(((struct str){big, 1 << 16})));
	ok(e != NULL, "a full disk ends it");
	fails(put_one(db, "alone"), E_IO_ERROR, "nothing is written alone after it");
	fails(txn_leave(db, TO_THE_END, "part"), E_IO_ERROR, "nor a part");
	return db_commit(&t);
}

static void test_no_room(struct arena *a, const char *dir)
{
	struct db *db = db_new(a, os_join(a, dir, "full.db"));
	struct rlimit was, few;

	works(txn_leave(db, TO_THE_END, "before"), "a store");
	getrlimit(RLIMIT_FSIZE, &was);
	few = (struct rlimit){.rlim_cur = 4 << 20, .rlim_max = was.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &few);
	fails(txn_too_big(db, a), E_IO_ERROR, "the commit tells of it");
	setrlimit(RLIMIT_FSIZE, &was);
	has_key(a, db, "before", true, "the store is as before");
	has_key(a, db, "alone", false, "without what came after the failure");
	has_key(a, db, "part", false, "without the part");
	has_key(a, db, "big 0", false, "and without what came before it");
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
			e = put(&(struct put){db, key, STR("v")});
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

static struct err *look_twice(struct snapshot *s)
{
	struct db_txn t DB_TXN = {0};
	struct str first, second;

	TRY(db_begin_read(&t, s->db));
	TRY(meta(s->db, s->a, "late", &first));
	TRY(put(&(struct put){s->other, "late", STR("v")}));
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

	works(db_data_version(s.db, &none), "the version of a store that is not there");
	is_int(none, 0, "is none");
	works(put(&(struct put){s.other, "k", STR("v")}), "written");
	works(db_data_version(s.db, &before), "version");
	works(db_data_version(s.db, &same), "version");
	is_int(same, before, "the version stays while nothing is committed");
	works(look_twice(&s), "a read transaction");
	works(db_data_version(s.db, &after), "version");
	ok(after != before, "and changes when another handle commits");
	works(db_data_version(s.other, &before), "version of the writer");
	works(put(&(struct put){s.other, "own", STR("v")}), "written");
	works(db_data_version(s.other, &after), "version of the writer");
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

	works(db_fts5_tokenizer_borrow(a, &w), "tokenizers");
	db_words_split(w, STR("Zo\xc3\xab's Caf\xc3\xa9, 12\0dogs \xff!"), add_word, &got);
	is_str(buf_as_str(&got), STR("zoe@0-4 s@5-6 cafe@7-12 12@14-16 dogs@17-21 "), "words");
	is_str(db_words_stem(w, STR("educations")), STR("educ"), "a stem");
	is_str(db_words_stem(w, STR("ab")), STR("ab"), "a word too short for one");
	is_str(db_words_stem(w, STR("a-b")), STR("a"), "only the first of several");
	/* Over what SQLite is given at once. */
	for (int i = 0; i < 3000000; i++)
		buf_puts(&big, "word ab ");
	got.n = 0;
	db_words_split(w, buf_as_str(&big), add_word, &got);
	for (size_t i = 0; i < got.n; i++)
		words += got.p[i] == ' ';
	is_int((long long)words, 6000000, "a text that is cut in pieces has the same words");
}

/* The processor seconds to count n rows twice. */
static double count_damage(struct arena *a, int n)
{
	struct db *db = db_new(a, NULL), *other = db_new(a, NULL);
	clock_t start = clock();

	for (int i = 0; i < 2 * n; i++) {
		char row[32];

		snprintf(row, sizeof(row), "row %d is damaged", i % n);
		db_note_damage(db, str_of(row));
	}
	is_int(db_damage_so_far(db)->n, n, "each damaged row is counted once");
	db_damage_merge(other, db);
	db_damage_merge(other, db);
	is_int(db_damage_so_far(other)->n, n, "and by another handle too");
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void test_damage_grows(struct arena *a)
{
	double small = count_damage(a, 250000), large = count_damage(a, 1000000);

	ok(large < 9 * small, "four times as many damaged rows take less than nine times as long");
	printf("# %.2f s, %.2f s\n", small, large);
}

int main(void)
{
	struct arena *a = arena_new();
	const char *dir = dir_fresh(a);

	test_reading_makes_nothing(a, dir);
	test_each(a, dir);
	test_transactions(a, dir);
	test_blocks(a, dir);
	test_commit_fails(a, dir);
	test_read_block(a, dir);
	test_no_room(a, dir);
	test_makers(a, dir);
	test_errors(a, dir);
	test_snapshot(a, dir);
	test_words(a);
	test_damage_grows(a);
	arena_free(a);
	return tap_done();
}
