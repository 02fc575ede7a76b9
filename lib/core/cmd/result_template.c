#include "cmd/result_template.h"
#include "json/json.h"
#include "os/os.h"
#include "out/table.h"
#include "record/member_value.h"

/* The digits of a hash that a model repeats in ifMatch; see file_check_if_match(). */
#define DIGITS 12

/* The letters of an id that ends with a ULID, and how many a model repeats: the time and two more.
 */
#define ID_LETTERS ((size_t)26)
#define ID_LEAST   ((size_t)12)

/* How text is written; otherwise it is one line that is safe for a terminal. */
enum template_letter {
	LETTER_LINES = 't',   /* several lines */
	LETTER_ENDED = 'n',   /* several lines; the last one gets a newline */
	LETTER_BYTES = 'b',   /* unchanged */
	LETTER_RAW = 'r',     /* unchanged, but safe on a terminal */
	LETTER_QUOTED = 'q',  /* a path, with quotes when it needs them */
	LETTER_WRAPPED = 'w', /* wrapped; the width is the indent */
	LETTER_TRIMMED = 'm', /* several lines, without the blanks around them */
	LETTER_HASH = 'h',    /* the digits of a hash that identify it */
	LETTER_DAY = 'd',     /* the day of a time, where the user is */
	LETTER_CLOCK =
		'c', /* a time of today (UTC) as hour and minute, of another day as that day */
	LETTER_LINE = 'l', /* the first of several lines */
	LETTER_ID = 'u',   /* an id, as far as the elements beside it have another one */
	/* Of a column: a terminal that is too narrow gets less of it, but for its width. */
	LETTER_CUT = 'e',        /* the beginning */
	LETTER_CUT_MIDDLE = 'p', /* both ends: a path */
	LETTER_RIGHT = '>',      /* it stays whole, and stands at the right: a number */
};

/* What a body may name: the members of a struct, or those of an object. */
struct scope {
	const struct field *rows; /* NULL: an object with any members */
	const void *record;
	const struct val *v;
	struct str self;          /* an element that is a string */
	const struct val *before; /* the element before v */
	bool last;
	const struct scope *around;
};

struct template
{
	struct arena *a;
	const struct call *call; /* NULL: for a model */
	struct out *out, *err;
	const char *text;
	bool tries;              /* prints nothing, and tries all branches */
	uint64_t named;          /* the rows of the result that were named */
	struct out_table *table; /* NULL: cells are text as any other */
	enum out_style style;    /* the last style in this cell */
	bool cell;               /* this is inside a cell of the table */
};

struct template_member {
	bool there; /* not absent */
	bool any;   /* neither absent, nor empty, 0 or false */
	const struct field *f;
	struct str s;
	const struct strs *strs;
	const struct val *v;
	const char *at; /* a struct, or an array of n structs */
	size_t n;
};

struct template_format {
	bool left;
	size_t width, most;
	char letter;
};

static void template_body(struct template *t, const struct scope *in, struct str body);

/* ---- finding a member ---- */

static void template_set_val(struct template_member *m, const struct val *v)
{
	m->v = v;
	if (!v)
		return;
	m->there = true;
	m->n = v->n;
	m->s = v->type == VAL_BOOL ? v->b ? STR("true") : STR("false") : v->s;
	m->any = v->type == VAL_BOOL  ? v->b
		 : v->type == VAL_NUM ? !str_is(v->s, "0")
				      : v->s.n || v->n;
}

static struct template_member template_of_record(struct arena *a, const struct field *f,
						 const void *record)
{
	const void *at = record ? record_member_address(f, record) : NULL;
	struct template_member m = {.f = f};

	if (!at)
		return m;
	m.there = true;
	switch (f->kind) {
	case K_STR:
	case K_JSON:
		m.s = *(const struct str *)at;
		m.there = m.s.p;
		m.any = m.s.n;
		break;
	case K_CHARS:
		m.there = *(const char *const *)at;
		m.s = str_of(m.there ? *(const char *const *)at : "");
		m.any = m.s.n;
		break;
	case K_STRS:
		m.strs = at;
		m.n = m.strs->n;
		m.any = m.n;
		m.there = m.strs->p;
		break;
	case K_RECORD:
		m.at = at;
		m.n = m.any = true;
		break;
	case K_RECORD_AT:
		m.at = *(const void *const *)at;
		m.n = m.there = m.any = m.at;
		break;
	case K_RECORDS:
		m.at = *(const void *const *)at;
		m.n = *(const size_t *)(const void *)((const char *)at - f->offset + f->count);
		m.any = m.n;
		m.there = m.at;
		break;
	default:
		m.there = false;
		template_set_val(&m, record_member_to_val(a, f, record));
		break;
	}
	return m;
}

