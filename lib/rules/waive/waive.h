/*
 * waive: exceptions from rules, each with an owner and an end (ikm-knowledge(5), "EXCEPTIONS"): the
 * entries of .ikm/waivers.yaml, and the comment ikm:allow in a file.
 */
#pragma once

#include "lexer/lexer.h"
#include "git/git.h"
#include "knowledge/knowledge.h"
#include "record/record.h"

#define WAIVE_FOLDER   ".ikm"
#define WAIVE_FILE     WAIVE_FOLDER "/waivers.yaml"
#define WAIVE_WORD     "ikm:allow"
#define WAIVE_DAYS_MAX 366 /* an end that is further ahead is refused */
#define WAIVE_SOON     14  /* days before the end in which ikm announces it */
#define WAIVE_FILE_MAX ((size_t)1 << 20)

struct waiver {
	struct str item;    /* as written: an id, a path, a number */
	int64_t constraint; /* of the item, from 1; 0: all of them */
	struct strs paths;  /* globs; of a comment the file */
	struct strs found;  /* packages or matched texts; empty: everything that the rules find */
	struct str reason, owner, expires; /* expires: YYYY-MM-DD, the last day */
	struct str file; /* its place: .ikm/waivers.yaml, or the file with the comment */
	size_t line;
	bool in_comment;
	bool is_new;  /* the judged change adds it */
	int64_t ends; /* the last day, in days since 1970 */
	struct globs globs;
	bool everywhere; /* a glob matches every path: findings without a file too */
	/* The ids of the items that `item` names, on both sides of a change; see waive_resolve().
	 */
	struct strs ids;
	bool by_history;    /* the id is one that a renamed item had before */
	struct str unknown; /* why `item` names nothing; empty: it names an item */
	/* A mistake of the entry or comment: it waives nothing, and only its place is known. */
	struct str problem;
};
/* What an exception did in a check. */
struct waiver_use {
	bool covers;  /* a finding */
	bool counts;  /* a finding is waived by it: of those that cover it, the last to end */
	bool doubled; /* a finding that it covers is waived by another */
	bool moved;   /* it waives a rule that the exceptions of the base do not cover */
};
struct waivers VEC(struct waiver);
/*
 * The exceptions of one base. Numbers and names of items mean the rules of that base: a change may
 * give them to other rules.
 */
struct waive_base {
	struct waivers list;
	const struct knowledge *knowledge;
	struct tree *tree;
	const struct tree_changes *changes; /* from it to the judged tree */
	bool grants; /* what it has is not new, unless another base must have it too */
	bool must;   /* what it does not have is new */
};
struct waive_bases VEC(struct waive_base);
/* The number of exceptions of all bases. */
size_t waive_bases_count_waivers(const struct waive_bases *bases);

/* The current day in UTC, in days since 1970. */
int64_t waive_today(void);
/* A date as YYYY-MM-DD, which must exist; false for other texts. */
bool waive_day_read(struct str text, int64_t *day);
/* Days until the end: 0 on the last day, negative behind it. */
int64_t waive_days_left(const struct waiver *w, int64_t today);
/* "3 days left", "ends today", "ended on 2026-11-01". */
struct str waive_end_text(struct arena *a, const struct waiver *w, int64_t today);
/* ".ikm/waivers.yaml:3". */
struct str waive_entry_place_text(struct arena *a, const struct waiver *w);

/*
 * Reads the text of .ikm/waivers.yaml. Each mistake of an entry, or of the YAML, is a waiver with a
 * problem; the other entries are read. lower: globs are put in small letters, for core.ignorecase.
 */
void waivers_read_yaml(struct arena *a, struct str text, int64_t today, bool lower,
		       struct waivers *out);
/* Reads the file of a tree, if the tree has it. */
struct err *waivers_read_yaml_of_tree(struct arena *a, struct tree *t, int64_t today, bool lower,
				      struct waivers *out) MUST_USE;
