/*
 * shapes: texts of many shapes, and questions about them, for t/perf/recall.c.
 *
 * The files in t/perf/shapes are our own texts. Their questions were written by reading the texts.
 * A line is a text {"id", "text"}, a round of a chat {"id", "user", "assistant"} or a question
 * {"ask", "gold"}, whose gold are ids. An empty gold: nothing here answers it. "before": the
 * outdated text that must rank behind the gold. "level": how far a question is from the words of
 * its text. Of a file's answerable questions those with even
 * numbers are held out: no weight is chosen by them. Of LoCoMo, conversations 2 and later are.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "base/base.h"
#include "json/json.h"
#include "memory/memory.h"
#include "recall/question_analysis.h"
#include "os/os.h"
#include "words/words.h"
#include <time.h>
#include <unistd.h>

enum { SHAPES_MAX = 40, STORES = 16, TUNED_CONVERSATIONS = 2 };
#define NO_UNIT SIZE_MAX

/* A text to store. A unit can have several, such as the two messages of a round. */
struct note {
	size_t unit;
	unsigned store;
	enum memory_kind kind;
	struct str text, speaker, session;
	struct strs tags;
	int64_t turn, time;
};
struct ask {
	struct str text;
	unsigned store;
	size_t *gold, n_gold, before; /* units */
	bool held, stranger;
};
struct shape {
	const char *name;
	struct strs units; /* their ids */
	struct {
		struct note *p;
		size_t n, cap;
	} notes;
	struct {
		struct ask *p;
		size_t n, cap;
	} asks;
	unsigned stores;
};
struct shapes {
	struct arena *a;
	struct words *words;
	struct shape p[SHAPES_MAX];
	size_t n;
};

static inline void must(struct err *e)
{
	if (!e)
		return;
	fprintf(stderr, "recall: %s\n", err_message(e));
	exit(1);
}

static inline struct shape *shape_new(struct shapes *s, const char *name)
{
	struct shape *one = &s->p[s->n++];

	if (s->n == SHAPES_MAX)
		BUG("too many shapes");
	one->name = name;
	return one;
}

static inline size_t shape_unit(const struct shape *s, struct str id)
{
	for (size_t i = 0; i < s->units.n; i++)
		if (str_eq(s->units.p[i], id))
			return i;
	return NO_UNIT;
}

static inline struct note *shape_note(struct shapes *all, struct shape *s, struct str id,
				      struct note note)
{
	note.unit = shape_unit(s, id);
	if (note.unit == NO_UNIT) {
		note.unit = s->units.n;
		strs_push(all->a, &s->units, id);
	}
	if (note.store >= s->stores)
		s->stores = note.store + 1;
	*VEC_PUSH(all->a, &s->notes) = note;
	return &s->notes.p[s->notes.n - 1];
}

/* A time such as "2025-03-09", or "1:56 pm on 8 May, 2023"; 0: none. */
static inline int64_t shape_time(struct shapes *s, struct str text)
{
	struct word_list words = {0};
	struct dates dates;
	struct tm tm = {0};

	if (text.n == 10 && strptime(str_c(s->a, text), "%Y-%m-%d", &tm))
		return (int64_t)timegm(&tm) * 1000;
	words_read(s->words, s->a, text, &words);
	question_find_dates(s->a, &words, 0, &dates);
	return dates.n ? dates.p[0].from + 43200000 : 0;
}

/* Calls fn for each line of a file. False: the file is not there. */
static inline bool shape_lines(struct shapes *s, const char *dir, const char *name,
			       void (*fn)(struct shapes *s, void *ctx, struct val *line), void *ctx)
{
	const char *path = os_join(s->a, dir, name);
	struct str text, line;
	struct val *v;

	if (access(path, R_OK)) {
		fprintf(stderr, "recall: %s is not there: its shapes are left out\n", path);
		return false;
	}
	must(os_read_path(s->a, path, SIZE_MAX, &text));
	while (str_next_line(&text, &line)) {
		must(json_read(s->a, line, NULL, &v));
		fn(s, ctx, v);
	}
	return true;
}

/* ---- questions ---- */

