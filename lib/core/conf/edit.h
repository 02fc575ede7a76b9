/*
 * conf/edit: changes one setting in a configuration file, for `ikm config set` and `ikm init`.
 *
 * It changes the bytes of that setting and keeps all others: order, layout, unknown keys. It finds
 * a setting where the reader does: {"check": {"minSeverity": …}} and {"check.minSeverity": …}. The
 * same rows check the value that check it when it is read.
 */
#pragma once

#include "conf/conf.h"

enum conf_edit_op {
	CONF_SET,    /* the values, in place of those that the file has */
	CONF_ADD,    /* to a list, else to the default: the members that it does not have */
	CONF_REMOVE, /* from a list: the members that it has */
	CONF_UNSET,  /* also a key that no setting has: this repairs a file */
};

struct conf_edit {
	enum conf_edit_op op;
	struct str key;
	/*
	 * As a person types them. A list takes a value for each member, or one JSON list. A single
	 * value of CONF_SET is read as that of -c, so "a,b" is two members.
	 */
	struct strs values;
	enum conf_origin origin; /* CONF_USER or CONF_REPO */
	const char *path;        /* of the file, absolute; its folder may be missing */
	const char
		*top; /* the file must lie below this folder, also through links; NULL: no limit */
	uint32_t folder_mode; /* of a folder that is made for it, less the umask */
	bool dry;             /* compute only */
};

struct conf_edited {
	bool changed;
	/* The setting in this file before and after; NULL: the file does not set it. */
	const struct val *was, *now;
	struct strs missing; /* CONF_REMOVE: the values that the list does not have */
	struct strs present; /* CONF_ADD: the values that it has already */
};

/*
 * Reads, changes and replaces the file under the lock of its folder; atomic and durable. A missing
 * or blank file counts as {}. Without a change it writes nothing.
 *
 * Errors, each before anything is written: BAD_JSON, BAD_UTF8 and the like with file and place;
 * BAD_CONFIG for a value that is not allowed, or a member in the way; UNTRUSTED_CONFIG for a
 * setting that no repository may set, or a link that leads out of `top`; NO_SUCH_SETTING;
 * BAD_ARGUMENT; CHANGED when another program wrote the file meanwhile; those of os_write() and
 * os_lock_dir().
 */
struct err *conf_edit_file(struct arena *a, const struct conf_edit *q,
			   struct conf_edited *out) MUST_USE;
/* The same for a text, without a file: *text is replaced. q->path is for messages. */
struct err *conf_edit_text(struct arena *a, const struct conf_edit *q, struct str *text,
			   struct conf_edited *out) MUST_USE;
