/*
 * load: all knowledge that counts for a tree: what the configuration names, in the repository and
 * outside (ikm-knowledge(5), "Sources").
 */
#ifndef IKM_KNOWLEDGE_LOAD_H
#define IKM_KNOWLEDGE_LOAD_H

#include "knowledge/knowledge.h"
#include "conf/conf.h"
#include "git/git.h"

struct knowledge_place {
	const struct conf *conf; /* as the tree's own configuration says */
	struct git *git;         /* NULL outside a repository */
	struct tree *tree;       /* what is judged or read; NULL outside a repository */
	const char *ref;         /* the tree's commit, for history; NULL: HEAD */
	struct strs given;       /* --knowledge: [LAYER=]PATH */
	/* Not NULL: a source that cannot be read is told here and left out, not an error. */
	struct strs *missing;
};

/*
 * Every source, finished. Sources of the repository are read from the tree, others from their
 * folder or ref. Without any configured by the repository, its folder .knowledge is one if the
 * tree has it. Errors: NO_SUCH_SOURCE names the source and who configured it; UNTRUSTED_CONFIG
 * when a repository names a place outside itself; NO_SUCH_SOURCE for a required layer without one.
 */
struct err *knowledge_load(struct arena *a, const struct knowledge_place *p,
			   struct knowledge **out) MUST_USE;

/* What of the tree tells where decisions are: its settings, else its folder; NULL: nothing. */
struct err *knowledge_marker(struct tree *t, const char **name) MUST_USE;

/* The settings as .ikm/config.json at the tree's top has them, with the user's own around it. */
struct err *knowledge_tree_conf(struct arena *a, struct tree *t, const struct strs *args,
				struct conf **out) MUST_USE;

#endif
