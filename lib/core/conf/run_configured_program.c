#include "conf/run_configured_program.h"
#include "json/json.h"
#include "os/os.h"

#define SAID_MAX 256

struct str conf_program_input_json(struct arena *a, const struct strs *texts, int64_t most)
{
	struct buf b = buf_in(a);
	struct val *v = val_map(a);

	val_set(a, v, "texts", val_list_of_strs(a, texts));
	if (most)
		val_set(a, v, "maxTokens", val_int(a, most));
	json_write(&b, v, 0);
	buf_putc(&b, '\n');
	return buf_as_str(&b);
}

struct err *conf_program_run(struct arena *a, const struct conf_program *p, struct str input,
			     struct str *output)
{
	const char **argv = arena_array(a, p->command.n + 1, sizeof(*argv));
	static const char *const env[] = {CONF_PROGRAM_RUNS "=1", NULL};
	struct os_spawn s = {.argv = argv,
			     .env = env,
			     .in = input,
			     .timeout_ms = p->timeout_ms,
			     .out_max = p->answer_max};
	struct os_result r;
	struct str text, line = {0}, said;
	struct err *e;

	for (size_t i = 0; i < p->command.n; i++)
		argv[i] = str_c(a, p->command.p[i]);
	e = os_run(a, &s, &r);
	if (e && err_reason(e) == E_TOO_BIG)
		return err_new(E_PROGRAM_FAILED, "it printed more than %zu bytes", p->answer_max);
	TRY(e);
	/* The first line that is not blank, as valid UTF-8. */
	text = r.err;
	while (str_next_line(&text, &line) && !str_trim(line).n)
		;
	said = str_utf8(a, str_sub(str_trim(line), 0, 200));
	if (r.status)
		return err_detail_int(err_new(E_PROGRAM_FAILED, "it ended with status %d%s%.*s",
					      r.status, said.n ? ": " : "", STR_ARG(said)),
				      "status", r.status);
	*output = r.out;
	return NULL;
}

struct err *conf_parse_program_answer(struct arena *a, struct str output, size_t max,
				      const struct val **answer)
{
	const struct json_limits limits = {.bytes = max, .depth = 16};
	const struct val *success, *result;
	struct str why;
	struct val *v;
	struct err *e;

	if (!str_trim(output).n)
		return err_new(E_PROGRAM_FAILED, "it printed nothing");
	e = json_read(a, output, &limits, &v);
	if (e)
		return err_new(E_PROGRAM_FAILED, "its output is not JSON: %s", err_message(e));
	if (v->type != VAL_MAP)
		return err_new(E_PROGRAM_FAILED, "its answer is %s, not an object",
			       val_type_name(v->type));
	*answer = v;
	success = val_get(v, "tool_success");
	if (!success)
		return NULL;
	if (success->type != VAL_BOOL)
		return err_new(E_PROGRAM_FAILED, "tool_success is %s, not true or false",
			       val_type_name(success->type));
	why = val_get_str(v, "error");
	if (!success->b)
		return err_new(
			E_PROGRAM_FAILED, "it says: %.*s",
			STR_ARG(why.n ? str_utf8(a, str_sub(why, 0, SAID_MAX)) : STR("it failed")));
	result = val_get(v, "result");
	if (!result || result->type != VAL_MAP)
		return err_new(E_PROGRAM_FAILED, "result is %s, not an object",
			       result ? val_type_name(result->type) : "missing");
	*answer = result;
	return NULL;
}

struct err *conf_program_add_to_error(const struct conf_program *p, struct err *e)
{
	return err_add_detail(err_add_context(e, "the %s '%.*s' (%s)", p->noun,
					      STR_ARG(p->command.p[0]), p->setting),
			      "setting", str_of(p->setting));
}
