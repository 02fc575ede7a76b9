#include "token/token.h"

const char *const token_models[] = {CONF_TOKENS(ENUM_NAME, ) NULL};

struct table {
	const char *weights; /* one weight for each feature */
	const char *known;   /* for each slot, a few bits of the hash of a word that is one token */
};

struct sink {
	struct table table;
	int64_t score;
	uint64_t sum; /* in 1/LINK_ONE tokens */
};

#include "token/scan.h"
#include "token/o200k_weights.h"
#include "token/cl100k_weights.h"

/*
 * The link function: ln(1 + e^score). It is almost 0 for low scores, and almost the score itself
 * for high scores. The table has its values in 1/LINK_ONE tokens, for scores from -LINK_MAX to
 * LINK_MAX.
 */
enum { LINK_ONE = 1024, LINK_MAX = 7 * WEIGHT_ONE };
static const uint16_t link_of[2 * LINK_MAX + 1] = {
	1,    1,    1,    1,    1,    2,    2,    2,    2,    3,    3,    3,    4,    4,    4,
	5,    6,    6,    7,    8,    9,    10,   11,   12,   13,   15,   17,   19,   21,   23,
	26,   29,   32,   36,   40,   45,   50,   55,   62,   69,   77,   85,   95,   105,  117,
	130,  144,  160,  177,  196,  217,  240,  264,  291,  321,  353,  387,  424,  464,  507,
	553,  602,  654,  710,  768,  830,  895,  962,  1033, 1107, 1184, 1263, 1345, 1429, 1516,
	1605, 1696, 1789, 1884, 1980, 2078, 2178, 2279, 2381, 2484, 2588, 2693, 2799, 2906, 3014,
	3122, 3230, 3340, 3449, 3559, 3670, 3781, 3892, 4003, 4115, 4226, 4338, 4451, 4563, 4676,
	4788, 4901, 5014, 5127, 5240, 5353, 5466, 5580, 5693, 5806, 5920, 6033, 6147, 6260, 6374,
	6487, 6601, 6714, 6828, 6942, 7055, 7169};

static inline void sink_add_token_feature(struct sink *s, unsigned feature)
{
	s->score += s->table.weights[feature] - WEIGHT_ZERO;
}

static inline bool sink_count_known_piece(struct sink *s, uint64_t hash, pos end)
{
	(void)end;
	if (s->table.known[known_piece_slot(hash)] != known_piece_tag(hash))
		return false;
	s->sum += LINK_ONE;
	return true;
}

static inline void sink_end_token_piece(struct sink *s, unsigned least, pos end)
{
	(void)end;
	s->sum += (uint64_t)least * LINK_ONE;
	if (s->score > LINK_MAX)
		s->sum += (uint64_t)s->score * LINK_ONE / WEIGHT_ONE;
	else if (s->score > -LINK_MAX)
		s->sum += link_of[s->score + LINK_MAX];
	s->score = 0;
}

static inline void sink_add_exact_tokens(struct sink *s, size_t tokens, pos end)
{
	(void)end;
	s->sum += tokens * LINK_ONE;
}

/* Two functions, so the compiler makes a version of scanner_run() for each pre-tokenizer and table.
 */
static uint64_t sum_o200k(pos p, pos end)
{
	struct sink s = {.table = {o200k_weights, o200k_known}};

	scanner_run(&s, p, end, true);
	return s.sum;
}

static uint64_t sum_cl100k(pos p, pos end)
{
	struct sink s = {.table = {cl100k_weights, cl100k_known}};

	scanner_run(&s, p, end, false);
	return s.sum;
}

size_t token_estimate(struct str text, enum token_model model)
{
	pos p = (pos)text.p;
	uint64_t sum;

	if (!text.n)
		return 0;
	sum = model == TOKEN_O200K ? sum_o200k(p, p + text.n) : sum_cl100k(p, p + text.n);
	return size_min(size_max((size_t)((sum + LINK_ONE / 2) / LINK_ONE), 1), text.n);
}
