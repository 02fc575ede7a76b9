/*
 * The rules that only lint looks for in items: about their text, what they name, their constraints,
 * and what two items say of each other.
 */
#include "lint/internal.h"
#include "expand/resolve_refs.h"
#include "judge/examples.h"
#include "judge/rules_for_path.h"
#include "knowledge/load.h"
#include "os/os.h"

/* ---- edits ---- */

/* Problems of white space, in the order of enum md_blank. */
static const int lint_blank_rules[MD_BLANKS] = {LINT_TRAILING_BLANKS, LINT_LINE_ENDS,
						LINT_FINAL_NEWLINE};

/* The bytes of a blank, of emphasis or of an emoji at the begin of s, or 0. */
static size_t lint_status_mark(struct str s)
{
	uint32_t c = 0;
	size_t n = s.n ? str_utf8_char(s.p, s.n, &c) : 0;
	bool emoji = (c >= 0x2190 && c < 0x2c00) || c == 0x200d || (c >= 0xfe00 && c < 0xfe10) ||
		     (c >= 0x1f000 && c < 0x20000);

	return n && (emoji || (c && c < 0x80 && strchr(" \t*_`", (int)c))) ? n : 0;
}

/*
 * Whether the file has the value as plain or quoted text. A value with an anchor or a tag, or an
 * alias, means more than its text, so it stays.
 */
static bool lint_is_bare(const struct lint_file *f, const struct val *v)
{
	struct str raw = str_sub(f->text, v->at.from, v->at.to);

	return raw.n && !str_holds(raw, "\n") &&
	       (raw.p[0] == '"' || raw.p[0] == '\'' || str_eq(raw, v->s));
}

/*
 * The plain word for a status such as "**Accepted**". A status with any other text says more than
 * one word could, so it stays; what is struck through is no status.
 */
static void lint_edit_status(struct arena *a, const struct lint_file *f, struct lint_edits *out)
{
	const struct val *v = val_get(f->front, "status");
	size_t from = 0, to, end, n;
	int status;

	if (!v || v->type != VAL_STR || !lint_is_bare(f, v))
		return;
	while ((n = lint_status_mark(str_sub(v->s, from, v->s.n))))
		from += n;
	for (to = from; to < v->s.n && ascii_is_letter(v->s.p[to]);)
		to++;
	for (end = to; (n = lint_status_mark(str_sub(v->s, end, v->s.n)));)
		end += n;
	status = kn_word_index(kn_statuses, str_sub(v->s, from, to));
	if (status < 0 || end < v->s.n || to - from == str_trim(v->s).n)
		return;
	*VEC_PUSH(a, out) = (struct lint_edit){
		LINT_STATUS_FORM, {v->at.from, v->at.to}, str_of(kn_statuses[status])};
}

ORDER_OF(lint_edit_cmp, struct lint_edit, ORDER_UP(at.from) || ORDER_UP(rule))

void lint_edits_of(struct arena *a, const struct lint_file *f, struct lint_edits *out)
{
	struct md_blank_edits blanks = {0};

	/* UTF-16 and the like: an edit of bytes would break it. */
	if (!str_is_utf8(f->text) || str_has_nul(f->text))
		return;
	lint_edit_status(a, f, out);
	md_whitespace_fixes_find(a, f->text, f->body, &f->md, &blanks);
	for (size_t i = 0; i < blanks.n; i++)
		*VEC_PUSH(a, out) = (struct lint_edit){lint_blank_rules[blanks.p[i].kind],
						       blanks.p[i].at, blanks.p[i].new};
	VEC_SORT(out, lint_edit_cmp);
}

/* ---- the text: title, headings, blanks, line ends, the form of the status ---- */

static void lint_headings(struct lint *l, const struct lint_file *f)
{
	struct places w = {.text = f->text};
	unsigned last = 0, titles = 0;

	VEC_EACH(const struct md_block, b, &f->md) {
		if (b->type != MD_HEADING || b->depth)
			continue;
		titles += b->level == 1;
		if (last && b->level > last + 1)
			lint_say(l, f, LINT_HEADING_LEVELS,
				 str_place_of_next_offset(&w, b->at.from),
				 "a heading of level %u follows one of level %u", b->level, last);
		else if (b->level == 1 && titles == 2)
			lint_say(l, f, LINT_HEADING_LEVELS,
				 str_place_of_next_offset(&w, b->at.from),
				 "this is a second heading of level 1; sections have level 2");
		last = b->level;
	}
	if (!titles && !val_get_str(f->front, "title").n)
		lint_say(l, f, LINT_TITLE, (struct place){0},
			 "it has no title: write a heading '# …', or 'title:' in the front matter");
}

