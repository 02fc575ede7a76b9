/*
 * Reads the value of a parameter from text or JSON, checks its range and choices, and parses a JSON
 * object into the command's struct.
 */
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

/* ---- one value ---- */

/* The place of the row's value in the struct `base`. */
static void *cmd_value_pointer(const struct param *p, void *base)
{
	return (char *)base + p->offset;
}

struct str value_choices(struct arena *a, const struct param *p, const char *sep)
{
	struct strs v = strs_of(a, p->choices);

	return str_join(a, &v, sep);
}

static struct err *cmd_value_in_range(const struct param *p, double n, struct str found,
				      struct str shown)
{
	struct err *e;

	if (p->min >= p->max || (n >= (double)p->min && n <= (double)p->max))
		return NULL;
	e = err_for_param(E_OUT_OF_RANGE, shown, "%.*s is %.*s; allowed: %lld to %lld",
			  STR_ARG(shown), STR_ARG(found), (long long)p->min, (long long)p->max);
	err_detail_int(e, "minimum", p->min);
	return err_detail_int(e, "maximum", p->max);
}

static struct err *length(const struct param *p, size_t n, struct str shown, const char *unit)
{
	if (p->min >= p->max)
		return NULL;
	if (n >= (uint64_t)p->min && n <= (uint64_t)p->max)
		return NULL;
	if (!n) {
		struct err *e =
			err_for_param(E_BAD_ARGUMENT, shown, "%.*s is empty", STR_ARG(shown));

		return p->help ? err_help(e, "give a value: %s", p->help) : e;
	}
	return err_for_param(n > (uint64_t)p->max ? E_TOO_LONG : E_OUT_OF_RANGE, shown,
			     "%.*s has %zu %s; allowed: %lld to %lld", STR_ARG(shown), n, unit,
			     (long long)p->min, (long long)p->max);
}

static struct err *choice(struct arena *a, const struct param *p, void *base, struct str s,
			  struct str shown)
{
	int i = record_choice_index(p->choices, s);

	if (i < 0)
		return err_not_in_enum(a, shown, s, p->choices);
	if (p->type == P_CHOICE) {
		*(int *)cmd_value_pointer(p, base) = i;
	} else {
		struct cmd_bits *bits = cmd_value_pointer(p, base);

		bits->bits |= 1u << i;
		bits->given = true;
	}
	return NULL;
}

static struct err *string(struct arena *a, const struct param *p, void *base, struct str s,
			  struct str shown)
{
	TRY(length(p, s.n, shown, "bytes"));
	if (p->type == P_STRS && p->choices && record_choice_index(p->choices, s) < 0)
		return err_not_in_enum(a, shown, s, p->choices);
	if (!s.p)
		s.p = "";
	if (p->type == P_STRS)
		strs_push(a, cmd_value_pointer(p, base), s);
	else
		*(struct str *)cmd_value_pointer(p, base) = s;
	return NULL;
}

static struct err *cmd_value_no_number(const struct param *p, struct str shown, const char *want,
				       struct str s)
{
	struct err *e = err_wrong_type(shown, want, s.n ? s.p : "nothing");

	return p->min < p->max
		       ? err_help(e, "allowed: %lld to %lld", (long long)p->min, (long long)p->max)
		       : e;
}

static struct err *cmd_value_number(const struct param *p, void *base, struct str s,
				    struct str shown)
{
	struct val v = {.type = VAL_NUM, .s = s};
	int64_t i;
	double d;

	if (p->type == P_INT) {
		if (!str_int(s, &i))
			return cmd_value_no_number(p, shown, "a whole number", s);
		TRY(cmd_value_in_range(p, (double)i, s, shown));
		*(int64_t *)cmd_value_pointer(p, base) = i;
		return NULL;
	}
	if (!val_as_double(&v, &d))
		return cmd_value_no_number(p, shown, "a number", s);
	TRY(cmd_value_in_range(p, d, s, shown));
	*(double *)cmd_value_pointer(p, base) = d;
	return NULL;
}

static struct err *value_from_json(struct arena *a, const struct param *p, void *base,
				   const struct val *v, struct str shown);

struct err *value_from_text(struct arena *a, const struct param *p, void *base, struct str text,
			    struct str shown)
{
	struct val *v;
	struct str part;
	struct err *e;

	switch (p->type) {
	case P_STR:
	case P_STRS: return string(a, p, base, text, shown);
	case P_INT:
	case P_NUM: return cmd_value_number(p, base, str_dup(a, text), shown);
	case P_BOOL:
		if (!str_is(text, "true") && !str_is(text, "false"))
			return err_wrong_type(shown, "true or false", str_c(a, text));
		*(bool *)cmd_value_pointer(p, base) = str_is(text, "true");
		return NULL;
	case P_CHOICE: return choice(a, p, base, text, shown);
	case P_CHOICES:
		while (str_next_part(&text, ',', &part))
			TRY(choice(a, p, base, part, shown));
		return NULL;
	case P_JSON:
		e = json_read(a, text, NULL, &v);
		if (e)
			return err_add_context(e, "%.*s", STR_ARG(shown));
		return value_from_json(a, p, base, v, shown);
	case P_LIST: break;
	}
	BUG("parameter '%s' has no form on a command line", p->name);
}

