/* The steps that `ikm init` tells; it makes the home with its store and keys, and the garden. */
#include "conf/edit.h"
#include "event/keys.h"
#include "os/os.h"
#include "setup/setup.h"

const char *const setup_states[] = {SETUP_STATES(ENUM_NAME) NULL};
const char *const setup_areas[] = {SETUP_AREAS(ENUM_NAME) NULL};

#define STEP(member, name, help, ...) FIELD_AS(struct setup_step, member, name, help, __VA_ARGS__)
const struct field setup_step_fields[] = {
	FIELD_NAMED(struct setup_step, state, "state", setup_states,
		    "done: made now; would: a run without --dry-run makes it; found: was there; "
		    "skipped: not made, see message; failed: see message"),
	FIELD_NAMED(struct setup_step, area, "area", setup_areas, "the part"),
	STEP(path, "path", "the file or folder", .flags = IF_ANY),
	STEP(what, "message", "what was made or found, or why it was not made"),
	STEP(remedy, "step", "what to do", .flags = IF_ANY),
	STEP(reason, "reason", "failed: the reason of the error", .flags = IF_ANY),
	{0},
};

void setup_add_step(struct setup *s, enum setup_state state, enum setup_area area, const char *path,
		    const char *fmt, ...)
{
	struct buf b = buf_in(s->a);

	BUF_ARGS(&b, fmt);
	if (state == SETUP_DONE && s->dry)
		state = SETUP_WOULD;
	s->changes += state == SETUP_DONE || state == SETUP_WOULD;
	s->failures += state == SETUP_FAILED;
	*VEC_PUSH(s->a, s) = (struct setup_step){
		.state = state,
		.area = area,
		.path = path ? str_utf8(s->a, str_dup(s->a, str_of(path))) : STR(""),
		.what = str_utf8(s->a, buf_as_str(&b)),
		.remedy = STR(""),
		.reason = STR(""),
	};
}

/* The steps of an error, which the caller told as the reason of a part it skipped. */
static void setup_set_remedy_from_error(struct setup *s, const struct err *e)
{
	const struct val *help = val_get(err_envelope(s->a, e), "help");
	struct strs steps = {0};

	VAL_EACH(val_get(help, "steps"), step)
		strs_push(s->a, &steps, step->s);
	s->p[s->n - 1].remedy = str_dup(s->a, str_join(s->a, &steps, "; "));
}

void setup_fail(struct setup *s, enum setup_area area, const char *path, struct err *e)
{
	setup_add_step(s, SETUP_FAILED, area, path, "%s", err_message(e));
	s->p[s->n - 1].reason = str_of(err_reason_name(err_reason(e)));
	setup_set_remedy_from_error(s, e);
	if (!err_has_help(e))
		s->p[s->n - 1].remedy = os_permission_help(s->a, e);
}

void setup_set_remedy(struct setup *s, const char *fmt, ...)
{
	struct buf b = buf_in(s->a);

	BUF_ARGS(&b, fmt);
	s->p[s->n - 1].remedy = str_utf8(s->a, buf_as_str(&b));
}

/* ---- the home, the store in it, and the keys of the record of changes ---- */

static bool setup_home_folder(struct setup *s, const char *home)
{
	struct os_stat st;
	struct err *e = os_stat(home, true, &st);
	bool there = !e && st.kind != OS_NONE;

	if (there && st.kind != OS_DIR)
		e = err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", home),
			     "move it away, or set IKIGAI_HOME to another folder");
	if (!e && !there && !s->dry)
		e = os_mkdirs(home, 0700);
	if (e) {
		setup_fail(s, SETUP_HOME, home, e);
		return false;
	}
	if (!there) {
		setup_add_step(s, SETUP_DONE, SETUP_HOME, home, "the home of ikm, for you alone");
		return true;
	}
	setup_add_step(s, SETUP_FOUND, SETUP_HOME, home, "the home of ikm");
	if (st.mode & 077) {
		setup_add_step(s, SETUP_SKIPPED, SETUP_HOME, home,
			       "others may %s it (mode %04o), and ikm does not change that",
			       st.mode & 022 ? "read or change" : "read",
			       (unsigned)st.mode & 07777);
		setup_set_remedy(s, "chmod 0700 '%s'", home);
	}
	return true;
}

