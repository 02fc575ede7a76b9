/* Rules about the constraints of one item. */
#include "lint/internal.h"
#include "judge/rules_for_path.h"
#include "judge/examples.h"

/* ---- a glob, or a regular expression ---- */

/* Whether the character stands for itself in the names of packages and files. */
static bool lint_is_name_char(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '_' || c == '/' || c == '@' || c == ':';
}

/*
 * A star behind a plain character repeats that character, which no name of a package or file needs:
 * "@evil" with a slash and a star means any number of slashes. Returns the offset of the star, or
 * SIZE_MAX.
 */
static size_t lint_glob_star(struct str re)
{
	bool class = false;

	for (size_t i = 0; i < re.n; i++) {
		if (re.p[i] == '\\')
			i++;
		else if (re.p[i] == '[')
			class = true;
		else if (re.p[i] == ']')
			class = false;
		else if (!class && re.p[i] == '*' && i && lint_is_name_char(re.p[i - 1]) &&
			 !(i > 1 && re.p[i - 2] == '\\'))
			return i;
	}
	return SIZE_MAX;
}

/* The glob as a regular expression: each such star with a dot before it. */
static struct str lint_star_to_regex(struct arena *a, struct str glob)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < glob.n; i++) {
		if (glob.p[i] == '*' && i && lint_is_name_char(glob.p[i - 1]))
			buf_putc(&b, '.');
		buf_putc(&b, glob.p[i]);
	}
	return buf_as_str(&b);
}

/*
 * *part: the sign that a glob is a regular expression. ".*" is also a glob for hidden files: there
 * it begins a part of the path.
 */
static bool lint_is_regex(struct str glob, const char **part)
{
	static const char *const parts[] = {".*", ".+", "\\.", "(", "|", NULL};

	*part = NULL;
	for (size_t i = 0; parts[i] && !*part; i++)
		if (str_holds(glob, parts[i]))
			*part = parts[i];
	if (!*part)
		*part = str_starts(glob, STR("^")) ? "^" : str_ends(glob, STR("$")) ? "$" : NULL;
	if (!*part || strcmp(*part, ".*"))
		return *part != NULL;
	for (size_t at = 0; (at = str_find(glob, STR(".*"), at)) != SIZE_MAX; at++)
		if ((at == 0 && at + 2 < glob.n) || (at && glob.p[at - 1] == '/'))
			return true;
	*part = NULL;
	return false;
}

/* Whether \b, \w or their like stands beside a character beyond ASCII, which they do not know. */
static bool lint_is_ascii(struct str re)
{
	bool class = false;

	for (size_t i = 0, to; i < re.n; i++) {
		class = re.p[i] == '[' || (class && re.p[i] != ']');
		if (re.p[i] != '\\' || ++i == re.n || class || !memchr("bBwW", re.p[i], 4))
			continue;
		for (to = i + 1; to < re.n && memchr("(?:+*", re.p[to], 5);)
			to++;
		for (i--; i && re.p[i - 1] == ')';)
			i--;
		if ((i && (re.p[i - 1] & 0x80)) || (to < re.n && (re.p[to] & 0x80)))
			return !str_holds(re, "(*UCP)");
		i = to - 1;
	}
	return false;
}

static void lint_language(struct lint *l, const struct lint_file *f, const struct kn_constraint *c)
{
	bool whole = c->target == KN_TARGET_DEPENDENCY || c->target == KN_TARGET_IMPORT;
	const char *part;

	if (c->glob && lint_is_regex(c->pattern, &part))
		lint_say(
			l, f, LINT_PATTERN_LANGUAGE, c->place,
			"constraint %u: pattern '%.*s' has '%s', but with target file and %s it is "
			"a glob: write it as a glob, or use must_not_match",
			c->index, STR_ARG(c->pattern), part, kn_operators[c->op]);
	if (c->re && lint_is_ascii(c->pattern))
		lint_say(l, f, LINT_PATTERN_ASCII, c->place,
			 "constraint %u: in pattern '%.*s' \\b and \\w know the letters of ASCII "
			 "only: write '(*UCP)%.*s'",
			 c->index, STR_ARG(c->pattern), STR_ARG(c->pattern));
	if ((whole || (c->target == KN_TARGET_FILE && c->re)) &&
	    lint_glob_star(c->pattern) != SIZE_MAX)
		lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
			 "constraint %u: pattern '%.*s' looks like a glob, and it is a regular "
			 "expression, where * repeats the character before it: write '%.*s'",
			 c->index, STR_ARG(c->pattern),
			 STR_ARG(lint_star_to_regex(l->a, c->pattern)));
	for (size_t i = 0; i < c->applies_to.n; i++)
		if (lint_is_regex(c->applies_to.p[i], &part))
			lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
				 "constraint %u: appliesTo '%.*s' has '%s', but it is a glob",
				 c->index, STR_ARG(c->applies_to.p[i]), part);
}

