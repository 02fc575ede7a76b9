/*
 * tap.h: the few lines that a C test needs to speak TAP to prove. A test is a main() of checks that
 * ends with `return tap_done();`. A failed check prints where, and what was wanted and found.
 */
#ifndef TAP_H
#define TAP_H

#include "base/base.h"

static int tap_count, tap_failed;

/* How much of what takes long: all with LONG=1 or MORE=1, else a third. */
static inline unsigned tap_share(unsigned n)
{
	const char *all = getenv("IKM_LONG"), *more = getenv("IKM_MORE");

	return (all && *all) || (more && *more) ? n : n / 3;
}

static inline bool tap_ok(bool pass, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", pass ? "ok" : "not ok", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	if (!pass) {
		tap_failed++;
		fprintf(stderr, "#   failed at %s line %d\n", file, line);
	}
	fflush(stdout);
	return pass;
}

static inline bool tap_str(struct str got, struct str want, const char *file, int line,
			   const char *what)
{
	bool pass = tap_ok(str_eq(got, want), file, line, "%s", what);

	if (!pass)
		fprintf(stderr, "#   got:  '%.*s'\n#   want: '%.*s'\n", STR_ARG(got),
			STR_ARG(want));
	return pass;
}

static inline bool tap_int(long long got, long long want, const char *file, int line,
			   const char *what)
{
	bool pass = tap_ok(got == want, file, line, "%s", what);

	if (!pass)
		fprintf(stderr, "#   got:  %lld\n#   want: %lld\n", got, want);
	return pass;
}

static inline bool tap_success(struct err *e, const char *file, int line, const char *what)
{
	bool pass = tap_ok(!e, file, line, "%s", what);

	if (!pass)
		fprintf(stderr, "#   error: %s\n", err_message(e));
	return pass;
}

static inline bool tap_fails(struct err *e, enum err_reason want, const char *file, int line,
			     const char *what)
{
	bool pass = tap_ok(e && err_reason(e) == want, file, line, "%s", what);

	if (!pass)
		fprintf(stderr, "#   got:  %s%s%s\n#   want: %s\n",
			e ? err_reason_name(err_reason(e)) : "success", e ? ": " : "",
			e ? err_message(e) : "", err_reason_name(want));
	return pass;
}

/* fmt and what it needs: the test's name. */
#define ok(cond, ...)           tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, want, what) tap_str((got), (want), __FILE__, __LINE__, (what))
#define is_int(got, want, what)                                                                    \
	tap_int((long long)(got), (long long)(want), __FILE__, __LINE__, (what))
#define works(err, what)         tap_success((err), __FILE__, __LINE__, (what))
#define fails(err, reason, what) tap_fails((err), (reason), __FILE__, __LINE__, (what))

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