static inline void shape_ask(struct shapes *all, struct shape *s, const struct val *v,
			     const char *gold, unsigned store, bool held)
{
	const struct val *list = val_get(v, gold);
	struct str before = val_get_str(v, "before");
	struct ask *q = VEC_PUSH(all->a, &s->asks);
	size_t of;

	*q = (struct ask){.text = val_get_str(v, val_get(v, "ask") ? "ask" : "question"),
			  .store = store,
			  .gold = arena_array(all->a, list->n, sizeof(size_t)),
			  .before = before.n ? shape_unit(s, before) : NO_UNIT,
			  .held = held,
			  .stranger = !list->n};
	VAL_EACH(list, id) {
		bool twice = false;

		of = shape_unit(s, id->s);
		for (size_t i = 0; i < q->n_gold; i++)
			twice = twice || q->gold[i] == of;
		if (of != NO_UNIT && !twice)
			q->gold[q->n_gold++] = of;
	}
	/* Nobody can find what is not there: a page that is not installed, a wrong reference. */
	if (!q->n_gold && !q->stranger)
		s->asks.n--;
}

/* ---- files with a line for each text ---- */

struct shape_file {
	struct shape *to;
	enum memory_kind kind;
	bool messages;      /* of a chat: a text for each message, not for each round */
	bool session;       /* stored as turns of a conversation */
	bool texts;         /* without the questions of the file */
	const char *prefix; /* of the ids; NULL: none */
	const char *level;  /* only questions of this level; NULL: all */
	size_t turn, asked;
};

static inline void shape_chat(struct shapes *s, struct shape_file *f, const struct val *v)
{
	static const char *const speakers[] = {"user", "assistant"};
	struct str said[2] = {val_get_str(v, "user"), val_get_str(v, "assistant")};
	struct note note = {.kind = f->session ? MEMORY_CONVERSATION : MEMORY_EPISODIC,
			    .time = shape_time(s, val_get_str(v, "at"))};

	if (f->session)
		note.session = val_get_str(v, "session");
	for (size_t i = 0; i < (f->messages ? 2 : 1); i++) {
		note.text = f->messages ? said[i]
					: str_fmt(s->a, "user: %.*s\nassistant: %.*s",
						  STR_ARG(said[0]), STR_ARG(said[1]));
		if (f->session) {
			note.turn = (int64_t)++f->turn;
			note.speaker = str_of(f->messages ? speakers[i] : "round");
		}
		shape_note(s, f->to, val_get_str(v, "id"), note);
	}
}

static inline void shape_file_line(struct shapes *s, void *ctx, struct val *v)
{
	struct shape_file *f = ctx;
	const struct val *tags = val_get(v, "tags");

	if (val_get(v, "ask") &&
	    (f->texts || (f->level && !str_is(val_get_str(v, "level"), f->level)))) {
		return;
	} else if (val_get(v, "ask")) {
		bool held = f->asked++ % 2;

		shape_ask(s, f->to, v, "gold", 0, held);
	} else if (val_get(v, "user")) {
		shape_chat(s, f, v);
	} else {
		struct note note = {.kind = f->kind,
				    .text = val_get_str(v, "text"),
				    .time = shape_time(s, val_get_str(v, "at"))};

		if (tags)
			VAL_EACH(tags, tag)
				strs_push(s->a, &note.tags, tag->s);
		shape_note(s, f->to,
			   str_fmt(s->a, "%s%.*s", f->prefix ? f->prefix : "",
				   STR_ARG(val_get_str(v, "id"))),
			   note);
	}
}

