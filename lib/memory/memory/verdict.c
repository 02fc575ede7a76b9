/*
 * What people say about memories: one still holds, or one is wrong. A rejected memory is never
 * given again, and the same statement is not stored again unasked.
 */
#include "memory/storage_internal.h"
#include "memory/alike.h"
#include "memory/repository_ties.h"

/* How many rejected memories with words of a new one are compared with it. */
#define COMPARED 20

/* ---- it still holds ---- */

struct err *memory_confirm(struct memories *m, struct arena *a, struct str id, struct memory *out)
{
	struct db_txn t DB_TXN = {0};
	struct memory was;

	TRY(memory_begin(&t, m, a));
	TRY(memory_get(m, a, id, false, &was));
	if (!(was.files && was.files->n) && was.layer != MEMORY_PROJECT)
		return err_help(err_new(E_BAD_ARGUMENT,
					"the memory '%.*s' has no files and is no project memory, "
					"so there is nothing to check again",
					STR_ARG(was.id)),
				"to tie a statement to a file, add it with --file and "
				"--supersedes '%.*s'",
				STR_ARG(was.id));
	*out = was;
	TRY(memory_ties_renew(m->ground, a, out));
	TRY(memory_change(m, a, &was, out));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "check", .was = &was, .now = out}));
	return memory_commit(&t, m, a);
}

/* ---- it is wrong ---- */

struct err *memory_person_decides_error(const struct memory *one, const char *what)
{
	return err_help(
		err_add_detail(err_new(E_PERSON_DECIDES,
				       "only a person can %s the memory '%.*s', on a command "
				       "line",
				       what, STR_ARG(one->id)),
			       "requestedId", one->id),
		"ask the person who uses ikm");
}

/* As after a deletion, what a rejected memory superseded holds again. */
struct err *memory_store_verdict(struct memories *m, struct arena *a, const char *op,
				 const struct memory *was, struct memory *now)
{
	bool rejects = now->state == MEMORY_REJECTED;

	if (!rejects)
		TRY(memory_check_no_repeat(m, a, now));
	TRY(memory_change(m, a, was, now));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = op, .was = was, .now = now}));
	return rejects ? memory_revive_superseded(m, a, was)
		       : memory_revive_superseded_undo(m, a, now);
}

static struct err *give_verdict(struct memories *m, struct arena *a, struct str id, bool reject,
				struct memory *out)
{
	struct db_txn t DB_TXN = {0};
	struct memory was;

	TRY(memory_begin(&t, m, a));
	TRY(memory_get(m, a, id, false, &was));
	*out = was;
	if ((was.state == MEMORY_REJECTED) == reject)
		return NULL;
	out->state = reject                ? MEMORY_REJECTED
		     : was.superseded_by.n ? MEMORY_SUPERSEDED
					   : MEMORY_CURRENT;
	TRY(memory_store_verdict(m, a, reject ? "reject" : "accept", &was, out));
	return memory_commit(&t, m, a);
}

struct err *memory_reject(struct memories *m, struct arena *a, struct str id, struct memory *out)
{
	return give_verdict(m, a, id, true, out);
}

struct err *memory_reject_undo(struct memories *m, struct arena *a, struct str id,
			       struct memory *out)
{
	return give_verdict(m, a, id, false, out);
}

/* ---- adding what was rejected ---- */

struct err *memory_any_rejected(struct memories *m, struct arena *a, bool *out)
{
	uint64_t mark = memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_REJECTED]));
	int64_t n = 0;

	TRY(index_count_matches(m->db, a, &mark, 1, &n));
	*out = n;
	return NULL;
}

static struct err *verdict_candidates(struct memories *m, struct arena *a, struct str content,
				      struct memory_list *out)
{
	uint64_t rejected = memory_mark_of_text(MARK_STATE, str_of(memory_states[MEMORY_REJECTED]));
	struct index_clause groups[2] = {{.marks = &rejected, .n = 1}};
	struct words_counts counts = {0};
	struct index_query q = {.groups = groups, .n_groups = 2, .limit = COMPARED};
	struct index_hits hits = {0};
	struct memory_scopes scopes;
	struct words *w;
	uint64_t *marks;
	int64_t *docs, *of;
	bool any;

	*out = (struct memory_list){0};
	TRY(memory_any_rejected(m, a, &any));
	if (!any)
		return NULL;
	TRY(memory_scopes(m, a, 0, &scopes));
	if (!scopes.n)
		return NULL;
	marks = arena_array(a, scopes.n, sizeof(*marks));
	of = arena_array(a, 2 * scopes.n, sizeof(*of));
	for (size_t i = 0; i < scopes.n; i++) {
		marks[i] = memory_index_mark_of_scope(scopes.p[i].scope);
		of[q.n_scopes++] = memory_index_scope(scopes.p[i].scope, false);
		of[q.n_scopes++] = memory_index_scope(scopes.p[i].scope, true);
	}
	q.scopes = of;
	groups[1] = (struct index_clause){.marks = marks, .n = scopes.n};
	TRY(memory_word_splitter(m, a, &w));
	words_count(w, a, content, &counts, NULL);
	q.terms = arena_array(a, counts.n, sizeof(*q.terms));
	for (q.n_terms = 0; q.n_terms < counts.n; q.n_terms++) {
		q.terms[q.n_terms].term = counts.p[q.n_terms].term;
		q.terms[q.n_terms].weight = 1;
	}
	TRY(index_search(m->db, a, &q, &hits));
	docs = arena_array(a, hits.n + 1, sizeof(*docs));
	for (size_t i = 0; i < hits.n; i++)
		docs[i] = hits.p[i].doc;
	return memory_get_by_numbers(m, a, docs, hits.n, out);
}

struct err *memory_find_rejected(struct memories *m, struct arena *a, const struct memory *one,
				 struct memory *out, bool *found)
{
	struct memory_list like;

	*found = false;
	/* A turn tells what was said, and not that it is true. */
	if (memory_kind_rules[one->kind].has_turns)
		return NULL;
	TRY(verdict_candidates(m, a, one->content, &like));
	for (size_t i = 0; i < like.n && !*found; i++) {
		*found = like.p[i].state == MEMORY_REJECTED &&
			 !(like.p[i].owner.n && memory_layer_is_private(one->layer)) &&
			 memory_same_statement(m->words, like.p[i].content, one->content);
		if (*found)
			*out = like.p[i];
	}
	return NULL;
}
