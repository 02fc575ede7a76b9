#include "site/site.h"
#include "judge/rules_for_path.h"
#include "md/md.h"
#include "os/os.h"

#define SITE_PLACES 5  /* places of a rule that are named */
#define SITE_TITLE  34 /* characters of a title in the graph */

/* Neither text has '<' or '&', which XML would read. */
static const char site_style[] =
	":root{color-scheme:light dark;--line:#8886;--dim:#767676;--accent:#0b63c5;--bar:#c2410c}"
	"@media(prefers-color-scheme:dark){:root{--dim:#9a9a9a;--accent:#7ab7ff;--bar:#fb923c}}"
	"body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1rem;"
	"overflow-wrap:anywhere}a{color:var(--accent)}h1{line-height:1.2}"
	"table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;"
	"padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:normal}"
	"td:first-child{overflow-wrap:anywhere}.list td:first-child{width:100%}"
	".list td+td{white-space:nowrap}th{font-weight:600;color:var(--dim)}"
	"td.n{text-align:right;font-variant-numeric:tabular-nums}"
	".dim,footer{color:var(--dim)}.scroll{overflow-x:auto}"
	".tag{border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;font-size:.85em}"
	"article{border-top:1px solid var(--line);margin-top:2rem}"
	"pre{overflow-x:auto;padding:.6rem;border:1px solid var(--line)}"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}"
	"dt{color:var(--dim)}input{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}"
	"svg text{fill:currentColor;font-size:12px}svg rect{fill:none;stroke:var(--line)}"
	"svg rect.bar{fill:var(--bar);stroke:none}svg path{stroke:var(--dim);fill:none}"
	"[hidden]{display:none}"
	"@media(max-width:40rem){.wide{display:none}body{padding:.6rem}}";
static const char site_script[] =
	"var q=document.getElementById('q');if(q)q.oninput=function(){"
	"var w=q.value.toLowerCase().split(/\\s+/);"
	"document.querySelectorAll('tr[data-t],article').forEach(function(e){"
	"var t=(e.dataset.t||e.textContent).toLowerCase();"
	"e.hidden=!w.every(function(x){return t.includes(x)})});"
	"document.querySelectorAll('section.list').forEach(function(s){"
	"s.hidden=!s.querySelector('tr[data-t]:not([hidden])')})};";

struct site_rule {
	const struct kn_constraint *rule;
	size_t total;
	const struct check_violation *places[SITE_PLACES];
};
struct site_item {
	const struct kn_item *item;
	struct str page; /* "0001-a", unique */
	struct site_rule *rules;
	const char *held; /* by what it holds; empty: it is not active */
	size_t found, depth;
	double y; /* in the graph; 0: not there */
};
struct site_build {
	struct arena *a;
	const struct site *s;
	struct site_item *items;
	size_t n;
	struct buf b;
	const struct site_item *at; /* the decision whose text is written */
};

/* ---- text ---- */

/*
 * The text without what XML does not have, such as control characters, and without characters that
 * turn the direction of the text behind them.
 */
