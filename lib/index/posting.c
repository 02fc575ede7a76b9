/*
 * Posting lists: varints of the gap to the document before and the count, or a bit for each number.
 * A list never begins with a zero in two bytes, so that is what bits begin with.
 */
#include "base/base.h"
#include "index/internal.h"

static const unsigned char bits_mark[2] = {0x80, 0x00};

struct postings postings_read(struct str data, uint32_t size)
{
	struct postings r = {.p = (const unsigned char *)data.p, .size = size};

	r.end = r.p + data.n;
	r.bits = data.n >= 2 && !memcmp(r.p, bits_mark, 2);
	if (r.bits) {
		r.p += 2;
		if ((size_t)(r.end - r.p) * 8 != size)
			r = (struct postings){.damaged = true};
	}
	return r;
}

bool postings_next_bit(struct postings *r, uint32_t *at)
{
	while (!r->word) {
		if (r->p == r->end)
			return false;
		r->word = get_u64(r->p);
		r->p += 8;
		r->next += 64;
	}
	*at = r->next - 64 + (uint32_t)__builtin_ctzll(r->word);
	r->word &= r->word - 1;
	return true;
}

/* ---- making ---- */

struct piece {
	struct piece *next;
	uint32_t used, size;
	unsigned char data[];
};

enum { PIECE_LEAST = 32, PIECE_MOST = 4096 };

static void put(struct list *l, struct arena *a, const unsigned char *p, size_t n)
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

bool list_add(struct list *l, struct arena *a, uint32_t at, uint32_t count)
{
	unsigned char bytes[2 * VARINT_MAX], *p;

	if (l->docs && at < l->next)
		return false;
	p = put_varint(bytes, (uint64_t)(at - l->next) << 2 | (size_min(count, 4) - 1));
	if (count >= 4)
		p = put_varint(p, count - 4);
	put(l, a, bytes, (size_t)(p - bytes));
	l->plain = count == 1 && (l->plain || !l->docs);
	l->docs++;
	l->next = at + 1;
	return true;
}

void list_bytes(const struct list *l, uint32_t size, struct buf *out)
{
	out->n = 0;
	buf_put(out, (struct str){(const char *)l->begin, l->used});
	for (const struct piece *p = l->first; p; p = p->next)
		buf_put(out, (struct str){(const char *)p->data, p->used});
	if (l->plain && l->n > size / 8 + sizeof(bits_mark)) {
		struct postings r = postings_read(buf_str(out), size);
		size_t n = sizeof(bits_mark) + size / 8;
		unsigned char *bits = memset(buf_room(out, n), 0, n);
		uint32_t at, count;

		memcpy(bits, bits_mark, sizeof(bits_mark));
		while (postings_next(&r, &at, &count))
			bits[2 + at / 8] |= (unsigned char)(1u << (at % 8));
		memmove(out->p, bits, n);
		out->n = n;
	}
}
