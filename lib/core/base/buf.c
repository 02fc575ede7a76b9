#include "base/base.h"

char *buf_room(struct buf *b, size_t n)
{
	if (n > b->max - b->n) {
		b->cut = true;
		return NULL;
	}
	if (!b->p || b->cap - b->n < n)
		b->p = arena_array_grow(b->arena, b->p, &b->cap, b->n + n + !n, 1);
	return b->p + b->n;
}

void buf_put(struct buf *b, struct str s)
{
	char *room;

	if (s.n > b->max - b->n) {
		b->cut = true;
		s.n = b->max - b->n;
	}
	if (!s.n)
		return;
	room = buf_room(b, s.n);
	if (!room)
		BUG("no room for what fits");
	memcpy(room, s.p, s.n);
	b->n += s.n;
}

void buf_vfmt(struct buf *b, const char *fmt, va_list ap)
{
	char small[512], *p = small;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	if (n < 0)
		BUG("cannot format '%s'", fmt);
	if ((size_t)n >= sizeof(small)) {
		p = arena_alloc(b->arena, (size_t)n + 1);
		vsnprintf(p, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	buf_put(b, (struct str){p, (size_t)n});
}

void buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(b, fmt, ap);
	va_end(ap);
}

void buf_utf8(struct buf *b, uint32_t c)
{
	char s[4];
	size_t n;

	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		s[0] = (char)c;
		n = 1;
	} else if (c < 0x800) {
		s[0] = (char)(0xc0 | c >> 6);
		s[1] = (char)(0x80 | (c & 0x3f));
		n = 2;
	} else if (c < 0x10000) {
		s[0] = (char)(0xe0 | c >> 12);
		s[1] = (char)(0x80 | (c >> 6 & 0x3f));
		s[2] = (char)(0x80 | (c & 0x3f));
		n = 3;
	} else {
		s[0] = (char)(0xf0 | c >> 18);
		s[1] = (char)(0x80 | (c >> 12 & 0x3f));
		s[2] = (char)(0x80 | (c >> 6 & 0x3f));
		s[3] = (char)(0x80 | (c & 0x3f));
		n = 4;
	}
	buf_put(b, (struct str){s, n});
}

char *buf_as_cstr(struct buf *b)
{
	if (b->n == b->cap)
		b->p = arena_array_grow(b->arena, b->p, &b->cap, b->n + 1, 1);
	b->p[b->n] = 0;
	return b->p;
}

struct err *buf_unescape(struct arena *a, struct str s,
			 struct err *(*escape)(void *ctx, const char **p, const char *end,
					       struct buf *out),
			 void *ctx, struct str *out)
{
	const char *p = s.p, *end = s.p + s.n;
	struct buf b = buf_with_max(a, s.n);

	/* Decoded text is never longer than escaped text, so this is all the room it needs. */
	buf_room(&b, s.n);
	while (p < end) {
		const char *stop = memchr(p, '\\', (size_t)(end - p));

		stop = stop ? stop : end;
		buf_put(&b, (struct str){p, (size_t)(stop - p)});
		p = stop;
		if (p++ < end)
			TRY(escape(ctx, &p, end, &b));
	}
	*out = buf_as_str(&b);
	return NULL;
}
