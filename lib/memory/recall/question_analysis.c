/* Makes the plan of a question: slots, speakers, dates, and terms of the index. */
#include "recall/question_analysis.h"
#include "index/index.h"
#include "meaning/meaning.h"
#include "vocab/vocab.h"

/*
 * STAND_INS: the stand-ins for one word. STANDING: the words of a question that get stand-ins. A
 * missing word keeps its idf, so a memory with stand-ins scores less than one with the words.
 * FORMS: the other forms of one word, which count whether the index has the word or not.
 */
enum { STAND_INS = 6, STANDING = 16, SPEAKER_WORDS = 2, FORMS = 8 };
/* SLOTS: the words of a pasted log that are looked for. NAMES: words that may name a speaker. */
enum { SLOTS = 256, NAMES = 1000 };
#define PREFIX_WEIGHT 0.8 /* "databas" for "database"; times the part that matches */
#define SLIP_WEIGHT   0.7 /* for each typing error; less in a short word */
#define FORM_WEIGHT   0.8 /* "went" for "go" */
#define NAME_WEIGHT   0.3
#define FORMAL_WEIGHT 0.1

ORDER_OF(memory_plan_by_term, struct plan_term, ORDER_UP(term) || ORDER_UP(slot))

ORDER_OF_POINTERS(slot_order, struct plan_slot, ORDER_UP(term) || ORDER_PLACE)

/* Behind them stands the name of a person. */
static const char titles[] =
	"aunt|brother|captain|doctor|don|dona|dr|father|frau|grandma|grandpa|herr|lady|madame|"
	"miss|mme|monsieur|mother|mr|mrs|ms|nurse|oma|onkel|opa|pfleger|prof|professor|schwester|"
	"senor|senora|sir|sister|tante|uncle|бабушка|госпожа|господин|дедушка|доктор|дядя|тетя";

static void add_slots(struct plan_slots *all, struct arena *a, const struct word_list *words,
		      bool extra, bool stops)
{
	for (size_t i = 0; i < words->n; i++) {
		const struct word *w = &words->p[i];
		const signed char *meaning = NULL;

		if (w->stop && !stops)
			continue;
		if (!extra && w->script == WORDS_LETTERS)
			meaning = meaning_vector_of_word(w->text);
		/* A sentence begins with a capital, whatever its first word is. */
		*VEC_PUSH(a, all) = (struct plan_slot){
			.text = w->text,
			.term = w->term,
			.weight = 1,
			.meaning = meaning,
			.number = word_has_digit(w->text),
			.proper = !extra && !word_is_listed(w->text, titles) &&
				  ((i && word_is_listed(w[-1].text, titles)) ||
				   (w->capital &&
				    (i ? w->at.from == w[-1].at.to + 1 : !w->stop && !meaning))),
			.extra = extra,
			.place = i};
	}
}

/*
 * Makes slots of the words that are no stop words; of all words if all are stop words. Each stem
 * once, in order.
 */
static void find_slots(struct plan *p, struct arena *a, const struct word_list *words)
{
	struct plan_slots all = {0};
	struct plan_slot **sorted;
	struct word_list extra = {0};
	bool stops = true;

	for (size_t i = 0; i < words->n; i++) {
		stops = stops && words->p[i].stop;
		*VEC_PUSH(a, words->p[i].extra ? &extra : &p->words) = words->p[i];
	}
	add_slots(&all, a, &p->words, false, stops);
	stops = stops && !p->words.n;
	/* A slot's place is one of these words. */
	if (!all.n)
		p->words = extra;
	add_slots(&all, a, &extra, all.n > 0, stops);
	sorted = arena_array(a, all.n, sizeof(*sorted));
	for (size_t i = 0; i < all.n; i++)
		sorted[i] = &all.p[i];
	qsort(sorted, all.n, sizeof(*sorted), slot_order);
	for (size_t i = 1; i < all.n; i++)
		if (sorted[i]->term == sorted[i - 1]->term)
			sorted[i]->weight = 0;
	for (size_t i = 0; i < all.n; i++)
		if (all.p[i].weight > 0)
			*VEC_PUSH(a, &p->slots) = all.p[i];
}

/* ---- words about the form of the answer ---- */

/*
 * A long request often says what the answer should look like: "list them in order, mention only
 * five items". These words seldom occur in what is looked for. In a short question they do ("the
 * phone number"), so there they count in full.
 */
