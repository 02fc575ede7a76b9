#include "suggest/suggest.h"
#include "lexer/lexer.h"
#include "md/md.h"
#include "re/re.h"

const char *const suggest_signs[] = {SUGGEST_SIGNS(ENUM_NAME) NULL};

/* ---- words ---- */

/* Letters and digits alone, small: "Fuse.js", "FuseJS" and fuse are one name. */
static struct str word_fold(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_alnum(s.p[i]))
			buf_putc(&b, ascii_lower(s.p[i]));
	if (b.n > 4 && str_ends(buf_as_str(&b), STR("js")))
		return str_sub(buf_as_str(&b), 0, b.n - 2);
	return b.n ? buf_as_str(&b) : STR("");
}

/* The words in alphabetical order: "React Testing Library" is @testing-library/react. */
static struct str word_sorted(struct arena *a, struct str s)
{
	struct strs words = {0};

	for (size_t i = 0, end; i < s.n; i = end + 1) {
		for (end = i; end < s.n && ascii_is_alnum(s.p[end]);)
			end++;
		if (end > i)
			strs_push(a, &words, str_lower(a, str_sub(s, i, end)));
	}
	strs_sort(&words);
	return words.n > 1 ? str_join(a, &words, " ") : STR("");
}

/* Whether the word stands at `at`, and no letter or digit goes on before or behind it. */
static bool word_at(struct str s, size_t at, struct str word)
{
	return str_ieq(str_sub(s, at, at + word.n), word) && !(at && ascii_is_alnum(s.p[at - 1])) &&
	       !(at + word.n < s.n && ascii_is_alnum(s.p[at + word.n]));
}

static size_t word_find(struct str s, struct str word, size_t from)
{
	char first = word.n ? ascii_lower(word.p[0]) : 0;

	for (size_t at = from; at + word.n <= s.n; at++)
		if ((!first || ascii_lower(s.p[at]) == first) && word_at(s, at, word))
			return at;
	return SIZE_MAX;
}

/* words: "a|b" */
static bool word_any(struct str s, const char *words)
{
	struct str rest = str_of(words), word;

	while (str_next_part(&rest, '|', &word))
		if (word_find(s, word, 0) != SIZE_MAX)
			return true;
	return false;
}

/* ---- the tree's packages ---- */

struct suggest_name {
	struct str name, fold, last, sorted; /* last: behind the last slash, folded */
	enum deps_ecosystem ecosystem;
	bool locked; /* others may ask for it: nothing is suggested, but the name is known */
};
struct suggest_names {
	struct suggest_name *p;
	size_t n, cap;
	bool capitals; /* a name has one that is not its first letter */
	struct arena *a;
	struct tree *tree;
	size_t max_file;
};

static bool name_has_capital(struct str s)
{
	for (size_t i = 1; i < s.n; i++)
		if (ascii_is_upper(s.p[i]))
			return true;
	return false;
}

static struct err *names_read(void *ctx, const struct tree_file *f)
{
	struct suggest_names *names = ctx;
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct deps deps = {0};
	struct str text;

	if (!deps_is_manifest(f->path) || f->kind == TREE_LINK ||
	    tree_read(names->tree, scratch, f, names->max_file, &text) ||
	    deps_read(scratch, f->path, text, NULL, &deps))
		return NULL; /* a check says what is wrong with it */
	VEC_EACH(const struct dep, d, &deps) {
		struct str name = d->name;

		/* What others ask for, and types alone, are not the package. */
		if (d->kind != DEPS_PACKAGE || d->reach == DEPS_TRANSITIVE ||
		    str_starts(name, STR("@types/")))
			continue;
		name = str_dup(names->a, name);
		names->capitals |= name_has_capital(name);
		*VEC_PUSH(names->a, names) = (struct suggest_name){
			.name = name,
			.fold = word_fold(names->a, name),
			.last = word_fold(names->a,
					  str_sub(name, str_rfind_char(name, '/') + 1, name.n)),
			.sorted = word_sorted(names->a, name),
			.ecosystem = d->ecosystem,
			.locked = d->locked && d->ecosystem != DEPS_GO,
		};
	}
	return NULL;
}

struct err *suggest_load_names(struct arena *a, struct tree *tree, size_t max_file,
			       struct suggest_names **out)
{
	*out = ARENA_NEW(a, struct suggest_names);
	**out = (struct suggest_names){.a = a, .tree = tree, .max_file = max_file};
	return tree ? tree_foreach(tree, STR(""), names_read, *out) : NULL;
}

static const struct suggest_name *names_find_in(struct arena *a, const struct suggest_names *names,
						struct str text, bool locked)
{
	struct str fold = word_fold(a, text), sorted = word_sorted(a, text);
	bool path = str_find_char(text, '/', 0) < text.n;

	for (size_t i = 0; fold.n > 1 && i < names->n; i++) {
		const struct suggest_name *x = &names->p[i];

		if (x->locked == locked &&
		    (str_eq(x->fold, fold) || str_eq(x->last, fold) ||
		     (path && str_ends(x->fold, fold)) || (sorted.n && str_eq(x->sorted, sorted))))
			return x;
	}
	return NULL;
}

static const struct suggest_name *names_find(struct arena *a, const struct suggest_names *names,
					     struct str text)
{
	return names_find_in(a, names, text, false);
}

/* ---- terms ---- */

/* Words of languages and of package managers, with the text or file that they mean. */
struct suggest_term {
	const char *words; /* "a|b" */
	enum kn_target target;
	const char *pattern, *files, *stops, *passes;
};
#define SUGGEST_JS "*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}"
static const struct suggest_term terms[] = {
	{"default exports|default export", KN_TARGET_CODE, "^\\s*export\\s+default\\b", SUGGEST_JS,
	 "export default a;", "export const a = 1;"},
	{"class components|class component", KN_TARGET_CODE,
	 "\\bextends\\s+(React\\.)?(Pure)?Component\\b", SUGGEST_JS,
	 "class A extends React.Component {}", "function A() {}"},
	{"enum|enums|TypeScript enum", KN_TARGET_CODE, "^\\s*(export\\s+)?(const\\s+)?enum\\s+\\w",
	 "*.{ts,tsx,mts,cts}", "export enum A {}", "export const A = {} as const;"},
	{"console.log", KN_TARGET_CODE, "\\bconsole\\.log\\s*\\(", SUGGEST_JS, "console.log(1)",
	 "logger.info(1)"},
	{"wildcard imports|star imports", KN_TARGET_CODE,
	 "^\\s*from\\s+\\S+\\s+import\\s+\\*|^\\s*import\\s+[\\w.]+\\.\\*", "*.{py,java,kt,scala}",
	 "from a import *", "from a import b"},
};
/* Of package managers one is chosen, and the lockfiles of the others go. */
static const struct suggest_term managers[] = {
	{"npm", KN_TARGET_FILE, "package-lock.json", NULL, "package-lock.json", "package.json"},
	{"Yarn", KN_TARGET_FILE, "yarn.lock", NULL, "yarn.lock", "package.json"},
	{"pnpm", KN_TARGET_FILE, "pnpm-lock.yaml", NULL, "pnpm-lock.yaml", "package.json"},
	{"Bun", KN_TARGET_FILE, "bun.lock", NULL, "bun.lock", "package.json"},
	{"Poetry", KN_TARGET_FILE, "poetry.lock", NULL, "poetry.lock", "pyproject.toml"},
	{"Pipenv", KN_TARGET_FILE, "Pipfile.lock", NULL, "Pipfile.lock", "pyproject.toml"},
	{"uv", KN_TARGET_FILE, "uv.lock", NULL, "uv.lock", "pyproject.toml"},
};
static const size_t python_managers = 4; /* the first of Python */

