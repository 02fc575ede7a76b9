/*
 * Matching with PCRE2. Three things make it fast and safe. A pattern's JIT code is made at its
 * first use, because making it costs more than scanning a small file. When a required literal is
 * not at the start of a match, only the text around the literal is tried. A long search is cut into
 * runs, and the clock is checked between them.
 */
#include "re/internal.h"
#include <pthread.h>
#include <stdatomic.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define NEST_MAX     200
#define STACK_MIN    ((size_t)32 << 10)
#define STACK_MAX    ((size_t)16 << 20)
#define HEAP_KIB     20000
#define DEPTH_LIMIT  100000
#define STEPS_MAX    10000000 /* the default of PCRE2; some 60 ms of JIT code */
#define STEPS_FEW    100000
#define MORE_STEPS   4                  /* the factor when the steps were not enough */
#define WORK_PER_RUN ((size_t)50000000) /* starts times length: the normal work of one run */
#define SOME_STARTS  ((size_t)4)
#define LONG_TEXT    ((size_t)64 << 10)
#define QUICK_NS     2000000
#define BUDGET_NS    ((uint64_t)200000000)
#define NS_PER_BYTE  25 /* added to the budget: 40 MB/s is slow, but no hang */

struct re {
	pcre2_code *code;
	struct str pattern;
	unsigned flags;
	struct required needs;
	bool by_line;         /* match each line alone: the pattern could see other lines */
	pthread_mutex_t lock; /* locks the making of what follows */
	atomic_bool made_finder, made_jit;
	struct arena *own;     /* of the finder */
	struct finder *finder; /* NULL: try every start */
	bool jit;
};

struct re_work {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	/* The time spent on one pattern and text, over all calls that continue in that text. */
	const struct re *re;
	const char *text;
	size_t n, reached;
	size_t left, run; /* run: starts between two clock checks; left: until the next */
	bool looked;
	uint32_t options;
	uint64_t spent, budget, since; /* nanoseconds; since: the last check, or 0 */
	uint64_t cpu;                  /* the thread's processor time at the beginning, about */
};

/* ---- compiling ---- */

static void free_code(void *p)
{
	pcre2_code_free(p);
}

/* Looks for a verb like (*NO_JIT). Verbs stand at the start of a pattern, one after the other. */
static bool has_verb(struct str pattern, struct str verb)
{
	while (str_starts(pattern, STR("(*"))) {
		size_t end = str_find_char(pattern, ')', 0);

		if (str_starts(pattern, verb))
			return true;
		if (end == SIZE_MAX)
			return false;
		pattern = str_sub(pattern, end + 1, pattern.n);
	}
	return false;
}

/* True for ASCII other than letters and digits: after a backslash it stands for itself. */
static bool is_special(char c)
{
	return (unsigned char)c < 128 && !ascii_is_digit(c) && !ascii_is_lower(c) &&
	       !(c >= 'A' && c <= 'Z');
}

/* The end of a group that begins at `at` and has no pattern: a class, a quote, a comment. */
static size_t re_skip(struct str p, size_t at)
{
	size_t end = at + 1, head;

	if (str_starts(str_sub(p, at, p.n), STR("\\Q")))
		end = str_find(p, STR("\\E"), at);
	else if (str_starts(str_sub(p, at, p.n), STR("(?#")))
		end = str_find_char(p, ')', at);
	if (end != at + 1 || p.p[at] != '[')
		return end == SIZE_MAX ? p.n : end;
	end += end < p.n && p.p[end] == '^';
	for (head = end; end < p.n && (p.p[end] != ']' || end == head); end++) {
		if (p.p[end] == '\\')
			end++;
		else if (str_starts(str_sub(p, end, p.n), STR("[:")))
			end = size_min(str_find(p, STR(":]"), end), p.n - 1);
	}
	return size_min(end + 1, p.n);
}

/* Whether a class names the LF, and so may stand for a line end. */
static bool re_class_has_lf(struct str class)
{
	static const struct str lf[] = {STR_INIT("\n"), STR_INIT("\\n"), STR_INIT("\\s\\S"),
					STR_INIT("\\S\\s")};
	bool has = false;

	for (size_t i = 0; i < ARRAY_SIZE(lf); i++)
		has = has || str_find(class, lf[i], 0) != SIZE_MAX;
	return has && str_starts(class, STR("[")) && !str_starts(class, STR("[^"));
}

