/* Parses a JSON object into the command's struct. */
#include "cmd/value.h"
#include "json/json.h"
#include "os/os.h"
#include <ctype.h>
#include <unistd.h>

void cmd_stdin_prompt(const char *what)
{
	if (isatty(STDIN_FILENO))
		dprintf(STDERR_FILENO,
			"ikm: waits on standard input for %c%.*s; end it with Ctrl-D on an empty "
			"line\n",
			tolower(*what), (int)strcspn(what, ";") - 1, what + 1);
}

struct err *cmd_stdin(struct arena *a, const char *what, struct str *out)
{
	struct err *e;

	cmd_stdin_prompt(what);
	e = os_read_fd(a, STDIN_FILENO, "standard input", JSON_BYTES_MAX, out);

	if (e && err_reason(e) == E_TOO_BIG)
		return err_detail_int(err_new(E_TOO_LONG, "standard input has more than %zu bytes",
					      JSON_BYTES_MAX),
				      "limit", (int64_t)JSON_BYTES_MAX);
	return e;
}

static struct str cmd_input_named(struct arena *a, struct str at, struct str name)
{
	return at.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(at), STR_ARG(name)) : name;
}

static void cmd_input_names_of(struct arena *a, const struct cmd *c, struct strs *names)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (!(p->flags & (CLI_ONLY | HIDDEN)))
			strs_push(a, names, str_of(p->name));
}

/*
 * True for a name that looks like a typing error. It is an error even where unknown names are
 * ignored, because its value would be lost.
 */
static bool is_slip(struct arena *a, const struct cmd *c, struct str key)
{
	struct strs names = {0};

	cmd_input_names_of(a, c, &names);
	return str_nearest(key, &names).n;
}

static struct err *cmd_input_unknown(struct arena *a, const struct cmd *c, struct str key,
				     struct str at)
{
	struct str shown = cmd_input_named(a, at, key);
	struct strs names = {0};
	struct err *e;

	cmd_input_names_of(a, c, &names);
	e = err_for_param(E_UNKNOWN_PARAMETER, shown, "unknown parameter '%.*s'%.*s; allowed: %.*s",
			  STR_ARG(shown), STR_ARG(str_did_you_mean(a, str_nearest(key, &names))),
			  STR_ARG(str_join(a, &names, ", ")));
	return err_detail_list(e, "allowed", &names);
}

/* The list that receives unknown names; NULL: the command has none. */
static struct strs *rest_of(const struct param *params, void *args)
{
	for (const struct param *p = params; p && p->name; p++)
		if (p->flags & REST)
			return (struct strs *)((char *)args + p->offset);
	return NULL;
}

/* The members of one object while they are read. */
struct members {
	struct arena *a;
	const struct cmd *cmd;
	void *args;
	struct {
		struct str shown;
		bool given;
	} * seen;          /* by row of the parameters */
	struct strs *rest; /* receives unknown names; NULL: they are an error */
	struct str odd;    /* the first unknown name */
};

/* The requirement (garden) writes fs.read, and the file in libexec is named fs-read. */
static bool input_is_name(struct str s, const char *tool)
{
	size_t i = 0;

	/* Each call asks this of all tools, and most begin with another letter. */
	if (!tool || !s.n || s.p[0] != tool[0])
		return false;
	while (i < s.n && tool[i] &&
	       (s.p[i] == tool[i] || (tool[i] == '_' && (s.p[i] == '.' || s.p[i] == '-'))))
		i++;
	return i == s.n && !tool[i];
}

bool cmd_has_tool_name(const struct cmd *c, struct str name)
{
	return input_is_name(name, c->tool) || input_is_name(name, c->tool_also);
}

/* In the requirement (assets) an input may contain the tool's name. It must be this tool's name. */
static struct err *check_tool(const struct cmd *c, const struct val *m)
{
	struct err *e;

	if (m->type != VAL_STR) {
		e = err_new(E_WRONG_TYPE, "tool must be a string, not %s", val_type_name(m->type));
	} else {
		if (cmd_has_tool_name(c, m->s))
			return NULL;
		e = err_new(E_BAD_ARGUMENT, "the input is for the tool '%.*s', but this is '%s'",
			    STR_ARG(m->s), c->tool);
	}
	err_add_detail(e, "parameter", STR("tool"));
	return err_help(e, "omit 'tool', or call the tool that it names");
}

/*
 * In the requirement (garden) an object "opts" holds some parameters of a tool, and some tools take
 * one object with all of them.
 */
