/* Images of containers: Dockerfiles, Compose files; GitHub's workflows and actions. */
#include "deps.h"

/* clang-format off */
static const struct row docker[] = {
	{"names, tags, digests", "Dockerfile",
	 "FROM mysql\nFROM mysql:8.0-debian\nfrom r.example.org:5000/a/mysql:8@sha256:0123 AS b\nFROM a/b@sha256:01\n"
	 "FROM scratch\nFROM --platform=linux/amd64 docker.io/library/pg:16\n",
	 "mysql - 1:6\nmysql 8.0-debian 2:6\nr.example.org:5000/a/mysql 8 3:6\na/b - 4:6\n"
	 "docker.io/library/pg 16 6:29\n"},
	{"stages are no images", "Dockerfile",
	 "FROM a:1 AS Build\nFROM build AS two\nCOPY --from=BUILD /x /y\nCOPY --chown=a --from=two x y\nCOPY --from=0 x y\n"
	 "COPY --from=nginx:1.2 x y\nRUN --mount=type=bind,from=c/d:3,source=/ --mount=type=cache,target=/x make\n"
	 "COPY x --from=e y\nONBUILD COPY --from=f /x /y\n",
	 "a 1 1:6\nnginx 1.2 6:13\nc/d 3 7:28\nf - 9:21\n"},
	{"variables", "api.Dockerfile",
	 "ARG BASE=mysql:8\nARG TAG=16 REG=r.io/\nARG FULL=\"${REG}x:$TAG\"\nARG NONE\nFROM ${BASE}\nFROM pg:${TAG}\nFROM $FULL\n"
	 "FROM ${NONE:-redis}:7\nFROM ${NONE}\nFROM pg:$NONE\nFROM ${REG}y\nFROM a${NONE-}:1\nFROM ${TAG:+b}\nFROM \\${x}\n"
	 "ARG LATER=z\nFROM $LATER\n",
	 "mysql 8 1:10\npg 16 6:6\nr.io/x 16 7:6 elsewhere\nredis 7 8:14\npg - 10:6\nr.io/y - 11:6 elsewhere\na 1 12:6\n"
	 "? ${NONE} 9:6 a variable without a known value is part of the name\n"
	 "? ${TAG:+b} 13:6 a variable without a known value is part of the name\n"
	 "? \\${x} 14:6 it is no name of an image\n"
	 "? $LATER 16:6 a variable without a known value is part of the name\n"},
	{"lines that continue", "Dockerfile",
	 "# FROM no\nFROM \\\n# why\n\n  mysql:8 \\\n  AS x\nRUN a \\\n  FROM b \\\n\n # c\n  && FROM c\nFROM my\\\nsql\nFROM pg\\\n",
	 "mysql 8 5:3\nmysql - 12:6 elsewhere\npg - 14:6\n"},
	{"another escape, and CRLF", "Dockerfile.win",
	 "# escape=`\r\nFROM `\r\n  a/b:1\r\nRUN dir c:\\\r\nFROM c\r\n",
	 "a/b 1 3:3\nc - 5:6\n"},
	{"the syntax line", "Containerfile",
	 "# syntax=docker/dockerfile:1.7\n# check=skip=all\n\n# syntax=no/no\nFROM a\n",
	 "docker/dockerfile 1.7 1:10\na - 5:6\n"},
	{"here-documents", "Dockerfile",
	 "FROM a\nRUN <<EOF bash\nFROM no\nEOF\nCOPY <<-\"A\" <<B /x/\nFROM no\n\tA\nFROM no\nB\nRUN cat 3<<C <<<D\nFROM no\nC\n"
	 "RUN echo \"<<E\"\nFROM b\nENV X <<F\nFROM c\n",
	 "a - 1:6\nb - 14:6\nc - 16:6\n"},
	{"here-documents of which one may be indented", "Dockerfile",
	 "FROM a\nCOPY <<-A <<B /x/\n  A\nFROM no\n\tA\n\tB\nFROM no\nB\nFROM b\n", "a - 1:6\nb - 9:6\n"},
	{"quotes, tabs, case", "Dockerfile", "\tFrOm\t\"mysql:8\"\tas\tq\nFROM Q\n", "mysql 8 1:8\n"},
	{"templates", "Dockerfile.j2", "FROM {{ base }}\n",
	 "?  1:1 the file does not read as its name says: FROM has an image, and may have AS and a name\n"},
	{"no image in it", "Dockerfile", "# nothing\nRUN make\n", ""},
};

