/* Writes the text of a shim, and recognizes a shim among other files. */
#include "hook/internal.h"
#include "hook/shim_text.h"
#include <sys/stat.h>

#define MARK     "ikm-hook 1 "
#define LINE     "#!/bin/sh\n# " MARK
#define DIGEST   16
#define SHIM_MAX (2 * OS_PATH_MAX + 16384) /* every byte of the path may need quotes */

const char *const hook_names[] = {
	[HOOK_PRE_COMMIT] = "pre-commit",
	[HOOK_PRE_MERGE_COMMIT] = "pre-merge-commit",
	[HOOK_PRE_PUSH] = "pre-push",
	[HOOK_COMMIT_MSG] = "commit-msg",
	[HOOK_POST_COMMIT] = "post-commit",
	[HOOK_PRE_RECEIVE] = "pre-receive",
	NULL,
};

static struct str shim_quoted(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	buf_putc(&b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_puts(&b, "'\\''");
		else
			buf_putc(&b, s.p[i]);
	}
	buf_putc(&b, '\'');
	return buf_as_str(&b);
}

static uint64_t digest_step(uint64_t h, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
	return h;
}

/* FNV-1a of everything except the digest itself. str_hash() may change, but this digest is on disk.
 * It guards against mistakes, not attackers: they could delete the hook as well. */
static struct str shim_digest(struct arena *a, struct str before, struct str after)
{
	uint64_t h = digest_step(digest_step(0xcbf29ce484222325u, before), after);

	return str_fmt(a, "%016llx", (unsigned long long)h);
}

/*
 * Fills the blanks of the template. The digest comes last, because it covers the rest. In git's
 * configuration without the line feed at the end: git adds the arguments to the last line.
 */
static struct str shim_of(struct arena *a, enum hook_shim kind, const char *name,
			  struct str program)
{
	struct str text = str_of(kind == SHIM_CONFIGURED                       ? config_text
				 : kind == SHIM_PASS                           ? pass_text
				 : !strcmp(name, hook_names[HOOK_PRE_RECEIVE]) ? server_text
				 : !strcmp(name, hook_names[HOOK_POST_COMMIT]) ? after_text
									       : shim_text);
	struct str rest = str_sub(text, 0, text.n - (kind == SHIM_CONFIGURED)), all;
	struct buf b = buf_in(a), whole = buf_in(a);
	size_t at = str_find(rest, STR("@MARK@"), 0), cut;
	struct {
		const char *name;
		struct str value;
	} blanks[] = {{"@HOOK@", str_of(name)},
		      {"@SCOPE@", kind == SHIM_GLOBAL ? STR("global") : STR("repository")},
		      {"@IKM@", shim_quoted(a, program)},
		      {NULL, {0}}};

	if (at == SIZE_MAX)
		BUG("a shim without its mark");
	buf_put(&b, str_sub(rest, 0, at));
	buf_fmt(&b, MARK "%s ", name);
	cut = b.n;
	rest = str_sub(rest, at + 6, rest.n);
	while (rest.n) {
		size_t k = 0;

		while (blanks[k].name && !str_starts(rest, str_of(blanks[k].name)))
			k++;
		if (blanks[k].name)
			buf_put(&b, blanks[k].value);
		else
			buf_putc(&b, rest.p[0]);
		rest = str_sub(rest, blanks[k].name ? strlen(blanks[k].name) : 1, rest.n);
	}
	all = buf_as_str(&b);
	buf_put(&whole, str_sub(all, 0, cut));
	buf_put(&whole, shim_digest(a, str_sub(all, 0, cut), str_sub(all, cut, all.n)));
	buf_put(&whole, str_sub(all, cut, all.n));
	return buf_as_str(&whole);
}

bool hook_shim_program(struct arena *a, struct str text, enum hook_shim kind, const char *name,
		       struct str *out)
{
	static const struct str set = STR_INIT("\nikm=");
	size_t at = str_find(text, set, 0);
	struct str s;
	struct buf b;

