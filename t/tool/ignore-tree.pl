# The folder ./tree, of odd names and with nested .gitignore files, and perhaps a file ./excludes
# for info/exclude, from a seed.
use strict;
use warnings;
my ($seed) = @ARGV;
srand($seed);
my @names = ('a', 'b', 'ab', 'a.b', 'b.c', 'abc', 'A', 'x.o', 'y.o', 'o', 'sp ace', 'end ',
	     "new\nline", "\xff\xfe", '[x]', '{a,b}', '#h', '!n', 'a-b', '-', '*', 'a\\b', '.h',
	     'build', 'doc', "tab\t", '1', '42', '?');
sub pick { $_[int rand @_] }
sub name { pick(@names) }

my @atoms = ('a', 'b', 'o', '.', '*', '*', '*', '?', '**', '[ab]', '[!a]', '[^a-m]', '[]x]', '[a-',
	     '[[:alpha:]]', '[[:digit:][:space:]]', '[[:nope:]]', '[\\]x]', '\\a', '\\*', '\\',
	     'x', '-', '{a,b}', ' ', '\\ ', '[a-c-]', '[z-a]', '[[:alpha]', '.o', '[--.]', "\xff",
	     '[/]', '\\/', '[a\\-c]', '[[:', '[!]a]');
sub part {
	return name() if rand() < 0.45;
	return pick('**', '*', '*.o', '*a', 'a*', '?', '*.*') if rand() < 0.4;
	return join '', map { pick(@atoms) } 1 .. 1 + int rand 4;
}
sub rule {
	return pick('', '# comment', '!', '/', '//', '**', '**/', '/**', '*/', '!*/', '*', '!*', '/*')
		if rand() < 0.15;
	my $r = join '/', map { part() } 1 .. (rand() < 0.6 ? 1 : 2 + int rand 2);
	$r = "/$r" if rand() < 0.2;
	$r = "**/$r" if rand() < 0.1;
	$r .= '/**' if rand() < 0.1;
	$r .= '/' if rand() < 0.2;
	$r = "!$r" if rand() < 0.3;
	$r .= ' ' x int rand 3 if rand() < 0.1;
	$r .= "\r" if rand() < 0.1;
	$r =~ s/\n//g if rand() < 0.9;
	return $r;
}
sub text {
	my $t = join "\n", map { rule() } 1 .. int rand 7;
	$t .= "\n" if rand() < 0.8;
	$t = "\xef\xbb\xbf$t" if rand() < 0.1;
	return $t;
}
sub put { open my $f, '>', $_[0] or return; print $f $_[1]; close $f }
sub fill {
	my ($dir, $depth) = @_;
	mkdir $dir;
	for (1 .. 2 + int rand 6) {
		my $p = "$dir/" . name();
		next if -e $p || -l $p;
		my $r = rand();
		if ($r < 0.45 && $depth < 3) { fill($p, $depth + 1) }
		elsif ($r < 0.5) { symlink(pick('a', '..', '/', 'nowhere'), $p) }
		else { put($p, $p) }
	}
	put("$dir/.gitignore", text()) if rand() < 0.45 || $depth == 0;
}
fill('tree', 0);
put('excludes', text()) if rand() < 0.5;
