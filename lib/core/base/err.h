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
#pragma once

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

/* Steps of several reasons. For STEP_USAGE the caller names the command, and its --help. */
#define STEP_USAGE   "--help"
#define STEP_CORRECT "correct it, and try again"
#define STEP_UTF8    "give text in UTF-8; to convert a file: iconv -f ENCODING -t UTF-8 FILE"
#define STEP_FILES   "'ikm list --dirs' lists the files and folders"
#define STEP_DOCTOR  "'ikm doctor' says what is wrong, and how to repair it"

/*
 * Reason, code, retryable, and the step of an error that has no step of its own. NULL: such
 * messages always say what to do. It is the only list of the reasons that ikm gives.
 */
#define ERR_REASONS(X)                                                                             \
	X(BAD_ARGUMENT, INVALID_INPUT, false, STEP_USAGE)                                          \
	X(UNKNOWN_COMMAND, INVALID_INPUT, false, NULL)                                             \
	X(UNKNOWN_PARAMETER, INVALID_INPUT, false, NULL)                                           \
	X(MISSING_PARAMETER, INVALID_INPUT, false, STEP_USAGE)                                     \
	X(WRONG_TYPE, INVALID_INPUT, false, STEP_USAGE)                                            \
	X(OUT_OF_RANGE, INVALID_INPUT, false, NULL)                                                \
	X(NOT_IN_ENUM, INVALID_INPUT, false, NULL)                                                 \
	X(TOO_LONG, INVALID_INPUT, false, NULL)                                                    \
	X(TOO_DEEP, INVALID_INPUT, false, "use fewer levels")                                      \
	X(BAD_UTF8, INVALID_INPUT, false, STEP_UTF8)                                               \
	X(BAD_JSON, INVALID_INPUT, false, STEP_CORRECT)                                            \
	X(BAD_YAML, INVALID_INPUT, false, STEP_CORRECT)                                            \
	X(BAD_TOML, INVALID_INPUT, false, STEP_CORRECT)                                            \
	X(BAD_XML, INVALID_INPUT, false, STEP_CORRECT)                                             \
	X(BAD_MARKDOWN, INVALID_INPUT, false, STEP_CORRECT)                                        \
	X(BAD_MANIFEST, INVALID_INPUT, false, STEP_CORRECT)                                        \
	X(BAD_TOOL, INVALID_INPUT, false, "correct the tool; 'man ikm-tools' has an example")      \
	X(BAD_PATTERN, INVALID_INPUT, false, "put \\ before a character that stands for itself")   \
	X(BAD_PATH, INVALID_INPUT, false, "give another path: NAME, ./NAME or /FOLDER/NAME")       \
	X(BAD_REVISION, INVALID_INPUT, false,                                                      \
	  "correct the name: 'git log --oneline' lists commits, 'git branch -a' branches")         \
	X(BAD_PATCH, INVALID_INPUT, false,                                                         \
	  "correct the patch, or make it again: git diff, or diff -u OLD NEW")                     \
	X(BAD_COMPACT, INVALID_INPUT, false, NULL)                                                 \
	X(BAD_BACKUP, INVALID_INPUT, false, NULL)                                                  \
	X(BAD_CONFIG, INVALID_INPUT, false, STEP_CORRECT)                                          \
	X(UNTRUSTED_CONFIG, INVALID_INPUT, false, NULL)                                            \
	X(NOT_A_FILE, INVALID_INPUT, false, "give another path; 'ls -ld' shows what this is")      \
	X(NOT_TEXT, INVALID_INPUT, false, STEP_UTF8)                                               \
	X(BAD_CHECKPOINT, INVALID_INPUT, false,                                                    \
	  "give what 'ikm events checkpoint' printed, unchanged")                                  \
	X(FILE_NOT_FOUND, NOT_FOUND, false, STEP_FILES)                                            \
	X(NO_SUCH_ITEM, NOT_FOUND, false, NULL)                                                    \
	X(NO_SUCH_TOOL, NOT_FOUND, false, "'ikm tool list' lists the tools")                       \
	X(NO_SUCH_SETTING, NOT_FOUND, false, NULL)                                                 \
	X(NO_SUCH_SOURCE, NOT_FOUND, false, NULL)                                                  \
	X(NO_REPOSITORY, NOT_FOUND, false, "run it in a Git repository, or use -C DIR")            \
	X(NO_SUCH_OBJECT, NOT_FOUND, false, "see what else is missing: git fsck")                  \
	X(NO_SUCH_ASSET, NOT_FOUND, false, NULL)                                                   \
	X(NO_SUCH_SECTION, NOT_FOUND, false, "'ikm md sections' lists the sections of a file")     \
	X(NO_SUCH_VERSION, NOT_FOUND, false, NULL)                                                 \
	X(NO_SUCH_EVENT, NOT_FOUND, false, NULL)                                                   \
	X(NO_FORMER, NOT_FOUND, false, NULL)                                                       \
	X(NO_SUCH_TEXT, NOT_FOUND, false, NULL)                                                    \
	X(MISSING_REFERENCE, NOT_FOUND, false, NULL)                                               \
	X(NO_SUCH_MEMORY, NOT_FOUND, false, NULL)                                                  \
	X(NO_HOME, NOT_FOUND, false, "set HOME, or set IKIGAI_HOME to the folder for ikm")         \
	X(NOTHING_CHECKED, NOT_FOUND, false, NULL)                                                 \
	X(EXISTS, CONFLICT, false, "take another name, or remove what has this name")              \
	X(NOT_UNIQUE, CONFLICT, false, NULL)                                                       \
	X(CHANGED, CONFLICT, true, "read it again, then repeat the change")                        \
	X(CHANGED_SINCE, CONFLICT, false, "'ikm events query' shows what has changed since")       \
	X(UNDONE_ALREADY, CONFLICT, false, NULL)                                                   \
	X(SUPERSEDED, CONFLICT, false, NULL)                                                       \
	X(REJECTED, CONFLICT, false, NULL)                                                         \
	X(TOO_MANY_MEMORIES, CONFLICT, false, NULL)                                                \
	X(HARD_LINKED, CONFLICT, false, NULL)                                                      \
	X(HUNK_FAILED, CONFLICT, false, NULL)                                                      \
	X(UNDER_WAY, CONFLICT, false, NULL)                                                        \
	X(STAGED, CONFLICT, false, NULL)                                                           \
	X(KEY_REUSED, CONFLICT, false, NULL)                                                       \
	X(UNCOMMITTED, CONFLICT, false, NULL)                                                      \
	X(OUTSIDE_ROOTS, BLOCKED, false, NULL)                                                     \
	X(NO_ROOTS, BLOCKED, false, NULL)                                                          \
	X(HOOKS_ELSEWHERE, BLOCKED, false, NULL)                                                   \
	X(READ_ONLY_ASSET, BLOCKED, false, NULL)                                                   \
	X(BREAKS_RULE, BLOCKED, false, NULL)                                                       \
	X(PERSON_DECIDES, BLOCKED, false, NULL)                                                    \
	X(GARDEN_POLICY, BLOCKED, false, NULL)                                                     \
	X(OVER_BUDGET, BUDGET_EXCEEDED, false, NULL)                                               \
	X(NOT_ALLOWED, UNAUTHORIZED, false, NULL)                                                  \
	X(SERVER_REFUSED, UNAUTHORIZED, false, NULL)                                               \
	X(NOT_CONFIGURED, MISSING_CREDENTIALS, false, NULL)                                        \
	X(BAD_KEY, MISSING_CREDENTIALS, false, NULL)                                               \
	X(PERMISSION, PROVIDER_ERROR, false, "'ls -ld' shows the owner and the mode of a file")    \
	X(READ_ONLY, PROVIDER_ERROR, false,                                                        \
	  "make the file system writable, or use another folder")                                  \
	X(NO_SPACE, PROVIDER_ERROR, false,                                                         \
	  "'df -h' shows how full the disk is; make room and try again")                           \
	X(IO_ERROR, PROVIDER_ERROR, true, "try again; 'dmesg' shows errors of the disk")           \
	X(CLOSED_PIPE, PROVIDER_ERROR, false, NULL)                                                \
	X(OUT_OF_MEMORY, PROVIDER_ERROR, true, "end other programs, or allow more: ulimit -v")     \
	X(TOO_MANY_FILES, PROVIDER_ERROR, true, "allow more open files: ulimit -n 4096")           \
	X(TOO_BIG, INVALID_INPUT, false, NULL)                                                     \
	X(GIT_FAILED, PROVIDER_ERROR, false, "'git status' in the repository may say more")        \
	X(GIT_CORRUPT, PROVIDER_ERROR, false, "see what else is damaged: git fsck")                \
	X(GIT_UNSUPPORTED, PROVIDER_ERROR, false, NULL)                                            \
	X(DB_CORRUPT, PROVIDER_ERROR, false, STEP_DOCTOR)                                          \
	X(DB_NEWER, PROVIDER_ERROR, false, NULL)                                                   \
	X(DB_FAILED, PROVIDER_ERROR, false, STEP_DOCTOR)                                           \
	X(NO_PROGRAM, PROVIDER_ERROR, false, "install the program, or add its folder to PATH")     \
	X(NO_LIBRARY, PROVIDER_ERROR, false, NULL)                                                 \
	X(SERVER_DOWN, PROVIDER_ERROR, true, NULL)                                                 \
	X(SERVER_FAILED, PROVIDER_ERROR, false, NULL)                                              \
	X(SERVER_OLD, PROVIDER_ERROR, false, NULL)                                                 \
	X(SERVER_NEWER, PROVIDER_ERROR, false, NULL)                                               \
	X(SERVER_BUSY, RATE_LIMITED, true, NULL)                                                   \
	X(PROGRAM_FAILED, PROVIDER_ERROR, false, NULL)                                             \
	X(MATCH_LIMIT, PROVIDER_ERROR, false, NULL)                                                \
	X(LOCKED, TIMEOUT, true, "try again when the other process has ended")                     \
	X(TOOK_TOO_LONG, TIMEOUT, true, NULL)

