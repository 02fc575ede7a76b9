/*
 * Finds the programs that are tools: searches the folders, of which a person may trust more, and
 * asks each program for its --schema.
 */
#include "tool/tool.h"
#include "json/json.h"
#include "os/os.h"
#include "record/record.h"

/* ---- the folders that a person has trusted: a list that no repository can write ---- */

/* Permission bits that let someone else replace a folder or a program. */
#define ANYBODY 0002
#define GROUP   0020

/* The reason why another user could have put this file or folder there. p is NULL when only root or
 * the user of this process can write to it. */
static struct str tool_unsafe_reason(struct arena *a, const struct os_stat *st)
{
	uint32_t own = os_uid();

	if (st->mode & ANYBODY)
		return STR("anybody may write to it: chmod o-w first");
	if (st->uid != own && st->uid)
		return str_fmt(a, "it belongs to another user (%u)", (unsigned)st->uid);
	/* The group whose number equals the user's is the user's private group. */
	if (st->mode & GROUP && st->gid != own)
		return str_fmt(a, "its group (%u) may write to it: chmod g-w first",
			       (unsigned)st->gid);
	return (struct str){0};
}

#define TRUSTED_NAME  "tools.trusted"
#define TRUSTED_BYTES ((size_t)1 << 20)
#define TRUSTED_MS    5000 /* to wait for the lock of its folder */

struct err *tool_trusted_folders(struct arena *a, const char *home, struct strs *out)
{
	const char *path = os_join(a, home, TRUSTED_NAME);
	struct str text;
	struct val *v;
	struct err *e = os_read_path(a, path, TRUSTED_BYTES, &text);

	*out = (struct strs){0};
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	TRY(e);
	e = json_read(a, text, NULL, &v);
	if (e)
		return err_add_context(e, "%s", path);
	if (v->type != VAL_LIST)
		return err_new(E_BAD_CONFIG, "%s must hold a list of folders, not %s", path,
			       val_type_name(v->type));
	VAL_EACH(v, dir) {
		if (dir->type != VAL_STR || !str_starts(dir->s, STR("/")) || str_has_nul(dir->s))
			return err_new(E_BAD_CONFIG, "%s must hold absolute paths of folders",
				       path);
		strs_push(a, out, dir->s);
	}
	return NULL;
}

/* Reads the list, adds or removes dir, and writes the list, all under the lock of the folder. */
static struct err *trust_change(struct arena *a, const char *home, struct str dir, bool there,
				bool *done)
{
	struct strs old, now = {0};
	struct os_lock *lock;
	struct err *e;
	struct buf b;

	TRY(os_mkdirs(home, 0700));
	TRY(os_lock_dir(a, home, TRUSTED_MS, &lock));
	e = tool_trusted_folders(a, home, &old);
	*done = !e && strs_has(&old, dir) != there;
	for (size_t i = 0; *done && i < old.n; i++)
		if (!str_eq(old.p[i], dir))
			strs_push(a, &now, old.p[i]);
	if (there)
		strs_push(a, &now, dir);
	if (*done) {
		b = buf_in(a);
		json_write(&b, val_list_of_strs(a, &now), 2);
		buf_putc(&b, '\n');
		e = os_write(os_join(a, home, TRUSTED_NAME), buf_as_str(&b), 0);
	}
	os_unlock(lock);
	return e;
}

struct err *tool_trust_folder(struct arena *a, const char *home, const char *dir, bool *done)
{
	struct os_stat st;
	const char *real;
	struct str why;

	TRY(os_realpath(a, dir, &real));
	TRY(os_stat(real, true, &st));
	if (st.kind != OS_DIR)
		return err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", dir),
				"name the folder that has the tools");
	if (!str_is_utf8(str_of(real)))
		return err_new(E_BAD_PATH,
			       "'%s' is not UTF-8; a folder of tools must have a name in UTF-8",
			       str_c(a, str_utf8(a, str_of(real))));
	why = tool_unsafe_reason(a, &st);
	if (why.p)
		return err_help(err_new(E_NOT_ALLOWED, "'%s': %s", dir, why.p),
				"another user could put a tool there");
	return trust_change(a, home, str_of(real), true, done);
}

struct err *tool_untrust_folder(struct arena *a, const char *home, const char *dir, bool *done)
{
	struct str path;
	const char *real, *cwd;

