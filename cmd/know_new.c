/* know new: makes the file of a new decision, with the next number and the folder's template. */
#include "reply/ask_person.h"
#include "decisions/know_write_common.h"

/* The statuses that a new item may have. */
static const char *const new_statuses[] = {"draft", "proposed", "accepted", "rejected", NULL};

struct args {
	int type, status, layer;
	struct str title, source;
	bool edit;
	struct strs knowledge;
};

static const struct param new_params[] = {
	PARAM(type, .flags = ARG | REQUIRED, .choices = kn_types, .help = "what to make"),
	PARAM(title, .flags = ARG | REQUIRED | WORDS, .min = 1, .max = 500,
	      .help = "what it decides or says, in one line"),
	PARAM(status, .letter = 's', .choices = new_statuses,
	      .help = "its status; default: proposed, or draft when the folder's template is a "
		      "draft"),
	PARAM(layer, .letter = 'l', .choices = kn_layers, .help = "in a folder of this layer"),
	PARAM(source, .flags = PATHS, .meta = "DIR",
	      .help = "in this source of knowledge, or in this folder of one"),
	PARAM(edit, .letter = 'e', .help = "open the file in your editor"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success;
	struct str id, path, title, template;
	int type, layer, status;
	struct strs notes;
};

static const struct field new_result[] = {
	FIELD(success, "the file was made"),
	FIELD(id, "the id of the item"),
	FIELD(path, "its file"),
	FIELD(title, "its title"),
	FIELD_NAMED(struct result, type, "type", kn_types, "its type"),
	FIELD_NAMED(struct result, layer, "layer", kn_layers, "its layer"),
	FIELD_NAMED(struct result, status, "status", kn_statuses, "its status"),
	FIELD(template, "the template, within its source; absent: in the style of the folder",
	      .flags = IF_ANY),
	FIELD(notes, "what is wrong with it, and why it is not read", .flags = IF_ANY),
	{0},
};

#define NEW_TRIES   1000
#define NEW_LOCK_MS 10000

/*
 * Writes the file under the lock of its folder. *again: another process took the number between
 * the choice of the name and the lock.
 */
static struct err *new_write_once(struct call *c, struct files *f,
				  const struct knowledge_folder *folder, struct knowledge_new *n,
				  const char *path, bool *again)
{
	struct file_write w = {.op = "know new", .flags = OS_PARENTS | OS_EXCLUSIVE};
	struct knowledge_new now = *n;
	struct file_change *change;
	struct file_done done;
	struct file_ref ref;
	struct err *e;

	TRY(file_ref_resolve(f, str_of(path), &ref));
	e = file_begin(f, &ref, &w, &change);
	*again = e && err_reason(e) == E_EXISTS;
	if (e)
		return *again ? NULL : e;
	e = knowledge_new_name(c->a, folder, &now);
	*again = !e && !str_eq(now.file, n->file);
	if (e || *again)
		return file_abort(change, e);
	return file_commit(change, n->text, &done);
}

static struct err *new_write(struct call *c, const struct knowledge_folder *folder,
			     struct knowledge_new *n, const char **path)
{
	int status = n->status;
	struct files *f;
	bool again;

	TRY(files_open(c, &f));
	TRY(knowledge_new_name(c->a, folder, n));
	if (str_find_char(n->file, '/', 0) != SIZE_MAX) {
		struct file_write w = {.op = "know new", .flags = OS_PARENTS | OS_EXCLUSIVE};
		struct os_lock *lock;
		struct file_done done;
		struct file_ref ref;
		struct err *e;

		/* An item that is a folder: the lock of the folder above guards the choice of its
		 * name. */
		TRY(os_mkdirs(folder->path, 0777));
		TRY(os_lock_dir(c->a, folder->path, NEW_LOCK_MS, &lock));
		e = knowledge_new_name(c->a, folder, n);
		if (!e)
			e = knowledge_new_text(c->a, folder, n);
		*path = os_join(c->a, folder->path, str_c(c->a, n->file));
		if (!e)
			e = file_ref_resolve(f, str_of(*path), &ref);
		if (!e)
			e = file_put(f, &ref, &w, n->text, &done);
		os_unlock(lock);
		return e;
	}
	for (int i = 0; i < NEW_TRIES; i++) {
		n->status = status;
		TRY(knowledge_new_name(c->a, folder, n));
		TRY(knowledge_new_text(c->a, folder, n));
		*path = os_join(c->a, folder->path, str_c(c->a, n->file));
		TRY(new_write_once(c, f, folder, n, *path, &again));
		if (!again)
			return NULL;
	}
	return err_new(E_LOCKED, "other processes make items in '%s' all the time", folder->path);
}

/* Reads all knowledge again, as others will. The item is made, whatever fails now. */
static void new_read(struct call *c, const struct args *args, const struct knowledge_new *n,
		     struct result *r)
{
	const struct kn_item *found = NULL;
	struct knowledge *k;
	struct err *e = know_load_skip_missing(c, &args->knowledge, &k);

	if (e) {
		strs_push(c->a, &r->notes,
			  str_fmt(c->a, "'%.*s' is made, but it could not be read again: %s",
				  STR_ARG(n->item.shown_path), err_message(e)));
		return;
	}
	for (size_t i = 0; i < k->items.n; i++)
		if (str_eq(k->items.p[i].shown_path, n->item.shown_path))
			found = &k->items.p[i];
	if (!found) {
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "'%.*s' is not read as an item: see whether Git ignores it, and "
				  "'ikm know list'",
				  STR_ARG(n->item.shown_path)));
		return;
	}
	r->id = found->id;
	r->title = found->title;
	r->status = (int)found->status;
	for (size_t i = 0; i < k->notes.n; i++)
		if (str_eq(k->notes.p[i].path, found->shown_path))
			strs_push(c->a, &r->notes,
				  str_fmt(c->a, "%.*s:%zu: %.*s", STR_ARG(found->shown_path),
					  k->notes.p[i].line, STR_ARG(k->notes.p[i].message)));
}

