/* Searching memories: an exhaustive scan as the referee, dates, near-duplicates, visibility. */
#include "recall/search.h"
#include "dir.h"
#include "index/index.h"
#include "recall/rank.h"
#include "os/os.h"
#include "tap.h"

#define DAY INT64_C(86400000)

static struct memories store(struct arena *a, const char *name)
{
	return (struct memories){.db = db_new(a, name),
				 .who = {.user = STR("ada"), .agent = STR("one")}};
}

static struct words *words_of(struct arena *a)
{
	struct words *w = NULL;

	works(words_new(a, &w), "words");
	return w;
}

/* ---- dates ---- */

static double told(struct arena *a, struct words *w, const char *question, const char *happened)
{
	struct word_list words = {0}, plain = {0};
	struct dates d;
	int64_t now, t;

	if (!os_time_read(STR("2024-03-13T10:00:00Z"), &now) || /* a Wednesday */
	    !os_time_read(str_of(happened), &t))
		BUG("%s is no time", happened);
	words_read(w, a, str_of(question), &words);
	for (size_t i = 0; i < words.n; i++)
		if (!words.p[i].extra)
			*VEC_PUSH(a, &plain) = words.p[i];
	question_find_dates(a, &plain, now, &d);
	return dates_match_score(&d, t);
}

