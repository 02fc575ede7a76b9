/* know add: writes the decisions of a pack as files of the repository. */
#include "decisions/know_write_common.h"
#include "judge/examples.h"

#define PACK_STATES(X)                                                                             \
	X(PACK_WRITTEN, "written")                                                                 \
	X(PACK_UPDATED, "updated")                                                                 \
	X(PACK_CURRENT, "current")                                                                 \
	X(PACK_DIFFERS, "differs")
enum pack_state { PACK_STATES(ENUM_MEMBER) };
static const char *const pack_states[] = {PACK_STATES(ENUM_NAME) NULL};

struct args {
	struct str pack, source;
	bool update;
};

static struct err *add_complete(struct call *c, struct str typed);

static const struct param add_params[] = {
	PARAM(pack, .flags = ARG, .min = 1, .max = OS_PATH_MAX, .complete = add_complete,
	      .help = "a pack that was installed with ikm, or a folder with Markdown files, named with "
		      "a slash; default: list the packs"),
	PARAM(source, .flags = PATHS, .meta = "DIR", .min = 1, .max = OS_PATH_MAX,
	      .help = "write into this folder, which is a source or in one; default: the first "
		      "source of the repository"),
	PARAM(update, .help = "replace files that are there and differ"),
	{0},
};

struct pack_file {
	int state;
	struct str path;
	size_t rules;
};
struct pack_row {
	struct str name;
	size_t decisions;
};
struct result {
	bool success;
	struct str folder;
	struct {
		struct pack_file *p;
		size_t n, cap;
	} files;
	struct {
		struct pack_row *p;
		size_t n, cap;
	} packs;
	struct strs notes;
};

static const struct field pack_file_fields[] = {
	FIELD_NAMED(struct pack_file, state, "state", pack_states,
		    "differs: the file is there with another text, and stays"),
	FIELD_OF(struct pack_file, path, "the file"),
	FIELD_OF(struct pack_file, rules, "its rules in the pack"),
	{0},
};
static const struct field pack_fields[] = {
	FIELD_OF(struct pack_row, name, "the pack"),
	FIELD_OF(struct pack_row, decisions, "its files"),
	{0},
};
static const struct field add_result[] = {
	FIELD(success, "the pack was read, and its files are as told"),
	FIELD(folder, "of the pack, or of all packs"),
	FIELD_RECORDS(struct result, files, "files", pack_file_fields, "the files of the pack"),
	FIELD_RECORDS(struct result, packs, "packs", pack_fields,
		      "without a pack: the packs that are installed", .flags = IF_ANY),
	FIELD(notes, "the next steps", .flags = IF_ANY),
	{0},
};

/* ---- where packs are ---- */

/* PREFIX/share/ikm/packs for PREFIX/bin/ikm; of a build folder the sources' examples/packs. */
static const char *packs_folder(struct arena *a)
{
	static const char *const below[] = {"share/ikm/packs", "examples/packs"};
	const char *self = os_self(a);
	struct str at = str_of(self);
	struct os_stat st;

	for (int up = 0; self && up < 3; up++) {
		at = str_sub(at, 0, str_rfind_char(at, '/'));
		for (size_t i = 0; up && i < ARRAY_SIZE(below); i++) {
			const char *path = os_join(a, str_c(a, at), below[i]);

			if (!os_stat(path, true, &st) && st.kind == OS_DIR)
				return path;
		}
	}
	return NULL;
}

static struct err *packs_list(struct call *c, struct result *r)
{
	const char *folder = packs_folder(c->a);
	struct strs names = {0};

	if (!folder)
		return err_help(err_new(E_NO_SUCH_SOURCE, "no packs are installed beside ikm"),
				"name a folder of your own: ikm know add ./PACK");
	TRY(os_list(c->a, folder, &names));
	r->folder = str_of(folder);
	for (size_t i = 0; i < names.n; i++) {
		struct pack_row row = {.name = names.p[i]};
		struct strs files = {0};

		if (os_list(c->a, os_join(c->a, folder, str_c(c->a, names.p[i])), &files))
			continue;
		for (size_t k = 0; k < files.n; k++)
			row.decisions += str_ends(files.p[k], STR(".md"));
		*VEC_PUSH(c->a, &r->packs) = row;
	}
	return NULL;
}

static struct err *add_complete(struct call *c, struct str typed)
{
	struct result r = {0};

	if (!packs_list(c, &r))
		for (size_t i = 0; i < r.packs.n; i++)
			cmd_candidate(c->out, typed, r.packs.p[i].name,
				      str_fmt(c->a, "%zu decisions", r.packs.p[i].decisions));
	return NULL;
}

static struct err *pack_find(struct call *c, struct str pack, const char **out)
{
	const char *folder = packs_folder(c->a);
	bool path = str_find_char(pack, '/', 0) < pack.n || str_starts(pack, STR("."));
	struct os_stat st;

	*out = path ? app_absolute_path(c, pack)
		    : os_join(c->a, folder ? folder : "", str_c(c->a, pack));
	TRY(os_stat(*out, true, &st));
	if (st.kind == OS_DIR)
		return NULL;
	return err_help(err_for_param(E_NO_SUCH_SOURCE, STR("pack"), "there is no pack '%.*s'",
				      STR_ARG(pack)),
			path ? "a pack is a folder with Markdown files"
			     : "'ikm know add' lists the packs; a folder of your own is named with "
			       "a slash");
}

