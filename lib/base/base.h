/*
 * base: what every other file of ikm stands on; included first everywhere.
 *
 * Arena memory, borrowed and growing byte strings, errors, and the value tree into which every
 * structured format (JSON, YAML, TOML) is read. Knows the C library and nothing else: no files,
 * no clock, no formats.
 */
#ifndef IKM_BASE_H
#define IKM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ARRAY_SIZE(a)     (sizeof(a) / sizeof((a)[0]))
#define MUST_USE          __attribute__((warn_unused_result))

/*
 * For an enum and the names of its members, which both come from one list, LIST(X):
 * X(RED, "red") X(GREEN, "green"). An array of names ends with NULL.
 */
#define ENUM_MEMBER(c, ...)     c,
#define ENUM_NAME(c, name, ...) name,

static inline size_t size_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A state that only a mistake in ikm can produce: says where, and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);

#include "base/arena.h"
#include "base/str.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/val.h"

/*
 * Banned: they cut, overflow, trust the locale, or keep state behind the caller's back.
 * str.h and buf.h have what replaces them. Headers of the system are included before this line.
 */
#ifndef IKM_ALLOW_BANNED
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef strtok
#undef sprintf
#undef vsprintf
#undef gets
#undef atoi
#undef atol
#pragma GCC poison strcpy strcat strncpy strncat strtok sprintf vsprintf gets atoi atol
#endif

#endif
