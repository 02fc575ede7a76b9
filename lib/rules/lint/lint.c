#include "lint/internal.h"
#include "judge/rules_for_path.h"
#include "knowledge/load.h"
#include "knowledge/item_edit.h"
#include "os/os.h"
#include "out/out.h"

const char *const lint_severities[] = {LINT_SEVERITIES(ENUM_NAME) NULL};
const struct lint_rule_row lint_rules[LINT_RULE_COUNT] = {
#define X(c, id, severity, fixable, summary, ...) {id, summary, LINT_##severity, fixable},
	LINT_RULES(X)
#undef X
};
const char *const lint_rule_ids[] = {LINT_RULES(ENUM_NAME) NULL};

/* ---- problems ---- */

bool lint_wants(const struct lint *l, int rule)
{
	return l->on[rule] && lint_rules[rule].severity >= l->o->least;
}

void lint_say_of_path(struct lint *l, const struct lint_file *f, int rule, struct str path,
		      struct place at, const char *fmt, ...)
{
	struct lint_cursor cursor = {.text = f ? f->text : STR("")};
	struct buf b = buf_in(l->a);

	if (!lint_wants(l, rule) || (f && f->off[rule]))
		return;
	BUF_ARGS(&b, fmt);
	*VEC_PUSH(l->a, &l->out->problems) = (struct lint_problem){
		.rule = rule,
		.severity = lint_rules[rule].severity,
		.path = path,
		.line = at.line,
		.column = at.column,
		.units = lint_utf16_column(&cursor, at),
		.message = str_utf8(l->a, buf_as_str(&b)),
		.fixable = lint_rules[rule].fixable,
	};
}

ORDER_OF(lint_problem_cmp, struct lint_problem,
	 ORDER_STR(path) || ORDER_UP(line) || ORDER_UP(column) || ORDER_UP(rule) ||
		 ORDER_STR(message))

/* ---- which rules ---- */

static struct err *lint_rule_find(struct str id, struct str where, int *rule)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct strs known = strs_of(a, lint_rule_ids);

	for (*rule = 0; *rule < LINT_RULE_COUNT; ++*rule)
		if (str_is(id, lint_rules[*rule].id))
			return NULL;
	return err_help(err_new(E_NOT_IN_ENUM, "%.*s: '%.*s' is no rule%.*s", STR_ARG(where),
				STR_ARG(id), STR_ARG(str_did_you_mean(a, str_nearest(id, &known)))),
			"ikm lint --list-rules");
}

struct err *lint_check_rule_ids(struct str where, const struct strs *ids)
{
	int rule;

	for (size_t i = 0; i < ids->n; i++)
		TRY(lint_rule_find(ids->p[i], where, &rule));
	return NULL;
}

static struct err *lint_rules_on(struct lint *l)
{
	const struct lint_options *o = l->o;
	const struct conf_part *set =
		conf_highest_value(l->conf, &conf_settings[CONF_ID_lint_disable]);
	const struct {
		const struct strs *ids;
		struct str where;
		bool on;
	} lists[] = {
		{&o->only, STR("--rule"), true},
		{&l->conf->lint_disable, str_fmt(l->a, "lint.disable of %.*s", STR_ARG(set->where)),
		 false},
		{&o->disable, STR("--disable"), false},
	};

	for (int i = 0; i < LINT_RULE_COUNT; i++)
		l->on[i] = !o->only.n;
	for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
		for (size_t i = 0; i < lists[k].ids->n; i++) {
			int rule;

			TRY(lint_rule_find(lists[k].ids->p[i], lists[k].where, &rule));
			/* A rule that a person names is on, whatever the settings say. */
			if (k != 1 || !strs_has(&o->only, lists[k].ids->p[i]))
				l->on[rule] = lists[k].on;
		}
	return NULL;
}

/* ---- which files ---- */

static bool lint_is_named(const struct lint *l, struct str path)
{
	const struct strs *paths = &l->o->paths;

	for (size_t i = 0; i < paths->n; i++)
		if (str_is_below(path, paths->p[i]))
			return true;
	return !paths->n;
}

ORDER_OF(lint_file_cmp, struct lint_file, ORDER_STR(item->shown_path))

