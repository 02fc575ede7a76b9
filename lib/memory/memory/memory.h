/*
 * memory: stores, lists, searches and removes memories (requirements: memory and knowledge, "Memory
 * Tools"; memory queries, "Access Levels"). All memories are in one table, in seven layers, and are
 * found by their words. A memory's content never changes: a new memory supersedes it.
 */
#pragma once

#include "conf/conf.h"
#include "db/db.h"
#include "event/event.h"
#include "record/record.h"
#include "token/token.h"
#include "vector/vector.h"
#include "vocab/vocab.h"

/* In order of precedence: of two like memories a search shows only the earlier layer's. */
#define MEMORY_LAYERS(X) CONF_MEMORY_LAYERS(X, MEMORY_)
enum memory_layer { MEMORY_LAYERS(ENUM_MEMBER) MEMORY_LAYERS_END };
/* A layer of one person. What another person says rules nothing there. */
static inline bool memory_layer_is_private(enum memory_layer layer)
{
	return layer == MEMORY_AGENT || layer == MEMORY_USER || layer == MEMORY_SESSION;
}

/* Kinds that callers may add; only sync adds pointers to knowledge. */
#define MEMORY_KINDS_ADDED(X)                                                                      \
	X(MEMORY_FACT, "fact")                                                                     \
	X(MEMORY_EPISODIC, "episodic")                                                             \
	X(MEMORY_SEMANTIC, "semantic")                                                             \
	X(MEMORY_WORKING, "working")                                                               \
	X(MEMORY_SCRATCH, "scratch")                                                               \
	X(MEMORY_CONVERSATION, "conversation")
#define MEMORY_KINDS(X) MEMORY_KINDS_ADDED(X) X(MEMORY_KNOWLEDGE_POINTER, "knowledge_pointer")
enum memory_kind { MEMORY_KINDS(ENUM_MEMBER) MEMORY_KINDS_END };

/* A caller may say the first three of itself; import and sync say so by themselves. */
#define MEMORY_PROVENANCES_SAID(X)                                                                 \
	X(MEMORY_BY_USER, "user") X(MEMORY_BY_AGENT, "agent") X(MEMORY_BY_TOOL, "tool")
#define MEMORY_PROVENANCES(X)                                                                      \
	MEMORY_PROVENANCES_SAID(X) X(MEMORY_BY_IMPORT, "import") X(MEMORY_BY_SYNC, "sync")
enum memory_provenance { MEMORY_PROVENANCES(ENUM_MEMBER) };

#define MEMORY_REDACTIONS(X)                                                                       \
	X(MEMORY_PUBLIC, "public") X(MEMORY_INTERNAL, "internal") X(MEMORY_SENSITIVE, "sensitive")
enum memory_redaction { MEMORY_REDACTIONS(ENUM_MEMBER) };

/* The status of a scratch note. */
#define MEMORY_STATUSES(X)                                                                         \
	X(MEMORY_ACTIVE, "active")                                                                 \
	X(MEMORY_PENDING_REVIEW, "pending_review")                                                 \
	X(MEMORY_RESOLVED, "resolved")                                                             \
	X(MEMORY_ARCHIVED, "archived")
enum memory_status { MEMORY_STATUSES(ENUM_MEMBER) };

#define MEMORY_STATES(X)                                                                           \
	X(MEMORY_CURRENT, "active")                                                                \
	X(MEMORY_SUPERSEDED, "superseded")                                                         \
	X(MEMORY_CONFLICT, "conflict")                                                             \
	X(MEMORY_EXPIRED, "expired")                                                               \
	X(MEMORY_REJECTED, "rejected") /* a person says that it is wrong: nothing gives it */
enum memory_state { MEMORY_STATES(ENUM_MEMBER) };

extern const char *const memory_layers[], *const memory_kinds[], *const memory_kinds_added[];
extern const char *const memory_provenances[], *const memory_provenances_said[];
extern const char *const memory_redactions[], *const memory_statuses[], *const memory_states[];

/* The caller's identifiers; an unknown identifier is empty. */
struct memory_who {
	struct str agent, user, session, project, team, org, company;
	/* The root commit of a project that has an origin: its name before it had one. Memories of
	 * this name are seen, and none is added to it. Empty: there are none. */
	struct str former;
};