static struct str site_clean(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	s = str_utf8(a, s);
	for (size_t i = 0, n; i < s.n; i += n) {
		uint32_t code;

		n = str_utf8_char(s.p + i, s.n - i, &code);
		if ((code < 0x20 && code != '\n' && code != '\t' && code != '\r') ||
		    (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff ||
		    (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
			buf_utf8(&b, 0xfffd);
		else
			buf_put(&b, str_sub(s, i, i + n));
	}
	return buf_as_str(&b);
}

static void site_text(struct site_build *x, struct str s)
{
	s = site_clean(x->a, s);
	for (size_t i = 0; i < s.n; i++)
		switch (s.p[i]) {
		case '<': buf_puts(&x->b, "&lt;"); break;
		case '&': buf_puts(&x->b, "&amp;"); break;
		case '"': buf_puts(&x->b, "&quot;"); break;
		default: buf_putc(&x->b, s.p[i]);
		}
}

/* The format, with each '$' replaced by the next struct str, escaped, and each '~' by a size_t. */
static void site_put(struct site_build *x, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	for (; *format; format++)
		if (*format == '$')
			site_text(x, va_arg(ap, struct str));
		else if (*format == '~')
			buf_fmt(&x->b, "%zu", va_arg(ap, size_t));
		else
			buf_putc(&x->b, *format);
	va_end(ap);
}

/* ---- decisions and their links ---- */

/* A file name from an id: safe in every file system and URL. */
static struct str site_name(struct site_build *x, const struct kn_item *item, size_t before)
{
	struct buf b = buf_with_max(x->a, 120);
	size_t base;

	for (size_t i = 0; i < item->id.n; i++) {
		char c = item->id.p[i];

		if (ascii_is_alnum(c) || c == '-' || c == '_')
			buf_putc(&b, c);
		else if (b.n && b.p[b.n - 1] != '-')
			buf_putc(&b, '-');
	}
	if (!b.n)
		buf_puts(&b, "decision");
	base = b.n;
	for (unsigned more = 2;; more++) {
		bool taken = str_eq(buf_as_str(&b), STR("index"));

		for (size_t i = 0; i < before && !taken; i++)
			taken = str_eq(str_lower(x->a, x->items[i].page),
				       str_lower(x->a, buf_as_str(&b)));
		if (!taken)
			return str_dup(x->a, buf_as_str(&b));
		b.n = base;
		b.max = 140;
		buf_fmt(&b, "-%u", more);
	}
}

static struct str site_link(const struct site_build *x, const struct site_item *to)
{
	return x->s->single ? str_fmt(x->a, "#%.*s", STR_ARG(to->page))
			    : str_fmt(x->a, "%.*s.html", STR_ARG(to->page));
}

/* The most specific one. */
static struct site_item *site_find(const struct site_build *x, struct str id)
{
	const struct kn_item *item = knowledge_find(x->s->knowledge, id, -1);

	for (size_t i = 0; item && i < x->n; i++)
		if (x->items[i].item == item)
			return &x->items[i];
	return NULL;
}

/* Only decisions are here, and what has an address. Other links would lead nowhere. */
static struct str site_relink(void *ctx, struct str url)
{
	struct site_build *x = ctx;
	struct str path = url, file = {"", 0}, part;
	struct strs parts = {0};

	if (str_starts(url, STR("https://")) || str_starts(url, STR("http://")) ||
	    str_starts(url, STR("mailto:")))
		return url;
	str_next_part(&path, '#', &file);
	/* From the folder of the decision's file, "../b/./c.md", without "." and "..". */
	path = str_fmt(x->a, "%.*s/../%.*s", STR_ARG(x->at->item->path), STR_ARG(file));
	while (str_next_part(&path, '/', &part))
		if (str_is(part, ".."))
			parts.n -= parts.n > 0;
		else if (part.n && !str_is(part, "."))
			strs_push(x->a, &parts, part);
	file = str_join(x->a, &parts, "/");
	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].item->source == x->at->item->source &&
		    str_eq(x->items[i].item->path, file))
			return site_link(x, &x->items[i]);
	return STR("");
}

/* ---- facts ---- */

static void site_count(struct site_build *x)
{
	for (size_t i = 0; x->s->now && i < x->s->now->violations.n; i++) {
		const struct check_violation *v = &x->s->now->violations.p[i];

		for (size_t k = 0; k < x->n; k++) {
			struct site_item *item = &x->items[k];
			const struct kn_item *own = item->item;

			if (own->layer != v->item->layer || !str_eq(own->id, v->item->id) ||
			    !str_eq(own->shown_path, v->item->shown_path))
				continue;
			for (size_t r = 0; r < own->constraints_n; r++) {
				struct site_rule *rule = &item->rules[r];

				if (rule->rule->index != v->constraint->index)
					continue;
				if (rule->total < SITE_PLACES)
					rule->places[rule->total] = v;
				rule->total++;
				item->found++;
			}
		}
	}
}

/* ---- parts of pages ---- */

static void site_head(struct site_build *x, struct str title)
{
	x->b = buf_in(x->a);
	site_put(x,
		 "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
		 "<head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
		 "content=\"width=device-width, initial-scale=1\"/>\n" SITE_MARK "\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
		 "<title>$</title>\n<style>",
		 title);
	buf_puts(&x->b, site_style);
	buf_puts(&x->b, "</style></head>\n<body>\n");
}

static void site_end(struct site_build *x, struct str file, struct site_pages *out)
{
	buf_puts(&x->b, "<script>");
	buf_puts(&x->b, site_script);
	buf_puts(&x->b, "</script>\n</body></html>\n");
	*VEC_PUSH(x->a, out) = (struct site_page){file, buf_as_str(&x->b)};
}

/* The exceptions from one decision; item NULL: all. */
static void site_waivers(struct site_build *x, const struct kn_item *item)
{
	const struct waive_list *list = x->s->waivers;
	size_t n = 0;

	for (size_t i = 0; list && i < list->n; i++) {
		const struct waive_listed *w = &list->p[i];
		const struct site_item *to;

		if (item && !str_eq(w->id, item->id))
			continue;
		if (!n++) {
			buf_puts(&x->b,
				 "<section><h2>Exceptions</h2>\n<div class=\"scroll\"><table><tr>");
			buf_puts(&x->b, item ? "" : "<th>Decision</th>");
			buf_puts(&x->b,
				 "<th>Reason</th><th>Owner</th><th>End</th><th class=\"wide\">"
				 "Place</th></tr>\n");
		}
		buf_puts(&x->b, "<tr>");
		to = !item && w->id.n ? site_find(x, w->id) : NULL;
		if (to)
			site_put(x, "<td><a href=\"$\">$</a></td>", site_link(x, to), w->id);
		else if (!item)
			site_put(x, "<td>$</td>", w->waiver.item);
		site_put(x, "<td>$</td><td>$</td><td>$</td><td class=\"wide\">$</td></tr>\n",
			 w->waiver.reason, w->waiver.owner,
			 w->problem.n ? w->problem : waive_end_text(x->a, &w->waiver, x->s->today),
			 waive_entry_place_text(x->a, &w->waiver));
	}
	if (n)
		buf_puts(&x->b, "</table></div></section>\n");
}

static void site_rules(struct site_build *x, const struct site_item *item)
{
	for (size_t i = 0; i < item->item->constraints_n; i++) {
		const struct site_rule *r = &item->rules[i];
		const struct kn_constraint *c = r->rule;

		site_put(x, i ? "<li>" : "<h2>Rules</h2>\n<ol>\n<li>");
		site_put(x, "<code>$ $ $</code> ($)", str_of(kn_operators[c->op]),
			 str_of(kn_targets[c->target]), c->pattern,
			 str_of(kn_severities[rule_severity(item->item, c)]));
		if (c->message.n)
			site_put(x, "<br/>$", c->message);
		if (c->use_instead.n)
			site_put(x, "<br/>Use instead: <code>$</code>", c->use_instead);
		if (x->s->now && knowledge_is_active(x->s->knowledge, item->item)) {
			site_put(x, "<br/><span class=\"dim\">Finds ~ $ today", r->total,
				 r->total == 1 ? STR("place") : STR("places"));
			for (size_t p = 0; p < r->total && p < SITE_PLACES; p++)
				site_put(x, "$$:~", p ? STR(", ") : STR(": "), r->places[p]->file,
					 r->places[p]->line);
			site_put(x, r->total > SITE_PLACES ? ", …</span>" : "</span>");
		}
		buf_puts(&x->b, "</li>\n");
	}
	if (item->item->constraints_n)
		buf_puts(&x->b, "</ol>\n");
}

static void site_names(struct site_build *x, const char *label, const struct strs *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		const struct site_item *to = site_find(x, ids->p[i]);

		site_put(x, "<dt>$</dt><dd>", str_of(label));
		if (to)
			site_put(x, "<a href=\"$\">$</a></dd>\n", site_link(x, to),
				 to->item->title);
		else
			site_put(x, "$</dd>\n", ids->p[i]);
	}
}