	if (at == SIZE_MAX)
		return false;
	/* 'it'\''s', as shim_quoted() writes it. */
	s = str_sub(text, at + set.n, text.n);
	b = buf_in(a);
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] != '\'')
			buf_putc(&b, s.p[i]);
		else if (str_starts(str_sub(s, i, s.n), STR("'\\''")))
			buf_putc(&b, s.p[i += 3]);
		else
			break;
	}
	*out = buf_as_str(&b);
	return str_eq(text, shim_of(a, kind, name, *out));
}

unsigned hook_commit_msg_without_garden(struct arena *a, const struct hook_options *o,
					const struct hook_file *f)
{
	const char *name = hook_names[HOOK_COMMIT_MSG];
	struct str program;

	return !o->names && !o->server && !o->global &&
			       (hook_shim_program(a, f->text, SHIM_REPOSITORY, name, &program) ||
				hook_shim_program(a, f->text, SHIM_GLOBAL, name, &program))
		       ? 1u << HOOK_COMMIT_MSG
		       : 0;
}

struct err *hook_shim_text(struct arena *a, enum hook_shim kind, const char *name, struct str *out)
{
	const char *self = kind == SHIM_PASS ? NULL : os_self(a);

	/* The path of a file that was replaced while it runs ends so; PATH serves as well then. */
	if (self && str_ends(str_of(self), STR(" (deleted)")))
		self = NULL;
	*out = shim_of(a, kind, name, str_of(self));
	return out->n <= SHIM_MAX ? NULL : err_new(E_TOO_LONG, "the path of ikm is too long");
}

enum hook_owner hook_text_owner(struct arena *a, struct str text, const char *name)
{
	struct str line = str_fmt(a, LINE "%s ", name);

	if (!str_starts(text, line))
		return OWNER_OTHER;
	if (text.n < line.n + DIGEST ||
	    !str_eq(str_sub(text, line.n, line.n + DIGEST),
		    shim_digest(a, line, str_sub(text, line.n + DIGEST, text.n))))
		return OWNER_EDITED;
	return OWNER_OURS;
}

struct err *hook_file_read(struct arena *a, const char *dir, const char *name,
			   struct hook_file *out)
{
	const char *legacy;
	struct os_stat st;
	struct str text;

	*out = (struct hook_file){.path = os_join(a, dir, name)};
	out->prev = str_c(a, str_fmt(a, "%s" HOOK_PREV, out->path));
	TRY(os_stat(out->prev, false, &st));
	out->has_prev = st.kind != OS_NONE;
	TRY(os_stat(out->prev, true, &st));
	out->prev_runs = st.kind == OS_FILE && st.mode & (S_IXUSR | S_IXGRP | S_IXOTH);
	TRY(os_stat(out->path, false, &st));
	if (st.kind == OS_NONE)
		return NULL;
	if (st.kind == OS_DIR)
		return err_help(err_new(E_NOT_A_FILE, "'%s' is a folder, not a hook", out->path),
				"move it away: mv '%s' '%s.old'", out->path, out->path);
	out->owner = OWNER_OTHER;
	/* A dangling link is somebody's file too, so the owner stays as set above. */
	if (os_stat(out->path, true, &st) || st.kind != OS_FILE)
		return NULL;
	out->executable = st.mode & (S_IXUSR | S_IXGRP | S_IXOTH);
	if (st.size > SHIM_MAX || os_read_path(a, out->path, SHIM_MAX, &out->text)) {
		out->text = STR("");
		return NULL;
	}
	out->owner = hook_text_owner(a, out->text, name);
	legacy = str_fmt(a, "%s.legacy", out->path).p;
	if (out->owner == OWNER_OTHER && !os_stat(legacy, true, &st) && st.kind == OS_FILE &&
	    st.mode & S_IXUSR && !os_read_path(a, legacy, SHIM_MAX, &text) &&
	    hook_text_owner(a, text, name) == OWNER_OURS)
		out->legacy = legacy;
	return NULL;
}
