/* locomo: LoCoMo's sessions, turns and questions with what answers them, for t/perf/recall.c. */
#ifndef LOCOMO_H
#define LOCOMO_H

#include "base/base.h"
#include "json/json.h"
#include "os/os.h"
#include "token/token.h"
#include "words/words.h"

enum { CONVERSATIONS = 16 };

struct unit {
	struct str id, text, speaker, session;
	int64_t time;
	int conversation;
	int64_t turn, tokens;
};
struct units {
	struct unit *p;
	size_t n, cap;
};
struct question {
	struct str text;
	int conversation;
	size_t *gold[2]; /* places: of sessions, of turns */
	size_t n_gold[2];
};
struct questions {
	struct question *p;
	size_t n, cap;
};
struct data {
	struct arena *a;
	struct words *words;
	struct units units[2]; /* sessions, turns */
	struct questions questions;
};
enum { SESSIONS, TURNS };

static void must(struct err *e)
{
	if (!e)
		return;
	fprintf(stderr, "recall: %s\n", err_message(e));
	exit(1);
}

/* ---- the data ---- */

static struct str file_text(struct arena *a, const char *dir, const char *name)
{
	struct str text;

	must(os_read(a, os_join(a, dir, name), SIZE_MAX, &text));
	return text;
}

static int64_t time_of(struct data *d, struct str text)
{
	struct word_list words = {0};
	struct dates dates;

	words_read(d->words, d->a, text, &words);
	dates_read(&words, 0, &dates);
	return dates.n ? dates.p[0].from + 43200000 : 0;
}

static void read_units(struct data *d, struct str text, struct units *out)
{
	struct str line;
	int64_t turn = 0;

	while (str_line(&text, &line)) {
		struct unit *u = VEC_PUSH(d->a, out);
		struct val *v;
		struct str caption;

		must(json_read(d->a, line, NULL, &v));
		caption = val_get_str(v, "caption");
		*u = (struct unit){
			.id = val_get_str(v, "id"),
			.text = val_get_str(v, "text"),
			.speaker = val_get_str(v, "speaker"),
			.conversation = (int)val_get_int(v, "conv"),
			.time = time_of(d, val_get_str(v, "date")),
			.turn = ++turn,
		};
		if (caption.n)
			u->text = str_fmt(d->a, "%.*s %.*s", STR_ARG(u->text), STR_ARG(caption));
		u->session = str_fmt(d->a, "c%d/s%jd", u->conversation,
				     (intmax_t)val_get_int(v, "session"));
		u->tokens = (int64_t)token_estimate(u->text, 0);
	}
}

static size_t find_unit(const struct units *units, struct str id)
{
	for (size_t i = 0; i < units->n; i++)
		if (str_eq(units->p[i].id, id))
			return i;
	return SIZE_MAX; /* a wrong reference in the data: never found by anyone */
}

static void read_questions(struct data *d, struct str text)
{
	static const char *const golds[] = {"gold_sessions", "gold_turns"};
	struct str line;

	while (str_line(&text, &line)) {
		struct question *q = VEC_PUSH(d->a, &d->questions);
		struct val *v;

		must(json_read(d->a, line, NULL, &v));
		q->text = val_get_str(v, "question");
		q->conversation = (int)val_get_int(v, "conv");
		for (size_t i = 0; i < 2; i++) {
			const struct val *list = val_get(v, golds[i]);

			q->gold[i] = arena_array(d->a, list->n, sizeof(size_t));
			VAL_EACH(list, id)
				q->gold[i][q->n_gold[i]++] = find_unit(&d->units[i], id->s);
		}
	}
}

static void read_data(struct data *d, const char *dir)
{
	d->a = arena_new();
	must(words_new(d->a, &d->words));
	read_units(d, file_text(d->a, dir, "sessions.jsonl"), &d->units[SESSIONS]);
	read_units(d, file_text(d->a, dir, "turns.jsonl"), &d->units[TURNS]);
	read_questions(d, file_text(d->a, dir, "queries.jsonl"));
}

#endif