struct memories {
	struct db *db;
	struct memory_who who;
	enum token_model model;
	size_t content_most;     /* limit of an added content in bytes; 0: MEMORY_CONTENT_MAX */
	struct vectors *vectors; /* NULL: there is no embedder */
	struct words *words;     /* made when first needed: memory_word_splitter() */
	struct memory_ground *ground; /* the present repository; NULL: none is looked at */
	/*
	 * Changes are events, recorded in their transaction. NULL: they are not recorded. An event
	 * has hashes and names of members, and never a content, a tag or metadata.
	 */
	struct events *events;
	struct str undoes; /* the event that the next recorded change undoes */
	struct str event;  /* the event of the last change that a caller asked for */
	int64_t importing; /* the import that runs, or that is being undone; 0: none */
	bool undoing;      /* it is being undone */
	bool upgraded;     /* memory_index_upgrade() has found or made an index of this version */
	/* Told of a stored content that looks like a key or a password (what), or NULL. */
	void (*secret)(void *ctx, struct str id, const char *what);
	void *secret_ctx;
};
/* Gives m->words. The first call makes it in `a`, which must live as long as m. */
struct err *memory_word_splitter(struct memories *m, struct arena *a, struct words **out) MUST_USE;
/* Makes *out for another thread: m without a store, with words of its own, which grow in `a`. */
struct err *memory_handle_for_thread(const struct memories *m, struct arena *a,
				     struct memories *out) MUST_USE;

struct memory {
	int64_t doc;   /* its number in the index; indexing it again changes the number */
	struct str id; /* "mem_" and a ULID */
	enum memory_layer layer;
	int64_t scope; /* a row of scopes: the layer and its identifiers */
	enum memory_kind kind;
	struct str type; /* "observation", "user_preference", "fact", "goal", … or empty */
	struct str content;
	struct strs tags;    /* sorted, without repeats */
	struct str metadata; /* a JSON object, or empty */
	struct str source;   /* or empty */
	double importance;   /* 0 to 1; default 0.5 */
	double confidence;   /* 0 to 1 */
	enum memory_provenance provenance;
	enum memory_redaction redaction;
	enum memory_status status;       /* of a scratch note */
	enum memory_state state;         /* EXPIRED follows from expires, and is not stored */
	struct str user, agent, session; /* the user, agent and conversation that made it */
	/* whose it is, if a server says that it is another person's: the login role; or empty */
	struct str owner;
	struct str speaker;                 /* of a conversation's turn */
	int64_t turn;                       /* from 1; 0: none */
	struct str supersedes;              /* the id of the memory that it replaced, or empty */
	struct str superseded_by;           /* or empty */
	int64_t happened, created, updated; /* ms */
	int64_t expires;                    /* ms; 0: never */
	int64_t superseded, deleted;        /* ms; 0: not superseded, not deleted */
	int64_t tokens;                     /* of the content, for the model of m */
	int64_t import;                     /* only for memory_put(): the import that adds it */
	/* the files that it speaks of: a list of struct memory_file (memory/repository_ties.h), or
	 * NULL */
	const struct val *files;
	/* of a project memory, or empty: where it was made, as memory/repository_ties.h tells */
	struct str repository, commit, branch, change;
	const struct memory_ties *ties; /* how files and branch are now; NULL: nobody looked */
};
struct memory_list VEC(struct memory);

/*
 * How the kinds differ. SQL names the kinds that merge once more: the index memories_repeat, and
 * the statement memory_repeats. t/memory/0600-mem.t compares the two.
 */
struct memory_kind_rules {
	double confidence; /* default */
	int64_t lives_ms;  /* default lifetime; 0: no end */
	unsigned most;     /* limit of an agent's active memories; 0: none */
	bool most_drops;   /* at the limit drop the oldest; else TOO_MANY_MEMORIES */
	bool merges;       /* an exact repeat is merged into the existing memory */
	bool has_status, append_only, has_turns;
};
extern const struct memory_kind_rules memory_kind_rules[MEMORY_KINDS_END];

/*
 * A number that grows with each change of a memory or an embedding, by any process. -1: there is no
 * store.
 */
struct err *memory_store_change_number(struct memories *m, int64_t *out) MUST_USE;

/* ---- scopes ---- */

/*
 * The scope of a layer for the caller. The layer agent needs the identifiers agent and user;
 * session needs user and session; each other layer needs its own. make: a missing scope is made;
 * call it within a transaction. Without make, *scope is 0 for a scope that does not exist. Errors:
 * MISSING_PARAMETER lists the unknown identifiers.
 */
struct err *memory_scope_of_layer(struct memories *m, struct arena *a, enum memory_layer layer,
				  bool make, int64_t *scope) MUST_USE;
