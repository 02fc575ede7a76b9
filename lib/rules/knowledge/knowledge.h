/*
 * knowledge: an organisation's decisions, kept as Markdown files: ADRs, policies, patterns and
 * specs (requirement: memory and knowledge, "Knowledge Tools"). ikm-knowledge(5) describes the
 * layout and the formats. This module reads items and their constraints from trees; lib/rules/judge
 * applies them.
 */
#pragma once

#include "conf/conf.h"
#include "knowledge/lint_rule_table.h"
#include "re/re.h"
#include "tree/tree.h"

/* Each closed list stands here only; names, schemas and parsers are derived from it. */
#define KN_TYPES(X)                                                                                \
	X(KN_TYPE_ADR, "adr")                                                                      \
	X(KN_TYPE_POLICY, "policy") X(KN_TYPE_PATTERN, "pattern") X(KN_TYPE_SPEC, "spec")
/* From the most general layer to the most specific. */
#define KN_LAYERS(X) CONF_LAYERS(X, KN_LAYER_)
#define KN_STATUSES(X)                                                                             \
	X(KN_STATUS_DRAFT, "draft")                                                                \
	X(KN_STATUS_PROPOSED, "proposed")                                                          \
	X(KN_STATUS_ACCEPTED, "accepted")                                                          \
	X(KN_STATUS_DEPRECATED, "deprecated")                                                      \
	X(KN_STATUS_SUPERSEDED, "superseded")                                                      \
	X(KN_STATUS_REJECTED, "rejected")
#define KN_SEVERITIES(X) CONF_SEVERITIES(X, KN_SEVERITY_)
#define KN_TARGETS_PATHS (1U << KN_TARGET_CONFIG | 1U << KN_TARGET_FILE)
#define KN_TARGETS_TEXTS (1U << KN_TARGET_CODE | 1U << KN_TARGET_FILE)
/* A row: its targets as bits, and the last version of ikm that does not know it, or NULL. */
#define KN_OPERATORS(X)                                                                            \
	X(KN_OP_MUST_USE, "must_use", ~0U, NULL)                                                   \
	X(KN_OP_MUST_NOT_USE, "must_not_use", ~0U, NULL)                                           \
	X(KN_OP_MUST_MATCH, "must_match", ~0U, NULL)                                               \
	X(KN_OP_MUST_NOT_MATCH, "must_not_match", ~0U, NULL)                                       \
	X(KN_OP_MUST_EXIST, "must_exist", KN_TARGETS_PATHS, NULL)                                  \
	X(KN_OP_MUST_NOT_EXIST, "must_not_exist", KN_TARGETS_PATHS, NULL)                          \
	X(KN_OP_MUST_NOT_SHRINK, "must_not_shrink", KN_TARGETS_TEXTS, "0.1.0")                     \
	X(KN_OP_MUST_CHANGE_TOGETHER, "must_change_together", 1U << KN_TARGET_FILE, "0.1.0")
#define KN_TARGETS(X)                                                                              \
	X(KN_TARGET_DEPENDENCY, "dependency")                                                      \
	X(KN_TARGET_IMPORT, "import")                                                              \
	X(KN_TARGET_CODE, "code")                                                                  \
	X(KN_TARGET_CONFIG, "config")                                                              \
	X(KN_TARGET_FILE, "file")
/*
 * Reasons why a file of a source gives no item, or an item without its rules. A row: name in C,
 * name in JSON, the kind of note that loading makes, the rule of the note, and a message with the
 * next step. The message is NULL where it depends on the file.
 */
