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

/* Rows of every such result, behind its own. */
/* clang-format off */
#define FIELDS_WRITTEN                                                                             \
	{"path", "the file, as it was named", F_STR},                                              \
	{"newHash", "sha256 of the content as it is now", F_STR},                                  \
	{"bytes", "its size", F_INT},                                                              \
	{"created", "it did not exist before", F_BOOL},                                            \
	{"changed", "false when it was as wanted already; then nothing is written", F_BOOL},       \
	{"event", "the record of the change, for undo", F_STR, OPTIONAL},                          \
	{"warnings", "what of the file could not be kept", F_STRS, OPTIONAL}
/* clang-format on */

/* One more row, of those that put a text into a content: its line ends may have been adapted. */
extern const char *const written_ends[];
/* clang-format off */
#define FIELD_LINE_ENDS                                                                            \
	{"lineEnds", "the text was given with other line ends, and got these of the file", F_STR,  \
	 OPTIONAL, .choices = written_ends}
/* clang-format on */

/* A parameter's bytes as `encoding` says they are given. WRONG_TYPE when that is no base64. */
struct err *written_bytes(struct call *c, int encoding, const char *param, struct str given,
			  struct str *out) MUST_USE;
struct val *written_result(struct call *c, struct str path, const struct file_done *done);
/* Its row, and the warning about a file that has both line ends. done gets the warning. */
void written_ended(struct call *c, struct str path, const struct file_edited *edited,
		   struct file_done *done);
void written_put_ends(struct call *c, struct val *result, const struct file_edited *edited);
/* For people: what went well is not worth a word; warnings go to standard error. For any result. */
void written_text(struct call *c, const void *args, const struct val *result);

#endif
