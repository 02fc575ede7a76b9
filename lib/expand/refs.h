/*
 * refs: what a text refers to, and which of it is broken (requirement: assets,
 * "Cross-References"): relative Markdown links and images, paths in text and code spans, ikigai://
 * URIs. Reading only, inside f->roots. Used by the command refs.
 */
#ifndef IKM_EXPAND_REFS_H
#define IKM_EXPAND_REFS_H

#include "file/file.h"

#define REFS_KINDS(X)                                                                              \
	X(REFS_LINK, "link")                                                                       \
	X(REFS_IMAGE, "image")                                                                     \
	X(REFS_PATH, "path")                                                                       \
	X(REFS_ASSET, "asset")                                                                     \
	X(REFS_EXTERNAL, "external")
enum refs_kind { REFS_KINDS(ENUM_MEMBER) };
extern const char *const refs_kinds[];

/* ---- what is written ---- */

struct refs_link {
	enum refs_kind kind;
	struct str dest;     /* as written; without escapes where it is a link's */
	struct str fragment; /* behind the #; p NULL: there is none */
	struct span at;      /* the destination, the path or the URI in the text */
	bool file;           /* REFS_PATH: it has both, a slash and an extension */
};
struct refs_links {
	struct refs_link *p;
	size_t n, cap;
};
/*
 * Any bytes, in order, O(n). Of Markdown fences are left out, and links and images are taken; of
 * other texts only what looks like a path or URI. A REFS_PATH may still be no reference: it has a
 * slash, or a name with an extension.
 */
void refs_scan(struct arena *a, struct str text, bool markdown, struct refs_links *out);

/* ---- what it leads to ---- */

struct refs {
	struct files *f; /* f->a is where results live */
	const char *top; /* of the repository, absolute; NULL: none */
	bool external;   /* tell of links to elsewhere too */
	/* Private: the anchors of what was linked to with a fragment, hashed by path. */
	struct {
		struct refs_doc **slot;
		size_t n, slots; /* never more than half full */
	} docs;
};
struct refs_reference {
	enum refs_kind kind;
	struct str from; /* whose text: relative to where we stand, or ikigai:///… */
	struct place at;
	struct str target;   /* the same way; a URL when it is external */
	struct str fragment; /* p NULL: there is none */
	bool broken;
	const char *why; /* of what is broken, for people */
};
struct refs_list {
	struct refs_reference *p;
	size_t n, cap;
};
/*
 * What the text of a file or asset refers to. A path in text counts when it leads somewhere from
 * the top of the repository or from the file's folder; when it does not, it is broken only if it
 * has an extension and its first folder is there. Errors: those of file_read(); NOT_TEXT.
 */
struct err *refs_of(struct refs *r, struct str path, struct refs_list *out) MUST_USE;
/*
 * What of `paths` refers to `path`, which need not exist; binaries and what cannot be read are left
 * out.
 */
struct err *refs_to(struct refs *r, struct str path, const struct strs *paths,
		    struct refs_list *out) MUST_USE;
/* An error of refs_of() that says that there is no text to look into: it may be passed over. */
bool refs_is_no_text(const struct err *e);

#endif