static struct err *know_new_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct knowledge_folder folder;
	struct knowledge_new n = {.type = (enum kn_type)args->type, .title = args->title};
	const char *path = NULL, *given = NULL;
	struct knowledge *k;

	n.status = args->status < 0
			   ? -1
			   : kn_word_index(kn_statuses, str_of(new_statuses[args->status]));
	if (args->source.n)
		TRY(os_realpath(c->a, app_absolute_path(c, args->source), &given));
	TRY(know_load_skip_missing(c, &args->knowledge, &k));
	TRY(knowledge_new_folder(c->a, k, n.type, args->layer, given, &folder));
	TRY(new_write(c, &folder, &n, &path));
	*r = (struct result){
		.success = true,
		.id = n.item.id,
		.path = n.item.shown_path,
		.title = n.item.title,
		.template = n.template,
		.type = (int)n.type,
		.layer = (int)n.item.layer,
		.status = n.status,
	};
	if (args->edit) {
		struct err *e = editor_run(c->a, path);
		struct str now = {"", 0};

		/* An untouched file goes again, and a text that a person wrote stays. */
		if (e && !os_read_path(c->a, path, FILE_BYTES_MAX, &now) && str_eq(now, n.text) &&
		    !os_remove(path))
			return e;
		if (e)
			return err_add_context(e, "'%s' stays", path);
	}
	new_read(c, args, &n, r);
	return NULL;
}

const struct cmd cmd_know_new = {
	.name = "know new",
	.summary = "make a new decision, with the next number and the folder's template",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, new_params),
	CMD_RESULT(struct result, new_result),
	.run = know_new_run,
	.template = "{*id}  {path}\n" TEMPLATE_NOTES,
};