static struct err *lint_open_files(struct lint *l)
{
	VEC_EACH(const struct kn_item, item, &l->k->items) {
		struct lint_file *f;
		struct tree_file at;
		struct str text = {"", 0}, path;
		bool found;

		/* Items of folders that the caller did not name are not the caller's to mend. */
		if (!(item->in_tree || (item->source->given && item->source->folder)) ||
		    !lint_is_named(l, item->in_tree ? item->tree_path : item->shown_path))
			continue;
		if (item->in_tree) {
			TRY(tree_find(l->tree, item->tree_path, &at, &found));
			if (!found)
				continue;
			TRY(tree_read(l->tree, l->a, &at, LINT_FILE_MAX, &text));
		} else {
			path = str_fmt(l->a, "%s/%.*s", item->source->folder, STR_ARG(item->path));
			TRY(os_read_path(l->a, path.p, LINT_FILE_MAX, &text));
		}
		f = VEC_PUSH(l->a, &l->files);
		f->item = item;
		f->text = text.n ? text : STR("");
	}
	VEC_SORT(&l->files, lint_file_cmp);
	l->out->files = (unsigned)l->files.n;
	return NULL;
}

/* Says which of the given paths have no item at or below them, and why. */
static void lint_note_paths(struct lint *l)
{
	for (size_t i = 0; i < l->o->paths.n; i++) {
		struct str path = l->o->paths.p[i], why;
		bool any = false;

		for (size_t k = 0; k < l->files.n && !any; k++) {
			const struct kn_item *item = l->files.p[k].item;

			any = str_is_below(item->in_tree ? item->tree_path : item->shown_path,
					   path);
		}
		if (any)
			continue;
		why = knowledge_why_inactive(l->a, l->k, path);
		strs_push(l->a, &l->out->notes,
			  why.n ? why
				: str_fmt(l->a, "'%.*s' has no knowledge item", STR_ARG(path)));
	}
}

/* ---- what the reader of items noted ---- */

/* Whether a note on a file that is no item, or on a source, is of the wanted paths. */
static bool lint_note_wanted(const struct lint *l, const struct kn_note *n)
{
	for (size_t i = 0; i < l->k->items.n; i++)
		if (str_eq(l->k->items.p[i].shown_path, n->path))
			return false;
	return (n->in_tree || n->always) && lint_is_named(l, n->path);
}

static void lint_notes(struct lint *l)
{
	VEC_EACH(const struct kn_note, n, &l->k->notes) {
		const struct lint_file *f = NULL; /* the wanted item of this path */
		struct lint_cursor cursor = {0};
		enum lint_severity s = lint_rules[n->rule].severity;
		size_t at = 0;

		BISECT(at, mid, l->files.n, str_cmp(l->files.p[mid].item->shown_path, n->path) < 0);
		if (at < l->files.n && str_eq(l->files.p[at].item->shown_path, n->path))
			f = &l->files.p[at];
		cursor.text = f ? f->text : STR("");
		/* A note is an error only when rules are lost. */
		s = n->kind == KN_BROKEN ? LINT_ERROR : s == LINT_ERROR ? LINT_WARNING : s;
		if (!l->on[n->rule] || s < l->o->least ||
		    (f ? f->off[n->rule] : !lint_note_wanted(l, n)))
			continue;
		*VEC_PUSH(l->a, &l->out->problems) = (struct lint_problem){
			.rule = (int)n->rule,
			.severity = s,
			.path = n->path,
			.line = n->line,
			.column = n->column,
			.units = lint_utf16_column(&cursor, (struct place){n->line, n->column}),
			.message = n->message,
		};
	}
}

/* ---- the tree ---- */

struct err *lint_tree_paths(struct lint *l, const struct strs **out)
{
	if (!l->has_paths)
		TRY(check_list_tree_paths(l->a, l->tree, &l->paths));
	l->has_paths = true;
	*out = &l->paths;
	return NULL;
}

bool lint_tree_has_path(const struct strs *paths, struct str path)
{
	size_t low = 0;

	/* The first path that is not before this one is the file, or the first one in the folder.
	 */
	BISECT(low, mid, paths->n, str_cmp(paths->p[mid], path) < 0);
	/* "a-b" stands between "a" and "a/x". */
	for (; low < paths->n && str_starts(paths->p[low], path); low++)
		if (str_is_below(paths->p[low], path))
			return true;
	return false;
}

