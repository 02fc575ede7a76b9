# Two folders, old and new: files edited, moved, copied and deleted, from a seed. No two files are
# the same, as git chooses among such by their order alone, and each ends with a line's end, because
# git before 2.44 does not count a last line without one.
use strict;
use warnings;
my ($seed) = @ARGV;
srand($seed);
sub pick { $_[int rand @_] }
my @words = qw(alpha beta gamma delta one two three four);
sub line { join ' ', map { pick(@words) . int rand 40 } 1 .. 1 + int rand 8 }
sub content {
	my $kind = rand();
	my $n = 1 + int rand 60;
	return join '', map { chr int rand 256 } 1 .. $n * 40 if $kind < 0.15;
	return join '', map { line() } 1 .. $n if $kind < 0.2;
	my $eol = $kind < 0.3 ? "\r\n" : "\n";
	return join '', map { line() . $eol } 1 .. $n;
}
sub edit {
	my ($c) = @_;
	my @l = split /(?<=\n)/, $c;
	my $share = rand() * 0.8;
	for (@l) { $_ = line() . "\n" if rand() < $share }
	push @l, map { line() . "\n" } 1 .. int rand 20 if rand() < 0.3;
	@l = map { s/\r?\n$/\r\n/r } @l if rand() < 0.05;
	return join("", @l) || line();
}
my @dirs = ('', 'a/', 'b/', 'a/c/', "odd\n/", "\xe4/");
sub path { pick(@dirs) . pick(qw(README main.c util.c notes x y z data), int rand 50) }
my (%old, %new);
$old{path()} = content() for 1 .. 4 + int rand 15;
for my $p (sort keys %old) {
	my $r = rand();
	my $c = $old{$p};
	$c = edit($c) if rand() < 0.7;
	if ($r < 0.2) { $new{$p} = $c }
	elsif ($r < 0.5) { my ($b) = $p =~ m{([^/]*)$}; $new{pick(@dirs) . $b} = $c }
	elsif ($r < 0.9) { $new{path()} = $c }
	$new{path()} = edit($c) . "copy of $p\n" if rand() < 0.15;
}
$new{path()} = content() for 1 .. int rand 4;
for ([old => \%old], [new => \%new]) {
	my ($top, $files) = @$_;
	mkdir $top;
	for my $p (sort keys %$files) {
		my $at = $top;
		my @parts = split m{/}, $p;
		my $name = pop @parts;
		mkdir($at .= "/$_") for @parts;
		open my $f, '>', "$at/$name" or next;
		binmode $f;
		print $f $files->{$p} =~ s{[^\n]\K\z}{\n}r;
		close $f;
	}
}
