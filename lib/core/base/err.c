#include "base/base.h"
#include <errno.h>
#include <pthread.h>

#define RING        32
#define MESSAGE_MAX 4608 /* a path of 4,096 bytes and a sentence */
#define POOL_MAX    6144
#define DETAILS_MAX 12
#define STEPS_MAX   6

enum detail_type { DETAIL_STR, DETAIL_INT, DETAIL_BOOL, DETAIL_LIST, DETAIL_INTS };

struct detail {
	const char *key;
	enum detail_type type;
	int64_t number;
	size_t at, n; /* bytes in the pool; a list is a run of NUL-terminated strings */
};

struct err {
	enum err_reason reason;
	size_t details, steps, pooled;
	size_t names; /* bytes of a list of parameters at the message's beginning */
	const char *null_member;
	struct detail detail[DETAILS_MAX];
	struct detail step[STEPS_MAX];
	char message[MESSAGE_MAX];
	char pool[POOL_MAX];
};

/*
 * The errors of this thread, each made when it is first used. There are more than a caller makes
 * and drops while it keeps one, as when a refused change is recorded. In an array they would take
 * 24 pages, which was a tenth of all page faults of a small command; most commands have one error,
 * that there is no repository.
 */
static _Thread_local struct {
	struct arena *a; /* NULL: no error yet */
	struct err *errs[RING];
	unsigned next;
} ring;
static pthread_key_t ring_key; /* frees the errors when a thread ends */
static pthread_once_t ring_once = PTHREAD_ONCE_INIT;

static const struct {
	const char *name, *what;
	int exit;
} codes[] = {
#define X(code, exit, what) [CODE_##code] = {#code, what, exit},
	ERR_CODES(X)
#undef X
};

static const struct {
	const char *name;
	enum err_code code;
	bool retry;
	const char *step;
} reasons[] = {
#define X(reason, code, retry, step) [E_##reason] = {#reason, CODE_##code, retry, step},
	ERR_REASONS(X)
#undef X
};

static void ring_free(void *p)
{
	arena_free(p);
}

static void ring_key_make(void)
{
	if (pthread_key_create(&ring_key, ring_free))
		BUG("no key for the errors of a thread");
}

static struct err *fresh(enum err_reason reason)
{
	struct err **place = &ring.errs[ring.next++ % RING], *e;

	if (!ring.a) {
		ring.a = arena_new();
		pthread_once(&ring_once, ring_key_make);
		if (pthread_setspecific(ring_key, ring.a))
			BUG("no room for the errors of a thread");
	}
	if (!*place)
		*place = ARENA_NEW(ring.a, struct err);
	e = *place;
	e->reason = reason;
	e->details = e->steps = e->pooled = e->names = 0;
	e->null_member = NULL;
	return e;
}

struct err *err_copy(struct arena *a, const struct err *e)
{
	struct err *copy = ARENA_NEW(a, struct err);

	*copy = *e;
	return copy;
}

/* A text that was cut must stay valid UTF-8, and must show that it was cut. */
static void mark_cut(char *s, size_t size)
{
	memcpy(s + str_utf8_head((struct str){s, size - 1}, size - 4).n, "...", 4);
}

PRINTF(2, 0)
static struct err *err_format(struct err *e, const char *fmt, va_list ap)
{
	if (vsnprintf(e->message, MESSAGE_MAX, fmt, ap) >= MESSAGE_MAX)
		mark_cut(e->message, MESSAGE_MAX);
	return e;
}

struct err *err_new(enum err_reason reason, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_format(fresh(reason), fmt, ap);
	va_end(ap);
	return e;
}

struct err *err_for_param(enum err_reason reason, struct str parameter, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_format(fresh(reason), fmt, ap);
	va_end(ap);
	return err_add_detail(e, "parameter", parameter);
}

struct err *err_new_at_line(enum err_reason reason, struct place at, const char *fmt, va_list ap)
{
	struct err *e = fresh(reason);
	int n = snprintf(e->message, MESSAGE_MAX, "line %zu, column %zu: ", at.line, at.column);

	if (vsnprintf(e->message + n, MESSAGE_MAX - (size_t)n, fmt, ap) >= MESSAGE_MAX - n)
		mark_cut(e->message, MESSAGE_MAX);
	return err_detail_int(err_detail_int(e, "line", (int64_t)at.line), "column",
			      (int64_t)at.column);
}

