/*
 * Imports lines of JSON. Lines are read in batches; each batch is one transaction. A batch is split
 * into rounds: while this thread stores a round, other threads parse the next round and count its
 * words. So memory holds one batch of text, two parsed rounds, and the buffer of the index.
 */
#include "memory/storage_internal.h"
#include "memory/import_line.h"
#include "os/os.h"
#include "out/out.h"
#include "vocab/vocab.h"
#include <sys/stat.h>

#define MEMORY_LINES_MOST ((size_t)65536)

struct memory_lines {
	const char *name;
	/* lines of the batch, at most `most`, without newlines; p[0] has the number before + 1 */
	struct str *p;
	size_t n; /* 0: no more lines */
	size_t before, most;
	uint64_t read, all; /* read: bytes before the batch; all: of the file, 0: unknown */

	int fd;
	struct str from; /* what is left of the lines when they are in memory; p NULL: read fd */
	bool end;
	char *text;          /* the batch, then bytes that were read behind it */
	size_t begin, bytes; /* begin: where those bytes begin; bytes: where they end */
};

#define BATCH_BYTES ((size_t)64 << 20)
#define READ_BYTES  ((size_t)1 << 20)

_Static_assert(BATCH_BYTES > 2 * MEMORY_LINE_MAX, "a batch has room for a line");

/*
 * Puts "line N: " before the message, and N into the details. json was given this line only, so it
 * says "line 1".
 */
static struct err *memory_at_line(struct err *e, size_t number)
{
	const char *message = err_message(e);

	if (str_starts(str_of(message), STR("line 1, ")))
		e = err_new(err_reason(e), "line %zu, %s", number, message + strlen("line 1, "));
	else
		e = err_add_context(e, "line %zu", number);
	return err_detail_int(e, "line", (int64_t)number);
}

/* The number of lines in a batch; tests set a small one. */
static size_t lines_most(void)
{
	int64_t most = (int64_t)MEMORY_LINES_MOST;
#ifdef IKM_TEST
	const char *set = os_env("IKM_IMPORT_LINES");

	if (set && (!str_int(str_of(set), &most) || most < 1 || most > (int64_t)MEMORY_LINES_MOST))
		BUG("IKM_IMPORT_LINES=%s is not 1 to %zu", set, MEMORY_LINES_MOST);
#endif
	return (size_t)most;
}

static void take_line(struct memory_lines *l, size_t to)
{
	l->p[l->n++] = (struct str){l->text + l->begin, to - l->begin};
	l->begin = size_min(to + 1, l->bytes);
}

/*
 * Reads the next batch; the lines of the last batch become invalid. Errors: TOO_LONG, and those of
 * reading.
 */
static struct err *memory_lines_next(struct memory_lines *l)
{
	size_t from = 0;

	/* Move the rest of the last batch to the front. */
	l->before += l->n;
	l->n = 0;
	l->read += l->begin;
	memmove(l->text, l->text + l->begin, l->bytes - l->begin);
	l->bytes -= l->begin;
	l->begin = 0;
	for (;;) {
		const char *nl;
		size_t n;

		/* Complete lines, as many as a batch may have. No line ends before `from`. */
		while (l->n < l->most && from < l->bytes) {
			nl = memchr(l->text + from, '\n', l->bytes - from);
			if (!nl)
				break;
			take_line(l, (size_t)(nl - l->text));
			from = l->begin;
		}
		/* The last line may end without a newline. */
		if (l->end && l->n < l->most && l->begin < l->bytes)
			take_line(l, l->bytes);
		from = l->bytes;
		if (l->n == l->most || l->end)
			return NULL;
		if (l->bytes - l->begin > MEMORY_LINE_MAX)
			return memory_at_line(
				err_new(E_TOO_LONG, "it has more than %zu bytes", MEMORY_LINE_MAX),
				l->before + l->n + 1);
		if (l->bytes == BATCH_BYTES)
			return NULL;
		n = size_min(READ_BYTES, BATCH_BYTES - l->bytes);
		if (l->from.p) {
			n = size_min(n, l->from.n);
			memcpy(l->text + l->bytes, l->from.p, n);
			l->from = str_sub(l->from, n, l->from.n);
		} else {
			TRY(os_read_some(l->fd, l->name, l->text + l->bytes, n, &n));
		}
		l->bytes += n;
		l->end = !n;
	}
}