/* Opening it for writing makes the store, or migrates an older one. */
bool setup_home(struct setup *s, struct db *store)
{
	const char *home = os_ikigai_home(s->a), *path = db_path(store);
	struct os_stat st;
	struct err *e;

	if (!home) {
		setup_fail(s, SETUP_HOME, NULL,
			   err_help(err_new(E_NO_HOME, "there is no home folder"),
				    "set HOME, or set IKIGAI_HOME to the folder for ikm"));
		return false;
	}
	if (!setup_home_folder(s, home))
		return false;
	e = os_stat(path, true, &st);
	if (!e && !s->dry)
		e = db_open_for_writing(store);
	if (e) {
		setup_fail(s, SETUP_STORE, path, e);
		return false;
	}
	setup_add_step(s, st.kind == OS_NONE ? SETUP_DONE : SETUP_FOUND, SETUP_STORE, path,
		       "the store of memories, assets and events");
	return true;
}

bool setup_keys(struct setup *s, struct events *log)
{
	const char *folder = os_join(s->a, os_ikigai_home(s->a), "keys");
	struct event_keys_made made = {0};
	struct err *e = s->dry ? event_keys_need(log, s->a) : event_keys_create(log, s->a, &made);
	bool lacks = s->dry && e && err_reason(e) == E_NOT_CONFIGURED;

	if (e && !lacks) {
		setup_fail(s, SETUP_KEYS, folder, e);
	} else if (s->dry) {
		setup_add_step(s, lacks ? SETUP_DONE : SETUP_FOUND, SETUP_KEYS, folder,
			       "the keys of the record of changes");
	} else {
		struct str names = str_join(s->a, &made.made, ", "), older = STR("");

		if (made.covered)
			older = str_fmt(s->a, "; %jd older %s before the first signature",
					(intmax_t)made.covered,
					made.covered == 1 ? "row stands" : "rows stand");
		if (made.made.n)
			setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
				       "%.*s, which protect the record of changes%.*s",
				       STR_ARG(names), STR_ARG(older));
		else if (made.chain_started)
			setup_add_step(s, SETUP_DONE, SETUP_KEYS, folder,
				       "the record of changes is protected now%.*s",
				       STR_ARG(older));
		else
			setup_add_step(s, SETUP_FOUND, SETUP_KEYS, folder,
				       "the keys of the record of changes, version %jd",
				       (intmax_t)made.key_version);
	}
	return !e || lacks;
}

/* ---- the garden: a folder in a Git repository, which the settings name ---- */

struct setup_place {
	struct setup *s;
	const struct setup_garden *q;
	const char *path; /* absolute */
	bool usual;       /* the folder in the home */
	bool there;
};

/* Two names of one folder. */
static bool setup_same(const char *one, const char *two)
{
	struct os_stat x, y;

	if (!strcmp(one, two))
		return true;
	return !os_stat(one, true, &x) && !os_stat(two, true, &y) && x.kind != OS_NONE &&
	       x.dev == y.dev && x.ino == y.ino;
}

/* Which folder it is: --garden, the setting, or the one in the home. */
static struct err *setup_garden_place(struct setup_place *p)
{
	struct arena *a = p->s->a;
	const struct conf none = {0};
	const char *usual = conf_garden_folder(a, &none), *said = conf_garden_folder(a, p->q->conf);

