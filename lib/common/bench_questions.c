#include "bench_questions.h"
#include "json/json.h"
#include "memory/search.h"

#define EXPECTED_MAX 1000

static const struct param members[] = {
	PARAM_OF(struct question, query, .flags = REQUIRED, .min = 1, .max = MEMORY_QUERY_MAX,
		 .help = "the question"),
	PARAM_OF(struct question, expected, .flags = REQUIRED, .min = 1, .max = 256,
		 .help = "ids of the memories that answer it"),
	PARAM_OF(struct question, layers, .choices = memory_layers, .help = "only these layers"),
	PARAM_OF(struct question, kind, .choices = memory_kinds, .also = "kinds",
		 .help = "only these kinds"),
	PARAM_OF(struct question, tags, .min = 1, .max = MEMORY_TAG_MAX,
		 .help = "only with one of these tags"),
	{0},
};
static const struct cmd line_of = {
	.name = "a question", .params = members, .args_size = sizeof(struct question)};

static struct err *questions_read_line(struct arena *a, struct str line, struct question *out)
{
	struct val *v;

	TRY(json_read(a, line, NULL, &v));
	TRY(cmd_parse_json(a, &line_of, v, out));
	if (!out->expected.n || out->expected.n > EXPECTED_MAX)
		return err_new(E_OUT_OF_RANGE, "expected has %zu ids; allowed: 1 to %d",
			       out->expected.n, EXPECTED_MAX);
	return NULL;
}

struct err *questions_read(struct call *c, struct str path, struct questions *out)
{
	bool input = !path.n || str_is(path, "-");
	const char *name = input ? "standard input" : str_c(c->a, path);
	struct str text, line;
	size_t at = 0;

	*out = (struct questions){0};
	if (input)
		TRY(cmd_stdin(c->a, &text));
	else
		TRY(os_read(c->a, name, JSON_BYTES_MAX, &text));
	while (str_line(&text, &line)) {
		struct err *e;

		at++;
		if (!str_trim(line).n)
			continue;
		e = questions_read_line(c->a, line, VEC_PUSH(c->a, out));
		if (e)
			return err_help(err_in(err_detail_int(e, "line", (int64_t)at),
					       "'%s', line %zu", name, at),
					"write {\"query\": \"…\", \"expected\": [\"mem_…\"]}; "
					"layers, kind and tags are optional");
	}
	if (!out->n)
		return err_help(err_new(E_BAD_ARGUMENT, "'%s' has no questions", name),
				"write one a line: {\"query\": \"…\", \"expected\": [\"mem_…\"]}");
	return NULL;
}
