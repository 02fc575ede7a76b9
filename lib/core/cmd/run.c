/* Runs a command of the table. Its result is a record, a value tree, or emitted rows. */
#include "cmd/result_template.h"
#include "json/json.h"

#ifdef IKM_TEST
#define TEST_BUILD true
#else
#define TEST_BUILD false
#endif

bool cmd_emits_text(const struct call *c)
{
	return c->face == FACE_ARGV && !c->json;
}

void cmd_emit_begin_list(struct call *c, const char *list)
{
	const struct field *f = c->cmd->result;

	while (f->name && !(f->flags & EMITTED && !strcmp(f->name, list)))
		f++;
	if (!f->name || c->emitted.list)
		BUG("%s: '%s' is not a list that can be emitted now", c->cmd->name, list);
	c->emitted = (struct cmd_emitted){.list = f};
	/* JSON keeps the order of members, so only the first member can be printed at once.
	 * Indented JSON, for terminals, comes as a whole. */
	if (!cmd_emits_text(c) && (c->face != FACE_ARGV || !c->json || c->client ||
				   out_is_terminal(c->out) || f != c->cmd->result))
		c->emitted.rows = val_list(c->a);
}

/* Makes a value of a row; rows NULL: the row is a string. */
static struct val *cmd_row_val(struct arena *a, const struct field *rows, const void *row,
			       bool copy)
{
	const struct str *text = row;

	if (rows)
		return copy ? record_val_with_copies(a, rows, row) : record_val(a, rows, row);
	return val_str(a, copy ? str_dup(a, str_utf8(a, *text)) : str_utf8(a, *text));
}

struct err *cmd_emit_row_as(struct call *c, const struct field *rows, const void *row)
{
	if (!c->emitted.list)
		BUG("%s: a row before cmd_emit_begin_list()", c->cmd->name);
	if (c->emitted.rows) {
		val_add(c->emitted.rows, cmd_row_val(c->a, rows, row, true));
		return NULL;
	}
	if (cmd_emits_text(c) && c->cmd->row) {
		TRY(c->cmd->row(c, c->args, row));
	} else {
		struct arena *a ARENA_LOCAL = arena_new();
		struct buf b = buf_in(a);

		if (c->emitted.open)
			buf_putc(&b, ',');
		else if (c->json)
			buf_fmt(&b, "{\"%s\":[", c->emitted.list->name);
		json_write(&b, cmd_row_val(a, rows, row, false), 0);
		if (!c->json)
			buf_putc(&b, '\n');
		out_bytes_unchanged(c->out, buf_as_str(&b));
		c->emitted.open = c->json;
	}
	return out_failed(c->out) ? out_flush(c->out) : NULL;
}

struct err *cmd_emit_row(struct call *c, const void *row)
{
	return cmd_emit_row_as(c, c->emitted.list ? c->emitted.list->sub : NULL, row);
}

void cmd_print_json(struct call *c, const struct val *v)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct buf b;
	struct str rest;

	if (!c->emitted.open) {
		out_json(c->out, v);
		return;
	}
	a = arena_new();
	b = buf_in(a);
	json_write(&b, v, 0);
	rest = str_sub(buf_as_str(&b), 1, SIZE_MAX);
	out_puts(c->out, str_is(rest, "}") ? "]" : "],");
	out_bytes_unchanged(c->out, rest);
	out_puts(c->out, "\n");
	c->emitted.open = false;
}

/* The emitted list; NULL: the result lacks it, or it is printed already. */
static struct val *cmd_emitted_list(const struct call *c, const struct field *f)
{
	if (f != c->emitted.list)
		return f->flags & OPTIONAL ? NULL : val_list(c->a);
	if (c->emitted.open)
		return NULL;
	return c->emitted.rows ? c->emitted.rows : val_list(c->a);
}

struct err *cmd_run(struct call *c, const void *args, struct val **result)
{
	const struct cmd *cmd = c->cmd;
	struct val *record;

	*result = NULL;
	c->args = args;
	c->emitted = (struct cmd_emitted){0};
	c->result = arena_alloc(c->a, size_max(cmd->result_size, 1));
	TRY(cmd->run(c, args, c->result));
	if (!cmd->result || !c->result || (cmd_emits_text(c) && !TEST_BUILD))
		return NULL;
	/* Makes a value tree of the result, with the emitted lists at their places. */
	record = record_val(c->a, c->cmd->result, c->result);
	*result = val_map(c->a);
	for (const struct field *f = c->cmd->result; f->name; f++) {
		struct val *v = val_get(record, f->name);

		if (f->flags & EMITTED)
			v = cmd_emitted_list(c, f);
		else if (v)
			v = val_copy_shallow(c->a, v);
		if (v)
			val_set(c->a, *result, f->name, v);
	}
	if (TEST_BUILD)
		record_check(cmd->name, cmd->result, *result);
	if (cmd_emits_text(c))
		*result = NULL;
	return NULL;
}

void cmd_print_text(struct call *c)
{
	if (c->result && c->cmd->template)
		template_print_record(c, c->cmd->template, c->cmd->result, c->result);
	if (c->result && c->cmd->text)
		c->cmd->text(c, c->args, c->result);
}
