/* Usage and --help, from the table. */
#include "cmd/groups.h"
#include "cmd/value.h"

struct str param_placeholder(struct arena *a, const struct param *p)
{
	return str_upper(a, p->meta ? str_of(p->meta) : param_option_name(a, p));
}

/* The option in the list of options: "-l, --layer LAYER". */
static struct str option_form(struct arena *a, const struct param *p)
{
	struct buf b = buf_in(a);

	if (p->flags & ARG) {
		buf_put(&b, param_placeholder(a, p));
		return buf_as_str(&b);
	}
	if (p->letter)
		buf_fmt(&b, "-%c, ", p->letter);
	buf_fmt(&b, "--%.*s", STR_ARG(param_option_in_help(a, p)));
	if (p->type != P_BOOL)
		buf_fmt(&b, p->flags & BARE ? " [%.*s]" : " %.*s",
			STR_ARG(param_placeholder(a, p)));
	return buf_as_str(&b);
}

bool param_is_on_command_line(const struct param *p)
{
	return !(p->flags & (JSON_ONLY | HIDDEN));
}

struct str cmd_description(struct arena *a, const struct cmd *c)
{
	char *s;

	if (c->description)
		return str_of(c->description);
	s = str_c(a, str_fmt(a, "%s.", c->summary));
	*s = ascii_upper(*s);
	return str_of(s);
}

struct str cmd_usage(struct arena *a, const struct cmd *c)
{
	struct buf b = buf_in(a);
	bool options = false;

	buf_fmt(&b, "usage: ikm %s", c->name);
	for (const struct param *p = c->params; p && p->name; p++) {
		if (!param_is_on_command_line(p) || p->flags & ARG)
			continue;
		if (p->flags & REQUIRED && !(p->flags & OR_STDIN))
			buf_fmt(&b, " --%.*s %.*s", STR_ARG(param_option_name(a, p)),
				STR_ARG(param_placeholder(a, p)));
		else
			options = true;
	}
	if (options)
		buf_puts(&b, " [OPTION...]");
	for (const struct param *p = c->params; p && p->name; p++)
		if (param_is_on_command_line(p) && p->flags & ARG)
			buf_fmt(&b, p->flags & REQUIRED ? " %.*s%s" : " [%.*s%s]",
				STR_ARG(param_placeholder(a, p)),
				p->type == P_STRS || p->flags & WORDS ? "..." : "");
	return buf_as_str(&b);
}

/* Appends the choices, limits and default to the help phrase. */
static struct str explained(struct arena *a, const struct param *p)
{
	struct buf b = buf_in(a);

	buf_put(&b, param_help(a, p));
	if (p->choices)
		buf_fmt(&b, ": %.*s", STR_ARG(value_choices(a, p, ", ")));
	if (p->min < p->max && (p->type == P_INT || p->type == P_NUM))
		buf_fmt(&b, "; %lld to %lld", (long long)p->min, (long long)p->max);
	if (p->min < p->max && (p->type == P_STR || p->type == P_STRS))
		buf_fmt(&b, "; at most %lld bytes%s", (long long)p->max,
			p->type == P_STRS ? " each" : "");
	if (p->def && p->type != P_BOOL)
		buf_fmt(&b, " (default %s)", p->def);
	return buf_as_str(&b);
}

const struct param *param_find_own_option(struct arena *a, const struct cmd *c, struct str name,
					  char letter)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (param_is_on_command_line(p) && !(p->flags & ARG) &&
		    ((letter && p->letter == letter) || str_eq(param_option_in_help(a, p), name)))
			return p;
	return NULL;
}

static void list_param(struct out *o, struct arena *a, const struct param *p)
{
	if (!param_is_on_command_line(p))
		return;
	out_puts(o, "  ");
	out_styled(o, OUT_BOLD, option_form(a, p));
	out_puts(o, "\n");
	out_wrapped(o, 6, explained(a, p));
}

void cmd_print_settings(struct out *o)
{
	struct arena *a ARENA_LOCAL = arena_new();

	out_puts(o, "\nSettings:\n");
	for (size_t i = 0; i < CONF_SETTINGS; i++) {
		const struct conf_setting *s = &conf_settings[i];

		out_puts(o, "  ");
		out_styled(o, OUT_BOLD, str_of(s->key));
		out_puts(o, "\n");
		out_wrapped(o, 6,
			    str_fmt(a, "%s; %.*s%s%s%s%s", s->help,
				    STR_ARG(conf_allowed_values_text(a, s)),
				    *s->def ? " (default " : "", s->def, *s->def ? ")" : "",
				    s->repo ? "; a repository may set it too" : ""));
	}
	out_puts(
		o,
		"Only a person may set the others, in ~/.ikigai/config.json, the environment or -c.\n");
}

void cmd_print_help(struct out *o, const struct cmd *c)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str noun = cmd_noun(c);
	bool json_only = false;

	out_bytes_unchanged(o, cmd_usage(a, c));
	out_puts(o, "\n\n");
	out_wrapped(o, 0, cmd_description(a, c));
	if (c->params && c->params->name) {
		out_puts(o, "\nOptions:\n");
		for (const struct param *p = c->params; p->name; p++) {
			list_param(o, a, p);
			json_only |= (p->flags & JSON_ONLY) != 0;
		}
	}
	if (c->more_help)
		c->more_help(o);
	out_puts(o, "\nEvery command:\n");
	/* Lists the common options that mean what they say after this command's name. */
	for (const struct param *p = cmd_common_params; p->name; p++) {
		struct param shown = *p;

		if (param_find_own_option(a, c, param_option_in_help(a, p), 0))
			continue;
		if (param_find_own_option(a, c, STR(""), p->letter))
			shown.letter = 0;
		list_param(o, a, &shown);
	}
	if (c->tool) {
		out_fmt(o, "\nAs a tool: 'ikm call %s' reads JSON from standard input%s.\n",
			c->tool,
			json_only ? ",\nwith parameters that have no option: see 'ikm tool schema'"
				  : "");
	}
	out_fmt(o, "\nMore, with examples: man ikm-%.*s\n", STR_ARG(noun));
}
