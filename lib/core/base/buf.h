/*
 * buf: a byte buffer that grows in an arena, up to a given maximum. Writing past the maximum is not
 * an error: the buffer keeps the bytes that fit and sets `cut`, so the caller checks once.
 */
#pragma once

struct buf {
	char *p;
	size_t n, cap, max;
	bool cut; /* some bytes did not fit into max */
	struct arena *arena;
};

static inline struct buf buf_with_max(struct arena *a, size_t max)
{
	return (struct buf){.max = max, .arena = a};
}
/* A buffer without a maximum: only memory limits it. */
static inline struct buf buf_in(struct arena *a)
{
	return buf_with_max(a, SIZE_MAX / 4);
}
void buf_put(struct buf *b, struct str s);
static inline void buf_puts(struct buf *b, const char *cstr)
{
	buf_put(b, str_of(cstr));
}
static inline void buf_putc(struct buf *b, char c)
{
	if (b->n < b->cap && b->n < b->max)
		b->p[b->n++] = c;
	else
		buf_put(b, (struct str){&c, 1});
}
void buf_fmt(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vfmt(struct buf *b, const char *fmt, va_list ap) PRINTF(2, 0);
/* For a function with `...` behind fmt: appends its arguments as fmt says. */
#define BUF_ARGS(b, fmt)                                                                           \
	do {                                                                                       \
		va_list ap_;                                                                       \
                                                                                                   \
		va_start(ap_, fmt);                                                                \
		buf_vfmt((b), (fmt), ap_);                                                         \
		va_end(ap_);                                                                       \
	} while (0)
/* Appends the code point as UTF-8; an invalid code point becomes U+FFFD. */
void buf_utf8(struct buf *b, uint32_t code);
/* Room for n more bytes: write them at the returned place, then add n to b->n. NULL: over max. */
char *buf_room(struct buf *b, size_t n);
/* Borrowed; valid until the next change. */
static inline struct str buf_as_str(const struct buf *b)
{
	return (struct str){b->n ? b->p : "", b->n};
}
/* As buf_as_str(), but as a C string: a NUL follows the bytes, and n does not count it. */
char *buf_as_cstr(struct buf *b);

/*
 * Decodes the backslash escapes of a text. `escape` reads the escape at *p, behind its backslash,
 * moves *p behind the escape, and appends the decoded bytes to `out`. The decoded bytes must not be
 * longer than the escape.
 */
struct err *buf_unescape(struct arena *a, struct str s,
			 struct err *(*escape)(void *ctx, const char **p, const char *end,
					       struct buf *out),
			 void *ctx, struct str *out) MUST_USE;
