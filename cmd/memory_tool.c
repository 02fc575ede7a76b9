/* memory-tool: serves Anthropic's memory tool from stored assets, for programs that run a model
 * (ikm-memory-tool(1)). */
#include "paths/open_files_for_call.h"
#include "json/json.h"
#include "memtool/memtool.h"
#include "app/print_warnings.h"
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)

struct args {
	bool lines;
};

static const struct param params[] = {
	PARAM(lines, .letter = 'l',
	      .help = "answer one object per line, each immediately, until the input ends"),
	{0},
};

/* ---- one object per line ---- */

struct input {
	struct buf b;
	size_t from; /* the input before this was answered */
	bool end;
};

/* Gives the next line as soon as it is complete; never waits for more. p NULL: the input ended. */
static struct err *memory_tool_next_line(struct input *in, struct str *line)
{
	size_t seen = 0, nl, got;

	*line = (struct str){0};
	for (;;) {
		struct str rest = str_sub(buf_as_str(&in->b), in->from, in->b.n);

		nl = str_find_char(rest, '\n', seen);
		if (nl != SIZE_MAX || in->end)
			break;
		if (rest.n > JSON_BYTES_MAX)
			return err_new(E_TOO_LONG,
				       "a line of the input is over the limit of %zu bytes",
				       JSON_BYTES_MAX);
		seen = rest.n;
		if (in->from)
			memmove(in->b.p, rest.p, rest.n);
		in->b.n = rest.n;
		in->from = 0;
		TRY(os_read_some(STDIN_FILENO, "standard input", buf_room(&in->b, READ_BYTES),
				 READ_BYTES, &got));
		in->b.n += got;
		in->end = !got;
	}
	if (nl == SIZE_MAX && in->from == in->b.n)
		return NULL;
	*line = str_sub(buf_as_str(&in->b), in->from, nl == SIZE_MAX ? in->b.n : in->from + nl);
	in->from += line->n + (nl != SIZE_MAX);
	return NULL;
}

/* Only a broken input or output ends the loop. Errors that the model cannot solve go to standard
 * error too, for the person who runs the host. */
static struct err *answer_lines(struct call *c, struct files *f)
{
	struct input in = {.b = buf_in(c->a)};
	struct str line;

	for (;;) {
		struct memtool_said answer;
		struct val *asked;
		struct arena *a;
		struct err *e;
		struct buf b;

		TRY(memory_tool_next_line(&in, &line));
		if (!line.p)
			return NULL;
		if (!str_trim(line).n)
			continue;
		a = arena_new();
		e = json_read(a, line, NULL, &asked);
		if (e)
			answer = memtool_trouble(a, e);
		else
			e = memtool_answer(f, a, asked, &answer);
		/* Prints one line, even on a terminal, where other JSON is indented. */
		b = buf_in(a);
		json_write(&b, record_val(a, memtool_fields, &answer), 0);
		buf_putc(&b, '\n');
		out_bytes_unchanged(c->out, buf_as_str(&b));
		if (e)
			print_error_with_steps(c, a, e);
		arena_free(a);
		TRY(out_flush(c->out));
		TRY(out_flush(c->err));
	}
}

/* ---- the command ---- */

static struct err *memory_tool_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct memtool_said *r = out;
	struct val *asked;
	struct files *f;
	struct str text;
	struct err *e;

	TRY(files_open(c, &f));
	/* As on a tool face, the model's changes are recorded and can be undone. */
	if (c->conf->undo_days) {
		f->events = files_event_recorder_new(c, f);
		f->events->tool = STR("memory");
	}
	if (args->lines) {
		c->result = NULL;
		cmd_stdin_prompt("commands, one JSON object a line");
		return answer_lines(c, f);
	}
	TRY(cmd_stdin(c->a, "a command as one JSON object", &text));
	e = json_read(c->a, text, NULL, &asked);
	if (e)
		return err_help(err_add_context(e, "standard input"),
				"write one object, such as {\"command\": \"view\", \"path\": "
				"\"/memories\"}; for one object per line add --lines");
	TRY(memtool_answer(f, c->a, asked, r));
	c->negative = r->is_error;
	return NULL;
}

static void memory_tool_text(struct call *c, const void *args, const void *r)
{
	struct str content = ((const struct memtool_said *)r)->content;

	(void)args;
	if (out_is_terminal(c->out))
		out_safe(c->out, content, true);
	else
		out_bytes_unchanged(c->out, content);
	out_puts(c->out, "\n");
}

const struct cmd cmd_memory_tool = {
	.name = "memory-tool",
	.summary = "serve Anthropic's memory tool from stored assets",
	.description = "For hosts: reads the six commands of the tool memory_20250818 as JSON from "
		       "standard input, and prints its documented answers. /memories is the folder "
		       "ikigai:///memories of stored assets.",
	.expose = EXPOSE_PERSON,
	.need = NEED_CONF,
	CMD_PARAMS(struct args, params),
	CMD_RESULT(struct memtool_said, memtool_fields),
	.run = memory_tool_run,
	.text = memory_tool_text,
};
