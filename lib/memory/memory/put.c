/* Writes a memory's row and its index entry together, so that the two agree. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "secret/secret.h"
#include "os/os.h"
#include "vocab/vocab.h"

void memory_index_maintain(struct memories *m, struct arena *a)
{
	/* The changes are stored, so a failure of the maintenance is no error. */
	struct err *e = index_maintain(m->db, a);

	(void)e;
}

struct err *memory_begin(struct db_txn *t, struct memories *m, struct arena *a)
{
	bool within = db_is_writing(m->db), stale;

	TRY(db_begin(t, m->db));
	if (m->upgraded || within)
		return NULL;
	/* In the first transaction of a handle, so that the store is opened once. */
	TRY(index_stale(m->db, &stale));
	m->upgraded = !stale;
	if (!stale)
		return NULL;
	db_end(t);
	TRY(memory_index_upgrade(m, a));
	return db_begin(t, m->db);
}

struct err *memory_commit(struct db_txn *t, struct memories *m, struct arena *a)
{
	TRY(db_commit(t));
	if (!db_is_writing(m->db))
		memory_index_maintain(m, a);
	return NULL;
}

/* ---- within a transaction ---- */

static struct db_arg memory_put_name(const char *const *names, unsigned i)
{
	return DB_S(str_of(names[i]));
}

static struct str tags_text(struct arena *a, const struct strs *tags)
{
	return json_text(a, val_list_of_strs(a, tags));
}

static struct str memory_put_files(struct arena *a, const struct memory *one)
{
	return one->files && one->files->n ? json_text(a, one->files) : STR("");
}

static struct db_arg status_of(const struct memory *one)
{
	return memory_kind_rules[one->kind].has_status
		       ? memory_put_name(memory_statuses, one->status)
		       : DB_N;
}

/* EXPIRED is never stored. */
static struct db_arg memory_put_state_of(const struct memory *one)
{
	enum memory_state s = one->state == MEMORY_EXPIRED ? MEMORY_CURRENT : one->state;

	/* The column's check is older than this state, which has a column of its own. */
	if (s == MEMORY_REJECTED)
		s = MEMORY_CONFLICT;
	return memory_put_name(memory_states, s);
}

struct err *memory_insert(struct memories *m, struct arena *a, const struct memory *one,
			  int64_t hash)
{
	size_t at;
	const char *what = m->secret ? secret_find(one->content, &at) : NULL;

	if (what)
		m->secret(m->secret_ctx, one->id, what);
	return db_do(m->db, Q_MEMORY_INSERT, NULL, DB_I(one->doc), DB_S(one->id), DB_I(one->scope),
		     memory_put_name(memory_kinds, one->kind), DB_S(one->type),
		     DB_S(tags_text(a, &one->tags)), DB_S(one->source), DB_D(one->importance),
		     DB_D(one->confidence), memory_put_name(memory_provenances, one->provenance),
		     memory_put_name(memory_redactions, one->redaction), status_of(one),
		     memory_put_state_of(one), DB_S(one->user), DB_S(one->agent),
		     DB_S(one->session), DB_S(one->speaker), DB_I(one->turn),
		     db_text_or_null(one->supersedes), db_text_or_null(one->superseded_by),
		     db_int_or_null(one->superseded), DB_I(one->happened), DB_I(one->created),
		     DB_I(one->updated), db_int_or_null(one->expires), DB_I(one->tokens),
		     DB_S(str_of(token_models[m->model])), DB_I(hash), DB_S(one->metadata),
		     DB_S(one->content), DB_S(memory_put_files(a, one)), DB_S(one->repository),
		     DB_S(one->commit), DB_S(one->branch), DB_S(one->change),
		     DB_I(one->state == MEMORY_REJECTED), DB_I(one->import), DB_S(one->owner));
}

