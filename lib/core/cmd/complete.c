/* Completion candidates from the table, for the shells' scripts such as complete.bash. */
#include "cmd/value.h"

void cmd_candidate(struct out *o, struct str typed, struct str word, struct str what)
{
	struct str line = {0};

	if (!str_starts(word, typed))
		return;
	str_next_line(&what, &line);
	out_bytes_unchanged(o, word);
	out_puts(o, "\t");
	out_safe_line(o, line);
}

static void values(struct out *o, const struct param *p, struct str typed)
{
	for (size_t i = 0; p->choices && p->choices[i]; i++)
		cmd_candidate(o, typed, str_of(p->choices[i]), str_of(p->help));
	/* "ikigai:///blo" names no file, though the shell finds some for "///blo". */
	if (p->flags & PATHS && !str_holds(typed, "://"))
		out_puts(o, p->meta && !strcmp(p->meta, "DIR") ? ":dirs\n" : ":files\n");
}

struct err *cmd_complete_setting_key(struct call *c, struct str typed)
{
	bool repo = strs_has(&c->words, STR("--repo"));

	for (size_t i = 0; i < CONF_SETTINGS; i++)
		if (!repo || conf_settings[i].repo)
			cmd_candidate(c->out, typed, str_of(conf_settings[i].key),
				      str_of(conf_settings[i].help));
	return NULL;
}

static const char *const *complete_words(const struct conf_setting *s)
{
	static const char *const truth[] = {"true", "false", NULL};

	return s->type == CONF_BOOL ? truth : conf_choices(s);
}

struct err *cmd_complete_setting_value(struct call *c, struct str typed)
{
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		const char *const *word = complete_words(s);

		if (strs_has(&c->words, str_of(s->key)))
			for (; word && *word; word++)
				cmd_candidate(c->out, typed, str_of(*word), str_of(s->help));
	}
	return NULL;
}

struct err *cmd_complete_setting_pair(struct call *c, struct str typed)
{
	size_t eq = str_find_char(typed, '=', 0);

	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];
		const char *const *word = complete_words(s);
		struct str help = str_of(s->help);

		if (eq == SIZE_MAX)
			cmd_candidate(c->out, typed, str_fmt(c->a, "%s=", s->key), help);
		else if (str_is(str_sub(typed, 0, eq), s->key))
			for (; word && *word; word++)
				cmd_candidate(c->out, str_sub(typed, eq + 1, typed.n),
					      str_of(*word), help);
	}
	return NULL;
}

/* The option whose value follows the word. A switch of the command hides a common option. */
static const struct param *option_of(struct arena *a, const struct cmd *c, struct str word)
{
	const struct param *tables[] = {c ? c->params : NULL, cmd_common_params};

	for (size_t t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct param *p = tables[t]; p && p->name; p++) {
			if (p->flags & (JSON_ONLY | ARG))
				continue;
			if (str_eq(word, str_fmt(a, "--%.*s", STR_ARG(param_option_name(a, p)))) ||
			    (p->letter && word.n == 2 && word.p[0] == '-' &&
			     word.p[1] == p->letter))
				return p->type == P_BOOL ? NULL : p;
		}
	return NULL;
}

static void complete_options(struct out *o, struct arena *a, const struct cmd *c, struct str typed)
{
	const struct param *tables[] = {c->params, cmd_common_params};

	for (size_t t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct param *p = tables[t]; p && p->name; p++)
			if (!(p->flags & (JSON_ONLY | ARG | HIDDEN)) &&
			    !(t && param_find_own_option(a, c, param_option_in_help(a, p), 0)))
				cmd_candidate(
					o, typed,
					str_fmt(a, "--%.*s", STR_ARG(param_option_in_help(a, p))),
					param_help(a, p));
}

/* Prints the next word of every command that begins with the words so far. */
static void verbs(struct out *o, struct arena *a, char *const *words, size_t index,
		  struct str typed)
{
	struct strs told = {0};

	for (size_t i = 0; cmd_table[i]; i++) {
		struct str rest = str_of(cmd_table[i]->name), part;
		size_t k = 1;
		bool same = cmd_table[i]->expose != EXPOSE_HIDDEN;

		while (same && k < index && str_next_part(&rest, ' ', &part))
			same = str_is(part, words[k++]);
		if (!same || k < index || !str_next_part(&rest, ' ', &part) ||
		    strs_has(&told, part))
			continue;
		strs_push(a, &told, part);
		cmd_candidate(o, typed, part, str_of(rest.n ? "" : cmd_table[i]->summary));
	}
}

struct str cmd_nth_positional_word(struct arena *a, const struct cmd *c, const struct strs *words,
				   size_t nth)
{
	struct str name = str_of(c->name), part;
	size_t i = 1, n = 0;

	/* words[0] is "ikm"; the words of the command's name are next. */
	while (str_next_part(&name, ' ', &part))
		i++;
	for (; i < words->n; i++)
		if (!str_starts(words->p[i], STR("-")) && !option_of(a, c, words->p[i - 1]) &&
		    n++ == nth)
			return words->p[i];
	return (struct str){"", 0};
}

const struct param *cmd_complete(struct out *o, char *const *words, size_t n, size_t index)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str typed = index < n ? str_of(words[index]) : (struct str){"", 0};
	size_t used, args = 0;
	const struct cmd *c;
	const struct param *p;

	if (!index || index > n)
		return NULL;
	c = cmd_find_words(words + 1, index - 1, &used);
	verbs(o, a, words, index, typed);
	if (index >= 2 && (p = option_of(a, c, str_of(words[index - 1])))) {
		values(o, p, typed);
		return p->complete ? p : NULL;
	}
	if (!c)
		return NULL;
	if (typed.n && typed.p[0] == '-') {
		size_t eq = str_find_char(typed, '=', 0);

		if (eq != SIZE_MAX && (p = option_of(a, c, str_sub(typed, 0, eq))))
			values(o, p, str_sub(typed, eq + 1, typed.n));
		else
			complete_options(o, a, c, typed);
		return NULL;
	}
	for (size_t i = used + 1; i < index; i++)
		args += words[i][0] != '-' && !option_of(a, c, str_of(words[i - 1]));
	for (p = c->params; p && p->name; p++)
		if (p->flags & ARG && (p->type == P_STRS || !args--))
			break;
	if (!p || !p->name)
		return NULL;
	values(o, p, typed);
	return p->complete ? p : NULL;
}
