/* History copies: the former contents of profiles, in history/ beside the file. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "garden/text.h"

bool saga_copies(struct str below)
{
	struct garden_path at;

	return garden_path_read(below, &at) && garden_grammar[at.kind].copied;
}

/* The folder of the copies. A link would lead the copy out of the garden. *there: it exists. */
static struct err *saga_copy_folder(struct arena *a, struct str path, const char **folder,
				    bool *there)
{
	struct os_stat st;

	*folder = os_join(a, str_c(a, saga_folder_of(path)), "history");
	TRY(os_stat(*folder, false, &st));
	*there = st.kind == OS_DIR;
	if (st.kind != OS_DIR && st.kind != OS_NONE)
		return err_help(
			err_new(E_NOT_A_FILE, "'%s' is not a folder", *folder),
			"move it away: former contents are copied to a folder of this name");
	return NULL;
}

struct copy_find {
	struct str path, content; /* content p NULL: any with this hash */
	struct str hash;
};

/* The digits of a hash that the name of a copy has behind its time. */
static bool saga_copy_is_of(struct str name, const struct copy_find *q)
{
	struct str digits = str_sub(q->hash, strlen("sha256:"), q->hash.n), file, rest;
	size_t dash = str_find_char(name, '-', 0);

	if (dash == SIZE_MAX)
		return false;
	rest = str_sub(name, dash + 1, name.n);
	dash = str_find_char(rest, '-', 0);
	if (dash == SIZE_MAX || dash < 8)
		return false;
	file = str_sub(rest, dash + 1, rest.n);
	return str_starts(digits, str_sub(rest, 0, dash)) && str_eq(file, saga_name_of(q->path));
}

static struct err *saga_copy_search(struct arena *a, const struct copy_find *q, struct str *copy,
				    struct str *content)
{
	struct strs names = {0};
	const char *folder;
	bool there;

	*copy = STR("");
	*content = (struct str){0};
	TRY(saga_copy_folder(a, q->path, &folder, &there));
	if (!there)
		return NULL;
	TRY(os_list(a, folder, &names));
	/* The newest first: it is the most probable one. */
	for (size_t i = names.n; i--;) {
		const char *file = os_join(a, folder, str_c(a, names.p[i]));
		struct str text;

		if (!saga_copy_is_of(names.p[i], q))
			continue;
		/* A name is no proof: only the bytes count. An unreadable copy is none. */
		if (os_read(a, file, FILE_BYTES_MAX, &text) ||
		    !str_eq(crypt_content_hash(a, text), q->hash))
			continue;
		*copy = str_of(file);
		*content = text;
		return NULL;
	}
	return NULL;
}

struct err *saga_copy_find(struct saga *s, struct arena *a, struct str path, struct str content,
			   struct str *copy)
{
	const struct copy_find q = {path, content, crypt_content_hash(a, content)};
	struct str text;

	(void)s;
	return saga_copy_search(a, &q, copy, &text);
}

struct err *saga_copy_read(struct saga *s, struct arena *a, struct str path, struct str hash,
			   struct str *copy, struct str *content)
{
	const struct copy_find q = {path, {0}, hash};

	(void)s;
	return saga_copy_search(a, &q, copy, content);
}

struct err *saga_copy_make(struct saga *s, struct arena *a, struct str path, struct str content,
			   struct str *copy)
{
	TRY(saga_copy_find(s, a, path, content, copy));
	if (copy->n)
		return NULL;
	*copy = garden_text_history(a, path, content, os_now());
	return os_write(str_c(a, *copy), content, OS_PARENTS | OS_EXCLUSIVE);
}