static bool input_is_object(const struct cmd *c, struct str key)
{
	if (c->tool_object && str_is(key, c->tool_object))
		return true;
	return c->tool && (c->toolset == SET_FILES || c->toolset == SET_GARDEN) &&
	       str_is(key, "opts");
}

static struct err *parse_given(struct members *ms, const struct val *input, struct str at)
{
	const struct cmd *c = ms->cmd;

	VAL_EACH(input, given) {
		const struct val *m = given;
		const struct param *p = param_find(c->params, m->key);
		struct str shown = cmd_input_named(ms->a, at, m->key);

		if (!p && !at.n && c->tool && str_is(m->key, "tool")) {
			TRY(check_tool(c, m));
			continue;
		}
		/* Hosts send null for what the model left out. */
		if (m->type == VAL_NULL &&
		    (p ? !(p->flags & REQUIRED) : !at.n && input_is_object(c, m->key)))
			continue;
		if (!p && !at.n && input_is_object(c, m->key)) {
			m = value_parse_json_text(ms->a, m);
			if (m->type != VAL_MAP)
				return err_for_param(E_WRONG_TYPE, m->key,
						     "%.*s must be an object, not %s",
						     STR_ARG(m->key), val_type_name(m->type));
			TRY(parse_given(ms, m, shown));
			continue;
		}
		if (!p && ms->rest && !is_slip(ms->a, c, m->key)) {
			strs_push(ms->a, ms->rest, shown);
			ms->odd = ms->odd.n ? ms->odd : m->key;
			continue;
		}
		if (!p)
			return cmd_input_unknown(ms->a, c, m->key, at);
		if (ms->seen[p - c->params].given)
			return err_new(E_BAD_ARGUMENT, "'%.*s' and '%.*s' are the same parameter",
				       STR_ARG(ms->seen[p - c->params].shown), STR_ARG(shown));
		ms->seen[p - c->params].given = true;
		ms->seen[p - c->params].shown = shown;
		TRY(value_from_json(ms->a, p, ms->args, m, shown));
	}
	return NULL;
}

/*
 * When only the plural of a missing text was given ("paths" without "path"), the first of its
 * values becomes the text, and the others stay. False when there is no such value.
 */
static bool take_from_plural(const struct members *ms, const struct param *p)
{
	const struct param *other = param_find(ms->cmd->params, str_fmt(ms->a, "%ss", p->name));
	struct strs *values;

	if (!other || p->type != P_STR || other->type != P_STRS ||
	    !ms->seen[other - ms->cmd->params].given)
		return false;
	values = cmd_value_pointer(other, ms->args);
	if (!values->n)
		return false;
	*(struct str *)cmd_value_pointer(p, ms->args) = values->p[0];
	values->p++;
	values->n--;
	return true;
}

struct err *cmd_parse_members(struct arena *a, const struct cmd *c, const struct val *input,
			      void *args, struct str at)
{
	struct members ms = {.a = a, .cmd = c, .args = args, .rest = rest_of(c->params, args)};
	size_t n = 0;

	while (c->params && c->params[n].name)
		n++;
	ms.seen = arena_array(a, n + 1, sizeof(*ms.seen));
	TRY(parse_given(&ms, input, at));
	for (const struct param *p = c->params; p && p->name; p++)
		if (p->flags & REQUIRED && !(p->flags & CLI_ONLY) &&
		    !ms.seen[p - c->params].given && !take_from_plural(&ms, p))
			return ms.odd.n ? cmd_input_unknown(a, c, ms.odd, at)
					: err_missing(a, cmd_input_named(a, at, str_of(p->name)),
						      p->help, p->choices);
	return NULL;
}

struct err *cmd_parse_json(struct arena *a, const struct cmd *c, const struct val *input,
			   void *args)
{
	if (input->type != VAL_MAP)
		return err_new(E_WRONG_TYPE, "the input of %s must be an object, not %s",
			       c->tool ? c->tool : c->name, val_type_name(input->type));
	return cmd_parse_members(a, c, input, args, (struct str){"", 0});
}

struct err *cmd_parse_json_new_args(struct arena *a, const struct cmd *c, const struct val *input,
				    void **args)
{
	*args = arena_alloc(a, size_max(c->args_size, 1));
	if (c->params)
		TRY(cmd_defaults(a, c->params, *args));
	return cmd_parse_json(a, c, input, *args);
}