static void test_dates(struct arena *a)
{
	static const struct {
		const char *question, *happened;
		double want;
	} cases[] = {
		{"on 8 May 2023", "2023-05-08T12:00:00Z", 1},
		{"on 8 May 2023", "2023-05-12", 0.5},
		{"on 8 May 2023", "2023-05-07", 0.5},
		{"on 8 May 2023", "2023-06-08", 0},
		{"on May 8th, 2023?", "2023-05-08", 1},
		{"the 8th of May", "2021-05-08", 1},
		{"the 8th of May", "2021-05-09", 0},
		{"2023-05-08", "2023-05-08", 1},
		{"in May 2023", "2023-05-31T23:59:59Z", 1},
		{"in 2023-05", "2023-05-31T23:59:59Z", 1},
		{"in 2023-05, who came", "2023-07-02", 0},
		{"in 2023-13", "2023-07-02", 0.5},
		{"in May 2023", "2023-06-02", 0.3},
		{"in December", "2020-12-24", 1},
		{"in December", "2021-01-01", 0.3},
		{"in Dec 2023", "2023-12-01", 1},
		{"in December 2023", "2024-01-01", 0.3},
		{"in 2023", "2023-07-01", 0.5},
		{"in 2023", "2022-12-31", 0},
		{"29 February 2024", "2024-02-29", 1},
		{"yesterday", "2024-03-12T23:00:00Z", 1},
		{"today", "2024-03-13", 1},
		{"last week", "2024-03-04", 1},
		{"last week", "2024-03-10T23:59:59Z", 1},
		{"last week", "2024-03-19", 0},
		{"this week", "2024-03-11", 1},
		{"last month", "2024-02-01", 1},
		{"two months ago", "2024-01-15", 1},
		{"3 years ago", "2021-06-01", 1},
		{"3 days ago", "2024-03-10", 1},
		{"last Friday", "2024-03-08", 1},
		{"last Wednesday", "2024-03-06", 1},
		{"what may happen", "2024-05-02", 0},
		{"the march of time", "2024-03-02", 0},
		{"Jan said so", "2024-01-02", 0},
		{"room 2023 999999999999", "2019-01-02", 0},
		{"0 May 0000", "2019-05-02", 0},
		/* Spans that begin or end now. */
		{"in the last five days", "2024-03-08", 1},
		{"in the last five days", "2024-03-24", 0},
		{"in the past 3 weeks", "2024-02-21", 1},
		{"in the last few days", "2024-03-08", 1},
		{"over the last 2 months", "2024-01-13", 1},
		{"over the last 2 months", "2024-01-12", 0},
		{"in the next 30 days", "2024-04-12", 1},
		{"in the next 30 days", "2024-03-12", 0},
		{"next week", "2024-03-18", 1},
		{"next week", "2024-03-25T12:00:00Z", 0.5},
		{"next month", "2024-04-30", 1},
		{"last weekend", "2024-03-09", 1},
		{"a week ago", "2024-03-04", 1},
		{"the day before yesterday", "2024-03-11", 1},
		{"tomorrow", "2024-03-14", 1},
		{"recently", "2024-02-20", 1},
		{"recently", "2023-12-20", 0},
		{"what is coming up", "2024-12-20", 1},
		{"what is coming up", "2024-03-12", 0},
		{"on the last day of school", "2024-03-12", 0},
		/* Days of the week. */
		{"on Tuesday", "2024-03-12", 1},
		{"on Tuesday", "2024-03-19", 0.5},
		{"on Wednesday", "2024-03-13", 1},
		{"next Friday", "2024-03-15", 1},
		{"this Friday", "2024-03-15", 1},
		{"the Tuesday standup", "2024-03-12", 0},
		/* Open spans. */
		{"since Monday", "2024-03-11", 1},
		{"since Monday", "2024-03-10T12:00:00Z", 0.5},
		{"since last Monday", "2024-03-11", 1},
		{"since November 20", "2023-11-20", 1},
		{"since November 20", "2023-10-02", 0},
		{"since November 20", "2024-03-13", 1},
		{"since 2023", "2023-01-01", 1},
		{"after May 2023", "2023-06-01", 1},
		{"after May 2023", "2023-05-31", 0},
		{"until Friday", "2024-03-15", 1},
		{"until Friday", "2024-04-15", 0},
		{"before March 2022", "2020-03-15", 1},
		{"before March 2022", "2022-03-15", 0},
		{"until last month", "2024-02-29", 1},
		/* German */
		{"gestern", "2024-03-12", 1},
		{"vorgestern", "2024-03-11", 1},
		{"was war heute Morgen", "2024-03-13", 1},
		{"was geschieht am Morgen", "2024-03-14", 0},
		{"letzte Woche", "2024-03-04", 1},
		{"nächste Woche", "2024-03-18", 1},
		{"vor drei Tagen", "2024-03-10", 1},
		{"in den letzten fünf Tagen", "2024-03-08", 1},
		{"in den nächsten 30 Tagen", "2024-04-12", 1},
		{"seit Montag", "2024-03-11", 1},
		{"bis Freitag", "2024-03-15", 1},
		{"am Dienstag", "2024-03-12", 1},
		{"am 8. Mai 2023", "2023-05-08", 1},
		{"im März", "2020-03-03", 1},
		{"seit dem 20. November", "2023-11-20", 1},
		{"in letzter Zeit", "2024-03-01", 1},
		/* Russian */
		{"вчера", "2024-03-12", 1},
		{"позавчера", "2024-03-11", 1},
		{"три дня назад", "2024-03-10", 1},
		{"неделю назад", "2024-03-04", 1},
		{"на прошлой неделе", "2024-03-04", 1},
		{"в прошлом месяце", "2024-02-01", 1},
		{"за последние 5 дней", "2024-03-08", 1},
		{"в ближайшие 30 дней", "2024-04-12", 1},
		{"с понедельника", "2024-03-11", 1},
		{"во вторник", "2024-03-12", 1},
		{"8 мая 2023", "2023-05-08", 1},
		{"через неделю", "2024-03-20", 1},
		{"недавно", "2024-03-01", 1},
		/* French */
		{"hier", "2024-03-12", 1},
		{"avant-hier", "2024-03-11", 1},
		{"il y a trois jours", "2024-03-10", 1},
		{"la semaine dernière", "2024-03-04", 1},
		{"l'année dernière", "2023-08-08", 1},
		{"ces 5 derniers jours", "2024-03-08", 1},
		{"les 30 prochains jours", "2024-04-12", 1},
		{"depuis lundi", "2024-03-11", 1},
		{"jusqu'à vendredi", "2024-03-15", 1},
		{"lundi dernier", "2024-03-11", 1},
		{"en février", "2024-02-11", 1},
		{"récemment", "2024-03-01", 1},
		/* Spanish */
		{"ayer", "2024-03-12", 1},
		{"anteayer", "2024-03-11", 1},
		{"hace tres días", "2024-03-10", 1},
		{"la semana pasada", "2024-03-04", 1},
		{"el mes que viene", "2024-04-04", 1},
		{"en los últimos cinco días", "2024-03-08", 1},
		{"desde el lunes", "2024-03-11", 1},
		{"el martes", "2024-03-12", 1},
		{"hasta el viernes", "2024-03-15", 1},
		{"8 de mayo de 2023", "2023-05-08", 1},
		{"am 8.5.2023", "2023-05-08", 1},
		{"on 5/8/2023", "2023-05-08", 1},
		{"on 5/8/2023", "2023-08-05", 1},
		{"on 11/28/2023", "2023-11-28", 1},
		{"le 28/11/2023", "2023-11-28", 1},
		{"version 8.40.2023", "2023-05-08", 0.5},
		{"в 2023 году", "2023-05-08", 0.5},
		{"8 мая 2023 г.", "2023-05-08", 1},
		{"por la mañana", "2024-03-14", 0},
		/* Chinese */
		{"昨天发生了什么", "2024-03-12", 1},
		{"前天", "2024-03-11", 1},
		{"三天前", "2024-03-10", 1},
		{"上周", "2024-03-04", 1},
		{"上个月", "2024-02-04", 1},
		{"去年", "2023-02-04", 1},
		{"最近五天", "2024-03-08", 1},
		{"未来30天", "2024-04-12", 1},
		{"周一以来", "2024-03-11", 1},
		{"周二发生了什么", "2024-03-12", 1},
		{"2023年5月8日", "2023-05-08", 1},
		{"2023年5月8日", "2022-05-08", 0},
		{"十二天前", "2024-03-01", 1},
		/* Japanese */
		{"昨日何をした", "2024-03-12", 1},
		{"一昨日", "2024-03-11", 1},
		{"3日前に", "2024-03-10", 1},
		{"先週", "2024-03-04", 1},
		{"先月", "2024-02-04", 1},
		{"来週", "2024-03-18", 1},
		{"過去5日間", "2024-03-08", 1},
		{"月曜日から", "2024-03-11", 1},
		{"金曜日まで", "2024-03-15", 1},
		{"５月８日", "2021-05-08", 1},
		{"3ヶ月前", "2023-12-08", 1},
	};
	struct words *w = words_of(a);

	setenv("TZ", "<+09>-9", 1);
	ok(told(a, w, "yesterday", "2024-03-11T16:00:00Z") == 1, "yesterday as the user has it");
	setenv("TZ", "UTC0", 1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double got = told(a, w, cases[i].question, cases[i].happened);

		ok(got == cases[i].want, "%s: %s is %g", cases[i].question, cases[i].happened, got);
	}
	/* Far away, and before the beginning of time. */
	for (int64_t t = INT64_MIN; t < INT64_MAX / 4 * 3; t += INT64_MAX / 4) {
		struct dates d = {.p = {{.month = 5, .weight = 1}}, .n = 1};

		ok(dates_match_score(&d, t) <= 1, "month of %jd", (intmax_t)t);
	}
}