static const struct row compose[] = {
	{"images", "compose.yaml",
	 "services:\n  db:\n    image: mysql:8\n  web:\n    build: .\n    image: \"me/web\"\n"
	 "  c:\n    build:\n      context: .\n      additional_contexts:\n        base: docker-image://a/b:1\n        other: ./x\n"
	 "    volumes:\n      - /x:/y\n      - {type: image, source: v/w}\nmodels:\n  m: {model: ai/smol}\n",
	 "mysql 8 3:12\nme/web - 6:13\na/b 1 11:30\nv/w - 15:31\nai/smol - 17:14\n"},
	{"variables", "docker-compose.yml",
	 "services:\n  a:\n    image: ${X:-mysql:8}\n  b:\n    image: ${X}\n  c:\n    image: pg:${TAG:?no tag}\n  d:\n    image: \"${R-r.io}/d:$TAG\"\n"
	 "  e:\n    image: $$x\n  f:\n    image: ${A:-${B:-redis}}\n",
	 "mysql 8 3:17\npg - 7:12\nr.io/d - 9:13 elsewhere\nredis - 13:22\n"
	 "? ${X} 5:12 a variable without a known value is part of the name\n? $$x 11:12 it is no name of an image\n"},
	{"anchors and merges", "docker-compose.prod.yaml",
	 "x-base: &base\n  image: mysql:8\nservices:\n  a: *base\n  b:\n    <<: *base\n  c:\n    <<: [{x: 1}, *base]\n    image: pg\n  d:\n",
	 "mysql 8 2:10\npg - 9:12\n"},
	{"a Dockerfile in it", "compose.yml",
	 "services:\n  a:\n    build:\n      dockerfile_inline: |\n        FROM mysql:8 AS x\n        FROM x\n  b:\n    build: {dockerfile_inline: \"FROM a\"}\n",
	 "mysql 8 5:14\n? dockerfile_inline 8:32 ikm reads a Dockerfile in a block of YAML (|) only\n"},
	{"other files", "compose.override.yml",
	 "include: [compose.x.yml, {path: [other.yml, docker-compose.y.yml]}]\nservices:\n  a:\n    extends: {file: base.yml, service: a}\n"
	 "  b:\n    extends: a\n  c:\n    extends: {service: a}\n",
	 "? other.yml 1:34 it is no file of the repository that ikm reads as a Compose file\n"
	 "? base.yml 4:21 it is no file of the repository that ikm reads as a Compose file\n"},
	{"a Dockerfile of any name", "compose.yml",
	 "services:\n  a: {build: {context: ., dockerfile: odd.txt}}\n  b: {build: {context: ./b, dockerfile: Dockerfile.dev}}\n"
	 "  c: {build: {dockerfile: \"${F:-x.Dockerfile}\"}}\n  d: {build: {dockerfile: \"${F}\"}}\n  e: {build: {context: \"https://h/r.git\", dockerfile: odd.txt}}\n  f: {build: {context: ../.., dockerfile: Dockerfile}}\n",
	 "? odd.txt 2:39 it is no file of the repository that ikm reads as a Dockerfile\n"
	 "? ${F} 5:28 it is no file of the repository that ikm reads as a Dockerfile\n"
	 "? Dockerfile 7:43 it is no file of the repository that ikm reads as a Dockerfile\n"},
	{"another file of the name", "compose.yml", "services: [a, b]\n",
	 "?  1:11 the file does not read as its name says: services is a list, and must be an object\n"},
};

static const struct row github[] = {
	{"a workflow", ".github/workflows/ci.yml",
	 "jobs:\n  a:\n    container: node:22\n    services:\n      db:\n        image: mysql:8\n    steps:\n      - run: uses\n"
	 "      - uses: actions/checkout@v4 # why\n      - uses: ./local\n      - uses: \"Actions/Cache/restore@v4.1\"\n"
	 "      - uses: docker://alpine:3.8\n      - uses: a/b@0123456789abcdef0123456789abcdef01234567\n      - uses: https://github.com/c/d@main\n"
	 "  b:\n    uses: o/r/.github/workflows/x.yml@v1\n  c:\n    uses: ./.github/workflows/y.yml\n    container: {image: \"${{ matrix.image }}\"}\n",
	 "node 22 3:16\nmysql 8 6:16\nactions/checkout v4 9:15\nActions/Cache v4.1 11:16 as Actions/Cache/restore\nalpine 3.8 12:24\na/b - 13:15\nc/d main 14:34\n"
	 "o/r v1 16:11 as o/r/.github/workflows/x.yml\n? ${{ matrix.image }} 19:25 an expression computes the image\n"},
	{"a composite action", "x/action.yml",
	 "runs:\n  using: composite\n  steps:\n    - uses: a/b@v1\n    - {run: x}\n    - uses: checkout\n",
	 "a/b v1 4:13\n? checkout 6:13 it is no action: OWNER/NAME@VERSION\n"},
	{"an action of an image", "action.yaml", "runs: {using: docker, image: \"docker://g.io/x:1\"}\n", "g.io/x 1 1:40\n"},
	{"a workflow has no variables for the name of an image", "action.yml", "runs: {using: docker, image: \"docker://$X/y:1\"}\n",
	 "? $X/y:1 1:40 a variable without a known value is part of the name\n"},
	{"an action of a Dockerfile", "action.yaml", "runs: {using: docker, image: Dockerfile} # docker://\n", ""},
	{"actions of the own repository", ".forgejo/workflows/a.yaml",
	 "jobs:\n  a:\n    steps:\n    - uses: ./a\n    - uses: $/local/action\n    - uses: o/r@v1\n", "o/r v1 6:13\n"},
	{"anchors", ".github/workflows/a.yaml",
	 "jobs:\n  a: &j\n    steps:\n      - &s {uses: a/b@v1}\n  b:\n    steps:\n      - *s\n",
	 "a/b v1 4:19\na/b v1 4:19\n"},
};

