#include "know_binds.h"
#include "recall/search.h"
#include "token/token.h"

#define BINDS_FILES    2000 /* of a folder */
#define BINDS_MEMORIES 50   /* candidates of a file */

static const struct field binds_rule_fields[] = {
	FIELD_OF(struct binds_rule, item, "the item that has the rule"),
	FIELD_AS(struct binds_rule, rule.index, "constraint", "its number in the item, from 1"),
	FIELD_NAMED(struct binds_rule, rule.severity, "severity", kn_severities,
		    "after the status is applied: info for a proposed item"),
	KN_CONSTRAINT_FIELDS(struct binds_rule, rule.),
	FIELD_AS(struct binds_rule, rule.message, "message", "the reason, for people",
		 .flags = IF_ANY),
	FIELD_AS(struct binds_rule, rule.use_instead, "useInstead", "what to use instead",
		 .flags = IF_ANY),
	FIELD_NAMED(struct binds_rule, layer, "layer", kn_layers, "the item's layer"),
	FIELD_OF(struct binds_rule, path, "the item's file"),
	FIELD_OF(struct binds_rule, file, "the first of the given files that it binds"),
	FIELD_OF(struct binds_rule, why, "why it binds that file"),
	{0},
};

#define DECISION(member, help) FIELD_OF(struct binds_decision, member, help)
static const struct field binds_decision_fields[] = {
	DECISION(id, "the item's id"),
	DECISION(title, "its title"),
	DECISION(summary, "the decision in short"),
	DECISION(path, "its file"),
	DECISION(file, "the first of the given files that it mentions"),
	DECISION(why, "the name by which it mentions the file"),
	{0},
};

static const struct field binds_memory_fields[] = {
	MEMORY_ROW_ID(struct binds_memory, memory.),
	MEMORY_ROW_KIND(struct binds_memory, memory.),
	MEMORY_ROW_CONTENT(struct binds_memory, memory.),
	FIELD_OF(struct binds_memory, file, "the first of the given files that it is about"),
	FIELD_OF(struct binds_memory, why, "its tag, or the name by which it mentions the file"),
	{0},
};

static const struct field binds_cut_fields[] = {
	FIELD_OF(struct binds_cut, rules, "rules"),
	FIELD_OF(struct binds_cut, decisions, "decisions"),
	FIELD_OF(struct binds_cut, memories, "memories"),
	{0},
};

#define R struct binds_result
const struct field binds_result_fields[] = {
	FIELD_AS(R, nothing, "nothingRead", "why no decision was read", .flags = IF_ANY),
	FIELD_OF(R, success, "the files were looked up"),
	FIELD_RECORDS(R, rules, "rules", binds_rule_fields,
		      "rules that look at these files, the most severe first"),
	FIELD_RECORDS(R, decisions, "decisions", binds_decision_fields,
		      "accepted decisions that mention them"),
	FIELD_RECORDS(R, memories, "memories", binds_memory_fields, "memories about them"),
	FIELD_RECORD(R, cut, "cut", binds_cut_fields,
		     "how many more there are beyond the budget of tokens"),
	FIELD_OF(R, tokens, "the tokens of their lines, estimated"),
	FIELD_OF(R, notes, "what was not looked at, and why", .flags = IF_ANY),
	FIELD_OF(R, noKnowledge, "no knowledge is configured", .flags = IF_ANY),
	{0},
};

/* ---- the files ---- */

struct binds_search {
	struct call *c;
	struct binds_result *out;
	struct check_bindings found;
	struct strs files; /* from the top */
	size_t in_folder;
};

/* Without links, as far as it exists; a file that is not there yet has no other name. */
static struct err *binds_real(struct arena *a, struct str path, struct str *out)
{
	struct str have = path;
	const char *real;
	struct err *e;

	while ((e = os_realpath(a, have.n ? str_c(a, have) : "/", &real))) {
		if (!have.n || (err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NOT_A_FILE))
			return e;
		have = str_dir(have);
	}
	*out = str_fmt(a, "%s%.*s", strcmp(real, "/") ? real : "",
		       STR_ARG(str_sub(path, have.n, path.n)));
	return NULL;
}

static struct err *binds_add_file(void *ctx, const struct tree_file *f)
{
	struct binds_search *s = ctx;

	if (s->in_folder++ < BINDS_FILES)
		strs_push(s->c->a, &s->files, str_dup(s->c->a, f->path));
	return NULL;
}

static struct err *binds_add_path(struct binds_search *s, struct str path)
{
	struct call *c = s->c;
	struct str top = str_of(c->git ? git_top(c->git) : NULL), rest = path, part, whole, inner;
	struct strs parts = {0};
	struct os_stat st;

	if (!path.n || str_has_nul(path))
		return err_for_param(E_BAD_PATH, STR("paths"), "'%.*s' is no path", STR_ARG(path));
	if (path.p[0] != '/')
		rest = str_fmt(c->a, "%s/%.*s", c->cwd, STR_ARG(path));
	while (str_next_part(&rest, '/', &part))
		if (str_is(part, "..") && parts.n)
			parts.n--;
		else if (part.n && !str_is(part, ".") && !str_is(part, ".."))
			strs_push(c->a, &parts, part);
	TRY(binds_real(c->a, str_fmt(c->a, "/%.*s", STR_ARG(str_join(c->a, &parts, "/"))), &whole));
	if (!top.n || !str_is_below(whole, top)) {
		strs_push(c->a, &s->out->notes,
			  str_fmt(c->a, "'%.*s' is not in the repository", STR_ARG(path)));
		return NULL;
	}
	inner = str_sub(whole, top.n + 1, whole.n);
	TRY(os_stat(str_c(c->a, whole), true, &st));
	if (st.kind == OS_DIR) {
		struct tree *t;

		s->in_folder = 0;
		TRY(git_tree_worktree(c->git, &t));
		TRY(tree_foreach(t, inner, binds_add_file, s));
		if (s->in_folder > BINDS_FILES)
			strs_push(c->a, &s->out->notes,
				  str_fmt(c->a,
					  "'%.*s' has %zu files, and only the first %d were looked "
					  "up: name a folder in it",
					  STR_ARG(path), s->in_folder, BINDS_FILES));
		return NULL;
	}
	strs_push(c->a, &s->files, inner);
	return NULL;
}

