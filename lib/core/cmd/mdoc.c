/* Prints the head of a manual page from the table: NAME, SYNOPSIS and the options. */
#include "base/build.h"
#include "cmd/groups.h"
#include "cmd/value.h"

/* Writes text for mdoc. Backslashes, and a dot or quote at the start of a line, must be escaped. */
static void mdoc_text(struct out *o, struct str s)
{
	if (s.n && (s.p[0] == '.' || s.p[0] == '\''))
		out_puts(o, "\\&");
	for (size_t i = 0, column = 0; i < s.n; i++, column++) {
		if (s.p[i] == '\\') {
			out_puts(o, "\\e");
		} else if (s.p[i] == '"') {
			out_puts(o, "\\(dq");
		} else if (s.p[i] == ' ' && (column > 60 || (i && s.p[i - 1] == '.'))) {
			/* Begin each sentence on a new line, and keep lines short. */
			out_puts(o, "\n");
			column = 0;
		} else {
			out_bytes_unchanged(o, (struct str){s.p + i, 1});
		}
	}
}

/* Writes the .Fl and .Ar of an option; mdoc adds a hyphen itself. */
static void form(struct out *o, struct arena *a, const struct param *p, const char *before)
{
	out_puts(o, before);
	if (p->flags & ARG) {
		out_fmt(o, "Ar %.*s%s\n", STR_ARG(str_lower(a, param_placeholder(a, p))),
			p->type == P_STRS || p->flags & WORDS ? " ..." : "");
		return;
	}
	if (p->letter)
		out_fmt(o, "Fl %c , ", p->letter);
	out_fmt(o, "Fl \\-%.*s", STR_ARG(param_option_in_help(a, p)));
	if (p->type != P_BOOL)
		out_fmt(o, p->flags & BARE ? " Op Ar %.*s" : " Ar %.*s",
			STR_ARG(str_lower(a, param_placeholder(a, p))));
	out_puts(o, "\n");
}

static void synopsis(struct out *o, struct arena *a, const struct cmd *c)
{
	out_fmt(o, ".Nm ikm\n.Cm %s\n", c->name);
	for (unsigned arg = 0; arg <= ARG; arg += ARG)
		for (const struct param *p = c->params; p && p->name; p++)
			if (param_is_on_command_line(p) && (p->flags & ARG) == arg)
				form(o, a, p,
				     p->flags & REQUIRED && !(p->flags & OR_STDIN) ? "." : ".Op ");
}

/* Writes a phrase as a sentence. */
static void mdoc_sentence(struct out *o, struct arena *a, struct str phrase)
{
	char *s = str_c(a, phrase);

	*s = ascii_upper(*s);
	mdoc_text(o, str_of(s));
	out_puts(o, ".\n");
}

/* Describes a parameter: a sentence, and the allowed values. */
static void explain(struct out *o, struct arena *a, const struct param *p)
{
	mdoc_sentence(o, a, param_help(a, p));
	if (p->choices)
		out_fmt(o, "One of\n%.*s.\n", STR_ARG(value_choices(a, p, ",\n")));
	if (p->min < p->max && (p->type == P_INT || p->type == P_NUM))
		out_fmt(o, "From %lld to %lld.\n", (long long)p->min, (long long)p->max);
	if (p->min < p->max && (p->type == P_STR || p->type == P_STRS))
		out_fmt(o, "At most %lld bytes%s.\n", (long long)p->max,
			p->type == P_STRS ? " each" : "");
	if (p->def && p->type != P_BOOL)
		out_fmt(o, "The default is\n.Ql \\&%s .\n", p->def);
}

static void mdoc_options(struct out *o, struct arena *a, const struct param *params)
{
	bool open = false;
	bool json = false;

	for (const struct param *p = params; p && p->name; p++) {
		if (!param_is_on_command_line(p))
			continue;
		if (!open)
			out_puts(o, ".Bl -tag -width Ds\n");
		open = true;
		form(o, a, p, ".It ");
		explain(o, a, p);
	}
	if (open)
		out_puts(o, ".El\n");
	for (const struct param *p = params; p && p->name; p++) {
		if (!(p->flags & JSON_ONLY) || p->flags & HIDDEN)
			continue;
		if (!json)
			out_puts(o, ".Pp\nOnly in JSON:\n.Bl -tag -width Ds\n");
		json = true;
		out_fmt(o, ".It Va %s\n", p->name);
		explain(o, a, p);
		for (const struct param *q = p->sub; q && q->name; q++) {
			out_fmt(o, ".Va %s :\n", q->name);
			mdoc_text(o, str_of(q->help));
			out_fmt(o, "%s.\n", q->flags & REQUIRED ? " (required)" : "");
		}
	}
	if (json)
		out_puts(o, ".El\n");
}