static void lint_check_text(struct lint *l, const struct lint_file *f)
{
	struct lint_edits edits = {0};

	lint_headings(l, f);
	/* One problem for each rule and file: a file with DOS line ends would have hundreds. */
	lint_edits_of(l->a, f, &edits);
	for (int rule = 0; rule < LINT_RULE_COUNT; rule++) {
		const struct lint_edit *first = NULL;
		struct place at;
		size_t n = 0;

		for (size_t i = 0; i < edits.n; i++) {
			if (edits.p[i].rule != rule)
				continue;
			first = first ? first : &edits.p[i];
			n++;
		}
		if (!n)
			continue;
		at = str_place_of_offset(f->text, first->at.from);
		if (rule == LINT_TRAILING_BLANKS)
			lint_say(l, f, rule, at, "%zu line%s in blanks", n,
				 n == 1 ? " ends" : "s end");
		else if (rule == LINT_LINE_ENDS)
			lint_say(l, f, rule, at, "%zu line%s in %s, the others in %s", n,
				 n == 1 ? " ends" : "s end", first->new.n ? "LF" : "CR LF",
				 first->new.n ? "CR LF" : "LF");
		else if (rule == LINT_FINAL_NEWLINE)
			lint_say(l, f, rule, at, "the last line has no line end");
		else if (rule == LINT_STATUS_FORM)
			lint_say(l, f, rule, at,
				 "the status is written '%.*s'; the plain word is '%.*s'",
				 STR_ARG(str_utf8_head(val_get_str(f->front, "status"), 80)),
				 STR_ARG(first->new));
	}
}

/* ---- the tree ---- */

/* Lists the paths once; there are none without a repository. */
static struct err *lint_list_paths(struct lint *l)
{
	if (!l->has_paths)
		TRY(check_list_tree_paths(l->a, l->tree, &l->paths));
	l->has_paths = true;
	return NULL;
}

/* Whether the path is a file or a folder of the tree. */
static bool lint_tree_has_path(const struct strs *paths, struct str path)
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

/* ---- links and related items ---- */

/* Whether the link's target is there: "/x" is relative to the top, as code hosts have it. */
static struct err *lint_link_leads(struct lint *l, const struct kn_item *item, struct str dest,
				   bool *leads)
{
	struct str own = str_dir(item->in_tree ? item->tree_path : item->path), path;
	struct os_stat st;
	bool outside;

	*leads = !str_has_nul(dest);
	if (!*leads)
		return NULL;
	path = str_starts(dest, STR("/")) ? STR("") : own;
	path = knowledge_inner_path(
		l->a, str_fmt(l->a, "./%.*s/%.*s", STR_ARG(path), STR_ARG(dest)), &outside);
	/* ikm does not look outside the tree and the source. */
	if (outside || !path.n)
		return NULL;
	if (item->in_tree) {
		TRY(lint_list_paths(l));
		*leads = lint_tree_has_path(&l->paths, path);
		return NULL;
	}
	TRY(os_stat(str_fmt(l->a, "%s/%.*s", item->source->folder, STR_ARG(path)).p, true, &st));
	*leads = st.kind != OS_NONE;
	return NULL;
}

static struct err *lint_related(struct lint *l, const struct lint_file *f)
{
	const struct val *list = val_get(val_get(f->front, "metadata"), "relatedItems");
	bool alone = list && list->type != VAL_LIST;