#define KN_REASONS(X)                                                                              \
	X(KN_PASSED_NAME, "name", KN_QUIET, KN_RULE_FILE_NAME,                                     \
	  NULL) /* a README, index or template file */                                             \
	X(KN_PASSED_NOT_MARKDOWN, "not_markdown", KN_QUIET, KN_RULE_FILE_NAME,                     \
	  "only files named *.md are items: rename it")                                            \
	/* The same of a file that may be meant as a decision. */                                  \
	X(KN_PASSED_DOCUMENT, "document", KN_QUIET, KN_RULE_FILE_NAME,                             \
	  "only Markdown in files named *.md is read: write it so")                                \
	X(KN_PASSED_NOT_NAMED, "not_named", KN_QUIET, KN_RULE_FILE_NAME,                           \
	  "the \"files\" of its source does not match it")                                         \
	X(KN_PASSED_LINK, "link", KN_WARNING, KN_RULE_NOT_A_FILE,                                  \
	  "it is a symbolic link: put the file itself there")                                      \
	X(KN_PASSED_SUBMODULE, "submodule", KN_WARNING, KN_RULE_NOT_A_FILE,                        \
	  "it is a submodule: configure it as a separate source")                                  \
	X(KN_PASSED_TOO_BIG, "too_big", KN_BROKEN, KN_RULE_UNREADABLE, NULL)                       \
	X(KN_PASSED_UNREADABLE, "unreadable", KN_BROKEN, KN_RULE_UNREADABLE, NULL)                 \
	X(KN_PASSED_ENCODING, "encoding", KN_BROKEN, KN_RULE_ENCODING, NULL)                       \
	X(KN_PASSED_FRONT_MATTER, "front_matter", KN_BROKEN, KN_RULE_FRONT_MATTER, NULL)           \
	/* These are about a whole source; path is the source. */                                  \
	X(KN_PASSED_NO_ITEM, "no_item", KN_WARNING, KN_RULE_SOURCE, NULL)                          \
	X(KN_PASSED_DOCUMENTS, "documents", KN_WARNING, KN_RULE_SOURCE, NULL)                      \
	X(KN_PASSED_FOLDERS, "folders", KN_WARNING, KN_RULE_SOURCE, NULL)

enum kn_type { KN_TYPES(ENUM_MEMBER) };
enum kn_layer { KN_LAYERS(ENUM_MEMBER) };
enum kn_status { KN_STATUSES(ENUM_MEMBER) };
enum kn_severity { KN_SEVERITIES(ENUM_MEMBER) };
enum kn_operator { KN_OPERATORS(ENUM_MEMBER) };
enum kn_target { KN_TARGETS(ENUM_MEMBER) };

enum kn_reason { KN_REASONS(ENUM_MEMBER) };

enum kn_note_kind {
	KN_QUIET,  /* no note: the file is only listed in knowledge.passed */
	KN_BROKEN, /* rules are lost, or may be (ikm-design(7), "Broken rules") */
	KN_WARNING,
};

/* NULL-ended, in the order of the enum. */
extern const char *const kn_types[],
	*const kn_layers[], *const kn_statuses[], *const kn_severities[],
							  *const kn_operators[],
								  *const kn_targets[],
									  *const kn_reasons[];
/* The ids of enum kn_rule. */
extern const char *const kn_rules[];
extern const struct kn_operator_row {
	unsigned targets;  /* bits 1 << enum kn_target */
	const char *after; /* only later versions of ikm know it; NULL: all do */
} kn_operator_rows[];
/* The operator judges what a change does, and says nothing of a tree alone. */
bool kn_operator_judges_change(enum kn_operator op);
/* The index of the word in the list, or -1. ASCII case is ignored. */
int kn_word_index(const char *const *list, struct str word);
/* Whether the file is named like 0012-title or ADR-0012.md: a number, and no date. */
bool kn_is_numbered(struct str path);
/* The kind of note that loading makes for this reason. */
enum kn_note_kind kn_note_kind_of_reason(enum kn_reason why);

struct kn_constraint {
	unsigned index; /* position in the item, from 1; broken constraints count too */
	enum kn_operator op;
	enum kn_target target;
	struct str pattern;
	struct strs applies_to;    /* globs; empty: everything */
	enum kn_severity severity; /* of the constraint, else of the item, else warn */
	struct str message, version, use_instead;
	bool waivable;
	bool runtimes;      /* a dependency rule judges runtimes as packages: see enum deps_kind */
	struct span at;     /* its place in the item's file */
	struct place place; /* the same as line and column */
	/* Texts, packages or paths that the rule stops, and others that it lets pass. */
	struct kn_examples {
		struct strs stops, passes;
		const struct place *stops_at, *passes_at; /* the place of each */
	} examples;
	/*
	 * The compiled pattern; threads share it. glob is set for FILE, except for MUST_MATCH and
	 * MUST_NOT_MATCH. Neither is set for CONFIG with MUST_EXIST or MUST_NOT_EXIST, whose
	 * pattern is a key path. Else re is set: with RE_ICASE | RE_WHOLE for DEPENDENCY and
	 * IMPORT, with RE_MULTILINE for CODE.
	 */
	struct re *re;
	struct glob *glob;
	struct globs applies; /* applies_to, compiled */
};