/*
 * The caller's scopes of several layers (bits: 1 << layer); 0: all layers whose identifiers are
 * known. layers: the layers that the list covers, as bits. Scopes that do not exist are not in the
 * list.
 */
struct memory_scopes {
	struct memory_scope {
		int64_t scope;
		enum memory_layer layer;
	} * p;
	size_t n, cap;
	unsigned layers;
};
struct err *memory_scopes(struct memories *m, struct arena *a, unsigned layers,
			  struct memory_scopes *out) MUST_USE;

/* The identifiers of a layer's owner as a JSON list; unknown identifiers are empty. */
struct str memory_layer_owner(struct memories *m, struct arena *a, enum memory_layer layer);

/* Whether memories of any project have its root commit for a name. */
struct err *memory_root_commit_is_used(struct memories *m, bool *out) MUST_USE;
/* Whether anybody has stored a memory in that layer. */
struct err *memory_layer_is_used(struct memories *m, enum memory_layer layer, bool *out) MUST_USE;

/* ---- marks: terms of the index for everything but words ---- */

enum memory_mark {
	MARK_AGENT = 'a', /* the agent that made it */
	MARK_FILES = 'f', /* it has files */
	MARK_TAG = 'g',
	MARK_KIND = 'k',
	MARK_SESSION = 'n',
	MARK_SOURCE = 'o',
	MARK_SPEAKER = 'p', /* in lower case */
	MARK_REDACTION = 'r',
	MARK_SCOPE = 's',
	MARK_TYPE = 't',
	MARK_STATUS = 'u', /* of scratch notes */
	MARK_PROVENANCE = 'v',
	MARK_STATE = 'x', /* CURRENT has no mark */
};
uint64_t memory_mark_of_text(enum memory_mark class, struct str text);
uint64_t memory_index_mark_of_scope(int64_t scope);
/* The scope of the index for a scope's memories: sensitive ones have a scope of their own. */
static inline int64_t memory_index_scope(int64_t scope, bool sensitive)
{
	return 2 * scope + sensitive;
}
uint64_t memory_index_mark_of_speaker(struct str speaker);

/* ---- adding ---- */

/*
 * Limit of content and of metadata in bytes. content_most may be lower; imports ignore
 * content_most.
 */
#define MEMORY_CONTENT_MAX ((size_t)CONF_MEMORY_MAX)
#define MEMORY_TAGS_MAX    64
#define MEMORY_TAG_MAX     256
#define MEMORY_NAME_MAX    256 /* of a type, a source, a speaker */

/* The results of memory_add() for the given members, by their names in JSON. */
struct memory_told {
	bool existing;      /* the store has an exact repeat */
	struct strs merged; /* of a repeat: members that changed the existing memory */
	struct strs kept;   /* of a repeat: members that differ, and keep the existing value */
	/* of a correction: members taken from the memory that it supersedes */
	struct strs inherited;
};
/*
 * Stores a memory durably. It reads these members of `in`: layer, kind, type, content, tags,
 * metadata, source, importance, confidence (negative: by kind), provenance, redaction, status,
 * speaker, turn, supersedes, happened (0: now), expires (0: by kind). *out is the memory as stored.
 * If the scope has an active exact repeat, the new members are merged into the repeat, and *out is
 * the repeat. Errors: REJECTED names the memory that says the same and was rejected; OUT_OF_RANGE,
 * TOO_LONG, BAD_UTF8, WRONG_TYPE, MISSING_PARAMETER (identifiers), NO_SUCH_MEMORY and SUPERSEDED
 * for `supersedes`, TOO_MANY_MEMORIES for active scratch notes.
 */
struct err *memory_add(struct memories *m, struct arena *a, const struct memory *in,
		       struct memory *out, struct memory_told *told) MUST_USE;
/* The same, also for a statement that a person has rejected: a person says so. */
struct err *memory_add_even_if_rejected(struct memories *m, struct arena *a,
					const struct memory *in, struct memory *out,
					struct memory_told *told) MUST_USE;
/*
 * A transaction for changes of memories, as db_begin() and db_commit(). Before the first one of a
 * handle an old index is rebuilt. After the outermost one a part of the index's maintenance is
 * done; a caller that leaves that to the end commits with db_commit(), and calls
 * memory_index_maintain(). struct db_txn t DB_TXN = {0}; TRY(memory_begin(&t, m, a));
 *   TRY(memory_change(m, a, &was, &now));
 *   return memory_commit(&t, m, a);
 */