/* ---- one item ---- */

struct suggest {
	struct arena *a;
	const struct suggest_names *names;
	const struct kn_item *item;
	struct str text; /* the file */
	struct md md;
	struct suggestions *out;
	struct str instead;         /* what a table or an example has in place of what it forbids */
	struct str folder, version; /* those that the sentence is for and allows, or empty */
};

/* A text on one line, without what Markdown needs. */
static struct str suggest_line(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_any_space(s.p[i]))
			buf_putc(&b, s.p[i]);
		else if (b.n && !ascii_is_any_space(s.p[i - 1]))
			buf_putc(&b, ' ');
	return b.n ? str_utf8_head(buf_as_str(&b), 240) : STR("");
}

static struct err *suggest_add(struct suggest *s, struct kn_constraint r, enum suggest_sign sign,
			       struct str sentence, size_t at)
{
	static const struct place nowhere[1]; /* each list has one example */
	struct str *none[] = {&r.message, &r.version, &r.use_instead};
	bool is_rule = false;

	/* A manifest is for all folders, and an import stands in one. */
	if (s->folder.n && r.target != KN_TARGET_FILE) {
		if (!r.applies_to.n)
			strs_push(s->a, &r.applies_to, STR("*"));
		if (r.target == KN_TARGET_DEPENDENCY)
			r.target = KN_TARGET_IMPORT;
		r.applies_to = knowledge_globs_prefix_folder(s->a, s->folder, &r.applies_to);
	}
	VEC_EACH(const struct suggestion, x, s->out)
		if (x->item == s->item && x->rule.target == r.target &&
		    str_eq(x->rule.pattern, r.pattern))
			return NULL;
	for (size_t i = 0; i < s->item->constraints_n; i++)
		is_rule |= s->item->constraints[i].target == r.target &&
			   str_eq(s->item->constraints[i].pattern, r.pattern);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		if (!none[i]->p)
			*none[i] = STR("");
	r.severity = KN_SEVERITY_BLOCK;
	r.examples.stops_at = r.examples.passes_at = nowhere;
	r.index = (unsigned)s->out->n + 1;
	TRY(knowledge_compile_pattern(s->a, &r));
	if (r.applies_to.n)
		TRY(globs_new(s->a, &r.applies_to, &r.applies));
	*VEC_PUSH(s->a, s->out) = (struct suggestion){
		.item = s->item,
		.rule = r,
		.sign = sign,
		.sentence = suggest_line(s->a, sentence),
		.line = str_place_of_offset(s->text, at).line,
		.is_rule = is_rule,
	};
	return NULL;
}

static struct err *suggest_term(struct suggest *s, const struct suggest_term *t,
				struct str sentence, size_t at)
{
	struct kn_constraint r = {
		.op = t->target == KN_TARGET_FILE ? KN_OP_MUST_NOT_EXIST : KN_OP_MUST_NOT_USE,
		.target = t->target,
		.pattern = str_of(t->pattern),
	};

	strs_push(s->a, &r.examples.stops, str_of(t->stops));
	strs_push(s->a, &r.examples.passes, str_of(t->passes));
	if (t->files)
		strs_push(s->a, &r.applies_to, str_of(t->files));
	return suggest_add(s, r, SUGGEST_TERM, sentence, at);
}

/* A package as a rule; instead: a package, or empty. */
static struct err *suggest_package(struct suggest *s, struct str name, struct str instead,
				   enum suggest_sign sign, struct str sentence, size_t at)
{
	struct str quoted = re_quote(s->a, name);
	struct kn_constraint r = {
		.op = KN_OP_MUST_NOT_USE,
		.target = KN_TARGET_DEPENDENCY,
		/* A further major version of a module of Go has a path of its own. */
		.pattern = str_starts(name, STR("github.com/"))
				   ? str_fmt(s->a, "%.*s(/v[0-9]+)?", STR_ARG(quoted))
				   : quoted,
		.use_instead = instead,
	};

	if (str_ieq(name, instead))
		return NULL;
	if (s->version.n) {
		r.version =
			str_fmt(s->a, "<%.*s || >%.*s", STR_ARG(s->version), STR_ARG(s->version));
		name = str_fmt(s->a, "%.*s@", STR_ARG(name));
		strs_push(s->a, &r.examples.stops, str_fmt(s->a, "%.*s0.0.0", STR_ARG(name)));
		strs_push(s->a, &r.examples.passes,
			  str_fmt(s->a, "%.*s%.*s", STR_ARG(name), STR_ARG(s->version)));
		return suggest_add(s, r, sign, sentence, at);
	}
	strs_push(s->a, &r.examples.stops, name);
	strs_push(s->a, &r.examples.passes,
		  instead.n ? instead : str_fmt(s->a, "%.*s-other", STR_ARG(name)));
	return suggest_add(s, r, sign, sentence, at);
}

/* A text in backticks, as a rule about text. */
static struct err *suggest_code(struct suggest *s, struct str code, struct str sentence, size_t at)
{
	struct str name = str_sub(code, 0, str_find_char(code, '(', 0));
	bool call = name.n < code.n;
	struct kn_constraint r = {
		.op = KN_OP_MUST_NOT_USE,
		.target = KN_TARGET_CODE,
		.pattern = str_fmt(s->a, "\\b%.*s%s", STR_ARG(re_quote(s->a, name)),
				   call ? "\\s*\\(" : "\\b"),
	};

