/* change_common: the parameters and result that all commands share which change a content. */
#pragma once

#include "app/print_warnings.h"
#include "file/charset.h"
#include "open_files_for_call.h"
#include "reply/plain_for_model.h"

/* More rows of params. */
#define PARAM_IF_MATCH                                                                             \
	PARAM(ifMatch, .meta = "hash", .also = "if_match",                                         \
	      .help = "only if its hash is this; none: only if it does not exist")
/* The same for a verb that needs an existing file. */
#define PARAM_IF_MATCH_OLD                                                                         \
	PARAM(ifMatch, .meta = "hash", .also = "if_match", .help = "only if its hash is this")
#define PARAM_BREAK_LINKS                                                                          \
	PARAM(breakLinks, .flags = RARE, .also = "break_links",                                    \
	      .help = "write a file with several hard links; the other links keep the old content")
#define PARAM_PARENTS PARAM(parents, .letter = 'p', .help = "make missing folders")
#define PARAM_ENCODING(what)                                                                       \
	PARAM(encoding, .flags = RARE, .meta = "name", .max = 64,                                  \
	      .help = "base64, if " what                                                           \
		      " given so; else the encoding of the file; default: as the file shows it")

/* The first member of each such result. */
struct written {
	struct str path;
	struct file_done done;
	const char *ends; /* of written_ends, or NULL */
	bool replayed;    /* the answer of an earlier call: files_run_write_tool() sets it */
};
extern const char *const written_ends[];

/* clang-format off */
/* The rows of a struct file_done: what the garden's policy did with the file. */
#define FIELDS_KEPT(object, done)                                                                       \
	FIELD_AS(object, done.committed, "committed",                                       \
		 "only in the garden: whether there is a Git commit of the change",                \
		 .flags = OPTIONAL),                                                               \
	FIELD_AS(object, done.commit, "commit", "its id", .flags = IF_ANY),                 \
	FIELD_AS(object, done.uncommitted, "reason", "why there is no commit",              \
		 .flags = IF_ANY),                                                                 \
	FIELD_AS(object, done.history, "historyPath", "the copy of the former content",     \
		 .flags = IF_ANY)
/* The rows of `written`, for a struct result with that member. */
#define WRITTEN(member, json_name, ...)                                                            \
	FIELD_AS(struct result, written.member, json_name, __VA_ARGS__)
#define FIELDS_WRITTEN                                                                             \
	WRITTEN(path, "path", "the path that you gave"),                                           \
	WRITTEN(done.hash, "newHash", "sha256 of the new content"),                                \
	WRITTEN(done.size, "bytes", "its size"),                                                   \
	WRITTEN(done.created, "created", "it did not exist before"),                               \
	WRITTEN(done.changed, "changed",                                                           \
		"false: it had this content already, and nothing was written"),                    \
	WRITTEN(done.event, "event", "the record of the change, for undo", .flags = IF_ANY),       \
	FIELDS_KEPT(struct result, written.done),                                                                 \
	FIELD_REPLAYED(written.replayed),                                                          \
	WRITTEN(done.warnings, "warnings", "file properties that could not be kept",               \
		.flags = IF_ANY)
/* A further row for commands that insert a text: ikm may have adapted its line ends. */
#define FIELD_LINE_ENDS                                                                            \
	WRITTEN(ends, "lineEnds",                                                                  \
		"the line ends of the file, to which the text was adapted",                        \
		.flags = OPTIONAL, .choices = written_ends)
/* clang-format on */

/* Decodes a parameter as `encoding` says. WRONG_TYPE when it is not valid base64. */
struct err *written_decode_param(struct call *c, struct str encoding, const char *param,
				 struct str given, struct str *out) MUST_USE;
bool written_is_base64(struct str encoding);
/*
 * The old content as UTF-8, as the parameter `encoding` says or the content shows; base64: as it
 * is. charset_encode() brings the new text back.
 */
struct err *written_decode_old_content(struct arena *a, const struct file_ref *r,
				       struct str encoding, struct str content, struct str *text,
				       struct charset *out) MUST_USE;
/* Tells a guessed encoding. */
void written_note_guessed_charset(struct call *c, struct written *w, const struct charset *charset);
/* Sets the line ends that the text got, and warns about a file that has both kinds. */
void written_note_line_ends(struct call *c, struct written *w, const struct file_edited *edited);
/* For people, with TEMPLATE_WARNINGS: nothing else is printed on success. */
#define TEMPLATE_LINE_ENDS                                                                         \
	"{?lineEnds:{2:ikm: '{path}' has lines that end with {?lineEnds='crlf':CR LF|LF}, so "     \
	"the "                                                                                     \
	"text got these line ends\n}}"
