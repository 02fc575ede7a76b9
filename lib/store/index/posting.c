/* Posting lists: built in memory, written and read. */
#include "index/internal.h"

/* MANY ones: the count is in 32 bits at the end, where the first such count is the last. */
enum { MANY = 15 };

/* The Rice parameter, the number of low bits, for the mean gap of random documents. */
static unsigned low_bits(uint32_t docs, uint32_t size)
{
	uint32_t gap = (uint32_t)((uint64_t)size * 7 / 10 / (docs + 1));

	return gap > 1 ? 31 - (unsigned)__builtin_clz(gap) : 0;
}

/* ---- reading ---- */

/* Reads 64 bits from a byte boundary; behind the end all bits are ones. */
static inline uint64_t bits_at(const unsigned char *p, size_t n, uint64_t at)
{
	size_t byte = (size_t)(at / 8);
	unsigned char last[8];

	if (byte + 8 <= n)
		return get_u64(p + byte);
	memset(last, 0xff, sizeof(last));
	if (byte < n)
		memcpy(last, p + byte, n - byte);
	return get_u64(last);
}

struct postings postings_read(const struct entry *e, uint32_t size)
{
	struct postings r = {.p = e->p,
			     .n = e->n,
			     .size = size,
			     .left = e->docs,
			     .form = e->form,
			     .low = low_bits(e->docs, size)};

	if (e->form == FORM_BITS) {
		r.damaged = e->n * 8 != size;
		return r;
	}
	r.before = (uint64_t)e->docs * r.low;
	r.at = r.before & ~UINT64_C(7);
	r.word = ~bits_at(r.p, r.n, r.at) & (UINT64_MAX << (r.before - r.at));
	return r;
}

static size_t posting_read_bits(struct postings *r, struct posting *out)
{
	size_t n = 0;

	/* Read a word at a time, while all of its bits have room. */
	while (r->next < r->size && n + 64 <= POSTINGS_SOME) {
		uint64_t word = get_u64(r->p + r->next / 8);

		for (; word; word &= word - 1)
			out[n++] = (struct posting){r->next + (uint32_t)__builtin_ctzll(word), 1};
		r->next += 64;
	}
	return n;
}

/* Reads the next n unary numbers. False when there are fewer. */
static bool read_runs(struct postings *r, uint64_t *runs, size_t n)
{
	uint64_t word = r->word, at = r->at, before = r->before, run;
	const unsigned char *p = r->p;
	const size_t bytes = r->n;

	for (size_t i = 0; i < n; i++) {
		while (!word) {
			at += 64;
			if (at >= bytes * 8)
				return false;
			word = ~bits_at(p, bytes, at);
		}
		run = at + (uint64_t)__builtin_ctzll(word) - before;
		runs[i] = run;
		before += run + 1;
		word &= word - 1;
	}
	r->word = word;
	r->at = at;
	r->before = before;
	return true;
}

/* Reads a count that is too great for the unary form. */
static uint32_t read_many(struct postings *r)
{
	uint32_t count;

	r->many += 4;
	if (r->many > r->n) {
		r->damaged = true;
		return 1;
	}
	count = get_u32(r->p + r->n - r->many);
	r->damaged |= count <= MANY;
	return count > MANY ? count : 1;
}

/* Computes the documents from their gaps. False when a document is not below size. */
static bool posting_read_numbers(struct postings *r, const uint64_t *runs, unsigned step, size_t n,
				 struct posting *out)
{
	const unsigned low = r->low;
	const uint64_t mask = (UINT64_C(1) << low) - 1;
	const unsigned char *p = r->p;
	const size_t bytes = r->n;
	uint64_t next = r->next, at = r->low_at;

	for (size_t i = 0; i < n; i++, at += low, runs += step) {
		next += *runs << low | (bits_at(p, bytes, at) >> at % 8 & mask);
		out[i] = (struct posting){(uint32_t)next++, 1};
		/* Check before the number overflows its type. */
		if (next > INDEX_BULK)
			return false;
	}
	r->low_at = at;
	r->next = (uint32_t)next;
	return next <= r->size;
}

