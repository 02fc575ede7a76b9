/*
 * err: the error value. A function that can fail returns struct err *; NULL is success, and results
 * come through out-parameters. Each thread keeps its errors in a small ring. Nobody frees them, and
 * an error during cleanup does not overwrite the first. Later errors reuse the ring, so keep an
 * error only while you return it.
 *
 * The codes come from the requirements (memory and knowledge, "Error Responses"; assets; external
 * tools). Each error has a precise reason. The reason decides the code, and whether a retry can
 * help.
 */
#ifndef IKM_ERR_H
#define IKM_ERR_H

/* code, exit status, what it means (for the manual) */
#define ERR_CODES(X)                                                                               \
	X(INVALID_INPUT, 2, "bad arguments, JSON or configuration")                                \
	X(NOT_FOUND, 3, "a file, item, section or tool is not there")                              \
	X(CONFLICT, 4, "something is there already, or has changed in the meantime")               \
	X(BLOCKED, 5, "a policy forbids it, or the path is outside the roots")                     \
	X(BUDGET_EXCEEDED, 6, "the token budget would be exceeded")                                \
	X(UNAUTHORIZED, 7, "not allowed")                                                          \
	X(MISSING_CREDENTIALS, 7, "not configured")                                                \
	X(PROVIDER_ERROR, 8, "the disk, Git, a server or another program failed")                  \
	X(RATE_LIMITED, 8, "too many requests")                                                    \
	X(TIMEOUT, 75, "it took too long, or a lock could not be taken in time")