	strs_push(s->a, &r.applies_to, STR("*"));
	strs_push(s->a, &r.applies_to, STR("!*.md"));
	strs_push(s->a, &r.examples.stops,
		  str_fmt(s->a, "%.*s%s", STR_ARG(name), call ? "()" : ""));
	if (s->instead.n && word_find(s->instead, name, 0) == SIZE_MAX)
		r.use_instead = s->instead;
	strs_push(s->a, &r.examples.passes,
		  r.use_instead.n ? r.use_instead : str_fmt(s->a, "%.*sOther", STR_ARG(name)));
	return suggest_add(s, r, SUGGEST_CODE, sentence, at);
}

/* ---- links ---- */

/* The package that an address names. */
static struct str link_package(struct arena *a, struct str link, struct str text, bool go)
{
	static const struct {
		const char *prefix;
		bool whole; /* the name has slashes */
	} sites[] = {
		{"npmjs.com/package/", true},   {"pypi.org/project/", false},
		{"crates.io/crates/", false},   {"rubygems.org/gems/", false},
		{"nuget.org/packages/", false}, {"packagist.org/packages/", true},
		{"pkg.go.dev/", true},
	};
	size_t at = str_find(link, STR("github.com/"), 0);
	struct str rest, owner, repo;

	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		struct str prefix = str_of(sites[i].prefix);
		size_t from = str_find(link, prefix, 0);
		struct str name;

		if (from == SIZE_MAX)
			continue;
		name = str_sub(link, from + prefix.n, link.n);
		name = str_sub(name, 0, str_find_char(name, '?', 0));
		name = str_sub(name, 0, str_find_char(name, '#', 0));
		if (!sites[i].whole ||
		    (str_find(prefix, STR("npm"), 0) == 0 && name.n && name.p[0] != '@'))
			name = str_sub(name, 0, str_find_char(name, '/', 0));
		while (str_ends(name, STR("/")))
			name.n--;
		return name;
	}
	if (at == SIZE_MAX)
		return STR("");
	rest = str_sub(link, at + 11, link.n);
	if (!str_next_part(&rest, '/', &owner) || !str_next_part(&rest, '/', &repo) || !repo.n)
		return STR("");
	if (go)
		return str_fmt(a, "github.com/%.*s/%.*s", STR_ARG(owner), STR_ARG(repo));
	/* Elsewhere a repository is named as its package when people call it so too. */
	return str_eq(word_fold(a, repo), word_fold(a, text)) ? str_lower(a, repo) : STR("");
}

/* ---- options ---- */

struct option {
	struct str text, link; /* text: its name alone */
	bool code;             /* which stands in backticks */
	struct str whole;
	size_t at;
};
struct options {
	struct option *p;
	size_t n, cap;
};

static struct str option_cut(struct str s, const char *const *ends)
{
	for (size_t i = 0; ends[i]; i++)
		s = str_sub(s, 0, str_find(s, str_of(ends[i]), 0));
	return str_trim(s);
}

/* "Option 2: Use Fuse.js (small)" is Fuse.js. */
static struct str option_name(struct str s)
{
	static const char *const ends[] = {" - ", " -- ", " – ",      " — ",      " (", ", ",
					   "\n",  ": ",   " because", " instead", NULL};
	static const char *const verbs[] = {"chosen",    "use",           "using",      "adopt",
					    "adopting",  "keep",          "stick with", "stay on",
					    "stay with", "continue with", "migrate to", "move to",
					    "switch to", "go with",       "the",        NULL};
	size_t colon = str_find_char(s, ':', 0), more = 1;

	if (word_at(s, 0, STR("option")) && colon < 12)
		s = str_sub(s, colon + 1, s.n);
	s = option_cut(str_trim(s), ends);
	while (more) {
		more = 0;
		for (size_t i = 0; verbs[i]; i++)
			if (word_at(s, 0, str_of(verbs[i])))
				more = strlen(verbs[i]);
		s = str_trim(str_sub(s, more, s.n));
	}
	while (s.n && strchr("\"'*_.`", s.p[0]))
		s = str_sub(s, 1, s.n);
	while (s.n && strchr("\"'*_.`", s.p[s.n - 1]))
		s.n--;
	/* "Docusaurus 2": a version is no part of the name. */
	while (s.n > 2 && ascii_is_digit(s.p[s.n - 1]) && s.p[s.n - 2] == ' ')
		s = str_trim(str_sub(s, 0, s.n - 1));
	return s;
}

/* Whether a name of one to three words may be a product, not a way of work. */
static bool option_is_name(struct str s)
{
	static const char prose[] =
		"a|an|and|as|all|by|do|for|from|in|into|no|not|of|on|only|or|our|own|per|the|to|we|with|"
		"using|existing|new|nothing|none|status|standard|custom|JavaScript|Java|Python|Ruby|Go|"
		"Golang|PHP";
	size_t words = 1;

	for (size_t i = 0; i < s.n; i++) {
		words += s.p[i] == ' ';
		if (strchr("&+,;\"", s.p[i]) || (unsigned char)s.p[i] >= 0x80)
			return false;
	}
	return s.n > 1 && words <= 3 && !word_any(s, prose) &&
	       (ascii_is_upper(s.p[0]) || word_find(s, STR("js"), 0) != SIZE_MAX ||
		str_holds(s, "-") || words == 1);
}

static bool heading_has(const struct md_block *b, const char *words)
{
	return b->type == MD_HEADING && word_any(b->text, words);
}

static const char heading_options[] = "options|alternatives";
static const char heading_pros[] = "pros|cons";
static const char heading_decision[] = "decision|decisions|outcome|solution|consequences";
static const char heading_not[] = "drivers|context|pros|cons|options|alternatives|status|negative";

/* Nobody weighs more options; each is compared with each paragraph of the outcome. */
#define OPTIONS_MAX 64

static void options_read(struct suggest *s, struct options *out)
{
	const struct md *md = &s->md;
	unsigned depth = UINT32_MAX; /* of the section's first item: others are details */
	bool in = false;

	for (size_t i = 0; i < md->n && out->n < OPTIONS_MAX; i++) {
		const struct md_block *b = &md->p[i];
		struct str name, ticks;

		if (b->type == MD_HEADING && !b->depth) {
			in = heading_has(b, heading_options) && !heading_has(b, heading_pros);
			depth = UINT32_MAX;
		}
		if (!in || b->type != MD_ITEM || b->depth > depth)
			continue;
		depth = b->depth;
		name = option_name(b->text);
		ticks = str_fmt(s->a, "`%.*s`", STR_ARG(name));
		*VEC_PUSH(s->a, out) = (struct option){
			.text = name,
			.code = str_find(str_sub(s->text, b->at.from, b->at.to), ticks, 0) !=
				SIZE_MAX,
			.whole = b->text,
			.link = i + 1 < md->n && md->p[i + 1].type == MD_PARAGRAPH
					? md->p[i + 1].link
					: STR(""),
			.at = b->at.from,
		};
	}
}