	p->path = p->q->given ? p->q->given : said;
	if (!p->path)
		return err_help(
			err_new(E_NO_HOME, "garden.path begins with ~/, and there is no home"),
			"set HOME, or give garden.path as an absolute path");
	if (p->q->conf->garden_path.n && said && !setup_same(p->path, said))
		return err_help(err_new(E_EXISTS, "garden.path names another garden, '%s'", said),
				"to change it: ikm config set garden.path '%s'", p->path);
	p->usual = usual && setup_same(p->path, usual);
	return NULL;
}

/*
 * *top: the repository that has the folder; NULL: it gets its own. The folder in the home always
 * gets its own: a repository of the whole home, such as one of dotfiles, is no place for it.
 */
static struct err *setup_garden_repository(struct setup_place *p, const char **top)
{
	struct arena *a = p->s->a;
	const char *real;
	struct git *g;
	struct err *e;

	*top = NULL;
	if (!p->there)
		return NULL;
	TRY(os_realpath(a, p->path, &real));
	e = git_open(a, real, &g);
	if (e)
		return err_reason(e) == E_NO_REPOSITORY ? NULL : e;
	if (git_is_bare(g))
		return err_help(err_new(E_NO_REPOSITORY,
					"'%s' is in a bare repository, which has no working tree",
					p->path),
				"name another folder with --garden");
	if (!p->usual || !strcmp(git_top(g), real))
		*top = git_top(g);
	return NULL;
}

static struct err *setup_garden_remember(struct setup_place *p)
{
	struct conf_edit q = {
		.op = CONF_SET,
		.key = str_of(conf_settings[CONF_ID_garden_path].key),
		.origin = CONF_USER,
		.path = conf_user_path(p->s->a),
		.folder_mode = 0700,
		.dry = p->s->dry,
	};
	const struct conf none = {0};
	struct conf_edited done;
	const char *usual;
	struct os_stat st;

	if (p->usual || p->q->conf->garden_path.n)
		return NULL;
	strs_push(p->s->a, &q.values, str_of(p->path));
	TRY(conf_edit_file(p->s->a, &q, &done));
	if (done.changed)
		setup_add_step(p->s, SETUP_DONE, SETUP_GARDEN, q.path, "garden.path is '%s'",
			       p->path);
	/* Another garden may have been in use: its files stay, and no command reads them any more.
	 */
	usual = conf_garden_folder(p->s->a, &none);
	if (!usual || os_stat(os_join(p->s->a, usual, "users"), true, &st) || st.kind != OS_DIR)
		return NULL;
	setup_add_step(p->s, SETUP_FOUND, SETUP_GARDEN, usual,
		       "the former garden stays as it is, and ikm uses '%s' in its place", p->path);
	setup_set_remedy(p->s, "to go on with the former one: ikm config unset garden.path");
	return NULL;
}

/*
 * Commits the setting that is written, and one that an earlier run could not commit. When HEAD has
 * the file as it is, only Git's index gets it; *index_why says why the index has not got it.
 */
static struct err *setup_garden_commit(struct setup_place *p, const char *top, const char *path,
				       bool written, struct str *index_why)
{
	struct arena *a = p->s->a;
	struct git_put put = {.path = str_of(path)};
	const struct git_commit_ask q = {
		.puts = &put, .n = 1, .message = STR_INIT("ikm init: judge the garden")};
	struct git_committed done;
	struct str is = {0};
	struct git *g;

	TRY(git_open(a, top, &g));
	TRY(os_read_path(a, path, ((size_t)1 << 20), &put.bytes));
	if (!written) {
		TRY(git_read_file_at_head(g, a, put.path, &is));
		if (is.p && !str_eq(is, put.bytes))
			return NULL;
	}
	TRY(git_commit_paths(g, a, &q, &done));
	if (!written && done.oid.n)
		setup_add_step(p->s, SETUP_DONE, SETUP_GARDEN, path, "committed");
	*index_why = done.index_why;
	return NULL;
}