/* reason, code, retryable: the only list of the reasons that ikm gives */
#define ERR_REASONS(X)                                                                             \
	X(BAD_ARGUMENT, INVALID_INPUT, false)                                                      \
	X(UNKNOWN_COMMAND, INVALID_INPUT, false)                                                   \
	X(UNKNOWN_PARAMETER, INVALID_INPUT, false)                                                 \
	X(MISSING_PARAMETER, INVALID_INPUT, false)                                                 \
	X(WRONG_TYPE, INVALID_INPUT, false)                                                        \
	X(OUT_OF_RANGE, INVALID_INPUT, false)                                                      \
	X(NOT_IN_ENUM, INVALID_INPUT, false)                                                       \
	X(TOO_LONG, INVALID_INPUT, false)                                                          \
	X(TOO_DEEP, INVALID_INPUT, false)                                                          \
	X(BAD_UTF8, INVALID_INPUT, false)                                                          \
	X(BAD_JSON, INVALID_INPUT, false)                                                          \
	X(BAD_YAML, INVALID_INPUT, false)                                                          \
	X(BAD_TOML, INVALID_INPUT, false)                                                          \
	X(BAD_XML, INVALID_INPUT, false)                                                           \
	X(BAD_MARKDOWN, INVALID_INPUT, false)                                                      \
	X(BAD_MANIFEST, INVALID_INPUT, false)                                                      \
	X(BAD_TOOL, INVALID_INPUT, false)                                                          \
	X(BAD_PATTERN, INVALID_INPUT, false)                                                       \
	X(BAD_PATH, INVALID_INPUT, false)                                                          \
	X(BAD_REVISION, INVALID_INPUT, false)                                                      \
	X(BAD_PATCH, INVALID_INPUT, false)                                                         \
	X(BAD_COMPACT, INVALID_INPUT, false)                                                       \
	X(BAD_BACKUP, INVALID_INPUT, false)                                                        \
	X(BAD_CONFIG, INVALID_INPUT, false)                                                        \
	X(UNTRUSTED_CONFIG, INVALID_INPUT, false)                                                  \
	X(NOT_A_FILE, INVALID_INPUT, false)                                                        \
	X(NOT_TEXT, INVALID_INPUT, false)                                                          \
	X(BAD_CHECKPOINT, INVALID_INPUT, false)                                                    \
	X(FILE_NOT_FOUND, NOT_FOUND, false)                                                        \
	X(NO_SUCH_ITEM, NOT_FOUND, false)                                                          \
	X(NO_SUCH_TOOL, NOT_FOUND, false)                                                          \
	X(NO_SUCH_SETTING, NOT_FOUND, false)                                                       \
	X(NO_SUCH_SOURCE, NOT_FOUND, false)                                                        \
	X(NO_REPOSITORY, NOT_FOUND, false)                                                         \
	X(NO_SUCH_OBJECT, NOT_FOUND, false)                                                        \
	X(NO_SUCH_ASSET, NOT_FOUND, false)                                                         \
	X(NO_SUCH_SECTION, NOT_FOUND, false)                                                       \
	X(NO_SUCH_VERSION, NOT_FOUND, false)                                                       \
	X(NO_SUCH_EVENT, NOT_FOUND, false)                                                         \
	X(NO_FORMER, NOT_FOUND, false)                                                             \
	X(NO_SUCH_TEXT, NOT_FOUND, false)                                                          \
	X(MISSING_REFERENCE, NOT_FOUND, false)                                                     \
	X(NO_SUCH_MEMORY, NOT_FOUND, false)                                                        \
	X(NO_HOME, NOT_FOUND, false)                                                               \
	X(NOTHING_CHECKED, NOT_FOUND, false)                                                       \
	X(EXISTS, CONFLICT, false)                                                                 \
	X(NOT_UNIQUE, CONFLICT, false)                                                             \
	X(CHANGED, CONFLICT, true)                                                                 \
	X(CHANGED_SINCE, CONFLICT, false)                                                          \
	X(UNDONE_ALREADY, CONFLICT, false)                                                         \
	X(SUPERSEDED, CONFLICT, false)                                                             \
	X(REJECTED, CONFLICT, false)                                                               \
	X(TOO_MANY_MEMORIES, CONFLICT, false)                                                      \
	X(HARD_LINKED, CONFLICT, false)                                                            \
	X(HUNK_FAILED, CONFLICT, false)                                                            \
	X(UNDER_WAY, CONFLICT, false)                                                              \
	X(STAGED, CONFLICT, false)                                                                 \
	X(KEY_REUSED, CONFLICT, false)                                                             \
	X(UNCOMMITTED, CONFLICT, false)                                                            \
	X(OUTSIDE_ROOTS, BLOCKED, false)                                                           \
	X(NO_ROOTS, BLOCKED, false)                                                                \
	X(HOOKS_ELSEWHERE, BLOCKED, false)                                                         \
	X(READ_ONLY_ASSET, BLOCKED, false)                                                         \
	X(BREAKS_RULE, BLOCKED, false)                                                             \
	X(PERSON_DECIDES, BLOCKED, false)                                                          \
	X(GARDEN_POLICY, BLOCKED, false)                                                           \
	X(OVER_BUDGET, BUDGET_EXCEEDED, false)                                                     \
	X(NOT_ALLOWED, UNAUTHORIZED, false)                                                        \
	X(SERVER_REFUSED, UNAUTHORIZED, false)                                                     \
	X(NOT_CONFIGURED, MISSING_CREDENTIALS, false)                                              \
	X(BAD_KEY, MISSING_CREDENTIALS, false)                                                     \
	X(PERMISSION, PROVIDER_ERROR, false)                                                       \
	X(READ_ONLY, PROVIDER_ERROR, false)                                                        \
	X(NO_SPACE, PROVIDER_ERROR, false)                                                         \
	X(IO_ERROR, PROVIDER_ERROR, true)                                                          \
	X(CLOSED_PIPE, PROVIDER_ERROR, false)                                                      \
	X(TOO_MANY_FILES, PROVIDER_ERROR, true)                                                    \
	X(TOO_BIG, INVALID_INPUT, false)                                                           \
	X(GIT_FAILED, PROVIDER_ERROR, false)                                                       \
	X(GIT_CORRUPT, PROVIDER_ERROR, false)                                                      \
	X(GIT_UNSUPPORTED, PROVIDER_ERROR, false)                                                  \
	X(DB_CORRUPT, PROVIDER_ERROR, false)                                                       \
	X(DB_NEWER, PROVIDER_ERROR, false)                                                         \
	X(DB_FAILED, PROVIDER_ERROR, false)                                                        \
	X(NO_PROGRAM, PROVIDER_ERROR, false)                                                       \
	X(NO_LIBRARY, PROVIDER_ERROR, false)                                                       \
	X(SERVER_DOWN, PROVIDER_ERROR, true)                                                       \
	X(SERVER_FAILED, PROVIDER_ERROR, false)                                                    \
	X(SERVER_OLD, PROVIDER_ERROR, false)                                                       \
	X(SERVER_NEWER, PROVIDER_ERROR, false)                                                     \
	X(SERVER_BUSY, RATE_LIMITED, true)                                                         \
	X(PROGRAM_FAILED, PROVIDER_ERROR, false)                                                   \
	X(MATCH_LIMIT, PROVIDER_ERROR, false)                                                      \
	X(LOCKED, TIMEOUT, true)                                                                   \
	X(TOOK_TOO_LONG, TIMEOUT, true)

