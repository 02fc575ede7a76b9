/* Finds a section of a text by its name. */
#include "file/file.h"
#include "md/md.h"

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
