/*
 * memory: what is remembered (requirements: memory and knowledge, "Memory Tools"; memory queries,
 * "Access Levels").
 * One table of memories in seven layers, each found by its words. A memory's content never
 * changes: what is new supersedes it.
 */
#ifndef IKM_MEMORY_H
#define IKM_MEMORY_H

#include "conf/conf.h"
#include "db/db.h"
#include "record/record.h"
#include "token/token.h"
#include "vector/vector.h"
#include "vocab/vocab.h"

/* In precedence: of two alike the one of the earlier layer is kept. */
#define MEMORY_LAYERS(X)                                                                           \
	X(MEMORY_AGENT, "agent")                                                                   \
	X(MEMORY_USER, "user")                                                                     \
	X(MEMORY_SESSION, "session")                                                               \
	X(MEMORY_PROJECT, "project")                                                               \
	X(MEMORY_TEAM, "team")                                                                     \
	X(MEMORY_ORG, "org")                                                                       \
	X(MEMORY_COMPANY, "company")
enum memory_layer { MEMORY_LAYERS(ENUM_MEMBER) MEMORY_LAYERS_END };

/* Kinds that a caller may make; only sync makes a pointer to knowledge. */
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

/* Of scratch notes. */
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
	X(MEMORY_EXPIRED, "expired")
enum memory_state { MEMORY_STATES(ENUM_MEMBER) };

extern const char *const memory_layers[], *const memory_kinds[], *const memory_kinds_added[];
extern const char *const memory_provenances[], *const memory_provenances_said[];
extern const char *const memory_redactions[], *const memory_statuses[], *const memory_states[];

/* Who is asking: what is not known is empty. */
struct memory_who {
	struct str agent, user, session, project, team, org, company;
};

struct memories {
	struct db *db;
	struct memory_who who;
	enum token_model model;
	size_t content_most;     /* bytes of what is added; 0: MEMORY_CONTENT_MAX */
	struct vectors *vectors; /* NULL: there is no embedder */
	struct words *words;     /* made when first needed: memory_words() */
	int64_t tagless;         /* up to this document the index has no words of tags */
	bool tagless_known;      /* it was read */
};
/* Made in `a`, which must live as long as m. */
struct err *memory_words(struct memories *m, struct arena *a, struct words **out) MUST_USE;

struct memory {
	int64_t doc;   /* its number in the index: another one when it is indexed anew */
	struct str id; /* "mem_" and a ULID */
	enum memory_layer layer;
	int64_t scope; /* a row of scopes: the layer and its identifiers */
	enum memory_kind kind;
	struct str type; /* "observation", "user_preference", "fact", "goal", … or empty */
	struct str content;
	struct strs tags;    /* sorted, each once */
	struct str metadata; /* a JSON object, or empty */
	struct str source;   /* or empty */
	double importance;   /* 0 to 1; 0.5 when not said */
	double confidence;   /* 0 to 1 */
	enum memory_provenance provenance;
	enum memory_redaction redaction;
	enum memory_status status;          /* of a scratch note */
	enum memory_state state;            /* EXPIRED comes from expires, it is not stored */
	struct str user, agent, session;    /* who made it, in which conversation */
	struct str speaker;                 /* of a conversation's turn */
	int64_t turn;                       /* from 1; 0: none */
	struct str supersedes;              /* the id of the one before, or empty */
	struct str superseded_by;           /* or empty */
	int64_t happened, created, updated; /* ms */
	int64_t expires;                    /* ms; 0: never */
	int64_t superseded, deleted;        /* when; 0: not */
	int64_t tokens;                     /* of the content, for the model of m */
};
struct memory_list {
	struct memory *p;
	size_t n, cap;
};

/*
 * How the kinds differ. SQL names the kinds that merge once more: the index memories_repeat, and
 * the statement memory_repeats. t/0600-mem.t compares the two.
 */
struct memory_kind_rules {
	double confidence; /* when not said */
	int64_t lives_ms;  /* 0: for ever */
	unsigned most;     /* active ones of an agent; 0: any number */
	bool most_drops;   /* the oldest gives way; else TOO_MANY_MEMORIES */
	bool merges;       /* an exact repeat is the same memory */
	bool has_status, append_only, has_turns;
};
extern const struct memory_kind_rules memory_kind_rules[MEMORY_KINDS_END];

/* ---- scopes ---- */

