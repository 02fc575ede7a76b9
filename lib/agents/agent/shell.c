/*
 * The literal words of a shell command: packages that it would install, and words that skip Git's
 * hooks. This is help for an agent that means well. A command can hide anything from it.
 */
#include "agent/internal.h"
#include "lexer/lexer.h"

#define SHELL_DEPTH 3 /* sh -c "sh -c ..." */

struct shell_reader {
	struct arena *a;
	struct agent_shell *out;
	unsigned depth;
};

static struct strs words_from(const struct strs *words, size_t n)
{
	n = size_min(n, words->n);
	return (struct strs){words->p + n, words->n - n, words->n - n};
}

/* list: NULL or words that blanks divide. */
static bool word_in(struct str word, const char *list)
{
	return list && lexer_word_is_one_of(word, list);
}

/* ---- words that skip hooks ---- */

static void shell_skip(struct shell_reader *r, struct str what)
{
	if (!r->out->skips.n)
		r->out->skips = what;
}

/* HUSKY=0 and its like; SKIP is only pre-commit's in front of git. */
static void shell_assignment(struct shell_reader *r, struct str word, bool git)
{
	static const char off[] = "HUSKY=0 LEFTHOOK=0 LEFTHOOK=false IKM_HOOKS=0";

	if (word_in(word, off) || (git && str_starts(word, STR("SKIP=")) && word.n > 5))
		shell_skip(r, word);
}

static bool shell_is_assignment(struct str word)
{
	size_t eq = str_find_char(word, '=', 0);

	if (eq == SIZE_MAX || !eq || ascii_is_digit(word.p[0]))
		return false;
	for (size_t i = 0; i < eq; i++)
		if (!ascii_is_alnum(word.p[i]) && word.p[i] != '_')
			return false;
	return true;
}

/* -n among the letters of `git commit -anm TEXT`; behind a letter with a value comes the value. */
static bool shell_has_n(struct str word)
{
	if (word.n < 2 || word.p[0] != '-' || word.p[1] == '-')
		return false;
	for (size_t i = 1; i < word.n && !strchr("mFcCtSu", word.p[i]); i++)
		if (word.p[i] == 'n')
			return true;
	return false;
}

static void shell_git(struct shell_reader *r, const struct strs *words)
{
	static const char valued[] = "-m -F -C -c -t --message --file --author --date --template";
	static const char global[] = "-C -c --git-dir --work-tree";
	struct str verb = {"", 0};
	size_t i = 1;

	for (; i < words->n && str_starts(words->p[i], STR("-")); i++) {
		bool takes = word_in(words->p[i], global);

		if (takes && i + 1 < words->n &&
		    str_ieq(str_sub(words->p[i + 1], 0, 15), STR("core.hooksPath=")))
			shell_skip(r, str_fmt(r->a, "-c %.*s", STR_ARG(words->p[i + 1])));
		i += takes;
	}
	if (i < words->n)
		verb = words->p[i++];
	for (; i < words->n; i++) {
		struct str w = words->p[i];

		if (str_is(w, "--"))
			return;
		if (str_starts(w, STR("--no-verif")) ||
		    (str_is(verb, "commit") && shell_has_n(w)) ||
		    (str_is(verb, "config") && str_ieq(w, STR("core.hooksPath")) &&
		     (i + 1 < words->n || str_starts(words->p[i - 1], STR("--unset")))))
			shell_skip(r, str_fmt(r->a, "git %.*s %.*s", STR_ARG(verb), STR_ARG(w)));
		i += word_in(w, valued);
	}
}

/* ---- packages ---- */

