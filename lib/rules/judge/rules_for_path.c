#include "judge/rules_for_path.h"
#include "judge/internal.h"
#include "knowledge/rule_compare.h"

/* ---- rules ---- */

struct binds_file {
	struct str path;
	bool item; /* of knowledge */
	struct re_work *re;
};

/* Whether the rule looks at files of that name; *what says which they are. */
static bool binds_target(const struct binds_file *file, const struct kn_constraint *c,
			 const char **what)
{
	const struct target *t = targets[c->target];
	bool named = c->applies_to.n > 0;
	struct str path = file->path;
	struct span at;

	*what = t->words.looks;
	/* A path rule says something of this path: it must have a form, or may not have one. */
	if (c->op == KN_OP_MUST_CHANGE_TOGETHER)
		return true;
	if (t->reads == READS_PATH)
		return c->glob ? glob_match(c->glob, path)
			       : c->op == KN_OP_MUST_MATCH ||
					 re_find(c->re, file->re, path, 0, &at) == RE_YES;
	if (!t->names)
		return named || !(file->item || skip_path_is_data(path));
	return t->names(path) || (t->reads == READS_BYTES && t->wants(path) &&
				  (named || !(t->unread_only & BLIND_NAMED)));
}

static bool binds_rule(struct arena *a, const struct binds_file *file,
		       const struct kn_constraint *c, struct str *why)
{
	const char *what = "";

	if (c->applies_to.n && !globs_match(&c->applies, file->path))
		return false;
	if (!binds_target(file, c, &what))
		return false;
	*why = str_of(what);
	/* The glob that includes it, and not one that only excludes others. */
	for (size_t i = 0; i < c->applies.n; i++)
		if (c->applies_to.p[i].n && c->applies_to.p[i].p[0] != '!' &&
		    glob_match(c->applies.p[i], file->path))
			*why = str_fmt(a, "it matches %.*s", STR_ARG(c->applies_to.p[i]));
	return true;
}

/* ---- rules that cannot find anything ---- */

bool check_rule_can_judge_path(const struct kn_constraint *c, struct str path)
{
	const struct target *t = targets[c->target];
	const struct lexer_form *l;

	if (c->applies_to.n && !globs_match(&c->applies, path))
		return false;
	if (c->target == KN_TARGET_IMPORT) {
		l = imports_language(path, STR(""));
		return l ? imports_is_read(l) : imports_may_be_script(path);
	}
	return t->reads == READS_PATH || (t->names ? t->names(path) : !skip_path_is_data(path));
}

/* The next alternative of a pattern without operators, as a path. False: there is none. */
static bool binds_alternative(struct arena *a, struct str *rest, struct str *path)
{
	struct buf b = buf_in(a);
	size_t i = 0;

	for (; i < rest->n && rest->p[i] != '|'; i++) {
		bool escaped = rest->p[i] == '\\' && i + 1 < rest->n;
		char c = rest->p[i += escaped];

		if (!escaped && strchr("^$", c))
			continue;
		if (escaped ? ascii_is_alnum(c) : strchr("[](){}*+?", c) != NULL)
			return false;
		buf_putc(&b, c);
	}
	*path = buf_as_str(&b);
	while (str_ends(*path, STR("/")))
		path->n--;
	*rest = str_sub(*rest, i + (i < rest->n), rest->n);
	return true;
}

/* Whether `path` is this file without its suffix, or a folder above it. */
static bool binds_leads(struct str path, struct str file)
{
	return str_starts(file, path) && file.n > path.n && strchr("/.", file.p[path.n]);
}

bool check_pattern_path_missing(struct arena *a, const struct kn_constraint *c,
				const struct strs *paths, struct str *named, struct str *other)
{
	struct str rest = c->pattern;

	if (c->target != KN_TARGET_IMPORT)
		return false;
	*other = STR("");
	while (rest.n && binds_alternative(a, &rest, named)) {
		size_t slash = str_rfind_char(*named, '/'), n;
		struct str top = str_sub(*named, 0, str_find_char(*named, '/', 0)), last;
		bool below = false, has = slash == SIZE_MAX || !top.n;

		last = str_sub(*named, slash, named->n);
		for (size_t i = 0; i < paths->n && !has; i++) {
			struct str p = paths->p[i];

			below |= binds_leads(top, p) && p.p[top.n] == '/';
			has = str_eq(p, *named) || binds_leads(*named, p);
			n = other->n ? SIZE_MAX : str_find(p, last, 0);
			if (n != SIZE_MAX && binds_leads(str_sub(p, 0, n + last.n), p))
				*other = str_sub(p, 0, n + last.n);
		}
		if (below && !has)
			return true;
		*other = STR("");
	}
	return false;
}