/*
 * The scope of a layer for who asks; MISSING_PARAMETER that lists what is not known of: agent:
 * agent and user; session: user and session; the others their own. `make`: within db_write(); else
 * 0 when nobody has stored anything there.
 */
struct err *memory_scope(struct memories *m, struct arena *a, enum memory_layer layer, bool make,
			 int64_t *scope) MUST_USE;
/*
 * Those of several layers (bits: 1 << layer); bits 0: all whose identifiers are known. *searched:
 * the layers, as bits. What nobody has stored anything in is left out of the numbers.
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

/* Whether anybody has stored anything in that layer, whoever's. */
struct err *memory_layer_used(struct memories *m, enum memory_layer layer, bool *out) MUST_USE;

/* ---- marks: what an index query can ask for besides words ---- */

enum memory_mark {
	MARK_AGENT = 'a', /* who made it */
	MARK_TAG = 'g',
	MARK_KIND = 'k',
	MARK_SESSION = 'n',
	MARK_SOURCE = 'o',
	MARK_SPEAKER = 'p', /* folded */
	MARK_REDACTION = 'r',
	MARK_SCOPE = 's',
	MARK_TYPE = 't',
	MARK_STATUS = 'u', /* of scratch notes */
	MARK_PROVENANCE = 'v',
	MARK_STATE = 'x', /* CURRENT has none */
};
uint64_t memory_mark(enum memory_mark class, struct str text);
uint64_t memory_mark_scope(int64_t scope);
uint64_t memory_mark_speaker(struct str speaker);

/* ---- making ---- */

/* Bytes of a content or metadata, whatever content_most is; an import may have so many. */
#define MEMORY_CONTENT_MAX ((size_t)CONF_MEMORY_MAX)
#define MEMORY_TAGS_MAX    64
#define MEMORY_TAG_MAX     256
#define MEMORY_NAME_MAX    256 /* of a type, a source, a speaker */

/* What became of the members that were given, by their names in JSON; nothing given is lost
 * unsaid. */
struct memory_told {
	bool existing;      /* an exact repeat was there already */
	struct strs merged; /* of a repeat: members that changed the one that was there */
	struct strs kept; /* of a repeat: members that differ, and keep the value that was there */
	struct strs
		inherited; /* of a correction: members of what it supersedes that hold for it too */
};
/*
 * Stores it durably. Of `in` count: layer, kind, type, content, tags, metadata, source, importance,
 * confidence (negative: by kind), provenance, redaction, status, speaker, turn, supersedes,
 * happened (0: now), expires (0: by kind). Gives it back as it is stored. told->existing: an exact
 * repeat of an active one in the same scope: what is new was added to it (memory_told), and it is
 * what is given. Errors: OUT_OF_RANGE, TOO_LONG, BAD_UTF8, WRONG_TYPE, MISSING_PARAMETER
 * (identifiers), NO_SUCH_MEMORY and SUPERSEDED for `supersedes`, TOO_MANY_MEMORIES for active
 * scratch notes.
 */
struct err *memory_add(struct memories *m, struct arena *a, const struct memory *in,
		       struct memory *out, struct memory_told *told) MUST_USE;
/*
 * db_write() for who changes memories: what he adds, deletes and marks in fn is stored together or
 * not at all. Behind the outermost, some of what the index has to do is done.
 */
struct err *memory_write(struct memories *m, struct arena *a, struct err *(*fn)(void *ctx),
			 void *ctx) MUST_USE;
/* Several in one transaction: all or none. */
struct err *memory_add_all(struct memories *m, struct arena *a, const struct memory_list *in,
			   struct memory_list *out) MUST_USE;

/*
 * One by id, or by a beginning of it that is unique; also a deleted one with `deleted`. Only of
 * scopes that who asks has; NO_SUCH_MEMORY, NOT_UNIQUE.
 */
struct err *memory_get(struct memories *m, struct arena *a, struct str id, bool deleted,
		       struct memory *out) MUST_USE;
/* Rows by their numbers, in that order; what is gone meanwhile is left out. */
struct err *memory_rows(struct memories *m, struct arena *a, const int64_t *docs, size_t n,
			struct memory_list *out) MUST_USE;

/* Hides it at once, and leaves a tombstone. NO_SUCH_MEMORY. */
struct err *memory_delete(struct memories *m, struct arena *a, struct str id) MUST_USE;
/*
 * Takes a delete back, as long as it was not purged. NO_SUCH_MEMORY, EXISTS when it is not deleted
 * or an exact repeat was added since, TOO_MANY_MEMORIES as memory_add().
 */
