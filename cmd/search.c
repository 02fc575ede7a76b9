/* search and grep: find the lines that match, in files and assets (requirement: garden,
 * fs.search). */
#include "common/files.h"
#include "common/plain.h"
#include "common/search_result.h"
#include "app/warnings.h"

#define MAX_JSON ((size_t)1000) /* lines, in answers that are not streamed */

struct args {
	struct str pattern, root, glob, type, replace;
	struct strs patterns, paths, globs, types;
	bool ignoreCase, word, fixed, invert, files, count, all, zero, habit, onlyMatching,
		multiline;
	int64_t context, before, after, limit, offset;
	int output_mode;
	bool numbers;
};

/* As Claude Code's Grep names them. */
enum { MODE_CONTENT, MODE_FILES, MODE_COUNT };
static const char *const search_modes[] = {"content", "files_with_matches", "count", NULL};

#define PATTERN_HELP "a regular expression (PCRE2)"
#define WHERE_HELP   "a file or folder, or ikigai:///FOLDER"
/* clang-format off */
/* Letters that users of grep type. search behaves that way without them. */
#define HABIT(c, name)                                                                             \
	PARAM(habit, .letter = c, .option = name, .flags = CLI_ONLY | HIDDEN)
#define PARAMS(root_name, root_also)                                                                          \
	PARAM(pattern, .flags = ARG | CLI_ONLY, .min = 1, .max = RE_PATTERN_MAX,                   \
	      .help = PATTERN_HELP "; with -e it is the first place to search"),                   \
	{.name = root_name, .type = P_STR, .offset = offsetof(struct args, root),                  \
	 .flags = JSON_ONLY | GARDEN_NAMES, .also = root_also, .min = 1, .max = OS_PATH_MAX,                      \
	 .help = WHERE_HELP "; default: the current folder"},                                      \
	PARAM(paths, .flags = RARE | ARG | PATHS | GARDEN_NAMES, .meta = "PATH", .min = 1, .max = OS_PATH_MAX,           \
	      .complete = uri_complete,                                                            \
	      .help = WHERE_HELP "; may be repeated; default: the current folder"),                \
	PARAM(patterns, .flags = RARE, .letter = 'e', .option = "regexp", .meta = "PATTERN", .min = 1,            \
	      .max = RE_PATTERN_MAX, .help = "another pattern; may be repeated"),                  \
	PARAM(ignoreCase, .letter = 'i', .also = "-i ignore_case case_insensitive", .help = "ignore case"),                                   \
	PARAM(word, .flags = RARE, .letter = 'w', .help = "find whole words only"),                               \
	PARAM(fixed, .flags = RARE, .letter = 'F', .help = "treat patterns as plain text"),                       \
	PARAM(invert, .flags = RARE, .letter = 'v', .help = "find the lines that do not match"),                  \
	PARAM(files, .letter = 'l', .help = "only the names of files that have a match"),         \
	PARAM(count, .flags = RARE, .letter = 'c', .help = "print the number of matching lines for each file"),   \
	PARAM(onlyMatching, .flags = RARE, .letter = 'o', .help = "print only the matches, each on a line of its own"),   \
	PARAM(multiline, .flags = RARE, .letter = 'U', .help = "a match may have several lines; . matches no line end, (?s). does"),   \
	PARAM(replace, .flags = RARE, .meta = "TEXT", .max = RE_PATTERN_MAX,                       \
	      .help = "show as a diff what replacing each match would change, and write nothing; " \
		      "$1 is a group, $0 the match, $$ a dollar sign"),                            \
	PARAM(context, .letter = 'C', .also = "-C", .meta = "N", .def = "0", .min = 0, .max = SEARCH_CONTEXT,    \
	      .help = "also print this many lines before and after"),                              \
	PARAM(before, .flags = RARE, .letter = 'B', .also = "-B", .option = "before-context", .meta = "N",       \
	      .def = "-1", .min = -1, .max = SEARCH_CONTEXT,                                       \
	      .help = "the lines before a match; -1: as context says"),                            \
	PARAM(after, .flags = RARE, .letter = 'A', .also = "-A", .option = "after-context", .meta = "N",         \
	      .def = "-1", .min = -1, .max = SEARCH_CONTEXT,                                       \
	      .help = "the lines after a match; -1: as context says"),                             \
	PARAM(limit, .letter = 'm', .also = "head_limit max_results maxResults", .meta = "N", .min = 1, .max = 1000000,                         \
	      .tool_help = "at most so many lines or files; default: 1000",                        \
	      .help = "at most so many lines or files; default: 1000 in JSON, all in text"),       \
	PARAM(offset, .flags = RARE | JSON_ONLY, .min = 0, .max = 1000000, .page = "",                    \
	      .help = "skip this many lines or files"),                                            \
	PARAM(glob, .flags = JSON_ONLY, .also = "include", .min = 1, .max = RE_PATTERN_MAX,                           \
	      .help = "only files whose path in the folder matches; ! excludes"),                  \
	PARAM(globs, .flags = RARE, .letter = 'g', .option = "glob", .meta = "GLOB", .min = 1,                    \
	      .max = RE_PATTERN_MAX,                                                               \
	      .help = "only files whose path matches; ! excludes; may be repeated"),               \
	PARAM(type, .flags = RARE | JSON_ONLY,                                          \
	      .help = "only files of this type, such as c, py or md"),                             \
	PARAM(types, .flags = RARE, .letter = 't', .option = "type", .meta = "TYPE",                              \
	      .help = "only files of this type; may be repeated; list shows the types"),           \
	PARAM(all, .flags = RARE, .letter = 'a', .help = "also search files that .gitignore excludes, and history copies of the garden"),           \
	PARAM(output_mode, .flags = JSON_ONLY | HIDDEN, .choices = search_modes,                   \
	      .def = "content", .help = "content, files_with_matches or count"),                   \
	PARAM(numbers, .flags = JSON_ONLY | HIDDEN, .also = "-n",                                  \
	      .help = "taken, since lines always have their numbers"),                             \
	PARAM(zero, .letter = 'z', .flags = CLI_ONLY, .help = "end each path with a NUL"),         \
	HABIT('n', "line-number"), HABIT('r', "recursive"), HABIT('E', "extended-regexp"),         \
	HABIT('P', "perl-regexp"), HABIT('H', "with-filename"),                                    \
	{0}
