#include "lint/internal.h"
#include "garden/garden.h"
#include "knowledge/item_edit.h"
#include "knowledge/load.h"
#include "os/os.h"
#include "out/out.h"
#include "yaml/yaml.h"

#define LINT_FILE_MAX ((size_t)16 << 20)

const char *const lint_severities[] = {LINT_SEVERITIES(ENUM_NAME) NULL};
const struct lint_rule_row lint_rules[LINT_RULE_COUNT] = {
#define X(c, id, severity, fixable, summary, ...) {id, summary, LINT_##severity, fixable},
	LINT_RULES(X)
#undef X
};
const char *const lint_rule_ids[] = {LINT_RULES(ENUM_NAME) NULL};

/* ---- columns ---- */

/* A place in a text for lint_utf16_column(); start: {.text = text}. */
struct lint_cursor {
	struct str text;
	size_t line, at; /* the offset at which the line begins */
};
/*
 * The column of the place in units of UTF-16, as SARIF counts; 0: the text has no such place. Takes
 * O(text) for all places in ascending order of lines.
 */
static size_t lint_utf16_column(struct lint_cursor *c, struct place at)
{
	size_t end, units = 1;
	uint32_t code;

	if (!at.line || !at.column)
		return 0;
	if (!c->line || at.line < c->line)
		*c = (struct lint_cursor){.text = c->text, .line = 1};
	for (; c->line < at.line; c->line++) {
		size_t next = str_find_char(c->text, '\n', c->at);

		if (next == SIZE_MAX)
			return 0;
		c->at = next + 1;
	}
	end = c->at + at.column - 1;
	if (end > c->text.n)
		return 0;
	for (size_t i = c->at, n; i < end; i += n) {
		n = str_utf8_char(c->text.p + i, c->text.n - i, &code);
		units += n == 4 ? 2 : 1;
		n = size_max(n, 1);
	}
	return units;
}

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

/* LINT_RULE_COUNT: none has this id. */
static int lint_rule_index(struct str id)
{
	int rule = 0;

	while (rule < LINT_RULE_COUNT && !str_is(id, lint_rules[rule].id))
		rule++;
	return rule;
}

static struct err *lint_rule_find(struct str id, struct str where, int *rule)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct strs known = strs_of(a, lint_rule_ids);

	*rule = lint_rule_index(id);
	if (*rule < LINT_RULE_COUNT)
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

/* ---- one file ---- */

#define LINT_COMMENT "<!-- ikm-lint-disable"

/* Reads the comments "<!-- ikm-lint-disable RULE RULE -->". */
static void lint_file_disable(struct arena *a, struct lint_file *f, struct strs *unknown)
{
	const struct md *md = &f->md;
	size_t block = 0, seen = 0;
	bool span = false; /* a code span of the line */

	for (size_t at = 0; (at = str_find(f->text, STR(LINT_COMMENT), at)) != SIZE_MAX; at++) {
		size_t from = at + sizeof(LINT_COMMENT) - 1;
		size_t end = str_find(f->text, STR("-->"), from);
		struct str rest = str_sub(f->text, from, end), word;

		if (end == SIZE_MAX)
			return;
		for (; seen < at; seen++)
			span = f->text.p[seen] != '\n' && (span ^ (f->text.p[seen] == '`'));
		while (block < md->n && (md->p[block].type != MD_CODE || md->p[block].at.to <= at))
			block++;
		if (span || (block < md->n && md->p[block].at.from <= at))
			continue;
		while (rest.n) {
			size_t n = 0;
			int rule;

			while (n < rest.n && !ascii_is_any_space(rest.p[n]) && rest.p[n] != ',')
				n++;
			word = str_sub(rest, 0, n);
			rest = str_sub(rest, n + (n < rest.n), rest.n);
			if (!word.n)
				continue;
			rule = lint_rule_index(word);
			if (rule < LINT_RULE_COUNT)
				f->off[rule] = true;
			else
				strs_push(a, unknown, word);
		}
	}
}

