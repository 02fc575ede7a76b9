/* The shared declarations of lib/files/match. */
#pragma once

#include "match/match.h"

#define MATCH_BOM "\xEF\xBB\xBF"

/* ---- fold.c: the parts of a line, and plain letters ---- */

/* Without its line end: LF, or CR LF. */
struct str match_without_line_ending(struct str line);
struct str match_line_ending_of(struct str line);
/* The blanks and tabs at its begin. */
struct str match_line_indent(struct str line);
/* Without the blanks at its end. */
struct str match_trim_right(struct str line);
/* A no-break space, and others that are no ASCII. */
bool match_is_non_ascii_space(uint32_t code);
/* Typographic forms become plain, and Unicode's decomposed forms composed. */
struct str match_fold_letters(struct arena *a, struct str s);

/* ---- match_hunk.c: places in a content, and changes of its lines ---- */

struct lines {
	struct str text;
	uint32_t *at; /* n + 1 offsets: the start of each line, and the end of the text */
	size_t n;
};
/* Splits the text into lines. Errors: TOO_BIG for 4 GiB and more. */
struct err *lines_split(struct arena *a, struct str text, struct lines *out) MUST_USE;
/* The line with its line end. */
struct str lines_get(const struct lines *l, size_t i);

/* Kinds of an edit's lines: the line is kept, and only gets a newline, or only loses it. */
#define MATCH_KIND_ENDED  'e'
#define MATCH_KIND_JOINED 'j'

/* The lines of a hunk: kept and removed ones find the place. */
struct match_hunk {
	const struct patch_line *p; /* as written, in a patch with line ends where it has some */
	size_t n;
	struct str *want; /* the kept and removed ones */
	size_t wants;
	bool named_ends; /* a wanted line without LF is the file's last one, and has none */
	bool inside;     /* an edit: it may begin and end inside a line */
	bool bom;        /* its first old or new line has a byte order mark */
	struct str *keys[MATCH_PASSES]; /* of the wanted lines, once needed */
};
void match_hunk_init(struct arena *a, const struct patch_line *p, size_t n, struct match_hunk *out);

enum match_shift_kind { SHIFT_NONE, SHIFT_ADD, SHIFT_DROP, SHIFT_TO_TABS, SHIFT_TO_BLANKS };
struct match_shift {
	enum match_shift_kind kind;
	struct str blanks; /* ADD, DROP */
	size_t width;      /* blanks for a tab */
	bool equal, bare;  /* before the shift was set: lines with equal indentation, with none */
};
struct match_place {
	size_t line; /* from 0 */
	enum match_pass pass;
	struct match_shift shift;
	size_t first, last; /* for an edit: the bytes from the start of its first and last line */
};
struct match_piece {
	size_t from, to, index; /* replaces these bytes; the order of those at one place */
	struct str text, end;
	bool inside;  /* the bytes are the end of an edit's place, and may be parts of lines */
	bool line;    /* it begins a line */
	bool whole;   /* what stands behind it begins a line */
	bool follows; /* at the end of a file without a final newline it has none */
};
struct match {
	struct arena *a;
	struct lines lines;
	size_t bom; /* length of the byte order mark, or 0 */
	bool cr;    /* a unified diff has a line with CR LF: it shows line ends */
	struct line_index *index[MATCH_PASSES];
	bool *gone; /* lines that a hunk has removed */
	struct VEC(struct match_piece) pieces;
	size_t work; /* steps left */
};
/* The line as the pass compares it. */
struct str match_line_key(struct arena *a, struct str line, enum match_pass pass);
/* Errors: TOO_BIG. */
struct err *match_init(struct arena *a, struct str content, struct match *out) MUST_USE;
struct sought {
	const struct str *p; /* the pattern's lines */
	size_t n;
	size_t from, to;   /* range of the pattern's lines that must match: [from, to) */
	int64_t near;      /* expected place of the pattern's first line, from 0 */
	int64_t low, high; /* range of allowed places, both ends included */
};
/*
 * Finds the place nearest to `near` where the lines have the same keys in this pass; the later
 * place when two are equally near. False when there is no place, or no steps of m->work are left.
 */
bool match_find_lines(struct match *m, enum match_pass pass, const struct sought *s, size_t *where);
/* Finds the place where most lines of the pattern match, for messages. False: none occurs. */
bool match_find_best_lines(struct match *m, const struct sought *s, size_t *where);
/* Whether the hunk fits at this line in this pass. */
bool match_fits(struct match *m, const struct match_hunk *h, enum match_pass pass, size_t line,
		struct match_place *out);
/* The first place from this line on. */
bool match_find_from_line(struct match *m, const struct match_hunk *h, enum match_pass pass,
			  size_t from, struct match_place *out);
/* The differences between the hunk's lines and those of the place. */
match_set match_hunk_differences(const struct match *m, const struct match_hunk *h,
				 const struct match_place *at);
/* HUNK_FAILED when the shift cannot be applied to an added line. */
struct err *match_apply_hunk(struct match *m, const struct match_hunk *h,
			     const struct match_place *at) MUST_USE;
struct str match_new_content(struct match *m);

/* ---- near.c ---- */

/*
 * As match_no_such_text() for whole lines of a patch, which are nowhere together: HUNK_FAILED. Both
 * texts have LF as line ends.
 */
struct err *match_no_such_lines(struct arena *a, struct str content, struct str lines) MUST_USE;
/* "2 tabs", "1 tab and 4 blanks", "nothing" */
struct str match_describe_blanks(struct arena *a, struct str s);
