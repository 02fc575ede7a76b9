/*
 * load: reads all sources of knowledge that the settings of a tree name, in the repository and
 * outside (ikm-knowledge(5), "Sources").
 */
#pragma once

#include "knowledge/knowledge.h"
#include "conf/conf.h"
#include "git/git.h"

struct knowledge_place {
	const struct conf *conf; /* settings, the tree's own included */
	struct git *git;         /* NULL outside a repository */
	struct tree *tree;       /* the tree to read; NULL outside a repository */
	const char *ref;         /* the tree's commit, for history; NULL: HEAD */
	struct strs given;       /* values of --knowledge: [LAYER=]PATH */
	/*
	 * Not NULL: gets a message for each configured source that cannot be read, and the source
	 * is skipped. NULL: such a source is an error.
	 */
	struct strs *missing;
	/*
	 * Not NULL: gets each folder of the tree that the repository's settings name and that has
	 * no file, and the source counts as empty. NULL: such a source is like any other that
	 * cannot be read.
	 */
	struct strs *emptied;
};

/*
 * Reads every source, and calls knowledge_finish. Sources that the repository's settings name are
 * read from the tree, others from their folder or ref. If the repository's settings name no source,
 * its folder .knowledge is a source. Errors: NO_SUCH_SOURCE: a source cannot be read (the message
 * names the setting), or a required layer has no source; UNTRUSTED_CONFIG: a repository names a
 * place outside itself.
 */
struct err *knowledge_load(struct arena *a, const struct knowledge_place *p,
			   struct knowledge **out) MUST_USE;

/*
 * The checks of knowledge_load() on the sources that the settings name, without looking for their
 * folders: BAD_CONFIG, UNTRUSTED_CONFIG.
 */
struct err *knowledge_check_sources(struct arena *a, const struct conf *conf) MUST_USE;

/*
 * The file or folder that says where decisions are, .ikm/config.json or .knowledge, when it is in
 * the working tree and not in the index. NULL: there is no such.
 */
struct err *knowledge_unstaged_config(struct tree *disk, struct tree *index,
				      const char **name) MUST_USE;

/*
 * Normalizes a path: "docs/adr/" and "./docs/adr" become docs/adr. *outside: it leaves the
 * repository.
 */
struct str knowledge_inner_path(struct arena *a, struct str path, bool *outside);
/*
 * Whether the path, from the top, is in the folder of a source that the repository's settings name.
 * A source that is the whole repository does not count.
 */
bool knowledge_path_is_in_source(const struct conf *conf, struct str path);

/*
 * Loads all settings, with .ikm/config.json of the tree as the repository's. args: settings of the
 * command line, or NULL.
 */
struct err *knowledge_tree_conf(struct arena *a, struct tree *t, const struct strs *args,
				struct conf **out) MUST_USE;