static enum err_reason errno_reason(int errnum)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR: return E_FILE_NOT_FOUND;
	case EACCES:
	case EPERM: return E_PERMISSION;
	case EROFS: return E_READ_ONLY;
	case ENOSPC:
	case EFBIG: /* the system's limit on the size of a file, not a limit of ikm */
	case EDQUOT: return E_NO_SPACE;
	case EPIPE: return E_CLOSED_PIPE;
	case ENOMEM: return E_OUT_OF_MEMORY;
	case EMFILE:
	case ENFILE: return E_TOO_MANY_FILES;
	case EOVERFLOW: return E_TOO_BIG;
	case EISDIR: return E_NOT_A_FILE;
	case EEXIST:
	case ENOTEMPTY: return E_EXISTS;
	case ELOOP:
	case ENAMETOOLONG:
	case EINVAL: return E_BAD_PATH;
	case ETIMEDOUT: return E_TOOK_TOO_LONG;
	default: return E_IO_ERROR;
	}
}

struct err *err_errno(int errnum, const char *fmt, ...)
{
	struct err *e = fresh(errno_reason(errnum));
	const size_t why = 128; /* room for the system's message */
	va_list ap;
	int n;

	memcpy(e->message, "cannot ", 7);
	va_start(ap, fmt);
	n = vsnprintf(e->message + 7, MESSAGE_MAX - 7 - why, fmt, ap);
	va_end(ap);
	n = n < 0 ? 0 : (int)size_min((size_t)n, MESSAGE_MAX - 8 - why);
	/* %m, because two incompatible strerror_r() exist: _GNU_SOURCE and the libc choose. */
	errno = errnum;
	snprintf(e->message + 7 + n, MESSAGE_MAX - 7 - (size_t)n,
		 errnum == ENOMEM ? ": out of memory" : ": %m");
	return e;
}

struct err *err_exclusive(const char *const *names, size_t n)
{
	char text[MESSAGE_MAX] = "";
	const char *last = NULL;
	size_t given = 0, used = 0;
	struct err *e;

	for (size_t i = 0; i < n; i++)
		if (names[i]) {
			last = names[i];
			given++;
		}
	if (given < 2)
		return NULL;
	for (size_t i = 0, k = 0; i < n && used < sizeof(text); i++)
		if (names[i]) {
			const char *joint = !k ? "" : k + 1 == given ? " and " : ", ";

			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", joint,
						 names[i]);
			k++;
		}
	e = err_for_param(E_BAD_ARGUMENT, str_of(last), "%s cannot be used together", text);
	e->names = size_min(used, strlen(e->message));
	return err_help(e, "give one of them");
}

struct err *err_wrong_type(struct str shown, const char *want, const char *found)
{
	return err_for_param(E_WRONG_TYPE, shown, "%.*s must be %s, not %s", STR_ARG(shown), want,
			     found);
}

struct err *err_not_in_enum(struct arena *a, struct str shown, struct str found,
			    const char *const *choices)
{
	struct strs all = strs_of(a, choices);
	struct err *e =
		err_for_param(E_NOT_IN_ENUM, shown, "%.*s is '%.*s'; allowed: %.*s", STR_ARG(shown),
			      STR_ARG(found), STR_ARG(str_join(a, &all, ", ")));

	return err_detail_list(e, "allowed", &all);
}

struct err *err_missing(struct arena *a, struct str shown, const char *help,
			const char *const *choices)
{
	struct strs all = choices ? strs_of(a, choices) : (struct strs){0};

	return err_for_param(E_MISSING_PARAMETER, shown, "%.*s is missing: %s%s%.*s",
			     STR_ARG(shown), help, all.n ? "; allowed: " : "",
			     STR_ARG(str_join(a, &all, ", ")));
}

struct err *err_add_context(struct err *e, const char *fmt, ...)
{
	char what[MESSAGE_MAX];
	size_t n, old = strlen(e->message);
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(what, sizeof(what) - 2, fmt, ap);
	va_end(ap);
	n = len < 0 ? 0 : size_min((size_t)len, sizeof(what) - 3);
	memcpy(what + n, ": ", 2);
	n = size_min(n + 2, MESSAGE_MAX - 1);
	if (old > MESSAGE_MAX - 1 - n)
		old = MESSAGE_MAX - 1 - n;
	memmove(e->message + n, e->message, old);
	memcpy(e->message, what, n);
	e->message[n + old] = 0;
	if (n + old == MESSAGE_MAX - 1)
		mark_cut(e->message, MESSAGE_MAX);
	return e;
}

