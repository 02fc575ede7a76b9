#include "ask_person.h"
#include "os/os.h"
#include <errno.h>
#include <unistd.h>

bool confirm_can_ask(const struct call *c)
{
	return cmd_emits_text(c) && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

struct err *confirm(struct call *c, const char *question, bool *yes)
{
	char answer = 0, p;

	TRY(out_paging_end(c->out));
	out_fmt(c->err, "%s [y/N] ", question);
	TRY(out_flush(c->err));
	for (size_t n = 0; read(STDIN_FILENO, &p, 1) == 1 && p != '\n'; n++)
		answer = n ? answer : p;
	*yes = answer == 'y' || answer == 'Y';
	return NULL;
}

struct err *editor_run(struct arena *a, const char *file)
{
	const char *editor = os_env("VISUAL") ? os_env("VISUAL") : os_env("EDITOR");
	struct os_spawn s = {.inherit_out = true, .foreground = true, .interactive = true};
	struct os_result r;
	struct err *e;

	if (!editor)
		editor = "vi";
	s.argv =
		(const char *[]){"sh", "-c", str_fmt(a, "%s \"$@\"", editor).p, editor, file, NULL};
	s.in_fd = dup(STDIN_FILENO);
	if (s.in_fd < 0)
		return err_errno(errno, "run the editor '%s'", editor);
	e = os_run(a, &s, &r);
	close(s.in_fd);
	TRY(e);
	if (r.status)
		return err_help(err_detail_int(err_new(E_PROGRAM_FAILED,
						       "the editor '%s' ended with status %d; "
						       "nothing was saved",
						       editor, r.status),
					       "status", r.status),
				"VISUAL and EDITOR name the editor");
	return NULL;
}
