/* Text into words, counts, the vocabulary. */
#include "vocab/vocab.h"
#include "words/internal.h"
#include "os/os.h"
#include "dir.h"
#include "tap.h"

/* word (stop) +extra: what words_read() makes of a text, on one line. */
static struct str shown(struct words *w, struct arena *a, struct str text)
{
	struct word_list list;
	struct buf out = buf_in(a);

	words_read(w, a, text, &list);
	for (size_t i = 0; i < list.n; i++)
		buf_fmt(&out, "%s%s%s%.*s%s", i ? " " : "", list.p[i].extra ? "+" : "",
			list.p[i].stop ? "(" : "", STR_ARG(list.p[i].text),
			list.p[i].stop ? ")" : "");
	return buf_as_str(&out);
}

static struct str repeat(struct arena *a, struct str s, size_t n)
{
	struct buf b = buf_in(a);

	while (b.n < n)
		buf_put(&b, s);
	return buf_as_str(&b);
}

static void test_words(struct words *w, struct arena *a)
{
	/* clang-format off */
	static const struct {
		struct str text;
		const char *want;
	} cases[] = {
		{STR_INIT(""), ""},
		{STR_INIT(" \n\t.,;!?"), ""},
		{STR_INIT("Running runs ran"), "running runs ran"},
		{STR_INIT("What is the capital of Peru?"), "(what) (is) (the) capital (of) peru"},
		/* contractions and possessives */
		{STR_INIT("I don't know"), "(i) (don) (t) know"},
		{STR_INIT("Don\xe2\x80\x99t. I'll, you\xe2\x80\x99ve"),
		 "(don) (t) (i) (ll) (you) (ve)"},
		{STR_INIT("won't, we won the race"), "(won) (t) (we) won (the) race"},
		{STR_INIT("in'tel"), "(in) tel"},
		{STR_INIT("Ada's"), "ada (s)"},
		/* joined: one letter before a sign, initials, thousands, soft hyphens */
		{STR_INIT("O'Brien e-mail X-Ray"), "o brien +obrien e mail +email x ray +xray"},
		{STR_INIT("well-known"), "well known"},
		{STR_INIT("U.S.A. e.g. J.R.R.Tolkien"),
		 "u (s) (a) +usa e g +eg j r r +jrr tolkien"},
		{STR_INIT("12,500 1,234,567.89 1,23 1234,567 12'500"),
		 "12 500 +12500 1 234 567 +1234567 89 +1234567.89 1 23 1234 567 12 500 +12500"},
		{STR_INIT("Daten\xc2\xad" "bank"), "daten bank +datenbank"},
		/* kept whole beside their parts */
		{STR_INIT("foo_bar.c"), "foo bar c +foo_bar.c"},
		{STR_INIT("lib/words/words.h"), "lib words words h +words.h"},
		{STR_INIT("ada@example.org"), "ada example org +ada@example.org"},
		{STR_INIT("www.example.org."), "www example org +www.example.org"},
		{STR_INIT("the end. Next"), "(the) end next"},
		{STR_INIT("v1.2.3 1.2"), "v1 2 +1.2 3 +1.2.3 1 2 +1.2"},
		{STR_INIT("2023-05-08 10:30 555-1234 8/5"),
		 "2023 05 +2023-05 08 +2023-05-08 10 30 +10:30 555 1234 +555-1234 8 5 +8/5"},
		{STR_INIT("std::string a->b"), "std string (a) b"},
		{STR_INIT("C++, C# and i++; A+ c#x"), "c +c++ c +c# (and) (i) +i++ (a) c x"},
		/* camelCase */
		{STR_INIT("getUserName HTTPServer"),
		 "+get +user +name getusername +http +server httpserver"},
		{STR_INIT("PCs URLs iPhone SHA256 NASA"), "pcs urls +phone iphone sha256 nasa"},
		{STR_INIT("aAbBcCdDeEfFgGhHiIjJ"), "aabbccddeeffgghhiijj"},
		/* folded */
		{STR_INIT("Caf\xc3\xa9 CAFE\xcc\x81 \xcc\x81"), "cafe cafe"},
		{STR_INIT("Stra\xc3\x9f" "e STRASSE \xc3\x98re \xc5\x81\xc3\xb3" "d\xc5\xba"),
		 "strasse strasse ore lodz"},
		{STR_INIT("\xef\xbc\xa1\xef\xbc\xa2 \xef\xbc\x91\xef\xbc\x92"), "ab 12"},
		{STR_INIT("\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 \xd0\x81\xd0\xb6"),
		 "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 \xd0\xb5\xd0\xb6"},
		{STR_INIT("\xce\x9b\xcf\x8c\xce\xb3\xce\xbf\xcf\x82 \xce\x9b\xce\x9f\xce\x93\xce\x9f\xce\xa3"),
		 "\xce\xbb\xce\xbf\xce\xb3\xce\xbf\xcf\x83 \xce\xbb\xce\xbf\xce\xb3\xce\xbf\xcf\x83"},
		/* right to left, with and without points; a stretched word */
		{STR_INIT("\xd7\xa9\xd6\xb8\xd7\x81\xd7\x9c\xd7\x95\xd6\xb9\xd7\x9d "
			  "\xd9\x85\xd9\x8f\xd8\xad\xd9\x8e\xd9\x85\xd9\x8e\xd9\x91\xd8\xaf "
			  "\xd9\x85\xd9\x80\xd9\x80\xd9\x86"),
		 "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd9\x85\xd8\xad\xd9\x85\xd8\xaf \xd9\x85\xd9\x86"},
		/* Devanagari is not parted at its vowel signs */
		{STR_INIT("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80"),
		 "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80"},
		/* Chinese, Japanese, Korean, Thai */
		{STR_INIT("値"), "値"},
		{STR_INIT("設定値"), "+(設) 設定 +(定) 定値 +(値)"},
		{STR_INIT("PostgreSQLデータ"), "+postgre +sql postgresql デー ータ"},
		{STR_INIT("の Aの。の・は"), "(の) (a) (の) (の) (は)"},
		{STR_INIT("食べます"), "+(食) 食べ (べま) (ます)"},
		{STR_INIT("人々"), "+(人) 人々 +(々)"},
		{STR_INIT("ﾃﾞｰﾀ ｳﾞ ﾊﾟ"), "デー ータ ヴ パ"},
		{STR_INIT("か\xe3\x82\x99は\xe3\x82\x9aｶﾀ"), "(がぱ) ぱカ カタ"},
		{STR_INIT("책을"), "+(책) 책을 +(을)"},
		{STR_INIT("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf"),
		 "+(한) 한글 +(글)"},
		{STR_INIT("ไทย"), "ไท ทย"},
		{STR_INIT("2023年5月"), "2023 年 5 月"},
		{STR_INIT("𠮷野家"), "+(𠮷) 𠮷野 +(野) 野家 +(家)"},
		/* emoji and other symbols */
		{STR_INIT("😂😂 👍🏽 ❤️ ❤"), "😂 😂 👍 ❤ ❤"},
		{STR_INIT("👨‍👩‍👧 🇩🇪🇫🇷🇩"), "👨 👩 👧 🇩🇪 🇫🇷 🇩"},
		{STR_INIT("5€ a → b 1️⃣"), "5 € (a) → b 1"},
		{STR_INIT("│ ─ █"), ""},
		/* no text */
		{STR_INIT("a\0b"), "(a) b"},
		{STR_INIT("caf\xe9 caf\xc3"), "caf caf"},
		{STR_INIT("one\xfftwo\x80three\xed\xa0\x80"), "one two three"},
		{STR_INIT("設\xe5\xae"), "設"},
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(shown(w, a, cases[i].text), str_of(cases[i].want), cases[i].want);
}

static void test_flags(struct words *w, struct arena *a)
{
	struct str text = STR("Zürich and Émile, ibm Ωmega 設定 😂");
	static const bool capital[] = {true, false, true, false, true, false, false, false, false};
	/* clang-format off */
	static const enum words_script script[] = {
		WORDS_LETTERS, WORDS_LETTERS, WORDS_LETTERS, WORDS_LETTERS, WORDS_LETTERS,
		WORDS_CHAR,    WORDS_PAIR,    WORDS_CHAR,    WORDS_SYMBOL};
	struct word_list list;

	words_read(w, a, text, &list);
	is_int((long long)list.n, 9, "nine words");
	for (size_t i = 0; i < list.n; i++) {
		ok(list.p[i].capital == capital[i], "capital %zu", i);
		ok(list.p[i].script == script[i], "script %zu", i);
	}
	is_str(str_sub(text, list.p[2].at.from, list.p[2].at.to), STR("Émile"), "where it stands");
	words_read(w, a, STR("Wo ist das Büro der Firma?"), &list);
	ok(!list.p[3].capital && !list.p[5].capital, "no capitals in German");
	words_read(w, a, STR("Runs running run"), &list);
	ok(list.p[0].term == list.p[1].term && list.p[1].term == list.p[2].term, "one stem");
	ok(list.p[0].term == words_term_hash('w', STR("run")), "and the term is the stem's");
	ok(list.p[0].term != words_term_hash('x', STR("run")), "classes are kept apart");
	/* On disk: these never change. */
	ok(words_term_hash('w', STR("run")) == UINT64_C(0x27c1b5108264341d), "the term of run");
	ok(words_term_hash('w', STR("")) == UINT64_C(0x3abf191263051e5d), "of nothing");
	ok(words_term_hash('w', repeat(a, STR("x"), 300)) == UINT64_C(0xa5bf2858dd4634b5), "of much");
}

/* ---- any text ---- */

static int by_term(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* words_count() is words_read() counted; spans are in order and inside the text. */
static bool agrees(struct words *w, struct arena *a, struct str text)
{
	struct word_list list;
	struct words_counts counts;
	size_t length = 0, end = 0, at = 0;
	uint64_t *terms;

	words_read(w, a, text, &list);
	words_count(w, a, text, &counts, NULL);
	terms = arena_array(a, list.n + 1, sizeof(*terms));
	for (size_t i = 0; i < list.n; i++) {
		const struct word *word = &list.p[i];

		length += !word->extra;
		terms[i] = word->term;
		if (word->at.from >= word->at.to || word->at.to < end || word->at.to > text.n ||
		    !word->text.n || word->text.n > 64 || !str_is_text(word->text))
			return false;
		end = word->at.to;
	}
	if (list.n)
		qsort(terms, list.n, sizeof(*terms), by_term);
	for (size_t i = 0; i < counts.n; i++)
		for (uint32_t k = 0; k < counts.p[i].count; k++)
			if (at == list.n || terms[at++] != counts.p[i].term)
				return false;
	return at == list.n && length == counts.length;
}

struct sifted {
	const struct word_list *list;
	const struct words_sieve *sieve;
	uint64_t wanted;
	size_t at, passed;
	bool wrong;
};

static void sift_word(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct sifted *s = ctx;
	const struct word *want = &s->list->p[s->at];

	if (s->at++ >= s->list->n || !str_eq(want->text, word) || want->extra != extra ||
	    (term ? term != want->term : want->term == s->wanted))
		s->wrong = true;
	s->passed += term != 0;
}

/* words_each_with_sieve() gives the results of words_read(). Its filter never drops a term of the query. */
static void test_sieve(struct words *w, struct arena *a)
{
	static const char *const ends[] = {"",    "s",   "es",   "ies",  "ed",   "ing", "y",     "ying",
					   "ion", "ate", "ness", "ical", "ment", "bli", "iviti", "fulness"};
	static const char *const begins[] = {"a",  "ay", "e",    "ey",   "b",    "bl",  "c",   "d",
					     "di", "t",  "ti",   "oy",   "fl",   "ski", "sky", "agr",
					     "x",  "k9", "rela", "c\xc3\xa9", "\xd0\xb1", "v1."};
	struct buf b = buf_in(a);
	struct word_list list;
	struct sifted s = {.list = &list};
	size_t of = 0;

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		for (size_t k = 0; k < ARRAY_SIZE(ends); k++)
			buf_fmt(&b, "%s%s ", begins[i], ends[k]);
	buf_puts(&b, "\xe8\xa8\xad\xe5\xae\x9a\xe8\xaa\x9e c++ a.b getUserName \xf0\x9f\x98\x82");
	words_read(w, a, buf_as_str(&b), &list);
	words_each_with_sieve(w, buf_as_str(&b), NULL, sift_word, &s);
	ok(!s.wrong && s.at == list.n && s.passed == list.n, "all words, all terms");
	for (size_t i = 0; i < list.n && !s.wrong; i++) {
		struct words_sieve sieve = {0};

		words_sieve_add(w, &sieve, list.p[i].text);
		s.wanted = list.p[i].term;
		s.at = 0;
		words_each_with_sieve(w, buf_as_str(&b), &sieve, sift_word, &s);
		if (s.wrong)
			ok(false, "the sieve of '%.*s'", STR_ARG(list.p[i].text));
		of += list.n;
	}
	ok(!s.wrong, "a sieve lets all words of a term through");
	ok(s.passed < of / 5, "and few others: %zu of %zu", s.passed, of);
}

static void test_any_text(struct words *w, struct arena *a)
{
	static const struct str pieces[] = {
		STR_INIT("x"), STR_INIT("a."), STR_INIT("1."), STR_INIT("aB"), STR_INIT("設"),
		STR_INIT("か"), STR_INIT("ｶﾞ"), STR_INIT("😂"), STR_INIT("\xff"), STR_INIT("\0"),
		STR_INIT("'-.,_@"), STR_INIT("\xcc\x81"), STR_INIT("🇩"), STR_INIT("don't "),
		STR_INIT("ß"), STR_INIT("\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8"), STR_INIT("語a"),
	};
	/* clang-format on */
	struct words_counts counts;
	struct word_list list;
	uint64_t seed = 7;

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		struct arena *child = arena_new();

		ok(agrees(w, child, repeat(child, pieces[i], 1 << 18)), "256 KiB of piece %zu", i);
		arena_free(child);
	}
	for (int round = 0; round < 300; round++) {
		struct buf b = buf_in(a);

		for (int i = 0; i < 30; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			if (seed >> 62)
				buf_put(&b, pieces[(seed >> 33) % ARRAY_SIZE(pieces)]);
			else
				buf_putc(&b, (char)(seed >> 40));
		}
		if (!agrees(w, a, buf_as_str(&b)))
			ok(false, "round %d", round);
	}
	words_read(w, a, repeat(a, STR("x"), 1000), &list);
	is_int((long long)list.n, 1, "a long word is one");
	is_int((long long)list.p[0].text.n, 64, "of which 64 bytes count");
	is_int((long long)list.p[0].at.to, 1000, "all of it is its place");
	words_read(w, a, repeat(a, STR("é"), 1000), &list);
	is_int((long long)list.p[0].text.n, 64, "folded first");
	words_read(w, a, repeat(a, STR("л"), 1000), &list);
	is_int((long long)list.p[0].text.n, 64, "and whole characters");
	words_count(w, a, STR("the cat and the hat; foo_bar"), &counts, NULL);
	is_int((long long)counts.n, 7, "seven terms");
	is_int(counts.length, 7, "seven words, the compound not counted");
}

/* Whether the text has all words of the query that matter. */
static bool found(struct words *w, struct arena *a, struct str text, struct str query)
{
	struct word_list have, want;
	bool any = false;

	words_read(w, a, text, &have);
	words_read(w, a, query, &want);
	for (size_t i = 0; i < want.n; i++) {
		bool in = false;

		if (want.p[i].stop)
			continue;
		for (size_t k = 0; k < have.n && !in; k++)
			in = have.p[k].term == want.p[i].term;
		if (!in)
			return false;
		any = true;
	}
	return any;
}

/* Words of one and two characters are found wherever they stand. */
static void test_cjk(struct words *w, struct arena *a)
{
	static const char *const texts[] = {
		"この値を設定します。",
		"PostgreSQLデータベースの設定値",
		"値",
		"文字列値",
		"默认值在目录中",
		"目录",
		"x目录y",
		"在这个目录里面查找文件",
		"책을 읽었다",
		"새책",
	};
	static const char *const queries[] = {"値", "設定", "データベース", "目录",  "值",
					      "책", "设定", "文件",         "ベース"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t k = 0; k < ARRAY_SIZE(queries); k++) {
			struct str text = str_of(texts[i]), query = str_of(queries[k]);

			ok(found(w, a, text, query) == (str_find(text, query, 0) != SIZE_MAX),
			   "%s in %s", queries[k], texts[i]);
		}
	ok(found(w, a, STR("설정을 데이터베이스"), STR("데이터")), "part of a Korean word");
	ok(found(w, a, STR("ﾃﾞｰﾀﾍﾞｰｽ"), STR("データベース")), "half-width");
	ok(found(w, a, STR("Dear 😂 friend"), STR("😂")), "an emoji");
}

/* ---- the vocabulary ---- */

static const int64_t scope_seven[] = {7};

struct learning {
	struct words *w;
	struct db *db;
	const struct strs *texts, *others; /* of scope 7; of scope 8 */
	bool forget, fail;
};

static struct err *learn(struct learning *l)
{
	struct db_txn txn DB_TXN = {0};
	struct arena *a = arena_new();
	struct vocab_changes *c = vocab_changes_new(a);
	struct err *e;

	TRY(db_begin(&txn, l->db));
	vocab_change(c, 7, l->texts, l->forget ? -1 : 1);
	if (l->others)
		vocab_change(c, 8, l->others, 1);
	e = vocab_store(c, l->db);
	arena_free(a);
	TRY(e);
	TRY(l->fail ? err_new(E_NOT_TEXT, "on purpose") : NULL);
	return db_commit(&txn);
}

static struct err *clear(struct learning *l)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, l->db));
	TRY(vocab_clear(l->db));
	return db_commit(&txn);
}