static const struct row bad[] = {
	{"no image", "Dockerfile", "RUN x\nFROM --platform=a\n", "line 2, column 1: FROM has no image"},
	{"too many words", "Dockerfile", "FROM a b c\n", "FROM has an image, and may have AS"},
	{"no name", "Dockerfile", "FROM a AS\n", "FROM has an image, and may have AS"},
};

/* The registry of Docker may be left out; a rule on the last part finds all of them. */
static void names(struct arena *a)
{
	is_str(deps_normal(a, DEPS_DOCKER, STR("docker.io/library/mysql")), STR("mysql"), "an official image");
	is_str(deps_normal(a, DEPS_DOCKER, STR("docker.io/o/mysql")), STR("o/mysql"), "an image of Docker's registry");
	is_str(deps_normal(a, DEPS_DOCKER, STR("r.io/library/mysql")), STR("r.io/library/mysql"), "another registry");
	is_str(deps_short_name(DEPS_DOCKER, STR("r.io/o/mysql")), STR("mysql"), "the last part");
	is_str(deps_short_name(DEPS_GITHUB, STR("o/r")), STR("r"), "the repository");
}
/* clang-format on */

/* Deep defaults, many stages and variables: in time that grows with the text alone. */
static void images_many(struct arena *a)
{
	struct buf b = buf_in(a);
	struct deps d;

	buf_puts(&b, "FROM ");
	for (unsigned i = 0; i < 100000; i++)
		buf_puts(&b, "${a:-");
	buf_puts(&b, "\n");
	works(deps_read(a, STR("Dockerfile"), buf_as_str(&b), NULL, &d), "100,000 nested defaults");
	ok(!d.n && d.unresolved.n == 1, "are unresolved");
	b = buf_in(a);
	for (unsigned i = 0; i < 10000; i++)
		buf_fmt(&b, "ARG A%u=x%u:$A%u\n", i, i, i - 1);
	for (unsigned i = 0; i < 10000; i++)
		buf_fmt(&b, "FROM $A%u AS s%u\nFROM s%u\n", i, i, i);
	works(deps_read(a, STR("Dockerfile"), buf_as_str(&b), NULL, &d), "10,000 stages");
	is_int((int64_t)(d.n + d.unresolved.n), 10000, "are read, or too long to be names");
}

/* clang-format off */
static void images_env(struct arena *a)
{
	static struct beside files[] = {{"x/.env", "DB=mysql:8\nTWO=a\nTWO=b/c\nEMPTY=\n"}};
	static const struct row rows[] = {
		{"variables of .env", "x/compose.yaml",
		 "services:\n  a: {image: \"${DB:-postgres}\"}\n  b: {image: \"r.io/${TWO}:1\"}\n  c: {image: \"${EMPTY:-d}\"}\n  e: {image: \"${NO}\"}\n",
		 "mysql 8 2:15 elsewhere\nr.io/b/c 1 3:15 elsewhere\nd - 4:24\n"
		 "? ${NO} 5:15 a variable without a known value is part of the name\n"},
		{"a file in another folder", "compose.yaml", "services: {a: {image: \"${DB:-postgres}\"}}\n", "postgres - 1:30\n"},
	};
	struct besides besides = {files, ARRAY_SIZE(files)};

	reads_in(a, &besides, rows, ARRAY_SIZE(rows));
}
/* clang-format on */

int main(void)
{
	struct arena *a = arena_new();

	reads(a, docker, ARRAY_SIZE(docker));
	reads(a, compose, ARRAY_SIZE(compose));
	reads(a, github, ARRAY_SIZE(github));
	refuses(a, bad, ARRAY_SIZE(bad));
	names(a);
	images_env(a);
	images_many(a);
	arena_free(a);
	return tap_done();
}
