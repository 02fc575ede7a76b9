/* The Git commit of one garden write, and the history copies that it has. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "garden/section_edit.h"

/* ---- history copies: the former contents of profiles, in history/ beside the file ---- */

bool saga_path_keeps_history_copy(struct str below)
{
	struct garden_path at;

	return garden_path_read(below, &at) && garden_grammar[at.kind].copied;
}

/* The copies in their folder; *folder NULL: there is none. A link would lead them out of the
 * garden. */
static struct err *saga_copy_list(struct arena *a, struct str path, const char **folder,
				  struct strs *names)
{
	const char *at = os_join(a, str_c(a, saga_parent_folder(path)), "history");
	struct os_stat st;

	TRY(os_stat(at, false, &st));
	*folder = st.kind == OS_DIR ? at : NULL;
	if (*folder)
		return os_list(a, at, names);
	if (st.kind != OS_NONE)
		return err_help(
			err_new(E_NOT_A_FILE, "'%s' is not a folder", at),
			"move it away: former contents are copied to a folder of this name");
	return NULL;
}

/* The digits of a hash that the name of a copy has behind its time. */
static bool saga_copy_is_of(struct str name, struct str path, struct str hash)
{
	struct str digits = str_sub(hash, strlen("sha256:"), hash.n), file, rest;
	size_t dash = str_find_char(name, '-', 0);

	if (dash == SIZE_MAX)
		return false;
	rest = str_sub(name, dash + 1, name.n);
	dash = str_find_char(rest, '-', 0);
	if (dash == SIZE_MAX || dash < 8)
		return false;
	file = str_sub(rest, dash + 1, rest.n);
	return str_starts(digits, str_sub(rest, 0, dash)) && str_eq(file, str_base(path));
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

struct err *saga_history_copy_read(struct arena *a, struct str path, struct str hash,
				   struct str *copy, struct str *content)
{
	struct strs names = {0};
	const char *folder;

	*copy = STR("");
	*content = (struct str){0};
	TRY(saga_copy_list(a, path, &folder, &names));
	if (!folder)
		return NULL;
	/* The newest first: it is the most probable one. */
	for (size_t i = names.n; i--;) {
		const char *file = os_join(a, folder, str_c(a, names.p[i]));
		struct str text;
		struct err *e;

		if (!saga_copy_is_of(names.p[i], path, hash))
			continue;
		e = os_read_path(a, file, FILE_BYTES_MAX, &text);
		/* What can never be read is no copy; what cannot be read just now may be one. */
		if (e && (err_reason(e) == E_TOO_MANY_FILES || err_reason(e) == E_IO_ERROR))
			return e;
		/* A name is no proof: only the bytes count. */
		if (e || !saga_copy_has(a, &text, hash))
			continue;
		*copy = str_of(file);
		*content = text;
		return NULL;
	}
	return NULL;
}

struct err *saga_history_copy_make(struct arena *a, struct str path, struct str content, bool kept,
				   struct str *copy)
{
	struct str same;

	TRY(saga_history_copy_read(a, path, crypt_content_hash(a, content), copy, &same));
	if (copy->n)
		return NULL;
	*copy = garden_text_history_path(a, path, content, os_now());
	return os_write(str_c(a, *copy), content,
			OS_PARENTS | OS_EXCLUSIVE | (kept ? OS_NAME_LATER : 0));
}

/* ---- copies that no commit has ---- */

struct saga_copies VEC(struct git_put);

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

/* The copies of a file that HEAD does not have, without `but`: garden.commit was off. */
static struct err *saga_history_copies_not_in_head(struct saga *s, struct arena *a, struct str path,
						   struct str but, struct saga_copies *out)
{
	struct str top = str_of(git_top(s->own->git)), at;
	struct copy_known known = {.a = a};
	struct strs names = {0};
	const char *folder;
	struct tree *head;

	TRY(saga_copy_list(a, path, &folder, &names));
	if (!folder)
		return NULL;
	TRY(git_tree_head(s->own->git, &head));
	at = str_of(folder);
	if (str_starts(at, top) && at.n > top.n)
		TRY(tree_foreach(head, str_sub(at, top.n + (top.n > 1), at.n), saga_copy_known,
				 &known));
	strs_sort(&known.names);
	for (size_t i = 0; i < names.n; i++) {
		const char *file = os_join(a, folder, str_c(a, names.p[i]));
		struct garden_path copy;
		struct str text;
		struct err *e;

		if (str_is(but, file) || strs_sorted_has(&known.names, names.p[i]))
			continue;
		if (!garden_path_read(saga_path_below_garden(s, str_of(file)), &copy) ||
		    copy.kind != GARDEN_HISTORY || !str_eq(copy.file, str_base(path)))
			continue;
		e = os_read_path(a, file, FILE_BYTES_MAX, &text);
		if (e && err_reason(e) == E_FILE_NOT_FOUND)
			continue;
		TRY(e);
		/* A name is no proof: a copy has the content that its name tells. */
		if (garden_text_is_history_path(names.p[i], str_base(path), text))
			*VEC_PUSH(a, out) = (struct git_put){str_of(file), text, false};
	}
	return NULL;
}

/* ---- the commit ---- */

#define SUBJECT_MOST ((size_t)72)

/* "replace_section users/ada/parts/p1/profile.md", and the rationale as the body. */
static struct str saga_message(struct saga *s, struct arena *a, const struct saga_commit *c)
{
	struct str below = saga_path_below_garden(s, c->path);
	struct buf b = buf_in(a);
	struct str subject;

	subject = str_fmt(a, "%.*s %.*s", STR_ARG(c->op), STR_ARG(below.n ? below : c->path));
	/* The end of a long path says more than its beginning. */
	if (subject.n > SUBJECT_MOST)
		subject =
			str_fmt(a, "%.*s ...%.*s", STR_ARG(c->op),
				STR_ARG(str_utf8(a, str_sub(subject, subject.n - 40, subject.n))));
	buf_fmt(&b, "%.*s", STR_ARG(str_utf8(a, subject)));
	if (c->rationale.n)
		buf_fmt(&b, "\n\n%.*s", STR_ARG(c->rationale));
	return buf_as_str(&b);
}

static void saga_trailer(struct git_trailer *t, size_t *n, const char *name, struct str value)
{
	if (value.n)
		t[(*n)++] = (struct git_trailer){str_of(name), value};
}

struct err *saga_commit(struct saga *s, struct arena *a, const struct saga_commit *c,
			struct str *oid, struct str *warning)
{
	struct git_trailer *trailers = arena_array(a, c->others_n + 4, sizeof(*trailers));
	struct str at = c->path_to.n ? c->path_to : c->path;
	struct git_commit_ask q = {.message = saga_message(s, a, c), .trailers = trailers};
	struct saga_copies left = {0};
	struct git_committed done;
	struct git_put *puts;

	TRY(saga_open_git(s));
	if (saga_path_keeps_history_copy(saga_path_below_garden(s, at)))
		TRY(saga_history_copies_not_in_head(s, a, at, c->copy, &left));
	q.puts = puts = arena_array(a, left.n + 3, sizeof(*puts));

	/* A move may lead out of the garden, or into it. */
	if (saga_path_below_garden(s, at).n) {
		struct os_stat st;

		puts[q.n] = (struct git_put){.path = at, .bytes = c->content};
		TRY(os_stat(str_c(a, at), false, &st));
		puts[q.n].executable = st.kind == OS_FILE && st.mode & 0100;
		q.n++;
	}
	if (c->path_to.n && saga_path_below_garden(s, c->path).n)
		puts[q.n++] = (struct git_put){.path = c->path};
	if (c->copy.n)
		puts[q.n++] = (struct git_put){c->copy, c->copy_content, false};
	for (size_t i = 0; i < left.n; i++)
		puts[q.n++] = left.p[i];
	saga_trailer(trailers, &q.trailers_n, "Ikm-Event", c->event);
	for (size_t i = 0; i < c->others_n; i++)
		saga_trailer(trailers, &q.trailers_n, "Ikm-Event", c->others[i]);
	saga_trailer(trailers, &q.trailers_n, "Ikm-Tool", c->tool);
	saga_trailer(trailers, &q.trailers_n, "Ikm-Agent", c->agent);
	if (c->forced)
		saga_trailer(trailers, &q.trailers_n, "Ikm-Rationale", c->rationale);
	TRY(git_commit_paths(s->own->git, a, &q, &done));
	/* What stops it stops no write; the next one tries again. */
	(void)!git_packs_merge(s->own->git, a);
	*oid = str_dup(s->a, done.oid);
	s->own->detached = done.oid.n && !done.branch.n;
	*warning = done.index_why;
	return NULL;
}

void saga_history_copy_commit(struct saga *s, struct arena *a, const struct event *e,
			      struct str copy, struct str content)
{
	const struct saga_commit c = {
		.event = e->id,
		.op = STR_INIT("snapshot"),
		.tool = e->tool,
		.agent = e->agent,
		.path = copy,
		.content = content,
	};
	struct str oid, warning;

	/* The event is settled already; the next write of this content commits the copy, too. */
	(void)!saga_commit(s, a, &c, &oid, &warning);
}