enum { FORMAL_FROM = 8 }; /* significant words of a request */
static const char formal_words[] =
	"across|answer|answers|aspect|aspects|briefly|bring|brought|bullet|bullets|chat|chats|"
	"complete|comprehensive|conversation|conversations|describe|detail|detailed|details|"
	"different|discuss|discussed|discussion|discussions|each|exactly|explain|five|four|full|"
	"give|include|including|item|items|key|list|listed|mention|mentioned|name|nothing|number|"
	"numbered|once|one|only|order|ordered|overview|please|point|points|provide|sentence|"
	"sentences|sequence|session|sessions|several|show|six|summarise|summarize|summary|ten|"
	"thing|things|three|throughout|topic|topics|two|various|walk|way|ways|words|write";

bool word_is_listed(struct str word, const char *list)
{
	struct str rest = str_of(list), one;

	while (str_next_part(&rest, '|', &one))
		if (str_eq(one, word))
			return true;
	return false;
}

/* Words to whom one asks, in a question of any length. */
static const char polite_words[] =
	"anybody|anyone|bitte|bonjour|danke|gracias|hallo|hello|hey|hi|hola|kindly|know|merci|"
	"please|recall|remember|remind|somebody|someone|tell|thank|thanks|weisst|wonder|"
	"wondering|подскажи|подскажите|пожалуйста|привет|спасибо";

/* Behind "how" and "wie" they ask for a measure, which an answer has in figures. */
static const char measure_words[] =
	"alt|big|deep|far|gross|heavy|high|hoch|large|many|much|old|schwer|tall|viel|viele|weit|"
	"wide";
/* An answer to these may have no figure: "daily". */
static const char loose_measures[] = "fast|late|oft|often|quick|quickly|soon";
static const char lasting_words[] = "lange|long";
/* They ask for a number alone. */
static const char count_words[] =
	"combien|cost|costs|cout|coute|cuanta|cuantas|cuanto|cuantos|cuesta|koste|kosten|kostet|preis|"
	"price|prix|wieviel|wieviele|сколько";

/* With one of these first, what denies it is no answer: "Rosa has no car" does not say who has. */
static const char which_words[] =
	"cual|cuales|laquelle|lequel|lesquels|lesquelles|qu|quel|quelle|quelles|quels|qui|quien|"
	"quienes|welche|welcher|welches|wem|wen|wer|wessen|which|who|whom|whose|какая|какие|какой|"
	"кого|кто|谁|誰|哪";
/* An answer has a person, whose nouns search.c knows in English alone. */
static const char who_words[] = "who|whom|whose";
static const char why_words[] = "pourquoi|warum|why|wieso|weshalb|почему|зачем";
/* These, too, before a noun: "What person eats fish?" */
static const char what_words[] = "que|quoi|was|what";

static void weigh_formal_words(struct plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->slots.n; i++)
		n += !p->slots.p[i].extra;
	for (size_t i = 0; i < p->slots.n; i++) {
		struct plan_slot *s = &p->slots.p[i];
		struct str before = s->extra || !s->place ? STR("") : p->words.p[s->place - 1].text;
		const bool how = str_is(before, "how") || str_is(before, "wie"),
			   measure = how && word_is_listed(s->text, measure_words),
			   lasting = how && word_is_listed(s->text, lasting_words);

		p->measured = p->measured || measure;
		p->lasting = p->lasting || lasting;
		if ((n >= FORMAL_FROM && word_is_listed(s->text, formal_words)) ||
		    word_is_listed(s->text, polite_words) || measure || lasting ||
		    (how && word_is_listed(s->text, loose_measures)))
			s->weight = FORMAL_WEIGHT;
	}
	for (size_t i = 0; i < p->words.n; i++)
		p->measured = p->measured || word_is_listed(p->words.p[i].text, count_words);
}

struct counted_slot {
	size_t slot;
	uint64_t above; /* memories that have it, less one: of a word that none has the most */
};

ORDER_OF(counted_order, struct counted_slot, ORDER_UP(above) || ORDER_UP(slot))
ORDER_OF(counted_by_slot, struct counted_slot, ORDER_UP(slot))

/* Of a long question, such as a pasted log, the rarest words count. */
static struct err *keep_rarest(struct plan *p, struct arena *a)
{
	const size_t n = p->slots.n;
	struct counted_slot *all = arena_array(a, n, sizeof(*all));
	uint64_t *terms = arena_array(a, n, sizeof(*terms));
	int64_t *counts = arena_array(a, n, sizeof(*counts));