/* clang-format on */

static const struct param search_params[] = {
	PARAM(pattern, .flags = JSON_ONLY, .also = "query", .min = 1, .max = RE_PATTERN_MAX,
	      .help = PATTERN_HELP "; without it: the names of all files"),
	PARAMS("path", "root"),
};
static const struct param grep_params[] = {
	PARAM(pattern, .flags = JSON_ONLY | REQUIRED, .also = "query", .min = 1,
	      .max = RE_PATTERN_MAX, .help = PATTERN_HELP),
	PARAMS("path", "root"),
};

/* Merges both ways to give a parameter, and the words of a command line. */
static struct err *search_wanted(struct call *c, const struct args *args, struct search *s,
				 struct strs *roots)
{
	struct strs globs = args->globs, types = args->types;
	bool shift = c->face == FACE_ARGV && args->patterns.n;

	*s = (struct search){
		.patterns = args->patterns,
		.flags = (args->ignoreCase ? RE_ICASE : 0) | (args->word ? RE_WORD : 0) |
			 (args->fixed ? RE_LITERAL : 0),
		.invert = args->invert,
		.want = args->count || args->output_mode == MODE_COUNT ? SEARCH_COUNTS
			: args->files || args->replace.p || args->output_mode == MODE_FILES
				? SEARCH_FILES
				: SEARCH_LINES,
		.each = args->onlyMatching,
		.across = args->multiline,
		.before = (size_t)(args->before >= 0 ? args->before : args->context),
		.after = (size_t)(args->after >= 0 ? args->after : args->context),
		.max = (size_t)args->limit,
	};
	if (shift && args->pattern.p)
		strs_push(c->a, roots, args->pattern);
	else if (args->pattern.p)
		strs_push(c->a, &s->patterns, args->pattern);
	s->names = !s->patterns.n && c->face != FACE_ARGV && !args->count;
	if (s->names)
		s->want = SEARCH_FILES;
	if (!s->patterns.n && (!s->names || args->replace.p || args->onlyMatching))
		return err_help(
			err_param(E_MISSING_PARAMETER, STR("pattern"), "pattern is missing"),
			"ikm %s PATTERN [PATH...]", c->cmd->name);
	if (args->files && (args->count || args->replace.p))
		return err_new(E_BAD_ARGUMENT, "files and %s exclude each other",
			       args->count ? "count" : "replace");
	for (size_t i = 0; i < s->patterns.n && !s->across && !s->invert; i++)
		s->across = re_asks_line_break(s->patterns.p[i], s->flags);
	TRY(search_check(s, args->replace.p));
	if (args->root.p)
		strs_push(c->a, roots, args->root);
	for (size_t i = 0; i < args->paths.n; i++)
		strs_push(c->a, roots, args->paths.p[i]);
	if (!roots->n)
		strs_push(c->a, roots, STR("."));
	if (args->glob.p)
		strs_push(c->a, &globs, args->glob);
	if (args->type.p)
		strs_push(c->a, &types, args->type);
	s->copies = args->all || files_ask_copies(&globs);
	return file_pick_new(c->a, &globs, &types, args->all, &s->pick);
}