static struct template_member template_argument(struct template *t, struct str name)
{
	const struct call *c = t->call;
	const struct param *p = c ? c->cmd->params : NULL;
	struct template_member m = {0};
	const void *at;

	while (p && p->name && !str_is(name, p->name))
		p++;
	if (!p || !p->name)
		BUG("no argument '%.*s' for: %s", STR_ARG(name), t->text);
	if (t->tries)
		return m;
	at = (const char *)c->args + p->offset;
	switch (p->type) {
	case P_BOOL: m.any = *(const bool *)at; break;
	case P_STR: m.s = *(const struct str *)at; break;
	case P_STRS: m.strs = at; break;
	case P_CHOICE:
		m.s = *(const int *)at < 0 ? STR("") : str_of(p->choices[*(const int *)at]);
		break;
	default: BUG("an argument of this type: %s", t->text);
	}
	m.any |= m.s.n || (m.strs && m.strs->n);
	return m;
}

static struct scope template_inside(const struct template_member *m, const struct scope *around)
{
	return (struct scope){
		.rows = m->f ? m->f->sub : NULL, .record = m->at, .v = m->v, .around = around};
}

static struct template_member template_find(struct template *t, const struct scope *in,
					    struct str path)
{
	struct str name, rest = path;
	const struct field *f = NULL;
	struct template_member m = {0};
	struct scope inside;

	if (str_is(path, "."))
		return (struct template_member){.s = in->self, .any = in->self.n};
	if (path.n && path.p[0] == '@')
		return template_argument(t, str_sub(path, 1, path.n));
	str_next_part(&rest, '.', &name);
	while (in && in->rows && !(f = record_find_field(in->rows, name)))
		in = in->around;
	if (!in)
		BUG("no member '%.*s' for: %s", STR_ARG(path), t->text);
	if (f && !in->around && f - in->rows < 64)
		t->named |= (uint64_t)1 << (f - in->rows);
	if (in->record)
		m = template_of_record(t->a, f, in->record);
	else
		template_set_val(&m, in->v ? val_get(in->v, str_c(t->a, name)) : NULL);
	m.f = f;
	if (name.n == path.n)
		return m;
	inside = template_inside(&m, NULL);
	return template_find(t, &inside, rest);
}

/* A word between ' and ', a number, the length of a list, a difference, or a member. */
static struct str template_operand(struct template *t, const struct scope *in, struct str what,
				   bool *any)
{
	size_t minus = str_find_char(what, '-', 0);
	struct template_member m;
	struct strs list = {0};

	if (what.n && what.p[0] == '\'') {
		*any = what.n > 2;
		return str_sub(what, 1, what.n - 1);
	}
	if (what.n && what.p[0] >= '0' && what.p[0] <= '9')
		return what;
	if (minus != SIZE_MAX) {
		int64_t from = 0, less = 0;
		bool ignored;

		if (!str_int(template_operand(t, in, str_sub(what, 0, minus), &ignored), &from) ||
		    !str_int(template_operand(t, in, str_sub(what, minus + 1, what.n), &ignored),
			     &less))
			from = less = 0;
		return str_fmt(t->a, "%jd", (intmax_t)(from - less));
	}
	if (what.n && what.p[0] == '#') {
		m = template_find(t, in, str_sub(what, 1, what.n));
		*any = m.n;
		return str_fmt(t->a, "%zu", m.n);
	}
	if (what.n && what.p[0] == '^') {
		m = template_find(t, in, str_sub(what, 1, what.n));
		*any = m.there;
		return STR("");
	}
	m = template_find(t, in, what);
	*any = m.any;
	if (m.strs)
		return str_join(t->a, m.strs, ", ");
	if (m.v && (m.v->type == VAL_MAP || (m.v->type == VAL_LIST && m.f && m.f->type == F_ANY)))
		return json_text(t->a, m.v);
	if (m.v && m.v->type == VAL_LIST) {
		VAL_EACH(m.v, one)
			strs_push(t->a, &list, one->s);
		return str_join(t->a, &list, ", ");
	}
	/* JSON leaves out some members that are 0. */
	if (!m.s.n && m.f && (m.f->type == F_INT || m.f->type == F_NUM))
		return STR("0");
	return m.s;
}