/* JSON has one type of number: 10, 10.0 and 1e1 are the same whole number. */
static struct str cmd_value_whole(struct arena *a, const struct val *v)
{
	int64_t i;
	double d;

	if (!val_as_int(v, &i) && val_as_double(v, &d) && d >= -(double)CMD_INT_MAX &&
	    d <= (double)CMD_INT_MAX && d == (double)(int64_t)d)
		return str_fmt(a, "%jd", (intmax_t)d);
	return str_dup(a, v->s);
}

/* Converts the forms of RANGES to text. Other values stay as they are; the parser rejects them. */
static struct val *range_text(struct arena *a, const struct val *v)
{
	if (v->type == VAL_NUM)
		return val_str(a, cmd_value_whole(a, v));
	if (v->type == VAL_LIST && v->n == 2 && v->first->type == VAL_NUM &&
	    v->last->type == VAL_NUM)
		return val_str(a, str_fmt(a, "%.*s:%.*s", STR_ARG(cmd_value_whole(a, v->first)),
					  STR_ARG(cmd_value_whole(a, v->last))));
	return val_copy_shallow(a, v);
}

/*
 * Of a text that has the JSON of another type: that. Some hosts send lists, objects, numbers and
 * booleans so. Other values stay.
 */
static const struct val *value_parse_json_text(struct arena *a, const struct val *v)
{
	struct val *parsed;

	if (v->type != VAL_STR || json_read(a, v->s, NULL, &parsed) || parsed->type == VAL_STR ||
	    parsed->type == VAL_NULL)
		return v;
	parsed->key = v->key;
	return parsed;
}

static const struct val *ranges(struct arena *a, const struct val *v)
{
	struct val *list = val_list(a), *one;

	v = value_parse_json_text(a, v);
	one = range_text(a, v);
	if (one->type == VAL_STR) {
		struct str rest = one->s, part;

		while (str_next_part(&rest, ',', &part))
			val_add(list, val_str(a, part));
		return list;
	}
	if (v->type != VAL_LIST)
		return v;
	VAL_EACH(v, m)
		val_add(list, range_text(a, m));
	return list;
}

static struct err *cmd_parse_members(struct arena *a, const struct cmd *c, const struct val *input,
				     void *args, struct str at);

static struct err *cmd_value_member(struct arena *a, const struct param *p, void *to,
				    const struct val *m, struct str at)
{
	struct cmd sub = {.name = p->name, .params = p->sub};

	if (m->type != VAL_MAP)
		return err_wrong_type(at, "an object", val_type_name(m->type));
	TRY(cmd_defaults(a, p->sub, to));
	return cmd_parse_members(a, &sub, m, to, at);
}

/* A list of objects, or the one object of a parameter with ONE. */
static struct err *objects(struct arena *a, const struct param *p, void *base, const struct val *v,
			   struct str shown)
{
	struct cmd_list *list = cmd_value_pointer(p, base);
	size_t i = 0;

	if (p->flags & ONE) {
		*list = (struct cmd_list){arena_alloc(a, p->sub_size), 1};
		return cmd_value_member(a, p, list->p, v, shown);
	}
	if (v->type != VAL_LIST)
		return err_wrong_type(shown, "a list of objects", val_type_name(v->type));
	TRY(length(p, v->n, shown, "members"));
	list->n = v->n;
	list->p = arena_array(a, size_max(v->n, 1), p->sub_size);
	VAL_EACH(v, m) {
		struct str at = str_fmt(a, "%.*s[%zu]", STR_ARG(shown), i);
		void *to = (char *)list->p + i++ * p->sub_size;

		TRY(cmd_value_member(a, p, to, m, at));
	}
	return NULL;
}

/* Whether the parameter may have one text as its value. */
static bool value_takes_text(const struct param *p)
{
	if (p->type == P_STRS || p->type == P_CHOICES)
		return p->flags & (LIST_OR_ONE | RANGES);
	return p->type == P_STR || p->type == P_CHOICE;
}