static void site_article(struct site_build *x, const struct site_item *item)
{
	const struct kn_item *k = item->item;
	struct str text = str_trim(site_clean(x->a, k->content)), line = {"", 0}, body, html;

	/* The heading of the text is the title of the article. */
	body = text;
	str_next_line(&body, &line);
	if (!str_starts(line, STR("# ")))
		body = text;
	site_put(x, "<article id=\"$\"><h1><bdi>$</bdi></h1>\n<dl>\n<dt>status</dt><dd>$</dd>\n",
		 item->page, k->title, str_of(kn_statuses[k->status]));
	if (k->created_at.n)
		site_put(x, "<dt>date</dt><dd>$</dd>\n", str_sub(k->created_at, 0, 10));
	if (*item->held)
		site_put(x, "<dt>held by</dt><dd>$</dd>\n", str_of(item->held));
	site_names(x, "supersedes", &k->supersedes);
	site_names(x, "replaced by", &k->superseded_by);
	site_put(x, "<dt>file</dt><dd>$</dd>\n</dl>\n", k->shown_path);
	site_rules(x, item);
	site_waivers(x, k);
	x->at = item;
	if (md_to_html(x->a, body, site_relink, x, &html))
		site_put(x, "<pre>$</pre>\n", body);
	else
		buf_put(&x->b, html);
	buf_puts(&x->b, "</article>\n");
}