/* Loads, and finds the files that are wanted. */
static struct err *lint_begin(struct lint *l)
{
	struct strs missing = {0};
	struct knowledge_place p = {.git = l->o->git, .given = l->o->given, .missing = &missing};

	if (l->o->git && l->o->of == LINT_INDEX)
		TRY(git_tree_index(l->o->git, &l->tree));
	else if (l->o->git && (l->o->of == LINT_HEAD || git_is_bare(l->o->git)))
		TRY(git_tree_head(l->o->git, &l->tree));
	else if (l->o->git)
		TRY(git_tree_worktree(l->o->git, &l->tree));
	TRY(knowledge_tree_conf(l->a, l->tree, &l->o->set, &l->conf));
	TRY(lint_rules_on(l));
	if (l->o->garden_only)
		return NULL;
	p.tree = l->tree;
	p.conf = l->conf;
	TRY(knowledge_load(l->a, &p, &l->k));
	strs_add_all(l->a, &l->out->notes, &missing);
	l->out->no_knowledge = !l->k->sources;
	return lint_open_files(l);
}

static struct err *lint_one(struct lint *l, struct lint_file *f)
{
	struct places w = {.text = f->text};
	struct strs unknown = {0};

	TRY(lint_file_parse(l->a, f, &unknown));
	for (size_t i = 0; i < unknown.n; i++) {
		struct strs known = strs_of(l->a, lint_rule_ids);

		lint_say(l, f, LINT_DISABLE,
			 str_place_of_next_offset(&w, (size_t)(unknown.p[i].p - f->text.p)),
			 "'%.*s' is no rule%.*s", STR_ARG(unknown.p[i]),
			 STR_ARG(str_did_you_mean(l->a, str_nearest(unknown.p[i], &known))));
	}
	lint_check_text(l, f);
	TRY(lint_links(l, f));
	return lint_constraints(l, f);
}

struct err *lint_run(struct arena *a, const struct lint_options *o, struct lint_report *out)
{
	struct lint l = {.a = a, .o = o, .out = out};

	*out = (struct lint_report){0};
	TRY(lint_begin(&l));
	TRY(lint_garden(&l));
	if (!o->garden_only) {
		struct progress progress PROGRESS = progress_start("files linted", l.files.n);

		lint_note_paths(&l);
		for (size_t i = 0; i < l.files.n; i++) {
			progress_at(&progress, i);
			TRY(lint_one(&l, &l.files.p[i]));
		}
		lint_relations(&l);
		lint_notes(&l);
	}
	VEC_SORT(&out->problems, lint_problem_cmp);
	for (size_t i = 0; i < out->problems.n; i++) {
		enum lint_severity s = out->problems.p[i].severity;

		out->errors += s == LINT_ERROR;
		out->warnings += s == LINT_WARNING;
		out->infos += s == LINT_INFO;
	}
	return NULL;
}

/* ---- mending ---- */

static struct str lint_edited(struct arena *a, struct str text, const struct lint_edits *edits)
{
	struct buf b = buf_in(a);
	size_t at = 0;

	for (size_t i = 0; i < edits->n; i++) {
		buf_put(&b, str_sub(text, at, edits->p[i].at.from));
		buf_put(&b, edits->p[i].new);
		at = edits->p[i].at.to;
	}
	buf_put(&b, str_sub(text, at, text.n));
	return buf_as_str(&b);
}

/* The edits of the rules that are on, in the text that the file has now. */
static struct err *lint_fix_edits(const struct lint *l, struct lint_file *f,
				  struct lint_edits *edits)
{
	struct strs unknown = {0};
	size_t kept = 0;

	TRY(lint_file_parse(l->a, f, &unknown));
	lint_edits_of(l->a, f, edits);
	for (size_t i = 0; i < edits->n; i++)
		if (l->on[edits->p[i].rule] && !f->off[edits->p[i].rule])
			edits->p[kept++] = edits->p[i];
	edits->n = kept;
	return NULL;
}