/* ---- its files ---- */

/* A pack is taken whole, or not: each file is a decision, and each example holds. */
static struct err *pack_check(struct call *c, const struct knowledge *k, const char *folder,
			      size_t *n)
{
	VEC_EACH(const struct kn_item, item, &k->items) {
		if (!item->source->given || !item->source->folder)
			continue;
		++*n;
		for (size_t j = 0; j < k->notes.n; j++)
			if (item->broken && k->notes.p[j].kind == KN_BROKEN &&
			    str_eq(k->notes.p[j].path, item->shown_path))
				return err_new(E_BAD_MARKDOWN, "nothing was added: %.*s:%zu: %.*s",
					       STR_ARG(item->shown_path), k->notes.p[j].line,
					       STR_ARG(k->notes.p[j].message));
		for (size_t j = 0; j < item->constraints_n; j++) {
			struct check_examples tried = {0};

			TRY(check_examples(c->a, item, &item->constraints[j], &tried));
			for (size_t x = 0; x < tried.n; x++)
				if (tried.p[x].failed.n)
					return err_help(
						err_new(E_BAD_ARGUMENT,
							"nothing was added: %.*s: %.*s",
							STR_ARG(item->shown_path),
							STR_ARG(tried.p[x].failed)),
						"correct the pattern or the example, and add it "
						"again");
		}
	}
	if (!*n)
		return err_help(
			err_for_param(E_NO_SUCH_SOURCE, STR("pack"), "'%s' has no decision",
				      folder),
			"a pack is a folder with Markdown files whose front matter has a status");
	return NULL;
}

static struct err *pack_write(struct call *c, const struct args *args, struct files *f,
			      const struct kn_item *item, const struct knowledge_folder *to,
			      struct pack_file *out)
{
	struct file_write w = {.op = "know add", .flags = OS_PARENTS};
	const char *from, *path = os_join(c->a, to->path, str_c(c->a, str_base(item->path)));
	struct os_stat st;
	struct str text;
	struct file_change *change;
	struct file_done done;
	struct file_ref ref;

	TRY(knowledge_file(c->a, item, &from));
	TRY(os_read_path(c->a, from, FILE_BYTES_MAX, &text));
	TRY(os_stat(path, false, &st));
	w.existing = st.kind != OS_NONE;
	if (!w.existing)
		w.flags |= OS_EXCLUSIVE;
	out->path = know_path_for_shell(c, path);
	out->rules = item->constraints_n;
	TRY(file_ref_resolve(f, str_of(path), &ref));
	TRY(file_begin(f, &ref, &w, &change));
	out->state = !w.existing                 ? PACK_WRITTEN
		     : str_eq(change->old, text) ? PACK_CURRENT
		     : args->update              ? PACK_UPDATED
						 : PACK_DIFFERS;
	if (out->state == PACK_CURRENT || out->state == PACK_DIFFERS)
		return file_abort(change, NULL);
	return file_commit(change, text, &done);
}

static struct err *know_add_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct strs none = {0};
	struct strs given = {0};
	struct knowledge *here, *pack;
	const char *folder, *source = NULL;
	bool changed = false, differs = false;
	struct files *f;
	size_t n = 0;

	r->success = true;
	if (!args->pack.n)
		return packs_list(c, r);
	TRY(pack_find(c, args->pack, &folder));
	r->folder = str_of(folder);
	strs_push(c->a, &given, str_of(folder));
	TRY(know_load_skip_missing(c, &none, &here));
	TRY(know_load_skip_missing(c, &given, &pack));
	TRY(pack_check(c, pack, folder, &n));
	if (args->source.n)
		TRY(os_realpath(c->a, app_absolute_path(c, args->source), &source));
	TRY(files_open(c, &f));
	VEC_EACH(const struct kn_item, item, &pack->items) {
		struct knowledge_folder to;
		struct pack_file file = {0};

		if (!item->source->given || !item->source->folder)
			continue;
		TRY(knowledge_new_folder(c->a, here, item->type, -1, source, &to));
		TRY(pack_write(c, args, f, item, &to, &file));
		changed |= file.state == PACK_WRITTEN || file.state == PACK_UPDATED;
		differs |= file.state == PACK_DIFFERS;
		*VEC_PUSH(c->a, &r->files) = file;
	}
	if (differs)
		strs_push(c->a, &r->notes,
			  STR("files that differ stay: --update replaces them, and 'ikm know diff "
			      "HEAD' shows then which rules change"));
	if (changed)
		strs_push(
			c->a, &r->notes,
			STR("next: read them; 'ikm know diff HEAD' lists the rules, 'ikm know test "
			    "ID' what each finds here; then git add and commit"));
	return NULL;
}

const struct cmd cmd_know_add = {
	.name = "know add",
	.summary = "write the decisions of a pack as files of the repository",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, add_params),
	CMD_RESULT(struct result, add_result),
	.run = know_add_run,
	.template = "{/files:{state%-9}{*path}  {rules} rule{?!rules=1:s}\n}"
		    "{/packs:{*name%-20}{decisions} decision{?!decisions=1:s}\n}" TEMPLATE_NOTES,
};