/* ---- globs that match nothing ---- */

/* Whether the globs match a path that the rule can judge. */
static bool lint_globs_match(const struct lint *l, const struct kn_constraint *c,
			     const struct globs *globs)
{
	struct kn_constraint one = *c;

	one.applies = *globs;
	for (size_t i = 0; i < l->paths.n; i++)
		if (check_rule_can_judge_path(&one, l->paths.p[i]))
			return true;
	return false;
}

static struct err *lint_idle_globs(struct lint *l, const struct lint_file *f,
				   const struct kn_constraint *c)
{
	static const char *const files[] = {
		[KN_TARGET_CODE] = "file",
		[KN_TARGET_FILE] = "file",
		[KN_TARGET_DEPENDENCY] = "manifest that ikm reads",
		[KN_TARGET_CONFIG] = "file of settings",
		[KN_TARGET_IMPORT] = "file whose imports ikm reads",
	};
	bool told = false;
	struct str named, other;

	/* The rules of another repository's items are not meant for this tree alone. */
	if (!l->tree || !f->item->in_tree ||
	    !(lint_wants(l, LINT_APPLIES_TO_IDLE) || lint_wants(l, LINT_PATTERN_IDLE)))
		return NULL;
	TRY(lint_tree_paths(l, &(const struct strs *){NULL}));
	/* A folder that is gone may be one that must not come back. */
	if (check_pattern_path_missing(l->a, c, &l->paths, &named, &other) && other.n)
		lint_say(l, f, LINT_PATTERN_IDLE, c->place,
			 "constraint %u: the repository has no '%.*s'; did you mean '%.*s'?",
			 c->index, STR_ARG(named), STR_ARG(other));
	for (size_t i = 0; i < c->applies_to.n; i++) {
		struct str text = c->applies_to.p[i];
		struct strs one = {.p = &text, .n = 1, .cap = 1};
		struct globs glob = {0};

		/* An exception may be there for files to come. */
		if (str_starts(text, STR("!")))
			continue;
		TRY(globs_new(l->a, &one, &glob));
		if (lint_globs_match(l, c, &glob))
			continue;
		told = true;
		lint_say(l, f, LINT_APPLIES_TO_IDLE, c->place,
			 "constraint %u: appliesTo '%.*s' matches no %s in the repository",
			 c->index, STR_ARG(text), files[c->target]);
	}
	if (c->applies_to.n && !told && !lint_globs_match(l, c, &c->applies))
		lint_say(l, f, LINT_APPLIES_TO_IDLE, c->place,
			 "constraint %u: appliesTo as a whole matches no %s in the repository",
			 c->index, files[c->target]);
	return NULL;
}

/* ---- examples ---- */

static struct err *lint_examples(struct lint *l, const struct lint_file *f,
				 const struct kn_constraint *c)
{
	struct check_examples tried = {0};

	if (!l->on[KN_RULE_EXAMPLE])
		return NULL;
	TRY(check_examples(l->a, f->item, c, &tried));
	for (size_t i = 0; i < tried.n; i++)
		if (tried.p[i].failed.n)
			lint_say(l, f, KN_RULE_EXAMPLE, tried.p[i].at, "%.*s",
				 STR_ARG(tried.p[i].failed));
	return NULL;
}

struct err *lint_constraints(struct lint *l, const struct lint_file *f)
{
	struct str needs = knowledge_required_features(l->a, f->item);

	if (needs.n)
		strs_push(l->a, &l->out->needs, needs);
	for (size_t i = 0; i < f->item->constraints_n; i++) {
		const struct kn_constraint *c = &f->item->constraints[i];

		lint_language(l, f, c);
		TRY(lint_examples(l, f, c));
		TRY(lint_idle_globs(l, f, c));
	}
	return NULL;
}
