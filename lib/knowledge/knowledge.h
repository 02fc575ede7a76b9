/*
 * knowledge: what an organisation has decided, as Markdown files: ADRs, policies, patterns, specs
 * (requirement: memory and knowledge, "Knowledge Tools"). Layout and formats are in
 * ikm-knowledge(5). Reads items and their constraints from trees; judges nothing by them.
 */
#ifndef IKM_KNOWLEDGE_H
#define IKM_KNOWLEDGE_H

#include "conf/conf.h"
#include "re/re.h"
#include "tree/tree.h"

/* Every closed list once; names, schemas and parsers are derived from it. */
#define KN_TYPES(X)                                                                                \
	X(KN_TYPE_ADR, "adr")                                                                      \
	X(KN_TYPE_POLICY, "policy") X(KN_TYPE_PATTERN, "pattern") X(KN_TYPE_SPEC, "spec")
/* Most general first. */
#define KN_LAYERS(X) CONF_LAYERS(X, KN_LAYER_)
#define KN_STATUSES(X)                                                                             \
	X(KN_STATUS_DRAFT, "draft")                                                                \
	X(KN_STATUS_PROPOSED, "proposed")                                                          \
	X(KN_STATUS_ACCEPTED, "accepted")                                                          \
	X(KN_STATUS_DEPRECATED, "deprecated")                                                      \
	X(KN_STATUS_SUPERSEDED, "superseded")                                                      \
	X(KN_STATUS_REJECTED, "rejected")
#define KN_SEVERITIES(X) CONF_SEVERITIES(X, KN_SEVERITY_)
#define KN_OPERATORS(X)                                                                            \
	X(KN_OP_MUST_USE, "must_use")                                                              \
	X(KN_OP_MUST_NOT_USE, "must_not_use")                                                      \
	X(KN_OP_MUST_MATCH, "must_match")                                                          \
	X(KN_OP_MUST_NOT_MATCH, "must_not_match")                                                  \
	X(KN_OP_MUST_EXIST, "must_exist")                                                          \
	X(KN_OP_MUST_NOT_EXIST, "must_not_exist")
#define KN_TARGETS(X)                                                                              \
	X(KN_TARGET_DEPENDENCY, "dependency")                                                      \
	X(KN_TARGET_IMPORT, "import")                                                              \
	X(KN_TARGET_CODE, "code")                                                                  \
	X(KN_TARGET_CONFIG, "config")                                                              \
	X(KN_TARGET_FILE, "file")
/*
 * Why a file below a source gives no item, or an item without the rules that are in it: the name in
 * C, the name in JSON, whether loading tells it (see enum kn_note_kind), and a message that says
 * what to do. A reason whose message depends on the file has NULL here.
 */
#define KN_REASONS(X)                                                                              \
	X(KN_PASSED_NAME, "name", KN_QUIET, NULL) /* a README, index or template file */           \
	X(KN_PASSED_NOT_MARKDOWN, "not_markdown", KN_QUIET,                                        \
	  "only files named *.md are items: rename it")                                            \
	X(KN_PASSED_NOT_NAMED, "not_named", KN_QUIET,                                              \
	  "the \"files\" of its source does not match it")                                         \
	X(KN_PASSED_LINK, "link", KN_WARNING, "it is a symbolic link: put the file itself there")  \
	X(KN_PASSED_SUBMODULE, "submodule", KN_WARNING,                                            \
	  "it is a repository of its own: name it as a source of its own")                         \
	X(KN_PASSED_TOO_BIG, "too_big", KN_BROKEN, NULL)                                           \
	X(KN_PASSED_UNREADABLE, "unreadable", KN_BROKEN, NULL)                                     \
	X(KN_PASSED_ENCODING, "encoding", KN_BROKEN, NULL)                                         \
	X(KN_PASSED_FRONT_MATTER, "front_matter", KN_BROKEN, NULL)                                 \
	/* Of these path is the source: it has no item; README files look as if they were items.   \
	 * \ */                                                                                    \
	X(KN_PASSED_NO_ITEM, "no_item", KN_WARNING, NULL)                                          \
	X(KN_PASSED_FOLDERS, "folders", KN_WARNING, NULL)