/* The source of an item's file: enough to show the file and to query its history. */
struct kn_source {
	enum kn_layer layer;
	struct str name;   /* as configured: "docs/adr", "/srv/knowledge", "../org at v2" */
	struct str prefix; /* the source's folder in its repository, ending in a slash, or empty */
	const char *repo;  /* a folder of the repository that has the history, or NULL if none */
	const char *ref;   /* NULL: HEAD */
	/*
	 * NULL: items are files named *.md. Else items are the Markdown files that this glob
	 * matches; a README or index file then takes its folder's name as id.
	 */
	const struct glob *files;
	bool given; /* named on the command line */
	/*
	 * The source's folder on disk, absolute; it may not exist yet. NULL: the source has none,
	 * because it is read from a ref, a bare repository or a submodule.
	 */
	const char *folder;
	enum kn_type type; /* of items whose folder does not give one */
	bool in_tree;      /* part of the tree that is judged */
	bool own;          /* the repository names it, so everybody who works there has it */
};

struct kn_item {
	/*
	 * id: from the front matter if it gives a valid id, else the file's name without its
	 * extension. content: the Markdown without the front matter.
	 */
	struct str id, title, summary, content;
	enum kn_type type;
	enum kn_layer layer;
	struct str owner; /* the {id} of orgs/{id}, teams/{id} or projects/{id}; empty if none */
	enum kn_status status;
	struct str status_text; /* as written */
	/* The places of these members, or of the blocks that have them; line 0: none. */
	struct place status_at, supersedes_at, superseded_by_at;
	enum kn_severity severity;
	struct strs tags;
	struct val *metadata; /* a map, never NULL; includes front matter that ikm does not know */
	struct str created_at, updated_at; /* ISO date or date-time; empty if unknown */
	/*
	 * Ids after knowledge_finish. A reference that names no item keeps its text, or the id in
	 * its path.
	 */
	struct strs supersedes, superseded_by;
	/* The file itself names them; else only the other item does. Set by knowledge_finish. */
	bool supersedes_written, superseded_by_written;
	/*
	 * The item that retires this one, or NULL. knowledge_finish sets it, and then sets status
	 * to superseded. Only items whose written status is accepted or proposed are retired.
	 */
	const struct kn_item *retired_by;
	struct str version;
	bool overridable;
	struct kn_constraint *constraints;
	size_t constraints_n;
	const struct kn_source *source;
	struct str path; /* within the source's tree */
	struct str shown_path;
	struct str tree_path; /* from the top of its repository: source.prefix and path */
	bool in_tree;         /* the file is part of the tree that is judged */
	/* A part of it could not be read. Such an item neither replaces nor retires others. */
	bool broken;
};

/* What the rules of the item ask of an ikm, in a sentence; empty: every version reads them. */
struct str knowledge_required_features(struct arena *a, const struct kn_item *i);

struct kn_note {
	enum kn_note_kind kind;
	struct str path; /* as shown */
	bool in_tree;    /* the file is part of the tree that is judged, so a change can touch it */
	enum kn_rule rule;
	size_t line, column; /* from 1, column in bytes; 0: the whole file, or the whole line */
	struct str message;
	bool always; /* report it at every call, not only when a change touches the file */
	/*
	 * Not NULL: the item at `path` stays in force although `by` supersedes it. So the note
	 * matters when a change touches the file of `by`, and when a rule of `kept` is broken.
	 */
	const struct kn_item *kept, *by;
};

/*
 * A file of a source that gave no item, or that could not be read in full. In the second case there
 * is an item too: a draft without the rules that were not read.
 */
struct kn_passed {
	enum kn_reason why;
	struct str path;      /* as shown */
	struct str tree_path; /* from the top of the repository, as in kn_item */
	bool in_tree;
	size_t line;        /* 0: the whole file */
	struct str message; /* what to do; messages put "PATH is not read: " before it */
};

/* What commands say when no source of knowledge is configured, and what helps then. */
#define KNOWLEDGE_SETUP "ikm config set --repo knowledge.sources '{\"path\": \"docs/adr\"}'"
#define KNOWLEDGE_BEGIN                                                                            \
	"in a repository with decisions run 'ikm init'; to begin a folder: " KNOWLEDGE_SETUP
#define KNOWLEDGE_NONE "no knowledge is configured: " KNOWLEDGE_BEGIN

