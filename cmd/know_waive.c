/* know waive: writes an exception from a decision into .ikm/waivers.yaml. */
#include "decisions/know_write_common.h"
#include "history/judge_trees.h"
#include "os/os.h"

struct args {
	struct str what;
	struct strs path;
	struct str reason, until, owner;
	int64_t constraint;
	struct strs knowledge;
};

static const struct param waive_params[] = {
	PARAM(what, .flags = ARG | REQUIRED, .meta = "ITEM|FINDING", .min = 1, .max = 4096,
	      .complete = know_complete,
	      .help = "the item whose rules are waived, or the fingerprint that check printed"),
	PARAM(path, .letter = 'p', .meta = "GLOB", .min = 1, .max = OS_PATH_MAX,
	      .help = "the files, as in .gitignore; may be repeated; default: the finding's file; an "
		      "item needs them"),
	PARAM(reason, .letter = 'm', .flags = REQUIRED, .meta = "TEXT", .min = 1, .max = 4096,
	      .help = "why the decision cannot be followed yet"),
	PARAM(until, .flags = REQUIRED, .meta = "YYYY-MM-DD", .min = 1, .max = 64,
	      .help = "the last day, in UTC, at most 366 days ahead"),
	PARAM(owner, .meta = "NAME", .min = 1, .max = 256,
	      .help = "the person or team that answers for it; default: Git's user.name"),
	PARAM(constraint, .meta = "N", .min = 0, .max = INT32_MAX, .def = "0",
	      .help = "only this rule of the item, from 1; 0: all of them"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	struct waiver waiver;
	struct str title;
	int64_t matches;
	struct str idle; /* why no finding needs it */
	bool active, ignored;
	struct strs notes;
};

static const struct field waive_result[] = {
	FIELD_AS(struct result, waiver.item, "item", "the item whose rules are waived"),
	FIELD_AS(struct result, waiver.constraint, "constraint",
		 "the rule's number; without it all rules", .flags = IF_ANY),
	FIELD_AS(struct result, waiver.paths, "paths", "globs of the files"),
	FIELD_AS(struct result, waiver.found, "found", "the packages that it covers",
		 .flags = IF_ANY),
	FIELD_AS(struct result, waiver.reason, "reason", "why"),
	FIELD_AS(struct result, waiver.owner, "owner", "the person or team that answers for it"),
	FIELD_AS(struct result, waiver.expires, "expires", "the last day, in UTC"),
	FIELD_AS(struct result, waiver.file, "file", "the file that has it"),
	FIELD_AS(struct result, waiver.line, "line", "from 1"),
	FIELD(matches, "the number of findings in the working tree that it waives"),
	FIELD(ignored, "Git ignores the file, so the entry has no effect yet"),
	FIELD(notes, "the next steps", .flags = IF_ANY),
	{0},
};

static struct err *waive_owner(struct call *c, struct waiver *w)
{
	const char *name = NULL;
	int64_t uid;

	if (w->owner.n)
		return NULL;
	TRY(git_setting(c->git, c->a, "user.name", &name));
	w->owner = name && *name ? str_of(name) : os_user(c->a);
	if (str_int(w->owner, &uid))
		return err_help(
			err_for_param(E_MISSING_PARAMETER, STR("owner"),
				      "Git has no user.name, and the system no name for the "
				      "user %lld, so nobody would answer for the exception",
				      (long long)uid),
			"add --owner NAME, or: git config --global user.name NAME");
	return NULL;
}

/*
 * Computes the file's text with the entry; `was` is its text. Refuses an exception that an entry
 * waives already, and names entries that waive less, or end sooner.
 */
static struct err *waive_add(struct call *c, const struct knowledge *k, struct str was,
			     struct result *r, struct str *now)
{
	struct waiver *w = &r->waiver;
	struct waivers have = {0}, after = {0}, new = {w, 1, 1};
	int64_t today = waive_today();

	/* People write the same exception again to move its end. */
	waivers_read_yaml(c->a, was, today, false, &have);
	for (size_t i = 0; i < have.n; i++) {
		struct waivers one = {&have.p[i], 1, 1};
		struct str place = waive_entry_place_text(c->a, &have.p[i]);

		waive_resolve(c->a, k, NULL, NULL, &have.p[i]);
		if (waive_is_in_base(w, &one))
			return err_help(err_new(E_EXISTS,
						"this is waived already: %.*s, until %.*s",
						STR_ARG(place), STR_ARG(have.p[i].expires)),
					"to change its date or reason, edit %.*s", STR_ARG(place));
		if (waive_is_in_base(&have.p[i], &new))
			strs_push(c->a, &r->notes,
				  str_fmt(c->a,
					  "the exception at %.*s is not needed any more: remove it",
					  STR_ARG(place)));
	}
	TRY(waivers_yaml_add(c->a, was, w, today, now));
	waivers_read_yaml(c->a, *now, today, false, &after);
	w->line = after.p[after.n - 1].line;
	return NULL;
}

/* One lock is held from reading to writing, so that no entry of another run is lost. */
static struct err *waive_write(struct call *c, const struct knowledge *k, struct result *r)
{
	struct file_write w = {.op = "know waive", .flags = OS_PARENTS};
	struct file_change *change;
	struct file_done done;
	struct files *f;
	struct file_ref ref;
	struct os_stat st;
	struct str now;
	struct err *e;

	/* The file is read as Git stores it, so nothing may be written to the target of a link. */
	TRY(os_stat(os_join(c->a, git_top(c->git), WAIVE_FOLDER), false, &st));
	if (st.kind == OS_LINK)
		return err_help(err_new(E_NOT_A_FILE, "'" WAIVE_FOLDER "' is a symbolic link"),
				"make it a folder of this repository");
	TRY(os_stat(os_join(c->a, git_top(c->git), WAIVE_FILE), false, &st));
	if (st.kind != OS_FILE && st.kind != OS_NONE)
		return err_help(err_new(E_NOT_A_FILE, "'" WAIVE_FILE "' is not a regular file"),
				"move it away: mv " WAIVE_FILE " " WAIVE_FILE ".old");
	TRY(files_open(c, &f));
	TRY(know_file_ref(c, f, os_join(c->a, git_top(c->git), WAIVE_FILE), &ref));
	TRY(file_begin(f, &ref, &w, &change));
	e = waive_add(c, k, change->old, r, &now);
	return e ? file_abort(change, e) : file_commit(change, now, &done);
}

/* Neither a check nor a commit sees a file that Git ignores. */
static struct err *waive_note_ignored(struct call *c, struct result *r)
{
	struct tree_file f;
	struct tree *t;
	bool seen;

	TRY(git_tree_worktree(c->git, &t));
	TRY(tree_find(t, STR(WAIVE_FILE), &f, &seen));
	r->ignored = !seen;
	if (r->ignored)
		strs_push(c->a, &r->notes,
			  STR("Git ignores " WAIVE_FILE ", so the entry has no effect: "
			      "'git add -f " WAIVE_FILE "' adds it all the same; "
			      "'git check-ignore -v " WAIVE_FILE "' names the pattern"));
	return NULL;
}

/* The findings of the working tree that the new entry, the last of the file, waives. */
static struct err *waive_count(struct call *c, const struct judge *how, struct result *r)
{
	struct judge j = *how;
	struct check_report report = {0};

	j.min_severity = KN_SEVERITY_INFO;
	TRY(judge_all(c->a, &j, &report));
	for (size_t i = 0; i < report.waived.n; i++) {
		const struct waiver *w = report.waived.p[i].waiver;

		r->matches += !w->in_comment && w->line == r->waiver.line;
	}
	VEC_EACH(const struct check_note, n, &report.notes)
		if (n->kind == CHECK_WAIVER && str_is(n->path, WAIVE_FILE) &&
		    n->line == r->waiver.line && !r->matches)
			r->idle = n->message;
	return NULL;
}

static struct err *know_waive_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct judge j = {.git = c->git, .args = c->set, .given = args->knowledge};
	const struct kn_item *item;
	struct knowledge *k;
	struct err *e;

	if (git_is_bare(c->git))
		return err_help(err_new(E_NO_REPOSITORY,
					"a bare repository has no working tree to write to"),
				"run it in a clone: git clone '%s'", git_dir(c->git));
	r->waiver = (struct waiver){.item = args->what,
				    .constraint = args->constraint,
				    .paths = args->path,
				    .reason = str_trim(args->reason),
				    .owner = str_trim(args->owner),
				    .expires = args->until,
				    .file = STR(WAIVE_FILE)};
	if (!r->waiver.reason.n)
		return err_help(
			err_for_param(E_OUT_OF_RANGE, STR("reason"), "the reason is empty"),
			"say why the decision cannot be followed yet: it is shown with the exception");
	TRY(know_load(c, &args->knowledge, &k));
	TRY(waiver_new(c->a, &j, k, waive_today(), &r->waiver, &item));
	TRY(waive_owner(c, &r->waiver));
	r->title = item->title;
	r->active = knowledge_is_active(k, item);
	TRY(waive_write(c, k, r));
	/* From here on the exception is there, whatever fails. */
	e = waive_note_ignored(c, r);
	if (!e)
		e = waive_count(c, &j, r);
	if (e)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "the exception is written, but its findings were not counted: %s",
				  err_message(e)));
	return NULL;
}

