/* Compaction: the parts that are removed, the parts that stay, and that cmark reads the same in
 * both. */
#include "compact/compact.h"
#include "md/md.h"
#include "meaning.h"
#include "tap.h"

static struct arena *a;

#define LONG                                                                                       \
	"This paragraph is longer than eighty characters, so that it can be told from one that "   \
	"is short."

static struct str compacted(struct str text)
{
	struct str out = STR("");

	works(compact_text(a, text, &out), "compact");
	return out;
}

/* The text behind the front matter, because cmark does not know front matter. */
static struct str meaning(struct str text)
{
	return meaning_of(a, str_sub(text, md_body_offset(text), text.n));
}

static void rules(void)
{
	/* clang-format off */
	static const struct {
		const char *what, *text, *want;
	} rows[] = {
		{"runs of blank lines", "\n\na\n\n\n \t\nb\n\n\n", "a\n\nb\n"},
		{"CRLF", "a  \t\r\n\r\n\r\nb \r\n", "a\r\n\r\nb\r\n"},
		{"trailing blanks", "# t  \na \nb\t\nc  \n", "# t\na\nb\nc\n"},
		{"hard breaks", "a    \nb\\\nc\\ \nd\n", "a  \nb\\\nc\\ \nd\n"},
		{"a form feed", "a\f \nb\v  \nc\f \n", "a\f \nb\v  \nc\f \n"},
		{"a code span over lines", "a `b  \n c` d \ne\n", "a `b  \n c` d \ne\n"},
		{"a comment", "a\n\n<!-- x\n\ny -->\n\nb\n", "a\n\nb\n"},
		{"a comment that parts paragraphs", "a\n<!-- x -->\nb\n", "a\n\nb\n"},
		{"comments in a paragraph", "a <!-- x --> b <!-- y -->\nc\n", "a b\nc\n"},
		{"a comment in code stays", "a `<!-- x -->` b <!-- y -->\n",
		 "a `<!-- x -->` b <!-- y -->\n"},
		{"anchors stay", "## A\n<!-- @anchor: a v1 -->\n\n\nx <!-- @anchor: b --> y\n",
		 "## A\n<!-- @anchor: a v1 -->\n\nx <!-- @anchor: b --> y\n"},
		{"definitions stay", "## A\n[//]: # (anchor: a v1)  \n\n\ntext\n",
		 "## A\n[//]: # (anchor: a v1)  \n\ntext\n"},
		{"front matter stays", "---\na: 1   \n\n\n---\n\n\n# t \n", "---\na: 1   \n\n\n---\n\n# t\n"},
		{"no front matter is made", "\n\n---\na: 1\n---\n", "\n---\na: 1\n---\n"},
		{"nor by a comment", "<!-- x -->\n---\na\n---\n", "\n---\na\n---\n"},
		{"a fence", "```  \n\n\n a \n<!-- x -->\n```\n\n\nb\n", "```  \n\n\n a \n<!-- x -->\n```\n\nb\n"},
		{"an open fence", "```\na\n\n\n", "```\na\n\n\n"},
		{"indented code", "a\n\n    b  \n\n\n    <!-- c -->\n\n\nd\n",
		 "a\n\n    b  \n\n\n    <!-- c -->\n\nd\n"},
		{"HTML", "<div>  \n<!-- x -->\n</div>\n\n\na\n", "<div>  \n<!-- x -->\n</div>\n\na\n"},
		{"HTML with blank lines", "<pre>\n\n\n  \n</pre>\n\n\na\n", "<pre>\n\n\n  \n</pre>\n\na\n"},
		{"two lists stay two", "- a\n\n<!-- x -->\n\n- b\n", "- a\n\n<!-- x -->\n\n- b\n"},
		{"code stays out of a list", "- a\n\n<!-- x -->\n\n    b\n", "- a\n\n<!-- x -->\n\n    b\n"},
		{"a comment behind a list", "- a\n<!-- x -->\nb\n", "- a\n\nb\n"},
		{"two comments between lists", "- a\n<!-- x -->\n<!-- y -->\n- b\n",
		 "- a\n\n<!-- y -->\n- b\n"},
		{"a comment in a list", "- a\n  <!-- x -->\n  b\n", "- a\n  <!-- x -->\n  b\n"},
		{"a comment behind ---", "a\n--- <!-- x -->\n", "a\n--- <!-- x -->\n"},
		{"a comment behind a definition", "[x]: /u <!-- x -->\n\n[x]\n", "[x]: /u <!-- x -->\n\n[x]\n"},
		{"a comment behind a backslash", "a\\ <!-- x -->\nb\n", "a\\ <!-- x -->\nb\n"},
		{"a repeated paragraph", "# a\n" LONG "\n\n# b\n\n" LONG "  \n\n# c\n", "# a\n" LONG "\n\n# b\n\n# c\n"},
		{"a short one", "short\n\nshort\n", "short\n\nshort\n"},
		{"one between lists", LONG "\n\n- a\n\n" LONG "\n\n- b\n", LONG "\n\n- a\n\n" LONG "\n\n- b\n"},
		{"one that is another only by blanks", LONG "\n\n" LONG " <!-- x -->\n", LONG "\n"},
		{"CR alone", "a\r\r\r\rb  \n\n\n", "a\r\r\r\rb  \n\n\n"},
		{"nothing", "", ""},
		{"blank lines alone", "\n\n  \n", ""},
		{"no last newline", "a \n\n\nb ", "a\n\nb"},
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct str got = compacted(str_of(rows[i].text));

		is_str(got, str_of(rows[i].want), rows[i].what);
		is_str(meaning(got), meaning(str_of(rows[i].text)), "it reads the same");
	}
}