/* The setting in the repository: hooks, clones and servers judge the garden by it. */
static struct err *setup_garden_rule(struct setup_place *p, const char *top, const char *real)
{
	struct arena *a = p->s->a;
	struct str rest = str_sub(str_of(real), strlen(top), strlen(real));
	struct conf_edit q = {
		.op = CONF_SET,
		.key = str_of(conf_settings[CONF_ID_check_garden].key),
		.origin = CONF_REPO,
		.path = os_join(a, top, ".ikm/config.json"),
		.top = top,
		.folder_mode = 0777,
		.dry = p->s->dry,
	};
	/* In a repository of the user's own, a commit is the user's. */
	bool commit = !rest.n && !p->s->dry && p->q->conf->garden_commit != CONF_SWITCH_OFF;
	struct str index_why = {0};
	struct conf_edited done;
	struct err *e;

	rest = str_sub(rest, rest.n > 0, rest.n);
	strs_push(a, &q.values, rest.n ? rest : STR("."));
	/* A folder that would be made has no settings yet. */
	done.changed = !p->there;
	if (p->there)
		TRY(conf_edit_file(a, &q, &done));
	e = commit ? setup_garden_commit(p, top, q.path, done.changed, &index_why) : NULL;
	if (done.changed)
		setup_add_step(p->s, SETUP_DONE, SETUP_GARDEN, q.path,
			       "check.garden is '%.*s': hooks and servers judge the garden%s",
			       STR_ARG(q.values.p[0]),
			       commit && !e
				       ? ""
				       : "; commit this file, so that clones and servers have it");
	if (e) {
		setup_add_step(p->s, SETUP_SKIPPED, SETUP_GARDEN, q.path, "no commit of it: %s",
			       err_message(e));
		setup_set_remedy_from_error(p->s, e);
	}
	/* Nothing more is committed: as long as this commit is HEAD, ikm knows whose the lack is.
	 */
	if (index_why.n)
		return err_help(err_new(E_IO_ERROR,
					"'%s' is committed, but Git's index does not have it: %.*s",
					q.path, STR_ARG(index_why)),
				"run 'ikm init' again before you commit in the garden");
	return NULL;
}

static struct err *setup_garden_make(struct setup_place *p)
{
	const char *top, *real = p->path;
	struct strs names = {0};
	struct os_stat st;
	bool made;

	TRY(setup_garden_place(p));
	TRY(os_stat(p->path, true, &st));
	made = st.kind == OS_NONE;
	if (!made && st.kind != OS_DIR)
		return err_help(err_new(E_NOT_A_FILE, "'%s' is not a folder", p->path),
				"move it away, or name another folder with --garden");
	if (made && !p->s->dry)
		TRY(os_mkdirs(p->path, 0700));
	p->there = !made || !p->s->dry;
	TRY(setup_garden_repository(p, &top));
	if (!made)
		TRY(os_list(p->s->a, p->path, &names));
	if (!top && !p->s->dry)
		TRY(git_init_repository(p->s->a, p->path));
	if (!top)
		setup_add_step(
			p->s, SETUP_DONE, SETUP_GARDEN, p->path,
			names.n ? "a Git repository in the folder; what was in it is untracked"
				: "the garden, a Git repository");
	else if (!os_realpath(p->s->a, p->path, &real) && !strcmp(top, real))
		setup_add_step(p->s, SETUP_FOUND, SETUP_GARDEN, p->path, "the garden");
	else
		setup_add_step(p->s, made ? SETUP_DONE : SETUP_FOUND, SETUP_GARDEN, p->path,
			       "the garden, a part of the repository '%s'", top);
	real = p->path;
	if (p->there)
		TRY(os_realpath(p->s->a, p->path, &real));
	TRY(setup_garden_rule(p, top ? top : real, real));
	return setup_garden_remember(p);
}

void setup_garden(struct setup *s, struct setup_garden *q)
{
	struct setup_place p = {.s = s, .q = q};
	struct err *e = setup_garden_make(&p);

	if (e)
		setup_fail(s, SETUP_GARDEN, p.path, e);
	else
		q->path = p.path;
}
