/* The words of the closed lists in lib/knowledge/knowledge.h. */
#include "knowledge/read.h"

const char *const kn_types[] = {KN_TYPES(ENUM_NAME) NULL};
const char *const kn_layers[] = {KN_LAYERS(ENUM_NAME) NULL};
const char *const kn_statuses[] = {KN_STATUSES(ENUM_NAME) NULL};
const char *const kn_severities[] = {KN_SEVERITIES(ENUM_NAME) NULL};
const char *const kn_operators[] = {KN_OPERATORS(ENUM_NAME) NULL};
const char *const kn_targets[] = {KN_TARGETS(ENUM_NAME) NULL};
const char *const kn_reasons[] = {KN_REASONS(ENUM_NAME) NULL};
const char *const kn_rules[] = {KN_READ_RULES(ENUM_NAME) NULL};

int kn_word(const char *const *list, struct str word)
{
	for (int i = 0; list[i]; i++)
		if (str_ieq(word, str_of(list[i])))
			return i;
	return -1;
}

struct str kn_choices(struct arena *a, const char *const *list)
{
	struct strs v = strs_of(a, list);

	return str_join(a, &v, ", ");
}