/* ---- near-duplicates ---- */

static void test_alike(struct arena *a)
{
	struct words *w = words_of(a);
	struct memory_shingles *one =
		memory_shingles(w, a, STR("the quick brown fox jumps over the lazy dog"));
	struct memory_shingles *same =
		memory_shingles(w, a, STR("The quick, brown foxes jumped over the lazy dogs!"));
	struct memory_shingles *other =
		memory_shingles(w, a, STR("the quick brown fox jumps over the lazy cat"));
	struct memory_shingles *none = memory_shingles(w, a, STR("?!"));
	struct memory_shingles *shorter = memory_shingles(w, a, STR("brown fox"));

	ok(memory_similarity(one, same) == 1, "stems are compared");
	ok(memory_similarity(one, other) == 6.0 / 8, "six of eight shingles");
	ok(memory_similarity(none, none) == 0, "without words nothing is alike");
	ok(memory_similarity(shorter, shorter) == 1, "two words are one shingle");
	ok(shingles_are_near_duplicates(one, same) && !shingles_are_near_duplicates(one, other),
	   "near-duplicates");
	ok(!shingles_are_near_duplicates(none, none), "without words there are none");
	for (unsigned i = 0; i < 300; i++) {
		struct buf x = buf_in(a), y = buf_in(a);
		struct memory_shingles *p, *q;

		for (unsigned k = 0; k < 20 + i; k++) {
			buf_fmt(&x, "w%u ", k);
			buf_fmt(&y, "w%u ", k == 20 + i / 2 ? 999 : k);
		}
		p = memory_shingles(w, a, buf_as_str(&x));
		q = memory_shingles(w, a, buf_as_str(&y));
		if (shingles_are_near_duplicates(p, q) !=
			    (memory_similarity(p, q) >= MEMORY_SAME) &&
		    !ok(false, "the fast way agrees: %u", i))
			return;
	}
	ok(true, "the fast way agrees with the slow one");
}

