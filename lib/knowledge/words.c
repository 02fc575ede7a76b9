/* The words of the closed lists in lib/knowledge/knowledge.h. */
#include "knowledge/read.h"

#define X(c, name) name,
const char *const kn_types[] = {KN_TYPES(X) NULL};
const char *const kn_layers[] = {KN_LAYERS(X) NULL};
const char *const kn_statuses[] = {KN_STATUSES(X) NULL};
const char *const kn_severities[] = {KN_SEVERITIES(X) NULL};
const char *const kn_operators[] = {KN_OPERATORS(X) NULL};
const char *const kn_targets[] = {KN_TARGETS(X) NULL};
#undef X
#define X(c, name, told, message) name,
const char *const kn_reasons[] = {KN_REASONS(X) NULL};
#undef X

int kn_word(const char *const *list, struct str word)
{
	for (int i = 0; list[i]; i++)
		if (str_ieq(word, str_of(list[i])))
			return i;
	return -1;
}

struct str kn_choices(struct arena *a, const char *const *list)
{
	struct strs v = {0};

	for (; *list; list++)
		strs_push(a, &v, str_of(*list));
	return str_join(a, &v, ", ");
}
