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

static void shim_put_quoted(struct buf *b, struct str s)
{
	buf_putc(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_puts(b, "'\\''");
		else
			buf_putc(b, s.p[i]);
	}
	buf_putc(b, '\'');
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

struct blank {
	const char *name;
	struct str value;
};

/* Fills the blanks of the template. The digest comes last, because it covers the rest. */
static struct str shim_render(struct arena *a, struct str text, const char *name,
			      const struct blank *blanks)
{
	struct str rest = text, mark = str_fmt(a, MARK "%s ", name), all;
	struct buf b = buf_in(a), whole = buf_in(a);
	size_t at = str_find(rest, STR("@MARK@"), 0), cut;

	if (at == SIZE_MAX)
		BUG("a shim without its mark");
	buf_put(&b, str_sub(rest, 0, at));
	buf_put(&b, mark);
	cut = b.n;
	rest = str_sub(rest, at + 6, rest.n);
	while (rest.n) {
		const struct blank *k = blanks;

		while (k->name && !str_starts(rest, str_of(k->name)))
			k++;
		if (k->name)
			buf_put(&b, k->value);
		else
			buf_putc(&b, rest.p[0]);
		rest = str_sub(rest, k->name ? strlen(k->name) : 1, rest.n);
	}
	all = buf_as_str(&b);
	buf_put(&whole, str_sub(all, 0, cut));
	buf_put(&whole, shim_digest(a, str_sub(all, 0, cut), str_sub(all, cut, all.n)));
	buf_put(&whole, str_sub(all, cut, all.n));
	return buf_as_str(&whole);
}

static struct str shim_of(struct arena *a, const char *name, bool global, struct str program)
{
	bool server = !strcmp(name, hook_names[HOOK_PRE_RECEIVE]);
	bool after = !strcmp(name, hook_names[HOOK_POST_COMMIT]);
	struct buf quoted = buf_in(a);

	shim_put_quoted(&quoted, program);
	return shim_render(a,
			   str_of(server  ? server_text
				  : after ? after_text
					  : shim_text),
			   name,
			   (const struct blank[]){
				   {"@IKM@", buf_as_str(&quoted)},
				   {"@HOOK@", str_of(name)},
				   {"@SCOPE@", global ? STR("global") : STR("repository")},
				   {NULL, {0}},
			   });
}

static bool shim_program_of(struct arena *a, struct str text, struct str *out)
{
	static const struct str set = STR_INIT("\nikm=");
	size_t at = str_find(text, set, 0);
	struct str s;
	struct buf b;

	if (at == SIZE_MAX)
		return false;
	/* 'it'\''s', as shim_put_quoted() writes it. */
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
	return true;
}

bool hook_shim_program(struct arena *a, const struct hook_file *f, const char *name,
		       struct str *out)
{
	if (!shim_program_of(a, f->text, out))
		return false;
	return str_eq(f->text, shim_of(a, name, false, *out)) ||
	       str_eq(f->text, shim_of(a, name, true, *out));
}

unsigned hook_commit_msg_without_garden(struct arena *a, const struct hook_options *o,
					const struct hook_file *f)
{
	struct str program;

	return !o->names && !o->server && !o->global &&
			       hook_shim_program(a, f, hook_names[HOOK_COMMIT_MSG], &program)
		       ? 1u << HOOK_COMMIT_MSG
		       : 0;
}

/* The path of a file that was replaced while it runs ends with " (deleted)"; PATH serves as well
 * then. */
static struct str shim_self(struct arena *a)
{
	const char *self = os_self(a);

	return !self || str_ends(str_of(self), STR(" (deleted)")) ? STR("") : str_of(self);
}

static struct err *shim_check_size(struct str text)
{
	return text.n <= SHIM_MAX ? NULL : err_new(E_TOO_LONG, "the path of ikm is too long");
}

struct err *hook_shim_text(struct arena *a, const char *name, bool global, struct str *out)
{
	*out = shim_of(a, name, global, shim_self(a));
	return shim_check_size(*out);
}

/* Without the line feed at the end: git adds the arguments to the last line. */
static struct str shim_configured_of(struct arena *a, const char *name, struct str program)
{
	struct str text = str_of(config_text);
	struct buf quoted = buf_in(a);

	shim_put_quoted(&quoted, program);
	return shim_render(a, str_sub(text, 0, text.n - 1), name,
			   (const struct blank[]){{"@IKM@", buf_as_str(&quoted)},
						  {"@HOOK@", str_of(name)},
						  {NULL, {0}}});
}

struct err *hook_shim_config_command(struct arena *a, const char *name, struct str *out)
{
	*out = shim_configured_of(a, name, shim_self(a));
	return shim_check_size(*out);
}

bool hook_shim_config_program(struct arena *a, struct str text, const char *name, struct str *out)
{
	return shim_program_of(a, text, out) && str_eq(text, shim_configured_of(a, name, *out));
}

struct str hook_shim_pass_through(struct arena *a, const char *name)
{
	return shim_render(a, str_of(pass_text), name,
			   (const struct blank[]){{"@HOOK@", str_of(name)}, {NULL, {0}}});
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
