#!/bin/sh
# A function's name leads to one place: a search, a backtrace and a profile name it alone.
. "$(dirname "$0")/../lib.sh"

try 'the counter finds definitions, and those only' <<'B'
cat >one.c <<'C'
static const struct cmd *
	*not_one(void);
static struct err *read_all(struct arena *a, struct str name,
			    bool quiet)
{
	if (call(a)) {
		return NULL;
	}
}

static const int table[] = {
	1,
};
struct pair {
	int (*fn)(void);
};
#define EACH(x) for (x)
int main(void)
{
}
C
printf 'void read_all(void);\n\nint read_all(int n)\n{\n}\n' >two.c
sh "$TOP/t/names.sh" one.c two.c >out
printf 'read_all: one.c:3 two.c:3\n2 of 3\n' >want
diff -u want out
B

try 'at most one function in twenty shares its name with another' <<'B'
sh "$TOP/t/names.sh" >out
cat out
read -r shared of all <<C
$(tail -n 1 out)
C
same of "$of"
[ "$all" -gt 3000 ]
[ $((shared * 20)) -le "$all" ]
B

done_testing