static void outline_word(void *ctx, struct str word, uint64_t term, bool extra)
{
	(void)term;
	if (!extra)
		text_sketch_add_word(ctx, word);
}

/* Texts of a few words each, in many forms: most pairs differ, and some are the same by stems. */
static void test_outlines(struct arena *a)
{
	enum { TEXTS = 200 };
	static const char *const forms[] = {"pay",         "pays", "paying", "run",
					    "running",     "the",  "ties",   "tie",
					    "caf\xc3\xa9", "CAFE", "a_b",    "\xe8\xaa\x9e"};
	struct words *w = words_of(a);
	struct memory_shingles *shingles[TEXTS];
	struct outline outlines[TEXTS] = {0};
	unsigned alike = 0, apart = 0, wrong = 0;
	uint64_t seed = 5;

	for (unsigned i = 0; i < TEXTS; i++) {
		struct buf b = buf_in(a);

		/* Every fifth text has many words, the same as others behind the first. */
		if (i % 5 == 4) {
			buf_fmt(&b, "%s ", forms[i / 5 % ARRAY_SIZE(forms)]);
			for (unsigned k = 0; k < 40; k++)
				buf_fmt(&b, "w%c%u ", 'a' + (char)(k * 7 % 26), k);
		}
		for (unsigned k = 0; i % 5 < 4 && k < 1 + i % 5; k++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			buf_fmt(&b, "%s ", forms[(seed >> 33) % ARRAY_SIZE(forms)]);
		}
		shingles[i] = memory_shingles(w, a, buf_as_str(&b));
		words_each_with_sieve(w, buf_as_str(&b), NULL, outline_word, &outlines[i]);
	}
	for (unsigned i = 0; i < TEXTS; i++)
		for (unsigned k = 0; k < i; k++) {
			bool is = memory_similarity(shingles[i], shingles[k]) >= MEMORY_SAME;
			bool differ = text_sketches_differ(&outlines[i], &outlines[k]);

			alike += is;
			apart += differ;
			wrong += is && differ;
		}
	ok(alike > TEXTS / 4 && !wrong, "%u alike, %u of them said to differ", alike, wrong);
	ok(apart > TEXTS * TEXTS / 4, "%u told apart at once", apart);
}

/* ---- the referee ---- */

enum { MEMORIES = 3000, QUESTIONS = 60, TURNS = 20, VOCABULARY = 400 };

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Small numbers more often; `rare`: none of those. */
static void put_word(struct buf *b, uint32_t *seed, bool rare)
{
	uint32_t x = next(seed) % VOCABULARY, y = next(seed) % VOCABULARY;
	uint32_t n = rare ? VOCABULARY - 1 - x % 60 : x * y / VOCABULARY;

	buf_fmt(b, "zq%c%c ", 'a' + (int)(n % 26), 'a' + (int)(n / 26));
}

struct filling {
	struct memories *m;
	struct arena *a;
};

static struct err *fill(struct filling *f)
{
	struct db_txn txn DB_TXN = {0};
	struct words *w;
	uint32_t seed = 7;

	TRY(db_begin(&txn, f->m->db));
	TRY(memory_word_splitter(f->m, f->a, &w)); /* of the longer arena */
	for (unsigned i = 0; i < MEMORIES; i++) {
		struct arena *a = arena_new();
		struct buf b = buf_in(a);
		struct memory in = {.layer = MEMORY_USER,
				    .importance = 0.5,
				    .confidence = 0.5,
				    .redaction = MEMORY_INTERNAL,
				    .kind = i % 3 ? MEMORY_CONVERSATION : MEMORY_EPISODIC};
		struct memory out;
		struct memory_told told;
		struct err *e;

		for (unsigned k = 4 + next(&seed) % 20; k; k--)
			put_word(&b, &seed, false);
		if (next(&seed) % 4 == 0)
			buf_putc(&b, '?');
		in.content = buf_as_str(&b);
		in.happened = (int64_t)(i / TURNS + 1) * DAY;
		if (i % 3) {
			in.speaker = i % 2 ? STR("zqaa") : STR("Bob");
			in.turn = i + 1;
		}
		f->m->who.session = str_fmt(f->a, "s%u", i / TURNS);
		e = memory_add(f->m, a, &in, &out, &told);
		arena_free(a);
		TRY(e);
	}
	f->m->who.session = STR("");
	return db_commit(&txn);
}

