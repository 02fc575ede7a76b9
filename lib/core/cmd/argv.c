/* Parses a command line into the command's struct, by the same table as JSON. */
#include "cmd/groups.h"
#include "cmd/value.h"
#include <math.h>

struct str param_option_name(struct arena *a, const struct param *p)
{
	struct buf b;

	if (p->option)
		return str_of(p->option);
	b = buf_in(a);
	for (const char *s = p->name; *s; s++) {
		if (*s >= 'A' && *s <= 'Z') {
			buf_putc(&b, '-');
			buf_putc(&b, (char)(*s | 0x20));
		} else {
			buf_putc(&b, *s == '_' ? '-' : *s);
		}
	}
	return buf_as_str(&b);
}

static bool is_on(const struct param *p)
{
	return p->type == P_BOOL && !(p->flags & JSON_ONLY) && p->def && !strcmp(p->def, "true");
}

struct str param_option_in_help(struct arena *a, const struct param *p)
{
	struct str name = param_option_name(a, p);

	return is_on(p) ? str_fmt(a, "no-%.*s", STR_ARG(name)) : name;
}

struct str param_help(struct arena *a, const struct param *p)
{
	if (p->flags & OR_STDIN)
		return str_fmt(a, "%s; without it, or with -, ikm reads standard input", p->help);
	return is_on(p) ? str_fmt(a, "do not %s", p->help) : str_of(p->help);
}

struct err *cmd_defaults(struct arena *a, const struct param *params, void *args)
{
	for (const struct param *p = params; p->name; p++) {
		if (p->def && !(p->flags & CONFIGURED))
			TRY(value_from_text(a, p, args, str_of(p->def), str_of(p->name)));
		else if (p->type == P_CHOICE)
			*(int *)((char *)args + p->offset) = -1;
		else if (p->type == P_NUM)
			*(double *)(void *)((char *)args + p->offset) = NAN;
		/* A default was not given by the user: the first given value replaces it. */
		if (p->def && p->type == P_CHOICES)
			((struct cmd_bits *)(void *)((char *)args + p->offset))->given = false;
	}
	return NULL;
}

struct parse {
	struct arena *a;
	const struct cmd *cmd;
	char *const *argv;
	size_t n, i;
	void *args;
	struct cmd_common *common;
	bool *seen; /* by row of the command's parameters */
	bool stdin_used;
};

/*
 * Finds an option of the command, or else an option of all commands. *base is the struct that the
 * option sets.
 */
static const struct param *option(struct parse *ps, struct str name, char letter, bool *negated,
				  void **base)
{
	const struct param *tables[] = {ps->cmd->params, cmd_common_params};
	void *bases[] = {ps->args, ps->common};

	*negated = false;
	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		for (const struct param *p = tables[t]; p && p->name; p++) {
			struct str opt = param_option_name(ps->a, p);

			if (p->flags & (JSON_ONLY | ARG))
				continue;
			*base = bases[t];
			if (letter ? p->letter == letter : str_eq(opt, name))
				return p;
			if (!letter && p->type == P_BOOL && str_starts(name, STR("no-")) &&
			    str_eq(opt, str_sub(name, 3, name.n))) {
				*negated = true;
				return p;
			}
		}
	}
	return NULL;
}

static struct err *argv_unknown(struct parse *ps, struct str word, struct str name)
{
	const struct param *tables[] = {ps->cmd->params, cmd_common_params};
	struct strs names = {0}, begin = {0}, about = {0};
	const struct param *meant;
	struct str typed = name;
	struct err *e;