static struct str near(struct words *w, struct db *db, struct arena *a, const char *word,
		       size_t max)
{
	struct vocab_nears out;
	struct buf b = buf_in(a);

	if (!works(vocab_near(w, db, a, scope_seven, 1, str_of(word), max, &out), word))
		return (struct str){0};
	for (size_t i = 0; i < out.n; i++) {
		const struct vocab_near *n = &out.p[i];

		buf_fmt(&b, "%s%.*s/%u", i ? " " : "", STR_ARG(n->word.text), n->distance);
		if (n->word.term != words_term_of_stem(w, n->word.text))
			buf_puts(&b, "?");
	}
	return buf_as_str(&b);
}

static void test_near(struct words *w, struct arena *a, struct db *db)
{
	struct str text =
		STR("The database of databases: Café, caféteria! word sword words 12345 "
		    "123 was dont 設定 getUserName a_long_name thorough through throughout "
		    "straightforward Straße aa bcd");
	struct words_counts counts;
	struct strs fresh = {0};
	struct learning l = {.w = w, .db = db, .texts = &fresh};

	words_count(w, a, text, &counts, &fresh);
	works(learn(&l), "learned");
	works(learn(&l), "and again");
	is_str(near(w, db, a, "dat", 9), STR("database/0 databases/0"), "what begins so");
	is_str(near(w, db, a, "da", 9), STR(""), "two letters begin too much");
	is_str(near(w, db, a, "dat", 1), STR("database/0"), "at most so many");
	is_str(near(w, db, a, "database", 9), STR("databases/0"), "not the word itself");
	is_str(near(w, db, a, "databse", 9), STR("database/1"), "a letter too few");
	is_str(near(w, db, a, "datavases", 9), STR("databases/1 database/2"), "two slips");
	is_str(near(w, db, a, "caef", 9), STR("cafe/1"), "two swapped");
	is_str(near(w, db, a, "word", 9), STR("words/0 sword/1"), "both ways");
	is_str(near(w, db, a, "throug", 9), STR("through/0 throughout/0"), "shorter first");
	is_str(near(w, db, a, "thorugh", 9), STR("thorough/1 through/1"), "alphabetically");
	is_str(near(w, db, a, "straightfrowadr", 9), STR("straightforward/2"), "two, far in");
	is_str(near(w, db, a, "stasse", 9), STR("strasse/1"), "folded before");
	is_str(near(w, db, a, "bce", 9), STR(""), "three letters have no slips");
	is_str(near(w, db, a, "1234", 9), STR(""), "numbers of many digits are not learned");
	is_str(near(w, db, a, "getuser", 9), STR("getusername/0"), "a word in camelCase is");
	is_str(near(w, db, a, "usernam", 9), STR(""), "its parts are not");
	is_str(near(w, db, a, "", 9), STR(""), "nothing");
	is_str(near(w, db, a, "\xff\xff\xff\xff", 9), STR(""), "no text");
	is_str(near(w, db, a, "設定設定", 9), STR(""), "no letters");
}

