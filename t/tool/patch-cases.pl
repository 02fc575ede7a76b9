# Diffs of random texts and the texts that they are to be applied to, which are a little different:
# cases FROM to TO, each a folder with old, new, diff, target and args (-R or nothing). Lines are few
# and often repeated, so that hunks fit at several places.
use strict;
use warnings;
my ($from, $to) = @ARGV;
sub pick { $_[int rand @_] }
my @words = ('', '}', "\treturn;", 'alpha', 'beta', 'gamma', 'the same line', ' x', '-- y', '++ z', "\\ n");
my $variety;
sub line { (rand() < $variety ? 'line ' . int rand 100 : pick(@words)) . "\n" }
sub lines { map { line() } 1 .. $_[0] }
sub edit {
	my ($edits, @l) = @_;
	for (1 .. $edits) {
		my $at = int rand(@l + 1);
		my $n = int rand 4;
		$n = @l - $at if $n > @l - $at;
		my $kind = rand;
		if ($kind < 0.3) { splice @l, $at, 0, lines(1 + int rand 3) }
		elsif ($kind < 0.5) { splice @l, $at, $n }
		elsif ($kind < 0.9) { splice @l, $at, $n, lines($n) }
		else { my @block = splice @l, $at, $n; splice @l, int rand(@l + 1), 0, @block }
	}
	return @l;
}
sub save {
	my ($name, @l) = @_;
	open my $f, '>', $name or die "$name: $!";
	binmode $f;
	print $f @l;
	close $f;
}
sub cut { my @l = @_; $l[-1] =~ s/\r?\n\z// if @l && $l[-1] =~ /../; @l }
mkdir 'cases';
for my $case ($from .. $to) {
	srand $case;
	$variety = pick(0, 0.3, 0.7, 1);
	my $dir = "cases/$case";
	mkdir $dir;
	my @old = lines(int rand pick(4, 20, 60, 200));
	@old = map { s/\n/\r\n/r } @old if rand() < 0.1;
	my @new = edit(1 + int rand pick(2, 6, 12), @old);
	@old = cut(@old) if rand() < 0.15;
	@new = cut(@new) if rand() < 0.15;
	my $reverse = rand() < 0.2;
	my @target = $reverse ? @new : @old;
	my $change = rand;
	@target = (lines(1 + int rand 9), @target) if $change > 0.2;
	@target = edit(1 + int rand 4, @target) if $change > 0.5;
	@target = @target[1 .. $#target] if $change > 0.9;
	@target = map { s/\r\n/\n/r } @target if rand() < 0.04;
	@target = map { s/(?<!\r)\n/\r\n/r } @target if rand() < 0.04;
	save("$dir/old", @old);
	save("$dir/new", @new);
	save("$dir/target", @target);
	save("$dir/args", $reverse ? '-R' : '');
	my $context = pick(0, 1, 2, 3, 3, 3);
	my $make = pick("diff -U$context old new", "git diff --no-index -U$context old new",
		"patch diff old new $context");
	save("$dir/make", $make);
	system("cd $dir && $make >diff");
}