/*
 * Reads front matter and Markdown of f->text, and what comments switch off. Tells of their words
 * that are no rules. shown: the file's path.
 */
static void lint_file_parse(struct lint *l, struct arena *a, struct lint_file *f, struct str shown)
{
	struct places w = {.text = f->text};
	size_t told = 0;
	struct strs unknown = {0}, known;
	struct str yaml, body;
	bool unclosed = false;
	struct val *front;

	f->body = 0;
	f->front = NULL;
	f->md = (struct md){0};
	memset(f->off, 0, sizeof(f->off));
	if (md_frontmatter(f->text, &yaml, &body, &unclosed) && !unclosed) {
		f->body = (size_t)(body.p - f->text.p);
		/* The reader of items has reported front matter that does not parse. */
		if (!yaml_read(a, yaml, f->text, (size_t)(yaml.p - f->text.p), &front) &&
		    front->type == VAL_MAP)
			f->front = front;
	}
	/* So has it Markdown that is too deep; then only the front matter is looked at. */
	if (md_read(a, str_sub(f->text, f->body, f->text.n), f->body, &f->md))
		f->md = (struct md){0};
	lint_file_disable(a, f, &unknown);
	known = unknown.n ? strs_of(l->a, lint_rule_ids) : unknown;
	for (size_t i = 0; i < unknown.n; i++) {
		struct str word = unknown.p[i];
		size_t at = (size_t)(word.p - f->text.p);

		/* A comment within a comment has the same words once more. */
		if (at < told)
			continue;
		told = at + word.n;
		lint_say_of_path(l, f->item ? f : NULL, LINT_DISABLE, shown,
				 str_place_of_next_offset(&w, at), "'%.*s' is no rule%.*s",
				 STR_ARG(word),
				 STR_ARG(str_did_you_mean(l->a, str_nearest(word, &known))));
	}
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

/* ---- files of the garden ---- */

static struct str lint_garden_shown(const struct lint *l, struct str path)
{
	return str_fmt(l->a, "%.*s%.*s", STR_ARG(l->o->garden.shown), STR_ARG(path));
}

struct lint_garden_list {
	struct lint *l;
	struct VEC(struct tree_file) files;
};

static struct err *lint_garden_add(void *ctx, const struct tree_file *f)
{
	struct lint_garden_list *list = ctx;

	*VEC_PUSH(list->l->a, &list->files) = *f;
	return NULL;
}

ORDER_OF(lint_garden_cmp, struct tree_file, ORDER_STR(path))

/* The wanted files, sorted, each once. Says which of the given paths have none. */
static struct err *lint_garden_files(struct lint *l, struct lint_garden_list *list)
{
	const struct lint_garden *g = &l->o->garden;
	size_t kept = 0;

	list->l = l;
	for (size_t i = 0; i < g->paths.n; i++) {
		size_t before = list->files.n;
		struct tree_file f;
		bool found;

		TRY(tree_find(g->tree, g->paths.p[i], &f, &found));
		if (found)
			TRY(lint_garden_add(list, &f));
		else
			TRY(tree_foreach(g->tree, g->paths.p[i], lint_garden_add, list));
		if (list->files.n == before)
			strs_push(l->a, &l->out->notes,
				  str_fmt(l->a, "'%.*s' has no file of the garden",
					  STR_ARG(lint_garden_shown(l, g->paths.p[i]))));
	}
	VEC_SORT(&list->files, lint_garden_cmp);
	for (size_t i = 0; i < list->files.n; i++)
		if (!kept || !str_eq(list->files.p[kept - 1].path, list->files.p[i].path))
			list->files.p[kept++] = list->files.p[i];
	list->files.n = kept;
	return NULL;
}

/* Sets f->off, and tells of words that are no rules. Parses the text only if it has a comment. */
static void lint_garden_off(struct lint *l, struct arena *a, struct str path, struct lint_file *f)
{
	memset(f->off, 0, sizeof(f->off));
	if (str_find(f->text, STR(LINT_COMMENT), 0) != SIZE_MAX)
		lint_file_parse(l, a, f, lint_garden_shown(l, path));
}

static void lint_garden_push(struct lint *l, struct str shown, struct lint_cursor *cursor,
			     const struct garden_diagnostic *d)
{
	enum lint_severity severity = (enum lint_severity)d->severity;

	if (!l->on[LINT_GARDEN + d->rule] || severity < l->o->least)
		return;
	*VEC_PUSH(l->a, &l->out->problems) = (struct lint_problem){
		.rule = LINT_GARDEN + (int)d->rule,
		.severity = severity,
		.path = shown,
		.line = d->line,
		.column = d->column,
		.units = lint_utf16_column(cursor, (struct place){d->line, d->column}),
		.message = str_fmt(l->a, "%.*s; %.*s", STR_ARG(d->message), STR_ARG(d->fix)),
		.fixable = d->fixable,
	};
}

static struct err *lint_garden_file(struct lint *l, const struct tree_file *f)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct garden_diagnostic whole = {.rule = GARDEN_RULE_PATH, .severity = GARDEN_ERROR};
	struct garden_diagnostics found;
	struct lint_cursor cursor = {.text = STR("")};
	struct lint_file file = {.text = STR("")};
	struct str shown;
	struct err *e;

	if (f->kind == TREE_LINK) {
		whole.message = STR("it is a link, and no file");
		whole.fix = STR("put a copy of the file in its place");
	} else if (f->kind == TREE_SUBMODULE) {
		whole.message = STR("it is a repository, and no file");
		whole.fix = STR("move it out of the folder users");
	} else if ((e = tree_read(l->o->garden.tree, a, f, LINT_FILE_MAX, &file.text))) {
		if (err_reason(e) != E_TOO_BIG)
			return e;
		whole.rule = GARDEN_RULE_TEXT;
		whole.message = str_of(err_message(e));
		whole.fix = STR("split the file, or move text to the notes");
	}
	if (whole.message.n) {
		lint_garden_push(l, lint_garden_shown(l, f->path), &cursor, &whole);
		return NULL;
	}
	garden_lint_text(a, f->path, file.text, &found);
	garden_mark_fixable(a, f->path, file.text, &found);
	lint_garden_off(l, a, f->path, &file);
	cursor.text = file.text;
	shown = found.n ? lint_garden_shown(l, f->path) : STR("");
	for (size_t i = 0; i < found.n; i++)
		if (!file.off[LINT_GARDEN + found.p[i].rule])
			lint_garden_push(l, shown, &cursor, &found.p[i]);
	return NULL;
}

