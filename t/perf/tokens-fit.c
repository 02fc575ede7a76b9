/*
 * tokens-fit: fits a model's table in lib/text/token. t/perf/tokens-fit.mjs runs it; see there.
 *
 * Reads "KIND PATH" lines; PATH.MODEL holds the lengths in bytes of the text's real tokens, 16 bits
 * each. Cuts each text with lib/text/token/scan.h, so that each piece has features and a real
 * number of tokens, and finds the weights by stochastic gradient descent: a piece's tokens are
 * expected to be least + ln(1 + e^score), and the loss is the one whose gradient by the score is
 * expected - real, so that totals come out right. Two rounds: what the first one gets wrong most,
 * and is one token, goes into the list of known words. Each kind of text weighs about the same, so
 * that many of one do not drown another.
 *
 * Usage: tokens-fit MODEL LIST EPOCHS >TABLE
 */
#include "base/base.h"
#include <math.h>

enum { LIMIT = 2048, KINDS = 32, SLOT_BITS = 22, CHUNK = 32 };

struct piece {
	uint64_t word;
	size_t first;
	unsigned features, least, real;
};

struct sink {
	struct piece *p;
	unsigned *f;
	size_t pieces, piece_cap, features, feature_cap, open;
	uint64_t word;
	const uint16_t *tokens;
	const unsigned char *start;
	size_t n_tokens, token, at; /* the next token, and where it starts */
};

#include "token/scan.h"

/* A set of words by hash; with what knowing them would gain. */
struct candidate {
	uint64_t hash;
	double gain;
	size_t doc, docs;
};

static struct candidate *words;
static uint64_t known[1 << KNOWN_BITS];
static float weight[FEATURES], square[FEATURES], steps[FEATURES];

static void *more(void *p, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return p;
	*cap = need * 2;
	p = realloc(p, *cap * size);
	if (!p)
		BUG("no memory");
	return p;
}

static struct candidate *word_at(uint64_t hash)
{
	size_t i = hash >> (64 - SLOT_BITS);

	while (words[i].hash && words[i].hash != hash)
		i = (i + 1) & ((1u << SLOT_BITS) - 1);
	words[i].hash = hash;
	return &words[i];
}

static void sink_add_token_feature(struct sink *s, unsigned feature)
{
	s->f = more(s->f, &s->feature_cap, s->features + 1, sizeof(*s->f));
	s->f[s->features++] = feature;
}

static unsigned real_until(struct sink *s, pos end)
{
	unsigned n = 0;

	while (s->token < s->n_tokens && s->start + s->at < end) {
		s->at += s->tokens[s->token++];
		n++;
	}
	return n;
}

static bool sink_count_known_piece(struct sink *s, uint64_t hash, pos end)
{
	uint64_t there = known[known_piece_slot(hash)];

	s->word = hash;
	if (!there || known_piece_tag(there) != known_piece_tag(hash))
		return false;
	real_until(s, end);
	return true;
}

static void sink_end_token_piece(struct sink *s, unsigned least, pos end)
{
	s->p = more(s->p, &s->piece_cap, s->pieces + 1, sizeof(*s->p));
	s->p[s->pieces++] = (struct piece){s->word, s->open, (unsigned)(s->features - s->open),
					   least, real_until(s, end)};
	s->open = s->features;
	s->word = 0;
}

static void sink_add_exact_tokens(struct sink *s, size_t tokens, pos end)
{
	(void)tokens;
	real_until(s, end);
}

struct text {
	struct sink s;
	size_t n, kind;
};

static struct text *texts;
static size_t n_texts, text_cap, n_kinds;
static char kinds[KINDS][16];
static double kind_tokens[KINDS];

static void *slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *p = NULL;
	size_t cap = 0, got;

	*n = 0;
	if (!f)
		BUG("cannot read %s", path);
	do {
		p = more(p, &cap, *n + (1 << 16), 1);
		got = fread(p + *n, 1, cap - *n, f);
		*n += got;
	} while (got);
	fclose(f);
	return p;
}

static void read_list(const char *path, const char *model)
{
	char line[LIMIT], kind[16], name[LIMIT], tokens[LIMIT + 16];
	FILE *f = fopen(path, "r");

	if (!f)
		BUG("cannot read %s", path);
	while (fgets(line, sizeof(line), f)) {
		struct text *t;
		size_t bytes;

		if (sscanf(line, "%15s %2047[^\n]", kind, name) != 2)
			BUG("bad line: %s", line);
		snprintf(tokens, sizeof(tokens), "%s.%s", name, model);
		texts = more(texts, &text_cap, n_texts + 1, sizeof(*texts));
		t = &texts[n_texts++];
		*t = (struct text){0};
		for (t->kind = 0; t->kind < n_kinds && strcmp(kinds[t->kind], kind);)
			t->kind++;
		if (t->kind == KINDS)
			BUG("more than %d kinds", KINDS);
		if (t->kind == n_kinds)
			snprintf(kinds[n_kinds++], sizeof(kinds[0]), "%s", kind);
		t->s.start = slurp(name, &t->n);
		t->s.tokens = slurp(tokens, &bytes);
		t->s.n_tokens = bytes / sizeof(uint16_t);
		kind_tokens[t->kind] += (double)t->s.n_tokens;
	}
	fclose(f);
}

/*
 * Of one token of it: code is the most varied. "vocabulary" is the words of the model's own list:
 * it brings the everyday ones that no text of ours has.
 */