static void waive_text(struct call *c, const void *args, const void *p)
{
	const struct result *r = p;
	const struct waiver *w = &r->waiver;

	(void)args;
	out_safe(c->out, waive_entry_place_text(c->a, w), false);
	out_puts(c->out, ": ");
	out_styled(c->out, OUT_BOLD, r->title);
	out_puts(c->out, " is waived in ");
	out_safe(c->out, str_join(c->a, &w->paths, ", "), false);
	if (w->found.n) {
		out_puts(c->out, " for ");
		out_safe(c->out, str_join(c->a, &w->found, ", "), false);
	}
	out_fmt(c->out, " until %.*s (%.*s)\n", STR_ARG(w->expires),
		STR_ARG(waive_end_text(c->a, w, waive_today())));
	if (!r->active)
		out_puts(c->out, "its rules judge nothing now\n");
	else if (r->matches)
		out_fmt(c->out, "it waives %lld finding%s of the working tree\n",
			(long long)r->matches, PLURAL(r->matches));
	else if (r->idle.n)
		out_fmt(c->out, "%.*s\n", STR_ARG(r->idle));
	if (!r->ignored)
		out_puts(c->out, "next: git add " WAIVE_FILE ", and commit it; agents and servers "
				 "accept it when it is merged\n");
	know_print_notes(c, &r->notes);
}

const struct cmd cmd_know_waive = {
	.name = "know waive",
	.summary = "waive a decision's rules for some files until a date",
	.expose = EXPOSE_PERSON,
	.need = NEED_GIT,
	CMD_PARAMS(struct args, waive_params),
	CMD_RESULT(struct result, waive_result),
	.run = know_waive_run,
	.text = waive_text,
};
