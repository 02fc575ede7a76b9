/*
 * Makes the document that the index stores for a memory: words, and marks for the other filters of
 * a query.
 */
#include "memory/storage_internal.h"

uint64_t memory_mark_of_text(enum memory_mark class, struct str text)
{
	return words_term_hash((char)class, text);
}

uint64_t memory_index_mark_of_scope(int64_t scope)
{
	char text[24];

	snprintf(text, sizeof(text), "%jd", (intmax_t)scope);
	return memory_mark_of_text(MARK_SCOPE, str_of(text));
}

uint64_t memory_index_mark_of_speaker(struct str speaker)
{
	char lower[MEMORY_NAME_MAX];
	struct arena *a = speaker.n > sizeof(lower) ? arena_new() : NULL;
	uint64_t mark;

	for (size_t i = 0; !a && i < speaker.n; i++)
		lower[i] = ascii_lower(speaker.p[i]);
	mark = memory_mark_of_text(MARK_SPEAKER,
				   a ? str_lower(a, speaker) : (struct str){lower, speaker.n});
	arena_free(a);
	return mark;
}

struct err *memory_word_splitter(struct memories *m, struct arena *a, struct words **out)
{
	if (!m->words)
		TRY(words_new(a, &m->words));
	*out = m->words;
	return NULL;
}

struct err *memory_handle_for_thread(const struct memories *m, struct arena *a,
				     struct memories *out)
{
	*out = (struct memories){.who = m->who, .model = m->model};
	return words_new(a, &out->words);
}

/* Expired has no mark, because it depends on the time. */
size_t memory_marks(const struct memory *one, uint64_t *marks)
{
	size_t n = 0;

	marks[n++] = memory_index_mark_of_scope(one->scope);
	marks[n++] = memory_mark_of_text(MARK_KIND, str_of(memory_kinds[one->kind]));
	marks[n++] = memory_mark_of_text(MARK_REDACTION, str_of(memory_redactions[one->redaction]));
	marks[n++] =
		memory_mark_of_text(MARK_PROVENANCE, str_of(memory_provenances[one->provenance]));
	/* A memory without a type has its kind as type (requirement: memory queries). */
	marks[n++] = memory_mark_of_text(MARK_TYPE,
					 one->type.n ? one->type : str_of(memory_kinds[one->kind]));
	if (one->source.n)
		marks[n++] = memory_mark_of_text(MARK_SOURCE, one->source);
	if (one->agent.n)
		marks[n++] = memory_mark_of_text(MARK_AGENT, one->agent);
	if (one->session.n)
		marks[n++] = memory_mark_of_text(MARK_SESSION, one->session);
	/* A plan counts speakers, as it counts words. */
	if (one->speaker.n)
		marks[n++] = index_key(
			memory_index_scope(one->scope, one->redaction == MEMORY_SENSITIVE),
			memory_index_mark_of_speaker(one->speaker));
	if (memory_kind_rules[one->kind].has_status)
		marks[n++] = memory_mark_of_text(MARK_STATUS, str_of(memory_statuses[one->status]));
	if (one->state != MEMORY_CURRENT && one->state != MEMORY_EXPIRED)
		marks[n++] = memory_mark_of_text(MARK_STATE, str_of(memory_states[one->state]));
	if (one->files && one->files->n)
		marks[n++] = memory_mark_of_text(MARK_FILES, STR(""));
	for (size_t i = 0; i < one->tags.n; i++)
		marks[n++] = memory_mark_of_text(MARK_TAG, one->tags.p[i]);
	return n;
}

/*
 * Merges two sorted lists. A word that both have keeps the content's count: a tag names the
 * subject, and does not make the text more relevant to it.
 */
static size_t join_terms(struct index_term *out, const struct words_counts *content,
			 const struct words_counts *tags)
{
	size_t n = 0, k = 0;

	for (size_t i = 0; i < content->n || k < tags->n;) {
		bool tag = i == content->n || (k < tags->n && tags->p[k].term < content->p[i].term);

		if (tag) {
			out[n++] = (struct index_term){tags->p[k++].term, 1};
			continue;
		}
		k += k < tags->n && tags->p[k].term == content->p[i].term;
		out[n++] = (struct index_term){content->p[i].term, content->p[i].count};
		i++;
	}
	return n;
}

void memory_index_doc_set_marks(struct arena *a, const struct memory *one, struct index_doc *doc)
{
	uint64_t marks[MEMORY_MARKS_MAX], *own;

	doc->scope = memory_index_scope(one->scope, one->redaction == MEMORY_SENSITIVE);
	doc->n_marks = memory_marks(one, marks);
	own = arena_array(a, doc->n_marks, sizeof(*own));
	memcpy(own, marks, doc->n_marks * sizeof(*own));
	doc->marks = own;
}

struct err *memory_index_doc(struct memories *m, struct arena *a, const struct memory *one,
			     struct index_doc *out, struct strs *uses)
{
	struct words_counts counts = {0}, tags = {0};
	struct index_term *terms;
	struct words *w;

	if (one->tags.n > MEMORY_TAGS_MAX)
		BUG("a memory with %zu tags", one->tags.n);
	TRY(memory_word_splitter(m, a, &w));
	words_count(w, a, one->content, &counts, uses);
	if (one->tags.n)
		/* The tags as one text. A memory is found by its words too. */
		words_count(w, a, str_join(a, &one->tags, "\n"), &tags, uses);
	terms = arena_array(a, counts.n + tags.n, sizeof(*terms));
	*out = (struct index_doc){
		.doc = one->doc,
		.length = counts.length,
		.terms = terms,
		.n_terms = join_terms(terms, &counts, &tags),
		.happened = one->happened,
		.recorded = one->created,
		.importance = one->importance,
	};
	if (one->scope)
		memory_index_doc_set_marks(a, one, out);
	return NULL;
}