/* How well the chosen text means the option: 3 the same, 2 it begins so, 1 a short form; or 0. */
static int option_is(struct arena *a, const struct option *o, struct str chosen)
{
	struct str x = word_fold(a, o->text), y = word_fold(a, chosen);
	struct buf initials = buf_in(a);

	for (size_t i = 0; i < o->text.n; i++)
		if (!i || o->text.p[i - 1] == ' ')
			buf_putc(&initials, ascii_lower(o->text.p[i]));
	if (!x.n || y.n < 2)
		return 0;
	if (str_eq(x, y))
		return 3;
	if (str_starts(y, x))
		return 2;
	return str_starts(x, y) || (initials.n > 1 && str_eq(buf_as_str(&initials), y));
}

/* The option that the file says was chosen, or NULL. */
static const struct option *options_chosen(struct suggest *s, const struct options *all)
{
	static const char chosen[] = "chosen|choose|chose";
	bool outcome = false;
	const struct option *found = NULL;
	int best = 0;

	for (size_t i = 0; i < s->md.n && !found; i++) {
		const struct md_block *b = &s->md.p[i];
		struct str text = b->text;
		size_t colon = str_find_char(text, ':', 0);

		if (b->type == MD_HEADING)
			outcome = heading_has(b, heading_decision) && !heading_has(b, heading_not);
		if (!outcome || (b->type != MD_PARAGRAPH && b->type != MD_ITEM))
			continue;
		if (word_any(text, chosen) && colon < text.n)
			text = str_trim(str_sub(text, colon + 1, text.n));
		while (text.n && strchr("\"'*", text.p[0]))
			text = str_sub(text, 1, text.n);
		text = option_name(text);
		for (size_t k = 0; k < all->n; k++) {
			int is = option_is(s->a, &all->p[k], text);

			if (is > best) {
				best = is;
				found = &all->p[k];
			}
		}
		if (word_any(b->text, chosen))
			break;
	}
	return found;
}

/* The managers that options begin with, next to the only one that the title names. */
static struct err *suggest_managers(struct suggest *s)
{
	size_t is = SIZE_MAX, n = 0;
	bool in = false;

	for (size_t k = 0; k < ARRAY_SIZE(managers); k++)
		if (word_any(s->item->title, managers[k].words) && !n++)
			is = k;
	for (size_t i = 0; n == 1 && i < s->md.n; i++) {
		const struct md_block *b = &s->md.p[i];

		if (b->type == MD_HEADING && !b->depth)
			in = heading_has(b, heading_options) && !heading_has(b, heading_pros);
		for (size_t k = 0; in && b->type == MD_ITEM && k < ARRAY_SIZE(managers); k++)
			if (k != is && (k < python_managers) == (is < python_managers) &&
			    word_any(str_sub(b->text, 0, 24), managers[k].words))
				TRY(suggest_term(s, &managers[k], b->text, b->at.from));
	}
	return NULL;
}

static struct err *suggest_options(struct suggest *s)
{
	struct options all = {0};
	const struct option *chosen;
	const struct suggest_name *known;
	struct str instead;
	bool go, guess;

	options_read(s, &all);
	chosen = options_chosen(s, &all);
	if (!chosen)
		return NULL;
	/* Only when a package was chosen, the others may be packages without a sign of it. */
	known = names_find(s->a, s->names, chosen->text);
	go = known && known->ecosystem == DEPS_GO;
	instead = known ? known->name : link_package(s->a, chosen->link, chosen->text, go);
	/* Where a name is as people write it, small. */
	guess = known && (known->ecosystem == DEPS_NPM || known->ecosystem == DEPS_PYPI ||
			  known->ecosystem == DEPS_GEM || known->ecosystem == DEPS_CARGO);
	VEC_EACH(const struct option, o, &all) {
		const struct suggest_name *x = names_find(s->a, s->names, o->text);
		struct str name = x ? x->name : link_package(s->a, o->link, o->text, go);
		enum suggest_sign sign = x ? SUGGEST_TREE : SUGGEST_LINK;
		struct buf b = buf_in(s->a);

		if (o == chosen || !option_is_name(o->text) ||
		    option_is(s->a, o, chosen->text) == 3)
			continue;
		if (!name.n && guess && !str_holds(o->text, "/")) {
			struct str small = str_lower(s->a, o->text);

			for (size_t k = 0; k < small.n; k++)
				buf_putc(&b, small.p[k] == ' ' ? '-' : small.p[k]);
			name = buf_as_str(&b);
			sign = SUGGEST_GUESS;
		}
		if (name.n)
			TRY(suggest_package(s, name, instead, sign, o->whole, o->at));
		else if (o->code && chosen->code && o->whole.n < o->text.n + 16)
			TRY(suggest_code(s, o->text, o->whole, o->at));
	}
	return NULL;
}

/* ---- sentences ---- */

enum ban_kind {
	BAN_USE,     /* a name alone behind it is a thing that one can use */
	BAN_TEXT,    /* it forbids */
	BAN_COMPARE, /* it only compares */
	BAN_PIN,     /* it allows one version */
};

/* Phrases that forbid what stands behind them, or before them. */
static const struct ban {
	const char *phrases; /* "a|b" */
	enum ban_kind kind;
	bool before;
} bans[] = {
	{"must not use|should not use|may not use|do not use|don't use|never use|will not use|"
	 "no longer use|stop using|avoid using",
	 BAN_USE, false},
	{"avoid|deprecate|deprecating|forbid|prohibit|ban", BAN_TEXT, false},
	{"instead of|in place of|migrate from|migrate away from|switch from|move away from|replace",
	 BAN_COMPARE, false},
	{"must not be used|should not be used|may not be used|should be avoided|must be avoided|"
	 "is avoided|is therefore avoided|are avoided|is forbidden|are forbidden|"
	 "is no longer used|are no longer used|is banned|are banned",
	 BAN_TEXT, true},
	{"in favor of|in favour of", BAN_COMPARE, true},
	{"pin|pinning", BAN_PIN, false},
	{"is pinned|must be pinned", BAN_PIN, true},
};

/*
 * Whether the words before a phrase deny it, or leave it open: "we will never ban", "we do not want
 * to avoid". A denial ends where another clause begins: "it is not typed, so we avoid".
 */
