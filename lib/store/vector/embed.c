/* Runs the user's embedding program once. */
#include "vector/vector.h"
#include "conf/run_configured_program.h"

/* Sets the model's number; 0: the store has no vector of this model yet. */
static struct err *embed_known(struct vectors *v, struct vector_list *of)
{
	of->model = 0;
	return db_number(v->db, Q_VECTOR_MODEL, &of->model, DB_S(of->name), DB_S(of->version),
			 DB_I((int64_t)of->dimension));
}

struct err *vector_embed(struct vectors *v, struct arena *a, const struct strs *texts,
			 struct vector_list *out)
{
	const struct conf_program p = {
		.noun = "embedder",
		.setting = "memory.embedder",
		.command = v->command,
		.timeout_ms = v->timeout_ms,
		.answer_max = VECTOR_ANSWER_MAX,
	};
	struct str output;
	struct err *e;

	if (!v->command.n)
		return err_help(err_add_detail(err_new(E_NOT_CONFIGURED,
						       "no program for embeddings is set"),
					       "setting", STR("memory.embedder")),
				"set memory.embedder in ~/.ikigai/config.json to a list: the "
				"program and its arguments; ikm-mem(1) has an example");
	e = conf_program_run(a, &p, conf_program_input_json(a, texts, 0), &output);
	if (e && err_reason(e) == E_TOOK_TOO_LONG)
		err_help(e, "memory.embedderTimeout sets how many milliseconds a search waits for "
			    "the program, --timeout how many seconds 'ikm mem embed' waits");
	if (!e)
		e = vector_answer_read(a, output, texts->n, out);
	if (e)
		return conf_program_add_to_error(&p, e);
	return embed_known(v, out);
}

struct err *vector_record_model(struct vectors *v, struct vector_list *of)
{
	TRY(embed_known(v, of));
	if (of->model)
		return NULL;
	TRY(db_do(v->db, Q_VECTOR_MODEL_ADD, NULL, DB_S(of->name), DB_S(of->version),
		  DB_I((int64_t)of->dimension)));
	return embed_known(v, of);
}