/* ---- printing ---- */

static struct template_format template_format(struct str s)
{
	struct template_format f = {.most = SIZE_MAX};
	bool cut = false;

	for (size_t i = 0; i < s.n; i++) {
		size_t *n = cut ? &f.most : &f.width;

		if (s.p[i] == '-') {
			f.left = true;
		} else if (s.p[i] == '.') {
			cut = true;
			f.most = 0;
		} else if (s.p[i] >= '0' && s.p[i] <= '9') {
			*n = *n * 10 + (size_t)(s.p[i] - '0');
		} else {
			f.letter = s.p[i];
		}
	}
	return f;
}

/* How many bytes of s another element has at the beginning of one of its strings. */
static size_t template_shared(const struct val *element, struct str s)
{
	size_t most = 0, n;

	VAL_EACH(element, m) {
		for (n = 0; m->type == VAL_STR && n < size_min(m->s.n, s.n); n++)
			if (m->s.p[n] != s.p[n])
				break;
		if (m->type == VAL_STR && !str_eq(m->s, s))
			most = size_max(most, n);
	}
	return most;
}

/* An id that ends with a ULID, cut where it differs from those of the elements beside it. */
static struct str template_id(const struct scope *in, struct str s)
{
	size_t head = s.n < ID_LETTERS ? s.n : s.n - ID_LETTERS;

	if (head == s.n || (head && s.p[head - 1] != '_'))
		return s;
	for (size_t i = head; i < s.n; i++)
		if (!ascii_is_digit(s.p[i]) && !ascii_is_upper(s.p[i]))
			return s;
	head = size_max(head + ID_LEAST, template_shared(in->before, s) + 1);
	return str_sub(s, 0, size_max(head, in->v ? template_shared(in->v->next, s) + 1 : 0));
}

/* The part of a text that a letter leaves. */
static struct str template_part(struct template *t, const struct scope *in, struct str s,
				char letter)
{
	size_t colon = str_rfind_char(s, ':');
	struct str rest = s;
	int64_t ms;

	switch (letter) {
	case LETTER_HASH: return str_sub(s, 0, colon == SIZE_MAX ? s.n : colon + 1 + DIGITS);
	case LETTER_LINE: str_next_line(&rest, &s); return s;
	case LETTER_DAY: return os_time_read(s, &ms) ? os_day_text(t->a, ms) : s;
	case LETTER_CLOCK:
		return str_eq(str_sub(s, 0, 10), str_sub(os_time_text(t->a, os_now(), true), 0, 10))
			       ? str_fmt(t->a, "%.*sZ", STR_ARG(str_sub(s, 11, 16)))
			       : str_sub(s, 0, 10);
	case LETTER_TRIMMED: return str_trim(s);
	case LETTER_ID: return template_id(in, s);
	default: return s;
	}
}

static void template_put_letter(struct template *t, const struct scope *in, struct str s,
				char letter, size_t width)
{
	switch (letter) {
	case LETTER_QUOTED:
		out_safe_if_terminal(t->out, str_needs_quotes(s) ? str_quoted(t->a, s) : s);
		return;
	case LETTER_RAW: out_safe_if_terminal(t->out, s); return;
	case LETTER_WRAPPED:
		if (t->cell)
			break;
		out_wrapped(t->out, (unsigned)width, s);
		return;
	default: s = template_part(t, in, s, letter);
	}
	if (!t->call || letter == LETTER_BYTES)
		out_bytes_unchanged(t->out, s);
	else
		out_safe(t->out, s, letter && strchr("tnm", letter));
	if (letter == LETTER_ENDED && s.n && s.p[s.n - 1] != '\n')
		out_puts(t->out, "\n");
}

/* "a|b|'none'%-10" */
static void template_value(struct template *t, const struct scope *in, struct str what)
{
	size_t format = str_rfind_char(what, '%');
	struct str rest = str_sub(what, 0, size_min(format, what.n)), one, s = STR("");
	struct template_format f;
	bool any = false;
	size_t columns;

	while (str_next_part(&rest, '|', &one))
		if (!any || t->tries)
			s = template_operand(t, in, one, &any);
	if (t->tries)
		return;
	f = template_format(str_sub(what, format == SIZE_MAX ? what.n : format + 1, what.n));
	s = str_utf8_head(s, f.most);
	columns = f.width && f.letter != LETTER_WRAPPED ? out_text_width(s) : SIZE_MAX;
	if (!f.left && columns < f.width)
		out_fmt(t->out, "%*s", (int)(f.width - columns), "");
	template_put_letter(t, in, s, f.letter, f.width);
	if (f.left && columns < f.width)
		out_fmt(t->out, "%*s", (int)(f.width - columns), "");
}