static bool ban_denied(struct arena *a, struct str before)
{
	static const char *const denials[] = {
		"not",    "no",     "never",   "nor",    "neither",  "none",    "nobody", "nothing",
		"cannot", "hardly", "against", "rather", "whether",  "without", "lift",   "lifts",
		"lifted", "refuse", "refused", "reject", "rejected", NULL};
	static const char *const clauses[] = {
		"and",     "but",   "so",     "then", "thus",         "hence",        "therefore",
		"because", "since", "if",     "when", "we",           "you",          "they",
		"only",    "just",  "merely", "-",    "\xe2\x80\x93", "\xe2\x80\x94", NULL};
	bool denied = false, aside = false; /* aside: "never, ever, ban" */

	before = str_lower(a, before);
	for (size_t i = 0, end; i < before.n; i = end) {
		char c = before.p[i];
		struct str word;

		for (end = i; end < before.n && !strchr(" ,;:()`", before.p[end]);)
			end++;
		word = str_sub(before, i, end);
		if (c == '`') {
			end = str_find_char(before, '`', i + 1);
			end = size_min(end, before.n - 1) + 1;
		} else if (end == i) {
			end++;
			denied = denied && (c == ' ' || (c == ',' && aside));
		} else if (str_is_any(word, denials) || str_ends(word, STR("n't")) ||
			   str_ends(word, STR("n\xe2\x80\x99t"))) {
			denied = true;
			aside = end < before.n && before.p[end] == ',';
		} else if (str_is_any(word, clauses)) {
			denied = false;
		}
	}
	return denied;
}

/* Where the first phrase begins that is not denied; or SIZE_MAX. */
static size_t ban_find(struct arena *a, struct str sentence, struct str phrase)
{
	size_t at = word_find(sentence, phrase, 0);

	while (at != SIZE_MAX && ban_denied(a, str_sub(sentence, at - size_min(at, 200), at)))
		at = word_find(sentence, phrase, at + 1);
	return at;
}

/* Where the object of a phrase ends. */
static const char *const object_ends[] = {
	" with ",        " by ",           " to ",    " because",     " for ",
	" and use ",     " as ",           " when ",  "; ",           " but ",
	" so ",          " since ",        " where ", " instead of ", " in place of ",
	" in favor of ", " in favour of ", NULL};

static bool suggest_is_code(struct str s)
{
	bool word = false;

	for (size_t i = 0; i < s.n; i++) {
		if (ascii_is_any_space(s.p[i]) || s.p[i] == '/' || s.p[i] == '-')
			return false;
		word |= (s.p[i] == '.' || s.p[i] == '(' || s.p[i] == ':') && i;
	}
	return word && ascii_is_letter(s.p[0]) && !str_ends(s, STR(".md")) &&
	       !str_ends(s, STR(".json")) && !str_ends(s, STR(".yml")) &&
	       !str_ends(s, STR(".yaml"));
}

/*
 * What a text in backticks, or a word with a capital or a hyphen, names. code: the phrase forbids,
 * and does not only compare, so the text itself may be meant.
 */
static struct err *suggest_object(struct suggest *s, struct str word, bool ticks, bool code,
				  struct str sentence, size_t at)
{
	const struct suggest_name *x = names_find(s->a, s->names, word);
	const struct suggest_name *other = names_find(s->a, s->names, s->instead);
	struct str mark = str_fmt(s->a, "[%.*s](", STR_ARG(word)), link = STR("");
	struct str instead = other ? other->name : STR("");
	size_t slash = str_find_char(word, '/', 0), begin = str_find(s->text, mark, 0);

	/* The package of a link of the file with this text. */
	if (begin != SIZE_MAX)
		link = link_package(
			s->a, str_sub(s->text, begin + mark.n, str_find_char(s->text, ')', begin)),
			word, false);

	if (x)
		return suggest_package(s, x->name, instead, SUGGEST_TREE, sentence, at);
	if (link.n)
		return suggest_package(s, link, instead, SUGGEST_LINK, sentence, at);
	if (!ticks)
		return NULL;
	/* "owner/repository" of an Action, "@scope/name". */
	if (slash < word.n && str_rfind_char(word, '/') == slash && slash && slash + 1 < word.n &&
	    (word.p[0] == '@' || str_find_char(word, '-', 0) < word.n) && !str_holds(word, " "))
		return suggest_package(s, word, instead, SUGGEST_CODE, sentence, at);
	return code && suggest_is_code(word) ? suggest_code(s, word, sentence, at) : NULL;
}

static size_t object_word(struct str s, size_t at)
{
	while (at < s.n && (ascii_is_alnum(s.p[at]) || strchr("@._-/", s.p[at])))
		at++;
	return at;
}

/* The names in the object of a phrase. */
static struct err *suggest_objects(struct suggest *s, struct str object, bool code,
				   struct str sentence, size_t at)
{
	bool term = false;

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (word_any(object, terms[i].words)) {
			TRY(suggest_term(s, &terms[i], sentence, at));
			term = true;
		}
	/* "TypeScript enums": the other words belong to the term. */
	for (size_t i = 0, end; !term && i < object.n; i = end + 1) {
		bool ticks = object.p[i] == '`', linked = i && object.p[i - 1] == '[';
		struct str word;

		if (ticks) {
			i++;
			for (end = i; end < object.n && object.p[end] != '`';)
				end++;
		} else {
			end = object_word(object, i);
			/* "Create React App" is one name. */
			while (end + 1 < object.n && object.p[end] == ' ' &&
			       ascii_is_upper(object.p[i]) && ascii_is_upper(object.p[end + 1]))
				end = object_word(object, end + 1);
		}
		word = str_sub(object, i, end);
		while (!ticks && word.n && strchr("._-/", word.p[word.n - 1]))
			word.n--;
		if (word.n > 1 && (ticks || linked || ascii_is_upper(word.p[0]) ||
				   str_find_char(word, '-', 0) < word.n))
			TRY(suggest_object(s, word, ticks, code, sentence, at));
	}
	return NULL;
}

/*
 * Whether a name in backticks may be a package that nothing here knows: no call, flag, variable or
 * file. Behind a dot it needs a slash or a hyphen: "github.com/pkg/errors", "socket.io-client".
 * Inner capitals are those of a type or a function, unless a manifest of the tree has such a name.
 */
static bool unknown_is_name(const struct suggest_names *names, struct str s)
{
	size_t slash = str_find_char(s, '/', 0), dot = str_find_char(s, '.', 0);
	struct str rest = str_sub(s, size_min(dot, s.n), s.n);

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (word_any(s, terms[i].words))
			return false;
	if (s.n < 2 || object_word(s, 0) < s.n || !ascii_is_letter(s.p[0]) ||
	    (slash < s.n ? slash < dot : lexer_form(s, STR("")) != NULL) ||
	    (dot < s.n && !str_holds(rest, "/") && !str_holds(rest, "-")))
		return false;
	return !name_has_capital(s) || names->capitals;
}

/*
 * Keeps the names in backticks next to a phrase: "`a`, `b` and `c` must not be used". before: the
 * phrase stands behind them.
 */