/* A longer round takes more memory from the system, and each new page costs time. */
#define ROUND       ((size_t)256)
#define CHUNK       ((size_t)16)
#define CHUNKS      (ROUND / CHUNK)
#define THREADS_MAX 16
/* A batch of fewer lines is not worth threads, or a segment of the index. */
#define FEW ((size_t)1024)

_Static_assert(MEMORY_LINES_MOST <= INDEX_BULK, "the index takes a batch at once");

struct prepared {
	struct memory_line line;
	struct index_doc doc;
	struct strs uses; /* words for the vocabulary */
	int64_t hash;
	bool blank, failed;
};

struct chunk {
	struct arena *a;
	struct prepared *p;
	size_t from, n; /* index of the first line in the batch; number of lines, 0: it is empty */
};

struct import {
	struct memories *m;
	const struct memory_import *how;
	struct memory_imported *out;
	struct progress *shown; /* bytes; of a pipe, whose size is unknown, memories */
	struct arena *a;
	struct memory_lines lines; /* the lines of the batch */

	struct memories thread[THREADS_MAX]; /* each has its own words */
	unsigned threads;
	struct chunk chunk[2][CHUNKS];
	size_t round; /* the round that is being stored; the next one is prepared meanwhile */
	int64_t scope[MEMORY_LAYERS_END]; /* 0: unknown, or the scope does not exist */
	/* like scope, for this thread; between rounds it is copied to scope */
	int64_t made[MEMORY_LAYERS_END];

	struct arena *batch;
	struct index_bulk *bulk; /* NULL: not begun */
	int64_t next;            /* the number of the next document of bulk */
	struct vocab_changes *words;
	struct VEC(size_t) later; /* lines that change existing memories; they are handled last */
	struct memory_imported stored; /* counts of the batch */
	bool has_rejected;             /* some memory was rejected when the import began */
	struct events *events;         /* of m, which has none meanwhile: an import is one event */
	int64_t number;                /* of the import; 0: nothing is stored yet, or no record */
};

/* ---- errors ---- */

static struct err *memory_import_whole(const struct import *im, struct err *e)
{
	if (!e)
		return NULL;
	if (err_code(e) == CODE_INVALID_INPUT && !err_has_help(e))
		err_help(e, "write one JSON object a line; 'ikm mem export' prints the format");
	e = err_detail_int(err_add_context(e, "'%s'", im->lines.name), "added", im->out->added);
	if (im->out->added || im->out->existing || im->out->tombstones)
		err_help(
			e,
			"%jd memories of the lines before are stored; import the same input again: "
			"ikm skips what is stored",
			(intmax_t)im->out->added);
	return e;
}

/* ---- in all threads: parsing ---- */

static void prepare_chunk(void *ctx, struct os_job *job)
{
	struct import *im = ctx;
	struct chunk *c = job->item;

	if (!c->a)
		c->a = arena_new();
	c->p = arena_array(c->a, c->n, sizeof(*c->p));
	for (size_t i = 0; i < c->n; i++) {
		struct prepared *p = &c->p[i];
		struct str text = im->lines.p[c->from + i];
		struct memory *one = &p->line.one;
		struct err *e;

		p->blank = !str_trim(text).n;
		if (p->blank)
			continue;
		e = memory_line_read(c->a, text, im->lines.before + c->from + i + 1, im->how,
				     &im->m->who, &p->line);
		p->failed = e != NULL;
		if (e || p->line.tombstone || im->how->dry_run)
			continue;
		one->tokens = (int64_t)token_estimate(one->content, im->m->model);
		one->scope = im->scope[one->layer];
		p->hash = memory_hash(one);
		e = memory_index_doc(&im->thread[job->thread], c->a, one, &p->doc, &p->uses);
		p->failed = e != NULL;
	}
}

/* ---- in this thread: storing ---- */

/* The scope of a layer; it is made if it does not exist. */
static struct err *scope_of(struct import *im, enum memory_layer layer, int64_t *out)
{
	if (!im->made[layer])
		TRY(memory_scope_of_layer(im->m, im->batch, layer, !im->how->dry_run,
					  &im->made[layer]));
	*out = im->made[layer];
	return NULL;
}

enum known { UNKNOWN, LIVE, DELETED };