/* "a%.10" in a condition */
static struct str template_cut(struct template *t, const struct scope *in, struct str what,
			       bool *any)
{
	size_t format = str_rfind_char(what, '%');
	struct str s = template_operand(t, in, str_sub(what, 0, size_min(format, what.n)), any);

	struct template_format f;

	if (format == SIZE_MAX)
		return s;
	f = template_format(str_sub(what, format + 1, what.n));
	return template_part(t, in, str_utf8_head(s, f.most), f.letter);
}

static bool template_term(struct template *t, const struct scope *in, struct str term)
{
	bool negated = str_take_char(&term, '!'), any = false, holds = false;
	size_t op = 0;
	struct str left, right;
	int64_t a = 0, b = 0;

	while (op < term.n && !strchr("=<>", term.p[op]))
		op++;
	left = template_cut(t, in, str_sub(term, 0, op), &any);
	if (op == term.n)
		return any != negated;
	right = template_cut(t, in, str_sub(term, op + 1, term.n), &any);
	if (term.p[op] == '=')
		holds = str_eq(left, right);
	else if (str_int(left, &a) && str_int(right, &b))
		holds = term.p[op] == '<' ? a < b : a > b;
	return holds != negated;
}

/* Splits at the first `sep` that is in no braces. */
static bool template_split(struct str *rest, char sep, struct str *part)
{
	size_t depth = 0, i = 0;

	if (sep == '{')
		i = size_min(str_find_char(*rest, '{', 0), rest->n);
	for (; i < rest->n && (depth || rest->p[i] != sep); i++)
		if (rest->p[i] == '{')
			depth++;
		else if (rest->p[i] == '}')
			depth--;
	*part = str_sub(*rest, 0, i);
	*rest = str_sub(*rest, size_min(i + 1, rest->n), rest->n);
	return i < rest->n || part->n;
}

/* "CONDITION:A|B" */
static void template_choice(struct template *t, const struct scope *in, struct str rest)
{
	struct str all, term, first;
	bool holds = true;

	template_split(&rest, ':', &all);
	while (str_next_part(&all, '&', &term))
		holds = (holds || t->tries) && template_term(t, in, term);
	template_split(&rest, '|', &first);
	if (holds || t->tries)
		template_body(t, in, first);
	if (!holds || t->tries)
		template_body(t, in, rest);
}

/* "list:BODY" */
static void template_each(struct template *t, const struct scope *in, struct str body)
{
	struct template_member m;
	struct scope element;
	const struct val *it, *before = NULL;
	struct str path;
	size_t limit;

	template_split(&body, ':', &path);
	limit = str_find_char(path, '%', 0);
	m = template_find(t, in, str_sub(path, 0, size_min(limit, path.n)));
	if (limit != SIZE_MAX)
		m.n = size_min(m.n, template_format(str_sub(path, limit + 1, path.n)).width);
	it = m.v && m.v->type == VAL_LIST ? m.v->first : m.v;
	if (m.v && m.v->type == VAL_MAP)
		m.n = 1;
	for (size_t i = 0; i < (t->tries ? 1 : m.n); i++) {
		element = template_inside(&m, in);
		element.v = it;
		element.before = before;
		if (m.at)
			element.record = m.at + i * m.f->size;
		element.self = m.strs ? m.strs->p[i] : it ? it->s : STR("");
		element.last = i + 1 == m.n;
		template_body(t, &element, body);
		before = it;
		it = it ? it->next : NULL;
	}
}

/* ---- tables ---- */

/* A cell of a row; without a name it is the lines below the row. */
static void template_cell(struct template *t, const struct scope *in, struct str cell)
{
	struct out_table *table = t->table;
	struct out *out = t->out;
	struct str head, s;

	template_split(&cell, ':', &head);
	if (!table) {
		template_body(t, in, cell);
		return;
	}
	t->cell = true;
	t->out = out_new_in_memory(t->a);
	t->style = OUT_PLAIN;
	template_body(t, in, cell);
	s = out_text_so_far(t->out);
	t->out = out;
	t->cell = false;
	if (head.n)
		*VEC_PUSH(t->a, &table->cells) = (struct out_cell){str_trim(s), t->style};
	else
		strs_push(t->a, &table->below, s);
}