static void suggest_unknown(struct suggest *s, struct str object, bool before, struct str sentence,
			    size_t at)
{
	static const char *const lists[] = {",",   "/",     "&",    "and",   "or",
					    "nor", ", and", ", or", ", nor", NULL};
	struct strs names = {0};

	for (size_t i = 0, open, end; i < object.n; i = end + 1) {
		open = str_find_char(object, '`', i);
		end = open == SIZE_MAX ? SIZE_MAX : str_find_char(object, '`', open + 1);
		if (end == SIZE_MAX)
			break;
		if (names.n && !str_is_any(str_trim(str_sub(object, i, open)), lists)) {
			if (!before)
				break;
			names.n = 0;
		}
		strs_push(s->a, &names, str_sub(object, open + 1, end));
	}
	for (size_t i = 0; i < names.n; i++)
		if (unknown_is_name(s->names, names.p[i]))
			*VEC_PUSH(s->a, &s->out->unknown) = (struct suggest_unknown){
				.item = s->item,
				.name = names.p[i],
				.sentence = suggest_line(s->a, sentence),
				.line = str_place_of_offset(s->text, at).line,
			};
}

/* Whether the rule is about the package. */
static bool unknown_in(const struct kn_constraint *r, struct re_work *w, struct str name)
{
	struct span match;

	return r->re && re_find(r->re, w, name, 0, &match) == RE_YES;
}

/*
 * Takes out of an item's names those that a manifest has, those of its rules and suggestions, and
 * doubles; without a tree all. from, first: where those of the item begin.
 */
static void unknown_settle(struct suggest *s, size_t from, size_t first)
{
	struct suggestions *out = s->out;
	struct re_work *w = re_work_new(s->a);
	size_t kept = from;

	for (size_t i = from; i < out->unknown.n; i++) {
		const struct suggest_unknown x = out->unknown.p[i];
		bool known = !s->names->tree || names_find(s->a, s->names, x.name) ||
			     names_find_in(s->a, s->names, x.name, true);

		for (size_t k = 0; k < s->item->constraints_n && !known; k++)
			known = unknown_in(&s->item->constraints[k], w, x.name);
		for (size_t k = first; k < out->n && !known; k++)
			known = unknown_in(&out->p[k].rule, w, x.name);
		for (size_t k = from; k < kept && !known; k++)
			known = str_eq(out->unknown.p[k].name, x.name);
		if (!known)
			out->unknown.p[kept++] = x;
	}
	out->unknown.n = kept;
}

/* Whether a word is written as packages are: small, as mysql2, fuse.js and @scope/name. */
static bool object_is_small(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_upper(s.p[i]))
			return false;
	return s.n > 1 && object_word(s, 0) == s.n && (ascii_is_letter(s.p[0]) || s.p[0] == '@');
}

/* "the mysql2 driver, which is old" is mysql2, and so is "mysql2 in `src`". */
static const char *const object_nouns[] = {", ",          " (",        " at ",     " package",
					   " library",    " module",   " driver",  " client",
					   " dependency", " in `",     " under `", " below `",
					   " inside `",   " within `", " gem",     NULL};

/* What a phrase that compares names beside its object: "use PG instead of X", "replace X by PG". */
static struct str object_rival(struct str sentence, size_t phrase, struct str object)
{
	static const char *const behind[] = {" with ", " by ", " to ", NULL};
	size_t at = (size_t)(object.p - sentence.p) + object.n, from = phrase;

	for (size_t i = 0; behind[i]; i++)
		if (str_starts(str_sub(sentence, at, sentence.n), str_of(behind[i]))) {
			at += strlen(behind[i]);
			at += at < sentence.n && sentence.p[at] == '`';
			return str_sub(sentence, at, object_word(sentence, at));
		}
	while (from && strchr(" `*", sentence.p[from - 1]))
		phrase = --from;
	for (size_t i = 0; object_nouns[i]; i++)
		if (str_ends(str_sub(sentence, 0, from), str_of(object_nouns[i])))
			phrase = from -= strlen(object_nouns[i]);
	while (from && object_word(str_sub(sentence, from - 1, from), 0))
		from--;
	return str_sub(sentence, from, phrase);
}

/*
 * The object is one small word. A manifest has it, or the phrase compares it with
 * a package that a manifest has. Where no manifest has either, only its form can tell: "use pg
 * instead of mysql2", but not "sha256 instead of md5".
 */
static struct err *suggest_alone(struct suggest *s, struct str sentence, struct str rival,
				 struct str object, bool compares, size_t at)
{
	static const char digits[] = "0123456789";
	struct str word = option_cut(object, object_nouns);
	const struct suggest_name *x, *y = names_find(s->a, s->names, rival);
	struct str instead = y ? y->name : STR("");

	if (word_at(word, 0, STR("the")))
		word = str_sub(word, 4, word.n);
	while (word.n && strchr(".,", word.p[word.n - 1]))
		word.n--;
	if (word.n > 2 && word.p[0] == '`' && word.p[word.n - 1] == '`')
		word = str_sub(word, 1, word.n - 1);
	if (!object_is_small(word) || !option_is_name(word))
		return NULL;
	x = names_find(s->a, s->names, word);
	if (x && str_eq(x->name, word))
		return suggest_package(s, word, instead, SUGGEST_TREE, sentence, at);
	if (!compares || x || str_ends(word, STR("ing")) || str_eq(word, rival))
		return NULL;
	if (!y && !str_ends(word, STR(".js")) &&
	    !(word.n > 3 && strpbrk(str_c(s->a, word), digits) && object_is_small(rival) &&
	      !strpbrk(str_c(s->a, rival), digits)))
		return NULL;
	return suggest_package(s, word, instead, SUGGEST_GUESS, sentence, at);
}

/* The next of a list, "a, b or c", and how it goes on; empty: it ends. */
static struct str object_next(struct str *rest, struct str *behind)
{
	struct str words = STR(", or |, and |, nor | or | and | nor |, "), one, part;
	size_t at = rest->n;

	*behind = STR("");
	while (str_next_part(&words, '|', &one))
		if (str_find(*rest, one, 0) < at) {
			at = str_find(*rest, one, 0);
			*behind = one;
		}
	part = str_trim(str_sub(*rest, 0, at));
	*rest = str_sub(*rest, at + behind->n, rest->n);
	return part;
}

/* "pin left-pad to 1.3.0": a whole version, of a package that a manifest has. */
static struct err *suggest_pin(struct suggest *s, struct str word, struct str raw, size_t at)
{
	const struct suggest_name *x =
		names_find(s->a, s->names, str_sub(word, str_rfind_char(word, ' ') + 1, word.n));
	size_t from = (size_t)(word.p - raw.p) + word.n, end, dots = 0;