	if (n <= SLOTS)
		return NULL;
	for (size_t i = 0; i < n; i++)
		terms[i] = p->slots.p[i].term;
	TRY(index_view_count_matches(p->view, a, terms, n, counts));
	for (size_t i = 0; i < n; i++)
		all[i] = (struct counted_slot){i, (uint64_t)counts[i] - 1};
	qsort(all, n, sizeof(*all), counted_order);
	qsort(all, SLOTS, sizeof(*all), counted_by_slot);
	for (size_t i = 0; i < SLOTS; i++)
		p->slots.p[i] = p->slots.p[all[i].slot];
	p->slots.n = SLOTS;
	p->left_out = n - SLOTS;
	return NULL;
}

/* Marks of possible speakers, with names of one and of two words: "Ada", "Ada Lovelace". */
struct names {
	uint64_t *marks;
	size_t *first; /* index of each name's first word */
	size_t n;
};

static void memory_plan_find_names(const struct plan *p, struct arena *a, struct names *out)
{
	size_t n = size_min(p->words.n, NAMES), cap = n * SPEAKER_WORDS, k = 0;

	out->marks = arena_array(a, cap, sizeof(uint64_t));
	out->first = arena_array(a, cap, sizeof(size_t));
	for (size_t i = 0; i < n; i++) {
		struct str name = p->words.p[i].text;

		if (p->words.p[i].stop || p->words.p[i].script != WORDS_LETTERS)
			continue;
		out->first[k] = i;
		out->marks[k++] = memory_index_mark_of_speaker(name);
		if (i + 1 == n)
			continue;
		out->first[k] = i;
		out->marks[k++] = memory_index_mark_of_speaker(
			str_fmt(a, "%.*s %.*s", STR_ARG(name), STR_ARG(p->words.p[i + 1].text)));
	}
	out->n = k;
}

static void find_speakers(struct plan *p, const struct names *names, const int64_t *counts)
{
	const size_t *first = names->first;

	p->speakers = names->marks;
	for (size_t i = 0; i < names->n; i++) {
		size_t words = i && first[i] == first[i - 1] ? 2 : 1;

		if (!counts[i])
			continue;
		for (size_t s = 0; s < p->slots.n; s++)
			p->slots.p[s].name =
				p->slots.p[s].name ||
				(!p->slots.p[s].extra && p->slots.p[s].place >= first[i] &&
				 p->slots.p[s].place < first[i] + words);
		p->speakers[p->n_speakers++] = names->marks[i];
	}
	for (size_t s = 0; s < p->slots.n; s++)
		if (p->slots.p[s].name)
			p->slots.p[s].weight = NAME_WEIGHT;
}

/* ---- questions about a time ---- */

/*
 * Words that ask what happened, and say nothing about it: "what happened in July", "what did Ada
 * say on 8 May"; in the languages of dates.c.
 */
static const char asking_words[] =
	"ai|all|anything|arrive|besprochen|dijo|discuss|discussed|dit|done|durante|during|ereignet|"
	"ereignete|event|events|everything|fait|gab|gemacht|gesagt|geschah|geschehen|getan|go|"
	"going|happen|happened|happening|happens|hice|hicieron|hicimos|hiciste|hizo|hubo|je|learn|"
	"l|learned|learnt|list|los|neues|new|news|note|noted|notes|nouveau|nouvelles|novedades|"
	"nuevo|occur|occurred|ocurrio|pasado|paso|passe|passiert|passierte|pendant|qu|record|"
	"recorded|remember|said|say|show|something|sucedio|summarise|summarize|summary|talk|"
	"talked|tell|thing|things|told|wahrend|war|waren|went|были|было|делал|делали|произошло|"
	"происходило|сделал|сказал|сказала|случилось|が起|きた|した|に何|は何|を話|么事|了什|事情|什么|什麼|何が|何を|做了|"
	"出来|发生|来事|甚麼|生了|發生|話し|說了|说了|起き|起こ";

static const struct date *plan_date_at(const struct plan *p, size_t place)
{
	for (size_t i = 0; i < p->dates.n; i++)
		if (place - p->dates.p[i].at < p->dates.p[i].words)
			return &p->dates.p[i];
	return NULL;
}

/*
 * The words of "three days ago" look for no text with "three" or "days"; "recently" and "last week"
 * find some. A question that has no other word keeps them whole.
 */
