/* conf/internal: what the reader and the editor of settings share. Private to conf. */
#pragma once

#include "conf/conf.h"

#define CONF_BYTES_MAX ((size_t)1 << 20) /* of a file */

/* Whether settings begin with the key and a dot. */
static inline bool conf_is_group(struct str key)
{
	for (size_t i = 0; i < CONF_SETTINGS; i++)
		if (str_starts(str_of(conf_settings[i].key), key) &&
		    conf_settings[i].key[key.n] == '.')
			return true;
	return false;
}
bool conf_setting_allows_value(const struct conf_setting *s, const struct val *v);
/* The value for messages. For a list, the first member that is not allowed. */
struct str conf_shown(struct arena *a, const struct conf_setting *s, const struct val *v);
/* The index of the choice; -1: it is not an allowed choice. */
int conf_choice_index(const struct conf_setting *s, const struct val *v);
/* Reads the text as JSON, and else as a string. For a list of strings "a,b" is also allowed. */
struct val *conf_typed(struct arena *a, const struct conf_setting *s, struct str text);
