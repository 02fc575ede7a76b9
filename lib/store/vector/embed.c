/* Runs the user's embedding program; stores vectors, and computes the missing ones. */
#include "vector/vector.h"
#include "conf/run_configured_program.h"
#include "out/out.h"

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

/* ---- storing vectors, and computing the missing ones ---- */

/* Bytes of text for each run, except for a single longer text. */
#define BATCH_BYTES ((size_t)1 << 20)

struct err *vector_put(struct vectors *v, int64_t model, int64_t doc, struct vector x)
{
	return db_do(v->db, Q_VECTOR_PUT, NULL, DB_I(doc), DB_I(model),
		     DB_B(((struct str){(const char *)x.p, x.n})));
}

/* A batch: the texts for the program, and its vectors. */
struct batch {
	struct vectors *v;
	struct strs texts;
	struct docs VEC(int64_t) docs;
	struct str first; /* id of the first memory */
	struct vector_list made;
};

static struct err *make_batch(struct batch *b, struct arena *a, const struct vector_list *model)
{
	struct err *e = vector_embed(b->v, a, &b->texts, &b->made);

	if (!e && (!str_eq(b->made.name, model->name) || !str_eq(b->made.version, model->version) ||
		   b->made.dimension != model->dimension))
		e = err_add_detail(
			err_new(E_PROGRAM_FAILED,
				"the model of the embedder (memory.embedder) has changed from '%.*s' (%zu "
				"numbers) to '%.*s' (%zu)",
				STR_ARG(model->name), model->dimension, STR_ARG(b->made.name),
				b->made.dimension),
			"setting", STR("memory.embedder"));
	if (e)
		return err_add_context(e, "%zu %s, the first is %.*s", b->texts.n,
				       b->texts.n == 1 ? "memory" : "memories", STR_ARG(b->first));
	return NULL;
}

struct err *vector_fill(struct vectors *v, struct arena *a, size_t batch, struct vector_filled *out)
{
	struct progress shown PROGRESS = progress_start("embedding memories", 0);
	struct vector_list model;
	struct strs probe = {0};
	int64_t missing, from = 0;

	*out = (struct vector_filled){0};
	/* Embeds a probe text to learn the program's present model. */
	strs_push(a, &probe, STR("memory"));
	TRY(vector_embed(v, a, &probe, &model));
	out->model = model.name;
	out->version = model.version;
	out->dimension = model.dimension;
	TRY(db_number(v->db, Q_VECTOR_COUNT_MISSING, &missing, DB_I(model.model)));
	shown.total = (uint64_t)missing;
	for (;;) {
		struct arena *work ARENA_LOCAL = arena_new();
		struct db_txn t DB_TXN = {0};
		struct batch b = {.v = v};
		size_t bytes = 0;

		DB_EACH(rows, v->db, Q_VECTOR_MISSING, DB_I(from), DB_I(model.model),
			DB_I((int64_t)batch)) {
			*VEC_PUSH(work, &b.docs) = db_column_int(rows, 0);
			if (!b.first.n)
				b.first = db_column_str(rows, work, 1);
			strs_push(work, &b.texts, db_column_str(rows, work, 2));
			bytes += b.texts.p[b.texts.n - 1].n;
			if (bytes >= BATCH_BYTES)
				break;
		}
		if (!b.texts.n)
			break;
		TRY(make_batch(&b, work, &model));
		TRY(db_begin(&t, v->db));
		TRY(vector_record_model(v, &b.made));
		for (size_t i = 0; i < b.docs.n; i++)
			TRY(vector_put(v, b.made.model, b.docs.p[i], b.made.p[i]));
		TRY(db_commit(&t));
		from = b.docs.p[b.docs.n - 1];
		out->embedded += (int64_t)b.docs.n;
		model.model = b.made.model;
		progress_at(&shown, (uint64_t)out->embedded);
	}
	TRY(db_number(v->db, Q_VECTOR_COUNT, &out->all, DB_I(model.model)));
	return NULL;
}
