/* Shows what a replacement would change, as a diff that ikm patch applies. Writes nothing. */
#include "search_result.h"
#include "app/client.h"
#include "git/git.h"

struct preview {
	struct call *c;
	struct files *f;
	struct re *re;
	struct re_template *with;
	struct search_result *out;
};

/*
 * The file's name in the diff. A diff names files below the current folder only, because it may
 * come from others.
 */
static struct str preview_name(struct preview *p, struct str path)
{
	struct str cwd = str_fmt(p->c->a, "%s/", p->c->cwd);

	if (str_starts(path, cwd))
		return str_sub(path, cwd.n, path.n);
	if (str_starts(path, STR("/")) || str_starts(path, STR("../")))
		strs_push(p->c->a, &p->out->warnings,
			  str_fmt(p->c->a,
				  "'%.*s' is not below the current folder: apply its diff alone, "
				  "and name the file",
				  STR_ARG(str_utf8(p->c->a, path))));
	return path;
}

/* A diff in JSON is text. */
static bool preview_is_shown(struct preview *p, struct str path, struct str old, struct str new)
{
	if (cmd_emits_text(p->c) || (str_is_utf8(old) && str_is_utf8(new)))
		return true;
	strs_push(p->c->a, &p->out->warnings,
		  str_fmt(p->c->a,
			  "'%.*s' is not in the preview: it is no UTF-8, so a diff in JSON would "
			  "not apply",
			  STR_ARG(str_utf8(p->c->a, path))));
	return false;
}

static struct err *preview_file(struct preview *p, struct arena *a, struct str path)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	struct search_change change = {.path = path};
	struct str old, text, new, diff, name;
	struct file_ref ref;
	struct buf b = buf_in(a);
	enum re_answer r;

	TRY(file_ref(p->f, path, &ref));
	TRY(file_read(p->f, a, &ref, FILE_BYTES_MAX, &old));
	text = str_starts(old, bom) ? str_sub(old, bom.n, old.n) : old;
	r = re_replace(a, p->with, text, &new, &change.replaced);
	if (r == RE_LIMIT)
		return err_new(E_MATCH_LIMIT,
			       "'%.*s' is not in the preview: the pattern takes too "
			       "long in it",
			       STR_ARG(path));
	/* Somebody may have changed the file since the search. */
	if (r == RE_NO)
		return NULL;
	buf_put(&b, str_sub(old, 0, old.n - text.n));
	buf_put(&b, new);
	new = buf_str(&b);
	if (str_eq(old, new) || !preview_is_shown(p, path, old, new))
		return NULL;
	name = preview_name(p, path);
	TRY(git_diff_text(a, str_c(a, name), old, str_c(a, name), new, 3, &diff));
	change.diff = str_dup(p->c->a, diff);
	*VEC_PUSH(p->c->a, &p->out->changes) = change;
	return NULL;
}

/* NULL: this face has no tool that applies a diff. */
static const char *preview_apply(const struct call *c)
{
	const struct cmd *patch = cmd_find(STR("patch"));

	if (c->face == FACE_ARGV)
		return "'ikm patch' applies this diff from its standard input";
	if (c->client && !c->client->offers(c->client->offer, patch, NULL))
		return NULL;
	return "fs_patch with this diff as diffText applies it";
}

struct err *search_preview(struct call *c, struct files *f, const struct search *s, struct str with,
			   struct search_result *out)
{
	struct preview p = {.c = c, .f = f, .out = out};
	struct strs paths = out->paths;
	const char *apply = preview_apply(c);

	TRY(re_new(c->a, s->patterns.p[0], s->flags | (s->across ? RE_MULTILINE : RE_LINES),
		   &p.re));
	TRY(re_template_new(c->a, p.re, with, &p.with));
	out->paths = (struct strs){0};
	out->changes.p = arena_alloc(c->a, 1);
	for (size_t i = 0; i < paths.n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct err *e = preview_file(&p, a, paths.p[i]);

		if (e)
			strs_push(c->a, &out->warnings, str_dup(c->a, str_of(err_message(e))));
	}
	if (paths.n && !out->changes.n && !out->warnings.n)
		strs_push(c->a, &out->warnings,
			  STR("the replacement leaves each matching file as it is"));
	if (out->changes.n && apply)
		out->apply = str_of(apply);
	return NULL;
}

struct err *search_check(const struct search *s, bool replace)
{
	bool around = s->before || s->after;
	const struct {
		const char *one, *two;
		bool both;
	} pairs[] = {
		{"onlyMatching", "files", s->each && s->want == SEARCH_FILES && !replace},
		{"onlyMatching", "count", s->each && s->want == SEARCH_COUNTS},
		{"onlyMatching", "invert", s->each && s->invert},
		{"onlyMatching", "context", s->each && around},
		{"replace", "count", replace && s->want == SEARCH_COUNTS},
		{"replace", "onlyMatching", replace && s->each},
		{"replace", "invert", replace && s->invert},
		{"replace", "context", replace && around},
		{"replace", "patterns", replace && s->patterns.n > 1},
		{"multiline", "invert", s->across && s->invert},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].both)
			return err_param(E_BAD_ARGUMENT, str_of(pairs[i].two),
					 "%s and %s exclude each other", pairs[i].one,
					 pairs[i].two);
	return NULL;
}