/* "list:BODY": on a terminal the cells of the body are a table, and the text between them is left
 * out. */
static void template_table(struct template *t, const struct scope *in, struct str list)
{
	struct out_column columns[OUT_COLUMNS_MAX];
	struct out_table table = {.a = t->a, .columns = columns};
	struct str body = list, part;

	if (t->tries || !out_is_terminal(t->out)) {
		template_each(t, in, list);
		return;
	}
	while (template_split(&body, '{', &part) || body.n)
		if (template_split(&body, '}', &part) && str_starts(part, STR(";")) &&
		    !str_starts(part, STR(";:")) && table.n < OUT_COLUMNS_MAX) {
			struct str cell = str_sub(part, 1, part.n);
			struct str head, name;
			struct template_format f;

			/* "name%12e:BODY" */
			template_split(&cell, ':', &head);
			str_next_part(&head, '%', &name);
			f = template_format(head);
			columns[table.n++] = (struct out_column){
				.name = str_c(t->a, name),
				.least = (unsigned)f.width,
				.right = f.letter == LETTER_RIGHT,
				.cut = f.letter == LETTER_CUT          ? OUT_CUT_END
				       : f.letter == LETTER_CUT_MIDDLE ? OUT_CUT_MIDDLE
								       : OUT_WHOLE};
		}
	t->table = &table;
	template_each(t, in, list);
	t->table = NULL;
	out_table_print(t->out, &table);
}

static void template_braces(struct template *t, const struct scope *in, struct str what)
{
	static const char styles[] = {[OUT_PLAIN] = ' ', [OUT_BOLD] = '*',   [OUT_DIM] = '_',
				      [OUT_RED] = '!',   [OUT_YELLOW] = '~', [OUT_GREEN] = '+'};
	struct str rest = str_sub(what, 1, what.n);
	const char *style = memchr(styles, what.p[0], sizeof(styles));
	struct out *out = t->out;

	if (what.p[0] == ';') {
		template_cell(t, in, rest);
	} else if (t->table && !t->cell) {
		return;
	} else if (what.p[0] == '=') {
		template_table(t, in, rest);
	} else if (what.p[0] == '?') {
		template_choice(t, in, rest);
	} else if (what.p[0] == '/') {
		template_each(t, in, rest);
	} else if (str_starts(what, STR("2:"))) {
		t->out = t->err;
		template_body(t, in, str_sub(what, 2, what.n));
		t->out = out;
	} else if (str_starts(what, STR(",:"))) {
		if (!in->last)
			template_body(t, in, str_sub(what, 2, what.n));
	} else if (style) {
		t->style = (enum out_style)(style - styles);
		out_set_style(t->out, t->style);
		if (rest.p[0] == ':')
			template_body(t, in, str_sub(rest, 1, rest.n));
		else
			template_value(t, in, rest);
		out_set_style(t->out, OUT_PLAIN);
	} else {
		template_value(t, in, what);
	}
}

static void template_body(struct template *t, const struct scope *in, struct str body)
{
	struct str part;

	while (template_split(&body, '{', &part) || body.n) {
		if (!t->tries && (!t->table || t->cell))
			out_bytes_unchanged(t->out, part);
		if (template_split(&body, '}', &part))
			template_braces(t, in, part);
	}
}

uint64_t template_used_fields(struct arena *a, const char *template, const struct field *rows)
{
	struct out *none = out_new_in_memory(a);
	struct template t = {.a = a, .out = none, .err = none, .text = template, .tries = true};

	template_body(&t, &(struct scope){.rows = rows}, str_of(template));
	return t.named;
}

void template_try_all_branches(struct call *c)
{
	struct template t = {.a = c->a,
			     .call = c,
			     .out = c->out,
			     .err = c->err,
			     .text = c->cmd->template,
			     .tries = true};

	template_body(&t, &(struct scope){.rows = c->cmd->result}, str_of(t.text));
}

void template_print_record(struct call *c, const char *template, const struct field *rows,
			   const void *record)
{
	struct template t = {.a = c->a, .call = c, .out = c->out, .err = c->err, .text = template};

	template_body(&t, &(struct scope){.rows = rows, .record = record}, str_of(template));
}

struct str template_render_text(struct arena *a, const char *template, const struct field *rows,
				const struct val *v)
{
	struct out *out = out_new_in_memory(a);
	struct template t = {.a = a, .out = out, .err = out, .text = template};

	template_body(&t, &(struct scope){.rows = rows, .v = v}, str_of(template));
	return out_text_so_far(out);
}
