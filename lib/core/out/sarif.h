/*
 * sarif: writes a log of SARIF 2.1.0 with one run, as it comes: the rules first, then one result a
 * line, then the notices. It keeps nothing in memory, so the number of results does not matter. It
 * knows no decisions and no lint rules; ikm-check(1) says how a report becomes a log.
 *
 * Text that is not UTF-8 is written with U+FFFD. Paths are percent-encoded, byte by byte. Columns
 * count units of UTF-16, as the log says.
 */
#pragma once

#include "out/out.h"

/* The levels of the format; SARIF's "none" is not used. */
#define SARIF_LEVELS(X) X(SARIF_NOTE, "note") X(SARIF_WARNING, "warning") X(SARIF_ERROR, "error")
enum sarif_level { SARIF_LEVELS(ENUM_MEMBER) };

/* GitHub refuses a log whose rule has more. */
#define SARIF_TAGS_MAX 20
/* GitHub refuses a log that has more. */
#define SARIF_RESULTS_MAX 25000

/* Empty members are left out, except id. */
struct sarif_rule {
	struct str id;    /* unique in the log */
	struct str name;  /* a name for people, without blanks */
	struct str title; /* one sentence */
	struct str text;  /* the whole of it */
	struct str help;  /* what to do */
	/* An address to read more at, and a path that belongs behind it, which is encoded. */
	struct str web, web_path;
	struct strs tags; /* at most SARIF_TAGS_MAX */
	enum sarif_level level;
};

struct sarif_place {
	/* From the top of the repository, or absolute; empty: the result has no place. */
	struct str path;
	size_t line;     /* from 1; 0: the whole file */
	size_t column;   /* from 1; 0: the whole line */
	size_t end;      /* the column behind the last character; 0: unknown */
	struct str text; /* the text from column to end; empty: not given */
};

struct sarif_result {
	size_t rule; /* index into the rules */
	enum sarif_level level;
	struct str message;
	struct sarif_place place;
	struct str fingerprint; /* must differ between the results of a log */
};

/* A note on the tool's own work: a place that it could not look at, a changed rule. */
struct sarif_notice {
	struct str id; /* the kind of notice: the id of one of sarif_run.kinds */
	enum sarif_level level;
	struct str message;
	struct sarif_place place;
};

struct sarif_run {
	const char *tool, *version;
	const char *fingerprint; /* the key of fingerprints: "ikmFingerprint/v1" */
	const struct sarif_rule *rules;
	size_t rules_n;
	const struct sarif_rule *kinds; /* of notices */
	size_t kinds_n;
};

/* The state of a log that is being written. */
struct sarif {
	struct out *o;
	const struct sarif_run *run;
	size_t results, notices;
	bool noticing; /* the list of results is closed */
};

/* In this order: begin once, all results, all notices, end once. `run` must outlive the log. */
void sarif_begin(struct sarif *s, struct out *o, const struct sarif_run *run);
void sarif_result(struct sarif *s, const struct sarif_result *r);
void sarif_notice(struct sarif *s, const struct sarif_notice *n);
void sarif_end(struct sarif *s);

/* The number of UTF-16 units of a text; a byte that is not UTF-8 counts as one. */
size_t sarif_utf16_length(struct str s);