struct err *memory_begin(struct db_txn *t, struct memories *m, struct arena *a) MUST_USE;
struct err *memory_commit(struct db_txn *t, struct memories *m, struct arena *a) MUST_USE;
/* Maintains the index of words. */
void memory_index_maintain(struct memories *m, struct arena *a);
/* Adds several memories in one transaction: all or none. */
struct err *memory_add_all(struct memories *m, struct arena *a, const struct memory_list *in,
			   struct memory_list *out) MUST_USE;

/*
 * Finds a memory in the caller's scopes by its id, or by a unique beginning of its id, as
 * ulid_normalize_input() reads it. deleted: finds a deleted memory too. Errors: NO_SUCH_MEMORY,
 * NOT_UNIQUE.
 */
struct err *memory_get(struct memories *m, struct arena *a, struct str id, bool deleted,
		       struct memory *out) MUST_USE;
/* Reads memories by their numbers, in that order. Missing rows are left out. */
struct err *memory_get_by_numbers(struct memories *m, struct arena *a, const int64_t *docs,
				  size_t n, struct memory_list *out) MUST_USE;

/*
 * Deletes a memory: nothing finds it any more, and a tombstone keeps it until a purge. Errors:
 * NO_SUCH_MEMORY.
 */
struct err *memory_delete(struct memories *m, struct arena *a, struct str id) MUST_USE;
/*
 * Deletes several memories, all or none, in one transaction. An id may be given twice. *out: the
 * memories as they were, each once. *events: the event of each, when changes are recorded.
 */
struct err *memory_delete_by_ids(struct memories *m, struct arena *a, const struct strs *ids,
				 struct memory_list *out, struct strs *events) MUST_USE;
/*
 * Restores a deleted memory that is not purged. Errors: NO_SUCH_MEMORY; EXISTS when it is not
 * deleted, or when an exact repeat was added since; TOO_MANY_MEMORIES as memory_add().
 */
struct err *memory_restore_deleted(struct memories *m, struct arena *a, struct str id,
				   struct memory *out) MUST_USE;
/* Changes of members; every member may be "not given". */
struct memory_edit {
	struct strs add_tags, remove_tags;
	double importance, confidence; /* below 0: not given */
	int layer, redaction;          /* -1: not given */
	struct maybe_int expires;      /* ms; 0: never */
	struct str source;             /* p NULL: not given; empty: none */
	/* An object, or NULL. Its keys replace those of the memory; null removes a key. */
	const struct val *metadata;
	bool may_publish; /* may make a memory less confidential */
};
struct memory_edited {
	struct strs changed; /* names of the members that changed; none: nothing was stored */
	struct strs absent;  /* tags to remove that the memory did not have */
};
/*
 * Edits members of a memory. Content, kind and type stay: memory_add() with `supersedes` corrects
 * them. Errors: NO_SUCH_MEMORY, NOT_UNIQUE; NOT_ALLOWED without may_publish; EXISTS when the layer
 * has the same memory; BAD_ARGUMENT for a layer that a superseded memory cannot move to, and for a
 * kind that always expires; those of memory_add() for members and identifiers.
 */
struct err *memory_edit_members(struct memories *m, struct arena *a, struct str id,
				const struct memory_edit *how, struct memory *out,
				struct memory_edited *told) MUST_USE;
/*
 * Sets the status of a scratch note. Allowed changes: active to pending_review, resolved, archived;
 * pending_review to active, resolved, archived; resolved to active, archived. Errors: BAD_ARGUMENT
 * names the allowed statuses.
 */
struct err *memory_set_status(struct memories *m, struct arena *a, struct str id,
			      enum memory_status status, struct memory *out) MUST_USE;
/* The event of a change that is undone, and what the undo did. */
struct memory_undone {
	struct memory memory; /* after the undo; deleted: it is deleted now */
	bool changed;         /* false: its former state was there already */
	/* of an import, instead of the memory */
	bool import;
	int64_t deleted, restored; /* memories */
	struct strs kept;          /* memories that stay as they are, because they were changed */
	int64_t tombstones;        /* deletions by the import, which stay */
};
/*
 * Undoes an event about a memory; m->events must be set, and m->event is then the undo's event. An
 * addition is undone by deleting, a deletion by restoring, an edit by the former members. agent:
 * the event must be this agent's; p NULL: a person, any agent. Errors: NOT_ALLOWED, PERSON_DECIDES
 * for a verdict, CHANGED_SINCE, UNDONE_ALREADY, NO_FORMER; BAD_ARGUMENT for an event that follows
 * from another memory's; those of memory_restore_deleted() and memory_edit_members().
 */