	if (os_realpath(a, dir, &real)) {
		real = dir;
		if (dir[0] != '/') {
			TRY(os_cwd(a, &cwd));
			real = os_join(a, cwd, dir);
		}
	}
	path = str_of(real);
	while (path.n > 1 && str_ends(path, STR("/")))
		path.n--;
	return trust_change(a, home, path, false, done);
}

/* ---- the cache of answers to --schema: home/tools.cache ---- */

struct tool_memo {
	struct str path;
	int64_t dev, ino, size, mtime; /* of struct os_stat; a large number may be negative here */
	struct val *document;          /* NULL: the program gave no schema */
	struct str why;
	bool late;  /* it had no answer in time */
	int64_t at; /* the time of a failure: os_now() */
};
struct tool_memos VEC(struct tool_memo);

#define VERSION   1
#define BYTES_MAX ((size_t)32 << 20)
/* A failure may pass: a network drive, or a package that is being installed. */
#define FAILURE_MS ((int64_t)60 * 1000)

/* The file's content. A program that failed has `why` and `at`; other programs have `document`. */
struct memo_file {
	int64_t version;
	struct tool_memos programs;
};
#define M struct tool_memo
static const struct field memo_rows[] = {
	FIELD_OF(M, path, "the program", .min = 1, .max = INT64_MAX),
	FIELD_OF(M, dev, "its device"),
	FIELD_OF(M, ino, "its inode"),
	FIELD_OF(M, size, "its bytes"),
	FIELD_OF(M, mtime, "its time of change"),
	FIELD_OF(M, document, "what it answered", .flags = OPTIONAL),
	FIELD_OF(M, why, "why there is no document", .flags = IF_ANY),
	FIELD_OF(M, late, "it had no answer in time", .flags = IF_ANY),
	FIELD_OF(M, at, "when it failed", .flags = IF_ANY),
	{0},
};
#undef M
static const struct field memo_file_rows[] = {
	FIELD_OF(struct memo_file, version, "of the format", .min = VERSION, .max = VERSION),
	FIELD_RECORDS(struct memo_file, programs, "programs", memo_rows, "all that were asked"),
	{0},
};

/*
 * The memo of this version of the program. NULL when there is none, or when it is an old failure.
 */
static const struct tool_memo *tool_memo_of(const struct tool_memos *memos, struct str path,
					    const struct os_stat *st)
{
	VEC_EACH(const struct tool_memo, m, memos) {
		int64_t age;

		if (!str_eq(m->path, path))
			continue;
		if (m->dev != (int64_t)st->dev || m->ino != (int64_t)st->ino ||
		    m->size != (int64_t)st->size || m->mtime != st->mtime_ns)
			return NULL;
		age = os_now() - m->at;
		/* If the clock was set back, do not keep the failure for ever. */
		return m->document || (age >= 0 && age < FAILURE_MS) ? m : NULL;
	}
	return NULL;
}

#define NAME_BYTES   64
#define SCHEMA_MS    1000
#define SCHEMA_BYTES ((size_t)64 * 1024)
#define ERRORS_BYTES ((size_t)4096)
#define AT_ONCE      4 /* per core */

struct program {
	struct str name;
	const char *dir, *path;
	struct os_stat st;
	struct val *document;
	struct str why; /* why the program has no document */
	bool asked;     /* asked in this run: its answer belongs into the cache */
	bool late;      /* it had no answer in time */
};

struct search {
	struct arena *a;
	const struct tool_setup *s;
	struct str only;
	struct tools *out;
	struct os_stat self;
	struct tool_memos memos;
	struct VEC(struct program) found;
};

/* ---- names ---- */

struct str tool_name_of_file(struct arena *a, struct str file)
{
	char *name = str_c(a, file);

	for (size_t i = 0; i < file.n; i++)
		if (name[i] == '-')
			name[i] = '_';
	return (struct str){name, file.n};
}

/* Letters, digits and "_", at most 64: what agent frameworks take. */
static bool tool_is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_word(name.p[i]))
			return false;
	return name.n && name.n <= NAME_BYTES;
}

static void tool_find_skip(struct search *f, struct str name, const char *path, struct str why,
			   bool quiet)
{
	*VEC_PUSH(f->a, &f->out->skipped) = (struct tool_skipped){
		.name = name,
		.path = path,
		.why = why,
		.quiet = quiet,
	};
}

