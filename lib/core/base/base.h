/*
 * base: the types that every file of ikm uses. The header of each module includes base.h, so few
 * sources include it by name.
 *
 * It has arena memory, borrowed and growing byte strings, errors, and the value tree. The readers
 * of JSON, YAML and TOML all make such trees. base only uses the C library. It knows no files, no
 * clock and no formats.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ARRAY_SIZE(a)     (sizeof(a) / sizeof((a)[0]))
#define MUST_USE          __attribute__((warn_unused_result))

/* A step of a comparison for qsort(): returns, unless the two numbers are equal. */
#define ORDER_BY(a, b)                                                                             \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)
/*
 * A comparison for qsort() by members, the first one first. Its elements are structs, or with
 * ORDER_OF_POINTERS pointers to them.
 *   ORDER_OF(by_place, struct problem, ORDER_STR(path) || ORDER_UP(line) || ORDER_DOWN(severity))
 */
#define ORDER_OF(name, type, ...) ORDER_OF_AS(name, type, a_, b_, __VA_ARGS__)
#define ORDER_OF_POINTERS(name, type, ...)                                                         \
	ORDER_OF_AS(name, type, *(const type *const *)a_, *(const type *const *)b_, __VA_ARGS__)
#define ORDER_OF_AS(name, type, x, y, ...)                                                         \
	static int name(const void *a_, const void *b_)                                            \
	{                                                                                          \
		const type *a = (x), *b = (y);                                                     \
		int c = 0;                                                                         \
                                                                                                   \
		return (__VA_ARGS__) ? c : 0;                                                      \
	}
#define ORDER_UP(m)   (c = (a->m > b->m) - (a->m < b->m))
#define ORDER_DOWN(m) (c = (a->m < b->m) - (a->m > b->m))
#define ORDER_STR(m)  (c = str_cmp(a->m, b->m))
/* Equal elements, of pointers into one array: the first comes first. */
#define ORDER_PLACE (c = (a > b) - (a < b))

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

/* For a state that only a mistake in ikm can produce: prints file, line and message, and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);

#include "base/arena.h"
#include "base/str.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/val.h"

/*
 * Banned functions: they cut, overflow, depend on the locale, or keep hidden state. str.h and buf.h
 * have the replacements. System headers must be included above the pragma.
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