/* The end of the text in the group whose text begins at `at`. */
static size_t re_group_end(struct str p, size_t at)
{
	size_t depth = 1;

	for (; at < p.n; at = re_skip(p, at)) {
		struct str rest = str_sub(p, at, p.n);

		if (rest.p[0] == '\\' && !str_starts(rest, STR("\\Q")))
			at++;
		else if (rest.p[0] == ')' && !--depth)
			return at;
		depth += rest.p[0] == '(' && !str_starts(rest, STR("(?#"));
	}
	return p.n;
}

/* What an LF of the pattern stands for. */
enum re_lf { RE_LF_ANY, RE_LF_ALONE, RE_LF_CR };

struct re_crlf {
	struct buf b;
	bool literal, spaced;
	bool ends;    /* change "$" too */
	bool changed; /* the pattern asks for a line end */
};

static void re_put_crlf(struct re_crlf *c, struct str pattern, enum re_lf as)
{
	for (size_t i = 0, next; i < pattern.n; i = next) {
		struct str rest = str_sub(pattern, i, pattern.n);
		bool escape = !c->literal && rest.p[0] == '\\' && rest.n > 1, lf;

		next = i + 1 + escape;
		if (escape && str_ieq(str_sub(rest, 1, 4), STR("x0a")))
			next = i + strlen("\\x0a");
		lf = (rest.p[0] == '\n' && !c->spaced) ||
		     (escape && (rest.p[1] == 'n' || next > i + 2));
		if (!c->literal && !lf) {
			if (rest.p[0] == '[' || str_starts(rest, STR("\\Q")) ||
			    str_starts(rest, STR("(?#")))
				next = re_skip(pattern, i);
			lf = re_class_has_lf(str_sub(pattern, i, next));
		}
		rest = str_sub(pattern, i, next);
		c->changed |= lf;
		if (lf && as != RE_LF_ALONE) {
			buf_puts(&c->b, as == RE_LF_CR ? "\\r\\n" : "(?:\\r\\n|");
			buf_put(&c->b, as == RE_LF_CR ? STR("") : rest);
			buf_puts(&c->b, as == RE_LF_CR ? "" : ")");
		} else if (c->literal) {
			buf_fmt(&c->b, "%s%c", is_special(rest.p[0]) ? "\\" : "", rest.p[0]);
		} else if (rest.p[0] == '$' && c->ends) {
			buf_puts(&c->b, "(?=\\r?$)");
			c->changed = true;
		} else if (as == RE_LF_ANY && i + 3 < pattern.n &&
			   str_starts(str_sub(pattern, i, pattern.n), STR("(?<")) &&
			   memchr("=!*", pattern.p[i + 3], 3)) {
			struct re_crlf has = {.b = c->b, .ends = c->ends, .spaced = c->spaced};
			char kind = pattern.p[i + 3], behind = kind == '!' ? '=' : kind;

			next = re_group_end(pattern, i + 4);
			rest = str_sub(pattern, i + 4, next);
			/* One for each end of a line, whose groups have the same numbers. */
			buf_fmt(&has.b, "(?%c(?|(?<%c", kind, behind);
			re_put_crlf(&has, rest, RE_LF_ALONE);
			buf_fmt(&has.b, ")|(?<%c", behind);
			re_put_crlf(&has, rest, RE_LF_CR);
			buf_puts(&has.b, "))");
			if (has.changed)
				c->b = has.b;
			else
				buf_put(&c->b, str_sub(pattern, i, next));
			c->changed |= has.changed;
		} else {
			buf_put(&c->b, rest);
		}
	}
}

/*
 * The pattern for RE_CRLF, the same one when it asks for no line end. ends: change "$" too. A
 * pattern that is plain text becomes a regular expression when it has an LF.
 */
static struct str re_with_crlf(struct arena *a, struct str pattern, bool *literal, bool ends)
{
	struct re_crlf c = {.b = buf_in(a),
			    .literal = *literal,
			    .spaced = !*literal && str_holds(pattern, "(?x"),
			    .ends = ends};

