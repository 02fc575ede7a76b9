/* The words of the closed lists in lib/rules/knowledge/knowledge.h. */
#include "knowledge/read.h"

const char *const kn_types[] = {KN_TYPES(ENUM_NAME) NULL};
const char *const kn_layers[] = {KN_LAYERS(ENUM_NAME) NULL};
const char *const kn_statuses[] = {KN_STATUSES(ENUM_NAME) NULL};
const char *const kn_severities[] = {KN_SEVERITIES(ENUM_NAME) NULL};
const char *const kn_operators[] = {KN_OPERATORS(ENUM_NAME) NULL};
const char *const kn_targets[] = {KN_TARGETS(ENUM_NAME) NULL};
const char *const kn_reasons[] = {KN_REASONS(ENUM_NAME) NULL};
const char *const kn_rules[] = {KN_READ_RULES(ENUM_NAME) NULL};

#define OPERATOR_ROW(c, name, ...) {__VA_ARGS__},
const struct kn_operator_row kn_operator_rows[] = {KN_OPERATORS(OPERATOR_ROW)};

bool kn_operator_judges_change(enum kn_operator op)
{
	return op == KN_OP_MUST_NOT_SHRINK || op == KN_OP_MUST_CHANGE_TOGETHER;
}

struct str knowledge_required_features(struct arena *a, const struct kn_item *i)
{
	for (size_t n = 0; n < i->constraints_n; n++) {
		enum kn_operator op = i->constraints[n].op;

		if (kn_operator_rows[op].after)
			return str_fmt(a,
				       "'%.*s' needs an ikm after %s, for %s: upgrade servers and "
				       "CI first, because to an older ikm it is broken, which "
				       "blocks",
				       STR_ARG(i->id), kn_operator_rows[op].after,
				       kn_operators[op]);
	}
	return STR("");
}

int kn_word_index(const char *const *list, struct str word)
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