/* Texts of odd pieces in sequence. */
static struct str generate(unsigned *seed)
{
	/* clang-format off */
	static const char *const pieces[] = {
		"- a", "\n", "\n\n", "\n\n\n", "  ", "    ", "\t", "> ", "1. x", "2) y", "# h", "## h2",
		"<!-- c -->", "<!-- c\n\nd -->", " <!-- c --> ", "<!-- @anchor: a -->", "```\n", "~~~",
		"`x` ", "``a `", "\\", "  \n", "\\\n", "---\n", "===\n", "***", "*em* ", "**s", "[l](/u",
		" \"t ", "\")", "[r]: /u\n", "[r]: /u", "'t'", "<div>", "</div>\n", "<pre>", "</pre>",
		"<a b=\"", "\">", "word ", "text", LONG "\n", LONG "\n\n", "\n\n" LONG "\n\n", "&amp;",
		"+ z\n", "  - n\n", "\n    code\n", "<script>\n", "<?x\n", "\xc3\xa4", "\r\n",
		"[//]: # (anchor: b)\n", "<b>", "|a|b|\n", "_", "<!--", "-->", "!", "[", "]", "(", ")",
	};
	/* clang-format on */
	struct buf b = buf_in(a);
	size_t n = 2 + (*seed >> 16) % 14;

	while (n--) {
		*seed = *seed * 1103515245 + 12345;
		buf_puts(&b, pieces[(*seed >> 16) % ARRAY_SIZE(pieces)]);
	}
	return buf_as_str(&b);
}

static void property(void)
{
	unsigned seed = 20261122, wrong = 0, shorter = 0;

	for (int i = 0; i < 40000 && wrong < 5; i++) {
		struct arena *call = arena_new(), *outer = a;
		struct str text, once = STR(""), twice = STR("");

		a = call;
		text = generate(&seed);
		if (!compact_text(a, text, &once) && !compact_text(a, once, &twice) &&
		    once.n <= text.n && str_eq(once, twice) &&
		    str_eq(meaning(text), meaning(once))) {
			shorter += once.n < text.n;
		} else {
			wrong++;
			fprintf(stderr,
				"# text:\n%.*s\n# compacted:\n%.*s\n# read as:\n%.*s\n%.*s\n",
				STR_ARG(text), STR_ARG(once), STR_ARG(meaning(text)),
				STR_ARG(meaning(once)));
		}
		a = outer;
		arena_free(call);
	}
	is_int(wrong, 0, "40,000 texts read the same when they are compacted, and stay so");
	ok(shorter > 10000, "%u of them got shorter", shorter);
}

static struct err *check(const char *before, const char *after)
{
	return compact_check_may_replace(a, str_of(before), str_of(after), TOKEN_O200K);
}

static void checks(void)
{
	static const char text[] =
		"---\nid: x\n---\n## A\n<!-- @anchor: a v1 -->\nsome words, many words\n";

	works(check(text, "---\nid: x\n---\n## A\n<!-- @anchor: a v1 -->\nwords\n"),
	      "a shorter one");
	works(check(text, text), "the same");
	fails(check(text, ""), E_BAD_COMPACT, "nothing");
	fails(check(text, "---\nid: x\n---\n  \n"), E_BAD_COMPACT, "front matter alone");
	fails(check(text, "---\nid: y\n---\n## A\n<!-- @anchor: a v1 -->\nwords\n"), E_BAD_COMPACT,
	      "another front matter");
	fails(check(text, "## A\n<!-- @anchor: a v1 -->\nwords\n"), E_BAD_COMPACT, "none");
	fails(check(text, "---\nid: x\n---\n## A\nwords\n"), E_BAD_COMPACT, "an anchor is lost");
	fails(check(text, "---\nid: x\n---\n## A\n`<!-- @anchor: a v1 -->`\n"), E_BAD_COMPACT,
	      "an anchor in code");
	fails(check(text, "---\nid: x\n---\n## A\n<!-- @anchor: a v2 -->\n"), E_BAD_COMPACT,
	      "another anchor");
	fails(check("a\n\n<!-- @anchor: x -->\n\n<!-- @anchor: x -->\n", "<!-- @anchor: x -->\n"),
	      E_BAD_COMPACT, "one of two");
	fails(check("short", "longer than it was, by many words"), E_BAD_COMPACT, "a longer one");
}

int main(void)
{
	struct buf b;

	a = arena_new();
	rules();
	property();
	checks();
	is_str(compacted(STR("a\0  \nb \n\n\n")), STR("a\0  \nb\n"), "NUL is data");
	is_str(compacted(STR("a\xf6   \nb\n\n\n")), STR("a\xf6   \nb\n\n\n"), "no UTF-8");
	b = buf_in(a);
	for (int i = 0; i < 200000; i++)
		buf_puts(&b, "a <!-- b --> c\n\n\n<!-- d -->\n");
	is_int((long long)compacted(buf_as_str(&b)).n, 200000 * 5 - 1, "many comments");
	arena_free(a);
	return tap_done();
}