static inline void shape_files(struct shapes *s, const char *ours, const char *made)
{
	static const struct {
		const char *name, *texts, *asks;
		enum memory_kind kind;
		bool messages, session;
	} files[] = {
		{"chat-rounds", NULL, "chat.jsonl", MEMORY_EPISODIC, false, false},
		{"chat-rounds-session", NULL, "chat.jsonl", MEMORY_CONVERSATION, false, true},
		{"chat-messages", NULL, "chat.jsonl", MEMORY_EPISODIC, true, false},
		{"chat-messages-session", NULL, "chat.jsonl", MEMORY_CONVERSATION, true, true},
		{"facts", NULL, "facts.jsonl", MEMORY_FACT, false, false},
		{"decisions", "decisions.jsonl", "adrs.jsonl", MEMORY_SEMANTIC, false, false},
		{"pages", "pages.jsonl", "pages.jsonl", MEMORY_SEMANTIC, false, false},
		{"page-openings", "openings.jsonl", "pages.jsonl", MEMORY_FACT, false, false},
		{"rfcs", "rfcs.jsonl", "rfcs.jsonl", MEMORY_SEMANTIC, false, false},
		{"rfc-openings", "rfc-openings.jsonl", "rfcs.jsonl", MEMORY_FACT, false, false},
		{"german", NULL, "de.jsonl", MEMORY_FACT, false, false},
		{"russian", NULL, "ru.jsonl", MEMORY_FACT, false, false},
		{"chinese", NULL, "zh.jsonl", MEMORY_FACT, false, false},
		{"japanese", NULL, "ja.jsonl", MEMORY_FACT, false, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct shape_file f = {.kind = files[i].kind,
				       .messages = files[i].messages,
				       .session = files[i].session};

		f.to = shape_new(s, files[i].name);
		if ((files[i].texts &&
		     !shape_lines(s, made, files[i].texts, shape_file_line, &f)) ||
		    !shape_lines(s, ours, files[i].asks, shape_file_line, &f))
			s->n--;
	}
}

/*
 * Texts of several files in one store, and the questions of the last one. "team": questions that
 * say less and less with the words of the text (t/perf/shapes/team.jsonl).
 */
static inline void shape_joined(struct shapes *s, const char *ours)
{
	static const struct {
		const char *name, *level, *files[6];
	} joined[] = {
#define TEAM {"de.jsonl", "ru.jsonl", "zh.jsonl", "ja.jsonl", "team.jsonl"}
		{"team-same", "same", TEAM},
		{"team-inflected", "inflected", TEAM},
		{"team-synonyms", "synonyms", TEAM},
		{"team-abstract", "abstract", TEAM},
		{"team-languages", "other-same", TEAM},
		{"team-other-words", "other-words", TEAM},
		{"team-neighbours", "near", TEAM},
		{"facts-neighbours", NULL, {"facts.jsonl", "near.jsonl"}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(joined); i++) {
		struct shape_file f = {.kind = MEMORY_FACT, .level = joined[i].level};
		size_t n = 0;

		f.to = shape_new(s, joined[i].name);
		while (n < ARRAY_SIZE(joined[i].files) && joined[i].files[n])
			n++;
		for (size_t k = 0; k < n; k++) {
			/* Each file numbers its texts anew. */
			f.texts = k + 1 < n;
			f.prefix = f.texts && n > 2 ? joined[i].files[k] : "";
			if (!shape_lines(s, ours, joined[i].files[k], shape_file_line, &f))
				must(err_new(E_FILE_NOT_FOUND, "%s", joined[i].files[k]));
		}
	}
}

/*
 * Small stores: SMALL facts each. A question is asked of the store with its text; one that nothing
 * answers of the store that shares the most words with it.
 */
enum { SMALL = 10 };

static inline unsigned shape_most_shared(struct shapes *all, const struct shape *s, struct str ask)
{
	struct word_list asked = {0};
	size_t best = 0, most = 0;

	words_read(all->words, all->a, ask, &asked);
	for (size_t i = 0; i < s->notes.n; i++) {
		struct word_list has = {0};
		size_t shared = 0;

		words_read(all->words, all->a, s->notes.p[i].text, &has);
		for (size_t k = 0; k < asked.n; k++)
			for (size_t h = 0; h < has.n && !asked.p[k].stop; h++)
				if (asked.p[k].term == has.p[h].term) {
					shared++;
					break;
				}
		if (shared > most) {
			most = shared;
			best = i;
		}
	}
	return (unsigned)best / SMALL;
}

static inline void shape_small(struct shapes *s, const char *ours)
{
	struct shape_file f = {.kind = MEMORY_FACT};

	f.to = shape_new(s, "facts-small");
	shape_lines(s, ours, "facts.jsonl", shape_file_line, &f);
	shape_lines(s, ours, "near.jsonl", shape_file_line, &f);
	for (size_t i = 0; i < f.to->notes.n; i++)
		f.to->notes.p[i].store = (unsigned)i / SMALL;
	f.to->stores = (unsigned)(f.to->notes.n + SMALL - 1) / SMALL;
	for (size_t i = 0; i < f.to->asks.n; i++) {
		struct ask *q = &f.to->asks.p[i];

		q->store = q->stranger ? shape_most_shared(s, f.to, q->text)
				       : (unsigned)q->gold[0] / SMALL;
	}
}

/* ---- LoCoMo ---- */

enum { LOCOMO_TURNS, LOCOMO_PLAIN, LOCOMO_ROUNDS, LOCOMO_ROUNDS_SESSION, LOCOMO_TURN_SHAPES };
struct locomo {
	struct shape *turns[LOCOMO_TURN_SHAPES], *sessions[2];
	size_t turn, asked;
	struct val *first; /* of a round: the turn before, if it is of the same session */
};

static inline struct str locomo_text(struct shapes *s, const struct val *v, bool named)
{
	struct str text = val_get_str(v, "text"), caption = val_get_str(v, "caption");

	if (caption.n)
		text = str_fmt(s->a, "%.*s %.*s", STR_ARG(text), STR_ARG(caption));
	return named ? str_fmt(s->a, "%.*s: %.*s", STR_ARG(val_get_str(v, "speaker")),
			       STR_ARG(text))
		     : text;
}

/* Two turns in one text; its unit has the id of the first. A session may end with one turn. */
static inline void locomo_round(struct shapes *s, struct locomo *l, struct val *v,
				const struct note *turn)
{
	const bool second =
		l->first && str_eq(val_get_str(l->first, "date"), val_get_str(v, "date"));
	struct str id = val_get_str(v, "id");

	for (size_t k = LOCOMO_ROUNDS; k <= LOCOMO_ROUNDS_SESSION; k++) {
		struct shape *to = l->turns[k];
		struct note note = *turn;

		if (second) {
			struct note *n = &to->notes.p[to->notes.n - 1];

			n->text = str_fmt(s->a, "%.*s\n%.*s", STR_ARG(n->text),
					  STR_ARG(locomo_text(s, v, true)));
			continue;
		}
		note.text = locomo_text(s, v, true);
		note.kind = MEMORY_CONVERSATION;
		note.speaker = STR("round");
		if (k == LOCOMO_ROUNDS) {
			note.kind = MEMORY_EPISODIC;
			note.speaker = note.session = STR("");
			note.turn = 0;
		}
		shape_note(s, to, id, note);
	}
	/* Questions name turns. The second turn of a round is the same unit as the first. */
	l->first = second ? NULL : v;
}

static inline void locomo_turn(struct shapes *s, void *ctx, struct val *v)
{
	struct locomo *l = ctx;
	struct str id = val_get_str(v, "id");
	struct note note = {
		.store = (unsigned)val_get_int(v, "conv"),
		.time = shape_time(s, val_get_str(v, "date")),
		.turn = (int64_t)++l->turn,
		.session = str_fmt(s->a, "s%jd", (intmax_t)val_get_int(v, "session")),
		.kind = MEMORY_CONVERSATION,
	};

	locomo_round(s, l, v, &note);
	note.text = locomo_text(s, v, false);
	note.speaker = val_get_str(v, "speaker");
	shape_note(s, l->turns[LOCOMO_TURNS], id, note);
	note = (struct note){.store = note.store,
			     .time = note.time,
			     .kind = MEMORY_EPISODIC,
			     .text = locomo_text(s, v, true)};
	shape_note(s, l->turns[LOCOMO_PLAIN], id, note);
}

static inline void locomo_session(struct shapes *s, void *ctx, struct val *v)
{
	struct locomo *l = ctx;
	struct note note = {
		.time = shape_time(s, val_get_str(v, "date")),
		.kind = MEMORY_EPISODIC,
		.text = str_fmt(s->a, "%.*s\n%.*s", STR_ARG(val_get_str(v, "date")),
				STR_ARG(val_get_str(v, "text"))),
	};

	for (unsigned k = 0; k < 2; k++) {
		note.store = k ? 0 : (unsigned)val_get_int(v, "conv");
		shape_note(s, l->sessions[k], val_get_str(v, "id"), note);
	}
}

/* The gold of a round: of the turns that it consists of. */
static inline void locomo_gold_of_rounds(struct shapes *s, const struct shape *turns,
					 struct shape *rounds, struct val *v)
{
	struct val *list = val_list(s->a);

	VAL_EACH(val_get(v, "gold_turns"), id) {
		size_t of = shape_unit(turns, id->s);

		/* The round began with this turn, or with the turn before. */
		if (of != NO_UNIT && shape_unit(rounds, turns->units.p[of]) == NO_UNIT)
			of--;
		if (of != NO_UNIT)
			val_add(list, val_str(s->a, turns->units.p[of]));
	}
	val_set(s->a, v, "gold_rounds", list);
}

static inline void locomo_question(struct shapes *s, void *ctx, struct val *v)
{
	struct locomo *l = ctx;
	unsigned of = (unsigned)val_get_int(v, "conv");
	const bool held = of >= TUNED_CONVERSATIONS, stranger = l->asked++ % 7 == 0;

	locomo_gold_of_rounds(s, l->turns[LOCOMO_TURNS], l->turns[LOCOMO_ROUNDS], v);
	for (size_t k = 0; k < LOCOMO_TURN_SHAPES; k++)
		shape_ask(s, l->turns[k], v, k < LOCOMO_ROUNDS ? "gold_turns" : "gold_rounds", of,
			  held);
	for (unsigned k = 0; k < 2; k++)
		shape_ask(s, l->sessions[k], v, "gold_sessions", k ? 0 : of, held);
	/* Every seventh question is also asked of the other conversations, which cannot answer. */
	for (unsigned store = 0; stranger && store < l->turns[0]->stores; store++)
		for (size_t k = 0; store != of && k <= LOCOMO_TURN_SHAPES; k++) {
			struct shape *to = k < LOCOMO_TURN_SHAPES ? l->turns[k] : l->sessions[0];

			*VEC_PUSH(s->a, &to->asks) =
				(struct ask){.text = val_get_str(v, "question"),
					     .store = store,
					     .before = NO_UNIT,
					     .held = store >= TUNED_CONVERSATIONS,
					     .stranger = true};
		}
}

/*
 * The plain turns in an order that tells nothing. Neighbours count for plain memories; this shows
 * what that costs where neighbours have nothing to do with each other.
 */
static inline void shape_mixed(struct shapes *all, const struct shape *of)
{
	struct shape *s = shape_new(all, NULL);
	uint64_t random = 1;

	*s = *of;
	s->name = "turns-mixed";
	s->notes.p = arena_array(all->a, of->notes.n, sizeof(*of->notes.p));
	memcpy(s->notes.p, of->notes.p, of->notes.n * sizeof(*of->notes.p));
	s->notes.cap = of->notes.n;
	for (size_t i = s->notes.n; i > 1; i--) {
		struct note *last = &s->notes.p[i - 1], *other, swap = *last;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		other = &s->notes.p[(random >> 33) % i];
		*last = *other;
		*other = swap;
	}
}

static inline void shape_locomo(struct shapes *s, const char *dir)
{
	static const char *const turns[] = {"turns", "turns-plain", "rounds", "rounds-session"};
	size_t before = s->n;
	struct locomo l = {0};

	for (size_t k = 0; k < LOCOMO_TURN_SHAPES; k++)
		l.turns[k] = shape_new(s, turns[k]);
	l.sessions[0] = shape_new(s, "sessions");
	l.sessions[1] = shape_new(s, "sessions-one-store");
	if (!shape_lines(s, dir, "turns.jsonl", locomo_turn, &l) ||
	    !shape_lines(s, dir, "sessions.jsonl", locomo_session, &l) ||
	    !shape_lines(s, dir, "queries.jsonl", locomo_question, &l))
		s->n = before;
	else
		shape_mixed(s, l.turns[LOCOMO_PLAIN]);
}

/* ours: t/perf/shapes. made: texts that recall.sh made of files of this machine. */
static inline void shapes_read(struct shapes *s, const char *ours, const char *made,
			       const char *locomo)
{
	s->a = arena_new();
	must(words_new(s->a, &s->words));
	shape_locomo(s, locomo);
	shape_files(s, ours, made);
	shape_joined(s, ours);
	shape_small(s, ours);
}

#endif
