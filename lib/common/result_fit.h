/*
 * fit: a result cut down to so many tokens, for readers that pay for each one. Lists lose members
 * from their end, texts lose lines from their end; everything else stays.
 */
#ifndef IKM_COMMON_RESULT_FIT_H
#define IKM_COMMON_RESULT_FIT_H

#include "app/app.h"
#include "token/token.h"

/*
 * Bytes of a result as JSON, whatever its tokens are. A message has it up to three times (as text
 * in JSON, where a byte may become two, and as an object) and must stay below 1 MiB.
 */
#define FIT_BYTES ((size_t)320 << 10)

struct fit {
	struct arena *a;
	enum token_model model;
	size_t tokens; /* the ceiling */
};
/* By the settings mcp.resultTokens and tokens.model. */
struct fit fit_of(struct arena *a, const struct conf *conf);

/* The limit of this call's answer; NULL: it may have any length. */
const struct fit *fit_of_call(const struct call *c);
/* Tokens for the content itself: other members of the answer need a few. Without a limit 0. */
size_t fit_room(const struct fit *f);

/* Of a text, as tokens; a long text of few tokens counts by its bytes. */
size_t fit_cost(const struct fit *f, struct str text);
/* The same of a string as JSON. */
size_t fit_str_cost(const struct fit *f, struct str s);
/* How many bytes of the beginning fit into so many tokens: whole lines where a line fits at all. */
size_t fit_head(const struct fit *f, struct str text, size_t room);
/* The same of the end. */
size_t fit_tail(const struct fit *f, struct str text, size_t room);

/* Whether a result of this text is short enough as it is. */
bool fit_has_room(const struct fit *f, struct str json);
/* The list that fit_result() shortened, and by how much. */
struct fit_cut {
	struct val *list; /* the first list that was cut; NULL: none */
	struct str name;  /* its member's name */
	struct strs said; /* "matches: 20 of 400 are here" */
};
/* Cuts v, which is too long, in place. */
void fit_result(const struct fit *f, struct val *v, struct fit_cut *cut);

#endif
