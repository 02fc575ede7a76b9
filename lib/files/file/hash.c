/* The sections of a text, and the hash of its canonical form. */
#include "file/file.h"
#include "crypt/crypt.h"
#include "md/md.h"

static void hash_put_line(struct sha256 *h, struct str line, size_t *blank_lines)
{
	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t'))
		line.n--;
	if (!line.n) {
		(*blank_lines)++;
		return;
	}
	/* Empty lines count only if text follows. */
	for (; *blank_lines; (*blank_lines)--)
		sha256_add(h, STR("\n"));
	sha256_add(h, line);
	sha256_add(h, STR("\n"));
}

struct err *file_text_hash(struct arena *a, struct str content, struct str *out)
{
	unsigned char digest[SHA256_BYTES];
	size_t blank_lines = 0, from = 0;
	struct sha256 h;

	if (!str_is_text(content))
		return err_help(err_help(err_new(E_NOT_TEXT, "only UTF-8 text without NUL has a "
							     "canonical hash"),
					 STEP_UTF8),
				"for the bytes of any file: sha256sum FILE");
	sha256_init(&h);
	/* A lone CR ends a line too. */
	for (size_t i = 0; i < content.n; i++) {
		if (content.p[i] != '\n' && content.p[i] != '\r')
			continue;
		hash_put_line(&h, str_sub(content, from, i), &blank_lines);
		if (content.p[i] == '\r' && i + 1 < content.n && content.p[i + 1] == '\n')
			i++;
		from = i + 1;
	}
	hash_put_line(&h, str_sub(content, from, content.n), &blank_lines);
	sha256_end(&h, digest);
	*out = str_fmt(a, "text:sha256:%.*s", STR_ARG(crypt_hex(a, digest, sizeof(digest))));
	return NULL;
}

struct err *file_section(struct arena *a, struct str content, struct str anchor, struct str *out)
{
	struct md_sections all = {0};
	const struct md_section *s;

	if (!str_is_text(content))
		return err_help(err_new(E_NOT_TEXT, "only UTF-8 text without NUL has sections"),
				"leave out the section, or name a text file");
	TRY(md_sections(a, content, &all));
	TRY(md_section_find(a, &all, anchor, &s));
	*out = str_sub(content, s->at.from, s->at.to);
	return NULL;
}
