/*
 * memories: makes realistic memories and questions about them, the same for the same seed.
 *
 *	memories json N SEED NOW >FILE         lines that `ikm mem import` reads
 *	memories tsv N SEED NOW >FILE          the columns of the table memories, for sqlite3
 *	memories questions N SEED NOW K >FILE  K lines: number of the memory, its id, a question
 *
 * Words are Zipf-Mandelbrot over 80,000, of which the most frequent are English and the others are
 * made up, so that they can be pronounced and stemmed. Memories come in conversations of 24, each
 *of a topic, whose few hundred words recur in other conversations of that topic; of 20 to 60 words;
 * over the two years before NOW (milliseconds since 1970), in order. A question is made of one to
 * eight content words of one memory, with words that every question has around them.
 */
#include "base/base.h"
#include <inttypes.h>
#include <math.h>

enum {
	WORDS = 80000,
	TOPICS = 4000,
	TOPIC_WORDS = 300,
	SESSION = 24,
	LONGEST = 60,
	HEAD_CONTENT = 160 /* words before this one say little by themselves */
};

#define DAY       INT64_C(86400000)
#define TWO_YEARS (730 * DAY)

/* By how often they are used, more or less; the second half can carry a question. */
static const char head[] =
	"the of to and a in is it you that he was for on are with as I his they be at one have this "
	"from or had by not but what some we can out other were all there when up use your how said "
	"an each she which do their if will way about many then them would like so these her him "
	"has more could did my than who been its now where after back just because any most very "
	"me our over know only see also into get come made may said take here think say want well "
	"even must through much before too does going same another should again still such off went "
	"us those both why always while ask might under let got never put since being few upon "
	"project team user build test code file server release data branch review error change "
	"update plan meeting week month report issue feature client request design service account "
	"system time work people year house school water family friend music book travel garden "
	"dinner morning evening summer winter birthday doctor hospital running painting camera "
	"picture guitar kitchen coffee bread bicycle mountain river island train airport ticket "
	"hotel market price budget contract invoice payment deadline schedule backup cluster query "
	"index table column schema migration library version package license token password secret "
	"policy rule pattern decision prefer remember forget learn teach write read draw speak "
	"listen watch follow carry build break repair clean paint move rent sell offer promise "
	"support customer manager engineer student teacher neighbour sister brother mother father "
	"daughter cousin dog cat horse bird tree flower weather storm snow light window door street "
	"bridge village city country language history science physics chemistry biology health "
	"exercise swimming climbing cooking reading writing coding testing deploying monitoring";

static const char *const onsets[] = {
	"b", "br", "c",  "ch", "cl", "d", "dr", "f",  "fl",  "g", "gr", "h",  "j", "k", "l", "m",
	"n", "p",  "pl", "pr", "r",  "s", "sh", "st", "str", "t", "th", "tr", "v", "w", "z", "qu"};
static const char *const nuclei[] = {"a", "e", "i", "o", "u", "ai", "ea", "ee", "io", "ou"};
static const char *const codas[] = {"",  "",  "",   "n",  "r",  "l",  "s",
				    "t", "m", "ck", "nd", "rt", "st", "x"};
static const char *const endings[] = {"",  "",     "",     "",   "ing", "ed",   "er",
				      "s", "tion", "ment", "ly", "al",  "ness", "able"};

static const char *const names[] = {"Ada",  "Boris", "Chandra", "Dolores", "Emeka", "Farah",
				    "Goro", "Hanna", "Ivo",     "Jun",     "Katya", "Luis"};
static const char *const tags[] = {"decision", "preference", "bug",      "idea",     "todo",
				   "meeting",  "build",      "security", "api",      "style",
				   "personal", "travel",     "health",   "music",    "food",
				   "legal",    "budget",     "infra",    "research", "archive"};

/* The words around a question: before, between the content words, after. */
static const char *const wraps[][3] = {
	{"what did we say about ", " and ", "?"}, {"when was the ", " ", " decided?"},
	{"who talked about ", " or ", ""},        {"", " ", ""},
	{"how is the ", " of the ", " done?"},    {"do you remember the ", ", ", " thing"},
};