struct scan {
	struct memories *m;
	struct arena *a;
	struct str query;
	struct ranked_list all;
};

/* A result has a word of the query, or is at most two turns from a memory that has one. */
static void only_near(struct scan *s)
{
	bool *near = arena_array(s->a, s->all.n, sizeof(bool));

	for (size_t i = 0; i < s->all.n; i++)
		for (size_t k = 0, at = i; k < 3 && at != RANK_NONE;
		     k++, at = s->all.p[at].before) {
			near[at] = near[at] || s->all.p[i].words > 0;
			near[i] = near[i] || s->all.p[at].words > 0;
		}
	for (size_t i = 0; i < s->all.n; i++)
		if (!near[i])
			s->all.p[i].points = 0;
}

/* The scope of the index that the first scope of a store has. */
static const int64_t one_scope[] = {2};

/* All memories, ranked with the same weights. */
static struct err *scan(struct scan *s)
{
	struct db_txn txn DB_TXN = {0};
	struct ranking *ranking;
	struct plan p;

	TRY(db_begin_read(&txn, s->m->db));
	TRY(search_plan_make(s->m, s->a, s->query, os_now(), one_scope, ARRAY_SIZE(one_scope), &p));
	ranking = ranking_new(s->a, s->m->words, &p);
	for (int64_t doc = 1; doc <= MEMORIES; doc++) {
		struct memory_list rows;
		struct ranked r = {.before = RANK_NONE, .meant = MEANT_HIT, .place = doc};

		TRY(memory_get_by_numbers(s->m, s->a, &doc, 1, &rows));
		r.memory = &rows.p[0];
		rank_set_features(ranking, &r);
		for (size_t i = s->all.n; rank_is_conversation_turn(r.memory) && i-- > 0;) {
			const struct memory *b = s->all.p[i].memory;

			if (!str_eq(b->session, r.memory->session))
				break;
			if (b->kind == r.memory->kind && r.before == RANK_NONE)
				r.before = i;
		}
		*VEC_PUSH(s->a, &s->all) = r;
	}
	rank_all(&p, s->a, &s->all);
	only_near(s);
	return NULL;
}

static void test_referee(struct arena *a)
{
	struct memories m = store(a, "referee.db");
	struct filling f = {&m, a};
	uint32_t seed = 99;
	unsigned questions = tap_share(QUESTIONS), same = 0, of = 0, few = 0, exact = 0;

	works(fill(&f), "three thousand memories");
	works(index_maintain(m.db, a), "tended");
	for (unsigned i = 0; i < questions; i++) {
		struct arena *one = arena_new();
		struct buf b = buf_in(one);
		struct memory_search q = {.status = -1, .limit = 10};
		struct memory_found got;
		struct scan s = {.m = &m, .a = one};
		size_t in_order, matched;

		for (unsigned k = 1 + i % 5; k; k--)
			put_word(&b, &seed, i % 3 == 0);
		q.query = s.query = buf_as_str(&b);
		m.words = NULL;
		works(memory_search(&m, one, &q, &got), "a search");
		works(scan(&s), "a scan");
		qsort(s.all.p, s.all.n, sizeof(*s.all.p), rank_order);
		in_order = 0;
		matched = 0;
		for (size_t j = 0; j < s.all.n; j++)
			matched += s.all.p[j].words > 0;
		for (size_t k = 0; k < 10 && k < got.n; k++, of++) {
			bool there = false;

			for (size_t j = 0; j < 10; j++)
				there = there || str_eq(s.all.p[j].memory->id, got.p[k].memory.id);
			same += there;
			in_order += str_eq(s.all.p[k].memory->id, got.p[k].memory.id);
		}
		if (matched && matched <= 24) {
			few++;
			exact += in_order == size_min(got.n, 10);
		}
		arena_free(one);
	}
	m.words = NULL;
	ok(of > questions * 5, "%u found", of);
	/*
	 * Random words make the hardest case: nearly all have some word, and none says much. A scan
	 * knows the points of every turn beside a memory, a search those of its candidates.
	 */
	ok(same * 100 >= of * 85, "the first ten are those of a scan of all: %u of %u", same, of);
	ok(few > questions / 20 && exact == few, "and in its order where few match: %u of %u",
	   exact, few);
}

