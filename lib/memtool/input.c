/* Reads the model's input: the command, its parameters, and the paths in them. */
#include "memtool/internal.h"

/* The scheme and the path together name a stored asset. */
#define SHOWN_MAX (OS_PATH_MAX - (sizeof(ASSET_SCHEME) - 1))

/* ---- paths ---- */

static struct err *memtool_input_bad_path(struct str text, const char *what)
{
	return err_detail(
		err_new(E_BAD_PATH, "the path '%.*s' cannot be used: %s", STR_ARG(text), what),
		"path", text);
}

/* Other programs decode paths, some of them twice. ikm decodes nothing, so it refuses text that
 * another program would decode. */
static bool is_encoded(struct str part)
{
	uint32_t code;

	for (size_t i = 0; (i = str_find_char(part, '%', i)) != SIZE_MAX; i++)
		if (i + 2 < part.n && str_hex(str_sub(part, i + 1, i + 3), &code))
			return true;
	return false;
}

static const char *wrong_part(struct str part)
{
	if (!part.n)
		return "one of its parts is empty";
	if (str_is(part, ".") || str_is(part, ".."))
		return "'.' and '..' are not allowed as parts";
	if (str_find_char(part, '\\', 0) != SIZE_MAX)
		return "backslashes are not allowed";
	if (is_encoded(part))
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
	/* str_split() does not report an empty part after a last slash. */
	if (str_ends(path, STR("/")))
		return memtool_input_bad_path(text, wrong_part((struct str){0}));
	while (str_split(&rest, '/', &part))
		if (wrong_part(part))
			return memtool_input_bad_path(text, wrong_part(part));
	*shown = str_dup(a, path);
	return NULL;
}

/* ---- members ---- */

static struct err *memtool_input_wrong_type(const char *name, const char *want, const struct val *v)
{
	return err_detail(err_new(E_WRONG_TYPE, "`%s` is %s; it must be %s", name,
				  val_type_name(v->type), want),
			  "parameter", str_of(name));
}

static struct err *memtool_input_read_range(const char *name, const struct val *v,
					    struct memtool_asked *out)
{
	if (v->type != VAL_LIST || v->n != 2 || !val_as_int(v->first, &out->view_range.first) ||
	    !val_as_int(v->last, &out->view_range.last))
		return err_detail(err_new(E_WRONG_TYPE,
					  "`%s` must be a list of two line numbers, "
					  "such as [1, 10] or [11, -1]",
					  name),
				  "parameter", str_of(name));
	out->view_range.given = true;
	return NULL;
}

static struct err *memtool_input_read_member(struct arena *a, const struct memtool_member *m,
					     const struct val *v, struct memtool_asked *out)
{
	char *at = (char *)out + m->offset;

	switch (m->type) {
	case MEMTOOL_LINE:
		if (!val_as_int(v, (int64_t *)at))
			return memtool_input_wrong_type(
				m->name, "a whole number of lines, such as 0 or 12", v);
		return NULL;
	case MEMTOOL_RANGE: return memtool_input_read_range(m->name, v, out);
	case MEMTOOL_PATH:
	case MEMTOOL_TEXT: break;
	}
	if (v->type != VAL_STR)
		return memtool_input_wrong_type(m->name, "a string", v);
	if (m->type == MEMTOOL_PATH)
		return memtool_path(a, v->s, (struct str *)at);
	*(struct str *)at = v->s;
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
	return err_detail(e, "parameter", STR("command"));
}

/* Refuses parameters that the command does not have. */
static struct err *check_names(struct arena *a, const struct val *input,
			       const struct memtool_command *c)
{
	struct strs known = {0};

	strs_push(a, &known, STR("command"));
	for (const struct memtool_member *m = c->members; m->name; m++)
		strs_push(a, &known, str_of(m->name));
	/* Clients write omitted parameters as null, also those of other commands. */
	VAL_EACH(input, v)
		if (v->type != VAL_NULL && !strs_has(&known, v->key))
			return err_detail(err_new(E_UNKNOWN_PARAMETER,
						  "%s has no parameter `%.64s`; it takes %.*s",
						  c->name, str_c(a, str_sub(v->key, 0, 64)),
						  STR_ARG(str_join(a, &known, ", "))),
					  "parameter", v->key);
	return NULL;
}

struct err *memtool_input(struct arena *a, const struct val *input, struct memtool_asked *out,
			  const struct memtool_command **command)
{
	*out = (struct memtool_asked){0};
	if (input->type != VAL_MAP)
		return err_new(E_WRONG_TYPE,
			       "the input is %s; it must be an object with a `command`",
			       val_type_name(input->type));
	TRY(find_command(a, input, command));
	TRY(check_names(a, input, *command));
	for (const struct memtool_member *m = (*command)->members; m->name; m++) {
		const struct val *v = val_get(input, m->name);

		if (m->optional && (!v || v->type == VAL_NULL))
			continue;
		if (!v)
			return err_detail(err_new(E_MISSING_PARAMETER, "%s needs `%s`",
						  (*command)->name, m->name),
					  "parameter", str_of(m->name));
		TRY(memtool_input_read_member(a, m, v, out));
	}
	return NULL;
}