static bool of_noun(const struct cmd *c, struct str noun)
{
	return c->expose != EXPOSE_HIDDEN && str_eq(cmd_noun(c), noun);
}

struct err *cmd_mdoc(struct out *o, struct str noun)
{
	struct arena *a ARENA_LOCAL = arena_new();
	bool common = str_is(noun, "ikm"), split = false;
	size_t n = 0;
	struct str title = str_upper(a, common ? STR("") : noun);

	for (size_t i = 0; cmd_table[i]; i++) {
		if (!of_noun(cmd_table[i], noun))
			continue;
		n++;
		split = split || strchr(cmd_table[i]->name, ' ');
	}
	if (!n && !common)
		return err_new(E_UNKNOWN_COMMAND, "no command begins with '%.*s'", STR_ARG(noun));
	out_fmt(o, ".Dd " IKM_DATE "\n.Dt IKM%s%.*s 1\n.Os ikm %s\n", common ? "" : "-",
		STR_ARG(title), IKM_VERSION);
	out_fmt(o, ".Sh NAME\n.Nm ikm%s%.*s\n.Nd ", common ? "" : "-", common ? 0 : (int)noun.n,
		noun.p);
	if (common)
		out_puts(o, "stop commits that break decisions; tools for files, memories, agents");
	else
		mdoc_text(o, cmd_noun_about(noun));
	out_puts(o, "\n.Sh SYNOPSIS\n");
	if (common) {
		out_puts(o, ".Nm ikm\n.Ar command\n");
		for (const struct param *p = cmd_common_params; p->name; p++)
			form(o, a, p, ".Op ");
		out_puts(o, ".Op Ar argument ...\n.Sh DESCRIPTION\n");
	}
	for (size_t i = 0; !common && cmd_table[i]; i++)
		if (of_noun(cmd_table[i], noun))
			synopsis(o, a, cmd_table[i]);
	if (!common)
		out_puts(o, ".Sh DESCRIPTION\n");
	for (size_t i = 0; !common && cmd_table[i]; i++) {
		const struct cmd *c = cmd_table[i];

		if (!of_noun(c, noun))
			continue;
		if (split)
			out_fmt(o, ".Ss ikm %s\n", c->name);
		mdoc_text(o, cmd_description(a, c));
		out_puts(o, "\n");
		if (c->tool)
			out_fmt(o, ".Pp\nAs a tool its name is\n.Cm %s .\n", c->tool);
		mdoc_options(o, a, c->params);
	}
	return NULL;
}

void cmd_mdoc_global_options(struct out *o)
{
	struct arena *a ARENA_LOCAL = arena_new();

	mdoc_options(o, a, cmd_common_params);
}

void cmd_mdoc_settings(struct out *o)
{
	struct arena *a ARENA_LOCAL = arena_new();

	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];

		out_fmt(o, ".It Cm %s\n", s->key);
		mdoc_sentence(o, a, str_of(s->help));
		mdoc_sentence(o, a,
			      str_fmt(a, "allowed: %.*s", STR_ARG(conf_allowed_values_text(a, s))));
		if (*s->def)
			out_fmt(o, "The default is\n.Ql \\&%s .\n", s->def);
		out_puts(o, s->repo ? "A repository may set it too.\n"
				    : "Only a person may set it.\n");
	}
}

void cmd_mdoc_errors(struct out *o)
{
	for (size_t i = 0; i < err_code_count(); i++) {
		int status = err_exit((enum err_code)i);
		const char *sep = "";

		/* In the table, codes with the same status are adjacent. */
		if (i && err_exit((enum err_code)(i - 1)) == status)
			continue;
		out_fmt(o, ".It %d\n.Dv", status);
		for (size_t k = i; k < err_code_count() && err_exit((enum err_code)k) == status;
		     k++)
			out_fmt(o, "%s %s", k > i ? " ," : "", err_code_name((enum err_code)k));
		out_puts(o, " :\n");
		for (size_t k = i; k < err_code_count() && err_exit((enum err_code)k) == status;
		     k++) {
			out_fmt(o, "%s%s", sep, err_code_what((enum err_code)k));
			sep = ";\n";
		}
		out_puts(o, ".\n");
	}
}

void cmd_mdoc_see_also(struct out *o)
{
	struct str last = {"", 0};

	for (size_t i = 0; cmd_table[i]; i++) {
		struct str noun = cmd_noun(cmd_table[i]);

		if (cmd_table[i]->expose == EXPOSE_HIDDEN || str_eq(noun, last))
			continue;
		out_fmt(o, ".Xr ikm-%.*s 1 ,\n", STR_ARG(noun));
		last = noun;
	}
}