struct rng {
	uint64_t s;
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t next(struct rng *r)
{
	return mix(r->s += UINT64_C(0x9e3779b97f4a7c15));
}

static unsigned below(struct rng *r, unsigned n)
{
	return (unsigned)((next(r) >> 32) * n >> 32);
}

static double unit(struct rng *r)
{
	return (double)(next(r) >> 11) / 9007199254740992.0;
}

/* Drawing by weights in constant time (Walker's alias method). */
struct alias {
	unsigned n;
	unsigned *other;
	double *keep;
};

/* Zipf-Mandelbrot: rank r, from 0, weighs 1 / (r + shift)^1.07. */
static struct alias zipf(struct arena *a, unsigned n, double shift)
{
	struct alias t = {n, arena_array(a, n, sizeof(unsigned)),
			  arena_array(a, n, sizeof(double))};
	unsigned *small = arena_array(a, n, sizeof(*small)),
		 *large = arena_array(a, n, sizeof(*large));
	unsigned smalls = 0, larges = 0;
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		t.keep[i] = pow(i + shift, -1.07);
		sum += t.keep[i];
	}
	for (unsigned i = 0; i < n; i++) {
		t.keep[i] *= n / sum;
		if (t.keep[i] < 1)
			small[smalls++] = i;
		else
			large[larges++] = i;
	}
	while (smalls && larges) {
		unsigned s = small[--smalls], l = large[larges - 1];

		t.other[s] = l;
		t.keep[l] -= 1 - t.keep[s];
		if (t.keep[l] < 1) {
			larges--;
			small[smalls++] = l;
		}
	}
	while (larges)
		t.keep[large[--larges]] = 1;
	while (smalls)
		t.keep[small[--smalls]] = 1;
	return t;
}

static unsigned draw(const struct alias *t, struct rng *r)
{
	uint64_t x = next(r);
	unsigned i = (unsigned)((x >> 32) * t->n >> 32);

	return (double)(uint32_t)x / 4294967296.0 < t->keep[i] ? i : t->other[i];
}

struct made {
	int64_t n, now;
	uint64_t seed;
	struct str word[WORDS];
	unsigned heads;
	struct alias words, topics, topic_words, tags;
};

static uint64_t seed_of(const struct made *m, uint64_t what, uint64_t i)
{
	return mix(mix(m->seed + what * UINT64_C(0x9e3779b97f4a7c15)) + i);
}

/* ---- words ---- */

#define PICK(r, list) ((list)[below((r), (unsigned)ARRAY_SIZE(list))])

static struct str invent(struct arena *a, struct rng *r, unsigned most)
{
	struct buf b = buf_with_max(a, 32);
	unsigned syllables = 1 + below(r, most);

	for (unsigned i = 0; i < syllables; i++) {
		buf_puts(&b, PICK(r, onsets));
		buf_puts(&b, PICK(r, nuclei));
		if (i + 1 == syllables)
			buf_puts(&b, PICK(r, codas));
	}
	buf_puts(&b, PICK(r, endings));
	return str_dup(a, buf_as_str(&b));
}

static void make_words(struct arena *a, struct made *m)
{
	enum { SLOTS = 1 << 18 };
	struct rng r = {seed_of(m, 1, 0)};
	struct str *seen = arena_array(a, SLOTS, sizeof(*seen));
	struct str rest = str_of(head), w;
	unsigned n = 0;

	while (n < WORDS) {
		size_t at;

		if (!str_next_part(&rest, ' ', &w))
			w = invent(a, &r, n < WORDS / 10 ? 2 : 3);
		else
			m->heads = n + 1;
		at = (size_t)str_hash(w) % SLOTS;
		while (seen[at].n && !str_eq(seen[at], w))
			at = (at + 1) % SLOTS;
		if (seen[at].n)
			continue;
		seen[at] = w;
		m->word[n++] = w;
	}
}

/* ---- memories ---- */

static const char *const kinds[] = {"fact", "episodic", "semantic", "conversation",
				    "knowledge_pointer"};