static void test_characters(struct words *w, struct arena *a, struct db *db)
{
	struct strs texts = {0};
	struct learning l = {.w = w, .db = db, .texts = &texts};

	strs_push(a, &texts, STR("привет"));
	works(learn(&l), "learned");
	is_str(near(w, db, a, "превет", 9), STR("привет/1"), "letters, not bytes");
	is_str(near(w, db, a, "рпивет", 9), STR("привет/1"), "swapped");
	is_str(near(w, db, a, "прив", 9), STR("привет/0"), "begun");
	works(learn(&l), "another text has it");
	l.forget = true;
	works(learn(&l), "one text is gone");
	is_str(near(w, db, a, "превет", 9), STR("привет/1"), "the other has it still");
	works(learn(&l), "the other, too");
	is_str(near(w, db, a, "превет", 9), STR(""), "it is gone");
	is_str(near(w, db, a, "прив", 9), STR(""), "altogether");
	l.forget = false;
	works(learn(&l), "learned again");
	is_str(near(w, db, a, "превет", 9), STR("привет/1"), "it is back");
}

static void test_scopes(struct arena *a, struct db *db)
{
	struct words *w;
	struct strs own = {0}, others = {0};
	struct learning l = {.db = db, .texts = &own, .others = &others, .fail = true};

	works(words_new(a, &w), "words");
	strs_push(a, &own, STR("lantern"));
	for (unsigned i = 0; i < 26; i++)
		strs_push(a, &others, str_fmt(a, "lanter%c", 'a' + i));
	fails(learn(&l), E_NOT_TEXT, "it fails");
	is_str(near(w, db, a, "lanterm", 1), STR(""), "and nothing stays");
	l.fail = false;
	works(learn(&l), "words of two scopes");
	is_str(near(w, db, a, "lanterm", 1), STR("lantern/1"), "others have nearer ones");
	is_str(near(w, db, a, "lant", 9), STR("lantern/0"), "and shorter ones");
	works(clear(&l), "all cleared");
	is_str(near(w, db, a, "lanterm", 9), STR(""), "no words");
}

