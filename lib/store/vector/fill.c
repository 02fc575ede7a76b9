/* Stores vectors, and computes the missing ones. */
#include "vector/vector.h"
#include "out/out.h"

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

static struct err *next_batch(struct batch *b, struct arena *a, int64_t model, int64_t from,
			      size_t most)
{
	size_t bytes = 0;

	DB_EACH(rows, b->v->db, Q_VECTOR_MISSING, DB_I(from), DB_I(model), DB_I((int64_t)most)) {
		*VEC_PUSH(a, &b->docs) = db_column_int(rows, 0);
		if (!b->first.n)
			b->first = db_column_str(rows, a, 1);
		strs_push(a, &b->texts, db_column_str(rows, a, 2));
		bytes += b->texts.p[b->texts.n - 1].n;
		if (bytes >= BATCH_BYTES)
			break;
	}
	return NULL;
}

static struct err *keep_batch(struct batch *b)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, b->v->db));
	TRY(vector_record_model(b->v, &b->made));
	for (size_t i = 0; i < b->docs.n; i++)
		TRY(vector_put(b->v, b->made.model, b->docs.p[i], b->made.p[i]));
	return db_commit(&t);
}

/* Embeds a probe text to learn the program's present model. */
static struct err *which_model(struct vectors *v, struct arena *a, struct vector_list *out)
{
	struct strs probe = {0};

	strs_push(a, &probe, STR("memory"));
	return vector_embed(v, a, &probe, out);
}

static bool same_model(const struct vector_list *a, const struct vector_list *b)
{
	return str_eq(a->name, b->name) && str_eq(a->version, b->version) &&
	       a->dimension == b->dimension;
}

static struct err *make_batch(struct batch *b, struct arena *a, const struct vector_list *model)
{
	struct err *e = vector_embed(b->v, a, &b->texts, &b->made);

	if (!e && !same_model(&b->made, model))
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
	int64_t missing, from = 0;

	*out = (struct vector_filled){0};
	TRY(which_model(v, a, &model));
	out->model = model.name;
	out->version = model.version;
	out->dimension = model.dimension;
	TRY(db_number(v->db, Q_VECTOR_COUNT_MISSING, &missing, DB_I(model.model)));
	shown.total = (uint64_t)missing;
	for (;;) {
		struct arena *work ARENA_LOCAL = arena_new();
		struct batch b = {.v = v};

		TRY(next_batch(&b, work, model.model, from, batch));
		if (!b.texts.n)
			break;
		TRY(make_batch(&b, work, &model));
		TRY(keep_batch(&b));
		from = b.docs.p[b.docs.n - 1];
		out->embedded += (int64_t)b.docs.n;
		model.model = b.made.model;
		progress_at(&shown, (uint64_t)out->embedded);
	}
	return db_number(v->db, Q_VECTOR_COUNT, &out->all, DB_I(model.model));
}