static void site_list(struct site_build *x, enum kn_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		const struct site_item *item = &x->items[i];
		const struct kn_item *k = item->item;

		if (k->status != status)
			continue;
		if (!n++)
			site_put(x,
				 "<section class=\"list\"><h2>$</h2>\n<table><tr><th>Decision</th>"
				 "<th class=\"wide\">Date</th><th>Held by</th><th>Rules</th>"
				 "<th>Found</th></tr>\n",
				 str_of(kn_statuses[status]));
		site_put(x, "<tr data-t=\"$ $ $", k->id, k->title, k->summary);
		for (size_t t = 0; t < k->tags.n; t++)
			site_put(x, " $", k->tags.p[t]);
		for (size_t c = 0; c < k->constraints_n; c++)
			site_put(x, " $", k->constraints[c].pattern);
		site_put(x, "\"><td><a href=\"$\"><bdi>$</bdi></a>", site_link(x, item), k->title);
		for (size_t t = 0; t < k->tags.n; t++)
			site_put(x, " <span class=\"tag wide\">$</span>", k->tags.p[t]);
		site_put(x,
			 "</td><td class=\"wide\">$</td><td>$</td><td class=\"n\">~</td>"
			 "<td class=\"n\">~</td></tr>\n",
			 str_sub(k->created_at, 0, 10), str_of(item->held), k->constraints_n,
			 item->found);
	}
	if (n)
		buf_puts(&x->b, "</table></section>\n");
}

/* ---- pictures ---- */

/* Each decision stands one column behind those that it supersedes. Cycles end after n steps. */
static size_t site_depths(struct site_build *x)
{
	size_t widest = 0;
	bool moved = true;

	for (size_t step = 0; moved && step < 64; step++) {
		moved = false;
		for (size_t i = 0; i < x->n; i++) {
			struct site_item *from = &x->items[i];

			for (size_t k = 0; k < from->item->supersedes.n; k++) {
				struct site_item *to = site_find(x, from->item->supersedes.p[k]);

				if (!to || to == from)
					continue;
				from->y = to->y = 1;
				if (from->depth > to->depth)
					continue;
				from->depth = to->depth + 1;
				widest = size_max(widest, from->depth);
				moved = true;
			}
		}
	}
	return widest;
}

static void site_graph(struct site_build *x)
{
	size_t columns = site_depths(x) + 1, rows = 0;
	size_t *row = arena_array(x->a, columns, sizeof(*row));

	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].y > 0) {
			x->items[i].y = (double)(row[x->items[i].depth]++ * 36 + 20);
			rows = size_max(rows, row[x->items[i].depth]);
		}
	if (!rows)
		return;
	site_put(x,
		 "<section><h2>What replaced what</h2>\n<div class=\"scroll\"><svg "
		 "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"decisions and "
		 "their successors\" width=\"~\" height=\"~\">\n",
		 columns * 280, rows * 36 + 8);
	for (size_t i = 0; i < x->n; i++) {
		const struct site_item *from = &x->items[i];

		for (size_t k = 0; k < from->item->supersedes.n; k++) {
			const struct site_item *to = site_find(x, from->item->supersedes.p[k]);

			if (to && to != from)
				buf_fmt(&x->b, "<path d=\"M%zu %.0f L%zu %.0f\"/>\n",
					to->depth * 280 + 240, to->y, from->depth * 280, from->y);
		}
	}
	for (size_t i = 0; i < x->n; i++) {
		const struct site_item *item = &x->items[i];
		struct str title = str_utf8(x->a, item->item->title);

		if (item->y <= 0)
			continue;
		site_put(x, "<a href=\"$\"><title>$</title>", site_link(x, item), title);
		buf_fmt(&x->b, "<rect x=\"%zu\" y=\"%.0f\" width=\"240\" height=\"26\" rx=\"4\"/>",
			item->depth * 280, item->y - 13);
		buf_fmt(&x->b, "<text x=\"%zu\" y=\"%.0f\">", item->depth * 280 + 6, item->y + 4);
		site_put(x, "$$</text></a>\n", str_utf8_head(title, SITE_TITLE),
			 title.n > SITE_TITLE ? STR("…") : STR(""));
	}
	buf_puts(&x->b, "</svg></div></section>\n");
}

/* The day as YYYY-MM-DD. */
static struct str site_day(struct site_build *x, int64_t day)
{
	return str_sub(os_time_text(x->a, day * 86400000, false), 0, 10);
}