/* Optimal string alignment as its definition has it. */
static unsigned slips(struct str a, struct str b)
{
	static unsigned d[66][66];

	for (size_t i = 0; i <= a.n; i++)
		for (size_t j = 0; j <= b.n; j++) {
			unsigned best = i && j ? d[i - 1][j - 1] + (a.p[i - 1] != b.p[j - 1])
					       : (unsigned)(i + j);

			if (i && d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (j && d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
			    a.p[i - 2] == b.p[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[a.n][b.n];
}

/* The cases that vocab_near() may miss by its header: slips in both parts of the word. */
static bool may_miss(struct str query, struct str word)
{
	size_t front = word.n / 2 < 4 ? word.n / 2 : 4;
	struct str middle = str_sub(word, front, front + 4);

	if (str_eq(str_sub(query, 0, 4), str_sub(word, 0, 4)))
		return false;
	for (size_t n = front - 2; n <= front + 2; n++)
		if (str_starts(str_sub(query, n, query.n), middle))
			return false;
	return true;
}

static uint64_t seed = 3;

static size_t chance(size_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (seed >> 33) % n;
}

static struct str any_word(struct arena *a)
{
	static const char *const syllables[] = {"ba", "re",  "ti", "con", "ing", "mu", "lo",
						"er", "sta", "nd", "pp",  "ly",  "se"};
	struct buf b = buf_in(a);

	for (size_t i = 2 + chance(4); i--;)
		buf_puts(&b, syllables[chance(ARRAY_SIZE(syllables))]);
	return buf_as_str(&b);
}

static void test_referee(struct arena *a, struct db *db)
{
	struct words *w;
	struct strs words = {0};
	struct learning l = {.db = db, .texts = &words};
	size_t wrong = 0, missed = 0, hits = 0;

	works(words_new(a, &w), "words");
	l.w = w;
	while (words.n < 5000)
		strs_push(a, &words, any_word(a));
	strs_sort(&words);
	works(learn(&l), "five thousand words");
	for (int round = 0; round < 200; round++) {
		struct str query = str_dup(a, words.p[chance(words.n)]), last = {0};
		char *p = str_c(a, query);
		struct vocab_nears out;
		size_t at = 0, plurals = 0;

		for (size_t i = chance(3); i--;)
			p[chance(query.n)] = (char)('a' + chance(26));
		query = str_of(p);
		if (query.n < 4)
			continue;
		works(vocab_near(w, db, a, scope_seven, 1, query, 100000, &out), p);
		while (at < out.n && !out.p[at].distance)
			at++;
		for (unsigned distance = 1; distance <= (query.n < 8 ? 1 : 2); distance++)
			for (size_t i = 0; i < words.n; i++) {
				struct str word = words.p[i];

				if (str_eq(word, last) || word.n < 4 || str_starts(word, query) ||
				    slips(query, word) != distance)
					continue;
				last = word;
				if (at < out.n && str_eq(out.p[at].word.text, word) &&
				    out.p[at].distance == distance)
					hits++, at++;
				else if (distance < 2 || !may_miss(query, word))
					wrong++;
				else
					missed++;
			}
		/* If nothing is near, what is near the plural or the singular. */
		query = str_ends(query, STR("s")) ? str_sub(query, 0, query.n - 1)
						  : str_fmt(a, "%.*ss", STR_ARG(query));
		for (; !at && plurals < out.n; plurals++)
			wrong += slips(query, out.p[plurals].word.text) != out.p[plurals].distance;
		wrong += at && at < out.n;
	}
	is_int((long long)wrong, 0, "near words are those of an exhaustive search");
	ok(hits > 100, "%zu of them", hits);
	ok(missed < hits, "and %zu were missed as the header says", missed);
}

int main(void)
{
	struct arena *a = arena_new();
	struct db *db = db_new(a, os_join(a, dir_fresh(a), "ikm.db"));
	struct words *w;

	works(words_new(a, &w), "words");
	test_words(w, a);
	test_flags(w, a);
	test_sieve(w, a);
	test_any_text(w, a);
	test_cjk(w, a);
	is_str(near(w, db, a, "nothing", 9), STR(""), "a store that is not there has no words");
	test_near(w, a, db);
	test_characters(w, a, db);
	test_scopes(a, db);
	test_referee(a, db_new(a, os_join(a, ".", "other.db")));
	arena_free(a);
	return tap_done();
}