static const char *const types[][3] = {{"preference", "observation", "fact"},
				       {"event", "decision", "action"},
				       {"fact", "definition", "user_preference"},
				       {"turn", "turn", "turn"},
				       {"adr", "policy", "pattern"}};

struct one {
	char id[32];
	unsigned kind, words, tags;
	unsigned word[LONGEST], tag[3];
	unsigned length; /* of the sentence that is open */
	const char *type, *layer, *speaker;
	unsigned importance;
	int64_t session, turn, at;
	char text[1024];
	size_t text_n;
};

static void put_id(char *out, int64_t ms, uint64_t high, uint64_t low)
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

	memcpy(out, "mem_", 4);
	for (unsigned i = 0; i < 10; i++)
		out[4 + i] = digits[ms >> (45 - 5 * i) & 31];
	for (unsigned i = 0; i < 8; i++) {
		out[14 + i] = digits[high >> (5 * i) & 31];
		out[22 + i] = digits[low >> (5 * i) & 31];
	}
	out[30] = 0;
}

static void put_word(struct one *o, struct str w, struct rng *r)
{
	bool start = !o->length;

	if (o->text_n)
		o->text[o->text_n++] = ' ';
	memcpy(o->text + o->text_n, w.p, w.n);
	if (start && w.p[0] >= 'a')
		o->text[o->text_n] = (char)(w.p[0] - 'a' + 'A');
	o->text_n += w.n;
	o->length++;
	if (o->length > 4 && !below(r, 9)) {
		o->text[o->text_n++] = '.';
		o->length = 0;
	}
}

static void make(const struct made *m, int64_t i, struct one *o)
{
	struct rng r = {seed_of(m, 2, (uint64_t)i)};
	struct rng session = {seed_of(m, 3, (uint64_t)(i / SESSION))};
	unsigned topic = draw(&m->topics, &session), kind = below(&session, 10);
	int64_t sessions = m->n / SESSION + 1;

	memset(o, 0, offsetof(struct one, text));
	o->text_n = 0;
	/* Half are conversations; of the others each memory has its own kind. */
	o->kind = kind < 5 ? 3 : (unsigned[]){0, 0, 1, 1, 1, 2, 2, 4}[below(&r, 8)];
	o->type = types[o->kind][below(&r, 3)];
	o->layer = (const char *[]){
		"user", "user", "user", "project", "project", "agent"}[below(&session, 6)];
	o->session = i / SESSION;
	o->turn = o->kind == 3 ? i % SESSION + 1 : 0;
	o->speaker = o->kind == 3 ? names[(below(&session, 12) + (unsigned)(i & 1) * 5) % 12] : "";
	o->at = m->now - TWO_YEARS + o->session * (TWO_YEARS / sessions) + i % SESSION * 60000 +
		below(&r, 50000);
	o->importance = 20 + below(&r, 80);
	o->tags = below(&r, 4);
	for (unsigned t = 0; t < o->tags; t++)
		o->tag[t] = draw(&m->tags, &r);
	put_id(o->id, o->at, next(&r), next(&r));
	o->words = 20 + below(&r, LONGEST - 20 + 1);
	for (unsigned w = 0; w < o->words; w++) {
		unsigned rank = draw(&m->words, &r);

		/* A third is of the topic: always the same few hundred, some of them often. */
		if (!below(&r, 3))
			rank = HEAD_CONTENT +
			       (unsigned)(seed_of(m, 4,
						  (uint64_t)topic << 16 |
							  draw(&m->topic_words, &r)) %
					  (WORDS / 4));
		o->word[w] = rank;
		put_word(o, m->word[rank], &r);
	}
	o->text[o->text_n++] = '.';
}

/* ---- printing ---- */

static void put_time(int64_t ms)
{
	time_t s = (time_t)(ms / 1000);
	struct tm t;

	gmtime_r(&s, &t);
	printf("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
	       t.tm_hour, t.tm_min, t.tm_sec, (int)(ms % 1000));
}

static void put_tags(const struct one *o)
{
	putchar('[');
	for (unsigned t = 0; t < o->tags; t++)
		printf("%s\"%s\"", t ? "," : "", tags[o->tag[t]]);
	putchar(']');
}