/* ---- mentions ---- */

static bool binds_is_path_char(char c)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80 || (c && strchr("_-./@+~*", c));
}

/* The name at a place of its own: no part of a longer path stands around it. */
static bool binds_stands(struct str text, struct str name)
{
	for (size_t at = 0; (at = str_find(text, name, at)) != SIZE_MAX; at++) {
		size_t end = at + name.n;

		if (at && binds_is_path_char(text.p[at - 1]) &&
		    !(at >= 2 && str_is(str_sub(text, at - 2, at), "./") &&
		      (at == 2 || !binds_is_path_char(text.p[at - 3]))))
			continue;
		/* The end of a sentence is no part of a path; a glob of stars is all of the folder.
		 */
		while (end < text.n && (text.p[end] == '.' || text.p[end] == '*'))
			end++;
		if (end == text.n || !binds_is_path_char(text.p[end]))
			return true;
	}
	return false;
}

bool check_text_mentions_path(struct str text, struct str path, struct str *what)
{
	*what = path;
	if (!path.n || binds_stands(text, path))
		return path.n > 0;
	/* The folders above, with a slash: "src/" is a folder, and "src" may be a word. */
	for (size_t i = path.n; i-- > 1;) {
		*what = str_sub(path, 0, i + 1);
		if (path.p[i] != '/')
			continue;
		if (binds_stands(text, *what))
			return true;
		what->n--;
		if (str_find_char(*what, '/', 0) < what->n && binds_stands(text, *what))
			return true;
	}
	return false;
}

/* The word as a path of the tree, or as a folder with a slash: by one look at the sorted paths. */
static bool binds_is_path(const struct strs *paths, struct str word)
{
	size_t low = 0;
	bool slash = str_find_char(word, '/', 0) != SIZE_MAX;

	while (str_ends(word, STR("/")))
		word.n--;
	BISECT(low, mid, paths->n, str_cmp(paths->p[mid], word) < 0);
	/* The file of a name with a suffix sorts before the files in a folder of that name. */
	for (; word.n && low < paths->n && str_starts(paths->p[low], word); low++) {
		char next = paths->p[low].n > word.n ? paths->p[low].p[word.n] : 0;

		if (!next || (next == '/' && slash))
			return true;
		if (next > '/')
			break;
	}
	return false;
}

static bool binds_mentions_any(struct str text, const struct strs *paths, struct str own,
			       struct str *what)
{
	for (size_t at = 0, end; at < text.n; at = end + 1) {
		for (end = at; end < text.n && binds_is_path_char(text.p[end]);)
			end++;
		*what = str_sub(text, at, end);
		while (str_starts(*what, STR("./")))
			*what = str_sub(*what, 2, what->n);
		while (str_ends(*what, STR(".")) || str_ends(*what, STR("*")))
			what->n--;
		if (what->n && !str_eq(*what, own) && binds_is_path(paths, *what))
			return true;
	}
	return false;
}

const char *const check_coverages[] = {CHECK_COVERAGES(ENUM_NAME) NULL};

struct binds_paths {
	struct arena *a;
	struct strs *out;
};

static struct err *binds_path_add(void *ctx, const struct tree_file *f)
{
	struct binds_paths *p = ctx;

	strs_push(p->a, p->out, str_dup(p->a, f->path));
	return NULL;
}

struct err *check_list_tree_paths(struct arena *a, struct tree *t, struct strs *out)
{
	struct binds_paths p = {a, out};

	*out = (struct strs){0};
	if (t)
		TRY(tree_foreach(t, STR(""), binds_path_add, &p));
	strs_sort(out);
	return NULL;
}

enum check_coverage check_how_item_covers_paths(const struct kn_item *item,
						const struct strs *paths, struct str *what)
{
	*what = STR("");
	for (size_t i = 0; i < item->constraints_n; i++)
		if (rule_severity(item, &item->constraints[i]) == KN_SEVERITY_BLOCK)
			return COVERAGE_ENFORCED;
	if (item->constraints_n)
		return COVERAGE_ADVISED;
	/* As in check_find_rules_for_paths(): only accepted decisions are told for what they
	 * mention. */
	if (item->status == KN_STATUS_ACCEPTED &&
	    binds_mentions_any(item->content, paths, item->in_tree ? item->tree_path : STR(""),
			       what))
		return COVERAGE_ADVISED;
	*what = STR("");
	return COVERAGE_PROSE;
}

/* ---- all of them ---- */

static bool binds_has(const struct check_bindings *b, const struct kn_item *item,
		      const struct kn_constraint *rule)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->p[i].item == item && b->p[i].rule == rule)
			return true;
	return false;
}

