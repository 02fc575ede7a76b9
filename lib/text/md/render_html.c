#include "md/md.h"
#include <cmark.h>

/* Puts the content of a link or image in its place; without a new target nothing stays of it. */
static void html_relink(struct arena *a, cmark_node *node, md_link_target_fn *link, void *ctx)
{
	struct str url = str_dup(a, str_of(cmark_node_get_url(node)));
	struct str to = link(ctx, url);
	cmark_node *child, *new = NULL;

	if (to.n && cmark_node_get_type(node) == CMARK_NODE_LINK) {
		cmark_node_set_url(node, str_c(a, to));
		return;
	}
	if (to.n) {
		new = cmark_node_new(CMARK_NODE_LINK);
		cmark_node_set_url(new, str_c(a, to));
		cmark_node_insert_before(node, new);
	}
	while ((child = cmark_node_first_child(node)))
		if (new)
			cmark_node_append_child(new, child);
		else
			cmark_node_insert_before(node, child);
	cmark_node_free(node);
}

/* In a link: an image there becomes its text. */
static struct str html_link_none(void *ctx, struct str url)
{
	(void)ctx;
	(void)url;
	return STR("");
}

struct err *md_to_html(struct arena *a, struct str text, md_link_target_fn *link, void *ctx,
		       struct str *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct VEC(cmark_node *) links = {0};
	cmark_node *root;
	cmark_iter *iter;
	cmark_event_type event;
	struct md blocks;
	char *html;

	/* For its limits: it refuses what takes cmark quadratic time. */
	TRY(md_read(scratch, text, 0, &blocks));
	root = cmark_parse_document(text.p, text.n, CMARK_OPT_VALIDATE_UTF8);
	iter = cmark_iter_new(root);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(node);

		/* At their ends: an image in a link comes before the link. */
		if (event == CMARK_EVENT_EXIT &&
		    (type == CMARK_NODE_IMAGE || type == CMARK_NODE_LINK))
			*VEC_PUSH(scratch, &links) = node;
	}
	cmark_iter_free(iter);
	for (size_t i = 0; i < links.n; i++) {
		cmark_node *up = cmark_node_parent(links.p[i]);

		while (up && cmark_node_get_type(up) != CMARK_NODE_LINK)
			up = cmark_node_parent(up);
		html_relink(a, links.p[i], up ? html_link_none : link, ctx);
	}
	html = cmark_render_html(root, CMARK_OPT_DEFAULT);
	*out = str_dup(a, str_of(html));
	cmark_get_default_mem_allocator()->free(html);
	cmark_node_free(root);
	return NULL;
}