/* ---- what a caller can rely on ---- */

static void add(struct memories *m, struct arena *a, struct str content, int64_t expires)
{
	struct memory in = {.layer = MEMORY_USER,
			    .kind = MEMORY_FACT,
			    .content = content,
			    .importance = 0.5,
			    .confidence = 0.5,
			    .redaction = MEMORY_SENSITIVE,
			    .expires = expires};
	struct memory out = {0};
	struct memory_told told;

	works(memory_add(m, a, &in, &out, &told), "one more");
}

static void test_filters(struct arena *a)
{
	struct memories m = store(a, "filters.db");
	struct memory_search q = {.query = STR("heron"), .status = -1, .limit = 5};
	struct memory_scopes none = {0};
	struct memory_found got;

	for (int i = 0; i < 3; i++)
		add(&m, a, str_fmt(a, "heron %d", i), 0);
	add(&m, a, STR("something else"), 0);
	works(memory_search(&m, a, &q, &got), "found");
	is_int((long long)got.n, 3, "three have the word");
	q.browse = MEMORY_BROWSE_IF_NONE;
	works(memory_search(&m, a, &q, &got), "found again");
	is_int((long long)got.n, 3, "nothing but those, because there are some");
	q.query = STR("stork");
	works(memory_search(&m, a, &q, &got), "found by no word");
	is_int((long long)got.n, 4, "so all are there");
	ok(got.p[0].relevance == MEMORY_RECENT, "as recent ones");
	q.query = STR("heron");
	q.browse = MEMORY_BROWSE_TOO;
	works(memory_search(&m, a, &q, &got), "browsed");
	is_int((long long)got.n, 4, "all of them");
	is_int(got.total, 4, "and counted");
	is_str(got.p[3].memory.content, STR("something else"), "without a word behind the others");
	ok(got.p[3].score == 0, "with no score");
	q.query = STR("");
	works(memory_search(&m, a, &q, &got), "browsed without a query");
	is_str(got.p[0].memory.content, STR("something else"), "newest first");
	q = (struct memory_search){
		.query = STR("heron"), .status = -1, .limit = 5, .scopes = &none};
	works(memory_search(&m, a, &q, &got), "no scope");
	is_int((long long)got.n, 0, "finds nothing");
	q.scopes = NULL;
	q.no_sensitive = true;
	works(memory_search(&m, a, &q, &got), "without sensitive ones");
	is_int((long long)got.n, 0, "nothing is left");
	q = (struct memory_search){.query = STR("heron"), .status = -1, .limit = 5, .threshold = 2};
	fails(memory_search(&m, a, &q, &got), E_OUT_OF_RANGE, "a threshold beyond the scale");
}

/* ---- what was replaced ---- */

enum { REPLACING = 400, REPLACED_ASKS = 200 };

struct replacing {
	struct memories *m;
	struct arena *a;
	struct strs ids; /* of the memories that may be superseded yet */
	uint32_t seed;
};

static struct str replaced_words(struct replacing *r)
{
	struct buf b = buf_in(r->a);

	for (unsigned k = 2 + next(&r->seed) % 5; k; k--)
		buf_fmt(&b, "%s ",
			(const char *[]){"editor", "vim", "helix", "user", "favourite", "pays",
					 "month", "rent"}[next(&r->seed) % 8]);
	return buf_as_str(&b);
}