	re_put_crlf(&c, pattern, RE_LF_ANY);
	if (!c.changed)
		return pattern;
	*literal = false;
	return buf_as_str(&c.b);
}

/*
 * Wraps the pattern for RE_WORD: no word character may stand next to the match. PCRE2's own option
 * requires \b, but "--all" never begins at a \b. That option is for patterns that cannot be put
 * into a group safely.
 */
static struct str as_words(struct arena *a, struct str pattern, bool literal,
			   const struct required *needs)
{
	struct buf b = buf_in(a);

	buf_puts(&b, "(?<!\\w)(?:");
	for (size_t i = 0; i < pattern.n; i++) {
		if (literal && is_special(pattern.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, pattern.p[i]);
	}
	if (needs->in_quote)
		buf_puts(&b, "\\E");
	/* The LF ends a comment of (?x). */
	buf_puts(&b, needs->extended ? "\n)(?!\\w)" : ")(?!\\w)");
	return buf_as_str(&b);
}

static struct err *re_compile(struct re *re, struct str pattern, uint32_t options, uint32_t extra)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_SIZE at = 0;
	int code = PCRE2_ERROR_NOMEMORY;
	char why[256] = "";
	struct err *e;

	re->code = NULL;
	if (context) {
		pcre2_set_newline(context, re->flags & RE_ANY_END ? PCRE2_NEWLINE_ANYCRLF
								  : PCRE2_NEWLINE_LF);
		pcre2_set_parens_nest_limit(context, NEST_MAX);
		pcre2_set_compile_extra_options(context, extra);
		re->code = pcre2_compile((PCRE2_SPTR)(pattern.p ? pattern.p : ""), pattern.n,
					 options, &code, &at, context);
		pcre2_compile_context_free(context);
	}
	if (re->code)
		return NULL;
	if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
		out_of_memory(pattern.n);
	pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why));
	e = err_new(E_BAD_PATTERN, "regular expression '%.*s' is wrong at offset %zu: %s",
		    (int)size_min(pattern.n, 200), pattern.p ? pattern.p : "", at, why);
	err_add_detail(e, "pattern", pattern);
	return err_detail_int(e, "offset", (int64_t)at);
}

static struct finder *own_finder(const struct re *re)
{
	const struct required *needs = &re->needs;
	struct owned_lit *lits;

	/* PCRE2 is as fast when a single literal starts the match. */
	if (re->flags & RE_WHOLE || !needs->lits.n || needs->moves ||
	    (needs->before == 0 && needs->lits.n == 1))
		return NULL;
	lits = arena_array(re->own, needs->lits.n, sizeof(*lits));
	for (size_t i = 0; i < needs->lits.n; i++)
		lits[i].lit = needs->lits.p[i];
	return finder_new(re->own, lits, needs->lits.n);
}

struct err *re_new(struct arena *a, struct str pattern, unsigned flags, struct re **out)
{
	struct re *re = ARENA_NEW(a, struct re);
	bool literal = flags & RE_LITERAL, plain = literal;
	struct str whole = pattern;
	struct err *e;
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT;