struct err *memory_restore(struct memories *m, struct arena *a, struct str id,
			   struct memory *out) MUST_USE;
/*
 * Scratch notes: active to pending_review, resolved, archived; pending_review to active, resolved,
 * archived; resolved to active, archived; archived to nothing. BAD_ARGUMENT that says what is
 * allowed.
 */
struct err *memory_set_status(struct memories *m, struct arena *a, struct str id,
			      enum memory_status status, struct memory *out) MUST_USE;
/*
 * Erases what was deleted, and expired working and scratch memories, from the store for good: rows,
 * index, vocabulary, vectors, free pages, the WAL. *erased: how many memories. Tombstones keep the
 * id and the time, nothing else.
 */
struct err *memory_purge(struct memories *m, struct arena *a,
			 void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			 int64_t *erased) MUST_USE;
/* Reads every row, whoever's. */
struct memory_verified {
	int64_t memories, deleted; /* rows, damaged ones too */
	int64_t indexed;           /* documents in the index */
	int64_t tagless;           /* tagged ones that are in the index without words of tags */
	struct err *index;         /* not NULL: the index is damaged */
};
struct err *memory_verify(struct memories *m, struct arena *a, struct memory_verified *out,
			  struct db_damaged_rows *damaged) MUST_USE;
/* Makes index and vocabulary anew from the rows. */
struct err *memory_reindex(struct memories *m, struct arena *a,
			   void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			   int64_t *indexed) MUST_USE;

/* ---- listing ---- */

struct memory_filter {
	unsigned layers, kinds; /* bits; 0: all */
	struct strs tags;       /* all of them */
	struct str type, session, agent;
	int status;        /* of scratch notes; -1: any */
	int state;         /* enum memory_state; -1: any */
	bool deleted;      /* only deleted ones */
	struct str before; /* an id: older than it */
	size_t limit;      /* 0: no limit */
};
/* Newest first, by when it was made; fn's error ends it. Memory does not grow with the rows. */
struct err *memory_each(struct memories *m, const struct memory_filter *f,
			struct err *(*fn)(void *ctx, struct arena *a, const struct memory *one),
			void *ctx) MUST_USE;

/*
 * A memory in results, exports and tombstones (ikm-formats(5)). Those rows that other results show
 * too: of a memory that stands in `object` at `at`, which is empty or such as "memory.".
 */
extern const struct field memory_record[];
/* For such rows: of a scratch note. */
bool memory_has_status(const void *record);
/* clang-format off */
#define MEMORY_ROW_ID(object, at)      FIELD_AS(object, at id, "memoryId", "its id")
#define MEMORY_ROW_KIND(object, at)                                                                \
	FIELD_NAMED(object, at kind, "kind", memory_kinds, "what kind of memory it is")
#define MEMORY_ROW_TYPE(object, at)                                                                \
	FIELD_AS(object, at type, "type", "observation, user_preference, goal and the like",       \
		 .flags = IF_ANY)
#define MEMORY_ROW_CONTENT(object, at) FIELD_AS(object, at content, "content", "what is remembered")
#define MEMORY_ROW_TAGS(object, at)    FIELD_AS(object, at tags, "tags", "sorted")
#define MEMORY_ROW_SPEAKER(object, at)                                                             \
	FIELD_AS(object, at speaker, "speaker", "whose turn it is", .flags = IF_ANY)
#define MEMORY_ROW_SUPERSEDED_BY(object, at)                                                       \
	FIELD_AS(object, at superseded_by, "supersededBy", "the memory that replaced it",          \
		 .flags = IF_ANY)
#define MEMORY_ROW_HAPPENED(object, at)                                                            \
	FIELD_TIME(object, at happened, "happenedAt", "when what it tells of was")
#define MEMORY_ROW_CREATED(object, at)                                                             \
	FIELD_TIME(object, at created, "createdAt", "when it was stored")
/* clang-format on */
/*
 * The way back; only types and names are looked at. What v does not name, or names as null, stays
 * what it is in *out; strings are v's. WRONG_TYPE, NOT_IN_ENUM, UNKNOWN_PARAMETER name the member.
 */
struct err *memory_read(struct arena *a, const struct val *v, struct memory *out) MUST_USE;
/* With all it points to. */
struct memory memory_copy(struct arena *a, const struct memory *one);

#endif
