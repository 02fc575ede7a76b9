/*
 * token: about how many tokens a model's tokenizer would make of a text, without the tokenizer
 * (requirement: assets, "Block Budget Enforcement"). The mean error is within three percent;
 * t/perf/tokens.sh measures it.
 */
#ifndef IKM_TOKEN_H
#define IKM_TOKEN_H

#include "base/base.h"

enum token_model { TOKEN_O200K, TOKEN_CL100K };
/* In the order of the enum: the values of the setting tokens.model. */
/* clang-format off */
#define TOKEN_MODELS {"o200k", "cl100k", NULL}
/* clang-format on */

/* Bytes that are not UTF-8 count as what a tokenizer makes of single bytes. O(n), no memory. */
size_t token_estimate(struct str text, enum token_model model);
/* By name. BAD_CONFIG that says what is allowed. */
struct err *token_model_of(struct str name, enum token_model *out) MUST_USE;

#endif
