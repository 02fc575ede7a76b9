#!/usr/bin/perl
# promises.pl TOP [LIST]: what is wrong with t/promises, or with LIST; nothing if all is right.
#
# A line without a tab is a sentence of the page that the last line "== page(7)" names. The lines
# below it, each with a tab, say which tests fail without it: "area/file.t title". A tab and "- why"
# stands for a sentence that promises nothing a program can do: a meaning, a limit, or advice.
# "== page(7), whole" has each sentence of the page, in its order; other pages have some.
use strict;
use warnings;

my ($top, $list) = @ARGV;
$list //= "$top/t/promises";

sub slurp
{
	open my $f, '<', $_[0] or return undef;
	local $/;
	return <$f>;
}

# A line of mdoc as a reader sees it.
sub shown
{
	my ($line) = @_;
	if ($line =~ s/^\.//) {
		return 'ikm' if $line eq 'Nm';
		$line =~ s/^Nm ([.,;:])/ikm $1/;
		my $q = $line =~ s/^Pq // ? '()' : $line =~ s/^Dq // ? '""' : '';
		$line =~ s/\bXr (\S+) (\d)/$1($2)/g;
		$line =~ s/\bFl Fl /--/g;
		$line =~ s/\bFl /-/g;
		$line =~ s/ Ns +/\0/g;
		$line =~ s/(?<![^ \0])(Ar|Cm|Dv|Em|Ev|Fn|Ic|Li|Nm|No|Pa|Ql|Sy|Va) //g;
		$line =~ s/\0//g;
		$line =~ s/^(.*?)((?: [.,;:])?)$/substr($q, 0, 1) . $1 . substr($q, 1) . $2/e if $q;
		$line =~ s/ ([.,;:)])(?= |$)/$1/g;
		$line =~ s/"([^"]*)"/$1/g if !$q;
	}
	$line =~ s/\\\(dq/"/g;
	$line =~ s/\\&//g;
	$line =~ s/\\e/\\/g;
	$line =~ s/\\-/-/g;
	return $line;
}

# The sentences of a page: each begins on a line of its own. Heads and examples are left out.
sub sentences
{
	my ($text) = @_;
	my ($on, $literal, @words, @all) = ($text !~ /^\.Sh DESCRIPTION/m, 0);
	for my $line (split /\n/, $text) {
		$on = $1 !~ /^(NAME|SYNOPSIS|EXAMPLES|SEE ALSO)/ if $line =~ /^\.Sh (.*)/;
		$literal = $1 eq 'B' if $line =~ /^\.([BE])d/;
		if (!$on || $literal || $line =~ /^\.(Sh|Ss|Pp|Bl|El|Bd|Ed|It)\b/) {
			push @all, join ' ', splice @words if @words;
			next;
		}
		push @words, shown($line);
		push @all, join ' ', splice @words if $words[-1] =~ /[.?!]$/ && $words[-1] !~ /\.\.$/;
	}
	return @all;
}

my ($page, $whole, @want, %on, $sentence, $answered, %titles);
sub fault { print @_, "\n" }
sub end_sentence { fault "no test: $sentence" if defined $sentence && !$answered; undef $sentence }
sub end_page { end_sentence(); fault "not in the list: $_" for @want; @want = () }

for my $line (split /\n/, slurp($list)) {
	next if $line =~ /^#|^$/;
	if ($line =~ /^== (\S+)\((\d)\)(, whole)?$/) {
		end_page();
		($page, $whole) = ("$1($2)", $3);
		my $text = slurp("$top/man/" . ($2 eq '1' ? "$1.mdoc" : "$1.$2"));
		fault "no page $page" if !defined $text;
		my @found = sentences($text // '');
		@on{@found} = ();
		%on = map { $_ => 1 } @found;
		@want = @found if $whole;
	} elsif ($line =~ /^\t- ./) {
		$answered = 1;
	} elsif ($line =~ /^\t(\S+) (.+)$/) {
		my ($file, $title) = ($1, $2);
		$titles{$file} //= slurp("$top/t/$file") // '';
		my $is = $file =~ /\.t$/ ? qr/^\s*(try|long|more|some \S+) (["'])\Q$title\E\2/m : qr/\b\Q$title\E\b/;
		fault "$file has no test '$title'" if $titles{$file} !~ $is;
		$answered = 1;
	} else {
		end_sentence();
		($sentence, $answered) = ($line, 0);
		if ($whole && @want) {
			shift @want while @want && $want[0] ne $line && fault("not in the list: $want[0]");
			shift @want;
		}
		fault "not on $page: $line" if !$on{$line};
	}
}
end_page();
