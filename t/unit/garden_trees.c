#include "tap.h"
#include "history/gardens.h"

static struct arena *a;

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))
#define F(path_, content_)                                                                         \
	{                                                                                          \
		.path = {path_, sizeof(path_) - 1}, .content = {content_, sizeof(content_) - 1},   \
		.kind = TREE_FILE                                                                  \
	}
#define HOME_NOTES "g/users/ada/notes.md"

static const struct tree_mem_file before[] = {
	F("README.md", "x\n"),
	F("g/users/ada/notes.md", "## A\n<!-- @anchor: a v1 -->\n"),
	F("g/users/ada/parts/p/notes.md", "gone\n"),
	F("g/users/ada/stray.md", "x\n"),
	F("users/ada/notes.md", "outside\n"),
};

/* "path rule!": with ! it blocks, with + it is overridden. */
static struct str judge(const struct tree_mem_file *now, size_t n, const char *flags,
			struct garden_judged *j)
{
	struct garden_trees q = {
		.now = tree_mem(a, STR("now"), now, n),
		.person = strchr(flags, 'p') != NULL,
		.rationale = strchr(flags, 'r') ? STR("why") : STR(""),
	};
	struct buf b = buf_in(a);

	strs_push(a, &q.tops, STR("g"));
	if (!strchr(flags, '0'))
		*VEC_PUSH(a, &q.sides) = tree_mem(a, STR("before"), before, COUNT(before));
	works(garden_judge_trees(a, &q, j), "the trees are judged");
	for (size_t i = 0; i < j->n; i++)
		for (size_t k = 0; k < j->p[i].found.n; k++) {
			const struct garden_diagnostic *d = &j->p[i].found.p[k];

			buf_fmt(&b, "%s%.*s %s%s%s", b.n ? ", " : "",
				(int)j->p[i].path.n - (int)sizeof("g/users/ada"),
				j->p[i].path.p + sizeof("g/users/ada"), garden_rules[d->rule].id,
				d->blocks ? "!" : "", d->overridden ? "+" : "");
		}
	return buf_as_str(&b);
}

static void changes(void)
{
	static const struct tree_mem_file now[] = {
		F("README.md", "y\n"),
		F("g/users/ada/notes.md", "## A\n"),
		F("g/users/ada/stray.md", "y\n"),
		F("g/users/ada/todo.md", "gone\n"),
	};
	static const struct tree_mem_file links[] = {
		{.path = {HOME_NOTES, sizeof(HOME_NOTES) - 1},
		 .content = {"x", 1},
		 .kind = TREE_LINK},
	};
	static const char *const all =
		"notes.md garden-anchor!, parts/p/notes.md garden-delete!, todo.md garden-path!";
	struct garden_judged j;

	is_str(judge(now, COUNT(now), "p", &j), str_of(all), "a person's commit");
	is_int(j.files, 4, "the files of the garden that changed");
	is_int(j.blocked, 3, "what blocks");
	is_str(judge(now, COUNT(now), "pr", &j),
	       STR("notes.md garden-anchor+, parts/p/notes.md garden-delete+, todo.md "
		   "garden-path+"),
	       "with a rationale");
	is_int(j.blocked, 0, "nothing blocks");
	is_int(j.overridden, 3, "what the rationale opens");
	is_str(judge(now, COUNT(now), "r", &j),
	       STR("notes.md garden-anchor!, parts/p/notes.md garden-delete!, stray.md "
		   "garden-path!, todo.md garden-path!"),
	       "a rationale does not open it for tools");
	is_str(judge(before, COUNT(before), "p", &j), STR(""), "nothing changed");
	is_int(j.files, 0, "no file");
	is_str(judge(before, COUNT(before), "p0", &j), STR("stray.md garden-path!"),
	       "all files are new");
	is_str(judge(links, 1, "p", &j),
	       STR("notes.md garden-path!, parts/p/notes.md garden-delete!"), "a link");
	{
		struct garden_trees q = {.now = tree_mem(a, STR("now"), now, COUNT(now)),
					 .rationale = STR("a\nb")};

		fails(garden_judge_trees(a, &q, &j), E_BAD_ARGUMENT, "a rationale of two lines");
	}
}

int main(void)
{
	a = arena_new();
	changes();
	arena_free(a);
	return tap_done();
}