struct err *memory_undo_event(struct memories *m, struct arena *a, const struct event *e,
			      struct str agent, struct memory_undone *out) MUST_USE;
/* Whether the event is of an import, or of the undo of one. */
bool memory_event_is_import(const struct event *e);
/*
 * All that is known about what happened to a memory, oldest first: its events, and what its row
 * tells of the time before the first event. It finds purged memories too. Errors: NO_SUCH_MEMORY,
 * NOT_UNIQUE.
 */
struct memory_happened {
	int64_t time;
	struct str op, event;                  /* event empty: told by the row, not by the record */
	struct str user, agent, session, tool; /* tool empty: unknown */
	struct strs changed;                   /* names of members */
	struct str by;                         /* of a supersession: the other memory */
	struct str supersedes, undoes, rationale;
	struct str before; /* JSON: former values of `changed`, while they are kept; or empty */
};
struct memory_story {
	struct memory memory; /* of a purged memory only the id */
	bool purged;
	struct memory_happened *p;
	size_t n, cap;
};
struct err *memory_history(struct memories *m, struct arena *a, struct str id,
			   struct memory_story *out) MUST_USE;
/*
 * A person or an agent has looked, and the memory still holds: hashes its files again, and takes
 * HEAD as the commit of a project memory. Errors: BAD_ARGUMENT when it has neither; FILE_NOT_FOUND,
 * NO_REPOSITORY.
 */
struct err *memory_confirm(struct memories *m, struct arena *a, struct str id,
			   struct memory *out) MUST_USE;
/*
 * A person says that the memory is wrong, or takes that back. What it superseded holds again, and
 * is superseded again. Errors: NO_SUCH_MEMORY; EXISTS for memory_reject_undo() when the same was
 * added since.
 */
struct err *memory_reject(struct memories *m, struct arena *a, struct str id,
			  struct memory *out) MUST_USE;
struct err *memory_reject_undo(struct memories *m, struct arena *a, struct str id,
			       struct memory *out) MUST_USE;
/* The error for a caller who is no person: PERSON_DECIDES. what: "reject". */
struct err *memory_person_decides_error(const struct memory *one, const char *what);
/* How many memories memory_purge() erases without ids. */
struct err *memory_purgeable_count(struct memories *m, int64_t *out) MUST_USE;
/*
 * Erases the deleted memories with these ids, or prefixes: from rows, index, vocabulary, vectors,
 * free pages and the WAL. Without ids it erases all deleted memories, and expired working and
 * scratch memories. *erased: the number of memories. A tombstone keeps the id, the scope, the time
 * and the agent. Errors: as memory_find(); EXISTS for a memory that is not deleted; then none is
 * erased.
 */
struct err *memory_purge(struct memories *m, struct arena *a, const struct strs *ids,
			 int64_t *erased) MUST_USE;
/* Reads all rows, of all users. */
struct memory_verified {
	int64_t memories, deleted; /* numbers of rows, damaged rows included */
	int64_t indexed;           /* documents in the index */
	bool stale;                /* an older ikm made the index: see memory_index_upgrade() */
	/* scopes whose counters of documents, lengths or words are not those of their memories */
	int64_t miscounted;
	bool postings;     /* the posting lists count the words and marks of the memories */
	struct err *index; /* not NULL: the index is damaged */
};
struct err *memory_verify_all(struct memories *m, struct arena *a, struct memory_verified *out,
			      struct db_damaged_rows *damaged) MUST_USE;
/*
 * Rebuilds index and vocabulary from the rows, in short transactions: others search and write
 * meanwhile. After an interruption it continues where it was. *indexed: the number of memories that
 * it has moved. Errors: LOCKED, also when other processes keep deleting memories.
 */
struct err *memory_reindex(struct memories *m, struct arena *a, int64_t *indexed) MUST_USE;

/*
 * Rebuilds them once, in a store that an older version has written. memory_begin() and
 * memory_search() call it. Outside of transactions. Errors: those of memory_reindex().
 */
struct err *memory_index_upgrade(struct memories *m, struct arena *a) MUST_USE;

/* ---- pointers to knowledge: only lib/memory/sync makes them ---- */

/*
 * Finds a pointer by its whole id, in the scopes of all callers. Errors: EXISTS when the id is that
 * of another kind of memory.
 */
