# search-cases.pl SEED CASES: makes a tree of texts here and asks ikm search and grep -P for the same
# lines, by patterns and options made up from the seed. Prints what differs; exit status 1 then.
use strict;
use warnings;

my ($seed, $cases) = @ARGV;
srand($seed);
sub one { return $_[int(rand(@_))] }

my @words = qw(alpha beta gamma get_user getUser user_id id open close return if else TODO FIXME
	x y foo foobar bar baz 0 42 3.14 struct int char void a.b.c (a) [b] {c} $d ^e * + ? | \\ / --flag);
push @words, '#', "na\xc3\xafve", "\xc3\xa9t\xc3\xa9", "\xe2\x82\xac", "\t", "  ", '"quoted"', "it's";

# ---- the tree ----
for my $i (1 .. 40) {
	my $dir = join '/', map { one(qw(src lib test doc a b)) } 1 .. int(rand(4));
	my $path = '';
	for (split m{/}, $dir) { $path .= "$_/"; mkdir $path }
	open my $f, '>', $path . "f$i." . one(qw(c h md py txt)) or die;
	my $eol = rand() < 0.15 ? "\r\n" : "\n";
	my $lines = int(rand(rand() < 0.1 ? 9000 : 60));
	for my $n (1 .. $lines) {
		my $line = join one(' ', ' ', '', '; '), map { one(@words) } 1 .. int(rand(9));
		print $f $line, $n == $lines && rand() < 0.3 ? '' : $eol;
	}
	close $f;
}
open my $long, '>', 'long.txt' or die;
print $long join(' ', map { one(@words) } 1 .. 1000), "\nshort foo\n";
close $long;

# ---- patterns ----
sub plain { return $_[0] =~ s/([^\w\x80-\xff])/\\$1/gr }
sub atom {
	my $depth = shift;
	my $r = rand();
	return plain(one(@words)) if $r < 0.35;
	return one(qw(. \w \d \s \S \W \b \B ^ $ [a-z] [^a-z] [^\s] [[:upper:]] \w+ \s* .* .*? [^"]* \x41 \h),
		'(?=foo)', '(?!bar)', '(?<=_)', '(?<!o)', '\\A', '\\z', '(?>o+)', 'o++') if $r < 0.75;
	return '(' . pattern($depth + 1) . ')' if $r < 0.9 && $depth < 2;
	return '(?i:' . one(@words[0 .. 8]) . ')';
}
sub pattern {
	my $depth = shift;
	my $p = '';
	for (1 .. 1 + int(rand(4))) {
		my $atom = atom($depth);
		$atom = "(?:$atom)" . one('*', '+', '?', '{2}', '{1,3}', '*?') if rand() < 0.15;
		$p .= $atom;
	}
	$p .= '|' . atom($depth) if rand() < 0.15;
	return $p;
}

sub run {
	my @cmd = @_;
	open my $out, '-|', @cmd or die "cannot run $cmd[0]";
	local $/;
	my $text = <$out> // '';
	close $out;
	return ($text, $? >> 8);
}

my $list = `git ls-files -co --exclude-standard -z`;
my @files = sort split /\0/, $list;
my ($bad, $found, $hard) = (0, 0, 0);
for my $case (1 .. $cases) {
	my $fixed = rand() < 0.15;
	my @patterns = map { $fixed ? one(@words) : pattern(0) } 1 .. (rand() < 0.3 ? 2 + int(rand(4)) : 1);
	my @ours = ('ikm', 'search', map { ('-e', $_) } @patterns);
	my $joined = join '|', map { $fixed ? plain($_) : "(?:$_)" } @patterns;
	# ikm's $ also stands before the CR of a line end.
	$joined =~ s/(\\.)|\$/$1 \/\/ '(?=\\r?$)'/ges if !$fixed;
	my @theirs = ('timeout', 5, 'grep', '-PHna', '-e', $joined);
	my @picked = @files;
	push @ours, '-F' if $fixed;
	for my $o ('-i', '-w', '-v', '-l', '-c', '-C1', '-C3') {
		next if rand() > 0.12;
		next if $o eq '-c' && grep { $_ eq '-l' } @ours;
		push @ours, $o;
		push @theirs, $o;
	}
	if (rand() < 0.2) {
		my $end = one(qw(c h md py));
		push @ours, rand() < 0.5 ? ('-g', "*.$end") : ('-t', $end);
		my $ends = $ours[-1] eq 'c' ? '[ch]' : $end;
		@picked = grep { /\.$ends$/ } @files;
	}
	next if !@picked;
	my ($want, $status) = run(@theirs, '--', @picked);
	next if $status > 1; # what grep does not accept, or gives up
	$want = join '', grep { !/:0$/ } $want =~ /.*\n/g if grep { $_ eq '-c' } @theirs;
	my ($got, $ours) = run(@ours);
	$found++ if $status == 0;
	next if $ours == 8 && ++$hard < 5;
	next if $got eq $want && ($ours == ($want eq '' ? 1 : 0));
	print "# seed $seed, case $case: @ours (status $ours)\n# @theirs (status $status)\n";
	open my $a, '>', "../got"; print $a $got; close $a;
	open my $b, '>', "../want"; print $b $want; close $b;
	print `diff -a ../want ../got | head -6`;
	$bad++;
}
print "# $found cases found lines\n";
exit($bad || $found < $cases / 3 ? 1 : 0);