enum kn_type { KN_TYPES(ENUM_MEMBER) };
enum kn_layer { KN_LAYERS(ENUM_MEMBER) };
enum kn_status { KN_STATUSES(ENUM_MEMBER) };
enum kn_severity { KN_SEVERITIES(ENUM_MEMBER) };
enum kn_operator { KN_OPERATORS(ENUM_MEMBER) };
enum kn_target { KN_TARGETS(ENUM_MEMBER) };

enum kn_reason { KN_REASONS(ENUM_MEMBER) };

enum kn_note_kind {
	KN_QUIET,  /* not a note: only in knowledge.passed */
	KN_BROKEN, /* has rules that do not parse (ikm-design(7), "Broken rules") */
	KN_WARNING,
};

/* NULL-ended, in the order of the enum. */
extern const char *const kn_types[],
	*const kn_layers[], *const kn_statuses[], *const kn_severities[],
							  *const kn_operators[],
								  *const kn_targets[],
									  *const kn_reasons[];
/* -1 when the word is not in the list; ASCII case is ignored. */
int kn_word(const char *const *list, struct str word);
/* Whether loading tells files of this reason, and how. */
enum kn_note_kind kn_reason_told(enum kn_reason why);

struct kn_constraint {
	unsigned index; /* 1-based within the item, as written: broken ones count too */
	enum kn_operator op;
	enum kn_target target;
	struct str pattern;
	struct strs applies_to;    /* globs; empty: everything */
	enum kn_severity severity; /* its own, else the item's, else warn */
	struct str message, version, use_instead;
	bool waivable;
	struct span at; /* in the item's file */
	/*
	 * The pattern, compiled: glob for FILE but MUST_MATCH and MUST_NOT_MATCH; neither for
	 * MUST_EXIST and MUST_NOT_EXIST of CONFIG, whose pattern is a key path; else re, with
	 * RE_ICASE | RE_WHOLE for DEPENDENCY and IMPORT, RE_MULTILINE for CODE. Shared by threads.
	 */
	struct re *re;
	struct glob *glob;
	struct globs applies; /* applies_to */
};

/* Where an item's file lies; enough to show it, and to ask for its history. */
struct kn_source {
	enum kn_layer layer;
	struct str name;   /* as configured: "docs/adr", "/srv/knowledge", "../org at v2" */
	struct str prefix; /* of the source's top in its repository, with a slash, or empty */
	const char *repo;  /* a folder of the repository to ask for history, or NULL if none */
	const char *ref;   /* NULL: HEAD */
	/*
	 * NULL: items are files named *.md. Else the files that it matches, whatever their names;
	 * a README or index file has its folder's name as id.
	 */
	const struct glob *files;
	bool given; /* named on the command line */
};

struct kn_item {
	/*
	 * id: of the front matter where it has a valid one, else the file's name without
	 * .md. content: the full Markdown without frontmatter.
	 */
	struct str id, title, summary, content;
	enum kn_type type;
	enum kn_layer layer;
	struct str owner; /* the {id} of orgs/{id}, teams/{id}, projects/{id}; empty if none */
	enum kn_status status;
	struct str status_text; /* as written */
	enum kn_severity severity;
	struct strs tags;
	struct val *metadata; /* a map, never NULL; with the frontmatter's keys that are not ours */
	struct str created_at, updated_at; /* ISO date or date-time; empty if unknown */
	/* Ids after knowledge_finish; what names no item stays as it was written. */
	struct strs supersedes, superseded_by;
	/*
	 * Set by knowledge_finish when the status as written is accepted or proposed, and another
	 * item's `supersedes` retires it: then status is superseded.
	 */
	const struct kn_item *retired_by;
	struct str version;
	bool overridable;
	struct kn_constraint *constraints;
	size_t constraints_n;
	const struct kn_source *source;
	struct str path; /* within the source's tree; shown as source.name/path */
	struct str shown_path;
	struct str tree_path; /* from the top of its repository: source.prefix and path */
	bool in_tree;         /* the file is part of the tree that is judged */
	/* Some of it is broken knowledge. Such an item replaces and retires nothing. */
	bool broken;
};