	for (const struct val *v = !list   ? NULL
				   : alone ? list
					   : list->first;
	     v; v = alone ? NULL : v->next) {
		struct str name = v->type == VAL_MAP ? val_get_str(v, "id") : v->s;
		const struct kn_item *item;
		struct err *e;

		if ((v->type != VAL_STR && v->type != VAL_NUM && v->type != VAL_MAP) || !name.n)
			continue;
		e = knowledge_resolve_item_name(l->a, l->k, name, -1, &item);
		if (e && err_reason(e) == E_NO_SUCH_ITEM)
			lint_say(l, f, LINT_RELATED, str_place_of_offset(f->text, v->at.from),
				 "relatedItems names '%.*s', which no source has",
				 STR_ARG(str_utf8_head(name, 80)));
	}
	return NULL;
}

static struct err *lint_links(struct lint *l, const struct lint_file *f)
{
	struct places w = {.text = f->text};
	struct refs_links links = {0};
	struct str body = str_sub(f->text, f->body, f->text.n);

	if (lint_wants(l, LINT_RELATED))
		TRY(lint_related(l, f));
	if (!lint_wants(l, LINT_LINK) || !f->md.n)
		return NULL;
	refs_find_in_text(l->a, body, true, &links);
	VEC_EACH(const struct refs_link, link, &links) {
		bool leads;

		/*
		 * A link without an extension and without a slash at its end may be an address on a
		 * site that is made of these files, as log4brains writes them. So is a path from
		 * the top of such a site.
		 */
		if ((link->kind != REFS_LINK && link->kind != REFS_IMAGE) || !link->dest.n ||
		    str_starts(link->dest, STR("/")) ||
		    str_find_char(str_base(link->dest), '.', 1) == SIZE_MAX)
			continue;
		TRY(lint_link_leads(l, f->item, link->dest, &leads));
		if (!leads)
			lint_say(l, f, LINT_LINK,
				 str_place_of_next_offset(&w, f->body + link->at.from),
				 "the link leads to '%.*s', which is not there",
				 STR_ARG(str_utf8_head(link->dest, 200)));
	}
	return NULL;
}

/* ---- a glob, or a regular expression ---- */

/* Whether the character stands for itself in the names of packages and files. */
static bool lint_is_name_char(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '_' || c == '/' || c == '@' || c == ':';
}

/*
 * A star behind a plain character repeats that character, which no name of a package or file needs:
 * "@evil" with a slash and a star means any number of slashes. Returns the offset of the star, or
 * SIZE_MAX.
 */
static size_t lint_glob_star(struct str re)
{
	bool class = false;

	for (size_t i = 0; i < re.n; i++) {
		if (re.p[i] == '\\')
			i++;
		else if (re.p[i] == '[')
			class = true;
		else if (re.p[i] == ']')
			class = false;
		else if (!class && re.p[i] == '*' && i && lint_is_name_char(re.p[i - 1]) &&
			 !(i > 1 && re.p[i - 2] == '\\'))
			return i;
	}
	return SIZE_MAX;
}

/* The glob as a regular expression: each such star with a dot before it. */
static struct str lint_star_to_regex(struct arena *a, struct str glob)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < glob.n; i++) {
		if (glob.p[i] == '*' && i && lint_is_name_char(glob.p[i - 1]))
			buf_putc(&b, '.');
		buf_putc(&b, glob.p[i]);
	}
	return buf_as_str(&b);
}

/*
 * *part: the sign that a glob is a regular expression. ".*" is also a glob for hidden files: there
 * it begins a part of the path.
 */
static bool lint_is_regex(struct str glob, const char **part)
{
	static const char *const parts[] = {".*", ".+", "\\.", "(", "|", NULL};

	*part = NULL;
	for (size_t i = 0; parts[i] && !*part; i++)
		if (str_holds(glob, parts[i]))
			*part = parts[i];
	if (!*part)
		*part = str_starts(glob, STR("^")) ? "^" : str_ends(glob, STR("$")) ? "$" : NULL;
	if (!*part || strcmp(*part, ".*"))
		return *part != NULL;
	for (size_t at = 0; (at = str_find(glob, STR(".*"), at)) != SIZE_MAX; at++)
		if ((at == 0 && at + 2 < glob.n) || (at && glob.p[at - 1] == '/'))
			return true;
	*part = NULL;
	return false;
}