	if (pattern.n > RE_PATTERN_MAX)
		return err_new(E_TOO_LONG,
			       "a regular expression of %zu bytes is too long; at most %zu are "
			       "allowed",
			       pattern.n, RE_PATTERN_MAX);
	if (!(flags & RE_LITERAL) && has_verb(pattern, STR("(*NO_JIT)")))
		return err_help(
			err_new(E_BAD_PATTERN,
				"regular expression '%.*s': (*NO_JIT) is not allowed, because "
				"ikm cannot limit the time of a pattern without JIT code",
				STR_ARG(pattern)),
			"leave out (*NO_JIT)");
	re->pattern = str_dup(a, pattern);
	/* "$" is no assertion that looks at other lines, so what is required comes from its own
	 * form. */
	if (flags & RE_CRLF) {
		whole = re_with_crlf(a, pattern, &literal, true);
		if (whole.p != pattern.p)
			pattern = re_with_crlf(a, pattern, &plain, false);
	}
	options |= literal ? PCRE2_LITERAL : PCRE2_NEVER_BACKSLASH_C;
	if (flags & RE_ICASE)
		options |= PCRE2_CASELESS;
	if (flags & (RE_MULTILINE | RE_LINES) && !literal)
		options |= PCRE2_MULTILINE;
	if (flags & RE_WHOLE)
		options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
	re->flags = flags;
	pthread_mutex_init(&re->lock, NULL);
	e = re_compile(re, whole, options, 0);
	/* The author's own pattern counts: for its errors, and where an LF can be an LF only. */
	if (e && str_eq(whole, re->pattern))
		return e;
	if (e) {
		whole = pattern = re->pattern;
		TRY(re_compile(re, whole, options, 0));
	}
	arena_defer(a, free_code, re->code);
	required_of_pattern(str_dup(a, pattern), literal ? flags : flags & ~(unsigned)RE_LITERAL,
			    &re->needs);
	re->by_line = flags & RE_LINES &&
		      (!re->needs.understood || re->needs.looks || !re->needs.one_line);
	if (flags & RE_WORD) {
		bool safe = re->needs.understood;

		if (safe)
			whole = as_words(a, whole, literal, &re->needs);
		options &= ~(uint32_t)(safe ? PCRE2_LITERAL : 0);
		TRY(re_compile(re, whole, options, safe ? 0 : PCRE2_EXTRA_MATCH_WORD));
		arena_defer(a, free_code, re->code);
	}
	re->own = arena_child(a);
	*out = re;
	return NULL;
}

const struct literals *re_literals(const struct re *re)
{
	return &re->needs.lits;
}

#ifdef IKM_TEST
void re_forget_literals(struct re *re)
{
	re->needs.lits.n = 0;
}
#endif

/* Fills the caches of a pattern that threads share. For them the pattern stays the same. */
static void re_make(const struct re *shared, bool jit)
{
	struct re *re = (struct re *)(uintptr_t)shared;
	atomic_bool *made = jit ? &re->made_jit : &re->made_finder;

	if (atomic_load_explicit(made, memory_order_acquire))
		return;
	pthread_mutex_lock(&re->lock);
	if (!atomic_load_explicit(made, memory_order_relaxed)) {
		if (jit)
			re->jit = pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) == 0;
		else
			re->finder = own_finder(re);
		atomic_store_explicit(made, true, memory_order_release);
	}
	pthread_mutex_unlock(&re->lock);
}

/* ---- matching ---- */

static void free_work(void *p)
{
	struct re_work *w = p;

	pcre2_match_data_free(w->data);
	pcre2_match_context_free(w->context);
	pcre2_jit_stack_free(w->stack);
}

static struct re_work *re_work_with(struct arena *a, uint32_t pairs)
{
	struct re_work *w = ARENA_NEW(a, struct re_work);

	w->data = pcre2_match_data_create(pairs, NULL);
	w->context = pcre2_match_context_create(NULL);
	if (!w->data || !w->context)
		out_of_memory(pairs * sizeof(size_t));
	pcre2_set_heap_limit(w->context, HEAP_KIB);
	pcre2_set_depth_limit(w->context, DEPTH_LIMIT);
	arena_defer(a, free_work, w);
	return w;
}

void re_work_set_text_is_cut(struct re_work *w, bool cut)
{
	w->options = cut ? PCRE2_NOTEOL : 0;
}

/* One pair of offsets: only the whole match is needed, not its groups. */
struct re_work *re_work_new(struct arena *a)
{
	return re_work_with(a, 1);
}

static size_t re_group_count(const struct re *re)
{
	uint32_t n = 0;

	pcre2_pattern_info(re->code, PCRE2_INFO_CAPTURECOUNT, &n);
	return n;
}

/*
 * A group of the match that re_find() has just found. False: it took no part. The offsets are those
 * of the text that was searched, which may have been one line.
 */
static bool re_group(const struct re_work *w, struct span match, size_t group, struct span *out)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(w->data);
	PCRE2_SIZE from = at[2 * group], to = at[2 * group + 1];

	if (from == PCRE2_UNSET || to < from)
		return false;
	*out = (struct span){match.from + from - at[0], match.from + to - at[0]};
	return true;
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Starts the account for this pattern and text. Continues the account of the last call when that
 * call had the same pattern and text.
 */
