#include "out/out.h"
#include "json/json.h"
#include "os/os.h"
#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FLUSH_AT ((size_t)16 * 1024)
#define HELD_MAX ((size_t)1 << 20)

struct out {
	int fd, terminal_fd;
	const char *shown; /* NULL: a standard stream */
	bool color, terminal;
	unsigned width;
	struct arena *a;
	char *p;
	size_t n, size;
	int error;                            /* errno of the first write error */
	bool held;                            /* the output goes to `memory` until out_release() */
	bool pages;                           /* may start a pager */
	struct arena *pager;                  /* of the running pager; NULL: none runs */
	void (*on_int)(int), (*on_quit)(int); /* what the signals did before the pager */
	bool dropped;                         /* there was more than HELD_MAX of it */
	struct buf memory;                    /* the output when fd is -1, and when it is held */
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

struct out *out_new_to_file(struct arena *a, int fd, const char *shown)
{
	struct out *o = ARENA_NEW(a, struct out);

	*o = (struct out){.fd = fd, .shown = shown, .a = a, .width = 80};
	return o;
}

struct out *out_new_in_memory(struct arena *a)
{
	struct out *o = ARENA_NEW(a, struct out);

	*o = (struct out){.fd = -1, .a = a, .width = 80, .memory = buf_in(a)};
	return o;
}

struct str out_text_so_far(const struct out *o)
{
	return buf_as_str(&o->memory);
}

bool out_is_terminal(const struct out *o)
{
	return o->terminal;
}

void out_safe_if_terminal(struct out *o, struct str s)
{
	if (o->terminal)
		out_safe(o, s, false);
	else
		out_bytes_unchanged(o, s);
}

void out_path(struct out *o, struct str path, char end)
{
	if (end && str_needs_quotes(path)) {
		struct arena *a = arena_new();

		out_safe_if_terminal(o, str_quoted(a, path));
		arena_free(a);
	} else {
		out_safe_if_terminal(o, path);
	}
	out_bytes_unchanged(o, (struct str){&end, 1});
}

/* Whether the text fits on the terminal. A long line counts as several; escapes count too. */
static bool out_fits(const struct out *o, struct str s)
{
	struct winsize size = {0};
	size_t rows = 1, most;
	struct str line;

	most = !ioctl(o->fd, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
	while (rows <= most && str_next_line(&s, &line))
		rows += line.n / o->width + 1;
	return rows <= most;
}

static const char *out_pager_name(void)
{
	static const char *const names[] = {"IKM_PAGER", "PAGER"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (getenv(names[i]))
			return str_is(str_of(getenv(names[i])), "cat") ? "" : getenv(names[i]);
	return "less";
}

static void out_pager_end(void *ctx)
{
	struct out *o = ctx;

	if (!o->pager)
		return;
	arena_free(o->pager);
	o->pager = NULL;
	progress_clear(false);
	o->fd = o->terminal_fd;
	signal(SIGINT, o->on_int);
	signal(SIGQUIT, o->on_quit);
}

/* Plain words need no shell, so a program that is missing is known before output goes to it. */
static const char *const *out_pager_command(struct arena *a, const char *name)
{
	const char **argv = arena_array(a, strlen(name) + 4, sizeof(*argv));
	struct str rest = str_of(name), word;
	size_t n = 0;

	if (strpbrk(name, "\t\n|&;<>()$`\\\"'*?[#~=%")) {
		argv[0] = "sh";
		argv[1] = "-c";
		argv[2] = name;
		return argv;
	}
	while (str_next_part(&rest, ' ', &word))
		if (word.n)
			argv[n++] = str_c(a, word);
	return argv;
}

/* A pager that cannot be started is reported when the user has chosen it. */
static void out_pager_start(struct out *o)
{
	const char *name = out_pager_name(), *env[3] = {NULL};
	struct os_spawn s = {.inherit_out = true, .foreground = true, .env = env};
	struct os_coprocess *p;
	size_t n = 0;
	struct err *e;

	o->pages = false;
	if (!*name)
		return;
	if (!os_env("LESS"))
		env[n++] = "LESS=FRX";
	if (!os_env("LV"))
		env[n++] = "LV=-c";
	o->pager = arena_new();
	s.argv = out_pager_command(o->pager, name);
	e = os_coprocess_new(o->pager, &s, &p);
	if (e) {
		if (strcmp(name, "less"))
			fprintf(stderr, "ikm: the pager does not work: %s\n", err_message(e));
		arena_free(o->pager);
		o->pager = NULL;
		return;
	}
	/* The keys are the pager's: its user leaves it, and then ikm ends. */
	o->on_int = signal(SIGINT, SIG_IGN);
	o->on_quit = signal(SIGQUIT, SIG_IGN);
	progress_clear(true);
	o->terminal_fd = o->fd;
	o->fd = p->to;
	arena_defer(o->a, out_pager_end, o);
}

static void out_write_all(struct out *o, struct str s)
{
	if (o->pages && !out_fits(o, s))
		out_pager_start(o);
	if (o->terminal && s.n && !o->pager)
		progress_clear(false);
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

void out_bytes_unchanged(struct out *o, struct str s)
{
	if (o->held && s.n > HELD_MAX - o->memory.n) {
		o->dropped = true;
		return;
	}
	if (o->fd < 0 || o->held) {
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
		o->p = arena_array_grow(o->a, o->p, &o->size, o->n + s.n, 1);
	memcpy(o->p + o->n, s.p, s.n);
	o->n += s.n;
}

void out_puts(struct out *o, const char *s)
{
	out_bytes_unchanged(o, str_of(s));
}

void out_fmt(struct out *o, const char *fmt, ...)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	BUF_ARGS(&b, fmt);
	out_bytes_unchanged(o, buf_as_str(&b));
}

bool out_hides_char(struct str s, size_t *n)
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
		bool hide = out_hides_char(s, &n);

		if (hide && !(lines && (s.p[0] == '\n' || s.p[0] == '\t'))) {
			for (size_t i = 0; i < n; i++)
				out_fmt(o, "\\x%02x", (unsigned char)s.p[i]);
		} else {
			out_bytes_unchanged(o, str_sub(s, 0, n));
		}
		s = str_sub(s, n, s.n);
	}
}

void out_safe_line(struct out *o, struct str s)
{
	out_safe(o, s, false);
	out_puts(o, "\n");
}

void out_set_style(struct out *o, enum out_style style)
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
		out_set_style(o, style);
	out_safe(o, s, false);
	if (style != OUT_PLAIN)
		out_set_style(o, OUT_PLAIN);
}

/* at: the columns of the first line that are used already. */
static void out_wrap(struct out *o, size_t at, unsigned indent, struct str s)
{
	unsigned width = o->width > 100 ? 100 : o->width;
	struct str line, word;

	for (; str_next_line(&s, &line); at = 0) {
		bool first = true;

		while (str_next_part(&line, ' ', &word)) {
			size_t n = out_text_width(word);

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
}

void out_wrapped(struct out *o, unsigned indent, struct str s)
{
	out_wrap(o, 0, indent, s);
}

void out_wrapped_behind(struct out *o, unsigned indent, struct str s)
{
	out_wrap(o, indent, indent, s);
}

unsigned out_width(const struct out *o)
{
	return o->width;
}

void out_json(struct out *o, const struct val *v)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	json_write(&b, v, o->terminal ? 2 : 0);
	out_bytes_unchanged(o, buf_as_str(&b));
	out_puts(o, "\n");
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
	return err_errno(o->error, "write to standard %s",
			 o->fd != STDERR_FILENO ? "output" : "error");
}

void out_hold(struct out *o)
{
	o->memory = buf_in(o->a);
	o->held = true;
}

void out_release(struct out *o)
{
	if (!o->held)
		return;
	o->held = false;
	out_bytes_unchanged(o, buf_as_str(&o->memory));
	if (o->dropped) {
		out_write_buffer(o);
		fprintf(stderr,
			"ikm: with -q ikm keeps %zu bytes of text; run the command without -q "
			"for all of it\n",
			HELD_MAX);
	}
}

void out_paging_begin(struct out *o)
{
	const char *term = os_env("TERM");

	o->pages = o->terminal && term && strcmp(term, "dumb");
}

struct err *out_paging_end(struct out *o)
{
	struct err *e = out_flush(o);

	out_pager_end(o);
	return e;
}