size_t postings_read_some(struct postings *r, struct posting out[POSTINGS_SOME])
{
	const unsigned step = r->form == FORM_COUNTS ? 2 : 1;
	size_t n = size_min(r->left, POSTINGS_SOME);
	uint64_t runs[2 * POSTINGS_SOME];

	if (r->damaged)
		return 0;
	if (r->form == FORM_BITS)
		return posting_read_bits(r, out);
	r->damaged = !read_runs(r, runs, n * step) || !posting_read_numbers(r, runs, step, n, out);
	for (size_t i = 0; i < n && step == 2 && !r->damaged; i++)
		out[i].count =
			runs[2 * i + 1] < MANY ? (uint32_t)runs[2 * i + 1] + 1 : read_many(r);
	r->left -= (uint32_t)n;
	return r->damaged ? 0 : n;
}

/* ---- making ---- */

struct piece {
	struct piece *next;
	uint32_t used, size;
	unsigned char data[];
};

enum { PIECE_LEAST = 32, PIECE_MOST = 4096 };

static void posting_put(struct list *l, struct arena *a, const unsigned char *p, size_t n)
{
	struct piece *last = l->last;

	l->n += n;
	if (!last && l->used + n <= sizeof(l->begin)) {
		memcpy(l->begin + l->used, p, n);
		l->used = (unsigned char)(l->used + n);
		return;
	}
	if (!last || last->used + n > last->size) {
		size_t size = last ? size_min((size_t)last->size * 2, PIECE_MOST) : PIECE_LEAST;
		struct piece *more = arena_alloc(a, sizeof(*more) + size);

		more->size = (uint32_t)size;
		if (last)
			last->next = more;
		else
			l->first = more;
		l->last = last = more;
	}
	memcpy(last->data + last->used, p, n);
	last->used += (uint32_t)n;
}

/* The form in memory: a varint of the gap; its lowest bit says that the count follows. */
bool list_append_posting(struct list *l, struct arena *a, uint32_t at, uint32_t count)
{
	unsigned char bytes[2 * VARINT_MAX], *p;

	if (l->docs && at < l->next)
		return false;
	p = put_varint(bytes, (uint64_t)(at - l->next) << 1 | (count > 1));
	if (count > 1)
		p = put_varint(p, count);
	posting_put(l, a, bytes, (size_t)(p - bytes));
	l->plain = count == 1 && (l->plain || !l->docs);
	l->docs++;
	l->next = at + 1;
	return true;
}

/* Iterates over the entries of list_append_posting(). */
struct listed {
	const unsigned char *p, *end;
	const struct piece *piece;
};

static bool listed_next(struct listed *w, uint32_t *gap, uint32_t *count)
{
	uint64_t n = 0;

	if (w->p == w->end) {
		if (!w->piece)
			return false;
		w->p = w->piece->data;
		w->end = w->p + w->piece->used;
		w->piece = w->piece->next;
	}
	w->p = get_varint(w->p, w->end, &n);
	*gap = (uint32_t)(n >> 1);
	if (!(n & 1))
		n = 1;
	else if (w->p)
		w->p = get_varint(w->p, w->end, &n);
	if (!w->p)
		BUG("a list in memory is cut");
	*count = (uint32_t)n;
	return true;
}

/* Writes bits, the first bit lowest in its byte. */
struct bits {
	struct buf *out;
	uint64_t word;
	unsigned n;
};

/* n is at most 32. */
static void put_bits(struct bits *b, uint64_t value, unsigned n)
{
	b->word |= value << b->n;
	for (b->n += n; b->n >= 8; b->n -= 8, b->word >>= 8)
		buf_putc(b->out, (char)(unsigned char)b->word);
}

static void put_ones(struct bits *b, uint32_t n)
{
	for (; n > 32; n -= 32)
		put_bits(b, UINT32_MAX, 32);
	put_bits(b, (UINT64_C(1) << n) - 1, n);
}

static struct listed posting_listed(const struct list *l)
{
	return (struct listed){l->begin, l->begin + l->used, l->first};
}