/*
 * The text with the edits. Edits after which the file would read as another item are left out:
 * first those of the status, which is data, then all.
 */
static struct err *lint_fix_text(const struct lint *l, const struct lint_file *f,
				 struct lint_edits *edits, struct str *out, bool *kept)
{
	size_t n = 0;

	*out = lint_edited(l->a, f->text, edits);
	TRY(knowledge_edit_kept(l->a, f->item, f->text, *out, kept));
	if (*kept)
		return NULL;
	for (size_t i = 0; i < edits->n; i++)
		if (edits->p[i].rule != LINT_STATUS_FORM)
			edits->p[n++] = edits->p[i];
	edits->n = n;
	*out = lint_edited(l->a, f->text, edits);
	TRY(knowledge_edit_kept(l->a, f->item, f->text, *out, kept));
	edits->n = *kept ? n : 0;
	*kept = false;
	return NULL;
}

static struct err *lint_fix_odd(void)
{
	return err_help(err_new(E_BAD_MARKDOWN, "with all of its problems mended the file would "
						"read as another item; what ikm left is "
						"for a person"),
			"change these lines by hand");
}

static struct err *lint_fix_file(struct files *files, const struct lint *l, struct lint_file *f,
				 struct lint_fixes *fixed)
{
	const struct file_write w = {.op = "lint", .existing = true};
	const struct kn_item *item = f->item;
	const char *folder = item->in_tree ? git_top(l->o->git) : item->source->folder;
	struct lint_edits edits = {0};
	struct file_change *c;
	struct file_done done;
	struct file_ref ref;
	struct str text;
	bool kept = true;
	struct err *e;

	TRY(lint_fix_edits(l, f, &edits));
	if (!edits.n)
		return NULL;
	TRY(file_ref_resolve(files,
			     str_fmt(l->a, "%s/%.*s", folder,
				     STR_ARG(item->in_tree ? item->tree_path : item->path)),
			     &ref));
	TRY(file_begin(files, &ref, &w, &c));
	/* The file may have changed since it was read: the edits are of the text under the lock. */
	f->text = str_dup(l->a, c->old);
	edits = (struct lint_edits){0};
	e = lint_fix_edits(l, f, &edits);
	if (!e && edits.n)
		e = lint_fix_text(l, f, &edits, &text, &kept);
	if (!e && !edits.n && !kept)
		e = lint_fix_odd();
	if (e || !edits.n)
		return file_abort(c, e);
	TRY(file_commit(c, text, &done));
	for (int rule = 0; rule < LINT_RULE_COUNT; rule++) {
		size_t n = 0;

		for (size_t i = 0; i < edits.n; i++)
			n += edits.p[i].rule == rule;
		if (n)
			*VEC_PUSH(l->a, fixed) = (struct lint_fixed){f->item->shown_path, rule, n};
	}
	return kept ? NULL : lint_fix_odd();
}

void lint_fix_failed(struct lint *l, struct str path, const struct err *e, struct lint_fixes *fixed)
{
	*VEC_PUSH(l->a, &fixed->failed) = (struct lint_failed){
		.path = path,
		.reason = str_of(err_reason_name(err_reason(e))),
		.message = str_fmt(l->a, "%s", err_message(e)),
	};
}

struct err *lint_fix(struct files *files, const struct lint_options *o, struct lint_fixes *fixed)
{
	struct lint_report report = {0};
	struct lint l = {.a = files->a, .o = o, .out = &report};

	if (o->of != LINT_WORKTREE || (o->git && git_is_bare(o->git)))
		return err_help(err_new(E_BAD_ARGUMENT, "--fix changes files of the working tree: "
							"it does not go with --staged or a bare "
							"repository"),
				"leave out --staged, and stage what was mended: git add");
	TRY(lint_begin(&l));
	for (size_t i = 0; i < l.files.n; i++) {
		struct err *e = lint_fix_file(files, &l, &l.files.p[i], fixed);

		if (e && l.files.n == 1 && !o->garden.paths.n)
			return e;
		if (e)
			lint_fix_failed(&l, l.files.p[i].item->shown_path, e, fixed);
	}
	return lint_garden_fix(files, &l, fixed);
}