/* Changes the vocabulary for a document that is added or removed. */
static struct err *memory_put_words(struct memories *m, struct vocab_changes *c,
				    const struct index_doc *doc, const struct strs *uses, int by)
{
	bool counts = true;

	if (by < 0)
		TRY(index_removal_must_be_counted(m->db, doc->doc, &counts));
	if (counts)
		vocab_change(c, doc->scope, uses, by);
	return NULL;
}

struct err *memory_put(struct memories *m, struct arena *a, struct memory *one)
{
	struct vocab_changes *words = vocab_changes_new(a);
	struct strs uses = {0};
	struct index_doc doc;

	TRY(index_next_doc_number(m->db, &one->doc));
	TRY(memory_index_doc(m, a, one, &doc, &uses));
	TRY(memory_insert(m, a, one, memory_hash(one)));
	TRY(index_add(m->db, a, &doc));
	TRY(memory_put_words(m, words, &doc, &uses, 1));
	return vocab_store(words, m->db);
}

struct err *memory_change(struct memories *m, struct arena *a, const struct memory *was,
			  struct memory *now)
{
	now->updated = os_now();
	return memory_replace(m, a, was, now);
}

struct err *memory_replace(struct memories *m, struct arena *a, const struct memory *was,
			   struct memory *now)
{
	struct vocab_changes *words = vocab_changes_new(a);
	struct strs former = {0}, uses = {0};
	struct index_doc old, new;

	TRY(memory_index_doc(m, a, was, &old, &former));
	TRY(index_remove(m->db, a, &old));
	TRY(memory_put_words(m, words, &old, &former, -1));
	TRY(index_next_doc_number(m->db, &now->doc));
	TRY(memory_index_doc(m, a, now, &new, &uses));
	TRY(memory_put_words(m, words, &new, &uses, 1));
	TRY(db_do(m->db, Q_MEMORY_UPDATE, NULL, DB_I(was->doc), DB_I(now->doc),
		  DB_S(tags_text(a, &now->tags)), status_of(now), memory_put_state_of(now),
		  db_text_or_null(now->supersedes), db_text_or_null(now->superseded_by),
		  db_int_or_null(now->superseded), DB_I(now->updated),
		  memory_put_name(memory_redactions, now->redaction), db_int_or_null(now->expires),
		  DB_D(now->importance), DB_D(now->confidence), DB_S(now->source),
		  DB_S(now->metadata), DB_S(memory_put_files(a, now)), DB_S(now->repository),
		  DB_S(now->commit), DB_S(now->branch), DB_S(now->change),
		  DB_I(now->state == MEMORY_REJECTED), DB_I(now->scope), DB_I(m->importing),
		  DB_S(now->owner)));
	TRY(index_add(m->db, a, &new));
	return vocab_store(words, m->db);
}

struct err *memory_remove_row(struct memories *m, struct arena *a, const struct memory *one)
{
	struct vocab_changes *words = vocab_changes_new(a);
	struct strs uses = {0};
	struct index_doc doc;

	TRY(memory_index_doc(m, a, one, &doc, &uses));
	TRY(index_remove(m->db, a, &doc));
	TRY(memory_put_words(m, words, &doc, &uses, -1));
	TRY(vocab_store(words, m->db));
	return db_do(m->db, Q_MEMORY_REMOVE, NULL, DB_I(one->doc));
}

/* ---- erasing ---- */

struct err *memory_drop_for_good(struct memories *m, struct arena *a, const struct memory *one)
{
	TRY(memory_history_erase(m, one->id));
	return memory_remove_row(m, a, one);
}

struct err *memory_drop_expired(struct memories *m, struct arena *a, size_t most, size_t *dropped)
{
	struct memory_list old = {0};
	struct memory one;

	DB_EACH(rows, m->db, Q_MEMORY_EXPIRED, DB_I(os_now()), DB_I((int64_t)most)) {
		DB_ROW(m->db, memory_row(m, a, rows, &one), continue);
		*VEC_PUSH(a, &old) = one;
	}
	for (size_t i = 0; i < old.n; i++)
		TRY(memory_drop_for_good(m, a, &old.p[i]));
	*dropped = old.n;
	return NULL;
}