static const struct shell_manager {
	const char *programs, *verbs;
	const char *ecosystem; /* as deps_ecosystem_by_name() knows it; its grammar reads the
				  packages */
	const char *valued;    /* options with a value */
	const char *global;    /* options with which the repository gets nothing */
	const char *noun;      /* what stands beside the verb, or NULL */
	const char *removes;   /* how a package ends that is taken away, or NULL */
} shell_managers[] = {
	{"npm",
	 "i install add in ins inst insta instal isnt isnta isntal isntall "
	 "install-test it",
	 "npm", "-w --workspace --prefix --registry --tag", "-g --global --location=global"},
	{"pnpm", "add i install", "npm", "--filter -F -C --dir --registry", "-g --global"},
	{"yarn", "add", "npm",
	 "workspace workspaces --cwd --registry --include --exclude --from -j --jobs",
	 "-g --global"},
	{"bun", "add a i install", "npm", "--cwd --registry", "-g --global"},
	{"deno", "add i install", "npm", "-c --config", "-g --global"},
	{"pip", "install", "pypi",
	 "-r --requirement -c --constraint -i --index-url --extra-index-url "
	 "-f --find-links -t --target --prefix --root -e --editable --python",
	 NULL},
	{"uv poetry", "add", "pypi",
	 "-r --requirements -c --constraints --group -G --extra -E "
	 "--optional --package --index --source --python --directory -C",
	 NULL},
	{"pdm", "add", "pypi", "-p --project -G --group -e --editable -L --lockfile",
	 "-g --global"},
	{"pipenv", "install", "pypi",
	 "-r --requirements -e --editable -i --index --python --categories --extra-pip-args", NULL},
	{"conda mamba micromamba", "install", "conda",
	 "-n --name -p --prefix -c --channel -f --file --solver", NULL},
	{"pixi", "add", "conda",
	 "-f --feature -p --platform -e --environment --manifest-path --git --branch --tag --rev",
	 NULL},
	{"pub", "add", "pub", "-C --directory", NULL},
	{"gem", "install i", "gem", "-v --version -i --install-dir -n --bindir -s --source", NULL},
	{"cargo", "add", "cargo",
	 "-F --features --git --branch --tag --rev --path --rename -p "
	 "--package --target --registry --manifest-path",
	 NULL},
	{"go", "get", "go", "-C -modfile -tags", .removes = "@none"},
	{"bundle bundler", "add", "gem",
	 "-v --version -g --group -s --source --git --github --branch --ref "
	 "--path --glob -r --require",
	 NULL},
	{"composer", "require", "composer", "-d --working-dir --prefer-install", NULL},
	{"dotnet", "add", "nuget",
	 "-v --version -f --framework -s --source --package-directory --project",
	 .noun = "package"},
};

static void shell_install(struct shell_reader *r, const struct shell_manager *m,
			  const struct strs *words, size_t from)
{
	struct str version = {"", 0};

	for (size_t i = 1; i < words->n; i++)
		if (word_in(words->p[i], m->global))
			return;
	/* The value of --version or -v, where these give the version of a package. */
	for (size_t i = from; word_in(STR("--version"), m->valued) && i + 1 < words->n; i++)
		if (str_is(words->p[i], "--version") || str_is(words->p[i], "-v")) {
			version = words->p[i + 1];
			break;
		}
	for (size_t i = from; i < words->n; i++) {
		struct str word = words->p[i];
		struct check_dep dep = {
			.name = word, .version = version, .ecosystem = str_of(m->ecosystem)};

		if (str_starts(word, STR("-"))) {
			i += word_in(word, m->valued);
			continue;
		}
		/* Paths, and what a variable holds, name no package. */
		if (word.n && !strchr("./~", word.p[0]) &&
		    str_find_char(word, '$', 0) == SIZE_MAX &&
		    !(m->removes && str_ends(word, str_of(m->removes))) &&
		    !check_validate_given_deps(r->a, &dep, 1))
			*VEC_PUSH(r->a, &r->out->deps) = dep;
	}
}

/*
 * How many words stand before the packages; 0: it installs none. The verb is the first word, but
 * for "dotnet package add NAME" and "dotnet add PROJECT package NAME".
 */
static size_t shell_verb(const struct shell_manager *m, const struct strs *words)
{
	bool verb = false, noun = !m->noun;

	for (size_t i = 1; i < words->n; i++) {
		struct str word = words->p[i];

		if (!verb && word_in(word, m->verbs))
			verb = true;
		else if (!noun && word_in(word, m->noun))
			noun = true;
		else if (word_in(word, m->valued))
			i++;
		else if (!verb && !str_starts(word, STR("-")))
			break;
		if (verb && noun)
			return i + 1;
	}
	return 0;
}

/* ---- commands ---- */

static void shell_read(struct arena *a, struct str command, struct agent_shell *out,
		       unsigned depth);