static void put_json(const struct one *o)
{
	printf("{\"memoryId\":\"%s\",\"layer\":\"%s\",\"kind\":\"%s\",\"type\":\"%s\",\"content\":\"",
	       o->id, o->layer, kinds[o->kind], o->type);
	fwrite(o->text, 1, o->text_n, stdout);
	fputs("\",\"tags\":", stdout);
	put_tags(o);
	printf(",\"importance\":0.%02u,\"sessionId\":\"s%jd\"", o->importance,
	       (intmax_t)o->session);
	if (o->turn)
		printf(",\"speaker\":\"%s\",\"turn\":%jd", o->speaker, (intmax_t)o->turn);
	fputs(",\"createdAt\":\"", stdout);
	put_time(o->at);
	fputs("\"}\n", stdout);
}

static void put_tsv(const struct one *o, int64_t i)
{
	printf("%jd\t%s\t%u\t%s\t%s\t", (intmax_t)i + 1, o->id,
	       1 + (o->layer[0] == 'p') + 2 * (o->layer[0] == 'a'), kinds[o->kind], o->type);
	put_tags(o);
	printf("\t\t0.%02u\t1.0\timport\tinternal\t\tactive\tada\tdefault\ts%jd\t%s\t%jd\t\t\t\t",
	       o->importance, (intmax_t)o->session, o->speaker, (intmax_t)o->turn);
	printf("%jd\t%jd\t%jd\t\t%zu\to200k\t%jd\t\t", (intmax_t)o->at, (intmax_t)o->at,
	       (intmax_t)o->at, o->text_n / 4,
	       (intmax_t)str_hash((struct str){o->text, o->text_n}));
	fwrite(o->text, 1, o->text_n, stdout);
	putchar('\n');
}

static void put_question(const struct made *m, struct rng *r)
{
	int64_t i = (int64_t)(unit(r) * (double)m->n);
	const char *const *wrap = wraps[below(r, ARRAY_SIZE(wraps))];
	unsigned want = 1 + below(r, 8), n = 0, ranks[LONGEST];
	struct one o;

	make(m, i, &o);
	for (unsigned w = 0; w < o.words; w++)
		if (o.word[w] >= HEAD_CONTENT)
			ranks[n++] = o.word[w];
	printf("%jd\t%s\t%s", (intmax_t)i + 1, o.id, wrap[0]);
	/* Each word as likely as the others, in the order of the memory. */
	for (unsigned w = 0; w < n; w++)
		if (below(r, n - w) < want) {
			printf("%.*s%s", STR_ARG(m->word[ranks[w]]),
			       --want && w + 1 < n ? wrap[1] : "");
			if (!want)
				break;
		}
	printf("%s\n", wrap[2]);
}

static bool number(const char *text, int64_t *out)
{
	return text && str_int(str_of(text), out) && *out >= 0;
}

int main(int argc, char **argv)
{
	static struct made m;
	struct arena *a = arena_new();
	int64_t seed, k = 0;
	bool ask = argc == 6 && !strcmp(argv[1], "questions");
	struct one o;

	if ((argc != 5 && !ask) || !number(argv[2], &m.n) || !number(argv[3], &seed) ||
	    !number(argv[4], &m.now) || (ask && !number(argv[5], &k)) || !m.n) {
		fprintf(stderr, "usage: memories json|tsv N SEED NOW, "
				"memories questions N SEED NOW K\n");
		return 2;
	}
	m.seed = (uint64_t)seed;
	make_words(a, &m);
	m.words = zipf(a, WORDS, 3.7);
	m.topics = zipf(a, TOPICS, 20);
	m.topic_words = zipf(a, TOPIC_WORDS, 10);
	m.tags = zipf(a, (unsigned)ARRAY_SIZE(tags), 1);
	if (ask)
		for (struct rng r = {mix(m.seed + 99)}; k; k--)
			put_question(&m, &r);
	else
		for (int64_t i = 0; i < m.n; i++) {
			make(&m, i, &o);
			if (!strcmp(argv[1], "tsv"))
				put_tsv(&o, i);
			else
				put_json(&o);
		}
	arena_free(a);
	return 0;
}
