/* History copies: the former contents of profiles, in history/ beside the file. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "garden/section_edit.h"

bool saga_path_keeps_history_copy(struct str below)
{
	struct garden_path at;

	return garden_path_read(below, &at) && garden_grammar[at.kind].copied;
}

/* The folder of the copies. A link would lead the copy out of the garden. *there: it exists. */
static struct err *saga_copy_folder(struct arena *a, struct str path, const char **folder,
				    bool *there)
{
	struct os_stat st;

	*folder = os_join(a, str_c(a, saga_parent_folder(path)), "history");
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
	return str_starts(digits, str_sub(rest, 0, dash)) && str_eq(file, str_base(q->path));
}

/* Whether the text has the hash as it is, or with the line ends that Git has turned in it since. */
static bool saga_copy_has(struct arena *a, struct str *text, struct str hash)
{
	enum file_ends ends;

	if (str_eq(crypt_content_hash(a, *text), hash))
		return true;
	for (int crlf = 0; crlf < 2; crlf++) {
		struct str turned = file_ends_convert(a, *text, crlf, &ends);

		if (ends == FILE_ENDS_NONE || !str_eq(crypt_content_hash(a, turned), hash))
			continue;
		*text = turned;
		return true;
	}
	return false;
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
		struct err *e;

		if (!saga_copy_is_of(names.p[i], q))
			continue;
		e = os_read_path(a, file, FILE_BYTES_MAX, &text);
		/* What can never be read is no copy; what cannot be read just now may be one. */
		if (e && (err_reason(e) == E_TOO_MANY_FILES || err_reason(e) == E_IO_ERROR))
			return e;
		/* A name is no proof: only the bytes count. */
		if (e || !saga_copy_has(a, &text, q->hash))
			continue;
		*copy = str_of(file);
		*content = text;
		return NULL;
	}
	return NULL;
}

/* An existing copy of the content in history/ beside the file; empty: none. */
static struct err *saga_copy_find(struct arena *a, struct str path, struct str content,
				  struct str *copy)
{
	const struct copy_find q = {path, content, crypt_content_hash(a, content)};
	struct str text;

	return saga_copy_search(a, &q, copy, &text);
}

struct err *saga_history_copy_read(struct arena *a, struct str path, struct str hash,
				   struct str *copy, struct str *content)
{
	const struct copy_find q = {path, {0}, hash};

	return saga_copy_search(a, &q, copy, content);
}

struct err *saga_history_copy_make(struct arena *a, struct str path, struct str content, bool kept,
				   struct str *copy)
{
	TRY(saga_copy_find(a, path, content, copy));
	if (copy->n)
		return NULL;
	*copy = garden_text_history_path(a, path, content, os_now());
	return os_write(str_c(a, *copy), content,
			OS_PARENTS | OS_EXCLUSIVE | (kept ? OS_NAME_LATER : 0));
}

/* ---- copies that no commit has ---- */

struct copy_known {
	struct arena *a;
	struct strs names;
};

static struct err *saga_copy_known(void *ctx, const struct tree_file *f)
{
	struct copy_known *k = ctx;

	strs_push(k->a, &k->names, str_dup(k->a, str_base(f->path)));
	return NULL;
}

/* The names of the copies that HEAD has, sorted. */
static struct err *saga_copies_in_head(struct saga *s, struct arena *a, const char *folder,
				       struct copy_known *k)
{
	struct str top = str_of(git_top(s->own->git)), at = str_of(folder);
	struct tree *head;

	*k = (struct copy_known){.a = a};
	TRY(git_tree_head(s->own->git, &head));
	if (!str_starts(at, top) || at.n <= top.n)
		return NULL;
	TRY(tree_foreach(head, str_sub(at, top.n + (top.n > 1), at.n), saga_copy_known, k));
	strs_sort(&k->names);
	return NULL;
}

/* A name is no proof: a copy has the content that its name tells. */
static struct err *saga_copy_left(struct saga *s, struct arena *a, struct str path,
				  const char *file, struct saga_copies *out)
{
	struct garden_path at;
	struct str text;
	struct err *e;

	if (!garden_path_read(saga_path_below_garden(s, str_of(file)), &at) ||
	    at.kind != GARDEN_HISTORY || !str_eq(at.file, str_base(path)))
		return NULL;
	e = os_read_path(a, file, FILE_BYTES_MAX, &text);
	if (e)
		return err_reason(e) == E_FILE_NOT_FOUND ? NULL : e;
	if (garden_text_is_history_path(str_base(str_of(file)), str_base(path), text))
		*VEC_PUSH(a, out) = (struct git_put){str_of(file), text, false};
	return NULL;
}

struct err *saga_history_copies_not_in_head(struct saga *s, struct arena *a, struct str path,
					    struct str but, struct saga_copies *out)
{
	struct copy_known known;
	struct strs names = {0};
	const char *folder;
	bool there;

	TRY(saga_copy_folder(a, path, &folder, &there));
	if (!there)
		return NULL;
	TRY(os_list(a, folder, &names));
	TRY(saga_copies_in_head(s, a, folder, &known));
	for (size_t i = 0; i < names.n; i++) {
		const char *file = os_join(a, folder, str_c(a, names.p[i]));

		if (str_is(but, file) ||
		    (known.names.n && bsearch(&names.p[i], known.names.p, known.names.n,
					      sizeof(*known.names.p), str_cmp_ptr)))
			continue;
		TRY(saga_copy_left(s, a, path, file, out));
	}
	return NULL;
}
