#include "deps/reader.h"

/* Paket: paket.dependencies, paket.references, paket.lock. Ranges become intervals of NuGet. */

/* The next word of the line; words in quotes may have blanks. */
static bool paket_word(struct str *rest, struct str *word)
{
	size_t end;

	*rest = str_trim(*rest);
	if (!rest->n)
		return false;
	if (rest->p[0] == '"') {
		end = str_find_char(*rest, '"', 1);
		*word = str_sub(*rest, 1, end);
		*rest = end == SIZE_MAX ? STR("") : str_sub(*rest, end + 1, rest->n);
		return true;
	}
	for (end = 0; end < rest->n && !ascii_is_blank(rest->p[end]);)
		end++;
	*word = str_sub(*rest, 0, end);
	*rest = str_sub(*rest, end, rest->n);
	return true;
}

/* "~> 1.2.3" is at least that, and below 1.3. */
static struct str paket_tilde(struct reader *r, struct str version)
{
	struct str head = str_sub(version, 0, str_find_char(version, '-', 0));
	size_t dot = str_rfind_char(head, '.'), before;
	int64_t n;

	if (dot == SIZE_MAX)
		return str_fmt(r->a, ">=%.*s", STR_ARG(version));
	head = str_sub(head, 0, dot);
	before = str_rfind_char(head, '.');
	before = before == SIZE_MAX ? 0 : before + 1;
	if (!str_int(str_sub(head, before, head.n), &n) || n == INT64_MAX)
		return STR("");
	return str_fmt(r->a, ">=%.*s <%.*s%lld", STR_ARG(version),
		       STR_ARG(str_sub(head, 0, before)), (long long)n + 1);
}

/* The versions behind the name: ">= 1.2 < 2.0", "~> 1.2", "1.2" alone, which is that version. */
static struct str paket_range(struct reader *r, struct str rest)
{
	static const char *const operators[] = {"~>", "==", ">=", "<=", ">", "<", "="};
	struct buf b = buf_in(r->a);
	struct str word;

	while (paket_word(&rest, &word)) {
		const char *sign = "";

		/* How the resolver chooses: ! the lowest, @ the highest version. */
		while (word.n && (word.p[0] == '!' || word.p[0] == '@'))
			word = str_sub(word, 1, word.n);
		for (size_t i = 0; i < ARRAY_SIZE(operators) && !*sign; i++)
			if (str_starts(word, str_of(operators[i])))
				sign = operators[i];
		word = str_sub(word, strlen(sign), word.n);
		if (*sign && !word.n && !paket_word(&rest, &word))
			break;
		/* The words behind the versions are options. */
		if (!word.n || !ascii_is_digit(word.p[0]))
			break;
		if (buf_str(&b).n)
			buf_putc(&b, ' ');
		if (!strcmp(sign, "~>"))
			buf_put(&b, paket_tilde(r, word));
		else if (*sign == '<' || *sign == '>')
			buf_fmt(&b, "%s%.*s", sign, STR_ARG(word));
		else
			buf_fmt(&b, "[%.*s]", STR_ARG(word));
	}
	return buf_str(&b);
}

static void paket_github(struct reader *r, struct str name)
{
	struct str bare = str_sub(name, 0, str_find_char(name, ':', 0));

	reader_add_as(r, DEPS_GIT, str_fmt(r->a, "github.com/%.*s", STR_ARG(bare)),
		      reader_at(r, name));
}

static void paket_git(struct reader *r, struct str url)
{
	struct str name;

	if (url_address(r->a, url, &name))
		reader_add_as(r, DEPS_GIT, name, reader_place(r, name, reader_at(r, url)));
	else
		reader_unresolved(r, url, reader_at(r, url), "it is no address of a repository");
}

static bool paket_is_comment(struct str line)
{
	return !line.n || line.p[0] == '#' || str_starts(line, STR("//"));
}

static struct err *paket_line(struct reader *r, struct str line)
{
	struct str rest = line, kind, name;
	struct dep *d;

	if (paket_is_comment(line) || !paket_word(&rest, &kind))
		return NULL;
	if (str_ieq(kind, STR("nuget")) || str_ieq(kind, STR("clitool"))) {
		if (!paket_word(&rest, &name))
			return reader_bad(r, reader_at(r, line).from, "%.*s has no package",
					  STR_ARG(kind));
		d = reader_add_slice(r, name);
		d->reach = DEPS_DIRECT;
		d->version = paket_range(r, rest);
	} else if (str_ieq(kind, STR("github")) && paket_word(&rest, &name)) {
		paket_github(r, name);
	} else if (str_ieq(kind, STR("git")) && paket_word(&rest, &name)) {
		paket_git(r, name);
	} else if (str_ieq(kind, STR("gist")) || str_ieq(kind, STR("http")) ||
		   str_ieq(kind, STR("external_lock"))) {
		reader_unresolved(r, str_utf8_head(line, 200), reader_at(r, line),
				  "an address, which does not name its package");
	}
	return NULL;
}

struct err *paket_manifest(struct reader *r)
{
	return reader_lines(r, paket_line);
}

static struct err *paket_reference(struct reader *r, struct str line)
{
	struct str name;

	if (!paket_is_comment(line) && !str_starts(line, STR("File:")) &&
	    paket_word(&line, &name) && !str_ieq(name, STR("group")))
		reader_add_slice(r, name)->reach = DEPS_DIRECT;
	return NULL;
}

struct err *paket_references(struct reader *r)
{
	return reader_lines(r, paket_reference);
}

/* ---- paket.lock: the indentation says what a line is ---- */

static size_t paket_indent(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	return n;
}

/* "NAME (1.2.3) - options" */
static struct err *paket_locked(struct reader *r, struct str line)
{
	size_t open = str_find(line, STR(" ("), 0), close;
	struct dep *d;

	close = open == SIZE_MAX ? open : str_find_char(line, ')', open);
	if (close == SIZE_MAX || !open)
		return reader_bad_line(r, line, "is no package with its version");
	d = reader_add_slice(r, str_sub(line, 0, open));
	d->version = str_sub(line, open + 2, close);
	d->locked = true;
	return NULL;
}

struct err *paket_lock(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};

	while (str_line(&rest, &line)) {
		size_t indent = paket_indent(line);

		line = str_trim(line);
		if (!line.n)
			continue;
		if (!indent) {
			section = line;
		} else if (indent == 2 && str_starts(line, STR("remote:"))) {
			struct str remote = str_trim(str_sub(line, 7, line.n));

			if (str_is(section, "GITHUB"))
				paket_github(r, remote);
			else if (str_is(section, "GIT"))
				paket_git(r, remote);
			else if (!str_is(section, "NUGET"))
				reader_unresolved(r, remote, reader_at(r, remote),
						  "an address, which does not name its package");
		} else if (indent == 4 && str_is(section, "NUGET")) {
			TRY(paket_locked(r, line));
		}
	}
	return NULL;
}
