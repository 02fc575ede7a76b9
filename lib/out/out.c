#include "out/out.h"
#include "json/json.h"
#include "os/os.h"
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FLUSH_AT ((size_t)16 * 1024)

struct out {
	int fd;
	const char *shown; /* NULL: a standard stream */
	bool color, terminal;
	unsigned width;
	struct arena *a;
	char *p;
	size_t n, size;
	int error;         /* errno of the first write error */
	struct buf memory; /* the output when fd is -1 */
};

struct out *out_new(struct arena *a, int fd, enum out_color color)
{
	struct out *o = ARENA_NEW(a, struct out);
	const char *term = os_env("TERM");
	struct winsize size;

	o->fd = fd;
	o->a = a;
	o->terminal = isatty(fd);
	o->color = color == OUT_COLOR_ALWAYS;
	if (color == OUT_COLOR_AUTO)
		o->color = o->terminal && !os_env("NO_COLOR") && term && strcmp(term, "dumb");
	o->width = 80;
	if (o->terminal && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= 20)
		o->width = size.ws_col;
	return o;
}

struct out *out_file(struct arena *a, int fd, const char *shown)
{
	struct out *o = ARENA_NEW(a, struct out);

	*o = (struct out){.fd = fd, .shown = shown, .a = a, .width = 80};
	return o;
}

struct out *out_memory(struct arena *a)
{
	struct out *o = ARENA_NEW(a, struct out);

	*o = (struct out){.fd = -1, .a = a, .width = 80, .memory = buf_in(a)};
	return o;
}

struct str out_taken(const struct out *o)
{
	return buf_str(&o->memory);
}

bool out_is_terminal(const struct out *o)
{
	return o->terminal;
}

void out_raw(struct out *o, struct str s)
{
	if (o->terminal)
		out_safe(o, s, false);
	else
		out_bytes(o, s);
}

void out_path(struct out *o, struct str path, char end)
{
	if (end && str_needs_quotes(path)) {
		struct arena *a = arena_new();

		out_raw(o, str_quoted(a, path));
		arena_free(a);
	} else {
		out_raw(o, path);
	}
	out_bytes(o, (struct str){&end, 1});
}

static void out_write_all(struct out *o, struct str s)
{
	while (s.n && !o->error) {
		ssize_t n = write(o->fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			o->error = errno;
		else
			s = str_sub(s, (size_t)n, s.n);
	}
}

static void out_write_buffer(struct out *o)
{
	out_write_all(o, (struct str){o->p, o->n});
	o->n = 0;
}

void out_bytes(struct out *o, struct str s)
{
	if (o->fd < 0) {
		buf_put(&o->memory, s);
		return;
	}
	if (s.n > FLUSH_AT - o->n)
		out_write_buffer(o);
	if (s.n >= FLUSH_AT) {
		out_write_all(o, s);
		return;
	}
	if (!s.n)
		return;
	/* Grows with the output: most commands write little, and nothing to standard error. */
	if (s.n > o->size - o->n)
		o->p = arena_grow(o->a, o->p, &o->size, o->n + s.n, 1);
	memcpy(o->p + o->n, s.p, s.n);
	o->n += s.n;
}

void out_puts(struct out *o, const char *s)
{
	out_bytes(o, str_of(s));
}

void out_fmt(struct out *o, const char *fmt, ...)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	out_bytes(o, buf_str(&b));
	arena_free(a);
}

bool out_is_hidden(struct str s, size_t *n)
{
	uint32_t c = 0;

	*n = str_utf8_char(s.p, s.n, &c);
	if (!*n) {
		*n = 1;
		return true;
	}
	/* C0, DEL, C1, and the characters that change the direction of text. */
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

void out_safe(struct out *o, struct str s, bool lines)
{
	while (s.n) {
		size_t n;
		bool hide = out_is_hidden(s, &n);

		if (hide && !(lines && (s.p[0] == '\n' || s.p[0] == '\t'))) {
			for (size_t i = 0; i < n; i++)
				out_fmt(o, "\\x%02x", (unsigned char)s.p[i]);
		} else {
			out_bytes(o, str_sub(s, 0, n));
		}
		s = str_sub(s, n, s.n);
	}
}

void out_style(struct out *o, enum out_style style)
{
	static const char *const codes[] = {
		[OUT_PLAIN] = "\033[0m",  [OUT_BOLD] = "\033[1m",    [OUT_DIM] = "\033[2m",
		[OUT_RED] = "\033[1;31m", [OUT_YELLOW] = "\033[33m", [OUT_GREEN] = "\033[32m",
		[OUT_CYAN] = "\033[36m",
	};

	if (o->color)
		out_puts(o, codes[style]);
}

void out_styled(struct out *o, enum out_style style, struct str s)
{
	if (style != OUT_PLAIN)
		out_style(o, style);
	out_safe(o, s, false);
	if (style != OUT_PLAIN)
		out_style(o, OUT_PLAIN);
}

/* at: the columns of this line that are used already. */
static void out_wrap_line(struct out *o, size_t at, unsigned indent, struct str line)
{
	unsigned width = o->width > 100 ? 100 : o->width;
	struct str word;
	bool first = true;

	while (str_split(&line, ' ', &word)) {
		size_t n = out_columns(word);

		if (!n)
			continue;
		if (!first && at + 1 + n > width) {
			out_puts(o, "\n");
			at = 0;
			first = true;
		}
		if (at < indent) {
			out_fmt(o, "%*s", (int)(indent - at), "");
			at = indent;
		} else if (!first) {
			out_puts(o, " ");
			at++;
		}
		out_safe(o, word, false);
		at += n;
		first = false;
	}
	out_puts(o, "\n");
}

void out_wrapped(struct out *o, unsigned indent, struct str s)
{
	struct str line;

	while (str_line(&s, &line))
		out_wrap_line(o, 0, indent, line);
}

void out_wrapped_behind(struct out *o, unsigned indent, struct str s)
{
	size_t at = indent;
	struct str line;

	while (str_line(&s, &line)) {
		out_wrap_line(o, at, indent, line);
		at = 0;
	}
}

unsigned out_width(const struct out *o)
{
	return o->width;
}

void out_json(struct out *o, const struct val *v)
{
	struct arena *a = arena_new();
	struct buf b = buf_in(a);

	json_write(&b, v, o->terminal ? 2 : 0);
	out_bytes(o, buf_str(&b));
	out_puts(o, "\n");
	arena_free(a);
}

bool out_failed(const struct out *o)
{
	return o->error;
}

struct err *out_flush(struct out *o)
{
	out_write_buffer(o);
	if (!o->error)
		return NULL;
	if (o->shown)
		return err_errno(o->error, "write '%s'", o->shown);
	return err_errno(o->error, "write to standard %s", o->fd == 1 ? "output" : "error");
}
