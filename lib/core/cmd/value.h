/* value: stores a parameter's text in the struct, and what help tells of a parameter. */
#pragma once

#include "cmd/cmd.h"

/* Checks a value and stores it in the struct `base`, by the row p. `shown` is the name for
 * messages, as the user wrote it: "--limit" or "files[0].path". */
struct err *value_from_text(struct arena *a, const struct param *p, void *base, struct str text,
			    struct str shown) MUST_USE;
/* The parameter that JSON calls key, by its name or another one; NULL: none. */
const struct param *param_find(const struct param *params, struct str key);
/* The placeholder for the value in usage: "LAYER". */
struct str param_placeholder(struct arena *a, const struct param *p);
/* Whether help and manual pages list it as an option or argument. */
bool param_is_on_command_line(const struct param *p);
/* "info, warn, block" */
struct str value_choices(struct arena *a, const struct param *p, const char *sep);