static void put_rice(const struct list *l, uint32_t size, struct buf *out)
{
	unsigned low = low_bits(l->docs, size);
	struct bits b = {.out = out};
	struct listed w = posting_listed(l);
	uint32_t gap, count, many = 0;

	while (listed_next(&w, &gap, &count)) {
		put_bits(&b, gap & ((1u << low) - 1), low);
		many += count > MANY;
	}
	for (w = posting_listed(l); listed_next(&w, &gap, &count);) {
		put_ones(&b, gap >> low);
		put_bits(&b, 0, 1);
		if (!l->plain) {
			put_ones(&b, (uint32_t)size_min(count - 1, MANY));
			put_bits(&b, 0, 1);
		}
	}
	if (b.n)
		buf_putc(out, (char)(unsigned char)b.word);
	if (!many)
		return;
	memset(buf_room(out, many * sizeof(count)), 0, many * sizeof(count));
	out->n += many * sizeof(count);
	many = 0;
	for (w = posting_listed(l); listed_next(&w, &gap, &count);)
		if (count > MANY) {
			many += sizeof(count);
			for (unsigned i = 0; i < sizeof(count); i++)
				out->p[out->n - many + i] = (char)(unsigned char)(count >> 8 * i);
		}
}

static void put_plain_bits(const struct list *l, uint32_t size, struct buf *out)
{
	struct listed w = posting_listed(l);
	unsigned char *bits = memset(buf_room(out, size / 8), 0, size / 8);
	uint32_t at = 0, gap, count;

	for (; listed_next(&w, &gap, &count); at++) {
		at += gap;
		bits[at / 8] |= (unsigned char)(1u << at % 8);
	}
	out->n = size / 8;
}

/* ---- pages ---- */

struct page index_page_parse(int64_t term, struct str data, uint32_t size)
{
	const unsigned char *p = (const unsigned char *)data.p;

	return (struct page){p, p + data.n, (uint64_t)term, size, false};
}

bool index_page_next_list(struct page *p, struct entry *out)
{
	uint64_t key, docs = 0, n = 0;

	if (p->p == p->end)
		return false;
	p->p = get_varint(p->p, p->end, &key);
	if (p->p)
		p->p = get_varint(p->p, p->end, &docs);
	if (p->p)
		p->p = get_varint(p->p, p->end, &n);
	if (!p->p || !docs || docs > p->size || n % 4 > FORM_BITS ||
	    n / 4 > (uint64_t)(p->end - p->p)) {
		p->p = p->end;
		p->damaged = true;
		return false;
	}
	p->key += key;
	*out = (struct entry){p->key, (uint32_t)docs, (enum form)(n % 4), p->p, (size_t)(n / 4)};
	p->p += n / 4;
	return true;
}

void index_page_build_begin(struct page_buf *b, uint64_t key)
{
	b->first = b->key = key;
	b->data.n = 0;
}

bool index_page_fits_list(struct page_buf *b, const struct list *l, size_t most)
{
	/* For the key, which is almost random, and two numbers, which are mostly small. */
	enum { HEAD = 11 };

	b->form = l->plain ? FORM_PLAIN : FORM_COUNTS;
	b->list.n = 0;
	put_rice(l, b->size, &b->list);
	/*
	 * A bitmap is read twenty times as fast, so it may be up to four times as long. Only few
	 * lists become bitmaps: the common scopes, kinds and tags of a segment, which every query
	 * reads.
	 */
	if (l->plain && b->list.n > b->size / 32) {
		b->list.n = 0;
		put_plain_bits(l, b->size, &b->list);
		b->form = FORM_BITS;
	}
	return b->data.n + b->list.n + HEAD <= most;
}

static void put_number(struct buf *out, uint64_t n)
{
	char *room = buf_room(out, VARINT_MAX);

	out->n += (size_t)(put_varint((unsigned char *)room, n) - (unsigned char *)room);
}

void index_page_add_list(struct page_buf *b, const struct list *l)
{
	put_number(&b->data, l->key - b->key);
	put_number(&b->data, l->docs);
	put_number(&b->data, b->list.n << 2 | b->form);
	buf_put(&b->data, buf_as_str(&b->list));
	b->key = l->key;
}
