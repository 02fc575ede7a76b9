/*
 * plain_for_model: the result of a tool as text for a model. It costs a model fewer tokens than
 * JSON, and no text is escaped. A row of the command table names how its result is printed.
 */
#pragma once

#include "cmd/cmd.h"

struct plain {
	/* The member whose text stands alone, unchanged: the content of a file. NULL: none. */
	const char *body;
	/* Draws what no template can. It stands before the text of the template. May be NULL. */
	void (*print)(struct arena *a, struct buf *b, const struct val *result);
	/* How the members read that it names (cmd/result_template.h). May be NULL. */
	const char *template;
	/*
	 * Members that print() prints, or that models need not read; with blanks between them.
	 * Warnings come as sentences, and all other members as an outline: "name: value", rows
	 * with "- ". Empty members are left out, and in rows also false and 0. When nothing is
	 * left, each empty list is a line, "name: none".
	 */
	const char *hidden;
	/* Members that are false are printed, too: they may be the answer. */
	bool no;
};

/* The text of a result of these rows. *body is empty when there is none. Both are UTF-8. */
void plain_result_text(struct arena *a, const struct plain *p, const struct field *rows,
		       const struct val *result, struct str *body, struct str *rest);
/* An error: its reason, its message, and the next steps, each once. */
struct str plain_error(struct arena *a, const struct val *envelope);

extern const struct plain plain_search;
/* For a row without a form of its own. */
extern const struct plain plain_data;

/* For results with FIELDS_WRITTEN: "path: created, sha256:…". */
#define PLAIN_WRITTEN                                                                              \
	"{path}: {?created:created|{?^changed&!changed:unchanged, it had this "                    \
	"content|changed}}, "                                                                      \
	"{newHash%h}\n"
#define PLAIN_LINE_ENDS      "{?lineEnds='crlf':the text got the file's line ends, CR LF\n}"
#define PLAIN_WRITTEN_HIDDEN "bytes event lineEnds"

/* A memory of the list: "[id, layer, kind, day, tags; score]", and the content below it. */
#define PLAIN_MEMORIES(list, more)                                                                 \
	/* What most memories are need not be read each time. */                                   \
	"{/" list ":[{memoryId}{?layer:, {layer}}{?kind&!kind='fact':, {kind}}"                    \
	"{?state&!state='active':, {state}}, {happenedAt%d}"                                       \
	"{?owner:, of {owner}}{?supersededBy:, superseded by {supersededBy}}{/tags: #{.}}" more    \
	"]\n{content%n}}"                                                                          \
	"{?!" list ":no memories\n}"

/* For the member others. */
#define PLAIN_OTHERS "{?^conversation:{conversation}\n}{?^others:changes of others are left out\n}"
