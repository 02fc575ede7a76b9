/*
 * token: estimates the number of tokens that a model's tokenizer would make of a text, without the
 * tokenizer (requirement: assets, "Block Budget Enforcement"). The mean error is within three
 * percent; t/perf/tokens.sh measures it.
 */
#pragma once

#include "conf/conf.h"

enum token_model { CONF_TOKENS(ENUM_MEMBER, TOKEN_) };
extern const char *const token_models[];

/* Counts each byte that is not UTF-8 as tokenizers count single bytes. O(n), allocates nothing. */
size_t token_estimate(struct str text, enum token_model model);
