/*
 * buf: bytes that grow, in an arena, up to a stated maximum. Going over the maximum is not an
 * error at once: the buffer keeps what fits and remembers that it was cut, so callers check once.
 */
#ifndef IKM_BUF_H
#define IKM_BUF_H

struct buf {
	char *p;
	size_t n, cap, max;
	bool cut; /* something did not fit into max */
	struct arena *arena;
};

/* Without a maximum other than memory. */
struct buf buf_in(struct arena *a);
struct buf buf_max(struct arena *a, size_t max);
void buf_put(struct buf *b, struct str s);
void buf_puts(struct buf *b, const char *cstr);
void buf_putc(struct buf *b, char c);
void buf_fmt(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vfmt(struct buf *b, const char *fmt, va_list ap) PRINTF(2, 0);
/* The code point as UTF-8; what is no character becomes U+FFFD. */
void buf_utf8(struct buf *b, uint32_t code);
/* Room for n more bytes; write them at the returned place, then add to b->n. NULL if over max. */
char *buf_room(struct buf *b, size_t n);
/* Borrowed; valid until the next change. */
struct str buf_str(const struct buf *b);
/* The same, with a NUL after it that is not counted. */
char *buf_c(struct buf *b);

/*
 * A text with backslashes as it is meant. `escape` takes what follows a backslash, moves *p behind
 * it, and puts what it stands for into `out`, which must not be longer than it is written.
 */
struct err *buf_unescape(struct arena *a, struct str s,
			 struct err *(*escape)(void *ctx, const char **p, const char *end,
					       struct buf *out),
			 void *ctx, struct str *out) MUST_USE;

#endif