static bool binds_item_rules(struct arena *a, const struct kn_item *item,
			     const struct binds_file *file, struct check_bindings *out)
{
	struct str why;
	bool any = false;

	for (size_t i = 0; i < item->constraints_n; i++) {
		const struct kn_constraint *c = &item->constraints[i];

		if (!binds_rule(a, file, c, &why))
			continue;
		any = true;
		if (!binds_has(out, item, c))
			*VEC_PUSH(a, out) = (struct check_binding){item, c, rule_severity(item, c),
								   file->path, why};
	}
	return any;
}

void check_find_rules_for_paths(struct arena *a, const struct knowledge *k,
				const struct strs *paths, struct check_bindings *out)
{
	struct arena *own ARENA_LOCAL = arena_new();
	struct binds_file file = {.re = re_work_new(own)};

	for (size_t i = 0; i < paths->n; i++) {
		struct str path = paths->p[i], what;

		file.path = path;
		file.item = false;
		for (size_t j = 0; j < k->items.n && !file.item; j++)
			file.item = k->items.p[j].in_tree && str_eq(k->items.p[j].tree_path, path);
		for (size_t j = 0; j < k->items.n; j++) {
			const struct kn_item *item = &k->items.p[j];

			if (!knowledge_is_active(k, item) || binds_item_rules(a, item, &file, out))
				continue;
			if (item->status != KN_STATUS_ACCEPTED || binds_has(out, item, NULL) ||
			    (item->in_tree && str_eq(item->tree_path, path)) ||
			    !check_text_mentions_path(item->content, path, &what))
				continue;
			*VEC_PUSH(a, out) = (struct check_binding){
				item, NULL, KN_SEVERITY_INFO, path,
				str_fmt(a, "it mentions %.*s", STR_ARG(what))};
		}
	}
}

static int binds_cmp(const void *x, const void *y)
{
	const struct check_binding *a = x, *b = y;

	ORDER_BY(!a->rule, !b->rule);
	ORDER_BY(b->severity, a->severity);
	/* A rule for some files says more about this file; a budget may cut the end. */
	ORDER_BY(!(a->rule && a->rule->applies_to.n), !(b->rule && b->rule->applies_to.n));
	ORDER_BY(a->item->layer, b->item->layer);
	ORDER_BY_STR(a->item->id, b->item->id);
	ORDER_BY_STR(a->item->shown_path, b->item->shown_path);
	ORDER_BY(a->rule ? a->rule->index : 0, b->rule ? b->rule->index : 0);
	return 0;
}

void check_binds_sort(struct check_bindings *b)
{
	VEC_SORT(b, binds_cmp);
}

/* ---- the lines ---- */

#define BINDS_LINE    300 /* bytes of a text in a line */
#define BINDS_PATTERN 32  /* bytes of a pattern on text beside a message */

struct str check_binding_strip_markdown(struct arena *a, struct str s)
{
	return str_plain_line(a, str_utf8_head(str_trim(s), BINDS_LINE));
}

struct str check_binding_format_line(struct arena *a, const struct check_binding *b)
{
	const struct kn_constraint *c = b->rule;
	struct buf buf = buf_in(a);
	struct str pattern;
	bool cut;

	if (!c) {
		struct str title = check_binding_strip_markdown(a, b->item->title);
		struct str summary = check_binding_strip_markdown(a, b->item->summary);

		return str_fmt(a, "decision  %.*s  %.*s%s%.*s",
			       STR_ARG(check_binding_strip_markdown(a, b->item->id)),
			       STR_ARG(title), summary.n && !str_eq(summary, title) ? ": " : "",
			       STR_ARG(str_eq(summary, title) ? STR("") : summary));
	}
	pattern = check_binding_strip_markdown(a, c->pattern);
	/* A message says it in fewer tokens than the rest of a long pattern. */
	cut = c->target == KN_TARGET_CODE && c->message.n && pattern.n > BINDS_PATTERN;
	buf_fmt(&buf, "%s  %.*s #%u  %s %s %.*s%s", kn_severities[b->severity],
		STR_ARG(check_binding_strip_markdown(a, b->item->id)), c->index,
		kn_operators[c->op], kn_targets[c->target],
		STR_ARG(cut ? str_utf8_head(pattern, BINDS_PATTERN) : pattern), cut ? "..." : "");
	if (c->version.n)
		buf_fmt(&buf, " version %.*s",
			STR_ARG(check_binding_strip_markdown(a, c->version)));
	buf_fmt(&buf, ": %.*s",
		STR_ARG(check_binding_strip_markdown(a,
						     c->message.n ? c->message : b->item->title)));
	if (c->use_instead.n)
		buf_fmt(&buf, " (use %.*s)",
			STR_ARG(check_binding_strip_markdown(a, c->use_instead)));
	return buf_as_str(&buf);
}