static void spend_begin(struct re_work *w, const struct re *re, struct str text, size_t from)
{
	if (from > 0 && w->re == re && w->text == text.p && w->n == text.n && from >= w->reached) {
		w->since = w->looked ? clock_ns(CLOCK_MONOTONIC) : 0;
		return;
	}
	w->re = re;
	w->text = text.p;
	w->n = text.n;
	w->run = size_max(WORK_PER_RUN / (text.n + 1), SOME_STARTS);
	w->left = w->run;
	w->looked = false;
	w->spent = w->since = w->cpu = 0;
	w->budget = BUDGET_NS + text.n * NS_PER_BYTE;
	if (text.n >= LONG_TEXT) {
		w->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		w->since = clock_ns(CLOCK_MONOTONIC);
	}
}

/*
 * Checks the clock. Returns true when the budget is used up, or when a step `factor` times as slow
 * as the last one would use it up. The wall clock is cheap to read, but it includes the time of
 * other processes. So when the wall clock says stop, the thread's processor time must agree.
 */
static bool spend_check(struct re_work *w, unsigned factor)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), took = w->since ? now - w->since : 0, cpu;

	w->looked = true;
	w->spent += took;
	w->since = now;
	if (took < QUICK_NS)
		w->run = w->run > SIZE_MAX / 2 ? w->run : w->run * 2;
	w->left = w->run;
	if (w->cpu && w->spent + factor * took <= w->budget)
		return false;
	cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!w->cpu)
		w->cpu = cpu;
	else if (cpu - w->cpu < w->spent)
		w->spent = cpu - w->cpu;
	return w->spent + factor * (took < w->spent ? took : w->spent) > w->budget;
}

/* With RE_LIMIT, *more says that a higher step limit may help. */
static enum re_answer match_once(const struct re *re, struct re_work *w, struct str text,
				 size_t from, uint32_t steps, struct span *match, bool *more)
{
	PCRE2_SPTR p = (PCRE2_SPTR)text.p;
	const PCRE2_SIZE *at;
	int rc;

	if (re->jit && !w->stack) {
		w->stack = pcre2_jit_stack_create(STACK_MIN, STACK_MAX, NULL);
		pcre2_jit_stack_assign(w->context, NULL, w->stack);
	}
	pcre2_set_match_limit(w->context, steps);
	rc = re->jit ? pcre2_jit_match(re->code, p, text.n, from, w->options, w->data, w->context)
		     : pcre2_match(re->code, p, text.n, from, w->options, w->data, w->context);
	if (rc == PCRE2_ERROR_NOMATCH)
		return RE_NO;
	*more = rc == PCRE2_ERROR_MATCHLIMIT && steps < STEPS_MAX;
	if (rc == PCRE2_ERROR_NOMEMORY)
		out_of_memory(text.n);
	if (rc < 0)
		return RE_LIMIT;
	at = pcre2_get_ovector_pointer(w->data);
	*match = (struct span){at[0], size_max(at[0], at[1])};
	return RE_YES;
}

/* Finds a match that starts in [from, last]. PCRE2 counts steps for each start, not for all. */
static enum re_answer match_among(const struct re *re, struct re_work *w, struct str text,
				  size_t from, size_t last, struct span *match)
{
	size_t few = size_max(2 * WORK_PER_RUN / (text.n + 1), SOME_STARTS);

	re_make(re, true);
	for (;;) {
		uint32_t steps = (uint32_t)size_min(few, STEPS_FEW);
		size_t stop;
		enum re_answer r;
		bool more;

		/* PCRE2 does not accept a start inside a character, and no match starts there. */
		while (from < text.n && (text.p[from] & 0xc0) == 0x80)
			from++;
		if (from > last)
			return RE_NO;
		stop = re->jit && last - from >= w->left ? from + w->left - 1 : last;
		pcre2_set_offset_limit(w->context, stop);
		while ((r = match_once(re, w, text, from, steps, match, &more)) == RE_LIMIT) {
			if (!more || spend_check(w, MORE_STEPS))
				return RE_LIMIT;
			steps = steps > STEPS_MAX / MORE_STEPS ? STEPS_MAX : steps * MORE_STEPS;
		}
		if (r != RE_NO)
			return r;
		w->left -= size_min(w->left, stop - from + 1);
		if (!w->left && spend_check(w, 0))
			return RE_LIMIT;
		if (stop == last)
			return RE_NO;
		from = stop + 1;
	}
}

