/*
 * Makes the document that the index stores for a memory: words, and marks for the other filters of
 * a query.
 */
#include "base/base.h"
#include "memory/internal.h"

/* Each kind of mark has its own letter; words have 'w'. */
static uint64_t mark_number(char class, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%jd", (intmax_t)n);
	return words_term(class, str_of(text));
}

uint64_t memory_mark_scope(int64_t scope)
{
	return mark_number('s', scope);
}

uint64_t memory_mark_kind(enum memory_kind kind)
{
	return words_term('k', str_of(memory_kind_names[kind]));
}

uint64_t memory_mark_type(struct str type)
{
	return words_term('t', type);
}

uint64_t memory_mark_tag(struct str tag)
{
	return words_term('g', tag);
}

uint64_t memory_mark_source(struct str source)
{
	return words_term('o', source);
}

uint64_t memory_mark_agent(struct str agent)
{
	return words_term('a', agent);
}

uint64_t memory_mark_session(struct str session)
{
	return words_term('n', session);
}

uint64_t memory_mark_speaker(struct str speaker)
{
	char lower[MEMORY_NAME_MAX];
	struct arena *a = speaker.n > sizeof(lower) ? arena_new() : NULL;
	uint64_t mark;

	for (size_t i = 0; !a && i < speaker.n; i++)
		lower[i] = (char)(speaker.p[i] |
				  (speaker.p[i] >= 'A' && speaker.p[i] <= 'Z' ? 0x20 : 0));
	mark = words_term('p', a ? str_lower(a, speaker) : (struct str){lower, speaker.n});
	arena_free(a);
	return mark;
}

uint64_t memory_mark_status(enum memory_status status)
{
	return words_term('u', str_of(memory_statuses[status]));
}

uint64_t memory_mark_state(enum memory_state state)
{
	return words_term('x', str_of(memory_states[state]));
}

uint64_t memory_mark_redaction(enum memory_redaction redaction)
{
	return words_term('r', str_of(memory_redactions[redaction]));
}

uint64_t memory_mark_provenance(enum memory_provenance provenance)
{
	return words_term('v', str_of(memory_provenances[provenance]));
}

struct err *memory_words(struct memories *m, struct arena *a, struct words **out)
{
	if (!m->words)
		TRY(words_new(a, &m->words));
	*out = m->words;
	return NULL;
}

/* Expired has no mark, because it depends on the time. */
size_t memory_marks(const struct memory *one, uint64_t *marks)
{
	size_t n = 0;

	marks[n++] = memory_mark_scope(one->scope);
	marks[n++] = memory_mark_kind(one->kind);
	marks[n++] = memory_mark_redaction(one->redaction);
	marks[n++] = memory_mark_provenance(one->provenance);
	/* A memory without a type has its kind as type (requirement: memory queries). */
	marks[n++] =
		memory_mark_type(one->type.n ? one->type : str_of(memory_kind_names[one->kind]));
	if (one->source.n)
		marks[n++] = memory_mark_source(one->source);
	if (one->agent.n)
		marks[n++] = memory_mark_agent(one->agent);
	if (one->session.n)
		marks[n++] = memory_mark_session(one->session);
	if (one->speaker.n)
		marks[n++] = memory_mark_speaker(one->speaker);
	if (memory_kinds[one->kind].has_status)
		marks[n++] = memory_mark_status(one->status);
	if (one->state == MEMORY_SUPERSEDED || one->state == MEMORY_CONFLICT)
		marks[n++] = memory_mark_state(one->state);
	for (size_t i = 0; i < one->tags.n; i++)
		marks[n++] = memory_mark_tag(one->tags.p[i]);
	return n;
}

struct str memory_tag_text(struct arena *a, const struct memory *one)
{
	return str_join(a, &one->tags, "\n");
}

/*
 * Whether the memory's document has the words of its tags. Older versions of ikm added documents
 * without them, and a document must be removed with the terms that it was added with. A memory
 * without a number gets a new document.
 */
static struct err *has_tag_words(struct memories *m, const struct memory *one, bool *out)
{
	*out = one->tags.n;
	if (!one->tags.n || !one->doc)
		return NULL;
	if (!m->tagless_known) {
		m->tagless = 0;
		DB_EACH(rows, m->db, Q_MEMORY_TAGLESS)
			m->tagless = db_int(rows, 0);
		m->tagless_known = true;
	}
	*out = one->doc > m->tagless;
	return NULL;
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

struct err *memory_index_doc(struct memories *m, struct arena *a, const struct memory *one,
			     struct index_doc *out, struct strs *fresh)
{
	struct words_counts counts = {0}, tags = {0};
	struct index_term *terms;
	uint64_t *marks = arena_array(a, MEMORY_MARKS_MAX, sizeof(*marks));
	struct words *w;
	bool tagged;

	if (one->tags.n > MEMORY_TAGS_MAX)
		BUG("a memory with %zu tags", one->tags.n);
	TRY(memory_words(m, a, &w));
	TRY(has_tag_words(m, one, &tagged));
	words_count(w, a, one->content, &counts, fresh);
	if (tagged)
		words_count(w, a, memory_tag_text(a, one), &tags, fresh);
	terms = arena_array(a, counts.n + tags.n, sizeof(*terms));
	*out = (struct index_doc){
		.doc = one->doc,
		.length = counts.length,
		.terms = terms,
		.n_terms = join_terms(terms, &counts, &tags),
		.marks = marks,
		.n_marks = memory_marks(one, marks),
		.happened = one->happened,
		.recorded = one->created,
		.importance = one->importance,
	};
	return NULL;
}