	while (from < raw.n && !ascii_is_digit(raw.p[from]))
		from++;
	for (end = from; end < raw.n && (ascii_is_alnum(raw.p[end]) || raw.p[end] == '.'); end++)
		dots += raw.p[end] == '.';
	if (!x || dots < 2)
		return NULL;
	s->version = str_sub(raw, from, end);
	TRY(suggest_package(s, x->name, STR(""), SUGGEST_TREE, raw, at));
	s->version = STR("");
	return NULL;
}

static struct err *suggest_phrase(struct suggest *s, const struct ban *ban, struct str phrase,
				  struct str raw, size_t at)
{
	size_t at_phrase = ban_find(s->a, raw, phrase), from = at_phrase + phrase.n;
	bool compares = ban->kind == BAN_COMPARE;
	size_t before = s->out->n;
	struct str object, rival, rest, behind;

	if (at_phrase == SIZE_MAX)
		return NULL;
	object = ban->before ? str_sub(raw, at_phrase - size_min(at_phrase, 200), at_phrase)
			     : option_cut(str_sub(raw, from, from + 100), object_ends);
	if (ban->kind == BAN_PIN)
		return suggest_pin(
			s, ban->before ? str_trim(object) : option_cut(object, object_nouns), raw,
			at);
	TRY(suggest_objects(s, object, !compares, raw, at));
	if (!compares)
		suggest_unknown(s, object, ban->before, raw, at);
	else if (ban->before)
		return NULL;
	/* "Do not use Dataloader": a thing that no manifest has any more. */
	if (ban->kind == BAN_USE && s->out->n == before && object.n > 2 &&
	    ascii_is_upper(object.p[0]) && !ascii_is_upper(object.p[1]) &&
	    object_word(object, 0) == object.n && option_is_name(object))
		return suggest_package(s, str_lower(s->a, object), STR(""), SUGGEST_GUESS, raw, at);
	rival = ban->before ? STR("") : object_rival(raw, at_phrase, object);
	for (rest = object; rest.n; compares &= str_find(behind, STR("or "), 0) < behind.n)
		TRY(suggest_alone(s, raw, rival, object_next(&rest, &behind), compares, at));
	return NULL;
}

static struct err *folder_has(void *ctx, const struct tree_file *f)
{
	*(bool *)ctx |= f != NULL;
	return NULL;
}

/* The folder of the tree that a sentence is for: "in `src`"; or empty. */
static struct err *suggest_folder(struct suggest *s, struct str raw)
{
	struct str rest = STR(" in `| under `| below `| inside `| within `"), in, folder;

	s->folder = STR("");
	while (s->names->tree && str_next_part(&rest, '|', &in)) {
		size_t at = str_find(raw, in, 0);
		bool has = false;

		if (at == SIZE_MAX)
			continue;
		folder = str_sub(raw, at + in.n, str_find_char(raw, '`', at + in.n));
		while (str_ends(folder, STR("/")))
			folder.n--;
		if (folder.n)
			TRY(tree_foreach(s->names->tree, str_fmt(s->a, "%.*s/", STR_ARG(folder)),
					 folder_has, &has));
		if (has)
			s->folder = folder;
	}
	return NULL;
}

static struct err *suggest_sentence(struct suggest *s, struct str raw, size_t at)
{
	TRY(suggest_folder(s, raw));
	for (size_t i = 0; i < ARRAY_SIZE(bans); i++)
		for (struct str rest = str_of(bans[i].phrases), phrase;
		     str_next_part(&rest, '|', &phrase);)
			TRY(suggest_phrase(s, &bans[i], phrase, raw, at));
	s->folder = STR("");
	/* "Use pnpm everywhere": the lockfiles of the others go. */
	for (size_t k = 0; k < ARRAY_SIZE(managers); k++) {
		struct str use = str_fmt(s->a, "use %s everywhere", managers[k].words);

		for (size_t i = 0; i < ARRAY_SIZE(managers); i++)
			if (i != k && (i < python_managers) == (k < python_managers) &&
			    ban_find(s->a, raw, use) != SIZE_MAX)
				TRY(suggest_term(s, &managers[i], raw, at));
	}
	return NULL;
}

/* A paragraph, as it is written, by its sentences. */
static struct err *suggest_prose(struct suggest *s, const struct md_block *b)
{
	size_t from = b->at.from, to = b->at.to;
	struct buf line = buf_in(s->a);
	size_t begin = from;

	for (size_t i = from; i <= to && i <= s->text.n; i++) {
		bool end = i == to || i == s->text.n;
		char c = end ? ' ' : s->text.p[i];

		if (!end &&
		    !(strchr(".!?", c) && (i + 1 == to || ascii_is_any_space(s->text.p[i + 1])))) {
			buf_putc(&line, ascii_is_any_space(c) ? ' ' : c);
			continue;
		}
		/* A question forbids nothing. */
		if (line.n && (end || c != '?'))
			TRY(suggest_sentence(s, buf_as_str(&line), begin));
		line = buf_in(s->a);
		begin = i + 1;
		while (begin < to && ascii_is_any_space(s->text.p[begin]))
			begin++;
	}
	return NULL;
}

/* ---- tables and examples ---- */

/* What a heading, a cell or a comment says of what stands below or behind it. */
enum suggest_mark { MARK_NONE, MARK_GOOD, MARK_BAD };

static enum suggest_mark suggest_mark(struct str s)
{
	static const char bad[] =
		"forbidden|don't|don\xe2\x80\x99t|do not|bad|wrong|incorrect|avoid|never|not allowed|"
		"instead of|prohibited|deprecated";
	static const char good[] = "correct|do|good|right|use|allowed|instead|preferred|prefer";

	return s.n > 40            ? MARK_NONE
	       : word_any(s, bad)  ? MARK_BAD
	       : word_any(s, good) ? MARK_GOOD
				   : MARK_NONE;
}

/* The cells of a row; a bar behind a backslash or in backticks ends none. */
static struct strs table_cells(struct arena *a, struct str line)
{
	struct strs cells = {0};
	bool ticks = false;
	size_t from = 0;

	line = str_trim(line);
	str_take_char(&line, '|');
	for (size_t i = 0; i <= line.n; i++) {
		ticks ^= i < line.n && line.p[i] == '`';
		if (i < line.n && (line.p[i] != '|' || ticks || (i && line.p[i - 1] == '\\')))
			continue;
		if (i > from || i < line.n)
			strs_push(a, &cells, str_trim(str_sub(line, from, i)));
		from = i + 1;
	}
	return cells;
}

static bool table_is_rule(struct str line)
{
	bool dash = false;

	for (size_t i = 0; i < line.n; i++) {
		dash |= line.p[i] == '-';
		if (!strchr("|:- \t\r", line.p[i]))
			return false;
	}
	return dash && str_find_char(line, '|', 0) < line.n;
}

