/*
 * token: estimates the number of tokens that a model's tokenizer would make of a text, without the
 * tokenizer (requirement: assets, "Block Budget Enforcement"). The mean error is within three
 * percent; t/perf/tokens.sh measures it.
 */
#ifndef IKM_TOKEN_H
#define IKM_TOKEN_H

#include "base/base.h"

/* The models of the setting tokens.model: the name in C, and the name that users write. */
#define TOKEN_MODELS(X) X(O200K, "o200k") X(CL100K, "cl100k")
#define X(c, name)      TOKEN_##c,
enum token_model { TOKEN_MODELS(X) };
#undef X
/* The names in the order of the enum, and NULL at the end. */
extern const char *const token_models[];

/* Counts each byte that is not UTF-8 as tokenizers count single bytes. O(n), allocates nothing. */
size_t token_estimate(struct str text, enum token_model model);

#endif