/*
 * Sets ids and unknown, unless it has a problem. base (may be NULL): the knowledge before the
 * change; an item that only the base has under this name, and that the change renames, is found
 * too.
 */
void waive_resolve(struct arena *a, const struct knowledge *now, const struct knowledge *base,
		   const struct tree_changes *renames, struct waiver *w);
/*
 * Finds the item of a waiver that waive_resolve() could not: by an id that the item had before its
 * file was renamed. tip: the commit whose history is read; NULL: HEAD. now: the tree of the
 * knowledge. g may be NULL.
 */
struct err *waive_resolve_former(struct arena *a, struct git *g, const char *tip, struct tree *now,
				 const struct knowledge *k, struct waiver *w) MUST_USE;
/* Whether the base has the same waiver, or a wider one. */
bool waive_is_in_base(const struct waiver *w, const struct waivers *base);

/* ---- comments ---- */

/* The comment "ikm:allow ITEM[#N] until YYYY-MM-DD [by NAME]: REASON". */
struct allow {
	struct waiver w;
	size_t next; /* the line below that it covers too; 0: only its own line */
	/*
	 * The code of the covered line, without the comment and without blanks at its ends: what
	 * stands before the comment and behind it, or the line below.
	 */
	struct str covered;
	struct waiver_use use;
	bool taken;  /* of a base: an allow of the change is the same */
	bool paired; /* compared with the allows of the base: w.is_new is set */
	/* The same allow of the base, and of each base that must have it; NULL: new. */
	const struct allow **was;
};
struct allows VEC(struct allow);
/*
 * The allows in the comments of a file, in the order of their lines; also those with a mistake. A
 * file whose comments ikm does not know, and that has the word, gives one broken allow. Borrows
 * nothing. Costs one search for the word when the file does not have it.
 */
void allows_read_comments(struct arena *a, struct str path, struct str text, int64_t today,
			  struct allows *out);
bool allow_covers(const struct allow *x, size_t line);
/* Whether `was`, which no other allow has taken, waives what x waives, and as long. */
bool allow_existed_before(const struct allow *x, const struct allow *was);

/* ---- all exceptions of a tree ---- */

struct waive_listed {
	struct waiver waiver;
	struct str id; /* of the item; empty: it names none */
	int64_t days;  /* until its end */
	bool ended;
	struct str problem; /* why it waives nothing, besides its end: also an unknown item */
};
/* A file that was not searched for comments. */
struct waive_unread {
	struct str path, message; /* message: why */
};
struct waive_list {
	struct waive_listed *p;
	size_t n, cap;
	struct VEC(struct waive_unread) unread; /* in the order of the tree */
};
extern const struct field waive_listed_fields[], waive_unread_fields[];
/*
 * The waivers of the tree and the allows in all its files: broken ones first, then by their end.
 * Reads every file up to max_file bytes. g: the repository of the tree, for former ids; may be
 * NULL.
 */
struct err *waivers_list(struct arena *a, struct git *g, struct tree *t, const struct knowledge *k,
			 size_t max_file, struct waive_list *out) MUST_USE;

/*
 * The entries of .ikm/waivers.yaml that name the item with this id, the first to end first. No file
 * is searched for comments.
 */
struct err *waivers_of_item(struct arena *a, struct git *g, struct tree *t,
			    const struct knowledge *k, struct str id,
			    struct waive_list *out) MUST_USE;

/* ---- the file ---- */

/*
 * The file's text with one entry more, all other bytes as they were. text p NULL: there is no file.
 * Errors: BAD_YAML when the file has mistakes, or is written in a way to which nothing can be
 * added; TOO_BIG when it would have more than WAIVE_FILE_MAX bytes.
 */
struct err *waivers_yaml_add(struct arena *a, struct str text, const struct waiver *w,
			     int64_t today, struct str *out) MUST_USE;