static struct err *value_from_json(struct arena *a, const struct param *p, void *base,
				   const struct val *v, struct str shown)
{
	struct str word;
	size_t i = 0;

	if (!value_takes_text(p))
		v = value_parse_json_text(a, v);
	/* A text that is not JSON: the reason helps more than "a string". */
	if (v->type == VAL_STR && (p->type == P_JSON || p->type == P_LIST) &&
	    (str_starts(v->s, STR("{")) || str_starts(v->s, STR("[")))) {
		struct val *none;
		struct err *e = json_read(a, v->s, NULL, &none);

		if (e)
			return err_add_context(e, "%.*s", STR_ARG(shown));
	}
	switch (p->type) {
	case P_STR:
		if (p->flags & LIST_OR_ONE && v->type == VAL_LIST && v->n == 1)
			v = v->first;
		if (v->type != VAL_STR)
			return err_wrong_type(shown, "a string", val_type_name(v->type));
		return string(a, p, base, v->s, shown);
	case P_INT:
	case P_NUM:
		if (v->type != VAL_NUM)
			return err_wrong_type(shown, "a number", val_type_name(v->type));
		return cmd_value_number(p, base,
					p->type == P_INT ? cmd_value_whole(a, v) : str_dup(a, v->s),
					shown);
	case P_BOOL:
		/* Some clients send the text "True" of Python, or a number. */
		word = v->type == VAL_STR || v->type == VAL_NUM ? str_lower(a, v->s) : STR("");
		if (str_is(word, "true") || str_is(word, "1"))
			v = val_bool(a, true);
		else if (str_is(word, "false") || str_is(word, "0"))
			v = val_bool(a, false);
		if (v->type != VAL_BOOL)
			return err_wrong_type(shown, "a boolean", val_type_name(v->type));
		*(bool *)cmd_value_pointer(p, base) = v->b;
		return NULL;
	case P_CHOICE:
		if (v->type != VAL_STR)
			return err_wrong_type(shown, "a string", val_type_name(v->type));
		return choice(a, p, base, v->s, shown);
	case P_STRS:
	case P_CHOICES:
		if (p->flags & RANGES)
			v = ranges(a, v);
		/* No file is named as a list in JSON is. */
		if (p->flags & PATHS && value_parse_json_text(a, v)->type == VAL_LIST)
			v = value_parse_json_text(a, v);
		if (p->flags & LIST_OR_ONE && v->type == VAL_STR) {
			struct val *list = val_list(a);

			val_add(list, val_copy_shallow(a, v));
			v = list;
		}
		if (v->type != VAL_LIST)
			return err_wrong_type(shown, "a list of strings", val_type_name(v->type));
		if (p->type == P_STRS)
			*(struct strs *)cmd_value_pointer(p, base) =
				(struct strs){.p = arena_alloc(a, 1)};
		else
			*(struct cmd_bits *)cmd_value_pointer(p, base) =
				(struct cmd_bits){.given = true};
		VAL_EACH(v, m) {
			struct str at = str_fmt(a, "%.*s[%zu]", STR_ARG(shown), i++);

			if (m->type != VAL_STR)
				return err_wrong_type(at, "a string", val_type_name(m->type));
			TRY(p->type == P_STRS ? string(a, p, base, m->s, at)
					      : choice(a, p, base, m->s, at));
		}
		return NULL;
	case P_JSON:
		if (v->type == VAL_STR && !v->s.n && !p->sub)
			v = val_map(a);
		if (v->type != (p->sub ? VAL_LIST : VAL_MAP))
			return p->sub ? err_wrong_type(shown, "a list of objects",
						       val_type_name(v->type))
				      : err_help(err_wrong_type(shown, "an object",
								val_type_name(v->type)),
						 "write JSON, such as {\"ticket\": 12}");
		if (p->sub)
			TRY(length(p, v->n, shown, "members"));
		*(const struct val **)cmd_value_pointer(p, base) = v;
		return NULL;
	case P_LIST: return objects(a, p, base, v, shown);
	}
	BUG("parameter '%s' has an unknown type", p->name);
}

/* ---- an object ---- */

static struct str cmd_input_named(struct arena *a, struct str at, struct str name)
{
	return at.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(at), STR_ARG(name)) : name;
}

static struct strs cmd_input_names_of(struct arena *a, const struct cmd *c)
{
	struct strs names = {0};

	for (const struct param *p = c->params; p && p->name; p++)
		if (!(p->flags & (CLI_ONLY | HIDDEN)))
			strs_push(a, &names, str_of(p->name));
	return names;
}

/*
 * True for a name that looks like a typing error. It is an error even where unknown names are
 * ignored, because its value would be lost.
 */
static bool is_slip(struct arena *a, const struct cmd *c, struct str key)
{
	struct strs names = cmd_input_names_of(a, c);

	return str_nearest(key, &names).n;
}

static struct err *cmd_input_unknown(struct arena *a, const struct cmd *c, struct str key,
				     struct str at)
{
	struct str shown = cmd_input_named(a, at, key);
	struct strs names = cmd_input_names_of(a, c);
	struct err *e;

	e = err_for_param(E_UNKNOWN_PARAMETER, shown, "unknown parameter '%.*s'%.*s; allowed: %.*s",
			  STR_ARG(shown), STR_ARG(str_did_you_mean(a, str_nearest(key, &names))),
			  STR_ARG(str_join(a, &names, ", ")));
	return err_detail_list(e, "allowed", &names);
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

/* Reads an object's members into a struct. `at` is the prefix of their names in messages; it is
 * empty at the top. */
static struct err *cmd_parse_members(struct arena *a, const struct cmd *c, const struct val *input,
				     void *args, struct str at)
{
	struct members ms = {.a = a, .cmd = c, .args = args};
	size_t n = 0;

	for (const struct param *p = c->params; p && p->name; p++, n++)
		if (p->flags & REST)
			ms.rest = cmd_value_pointer(p, args);
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