	for (size_t t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct param *p = tables[t]; p && p->name; p++)
			if (param_is_on_command_line(p) && !(p->flags & ARG)) {
				strs_push(ps->a, &names, param_option_name(ps->a, p));
				if (!t && p->help &&
				    (cmd_text_has_word(str_of(p->help), typed) ||
				     (p->meta && str_is(typed, p->meta))))
					strs_push(ps->a, &about,
						  str_fmt(ps->a, "--%.*s",
							  STR_ARG(param_option_name(ps->a, p))));
			}
	meant = param_find(ps->cmd->params, typed);
	name = meant && !(meant->flags & (JSON_ONLY | ARG)) ? param_option_name(ps->a, meant)
							    : str_nearest(typed, &names);
	if (name.n)
		name = str_fmt(ps->a, "--%.*s", STR_ARG(name));
	e = err_for_param(E_UNKNOWN_PARAMETER, word, "ikm %s has no option '%.*s'%.*s",
			  ps->cmd->name, STR_ARG(word), STR_ARG(str_did_you_mean(ps->a, name)));
	for (size_t i = 0; !name.n && typed.n > 1 && i < names.n; i++)
		if (str_starts(names.p[i], typed))
			strs_push(ps->a, &begin, str_fmt(ps->a, "--%.*s", STR_ARG(names.p[i])));
	if (begin.n)
		err_help(e, "options that begin so: %.*s", STR_ARG(str_join(ps->a, &begin, ", ")));
	else if (!name.n && about.n)
		err_help(e, "options about '%.*s': %.*s", STR_ARG(typed),
			 STR_ARG(str_join(ps->a, &about, ", ")));
	if (word.n > 1 && word.p[1] >= '0' && word.p[1] <= '9')
		return err_help(e, "if '%.*s' is a value, write it behind '--': ikm %s ... -- %.*s",
				STR_ARG(word), ps->cmd->name, STR_ARG(word));
	return err_help(e, "run 'ikm %s --help' for its options", ps->cmd->name);
}

static void argv_mark(struct parse *ps, const struct param *p, void *base)
{
	if (base != ps->args)
		return;
	/* The first use of a list option replaces the default. */
	if (!ps->seen[p - ps->cmd->params] && p->type == P_CHOICES)
		*(struct cmd_bits *)(void *)((char *)base + p->offset) = (struct cmd_bits){0};
	ps->seen[p - ps->cmd->params] = true;
}

static struct err *read_stdin(struct parse *ps, const struct param *p, struct str *text)
{
	if (ps->stdin_used)
		return err_new(E_BAD_ARGUMENT, "only one parameter can read standard input");
	ps->stdin_used = true;
	return cmd_stdin(ps->a, p->help, text);
}

static struct err *argv_set(struct parse *ps, const struct param *p, void *base, struct str text,
			    struct str shown)
{
	argv_mark(ps, p, base);
	if (p->flags & STDIN && str_is(text, "-"))
		TRY(read_stdin(ps, p, &text));
	return value_from_text(ps->a, p, base, text, shown);
}

static struct err *set_bool(struct parse *ps, const struct param *p, void *base, bool on)
{
	argv_mark(ps, p, base);
	*(bool *)((char *)base + p->offset) = on;
	return NULL;
}

static struct err *need_value(struct parse *ps, const struct param *p, struct str shown,
			      struct str *value)
{
	if (p->flags & BARE && (ps->i == ps->n || ps->argv[ps->i][0] == '-')) {
		*value = STR("");
		return NULL;
	}
	if (ps->i == ps->n)
		return err_for_param(E_MISSING_PARAMETER, shown, "%.*s needs a value: %s",
				     STR_ARG(shown), p->help);
	*value = str_of(ps->argv[ps->i++]);
	return NULL;
}

static struct err *long_option(struct parse *ps, struct str word)
{
	size_t eq = str_find_char(word, '=', 2);
	struct str name = str_sub(word, 2, eq), shown = str_sub(word, 0, eq), value;
	bool negated;
	void *base;
	const struct param *p = option(ps, name, 0, &negated, &base);

	if (!p)
		return argv_unknown(ps, shown, name);
	if (p->type == P_BOOL && eq == SIZE_MAX)
		return set_bool(ps, p, base, !negated);
	if (negated)
		return argv_unknown(ps, shown, name);
	if (eq != SIZE_MAX)
		value = str_sub(word, eq + 1, word.n);
	else
		TRY(need_value(ps, p, shown, &value));
	return argv_set(ps, p, base, value, shown);
}

static struct err *short_options(struct parse *ps, struct str word)
{
	for (size_t i = 1; i < word.n; i++) {
		struct str shown = str_fmt(ps->a, "-%c", word.p[i]), value;
		bool negated;
		void *base;
		const struct param *p = option(ps, (struct str){0}, word.p[i], &negated, &base);

		if (!p)
			return argv_unknown(ps, shown, shown);
		if (p->type == P_BOOL) {
			TRY(set_bool(ps, p, base, true));
			continue;
		}
		if (i + 1 < word.n)
			value = str_sub(word, i + 1, word.n);
		else
			TRY(need_value(ps, p, shown, &value));
		return argv_set(ps, p, base, value, shown);
	}
	return NULL;
}

/* The name as in usage: PATH, or --if-match. */
static struct str shown_as(struct arena *a, const struct param *p)
{
	return p->flags & ARG ? param_placeholder(a, p)
			      : str_fmt(a, "--%.*s", STR_ARG(param_option_name(a, p)));
}