static size_t re_line_start(struct str text, size_t at, size_t least)
{
	const char *lf = at > least ? memrchr(text.p + least, '\n', at - least) : NULL;

	return lf ? (size_t)(lf - text.p) + 1 : least;
}

/* Tries only the places that are near enough to the required literals. */
static enum re_answer match_near(const struct re *re, struct re_work *w, struct str text,
				 size_t from, struct span *match)
{
	struct finder_hit hit = {.next = from};
	const struct required *needs = &re->needs;

	while (finder_next(re->finder, text, hit.next, &hit)) {
		enum re_answer r;

		if (needs->before == SIZE_MAX && !needs->one_line)
			return match_among(re, w, text, from, text.n, match);
		/* An earlier match needs an earlier literal, and all of these were tried. */
		if (needs->before < hit.from)
			from = size_max(from, hit.from - needs->before);
		if (needs->one_line)
			from = re_line_start(text, size_max(hit.from, from), from);
		if (from > hit.last)
			continue;
		r = match_among(re, w, text, from, hit.last, match);
		if (r != RE_NO)
			return r;
		from = hit.last + 1;
	}
	return RE_NO;
}

/* There is no line behind the last LF. */
static bool is_behind_last(struct str text, size_t at)
{
	return at >= text.n && (!text.n || text.p[text.n - 1] == '\n');
}

/* Finds the first match in the lines that begin before `to`. */
static enum re_answer match_lines(const struct re *re, struct re_work *w, struct str text,
				  size_t *from, size_t to, struct span *match)
{
	while (*from < to && !is_behind_last(text, *from)) {
		size_t start = re_line_start(text, *from, 0);
		const char *lf = memchr(text.p + *from, '\n', text.n - *from);
		size_t end = lf ? (size_t)(lf - text.p) : text.n;
		struct str line = str_sub(text, start, end);
		enum re_answer r = match_among(re, w, line, *from - start, line.n, match);

		if (r == RE_YES)
			*match = (struct span){match->from + start, match->to + start};
		if (r != RE_NO)
			return r;
		*from = end + 1;
	}
	return RE_NO;
}

static enum re_answer match_by_line(const struct re *re, struct re_work *w, struct str text,
				    size_t from, struct span *match)
{
	struct finder_hit hit = {.next = from};
	enum re_answer r;

	if (!re->finder)
		return match_lines(re, w, text, &from, text.n + 1, match);
	while (finder_next(re->finder, text, hit.next, &hit)) {
		from = size_max(from, re_line_start(text, size_max(hit.from, from), from));
		r = match_lines(re, w, text, &from, hit.last + 1, match);
		if (r != RE_NO)
			return r;
		hit.next = size_max(hit.next, from);
	}
	return RE_NO;
}

enum re_answer re_find(const struct re *re, struct re_work *w, struct str text, size_t from,
		       struct span *match)
{
	enum re_answer r;

	if (!text.p)
		text.p = "";
	if (from > text.n || (re->flags & RE_LINES && is_behind_last(text, from)))
		return RE_NO;
	spend_begin(w, re, text, from);
	re_make(re, false);
	if (re->by_line)
		r = match_by_line(re, w, text, from, match);
	else if (re->finder)
		r = match_near(re, w, text, from, match);
	else
		r = match_among(re, w, text, from, re->flags & RE_WHOLE ? from : text.n, match);
	if (r == RE_YES && re->flags & RE_LINES && is_behind_last(text, match->from))
		r = RE_NO;
	w->reached = r == RE_YES ? match->to : text.n;
	if (w->since)
		w->spent += clock_ns(CLOCK_MONOTONIC) - w->since;
	return r;
}