static struct err *lint_garden(struct lint *l)
{
	struct lint_garden_list list = {0};

	if (!l->o->garden.paths.n)
		return NULL;
	TRY(lint_garden_files(l, &list));
	for (size_t i = 0; i < list.files.n; i++)
		TRY(lint_garden_file(l, &list.files.p[i]));
	l->out->garden = (unsigned)list.files.n;
	l->out->files += l->out->garden;
	return NULL;
}

/* ---- all of them ---- */

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
			struct lint_file *f = &l.files.p[i];

			progress_at(&progress, i);
			lint_file_parse(&l, a, f, f->item->shown_path);
			TRY(lint_item(&l, f));
		}
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

/*
 * The edits of the rules that are on, in f->text. garden: the file's path in the garden; empty: it
 * is an item.
 */
static void lint_fix_edits(struct lint *l, struct lint_file *f, struct str garden,
			   struct lint_edits *edits)
{
	struct garden_edits found = {0};
	size_t kept = 0;

	*edits = (struct lint_edits){0};
	if (garden.n) {
		lint_garden_off(l, l->a, garden, f);
		garden_fix(l->a, garden, f->text, &found);
		VEC_EACH(const struct garden_edit, e, &found)
			*VEC_PUSH(l->a, edits) =
				(struct lint_edit){LINT_GARDEN + (int)e->rule, e->at, e->new};
	} else {
		lint_file_parse(l, l->a, f, f->item->shown_path);
		lint_edits_of(l->a, f, edits);
	}
	for (size_t i = 0; i < edits->n; i++)
		if (l->on[edits->p[i].rule] && !f->off[edits->p[i].rule])
			edits->p[kept++] = edits->p[i];
	edits->n = kept;
}