/* Whether \b, \w or their like stands beside a character beyond ASCII, which they do not know. */
static bool lint_is_ascii(struct str re)
{
	bool class = false;

	for (size_t i = 0, to; i < re.n; i++) {
		class = re.p[i] == '[' || (class && re.p[i] != ']');
		if (re.p[i] != '\\' || ++i == re.n || class || !memchr("bBwW", re.p[i], 4))
			continue;
		for (to = i + 1; to < re.n && memchr("(?:+*", re.p[to], 5);)
			to++;
		for (i--; i && re.p[i - 1] == ')';)
			i--;
		if ((i && (re.p[i - 1] & 0x80)) || (to < re.n && (re.p[to] & 0x80)))
			return !str_holds(re, "(*UCP)");
		i = to - 1;
	}
	return false;
}

static void lint_language(struct lint *l, const struct lint_file *f, const struct kn_constraint *c)
{
	bool whole = c->target == KN_TARGET_DEPENDENCY || c->target == KN_TARGET_IMPORT;
	const char *part;

	if (c->glob && lint_is_regex(c->pattern, &part))
		lint_say(
			l, f, LINT_PATTERN_LANGUAGE, c->place,
			"constraint %u: pattern '%.*s' has '%s', but with target file and %s it is "
			"a glob: write it as a glob, or use must_not_match",
			c->index, STR_ARG(c->pattern), part, kn_operators[c->op]);
	if (c->re && lint_is_ascii(c->pattern))
		lint_say(l, f, LINT_PATTERN_ASCII, c->place,
			 "constraint %u: in pattern '%.*s' \\b and \\w know the letters of ASCII "
			 "only: write '(*UCP)%.*s'",
			 c->index, STR_ARG(c->pattern), STR_ARG(c->pattern));
	if ((whole || (c->target == KN_TARGET_FILE && c->re)) &&
	    lint_glob_star(c->pattern) != SIZE_MAX)
		lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
			 "constraint %u: pattern '%.*s' looks like a glob, and it is a regular "
			 "expression, where * repeats the character before it: write '%.*s'",
			 c->index, STR_ARG(c->pattern),
			 STR_ARG(lint_star_to_regex(l->a, c->pattern)));
	for (size_t i = 0; i < c->applies_to.n; i++)
		if (lint_is_regex(c->applies_to.p[i], &part))
			lint_say(l, f, LINT_PATTERN_LANGUAGE, c->place,
				 "constraint %u: appliesTo '%.*s' has '%s', but it is a glob",
				 c->index, STR_ARG(c->applies_to.p[i]), part);
}

/* ---- globs that match nothing ---- */

/* Whether the globs match a path that the rule can judge. */
static bool lint_globs_match(const struct lint *l, const struct kn_constraint *c,
			     const struct globs *globs)
{
	struct kn_constraint one = *c;

	one.applies = *globs;
	for (size_t i = 0; i < l->paths.n; i++)
		if (check_rule_can_judge_path(&one, l->paths.p[i]))
			return true;
	return false;
}

static struct err *lint_idle_globs(struct lint *l, const struct lint_file *f,
				   const struct kn_constraint *c)
{
	static const char *const files[] = {
		[KN_TARGET_CODE] = "file",
		[KN_TARGET_FILE] = "file",
		[KN_TARGET_DEPENDENCY] = "manifest that ikm reads",
		[KN_TARGET_CONFIG] = "file of settings",
		[KN_TARGET_IMPORT] = "file whose imports ikm reads",
	};
	bool told = false;
	struct str named, other;

	/* The rules of another repository's items are not meant for this tree alone. */
	if (!l->tree || !f->item->in_tree ||
	    !(lint_wants(l, LINT_APPLIES_TO_IDLE) || lint_wants(l, LINT_PATTERN_IDLE)))
		return NULL;
	TRY(lint_list_paths(l));
	/* A folder that is gone may be one that must not come back. */
	if (check_pattern_path_missing(l->a, c, &l->paths, &named, &other) && other.n)
		lint_say(l, f, LINT_PATTERN_IDLE, c->place,
			 "constraint %u: the repository has no '%.*s'; did you mean '%.*s'?",
			 c->index, STR_ARG(named), STR_ARG(other));
	for (size_t i = 0; i < c->applies_to.n; i++) {
		struct str text = c->applies_to.p[i];
		struct strs one = {.p = &text, .n = 1, .cap = 1};
		struct globs glob = {0};

		/* An exception may be there for files to come. */
		if (str_starts(text, STR("!")))
			continue;
		TRY(globs_new(l->a, &one, &glob));
		if (lint_globs_match(l, c, &glob))
			continue;
		told = true;
		lint_say(l, f, LINT_APPLIES_TO_IDLE, c->place,
			 "constraint %u: appliesTo '%.*s' matches no %s in the repository",
			 c->index, STR_ARG(text), files[c->target]);
	}
	if (c->applies_to.n && !told && !lint_globs_match(l, c, &c->applies))
		lint_say(l, f, LINT_APPLIES_TO_IDLE, c->place,
			 "constraint %u: appliesTo as a whole matches no %s in the repository",
			 c->index, files[c->target]);
	return NULL;
}