static void weigh_relative_words(struct plan *p)
{
	enum { COUNTED = 3 }; /* words of a time with a number */
	size_t others = 0, kept = 0;

	for (size_t i = 0; i < p->slots.n; i++) {
		const struct date *d = plan_date_at(p, p->slots.p[i].place);

		others += !p->slots.p[i].extra && !(d && d->relative);
	}
	for (size_t i = 0; others && i < p->slots.n; i++) {
		struct plan_slot s = p->slots.p[i];
		const struct date *d = s.extra ? NULL : plan_date_at(p, s.place);

		if (d && d->relative)
			s.weight = FORMAL_WEIGHT;
		if (!d || !d->relative || d->words < COUNTED)
			p->slots.p[kept++] = s;
	}
	p->slots.n = others ? kept : p->slots.n;
}

/* Whether the question has no word of its own beside its dates. "June" can be a speaker. */
static bool plan_asks_for_time(const struct plan *p)
{
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct plan_slot *s = &p->slots.p[i];
		bool dated = !s->extra && plan_date_at(p, s->place);
		bool says = !s->extra && !p->words.p[s->place].stop &&
			    !word_is_listed(s->text, asking_words);

		if (s->name ? dated : !dated && says)
			return false;
	}
	return p->dates.n;
}

static void memory_plan_add_term(struct plan *p, struct arena *a, struct words *w, size_t slot,
				 struct str text, uint64_t term, double weight, double own_idf,
				 bool stand_in)
{
	const struct plan_slot *s = &p->slots.p[slot];

	words_sieve_add(w, &p->sieve, text);
	*VEC_PUSH(a, &p->terms) =
		(struct plan_term){.term = term,
				   .text = text,
				   .slot = slot,
				   .weight = s->weight * weight,
				   .idf = s->idf,
				   .asked = s->weight * weight * fmin(s->idf / own_idf, 1),
				   .stand_in = stand_in};
}

/* ---- other forms of the words ---- */

struct form {
	size_t slot;
	struct str text;
	uint64_t term;
	int64_t count; /* of documents */
};
struct forms VEC(struct form);

static struct err *find_forms(struct memories *m, struct arena *a, const struct plan *p,
			      struct words *w, struct forms *out)
{
	for (size_t i = 0; i < p->slots.n; i++) {
		const struct plan_slot *s = &p->slots.p[i];
		struct strs texts = {0};

		if (s->extra || p->words.p[s->place].script != WORDS_LETTERS)
			continue;
		words_forms(s->text, a, &texts);
		TRY(vocab_find_inflected(m->db, a, p->scopes, p->n_scopes, s->text, &texts));
		for (size_t k = 0; k < texts.n && k < FORMS; k++) {
			uint64_t term = words_term_of_stem(w, texts.p[k]);
			bool known = s->term == term;

			for (size_t j = 0; j < out->n; j++)
				known = known || (out->p[j].slot == i && out->p[j].term == term);
			if (!known)
				*VEC_PUSH(a, out) = (struct form){i, texts.p[k], term, 0};
		}
	}
	return NULL;
}

static double stand_in_weight(size_t bytes, const struct vocab_near *near)
{
	double weight = bytes < 6 ? ((double)bytes - 2) / 4 : 1;

	if (!near->distance)
		return PREFIX_WEIGHT * (double)bytes / (double)near->word.text.n;
	for (unsigned k = 0; k < near->distance; k++)
		weight *= SLIP_WEIGHT;
	return weight;
}

/* Whether one word can be the other with a slip: not "horse" and "house", nor two numbers. */
static bool plan_may_be_slip(const struct plan_slot *s, struct str other)
{
	const signed char *meaning = s->meaning ? meaning_vector_of_word(other) : NULL;

	return !s->number && !word_has_digit(other) &&
	       (!meaning || meaning_cosine(s->meaning, meaning) >= PLAN_ALIKE);
}

static struct err *find_stand_ins(struct memories *m, struct arena *a, struct plan *p, size_t slot,
				  int64_t docs)
{
	struct plan_slot *s = &p->slots.p[slot];
	struct vocab_nears near = {0};
	struct words *w;
	uint64_t terms[STAND_INS];
	int64_t counts[STAND_INS];

	TRY(memory_word_splitter(m, a, &w));
	TRY(vocab_near(w, m->db, a, p->scopes, p->n_scopes, s->text, STAND_INS, &near));
	for (size_t i = 0; i < near.n; i++)
		terms[i] = near.p[i].word.term;
	TRY(index_view_count_matches(p->view, a, terms, near.n, counts));
	for (size_t i = 0; i < near.n; i++) {
		bool twice = terms[i] == s->term;

		for (size_t j = 0; j < i; j++)
			twice = twice || terms[j] == terms[i];
		if (counts[i] && !twice &&
		    (!near.p[i].distance || plan_may_be_slip(s, near.p[i].word.text)))
			memory_plan_add_term(p, a, w, slot, near.p[i].word.text, terms[i],
					     stand_in_weight(s->text.n, &near.p[i]),
					     index_idf(docs, counts[i]), true);
	}
	return NULL;
}