static struct err *replace_many(struct replacing *r)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, r->m->db));
	for (unsigned i = 0; i < REPLACING; i++) {
		struct memory in = {.layer = i % 5 ? MEMORY_USER : MEMORY_AGENT,
				    .importance = 0.5,
				    .confidence = 0.5,
				    .redaction = MEMORY_INTERNAL,
				    .kind = MEMORY_FACT};
		struct memory out, old;
		struct memory_told told;

		in.content = str_fmt(r->a, "%.*s%u", STR_ARG(replaced_words(r)), i);
		in.happened = (int64_t)(1 + next(&r->seed) % 90) * DAY;
		if (i % 7 == 0)
			in.expires = (int64_t)(100 + next(&r->seed) % 40) * DAY;
		if (r->ids.n && next(&r->seed) % 2) {
			size_t at = next(&r->seed) % (uint32_t)r->ids.n;

			TRY(memory_get(r->m, r->a, r->ids.p[at], false, &old));
			if (old.layer == in.layer || in.layer == MEMORY_USER) {
				in.supersedes = r->ids.p[at];
				r->ids.p[at] = r->ids.p[--r->ids.n];
			}
		}
		TRY(memory_add_even_if_rejected(r->m, r->a, &in, &out, &told));
		if (!told.existing)
			strs_push(r->a, &r->ids, out.id);
	}
	return db_commit(&txn);
}

/* Whether the memory at `new` has replaced that at `old`, directly or not. */
static bool replaced_by(struct memories *m, struct arena *a, const struct memory *old,
			const struct memory *new, int64_t now)
{
	struct memory one = *old;

	while (one.superseded && one.superseded <= now) {
		if (str_eq(one.superseded_by, new->id))
			return true;
		if (memory_get(m, a, one.superseded_by, false, &one))
			return false;
	}
	return false;
}

static void test_replaced(struct arena *a)
{
	struct memories m = store(a, "replaced.db");
	struct replacing r = {.m = &m, .a = a, .seed = 5};
	struct words *w;
	unsigned pairs = 0, wrong = 0, rising = 0;
	const int64_t after = os_now();

	works(memory_word_splitter(&m, a, &w), "words");
	works(replace_many(&r), "memories that replace each other");
	for (unsigned i = 0; i < REPLACED_ASKS; i++) {
		struct memory_search q = {.status = -1,
					  .limit = 40,
					  .strict = i % 5 == 0,
					  .as_of = i % 3 ? 0 : after + (int64_t)(i % 50)};
		struct memory_found got;

		q.query = str_fmt(a, "%.*s%s", STR_ARG(replaced_words(&r)),
				  i % 4 ? "" : "in January 1970");
		if (i % 11 == 0)
			q.query = STR("what happened in February 1970");
		works(memory_search(&m, a, &q, &got), "a search");
		for (size_t k = 0; k < got.n; k++) {
			rising += k && got.p[k].score > got.p[k - 1].score;
			for (size_t j = k + 1; j < got.n; j++) {
				const struct memory *first = &got.p[k].memory;
				const struct memory *second = &got.p[j].memory;
				int64_t now = q.as_of ? q.as_of : os_now();

				pairs += replaced_by(&m, a, second, first, now);
				wrong += replaced_by(&m, a, first, second, now);
			}
		}
	}
	ok(pairs > 100, "%u pairs of old and new", pairs);
	is_int(wrong, 0, "no old one stands before what replaced it");
	is_int(rising, 0, "the best score is first");
}

static struct err *expiring(struct filling *f)
{
	struct db_txn txn DB_TXN = {0};

	TRY(db_begin(&txn, f->m->db));
	for (int i = 0; i < 700; i++)
		add(f->m, f->a, str_fmt(f->a, "heron %d", i), os_now() + DAY);
	return db_commit(&txn);
}

/* The index does not know what has expired. Expired memories take places among its best, so the
 * search asks for more. */
static void test_expired(struct arena *a)
{
	struct memories m = store(a, "expired.db");
	struct filling f = {&m, a};
	struct memory_search q = {.query = STR("heron"), .status = -1, .limit = 3, .strict = true};
	struct memory_found got;

	setenv("IKM_NOW", "2024-03-13T10:00:00Z", 1);
	add(&m, a, STR("a heron that stays, with some words more than others have"), 0);
	works(expiring(&f), "hundreds that expire");
	setenv("IKM_NOW", "2024-03-15T10:00:00Z", 1);
	works(memory_search(&m, a, &q, &got), "found");
	is_int((long long)got.n, 1, "behind hundreds that have expired");
	unsetenv("IKM_NOW");
}

int main(void)
{
	struct arena *a = arena_new();

	dir_fresh(a);
	test_dates(a);
	test_alike(a);
	test_outlines(a);
	test_filters(a);
	test_replaced(a);
	test_expired(a);
	test_referee(a);
	arena_free(a);
	return tap_done();
}