static struct err *memory_import_look(struct import *im, struct str id, enum known *known,
				      int64_t *hash)
{
	*known = UNKNOWN;
	DB_EACH(rows, im->m->db, Q_IMPORT_KNOWN, DB_S(id)) {
		*known = db_column_int(rows, 0) ? DELETED : LIVE;
		*hash = db_column_int(rows, 1);
		break;
	}
	return NULL;
}

/* left: the number of lines from this one to the end of the batch. */
static struct err *index_one(struct import *im, struct arena *a, struct prepared *p, size_t left)
{
	struct memories *m = im->m;

	if (im->lines.n < FEW)
		TRY(index_next_doc_number(m->db, &p->doc.doc));
	else if (!im->bulk)
		TRY(index_bulk_begin(m->db, im->batch, left, &im->bulk, &im->next));
	if (im->bulk) {
		p->doc.doc = im->next++;
		index_bulk_add(im->bulk, &p->doc);
	} else {
		TRY(index_add(m->db, a, &p->doc));
	}
	p->line.one.doc = p->doc.doc;
	vocab_change(im->words, p->doc.scope, &p->uses, 1);
	return NULL;
}

/* The number of this import. The first memory that is stored makes its event. */
static struct err *memory_import_number(struct import *im, int64_t *out)
{
	struct memories *m = im->m;
	struct err *e;

	*out = im->number;
	if (im->number || !im->events)
		return NULL;
	m->events = im->events;
	e = memory_import_begin(m, im->a, im->lines.name, &im->number);
	m->events = NULL;
	m->importing = *out = im->number;
	return e;
}

static struct err *memory_import_store(struct import *im, struct chunk *c, size_t i)
{
	struct prepared *p = &c->p[i];
	struct memory *one = &p->line.one, old;
	enum known known;
	int64_t hash, scope;
	bool found = false, undone;

	if (one->kind == MEMORY_KNOWLEDGE_POINTER && !p->line.tombstone) {
		im->stored.pointers++;
		return NULL;
	}
	TRY(scope_of(im, one->layer, &scope));
	if (im->how->dry_run)
		return NULL;
	if (p->line.tombstone) {
		*VEC_PUSH(im->batch, &im->later) = c->from + i;
		return NULL;
	}
	/* The scope is new: the thread that made the marks did not know it. */
	if (one->scope != scope) {
		one->scope = scope;
		memory_index_doc_set_marks(c->a, one, &p->doc);
	}
	TRY(memory_import_look(im, one->id, &known, &hash));
	if (known == LIVE && hash != p->hash)
		return err_help(
			err_for_param(E_EXISTS, STR("memoryId"),
				      "memoryId: there is a memory '%.*s' with other content",
				      STR_ARG(one->id)),
			"a memory's content never changes: leave the id out of the line");
	/* The undo of an import deleted it, not somebody who does not want it. */
	undone = known == DELETED && hash;
	if (undone)
		known = UNKNOWN;
	if (known == UNKNOWN && one->state == MEMORY_CURRENT)
		TRY(memory_find_repeat(im->m, c->a, one, p->hash, &old, &found));
	if (known != UNKNOWN || found) {
		im->stored.existing++;
		if (found)
			*VEC_PUSH(im->batch, &im->later) = c->from + i;
		return NULL;
	}
	if (one->state != MEMORY_REJECTED && im->has_rejected)
		TRY(memory_find_rejected(im->m, c->a, one, &old, &found));
	if (found) {
		im->stored.rejected++;
		return NULL;
	}
	if (undone)
		TRY(db_do(im->m->db, Q_DELETED_TAKE, NULL, DB_S(one->id)));
	TRY(memory_import_number(im, &one->import));
	TRY(index_one(im, c->a, p, im->lines.n - c->from - i));
	TRY(memory_insert(im->m, c->a, one, p->hash));
	im->stored.added++;
	if (one->supersedes.n)
		*VEC_PUSH(im->batch, &im->later) = c->from + i;
	return NULL;
}

/* Repeats the failed line in this thread, because errors do not pass between threads. */
static struct err *memory_import_failed(struct import *im, size_t line)
{
	struct prepared p = {0};

	TRY(memory_line_read(im->batch, im->lines.p[line], im->lines.before + line + 1, im->how,
			     &im->m->who, &p.line));
	return memory_index_doc(im->m, im->batch, &p.line.one, &p.doc, &p.uses);
}

/* ---- rounds ---- */