/* Programs that run the one behind them. */
static const struct shell_wrapper {
	const char *programs;
	const char *valued; /* options with a value */
	const char *verbs;  /* only behind one of these; NULL: always */
	const char *until;  /* words behind one of which the program stands, if it is there */
	size_t words;       /* of its own, before the program */
} shell_wrappers[] = {
	{.programs = "command nohup export corepack setsid builtin chronic unbuffer busybox"},
	{"exec", "-a", NULL, NULL, 0},
	{"sudo doas", "-u -g -h -p -C -D -R -T --user --group --chdir", NULL, NULL, 0},
	{"env", "-u -C --unset --chdir", NULL, NULL, 0},
	{"nice", "-n --adjustment", NULL, NULL, 0},
	{"ionice", "-c -n --class --classdata", NULL, NULL, 0},
	{"time", "-f -o --format --output", NULL, NULL, 0},
	{"timeout gtimeout", "-s -k --signal --kill-after", NULL, NULL, 1},
	{"stdbuf", "-i -o -e --input --output --error", NULL, NULL, 0},
	{"xargs", "-n -P -I -L -d -a -s -E --max-args --max-procs --delimiter --arg-file", NULL,
	 NULL, 0},
	{"parallel", "-j --jobs -a --arg-file -n --max-args", NULL, NULL, 0},
	{"flock", "-w --timeout -E --conflict-exit-code", NULL, NULL, 1},
	{"taskset", NULL, NULL, NULL, 1},
	{"strace", "-a -b -e -I -o -O -p -P -s -S -u -U -E -X", NULL, NULL, 0},
	{"watch", "-n --interval -q --equexit", NULL, NULL, 0},
	{"caffeinate", "-t -w", NULL, NULL, 0},
	{"find", NULL, NULL, "-exec -execdir -ok -okdir", 0},
	{"dotenv", "-e -c -v -p", NULL, "--", 0},
	{"mise", "-C --cd -j --jobs", "exec x", "--", 0},
	{"direnv", NULL, "exec", NULL, 1},
	{"npx bunx uvx", "-p --package -w --workspace --from --with --python", NULL, NULL, 0},
	{"uv poetry pdm hatch rye pixi pipenv conda mamba micromamba volta nvm fnm npm pnpm yarn "
	 "bundle",
	 "-p --python --with --extra --group --package --project --directory --env-file --index "
	 "-n --name --prefix -e --environment --node --npm --using -C --filter",
	 "run exec dlx", NULL, 0},
};

static struct str shell_program(struct str word)
{
	/* yarn@4.1 of corepack, npm.cmd */
	word = str_base(word);
	word = str_sub(word, 0, size_min(str_find_char(word, '@', 0), word.n));
	if (word.n > 4 && word_in(str_sub(word, word.n - 4, word.n), ".cmd .exe .bat"))
		word.n -= 4;
	/* pip3.11, python3 */
	while (word.n > 2 && (str_starts(word, STR("pip")) || str_starts(word, STR("py"))) &&
	       (ascii_is_digit(word.p[word.n - 1]) || word.p[word.n - 1] == '.'))
		word.n--;
	return word;
}

/* The row of the wrapper at the beginning of the words; NULL: it is none. */
static const struct shell_wrapper *shell_wrapper(const struct strs *words)
{
	for (size_t k = 0; k < ARRAY_SIZE(shell_wrappers); k++) {
		const struct shell_wrapper *w = &shell_wrappers[k];

		if (word_in(shell_program(words->p[0]), w->programs) &&
		    (!w->verbs || (words->n > 1 && word_in(words->p[1], w->verbs))))
			return w;
	}
	return NULL;
}