/* A table that has a column of what is forbidden. */
static struct err *suggest_table(struct suggest *s, const struct md_block *b)
{
	struct str rest = str_sub(s->text, b->at.from, b->at.to), line;
	size_t good = SIZE_MAX, bad = SIZE_MAX, ticks;
	struct strs head, cells;

	if (!str_next_line(&rest, &line))
		return NULL;
	head = table_cells(s->a, line);
	for (size_t i = 0; i < head.n; i++) {
		enum suggest_mark mark = suggest_mark(head.p[i]);

		if (mark == MARK_BAD && bad == SIZE_MAX)
			bad = i;
		if (mark == MARK_GOOD && good == SIZE_MAX)
			good = i;
	}
	if (bad == SIZE_MAX || !str_next_line(&rest, &line) || !table_is_rule(line))
		return NULL;
	while (str_next_line(&rest, &line)) {
		cells = table_cells(s->a, line);
		if (bad >= cells.n)
			continue;
		s->instead = good < cells.n ? cells.p[good] : STR("");
		ticks = str_find_char(s->instead, '`', 0);
		if (ticks != SIZE_MAX)
			s->instead = str_sub(s->instead, ticks + 1,
					     str_find_char(s->instead, '`', ticks + 1));
		TRY(suggest_objects(s, cells.p[bad], true, line, (size_t)(line.p - s->text.p)));
		suggest_unknown(s, cells.p[bad], false, line, (size_t)(line.p - s->text.p));
	}
	s->instead = STR("");
	return NULL;
}

/* A pair of examples, one of which is forbidden. */
struct sample {
	struct buf bad, good;
	size_t at; /* of the forbidden one */
	enum suggest_mark last;
};

/* The name that is called here: "a.b(" or "a("; empty: none. */
static struct str sample_call(struct str line, size_t *from)
{
	static const char words[] = "if|for|while|switch|return|function|catch";

	for (size_t i = *from; i < line.n; i++) {
		size_t begin = i, end;

		if (!ascii_is_letter(line.p[i]))
			continue;
		for (end = i;
		     end < line.n && (ascii_is_alnum(line.p[end]) || strchr("._", line.p[end]));)
			end++;
		i = end;
		if (end < line.n && line.p[end] == '(' &&
		    !word_any(str_sub(line, begin, end), words)) {
			*from = end;
			return str_sub(line, begin, end);
		}
	}
	return STR("");
}

/* A package in quotes behind import, from or require; else the one call that the good one lacks. */
static struct err *suggest_sample(struct suggest *s, struct sample *x)
{
	static const char imports[] = "import|from|require";
	struct str rest = buf_as_str(&x->bad), good = buf_as_str(&x->good), line, call = {"", 0},
		   said;
	size_t before = s->out->n, calls = 0;

	for (; str_next_line(&rest, &line);) {
		size_t open = str_find_char(line, '\'', 0), from = 0;
		const struct suggest_name *name;

		said = line;
		if (open == SIZE_MAX)
			open = str_find_char(line, '"', 0);
		if (open < line.n && word_any(line, imports)) {
			struct str module = str_sub(line, open + 1,
						    str_find_char(line, line.p[open], open + 1));

			name = names_find(s->a, s->names, module);
			if (name && str_find(good, module, 0) == SIZE_MAX)
				TRY(suggest_package(s, name->name, STR(""), SUGGEST_TREE, said,
						    x->at));
			continue;
		}
		for (struct str one; (one = sample_call(line, &from)).n;)
			if (word_find(good, one, 0) == SIZE_MAX && !str_eq(one, call)) {
				call = one;
				calls++;
			}
	}
	/* Without a good one, a call may be there by chance. */
	if (s->out->n == before && calls == 1 && good.n)
		TRY(suggest_code(s, str_fmt(s->a, "%.*s()", STR_ARG(call)), buf_as_str(&x->bad),
				 x->at));
	*x = (struct sample){.bad = buf_in(s->a), .good = buf_in(s->a)};
	return NULL;
}

/* A block of code by its lines: a comment may mark those that follow. */
static struct err *suggest_code_block(struct suggest *s, const struct md_block *b,
				      enum suggest_mark mark, struct sample *x)
{
	struct str rest = b->text, line;

	while (str_next_line(&rest, &line)) {
		struct str trimmed = str_trim(line);

		if (str_starts(trimmed, STR("//")) || str_starts(trimmed, STR("#")) ||
		    str_starts(trimmed, STR("--"))) {
			enum suggest_mark now = suggest_mark(trimmed);

			mark = now ? now : mark;
			continue;
		}
		if (mark == MARK_NONE || !trimmed.n)
			continue;
		if (mark != x->last && x->bad.n && x->good.n)
			TRY(suggest_sample(s, x));
		x->last = mark;
		if (mark == MARK_BAD && !x->bad.n)
			x->at = b->at.from;
		buf_put(mark == MARK_BAD ? &x->bad : &x->good, line);
		buf_putc(mark == MARK_BAD ? &x->bad : &x->good, '\n');
	}
	return NULL;
}

struct err *suggest_from_item(struct arena *a, const struct suggest_names *names,
			      const struct kn_item *item, struct str text, struct suggestions *out)
{
	struct suggest s = {.a = a, .names = names, .item = item, .text = text, .out = out};
	size_t body = md_body_offset(text), first = out->n, unknown = out->unknown.n;
	bool decides = false, left_out = false;
	struct sample sample = {.bad = buf_in(a), .good = buf_in(a)};
	enum suggest_mark mark = MARK_NONE;

	TRY(md_read(a, str_sub(text, body, text.n), body, &s.md));
	VEC_EACH(const struct md_block, b, &s.md) {
		if (b->type == MD_HEADING && !b->depth) {
			decides = heading_has(b, heading_decision) && !heading_has(b, heading_not);
			if (b->level <= 2)
				left_out = !decides && heading_has(b, heading_not);
			if (b->level == 1)
				TRY(suggest_prose(&s, b));
		}
		if (b->type == MD_PARAGRAPH && decides)
			TRY(suggest_prose(&s, b));
		if (b->type == MD_PARAGRAPH && !left_out)
			TRY(suggest_table(&s, b));
		if (b->type == MD_CODE && !left_out)
			TRY(suggest_code_block(&s, b, mark, &sample));
		mark = b->type == MD_CODE ? MARK_NONE : suggest_mark(b->text);
	}
	TRY(suggest_sample(&s, &sample));
	TRY(suggest_managers(&s));
	TRY(suggest_options(&s));
	unknown_settle(&s, unknown, first);
	return NULL;
}