static void give_out(struct import *im, struct os_ordered *team, size_t round)
{
	for (size_t k = 0; k < CHUNKS; k++) {
		struct chunk *c = &im->chunk[round % 2][k];

		c->from = round * ROUND + k * CHUNK;
		if (c->from >= im->lines.n)
			return;
		c->n = size_min(CHUNK, im->lines.n - c->from);
		os_ordered_pool_add(team, c);
	}
}

static struct err *first_round(void *ctx, struct os_ordered *team)
{
	give_out(ctx, team, 0);
	return NULL;
}

static struct err *next_round(void *ctx, struct os_ordered *team)
{
	struct import *im = ctx;

	give_out(im, team, im->round + 1);
	for (size_t k = 0; k < CHUNKS; k++) {
		struct chunk *c = &im->chunk[im->round % 2][k];
		const struct memory_lines *l;

		if (!c->n)
			break;
		l = &im->lines;
		progress_at(im->shown, l->all ? l->read + (uint64_t)(l->p[c->from].p - l->text)
					      : (uint64_t)(im->out->added + im->stored.added));
		for (size_t i = 0; i < c->n; i++) {
			struct err *e = NULL;

			im->stored.lines += !c->p[i].blank;
			if (c->p[i].failed)
				e = memory_import_failed(im, c->from + i);
			else if (!c->p[i].blank)
				e = memory_import_store(im, c, i);
			if (e)
				return memory_at_line(e, im->lines.before + c->from + i + 1);
		}
		arena_reset(c->a);
		c->n = 0;
	}
	return NULL;
}

static struct err *run_round(struct import *im, bool first)
{
	const struct os_ordered_ops ops = {first ? first_round : next_round, prepare_chunk, NULL};

	TRY(os_ordered_run(&ops, im->threads, im));
	/* No thread reads im->scope now. */
	memcpy(im->scope, im->made, sizeof(im->scope));
	return NULL;
}

static void drop_chunks(void *ctx)
{
	struct import *im = ctx;

	for (size_t i = 0; i < 2 * CHUNKS; i++) {
		struct chunk *c = &im->chunk[i / CHUNKS][i % CHUNKS];

		arena_free(c->a);
		c->a = NULL;
	}
}

/* ---- changes of existing memories ---- */

static struct err *memory_import_bury(struct import *im, const struct memory *gone)
{
	struct memories *m = im->m;
	struct memory one;
	enum known known;
	int64_t hash, scope;

	TRY(memory_import_look(im, gone->id, &known, &hash));
	if (known == DELETED) {
		im->stored.existing++;
		return NULL;
	}
	if (known == LIVE) {
		struct err *e = memory_get(m, im->batch, gone->id, false, &one);

		if (e && err_reason(e) == E_NO_SUCH_MEMORY) {
			im->stored.others++;
			return NULL;
		}
		TRY(e);
		im->stored.tombstones++;
		return memory_delete_stored(m, im->batch, &one, gone->deleted);
	}
	im->stored.tombstones++;
	TRY(scope_of(im, gone->layer, &scope));
	return db_do(m->db, Q_IMPORT_TOMBSTONE, NULL, DB_S(gone->id), DB_I(scope),
		     DB_I(gone->deleted), DB_S(m->who.agent));
}

static struct err *memory_import_change(struct import *im, size_t line)
{
	struct memory_line l;
	struct memory *one = &l.one, old, was, now;
	enum memory_superseding how;
	struct err *e;
	bool found = false;

	TRY(memory_line_read(im->batch, im->lines.p[line], im->lines.before + line + 1, im->how,
			     &im->m->who, &l));
	if (l.tombstone)
		return memory_import_bury(im, one);
	TRY(scope_of(im, one->layer, &one->scope));
	if (one->state == MEMORY_CURRENT)
		TRY(memory_find_repeat(im->m, im->batch, one, memory_hash(one), &old, &found));
	if (found && !str_eq(old.id, one->id)) {
		struct memory_told told = {0};

		TRY(memory_merge(im->m, im->batch, &l.said, &old, &told));
		im->stored.differing += told.kept.n > 0;
		one = &old;
	}
	if (!one->supersedes.n)
		return NULL;
	e = memory_get(im->m, im->batch, one->supersedes, false, &was);
	/* It may not exist here, or not be in the caller's scopes. */
	if (e)
		return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
	if (str_eq(was.id, one->id))
		return NULL;
	TRY(memory_supersede_stored(im->m, im->batch, &was, one, &now, &how));
	im->stored.circular += how == SUPERSEDE_CIRCLE;
	return NULL;
}

