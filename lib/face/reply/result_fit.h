/* result_fit: cuts a result to a number of tokens, for readers that pay for each token. Lists lose
 * members from their end, and texts lose lines from their end. Everything else stays. */
#pragma once

#include "app/app.h"
#include "token/token.h"

/*
 * The limit of a result as JSON in bytes, whatever its tokens. A message may contain the result up
 * to three times: as text in JSON, where a byte may become two, and as an object. It must stay
 * below 1 MiB.
 */
#define FIT_BYTES ((size_t)320 << 10)

struct fit {
	struct arena *a;
	enum token_model model;
	size_t tokens; /* the limit */
};
/* The range of a limit that a call asks for. */
#define FIT_LEAST 500
#define FIT_MOST  50000
/* Reads the settings mcp.resultTokens and tokens.model. */
struct fit fit_from_settings(struct arena *a, const struct conf *conf);

/* The limit of this call's answer. NULL: no limit. */
const struct fit *answer_limit_of_call(const struct call *c);
/* The tokens for the content itself, without the answer's other members. 0 without a limit. */
size_t fit_room(const struct fit *f);

/* The cost of a text in tokens. A long text of few tokens costs by its bytes. */
size_t fit_cost(const struct fit *f, struct str text);
/* The cost of a string as JSON. */
size_t fit_str_cost(const struct fit *f, struct str s);
/* The bytes at the beginning that fit into `room` tokens: whole lines, if at least one line
 * fits. */
size_t fit_head(const struct fit *f, struct str text, size_t room);
/* The bytes at the end that fit into `room` tokens, in the same way. */
size_t fit_tail(const struct fit *f, struct str text, size_t room);

/* Whether a result with this JSON text is short enough. */
bool fit_has_room(const struct fit *f, struct str json);
/* The list that fit_result() shortened, and by how much. */
struct fit_cut {
	struct val *list; /* the first list that was cut; NULL: none */
	struct str name;  /* its member's name */
	struct strs said; /* "matches: 20 of 400 are here" */
};
/* Cuts v, which is too long, in place. */
void fit_result(const struct fit *f, struct val *v, struct fit_cut *cut);