/* ---- examples ---- */

static struct err *lint_examples(struct lint *l, const struct lint_file *f,
				 const struct kn_constraint *c)
{
	struct check_examples tried = {0};

	if (!l->on[KN_RULE_EXAMPLE])
		return NULL;
	TRY(check_examples(l->a, f->item, c, &tried));
	for (size_t i = 0; i < tried.n; i++)
		if (tried.p[i].failed.n)
			lint_say(l, f, KN_RULE_EXAMPLE, tried.p[i].at, "%.*s",
				 STR_ARG(tried.p[i].failed));
	return NULL;
}

/* ---- two items: statuses that disagree with what supersedes what ---- */

static const struct kn_item *lint_item_of(const struct lint *l, const struct kn_item *from,
					  struct str id)
{
	const struct kn_item *found = NULL;

	for (size_t i = 0; i < l->k->items.n; i++)
		if (str_eq(l->k->items.p[i].id, id) &&
		    (!found || l->k->items.p[i].source == from->source))
			found = &l->k->items.p[i];
	return found;
}

static void lint_supersedes(struct lint *l, const struct lint_file *f)
{
	const struct kn_item *item = f->item;

	/* The status says something else than what another item says of this one. */
	if (item->retired_by && item->status_text.n)
		lint_say(l, f, LINT_SUPERSEDE_STATUS, item->status_at,
			 "'%.*s' supersedes it, and its status is '%.*s': write "
			 "'superseded by %.*s'",
			 STR_ARG(item->retired_by->id),
			 STR_ARG(str_utf8_head(item->status_text, 80)),
			 STR_ARG(item->retired_by->id));
	/* "superseded by X", and X does not say that it supersedes this item. */
	for (size_t i = 0; i < item->superseded_by.n; i++) {
		const struct kn_item *by = lint_item_of(l, item, item->superseded_by.p[i]);

		if (!by || !item->superseded_by_written)
			continue;
		if (!by->supersedes_written || !strs_has(&by->supersedes, item->id))
			lint_say(l, f, LINT_SUPERSEDE_ONE_SIDED,
				 item->superseded_by_at.line ? item->superseded_by_at
							     : item->status_at,
				 "it says that '%.*s' supersedes it, and that item does not say so",
				 STR_ARG(by->id));
	}
	/* X says that it supersedes this item, whose status is "superseded" alone. */
	if (item->superseded_by_written || item->retired_by || item->status != KN_STATUS_SUPERSEDED)
		return;
	for (size_t i = 0; i < item->superseded_by.n; i++)
		lint_say(l, f, LINT_SUPERSEDE_ONE_SIDED, item->status_at,
			 "'%.*s' supersedes it, and its status does not name that item",
			 STR_ARG(item->superseded_by.p[i]));
}

struct err *lint_item(struct lint *l, const struct lint_file *f)
{
	struct str needs;

	lint_check_text(l, f);
	lint_supersedes(l, f);
	TRY(lint_links(l, f));
	needs = knowledge_required_features(l->a, f->item);
	if (needs.n)
		strs_push(l->a, &l->out->needs, needs);
	for (size_t i = 0; i < f->item->constraints_n; i++) {
		const struct kn_constraint *c = &f->item->constraints[i];

		lint_language(l, f, c);
		TRY(lint_examples(l, f, c));
		TRY(lint_idle_globs(l, f, c));
	}
	return NULL;
}