struct err *memory_knowledge_pointer_get(struct memories *m, struct arena *a, struct str id,
					 struct memory *out, bool *found) MUST_USE;
/* Checks a pointer like memory_add(), and sets what all pointers have in common. */
struct err *memory_knowledge_pointer_check(struct memories *m, struct arena *a,
					   const struct memory *in, struct memory *out) MUST_USE;
/* Whether both have the same members, apart from who made them and when they were stored. */
bool memory_knowledge_pointer_same(const struct memory *one, const struct memory *other);
/* Stores a checked pointer under now->id, in place of `was` (NULL: none). Within a transaction. */
struct err *memory_knowledge_pointer_put(struct memories *m, struct arena *a,
					 const struct memory *was, struct memory *now) MUST_USE;
/* Removes a pointer. The tombstone keeps it with the metadata of `was`. Within a transaction. */
struct err *memory_pointer_remove(struct memories *m, struct arena *a,
				  const struct memory *was) MUST_USE;

/* ---- listing ---- */

struct memory_filter {
	unsigned layers, kinds; /* bits; 0: all */
	struct strs tags;       /* a memory must have all of them */
	struct str type, session, agent;
	int status;        /* of scratch notes; -1: any */
	int state;         /* enum memory_state; -1: any but rejected */
	bool deleted;      /* only deleted memories */
	bool has_files;    /* only memories that speak of files */
	struct str before; /* an id: only memories older than this one */
	size_t limit;      /* 0: no limit */
};
/*
 * Calls fn for each memory, the newest first; an error of fn ends the walk. The use of memory does
 * not grow with the rows.
 */
struct err *memory_each(struct memories *m, const struct memory_filter *f,
			struct err *(*fn)(void *ctx, struct arena *a, const struct memory *one),
			void *ctx) MUST_USE;

/*
 * The members of a memory in results, exports and tombstones (ikm-formats(5)). The macros are rows
 * that other results share. There the memory is the member `at` of `object`: `at` is empty, or a
 * name with a dot, such as "memory.".
 */
extern const struct field memory_record[];
/* The same with what became of its ties (memory/repository_ties.h), for results. */
extern const struct field memory_shown[];
/* The condition of the row of status: the memory is a scratch note. */
bool memory_kind_has_status(const void *record);
/* clang-format off */
#define MEMORY_ROW_ID(object, at)      FIELD_AS(object, at id, "memoryId", "the id")
#define MEMORY_ROW_KIND(object, at)                                                                \
	FIELD_NAMED(object, at kind, "kind", memory_kinds, "what kind of memory it is")
#define MEMORY_ROW_TYPE(object, at)                                                                \
	FIELD_AS(object, at type, "type", "observation, user_preference, goal and the like",       \
		 .flags = IF_ANY)
#define MEMORY_ROW_CONTENT(object, at) FIELD_AS(object, at content, "content", "the text")
#define MEMORY_ROW_TAGS(object, at)    FIELD_AS(object, at tags, "tags", "the tags, sorted")
#define MEMORY_ROW_SPEAKER(object, at)                                                             \
	FIELD_AS(object, at speaker, "speaker", "who speaks in this turn", .flags = IF_ANY)
#define MEMORY_ROW_OWNER(object, at)                                                               \
	FIELD_AS(object, at owner, "owner",                                                        \
		 "the login role of another person, on the server that it came from",              \
		 .flags = IF_ANY, .max = 63)
#define MEMORY_ROW_SUPERSEDED_BY(object, at)                                                       \
	FIELD_AS(object, at superseded_by, "supersededBy", "the memory that replaced it",          \
		 .flags = IF_ANY)
#define MEMORY_ROW_HAPPENED(object, at)                                                            \
	FIELD_TIME(object, at happened, "happenedAt", "when the event in its content happened")
#define MEMORY_ROW_CREATED(object, at)                                                             \
	FIELD_TIME(object, at created, "createdAt", "when it was stored")
/* clang-format on */
/*
 * Reads a memory from JSON; it checks only names and types. A member that v lacks, or has as null,
 * keeps its value in *out. Strings belong to v. Errors: WRONG_TYPE, NOT_IN_ENUM, UNKNOWN_PARAMETER
 * name the member.
 */
struct err *memory_from_json(struct arena *a, const struct val *v, struct memory *out) MUST_USE;
/* Copies a memory with all strings that it points to. */
struct memory memory_copy(struct arena *a, const struct memory *one);