/* ---- replacing matches by a text with groups ---- */

struct piece {
	struct str text; /* p NULL: the group */
	size_t group;
};
struct re_template {
	const struct re *re;
	struct VEC(struct piece) pieces;
};

static struct err *template_bad(struct str text, size_t at, const char *why)
{
	struct err *e =
		err_for_param(E_BAD_ARGUMENT, STR("replace"), "'%.*s' at offset %zu: %s",
			      STR_ARG(str_sub(text, at, size_min(at + 20, text.n))), at, why);

	return err_help(e, "$1 or ${1} is a group, ${name} a named group, $0 the match, $$ a "
			   "dollar sign");
}

/* Reads the group behind the dollar sign at *at. */
static struct err *template_group(struct arena *a, const struct re *re, struct str text, size_t *at,
				  size_t *group)
{
	size_t from = *at + 1, to = from, start = *at;
	bool braces = from < text.n && text.p[from] == '{';
	struct str name;
	int64_t n;
	int found;

	if (braces) {
		to = str_find_char(text, '}', ++from);
		if (to == SIZE_MAX)
			return template_bad(text, start, "no } follows");
	} else {
		while (to < text.n && ascii_is_digit(text.p[to]))
			to++;
	}
	name = str_sub(text, from, to);
	if (!name.n)
		return template_bad(text, start, "no group follows");
	*at = to + braces;
	if (str_int(name, &n) && n >= 0) {
		*group = (size_t)n;
		if (*group > re_group_count(re))
			return template_bad(text, start, "the pattern has fewer groups");
		return NULL;
	}
	found = pcre2_substring_number_from_name(re->code, (PCRE2_SPTR)str_c(a, name));
	*group = found > 0 ? (size_t)found : 0;
	return *group ? NULL : template_bad(text, start, "the pattern has no such group");
}

struct err *re_template_new(struct arena *a, const struct re *re, struct str text,
			    struct re_template **out)
{
	struct re_template *t = ARENA_NEW(a, struct re_template);
	struct str rest = text.p ? text : STR("");
	size_t at = 0;

	t->re = re;
	*out = t;
	while (at < rest.n) {
		size_t to = re->flags & RE_LITERAL ? SIZE_MAX : str_find_char(rest, '$', at);
		struct piece *one;

		to = size_min(to, rest.n);
		if (to > at)
			*VEC_PUSH(a, &t->pieces) = (struct piece){.text = str_sub(rest, at, to)};
		at = to;
		if (at == rest.n)
			break;
		one = VEC_PUSH(a, &t->pieces);
		*one = (struct piece){0};
		if (at + 1 < rest.n && rest.p[at + 1] == '$') {
			one->text = STR("$");
			at += 2;
			continue;
		}
		TRY(template_group(a, re, rest, &at, &one->group));
	}
	return NULL;
}

enum re_answer re_replace(struct arena *a, const struct re_template *t, struct str text,
			  struct str *out, size_t *count)
{
	struct re_work *w = re_work_with(a, (uint32_t)re_group_count(t->re) + 1);
	struct buf b = buf_in(a);
	enum re_answer r = RE_NO;
	size_t at = 0, done = 0;
	struct span m;

	*count = 0;
	while (at <= text.n && (r = re_find(t->re, w, text, at, &m)) == RE_YES) {
		if (is_behind_last(text, m.from))
			break;
		buf_put(&b, str_sub(text, done, m.from));
		VEC_EACH(const struct piece, one, &t->pieces) {
			struct span group;

			if (one->text.p)
				buf_put(&b, one->text);
			else if (re_group(w, m, one->group, &group))
				buf_put(&b, str_sub(text, group.from, group.to));
		}
		done = m.to;
		at = m.to + (m.to == m.from);
		++*count;
	}
	if (r == RE_LIMIT)
		return RE_LIMIT;
	if (!*count)
		return RE_NO;
	buf_put(&b, str_sub(text, done, text.n));
	*out = buf_as_str(&b);
	return RE_YES;
}

struct str re_quote(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] && strchr("\\.^$*+?()[]{}|", text.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, text.p[i]);
	}
	return buf_as_str(&b);
}