struct kn_note {
	enum kn_note_kind kind;
	struct str path; /* as shown */
	bool in_tree;    /* the file is part of the tree that is judged, so a change can touch it */
	size_t line;     /* 0: the whole file */
	struct str message;
	bool always; /* worth telling at every call, not only when a change touches the file */
};

/*
 * A file below a source that is no item, or whose front matter was not read (then there is an item
 * too: a draft without the rules of the front matter).
 */
struct kn_passed {
	enum kn_reason why;
	struct str path;      /* as shown */
	struct str tree_path; /* from the top of the repository, as in kn_item */
	bool in_tree;
	size_t line;        /* 0: the whole file */
	struct str message; /* what to do, to stand behind "PATH is not read: " */
};

struct knowledge {
	struct {
		struct kn_item *p;
		size_t n, cap;
	} items; /* of all layers, in byte order of layer (company first), id, path */
	struct {
		struct kn_note *p;
		size_t n, cap;
	} notes;
	struct {
		struct kn_passed *p;
		size_t n, cap;
	} passed;         /* after knowledge_finish in byte order of tree_path */
	unsigned sources; /* how many were read; 0: nothing is configured */
	/* Of the sources in the tree that is judged: their folders, "docs/adr"; empty: the top. */
	struct strs folders;
};

/*
 * Reads one item into k->items. text is the whole file and must outlive k, path its path within the
 * source. *is_item says whether the file is one: README, index and template files are not. layer
 * and type are what the folder says: frontmatter that says otherwise is a warning. What is wrong
 * goes into k->notes, and what can be read of the item is kept; errors are left for trouble.
 */
struct err *knowledge_read_item(struct arena *a, const struct kn_source *s, struct str path,
				enum kn_layer layer, struct str owner, enum kn_type type,
				struct str text, struct knowledge *k, bool *is_item) MUST_USE;

/*
 * Reads a source: the layout with company/ orgs/ teams/ projects/, the four folders, or a flat
 * folder of `type`. `in_tree`: the tree is (part of) the one that is judged. s must outlive k.
 * Errors are those of the tree; a file that is too big, or that is no knowledge, is a note.
 */
struct err *knowledge_read_tree(struct arena *a, const struct kn_source *s, struct tree *t,
				enum kn_type type, bool in_tree, struct knowledge *k) MUST_USE;

/*
 * Sorts, and resolves what needs all items: supersedes both ways, ids given twice. An item that was
 * accepted (and perhaps deprecated or superseded later) retires those that it supersedes, when it
 * names them by their whole ids or paths, and they lie in the same source, layer and owner, or are
 * overridable. Broken items and cycles retire nothing.
 */
void knowledge_finish(struct arena *a, struct knowledge *k);

/* Items whose constraints judge: the union of the accepted (and, as information, proposed) items of
 * all layers, less those that a more specific item of the same id may and does override, and those
 * that another one retires. */
bool knowledge_is_active(const struct knowledge *k, const struct kn_item *i);

/*
 * One sentence on the file at this path of the judged tree, for a rule that is gone: "docs/adr/1.md
 * is not read: its front matter must begin on line 1", "… is broken knowledge: line 4: …", "…
 * is superseded by '0002-b'", "… is a draft". Empty when no source has such a file, or when its
 * item judges.
 */
struct str knowledge_explain(struct arena *a, const struct knowledge *k, struct str tree_path);

/* The most specific item of the id; layer -1: any. NULL if there is none. */
const struct kn_item *knowledge_find(const struct knowledge *k, struct str id, int layer);

struct knowledge_filter {
	struct str query;  /* empty: no ranking, in order of id */
	int type, layer;   /* -1: any */
	struct strs tags;  /* all of them */
	unsigned statuses; /* bits 1 << enum kn_status */
};
/* Ranked best first (BM25 over title, summary, tags, text), then by id; every item that shares a
 * word with the query. Of items of one id the most specific, unless a layer is asked for. */
struct err *knowledge_query(struct arena *a, const struct knowledge *k,
			    const struct knowledge_filter *f, const struct kn_item ***items,
			    size_t *n) MUST_USE;

#endif
