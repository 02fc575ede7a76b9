#include "token/token.h"

struct table {
	const char *weights; /* one a feature: its character is the weight + WEIGHT_ZERO */
	const char *known;   /* one a slot: a few bits of the hash of the word that is one token */
};

struct sink {
	struct table table;
	int64_t score;
	uint64_t sum; /* in 1/LINK_ONE tokens */
};

#include "token/scan.h"
#include "token/table.h"

static inline void sink_add(struct sink *s, unsigned feature)
{
	s->score += s->table.weights[feature] - WEIGHT_ZERO;
}

static inline bool sink_known(struct sink *s, uint64_t hash, pos end)
{
	(void)end;
	if (s->table.known[known_slot(hash)] != known_tag(hash))
		return false;
	s->sum += LINK_ONE;
	return true;
}

/* What a score means: ln(1 + e^score), which is nothing, then bends, then is the score itself. */
static inline void sink_piece(struct sink *s, unsigned least, pos end)
{
	(void)end;
	s->sum += (uint64_t)least * LINK_ONE;
	if (s->score > LINK_MAX)
		s->sum += (uint64_t)s->score * LINK_ONE / WEIGHT_ONE;
	else if (s->score > -LINK_MAX)
		s->sum += link_of[s->score + LINK_MAX];
	s->score = 0;
}

static inline void sink_exact(struct sink *s, size_t tokens, pos end)
{
	(void)end;
	s->sum += tokens * LINK_ONE;
}

size_t token_estimate(struct str text, enum token_model model)
{
	static const struct table tables[] = {
		[TOKEN_O200K] = {o200k_weights, o200k_known},
		[TOKEN_CL100K] = {cl100k_weights, cl100k_known},
	};
	struct sink s = {.table = tables[model]};
	pos p = (pos)text.p;

	if (!text.n)
		return 0;
	/* Twice, so that each has the pre-tokenizer's choice compiled in. */
	if (model == TOKEN_O200K)
		scan(&s, p, p + text.n, true);
	else
		scan(&s, p, p + text.n, false);
	return size_min(size_max((size_t)((s.sum + LINK_ONE / 2) / LINK_ONE), 1), text.n);
}

struct err *token_model_of(struct str name, enum token_model *out)
{
	static const char *const models[] = TOKEN_MODELS;

	for (size_t i = 0; models[i]; i++)
		if (str_is(name, models[i])) {
			*out = (enum token_model)i;
			return NULL;
		}
	return err_help(err_new(E_BAD_CONFIG, "tokens.model is '%.*s': it can be o200k or cl100k",
				STR_ARG(name)),
			"say IKM_TOKENS_MODEL=o200k, or see `ikm config list` for where it comes "
			"from");
}