struct knowledge {
	struct VEC(struct kn_item)
		items; /* of all layers, sorted by layer (company first), id, path */
	struct VEC(struct kn_note) notes;
	struct VEC(struct kn_passed) passed; /* knowledge_finish sorts it by tree_path */
	unsigned sources; /* number of sources that were read; 0: none is configured */
	/* The sources that were read, and the repository's sources whose folder has no file yet. */
	struct VEC(const struct kn_source *) configured;
	/* Folders of the sources in the judged tree, such as "docs/adr"; "" is the top. */
	struct strs folders;
};

/*
 * Reads one item into k->items. text is the whole file and must outlive k. path lies within the
 * source. *is_item is false for README, index and template files. layer and type come from the
 * folder; front matter that differs from them gets a warning. Mistakes in the file are no errors:
 * they go into k->notes, and the readable parts of the item are kept.
 */
struct err *knowledge_parse_item(struct arena *a, const struct kn_source *s, struct str path,
				 enum kn_layer layer, struct str owner, enum kn_type type,
				 struct str text, struct knowledge *k, bool *is_item) MUST_USE;

/*
 * Reads a source in one of three layouts: company/, orgs/, teams/ and projects/; or adrs/,
 * policies/, patterns/ and specs/; or a flat folder of items of `type`. `in_tree`: t is the judged
 * tree or a part of it. s must outlive k. Errors: those of the tree. A file that is too big or is
 * no item is not an error: k->passed names it.
 */
struct err *knowledge_read_tree(struct arena *a, const struct kn_source *s, struct tree *t,
				enum kn_type type, bool in_tree, struct knowledge *k) MUST_USE;

/*
 * Compiles the pattern by the operator and the target: sets re or glob. Errors: BAD_PATTERN,
 * TOO_LONG.
 */
struct err *knowledge_compile_pattern(struct arena *a, struct kn_constraint *c) MUST_USE;
/* The globs for the files below a folder, as of a tool that is set up there. */
struct strs knowledge_globs_prefix_folder(struct arena *a, struct str folder,
					  const struct strs *globs);

/*
 * Call it when all items are read. It sorts them, resolves supersedes and supersededBy, and warns
 * of ids given twice. An item retires an item that its `supersedes` names by whole id or path, if:
 *  - the status of the retiring item is accepted, deprecated or superseded;
 *  - both have the same source, layer and owner, or the retired item is overridable and not of
 *    a more specific layer.
 * Broken items and cycles retire nothing.
 */
void knowledge_finish(struct arena *a, struct knowledge *k);

/*
 * Whether the item's constraints apply: its status is accepted or proposed, and no item of a more
 * specific layer overrides it. An overridable item is overridden by an accepted, unbroken item with
 * the same id. Constraints of proposed items only inform.
 */
bool knowledge_is_active(const struct knowledge *k, const struct kn_item *i);

/*
 * One sentence that says why the rules of a file in the judged tree do not apply: "docs/adr/1.md is
 * not read: its front matter must begin on line 1", "… is broken knowledge: line 4: …", "… is
 * superseded by '0002-b'", "… is a draft". Empty when no source has the file, or when its rules
 * apply.
 */
struct str knowledge_why_inactive(struct arena *a, const struct knowledge *k, struct str tree_path);

/* The most specific item with this id; layer -1: any layer. NULL: there is none. */
const struct kn_item *knowledge_find(const struct knowledge *k, struct str id, int layer);

struct kn_items VEC(const struct kn_item *);
/*
 * The item that a person names: by its id, else the path of its file or the end of that path, else
 * its number ("19", "0019", "ADR-19"), else the start of its id, else that of what follows its
 * number there. Of items with one id the most specific is taken. layer -1: any layer. Errors:
 * NOT_UNIQUE, with the ids, when the first way that finds something finds several ids; NO_SUCH_ITEM
 * (requirement: memory and knowledge, "Error Responses").
 */
struct err *knowledge_resolve_item_name(struct arena *a, const struct knowledge *k, struct str name,
					int layer, const struct kn_item **out) MUST_USE;

struct knowledge_filter {
	struct str query;  /* empty: all items, in order of id */
	int type, layer;   /* -1: any */
	struct strs tags;  /* an item must have all of them */
	unsigned statuses; /* allowed ones: bits 1 << enum kn_status */
};
/*
 * The items that pass the filter and share a word with the query. They are sorted by BM25 score
 * over id, title, summary, tags and text, then by id. Of items with one id only the most specific
 * layer's are returned.
 */
struct err *knowledge_query(struct arena *a, const struct knowledge *k,
			    const struct knowledge_filter *f, const struct kn_item ***items,
			    size_t *n) MUST_USE;
