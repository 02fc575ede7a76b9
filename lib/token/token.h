/*
 * token: estimates the number of tokens that a model's tokenizer would make of a text, without the
 * tokenizer (requirement: assets, "Block Budget Enforcement"). The mean error is within three
 * percent; t/perf/tokens.sh measures it.
 */
#pragma once

#include "base/base.h"

/* The words of the setting tokens.model. */
#define TOKEN_MODELS(X) X(TOKEN_O200K, "o200k") X(TOKEN_CL100K, "cl100k")
enum token_model { TOKEN_MODELS(ENUM_MEMBER) };
extern const char *const token_models[];

/* Counts each byte that is not UTF-8 as tokenizers count single bytes. O(n), allocates nothing. */
size_t token_estimate(struct str text, enum token_model model);