struct str tool_skipped_line(struct arena *a, const struct tool_skipped *s)
{
	return str_fmt(a, "%s '%s' skipped: %.*s", s->folder ? "folder of tools" : "tool", s->path,
		       STR_ARG(s->why));
}

/* ---- the files in the folders ---- */

/* The reason why a file cannot be a tool; p is NULL when it may be a tool. */
static struct str tool_find_why_not(struct search *f, const struct os_stat *st, struct str name,
				    bool *quiet)
{
	struct str none = {0};

	*quiet = st->kind == OS_DIR || (st->kind == OS_FILE && !(st->mode & 0111));
	if (st->kind == OS_NONE)
		return STR("it is a dangling link");
	if (st->kind == OS_DIR)
		return STR("it is a folder");
	if (st->kind != OS_FILE)
		return STR("it is not a regular file");
	if (!(st->mode & 0111))
		return STR("it is not executable");
	none = tool_unsafe_reason(f->a, st);
	if (none.p)
		return none;
	if (!tool_is_name(name))
		return str_fmt(f->a,
			       "a tool's name has letters, digits, '-' and '_', and at most %d of "
			       "them: rename it",
			       NAME_BYTES);
	if (f->s->self && st->dev == f->self.dev && st->ino == f->self.ino) {
		*quiet = strs_has(&f->s->own, name);
		return STR("it is ikm itself, which has no tool of this name");
	}
	if (strs_has(&f->s->own, name) && !strs_has(&f->s->overrides, name))
		return STR("ikm has a tool of this name; to replace it, add the name to the "
			   "setting tools.override");
	return none;
}

static void tool_find_look_at(struct search *f, const char *dir, struct str file)
{
	struct str name = tool_name_of_file(f->a, file), why;
	const char *path;
	struct os_stat st;
	struct err *e;
	bool quiet;

	/* Dotfiles, such as ".gitignore", and backup files of editors. */
	if (str_starts(file, STR(".")) || str_ends(file, STR("~")) ||
	    (f->only.p && !str_eq(name, f->only)))
		return;
	path = os_join(f->a, dir, str_c(f->a, file));
	e = os_stat(path, true, &st);
	if (e) {
		tool_find_skip(f, tool_is_name(name) ? name : STR(""), path,
			       str_dup(f->a, str_of(err_message(e))), false);
		return;
	}
	why = tool_find_why_not(f, &st, name, &quiet);
	if (why.p) {
		tool_find_skip(f, tool_is_name(name) ? name : STR(""), path, why, quiet);
	} else {
		struct program *p = NULL;

		/* The program of the later folder wins, even if it turns out to be broken. */
		for (size_t i = 0; i < f->found.n && !p; i++)
			if (str_eq(f->found.p[i].name, name))
				p = &f->found.p[i];
		if (p && p->dir == dir)
			tool_find_skip(
				f, name, p->path,
				str_fmt(f->a, "'%s' beside it is a tool of the same name", path),
				false);
		if (!p)
			p = VEC_PUSH(f->a, &f->found);
		*p = (struct program){.name = name, .dir = dir, .path = path, .st = st};
	}
}

/* A missing folder is not an error. */
static void look_into(struct search *f, const char *dir)
{
	struct strs files = {0};
	struct os_stat st = {0};
	struct str why;
	struct err *e = os_stat(dir, true, &st);

	if (!e && st.kind == OS_NONE)
		return;
	e = e ? e : os_list(f->a, dir, &files);
	why = tool_unsafe_reason(f->a, &st);
	if (!e && why.p)
		e = err_new(E_NOT_ALLOWED, "%s", why.p);
	if (e) {
		tool_find_skip(f, STR(""), dir, str_dup(f->a, str_of(err_message(e))), false);
		f->out->skipped.p[f->out->skipped.n - 1].folder = true;
	}
	for (size_t i = 0; !e && i < files.n; i++)
		tool_find_look_at(f, dir, files.p[i]);
}

/* PREFIX/libexec/ikigai for PREFIX/bin/ikm. A program in a build folder has none. */
static const char *own_folder(struct arena *a, const char *self)
{
	struct str path = str_of(self), bin = STR("/bin");
	size_t slash = str_rfind_char(path, '/');

	if (slash == SIZE_MAX || !str_ends(str_sub(path, 0, slash), bin))
		return NULL;
	return str_fmt(a, "%.*s/libexec/ikigai", STR_ARG(str_sub(path, 0, slash - bin.n))).p;
}

/* ---- asking for --schema ---- */

