/* The rows of lib/text/host/table.c; private to host. */
#pragma once

#include "host/host.h"

/* Names that mean the same; the first that the event has counts. */
#define HOST_NAMES_MAX 4
struct host_words {
	const char *p[HOST_NAMES_MAX];
};

/* A name of an event. With `has`: an event without a name is this one when it has a member. */
struct host_moment_row {
	const char *name;
	enum host_moment moment;
	struct host_words has;
	enum host_kind kind; /* the event is about one kind of tool, and has its members itself */
};

/* A tool, and where its input has what. */
struct host_tool_row {
	struct host_words names;
	enum host_kind kind;
	struct host_words path, content, old, new, all;
	const char *list; /* a list of replacements, each with path, old, new and all */
	struct host_words cell, cell_mode;
};

struct host_form {
	enum host_moment moment;
	enum host_verdict verdict;
	/* JSON in which $R is the text and $E the event's name, each as a string. */
	const char *out;
	bool err; /* the text is on standard error too */
	int status;
};

struct host_dialect {
	enum host host;
	/* Members of the event. */
	struct host_words event, session, cwd, agent, tool, input, stop_active;
	const char *roots;  /* a list of folders, when cwd is missing or empty */
	const char *server; /* what names of MCP tools begin with */
	const struct host_moment_row *moments;
	const struct host_tool_row *tools;
	const struct host_form *forms; /* one without a verdict's row: the host does not take it */
};

/* How an event shows its dialect; the first row that fits counts. All that is given must hold. */
struct host_sign {
	const struct host_dialect *dialect;
	bool mark; /* begins with a byte order mark */
	struct host_words has, lacks;
	struct host_words named; /* the event's name is one of them */
	struct host_words input; /* one of them is a member of the tool's input */
};

/* What a host sets in the environment of what it starts. */
struct host_variables {
	enum host host;
	struct host_words set, session;
};

extern const struct host_variables host_variables[];
extern const struct host_sign host_signs[];
/* The dialect that --host means, and what an event without any sign has. */
const struct host_dialect *host_default_dialect(enum host h);
/* All dialects, NULL-ended. */
extern const struct host_dialect *const host_dialects[];
