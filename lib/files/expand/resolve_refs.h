/*
 * resolve_refs: finds the references of a text, and says which are broken (requirement: assets,
 * "Cross-References"). References are relative Markdown links and images, paths in text and code
 * spans, and ikigai:// URIs. It only reads, and only inside f->roots. The command refs uses it.
 */
#pragma once

#include "file/file.h"

#define REFS_KINDS(X)                                                                              \
	X(REFS_LINK, "link")                                                                       \
	X(REFS_IMAGE, "image")                                                                     \
	X(REFS_PATH, "path")                                                                       \
	X(REFS_ASSET, "asset")                                                                     \
	X(REFS_EXTERNAL, "external")
enum refs_kind { REFS_KINDS(ENUM_MEMBER) };
extern const char *const refs_kinds[];

/* ---- finding references in a text ---- */

struct refs_link {
	enum refs_kind kind;
	struct str dest;     /* as written; a link's escapes are decoded */
	struct str fragment; /* the text behind #; p NULL: none */
	struct span at;      /* the destination, the path or the URI in the text */
	bool file;           /* REFS_PATH: it has a slash and an extension */
};
struct refs_links VEC(struct refs_link);
/*
 * Lists the references in any bytes, in order, in O(n). In Markdown, fences are skipped, and links
 * and images are found too. In other texts only words that look like a path or a URI are found. A
 * REFS_PATH has a slash, or a name with an extension; it may be no reference.
 */
void refs_find_in_text(struct arena *a, struct str text, bool markdown, struct refs_links *out);

/* ---- resolving references ---- */

struct refs {
	struct files *f; /* results live in f->a */
	const char *top; /* the top of the repository, absolute; NULL: none */
	bool external;   /* list external links too */
	/* Private: the documents that links with a fragment name; a hash table by path. */
	struct {
		struct refs_doc **slot;
		size_t n, slots; /* never more than half full */
	} docs;
};
struct refs_reference {
	enum refs_kind kind;
	/* the file with the reference: relative to the current folder, or ikigai:///… */
	struct str from;
	struct place at;
	struct str target;   /* in the same form; a URL if it is external */
	struct str fragment; /* p NULL: none */
	bool broken;
	const char *why; /* if broken: the reason, for people */
};
struct refs_list VEC(struct refs_reference);
/*
 * Lists the references of a file or asset. A path in the text is a reference if it exists below the
 * top of the repository, or below the file's folder. If it does not exist, it is a broken reference
 * only if it has a slash and an extension, and its first folder exists. Errors: those of
 * file_read(); NOT_TEXT.
 */
struct err *refs_of(struct refs *r, struct str path, struct refs_list *out) MUST_USE;
/*
 * Lists the references to `path` in the files `paths`. `path` need not exist. Binaries and
 * unreadable files are skipped.
 */
struct err *refs_to(struct refs *r, struct str path, const struct strs *paths,
		    struct refs_list *out) MUST_USE;
/*
 * Whether an error of refs_of() means that there is no text to read, so a caller may skip the file.
 */
bool refs_error_means_not_text(const struct err *e);
