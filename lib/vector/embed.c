/* Runs the user's embedding program once. */
#include "vector/vector.h"
#include "json/json.h"
#include "os/os.h"

/* The first line that is not blank, as valid UTF-8. */
static struct str embed_first_line(struct arena *a, struct str text)
{
	struct str line = {0};

	while (str_line(&text, &line) && !str_trim(line).n)
		;
	return str_utf8(a, str_sub(str_trim(line), 0, 200));
}

static struct str question(struct arena *a, const struct strs *texts)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "{\"texts\":[");
	for (size_t i = 0; i < texts->n; i++) {
		if (i)
			buf_putc(&b, ',');
		json_write_str(&b, texts->p[i]);
	}
	buf_puts(&b, "]}\n");
	return buf_str(&b);
}

static struct err *embed_run(struct vectors *v, struct arena *a, const struct strs *texts,
			     struct str *answer)
{
	const char **argv = arena_array(a, v->command.n + 1, sizeof(*argv));
	struct os_spawn s = {.argv = argv,
			     .in = question(a, texts),
			     .timeout_ms = v->timeout_ms,
			     .out_max = VECTOR_ANSWER_MAX};
	struct os_result r;
	struct str said;
	struct err *e;

	for (size_t i = 0; i < v->command.n; i++)
		argv[i] = str_c(a, v->command.p[i]);
	e = os_run(a, &s, &r);
	if (e && err_reason(e) == E_TOO_BIG)
		return err_new(E_PROGRAM_FAILED, "it printed more than %zu bytes",
			       VECTOR_ANSWER_MAX);
	if (e && err_reason(e) == E_TOOK_TOO_LONG)
		err_help(e, "memory.embedderTimeout sets how many milliseconds a search waits for "
			    "the program, --timeout how many seconds 'ikm mem embed' waits");
	TRY(e);
	said = embed_first_line(a, r.err);
	if (r.status)
		return err_detail_int(err_new(E_PROGRAM_FAILED, "it ended with status %d%s%.*s",
					      r.status, said.n ? ": " : "", STR_ARG(said)),
				      "status", r.status);
	*answer = r.out;
	return NULL;
}

/* Sets the model's number; 0: the store has no vector of this model yet. */
static struct err *embed_known(struct vectors *v, struct vector_list *of)
{
	of->model = 0;
	DB_EACH(rows, v->db, Q_VECTOR_MODEL, DB_S(of->name), DB_S(of->version),
		DB_I((int64_t)of->dimension))
		of->model = db_int(rows, 0);
	return NULL;
}

struct err *vector_embed(struct vectors *v, struct arena *a, const struct strs *texts,
			 struct vector_list *out)
{
	struct str answer;
	struct err *e;

	if (!v->command.n)
		return err_help(
			err_detail(err_new(E_NOT_CONFIGURED, "no program for embeddings is set"),
				   "setting", STR("memory.embedder")),
			"set memory.embedder in ~/.ikigai/config.json to a list: the "
			"program and its arguments; ikm-mem(1) has an example");
	e = embed_run(v, a, texts, &answer);
	if (!e)
		e = vector_answer(a, answer, texts->n, out);
	if (e)
		return err_detail(err_in(e, "the embedder '%.*s' (memory.embedder)",
					 STR_ARG(v->command.p[0])),
				  "setting", STR("memory.embedder"));
	return embed_known(v, out);
}

struct err *vector_model(struct vectors *v, struct vector_list *of)
{
	TRY(embed_known(v, of));
	if (of->model)
		return NULL;
	TRY(db_do(v->db, Q_VECTOR_MODEL_ADD, NULL, DB_S(of->name), DB_S(of->version),
		  DB_I((int64_t)of->dimension)));
	return embed_known(v, of);
}
