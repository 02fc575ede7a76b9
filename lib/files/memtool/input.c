/* Reads the model's input: the command, its parameters, and the paths in them. */
#include "memtool/internal.h"
#include "json/json.h"

/* The scheme and the path together name a stored asset. */
#define SHOWN_MAX (OS_PATH_MAX - (sizeof(ASSET_SCHEME) - 1))

/* ---- paths ---- */

static struct err *memtool_input_bad_path(struct str text, const char *what)
{
	return err_add_detail(
		err_new(E_BAD_PATH, "the path '%.*s' cannot be used: %s", STR_ARG(text), what),
		"path", text);
}

static const char *wrong_part(struct str part)
{
	uint32_t code;

	if (!part.n)
		return "one of its parts is empty";
	if (str_is(part, ".") || str_is(part, ".."))
		return "'.' and '..' are not allowed as parts";
	if (str_find_char(part, '\\', 0) != SIZE_MAX)
		return "backslashes are not allowed";
	/* Other programs decode paths, some of them twice. ikm decodes nothing, so it refuses text
	 * that another program would decode. */
	for (size_t i = 0; (i = str_find_char(part, '%', i)) != SIZE_MAX; i++)
		if (i + 2 < part.n && str_parse_hex(str_sub(part, i + 1, i + 3), &code))
			return "encoded characters such as %2e are not decoded, and not allowed";
	return NULL;
}

struct err *memtool_path(struct arena *a, struct str text, struct str *shown)
{
	struct str path = text, rest, part;

	if (text.n > SHOWN_MAX)
		return err_detail_int(err_new(E_TOO_LONG,
					      "the path is %zu bytes long; at most %zu "
					      "are allowed",
					      text.n, SHOWN_MAX),
				      "limit", SHOWN_MAX);
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f)
			return memtool_input_bad_path(str_sub(text, 0, i),
						      "a control character follows");
	if (str_ends(path, STR("/")))
		path = str_sub(path, 0, path.n - 1);
	if (!str_is(path, MEMTOOL_ROOT) && !str_starts(path, STR(MEMTOOL_ROOT "/")))
		return memtool_input_bad_path(text, "every path begins with " MEMTOOL_ROOT);
	rest = str_sub(path, 1, path.n);
	/* str_next_part() does not report an empty part after a last slash. */
	if (str_ends(path, STR("/")))
		return memtool_input_bad_path(text, wrong_part((struct str){0}));
	while (str_next_part(&rest, '/', &part))
		if (wrong_part(part))
			return memtool_input_bad_path(text, wrong_part(part));
	*shown = str_dup(a, path);
	return NULL;
}

/* ---- a command ---- */

static struct err *find_command(struct arena *a, const struct val *input,
				const struct memtool_command **out)
{
	const struct val *v = val_get(input, "command");
	struct strs names = {0};
	struct err *e;

	for (const struct memtool_command *c = memtool_commands; c->name; c++) {
		if (v && v->type == VAL_STR && str_is(v->s, c->name)) {
			*out = c;
			return NULL;
		}
		strs_push(a, &names, str_of(c->name));
	}
	if (v && v->type == VAL_STR)
		e = err_new(E_NOT_IN_ENUM, "there is no command `%.64s`; the commands are %.*s",
			    str_c(a, str_sub(v->s, 0, 64)), STR_ARG(str_join(a, &names, ", ")));
	else
		e = err_new(E_MISSING_PARAMETER, "`command` is missing; it must be one of %.*s",
			    STR_ARG(str_join(a, &names, ", ")));
	return err_add_detail(e, "parameter", STR("command"));
}

struct memtool_reading {
	struct arena *a;
	const struct memtool_command *command;
};

static struct err *memtool_input_wrong(void *ctx, const struct record_problem *p)
{
	const struct memtool_reading *r = ctx;
	struct str name = p->field ? str_of(p->field->name) : p->at->key;
	struct strs known = record_field_names(r->a, r->command->members);
	struct err *e;

	/* Clients write omitted parameters as null, also those of other commands. */
	if (p->reason == E_UNKNOWN_PARAMETER && p->at->type == VAL_NULL)
		return NULL;
	if (p->reason == E_UNKNOWN_PARAMETER)
		e = err_new(p->reason, "%s has no parameter `%.64s`; it takes %.*s",
			    r->command->name, str_c(r->a, str_sub(name, 0, 64)),
			    STR_ARG(str_join(r->a, &known, ", ")));
	else if (p->reason == E_MISSING_PARAMETER)
		e = err_new(p->reason, "%s needs `%.*s`", r->command->name, STR_ARG(name));
	else
		e = err_new(p->reason, "`%.*s` is %s; it must be %s", STR_ARG(name),
			    val_type_name(p->at->type),
			    p->field->type == F_INT ? "a whole number of lines, such as 0 or 12"
						    : p->want);
	return err_add_detail(e, "parameter", name);
}

struct err *memtool_input(struct arena *a, const struct val *input, struct memtool_asked *out,
			  const struct memtool_command **command)
{
	struct memtool_reading r = {.a = a};
	struct record_reader how = {
		.unknown = RECORD_REFUSED, .wrong = memtool_input_wrong, .ctx = &r};
	struct str *const paths[] = {&out->path, &out->old_path, &out->new_path};
	struct val *parsed = val_map(a), *one;
	const struct val *v;

	*out = (struct memtool_asked){0};
	if (input->type != VAL_MAP)
		return err_new(E_WRONG_TYPE,
			       "the input is %s; it must be an object with a `command`",
			       val_type_name(input->type));
	TRY(find_command(a, input, command));
	r.command = *command;
	/* Some hosts send the numbers and lists of a parameter as a text. */
	VAL_EACH(input, m) {
		bool stays = m->type != VAL_STR ||
			     (!str_is(m->key, "insert_line") && !str_is(m->key, "view_range"));

		if (stays || json_read(a, m->s, NULL, &one) || one->type == VAL_STR ||
		    one->type == VAL_NULL)
			one = val_copy_shallow(a, m);
		val_set_key(parsed, m->key, one);
	}
	TRY(record_from_val(a, &how, r.command->members, parsed, out));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i]->p)
			TRY(memtool_path(a, *paths[i], paths[i]));
	v = out->view_range;
	if (!v || (v->type == VAL_LIST && v->n == 2 && val_as_int(v->first, &out->first) &&
		   val_as_int(v->last, &out->last)))
		return NULL;
	return err_for_param(E_WRONG_TYPE, STR("view_range"),
			     "`view_range` must be a list of two line numbers, "
			     "such as [1, 10] or [11, -1]");
}
