/*
 * FTS5's tokenizers, taken from a connection of their own that has no table. unicode61 splits and
 * folds; porter wraps it, and what it makes of one folded word is that word's stem.
 */
#include "db/internal.h"
#include <sqlite3.h>

/* FTS5's porter leaves longer words as they are. */
enum { WORD_MOST = 64 };

struct tokenizer {
	fts5_tokenizer fn;
	Fts5Tokenizer *made;
};

struct db_words {
	sqlite3 *h;
	struct tokenizer split, stem;
	struct str kept; /* the last stem */
	char stem_text[WORD_MOST];
};

static void db_words_done(void *p)
{
	struct db_words *w = p;

	if (w->split.made)
		w->split.fn.xDelete(w->split.made);
	if (w->stem.made)
		w->stem.fn.xDelete(w->stem.made);
	sqlite3_close(w->h);
}

static bool db_words_make(fts5_api *api, const char *name, const char **args, int n,
			  struct tokenizer *t)
{
	void *context = NULL;

	return !api->xFindTokenizer(api, name, &context, &t->fn) &&
	       !t->fn.xCreate(context, args, n, &t->made);
}

struct err *db_fts5_tokenizer_borrow(struct arena *a, struct db_words **out)
{
	struct db_words *w = *out = ARENA_NEW(a, struct db_words);
	/* Marks are letters too: the vowels of Devanagari and its like do not part words. */
	const char *args[] = {"unicode61", "remove_diacritics", "2", "categories",
			      "L* N* Co Mn Mc"};
	sqlite3_stmt *stmt = NULL;
	fts5_api *api = NULL;

	arena_defer(a, db_words_done, w);
	if (!sqlite3_open_v2(":memory:", &w->h,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
			     NULL) &&
	    !sqlite3_prepare_v2(w->h, db_query_text(Q_WORDS_API), -1, &stmt, NULL) &&
	    !sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL))
		sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	if (api && db_words_make(api, "unicode61", args + 1, 4, &w->split) &&
	    db_words_make(api, "porter", args, 5, &w->stem))
		return NULL;
	return err_help(err_new(E_DB_FAILED,
				"this SQLite (%s) has no FTS5, whose tokenizers words "
				"are made with",
				sqlite3_libversion()),
			"build ikm with an SQLite that has SQLITE_ENABLE_FTS5");
}

struct splitting {
	void (*fn)(void *ctx, struct str word, size_t from, size_t to);
	void *ctx;
	size_t base;
};

static int db_words_emit(void *ctx, int flags, const char *token, int n, int from, int to)
{
	struct splitting *s = ctx;

	(void)flags;
	s->fn(s->ctx, (struct str){token, (size_t)n}, s->base + (size_t)from, s->base + (size_t)to);
	return SQLITE_OK;
}

/* Lengths are int there. A cut is made at an ASCII blank, or else at the start of a character. */
enum { PIECE = 1 << 24 };

static size_t piece(struct str text, size_t from)
{
	size_t to = size_min(from + PIECE, text.n), cut = to;

	if (to == text.n)
		return to;
	while (cut > from && text.p[cut - 1] != ' ' && text.p[cut - 1] != '\n')
		cut--;
	if (cut > from)
		return cut;
	while (to > from + 1 && ((unsigned char)text.p[to] & 0xc0) == 0x80)
		to--;
	return to;
}

void db_words_split(struct db_words *w, struct str text,
		    void (*fn)(void *ctx, struct str word, size_t from, size_t to), void *ctx)
{
	struct splitting s = {fn, ctx, 0};

	for (size_t to; s.base < text.n; s.base = to) {
		to = piece(text, s.base);
		/* An error is memory, for which ikm ends anyway: what was found stays. */
		w->split.fn.xTokenize(w->split.made, &s, FTS5_TOKENIZE_DOCUMENT, text.p + s.base,
				      (int)(to - s.base), db_words_emit);
	}
}

static int db_words_keep(void *ctx, int flags, const char *token, int n, int from, int to)
{
	struct db_words *w = ctx;

	(void)flags;
	(void)from;
	(void)to;
	if (w->kept.n || n > WORD_MOST)
		return SQLITE_OK;
	memcpy(w->stem_text, token, (size_t)n);
	w->kept = (struct str){w->stem_text, (size_t)n};
	return SQLITE_OK;
}

struct str db_words_stem(struct db_words *w, struct str word)
{
	/* Porter leaves those as they are. */
	if (word.n < 3 || word.n > WORD_MOST)
		return word;
	w->kept = (struct str){0};
	w->stem.fn.xTokenize(w->stem.made, w, FTS5_TOKENIZE_DOCUMENT, word.p, (int)word.n,
			     db_words_keep);
	return w->kept.n ? w->kept : word;
}
