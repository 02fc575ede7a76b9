#include "section_change.h"
#include "md/md.h"

#define TEXT_HASH "text:sha256:"

static struct err *section_compute(struct file_change *change, const struct section_change *q,
				   struct section_written *s)
{
	struct str file;

	TRY(q->compute(q->ctx, change->a, change->old, &s->done, &change->w.op));
	TRY(file_text_hash(change->a, s->done.before, &s->before));
	/* The hash of canonical text may be that of the file or of the section; a byte hash is the
	 * file's. */
	if (str_starts(q->if_match, STR(TEXT_HASH)) && !str_eq(q->if_match, s->before)) {
		TRY(file_text_hash(change->a, change->old, &file));
		if (!str_eq(q->if_match, file))
			return err_help(
				err_add_detail(err_new(E_CHANGED, "the section '%.*s' has changed",
						       STR_ARG(s->done.heading)),
					       "current", s->before),
				"read it again; its hash is now %.*s", STR_ARG(s->before));
	}
	return file_text_hash(change->a, s->done.after, &s->after);
}

struct err *section_change(struct call *c, struct files *f, const struct section_change *q,
			   struct written *written, struct section_written *out)
{
	struct file_write w = {.op = "edit", .existing = true};
	struct file_change *change;
	struct file_ref ref;
	struct err *e;
	struct strs gone = {0}, removed = {0};

	written->path = q->path;
	w.flags = q->break_links ? OS_BREAK_LINKS : 0;
	if (!str_starts(q->if_match, STR(TEXT_HASH)))
		w.if_match = q->if_match;
	TRY(file_ref_resolve(f, q->path, &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = section_compute(change, q, out);
	if (e)
		return file_abort(change, err_add_context(e, "'%.*s'", STR_ARG(q->path)));
	/* The change's arena ends with it: what the answer needs moves to the call's. */
	out->before = str_dup(c->a, out->before);
	out->after = str_dup(c->a, out->after);
	out->done.heading = str_dup(c->a, out->done.heading);
	out->done.anchor = str_dup(c->a, out->done.anchor);
	for (size_t i = 0; i < out->done.gone.n; i++)
		strs_push(c->a, &gone, str_dup(c->a, out->done.gone.p[i]));
	for (size_t i = 0; i < out->done.removed.n; i++)
		strs_push(c->a, &removed, str_dup(c->a, out->done.removed.p[i]));
	out->done.gone = gone;
	out->done.removed = removed;
	change->w.anchor = out->done.anchor.n ? out->done.anchor : out->done.heading;
	TRY(file_commit(change, out->done.text, &written->done));
	if (out->done.adapted)
		written->ends = written_ends[out->done.crlf];
	if (out->done.gone.n)
		strs_push(c->a, &written->done.warnings,
			  str_fmt(c->a, "the text that was replaced had the anchor%s '%.*s'",
				  out->done.gone.n > 1 ? "s" : "",
				  STR_ARG(str_join(c->a, &out->done.gone, "', '"))));
	return NULL;
}

/* ---- completion ---- */

/* A file that cannot be read completes to nothing. */
static struct err *section_complete_run(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct md_sections all = {0};
	struct strs names;
	struct files *f;
	struct file_ref ref;
	struct str text, path;
	const struct cmd *cmd;
	size_t used;
	char **words = arena_array(c->a, c->words.n + 1, sizeof(*words));

	(void)result;
	for (size_t i = 0; i < c->words.n; i++)
		words[i] = str_c(c->a, c->words.p[i]);
	cmd = c->words.n ? cmd_find_words(words + 1, c->words.n - 1, &used) : NULL;
	path = cmd ? cmd_nth_positional_word(c->a, cmd, &c->words, 0) : STR("");
	if (!path.n)
		return NULL;
	TRY(files_open(c, &f));
	TRY(app_garden_file_resolve(c, path, &path));
	TRY(file_ref_resolve(f, path, &ref));
	TRY(file_read(f, c->a, &ref, FILE_BYTES_MAX, &text));
	TRY(md_sections(c->a, text, &all));
	md_section_names(c->a, &all, &names);
	for (size_t i = 0; i < all.n; i++) {
		struct str name = names.p[i];
		size_t blank = str_find_char(name, ' ', 0);
		const struct md_section *found = NULL;

		/* A shell takes a blank for the end of the word; the version is seldom needed. */
		if (blank != SIZE_MAX &&
		    !md_section_pick(c->a, &all, str_sub(name, 0, blank), &found) &&
		    found == &all.p[i])
			name = str_sub(name, 0, blank);
		if (!all.p[i].nested && str_find_char(name, '\n', 0) == SIZE_MAX &&
		    str_find_char(name, '\t', 0) == SIZE_MAX)
			cmd_candidate(c->out, typed, name, all.p[i].heading);
	}
	return NULL;
}

struct err *section_complete_names(struct call *c, struct str typed)
{
	return complete_word(c, typed, NEED_ROOTS | NEED_CONF, section_complete_run);
}
