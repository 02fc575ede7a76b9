#include "deps/reader.h"

/* Paket: paket.dependencies, paket.references, paket.lock. Ranges become intervals of NuGet. */

/* The next word of the line; words in quotes may have blanks. */
static bool paket_word(struct str *rest, struct str *word)
{
	*rest = str_trim(*rest);
	if (str_starts(*rest, STR("\""))) {
		reader_split_at(str_sub(*rest, 1, rest->n), '"', 0, word, rest);
		return true;
	}
	*word = reader_until(*rest, " \t\n\v\f\r");
	*rest = str_sub(*rest, word->n, rest->n);
	return word->n;
}

/* The versions behind the name: ">= 1.2 < 2.0", "~> 1.2", "1.2" alone, which is that version. */
static struct str paket_range(struct reader *r, struct str rest)
{
	struct buf b = buf_in(r->a);
	struct str word, sign, head;
	int64_t n;

	while (paket_word(&rest, &word)) {
		/* How the resolver chooses: ! the lowest, @ the highest version. */
		while (word.n && (word.p[0] == '!' || word.p[0] == '@'))
			word = str_sub(word, 1, word.n);
		sign = str_sub(word, 0, reader_starts_with_any_of(word, "~>|==|>=|<=|>|<|="));
		word = str_sub(word, sign.n, word.n);
		if (sign.n && !word.n && !paket_word(&rest, &word))
			break;
		/* The words behind the versions are options. */
		if (!word.n || !ascii_is_digit(word.p[0]))
			break;
		if (buf_as_str(&b).n)
			buf_putc(&b, ' ');
		if (reader_starts_with_any_of(sign, "<|>")) {
			buf_fmt(&b, "%.*s%.*s", STR_ARG(sign), STR_ARG(word));
		} else if (!str_is(sign, "~>")) {
			buf_fmt(&b, "[%.*s]", STR_ARG(word));
		} else {
			/* "~> 1.2.3" is at least that, and below 1.3. */
			size_t dot = str_rfind_char(reader_until(word, "-"), '.'), last;

			head = dot == SIZE_MAX ? STR("") : str_sub(word, 0, dot);
			last = str_rfind_char(head, '.') + 1;
			if (!head.n)
				buf_fmt(&b, ">=%.*s", STR_ARG(word));
			else if (str_int(str_sub(head, last, head.n), &n) && n < INT64_MAX)
				buf_fmt(&b, ">=%.*s <%.*s%lld", STR_ARG(word),
					STR_ARG(str_sub(head, 0, last)), (long long)n + 1);
		}
	}
	return buf_as_str(&b);
}

static void paket_github(struct reader *r, struct str name)
{
	struct str bare = str_sub(name, 0, str_find_char(name, ':', 0));

	reader_add_dep_in_ecosystem(r, DEPS_GIT, str_fmt(r->a, "github.com/%.*s", STR_ARG(bare)),
				    reader_slice_span(r, name));
}

static struct err *paket_git(struct reader *r, struct str url)
{
	struct str name;

	if (!url_repo_address(r->a, url, &name))
		return reader_add_unresolved(r, url, reader_slice_span(r, url),
					     "it is no address of a repository");
	reader_add_dep_in_ecosystem(r, DEPS_GIT, name,
				    reader_span_of_slice_or(r, name, reader_slice_span(r, url)));
	return NULL;
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
			return reader_error_at(r, reader_slice_span(r, line).from,
					       "%.*s has no package", STR_ARG(kind));
		d = reader_add_dep_slice(r, name);
		d->reach = DEPS_DIRECT;
		d->version = paket_range(r, rest);
	} else if (str_ieq(kind, STR("github")) && paket_word(&rest, &name)) {
		paket_github(r, name);
	} else if (str_ieq(kind, STR("git")) && paket_word(&rest, &name)) {
		paket_git(r, name);
	} else if (str_ieq(kind, STR("gist")) || str_ieq(kind, STR("http")) ||
		   str_ieq(kind, STR("external_lock"))) {
		reader_add_unresolved(r, str_utf8_head(line, 200), reader_slice_span(r, line),
				      "an address, which does not name its package");
	}
	return NULL;
}

LINE_READER(paket_manifest, paket_line)

static struct err *paket_reference(struct reader *r, struct str line)
{
	struct str name;

	if (!paket_is_comment(line) && !str_starts(line, STR("File:")) &&
	    paket_word(&line, &name) && !str_ieq(name, STR("group")))
		reader_add_dep_slice(r, name)->reach = DEPS_DIRECT;
	return NULL;
}

LINE_READER(paket_references, paket_reference)

/* ---- paket.lock: the indentation says what a line is ---- */

struct err *paket_lock(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};

	while (str_next_line(&rest, &line)) {
		size_t indent = 0, open, close;

		while (indent < line.n && line.p[indent] == ' ')
			indent++;
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
				reader_add_unresolved(
					r, remote, reader_slice_span(r, remote),
					"an address, which does not name its package");
		} else if (indent == 4 && str_is(section, "NUGET")) {
			/* "NAME (1.2.3) - options" */
			open = str_find(line, STR(" ("), 0);
			close = str_find_char(line, ')', open);
			if (close == SIZE_MAX || !open)
				return reader_bad_line(r, line, "is no package with its version");
			reader_add_dep_slice(r, str_sub(line, 0, open))->version =
				str_sub(line, open + 2, close);
			r->out->p[r->out->n - 1].locked = true;
		}
	}
	return NULL;
}
