# ikm: everything lands in build/. See README.md for the two commands that matter.
#
#   make            build/ikm, its links and its manual
#   make demo       the main job on a sample, from nothing
#   make check      the whole test suite      SAN=1: under ASan, UBSan and LeakSanitizer
#   make lint       layers, compiler analysis, shell and manual linters
#   make install    DESTDIR= PREFIX=          make uninstall
#   make fuzz       every fuzz target for FUZZ_SECONDS   make perf: benchmarks
#   SHARED=1        link every library shared (for distributors)

VERSION    = 0.1.0
PREFIX     = /usr/local
SYSCONFDIR = /etc
DESTDIR    =
CC         = gcc
CFLAGS     = -O2 -g
FUZZ_SECONDS = 60

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
          -Wwrite-strings -Wpointer-arith -Wno-sign-conversion
CPPFLAGS = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Ilib -I$(B)/gen -DIKM_VERSION='"$(VERSION)"' \
          -DIKM_PREFIX='"$(PREFIX)"' -DIKM_SYSCONFDIR='"$(SYSCONFDIR)"'
CSTD    = -std=c11 -pthread -ffunction-sections -fdata-sections

# Everything static but libc: half the start-up time, and Git inside (see ikm-design(7)).
STATIC_LIBS = -Wl,-Bstatic -lgit2 -lmbedcrypto -lhttp_parser -lcmark -lpcre2-8 -lyaml -lsodium -lz \
          -Wl,-Bdynamic -lm
SHARED_LIBS = -lgit2 -lcmark -lpcre2-8 -lyaml -lsodium -lz -lm
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
TOOL_C := $(sort $(wildcard t/tool/*.c))
UNIT_C := $(sort $(wildcard t/unit/*.c))
FUZZ_C := $(sort $(wildcard t/fuzz/*.c))

LIB_O  := $(LIB_C:%.c=$(B)/o/%.o)
CMD_O  := $(CMD_C:%.c=$(B)/o/%.o)
# The same with test hooks: IKM_NOW, IKM_FAULT, results held against the table.
LIB_T  := $(LIB_C:%.c=$(B)/t/%.o)
CMD_T  := $(CMD_C:%.c=$(B)/t/%.o)
TOOL   := $(TOOL_C:t/tool/%.c=$(B)/tool/%)
UNIT   := $(UNIT_C:t/unit/%.c=$(B)/unit/%)
FUZZ   := $(FUZZ_C:t/fuzz/%.c=$(B)/fuzz/%)

all: $(B)/ikm

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

$(B)/unit/%: t/unit/%.c t/unit/tap.h $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST -It/unit $(WARN) $(CFLAGS) -MMD -MP -o $@ $< \
		$(B)/libikm-test.a $(LDFLAGS) $(LIBS)

# Helpers of the shell tests.
$(B)/tool/%: t/tool/%.c $(B)/libikm-test.a
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(CPPFLAGS) -DIKM_TEST $(WARN) $(CFLAGS) -MMD -MP -o $@ $< \
		$(B)/libikm-test.a $(LDFLAGS) $(LIBS)

-include $(LIB_O:.o=.d) $(CMD_O:.o=.d) $(LIB_T:.o=.d) $(CMD_T:.o=.d) $(UNIT:=.d) $(TOOL:=.d)

clean:
	rm -rf build

.PHONY: all clean
.DELETE_ON_ERROR:
