/* What Docker reads: names of images, Dockerfiles, and Compose files. */
#include "deps/reader.h"
#include "keyval/keyval.h"
#include "lexer/lexer.h"

/* Stands for a variable that has no known value, in an expanded text. No image's name has it. */
#define IMAGE_UNKNOWN '\x01'

#define IMAGE_DEPTH 16
/* No name is so long. Variables that name others could make any text longer than memory. */
#define IMAGE_MAX ((size_t)4096)

/* ---- variables ---- */

static void image_put_value(struct buf *b, struct str name, reader_variable_value_fn *value,
			    void *ctx)
{
	struct str v;

	if (value && value(ctx, name, &v))
		buf_put(b, v);
	else
		buf_putc(b, IMAGE_UNKNOWN);
}

static void image_put(struct reader *r, struct buf *b, struct str s, char escape,
		      reader_variable_value_fn *value, void *ctx, unsigned depth)
{
	for (size_t i = 0; i < s.n && buf_as_str(b).n <= IMAGE_MAX;) {
		char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : 0;
		size_t to = i + 1;

		if (c == escape && next == '$') {
			buf_putc(b, '$');
			to = i + 2;
		} else if (c == '$' && next == '{') {
			unsigned open = 1;
			struct str in, v;
			size_t n = 0;
			bool colon;

			for (to = i + 2; to < s.n && open; to++)
				open = open + (s.p[to] == '{') - (s.p[to] == '}');
			if (open || depth == IMAGE_DEPTH) {
				buf_putc(b, IMAGE_UNKNOWN);
				return;
			}
			in = str_sub(s, i + 2, to - 1);
			while (n < in.n && ascii_is_word(in.p[n]))
				n++;
			colon = str_starts(str_sub(in, n, in.n), STR(":-"));
			if (n && n == in.n)
				image_put_value(b, in, value, ctx);
			else if (!n || (!colon && in.p[n] != '-'))
				buf_putc(b, IMAGE_UNKNOWN);
			else if (value && value(ctx, str_sub(in, 0, n), &v) && (v.n || !colon))
				buf_put(b, v);
			else
				image_put(r, b, str_sub(in, n + 1 + colon, in.n), escape, value,
					  ctx, depth + 1);
		} else if (c == '$' && (ascii_is_letter(next) || next == '_')) {
			while (to < s.n && ascii_is_word(s.p[to]))
				to++;
			image_put_value(b, str_sub(s, i + 1, to), value, ctx);
		} else {
			buf_putc(b, c);
		}
		i = to;
	}
}

struct str image_expand_variables(struct reader *r, struct str s, char escape,
				  reader_variable_value_fn *value, void *ctx)
{
	struct buf b = buf_in(r->a);

	if (str_find_char(s, '$', 0) == SIZE_MAX)
		return s;
	image_put(r, &b, s, escape, value, ctx, 0);
	return buf_as_str(&b).n <= IMAGE_MAX ? buf_as_str(&b) : STR("\x01");
}

/* ---- names: [registry/]path[:tag][@digest] ---- */

/* Parts with slashes between, none of them empty. */
static bool image_is_name(struct str s)
{
	bool part = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '/' ? !part : !ascii_is_alnum(c) && !strchr("._-:[]", c))
			return false;
		part = c != '/';
	}
	return part;
}

struct dep *image_add_dependency(struct reader *r, struct str expanded, struct span at)
{
	struct str name = reader_until(expanded, "@"), tag;
	struct dep *d;
	size_t in;

	reader_split_at(name, ':', str_rfind_char(name, '/') + 1, &name, &tag);
	if (str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX || !image_is_name(name)) {
		reader_add_unresolved(
			r, str_utf8_head(str_sub(r->text, at.from, at.to), 200), at,
			str_find_char(name, IMAGE_UNKNOWN, 0) != SIZE_MAX
				? "a variable without a known value is part of the name"
				: "it is no name of an image");
		return NULL;
	}
	/* The name may be a part of the text, where it stands in the file. */
	in = str_find(str_sub(r->text, at.from, at.to), name, 0);
	if (in != SIZE_MAX)
		at = (struct span){at.from + in, at.from + in + name.n};
	d = reader_add_dep_in_ecosystem(r, DEPS_DOCKER, name, at);
	d->reach = DEPS_DIRECT;
	/* A digest alone does not tell the version. */
	if (str_find_char(tag, IMAGE_UNKNOWN, 0) == SIZE_MAX)
		d->version = tag;
	return d;
}

/* ---- Dockerfiles ---- */

/*
 * Images of FROM, of COPY --from, of RUN --mount=from, and of the syntax line. Names
 * of stages are no images. Variables have the defaults of the ARG lines above the first FROM.
 */

struct docker_variable {
	struct str value;
	struct span at; /* of the value in the file */
	bool known;
};

struct docker_heredoc {
	struct str end;
	const char *indent;
};

struct docker {
	struct reader *r;
	struct str s; /* the file up to the end of the text */
	size_t i;
	char escape;
	bool staged;                                /* behind the first FROM */
	struct names args;                          /* of struct docker_variable */
	struct names stages;                        /* in lower case */
	const struct docker_variable *used;         /* the last one whose value was taken */
	struct VEC(struct docker_heredoc) heredocs; /* of this instruction */
};

static size_t docker_line_end(const struct docker *x, size_t i)
{
	return size_min(str_find_char(x->s, '\n', i), x->s.n);
}

static bool docker_is_blank(char c)
{
	return ascii_is_any_space(c) && c != '\n';
}

/* The offset behind the blanks at i. */
static size_t docker_blanks(const struct docker *x, size_t i)
{
	while (i < x->s.n && docker_is_blank(x->s.p[i]))
		i++;
	return i;
}

/*
 * The offset behind an escape that continues the line, and behind the comments and empty lines
 * below it; i when nothing continues.
 */
static size_t docker_continued(const struct docker *x, size_t i)
{
	size_t at;

	if (i >= x->s.n || x->s.p[i] != x->escape)
		return i;
	at = docker_blanks(x, i + 1);
	if (at < x->s.n && x->s.p[at] != '\n')
		return i;
	at = size_min(at + 1, x->s.n);
	for (;;) {
		size_t word = docker_blanks(x, at);

		if (word >= x->s.n || (x->s.p[word] != '#' && x->s.p[word] != '\n'))
			return at;
		at = size_min(docker_line_end(x, word) + 1, x->s.n);
		if (at == x->s.n)
			return at;
	}
}

/* The next word of the instruction, with its quotes; false at the end of the instruction. */
static bool docker_word(struct docker *x, struct str *word, struct span *at)
{
	struct buf b = buf_in(x->r->a);
	size_t next, from;
	char quote = 0;
	bool joined = false;

	for (;;) {
		x->i = docker_blanks(x, x->i);
		next = docker_continued(x, x->i);
		if (next == x->i)
			break;
		x->i = next;
	}
	at->from = from = x->i;
	while (x->i < x->s.n && x->s.p[x->i] != '\n') {
		char c = x->s.p[x->i];

		next = docker_continued(x, x->i);
		if (next != x->i) {
			buf_put(&b, str_sub(x->s, from, x->i));
			joined = true;
			from = x->i = next;
			continue;
		}
		if (!quote && docker_is_blank(c))
			break;
		if (c == quote)
			quote = 0;
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		x->i++;
	}
	at->to = x->i;
	if (joined) {
		buf_put(&b, str_sub(x->s, from, x->i));
		*word = buf_as_str(&b);
	} else {
		*word = str_sub(x->s, from, x->i);
	}
	/* A quote may stay open up to the end of the line. */
	while (word->n && docker_is_blank(word->p[word->n - 1]))
		word->n--;
	if (!joined)
		at->to = at->from + word->n;
	return word->n > 0;
}

/* The word without the quotes around it or parts of it. */
static struct str docker_unquoted(struct docker *x, struct str word)
{
	struct buf b = buf_in(x->r->a);
	char quote = 0;

	if (str_find_char(word, '"', 0) == SIZE_MAX && str_find_char(word, '\'', 0) == SIZE_MAX)
		return word;
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];

		if (c == quote)
			quote = 0;
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		else
			buf_putc(&b, c);
	}
	return buf_as_str(&b);
}

static bool docker_value(void *ctx, struct str name, struct str *value)
{
	struct docker *x = ctx;
	const struct docker_variable *g = name_map_get(&x->args, name);

	if (!g || !g->known)
		return false;
	*value = g->value;
	x->used = g;
	return true;
}

/* `computes`: variables may be part of it. */
static void docker_image(struct docker *x, struct str word, struct span at, bool computes)
{
	struct str raw = docker_unquoted(x, word), name;
	struct dep *d;
	size_t k;

	x->used = NULL;
	name = computes ? image_expand_variables(x->r, raw, x->escape, docker_value, x) : raw;
	if (!name.n || str_is(name, "scratch") ||
	    name_map_get(&x->stages, str_lower(x->r->a, name)))
		return;
	d = image_add_dependency(x->r, name, at);
	if (!d || !x->used || d->at.from != at.from || d->at.to != at.to)
		return;
	/* The name may stand in the value of the variable. */
	at = x->used->at;
	k = str_find(str_sub(x->r->text, at.from, at.to), d->name, 0);
	if (k != SIZE_MAX)
		d->at = (struct span){at.from + k, at.from + k + d->name.n};
}

static void docker_arg(struct docker *x)
{
	struct str word;
	struct span at;

	while (docker_word(x, &word, &at)) {
		size_t equals = str_find_char(word, '=', 0);
		struct docker_variable *g;

		if (x->staged || !equals)
			continue;
		g = ARENA_NEW(x->r->a, struct docker_variable);
		if (equals != SIZE_MAX) {
			at.from = size_min(at.from + equals + 1, at.to);
			g->value = docker_unquoted(x, str_sub(word, equals + 1, word.n));
			g->value =
				image_expand_variables(x->r, g->value, x->escape, docker_value, x);
			g->known = true;
		}
		g->at = at;
		name_map_put(x->r->a, &x->args, str_sub(word, 0, equals), g);
	}
}

static struct err *docker_from(struct docker *x, size_t begins)
{
	struct str word, image, stage;
	struct span at, image_at;

	do {
		if (!docker_word(x, &image, &image_at))
			return reader_error_at(x->r, begins, "FROM has no image");
	} while (str_starts(image, STR("--")));
	x->staged = true;
	docker_image(x, image, image_at, true);
	if (docker_word(x, &word, &at)) {
		if (!str_ieq(word, STR("AS")) || !docker_word(x, &stage, &at) ||
		    docker_word(x, &word, &at))
			return reader_error_at(x->r, begins,
					       "FROM has an image, and may have AS and a name");
		name_map_put(x->r->a, &x->stages, str_lower(x->r->a, stage), x);
	}
	return NULL;
}

/* The value of the option's part "from=": stage, number of a stage, or image. */
static void docker_option(struct docker *x, struct str value, struct span at)
{
	int64_t number;

	if (!str_int(value, &number))
		docker_image(x, value, at, false);
}

/* --from=X of COPY; --mount=type=bind,from=X of RUN. */
static void docker_flag(struct docker *x, struct str word, struct span at)
{
	struct str rest, part;

	if (str_starts(word, STR("--from="))) {
		at.from += 7;
		docker_option(x, str_sub(word, 7, word.n), at);
	} else if (str_starts(word, STR("--mount="))) {
		rest = str_sub(word, 8, word.n);
		while (str_next_part(&rest, ',', &part)) {
			size_t k = (size_t)(part.p - word.p);

			if (!str_starts(part, STR("from=")))
				continue;
			/* Behind a continued line the offsets differ. */
			if (at.to - at.from == word.n)
				docker_option(x, str_sub(part, 5, part.n),
					      (struct span){at.from + k + 5, at.from + k + part.n});
			else
				docker_option(x, str_sub(part, 5, part.n), at);
		}
	}
}

/* Digits, <<, perhaps a dash, and the word that ends the text. */
static void docker_heredoc(struct docker *x, struct str word)
{
	const char *indent = "";
	size_t i = 0;
	struct str end;

	while (i < word.n && ascii_is_digit(word.p[i]))
		i++;
	if (!str_starts(str_sub(word, i, word.n), STR("<<")))
		return;
	i += 2;
	if (i < word.n && word.p[i] == '-') {
		indent = "\t";
		i++;
	}
	end = docker_unquoted(x, str_sub(word, i, word.n));
	if (end.n && str_find_char(end, '<', 0) == SIZE_MAX)
		*VEC_PUSH(x->r->a, &x->heredocs) = (struct docker_heredoc){end, indent};
}

static struct err *docker_instruction(struct docker *x)
{
	struct str word;
	struct span at;
	bool options = true;

	if (docker_word(x, &word, &at) && word.p[0] == '#') {
		x->i = size_min(docker_line_end(x, at.from) + 1, x->s.n);
		return NULL;
	}
	/* ONBUILD has another instruction behind it. */
	while (str_ieq(word, STR("ONBUILD")) && docker_word(x, &word, &at))
		;
	x->heredocs.n = 0;
	if (str_ieq(word, STR("FROM"))) {
		TRY(docker_from(x, at.from));
	} else if (str_ieq(word, STR("ARG"))) {
		docker_arg(x);
	} else if (str_ieq(word, STR("RUN")) || str_ieq(word, STR("COPY")) ||
		   str_ieq(word, STR("ADD"))) {
		while (docker_word(x, &word, &at)) {
			options = options && str_starts(word, STR("--"));
			if (options)
				docker_flag(x, word, at);
			else
				docker_heredoc(x, word);
		}
	} else {
		while (docker_word(x, &word, &at))
			;
	}
	x->i = size_min(x->i + 1, x->s.n);
	for (size_t k = 0; k < x->heredocs.n; k++)
		x->i = size_min(lexer_heredoc_end(x->s, x->i, x->heredocs.p[k].end,
						  x->heredocs.p[k].indent),
				x->s.n);
	return NULL;
}

/* The images of a Dockerfile that is the text [at.from, at.to) of the file. */
static struct err *docker_add_images(struct reader *r, struct span at)
{
	struct docker x = {.r = r, .s = str_sub(r->text, 0, at.to), .i = at.from, .escape = '\\'};

	/*
	 * "# key=value" at the top: the character of continued lines, and the image that reads the
	 * file.
	 */
	for (bool more = true; more;) {
		size_t from = docker_blanks(&x, x.i), end = docker_line_end(&x, x.i);
		struct str line = str_sub(x.s, from, end), key, value;

		more = reader_split_at(line, '=', 0, &key, &value) && str_take_char(&key, '#');
		key = str_trim(key);
		value = str_trim(value);
		if (more && str_ieq(key, STR("escape")))
			x.escape = str_is(value, "`") ? '`' : x.escape;
		else if (more && str_ieq(key, STR("syntax")))
			docker_image(&x, value, reader_slice_span(r, value), false);
		else
			more = more && str_ieq(key, STR("check"));
		if (more)
			x.i = size_min(end + 1, x.s.n);
	}
	while (x.i < x.s.n)
		TRY(docker_instruction(&x));
	return NULL;
}

struct err *docker_file(struct reader *r)
{
	return docker_add_images(r, (struct span){0, r->text.n});
}

/* ---- Compose files ---- */

static void compose_variable(void *ctx, const struct keyval *k)
{
	struct reader *r = ctx;
	struct str line = str_dup(r->a, k->line);

	name_map_put(r->a, &r->shared, str_sub(line, 0, k->key),
		     val_str(r->a, str_sub(line, k->key + 1, line.n)));
}

static struct err *compose_env(struct reader *r, const struct val *top)
{
	struct str path, text;
	bool found = false;

	(void)top;
	if (str_find_char(r->text, '$', 0) == SIZE_MAX ||
	    !reader_resolve_path(r, STR(".env"), &path))
		return NULL;
	TRY(reader_read_other_file(r, path, &text, &found));
	/* Compose refuses a file that does not parse; then the defaults count. */
	if (found && keyval_read(r->a, STR(".env"), text, compose_variable, r))
		r->shared = (struct names){0};
	return NULL;
}

static bool compose_value(void *ctx, struct str name, struct str *value)
{
	const struct val *v = name_map_get(&((const struct reader *)ctx)->shared, name);

	*value = v ? v->s : STR("");
	return v;
}

static void compose_image(struct reader *r, struct str s, struct span at)
{
	image_add_dependency(r, image_expand_variables(r, s, '$', compose_value, r), at);
}

ORDER_OF(compose_cmp, struct dep, ORDER_UP(at.from) || ORDER_STR(name))

/* A member of the map, also when "<<" merges it from another map. */
static const struct val *compose_get(const struct val *map, const char *key, unsigned depth)
{
	const struct val *found = val_get(map, key), *merge = val_get(map, "<<");

	if (found || !merge || depth > 16)
		return found;
	if (merge->type == VAL_MAP)
		return compose_get(merge, key, depth + 1);
	VAL_EACH(merge->type == VAL_LIST ? merge : NULL, m)
		if ((found = compose_get(m, key, depth + 1)))
			return found;
	return NULL;
}

static struct err *compose_string(struct reader *r, const struct val *v, const char *what)
{
	if (!v || v->type == VAL_NULL)
		return NULL;
	TRY(reader_require_type(r, v, VAL_STR, "%s", what));
	compose_image(r, v->s, reader_val_span(r, v));
	return NULL;
}

/*
 * Another file, in that folder: read under its own name, or as a Dockerfile of any name. What such
 * a one lists, is listed here, where the file names it.
 */
static struct err *compose_file(struct reader *r, struct str folder, const struct val *v,
				bool dockerfile)
{
	struct str expanded, path = {"", 0}, text;
	bool known = false, found = false;
	struct deps in = {0};

	if (v->type != VAL_STR)
		return NULL;
	expanded = image_expand_variables(r, v->s, '$', compose_value, r);
	if (str_find_char(expanded, IMAGE_UNKNOWN, 0) == SIZE_MAX && !url_has_scheme(expanded) &&
	    reader_resolve_path(r, reader_join_path(r, folder, str_c(r->a, expanded)), &path)) {
		TRY(reader_has_file(r, path, &known, &found));
		if (deps_is_manifest(path) && (found || !known))
			return NULL;
	}
	if (!found || !dockerfile)
		return reader_add_unresolved(
			r, v->s, reader_val_span(r, v),
			"it is no file of the repository that ikm reads as a %s",
			dockerfile ? "Dockerfile" : "Compose file");
	TRY(reader_read_other_file(r, path, &text, &found));
	if (!found)
		return NULL;
	TRY(deps_read(r->a, deps_path_to_read_included_as(r->a, r->path, path), text, r->files,
		      &in));
	for (size_t i = 0; i < in.n; i++) {
		*VEC_PUSH(r->a, r->out) = in.p[i];
		r->out->p[r->out->n - 1].at = reader_val_span(r, v);
	}
	for (size_t i = 0; i < in.unresolved.n; i++)
		reader_add_unresolved(r, in.unresolved.p[i].name, reader_val_span(r, v), "%.*s",
				      STR_ARG(in.unresolved.p[i].reason));
	strs_push(r->a, &r->out->includes, path);
	return NULL;
}

static struct err *compose_service(struct reader *r, const struct val *v)
{
	const struct val *build = compose_get(v, "build", 0), *inlined, *file, *context;
	struct str folder;
	size_t at;

	if (v->type == VAL_NULL)
		return NULL;
	TRY(reader_require_entry_type(r, v, VAL_MAP));
	TRY(compose_string(r, compose_get(v, "image", 0), "image"));
	VAL_EACH(compose_get(v, "volumes", 0), volume)
		if (str_is(val_get_str(volume, "type"), "image"))
			TRY(compose_string(r, compose_get(volume, "source", 0), "source"));
	file = compose_get(compose_get(v, "extends", 0), "file", 0);
	if (file)
		TRY(compose_file(r, STR(""), file, false));
	if (!build || build->type != VAL_MAP)
		return NULL;
	/* A map, or a list of NAME=VALUE. */
	VAL_EACH(compose_get(build, "additional_contexts", 0), c) {
		at = c->type == VAL_STR ? str_find(c->s, STR("docker-image://"), 0) : SIZE_MAX;
		if (at != SIZE_MAX)
			compose_image(r, str_sub(c->s, at + 15, c->s.n),
				      reader_part_span(r, c, str_sub(c->s, at + 15, c->s.n)));
	}
	/* A context of another place brings its own Dockerfile. */
	file = compose_get(build, "dockerfile", 0);
	context = compose_get(build, "context", 0);
	folder = context && context->type == VAL_STR
			 ? image_expand_variables(r, context->s, '$', compose_value, r)
			 : STR(".");
	if (file && !url_has_scheme(folder) && !url_is_scp(folder))
		TRY(compose_file(r, folder, file, true));
	inlined = compose_get(build, "dockerfile_inline", 0);
	if (!inlined || inlined->type != VAL_STR)
		return NULL;
	/* Lines of a block stand in the file as they are, but for their indentation. */
	at = str_find_char(str_sub(r->text, inlined->at.from, inlined->at.to), '\n', 0);
	if (at != SIZE_MAX && r->text.p[inlined->at.from] == '|')
		return docker_add_images(r,
					 (struct span){inlined->at.from + at + 1, inlined->at.to});
	return reader_add_unresolved(r, STR("dockerfile_inline"), inlined->at,
				     "ikm reads a Dockerfile in a block of YAML (|) only");
}

static struct err *compose_model(struct reader *r, const struct val *v)
{
	return compose_string(r, compose_get(v, "model", 0), "model");
}

static struct err *compose_include(struct reader *r, const struct val *v)
{
	const struct val *path = v->type == VAL_MAP ? val_get(v, "path") : v;

	if (!path || path->type != VAL_LIST)
		return path ? compose_file(r, STR(""), path, false) : NULL;
	VAL_EACH(path, one)
		TRY(compose_file(r, STR(""), one, false));
	return NULL;
}

static TREE_READER(compose_files, yaml, {"", .read = compose_env},
		   {"services{}", .read = compose_service}, {"models{}", .read = compose_model},
		   {"include[]", .read = compose_include})

	struct err *compose_manifest(struct reader *r)
{
	struct deps *d = r->out;
	size_t n = 0;

	TRY(compose_files(r));
	/* An anchor brings the same text into several services. */
	VEC_SORT(d, compose_cmp);
	for (size_t i = 0; i < d->n; i++)
		if (!n || compose_cmp(&d->p[n - 1], &d->p[i]) != 0)
			d->p[n++] = d->p[i];
	d->n = n;
	return NULL;
}
