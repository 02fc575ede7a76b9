#include "know_write_common.h"

struct str know_path_for_shell(struct call *c, const char *path)
{
	struct str p = str_of(path), cwd = str_of(c->cwd);

	if (cwd.n > 1 && str_starts(p, cwd) && p.n > cwd.n && p.p[cwd.n] == '/')
		p = str_sub(p, cwd.n + 1, p.n);
	return str_shell_word(c->a, p);
}

struct str know_commit_alone_advice(struct call *c, const struct kn_item *item, struct str message,
				    const char *const *paths, size_t n)
{
	struct buf b = buf_in(c->a), files = buf_in(c->a);

	for (size_t i = 0; i < n; i++)
		buf_fmt(&files, " %.*s", STR_ARG(know_path_for_shell(c, paths[i])));
	buf_fmt(&b,
		"%s of '%.*s' end%s with this change; commit it by itself, before what the rule%s "
		"forbade: ",
		item->constraints_n == 1 ? "the rule" : "the rules", STR_ARG(item->id),
		item->constraints_n == 1 ? "s" : "", PLURAL(item->constraints_n));
	/* A new successor is no file of Git yet. */
	if (n > 1)
		buf_fmt(&b, "git add%.*s && ", STR_ARG(buf_as_str(&files)));
	buf_fmt(&b, "git commit -m %.*s --%.*s", STR_ARG(str_shell_word(c->a, message)),
		STR_ARG(buf_as_str(&files)));
	return buf_as_str(&b);
}

struct str know_rules_take_effect_advice(struct call *c, const struct kn_item *item)
{
	return str_fmt(c->a,
		       "%s of '%.*s' judge%s from now on; 'ikm check --all --item %.*s' lists what "
		       "breaks %s already",
		       item->constraints_n == 1 ? "the rule" : "the rules", STR_ARG(item->id),
		       item->constraints_n == 1 ? "s" : "", STR_ARG(str_shell_word(c->a, item->id)),
		       item->constraints_n == 1 ? "it" : "them");
}

void know_print_notes(struct call *c, const struct strs *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		out_safe_line(c->err, notes->p[i]);
}

struct err *know_file_ref(struct call *c, struct files *f, const char *path, struct file_ref *out)
{
	const char *top = c->git ? git_top(c->git) : NULL;
	struct str prefix = top ? str_fmt(c->a, "%s/", top) : STR("");
	struct tree *skipped = NULL;
	struct tree_file file;
	struct os_stat st;
	bool left_out = false;

	TRY(os_stat(path, false, &st));
	if (st.kind == OS_NONE && top && str_starts(str_of(path), prefix))
		TRY(git_tree_of_sparse_excluded(c->git, &skipped));
	if (skipped)
		TRY(tree_find(skipped, str_of(path + prefix.n), &file, &left_out));
	if (left_out) {
		struct str inner = str_of(path + prefix.n);
		size_t slash = str_rfind_char(inner, '/');

		return err_help(
			err_new(E_FILE_NOT_FOUND,
				"'%.*s' is not checked out: a sparse checkout leaves it out",
				STR_ARG(inner)),
			"git sparse-checkout add '%.*s'",
			STR_ARG(str_sub(inner, 0, slash == SIZE_MAX ? inner.n : slash)));
	}
	return file_ref_resolve(f, str_of(path), out);
}