/* Only a search for all tools must not wait for one of them. */
static unsigned tool_find_patience(const struct search *f)
{
	return f->only.p && f->s->patience_ms > SCHEMA_MS ? f->s->patience_ms : SCHEMA_MS;
}

static struct str why_failed(struct search *f, struct err *e, const struct os_result *r)
{
	struct arena *a = f->a;
	struct str errors = str_trim(r->err), line = {0};

	if (e && err_reason(e) == E_TOOK_TOO_LONG)
		return str_fmt(a, "it did not answer --schema within %u ms", tool_find_patience(f));
	if (e && err_reason(e) == E_TOO_BIG)
		return str_fmt(a, "its answer to --schema has more than %zu bytes", SCHEMA_BYTES);
	if (e)
		return str_dup(a, str_of(err_message(e)));
	str_next_line(&errors, &line);
	return str_fmt(a, "--schema ended with exit code %d%s%.*s", r->status, line.n ? ": " : "",
		       STR_ARG(str_sub(line, 0, 200)));
}

struct asked {
	struct search *f;
	size_t *of; /* the program of each child */
};

static void answered(void *ctx, size_t i, struct err *e, const struct os_result *r)
{
	struct asked *asked = ctx;
	struct search *f = asked->f;
	struct program *p = &f->found.p[asked->of[i]];
	struct tool tool;
	struct val *v;

	/* Other errors come from ikm, not from the program: another run may succeed. */
	p->asked = !e || err_reason(e) == E_TOOK_TOO_LONG || err_reason(e) == E_TOO_BIG ||
		   err_reason(e) == E_NO_PROGRAM;
	if (e || r->status) {
		p->late = e && err_reason(e) == E_TOOK_TOO_LONG;
		p->why = str_utf8(f->a, why_failed(f, e, r));
		return;
	}
	e = json_read(f->a, str_dup(f->a, r->out), NULL, &v);
	e = e ? e : tool_from_document(f->a, p->name, v, &tool, NULL);
	if (e)
		p->why = str_utf8(f->a, str_fmt(f->a, "its schema: %s", err_message(e)));
	else
		p->document = v;
}

static struct err *tool_find_ask(struct search *f)
{
	struct asked asked = {.f = f};
	struct os_spawn *s = arena_array(f->a, f->found.n, sizeof(*s));
	size_t n = 0;

	asked.of = arena_array(f->a, f->found.n, sizeof(*asked.of));
	for (size_t i = 0; i < f->found.n; i++) {
		struct program *p = &f->found.p[i];
		const struct tool_memo *memo = tool_memo_of(&f->memos, str_of(p->path), &p->st);
		const char **argv;

		if (memo && !(memo->late && f->only.p && !f->s->remembered)) {
			p->document = memo->document;
			p->why = memo->why;
			p->late = memo->late;
			continue;
		}
		if (f->s->remembered) {
			p->why = STR("ikm has not asked it for its schema yet");
			continue;
		}
		argv = arena_array(f->a, 3, sizeof(*argv));
		argv[0] = p->path;
		argv[1] = "--schema";
		s[n] = (struct os_spawn){
			.argv = argv,
			.cwd = "/", /* so that the answer does not depend on our folder */
			.env = f->s->env,
			.timeout_ms = tool_find_patience(f),
			.out_max = SCHEMA_BYTES,
			.err_keep = ERRORS_BYTES,
			.contain = true,
		};
		asked.of[n++] = i;
	}
	return os_spawn_many(s, n, AT_ONCE * os_cores(), answered, &asked);
}

/* ---- the cache ---- */

/* Keeps the memos of names that this search left out. A search of all names drops the memos of
 * programs that are gone. Ignores write errors: the next run then asks the programs again. */
static void tool_find_remember(struct search *f)
{
	struct memo_file file = {.version = VERSION};
	bool news = false;

	VEC_EACH(const struct tool_memo, m, &f->memos) {
		const struct program *p = NULL;

		for (size_t i = 0; i < f->found.n && !p; i++)
			if (str_is(m->path, f->found.p[i].path))
				p = &f->found.p[i];
		if (p ? !p->asked : f->only.p != NULL)
			*VEC_PUSH(f->a, &file.programs) = *m;
		else
			news = true;
	}
	VEC_EACH(const struct program, p, &f->found) {
		news = news || p->asked;
		if (p->asked && str_is_utf8(str_of(p->path)))
			*VEC_PUSH(f->a, &file.programs) =
				(struct tool_memo){.path = str_of(p->path),
						   .dev = (int64_t)p->st.dev,
						   .ino = (int64_t)p->st.ino,
						   .size = (int64_t)p->st.size,
						   .mtime = p->st.mtime_ns,
						   .document = p->document,
						   .why = p->why,
						   .late = p->late,
						   .at = p->document ? 0 : os_now()};
	}
	if (!news || !f->s->home)
		return;
	if (os_write(os_join(f->a, f->s->home, "tools.cache"),
		     json_text(f->a, record_val(f->a, memo_file_rows, &file)), 0))
		return;
}