/*
 * Articles, words for whose a thing is, and the prepositions of languages that need no article
 * behind them ("in Leipzig"), folded. In English "s" stands behind a name.
 */
static const char determiners[] =
	"a|al|am|an|au|auf|aus|aux|avec|bei|beim|cette|chez|con|d|dans|das|de|dein|deine|del|"
	"dem|den|der|des|die|du|ein|eine|einem|einen|einer|eines|el|en|esta|este|fur|gegen|her|"
	"his|ihr|ihre|im|in|ins|its|l|la|las|le|les|leur|leurs|los|ma|mein|meine|meinem|meinen|"
	"meiner|mes|mi|mis|mit|mon|my|nach|nos|notre|nuestra|nuestro|our|para|por|pour|s|sein|"
	"seine|ses|son|su|sur|sus|that|the|their|these|this|those|uber|un|una|unas|une|unos|"
	"unser|unsere|unserem|unseren|unserer|vom|von|your|zu|zum|zur|в|для|за|из|к|на|о|об|от|"
	"про|с|со|у";

/* Whether a determiner stands before it or before the word before it: "the mobile app". */
static bool plan_is_definite(const struct plan *p, size_t place)
{
	for (size_t i = place; i > 0 && place - i < 2; i--) {
		if (word_is_listed(p->words.p[i - 1].text, determiners))
			return true;
		if (p->words.p[i - 1].stop)
			return false;
	}
	return false;
}

/*
 * A word that another memory has, and a fact lacks, tells that the fact is about something else. A
 * word that no memory has tells less: the fact may say it in other words, which the table of
 * meaning knows in English alone. A number has no other words, nor has a name, which no table
 * knows. A pair of Chinese signs may be the end of one word and the beginning of the next.
 */
#define UNKNOWN_WORD    0.75
#define UNKNOWN_FOREIGN 0.5
/* Factor for what the question is about: "the production server" is not the staging server. */
#define UNKNOWN_DEFINITE 2

/* Among a few memories a word that two of them have is not yet a frequent one. */
enum { FULL_STORE = 100 };

static bool plan_is_english(const struct plan *p)
{
	size_t letters = 0, english = 0;

	for (size_t i = 0; i < p->slots.n; i++) {
		const struct plan_slot *s = &p->slots.p[i];

		letters += !s->extra && p->words.p[s->place].script == WORDS_LETTERS;
		english += s->meaning != NULL;
	}
	return 2 * english >= letters;
}

static double plan_counts_unknown(const struct plan *p, const struct plan_slot *s)
{
	double one;

	if (s->number)
		return 1;
	if (p->words.p[s->place].script != WORDS_LETTERS)
		return 0;
	one = s->meaning ? UNKNOWN_WORD : plan_is_english(p) ? 1 : UNKNOWN_FOREIGN;
	return s->definite ? UNKNOWN_DEFINITE * one : one;
}

static void plan_count(struct plan *p)
{
	for (size_t i = 0; i < p->slots.n; i++) {
		double best = 0, known = 0; /* known: a form of a word is as good as the word */

		if (p->slots.p[i].extra)
			continue;
		for (size_t k = 0; k < p->terms.n; k++) {
			const struct plan_term *t = &p->terms.p[k];

			if (t->slot != i)
				continue;
			best = fmax(best, t->weight);
			known = fmax(known, t->stand_in ? t->weight : p->slots.p[i].weight);
		}
		p->asked += p->slots.p[i].weight;
		p->missing += p->slots.p[i].weight * (1 - best);
		p->slots.p[i].best = best;
		p->slots.p[i].sought *=
			known > 0 ? known
				  : p->slots.p[i].weight * plan_counts_unknown(p, &p->slots.p[i]);
	}
}

