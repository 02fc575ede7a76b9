/* value: stores a parameter's text or JSON in the struct. Both parsers use it. */
#pragma once

#include "cmd/cmd.h"

/* Checks a value and stores it in the struct `base`, by the row p. `shown` is the name for
 * messages, as the user wrote it: "--limit" or "files[0].path". */
struct err *value_from_text(struct arena *a, const struct param *p, void *base, struct str text,
			    struct str shown) MUST_USE;
struct err *value_from_json(struct arena *a, const struct param *p, void *base, const struct val *v,
			    struct str shown) MUST_USE;
/* The parameter that JSON calls key, by its name or another one; NULL: none. */
const struct param *param_find(const struct param *params, struct str key);
/* The place of the row's value in the struct `base`. */
void *cmd_value_pointer(const struct param *p, void *base);
/*
 * Reads an object's members into a struct. `at` is the prefix of their names in messages; it is
 * empty at the top.
 */
struct err *cmd_parse_members(struct arena *a, const struct cmd *c, const struct val *input,
			      void *args, struct str at) MUST_USE;
/* The placeholder for the value in usage: "LAYER". */
struct str param_placeholder(struct arena *a, const struct param *p);
/* "info, warn, block" */
struct str value_choices(struct arena *a, const struct param *p, const char *sep);

/*
 * Of a text that has the JSON of another type: that. Some hosts send lists, objects, numbers and
 * booleans so. Other values stay.
 */
const struct val *value_parse_json_text(struct arena *a, const struct val *v);