/* ---- results ---- */

ORDER_OF(tool_find_by_name, struct tool, ORDER_STR(name))

/* A document for a program that did not give one in time. */
static struct val *tool_find_late(struct search *f, const struct program *p)
{
	struct val *v = val_map(f->a), *parameters = val_set(f->a, v, "parameters", val_map(f->a));

	val_set(f->a, v, "name", val_str(f->a, p->name));
	val_set(f->a, v, "description",
		val_str(f->a, str_fmt(f->a, "late: %.*s; a call asks it again, and may take long",
				      STR_ARG(p->why))));
	val_set(f->a, parameters, "type", val_str(f->a, STR("object")));
	return v;
}

static void tool_find_take(struct search *f, const struct program *p)
{
	struct str differs = {0};
	struct tool tool = {0};
	struct err *e = NULL;
	bool late = p->late && !f->only.p;
	const struct val *document = late ? tool_find_late(f, p) : p->document;

	/* Any program may have written the cache: check its documents again. */
	if (document)
		e = tool_from_document(f->a, p->name, document, &tool, &differs);
	if (e || !document) {
		tool_find_skip(f, p->name, p->path,
			       e ? str_dup(f->a, str_of(err_message(e))) : p->why, false);
		return;
	}
	if (differs.p)
		strs_push(f->a, &f->out->notes,
			  str_fmt(f->a, "tool '%s' calls itself '%.*s'; here it is '%.*s'", p->path,
				  STR_ARG(differs), STR_ARG(p->name)));
	if (late)
		strs_push(f->a, &f->out->notes,
			  str_fmt(f->a, "tool '%s' is late: %.*s; a call asks it again", p->path,
				  STR_ARG(p->why)));
	tool.late = late;
	tool.path = p->path;
	tool.overrides = strs_has(&f->s->own, p->name);
	*VEC_PUSH(f->a, f->out) = tool;
}

struct err *tools_discover(struct arena *a, const struct tool_setup *s, struct str only,
			   struct tools *out)
{
	static const struct record_reader how = {.what = "tools.cache", .unknown = RECORD_REFUSED};
	struct search f = {.a = a, .s = s, .only = only, .out = out};
	const char *own = own_folder(a, s->self);
	struct strs trusted = {0};
	struct memo_file file = {0};
	struct str text;
	struct val *v;

	*out = (struct tools){0};
	if (s->self && os_stat(s->self, true, &f.self))
		f.self = (struct os_stat){0};
	if (own)
		look_into(&f, own);
	if (s->home) {
		look_into(&f, os_join(a, s->home, "tools"));
		TRY(tool_trusted_folders(a, s->home, &trusted));
		for (size_t i = 0; i < trusted.n; i++)
			look_into(&f, str_c(a, trusted.p[i]));
	}
	if (!f.found.n)
		return NULL;
	/* No memos when the file cannot be read: ikm can always ask the programs again. */
	if (s->home && !os_read_path(a, os_join(a, s->home, "tools.cache"), BYTES_MAX, &text) &&
	    !json_read(a, text, NULL, &v) && !record_from_val(a, &how, memo_file_rows, v, &file))
		f.memos = file.programs;
	TRY(tool_find_ask(&f));
	tool_find_remember(&f);
	for (size_t i = 0; i < f.found.n; i++)
		tool_find_take(&f, &f.found.p[i]);
	VEC_SORT(out, tool_find_by_name);
	return NULL;
}

struct err *tools_cache_clear(const struct tool_setup *s)
{
	struct arena *a ARENA_LOCAL = arena_new();

	return s->home ? os_remove(os_join(a, s->home, "tools.cache")) : NULL;
}

const struct tool *tools_get(const struct tools *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->p[i].name, name))
			return &t->p[i];
	return NULL;
}