/* ---- the lines ---- */

/* Whether a line still fits. At least one line is given, whatever the budget is. */
static bool binds_fits(struct binds_search *s, const struct binds_args *args, struct str line)
{
	size_t n = token_estimate(line, s->c->conf->tokens_model) + 1;
	bool any = s->out->tokens > 0;

	if (any && s->out->tokens + (int64_t)n > args->tokens)
		return false;
	s->out->tokens += (int64_t)n;
	return true;
}

static void binds_put(struct binds_search *s, const struct binds_args *args,
		      const struct check_binding *b)
{
	struct arena *a = s->c->a;
	struct str line = check_binding_format_line(a, b);
	const struct kn_item *item = b->item;

	if (!binds_fits(s, args, line)) {
		s->out->cut.rules += b->rule != NULL;
		s->out->cut.decisions += !b->rule;
	} else if (b->rule) {
		struct binds_rule *r = VEC_PUSH(a, &s->out->rules);

		*r = (struct binds_rule){.item = item->id,
					 .path = item->shown_path,
					 .file = b->file,
					 .why = b->why,
					 .layer = item->layer,
					 .rule = *b->rule,
					 .line = line};
		r->rule.severity = b->severity;
	} else {
		*VEC_PUSH(a, &s->out->decisions) = (struct binds_decision){.id = item->id,
									   .title = item->title,
									   .summary = item->summary,
									   .path = item->shown_path,
									   .file = b->file,
									   .why = b->why,
									   .line = line};
	}
}

/* ---- memories ---- */

static void binds_put_memory(struct binds_search *s, const struct binds_args *args,
			     const struct memory *m, struct str file, struct str why)
{
	struct binds_result *out = s->out;
	struct binds_memory b = {.file = file, .why = why};

	for (size_t i = 0; i < out->memories.n; i++)
		if (str_eq(out->memories.p[i].memory.id, m->id))
			return;
	b.memory = memory_copy(s->c->a, m);
	b.line = str_fmt(s->c->a, "memory  %.*s",
			 STR_ARG(check_binding_strip_markdown(s->c->a, m->content)));
	if (binds_fits(s, args, b.line))
		*VEC_PUSH(s->c->a, &out->memories) = b;
	else
		out->cut.memories++;
}

/* Memories that have the path in a tag "path:src/x.c", or in their text. */
static struct err *binds_memories_of(struct binds_search *s, const struct binds_args *args,
				     struct memories *m, struct str file)
{
	struct memory_search q = {
		.query = str_base(file),
		.status = -1,
		.strict = true,
		.limit = BINDS_MEMORIES,
	};
	struct memory_found found;
	struct str what;

	q.query = str_sub(q.query, 0, MEMORY_QUERY_MAX);
	TRY(memory_search(m, s->c->a, &q, &found));
	for (size_t i = 0; i < found.n; i++)
		if (check_text_mentions_path(found.p[i].memory.content, file, &what))
			binds_put_memory(s, args, &found.p[i].memory, file,
					 str_fmt(s->c->a, "it mentions %.*s", STR_ARG(what)));
	q.query = STR("");
	q.browse = MEMORY_BROWSE_TOO;
	for (struct str at = file; at.n; at = str_dir(at)) {
		q.tags = (struct strs){0};
		strs_push(s->c->a, &q.tags, str_fmt(s->c->a, "path:%.*s", STR_ARG(at)));
		strs_push(s->c->a, &q.tags, str_fmt(s->c->a, "path:%.*s/", STR_ARG(at)));
		TRY(memory_search(m, s->c->a, &q, &found));
		for (size_t i = 0; i < found.n; i++)
			binds_put_memory(s, args, &found.p[i].memory, file,
					 str_fmt(s->c->a, "its tag path:%.*s", STR_ARG(at)));
	}
	return NULL;
}

struct err *binds_find_for_path(struct call *c, const struct binds_args *args,
				struct binds_result *out)
{
	struct binds_search s = {.c = c, .out = out};
	struct knowledge *k;

	TRY(know_load(c, &args->knowledge, &k));
	out->success = true;
	out->noKnowledge = !k->sources;
	if (out->noKnowledge)
		out->nothing = know_why_nothing_to_judge(c, false, 0, 0);
	for (size_t i = 0; i < args->paths.n; i++)
		TRY(binds_add_path(&s, args->paths.p[i]));
	check_find_rules_for_paths(c->a, k, &s.files, &s.found);
	check_binds_sort(&s.found);
	for (size_t i = 0; i < s.found.n; i++)
		binds_put(&s, args, &s.found.p[i]);
	if (args->memories) {
		struct memories *m;
		struct err *e = mem_open(c, &m);

		/* The store may be missing or damaged; the rules are the answer all the same. */
		for (size_t i = 0; i < s.files.n && !e; i++)
			e = binds_memories_of(&s, args, m, s.files.p[i]);
		if (e)
			strs_push(c->a, &out->notes,
				  str_fmt(c->a, "memories were not looked up: %s", err_message(e)));
	}
	return NULL;
}
