/*
 * site: decisions as pages of HTML for a browser, without a server (requirement: memory and
 * knowledge, "Knowledge Tools"). The pages load nothing. Each is XML too.
 */
#pragma once

#include "judge/judge.h"
#include "waive/waive.h"

#define SITE_WEEKS 26 /* weeks of history that the plot shows */

/* Each page has it: a file without it is not the site's, and nobody wants it replaced. */
#define SITE_MARK "<meta name=\"generator\" content=\"ikm know site\"/>"

struct site {
	struct str name;
	const struct knowledge *knowledge;
	const struct check_report *now;     /* of the whole tree; NULL: outside a repository */
	const struct check_report *history; /* of each commit of the weeks; NULL: none */
	const struct waive_list *waivers;
	struct strs paths; /* of the tree, sorted */
	int64_t today;     /* in days since 1970 */
	bool single;       /* everything in one page */
};
struct site_page {
	struct str file, text; /* file: a name in ASCII */
};
struct site_pages VEC(struct site_page);
/* The pages, the index first. Never fails for a decision: one that is no Markdown is shown as is.
 */
void site_pages(struct arena *a, const struct site *s, struct site_pages *out);