void cmd_error_params_to_options(struct arena *a, const struct cmd *c, struct err *e)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (!(p->flags & JSON_ONLY))
			err_param_rename(e, str_of(p->name), shown_as(a, p));
}

/* A person may have meant the word as the value of the switch before it. */
static struct err *argv_switch_before(const struct parse *ps, struct str word, struct err *e)
{
	struct str before = ps->i > 1 ? str_of(ps->argv[ps->i - 2]) : (struct str){0};

	if (!str_starts(before, STR("-")) || str_is(before, "--") ||
	    str_find_char(before, '=', 0) != SIZE_MAX)
		return e;
	return err_help(err_help(e, "%.*s has no value, so '%.*s' is the next argument",
				 STR_ARG(before), STR_ARG(word)),
			"%.*s", STR_ARG(cmd_usage(ps->a, ps->cmd)));
}

static struct err *positional(struct parse *ps, struct str word)
{
	struct strs texts = {0};
	struct str shown;
	bool input = false;
	struct err *e;

	for (const struct param *p = ps->cmd->params; p && p->name; p++) {
		bool seen = ps->seen[p - ps->cmd->params];

		if (!(p->flags & ARG))
			continue;
		if (seen && p->flags & WORDS && !ps->stdin_used) {
			struct str *text = (struct str *)(void *)((char *)ps->args + p->offset);

			/* Joins a word to the text: a sentence without quotes is one text. */
			word = str_fmt(ps->a, "%.*s %.*s", STR_ARG(*text), STR_ARG(word));
			return value_from_text(ps->a, p, ps->args, word,
					       param_placeholder(ps->a, p));
		}
		if (seen && p->type != P_STRS)
			continue;
		e = argv_set(ps, p, ps->args, word, param_placeholder(ps->a, p));
		return e ? argv_switch_before(ps, word, e) : NULL;
	}
	e = err_new(E_BAD_ARGUMENT, "ikm %s: '%.*s' is one argument too many", ps->cmd->name,
		    STR_ARG(word));
	for (const struct param *p = ps->cmd->params; p && p->name; p++)
		if (p->flags & STDIN && !(p->flags & ARG)) {
			strs_push(ps->a, &texts,
				  str_fmt(ps->a, "--%.*s %.*s",
					  STR_ARG(param_option_name(ps->a, p)),
					  STR_ARG(param_placeholder(ps->a, p))));
			input = input || p->flags & OR_STDIN;
		}
	if (texts.n)
		err_help(e, "give a text with %.*s%s", STR_ARG(str_join(ps->a, &texts, " or ")),
			 input ? ", or on standard input" : "");
	shown = cmd_usage(ps->a, ps->cmd);
	err_help(e, "%.*s", STR_ARG(shown));
	return ps->cmd->surplus ? err_help(e, "%s", ps->cmd->surplus) : e;
}

struct err *cmd_parse_argv(struct arena *a, const struct cmd *c, char *const *argv, size_t n,
			   void *args, struct cmd_common *common)
{
	struct parse ps = {.a = a, .cmd = c, .argv = argv, .n = n, .args = args, .common = common};
	bool options = true;
	size_t params = 0;

	while (c->params && c->params[params].name)
		params++;
	ps.seen = arena_array(a, params + 1, sizeof(*ps.seen));
	while (ps.i < n) {
		struct str word = str_of(argv[ps.i++]);

		if (options && str_is(word, "--"))
			options = false;
		else if (options && str_starts(word, STR("--")))
			TRY(long_option(&ps, word));
		else if (options && word.n > 1 && word.p[0] == '-' && word.p[1] != ' ')
			TRY(short_options(&ps, word));
		else /* also "- text": an item of a list is no option */
			TRY(positional(&ps, word));
	}
	if (common->help)
		return NULL;
	for (size_t i = 0; i < params; i++) {
		const struct param *p = &c->params[i];

		if (p->flags & OR_STDIN && !ps.seen[i]) {
			struct str text;

			TRY(read_stdin(&ps, p, &text));
			TRY(value_from_text(a, p, args, text, STR("standard input")));
		} else if (p->flags & REQUIRED && !(p->flags & JSON_ONLY) && !ps.seen[i]) {
			struct str usage = cmd_usage(a, c);

			return err_help(err_missing(a, shown_as(a, p), p->help, p->choices), "%.*s",
					STR_ARG(usage));
		}
	}
	return NULL;
}
