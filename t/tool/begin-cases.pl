#!/usr/bin/perl
# Makes random changes of a real file, as a "*** Begin Patch" without numbers, and what they give.
# begin-cases.pl SEED FORM FILE: writes the files old, new and diff in the current folder.
# FORM: lf, crlf, mixed, or bare (no newline at the end); the diff has LF in each.
use strict;
use warnings;

my ($seed, $form, $file) = @ARGV;
srand $seed;
open my $in, '<:raw', $file or die "$file: $!";
my @old = map { s/\r?\n\z//r } <$in>;
my @mixed = map { int rand 2 } @old;
my $between = int 8 + rand 30;    # lines between two hunks, at least

sub text {
	my $bare = $form eq 'bare';
	my $text = join '', map { $_->[0] . ($_->[1] ? "\r\n" : "\n") } @_;
	chop $text if $bare && $text =~ /[^\n]\n\z/;
	return $text;
}
my $crlf = $form eq 'crlf';
my @lines = map { [$old[$_], $form eq 'mixed' ? $mixed[$_] : $crlf] } 0 .. $#old;

# Whether these lines are at one place only.
sub unique {
	my ($from, $to) = @_;
	my $want = join "\n", @old[$from .. $to];
	my $n = 0;
	for my $at (0 .. @old - ($to - $from + 1)) {
		$n++ if $old[$at] eq $old[$from] && $want eq join "\n", @old[$at .. $at + $to - $from];
		last if $n > 1;
	}
	return $n == 1;
}

my (@new, @diff);
my ($done, $hunks) = (0, 0);
for (my $at = int rand(40); $at < @old && $hunks < 4; $at += $between + int rand 60) {
	my $gone = $at + 3 < @old ? int rand 4 : 0;
	# New lines look like others of the file.
	my @put = map { my $like = $old[rand @old]; rand() < 0.5 ? $like : "$like new$_" } 1 .. rand 4;
	next unless $gone || @put;
	next if "@old[$at .. $at + $gone - 1]" eq "@put";
	my ($from, $to) = ($at - 3, $at + $gone + 2);
	for (;;) {
		$from = $done if $from < $done;
		$to = $#old if $to > $#old;
		last if $to >= $from && unique($from, $to);
		last if $from == $done && $to == $#old;
		$from -= 2;
		$to += 2;
	}
	next unless $to >= $from && unique($from, $to);
	# A line takes the end of the lines around it, so a mixed file has no new lines here.
	@put = () if $form eq 'mixed';
	next unless $gone || @put;
	push @new, @lines[$done .. $at - 1], map { [$_, $crlf] } @put;
	push @diff, "@@\n", map({ " $old[$_]\n" } $from .. $at - 1),
		map({ "-$old[$_]\n" } $at .. $at + $gone - 1), map({ "+$_\n" } @put),
		map({ " $old[$_]\n" } $at + $gone .. $to);
	$done = $at + $gone;
	$at = $to if $to > $at;
	# The context of a hunk is not that of the next one.
	push @new, @lines[$done .. $to];
	$done = $to + 1;
	$hunks++;
}
exit 3 unless $hunks;
push @new, @lines[$done .. $#lines] if $done < @lines;
for (['old', text(@lines)], ['new', text(@new)],
	['diff', join '', "*** Begin Patch\n*** Update File: f\n", @diff, "*** End Patch\n"]) {
	open my $out, '>:raw', $_->[0] or die;
	print $out $_->[1];
	close $out or die;
}