static float kind_weight(size_t kind)
{
	static const struct {
		const char *kind;
		double weight;
	} special[] = {{"code", 5},  {"json", 1.5},     {"zh", 1.5},
		       {"other", 2}, {"vocabulary", 3}, {"noise", 0.2}};
	double w = fmin(2e6 / (kind_tokens[kind] + 2e5), 4);

	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (!strcmp(kinds[kind], special[i].kind))
			w *= special[i].weight;
	return (float)w;
}

static void cut(bool humps)
{
	for (size_t i = 0; i < n_texts; i++) {
		struct sink *s = &texts[i].s;

		s->pieces = s->features = s->open = s->token = s->at = 0;
		scanner_run(s, s->start, s->start + texts[i].n, humps);
	}
}

static float expected(const struct sink *s, const struct piece *p)
{
	float score = 0;

	for (unsigned k = 0; k < p->features; k++)
		score += weight[s->f[p->first + k]];
	return (float)p->least + (score > 15 ? score : log1pf(expf(score)));
}

static uint64_t rnd(uint64_t n)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % n;
}

static void learn(int epochs)
{
	struct chunk {
		uint32_t text, piece;
	} *order = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < n_texts; i++)
		for (uint32_t k = 0; k < texts[i].s.pieces; k += CHUNK) {
			order = more(order, &cap, n + 1, sizeof(*order));
			order[n++] = (struct chunk){i, k};
		}
	memset(weight, 0, sizeof(weight));
	memset(square, 0, sizeof(square));
	memset(steps, 0, sizeof(steps));
	for (int e = 0; e < epochs; e++) {
		double loss = 0, tokens = 0;

		for (size_t i = n; i > 1; i--) {
			size_t k = rnd(i);
			struct chunk c = order[i - 1];

			order[i - 1] = order[k];
			order[k] = c;
		}
		for (size_t i = 0; i < n; i++) {
			double done = ((double)e + (double)i / (double)n) / epochs;
			float rate = 0.05f * (float)pow(0.003, done);
			const struct text *t = &texts[order[i].text];
			float w = kind_weight(t->kind);

			for (size_t k = order[i].piece;
			     k < size_min(t->s.pieces, order[i].piece + CHUNK); k++) {
				const struct piece *p = &t->s.p[k];
				float wrong = expected(&t->s, p) - (float)p->real, g = wrong * w;
				float step = rate * fminf(1, 8 / (float)p->features);

				loss += wrong * wrong;
				tokens += p->real;
				for (unsigned q = 0; q < p->features; q++) {
					unsigned f = t->s.f[p->first + q];

					square[f] += g * g;
					steps[f]++;
					weight[f] -= step * g / sqrtf(0.01f + square[f] / steps[f]);
				}
			}
		}
		fprintf(stderr, "epoch %d: squared error per token %.4f\n", e + 1, loss / tokens);
	}
	free(order);
}

/* Into each slot the word that gains most, if it is found in two texts. */
static void choose(void)
{
	static double best[1 << KNOWN_BITS];
	size_t n = 0;

	for (size_t i = 0; i < n_texts; i++)
		for (size_t k = 0; k < texts[i].s.pieces; k++) {
			const struct piece *p = &texts[i].s.p[k];
			struct candidate *w;
			float now, then;

			if (!p->word)
				continue;
			w = word_at(p->word);
			if (w->doc != i + 1) {
				w->doc = i + 1;
				w->docs++;
			}
			now = expected(&texts[i].s, p) - (float)p->real;
			then = 1 - (float)p->real;
			w->gain += kind_weight(texts[i].kind) * (now * now - then * then + 0.02f);
		}
	for (size_t i = 0; i < 1u << SLOT_BITS; i++) {
		const struct candidate *w = &words[i];
		unsigned slot = known_piece_slot(w->hash);

		if (w->docs < 2 || w->gain <= best[slot])
			continue;
		n += !best[slot];
		best[slot] = w->gain;
		known[slot] = w->hash;
	}
	fprintf(stderr, "%zu known words\n", n);
}

static void print_string(const char *model, const char *what, const char *p, size_t n)
{
	printf("\nstatic const char %s_%s[] =\n", model, what);
	for (size_t i = 0; i < n; i += 84) {
		printf("\t\"");
		for (size_t k = i; k < size_min(n, i + 84); k++)
			printf(p[k] == '\\' || p[k] == '?' ? "\\%c" : "%c", p[k]);
		printf("\"%s\n", i + 84 < n ? "" : ";");
	}
}

int main(int argc, char **argv)
{
	static char out[FEATURES];
	bool humps;

	if (argc != 4)
		return 2;
	humps = !strcmp(argv[1], "o200k");
	words = calloc(1u << SLOT_BITS, sizeof(*words));
	if (!words)
		BUG("no memory");
	read_list(argv[2], argv[1]);
	cut(humps);
	learn(2);
	choose();
	cut(humps);
	learn((int)strtol(argv[3], NULL, 10));
	for (size_t i = 0; i < FEATURES; i++)
		out[i] = (char)(WEIGHT_ZERO +
				lrintf(fmaxf(-WEIGHT_MOST,
					     fminf(WEIGHT_MOST, weight[i] * WEIGHT_ONE))));
	print_string(argv[1], "weights", out, FEATURES);
	for (size_t i = 0; i < 1u << KNOWN_BITS; i++)
		out[i] = known[i] ? known_piece_tag(known[i]) : '!';
	print_string(argv[1], "known", out, 1u << KNOWN_BITS);
	return 0;
}