struct err *search_plan_make(struct memories *m, struct arena *a, struct str query, int64_t now,
			     const int64_t *scopes, size_t n_scopes, struct plan *p)
{
	struct index_stats stats;
	struct word_list words = {0};
	struct words *w;
	struct names names;
	uint64_t *keys;
	int64_t *counts;
	struct forms forms = {0};
	size_t standing = 0, n;

	*p = (struct plan){0};
	TRY(memory_word_splitter(m, a, &w));
	words_read(w, a, query, &words);
	find_slots(p, a, &words);
	weigh_formal_words(p);
	memory_plan_find_names(p, a, &names);
	question_find_dates(a, &p->words, now, &p->dates);
	for (size_t i = 0; i < p->dates.n; i++)
		p->past = p->past || (p->dates.p[i].relative && p->dates.p[i].to <= now);
	weigh_relative_words(p);
	for (size_t i = 0; i < p->words.n; i++)
		p->when = p->when || str_is(p->words.p[i].text, "when") ||
			  str_is(p->words.p[i].text, "date");
	p->which = p->words.n && (word_is_listed(p->words.p[0].text, which_words) ||
				  (p->words.n > 1 && !p->words.p[1].stop &&
				   word_is_listed(p->words.p[0].text, what_words)));
	p->who = p->words.n && word_is_listed(p->words.p[0].text, who_words);
	p->why = p->words.n && word_is_listed(p->words.p[0].text, why_words);
	TRY(index_view_new(m->db, a, scopes, n_scopes, &p->view));
	TRY(keep_rarest(p, a));
	p->scopes = index_view_scopes(p->view, &p->n_scopes);
	stats = index_view_stats(p->view);
	p->mean_length = stats.length;
	TRY(find_forms(m, a, p, w, &forms));
	/* Count slots, names and forms in one query, so that recent documents are scanned once. */
	n = p->slots.n + names.n + forms.n;
	keys = arena_array(a, n, sizeof(uint64_t));
	counts = arena_array(a, n, sizeof(int64_t));
	for (size_t i = 0; i < p->slots.n; i++)
		keys[i] = p->slots.p[i].term;
	for (size_t i = 0; i < names.n; i++)
		keys[p->slots.n + i] = names.marks[i];
	for (size_t i = 0; i < forms.n; i++)
		keys[p->slots.n + names.n + i] = forms.p[i].term;
	TRY(index_view_count_matches(p->view, a, keys, n, counts));
	find_speakers(p, &names, counts + p->slots.n);
	p->only_time = plan_asks_for_time(p);
	for (size_t i = 0; i < forms.n; i++)
		forms.p[i].count = counts[p->slots.n + names.n + i];
	for (size_t i = 0; i < p->slots.n; i++) {
		struct plan_slot *s = &p->slots.p[i];
		int64_t with, found = 0;

		for (size_t k = 0; k < forms.n; k++)
			found += forms.p[k].slot == i ? forms.p[k].count : 0;
		with = counts[i] + found < stats.docs ? counts[i] + found : stats.docs;
		s->idf = index_idf(stats.docs, with);
		s->sought = index_idf(stats.docs > FULL_STORE ? stats.docs : FULL_STORE,
				      with ? with : 1);
		if (counts[i])
			memory_plan_add_term(p, a, w, i, s->text, s->term, 1,
					     index_idf(stats.docs, counts[i]), false);
		for (size_t k = 0; k < forms.n; k++)
			if (forms.p[k].slot == i && forms.p[k].count)
				memory_plan_add_term(
					p, a, w, i, forms.p[k].text, forms.p[k].term, FORM_WEIGHT,
					index_idf(stats.docs, forms.p[k].count), false);
		if (s->extra)
			continue;
		s->dated = plan_date_at(p, s->place);
		s->definite = plan_is_definite(p, s->place);
		s->proper = s->proper && !s->dated && s->weight > FORMAL_WEIGHT &&
			    (s->place || plan_is_english(p));
		if (!counts[i] && !found && p->words.p[s->place].script == WORDS_LETTERS &&
		    standing < STANDING) {
			standing++;
			TRY(find_stand_ins(m, a, p, i, stats.docs));
		}
		p->most += s->weight * s->idf;
	}
	plan_count(p);
	if (p->terms.n)
		qsort(p->terms.p, p->terms.n, sizeof(*p->terms.p), memory_plan_by_term);
	return NULL;
}

struct plan_term *search_plan_find_term(const struct plan *p, uint64_t term, size_t *n)
{
	size_t low = 0;

	BISECT(low, mid, p->terms.n, p->terms.p[mid].term < term);
	for (*n = 0; low + *n < p->terms.n && p->terms.p[low + *n].term == term; ++*n)
		;
	return *n ? &p->terms.p[low] : NULL;
}