#define X(code, exit, what) CODE_##code,
enum err_code { ERR_CODES(X) };
#undef X
#define X(reason, code, retry, step) E_##reason,
enum err_reason { ERR_REASONS(X) };
#undef X

struct err;

/* The message names the object, says what is wrong and what to do. One line, no final period. */
struct err *err_new(enum err_reason reason, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* As err_new(), with the detail "parameter": the parameter or member that is wrong. */
struct err *err_for_param(enum err_reason reason, struct str parameter, const char *fmt, ...)
	PRINTF(3, 4) MUST_USE;
/*
 * An error from errno, which decides the reason. fmt gives the verb and the object. "read 'a/b'"
 * makes "cannot read 'a/b': " and the system's own message.
 */
struct err *err_errno(int errnum, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* Puts a prefix and ": " before the message, for context that only the caller knows. Returns e. */
struct err *err_add_context(struct err *e, const char *fmt, ...) PRINTF(2, 3) MUST_USE;
/* The error of a parser: "line L, column C: " and the message. Line and column are details too. */
struct err *err_new_at_line(enum err_reason reason, struct place at, const char *fmt, va_list ap)
	PRINTF(3, 0) MUST_USE;
/* Add a member to the envelope's "details"; a long value is cut. They return e, so they chain. */
struct err *err_add_detail(struct err *e, const char *key, struct str value);
struct err *err_detail_int(struct err *e, const char *key, int64_t value);
struct err *err_detail_bool(struct err *e, const char *key, bool value);
struct err *err_detail_list(struct err *e, const char *key, const struct strs *values);
struct err *err_detail_ints(struct err *e, const char *key, const int64_t *values, size_t n);
/*
 * The error for as long as the arena lives. Other errors of a thread are reused after some more of
 * them, so whoever keeps one while other work goes on keeps a copy.
 */
struct err *err_copy(struct arena *a, const struct err *e) MUST_USE;
/* Whether the error has a step of help. */
bool err_has_help(const struct err *e);
/* Adds an action for the user to the envelope's help.steps (requirement: external tools). */
struct err *err_help(struct err *e, const char *fmt, ...) PRINTF(2, 3);
/*
 * BAD_ARGUMENT when more than one of the names is not NULL. The names are of parameters, and the
 * caller gives NULL for each parameter without a value.
 */
struct err *err_exclusive(const char *const *names, size_t n) MUST_USE;
#define ERR_EXCLUSIVE(...)                                                                         \
	err_exclusive((const char *const[]){__VA_ARGS__},                                          \
		      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/* Errors about a parameter or a member; `shown` names it. choices NULL: any value is allowed. */
struct err *err_wrong_type(struct str shown, const char *want, const char *found) MUST_USE;
struct err *err_not_in_enum(struct arena *a, struct str shown, struct str found,
			    const char *const *choices) MUST_USE;
struct err *err_missing(struct arena *a, struct str shown, const char *help,
			const char *const *choices) MUST_USE;

/*
 * Replaces the name of a parameter by its name on the face in use (--if-match for ifMatch). It
 * changes the detail "parameter" and the message. It changes the steps only when the name has a
 * capital letter, because other names are ordinary words too.
 */
void err_param_rename(struct err *e, struct str name, struct str as);
/* Replaces each step by the result of `map`. A step whose new text does not fit stays unchanged. */
void err_help_rewrite(struct err *e, struct arena *a,
		      struct str (*map)(struct arena *a, const void *ctx, struct str step),
		      const void *ctx);

/* Adds a member with the value null to the envelope ("item": null). The name is borrowed. */
struct err *err_add_null_member(struct err *e, const char *member);

enum err_reason err_reason(const struct err *e);
enum err_code err_code(const struct err *e);
const char *err_message(const struct err *e);
const char *err_reason_name(enum err_reason r);
/* The step for an error of this reason that has none; NULL: there is none. */
const char *err_reason_help_step(enum err_reason r);
const char *err_code_name(enum err_code c);
const char *err_code_what(enum err_code c);
int err_exit(enum err_code c);
bool err_retryable(const struct err *e);
size_t err_code_count(void);

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