static bool asks_types(const struct args *args)
{
	return str_is(args->type, "list") || strs_has(&args->types, STR("list"));
}

/* People read the lines as ikm finds them. JSON waits for the lines after a match. */
static struct err *search_cmd_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct search_result *r = out;
	struct search_done done;
	struct strs roots = {0};
	struct matches *m = NULL;
	struct print *print;
	struct search s;
	struct files *f;
	struct str odd;

	if (asks_types(args)) {
		matches_types(r);
		return NULL;
	}
	TRY(search_wanted(c, args, &s, &roots));
	/* A preview needs all paths first. */
	if (cmd_emits_text(c) && !args->replace.p) {
		s.ctx = print = ARENA_NEW(c->a, struct print);
		*print = (struct print){.out = c->out,
					.counts = args->count,
					.zero = args->zero,
					.each = args->onlyMatching,
					.context = s.before || s.after,
					.last = buf_in(c->a)};
		s.line = print_line;
		s.file = print_file;
		s.enough = print_enough;
	} else {
		s.ctx = m = matches_new(c->a, &s, fit_of_call(c), (size_t)args->offset, r);
		s.line = matches_line;
		s.file = matches_file;
		s.enough = matches_enough;
		s.max = s.max ? s.max : cmd_emits_text(c) ? 0 : MAX_JSON;
		s.max += s.max ? (size_t)args->offset : 0;
		s.count_on = true;
	}
	TRY(files_open(c, &f));
	TRY(search_run(f, &roots, &s, &done));
	if (!done.told)
		TRY(warnings_none(c, done.unreadable + done.gave_up,
				  done.gave_up ? E_MATCH_LIMIT : done.why, &done.warnings));
	if (s.across && !args->multiline)
		strs_push(c->a, &done.warnings,
			  STR("the pattern asks for line ends, so a match may have several lines "
			      "(multiline)"));
	files_left_warn(c, &done.left, &done.warnings);
	odd = done.matched ? (struct str){0} : files_glob_is_list(c, args->glob);
	if (odd.p)
		strs_push(c->a, &done.warnings, odd);
	if (m)
		matches_done(m, &s, &done);
	else if (done.told || files_left_any(&done.left) || (s.across && !args->multiline))
		r->warnings = done.warnings;
	return args->replace.p ? search_preview(c, f, &s, args->replace, r) : NULL;
}

static void search_cmd_text(struct call *c, const void *args, const void *p)
{
	const struct search_result *r = p;

	(void)args;
	for (size_t i = 0; i < r->types.n; i++)
		out_fmt(c->out, "%-10s %s\n", r->types.p[i].name, r->types.p[i].files);
	print_changes(c, r);
	warnings_print(c, &r->warnings);
}

#define SEARCH                                                                                     \
	.need = NEED_ROOTS | NEED_CONF, .args_size = sizeof(struct args), .result = search_result, \
	.result_size = sizeof(struct search_result), .run = search_cmd_run,                        \
	.text = search_cmd_text, .plain = &plain_search,                                           \
	.description =                                                                             \
		"Find the lines of files and stored assets that match a regular expression. "      \
		"Skips binary files and files that .gitignore excludes."

const struct cmd cmd_search = {
	.name = "search",
	.tool = "fs_search",
	.toolset = SET_FILES,
	.more_toolsets = 1u << SET_GARDEN,
	.traits = TOOL_READS | TOOL_CORE | TOOL_LONG | TOOL_EVERY_ROOT,
	.summary = "find lines that match a pattern",
	.params = search_params,
	SEARCH,
};

const struct cmd cmd_grep = {
	.name = "grep",
	.tool = "grep",
	.toolset = SET_FILES,
	.traits = TOOL_READS | TOOL_SYNONYM,
	.summary = "find lines that match a pattern (same as search)",
	.params = grep_params,
	SEARCH,
};