static void pool_put(struct err *e, struct detail *d, struct str s)
{
	size_t room = POOL_MAX - e->pooled;

	if (!room)
		return;
	s.n = size_min(s.n, room - 1);
	if (s.n)
		memcpy(e->pool + e->pooled, s.p, s.n);
	e->pool[e->pooled + s.n] = 0;
	d->n += s.n + 1;
	e->pooled += s.n + 1;
}

static struct detail *detail_new(struct err *e, const char *key, enum detail_type type)
{
	static _Thread_local struct detail spare;
	struct detail *d = e->details < DETAILS_MAX ? &e->detail[e->details++] : &spare;

	*d = (struct detail){.key = key, .type = type, .at = e->pooled};
	return d;
}

struct err *err_add_detail(struct err *e, const char *key, struct str value)
{
	pool_put(e, detail_new(e, key, DETAIL_STR), value);
	return e;
}

struct err *err_detail_int(struct err *e, const char *key, int64_t value)
{
	detail_new(e, key, DETAIL_INT)->number = value;
	return e;
}

struct err *err_detail_bool(struct err *e, const char *key, bool value)
{
	detail_new(e, key, DETAIL_BOOL)->number = value;
	return e;
}

struct err *err_detail_ints(struct err *e, const char *key, const int64_t *values, size_t n)
{
	struct detail *d = detail_new(e, key, DETAIL_INTS);
	char text[24];

	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%lld", (long long)values[i]);
		pool_put(e, d, str_of(text));
	}
	return e;
}

struct err *err_detail_list(struct err *e, const char *key, const struct strs *values)
{
	struct detail *d = detail_new(e, key, DETAIL_LIST);

	for (size_t i = 0; i < values->n; i++)
		pool_put(e, d, values->p[i]);
	return e;
}

struct err *err_help(struct err *e, const char *fmt, ...)
{
	char step[1024];
	struct detail *d;
	va_list ap;

	if (e->steps == STEPS_MAX)
		return e;
	d = &e->step[e->steps++];
	*d = (struct detail){.at = e->pooled};
	va_start(ap, fmt);
	if (vsnprintf(step, sizeof(step), fmt, ap) >= (int)sizeof(step))
		mark_cut(step, sizeof(step));
	va_end(ap);
	pool_put(e, d, str_of(step));
	return e;
}

static struct str pool_get(const struct err *e, const struct detail *d)
{
	return (struct str){e->pool + d->at, d->n ? d->n - 1 : 0};
}

static bool err_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || c == '\'';
}

/* The name as a whole word. An apostrophe counts as a letter: a name in quotes is user input. */
static bool is_name_at(struct str s, struct str name, size_t at)
{
	return str_starts(str_sub(s, at, s.n), name) && (!at || !err_is_word(s.p[at - 1])) &&
	       (at + name.n == s.n || !err_is_word(s.p[at + name.n]));
}

/* Replaces n bytes at `at` by `as`. When the new text does not fit, the old text stays. */
static void err_replace(struct err *e, struct detail *d, size_t at, size_t n, struct str as)
{
	struct str s = pool_get(e, d);
	size_t from = e->pooled, size = s.n - n + as.n;

	if (size + 1 > POOL_MAX - from)
		return;
	memcpy(e->pool + from, s.p, at);
	memcpy(e->pool + from + at, as.p, as.n);
	memcpy(e->pool + from + at + as.n, s.p + at + n, s.n - at - n);
	e->pool[from + size] = 0;
	d->at = from;
	d->n = size + 1;
	e->pooled += size + 1;
}

static bool rename_message(struct err *e, struct str name, struct str as, size_t at)
{
	size_t n = strlen(e->message);

	if (!is_name_at((struct str){e->message, n}, name, at) || n - name.n + as.n >= MESSAGE_MAX)
		return false;
	memmove(e->message + at + as.n, e->message + at + name.n, n - at - name.n + 1);
	memcpy(e->message + at, as.p, as.n);
	return true;
}