#define X(code, exit, what) CODE_##code,
enum err_code { ERR_CODES(X) };
#undef X
#define X(reason, code, retry) E_##reason,
enum err_reason { ERR_REASONS(X) };
#undef X

struct err;

/* The message names the object, says what is wrong and what to do. One line, no final period. */
struct err *err_new(enum err_reason reason, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* As err_new(), with the detail "parameter": the parameter or member that is wrong. */
struct err *err_param(enum err_reason reason, struct str parameter, const char *fmt, ...)
	PRINTF(3, 4) MUST_USE;
/*
 * An error from errno, which decides the reason. fmt gives the verb and the object. "read 'a/b'"
 * makes "cannot read 'a/b': " and the system's own message.
 */
struct err *err_errno(int errnum, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* Puts a prefix and ": " before the message, for context that only the caller knows. Returns e. */
struct err *err_in(struct err *e, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* The error of a parser: "line L, column C: " and the message. Line and column are details too. */
struct err *err_at(enum err_reason reason, struct place at, const char *fmt, va_list ap)
	PRINTF(3, 0) MUST_USE;
/* Add a member to the envelope's "details"; a long value is cut. They return e, so they chain. */
struct err *err_detail(struct err *e, const char *key, struct str value);
struct err *err_detail_int(struct err *e, const char *key, int64_t value);
struct err *err_detail_bool(struct err *e, const char *key, bool value);
struct err *err_detail_list(struct err *e, const char *key, const struct strs *values);
struct err *err_detail_ints(struct err *e, const char *key, const int64_t *values, size_t n);
/* Whether the error has a step of help. */
bool err_helps(const struct err *e);
/* Adds an action for the user to the envelope's help.steps (requirement: external tools). */
struct err *err_help(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/*
 * Replaces the name of a parameter by its name on the face in use (--if-match for ifMatch). It
 * changes the detail "parameter" and the message. It changes the steps only when the name has a
 * capital letter, because other names are ordinary words too.
 */
void err_rename(struct err *e, struct str name, struct str as);
/* Replaces each step by the result of `map`. A step whose new text does not fit stays unchanged. */
void err_help_map(struct err *e, struct arena *a,
		  struct str (*map)(struct arena *a, const void *ctx, struct str step),
		  const void *ctx);

/* Adds a member with the value null to the envelope ("item": null). The name is borrowed. */
struct err *err_null(struct err *e, const char *member);

enum err_reason err_reason(const struct err *e);
enum err_code err_code(const struct err *e);
const char *err_message(const struct err *e);
const char *err_reason_name(enum err_reason r);
const char *err_code_name(enum err_code c);
const char *err_code_what(enum err_code c);
int err_exit(enum err_code c);
bool err_retryable(const struct err *e);
size_t err_codes(void);

/*
 * The error as an envelope: success, errorCode, message, details, retryable, error, error_code,
 * help. It serves readers of both forms of errors (ikm-design(7), "Errors").
 */
struct val;
struct val *err_envelope(struct arena *a, const struct err *e);

#define TRY(expr)                                                                                  \
	do {                                                                                       \
		struct err *try_err_ = (expr);                                                     \
		if (try_err_)                                                                      \
			return try_err_;                                                           \
	} while (0)

#endif
