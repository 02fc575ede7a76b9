/*
 * secret: well-known forms of keys and passwords in a text, for a warning before it is kept. What
 * is found is not proof, and what is not found is no promise.
 */
#pragma once

#include "base/base.h"

/* The kind of the first one, as "a token of GitHub"; NULL: none. *at: where it begins. */
const char *secret_find(struct str text, size_t *at);