static void site_weeks(struct site_build *x)
{
	size_t weeks[SITE_WEEKS] = {0}, most = 1, all = 0;

	if (!x->s->history)
		return;
	VEC_EACH(const struct check_commit, c, &x->s->history->commits) {
		int64_t week = (x->s->today - c->time / 86400000) / 7;

		if (week < 0 || week >= SITE_WEEKS)
			continue;
		weeks[SITE_WEEKS - 1 - week] += c->violations.n;
		all += c->violations.n;
		most = size_max(most, weeks[SITE_WEEKS - 1 - week]);
	}
	site_put(x,
		 "<section><h2>Violations that commits brought, a week</h2>\n<p class=\"dim\">~ in "
		 "~ weeks; commits: ~</p>\n<div class=\"scroll\"><svg "
		 "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"violations a "
		 "week\" width=\"~\" height=\"130\">\n",
		 all, (size_t)SITE_WEEKS, (size_t)x->s->history->verified.commits,
		 (size_t)SITE_WEEKS * 24);
	for (size_t i = 0; i < SITE_WEEKS; i++) {
		struct str day = site_day(x, x->s->today - (int64_t)(SITE_WEEKS - 1 - i) * 7 - 6);
		size_t height = weeks[i] * 90 / most;

		site_put(
			x,
			"<rect class=\"bar\" x=\"~\" y=\"~\" width=\"20\" height=\"~\"><title>week "
			"from $: ~</title></rect>\n",
			i * 24, 110 - height - 1, height + 1, day, weeks[i]);
		if (i % 8 == 0 && i + 3 <= SITE_WEEKS)
			site_put(x, "<text x=\"~\" y=\"126\">$</text>\n", i * 24, day);
	}
	buf_puts(&x->b, "</svg></div></section>\n");
}

/* ---- pages ---- */

static void site_index(struct site_build *x, struct site_pages *out)
{
	static const enum kn_status order[] = {KN_STATUS_ACCEPTED,   KN_STATUS_PROPOSED,
					       KN_STATUS_DRAFT,      KN_STATUS_DEPRECATED,
					       KN_STATUS_SUPERSEDED, KN_STATUS_REJECTED};
	struct str title = str_fmt(x->a, "Decisions of %.*s", STR_ARG(x->s->name));
	size_t rules = 0, found = 0;

	for (size_t i = 0; i < x->n; i++) {
		rules += x->items[i].item->constraints_n;
		found += x->items[i].found;
	}
	site_head(x, title);
	site_put(x,
		 "<h1>$</h1>\n<p>Decisions: ~. Rules: ~. Findings on $: ~.</p>\n<p><input id=\"q\" "
		 "type=\"search\" placeholder=\"Search\" aria-label=\"Search decisions\"/></p>\n",
		 title, x->n, rules, site_day(x, x->s->today), found);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		site_list(x, order[i]);
	site_waivers(x, NULL);
	site_graph(x);
	site_weeks(x);
	for (size_t i = 0; x->s->single && i < x->n; i++)
		site_article(x, &x->items[i]);
	site_end(x, STR("index.html"), out);
}

void site_pages(struct arena *a, const struct site *s, struct site_pages *out)
{
	struct site_build x = {.a = a, .s = s, .n = s->knowledge->items.n};

	x.items = arena_array(a, x.n + 1, sizeof(*x.items));
	for (size_t i = 0; i < x.n; i++) {
		const struct kn_item *item = &s->knowledge->items.p[i];
		struct site_item *to = &x.items[i];
		struct str what;

		*to = (struct site_item){.item = item, .page = site_name(&x, item, i), .held = ""};
		if (knowledge_is_active(s->knowledge, item))
			to->held = check_coverages[check_how_item_covers_paths(item, &s->paths,
									       &what)];
		to->rules = arena_array(a, item->constraints_n + 1, sizeof(*to->rules));
		for (size_t r = 0; r < item->constraints_n; r++)
			to->rules[r] = (struct site_rule){.rule = &item->constraints[r]};
	}
	site_count(&x);
	site_index(&x, out);
	for (size_t i = 0; !s->single && i < x.n; i++) {
		site_head(&x, x.items[i].item->title);
		site_put(&x, "<p><a href=\"index.html\">All decisions</a></p>\n");
		site_article(&x, &x.items[i]);
		site_end(&x, str_fmt(a, "%.*s.html", STR_ARG(x.items[i].page)), out);
	}
}