/*
 * The text with the edits. Edits after which an item would read as another one are left out: first
 * those of the status, which is data, then all.
 */
static struct err *lint_fix_text(const struct lint *l, const struct lint_file *f,
				 struct lint_edits *edits, struct str *out, bool *kept)
{
	size_t n = 0;

	*kept = true;
	*out = lint_edited(l->a, f->text, edits);
	if (f->item)
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

/* path: on the disk. garden: its path in the garden; empty: it is an item. */
static struct err *lint_fix_file(struct files *files, struct lint *l, struct lint_file *f,
				 struct str path, struct str shown, struct str garden,
				 struct lint_fixes *fixed)
{
	const struct file_write w = {.op = "lint", .existing = true};
	struct lint_edits edits;
	struct file_change *c;
	struct file_done done;
	struct file_ref ref;
	struct str text;
	bool kept = true;
	struct err *e;

	lint_fix_edits(l, f, garden, &edits);
	if (!edits.n)
		return NULL;
	TRY(file_ref_resolve(files, path, &ref));
	TRY(file_begin(files, &ref, &w, &c));
	/* The file may have changed since it was read: the edits are of the text under the lock. */
	f->text = str_dup(l->a, c->old);
	lint_fix_edits(l, f, garden, &edits);
	e = edits.n ? lint_fix_text(l, f, &edits, &text, &kept) : NULL;
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
			*VEC_PUSH(l->a, fixed) = (struct lint_fixed){shown, rule, n};
	}
	return kept ? NULL : lint_fix_odd();
}

/* Adds a file that could not be mended. */
static void lint_fix_failed(struct lint *l, struct str path, const struct err *e,
			    struct lint_fixes *fixed)
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
	struct lint_garden_list list = {0};

	if (o->of != LINT_WORKTREE || (o->git && git_is_bare(o->git)))
		return err_help(err_new(E_BAD_ARGUMENT, "--fix changes files of the working tree: "
							"it does not go with --staged or a bare "
							"repository"),
				"leave out --staged, and stage what was mended: git add");
	TRY(lint_begin(&l));
	for (size_t i = 0; i < l.files.n; i++) {
		const struct kn_item *item = l.files.p[i].item;
		struct str path = str_fmt(l.a, "%s/%.*s",
					  item->in_tree ? git_top(o->git) : item->source->folder,
					  STR_ARG(item->in_tree ? item->tree_path : item->path));
		struct err *e = lint_fix_file(files, &l, &l.files.p[i], path, item->shown_path,
					      STR(""), fixed);

		if (e && l.files.n == 1 && !o->garden.paths.n)
			return e;
		if (e)
			lint_fix_failed(&l, item->shown_path, e, fixed);
	}
	if (!o->garden.paths.n)
		return NULL;
	TRY(lint_garden_files(&l, &list));
	for (size_t i = 0; i < list.files.n; i++) {
		const struct tree_file *at = &list.files.p[i];
		struct str path = str_fmt(l.a, "%s/%.*s", o->garden.top, STR_ARG(at->path));
		struct str shown = lint_garden_shown(&l, at->path);
		struct lint_file f = {0};
		struct err *e;

		if (at->kind != TREE_FILE && at->kind != TREE_EXEC)
			continue;
		e = tree_read(o->garden.tree, l.a, at, LINT_FILE_MAX, &f.text);
		if (!e)
			e = lint_fix_file(files, &l, &f, path, shown, at->path, fixed);
		if (e && list.files.n == 1 && o->garden_only)
			return e;
		if (e)
			lint_fix_failed(&l, shown, e, fixed);
	}
	return NULL;
}