/* ---- batches ---- */

static struct err *store_batch(struct import *im)
{
	if (!im->how->dry_run && im->lines.n >= FEW)
		TRY(db_bulk(im->m->db));
	for (im->round = 0; im->round * ROUND < im->lines.n; im->round++)
		TRY(run_round(im, false));
	if (im->bulk)
		TRY(index_bulk_end(im->bulk));
	TRY(vocab_store(im->words, im->m->db));
	if (im->how->dry_run)
		return NULL;
	for (size_t i = 0; i < im->later.n; i++) {
		struct err *e = memory_import_change(im, im->later.p[i]);

		if (e)
			return memory_at_line(e, im->lines.before + im->later.p[i] + 1);
	}
	return im->number ? db_do(im->m->db, Q_IMPORT_COUNT, NULL, DB_I(im->number),
				  DB_I(im->stored.added), DB_I(im->stored.tombstones))
			  : NULL;
}

static struct err *one_batch(struct import *im)
{
	unsigned want = im->lines.n < FEW ? 1 : os_cores();
	struct db_txn t DB_TXN = {0};

	im->bulk = NULL;
	im->later.n = im->later.cap = 0;
	im->words = vocab_changes_new(im->batch);
	im->stored = (struct memory_imported){0};
	for (; im->threads < want && im->threads < THREADS_MAX; im->threads++) {
		/* An arena of its own, because the thread's cache of words grows in it. */
		struct arena *own = arena_child(im->a);

		TRY(memory_handle_for_thread(im->m, own, &im->thread[im->threads]));
	}
	TRY(run_round(im, true));
	if (!im->how->dry_run)
		TRY(memory_begin(&t, im->m, im->batch));
	TRY(store_batch(im));
	if (!im->how->dry_run)
		TRY(memory_commit(&t, im->m, im->batch));
	im->out->lines += im->stored.lines;
	im->out->added += im->stored.added;
	im->out->existing += im->stored.existing;
	im->out->tombstones += im->stored.tombstones;
	im->out->pointers += im->stored.pointers;
	im->out->differing += im->stored.differing;
	im->out->rejected += im->stored.rejected;
	im->out->circular += im->stored.circular;
	im->out->others += im->stored.others;
	return NULL;
}

static struct err *memory_import_batches(struct import *im)
{
	for (;;) {
		struct err *e = memory_lines_next(&im->lines);

		if (e || !im->lines.n)
			return e;
		im->batch = arena_new();
		e = one_batch(im);
		arena_free(im->batch);
		if (e)
			return e;
	}
}

struct err *memory_import(struct memories *m, int fd, const char *name,
			  const struct memory_import *how, struct memory_imported *out)
{
	struct arena *a = arena_new();
	struct import *im = ARENA_NEW(a, struct import);
	struct progress shown PROGRESS = {0};
	bool had_words = m->words;
	struct words *w;
	struct err *e;
	struct memory_lines *l;
	struct stat st;

	*out = (struct memory_imported){0};
	*im = (struct import){
		.m = m, .how = how, .out = out, .shown = &shown, .a = a, .events = m->events};
	m->events = NULL;
	l = &im->lines;
	*l = (struct memory_lines){.name = name, .most = lines_most(), .fd = fd, .from = how->text};
	if (how->text.p)
		l->all = how->text.n;
	else if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		l->all = (uint64_t)st.st_size;
	/* The system gives pages only when lines are read into them. */
	l->text = arena_alloc(a, BATCH_BYTES);
	l->p = arena_array(a, l->most, sizeof(*l->p));
	shown = progress_start(im->lines.all ? "bytes imported" : "memories imported",
			       im->lines.all);
	arena_defer(a, drop_chunks, im);
	e = memory_word_splitter(m, a, &w);
	e = e ? e : memory_index_upgrade(m, a);
	e = e ? e : memory_any_rejected(m, a, &im->has_rejected);
	e = e ? e : memory_import_whole(im, memory_import_batches(im));
	m->events = im->events;
	m->importing = 0;
	/* The arena ends here. */
	if (im->number && m->event.n == ULID_LENGTH)
		memcpy(out->event, m->event.p, m->event.n);
	m->event = (struct str){0};
	if (!had_words)
		m->words = NULL;
	arena_free(a);
	return e;
}
