/* The JSON face: an object's members into the command's struct. */
#include "cmd/value.h"
#include "json/json.h"
#include "os/os.h"
#include <unistd.h>

struct err *cmd_stdin(struct arena *a, struct str *out)
{
	struct err *e = os_read_fd(a, STDIN_FILENO, "standard input", JSON_BYTES_MAX, out);

	if (e && err_reason(e) == E_TOO_BIG)
		return err_detail_int(err_new(E_TOO_LONG, "standard input has more than %zu bytes",
					      JSON_BYTES_MAX),
				      "limit", (int64_t)JSON_BYTES_MAX);
	return e;
}

static const struct param *find(const struct param *params, struct str key)
{
	for (const struct param *p = params; p && p->name; p++) {
		if (p->flags & (CLI_ONLY | REST))
			continue;
		if (str_is(key, p->name))
			return p;
		for (struct str all = str_of(p->also), one; str_split(&all, ' ', &one);)
			if (str_eq(key, one))
				return p;
	}
	return NULL;
}

static struct str named(struct arena *a, struct str at, struct str name)
{
	return at.n ? str_fmt(a, "%.*s.%.*s", STR_ARG(at), STR_ARG(name)) : name;
}

static void names_of(struct arena *a, const struct cmd *c, struct strs *names)
{
	for (const struct param *p = c->params; p && p->name; p++)
		if (!(p->flags & (CLI_ONLY | HIDDEN)))
			strs_push(a, names, str_of(p->name));
}

/* A slip of the hand is told also where other names are passed over: what was meant would be lost. */
static bool is_slip(struct arena *a, const struct cmd *c, struct str key)
{
	struct strs names = {0};

	names_of(a, c, &names);
	return str_nearest(key, &names).n;
}

static struct err *unknown(struct arena *a, const struct cmd *c, struct str key, struct str at)
{
	struct str shown = named(a, at, key), near;
	struct strs names = {0};
	struct err *e;

	names_of(a, c, &names);
	near = str_nearest(key, &names);
	e = err_new(E_UNKNOWN_PARAMETER, "unknown parameter '%.*s'%s%.*s%s; allowed: %.*s",
		    STR_ARG(shown), near.n ? "; did you mean '" : "", STR_ARG(near),
		    near.n ? "'?" : "", STR_ARG(str_join(a, &names, ", ")));
	err_detail(e, "parameter", shown);
	return err_detail_list(e, "allowed", &names);
}

/* Where names go that no row has; NULL: nowhere. */
static struct strs *rest_of(const struct param *params, void *args)
{
	for (const struct param *p = params; p && p->name; p++)
		if (p->flags & REST)
			return (struct strs *)((char *)args + p->offset);
	return NULL;
}

struct err *cmd_parse_members(struct arena *a, const struct cmd *c, const struct val *input,
			      void *args, struct str at)
{
	const struct val **seen;
	struct strs *rest = rest_of(c->params, args);
	struct str odd = STR(""); /* the first one of the rest */
	size_t n = 0;

	while (c->params && c->params[n].name)
		n++;
	seen = arena_array(a, n + 1, sizeof(*seen));
	VAL_EACH(input, m) {
		const struct param *p = find(c->params, m->key);
		struct str shown = named(a, at, m->key);

		if (!p) {
			/* Seed 000 writes the tool's name into its input. */
			if (!at.n && str_is(m->key, "tool") && m->type == VAL_STR)
				continue;
			if (rest && !is_slip(a, c, m->key)) {
				strs_push(a, rest, shown);
				odd = odd.n ? odd : m->key;
				continue;
			}
			return unknown(a, c, m->key, at);
		}
		if (seen[p - c->params])
			return err_new(E_BAD_ARGUMENT, "'%.*s' and '%.*s' are the same parameter",
				       STR_ARG(seen[p - c->params]->key), STR_ARG(m->key));
		seen[p - c->params] = m;
		TRY(value_from_json(a, p, args, m, shown));
	}
	for (const struct param *p = c->params; p && p->name; p++)
		if (p->flags & REQUIRED && !(p->flags & CLI_ONLY) && !seen[p - c->params])
			return odd.n ? unknown(a, c, odd, at)
				     : value_missing(p, named(a, at, str_of(p->name)));
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
