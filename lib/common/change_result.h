/* change_result: what the commands that change a content have in common: their parameters and
 * result. */
#ifndef IKM_COMMON_CHANGE_RESULT_H
#define IKM_COMMON_CHANGE_RESULT_H

#include "files.h"

extern const char *const encodings[];
enum { ENCODING_UTF8, ENCODING_BASE64 };

/* More rows of params. */
#define PARAM_IF_MATCH                                                                             \
	PARAM(ifMatch, .meta = "hash", .also = "if_match",                                         \
	      .help = "only if it has this hash now (sha256:... or text:sha256:...), or 'none': "  \
		      "only if it does not exist")
#define PARAM_BREAK_LINKS                                                                          \
	PARAM(breakLinks, .also = "break_links",                                                   \
	      .help = "write a file with several hard links, and part it from the others")
#define PARAM_PARENTS PARAM(parents, .letter = 'p', .help = "make missing folders")
#define PARAM_ENCODING(what)                                                                       \
	PARAM(encoding, .choices = encodings, .def = "utf-8", .help = "how " what " given")

/* The first member of every such result. */
struct written {
	struct str path;
	struct file_done done;
	const char *ends; /* of written_ends, or NULL */
};
extern const char *const written_ends[];

/* clang-format off */
/* Its rows, in a struct result with the member `written`. */
#define WRITTEN(member, json_name, ...)                                                            \
	FIELD_AS(struct result, written.member, json_name, __VA_ARGS__)
#define FIELDS_WRITTEN                                                                             \
	WRITTEN(path, "path", "the file, as it was named"),                                        \
	WRITTEN(done.hash, "newHash", "sha256 of the content as it is now"),                       \
	WRITTEN(done.size, "bytes", "its size"),                                                   \
	WRITTEN(done.created, "created", "it did not exist before"),                               \
	WRITTEN(done.changed, "changed",                                                           \
		"false when it was as wanted already; then nothing is written"),                   \
	WRITTEN(done.event, "event", "the record of the change, for undo", .flags = IF_ANY),       \
	WRITTEN(done.warnings, "warnings", "what of the file could not be kept", .flags = IF_ANY)
/* One more row, of those that put a text into a content: its line ends may have been adapted. */
#define FIELD_LINE_ENDS                                                                            \
	WRITTEN(ends, "lineEnds",                                                                  \
		"the text was given with other line ends, and got these of the file",              \
		.flags = OPTIONAL, .choices = written_ends)
/* clang-format on */

/* A parameter's bytes as `encoding` says they are given. WRONG_TYPE when that is no base64. */
struct err *written_bytes(struct call *c, int encoding, const char *param, struct str given,
			  struct str *out) MUST_USE;
/* The line ends that a text got, and the warning about a file that has both kinds. */
void written_set_ends(struct call *c, struct written *w, const struct file_edited *edited);
/* For people: a success is not worth a word; warnings go to standard error. */
void written_text(struct call *c, const void *args, const void *result);

#endif