/* How many words stand before the program and leave it what it is: "sudo", "env A=b". */
static size_t shell_wrapped(struct shell_reader *r, const struct strs *words)
{
	const struct shell_wrapper *w = NULL, *next;
	size_t i = 0, own = 0;
	uint32_t alone = 0; /* rows of which no `until` follows: no second search for it */

	_Static_assert(ARRAY_SIZE(shell_wrappers) <= 32, "a bit for each");
	for (; i < words->n; i++) {
		struct str word = words->p[i];
		struct strs rest = words_from(words, i);

		if (shell_is_assignment(word)) {
			shell_assignment(r, word, false);
		} else if (str_starts(word, STR("-"))) { /* also those of the keyword "time" */
			i += w && word_in(word, w->valued);
		} else if (own) {
			own--;
		} else if ((next = shell_wrapper(&rest))) {
			w = next;
			own = w->words;
			i += w->verbs != NULL;
			if (w->until && !(alone & 1u << (w - shell_wrappers))) {
				size_t k = i + 1;

				while (k < words->n && !word_in(words->p[k], w->until))
					k++;
				if (k < words->n)
					i = k;
				else
					alone |= 1u << (w - shell_wrappers);
			}
		} else if (!w || !ascii_is_digit(word.p[0])) { /* "nvm exec 18" */
			break;
		}
	}
	return size_min(i, words->n);
}

/* What a shell reads as commands: of "bash --norc -o pipefail -ec TEXT NAME" the TEXT. */
static struct str shell_text(const struct strs *words)
{
	bool text = false;
	size_t i = 1;

	for (; i < words->n; i++) {
		struct str word = words->p[i];

		if (str_is(word, "--") || str_is(word, "-")) {
			i++;
			break;
		}
		if (word_in(word, "--rcfile --init-file")) {
			i++;
		} else if (!str_starts(word, STR("--"))) {
			if (!word.n || !strchr("-+", word.p[0]))
				break;
			text |= str_find_char(word, 'c', 0) != SIZE_MAX;
			i += strchr("oO", word.p[word.n - 1]) != NULL;
		}
	}
	return text && i < words->n ? words->p[i] : STR("");
}

static void shell_words(struct shell_reader *r, const struct strs *all)
{
	static const char shells[] = "sh bash dash zsh";
	size_t at = shell_wrapped(r, all), i = 1;
	struct strs words = words_from(all, at);

	if (!words.n)
		return;
	words.p[0] = shell_program(words.p[0]);
	if (str_is(words.p[0], "git")) {
		for (size_t k = 0; k < at; k++)
			shell_assignment(r, all->p[k], true);
		shell_git(r, &words);
	}
	if (str_is(words.p[0], "eval")) {
		words = words_from(&words, 1);
		shell_read(r->a, str_join(r->a, &words, " "), r->out, r->depth + 1);
		return;
	}
	/* The inner program follows: "python -m pip install", "uv pip install", "dart pub add". */
	while (word_in(words.p[0], "py python pypy") && i + 1 < words.n &&
	       str_starts(words.p[i], STR("-")) && !str_is(words.p[i], "-m"))
		i++;
	if (i + 1 < words.n && str_is(words.p[i], "-m") && word_in(words.p[0], "py python pypy"))
		words = words_from(&words, i + 1);
	else if (words.n > 1 &&
		 ((str_is(words.p[0], "uv") && str_is(words.p[1], "pip")) ||
		  (word_in(words.p[0], "dart flutter") && str_is(words.p[1], "pub"))))
		words = words_from(&words, 1);
	for (size_t k = 0; k < ARRAY_SIZE(shell_managers); k++) {
		const struct shell_manager *m = &shell_managers[k];
		size_t from = word_in(words.p[0], m->programs) ? shell_verb(m, &words) : 0;

		if (from)
			shell_install(r, m, &words, from);
	}
	if (word_in(words.p[0], shells))
		shell_read(r->a, shell_text(&words), r->out, r->depth + 1);
}

static void shell_command(struct lexer *l, const struct sh_word *words, size_t n)
{
	struct strs texts = {0};

	for (size_t i = 0; i < n; i++)
		strs_push(l->a, &texts, sh_word_unquoted(l, words[i].at));
	shell_words(l->sh.ctx, &texts);
}

static void shell_read(struct arena *a, struct str command, struct agent_shell *out, unsigned depth)
{
	struct shell_reader r = {.a = a, .out = out, .depth = depth};
	struct lexer l = {.sh = {.on_command = shell_command, .ctx = &r}};

	if (depth >= SHELL_DEPTH)
		return;
	lexer_begin(&l, a, lexer_form_named("shell"), STR(""), command);
	lexer_next(&l);
}

void agent_shell_command_parse(struct arena *a, struct str command, struct agent_shell *out)
{
	*out = (struct agent_shell){0};
	shell_read(a, command, out, 0);
}