void err_param_rename(struct err *e, struct str name, struct str as)
{
	bool no_word = false;

	for (size_t i = 0; i < name.n; i++)
		no_word |= name.p[i] >= 'A' && name.p[i] <= 'Z';
	for (size_t i = 0; i < e->details; i++) {
		struct detail *d = &e->detail[i];

		if (d->type != DETAIL_STR || strcmp(d->key, "parameter") ||
		    !str_eq(pool_get(e, d), name))
			continue;
		err_replace(e, d, 0, name.n, as);
		if (!e->names)
			rename_message(e, name, as, 0);
	}
	for (size_t at = 0; at < e->names; at++)
		if ((!at || e->message[at - 1] != '-') && rename_message(e, name, as, at)) {
			e->names += as.n - name.n;
			break;
		}
	for (size_t i = 0; no_word && i < e->steps; i++)
		for (size_t at = 0; at < pool_get(e, &e->step[i]).n; at++)
			if (is_name_at(pool_get(e, &e->step[i]), name, at)) {
				err_replace(e, &e->step[i], at, name.n, as);
				break;
			}
}

bool err_has_help(const struct err *e)
{
	return e->steps > 0;
}

void err_help_rewrite(struct err *e, struct arena *a,
		      struct str (*map)(struct arena *a, const void *ctx, struct str step),
		      const void *ctx)
{
	for (size_t i = 0; i < e->steps; i++) {
		struct str step = pool_get(e, &e->step[i]), as = map(a, ctx, step);

		if (!str_eq(step, as))
			err_replace(e, &e->step[i], 0, step.n, as);
	}
}

struct err *err_add_null_member(struct err *e, const char *member)
{
	e->null_member = member;
	return e;
}

enum err_reason err_reason(const struct err *e)
{
	return e->reason;
}

enum err_code err_code(const struct err *e)
{
	return reasons[e->reason].code;
}

const char *err_message(const struct err *e)
{
	return e->message;
}

const char *err_reason_name(enum err_reason r)
{
	return reasons[r].name;
}

const char *err_reason_help_step(enum err_reason r)
{
	return reasons[r].step;
}

const char *err_code_name(enum err_code c)
{
	return codes[c].name;
}

const char *err_code_what(enum err_code c)
{
	return codes[c].what;
}

int err_exit(enum err_code c)
{
	return codes[c].exit;
}

bool err_retryable(const struct err *e)
{
	return reasons[e->reason].retry;
}

size_t err_code_count(void)
{
	return ARRAY_SIZE(codes);
}

static struct val *pooled(struct arena *a, const struct err *e, const struct detail *d)
{
	struct str all = {e->pool + d->at, d->n}, part;
	struct val *list;

	if (d->type == DETAIL_INT)
		return val_int(a, d->number);
	if (d->type == DETAIL_STR)
		return val_str(a, str_utf8(a, str_dup(a, pool_get(e, d))));
	if (d->type == DETAIL_BOOL)
		return val_bool(a, d->number);
	list = val_list(a);
	while (str_next_part(&all, 0, &part)) {
		int64_t n;

		if (d->type == DETAIL_INTS && str_int(part, &n))
			val_add(list, val_int(a, n));
		else
			val_add(list, val_str(a, str_utf8(a, str_dup(a, part))));
	}
	return list;
}

struct val *err_envelope(struct arena *a, const struct err *e)
{
	struct val *v = val_map(a), *details = val_map(a);
	struct str code = str_of(err_code_name(err_code(e)));
	struct str message = str_utf8(a, str_dup(a, str_of(e->message)));

	val_set(a, v, "success", val_bool(a, false));
	val_set(a, v, "errorCode", val_str(a, code));
	val_set(a, v, "message", val_str(a, message));
	val_set(a, details, "reason", val_str(a, str_of(reasons[e->reason].name)));
	for (size_t i = 0; i < e->details; i++)
		val_set(a, details, e->detail[i].key, pooled(a, e, &e->detail[i]));
	val_set(a, v, "details", details);
	val_set(a, v, "retryable", val_bool(a, reasons[e->reason].retry));
	val_set(a, v, "error", val_str(a, message));
	val_set(a, v, "error_code", val_str(a, code));
	if (e->null_member)
		val_set(a, v, e->null_member, val_null(a));
	if (e->steps) {
		struct val *help = val_map(a), *steps = val_list(a);

		for (size_t i = 0; i < e->steps; i++)
			val_add(steps, pooled(a, e, &e->step[i]));
		val_set(a, help, "steps", steps);
		val_set(a, v, "help", help);
	}
	return v;
}
